/* mtx.c - Matrix Market files (Boisvert, Pozo, Remington, "The Matrix Market exchange formats", NISTIR 5935, 1996).
 *
 *     %%MatrixMarket matrix coordinate real symmetric         the banner: layout, field, symmetry
 *     % comments                                              anywhere, as are blank lines
 *     3 3 2                                                   rows, columns, entries
 *     1 1 5.0                                                 row and column from 1, value
 *     3 1 -1e-3
 *
 * An array file has no coordinates and no number of entries: its values come column by column; where it is symmetric,
 * from the diagonal down (skew-symmetric: from below it).  Of a symmetric coordinate file one triangle is stored; it
 * should be the lower one, and the upper one is read too, but not both.
 *
 * Two numbers per component are a complex value; pattern entries have the value 1.
 *
 * SPDX-License-Identifier: MIT
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/io/body.h"
#include "runtime/io/entries.h"
#include "runtime/io/file_format.h"

enum layout { COORDINATE, ARRAY };
enum field { REAL, INTEGER, PATTERN, COMPLEX };
enum symmetry { GENERAL, SYMMETRIC, SKEW, HERMITIAN };

struct header {
    enum layout layout;
    enum field field;
    enum symmetry symmetry;
    int64_t rows, columns;
    int64_t entries;             /* of a coordinate file */
    const char *field_at;        /* where in the text its name is */
    const char *size;            /* where the sizes are */
    const char *body;            /* the line after them */
};

/* ---- the banner ---- */

struct word { const char *text; int value; };

static const struct word objects[] = {{"matrix", 0}, {NULL, 0}};
static const struct word layouts[] = {{"coordinate", COORDINATE}, {"array", ARRAY}, {NULL, 0}};
static const struct word fields[] = {{"real", REAL},       {"double", REAL},     {"integer", INTEGER},
                                     {"pattern", PATTERN}, {"complex", COMPLEX}, {NULL, 0}};
static const struct word symmetries[] = {{"general", GENERAL},
                                         {"symmetric", SYMMETRIC},
                                         {"skew-symmetric", SKEW},
                                         {"hermitian", HERMITIAN},
                                         {NULL, 0}};

/* The end of this word at s in any case, or NULL. */
static const char *scan_word(const char *s, const char *word)
{
    for (; *word; word++, s++)
        if ((*s >= 'A' && *s <= 'Z' ? *s - 'A' + 'a' : *s) != *word)
            return NULL;
    return input_is_blank(*s) || *s == '\n' ? s : NULL;
}

static enum rt_status parse_word(const struct input *input, const char **s, const struct word *words, const char *what,
                                 int *value, struct rt_error *error)
{
    *s = input_skip_blanks(*s);
    for (const struct word *word = words; word->text; word++) {
        const char *end = scan_word(*s, word->text);
        if (end) {
            *s = end;
            *value = word->value;
            return RT_OK;
        }
    }
    return input_fail(input, *s, DIAG_FILE_FORMAT, error, "expected %s", what);
}

/* Nothing more is on the line; *s is then the next one. */
static enum rt_status parse_end(const struct input *input, const char **s, const char *fault, struct rt_error *error)
{
    *s = input_skip_blanks(*s);
    if (**s != '\n')
        return input_fail(input, *s, DIAG_FILE_FORMAT, error, "%s", fault);
    ++*s;
    return RT_OK;
}

