/* body.c - the entries of a file, parsed by many threads.
 *
 * The text is cut at line ends into chunks, which are looked at twice: first the entries of each
 * are counted, which says where in the list each chunk's entries go, then they are parsed to there.
 * So the list does not depend on the number of threads; nor does the error, which is the one of the
 * first chunk that has one.
 *
 * SPDX-License-Identifier: MIT
 */
#include "runtime/io/body.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "runtime/io/number.h"
#include "runtime/tensor/alloc.h"
#include "runtime/threads/threads.h"

enum { CHUNK_BYTES = 1 << 20, CAUSE = 200 };

struct body_chunk {
    const char *begin, *end; /* end follows a newline */
    int64_t entries, first;  /* how many, and the number of the first one */
    int64_t largest[ORDER_MAX];
    const char *fault; /* where it is wrong, or NULL */
    bool below;        /* because a coordinate is below the base */
    char cause[CAUSE];
};

struct parse {
    struct body *body;
    struct coords *coords;
    size_t value_size;
    char one[16];             /* the value of a pattern's entries */
    atomic_int_fast64_t done; /* chunks */
};

/* ---- cutting ---- */

static enum rt_status cut(struct body *body, struct rt_error *error)
{
    const char *at = body->begin, *end = body->input->text + body->input->size + 1;
    int64_t size = end - at;
    body->chunk = rt_array_zeroed(size / CHUNK_BYTES + 1, sizeof *body->chunk);
    if (!body->chunk)
        return rt_no_memory(error);
    while (at < end) {
        const char *cut = end;
        if (end - at > CHUNK_BYTES) {
            const char *from = at + CHUNK_BYTES - 1;
            cut = (const char *)memchr(from, '\n', (size_t)(end - from)) + 1;
        }
        body->chunk[body->chunks].begin = at;
        body->chunk[body->chunks++].end = cut;
        at = cut;
    }
    return RT_OK;
}

static const char *next_line(const char *s, const char *end)
{
    return (const char *)memchr(s, '\n', (size_t)(end - s)) + 1;
}

/* The first entry at or after s (for a stream, the first value), where a line begins, or end. */
static const char *first_on_lines(const struct body *body, const char *s, const char *end)
{
    while (s < end) {
        const char *word = input_skip_blanks(s);
        if (*word != '\n' && *word != body->comment)
            return word;
        s = next_line(word, end);
    }
    return end;
}

static bool is_space(char c) { return input_is_blank(c) || c == '\n'; }

/* The entry after the one at s. */
static const char *next_entry(const struct body *body, const char *s, const char *end)
{
    if (!body->stream)
        return first_on_lines(body, next_line(s, end), end);
    while (!is_space(*s))
        s++;
    s = input_skip_blanks(s);
    return *s == '\n' ? first_on_lines(body, s + 1, end) : s;
}

static void count_chunk(void *data, int64_t number, int worker)
{
    const struct body *body = data;
    (void)worker;
    struct body_chunk *chunk = &body->chunk[number];
    const char *s = first_on_lines(body, chunk->begin, chunk->end);
    for (; s < chunk->end; s = next_entry(body, s, chunk->end))
        chunk->entries++;
}

enum rt_status body_count(struct body *body, struct rt_error *error)
{
    enum rt_status status = cut(body, error);
    if (status != RT_OK)
        return status;
    threads_run(body->input->threads, body->chunks, count_chunk, body);
    for (int64_t i = 0; i < body->chunks; i++) {
        body->chunk[i].first = body->entries;
        body->entries += body->chunk[i].entries;
    }
    return RT_OK;
}

const char *body_find(const struct body *body, int64_t entry)
{
    for (int64_t i = 0; i < body->chunks; i++) {
        const struct body_chunk *chunk = &body->chunk[i];
        if (entry >= chunk->first + chunk->entries)
            continue;
        const char *s = first_on_lines(body, chunk->begin, chunk->end);
        for (int64_t at = chunk->first; at < entry; at++)
            s = next_entry(body, s, chunk->end);
        return s;
    }
    return body->input->text + body->input->size;
}

