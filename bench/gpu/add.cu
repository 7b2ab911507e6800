/* add.cu - C(i,j) = A(i,j) + B(i,j), all csr, rows in order: count, scan, fill.
 *
 * Both passes merge in tiles of equal work, however long rows are: 128 threads with 8 steps each of the
 * merge of all rows.  tile_bounds searches for where tiles begin: for the row and, in the row, for how far the
 * merge is (a diagonal).  A tile's coordinates and values go through shared memory, where a thread
 * searches for where it begins, and so does what it has of C.  A coordinate of both belongs to the step of
 * A's; the step of B's does nothing.
 *     collapse(i, j, f); split(f, f0, f1, work, 1024) over what the union of A and B visits;
 *     parallelize(f0, gpu_block, no_races); parallelize(f1, gpu_thread, no_races);
 *     precompute(A(i,j), a, ..., shared); precompute(B(i,j), b, ..., shared)
 *
 * H200, f64 ms (of cuSPARSE): uniform16 1.023 (14.8), power 0.933 (42.3); f32: 0.782 (19.1), 0.826 (47.3).
 * SPDX-License-Identifier: MIT
 */
#pragma once
#include "helpers.cuh"

enum { ADD_THREADS = 128, ADD_EACH = 8, ADD_TILE = ADD_THREADS * ADD_EACH };

#define PATTERNS                                                                                          \
    const int32_t *__restrict__ A2_pos, const int32_t *__restrict__ A2_crd, const int32_t *__restrict__ B2_pos, \
        const int32_t *__restrict__ B2_crd

