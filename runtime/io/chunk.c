/* chunk.c - parses some lines of a file's entries.
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

/* Returns the end of the comma at s, or of the blanks. */
static const char *end_field(const char *s)
{
    const char *at = input_skip_blanks(s);
    if (*at != ',')
        return is_space(*s) ? at : NULL;
    at = input_skip_blanks(at + 1);
    return *at == ',' || *at == '\n' ? NULL : at;
}

/* Returns the end of the blanks at s, which follow a word.  NULL if something else does. */
static inline const char *end_word(const char *s, bool commas)
{
    if (commas)
        return end_field(s);
    if (*s == ' ' && s[1] > ' ') /* the usual case */
        return s + 1;
    return is_space(*s) ? input_skip_blanks(s) : NULL;
}

/* Does a whole number end at s? */
static inline bool ends_value(const char *s, bool commas)
{
    return commas ? end_field(s) != NULL : is_space(*s);
}

static const char *next_line(const char *s, const char *end)
{
    return (const char *)memchr(s, '\n', (size_t)(end - s)) + 1;
}

/* Returns the entry after the one at s (in a stream, the value). */
static inline const char *next_entry(char comment, bool stream, const char *s, const char *end,
                                     int64_t *lines)
{
    if (!stream) {
        s = *s == '\n' ? s + 1 : next_line(s, end);
    } else {
        while (!is_space(*s))
            s++;
        s = input_skip_blanks(s);
        if (*s++ != '\n')
            return s - 1;
    }
    ++*lines;
    return input_first_word(s, end, comment, lines);
}

const char *chunk_find(const struct body *body, const char *s, const char *end, int64_t entry)
{
    int64_t lines = 0;
    s = input_first_word(s, end, body->comment, &lines);
    for (; entry > 0 && s < end; entry--)
        s = next_entry(body->comment, body->stream, s, end, &lines);
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

enum { SHOWN = 40, COORDINATE_DIGITS = 18 }; /* that many digits fit 64 bits */

/* Returns the word at s for a message: cut if it is long, and safe to print. */
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
    if (!end || !end_word(end, body->commas))
        return chunk_fail(chunk, s, "'%s' is not a coordinate", word);
    word[end - s < SHOWN ? end - s : SHOWN] = '\0';
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

#define ALWAYS __attribute__((always_inline))

/* Reads digits at s into a number of 64 bits.  Returns their end, NULL if it is not such a number.
 */
ALWAYS static inline const char *scan_digits(const char *s, const char *end, uint64_t *n)
{
    uint64_t bytes, others;
    if (end - s >= 8 && (others = decimal_others(bytes = decimal_load(s)))) { /* the usual case */
        int count = __builtin_ctzll(others) / 8;
        *n = decimal_join_first(bytes, count);
        return count > 0 ? s + count : NULL;
    }
    const char *first = s, *past;
    while (*first == '0')
        first++;
    *n = 0;
    past = decimal_digits(first, end, n);
    return past > s && past - first <= COORDINATE_DIGITS ? past : NULL;
}

/* Reads a coordinate, counts it from 0 whatever the base is, and goes on to the next word.  Digits
 * only: false, without a message, for everything else and for a coordinate out of range. */
ALWAYS static inline bool scan_coordinate(const char **s, const char *end, bool commas, int base,
                                          int64_t limit, int64_t *coordinate)
{
    uint64_t n;
    const char *at = scan_digits(*s, end, &n);
    if (!at || !(at = end_word(at, commas)) || n - (uint64_t)base >= (uint64_t)limit)
        return false;
    *s = at;
    *coordinate = (int64_t)(n - (uint64_t)base);
    return true;
}

/* Says what is wrong with the value at s: it is no number before a space, or it cannot be stored.
 */
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
    bool is_number = end && ends_value(end, chunk->body->commas);
    if (!is_number || (chunk->body->integers && !number_is_integer(&number))
        || (fault = number_store(&number, type, to)) != NUMBER_FITS)
        return fail_value(chunk, *s, is_number, fault, type);
    *s = end;
    return true;
}

/* The numbers on a line, as constants for the compiler. */
struct shape {
    int coordinates, values;
    enum type type;
    bool integers, commas;
};

/* Most floating-point numbers are read in one step. */
ALWAYS static inline bool parse_value(struct chunk *chunk, struct shape shape, const char **s,
                                      enum type type, void *to)
{
    double f;
    float single;
    const char *end = shape.integers     ? NULL
                      : type == TYPE_F64 ? decimal_scan_double(*s, chunk_end(chunk), &f)
                      : type == TYPE_F32 ? decimal_scan_float(*s, chunk_end(chunk), &single)
                                         : NULL;
    if (!end || !ends_value(end, shape.commas))
        return parse_other_value(chunk, s, type, to);
    if (type == TYPE_F64)
        memcpy(to, &f, sizeof f);
    else
        memcpy(to, &single, sizeof single);
    *s = end;
    return true;
}

