/* job_tuned.c - inputs in the formats that spcc tune --formats has found.
 *
 * An input without a format gets the one that was found for the first statement that reads it.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdlib.h>
#include <string.h>

#include "cli/job.h"

/* Declares the inputs as they are declared where they run.  Inputs without a file are declared by
 * text, since their sizes are not known when kernels are made. */
static bool declare_inputs(const struct job *job, int s, struct job_asking *asking)
{
    const spcc_statement *statement = job->file.statement[s].parsed;
    for (int k = 0; k < asking->n_bindings; k++) {
        const struct tensor *tensor = job_find(job, spcc_statement_tensor_name(statement, k));
        asking->bindings[k] = (spcc_binding){tensor->name, tensor->is};
        if (!tensor->input && names_find(&asking->made.declared, tensor->name) < 0
            && !library_declare_format(&asking->made, tensor->name, NULL))
            return false;
    }
    return true;
}

bool job_ask(const struct job *job, int s, struct job_asking *asking)
{
    const struct file_statement *statement = &job->file.statement[s];
    int n = spcc_statement_tensors(statement->parsed);
    *asking = (struct job_asking){.bindings = calloc((size_t)n, sizeof *asking->bindings),
                                  .n_bindings = n};
    return job_options(job, s, &statement->request, &asking->made) && asking->bindings
           && declare_inputs(job, s, asking);
}

void job_asked(struct job_asking *asking)
{
    library_options_free(&asking->made);
    free(asking->bindings);
}

/* ---- formats ---- */

static bool is_open(const struct tensor *tensor)
{
    return tensor->input && tensor->chosen && tensor->results == 0 && !tensor->is_tuned;
}

static enum cli_status replace(struct tensor *tensor, spcc_tensor *converted)
{
    char *format = strdup(spcc_tensor_format(converted));
    if (!format) {
        spcc_tensor_free(converted);
        return library_no_memory();
    }
    spcc_tensor_free(tensor->is);
    free(tensor->chosen);
    tensor->is = converted;
    tensor->format = tensor->chosen = format;
    tensor->is_tuned = true;
    return CLI_DONE;
}

static enum cli_status take_tuned(struct job *job, int s, struct tensor *tensor)
{
    struct job_asking asking;
    spcc_tensor *converted = NULL;
    spcc_status said = SPCC_ERROR_MEMORY;
    double start = timing_now_ms();
    if (job_ask(job, s, &asking))
        said = spcc_convert_to_tuned(job->context, job->file.statement[s].request.subject,
                                     &asking.made.options, asking.bindings, asking.n_bindings,
                                     tensor->name, &converted);
    job_asked(&asking);
    job->time.pack_ms += converted ? timing_now_ms() - start : 0;
    if (said == SPCC_OK)
        return converted ? replace(tensor, converted) : CLI_DONE;
    return file_report(&job->file, s, said);
}

enum cli_status job_take_tuned(struct job *job)
{
    enum cli_status status = CLI_DONE;
    if (job->request->tuned_operands)
        return CLI_DONE;
    for (int s = 0; s < job->file.n; s++) {
        const spcc_statement *statement = job->file.statement[s].parsed;
        for (int k = 0; k < spcc_statement_tensors(statement) && status == CLI_DONE; k++) {
            struct tensor *tensor = job_find(job, spcc_statement_tensor_name(statement, k));
            if (is_open(tensor))
                status = take_tuned(job, s, tensor);
        }
    }
    return status;
}
