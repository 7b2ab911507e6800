/* a = b(i) * c(i)
 *     a        f64   dense
 *     b        f64   s
 *     c        f64   s
 * schedule: parallelize(i, gpu_thread, temporary)
 * made by spcc VERSION with
 *     spcc 'a = b(i) * c(i)' -f 'b:sparse' -f 'c:sparse' -s 'parallelize(i, gpu_thread, temporary)' --target=cuda
 *
 *   b1_dimension  size of mode 1 of b: the range of i
 *   b1_pos        b, level 1 (compressed): where each segment begins and ends
 *   b1_crd        b, level 1 (compressed): coordinates
 *   b_vals        b's values
 *   c1_pos        c, level 1 (compressed): where each segment begins and ends
 *   c1_crd        c, level 1 (compressed): coordinates
 *   c_vals        c's values
 *   a_vals        a's values
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

#include "../helpers/cuda/max_i64.c"
#include "../helpers/cuda/min_i64.c"
#include "../helpers/cuda/max_i32.c"
#include "../helpers/cuda/min_i32.c"
#include "../helpers/cuda/cuda_allocate.c"
#include "../helpers/cuda/cuda_status.c"
#include "../helpers/cuda/cuda_release.c"
#include "../helpers/cuda/find_first_i32.c"
#include "../helpers/cuda/find_on_diagonal_i32_i32.c"
#include "../helpers/cuda/seek_i32.c"
#include "../helpers/cuda/sum_team32_f64.c"
#include "../helpers/cuda/sum_block_f64.c"

SPCC_KERNEL void __launch_bounds__(256, 4) evaluate_block(int32_t b1_dimension,
                                                          const int32_t *__restrict__ b1_pos,
                                                          const int32_t *__restrict__ b1_crd,
                                                          const double *__restrict__ b_vals,
                                                          const int32_t *__restrict__ c1_pos,
                                                          const int32_t *__restrict__ c1_crd,
                                                          const double *__restrict__ c_vals,
                                                          double *a_val_of)
{
    const int32_t block = (int32_t)blockIdx.x;
    const int32_t thread = (int32_t)threadIdx.x;
    __shared__ double a_val_ends[33];
    double a_val = 0.0;
    int64_t work = (int64_t)b1_pos[1] + c1_pos[1];
    int32_t parts = (int32_t)max_i64(min_i64(min_i64(work / 8, b1_dimension), 524288), 1);
    int32_t part = (int32_t)((int64_t)block * 256 + thread);
    if (part < parts) {
        int32_t i_from = 0;
        int32_t i_past = b1_dimension;
        if (parts > 1) {
            #pragma unroll 1
            for (int32_t bound = part; bound < part + 2; bound++) {
                i_from = i_past;
                int64_t work_from = (work + 1) / parts * bound + min_i64(bound, (work + 1) % parts);
                i_past = (int32_t)find_on_diagonal_i32_i32(b1_crd, b1_pos[0], b1_pos[1], c1_crd,
                    c1_pos[0], c1_pos[1], work_from - b1_pos[0] - c1_pos[0], 0, b1_dimension);
            }
        }
        int64_t pb1_begin = parts > 1 ? find_first_i32(b1_crd, b1_pos[0], b1_pos[1], i_from)
            : (int64_t)b1_pos[0];
        int64_t pb1_past = parts > 1 ? find_first_i32(b1_crd, pb1_begin, b1_pos[1], i_past)
            : (int64_t)b1_pos[1];
        int64_t pc1_begin = parts > 1 ? find_first_i32(c1_crd, c1_pos[0], c1_pos[1], i_from)
            : (int64_t)c1_pos[0];
        int64_t pc1_past = parts > 1 ? find_first_i32(c1_crd, pc1_begin, c1_pos[1], i_past)
            : (int64_t)c1_pos[1];
        int32_t pb1 = (int32_t)pb1_begin;
        int32_t pb1_end = (int32_t)pb1_past;
        int32_t pc1 = (int32_t)pc1_begin;
        int32_t pc1_end = (int32_t)pc1_past;
        #pragma unroll 1
        while (pb1 < pb1_end && pc1 < pc1_end) {
            int32_t pb1_stop = pb1_end;
            int32_t pc1_stop = pc1_end;
            if (max_i32(pb1_end - pb1, pc1_end - pc1) / 16
                > min_i32(pb1_end - pb1, pc1_end - pc1)) {
                pc1 = (int32_t)seek_i32(c1_crd, pc1, pc1_end, b1_crd[pb1]);
                if (pc1 < pc1_end)
                    pb1 = (int32_t)seek_i32(b1_crd, pb1, pb1_end, c1_crd[pc1]);
                pb1_stop = pb1 + (pb1 < pb1_end);
                pc1_stop = pc1 + (pc1 < pc1_end);
            }
            #pragma unroll 1
            while (pb1 < pb1_stop && pc1 < pc1_stop) {
                int32_t ib = b1_crd[pb1];
                int32_t ic = c1_crd[pc1];
                if (ib == ic) {
                    a_val += b_vals[pb1] * c_vals[pc1];
                    pb1++;
                    pc1++;
                } else if (ib < ic) {
                    pb1++;
                } else {
                    pc1++;
                }
            }
        }
    }
    a_val = sum_block_f64(a_val, thread, 256, a_val_ends);
    __syncthreads();
    if (thread == 0)
        a_val_of[block] = a_val;
}

SPCC_KERNEL void __launch_bounds__(256) evaluate_2_block(int32_t blocks, double *a_val_of)
{
    const int32_t thread = (int32_t)threadIdx.x;
    __shared__ double a_val_ends_2[33];
    double a_val = 0.0;
    #pragma unroll 1
    for (int32_t part = thread; part < blocks; part += 256)
        a_val += a_val_of[part];
    a_val = sum_block_f64(a_val, thread, 256, a_val_ends_2);
    __syncthreads();
    if (thread == 0)
        a_val_of[0] = a_val;
}

SPCC_KERNEL void __launch_bounds__(32) evaluate_3_block(double *__restrict__ a_vals,
                                                        const double *__restrict__ a_val_of)
{
    const int32_t thread = (int32_t)threadIdx.x;
    if (thread == 0) {
        double a_val = 0.0;
        a_val += a_val_of[0];
        a_vals[0] = a_val;
    }
}

#ifndef __CUDACC_RTC__
extern "C"
int evaluate(int32_t b1_dimension, const int32_t *__restrict__ b1_pos,
             const int32_t *__restrict__ b1_crd, const double *__restrict__ b_vals,
             const int32_t *__restrict__ c1_pos, const int32_t *__restrict__ c1_crd,
             const double *__restrict__ c_vals, double *__restrict__ a_vals, cudaStream_t stream)
{
    double *a_val_of = NULL;
    int status = 1;
    int32_t blocks;
    SPCC_TRY(cuda_allocate(a_val_of, 2048, stream));
    blocks = (int32_t)min_i64(((int64_t)b1_dimension + 255) / 256, 2048);
    SPCC_GRID(evaluate_block, blocks, 256, stream, b1_dimension, b1_pos, b1_crd, b_vals, c1_pos,
              c1_crd, c_vals, a_val_of);
    SPCC_GRID(evaluate_2_block, 1, 256, stream, blocks, a_val_of);
    SPCC_GRID(evaluate_3_block, 1, 32, stream, a_vals, a_val_of);
    SPCC_TRY(cuda_release(stream, a_val_of));
    return 0;

fail:
    cuda_release(stream, a_val_of);
    return status;
}
#endif
