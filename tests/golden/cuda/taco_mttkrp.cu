/* A(i,j) = B(i,k,l) * C(k,j) * D(l,j)
 *     A        f64   dd
 *     B        f64   sss
 *     C        f64   dd
 *     D        f64   dd
 * schedule: reorder(i,k,l,j),fuse(k,l,kl),fuse(i,kl,f),pos(f,fpos,B),split(fpos,block,fpos1,128),split(fpos1,warp,nnz,16),split(j,dense_val_unbounded,thread,32),bound(dense_val_unbounded,dense_val,1,MaxExact),reorder(block,warp,dense_val,thread,nnz),parallelize(block,GPUBlock,IgnoreRaces),parallelize(warp,GPUWarp,IgnoreRaces),parallelize(thread,GPUThread,Atomics)
 * made by spcc VERSION with
 *     spcc 'A(i,j) = B(i,k,l) * C(k,j) * D(l,j)' -f 'B:sss' -s 'reorder(i,k,l,j),fuse(k,l,kl),fuse(i,kl,f),pos(f,fpos,B),split(fpos,block,fpos1,128),split(fpos1,warp,nnz,16),split(j,dense_val_unbounded,thread,32),bound(dense_val_unbounded,dense_val,1,MaxExact),reorder(block,warp,dense_val,thread,nnz),parallelize(block,GPUBlock,IgnoreRaces),parallelize(warp,GPUWarp,IgnoreRaces),parallelize(thread,GPUThread,Atomics)' --target=cuda
 *
 *   B1_dimension  size of mode 1 of B: the range of i
 *   B2_dimension  size of mode 2 of B: the range of k
 *   B3_dimension  size of mode 3 of B: the range of l
 *   B1_pos        B, level 1 (compressed): where each segment begins and ends
 *   B1_crd        B, level 1 (compressed): coordinates
 *   B2_pos        B, level 2 (compressed): where each segment begins and ends
 *   B2_crd        B, level 2 (compressed): coordinates
 *   B3_pos        B, level 3 (compressed): where each segment begins and ends
 *   B3_crd        B, level 3 (compressed): coordinates
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

#include "../helpers/cuda/cuda_zero.c"
#include "../helpers/cuda/cuda_status.c"
#include "../helpers/cuda/find_first_i32.c"

SPCC_KERNEL void __launch_bounds__(256, 4) evaluate_block(const int32_t *__restrict__ B1_pos,
                                                          const int32_t *__restrict__ B1_crd,
                                                          const int32_t *__restrict__ B2_pos,
                                                          const int32_t *__restrict__ B2_crd,
                                                          const int32_t *__restrict__ B3_pos,
                                                          const int32_t *__restrict__ B3_crd,
                                                          const double *__restrict__ B_vals,
                                                          int32_t C2_dimension,
                                                          const double *__restrict__ C_vals,
                                                          const double *__restrict__ D_vals,
                                                          double *A_vals)
{
    const int32_t block = (int32_t)blockIdx.x;
    const int32_t thread = (int32_t)threadIdx.x;
    int32_t fpos_size = B3_pos[B2_pos[B1_pos[1]]];
    int32_t block_size = fpos_size / 128 + (fpos_size % 128 > 0);
    #pragma unroll 1
    for (int64_t block_2 = block; block_2 < block_size; block_2 += 8448) {
        int32_t base = thread / 32 * 16;
        int32_t base_2 = (int32_t)block_2 * 128;
        int64_t base_3 = (int64_t)(base_2 + base) + 1;
        int32_t base_4 = fpos_size - base_2 - base;
        for (int32_t dense_val = 0; dense_val < 1; dense_val++) {
            if (thread % 32 < C2_dimension - dense_val * 32) {
                int32_t j = dense_val * 32 + thread % 32;
                int32_t pB2 = (int32_t)(find_first_i32(B3_pos, 1, (int64_t)B2_pos[B1_pos[1]] + 1,
                    base_3) - 1);
                int32_t pB1 = (int32_t)(find_first_i32(B2_pos, 1, (int64_t)B1_pos[1] + 1,
                    (int64_t)pB2 + 1) - 1);
                #pragma unroll 1
                for (int32_t nnz = 0; nnz < (16 < base_4 ? 16 : base_4); nnz++) {
                    int32_t fpos = base_2 + (base + nnz);
                    int32_t l = B3_crd[fpos];
                    #pragma unroll 1
                    while (B3_pos[pB2 + 1] <= fpos)
                        pB2++;
                    int32_t k = B2_crd[pB2];
                    #pragma unroll 1
                    while (B2_pos[pB1 + 1] <= pB2)
                        pB1++;
                    int32_t i = B1_crd[pB1];
                    atomicAdd(&A_vals[(int64_t)i * C2_dimension + j], B_vals[fpos]
                        * C_vals[(int64_t)k * C2_dimension + j]
                        * D_vals[(int64_t)l * C2_dimension + j]);
                }
            }
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
             const double *__restrict__ C_vals, const double *__restrict__ D_vals,
             double *__restrict__ A_vals, cudaStream_t stream)
{
    (void)B2_dimension;
    (void)B3_dimension;
    int status = 1;
    int32_t dense_val_size = C2_dimension / 32 + (C2_dimension % 32 > 0);
    if ((int64_t)dense_val_size != 1) {
        status = 4;
        goto fail;
    }
    SPCC_TRY(cuda_zero(A_vals, 0, (int64_t)B1_dimension * C2_dimension, stream));
    SPCC_GRID(evaluate_block, 8448, 256, stream, B1_pos, B1_crd, B2_pos, B2_crd, B3_pos, B3_crd,
              B_vals, C2_dimension, C_vals, D_vals, A_vals);
    return 0;

fail:
    return status;
}
#endif
