/* a = x(i) * y(i)
 *     a        f64   dense
 *     x        f64   d
 *     y        f64   d
 * schedule: parallelize(i, gpu_thread, temporary)
 * made by spcc VERSION with
 *     spcc 'a = x(i) * y(i)' --target=cuda
 *
 *   x1_dimension  size of mode 1 of x: the range of i
 *   x_vals        x's values
 *   y_vals        y's values
 *   a_vals        a's values
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

#include "../helpers/cuda/cuda_allocate.c"
#include "../helpers/cuda/cuda_status.c"
#include "../helpers/cuda/min_i64.c"
#include "../helpers/cuda/cuda_release.c"
#include "../helpers/cuda/sum_team32_f64.c"
#include "../helpers/cuda/sum_block_f64.c"

SPCC_KERNEL void __launch_bounds__(256, 4) evaluate_block(int32_t x1_dimension,
                                                          const double *__restrict__ x_vals,
                                                          const double *__restrict__ y_vals,
                                                          double *a_val_of)
{
    const int32_t block = (int32_t)blockIdx.x;
    const int32_t thread = (int32_t)threadIdx.x;
    __shared__ double a_val_ends[33];
    double a_val = 0.0;
    #pragma unroll 1
    for (int64_t i = (int64_t)block * 256 + thread; i < x1_dimension; i += 524288)
        a_val += x_vals[i] * y_vals[i];
    a_val = sum_block_f64(a_val, thread, 256, a_val_ends);
    __syncthreads();
    if (thread == 0)
        a_val_of[block] = a_val;
}

SPCC_KERNEL void __launch_bounds__(256) evaluate_2_block(int32_t blocks, double *a_val_of)
{
    const int32_t thread = (int32_t)threadIdx.x;
    __shared__ double a_val_ends_2[33];
    double a_val = 0.0;
    #pragma unroll 1
    for (int32_t part = thread; part < blocks; part += 256)
        a_val += a_val_of[part];
    a_val = sum_block_f64(a_val, thread, 256, a_val_ends_2);
    __syncthreads();
    if (thread == 0)
        a_val_of[0] = a_val;
}

SPCC_KERNEL void __launch_bounds__(32) evaluate_3_block(double *__restrict__ a_vals,
                                                        const double *__restrict__ a_val_of)
{
    const int32_t thread = (int32_t)threadIdx.x;
    if (thread == 0) {
        double a_val = 0.0;
        a_val += a_val_of[0];
        a_vals[0] = a_val;
    }
}

#ifndef __CUDACC_RTC__
extern "C"
int evaluate(int32_t x1_dimension, const double *__restrict__ x_vals,
             const double *__restrict__ y_vals, double *__restrict__ a_vals, cudaStream_t stream)
{
    double *a_val_of = NULL;
    int status = 1;
    int32_t blocks;
    SPCC_TRY(cuda_allocate(a_val_of, 2048, stream));
    blocks = (int32_t)min_i64(((int64_t)x1_dimension + 255) / 256, 2048);
    SPCC_GRID(evaluate_block, blocks, 256, stream, x1_dimension, x_vals, y_vals, a_val_of);
    SPCC_GRID(evaluate_2_block, 1, 256, stream, blocks, a_val_of);
    SPCC_GRID(evaluate_3_block, 1, 32, stream, a_vals, a_val_of);
    SPCC_TRY(cuda_release(stream, a_val_of));
    return 0;

fail:
    cuda_release(stream, a_val_of);
    return status;
}
#endif
