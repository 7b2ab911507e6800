/* latency.h - spcc bench --latency.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_CLI_BENCH_LATENCY_H
#define SPCC_CLI_BENCH_LATENCY_H

#include "cli/bench/choose.h"
#include "cli/bench/neighbours.h"

/* Of each kernel that is chosen, on standard output. */
enum cli_status bench_latency(const struct bench_means *means, const struct bench_choice *choice);

#endif
