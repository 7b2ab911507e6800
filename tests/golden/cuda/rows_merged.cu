/* y(i) = A(i,j) * B(i,j)
 *     y        f64   d
 *     A        f64   ds
 *     B        f64   ds
 * schedule: parallelize(i, gpu_warp); parallelize(j, gpu_thread, warp_reduction, 4)
 * made by spcc VERSION with
 *     spcc 'y(i) = A(i,j) * B(i,j)' -f 'A:csr' -f 'B:csr' -s 'parallelize(i, gpu_warp); parallelize(j, gpu_thread, warp_reduction, 4)' --target=cuda
 *
 *   A1_dimension  size of mode 1 of A: the range of i
 *   A2_dimension  size of mode 2 of A: the range of j
 *   A2_pos        A, level 2 (compressed): where each segment begins and ends
 *   A2_crd        A, level 2 (compressed): coordinates
 *   A_vals        A's values
 *   B2_pos        B, level 2 (compressed): where each segment begins and ends
 *   B2_crd        B, level 2 (compressed): coordinates
 *   B_vals        B's values
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

#include "../helpers/cuda/max_i64.c"
#include "../helpers/cuda/min_i64.c"
#include "../helpers/cuda/team_mask.c"
#include "../helpers/cuda/max_i32.c"
#include "../helpers/cuda/min_i32.c"
#include "../helpers/cuda/cuda_status.c"
#include "../helpers/cuda/find_first_i32.c"
#include "../helpers/cuda/find_on_diagonal_i32_i32.c"
#include "../helpers/cuda/seek_i32.c"
#include "../helpers/cuda/sum_team4_f64.c"

SPCC_KERNEL void __launch_bounds__(256, 4) evaluate_block(int32_t A1_dimension,
                                                          int32_t A2_dimension,
                                                          const int32_t *__restrict__ A2_pos,
                                                          const int32_t *__restrict__ A2_crd,
                                                          const double *__restrict__ A_vals,
                                                          const int32_t *__restrict__ B2_pos,
                                                          const int32_t *__restrict__ B2_crd,
                                                          const double *__restrict__ B_vals,
                                                          double *__restrict__ y_vals)
{
    const int32_t block = (int32_t)blockIdx.x;
    const int32_t thread = (int32_t)threadIdx.x;
    #pragma unroll 1
    for (int64_t i = (int64_t)block * 64 + thread / 4; i < A1_dimension; i += 540672) {
        double y_val = 0.0;
        int64_t work_before = (int64_t)A2_pos[i] + B2_pos[i];
        int64_t work = (int64_t)A2_pos[i + 1] + B2_pos[i + 1] - work_before;
        int32_t parts = (int32_t)max_i64(min_i64(min_i64(work / 8, A2_dimension), 4), 1);
        if (thread % 4 < parts) {
            int32_t j_from = 0;
            int32_t j_past = A2_dimension;
            if (parts > 1) {
                #pragma unroll 1
                for (int32_t bound = thread % 4; bound < thread % 4 + 2; bound++) {
                    j_from = j_past;
                    int64_t work_from = work_before
                        + ((work + 1) / parts * bound + min_i64(bound, (work + 1) % parts));
                    j_past = (int32_t)find_on_diagonal_i32_i32(A2_crd, A2_pos[i], A2_pos[i + 1],
                        B2_crd, B2_pos[i], B2_pos[i + 1], work_from - A2_pos[i] - B2_pos[i], 0,
                        A2_dimension);
                }
            }
            int64_t pA2_begin = parts > 1 ? find_first_i32(A2_crd, A2_pos[i], A2_pos[i + 1], j_from)
                : (int64_t)A2_pos[i];
            int64_t pA2_past = parts > 1 ? find_first_i32(A2_crd, pA2_begin, A2_pos[i + 1], j_past)
                : (int64_t)A2_pos[i + 1];
            int64_t pB2_begin = parts > 1 ? find_first_i32(B2_crd, B2_pos[i], B2_pos[i + 1], j_from)
                : (int64_t)B2_pos[i];
            int64_t pB2_past = parts > 1 ? find_first_i32(B2_crd, pB2_begin, B2_pos[i + 1], j_past)
                : (int64_t)B2_pos[i + 1];
            int32_t pA2 = (int32_t)pA2_begin;
            int32_t pA2_end = (int32_t)pA2_past;
            int32_t pB2 = (int32_t)pB2_begin;
            int32_t pB2_end = (int32_t)pB2_past;
            #pragma unroll 1
            while (pA2 < pA2_end && pB2 < pB2_end) {
                int32_t pA2_stop = pA2_end;
                int32_t pB2_stop = pB2_end;
                if (max_i32(pA2_end - pA2, pB2_end - pB2) / 16
                    > min_i32(pA2_end - pA2, pB2_end - pB2)) {
                    pB2 = (int32_t)seek_i32(B2_crd, pB2, pB2_end, A2_crd[pA2]);
                    if (pB2 < pB2_end)
                        pA2 = (int32_t)seek_i32(A2_crd, pA2, pA2_end, B2_crd[pB2]);
                    pA2_stop = pA2 + (pA2 < pA2_end);
                    pB2_stop = pB2 + (pB2 < pB2_end);
                }
                #pragma unroll 1
                while (pA2 < pA2_stop && pB2 < pB2_stop) {
                    int32_t jA = A2_crd[pA2];
                    int32_t jB = B2_crd[pB2];
                    if (jA == jB) {
                        y_val += A_vals[pA2] * B_vals[pB2];
                        pA2++;
                        pB2++;
                    } else if (jA < jB) {
                        pA2++;
                    } else {
                        pB2++;
                    }
                }
            }
        }
        y_val = sum_team4_f64(y_val);
        if (thread % 4 == 0)
            y_vals[i] = y_val;
    }
}

#ifndef __CUDACC_RTC__
extern "C"
int evaluate(int32_t A1_dimension, int32_t A2_dimension, const int32_t *__restrict__ A2_pos,
             const int32_t *__restrict__ A2_crd, const double *__restrict__ A_vals,
             const int32_t *__restrict__ B2_pos, const int32_t *__restrict__ B2_crd,
             const double *__restrict__ B_vals, double *__restrict__ y_vals, cudaStream_t stream)
{
    int status = 1;
    int32_t blocks = (int32_t)min_i64(((int64_t)A1_dimension + 63) / 64, 8448);
    SPCC_GRID(evaluate_block, blocks, 256, stream, A1_dimension, A2_dimension, A2_pos, A2_crd,
              A_vals, B2_pos, B2_crd, B_vals, y_vals);
    return 0;

fail:
    return status;
}
#endif
