/* y(j) = A(i,j)
 *     y        c64   d
 *     A        c64   ds
 * schedule: parallelize(i, gpu_thread, atomics); reorder(i, j)
 * made by spcc VERSION with
 *     spcc 'y(j) = A(i,j)' -f 'A:csr' -t 'A:c64' -f 'y:dense' -t 'y:c64' -s 'parallelize(i, gpu_thread, atomics)' --target=cuda
 *
 *   A1_dimension  size of mode 1 of A: the range of i
 *   A2_dimension  size of mode 2 of A: the range of j
 *   A2_pos        A, level 2 (compressed): where each segment begins and ends
 *   A2_crd        A, level 2 (compressed): coordinates
 *   A_vals        A's values
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

#include "../helpers/cuda/c64.c"
#include "../helpers/cuda/atomic_add_c64.c"
#include "../helpers/cuda/cuda_aligned.c"
#include "../helpers/cuda/cuda_status.c"
#include "../helpers/cuda/cuda_zero.c"
#include "../helpers/cuda/min_i64.c"

SPCC_KERNEL void __launch_bounds__(256, 4) evaluate_block(int32_t A1_dimension,
                                                          const int32_t *__restrict__ A2_pos,
                                                          const int32_t *__restrict__ A2_crd,
                                                          const c64 *__restrict__ A_vals,
                                                          c64 *y_vals)
{
    const int32_t block = (int32_t)blockIdx.x;
    const int32_t thread = (int32_t)threadIdx.x;
    #pragma unroll 1
    for (int64_t i = (int64_t)block * 256 + thread; i < A1_dimension; i += 2162688) {
        #pragma unroll 1
        for (int32_t pA2 = A2_pos[i]; pA2 < A2_pos[i + 1]; pA2++) {
            int32_t j = A2_crd[pA2];
            atomic_add_c64(&y_vals[j], A_vals[pA2]);
        }
    }
}

#ifndef __CUDACC_RTC__
extern "C"
int evaluate(int32_t A1_dimension, int32_t A2_dimension, const int32_t *__restrict__ A2_pos,
             const int32_t *__restrict__ A2_crd, const c64 *__restrict__ A_vals,
             c64 *__restrict__ y_vals, cudaStream_t stream)
{
    int status = 1;
    int32_t blocks;
    SPCC_TRY(cuda_aligned(A_vals, y_vals));
    SPCC_TRY(cuda_zero(y_vals, 0, A2_dimension, stream));
    blocks = (int32_t)min_i64(((int64_t)A1_dimension + 255) / 256, 8448);
    SPCC_GRID(evaluate_block, blocks, 256, stream, A1_dimension, A2_pos, A2_crd, A_vals, y_vals);
    return 0;

fail:
    return status;
}
#endif
