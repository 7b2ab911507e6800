/* input.c - files that are read.
 *
 * A file is read into memory rather than mapped: a mapped file that somebody else makes shorter
 * kills the process. gzip streams may have several members, one after the other.
 *
 * SPDX-License-Identifier: MIT
 */
#include "runtime/io/input.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "runtime/tensor/alloc.h"

enum { PIECE = 1 << 20 };

/* ---- messages ---- */

enum rt_status input_fail(const struct input *input, const char *at, enum diag_code code,
                          struct rt_error *error, const char *format, ...)
{
    char cause[RT_MESSAGE / 2];
    int64_t line = 1;
    const char *begin = input->text;
    va_list args;
    va_start(args, format);
    vsnprintf(cause, sizeof cause, format, args);
    va_end(args);
    for (const char *s = begin; (s = memchr(s, '\n', (size_t)(at - s))); begin = ++s)
        line++;
    return rt_fail(error, RT_INPUT, code, "%.400s:%" PRId64 ":%" PRId64 ": %s", input->path, line,
                   (int64_t)(at - begin) + 1, cause);
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

static enum rt_status fail_open(const char *path, const char *what, struct rt_error *error)
{
    int number = errno;
    enum rt_status status = number == ENOMEM ? RT_NO_MEMORY : number == EIO ? RT_SYSTEM : RT_INPUT;
    return rt_fail(error, status, DIAG_FILE_OPEN, "%.400s: cannot be %s: %s", path, what,
                   strerror(number));
}

/* ---- bytes ---- */

struct bytes {
    char *at;
    int64_t n, capacity;
};

static bool grow(struct bytes *bytes, int64_t capacity)
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

static void tell(const struct io_request *request, const char *what, int64_t done, int64_t total)
{
    if (request->progress.report)
        request->progress.report(request->progress.data, what, done, total > done ? total : done);
}

static enum rt_status read_all(int fd, const char *path, int64_t expected, struct bytes *bytes,
                               const struct io_request *request, struct rt_error *error)
{
    /* One byte more than is expected, to see the end; and room for what stands behind the last
     * byte. */
    if (!grow(bytes, expected + 3))
        return rt_no_memory(error);
    for (;;) {
        if (bytes->capacity - bytes->n < 3 && !grow(bytes, 2 * bytes->capacity + PIECE))
            return rt_no_memory(error);
        int64_t room = bytes->capacity - bytes->n - 2;
        ssize_t got =
            read(fd, bytes->at + bytes->n, (size_t)(room < 16 * PIECE ? room : 16 * PIECE));
        if (got == 0)
            return RT_OK;
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return fail_open(path, "read", error);
        bytes->n += got;
        tell(request, "reading", bytes->n, expected);
    }
}

static enum rt_status read_file(const char *path, struct bytes *bytes,
                                const struct io_request *request, struct rt_error *error)
{
    bool standard = strcmp(path, "-") == 0;
    int fd = standard ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return fail_open(path, "opened", error);
    struct stat about;
    int64_t expected =
        fstat(fd, &about) == 0 && S_ISREG(about.st_mode) ? (int64_t)about.st_size : 0;
    enum rt_status status = read_all(fd, path, expected, bytes, request, error);
    if (!standard)
        close(fd);
    return status;
}

/* ---- gzip ---- */

struct inflater {
    z_stream in;
    const struct bytes *packed;
    struct bytes *out;
    const char *path;
    const struct io_request *request;
};

static int64_t inflated_so_far(const struct inflater *z)
{
    return (const char *)z->in.next_in - z->packed->at;
}

static enum rt_status fail_gzip(const struct inflater *z, const char *what, struct rt_error *error)
{
    const char *why = z->in.msg;
    return rt_fail(error, RT_INPUT, DIAG_FILE_FORMAT,
                   "%.400s: the gzip stream is %s byte %" PRId64 "%s%s%s", z->path, what,
                   inflated_so_far(z), why ? " (" : "", why ? why : "", why ? ")" : "");
}

/* Inflate one member; in.next_in is then behind it. */
static enum rt_status inflate_member(struct inflater *z, struct rt_error *error)
{
    struct bytes *out = z->out;
    for (;;) {
        if (out->capacity - out->n < 3 && !grow(out, 2 * out->capacity + PIECE))
            return rt_no_memory(error);
        int64_t left = z->packed->n - inflated_so_far(z), room = out->capacity - out->n - 2;
        uInt given = (uInt)(room < PIECE ? room : PIECE);
        z->in.avail_in = (uInt)(left < PIECE ? left : PIECE);
        z->in.next_out = (Bytef *)out->at + out->n;
        z->in.avail_out = given;
        int status = inflate(&z->in, Z_NO_FLUSH);
        out->n += given - z->in.avail_out;
        tell(z->request, "inflating", inflated_so_far(z), z->packed->n);
        if (status == Z_STREAM_END)
            return RT_OK;
        if (status == Z_MEM_ERROR)
            return rt_no_memory(error);
        if (status == Z_BUF_ERROR)
            return fail_gzip(z, "cut off at", error);
        if (status != Z_OK)
            return fail_gzip(z, "damaged before", error);
    }
}

static enum rt_status inflate_all(const char *path, const struct bytes *packed, struct bytes *out,
                                  const struct io_request *request, struct rt_error *error)
{
    struct inflater z = {{.next_in = (Bytef *)packed->at}, packed, out, path, request};
    if (inflateInit2(&z.in, 15 + 16) != Z_OK)
        return rt_no_memory(error);
    enum rt_status status = grow(out, 4 * packed->n + 3) ? RT_OK : rt_no_memory(error);
    if (status == RT_OK && packed->n == 0)
        status = rt_fail(error, RT_INPUT, DIAG_FILE_FORMAT,
                         "%.400s: the file is empty, not a gzip stream", path);
    while (status == RT_OK && inflated_so_far(&z) < packed->n) {
        status = inflate_member(&z, error);
        inflateReset(&z.in);
    }
    inflateEnd(&z.in);
    return status;
}

/* No text begins like that. */
static bool is_gzip(const struct bytes *file)
{
    return file->n >= 2 && memcmp(file->at, "\x1f\x8b", 2) == 0;
}

/* ---- both ---- */

static void set_up(struct input *input, struct bytes *bytes)
{
    input->text = bytes->at;
    input->size = bytes->n;
    bytes->at[bytes->n] = '\n';
    bytes->at[bytes->n + 1] = '\0';
}

static void start(struct input *input, const char *path, const struct io_request *request)
{
    *input = (struct input){.path = strcmp(path, "-") == 0 ? "standard input" : path,
                            .request = request,
                            .threads = request->threads};
}

enum rt_status input_open(struct input *input, const char *path, bool gz,
                          const struct io_request *request, struct rt_error *error)
{
    struct bytes file = {0}, text = {0};
    start(input, path, request);
    enum rt_status status = read_file(path, &file, request, error);
    if (gz || is_gzip(&file)) {
        if (status == RT_OK)
            status = inflate_all(input->path, &file, &text, request, error);
        free(file.at);
        file = text;
    }
    if (status == RT_OK)
        set_up(input, &file);
    else
        free(file.at);
    return status;
}

enum rt_status input_open_text(struct input *input, const char *path, const char *text, size_t size,
                               const struct io_request *request, struct rt_error *error)
{
    struct bytes bytes = {0};
    start(input, path, request);
    if (size > INT64_MAX - 2 || !grow(&bytes, (int64_t)size + 2))
        return rt_no_memory(error);
    if (size)
        memcpy(bytes.at, text, size);
    bytes.n = (int64_t)size;
    set_up(input, &bytes);
    return RT_OK;
}

void input_close(struct input *input)
{
    free(input->text);
    input->text = NULL;
}
