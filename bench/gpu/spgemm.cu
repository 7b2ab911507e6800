/* spgemm.cu - A(i,j) = B(i,k) * C(k,j), all csr, rows in order: count, scan, fill.
 *
 * room(i), the sum over k of what row k of C stores, says how row i is computed:
 *     1 to 128      a warp a row.  Its products are written out, sorted in registers with their
 *                   number behind the column, and added up in order: sums are the same each time.
 *     up to 1536    a block a row, a hash table of 2048, sorted at last; sums in any order
 *     more          1024 threads a row, a dense row and its bits in device memory; sums in any order
 * A block numbers 256 rows at a time for the lists of the three kinds.  In the first and the last, a
 * warp takes up to 32 entries of B and shares all their products out evenly, so that a short row of C
 * leaves no lane idle.  Rows of B of more than 256 entries are counted by all of a block.
 *     reorder(i, k, j); precompute(B(i,k) * C(k,j), w, {j,j,jp}, list | hash | bits, shared | temporary);
 *     sort(w); parallelize(i, gpu_warp | gpu_block, no_races)
 *
 * H200, f64 ms (of cuSPARSE): uniform8 1.460 (2.67), band27 12.549 (2.52), power4 0.630 (1.15);
 * f32: 1.388 (2.32), 9.566 (0.65), 0.597 (1.10).
 * SPDX-License-Identifier: MIT
 */
#pragma once
#include "helpers.cuh"

enum { GEMM_G = 8, GEMM_THREADS = 256, WIDE_THREADS = 1024, WIDE_BLOCKS = 264 };
enum { SORT_ROOM = 128, BLOCK_ROOM = 1536, BLOCK_TABLE = 2048, ROOM_LONG = 256 };

/* count gets the lengths of rows if A2_pos is NULL; else A is filled.  rows: a list for each kind. */
#define GEMM_PARAMETERS                                                                                            \
    CSR(B), CSR(C), int32_t *__restrict__ count, const int32_t *__restrict__ A2_pos, int32_t *__restrict__ A2_crd, \
        value_t *__restrict__ A_vals
#define GEMM_ARGUMENTS GIVE(B), GIVE(C), count, GIVE(A)
#define LISTS          const int32_t *__restrict__ rows, const int32_t *__restrict__ kinds

/* Products of entries [pB, past) of B, by a warp, go(number, j, b * c) each; their count. */
template <class GO>
static __device__ __forceinline__ int32_t warp_products(int32_t pB, int32_t past, int lane,
                                                        const int32_t *__restrict__ B2_crd,
                                                        const value_t *__restrict__ B_vals, CSR(C), GO go) {
    const bool is = pB + lane < past;
    const int32_t k = is ? B2_crd[pB + lane] : 0;
    const value_t b = is && B_vals ? B_vals[pB + lane] : 0;
    const int32_t begin = is ? C2_pos[k] : 0, length = is ? C2_pos[k + 1] - begin : 0;
    const int32_t up = lanes_up_to(length);
    const int32_t all = __shfl_sync(ALL, up, LANES - 1); /* products */
    const int32_t first = begin - (up - length);         /* of C's position, less the number */
    for (int32_t t0 = 0; t0 < all; t0 += LANES) {
        const int32_t t = t0 + lane;
        int of = 0; /* the first lane whose products end behind t */
        UNROLL for (int d = LANES / 2; d > 0; d /= 2) of += __shfl_sync(ALL, up, of + d - 1) <= t ? d : 0;
        const int32_t pC = __shfl_sync(ALL, first, of & (LANES - 1)) + t;
        const value_t factor = __shfl_sync(ALL, b, of & (LANES - 1));
        if (t < all) go(t, C2_crd[pC], B_vals ? factor * C_vals[pC] : 0);
    }
    return all;
}

