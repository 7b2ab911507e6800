/* s = A(i,j) * D(i,j)
 *     s        f64   dense
 *     A        f64   ds
 *     D        f64   dd
 * made by spcc VERSION with
 *     spcc 's = A(i,j) * D(i,j)' -f 'A:csr'
 *
 *   A1_dimension  size of mode 1 of A: the range of i
 *   A2_dimension  size of mode 2 of A: the range of j
 *   A2_pos        A, level 2 (compressed): where each segment begins and ends
 *   A2_crd        A, level 2 (compressed): coordinates
 *   A_vals        A's values
 *   D_vals        D's values
 *   s_vals        s's values
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
int evaluate(int32_t A1_dimension, int32_t A2_dimension, const int32_t *restrict A2_pos,
             const int32_t *restrict A2_crd, const double *restrict A_vals,
             const double *restrict D_vals, double *restrict s_vals)
{
    double s_val = 0.0;
    f64x4 s_val0 = {0};
    for (int32_t i = 0; i < A1_dimension; i++) {
        int64_t D_base = (int64_t)i * A2_dimension;
        int32_t pA2 = A2_pos[i];
        int32_t pA2_end = A2_pos[i + 1];
        for (; pA2 < pA2_end - 3; pA2 += 4)
            s_val0 += *(const f64x4 *)(A_vals + pA2)
                * (f64x4){D_vals[D_base + A2_crd[pA2]], D_vals[D_base + A2_crd[pA2 + 1]],
                D_vals[D_base + A2_crd[pA2 + 2]], D_vals[D_base + A2_crd[pA2 + 3]]};
        #pragma GCC unroll 1
        for (; pA2 < pA2_end; pA2++) {
            int32_t j = A2_crd[pA2];
            s_val += A_vals[pA2] * D_vals[D_base + j];
        }
    }
    s_val += s_val0[0] + s_val0[2] + (s_val0[1] + s_val0[3]);
    s_vals[0] = s_val;
    return 0;
}
