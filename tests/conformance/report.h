/* report.h - what came out for each combination, as docs/conformance.md says it.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_CONFORMANCE_REPORT_H
#define SPCC_CONFORMANCE_REPORT_H

#include "tests/conformance/combinations.h"

enum outcome_kind { OUTCOME_NONE, OUTCOME_RIGHT, OUTCOME_REFUSED, OUTCOME_WRONG, OUTCOME_CRASHED, OUTCOME_LEFT_OUT };

struct outcome {
    enum outcome_kind kind;
    int code;                        /* of the refusal */
    char why[512];
};

struct state {
    struct outcome outcome[COMBINATIONS];
    uint64_t at;                     /* the combination at hand */
    bool skipped;
    int64_t compared, unknown;
};

/* Combination number n of all expressions. */
struct combination combination_number(int n);

/* The table, and those that are not right (verbose: with the reasons for refusals). */
void report_print(const struct state *state, bool verbose);

/* Is none wrong? */
bool report_is_good(const struct state *state);

/* The document; false after saying why it cannot be written. */
bool report_write(const struct state *state, const char *path);

/* Does the document say what came out?  False after saying where not. */
bool report_check(const struct state *state, const char *path);

#endif
