/* A(i,j) = B(i,k,l) * D(l,j) * C(k,j)
 *     A        f64   dd
 *     B        f64   sss
 *     D        f64   dd
 *     C        f64   dd
 * schedule: reorder(i, k, l, j); parallelize(i, cpu_thread, no_races)
 * made by spcc VERSION with
 *     spcc 'A(i,j) = B(i,k,l) * D(l,j) * C(k,j)' -f 'B:csf' --plain
 *
 *   B1_dimension  size of mode 1 of B: the range of i
 *   B2_dimension  size of mode 2 of B: the range of k
 *   B3_dimension  size of mode 3 of B: the range of l
 *   B1_pos        B, level 1 (compressed): where each segment begins and ends
 *   B1_crd        B, level 1 (compressed): coordinates
 *   B2_pos        B, level 2 (compressed): where each segment begins and ends
 *   B2_crd        B, level 2 (compressed): coordinates
 *   B3_pos        B, level 3 (compressed): where each segment begins and ends
 *   B3_crd        B, level 3 (compressed): coordinates
 *   B_vals        B's values
 *   D2_dimension  size of mode 2 of D: the range of j
 *   D_vals        D's values
 *   C_vals        C's values
 *   A_vals        A's values
 *
 * No two of the arrays may overlap.
 *
 * Returns 0.
 */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

static inline int64_t evaluate_min_i64(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

#ifdef _OPENMP
#include <omp.h>
#endif
/* How many threads a parallel loop has here. */
static inline int32_t evaluate_thread_count(void)
{
#ifdef _OPENMP
    return omp_in_parallel() ? 1 : omp_get_max_threads();
#else
    return 1;
#endif
}

/* One of the parts, which may run at once. */
static void evaluate_part(int32_t part, const int32_t *B1_pos, const int32_t *B1_crd,
                          const int32_t *B2_pos, const int32_t *B2_crd, const int32_t *B3_pos,
                          const int32_t *B3_crd, const double *B_vals, int32_t D2_dimension,
                          const double *D_vals, const double *C_vals, double *A_vals, int32_t parts,
                          int64_t work_before, int64_t work, int64_t each)
{
    int32_t pB1_from = B1_pos[0], pB1_past = B1_pos[1];
    if (parts > 1) {
        for (int32_t bound = part; bound < part + 2; bound++) {
            pB1_from = pB1_past;
            int64_t work_from = work_before + (work + 1) * bound / parts;
            int32_t pB1_low = B1_pos[0], pB1_high = B1_pos[1];
            while (pB1_low < pB1_high) {
                int32_t pB1_middle = pB1_low + (pB1_high - pB1_low) / 2;
                if (pB1_middle + each * B3_pos[B2_pos[pB1_middle]] < work_from)
                    pB1_low = pB1_middle + 1;
                else
                    pB1_high = pB1_middle;
            }
            pB1_past = pB1_low;
        }
    }
    for (int32_t pB1 = pB1_from; pB1 < pB1_past; pB1++) {
        int32_t i = B1_crd[pB1];
        for (int32_t pB2 = B2_pos[pB1]; pB2 < B2_pos[pB1 + 1]; pB2++) {
            int32_t k = B2_crd[pB2];
            for (int32_t pB3 = B3_pos[pB2]; pB3 < B3_pos[pB2 + 1]; pB3++) {
                int32_t l = B3_crd[pB3];
                double B_val = B_vals[pB3];
                for (int32_t j = 0; j < D2_dimension; j++)
                    A_vals[(int64_t)i * D2_dimension + j] += B_val
                        * D_vals[(int64_t)l * D2_dimension + j]
                        * C_vals[(int64_t)k * D2_dimension + j];
            }
        }
    }
}

#ifdef __cplusplus
extern "C"
#endif
int evaluate(int32_t B1_dimension, int32_t B2_dimension, int32_t B3_dimension,
             const int32_t *B1_pos, const int32_t *B1_crd, const int32_t *B2_pos,
             const int32_t *B2_crd, const int32_t *B3_pos, const int32_t *B3_crd,
             const double *B_vals, int32_t D2_dimension, const double *D_vals, const double *C_vals,
             double *A_vals)
{
    (void)B2_dimension;
    (void)B3_dimension;
    memset(A_vals, 0, (size_t)((int64_t)B1_dimension * D2_dimension) * sizeof(double));
    int64_t each = 1 + ((int64_t)D2_dimension < 1048576 ? (int64_t)D2_dimension : 1048576) / 8;
    int64_t work_before = B1_pos[0] + each * B3_pos[B2_pos[B1_pos[0]]];
    int64_t work = B1_pos[1] + each * B3_pos[B2_pos[B1_pos[1]]] - work_before;
    int32_t parts = (int32_t)(work < 16384 ? 1
        : evaluate_min_i64(evaluate_thread_count() > 1
        ? evaluate_min_i64(16 * (int64_t)evaluate_thread_count(), 256) : 1, work / 8192));
    if (parts == 1) {
        evaluate_part(0, B1_pos, B1_crd, B2_pos, B2_crd, B3_pos, B3_crd, B_vals, D2_dimension,
                      D_vals, C_vals, A_vals, parts, work_before, work, each);
    } else {
#ifdef _OPENMP
#pragma omp parallel for schedule(static)
#endif
        for (int32_t part = 0; part < parts; part++)
            evaluate_part(part, B1_pos, B1_crd, B2_pos, B2_crd, B3_pos, B3_crd, B_vals,
                          D2_dimension, D_vals, C_vals, A_vals, parts, work_before, work, each);
    }
    return 0;
}
