/* spmv.cu - y(i) = A(i,j) * x(j), A csr; TTV likewise, with B3_pos for A2_pos.
 *
 * spmv_lanes  rows of about one length.  G lanes have a row, and compute ROWS rows at once, so that
 *             more loads are under way.  16x2 for 16 entries a row, 4x2 for 3.
 *     split(i, ib, iw, down, 256 / G); pos(j, p, A(i,j)); split(p, p0, lane, down, G);
 *     parallelize(ib, gpu_block); parallelize(iw, gpu_warp);
 *     parallelize(lane, gpu_thread, warp_reduction); unroll over ROWS values of iw
 * spmv_tiles  rows of any length.  A block has one tile of equal work; part_rows says where it
 *             begins; spmv_begun adds what is begun of rows that go on in the next tile.
 *     collapse(i, j, f); pos(f, p, A(i,j)); split by work; parallelize(p0, gpu_block, temporary);
 *     precompute(A(i,j) * x(j), product, {p1,p1,p1}, dense, shared);
 *     parallelize(p1, gpu_thread, temporary)
 *
 * H200, f64 ms (of cuSPARSE): 16x2 uniform16 0.583 (1.01), 4x2 short3 0.383 (1.18), tiles power 0.416 (0.93).
 * SPDX-License-Identifier: MIT
 */
#pragma once
#include "helpers.cuh"

#define SPMV_PARAMETERS int32_t A1_dimension, CSR(A), const value_t *__restrict__ x_vals, value_t *__restrict__ y_vals
#define SPMV_ARGUMENTS  A1_dimension, GIVE(A), x_vals, y_vals

/* ---- rows to groups of lanes ---- */

template <int G, int ROWS, way how> static __global__ void __launch_bounds__(256, 8) spmv_lanes_of(SPMV_PARAMETERS) {
    enum { GROUPS = 256 / G, AT_ONCE = GROUPS * ROWS };
    const int lane = threadIdx.x % G, group = threadIdx.x / G;
    for (int64_t i0 = (int64_t)blockIdx.x * AT_ONCE; i0 < A1_dimension; i0 += (int64_t)gridDim.x * AT_ONCE) {
        int32_t p[ROWS], end[ROWS];
        value_t sum[ROWS] = {};
        int32_t longest = 0;
        UNROLL for (int k = 0; k < ROWS; k++) {
            int64_t i = i0 + k * GROUPS + group;
            p[k] = i < A1_dimension ? A2_pos[i] + lane : 0;
            end[k] = i < A1_dimension ? A2_pos[i + 1] : 0;
            longest = max(longest, end[k] - p[k]);
        }
        for (; longest > 0; longest -= G) {
            int32_t j[ROWS];
            value_t a[ROWS];
            UNROLL for (int k = 0; k < ROWS; k++) {
                j[k] = p[k] < end[k] ? load<how>(A2_crd + p[k]) : -1;
                a[k] = p[k] < end[k] ? load<how>(A_vals + p[k]) : 0;
                p[k] += G;
            }
            UNROLL for (int k = 0; k < ROWS; k++)
                if (j[k] >= 0) sum[k] += a[k] * __ldg(x_vals + j[k]);
        }
        UNROLL for (int k = 0; k < ROWS; k++) {
            int64_t i = i0 + k * GROUPS + group;
            value_t y_val = lanes_sum<G>(sum[k]);
            if (i < A1_dimension && lane == 0) __stcs(y_vals + i, y_val);
        }
    }
}

template <int G, int ROWS, way how> static int spmv_lanes(SPMV_PARAMETERS, cudaStream_t stream) {
    int status = 0;
    const int32_t blocks = (int32_t)((int64_t)A1_dimension / (256 / G * ROWS) + 1);
    const auto kernel = spmv_lanes_of<G, ROWS, how>;
    LAUNCH(kernel, blocks, 256, stream, SPMV_ARGUMENTS);
    TRY(cudaGetLastError());
    return status;
}

extern "C" int spmv_lanes_16x2(SPMV_PARAMETERS, cudaStream_t stream) {
    return spmv_lanes<16, 2, ONCE>(SPMV_ARGUMENTS, stream);
}

extern "C" int spmv_lanes_4x2(SPMV_PARAMETERS, cudaStream_t stream) {
    return spmv_lanes<4, 2, L2_ONCE>(SPMV_ARGUMENTS, stream);
}

/* ---- tiles of equal work ---- */

enum { TILE_THREADS = 128, TILE_EACH = 7, TILE = TILE_THREADS * TILE_EACH };

/* The work before row i is i + pos[i].  bound_row[k]: the row that part k begins in, 0 to parts. */
static __global__ void __launch_bounds__(256) part_rows(int32_t dimension, const int32_t *__restrict__ pos,
                                                        int32_t parts, int32_t each, int32_t *__restrict__ bound_row) {
    const int64_t work = (int64_t)dimension + pos[dimension];
    const int32_t part = blockIdx.x * 256 + threadIdx.x;
    const int64_t at = min((int64_t)part * each, work);
    if (part <= parts) bound_row[part] = last_before<1>(pos, 0, (int32_t)min((int64_t)dimension, at), at);
}

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
    spmv_tile(SPMV_PARAMETERS, const int32_t *__restrict__ bound_row, int32_t *__restrict__ begun_row,
              value_t *__restrict__ begun_sum) {
    enum { WARPS = TILE_THREADS / LANES };
    __shared__ value_t product[TILE + 1]; /* of entries; behind them is where rows end */
    __shared__ value_t warp_sum[WARPS];
    __shared__ bool warp_ends[WARPS];
    const int lane = threadIdx.x % LANES, warp = threadIdx.x / LANES;
    const int64_t work = (int64_t)A1_dimension + A2_pos[A1_dimension];
    const int64_t at = (int64_t)blockIdx.x * TILE, past = min(at + TILE, work);
    const int32_t i = bound_row[blockIdx.x], i_past = bound_row[blockIdx.x + 1];
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
    int32_t *begun_row, *bound_row;
    value_t *begun_sum;
    const int32_t parts = (int32_t)((A1_dimension + size + TILE - 1) / TILE);
    if (!parts) return 0;
    NEED(bound_row, parts + 1);
    NEED(begun_row, parts);
    NEED(begun_sum, parts);
    if (!status) {
        LAUNCH(part_rows, parts / 256 + 1, 256, stream, A1_dimension, A2_pos, parts, TILE, bound_row);
        LAUNCH(spmv_tile, parts, TILE_THREADS, stream, SPMV_ARGUMENTS, bound_row, begun_row, begun_sum);
        LAUNCH(spmv_begun, (parts + 255) / 256, 256, stream, A1_dimension, parts, begun_row, begun_sum, y_vals);
        TRY(cudaGetLastError());
    }
    FREE(bound_row, begun_row, begun_sum);
    return status;
}
