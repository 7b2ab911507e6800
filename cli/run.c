/* run.c - spcc run: kernels, tensors from files and recipes, results to files.
 *
 * The statements are compiled first, so that their mistakes are told before large files are read.  Then they run in order
 * (run_steps.c); what one of them computes and a later one reads stays in memory.
 *
 * Sizes belong to index variables, which belong to their statement; a tensor's mode has the size of every variable that
 * stands for it, so sizes are kept by classes of modes.  They come from -d and from files that carry them (.mtx); a .tns
 * file carries none, so its largest coordinates make a lower bound, and the largest of these counts.  Inputs are
 * therefore taken in this order: files with sizes, files without, recipes.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/emit.h"
#include "cli/job.h"
#include "cli/library.h"
#include "cli/paths.h"
#include "cli/progress.h"

/* ---- sizes ---- */

static struct extent *extent_of(const struct job *job, int mode)
{
    while (job->extent[mode].same != mode)
        mode = job->extent[mode].same;
    return &job->extent[mode];
}

static void join_extents(struct job *job, int a, int b)
{
    struct extent *of_a = extent_of(job, a), *of_b = extent_of(job, b);
    of_b->same = (int)(of_a - job->extent);
}

static void note_extent(struct job *job, int mode, int64_t size, enum knowledge known)
{
    struct extent *extent = extent_of(job, mode);
    if (extent->size < 0 || (extent->known == AT_LEAST && (known != AT_LEAST || size > extent->size))) {
        extent->size = size;
        extent->known = known;
    }
}

/* The sizes of a tensor's modes where they are known that well; -1 elsewhere. */
static void known_sizes(const struct job *job, const struct tensor *tensor, enum knowledge known, int64_t *out)
{
    for (int m = 0; m < tensor->order; m++) {
        const struct extent *extent = extent_of(job, tensor->first_mode + m);
        out[m] = extent->known >= known ? extent->size : -1;
    }
}

enum { ORDER_MOST = 32 };

/* ---- what the request says about the statements' tensors ---- */

struct tensor *job_find(const struct job *job, const char *name)
{
    int number = names_find(&job->names, name);
    return number < 0 ? NULL : &job->tensor[number];
}

/* The first tensor that an index variable of this name indexes; NULL: there is none. */
static const char *indexed_by(const struct job *job, const char *variable)
{
    for (int k = 0; k < job->tensors; k++)
        for (int m = 0; m < job->tensor[k].order; m++)
            if (strcmp(job->extent[job->tensor[k].first_mode + m].variable, variable) == 0)
                return job->tensor[k].name;
    return NULL;
}

static void complain_of_name(const struct job *job, const struct cli_setting *setting, const struct tensor *tensor)
{
    char letter = setting->flag == CLI_FLAG_OUTPUT ? 'o' : 'i';
    bool is_file = job->file.path != NULL;
    const char *indexed = tensor ? NULL : indexed_by(job, setting->name);
    if (indexed)
        library_complain("-%c %s:%s: %s is an index variable of %s, which is a tensor: there is no function %s", letter,
                         setting->name, setting->value, setting->name, indexed, indexed);
    else if (!tensor)
        library_complain("-%c %s:%s: %s is not in the statement%s %s", letter, setting->name, setting->value,
                         setting->name, is_file ? "s of" : "", job->request->subject);
    else if (is_file)
        library_complain("-o %s:%s: %s is an operand, and the result of no statement", setting->name, setting->value,
                         setting->name);
    else
        library_complain("-o %s:%s: %s is an operand, the result is %s", setting->name, setting->value, setting->name,
                         job->tensor[0].name);
}

/* Of two results in one file the first would be lost. */
static enum cli_status check_outputs(const struct job *job)
{
    int i = 0;
    for (const struct cli_setting *b; (b = cli_next(job->request, CLI_FLAG_OUTPUT, &i));) {
        int k = 0;
        for (const struct cli_setting *a; (a = cli_next(job->request, CLI_FLAG_OUTPUT, &k)) != b;)
            if (paths_are_same(a->value, b->value)) {
                library_complain("-o %s:%s and -o %s:%s are the same file", a->name, a->value, b->name, b->value);
                return CLI_BAD_USAGE;
            }
    }
    return CLI_DONE;
}

