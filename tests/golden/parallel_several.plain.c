/* C(i,j) = A(i,j) + B(i,j); y(j) = A(i,j) * x(i)
 *     C        f64   ds
 *     y        f64   d
 *     A        f64   ds
 *     B        f64   ds
 *     x        f64   d
 * schedule: reorder(i2, j2); share(i, i2); share(j, j2); parallelize(i, cpu_thread, temporary)
 * made by spcc VERSION with
 *     spcc 'C(i,j) = A(i,j) + B(i,j); y(j) = A(i,j) * x(i)' -f 'A:csr' -f 'B:csr' -f 'C:csr' -s 'reorder(i2, j2); share(i, i2); share(j, j2); parallelize(i, cpu_thread, temporary)' --plain --no-plan
 *
 *   A1_dimension  size of mode 1 of A: the range of i
 *   A2_dimension  size of mode 2 of A: the range of j
 *   A2_pos        A, level 2 (compressed): where each segment begins and ends
 *   A2_crd        A, level 2 (compressed): coordinates
 *   A_vals        A's values
 *   B2_pos        B, level 2 (compressed): where each segment begins and ends
 *   B2_crd        B, level 2 (compressed): coordinates
 *   B_vals        B's values
 *   x_vals        x's values
 *   C2_pos_out    C, level 2 (compressed): where each segment begins and ends
 *   C2_crd_out    C, level 2 (compressed): coordinates
 *   C_vals_out    C's values
 *   y_vals        y's values
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
#include <string.h>

#include "helpers/plain/min_i64.c"
#include "helpers/plain/thread_count.c"
#include "helpers/plain/allocate_array.c"
#include "helpers/plain/allocate_arrays.c"
#include "helpers/plain/move_elements.c"
#include "helpers/plain/free_arrays.c"

/* One of the parts, which may run at once. */
static int evaluate_part(int32_t part, int32_t A1_dimension, int32_t A2_dimension,
                         const int32_t *A2_pos, const int32_t *A2_crd, const double *A_vals,
                         const int32_t *B2_pos, const int32_t *B2_crd, const double *B_vals,
                         const double *x_vals, int32_t *C2_pos, int32_t *C2_crd, double *C_vals,
                         double *y_vals, int32_t parts, int64_t work, int32_t *i_from_of,
                         int32_t *i_past_of, int64_t *C2_from, int32_t C2_capacity,
                         void **y_vals_of, int64_t *C2_end)
{
    double *y_vals_2 = NULL;
    int status = 1;
    int32_t i_from = 0, i_past = A1_dimension;
    if (parts > 1) {
        for (int32_t bound = part; bound < part + 2; bound++) {
            i_from = i_past;
            int64_t work_from = (work + 1) * bound / parts;
            int32_t i_low = 0, i_high = A1_dimension;
            while (i_low < i_high) {
                int32_t i_middle = i_low + (i_high - i_low) / 2;
                if ((int64_t)i_middle + A2_pos[i_middle] + B2_pos[i_middle] < work_from)
                    i_low = i_middle + 1;
                else
                    i_high = i_middle;
            }
            i_past = i_low;
        }
    }
    i_from_of[part] = i_from;
    i_past_of[part] = i_past;
    int32_t pC2 = (int32_t)((int64_t)A2_pos[i_from] + B2_pos[i_from]);
    C2_from[part] = pC2;
    if (part == 0) {
        for (int32_t i = i_from; i < i_past; i++) {
            double x_val = x_vals[i];
            int32_t pA2 = A2_pos[i], pA2_end = A2_pos[i + 1], pB2 = B2_pos[i];
            int32_t pB2_end = B2_pos[i + 1];
            while (pA2 < pA2_end && pB2 < pB2_end) {
                int32_t jA = A2_crd[pA2], jB = B2_crd[pB2];
                if (pC2 == C2_capacity) { status = 2; goto done; }
                if (jA == jB) {
                    double A_val = A_vals[pA2];
                    C_vals[pC2] = A_val + B_vals[pB2++];
                    y_vals[jA] += A_val * x_val;
                    C2_crd[pC2++] = jA;
                    pA2++;
                } else if (jA < jB) {
                    double A_val = A_vals[pA2];
                    C_vals[pC2] = A_val;
                    y_vals[jA] += A_val * x_val;
                    C2_crd[pC2++] = jA;
                    pA2++;
                } else {
                    C_vals[pC2] = B_vals[pB2++];
                    C2_crd[pC2++] = jB;
                }
            }
            for (; pA2 < pA2_end; pA2++) {
                int32_t j = A2_crd[pA2];
                double A_val = A_vals[pA2];
                if (pC2 == C2_capacity) { status = 2; goto done; }
                C_vals[pC2] = A_val;
                y_vals[j] += A_val * x_val;
                C2_crd[pC2++] = j;
            }
            for (; pB2 < pB2_end; pB2++) {
                if (pC2 == C2_capacity) { status = 2; goto done; }
                C_vals[pC2] = B_vals[pB2];
                C2_crd[pC2++] = B2_crd[pB2];
            }
            C2_pos[i + 1] = pC2;
        }
    } else {
        y_vals_2 = (double *)calloc((size_t)A2_dimension + 1, sizeof(double));
        if (!y_vals_2) goto done;
        for (int32_t i = i_from; i < i_past; i++) {
            double x_val = x_vals[i];
            int32_t pA2 = A2_pos[i], pA2_end = A2_pos[i + 1], pB2 = B2_pos[i];
            int32_t pB2_end = B2_pos[i + 1];
            while (pA2 < pA2_end && pB2 < pB2_end) {
                int32_t jA = A2_crd[pA2], jB = B2_crd[pB2];
                if (pC2 == C2_capacity) { status = 2; goto done; }
                if (jA == jB) {
                    double A_val = A_vals[pA2];
                    C_vals[pC2] = A_val + B_vals[pB2++];
                    y_vals_2[jA] += A_val * x_val;
                    C2_crd[pC2++] = jA;
                    pA2++;
                } else if (jA < jB) {
                    double A_val = A_vals[pA2];
                    C_vals[pC2] = A_val;
                    y_vals_2[jA] += A_val * x_val;
                    C2_crd[pC2++] = jA;
                    pA2++;
                } else {
                    C_vals[pC2] = B_vals[pB2++];
                    C2_crd[pC2++] = jB;
                }
            }
            for (; pA2 < pA2_end; pA2++) {
                int32_t j = A2_crd[pA2];
                double A_val = A_vals[pA2];
                if (pC2 == C2_capacity) { status = 2; goto done; }
                C_vals[pC2] = A_val;
                y_vals_2[j] += A_val * x_val;
                C2_crd[pC2++] = j;
            }
            for (; pB2 < pB2_end; pB2++) {
                if (pC2 == C2_capacity) { status = 2; goto done; }
                C_vals[pC2] = B_vals[pB2];
                C2_crd[pC2++] = B2_crd[pB2];
            }
            C2_pos[i + 1] = pC2;
        }
        y_vals_of[part] = y_vals_2;
        y_vals_2 = NULL;
    }
    C2_end[part + 1] = pC2;
    status = 0;
done:
    free(y_vals_2);
    return status;
}

