/* A(i,j) = B(i,j,k) * c(k)
 *     A        f64   dd
 *     B        f64   sss
 *     c        f64   d
 * schedule: fuse(j,k,jk),fuse(i,jk,f),pos(f,fpos,B),split(fpos,block,fpos1,2048),split(fpos1,warp,fpos2,256),split(fpos2,thread,thread_nz,8),reorder(block,warp,thread,thread_nz),precompute(B(i,j,k)*c(k),thread_nz,thread_nz_pre),unroll(thread_nz_pre,8),parallelize(block,GPUBlock,IgnoreRaces),parallelize(warp,GPUWarp,IgnoreRaces),parallelize(thread,GPUThread,Atomics)
 * made by spcc VERSION with
 *     spcc 'A(i,j) = B(i,j,k) * c(k)' -f 'B:sss' -s 'fuse(j,k,jk),fuse(i,jk,f),pos(f,fpos,B),split(fpos,block,fpos1,2048),split(fpos1,warp,fpos2,256),split(fpos2,thread,thread_nz,8),reorder(block,warp,thread,thread_nz),precompute(B(i,j,k)*c(k),thread_nz,thread_nz_pre),unroll(thread_nz_pre,8),parallelize(block,GPUBlock,IgnoreRaces),parallelize(warp,GPUWarp,IgnoreRaces),parallelize(thread,GPUThread,Atomics)' --target=cuda
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
 *   c_vals        c's values
 *   A_vals        A's values
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
#include "../helpers/cuda/cuda_allocate.c"
#include "../helpers/cuda/cuda_status.c"
#include "../helpers/cuda/cuda_zero.c"
#include "../helpers/cuda/cuda_release.c"
#include "../helpers/cuda/find_first_i32.c"

SPCC_KERNEL void __launch_bounds__(256, 4) evaluate_block(int32_t B2_dimension,
                                                          const int32_t *__restrict__ B1_pos,
                                                          const int32_t *__restrict__ B1_crd,
                                                          const int32_t *__restrict__ B2_pos,
                                                          const int32_t *__restrict__ B2_crd,
                                                          const int32_t *__restrict__ B3_pos,
                                                          const int32_t *__restrict__ B3_crd,
                                                          const double *__restrict__ B_vals,
                                                          const double *__restrict__ c_vals,
                                                          double *A_vals,
                                                          double *__restrict__ workspace_vals)
{
    const int32_t block = (int32_t)blockIdx.x;
    const int32_t thread = (int32_t)threadIdx.x;
    int32_t fpos_size = B3_pos[B2_pos[B1_pos[1]]];
    int32_t block_size = fpos_size / 2048 + (fpos_size % 2048 > 0);
    int64_t workspace_base = (int64_t)block * 8;
    #pragma unroll 1
    for (int64_t block_2 = block; block_2 < block_size; block_2 += 2048) {
        int32_t base = thread % 32 * 8;
        int32_t base_2 = thread / 32 * 256;
        int32_t base_3 = (int32_t)block_2 * 2048;
        int32_t pB22 = (int32_t)(find_first_i32(B3_pos, 1, (int64_t)B2_pos[B1_pos[1]] + 1,
            (int64_t)(base_3 + (base_2 + base)) + 1) - 1);
        int32_t pB12 = (int32_t)(find_first_i32(B2_pos, 1, (int64_t)B1_pos[1] + 1, (int64_t)pB22
            + 1) - 1);
        int32_t thread_nz_pre_end = min_i32(8, fpos_size - base_3 - (base_2 + base));
        int32_t thread_nz_pre_middle = thread_nz_pre_end / 8 * 8;
        #pragma unroll 1
        for (int32_t thread_nz_pre = 0; thread_nz_pre < thread_nz_pre_middle; thread_nz_pre += 8) {
            int32_t fpos3 = base_3 + (base_2 + (base + thread_nz_pre));
            #pragma unroll 1
            while (B3_pos[pB22 + 1] <= fpos3)
                pB22++;
            #pragma unroll 1
            while (B2_pos[pB12 + 1] <= pB22)
                pB12++;
            workspace_vals[((workspace_base + thread / 32) * 32 + thread % 32) * 8
                + thread_nz_pre] = B_vals[fpos3] * c_vals[B3_crd[fpos3]];
            int32_t fpos3_2 = base_3 + (base_2 + (base + (thread_nz_pre + 1)));
            #pragma unroll 1
            while (B3_pos[pB22 + 1] <= fpos3_2)
                pB22++;
            #pragma unroll 1
            while (B2_pos[pB12 + 1] <= pB22)
                pB12++;
            workspace_vals[((workspace_base + thread / 32) * 32 + thread % 32) * 8
                + (thread_nz_pre + 1)] = B_vals[fpos3_2] * c_vals[B3_crd[fpos3_2]];
            int32_t fpos3_3 = base_3 + (base_2 + (base + (thread_nz_pre + 2)));
            #pragma unroll 1
            while (B3_pos[pB22 + 1] <= fpos3_3)
                pB22++;
            #pragma unroll 1
            while (B2_pos[pB12 + 1] <= pB22)
                pB12++;
            workspace_vals[((workspace_base + thread / 32) * 32 + thread % 32) * 8
                + (thread_nz_pre + 2)] = B_vals[fpos3_3] * c_vals[B3_crd[fpos3_3]];
            int32_t fpos3_4 = base_3 + (base_2 + (base + (thread_nz_pre + 3)));
            #pragma unroll 1
            while (B3_pos[pB22 + 1] <= fpos3_4)
                pB22++;
            #pragma unroll 1
            while (B2_pos[pB12 + 1] <= pB22)
                pB12++;
            workspace_vals[((workspace_base + thread / 32) * 32 + thread % 32) * 8
                + (thread_nz_pre + 3)] = B_vals[fpos3_4] * c_vals[B3_crd[fpos3_4]];
            int32_t fpos3_5 = base_3 + (base_2 + (base + (thread_nz_pre + 4)));
            #pragma unroll 1
            while (B3_pos[pB22 + 1] <= fpos3_5)
                pB22++;
            #pragma unroll 1
            while (B2_pos[pB12 + 1] <= pB22)
                pB12++;
            workspace_vals[((workspace_base + thread / 32) * 32 + thread % 32) * 8
                + (thread_nz_pre + 4)] = B_vals[fpos3_5] * c_vals[B3_crd[fpos3_5]];
            int32_t fpos3_6 = base_3 + (base_2 + (base + (thread_nz_pre + 5)));
            #pragma unroll 1
            while (B3_pos[pB22 + 1] <= fpos3_6)
                pB22++;
            #pragma unroll 1
            while (B2_pos[pB12 + 1] <= pB22)
                pB12++;
            workspace_vals[((workspace_base + thread / 32) * 32 + thread % 32) * 8
                + (thread_nz_pre + 5)] = B_vals[fpos3_6] * c_vals[B3_crd[fpos3_6]];
            int32_t fpos3_7 = base_3 + (base_2 + (base + (thread_nz_pre + 6)));
            #pragma unroll 1
            while (B3_pos[pB22 + 1] <= fpos3_7)
                pB22++;
            #pragma unroll 1
            while (B2_pos[pB12 + 1] <= pB22)
                pB12++;
            workspace_vals[((workspace_base + thread / 32) * 32 + thread % 32) * 8
                + (thread_nz_pre + 6)] = B_vals[fpos3_7] * c_vals[B3_crd[fpos3_7]];
            int32_t fpos3_8 = base_3 + (base_2 + (base + (thread_nz_pre + 7)));
            #pragma unroll 1
            while (B3_pos[pB22 + 1] <= fpos3_8)
                pB22++;
            #pragma unroll 1
            while (B2_pos[pB12 + 1] <= pB22)
                pB12++;
            workspace_vals[((workspace_base + thread / 32) * 32 + thread % 32) * 8
                + (thread_nz_pre + 7)] = B_vals[fpos3_8] * c_vals[B3_crd[fpos3_8]];
        }
        #pragma unroll 1
        for (int32_t thread_nz_pre = thread_nz_pre_middle; thread_nz_pre < thread_nz_pre_end;
             thread_nz_pre++) {
            int32_t fpos3 = base_3 + (base_2 + (base + thread_nz_pre));
            #pragma unroll 1
            while (B3_pos[pB22 + 1] <= fpos3)
                pB22++;
            #pragma unroll 1
            while (B2_pos[pB12 + 1] <= pB22)
                pB12++;
            workspace_vals[((workspace_base + thread / 32) * 32 + thread % 32) * 8
                + thread_nz_pre] = B_vals[fpos3] * c_vals[B3_crd[fpos3]];
        }
        int32_t pB2 = (int32_t)(find_first_i32(B3_pos, 1, (int64_t)B2_pos[B1_pos[1]] + 1,
            (int64_t)(base_3 + (base_2 + base)) + 1) - 1);
        int32_t pB1 = (int32_t)(find_first_i32(B2_pos, 1, (int64_t)B1_pos[1] + 1, (int64_t)pB2 + 1)
            - 1);
        #pragma unroll 1
        for (int32_t thread_nz = 0; thread_nz
             < min_i32(8, fpos_size - (int32_t)block_2 * 2048
             - (thread / 32 * 256 + thread % 32 * 8)); thread_nz++) {
            int32_t fpos = base_3 + (base_2 + (base + thread_nz));
            #pragma unroll 1
            while (B3_pos[pB2 + 1] <= fpos)
                pB2++;
            int32_t j = B2_crd[pB2];
            #pragma unroll 1
            while (B2_pos[pB1 + 1] <= pB2)
                pB1++;
            int32_t i = B1_crd[pB1];
            atomicAdd(&A_vals[(int64_t)i * B2_dimension + j],
                workspace_vals[((workspace_base + thread / 32) * 32 + thread % 32) * 8
                + thread_nz]);
        }
    }
}

#ifndef __CUDACC_RTC__
extern "C"
int evaluate(int32_t B1_dimension, int32_t B2_dimension, int32_t B3_dimension,
             const int32_t *__restrict__ B1_pos, const int32_t *__restrict__ B1_crd,
             const int32_t *__restrict__ B2_pos, const int32_t *__restrict__ B2_crd,
             const int32_t *__restrict__ B3_pos, const int32_t *__restrict__ B3_crd,
             const double *__restrict__ B_vals, const double *__restrict__ c_vals,
             double *__restrict__ A_vals, cudaStream_t stream)
{
    (void)B3_dimension;
    double *workspace_vals = NULL;
    int status = 1;
    SPCC_TRY(cuda_allocate(workspace_vals, 4194304, stream));
    SPCC_TRY(cuda_zero(A_vals, 0, (int64_t)B1_dimension * B2_dimension, stream));
    SPCC_GRID(evaluate_block, 2048, 256, stream, B2_dimension, B1_pos, B1_crd, B2_pos, B2_crd,
              B3_pos, B3_crd, B_vals, c_vals, A_vals, workspace_vals);
    SPCC_TRY(cuda_release(stream, workspace_vals));
    return 0;

fail:
    cuda_release(stream, workspace_vals);
    return status;
}
#endif