/* Inputs and outputs are the statements'; what other options name is checked with the statements. */
static enum cli_status check_names(struct job *job)
{
    for (int s = 0; s < job->request->n_settings; s++) {
        const struct cli_setting *setting = &job->request->settings[s];
        bool is_output = setting->flag == CLI_FLAG_OUTPUT;
        const struct tensor *tensor = setting->name ? job_find(job, setting->name) : NULL;
        if ((setting->flag != CLI_FLAG_INPUT && !is_output) || (tensor && (!is_output || tensor->results > 0)))
            continue;
        complain_of_name(job, setting, tensor);
        return CLI_BAD_USAGE;
    }
    return CLI_DONE;
}

static void describe_tensors(struct job *job)
{
    for (int k = 0; k < job->request->n_settings; k++) {
        const struct cli_setting *setting = &job->request->settings[k];
        struct tensor *tensor = setting->name ? job_find(job, setting->name) : NULL;
        if (!tensor)
            continue;
        if (setting->flag == CLI_FLAG_FORMAT)
            tensor->format = setting->value;
        else if (setting->flag == CLI_FLAG_FILL)
            tensor->fill = setting->value;
        else if (setting->flag == CLI_FLAG_TYPE)
            spcc_type_parse(setting->value, &tensor->type); /* one that is none is reported with the statement */
        else if (setting->flag == CLI_FLAG_INPUT)
            tensor->input = setting;
    }
}

static enum cli_status check_input(const struct job *job, const struct tensor *tensor)
{
    if (tensor->input && tensor->starts_as_result && !tensor->is_read) {
        library_complain("-i %s: it is the result, and %s does not read it", tensor->name,
                         job->file.statement[tensor->first].request.subject);
        return CLI_BAD_USAGE;
    }
    if (!tensor->input && !tensor->starts_as_result) {
        library_complain("%s has no input; for example -i %s:FILE or -i %s:@ones", tensor->name, tensor->name,
                         tensor->name);
        return CLI_BAD_USAGE;
    }
    return CLI_DONE;
}

static bool allocate(struct job *job)
{
    size_t tensors = 0, modes = 0;
    for (int s = 0; s < job->file.n; s++) {
        const spcc_statement *statement = job->file.statement[s].parsed;
        tensors += (size_t)spcc_statement_tensors(statement);
        for (int k = 0; k < spcc_statement_tensors(statement); k++)
            modes += (size_t)spcc_statement_tensor_order(statement, k);
    }
    job->tensor = calloc(tensors, sizeof *job->tensor);
    job->extent = calloc(modes + 1, sizeof *job->extent);
    job->step = calloc((size_t)job->file.n, sizeof *job->step);
    return job->tensor && job->extent && job->step;
}

/* The tensor that statement s names as its number k, noted if it is new. */
static enum cli_status note_tensor(struct job *job, int s, int k)
{
    const spcc_statement *statement = job->file.statement[s].parsed;
    const char *name = spcc_statement_tensor_name(statement, k);
    int order = spcc_statement_tensor_order(statement, k);
    struct tensor *tensor = job_find(job, name);
    if (order > ORDER_MOST)
        return file_complain(&job->file, s, "%s has %d modes, more than %d", name, order, (int)ORDER_MOST);
    if (!tensor) {
        if (names_add(&job->names, name) < 0)
            return library_no_memory();
        tensor = &job->tensor[job->tensors++];
        *tensor = (struct tensor){.name = name, .order = order, .first_mode = job->extents, .first = s,
                                  .starts_as_result = k == 0,
                                  .is_read = k > 0 || spcc_statement_is_compound(statement)};
        for (int m = 0; m < order; m++, job->extents++)
            job->extent[job->extents] = (struct extent){job->extents, spcc_statement_variable(statement, k, m), -1,
                                                        AT_LEAST};
    }
    tensor->results += k == 0;
    return CLI_DONE;
}

