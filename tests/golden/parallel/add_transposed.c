/* C(i,j) = A(i,j) + B(j,i)
 *     C        f64   ds
 *     A        f64   ds
 *     B        f64   ds
 * schedule: precompute(B(j,i), w, {i,i,ip}, {j,j,jp}, csr); reorder(jp, ip); parallelize(i, cpu_thread, no_races); parallelize(jp, cpu_thread, no_races)
 * made by spcc VERSION with
 *     spcc 'C(i,j) = A(i,j) + B(j,i)' -f 'A:csr' -f 'B:csr' -f 'C:csr'
 *
 *   A1_dimension  size of mode 1 of A: the range of i
 *   A2_dimension  size of mode 2 of A: the range of j
 *   A2_pos        A, level 2 (compressed): where each segment begins and ends
 *   A2_crd        A, level 2 (compressed): coordinates
 *   A_vals        A's values
 *   B2_pos        B, level 2 (compressed): where each segment begins and ends
 *   B2_crd        B, level 2 (compressed): coordinates
 *   B_vals        B's values
 *   C2_pos_out    C, level 2 (compressed): where each segment begins and ends
 *   C2_crd_out    C, level 2 (compressed): coordinates
 *   C_vals_out    C's values
 *
 * No two of the arrays may overlap.
 *
 * Returns 0, or 1 where there is no memory, or 2 where a result has more components than its
 * positions can count.
 *
 * Each ..._out is set to an array that the caller releases, to NULL if the function fails.
 *
 * Memory comes from malloc, realloc and free, unless SPCC_MALLOC, SPCC_REALLOC and SPCC_FREE are
 * defined.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifndef SPCC_MALLOC
#include <stdlib.h>
#define SPCC_MALLOC malloc
#define SPCC_REALLOC realloc
#define SPCC_FREE free
#endif

#if defined(__cplusplus) && !defined(restrict)
#define restrict __restrict
#endif

#include "../helpers/allocate_array.c"
#include "../helpers/min_i64.c"
#include "../helpers/thread_count.c"
#include "../helpers/allocate_arrays.c"
#include "../helpers/free_arrays.c"
#include "../helpers/move_elements.c"

/* One of the parts, which may run at once. */
static int evaluate_part(int32_t part, int32_t A1_dimension, int32_t A2_dimension,
                         const int32_t *restrict B2_pos, const int32_t *restrict B2_crd,
                         int32_t parts, int64_t work, void **w2_next_of)
{
    int32_t *w2_next = NULL;
    int32_t jp_from = 0;
    int32_t jp_past = A2_dimension;
    if (parts > 1) {
        for (int32_t bound = part; bound < part + 2; bound++) {
            jp_from = jp_past;
            int64_t work_from = (work + 1) * bound / parts;
            int32_t jp_low = 0;
            int32_t jp_high = A2_dimension;
            while (jp_low < jp_high) {
                int32_t jp_middle = jp_low + (jp_high - jp_low) / 2;
                if ((int64_t)jp_middle + B2_pos[jp_middle] < work_from)
                    jp_low = jp_middle + 1;
                else
                    jp_high = jp_middle;
            }
            jp_past = jp_low;
        }
    }
    w2_next = (int32_t *)allocate_array(A1_dimension, sizeof(int32_t));
    if (!w2_next)
        goto fail;
    memset(w2_next, 0, (size_t)A1_dimension * sizeof(int32_t));
    for (int32_t pB2 = B2_pos[jp_from]; pB2 < B2_pos[jp_past]; pB2++) {
        int32_t ip = B2_crd[pB2];
        w2_next[ip]++;
    }
    w2_next_of[part] = w2_next;
    return 0;

fail:
    SPCC_FREE(w2_next);
    return 1;
}

/* One of the parts, which may run at once. */
static void evaluate_share0(int32_t share0, int64_t elements, int32_t shares,
                            int32_t *restrict w2_next)
{
    int64_t from = elements * share0 / shares;
    int64_t past = elements * (share0 + 1) / shares;
    for (int64_t at = from; at < past; at++)
        w2_next[at] = 0;
}

