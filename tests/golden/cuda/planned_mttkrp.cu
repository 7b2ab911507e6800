/* A(i,j) = B(i,k,l) * C(k,j) * D(l,j)
 *     A        f64   dd
 *     B        f64   sss
 *     C        f64   dd
 *     D        f64   dd
 * schedule: reorder(i, k, l, j); reorder(i, j, k, l); parallelize(i, gpu_warp, no_races); parallelize(j, gpu_thread, no_races)
 * made by spcc VERSION with
 *     spcc 'A(i,j) = B(i,k,l) * C(k,j) * D(l,j)' -f 'B:sss' -d j:32 --target=cuda
 *
 *   B1_dimension  size of mode 1 of B: the range of i
 *   B2_dimension  size of mode 2 of B: the range of k
 *   B3_dimension  size of mode 3 of B: the range of l
 *   B1_pos        B, level 1 (compressed): where each segment begins and ends
 *   B1_crd        B, level 1 (compressed): coordinates
 *   B2_pos        B, level 2 (compressed): where each segment begins and ends
 *   B2_crd        B, level 2 (compressed): coordinates
 *   B3_pos        B, level 3 (compressed): where each segment begins and ends
 *   B3_crd        B, level 3 (compressed): coordinates
 *   B_vals        B's values
 *   C2_dimension  size of mode 2 of C: the range of j, which must be 32
 *   C_vals        C's values
 *   D_vals        D's values
 *   A_vals        A's values
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

#include "../helpers/cuda/cuda_zero.c"
#include "../helpers/cuda/cuda_status.c"

SPCC_KERNEL void __launch_bounds__(256, 4) evaluate_block(const int32_t *__restrict__ B1_pos,
                                                          const int32_t *__restrict__ B1_crd,
                                                          const int32_t *__restrict__ B2_pos,
                                                          const int32_t *__restrict__ B2_crd,
                                                          const int32_t *__restrict__ B3_pos,
                                                          const int32_t *__restrict__ B3_crd,
                                                          const double *__restrict__ B_vals,
                                                          const double *__restrict__ C_vals,
                                                          const double *__restrict__ D_vals,
                                                          double *__restrict__ A_vals)
{
    const int32_t block = (int32_t)blockIdx.x;
    const int32_t thread = (int32_t)threadIdx.x;
    #pragma unroll 1
    for (int64_t pB1 = B1_pos[0] + ((int64_t)block * 8 + thread / 32); pB1 < B1_pos[1];
         pB1 += 67584) {
        double A_val = 0.0;
        #pragma unroll 1
        for (int32_t pB2 = B2_pos[pB1]; pB2 < B2_pos[pB1 + 1]; pB2++) {
            double C_val = C_vals[(int64_t)B2_crd[pB2] * 32 + thread % 32];
            #pragma unroll 4
            for (int32_t pB3 = B3_pos[pB2]; pB3 < B3_pos[pB2 + 1]; pB3++)
                A_val += B_vals[pB3] * C_val * D_vals[(int64_t)B3_crd[pB3] * 32 + thread % 32];
        }
        A_vals[(int64_t)B1_crd[pB1] * 32 + thread % 32] = A_val;
    }
}

#ifndef __CUDACC_RTC__
extern "C"
int evaluate(int32_t B1_dimension, int32_t B2_dimension, int32_t B3_dimension,
             const int32_t *__restrict__ B1_pos, const int32_t *__restrict__ B1_crd,
             const int32_t *__restrict__ B2_pos, const int32_t *__restrict__ B2_crd,
             const int32_t *__restrict__ B3_pos, const int32_t *__restrict__ B3_crd,
             const double *__restrict__ B_vals, int32_t C2_dimension,
             const double *__restrict__ C_vals, const double *__restrict__ D_vals,
             double *__restrict__ A_vals, cudaStream_t stream)
{
    (void)B2_dimension;
    (void)B3_dimension;
    (void)C2_dimension;
    int status = 1;
    SPCC_TRY(cuda_zero(A_vals, 0, (int64_t)B1_dimension * 32, stream));
    SPCC_GRID(evaluate_block, 8448, 256, stream, B1_pos, B1_crd, B2_pos, B2_crd, B3_pos, B3_crd,
              B_vals, C_vals, D_vals, A_vals);
    return 0;

fail:
    return status;
}
#endif