/* A literal in the place of an index variable says nothing of the size but that it is larger. */
static bool is_literal(const char *variable) { return *variable >= '0' && *variable <= '9'; }

/* The extent of an index variable of statement s; -1: it stands for no mode. */
static int find_mode(const struct job *job, int s, const char *variable)
{
    const spcc_statement *statement = job->file.statement[s].parsed;
    for (int k = 0; k < spcc_statement_tensors(statement); k++)
        for (int m = 0; m < spcc_statement_tensor_order(statement, k); m++)
            if (!is_literal(variable) && strcmp(spcc_statement_variable(statement, k, m), variable) == 0)
                return job_find(job, spcc_statement_tensor_name(statement, k))->first_mode + m;
    return -1;
}

static void join_modes(struct job *job, int s)
{
    const spcc_statement *statement = job->file.statement[s].parsed;
    for (int k = 0; k < spcc_statement_tensors(statement); k++) {
        const struct tensor *tensor = job_find(job, spcc_statement_tensor_name(statement, k));
        for (int m = 0; m < tensor->order; m++)
            if (!is_literal(spcc_statement_variable(statement, k, m)))
                join_extents(job, find_mode(job, s, spcc_statement_variable(statement, k, m)),
                             tensor->first_mode + m);
    }
}

static void note_given_sizes(struct job *job, int s)
{
    int i = 0;
    for (const struct cli_setting *size; (size = cli_next(&job->file.statement[s].request, CLI_FLAG_SIZE, &i));) {
        int mode = find_mode(job, s, size->name);
        if (mode >= 0)
            note_extent(job, mode, size->size, GIVEN);
    }
}

/* What is wrong with the statements is told before what is wrong with the inputs. */
static enum cli_status check_statements(struct job *job)
{
    enum cli_status status = CLI_DONE;
    for (int s = 0; s < job->file.n; s++) {
        enum cli_status one = emit_reading(&job->file, s);
        status = status == CLI_DONE ? one : status;
    }
    return status;
}

static enum cli_status read_statements(struct job *job)
{
    enum cli_status status = CLI_DONE;
    if (!allocate(job))
        return library_no_memory();
    for (int s = 0; s < job->file.n; s++)
        for (int k = 0; k < spcc_statement_tensors(job->file.statement[s].parsed) && status == CLI_DONE; k++)
            status = note_tensor(job, s, k);
    if (status == CLI_DONE)
        status = check_names(job);
    if (status == CLI_DONE)
        status = check_outputs(job);
    describe_tensors(job);
    for (int k = 0; k < job->tensors && status == CLI_DONE; k++)
        status = check_input(job, &job->tensor[k]);
    for (int s = 0; s < job->file.n && status == CLI_DONE; s++)
        join_modes(job, s);
    for (int s = 0; s < job->file.n && status == CLI_DONE; s++)
        note_given_sizes(job, s);
    return status;
}

/* ---- the kernels ---- */

/* What the statement's request says, and the formats that were chosen for its tensors. */
static bool make_options(const struct job *job, int s, struct library_options *made)
{
    const struct file_statement *statement = &job->file.statement[s];
    int n = spcc_statement_tensors(statement->parsed);
    if (!library_options_make(made, &statement->request, n))
        return false;
    for (int k = 0; k < n; k++) {
        const struct tensor *tensor = job_find(job, spcc_statement_tensor_name(statement->parsed, k));
        if (tensor->chosen && !library_declare_format(made, tensor->name, tensor->chosen))
            return false;
    }
    return true;
}

/* A result that nothing is said of is sparse where all that it is made of is; one of several statements is not, which may
 * be made of different things.  What is wrong with the statement is told when it is compiled. */
