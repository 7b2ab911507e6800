/* A(i,j) = B(i,k) * C(k,j)
 *     A        f64   ds
 *     B        f64   ds
 *     C        f64   ds
 * schedule: split(i,i0,i1,down,32); parallelize(i0,cpu_thread,no_races); reorder(i0, i1, k, j); precompute(B(i,k) * C(k,j), w, {j,j,jp}, bytemap)
 * made by spcc VERSION with
 *     spcc 'A(i,j) = B(i,k) * C(k,j)' -f 'A:csr' -f 'B:csr' -f 'C:csr' -s 'split(i,i0,i1,down,32); parallelize(i0,cpu_thread,no_races)'
 *
 *   B1_dimension  size of mode 1 of B: the range of i
 *   B2_dimension  size of mode 2 of B: the range of k
 *   B2_pos        B, level 2 (compressed): where each segment begins and ends
 *   B2_crd        B, level 2 (compressed): coordinates
 *   B_vals        B's values
 *   C2_dimension  size of mode 2 of C: the range of j
 *   C2_pos        C, level 2 (compressed): where each segment begins and ends
 *   C2_crd        C, level 2 (compressed): coordinates
 *   C_vals        C's values
 *   A2_pos_out    A, level 2 (compressed): where each segment begins and ends
 *   A2_crd_out    A, level 2 (compressed): coordinates
 *   A_vals_out    A's values
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

#include "../helpers/popcount_u64.c"
#include "../helpers/ctz_u64.c"
#include "../helpers/min_i64.c"
#include "../helpers/shl_u64.c"
#include "../helpers/max_i64.c"
#include "../helpers/allocate_array.c"
#include "../helpers/min_i32.c"
#include "../helpers/max_i32.c"
#include "../helpers/reallocate_array.c"
#include "../helpers/thread_count.c"
#include "../helpers/allocate_arrays.c"
#include "../helpers/move_array.c"
#include "../helpers/free_arrays.c"
#include "../helpers/sort_count_u64.c"
#include "../helpers/sort_take_i32.c"
#include "../helpers/sort_ascends_i32.c"
#include "../helpers/sort_few_i32.c"
#include "../helpers/sort_rank_i32.c"
#include "../helpers/sort_walk_i32.c"
#include "../helpers/sort_set_i32.c"
#include "../helpers/sort_sparse_i32.c"
#include "../helpers/sort_ascending_i32.c"
#include "../helpers/sort_row_i32.c"
#include "../helpers/sum_before_i64.c"

/* One of the parts, which may run at once. */
static int evaluate_part(int32_t part, int32_t B1_dimension, const int32_t *restrict B2_pos,
                         const int32_t *restrict B2_crd, const double *restrict B_vals,
                         int32_t C2_dimension, const int32_t *restrict C2_pos,
                         const int32_t *restrict C2_crd, const double *restrict C_vals,
                         int32_t i0_size, int32_t parts, int64_t work, int32_t *restrict i0_from_of,
                         int32_t *restrict i0_past_of, int32_t pB2_last, int64_t *restrict A2_begin,
                         void **A_of)
{
    int32_t w1_crd_was[48];
    int32_t w1_crd_rank[16];
    bool *w1_map = NULL;
    int32_t *w1_crd = NULL;
    uint64_t *w1_crd_bits = NULL;
    double *w_vals = NULL;
    uint64_t *w1_crd_some = NULL;
    int32_t *A2_pos = NULL, *A2_crd = NULL;
    double *A_vals = NULL;
    int status = 1;
    int32_t nw1 = 0;
    int64_t w1_crd_rows = 0;
    int32_t i0_from = 0;
    int64_t w1_crd_words;
    int64_t A_room = 0;
    int32_t pA2 = 0;
    int32_t i0_past, A_low, A_size, A2_capacity;
    w1_map = (bool *)allocate_array(C2_dimension, sizeof(bool));
    if (!w1_map)
        goto fail;
    w1_crd = (int32_t *)allocate_array(C2_dimension, sizeof(int32_t));
    if (!w1_crd)
        goto fail;
    memset(w1_map, 0, (size_t)C2_dimension * sizeof(bool));
    w1_crd_words = (int64_t)C2_dimension / 64 + 1;
    w1_crd_bits = (uint64_t *)allocate_array(w1_crd_words, sizeof(uint64_t));
    if (!w1_crd_bits)
        goto fail;
    memset(w1_crd_bits, 0, (size_t)w1_crd_words * sizeof(uint64_t));
    w_vals = (double *)allocate_array(C2_dimension, sizeof(double));
    if (!w_vals)
        goto fail;
    memset(w_vals, 0, (size_t)C2_dimension * sizeof(double));
    w1_crd_some = (uint64_t *)allocate_array(w1_crd_words / 64 + 1, sizeof(uint64_t));
    if (!w1_crd_some)
        goto fail;
    memset(w1_crd_some, 0, (size_t)(w1_crd_words / 64 + 1) * sizeof(uint64_t));
    i0_past = i0_size;
    if (parts > 1) {
        for (int32_t bound = part; bound < part + 2; bound++) {
            i0_from = i0_past;
            int64_t work_from = (work + 1) * bound / parts;
            int32_t i0_low = 0;
            int32_t i0_high = i0_size;
            while (i0_low < i0_high) {
                int32_t i0_middle = i0_low + (i0_high - i0_low) / 2;
                if ((int64_t)i0_middle + B2_pos[min_i64((int64_t)i0_middle * 32, B1_dimension)]
                    < work_from)
                    i0_low = i0_middle + 1;
                else
                    i0_high = i0_middle;
            }
            i0_past = i0_low;
        }
    }
    i0_from_of[part] = i0_from;
    i0_past_of[part] = i0_past;
    A_low = (int32_t)min_i64((int64_t)i0_from * 32, B1_dimension);
    A_size = (int32_t)min_i64((int64_t)i0_past * 32, B1_dimension) - A_low;
    for (int32_t i0 = i0_from; i0 < i0_past; i0++) {
        int32_t base = i0 * 32;
        for (int32_t i1 = 0; i1 < min_i32(32, B1_dimension - i0 * 32); i1++) {
            int32_t i = base + i1;
            int64_t A_row = 0;
            for (int32_t pB2 = B2_pos[i]; pB2 < B2_pos[i + 1]; pB2++) {
                int32_t k = B2_crd[pB2];
                A_row += C2_pos[k + 1] - C2_pos[k];
            }
            A_room += min_i64(A_row, C2_dimension);
        }
    }
    A2_pos = (int32_t *)allocate_array((int64_t)A_size + 1, sizeof(int32_t));
    if (!A2_pos)
        goto fail;
    A2_pos[0] = 0;
    A2_capacity = (int32_t)min_i64(max_i64(A_room / 16, 16), 2147483647);
    A2_crd = (int32_t *)allocate_array(A2_capacity, sizeof(int32_t));
    A_vals = (double *)allocate_array(A2_capacity, sizeof(double));
    if (!A2_crd || !A_vals)
        goto fail;
    for (int32_t i0 = i0_from; i0 < i0_past; i0++) {
        int32_t base = i0 * 32;
        for (int32_t i1 = 0; i1 < min_i32(32, B1_dimension - i0 * 32); i1++) {
            int32_t i = base + i1;
            int32_t pA1 = i - A_low;
            nw1 = 0;
            int32_t pB2_ahead = B2_pos[i + 1] <= pB2_last - 16 ? 16 : 0;
            for (int32_t pB2 = B2_pos[i]; pB2 < B2_pos[i + 1]; pB2++) {
                int32_t k = B2_crd[pB2];
                double B_val = B_vals[pB2];
                int32_t pC2_next = C2_pos[B2_crd[pB2 + pB2_ahead]];
                __builtin_prefetch(C2_crd + pC2_next);
                __builtin_prefetch(C_vals + pC2_next);
                for (int32_t pC2 = C2_pos[k]; pC2 < C2_pos[k + 1]; pC2++) {
                    int32_t jp = C2_crd[pC2];
                    if (w1_crd_rows > 0) {
                        w1_crd_bits[(int64_t)((uint64_t)jp / 64)] |= shl_u64(1, (uint64_t)jp % 64);
                    } else if (!w1_map[jp]) {
                        w1_map[jp] = true;
                        w1_crd[nw1] = jp;
                        nw1++;
                    }
                    w_vals[jp] += B_val * C_vals[pC2];
                }
            }
            if (w1_crd_rows > 0) {
                nw1 = (int32_t)sort_count_u64(w1_crd_words, w1_crd_bits);
                sort_take_i32(C2_dimension, w1_crd, 0, 0, w1_crd_words, w1_crd_bits);
                w1_crd_rows = w1_crd_words <= (int64_t)nw1 * 2 ? w1_crd_rows - 1 : 0;
            } else if (!sort_ascends_i32(nw1, w1_crd)) {
                sort_row_i32(nw1, w1_crd, w1_map, 0, w1_crd_bits, w1_crd_some, w1_crd_was,
                             w1_crd_rank);
                w1_crd_rows = w1_crd_words <= (int64_t)nw1 * 2 ? 64 : 0;
            }
            int64_t A2_needed = (int64_t)pA2 + nw1;
            if (A2_capacity < A2_needed) {
                if (A2_needed > 2147483647) {
                    status = 2;
                    goto fail;
                }
                A2_capacity = max_i32(A2_capacity > 1073741823 ? 2147483647 : 2 * A2_capacity,
                    (int32_t)A2_needed);
                int64_t A_done = (int64_t)i0 - i0_from + 1;
                int64_t A_expected = A2_needed * ((int64_t)i0_past - i0_from) / A_done;
                A2_capacity = (int32_t)min_i64(max_i64(min_i64(A_expected + A_expected / 16,
                    A_room), A2_capacity), 2147483647);
                A2_crd = (int32_t *)reallocate_array(A2_crd, A2_capacity, sizeof(int32_t));
                A_vals = (double *)reallocate_array(A_vals, A2_capacity, sizeof(double));
                if (!A2_crd || !A_vals)
                    goto fail;
            }
            for (int32_t pw1 = 0; pw1 < nw1; pw1++) {
                int32_t j = w1_crd[pw1];
                A_vals[pA2] = w_vals[j];
                A2_crd[pA2] = j;
                pA2++;
            }
            for (int32_t pw = 0; pw < nw1; pw++) {
                w1_map[w1_crd[pw]] = false;
                w_vals[w1_crd[pw]] = 0.0;
            }
            A2_pos[pA1 + 1] = pA2;
        }
    }
    A2_begin[part] = pA2;
    A_of[part * 3] = A2_pos;
    A_of[part * 3 + 1] = A2_crd;
    A_of[part * 3 + 2] = A_vals;
    SPCC_FREE(w1_map);
    SPCC_FREE(w1_crd);
    SPCC_FREE(w1_crd_bits);
    SPCC_FREE(w_vals);
    SPCC_FREE(w1_crd_some);
    return 0;

fail:
    SPCC_FREE(w1_map);
    SPCC_FREE(w1_crd);
    SPCC_FREE(w1_crd_bits);
    SPCC_FREE(w_vals);
    SPCC_FREE(w1_crd_some);
    SPCC_FREE(A2_pos);
    SPCC_FREE(A2_crd);
    SPCC_FREE(A_vals);
    return status;
}

