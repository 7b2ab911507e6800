/* output.c - files to write: lines of text by several threads, perhaps compressed, into a file
 * that is written whole (whole.h).
 *
 * Each thread makes the lines of a range of the tensor's places, compresses them as a member of
 * the gzip stream, and writes them in its turn.  The division into members follows from the tensor
 * alone.
 *
 * SPDX-License-Identifier: MIT
 */
#include "runtime/io/output.h"

#include <errno.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <zlib.h>

#include "runtime/file/whole.h"
#include "runtime/io/entries.h"
#include "runtime/tensor/alloc.h"
#include "runtime/threads/threads.h"
#include "runtime/threads/turns.h"

enum { BUFFER = 1 << 18, PLACES = 1 << 13 };

/* Text on its way to the file. */
struct piece {
    char *text;
    size_t n, capacity;
    bool gz;
    z_stream deflater;
    char *packed;
    size_t packed_n, packed_capacity;
};

struct output {
    int failure;  /* errno of the first failure, or 0 */
    bool gz, any; /* is compressed; something has been written */
    struct whole file;
    const char *shown; /* for messages */
    const struct io_writing *how;
    struct piece piece; /* the text of this thread */
};

/* ---- pieces ---- */

static bool has_room(char **at, size_t *capacity, size_t wanted)
{
    if (wanted <= *capacity)
        return true;
    char *more = rt_array_resize(*at, (int64_t)wanted, 1);
    *at = more ? more : *at;
    *capacity = more ? wanted : *capacity;
    return more;
}

static void piece_close(struct piece *piece)
{
    if (piece->gz)
        deflateEnd(&piece->deflater);
    free(piece->text);
    free(piece->packed);
    *piece = (struct piece){.n = 0};
}

static bool piece_open(struct piece *piece, bool gz)
{
    *piece = (struct piece){.n = 0};
    piece->gz = gz
                && deflateInit2(&piece->deflater, Z_DEFAULT_COMPRESSION, Z_DEFLATED, 15 + 16, 8,
                                Z_DEFAULT_STRATEGY)
                       == Z_OK;
    if (piece->gz == gz && has_room(&piece->text, &piece->capacity, BUFFER))
        return true;
    piece_close(piece);
    return false;
}

/* Compresses the text as a member of a gzip stream, if the file is compressed. */
static bool piece_pack(struct piece *piece)
{
    z_stream *z = &piece->deflater;
    if (!piece->gz)
        return true;
    deflateReset(z);
    size_t most = deflateBound(z, piece->n);
    if (!has_room(&piece->packed, &piece->packed_capacity, most))
        return false;
    z->next_in = (Bytef *)piece->text;
    z->avail_in = (uInt)piece->n;
    z->next_out = (Bytef *)piece->packed;
    z->avail_out = (uInt)most;
    deflate(z, Z_FINISH);
    piece->packed_n = most - z->avail_out;
    return true;
}

static void write_piece(struct output *output, struct piece *piece, bool packed)
{
    const char *bytes = piece->gz ? piece->packed : piece->text;
    size_t n = piece->gz ? piece->packed_n : piece->n;
    if (!output->failure)
        output->failure = packed ? whole_write(&output->file, bytes, n) : ENOMEM;
    output->any = true;
    piece->n = 0;
}

/* ---- writing ---- */

static void flush(struct output *output)
{
    if (output->piece.n > 0)
        write_piece(output, &output->piece, piece_pack(&output->piece));
}

void output_write(struct output *output, const char *text, size_t n)
{
    struct piece *piece = &output->piece;
    while (n > 0) {
        size_t room = BUFFER - piece->n, now = n < room ? n : room;
        memcpy(piece->text + piece->n, text, now);
        piece->n += now;
        text += now;
        n -= now;
        if (piece->n == BUFFER)
            flush(output);
    }
}

void output_printf(struct output *output, const char *format, ...)
{
    char text[256];
    va_list args;
    va_start(args, format);
    int n = vsnprintf(text, sizeof text, format, args);
    va_end(args);
    output_write(output, text, (size_t)n < sizeof text ? (size_t)n : sizeof text - 1);
}

void output_progress(struct output *output, int64_t done, int64_t total)
{
    if (output->how->progress.report)
        output->how->progress.report(output->how->progress.data, "writing", done, total);
}

