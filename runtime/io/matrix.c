/* matrix.c - shared by formats of files with a matrix.
 *
 * A matrix with a symmetry has one triangle in the file.  That should be the lower one; the upper
 * one is read as well, but not both.
 *
 * SPDX-License-Identifier: MIT
 */
#include "runtime/io/matrix.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/tensor/alloc.h"

/* ---- orders ---- */

enum rt_status matrix_check_sizes(const struct input *input, const char *at, int64_t rows,
                                  int64_t columns, int *order, struct rt_error *error)
{
    *order = input->request->order;
    if (*order == 0 && rows == 1 && columns == 1)
        return RT_OK;
    if (*order == 1 && columns == 1)
        return input_check_dimension(input, at, 0, rows, "rows", error);
    if (*order == 1 && rows == 1)
        return input_check_dimension(input, at, 0, columns, "columns", error);
    if (*order >= 0 && *order != 2)
        return input_fail(input, at, DIAG_ORDER, error,
                          "the file holds a matrix of %" PRId64 " x %" PRId64
                          ", and %s has the order %d",
                          rows, columns, input_tensor(input), *order);
    *order = 2;
    enum rt_status status = input_check_dimension(input, at, 0, rows, "rows", error);
    return status == RT_OK ? input_check_dimension(input, at, 1, columns, "columns", error)
                           : status;
}

enum rt_status matrix_check_order(const struct input *input, const char *at, int file_order,
                                  const int64_t *dimension, int *order, struct rt_error *error)
{
    enum rt_status status = RT_OK;
    if (file_order == 2)
        return matrix_check_sizes(input, at, dimension[0], dimension[1], order, error);
    *order = file_order;
    if (input->request->order >= 0 && input->request->order != *order)
        return input_fail(input, at, DIAG_ORDER, error,
                          "the file holds a tensor of order %d, and %s has the order %d", *order,
                          input_tensor(input), input->request->order);
    for (int m = 0; m < *order && status == RT_OK; m++)
        status = input_check_dimension(input, at, m, dimension[m], "coordinates there", error);
    return status;
}

void matrix_leave_out(struct coords *coords, struct value fill)
{
    size_t size = type_size(coords->type);
    const char *vals = coords->vals;
    int64_t kept = 0;
    for (int64_t i = 0; i < coords->n; i++)
        if (!value_is_filling(fill, vals + (size_t)i * size))
            coords_move(coords, kept++, i);
    coords->n = kept;
}

void matrix_drop_modes(struct coords *coords, int order)
{
    int64_t rows = coords->dimension[0], columns = coords->dimension[1];
    bool row = order == 1 && columns != 1;
    for (int m = order; m < 2; m++) {
        int dropped = row && m == 1 ? 0 : m;
        free(coords->coordinate[dropped]);
        coords->coordinate[dropped] = NULL;
    }
    if (row) {
        coords->coordinate[0] = coords->coordinate[1];
        coords->coordinate[1] = NULL;
        coords->bits[0] = coords->bits[1];
        coords->shift[0] = coords->shift[1];
    }
    coords->order = order;
    coords->dimension[0] = row ? columns : rows;
    coords->dimension[1] = order == 2 ? columns : 0;
}

enum rt_status matrix_fail_complex(const struct input *input, const char *at, enum type type,
                                   struct rt_error *error)
{
    enum rt_status status =
        input_fail(input, at, DIAG_FILE_FORMAT, error, "the values are complex, and %s is %s",
                   input_tensor(input), type_name(type));
    rt_help(error, "declare the tensor as c128");
    return status;
}

/* ---- mirror images ---- */

/* Negates a value, or its imaginary part.  false if the type does not hold the result. */
static bool negate(enum type type, void *at, bool conjugate)
{
    struct value v = value_load(type, at);
    switch (type_kind(type)) {
    case KIND_BOOL: break;
    case KIND_INT:
        if (v.i == value_lowest(type).i)
            return false;
        v.i = -v.i;
        break;
    case KIND_UINT:
        if (v.u != 0)
            return false;
        break;
    case KIND_FLOAT: v.f = -v.f; break;
    case KIND_COMPLEX:
        v.c.im = -v.c.im;
        v.c.re = conjugate ? v.c.re : -v.c.re;
        break;
    }
    value_store(v, at);
    return true;
}

static char *value_at(const struct coords *coords, int64_t entry)
{
    return (char *)coords->vals + (size_t)entry * type_size(coords->type);
}

/* Turns a value into the mirror image's.  false as for negate. */
static bool reflect(enum io_symmetry symmetry, enum type type, void *at)
{
    bool changes = symmetry == IO_SKEW || (symmetry == IO_HERMITIAN && type_is_complex(type));
    return !changes || negate(type, at, symmetry == IO_HERMITIAN);
}

static enum rt_status fail_entry(struct matrix_fault *fault, int64_t entry, const char *why)
{
    fault->entry = entry;
    snprintf(fault->why, sizeof fault->why, "%s", why);
    return RT_INPUT;
}

int matrix_side(const struct coords *coords, int64_t entry)
{
    int64_t row = coords->coordinate[0][entry], column = coords->coordinate[1][entry];
    return (row > column) - (row < column);
}

/* Counts the entries beside the diagonal, which must be in one triangle.  On the diagonal, a
 * symmetry allows some values only. */
