/* spmm.cu - Y(i,r) = A(i,j) * X(j,r), A csr, r below 32; TTM likewise, with B3_pos for A2_pos.
 *
 * A warp has a part of about 256 work, less if A is small, of whole rows: only longer rows are cut, and
 * what is begun of them is added by spmm_begun.  A lane has 16 bytes of a row of X, so that a warp
 * takes 512 bytes, two entries or four, at a time; four such loads are under way.
 * __launch_bounds__(256, 4) matters: with 8 blocks the compiler has 32 registers, and keeps one load
 * under way.
 *     collapse(i, j, f); pos(f, p, A(i,j)); split by work, whole rows; parallelize(p0, gpu_warp,
 *     temporary); split(r, rl, rv, up, 16 bytes); parallelize(rl, gpu_thread);
 *     unroll(p, 4); vectorize(rv)
 * X and Y begin at a multiple of 16 bytes.
 *
 * H200, f64 ms (of cuSPARSE): uniform16 0.991 (1.37), power 1.021 (1.52); f32: 0.492 (1.13), 0.568 (1.36).
 * SPDX-License-Identifier: MIT
 */
#pragma once
#include "helpers.cuh"

enum { SPMM_COLUMNS = 32, SPMM_AT_ONCE = 4 };

/* 16 bytes of values; so many lanes have a row, and a warp has so many rows at a time */
enum { VECTOR = 16 / sizeof(value_t), ROW_LANES = SPMM_COLUMNS / VECTOR };
enum { ROWS_AT_ONCE = LANES / ROW_LANES };

struct alignas(16) value_16 {
    value_t v[VECTOR];
};

#define SPMM_PARAMETERS int32_t A1_dimension, CSR(A), const value_t *__restrict__ X_vals, value_t *__restrict__ Y_vals

/* Where parts begin: at a row, or in one that is longer than a part; bound_p says where in it. */
static __global__ void __launch_bounds__(256)
    part_whole_rows(int32_t dimension, const int32_t *__restrict__ pos, int32_t parts, int32_t each,
                    int32_t *__restrict__ bound_row, int32_t *__restrict__ bound_p) {
    const int64_t work = (int64_t)dimension + pos[dimension];
    const int32_t part = blockIdx.x * 256 + threadIdx.x;
    if (part > parts) return;
    const int64_t at = min((int64_t)part * each, work);
    int32_t i = last_before<1>(pos, 0, (int32_t)min((int64_t)dimension, at), at);
    int32_t p = (int32_t)(at - i);
    if (i < dimension && p > pos[i] && (p == pos[i + 1] || pos[i + 1] - pos[i] <= each)) p = pos[++i];
    bound_row[part] = i;
    bound_p[part] = p;
}

/* sum[] += entries [p, end) times rows of X; AT_ONCE loads of rows are under way. */
template <int AT_ONCE>
static __device__ __forceinline__ void spmm_add(value_t *sum, int32_t p, int32_t end, int lane,
                                                const int32_t *__restrict__ A2_crd, const value_t *__restrict__ A_vals,
                                                const value_t *__restrict__ X_vals) {
    enum { STEP = AT_ONCE * ROWS_AT_ONCE };
    const value_16 *X = (const value_16 *)X_vals + lane % ROW_LANES;
    value_t a[AT_ONCE];
    value_16 x[AT_ONCE];
    const int first = lane / ROW_LANES;
    for (; p + STEP <= end; p += STEP) {
        int32_t j[AT_ONCE];
        UNROLL for (int u = 0; u < AT_ONCE; u++) j[u] = __ldg(A2_crd + p + u * ROWS_AT_ONCE + first);
        UNROLL for (int u = 0; u < AT_ONCE; u++) a[u] = __ldg(A_vals + p + u * ROWS_AT_ONCE + first);
        UNROLL for (int u = 0; u < AT_ONCE; u++) x[u] = X[(int64_t)j[u] * ROW_LANES];
        UNROLL for (int u = 0; u < AT_ONCE; u++)
            UNROLL for (int v = 0; v < VECTOR; v++) sum[v] += a[u] * x[u].v[v];
    }
    if (p >= end) return;
    int32_t j[AT_ONCE];
    UNROLL for (int u = 0; u < AT_ONCE; u++)
        j[u] = p + u * ROWS_AT_ONCE + first < end ? __ldg(A2_crd + p + u * ROWS_AT_ONCE + first) : -1;
    UNROLL for (int u = 0; u < AT_ONCE; u++) a[u] = j[u] >= 0 ? __ldg(A_vals + p + u * ROWS_AT_ONCE + first) : 0;
    UNROLL for (int u = 0; u < AT_ONCE; u++)
        if (j[u] >= 0)
            x[u] = X[(int64_t)j[u] * ROW_LANES];
        else
            x[u] = value_16();
    UNROLL for (int u = 0; u < AT_ONCE; u++)
        UNROLL for (int v = 0; v < VECTOR; v++) sum[v] += a[u] * x[u].v[v];
}

/* The row's sums: over the groups of lanes that have had entries of it. */
static __device__ __forceinline__ void spmm_put(value_t *sum, int lane, value_t *row) {
    UNROLL for (int v = 0; v < VECTOR; v++)
        UNROLL for (int d = ROW_LANES; d < LANES; d *= 2) sum[v] += __shfl_xor_sync(ALL, sum[v], d);
    if (lane < ROW_LANES) {
        value_16 all;
        UNROLL for (int v = 0; v < VECTOR; v++) all.v[v] = sum[v];
        ((value_16 *)row)[lane] = all;
    }
}

