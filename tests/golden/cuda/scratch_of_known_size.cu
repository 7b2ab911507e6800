/* D(i,j) = A(i,j) + m
 *     D        f64   dd
 *     A        f64   ds:1,0
 *     m        f64   dense
 * schedule: parallelize(i, gpu_thread, atomics); reorder(j, i); precompute(A(i,j), w, {i,i,ip}, dense)
 * made by spcc VERSION with
 *     spcc 'D(i,j) = A(i,j) + m' -f 'A:csc' -f 'm:dense' -d i:2 -d j:40 -s 'parallelize(i, gpu_thread, atomics)' --target=cuda
 *
 *   A1_dimension  size of mode 1 of A: the range of i, which must be 2
 *   A2_dimension  size of mode 2 of A: the range of j, which must be 40
 *   A2_pos        A, level 2 (compressed): where each segment begins and ends
 *   A2_crd        A, level 2 (compressed): coordinates
 *   A_vals        A's values
 *   m_vals        m's values
 *   D_vals        D's values
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
#include "../helpers/cuda/cuda_zero.c"
#include "../helpers/cuda/cuda_release.c"

SPCC_KERNEL void __launch_bounds__(32) evaluate_block(const int32_t *__restrict__ A2_pos,
                                                      const int32_t *__restrict__ A2_crd,
                                                      const double *__restrict__ A_vals, int32_t j,
                                                      double *__restrict__ w_vals)
{
    const int32_t thread = (int32_t)threadIdx.x;
    if (thread == 0) {
        #pragma unroll 4
        for (int32_t pA2 = A2_pos[j]; pA2 < A2_pos[j + 1]; pA2++)
            w_vals[A2_crd[pA2]] = A_vals[pA2];
    }
}

SPCC_KERNEL void __launch_bounds__(256) evaluate_2_block(const double *__restrict__ m_vals,
                                                         double *__restrict__ D_vals, int32_t j,
                                                         const double *__restrict__ w_vals)
{
    const int32_t block = (int32_t)blockIdx.x;
    const int32_t thread = (int32_t)threadIdx.x;
    double m_val = m_vals[0];
    #pragma unroll 1
    for (int64_t i = (int64_t)block * 256 + thread; i < 2; i += 2162688)
        D_vals[i * 40 + j] = w_vals[i] + m_val;
}

#ifndef __CUDACC_RTC__
extern "C"
int evaluate(int32_t A1_dimension, int32_t A2_dimension, const int32_t *__restrict__ A2_pos,
             const int32_t *__restrict__ A2_crd, const double *__restrict__ A_vals,
             const double *__restrict__ m_vals, double *__restrict__ D_vals, cudaStream_t stream)
{
    (void)A1_dimension;
    (void)A2_dimension;
    double *w_vals = NULL;
    int status = 1;
    SPCC_TRY(cuda_allocate(w_vals, 2, stream));
    for (int32_t j = 0; j < 40; j++) {
        SPCC_TRY(cuda_zero(w_vals, 0, 2, stream));
        SPCC_GRID(evaluate_block, 1, 32, stream, A2_pos, A2_crd, A_vals, j, w_vals);
        SPCC_GRID(evaluate_2_block, 1, 256, stream, m_vals, D_vals, j, w_vals);
    }
    SPCC_TRY(cuda_release(stream, w_vals));
    return 0;

fail:
    cuda_release(stream, w_vals);
    return status;
}
#endif
