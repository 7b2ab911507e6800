/* y(i,k) = u(i) - w(i) * v(k); z(i,k) = y(i,k)
 *     y        f64   ds
 *     z        f64   uq
 *     u        f64   b
 *     w        f64   d
 *     v        f64   s
 * schedule: parallelize(i, cpu_thread, no_races); parallelize(i2, cpu_thread, no_races)
 * made by spcc VERSION with
 *     spcc 'y(i,k) = u(i) - w(i) * v(k); z(i,k) = y(i,k)' -f 'y:csr' -f 'z:coo' -f 'u:bitmap' -f 'v:s'
 *
 *   u1_dimension  size of mode 1 of u: the range of i
 *   u1_map        u, level 1 (bitmap): is the component stored?
 *   u_vals        u's values
 *   w_vals        w's values
 *   v1_dimension  size of mode 1 of v: the range of k
 *   v1_pos        v, level 1 (compressed): where each segment begins and ends
 *   v1_crd        v, level 1 (compressed): coordinates
 *   v_vals        v's values
 *   y2_pos_out    y, level 2 (compressed): where each segment begins and ends
 *   y2_crd_out    y, level 2 (compressed): coordinates
 *   y_vals_out    y's values
 *   z1_pos_out    z, level 1 (compressed): where each segment begins and ends
 *   z1_crd_out    z, level 1 (compressed): coordinates
 *   z2_crd_out    z, level 2 (singleton): coordinates
 *   z_vals_out    z's values
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

#include "../helpers/reallocate_array.c"
#include "../helpers/allocate_array.c"
#include "../helpers/max_i32.c"
#include "../helpers/min_i64.c"
#include "../helpers/thread_count.c"
#include "../helpers/allocate_arrays.c"
#include "../helpers/move_array.c"
#include "../helpers/free_arrays.c"
#include "../helpers/sum_before_i64.c"

/* More room for y2_crd, y_vals; false if there is none. */
static inline bool evaluate_grow_y2(int32_t *y2_capacity, int32_t **y2_crd, double **y_vals,
                                    int *status)
{
    if (*y2_capacity == 2147483647) {
        *status = 2;
        return false;
    }
    *y2_capacity = *y2_capacity > 1073741823 ? 2147483647 : 2 * *y2_capacity;
    *y2_crd = (int32_t *)reallocate_array(*y2_crd, *y2_capacity, sizeof(int32_t));
    *y_vals = (double *)reallocate_array(*y_vals, *y2_capacity, sizeof(double));
    if (!*y2_crd || !*y_vals)
        return false;
    return true;
}

/* One of the parts, which may run at once. */
static int evaluate_part(int32_t part, int32_t u1_dimension, const bool *restrict u1_map,
                         const double *restrict u_vals, const double *restrict w_vals,
                         int32_t v1_dimension, const int32_t *restrict v1_pos,
                         const int32_t *restrict v1_crd, const double *restrict v_vals,
                         int32_t parts, int64_t *restrict y2_begin, void **y_of)
{
    int32_t *y2_pos = NULL, *y2_crd = NULL;
    double *y_vals = NULL;
    int status = 1;
    int32_t py2 = 0;
    int32_t y2_capacity = 16;
    int32_t i_from = 0;
    int32_t i_past = u1_dimension;
    if (parts > 1) {
        i_from = (int32_t)((int64_t)u1_dimension * part / parts);
        i_past = (int32_t)((int64_t)u1_dimension * (part + 1) / parts);
    }
    int32_t y_size = i_past - i_from;
    y2_pos = (int32_t *)allocate_array((int64_t)y_size + 1, sizeof(int32_t));
    if (!y2_pos)
        goto fail;
    y2_pos[0] = 0;
    y2_crd = (int32_t *)allocate_array(y2_capacity, sizeof(int32_t));
    y_vals = (double *)allocate_array(y2_capacity, sizeof(double));
    if (!y2_crd || !y_vals)
        goto fail;
    for (int32_t i = i_from; i < i_past; i++) {
        if (u1_map[i]) {
            double u_val = u_vals[i];
            double w_val = w_vals[i];
            int32_t py1 = i - i_from;
            int32_t pv1 = v1_pos[0];
            int32_t pv1_end = v1_pos[1];
            int32_t k = 0;
            while (pv1 < pv1_end) {
                int32_t kv = v1_crd[pv1];
                if (py2 == y2_capacity
                    && !evaluate_grow_y2(&y2_capacity, &y2_crd, &y_vals, &status))
                    goto fail;
                if (kv == k) {
                    y_vals[py2] = u_val - w_val * v_vals[pv1];
                    y2_crd[py2] = k;
                    py2++;
                } else {
                    y_vals[py2] = u_val;
                    y2_crd[py2] = k;
                    py2++;
                }
                pv1 += kv == k;
                k++;
            }
            for (int32_t k_2 = k; k_2 < v1_dimension; k_2++) {
                if (py2 == y2_capacity
                    && !evaluate_grow_y2(&y2_capacity, &y2_crd, &y_vals, &status))
                    goto fail;
                y_vals[py2] = u_val;
                y2_crd[py2] = k_2;
                py2++;
            }
            y2_pos[py1 + 1] = py2;
        } else {
            double w_val = w_vals[i];
            int32_t py1 = i - i_from;
            for (int32_t pv1 = v1_pos[0]; pv1 < v1_pos[1]; pv1++) {
                int32_t k = v1_crd[pv1];
                if (py2 == y2_capacity
                    && !evaluate_grow_y2(&y2_capacity, &y2_crd, &y_vals, &status))
                    goto fail;
                y_vals[py2] = 0.0 - w_val * v_vals[pv1];
                y2_crd[py2] = k;
                py2++;
            }
            y2_pos[py1 + 1] = py2;
        }
    }
    y2_begin[part] = py2;
    y_of[part * 3] = y2_pos;
    y_of[part * 3 + 1] = y2_crd;
    y_of[part * 3 + 2] = y_vals;
    return 0;

fail:
    SPCC_FREE(y2_pos);
    SPCC_FREE(y2_crd);
    SPCC_FREE(y_vals);
    return status;
}

