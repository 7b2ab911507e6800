/* helpers.cuh - what the kernels call: searches, sums over lanes, loads past the caches, a scan.
 *
 * No header of CUDA's is included: the same text goes through nvcc and, by cuda_on_cpu.h, through
 * a C++ compiler.  Positions and coordinates have 32 bits; VALUE is double unless it is given.
 * SPDX-License-Identifier: MIT
 */
#pragma once
#include <stdint.h>
#ifndef VALUE
#define VALUE double
#endif
typedef VALUE value_t;

/* A csr tensor's arrays, as parameters and as arguments */
#define CSR(T) \
    const int32_t *__restrict__ T##2_pos, const int32_t *__restrict__ T##2_crd, const value_t *__restrict__ T##_vals
#define GIVE(T) T##2_pos, T##2_crd, T##_vals

enum { LANES = 32 };
#define ALL    0xffffffffu
#define UNROLL _Pragma("unroll")

/* At most so many blocks or parts; what is beyond them is done in turn.  None depends on the
 * device, so that no sum does. */
#ifndef SPCC_SMALL
enum { BLOCKS_MOST = 132 * 16, SCAN_PARTS = 1024, SORT_PARTS_MOST = 4096 };
#else /* for checks: a block has several parts, a part has several tiles */
enum { BLOCKS_MOST = 6, SCAN_PARTS = 32, SORT_PARTS_MOST = 3 };
#endif

/* ---- searches ---- */

/* The last i in [low, high] for which pos[i] is at most p, as it is for low.  All lanes of a warp
 * ask the same: 32 places are looked at in a step. */
static __device__ __forceinline__ int32_t warp_last_at(const int32_t *__restrict__ pos, int32_t low, int32_t high,
                                                       int64_t p) {
    const int lane = threadIdx.x % LANES;
    while (low < high) {
        int32_t step = (high - low + LANES - 1) / LANES;
        int64_t at = low + (int64_t)step * (lane + 1);
        bool is = at <= high && pos[at] <= p;
        low += step * __popc(__ballot_sync(ALL, is));
        high = min(high, low + step - 1);
    }
    return low;
}

/* The last i in [low, high] for which each * i + pos[i] is at most p, as it is for low: one thread
 * by itself.  With each = 1 it counts work: an entry is one, and so is the end of a row. */
