/* output.c - files that are written: numbers as text, perhaps compressed, into a file that is
 * written whole (whole.h).
 *
 * SPDX-License-Identifier: MIT
 */
#include "runtime/io/output.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <zlib.h>

#include "runtime/file/whole.h"
#include "runtime/io/number.h"
#include "runtime/tensor/alloc.h"

enum { BUFFER = 1 << 18 };

struct output {
    int failure; /* errno of what went wrong first, or 0 */
    bool gz;
    z_stream deflater;
    struct whole file;
    const char *shown; /* for messages */
    const struct io_writing *how;
    size_t n; /* bytes in the buffer */
    char buffer[BUFFER], packed[BUFFER];
};

/* ---- writing ---- */

static void write_out(struct output *output, const char *bytes, size_t n)
{
    if (!output->failure)
        output->failure = whole_write(&output->file, bytes, n);
}

static void flush(struct output *output, bool last)
{
    if (!output->gz) {
        write_out(output, output->buffer, output->n);
        output->n = 0;
        return;
    }
    output->deflater.next_in = (Bytef *)output->buffer;
    output->deflater.avail_in = (uInt)output->n;
    do {
        output->deflater.next_out = (Bytef *)output->packed;
        output->deflater.avail_out = BUFFER;
        deflate(&output->deflater, last ? Z_FINISH : Z_NO_FLUSH);
        write_out(output, output->packed, BUFFER - output->deflater.avail_out);
    } while (output->deflater.avail_out == 0);
    output->n = 0;
}

void output_write(struct output *output, const char *text, size_t n)
{
    while (n > 0) {
        size_t room = BUFFER - output->n, now = n < room ? n : room;
        memcpy(output->buffer + output->n, text, now);
        output->n += now;
        text += now;
        n -= now;
        if (output->n == BUFFER)
            flush(output, false);
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

void output_value(struct output *output, enum type type, const void *at)
{
    char text[NUMBER_TEXT];
    output_write(output, text, number_print(text, type, at));
}

void output_integer(struct output *output, int64_t n) { output_value(output, TYPE_I64, &n); }

void output_progress(struct output *output, int64_t done, int64_t total)
{
    if (output->how->progress.report)
        output->how->progress.report(output->how->progress.data, "writing", done, total);
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
    if (output->gz)
        deflateEnd(&output->deflater);
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
    if (gz)
        output->gz = deflateInit2(&output->deflater, Z_DEFAULT_COMPRESSION, Z_DEFLATED, 15 + 16, 8,
                                  Z_DEFAULT_STRATEGY)
                     == Z_OK;
    int failure = output->gz != gz ? ENOMEM : whole_open(&output->file, path, how->sync);
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
        flush(output, true);
    int failure = whole_close(&output->file, status == RT_OK ? output->failure : ECANCELED);
    if (status == RT_OK && failure)
        status = fail_output(output->shown, failure, error);
    free_output(output);
    return status;
}
