/* figures.h - spcc bench target: the figures of this machine.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_CLI_BENCH_FIGURES_H
#define SPCC_CLI_BENCH_FIGURES_H

#include "cli/bench/bench.h"

/* Measure them, beginning with those of the target that is asked for or of this machine, and print
 * a file that --target-cpu takes. */
enum cli_status bench_figures(const struct cli_request *request);

#endif
