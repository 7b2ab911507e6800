/* stats.h - what the pattern of a tensor is like.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_TENSOR_STATS_H
#define SPCC_TENSOR_STATS_H

#include <stdbool.h>

#include "runtime/tensor/coords.h"

/* A slice of a mode is what is left when its coordinate is fixed: a row, a column. */
struct stats_mode {
    int64_t dimension;
    int64_t used;        /* slices with a stored component */
    int64_t least, most; /* components of a slice, empty ones included */
    double mean, deviation;
};

/* Square blocks that are aligned to their size. */
struct stats_blocks {
    int64_t size, count;
};

enum { STATS_BLOCKS = 3, STATS_BINS = 32 };

/* Bin b: this many slices with bound[b] to bound[b + 1] - 1 components. */
struct stats_histogram {
    int bins;
    int64_t bound[STATS_BINS + 1], slices[STATS_BINS];
};

struct stats {
    int order;
    int64_t stored;
    double components; /* the product of the dimensions */
    struct stats_mode mode[ORDER_MAX];
    struct stats_histogram histogram[ORDER_MAX]; /* for each mode */

    /* Of matrices. */
    int64_t below, above; /* how far from the diagonal components are */
    int64_t diagonals;    /* with a stored component */
    bool symmetric_pattern, symmetric, skew, hermitian; /* the latter three by their values */
    struct stats_blocks blocks[STATS_BLOCKS];
};

/* Returns the sizes of blocks that are looked at. */
static inline int64_t stats_block_size(int b) { return (int64_t)2 << b; }

/* Of a list without duplicates, which gets sorted by its first mode, then its second, and so on.
 * Takes no longer than sorting.  Fails only for lack of memory. */
enum rt_status stats_compute(struct coords *coords, int threads, struct stats *stats,
                             struct rt_error *error);

#endif