/* The last row in [low, high] before which there is at most so much work: A2_pos[i] + B2_pos[i]. */
static __device__ __forceinline__ int32_t add_row(const int32_t *A2_pos, const int32_t *B2_pos, int32_t low,
                                                  int32_t high, int64_t work) {
    while (low < high) {
        int32_t middle = high - (high - low) / 2;
        if ((int64_t)A2_pos[middle] + B2_pos[middle] <= work)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

/* How many of A's, between low and high, are before `work` of the merge: entries of A go before those of B
 * at the same coordinate.  a[p] and b[p] are the coordinates at position p. */
static __device__ __forceinline__ int64_t add_diagonal(const int32_t *a, const int32_t *b, int64_t low, int64_t high,
                                                       int64_t work) {
    while (low < high) {
        int64_t middle = (low + high) / 2;
        if (a[middle] <= b[work - 1 - middle])
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* bound_row[t], bound_pA[t]: the row that tile t begins in, and A's position; B's is what is left. */
static __global__ void __launch_bounds__(256)
    tile_bounds(int32_t A1_dimension, PATTERNS, int32_t tiles, int32_t *__restrict__ bound_row,
                int32_t *__restrict__ bound_pA) {
    const int32_t tile = blockIdx.x * 256 + threadIdx.x;
    if (tile > tiles) return;
    const int64_t work = (int64_t)A2_pos[A1_dimension] + B2_pos[A1_dimension];
    const int64_t at = min((int64_t)tile * ADD_TILE, work);
    const int32_t i = add_row(A2_pos, B2_pos, 0, A1_dimension - 1, at);
    const int64_t low = at - B2_pos[i + 1], high = at - B2_pos[i];
    bound_row[tile] = i;
    bound_pA[tile] = (int32_t)add_diagonal(A2_crd, B2_crd, low > A2_pos[i] ? low : A2_pos[i],
                                           min(high, (int64_t)A2_pos[i + 1]), at);
}

/* A tile: rows [i, i_past], positions from pA, pB to before pA_past, pB_past. */
struct add_tile {
    int32_t i, i_past, pA, pA_past, pB, pB_past;
};

/* A thread's steps.  `has`: at which steps there is a component; `opens`: at which a row begins. */
struct add_steps {
    unsigned has, opens;
    int32_t row[ADD_EACH], crd[ADD_EACH];
    value_t val[ADD_EACH];
};

/* crdA and so on are of positions, as A2_crd is.  Values are NULL where they are not wanted. */
static __device__ __forceinline__ void add_merge(struct add_tile t, int64_t from, int64_t past,
                                                 const int32_t *__restrict__ A2_pos,
                                                 const int32_t *__restrict__ B2_pos, const int32_t *crdA,
                                                 const int32_t *crdB, const value_t *valA, const value_t *valB,
                                                 struct add_steps *s) {
    int32_t i = add_row(A2_pos, B2_pos, t.i, t.i_past, from);
    int32_t row_pA = A2_pos[i], pA_end = A2_pos[i + 1], pB_end = B2_pos[i + 1];
    const int32_t row_pB = B2_pos[i];
    const int64_t low = from - min(pB_end, t.pB_past), high = from - max(row_pB, t.pB);
    const int32_t least = max(row_pA, t.pA);
    int32_t pA = (int32_t)add_diagonal(crdA, crdB, low > least ? low : least,
                                       min(high, (int64_t)min(pA_end, t.pA_past)), from);
    int32_t pB = (int32_t)(from - pA);
    bool opens = pA == row_pA && pB == row_pB;
    UNROLL for (int k = 0; k < ADD_EACH; k++)
        if (from + k < past) {
            if (pA == pA_end && pB == pB_end) { /* the next row that has anything */
                i++;
                if (A2_pos[i + 1] == pA && B2_pos[i + 1] == pB) i = add_row(A2_pos, B2_pos, i, t.i_past, from + k);
                row_pA = pA, pA_end = A2_pos[i + 1], pB_end = B2_pos[i + 1];
                opens = true;
            }
            s->row[k] = i;
            s->opens |= (unsigned)opens << k;
            opens = false;
            const int32_t jA = pA < pA_end ? crdA[pA] : INT32_MAX, jB = pB < pB_end ? crdB[pB] : INT32_MAX;
            const bool ofA = jA <= jB, both = !ofA && pA > row_pA && crdA[pA - 1] == jB;
            s->has |= (unsigned)!both << k;
            s->crd[k] = ofA ? jA : jB;
            if (valA) s->val[k] = ofA ? valA[pA] + (jA == jB ? valB[pB] : 0) : valB[pB];
            pA += ofA;
            pB += !ofA;
        }
}

/* Counts a tile's components, or fills C with them, from count[tile] on. */
template <bool fill>
static __global__ void __launch_bounds__(ADD_THREADS)
    add_of_tile(int32_t A1_dimension, CSR(A), CSR(B), const int32_t *__restrict__ bound_row,
                const int32_t *__restrict__ bound_pA, int32_t *__restrict__ count, int32_t *__restrict__ C2_pos,
                int32_t *__restrict__ C2_crd, value_t *__restrict__ C_vals) {
    __shared__ int32_t crd[ADD_TILE + 4];
    __shared__ value_t val[fill ? ADD_TILE + 4 : 1];
    const int32_t tile = blockIdx.x, thread = threadIdx.x, sizeA = A2_pos[A1_dimension], sizeB = B2_pos[A1_dimension];
    const int64_t first = (int64_t)tile * ADD_TILE, last = min(first + ADD_TILE, (int64_t)sizeA + sizeB);
    struct add_tile t = {bound_row[tile], bound_row[tile + 1], bound_pA[tile], bound_pA[tile + 1], 0, 0};
    t.pB = (int32_t)(first - t.pA);
    t.pB_past = (int32_t)(last - t.pA_past);
    /* A's from the one before the tile to the one behind, then B's to the one behind */
    const int32_t n = t.pA_past - t.pA;
    for (int32_t p = t.pA - 1 + thread; p <= t.pA_past; p += ADD_THREADS) {
        const bool is = p >= 0 && p < sizeA;
        crd[p - t.pA + 1] = is ? __ldcs(A2_crd + p) : -1;
        if (fill) val[p - t.pA + 1] = is ? __ldcs(A_vals + p) : 0;
    }
    for (int32_t p = t.pB + thread; p <= t.pB_past; p += ADD_THREADS) {
        const bool is = p < sizeB;
        crd[p - t.pB + n + 2] = is ? __ldcs(B2_crd + p) : -1;
        if (fill) val[p - t.pB + n + 2] = is ? __ldcs(B_vals + p) : 0;
    }
    __syncthreads();
    struct add_steps s = {0, 0, {}, {}, {}};
    const int64_t from = first + thread * ADD_EACH, past = min(from + ADD_EACH, last);
    if (from < past)
        add_merge(t, from, past, A2_pos, B2_pos, crd + 1 - t.pA, crd + n + 2 - t.pB, fill ? val + 1 - t.pA : 0,
                  fill ? val + n + 2 - t.pB : 0, &s);
    int64_t all;
    int to = (int)block_before<ADD_THREADS>(__popc(s.has), &all);
    if (!fill) {
        if (thread == 0) count[tile] = (int32_t)all;
        return;
    }
    const int32_t begin = count[tile];
    UNROLL for (int k = 0; k < ADD_EACH; k++) {
        if (s.opens >> k & 1) C2_pos[s.row[k]] = begin + to;
        if (s.has >> k & 1) {
            crd[to] = s.crd[k];
            val[to++] = s.val[k];
        }
    }
    __syncthreads();
    for (int e = thread; e < all; e += ADD_THREADS) {
        __stcs(C2_crd + begin + e, crd[e]);
        __stcs(C_vals + begin + e, val[e]);
    }
}

/* Rows in which there is nothing begin where the next one does that has something. */
static __global__ void __launch_bounds__(256)
    add_empty(int32_t A1_dimension, const int32_t *__restrict__ A2_pos, const int32_t *__restrict__ B2_pos,
              int64_t size, int32_t *__restrict__ C2_pos) {
    for (int64_t i = (int64_t)blockIdx.x * 256 + threadIdx.x; i <= A1_dimension; i += (int64_t)gridDim.x * 256) {
        int64_t before = (int64_t)A2_pos[i] + B2_pos[i];
        if (i == A1_dimension || before == (int64_t)A2_pos[A1_dimension] + B2_pos[A1_dimension])
            C2_pos[i] = (int32_t)size;
        else if ((int64_t)A2_pos[i + 1] + B2_pos[i + 1] == before)
            C2_pos[i] = C2_pos[add_row(A2_pos, B2_pos, (int32_t)i, A1_dimension - 1, before)];
    }
}

/* A and B store so many entries.  The arrays of C are allocated: the caller's to free.  Waits for the stream once. */
extern "C" int add(int32_t A1_dimension, CSR(A), CSR(B), int64_t size, int32_t **C2_pos, int32_t **C2_crd,
                   value_t **C_vals, cudaStream_t stream) {
    int status = 0;
    int32_t *count, *no_pos = 0, *no_crd = 0;
    value_t *no_vals = 0;
    int64_t *part_sum, all = 0;
    const int32_t tiles = (int32_t)((size + ADD_TILE - 1) / ADD_TILE);
    *C2_pos = *C2_crd = 0, *C_vals = 0;
    NEED(count, 3 * ((int64_t)tiles + 1)); /* and two bounds a tile */
    NEED(part_sum, SCAN_PARTS + 1);
    int32_t *bound_row = count + tiles + 1, *bound_pA = bound_row + tiles + 1;
    if (!status && tiles) {
        LAUNCH(tile_bounds, tiles / 256 + 1, 256, stream, A1_dimension, A2_pos, A2_crd, B2_pos, B2_crd, tiles,
               bound_row, bound_pA);
        LAUNCH(add_of_tile<false>, tiles, ADD_THREADS, stream, A1_dimension, GIVE(A), GIVE(B), bound_row, bound_pA,
               count, no_pos, no_crd, no_vals);
        scan(count, tiles, part_sum, count, stream);
        TRY(cudaMemcpyAsync(&all, part_sum + SCAN_PARTS, sizeof all, cudaMemcpyDeviceToHost, stream));
        TRY(cudaStreamSynchronize(stream));
    }
    if (!status && all > INT32_MAX) status = TOO_MANY;
    NEED(*C2_pos, (int64_t)A1_dimension + 1);
    NEED(*C2_crd, all);
    NEED(*C_vals, all);
    if (!status) {
        int32_t *pos = *C2_pos, *crd = *C2_crd;
        value_t *vals = *C_vals;
        if (tiles)
            LAUNCH(add_of_tile<true>, tiles, ADD_THREADS, stream, A1_dimension, GIVE(A), GIVE(B), bound_row, bound_pA,
                   count, pos, crd, vals);
        LAUNCH(add_empty, blocks_for((int64_t)A1_dimension + 1, 256), 256, stream, A1_dimension, A2_pos, B2_pos, all,
               pos);
        TRY(cudaGetLastError());
    }
    FREE(count, part_sum);
    if (status) {
        int kept = status;
        FREE(*C2_pos, *C2_crd, *C_vals);
        *C2_pos = *C2_crd = 0, *C_vals = 0;
        status = kept;
    }
    return status;
}