static enum rt_status check_triangle(const struct coords *coords, enum io_symmetry symmetry,
                                     int64_t *mirrored, struct matrix_fault *fault)
{
    bool is_complex = type_is_complex(coords->type);
    int first = 0;
    *mirrored = 0;
    for (int64_t i = 0; i < coords->n; i++) {
        int side = matrix_side(coords, i);
        if (side == 0 && symmetry == IO_SKEW)
            return fail_entry(fault, i, "a skew-symmetric matrix has no entries on the diagonal");
        if (side == 0 && symmetry == IO_HERMITIAN && is_complex
            && value_load(coords->type, value_at(coords, i)).c.im != 0)
            return fail_entry(fault, i,
                              "the values on the diagonal of a hermitian matrix are real");
        if (side * first < 0)
            return fail_entry(fault, i, MATRIX_BOTH_SIDES);
        first = first ? first : side;
        *mirrored += side != 0;
    }
    return RT_OK;
}

enum rt_status matrix_mirror(struct coords *coords, enum io_symmetry symmetry,
                             struct matrix_fault *fault, struct rt_error *error)
{
    int64_t mirrored, n = coords->n;
    if (check_triangle(coords, symmetry, &mirrored, fault) != RT_OK)
        return RT_INPUT;
    if (!coords_reserve(coords, n + mirrored))
        return rt_no_memory(error);
    for (int64_t i = 0; i < n; i++) {
        if (coords->coordinate[0][i] == coords->coordinate[1][i])
            continue;
        int64_t to = coords->n++;
        coords->coordinate[0][to] = coords->coordinate[1][i];
        coords->coordinate[1][to] = coords->coordinate[0][i];
        memcpy(value_at(coords, to), value_at(coords, i), type_size(coords->type));
        if (!reflect(symmetry, coords->type, value_at(coords, to))) {
            snprintf(fault->why, sizeof fault->why,
                     "the entry's mirror image is negative, which %s cannot be",
                     type_name(coords->type));
            fault->entry = i;
            return RT_INPUT;
        }
    }
    return RT_OK;
}

/* ---- from a whole matrix to a triangle ---- */

static const char *symmetry_name(enum io_symmetry symmetry)
{
    static const char *const names[] = {"general", "symmetric", "skew-symmetric", "hermitian"};
    return names[symmetry];
}

/* Transposes a matrix, in order of its modes. */
static enum rt_status transpose(const struct coords *matrix, struct coords *other,
                                struct rt_error *error)
{
    coords_init(other, 2, matrix->dimension, matrix->type);
    if (!coords_reserve(other, matrix->n))
        return rt_no_memory(error);
    for (int m = 0; m < 2 && matrix->n > 0; m++)
        memcpy(other->coordinate[m], matrix->coordinate[1 - m],
               (size_t)matrix->n * sizeof *other->coordinate[m]);
    if (matrix->n > 0)
        memcpy(other->vals, matrix->vals, (size_t)matrix->n * type_size(matrix->type));
    other->n = matrix->n;
    return coords_sort(other, 1, error);
}

/* Which comes first, an entry of matrix a or one of b?  -1: a's; 0: they have the same coordinates.
 */
static int which_first(const struct coords *a, int64_t i, const struct coords *b, int64_t k)
{
    if (i == a->n || k == b->n)
        return (i == a->n) - (k == b->n);
    for (int m = 0; m < 2; m++)
        if (a->coordinate[m][i] != b->coordinate[m][k])
            return a->coordinate[m][i] < b->coordinate[m][k] ? -1 : 1;
    return 0;
}

/* Entry i of a matrix and entry k of its transpose have the same coordinates: are they mirror
 * images? */
static bool is_image(const struct coords *a, int64_t i, const struct coords *b, int64_t k,
                     enum io_symmetry symmetry)
{
    char value[16];
    memcpy(value, value_at(b, k), type_size(b->type));
    return reflect(symmetry, b->type, value)
           && value_equal(value_load(a->type, value_at(a, i)), value_load(b->type, value));
}

/* Entry `at` of the triangle overwrites one that has been read: the matrix had the image of each
 * entry from the transpose above the diagonal, and so before. */
static void keep_entry(struct coords *coords, int64_t at, const struct coords *from, int64_t entry)
{
    coords->coordinate[0][at] = from->coordinate[0][entry];
    coords->coordinate[1][at] = from->coordinate[1][entry];
    memmove(value_at(coords, at), value_at(from, entry), type_size(coords->type));
}

/* Merges a matrix with its transpose into the lower triangle of both.  false if an entry is not the
 * mirror image of another. */
static bool merge(struct coords *coords, const struct coords *other, enum io_symmetry symmetry,
                  struct value fill)
{
    int64_t kept = 0, i = 0, k = 0;
    while (i < coords->n || k < other->n) {
        int first = which_first(coords, i, other, k);
        const struct coords *from = first > 0 ? other : coords;
        int64_t entry = first > 0 ? k : i;
        if (first == 0 ? !is_image(coords, i, other, k, symmetry)
                       : !value_is_stored(fill, value_at(from, entry)))
            return false;
        if (matrix_side(from, entry) >= (symmetry == IO_SKEW))
            keep_entry(coords, kept++, from, entry);
        i += first <= 0;
        k += first >= 0;
    }
    coords->n = kept;
    return true;
}

enum rt_status matrix_fold(struct coords *coords, enum io_symmetry symmetry, struct value fill,
                           struct rt_error *error)
{
    struct coords other;
    bool holds = coords->dimension[0] == coords->dimension[1];
    if (symmetry == IO_GENERAL)
        return RT_OK;
    coords_init(&other, 0, NULL, coords->type);
    enum rt_status status = holds ? transpose(coords, &other, error) : RT_OK;
    if (status == RT_OK && !(holds && merge(coords, &other, symmetry, fill))) {
        status = rt_fail(error, RT_INPUT, DIAG_TENSOR,
                         "the matrix is not %s, so one triangle does not say all of it",
                         symmetry_name(symmetry));
        rt_help(error, "write all of it: without {symmetry}");
    }
    coords_free(&other);
    return status;
}
