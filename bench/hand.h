/* hand.h - kernels written by hand (hand.c).  Their dense matrices have n columns, a multiple of
 * 32.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_BENCH_HAND_H
#define SPCC_BENCH_HAND_H

/* How far past the last coordinate a coordinate array must be readable. */
enum { HAND_AHEAD = 16 };

typedef void hand_spmv(int m, const int *restrict pos, const int *restrict crd,
                       const double *restrict vals, const double *restrict x, double *restrict y);
typedef void hand_spmm(int m, int n, const int *restrict pos, const int *restrict crd,
                       const double *restrict vals, const double *restrict x, double *restrict y);
typedef void hand_mttkrp(int m, int n, const int *restrict pos2, const int *restrict crd2,
                         const int *restrict pos3, const int *restrict crd3,
                         const double *restrict vals, const double *restrict b,
                         const double *restrict c, double *restrict y);

hand_spmv hand_spmv_scalars, hand_spmv_lanes;
hand_spmm hand_spmm_plain, hand_spmm_tiles, hand_spmm_prefetch;
hand_mttkrp hand_mttkrp_plain, hand_mttkrp_tiles, hand_mttkrp_workspace;

#endif
