/* run.c - spcc run: kernels, tensors from files and recipes, results to files.
 *
 * The statements are compiled first, so that their mistakes are told before large files are read.  Then they run in order;
 * what one of them computes and a later one reads stays in memory.
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
#include "cli/file.h"
#include "cli/library.h"
#include "cli/progress.h"
#include "cli/timing.h"

/* A tensor of the statements. */
struct tensor {
    const char *name;
    int order;
    int first_mode;                  /* mode m has the extent first_mode + m, or another of its class */
    int first;                       /* the statement in which it appears first */
    bool starts_as_result;           /* there it is the result, */
    bool is_read;                    /* whose values before that count */
    bool is_result;                  /* of some statement */
    const struct cli_setting *input; /* NULL: the result starts as fills */
    const char *format, *fill;
    spcc_type type;
    spcc_tensor *is;
};

/* How well a size is known; each stands above those before it. */
enum knowledge { AT_LEAST, FROM_FILE, GIVEN };

/* The size of a mode and of those that it must agree with. */
struct extent {
    int same;                        /* another of its class, nearer to the one that speaks for it; itself */
    const char *variable;            /* for messages */
    int64_t size;                    /* -1: nothing is known */
    enum knowledge known;
};

/* A statement's kernel. */
struct step {
    spcc_kernel *kernel;
    spcc_tensor **arguments;
    int n_arguments;
    double run_ms;
    int runs;
    int64_t bytes;
};

struct job {
    struct file file;
    const struct cli_request *request;
    spcc_context *context;
    struct tensor *tensor;
    int tensors;
    struct extent *extent;
    int extents;
    struct step *step;               /* for each statement */
    struct timing time;
    spcc_kernel_info kernels;        /* their costs, summed */
};

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

static struct tensor *find_tensor(const struct job *job, const char *name)
{
    for (int k = 0; k < job->tensors; k++)
        if (strcmp(job->tensor[k].name, name) == 0)
            return &job->tensor[k];
    return NULL;
}

static void complain_of_name(const struct job *job, const struct cli_setting *setting, const struct tensor *tensor)
{
    char letter = setting->flag == CLI_FLAG_OUTPUT ? 'o' : 'i';
    bool is_file = job->file.path != NULL;
    if (!tensor)
        library_complain("-%c %s:%s: %s is not in the statement%s %s", letter, setting->name, setting->value,
                         setting->name, is_file ? "s of" : "", job->request->subject);
    else if (is_file)
        library_complain("-o %s:%s: %s is an operand, and the result of no statement", setting->name, setting->value,
                         setting->name);
    else
        library_complain("-o %s:%s: %s is an operand, the result is %s", setting->name, setting->value, setting->name,
                         job->tensor[0].name);
}

/* Inputs and outputs are the statements'; what other options name is checked with the statements. */
static enum cli_status check_names(struct job *job)
{
    for (int s = 0; s < job->request->n_settings; s++) {
        const struct cli_setting *setting = &job->request->settings[s];
        bool is_output = setting->flag == CLI_FLAG_OUTPUT;
        const struct tensor *tensor = setting->name ? find_tensor(job, setting->name) : NULL;
        if ((setting->flag != CLI_FLAG_INPUT && !is_output) || (tensor && (!is_output || tensor->is_result)))
            continue;
        complain_of_name(job, setting, tensor);
        return CLI_BAD_USAGE;
    }
    return CLI_DONE;
}

