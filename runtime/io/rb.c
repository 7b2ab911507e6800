/* rb.c - Rutherford-Boeing files (Duff, Grimes, Lewis, "The Rutherford-Boeing sparse matrix
 * collection", RAL-TR-97-031, 1997).
 *
 *     a title                                        72 columns, and a key
 *           5       1       1       3                lines in all, of pointers, of rows, of values
 *     rsa              3     3     4     0           type; rows, columns, entries, 0
 *     (4I3)           (4I3)           (2E12.4)       how pointers, rows and values are written, as
 *                                                    Fortran says it
 *       1  3  4  5                                   where the entries of each column begin, from
 *                                                    1; where the last end
 *       1  3  2  3                                   the row of each
 *       1.0000E+00 -2.0000E+00                       and its value
 *       ...
 *
 * The letters of the type: real, integer, pattern or complex (two numbers for a value); symmetric,
 * unsymmetric, hermitian, skew-symmetric (z) or rectangular; assembled.  Numbers are in columns of
 * a fixed width and may touch.  A matrix with a symmetry has one triangle.
 *
 * The older Harwell-Boeing files are alike.  They may have right-hand sides after the matrix,
 * which are not read.  Their names often end in the type, as in bcsstk01.rsa.
 *
 * SPDX-License-Identifier: MIT
 */
#include <inttypes.h>
#include <string.h>

#include "compiler/value/decimal.h"
#include "runtime/io/fortran.h"
#include "runtime/io/matrix.h"
#include "runtime/io/number.h"
#include "runtime/io/rb.h"

enum { NUMBER = 1024 }; /* bytes of a number */

struct header {
    char field, symmetry;
    const char *type_at, *sizes_at;
    int64_t rows, columns, entries;
    struct fortran_layout pointer, row, value;
    const char *body;
};

/* ---- lines and words ---- */

static const char *end_of_line(const struct input *input, const char *s)
{
    return memchr(s, '\n', (size_t)(input->text + input->size + 1 - s));
}

/* Returns the line after that of s; the end of the text if there is none. */
static const char *next_line(const struct input *input, const char *s)
{
    const char *end = input->text + input->size, *newline = end_of_line(input, s);
    return newline < end ? newline + 1 : end;
}

static enum rt_status refuse_rb(const struct input *input, const char *at, struct rt_error *error,
                                const char *what)
{
    return input_fail(input, at, DIAG_FILE_FORMAT, error, "%s", what);
}

static bool scan_count(const char **s, int64_t *count)
{
    const char *at = input_skip_blanks(*s);
    int64_t n = 0;
    if (*at < '0' || *at > '9')
        return false;
    for (; *at >= '0' && *at <= '9'; at++)
        if (__builtin_mul_overflow(n, 10, &n) || __builtin_add_overflow(n, *at - '0', &n))
            return false;
    *s = at;
    *count = n;
    return true;
}

static char lower(char c) { return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c; }

/* ---- the head ---- */

static enum rt_status parse_layouts(const struct input *input, struct header *h, const char *s,
                                    struct rt_error *error)
{
    bool good = fortran_parse(&s, &h->pointer) && fortran_parse(&s, &h->row)
                && (h->field == 'p' || fortran_parse(&s, &h->value));
    return good ? RT_OK
                : refuse_rb(input, input_skip_blanks(s), error,
                            "expected a Fortran format such as (4I3) or (1P,5E16.8)");
}

static enum rt_status parse_type(const struct input *input, struct header *h, const char *s,
                                 struct rt_error *error)
{
    h->type_at = s;
    h->field = lower(s[0]);
    h->symmetry = h->field == '\n' ? '\n' : lower(s[1]);
    if (!strchr("ripc", h->field) || !strchr("suhzr", h->symmetry))
        return refuse_rb(input, s, error,
                         "expected a type of r, i, p or c; s, u, h, z or r; and a, as rsa");
    if (lower(s[2]) != 'a')
        return refuse_rb(input, s + 2, error,
                         "only assembled matrices, whose type ends in a, can be read");
    if ((h->symmetry == 'h' && h->field != 'c') || (h->symmetry == 'z' && h->field == 'p'))
        return refuse_rb(input, s + 1, error, "values of this field do not have this symmetry");
    return RT_OK;
}

static enum rt_status parse_sizes(const struct input *input, struct header *h,
                                  struct rt_error *error)
{
    const char *s = h->sizes_at = input_skip_blanks(h->type_at + 3);
    if (!scan_count(&s, &h->rows) || !scan_count(&s, &h->columns) || !scan_count(&s, &h->entries))
        return refuse_rb(input, input_skip_blanks(s), error,
                         "expected the numbers of rows, columns and entries");
    if (h->symmetry != 'u' && h->symmetry != 'r' && h->rows != h->columns)
        return refuse_rb(input, h->sizes_at, error, "a matrix with a symmetry is square");
    /* Each takes some bytes of the file, so no more than those are allocated. */
    if (h->columns >= input->size || h->entries > input->size)
        return refuse_rb(input, h->sizes_at, error,
                         "the file is too short for so many columns and entries");
    return RT_OK;
}

