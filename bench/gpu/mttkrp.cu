/* mttkrp.cu - A(i,r) = B(i,k,l) * C(k,r) * D(l,r), B csf, r below 32; and A(k,r) = B(i,k,l) * C(i,r) * D(l,r).
 *
 * As in spmm.cu a warp has a part of about 256 work, of whole fibers unless they are longer, and lanes
 * have 16 bytes of a row.  The sum over a fiber is multiplied with its row of C once; each group of lanes does
 * so with what it has, since that distributes.
 * mttkrp_1: what is begun of a slice is added by spmm_begun.
 * mttkrp_2: a fiber's sums are added where k says, by atomics: they have no order.
 *     precompute(B(i,k,l) * D(l,r), t, {r,r,r}, dense, register); collapse(i, k, l, f); split by work,
 *     whole fibers; parallelize(p0, gpu_warp, temporary | atomics); split(r, rl, rv, up, 16 bytes);
 *     parallelize(rl, gpu_thread); unroll(l, 2); vectorize(rv)
 *
 * H200, f64 ms (of a copy), modes 1 and 2: fibers8 1.716 (1.03), 1.775 (1.00), fibers p 1.285 (0.91), 1.270 (0.92);
 * f32: 1.132 (0.79), 1.151 (0.78), 0.886 (0.67), 0.870 (0.68).
 * SPDX-License-Identifier: MIT
 */
#pragma once
#include "spmm.cu"

enum { MTTKRP_AT_ONCE = 2 }; /* fibers are short */

#define CSF_B                                                                                  \
    const int32_t *__restrict__ B1_crd, const int32_t *__restrict__ B2_pos,                    \
        const int32_t *__restrict__ B2_crd, const int32_t *__restrict__ B3_pos,                \
        const int32_t *__restrict__ B3_crd, const value_t *__restrict__ B_vals,                \
        const value_t *__restrict__ C_vals, const value_t *__restrict__ D_vals, value_t *__restrict__ A_vals
#define GIVE_CSF_B B1_crd, B2_pos, B2_crd, B3_pos, B3_crd, B_vals, C_vals, D_vals, A_vals
#define MTTKRP_BOUNDS                                                                          \
    int32_t parts, const int32_t *__restrict__ bound_slice, const int32_t *__restrict__ bound_fiber, \
        const int32_t *__restrict__ bound_p

/* The slice that the first fiber of a part is in. */
static __global__ void __launch_bounds__(256)
    part_slices(int32_t slices, const int32_t *__restrict__ B2_pos, int32_t parts,
                const int32_t *__restrict__ bound_fiber, int32_t *__restrict__ bound_slice) {
    const int32_t part = blockIdx.x * 256 + threadIdx.x;
    if (part <= parts) bound_slice[part] = last_before<0>(B2_pos, 0, slices - 1, bound_fiber[part]);
}

static __device__ __forceinline__ value_16 row_of(const value_t *__restrict__ vals, int32_t row, int lane) {
    return ((const value_16 *)vals)[(int64_t)row * ROW_LANES + lane % ROW_LANES];
}

static __global__ void __launch_bounds__(256, 4)
    mttkrp_1_part(CSF_B, MTTKRP_BOUNDS, int32_t *__restrict__ begun_row, value_t *__restrict__ begun_sum) {
    const int lane = threadIdx.x % LANES;
    const int32_t part = blockIdx.x * (256 / LANES) + threadIdx.x / LANES;
    if (part >= parts) return;
    int32_t slice = bound_slice[part], fiber = bound_fiber[part], p = bound_p[part];
    const int32_t fiber_past = bound_fiber[part + 1], p_past = bound_p[part + 1];
    int32_t slice_end = B2_pos[slice + 1];
    value_t sum[VECTOR] = {};
    for (; fiber < fiber_past || p < p_past; fiber++) { /* the last fiber may be cut */
        const int32_t end = fiber < fiber_past ? B3_pos[fiber + 1] : p_past;
        if (fiber == slice_end) slice_end = B2_pos[++slice + 1];
        if (p < end) {
            const value_16 c = row_of(C_vals, B2_crd[fiber], lane);
            value_t t[VECTOR] = {};
            spmm_add<MTTKRP_AT_ONCE>(t, p, end, lane, B3_crd, B_vals, D_vals);
            UNROLL for (int v = 0; v < VECTOR; v++) sum[v] += t[v] * c.v[v];
        }
        p = end;
        if (fiber < fiber_past && fiber + 1 == slice_end) {
            spmm_put(sum, lane, A_vals + (int64_t)B1_crd[slice] * SPMM_COLUMNS);
            UNROLL for (int v = 0; v < VECTOR; v++) sum[v] = 0;
        }
    }
    /* does the part end within a slice? */
    const int32_t last = bound_slice[part + 1];
    const bool begun = part + 1 < parts && (fiber_past > B2_pos[last] || p_past > B3_pos[fiber_past]);
    if (begun) spmm_put(sum, lane, begun_sum + (int64_t)part * SPMM_COLUMNS);
    if (lane == 0) begun_row[part] = begun ? B1_crd[last] : -1;
}

