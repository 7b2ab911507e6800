/* C(i,k) = A(i,j) * B(j,k)
 *     C        f64   dd
 *     A        f64   dd
 *     B        f64   dd
 * schedule: split(i, i0, i1, down, 16); split(j, j0, j1, down, 16); split(k, k0, k1, down, 16); reorder(i0, k0, j0, i1, k1, j1); precompute(A(i,j), wa, {i1,i1,ia}, {j1,j1,ja}, dense, shared); precompute(B(j,k), wb, {j1,j1,jb}, {k1,k1,kb}, dense, shared); reorder(jb, kb); parallelize(i0, gpu_block); parallelize(i1, gpu_warp); parallelize(k1, gpu_thread); parallelize(ia, gpu_warp); parallelize(ja, gpu_thread); parallelize(jb, gpu_warp); parallelize(kb, gpu_thread)
 * made by spcc VERSION with
 *     spcc 'C(i,k) = A(i,j) * B(j,k)' -s 'split(i, i0, i1, down, 16); split(j, j0, j1, down, 16); split(k, k0, k1, down, 16); reorder(i0, k0, j0, i1, k1, j1); precompute(A(i,j), wa, {i1,i1,ia}, {j1,j1,ja}, dense, shared); precompute(B(j,k), wb, {j1,j1,jb}, {k1,k1,kb}, dense, shared); reorder(jb, kb); parallelize(i0, gpu_block); parallelize(i1, gpu_warp); parallelize(k1, gpu_thread); parallelize(ia, gpu_warp); parallelize(ja, gpu_thread); parallelize(jb, gpu_warp); parallelize(kb, gpu_thread)' --target=cuda
 *
 *   A1_dimension  size of mode 1 of A: the range of i
 *   A2_dimension  size of mode 2 of A: the range of j
 *   A_vals        A's values
 *   B2_dimension  size of mode 2 of B: the range of k
 *   B_vals        B's values
 *   C_vals        C's values
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

#include "../helpers/cuda/cuda_zero.c"
#include "../helpers/cuda/cuda_status.c"
#include "../helpers/cuda/min_i64.c"

SPCC_KERNEL void __launch_bounds__(256, 4) evaluate_block(int32_t A1_dimension,
                                                          int32_t A2_dimension,
                                                          const double *__restrict__ A_vals,
                                                          int32_t B2_dimension,
                                                          const double *__restrict__ B_vals,
                                                          double *C_vals, int32_t i0_size,
                                                          int32_t k0_size, int32_t j0_size)
{
    const int32_t block = (int32_t)blockIdx.x;
    const int32_t thread = (int32_t)threadIdx.x;
    __shared__ double wa_vals[256];
    __shared__ double wb_vals[256];
    #pragma unroll 1
    for (int64_t i0 = block; i0 < i0_size; i0 += 8448) {
        int32_t base = (int32_t)i0 * 16;
        int32_t base_2 = A1_dimension - base;
        #pragma unroll 1
        for (int32_t k0 = 0; k0 < k0_size; k0++) {
            int32_t base_3 = k0 * 16;
            int32_t base_4 = B2_dimension - base_3;
            #pragma unroll 1
            for (int32_t j0 = 0; j0 < j0_size; j0++) {
                __syncthreads();
                if (thread / 16 < base_2) {
                    if (thread % 16 < A2_dimension - j0 * 16)
                        wa_vals[(int64_t)(thread / 16) * 16 + thread
                            % 16] = A_vals[(int64_t)(base + thread / 16) * A2_dimension
                            + (j0 * 16 + thread % 16)];
                }
                __syncthreads();
                if (thread / 16 < A2_dimension - j0 * 16) {
                    if (thread % 16 < base_4)
                        wb_vals[(int64_t)(thread / 16) * 16 + thread
                            % 16] = B_vals[(int64_t)(j0 * 16 + thread / 16) * B2_dimension
                            + (base_3 + thread % 16)];
                }
                __syncthreads();
                if (thread / 16 < base_2) {
                    if (thread % 16 < base_4) {
                        double C_val = 0.0;
                        int64_t wa_base = (int64_t)(thread / 16) * 16;
                        if (A2_dimension - j0 * 16 >= 16) {
                            for (int32_t j1 = 0; j1 < 16; j1++)
                                C_val += wa_vals[wa_base + j1]
                                    * wb_vals[(int64_t)j1 * 16 + thread % 16];
                        } else {
                            #pragma unroll 4
                            for (int32_t j1 = 0; j1 < A2_dimension - j0 * 16; j1++)
                                C_val += wa_vals[wa_base + j1]
                                    * wb_vals[(int64_t)j1 * 16 + thread % 16];
                        }
                        C_vals[(int64_t)(base + thread / 16) * B2_dimension
                            + (base_3 + thread % 16)] += C_val;
                    }
                }
                __syncthreads();
            }
        }
    }
}

#ifndef __CUDACC_RTC__
extern "C"
int evaluate(int32_t A1_dimension, int32_t A2_dimension, const double *__restrict__ A_vals,
             int32_t B2_dimension, const double *__restrict__ B_vals, double *__restrict__ C_vals,
             cudaStream_t stream)
{
    int status = 1;
    int32_t blocks;
    int32_t i0_size = A1_dimension / 16 + (A1_dimension % 16 > 0);
    int32_t k0_size = B2_dimension / 16 + (B2_dimension % 16 > 0);
    int32_t j0_size = A2_dimension / 16 + (A2_dimension % 16 > 0);
    SPCC_TRY(cuda_zero(C_vals, 0, (int64_t)A1_dimension * B2_dimension, stream));
    blocks = (int32_t)min_i64(i0_size, 8448);
    SPCC_GRID(evaluate_block, blocks, 256, stream, A1_dimension, A2_dimension, A_vals, B2_dimension,
              B_vals, C_vals, i0_size, k0_size, j0_size);
    return 0;

fail:
    return status;
}
#endif
