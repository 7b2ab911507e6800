/* A(i,j) = B(i,j)
 *     A        f64   (i,j) -> (i/4 : dense, j/4 : compressed, i%4 : dense, j%4 : dense)
 *     B        f64   ds
 * schedule: collect(A, w); parallelize(ico, gpu_thread, no_races); collapse(i, j, f); pos(f, p, B(i,j)); parallelize(p, gpu_thread, no_races)
 * made by spcc VERSION with
 *     spcc 'A(i,j) = B(i,j)' -f 'A:bcsr(4,4)' -f 'B:csr' --target=cuda
 *
 *   B1_dimension  size of mode 1 of B: the range of i
 *   B2_dimension  size of mode 2 of B: the range of j
 *   B2_pos        B, level 2 (compressed): where each segment begins and ends
 *   B2_crd        B, level 2 (compressed): coordinates
 *   B_vals        B's values
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

#include "../helpers/cuda/shr_u64.c"
#include "../helpers/cuda/min_i64.c"
#include "../helpers/cuda/div_i64.c"
#include "../helpers/cuda/shr_i32.c"
#include "../helpers/cuda/popcount_u32.c"
#include "../helpers/cuda/shl_u32.c"
#include "../helpers/cuda/max_i64.c"
#include "../helpers/cuda/mod_i64.c"
#include "../helpers/cuda/cuda_fetch.c"
#include "../helpers/cuda/cuda_status.c"
#include "../helpers/cuda/cuda_allocate.c"
#include "../helpers/cuda/cuda_release.c"
#include "../helpers/cuda/find_first_i32.c"
#include "../helpers/cuda/sort_bits_i32.c"
#include "../helpers/cuda/sort_block_count_i32.c"
#include "../helpers/cuda/sum_team32_i64.c"
#include "../helpers/cuda/sum_block_i64.c"
#include "../helpers/cuda/sum_block_list_i64.c"
#include "../helpers/cuda/sum_warp_up_to_i64.c"
#include "../helpers/cuda/sum_warp_before_i64.c"
#include "../helpers/cuda/sum_block_before_i64.c"
#include "../helpers/cuda/sum_block_scan_i64.c"
#include "../helpers/cuda/sum_grid_scan_i64.c"
#include "../helpers/cuda/sort_alike_i32.c"
#include "../helpers/cuda/sort_block_move_i32_i32.c"
#include "../helpers/cuda/sort_grid_i32_i32.c"
#include "../helpers/cuda/sort_half_i64.c"

SPCC_KERNEL void __launch_bounds__(256, 4) evaluate_block(int32_t B1_dimension,
                                                          const int32_t *__restrict__ B2_pos,
                                                          const int32_t *__restrict__ B2_crd,
                                                          const double *__restrict__ B_vals,
                                                          int32_t *__restrict__ w1_crd,
                                                          int32_t *__restrict__ w2_crd,
                                                          int32_t *__restrict__ w3_crd,
                                                          int32_t *__restrict__ w4_crd,
                                                          double *__restrict__ w_vals)
{
    const int32_t block = (int32_t)blockIdx.x;
    const int32_t thread = (int32_t)threadIdx.x;
    int32_t p_size = B2_pos[B1_dimension];
    #pragma unroll 1
    for (int64_t p = (int64_t)block * 256 + thread; p < p_size; p += 2162688) {
        int32_t j = B2_crd[p];
        int32_t i = (int32_t)(find_first_i32(B2_pos, 1, (int64_t)B1_dimension + 1, p + 1) - 1);
        w1_crd[p] = i / 4;
        w2_crd[p] = j / 4;
        w3_crd[p] = i % 4;
        w4_crd[p] = j % 4;
        w_vals[p] = B_vals[p];
    }
}

SPCC_KERNEL void __launch_bounds__(256, 4) evaluate_2_block(int32_t B1_dimension,
                                                            const int32_t *__restrict__ B2_pos,
                                                            const int32_t *__restrict__ w_order,
                                                            int64_t w_at,
                                                            int32_t *__restrict__ w1_sorted,
                                                            const int32_t *__restrict__ w1_crd,
                                                            int32_t *__restrict__ w2_sorted,
                                                            const int32_t *__restrict__ w2_crd,
                                                            int32_t *__restrict__ w3_sorted,
                                                            const int32_t *__restrict__ w3_crd,
                                                            int32_t *__restrict__ w4_sorted,
                                                            const int32_t *__restrict__ w4_crd,
                                                            double *__restrict__ w_sorted,
                                                            const double *__restrict__ w_vals)
{
    const int32_t block = (int32_t)blockIdx.x;
    const int32_t thread = (int32_t)threadIdx.x;
    int64_t nw = max_i64(B2_pos[B1_dimension], 0);
    #pragma unroll 1
    for (int64_t pw = (int64_t)block * 256 + thread; pw < nw; pw += 2162688) {
        int64_t w_from = w_order[w_at + pw];
        w1_sorted[pw] = w1_crd[w_from];
        w2_sorted[pw] = w2_crd[w_from];
        w3_sorted[pw] = w3_crd[w_from];
        w4_sorted[pw] = w4_crd[w_from];
        w_sorted[pw] = w_vals[w_from];
    }
}

SPCC_KERNEL void __launch_bounds__(256, 4) evaluate_3_block(int32_t B1_dimension,
                                                            const int32_t *__restrict__ B2_pos,
                                                            int32_t ico_size,
                                                            const int32_t *__restrict__ w1_sorted,
                                                            const int32_t *__restrict__ w2_sorted,
                                                            const int32_t *__restrict__ w3_sorted,
                                                            int64_t *__restrict__ A2_begin)
{
    const int32_t block = (int32_t)blockIdx.x;
    const int32_t thread = (int32_t)threadIdx.x;
    int64_t nw = max_i64(B2_pos[B1_dimension], 0);
    int64_t work = (int64_t)ico_size + (int32_t)nw;
    int32_t parts = (int32_t)max_i64(min_i64(min_i64(work / 8, ico_size), 2162688), 1);
    int32_t part = (int32_t)((int64_t)block * 256 + thread);
    if (part < parts) {
        int32_t ico_from = 0;
        int32_t ico_past = ico_size;
        if (parts > 1) {
            #pragma unroll 1
            for (int32_t bound = part; bound < part + 2; bound++) {
                ico_from = ico_past;
                int64_t work_from = div_i64(work + 1, parts) * bound
                    + min_i64(bound, mod_i64(work + 1, parts));
                int32_t pw1_low = 0;
                int32_t pw1_high = (int32_t)nw;
                #pragma unroll 1
                while (pw1_low < pw1_high) {
                    int32_t pw1_middle = pw1_low + (pw1_high - pw1_low) / 2;
                    if ((int64_t)w1_sorted[pw1_middle] + pw1_middle < work_from)
                        pw1_low = pw1_middle + 1;
                    else
                        pw1_high = pw1_middle;
                }
                int32_t ico_low = pw1_low > 0 ? w1_sorted[pw1_low - 1] + 1 : 0;
                int32_t ico_high = pw1_low < (int32_t)nw ? w1_sorted[pw1_low] : ico_size;
                #pragma unroll 1
                while (ico_low < ico_high) {
                    int32_t ico_middle = ico_low + (ico_high - ico_low) / 2;
                    if ((int64_t)ico_middle + pw1_low < work_from)
                        ico_low = ico_middle + 1;
                    else
                        ico_high = ico_middle;
                }
                ico_past = ico_low;
            }
        }
        int64_t pw1_begin = parts > 1 ? find_first_i32(w1_sorted, 0, (int32_t)nw, ico_from) : 0;
        int64_t pw1_past = parts > 1 ? find_first_i32(w1_sorted, pw1_begin, (int32_t)nw, ico_past)
            : (int64_t)(int32_t)nw;
        int64_t pA2 = 0;
        int32_t pw1 = (int32_t)pw1_begin;
        int32_t pw1_end = (int32_t)pw1_past;
        #pragma unroll 1
        while (pw1 < pw1_end) {
            int32_t ico = w1_sorted[pw1];
            int32_t pw1_next = pw1;
            #pragma unroll 1
            while (pw1_next < pw1_end && w1_sorted[pw1_next] == ico)
                pw1_next++;
            int32_t pw2 = pw1;
            int32_t pw2_end = pw1_next;
            #pragma unroll 1
            while (pw2 < pw2_end) {
                int32_t jco = w2_sorted[pw2];
                int32_t pw2_next = pw2;
                #pragma unroll 1
                while (pw2_next < pw2_end && w2_sorted[pw2_next] == jco)
                    pw2_next++;
                int32_t pw3 = pw2;
                int32_t pw3_end = pw2_next;
                #pragma unroll 1
                while (pw3 < pw3_end) {
                    int32_t ici = w3_sorted[pw3];
                    int32_t pw3_next = pw3;
                    #pragma unroll 1
                    while (pw3_next < pw3_end && w3_sorted[pw3_next] == ici)
                        pw3_next++;
                    pw3 = pw3_next;
                }
                pA2++;
                pw2 = pw2_next;
            }
            pw1 = pw1_next;
        }
        A2_begin[part] = pA2;
    }
}

SPCC_KERNEL void __launch_bounds__(32) evaluate_4_block(int32_t *__restrict__ A2_pos)
{
    const int32_t thread = (int32_t)threadIdx.x;
    if (thread == 0)
        A2_pos[0] = 0;
}

SPCC_KERNEL void __launch_bounds__(256, 4) evaluate_5_block(int32_t B1_dimension,
                                                            const int32_t *__restrict__ B2_pos,
                                                            int32_t *__restrict__ A2_pos,
                                                            int32_t *__restrict__ A2_crd,
                                                            double *__restrict__ A_vals,
                                                            int32_t ico_size,
                                                            const int32_t *__restrict__ w1_sorted,
                                                            const int64_t *__restrict__ A2_begin,
                                                            const int32_t *__restrict__ w2_sorted,
                                                            const int32_t *__restrict__ w3_sorted,
                                                            const int32_t *__restrict__ w4_sorted,
                                                            const double *__restrict__ w_sorted)
{
    const int32_t block = (int32_t)blockIdx.x;
    const int32_t thread = (int32_t)threadIdx.x;
    int64_t nw = max_i64(B2_pos[B1_dimension], 0);
    int64_t work = (int64_t)ico_size + (int32_t)nw;
    int32_t parts = (int32_t)max_i64(min_i64(min_i64(work / 8, ico_size), 2162688), 1);
    int32_t part = (int32_t)((int64_t)block * 256 + thread);
    if (part < parts) {
        int32_t ico_from = 0;
        int32_t ico_past = ico_size;
        if (parts > 1) {
            #pragma unroll 1
            for (int32_t bound = part; bound < part + 2; bound++) {
                ico_from = ico_past;
                int64_t work_from = div_i64(work + 1, parts) * bound
                    + min_i64(bound, mod_i64(work + 1, parts));
                int32_t pw1_low = 0;
                int32_t pw1_high = (int32_t)nw;
                #pragma unroll 1
                while (pw1_low < pw1_high) {
                    int32_t pw1_middle = pw1_low + (pw1_high - pw1_low) / 2;
                    if ((int64_t)w1_sorted[pw1_middle] + pw1_middle < work_from)
                        pw1_low = pw1_middle + 1;
                    else
                        pw1_high = pw1_middle;
                }
                int32_t ico_low = pw1_low > 0 ? w1_sorted[pw1_low - 1] + 1 : 0;
                int32_t ico_high = pw1_low < (int32_t)nw ? w1_sorted[pw1_low] : ico_size;
                #pragma unroll 1
                while (ico_low < ico_high) {
                    int32_t ico_middle = ico_low + (ico_high - ico_low) / 2;
                    if ((int64_t)ico_middle + pw1_low < work_from)
                        ico_low = ico_middle + 1;
                    else
                        ico_high = ico_middle;
                }
                ico_past = ico_low;
            }
        }
        int64_t pw1_begin = parts > 1 ? find_first_i32(w1_sorted, 0, (int32_t)nw, ico_from) : 0;
        int64_t pw1_past = parts > 1 ? find_first_i32(w1_sorted, pw1_begin, (int32_t)nw, ico_past)
            : (int64_t)(int32_t)nw;
        int32_t pA2 = (int32_t)A2_begin[part];
        int64_t A2_filled = ico_from;
        int32_t pw1 = (int32_t)pw1_begin;
        int32_t pw1_end = (int32_t)pw1_past;
        #pragma unroll 1
        while (pw1 < pw1_end) {
            int32_t ico = w1_sorted[pw1];
            int32_t pw1_next = pw1;
            #pragma unroll 1
            while (pw1_next < pw1_end && w1_sorted[pw1_next] == ico)
                pw1_next++;
            for (int64_t at = A2_filled + 1; at < (int64_t)ico + 1; at++)
                A2_pos[at] = pA2;
            int32_t pw2 = pw1;
            int32_t pw2_end = pw1_next;
            #pragma unroll 1
            while (pw2 < pw2_end) {
                int32_t jco = w2_sorted[pw2];
                int32_t pw2_next = pw2;
                #pragma unroll 1
                while (pw2_next < pw2_end && w2_sorted[pw2_next] == jco)
                    pw2_next++;
                memset(A_vals + (int64_t)pA2 * 16, 0, 16 * sizeof(double));
                int32_t pw3 = pw2;
                int32_t pw3_end = pw2_next;
                int64_t A_base = (int64_t)pA2 * 4;
                #pragma unroll 1
                while (pw3 < pw3_end) {
                    int32_t ici = w3_sorted[pw3];
                    int32_t pw3_next = pw3;
                    #pragma unroll 1
                    while (pw3_next < pw3_end && w3_sorted[pw3_next] == ici)
                        pw3_next++;
                    int64_t A_base_2 = (A_base + ici) * 4;
                    #pragma unroll 4
                    for (int32_t pw4 = pw3; pw4 < pw3_next; pw4++) {
                        int32_t jci = w4_sorted[pw4];
                        A_vals[A_base_2 + jci] = w_sorted[pw4];
                    }
                    pw3 = pw3_next;
                }
                A2_crd[pA2] = jco;
                pA2++;
                pw2 = pw2_next;
            }
            A2_pos[ico + 1] = pA2;
            A2_filled = (int64_t)ico + 1;
            pw1 = pw1_next;
        }
        for (int64_t at = A2_filled + 1; at < (int64_t)ico_past + 1; at++)
            A2_pos[at] = pA2;
    }
}

#ifndef __CUDACC_RTC__
extern "C"
int evaluate(int32_t B1_dimension, int32_t B2_dimension, const int32_t *__restrict__ B2_pos,
             const int32_t *__restrict__ B2_crd, const double *__restrict__ B_vals,
             int32_t **A2_pos_out, int32_t **A2_crd_out, double **A_vals_out, cudaStream_t stream)
{
    int32_t *A2_pos = NULL, *A2_crd = NULL;
    double *A_vals = NULL;
    int32_t *w1_crd = NULL, *w2_crd = NULL, *w3_crd = NULL, *w4_crd = NULL;
    double *w_vals = NULL;
    int32_t *w1_sorted = NULL, *w2_sorted = NULL, *w3_sorted = NULL, *w4_sorted = NULL;
    double *w_sorted = NULL;
    int32_t *w_order = NULL;
    int64_t *w_digits = NULL;
    int32_t *w_key = NULL, *w_key_2 = NULL;
    int64_t *A2_begin = NULL;
    int status = 1;
    int32_t p_size;
    int64_t nw;
    int64_t w_at = 0;
    int32_t blocks, blocks_2;
    int64_t work;
    int32_t parts, blocks_3;
    int64_t nA2;
    int32_t blocks_4;
    int32_t io_size = B1_dimension / 4 + (B1_dimension % 4 > 0);
    int32_t jo_size = B2_dimension / 4 + (B2_dimension % 4 > 0);
    int32_t ico_size = B1_dimension / 4 + (B1_dimension % 4 > 0);
    SPCC_TRY(cuda_fetch(p_size, &B2_pos[B1_dimension], stream));
    nw = max_i64(p_size, 0);
    if (nw > 2147483647) {
        status = 2;
        goto fail;
    }
    SPCC_TRY(cuda_allocate(w1_crd, nw, stream));
    SPCC_TRY(cuda_allocate(w2_crd, nw, stream));
    SPCC_TRY(cuda_allocate(w3_crd, nw, stream));
    SPCC_TRY(cuda_allocate(w4_crd, nw, stream));
    SPCC_TRY(cuda_allocate(w_vals, nw, stream));
    blocks = (int32_t)min_i64((nw + 255) / 256, 8448);
    SPCC_GRID(evaluate_block, blocks, 256, stream, B1_dimension, B2_pos, B2_crd, B_vals, w1_crd,
              w2_crd, w3_crd, w4_crd, w_vals);
    SPCC_TRY(cuda_allocate(w_order, nw * 2, stream));
    SPCC_TRY(cuda_allocate(w_digits, min_i64(nw / 4096 + 1, 1024) * 256 + 1025, stream));
    SPCC_TRY(cuda_allocate(w_key, nw * 2, stream));
    sort_grid_i32_i32(w2_crd, w_key, w_order, w_digits, w_at, nw, 0, jo_size, true, stream);
    SPCC_TRY(cudaGetLastError());
    SPCC_TRY(cuda_release(stream, w_key));
    w_at = sort_half_i64(w_at, nw, jo_size);
    SPCC_TRY(cuda_allocate(w_key_2, nw * 2, stream));
    sort_grid_i32_i32(w1_crd, w_key_2, w_order, w_digits, w_at, nw, 0, io_size, false, stream);
    SPCC_TRY(cudaGetLastError());
    SPCC_TRY(cuda_release(stream, w_key_2));
    w_at = sort_half_i64(w_at, nw, io_size);
    SPCC_TRY(cuda_release(stream, w_digits));
    SPCC_TRY(cuda_allocate(w1_sorted, nw, stream));
    SPCC_TRY(cuda_allocate(w2_sorted, nw, stream));
    SPCC_TRY(cuda_allocate(w3_sorted, nw, stream));
    SPCC_TRY(cuda_allocate(w4_sorted, nw, stream));
    SPCC_TRY(cuda_allocate(w_sorted, nw, stream));
    blocks_2 = (int32_t)min_i64((nw + 255) / 256, 8448);
    SPCC_GRID(evaluate_2_block, blocks_2, 256, stream, B1_dimension, B2_pos, w_order, w_at,
              w1_sorted, w1_crd, w2_sorted, w2_crd, w3_sorted, w3_crd, w4_sorted, w4_crd, w_sorted,
              w_vals);
    SPCC_TRY(cuda_release(stream, w_order, w1_crd, w2_crd, w3_crd, w4_crd, w_vals));
    work = (int64_t)ico_size + (int32_t)nw;
    parts = (int32_t)max_i64(min_i64(min_i64(work / 8, ico_size), 2162688), 1);
    SPCC_TRY(cuda_allocate(A2_begin, (int64_t)parts + 1025, stream));
    blocks_3 = (int32_t)min_i64(((int64_t)parts + 255) / 256, 8448);
    SPCC_GRID(evaluate_3_block, blocks_3, 256, stream, B1_dimension, B2_pos, ico_size, w1_sorted,
              w2_sorted, w3_sorted, A2_begin);
    sum_grid_scan_i64(A2_begin, parts, stream);
    SPCC_TRY(cudaGetLastError());
    SPCC_TRY(cuda_fetch(nA2, &A2_begin[parts], stream));
    if (nA2 > 2147483647) {
        status = 2;
        goto fail;
    }
    SPCC_TRY(cuda_allocate(A2_pos, (int64_t)ico_size + 1, stream));
    SPCC_TRY(cuda_allocate(A2_crd, nA2, stream));
    SPCC_TRY(cuda_allocate(A_vals, nA2 * 4 * 4, stream));
    SPCC_GRID(evaluate_4_block, 1, 32, stream, A2_pos);
    blocks_4 = (int32_t)min_i64(((int64_t)parts + 255) / 256, 8448);
    SPCC_GRID(evaluate_5_block, blocks_4, 256, stream, B1_dimension, B2_pos, A2_pos, A2_crd, A_vals,
              ico_size, w1_sorted, A2_begin, w2_sorted, w3_sorted, w4_sorted, w_sorted);
    SPCC_TRY(cuda_release(stream, A2_begin, w1_sorted, w2_sorted, w3_sorted, w4_sorted, w_sorted));
    *A2_pos_out = A2_pos;
    *A2_crd_out = A2_crd;
    *A_vals_out = A_vals;
    return 0;

fail:
    cuda_release(stream, A2_pos, A2_crd, A_vals, w1_crd, w2_crd, w3_crd, w4_crd, w_vals, w1_sorted,
        w2_sorted, w3_sorted, w4_sorted, w_sorted, w_order, w_digits, w_key, w_key_2, A2_begin);
    *A2_pos_out = NULL;
    *A2_crd_out = NULL;
    *A_vals_out = NULL;
    return status;
}
#endif
