/* A(i,j) = B(i,j) + C(i,j)
 *     A        f64   hh
 *     B        f64   ds
 *     C        f64   ds
 * schedule: collect(A, w); parallelize(ic, gpu_thread, no_races); parallelize(i, gpu_thread, no_races)
 * made by spcc VERSION with
 *     spcc 'A(i,j) = B(i,j) + C(i,j)' -f 'A:hash' -f 'B:csr' -f 'C:csr' --target=cuda
 *
 *   B1_dimension  size of mode 1 of B: the range of i
 *   B2_dimension  size of mode 2 of B: the range of j
 *   B2_pos        B, level 2 (compressed): where each segment begins and ends
 *   B2_crd        B, level 2 (compressed): coordinates
 *   B_vals        B's values
 *   C2_pos        C, level 2 (compressed): where each segment begins and ends
 *   C2_crd        C, level 2 (compressed): coordinates
 *   C_vals        C's values
 *   A1_width_out  A, level 1 (hashed): slots for each parent
 *   A1_crd_out    A, level 1 (hashed): coordinates, -1 in empty slots
 *   A2_width_out  A, level 2 (hashed): slots for each parent
 *   A2_crd_out    A, level 2 (hashed): coordinates, -1 in empty slots
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
#include "../helpers/cuda/cuda_zero.c"
#include "../helpers/cuda/cuda_fill_i32.c"
#include "../helpers/cuda/sum_team32_i64.c"
#include "../helpers/cuda/sum_block_i64.c"
#include "../helpers/cuda/sum_block_list_i64.c"
#include "../helpers/cuda/sum_warp_up_to_i64.c"
#include "../helpers/cuda/sum_warp_before_i64.c"
#include "../helpers/cuda/sum_block_before_i64.c"
#include "../helpers/cuda/sum_block_scan_i64.c"
#include "../helpers/cuda/sum_grid_scan_i64.c"
#include "../helpers/cuda/probe_i32.c"
#include "../helpers/cuda/find_first_i32.c"

SPCC_KERNEL void __launch_bounds__(256, 4) evaluate_block(int32_t B1_dimension,
                                                          const int32_t *__restrict__ B2_pos,
                                                          const int32_t *__restrict__ B2_crd,
                                                          const int32_t *__restrict__ C2_pos,
                                                          const int32_t *__restrict__ C2_crd,
                                                          int64_t *__restrict__ w1_begin)
{
    const int32_t block = (int32_t)blockIdx.x;
    const int32_t thread = (int32_t)threadIdx.x;
    #pragma unroll 1
    for (int64_t i = (int64_t)block * 256 + thread; i < B1_dimension; i += 2162688) {
        int64_t nw = 0;
        int32_t pB2 = B2_pos[i];
        int32_t pB2_end = B2_pos[i + 1];
        int32_t pC2 = C2_pos[i];
        int32_t pC2_end = C2_pos[i + 1];
        #pragma unroll 1
        while (pB2 < pB2_end && pC2 < pC2_end) {
            int32_t jB = B2_crd[pB2];
            int32_t jC = C2_crd[pC2];
            if (jB == jC) {
                nw++;
                pB2++;
                pC2++;
            } else if (jB < jC) {
                nw++;
                pB2++;
            } else {
                nw++;
                pC2++;
            }
        }
        #pragma unroll 1
        for (; pB2 < pB2_end; pB2++)
            nw++;
        #pragma unroll 1
        for (; pC2 < pC2_end; pC2++)
            nw++;
        w1_begin[i] = nw;
    }
}

SPCC_KERNEL void __launch_bounds__(256, 4) evaluate_2_block(int32_t B1_dimension,
                                                            const int32_t *__restrict__ B2_pos,
                                                            const int32_t *__restrict__ B2_crd,
                                                            const double *__restrict__ B_vals,
                                                            const int32_t *__restrict__ C2_pos,
                                                            const int32_t *__restrict__ C2_crd,
                                                            const double *__restrict__ C_vals,
                                                            const int64_t *__restrict__ w1_begin,
                                                            int32_t *__restrict__ w1_crd,
                                                            int32_t *__restrict__ w2_crd,
                                                            double *__restrict__ w_vals)
{
    const int32_t block = (int32_t)blockIdx.x;
    const int32_t thread = (int32_t)threadIdx.x;
    #pragma unroll 1
    for (int64_t i = (int64_t)block * 256 + thread; i < B1_dimension; i += 2162688) {
        int64_t nw = w1_begin[i];
        int32_t pB2 = B2_pos[i];
        int32_t pB2_end = B2_pos[i + 1];
        int32_t pC2 = C2_pos[i];
        int32_t pC2_end = C2_pos[i + 1];
        #pragma unroll 1
        while (pB2 < pB2_end && pC2 < pC2_end) {
            int32_t jB = B2_crd[pB2];
            int32_t jC = C2_crd[pC2];
            if (jB == jC) {
                w1_crd[nw] = (int32_t)i;
                w2_crd[nw] = jB;
                w_vals[nw] = B_vals[pB2] + C_vals[pC2];
                nw++;
                pB2++;
                pC2++;
            } else if (jB < jC) {
                w1_crd[nw] = (int32_t)i;
                w2_crd[nw] = jB;
                w_vals[nw] = B_vals[pB2];
                nw++;
                pB2++;
            } else {
                w1_crd[nw] = (int32_t)i;
                w2_crd[nw] = jC;
                w_vals[nw] = C_vals[pC2];
                nw++;
                pC2++;
            }
        }
        #pragma unroll 1
        for (; pB2 < pB2_end; pB2++) {
            w1_crd[nw] = (int32_t)i;
            w2_crd[nw] = B2_crd[pB2];
            w_vals[nw] = B_vals[pB2];
            nw++;
        }
        #pragma unroll 1
        for (; pC2 < pC2_end; pC2++) {
            w1_crd[nw] = (int32_t)i;
            w2_crd[nw] = C2_crd[pC2];
            w_vals[nw] = C_vals[pC2];
            nw++;
        }
    }
}

SPCC_KERNEL void __launch_bounds__(256, 4) evaluate_3_block(int64_t nw,
                                                            const int32_t *__restrict__ w1_crd,
                                                            int64_t *A1_most_of)
{
    const int32_t block = (int32_t)blockIdx.x;
    const int32_t thread = (int32_t)threadIdx.x;
    #pragma unroll 1
    for (int64_t pw = (int64_t)block * 256 + thread; pw < nw; pw += 2162688) {
        if (pw == 0) {
            int64_t A1_children = 1;
            int64_t w_next = pw + 1;
            #pragma unroll 1
            for (; w_next < nw; w_next++) {
                if (w_next == 0 || w1_crd[w_next] != w1_crd[w_next - 1])
                    A1_children++;
            }
            atomicMax((long long *)&A1_most_of[0], A1_children);
        }
    }
}

SPCC_KERNEL void __launch_bounds__(256, 4) evaluate_4_block(int64_t nw,
                                                            const int32_t *__restrict__ w1_crd,
                                                            const int32_t *__restrict__ w2_crd,
                                                            int64_t *A2_most_of)
{
    const int32_t block = (int32_t)blockIdx.x;
    const int32_t thread = (int32_t)threadIdx.x;
    #pragma unroll 1
    for (int64_t pw = (int64_t)block * 256 + thread; pw < nw; pw += 2162688) {
        if (pw == 0 || w1_crd[pw] != w1_crd[pw - 1]) {
            int64_t A2_children = 1;
            int64_t w_next = pw + 1;
            #pragma unroll 1
            while (w_next < nw && !(w_next == 0 || w1_crd[w_next] != w1_crd[w_next - 1])) {
                if (w_next == 0 || w1_crd[w_next] != w1_crd[w_next - 1] || w2_crd[w_next]
                    != w2_crd[w_next - 1])
                    A2_children++;
                w_next++;
            }
            atomicMax((long long *)&A2_most_of[0], A2_children);
        }
    }
}

SPCC_KERNEL void __launch_bounds__(32) evaluate_5_block(int32_t *__restrict__ A1_crd, int64_t nw,
                                                        const int32_t *__restrict__ w1_crd,
                                                        int32_t nA1)
{
    const int32_t thread = (int32_t)threadIdx.x;
    if (thread == 0) {
        #pragma unroll 1
        for (int64_t pw = 0; pw < nw; pw++) {
            if (pw == 0 || w1_crd[pw] != w1_crd[pw - 1]) {
                int64_t pA1 = probe_i32(A1_crd, 0, nA1, w1_crd[pw]);
                A1_crd[pA1] = w1_crd[pw];
            }
        }
    }
}

SPCC_KERNEL void __launch_bounds__(256, 4) evaluate_6_block(const int32_t *__restrict__ A1_crd,
                                                            int32_t *__restrict__ A2_crd,
                                                            double *__restrict__ A_vals, int64_t nw,
                                                            const int32_t *__restrict__ w1_crd,
                                                            int32_t nA1, int32_t nA2,
                                                            const int32_t *__restrict__ w2_crd,
                                                            const double *__restrict__ w_vals)
{
    const int32_t block = (int32_t)blockIdx.x;
    const int32_t thread = (int32_t)threadIdx.x;
    int32_t parts = (int32_t)max_i64(min_i64(min_i64((int64_t)(int32_t)nw / 8, (int32_t)nw),
        2162688), 1);
    int32_t part = (int32_t)((int64_t)block * 256 + thread);
    if (part < parts) {
        int32_t pw1_from = 0;
        int32_t pw1_past = (int32_t)nw;
        if (parts > 1) {
            #pragma unroll 1
            for (int32_t bound = part; bound < part + 2; bound++) {
                pw1_from = pw1_past;
                pw1_past = (int32_t)((int64_t)(int32_t)nw / parts * bound
                    + min_i64(bound, (int64_t)(int32_t)nw % parts));
                if (pw1_past < (int32_t)nw)
                    pw1_past = (int32_t)find_first_i32(w1_crd, 0, pw1_past, w1_crd[pw1_past]);
            }
        }
        int32_t pw1 = pw1_from;
        int32_t pw1_end = pw1_past;
        #pragma unroll 1
        while (pw1 < pw1_end) {
            int32_t ic = w1_crd[pw1];
            int32_t pw1_next = pw1;
            #pragma unroll 1
            while (pw1_next < pw1_end && w1_crd[pw1_next] == ic)
                pw1_next++;
            int64_t pA1 = probe_i32(A1_crd, 0, nA1, ic);
            int64_t base = pA1 * nA2;
            #pragma unroll 1
            for (int32_t pw2 = pw1; pw2 < pw1_next; pw2++) {
                int32_t jc = w2_crd[pw2];
                int64_t pA2 = probe_i32(A2_crd, base, nA2, jc);
                A2_crd[pA2] = jc;
                A_vals[pA2] = w_vals[pw2];
            }
            pw1 = pw1_next;
        }
    }
}

SPCC_KERNEL void __launch_bounds__(32) evaluate_7_block(int32_t *__restrict__ A1_width, int32_t nA1)
{
    const int32_t thread = (int32_t)threadIdx.x;
    if (thread == 0)
        A1_width[0] = nA1;
}

SPCC_KERNEL void __launch_bounds__(32) evaluate_8_block(int32_t *__restrict__ A2_width, int32_t nA2)
{
    const int32_t thread = (int32_t)threadIdx.x;
    if (thread == 0)
        A2_width[0] = nA2;
}

#ifndef __CUDACC_RTC__
extern "C"
int evaluate(int32_t B1_dimension, int32_t B2_dimension, const int32_t *__restrict__ B2_pos,
             const int32_t *__restrict__ B2_crd, const double *__restrict__ B_vals,
             const int32_t *__restrict__ C2_pos, const int32_t *__restrict__ C2_crd,
             const double *__restrict__ C_vals, int32_t **A1_width_out, int32_t **A1_crd_out,
             int32_t **A2_width_out, int32_t **A2_crd_out, double **A_vals_out, cudaStream_t stream)
{
    (void)B2_dimension;
    int32_t *A1_width = NULL, *A1_crd = NULL, *A2_width = NULL, *A2_crd = NULL;
    double *A_vals = NULL;
    int32_t *w1_crd = NULL, *w2_crd = NULL;
    double *w_vals = NULL;
    int64_t *A1_most_of = NULL, *A2_most_of = NULL, *w1_begin = NULL;
    int status = 1;
    int32_t blocks;
    int64_t nw;
    int32_t blocks_2, blocks_3;
    int64_t pA1_width = 1;
    int64_t A1_most;
    int32_t nA1, blocks_4;
    int64_t pA2_width = 1;
    int64_t A2_most;
    int32_t nA2, blocks_5;
    int64_t ni = max_i64(B1_dimension, 0);
    SPCC_TRY(cuda_allocate(w1_begin, ni + 1025, stream));
    blocks = (int32_t)min_i64((ni + 255) / 256, 8448);
    SPCC_GRID(evaluate_block, blocks, 256, stream, B1_dimension, B2_pos, B2_crd, C2_pos, C2_crd,
              w1_begin);
    sum_grid_scan_i64(w1_begin, ni, stream);
    SPCC_TRY(cudaGetLastError());
    SPCC_TRY(cuda_fetch(nw, &w1_begin[ni], stream));
    if (nw > 2147483647) {
        status = 2;
        goto fail;
    }
    SPCC_TRY(cuda_allocate(w1_crd, nw, stream));
    SPCC_TRY(cuda_allocate(w2_crd, nw, stream));
    SPCC_TRY(cuda_allocate(w_vals, nw, stream));
    blocks_2 = (int32_t)min_i64((ni + 255) / 256, 8448);
    SPCC_GRID(evaluate_2_block, blocks_2, 256, stream, B1_dimension, B2_pos, B2_crd, B_vals, C2_pos,
              C2_crd, C_vals, w1_begin, w1_crd, w2_crd, w_vals);
    SPCC_TRY(cuda_release(stream, w1_begin));
    SPCC_TRY(cuda_allocate(A1_most_of, 1, stream));
    SPCC_TRY(cuda_zero(A1_most_of, 0, 1, stream));
    blocks_3 = (int32_t)min_i64((nw + 255) / 256, 8448);
    SPCC_GRID(evaluate_3_block, blocks_3, 256, stream, nw, w1_crd, A1_most_of);
    SPCC_TRY(cuda_fetch(A1_most, &A1_most_of[0], stream));
    SPCC_TRY(cuda_release(stream, A1_most_of));
    while (pA1_width / 2 < A1_most)
        pA1_width *= 2;
    if (pA1_width > 2147483647) {
        status = 2;
        goto fail;
    }
    nA1 = (int32_t)pA1_width;
    SPCC_TRY(cuda_allocate(A2_most_of, 1, stream));
    SPCC_TRY(cuda_zero(A2_most_of, 0, 1, stream));
    blocks_4 = (int32_t)min_i64((nw + 255) / 256, 8448);
    SPCC_GRID(evaluate_4_block, blocks_4, 256, stream, nw, w1_crd, w2_crd, A2_most_of);
    SPCC_TRY(cuda_fetch(A2_most, &A2_most_of[0], stream));
    SPCC_TRY(cuda_release(stream, A2_most_of));
    while (pA2_width / 2 < A2_most)
        pA2_width *= 2;
    if (pA2_width > 2147483647) {
        status = 2;
        goto fail;
    }
    nA2 = (int32_t)pA2_width;
    SPCC_TRY(cuda_allocate(A1_crd, nA1, stream));
    SPCC_TRY(cuda_allocate(A2_crd, (int64_t)nA1 * nA2, stream));
    SPCC_TRY(cuda_allocate(A_vals, (int64_t)nA1 * nA2, stream));
    SPCC_TRY(cuda_fill_i32(A1_crd, 0, nA1, -1, stream));
    SPCC_TRY(cuda_fill_i32(A2_crd, 0, (int64_t)nA1 * nA2, -1, stream));
    SPCC_TRY(cuda_zero(A_vals, 0, (int64_t)nA1 * nA2, stream));
    blocks_5 = (int32_t)min_i64(((int64_t)(int32_t)nw + 255) / 256, 8448);
    SPCC_GRID(evaluate_5_block, 1, 32, stream, A1_crd, nw, w1_crd, nA1);
    SPCC_GRID(evaluate_6_block, blocks_5, 256, stream, A1_crd, A2_crd, A_vals, nw, w1_crd, nA1, nA2,
              w2_crd, w_vals);
    SPCC_TRY(cuda_allocate(A1_width, 1, stream));
    SPCC_GRID(evaluate_7_block, 1, 32, stream, A1_width, nA1);
    SPCC_TRY(cuda_allocate(A2_width, 1, stream));
    SPCC_GRID(evaluate_8_block, 1, 32, stream, A2_width, nA2);
    SPCC_TRY(cuda_release(stream, w1_crd, w2_crd, w_vals));
    *A1_width_out = A1_width;
    *A1_crd_out = A1_crd;
    *A2_width_out = A2_width;
    *A2_crd_out = A2_crd;
    *A_vals_out = A_vals;
    return 0;

fail:
    cuda_release(stream, A1_width, A1_crd, A2_width, A2_crd, A_vals, w1_crd, w2_crd, w_vals,
        A1_most_of, A2_most_of, w1_begin);
    *A1_width_out = NULL;
    *A1_crd_out = NULL;
    *A2_width_out = NULL;
    *A2_crd_out = NULL;
    *A_vals_out = NULL;
    return status;
}
#endif
