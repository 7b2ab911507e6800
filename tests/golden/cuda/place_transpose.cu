/* B(i,j) = A(j,i)
 *     B        f64   dd
 *     A        f64   dd
 * schedule: split(i, i0, i1, down, 32); split(j, j0, j1, down, 32); reorder(i0, j0, i1, j1); precompute(A(j,i), w, {j1,j1,jp}, {i1,i1,ip}, dense, shared, pad 1); reorder(jp, ip); split(jp, jp0, jp1, down, 8); reorder(jp1, jp0); split(i1, i10, i11, down, 8); reorder(i11, i10); parallelize(i0, gpu_block); parallelize(jp1, gpu_warp); parallelize(ip, gpu_thread); parallelize(i11, gpu_warp); parallelize(j1, gpu_thread)
 * made by spcc VERSION with
 *     spcc 'B(i,j) = A(j,i)' -s 'split(i, i0, i1, down, 32); split(j, j0, j1, down, 32); reorder(i0, j0, i1, j1); precompute(A(j,i), w, {j1,j1,jp}, {i1,i1,ip}, dense, shared, pad 1); reorder(jp, ip); split(jp, jp0, jp1, down, 8); reorder(jp1, jp0); split(i1, i10, i11, down, 8); reorder(i11, i10); parallelize(i0, gpu_block); parallelize(jp1, gpu_warp); parallelize(ip, gpu_thread); parallelize(i11, gpu_warp); parallelize(j1, gpu_thread)' --target=cuda
 *
 *   A1_dimension  size of mode 1 of A: the range of j
 *   A2_dimension  size of mode 2 of A: the range of i
 *   A_vals        A's values
 *   B_vals        B's values
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
#include "../helpers/cuda/cuda_status.c"

SPCC_KERNEL void __launch_bounds__(256, 4) evaluate_block(int32_t A1_dimension,
                                                          int32_t A2_dimension,
                                                          const double *__restrict__ A_vals,
                                                          double *B_vals, int32_t i0_size,
                                                          int32_t j0_size)
{
    const int32_t block = (int32_t)blockIdx.x;
    const int32_t thread = (int32_t)threadIdx.x;
    __shared__ double w_vals[1056];
    #pragma unroll 1
    for (int64_t i0 = block; i0 < i0_size; i0 += 8448) {
        int32_t base = (int32_t)i0 * 32;
        int32_t base_2 = A2_dimension - base;
        #pragma unroll 1
        for (int32_t j0 = 0; j0 < j0_size; j0++) {
            __syncthreads();
            int32_t base_3 = j0 * 32;
            int32_t base_4 = A1_dimension - base_3;
            #pragma unroll 4
            for (int32_t jp = thread / 32; jp < (32 < base_4 ? 32 : base_4); jp += 8) {
                if (thread % 32 < base_2)
                    w_vals[(int64_t)jp * 33 + thread % 32] = A_vals[(int64_t)(base_3 + jp)
                        * A2_dimension + (base + thread % 32)];
            }
            __syncthreads();
            #pragma unroll 4
            for (int32_t i1 = thread / 32; i1 < (32 < base_2 ? 32 : base_2); i1 += 8) {
                if (thread % 32 < base_4)
                    B_vals[(int64_t)(base + i1) * A1_dimension
                        + (base_3 + thread % 32)] = w_vals[(int64_t)(thread % 32) * 33 + i1];
            }
            __syncthreads();
        }
    }
}

#ifndef __CUDACC_RTC__
extern "C"
int evaluate(int32_t A1_dimension, int32_t A2_dimension, const double *__restrict__ A_vals,
             double *__restrict__ B_vals, cudaStream_t stream)
{
    int status = 1;
    int32_t i0_size = A2_dimension / 32 + (A2_dimension % 32 > 0);
    int32_t j0_size = A1_dimension / 32 + (A1_dimension % 32 > 0);
    int32_t blocks = (int32_t)min_i64(i0_size, 8448);
    SPCC_GRID(evaluate_block, blocks, 256, stream, A1_dimension, A2_dimension, A_vals, B_vals,
              i0_size, j0_size);
    return 0;

fail:
    return status;
}
#endif
