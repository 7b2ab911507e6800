/* A(i,j) = B(i,j) * C(i,k) * D(j,k)
 *     A        f64   ds
 *     B        f64   ds
 *     C        f64   dd
 *     D        f64   dd
 * schedule: parallelize(i)
 * made by spcc VERSION with
 *     spcc 'A(i,j) = B(i,j) * C(i,k) * D(j,k)' -f 'A:csr' -f 'B:csr' -s 'parallelize(i)' --plain
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

#ifndef SPCC_MALLOC
#include <stdlib.h>
#define SPCC_MALLOC malloc
#define SPCC_REALLOC realloc
#define SPCC_FREE free
#endif

#if defined(__cplusplus) && !defined(restrict)
#define restrict __restrict
#endif

#ifndef SPCC_HAS_min_i64
#define SPCC_HAS_min_i64
static inline int64_t min_i64(int64_t a, int64_t b)
{
    return a < b ? a : b;
}
#endif

#ifndef SPCC_HAS_thread_count
#define SPCC_HAS_thread_count
#ifdef _OPENMP
#include <omp.h>
#endif
/* How many threads a parallel loop has here. */
static inline int32_t thread_count(void)
{
#ifdef _OPENMP
    return omp_in_parallel() ? 1 : omp_get_max_threads();
#else
    return 1;
#endif
}
#endif

#ifndef SPCC_HAS_div_i64
#define SPCC_HAS_div_i64
/* a / b, and 0 where b is 0. */
static inline int64_t div_i64(int64_t a, int64_t b)
{
    return b == 0 ? 0 : b == -1 ? (int64_t)(0 - (uint64_t)a) : a / b;
}
#endif

#ifndef SPCC_HAS_allocate_array
#define SPCC_HAS_allocate_array
/* Room for n elements of size bytes; NULL if there is none. */
static inline void *allocate_array(int64_t n, size_t size)
{
    if (n < 0 || (uint64_t)n > (size_t)-1 / size)
        return NULL;
    return SPCC_MALLOC(n > 0 ? (size_t)n * size : size);
}
#endif

#ifndef SPCC_HAS_allocate_arrays
#define SPCC_HAS_allocate_arrays
/* Room for n arrays, NULL each, and behind them this room itself, which is the end;
 * NULL if there is none. */
static inline void **allocate_arrays(int64_t n)
{
    void **arrays = n < 0 ? NULL : (void **)allocate_array(n + 1, sizeof(void *));
    for (int64_t i = 0; arrays && i < n; i++)
        arrays[i] = NULL;
    if (arrays)
        arrays[n] = arrays;
    return arrays;
}
#endif

#ifndef SPCC_HAS_reallocate_array
#define SPCC_HAS_reallocate_array
/* Room for n elements of size bytes that holds what array held; NULL if there is none. */
static inline void *reallocate_array(void *array, int64_t n, size_t size)
{
    if (n < 0 || (uint64_t)n > (size_t)-1 / size)
        return NULL;
    return SPCC_REALLOC(array, n > 0 ? (size_t)n * size : size);
}
#endif

#ifndef SPCC_HAS_free_arrays
#define SPCC_HAS_free_arrays
/* Release arrays and their room. */
static inline void free_arrays(void **arrays)
{
    for (void **at = arrays; at && *at != (void *)arrays; at++)
        SPCC_FREE(*at);
    SPCC_FREE(arrays);
}
#endif

