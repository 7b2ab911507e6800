/* y(i) = A(i,j) * conj(x(j))
 *     y        c128  d
 *     A        c128  ds
 *     x        c128  d
 * schedule: pos(j, p, A); split(p, p0, lane, down, 8); reorder(lane, p0); parallelize(i, gpu_warp); parallelize(lane, gpu_thread, warp_reduction)
 * made by spcc VERSION with
 *     spcc 'y(i) = A(i,j) * conj(x(j))' -f 'A:csr' -t 'A:c128' -f 'x:dense' -t 'x:c128' -f 'y:dense' -t 'y:c128' -s 'pos(j, p, A); split(p, p0, lane, down, 8); reorder(lane, p0); parallelize(i, gpu_warp); parallelize(lane, gpu_thread, warp_reduction)' --target=cuda
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

#include "../helpers/cuda/c128.c"
#include "../helpers/cuda/conj_c128.c"
#include "../helpers/cuda/shfl_xor_c128.c"
#include "../helpers/cuda/team_mask.c"
#include "../helpers/cuda/min_i64.c"
#include "../helpers/cuda/cuda_aligned.c"
#include "../helpers/cuda/cuda_status.c"

SPCC_KERNEL void __launch_bounds__(256, 4) evaluate_block(int32_t A1_dimension,
                                                          const int32_t *__restrict__ A2_pos,
                                                          const int32_t *__restrict__ A2_crd,
                                                          const c128 *__restrict__ A_vals,
                                                          const c128 *__restrict__ x_vals,
                                                          c128 *__restrict__ y_vals)
{
    const int32_t block = (int32_t)blockIdx.x;
    const int32_t thread = (int32_t)threadIdx.x;
    #pragma unroll 1
    for (int64_t i = (int64_t)block * 32 + thread / 8; i < A1_dimension; i += 270336) {
        int32_t p_begin = A2_pos[i];
        int32_t p_size = A2_pos[i + 1] - A2_pos[i];
        c128 y_val = 0.0;
        #pragma unroll 4
        for (int64_t p = thread % 8; p < p_size; p += 8)
            y_val += A_vals[p_begin + p] * conj_c128(x_vals[A2_crd[p_begin + p]]);
        c128 y_val_other = shfl_xor_c128(team_mask(8), y_val, 4, 8);
        y_val += y_val_other;
        c128 y_val_other_2 = shfl_xor_c128(team_mask(8), y_val, 2, 8);
        y_val += y_val_other_2;
        c128 y_val_other_3 = shfl_xor_c128(team_mask(8), y_val, 1, 8);
        y_val += y_val_other_3;
        if (thread % 8 == 0)
            y_vals[i] = y_val;
    }
}

#ifndef __CUDACC_RTC__
extern "C"
int evaluate(int32_t A1_dimension, int32_t A2_dimension, const int32_t *__restrict__ A2_pos,
             const int32_t *__restrict__ A2_crd, const c128 *__restrict__ A_vals,
             const c128 *__restrict__ x_vals, c128 *__restrict__ y_vals, cudaStream_t stream)
{
    (void)A2_dimension;
    int status = 1;
    int32_t blocks = (int32_t)min_i64(((int64_t)A1_dimension + 31) / 32, 8448);
    SPCC_TRY(cuda_aligned(A_vals, x_vals, y_vals));
    SPCC_GRID(evaluate_block, blocks, 256, stream, A1_dimension, A2_pos, A2_crd, A_vals, x_vals,
              y_vals);
    return 0;

fail:
    return status;
}
#endif