static __global__ void __launch_bounds__(256, 4) mttkrp_2_part(CSF_B, MTTKRP_BOUNDS) {
    const int lane = threadIdx.x % LANES;
    const int32_t part = blockIdx.x * (256 / LANES) + threadIdx.x / LANES;
    if (part >= parts) return;
    int32_t slice = bound_slice[part], fiber = bound_fiber[part], p = bound_p[part];
    const int32_t fiber_past = bound_fiber[part + 1], p_past = bound_p[part + 1];
    int32_t slice_end = B2_pos[slice + 1];
    value_16 c = row_of(C_vals, B1_crd[slice], lane);
    for (; fiber < fiber_past || p < p_past; fiber++) {
        const int32_t end = fiber < fiber_past ? B3_pos[fiber + 1] : p_past;
        if (fiber == slice_end) {
            slice_end = B2_pos[++slice + 1];
            c = row_of(C_vals, B1_crd[slice], lane);
        }
        if (p == end) continue;
        value_t t[VECTOR] = {};
        spmm_add<MTTKRP_AT_ONCE>(t, p, end, lane, B3_crd, B_vals, D_vals);
        p = end;
        UNROLL for (int v = 0; v < VECTOR; v++)
            UNROLL for (int d = ROW_LANES; d < LANES; d *= 2) t[v] += __shfl_xor_sync(ALL, t[v], d);
        value_t *a = A_vals + (int64_t)B2_crd[fiber] * SPMM_COLUMNS + lane % ROW_LANES * VECTOR;
        if (lane < ROW_LANES)
            UNROLL for (int v = 0; v < VECTOR; v++) atomicAdd(a + v, t[v] * c.v[v]);
    }
}

/* B stores `size` entries in `fibers` fibers of `slices` slices, none of them empty. */
static int mttkrp(bool mode_2, int32_t A_dimension, int32_t slices, int32_t fibers, int64_t size, CSF_B,
                  cudaStream_t stream) {
    int status = 0;
    value_t *begun_sum;
    const int32_t each = work_each(fibers + size), parts = (int32_t)((fibers + size + each - 1) / each);
    NEED(begun_sum, (int64_t)parts * SPMM_COLUMNS + 4 * ((int64_t)parts + 1)); /* four numbers each, too */
    TRY(cudaMemsetAsync(A_vals, 0, (size_t)A_dimension * SPMM_COLUMNS * sizeof *A_vals, stream));
    if (!status && parts) {
        int32_t *begun_row = (int32_t *)(begun_sum + (int64_t)parts * SPMM_COLUMNS);
        int32_t *bound_slice = begun_row + parts + 1, *bound_fiber = bound_slice + parts + 1;
        int32_t *bound_p = bound_fiber + parts + 1;
        LAUNCH(part_whole_rows, parts / 256 + 1, 256, stream, fibers, B3_pos, parts, each, bound_fiber, bound_p);
        LAUNCH(part_slices, parts / 256 + 1, 256, stream, slices, B2_pos, parts, bound_fiber, bound_slice);
        if (mode_2)
            LAUNCH(mttkrp_2_part, (parts + 7) / 8, 256, stream, GIVE_CSF_B, parts, bound_slice, bound_fiber, bound_p);
        else {
            LAUNCH(mttkrp_1_part, (parts + 7) / 8, 256, stream, GIVE_CSF_B, parts, bound_slice, bound_fiber, bound_p,
                   begun_row, begun_sum);
            LAUNCH(spmm_begun, (parts + 31) / 32, 256, stream, parts, begun_row, begun_sum, A_vals);
        }
        TRY(cudaGetLastError());
    }
    FREE(begun_sum);
    return status;
}
