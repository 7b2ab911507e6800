/* A(i,k) = B(i,k) * C(i,j) * D(j,k)
 *     A        f64   dd
 *     B        f64   ds
 *     C        f64   dd
 *     D        f64   dd
 * schedule: reorder(i,k,j),fuse(i,k,f),pos(f,fpos,B),split(fpos,block,fpos1,2048),split(fpos1,warp,nnz,256),split(j,dense_val_unbounded,thread,32),bound(dense_val_unbounded,dense_val,4,MaxExact),reorder(block,warp,nnz,thread,dense_val),unroll(dense_val,4),parallelize(block,GPUBlock,IgnoreRaces),parallelize(warp,GPUWarp,Atomics),parallelize(thread,GPUThread,ParallelReduction)
 * made by spcc VERSION with
 *     spcc 'A(i,k) = B(i,k) * C(i,j) * D(j,k)' -f 'B:ds' -s 'reorder(i,k,j),fuse(i,k,f),pos(f,fpos,B),split(fpos,block,fpos1,2048),split(fpos1,warp,nnz,256),split(j,dense_val_unbounded,thread,32),bound(dense_val_unbounded,dense_val,4,MaxExact),reorder(block,warp,nnz,thread,dense_val),unroll(dense_val,4),parallelize(block,GPUBlock,IgnoreRaces),parallelize(warp,GPUWarp,Atomics),parallelize(thread,GPUThread,ParallelReduction)' --target=cuda
 *
 *   B1_dimension  size of mode 1 of B: the range of i
 *   B2_dimension  size of mode 2 of B: the range of k
 *   B2_pos        B, level 2 (compressed): where each segment begins and ends
 *   B2_crd        B, level 2 (compressed): coordinates
 *   B_vals        B's values
 *   C2_dimension  size of mode 2 of C: the range of j
 *   C_vals        C's values
 *   D_vals        D's values
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
#include "../helpers/cuda/sum_team32_f64.c"

SPCC_KERNEL void __launch_bounds__(256, 4) evaluate_block(int32_t B1_dimension,
                                                          int32_t B2_dimension,
                                                          const int32_t *__restrict__ B2_pos,
                                                          const int32_t *__restrict__ B2_crd,
                                                          const double *__restrict__ B_vals,
                                                          int32_t C2_dimension,
                                                          const double *__restrict__ C_vals,
                                                          const double *__restrict__ D_vals,
                                                          double *__restrict__ A_vals)
{
    const int32_t block = (int32_t)blockIdx.x;
    const int32_t thread = (int32_t)threadIdx.x;
    int32_t fpos_size = B2_pos[B1_dimension];
    int32_t block_size = fpos_size / 2048 + (fpos_size % 2048 > 0);
    #pragma unroll 1
    for (int64_t block_2 = block; block_2 < block_size; block_2 += 8448) {
        int32_t base = thread / 32 * 256;
        int32_t base_2 = (int32_t)block_2 * 2048;
        int32_t i = (int32_t)(find_first_i32(B2_pos, 1, (int64_t)B1_dimension + 1,
            (int64_t)(base_2 + base) + 1) - 1);
        #pragma unroll 1
        for (int32_t nnz = 0; nnz
             < min_i32(256, fpos_size - (int32_t)block_2 * 2048 - thread / 32 * 256); nnz++) {
            int32_t fpos = base_2 + (base + nnz);
            int32_t k = B2_crd[fpos];
            #pragma unroll 1
            while (B2_pos[i + 1] <= fpos)
                i++;
            double B_val = B_vals[fpos];
            double A_val = 0.0;
            int64_t C_base = (int64_t)i * C2_dimension;
            if (thread % 32 < C2_dimension)
                A_val += B_val * C_vals[C_base + thread % 32]
                    * D_vals[(int64_t)(thread % 32) * B2_dimension + k];
            int32_t j = 32 + thread % 32;
            if (thread % 32 < C2_dimension - 32)
                A_val += B_val * C_vals[C_base + j] * D_vals[(int64_t)j * B2_dimension + k];
            int32_t j_2 = 64 + thread % 32;
            if (thread % 32 < C2_dimension - 64)
                A_val += B_val * C_vals[C_base + j_2] * D_vals[(int64_t)j_2 * B2_dimension + k];
            int32_t j_3 = 96 + thread % 32;
            if (thread % 32 < C2_dimension - 96)
                A_val += B_val * C_vals[C_base + j_3] * D_vals[(int64_t)j_3 * B2_dimension + k];
            A_val = sum_team32_f64(A_val);
            if (thread % 32 == 0)
                A_vals[(int64_t)i * B2_dimension + k] += A_val;
        }
    }
}

#ifndef __CUDACC_RTC__
extern "C"
int evaluate(int32_t B1_dimension, int32_t B2_dimension, const int32_t *__restrict__ B2_pos,
             const int32_t *__restrict__ B2_crd, const double *__restrict__ B_vals,
             int32_t C2_dimension, const double *__restrict__ C_vals,
             const double *__restrict__ D_vals, double *__restrict__ A_vals, cudaStream_t stream)
{
    int status = 1;
    int32_t dense_val_size = C2_dimension / 32 + (C2_dimension % 32 > 0);
    if ((int64_t)dense_val_size != 4) {
        status = 4;
        goto fail;
    }
    SPCC_TRY(cuda_zero(A_vals, 0, (int64_t)B1_dimension * B2_dimension, stream));
    SPCC_GRID(evaluate_block, 8448, 256, stream, B1_dimension, B2_dimension, B2_pos, B2_crd, B_vals,
              C2_dimension, C_vals, D_vals, A_vals);
    return 0;

fail:
    return status;
}
#endif
