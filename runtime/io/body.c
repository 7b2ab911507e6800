/* body.c - reads and parses the entries of a file on many threads.
 *
 * The threads take turns at the file.  A thread reads, and inflates, the next lines: some hundred
 * kilobytes, which stay in its cache.  It parses them into a list of its own while others read on.
 * Then, in the order of the file, it learns where its entries go in the whole list, and copies
 * them there while the others go on.  So no more of the text is in memory than is being parsed.
 *
 * The list does not depend on the number of threads.  Nor does the error, which is that of the
 * first chunk with one: chunks are given out in order, and all chunks before it are parsed.
 *
 * SPDX-License-Identifier: MIT
 */
#include "runtime/io/body.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>

#include "runtime/io/chunk.h"
#include "runtime/io/matrix.h"
#include "runtime/tensor/alloc.h"
#include "runtime/threads/threads.h"
#include "runtime/threads/turns.h"

struct reading {
    struct body *body;
    struct coords *coords;
    struct memory_rules rules;

    pthread_mutex_t source; /* is held during reads */
    int64_t given;          /* number of chunks */
    atomic_bool stopped;

    /* The chunks that have been joined, in turns. */
    struct turns turns;
    int copying;           /* chunks that are being copied into the list */
    int64_t listed, lines; /* entries of the list (values of a stream); lines of the file */
    int side;              /* the side of the diagonal with the triangle; 0: not known */
    struct input_place end;
    bool faulty; /* a chunk has a fault */
    enum rt_status status;
    struct rt_error *error;
};

const char *body_find(const struct body *body, int64_t entry)
{
    const struct input *input = body->input;
    return chunk_find(body, body->begin, input->text + input->size + 1, entry);
}

/* ---- faults ---- */

static struct input_place find_place(const struct reading *r, const struct chunk *chunk,
                                     const char *at)
{
    struct input_place place = {.line = r->lines + 1};
    const char *begin = chunk->text.at;
    for (const char *s = begin; (s = memchr(s, '\n', (size_t)(at - s))); begin = ++s)
        place.line++;
    place.column = at - begin + 1;
    return place;
}

static void stop(struct reading *r, enum rt_status status)
{
    r->status = status;
    atomic_store(&r->stopped, true);
}

static void fail_chunk(struct reading *r, const struct chunk *chunk)
{
    const struct body *body = r->body;
    r->faulty = true;
    stop(r, input_fail_at(body->input, find_place(r, chunk, chunk->fault), DIAG_FILE_FORMAT,
                          r->error, chunk->cause));
    if (chunk->below && body->base_help)
        rt_help(r->error, "%s", body->base_help);
}

/* Refuses more entries than there should be. */
static void check_count(const struct reading *r, struct chunk *chunk)
{
    const struct body *body = r->body;
    int64_t left = body->expected - body->entries;
    if (body->counted && chunk->entries > left)
        chunk_fail(chunk, chunk_find(body, chunk->text.at, chunk_end(chunk), left),
                   "there are more than the %" PRId64 " %s that the sizes say", body->expected,
                   body->counted);
}

/* All entries must be in one triangle; the chunk's are, up to its fault. */
static void check_side(struct reading *r, struct chunk *chunk)
{
    int64_t first = 0;
    int side = 0;
    for (; first < chunk->entries && side == 0; first++)
        side = matrix_side(&chunk->list, first);
    if (side * r->side < 0)
        chunk_fail(chunk, chunk_find(r->body, chunk->text.at, chunk_end(chunk), first - 1), "%s",
                   MATRIX_BOTH_SIDES);
    r->side = r->side ? r->side : side;
}

/* ---- joining chunks ---- */

/* Returns the number of entries for these values of the file. */
static int64_t entries_of(const struct body *body, int64_t listed)
{
    return body->stream && body->values == 2 ? listed / 2 + listed % 2 : listed;
}

/* Makes room in the list for the chunk, and for the rest of the file as far as it can be foreseen.
 */
static bool room_for_entries(struct reading *r, const struct chunk *chunk)
{
    int64_t n = entries_of(r->body, r->listed);
    double part = chunk->text.part > 0 ? chunk->text.part : 0.5, all = 1.02 * (double)n / part;
    if (n <= r->coords->capacity)
        return true;
    /* The arrays may move then. */
    while (r->copying > 0)
        pthread_cond_wait(&r->turns.changed, &r->turns.lock);
    return coords_reserve(r->coords, chunk->text.last ? n : (int64_t)all);
}