/* ---- entries ---- */

struct writing {
    struct output *output;
    const struct entries *entries;
    output_line *line;
    const void *data;
    struct piece *piece; /* for each worker, opened when it begins */
    atomic_bool failed;
    struct turns turns;
};

static bool make_lines(const struct writing *w, struct piece *piece, int64_t task)
{
    struct entries_walk walk;
    int64_t begin = task * PLACES, left = w->entries->places - begin;
    if (!piece->text && !piece_open(piece, w->output->gz))
        return false;
    entries_walk(&walk, w->entries, begin, begin + (left < PLACES ? left : PLACES));
    while (entries_next(&walk)) {
        if (piece->capacity - piece->n < OUTPUT_LINE
            && !has_room(&piece->text, &piece->capacity, 2 * piece->capacity))
            return false;
        piece->n += w->line(piece->text + piece->n, &walk, w->data);
    }
    return piece->n == 0 || piece_pack(piece);
}

static void write_lines(void *data, int64_t task, int worker)
{
    struct writing *w = data;
    struct piece *piece = &w->piece[worker];
    bool made = !atomic_load(&w->failed) && make_lines(w, piece, task);
    turns_wait(&w->turns, task);
    if (piece->n > 0 || !made)
        write_piece(w->output, piece, made);
    atomic_store(&w->failed, w->output->failure != 0);
    if (worker == 0)
        output_progress(w->output, task * PLACES, w->entries->places);
    turns_pass(&w->turns);
}

void output_entries(struct output *output, const struct entries *entries, output_line *line,
                    const void *data)
{
    int64_t tasks = entries->places / PLACES + (entries->places % PLACES > 0);
    int workers = threads_count(entries->threads);
    struct writing w = {.output = output, .entries = entries, .line = line, .data = data};
    flush(output);
    w.piece = rt_array_zeroed(workers, sizeof *w.piece);
    if (!w.piece) {
        output->failure = ENOMEM;
        return;
    }
    turns_open(&w.turns);
    threads_run(entries->threads, tasks, write_lines, &w);
    turns_close(&w.turns);
    output_progress(output, entries->places, entries->places);
    for (int i = 0; i < workers; i++)
        piece_close(&w.piece[i]);
    free(w.piece);
}

const struct io_writing *output_asks(const struct output *output) { return output->how; }

/* ---- opening and closing ---- */

static enum rt_status fail_output(const char *path, int number, struct rt_error *error)
{
    enum rt_status status = number == ENOENT || number == EACCES || number == EISDIR
                                    || number == ENOTDIR || number == ENAMETOOLONG
                                    || number == ELOOP || number == EROFS || number == EPERM
                                ? RT_INPUT
                            : number == ENOMEM ? RT_NO_MEMORY
                                               : RT_SYSTEM;
    return rt_fail(error, status, DIAG_FILE_OPEN, "%.400s: cannot be written: %s", path,
                   strerror(number));
}

static void free_output(struct output *output)
{
    piece_close(&output->piece);
    free(output);
}

enum rt_status output_open(struct output **made, const char *path, bool gz,
                           const struct io_writing *how, struct rt_error *error)
{
    struct output *output = rt_array_zeroed(1, sizeof *output);
    if (!output)
        return rt_no_memory(error);
    output->shown = strcmp(path, "-") == 0 ? "standard output" : path;
    output->how = how;
    output->gz = gz;
    int failure =
        piece_open(&output->piece, gz) ? whole_open(&output->file, path, how->sync) : ENOMEM;
    if (failure) {
        enum rt_status status = fail_output(output->shown, failure, error);
        free_output(output);
        return status;
    }
    *made = output;
    return RT_OK;
}

enum rt_status output_close(struct output *output, enum rt_status status, struct rt_error *error)
{
    if (status == RT_OK)
        flush(output);
    /* even an empty file has a stream */
    if (status == RT_OK && output->gz && !output->any)
        write_piece(output, &output->piece, piece_pack(&output->piece));
    int failure = whole_close(&output->file, status == RT_OK ? output->failure : ECANCELED);
    if (status == RT_OK && failure)
        status = fail_output(output->shown, failure, error);
    free_output(output);
    return status;
}
