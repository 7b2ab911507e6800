/* report.h - what came out for each combination, as docs/conformance.md says it.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_CONFORMANCE_REPORT_H
#define SPCC_CONFORMANCE_REPORT_H

#include "tests/conformance/combinations.h"
#include "tests/conformance/runner.h"

/* The counts of each expression. */
void report_print(const struct state *state);

/* The document, of combinations and of results.h; false after saying why it cannot be written. */
bool report_write(const struct state *state, const struct state *results, const char *path);

/* Does the document say what came out?  False after saying where not. */
bool report_check(const struct state *state, const struct state *results, const char *path);

#endif
