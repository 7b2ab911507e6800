/* y(i) = A(i,j) * x(j)
 *     y        f64   d
 *     A        f64   ds
 *     x        f64   d
 * schedule: collapse(i, j, f); pos(f, p, A(i,j)); split(p, po, pi, work, 1024); split(pi, pio, pii, down, 8); parallelize(po, gpu_block, temporary); parallelize(pio, gpu_thread, temporary)
 * made by spcc 0.2.0 with
 *     spcc 'y(i) = A(i,j) * x(j)' -f 'A:csr' --name=spmv --target=cuda
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
#ifndef SPCC_SPMV_H
#define SPCC_SPMV_H

#include <cuda_runtime_api.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

int spmv(int32_t A1_dimension, int32_t A2_dimension, const int32_t *A2_pos, const int32_t *A2_crd,
         const double *A_vals, const double *x_vals, double *y_vals, cudaStream_t stream);

#ifdef __cplusplus
}
#endif

#endif
