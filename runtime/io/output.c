/* output.c - files that are written.
 *
 * What is written goes to NAME.tmp-..., and is renamed to NAME when all of it has been written and closed, so that
 * NAME is at any time either what it was or complete.  A link keeps being a link: the file it leads to is replaced.
 *
 * SPDX-License-Identifier: MIT
 */
#include "runtime/io/output.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include <zlib.h>

#include "runtime/io/number.h"
#include "runtime/tensor/alloc.h"

enum { BUFFER = 1 << 18, TRIES = 100 };

struct output {
    int fd;
    int failure;                 /* errno of what went wrong first, or 0 */
    bool gz, standard;
    z_stream deflater;
    char *path;                  /* the name it gets, or NULL: it is written to as it is */
    char *temporary;             /* the name it has until then */
    const char *shown;           /* for messages */
    struct io_progress progress;
    size_t n;                    /* bytes in the buffer */
    char buffer[BUFFER], packed[BUFFER];
};

/* ---- writing ---- */

static void write_out(struct output *output, const char *bytes, size_t n)
{
    while (n > 0 && !output->failure) {
        ssize_t written = write(output->fd, bytes, n);
        if (written < 0 && errno != EINTR)
            output->failure = errno;
        if (written > 0) {
            bytes += written;
            n -= (size_t)written;
        }
    }
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
    if (output->progress.report)
        output->progress.report(output->progress.data, "writing", done, total);
}

/* ---- opening and closing ---- */

static enum rt_status fail_output(const char *path, int number, struct rt_error *error)
{
    enum rt_status status = number == ENOENT || number == EACCES || number == EISDIR || number == ENOTDIR
            || number == ENAMETOOLONG || number == ELOOP || number == EROFS || number == EPERM
        ? RT_INPUT : number == ENOMEM ? RT_NO_MEMORY : RT_SYSTEM;
    return rt_fail(error, status, DIAG_FILE_OPEN, "%.400s: cannot be written: %s", path, strerror(number));
}

static void free_output(struct output *output)
{
    if (output->gz)
        deflateEnd(&output->deflater);
    free(output->path);
    free(output->temporary);
    free(output);
}

/* Make a file beside output->path with a name that is new. */
static int open_temporary(struct output *output, mode_t mode)
{
    size_t size = strlen(output->path) + 64;
    output->temporary = rt_array((int64_t)size, 1);
    if (!output->temporary)
        return ENOMEM;
    for (int i = 0; i < TRIES; i++) {
        struct timespec now;
        clock_gettime(CLOCK_MONOTONIC, &now);
        snprintf(output->temporary, size, "%s.tmp-%ld-%ld-%d", output->path, (long)getpid(), now.tv_nsec, i);
        output->fd = open(output->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (output->fd >= 0)
            return mode ? (fchmod(output->fd, mode) == 0 ? 0 : errno) : 0;
        if (errno != EEXIST)
            break;
    }
    int number = errno;
    free(output->temporary);
    output->temporary = NULL;
    return number;
}

static int open_path(struct output *output, const char *path)
{
    struct stat about;
    if (output->standard) {
        output->fd = STDOUT_FILENO;
        return 0;
    }
    bool there = stat(path, &about) == 0;
    if (there && S_ISDIR(about.st_mode))
        return EISDIR;
    if (there && !S_ISREG(about.st_mode)) {
        output->fd = open(path, O_WRONLY | O_CLOEXEC);
        return output->fd < 0 ? errno : 0;
    }
    if (there && access(path, W_OK) != 0)
        return errno;
    output->path = there ? realpath(path, NULL) : strdup(path);
    if (!output->path)
        return errno;
    return open_temporary(output, there ? about.st_mode & 0777 : 0);
}

static void discard(struct output *output)
{
    if (output->fd >= 0 && !output->standard)
        close(output->fd);
    if (output->temporary)
        unlink(output->temporary);
    free_output(output);
}

enum rt_status output_open(struct output **made, const char *path, bool gz, struct io_progress progress,
                           struct rt_error *error)
{
    struct output *output = rt_array_zeroed(1, sizeof *output);
    if (!output)
        return rt_no_memory(error);
    output->fd = -1;
    output->standard = strcmp(path, "-") == 0;
    output->shown = output->standard ? "standard output" : path;
    output->progress = progress;
    if (gz)
        output->gz = deflateInit2(&output->deflater, Z_DEFAULT_COMPRESSION, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY)
            == Z_OK;
    int failure = output->gz != gz ? ENOMEM : open_path(output, path);
    if (failure) {
        discard(output);
        return fail_output(strcmp(path, "-") == 0 ? "standard output" : path, failure, error);
    }
    *made = output;
    return RT_OK;
}

static enum rt_status finish(struct output *output)
{
    flush(output, true);
    if (!output->standard && close(output->fd) != 0 && !output->failure)
        output->failure = errno;
    output->fd = -1;
    if (!output->failure && output->temporary && rename(output->temporary, output->path) != 0)
        output->failure = errno;
    if (output->failure)
        return RT_SYSTEM;
    free(output->temporary);
    output->temporary = NULL;
    return RT_OK;
}

enum rt_status output_close(struct output *output, enum rt_status status, struct rt_error *error)
{
    if (status == RT_OK) {
        status = finish(output);
        if (status != RT_OK)
            status = fail_output(output->shown, output->failure, error);
    }
    discard(output);
    return status;
}
