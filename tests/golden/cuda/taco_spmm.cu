/* C(i,k) = A(i,j) * B(j,k)
 *     C        f64   dd
 *     A        f64   ds
 *     B        f64   dd
 * schedule: reorder(i,j,k),fuse(i,j,f),pos(f,fpos,A),split(fpos,block,fpos1,64),split(fpos1,warp,nnz,8),split(k,dense_val_unbounded,thread,32),reorder(block,warp,thread,dense_val_unbounded,nnz),bound(dense_val_unbounded,dense_val,4,MaxExact),unroll(dense_val,4),parallelize(block,GPUBlock,IgnoreRaces),parallelize(warp,GPUWarp,IgnoreRaces),parallelize(thread,GPUThread,Atomics)
 * made by spcc VERSION with
 *     spcc 'C(i,k) = A(i,j) * B(j,k)' -f 'A:ds' -s 'reorder(i,j,k),fuse(i,j,f),pos(f,fpos,A),split(fpos,block,fpos1,64),split(fpos1,warp,nnz,8),split(k,dense_val_unbounded,thread,32),reorder(block,warp,thread,dense_val_unbounded,nnz),bound(dense_val_unbounded,dense_val,4,MaxExact),unroll(dense_val,4),parallelize(block,GPUBlock,IgnoreRaces),parallelize(warp,GPUWarp,IgnoreRaces),parallelize(thread,GPUThread,Atomics)' --target=cuda
 *
 *   A1_dimension  size of mode 1 of A: the range of i
 *   A2_dimension  size of mode 2 of A: the range of j
 *   A2_pos        A, level 2 (compressed): where each segment begins and ends
 *   A2_crd        A, level 2 (compressed): coordinates
 *   A_vals        A's values
 *   B2_dimension  size of mode 2 of B: the range of k
 *   B_vals        B's values
 *   C_vals        C's values
 *
 * No two of the arrays may overlap.
 *
 * Returns 0, or 1 where there is no memory, or the number of another error of CUDA's, negated, or 4
 * where a size is not what the schedule's bounds say.
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
#include "../helpers/cuda/find_first_i32.c"

SPCC_KERNEL void __launch_bounds__(256, 4) evaluate_block(int32_t A1_dimension,
                                                          const int32_t *__restrict__ A2_pos,
                                                          const int32_t *__restrict__ A2_crd,
                                                          const double *__restrict__ A_vals,
                                                          int32_t B2_dimension,
                                                          const double *__restrict__ B_vals,
                                                          double *C_vals)
{
    const int32_t block = (int32_t)blockIdx.x;
    const int32_t thread = (int32_t)threadIdx.x;
    int32_t fpos_size = A2_pos[A1_dimension];
    int32_t block_size = fpos_size / 64 + (fpos_size % 64 > 0);
    #pragma unroll 1
    for (int64_t block_2 = block; block_2 < block_size; block_2 += 8448) {
        int32_t base = thread / 32 * 8;
        int32_t base_2 = (int32_t)block_2 * 64;
        int64_t base_3 = (int64_t)(base_2 + base) + 1;
        int32_t base_4 = fpos_size - base_2 - base;
        if (thread % 32 < B2_dimension) {
            int32_t i = (int32_t)(find_first_i32(A2_pos, 1, (int64_t)A1_dimension + 1, base_3) - 1);
            #pragma unroll 1
            for (int32_t nnz = 0; nnz < (8 < base_4 ? 8 : base_4); nnz++) {
                int32_t fpos = base_2 + (base + nnz);
                int32_t j = A2_crd[fpos];
                #pragma unroll 1
                while (A2_pos[i + 1] <= fpos)
                    i++;
                atomicAdd(&C_vals[(int64_t)i * B2_dimension + thread % 32], A_vals[fpos]
                    * B_vals[(int64_t)j * B2_dimension + thread % 32]);
            }
        }
        int32_t k = 32 + thread % 32;
        if (thread % 32 < B2_dimension - 32) {
            int32_t i = (int32_t)(find_first_i32(A2_pos, 1, (int64_t)A1_dimension + 1, base_3) - 1);
            #pragma unroll 1
            for (int32_t nnz = 0; nnz < (8 < base_4 ? 8 : base_4); nnz++) {
                int32_t fpos = base_2 + (base + nnz);
                int32_t j = A2_crd[fpos];
                #pragma unroll 1
                while (A2_pos[i + 1] <= fpos)
                    i++;
                atomicAdd(&C_vals[(int64_t)i * B2_dimension + k], A_vals[fpos]
                    * B_vals[(int64_t)j * B2_dimension + k]);
            }
        }
        int32_t k_2 = 64 + thread % 32;
        if (thread % 32 < B2_dimension - 64) {
            int32_t i = (int32_t)(find_first_i32(A2_pos, 1, (int64_t)A1_dimension + 1, base_3) - 1);
            #pragma unroll 1
            for (int32_t nnz = 0; nnz < (8 < base_4 ? 8 : base_4); nnz++) {
                int32_t fpos = base_2 + (base + nnz);
                int32_t j = A2_crd[fpos];
                #pragma unroll 1
                while (A2_pos[i + 1] <= fpos)
                    i++;
                atomicAdd(&C_vals[(int64_t)i * B2_dimension + k_2], A_vals[fpos]
                    * B_vals[(int64_t)j * B2_dimension + k_2]);
            }
        }
        int32_t k_3 = 96 + thread % 32;
        if (thread % 32 < B2_dimension - 96) {
            int32_t i = (int32_t)(find_first_i32(A2_pos, 1, (int64_t)A1_dimension + 1, base_3) - 1);
            #pragma unroll 1
            for (int32_t nnz = 0; nnz < (8 < base_4 ? 8 : base_4); nnz++) {
                int32_t fpos = base_2 + (base + nnz);
                int32_t j = A2_crd[fpos];
                #pragma unroll 1
                while (A2_pos[i + 1] <= fpos)
                    i++;
                atomicAdd(&C_vals[(int64_t)i * B2_dimension + k_3], A_vals[fpos]
                    * B_vals[(int64_t)j * B2_dimension + k_3]);
            }
        }
    }
}

#ifndef __CUDACC_RTC__
extern "C"
int evaluate(int32_t A1_dimension, int32_t A2_dimension, const int32_t *__restrict__ A2_pos,
             const int32_t *__restrict__ A2_crd, const double *__restrict__ A_vals,
             int32_t B2_dimension, const double *__restrict__ B_vals, double *__restrict__ C_vals,
             cudaStream_t stream)
{
    (void)A2_dimension;
    int status = 1;
    int32_t dense_val_size = B2_dimension / 32 + (B2_dimension % 32 > 0);
    if ((int64_t)dense_val_size != 4) {
        status = 4;
        goto fail;
    }
    SPCC_TRY(cuda_zero(C_vals, 0, (int64_t)A1_dimension * B2_dimension, stream));
    SPCC_GRID(evaluate_block, 8448, 256, stream, A1_dimension, A2_pos, A2_crd, A_vals, B2_dimension,
              B_vals, C_vals);
    return 0;

fail:
    return status;
}
#endif
