/* run_inputs.c - the tensors that spcc run works on: their sizes, and where they come from.
 *
 * Sizes belong to index variables, which belong to a statement.  A tensor's mode has the size of
 * every variable that indexes it, so sizes are kept by classes of modes.  They come from -d and
 * from files that contain them (.mtx).  A .tns file contains none: its largest coordinates give a
 * lower bound, and the largest bound counts.  So inputs are read in this order: files with sizes,
 * files without, recipes.  A preset's sizes count as a file's.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/job.h"
#include "cli/library.h"
#include "cli/paths.h"
#include "cli/progress.h"

/* ---- sizes ---- */

/* Returns the size of a mode, which is that of its class. */
static struct extent *extent_of(const struct job *job, int mode)
{
    while (job->extent[mode].same != mode)
        mode = job->extent[mode].same;
    return &job->extent[mode];
}

void job_join_extents(struct job *job, int a, int b)
{
    struct extent *of_a = extent_of(job, a), *of_b = extent_of(job, b);
    of_b->same = (int)(of_a - job->extent);
}

void job_note_extent(struct job *job, int mode, int64_t size, enum knowledge known)
{
    struct extent *extent = extent_of(job, mode);
    if (extent->size < 0
        || (extent->known == AT_LEAST && (known != AT_LEAST || size > extent->size))) {
        extent->size = size;
        extent->known = known;
    }
}

/* Returns the sizes of a tensor's modes that are known at least this well, -1 for the others. */
static void known_sizes(const struct job *job, const struct tensor *tensor, enum knowledge known,
                        int64_t *out)
{
    for (int m = 0; m < tensor->order; m++) {
        const struct extent *extent = extent_of(job, tensor->first_mode + m);
        out[m] = extent->known >= known ? extent->size : -1;
    }
}

/* ---- inputs ---- */

enum source { VALUE, FILE_WITH_SIZES, FILE_THAT_MAY, FILE_WITHOUT_SIZES, RECIPE, NOTHING };

static enum source source_of(const struct tensor *tensor)
{
    if (!tensor->input)
        return NOTHING;
    const char *value = tensor->input->value;
    if (value[0] == '@')
        return RECIPE;
    double number[2];
    if (tensor->order == 0
        && (spcc_value_parse(value, SPCC_C128, number)
            || spcc_value_parse(value, SPCC_BOOL, number)))
        return VALUE;
    switch (spcc_path_sized(value)) {
    case SPCC_UNSIZED: return FILE_WITHOUT_SIZES;
    case SPCC_MAY_BE_SIZED: return FILE_THAT_MAY;
    case SPCC_SIZED: break;
    }
    return FILE_WITH_SIZES;
}

bool job_is_from_file(const struct tensor *tensor)
{
    switch (source_of(tensor)) {
    case FILE_WITH_SIZES:
    case FILE_THAT_MAY:
    case FILE_WITHOUT_SIZES: return true;
    case VALUE:
    case RECIPE:
    case NOTHING: break;
    }
    return false;
}

static void note_cost(struct job *job, const spcc_tensor *tensor)
{
    if (!tensor)
        return;
    job->time.read_ms += spcc_tensor_get_info(tensor)->read_ms;
    job->time.pack_ms += spcc_tensor_get_info(tensor)->pack_ms;
}

/* Is the word a recipe's name without its @? */
static bool is_recipe(const char *word)
{
    spcc_context *context;
    spcc_tensor *tensor = NULL;
    char *recipe;
    if (spcc_context_new(NULL, &context) != SPCC_OK)
        return false;
    if (asprintf(&recipe, "@%s", word) < 0)
        recipe = NULL;
    bool is =
        recipe
        && spcc_tensor_generate(context, recipe, NULL, SPCC_F64, 0, NULL, NULL, &tensor) == SPCC_OK;
    spcc_tensor_free(tensor);
    spcc_context_free(context);
    free(recipe);
    return is;
}

/* Notes the sizes that a recipe has by itself. */
static enum cli_status note_preset(struct job *job, const struct tensor *tensor)
{
    int64_t sizes[ORDER_MOST];
    int order = source_of(tensor) == RECIPE
                    ? spcc_recipe_dimensions(tensor->input->value, ORDER_MOST, sizes)
                    : 0;
    if (order > 0 && order != tensor->order) {
        library_complain("%s is of order %d, and %s of order %d", tensor->input->value, order,
                         tensor->name, tensor->order);
        return CLI_BAD_USAGE;
    }
    for (int m = 0; m < order; m++)
        job_note_extent(job, tensor->first_mode + m, sizes[m], FROM_FILE);
    return CLI_DONE;
}