static enum rt_status parse_banner(const struct input *input, struct header *header, const char **end,
                                   struct rt_error *error)
{
    const char *s = scan_word(input->text, "%%matrixmarket");
    int object, layout, field, symmetry;
    if (!s)
        return input_fail(input, input->text, DIAG_FILE_FORMAT, error,
                          "a Matrix Market file begins with %%%%MatrixMarket");
    const char *after_layout, *after_field;
    enum rt_status status = parse_word(input, &s, objects, "'matrix'", &object, error);
    if (status == RT_OK)
        status = parse_word(input, &s, layouts, "'coordinate' or 'array'", &layout, error);
    after_layout = s;
    if (status == RT_OK)
        status = parse_word(input, &s, fields, "'real', 'integer', 'pattern' or 'complex'", &field, error);
    after_field = s;
    if (status == RT_OK)
        status = parse_word(input, &s, symmetries, "'general', 'symmetric', 'skew-symmetric' or 'hermitian'", &symmetry,
                            error);
    if (status == RT_OK)
        status = parse_end(input, &s, "the first line goes on after the symmetry", error);
    if (status != RT_OK)
        return status;
    *header = (struct header){.layout = (enum layout)layout, .field = (enum field)field,
                              .symmetry = (enum symmetry)symmetry, .field_at = input_skip_blanks(after_layout)};
    if (field == PATTERN && layout == ARRAY)
        return input_fail(input, header->field_at, DIAG_FILE_FORMAT, error,
                          "an array has values, so it cannot be a pattern");
    if ((symmetry == HERMITIAN && field != COMPLEX) || (symmetry == SKEW && field == PATTERN))
        return input_fail(input, input_skip_blanks(after_field), DIAG_FILE_FORMAT, error,
                          "values of this field do not have this symmetry");
    *end = s;
    return RT_OK;
}

/* ---- the sizes ---- */

static enum rt_status parse_size(const struct input *input, const char **s, const char *what, int64_t *size,
                                 struct rt_error *error)
{
    const char *at = *s = input_skip_blanks(*s);
    int64_t n = 0;
    for (; *at >= '0' && *at <= '9'; at++)
        if (__builtin_mul_overflow(n, 10, &n) || __builtin_add_overflow(n, *at - '0', &n))
            return input_fail(input, *s, DIAG_LIMIT, error, "the number of %s does not fit 64 bits", what);
    if (at == *s || !(input_is_blank(*at) || *at == '\n'))
        return input_fail(input, *s, DIAG_FILE_FORMAT, error, "expected the number of %s", what);
    *s = at;
    *size = n;
    return RT_OK;
}

static enum rt_status parse_sizes(const struct input *input, struct header *header, const char *s,
                                  struct rt_error *error)
{
    const char *end = input->text + input->size;
    for (; s < end; s = (const char *)memchr(s, '\n', (size_t)(end + 1 - s)) + 1) {
        s = input_skip_blanks(s);
        if (*s != '\n' && *s != '%')
            break;
    }
    if (s >= end)
        return input_fail(input, end, DIAG_FILE_FORMAT, error, "the file ends before the line with the sizes");
    header->size = s;
    enum rt_status status = parse_size(input, &s, "rows", &header->rows, error);
    if (status == RT_OK)
        status = parse_size(input, &s, "columns", &header->columns, error);
    if (status == RT_OK && header->layout == COORDINATE)
        status = parse_size(input, &s, "entries", &header->entries, error);
    if (status == RT_OK)
        status = parse_end(input, &s, "the line with the sizes goes on after them", error);
    if (status != RT_OK)
        return status;
    if (header->symmetry != GENERAL && header->rows != header->columns)
        return input_fail(input, header->size, DIAG_FILE_FORMAT, error,
                          "a matrix with a symmetry is square, and this one has %" PRId64 " rows and %" PRId64
                          " columns", header->rows, header->columns);
    header->body = s;
    return RT_OK;
}

/* The tensor's modes are the matrix's, or one of them if the other one has the size 1, or none if both have. */
static enum rt_status check_sizes(const struct input *input, const struct header *header, int *order,
                                  struct rt_error *error)
{
    const char *at = header->size;
    *order = input->request->order;
    if (*order == 0 && header->rows == 1 && header->columns == 1)
        return RT_OK;
    if (*order == 1 && header->columns == 1)
        return input_check_dimension(input, at, 0, header->rows, "rows", error);
    if (*order == 1 && header->rows == 1)
        return input_check_dimension(input, at, 0, header->columns, "columns", error);
    if (*order >= 0 && *order != 2)
        return input_fail(input, at, DIAG_ORDER, error, "the file holds a matrix of %" PRId64 " x %" PRId64
                          ", and %s has the order %d", header->rows, header->columns, input_tensor(input), *order);
    *order = 2;
    enum rt_status status = input_check_dimension(input, at, 0, header->rows, "rows", error);
    return status == RT_OK ? input_check_dimension(input, at, 1, header->columns, "columns", error) : status;
}

