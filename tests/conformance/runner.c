/* runner.c - running a suite in a child process.
 *
 * SPDX-License-Identifier: MIT
 */
#include "tests/conformance/runner.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

/* Seconds of processor time, which other programs do not take. */
enum { GROUP = 12, SECONDS = 120 };

/* ---- the child ---- */

struct bench {
    struct test_case test[GROUP * FILLINGS_MAX];
    struct trial trial[GROUP * FILLINGS_MAX];
};

/* like: a trial of the item that is open, whose kernels do where the machine is the same.
 *
 * in_parts: its way of assembling is told of every engine.  With one of compiled code the rest is
 * left to a run without. */
static void interpret(struct trial *t, const struct test_case *test, const struct trial *like,
                      bool in_parts, bool compiled)
{
    bool is_like = like && test->machine && test->machine == like->test->machine;
    trial_open_like(t, test, is_like ? like : NULL);
    trial_interpret(t, &t->pipeline);
    if (in_parts)
        trial_interpret_in_parts(t);
    if (t->pipeline.distributed_times > 0)
        trial_fail(t, "a note says that it would gain by being distributed");
    if (compiled)
        return;
    trial_interpret_in_two(t);
    trial_interpret_given(t);
    trial_interpret_tables(t);
}

static void judge(const struct runner *runner, struct outcome *outcome, const struct trial *trial)
{
    outcome->kind = OUTCOME_RIGHT;
    for (int f = 0; f < runner->suite->fillings && outcome->kind == OUTCOME_RIGHT; f++) {
        const struct trial *t = &trial[f];
        outcome->ways |= t->ways;
        if (!t->test || t->verdict == TRIAL_RIGHT)
            continue;
        outcome->kind = t->verdict == TRIAL_REFUSED ? OUTCOME_REFUSED : OUTCOME_WRONG;
        outcome->code = t->code;
        snprintf(outcome->why, sizeof outcome->why, "%s", t->why);
    }
}

/* Run a group of items. */
static void run_group(const struct runner *runner, struct state *state, struct bench *bench,
                      const int *which, int n)
{
    memset(bench->trial, 0, sizeof bench->trial);
    for (int i = 0; i < n; i++) {
        int first = i * runner->suite->fillings, at = first;
        bool right = true;
        for (int f = 0; f < runner->suite->fillings && right; f++) {
            if (runner->every && (f + which[i]) % runner->every != 0)
                continue;
            runner->suite->fill(which[i], f, &bench->test[at]);
            state->at = bench->test[at].seed = (uint64_t)which[i];
            interpret(&bench->trial[at], &bench->test[at], at > first ? &bench->trial[first] : NULL,
                      f < runner->suite->in_parts, runner->engine.compiled);
            right = bench->trial[at++].verdict == TRIAL_RIGHT;
        }
    }
    if (runner->engine.jit)
        batch_call_shared(&runner->engine, bench->trial, n, runner->suite->fillings, &state->at);
    for (int i = 0; i < n; i++)
        judge(runner, &state->outcome[which[i]], &bench->trial[i * runner->suite->fillings]);
    for (int i = 0; i < n * runner->suite->fillings; i++) {
        state->compared += bench->trial[i].compared;
        state->unknown += bench->trial[i].unknown;
        if (bench->trial[i].test)
            trial_close(&bench->trial[i]);
    }
}

/* A group that takes longer ends the child. */
static void limit_time(void)
{
    const struct itimerval limit = {.it_value.tv_sec = SECONDS};
    setitimer(ITIMER_PROF, &limit, NULL);
}

static void work(const struct runner *runner, struct state *state)
{
    struct bench *bench = calloc(1, sizeof *bench);
    int which[GROUP], n = 0;
    for (int c = 0; bench && c < runner->suite->count; c++) {
        if (state->outcome[c].kind == OUTCOME_NONE)
            which[n++] = c;
        if (n == GROUP || (n && c == runner->suite->count - 1)) {
            limit_time();
            run_group(runner, state, bench, which, n);
            n = 0;
        }
    }
    free(bench);
}

/* ---- the parent ---- */

