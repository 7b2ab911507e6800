/* A(i,j) = B(i,k) * C(k,j)
 *     A        f64   ds
 *     B        f64   ds
 *     C        f64   ds
 * schedule: reorder(i, k, j); collect(A, w); parallelize(ic, gpu_thread, no_races); collapse(i, k, f); pos(f, p, B(i,k)); parallelize(p, gpu_thread, no_races)
 * made by spcc VERSION with
 *     spcc 'A(i,j) = B(i,k) * C(k,j)' -f 'A:csr' -f 'B:csr' -f 'C:csr' -s 'reorder(i, k, j); collect(A, w)' --target=cuda
 *
 *   B1_dimension  size of mode 1 of B: the range of i
 *   B2_dimension  size of mode 2 of B: the range of k
 *   B2_pos        B, level 2 (compressed): where each segment begins and ends
 *   B2_crd        B, level 2 (compressed): coordinates
 *   B_vals        B's values
 *   C2_dimension  size of mode 2 of C: the range of j
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
#include "../helpers/cuda/shr_u64.c"
#include "../helpers/cuda/shr_i32.c"
#include "../helpers/cuda/popcount_u32.c"
#include "../helpers/cuda/shl_u32.c"
#include "../helpers/cuda/cuda_fetch.c"
#include "../helpers/cuda/cuda_status.c"
#include "../helpers/cuda/max_i64.c"
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
#include "../helpers/cuda/sort_bits_i32.c"
#include "../helpers/cuda/sort_block_count_i32.c"
#include "../helpers/cuda/sort_alike_i32.c"
#include "../helpers/cuda/sort_block_move_i32_i32.c"
#include "../helpers/cuda/sort_grid_i32_i32.c"
#include "../helpers/cuda/sort_half_i64.c"

SPCC_KERNEL void __launch_bounds__(256, 4) evaluate_block(int32_t B1_dimension,
                                                          const int32_t *__restrict__ B2_pos,
                                                          const int32_t *__restrict__ B2_crd,
                                                          const int32_t *__restrict__ C2_pos,
                                                          int64_t *__restrict__ w1_begin)
{
    const int32_t block = (int32_t)blockIdx.x;
    const int32_t thread = (int32_t)threadIdx.x;
    int32_t p_size = B2_pos[B1_dimension];
    #pragma unroll 1
    for (int64_t p = (int64_t)block * 256 + thread; p < p_size; p += 2162688) {
        int64_t nw = 0;
        int32_t k = B2_crd[p];
        #pragma unroll 1
        for (int32_t pC2 = C2_pos[k]; pC2 < C2_pos[k + 1]; pC2++)
            nw++;
        w1_begin[p] = nw;
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
    int32_t p_size = B2_pos[B1_dimension];
    #pragma unroll 1
    for (int64_t p = (int64_t)block * 256 + thread; p < p_size; p += 2162688) {
        int64_t nw = w1_begin[p];
        int32_t k = B2_crd[p];
        int32_t i = (int32_t)(find_first_i32(B2_pos, 1, (int64_t)B1_dimension + 1, p + 1) - 1);
        double B_val = B_vals[p];
        #pragma unroll 4
        for (int32_t pC2 = C2_pos[k]; pC2 < C2_pos[k + 1]; pC2++) {
            w1_crd[nw] = i;
            w2_crd[nw] = C2_crd[pC2];
            w_vals[nw] = B_val * C_vals[pC2];
            nw++;
        }
    }
}

SPCC_KERNEL void __launch_bounds__(256, 4) evaluate_3_block(int64_t nw,
                                                            const int32_t *__restrict__ w_order,
                                                            int64_t w_at,
                                                            const int32_t *__restrict__ w1_crd,
                                                            const int32_t *__restrict__ w2_crd,
                                                            int64_t *__restrict__ w_first)
{
    const int32_t block = (int32_t)blockIdx.x;
    const int32_t thread = (int32_t)threadIdx.x;
    #pragma unroll 1
    for (int64_t pw = (int64_t)block * 256 + thread; pw < nw; pw += 2162688) {
        int64_t w_is_first = 1;
        if (pw > 0) {
            int64_t w_from = w_order[w_at + pw];
            int64_t w_before = w_order[w_at + (pw - 1)];
            w_is_first = w1_crd[w_from] == w1_crd[w_before] && w2_crd[w_from] == w2_crd[w_before]
                ? 0 : 1;
        }
        w_first[pw] = w_is_first;
    }
}

SPCC_KERNEL void __launch_bounds__(256, 4) evaluate_4_block(int64_t nw,
                                                            const int64_t *__restrict__ w_first,
                                                            int32_t *__restrict__ w1_sorted,
                                                            const int32_t *__restrict__ w1_crd,
                                                            const int32_t *__restrict__ w_order,
                                                            int64_t w_at,
                                                            int32_t *__restrict__ w2_sorted,
                                                            const int32_t *__restrict__ w2_crd,
                                                            const double *__restrict__ w_vals,
                                                            double *__restrict__ w_sorted)
{
    const int32_t block = (int32_t)blockIdx.x;
    const int32_t thread = (int32_t)threadIdx.x;
    #pragma unroll 1
    for (int64_t pw = (int64_t)block * 256 + thread; pw < nw; pw += 2162688) {
        if (w_first[pw] < w_first[pw + 1]) {
            w1_sorted[w_first[pw]] = w1_crd[w_order[w_at + pw]];
            w2_sorted[w_first[pw]] = w2_crd[w_order[w_at + pw]];
            int64_t w_from = w_order[w_at + pw];
            double w_val = w_vals[w_from];
            int64_t w_next = pw + 1;
            #pragma unroll 1
            while (w_next < nw && w_first[w_next + 1] == w_first[pw + 1]) {
                w_val += w_vals[w_order[w_at + w_next]];
                w_next++;
            }
            w_sorted[w_first[pw]] = w_val;
        }
    }
}

SPCC_KERNEL void __launch_bounds__(256, 4) evaluate_5_block(int32_t B1_dimension, int32_t parts,
                                                            int64_t work, int64_t nw_gathered,
                                                            const int32_t *__restrict__ w1_sorted,
                                                            int64_t *__restrict__ A2_begin)
{
    const int32_t block = (int32_t)blockIdx.x;
    const int32_t thread = (int32_t)threadIdx.x;
    int32_t part = (int32_t)((int64_t)block * 256 + thread);
    if (part < parts) {
        int32_t ic_from = 0;
        int32_t ic_past = B1_dimension;
        if (parts > 1) {
            #pragma unroll 1
            for (int32_t bound = part; bound < part + 2; bound++) {
                ic_from = ic_past;
                int64_t work_from = (work + 1) / parts * bound + min_i64(bound, (work + 1) % parts);
                int32_t pw1_low = 0;
                int32_t pw1_high = (int32_t)nw_gathered;
                #pragma unroll 1
                while (pw1_low < pw1_high) {
                    int32_t pw1_middle = pw1_low + (pw1_high - pw1_low) / 2;
                    if ((int64_t)w1_sorted[pw1_middle] + pw1_middle < work_from)
                        pw1_low = pw1_middle + 1;
                    else
                        pw1_high = pw1_middle;
                }
                int32_t ic_low = pw1_low > 0 ? w1_sorted[pw1_low - 1] + 1 : 0;
                int32_t ic_high = pw1_low < (int32_t)nw_gathered ? w1_sorted[pw1_low]
                    : B1_dimension;
                #pragma unroll 1
                while (ic_low < ic_high) {
                    int32_t ic_middle = ic_low + (ic_high - ic_low) / 2;
                    if ((int64_t)ic_middle + pw1_low < work_from)
                        ic_low = ic_middle + 1;
                    else
                        ic_high = ic_middle;
                }
                ic_past = ic_low;
            }
        }
        int64_t pw1_begin = parts > 1 ? find_first_i32(w1_sorted, 0, (int32_t)nw_gathered, ic_from)
            : 0;
        int64_t pw1_past = parts > 1
            ? find_first_i32(w1_sorted, pw1_begin, (int32_t)nw_gathered, ic_past)
            : (int64_t)(int32_t)nw_gathered;
        int64_t pA2 = 0;
        int32_t pw1 = (int32_t)pw1_begin;
        int32_t pw1_end = (int32_t)pw1_past;
        #pragma unroll 1
        while (pw1 < pw1_end) {
            int32_t ic = w1_sorted[pw1];
            int32_t pw1_next = pw1;
            #pragma unroll 1
            while (pw1_next < pw1_end && w1_sorted[pw1_next] == ic)
                pw1_next++;
            #pragma unroll 1
            for (int32_t pw2 = pw1; pw2 < pw1_next; pw2++)
                pA2++;
            pw1 = pw1_next;
        }
        A2_begin[part] = pA2;
    }
}

SPCC_KERNEL void __launch_bounds__(32) evaluate_6_block(int32_t *__restrict__ A2_pos)
{
    const int32_t thread = (int32_t)threadIdx.x;
    if (thread == 0)
        A2_pos[0] = 0;
}

SPCC_KERNEL void __launch_bounds__(256, 4) evaluate_7_block(int32_t B1_dimension,
                                                            int32_t *__restrict__ A2_pos,
                                                            int32_t *__restrict__ A2_crd,
                                                            double *__restrict__ A_vals,
                                                            int32_t parts, int64_t work,
                                                            int64_t nw_gathered,
                                                            const int32_t *__restrict__ w1_sorted,
                                                            const int64_t *__restrict__ A2_begin,
                                                            const int32_t *__restrict__ w2_sorted,
                                                            const double *__restrict__ w_sorted)
{
    const int32_t block = (int32_t)blockIdx.x;
    const int32_t thread = (int32_t)threadIdx.x;
    int32_t part = (int32_t)((int64_t)block * 256 + thread);
    if (part < parts) {
        int32_t ic_from = 0;
        int32_t ic_past = B1_dimension;
        if (parts > 1) {
            #pragma unroll 1
            for (int32_t bound = part; bound < part + 2; bound++) {
                ic_from = ic_past;
                int64_t work_from = (work + 1) / parts * bound + min_i64(bound, (work + 1) % parts);
                int32_t pw1_low = 0;
                int32_t pw1_high = (int32_t)nw_gathered;
                #pragma unroll 1
                while (pw1_low < pw1_high) {
                    int32_t pw1_middle = pw1_low + (pw1_high - pw1_low) / 2;
                    if ((int64_t)w1_sorted[pw1_middle] + pw1_middle < work_from)
                        pw1_low = pw1_middle + 1;
                    else
                        pw1_high = pw1_middle;
                }
                int32_t ic_low = pw1_low > 0 ? w1_sorted[pw1_low - 1] + 1 : 0;
                int32_t ic_high = pw1_low < (int32_t)nw_gathered ? w1_sorted[pw1_low]
                    : B1_dimension;
                #pragma unroll 1
                while (ic_low < ic_high) {
                    int32_t ic_middle = ic_low + (ic_high - ic_low) / 2;
                    if ((int64_t)ic_middle + pw1_low < work_from)
                        ic_low = ic_middle + 1;
                    else
                        ic_high = ic_middle;
                }
                ic_past = ic_low;
            }
        }
        int64_t pw1_begin = parts > 1 ? find_first_i32(w1_sorted, 0, (int32_t)nw_gathered, ic_from)
            : 0;
        int64_t pw1_past = parts > 1
            ? find_first_i32(w1_sorted, pw1_begin, (int32_t)nw_gathered, ic_past)
            : (int64_t)(int32_t)nw_gathered;
        int32_t pA2 = (int32_t)A2_begin[part];
        int64_t A2_filled = ic_from;
        int32_t pw1 = (int32_t)pw1_begin;
        int32_t pw1_end = (int32_t)pw1_past;
        #pragma unroll 1
        while (pw1 < pw1_end) {
            int32_t ic = w1_sorted[pw1];
            int32_t pw1_next = pw1;
            #pragma unroll 1
            while (pw1_next < pw1_end && w1_sorted[pw1_next] == ic)
                pw1_next++;
            for (int64_t at = A2_filled + 1; at < (int64_t)ic + 1; at++)
                A2_pos[at] = pA2;
            #pragma unroll 4
            for (int32_t pw2 = pw1; pw2 < pw1_next; pw2++) {
                int32_t jc = w2_sorted[pw2];
                A_vals[pA2] = w_sorted[pw2];
                A2_crd[pA2] = jc;
                pA2++;
            }
            A2_pos[ic + 1] = pA2;
            A2_filled = (int64_t)ic + 1;
            pw1 = pw1_next;
        }
        for (int64_t at = A2_filled + 1; at < (int64_t)ic_past + 1; at++)
            A2_pos[at] = pA2;
    }
}

#ifndef __CUDACC_RTC__
extern "C"
int evaluate(int32_t B1_dimension, int32_t B2_dimension, const int32_t *__restrict__ B2_pos,
             const int32_t *__restrict__ B2_crd, const double *__restrict__ B_vals,
             int32_t C2_dimension, const int32_t *__restrict__ C2_pos,
             const int32_t *__restrict__ C2_crd, const double *__restrict__ C_vals,
             int32_t **A2_pos_out, int32_t **A2_crd_out, double **A_vals_out, cudaStream_t stream)
{
    (void)B2_dimension;
    int32_t *A2_pos = NULL, *A2_crd = NULL;
    double *A_vals = NULL;
    int32_t *w1_crd = NULL, *w2_crd = NULL;
    double *w_vals = NULL;
    int64_t *w_first = NULL;
    int32_t *w1_sorted = NULL, *w2_sorted = NULL;
    double *w_sorted = NULL;
    int64_t *w1_begin = NULL;
    int32_t *w_order = NULL;
    int64_t *w_digits = NULL;
    int32_t *w_key = NULL, *w_key_2 = NULL;
    int64_t *A2_begin = NULL;
    int status = 1;
    int32_t p_size;
    int64_t np;
    int32_t blocks;
    int64_t nw;
    int64_t w_at = 0;
    int32_t blocks_2, blocks_3;
    int64_t nw_gathered;
    int32_t blocks_4;
    int64_t work;
    int32_t parts, blocks_5;
    int64_t nA2;
    int32_t blocks_6;
    SPCC_TRY(cuda_fetch(p_size, &B2_pos[B1_dimension], stream));
    np = max_i64(p_size, 0);
    SPCC_TRY(cuda_allocate(w1_begin, np + 1025, stream));
    blocks = (int32_t)min_i64((np + 255) / 256, 8448);
    SPCC_GRID(evaluate_block, blocks, 256, stream, B1_dimension, B2_pos, B2_crd, C2_pos, w1_begin);
    sum_grid_scan_i64(w1_begin, np, stream);
    SPCC_TRY(cudaGetLastError());
    SPCC_TRY(cuda_fetch(nw, &w1_begin[np], stream));
    if (nw > 2147483647) {
        status = 2;
        goto fail;
    }
    SPCC_TRY(cuda_allocate(w1_crd, nw, stream));
    SPCC_TRY(cuda_allocate(w2_crd, nw, stream));
    SPCC_TRY(cuda_allocate(w_vals, nw, stream));
    blocks_2 = (int32_t)min_i64((np + 255) / 256, 8448);
    SPCC_GRID(evaluate_2_block, blocks_2, 256, stream, B1_dimension, B2_pos, B2_crd, B_vals, C2_pos,
              C2_crd, C_vals, w1_begin, w1_crd, w2_crd, w_vals);
    SPCC_TRY(cuda_release(stream, w1_begin));
    SPCC_TRY(cuda_allocate(w_order, nw * 2, stream));
    SPCC_TRY(cuda_allocate(w_digits, min_i64(nw / 4096 + 1, 1024) * 256 + 1025, stream));
    SPCC_TRY(cuda_allocate(w_key, nw * 2, stream));
    sort_grid_i32_i32(w2_crd, w_key, w_order, w_digits, w_at, nw, 0, C2_dimension, true, stream);
    SPCC_TRY(cudaGetLastError());
    SPCC_TRY(cuda_release(stream, w_key));
    w_at = sort_half_i64(w_at, nw, C2_dimension);
    SPCC_TRY(cuda_allocate(w_key_2, nw * 2, stream));
    sort_grid_i32_i32(w1_crd, w_key_2, w_order, w_digits, w_at, nw, 0, B1_dimension, false, stream);
    SPCC_TRY(cudaGetLastError());
    SPCC_TRY(cuda_release(stream, w_key_2));
    w_at = sort_half_i64(w_at, nw, B1_dimension);
    SPCC_TRY(cuda_release(stream, w_digits));
    SPCC_TRY(cuda_allocate(w_first, nw + 1025, stream));
    blocks_3 = (int32_t)min_i64((nw + 255) / 256, 8448);
    SPCC_GRID(evaluate_3_block, blocks_3, 256, stream, nw, w_order, w_at, w1_crd, w2_crd, w_first);
    sum_grid_scan_i64(w_first, nw, stream);
    SPCC_TRY(cudaGetLastError());
    SPCC_TRY(cuda_fetch(nw_gathered, &w_first[nw], stream));
    SPCC_TRY(cuda_allocate(w1_sorted, nw_gathered, stream));
    SPCC_TRY(cuda_allocate(w2_sorted, nw_gathered, stream));
    SPCC_TRY(cuda_allocate(w_sorted, nw_gathered, stream));
    blocks_4 = (int32_t)min_i64((nw + 255) / 256, 8448);
    SPCC_GRID(evaluate_4_block, blocks_4, 256, stream, nw, w_first, w1_sorted, w1_crd, w_order,
              w_at, w2_sorted, w2_crd, w_vals, w_sorted);
    SPCC_TRY(cuda_release(stream, w_first, w_order, w1_crd, w2_crd, w_vals));
    work = (int64_t)B1_dimension + (int32_t)nw_gathered;
    parts = (int32_t)max_i64(min_i64(min_i64(work / 8, B1_dimension), 2162688), 1);
    SPCC_TRY(cuda_allocate(A2_begin, (int64_t)parts + 1025, stream));
    blocks_5 = (int32_t)min_i64(((int64_t)parts + 255) / 256, 8448);
    SPCC_GRID(evaluate_5_block, blocks_5, 256, stream, B1_dimension, parts, work, nw_gathered,
              w1_sorted, A2_begin);
    sum_grid_scan_i64(A2_begin, parts, stream);
    SPCC_TRY(cudaGetLastError());
    SPCC_TRY(cuda_fetch(nA2, &A2_begin[parts], stream));
    if (nA2 > 2147483647) {
        status = 2;
        goto fail;
    }
    SPCC_TRY(cuda_allocate(A2_pos, (int64_t)B1_dimension + 1, stream));
    SPCC_TRY(cuda_allocate(A2_crd, nA2, stream));
    SPCC_TRY(cuda_allocate(A_vals, nA2, stream));
    blocks_6 = (int32_t)min_i64(((int64_t)parts + 255) / 256, 8448);
    SPCC_GRID(evaluate_6_block, 1, 32, stream, A2_pos);
    SPCC_GRID(evaluate_7_block, blocks_6, 256, stream, B1_dimension, A2_pos, A2_crd, A_vals, parts,
              work, nw_gathered, w1_sorted, A2_begin, w2_sorted, w_sorted);
    SPCC_TRY(cuda_release(stream, A2_begin, w1_sorted, w2_sorted, w_sorted));
    *A2_pos_out = A2_pos;
    *A2_crd_out = A2_crd;
    *A_vals_out = A_vals;
    return 0;

fail:
    cuda_release(stream, A2_pos, A2_crd, A_vals, w1_crd, w2_crd, w_vals, w_first, w1_sorted,
        w2_sorted, w_sorted, w1_begin, w_order, w_digits, w_key, w_key_2, A2_begin);
    *A2_pos_out = NULL;
    *A2_crd_out = NULL;
    *A_vals_out = NULL;
    return status;
}
#endif
