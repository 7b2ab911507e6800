/* input.c - files to read: their first text, and chunks of lines.
 *
 * SPDX-License-Identifier: MIT
 */
#include "runtime/io/input.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "runtime/io/source.h"
#include "runtime/tensor/alloc.h"

enum { CHUNK = 1 << 18 };

/* Editors of Windows write it in front of texts; no format has it. */
#define BYTE_ORDER_MARK "\xef\xbb\xbf"

/* ---- messages ---- */

struct input_place input_place(const struct input *input, const char *at)
{
    struct input_place place = {.line = 1};
    const char *begin = input->text;
    for (const char *s = begin; (s = memchr(s, '\n', (size_t)(at - s))); begin = ++s)
        place.line++;
    place.column = at - begin + 1;
    return place;
}

enum rt_status input_fail_at(const struct input *input, struct input_place place,
                             enum diag_code code, struct rt_error *error, const char *cause)
{
    if (input->binary)
        return rt_fail(error, RT_INPUT, code, "%.400s: %s", input->path, cause);
    return rt_fail(error, RT_INPUT, code, "%.400s:%" PRId64 ":%" PRId64 ": %s", input->path,
                   place.line, place.column, cause);
}

enum rt_status input_fail(const struct input *input, const char *at, enum diag_code code,
                          struct rt_error *error, const char *format, ...)
{
    char cause[RT_MESSAGE / 2];
    va_list args;
    va_start(args, format);
    vsnprintf(cause, sizeof cause, format, args);
    va_end(args);
    return input_fail_at(input, input_place(input, at), code, error, cause);
}

enum rt_status input_check_dimension(const struct input *input, const char *at, int mode,
                                     int64_t dimension, const char *what, struct rt_error *error)
{
    int64_t known = input_dimension(input, mode);
    if (known < 0 || known == dimension)
        return RT_OK;
    return input_fail(input, at, DIAG_SIZE, error,
                      "the file has %" PRId64 " %s, but mode %d of %s has the size %" PRId64,
                      dimension, what, mode + 1, input_tensor(input), known);
}

void input_tell(const struct input *input)
{
    const struct io_progress *progress = &input->request->progress;
    int64_t done = source_done(input->source), size = source_size(input->source);
    if (progress->report)
        progress->report(progress->data, "reading", done, size > done ? size : done);
}

/* ---- lines ---- */

static bool room_for_bytes(struct bytes *bytes, int64_t capacity)
{
    if (capacity <= bytes->capacity)
        return true;
    char *at = rt_array_resize(bytes->at, capacity, 1);
    if (!at)
        return false;
    bytes->at = at;
    bytes->capacity = capacity;
    return true;
}

/* Keeps the text behind the last newline for the next time. */
static bool keep_rest(struct input *input, struct bytes *bytes, int64_t end)
{
    struct bytes rest = {.at = input->rest, .capacity = input->rest_capacity};
    int64_t n = bytes->n - end;
    if (!room_for_bytes(&rest, n + 1))
        return false;
    memcpy(rest.at, bytes->at + end, (size_t)n);
    input->rest = rest.at;
    input->rest_capacity = rest.capacity;
    input->rest_size = n;
    bytes->n = end;
    return true;
}

/* Appends at least `wanted` bytes of lines, or all that are left, with at least one line. */
static enum rt_status append_lines(struct input *input, struct bytes *bytes, int64_t wanted,
                                   struct rt_error *error)
{
    int64_t from = bytes->n, got = input->rest_size, room = wanted;
    const char *last = NULL;
    if (!room_for_bytes(bytes, from + got + 2))
        return rt_no_memory(error);
    if (got > 0)
        memcpy(bytes->at + from, input->rest, (size_t)got);
    bytes->n += got;
    input->rest_size = 0;
    while (!last && !input->complete) {
        if (!room_for_bytes(bytes, bytes->n + room + 2))
            return rt_no_memory(error);
        enum rt_status status = source_read(input->source, bytes->at + bytes->n, room, &got, error);
        if (status != RT_OK)
            return status;
        input->complete = got < room;
        last = memrchr(bytes->at + bytes->n, '\n', (size_t)got);
        bytes->n += got;
        room = bytes->n - from;
    }
    return input->complete || keep_rest(input, bytes, last + 1 - bytes->at) ? RT_OK
                                                                            : rt_no_memory(error);
}