/* What rows of C store that entries p, p + step, ... of B ask for. */
static __device__ __forceinline__ int64_t row_room(int32_t p, int32_t end, int step, const int32_t *__restrict__ B2_crd,
                                                   const int32_t *__restrict__ C2_pos) {
    int64_t room = 0;
    for (; p < end; p += step) {
        const int32_t k = B2_crd[p];
        room += C2_pos[k + 1] - C2_pos[k];
    }
    return room;
}

/* room[i], and the row's number in the list of its kind: empty rows are in none. */
static __global__ void __launch_bounds__(256)
    spgemm_room(int32_t B1_dimension, const int32_t *__restrict__ B2_pos, const int32_t *__restrict__ B2_crd,
                const int32_t *__restrict__ C2_pos, int32_t *__restrict__ rows, int32_t *__restrict__ kinds,
                int32_t *__restrict__ count) {
    enum { WARPS = 256 / LANES };
    __shared__ int64_t room_of[256];
    __shared__ int32_t number[3][WARPS], long_row[256], longs;
    const int lane = threadIdx.x % GEMM_G, warp = threadIdx.x / LANES;
    for (int64_t i0 = (int64_t)blockIdx.x * 256; i0 < B1_dimension; i0 += (int64_t)gridDim.x * 256) {
        if (threadIdx.x == 0) longs = 0;
        __syncthreads();
        for (int r = threadIdx.x / GEMM_G; r < 256; r += 256 / GEMM_G) {
            const int64_t i = i0 + r;
            const int32_t begin = i < B1_dimension ? B2_pos[i] : 0, end = i < B1_dimension ? B2_pos[i + 1] : 0;
            const bool is_long = end - begin > ROOM_LONG;
            if (is_long && lane == 0) long_row[atomicAdd(&longs, 1)] = r;
            int64_t room = is_long ? 0 : row_room(begin + lane, end, GEMM_G, B2_crd, C2_pos);
            UNROLL for (int d = GEMM_G / 2; d > 0; d /= 2) room += __shfl_xor_sync(ALL, room, d);
            if (lane == 0) room_of[r] = room;
        }
        __syncthreads();
        for (int k = 0; k < longs; k++) { /* by all of the block */
            const int64_t i = i0 + long_row[k];
            int64_t room;
            block_before<256>(row_room(B2_pos[i] + threadIdx.x, B2_pos[i + 1], 256, B2_crd, C2_pos), &room);
            if (threadIdx.x == 0) room_of[long_row[k]] = room;
        }
        __syncthreads();
        const int64_t i = i0 + threadIdx.x, room = room_of[threadIdx.x];
        const int kind = room == 0 ? -1 : room <= SORT_ROOM ? 0 : room <= BLOCK_ROOM ? 1 : 2;
        if (i < B1_dimension) count[i] = 0;
        unsigned of_kind[3];
        UNROLL for (int q = 0; q < 3; q++) {
            of_kind[q] = __ballot_sync(ALL, kind == q);
            if (threadIdx.x % LANES == 0) number[q][warp] = __popc(of_kind[q]);
        }
        __syncthreads();
        if (threadIdx.x < 3) {
            int32_t all = 0;
            for (int w = 0; w < WARPS; w++) {
                int32_t here = number[threadIdx.x][w];
                number[threadIdx.x][w] = all;
                all += here;
            }
            int32_t base = all ? atomicAdd(&kinds[threadIdx.x], all) : 0;
            for (int w = 0; w < WARPS; w++) number[threadIdx.x][w] += base;
        }
        __syncthreads();
        UNROLL for (int q = 0; q < 3; q++)
            if (kind == q)
                rows[(int64_t)q * B1_dimension + number[q][warp]
                     + __popc(of_kind[q] & ((1u << (threadIdx.x % LANES)) - 1))] = (int32_t)i;
        __syncthreads();
    }
}

