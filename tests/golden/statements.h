/* r(i) = b(i) - A(i,j) * x(j)
 *     r        f64   d
 *     b        f64   d
 *     A        f64   ds
 *     x        f64   d
 * made by spcc VERSION with
 *     spcc 'r(i) = b(i) - A(i,j) * x(j)' -f 'A:csr' --name=residual
 *
 *   b1_dimension  size of mode 1 of b: the range of i
 *   b_vals        b's values
 *   A2_dimension  size of mode 2 of A: the range of j
 *   A2_pos        A, level 2 (compressed): where each segment begins and ends
 *   A2_crd        A, level 2 (compressed): coordinates
 *   A_vals        A's values
 *   x_vals        x's values
 *   r_vals        r's values
 *
 * No two of the arrays may overlap.
 *
 * Returns 0.
 */
#ifndef SPCC_RESIDUAL_H
#define SPCC_RESIDUAL_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

int residual(int32_t b1_dimension, const double *b_vals, int32_t A2_dimension,
             const int32_t *A2_pos, const int32_t *A2_crd, const double *A_vals,
             const double *x_vals, double *r_vals);

#ifdef __cplusplus
}
#endif

#endif

/* n = max(i, abs(r(i)))
 *     n        f64   dense
 *     r        f64   d
 * made by spcc VERSION with
 *     spcc 'n = max(i, abs(r(i)))' --name=norm
 *
 *   r1_dimension  size of mode 1 of r: the range of i
 *   r_vals        r's values
 *   n_vals        n's values
 *
 * No two of the arrays may overlap.
 *
 * Returns 0.
 */
#ifndef SPCC_NORM_H
#define SPCC_NORM_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

int norm(int32_t r1_dimension, const double *r_vals, double *n_vals);

#ifdef __cplusplus
}
#endif

#endif

/* R(i,k) = B(i,k) - A(i,j) * X(j,k)
 *     R        f64   dd
 *     B        f64   dd
 *     A        f64   ds
 *     X        f64   dd
 * schedule: precompute(t, w, {k,k,kp}, dense); sequence(w); reorder(j, kp)
 * made by spcc VERSION with
 *     spcc 'R(i,k) = B(i,k) - A(i,j) * X(j,k)' -f 'A:csr' -d k:8 --name=compute_R
 *
 *   B1_dimension  size of mode 1 of B: the range of i
 *   B2_dimension  size of mode 2 of B: the range of k, which must be 8
 *   B_vals        B's values
 *   A2_dimension  size of mode 2 of A: the range of j
 *   A2_pos        A, level 2 (compressed): where each segment begins and ends
 *   A2_crd        A, level 2 (compressed): coordinates
 *   A_vals        A's values
 *   X_vals        X's values
 *   R_vals        R's values
 *
 * No two of the arrays may overlap.
 *
 * Returns 0.
 */
#ifndef SPCC_COMPUTE_R_H
#define SPCC_COMPUTE_R_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

int compute_R(int32_t B1_dimension, int32_t B2_dimension, const double *B_vals,
              int32_t A2_dimension, const int32_t *A2_pos, const int32_t *A2_crd,
              const double *A_vals, const double *X_vals, double *R_vals);

#ifdef __cplusplus
}
#endif

#endif