/* ---- parsing ---- */

static bool fail_chunk(struct body_chunk *chunk, const char *at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static bool fail_chunk(struct body_chunk *chunk, const char *at, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    chunk->fault = at;
    vsnprintf(chunk->cause, sizeof chunk->cause, format, args);
    va_end(args);
    return false;
}

enum { SHOWN = 40 };

/* The word at s for a message: cut if it is long, and safe to print. */
static const char *word_shown(const char *s, char word[SHOWN + 1])
{
    int n = 0;
    for (; n < SHOWN && !is_space(s[n]) && s[n] != '\0'; n++)
        word[n] = (unsigned char)s[n] < ' ' || s[n] == 0x7f ? '?' : s[n];
    word[n] = '\0';
    return word;
}

static bool fail_coordinate(const struct parse *p, struct body_chunk *chunk, const char *s,
                            int mode)
{
    const struct body *body = p->body;
    struct decimal number;
    char word[SHOWN + 1];
    const char *end = decimal_scan(s, &number);
    word_shown(s, word);
    if (*s == '\n')
        return fail_chunk(chunk, s, "the line ends after %d of %d numbers", mode,
                          body->coordinates + body->values);
    if (!end || !is_space(*end))
        return fail_chunk(chunk, s, "'%s' is not a coordinate", word);
    if (!number_is_integer(&number))
        return fail_chunk(chunk, s, "the coordinate %s is not an integer", word);
    if (number.negative || (number.digits == 0 && body->base == 1)) {
        chunk->below = !number.negative;
        return fail_chunk(chunk, s, "the coordinate %s is below %d", word, body->base);
    }
    if (number.end - number.begin > 18 || body->limit[mode] == INT64_MAX)
        return fail_chunk(chunk, s, "the coordinate %s is too large, or not written as digits only",
                          word);
    return fail_chunk(chunk, s, "the coordinate %s is beyond the size %" PRId64 " of mode %d", word,
                      body->limit[mode], mode + 1);
}

/* Ten times this fits 64 bits. */
#define COORDINATE_MAX UINT64_C(1000000000000000000)

/* Counted from 1, whatever the base is.  Digits only: false, without a message, for everything else
 * and for what is out of range. */
static bool scan_coordinate(const char **s, int base, int64_t limit, int64_t *coordinate)
{
    const char *at = *s;
    uint64_t n = 0, above = 1 - (uint64_t)base;
    for (; *at >= '0' && *at <= '9'; at++) {
        n = 10 * n + (uint64_t)(*at - '0');
        if (n + above > (uint64_t)limit || n > COORDINATE_MAX)
            return false;
    }
    if (n + above == 0 || at == *s || !is_space(*at))
        return false;
    *s = at;
    *coordinate = (int64_t)(n + above);
    return true;
}

static bool parse_value(const struct parse *p, struct body_chunk *chunk, const char **s,
                        enum type type, void *to)
{
    struct decimal number;
    char word[SHOWN + 1];
    const char *end = decimal_scan(*s, &number);
    if (**s == '\n')
        return fail_chunk(chunk, *s, "the line ends where a value is expected");
    if (!end || !is_space(*end))
        return fail_chunk(chunk, *s, "'%s' is not a number", word_shown(*s, word));
    if (p->body->integers && !number_is_integer(&number))
        return fail_chunk(chunk, *s, "%s is not an integer, which the file says its values are",
                          word_shown(*s, word));
    switch (number_store(&number, type, to)) {
    case NUMBER_FITS: break;
    case NUMBER_NOT_INTEGRAL:
        return fail_chunk(chunk, *s, "%s is not an integer, and the values are %s",
                          word_shown(*s, word), type_name(type));
    case NUMBER_TOO_LARGE:
        return fail_chunk(chunk, *s, "%s is out of the range of %s", word_shown(*s, word),
                          type_name(type));
    }
    *s = end;
    return true;
}

/* The values at the end of a line; where there are two, they are the parts of a complex one. */
static bool parse_values(const struct parse *p, struct body_chunk *chunk, const char **s, char *to)
{
    enum type type = p->coords->type;
    if (p->body->values == 0) {
        memcpy(to, p->one, p->value_size);
        return true;
    }
    *s = input_skip_blanks(*s);
    if (p->body->values == 1)
        return parse_value(p, chunk, s, type, to);
    if (!parse_value(p, chunk, s, type_real(type), to))
        return false;
    *s = input_skip_blanks(*s);
    return parse_value(p, chunk, s, type_real(type), to + p->value_size / 2);
}

/* Parse the entry at *s and move on to the newline behind it. */
static bool parse_entry(const struct parse *p, struct body_chunk *chunk, const char **line,
                        int64_t entry)
{
    const char *s = *line;
    for (int m = 0; m < p->body->coordinates; m++) {
        int64_t coordinate;
        s = input_skip_blanks(s);
        if (!scan_coordinate(&s, p->body->base, p->body->limit[m], &coordinate))
            return fail_coordinate(p, chunk, s, m);
        if (coordinate > chunk->largest[m])
            chunk->largest[m] = coordinate;
        p->coords->coordinate[m][entry] = coordinate - 1;
    }
    if (!parse_values(p, chunk, &s, (char *)p->coords->vals + (size_t)entry * p->value_size))
        return false;
    *line = s = input_skip_blanks(s);
    if (*s != '\n' && !(p->body->remarks && *s == p->body->comment))
        return fail_chunk(chunk, s, "more than %d numbers on the line",
                          p->body->coordinates + p->body->values);
    return true;
}

/* In a stream the two parts of a complex value are values of their own, one after the other in
 * memory. */
static bool parse_streamed(const struct parse *p, struct body_chunk *chunk, const char **s,
                           int64_t number)
{
    bool parts = p->body->values == 2;
    enum type type = parts ? type_real(p->coords->type) : p->coords->type;
    size_t size = parts ? p->value_size / 2 : p->value_size;
    return parse_value(p, chunk, s, type, (char *)p->coords->vals + (size_t)number * size);
}

static void tell(const struct body *body, int64_t done)
{
    const struct io_progress *progress = &body->input->request->progress;
    if (progress->report)
        progress->report(progress->data, "parsing", done, body->chunks);
}

static void parse_chunk(void *data, int64_t number, int worker)
{
    struct parse *p = data;
    const struct body *body = p->body;
    struct body_chunk *chunk = &body->chunk[number];
    int64_t entry = chunk->first;
    const char *s = first_on_lines(body, chunk->begin, chunk->end);
    for (; s < chunk->end; s = next_entry(body, s, chunk->end), entry++)
        if (!(body->stream ? parse_streamed(p, chunk, &s, entry)
                           : parse_entry(p, chunk, &s, entry)))
            break;
    int64_t done = atomic_fetch_add(&p->done, 1) + 1;
    if (worker == 0)
        tell(body, done);
}

enum rt_status body_parse(struct body *body, struct coords *coords, struct rt_error *error)
{
    struct parse p = {
        .body = body, .coords = coords, .value_size = type_size(coords->type), .done = 0};
    int64_t n = body->stream && body->values == 2 ? body->entries / 2 : body->entries;
    if (!coords_reserve(coords, n))
        return rt_no_memory(error);
    value_store(value_int(coords->type, 1), p.one);
    threads_run(body->input->threads, body->chunks, parse_chunk, &p);
    tell(body, body->chunks);
    for (int64_t i = 0; i < body->chunks; i++) {
        const struct body_chunk *chunk = &body->chunk[i];
        if (chunk->fault) {
            enum rt_status status =
                input_fail(body->input, chunk->fault, DIAG_FILE_FORMAT, error, "%s", chunk->cause);
            if (chunk->below && body->base_help)
                rt_help(error, "%s", body->base_help);
            return status;
        }
        for (int m = 0; m < body->coordinates; m++)
            if (chunk->largest[m] > body->largest[m])
                body->largest[m] = chunk->largest[m];
    }
    coords->n = n;
    return RT_OK;
}

void body_free(struct body *body)
{
    free(body->chunk);
    body->chunk = NULL;
}
