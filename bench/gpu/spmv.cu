/* spmv.cu - y(i) = A(i,j) * x(j), A csr; TTV likewise, with B3_pos for A2_pos.
 *
 * spmv_rows   no row longer than 16 times the mean.  A team of lanes has a row, and loads four
 *             entries a lane before it uses one.  A team is half the mean length, rounded down to a
 *             power of two.
 *     split(i, ib, iw, down, 256 / G); pos(j, p, A(i,j)); split(p, p0, lane, down, G);
 *     parallelize(ib, gpu_block); parallelize(iw, gpu_warp);
 *     parallelize(lane, gpu_thread, warp_reduction); unroll(p0, 4)
 * spmv_tiles  rows of any length.  A block has one tile of equal work: two of its warps search for
 *             where it begins and ends; spmv_begun adds what is begun of rows that go on in the next
 *             tile.
 *     collapse(i, j, f); pos(f, p, A(i,j)); split by work; parallelize(p0, gpu_block, temporary);
 *     precompute(A(i,j) * x(j), product, {p1,p1,p1}, dense, shared);
 *     parallelize(p1, gpu_thread, temporary)
 *
 * H200, f64 ms (of cuSPARSE): rows uniform16 0.581 (1.02), short3 0.456 (0.99), long500 0.401 (0.97),
 * band27 0.084 (1.40); tiles power 0.428 (0.91); f32: 0.489 (0.98), 0.231 (1.07), 0.375 (0.99), 0.065 (1.28); 0.400 (0.91).
 * SPDX-License-Identifier: MIT
 */
#pragma once
#include "helpers.cuh"

#define SPMV_PARAMETERS int32_t A1_dimension, CSR(A), const value_t *__restrict__ x_vals, value_t *__restrict__ y_vals
#define SPMV_ARGUMENTS  A1_dimension, GIVE(A), x_vals, y_vals

/* ---- rows to teams of G lanes ---- */

template <int G> static __global__ void __launch_bounds__(256, 8) spmv_team(SPMV_PARAMETERS) {
    enum { AT_ONCE = 4 };
    const int lane = threadIdx.x % G;
    const int64_t i = ((int64_t)blockIdx.x * 256 + threadIdx.x) / G;
    const int32_t end = i < A1_dimension ? A2_pos[i + 1] : 0;
    value_t sum = 0;
    for (int32_t p = i < A1_dimension ? A2_pos[i] + lane : 0; p < end; p += G * AT_ONCE) {
        int32_t j[AT_ONCE];
        value_t a[AT_ONCE];
        UNROLL for (int u = 0; u < AT_ONCE; u++) j[u] = p + u * G < end ? __ldcs(A2_crd + p + u * G) : -1;
        UNROLL for (int u = 0; u < AT_ONCE; u++) a[u] = p + u * G < end ? __ldcs(A_vals + p + u * G) : 0;
        UNROLL for (int u = 0; u < AT_ONCE; u++)
            if (j[u] >= 0) sum += a[u] * __ldg(x_vals + j[u]);
    }
    sum = lanes_sum<G>(sum);
    if (i < A1_dimension && lane == 0) __stcs(y_vals + i, sum);
}

/* A stores `size` entries: the width of teams follows from it. */
extern "C" int spmv_rows(SPMV_PARAMETERS, int64_t size, cudaStream_t stream) {
    int status = 0, G = 1;
    if (A1_dimension == 0) return 0;
    while (G < LANES && (int64_t)4 * G * A1_dimension <= size) G *= 2;
    const auto kernel = G == 1    ? spmv_team<1>
                        : G == 2  ? spmv_team<2>
                        : G == 4  ? spmv_team<4>
                        : G == 8  ? spmv_team<8>
                        : G == 16 ? spmv_team<16>
                                  : spmv_team<32>;
    LAUNCH(kernel, (int32_t)(((int64_t)A1_dimension * G + 255) / 256), 256, stream, SPMV_ARGUMENTS);
    TRY(cudaGetLastError());
    return status;
}

/* ---- tiles of equal work ---- */

enum { TILE_THREADS = 128, TILE_EACH = 7, TILE = TILE_THREADS * TILE_EACH };