/* ---- values and their mirror images ---- */

/* Negate a value, or its imaginary part; false if the type does not hold the result. */
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

/* The place of an entry in the text; one of a stream has as many numbers as there are values on a line elsewhere. */
static const char *find_entry(const struct body *body, int64_t entry)
{
    return body_find(body, body->stream ? entry * body->values : entry);
}

static bool is_real(const struct coords *coords, int64_t entry)
{
    return value_load(coords->type, (const char *)coords->vals + (size_t)entry * type_size(coords->type)).c.im == 0;
}

/* Which entries are in which triangle; an error if the file has entries in both, or some on the diagonal that its symmetry
 * does not have there. */
static enum rt_status check_triangle(const struct body *body, const struct header *header,
                                     const struct coords *coords, int64_t *mirrored, struct rt_error *error)
{
    const int64_t *row = coords->coordinate[0], *column = coords->coordinate[1];
    int first = 0;
    *mirrored = 0;
    for (int64_t i = 0; i < coords->n; i++) {
        int side = (row[i] > column[i]) - (row[i] < column[i]);
        if (side == 0 && header->symmetry == SKEW)
            return input_fail(body->input, find_entry(body, i), DIAG_FILE_FORMAT, error,
                              "a skew-symmetric matrix has no entries on the diagonal");
        if (side == 0 && header->symmetry == HERMITIAN && !is_real(coords, i))
            return input_fail(body->input, find_entry(body, i), DIAG_FILE_FORMAT, error,
                              "the values on the diagonal of a hermitian matrix are real");
        if (side * first < 0)
            return input_fail(body->input, find_entry(body, i), DIAG_FILE_FORMAT, error,
                              "entries on both sides of the diagonal, of which the file should have one");
        first = first ? first : side;
        *mirrored += side != 0;
    }
    return RT_OK;
}

/* Append the entries of the other triangle. */
static enum rt_status mirror(const struct body *body, const struct header *header, struct coords *coords,
                             struct rt_error *error)
{
    int64_t mirrored, n = coords->n;
    enum rt_status status = check_triangle(body, header, coords, &mirrored, error);
    if (status != RT_OK)
        return status;
    if (!coords_reserve(coords, n + mirrored))
        return rt_no_memory(error);
    size_t size = type_size(coords->type);
    char *vals = coords->vals;
    for (int64_t i = 0; i < n; i++) {
        if (coords->coordinate[0][i] == coords->coordinate[1][i])
            continue;
        int64_t to = coords->n++;
        coords->coordinate[0][to] = coords->coordinate[1][i];
        coords->coordinate[1][to] = coords->coordinate[0][i];
        memcpy(vals + (size_t)to * size, vals + (size_t)i * size, size);
        if (header->symmetry >= SKEW && !negate(coords->type, vals + (size_t)to * size, header->symmetry == HERMITIAN))
            return input_fail(body->input, find_entry(body, i), DIAG_FILE_FORMAT, error,
                              "the entry's mirror image is negative, which %s cannot be", type_name(coords->type));
    }
    return RT_OK;
}

/* ---- coordinate files ---- */

static enum rt_status check_count(const struct body *body, int64_t found, int64_t expected, const char *what,
                                  struct rt_error *error)
{
    if (found < expected)
        return input_fail(body->input, body->input->text + body->input->size, DIAG_FILE_FORMAT, error,
                          "the file ends after %" PRId64 " of %" PRId64 " %s", found, expected, what);
    if (found > expected)
        return input_fail(body->input, body_find(body, expected), DIAG_FILE_FORMAT, error,
                          "there are more than the %" PRId64 " %s that the sizes say", expected, what);
    return RT_OK;
}

