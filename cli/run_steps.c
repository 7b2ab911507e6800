/* run_steps.c - runs the kernels of spcc run: statements in order, and loops around them.
 *
 * Tensors and kernels are bound once, so a round of a loop only calls its kernels.  A loop's
 * condition is a kernel, too, whose result is read.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdio.h>
#include <stdlib.h>

#include "cli/job.h"
#include "cli/library.h"
#include "cli/progress.h"

/* The outcome of a loop. */
struct rounds {
    int64_t begun; /* how often it was reached, */
    /* and left after its number of rounds with its condition not met */
    int64_t unmet;
};

struct running {
    struct job *job;
    struct rounds *loop; /* for each loop */
    struct progress progress;
};

/* Moves a tensor that no statement computes to the GPU once, instead of in each run. */
static enum cli_status move(struct job *job, int s, struct tensor *tensor)
{
    bool on_gpu = spcc_kernel_get_info(job->step[s].kernel)->engine == SPCC_ENGINE_GPU;
    if (!on_gpu || tensor->results > 0 || tensor->on_gpu)
        return CLI_DONE;
    return file_report(&job->file, s,
                       spcc_tensor_to_gpu(job->context, tensor->is, &tensor->on_gpu));
}

/* The kernel may have another order of the tensors than the statement. */
static enum cli_status bind_step(struct job *job, int s)
{
    struct step *step = &job->step[s];
    enum cli_status status = CLI_DONE;
    step->n_arguments = spcc_kernel_tensors(step->kernel);
    step->arguments = calloc((size_t)step->n_arguments, sizeof *step->arguments);
    if (!step->arguments)
        return library_no_memory();
    for (int k = 0; k < step->n_arguments && status == CLI_DONE; k++) {
        struct tensor *tensor = job_find(job, spcc_kernel_tensor_name(step->kernel, k));
        status = move(job, s, tensor);
        step->arguments[k] = tensor->on_gpu ? tensor->on_gpu : tensor->is;
    }
    return status;
}

static enum cli_status report_run(const struct job *job, int s, spcc_status said)
{
    const spcc_tensor *result = job->step[s].arguments[0];
    enum cli_status status = file_report(&job->file, s, said);
    if (said == SPCC_ERROR_BINDING && spcc_tensor_order(result) > 0
        && spcc_tensor_dimension(result, 0) < 0)
        message_help("sizes can be given, of an index variable as in -d i:100 and of a tensor's "
                     "modes as in -d A:100,200");
    return status;
}

static spcc_status run_once(struct job *job, const struct step *step, double *ms)
{
    spcc_gpu_times gpu = {0}, *sum = &job->time.gpu;
    spcc_run_options options = {.size = sizeof options, .gpu_times = &gpu};
    double start = timing_now_ms();
    spcc_status said =
        spcc_run_with(job->context, step->kernel, step->arguments, step->n_arguments, &options);
    *ms = timing_now_ms() - start;
    *sum = (spcc_gpu_times){sum->there_ms + gpu.there_ms, sum->kernel_ms + gpu.kernel_ms,
                            sum->back_ms + gpu.back_ms, sum->there_bytes + gpu.there_bytes,
                            sum->back_bytes + gpu.back_bytes};
    if (spcc_kernel_get_info(step->kernel)->engine == SPCC_ENGINE_GPU) {
        job->time.gpu_runs++;
        job->time.gpu_moved +=
            (double)spcc_kernel_traffic(step->kernel, step->arguments, step->n_arguments);
    }
    return said;
}

enum cli_status job_run_once(struct job *job, int s)
{
    double ms;
    enum cli_status status = bind_step(job, s);
    return status == CLI_DONE ? report_run(job, s, run_once(job, &job->step[s], &ms)) : status;
}

/* ---- files without loops ---- */

static const double RUNS_MS = 500;

/* Runs the kernel once; for --time, often enough for a median, unless that would change the result.
 */
static enum cli_status run_median(struct job *job, int s)
{
    double ms[CLI_RUNS_MOST], sum = 0;
    struct step *step = &job->step[s];
    struct progress progress;
    bool repeats = job->request->time != CLI_TIME_NONE
                   && !spcc_statement_is_compound(job->file.statement[s].parsed);
    int wanted = job->request->runs, most = wanted ? wanted : CLI_RUNS_MOST;
    spcc_status said;
    progress_begin(&progress, "running %s", job->file.statement[s].request.subject);
    do {
        said = run_once(job, step, &ms[step->runs]);
        sum += ms[step->runs++];
    } while (said == SPCC_OK && repeats && step->runs < most
             && (wanted || sum < RUNS_MS || step->runs < 3));
    progress_end(&progress);
    step->run_ms = timing_median(ms, (int)step->runs);
    step->bytes = spcc_kernel_traffic(step->kernel, step->arguments, step->n_arguments);
    return report_run(job, s, said);
}

static enum cli_status run_in_order(struct job *job)
{
    enum cli_status status = CLI_DONE;
    for (int s = 0; s < job->file.n && status == CLI_DONE; s++)
        status = run_median(job, s);
    return status;
}

