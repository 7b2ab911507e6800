/* chunk.c - some lines of a file's entries, parsed.
 *
 * SPDX-License-Identifier: MIT
 */
#include "runtime/io/chunk.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "runtime/io/matrix.h"
#include "runtime/io/number.h"

/* ---- lines ---- */

static inline bool is_space(char c) { return input_is_blank(c) || c == '\n'; }

static const char *next_line(const char *s, const char *end)
{
    return (const char *)memchr(s, '\n', (size_t)(end - s)) + 1;
}

/* The entry after the one at s (of a stream, the value). */
static inline const char *next_entry(const struct body *body, const char *s, const char *end,
                                     int64_t *lines)
{
    if (!body->stream) {
        s = *s == '\n' ? s + 1 : next_line(s, end);
    } else {
        while (!is_space(*s))
            s++;
        s = input_skip_blanks(s);
        if (*s++ != '\n')
            return s - 1;
    }
    ++*lines;
    return input_first_word(s, end, body->comment, lines);
}

const char *chunk_find(const struct body *body, const char *s, const char *end, int64_t entry)
{
    int64_t lines = 0;
    s = input_first_word(s, end, body->comment, &lines);
    for (; entry > 0 && s < end; entry--)
        s = next_entry(body, s, end, &lines);
    return s;
}

/* ---- one entry ---- */

bool chunk_fail(struct chunk *chunk, const char *at, const char *format, ...)
{
    va_list args;
    if (chunk->fault && chunk->fault <= at)
        return false;
    va_start(args, format);
    chunk->fault = at;
    chunk->below = false;
    vsnprintf(chunk->cause, sizeof chunk->cause, format, args);
    va_end(args);
    return false;
}

enum { SHOWN = 40, COORDINATE_DIGITS = 18 }; /* so many fit 64 bits */

/* The word at s for a message: cut if it is long, and safe to print. */
static const char *word_shown(const char *s, char word[SHOWN + 1])
{
    int n = 0;
    for (; n < SHOWN && !is_space(s[n]) && s[n] != '\0'; n++)
        word[n] = (unsigned char)s[n] < ' ' || s[n] == 0x7f ? '?' : s[n];
    word[n] = '\0';
    return word;
}

static bool fail_coordinate(struct chunk *chunk, const char *s, int mode)
{
    const struct body *body = chunk->body;
    struct decimal number;
    char word[SHOWN + 1];
    const char *end = decimal_scan(s, chunk_end(chunk), &number);
    word_shown(s, word);
    if (*s == '\n')
        return chunk_fail(chunk, s, "the line ends after %d of %d numbers", mode,
                          body->coordinates + body->values);
    if (!end || !is_space(*end))
        return chunk_fail(chunk, s, "'%s' is not a coordinate", word);
    if (!number_is_integer(&number))
        return chunk_fail(chunk, s, "the coordinate %s is not an integer", word);
    if (number.negative || (number.digits == 0 && body->base == 1)) {
        chunk_fail(chunk, s, "the coordinate %s is below %d", word, body->base);
        chunk->below = !number.negative;
        return false;
    }
    if (number.end - number.begin > COORDINATE_DIGITS || body->limit[mode] == INT64_MAX
        || word[strspn(word, "0123456789")] != '\0')
        return chunk_fail(chunk, s, "the coordinate %s is too large, or not written as digits only",
                          word);
    return chunk_fail(chunk, s, "the coordinate %s is beyond the size %" PRId64 " of mode %d", word,
                      body->limit[mode], mode + 1);
}

/* Counted from 0, whatever the base is.  Digits only: false, without a message, for everything else
 * and for what is out of range. */
static inline bool scan_coordinate(const char **s, const char *end, int base, int64_t limit,
                                   int64_t *coordinate)
{
    const char *at = *s;
    uint64_t n = 0;
    while (*at == '0')
        at++;
    const char *first = at;
    at = decimal_digits(at, end, &n);
    uint64_t distance = n - (uint64_t)base;
    if (at == *s || at - first > COORDINATE_DIGITS || !is_space(*at) || distance >= (uint64_t)limit)
        return false;
    *s = at;
    *coordinate = (int64_t)distance;
    return true;
}

/* What is wrong with the value at s: no number ends at a space, or it cannot be stored. */
static bool fail_value(struct chunk *chunk, const char *s, bool is_number, enum number_fault fault,
                       enum type type)
{
    char word[SHOWN + 1];
    word_shown(s, word);
    if (*s == '\n')
        return chunk_fail(chunk, s, "the line ends where a value is expected");
    if (!is_number)
        return chunk_fail(chunk, s, "'%s' is not a number", word);
    if (fault == NUMBER_FITS)
        return chunk_fail(chunk, s, "%s is not an integer, which the file says its values are",
                          word);
    return fault == NUMBER_NOT_INTEGRAL
               ? chunk_fail(chunk, s, "%s is not an integer, and the values are %s", word,
                            type_name(type))
               : chunk_fail(chunk, s, "%s is out of the range of %s", word, type_name(type));
}

