/* results.h - a few statements into every format of a result, assembled by parallel loops.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_CONFORMANCE_RESULTS_H
#define SPCC_CONFORMANCE_RESULTS_H

#include "tests/support/case.h"

enum { RESULT_STATEMENTS = 5, RESULT_FORMATS = 21, RESULT_FILLINGS = 3 };

struct result_statement {
    const char *title, *statement;
    const char *b, *c; /* formats of operands; c may be NULL */
};

extern const struct result_statement result_statements[RESULT_STATEMENTS];
extern const char *const result_formats[RESULT_FORMATS];

/* Item number n: the statements of each format in turn. */
void results_case(int item, int filling, struct test_case *test);
void results_print(int item, char *text, size_t size);

#endif
