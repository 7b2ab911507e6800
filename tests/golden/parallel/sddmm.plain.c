/* A(i,j) = B(i,j) * C(i,k) * D(j,k)
 *     A        f64   ds
 *     B        f64   ds
 *     C        f64   dd
 *     D        f64   dd
 * schedule: parallelize(i, cpu_thread, no_races)
 * made by spcc VERSION with
 *     spcc 'A(i,j) = B(i,j) * C(i,k) * D(j,k)' -f 'A:csr' -f 'B:csr' --plain
 *
 *   B1_dimension  size of mode 1 of B: the range of i
 *   B2_dimension  size of mode 2 of B: the range of j
 *   B2_pos        B, level 2 (compressed): where each segment begins and ends
 *   B2_crd        B, level 2 (compressed): coordinates
 *   B_vals        B's values
 *   C2_dimension  size of mode 2 of C: the range of k
 *   C_vals        C's values
 *   D_vals        D's values
 *   A2_pos_out    A, level 2 (compressed): where each segment begins and ends
 *   A2_crd_out    A, level 2 (compressed): coordinates
 *   A_vals_out    A's values
 *
 * No two of the arrays may overlap.
 *
 * Returns 0, or 1 where there is no memory.
 *
 * Each ..._out is set to an array that the caller frees, unless the function fails.
 */
#include <stdint.h>
#include <stdlib.h>

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
static void evaluate_part(int32_t part, int32_t B1_dimension, const int32_t *B2_pos,
                          const int32_t *B2_crd, const double *B_vals, int32_t C2_dimension,
                          const double *C_vals, const double *D_vals, double *A_vals, int32_t parts,
                          int64_t work, int64_t each)
{
    int32_t i_from = 0, i_past = B1_dimension;
    if (parts > 1) {
        for (int32_t bound = part; bound < part + 2; bound++) {
            i_from = i_past;
            int64_t work_from = (work + 1) * bound / parts;
            int32_t i_low = 0, i_high = B1_dimension;
            while (i_low < i_high) {
                int32_t i_middle = i_low + (i_high - i_low) / 2;
                if (i_middle + each * B2_pos[i_middle] + (int64_t)i_middle * C2_dimension
                    < work_from)
                    i_low = i_middle + 1;
                else
                    i_high = i_middle;
            }
            i_past = i_low;
        }
    }
    for (int32_t i = i_from; i < i_past; i++) {
        for (int32_t pB2 = B2_pos[i]; pB2 < B2_pos[i + 1]; pB2++) {
            int32_t j = B2_crd[pB2];
            double B_val = B_vals[pB2], A_val = 0.0;
            for (int32_t k = 0; k < C2_dimension; k++)
                A_val += B_val * C_vals[(int64_t)i * C2_dimension + k]
                    * D_vals[(int64_t)j * C2_dimension + k];
            A_vals[pB2] = A_val;
        }
    }
}

#ifdef __cplusplus
extern "C"
#endif
int evaluate(int32_t B1_dimension, int32_t B2_dimension, const int32_t *B2_pos,
             const int32_t *B2_crd, const double *B_vals, int32_t C2_dimension,
             const double *C_vals, const double *D_vals, int32_t **A2_pos_out, int32_t **A2_crd_out,
             double **A_vals_out)
{
    (void)B2_dimension;
    int32_t *A2_crd = NULL;
    double *A_vals = NULL;
    int32_t nA = C2_dimension > 0 ? B2_pos[B1_dimension] : 0;
    int32_t *A2_pos = (int32_t *)calloc((size_t)B1_dimension + 1, sizeof(int32_t));
    if (!A2_pos)
        goto fail;
    if (C2_dimension > 0) {
        for (int64_t at = 0; at < (int64_t)B1_dimension + 1; at++)
            A2_pos[at] = B2_pos[at];
    } else {
        A2_pos[0] = 0;
        for (int64_t at = 1; at < (int64_t)B1_dimension + 1; at++)
            A2_pos[at] = 0;
    }
    A2_crd = (int32_t *)calloc((size_t)nA + 1, sizeof(int32_t));
    if (!A2_crd)
        goto fail;
    for (int32_t at = 0; at < nA; at++)
        A2_crd[at] = B2_crd[at];
    A_vals = (double *)calloc((size_t)nA + 1, sizeof(double));
    if (!A_vals)
        goto fail;
    if (C2_dimension > 0) {
        int64_t each = 1 + ((int64_t)C2_dimension < 1048576 ? (int64_t)C2_dimension : 1048576) / 8;
        int64_t work = B1_dimension + each * B2_pos[B1_dimension] + (int64_t)B1_dimension
            * C2_dimension;
        int32_t parts = (int32_t)(work < 16384 ? 1
            : evaluate_min_i64(evaluate_thread_count() > 1
            ? evaluate_min_i64(16 * (int64_t)evaluate_thread_count(), 256) : 1, work / 8192));
        if (parts == 1) {
            evaluate_part(0, B1_dimension, B2_pos, B2_crd, B_vals, C2_dimension, C_vals, D_vals,
                          A_vals, parts, work, each);
        } else {
#ifdef _OPENMP
#pragma omp parallel for schedule(static)
#endif
            for (int32_t part = 0; part < parts; part++)
                evaluate_part(part, B1_dimension, B2_pos, B2_crd, B_vals, C2_dimension, C_vals,
                              D_vals, A_vals, parts, work, each);
        }
    }
    *A2_pos_out = A2_pos;
    *A2_crd_out = A2_crd;
    *A_vals_out = A_vals;
    return 0;

fail:
    free(A2_pos);
    free(A2_crd);
    free(A_vals);
    return 1;
}
