/* job_formats.c - formats for tensors without one: an input's follows from its file, a result's
 * from its operands.
 *
 * A file that lists components by coordinates becomes a sparse tensor, a file with all components
 * a dense one.  The library chooses a result's format (spcc_result_format_of).  A result of
 * several statements may have different operands: it is dense.  So is an input that a statement
 * assigns to, unless it is the result of just one statement and better sparse.
 *
 * SPDX-License-Identifier: MIT
 */
#include <string.h>

#include "cli/job.h"
#include "cli/library.h"

/* Returns the format for components that a file lists. */
static const char *listed_format(int order)
{
    return order == 1 ? "sparse" : order == 2 ? "csr" : "csf";
}

static bool is_listed(const struct tensor *tensor)
{
    return tensor->order > 0 && !tensor->format && job_is_from_file(tensor)
           && !spcc_file_is_array(tensor->input->value);
}

static bool set_format(struct tensor *tensor, char *format)
{
    spcc_free(tensor->chosen);
    tensor->format = tensor->chosen = format;
    return format != NULL;
}

static enum cli_status choose_input_format(struct tensor *tensor)
{
    if (tensor->results > 0 || !is_listed(tensor))
        return CLI_DONE;
    return set_format(tensor, strdup(listed_format(tensor->order))) ? CLI_DONE
                                                                    : library_no_memory();
}

/* Is the format open?  Not for a result of several statements, and not for an earlier operand. */
static bool is_open(const struct tensor *result)
{
    return result->order > 0 && !result->format && result->starts_as_result && result->results == 1;
}

/* Mistakes in the statement are reported when it is compiled. */
static enum cli_status choose_result_format(struct job *job, int s, int r)
{
    const struct file_statement *statement = &job->file.statement[s];
    const struct cli_request *request = &statement->request;
    struct tensor *result = job_find(job, spcc_statement_tensor_name(statement->parsed, r));
    struct library_options made;
    spcc_status said = SPCC_ERROR_MEMORY;
    char *format = NULL;
    if (!is_open(result) || (result->input && !is_listed(result)))
        return CLI_DONE;
    if (result->input && !set_format(result, strdup(listed_format(result->order))))
        return library_no_memory();
    if (job_options(job, s, request, &made))
        said = spcc_result_format_of(job->context, request->subject, &made.options, r, &format);
    library_options_free(&made);
    set_format(result, format);
    return said == SPCC_ERROR_MEMORY ? library_no_memory() : CLI_DONE;
}

enum cli_status job_choose_formats(struct job *job)
{
    enum cli_status status = CLI_DONE;
    for (int k = 0; k < job->tensors && status == CLI_DONE; k++)
        status = choose_input_format(&job->tensor[k]);
    for (int s = 0; s < job->file.n; s++)
        for (int r = 0; r < spcc_statement_results(job->file.statement[s].parsed); r++)
            status = status == CLI_DONE ? choose_result_format(job, s, r) : status;
    return status;
}

enum cli_status job_tell_formats(struct job *job)
{
    bool is_object = job->request->time == CLI_TIME_JSON;
    for (int k = 0; k < job->tensors && !is_object; k++) {
        const struct tensor *tensor = &job->tensor[k];
        if (!tensor->chosen)
            continue;
        message_label(MESSAGE_NOTE, "note:");
        if (tensor->results > 0)
            message_say("%s is stored as %s, since it is its fill where sparse operands store "
                        "nothing; -f %s:dense stores every component",
                        tensor->name, tensor->chosen, tensor->name);
        else if (tensor->is_tuned)
            message_say("%s is stored as %s, the fastest format that spcc tune --formats found; "
                        "--no-tuned ignores it",
                        tensor->name, tensor->chosen);
        else
            message_say("%s is stored as %s, since it is read from a list of coordinates; -f "
                        "%s:dense stores every component",
                        tensor->name, tensor->chosen, tensor->name);
    }
    return CLI_DONE;
}
