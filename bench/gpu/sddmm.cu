/* sddmm.cu - A(i,j) = B(i,j) * C(i,k) * D(j,k), B csr, A has its pattern, k below 32.
 *
 * A warp has 128 entries, eight lanes one at a time: each entry's two rows are read whole.  Rows are
 * searched for at both ends of what the warp has, and in between from the last one on.
 *     collapse(i, j, f); pos(f, p, B(i,j)); split(p, pb, pw, down, 1024); split(pw, pg, pe, ...);
 *     parallelize(pb, gpu_block); parallelize(pw, gpu_warp);
 *     parallelize(k lanes, gpu_thread, warp_reduction)
 *
 * H200, f64 ms (of cuSPARSE): uniform16 1.287 (1.38), power 1.296 (5.36); f32: 0.685 (1.23), 0.699 (5.54).
 * SPDX-License-Identifier: MIT
 */
#pragma once
#include "helpers.cuh"

enum { SDDMM_COLUMNS = 32, SDDMM_G = 8, SDDMM_WARP = 128, SDDMM_WARPS = 256 / LANES };

static __global__ void __launch_bounds__(256)
    sddmm_8_lanes(int32_t B1_dimension, CSR(B), const value_t *__restrict__ C_vals, const value_t *__restrict__ D_vals,
                  value_t *__restrict__ A_vals) {
    const int lane = threadIdx.x % SDDMM_G, group = threadIdx.x % LANES / SDDMM_G;
    const int64_t size = B2_pos[B1_dimension], step = (int64_t)gridDim.x * SDDMM_WARPS * SDDMM_WARP;
    for (int64_t p0 = ((int64_t)blockIdx.x * SDDMM_WARPS + threadIdx.x / LANES) * SDDMM_WARP; p0 < size; p0 += step) {
        int64_t past = min(p0 + SDDMM_WARP, size);
        int32_t i = warp_last_at(B2_pos, 0, B1_dimension, p0);
        int32_t i_last = warp_last_at(B2_pos, i, B1_dimension, past - 1);
        for (int64_t at = p0; at < past; at += LANES / SDDMM_G) { /* all lanes, for the sums */
            int64_t p = at + group;
            value_t sum = 0;
            if (p < past) {
                if (B2_pos[i + 1] <= p) i = last_before<0>(B2_pos, i + 1, i_last, p);
                const value_t *c = C_vals + (int64_t)i * SDDMM_COLUMNS;
                const value_t *d = D_vals + (int64_t)B2_crd[p] * SDDMM_COLUMNS;
                UNROLL for (int k = 0; k < SDDMM_COLUMNS; k += SDDMM_G) sum += c[k + lane] * d[k + lane];
            }
            sum = lanes_sum<SDDMM_G>(sum);
            if (p < past && lane == 0) A_vals[p] = B_vals[p] * sum;
        }
    }
}

extern "C" int sddmm(int32_t B1_dimension, CSR(B), const value_t *C_vals, const value_t *D_vals, value_t *A_vals,
                     cudaStream_t stream) {
    int status = 0;
    LAUNCH(sddmm_8_lanes, BLOCKS_MOST, 256, stream, B1_dimension, GIVE(B), C_vals, D_vals, A_vals);
    TRY(cudaGetLastError());
    return status;
}