static enum cli_status describe_tensor(struct job *job, struct tensor *tensor)
{
    const char *type = library_setting(job->request, CLI_FLAG_TYPE, tensor->name);
    tensor->format = library_setting(job->request, CLI_FLAG_FORMAT, tensor->name);
    tensor->fill = library_setting(job->request, CLI_FLAG_FILL, tensor->name);
    if (type)
        spcc_type_parse(type, &tensor->type); /* one that is none is reported with the statement */
    int i = 0;
    for (const struct cli_setting *s; (s = cli_next(job->request, CLI_FLAG_INPUT, &i));)
        if (strcmp(s->name, tensor->name) == 0)
            tensor->input = s;
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
    struct tensor *tensor = find_tensor(job, name);
    if (order > ORDER_MOST)
        return file_complain(&job->file, s, "%s has %d modes, more than %d", name, order, (int)ORDER_MOST);
    if (!tensor) {
        tensor = &job->tensor[job->tensors++];
        *tensor = (struct tensor){.name = name, .order = order, .first_mode = job->extents, .first = s,
                                  .starts_as_result = k == 0,
                                  .is_read = k > 0 || spcc_statement_is_compound(statement)};
        for (int m = 0; m < order; m++, job->extents++)
            job->extent[job->extents] = (struct extent){job->extents, spcc_statement_variable(statement, k, m), -1,
                                                        AT_LEAST};
    }
    tensor->is_result |= k == 0;
    return CLI_DONE;
}

/* The extent of an index variable of statement s; -1: it stands for no mode. */
static int find_mode(const struct job *job, int s, const char *variable)
{
    const spcc_statement *statement = job->file.statement[s].parsed;
    for (int k = 0; k < spcc_statement_tensors(statement); k++)
        for (int m = 0; m < spcc_statement_tensor_order(statement, k); m++)
            if (strcmp(spcc_statement_variable(statement, k, m), variable) == 0)
                return find_tensor(job, spcc_statement_tensor_name(statement, k))->first_mode + m;
    return -1;
}

