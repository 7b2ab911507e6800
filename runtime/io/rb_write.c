/* rb_write.c - writes Rutherford-Boeing files.
 *
 * The entries are sorted by columns.  Pointers and rows are as wide as the largest of them.
 * Floats are the shortest texts that read back to the same value, with a point, which Fortran
 * needs, in columns for the longest.
 *
 * SPDX-License-Identifier: MIT
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "runtime/io/entries.h"

#include "runtime/io/number.h"
#include "runtime/io/rb.h"

enum { LINE = 80, VALUE_WIDTH = 26, INTEGER_WIDTH = 20 };

/* What is written: the entries by columns, and the widths of their numbers. */
struct matrix {
    struct coords list;
    int64_t rows, columns;
    int pointer_width, row_width, value_width; /* value_width 0: there are no values */
    bool integers;
    int parts; /* numbers in a value */
};

static int width_of(int64_t n)
{
    char text[24];
    return snprintf(text, sizeof text, " %" PRId64, n);
}

static int64_t lines_of(int64_t n, int width)
{
    return width == 0 ? 0 : (n + LINE / width - 1) / (LINE / width);
}

/* Collects entries by columns: the modes change places. */
static enum rt_status collect(const struct entries *entries, struct matrix *m,
                              struct rt_error *error)
{
    struct entries_walk walk;
    coords_init(&m->list, 2, (const int64_t[]){m->columns, m->rows}, entries->tensor->type);
    if (!coords_reserve(&m->list, entries_count(entries)))
        return rt_no_memory(error);
    entries_walk(&walk, entries, 0, entries->places);
    while (entries_next(&walk)) {
        int64_t row = entries->tensor->order > 0 ? walk.coordinate[0] : 0;
        int64_t column = entries->tensor->order > 1 ? walk.coordinate[1] : 0;
        if (!coords_add(&m->list, (const int64_t[]){column, row}, walk.value))
            return rt_no_memory(error);
    }
    return coords_sort(&m->list, entries->threads, error);
}

/* Writes number k of a block, right-aligned. */
static void write_number(struct output *output, const char *text, size_t n, int width, int64_t k)
{
    static const char blanks[VALUE_WIDTH + 1] = "                          ";
    if (k > 0 && k % (LINE / width) == 0)
        output_write(output, "\n", 1);
    output_write(output, blanks, (size_t)width > n ? (size_t)width - n : 0);
    output_write(output, text, n);
}

static void write_integer(struct output *output, int64_t value, int width, int64_t k)
{
    char text[24];
    write_number(output, text, (size_t)snprintf(text, sizeof text, "%" PRId64, value), width, k);
}

static void write_pointers(struct output *output, const struct matrix *m)
{
    for (int64_t column = 0, at = 0; column <= m->columns; column++) {
        while (at < m->list.n && m->list.coordinate[0][at] < column)
            at++;
        write_integer(output, at + 1, m->pointer_width, column);
    }
    output_write(output, "\n", 1);
}

/* Adds a point: 5 becomes 5.0, and 1e-07 becomes 1.0e-07. */
static size_t with_point(char *text, size_t n)
{
    size_t digits = strspn(text, "-+0123456789");
    if (digits < n && text[digits] != 'e') /* it has a point, or is inf or nan */
        return n;
    memmove(text + digits + 2, text + digits, n - digits);
    memcpy(text + digits, ".0", 2);
    return n + 2;
}

static void write_values(struct output *output, const struct matrix *m)
{
    enum type type = type_real(m->list.type);
    char text[NUMBER_TEXT + 4];
    int64_t n = m->list.n * m->parts;
    for (int64_t k = 0; k < n; k++) {
        if ((k & 0xffff) == 0)
            output_progress(output, k, n);
        size_t length =
            number_print(text, type, (const char *)m->list.vals + (size_t)k * type_size(type));
        text[length] = '\0';
        length = m->integers ? length : with_point(text, length);
        write_number(output, text, length, m->value_width, k);
    }
    output_write(output, n > 0 ? "\n" : "", n > 0);
}

