/* Y(i,j) = A(i,j) * z(j)
 *     Y        f64   dd
 *     A        f64   ds
 *     z        f64   d
 * schedule: split(i, b, t, down, 64); precompute(A(i,j) * z(j), w, {j,jc,jp}, dense); parallelize(b, gpu_block); parallelize(t, gpu_thread)
 * made by spcc VERSION with
 *     spcc 'Y(i,j) = A(i,j) * z(j)' -f 'A:csr' -s 'split(i, b, t, down, 64); precompute(A(i,j) * z(j), w, {j,jc,jp}, dense); parallelize(b, gpu_block); parallelize(t, gpu_thread)' --target=cuda
 *
 *   A1_dimension  size of mode 1 of A: the range of i
 *   A2_dimension  size of mode 2 of A: the range of j
 *   A2_pos        A, level 2 (compressed): where each segment begins and ends
 *   A2_crd        A, level 2 (compressed): coordinates
 *   A_vals        A's values
 *   z_vals        z's values
 *   Y_vals        Y's values
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

#include "../helpers/cuda/cuda_allocate.c"
#include "../helpers/cuda/cuda_status.c"
#include "../helpers/cuda/min_i64.c"
#include "../helpers/cuda/cuda_release.c"

SPCC_KERNEL void __launch_bounds__(64, 16) evaluate_block(int32_t A1_dimension,
                                                          int32_t A2_dimension,
                                                          const int32_t *__restrict__ A2_pos,
                                                          const int32_t *__restrict__ A2_crd,
                                                          const double *__restrict__ A_vals,
                                                          const double *__restrict__ z_vals,
                                                          double *__restrict__ Y_vals,
                                                          int32_t b_size,
                                                          double *__restrict__ w_vals)
{
    const int32_t block = (int32_t)blockIdx.x;
    const int32_t thread = (int32_t)threadIdx.x;
    int64_t w_base = ((int64_t)block * 64 + thread) * A2_dimension;
    int64_t w_base_2 = ((int64_t)block * 64 + thread) * A2_dimension + A2_dimension;
    #pragma unroll 1
    for (int64_t b = block; b < b_size; b += 32) {
        if (thread < A1_dimension - (int32_t)b * 64) {
            int32_t i = (int32_t)b * 64 + thread;
            for (int64_t at = w_base; at < w_base_2; at++)
                w_vals[at] = 0.0;
            #pragma unroll 4
            for (int32_t pA2 = A2_pos[i]; pA2 < A2_pos[i + 1]; pA2++) {
                int32_t jp = A2_crd[pA2];
                w_vals[w_base + jp] = A_vals[pA2] * z_vals[jp];
            }
            int64_t Y_base = (int64_t)i * A2_dimension;
            #pragma unroll 4
            for (int32_t jc = 0; jc < A2_dimension; jc++)
                Y_vals[Y_base + jc] = w_vals[w_base + jc];
        }
    }
}

#ifndef __CUDACC_RTC__
extern "C"
int evaluate(int32_t A1_dimension, int32_t A2_dimension, const int32_t *__restrict__ A2_pos,
             const int32_t *__restrict__ A2_crd, const double *__restrict__ A_vals,
             const double *__restrict__ z_vals, double *__restrict__ Y_vals, cudaStream_t stream)
{
    double *w_vals = NULL;
    int status = 1;
    int32_t blocks;
    int32_t b_size = A1_dimension / 64 + (A1_dimension % 64 > 0);
    SPCC_TRY(cuda_allocate(w_vals, 2048 * (int64_t)A2_dimension, stream));
    blocks = (int32_t)min_i64(b_size, 32);
    SPCC_GRID(evaluate_block, blocks, 64, stream, A1_dimension, A2_dimension, A2_pos, A2_crd,
              A_vals, z_vals, Y_vals, b_size, w_vals);
    SPCC_TRY(cuda_release(stream, w_vals));
    return 0;

fail:
    cuda_release(stream, w_vals);
    return status;
}
#endif
