/* job.c - the preparations of spcc run, tune and explain.
 *
 * The statements are checked and planned first, so that mistakes in them are reported before large
 * files are read.  Then the inputs are read (run_inputs.c).
 *
 * SPDX-License-Identifier: MIT
 */
#include "cli/job.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/emit.h"
#include "cli/library.h"
#include "cli/paths.h"
#include "cli/progress.h"

/* ---- the statements' tensors ---- */

struct tensor *job_find(const struct job *job, const char *name)
{
    int number = names_find(&job->names, name);
    return number < 0 ? NULL : &job->tensor[number];
}

/* Returns the first tensor that an index variable of this name indexes.  NULL if there is none. */
static const char *indexed_by(const struct job *job, const char *variable)
{
    for (int k = 0; k < job->tensors; k++)
        for (int m = 0; m < job->tensor[k].order; m++)
            if (strcmp(job->extent[job->tensor[k].first_mode + m].variable, variable) == 0)
                return job->tensor[k].name;
    return NULL;
}

static void complain_of_name(const struct job *job, const struct cli_setting *setting,
                             const struct tensor *tensor)
{
    char letter = setting->flag == CLI_FLAG_OUTPUT ? 'o' : 'i';
    bool is_file = job->file.path != NULL;
    const char *indexed = tensor ? NULL : indexed_by(job, setting->name);
    if (indexed)
        library_complain(
            "-%c %s:%s: %s is an index variable of %s, which is a tensor: there is no function %s",
            letter, setting->name, setting->value, setting->name, indexed, indexed);
    else if (!tensor) {
        library_complain("-%c %s:%s: %s is not in the statement%s %s", letter, setting->name,
                         setting->value, setting->name, is_file ? "s of" : "",
                         job->request->subject);
        file_help_names(&job->file, setting->name, false);
    } else if (is_file)
        library_complain("-o %s:%s: %s is an operand, and the result of no statement",
                         setting->name, setting->value, setting->name);
    else
        library_complain(
            "-o %s:%s: %s is an operand, the %s %s", setting->name, setting->value, setting->name,
            spcc_statement_results(job->file.statement[0].parsed) > 1 ? "first result is"
                                                                      : "result is",
            job->tensor[0].name);
}

/* Two results in one file are refused, since the first would be lost. */
static enum cli_status check_outputs(const struct job *job)
{
    int i = 0;
    for (const struct cli_setting *b; (b = cli_next(job->request, CLI_FLAG_OUTPUT, &i));) {
        int k = 0;
        for (const struct cli_setting *a; (a = cli_next(job->request, CLI_FLAG_OUTPUT, &k)) != b;)
            if (paths_are_same(a->value, b->value)) {
                library_complain("-o %s:%s and -o %s:%s are the same file", a->name, a->value,
                                 b->name, b->value);
                return CLI_BAD_USAGE;
            }
    }
    return CLI_DONE;
}

/* Inputs and outputs must be the statements'. Names in other options are checked with the
 * statements. */