/* One of the parts, which may run at once. */
static void evaluate_share(int32_t share, int32_t A1_dimension, int32_t parts, void **w2_next_of,
                           int32_t *restrict w2_next)
{
    int32_t *w2_next_2;
    int64_t base = (int64_t)A1_dimension * share;
    int64_t base_2 = (int64_t)A1_dimension * (share + 1);
    for (int32_t part = 0; part < parts; part++) {
        w2_next_2 = (int32_t *)w2_next_of[part];
        for (int64_t w_parent = base / parts; w_parent < base_2 / parts; w_parent++) {
            int32_t w_count = w2_next_2[w_parent];
            w2_next_2[w_parent] = w2_next[w_parent];
            w2_next[w_parent] += w_count;
        }
    }
}

/* One of the parts, which may run at once. */
static void evaluate_2_share(int32_t share, int32_t A1_dimension, int32_t parts, void **w2_next_of,
                             const int32_t *restrict w2_next)
{
    int32_t *w2_next_2;
    int64_t base = (int64_t)A1_dimension * share;
    int64_t base_2 = (int64_t)A1_dimension * (share + 1);
    for (int32_t part = 0; part < parts; part++) {
        w2_next_2 = (int32_t *)w2_next_of[part];
        for (int64_t w_parent = base / parts; w_parent < base_2 / parts; w_parent++)
            w2_next_2[w_parent] += w2_next[w_parent];
    }
}

/* One of the parts, which may run at once. */
static void evaluate_2_part(int32_t part, int32_t A1_dimension, int32_t A2_dimension,
                            const int32_t *restrict B2_pos, const int32_t *restrict B2_crd,
                            const double *restrict B_vals, int32_t parts, int64_t work,
                            void **w2_next_of, int32_t pB2_last, int32_t *restrict w2_crd,
                            double *restrict w_vals)
{
    int32_t *w2_next;
    int32_t jp_from = 0;
    int32_t jp_past = A2_dimension;
    if (parts > 1) {
        for (int32_t bound = part; bound < part + 2; bound++) {
            jp_from = jp_past;
            int64_t work_from = (work + 1) * bound / parts;
            int32_t jp_low = 0;
            int32_t jp_high = A2_dimension;
            while (jp_low < jp_high) {
                int32_t jp_middle = jp_low + (jp_high - jp_low) / 2;
                if ((int64_t)jp_middle + B2_pos[jp_middle] < work_from)
                    jp_low = jp_middle + 1;
                else
                    jp_high = jp_middle;
            }
            jp_past = jp_low;
        }
    }
    w2_next = (int32_t *)w2_next_of[part];
    for (int32_t jp = jp_from; jp < jp_past; jp++) {
        int32_t pB2_ahead = B2_pos[jp + 1] <= pB2_last - 48 ? 48 : 0;
        if ((int64_t)A1_dimension > 32768) {
            for (int32_t pB2 = B2_pos[jp]; pB2 < B2_pos[jp + 1]; pB2++) {
                int64_t w2_crd_next = B2_crd[pB2 + pB2_ahead];
                int32_t w2_crd_target = w2_next[w2_crd_next];
                __builtin_prefetch(w2_crd + w2_crd_target);
                __builtin_prefetch(w_vals + w2_crd_target);
                int32_t ip = B2_crd[pB2];
                int64_t w_parent = ip;
                int32_t pw2 = w2_next[w_parent];
                w2_next[w_parent]++;
                w2_crd[pw2] = jp;
                w_vals[pw2] = B_vals[pB2];
            }
        } else {
            int32_t pB2 = B2_pos[jp];
            int32_t pB2_end = B2_pos[jp + 1];
            for (; pB2 < pB2_end - 3; pB2 += 4) {
                int32_t ip = B2_crd[pB2];
                int32_t ip_2 = B2_crd[pB2 + 1];
                int32_t ip_3 = B2_crd[pB2 + 2];
                int32_t ip_4 = B2_crd[pB2 + 3];
                double B_vals_here = B_vals[pB2];
                double B_vals_here_2 = B_vals[pB2 + 1];
                double B_vals_here_3 = B_vals[pB2 + 2];
                double B_vals_here_4 = B_vals[pB2 + 3];
                int64_t w_parent = ip;
                int32_t pw2 = w2_next[w_parent];
                w2_next[w_parent]++;
                w2_crd[pw2] = jp;
                w_vals[pw2] = B_vals_here;
                int64_t w_parent_2 = ip_2;
                int32_t pw2_2 = w2_next[w_parent_2];
                w2_next[w_parent_2]++;
                w2_crd[pw2_2] = jp;
                w_vals[pw2_2] = B_vals_here_2;
                int64_t w_parent_3 = ip_3;
                int32_t pw2_3 = w2_next[w_parent_3];
                w2_next[w_parent_3]++;
                w2_crd[pw2_3] = jp;
                w_vals[pw2_3] = B_vals_here_3;
                int64_t w_parent_4 = ip_4;
                int32_t pw2_4 = w2_next[w_parent_4];
                w2_next[w_parent_4]++;
                w2_crd[pw2_4] = jp;
                w_vals[pw2_4] = B_vals_here_4;
            }
            for (; pB2 < pB2_end; pB2++) {
                int32_t ip = B2_crd[pB2];
                double B_vals_here = B_vals[pB2];
                int64_t w_parent = ip;
                int32_t pw2 = w2_next[w_parent];
                w2_next[w_parent]++;
                w2_crd[pw2] = jp;
                w_vals[pw2] = B_vals_here;
            }
        }
    }
}