static void write_header(struct output *output, const struct matrix *m, enum io_symmetry symmetry)
{
    static const char letters[] = {
        [IO_GENERAL] = 'u', [IO_SYMMETRIC] = 's', [IO_SKEW] = 'z', [IO_HERMITIAN] = 'h'};
    char field = m->value_width == 0 ? 'p'
                 : m->integers       ? 'i'
                 : m->parts == 2     ? 'c'
                                     : 'r',
         layout[24];
    char shape = symmetry == IO_GENERAL && m->rows != m->columns ? 'r' : letters[symmetry];
    int64_t pointers = lines_of(m->columns + 1, m->pointer_width),
            rows = lines_of(m->list.n, m->row_width);
    int64_t values = lines_of(m->list.n * m->parts, m->value_width);
    output_printf(output, "%-72s%-8s\n", "written by spcc", "spcc");
    output_printf(output, "%14" PRId64 " %13" PRId64 " %13" PRId64 " %13" PRId64 "\n",
                  pointers + rows + values, pointers, rows, values);
    output_printf(output, "%c%ca            %13" PRId64 " %13" PRId64 " %13" PRId64 " %13d\n",
                  field, shape, m->rows, m->columns, m->list.n, 0);
    for (int k = 0; k < 2; k++) {
        int width = k ? m->row_width : m->pointer_width;
        snprintf(layout, sizeof layout, "(%dI%d)", LINE / width, width);
        output_printf(output, "%-16s", layout);
    }
    if (m->value_width > 0)
        snprintf(layout, sizeof layout, m->integers ? "(%dI%d)" : "(%dE%d.17)",
                 LINE / m->value_width, m->value_width);
    output_printf(output, "%-20s\n", m->value_width > 0 ? layout : "");
}

static bool is_integral(enum type type)
{
    switch (type_kind(type)) {
    case KIND_BOOL:
    case KIND_INT:
    case KIND_UINT: return true;
    case KIND_FLOAT:
    case KIND_COMPLEX: break;
    }
    return false;
}

static enum rt_status write_entries(struct output *output, struct entries *entries,
                                    struct rt_error *error)
{
    const struct tensor *t = entries->tensor;
    struct matrix m = {.rows = t->order > 0 ? t->dimension[0] : 1,
                       .columns = t->order > 1 ? t->dimension[1] : 1,
                       .integers = is_integral(t->type),
                       .parts = type_is_complex(t->type) ? 2 : 1};
    enum rt_status status = collect(entries, &m, error);
    m.pointer_width = width_of(m.list.n + 1);
    m.row_width = width_of(m.rows);
    m.value_width = entries->pattern ? 0 : m.integers ? INTEGER_WIDTH + 1 : VALUE_WIDTH;
    if (status == RT_OK) {
        write_header(output, &m, entries->symmetry);
        write_pointers(output, &m);
        for (int64_t i = 0; i < m.list.n; i++)
            write_integer(output, m.list.coordinate[1][i] + 1, m.row_width, i);
        output_write(output, "\n", m.list.n > 0);
        if (m.value_width > 0)
            write_values(output, &m);
    }
    coords_free(&m.list);
    return status;
}

enum rt_status rb_write(struct output *output, const struct tensor *tensor, struct rt_error *error)
{
    struct entries entries;
    if (tensor->order > 2) {
        enum rt_status status =
            rt_fail(error, RT_INPUT, DIAG_ORDER,
                    "a Rutherford-Boeing file holds a matrix, and the tensor has the order %d",
                    tensor->order);
        rt_help(error, "write a .tns or .ttx file");
        return status;
    }
    enum rt_status status = entries_open_for(&entries, tensor, output_asks(output), error);
    if (status == RT_OK)
        status = write_entries(output, &entries, error);
    entries_close(&entries);
    return status;
}
