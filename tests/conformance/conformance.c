/* conformance.c - every combination of expressions and formats, run and compared with the dense oracle.
 *
 *     conformance [--engine interp|cc|clang] [--flags "..."] [--only WORDS] [--check FILE] [--update FILE] [--verbose]
 *
 * Each combination is compiled, run on several sets of tensors (combinations.h), and its results are compared with the
 * oracle and checked against their formats (tests/support/trial.h): always interpreted, also assembled and then computed
 * in two; with another engine the compiled code as well.  A child process does the work, so that one that dies is a line
 * in the table like others.
 *
 * What is wrong fails.  --check: so does a table in FILE that says anything else than what came out.
 *
 * SPDX-License-Identifier: MIT
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/conformance/report.h"
#include "tests/support/batch.h"

enum { GROUP = 12, SECONDS = 120, SKIP = 77 };

struct options {
    struct batch_engine engine;
    const char *flags, *only, *check, *update;
    bool verbose;
};

/* ---- the child ---- */

struct bench {
    struct test_case test[GROUP * FILLINGS];
    struct trial trial[GROUP * FILLINGS];
};

static void interpret(struct trial *t, const struct test_case *test)
{
    trial_open(t, test);
    trial_interpret(t, &t->pipeline);
    trial_interpret_in_two(t);
}

static void judge(struct outcome *outcome, const struct trial *trial)
{
    outcome->kind = OUTCOME_RIGHT;
    for (int f = 0; f < FILLINGS && outcome->kind == OUTCOME_RIGHT; f++) {
        const struct trial *t = &trial[f];
        if (!t->test || t->verdict == TRIAL_RIGHT)
            continue;
        outcome->kind = t->verdict == TRIAL_REFUSED ? OUTCOME_REFUSED : OUTCOME_WRONG;
        outcome->code = t->code;
        snprintf(outcome->why, sizeof outcome->why, "%s", t->why);
    }
}

/* Run a group of combinations. */
static void run_group(const struct options *options, struct state *state, struct bench *bench, const int *which, int n)
{
    memset(bench->trial, 0, sizeof bench->trial);
    for (int i = 0; i < n; i++) {
        struct combination combination = combination_number(which[i]);
        bool right = true;
        for (int f = 0; f < FILLINGS && right; f++) {
            struct test_case *test = &bench->test[i * FILLINGS + f];
            combination_fill(&combination, (enum filling)f, test);
            state->at = test->seed = (uint64_t)which[i];
            interpret(&bench->trial[i * FILLINGS + f], test);
            right = bench->trial[i * FILLINGS + f].verdict == TRIAL_RIGHT;
        }
    }
    if (options->engine.jit)
        batch_call_shared(&options->engine, bench->trial, n, FILLINGS, &state->at);
    for (int i = 0; i < n; i++)
        judge(&state->outcome[which[i]], &bench->trial[i * FILLINGS]);
    for (int i = 0; i < n * FILLINGS; i++) {
        state->compared += bench->trial[i].compared;
        state->unknown += bench->trial[i].unknown;
        if (bench->trial[i].test)
            trial_close(&bench->trial[i]);
    }
}

static void work(const struct options *options, struct state *state)
{
    struct bench *bench = calloc(1, sizeof *bench);
    int which[GROUP], n = 0;
    for (int c = 0; bench && c < COMBINATIONS; c++) {
        if (state->outcome[c].kind == OUTCOME_NONE)
            which[n++] = c;
        if (n == GROUP || (n && c == COMBINATIONS - 1)) {
            alarm(SECONDS);
            run_group(options, state, bench, which, n);
            n = 0;
        }
    }
    free(bench);
}

/* ---- the parent ---- */

/* Run the child; true once it has done all. */
static bool supervise(struct options *options, struct state *state)
{
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        const char *trouble = options->engine.compiled ? batch_open(&options->engine, options->flags) : NULL;
        if (trouble)
            printf("skipped: %s\n", trouble);
        state->skipped = trouble != NULL;
        if (!trouble)
            work(options, state);
        batch_close(&options->engine);
        exit(0);                     /* not _exit: leaks are found at exit */
    }
    int status = 0;
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    if (child > 0 && status == 0)
        return true;
    struct outcome *outcome = &state->outcome[state->at];
    bool again = outcome->kind != OUTCOME_NONE;
    outcome->kind = OUTCOME_CRASHED;
    snprintf(outcome->why, sizeof outcome->why, "%s", child < 0 ? "no process" : !WIFSIGNALED(status)
             ? "ended (a sanitizer's report?)" : WTERMSIG(status) == SIGALRM ? "does not end"
             : strsignal(WTERMSIG(status)));
    return again;
}

static bool parse_options(struct options *o, int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        const char **value = strcmp(argv[i], "--flags") == 0 ? &o->flags : strcmp(argv[i], "--only") == 0 ? &o->only
            : strcmp(argv[i], "--check") == 0 ? &o->check : strcmp(argv[i], "--update") == 0 ? &o->update : NULL;
        if (strcmp(argv[i], "--verbose") == 0)
            o->verbose = true;
        else if (i + 1 < argc && value)
            *value = argv[++i];
        else if (i + 1 >= argc || strcmp(argv[i], "--engine") != 0 || !batch_choose(&o->engine, argv[++i]))
            return false;
    }
    return true;
}

/* Those that --only does not name are not run. */
static void select_some(struct state *state, const char *only)
{
    char text[256];
    for (int c = 0; only && c < COMBINATIONS; c++) {
        struct combination combination = combination_number(c);
        size_t n = (size_t)snprintf(text, sizeof text, "%s: ", combination.expression->title);
        combination_print(&combination, text + n, sizeof text - n);
        if (!strstr(text, only))
            state->outcome[c].kind = OUTCOME_LEFT_OUT;
    }
}

static int run(struct options *options, struct state *state)
{
    select_some(state, options->only);
    while (!supervise(options, state))
        ;
    if (state->skipped)
        return SKIP;
    report_print(state, options->verbose);
    bool good = report_is_good(state);
    if (options->update)
        good &= report_write(state, options->update);
    if (options->check)
        good &= report_check(state, options->check);
    return good ? 0 : 1;
}

int main(int argc, char **argv)
{
    struct options options = {.engine = {.compiled = false}};
    struct state *state = mmap(NULL, sizeof *state, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (!parse_options(&options, argc, argv) || state == MAP_FAILED) {
        fprintf(stderr, "usage: %s [--engine interp|cc|clang] [--flags FLAGS] [--only WORDS] [--check FILE] "
                        "[--update FILE] [--verbose]\n", argv[0]);
        return 2;
    }
    int status = run(&options, state);
    munmap(state, sizeof *state);
    return status;
}
