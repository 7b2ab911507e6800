/* mtx_header.c - the head of Matrix Market files: the banner and the line with the sizes.
 *
 * SPDX-License-Identifier: MIT
 */
#include "runtime/io/mtx.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* ---- the banner ---- */

struct word {
    const char *text;
    int value;
};

static const struct word objects[] = {{"matrix", 0}, {"tensor", 1}, {NULL, 0}};
static const struct word layouts[] = {
    {"coordinate", MTX_COORDINATE}, {"array", MTX_ARRAY}, {NULL, 0}};
static const struct word fields[] = {{"real", MTX_REAL},
                                     {"double", MTX_REAL},
                                     {"integer", MTX_INTEGER},
                                     {"unsigned-integer", MTX_UNSIGNED},
                                     {"pattern", MTX_PATTERN},
                                     {"complex", MTX_COMPLEX},
                                     {NULL, 0}};
static const struct word symmetries[] = {{"general", IO_GENERAL},
                                         {"symmetric", IO_SYMMETRIC},
                                         {"skew-symmetric", IO_SKEW},
                                         {"hermitian", IO_HERMITIAN},
                                         {NULL, 0}};

/* Returns the end of this word at s, in any case of letters, or NULL. */
static const char *scan_word(const char *s, const char *word)
{
    for (; *word; word++, s++)
        if ((*s >= 'A' && *s <= 'Z' ? *s - 'A' + 'a' : *s) != *word)
            return NULL;
    return input_is_blank(*s) || *s == '\n' ? s : NULL;
}

static enum rt_status parse_word(const struct input *input, const char **s,
                                 const struct word *words, const char *what, int *value,
                                 struct rt_error *error)
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

/* Expects the end of the line, and moves *s to the next one. */
static enum rt_status parse_end(const struct input *input, const char **s, const char *fault,
                                struct rt_error *error)
{
    *s = input_skip_blanks(*s);
    if (**s != '\n')
        return input_fail(input, *s, DIAG_FILE_FORMAT, error, "%s", fault);
    ++*s;
    return RT_OK;
}

static enum rt_status parse_banner(const struct input *input, struct mtx_header *header,
                                   const char **end, struct rt_error *error)
{
    /* Some collections have only one of the two signs. */
    const char *s = scan_word(input->text + (strncmp(input->text, "%%", 2) == 0), "%matrixmarket");
    int object, layout, field, symmetry;
    if (!s)
        return input_fail(input, input->text, DIAG_FILE_FORMAT, error,
                          "a Matrix Market file begins with %%%%MatrixMarket");
    const char *after_layout, *after_field;
    enum rt_status status = parse_word(input, &s, objects, "'matrix' or 'tensor'", &object, error);
    if (status == RT_OK)
        status = parse_word(input, &s, layouts, "'coordinate' or 'array'", &layout, error);
    after_layout = s;
    if (status == RT_OK)
        status = parse_word(input, &s, fields, "'real', 'integer', 'pattern' or 'complex'", &field,
                            error);
    after_field = s;
    if (status == RT_OK)
        status =
            parse_word(input, &s, symmetries,
                       "'general', 'symmetric', 'skew-symmetric' or 'hermitian'", &symmetry, error);
    if (status == RT_OK)
        status = parse_end(input, &s, "the first line goes on after the symmetry", error);
    if (status != RT_OK)
        return status;
    *header = (struct mtx_header){.layout = (enum mtx_layout)layout,
                                  .field = (enum mtx_field)field,
                                  .symmetry = (enum io_symmetry)symmetry,
                                  .is_tensor = object == 1,
                                  .field_at = input_skip_blanks(after_layout)};
    if (field == MTX_PATTERN && layout == MTX_ARRAY)
        return input_fail(input, header->field_at, DIAG_FILE_FORMAT, error,
                          "an array has values, so it cannot be a pattern");
    if ((symmetry == IO_HERMITIAN && field != MTX_COMPLEX)
        || (symmetry == IO_SKEW && field == MTX_PATTERN))
        return input_fail(input, input_skip_blanks(after_field), DIAG_FILE_FORMAT, error,
                          "values of this field do not have this symmetry");
    *end = s;
    return RT_OK;
}

bool mtx_is_array(const struct input *input)
{
    struct mtx_header header;
    struct rt_error error;
    const char *end;
    return parse_banner(input, &header, &end, &error) == RT_OK && header.layout == MTX_ARRAY;
}