/* ---- files with loops ---- */

static enum cli_status run_added(struct running *r, int s)
{
    double ms;
    struct job *job = r->job;
    struct step *step = &job->step[s];
    spcc_status said = run_once(job, step, &ms);
    if (job->request->time != CLI_TIME_NONE && step->bytes >= 0) {
        int64_t bytes = spcc_kernel_traffic(step->kernel, step->arguments, step->n_arguments);
        step->bytes = bytes < 0 ? -1 : step->bytes + bytes;
    }
    step->run_ms += ms;
    step->runs++;
    if (said == SPCC_OK)
        return CLI_DONE;
    progress_end(&r->progress);
    return report_run(job, s, said);
}

static enum cli_status run_loop(struct running *r, int l);

/* Runs the statements [s, end); l is the first loop that begins at s or after. */
static enum cli_status run_statements(struct running *r, int s, int end, int l)
{
    const struct file *file = &r->job->file;
    enum cli_status status = CLI_DONE;
    while (s < end && status == CLI_DONE) {
        if (l == file->n_loops || file->loop[l].begin != s) {
            status = run_added(r, s++);
            continue;
        }
        status = run_loop(r, l);
        for (s = file->loop[l].end; l < file->n_loops && file->loop[l].begin < s;)
            l++;
    }
    return status;
}

static enum cli_status run_loop(struct running *r, int l)
{
    const struct file_loop *loop = &r->job->file.loop[l];
    enum cli_status status = CLI_DONE;
    bool is_met = false;
    r->loop[l].begun++;
    for (int64_t round = 0;
         !is_met && (loop->most == 0 || round < loop->most) && status == CLI_DONE; round++) {
        progress_round(&r->progress);
        status = run_statements(r, loop->begin, loop->end, l + 1);
        if (loop->condition >= 0 && status == CLI_DONE)
            is_met = *(const bool *)spcc_tensor_values(r->job->step[loop->condition].arguments[0]);
    }
    r->loop[l].unmet += loop->condition >= 0 && !is_met;
    return status;
}

static void report_unmet(const struct running *r)
{
    const struct file *file = &r->job->file;
    for (int l = 0; l < file->n_loops; l++) {
        const struct rounds *rounds = &r->loop[l];
        const char *after = "the condition did not hold after";
        if (rounds->unmet > 0 && rounds->begun == 1)
            file_note(file, &file->loop[l].tail, "%s %lld rounds", after, file->loop[l].most);
        else if (rounds->unmet > 0)
            file_note(file, &file->loop[l].tail,
                      "%s %lld rounds in %lld of the %lld times that the loop was run", after,
                      file->loop[l].most, (long long)rounds->unmet, (long long)rounds->begun);
    }
}

static enum cli_status run_in_loops(struct running *r)
{
    progress_begin(&r->progress, "running %s", r->job->file.path);
    enum cli_status status = run_statements(r, 0, r->job->file.n, 0);
    progress_end(&r->progress);
    if (status == CLI_DONE)
        report_unmet(r);
    return status;
}

/* ---- the whole run ---- */

static void sum_up(struct job *job)
{
    job->time.has_loops = job->file.n_loops > 0;
    for (int s = 0; s < job->file.n; s++) {
        const struct step *step = &job->step[s];
        job->time.run_ms += step->run_ms;
        if (job->time.has_loops)
            job->time.runs += step->runs;
        else
            job->time.runs = s == 0 || step->runs < job->time.runs ? step->runs : job->time.runs;
        job->time.bytes =
            job->time.bytes < 0 || step->bytes < 0 ? -1 : job->time.bytes + step->bytes;
    }
}

enum cli_status job_run(struct job *job)
{
    struct running r = {.job = job, .loop = calloc((size_t)job->file.n_loops + 1, sizeof *r.loop)};
    enum cli_status status = r.loop ? CLI_DONE : library_no_memory();
    for (int s = 0; s < job->file.n && status == CLI_DONE; s++)
        status = bind_step(job, s);
    if (status == CLI_DONE) {
        status = job->file.n_loops > 0 ? run_in_loops(&r) : run_in_order(job);
        sum_up(job);
    }
    free(r.loop);
    return status;
}

void job_report_time(struct job *job)
{
    enum cli_time form = job->request->time;
    if (form != CLI_TIME_NONE && job->time.gpu_runs > 0)
        spcc_gpu_copy_rate(job->context, &job->time.gpu_copy); /* otherwise it is not reported */
    if (job->file.n_loops == 0 || form == CLI_TIME_NONE) {
        timing_report(&job->time, form, NULL, 0);
        return;
    }
    struct timing_step *step = calloc((size_t)job->file.n, sizeof *step);
    for (int s = 0; step && s < job->file.n; s++)
        step[s] = (struct timing_step){job->file.statement[s].request.subject, job->step[s].run_ms,
                                       job->step[s].runs};
    timing_report(&job->time, form, step, step ? job->file.n : 0);
    free(step);
}