/* key[]: 32 * E of a warp's, lane by lane: in order, as far as `padded` goes. */
template <int E, class KEY> static __device__ __forceinline__ void warp_sort(KEY *key, int lane, int padded) {
    UNROLL for (int run = 2; run <= LANES * E; run *= 2) {
        if (run > padded) break;
        UNROLL for (int d = run / 2; d > 0; d /= 2) {
            const int mask = d == run / 2 ? run - 1 : d; /* at first against the other half the other way round */
            const int lanes = mask / E, items = mask % E;
            if (lanes) {
                KEY other[E];
                UNROLL for (int e = 0; e < E; e++) other[e] = __shfl_xor_sync(ALL, key[e ^ items], lanes);
                const bool upper = lane & (d / E ? d / E : 0);
                UNROLL for (int e = 0; e < E; e++) key[e] = (key[e] < other[e]) == upper ? other[e] : key[e];
            } else {
                UNROLL for (int e = 0; e < E; e++)
                    if (e < (e ^ items)) {
                        const KEY a = key[e], b = key[e ^ items];
                        key[e] = a < b ? a : b;
                        key[e ^ items] = a < b ? b : a;
                    }
            }
        }
    }
}

/* A row of `all` products, of columns column[] and, unless only counted, values value[]. */
template <int E, class KEY>
static __device__ __forceinline__ int32_t sorted_row(int all, int lane, const int32_t *column, const value_t *value,
                                                     KEY *sorted, int32_t *__restrict__ crd,
                                                     value_t *__restrict__ vals) {
    enum { SHIFT = sizeof(KEY) == 4 ? 7 : 32 };
    KEY key[E];
    UNROLL for (int e = 0; e < E; e++) {
        int s = lane * E + e;
        key[e] = s < all ? (KEY)(uint32_t)column[s] << SHIFT | (KEY)s : ~(KEY)0;
    }
    int padded = 2;
    while (padded < all) padded *= 2;
    warp_sort<E, KEY>(key, lane, padded);
    KEY last = __shfl_up_sync(ALL, key[E - 1], 1);
    unsigned heads[E];
    bool is[E];
    int32_t count = 0, at = 0;
    UNROLL for (int e = 0; e < E; e++) {
        const KEY before = e ? key[e ? e - 1 : 0] : last;
        is[e] = lane * E + e < all && ((lane == 0 && e == 0) || before >> SHIFT != key[e] >> SHIFT);
        heads[e] = __ballot_sync(ALL, is[e]);
        count += __popc(heads[e]);
        at += __popc(heads[e] & ((1u << lane) - 1));
    }
    if (!crd) return count;
    UNROLL for (int e = 0; e < E; e++) sorted[lane * E + e] = key[e];
    __syncwarp(ALL);
    UNROLL for (int e = 0; e < E; e++)
        if (is[e]) {
            const KEY j = key[e] >> SHIFT;
            value_t sum = value[(uint32_t)key[e] & (SORT_ROOM - 1)];
            for (int s = lane * E + e + 1; s < all && sorted[s] >> SHIFT == j; s++)
                sum += value[(uint32_t)sorted[s] & (SORT_ROOM - 1)];
            crd[at] = (int32_t)j;
            vals[at] = sum;
            at++;
        }
    return count;
}

