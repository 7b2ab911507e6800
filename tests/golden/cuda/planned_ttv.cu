/* A(i,j) = B(i,j,k) * c(k)
 *     A        f64   dd
 *     B        f64   sss
 *     c        f64   d
 * schedule: collapse(i, j, f); collapse(f, k, f2); pos(f2, p, B(i,j,k)); split(p, po, pi, work, 1024); split(pi, pio, pii, down, 8); parallelize(po, gpu_block, temporary); parallelize(pio, gpu_thread, temporary)
 * made by spcc VERSION with
 *     spcc 'A(i,j) = B(i,j,k) * c(k)' -f 'B:sss' --target=cuda
 *
 *   B1_dimension  size of mode 1 of B: the range of i
 *   B2_dimension  size of mode 2 of B: the range of j
 *   B3_dimension  size of mode 3 of B: the range of k
 *   B1_pos        B, level 1 (compressed): where each segment begins and ends
 *   B1_crd        B, level 1 (compressed): coordinates
 *   B2_pos        B, level 2 (compressed): where each segment begins and ends
 *   B2_crd        B, level 2 (compressed): coordinates
 *   B3_pos        B, level 3 (compressed): where each segment begins and ends
 *   B3_crd        B, level 3 (compressed): coordinates
 *   B_vals        B's values
 *   c_vals        c's values
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
#include "../helpers/cuda/min_i32.c"
#include "../helpers/cuda/cuda_allocate.c"
#include "../helpers/cuda/cuda_status.c"
#include "../helpers/cuda/cuda_zero.c"
#include "../helpers/cuda/cuda_release.c"
#include "../helpers/cuda/find_on_path_i32.c"
#include "../helpers/cuda/find_first_i32.c"
#include "../helpers/cuda/sum_rows_f64.c"

SPCC_KERNEL void __launch_bounds__(128, 8) evaluate_block(int32_t B2_dimension,
                                                          const int32_t *__restrict__ B1_pos,
                                                          const int32_t *__restrict__ B1_crd,
                                                          const int32_t *__restrict__ B2_pos,
                                                          const int32_t *__restrict__ B2_crd,
                                                          const int32_t *__restrict__ B3_pos,
                                                          const int32_t *__restrict__ B3_crd,
                                                          const double *__restrict__ B_vals,
                                                          const double *__restrict__ c_vals,
                                                          double *A_vals, int64_t *A_at_of,
                                                          double *A_begun_of)
{
    const int32_t block = (int32_t)blockIdx.x;
    const int32_t thread = (int32_t)threadIdx.x;
    int32_t po_size = (int32_t)(((int64_t)B2_pos[B1_pos[1]] + B3_pos[B2_pos[B1_pos[1]]] + 1023)
        / 1024);
    __shared__ int64_t A_at_ends[33];
    __shared__ double A_begun_ends[33];
    int64_t A_at = -1;
    double A_begun = 0.0;
    int64_t po_all = max_i64(po_size, 0);
    int64_t share = block;
    int64_t po_from = po_all / 2048 * share + min_i64(share, po_all % 2048);
    int64_t po_past = po_from + po_all / 2048 + (share < po_all % 2048);
    if (po_from < po_past) {
        int32_t p_past = (int32_t)find_on_path_i32(B3_pos, B2_pos[B1_pos[1]], 0, 0, po_from * 1024);
        int32_t base = thread * 8;
        #pragma unroll 1
        for (int64_t po = po_from; po < po_past; po++) {
            int32_t p_from = p_past;
            p_past = (int32_t)find_on_path_i32(B3_pos, B2_pos[B1_pos[1]], p_from, po * 1024,
                (po + 1) * 1024);
            int64_t A_at_2 = -1;
            double A_begun_2 = 0.0;
            __syncthreads();
            int32_t pB2 = (int32_t)(find_first_i32(B3_pos, po * 1024 - p_from + 1,
                min_i64(B2_pos[B1_pos[1]], (po + 1) * 1024 - p_past) + 1, (int64_t)(p_from + base)
                + 1) - 1);
            int32_t pB1 = (int32_t)(find_first_i32(B2_pos, 1, (int64_t)B1_pos[1] + 1, (int64_t)pB2
                + 1) - 1);
            #pragma unroll 1
            for (int32_t pii = 0; pii < min_i32(8, p_past - p_from - base); pii++) {
                int32_t p = p_from + (base + pii);
                #pragma unroll 1
                while (B3_pos[pB2 + 1] <= p)
                    pB2++;
                #pragma unroll 1
                while (B2_pos[pB1 + 1] <= pB2)
                    pB1++;
                int64_t A_here = (int64_t)B1_crd[pB1] * B2_dimension + B2_crd[pB2];
                if (A_at_2 != A_here) {
                    if (A_at_2 >= 0)
                        A_vals[A_at_2] += A_begun_2;
                    A_at_2 = A_here;
                    A_begun_2 = 0.0;
                }
                A_begun_2 += B_vals[p] * c_vals[B3_crd[p]];
            }
            __syncthreads();
            sum_rows_f64(A_vals, A_at_2, A_begun_2, A_at, A_begun, A_at_ends, A_begun_ends, thread,
                         4);
            A_at = A_at_ends[32];
            A_begun = A_begun_ends[32];
        }
    }
    if (thread == 0) {
        A_at_of[block] = A_at;
        A_begun_of[block] = A_begun;
    }
}

SPCC_KERNEL void __launch_bounds__(256) evaluate_2_block(double *A_vals,
                                                         const int64_t *__restrict__ A_at_of,
                                                         const double *__restrict__ A_begun_of)
{
    const int32_t thread = (int32_t)threadIdx.x;
    __shared__ int64_t A_at_ends_2[33];
    __shared__ double A_begun_ends_2[33];
    int64_t A_at = -1;
    double A_begun = 0.0;
    int64_t part_from = 8 * (int64_t)thread;
    int64_t part_past = part_from + 8;
    #pragma unroll 4
    for (int64_t part = part_from; part < part_past; part++) {
        int64_t at_ = A_at_of[part];
        if (at_ >= 0) {
            if (A_at != at_) {
                if (A_at >= 0)
                    A_vals[A_at] += A_begun;
                A_at = at_;
                A_begun = 0.0;
            }
            A_begun += A_begun_of[part];
        }
    }
    int64_t A_last_at = -1;
    double A_last_begun = 0.0;
    sum_rows_f64(A_vals, A_at, A_begun, A_last_at, A_last_begun, A_at_ends_2, A_begun_ends_2,
                 thread, 8);
    A_last_at = A_at_ends_2[32];
    A_last_begun = A_begun_ends_2[32];
    if (thread == 0) {
        if (A_last_at >= 0)
            A_vals[A_last_at] += A_last_begun;
    }
}

#ifndef __CUDACC_RTC__
extern "C"
int evaluate(int32_t B1_dimension, int32_t B2_dimension, int32_t B3_dimension,
             const int32_t *__restrict__ B1_pos, const int32_t *__restrict__ B1_crd,
             const int32_t *__restrict__ B2_pos, const int32_t *__restrict__ B2_crd,
             const int32_t *__restrict__ B3_pos, const int32_t *__restrict__ B3_crd,
             const double *__restrict__ B_vals, const double *__restrict__ c_vals,
             double *__restrict__ A_vals, cudaStream_t stream)
{
    (void)B3_dimension;
    int64_t *A_at_of = NULL;
    double *A_begun_of = NULL;
    int status = 1;
    SPCC_TRY(cuda_allocate(A_at_of, 2048, stream));
    SPCC_TRY(cuda_allocate(A_begun_of, 2048, stream));
    SPCC_TRY(cuda_zero(A_vals, 0, (int64_t)B1_dimension * B2_dimension, stream));
    SPCC_GRID(evaluate_block, 2048, 128, stream, B2_dimension, B1_pos, B1_crd, B2_pos, B2_crd,
              B3_pos, B3_crd, B_vals, c_vals, A_vals, A_at_of, A_begun_of);
    SPCC_GRID(evaluate_2_block, 1, 256, stream, A_vals, A_at_of, A_begun_of);
    SPCC_TRY(cuda_release(stream, A_at_of, A_begun_of));
    return 0;

fail:
    cuda_release(stream, A_at_of, A_begun_of);
    return status;
}
#endif