static bool parse_other_value(struct chunk *chunk, const char **s, enum type type, void *to)
{
    struct decimal number;
    enum number_fault fault = NUMBER_FITS;
    const char *end = decimal_scan(*s, chunk_end(chunk), &number);
    bool is_number = end && is_space(*end);
    if (!is_number || (chunk->body->integers && !number_is_integer(&number))
        || (fault = number_store(&number, type, to)) != NUMBER_FITS)
        return fail_value(chunk, *s, is_number, fault, type);
    *s = end;
    return true;
}

/* Doubles are mostly told at once. */
static inline bool parse_value(struct chunk *chunk, const char **s, enum type type, void *to)
{
    double f;
    const char *end = type == TYPE_F64 && !chunk->body->integers
                          ? decimal_scan_double(*s, chunk_end(chunk), &f)
                          : NULL;
    if (!end || !is_space(*end))
        return parse_other_value(chunk, s, type, to);
    memcpy(to, &f, sizeof f);
    *s = end;
    return true;
}

/* The values at the end of a line; where there are two, they are the parts of a complex one. */
static inline bool parse_values(struct chunk *chunk, const char **s, char *to)
{
    enum type type = chunk->list.type;
    if (chunk->body->values == 0) {
        memcpy(to, chunk->one, type_size(type));
        return true;
    }
    *s = input_skip_blanks(*s);
    if (chunk->body->values == 1)
        return parse_value(chunk, s, type, to);
    if (!parse_value(chunk, s, type_real(type), to))
        return false;
    *s = input_skip_blanks(*s);
    return parse_value(chunk, s, type_real(type), to + type_size(type) / 2);
}

/* Parse the entry at *line and move on to the newline behind it. */
static inline bool parse_entry(struct chunk *chunk, const char **line, int64_t entry, size_t size)
{
    const struct body *body = chunk->body;
    const char *s = *line, *end = chunk_end(chunk);
    const int coordinates = body->coordinates, base = body->base;
    for (int m = 0; m < coordinates; m++) {
        int64_t coordinate;
        s = input_skip_blanks(s);
        if (!scan_coordinate(&s, end, base, body->limit[m], &coordinate))
            return fail_coordinate(chunk, s, m);
        if (coordinate >= chunk->largest[m])
            chunk->largest[m] = coordinate + 1;
        chunk->list.coordinate[m][entry] = coordinate;
    }
    if (!parse_values(chunk, &s, (char *)chunk->list.vals + (size_t)entry * size))
        return false;
    *line = s = input_skip_blanks(s);
    if (*s != '\n' && !(body->remarks && *s == body->comment))
        return chunk_fail(chunk, s, "more than %d numbers on the line",
                          body->coordinates + body->values);
    return true;
}

/* ---- all of them ---- */

/* Room for one more. */
static bool has_room(struct coords *list, int64_t entry)
{
    return entry < list->capacity || coords_reserve(list, 2 * entry + 1024);
}

/* The mirror images behind the entries. */
static bool mirror(struct chunk *chunk)
{
    struct matrix_fault fault;
    enum rt_status status = matrix_mirror(&chunk->list, chunk->body->symmetry, &fault, NULL);
    if (status == RT_INPUT)
        chunk_fail(chunk, chunk_find(chunk->body, chunk->text.at, chunk_end(chunk), fault.entry),
                   "%s", fault.why);
    return status != RT_NO_MEMORY;
}

bool chunk_parse(struct chunk *chunk)
{
    const struct body *body = chunk->body;
    struct coords *list = &chunk->list;
    size_t size = type_size(list->type);
    const char *end = chunk_end(chunk);
    int64_t n = 0;
    chunk->fault = NULL;
    chunk->lines = 0;
    value_store(value_int(list->type, 1), chunk->one);
    const char *s = input_first_word(chunk->text.at, end, body->comment, &chunk->lines);
    for (; s < end; s = next_entry(body, s, end, &chunk->lines), n++) {
        if (!has_room(list, n))
            return false;
        if (!(body->stream
                  ? parse_value(chunk, &s, list->type, (char *)list->vals + (size_t)n * size)
                  : parse_entry(chunk, &s, n, size)))
            break;
    }
    chunk->entries = list->n = n;
    return body->symmetry == IO_GENERAL || mirror(chunk);
}
