/* convert.cu - A(i,j) = B(i,j) by a stable radix sort: csr to csc, and coo in any order to csr.
 *
 * A thread has 16 entries of a tile.  Lanes that have the same digit find each other
 * (__match_any_sync), the tile is put in order in shared memory, and entries of a digit are written side
 * by side.  Digits are as narrow as the dimension lets them be.  The other coordinate and the value
 * go along in every pass, so that nothing is gathered.
 *     sort(j), then sort(i) for coo: count, scan, fill; parallelize(tile, gpu_block);
 *     parallelize(entry, gpu_thread, atomics in shared memory to count); A2_pos from where rows begin
 *
 * H200, f64 ms (of cuSPARSE), uniform16: csr to csc 2.349 (1.23), coo to csr 4.358; f32: 1.999 (1.40), 3.654.
 * SPDX-License-Identifier: MIT
 */
#pragma once
#include "helpers.cuh"

enum { SORT_THREADS = 256, SORT_ITEMS = 16, SORT_TILE = SORT_THREADS * SORT_ITEMS };
enum { SORT_BITS = 8, SORT_DIGITS = 1 << SORT_BITS };

static __device__ __forceinline__ int digit_of(int32_t key, int shift, int digits) {
    return (int)((uint32_t)key >> shift & (uint32_t)(digits - 1));
}

/* count[digit * parts + part]; parts begin at tiles */
static __global__ void __launch_bounds__(SORT_THREADS)
    sort_count(const int32_t *__restrict__ key, int64_t n, int shift, int digits, int32_t *__restrict__ count) {
    enum { AT_ONCE = 8 };
    __shared__ int32_t here[SORT_DIGITS];
    const int32_t parts = gridDim.x, part = blockIdx.x;
    const int64_t tiles = (n + SORT_TILE - 1) / SORT_TILE;
    const int64_t from = share_before(tiles, part, parts) * SORT_TILE,
                  past = min(share_before(tiles, part + 1, parts) * SORT_TILE, n);
    here[threadIdx.x] = 0;
    __syncthreads();
    for (int64_t first = from + threadIdx.x; first < past; first += SORT_THREADS * AT_ONCE) {
        int32_t k[AT_ONCE];
        UNROLL for (int u = 0; u < AT_ONCE; u++) k[u] = first + u * SORT_THREADS < past ? key[first + u * SORT_THREADS] : 0;
        UNROLL for (int u = 0; u < AT_ONCE; u++)
            if (first + u * SORT_THREADS < past) atomicAdd(&here[digit_of(k[u], shift, digits)], 1);
    }
    __syncthreads();
    if ((int)threadIdx.x < digits) count[threadIdx.x * parts + part] = here[threadIdx.x];
}

/* Each goes behind those of its digit that are before it; the other coordinate and the value go along.
 * A warp has SORT_ITEMS * 32 entries in a row. */
