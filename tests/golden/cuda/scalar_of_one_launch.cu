/* y = keep(min(j, A * max(k, B(k,j))), bool(A) != 2)
 *     y        f64   dense
 *     A        f64   dense
 *     B        f64   dd
 * schedule: parallelize(j, gpu_thread, temporary)
 * made by spcc VERSION with
 *     spcc 'y = keep(min(j, A * max(k, B(k,j))), bool(A) != 2)' -f 'B:dd' -s 'parallelize(j, gpu_thread, temporary)' --target=cuda
 *
 *   A_vals        A's values
 *   B1_dimension  size of mode 1 of B: the range of k
 *   B2_dimension  size of mode 2 of B: the range of j
 *   B_vals        B's values
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

#include "../helpers/cuda/max_f64.c"
#include "../helpers/cuda/min_f64.c"
#include "../helpers/cuda/cuda_allocate.c"
#include "../helpers/cuda/cuda_status.c"
#include "../helpers/cuda/min_i64.c"
#include "../helpers/cuda/cuda_fetch.c"
#include "../helpers/cuda/cuda_release.c"

SPCC_KERNEL void __launch_bounds__(256, 4) evaluate_block(const double *__restrict__ A_vals,
                                                          int32_t B1_dimension,
                                                          int32_t B2_dimension,
                                                          const double *__restrict__ B_vals,
                                                          double *t_of)
{
    const int32_t block = (int32_t)blockIdx.x;
    const int32_t thread = (int32_t)threadIdx.x;
    double A_val = A_vals[0];
    __shared__ double t_ends[33];
    double t = __builtin_inf();
    #pragma unroll 1
    for (int64_t j = (int64_t)block * 256 + thread; j < B2_dimension; j += 524288) {
        double t3 = -__builtin_inf();
        #pragma unroll 4
        for (int32_t k = 0; k < B1_dimension; k++)
            t3 = max_f64(t3, B_vals[(int64_t)k * B2_dimension + j]);
        t = min_f64(t, A_val * t3);
    }
    double t_other = __shfl_xor_sync(0xffffffff, t, 16);
    t = min_f64(t, t_other);
    double t_other_2 = __shfl_xor_sync(0xffffffff, t, 8);
    t = min_f64(t, t_other_2);
    double t_other_3 = __shfl_xor_sync(0xffffffff, t, 4);
    t = min_f64(t, t_other_3);
    double t_other_4 = __shfl_xor_sync(0xffffffff, t, 2);
    t = min_f64(t, t_other_4);
    double t_other_5 = __shfl_xor_sync(0xffffffff, t, 1);
    t = min_f64(t, t_other_5);
    if (thread % 32 == 0)
        t_ends[thread / 32] = t;
    __syncthreads();
    t = __builtin_inf();
    if (thread % 32 < 8)
        t = t_ends[thread % 32];
    double t_other_6 = __shfl_xor_sync(0xffffffff, t, 16);
    t = min_f64(t, t_other_6);
    double t_other_7 = __shfl_xor_sync(0xffffffff, t, 8);
    t = min_f64(t, t_other_7);
    double t_other_8 = __shfl_xor_sync(0xffffffff, t, 4);
    t = min_f64(t, t_other_8);
    double t_other_9 = __shfl_xor_sync(0xffffffff, t, 2);
    t = min_f64(t, t_other_9);
    double t_other_10 = __shfl_xor_sync(0xffffffff, t, 1);
    t = min_f64(t, t_other_10);
    __syncthreads();
    if (thread == 0)
        t_of[block] = t;
}

SPCC_KERNEL void __launch_bounds__(256) evaluate_2_block(int32_t blocks, double *t_of)
{
    const int32_t thread = (int32_t)threadIdx.x;
    __shared__ double t_ends_2[33];
    double t = __builtin_inf();
    #pragma unroll 1
    for (int32_t part = thread; part < blocks; part += 256)
        t = min_f64(t, t_of[part]);
    double t_other = __shfl_xor_sync(0xffffffff, t, 16);
    t = min_f64(t, t_other);
    double t_other_2 = __shfl_xor_sync(0xffffffff, t, 8);
    t = min_f64(t, t_other_2);
    double t_other_3 = __shfl_xor_sync(0xffffffff, t, 4);
    t = min_f64(t, t_other_3);
    double t_other_4 = __shfl_xor_sync(0xffffffff, t, 2);
    t = min_f64(t, t_other_4);
    double t_other_5 = __shfl_xor_sync(0xffffffff, t, 1);
    t = min_f64(t, t_other_5);
    if (thread % 32 == 0)
        t_ends_2[thread / 32] = t;
    __syncthreads();
    t = __builtin_inf();
    if (thread % 32 < 8)
        t = t_ends_2[thread % 32];
    double t_other_6 = __shfl_xor_sync(0xffffffff, t, 16);
    t = min_f64(t, t_other_6);
    double t_other_7 = __shfl_xor_sync(0xffffffff, t, 8);
    t = min_f64(t, t_other_7);
    double t_other_8 = __shfl_xor_sync(0xffffffff, t, 4);
    t = min_f64(t, t_other_8);
    double t_other_9 = __shfl_xor_sync(0xffffffff, t, 2);
    t = min_f64(t, t_other_9);
    double t_other_10 = __shfl_xor_sync(0xffffffff, t, 1);
    t = min_f64(t, t_other_10);
    __syncthreads();
    if (thread == 0)
        t_of[0] = t;
}

SPCC_KERNEL void __launch_bounds__(32) evaluate_3_block(double t, const double *__restrict__ t_of,
                                                        double *__restrict__ t_out,
                                                        double *__restrict__ t2_out)
{
    const int32_t thread = (int32_t)threadIdx.x;
    if (thread == 0) {
        double t_2 = t;
        t_2 = min_f64(t_2, t_of[0]);
        t_out[0] = t_2;
        t2_out[0] = 0.0;
    }
}

SPCC_KERNEL void __launch_bounds__(32) evaluate_4_block(double *__restrict__ t2_out, double t)
{
    const int32_t thread = (int32_t)threadIdx.x;
    if (thread == 0)
        t2_out[0] = t;
}

SPCC_KERNEL void __launch_bounds__(32) evaluate_5_block(double *__restrict__ y_vals, double t2)
{
    const int32_t thread = (int32_t)threadIdx.x;
    if (thread == 0)
        y_vals[0] = t2;
}

#ifndef __CUDACC_RTC__
extern "C"
int evaluate(const double *__restrict__ A_vals, int32_t B1_dimension, int32_t B2_dimension,
             const double *__restrict__ B_vals, double *__restrict__ y_vals, cudaStream_t stream)
{
    double *t_of = NULL, *t_out = NULL, *t2_out = NULL, *t2_out_2 = NULL;
    int status = 1;
    double t = __builtin_inf();
    int32_t blocks;
    double t2;
    SPCC_TRY(cuda_allocate(t_of, 2048, stream));
    blocks = (int32_t)min_i64(((int64_t)B2_dimension + 255) / 256, 2048);
    SPCC_GRID(evaluate_block, blocks, 256, stream, A_vals, B1_dimension, B2_dimension, B_vals,
              t_of);
    SPCC_GRID(evaluate_2_block, 1, 256, stream, blocks, t_of);
    SPCC_TRY(cuda_allocate(t_out, 1, stream));
    SPCC_TRY(cuda_allocate(t2_out, 1, stream));
    SPCC_GRID(evaluate_3_block, 1, 32, stream, t, t_of, t_out, t2_out);
    SPCC_TRY(cuda_fetch(t, &t_out[0], stream));
    SPCC_TRY(cuda_release(stream, t_out));
    SPCC_TRY(cuda_fetch(t2, &t2_out[0], stream));
    SPCC_TRY(cuda_release(stream, t2_out));
    SPCC_TRY(cuda_allocate(t2_out_2, 1, stream));
    SPCC_GRID(evaluate_4_block, 1, 32, stream, t2_out_2, t);
    SPCC_TRY(cuda_fetch(t2, &t2_out_2[0], stream));
    SPCC_TRY(cuda_release(stream, t2_out_2));
    SPCC_GRID(evaluate_5_block, 1, 32, stream, y_vals, t2);
    SPCC_TRY(cuda_release(stream, t_of));
    return 0;

fail:
    cuda_release(stream, t_of, t_out, t2_out, t2_out_2);
    return status;
}
#endif
