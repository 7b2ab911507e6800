/* scatter.cu - y(j) = A(i,j) * x(i), A csr: a sum into places that the coordinates say.
 *
 * scatter_any    16 lanes a row, atomics: the sums have no order.
 * scatter_few    y has 4096 components or fewer: a block has its own in shared memory, and adds
 *                them to y at last.  Sums have no order.
 *     parallelize(i, gpu_block | gpu_warp, atomics); split(p, p0, lane, down, 16);
 *     parallelize(lane, gpu_thread, atomics);  few: precompute(..., own, {j,j,j}, dense, shared)
 * In order: csr_csc, then spmv.  Once, that is up to eleven times as slow; if the csc is kept, it is the fastest.
 *
 * H200, f64 ms (of cuSPARSE): uniform16 0.371 (1.03), narrow4000 0.167 (6.02); f32: 0.352 (1.03), 0.136 (7.52).
 * SPDX-License-Identifier: MIT
 */
#pragma once
#include "helpers.cuh"

enum { SCATTER_G = 16, SCATTER_FEW = 4096, SCATTER_BLOCKS = 264 };

/* Row i by the lanes of a team. */
static __device__ __forceinline__ void scatter_row(int64_t i, CSR(A), const value_t *__restrict__ x_vals, value_t *y) {
    const value_t x = x_vals[i];
    for (int32_t p = A2_pos[i] + threadIdx.x % SCATTER_G, end = A2_pos[i + 1]; p < end; p += SCATTER_G)
        atomicAdd(y + __ldcs(A2_crd + p), __ldcs(A_vals + p) * x);
}

static __global__ void __launch_bounds__(256)
    scatter_any(int32_t A1_dimension, CSR(A), const value_t *__restrict__ x_vals, value_t *__restrict__ y_vals) {
    const int64_t i = ((int64_t)blockIdx.x * 256 + threadIdx.x) / SCATTER_G;
    if (i < A1_dimension) scatter_row(i, GIVE(A), x_vals, y_vals);
}

static __global__ void __launch_bounds__(1024)
    scatter_few(int32_t A1_dimension, int32_t A2_dimension, CSR(A), const value_t *__restrict__ x_vals,
                value_t *__restrict__ y_vals) {
    __shared__ value_t own[SCATTER_FEW];
    for (int j = threadIdx.x; j < A2_dimension; j += 1024) own[j] = 0;
    __syncthreads();
    for (int64_t i = ((int64_t)blockIdx.x * 1024 + threadIdx.x) / SCATTER_G; i < A1_dimension;
         i += (int64_t)gridDim.x * (1024 / SCATTER_G))
        scatter_row(i, GIVE(A), x_vals, own);
    __syncthreads();
    for (int j = threadIdx.x; j < A2_dimension; j += 1024) atomicAdd(y_vals + j, own[j]);
}

extern "C" int scatter(int32_t A1_dimension, int32_t A2_dimension, CSR(A), const value_t *x_vals, value_t *y_vals,
                       cudaStream_t stream) {
    int status = 0;
    TRY(cudaMemsetAsync(y_vals, 0, A2_dimension * sizeof *y_vals, stream));
    const int64_t blocks = ((int64_t)A1_dimension * SCATTER_G + 255) / 256;
    if (status || !blocks) return status;
    if (A2_dimension <= SCATTER_FEW)
        LAUNCH(scatter_few, (int32_t)(blocks / 4 < SCATTER_BLOCKS ? blocks / 4 + 1 : SCATTER_BLOCKS), 1024, stream,
               A1_dimension, A2_dimension, GIVE(A), x_vals, y_vals);
    else
        LAUNCH(scatter_any, (int32_t)blocks, 256, stream, A1_dimension, GIVE(A), x_vals, y_vals);
    TRY(cudaGetLastError());
    return status;
}
