/* C(i,j) = A(i,j)
 *     C        f64   ds:1,0
 *     A        f64   ds
 * schedule: parallelize(i); reorder(i, j)
 * made by spcc VERSION with
 *     spcc 'C(i,j) = A(i,j)' -f 'C:csc' -f 'A:csr' -s 'parallelize(i)' --plain
 *
 *   A1_dimension  size of mode 1 of A: the range of i
 *   A2_dimension  size of mode 2 of A: the range of j
 *   A2_pos        A, level 2 (compressed): where each segment begins and ends
 *   A2_crd        A, level 2 (compressed): coordinates
 *   A_vals        A's values
 *   C2_pos_out    C, level 2 (compressed): where each segment begins and ends
 *   C2_crd_out    C, level 2 (compressed): coordinates
 *   C_vals_out    C's values
 *
 * No two of the arrays may overlap.
 *
 * Returns 0, or 1 where there is no memory, or 2 where a result has more components than its
 * positions can count.
 *
 * Each ..._out is set to an array that the caller frees, to NULL if the function fails.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "helpers/plain/min_i64.c"
#include "helpers/plain/thread_count.c"
#include "helpers/plain/allocate_array.c"
#include "helpers/plain/allocate_arrays.c"
#include "helpers/plain/free_arrays.c"

/* One of the parts, which may run at once. */
static int evaluate_part(int32_t part, int32_t A1_dimension, int32_t A2_dimension,
                         const int32_t *A2_pos, const int32_t *A2_crd, int32_t parts, int64_t work,
                         void **C2_next_of)
{
    int status = 1;
    int32_t i_from = 0, i_past = A1_dimension;
    if (parts > 1) {
        for (int32_t bound = part; bound < part + 2; bound++) {
            i_from = i_past;
            int64_t work_from = (work + 1) * bound / parts;
            int32_t i_low = 0, i_high = A1_dimension;
            while (i_low < i_high) {
                int32_t i_middle = i_low + (i_high - i_low) / 2;
                if ((int64_t)i_middle + A2_pos[i_middle] < work_from)
                    i_low = i_middle + 1;
                else
                    i_high = i_middle;
            }
            i_past = i_low;
        }
    }
    int32_t *C2_next = (int32_t *)calloc((size_t)A2_dimension + 1, sizeof(int32_t));
    if (!C2_next) goto done;
    for (int32_t pA2 = A2_pos[i_from]; pA2 < A2_pos[i_past]; pA2++)
        C2_next[A2_crd[pA2]]++;
    C2_next_of[part] = C2_next;
    C2_next = NULL;
    status = 0;
done:
    free(C2_next);
    return status;
}

/* One of the parts, which may run at once. */
static void evaluate_share(int32_t share, int32_t A2_dimension, int32_t parts, void **C2_next_of,
                           int32_t *C2_next)
{
    int32_t *C2_next_2;
    for (int32_t part = 0; part < parts; part++) {
        C2_next_2 = (int32_t *)C2_next_of[part];
        for (int64_t C_parent = (int64_t)A2_dimension * share / parts; C_parent
             < (int64_t)A2_dimension * (share + 1) / parts; C_parent++) {
            int32_t C_count = C2_next_2[C_parent];
            C2_next_2[C_parent] = C2_next[C_parent];
            C2_next[C_parent] += C_count;
        }
    }
}

/* One of the parts, which may run at once. */
static void evaluate_2_share(int32_t share, int32_t A2_dimension, int32_t parts, void **C2_next_of,
                             const int32_t *C2_next)
{
    int32_t *C2_next_2;
    for (int32_t part = 0; part < parts; part++) {
        C2_next_2 = (int32_t *)C2_next_of[part];
        for (int64_t C_parent = (int64_t)A2_dimension * share / parts; C_parent
             < (int64_t)A2_dimension * (share + 1) / parts; C_parent++)
            C2_next_2[C_parent] += C2_next[C_parent];
    }
}

/* One of the parts, which may run at once. */
static void evaluate_2_part(int32_t part, int32_t A1_dimension, const int32_t *A2_pos,
                            const int32_t *A2_crd, const double *A_vals, int32_t *C2_crd,
                            double *C_vals, int32_t parts, int64_t work, void **C2_next_of)
{
    int32_t *C2_next;
    int32_t i_from = 0, i_past = A1_dimension;
    if (parts > 1) {
        for (int32_t bound = part; bound < part + 2; bound++) {
            i_from = i_past;
            int64_t work_from = (work + 1) * bound / parts;
            int32_t i_low = 0, i_high = A1_dimension;
            while (i_low < i_high) {
                int32_t i_middle = i_low + (i_high - i_low) / 2;
                if ((int64_t)i_middle + A2_pos[i_middle] < work_from)
                    i_low = i_middle + 1;
                else
                    i_high = i_middle;
            }
            i_past = i_low;
        }
    }
    C2_next = (int32_t *)C2_next_of[part];
    for (int32_t i = i_from; i < i_past; i++) {
        for (int32_t pA2 = A2_pos[i]; pA2 < A2_pos[i + 1]; pA2++) {
            int64_t C_parent = A2_crd[pA2];
            int32_t pC2 = C2_next[C_parent];
            C2_next[C_parent]++;
            C2_crd[pC2] = i;
            C_vals[pC2] = A_vals[pA2];
        }
    }
}