static enum rt_status read_coordinate(struct body *body, const struct header *header, struct coords *coords,
                                      struct rt_error *error)
{
    body->coordinates = 2;
    body->limit[0] = header->rows;
    body->limit[1] = header->columns;
    enum rt_status status = body_parse(body, coords, error);
    if (status == RT_OK)
        status = check_count(body, body->entries, header->entries, "entries", error);
    if (status == RT_OK && header->symmetry != GENERAL)
        status = mirror(body, header, coords, error);
    return status;
}

/* ---- array files ---- */

/* How many values an array file has; false: more than 64 bits hold. */
static bool count_values(const struct header *header, int64_t *values)
{
    int64_t n = header->rows;
    if (header->symmetry == GENERAL)
        return !__builtin_mul_overflow(n, header->columns, values);
    int64_t even = n % 2 ? (header->symmetry == SKEW ? n - 1 : n + 1) / 2 : n / 2;
    int64_t other = n % 2 ? n : header->symmetry == SKEW ? n - 1 : n + 1;
    return !__builtin_mul_overflow(even, other, values);
}

/* Give the values, which come column by column, their coordinates. */
static void place_values(const struct header *header, struct coords *coords)
{
    int64_t at = 0;
    for (int64_t column = 0; column < header->columns && at < coords->n; column++) {
        int64_t row = header->symmetry == GENERAL ? 0 : header->symmetry == SKEW ? column + 1 : column;
        for (; row < header->rows; row++, at++) {
            coords->coordinate[0][at] = row;
            coords->coordinate[1][at] = column;
        }
    }
}

/* Drop entries equal to the fill: of a dense file all are explicit. */
static void leave_out(struct coords *coords, struct value fill)
{
    size_t size = type_size(coords->type);
    const char *vals = coords->vals;
    int64_t kept = 0;
    for (int64_t i = 0; i < coords->n; i++)
        if (!value_equal(value_load(coords->type, vals + (size_t)i * size), fill))
            coords_move(coords, kept++, i);
    coords->n = kept;
}

static enum rt_status read_array(struct body *body, const struct header *header, struct coords *coords,
                                 struct rt_error *error)
{
    int64_t values;
    const struct value *fill = body->input->request->fill;
    if (!count_values(header, &values) || values > INT64_MAX / 2)
        return input_fail(body->input, header->size, DIAG_LIMIT, error,
                          "the matrix has more components than 64 bits can count");
    enum rt_status status = check_count(body, body->entries, values * body->values, "numbers", error);
    if (status == RT_OK)
        status = body_parse(body, coords, error);
    if (status != RT_OK)
        return status;
    place_values(header, coords);
    if (header->symmetry != GENERAL)
        status = mirror(body, header, coords, error);
    if (status == RT_OK && fill)
        leave_out(coords, value_convert(*fill, coords->type));
    return status;
}

/* ---- reading ---- */

static enum type type_of_field(enum field field)
{
    switch (field) {
    case INTEGER: return TYPE_I64;
    case COMPLEX: return TYPE_C128;
    case REAL:
    case PATTERN: break;
    }
    return TYPE_F64;
}

/* From a matrix to a vector or a scalar: keep the mode that is longer than 1. */
static void drop_modes(const struct header *header, int order, struct coords *coords)
{
    bool row = order == 1 && header->columns != 1;
    for (int m = order; m < 2; m++) {
        int dropped = row && m == 1 ? 0 : m;
        free(coords->coordinate[dropped]);
        coords->coordinate[dropped] = NULL;
    }
    if (row) {
        coords->coordinate[0] = coords->coordinate[1];
        coords->coordinate[1] = NULL;
    }
    coords->order = order;
    coords->dimension[0] = row ? header->columns : header->rows;
    coords->dimension[1] = order == 2 ? header->columns : 0;
}

static enum rt_status read_body(struct body *body, const struct header *header, struct coords *coords,
                                struct rt_error *error)
{
    body->begin = header->body;
    body->stream = header->layout == ARRAY;
    body->values = header->field == PATTERN ? 0 : header->field == COMPLEX ? 2 : 1;
    body->integers = header->field == INTEGER;
    enum rt_status status = body_count(body, error);
    if (status == RT_OK)
        status = header->layout == ARRAY ? read_array(body, header, coords, error)
                                         : read_coordinate(body, header, coords, error);
    body_free(body);
    return status;
}

