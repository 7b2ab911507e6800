/* A(i,j) = B(i,j) * C(i,k) * D(j,k)
 *     A        f64   ds
 *     B        f64   ds
 *     C        f64   dd
 *     D        f64   dd
 * schedule: collapse(i, j, f); pos(f, p, B(i,j)); parallelize(p, gpu_warp, no_races); split(k, ko, ki, down, 8); reorder(ki, ko); parallelize(ki, gpu_thread, warp_reduction)
 * made by spcc VERSION with
 *     spcc 'A(i,j) = B(i,j) * C(i,k) * D(j,k)' -f 'A:csr' -f 'B:csr' -d k:32 --target=cuda
 *
 *   B1_dimension  size of mode 1 of B: the range of i
 *   B2_dimension  size of mode 2 of B: the range of j
 *   B2_pos        B, level 2 (compressed): where each segment begins and ends
 *   B2_crd        B, level 2 (compressed): coordinates
 *   B_vals        B's values
 *   C2_dimension  size of mode 2 of C: the range of k, which must be 32
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

#include "../helpers/cuda/team_mask.c"
#include "../helpers/cuda/cuda_allocate.c"
#include "../helpers/cuda/cuda_status.c"
#include "../helpers/cuda/cuda_copy.c"
#include "../helpers/cuda/cuda_fetch.c"
#include "../helpers/cuda/cuda_release.c"
#include "../helpers/cuda/find_first_i32.c"
#include "../helpers/cuda/sum_team8_f64.c"

SPCC_KERNEL void __launch_bounds__(256, 4) evaluate_block(int32_t B1_dimension,
                                                          const int32_t *__restrict__ B2_pos,
                                                          const int32_t *__restrict__ B2_crd,
                                                          const double *__restrict__ B_vals,
                                                          const double *__restrict__ C_vals,
                                                          const double *__restrict__ D_vals,
                                                          double *__restrict__ A_vals)
{
    const int32_t block = (int32_t)blockIdx.x;
    const int32_t thread = (int32_t)threadIdx.x;
    int32_t p_size = B2_pos[B1_dimension];
    #pragma unroll 1
    for (int64_t p = (int64_t)block * 32 + thread / 8; p < p_size; p += 270336) {
        int32_t i = (int32_t)(find_first_i32(B2_pos, 1, (int64_t)B1_dimension + 1, p + 1) - 1);
        double B_val = B_vals[p];
        double A_val = 0.0;
        int64_t C_base = (int64_t)i * 32;
        int64_t D_base = (int64_t)B2_crd[p] * 32;
        #pragma unroll 4
        for (int32_t k = thread % 8; k < 32; k += 8)
            A_val += B_val * C_vals[C_base + k] * D_vals[D_base + k];
        A_val = sum_team8_f64(A_val);
        if (thread % 8 == 0)
            A_vals[p] = A_val;
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
    (void)C2_dimension;
    int32_t *A2_pos = NULL, *A2_crd = NULL;
    double *A_vals = NULL;
    int status = 1;
    int32_t value;
    SPCC_TRY(cuda_allocate(A2_pos, (int64_t)B1_dimension + 1, stream));
    SPCC_TRY(cuda_copy(A2_pos, 0, B2_pos, 0, (int64_t)B1_dimension + 1, stream));
    SPCC_TRY(cuda_fetch(value, &B2_pos[B1_dimension], stream));
    SPCC_TRY(cuda_allocate(A2_crd, value, stream));
    SPCC_TRY(cuda_copy(A2_crd, 0, B2_crd, 0, value, stream));
    SPCC_TRY(cuda_allocate(A_vals, value, stream));
    SPCC_GRID(evaluate_block, 8448, 256, stream, B1_dimension, B2_pos, B2_crd, B_vals, C_vals,
              D_vals, A_vals);
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
