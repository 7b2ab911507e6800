/* gpu.h - what any GPU that code is made for has.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_BASE_GPU_H
#define SPCC_BASE_GPU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    GPU_WARP = 32,              /* threads of a warp: its lanes */
    GPU_THREADS_MOST = 1024,    /* of a block */
    GPU_SHARED_MOST = 48 * 1024 /* bytes that a block's threads share */
};

/* Can threads update an element of this many bytes at once? None of more than 8, but of 16 they can
 * sum up the two parts. */
static inline bool gpu_can_update(size_t bytes, bool sums) { return bytes <= 8 || sums; }

/* May this many lanes of a warp be a team?  May a block have this many threads? */
static inline bool gpu_is_team(int64_t lanes)
{
    return lanes >= 2 && lanes <= GPU_WARP && (lanes & (lanes - 1)) == 0;
}
static inline bool gpu_is_block(int64_t threads)
{
    return threads > 0 && threads <= GPU_THREADS_MOST && threads % GPU_WARP == 0;
}

#endif
