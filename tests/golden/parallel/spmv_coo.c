/* y(i) = A(i,j) * x(j)
 *     y        f64   d
 *     A        f64   uq
 *     x        f64   d
 * schedule: parallelize(i, cpu_thread, no_races)
 * made by spcc VERSION with
 *     spcc 'y(i) = A(i,j) * x(j)' -f 'A:coo'
 *
 *   A1_dimension  size of mode 1 of A: the range of i
 *   A2_dimension  size of mode 2 of A: the range of j
 *   A1_pos        A, level 1 (compressed): where each segment begins and ends
 *   A1_crd        A, level 1 (compressed): coordinates
 *   A2_crd        A, level 2 (singleton): coordinates
 *   A_vals        A's values
 *   x_vals        x's values
 *   y_vals        y's values
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

#include "../helpers/min_i64.c"
#include "../helpers/thread_count.c"
#include "../helpers/find_first_i32.c"

/* One of the parts, which may run at once. */
static void evaluate_share(int32_t share, double *restrict y_vals, int64_t elements, int32_t shares)
{
    int64_t from = elements * share / shares;
    int64_t past = elements * (share + 1) / shares;
    for (int64_t at = from; at < past; at++)
        y_vals[at] = 0.0;
}

/* One of the parts, which may run at once. */
static void evaluate_part(int32_t part, const int32_t *restrict A1_pos,
                          const int32_t *restrict A1_crd, const int32_t *restrict A2_crd,
                          const double *restrict A_vals, const double *restrict x_vals,
                          double *restrict y_vals, int32_t parts)
{
    int32_t pA1_from = A1_pos[0];
    int32_t pA1_past = A1_pos[1];
    if (parts > 1) {
        for (int32_t bound = part; bound < part + 2; bound++) {
            pA1_from = pA1_past;
            pA1_past = A1_pos[0] + (int32_t)((int64_t)(A1_pos[1] - A1_pos[0]) * bound / parts);
            if (pA1_past < A1_pos[1])
                pA1_past = (int32_t)find_first_i32(A1_crd, A1_pos[0], pA1_past, A1_crd[pA1_past]);
        }
    }
    int32_t pA1 = pA1_from;
    int32_t pA1_end = pA1_past;
    while (pA1 < pA1_end) {
        int32_t i = A1_crd[pA1];
        int32_t pA1_next = pA1;
        while (pA1_next < pA1_end && A1_crd[pA1_next] == i)
            pA1_next++;
        double y_val = 0.0;
        int32_t pA2 = pA1;
        if (pA2 < pA1_next - 3) {
            f64x4 y_val0 = {0};
            for (; pA2 < pA1_next - 3; pA2 += 4)
                y_val0 += *(const f64x4 *)(A_vals + pA2)
                    * (f64x4){x_vals[A2_crd[pA2]], x_vals[A2_crd[pA2 + 1]], x_vals[A2_crd[pA2 + 2]],
                    x_vals[A2_crd[pA2 + 3]]};
            y_val += y_val0[0] + y_val0[2] + (y_val0[1] + y_val0[3]);
        }
        #pragma GCC unroll 1
        for (; pA2 < pA1_next; pA2++) {
            int32_t j = A2_crd[pA2];
            y_val += A_vals[pA2] * x_vals[j];
        }
        y_vals[i] = y_val;
        pA1 = pA1_next;
    }
}

#ifdef __cplusplus
extern "C"
#endif
int evaluate(int32_t A1_dimension, int32_t A2_dimension, const int32_t *restrict A1_pos,
             const int32_t *restrict A1_crd, const int32_t *restrict A2_crd,
             const double *restrict A_vals, const double *restrict x_vals, double *restrict y_vals)
{
    (void)A2_dimension;
    int64_t elements = A1_dimension;
    int32_t shares = (int32_t)(elements < 65536 ? 1 : min_i64(thread_count(), elements / 32768));
    if (shares == 1) {
        evaluate_share(0, y_vals, elements, shares);
    } else {
#ifdef _OPENMP
#pragma omp parallel for schedule(static)
#endif
        for (int32_t share = 0; share < shares; share++)
            evaluate_share(share, y_vals, elements, shares);
    }
    int64_t work = (int64_t)A1_pos[1] - A1_pos[0];
    int32_t parts = (int32_t)(work < 65536 ? 1
        : min_i64(thread_count() > 1 ? min_i64(16 * (int64_t)thread_count(), 256) : 1, work
        / 32768));
    if (parts == 1) {
        evaluate_part(0, A1_pos, A1_crd, A2_crd, A_vals, x_vals, y_vals, parts);
    } else {
#ifdef _OPENMP
#pragma omp parallel for schedule(static)
#endif
        for (int32_t part = 0; part < parts; part++)
            evaluate_part(part, A1_pos, A1_crd, A2_crd, A_vals, x_vals, y_vals, parts);
    }
    return 0;
}
