/* cutt.h - dense transposes beside memcpy.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_CLI_BENCH_CUTT_H
#define SPCC_CLI_BENCH_CUTT_H

#include "cli/args.h"

/* spcc bench cutt. */
enum cli_status bench_cutt(const struct cli_request *request);

#endif
