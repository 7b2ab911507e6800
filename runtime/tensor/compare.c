/* compare.c - are two tensors equal, apart from the rounding of their values?
 *
 * Both are walked in storage order, which is mostly the same; if not, they are sorted.
 *
 * Sums in different orders differ by a few roundings of their largest terms, which are not known.
 * So half of the digits of the largest value must agree (Higham, Accuracy and Stability of
 * Numerical Algorithms, 2002, section 4.2).
 *
 * SPDX-License-Identifier: MIT
 */
#include "runtime/tensor/compare.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "runtime/tensor/walk.h"

/* ---- values ---- */

/* The floating-point numbers in a value. */
static int parts(enum type type) { return type_is_complex(type) ? 2 : type_is_float(type) ? 1 : 0; }

static double part(enum type type, const void *value, int k)
{
    return type_size(type_real(type)) == sizeof(float) ? (double)((const float *)value)[k]
                                                       : ((const double *)value)[k];
}

static double largest(const struct tensor *t)
{
    struct tensor_walk walk;
    size_t size = type_size(t->type);
    double most = 0;
    for (bool more = tensor_walk_first(&walk, t); more && parts(t->type);
         more = tensor_walk_next(&walk))
        for (int k = 0; k < parts(t->type); k++) {
            double x = fabs(part(t->type, (const char *)t->vals + (size_t)walk.position * size, k));
            most = isfinite(x) && x > most ? x : most;
        }
    return most;
}

static bool is_near(enum type type, const void *a, const void *b, double tolerance)
{
    if (!parts(type))
        return memcmp(a, b, type_size(type)) == 0;
    for (int k = 0; k < parts(type); k++) {
        double x = part(type, a, k), y = part(type, b, k);
        if (!(x == y || fabs(x - y) <= tolerance || (isnan(x) && isnan(y))))
            return false;
    }
    return true;
}

static double tolerance_of(const struct tensor *a, const struct tensor *b)
{
    double one = largest(a), other = largest(b);
    bool is_single = type_size(type_real(a->type)) == sizeof(float);
    return sqrt(is_single ? FLT_EPSILON : DBL_EPSILON) * (one > other ? one : other);
}

/* ---- components ---- */

static bool same_place(const int64_t *a, const int64_t *b, int order)
{
    return order == 0 || memcmp(a, b, (size_t)order * sizeof *a) == 0;
}

/* Compares component by component.  false if they come in different orders, or differ. */
static bool compare_walks(const struct tensor *a, const struct tensor *b, double tolerance,
                          enum tensor_difference *difference)
{
    struct tensor_walk in_a, in_b;
    size_t size = type_size(a->type);
    bool more = tensor_walk_first(&in_a, a), others = tensor_walk_first(&in_b, b);
    *difference = TENSOR_SAME;
    while (more && others && same_place(in_a.coordinate, in_b.coordinate, a->order)) {
        if (!is_near(a->type, (const char *)a->vals + (size_t)in_a.position * size,
                     (const char *)b->vals + (size_t)in_b.position * size, tolerance))
            *difference = TENSOR_OTHER_VALUES;
        more = tensor_walk_next(&in_a);
        others = tensor_walk_next(&in_b);
    }
    return !more && !others;
}

static enum tensor_difference compare_lists(const struct coords *a, const struct coords *b,
                                            double tolerance)
{
    size_t size = type_size(a->type);
    if (a->n != b->n)
        return TENSOR_OTHER_PATTERN;
    for (int m = 0; m < a->order; m++)
        if (a->n && memcmp(a->coordinate[m], b->coordinate[m], (size_t)a->n * sizeof(int64_t)) != 0)
            return TENSOR_OTHER_PATTERN;
    for (int64_t i = 0; i < a->n; i++)
        if (!is_near(a->type, (const char *)a->vals + (size_t)i * size,
                     (const char *)b->vals + (size_t)i * size, tolerance))
            return TENSOR_OTHER_VALUES;
    return TENSOR_SAME;
}

enum rt_status tensor_compare(const struct tensor *a, const struct tensor *b,
                              enum tensor_difference *difference, struct rt_error *error)
{
    struct coords in_a = {0}, in_b = {0};
    double tolerance = tolerance_of(a, b);
    if (compare_walks(a, b, tolerance, difference))
        return RT_OK;
    enum rt_status status = tensor_unpack(a, false, 0, &in_a, error);
    status = status == RT_OK ? coords_sort(&in_a, 0, error) : status;
    status = status == RT_OK ? tensor_unpack(b, false, 0, &in_b, error) : status;
    status = status == RT_OK ? coords_sort(&in_b, 0, error) : status;
    if (status == RT_OK)
        *difference = compare_lists(&in_a, &in_b, tolerance);
    coords_free(&in_a);
    coords_free(&in_b);
    return status;
}
