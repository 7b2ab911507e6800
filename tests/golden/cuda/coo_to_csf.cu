/* A(i,j,k) = B(i,j,k)
 *     A        f64   sss
 *     B        f64   uqq
 * schedule: parallelize(i, gpu_thread, no_races)
 * made by spcc VERSION with
 *     spcc 'A(i,j,k) = B(i,j,k)' -f 'A:csf' -f 'B:coo' --target=cuda
 *
 *   B1_dimension  size of mode 1 of B: the range of i
 *   B2_dimension  size of mode 2 of B: the range of j
 *   B3_dimension  size of mode 3 of B: the range of k
 *   B1_pos        B, level 1 (compressed): where each segment begins and ends
 *   B1_crd        B, level 1 (compressed): coordinates
 *   B2_crd        B, level 2 (singleton): coordinates
 *   B3_crd        B, level 3 (singleton): coordinates
 *   B_vals        B's values
 *   A1_pos_out    A, level 1 (compressed): where each segment begins and ends
 *   A1_crd_out    A, level 1 (compressed): coordinates
 *   A2_pos_out    A, level 2 (compressed): where each segment begins and ends
 *   A2_crd_out    A, level 2 (compressed): coordinates
 *   A3_pos_out    A, level 3 (compressed): where each segment begins and ends
 *   A3_crd_out    A, level 3 (compressed): coordinates
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
#include "../helpers/cuda/cuda_fetch.c"
#include "../helpers/cuda/cuda_status.c"
#include "../helpers/cuda/cuda_allocate.c"
#include "../helpers/cuda/cuda_release.c"
#include "../helpers/cuda/find_first_i32.c"
#include "../helpers/cuda/sum_team32_i64.c"
#include "../helpers/cuda/sum_block_i64.c"
#include "../helpers/cuda/sum_block_list_i64.c"
#include "../helpers/cuda/sum_warp_up_to_i64.c"
#include "../helpers/cuda/sum_warp_before_i64.c"
#include "../helpers/cuda/sum_block_before_i64.c"
#include "../helpers/cuda/sum_block_scan_i64.c"
#include "../helpers/cuda/sum_grid_scan_i64.c"

SPCC_KERNEL void __launch_bounds__(256, 4) evaluate_block(const int32_t *__restrict__ B1_pos,
                                                          const int32_t *__restrict__ B1_crd,
                                                          const int32_t *__restrict__ B2_crd,
                                                          int64_t *__restrict__ A1_begin,
                                                          int64_t *__restrict__ A2_begin,
                                                          int64_t *__restrict__ A3_begin)
{
    const int32_t block = (int32_t)blockIdx.x;
    const int32_t thread = (int32_t)threadIdx.x;
    int32_t parts = (int32_t)max_i64(min_i64(min_i64(((int64_t)B1_pos[1] - B1_pos[0]) / 8, B1_pos[1]
        - B1_pos[0]), 2162688), 1);
    int32_t part = (int32_t)((int64_t)block * 256 + thread);
    if (part < parts) {
        int32_t pB1_from = B1_pos[0];
        int32_t pB1_past = B1_pos[1];
        if (parts > 1) {
            #pragma unroll 1
            for (int32_t bound = part; bound < part + 2; bound++) {
                pB1_from = pB1_past;
                pB1_past = B1_pos[0]
                    + (int32_t)(div_i64(B1_pos[1] - B1_pos[0], parts) * bound
                    + min_i64(bound, mod_i64(B1_pos[1] - B1_pos[0], parts)));
                if (pB1_past < B1_pos[1])
                    pB1_past = (int32_t)find_first_i32(B1_crd, B1_pos[0], pB1_past,
                        B1_crd[pB1_past]);
            }
        }
        int64_t pA1 = 0;
        int64_t pA2 = 0;
        int64_t pA3 = 0;
        int32_t pB1 = pB1_from;
        int32_t pB1_end = pB1_past;
        #pragma unroll 1
        while (pB1 < pB1_end) {
            int32_t i = B1_crd[pB1];
            int32_t pB1_next = pB1;
            #pragma unroll 1
            while (pB1_next < pB1_end && B1_crd[pB1_next] == i)
                pB1_next++;
            int64_t pA2_begin = pA2;
            int32_t pB2 = pB1;
            int32_t pB2_end = pB1_next;
            #pragma unroll 1
            while (pB2 < pB2_end) {
                int32_t j = B2_crd[pB2];
                int32_t pB2_next = pB2;
                #pragma unroll 1
                while (pB2_next < pB2_end && B2_crd[pB2_next] == j)
                    pB2_next++;
                int64_t pA3_begin = pA3;
                #pragma unroll 1
                for (int32_t pB3 = pB2; pB3 < pB2_next; pB3++)
                    pA3++;
                if (pA3_begin < pA3)
                    pA2++;
                pB2 = pB2_next;
            }
            if (pA2_begin < pA2)
                pA1++;
            pB1 = pB1_next;
        }
        A1_begin[part] = pA1;
        A2_begin[part] = pA2;
        A3_begin[part] = pA3;
    }
}

SPCC_KERNEL void __launch_bounds__(32) evaluate_2_block(int32_t *__restrict__ A1_pos,
                                                        int32_t *__restrict__ A2_pos,
                                                        int32_t *__restrict__ A3_pos, int64_t nA1)
{
    const int32_t thread = (int32_t)threadIdx.x;
    if (thread == 0) {
        A1_pos[0] = 0;
        A1_pos[1] = (int32_t)nA1;
        A2_pos[0] = 0;
        A3_pos[0] = 0;
    }
}

SPCC_KERNEL void __launch_bounds__(256, 4) evaluate_3_block(const int32_t *__restrict__ B1_pos,
                                                            const int32_t *__restrict__ B1_crd,
                                                            const int32_t *__restrict__ B2_crd,
                                                            const int32_t *__restrict__ B3_crd,
                                                            const double *__restrict__ B_vals,
                                                            int32_t *__restrict__ A1_crd,
                                                            int32_t *__restrict__ A2_pos,
                                                            int32_t *__restrict__ A2_crd,
                                                            int32_t *__restrict__ A3_pos,
                                                            int32_t *__restrict__ A3_crd,
                                                            double *__restrict__ A_vals,
                                                            const int64_t *__restrict__ A1_begin,
                                                            const int64_t *__restrict__ A2_begin,
                                                            const int64_t *__restrict__ A3_begin)
{
    const int32_t block = (int32_t)blockIdx.x;
    const int32_t thread = (int32_t)threadIdx.x;
    int32_t parts = (int32_t)max_i64(min_i64(min_i64(((int64_t)B1_pos[1] - B1_pos[0]) / 8, B1_pos[1]
        - B1_pos[0]), 2162688), 1);
    int32_t part = (int32_t)((int64_t)block * 256 + thread);
    if (part < parts) {
        int32_t pB1_from = B1_pos[0];
        int32_t pB1_past = B1_pos[1];
        if (parts > 1) {
            #pragma unroll 1
            for (int32_t bound = part; bound < part + 2; bound++) {
                pB1_from = pB1_past;
                pB1_past = B1_pos[0]
                    + (int32_t)(div_i64(B1_pos[1] - B1_pos[0], parts) * bound
                    + min_i64(bound, mod_i64(B1_pos[1] - B1_pos[0], parts)));
                if (pB1_past < B1_pos[1])
                    pB1_past = (int32_t)find_first_i32(B1_crd, B1_pos[0], pB1_past,
                        B1_crd[pB1_past]);
            }
        }
        int32_t pA1 = (int32_t)A1_begin[part];
        int32_t pA2 = (int32_t)A2_begin[part];
        int32_t pA3 = (int32_t)A3_begin[part];
        int32_t pB1 = pB1_from;
        int32_t pB1_end = pB1_past;
        #pragma unroll 1
        while (pB1 < pB1_end) {
            int32_t i = B1_crd[pB1];
            int32_t pB1_next = pB1;
            #pragma unroll 1
            while (pB1_next < pB1_end && B1_crd[pB1_next] == i)
                pB1_next++;
            int32_t pA2_begin = pA2;
            int32_t pB2 = pB1;
            int32_t pB2_end = pB1_next;
            #pragma unroll 1
            while (pB2 < pB2_end) {
                int32_t j = B2_crd[pB2];
                int32_t pB2_next = pB2;
                #pragma unroll 1
                while (pB2_next < pB2_end && B2_crd[pB2_next] == j)
                    pB2_next++;
                int32_t pA3_begin = pA3;
                #pragma unroll 4
                for (int32_t pB3 = pB2; pB3 < pB2_next; pB3++) {
                    A_vals[pA3] = B_vals[pB3];
                    A3_crd[pA3] = B3_crd[pB3];
                    pA3++;
                }
                if (pA3_begin < pA3) {
                    A2_crd[pA2] = j;
                    A3_pos[pA2 + 1] = pA3;
                    pA2++;
                }
                pB2 = pB2_next;
            }
            if (pA2_begin < pA2) {
                A1_crd[pA1] = i;
                A2_pos[pA1 + 1] = pA2;
                pA1++;
            }
            pB1 = pB1_next;
        }
    }
}

#ifndef __CUDACC_RTC__
extern "C"
int evaluate(int32_t B1_dimension, int32_t B2_dimension, int32_t B3_dimension,
             const int32_t *__restrict__ B1_pos, const int32_t *__restrict__ B1_crd,
             const int32_t *__restrict__ B2_crd, const int32_t *__restrict__ B3_crd,
             const double *__restrict__ B_vals, int32_t **A1_pos_out, int32_t **A1_crd_out,
             int32_t **A2_pos_out, int32_t **A2_crd_out, int32_t **A3_pos_out, int32_t **A3_crd_out,
             double **A_vals_out, cudaStream_t stream)
{
    (void)B1_dimension;
    (void)B2_dimension;
    (void)B3_dimension;
    int32_t *A1_pos = NULL, *A1_crd = NULL, *A2_pos = NULL, *A2_crd = NULL, *A3_pos = NULL,
            *A3_crd = NULL;
    double *A_vals = NULL;
    int64_t *A1_begin = NULL, *A2_begin = NULL, *A3_begin = NULL;
    int status = 1;
    int32_t B1_pos_at, B1_pos_at_2;
    int64_t work;
    int32_t B1_pos_at_3, B1_pos_at_4, parts, blocks;
    int64_t nA1, nA2, nA3;
    int32_t blocks_2;
    SPCC_TRY(cuda_fetch(B1_pos_at, &B1_pos[1], stream));
    SPCC_TRY(cuda_fetch(B1_pos_at_2, &B1_pos[0], stream));
    work = (int64_t)B1_pos_at - B1_pos_at_2;
    SPCC_TRY(cuda_fetch(B1_pos_at_3, &B1_pos[1], stream));
    SPCC_TRY(cuda_fetch(B1_pos_at_4, &B1_pos[0], stream));
    parts = (int32_t)max_i64(min_i64(min_i64(work / 8, B1_pos_at_3 - B1_pos_at_4), 2162688), 1);
    SPCC_TRY(cuda_allocate(A1_begin, (int64_t)parts + 1025, stream));
    SPCC_TRY(cuda_allocate(A2_begin, (int64_t)parts + 1025, stream));
    SPCC_TRY(cuda_allocate(A3_begin, (int64_t)parts + 1025, stream));
    blocks = (int32_t)min_i64(((int64_t)parts + 255) / 256, 8448);
    SPCC_GRID(evaluate_block, blocks, 256, stream, B1_pos, B1_crd, B2_crd, A1_begin, A2_begin,
              A3_begin);
    sum_grid_scan_i64(A1_begin, parts, stream);
    SPCC_TRY(cudaGetLastError());
    sum_grid_scan_i64(A2_begin, parts, stream);
    SPCC_TRY(cudaGetLastError());
    sum_grid_scan_i64(A3_begin, parts, stream);
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
    SPCC_TRY(cuda_fetch(nA3, &A3_begin[parts], stream));
    if (nA3 > 2147483647) {
        status = 2;
        goto fail;
    }
    SPCC_TRY(cuda_allocate(A1_pos, 2, stream));
    SPCC_TRY(cuda_allocate(A1_crd, nA1, stream));
    SPCC_TRY(cuda_allocate(A2_pos, nA1 + 1, stream));
    SPCC_TRY(cuda_allocate(A2_crd, nA2, stream));
    SPCC_TRY(cuda_allocate(A3_pos, nA2 + 1, stream));
    SPCC_TRY(cuda_allocate(A3_crd, nA3, stream));
    SPCC_TRY(cuda_allocate(A_vals, nA3, stream));
    SPCC_GRID(evaluate_2_block, 1, 32, stream, A1_pos, A2_pos, A3_pos, nA1);
    blocks_2 = (int32_t)min_i64(((int64_t)parts + 255) / 256, 8448);
    SPCC_GRID(evaluate_3_block, blocks_2, 256, stream, B1_pos, B1_crd, B2_crd, B3_crd, B_vals,
              A1_crd, A2_pos, A2_crd, A3_pos, A3_crd, A_vals, A1_begin, A2_begin, A3_begin);
    SPCC_TRY(cuda_release(stream, A1_begin, A2_begin, A3_begin));
    *A1_pos_out = A1_pos;
    *A1_crd_out = A1_crd;
    *A2_pos_out = A2_pos;
    *A2_crd_out = A2_crd;
    *A3_pos_out = A3_pos;
    *A3_crd_out = A3_crd;
    *A_vals_out = A_vals;
    return 0;

fail:
    cuda_release(stream, A1_pos, A1_crd, A2_pos, A2_crd, A3_pos, A3_crd, A_vals, A1_begin, A2_begin,
        A3_begin);
    *A1_pos_out = NULL;
    *A1_crd_out = NULL;
    *A2_pos_out = NULL;
    *A2_crd_out = NULL;
    *A3_pos_out = NULL;
    *A3_crd_out = NULL;
    *A_vals_out = NULL;
    return status;
}
#endif
