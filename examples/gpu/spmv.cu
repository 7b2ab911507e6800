/* y(i) = A(i,j) * x(j)
 *     y        f64   d
 *     A        f64   ds
 *     x        f64   d
 * schedule: collapse(i, j, f); pos(f, p, A(i,j)); split(p, po, pi, work, 1024); split(pi, pio, pii, down, 8); parallelize(po, gpu_block, temporary); parallelize(pio, gpu_thread, temporary)
 * made by spcc 0.2.0 with
 *     spcc 'y(i) = A(i,j) * x(j)' -f 'A:csr' --name=spmv --target=cuda
 *
 *   A1_dimension  size of mode 1 of A: the range of i
 *   A2_dimension  size of mode 2 of A: the range of j
 *   A2_pos        A, level 2 (compressed): where each segment begins and ends
 *   A2_crd        A, level 2 (compressed): coordinates
 *   A_vals        A's values
 *   x_vals        x's values
 *   y_vals        y's values
 *
 * No two of the arrays may overlap.
 *
 * Returns 0, or 1 where there is no memory, or the number of another error of CUDA's, negated.
 *
 * The arrays are in the device's memory. What is done is done in the order of the stream.
 */
#ifdef __CUDACC_RTC__
#define SPCC_KERNEL extern "C" __global__
#pragma nv_diag_suppress 177 /* functions that host code alone calls */
typedef signed char int8_t;
typedef short int16_t;
typedef int int32_t;
typedef long long int64_t;
typedef unsigned char uint8_t;
typedef unsigned short uint16_t;
typedef unsigned uint32_t;
typedef unsigned long long uint64_t;
#define __builtin_inf()      __longlong_as_double(0x7ff0000000000000)
#define __builtin_inff()     __int_as_float(0x7f800000)
#define __builtin_nan(text)  __longlong_as_double(0x7ff8000000000000)
#define __builtin_nanf(text) __int_as_float(0x7fc00000)
#else
#include <stdint.h>

#define SPCC_KERNEL static __global__
#ifndef SPCC_LAUNCH
#define SPCC_LAUNCH(kernel, blocks, threads, stream, ...) \
    kernel<<<blocks, threads, 0, stream>>>(__VA_ARGS__)
#endif
#ifndef SPCC_ALLOC
#define SPCC_ALLOC cudaMallocAsync
#define SPCC_RELEASE cudaFreeAsync
#endif
#endif

#ifndef SPCC_HAS_min_i64
#define SPCC_HAS_min_i64
static __host__ __device__ inline int64_t min_i64(int64_t a, int64_t b)
{
    return a < b ? a : b;
}
#endif

#ifndef SPCC_HAS_max_i64
#define SPCC_HAS_max_i64
static __host__ __device__ inline int64_t max_i64(int64_t a, int64_t b)
{
    return a > b ? a : b;
}
#endif

#ifndef SPCC_HAS_min_i32
#define SPCC_HAS_min_i32
static __host__ __device__ inline int32_t min_i32(int32_t a, int32_t b)
{
    return a < b ? a : b;
}
#endif

#ifndef SPCC_HAS_cuda_allocate
#define SPCC_HAS_cuda_allocate
#ifndef __CUDACC_RTC__
/* Room for n elements. */
template <class T>
static inline cudaError_t cuda_allocate(T *&array, int64_t n, cudaStream_t stream)
{
    if (n < 0 || (uint64_t)n > (size_t)-1 / sizeof(T))
        return cudaErrorMemoryAllocation;
    return SPCC_ALLOC((void **)&array, (n > 0 ? (size_t)n : 1) * sizeof(T), stream);
}
#endif
#endif

#ifndef SPCC_HAS_cuda_status
#define SPCC_HAS_cuda_status
#ifndef __CUDACC_RTC__
/* The function ends where a call fails, or a launch. */
#define SPCC_TRY(call)                         \
    do {                                       \
        if ((status = cuda_status(call)) != 0) \
            goto fail;                         \
    } while (0)
#define SPCC_GRID(kernel, blocks, threads, stream, ...)                \
    do {                                                               \
        if ((blocks) > 0)                                              \
            SPCC_LAUNCH(kernel, blocks, threads, stream, __VA_ARGS__); \
        SPCC_TRY(cudaGetLastError());                                  \
    } while (0)

/* 0, 1 where there is no memory, and else the error's number, negated. */
static inline int cuda_status(cudaError_t error)
{
    return error == cudaErrorMemoryAllocation ? 1 : -(int)error;
}
#endif
#endif

#ifndef SPCC_HAS_cuda_zero
#define SPCC_HAS_cuda_zero
#ifndef __CUDACC_RTC__
/* Elements from begin to end become 0. */
template <class T>
static inline cudaError_t cuda_zero(T *array, int64_t begin, int64_t end, cudaStream_t stream)
{
    if (begin >= end)
        return cudaSuccess;
    return cudaMemsetAsync(array + begin, 0, (size_t)(end - begin) * sizeof(T), stream);
}
#endif
#endif