static enum rt_status parse_header(const struct input *input, struct header *h,
                                   struct rt_error *error)
{
    const char *counts = next_line(input, input->text), *s = counts;
    int64_t lines[5] = {0};
    int n = 0;
    while (n < 5 && scan_count(&s, &lines[n]))
        n++;
    if (n < 3)
        return refuse_rb(
            input, s, error,
            "expected the numbers of lines, in the second line of a Rutherford-Boeing file");
    const char *type = next_line(input, counts), *layouts = next_line(input, type);
    enum rt_status status = parse_type(input, h, type, error);
    if (status == RT_OK)
        status = parse_sizes(input, h, error);
    if (status == RT_OK)
        status = parse_layouts(input, h, layouts, error);
    h->body = next_line(input, layouts);
    if (lines[4] > 0) /* Harwell-Boeing: a line about right-hand sides, which come last */
        h->body = next_line(input, h->body);
    return status;
}

/* ---- numbers in columns ---- */

struct columns {
    const struct input *input;
    const struct fortran_layout *layout;
    const char *line;    /* the line of the next number */
    int run, taken;      /* the run within the line, and the numbers of it before */
    bool begun, follows; /* a number has been read; the line is not the first one */
    const char *at;      /* the place of the last number */
    struct fortran_run of;
    char text[NUMBER + FORTRAN_WIDTH + 16]; /* the text of that number */
};

static struct columns columns_from(const struct input *input, const char *line,
                                   const struct fortran_layout *layout)
{
    return (struct columns){.input = input, .layout = layout, .line = line};
}

/* Returns the place of the next number, which is in the run c->of. */
static const char *next_place(struct columns *c)
{
    const struct fortran_line *line = &c->layout->line[c->follows];
    if (c->run < line->runs && c->taken == line->run[c->run].count) {
        c->run++;
        c->taken = 0;
    }
    if (c->run == line->runs) {
        c->line = next_line(c->input, c->line);
        c->follows = true;
        c->run = 0;
        line = &c->layout->line[1];
    }
    c->begun = true;
    c->of = line->run[c->run];
    int64_t column = c->of.column + (int64_t)c->taken++ * c->of.width;
    const char *end = end_of_line(c->input, c->line);
    return column < end - c->line ? c->line + column : end;
}

/* Reads the next number's text into c->text.  false if the file ends, or the place is empty. */
static bool next_number(struct columns *c)
{
    const char *s = next_place(c), *end = end_of_line(c->input, c->line);
    const char *stop = c->of.width < end - s ? s + c->of.width : end;
    while (s < stop && input_is_blank(*s))
        s++;
    c->at = s;
    while (s < stop && input_is_blank(stop[-1]))
        stop--;
    if (s == stop)
        return false;
    memcpy(c->text, s, (size_t)(stop - s));
    c->text[stop - s] = '\0';
    return true;
}

/* Returns where the next block of numbers begins. */
static const char *end_of_columns(const struct columns *c)
{
    return c->begun ? next_line(c->input, c->line) : c->line;
}

static enum rt_status next_integer(struct columns *c, int64_t least, int64_t most, const char *what,
                                   int64_t *n, struct rt_error *error)
{
    const char *s = c->text;
    if (!next_number(c) || !scan_count(&s, n) || *s != '\0')
        return input_fail(c->input, c->at, DIAG_FILE_FORMAT, error, "expected %s, in %d columns",
                          what, c->of.width);
    if (*n < least || *n > most)
        return input_fail(c->input, c->at, DIAG_FILE_FORMAT, error,
                          "%s is %" PRId64 ", not from %" PRId64 " to %" PRId64, what, *n, least,
                          most);
    return RT_OK;
}

static enum rt_status next_value(struct columns *c, bool integers, enum type type, void *to,
                                 struct rt_error *error)
{
    struct decimal number;
    bool is_there = next_number(c) && fortran_normalize(c->text, sizeof c->text, &c->of);
    const char *end =
        is_there ? decimal_scan(c->text, c->text + strlen(c->text) + 1, &number) : NULL;
    if (!end || *end != '\0' || (integers && !number_is_integer(&number)))
        return input_fail(c->input, c->at, DIAG_FILE_FORMAT, error, "expected %s, in %d columns",
                          integers ? "an integer" : "a number", c->of.width);
    switch (number_store(&number, type, to)) {
    case NUMBER_FITS: return RT_OK;
    case NUMBER_NOT_INTEGRAL:
        return input_fail(c->input, c->at, DIAG_FILE_FORMAT, error,
                          "it is not an integer, and the values are %s", type_name(type));
    case NUMBER_TOO_LARGE: break;
    }
    return input_fail(c->input, c->at, DIAG_FILE_FORMAT, error, "it is out of the range of %s",
                      type_name(type));
}

/* ---- the matrix ---- */

