/* run.c - spcc run: a kernel, tensors from files and recipes, the result to files.
 *
 * The statement is compiled first, so that its mistakes are told before large files are read.
 *
 * Sizes belong to index variables.  They come from -d and from files that carry them (.mtx); a .tns file carries
 * none, so its largest coordinates make a lower bound, and the largest of these counts.  Inputs are therefore taken in
 * this order: files with sizes, files without, recipes.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/library.h"
#include "cli/progress.h"
#include "cli/timing.h"

/* A tensor of the statement; 0 is the result. */
struct tensor {
    const char *name;
    int order;
    const char *const *variable;     /* for each mode */
    const struct cli_setting *input; /* NULL: the result starts as fills */
    const char *format, *fill;
    spcc_type type;
    spcc_tensor *is;
};

/* How well a size is known; each stands above those before it. */
enum knowledge { AT_LEAST, FROM_FILE, GIVEN };

/* The size of an index variable. */
struct extent {
    const char *variable;
    int64_t size;
    enum knowledge known;
};

struct job {
    const struct cli_request *request;
    spcc_context *context;
    spcc_statement *statement;
    struct tensor *tensor;
    int tensors;
    const char **variables;          /* where tensor.variable point into */
    struct extent *extent;
    int extents;
    spcc_kernel *kernel;
    spcc_tensor **arguments;         /* the kernel's */
    int n_arguments;
    struct timing time;
};

/* ---- sizes ---- */

static struct extent *find_extent(struct job *job, const char *variable)
{
    for (int e = 0; e < job->extents; e++)
        if (strcmp(job->extent[e].variable, variable) == 0)
            return &job->extent[e];
    return NULL;
}

static void note_extent(struct job *job, const char *variable, int64_t size, enum knowledge known)
{
    struct extent *extent = find_extent(job, variable);
    if (!extent) {
        job->extent[job->extents++] = (struct extent){variable, size, known};
    } else if (extent->known == AT_LEAST && (known != AT_LEAST || size > extent->size)) {
        extent->size = size;
        extent->known = known;
    }
}

/* The sizes of a tensor's modes where they are known that well; -1 elsewhere. */
static void known_sizes(struct job *job, const struct tensor *tensor, enum knowledge known, int64_t *out)
{
    for (int m = 0; m < tensor->order; m++) {
        const struct extent *extent = find_extent(job, tensor->variable[m]);
        out[m] = extent && extent->known >= known ? extent->size : -1;
    }
}

enum { ORDER_MOST = 32 };

/* ---- what the request says about the statement's tensors ---- */

static enum cli_status no_memory(void)
{
    library_complain("out of memory");
    return CLI_BAD_MACHINE;
}

static struct tensor *find_tensor(struct job *job, const char *name)
{
    for (int k = 0; k < job->tensors; k++)
        if (strcmp(job->tensor[k].name, name) == 0)
            return &job->tensor[k];
    return NULL;
}

/* Inputs and outputs are the statement's; what other options name is checked with the statement. */
static enum cli_status check_names(struct job *job)
{
    const struct cli_request *request = job->request;
    for (int s = 0; s < request->n_settings; s++) {
        const struct cli_setting *setting = &request->settings[s];
        bool is_output = setting->flag == CLI_FLAG_OUTPUT;
        const struct tensor *tensor = setting->name ? find_tensor(job, setting->name) : NULL;
        if (setting->flag != CLI_FLAG_INPUT && !is_output)
            continue;
        if (!tensor)
            library_complain("-%c %s:%s: %s is not in the statement %s", is_output ? 'o' : 'i', setting->name,
                             setting->value, setting->name, request->subject);
        else if (is_output && tensor != job->tensor)
            library_complain("-o %s:%s: %s is an operand, the result is %s", setting->name, setting->value,
                             setting->name, job->tensor[0].name);
        else
            continue;
        return CLI_BAD_USAGE;
    }
    return CLI_DONE;
}

