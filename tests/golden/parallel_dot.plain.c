/* a = b(i) * c(i)
 *     a        f64   dense
 *     b        f64   s
 *     c        f64   d
 * schedule: parallelize(i, cpu_thread, temporary)
 * made by spcc VERSION with
 *     spcc 'a = b(i) * c(i)' -f 'b:s' -s 'parallelize(i, cpu_thread, temporary)' --plain
 *
 *   b1_dimension  size of mode 1 of b: the range of i
 *   b1_pos        b, level 1 (compressed): where each segment begins and ends
 *   b1_crd        b, level 1 (compressed): coordinates
 *   b_vals        b's values
 *   c_vals        c's values
 *   a_vals        a's values
 *
 * No two of the arrays may overlap.
 *
 * Returns 0.
 */
#include <stdint.h>

#include "helpers/plain/min_i64.c"

/* One of the parts, which may run at once. */
static void evaluate_part(int32_t part, const int32_t *b1_pos, const int32_t *b1_crd,
                          const double *b_vals, const double *c_vals, int32_t parts,
                          double *a_val_of)
{
    int32_t pb1_from = b1_pos[0], pb1_past = b1_pos[1];
    if (parts > 1) {
        pb1_from = b1_pos[0] + (int32_t)((int64_t)(b1_pos[1] - b1_pos[0]) * part / parts);
        pb1_past = b1_pos[0] + (int32_t)((int64_t)(b1_pos[1] - b1_pos[0]) * (part + 1) / parts);
    }
    double a_val = 0.0;
    for (int32_t pb1 = pb1_from; pb1 < pb1_past; pb1++)
        a_val += b_vals[pb1] * c_vals[b1_crd[pb1]];
    a_val_of[part] = a_val;
}

int evaluate(int32_t b1_dimension, const int32_t *b1_pos, const int32_t *b1_crd,
             const double *b_vals, const double *c_vals, double *a_vals)
{
    (void)b1_dimension;
    double a_val_of[257];
    double a_val = 0.0;
    int64_t work = (int64_t)b1_pos[1] - b1_pos[0];
    int32_t parts = (int32_t)(work < 65536 ? 1 : evaluate_min_i64(256, work / 32768));
    if (parts == 1) {
        evaluate_part(0, b1_pos, b1_crd, b_vals, c_vals, parts, a_val_of);
    } else {
#ifdef _OPENMP
#pragma omp parallel for schedule(static)
#endif
        for (int32_t part = 0; part < parts; part++)
            evaluate_part(part, b1_pos, b1_crd, b_vals, c_vals, parts, a_val_of);
    }
    for (int32_t part = 0; part < parts; part++)
        a_val += a_val_of[part];
    a_vals[0] = a_val;
    return 0;
}