/* One of the parts, which may run at once. */
static void evaluate_chunk(int32_t chunk, int32_t B1_dimension, int32_t *restrict A2_pos,
                           int32_t *restrict A2_crd, double *restrict A_vals,
                           const int32_t *restrict i0_from_of, const int32_t *restrict i0_past_of,
                           void **A_of, const int64_t *restrict A2_begin)
{
    int32_t *A2_pos_2, *A2_crd_2;
    double *A_vals_2;
    int32_t i0_from = i0_from_of[chunk];
    int32_t i0_past = i0_past_of[chunk];
    A2_pos_2 = (int32_t *)A_of[chunk * 3];
    A2_crd_2 = (int32_t *)A_of[chunk * 3 + 1];
    A_vals_2 = (double *)A_of[chunk * 3 + 2];
    int64_t A2_at = A2_begin[chunk];
    int64_t A2_length = A2_begin[chunk + 1] - A2_at;
    int64_t A2_base = (int64_t)i0_from * 32;
    for (int64_t pA2_parent = 0; pA2_parent < min_i64((int64_t)i0_past * 32, B1_dimension)
         - min_i64((int64_t)i0_from * 32, B1_dimension); pA2_parent++)
        A2_pos[min_i64(A2_base, B1_dimension) + (pA2_parent + 1)] = (int32_t)A2_at
            + A2_pos_2[pA2_parent + 1];
    for (int64_t at = 0; at < A2_length; at++)
        A2_crd[A2_at + at] = A2_crd_2[at];
    for (int64_t at = 0; at < A2_length; at++)
        A_vals[A2_at + at] = A_vals_2[at];
}