/* The tile's products go to product[], and where its rows end to row_end[]. */
static __device__ __forceinline__ void spmv_tile_load(int entries, int rows, const int32_t *__restrict__ pos, int32_t p,
                                                      const int32_t *__restrict__ A2_crd,
                                                      const value_t *__restrict__ A_vals,
                                                      const value_t *__restrict__ x_vals, value_t *product,
                                                      int32_t *row_end) {
    const int thread = threadIdx.x;
    int32_t j[TILE_EACH];
    value_t a[TILE_EACH];
    UNROLL for (int k = 0; k < TILE_EACH; k++) {
        const int e = thread + k * TILE_THREADS;
        j[k] = e < entries ? __ldcs(A2_crd + p + e) : 0;
    }
    UNROLL for (int k = 0; k < TILE_EACH; k++) {
        const int e = thread + k * TILE_THREADS;
        a[k] = e < entries ? __ldcs(A_vals + p + e) : 0;
    }
    for (int r = thread; r < rows; r += TILE_THREADS) row_end[r] = pos[r + 1] - p;
    UNROLL for (int k = 0; k < TILE_EACH; k++)
        if (thread + k * TILE_THREADS < entries) a[k] *= __ldg(x_vals + j[k]);
    UNROLL for (int k = 0; k < TILE_EACH; k++)
        if (thread + k * TILE_THREADS < entries) product[thread + k * TILE_THREADS] = a[k];
}

/* A thread's steps: either the next product is added or a row ends.  *ended: the first row that
 * ends here, or -1; *ended_sum: what it has here.  Gives what is begun of the last. */
static __device__ __forceinline__ value_t spmv_tile_walk(int entries, int rows, const value_t *product,
                                                         const int32_t *row_end, value_t *y_vals, int *ended,
                                                         value_t *ended_sum) {
    /* where this thread begins: r rows have ended, so e entries are done */
    const int all = entries + rows, first = min((int)threadIdx.x * TILE_EACH, all);
    int r = max(0, first - entries), high = min(first, rows);
    while (r < high) {
        int middle = (r + high + 1) / 2;
        if (middle + row_end[middle - 1] <= first)
            r = middle;
        else
            high = middle - 1;
    }
    int e = first - r, next_end = r < rows ? row_end[r] : TILE + 1;
    value_t sum = 0;
    *ended = -1, *ended_sum = 0;
    UNROLL for (int k = 0; k < TILE_EACH; k++)
        if (first + k < all) {
            if (next_end <= e) {
                if (*ended < 0)
                    *ended = r, *ended_sum = sum;
                else
                    __stcs(y_vals + r, sum);
                sum = 0;
                r++;
                next_end = r < rows ? row_end[r] : TILE + 1;
            } else {
                sum += product[e++];
            }
        }
    return sum;
}

static __global__ void __launch_bounds__(TILE_THREADS)
    spmv_tile(SPMV_PARAMETERS, int32_t *__restrict__ begun_row, value_t *__restrict__ begun_sum) {
    enum { WARPS = TILE_THREADS / LANES };
    __shared__ value_t product[TILE + 1]; /* of entries; behind them is where rows end */
    __shared__ value_t warp_sum[WARPS];
    __shared__ bool warp_ends[WARPS];
    __shared__ int32_t bound_row[2]; /* where the tile begins and ends: the work before row i is i + A2_pos[i] */
    const int lane = threadIdx.x % LANES, warp = threadIdx.x / LANES;
    const int64_t work = (int64_t)A1_dimension + A2_pos[A1_dimension];
    const int64_t at = (int64_t)blockIdx.x * TILE, past = min(at + TILE, work);
    if (warp < 2) {
        const int64_t bound = warp ? past : at;
        const int32_t row = warp_last_before(A2_pos, (int32_t)min((int64_t)A1_dimension, bound), bound);
        if (lane == 0) bound_row[warp] = row;
    }
    __syncthreads();
    const int32_t i = bound_row[0], i_past = bound_row[1];
    const int rows = i_past - i, entries = (int)(past - at) - rows;
    int32_t *const row_end = (int32_t *)(product + entries);
    spmv_tile_load(entries, rows, A2_pos + i, (int32_t)(at - i), A2_crd, A_vals, x_vals, product, row_end);
    __syncthreads();
    int ended;
    value_t ended_sum;
    value_t sum = spmv_tile_walk(entries, rows, product, row_end, y_vals + i, &ended, &ended_sum);
    /* what threads before have begun: sums back to the last that ended a row */
    bool ends = ended >= 0;
    UNROLL for (int d = 1; d < LANES; d *= 2) {
        value_t other = __shfl_up_sync(ALL, sum, d);
        bool other_ends = __shfl_up_sync(ALL, (int)ends, d);
        if (lane >= d) {
            sum = ends ? sum : sum + other;
            ends |= other_ends;
        }
    }
    value_t before = __shfl_up_sync(ALL, sum, 1);
    bool before_ends = __shfl_up_sync(ALL, (int)ends, 1) && lane > 0;
    before = lane > 0 ? before : 0;
    if (lane == LANES - 1) {
        warp_sum[warp] = sum;
        warp_ends[warp] = ends;
    }
    __syncthreads();
    value_t carry = 0;
    for (int w = 0; w < WARPS; w++) {
        if (w == warp && ended >= 0) __stcs(y_vals + i + ended, (before_ends ? before : carry + before) + ended_sum);
        carry = warp_ends[w] ? warp_sum[w] : carry + warp_sum[w];
    }
    if (threadIdx.x == 0) {
        begun_row[blockIdx.x] = i_past;
        begun_sum[blockIdx.x] = carry;
    }
}

