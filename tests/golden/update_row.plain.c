/* A(2,j) *= 3
 *     A        f64   ds
 * made by spcc VERSION with
 *     spcc 'A(2,j) *= 3' -f 'A:csr' --plain
 *
 *   A1_dimension  size of mode 1 of A, larger than 2
 *   A2_dimension  size of mode 2 of A: the range of j
 *   A2_pos        A, level 2 (compressed): where each segment begins and ends
 *   A2_crd        A, level 2 (compressed): coordinates
 *   A_vals        A's values
 *
 * No two of the arrays may overlap.
 *
 * Returns 0, or 1 where there is no memory, or 3 where a size is too small for an index that the
 * statement names.
 */
#include <stdint.h>

int evaluate(int32_t A1_dimension, int32_t A2_dimension, const int32_t *A2_pos,
             const int32_t *A2_crd, double *A_vals)
{
    (void)A2_dimension; (void)A2_crd;
    if (A1_dimension <= 2) return 3;
    for (int32_t pA_before2 = A2_pos[2]; pA_before2 < A2_pos[3]; pA_before2++)
        A_vals[pA_before2] *= 3.0;
    return 0;
}
