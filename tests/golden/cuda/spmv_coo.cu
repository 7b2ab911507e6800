/* y(i) = A(i,j) * x(j)
 *     y        f64   d
 *     A        f64   uq
 *     x        f64   d
 * schedule: parallelize(i, gpu_thread, no_races)
 * made by spcc VERSION with
 *     spcc 'y(i) = A(i,j) * x(j)' -f 'A:coo' -s 'parallelize(i, gpu_thread, no_races)' --target=cuda
 *
 *   A1_dimension  size of mode 1 of A: the range of i
 *   A2_dimension  size of mode 2 of A: the range of j
 *   A1_pos        A, level 1 (compressed): where each segment begins and ends
 *   A1_crd        A, level 1 (compressed): coordinates
 *   A2_crd        A, level 2 (singleton): coordinates
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
#include "../helpers/cuda/cuda_zero.c"
#include "../helpers/cuda/cuda_status.c"
#include "../helpers/cuda/find_first_i32.c"

SPCC_KERNEL void __launch_bounds__(256, 4) evaluate_block(const int32_t *__restrict__ A1_pos,
                                                          const int32_t *__restrict__ A1_crd,
                                                          const int32_t *__restrict__ A2_crd,
                                                          const double *__restrict__ A_vals,
                                                          const double *__restrict__ x_vals,
                                                          double *__restrict__ y_vals)
{
    const int32_t block = (int32_t)blockIdx.x;
    const int32_t thread = (int32_t)threadIdx.x;
    int32_t parts = (int32_t)max_i64(min_i64(min_i64(((int64_t)A1_pos[1] - A1_pos[0]) / 8, A1_pos[1]
        - A1_pos[0]), 2162688), 1);
    int32_t part = (int32_t)((int64_t)block * 256 + thread);
    if (part < parts) {
        int32_t pA1_from = A1_pos[0];
        int32_t pA1_past = A1_pos[1];
        if (parts > 1) {
            #pragma unroll 1
            for (int32_t bound = part; bound < part + 2; bound++) {
                pA1_from = pA1_past;
                pA1_past = A1_pos[0]
                    + (int32_t)((int64_t)(A1_pos[1] - A1_pos[0]) / parts * bound
                    + min_i64(bound, (int64_t)(A1_pos[1] - A1_pos[0]) % parts));
                if (pA1_past < A1_pos[1])
                    pA1_past = (int32_t)find_first_i32(A1_crd, A1_pos[0], pA1_past,
                        A1_crd[pA1_past]);
            }
        }
        int32_t pA1 = pA1_from;
        int32_t pA1_end = pA1_past;
        #pragma unroll 1
        while (pA1 < pA1_end) {
            int32_t i = A1_crd[pA1];
            int32_t pA1_next = pA1;
            #pragma unroll 1
            while (pA1_next < pA1_end && A1_crd[pA1_next] == i)
                pA1_next++;
            double y_val = 0.0;
            #pragma unroll 4
            for (int32_t pA2 = pA1; pA2 < pA1_next; pA2++)
                y_val += A_vals[pA2] * x_vals[A2_crd[pA2]];
            y_vals[i] = y_val;
            pA1 = pA1_next;
        }
    }
}

#ifndef __CUDACC_RTC__
extern "C"
int evaluate(int32_t A1_dimension, int32_t A2_dimension, const int32_t *__restrict__ A1_pos,
             const int32_t *__restrict__ A1_crd, const int32_t *__restrict__ A2_crd,
             const double *__restrict__ A_vals, const double *__restrict__ x_vals,
             double *__restrict__ y_vals, cudaStream_t stream)
{
    (void)A2_dimension;
    int status = 1;
    SPCC_TRY(cuda_zero(y_vals, 0, A1_dimension, stream));
    SPCC_GRID(evaluate_block, 8448, 256, stream, A1_pos, A1_crd, A2_crd, A_vals, x_vals, y_vals);
    return 0;

fail:
    return status;
}
#endif