#ifdef __cplusplus
extern "C"
#endif
int evaluate(int32_t B1_dimension, int32_t B2_dimension, const int32_t *restrict B2_pos,
             const int32_t *restrict B2_crd, const double *restrict B_vals, int32_t C2_dimension,
             const int32_t *restrict C2_pos, const int32_t *restrict C2_crd,
             const double *restrict C_vals, int32_t **A2_pos_out, int32_t **A2_crd_out,
             double **A_vals_out)
{
    (void)B2_dimension;
    int32_t i0_from_of[257];
    int32_t i0_past_of[257];
    int64_t A2_begin[257];
    int32_t *A2_pos = NULL, *A2_crd = NULL;
    double *A_vals = NULL;
    void *A_of_few[4], **A_of = NULL;
    int status = 1;
    int failed = 0;
    int32_t pB2_last = B2_pos[B1_dimension];
    int32_t i0_size = B1_dimension / 32 + (B1_dimension % 32 > 0);
    int64_t work = (int64_t)i0_size + B2_pos[min_i64((int64_t)i0_size * 32, B1_dimension)];
    int32_t parts = (int32_t)(work < 65536 ? 1
        : min_i64(min_i64(thread_count(), 256), work / 32768));
    A_of = allocate_arrays(parts * 3, 3, A_of_few);
    if (!A_of)
        goto fail;
    if (parts == 1) {
        failed = evaluate_part(0, B1_dimension, B2_pos, B2_crd, B_vals, C2_dimension, C2_pos,
                               C2_crd, C_vals, i0_size, parts, work, i0_from_of, i0_past_of,
                               pB2_last, A2_begin, A_of);
    } else {
#ifdef _OPENMP
#pragma omp parallel for schedule(static) reduction(max : failed)
#endif
        for (int32_t part = 0; part < parts; part++) {
            int part_status = evaluate_part(part, B1_dimension, B2_pos, B2_crd, B_vals,
                                            C2_dimension, C2_pos, C2_crd, C_vals, i0_size, parts,
                                            work, i0_from_of, i0_past_of, pB2_last, A2_begin, A_of);
            failed = failed < part_status ? part_status : failed;
        }
    }
    if (failed)
        goto fail;
    if (parts == 1) {
        A2_pos = (int32_t *)move_array(A2_pos, A_of, 0);
        A2_crd = (int32_t *)move_array(A2_crd, A_of, 1);
        A_vals = (double *)move_array(A_vals, A_of, 2);
    } else {
        sum_before_i64(A2_begin, parts, 0);
        int64_t nA2 = A2_begin[parts];
        if (nA2 > 2147483647) {
            status = 2;
            goto fail;
        }
        A2_pos = (int32_t *)allocate_array((int64_t)B1_dimension + 1, sizeof(int32_t));
        A2_crd = (int32_t *)allocate_array(nA2, sizeof(int32_t));
        A_vals = (double *)allocate_array(nA2, sizeof(double));
        if (!A2_pos || !A2_crd || !A_vals)
            goto fail;
        A2_pos[0] = 0;
#ifdef _OPENMP
#pragma omp parallel for schedule(static)
#endif
        for (int32_t chunk = 0; chunk < parts; chunk++)
            evaluate_chunk(chunk, B1_dimension, A2_pos, A2_crd, A_vals, i0_from_of, i0_past_of,
                           A_of, A2_begin);
    }
    free_arrays(A_of, A_of_few);
    *A2_pos_out = A2_pos;
    *A2_crd_out = A2_crd;
    *A_vals_out = A_vals;
    return 0;

fail:
    SPCC_FREE(A2_pos);
    SPCC_FREE(A2_crd);
    SPCC_FREE(A_vals);
    free_arrays(A_of, A_of_few);
    *A2_pos_out = NULL;
    *A2_crd_out = NULL;
    *A_vals_out = NULL;
    return failed ? failed : status;
}
