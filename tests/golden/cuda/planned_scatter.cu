/* y(j) = A(i,j)
 *     y        f64   d
 *     A        f64   ds
 * schedule: precompute(A(i,j), w, {j,j,jp}, {i,i,ip}, csr); reorder(j, i); reorder(ip, jp); parallelize(j, gpu_warp, no_races); parallelize(i, gpu_thread, warp_reduction, 8); collapse(ip, jp, f); pos(f, p, A(ip,jp)); parallelize(p, gpu_thread, no_races)
 * made by spcc VERSION with
 *     spcc 'y(j) = A(i,j)' -f 'A:csr' --target=cuda
 *
 *   A1_dimension  size of mode 1 of A: the range of i
 *   A2_dimension  size of mode 2 of A: the range of j
 *   A2_pos        A, level 2 (compressed): where each segment begins and ends
 *   A2_crd        A, level 2 (compressed): coordinates
 *   A_vals        A's values
 *   y_vals        y's values
 *
 * No two of the arrays may overlap.
 *
 * Returns 0, or 1 where there is no memory, or the number of another error of CUDA's, negated, or 2
 * where a result has more components than its positions can count.
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

#include "../helpers/cuda/shr_u64.c"
#include "../helpers/cuda/min_i64.c"
#include "../helpers/cuda/div_i64.c"
#include "../helpers/cuda/shr_i32.c"
#include "../helpers/cuda/popcount_u32.c"
#include "../helpers/cuda/shl_u32.c"
#include "../helpers/cuda/team_mask.c"
#include "../helpers/cuda/max_i64.c"
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
#include "../helpers/cuda/sum_team8_f64.c"

SPCC_KERNEL void __launch_bounds__(256, 4) evaluate_block(int32_t A1_dimension,
                                                          const int32_t *__restrict__ A2_pos,
                                                          const int32_t *__restrict__ A2_crd,
                                                          const double *__restrict__ A_vals,
                                                          int32_t *__restrict__ w1_crd,
                                                          double *__restrict__ w_vals)
{
    const int32_t block = (int32_t)blockIdx.x;
    const int32_t thread = (int32_t)threadIdx.x;
    int32_t p_size = A2_pos[A1_dimension];
    #pragma unroll 1
    for (int64_t p = (int64_t)block * 256 + thread; p < p_size; p += 2162688) {
        w1_crd[p] = A2_crd[p];
        w_vals[p] = A_vals[p];
    }
}

SPCC_KERNEL void __launch_bounds__(256, 4) evaluate_2_block(int32_t A1_dimension,
                                                            const int32_t *__restrict__ A2_pos,
                                                            const int32_t *__restrict__ w_order,
                                                            int64_t w_at,
                                                            int32_t *__restrict__ w1_sorted,
                                                            const int32_t *__restrict__ w1_crd,
                                                            double *__restrict__ w_sorted,
                                                            const double *__restrict__ w_vals)
{
    const int32_t block = (int32_t)blockIdx.x;
    const int32_t thread = (int32_t)threadIdx.x;
    int64_t nw = max_i64(A2_pos[A1_dimension], 0);
    #pragma unroll 1
    for (int64_t pw = (int64_t)block * 256 + thread; pw < nw; pw += 2162688) {
        int64_t w_from = w_order[w_at + pw];
        w1_sorted[pw] = w1_crd[w_from];
        w_sorted[pw] = w_vals[w_from];
    }
}

SPCC_KERNEL void __launch_bounds__(256, 4) evaluate_3_block(int32_t A1_dimension,
                                                            int32_t A2_dimension,
                                                            const int32_t *__restrict__ A2_pos,
                                                            int32_t *__restrict__ w2_pos,
                                                            const int32_t *__restrict__ w1_sorted)
{
    const int32_t block = (int32_t)blockIdx.x;
    const int32_t thread = (int32_t)threadIdx.x;
    int64_t nw = max_i64(A2_pos[A1_dimension], 0);
    #pragma unroll 1
    for (int64_t w1_sorted_row = (int64_t)block * 256 + thread; w1_sorted_row
         < (int64_t)A2_dimension + 1; w1_sorted_row += 2162688)
        w2_pos[w1_sorted_row] = (int32_t)find_first_i32(w1_sorted, 0, nw, w1_sorted_row);
}

SPCC_KERNEL void __launch_bounds__(256, 4) evaluate_4_block(int32_t A2_dimension,
                                                            double *__restrict__ y_vals,
                                                            const int32_t *__restrict__ w2_pos,
                                                            const double *__restrict__ w_sorted)
{
    const int32_t block = (int32_t)blockIdx.x;
    const int32_t thread = (int32_t)threadIdx.x;
    #pragma unroll 1
    for (int64_t j = (int64_t)block * 32 + thread / 8; j < A2_dimension; j += 270336) {
        double y_val = 0.0;
        #pragma unroll 4
        for (int64_t pw2 = (int64_t)w2_pos[j] + thread % 8; pw2 < w2_pos[j + 1]; pw2 += 8)
            y_val += w_sorted[pw2];
        y_val = sum_team8_f64(y_val);
        if (thread % 8 == 0)
            y_vals[j] = y_val;
    }
}

#ifndef __CUDACC_RTC__
extern "C"
int evaluate(int32_t A1_dimension, int32_t A2_dimension, const int32_t *__restrict__ A2_pos,
             const int32_t *__restrict__ A2_crd, const double *__restrict__ A_vals,
             double *__restrict__ y_vals, cudaStream_t stream)
{
    int32_t *w2_pos = NULL, *w1_crd = NULL;
    double *w_vals = NULL;
    int32_t *w1_sorted = NULL;
    double *w_sorted = NULL;
    int32_t *w_order = NULL;
    int64_t *w_digits = NULL;
    int32_t *w_key = NULL;
    int status = 1;
    int32_t p_size;
    int64_t nw;
    int64_t w_at = 0;
    int32_t blocks, blocks_2, blocks_3, blocks_4;
    SPCC_TRY(cuda_fetch(p_size, &A2_pos[A1_dimension], stream));
    nw = max_i64(p_size, 0);
    if (nw > 2147483647) {
        status = 2;
        goto fail;
    }
    SPCC_TRY(cuda_allocate(w1_crd, nw, stream));
    SPCC_TRY(cuda_allocate(w_vals, nw, stream));
    blocks = (int32_t)min_i64((nw + 255) / 256, 8448);
    SPCC_GRID(evaluate_block, blocks, 256, stream, A1_dimension, A2_pos, A2_crd, A_vals, w1_crd,
              w_vals);
    SPCC_TRY(cuda_allocate(w_order, nw * 2, stream));
    SPCC_TRY(cuda_allocate(w_digits, min_i64(nw / 4096 + 1, 1024) * 256 + 1025, stream));
    SPCC_TRY(cuda_allocate(w_key, nw * 2, stream));
    sort_grid_i32_i32(w1_crd, w_key, w_order, w_digits, w_at, nw, 0, A2_dimension, true, stream);
    SPCC_TRY(cudaGetLastError());
    SPCC_TRY(cuda_release(stream, w_key));
    w_at = sort_half_i64(w_at, nw, A2_dimension);
    SPCC_TRY(cuda_release(stream, w_digits));
    SPCC_TRY(cuda_allocate(w1_sorted, nw, stream));
    SPCC_TRY(cuda_allocate(w_sorted, nw, stream));
    blocks_2 = (int32_t)min_i64((nw + 255) / 256, 8448);
    SPCC_GRID(evaluate_2_block, blocks_2, 256, stream, A1_dimension, A2_pos, w_order, w_at,
              w1_sorted, w1_crd, w_sorted, w_vals);
    SPCC_TRY(cuda_release(stream, w_order, w1_crd, w_vals));
    SPCC_TRY(cuda_allocate(w2_pos, (int64_t)A2_dimension + 1, stream));
    blocks_3 = (int32_t)min_i64(((int64_t)A2_dimension + 256) / 256, 8448);
    SPCC_GRID(evaluate_3_block, blocks_3, 256, stream, A1_dimension, A2_dimension, A2_pos, w2_pos,
              w1_sorted);
    SPCC_TRY(cuda_release(stream, w1_sorted));
    blocks_4 = (int32_t)min_i64(((int64_t)A2_dimension + 31) / 32, 8448);
    SPCC_GRID(evaluate_4_block, blocks_4, 256, stream, A2_dimension, y_vals, w2_pos, w_sorted);
    SPCC_TRY(cuda_release(stream, w2_pos, w_sorted));
    return 0;

fail:
    cuda_release(stream, w2_pos, w1_crd, w_vals, w1_sorted, w_sorted, w_order, w_digits, w_key);
    return status;
}
#endif