/* A file with sizes must agree with -d; a file without, also with other files that have been read.
 */
static spcc_status read_file(struct job *job, struct tensor *tensor, enum knowledge held_to)
{
    int64_t sizes[ORDER_MOST];
    known_sizes(job, tensor, held_to, sizes);
    spcc_read_options options = {.size = sizeof options,
                                 .name = tensor->name,
                                 .fill = tensor->fill,
                                 .order = tensor->order,
                                 .dimensions = tensor->order > 0 ? sizes : NULL,
                                 .scalar = tensor->order == 0,
                                 .zero_based = job->request->zero_based};
    spcc_status said = library_read(job->context, tensor->input->value, tensor->format,
                                    tensor->type, &options, &tensor->is);
    for (int m = 0; said == SPCC_OK && m < tensor->order; m++)
        job_note_extent(job, tensor->first_mode + m, spcc_tensor_dimension(tensor->is, m),
                        spcc_tensor_get_info(tensor->is)->sized ? FROM_FILE : AT_LEAST);
    note_cost(job, tensor->is);
    return said;
}

/* Returns the first mode with an unknown size, -1 if there is none. */
static int unknown_mode(const struct tensor *tensor, const int64_t *sizes)
{
    for (int m = 0; m < tensor->order; m++)
        if (sizes[m] < 0)
            return m;
    return -1;
}

static spcc_tensor_options options_of(const struct tensor *tensor)
{
    return (spcc_tensor_options){
        .size = sizeof(spcc_tensor_options), .name = tensor->name, .fill = tensor->fill};
}

/* Packs a tensor again, with the final size, if a larger coordinate was found after it was read. */
static spcc_status pack_again(struct job *job, struct tensor *tensor, const int64_t *sizes)
{
    spcc_tensor_options options = options_of(tensor);
    int64_t n = spcc_tensor_stored(tensor->is);
    int64_t *coordinates = calloc((size_t)n * (size_t)tensor->order + 1, sizeof *coordinates);
    void *values = calloc((size_t)n + 1, spcc_type_size(tensor->type));
    spcc_status said = SPCC_ERROR_MEMORY;
    spcc_tensor *grown = NULL;
    struct progress progress;
    progress_begin(&progress, "packing %s", tensor->name);
    if (coordinates && values) {
        n = spcc_tensor_unpack(tensor->is, coordinates, values);
        said = spcc_tensor_from_coords(job->context, tensor->format, tensor->type, tensor->order,
                                       sizes, n, coordinates, values, &options, &grown);
    }
    progress_end(&progress);
    free(coordinates);
    free(values);
    if (said == SPCC_OK) {
        spcc_tensor_free(tensor->is);
        tensor->is = grown;
        note_cost(job, grown);
    }
    return said;
}

/* Was it read from a file without sizes? */
static bool has_open_sizes(const struct tensor *tensor)
{
    enum source source = source_of(tensor);
    return (source == FILE_THAT_MAY || source == FILE_WITHOUT_SIZES)
           && !spcc_tensor_get_info(tensor->is)->sized;
}

static enum cli_status agree_on_sizes(struct job *job, struct tensor *tensor)
{
    int64_t sizes[ORDER_MOST];
    bool grows = false;
    known_sizes(job, tensor, AT_LEAST, sizes);
    for (int m = 0; m < tensor->order; m++)
        grows |= spcc_tensor_dimension(tensor->is, m) < sizes[m];
    return grows ? library_report(job->context, pack_again(job, tensor, sizes)) : CLI_DONE;
}

/* Complains that the size of a mode is not known, or that the recipe is none: a preset that is
 * misspelt has no sizes. */
static enum cli_status refuse_size(struct job *job, struct tensor *tensor, int mode)
{
    int64_t one[ORDER_MOST];
    for (int m = 0; m < tensor->order; m++)
        one[m] = 1;
    spcc_status said = spcc_tensor_generate(job->context, tensor->input->value, NULL, tensor->type,
                                            tensor->order, one, NULL, &tensor->is);
    if (said == SPCC_ERROR_ARGUMENT)
        return library_report(job->context, said);
    const char *variable = job->extent[tensor->first_mode + mode].variable;
    if (file_is_literal(variable))
        library_complain("the size of mode %d of %s is not known: a number indexes it, and no "
                         "other tensor has it; read %s from a file",
                         mode + 1, tensor->name, tensor->name);
    else
        library_complain("the size of %s, and so of %s, is not known; say it with -d %s:N",
                         variable, tensor->name, variable);
    return CLI_BAD_INPUT;
}