/* Run the child; true once it has done all. */
static bool supervise(struct runner *runner, struct state *state)
{
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        const char *trouble =
            runner->engine.compiled ? batch_open(&runner->engine, runner->flags) : NULL;
        if (trouble)
            printf("skipped: %s\n", trouble);
        state->skipped = trouble != NULL;
        if (!trouble)
            work(runner, state);
        batch_close(&runner->engine);
        exit(0); /* not _exit: leaks are found at exit */
    }
    int status = 0;
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    if (child > 0 && status == 0)
        return true;
    struct outcome *outcome = &state->outcome[state->at];
    bool again = outcome->kind != OUTCOME_NONE;
    outcome->kind = OUTCOME_CRASHED;
    snprintf(outcome->why, sizeof outcome->why, "%s",
             child < 0                     ? "no process"
             : !WIFSIGNALED(status)        ? "ended (a sanitizer's report?)"
             : WTERMSIG(status) == SIGPROF ? "does not end"
                                           : strsignal(WTERMSIG(status)));
    return again;
}

bool runner_draws(int item, int share, int turn)
{
    uint32_t mixed = ((uint32_t)item + 1) * 2654435769u;
    return share <= 1 || (mixed >> 16) % (uint32_t)share == (uint32_t)turn;
}

/* Those that --only does not name, or --share does not draw, are not run. */
static void select_some(const struct runner *runner, struct state *state)
{
    char text[ITEM_TEXT];
    for (int c = 0; c < runner->suite->count; c++) {
        runner->suite->print(c, text, sizeof text);
        if ((runner->only && !strstr(text, runner->only))
            || !runner_draws(c, runner->share, runner->turn))
            state->outcome[c].kind = OUTCOME_LEFT_OUT;
    }
}

struct state *runner_run(struct runner *runner)
{
    struct state *state =
        mmap(NULL, sizeof *state, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (state == MAP_FAILED)
        return NULL;
    select_some(runner, state);
    while (!supervise(runner, state))
        ;
    for (int c = 0; c < runner->suite->count && !state->skipped; c++)
        state->count[state->outcome[c].kind]++;
    return state;
}

void runner_free(struct state *state) { munmap(state, sizeof *state); }

bool runner_option(struct runner *runner, int argc, char **argv, int *i)
{
    const char *name = argv[*i];
    if (strcmp(name, "--verbose") == 0) {
        runner->verbose = true;
        return true;
    }
    if (*i + 1 >= argc)
        return false;
    const char *value = argv[++*i];
    if (strcmp(name, "--engine") == 0)
        return batch_choose(&runner->engine, value);
    if (strcmp(name, "--flags") == 0)
        runner->flags = value;
    else if (strcmp(name, "--only") == 0)
        runner->only = value;
    else if (strcmp(name, "--share") == 0)
        runner->share = (int)strtol(value, NULL, 10);
    else if (strcmp(name, "--turn") == 0)
        runner->turn = (int)strtol(value, NULL, 10);
    else if (strcmp(name, "--every") == 0)
        runner->every = (int)strtol(value, NULL, 10);
    else
        --*i;
    return strcmp(argv[*i], name) != 0;
}

void runner_print(const struct runner *runner, const struct state *state)
{
    static const char *const names[] = {"not run", "right", "refused", "WRONG", "CRASHED", ""};
    char text[ITEM_TEXT];
    for (int c = 0; c < runner->suite->count; c++) {
        const struct outcome *o = &state->outcome[c];
        bool bad =
            o->kind == OUTCOME_WRONG || o->kind == OUTCOME_CRASHED || o->kind == OUTCOME_NONE;
        if (!bad && !(runner->verbose && o->kind == OUTCOME_REFUSED))
            continue;
        runner->suite->print(c, text, sizeof text);
        printf("%s: %s\n    %.*s\n", names[o->kind], text,
               runner->verbose ? 500 : (int)strcspn(o->why, "\n"), o->why);
    }
    printf("%d right, %d refused, %d wrong; %lld components compared, %lld of them with no certain "
           "value\n",
           state->count[OUTCOME_RIGHT], state->count[OUTCOME_REFUSED], runner_wrong(state),
           (long long)state->compared, (long long)state->unknown);
}

int runner_wrong(const struct state *state)
{
    return state->count[OUTCOME_WRONG] + state->count[OUTCOME_CRASHED] + state->count[OUTCOME_NONE];
}
