/* mtx.c - Matrix Market files (Boisvert, Pozo, Remington, "The Matrix Market exchange formats",
 * NISTIR 5935, 1996).
 *
 *     %%MatrixMarket matrix coordinate real symmetric         the banner: layout, field, symmetry
 *     % comments                                              anywhere, as are blank lines
 *     3 3 2                                                   rows, columns, entries
 *     1 1 5.0                                                 row and column from 1, value
 *     3 1 -1e-3
 *
 * An array file has no coordinates and no number of entries.  Its values come column by column;
 * for a symmetric matrix from the diagonal down, for a skew-symmetric one from below the diagonal.
 * A symmetric coordinate file has one triangle, which should be the lower one.  The upper one is
 * read as well, but not both.
 *
 * Two numbers for a component are a complex value.  Pattern entries have the value 1.  SciPy
 * writes unsigned-integer as a field, and some collections begin the banner with one percent sign.
 *
 * A file of taco's (.ttx) may say "tensor" instead of "matrix".  Then the line with the sizes has
 * one for each mode, an entry has as many coordinates, and in an array the first mode runs
 * fastest, as the rows do.
 *
 * SPDX-License-Identifier: MIT
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/io/body.h"
#include "runtime/io/matrix.h"
#include "runtime/io/mtx.h"

/* ---- coordinate files ---- */

static enum rt_status read_coordinate(struct body *body, const struct mtx_header *header,
                                      struct coords *coords, struct rt_error *error)
{
    body->coordinates = header->order;
    for (int m = 0; m < header->order; m++)
        body->limit[m] = header->dimension[m];
    body->symmetry = header->symmetry;
    body->counted = "entries";
    body->expected = header->entries;
    coords_pack(coords);
    return body_read(body, coords, error);
}

/* ---- array files ---- */

/* Counts the values of an array file.  false if they are more than 64 bits hold. */
static bool count_values(const struct mtx_header *header, int64_t *values)
{
    int64_t n = header->dimension[0];
    *values = 1;
    if (header->symmetry == IO_GENERAL) {
        for (int m = 0; m < header->order; m++)
            if (__builtin_mul_overflow(*values, header->dimension[m], values))
                return false;
        return true;
    }
    int64_t even = n % 2 ? (header->symmetry == IO_SKEW ? n - 1 : n + 1) / 2 : n / 2;
    int64_t other = n % 2 ? n : header->symmetry == IO_SKEW ? n - 1 : n + 1;
    return !__builtin_mul_overflow(even, other, values);
}

/* Returns the first row of a column in the file: for a symmetric matrix at the diagonal, or below
 * it. */
static int64_t first_row(const struct mtx_header *header, int64_t column)
{
    return header->symmetry == IO_GENERAL ? 0 : header->symmetry == IO_SKEW ? column + 1 : column;
}

/* Gives the values, whose first mode runs fastest, their coordinates. */
static void place_values(const struct mtx_header *header, struct coords *coords)
{
    int64_t at[ORDER_MAX] = {first_row(header, 0)};
    for (int64_t i = 0; i < coords->n; i++) {
        for (int m = 0; m < header->order; m++)
            coords->coordinate[m][i] = at[m];
        for (int m = 0; m < header->order && ++at[m] == header->dimension[m]; m++)
            at[m] = 0;
        if (at[0] == 0 && header->order == 2)
            at[0] = first_row(header, at[1]);
    }
}

/* Adds the mirror images; the text is still there. */
static enum rt_status mirror(const struct body *body, const struct mtx_header *header,
                             struct coords *coords, struct rt_error *error)
{
    struct matrix_fault fault;
    enum rt_status status = matrix_mirror(coords, header->symmetry, &fault, error);
    return status != RT_INPUT ? status
                              : input_fail(body->input, body_find(body, fault.entry * body->values),
                                           DIAG_FILE_FORMAT, error, "%s", fault.why);
}