/* One of the parts, which may run at once. */
static void evaluate_chunk(int32_t chunk, int32_t u1_dimension, int32_t *restrict y2_pos,
                           int32_t *restrict y2_crd, double *restrict y_vals, int32_t parts,
                           void **y_of, const int64_t *restrict y2_begin)
{
    int32_t *y2_pos_2, *y2_crd_2;
    double *y_vals_2;
    int32_t i_from = 0;
    int32_t i_past = u1_dimension;
    if (parts > 1) {
        i_from = (int32_t)((int64_t)u1_dimension * chunk / parts);
        i_past = (int32_t)((int64_t)u1_dimension * (chunk + 1) / parts);
    }
    y2_pos_2 = (int32_t *)y_of[chunk * 3];
    y2_crd_2 = (int32_t *)y_of[chunk * 3 + 1];
    y_vals_2 = (double *)y_of[chunk * 3 + 2];
    int64_t y2_at = y2_begin[chunk];
    int64_t y2_length = y2_begin[chunk + 1] - y2_at;
    for (int64_t py2_parent = 0; py2_parent < (int64_t)i_past - i_from; py2_parent++)
        y2_pos[i_from + (py2_parent + 1)] = (int32_t)y2_at + y2_pos_2[py2_parent + 1];
    for (int64_t at = 0; at < y2_length; at++)
        y2_crd[y2_at + at] = y2_crd_2[at];
    for (int64_t at = 0; at < y2_length; at++)
        y_vals[y2_at + at] = y_vals_2[at];
}

/* One of the parts, which may run at once. */
static int evaluate_2_part(int32_t part, int32_t u1_dimension, const int32_t *restrict y2_pos,
                           const int32_t *restrict y2_crd, const double *restrict y_vals,
                           int32_t parts, int64_t work, int64_t *restrict z2_begin, void **z_of)
{
    int32_t *z1_pos = NULL, *z1_crd = NULL, *z2_crd = NULL;
    double *z_vals = NULL;
    int status = 1;
    int32_t pz2 = 0;
    int32_t z2_capacity = 16;
    int32_t i2_from = 0;
    int32_t i2_past = u1_dimension;
    if (parts > 1) {
        for (int32_t bound = part; bound < part + 2; bound++) {
            i2_from = i2_past;
            int64_t work_from = (work + 1) * bound / parts;
            int32_t i2_low = 0;
            int32_t i2_high = u1_dimension;
            while (i2_low < i2_high) {
                int32_t i2_middle = i2_low + (i2_high - i2_low) / 2;
                if ((int64_t)i2_middle + y2_pos[i2_middle] < work_from)
                    i2_low = i2_middle + 1;
                else
                    i2_high = i2_middle;
            }
            i2_past = i2_low;
        }
    }
    z1_pos = (int32_t *)allocate_array(2, sizeof(int32_t));
    if (!z1_pos)
        goto fail;
    z1_pos[0] = 0;
    z1_crd = (int32_t *)allocate_array(z2_capacity, sizeof(int32_t));
    z2_crd = (int32_t *)allocate_array(z2_capacity, sizeof(int32_t));
    z_vals = (double *)allocate_array(z2_capacity, sizeof(double));
    if (!z1_crd || !z2_crd || !z_vals)
        goto fail;
    for (int32_t i2 = i2_from; i2 < i2_past; i2++) {
        int64_t z2_needed = (int64_t)pz2 + (y2_pos[i2 + 1] - y2_pos[i2]);
        if (z2_capacity < z2_needed) {
            if (z2_needed > 2147483647) {
                status = 2;
                goto fail;
            }
            z2_capacity = max_i32(z2_capacity > 1073741823 ? 2147483647 : 2 * z2_capacity,
                (int32_t)z2_needed);
            z1_crd = (int32_t *)reallocate_array(z1_crd, z2_capacity, sizeof(int32_t));
            z2_crd = (int32_t *)reallocate_array(z2_crd, z2_capacity, sizeof(int32_t));
            z_vals = (double *)reallocate_array(z_vals, z2_capacity, sizeof(double));
            if (!z1_crd || !z2_crd || !z_vals)
                goto fail;
        }
        for (int32_t py2 = y2_pos[i2]; py2 < y2_pos[i2 + 1]; py2++) {
            int32_t k2 = y2_crd[py2];
            z_vals[pz2] = y_vals[py2];
            z1_crd[pz2] = i2;
            z2_crd[pz2] = k2;
            pz2++;
        }
    }
    z1_pos[1] = pz2;
    z2_begin[part] = pz2;
    z_of[part * 4] = z1_pos;
    z_of[part * 4 + 1] = z1_crd;
    z_of[part * 4 + 2] = z2_crd;
    z_of[part * 4 + 3] = z_vals;
    return 0;

fail:
    SPCC_FREE(z1_pos);
    SPCC_FREE(z1_crd);
    SPCC_FREE(z2_crd);
    SPCC_FREE(z_vals);
    return status;
}