static enum rt_status mtx_read(const struct input *input, struct coords *coords, struct rt_error *error)
{
    struct header header;
    struct body body = {.input = input, .comment = '%'};
    const char *line = NULL;
    int order = 2;
    enum rt_status status = parse_banner(input, &header, &line, error);
    if (status == RT_OK)
        status = parse_sizes(input, &header, line, error);
    if (status == RT_OK)
        status = check_sizes(input, &header, &order, error);
    if (status != RT_OK)
        return status;
    enum type type = input->request->type == TYPE_COUNT ? type_of_field(header.field) : input->request->type;
    if (header.field == COMPLEX && !type_is_complex(type)) {
        status = input_fail(input, header.field_at, DIAG_FILE_FORMAT, error, "the values are complex, and %s is %s",
                            input_tensor(input), type_name(type));
        rt_help(error, "declare the tensor as c128");
        return status;
    }
    coords_init(coords, 2, (const int64_t[]){header.rows, header.columns}, type);
    status = read_body(&body, &header, coords, error);
    if (status == RT_OK)
        drop_modes(&header, order, coords);
    return status;
}

/* ---- writing ---- */

static const char *field_of_type(enum type type)
{
    switch (type_kind(type)) {
    case KIND_BOOL:
    case KIND_INT:
    case KIND_UINT: return "integer";
    case KIND_FLOAT: return "real";
    case KIND_COMPLEX: break;
    }
    return "complex";
}

/* A dense vector, or a scalar, as a matrix with one column. */
static void write_array(struct output *output, const struct tensor *tensor)
{
    struct tensor_walk walk;
    output_printf(output, "%%%%MatrixMarket matrix array %s general\n%" PRId64 " 1\n", field_of_type(tensor->type),
                  tensor->order == 0 ? 1 : tensor->dimension[0]);
    for (bool more = tensor_walk_first(&walk, tensor); more; more = tensor_walk_next(&walk)) {
        if ((walk.position & 0xffff) == 0)
            output_progress(output, walk.position, tensor->nvals);
        output_value(output, tensor->type, (const char *)tensor->vals + (size_t)walk.position * type_size(tensor->type));
        output_write(output, "\n", 1);
    }
}

static enum rt_status write_coordinate(struct output *output, const struct tensor *tensor, struct rt_error *error)
{
    struct entries entries;
    enum rt_status status = entries_open(&entries, tensor, error);
    if (status == RT_OK)
        output_printf(output, "%%%%MatrixMarket matrix coordinate %s general\n%" PRId64 " %" PRId64 " %" PRId64 "\n",
                      field_of_type(tensor->type), tensor->dimension[0], tensor->order == 1 ? 1 : tensor->dimension[1],
                      entries_count(&entries));
    for (int64_t written = 0; status == RT_OK && entries_next(&entries); written++) {
        if ((written & 0xffff) == 0)
            output_progress(output, entries.done, entries.total);
        output_integer(output, entries.coordinate[0] + 1);
        output_write(output, " ", 1);
        output_integer(output, tensor->order == 1 ? 1 : entries.coordinate[1] + 1);
        output_write(output, " ", 1);
        output_value(output, tensor->type, entries.value);
        output_write(output, "\n", 1);
    }
    entries_close(&entries);
    return status;
}

static enum rt_status mtx_write(struct output *output, const struct tensor *tensor, struct rt_error *error)
{
    if (tensor->order > 2) {
        enum rt_status status = rt_fail(error, RT_INPUT, DIAG_ORDER,
                                        "a Matrix Market file holds a matrix, and the tensor has the order %d",
                                        tensor->order);
        rt_help(error, "write a .tns file");
        return status;
    }
    if (tensor->order == 2 || tensor->inverse || !format_is_dense(tensor->format))
        return write_coordinate(output, tensor, error);
    write_array(output, tensor);
    return RT_OK;
}

const struct file_format file_format_mtx = {
    .name = "mtx",
    .read = mtx_read,
    .write = mtx_write,
};