template <int each>
static __device__ __forceinline__ int32_t last_before(const int32_t *pos, int32_t low, int32_t high, int64_t p) {
    while (low < high) {
        int32_t middle = high - (high - low) / 2;
        if ((int64_t)each * middle + pos[middle] <= p)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

/* The same with each = 1 by all lanes of a warp, for the last i in [0, high]. */
static __device__ __forceinline__ int32_t warp_last_before(const int32_t *__restrict__ pos, int32_t high, int64_t p) {
    const int lane = threadIdx.x % LANES;
    int32_t low = 0;
    while (low < high) {
        const int32_t step = (high - low + LANES - 1) / LANES;
        const int64_t at = low + (int64_t)step * (lane + 1);
        const bool is = at <= high && at + pos[at] <= p;
        low += step * __popc(__ballot_sync(ALL, is));
        high = min(high, low + step - 1);
    }
    return low;
}

/* Where a part of so many begins in a whole. */
static __device__ __forceinline__ int64_t share_before(int64_t whole, int32_t part, int32_t parts) {
    return whole / parts * part + whole % parts * part / parts;
}

/* ---- sums ---- */

/* The sum over each group of `lanes` lanes (2, 4, ... 32), in all of them. */
template <int lanes> static __device__ __forceinline__ value_t lanes_sum(value_t v) {
    UNROLL for (int d = lanes / 2; d > 0; d /= 2) v += __shfl_xor_sync(ALL, v, d);
    return v;
}

/* The sum of what this lane and lower ones have. */
template <class T> static __device__ __forceinline__ T lanes_up_to(T n) {
    const int lane = threadIdx.x % LANES;
    UNROLL for (int d = 1; d < LANES; d *= 2) {
        T other = __shfl_up_sync(ALL, n, d);
        n += lane >= d ? other : 0;
    }
    return n;
}

/* The sum of what threads of lower numbers have; *all: of all.  A block has `threads`. */
template <int threads> static __device__ __forceinline__ int64_t block_before(int64_t n, int64_t *all) {
    __shared__ int64_t warp_sum[threads / LANES + 1];
    const int lane = threadIdx.x % LANES, warp = threadIdx.x / LANES;
    const int64_t sum = lanes_up_to(n);
    __syncthreads();
    if (lane == LANES - 1) warp_sum[warp] = sum;
    __syncthreads();
    int64_t before = 0, total = 0;
    for (int w = 0; w < threads / LANES; w++) {
        before += w < warp ? warp_sum[w] : 0;
        total += warp_sum[w];
    }
    *all = total;
    return before + sum - n;
}

/* ---- a load of what is read once: not kept in L1, first out of L2; on a CPU a plain load ---- */

#ifdef __CUDACC__
#define LOAD_ONCE(type, suffix, constraint)                                                     \
    static __device__ __forceinline__ type load_once(const type *p) {                           \
        type v;                                                                                 \
        unsigned long long policy;                                                              \
        asm("createpolicy.fractional.L2::evict_first.b64 %0, 1.0;" : "=l"(policy));             \
        asm("ld.global.nc.L1::no_allocate.L2::cache_hint." suffix " %0, [%1], %2;"              \
            : "=" constraint(v)                                                                 \
            : "l"(p), "l"(policy));                                                             \
        return v;                                                                               \
    }
LOAD_ONCE(int32_t, "s32", "r")
LOAD_ONCE(double, "f64", "d")
LOAD_ONCE(float, "f32", "f")
#else
template <class T> inline T load_once(const T *p) { return *p; }
#endif

/* ---- the host's part: functions return 0, or one of these; or this plus CUDA's error ---- */
enum { NO_MEMORY = 1, TOO_MANY = 2, CUDA_ERROR = 1000 };

#ifndef LAUNCH
#define LAUNCH(kernel, blocks, threads, stream, ...) kernel<<<blocks, threads, 0, stream>>>(__VA_ARGS__)
#endif
#define TRY(call)                                                     \
    do {                                                              \
        cudaError_t error_ = status ? cudaSuccess : (call);           \
        if (error_ != cudaSuccess) status = CUDA_ERROR + (int)error_; \
    } while (0)
#define NEED(array, n)                                                                                     \
    do {                                                                                                   \
        const size_t size_ = (size_t)(n) * sizeof *array;                                                  \
        array = 0;                                                                                         \
        if (!status && cudaMallocAsync((void **)&array, size_, stream) != cudaSuccess) status = NO_MEMORY; \
    } while (0)
#define FREE(...) status = free_all(status, stream, __VA_ARGS__)

template <class... T> static int free_all(int status, cudaStream_t stream, T *...arrays) {
    for (void *array : {(void *)arrays...})
        if (array && cudaFreeAsync(array, stream) != cudaSuccess && !status) status = CUDA_ERROR;
    return status;
}

static inline int32_t blocks_for(int64_t n, int64_t each) {
    int64_t blocks = (n + each - 1) / each;
    return blocks < 1 ? 1 : blocks > BLOCKS_MOST ? (int32_t)BLOCKS_MOST : (int32_t)blocks;
}

/* How much work a warp has: 256, less if not all multiprocessors would have warps enough, but 32 at least. */
static inline int32_t work_each(int64_t work) {
    return work < 32 * 8192 ? 32 : work > 256 * 8192 ? 256 : (int32_t)(work / 8192);
}

/* ---- scan: n lengths become where each begins; behind them is the sum of all ----
 * Three launches: sums of parts, their scan by one block, the parts. */
enum { SCAN_THREADS = 256, SCAN_EACH = 8, SCAN_TILE = SCAN_THREADS * SCAN_EACH };

/* The sum of a part's tiles, begun with `sum`; writes where each begins unless pos is NULL. */
static __device__ __forceinline__ int64_t scan_part(const int32_t *length, int64_t n, int64_t sum, int32_t *pos) {
    int64_t tiles = (n + SCAN_TILE - 1) / SCAN_TILE;
    int64_t tile = tiles * blockIdx.x / SCAN_PARTS, past = tiles * (blockIdx.x + 1) / SCAN_PARTS;
    for (; tile < past; tile++) {
        int64_t first = tile * SCAN_TILE + (int64_t)threadIdx.x * SCAN_EACH, mine = 0, all;
        int32_t each[SCAN_EACH];
        UNROLL for (int k = 0; k < SCAN_EACH; k++) mine += each[k] = first + k < n ? length[first + k] : 0;
        int64_t at = sum + block_before<SCAN_THREADS>(mine, &all);
        UNROLL for (int k = 0; k < SCAN_EACH; k++) {
            if (pos && first + k < n) pos[first + k] = (int32_t)at;
            at += each[k];
        }
        sum += all;
    }
    return sum;
}

static __global__ void __launch_bounds__(SCAN_THREADS) scan_sums(const int32_t *length, int64_t n, int64_t *part_sum) {
    int64_t sum = scan_part(length, n, 0, (int32_t *)0);
    if (threadIdx.x == 0) part_sum[blockIdx.x] = sum;
}

static __global__ void __launch_bounds__(SCAN_PARTS) scan_parts(int64_t *part_sum) {
    int64_t all, before = block_before<SCAN_PARTS>(part_sum[threadIdx.x], &all);
    part_sum[threadIdx.x] = before;
    if (threadIdx.x == 0) part_sum[SCAN_PARTS] = all;
}

static __global__ void __launch_bounds__(SCAN_THREADS)
    scan_write(const int32_t *length, int64_t n, const int64_t *part_sum, int32_t *pos) {
    scan_part(length, n, part_sum[blockIdx.x], pos);
    if (blockIdx.x == 0 && threadIdx.x == 0) pos[n] = (int32_t)part_sum[SCAN_PARTS];
}

/* length and pos may be one array.  part_sum has room for SCAN_PARTS + 1; the last is the sum of
 * all, which positions may not count. */
static inline void scan(const int32_t *length, int64_t n, int64_t *part_sum, int32_t *pos, cudaStream_t stream) {
    LAUNCH(scan_sums, SCAN_PARTS, SCAN_THREADS, stream, length, n, part_sum);
    LAUNCH(scan_parts, 1, SCAN_PARTS, stream, part_sum);
    LAUNCH(scan_write, SCAN_PARTS, SCAN_THREADS, stream, length, n, part_sum, pos);
}