static __global__ void __launch_bounds__(SORT_THREADS, 3)
    sort_move(const int32_t *__restrict__ key, const int32_t *__restrict__ other, const value_t *__restrict__ value,
              int64_t n, int shift, int digits, const int32_t *__restrict__ begin, int32_t *__restrict__ key_to,
              int32_t *__restrict__ other_to, value_t *__restrict__ value_to) {
    enum { WARPS = SORT_THREADS / LANES };
    __shared__ value_t moved[SORT_TILE];
    __shared__ int32_t before[WARPS][SORT_DIGITS], base[SORT_DIGITS], warp_all[WARPS];
    int32_t *const moved_key = (int32_t *)moved;
    const int thread = threadIdx.x, lane = thread % LANES, warp = thread / LANES;
    const int32_t parts = gridDim.x, part = blockIdx.x;
    const int64_t tiles = (n + SORT_TILE - 1) / SORT_TILE;
    const int64_t from = share_before(tiles, part, parts) * SORT_TILE,
                  past = min(share_before(tiles, part + 1, parts) * SORT_TILE, n);
    /* where digit `thread` goes on */
    int32_t next = thread < digits ? begin[thread * parts + part] : 0;
    for (int64_t first = from; first < past; first += SORT_TILE) {
        const int all = (int)min(past - first, (int64_t)SORT_TILE), mine = warp * (SORT_ITEMS * LANES) + lane;
        int32_t k[SORT_ITEMS];
        int at[SORT_ITEMS], to[SORT_ITEMS];
        UNROLL for (int u = 0; u < SORT_ITEMS; u++)
            k[u] = mine + u * LANES < all ? load_once(key + first + mine + u * LANES) : 0;
        UNROLL for (int w = 0; w < WARPS; w++) before[w][thread] = 0;
        __syncthreads();
        /* among the warp's own */
        UNROLL for (int u = 0; u < SORT_ITEMS; u++) {
            const bool is = mine + u * LANES < all;
            const int d = digit_of(k[u], shift, digits);
            const unsigned same = __match_any_sync(ALL, is ? d : -1);
            const int rank = __popc(same & ((1u << lane) - 1));
            at[u] = is ? before[warp][d] + rank : 0;
            __syncwarp(ALL);
            if (is && rank == 0) before[warp][d] += __popc(same);
            __syncwarp(ALL);
        }
        __syncthreads();
        /* of lower warps, and of lower digits */
        int32_t sum = 0;
        UNROLL for (int w = 0; w < WARPS; w++) {
            int32_t here = before[w][thread];
            before[w][thread] = sum;
            sum += here;
        }
        const int32_t up = lanes_up_to(sum);
        if (lane == LANES - 1) warp_all[warp] = up;
        __syncthreads();
        int32_t lower = up - sum;
        UNROLL for (int w = 0; w < WARPS; w++) lower += w < warp ? warp_all[w] : 0;
        base[thread] = next - lower;
        next += sum;
        UNROLL for (int w = 0; w < WARPS; w++) before[w][thread] += lower;
        __syncthreads();
        UNROLL for (int u = 0; u < SORT_ITEMS; u++)
            if (mine + u * LANES < all) {
                at[u] += before[warp][digit_of(k[u], shift, digits)];
                moved_key[at[u]] = k[u];
            }
        __syncthreads();
        UNROLL for (int u = 0; u < SORT_ITEMS; u++) {
            const int s = thread + u * SORT_THREADS;
            if (s < all) {
                const int32_t there = moved_key[s];
                to[u] = base[digit_of(there, shift, digits)] + s;
                key_to[to[u]] = there;
            }
        }
        __syncthreads();
        UNROLL for (int u = 0; u < SORT_ITEMS; u++)
            if (mine + u * LANES < all) moved_key[at[u]] = load_once(other + first + mine + u * LANES);
        __syncthreads();
        UNROLL for (int u = 0; u < SORT_ITEMS; u++)
            if (thread + u * SORT_THREADS < all) other_to[to[u]] = moved_key[thread + u * SORT_THREADS];
        __syncthreads();
        UNROLL for (int u = 0; u < SORT_ITEMS; u++)
            if (mine + u * LANES < all) moved[at[u]] = load_once(value + first + mine + u * LANES);
        __syncthreads();
        UNROLL for (int u = 0; u < SORT_ITEMS; u++)
            if (thread + u * SORT_THREADS < all) value_to[to[u]] = moved[thread + u * SORT_THREADS];
        __syncthreads();
    }
}

/* row[p] of all positions.  bound_row[tile]: the row that the tile's first position is in, or an empty one at it. */
enum { ROWS_EACH = 8, ROWS_TILE = 256 * ROWS_EACH };

static __global__ void __launch_bounds__(256)
    rows_bounds(int32_t dimension, const int32_t *__restrict__ pos, int32_t tiles, int32_t *__restrict__ bound_row) {
    const int32_t tile = blockIdx.x * 256 + threadIdx.x;
    if (tile <= tiles)
        bound_row[tile] = last_before<0>(pos, 0, dimension, min((int64_t)tile * ROWS_TILE, (int64_t)pos[dimension]));
}

