/* A(i,j) = B(i,k,l) * C(k,j) * D(l,j)
 *     A        f64   dd
 *     B        f64   sss
 *     C        f64   dd
 *     D        f64   dd
 * schedule: reorder(i,k,l,j); collapse(k,l,kl); collapse(i,kl,f); pos(f,p,B); split(p,b,q,work,128); split(j,jo,ji,down,32); reorder(b,ji,jo,q); parallelize(b, gpu_warp, temporary); parallelize(ji, gpu_thread, no_races)
 * made by spcc VERSION with
 *     spcc 'A(i,j) = B(i,k,l) * C(k,j) * D(l,j)' -f 'B:sss' -s 'reorder(i,k,l,j); collapse(k,l,kl); collapse(i,kl,f); pos(f,p,B); split(p,b,q,work,128); split(j,jo,ji,down,32); reorder(b,ji,jo,q); parallelize(b, gpu_warp, temporary); parallelize(ji, gpu_thread, no_races)' --target=cuda
 *
 *   B1_dimension  size of mode 1 of B: the range of i
 *   B2_dimension  size of mode 2 of B: the range of k
 *   B3_dimension  size of mode 3 of B: the range of l
 *   B1_pos        B, level 1 (compressed): where each segment begins and ends
 *   B1_crd        B, level 1 (compressed): coordinates
 *   B2_pos        B, level 2 (compressed): where each segment begins and ends
 *   B2_crd        B, level 2 (compressed): coordinates
 *   B3_pos        B, level 3 (compressed): where each segment begins and ends
 *   B3_crd        B, level 3 (compressed): coordinates
 *   B_vals        B's values
 *   C2_dimension  size of mode 2 of C: the range of j
 *   C_vals        C's values
 *   D_vals        D's values
 *   A_vals        A's values
 *
 * No two of the arrays may overlap.
 *
 * Returns 0, or 1 where there is no memory, or the number of another error of CUDA's, negated.
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

#include "../helpers/cuda/min_i64.c"
#include "../helpers/cuda/max_i64.c"
#include "../helpers/cuda/cuda_allocate.c"
#include "../helpers/cuda/cuda_status.c"
#include "../helpers/cuda/cuda_fill_i64.c"
#include "../helpers/cuda/cuda_zero.c"
#include "../helpers/cuda/cuda_release.c"
#include "../helpers/cuda/find_on_path_i32.c"
#include "../helpers/cuda/find_first_i32.c"
#include "../helpers/cuda/sum_rows_f64.c"

SPCC_KERNEL void __launch_bounds__(256, 4) evaluate_block(const int32_t *__restrict__ B1_pos,
                                                          const int32_t *__restrict__ B1_crd,
                                                          const int32_t *__restrict__ B2_pos,
                                                          const int32_t *__restrict__ B2_crd,
                                                          const int32_t *__restrict__ B3_pos,
                                                          const int32_t *__restrict__ B3_crd,
                                                          const double *__restrict__ B_vals,
                                                          int32_t C2_dimension,
                                                          const double *__restrict__ C_vals,
                                                          const double *__restrict__ D_vals,
                                                          double *__restrict__ A_vals,
                                                          int64_t *__restrict__ A_at_of,
                                                          double *__restrict__ A_begun_of)
{
    const int32_t block = (int32_t)blockIdx.x;
    const int32_t thread = (int32_t)threadIdx.x;
    int32_t b_size = (int32_t)(((int64_t)B2_pos[B1_pos[1]] + B3_pos[B2_pos[B1_pos[1]]] + 127)
        / 128);
    int64_t b_all = max_i64(b_size, 0);
    int64_t share = (int64_t)block * 8 + thread / 32;
    int64_t b_from = b_all / 8192 * share + min_i64(share, b_all % 8192);
    int64_t b_past = b_from + b_all / 8192 + (share < b_all % 8192);
    if (b_from < b_past) {
        int32_t p_past = (int32_t)find_on_path_i32(B3_pos, B2_pos[B1_pos[1]], 0, 0, b_from * 128);
        int64_t A_at_base = (int64_t)block * 8;
        #pragma unroll 1
        for (int64_t b = b_from; b < b_past; b++) {
            int32_t p_from = p_past;
            p_past = (int32_t)find_on_path_i32(B3_pos, B2_pos[B1_pos[1]], p_from, b * 128, (b + 1)
                * 128);
            int64_t base = b * 128 - p_from;
            #pragma unroll 1
            for (int64_t j = thread % 32; j < C2_dimension; j += 32) {
                int64_t A_at = A_at_of[(A_at_base + thread / 32) * C2_dimension + j];
                double A_begun = A_begun_of[(A_at_base + thread / 32) * C2_dimension + j];
                int32_t pB2 = (int32_t)base;
                int32_t pB1 = (int32_t)(find_first_i32(B2_pos, 1, (int64_t)B1_pos[1] + 1,
                    (int64_t)pB2 + 1) - 1);
                #pragma unroll 1
                for (int32_t q = 0; q < p_past - p_from; q++) {
                    int32_t p = p_from + q;
                    #pragma unroll 1
                    while (B3_pos[pB2 + 1] <= p)
                        pB2++;
                    #pragma unroll 1
                    while (B2_pos[pB1 + 1] <= pB2)
                        pB1++;
                    int64_t A_here = (int64_t)B1_crd[pB1] * C2_dimension + j;
                    if (A_at != A_here) {
                        if (A_at >= 0)
                            A_vals[A_at] += A_begun;
                        A_at = A_here;
                        A_begun = 0.0;
                    }
                    A_begun += B_vals[p] * C_vals[(int64_t)B2_crd[pB2] * C2_dimension + j]
                        * D_vals[(int64_t)B3_crd[p] * C2_dimension + j];
                }
                A_at_of[(A_at_base + thread / 32) * C2_dimension + j] = A_at;
                A_begun_of[(A_at_base + thread / 32) * C2_dimension + j] = A_begun;
            }
        }
    }
}

SPCC_KERNEL void __launch_bounds__(256, 4) evaluate_2_block(int32_t C2_dimension, double *A_vals,
                                                            const int64_t *__restrict__ A_at_of,
                                                            const double *__restrict__ A_begun_of)
{
    const int32_t block = (int32_t)blockIdx.x;
    const int32_t thread = (int32_t)threadIdx.x;
    __shared__ int64_t A_at_ends[33];
    __shared__ double A_begun_ends[33];
    int64_t base = 32 * (int64_t)thread;
    #pragma unroll 1
    for (int64_t column = block; column < C2_dimension; column += 8448) {
        int64_t A_at = -1;
        double A_begun = 0.0;
        int64_t part_past = base + 32;
        #pragma unroll 4
        for (int64_t part = base; part < part_past; part++) {
            int64_t at_ = A_at_of[part * C2_dimension + column];
            if (at_ >= 0) {
                if (A_at != at_) {
                    if (A_at >= 0)
                        A_vals[A_at] += A_begun;
                    A_at = at_;
                    A_begun = 0.0;
                }
                A_begun += A_begun_of[part * C2_dimension + column];
            }
        }
        int64_t A_last_at = -1;
        double A_last_begun = 0.0;
        sum_rows_f64(A_vals, A_at, A_begun, A_last_at, A_last_begun, A_at_ends, A_begun_ends,
                     thread, 8);
        A_last_at = A_at_ends[32];
        A_last_begun = A_begun_ends[32];
        if (thread == 0) {
            if (A_last_at >= 0)
                A_vals[A_last_at] += A_last_begun;
        }
    }
}

#ifndef __CUDACC_RTC__
extern "C"
int evaluate(int32_t B1_dimension, int32_t B2_dimension, int32_t B3_dimension,
             const int32_t *__restrict__ B1_pos, const int32_t *__restrict__ B1_crd,
             const int32_t *__restrict__ B2_pos, const int32_t *__restrict__ B2_crd,
             const int32_t *__restrict__ B3_pos, const int32_t *__restrict__ B3_crd,
             const double *__restrict__ B_vals, int32_t C2_dimension,
             const double *__restrict__ C_vals, const double *__restrict__ D_vals,
             double *__restrict__ A_vals, cudaStream_t stream)
{
    (void)B2_dimension;
    (void)B3_dimension;
    int64_t *A_at_of = NULL;
    double *A_begun_of = NULL;
    int status = 1;
    SPCC_TRY(cuda_allocate(A_at_of, (int64_t)C2_dimension * 8192, stream));
    SPCC_TRY(cuda_allocate(A_begun_of, (int64_t)C2_dimension * 8192, stream));
    SPCC_TRY(cuda_fill_i64(A_at_of, 0, (int64_t)C2_dimension * 8192, -1, stream));
    SPCC_TRY(cuda_zero(A_begun_of, 0, (int64_t)C2_dimension * 8192, stream));
    SPCC_TRY(cuda_zero(A_vals, 0, (int64_t)B1_dimension * C2_dimension, stream));
    SPCC_GRID(evaluate_block, 1024, 256, stream, B1_pos, B1_crd, B2_pos, B2_crd, B3_pos, B3_crd,
              B_vals, C2_dimension, C_vals, D_vals, A_vals, A_at_of, A_begun_of);
    SPCC_GRID(evaluate_2_block, (int32_t)min_i64(C2_dimension, 8448), 256, stream, C2_dimension,
              A_vals, A_at_of, A_begun_of);
    SPCC_TRY(cuda_release(stream, A_at_of, A_begun_of));
    return 0;

fail:
    cuda_release(stream, A_at_of, A_begun_of);
    return status;
}
#endif
