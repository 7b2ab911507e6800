/* roof.h - what the machine can do, for the roofline.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_CLI_BENCH_ROOF_H
#define SPCC_CLI_BENCH_ROOF_H

#include "cli/bench/bench.h"
#include "cli/bench/peers.h"

enum { BENCH_THREADS_KINDS = 16, BENCH_SMALLEST = 16, BENCH_LARGEST = 28 };

/* Bytes a millisecond where tensors take up to this many powers of two of bytes, and operations;
 * 0: not measured so far. */
struct bench_roof {
    double triad[BENCH_LARGEST + 1], fma;
};

/* For numbers of threads, f64 and f32. */
struct bench_roofs {
    struct bench_peers *peers;
    const int *threads;
    struct bench_roof of[BENCH_THREADS_KINDS][2];
};

/* How long the bytes and operations take at least on the t-th number of threads: in caches of that
 * size, or in memory; 0: not known. */
double bench_roof_ms(struct bench_roofs *roofs, const struct bench_case *c,
                     const struct bench_run *run, int t);

/* Of numbers beyond the caches. */
struct bench_rates bench_roof_rates(struct bench_roofs *roofs, int t);

#endif