static __global__ void __launch_bounds__(256)
    rows_of(int32_t dimension, const int32_t *__restrict__ pos, const int32_t *__restrict__ bound_row,
            int32_t *__restrict__ row) {
    __shared__ int32_t mark[ROWS_TILE], warp_most[256 / LANES];
    const int thread = threadIdx.x, lane = thread % LANES, warp = thread / LANES;
    const int64_t n = pos[dimension], first = (int64_t)blockIdx.x * ROWS_TILE;
    const int32_t low = bound_row[blockIdx.x], high = min(bound_row[blockIdx.x + 1], dimension - 1);
    for (int s = thread; s < ROWS_TILE; s += 256) mark[s] = low;
    __syncthreads();
    for (int32_t r = low + 1 + thread; r <= high; r += 256) {
        int64_t s = pos[r] - first;
        if (s >= 0 && s < ROWS_TILE && pos[r] < pos[r + 1]) mark[s] = r;
    }
    __syncthreads();
    int32_t here[ROWS_EACH], most = 0;
    UNROLL for (int u = 0; u < ROWS_EACH; u++) {
        most = max(most, mark[thread * ROWS_EACH + u]);
        here[u] = most;
    }
    UNROLL for (int d = 1; d < LANES; d *= 2) {
        int32_t other = __shfl_up_sync(ALL, most, d);
        most = lane >= d ? max(most, other) : most;
    }
    int32_t earlier = __shfl_up_sync(ALL, most, 1);
    earlier = lane > 0 ? earlier : 0;
    if (lane == LANES - 1) warp_most[warp] = most;
    __syncthreads();
    for (int w = 0; w < warp; w++) earlier = max(earlier, warp_most[w]);
    UNROLL for (int u = 0; u < ROWS_EACH; u++) mark[thread * ROWS_EACH + u] = max(here[u], earlier);
    __syncthreads();
    for (int s = thread; s < ROWS_TILE; s += 256)
        if (first + s < n) row[first + s] = mark[s];
}

/* pos[i] = the first position whose key, which ascend, is i or more. */
static __global__ void __launch_bounds__(256)
    pos_of(const int32_t *__restrict__ key, int64_t n, int32_t dimension, int32_t *__restrict__ pos) {
    enum { FEW = 8 };
    const int lane = threadIdx.x % LANES;
    for (int64_t p0 = (int64_t)blockIdx.x * 256; p0 <= n; p0 += (int64_t)gridDim.x * 256) {
        const int64_t p = p0 + threadIdx.x;
        int32_t from = p <= n && p > 0 ? key[p - 1] + 1 : 0;
        int32_t past = p > n ? 0 : p < n ? key[p] + 1 : dimension + 1;
        unsigned many = __ballot_sync(ALL, past - from > FEW);
        if (past - from <= FEW)
            for (int32_t i = from; i < past; i++) pos[i] = (int32_t)p;
        for (; many; many &= many - 1) { /* many empty ones: all lanes */
            int of = __ffs((int)many) - 1;
            int32_t last = __shfl_sync(ALL, past, of), at = (int32_t)__shfl_sync(ALL, p, of);
            for (int32_t i = __shfl_sync(ALL, from, of) + lane; i < last; i += LANES) pos[i] = at;
        }
    }
}

/* Two sets of arrays: a pass moves from one to the other. */
struct sorter {
    int32_t *key[2], *other[2], *count;
    value_t *value[2];
    int64_t *part_sum;
    int parts;
};

/* Sorts by key, below `dimension`, in passes over digits of as few bits as will do.  *at says which
 * set has the result; the last pass puts what goes along where last_other and last_value say,
 * unless they are NULL. */