template <class KEY, bool fill>
static __global__ void __launch_bounds__(GEMM_THREADS) spgemm_sorted(LISTS, GEMM_PARAMETERS) {
    enum { WARPS = GEMM_THREADS / LANES };
    __shared__ int32_t columns[WARPS][SORT_ROOM];
    __shared__ value_t values[WARPS][fill ? SORT_ROOM : 1];
    __shared__ KEY keys[WARPS][fill ? SORT_ROOM : 1];
    const int warp = threadIdx.x / LANES, lane = threadIdx.x % LANES;
    int32_t *const column = columns[warp];
    value_t *const value = values[warp];
    for (int32_t r = blockIdx.x * WARPS + warp; r < kinds[0]; r += gridDim.x * WARPS) {
        const int32_t i = rows[r], past = B2_pos[i + 1];
        int32_t all = 0;
        for (int32_t pB = B2_pos[i]; pB < past; pB += LANES)
            all +=
                warp_products(pB, past, lane, B2_crd, fill ? B_vals : 0, GIVE(C), [&](int32_t t, int32_t j, value_t v) {
                    column[all + t] = j;
                    if (fill) value[all + t] = v;
                });
        __syncwarp(ALL);
        int32_t *crd = fill ? A2_crd + A2_pos[i] : 0;
        value_t *vals = fill ? A_vals + A2_pos[i] : 0;
        int32_t n = all <= LANES       ? sorted_row<1, KEY>(all, lane, column, value, keys[warp], crd, vals)
                    : all <= 2 * LANES ? sorted_row<2, KEY>(all, lane, column, value, keys[warp], crd, vals)
                                       : sorted_row<4, KEY>(all, lane, column, value, keys[warp], crd, vals);
        if (!fill && lane == 0) count[i] = n;
        __syncwarp(ALL);
    }
}

/* Where j is in the table, put there if it was not: *added. */
static __device__ __forceinline__ int insert(int32_t *key, int size, int32_t j, bool *added) {
    unsigned at = ((unsigned)j * 2654435769u) & (unsigned)(size - 1);
    for (;;) {
        int32_t there = atomicCAS(&key[at], -1, j);
        if (there == -1 || there == j) {
            *added = there == -1;
            return (int)at;
        }
        at = (at + 1) & (unsigned)(size - 1);
    }
}

/* Products of row i, by all of a block, go(j, b * c) each. */
template <class GO>
static __device__ __forceinline__ void block_products(int32_t i, int thread, CSR(B), CSR(C), GO go) {
    for (int32_t pB = B2_pos[i] + thread / GEMM_G, end = B2_pos[i + 1]; pB < end; pB += GEMM_THREADS / GEMM_G) {
        int32_t k = B2_crd[pB];
        for (int32_t pC = C2_pos[k] + thread % GEMM_G, last = C2_pos[k + 1]; pC < last; pC += GEMM_G)
            go(C2_crd[pC], B_vals ? B_vals[pB] * C_vals[pC] : 0);
    }
}

/* One row in a table: its count, or, if A2_pos is not NULL, its components. */
static __device__ __forceinline__ void table_row(int32_t i, int thread, int32_t *key, value_t *val, uint64_t *sorted,
                                                 int *n, GEMM_PARAMETERS) {
    for (int s = thread; s < BLOCK_TABLE; s += GEMM_THREADS) {
        key[s] = -1;
        if (A2_pos) val[s] = 0;
    }
    if (thread == 0) *n = 0;
    __syncthreads();
    int mine = 0;
    block_products(i, thread, B2_pos, B2_crd, A2_pos ? B_vals : 0, GIVE(C), [&](int32_t j, value_t v) {
        bool added;
        int at = insert(key, BLOCK_TABLE, j, &added);
        mine += added;
        if (A2_pos) atomicAdd(&val[at], v);
    });
    __syncthreads();
    if (!A2_pos) {
        if (mine) atomicAdd(n, mine);
        __syncthreads();
        if (thread == 0) count[i] = *n;
        __syncthreads();
        return;
    }
    const int32_t at = A2_pos[i], length = A2_pos[i + 1] - at;
    int padded = 2;
    while (padded < length) padded *= 2;
    for (int s = thread; s < BLOCK_TABLE; s += GEMM_THREADS)
        if (key[s] >= 0) sorted[atomicAdd(n, 1)] = (uint64_t)(uint32_t)key[s] << 32 | (uint32_t)s;
    for (int s = length + thread; s < padded; s += GEMM_THREADS) sorted[s] = ~(uint64_t)0;
    __syncthreads();
    for (int run = 2; run <= padded; run *= 2)
        for (int d = run / 2; d > 0; d /= 2) {
            for (int s = thread; s < padded / 2; s += GEMM_THREADS) {
                int a = 2 * d * (s / d) + s % d, b = d == run / 2 ? 2 * d * (s / d) + 2 * d - 1 - s % d : a + d;
                uint64_t low = sorted[a], high = sorted[b];
                if (low > high) {
                    sorted[a] = high;
                    sorted[b] = low;
                }
            }
            __syncthreads();
        }
    for (int s = thread; s < length; s += GEMM_THREADS) {
        A2_crd[at + s] = (int32_t)(sorted[s] >> 32);
        A_vals[at + s] = val[(uint32_t)sorted[s]];
    }
    __syncthreads();
}