/* One of the parts, which may run at once. */
static void evaluate_share(int32_t share, int32_t A2_dimension, double *y_vals, int32_t parts,
                           void **y_vals_of)
{
    double *y_vals_2;
    int64_t element_from = (int64_t)A2_dimension * share / parts;
    int64_t element_past = (int64_t)A2_dimension * (share + 1) / parts;
    for (int32_t part = 1; part < parts; part++) {
        y_vals_2 = (double *)y_vals_of[part];
        for (int64_t element = element_from; element < element_past; element++)
            y_vals[element] += y_vals_2[element];
    }
}

int evaluate(int32_t A1_dimension, int32_t A2_dimension, const int32_t *A2_pos,
             const int32_t *A2_crd, const double *A_vals, const int32_t *B2_pos,
             const int32_t *B2_crd, const double *B_vals, const double *x_vals,
             int32_t **C2_pos_out, int32_t **C2_crd_out, double **C_vals_out, double *y_vals)
{
    int32_t i_from_of[257];
    int32_t i_past_of[257];
    int64_t C2_from[257];
    int64_t C2_end[257];
    void *y_vals_of_few[2], **y_vals_of = NULL;
    int status = 1;
    int failed = 0;
    int64_t work, grain;
    int32_t parts;
    int32_t C2_capacity = (int32_t)((int64_t)A2_pos[A1_dimension]
        + B2_pos[A1_dimension] < 2147483647 ? (int64_t)A2_pos[A1_dimension] + B2_pos[A1_dimension]
        : 2147483647);
    int32_t *C2_pos = (int32_t *)calloc((size_t)A1_dimension + 1, sizeof(int32_t));
    int32_t *C2_crd = (int32_t *)calloc((size_t)C2_capacity + 1, sizeof(int32_t));
    double *C_vals = (double *)calloc((size_t)C2_capacity + 1, sizeof(double));
    if (!C2_pos || !C2_crd || !C_vals) goto done;
    memset(y_vals, 0, (size_t)A2_dimension * sizeof(double));
    work = (int64_t)A1_dimension + A2_pos[A1_dimension] + B2_pos[A1_dimension];
    grain = 32768 + (int64_t)A2_dimension;
    parts = (int32_t)((int64_t)C2_capacity < 2147483647
        ? (work < 2 * grain ? 1
        : evaluate_min_i64(evaluate_min_i64(evaluate_thread_count(), 256), work / grain)) : 1);
    y_vals_of = evaluate_allocate_arrays(parts, 1, y_vals_of_few);
    if (!y_vals_of) goto done;
    C2_end[0] = 0;
    if (parts == 1) {
        failed = evaluate_part(0, A1_dimension, A2_dimension, A2_pos, A2_crd, A_vals, B2_pos,
                               B2_crd, B_vals, x_vals, C2_pos, C2_crd, C_vals, y_vals, parts, work,
                               i_from_of, i_past_of, C2_from, C2_capacity, y_vals_of, C2_end);
    } else {
#ifdef _OPENMP
#pragma omp parallel for schedule(dynamic) reduction(max : failed)
#endif
        for (int32_t part = 0; part < parts; part++) {
            int part_status = evaluate_part(part, A1_dimension, A2_dimension, A2_pos, A2_crd,
                                            A_vals, B2_pos, B2_crd, B_vals, x_vals, C2_pos, C2_crd,
                                            C_vals, y_vals, parts, work, i_from_of, i_past_of,
                                            C2_from, C2_capacity, y_vals_of, C2_end);
            failed = failed < part_status ? part_status : failed;
        }
    }
    if (failed) goto done;
    if (parts > 1) {
#ifdef _OPENMP
#pragma omp parallel for schedule(static)
#endif
        for (int32_t share = 0; share < parts; share++)
            evaluate_share(share, A2_dimension, y_vals, parts, y_vals_of);
    }
    for (int32_t compacted = 0; compacted < parts; compacted++) {
        /* Parts move up to where those before them end. */
        int64_t C2_begin = C2_from[compacted], C2_at = C2_end[compacted];
        int64_t C2_length = C2_end[compacted + 1] - C2_begin;
        if (C2_at < C2_begin) {
            int32_t i_from = i_from_of[compacted], i_past = i_past_of[compacted];
            for (int64_t pC2_parent = 0; pC2_parent < (int64_t)i_past - i_from; pC2_parent++)
                C2_pos[i_from + (pC2_parent + 1)] += (int32_t)(C2_at - C2_begin);
            evaluate_move_elements(C2_crd, C2_at, C2_begin, C2_length, sizeof(int32_t));
            evaluate_move_elements(C_vals, C2_at, C2_begin, C2_length, sizeof(double));
        }
        C2_end[compacted + 1] = C2_at + C2_length;
    }
    status = 0;
done:
    evaluate_free_arrays(y_vals_of, y_vals_of_few);
    if (status != 0) { free(C2_pos); free(C2_crd); free(C_vals); }
    *C2_pos_out = status != 0 ? NULL : C2_pos; *C2_crd_out = status != 0 ? NULL : C2_crd;
    *C_vals_out = status != 0 ? NULL : C_vals;
    return failed ? failed : status;
}