/* Finds where the chunk's entries go in the list, in the chunk's turn. */
static int64_t join_chunk(struct reading *r, struct chunk *chunk)
{
    struct body *body = r->body;
    int64_t first = r->listed;
    if (body->symmetry != IO_GENERAL)
        check_side(r, chunk);
    check_count(r, chunk);
    if (chunk->fault) {
        fail_chunk(r, chunk);
        return first;
    }
    r->end = chunk->text.cut
                 ? find_place(r, chunk, chunk_end(chunk) - 1)
                 : (struct input_place){.line = r->lines + chunk->lines + 1, .column = 1};
    r->listed += chunk->list.n;
    r->lines += chunk->lines;
    body->entries += chunk->entries;
    if (!room_for_entries(r, chunk))
        stop(r, rt_no_memory(r->error));
    return first;
}

static void put_together(struct reading *r, struct chunk *chunk, int64_t number,
                         enum rt_status status, const struct rt_error *error)
{
    int64_t first = 0;
    turns_wait(&r->turns, number);
    if (r->status == RT_OK && status != RT_OK) {
        if (r->error)
            *r->error = *error;
        stop(r, status);
    }
    if (r->status == RT_OK)
        first = join_chunk(r, chunk);
    bool copies = r->status == RT_OK;
    r->copying += copies;
    turns_pass(&r->turns);
    if (!copies)
        return;
    coords_copy(r->coords, first, &chunk->list);
    pthread_mutex_lock(&r->turns.lock);
    r->copying--;
    pthread_cond_broadcast(&r->turns.changed);
    pthread_mutex_unlock(&r->turns.lock);
}

/* ---- threads ---- */

/* Takes the next chunk's text, and its number; -1 if there is none. */
static int64_t take_chunk(struct reading *r, struct chunk *chunk, bool tells,
                          enum rt_status *status, struct rt_error *error)
{
    int64_t number = -1;
    pthread_mutex_lock(&r->source);
    if (!atomic_load(&r->stopped)) {
        *status = input_next(r->body->input, &chunk->text, error);
        if (*status != RT_OK || chunk->text.n > 0)
            number = r->given++;
        /* After a failure nothing more is read. */
        if (*status != RT_OK)
            atomic_store(&r->stopped, true);
        if (tells)
            input_tell(r->body->input);
    }
    pthread_mutex_unlock(&r->source);
    return number;
}

static void read_chunks(void *data, int64_t task, int worker)
{
    struct reading *r = data;
    const struct body *body = r->body;
    struct chunk chunk = {.body = body};
    struct rt_error error;
    enum rt_status status = RT_OK;
    enum type type = r->coords->type;
    int64_t number;
    (void)task;
    if (worker > 0)
        memory_follow(r->rules);
    coords_init(&chunk.list, body->stream ? 0 : body->coordinates, NULL,
                body->stream && body->values == 2 ? type_real(type) : type);
    while ((number = take_chunk(r, &chunk, worker == 0, &status, &error)) >= 0) {
        if (status == RT_OK && !chunk_parse(&chunk))
            status = rt_no_memory(&error);
        put_together(r, &chunk, number, status, &error);
    }
    pthread_mutex_lock(&r->turns.lock);
    for (int m = 0; m < body->coordinates; m++)
        if (chunk.largest[m] > r->body->largest[m])
            r->body->largest[m] = chunk.largest[m];
    pthread_mutex_unlock(&r->turns.lock);
    coords_free(&chunk.list);
    free(chunk.text.at);
}

static enum rt_status finish(const struct reading *r)
{
    const struct body *body = r->body;
    char cause[CHUNK_CAUSE];
    if (r->faulty) {
        enum rt_status status = input_check(body->input, r->error);
        return status == RT_OK ? r->status : status;
    }
    if (r->status != RT_OK || !body->counted || body->entries == body->expected)
        return r->status;
    snprintf(cause, sizeof cause, "the file ends after %" PRId64 " of %" PRId64 " %s",
             body->entries, body->expected, body->counted);
    return input_fail_at(body->input, r->end, DIAG_FILE_FORMAT, r->error, cause);
}

enum rt_status body_read(struct body *body, struct coords *coords, struct rt_error *error)
{
    struct input *input = body->input;
    const char *end = input->text + input->size;
    struct reading r = {.body = body,
                        .coords = coords,
                        .rules = memory_rules(),
                        .end = input_place(input, end),
                        .error = error};
    r.lines = input_place(input, body->begin < end ? body->begin : end).line - 1;
    input_begin(input, body->begin);
    pthread_mutex_init(&r.source, NULL);
    turns_open(&r.turns);
    threads_run(input->threads, input_is_short(input) ? 1 : threads_count(input->threads),
                read_chunks, &r);
    turns_close(&r.turns);
    pthread_mutex_destroy(&r.source);
    input_tell(input);
    coords->n = entries_of(body, r.listed);
    return finish(&r);
}