static __global__ void __launch_bounds__(GEMM_THREADS) spgemm_blocks(LISTS, GEMM_PARAMETERS) {
    __shared__ int32_t key[BLOCK_TABLE];
    __shared__ value_t val[BLOCK_TABLE];
    __shared__ uint64_t sorted[BLOCK_TABLE];
    __shared__ int n;
    for (int32_t r = blockIdx.x; r < kinds[1]; r += gridDim.x)
        table_row(rows[r], threadIdx.x, key, val, sorted, &n, GEMM_ARGUMENTS);
}

/* A block has a row of C2_dimension values and the bits of those that are there: all 0 at first and at last. */
static __global__ void __launch_bounds__(WIDE_THREADS)
    spgemm_wide(LISTS, int32_t C2_dimension, uint32_t *bits, value_t *dense, GEMM_PARAMETERS) {
    enum { EACH = 4, WARPS = WIDE_THREADS / LANES };
    const int lane = threadIdx.x % LANES, warp = threadIdx.x / LANES;
    const int64_t words = ((int64_t)C2_dimension + 31) / 32;
    bits += blockIdx.x * words;
    dense += (int64_t)blockIdx.x * C2_dimension;
    for (int32_t r = blockIdx.x; r < kinds[2]; r += gridDim.x) {
        const int32_t i = rows[r], first = B2_pos[i], past = B2_pos[i + 1];
        /* so many entries of B at a time that all warps have some */
        const int32_t each = max(1, min(LANES + 0, (past - first) / WARPS));
        for (int32_t pB = first + warp * each; pB < past; pB += WARPS * each)
            warp_products(pB, min(pB + each, past), lane, B2_crd, A2_pos ? B_vals : 0, GIVE(C), [&](int32_t t, int32_t j, value_t v) {
                (void)t;
                if (A2_pos) atomicAdd(&dense[j], v);
                atomicOr(&bits[j / 32], 1u << (j % 32));
            });
        __syncthreads();
        int64_t begin = A2_pos ? A2_pos[i] : 0;
        for (int64_t w0 = 0; w0 < words; w0 += WIDE_THREADS * EACH) {
            int64_t first = w0 + threadIdx.x * EACH, all, here = 0;
            uint32_t word[EACH];
            UNROLL for (int e = 0; e < EACH; e++) {
                word[e] = first + e < words ? bits[first + e] : 0;
                here += __popc(word[e]);
            }
            int64_t at = begin + block_before<WIDE_THREADS>(here, &all);
            UNROLL for (int e = 0; e < EACH; e++) {
                if (word[e]) bits[first + e] = 0;
                for (; A2_pos && word[e]; word[e] &= word[e] - 1) {
                    int32_t j = (int32_t)((first + e) * 32 + __ffs((int)word[e]) - 1);
                    A2_crd[at] = j;
                    A_vals[at++] = dense[j];
                    dense[j] = 0;
                }
            }
            begin += all;
        }
        if (!A2_pos && threadIdx.x == 0) count[i] = (int32_t)begin;
        __syncthreads();
    }
}

