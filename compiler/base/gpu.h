/* gpu.h - what any GPU that code is made for has.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_BASE_GPU_H
#define SPCC_BASE_GPU_H

#include <stdbool.h>
#include <stdint.h>

enum {
    GPU_WARP = 32,              /* threads of a warp: its lanes */
    GPU_THREADS_MOST = 1024,    /* of a block */
    GPU_SHARED_MOST = 48 * 1024 /* bytes that a block's threads share */
};

/* May so many lanes of a warp be a team?  May a block have so many threads? */
static inline bool gpu_is_team(int64_t lanes)
{
    return lanes >= 2 && lanes <= GPU_WARP && (lanes & (lanes - 1)) == 0;
}
static inline bool gpu_is_block(int64_t threads)
{
    return threads > 0 && threads <= GPU_THREADS_MOST && threads % GPU_WARP == 0;
}

#endif
