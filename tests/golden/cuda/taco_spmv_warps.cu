/* y(i) = A(i,j) * x(j)
 *     y        f64   d
 *     A        f64   ds
 *     x        f64   d
 * schedule: split(i,block,block_row,256),split(block_row,warp_row,warp,8),pos(j,jpos,A),split(jpos,thread_nz,thread,32),reorder(block,warp,warp_row,thread,thread_nz),parallelize(block,GPUBlock,IgnoreRaces),parallelize(warp,GPUWarp,IgnoreRaces),parallelize(thread,GPUThread,Temporary)
 * made by spcc VERSION with
 *     spcc 'y(i) = A(i,j) * x(j)' -f 'A:ds' -s 'split(i,block,block_row,256),split(block_row,warp_row,warp,8),pos(j,jpos,A),split(jpos,thread_nz,thread,32),reorder(block,warp,warp_row,thread,thread_nz),parallelize(block,GPUBlock,IgnoreRaces),parallelize(warp,GPUWarp,IgnoreRaces),parallelize(thread,GPUThread,Temporary)' --target=cuda
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

#include "../helpers/cuda/min_i32.c"
#include "../helpers/cuda/min_i64.c"
#include "../helpers/cuda/cuda_status.c"
#include "../helpers/cuda/sum_team32_f64.c"

SPCC_KERNEL void __launch_bounds__(256, 4) evaluate_block(int32_t A1_dimension,
                                                          const int32_t *__restrict__ A2_pos,
                                                          const int32_t *__restrict__ A2_crd,
                                                          const double *__restrict__ A_vals,
                                                          const double *__restrict__ x_vals,
                                                          double *__restrict__ y_vals,
                                                          int32_t block_size)
{
    const int32_t block = (int32_t)blockIdx.x;
    const int32_t thread = (int32_t)threadIdx.x;
    #pragma unroll 1
    for (int64_t block_2 = block; block_2 < block_size; block_2 += 8448) {
        int32_t base = (int32_t)block_2 * 256;
        #pragma unroll 1
        for (int32_t block_row = thread / 32; block_row
             < min_i32(256, A1_dimension - (int32_t)block_2 * 256); block_row += 8) {
            int32_t i = base + block_row;
            int32_t jpos_begin = A2_pos[i];
            int32_t jpos_size = A2_pos[i + 1] - A2_pos[i];
            double y_val = 0.0;
            #pragma unroll 4
            for (int64_t jpos = thread % 32; jpos < jpos_size; jpos += 32)
                y_val += A_vals[jpos_begin + jpos] * x_vals[A2_crd[jpos_begin + jpos]];
            y_val = sum_team32_f64(y_val);
            if (thread % 32 == 0)
                y_vals[i] = y_val;
        }
    }
}

#ifndef __CUDACC_RTC__
extern "C"
int evaluate(int32_t A1_dimension, int32_t A2_dimension, const int32_t *__restrict__ A2_pos,
             const int32_t *__restrict__ A2_crd, const double *__restrict__ A_vals,
             const double *__restrict__ x_vals, double *__restrict__ y_vals, cudaStream_t stream)
{
    (void)A2_dimension;
    int status = 1;
    int32_t block_size = A1_dimension / 256 + (A1_dimension % 256 > 0);
    int32_t blocks = (int32_t)min_i64(block_size, 8448);
    SPCC_GRID(evaluate_block, blocks, 256, stream, A1_dimension, A2_pos, A2_crd, A_vals, x_vals,
              y_vals, block_size);
    return 0;

fail:
    return status;
}
#endif
