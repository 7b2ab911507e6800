/* y(i) = A(i,j) * x(j)
 *     y        f64   d
 *     A        f64   (i,j) -> (j-i : compressed, i : range, j : offset)
 *     x        f64   d
 * schedule: skew(j, i, d); reorder(d, i); split(i, io, ii, down, 256); reorder(io, d, ii); parallelize(io, gpu_block, no_races); parallelize(ii, gpu_thread, no_races)
 * made by spcc VERSION with
 *     spcc 'y(i) = A(i,j) * x(j)' -f 'A:dia' --target=cuda
 *
 *   A1_dimension  size of mode 1 of A: the range of i
 *   A2_dimension  size of mode 2 of A: the range of j
 *   A1_pos        A, level 1 (compressed): where each segment begins and ends
 *   A1_crd        A, level 1 (compressed): coordinates
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

#include "../helpers/cuda/min_i32.c"
#include "../helpers/cuda/max_i32.c"
#include "../helpers/cuda/min_i64.c"
#include "../helpers/cuda/cuda_status.c"

SPCC_KERNEL void __launch_bounds__(256, 4) evaluate_block(int32_t A1_dimension,
                                                          int32_t A2_dimension,
                                                          const int32_t *__restrict__ A1_pos,
                                                          const int32_t *__restrict__ A1_crd,
                                                          const double *__restrict__ A_vals,
                                                          const double *__restrict__ x_vals,
                                                          double *y_vals, int32_t io_size)
{
    const int32_t block = (int32_t)blockIdx.x;
    const int32_t thread = (int32_t)threadIdx.x;
    #pragma unroll 1
    for (int64_t io = block; io < io_size; io += 8448) {
        __syncthreads();
        int32_t base = (int32_t)io * 256;
        #pragma unroll 1
        for (int64_t py_vals = (int64_t)base + thread; py_vals < (int64_t)base
             + min_i32(256, A1_dimension - base); py_vals += 256)
            y_vals[py_vals] = 0.0;
        __syncthreads();
        int32_t base_2 = A1_dimension - (int32_t)io * 256;
        #pragma unroll 1
        for (int32_t pA1 = A1_pos[0]; pA1 < A1_pos[1]; pA1++) {
            int32_t d = A1_crd[pA1];
            __syncthreads();
            int64_t A_base = (int64_t)pA1 * A1_dimension;
            #pragma unroll 1
            for (int64_t ii = (int64_t)max_i32(0, -d - base) + thread; ii
                 < min_i32(256 < base_2 ? 256 : base_2, A2_dimension - d - base); ii += 256) {
                int32_t i = base + (int32_t)ii;
                y_vals[i] += A_vals[A_base + i] * x_vals[i + d];
            }
            __syncthreads();
        }
    }
}

#ifndef __CUDACC_RTC__
extern "C"
int evaluate(int32_t A1_dimension, int32_t A2_dimension, const int32_t *__restrict__ A1_pos,
             const int32_t *__restrict__ A1_crd, const double *__restrict__ A_vals,
             const double *__restrict__ x_vals, double *__restrict__ y_vals, cudaStream_t stream)
{
    int status = 1;
    int32_t io_size = A1_dimension / 256 + (A1_dimension % 256 > 0);
    int32_t blocks = (int32_t)min_i64(io_size, 8448);
    SPCC_GRID(evaluate_block, blocks, 256, stream, A1_dimension, A2_dimension, A1_pos, A1_crd,
              A_vals, x_vals, y_vals, io_size);
    return 0;

fail:
    return status;
}
#endif