/* One of the parts, which may run at once. */
static int evaluate_3_part(int32_t part, int32_t A1_dimension, const int32_t *restrict A2_pos,
                           const int32_t *restrict A2_crd, const double *restrict A_vals,
                           int32_t *restrict C2_pos, int32_t *restrict C2_crd,
                           double *restrict C_vals, int32_t parts, int64_t work,
                           const int32_t *restrict w2_pos, int32_t *restrict i_from_of,
                           int32_t *restrict i_past_of, int64_t *restrict C2_from,
                           const int32_t *restrict w2_crd, int32_t C2_capacity,
                           const double *restrict w_vals, int64_t *restrict C2_end)
{
    int status = 1;
    int32_t i_from = 0;
    int32_t i_past = A1_dimension;
    if (parts > 1) {
        for (int32_t bound = part; bound < part + 2; bound++) {
            i_from = i_past;
            int64_t work_from = (work + 1) * bound / parts;
            int32_t i_low = 0;
            int32_t i_high = A1_dimension;
            while (i_low < i_high) {
                int32_t i_middle = i_low + (i_high - i_low) / 2;
                if ((int64_t)i_middle + A2_pos[i_middle] + w2_pos[i_middle] < work_from)
                    i_low = i_middle + 1;
                else
                    i_high = i_middle;
            }
            i_past = i_low;
        }
    }
    i_from_of[part] = i_from;
    i_past_of[part] = i_past;
    int32_t pC2 = (int32_t)((int64_t)A2_pos[i_from] + w2_pos[i_from]);
    C2_from[part] = pC2;
    for (int32_t i = i_from; i < i_past; i++) {
        int32_t pA2 = A2_pos[i];
        int32_t pA2_end = A2_pos[i + 1];
        int32_t pw2 = w2_pos[i];
        int32_t pw2_end = w2_pos[i + 1];
        while (pA2 < pA2_end && pw2 < pw2_end) {
            int32_t jA = A2_crd[pA2];
            int32_t jw = w2_crd[pw2];
            if (pC2 == C2_capacity) {
                status = 2;
                goto fail;
            }
            if (jA == jw) {
                C_vals[pC2] = A_vals[pA2] + w_vals[pw2];
                C2_crd[pC2] = jA;
                pC2++;
                pA2++;
                pw2++;
            } else if (jA < jw) {
                C_vals[pC2] = A_vals[pA2];
                C2_crd[pC2] = jA;
                pC2++;
                pA2++;
            } else {
                C_vals[pC2] = w_vals[pw2];
                C2_crd[pC2] = jw;
                pC2++;
                pw2++;
            }
        }
        for (; pA2 < pA2_end; pA2++) {
            int32_t j = A2_crd[pA2];
            if (pC2 == C2_capacity) {
                status = 2;
                goto fail;
            }
            C_vals[pC2] = A_vals[pA2];
            C2_crd[pC2] = j;
            pC2++;
        }
        for (; pw2 < pw2_end; pw2++) {
            int32_t j = w2_crd[pw2];
            if (pC2 == C2_capacity) {
                status = 2;
                goto fail;
            }
            C_vals[pC2] = w_vals[pw2];
            C2_crd[pC2] = j;
            pC2++;
        }
        C2_pos[i + 1] = pC2;
    }
    C2_end[part + 1] = pC2;
    return 0;

fail:
    return status;
}

