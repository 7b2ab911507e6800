/* y(i) = A(i,j) * B(j,k) * x(k)
 *     y        f64   d
 *     A        f64   ds
 *     B        f64   ds
 *     x        f64   d
 * schedule: precompute(B(j,k) * x(k), w, {j,j,jp}, dense); collapse(i, j, f); pos(f, p, A(i,j)); split(p, po, pi, work, 1024); split(pi, pio, pii, down, 8); parallelize(po, gpu_block, temporary); parallelize(pio, gpu_thread, temporary); collapse(jp, k, f2); pos(f2, p2, B(jp,k)); split(p2, p2o, p2i, work, 1024); split(p2i, p2io, p2ii, down, 8); parallelize(p2o, gpu_block, temporary); parallelize(p2io, gpu_thread, temporary)
 * made by spcc VERSION with
 *     spcc 'y(i) = A(i,j) * B(j,k) * x(k)' -f 'A:csr' -f 'B:csr' --target=cuda
 *
 *   A1_dimension  size of mode 1 of A: the range of i
 *   A2_dimension  size of mode 2 of A: the range of j
 *   A2_pos        A, level 2 (compressed): where each segment begins and ends
 *   A2_crd        A, level 2 (compressed): coordinates
 *   A_vals        A's values
 *   B2_dimension  size of mode 2 of B: the range of k
 *   B2_pos        B, level 2 (compressed): where each segment begins and ends
 *   B2_crd        B, level 2 (compressed): coordinates
 *   B_vals        B's values
 *   x_vals        x's values
 *   y_vals        y's values
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
#include "../helpers/cuda/min_i32.c"
#include "../helpers/cuda/cuda_allocate.c"
#include "../helpers/cuda/cuda_status.c"
#include "../helpers/cuda/cuda_zero.c"
#include "../helpers/cuda/cuda_release.c"
#include "../helpers/cuda/find_on_path_i32.c"
#include "../helpers/cuda/find_first_i32.c"
#include "../helpers/cuda/sum_rows_f64.c"

SPCC_KERNEL void __launch_bounds__(128, 8) evaluate_block(int32_t A2_dimension,
                                                          const int32_t *__restrict__ B2_pos,
                                                          const int32_t *__restrict__ B2_crd,
                                                          const double *__restrict__ B_vals,
                                                          const double *__restrict__ x_vals,
                                                          double *w_vals, int64_t *w_at_of,
                                                          double *w_begun_of)
{
    const int32_t block = (int32_t)blockIdx.x;
    const int32_t thread = (int32_t)threadIdx.x;
    int32_t p2o_size = (int32_t)(((int64_t)A2_dimension + B2_pos[A2_dimension] + 1023) / 1024);
    __shared__ int64_t w_at_ends[33];
    __shared__ double w_begun_ends[33];
    int64_t w_at = -1;
    double w_begun = 0.0;
    int64_t p2o_all = max_i64(p2o_size, 0);
    int64_t share = block;
    int64_t p2o_from = p2o_all / 2048 * share + min_i64(share, p2o_all % 2048);
    int64_t p2o_past = p2o_from + p2o_all / 2048 + (share < p2o_all % 2048);
    if (p2o_from < p2o_past) {
        int32_t p2_past = (int32_t)find_on_path_i32(B2_pos, A2_dimension, 0, 0, p2o_from * 1024);
        int32_t base = thread * 8;
        #pragma unroll 1
        for (int64_t p2o = p2o_from; p2o < p2o_past; p2o++) {
            int32_t p2_from = p2_past;
            p2_past = (int32_t)find_on_path_i32(B2_pos, A2_dimension, p2_from, p2o * 1024, (p2o + 1)
                * 1024);
            int64_t w_at_2 = -1;
            double w_begun_2 = 0.0;
            __syncthreads();
            int32_t jp = (int32_t)(find_first_i32(B2_pos, p2o * 1024 - p2_from + 1,
                min_i64(A2_dimension, (p2o + 1) * 1024 - p2_past) + 1, (int64_t)(p2_from + base)
                + 1) - 1);
            #pragma unroll 1
            for (int32_t p2ii = 0; p2ii < min_i32(8, p2_past - p2_from - base); p2ii++) {
                int32_t p2 = p2_from + (base + p2ii);
                #pragma unroll 1
                while (B2_pos[jp + 1] <= p2)
                    jp++;
                int64_t w_here = jp;
                if (w_at_2 != w_here) {
                    if (w_at_2 >= 0)
                        w_vals[w_at_2] += w_begun_2;
                    w_at_2 = w_here;
                    w_begun_2 = 0.0;
                }
                w_begun_2 += B_vals[p2] * x_vals[B2_crd[p2]];
            }
            __syncthreads();
            sum_rows_f64(w_vals, w_at_2, w_begun_2, w_at, w_begun, w_at_ends, w_begun_ends, thread,
                         4);
            w_at = w_at_ends[32];
            w_begun = w_begun_ends[32];
        }
    }
    if (thread == 0) {
        w_at_of[block] = w_at;
        w_begun_of[block] = w_begun;
    }
}

SPCC_KERNEL void __launch_bounds__(256) evaluate_2_block(const int64_t *__restrict__ w_at_of,
                                                         double *w_vals,
                                                         const double *__restrict__ w_begun_of)
{
    const int32_t thread = (int32_t)threadIdx.x;
    __shared__ int64_t w_at_ends_2[33];
    __shared__ double w_begun_ends_2[33];
    int64_t w_at = -1;
    double w_begun = 0.0;
    int64_t part_from = 8 * (int64_t)thread;
    int64_t part_past = part_from + 8;
    #pragma unroll 4
    for (int64_t part = part_from; part < part_past; part++) {
        int64_t at_ = w_at_of[part];
        if (at_ >= 0) {
            if (w_at != at_) {
                if (w_at >= 0)
                    w_vals[w_at] += w_begun;
                w_at = at_;
                w_begun = 0.0;
            }
            w_begun += w_begun_of[part];
        }
    }
    int64_t w_last_at = -1;
    double w_last_begun = 0.0;
    sum_rows_f64(w_vals, w_at, w_begun, w_last_at, w_last_begun, w_at_ends_2, w_begun_ends_2,
                 thread, 8);
    w_last_at = w_at_ends_2[32];
    w_last_begun = w_begun_ends_2[32];
    if (thread == 0) {
        if (w_last_at >= 0)
            w_vals[w_last_at] += w_last_begun;
    }
}

SPCC_KERNEL void __launch_bounds__(128, 8) evaluate_3_block(int32_t A1_dimension,
                                                            const int32_t *__restrict__ A2_pos,
                                                            const int32_t *__restrict__ A2_crd,
                                                            const double *__restrict__ A_vals,
                                                            double *y_vals,
                                                            const double *__restrict__ w_vals,
                                                            int64_t *y_at_of, double *y_begun_of)
{
    const int32_t block = (int32_t)blockIdx.x;
    const int32_t thread = (int32_t)threadIdx.x;
    int32_t po_size = (int32_t)(((int64_t)A1_dimension + A2_pos[A1_dimension] + 1023) / 1024);
    __shared__ int64_t y_at_ends[33];
    __shared__ double y_begun_ends[33];
    int64_t y_at = -1;
    double y_begun = 0.0;
    int64_t po_all = max_i64(po_size, 0);
    int64_t share = block;
    int64_t po_from = po_all / 2048 * share + min_i64(share, po_all % 2048);
    int64_t po_past = po_from + po_all / 2048 + (share < po_all % 2048);
    if (po_from < po_past) {
        int32_t p_past = (int32_t)find_on_path_i32(A2_pos, A1_dimension, 0, 0, po_from * 1024);
        int32_t base = thread * 8;
        #pragma unroll 1
        for (int64_t po = po_from; po < po_past; po++) {
            int32_t p_from = p_past;
            p_past = (int32_t)find_on_path_i32(A2_pos, A1_dimension, p_from, po * 1024, (po + 1)
                * 1024);
            int64_t y_at_2 = -1;
            double y_begun_2 = 0.0;
            __syncthreads();
            int32_t i = (int32_t)(find_first_i32(A2_pos, po * 1024 - p_from + 1,
                min_i64(A1_dimension, (po + 1) * 1024 - p_past) + 1, (int64_t)(p_from + base) + 1)
                - 1);
            #pragma unroll 1
            for (int32_t pii = 0; pii < min_i32(8, p_past - p_from - base); pii++) {
                int32_t p = p_from + (base + pii);
                #pragma unroll 1
                while (A2_pos[i + 1] <= p)
                    i++;
                int64_t y_here = i;
                if (y_at_2 != y_here) {
                    if (y_at_2 >= 0)
                        y_vals[y_at_2] += y_begun_2;
                    y_at_2 = y_here;
                    y_begun_2 = 0.0;
                }
                y_begun_2 += w_vals[A2_crd[p]] * A_vals[p];
            }
            __syncthreads();
            sum_rows_f64(y_vals, y_at_2, y_begun_2, y_at, y_begun, y_at_ends, y_begun_ends, thread,
                         4);
            y_at = y_at_ends[32];
            y_begun = y_begun_ends[32];
        }
    }
    if (thread == 0) {
        y_at_of[block] = y_at;
        y_begun_of[block] = y_begun;
    }
}

SPCC_KERNEL void __launch_bounds__(256) evaluate_4_block(double *y_vals,
                                                         const int64_t *__restrict__ y_at_of,
                                                         const double *__restrict__ y_begun_of)
{
    const int32_t thread = (int32_t)threadIdx.x;
    __shared__ int64_t y_at_ends_2[33];
    __shared__ double y_begun_ends_2[33];
    int64_t y_at = -1;
    double y_begun = 0.0;
    int64_t part_from = 8 * (int64_t)thread;
    int64_t part_past = part_from + 8;
    #pragma unroll 4
    for (int64_t part = part_from; part < part_past; part++) {
        int64_t at_2 = y_at_of[part];
        if (at_2 >= 0) {
            if (y_at != at_2) {
                if (y_at >= 0)
                    y_vals[y_at] += y_begun;
                y_at = at_2;
                y_begun = 0.0;
            }
            y_begun += y_begun_of[part];
        }
    }
    int64_t y_last_at = -1;
    double y_last_begun = 0.0;
    sum_rows_f64(y_vals, y_at, y_begun, y_last_at, y_last_begun, y_at_ends_2, y_begun_ends_2,
                 thread, 8);
    y_last_at = y_at_ends_2[32];
    y_last_begun = y_begun_ends_2[32];
    if (thread == 0) {
        if (y_last_at >= 0)
            y_vals[y_last_at] += y_last_begun;
    }
}

#ifndef __CUDACC_RTC__
extern "C"
int evaluate(int32_t A1_dimension, int32_t A2_dimension, const int32_t *__restrict__ A2_pos,
             const int32_t *__restrict__ A2_crd, const double *__restrict__ A_vals,
             int32_t B2_dimension, const int32_t *__restrict__ B2_pos,
             const int32_t *__restrict__ B2_crd, const double *__restrict__ B_vals,
             const double *__restrict__ x_vals, double *__restrict__ y_vals, cudaStream_t stream)
{
    (void)B2_dimension;
    double *w_vals = NULL;
    int64_t *w_at_of = NULL;
    double *w_begun_of = NULL;
    int64_t *y_at_of = NULL;
    double *y_begun_of = NULL;
    int status = 1;
    SPCC_TRY(cuda_allocate(w_vals, A2_dimension, stream));
    SPCC_TRY(cuda_allocate(w_at_of, 2048, stream));
    SPCC_TRY(cuda_allocate(w_begun_of, 2048, stream));
    SPCC_TRY(cuda_allocate(y_at_of, 2048, stream));
    SPCC_TRY(cuda_allocate(y_begun_of, 2048, stream));
    SPCC_TRY(cuda_zero(w_vals, 0, A2_dimension, stream));
    SPCC_GRID(evaluate_block, 2048, 128, stream, A2_dimension, B2_pos, B2_crd, B_vals, x_vals,
              w_vals, w_at_of, w_begun_of);
    SPCC_GRID(evaluate_2_block, 1, 256, stream, w_at_of, w_vals, w_begun_of);
    SPCC_TRY(cuda_zero(y_vals, 0, A1_dimension, stream));
    SPCC_GRID(evaluate_3_block, 2048, 128, stream, A1_dimension, A2_pos, A2_crd, A_vals, y_vals,
              w_vals, y_at_of, y_begun_of);
    SPCC_GRID(evaluate_4_block, 1, 256, stream, y_vals, y_at_of, y_begun_of);
    SPCC_TRY(cuda_release(stream, w_vals, w_at_of, w_begun_of, y_at_of, y_begun_of));
    return 0;

fail:
    cuda_release(stream, w_vals, w_at_of, w_begun_of, y_at_of, y_begun_of);
    return status;
}
#endif
