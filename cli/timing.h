/* timing.h - what spcc run --time measures and reports.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_CLI_TIMING_H
#define SPCC_CLI_TIMING_H

#include <stdint.h>

#include "cli/args.h"
#include "spcc.h"

struct timing {
    double read_ms, pack_ms;     /* the inputs, summed: from files to lists of coordinates, and from these to formats */
    double write_ms;             /* the result */
    double run_ms;               /* one run: the median */
    int runs;
    int64_t bytes;               /* that a run moves at least; -1: not known */
    const spcc_kernel_info *kernel;
};

double timing_now_ms(void);

/* The median; sorts the times. */
double timing_median(double *ms, int n);

/* On standard error. */
void timing_report(const struct timing *timing, enum cli_time form);

#endif