#ifndef SPCC_HAS_cuda_release
#define SPCC_HAS_cuda_release
#ifndef __CUDACC_RTC__
template <class T> static inline cudaError_t cuda_release_one(cudaStream_t stream, T *&array)
{
    T *was = array;
    array = NULL;
    return was ? SPCC_RELEASE((void *)was, stream) : cudaSuccess;
}

/* Arrays are released, and NULL then; the first error. */
template <class... T> static inline cudaError_t cuda_release(cudaStream_t stream, T *&...array)
{
    cudaError_t error = cudaSuccess;
    cudaError_t each[] = {cuda_release_one(stream, array)...};
    for (cudaError_t one : each)
        error = error != cudaSuccess ? error : one;
    return error;
}
#endif
#endif

#ifndef SPCC_HAS_find_on_path_i32
#define SPCC_HAS_find_on_path_i32
/* Where a path along the rows pos[r, pos[r + 1]) is after so many steps, of which an entry is one and the end of a row is one: at which entry.  After some of these steps it is at one that is known. */
static __host__ __device__ inline int64_t find_on_path_i32(const int32_t *__restrict__ pos,
                                                           int64_t rows, int64_t known,
                                                           int64_t before_, int64_t steps)
{
    int64_t from = before_ - known;
    int64_t to = min_i64(rows, steps - known);
    #pragma unroll 1
    while (from < to) {
        int64_t middle = to - (to - from) / 2;
        if (pos[middle] + middle <= steps)
            from = middle;
        else
            to = middle - 1;
    }
    return min_i64(steps - from, pos[rows]);
}
#endif

#ifndef SPCC_HAS_find_first_i32
#define SPCC_HAS_find_first_i32
/* The first position in crd[low, end), which ascends, of what is not below the least. */
static __host__ __device__ inline int64_t find_first_i32(const int32_t *__restrict__ crd,
                                                         int64_t low, int64_t end, int64_t least)
{
    int64_t from = low;
    int64_t to = end;
    #pragma unroll 1
    while (from < to) {
        int64_t middle = from + (to - from) / 2;
        if (crd[middle] < least)
            from = middle + 1;
        else
            to = middle;
    }
    return from;
}
#endif

#ifndef SPCC_HAS_sum_rows_f64
#define SPCC_HAS_sum_rows_f64
/* Stores rows that end in the block, of which each thread has the last one that it came to; what begins there is left in row_ends[32]. */
static __device__ inline void sum_rows_f64(double *vals, int64_t row, double begun,
                                           int64_t block_row, double block_begun, int64_t *row_ends,
                                           double *begun_ends, int32_t thread, int32_t warps)
{
    int64_t row_here = row;
    int32_t d = 1;
    #pragma unroll 1
    while (d < 32) {
        int64_t row_other_2 = __shfl_up_sync(0xffffffff, row, d);
        double begun_other_2 = __shfl_up_sync(0xffffffff, begun, d);
        if (thread % 32 >= d) {
            if (row < 0) {
                row = row_other_2;
                begun = begun_other_2;
            } else if (row == row_other_2) {
                begun += begun_other_2;
            }
        }
        d *= 2;
    }
    int64_t row_other = __shfl_up_sync(0xffffffff, row, 1);
    double begun_other = __shfl_up_sync(0xffffffff, begun, 1);
    if (thread % 32 == 0)
        row_other = -1;
    if (thread % 32 == 31) {
        row_ends[thread / 32] = row;
        begun_ends[thread / 32] = begun;
    }
    __syncthreads();
    #pragma unroll 1
    for (int32_t warp = 0; warp < warps; warp++) {
        if (warp == thread / 32) {
            if (row_other < 0) {
                row_other = block_row;
                begun_other = block_begun;
            } else if (row_other == block_row) {
                begun_other += block_begun;
            }
        }
        int64_t row_end = row_ends[warp];
        double begun_end = begun_ends[warp];
        if (row_end >= 0) {
            if (block_row == row_end) {
                block_begun += begun_end;
            } else {
                block_row = row_end;
                block_begun = begun_end;
            }
        }
    }
    if (thread == 0) {
        row_ends[32] = block_row;
        begun_ends[32] = block_begun;
    }
    __syncthreads();
    if (row_here >= 0 && row_other != row_here) {
        if (row_other >= 0)
            vals[row_other] += begun_other;
    }
    __syncthreads();
}
#endif

