/* C(i,j) = A(i,j) + B(i,j)
 *     C        f64   uq
 *     A        f64   uq
 *     B        f64   uq
 * schedule: parallelize(i)
 * made by spcc VERSION with
 *     spcc 'C(i,j) = A(i,j) + B(i,j)' -f 'A:coo' -f 'B:coo' -f 'C:coo' -s 'parallelize(i)' --plain
 *
 *   A1_dimension  size of mode 1 of A: the range of i
 *   A2_dimension  size of mode 2 of A: the range of j
 *   A1_pos        A, level 1 (compressed): where each segment begins and ends
 *   A1_crd        A, level 1 (compressed): coordinates
 *   A2_crd        A, level 2 (singleton): coordinates
 *   A_vals        A's values
 *   B1_pos        B, level 1 (compressed): where each segment begins and ends
 *   B1_crd        B, level 1 (compressed): coordinates
 *   B2_crd        B, level 2 (singleton): coordinates
 *   B_vals        B's values
 *   C1_pos_out    C, level 1 (compressed): where each segment begins and ends
 *   C1_crd_out    C, level 1 (compressed): coordinates
 *   C2_crd_out    C, level 2 (singleton): coordinates
 *   C_vals_out    C's values
 *
 * No two of the arrays may overlap.
 *
 * Returns 0, or 1 where there is no memory, or 2 where a result has more components than its
 * positions can count.
 *
 * Each ..._out is set to an array that the caller frees, to NULL if the function fails.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "helpers/plain/min_i64.c"
#include "helpers/plain/thread_count.c"
#include "helpers/plain/allocate_array.c"
#include "helpers/plain/move_elements.c"
#include "helpers/plain/find_first_i32.c"
#include "helpers/plain/find_on_diagonal_i32_i32.c"

/* One of the parts, which may run at once. */
static int evaluate_part(int32_t part, int32_t A1_dimension, const int32_t *A1_pos,
                         const int32_t *A1_crd, const int32_t *A2_crd, const double *A_vals,
                         const int32_t *B1_pos, const int32_t *B1_crd, const int32_t *B2_crd,
                         const double *B_vals, int32_t *C1_crd, int32_t *C2_crd, double *C_vals,
                         int32_t parts, int64_t work, int64_t *C2_from, int32_t C2_capacity,
                         int64_t *C2_end)
{
    int32_t i_from = 0, i_past = A1_dimension;
    if (parts > 1) {
        for (int32_t bound = part; bound < part + 2; bound++) {
            i_from = i_past;
            int64_t work_from = (work + 1) * bound / parts;
            i_past = (int32_t)evaluate_find_on_diagonal_i32_i32(A1_crd, A1_pos[0], A1_pos[1],
                B1_crd, B1_pos[0], B1_pos[1], work_from - A1_pos[0] - B1_pos[0], 0, A1_dimension);
        }
    }
    int64_t pA1_begin = parts > 1 ? evaluate_find_first_i32(A1_crd, A1_pos[0], A1_pos[1], i_from)
        : (int64_t)A1_pos[0];
    int64_t pA1_past = parts > 1 ? evaluate_find_first_i32(A1_crd, pA1_begin, A1_pos[1], i_past)
        : (int64_t)A1_pos[1];
    int64_t pB1_begin = parts > 1 ? evaluate_find_first_i32(B1_crd, B1_pos[0], B1_pos[1], i_from)
        : (int64_t)B1_pos[0];
    int64_t pB1_past = parts > 1 ? evaluate_find_first_i32(B1_crd, pB1_begin, B1_pos[1], i_past)
        : (int64_t)B1_pos[1];
    int32_t pC2 = (int32_t)((int64_t)(int32_t)pA1_begin + (int32_t)pB1_begin);
    C2_from[part] = pC2;
    int32_t pA1 = (int32_t)pA1_begin, pA1_end = (int32_t)pA1_past, pB1 = (int32_t)pB1_begin;
    int32_t pB1_end = (int32_t)pB1_past;
    while (pA1 < pA1_end && pB1 < pB1_end) {
        int32_t iA = A1_crd[pA1], iB = B1_crd[pB1];
        if (iA == iB) {
            int32_t pA1_next = pA1;
            while (pA1_next < pA1_end && A1_crd[pA1_next] == iA)
                pA1_next++;
            int32_t pB1_next = pB1;
            while (pB1_next < pB1_end && B1_crd[pB1_next] == iA)
                pB1_next++;
            int32_t pA2 = pA1, pA2_end = pA1_next, pB2 = pB1, pB2_end = pB1_next;
            while (pA2 < pA2_end && pB2 < pB2_end) {
                int32_t jA = A2_crd[pA2], jB = B2_crd[pB2];
                if (pC2 == C2_capacity) return 2;
                if (jA == jB) {
                    C_vals[pC2] = A_vals[pA2++] + B_vals[pB2++];
                    C1_crd[pC2] = iA;
                    C2_crd[pC2++] = jA;
                } else if (jA < jB) {
                    C_vals[pC2] = A_vals[pA2++];
                    C1_crd[pC2] = iA;
                    C2_crd[pC2++] = jA;
                } else {
                    C_vals[pC2] = B_vals[pB2++];
                    C1_crd[pC2] = iA;
                    C2_crd[pC2++] = jB;
                }
            }
            for (; pA2 < pA2_end; pA2++) {
                if (pC2 == C2_capacity) return 2;
                C_vals[pC2] = A_vals[pA2];
                C1_crd[pC2] = iA;
                C2_crd[pC2++] = A2_crd[pA2];
            }
            for (; pB2 < pB2_end; pB2++) {
                if (pC2 == C2_capacity) return 2;
                C_vals[pC2] = B_vals[pB2];
                C1_crd[pC2] = iA;
                C2_crd[pC2++] = B2_crd[pB2];
            }
            pA1 = pA1_next;
            pB1 = pB1_next;
        } else if (iA < iB) {
            int32_t pA2 = pA1;
            if (pC2 == C2_capacity) return 2;
            C_vals[pC2] = A_vals[pA2];
            C1_crd[pC2] = iA;
            C2_crd[pC2++] = A2_crd[pA2];
            pA1++;
        } else {
            int32_t pB2 = pB1;
            if (pC2 == C2_capacity) return 2;
            C_vals[pC2] = B_vals[pB2];
            C1_crd[pC2] = iB;
            C2_crd[pC2++] = B2_crd[pB2];
            pB1++;
        }
    }
    for (; pA1 < pA1_end; pA1++) {
        int32_t pA2 = pA1;
        if (pC2 == C2_capacity) return 2;
        C_vals[pC2] = A_vals[pA2];
        C1_crd[pC2] = A1_crd[pA2];
        C2_crd[pC2++] = A2_crd[pA2];
    }
    for (; pB1 < pB1_end; pB1++) {
        int32_t pB2 = pB1;
        if (pC2 == C2_capacity) return 2;
        C_vals[pC2] = B_vals[pB2];
        C1_crd[pC2] = B1_crd[pB2];
        C2_crd[pC2++] = B2_crd[pB2];
    }
    C2_end[part + 1] = pC2;
    return 0;
}

