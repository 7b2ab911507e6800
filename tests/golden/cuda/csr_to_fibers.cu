/* A(i,j) = B(i,j)
 *     A        f64   (i,j) -> (i : compressed(nonunique), j : compressed(most=2))
 *     B        f64   ds
 * schedule: parallelize(i, gpu_thread, no_races)
 * made by spcc VERSION with
 *     spcc 'A(i,j) = B(i,j)' -f 'A:fibers(2)' -f 'B:csr' --target=cuda
 *
 *   B1_dimension  size of mode 1 of B: the range of i
 *   B2_dimension  size of mode 2 of B: the range of j
 *   B2_pos        B, level 2 (compressed): where each segment begins and ends
 *   B2_crd        B, level 2 (compressed): coordinates
 *   B_vals        B's values
 *   A1_pos_out    A, level 1 (compressed): where each segment begins and ends
 *   A1_crd_out    A, level 1 (compressed): coordinates
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
#include "../helpers/cuda/max_i64.c"
#include "../helpers/cuda/cuda_allocate.c"
#include "../helpers/cuda/cuda_status.c"
#include "../helpers/cuda/cuda_fetch.c"
#include "../helpers/cuda/cuda_release.c"
#include "../helpers/cuda/cuda_copy.c"
#include "../helpers/cuda/sum_team32_i64.c"
#include "../helpers/cuda/sum_block_i64.c"
#include "../helpers/cuda/sum_block_list_i64.c"
#include "../helpers/cuda/sum_warp_up_to_i64.c"
#include "../helpers/cuda/sum_warp_before_i64.c"
#include "../helpers/cuda/sum_block_before_i64.c"
#include "../helpers/cuda/sum_block_scan_i64.c"
#include "../helpers/cuda/sum_grid_scan_i64.c"

SPCC_KERNEL void __launch_bounds__(256, 4) evaluate_block(int32_t B1_dimension,
                                                          const int32_t *__restrict__ B2_pos,
                                                          int64_t *__restrict__ A1_begin,
                                                          int64_t *__restrict__ A2_begin)
{
    const int32_t block = (int32_t)blockIdx.x;
    const int32_t thread = (int32_t)threadIdx.x;
    #pragma unroll 1
    for (int64_t i = (int64_t)block * 256 + thread; i < B1_dimension; i += 2162688) {
        int64_t pA1 = 0;
        int64_t pA2 = 0;
        int64_t pA2_begin = pA2;
        #pragma unroll 1
        for (int32_t pB2 = B2_pos[i]; pB2 < B2_pos[i + 1]; pB2++)
            pA2++;
        if (pA2_begin < pA2)
            pA1++;
        A1_begin[i] = pA1;
        A2_begin[i] = pA2;
    }
}

SPCC_KERNEL void __launch_bounds__(32) evaluate_2_block(int32_t *__restrict__ A1_pos,
                                                        int32_t *__restrict__ A2_pos, int64_t nA1)
{
    const int32_t thread = (int32_t)threadIdx.x;
    if (thread == 0) {
        A1_pos[0] = 0;
        A1_pos[1] = (int32_t)nA1;
        A2_pos[0] = 0;
    }
}

SPCC_KERNEL void __launch_bounds__(256, 4) evaluate_3_block(int32_t B1_dimension,
                                                            const int32_t *__restrict__ B2_pos,
                                                            const int32_t *__restrict__ B2_crd,
                                                            const double *__restrict__ B_vals,
                                                            int32_t *__restrict__ A1_crd,
                                                            int32_t *__restrict__ A2_pos,
                                                            int32_t *__restrict__ A2_crd,
                                                            double *__restrict__ A_vals,
                                                            const int64_t *__restrict__ A1_begin,
                                                            const int64_t *__restrict__ A2_begin)
{
    const int32_t block = (int32_t)blockIdx.x;
    const int32_t thread = (int32_t)threadIdx.x;
    #pragma unroll 1
    for (int64_t i = (int64_t)block * 256 + thread; i < B1_dimension; i += 2162688) {
        int32_t pA1 = (int32_t)A1_begin[i];
        int32_t pA2 = (int32_t)A2_begin[i];
        int32_t pA2_begin = pA2;
        #pragma unroll 4
        for (int32_t pB2 = B2_pos[i]; pB2 < B2_pos[i + 1]; pB2++) {
            A_vals[pA2] = B_vals[pB2];
            A2_crd[pA2] = B2_crd[pB2];
            pA2++;
        }
        if (pA2_begin < pA2) {
            A1_crd[pA1] = (int32_t)i;
            A2_pos[pA1 + 1] = pA2;
            pA1++;
        }
    }
}

SPCC_KERNEL void __launch_bounds__(32) evaluate_4_block(const int32_t *__restrict__ A1_pos,
                                                        int64_t *__restrict__ A_parents_out)
{
    const int32_t thread = (int32_t)threadIdx.x;
    if (thread == 0) {
        int64_t A_parents = A1_pos[1];
        A_parents_out[0] = A_parents;
    }
}

SPCC_KERNEL void __launch_bounds__(256, 4) evaluate_5_block(const int32_t *__restrict__ A2_pos,
                                                            int64_t A_parents,
                                                            int64_t *__restrict__ A_from)
{
    const int32_t block = (int32_t)blockIdx.x;
    const int32_t thread = (int32_t)threadIdx.x;
    #pragma unroll 1
    for (int64_t A_at = (int64_t)block * 256 + thread; A_at < A_parents; A_at += 2162688)
        A_from[A_at] = max_i64((int64_t)(A2_pos[A_at + 1] - A2_pos[A_at]) - 1, 0) / 2 + 1;
}

SPCC_KERNEL void __launch_bounds__(256, 4) evaluate_6_block(int32_t *__restrict__ A1_crd,
                                                            int64_t A_parents,
                                                            const int64_t *__restrict__ A_from,
                                                            const int32_t *__restrict__ A1_crd_before)
{
    const int32_t block = (int32_t)blockIdx.x;
    const int32_t thread = (int32_t)threadIdx.x;
    #pragma unroll 1
    for (int64_t A_at = (int64_t)block * 256 + thread; A_at < A_parents; A_at += 2162688) {
        #pragma unroll 4
        for (int64_t A_part = A_from[A_at]; A_part < A_from[A_at + 1]; A_part++)
            A1_crd[A_part] = A1_crd_before[A_at];
    }
}

SPCC_KERNEL void __launch_bounds__(256, 4) evaluate_7_block(int32_t *__restrict__ A2_pos,
                                                            int64_t A_parents,
                                                            const int64_t *__restrict__ A_from,
                                                            const int32_t *__restrict__ A2_pos_before)
{
    const int32_t block = (int32_t)blockIdx.x;
    const int32_t thread = (int32_t)threadIdx.x;
    #pragma unroll 1
    for (int64_t A_at = (int64_t)block * 256 + thread; A_at < A_parents; A_at += 2162688) {
        #pragma unroll 4
        for (int64_t A_part = A_from[A_at]; A_part < A_from[A_at + 1]; A_part++)
            A2_pos[A_part] = A2_pos_before[A_at] + (int32_t)((A_part - A_from[A_at]) * 2);
    }
}

SPCC_KERNEL void __launch_bounds__(32) evaluate_8_block(int32_t *__restrict__ A2_pos,
                                                        int64_t A_made,
                                                        const int32_t *__restrict__ A2_pos_before,
                                                        int64_t A_parents)
{
    const int32_t thread = (int32_t)threadIdx.x;
    if (thread == 0)
        A2_pos[A_made] = A2_pos_before[A_parents];
}

SPCC_KERNEL void __launch_bounds__(256) evaluate_9_block(int32_t *__restrict__ A1_pos,
                                                         const int64_t *__restrict__ A_from)
{
    const int32_t block = (int32_t)blockIdx.x;
    const int32_t thread = (int32_t)threadIdx.x;
    #pragma unroll 1
    for (int64_t A_at = (int64_t)block * 256 + thread; A_at < 2; A_at += 2162688)
        A1_pos[A_at] = (int32_t)A_from[A1_pos[A_at]];
}

#ifndef __CUDACC_RTC__
extern "C"
int evaluate(int32_t B1_dimension, int32_t B2_dimension, const int32_t *__restrict__ B2_pos,
             const int32_t *__restrict__ B2_crd, const double *__restrict__ B_vals,
             int32_t **A1_pos_out, int32_t **A1_crd_out, int32_t **A2_pos_out, int32_t **A2_crd_out,
             double **A_vals_out, cudaStream_t stream)
{
    (void)B2_dimension;
    int32_t *A1_pos = NULL, *A1_crd = NULL, *A2_pos = NULL, *A2_crd = NULL;
    double *A_vals = NULL;
    int64_t *A_from = NULL;
    int32_t *A1_crd_before = NULL, *A2_pos_before = NULL;
    int64_t *A1_begin = NULL, *A2_begin = NULL, *A_parents_out = NULL;
    int status = 1;
    int32_t blocks;
    int64_t nA1, nA2;
    int32_t blocks_2;
    int64_t A_parents;
    int32_t blocks_3;
    int64_t A_made;
    int64_t ni = max_i64(B1_dimension, 0);
    SPCC_TRY(cuda_allocate(A1_begin, ni + 1025, stream));
    SPCC_TRY(cuda_allocate(A2_begin, ni + 1025, stream));
    blocks = (int32_t)min_i64((ni + 255) / 256, 8448);
    SPCC_GRID(evaluate_block, blocks, 256, stream, B1_dimension, B2_pos, A1_begin, A2_begin);
    sum_grid_scan_i64(A1_begin, ni, stream);
    SPCC_TRY(cudaGetLastError());
    sum_grid_scan_i64(A2_begin, ni, stream);
    SPCC_TRY(cudaGetLastError());
    SPCC_TRY(cuda_fetch(nA1, &A1_begin[ni], stream));
    if (nA1 > 2147483647) {
        status = 2;
        goto fail;
    }
    SPCC_TRY(cuda_fetch(nA2, &A2_begin[ni], stream));
    if (nA2 > 2147483647) {
        status = 2;
        goto fail;
    }
    SPCC_TRY(cuda_allocate(A1_pos, 2, stream));
    SPCC_TRY(cuda_allocate(A1_crd, nA1, stream));
    SPCC_TRY(cuda_allocate(A2_pos, nA1 + 1, stream));
    SPCC_TRY(cuda_allocate(A2_crd, nA2, stream));
    SPCC_TRY(cuda_allocate(A_vals, nA2, stream));
    blocks_2 = (int32_t)min_i64((ni + 255) / 256, 8448);
    SPCC_GRID(evaluate_2_block, 1, 32, stream, A1_pos, A2_pos, nA1);
    SPCC_GRID(evaluate_3_block, blocks_2, 256, stream, B1_dimension, B2_pos, B2_crd, B_vals, A1_crd,
              A2_pos, A2_crd, A_vals, A1_begin, A2_begin);
    SPCC_TRY(cuda_release(stream, A1_begin, A2_begin));
    SPCC_TRY(cuda_allocate(A_parents_out, 1, stream));
    SPCC_GRID(evaluate_4_block, 1, 32, stream, A1_pos, A_parents_out);
    SPCC_TRY(cuda_fetch(A_parents, &A_parents_out[0], stream));
    SPCC_TRY(cuda_release(stream, A_parents_out));
    SPCC_TRY(cuda_allocate(A_from, A_parents + 1025, stream));
    blocks_3 = (int32_t)min_i64((A_parents + 255) / 256, 8448);
    SPCC_GRID(evaluate_5_block, blocks_3, 256, stream, A2_pos, A_parents, A_from);
    sum_grid_scan_i64(A_from, A_parents, stream);
    SPCC_TRY(cudaGetLastError());
    SPCC_TRY(cuda_fetch(A_made, &A_from[A_parents], stream));
    if (A_made > A_parents) {
        if (A_made > 2147483647) {
            status = 2;
            goto fail;
        }
        SPCC_TRY(cuda_allocate(A1_crd_before, A_parents, stream));
        SPCC_TRY(cuda_copy(A1_crd_before, 0, A1_crd, 0, A_parents, stream));
        SPCC_TRY(cuda_release(stream, A1_crd));
        SPCC_TRY(cuda_allocate(A1_crd, A_made, stream));
        int32_t blocks_4 = (int32_t)min_i64((A_parents + 255) / 256, 8448);
        SPCC_GRID(evaluate_6_block, blocks_4, 256, stream, A1_crd, A_parents, A_from,
                  A1_crd_before);
        SPCC_TRY(cuda_release(stream, A1_crd_before));
        SPCC_TRY(cuda_allocate(A2_pos_before, A_parents + 1, stream));
        SPCC_TRY(cuda_copy(A2_pos_before, 0, A2_pos, 0, A_parents + 1, stream));
        SPCC_TRY(cuda_release(stream, A2_pos));
        SPCC_TRY(cuda_allocate(A2_pos, A_made + 1, stream));
        int32_t blocks_5 = (int32_t)min_i64((A_parents + 255) / 256, 8448);
        SPCC_GRID(evaluate_7_block, blocks_5, 256, stream, A2_pos, A_parents, A_from,
                  A2_pos_before);
        SPCC_GRID(evaluate_8_block, 1, 32, stream, A2_pos, A_made, A2_pos_before, A_parents);
        SPCC_TRY(cuda_release(stream, A2_pos_before));
        SPCC_GRID(evaluate_9_block, 1, 256, stream, A1_pos, A_from);
    }
    SPCC_TRY(cuda_release(stream, A_from));
    *A1_pos_out = A1_pos;
    *A1_crd_out = A1_crd;
    *A2_pos_out = A2_pos;
    *A2_crd_out = A2_crd;
    *A_vals_out = A_vals;
    return 0;

fail:
    cuda_release(stream, A1_pos, A1_crd, A2_pos, A2_crd, A_vals, A_from, A1_crd_before,
        A2_pos_before, A1_begin, A2_begin, A_parents_out);
    *A1_pos_out = NULL;
    *A1_crd_out = NULL;
    *A2_pos_out = NULL;
    *A2_crd_out = NULL;
    *A_vals_out = NULL;
    return status;
}
#endif
