/* A(i,j) = B(i,k) * C(k,j) + D(i,j)
 *     A        f64   ds
 *     B        f64   ds
 *     C        f64   ds
 *     D        f64   ds
 * schedule: precompute(t + D(i,j), w, {j,j,jp}, bytemap); precompute(t, w2, {jp,jp,jpp}, bytemap(unordered)); sequence(w2); reorder(k, jpp); parallelize(i, gpu_warp, no_races); pos(jp, p, D(i,jp)); split(p, po, pi, down, 32); reorder(pi, po); parallelize(pi, gpu_thread, no_races); pos(jpp, p2, C(k,jpp)); split(p2, p2o, p2i, down, 32); reorder(p2i, p2o); parallelize(p2i, gpu_thread, no_races); bin(i, 96, 1536)
 * made by spcc VERSION with
 *     spcc 'A(i,j) = B(i,k) * C(k,j) + D(i,j)' -f 'A:csr' -f 'B:csr' -f 'C:csr' -f 'D:csr' --target=cuda
 *
 *   B1_dimension  size of mode 1 of B: the range of i
 *   B2_dimension  size of mode 2 of B: the range of k
 *   B2_pos        B, level 2 (compressed): where each segment begins and ends
 *   B2_crd        B, level 2 (compressed): coordinates
 *   B_vals        B's values
 *   C2_dimension  size of mode 2 of C: the range of j
 *   C2_pos        C, level 2 (compressed): where each segment begins and ends
 *   C2_crd        C, level 2 (compressed): coordinates
 *   C_vals        C's values
 *   D2_pos        D, level 2 (compressed): where each segment begins and ends
 *   D2_crd        D, level 2 (compressed): coordinates
 *   D_vals        D's values
 *   A2_pos_out    A, level 2 (compressed): where each segment begins and ends
 *   A2_crd_out    A, level 2 (compressed): coordinates
 *   A_vals_out    A's values
 *
 * No two of the arrays may overlap.
 *
 * Returns 0, or 1 where there is no memory, or the number of another error of CUDA's, negated, or 2
 * where a result has more components than its positions can count.
 *
 * The arrays are in the device's memory. What is done is done in the order of the stream.
 *
 * Each ..._out is set to an array that the caller releases, to NULL if the function fails.
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

#include "../helpers/cuda/min_i64.c"
#include "../helpers/cuda/popcount_u32.c"
#include "../helpers/cuda/shl_u32.c"
#include "../helpers/cuda/div_i64.c"
#include "../helpers/cuda/exchange_i32.c"
#include "../helpers/cuda/max_i64.c"
#include "../helpers/cuda/cuda_allocate.c"
#include "../helpers/cuda/cuda_status.c"
#include "../helpers/cuda/cuda_fetch.c"
#include "../helpers/cuda/cuda_release.c"
#include "../helpers/cuda/sort_bins_i32.c"
#include "../helpers/cuda/probe_width_i64.c"
#include "../helpers/cuda/probe_first_i64.c"
#include "../helpers/cuda/probe_next_i64.c"
#include "../helpers/cuda/probe_i32.c"
#include "../helpers/cuda/sort_exchange_i32.c"
#include "../helpers/cuda/sort_table_warp_i32.c"
#include "../helpers/cuda/sum_team32_i64.c"
#include "../helpers/cuda/sum_block_i64.c"
#include "../helpers/cuda/sum_block_list_i64.c"
#include "../helpers/cuda/sum_warp_up_to_i64.c"
#include "../helpers/cuda/sum_warp_before_i64.c"
#include "../helpers/cuda/sum_block_before_i64.c"
#include "../helpers/cuda/sum_block_scan_i64.c"
#include "../helpers/cuda/sum_grid_scan_i64.c"

SPCC_KERNEL void __launch_bounds__(256, 4) evaluate_block(int32_t B1_dimension,
                                                          const int32_t *__restrict__ B2_pos,
                                                          const int32_t *__restrict__ B2_crd,
                                                          const int32_t *__restrict__ C2_pos,
                                                          const int32_t *__restrict__ D2_pos,
                                                          int64_t *__restrict__ rooms)
{
    const int32_t block = (int32_t)blockIdx.x;
    const int32_t thread = (int32_t)threadIdx.x;
    #pragma unroll 1
    for (int64_t i = (int64_t)block * 256 + thread; i < B1_dimension; i += 2162688) {
        int64_t room = 0;
        int32_t p_size = D2_pos[i + 1] - D2_pos[i];
        int64_t nw = 0;
        for (int32_t pi = 0; pi < 32; pi++) {
            #pragma unroll 1
            for (int64_t p = pi; p < p_size; p += 32)
                nw++;
        }
        #pragma unroll 1
        for (int32_t pB2 = B2_pos[i]; pB2 < B2_pos[i + 1]; pB2++) {
            int32_t k = B2_crd[pB2];
            int32_t p2_size = C2_pos[k + 1] - C2_pos[k];
            for (int32_t p2i = 0; p2i < 32; p2i++) {
                #pragma unroll 1
                for (int64_t p2 = p2i; p2 < p2_size; p2 += 32)
                    nw++;
            }
        }
        room = room > nw ? room : nw;
        rooms[i] = room;
    }
}

SPCC_KERNEL void __launch_bounds__(256, 4) evaluate_2_block(const int32_t *__restrict__ B2_pos,
                                                            const int32_t *__restrict__ B2_crd,
                                                            int32_t C2_dimension,
                                                            const int32_t *__restrict__ C2_pos,
                                                            const int32_t *__restrict__ C2_crd,
                                                            const int32_t *__restrict__ D2_pos,
                                                            const int32_t *__restrict__ D2_crd,
                                                            int32_t blocks, int64_t rows1,
                                                            const int32_t *__restrict__ row_list,
                                                            const int64_t *__restrict__ rooms,
                                                            int64_t *A2_begin)
{
    const int32_t block = (int32_t)blockIdx.x;
    const int32_t thread = (int32_t)threadIdx.x;
    __shared__ int32_t w_key_2[1024];
    __shared__ int32_t w_crd_2[776];
    int64_t row = (int64_t)block * 8 + thread / 32;
    int64_t base = (int64_t)blocks * 8;
    #pragma unroll 1
    while (row < rows1) {
        int64_t part = row_list[row];
        int64_t room = rooms[part];
        int64_t pA2 = 0;
        int32_t p_begin = D2_pos[part];
        int32_t p_size = D2_pos[part + 1] - D2_pos[part];
        int64_t w_base = (int64_t)thread / 32 * 128;
        int64_t w_list = (int64_t)thread / 32 * 97 + 1;
        int64_t w_width = probe_width_i64(min_i64(room, C2_dimension));
        __syncwarp();
        #pragma unroll 1
        for (int64_t pw_key_2 = w_base + thread % 32; pw_key_2 < w_base + w_width; pw_key_2 += 32)
            w_key_2[pw_key_2] = -1;
        __syncwarp();
        #pragma unroll 1
        for (int64_t p = thread % 32; p < p_size; p += 32) {
            int32_t jp = D2_crd[p_begin + p];
            int64_t pw1 = w_base + probe_first_i64(jp, w_width);
            int32_t pw1_was;
            {
                int32_t before = -1;
                exchange_i32(&w_key_2[pw1], &before, jp);
                pw1_was = before;
            }
            #pragma unroll 1
            while (pw1_was != -1 && pw1_was != jp) {
                pw1 = w_base + probe_next_i64(pw1 - w_base, w_width);
                {
                    int32_t before = -1;
                    exchange_i32(&w_key_2[pw1], &before, jp);
                    pw1_was = before;
                }
            }
        }
        __syncwarp();
        #pragma unroll 1
        for (int32_t pB2 = B2_pos[part]; pB2 < B2_pos[part + 1]; pB2++) {
            int32_t k = B2_crd[pB2];
            int32_t p2_begin = C2_pos[k];
            int32_t p2_size = C2_pos[k + 1] - C2_pos[k];
            __syncwarp();
            #pragma unroll 1
            for (int64_t p2 = thread % 32; p2 < p2_size; p2 += 32) {
                int32_t jpp = C2_crd[p2_begin + p2];
                int64_t pw1 = w_base + probe_first_i64(jpp, w_width);
                int32_t pw1_was;
                {
                    int32_t before = -1;
                    exchange_i32(&w_key_2[pw1], &before, jpp);
                    pw1_was = before;
                }
                #pragma unroll 1
                while (pw1_was != -1 && pw1_was != jpp) {
                    pw1 = w_base + probe_next_i64(pw1 - w_base, w_width);
                    {
                        int32_t before = -1;
                        exchange_i32(&w_key_2[pw1], &before, jpp);
                        pw1_was = before;
                    }
                }
            }
            __syncwarp();
        }
        __syncwarp();
        sort_table_warp_i32(w_key_2, w_base, w_width, w_crd_2, w_list - 1, false, thread);
        __syncwarp();
        int32_t nw1 = w_crd_2[w_list - 1];
        pA2 += max_i64(w_list + nw1 - w_list, 0);
        if (thread % 32 == 0)
            A2_begin[part] = pA2;
        row += base;
    }
}

SPCC_KERNEL void __launch_bounds__(64, 16) evaluate_3_block(const int32_t *__restrict__ B2_pos,
                                                            const int32_t *__restrict__ B2_crd,
                                                            int32_t C2_dimension,
                                                            const int32_t *__restrict__ C2_pos,
                                                            const int32_t *__restrict__ C2_crd,
                                                            const int32_t *__restrict__ D2_pos,
                                                            const int32_t *__restrict__ D2_crd,
                                                            int32_t blocks, int64_t rows2,
                                                            const int32_t *__restrict__ row_list,
                                                            int64_t ni,
                                                            const int64_t *__restrict__ rooms,
                                                            int64_t *A2_begin)
{
    const int32_t block = (int32_t)blockIdx.x;
    const int32_t thread = (int32_t)threadIdx.x;
    __shared__ int32_t w_key_3[4096];
    __shared__ int32_t w_crd_3[3074];
    int64_t row = (int64_t)block * 2 + thread / 32;
    int64_t base = (int64_t)blocks * 2;
    #pragma unroll 1
    while (row < rows2) {
        int64_t part = row_list[ni + row];
        int64_t room = rooms[part];
        int64_t pA2 = 0;
        int32_t p_begin = D2_pos[part];
        int32_t p_size = D2_pos[part + 1] - D2_pos[part];
        int64_t w_base = (int64_t)thread / 32 * 2048;
        int64_t w_list = (int64_t)thread / 32 * 1537 + 1;
        int64_t w_width = probe_width_i64(min_i64(room, C2_dimension));
        __syncwarp();
        #pragma unroll 1
        for (int64_t pw_key_3 = w_base + thread % 32; pw_key_3 < w_base + w_width; pw_key_3 += 32)
            w_key_3[pw_key_3] = -1;
        __syncwarp();
        #pragma unroll 1
        for (int64_t p = thread % 32; p < p_size; p += 32) {
            int32_t jp = D2_crd[p_begin + p];
            int64_t pw1 = w_base + probe_first_i64(jp, w_width);
            int32_t pw1_was;
            {
                int32_t before = -1;
                exchange_i32(&w_key_3[pw1], &before, jp);
                pw1_was = before;
            }
            #pragma unroll 1
            while (pw1_was != -1 && pw1_was != jp) {
                pw1 = w_base + probe_next_i64(pw1 - w_base, w_width);
                {
                    int32_t before = -1;
                    exchange_i32(&w_key_3[pw1], &before, jp);
                    pw1_was = before;
                }
            }
        }
        __syncwarp();
        #pragma unroll 1
        for (int32_t pB2 = B2_pos[part]; pB2 < B2_pos[part + 1]; pB2++) {
            int32_t k = B2_crd[pB2];
            int32_t p2_begin = C2_pos[k];
            int32_t p2_size = C2_pos[k + 1] - C2_pos[k];
            __syncwarp();
            #pragma unroll 1
            for (int64_t p2 = thread % 32; p2 < p2_size; p2 += 32) {
                int32_t jpp = C2_crd[p2_begin + p2];
                int64_t pw1 = w_base + probe_first_i64(jpp, w_width);
                int32_t pw1_was;
                {
                    int32_t before = -1;
                    exchange_i32(&w_key_3[pw1], &before, jpp);
                    pw1_was = before;
                }
                #pragma unroll 1
                while (pw1_was != -1 && pw1_was != jpp) {
                    pw1 = w_base + probe_next_i64(pw1 - w_base, w_width);
                    {
                        int32_t before = -1;
                        exchange_i32(&w_key_3[pw1], &before, jpp);
                        pw1_was = before;
                    }
                }
            }
            __syncwarp();
        }
        __syncwarp();
        sort_table_warp_i32(w_key_3, w_base, w_width, w_crd_3, w_list - 1, false, thread);
        __syncwarp();
        int32_t nw1 = w_crd_3[w_list - 1];
        pA2 += max_i64(w_list + nw1 - w_list, 0);
        if (thread % 32 == 0)
            A2_begin[part] = pA2;
        row += base;
    }
}

SPCC_KERNEL void __launch_bounds__(256, 4) evaluate_4_block(const int32_t *__restrict__ B2_pos,
                                                            const int32_t *__restrict__ B2_crd,
                                                            int32_t C2_dimension,
                                                            const int32_t *__restrict__ C2_pos,
                                                            const int32_t *__restrict__ C2_crd,
                                                            const int32_t *__restrict__ D2_pos,
                                                            const int32_t *__restrict__ D2_crd,
                                                            int64_t ni, int32_t blocks,
                                                            int64_t rows3,
                                                            const int32_t *__restrict__ row_list,
                                                            const int64_t *__restrict__ rooms,
                                                            int64_t table_width, int32_t *w_key,
                                                            int32_t *w_crd, int64_t *A2_begin)
{
    const int32_t block = (int32_t)blockIdx.x;
    const int32_t thread = (int32_t)threadIdx.x;
    int64_t base = (int64_t)block * 8;
    int64_t row = base + thread / 32;
    int64_t row_base = 2 * ni;
    int64_t base_2 = (int64_t)blocks * 8;
    #pragma unroll 1
    while (row < rows3) {
        int64_t part = row_list[row_base + row];
        int64_t room = rooms[part];
        int64_t pA2 = 0;
        int32_t p_begin = D2_pos[part];
        int32_t p_size = D2_pos[part + 1] - D2_pos[part];
        int64_t w_base = (base + thread / 32) * table_width;
        int64_t w_list = (base + thread / 32) * (table_width + 1) + 1;
        int64_t w_width = probe_width_i64(min_i64(room, C2_dimension));
        __syncwarp();
        #pragma unroll 1
        for (int64_t pw_key = w_base + thread % 32; pw_key < w_base + w_width; pw_key += 32)
            w_key[pw_key] = -1;
        __syncwarp();
        #pragma unroll 1
        for (int64_t p = thread % 32; p < p_size; p += 32) {
            int32_t jp = D2_crd[p_begin + p];
            int64_t pw1 = w_base + probe_first_i64(jp, w_width);
            int32_t pw1_was;
            {
                int32_t before = -1;
                exchange_i32(&w_key[pw1], &before, jp);
                pw1_was = before;
            }
            #pragma unroll 1
            while (pw1_was != -1 && pw1_was != jp) {
                pw1 = w_base + probe_next_i64(pw1 - w_base, w_width);
                {
                    int32_t before = -1;
                    exchange_i32(&w_key[pw1], &before, jp);
                    pw1_was = before;
                }
            }
        }
        __syncwarp();
        #pragma unroll 1
        for (int32_t pB2 = B2_pos[part]; pB2 < B2_pos[part + 1]; pB2++) {
            int32_t k = B2_crd[pB2];
            int32_t p2_begin = C2_pos[k];
            int32_t p2_size = C2_pos[k + 1] - C2_pos[k];
            __syncwarp();
            #pragma unroll 1
            for (int64_t p2 = thread % 32; p2 < p2_size; p2 += 32) {
                int32_t jpp = C2_crd[p2_begin + p2];
                int64_t pw1 = w_base + probe_first_i64(jpp, w_width);
                int32_t pw1_was;
                {
                    int32_t before = -1;
                    exchange_i32(&w_key[pw1], &before, jpp);
                    pw1_was = before;
                }
                #pragma unroll 1
                while (pw1_was != -1 && pw1_was != jpp) {
                    pw1 = w_base + probe_next_i64(pw1 - w_base, w_width);
                    {
                        int32_t before = -1;
                        exchange_i32(&w_key[pw1], &before, jpp);
                        pw1_was = before;
                    }
                }
            }
            __syncwarp();
        }
        __syncwarp();
        sort_table_warp_i32(w_key, w_base, w_width, w_crd, w_list - 1, false, thread);
        __syncwarp();
        int32_t nw1 = w_crd[w_list - 1];
        pA2 += max_i64(w_list + nw1 - w_list, 0);
        if (thread % 32 == 0)
            A2_begin[part] = pA2;
        row += base_2;
    }
}

SPCC_KERNEL void __launch_bounds__(32) evaluate_5_block(int32_t *__restrict__ A2_pos)
{
    const int32_t thread = (int32_t)threadIdx.x;
    if (thread == 0)
        A2_pos[0] = 0;
}

SPCC_KERNEL void __launch_bounds__(256, 4) evaluate_6_block(const int32_t *__restrict__ B2_pos,
                                                            const int32_t *__restrict__ B2_crd,
                                                            const double *__restrict__ B_vals,
                                                            int32_t C2_dimension,
                                                            const int32_t *__restrict__ C2_pos,
                                                            const int32_t *__restrict__ C2_crd,
                                                            const double *__restrict__ C_vals,
                                                            const int32_t *__restrict__ D2_pos,
                                                            const int32_t *__restrict__ D2_crd,
                                                            const double *__restrict__ D_vals,
                                                            int32_t *A2_pos, int32_t *A2_crd,
                                                            double *A_vals, int32_t blocks,
                                                            int64_t rows1,
                                                            const int32_t *__restrict__ row_list,
                                                            const int64_t *__restrict__ rooms,
                                                            const int64_t *__restrict__ A2_begin)
{
    const int32_t block = (int32_t)blockIdx.x;
    const int32_t thread = (int32_t)threadIdx.x;
    __shared__ int32_t w_key_4[1024];
    __shared__ int32_t w_crd_4[776];
    __shared__ double w_vals_7[1024];
    int64_t row = (int64_t)block * 8 + thread / 32;
    int64_t base = (int64_t)blocks * 8;
    #pragma unroll 1
    while (row < rows1) {
        int64_t part = row_list[row];
        int64_t room = rooms[part];
        int32_t pA2 = (int32_t)A2_begin[part];
        int32_t p_begin = D2_pos[part];
        int32_t p_size = D2_pos[part + 1] - D2_pos[part];
        int64_t w_base = (int64_t)thread / 32 * 128;
        int64_t w_list = (int64_t)thread / 32 * 97 + 1;
        int64_t w_width = probe_width_i64(min_i64(room, C2_dimension));
        __syncwarp();
        #pragma unroll 1
        for (int64_t pw_key_4 = w_base + thread % 32; pw_key_4 < w_base + w_width; pw_key_4 += 32)
            w_key_4[pw_key_4] = -1;
        __syncwarp();
        #pragma unroll 1
        for (int64_t pw_vals_7 = w_base + thread % 32; pw_vals_7 < w_base + w_width;
             pw_vals_7 += 32)
            w_vals_7[pw_vals_7] = 0.0;
        __syncwarp();
        #pragma unroll 1
        for (int64_t p = thread % 32; p < p_size; p += 32) {
            int32_t jp = D2_crd[p_begin + p];
            int64_t pw1 = w_base + probe_first_i64(jp, w_width);
            int32_t pw1_was;
            {
                int32_t before = -1;
                exchange_i32(&w_key_4[pw1], &before, jp);
                pw1_was = before;
            }
            #pragma unroll 1
            while (pw1_was != -1 && pw1_was != jp) {
                pw1 = w_base + probe_next_i64(pw1 - w_base, w_width);
                {
                    int32_t before = -1;
                    exchange_i32(&w_key_4[pw1], &before, jp);
                    pw1_was = before;
                }
            }
            w_vals_7[pw1] = D_vals[p_begin + p];
        }
        __syncwarp();
        #pragma unroll 1
        for (int32_t pB2 = B2_pos[part]; pB2 < B2_pos[part + 1]; pB2++) {
            int32_t k = B2_crd[pB2];
            double B_val = B_vals[pB2];
            int32_t p2_begin = C2_pos[k];
            int32_t p2_size = C2_pos[k + 1] - C2_pos[k];
            __syncwarp();
            #pragma unroll 1
            for (int64_t p2 = thread % 32; p2 < p2_size; p2 += 32) {
                int32_t jpp = C2_crd[p2_begin + p2];
                int64_t pw1 = w_base + probe_first_i64(jpp, w_width);
                int32_t pw1_was;
                {
                    int32_t before = -1;
                    exchange_i32(&w_key_4[pw1], &before, jpp);
                    pw1_was = before;
                }
                #pragma unroll 1
                while (pw1_was != -1 && pw1_was != jpp) {
                    pw1 = w_base + probe_next_i64(pw1 - w_base, w_width);
                    {
                        int32_t before = -1;
                        exchange_i32(&w_key_4[pw1], &before, jpp);
                        pw1_was = before;
                    }
                }
                w_vals_7[pw1] += B_val * C_vals[p2_begin + p2];
            }
            __syncwarp();
        }
        __syncwarp();
        sort_table_warp_i32(w_key_4, w_base, w_width, w_crd_4, w_list - 1, true, thread);
        __syncwarp();
        int32_t nw1 = w_crd_4[w_list - 1];
        int64_t npw1 = max_i64(w_list + nw1 - w_list, 0);
        #pragma unroll 1
        for (int64_t at_4 = thread % 32; at_4 < npw1; at_4 += 32) {
            int32_t j = w_crd_4[w_list + at_4];
            int64_t pw1 = probe_i32(w_key_4, w_base, w_width, j);
            A_vals[pA2 + (int32_t)at_4] = w_vals_7[pw1];
            A2_crd[pA2 + (int32_t)at_4] = j;
        }
        pA2 += (int32_t)npw1;
        if (thread % 32 == 0)
            A2_pos[part + 1] = pA2;
        row += base;
    }
}

SPCC_KERNEL void __launch_bounds__(32, 16) evaluate_7_block(const int32_t *__restrict__ B2_pos,
                                                            const int32_t *__restrict__ B2_crd,
                                                            const double *__restrict__ B_vals,
                                                            int32_t C2_dimension,
                                                            const int32_t *__restrict__ C2_pos,
                                                            const int32_t *__restrict__ C2_crd,
                                                            const double *__restrict__ C_vals,
                                                            const int32_t *__restrict__ D2_pos,
                                                            const int32_t *__restrict__ D2_crd,
                                                            const double *__restrict__ D_vals,
                                                            int32_t *A2_pos, int32_t *A2_crd,
                                                            double *A_vals, int64_t rows2,
                                                            const int32_t *__restrict__ row_list,
                                                            int64_t ni,
                                                            const int64_t *__restrict__ rooms,
                                                            const int64_t *__restrict__ A2_begin,
                                                            int32_t blocks)
{
    const int32_t block = (int32_t)blockIdx.x;
    const int32_t thread = (int32_t)threadIdx.x;
    __shared__ int32_t w_key_5[2048];
    __shared__ int32_t w_crd_5[1537];
    __shared__ double w_vals_9[2048];
    int64_t row = (int64_t)block + thread / 32;
    #pragma unroll 1
    while (row < rows2) {
        int64_t part = row_list[ni + row];
        int64_t room = rooms[part];
        int32_t pA2 = (int32_t)A2_begin[part];
        int32_t p_begin = D2_pos[part];
        int32_t p_size = D2_pos[part + 1] - D2_pos[part];
        int64_t w_base = (int64_t)thread / 32 * 2048;
        int64_t w_list = (int64_t)thread / 32 * 1537 + 1;
        int64_t w_width = probe_width_i64(min_i64(room, C2_dimension));
        __syncwarp();
        #pragma unroll 1
        for (int64_t pw_key_5 = w_base + thread % 32; pw_key_5 < w_base + w_width; pw_key_5 += 32)
            w_key_5[pw_key_5] = -1;
        __syncwarp();
        #pragma unroll 1
        for (int64_t pw_vals_9 = w_base + thread % 32; pw_vals_9 < w_base + w_width;
             pw_vals_9 += 32)
            w_vals_9[pw_vals_9] = 0.0;
        __syncwarp();
        #pragma unroll 1
        for (int64_t p = thread % 32; p < p_size; p += 32) {
            int32_t jp = D2_crd[p_begin + p];
            int64_t pw1 = w_base + probe_first_i64(jp, w_width);
            int32_t pw1_was;
            {
                int32_t before = -1;
                exchange_i32(&w_key_5[pw1], &before, jp);
                pw1_was = before;
            }
            #pragma unroll 1
            while (pw1_was != -1 && pw1_was != jp) {
                pw1 = w_base + probe_next_i64(pw1 - w_base, w_width);
                {
                    int32_t before = -1;
                    exchange_i32(&w_key_5[pw1], &before, jp);
                    pw1_was = before;
                }
            }
            w_vals_9[pw1] = D_vals[p_begin + p];
        }
        __syncwarp();
        #pragma unroll 1
        for (int32_t pB2 = B2_pos[part]; pB2 < B2_pos[part + 1]; pB2++) {
            int32_t k = B2_crd[pB2];
            double B_val = B_vals[pB2];
            int32_t p2_begin = C2_pos[k];
            int32_t p2_size = C2_pos[k + 1] - C2_pos[k];
            __syncwarp();
            #pragma unroll 1
            for (int64_t p2 = thread % 32; p2 < p2_size; p2 += 32) {
                int32_t jpp = C2_crd[p2_begin + p2];
                int64_t pw1 = w_base + probe_first_i64(jpp, w_width);
                int32_t pw1_was;
                {
                    int32_t before = -1;
                    exchange_i32(&w_key_5[pw1], &before, jpp);
                    pw1_was = before;
                }
                #pragma unroll 1
                while (pw1_was != -1 && pw1_was != jpp) {
                    pw1 = w_base + probe_next_i64(pw1 - w_base, w_width);
                    {
                        int32_t before = -1;
                        exchange_i32(&w_key_5[pw1], &before, jpp);
                        pw1_was = before;
                    }
                }
                w_vals_9[pw1] += B_val * C_vals[p2_begin + p2];
            }
            __syncwarp();
        }
        __syncwarp();
        sort_table_warp_i32(w_key_5, w_base, w_width, w_crd_5, w_list - 1, true, thread);
        __syncwarp();
        int32_t nw1 = w_crd_5[w_list - 1];
        int64_t npw1 = max_i64(w_list + nw1 - w_list, 0);
        #pragma unroll 1
        for (int64_t at_5 = thread % 32; at_5 < npw1; at_5 += 32) {
            int32_t j = w_crd_5[w_list + at_5];
            int64_t pw1 = probe_i32(w_key_5, w_base, w_width, j);
            A_vals[pA2 + (int32_t)at_5] = w_vals_9[pw1];
            A2_crd[pA2 + (int32_t)at_5] = j;
        }
        pA2 += (int32_t)npw1;
        if (thread % 32 == 0)
            A2_pos[part + 1] = pA2;
        row += blocks;
    }
}

SPCC_KERNEL void __launch_bounds__(256, 4) evaluate_8_block(const int32_t *__restrict__ B2_pos,
                                                            const int32_t *__restrict__ B2_crd,
                                                            const double *__restrict__ B_vals,
                                                            int32_t C2_dimension,
                                                            const int32_t *__restrict__ C2_pos,
                                                            const int32_t *__restrict__ C2_crd,
                                                            const double *__restrict__ C_vals,
                                                            const int32_t *__restrict__ D2_pos,
                                                            const int32_t *__restrict__ D2_crd,
                                                            const double *__restrict__ D_vals,
                                                            int32_t *A2_pos, int32_t *A2_crd,
                                                            double *A_vals, int64_t ni,
                                                            int32_t blocks, int64_t rows3,
                                                            const int32_t *__restrict__ row_list,
                                                            const int64_t *__restrict__ rooms,
                                                            const int64_t *__restrict__ A2_begin,
                                                            int64_t table_width, int32_t *w_key,
                                                            double *w_vals, int32_t *w_crd)
{
    const int32_t block = (int32_t)blockIdx.x;
    const int32_t thread = (int32_t)threadIdx.x;
    int64_t base = (int64_t)block * 8;
    int64_t row = base + thread / 32;
    int64_t row_base = 2 * ni;
    int64_t base_2 = (int64_t)blocks * 8;
    #pragma unroll 1
    while (row < rows3) {
        int64_t part = row_list[row_base + row];
        int64_t room = rooms[part];
        int32_t pA2 = (int32_t)A2_begin[part];
        int32_t p_begin = D2_pos[part];
        int32_t p_size = D2_pos[part + 1] - D2_pos[part];
        int64_t w_base = (base + thread / 32) * table_width;
        int64_t w_list = (base + thread / 32) * (table_width + 1) + 1;
        int64_t w_width = probe_width_i64(min_i64(room, C2_dimension));
        __syncwarp();
        #pragma unroll 1
        for (int64_t pw_key = w_base + thread % 32; pw_key < w_base + w_width; pw_key += 32)
            w_key[pw_key] = -1;
        __syncwarp();
        #pragma unroll 1
        for (int64_t pw_vals = w_base + thread % 32; pw_vals < w_base + w_width; pw_vals += 32)
            w_vals[pw_vals] = 0.0;
        __syncwarp();
        #pragma unroll 1
        for (int64_t p = thread % 32; p < p_size; p += 32) {
            int32_t jp = D2_crd[p_begin + p];
            int64_t pw1 = w_base + probe_first_i64(jp, w_width);
            int32_t pw1_was;
            {
                int32_t before = -1;
                exchange_i32(&w_key[pw1], &before, jp);
                pw1_was = before;
            }
            #pragma unroll 1
            while (pw1_was != -1 && pw1_was != jp) {
                pw1 = w_base + probe_next_i64(pw1 - w_base, w_width);
                {
                    int32_t before = -1;
                    exchange_i32(&w_key[pw1], &before, jp);
                    pw1_was = before;
                }
            }
            w_vals[pw1] = D_vals[p_begin + p];
        }
        __syncwarp();
        #pragma unroll 1
        for (int32_t pB2 = B2_pos[part]; pB2 < B2_pos[part + 1]; pB2++) {
            int32_t k = B2_crd[pB2];
            double B_val = B_vals[pB2];
            int32_t p2_begin = C2_pos[k];
            int32_t p2_size = C2_pos[k + 1] - C2_pos[k];
            __syncwarp();
            #pragma unroll 1
            for (int64_t p2 = thread % 32; p2 < p2_size; p2 += 32) {
                int32_t jpp = C2_crd[p2_begin + p2];
                int64_t pw1 = w_base + probe_first_i64(jpp, w_width);
                int32_t pw1_was;
                {
                    int32_t before = -1;
                    exchange_i32(&w_key[pw1], &before, jpp);
                    pw1_was = before;
                }
                #pragma unroll 1
                while (pw1_was != -1 && pw1_was != jpp) {
                    pw1 = w_base + probe_next_i64(pw1 - w_base, w_width);
                    {
                        int32_t before = -1;
                        exchange_i32(&w_key[pw1], &before, jpp);
                        pw1_was = before;
                    }
                }
                w_vals[pw1] += B_val * C_vals[p2_begin + p2];
            }
            __syncwarp();
        }
        __syncwarp();
        sort_table_warp_i32(w_key, w_base, w_width, w_crd, w_list - 1, true, thread);
        __syncwarp();
        int32_t nw1 = w_crd[w_list - 1];
        int64_t npw1 = max_i64(w_list + nw1 - w_list, 0);
        #pragma unroll 1
        for (int64_t at_6 = thread % 32; at_6 < npw1; at_6 += 32) {
            int32_t j = w_crd[w_list + at_6];
            int64_t pw1 = probe_i32(w_key, w_base, w_width, j);
            A_vals[pA2 + (int32_t)at_6] = w_vals[pw1];
            A2_crd[pA2 + (int32_t)at_6] = j;
        }
        pA2 += (int32_t)npw1;
        if (thread % 32 == 0)
            A2_pos[part + 1] = pA2;
        row += base_2;
    }
}

#ifndef __CUDACC_RTC__
extern "C"
int evaluate(int32_t B1_dimension, int32_t B2_dimension, const int32_t *__restrict__ B2_pos,
             const int32_t *__restrict__ B2_crd, const double *__restrict__ B_vals,
             int32_t C2_dimension, const int32_t *__restrict__ C2_pos,
             const int32_t *__restrict__ C2_crd, const double *__restrict__ C_vals,
             const int32_t *__restrict__ D2_pos, const int32_t *__restrict__ D2_crd,
             const double *__restrict__ D_vals, int32_t **A2_pos_out, int32_t **A2_crd_out,
             double **A_vals_out, cudaStream_t stream)
{
    (void)B2_dimension;
    int32_t *A2_pos = NULL, *A2_crd = NULL;
    double *A_vals = NULL;
    int64_t *A2_begin = NULL, *rooms = NULL;
    int32_t *row_list = NULL;
    int64_t *row_count = NULL;
    int32_t *w_key = NULL, *w_crd = NULL;
    double *w_vals = NULL;
    int status = 1;
    int32_t blocks;
    int64_t rows1, rows2, rows3, room_most, table_width, tables;
    int32_t blocks_2, blocks_3, blocks_4;
    int64_t nA2;
    int32_t blocks_5, blocks_6, blocks_7;
    int64_t ni = max_i64(B1_dimension, 0);
    SPCC_TRY(cuda_allocate(A2_begin, ni + 1025, stream));
    SPCC_TRY(cuda_allocate(rooms, ni, stream));
    blocks = (int32_t)min_i64((ni + 255) / 256, 8448);
    SPCC_GRID(evaluate_block, blocks, 256, stream, B1_dimension, B2_pos, B2_crd, C2_pos, D2_pos,
              rooms);
    SPCC_TRY(cuda_allocate(row_list, ni * 3, stream));
    SPCC_TRY(cuda_allocate(row_count, 4, stream));
    sort_bins_i32(rooms, ni, 96, 1536, row_list, row_count, stream);
    SPCC_TRY(cudaGetLastError());
    SPCC_TRY(cuda_fetch(rows1, &row_count[0], stream));
    SPCC_TRY(cuda_fetch(rows2, &row_count[1], stream));
    SPCC_TRY(cuda_fetch(rows3, &row_count[2], stream));
    SPCC_TRY(cuda_fetch(room_most, &row_count[3], stream));
    SPCC_TRY(cuda_release(stream, row_count));
    table_width = rows3 > 0 ? probe_width_i64(min_i64(max_i64(0, C2_dimension), room_most)) : 0;
    tables = max_i64(min_i64(div_i64(67108864, table_width + 1), 2048), 8);
    SPCC_TRY(cuda_allocate(w_key, tables * table_width, stream));
    SPCC_TRY(cuda_allocate(w_crd, tables * (table_width + 1), stream));
    SPCC_TRY(cuda_allocate(w_vals, tables * table_width, stream));
    blocks_2 = (int32_t)min_i64((rows1 + 7) / 8, 8448);
    SPCC_GRID(evaluate_2_block, blocks_2, 256, stream, B2_pos, B2_crd, C2_dimension, C2_pos, C2_crd,
              D2_pos, D2_crd, blocks_2, rows1, row_list, rooms, A2_begin);
    blocks_3 = (int32_t)min_i64((rows2 + 1) / 2, 8448);
    SPCC_GRID(evaluate_3_block, blocks_3, 64, stream, B2_pos, B2_crd, C2_dimension, C2_pos, C2_crd,
              D2_pos, D2_crd, blocks_3, rows2, row_list, ni, rooms, A2_begin);
    blocks_4 = (int32_t)min_i64((rows3 + 7) / 8, min_i64(8448, tables / 8));
    SPCC_GRID(evaluate_4_block, blocks_4, 256, stream, B2_pos, B2_crd, C2_dimension, C2_pos, C2_crd,
              D2_pos, D2_crd, ni, blocks_4, rows3, row_list, rooms, table_width, w_key, w_crd,
              A2_begin);
    sum_grid_scan_i64(A2_begin, ni, stream);
    SPCC_TRY(cudaGetLastError());
    SPCC_TRY(cuda_fetch(nA2, &A2_begin[ni], stream));
    if (nA2 > 2147483647) {
        status = 2;
        goto fail;
    }
    SPCC_TRY(cuda_allocate(A2_pos, (int64_t)B1_dimension + 1, stream));
    SPCC_TRY(cuda_allocate(A2_crd, nA2, stream));
    SPCC_TRY(cuda_allocate(A_vals, nA2, stream));
    blocks_5 = (int32_t)min_i64((rows1 + 7) / 8, 8448);
    SPCC_GRID(evaluate_5_block, 1, 32, stream, A2_pos);
    SPCC_GRID(evaluate_6_block, blocks_5, 256, stream, B2_pos, B2_crd, B_vals, C2_dimension, C2_pos,
              C2_crd, C_vals, D2_pos, D2_crd, D_vals, A2_pos, A2_crd, A_vals, blocks_5, rows1,
              row_list, rooms, A2_begin);
    blocks_6 = (int32_t)(rows2 < 8448 ? rows2 : 8448);
    SPCC_GRID(evaluate_7_block, blocks_6, 32, stream, B2_pos, B2_crd, B_vals, C2_dimension, C2_pos,
              C2_crd, C_vals, D2_pos, D2_crd, D_vals, A2_pos, A2_crd, A_vals, rows2, row_list, ni,
              rooms, A2_begin, blocks_6);
    blocks_7 = (int32_t)min_i64((rows3 + 7) / 8, min_i64(8448, tables / 8));
    SPCC_GRID(evaluate_8_block, blocks_7, 256, stream, B2_pos, B2_crd, B_vals, C2_dimension, C2_pos,
              C2_crd, C_vals, D2_pos, D2_crd, D_vals, A2_pos, A2_crd, A_vals, ni, blocks_7, rows3,
              row_list, rooms, A2_begin, table_width, w_key, w_vals, w_crd);
    SPCC_TRY(cuda_release(stream, A2_begin, rooms, row_list, w_key, w_crd, w_vals));
    *A2_pos_out = A2_pos;
    *A2_crd_out = A2_crd;
    *A_vals_out = A_vals;
    return 0;

fail:
    cuda_release(stream, A2_pos, A2_crd, A_vals, A2_begin, rooms, row_list, row_count, w_key, w_crd,
        w_vals);
    *A2_pos_out = NULL;
    *A2_crd_out = NULL;
    *A_vals_out = NULL;
    return status;
}
#endif