static void join_modes(struct job *job, int s)
{
    const spcc_statement *statement = job->file.statement[s].parsed;
    for (int k = 0; k < spcc_statement_tensors(statement); k++) {
        const struct tensor *tensor = find_tensor(job, spcc_statement_tensor_name(statement, k));
        for (int m = 0; m < tensor->order; m++)
            join_extents(job, find_mode(job, s, spcc_statement_variable(statement, k, m)), tensor->first_mode + m);
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
    for (int k = 0; k < job->tensors && status == CLI_DONE; k++)
        status = describe_tensor(job, &job->tensor[k]);
    for (int s = 0; s < job->file.n && status == CLI_DONE; s++)
        join_modes(job, s);
    for (int s = 0; s < job->file.n && status == CLI_DONE; s++)
        note_given_sizes(job, s);
    return status;
}

/* ---- the kernels ---- */

static void add_cost(spcc_kernel_info *sum, const spcc_kernel_info *one)
{
    double generate = sum->generate_ms + one->generate_ms, compile = sum->compile_ms + one->compile_ms;
    double load = sum->load_ms + one->load_ms;
    *sum = *one;
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
        if (library_options_make(&made, request))
            said = spcc_compile(job->context, request->subject, &made.options, &job->step[s].kernel);
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
                                 .order = tensor->order, .dimensions = tensor->order > 0 ? sizes : NULL,
                                 .scalar = tensor->order == 0};
    spcc_status said = library_read(job->context, tensor->input->value, tensor->format, tensor->type, &options,
                                    &tensor->is);
    for (int m = 0; said == SPCC_OK && m < tensor->order; m++)
        note_extent(job, tensor->first_mode + m, spcc_tensor_dimension(tensor->is, m), with_sizes ? FROM_FILE : AT_LEAST);
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
    spcc_tensor_options options = options_of(tensor);
    known_sizes(job, tensor, AT_LEAST, sizes);
    int unknown = unknown_mode(tensor, sizes);
    if (unknown >= 0) {
        const char *variable = job->extent[tensor->first_mode + unknown].variable;
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
    spcc_tensor_options options = options_of(tensor);
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
    for (size_t o = 0; o < sizeof order / sizeof *order && status == CLI_DONE; o++) {
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
static bool bind(struct job *job, struct step *step)
{
    step->n_arguments = spcc_kernel_tensors(step->kernel);
    step->arguments = calloc((size_t)step->n_arguments, sizeof *step->arguments);
    for (int k = 0; step->arguments && k < step->n_arguments; k++)
        step->arguments[k] = find_tensor(job, spcc_kernel_tensor_name(step->kernel, k))->is;
    return step->arguments != NULL;
}

enum { RUNS_MOST = 1000 };
static const double RUNS_MS = 500;

static spcc_status run_once(struct job *job, const struct step *step, double *ms)
{
    double start = timing_now_ms();
    spcc_status said = spcc_run_array(job->context, step->kernel, step->arguments, step->n_arguments);
    *ms = timing_now_ms() - start;
    return said;
}

/* Once; for --time, so often that the median means something, unless that would change the result. */
static enum cli_status run_step(struct job *job, int s)
{
    double ms[RUNS_MOST], sum = 0;
    struct step *step = &job->step[s];
    bool repeats = job->request->time != CLI_TIME_NONE && !spcc_statement_is_compound(job->file.statement[s].parsed);
    spcc_status said;
    if (!bind(job, step))
        return library_no_memory();
    do {
        said = run_once(job, step, &ms[step->runs]);
        sum += ms[step->runs++];
    } while (said == SPCC_OK && repeats && step->runs < RUNS_MOST && (sum < RUNS_MS || step->runs < 3));
    step->run_ms = timing_median(ms, step->runs);
    step->bytes = spcc_kernel_traffic(step->kernel, step->arguments, step->n_arguments);
    enum cli_status status = file_report(&job->file, s, said);
    if (said == SPCC_ERROR_BINDING && spcc_tensor_order(step->arguments[0]) > 0
        && spcc_tensor_dimension(step->arguments[0], 0) < 0)
        fputs("  help: the size of an index variable can be given, as in -d i:100\n", stderr);
    return status;
}

static enum cli_status run(struct job *job)
{
    enum cli_status status = CLI_DONE;
    struct progress progress;
    progress_begin(&progress, "running");
    for (int s = 0; s < job->file.n && status == CLI_DONE; s++) {
        const struct step *step = &job->step[s];
        status = run_step(job, s);
        job->time.run_ms += step->run_ms;
        job->time.runs = s == 0 || step->runs < job->time.runs ? step->runs : job->time.runs;
        job->time.bytes = job->time.bytes < 0 || step->bytes < 0 ? -1 : job->time.bytes + step->bytes;
    }
    progress_end(&progress);
    return status;
}

/* ---- the results ---- */

/* Where -o does not say, and no time is asked for, the last statement's result is printed. */
static enum cli_status write_results(struct job *job)
{
    double start = timing_now_ms();
    enum cli_status status = CLI_DONE;
    bool has_output = false;
    int i = 0;
    for (const struct cli_setting *s; status == CLI_DONE && (s = cli_next(job->request, CLI_FLAG_OUTPUT, &i));) {
        has_output = true;
        status = library_report(job->context,
                                spcc_tensor_write(job->context, find_tensor(job, s->name)->is, s->value));
    }
    if (!has_output && job->request->time == CLI_TIME_NONE)
        status = library_report(job->context,
                                spcc_tensor_write(job->context, job->step[job->file.n - 1].arguments[0], "-"));
    job->time.write_ms = timing_now_ms() - start;
    return status;
}

static void free_job(struct job *job)
{
    for (int k = 0; job->tensor && k < job->tensors; k++)
        spcc_tensor_free(job->tensor[k].is);
    for (int s = 0; job->step && s < job->file.n; s++) {
        spcc_kernel_free(job->step[s].kernel);
        free(job->step[s].arguments);
    }
    free(job->tensor);
    free(job->extent);
    free(job->step);
    file_close(&job->file);
}

enum cli_status command_run(const struct cli_request *request)
{
    static enum cli_status (*const steps[])(struct job *) = {read_statements, compile, read_inputs, run, write_results};
    struct job job = {.request = request};
    enum cli_status status = file_open(&job.file, request);
    job.request = &job.file.request;
    job.context = job.file.context;
    for (size_t s = 0; s < sizeof steps / sizeof *steps && status == CLI_DONE; s++)
        status = steps[s](&job);
    if (status == CLI_DONE)
        timing_report(&job.time, job.request->time);
    free_job(&job);
    return status;
}
