/* B(i,j) = A(j,i)
 *     B        f64   dd
 *     A        f64   dd
 * schedule: split(i, io, ii, down, 32); split(j, jo, ji, down, 32); reorder(io, jo, ii, ji); collapse(io, jo, f); precompute(A(j,i), w, {ji,ji,jip}, {ii,ii,iip}, dense, shared, pad 1); reorder(jip, iip); parallelize(f, gpu_block, no_races); split(jip, jipo, jipi, down, 8); reorder(jipi, jipo); parallelize(jipi, gpu_warp, no_races); parallelize(iip, gpu_thread, no_races); split(ii, iio, iii, down, 8); reorder(iii, iio); parallelize(iii, gpu_warp, no_races); parallelize(ji, gpu_thread, no_races)
 * made by spcc VERSION with
 *     spcc 'B(i,j) = A(j,i)' --target=cuda
 *
 *   A1_dimension  size of mode 1 of A: the range of j
 *   A2_dimension  size of mode 2 of A: the range of i
 *   A_vals        A's values
 *   B_vals        B's values
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

#include "../helpers/cuda/div_i32.c"
#include "../helpers/cuda/mod_i32.c"
#include "../helpers/cuda/min_i32.c"
#include "../helpers/cuda/min_i64.c"
#include "../helpers/cuda/cuda_status.c"

SPCC_KERNEL void __launch_bounds__(256, 4) evaluate_block(int32_t A1_dimension,
                                                          int32_t A2_dimension,
                                                          const double *__restrict__ A_vals,
                                                          double *B_vals, int32_t f_size,
                                                          int32_t jo_size)
{
    const int32_t block = (int32_t)blockIdx.x;
    const int32_t thread = (int32_t)threadIdx.x;
    __shared__ double w_vals[1056];
    #pragma unroll 1
    for (int64_t f = block; f < f_size; f += 8448) {
        int32_t io = div_i32((int32_t)f, jo_size);
        __syncthreads();
        int32_t base = mod_i32((int32_t)f, jo_size) * 32;
        int32_t base_2 = io * 32;
        int32_t base_3 = A2_dimension - base_2;
        int32_t base_4 = A1_dimension - base;
        #pragma unroll 4
        for (int32_t jip = thread / 32; jip < (32 < base_4 ? 32 : base_4); jip += 8) {
            if (thread % 32 < base_3)
                w_vals[(int64_t)jip * 33 + thread % 32] = A_vals[(int64_t)(base + jip)
                    * A2_dimension + (base_2 + thread % 32)];
        }
        __syncthreads();
        #pragma unroll 4
        for (int32_t ii = thread / 32; ii < min_i32(32, A2_dimension - io * 32); ii += 8) {
            if (thread % 32 < base_4)
                B_vals[(int64_t)(base_2 + ii) * A1_dimension
                    + (base + thread % 32)] = w_vals[(int64_t)(thread % 32) * 33 + ii];
        }
    }
}

#ifndef __CUDACC_RTC__
extern "C"
int evaluate(int32_t A1_dimension, int32_t A2_dimension, const double *__restrict__ A_vals,
             double *__restrict__ B_vals, cudaStream_t stream)
{
    int status = 1;
    int32_t f_size, blocks;
    int32_t io_size = A2_dimension / 32 + (A2_dimension % 32 > 0);
    int32_t jo_size = A1_dimension / 32 + (A1_dimension % 32 > 0);
    if (io_size > div_i32(2147483647, jo_size > 1 ? jo_size : 1)) {
        status = 2;
        goto fail;
    }
    f_size = io_size * jo_size;
    blocks = (int32_t)min_i64(f_size, 8448);
    SPCC_GRID(evaluate_block, blocks, 256, stream, A1_dimension, A2_dimension, A_vals, B_vals,
              f_size, jo_size);
    return 0;

fail:
    return status;
}
#endif
