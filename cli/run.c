/* run.c - spcc run: kernels, tensors from files and recipes, results to files.
 *
 * Once the inputs have been read, the statements are planned again for their sizes, compiled, and
 * run in order (run_steps.c).  A result that a later statement reads stays in memory.
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
#include "cli/progress.h"

/* Shows the views of the kernels that run, which are those for the tensors that have been read. */
static enum cli_status show_views(struct job *job)
{
    return emit_views(&job->file, job_options, job);
}

static void add_cost(spcc_kernel_info *sum, const spcc_kernel_info *one)
{
    double generate = sum->generate_ms + one->generate_ms,
           compile = sum->compile_ms + one->compile_ms;
    double load = sum->load_ms + one->load_ms;
    const char *note = sum->note ? sum->note : one->note;
    *sum = *one;
    sum->note = note;
    sum->generate_ms = generate;
    sum->compile_ms = compile;
    sum->load_ms = load;
}

static enum cli_status compile_job(struct job *job)
{
    enum cli_status status = CLI_DONE;
    for (int s = 0; s < job->file.n; s++) {
        enum cli_status one = job_compile(job, s);
        if (one == CLI_DONE)
            add_cost(&job->kernels, spcc_kernel_get_info(job->step[s].kernel));
        status = status == CLI_DONE ? one : status;
    }
    job->time.kernel = &job->kernels;
    return status;
}

/* ---- the results ---- */

/* Returns the last result; a loop's condition is none. */
static const spcc_tensor *last_result(const struct job *job)
{
    int s = job->file.n - 1;
    while (s > 0 && job->file.statement[s].is_condition)
        s--;
    const spcc_statement *last = job->file.statement[s].parsed;
    return job_find(job, spcc_statement_tensor_name(last, spcc_statement_results(last) - 1))->is;
}

/* Without -o, the last statement's result is printed, unless times are asked for. */
static enum cli_status write_results(struct job *job)
{
    double start = timing_now_ms();
    enum cli_status status = CLI_DONE;
    spcc_write_options options = library_writing(job->request, SPCC_GENERAL);
    bool has_output = false;
    int i = 0;
    for (const struct cli_setting *s;
         status == CLI_DONE && (s = cli_next(job->request, CLI_FLAG_OUTPUT, &i));) {
        has_output = true;
        status =
            library_report(job->context, library_write(job->context, job_find(job, s->name)->is,
                                                       s->value, &options));
    }
    if (!has_output && job->request->time == CLI_TIME_NONE)
        status = library_report(
            job->context, spcc_tensor_write_with(job->context, last_result(job), "-", &options));
    job->time.write_ms = timing_now_ms() - start;
    return status;
}

enum cli_status command_run(const struct cli_request *request)
{
    static enum cli_status (*const steps[])(struct job *) = {show_views, compile_job, job_run,
                                                             write_results};
    struct job job;
    enum cli_status status = job_open(&job, request);
    for (size_t s = 0; s < sizeof steps / sizeof *steps && status == CLI_DONE; s++)
        status = steps[s](&job);
    if (status == CLI_DONE)
        job_report_time(&job);
    job_close(&job);
    return status;
}
