/* Y(i,k) = A(i,j) * X(j,k)
 *     Y        f64   dd
 *     A        f64   ds
 *     X        f64   dd
 * schedule: reorder(i,j,k); collapse(i,j,f); pos(f,p,A); split(p,b,q,work,128); split(k,ko,ki,down,32); reorder(b,ki,ko,q); parallelize(b, gpu_warp, temporary); parallelize(ki, gpu_thread, no_races)
 * made by spcc VERSION with
 *     spcc 'Y(i,k) = A(i,j) * X(j,k)' -f 'A:csr' -s 'reorder(i,j,k); collapse(i,j,f); pos(f,p,A); split(p,b,q,work,128); split(k,ko,ki,down,32); reorder(b,ki,ko,q); parallelize(b, gpu_warp, temporary); parallelize(ki, gpu_thread, no_races)' --target=cuda
 *
 *   A1_dimension  size of mode 1 of A: the range of i
 *   A2_dimension  size of mode 2 of A: the range of j
 *   A2_pos        A, level 2 (compressed): where each segment begins and ends
 *   A2_crd        A, level 2 (compressed): coordinates
 *   A_vals        A's values
 *   X2_dimension  size of mode 2 of X: the range of k
 *   X_vals        X's values
 *   Y_vals        Y's values
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
#include "../helpers/cuda/sum_rows_f64.c"

SPCC_KERNEL void __launch_bounds__(256, 4) evaluate_block(int32_t A1_dimension,
                                                          const int32_t *__restrict__ A2_pos,
                                                          const int32_t *__restrict__ A2_crd,
                                                          const double *__restrict__ A_vals,
                                                          int32_t X2_dimension,
                                                          const double *__restrict__ X_vals,
                                                          double *__restrict__ Y_vals,
                                                          int64_t *__restrict__ Y_at_of,
                                                          double *__restrict__ Y_begun_of)
{
    const int32_t block = (int32_t)blockIdx.x;
    const int32_t thread = (int32_t)threadIdx.x;
    int32_t b_size = (int32_t)(((int64_t)A1_dimension + A2_pos[A1_dimension] + 127) / 128);
    int64_t b_all = max_i64(b_size, 0);
    int64_t share = (int64_t)block * 8 + thread / 32;
    int64_t b_from = b_all / 8192 * share + min_i64(share, b_all % 8192);
    int64_t b_past = b_from + b_all / 8192 + (share < b_all % 8192);
    if (b_from < b_past) {
        int32_t p_past = (int32_t)find_on_path_i32(A2_pos, A1_dimension, 0, 0, b_from * 128);
        int64_t Y_at_base = (int64_t)block * 8;
        #pragma unroll 1
        for (int64_t b = b_from; b < b_past; b++) {
            int32_t p_from = p_past;
            p_past = (int32_t)find_on_path_i32(A2_pos, A1_dimension, p_from, b * 128, (b + 1)
                * 128);
            int64_t base = b * 128 - p_from;
            #pragma unroll 1
            for (int64_t k = thread % 32; k < X2_dimension; k += 32) {
                int64_t Y_at = Y_at_of[(Y_at_base + thread / 32) * X2_dimension + k];
                double Y_begun = Y_begun_of[(Y_at_base + thread / 32) * X2_dimension + k];
                int32_t i = (int32_t)base;
                #pragma unroll 1
                for (int32_t q = 0; q < p_past - p_from; q++) {
                    int32_t p = p_from + q;
                    #pragma unroll 1
                    while (A2_pos[i + 1] <= p)
                        i++;
                    int64_t Y_here = (int64_t)i * X2_dimension + k;
                    if (Y_at != Y_here) {
                        if (Y_at >= 0)
                            Y_vals[Y_at] += Y_begun;
                        Y_at = Y_here;
                        Y_begun = 0.0;
                    }
                    Y_begun += A_vals[p] * X_vals[(int64_t)A2_crd[p] * X2_dimension + k];
                }
                Y_at_of[(Y_at_base + thread / 32) * X2_dimension + k] = Y_at;
                Y_begun_of[(Y_at_base + thread / 32) * X2_dimension + k] = Y_begun;
            }
        }
    }
}

SPCC_KERNEL void __launch_bounds__(256, 4) evaluate_2_block(int32_t X2_dimension, double *Y_vals,
                                                            const int64_t *__restrict__ Y_at_of,
                                                            const double *__restrict__ Y_begun_of)
{
    const int32_t block = (int32_t)blockIdx.x;
    const int32_t thread = (int32_t)threadIdx.x;
    __shared__ int64_t Y_at_ends[33];
    __shared__ double Y_begun_ends[33];
    int64_t base = 32 * (int64_t)thread;
    #pragma unroll 1
    for (int64_t column = block; column < X2_dimension; column += 8448) {
        int64_t Y_at = -1;
        double Y_begun = 0.0;
        int64_t part_past = base + 32;
        #pragma unroll 4
        for (int64_t part = base; part < part_past; part++) {
            int64_t at_ = Y_at_of[part * X2_dimension + column];
            if (at_ >= 0) {
                if (Y_at != at_) {
                    if (Y_at >= 0)
                        Y_vals[Y_at] += Y_begun;
                    Y_at = at_;
                    Y_begun = 0.0;
                }
                Y_begun += Y_begun_of[part * X2_dimension + column];
            }
        }
        int64_t Y_last_at = -1;
        double Y_last_begun = 0.0;
        sum_rows_f64(Y_vals, Y_at, Y_begun, Y_last_at, Y_last_begun, Y_at_ends, Y_begun_ends,
                     thread, 8);
        Y_last_at = Y_at_ends[32];
        Y_last_begun = Y_begun_ends[32];
        if (thread == 0) {
            if (Y_last_at >= 0)
                Y_vals[Y_last_at] += Y_last_begun;
        }
    }
}

#ifndef __CUDACC_RTC__
extern "C"
int evaluate(int32_t A1_dimension, int32_t A2_dimension, const int32_t *__restrict__ A2_pos,
             const int32_t *__restrict__ A2_crd, const double *__restrict__ A_vals,
             int32_t X2_dimension, const double *__restrict__ X_vals, double *__restrict__ Y_vals,
             cudaStream_t stream)
{
    (void)A2_dimension;
    int64_t *Y_at_of = NULL;
    double *Y_begun_of = NULL;
    int status = 1;
    SPCC_TRY(cuda_allocate(Y_at_of, (int64_t)X2_dimension * 8192, stream));
    SPCC_TRY(cuda_allocate(Y_begun_of, (int64_t)X2_dimension * 8192, stream));
    SPCC_TRY(cuda_fill_i64(Y_at_of, 0, (int64_t)X2_dimension * 8192, -1, stream));
    SPCC_TRY(cuda_zero(Y_begun_of, 0, (int64_t)X2_dimension * 8192, stream));
    SPCC_TRY(cuda_zero(Y_vals, 0, (int64_t)A1_dimension * X2_dimension, stream));
    SPCC_GRID(evaluate_block, 1024, 256, stream, A1_dimension, A2_pos, A2_crd, A_vals, X2_dimension,
              X_vals, Y_vals, Y_at_of, Y_begun_of);
    SPCC_GRID(evaluate_2_block, (int32_t)min_i64(X2_dimension, 8448), 256, stream, X2_dimension,
              Y_vals, Y_at_of, Y_begun_of);
    SPCC_TRY(cuda_release(stream, Y_at_of, Y_begun_of));
    return 0;

fail:
    cuda_release(stream, Y_at_of, Y_begun_of);
    return status;
}
#endif
