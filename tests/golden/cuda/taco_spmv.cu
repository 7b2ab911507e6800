/* y(i) = A(i,j) * x(j)
 *     y        f64   d
 *     A        f64   ds
 *     x        f64   d
 * schedule: fuse(i,j,f),pos(f,fpos,A),split(fpos,block,fpos1,2048),split(fpos1,warp,fpos2,256),split(fpos2,thread,thread_nz,8),reorder(block,warp,thread,thread_nz),precompute(A(i,j)*x(j),thread_nz,thread_nz_pre),unroll(thread_nz_pre,8),parallelize(block,GPUBlock,IgnoreRaces),parallelize(warp,GPUWarp,IgnoreRaces),parallelize(thread,GPUThread,Atomics)
 * made by spcc VERSION with
 *     spcc 'y(i) = A(i,j) * x(j)' -f 'A:ds' -s 'fuse(i,j,f),pos(f,fpos,A),split(fpos,block,fpos1,2048),split(fpos1,warp,fpos2,256),split(fpos2,thread,thread_nz,8),reorder(block,warp,thread,thread_nz),precompute(A(i,j)*x(j),thread_nz,thread_nz_pre),unroll(thread_nz_pre,8),parallelize(block,GPUBlock,IgnoreRaces),parallelize(warp,GPUWarp,IgnoreRaces),parallelize(thread,GPUThread,Atomics)' --target=cuda
 *
 *   A1_dimension  size of mode 1 of A: the range of i
 *   A2_dimension  size of mode 2 of A: the range of j
 *   A2_pos        A, level 2 (compressed): where each segment begins and ends
 *   A2_crd        A, level 2 (compressed): coordinates
 *   A_vals        A's values
 *   x_vals        x's values
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

#include "../helpers/cuda/min_i32.c"
#include "../helpers/cuda/cuda_allocate.c"
#include "../helpers/cuda/cuda_status.c"
#include "../helpers/cuda/cuda_zero.c"
#include "../helpers/cuda/cuda_release.c"
#include "../helpers/cuda/find_first_i32.c"

SPCC_KERNEL void __launch_bounds__(256, 4) evaluate_block(int32_t A1_dimension,
                                                          const int32_t *__restrict__ A2_pos,
                                                          const int32_t *__restrict__ A2_crd,
                                                          const double *__restrict__ A_vals,
                                                          const double *__restrict__ x_vals,
                                                          double *y_vals,
                                                          double *__restrict__ workspace_vals)
{
    const int32_t block = (int32_t)blockIdx.x;
    const int32_t thread = (int32_t)threadIdx.x;
    int32_t fpos_size = A2_pos[A1_dimension];
    int32_t block_size = fpos_size / 2048 + (fpos_size % 2048 > 0);
    int64_t workspace_base = (int64_t)block * 8;
    #pragma unroll 1
    for (int64_t block_2 = block; block_2 < block_size; block_2 += 2048) {
        int32_t base = thread % 32 * 8;
        int32_t base_2 = thread / 32 * 256;
        int32_t base_3 = (int32_t)block_2 * 2048;
        int32_t thread_nz_pre_end = min_i32(8, fpos_size - base_3 - (base_2 + base));
        int32_t thread_nz_pre_middle = thread_nz_pre_end / 8 * 8;
        #pragma unroll 1
        for (int32_t thread_nz_pre = 0; thread_nz_pre < thread_nz_pre_middle; thread_nz_pre += 8) {
            int32_t fpos3 = base_3 + (base_2 + (base + thread_nz_pre));
            workspace_vals[((workspace_base + thread / 32) * 32 + thread % 32) * 8
                + thread_nz_pre] = A_vals[fpos3] * x_vals[A2_crd[fpos3]];
            int32_t fpos3_2 = base_3 + (base_2 + (base + (thread_nz_pre + 1)));
            workspace_vals[((workspace_base + thread / 32) * 32 + thread % 32) * 8
                + (thread_nz_pre + 1)] = A_vals[fpos3_2] * x_vals[A2_crd[fpos3_2]];
            int32_t fpos3_3 = base_3 + (base_2 + (base + (thread_nz_pre + 2)));
            workspace_vals[((workspace_base + thread / 32) * 32 + thread % 32) * 8
                + (thread_nz_pre + 2)] = A_vals[fpos3_3] * x_vals[A2_crd[fpos3_3]];
            int32_t fpos3_4 = base_3 + (base_2 + (base + (thread_nz_pre + 3)));
            workspace_vals[((workspace_base + thread / 32) * 32 + thread % 32) * 8
                + (thread_nz_pre + 3)] = A_vals[fpos3_4] * x_vals[A2_crd[fpos3_4]];
            int32_t fpos3_5 = base_3 + (base_2 + (base + (thread_nz_pre + 4)));
            workspace_vals[((workspace_base + thread / 32) * 32 + thread % 32) * 8
                + (thread_nz_pre + 4)] = A_vals[fpos3_5] * x_vals[A2_crd[fpos3_5]];
            int32_t fpos3_6 = base_3 + (base_2 + (base + (thread_nz_pre + 5)));
            workspace_vals[((workspace_base + thread / 32) * 32 + thread % 32) * 8
                + (thread_nz_pre + 5)] = A_vals[fpos3_6] * x_vals[A2_crd[fpos3_6]];
            int32_t fpos3_7 = base_3 + (base_2 + (base + (thread_nz_pre + 6)));
            workspace_vals[((workspace_base + thread / 32) * 32 + thread % 32) * 8
                + (thread_nz_pre + 6)] = A_vals[fpos3_7] * x_vals[A2_crd[fpos3_7]];
            int32_t fpos3_8 = base_3 + (base_2 + (base + (thread_nz_pre + 7)));
            workspace_vals[((workspace_base + thread / 32) * 32 + thread % 32) * 8
                + (thread_nz_pre + 7)] = A_vals[fpos3_8] * x_vals[A2_crd[fpos3_8]];
        }
        #pragma unroll 4
        for (int32_t thread_nz_pre = thread_nz_pre_middle; thread_nz_pre < thread_nz_pre_end;
             thread_nz_pre++) {
            int32_t fpos3 = base_3 + (base_2 + (base + thread_nz_pre));
            workspace_vals[((workspace_base + thread / 32) * 32 + thread % 32) * 8
                + thread_nz_pre] = A_vals[fpos3] * x_vals[A2_crd[fpos3]];
        }
        int32_t i = (int32_t)(find_first_i32(A2_pos, 1, (int64_t)A1_dimension + 1,
            (int64_t)(base_3 + (base_2 + base)) + 1) - 1);
        #pragma unroll 1
        for (int32_t thread_nz = 0; thread_nz
             < min_i32(8, fpos_size - (int32_t)block_2 * 2048
             - (thread / 32 * 256 + thread % 32 * 8)); thread_nz++) {
            int32_t fpos = base_3 + (base_2 + (base + thread_nz));
            #pragma unroll 1
            while (A2_pos[i + 1] <= fpos)
                i++;
            atomicAdd(&y_vals[i],
                workspace_vals[((workspace_base + thread / 32) * 32 + thread % 32) * 8
                + thread_nz]);
        }
    }
}

#ifndef __CUDACC_RTC__
extern "C"
int evaluate(int32_t A1_dimension, int32_t A2_dimension, const int32_t *__restrict__ A2_pos,
             const int32_t *__restrict__ A2_crd, const double *__restrict__ A_vals,
             const double *__restrict__ x_vals, double *__restrict__ y_vals, cudaStream_t stream)
{
    (void)A2_dimension;
    double *workspace_vals = NULL;
    int status = 1;
    SPCC_TRY(cuda_allocate(workspace_vals, 4194304, stream));
    SPCC_TRY(cuda_zero(y_vals, 0, A1_dimension, stream));
    SPCC_GRID(evaluate_block, 2048, 256, stream, A1_dimension, A2_pos, A2_crd, A_vals, x_vals,
              y_vals, workspace_vals);
    SPCC_TRY(cuda_release(stream, workspace_vals));
    return 0;

fail:
    cuda_release(stream, workspace_vals);
    return status;
}
#endif