int evaluate(int32_t A1_dimension, int32_t A2_dimension, const int32_t *A1_pos,
             const int32_t *A1_crd, const int32_t *A2_crd, const double *A_vals,
             const int32_t *B1_pos, const int32_t *B1_crd, const int32_t *B2_crd,
             const double *B_vals, int32_t **C1_pos_out, int32_t **C1_crd_out, int32_t **C2_crd_out,
             double **C_vals_out)
{
    (void)A2_dimension;
    int64_t C2_from[257];
    int64_t C2_end[257];
    int status = 1;
    int failed = 0;
    int64_t work;
    int32_t parts, pC2;
    int32_t C2_capacity = (int32_t)((int64_t)A1_pos[1] + B1_pos[1] < 2147483647 ? (int64_t)A1_pos[1]
        + B1_pos[1] : 2147483647);
    int32_t *C1_pos = (int32_t *)calloc(2, sizeof(int32_t));
    int32_t *C1_crd = (int32_t *)calloc((size_t)C2_capacity + 1, sizeof(int32_t));
    int32_t *C2_crd = (int32_t *)calloc((size_t)C2_capacity + 1, sizeof(int32_t));
    double *C_vals = (double *)calloc((size_t)C2_capacity + 1, sizeof(double));
    if (!C1_pos || !C1_crd || !C2_crd || !C_vals) goto done;
    work = (int64_t)A1_pos[1] + B1_pos[1];
    parts = (int32_t)((int64_t)C2_capacity < 2147483647
        ? (work < 65536 ? 1
        : evaluate_min_i64(evaluate_min_i64(evaluate_thread_count(), 256), work / 32768)) : 1);
    C2_end[0] = 0;
    if (parts == 1) {
        failed = evaluate_part(0, A1_dimension, A1_pos, A1_crd, A2_crd, A_vals, B1_pos, B1_crd,
                               B2_crd, B_vals, C1_crd, C2_crd, C_vals, parts, work, C2_from,
                               C2_capacity, C2_end);
    } else {
#ifdef _OPENMP
#pragma omp parallel for schedule(dynamic) reduction(max : failed)
#endif
        for (int32_t part = 0; part < parts; part++) {
            int part_status = evaluate_part(part, A1_dimension, A1_pos, A1_crd, A2_crd, A_vals,
                                            B1_pos, B1_crd, B2_crd, B_vals, C1_crd, C2_crd, C_vals,
                                            parts, work, C2_from, C2_capacity, C2_end);
            failed = failed < part_status ? part_status : failed;
        }
    }
    if (failed) goto done;
    for (int32_t compacted = 0; compacted < parts; compacted++) {
        /* Parts move up to where those before them end. */
        int64_t C2_begin = C2_from[compacted], C2_at = C2_end[compacted];
        int64_t C2_length = C2_end[compacted + 1] - C2_begin;
        if (C2_at < C2_begin) {
            evaluate_move_elements(C1_crd, C2_at, C2_begin, C2_length, sizeof(int32_t));
            evaluate_move_elements(C2_crd, C2_at, C2_begin, C2_length, sizeof(int32_t));
            evaluate_move_elements(C_vals, C2_at, C2_begin, C2_length, sizeof(double));
        }
        C2_end[compacted + 1] = C2_at + C2_length;
    }
    pC2 = (int32_t)C2_end[parts];
    C1_pos[1] = pC2;
    status = 0;
done:
    if (status != 0) { free(C1_pos); free(C1_crd); free(C2_crd); free(C_vals); }
    *C1_pos_out = status != 0 ? NULL : C1_pos; *C1_crd_out = status != 0 ? NULL : C1_crd;
    *C2_crd_out = status != 0 ? NULL : C2_crd; *C_vals_out = status != 0 ? NULL : C_vals;
    return failed ? failed : status;
}