/* What parts [k, ...) have begun of the row, by all of a warp. */
static __device__ __forceinline__ value_t begun_by_warp(int32_t row, int32_t k, int32_t parts,
                                                        const int32_t *__restrict__ begun_row,
                                                        const value_t *__restrict__ begun_sum) {
    enum { AT_ONCE = 4 };
    value_t sum = 0;
    for (k += threadIdx.x % LANES;; k += AT_ONCE * LANES) {
        bool same[AT_ONCE];
        value_t v[AT_ONCE];
        UNROLL for (int u = 0; u < AT_ONCE; u++) same[u] = k + u * LANES < parts && begun_row[k + u * LANES] == row;
        UNROLL for (int u = 0; u < AT_ONCE; u++) v[u] = same[u] ? begun_sum[k + u * LANES] : 0;
        UNROLL for (int u = 0; u < AT_ONCE; u++) sum += v[u];
        if (!__all_sync(ALL, same[AT_ONCE - 1])) return lanes_sum<LANES>(sum);
    }
}

/* A thread for each part that is the first to have begun a row: what it and the next ones have of
 * that is added; if those are many, by all of the warp. */
static __global__ void __launch_bounds__(256)
    spmv_begun(int32_t A1_dimension, int32_t parts, const int32_t *__restrict__ begun_row,
               const value_t *__restrict__ begun_sum, value_t *__restrict__ y_vals) {
    enum { FEW = 8 };
    const int lane = threadIdx.x % LANES;
    const int32_t part = blockIdx.x * 256 + threadIdx.x;
    const int32_t i = part < parts ? begun_row[part] : A1_dimension;
    const bool first = i < A1_dimension && (part == 0 || begun_row[part - 1] != i);
    value_t sum = 0;
    int32_t k = part;
    if (first)
        for (; k < part + FEW && k < parts && begun_row[k] == i; k++) sum += begun_sum[k];
    unsigned many = __ballot_sync(ALL, first && k == part + FEW);
    for (; many; many &= many - 1) {
        const int of = __ffs((int)many) - 1;
        const int32_t row = __shfl_sync(ALL, i, of), from = __shfl_sync(ALL, k, of);
        value_t more = begun_by_warp(row, from, parts, begun_row, begun_sum);
        if (lane == of) sum += more;
    }
    if (first) y_vals[i] += sum;
}

/* A stores `size` entries: the number of tiles follows from it. */
extern "C" int spmv_tiles(SPMV_PARAMETERS, int64_t size, cudaStream_t stream) {
    int status = 0;
    value_t *begun_sum;
    const int32_t parts = (int32_t)((A1_dimension + size + TILE - 1) / TILE);
    if (!parts) return 0;
    NEED(begun_sum, 2 * (int64_t)parts); /* a row for each sum, too */
    if (!status) {
        int32_t *begun_row = (int32_t *)(begun_sum + parts);
        LAUNCH(spmv_tile, parts, TILE_THREADS, stream, SPMV_ARGUMENTS, begun_row, begun_sum);
        LAUNCH(spmv_begun, (parts + 255) / 256, 256, stream, A1_dimension, parts, begun_row, begun_sum, y_vals);
        TRY(cudaGetLastError());
    }
    FREE(begun_sum);
    return status;
}
