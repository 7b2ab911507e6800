/* a(i) = B(i,j,k) * C(j,k)
 *     a        f64   d
 *     B        f64   sss
 *     C        f64   dd
 * schedule: collapse(j,k,f); pos(f,p,B(i,j,k))
 * made by spcc VERSION with
 *     spcc 'a(i) = B(i,j,k) * C(j,k)' -f 'B:csf' -s 'collapse(j,k,f); pos(f,p,B(i,j,k))' --plain
 *
 *   B1_dimension  size of mode 1 of B: the range of i
 *   B2_dimension  size of mode 2 of B: the range of j
 *   B3_dimension  size of mode 3 of B: the range of k
 *   B1_pos        B, level 1 (compressed): where each segment begins and ends
 *   B1_crd        B, level 1 (compressed): coordinates
 *   B2_pos        B, level 2 (compressed): where each segment begins and ends
 *   B2_crd        B, level 2 (compressed): coordinates
 *   B3_pos        B, level 3 (compressed): where each segment begins and ends
 *   B3_crd        B, level 3 (compressed): coordinates
 *   B_vals        B's values
 *   C_vals        C's values
 *   a_vals        a's values
 *
 * No two of the arrays may overlap.
 *
 * Returns 0.
 */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "helpers/plain/find_first_i32.c"

int evaluate(int32_t B1_dimension, int32_t B2_dimension, int32_t B3_dimension,
             const int32_t *B1_pos, const int32_t *B1_crd, const int32_t *B2_pos,
             const int32_t *B2_crd, const int32_t *B3_pos, const int32_t *B3_crd,
             const double *B_vals, const double *C_vals, double *a_vals)
{
    (void)B2_dimension;
    memset(a_vals, 0, (size_t)B1_dimension * sizeof(double));
    for (int32_t pB1 = B1_pos[0]; pB1 < B1_pos[1]; pB1++) {
        int32_t i = B1_crd[pB1], p_begin = B3_pos[B2_pos[pB1]];
        int32_t p_size = B3_pos[B2_pos[pB1 + 1]] - B3_pos[B2_pos[pB1]];
        double a_val = 0.0;
        int32_t pB2 = (int32_t)(evaluate_find_first_i32(B3_pos, 1, (int64_t)B2_pos[B1_pos[1]] + 1,
            (int64_t)p_begin + 1) - 1);
        for (int32_t p = 0; p < p_size; p++) {
            int32_t k = B3_crd[p_begin + p];
            while (B3_pos[pB2 + 1] <= p_begin + p)
                pB2++;
            a_val += B_vals[p_begin + p] * C_vals[(int64_t)B2_crd[pB2] * B3_dimension + k];
        }
        a_vals[i] = a_val;
    }
    return 0;
}
