/* choose.h - what spcc bench is asked for.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_CLI_BENCH_CHOOSE_H
#define SPCC_CLI_BENCH_CHOOSE_H

#include "cli/bench/bench.h"

struct bench_choice {
    const char *suite; /* its name, or names of kernels */
    char letter;       /* of the suite */
    bool is_quick, on_gpu;
    const struct bench_suite *usual; /* the suite, or the one that the first kernel is in */
    const char *rows_of;             /* a suite of rows beside others; NULL: it is another one */
    const char *rows_with;           /* ... words in these rows */
};

/* What is wrong has been complained about. */
enum cli_status bench_choose(struct bench_choice *choice, const struct cli_request *request);

bool bench_is_wanted(const struct bench_choice *choice, const struct bench_kernel *kernel);
bool bench_is_wanted_input(const struct bench_choice *choice, const struct bench_kernel *kernel,
                           const struct bench_input *input);

#endif