int evaluate(int32_t A1_dimension, int32_t A2_dimension, const int32_t *A2_pos,
             const int32_t *A2_crd, const double *A_vals, int32_t **C2_pos_out,
             int32_t **C2_crd_out, double **C_vals_out)
{
    int32_t *C2_pos = NULL, *C2_crd = NULL;
    double *C_vals = NULL;
    void *C2_next_of_few[2], **C2_next_of = NULL;
    int32_t *C2_next = NULL;
    int status = 1;
    int failed = 0;
    int64_t pC2_count = 0;
    int64_t work = (int64_t)A1_dimension + A2_pos[A1_dimension];
    int32_t parts = (int32_t)(work < 65536 ? 1
        : evaluate_min_i64(evaluate_min_i64(evaluate_thread_count(), 256), work / 32768));
    C2_next_of = evaluate_allocate_arrays(parts, 1, C2_next_of_few);
    if (!C2_next_of) goto done;
    if (parts == 1) {
        failed = evaluate_part(0, A1_dimension, A2_dimension, A2_pos, A2_crd, parts, work,
                               C2_next_of);
    } else {
#ifdef _OPENMP
#pragma omp parallel for schedule(static) reduction(max : failed)
#endif
        for (int32_t part = 0; part < parts; part++) {
            int part_status = evaluate_part(part, A1_dimension, A2_dimension, A2_pos, A2_crd, parts,
                                            work, C2_next_of);
            failed = failed < part_status ? part_status : failed;
        }
    }
    if (failed) goto done;
    C2_next = (int32_t *)calloc((size_t)A2_dimension + 1, sizeof(int32_t));
    if (!C2_next) goto done;
    if (parts == 1) {
        evaluate_share(0, A2_dimension, parts, C2_next_of, C2_next);
    } else {
#ifdef _OPENMP
#pragma omp parallel for schedule(static)
#endif
        for (int32_t share = 0; share < parts; share++)
            evaluate_share(share, A2_dimension, parts, C2_next_of, C2_next);
    }
    C2_pos = (int32_t *)calloc((size_t)A2_dimension + 1, sizeof(int32_t));
    if (!C2_pos) goto done;
    C2_pos[0] = 0;
    for (int64_t pC2_parent = 0; pC2_parent < A2_dimension; pC2_parent++) {
        int64_t pC2_children = C2_next[pC2_parent];
        C2_next[pC2_parent] = (int32_t)pC2_count;
        pC2_count += pC2_children;
        C2_pos[pC2_parent + 1] = (int32_t)pC2_count;
    }
    if (pC2_count > 2147483647) { status = 2; goto done; }
    C2_crd = (int32_t *)calloc((size_t)pC2_count + 1, sizeof(int32_t));
    C_vals = (double *)calloc((size_t)pC2_count + 1, sizeof(double));
    if (!C2_crd || !C_vals) goto done;
    if (parts == 1) {
        evaluate_2_share(0, A2_dimension, parts, C2_next_of, C2_next);
    } else {
#ifdef _OPENMP
#pragma omp parallel for schedule(static)
#endif
        for (int32_t share = 0; share < parts; share++)
            evaluate_2_share(share, A2_dimension, parts, C2_next_of, C2_next);
    }
    if (parts == 1) {
        evaluate_2_part(0, A1_dimension, A2_pos, A2_crd, A_vals, C2_crd, C_vals, parts, work,
                        C2_next_of);
    } else {
#ifdef _OPENMP
#pragma omp parallel for schedule(static)
#endif
        for (int32_t part = 0; part < parts; part++)
            evaluate_2_part(part, A1_dimension, A2_pos, A2_crd, A_vals, C2_crd, C_vals, parts, work,
                            C2_next_of);
    }
    status = 0;
done:
    evaluate_free_arrays(C2_next_of, C2_next_of_few); free(C2_next);
    if (status != 0) { free(C2_pos); free(C2_crd); free(C_vals); }
    *C2_pos_out = status != 0 ? NULL : C2_pos; *C2_crd_out = status != 0 ? NULL : C2_crd;
    *C_vals_out = status != 0 ? NULL : C_vals;
    return failed ? failed : status;
}