static enum rt_status read_array(struct body *body, const struct mtx_header *header,
                                 struct coords *coords, struct rt_error *error)
{
    int64_t values;
    const struct value *fill = body->input->request->fill;
    if (!count_values(header, &values) || values > INT64_MAX / 2)
        return input_fail(body->input, header->size, DIAG_LIMIT, error,
                          "the %s has more components than 64 bits can count",
                          header->is_tensor ? "tensor" : "matrix");
    body->counted = "numbers";
    body->expected = values * body->values;
    enum rt_status status = body_read(body, coords, error);
    if (status != RT_OK)
        return status;
    place_values(header, coords);
    if (header->symmetry != IO_GENERAL)
        status = mirror(body, header, coords, error);
    if (status == RT_OK && fill)
        matrix_leave_out(coords, value_convert(*fill, coords->type));
    return status;
}

/* ---- reading ---- */

static enum type type_of_field(enum mtx_field field)
{
    switch (field) {
    case MTX_INTEGER: return TYPE_I64;
    case MTX_UNSIGNED: return TYPE_U64;
    case MTX_COMPLEX: return TYPE_C128;
    case MTX_REAL:
    case MTX_PATTERN: break;
    }
    return TYPE_F64;
}

static enum rt_status read_body(struct body *body, const struct mtx_header *header,
                                struct coords *coords, struct rt_error *error)
{
    body->begin = header->body;
    body->stream = header->layout == MTX_ARRAY;
    body->values = header->field == MTX_PATTERN ? 0 : header->field == MTX_COMPLEX ? 2 : 1;
    body->integers = header->field == MTX_INTEGER || header->field == MTX_UNSIGNED;
    return header->layout == MTX_ARRAY ? read_array(body, header, coords, error)
                                       : read_coordinate(body, header, coords, error);
}

/* An array's symmetry is checked when all values are known.  Mistakes in one of them are then shown
 * in the text. */
static enum rt_status read_header(struct input *input, struct mtx_header *header,
                                  struct rt_error *error)
{
    enum rt_status status = input_read_line(input, 1, '%', error);
    if (status == RT_OK)
        status = mtx_parse_header(input, header, error);
    if (status != RT_OK || header->layout != MTX_ARRAY || header->symmetry == IO_GENERAL)
        return status;
    status = input_read_all(input, error);
    return status == RT_OK ? mtx_parse_header(input, header, error) : status;
}

static enum rt_status read(struct input *input, struct coords *coords, struct rt_error *error)
{
    struct mtx_header header;
    struct body body = {.input = input, .comment = '%', .base = 1};
    int order = 2;
    enum rt_status status = read_header(input, &header, error);
    if (status == RT_OK)
        status =
            matrix_check_order(input, header.size, header.order, header.dimension, &order, error);
    if (status != RT_OK)
        return status;
    enum type type =
        input->request->type == TYPE_COUNT ? type_of_field(header.field) : input->request->type;
    if (header.field == MTX_COMPLEX && !type_is_complex(type))
        return matrix_fail_complex(input, header.field_at, type, error);
    coords_init(coords, header.order, header.dimension, type);
    status = read_body(&body, &header, coords, error);
    if (status == RT_OK && header.order == 2)
        matrix_drop_modes(coords, order);
    input_found(input, (struct io_facts){.sized = true,
                                         .pattern = header.field == MTX_PATTERN,
                                         .symmetry = order == 2 ? header.symmetry : IO_GENERAL});
    return status;
}

/* ---- the formats ---- */

static enum rt_status write_mtx(struct output *output, const struct tensor *tensor,
                                struct rt_error *error)
{
    return mtx_write(output, tensor, false, error);
}

static enum rt_status write_ttx(struct output *output, const struct tensor *tensor,
                                struct rt_error *error)
{
    return mtx_write(output, tensor, true, error);
}

static const char *const banners[] = {"%%MatrixMarket", "%MatrixMarket", NULL};

const struct file_format file_format_mtx = {
    .name = "mtx",
    .sized = true,
    .banners = banners,
    .is_array = mtx_is_array,
    .read = read,
    .write = write_mtx,
};

const struct file_format file_format_ttx = {
    .name = "ttx",
    .sized = true,
    .is_array = mtx_is_array,
    .read = read,
    .write = write_ttx,
};
