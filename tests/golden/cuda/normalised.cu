/* y(i) = x(i) / sum(k, x(k))
 *     y        f64   d
 *     x        f64   d
 * schedule: parallelize(i, gpu_thread)
 * made by spcc VERSION with
 *     spcc 'y(i) = x(i) / sum(k, x(k))' -s 'parallelize(i, gpu_thread)' --target=cuda
 *
 *   x1_dimension  size of mode 1 of x: the range of i
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

#include "../helpers/cuda/min_i64.c"
#include "../helpers/cuda/cuda_allocate.c"
#include "../helpers/cuda/cuda_status.c"
#include "../helpers/cuda/cuda_fetch.c"
#include "../helpers/cuda/cuda_release.c"

SPCC_KERNEL void __launch_bounds__(32) evaluate_block(int32_t x1_dimension,
                                                      const double *__restrict__ x_vals,
                                                      double *__restrict__ t_out)
{
    const int32_t thread = (int32_t)threadIdx.x;
    if (thread == 0) {
        double t = 0.0;
        #pragma unroll 4
        for (int32_t k = 0; k < x1_dimension; k++)
            t += x_vals[k];
        t_out[0] = t;
    }
}

SPCC_KERNEL void __launch_bounds__(256, 4) evaluate_2_block(int32_t x1_dimension,
                                                            const double *__restrict__ x_vals,
                                                            double *__restrict__ y_vals, double t)
{
    const int32_t block = (int32_t)blockIdx.x;
    const int32_t thread = (int32_t)threadIdx.x;
    #pragma unroll 1
    for (int64_t i = (int64_t)block * 256 + thread; i < x1_dimension; i += 2162688)
        y_vals[i] = x_vals[i] / t;
}

#ifndef __CUDACC_RTC__
extern "C"
int evaluate(int32_t x1_dimension, const double *__restrict__ x_vals, double *__restrict__ y_vals,
             cudaStream_t stream)
{
    double *t_out = NULL;
    int status = 1;
    double t;
    int32_t blocks = (int32_t)min_i64(((int64_t)x1_dimension + 255) / 256, 8448);
    SPCC_TRY(cuda_allocate(t_out, 1, stream));
    SPCC_GRID(evaluate_block, 1, 32, stream, x1_dimension, x_vals, t_out);
    SPCC_TRY(cuda_fetch(t, &t_out[0], stream));
    SPCC_TRY(cuda_release(stream, t_out));
    SPCC_GRID(evaluate_2_block, blocks, 256, stream, x1_dimension, x_vals, y_vals, t);
    return 0;

fail:
    cuda_release(stream, t_out);
    return status;
}
#endif