/* Finds each entry's column, from where the columns begin. */
static enum rt_status read_pointers(struct columns *c, const struct header *h,
                                    struct coords *coords, struct rt_error *error)
{
    int64_t before = 1, pointer = 1;
    enum rt_status status = next_integer(c, 1, 1, "the first pointer", &pointer, error);
    for (int64_t column = 0; column < h->columns && status == RT_OK; column++, before = pointer) {
        status = next_integer(c, before, h->entries + 1, "a pointer", &pointer, error);
        for (int64_t i = before; i < pointer && status == RT_OK; i++)
            coords->coordinate[1][i - 1] = column;
    }
    if (status == RT_OK && pointer != h->entries + 1)
        return refuse_rb(c->input, c->at, error,
                         "the last pointer is not the number of entries and 1");
    return status;
}

static enum rt_status read_values(struct columns *c, const struct header *h, struct coords *coords,
                                  struct rt_error *error)
{
    bool is_complex = h->field == 'c';
    enum type type = is_complex ? type_real(coords->type) : coords->type;
    size_t size = type_size(type);
    char one[16];
    enum rt_status status = RT_OK;
    value_store(value_int(coords->type, 1), one);
    for (int64_t i = 0; i < h->entries && h->field == 'p'; i++)
        memcpy((char *)coords->vals + (size_t)i * size, one, size);
    int64_t numbers = h->field == 'p' ? 0 : is_complex ? 2 * h->entries : h->entries;
    for (int64_t i = 0; i < numbers && status == RT_OK; i++)
        status =
            next_value(c, h->field == 'i', type, (char *)coords->vals + (size_t)i * size, error);
    return status;
}

/* Returns the place of an entry's row. */
static const char *find_row(const struct input *input, const char *rows,
                            const struct fortran_layout *layout, int64_t entry)
{
    struct columns c = columns_from(input, rows, layout);
    for (; entry >= 0; entry--)
        next_number(&c);
    return c.at;
}

static enum rt_status read_entries(const struct input *input, const struct header *h,
                                   enum io_symmetry symmetry, struct coords *coords,
                                   struct rt_error *error)
{
    struct columns c = columns_from(input, h->body, &h->pointer);
    struct matrix_fault fault;
    if (!coords_reserve(coords, h->entries))
        return rt_no_memory(error);
    enum rt_status status = read_pointers(&c, h, coords, error);
    const char *rows = end_of_columns(&c);
    c = columns_from(input, rows, &h->row);
    for (int64_t i = 0, row; i < h->entries && status == RT_OK; i++) {
        status = next_integer(&c, 1, h->rows, "a row", &row, error);
        coords->coordinate[0][i] = row - 1;
    }
    c = columns_from(input, end_of_columns(&c), &h->value);
    if (status == RT_OK)
        status = read_values(&c, h, coords, error);
    coords->n = h->entries;
    if (status != RT_OK || symmetry == IO_GENERAL)
        return status;
    status = matrix_mirror(coords, symmetry, &fault, error);
    return status != RT_INPUT
               ? status
               : refuse_rb(input, find_row(input, rows, &h->row, fault.entry), error, fault.why);
}

static enum io_symmetry symmetry_of(const struct header *h)
{
    switch (h->symmetry) {
    case 's': return IO_SYMMETRIC;
    case 'z': return IO_SKEW;
    case 'h': return IO_HERMITIAN;
    default: return IO_GENERAL;
    }
}

static enum rt_status rb_read(struct input *input, struct coords *coords, struct rt_error *error)
{
    struct header h;
    int order = 2;
    enum rt_status status = input_read_all(input, error);
    if (status == RT_OK)
        status = parse_header(input, &h, error);
    if (status == RT_OK)
        status = matrix_check_sizes(input, h.sizes_at, h.rows, h.columns, &order, error);
    if (status != RT_OK)
        return status;
    enum type type = input->request->type;
    if (type == TYPE_COUNT)
        type = h.field == 'i' ? TYPE_I64 : h.field == 'c' ? TYPE_C128 : TYPE_F64;
    if (h.field == 'c' && !type_is_complex(type))
        return matrix_fail_complex(input, h.type_at, type, error);
    coords_init(coords, 2, (const int64_t[]){h.rows, h.columns}, type);
    status = read_entries(input, &h, symmetry_of(&h), coords, error);
    if (status == RT_OK)
        matrix_drop_modes(coords, order);
    input_found(input, (struct io_facts){.sized = true,
                                         .pattern = h.field == 'p',
                                         .symmetry = order == 2 ? symmetry_of(&h) : IO_GENERAL});
    return status;
}

static const char *const other_names[] = {"hb",  "rua", "rsa", "rza", "rra", "pua", "psa",
                                          "pra", "iua", "isa", "iza", "ira", "cua", "csa",
                                          "cha", "cza", "cra", "rse", "pse", NULL};

const struct file_format file_format_rb = {
    .name = "rb",
    .other_names = other_names,
    .sized = true,
    .read = rb_read,
    .write = rb_write,
};
