/* y(i) = A(i,j) * x(j)
 *     y        f64   d
 *     A        f64   ds
 *     x        f64   d
 * schedule: parallelize(i, gpu_warp, no_races); pos(j, p, A(i,j)); split(p, po, pi, down, 8); reorder(pi, po); parallelize(pi, gpu_thread, warp_reduction)
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

#ifndef SPCC_HAS_team_mask
#define SPCC_HAS_team_mask
/* The lanes of the warp that are in the thread's team of so many, one bit each. */
static __device__ inline uint32_t team_mask(int lanes)
{
    return ((1u << lanes) - 1) << (threadIdx.x % 32 / lanes * lanes);
}
#endif

#ifndef SPCC_HAS_min_i64
#define SPCC_HAS_min_i64
static __host__ __device__ inline int64_t min_i64(int64_t a, int64_t b)
{
    return a < b ? a : b;
}
#endif

#ifndef SPCC_HAS_cuda_status
#define SPCC_HAS_cuda_status
#ifndef __CUDACC_RTC__
/* 0, 1 where there is no memory, and else the error's number, negated. */
static inline int cuda_status(cudaError_t error)
{
    return error == cudaErrorMemoryAllocation ? 1 : -(int)error;
}
#endif
#endif

#ifndef SPCC_HAS_sum_team8_f64
#define SPCC_HAS_sum_team8_f64
/* The sum over the team of 8 lanes, in each of them. */
static __device__ inline double sum_team8_f64(double v)
{
    double sum = v;
    sum += __shfl_xor_sync(team_mask(8), sum, 4, 8);
    sum += __shfl_xor_sync(team_mask(8), sum, 2, 8);
    sum += __shfl_xor_sync(team_mask(8), sum, 1, 8);
    return sum;
}
#endif

SPCC_KERNEL void __launch_bounds__(256) spmv_block(int32_t A1_dimension,
                                                   const int32_t *__restrict__ A2_pos,
                                                   const int32_t *__restrict__ A2_crd,
                                                   const double *__restrict__ A_vals,
                                                   const double *__restrict__ x_vals,
                                                   double *__restrict__ y_vals)
{
    const int32_t block = (int32_t)blockIdx.x;
    const int32_t thread = (int32_t)threadIdx.x;
    for (int64_t i_step = (int64_t)block * 32 + thread / 8; i_step < A1_dimension;
         i_step += 270336) {
        int32_t i = (int32_t)i_step;
        int32_t p_begin = A2_pos[i];
        int32_t p_size = A2_pos[i + 1] - A2_pos[i];
        int32_t po_size = p_size / 8 + (p_size % 8 > 0);
        double y_val = 0.0;
        double y_val_2 = 0.0;
        for (int64_t pi_step = thread % 8; pi_step < 8; pi_step += 8) {
            int32_t pi = (int32_t)pi_step;
            for (int32_t po = 0; po < po_size; po++) {
                int32_t p = po * 8 + pi;
                if (pi < p_size - po * 8) {
                    int32_t j = A2_crd[p_begin + p];
                    y_val_2 += A_vals[p_begin + p] * x_vals[j];
                }
            }
        }
        y_val_2 = sum_team8_f64(y_val_2);
        y_val += y_val_2;
        if (thread % 8 == 0)
            y_vals[i] = y_val;
    }
}

#ifndef __CUDACC_RTC__
extern "C"
int spmv(int32_t A1_dimension, int32_t A2_dimension, const int32_t *__restrict__ A2_pos,
         const int32_t *__restrict__ A2_crd, const double *__restrict__ A_vals,
         const double *__restrict__ x_vals, double *__restrict__ y_vals, cudaStream_t stream)
{
    (void)A2_dimension;
    int status = 1;
    int32_t blocks = (int32_t)min_i64(((int64_t)A1_dimension + 31) / 32, 8448);
    if (blocks > 0)
        SPCC_LAUNCH(spmv_block, blocks, 256, stream, A1_dimension, A2_pos, A2_crd, A_vals, x_vals,
                    y_vals);
    if ((status = cuda_status(cudaGetLastError())) != 0)
        goto fail;
    return 0;

fail:
    return status;
}
#endif
