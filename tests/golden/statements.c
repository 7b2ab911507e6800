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
#include <stdint.h>

#if defined(__cplusplus) && !defined(restrict)
#define restrict __restrict
#endif

typedef double f64x4 __attribute__((vector_size(32), aligned(8), may_alias));

#ifdef __cplusplus
extern "C"
#endif
int residual(int32_t b1_dimension, const double *restrict b_vals, int32_t A2_dimension,
             const int32_t *restrict A2_pos, const int32_t *restrict A2_crd,
             const double *restrict A_vals, const double *restrict x_vals, double *restrict r_vals)
{
    (void)A2_dimension;
    for (int32_t i = 0; i < b1_dimension; i++) {
        double b_val = b_vals[i];
        double t = 0.0;
        int32_t pA2 = A2_pos[i];
        int32_t pA2_end = A2_pos[i + 1];
        if (pA2 < pA2_end - 3) {
            f64x4 t0 = {0};
            for (; pA2 < pA2_end - 3; pA2 += 4)
                t0 += *(const f64x4 *)(A_vals + pA2)
                    * (f64x4){x_vals[A2_crd[pA2]], x_vals[A2_crd[pA2 + 1]], x_vals[A2_crd[pA2 + 2]],
                    x_vals[A2_crd[pA2 + 3]]};
            t += t0[0] + t0[2] + (t0[1] + t0[3]);
        }
        #pragma GCC unroll 1
        for (; pA2 < pA2_end; pA2++) {
            int32_t j = A2_crd[pA2];
            t += A_vals[pA2] * x_vals[j];
        }
        r_vals[i] = b_val - t;
    }
    return 0;
}

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
#include <stdint.h>

#if defined(__cplusplus) && !defined(restrict)
#define restrict __restrict
#endif

typedef double f64x4 __attribute__((vector_size(32), aligned(8), may_alias));
typedef int64_t i64x4 __attribute__((vector_size(32), aligned(8), may_alias));
typedef double f64x2 __attribute__((vector_size(16), aligned(8), may_alias));
typedef int64_t i64x2 __attribute__((vector_size(16), aligned(8), may_alias));

#include "helpers/max_f64x4.c"
#include "helpers/max_f64x2.c"
#include "helpers/max_f64.c"

#ifdef __cplusplus
extern "C"
#endif
int norm(int32_t r1_dimension, const double *restrict r_vals, double *restrict n_vals)
{
    double t = -__builtin_inf();
    int32_t i = 0;
    if (i < r1_dimension - 3) {
        f64x4 t0 = (f64x4){__builtin_fabs(r_vals[r1_dimension - 4]),
            __builtin_fabs(r_vals[r1_dimension - 3]), __builtin_fabs(r_vals[r1_dimension - 2]),
            __builtin_fabs(r_vals[r1_dimension - 1])};
        for (; i < r1_dimension - 4; i += 4) {
            f64x4 next = (f64x4){__builtin_fabs(r_vals[i]), __builtin_fabs(r_vals[i + 1]),
                __builtin_fabs(r_vals[i + 2]), __builtin_fabs(r_vals[i + 3])};
            max_f64x4(&t0, &next);
        }
        i = r1_dimension;
        f64x2 half = (f64x2){t0[0], t0[1]};
        f64x2 next0 = (f64x2){t0[2], t0[3]};
        max_f64x2(&half, &next0);
        f64x2 next1 = (f64x2){half[1], half[0]};
        max_f64x2(&half, &next1);
        t = max_f64(t, half[0]);
    }
    #pragma GCC unroll 1
    for (; i < r1_dimension; i++)
        t = max_f64(t, __builtin_fabs(r_vals[i]));
    n_vals[0] = t;
    return 0;
}

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
#include <stdint.h>

#if defined(__cplusplus) && !defined(restrict)
#define restrict __restrict
#endif

typedef double f64x4 __attribute__((vector_size(32), aligned(8), may_alias));

#ifdef __cplusplus
extern "C"
#endif
int compute_R(int32_t B1_dimension, int32_t B2_dimension, const double *restrict B_vals,
              int32_t A2_dimension, const int32_t *restrict A2_pos, const int32_t *restrict A2_crd,
              const double *restrict A_vals, const double *restrict X_vals, double *restrict R_vals)
{
    (void)B2_dimension;
    (void)A2_dimension;
    int32_t pA2_last = A2_pos[B1_dimension];
    for (int32_t i = 0; i < B1_dimension; i++) {
        int64_t R_base = (int64_t)i * 8;
        f64x4 R_vals0 = *(const f64x4 *)(B_vals + R_base);
        f64x4 R_vals1 = *(const f64x4 *)(B_vals + R_base + 4);
        int32_t pA2_ahead = A2_pos[i + 1] <= pA2_last - 16 ? 16 : 0;
        for (int32_t pA2 = A2_pos[i]; pA2 < A2_pos[i + 1]; pA2++) {
            int32_t j = A2_crd[pA2];
            double A_val = A_vals[pA2];
            int64_t X_base = (int64_t)j * 8;
            R_vals0 -= A_val * *(const f64x4 *)(X_vals + X_base);
            R_vals1 -= A_val * *(const f64x4 *)(X_vals + X_base + 4);
            int64_t X_vals_next = (int64_t)A2_crd[pA2 + pA2_ahead] * 8;
            __builtin_prefetch(X_vals + X_vals_next);
        }
        *(f64x4 *)(R_vals + R_base) = R_vals0;
        *(f64x4 *)(R_vals + R_base + 4) = R_vals1;
    }
    return 0;
}