#ifdef __cplusplus
extern "C"
#endif
int evaluate(int32_t B1_dimension, int32_t B2_dimension, const int32_t *restrict B2_pos,
             const int32_t *restrict B2_crd, const double *restrict B_vals, int32_t C2_dimension,
             const double *restrict C_vals, const double *restrict D_vals, int32_t **A2_pos_out,
             int32_t **A2_crd_out, double **A_vals_out)
{
    (void)B2_dimension;
    int32_t i_shares[257];
    int64_t A2_begin[257];
    int32_t *A2_pos = NULL;
    int32_t *A2_crd = NULL;
    double *A_vals = NULL;
    void **A2_pos_of = NULL;
    void **A2_crd_of = NULL;
    void **A_vals_of = NULL;
    int status = 1;
    int failed = 0;
    int64_t work = (int64_t)B1_dimension + B2_pos[B1_dimension] + (int64_t)B1_dimension
        * C2_dimension;
    int32_t parts = (int32_t)(work < 8192 ? 1
        : min_i64(thread_count() > 1 ? 256 : 1, work / 8192 + 1));
    i_shares[0] = 0;
    i_shares[parts] = B1_dimension;
    for (int32_t part = 1; part < parts; part++) {
        int64_t work_from = div_i64(work * part, parts);
        int32_t i_low = 0;
        int32_t i_high = B1_dimension;
        while (i_low < i_high) {
            int32_t i_middle = i_low + (i_high - i_low) / 2;
            if ((int64_t)i_middle + B2_pos[i_middle] + (int64_t)i_middle * C2_dimension < work_from)
                i_low = i_middle + 1;
            else
                i_high = i_middle;
        }
        i_shares[part] = i_low;
    }
    A2_pos_of = allocate_arrays(parts + 1);
    if (!A2_pos_of)
        goto fail;
    A2_crd_of = allocate_arrays(parts + 1);
    if (!A2_crd_of)
        goto fail;
    A_vals_of = allocate_arrays(parts + 1);
    if (!A_vals_of)
        goto fail;
#ifdef _OPENMP
#pragma omp parallel for schedule(static) reduction(max : failed) if (parts > 1)
#endif
    for (int32_t part = 0; part < parts; part++) {
        int32_t *A2_pos_2 = NULL;
        int32_t *A2_crd_2 = NULL;
        double *A_vals_2 = NULL;
        void *grown;
        int part_status = 1;
        int32_t pA2 = 0;
        int32_t A2_capacity = 16;
        int32_t i_from = i_shares[part];
        int32_t i_past = i_shares[part + 1];
        int32_t A_size = i_past - i_from;
        A2_pos_2 = (int32_t *)allocate_array((int64_t)A_size + 1, sizeof(int32_t));
        if (!A2_pos_2)
            goto fail_part;
        A2_pos_2[0] = 0;
        A2_crd_2 = (int32_t *)allocate_array(A2_capacity, sizeof(int32_t));
        if (!A2_crd_2)
            goto fail_part;
        A_vals_2 = (double *)allocate_array(A2_capacity, sizeof(double));
        if (!A_vals_2)
            goto fail_part;
        for (int32_t i = i_from; i < i_past; i++) {
            int32_t pA1 = i - i_from;
            for (int32_t pB2 = B2_pos[i]; pB2 < B2_pos[i + 1]; pB2++) {
                int32_t j = B2_crd[pB2];
                double B_val = B_vals[pB2];
                if (pA2 == A2_capacity) {
                    if (A2_capacity == 2147483647) {
                        part_status = 2;
                        goto fail_part;
                    }
                    A2_capacity = A2_capacity > 1073741823 ? 2147483647 : 2 * A2_capacity;
                    grown = reallocate_array(A2_crd_2, A2_capacity, sizeof(int32_t));
                    if (!grown)
                        goto fail_part;
                    A2_crd_2 = (int32_t *)grown;
                    grown = reallocate_array(A_vals_2, A2_capacity, sizeof(double));
                    if (!grown)
                        goto fail_part;
                    A_vals_2 = (double *)grown;
                }
                bool A2_stored = false;
                double A_val = 0.0;
                for (int32_t k = 0; k < C2_dimension; k++) {
                    A2_stored = true;
                    A_val += B_val * C_vals[(int64_t)i * C2_dimension + k]
                        * D_vals[(int64_t)j * C2_dimension + k];
                }
                if (A2_stored) {
                    A_vals_2[pA2] = A_val;
                    A2_crd_2[pA2] = j;
                    pA2++;
                }
            }
            A2_pos_2[pA1 + 1] = pA2;
        }
        A2_begin[part] = pA2;
        A2_pos_of[part] = A2_pos_2;
        A2_crd_of[part] = A2_crd_2;
        A_vals_of[part] = A_vals_2;
        continue;

    fail_part:
        SPCC_FREE(A2_pos_2);
        SPCC_FREE(A2_crd_2);
        SPCC_FREE(A_vals_2);
        failed = failed < part_status ? part_status : failed;
    }
    if (failed) {
        status = failed;
        goto fail;
    }
    if (parts == 1) {
        A2_pos = (int32_t *)A2_pos_of[0];
        A2_pos_of[0] = NULL;
        A2_crd = (int32_t *)A2_crd_of[0];
        A2_crd_of[0] = NULL;
        A_vals = (double *)A_vals_of[0];
        A_vals_of[0] = NULL;
    } else {
        int64_t nA2 = 0;
        for (int32_t part = 0; part < parts; part++) {
            int64_t length = A2_begin[part];
            A2_begin[part] = nA2;
            nA2 += length;
        }
        if (nA2 > 2147483647) {
            status = 2;
            goto fail;
        }
        A2_pos = (int32_t *)allocate_array((int64_t)B1_dimension + 1, sizeof(int32_t));
        if (!A2_pos)
            goto fail;
        A2_crd = (int32_t *)allocate_array(nA2, sizeof(int32_t));
        if (!A2_crd)
            goto fail;
        A_vals = (double *)allocate_array(nA2, sizeof(double));
        if (!A_vals)
            goto fail;
        A2_pos[0] = 0;
#ifdef _OPENMP
#pragma omp parallel for schedule(static) reduction(max : failed) if (parts > 1)
#endif
        for (int32_t part = 0; part < parts; part++) {
            int32_t *A2_pos_3;
            int32_t *A2_crd_3;
            double *A_vals_3;
            int part_status = 1;
            int64_t A2_length;
            int32_t i_from = i_shares[part];
            int32_t i_past = i_shares[part + 1];
            A2_pos_3 = (int32_t *)A2_pos_of[part];
            A2_crd_3 = (int32_t *)A2_crd_of[part];
            A_vals_3 = (double *)A_vals_of[part];
            int64_t A2_at = A2_begin[part];
            if (A2_at + A2_pos_3[(int64_t)i_past - i_from] > 2147483647) {
                part_status = 2;
                goto fail_part_2;
            }
            for (int64_t pA2_parent = 0; pA2_parent < (int64_t)i_past - i_from; pA2_parent++)
                A2_pos[i_from + (pA2_parent + 1)] = (int32_t)A2_at + A2_pos_3[pA2_parent + 1];
            for (int64_t pA2 = 0; pA2 < A2_pos_3[(int64_t)i_past - i_from]; pA2++)
                A2_crd[A2_at + pA2] = A2_crd_3[pA2];
            A2_length = A2_pos_3[(int64_t)i_past - i_from];
            for (int64_t pA = 0; pA < A2_length; pA++)
                A_vals[A2_at + pA] = A_vals_3[pA];
            continue;

        fail_part_2:
            failed = failed < part_status ? part_status : failed;
        }
        if (failed) {
            status = failed;
            goto fail;
        }
    }
    free_arrays(A2_pos_of);
    free_arrays(A2_crd_of);
    free_arrays(A_vals_of);
    *A2_pos_out = A2_pos;
    *A2_crd_out = A2_crd;
    *A_vals_out = A_vals;
    return 0;

fail:
    SPCC_FREE(A2_pos);
    SPCC_FREE(A2_crd);
    SPCC_FREE(A_vals);
    free_arrays(A2_pos_of);
    free_arrays(A2_crd_of);
    free_arrays(A_vals_of);
    *A2_pos_out = NULL;
    *A2_crd_out = NULL;
    *A_vals_out = NULL;
    return status;
}