/* ---- the sizes ---- */

static enum rt_status parse_size(const struct input *input, const char **s, const char *what,
                                 int64_t *size, struct rt_error *error)
{
    const char *at = *s = input_skip_blanks(*s);
    int64_t n = 0;
    for (; *at >= '0' && *at <= '9'; at++)
        if (__builtin_mul_overflow(n, 10, &n) || __builtin_add_overflow(n, *at - '0', &n))
            return input_fail(input, *s, DIAG_LIMIT, error, "the number of %s does not fit 64 bits",
                              what);
    if (at == *s || !(input_is_blank(*at) || *at == '\n'))
        return input_fail(input, *s, DIAG_FILE_FORMAT, error, "expected the number of %s", what);
    *s = at;
    *size = n;
    return RT_OK;
}

/* Returns "rows" or "columns", or names a tensor's mode. */
static const char *size_name(const struct mtx_header *header, int mode, char name[16])
{
    static const char *const names[] = {"rows", "columns"};
    if (!header->is_tensor)
        return names[mode];
    snprintf(name, 16, "mode %d", mode + 1);
    return name;
}

/* Counts the sizes on the line: for a tensor all numbers but that of the entries. */
static enum rt_status count_sizes(const struct input *input, struct mtx_header *header,
                                  struct rt_error *error)
{
    int numbers = 0;
    for (const char *s = header->size; *s != '\n'; s = input_skip_blanks(s)) {
        numbers += numbers <= ORDER_MAX + 1;
        while (!input_is_blank(*s) && *s != '\n')
            s++;
    }
    header->order = !header->is_tensor ? 2 : numbers - (header->layout == MTX_COORDINATE);
    if (header->order < 1)
        return input_fail(input, header->size, DIAG_FILE_FORMAT, error,
                          "expected the sizes of the modes%s",
                          header->layout == MTX_COORDINATE ? " and the number of entries" : "");
    if (header->order > ORDER_MAX)
        return input_fail(input, header->size, DIAG_LIMIT, error, "a tensor has at most %d modes",
                          ORDER_MAX);
    return RT_OK;
}

static enum rt_status check_square(const struct input *input, const struct mtx_header *header,
                                   struct rt_error *error)
{
    if (header->symmetry == IO_GENERAL)
        return RT_OK;
    if (header->order != 2)
        return input_fail(input, header->size, DIAG_FILE_FORMAT, error,
                          "a tensor with a symmetry is a matrix, and this one has %d mode%s",
                          header->order, header->order == 1 ? "" : "s");
    if (header->dimension[0] == header->dimension[1])
        return RT_OK;
    return input_fail(input, header->size, DIAG_FILE_FORMAT, error,
                      "a matrix with a symmetry is square, and this one has %" PRId64
                      " rows and %" PRId64 " columns",
                      header->dimension[0], header->dimension[1]);
}

static enum rt_status parse_sizes(const struct input *input, struct mtx_header *header,
                                  const char *s, struct rt_error *error)
{
    const char *end = input->text + input->size;
    char name[16];
    for (; s < end; s = (const char *)memchr(s, '\n', (size_t)(end + 1 - s)) + 1) {
        s = input_skip_blanks(s);
        if (*s != '\n' && *s != '%')
            break;
    }
    if (s >= end)
        return input_fail(input, end, DIAG_FILE_FORMAT, error,
                          "the file ends before the line with the sizes");
    header->size = s;
    enum rt_status status = count_sizes(input, header, error);
    for (int m = 0; m < header->order && status == RT_OK; m++)
        status = parse_size(input, &s, size_name(header, m, name), &header->dimension[m], error);
    if (status == RT_OK && header->layout == MTX_COORDINATE)
        status = parse_size(input, &s, "entries", &header->entries, error);
    if (status == RT_OK)
        status = parse_end(input, &s, "the line with the sizes goes on after them", error);
    header->body = s;
    return status == RT_OK ? check_square(input, header, error) : status;
}

enum rt_status mtx_parse_header(const struct input *input, struct mtx_header *header,
                                struct rt_error *error)
{
    const char *line = NULL;
    enum rt_status status = parse_banner(input, header, &line, error);
    return status == RT_OK ? parse_sizes(input, header, line, error) : status;
}
