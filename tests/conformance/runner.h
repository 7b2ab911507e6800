/* runner.h - run a list of cases, each on several sets of tensors, and tell what came out.
 *
 * Each item is compiled, run on its tensors, and its results are compared with the oracle and
 * checked against their formats (tests/support/trial.h): interpreted, also assembled and then
 * computed in two; with another engine interpreted once, and the compiled code.  A child process
 * does the work, so that one that dies is an outcome like others.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_CONFORMANCE_RUNNER_H
#define SPCC_CONFORMANCE_RUNNER_H

#include "tests/support/batch.h"

enum { ITEMS_MAX = 8192, FILLINGS_MAX = 8, ITEM_TEXT = 512, RUNNER_SKIP = 77 };

struct suite {
    int count, fillings;
    int in_parts; /* the first fillings, whose kernels are run with parallel loops, too */
    /* the same at every call; fillings of an item differ in tensors, perhaps in machines */
    void (*fill)(int item, int filling, struct test_case *test);
    void (*print)(int item, char *text, size_t size);
};

struct runner {
    const struct suite *suite;
    struct batch_engine engine;
    /* for the compiler; only items that have this in their text */
    const char *flags, *only;
    int share;    /* only one item in so many; 0: all */
    int turn;     /* ... and which: below share */
    int every;    /* only one filling in so many, other ones for the next item; 0: all */
    bool verbose; /* show refusals, too */
};

enum outcome_kind {
    OUTCOME_NONE,
    OUTCOME_RIGHT,
    OUTCOME_REFUSED,
    OUTCOME_WRONG,
    OUTCOME_CRASHED,
    OUTCOME_LEFT_OUT
};

struct outcome {
    enum outcome_kind kind;
    int code; /* of the refusal */
    /* of those with parallel loops: how their results are assembled (trial_way), 0: by none */
    unsigned ways;
    char why[512];
};

struct state {
    struct outcome outcome[ITEMS_MAX];
    int count[OUTCOME_LEFT_OUT + 1];
    uint64_t at;  /* the item at hand */
    bool skipped; /* the engine is not there */
    int64_t compared, unknown;
};

/* --engine interp|cc|clang, --flags "...", --only WORDS, --share N, --turn N, --every N, --verbose;
 * false: none of these, or a wrong value. */
bool runner_option(struct runner *runner, int argc, char **argv, int *i);

/* Is it one of those that are drawn when only one item in `share` is?  In no step with how the
 * items are listed. */
bool runner_draws(int item, int share, int turn);

/* NULL: no memory. */
struct state *runner_run(struct runner *runner);
void runner_free(struct state *state);

/* Those that are not right, and the counts. */
void runner_print(const struct runner *runner, const struct state *state);

/* How many are wrong, died or were never run. */
int runner_wrong(const struct state *state);

#endif