static enum cli_status choose_format(struct job *job, int s)
{
    const struct file_statement *statement = &job->file.statement[s];
    struct tensor *result = job_find(job, spcc_statement_tensor_name(statement->parsed, 0));
    struct library_options made;
    spcc_status said = SPCC_ERROR_MEMORY;
    if (result->order == 0 || result->format || result->input || !result->starts_as_result || result->results > 1)
        return CLI_DONE;
    if (make_options(job, s, &made))
        said = spcc_result_format(job->context, statement->request.subject, &made.options, &result->chosen);
    library_options_free(&made);
    if (said == SPCC_ERROR_MEMORY)
        return library_no_memory();
    if (result->chosen)
        result->format = result->chosen;
    return CLI_DONE;
}

static enum cli_status tell_formats(struct job *job)
{
    for (int k = 0; k < job->tensors; k++) {
        const struct tensor *tensor = &job->tensor[k];
        if (!tensor->chosen)
            continue;
        message_label(MESSAGE_NOTE, "note:");
        message_say("%s is stored as %s, since all that it is made of is sparse; -f %s:dense stores every component",
                    tensor->name, tensor->chosen, tensor->name);
    }
    return CLI_DONE;
}

static enum cli_status choose_formats(struct job *job)
{
    enum cli_status status = CLI_DONE;
    for (int s = 0; s < job->file.n && status == CLI_DONE; s++)
        status = choose_format(job, s);
    return status;
}

static void add_cost(spcc_kernel_info *sum, const spcc_kernel_info *one)
{
    double generate = sum->generate_ms + one->generate_ms, compile = sum->compile_ms + one->compile_ms;
    double load = sum->load_ms + one->load_ms;
    const char *note = sum->note ? sum->note : one->note;
    *sum = *one;
    sum->note = note;
    sum->generate_ms = generate;
    sum->compile_ms = compile;
    sum->load_ms = load;
}

static enum cli_status compile(struct job *job)
{
    enum cli_status status = CLI_DONE;
    for (int s = 0; s < job->file.n; s++) {
        const struct cli_request *request = &job->file.statement[s].request;
        struct library_options made;
        spcc_status said = SPCC_ERROR_MEMORY;
        struct progress progress;
        progress_begin(&progress, "compiling %s", request->subject);
        if (make_options(job, s, &made))
            said = spcc_compile(job->context, request->subject, &made.options, &job->step[s].kernel);
        progress_end(&progress);
        library_options_free(&made);
        if (said == SPCC_OK)
            add_cost(&job->kernels, spcc_kernel_get_info(job->step[s].kernel));
        enum cli_status one = file_report(&job->file, s, said);
        status = status == CLI_DONE ? one : status;
    }
    job->time.kernel = &job->kernels;
    return status;
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
        && (spcc_value_parse(value, SPCC_C128, number) || spcc_value_parse(value, SPCC_BOOL, number)))
        return VALUE;
    switch (spcc_path_sized(value)) {
    case SPCC_UNSIZED: return FILE_WITHOUT_SIZES;
    case SPCC_MAY_BE_SIZED: return FILE_THAT_MAY;
    case SPCC_SIZED: break;
    }
    return FILE_WITH_SIZES;
}

static void note_cost(struct job *job, const spcc_tensor *tensor)
{
    if (!tensor)
        return;
    job->time.read_ms += spcc_tensor_get_info(tensor)->read_ms;
    job->time.pack_ms += spcc_tensor_get_info(tensor)->pack_ms;
}

/* A file that says its sizes is held to those of -d, another one also to those of files that have been read. */
static spcc_status read_file(struct job *job, struct tensor *tensor, enum knowledge held_to)
{
    int64_t sizes[ORDER_MOST];
    known_sizes(job, tensor, held_to, sizes);
    spcc_read_options options = {.size = sizeof options, .name = tensor->name, .fill = tensor->fill,
                                 .order = tensor->order, .dimensions = tensor->order > 0 ? sizes : NULL,
                                 .scalar = tensor->order == 0, .zero_based = job->request->zero_based};
    spcc_status said = library_read(job->context, tensor->input->value, tensor->format, tensor->type, &options,
                                    &tensor->is);
    for (int m = 0; said == SPCC_OK && m < tensor->order; m++)
        note_extent(job, tensor->first_mode + m, spcc_tensor_dimension(tensor->is, m),
                    spcc_tensor_get_info(tensor->is)->sized ? FROM_FILE : AT_LEAST);
    note_cost(job, tensor->is);
    return said;
}