extern "C" int spgemm(int32_t B1_dimension, int32_t C2_dimension, CSR(B), CSR(C), int32_t **A2_pos, int32_t **A2_crd,
                      value_t **A_vals, cudaStream_t stream) {
    int status = 0;
    int32_t kind[3] = {0, 0, 0}, *rows, *kinds, *pos, *crd = 0;
    int64_t *part_sum, all = 0;
    uint32_t *bits = 0;
    value_t *vals = 0, *dense = 0;
    NEED(rows, 3 * (int64_t)B1_dimension);
    NEED(kinds, 3);
    NEED(part_sum, SCAN_PARTS + 1);
    NEED(pos, (int64_t)B1_dimension + 1);
    TRY(cudaMemsetAsync(kinds, 0, sizeof kind, stream));
    if (!status) {
        LAUNCH(spgemm_room, blocks_for(B1_dimension, 256), 256, stream, B1_dimension, B2_pos, B2_crd, C2_pos, rows,
               kinds, pos);
        TRY(cudaMemcpyAsync(kind, kinds, sizeof kind, cudaMemcpyDeviceToHost, stream));
        TRY(cudaStreamSynchronize(stream));
    }
    const int64_t words = ((int64_t)C2_dimension + 31) / 32;
    int32_t wide = kind[2] < WIDE_BLOCKS ? kind[2] : WIDE_BLOCKS;
    /* 2 GB at most, or one row */
    const int64_t room = ((int64_t)1 << 31) / ((int64_t)sizeof(value_t) * C2_dimension + 1) + 1;
    wide = wide < room ? wide : (int32_t)room;
    if (wide) {
        NEED(bits, wide * words);
        NEED(dense, (int64_t)wide * C2_dimension);
        TRY(cudaMemsetAsync(bits, 0, wide * words * sizeof *bits, stream));
        TRY(cudaMemsetAsync(dense, 0, (size_t)wide * C2_dimension * sizeof *dense, stream));
    }
    for (int fill = 0; fill < 2 && !status; fill++) {
        const int32_t *A2_begin = fill ? pos : 0;
        if (wide) /* first, since they take longest */
            LAUNCH(spgemm_wide, wide, WIDE_THREADS, stream, rows + 2 * (int64_t)B1_dimension, kinds, C2_dimension, bits,
                   dense, GIVE(B), GIVE(C), pos, A2_begin, crd, vals);
        if (kind[1])
            LAUNCH(spgemm_blocks, blocks_for(kind[1], 1), GEMM_THREADS, stream, rows + B1_dimension, kinds, GIVE(B),
                   GIVE(C), pos, A2_begin, crd, vals);
        if (kind[0]) {
            const auto sorted = C2_dimension <= 1 << 25
                                    ? (fill ? spgemm_sorted<uint32_t, true> : spgemm_sorted<uint32_t, false>)
                                    : (fill ? spgemm_sorted<uint64_t, true> : spgemm_sorted<uint64_t, false>);
            LAUNCH(sorted, blocks_for(kind[0], GEMM_THREADS / LANES), GEMM_THREADS, stream, rows, kinds, GIVE(B),
                   GIVE(C), pos, A2_begin, crd, vals);
        }
        if (fill) break;
        scan(pos, B1_dimension, part_sum, pos, stream);
        TRY(cudaMemcpyAsync(&all, part_sum + SCAN_PARTS, sizeof all, cudaMemcpyDeviceToHost, stream));
        TRY(cudaStreamSynchronize(stream));
        if (!status && all > INT32_MAX) status = TOO_MANY;
        NEED(crd, all);
        NEED(vals, all);
    }
    TRY(cudaGetLastError());
    FREE(rows, kinds, part_sum, bits, dense);
    if (status) {
        int kept = status;
        FREE(pos, crd, vals);
        pos = crd = 0, vals = 0;
        status = kept;
    }
    *A2_pos = pos, *A2_crd = crd, *A_vals = vals;
    return status;
}
