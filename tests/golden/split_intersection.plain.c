/* a = b(i) * c(i)
 *     a        f64   dense
 *     b        f64   s
 *     c        f64   s
 * schedule: split(i,i0,i1,down,4)
 * made by spcc VERSION with
 *     spcc 'a = b(i) * c(i)' -f 'b:s' -f 'c:s' -s 'split(i,i0,i1,down,4)' --plain
 *
 *   b1_dimension  size of mode 1 of b: the range of i
 *   b1_pos        b, level 1 (compressed): where each segment begins and ends
 *   b1_crd        b, level 1 (compressed): coordinates
 *   b_vals        b's values
 *   c1_pos        c, level 1 (compressed): where each segment begins and ends
 *   c1_crd        c, level 1 (compressed): coordinates
 *   c_vals        c's values
 *   a_vals        a's values
 *
 * No two of the arrays may overlap.
 *
 * Returns 0.
 */
#include <stdint.h>

int evaluate(int32_t b1_dimension, const int32_t *b1_pos, const int32_t *b1_crd,
             const double *b_vals, const int32_t *c1_pos, const int32_t *c1_crd,
             const double *c_vals, double *a_vals)
{
    (void)b1_dimension;
    double a_val = 0.0;
    int32_t pb1 = b1_pos[0], pb1_end = b1_pos[1], pc1 = c1_pos[0], pc1_end = c1_pos[1];
    while (pb1 < pb1_end && pc1 < pc1_end) {
        int32_t i0b = b1_crd[pb1] / 4, i0c = c1_crd[pc1] / 4;
        if (i0b == i0c) {
            int32_t pb1_next = pb1;
            while (pb1_next < pb1_end && b1_crd[pb1_next] / 4 == i0b)
                pb1_next++;
            int32_t pc1_next = pc1;
            while (pc1_next < pc1_end && c1_crd[pc1_next] / 4 == i0b)
                pc1_next++;
            int32_t pb1_2 = pb1, pb1_end_2 = pb1_next, pc1_2 = pc1, pc1_end_2 = pc1_next;
            while (pb1_2 < pb1_end_2 && pc1_2 < pc1_end_2) {
                int32_t i1b = b1_crd[pb1_2] - i0b * 4, i1c = c1_crd[pc1_2] - i0b * 4;
                if (i1b == i1c)
                    a_val += b_vals[pb1_2++] * c_vals[pc1_2++];
                else if (i1b < i1c)
                    pb1_2++;
                else
                    pc1_2++;
            }
            pb1 = pb1_next;
            pc1 = pc1_next;
        } else if (i0b < i0c) {
            pb1++;
        } else {
            pc1++;
        }
    }
    a_vals[0] = a_val;
    return 0;
}