/* The first mode whose size nothing says; -1: there is none. */
static int unknown_mode(const struct tensor *tensor, const int64_t *sizes)
{
    for (int m = 0; m < tensor->order; m++)
        if (sizes[m] < 0)
            return m;
    return -1;
}

static spcc_tensor_options options_of(const struct tensor *tensor)
{
    return (spcc_tensor_options){.size = sizeof(spcc_tensor_options), .name = tensor->name, .fill = tensor->fill};
}

/* A tensor read before a larger coordinate was seen elsewhere: packed again, with the size that counts. */
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
        said = spcc_tensor_from_coords(job->context, tensor->format, tensor->type, tensor->order, sizes, n,
                                       coordinates, values, &options, &grown);
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

/* Was it read from a file that does not say its sizes? */
static bool has_open_sizes(const struct tensor *tensor)
{
    enum source source = source_of(tensor);
    return (source == FILE_THAT_MAY || source == FILE_WITHOUT_SIZES) && !spcc_tensor_get_info(tensor->is)->sized;
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

static enum cli_status make_input(struct job *job, struct tensor *tensor)
{
    int64_t sizes[ORDER_MOST];
    spcc_tensor_options options = options_of(tensor);
    known_sizes(job, tensor, AT_LEAST, sizes);
    int unknown = unknown_mode(tensor, sizes);
    if (unknown >= 0) {
        const char *variable = job->extent[tensor->first_mode + unknown].variable;
        if (is_literal(variable))
            library_complain("the size of mode %d of %s is not known: a number indexes it, and no other tensor has it; "
                             "read %s from a file", unknown + 1, tensor->name, tensor->name);
        else
            library_complain("the size of %s, and so of %s, is not known; say it with -d %s:N", variable, tensor->name,
                             variable);
        return CLI_BAD_USAGE;
    }
    struct progress progress;
    progress_begin(&progress, "making %s of %s", tensor->name, tensor->input->value);
    spcc_status said = spcc_tensor_generate(job->context, tensor->input->value, tensor->format, tensor->type,
                                            tensor->order, sizes, &options, &tensor->is);
    progress_end(&progress);
    note_cost(job, tensor->is);
    return library_report(job->context, said);
}

/* Of a scalar the value itself may be given. */
static enum cli_status make_scalar(struct job *job, struct tensor *tensor)
{
    const char *text = tensor->input->value;
    spcc_tensor_options options = options_of(tensor);
    double value[2];
    char *recipe;
    if (!spcc_value_parse(text, tensor->type, value)) {
        library_complain("-i %s:%s: it is not a value of type %s", tensor->name, text, spcc_type_name(tensor->type));
        message_help("say the type with -t %s:TYPE; a file of that name is ./%s", tensor->name, text);
        return CLI_BAD_USAGE;
    }
    if (asprintf(&recipe, "@constant(%s)", text) < 0)
        return library_no_memory();
    spcc_status said = spcc_tensor_generate(job->context, recipe, NULL, tensor->type, 0, NULL, &options, &tensor->is);
    free(recipe);
    return library_report(job->context, said);
}

/* A size that is not known here, such as that of j in A(i,j) = x(i) * x(j), the run finds out. */
static enum cli_status make_result(struct job *job, struct tensor *tensor)
{
    int64_t sizes[ORDER_MOST];
    spcc_tensor_options options = options_of(tensor);
    known_sizes(job, tensor, AT_LEAST, sizes);
    spcc_status said = spcc_tensor_new(job->context, tensor->format, tensor->type, tensor->order,
                                       unknown_mode(tensor, sizes) < 0 ? sizes : NULL, &options, &tensor->is);
    return library_report(job->context, said);
}

static enum cli_status make_tensor(struct job *job, struct tensor *tensor, enum source source)
{
    switch (source) {
    case VALUE: return make_scalar(job, tensor);
    case FILE_WITH_SIZES: return library_report(job->context, read_file(job, tensor, GIVEN));
    case FILE_THAT_MAY:
    case FILE_WITHOUT_SIZES: return library_report(job->context, read_file(job, tensor, FROM_FILE));
    case RECIPE: return make_input(job, tensor);
    case NOTHING: return make_result(job, tensor);
    }
    return CLI_BUG;
}

static enum cli_status read_inputs(struct job *job)
{
    static const enum source order[] = {VALUE, FILE_WITH_SIZES, FILE_THAT_MAY, FILE_WITHOUT_SIZES, RECIPE,
                                        NOTHING};
    enum cli_status status = CLI_DONE;
    for (size_t o = 0; o < sizeof order / sizeof *order && status == CLI_DONE; o++) {
        for (int k = 0; k < job->tensors && status == CLI_DONE; k++) {
            struct tensor *tensor = &job->tensor[k];
            if (source_of(tensor) == order[o])
                status = make_tensor(job, tensor, order[o]);
        }
        for (int k = 0; k < job->tensors && order[o] == FILE_WITHOUT_SIZES && status == CLI_DONE; k++)
            if (has_open_sizes(&job->tensor[k]))
                status = agree_on_sizes(job, &job->tensor[k]);
    }
    return status;
}

/* ---- the results ---- */

/* The last statement's; a loop's condition is none. */
static const spcc_tensor *last_result(const struct job *job)
{
    int s = job->file.n - 1;
    while (s > 0 && job->file.statement[s].is_condition)
        s--;
    return job_find(job, spcc_statement_tensor_name(job->file.statement[s].parsed, 0))->is;
}

/* Where -o does not say, and no time is asked for, the last statement's result is printed. */
static enum cli_status write_results(struct job *job)
{
    double start = timing_now_ms();
    enum cli_status status = CLI_DONE;
    spcc_write_options options = library_writing(job->request, SPCC_GENERAL);
    bool has_output = false;
    int i = 0;
    for (const struct cli_setting *s; status == CLI_DONE && (s = cli_next(job->request, CLI_FLAG_OUTPUT, &i));) {
        has_output = true;
        status = library_report(job->context, library_write(job->context, job_find(job, s->name)->is, s->value,
                                                            &options));
    }
    if (!has_output && job->request->time == CLI_TIME_NONE)
        status = library_report(job->context, spcc_tensor_write_with(job->context, last_result(job), "-", &options));
    job->time.write_ms = timing_now_ms() - start;
    return status;
}

static void free_job(struct job *job)
{
    for (int k = 0; job->tensor && k < job->tensors; k++) {
        spcc_tensor_free(job->tensor[k].is);
        spcc_free(job->tensor[k].chosen);
    }
    for (int s = 0; job->step && s < job->file.n; s++) {
        spcc_kernel_free(job->step[s].kernel);
        free(job->step[s].arguments);
    }
    names_free(&job->names);
    free(job->tensor);
    free(job->extent);
    free(job->step);
    file_close(&job->file);
}

enum cli_status command_run(const struct cli_request *request)
{
    static enum cli_status (*const steps[])(struct job *) = {
        check_statements, read_statements, choose_formats, compile, tell_formats, read_inputs, job_run, write_results
    };
    struct job job = {.request = request};
    enum cli_status status = file_open(&job.file, request);
    job.request = &job.file.request;
    job.context = job.file.context;
    if (status == CLI_DONE)
        status = emit_views(&job.file);
    for (size_t s = 0; s < sizeof steps / sizeof *steps && status == CLI_DONE; s++)
        status = steps[s](&job);
    if (status == CLI_DONE)
        job_report_time(&job);
    free_job(&job);
    return status;
}