static __global__ void __launch_bounds__(256, 4)
    spmm_part(SPMM_PARAMETERS, int32_t parts, const int32_t *__restrict__ bound_row,
              const int32_t *__restrict__ bound_p, int32_t *__restrict__ begun_row, value_t *__restrict__ begun_sum) {
    const int lane = threadIdx.x % LANES;
    const int32_t part = blockIdx.x * (256 / LANES) + threadIdx.x / LANES;
    if (part >= parts) return;
    int32_t i = bound_row[part], p = bound_p[part];
    const int32_t i_past = bound_row[part + 1], p_past = bound_p[part + 1];
    for (; i < i_past; i += LANES) { /* where the next 32 rows end, a lane each */
        const int32_t ends = i + lane < i_past ? A2_pos[i + lane + 1] : 0;
        const int rows = min(i_past - i, LANES + 0);
        for (int r = 0; r < rows; r++) {
            const int32_t end = __shfl_sync(ALL, ends, r);
            value_t sum[VECTOR] = {};
            spmm_add<SPMM_AT_ONCE>(sum, p, end, lane, A2_crd, A_vals, X_vals);
            spmm_put(sum, lane, Y_vals + (int64_t)(i + r) * SPMM_COLUMNS);
            p = end;
        }
    }
    const bool begun = p < p_past;
    if (begun) {
        value_t sum[VECTOR] = {};
        spmm_add<SPMM_AT_ONCE>(sum, p, p_past, lane, A2_crd, A_vals, X_vals);
        spmm_put(sum, lane, begun_sum + (int64_t)part * SPMM_COLUMNS);
    }
    if (lane == 0) begun_row[part] = begun ? i_past : -1;
}

/* Where a part is the first to have begun a row, a warp adds what that and the next have, if they are
 * few; else all of the block.  The part that ends the row has stored the rest. */
static __global__ void __launch_bounds__(256)
    spmm_begun(int32_t parts, const int32_t *__restrict__ begun_row, const value_t *__restrict__ begun_sum,
               value_t *__restrict__ Y_vals) {
    enum { WARPS = 256 / LANES, PARTS = 32, FEW = 8, AT_ONCE = 4 };
    __shared__ bool many[PARTS];
    __shared__ value_t warp_sum[WARPS][SPMM_COLUMNS];
    const int lane = threadIdx.x % LANES, warp = threadIdx.x / LANES;
    const int32_t first_part = blockIdx.x * PARTS;
    for (int t = warp; t < PARTS; t += WARPS) {
        const int32_t part = first_part + t, i = part < parts ? begun_row[part] : -1;
        const bool first = i >= 0 && (part == 0 || begun_row[part - 1] != i);
        int32_t k = part;
        value_t sum = 0;
        if (first)
            for (; k < part + FEW && k < parts && begun_row[k] == i; k++) sum += begun_sum[(int64_t)k * SPMM_COLUMNS + lane];
        const bool more = first && k < parts && begun_row[k] == i;
        if (first && !more) Y_vals[(int64_t)i * SPMM_COLUMNS + lane] += sum;
        if (lane == 0) many[t] = more;
    }
    __syncthreads();
    for (int t = 0; t < PARTS; t++) {
        if (!many[t]) continue;
        const int32_t i = begun_row[first_part + t];
        value_t sum = 0;
        for (int32_t k = first_part + t + warp; k < parts; k += WARPS * AT_ONCE) {
            bool same[AT_ONCE];
            UNROLL for (int u = 0; u < AT_ONCE; u++) same[u] = k + u * WARPS < parts && begun_row[k + u * WARPS] == i;
            UNROLL for (int u = 0; u < AT_ONCE; u++)
                sum += same[u] ? begun_sum[(int64_t)(k + u * WARPS) * SPMM_COLUMNS + lane] : 0;
            if (!same[AT_ONCE - 1]) break;
        }
        warp_sum[warp][lane] = sum;
        __syncthreads();
        if (threadIdx.x < SPMM_COLUMNS) {
            value_t all = 0;
            for (int o = 0; o < WARPS; o++) all += warp_sum[o][threadIdx.x];
            Y_vals[(int64_t)i * SPMM_COLUMNS + threadIdx.x] += all;
        }
        __syncthreads();
    }
}

/* A stores `size` entries: the number of parts follows from it. */
extern "C" int spmm_parts(SPMM_PARAMETERS, int64_t size, cudaStream_t stream) {
    int status = 0;
    value_t *begun_sum;
    const int32_t each = work_each(A1_dimension + size), parts = (int32_t)((A1_dimension + size + each - 1) / each);
    if (!parts) return 0;
    NEED(begun_sum, (int64_t)parts * SPMM_COLUMNS + 3 * ((int64_t)parts + 1)); /* three numbers each, too */
    if (!status) {
        int32_t *begun_row = (int32_t *)(begun_sum + (int64_t)parts * SPMM_COLUMNS);
        int32_t *bound_row = begun_row + parts, *bound_p = bound_row + parts + 1;
        LAUNCH(part_whole_rows, parts / 256 + 1, 256, stream, A1_dimension, A2_pos, parts, each, bound_row, bound_p);
        LAUNCH(spmm_part, (parts + 7) / 8, 256, stream, A1_dimension, GIVE(A), X_vals, Y_vals, parts, bound_row,
               bound_p, begun_row, begun_sum);
        LAUNCH(spmm_begun, (parts + 31) / 32, 256, stream, parts, begun_row, begun_sum, Y_vals);
        TRY(cudaGetLastError());
    }
    FREE(begun_sum);
    return status;
}