/* One of the parts, which may run at once. */
static void evaluate_2_chunk(int32_t chunk, int32_t *restrict z1_crd, int32_t *restrict z2_crd,
                             double *restrict z_vals, void **z_of, const int64_t *restrict z2_begin)
{
    int32_t *z1_crd_2, *z2_crd_2;
    double *z_vals_2;
    z1_crd_2 = (int32_t *)z_of[chunk * 4 + 1];
    z2_crd_2 = (int32_t *)z_of[chunk * 4 + 2];
    z_vals_2 = (double *)z_of[chunk * 4 + 3];
    int64_t z2_at = z2_begin[chunk];
    int64_t z2_length = z2_begin[chunk + 1] - z2_at;
    for (int64_t at = 0; at < z2_length; at++)
        z1_crd[z2_at + at] = z1_crd_2[at];
    for (int64_t at = 0; at < z2_length; at++)
        z2_crd[z2_at + at] = z2_crd_2[at];
    for (int64_t at = 0; at < z2_length; at++)
        z_vals[z2_at + at] = z_vals_2[at];
}

#ifdef __cplusplus
extern "C"
#endif
int evaluate(int32_t u1_dimension, const bool *restrict u1_map, const double *restrict u_vals,
             const double *restrict w_vals, int32_t v1_dimension, const int32_t *restrict v1_pos,
             const int32_t *restrict v1_crd, const double *restrict v_vals, int32_t **y2_pos_out,
             int32_t **y2_crd_out, double **y_vals_out, int32_t **z1_pos_out, int32_t **z1_crd_out,
             int32_t **z2_crd_out, double **z_vals_out)
{
    int64_t y2_begin[257];
    int64_t z2_begin[257];
    int32_t *y2_pos = NULL, *y2_crd = NULL;
    double *y_vals = NULL;
    int32_t *z1_pos = NULL, *z1_crd = NULL, *z2_crd = NULL;
    double *z_vals = NULL;
    void *y_of_few[4], **y_of = NULL;
    void *z_of_few[5], **z_of = NULL;
    int status = 1;
    int failed = 0;
    int64_t work_2;
    int32_t parts_2;
    int64_t work = u1_dimension;
    int32_t parts = (int32_t)(work < 65536 ? 1
        : min_i64(min_i64(thread_count(), 256), work / 32768));
    y_of = allocate_arrays(parts * 3, 3, y_of_few);
    if (!y_of)
        goto fail;
    if (parts == 1) {
        failed = evaluate_part(0, u1_dimension, u1_map, u_vals, w_vals, v1_dimension, v1_pos,
                               v1_crd, v_vals, parts, y2_begin, y_of);
    } else {
#ifdef _OPENMP
#pragma omp parallel for schedule(static) reduction(max : failed)
#endif
        for (int32_t part = 0; part < parts; part++) {
            int part_status = evaluate_part(part, u1_dimension, u1_map, u_vals, w_vals,
                                            v1_dimension, v1_pos, v1_crd, v_vals, parts, y2_begin,
                                            y_of);
            failed = failed < part_status ? part_status : failed;
        }
    }
    if (failed)
        goto fail;
    if (parts == 1) {
        y2_pos = (int32_t *)move_array(y2_pos, y_of, 0);
        y2_crd = (int32_t *)move_array(y2_crd, y_of, 1);
        y_vals = (double *)move_array(y_vals, y_of, 2);
    } else {
        sum_before_i64(y2_begin, parts, 0);
        int64_t ny2 = y2_begin[parts];
        if (ny2 > 2147483647) {
            status = 2;
            goto fail;
        }
        y2_pos = (int32_t *)allocate_array((int64_t)u1_dimension + 1, sizeof(int32_t));
        y2_crd = (int32_t *)allocate_array(ny2, sizeof(int32_t));
        y_vals = (double *)allocate_array(ny2, sizeof(double));
        if (!y2_pos || !y2_crd || !y_vals)
            goto fail;
        y2_pos[0] = 0;
#ifdef _OPENMP
#pragma omp parallel for schedule(static)
#endif
        for (int32_t chunk = 0; chunk < parts; chunk++)
            evaluate_chunk(chunk, u1_dimension, y2_pos, y2_crd, y_vals, parts, y_of, y2_begin);
    }
    free_arrays(y_of, y_of_few); y_of = NULL;
    work_2 = (int64_t)u1_dimension + y2_pos[u1_dimension];
    parts_2 = (int32_t)(work_2 < 65536 ? 1 : min_i64(min_i64(thread_count(), 256), work_2 / 32768));
    z_of = allocate_arrays(parts_2 * 4, 4, z_of_few);
    if (!z_of)
        goto fail;
    if (parts_2 == 1) {
        failed = evaluate_2_part(0, u1_dimension, y2_pos, y2_crd, y_vals, parts_2, work_2, z2_begin,
                                 z_of);
    } else {
#ifdef _OPENMP
#pragma omp parallel for schedule(static) reduction(max : failed)
#endif
        for (int32_t part = 0; part < parts_2; part++) {
            int part_status = evaluate_2_part(part, u1_dimension, y2_pos, y2_crd, y_vals, parts_2,
                                              work_2, z2_begin, z_of);
            failed = failed < part_status ? part_status : failed;
        }
    }
    if (failed)
        goto fail;
    if (parts_2 == 1) {
        z1_pos = (int32_t *)move_array(z1_pos, z_of, 0);
        z1_crd = (int32_t *)move_array(z1_crd, z_of, 1);
        z2_crd = (int32_t *)move_array(z2_crd, z_of, 2);
        z_vals = (double *)move_array(z_vals, z_of, 3);
    } else {
        sum_before_i64(z2_begin, parts_2, 0);
        int64_t nz2 = z2_begin[parts_2];
        if (nz2 > 2147483647) {
            status = 2;
            goto fail;
        }
        z1_pos = (int32_t *)allocate_array(2, sizeof(int32_t));
        z1_crd = (int32_t *)allocate_array(nz2, sizeof(int32_t));
        z2_crd = (int32_t *)allocate_array(nz2, sizeof(int32_t));
        z_vals = (double *)allocate_array(nz2, sizeof(double));
        if (!z1_pos || !z1_crd || !z2_crd || !z_vals)
            goto fail;
        z1_pos[0] = 0;
        z1_pos[1] = (int32_t)nz2;
#ifdef _OPENMP
#pragma omp parallel for schedule(static)
#endif
        for (int32_t chunk = 0; chunk < parts_2; chunk++)
            evaluate_2_chunk(chunk, z1_crd, z2_crd, z_vals, z_of, z2_begin);
    }
    free_arrays(z_of, z_of_few);
    *y2_pos_out = y2_pos;
    *y2_crd_out = y2_crd;
    *y_vals_out = y_vals;
    *z1_pos_out = z1_pos;
    *z1_crd_out = z1_crd;
    *z2_crd_out = z2_crd;
    *z_vals_out = z_vals;
    return 0;

fail:
    SPCC_FREE(y2_pos);
    SPCC_FREE(y2_crd);
    SPCC_FREE(y_vals);
    SPCC_FREE(z1_pos);
    SPCC_FREE(z1_crd);
    SPCC_FREE(z2_crd);
    SPCC_FREE(z_vals);
    free_arrays(y_of, y_of_few);
    free_arrays(z_of, z_of_few);
    *y2_pos_out = NULL;
    *y2_crd_out = NULL;
    *y_vals_out = NULL;
    *z1_pos_out = NULL;
    *z1_crd_out = NULL;
    *z2_crd_out = NULL;
    *z_vals_out = NULL;
    return failed ? failed : status;
}
