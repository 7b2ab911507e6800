/* A(i,j) = B(i,j,k) * c(k)
 *     A        f64   dd
 *     B        f64   sss
 *     c        f64   d
 * schedule: collapse(i,j,f); collapse(f,k,g); pos(g,p,B(i,j,k)); split(p,p0,p1,down,32)
 * made by spcc VERSION with
 *     spcc 'A(i,j) = B(i,j,k) * c(k)' -f 'B:csf' -s 'collapse(i,j,f); collapse(f,k,g); pos(g,p,B(i,j,k)); split(p,p0,p1,down,32)' --plain
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
 *   c_vals        c's values
 *   A_vals        A's values
 *
 * No two of the arrays may overlap.
 *
 * Returns 0.
 */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "helpers/plain/min_i32.c"
#include "helpers/plain/find_first_i32.c"

int evaluate(int32_t B1_dimension, int32_t B2_dimension, int32_t B3_dimension,
             const int32_t *B1_pos, const int32_t *B1_crd, const int32_t *B2_pos,
             const int32_t *B2_crd, const int32_t *B3_pos, const int32_t *B3_crd,
             const double *B_vals, const double *c_vals, double *A_vals)
{
    (void)B3_dimension;
    int32_t p_size = B3_pos[B2_pos[B1_pos[1]]], p0_size = p_size / 32 + (p_size % 32 > 0);
    memset(A_vals, 0, (size_t)((int64_t)B1_dimension * B2_dimension) * sizeof(double));
    int32_t pB2 = (int32_t)(evaluate_find_first_i32(B3_pos, 1, (int64_t)B2_pos[B1_pos[1]] + 1, 1)
        - 1);
    int32_t pB1 = (int32_t)(evaluate_find_first_i32(B2_pos, 1, (int64_t)B1_pos[1] + 1, (int64_t)pB2
        + 1) - 1);
    for (int32_t p0 = 0; p0 < p0_size; p0++) {
        for (int32_t p1 = 0; p1 < evaluate_min_i32(32, p_size - p0 * 32); p1++) {
            int32_t p = p0 * 32 + p1, k = B3_crd[p];
            while (B3_pos[pB2 + 1] <= p)
                pB2++;
            int32_t j = B2_crd[pB2];
            while (B2_pos[pB1 + 1] <= pB2)
                pB1++;
            A_vals[(int64_t)B1_crd[pB1] * B2_dimension + j] += B_vals[p] * c_vals[k];
        }
    }
    return 0;
}
