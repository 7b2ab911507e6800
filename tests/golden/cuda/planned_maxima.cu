/* y(i) = max(j, A(i,j) * x(j))
 *     y        f64   d
 *     A        f64   ds
 *     x        f64   d
 * schedule: parallelize(i, gpu_warp, no_races); parallelize(j, gpu_thread, warp_reduction, 8)
 * made by spcc VERSION with
 *     spcc 'y(i) = max(j, A(i,j) * x(j))' -f 'A:csr' --target=cuda
 *
 *   A1_dimension  size of mode 1 of A: the range of i
 *   A2_dimension  size of mode 2 of A: the range of j
 *   A2_pos        A, level 2 (compressed): where each segment begins and ends
 *   A2_crd        A, level 2 (compressed): coordinates
 *   A_vals        A's values
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

#include "../helpers/cuda/max_i64.c"
#include "../helpers/cuda/min_i64.c"
#include "../helpers/cuda/max_f64.c"
#include "../helpers/cuda/team_mask.c"
#include "../helpers/cuda/cuda_status.c"
#include "../helpers/cuda/find_first_i32.c"

SPCC_KERNEL void __launch_bounds__(256, 4) evaluate_block(int32_t A1_dimension,
                                                          int32_t A2_dimension,
                                                          const int32_t *__restrict__ A2_pos,
                                                          const int32_t *__restrict__ A2_crd,
                                                          const double *__restrict__ A_vals,
                                                          const double *__restrict__ x_vals,
                                                          double *__restrict__ y_vals)
{
    const int32_t block = (int32_t)blockIdx.x;
    const int32_t thread = (int32_t)threadIdx.x;
    #pragma unroll 1
    for (int64_t i = (int64_t)block * 32 + thread / 8; i < A1_dimension; i += 270336) {
        double t = -__builtin_inf();
        int64_t work_before = A2_pos[i];
        int64_t work = A2_pos[i + 1] - work_before;
        int32_t parts = (int32_t)max_i64(min_i64(min_i64(work / 8, A2_dimension), 8), 1);
        if (thread % 8 < parts) {
            int32_t j_from = 0;
            int32_t j_past = A2_dimension;
            if (parts > 1) {
                #pragma unroll 4
                for (int32_t bound = thread % 8; bound < thread % 8 + 2; bound++) {
                    j_from = j_past;
                    int64_t work_from = work_before
                        + ((work + 1) / parts * bound + min_i64(bound, (work + 1) % parts));
                    int32_t j_at = work_from > A2_pos[i + 1] ? A2_dimension : work_from > A2_pos[i]
                        ? A2_crd[work_from - 1] + 1 : 0;
                    j_past = j_at;
                }
            }
            int64_t pA2_begin = parts > 1 ? find_first_i32(A2_crd, A2_pos[i], A2_pos[i + 1], j_from)
                : (int64_t)A2_pos[i];
            int64_t pA2_past = parts > 1 ? find_first_i32(A2_crd, pA2_begin, A2_pos[i + 1], j_past)
                : (int64_t)A2_pos[i + 1];
            #pragma unroll 4
            for (int32_t pA2 = (int32_t)pA2_begin; pA2 < (int32_t)pA2_past; pA2++)
                t = max_f64(t, A_vals[pA2] * x_vals[A2_crd[pA2]]);
            if ((int32_t)pA2_past - (int32_t)pA2_begin < j_past - j_from)
                t = max_f64(t, 0.0);
        }
        double t_other = __shfl_xor_sync(team_mask(8), t, 4, 8);
        t = max_f64(t, t_other);
        double t_other_2 = __shfl_xor_sync(team_mask(8), t, 2, 8);
        t = max_f64(t, t_other_2);
        double t_other_3 = __shfl_xor_sync(team_mask(8), t, 1, 8);
        t = max_f64(t, t_other_3);
        if (thread % 8 == 0)
            y_vals[i] = t;
    }
}

#ifndef __CUDACC_RTC__
extern "C"
int evaluate(int32_t A1_dimension, int32_t A2_dimension, const int32_t *__restrict__ A2_pos,
             const int32_t *__restrict__ A2_crd, const double *__restrict__ A_vals,
             const double *__restrict__ x_vals, double *__restrict__ y_vals, cudaStream_t stream)
{
    int status = 1;
    int32_t blocks = (int32_t)min_i64(((int64_t)A1_dimension + 31) / 32, 8448);
    SPCC_GRID(evaluate_block, blocks, 256, stream, A1_dimension, A2_dimension, A2_pos, A2_crd,
              A_vals, x_vals, y_vals);
    return 0;

fail:
    return status;
}
#endif