/* Reads the values at the end of a line; two are the parts of a complex value. */
ALWAYS static inline bool parse_values(struct chunk *chunk, struct shape shape, const char **s,
                                       char *to)
{
    enum type type = shape.type;
    if (shape.values == 0) {
        memcpy(to, chunk->one, type_size(type));
        return true;
    }
    if (shape.values == 1)
        return parse_value(chunk, shape, s, type, to);
    if (!parse_value(chunk, shape, s, type_real(type), to))
        return false;
    const char *behind = end_word(*s, shape.commas);
    *s = behind ? behind : *s;
    return parse_value(chunk, shape, s, type_real(type), to + type_size(type) / 2);
}

/* Parses the entry at *line, and moves on to the newline behind it. */
ALWAYS static inline bool parse_entry(struct chunk *chunk, struct shape shape, const char **line,
                                      int64_t entry)
{
    const struct body *body = chunk->body;
    const char *s = *line, *end = chunk_end(chunk);
#pragma GCC unroll 3
    for (int m = 0; m < shape.coordinates; m++) {
        int64_t coordinate;
        if (!scan_coordinate(&s, end, shape.commas, body->base, body->limit[m], &coordinate))
            return fail_coordinate(chunk, s, m);
        if (coordinate >= chunk->largest[m])
            chunk->largest[m] = coordinate + 1;
        chunk->list.coordinate[m][entry] = coordinate;
    }
    if (!parse_values(chunk, shape, &s,
                      (char *)chunk->list.vals + (size_t)entry * type_size(shape.type)))
        return false;
    *line = s = input_skip_blanks(s);
    if (*s != '\n' && !(body->remarks && *s == body->comment))
        return chunk_fail(chunk, s, "more than %d numbers on the line",
                          body->coordinates + body->values);
    return true;
}

/* ---- all entries ---- */

/* Makes room for one more entry. */
static bool has_room(struct coords *list, int64_t entry)
{
    return entry < list->capacity || coords_reserve(list, 2 * entry + 1024);
}

/* Adds the mirror images behind the entries. */
static bool mirror(struct chunk *chunk)
{
    struct matrix_fault fault;
    enum rt_status status = matrix_mirror(&chunk->list, chunk->body->symmetry, &fault, NULL);
    if (status == RT_INPUT)
        chunk_fail(chunk, chunk_find(chunk->body, chunk->text.at, chunk_end(chunk), fault.entry),
                   "%s", fault.why);
    return status != RT_NO_MEMORY;
}

/* false: no memory. */
ALWAYS static inline bool parse_entries(struct chunk *chunk, struct shape shape, bool stream)
{
    struct coords *list = &chunk->list;
    const char *end = chunk_end(chunk);
    const size_t size = type_size(shape.type);
    const char comment = chunk->body->comment;
    int64_t n = 0;
    const char *s = input_first_word(chunk->text.at, end, comment, &chunk->lines);
    for (; s < end; s = next_entry(comment, stream, s, end, &chunk->lines), n++) {
        if (!has_room(list, n))
            return false;
        if (!(stream
                  ? parse_value(chunk, shape, &s, shape.type, (char *)list->vals + (size_t)n * size)
                  : parse_entry(chunk, shape, &s, n)))
            break;
    }
    chunk->entries = list->n = n;
    return true;
}

bool chunk_parse(struct chunk *chunk)
{
    const struct body *body = chunk->body;
    const struct shape shape = {body->coordinates, body->values, chunk->list.type, body->integers,
                                body->commas},
                       doubles = {2, 1, TYPE_F64, false, false},
                       singles = {2, 1, TYPE_F32, false, false};
    chunk->fault = NULL;
    chunk->lines = 0;
    value_store(value_int(shape.type, 1), chunk->one);
    /* The usual lines have loops of their own. */
    bool usual = shape.coordinates == 2 && shape.values == 1 && !shape.integers && !shape.commas
                 && !body->stream;
    bool made = usual && shape.type == TYPE_F64   ? parse_entries(chunk, doubles, false)
                : usual && shape.type == TYPE_F32 ? parse_entries(chunk, singles, false)
                                                  : parse_entries(chunk, shape, body->stream);
    return made && (body->symmetry == IO_GENERAL || mirror(chunk));
}