static enum cli_status make_input(struct job *job, struct tensor *tensor)
{
    int64_t sizes[ORDER_MOST];
    spcc_tensor_options options = options_of(tensor);
    known_sizes(job, tensor, AT_LEAST, sizes);
    int unknown = unknown_mode(tensor, sizes);
    if (unknown >= 0)
        return refuse_size(job, tensor, unknown);
    struct progress progress;
    progress_begin(&progress, "making %s of %s", tensor->name, tensor->input->value);
    spcc_status said =
        spcc_tensor_generate(job->context, tensor->input->value, tensor->format, tensor->type,
                             tensor->order, sizes, &options, &tensor->is);
    progress_end(&progress);
    note_cost(job, tensor->is);
    return library_report(job->context, said);
}

/* A scalar's input may be its value. */
static enum cli_status make_scalar(struct job *job, struct tensor *tensor)
{
    const char *text = tensor->input->value;
    spcc_tensor_options options = options_of(tensor);
    double value[2];
    char *recipe;
    if (!spcc_value_parse(text, tensor->type, value)) {
        library_complain("-i %s:%s: it is not a value of type %s", tensor->name, text,
                         spcc_type_name(tensor->type));
        message_help("say the type with -t %s:TYPE; a file of that name is ./%s", tensor->name,
                     text);
        return CLI_BAD_USAGE;
    }
    if (asprintf(&recipe, "@constant(%s)", text) < 0)
        return library_no_memory();
    spcc_status said = spcc_tensor_generate(job->context, recipe, NULL, tensor->type, 0, NULL,
                                            &options, &tensor->is);
    free(recipe);
    return library_report(job->context, said);
}

/* A size that is unknown here, such as that of j in A(i,j) = x(i) * x(j), is found by the run. */
static enum cli_status make_result(struct job *job, struct tensor *tensor)
{
    int64_t sizes[ORDER_MOST];
    spcc_tensor_options options = options_of(tensor);
    known_sizes(job, tensor, AT_LEAST, sizes);
    spcc_status said =
        spcc_tensor_new(job->context, tensor->format, tensor->type, tensor->order,
                        unknown_mode(tensor, sizes) < 0 ? sizes : NULL, &options, &tensor->is);
    return library_report(job->context, said);
}

static enum cli_status make_of_file(struct job *job, struct tensor *tensor, enum knowledge held_to)
{
    spcc_status said = read_file(job, tensor, held_to);
    enum cli_status status = library_report(job->context, said);
    const char *word = tensor->input->value;
    double value[2];
    if (said == SPCC_ERROR_FILE && access(word, F_OK) != 0 && is_recipe(word))
        message_help("did you mean -i %s:@%s?", tensor->name, word);
    else if (said == SPCC_ERROR_FILE && access(word, F_OK) != 0
             && spcc_value_parse(word, tensor->type, value))
        message_help("did you mean -i %s:'@constant(%s)'?", tensor->name, word);
    return status;
}

static enum cli_status make_tensor(struct job *job, struct tensor *tensor, enum source source)
{
    switch (source) {
    case VALUE: return make_scalar(job, tensor);
    case FILE_WITH_SIZES: return make_of_file(job, tensor, GIVEN);
    case FILE_THAT_MAY:
    case FILE_WITHOUT_SIZES: return make_of_file(job, tensor, FROM_FILE);
    case RECIPE: return make_input(job, tensor);
    case NOTHING: return make_result(job, tensor);
    }
    return CLI_BUG;
}

enum cli_status job_read_inputs(struct job *job)
{
    static const enum source order[] = {VALUE,  FILE_WITH_SIZES, FILE_THAT_MAY, FILE_WITHOUT_SIZES,
                                        RECIPE, NOTHING};
    enum cli_status status = CLI_DONE;
    for (int k = 0; k < job->tensors && status == CLI_DONE; k++)
        status = note_preset(job, &job->tensor[k]);
    for (size_t o = 0; o < sizeof order / sizeof *order && status == CLI_DONE; o++) {
        for (int k = 0; k < job->tensors && status == CLI_DONE; k++) {
            struct tensor *tensor = &job->tensor[k];
            if (source_of(tensor) == order[o])
                status = make_tensor(job, tensor, order[o]);
        }
        for (int k = 0; k < job->tensors && order[o] == FILE_WITHOUT_SIZES && status == CLI_DONE;
             k++)
            if (has_open_sizes(&job->tensor[k]))
                status = agree_on_sizes(job, &job->tensor[k]);
    }
    return status;
}