static void sort_by(struct sorter *s, const int32_t *key, const int32_t *other, const value_t *value, int64_t n,
                    int32_t dimension, int *at, int32_t *last_other, value_t *last_value, cudaStream_t stream) {
    int bits = 1;
    while (bits < 31 && (dimension - 1) >> bits > 0) bits++;
    const int passes = (bits + SORT_BITS - 1) / SORT_BITS, each = (bits + passes - 1) / passes;
    for (int pass = 0; pass < passes; pass++) {
        const int shift = pass * each, digits = 1 << each, to = !*at;
        const bool last = pass == passes - 1;
        int32_t *key_to = s->key[to], *count = s->count;
        int32_t *other_to = last && last_other ? last_other : s->other[to];
        value_t *value_to = last && last_value ? last_value : s->value[to];
        LAUNCH(sort_count, s->parts, SORT_THREADS, stream, key, n, shift, digits, count);
        scan(count, (int64_t)digits * s->parts, s->part_sum, count, stream);
        LAUNCH(sort_move, s->parts, SORT_THREADS, stream, key, other, value, n, shift, digits, count, key_to, other_to,
               value_to);
        *at = to;
        key = key_to, other = other_to, value = value_to;
    }
}

static int sorter_open(struct sorter *s, int64_t n, cudaStream_t stream) {
    int status = 0;
    int64_t tiles = (n + SORT_TILE - 1) / SORT_TILE;
    s->parts = tiles < 1 ? 1 : tiles < SORT_PARTS_MOST ? (int)tiles : (int)SORT_PARTS_MOST;
    for (int k = 0; k < 2; k++) {
        NEED(s->key[k], n);
        NEED(s->other[k], n);
        NEED(s->value[k], n);
    }
    NEED(s->count, (int64_t)s->parts * SORT_DIGITS + 1);
    NEED(s->part_sum, SCAN_PARTS + 1);
    return status;
}

static int sorter_close(struct sorter *s, int status, cudaStream_t stream) {
    for (int k = 0; k < 2; k++) { FREE(s->key[k], s->other[k], s->value[k]); }
    FREE(s->count, s->part_sum);
    return status;
}

extern "C" int csr_csc(int32_t B1_dimension, int32_t B2_dimension, int64_t n, CSR(B), int32_t *A1_pos, int32_t *A1_crd,
                       value_t *A_vals, cudaStream_t stream) {
    struct sorter s;
    int at = 0, status = sorter_open(&s, n, stream);
    int32_t *row, *bound_row;
    const int32_t tiles = (int32_t)((n + ROWS_TILE - 1) / ROWS_TILE);
    NEED(row, n);
    NEED(bound_row, tiles + 1);
    if (!status) {
        if (tiles) {
            LAUNCH(rows_bounds, tiles / 256 + 1, 256, stream, B1_dimension, B2_pos, tiles, bound_row);
            LAUNCH(rows_of, tiles, 256, stream, B1_dimension, B2_pos, bound_row, row);
        }
        sort_by(&s, B2_crd, row, B_vals, n, B2_dimension, &at, A1_crd, A_vals, stream);
        int32_t *columns = s.key[at];
        LAUNCH(pos_of, blocks_for(n + 1, 256), 256, stream, columns, n, B2_dimension, A1_pos);
        TRY(cudaGetLastError());
    }
    FREE(row, bound_row);
    return sorter_close(&s, status, stream);
}

/* No coordinate comes twice. */
extern "C" int coo_csr(int32_t A1_dimension, int32_t A2_dimension, int64_t n, const int32_t *B1_crd,
                       const int32_t *B2_crd, const value_t *B_vals, int32_t *A2_pos, int32_t *A2_crd, value_t *A_vals,
                       cudaStream_t stream) {
    struct sorter s;
    int at = 0, status = sorter_open(&s, n, stream);
    if (!status) {
        sort_by(&s, B2_crd, B1_crd, B_vals, n, A2_dimension, &at, 0, 0, stream);
        /* rows are the keys now: the pair is taken the other way round */
        int32_t *columns = s.key[at], *rows = s.other[at];
        s.key[at] = rows, s.other[at] = columns;
        sort_by(&s, rows, columns, s.value[at], n, A1_dimension, &at, A2_crd, A_vals, stream);
        int32_t *sorted = s.key[at];
        LAUNCH(pos_of, blocks_for(n + 1, 256), 256, stream, sorted, n, A1_dimension, A2_pos);
        TRY(cudaGetLastError());
    }
    return sorter_close(&s, status, stream);
}