SPCC_KERNEL void __launch_bounds__(128, 8) spmv_block(int32_t A1_dimension,
                                                      const int32_t *__restrict__ A2_pos,
                                                      const int32_t *__restrict__ A2_crd,
                                                      const double *__restrict__ A_vals,
                                                      const double *__restrict__ x_vals,
                                                      double *y_vals, int64_t *y_at_of,
                                                      double *y_begun_of)
{
    const int32_t block = (int32_t)blockIdx.x;
    const int32_t thread = (int32_t)threadIdx.x;
    int32_t po_size = (int32_t)(((int64_t)A1_dimension + A2_pos[A1_dimension] + 1023) / 1024);
    __shared__ int64_t y_at_ends[33];
    __shared__ double y_begun_ends[33];
    int64_t y_at = -1;
    double y_begun = 0.0;
    int64_t po_all = max_i64(po_size, 0);
    int64_t share = block;
    int64_t po_from = po_all / 2048 * share + min_i64(share, po_all % 2048);
    int64_t po_past = po_from + po_all / 2048 + (share < po_all % 2048);
    if (po_from < po_past) {
        int32_t p_past = (int32_t)find_on_path_i32(A2_pos, A1_dimension, 0, 0, po_from * 1024);
        int32_t base = thread * 8;
        #pragma unroll 1
        for (int64_t po = po_from; po < po_past; po++) {
            int32_t p_from = p_past;
            p_past = (int32_t)find_on_path_i32(A2_pos, A1_dimension, p_from, po * 1024, (po + 1)
                * 1024);
            int64_t y_at_2 = -1;
            double y_begun_2 = 0.0;
            __syncthreads();
            int32_t i = (int32_t)(find_first_i32(A2_pos, po * 1024 - p_from + 1,
                min_i64(A1_dimension, (po + 1) * 1024 - p_past) + 1, (int64_t)(p_from + base) + 1)
                - 1);
            #pragma unroll 1
            for (int32_t pii = 0; pii < min_i32(8, p_past - p_from - base); pii++) {
                int32_t p = p_from + (base + pii);
                #pragma unroll 1
                while (A2_pos[i + 1] <= p)
                    i++;
                int64_t y_here = i;
                if (y_at_2 != y_here) {
                    if (y_at_2 >= 0)
                        y_vals[y_at_2] += y_begun_2;
                    y_at_2 = y_here;
                    y_begun_2 = 0.0;
                }
                y_begun_2 += A_vals[p] * x_vals[A2_crd[p]];
            }
            __syncthreads();
            sum_rows_f64(y_vals, y_at_2, y_begun_2, y_at, y_begun, y_at_ends, y_begun_ends, thread,
                         4);
            y_at = y_at_ends[32];
            y_begun = y_begun_ends[32];
        }
    }
    if (thread == 0) {
        y_at_of[block] = y_at;
        y_begun_of[block] = y_begun;
    }
}

SPCC_KERNEL void __launch_bounds__(256) spmv_2_block(double *y_vals,
                                                     const int64_t *__restrict__ y_at_of,
                                                     const double *__restrict__ y_begun_of)
{
    const int32_t thread = (int32_t)threadIdx.x;
    __shared__ int64_t y_at_ends_2[33];
    __shared__ double y_begun_ends_2[33];
    int64_t y_at = -1;
    double y_begun = 0.0;
    int64_t part_from = 8 * (int64_t)thread;
    int64_t part_past = part_from + 8;
    #pragma unroll 4
    for (int64_t part = part_from; part < part_past; part++) {
        int64_t at_ = y_at_of[part];
        if (at_ >= 0) {
            if (y_at != at_) {
                if (y_at >= 0)
                    y_vals[y_at] += y_begun;
                y_at = at_;
                y_begun = 0.0;
            }
            y_begun += y_begun_of[part];
        }
    }
    int64_t y_last_at = -1;
    double y_last_begun = 0.0;
    sum_rows_f64(y_vals, y_at, y_begun, y_last_at, y_last_begun, y_at_ends_2, y_begun_ends_2,
                 thread, 8);
    y_last_at = y_at_ends_2[32];
    y_last_begun = y_begun_ends_2[32];
    if (thread == 0) {
        if (y_last_at >= 0)
            y_vals[y_last_at] += y_last_begun;
    }
}

#ifndef __CUDACC_RTC__
extern "C"
int spmv(int32_t A1_dimension, int32_t A2_dimension, const int32_t *__restrict__ A2_pos,
         const int32_t *__restrict__ A2_crd, const double *__restrict__ A_vals,
         const double *__restrict__ x_vals, double *__restrict__ y_vals, cudaStream_t stream)
{
    (void)A2_dimension;
    int64_t *y_at_of = NULL;
    double *y_begun_of = NULL;
    int status = 1;
    SPCC_TRY(cuda_allocate(y_at_of, 2048, stream));
    SPCC_TRY(cuda_allocate(y_begun_of, 2048, stream));
    SPCC_TRY(cuda_zero(y_vals, 0, A1_dimension, stream));
    SPCC_GRID(spmv_block, 2048, 128, stream, A1_dimension, A2_pos, A2_crd, A_vals, x_vals, y_vals,
              y_at_of, y_begun_of);
    SPCC_GRID(spmv_2_block, 1, 256, stream, y_vals, y_at_of, y_begun_of);
    SPCC_TRY(cuda_release(stream, y_at_of, y_begun_of));
    return 0;

fail:
    cuda_release(stream, y_at_of, y_begun_of);
    return status;
}
#endif
