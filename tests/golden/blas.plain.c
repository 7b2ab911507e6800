/* C(i,j) = A(i,k) * B(k,j)
 *     C        f64   dd
 *     A        f64   dd
 *     B        f64   dd
 * schedule: blas(i,j,k)
 * made by spcc VERSION with
 *     spcc 'C(i,j) = A(i,k) * B(k,j)' -s 'blas(i,j,k)' --plain
 *
 *   A1_dimension  size of mode 1 of A: the range of i
 *   A2_dimension  size of mode 2 of A: the range of k
 *   A_vals        A's values
 *   B2_dimension  size of mode 2 of B: the range of j
 *   B_vals        B's values
 *   C_vals        C's values
 *
 * No two of the arrays may overlap.
 *
 * Returns 0.
 *
 * Calls cblas_dgemm: link with a BLAS library that has the interface for C, as -lopenblas.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
extern "C"
#endif
void cblas_dgemm(int order, int a_across, int b_across, int m, int n, int k, double alpha,
                 const double *a, int a_step, const double *b, int b_step, double beta,
                 double *c, int c_step);

#include "helpers/plain/multiply_f64.c"

int evaluate(int32_t A1_dimension, int32_t A2_dimension, const double *A_vals, int32_t B2_dimension,
             const double *B_vals, double *C_vals)
{
    memset(C_vals, 0, (size_t)((int64_t)A1_dimension * B2_dimension) * sizeof(double));
    evaluate_multiply_f64(C_vals, 0, A_vals, 0, B_vals, 0, A1_dimension, B2_dimension, A2_dimension,
                          B2_dimension, A2_dimension, false, B2_dimension, false, false);
    return 0;
}
