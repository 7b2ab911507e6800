/* sddmm.cu - A(i,j) = B(i,j) * C(i,k) * D(j,k), B csr, A has its pattern, k below 32.
 *
 * A warp has 256 entries, or fewer if there are few.  A lane has 64 bytes of an entry's two rows, four lanes an
 * entry in doubles, two in floats, in loads of 16 bytes that are all under way before it uses one.
 * __launch_bounds__(256, 4) matters: without it the compiler takes 32 registers, and keeps one under way.
 * Rows are searched for at both ends of what the warp has, and in between from the last one on.
 *     collapse(i, j, f); pos(f, p, B(i,j)); split(p, pb, pw, down, 2048); split(pw, pg, pe, ...);
 *     parallelize(pb, gpu_block); parallelize(pw, gpu_warp); split(k, kl, kv, up, 64 bytes);
 *     parallelize(kl, gpu_thread, warp_reduction); vectorize(kv)
 * C and D begin at a multiple of 16 bytes.
 *
 * H200, f64 ms (of cuSPARSE): uniform16 1.115 (1.60), power 1.113 (6.31); f32: 0.563 (1.51), 0.564 (6.91).
 * SPDX-License-Identifier: MIT
 */
#pragma once
#include "helpers.cuh"

enum { SDDMM_COLUMNS = 32, SDDMM_WARPS = 256 / LANES };
enum { SDDMM_G = (int)(SDDMM_COLUMNS * sizeof(value_t) / 64), SDDMM_LOADS = 4 };
enum { SDDMM_VECTOR = (int)(16 / sizeof(value_t)) };

struct alignas(16) sddmm_16 {
    value_t v[SDDMM_VECTOR];
};

static __global__ void __launch_bounds__(256, 4)
    sddmm_lanes(int32_t B1_dimension, CSR(B), const value_t *__restrict__ C_vals, const value_t *__restrict__ D_vals,
                value_t *__restrict__ A_vals, int64_t size, int32_t each) {
    const int lane = threadIdx.x % SDDMM_G, group = threadIdx.x % LANES / SDDMM_G;
    const int64_t p0 = ((int64_t)blockIdx.x * SDDMM_WARPS + threadIdx.x / LANES) * each;
    if (p0 >= size) return;
    const int64_t past = min(p0 + each, size);
    int32_t i = warp_last_at(B2_pos, 0, B1_dimension, p0);
    const int32_t i_last = warp_last_at(B2_pos, i, B1_dimension, past - 1);
    for (int64_t at = p0; at < past; at += LANES / SDDMM_G) { /* all lanes, for the sums */
        const int64_t p = at + group;
        value_t sum = 0;
        if (p < past) {
            if (B2_pos[i + 1] <= p) i = last_before<0>(B2_pos, i + 1, i_last, p);
            const sddmm_16 *c = (const sddmm_16 *)(C_vals + (int64_t)i * SDDMM_COLUMNS) + lane;
            const sddmm_16 *d = (const sddmm_16 *)(D_vals + (int64_t)__ldcs(B2_crd + p) * SDDMM_COLUMNS) + lane;
            sddmm_16 x[SDDMM_LOADS], y[SDDMM_LOADS];
            UNROLL for (int u = 0; u < SDDMM_LOADS; u++) y[u] = d[u * SDDMM_G];
            UNROLL for (int u = 0; u < SDDMM_LOADS; u++) x[u] = c[u * SDDMM_G];
            UNROLL for (int u = 0; u < SDDMM_LOADS; u++)
                UNROLL for (int v = 0; v < SDDMM_VECTOR; v++) sum += x[u].v[v] * y[u].v[v];
        }
        sum = lanes_sum<SDDMM_G>(sum);
        if (p < past && lane == 0) __stcs(A_vals + p, __ldcs(B_vals + p) * sum);
    }
}

/* B stores `size` entries. */
extern "C" int sddmm(int32_t B1_dimension, CSR(B), const value_t *C_vals, const value_t *D_vals, value_t *A_vals,
                     int64_t size, cudaStream_t stream) {
    int status = 0;
    if (!size) return 0;
    const int32_t each = work_each(size);
    const int64_t block = (int64_t)SDDMM_WARPS * each;
    LAUNCH(sddmm_lanes, (int32_t)((size + block - 1) / block), 256, stream, B1_dimension, GIVE(B), C_vals, D_vals, A_vals,
           size, each);
    TRY(cudaGetLastError());
    return status;
}
