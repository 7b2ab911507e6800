/* A(i,j) = stored(M(i,j)) * B(i,k) * C(k,j)
 *     A        f64   ds
 *     M        f64   ds
 *     B        f64   ds
 *     C        f64   ds
 * schedule: parallelize(i, gpu_warp, no_races); pos(k, p, B(i,k)); split(p, po, pi, down, 8); reorder(pi, po); parallelize(pi, gpu_thread, warp_reduction)
 * made by spcc VERSION with
 *     spcc 'A(i,j) = stored(M(i,j)) * B(i,k) * C(k,j)' -f 'A:csr' -f 'M:csr' -f 'B:csr' -f 'C:csr' --target=cuda
 *
 *   M1_dimension  size of mode 1 of M: the range of i
 *   M2_dimension  size of mode 2 of M: the range of j
 *   M2_pos        M, level 2 (compressed): where each segment begins and ends
 *   M2_crd        M, level 2 (compressed): coordinates
 *   M_vals        M's values
 *   B2_dimension  size of mode 2 of B: the range of k
 *   B2_pos        B, level 2 (compressed): where each segment begins and ends
 *   B2_crd        B, level 2 (compressed): coordinates
 *   B_vals        B's values
 *   C2_pos        C, level 2 (compressed): where each segment begins and ends
 *   C2_crd        C, level 2 (compressed): coordinates
 *   C_vals        C's values
 *   A2_pos_out    A, level 2 (compressed): where each segment begins and ends
 *   A2_crd_out    A, level 2 (compressed): coordinates
 *   A_vals_out    A's values
 *
 * No two of the arrays may overlap.
 *
 * Returns 0, or 1 where there is no memory, or the number of another error of CUDA's, negated, or 2
 * where a result has more components than its positions can count.
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

#include "../helpers/cuda/min_i64.c"
#include "../helpers/cuda/div_i64.c"
#include "../helpers/cuda/team_mask.c"
#include "../helpers/cuda/max_i64.c"
#include "../helpers/cuda/cuda_allocate.c"
#include "../helpers/cuda/cuda_status.c"
#include "../helpers/cuda/cuda_fetch.c"
#include "../helpers/cuda/cuda_release.c"
#include "../helpers/cuda/search_i32.c"
#include "../helpers/cuda/sum_team32_i64.c"
#include "../helpers/cuda/sum_block_i64.c"
#include "../helpers/cuda/sum_block_list_i64.c"
#include "../helpers/cuda/sum_warp_up_to_i64.c"
#include "../helpers/cuda/sum_warp_before_i64.c"
#include "../helpers/cuda/sum_block_before_i64.c"
#include "../helpers/cuda/sum_block_scan_i64.c"
#include "../helpers/cuda/sum_grid_scan_i64.c"
#include "../helpers/cuda/sum_team8_f64.c"

SPCC_KERNEL void __launch_bounds__(256, 4) evaluate_block(int32_t M1_dimension,
                                                          const int32_t *__restrict__ M2_pos,
                                                          const int32_t *__restrict__ M2_crd,
                                                          const int32_t *__restrict__ B2_pos,
                                                          const int32_t *__restrict__ B2_crd,
                                                          const int32_t *__restrict__ C2_pos,
                                                          const int32_t *__restrict__ C2_crd,
                                                          int64_t *__restrict__ A2_begin)
{
    const int32_t block = (int32_t)blockIdx.x;
    const int32_t thread = (int32_t)threadIdx.x;
    #pragma unroll 1
    for (int64_t i = (int64_t)block * 32 + thread / 8; i < M1_dimension; i += 270336) {
        int64_t pA2 = 0;
        int32_t p_begin = B2_pos[i];
        int32_t p_size = B2_pos[i + 1] - B2_pos[i];
        #pragma unroll 1
        for (int32_t pM2 = M2_pos[i]; pM2 < M2_pos[i + 1]; pM2++) {
            int32_t j = M2_crd[pM2];
            bool A2_stored = false;
            #pragma unroll 1
            for (int64_t p = thread % 8; p < p_size; p += 8) {
                int32_t k = B2_crd[p_begin + p];
                int64_t pC2 = search_i32(C2_crd, C2_pos[k], C2_pos[k + 1], j);
                if (pC2 >= 0)
                    A2_stored = true;
            }
            bool A2_stored_other = (bool)__shfl_xor_sync(team_mask(8), A2_stored, 4, 8);
            A2_stored |= A2_stored_other;
            bool A2_stored_other_2 = (bool)__shfl_xor_sync(team_mask(8), A2_stored, 2, 8);
            A2_stored |= A2_stored_other_2;
            bool A2_stored_other_3 = (bool)__shfl_xor_sync(team_mask(8), A2_stored, 1, 8);
            A2_stored |= A2_stored_other_3;
            if (A2_stored)
                pA2++;
        }
        if (thread % 8 == 0)
            A2_begin[i] = pA2;
    }
}

SPCC_KERNEL void __launch_bounds__(32) evaluate_2_block(int32_t *__restrict__ A2_pos)
{
    const int32_t thread = (int32_t)threadIdx.x;
    if (thread == 0)
        A2_pos[0] = 0;
}

SPCC_KERNEL void __launch_bounds__(256, 4) evaluate_3_block(int32_t M1_dimension,
                                                            const int32_t *__restrict__ M2_pos,
                                                            const int32_t *__restrict__ M2_crd,
                                                            const int32_t *__restrict__ B2_pos,
                                                            const int32_t *__restrict__ B2_crd,
                                                            const double *__restrict__ B_vals,
                                                            const int32_t *__restrict__ C2_pos,
                                                            const int32_t *__restrict__ C2_crd,
                                                            const double *__restrict__ C_vals,
                                                            int32_t *__restrict__ A2_pos,
                                                            int32_t *__restrict__ A2_crd,
                                                            double *__restrict__ A_vals,
                                                            const int64_t *__restrict__ A2_begin)
{
    const int32_t block = (int32_t)blockIdx.x;
    const int32_t thread = (int32_t)threadIdx.x;
    #pragma unroll 1
    for (int64_t i = (int64_t)block * 32 + thread / 8; i < M1_dimension; i += 270336) {
        int32_t pA2 = (int32_t)A2_begin[i];
        int32_t p_begin = B2_pos[i];
        int32_t p_size = B2_pos[i + 1] - B2_pos[i];
        #pragma unroll 1
        for (int32_t pM2 = M2_pos[i]; pM2 < M2_pos[i + 1]; pM2++) {
            int32_t j = M2_crd[pM2];
            bool A2_stored = false;
            double A_val = 0.0;
            #pragma unroll 1
            for (int64_t p = thread % 8; p < p_size; p += 8) {
                int32_t k = B2_crd[p_begin + p];
                int64_t pC2 = search_i32(C2_crd, C2_pos[k], C2_pos[k + 1], j);
                if (pC2 >= 0) {
                    A2_stored = true;
                    A_val += B_vals[p_begin + p] * C_vals[pC2];
                }
            }
            A_val = sum_team8_f64(A_val);
            bool A2_stored_other = (bool)__shfl_xor_sync(team_mask(8), A2_stored, 4, 8);
            A2_stored |= A2_stored_other;
            bool A2_stored_other_2 = (bool)__shfl_xor_sync(team_mask(8), A2_stored, 2, 8);
            A2_stored |= A2_stored_other_2;
            bool A2_stored_other_3 = (bool)__shfl_xor_sync(team_mask(8), A2_stored, 1, 8);
            A2_stored |= A2_stored_other_3;
            if (A2_stored) {
                if (thread % 8 == 0)
                    A_vals[pA2] = A_val;
                if (thread % 8 == 0)
                    A2_crd[pA2] = j;
                pA2++;
            }
        }
        if (thread % 8 == 0)
            A2_pos[i + 1] = pA2;
    }
}

#ifndef __CUDACC_RTC__
extern "C"
int evaluate(int32_t M1_dimension, int32_t M2_dimension, const int32_t *__restrict__ M2_pos,
             const int32_t *__restrict__ M2_crd, const double *__restrict__ M_vals,
             int32_t B2_dimension, const int32_t *__restrict__ B2_pos,
             const int32_t *__restrict__ B2_crd, const double *__restrict__ B_vals,
             const int32_t *__restrict__ C2_pos, const int32_t *__restrict__ C2_crd,
             const double *__restrict__ C_vals, int32_t **A2_pos_out, int32_t **A2_crd_out,
             double **A_vals_out, cudaStream_t stream)
{
    (void)M2_dimension;
    (void)M_vals;
    (void)B2_dimension;
    int32_t *A2_pos = NULL, *A2_crd = NULL;
    double *A_vals = NULL;
    int64_t *A2_begin = NULL;
    int status = 1;
    int32_t blocks;
    int64_t nA2;
    int32_t blocks_2;
    int64_t ni = max_i64(M1_dimension, 0);
    SPCC_TRY(cuda_allocate(A2_begin, ni + 1025, stream));
    blocks = (int32_t)min_i64((ni + 31) / 32, 8448);
    SPCC_GRID(evaluate_block, blocks, 256, stream, M1_dimension, M2_pos, M2_crd, B2_pos, B2_crd,
              C2_pos, C2_crd, A2_begin);
    sum_grid_scan_i64(A2_begin, ni, stream);
    SPCC_TRY(cudaGetLastError());
    SPCC_TRY(cuda_fetch(nA2, &A2_begin[ni], stream));
    if (nA2 > 2147483647) {
        status = 2;
        goto fail;
    }
    SPCC_TRY(cuda_allocate(A2_pos, (int64_t)M1_dimension + 1, stream));
    SPCC_TRY(cuda_allocate(A2_crd, nA2, stream));
    SPCC_TRY(cuda_allocate(A_vals, nA2, stream));
    blocks_2 = (int32_t)min_i64((ni + 31) / 32, 8448);
    SPCC_GRID(evaluate_2_block, 1, 32, stream, A2_pos);
    SPCC_GRID(evaluate_3_block, blocks_2, 256, stream, M1_dimension, M2_pos, M2_crd, B2_pos, B2_crd,
              B_vals, C2_pos, C2_crd, C_vals, A2_pos, A2_crd, A_vals, A2_begin);
    SPCC_TRY(cuda_release(stream, A2_begin));
    *A2_pos_out = A2_pos;
    *A2_crd_out = A2_crd;
    *A_vals_out = A_vals;
    return 0;

fail:
    cuda_release(stream, A2_pos, A2_crd, A_vals, A2_begin);
    *A2_pos_out = NULL;
    *A2_crd_out = NULL;
    *A_vals_out = NULL;
    return status;
}
#endif