static int64_t chunk_bytes(const struct input *input)
{
    return input->request->chunk > 0 ? input->request->chunk : CHUNK;
}

/* ---- the first text ---- */

/* Doubles the text. */
static enum rt_status read_more(struct input *input, struct rt_error *error)
{
    struct bytes bytes = {.at = input->text, .n = input->size, .capacity = input->capacity};
    int64_t wanted = chunk_bytes(input);
    enum rt_status status = append_lines(input, &bytes, bytes.n > wanted ? bytes.n : wanted, error);
    input->text = bytes.at;
    input->size = bytes.n;
    input->capacity = bytes.capacity;
    if (status == RT_OK)
        memcpy(bytes.at + bytes.n, "\n", 2);
    input_tell(input);
    return status;
}

/* Is there such a line, or the beginning of one? */
static bool has_line(const struct input *input, int lines, char comment)
{
    const char *s = input->text, *end = s + input->size;
    int64_t passed = 0;
    for (; lines > 0 && s < end; lines--)
        s = (const char *)memchr(s, '\n', (size_t)(end + 1 - s)) + 1;
    return s < end && input_first_word(s, end + 1, comment, &passed) < end;
}

enum rt_status input_read_line(struct input *input, int lines, char comment, struct rt_error *error)
{
    enum rt_status status = RT_OK;
    while (status == RT_OK && !input->complete && !has_line(input, lines, comment))
        status = read_more(input, error);
    return status;
}

enum rt_status input_read_all(struct input *input, struct rt_error *error)
{
    enum rt_status status = RT_OK;
    while (status == RT_OK && !input->complete)
        status = read_more(input, error);
    return status;
}

/* ---- opening, reading, closing ---- */

enum rt_status input_open(struct input *input, struct file_source *source, const char *path,
                          const struct io_request *request, struct rt_error *error)
{
    *input = (struct input){
        .path = path, .source = source, .request = request, .threads = request->threads};
    enum rt_status status = read_more(input, error);
    if (status == RT_OK && strncmp(input->text, BYTE_ORDER_MARK, 3) == 0) {
        input->size -= 3;
        memmove(input->text, input->text + 3, (size_t)input->size + 2);
    }
    return status;
}

void input_begin(struct input *input, const char *line)
{
    int64_t given = line - input->text;
    input->given = given < input->size ? given : input->size;
}

/* Copies lines of the text that have not been given out. */
static bool copy_lines(struct input *input, struct bytes *chunk)
{
    const char *from = input->text + input->given;
    int64_t left = input->size - input->given, n = chunk_bytes(input);
    const char *newline = n < left ? memchr(from + n - 1, '\n', (size_t)(left - n + 1)) : NULL;
    n = newline ? newline + 1 - from : left;
    if (!room_for_bytes(chunk, n + 2))
        return false;
    memcpy(chunk->at, from, (size_t)n);
    chunk->n = n;
    input->given += n;
    return true;
}

enum rt_status input_next(struct input *input, struct bytes *chunk, struct rt_error *error)
{
    enum rt_status status = RT_OK;
    chunk->n = 0;
    if (input->given < input->size)
        status = copy_lines(input, chunk) ? RT_OK : rt_no_memory(error);
    else if (!input->complete)
        status = append_lines(input, chunk, chunk_bytes(input), error);
    if (status != RT_OK || chunk->n == 0)
        return status;
    int64_t size = source_size(input->source);
    chunk->part = size > 0 ? (double)source_done(input->source) / (double)size : 0;
    chunk->last = input->complete && input->given == input->size;
    chunk->cut = chunk->at[chunk->n - 1] != '\n';
    if (chunk->cut)
        chunk->at[chunk->n++] = '\n';
    chunk->at[chunk->n] = '\0';
    return RT_OK;
}

bool input_is_short(const struct input *input)
{
    return input->complete && input->size - input->given <= chunk_bytes(input);
}

enum rt_status input_check(struct input *input, struct rt_error *error)
{
    return source_check(input->source, error);
}

void input_close(struct input *input)
{
    free(input->text);
    free(input->rest);
    input->text = input->rest = NULL;
    input->source = NULL;
}
