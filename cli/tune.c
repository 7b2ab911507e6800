/* tune.c - spcc tune: finds the fastest plan of a statement by running the best ones.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/commands.h"
#include "cli/progress.h"
#include "cli/tune.h"

/* ---- the table ---- */

/* The column of the directives, and the number of columns. */
enum { SCHEDULE_AT = 30, COLUMNS = 100 };

/* Returns how many bytes of the text go onto a line of this many columns: up to the last blank, if
 * there is one. */
static size_t line_of(const char *text, size_t most)
{
    size_t n = strlen(text), end = 0;
    if (n <= most)
        return n;
    for (size_t i = 1; i <= most; i++)
        end = text[i] == ' ' ? i : end;
    return end ? end : most;
}

void tune_put_text(const char *text, int column)
{
    size_t n = line_of(text, (size_t)(COLUMNS - column));
    printf("%.*s\n", (int)n, text);
    for (text += n; *text; text += n) {
        text += *text == ' ';
        n = line_of(text, (size_t)(COLUMNS - column - 2));
        printf("%*s%.*s\n", column + 2, "", (int)n, text);
    }
}

int tune_decimals(double ms) { return ms < 10 ? 3 : ms < 100 ? 2 : ms < 1000 ? 1 : 0; }

static void put_plan(const spcc_tuned_plan *plan, double planned_ms)
{
    printf("%c ", plan->planned ? '*' : ' ');
    if (plan->trouble)
        printf("%9s %7s", "-", "-");
    else
        printf("%9.*f %7.2f", tune_decimals(plan->ms), plan->ms, plan->ms / planned_ms);
    printf(" %8.1e  ", plan->steps);
    tune_put_text(*plan->schedule ? plan->schedule : "as it is", SCHEDULE_AT);
    if (plan->trouble)
        printf("%*s%s\n", SCHEDULE_AT + 2, "", plan->trouble);
}

static void put_tuning(const struct file *file, int s, const spcc_tuning *tuning)
{
    double planned_ms = 0;
    for (int i = 0; i < tuning->n_plans; i++)
        if (tuning->plans[i].planned)
            planned_ms = tuning->plans[i].ms;
    printf("%s%s\n", s ? "\n" : "", file->statement[s].request.subject);
    printf("%11s %7s %8s  %s\n", "ms", "ratio", "steps",
           "plan; * is the planner's, to which the ratios are");
    for (int i = 0; i < tuning->n_plans; i++)
        put_plan(&tuning->plans[i], planned_ms);
}

/* ---- a statement ---- */

static spcc_status tune(struct job *job, int s, spcc_tuning **tuning)
{
    struct job_asking asking;
    spcc_status said = SPCC_ERROR_MEMORY;
    spcc_tune_options how = {
        .size = sizeof how, .plans = job->request->plans, .runs = job->request->runs};
    if (job_ask(job, s, &asking))
        said = spcc_tune(job->context, job->file.statement[s].request.subject, &asking.made.options,
                         asking.bindings, asking.n_bindings, &how, tuning);
    job_asked(&asking);
    return said;
}

/* Says what becomes of the fastest plan. */
static void tell_kept(const spcc_tuning *tuning)
{
    fflush(stdout); /* the table comes first */
    message_label(MESSAGE_NOTE, "note:");
    if (tuning->unkept)
        message_say("the fastest plan is not kept: %s", tuning->unkept);
    else
        message_say("the fastest plan is kept for spcc run; --no-tuned ignores it");
}

/* Warns that times mean little while others use the processors. */
static void warn_of_load(void)
{
    double load;
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    if (getloadavg(&load, 1) != 1 || load < 0.5 + 0.5 * (double)processors)
        return;
    message_label(MESSAGE_NOTE, "warning:");
    message_say(
        "the load average is %.1f on %ld processors: a busy machine may prefer another plan", load,
        processors);
}

static enum cli_status tune_plans(struct job *job, int s)
{
    spcc_tuning *tuning = NULL;
    struct progress progress;
    progress_begin(&progress, "tuning %s", job->file.statement[s].request.subject);
    spcc_status said = tune(job, s, &tuning);
    progress_end(&progress);
    enum cli_status status = file_report(&job->file, s, said);
    if (status == CLI_DONE)
        put_tuning(&job->file, s, tuning);
    if (status == CLI_DONE)
        tell_kept(tuning);
    spcc_tuning_free(tuning);
    return status;
}

/* Runs statements whose results later ones read. */
enum cli_status command_tune(const struct cli_request *request)
{
    struct job job;
    enum cli_status status = job_open(&job, request);
    if (status == CLI_DONE)
        warn_of_load();
    for (int s = 0; s < job.file.n && status == CLI_DONE; s++) {
        status = request->tuned_operands ? tune_formats(&job, s) : tune_plans(&job, s);
        if (status == CLI_DONE && s + 1 < job.file.n)
            status = job_compile(&job, s);
        if (status == CLI_DONE && s + 1 < job.file.n)
            status = job_run_once(&job, s);
    }
    job_close(&job);
    return status;
}