#ifdef __cplusplus
extern "C"
#endif
int evaluate(int32_t A1_dimension, int32_t A2_dimension, const int32_t *restrict A2_pos,
             const int32_t *restrict A2_crd, const double *restrict A_vals,
             const int32_t *restrict B2_pos, const int32_t *restrict B2_crd,
             const double *restrict B_vals, int32_t **C2_pos_out, int32_t **C2_crd_out,
             double **C_vals_out)
{
    int32_t i_from_of[257];
    int32_t i_past_of[257];
    int64_t C2_from[257];
    int64_t C2_end[257];
    int32_t *C2_pos = NULL, *C2_crd = NULL;
    double *C_vals = NULL;
    int32_t *w2_pos = NULL, *w2_crd = NULL;
    double *w_vals = NULL;
    void *w2_next_of_few[2], **w2_next_of = NULL;
    int32_t *w2_next = NULL;
    int status = 1;
    int failed = 0;
    int64_t elements;
    int64_t pw2_count = 0;
    int32_t shares, C2_capacity;
    int64_t work_2;
    int32_t parts_2;
    int32_t pB2_last = B2_pos[A2_dimension];
    int64_t work = (int64_t)A2_dimension + B2_pos[A2_dimension];
    int32_t parts = (int32_t)(work < 65536 ? 1
        : min_i64(min_i64(thread_count(), 256), work / 32768));
    w2_next_of = allocate_arrays(parts, 1, w2_next_of_few);
    if (!w2_next_of)
        goto fail;
    if (parts == 1) {
        failed = evaluate_part(0, A1_dimension, A2_dimension, B2_pos, B2_crd, parts, work,
                               w2_next_of);
    } else {
#ifdef _OPENMP
#pragma omp parallel for schedule(static) reduction(max : failed)
#endif
        for (int32_t part = 0; part < parts; part++) {
            int part_status = evaluate_part(part, A1_dimension, A2_dimension, B2_pos, B2_crd, parts,
                                            work, w2_next_of);
            failed = failed < part_status ? part_status : failed;
        }
    }
    if (failed)
        goto fail;
    w2_next = (int32_t *)allocate_array(A1_dimension, sizeof(int32_t));
    if (!w2_next)
        goto fail;
    elements = A1_dimension;
    shares = (int32_t)(elements < 65536 ? 1 : min_i64(thread_count(), elements / 32768));
    if (shares == 1) {
        evaluate_share0(0, elements, shares, w2_next);
    } else {
#ifdef _OPENMP
#pragma omp parallel for schedule(static)
#endif
        for (int32_t share0 = 0; share0 < shares; share0++)
            evaluate_share0(share0, elements, shares, w2_next);
    }
    if (parts == 1) {
        evaluate_share(0, A1_dimension, parts, w2_next_of, w2_next);
    } else {
#ifdef _OPENMP
#pragma omp parallel for schedule(static)
#endif
        for (int32_t share = 0; share < parts; share++)
            evaluate_share(share, A1_dimension, parts, w2_next_of, w2_next);
    }
    w2_pos = (int32_t *)allocate_array((int64_t)A1_dimension + 1, sizeof(int32_t));
    if (!w2_pos)
        goto fail;
    w2_pos[0] = 0;
    for (int64_t pw2_parent = 0; pw2_parent < A1_dimension; pw2_parent++) {
        int64_t pw2_children = w2_next[pw2_parent];
        w2_next[pw2_parent] = (int32_t)pw2_count;
        pw2_count += pw2_children;
        w2_pos[pw2_parent + 1] = (int32_t)pw2_count;
    }
    if (pw2_count > 2147483647) {
        status = 2;
        goto fail;
    }
    w2_crd = (int32_t *)allocate_array(pw2_count, sizeof(int32_t));
    w_vals = (double *)allocate_array(pw2_count, sizeof(double));
    if (!w2_crd || !w_vals)
        goto fail;
    if (parts == 1) {
        evaluate_2_share(0, A1_dimension, parts, w2_next_of, w2_next);
    } else {
#ifdef _OPENMP
#pragma omp parallel for schedule(static)
#endif
        for (int32_t share = 0; share < parts; share++)
            evaluate_2_share(share, A1_dimension, parts, w2_next_of, w2_next);
    }
    SPCC_FREE(w2_next); w2_next = NULL;
    if (parts == 1) {
        evaluate_2_part(0, A1_dimension, A2_dimension, B2_pos, B2_crd, B_vals, parts, work,
                        w2_next_of, pB2_last, w2_crd, w_vals);
    } else {
#ifdef _OPENMP
#pragma omp parallel for schedule(static)
#endif
        for (int32_t part = 0; part < parts; part++)
            evaluate_2_part(part, A1_dimension, A2_dimension, B2_pos, B2_crd, B_vals, parts, work,
                            w2_next_of, pB2_last, w2_crd, w_vals);
    }
    free_arrays(w2_next_of, w2_next_of_few); w2_next_of = NULL;
    C2_pos = (int32_t *)allocate_array((int64_t)A1_dimension + 1, sizeof(int32_t));
    if (!C2_pos)
        goto fail;
    C2_pos[0] = 0;
    C2_capacity = (int32_t)min_i64((int64_t)A2_pos[A1_dimension] + w2_pos[A1_dimension],
        2147483647);
    C2_crd = (int32_t *)allocate_array(C2_capacity, sizeof(int32_t));
    C_vals = (double *)allocate_array(C2_capacity, sizeof(double));
    if (!C2_crd || !C_vals)
        goto fail;
    work_2 = (int64_t)A1_dimension + A2_pos[A1_dimension] + w2_pos[A1_dimension];
    parts_2 = (int32_t)((int64_t)C2_capacity < 2147483647
        ? (work_2 < 65536 ? 1 : min_i64(min_i64(thread_count(), 256), work_2 / 32768)) : 1);
    C2_end[0] = 0;
    if (parts_2 == 1) {
        failed = evaluate_3_part(0, A1_dimension, A2_pos, A2_crd, A_vals, C2_pos, C2_crd, C_vals,
                                 parts_2, work_2, w2_pos, i_from_of, i_past_of, C2_from, w2_crd,
                                 C2_capacity, w_vals, C2_end);
    } else {
#ifdef _OPENMP
#pragma omp parallel for schedule(dynamic) reduction(max : failed)
#endif
        for (int32_t part = 0; part < parts_2; part++) {
            int part_status = evaluate_3_part(part, A1_dimension, A2_pos, A2_crd, A_vals, C2_pos,
                                              C2_crd, C_vals, parts_2, work_2, w2_pos, i_from_of,
                                              i_past_of, C2_from, w2_crd, C2_capacity, w_vals,
                                              C2_end);
            failed = failed < part_status ? part_status : failed;
        }
    }
    if (failed)
        goto fail;
    for (int32_t compacted = 0; compacted < parts_2; compacted++) {
        /* Parts move up to where those before them end. */
        int64_t C2_begin = C2_from[compacted];
        int64_t C2_at = C2_end[compacted];
        int64_t C2_length = C2_end[compacted + 1] - C2_begin;
        if (C2_at < C2_begin) {
            int32_t i_from = i_from_of[compacted];
            int32_t i_past = i_past_of[compacted];
            for (int64_t pC2_parent = 0; pC2_parent < (int64_t)i_past - i_from; pC2_parent++)
                C2_pos[i_from + (pC2_parent + 1)] += (int32_t)(C2_at - C2_begin);
            move_elements(C2_crd, C2_at, C2_begin, C2_length, sizeof(int32_t));
            move_elements(C_vals, C2_at, C2_begin, C2_length, sizeof(double));
        }
        C2_end[compacted + 1] = C2_at + C2_length;
    }
    SPCC_FREE(w2_pos);
    SPCC_FREE(w2_crd);
    SPCC_FREE(w_vals);
    *C2_pos_out = C2_pos;
    *C2_crd_out = C2_crd;
    *C_vals_out = C_vals;
    return 0;

fail:
    SPCC_FREE(C2_pos);
    SPCC_FREE(C2_crd);
    SPCC_FREE(C_vals);
    SPCC_FREE(w2_pos);
    SPCC_FREE(w2_crd);
    SPCC_FREE(w_vals);
    free_arrays(w2_next_of, w2_next_of_few);
    SPCC_FREE(w2_next);
    *C2_pos_out = NULL;
    *C2_crd_out = NULL;
    *C_vals_out = NULL;
    return failed ? failed : status;
}
