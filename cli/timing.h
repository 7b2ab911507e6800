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
    /* the inputs, summed: from files to lists of coordinates, and from these to formats */
    double read_ms, pack_ms;
    double write_ms; /* the result */
    bool has_loops;
    double run_ms; /* one run: the median; with loops all of them */
    int64_t runs;  /* of each kernel at least; with loops of all together */
    int64_t bytes; /* that this moves at least; -1: not known */
    const spcc_kernel_info *kernel;
    spcc_gpu_times gpu; /* of a kernel on a GPU: all runs together, this many */
    int64_t gpu_runs;
    double gpu_moved; /* bytes that they move there at least */
    double gpu_copy;  /* that a copy there moves in a millisecond; 0: not known */
};

double timing_now_ms(void);

/* Returns the median; sorts the times. */
double timing_median(double *ms, int n);

/* One statement of a file with loops: all its runs together. */
struct timing_step {
    const char *text;
    double ms;
    int64_t runs;
};

/* On standard error. */
void timing_report(const struct timing *timing, enum cli_time form, const struct timing_step *step,
                   int n_steps);

#endif