static enum cli_status describe_tensor(struct job *job, int k)
{
    struct tensor *tensor = &job->tensor[k];
    const char *type = library_setting(job->request, CLI_FLAG_TYPE, tensor->name);
    tensor->format = library_setting(job->request, CLI_FLAG_FORMAT, tensor->name);
    tensor->fill = library_setting(job->request, CLI_FLAG_FILL, tensor->name);
    if (type)
        spcc_type_parse(type, &tensor->type); /* one that is none is reported with the statement */
    int i = 0;
    for (const struct cli_setting *s; (s = cli_next(job->request, CLI_FLAG_INPUT, &i));)
        if (strcmp(s->name, tensor->name) == 0)
            tensor->input = s;
    bool may_have_input = k > 0 || spcc_statement_is_compound(job->statement);
    if (tensor->input && !may_have_input) {
        library_complain("-i %s: it is the result, and %s does not read it", tensor->name, job->request->subject);
        return CLI_BAD_USAGE;
    }
    if (!tensor->input && k > 0) {
        library_complain("%s has no input; for example -i %s:FILE or -i %s:@ones", tensor->name, tensor->name,
                         tensor->name);
        return CLI_BAD_USAGE;
    }
    return CLI_DONE;
}

static bool allocate(struct job *job)
{
    const spcc_statement *statement = job->statement;
    size_t modes = 0;
    job->tensors = spcc_statement_tensors(statement);
    for (int k = 0; k < job->tensors; k++)
        modes += (size_t)spcc_statement_tensor_order(statement, k);
    job->tensor = calloc((size_t)job->tensors, sizeof *job->tensor);
    job->arguments = calloc((size_t)job->tensors, sizeof *job->arguments);
    job->variables = calloc(modes + 1, sizeof *job->variables);
    job->extent = calloc(modes + (size_t)job->request->n_settings + 1, sizeof *job->extent);
    return job->tensor && job->arguments && job->variables && job->extent;
}

static enum cli_status read_statement(struct job *job)
{
    spcc_status said = spcc_statement_parse(job->context, job->request->subject, &job->statement);
    if (said != SPCC_OK)
        return library_report(job->context, said);
    if (!allocate(job))
        return no_memory();
    const char **variable = job->variables;
    for (int k = 0; k < job->tensors; k++) {
        struct tensor *tensor = &job->tensor[k];
        tensor->name = spcc_statement_tensor_name(job->statement, k);
        tensor->order = spcc_statement_tensor_order(job->statement, k);
        tensor->variable = variable;
        if (tensor->order > ORDER_MOST) {
            library_complain("%s has %d modes, more than %d", tensor->name, tensor->order, (int)ORDER_MOST);
            return CLI_BAD_INPUT;
        }
        for (int m = 0; m < tensor->order; m++)
            *variable++ = spcc_statement_variable(job->statement, k, m);
    }
    enum cli_status status = check_names(job);
    for (int k = 0; k < job->tensors && status == CLI_DONE; k++)
        status = describe_tensor(job, k);
    int i = 0;
    for (const struct cli_setting *s; (s = cli_next(job->request, CLI_FLAG_SIZE, &i));)
        note_extent(job, s->name, s->size, GIVEN);
    return status;
}

/* ---- the kernel ---- */

static enum cli_status compile(struct job *job)
{
    struct library_options made;
    spcc_status said = SPCC_ERROR_MEMORY;
    if (library_options_make(&made, job->request))
        said = spcc_compile(job->context, job->request->subject, &made.options, &job->kernel);
    library_options_free(&made);
    if (said == SPCC_OK)
        job->time.kernel = spcc_kernel_get_info(job->kernel);
    return library_report(job->context, said);
}

/* ---- inputs ---- */

enum source { FILE_WITH_SIZES, FILE_WITHOUT_SIZES, RECIPE, NOTHING };

static enum source source_of(const struct tensor *tensor)
{
    if (!tensor->input)
        return NOTHING;
    const char *value = tensor->input->value;
    if (value[0] == '@')
        return RECIPE;
    size_t n = strlen(value);
    if (n > 3 && strcmp(value + n - 3, ".gz") == 0)
        n -= 3;
    bool is_tns = n >= 4 && strncmp(value + n - 4, ".tns", 4) == 0;
    return is_tns || strcmp(value, "-") == 0 ? FILE_WITHOUT_SIZES : FILE_WITH_SIZES;
}

