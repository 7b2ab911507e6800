/* A(i,j) = B(i,j) * C(i,j)
 *     A        f64   ss
 *     B        f64   ss
 *     C        f64   ss
 * schedule: parallelize(i, gpu_thread, no_races)
 * made by spcc VERSION with
 *     spcc 'A(i,j) = B(i,j) * C(i,j)' -f 'A:dcsr' -f 'B:dcsr' -f 'C:dcsr' --target=cuda
 *
 *   B1_dimension  size of mode 1 of B: the range of i
 *   B2_dimension  size of mode 2 of B: the range of j
 *   B1_pos        B, level 1 (compressed): where each segment begins and ends
 *   B1_crd        B, level 1 (compressed): coordinates
 *   B2_pos        B, level 2 (compressed): where each segment begins and ends
 *   B2_crd        B, level 2 (compressed): coordinates
 *   B_vals        B's values
 *   C1_pos        C, level 1 (compressed): where each segment begins and ends
 *   C1_crd        C, level 1 (compressed): coordinates
 *   C2_pos        C, level 2 (compressed): where each segment begins and ends
 *   C2_crd        C, level 2 (compressed): coordinates
 *   C_vals        C's values
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
#include "../helpers/cuda/mod_i64.c"
#include "../helpers/cuda/max_i32.c"
#include "../helpers/cuda/min_i32.c"
#include "../helpers/cuda/cuda_fetch.c"
#include "../helpers/cuda/cuda_status.c"
#include "../helpers/cuda/cuda_allocate.c"
#include "../helpers/cuda/cuda_release.c"
#include "../helpers/cuda/find_first_i32.c"
#include "../helpers/cuda/seek_i32.c"
#include "../helpers/cuda/sum_team32_i64.c"
#include "../helpers/cuda/sum_block_i64.c"
#include "../helpers/cuda/sum_block_list_i64.c"
#include "../helpers/cuda/sum_warp_up_to_i64.c"
#include "../helpers/cuda/sum_warp_before_i64.c"
#include "../helpers/cuda/sum_block_before_i64.c"
#include "../helpers/cuda/sum_block_scan_i64.c"
#include "../helpers/cuda/sum_grid_scan_i64.c"

SPCC_KERNEL void __launch_bounds__(256, 4) evaluate_block(int32_t B1_dimension,
                                                          const int32_t *__restrict__ B1_pos,
                                                          const int32_t *__restrict__ B1_crd,
                                                          const int32_t *__restrict__ B2_pos,
                                                          const int32_t *__restrict__ B2_crd,
                                                          const int32_t *__restrict__ C1_pos,
                                                          const int32_t *__restrict__ C1_crd,
                                                          const int32_t *__restrict__ C2_pos,
                                                          const int32_t *__restrict__ C2_crd,
                                                          int64_t *__restrict__ A1_begin,
                                                          int64_t *__restrict__ A2_begin)
{
    const int32_t block = (int32_t)blockIdx.x;
    const int32_t thread = (int32_t)threadIdx.x;
    int64_t work = (int64_t)B2_pos[B1_pos[1]] + C2_pos[C1_pos[1]];
    int32_t parts = (int32_t)max_i64(min_i64(min_i64(work / 8, B1_dimension), 2162688), 1);
    int32_t part = (int32_t)((int64_t)block * 256 + thread);
    if (part < parts) {
        int32_t i_from = 0;
        int32_t i_past = B1_dimension;
        if (parts > 1) {
            #pragma unroll 1
            for (int32_t bound = part; bound < part + 2; bound++) {
                i_from = i_past;
                int64_t work_from = div_i64(work + 1, parts) * bound
                    + min_i64(bound, mod_i64(work + 1, parts));
                int32_t i_low = 0;
                int32_t i_high = B1_dimension;
                #pragma unroll 1
                while (i_low < i_high) {
                    int32_t i_middle = i_low + (i_high - i_low) / 2;
                    if ((int64_t)B2_pos[find_first_i32(B1_crd, B1_pos[0], B1_pos[1], i_middle)]
                        + C2_pos[find_first_i32(C1_crd, C1_pos[0], C1_pos[1], i_middle)]
                        < work_from)
                        i_low = i_middle + 1;
                    else
                        i_high = i_middle;
                }
                i_past = i_low;
            }
        }
        int64_t pB1_begin = parts > 1 ? find_first_i32(B1_crd, B1_pos[0], B1_pos[1], i_from)
            : (int64_t)B1_pos[0];
        int64_t pB1_past = parts > 1 ? find_first_i32(B1_crd, pB1_begin, B1_pos[1], i_past)
            : (int64_t)B1_pos[1];
        int64_t pC1_begin = parts > 1 ? find_first_i32(C1_crd, C1_pos[0], C1_pos[1], i_from)
            : (int64_t)C1_pos[0];
        int64_t pC1_past = parts > 1 ? find_first_i32(C1_crd, pC1_begin, C1_pos[1], i_past)
            : (int64_t)C1_pos[1];
        int64_t pA1 = 0;
        int64_t pA2 = 0;
        int32_t pB1 = (int32_t)pB1_begin;
        int32_t pB1_end = (int32_t)pB1_past;
        int32_t pC1 = (int32_t)pC1_begin;
        int32_t pC1_end = (int32_t)pC1_past;
        #pragma unroll 1
        while (pB1 < pB1_end && pC1 < pC1_end) {
            int32_t pB1_stop = pB1_end;
            int32_t pC1_stop = pC1_end;
            if (max_i32(pB1_end - pB1, pC1_end - pC1) / 16
                > min_i32(pB1_end - pB1, pC1_end - pC1)) {
                pC1 = (int32_t)seek_i32(C1_crd, pC1, pC1_end, B1_crd[pB1]);
                if (pC1 < pC1_end)
                    pB1 = (int32_t)seek_i32(B1_crd, pB1, pB1_end, C1_crd[pC1]);
                pB1_stop = pB1 + (pB1 < pB1_end);
                pC1_stop = pC1 + (pC1 < pC1_end);
            }
            #pragma unroll 1
            while (pB1 < pB1_stop && pC1 < pC1_stop) {
                int32_t iB = B1_crd[pB1];
                int32_t iC = C1_crd[pC1];
                if (iB == iC) {
                    int64_t pA2_begin = pA2;
                    int32_t pB2 = B2_pos[pB1];
                    int32_t pB2_end = B2_pos[pB1 + 1];
                    int32_t pC2 = C2_pos[pC1];
                    int32_t pC2_end = C2_pos[pC1 + 1];
                    #pragma unroll 1
                    while (pB2 < pB2_end && pC2 < pC2_end) {
                        int32_t pB2_stop = pB2_end;
                        int32_t pC2_stop = pC2_end;
                        if (max_i32(pB2_end - pB2, pC2_end - pC2) / 16
                            > min_i32(pB2_end - pB2, pC2_end - pC2)) {
                            pC2 = (int32_t)seek_i32(C2_crd, pC2, pC2_end, B2_crd[pB2]);
                            if (pC2 < pC2_end)
                                pB2 = (int32_t)seek_i32(B2_crd, pB2, pB2_end, C2_crd[pC2]);
                            pB2_stop = pB2 + (pB2 < pB2_end);
                            pC2_stop = pC2 + (pC2 < pC2_end);
                        }
                        #pragma unroll 1
                        while (pB2 < pB2_stop && pC2 < pC2_stop) {
                            int32_t jB = B2_crd[pB2];
                            int32_t jC = C2_crd[pC2];
                            if (jB == jC) {
                                pA2++;
                                pB2++;
                                pC2++;
                            } else if (jB < jC) {
                                pB2++;
                            } else {
                                pC2++;
                            }
                        }
                    }
                    if (pA2_begin < pA2)
                        pA1++;
                    pB1++;
                    pC1++;
                } else if (iB < iC) {
                    pB1++;
                } else {
                    pC1++;
                }
            }
        }
        A1_begin[part] = pA1;
        A2_begin[part] = pA2;
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
                                                            const int32_t *__restrict__ B1_pos,
                                                            const int32_t *__restrict__ B1_crd,
                                                            const int32_t *__restrict__ B2_pos,
                                                            const int32_t *__restrict__ B2_crd,
                                                            const double *__restrict__ B_vals,
                                                            const int32_t *__restrict__ C1_pos,
                                                            const int32_t *__restrict__ C1_crd,
                                                            const int32_t *__restrict__ C2_pos,
                                                            const int32_t *__restrict__ C2_crd,
                                                            const double *__restrict__ C_vals,
                                                            int32_t *__restrict__ A1_crd,
                                                            int32_t *__restrict__ A2_pos,
                                                            int32_t *__restrict__ A2_crd,
                                                            double *__restrict__ A_vals,
                                                            const int64_t *__restrict__ A1_begin,
                                                            const int64_t *__restrict__ A2_begin)
{
    const int32_t block = (int32_t)blockIdx.x;
    const int32_t thread = (int32_t)threadIdx.x;
    int64_t work = (int64_t)B2_pos[B1_pos[1]] + C2_pos[C1_pos[1]];
    int32_t parts = (int32_t)max_i64(min_i64(min_i64(work / 8, B1_dimension), 2162688), 1);
    int32_t part = (int32_t)((int64_t)block * 256 + thread);
    if (part < parts) {
        int32_t i_from = 0;
        int32_t i_past = B1_dimension;
        if (parts > 1) {
            #pragma unroll 1
            for (int32_t bound = part; bound < part + 2; bound++) {
                i_from = i_past;
                int64_t work_from = div_i64(work + 1, parts) * bound
                    + min_i64(bound, mod_i64(work + 1, parts));
                int32_t i_low = 0;
                int32_t i_high = B1_dimension;
                #pragma unroll 1
                while (i_low < i_high) {
                    int32_t i_middle = i_low + (i_high - i_low) / 2;
                    if ((int64_t)B2_pos[find_first_i32(B1_crd, B1_pos[0], B1_pos[1], i_middle)]
                        + C2_pos[find_first_i32(C1_crd, C1_pos[0], C1_pos[1], i_middle)]
                        < work_from)
                        i_low = i_middle + 1;
                    else
                        i_high = i_middle;
                }
                i_past = i_low;
            }
        }
        int64_t pB1_begin = parts > 1 ? find_first_i32(B1_crd, B1_pos[0], B1_pos[1], i_from)
            : (int64_t)B1_pos[0];
        int64_t pB1_past = parts > 1 ? find_first_i32(B1_crd, pB1_begin, B1_pos[1], i_past)
            : (int64_t)B1_pos[1];
        int64_t pC1_begin = parts > 1 ? find_first_i32(C1_crd, C1_pos[0], C1_pos[1], i_from)
            : (int64_t)C1_pos[0];
        int64_t pC1_past = parts > 1 ? find_first_i32(C1_crd, pC1_begin, C1_pos[1], i_past)
            : (int64_t)C1_pos[1];
        int32_t pA1 = (int32_t)A1_begin[part];
        int32_t pA2 = (int32_t)A2_begin[part];
        int32_t pB1 = (int32_t)pB1_begin;
        int32_t pB1_end = (int32_t)pB1_past;
        int32_t pC1 = (int32_t)pC1_begin;
        int32_t pC1_end = (int32_t)pC1_past;
        #pragma unroll 1
        while (pB1 < pB1_end && pC1 < pC1_end) {
            int32_t pB1_stop = pB1_end;
            int32_t pC1_stop = pC1_end;
            if (max_i32(pB1_end - pB1, pC1_end - pC1) / 16
                > min_i32(pB1_end - pB1, pC1_end - pC1)) {
                pC1 = (int32_t)seek_i32(C1_crd, pC1, pC1_end, B1_crd[pB1]);
                if (pC1 < pC1_end)
                    pB1 = (int32_t)seek_i32(B1_crd, pB1, pB1_end, C1_crd[pC1]);
                pB1_stop = pB1 + (pB1 < pB1_end);
                pC1_stop = pC1 + (pC1 < pC1_end);
            }
            #pragma unroll 1
            while (pB1 < pB1_stop && pC1 < pC1_stop) {
                int32_t iB = B1_crd[pB1];
                int32_t iC = C1_crd[pC1];
                if (iB == iC) {
                    int32_t pA2_begin = pA2;
                    int32_t pB2 = B2_pos[pB1];
                    int32_t pB2_end = B2_pos[pB1 + 1];
                    int32_t pC2 = C2_pos[pC1];
                    int32_t pC2_end = C2_pos[pC1 + 1];
                    #pragma unroll 1
                    while (pB2 < pB2_end && pC2 < pC2_end) {
                        int32_t pB2_stop = pB2_end;
                        int32_t pC2_stop = pC2_end;
                        if (max_i32(pB2_end - pB2, pC2_end - pC2) / 16
                            > min_i32(pB2_end - pB2, pC2_end - pC2)) {
                            pC2 = (int32_t)seek_i32(C2_crd, pC2, pC2_end, B2_crd[pB2]);
                            if (pC2 < pC2_end)
                                pB2 = (int32_t)seek_i32(B2_crd, pB2, pB2_end, C2_crd[pC2]);
                            pB2_stop = pB2 + (pB2 < pB2_end);
                            pC2_stop = pC2 + (pC2 < pC2_end);
                        }
                        #pragma unroll 1
                        while (pB2 < pB2_stop && pC2 < pC2_stop) {
                            int32_t jB = B2_crd[pB2];
                            int32_t jC = C2_crd[pC2];
                            if (jB == jC) {
                                A_vals[pA2] = B_vals[pB2] * C_vals[pC2];
                                A2_crd[pA2] = jB;
                                pA2++;
                                pB2++;
                                pC2++;
                            } else if (jB < jC) {
                                pB2++;
                            } else {
                                pC2++;
                            }
                        }
                    }
                    if (pA2_begin < pA2) {
                        A1_crd[pA1] = iB;
                        A2_pos[pA1 + 1] = pA2;
                        pA1++;
                    }
                    pB1++;
                    pC1++;
                } else if (iB < iC) {
                    pB1++;
                } else {
                    pC1++;
                }
            }
        }
    }
}

#ifndef __CUDACC_RTC__
extern "C"
int evaluate(int32_t B1_dimension, int32_t B2_dimension, const int32_t *__restrict__ B1_pos,
             const int32_t *__restrict__ B1_crd, const int32_t *__restrict__ B2_pos,
             const int32_t *__restrict__ B2_crd, const double *__restrict__ B_vals,
             const int32_t *__restrict__ C1_pos, const int32_t *__restrict__ C1_crd,
             const int32_t *__restrict__ C2_pos, const int32_t *__restrict__ C2_crd,
             const double *__restrict__ C_vals, int32_t **A1_pos_out, int32_t **A1_crd_out,
             int32_t **A2_pos_out, int32_t **A2_crd_out, double **A_vals_out, cudaStream_t stream)
{
    (void)B2_dimension;
    int32_t *A1_pos = NULL, *A1_crd = NULL, *A2_pos = NULL, *A2_crd = NULL;
    double *A_vals = NULL;
    int64_t *A1_begin = NULL, *A2_begin = NULL;
    int status = 1;
    int32_t B1_pos_at, B2_pos_at, C1_pos_at, C2_pos_at;
    int64_t work;
    int32_t parts, blocks;
    int64_t nA1, nA2;
    int32_t blocks_2;
    SPCC_TRY(cuda_fetch(B1_pos_at, &B1_pos[1], stream));
    SPCC_TRY(cuda_fetch(B2_pos_at, &B2_pos[B1_pos_at], stream));
    SPCC_TRY(cuda_fetch(C1_pos_at, &C1_pos[1], stream));
    SPCC_TRY(cuda_fetch(C2_pos_at, &C2_pos[C1_pos_at], stream));
    work = (int64_t)B2_pos_at + C2_pos_at;
    parts = (int32_t)max_i64(min_i64(min_i64(work / 8, B1_dimension), 2162688), 1);
    SPCC_TRY(cuda_allocate(A1_begin, (int64_t)parts + 1025, stream));
    SPCC_TRY(cuda_allocate(A2_begin, (int64_t)parts + 1025, stream));
    blocks = (int32_t)min_i64(((int64_t)parts + 255) / 256, 8448);
    SPCC_GRID(evaluate_block, blocks, 256, stream, B1_dimension, B1_pos, B1_crd, B2_pos, B2_crd,
              C1_pos, C1_crd, C2_pos, C2_crd, A1_begin, A2_begin);
    sum_grid_scan_i64(A1_begin, parts, stream);
    SPCC_TRY(cudaGetLastError());
    sum_grid_scan_i64(A2_begin, parts, stream);
    SPCC_TRY(cudaGetLastError());
    SPCC_TRY(cuda_fetch(nA1, &A1_begin[parts], stream));
    if (nA1 > 2147483647) {
        status = 2;
        goto fail;
    }
    SPCC_TRY(cuda_fetch(nA2, &A2_begin[parts], stream));
    if (nA2 > 2147483647) {
        status = 2;
        goto fail;
    }
    SPCC_TRY(cuda_allocate(A1_pos, 2, stream));
    SPCC_TRY(cuda_allocate(A1_crd, nA1, stream));
    SPCC_TRY(cuda_allocate(A2_pos, nA1 + 1, stream));
    SPCC_TRY(cuda_allocate(A2_crd, nA2, stream));
    SPCC_TRY(cuda_allocate(A_vals, nA2, stream));
    SPCC_GRID(evaluate_2_block, 1, 32, stream, A1_pos, A2_pos, nA1);
    blocks_2 = (int32_t)min_i64(((int64_t)parts + 255) / 256, 8448);
    SPCC_GRID(evaluate_3_block, blocks_2, 256, stream, B1_dimension, B1_pos, B1_crd, B2_pos, B2_crd,
              B_vals, C1_pos, C1_crd, C2_pos, C2_crd, C_vals, A1_crd, A2_pos, A2_crd, A_vals,
              A1_begin, A2_begin);
    SPCC_TRY(cuda_release(stream, A1_begin, A2_begin));
    *A1_pos_out = A1_pos;
    *A1_crd_out = A1_crd;
    *A2_pos_out = A2_pos;
    *A2_crd_out = A2_crd;
    *A_vals_out = A_vals;
    return 0;

fail:
    cuda_release(stream, A1_pos, A1_crd, A2_pos, A2_crd, A_vals, A1_begin, A2_begin);
    *A1_pos_out = NULL;
    *A1_crd_out = NULL;
    *A2_pos_out = NULL;
    *A2_crd_out = NULL;
    *A_vals_out = NULL;
    return status;
}
#endif
