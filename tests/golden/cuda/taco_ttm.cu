/* A(i,j,l) = B(i,j,k) * C(k,l)
 *     A        f64   ddd
 *     B        f64   sss
 *     C        f64   dd
 * schedule: reorder(i,j,k,l),fuse(j,k,jk),fuse(i,jk,f),pos(f,fpos,B),split(fpos,block,fpos1,2048),split(fpos1,warp,nnz,256),split(l,dense_val_unbounded,thread,32),bound(dense_val_unbounded,dense_val,4,MaxExact),reorder(block,warp,nnz,thread,dense_val),unroll(dense_val,4),parallelize(block,GPUBlock,IgnoreRaces),parallelize(warp,GPUWarp,IgnoreRaces),parallelize(thread,GPUThread,Atomics)
 * made by spcc VERSION with
 *     spcc 'A(i,j,l) = B(i,j,k) * C(k,l)' -f 'B:sss' -s 'reorder(i,j,k,l),fuse(j,k,jk),fuse(i,jk,f),pos(f,fpos,B),split(fpos,block,fpos1,2048),split(fpos1,warp,nnz,256),split(l,dense_val_unbounded,thread,32),bound(dense_val_unbounded,dense_val,4,MaxExact),reorder(block,warp,nnz,thread,dense_val),unroll(dense_val,4),parallelize(block,GPUBlock,IgnoreRaces),parallelize(warp,GPUWarp,IgnoreRaces),parallelize(thread,GPUThread,Atomics)' --target=cuda
 *
 *   B1_dimension  size of mode 1 of B: the range of i
 *   B2_dimension  size of mode 2 of B: the range of j
 *   B3_dimension  size of mode 3 of B: the range of k
 *   B1_pos        B, level 1 (compressed): where each segment begins and ends
 *   B1_crd        B, level 1 (compressed): coordinates
 *   B2_pos        B, level 2 (compressed): where each segment begins and ends
 *   B2_crd        B, level 2 (compressed): coordinates
 *   B3_pos        B, level 3 (compressed): where each segment begins and ends
 *   B3_crd        B, level 3 (compressed): coordinates
 *   B_vals        B's values
 *   C2_dimension  size of mode 2 of C: the range of l
 *   C_vals        C's values
 *   A_vals        A's values
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

#include "../helpers/cuda/min_i32.c"
#include "../helpers/cuda/cuda_zero.c"
#include "../helpers/cuda/cuda_status.c"
#include "../helpers/cuda/find_first_i32.c"

SPCC_KERNEL void __launch_bounds__(256, 4) evaluate_block(int32_t B2_dimension,
                                                          const int32_t *__restrict__ B1_pos,
                                                          const int32_t *__restrict__ B1_crd,
                                                          const int32_t *__restrict__ B2_pos,
                                                          const int32_t *__restrict__ B2_crd,
                                                          const int32_t *__restrict__ B3_pos,
                                                          const int32_t *__restrict__ B3_crd,
                                                          const double *__restrict__ B_vals,
                                                          int32_t C2_dimension,
                                                          const double *__restrict__ C_vals,
                                                          double *A_vals)
{
    const int32_t block = (int32_t)blockIdx.x;
    const int32_t thread = (int32_t)threadIdx.x;
    int32_t fpos_size = B3_pos[B2_pos[B1_pos[1]]];
    int32_t block_size = fpos_size / 2048 + (fpos_size % 2048 > 0);
    #pragma unroll 1
    for (int64_t block_2 = block; block_2 < block_size; block_2 += 8448) {
        int32_t base = thread / 32 * 256;
        int32_t base_2 = (int32_t)block_2 * 2048;
        int32_t pB2 = (int32_t)(find_first_i32(B3_pos, 1, (int64_t)B2_pos[B1_pos[1]] + 1,
            (int64_t)(base_2 + base) + 1) - 1);
        int32_t pB1 = (int32_t)(find_first_i32(B2_pos, 1, (int64_t)B1_pos[1] + 1, (int64_t)pB2 + 1)
            - 1);
        #pragma unroll 1
        for (int32_t nnz = 0; nnz
             < min_i32(256, fpos_size - (int32_t)block_2 * 2048 - thread / 32 * 256); nnz++) {
            int32_t fpos = base_2 + (base + nnz);
            #pragma unroll 1
            while (B3_pos[pB2 + 1] <= fpos)
                pB2++;
            #pragma unroll 1
            while (B2_pos[pB1 + 1] <= pB2)
                pB1++;
            double B_val = B_vals[fpos];
            __syncwarp();
            int64_t base_3 = ((int64_t)B1_crd[pB1] * B2_dimension + B2_crd[pB2]) * C2_dimension;
            int64_t C_base = (int64_t)B3_crd[fpos] * C2_dimension;
            if (thread % 32 < C2_dimension) {
                atomicAdd(&A_vals[base_3 + thread % 32], B_val * C_vals[C_base + thread % 32]);
            }
            int32_t l = 32 + thread % 32;
            if (thread % 32 < C2_dimension - 32) {
                atomicAdd(&A_vals[base_3 + l], B_val * C_vals[C_base + l]);
            }
            int32_t l_2 = 64 + thread % 32;
            if (thread % 32 < C2_dimension - 64) {
                atomicAdd(&A_vals[base_3 + l_2], B_val * C_vals[C_base + l_2]);
            }
            int32_t l_3 = 96 + thread % 32;
            if (thread % 32 < C2_dimension - 96) {
                atomicAdd(&A_vals[base_3 + l_3], B_val * C_vals[C_base + l_3]);
            }
            __syncwarp();
        }
    }
}

#ifndef __CUDACC_RTC__
extern "C"
int evaluate(int32_t B1_dimension, int32_t B2_dimension, int32_t B3_dimension,
             const int32_t *__restrict__ B1_pos, const int32_t *__restrict__ B1_crd,
             const int32_t *__restrict__ B2_pos, const int32_t *__restrict__ B2_crd,
             const int32_t *__restrict__ B3_pos, const int32_t *__restrict__ B3_crd,
             const double *__restrict__ B_vals, int32_t C2_dimension,
             const double *__restrict__ C_vals, double *__restrict__ A_vals, cudaStream_t stream)
{
    (void)B3_dimension;
    int status = 1;
    int32_t dense_val_size = C2_dimension / 32 + (C2_dimension % 32 > 0);
    if ((int64_t)dense_val_size != 4) {
        status = 4;
        goto fail;
    }
    SPCC_TRY(cuda_zero(A_vals, 0, (int64_t)B1_dimension * B2_dimension * C2_dimension, stream));
    SPCC_GRID(evaluate_block, 8448, 256, stream, B2_dimension, B1_pos, B1_crd, B2_pos, B2_crd,
              B3_pos, B3_crd, B_vals, C2_dimension, C_vals, A_vals);
    return 0;

fail:
    return status;
}
#endif