static void note_cost(struct job *job, const spcc_tensor *tensor)
{
    if (!tensor)
        return;
    job->time.read_ms += spcc_tensor_get_info(tensor)->read_ms;
    job->time.pack_ms += spcc_tensor_get_info(tensor)->pack_ms;
}

static spcc_status read_file(struct job *job, struct tensor *tensor, bool with_sizes)
{
    int64_t sizes[ORDER_MOST];
    known_sizes(job, tensor, with_sizes ? GIVEN : FROM_FILE, sizes);
    spcc_read_options options = {.size = sizeof options, .name = tensor->name, .fill = tensor->fill,
                                 .order = tensor->order, .dimensions = tensor->order > 0 ? sizes : NULL};
    struct progress progress;
    char what[256];
    snprintf(what, sizeof what, "reading %s", tensor->input->value);
    progress_begin(&progress, what);
    spcc_status said = spcc_tensor_read(job->context, tensor->input->value, tensor->format, tensor->type, &options,
                                        &tensor->is);
    progress_end(&progress);
    for (int m = 0; said == SPCC_OK && m < tensor->order; m++)
        note_extent(job, tensor->variable[m], spcc_tensor_dimension(tensor->is, m), with_sizes ? FROM_FILE : AT_LEAST);
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

/* A tensor read before a larger coordinate was seen elsewhere: packed again, with the size that counts. */
static spcc_status pack_again(struct job *job, struct tensor *tensor, const int64_t *sizes)
{
    spcc_tensor_options options = {.size = sizeof options, .name = tensor->name, .fill = tensor->fill};
    int64_t n = spcc_tensor_stored(tensor->is);
    int64_t *coordinates = calloc((size_t)n * (size_t)tensor->order + 1, sizeof *coordinates);
    void *values = calloc((size_t)n + 1, spcc_type_size(tensor->type));
    spcc_status said = SPCC_ERROR_MEMORY;
    spcc_tensor *grown = NULL;
    if (coordinates && values) {
        n = spcc_tensor_unpack(tensor->is, coordinates, values);
        said = spcc_tensor_from_coords(job->context, tensor->format, tensor->type, tensor->order, sizes, n,
                                       coordinates, values, &options, &grown);
    }
    free(coordinates);
    free(values);
    if (said == SPCC_OK) {
        spcc_tensor_free(tensor->is);
        tensor->is = grown;
        note_cost(job, grown);
    }
    return said;
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
    spcc_tensor_options options = {.size = sizeof options, .name = tensor->name, .fill = tensor->fill};
    known_sizes(job, tensor, AT_LEAST, sizes);
    int unknown = unknown_mode(tensor, sizes);
    if (unknown >= 0) {
        const char *variable = tensor->variable[unknown];
        library_complain("the size of %s, and so of %s, is not known; say it with -d %s:N", variable, tensor->name,
                         variable);
        return CLI_BAD_USAGE;
    }
    spcc_status said = spcc_tensor_generate(job->context, tensor->input->value, tensor->format, tensor->type,
                                            tensor->order, sizes, &options, &tensor->is);
    note_cost(job, tensor->is);
    return library_report(job->context, said);
}

/* A size that is not known here, such as that of j in A(i,j) = x(i) * x(j), the run finds out. */
static enum cli_status make_result(struct job *job, struct tensor *tensor)
{
    int64_t sizes[ORDER_MOST];
    spcc_tensor_options options = {.size = sizeof options, .name = tensor->name, .fill = tensor->fill};
    known_sizes(job, tensor, AT_LEAST, sizes);
    spcc_status said = spcc_tensor_new(job->context, tensor->format, tensor->type, tensor->order,
                                       unknown_mode(tensor, sizes) < 0 ? sizes : NULL, &options, &tensor->is);
    return library_report(job->context, said);
}

static enum cli_status make_tensor(struct job *job, struct tensor *tensor, enum source source)
{
    switch (source) {
    case FILE_WITH_SIZES: return library_report(job->context, read_file(job, tensor, true));
    case FILE_WITHOUT_SIZES: return library_report(job->context, read_file(job, tensor, false));
    case RECIPE: return make_input(job, tensor);
    case NOTHING: return make_result(job, tensor);
    }
    return CLI_BUG;
}

static enum cli_status read_inputs(struct job *job)
{
    static const enum source order[] = {FILE_WITH_SIZES, FILE_WITHOUT_SIZES, RECIPE, NOTHING};
    enum cli_status status = CLI_DONE;
    for (size_t o = 0; o < sizeof order / sizeof *order; o++) {
        for (int k = 0; k < job->tensors && status == CLI_DONE; k++) {
            struct tensor *tensor = &job->tensor[k];
            if (source_of(tensor) == order[o])
                status = make_tensor(job, tensor, order[o]);
        }
        for (int k = 0; k < job->tensors && order[o] == FILE_WITHOUT_SIZES && status == CLI_DONE; k++)
            if (source_of(&job->tensor[k]) == FILE_WITHOUT_SIZES)
                status = agree_on_sizes(job, &job->tensor[k]);
    }
    return status;
}

/* ---- running ---- */

/* The kernel's order of the tensors may differ from the statement's. */
static void bind(struct job *job)
{
    job->n_arguments = spcc_kernel_tensors(job->kernel);
    for (int k = 0; k < job->n_arguments; k++)
        job->arguments[k] = find_tensor(job, spcc_kernel_tensor_name(job->kernel, k))->is;
}

enum { RUNS_MOST = 1000 };
static const double RUNS_MS = 500;

static spcc_status run_once(struct job *job, double *ms)
{
    double start = timing_now_ms();
    spcc_status said = spcc_run_array(job->context, job->kernel, job->arguments, job->n_arguments);
    *ms = timing_now_ms() - start;
    return said;
}

/* Once; for --time, so often that the median means something, unless that would change the result. */
static enum cli_status run(struct job *job)
{
    double ms[RUNS_MOST], sum = 0;
    bool repeats = job->request->time != CLI_TIME_NONE && !spcc_statement_is_compound(job->statement);
    struct progress progress;
    int n = 0;
    spcc_status said;
    bind(job);
    progress_begin(&progress, "running");
    do {
        said = run_once(job, &ms[n]);
        sum += ms[n++];
    } while (said == SPCC_OK && repeats && n < RUNS_MOST && (sum < RUNS_MS || n < 3));
    progress_end(&progress);
    job->time.runs = n;
    job->time.run_ms = timing_median(ms, n);
    job->time.bytes = spcc_kernel_traffic(job->kernel, job->arguments, job->n_arguments);
    enum cli_status status = library_report(job->context, said);
    if (said == SPCC_ERROR_BINDING && job->tensor->order > 0 && spcc_tensor_dimension(job->tensor->is, 0) < 0)
        fputs("  help: the size of an index variable can be given, as in -d i:100\n", stderr);
    return status;
}

/* ---- the result ---- */

static enum cli_status write_result(struct job *job)
{
    double start = timing_now_ms();
    enum cli_status status = CLI_DONE;
    bool has_output = false;
    int i = 0;
    for (const struct cli_setting *s; status == CLI_DONE && (s = cli_next(job->request, CLI_FLAG_OUTPUT, &i));) {
        has_output = true;
        status = library_report(job->context, spcc_tensor_write(job->context, job->tensor[0].is, s->value));
    }
    if (!has_output && job->request->time == CLI_TIME_NONE)
        status = library_report(job->context, spcc_tensor_write(job->context, job->tensor[0].is, "-"));
    job->time.write_ms = timing_now_ms() - start;
    return status;
}

static void free_job(struct job *job)
{
    for (int k = 0; job->tensor && k < job->tensors; k++)
        spcc_tensor_free(job->tensor[k].is);
    spcc_kernel_free(job->kernel);
    spcc_statement_free(job->statement);
    spcc_context_free(job->context);
    free(job->tensor);
    free(job->arguments);
    free(job->variables);
    free(job->extent);
}

enum cli_status command_run(const struct cli_request *request)
{
    static enum cli_status (*const steps[])(struct job *) = {read_statement, compile, read_inputs, run, write_result};
    struct job job = {.request = request};
    enum cli_status status;
    job.context = library_open(request, &status);
    if (!job.context)
        return status;
    for (size_t s = 0; s < sizeof steps / sizeof *steps && status == CLI_DONE; s++)
        status = steps[s](&job);
    if (status == CLI_DONE)
        timing_report(&job.time, request->time);
    free_job(&job);
    return status;
}
