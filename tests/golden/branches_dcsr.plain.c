/* a(i) = sum(j, B(i,j) * c(j)) * sum(k, B(i,k) * d(k))
 *     a        f64   d
 *     B        f64   ss
 *     c        f64   s
 *     d        f64   s
 * made by spcc VERSION with
 *     spcc 'a(i) = sum(j, B(i,j) * c(j)) * sum(k, B(i,k) * d(k))' -f 'B:dcsr' -f 'c:s' -f 'd:s' --plain --no-plan
 *
 *   B1_dimension  size of mode 1 of B: the range of i
 *   B2_dimension  size of mode 2 of B: the range of j
 *   B1_pos        B, level 1 (compressed): where each segment begins and ends
 *   B1_crd        B, level 1 (compressed): coordinates
 *   B2_pos        B, level 2 (compressed): where each segment begins and ends
 *   B2_crd        B, level 2 (compressed): coordinates
 *   B_vals        B's values
 *   c1_pos        c, level 1 (compressed): where each segment begins and ends
 *   c1_crd        c, level 1 (compressed): coordinates
 *   c_vals        c's values
 *   d1_pos        d, level 1 (compressed): where each segment begins and ends
 *   d1_crd        d, level 1 (compressed): coordinates
 *   d_vals        d's values
 *   a_vals        a's values
 *
 * No two of the arrays may overlap.
 *
 * Returns 0.
 */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

int evaluate(int32_t B1_dimension, int32_t B2_dimension, const int32_t *B1_pos,
             const int32_t *B1_crd, const int32_t *B2_pos, const int32_t *B2_crd,
             const double *B_vals, const int32_t *c1_pos, const int32_t *c1_crd,
             const double *c_vals, const int32_t *d1_pos, const int32_t *d1_crd,
             const double *d_vals, double *a_vals)
{
    (void)B2_dimension;
    memset(a_vals, 0, (size_t)B1_dimension * sizeof(double));
    for (int32_t pB1 = B1_pos[0]; pB1 < B1_pos[1]; pB1++) {
        int32_t i = B1_crd[pB1];
        double t = 0.0;
        int32_t pB2 = B2_pos[pB1], pB2_end = B2_pos[pB1 + 1], pc1 = c1_pos[0], pc1_end = c1_pos[1];
        while (pB2 < pB2_end && pc1 < pc1_end) {
            int32_t jB = B2_crd[pB2], jc = c1_crd[pc1];
            if (jB == jc)
                t += B_vals[pB2++] * c_vals[pc1++];
            else if (jB < jc)
                pB2++;
            else
                pc1++;
        }
        double t2 = 0.0;
        int32_t pB2_2 = B2_pos[pB1], pB2_end_2 = B2_pos[pB1 + 1], pd1 = d1_pos[0];
        int32_t pd1_end = d1_pos[1];
        while (pB2_2 < pB2_end_2 && pd1 < pd1_end) {
            int32_t kB = B2_crd[pB2_2], kd = d1_crd[pd1];
            if (kB == kd)
                t2 += B_vals[pB2_2++] * d_vals[pd1++];
            else if (kB < kd)
                pB2_2++;
            else
                pd1++;
        }
        a_vals[i] = t * t2;
    }
    return 0;
}