static enum cli_status check_names(struct job *job)
{
    for (int s = 0; s < job->request->n_settings; s++) {
        const struct cli_setting *setting = &job->request->settings[s];
        bool is_output = setting->flag == CLI_FLAG_OUTPUT;
        const struct tensor *tensor = setting->name ? job_find(job, setting->name) : NULL;
        if ((setting->flag != CLI_FLAG_INPUT && !is_output)
            || (tensor && (!is_output || tensor->results > 0)))
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
            /* an unknown type is reported with the statement */
            spcc_type_parse(setting->value, &tensor->type);
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
    bool is_needed = job->request->command != CLI_EXPLAIN;
    if (!tensor->input && !tensor->starts_as_result && is_needed) {
        library_complain("%s has no input; for example -i %s:FILE or -i %s:@ones", tensor->name,
                         tensor->name, tensor->name);
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

/* Notes the tensor with number k in statement s, if it is new. */
static enum cli_status note_tensor(struct job *job, int s, int k)
{
    const spcc_statement *statement = job->file.statement[s].parsed;
    const char *name = spcc_statement_tensor_name(statement, k);
    int order = spcc_statement_tensor_order(statement, k);
    struct tensor *tensor = job_find(job, name);
    if (order > ORDER_MOST)
        return file_complain(&job->file, s, "%s has %d modes, more than %d", name, order,
                             (int)ORDER_MOST);
    if (!tensor) {
        if (names_add(&job->names, name) < 0)
            return library_no_memory();
        tensor = &job->tensor[job->tensors++];
        *tensor = (struct tensor){.name = name,
                                  .order = order,
                                  .first_mode = job->extents,
                                  .first = s,
                                  .starts_as_result = k < spcc_statement_results(statement),
                                  .is_read = spcc_statement_reads(statement, k)};
        for (int m = 0; m < order; m++, job->extents++)
            job->extent[job->extents] = (struct extent){
                job->extents, spcc_statement_variable(statement, k, m), -1, AT_LEAST};
    }
    tensor->results += k < spcc_statement_results(statement);
    return CLI_DONE;
}

/* Returns the tensor at place u of statement s. */
static const struct tensor *used_tensor(const struct job *job, int s, int u)
{
    const spcc_statement *statement = job->file.statement[s].parsed;
    return job_find(job,
                    spcc_statement_tensor_name(statement, spcc_statement_use_tensor(statement, u)));
}

/* Returns the extent of an index variable of statement s, -1 if it stands for no mode. */
static int find_mode(const struct job *job, int s, const char *variable)
{
    const spcc_statement *statement = job->file.statement[s].parsed;
    for (int u = 0; u < spcc_statement_uses(statement); u++) {
        const struct tensor *tensor = used_tensor(job, s, u);
        for (int m = 0; m < tensor->order; m++)
            if (!file_is_literal(variable)
                && strcmp(spcc_statement_use_variable(statement, u, m), variable) == 0)
                return tensor->first_mode + m;
    }
    return -1;
}

/* Joins the modes that a variable indexes, wherever they stand. */
static void join_modes(struct job *job, int s)
{
    const spcc_statement *statement = job->file.statement[s].parsed;
    for (int u = 0; u < spcc_statement_uses(statement); u++) {
        const struct tensor *tensor = used_tensor(job, s, u);
        for (int m = 0; m < tensor->order; m++) {
            const char *variable = spcc_statement_use_variable(statement, u, m);
            if (!file_is_literal(variable))
                job_join_extents(job, find_mode(job, s, variable), tensor->first_mode + m);
        }
    }
}

static void note_given_sizes(struct job *job, int s)
{
    int i = 0;
    for (const struct cli_setting *size;
         (size = cli_next(&job->file.statement[s].request, CLI_FLAG_SIZE, &i));) {
        int mode = find_mode(job, s, size->name);
        if (mode >= 0)
            job_note_extent(job, mode, size->size, GIVEN);
    }
}

/* Notes -d A:100,200 for modes that numbers index, since no variable has their sizes. */
static void note_tensor_sizes(struct job *job, int s)
{
    const spcc_statement *statement = job->file.statement[s].parsed;
    int i = 0;
    for (const struct cli_setting *size; (size = cli_next(job->request, CLI_FLAG_SIZE, &i));) {
        for (int k = 0; k < spcc_statement_tensors(statement); k++) {
            const char *value =
                strcmp(spcc_statement_tensor_name(statement, k), size->name) ? NULL : size->value;
            for (int m = 0; value && m < spcc_statement_tensor_order(statement, k); m++) {
                if (file_is_literal(spcc_statement_variable(statement, k, m)))
                    job_note_extent(job, job_find(job, size->name)->first_mode + m,
                                    strtoll(value, NULL, 10), GIVEN);
                value = strchr(value, ',') ? strchr(value, ',') + 1 : NULL;
            }
        }
    }
}

static void note_sizes(struct job *job, int s)
{
    note_given_sizes(job, s);
    note_tensor_sizes(job, s);
}

/* Mistakes in statements are reported before those in inputs. */
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
        for (int k = 0;
             k < spcc_statement_tensors(job->file.statement[s].parsed) && status == CLI_DONE; k++)
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
        note_sizes(job, s);
    return status;
}

/* ---- plans ---- */

bool job_options(const void *data, int s, const struct cli_request *request,
                 struct library_options *made)
{
    const struct job *job = data;
    const struct file_statement *statement = &job->file.statement[s];
    int n = spcc_statement_tensors(statement->parsed);
    if (!library_options_make(made, request, n))
        return false;
    for (int k = 0; k < n; k++) {
        const struct tensor *tensor =
            job_find(job, spcc_statement_tensor_name(statement->parsed, k));
        bool is_declared =
            tensor->input && tensor->is ? library_declare_tensor(made, tensor->name, tensor->is)
            : tensor->chosen            ? library_declare_format(made, tensor->name, tensor->chosen)
                                        : true;
        if (!is_declared)
            return false;
    }
    return true;
}

/* Joins statements as they are planned for the formats that are known now. */
static enum cli_status join_statements(struct job *job)
{
    return file_join(&job->file, job_options, job);
}

/* Reports mistakes in how the statements are to be computed. */
static enum cli_status check_plans(struct job *job)
{
    enum cli_status status = CLI_DONE;
    for (int s = 0; s < job->file.n; s++) {
        const struct cli_request *request = &job->file.statement[s].request;
        struct library_options made;
        spcc_status said = SPCC_ERROR_MEMORY;
        struct progress progress;
        char *text = NULL;
        progress_begin(&progress, "planning %s", request->subject);
        if (job_options(job, s, request, &made))
            said = spcc_emit(job->context, request->subject, &made.options, SPCC_STAGE_PLAN, &text);
        progress_end(&progress);
        library_options_free(&made);
        spcc_free(text);
        /* notes are printed where the statement is compiled */
        enum cli_status one = said == SPCC_OK ? CLI_DONE : file_report(&job->file, s, said);
        status = status == CLI_DONE ? one : status;
    }
    return status;
}

/* ---- the kernels ---- */

enum cli_status job_compile(struct job *job, int s)
{
    const struct cli_request *request = &job->file.statement[s].request;
    struct library_options made;
    spcc_status said = SPCC_ERROR_MEMORY;
    struct progress progress;
    progress_begin(&progress, "compiling %s", request->subject);
    if (job_options(job, s, request, &made))
        said = spcc_compile(job->context, request->subject, &made.options, &job->step[s].kernel);
    progress_end(&progress);
    library_options_free(&made);
    return file_report(&job->file, s, said);
}

/* ---- the whole job ---- */

enum cli_status job_open(struct job *job, const struct cli_request *request)
{
    static enum cli_status (*const steps[])(struct job *) = {
        check_statements, read_statements, job_choose_formats, join_statements,
        check_plans,      job_read_inputs, job_take_tuned,     job_tell_formats};
    *job = (struct job){.request = request};
    enum cli_status status = file_open(&job->file, request);
    job->request = &job->file.request;
    job->context = job->file.context;
    for (size_t s = 0; s < sizeof steps / sizeof *steps && status == CLI_DONE; s++)
        status = steps[s](job);
    return status;
}

void job_close(struct job *job)
{
    for (int k = 0; job->tensor && k < job->tensors; k++) {
        spcc_tensor_free(job->tensor[k].is);
        spcc_tensor_free(job->tensor[k].on_gpu);
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
