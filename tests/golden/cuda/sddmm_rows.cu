/* A(i,j) = B(i,j) * C(i,k) * D(j,k)
 *     A        f64   ds
 *     B        f64   ds
 *     C        f64   dd
 *     D        f64   dd
 * schedule: parallelize(i, gpu_thread)
 * made by spcc VERSION with
 *     spcc 'A(i,j) = B(i,j) * C(i,k) * D(j,k)' -f 'A:csr' -f 'B:csr' -s 'parallelize(i, gpu_thread)' --target=cuda
 *
 *   B1_dimension  size of mode 1 of B: the range of i
 *   B2_dimension  size of mode 2 of B: the range of j
 *   B2_pos        B, level 2 (compressed): where each segment begins and ends
 *   B2_crd        B, level 2 (compressed): coordinates
 *   B_vals        B's values
 *   C2_dimension  size of mode 2 of C: the range of k
 *   C_vals        C's values
 *   D_vals        D's values
 *   A2_pos_out    A, level 2 (compressed): where each segment begins and ends
 *   A2_crd_out    A, level 2 (compressed): coordinates
 *   A_vals_out    A's values
 *
 * No two of the arrays may overlap.
 *
 * Returns 0, or 1 where there is no memory, or the number of another error of CUDA's, negated.
 *
 * The arrays are in the device's memory. What is done is done in the order of the stream.
 *
 * Each ..._out is set to an array that the caller releases, to NULL if the function fails.
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
#include "../helpers/cuda/cuda_copy.c"
#include "../helpers/cuda/cuda_zero.c"
#include "../helpers/cuda/cuda_fetch.c"
#include "../helpers/cuda/min_i64.c"
#include "../helpers/cuda/cuda_release.c"

SPCC_KERNEL void __launch_bounds__(32) evaluate_block(int32_t *__restrict__ A2_pos)
{
    const int32_t thread = (int32_t)threadIdx.x;
    if (thread == 0)
        A2_pos[0] = 0;
}

SPCC_KERNEL void __launch_bounds__(256, 4) evaluate_2_block(int32_t B1_dimension,
                                                            const int32_t *__restrict__ B2_pos,
                                                            const int32_t *__restrict__ B2_crd,
                                                            const double *__restrict__ B_vals,
                                                            int32_t C2_dimension,
                                                            const double *__restrict__ C_vals,
                                                            const double *__restrict__ D_vals,
                                                            double *__restrict__ A_vals)
{
    const int32_t block = (int32_t)blockIdx.x;
    const int32_t thread = (int32_t)threadIdx.x;
    #pragma unroll 1
    for (int64_t i = (int64_t)block * 256 + thread; i < B1_dimension; i += 2162688) {
        int64_t C_base = i * C2_dimension;
        #pragma unroll 1
        for (int32_t pB2 = B2_pos[i]; pB2 < B2_pos[i + 1]; pB2++) {
            double B_val = B_vals[pB2];
            double A_val = 0.0;
            int64_t D_base = (int64_t)B2_crd[pB2] * C2_dimension;
            #pragma unroll 4
            for (int32_t k = 0; k < C2_dimension; k++)
                A_val += B_val * C_vals[C_base + k] * D_vals[D_base + k];
            A_vals[pB2] = A_val;
        }
    }
}

#ifndef __CUDACC_RTC__
extern "C"
int evaluate(int32_t B1_dimension, int32_t B2_dimension, const int32_t *__restrict__ B2_pos,
             const int32_t *__restrict__ B2_crd, const double *__restrict__ B_vals,
             int32_t C2_dimension, const double *__restrict__ C_vals,
             const double *__restrict__ D_vals, int32_t **A2_pos_out, int32_t **A2_crd_out,
             double **A_vals_out, cudaStream_t stream)
{
    (void)B2_dimension;
    int32_t *A2_pos = NULL, *A2_crd = NULL;
    double *A_vals = NULL;
    int status = 1;
    int32_t value, nA;
    SPCC_TRY(cuda_allocate(A2_pos, (int64_t)B1_dimension + 1, stream));
    if (C2_dimension > 0) {
        SPCC_TRY(cuda_copy(A2_pos, 0, B2_pos, 0, (int64_t)B1_dimension + 1, stream));
    } else {
        SPCC_GRID(evaluate_block, 1, 32, stream, A2_pos);
        SPCC_TRY(cuda_zero(A2_pos, 1, (int64_t)B1_dimension + 1, stream));
    }
    if (C2_dimension > 0) {
        int32_t B2_pos_at;
        SPCC_TRY(cuda_fetch(B2_pos_at, &B2_pos[B1_dimension], stream));
        value = B2_pos_at;
    } else {
        value = 0;
    }
    nA = value;
    SPCC_TRY(cuda_allocate(A2_crd, nA, stream));
    SPCC_TRY(cuda_copy(A2_crd, 0, B2_crd, 0, nA, stream));
    SPCC_TRY(cuda_allocate(A_vals, nA, stream));
    if (C2_dimension > 0) {
        int32_t blocks = (int32_t)min_i64(((int64_t)B1_dimension + 255) / 256, 8448);
        SPCC_GRID(evaluate_2_block, blocks, 256, stream, B1_dimension, B2_pos, B2_crd, B_vals,
                  C2_dimension, C_vals, D_vals, A_vals);
    }
    *A2_pos_out = A2_pos;
    *A2_crd_out = A2_crd;
    *A_vals_out = A_vals;
    return 0;

fail:
    cuda_release(stream, A2_pos, A2_crd, A_vals);
    *A2_pos_out = NULL;
    *A2_crd_out = NULL;
    *A_vals_out = NULL;
    return status;
}
#endif
