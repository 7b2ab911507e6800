/* source.c - where the bytes of a file come from.
 *
 * A file is read rather than mapped: a mapped file that somebody else makes shorter kills the
 * process.  gzip streams may have several members, one after the other.
 *
 * SPDX-License-Identifier: MIT
 */
#include "runtime/io/source.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "runtime/tensor/alloc.h"

enum { PIECE = 1 << 18, MAGIC = 2 };

struct file_source {
    const char *path; /* for messages */
    int fd;           /* < 0: it is in memory, all of it in the piece */
    bool standard, gz;
    z_stream in;
    bool within; /* a member of the gzip stream */
    int64_t done, size;
    /* read from the file, and not taken yet */
    const char *piece;
    int64_t left;
    char *buffer;
};

static enum rt_status fail_open(const char *path, const char *what, struct rt_error *error)
{
    int number = errno;
    enum rt_status status = number == ENOMEM ? RT_NO_MEMORY : number == EIO ? RT_SYSTEM : RT_INPUT;
    return rt_fail(error, status, DIAG_FILE_OPEN, "%.400s: cannot be %s: %s", path, what,
                   strerror(number));
}

/* ---- as it is ---- */

/* The next bytes of the file, fewer than there is room for only where it ends. */
static enum rt_status read_some(struct file_source *s, char *to, int64_t room, int64_t *got,
                                struct rt_error *error)
{
    int64_t n = *got = s->left < room ? s->left : room;
    if (n > 0)
        memcpy(to, s->piece, (size_t)n);
    s->piece += n;
    s->left -= n;
    while (s->fd >= 0 && *got < room) {
        ssize_t more = read(s->fd, to + *got, (size_t)(room - *got));
        if (more == 0)
            break;
        if (more < 0 && errno != EINTR)
            return fail_open(s->path, "read", error);
        *got += more > 0 ? more : 0;
    }
    s->done += *got;
    return RT_OK;
}

/* The next piece, if the last one is used up. */
static enum rt_status fill(struct file_source *s, struct rt_error *error)
{
    if (s->left > 0 || s->fd < 0)
        return RT_OK;
    s->piece = s->buffer;
    int64_t got, done = s->done;
    enum rt_status status = read_some(s, s->buffer, PIECE, &got, error);
    s->done = done; /* it has not been taken */
    s->left = got;
    return status;
}

/* ---- gzip ---- */

static enum rt_status fail_gzip(const struct file_source *s, const char *what,
                                struct rt_error *error)
{
    const char *why = s->in.msg;
    return rt_fail(error, RT_INPUT, DIAG_FILE_FORMAT,
                   "%.400s: the gzip stream is %s byte %" PRId64 "%s%s%s", s->path, what, s->done,
                   why ? " (" : "", why ? why : "", why ? ")" : "");
}

/* Inflate some bytes of the piece. */
static enum rt_status inflate_some(struct file_source *s, char *to, int64_t room, int64_t *got,
                                   struct rt_error *error)
{
    uInt given = (uInt)(room < PIECE ? room : PIECE);
    s->in.next_in = (Bytef *)s->piece;
    s->in.avail_in = (uInt)s->left;
    s->in.next_out = (Bytef *)to;
    s->in.avail_out = given;
    int status = inflate(&s->in, Z_NO_FLUSH);
    int64_t taken = s->left - s->in.avail_in;
    s->piece += taken;
    s->left -= taken;
    s->done += taken;
    *got = given - s->in.avail_out;
    s->within = status != Z_STREAM_END;
    if (status == Z_STREAM_END)
        inflateReset(&s->in);
    if (status == Z_MEM_ERROR)
        return rt_no_memory(error);
    if (status == Z_BUF_ERROR)
        return fail_gzip(s, "cut off at", error);
    return status == Z_OK || status == Z_STREAM_END ? RT_OK : fail_gzip(s, "damaged before", error);
}

static enum rt_status inflate_all(struct file_source *s, char *to, int64_t room, int64_t *got,
                                  struct rt_error *error)
{
    *got = 0;
    while (*got < room) {
        int64_t some;
        enum rt_status status = fill(s, error);
        if (status == RT_OK && s->left == 0 && !s->within)
            return RT_OK;
        if (status == RT_OK)
            status = inflate_some(s, to + *got, room - *got, &some, error);
        if (status != RT_OK)
            return status;
        *got += some;
    }
    return RT_OK;
}

static enum rt_status begin_gzip(struct file_source *s, struct rt_error *error)
{
    if (s->left == 0)
        return rt_fail(error, RT_INPUT, DIAG_FILE_FORMAT,
                       "%.400s: the file is empty, not a gzip stream", s->path);
    s->gz = inflateInit2(&s->in, 15 + 16) == Z_OK;
    return s->gz ? RT_OK : rt_no_memory(error);
}

/* ---- both ---- */

static enum rt_status make(struct file_source **made, const char *path, bool on_disk,
                           struct rt_error *error)
{
    struct file_source *s = *made = rt_array_zeroed(1, sizeof *s);
    if (!s)
        return rt_no_memory(error);
    s->path = path;
    s->fd = -1;
    if (on_disk && !(s->buffer = rt_array(PIECE, 1)))
        return rt_no_memory(error);
    return RT_OK;
}

static enum rt_status open_file(struct file_source *s, const char *path, struct rt_error *error)
{
    struct stat about;
    s->standard = strcmp(path, "-") == 0;
    s->path = s->standard ? "standard input" : path;
    s->fd = s->standard ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    if (s->fd < 0)
        return fail_open(path, "opened", error);
    if (fstat(s->fd, &about) == 0 && S_ISREG(about.st_mode))
        s->size = (int64_t)about.st_size;
    return fill(s, error);
}

enum rt_status source_open(struct file_source **source, const char *path, bool gz,
                           struct rt_error *error)
{
    enum rt_status status = make(source, path, true, error);
    struct file_source *s = *source;
    if (status == RT_OK)
        status = open_file(s, path, error);
    /* No text begins like that. */
    if (status == RT_OK && (gz || (s->left >= MAGIC && memcmp(s->piece, "\x1f\x8b", MAGIC) == 0)))
        status = begin_gzip(s, error);
    return status;
}

enum rt_status source_open_text(struct file_source **source, const char *path, const char *text,
                                int64_t size, struct rt_error *error)
{
    enum rt_status status = make(source, path, false, error);
    if (status == RT_OK) {
        (*source)->piece = text;
        (*source)->left = (*source)->size = size;
    }
    return status;
}

enum rt_status source_read(struct file_source *source, char *to, int64_t room, int64_t *got,
                           struct rt_error *error)
{
    return source->gz ? inflate_all(source, to, room, got, error)
                      : read_some(source, to, room, got, error);
}

enum rt_status source_check(struct file_source *source, struct rt_error *error)
{
    char unused[4096];
    int64_t got = source->gz;
    enum rt_status status = RT_OK;
    while (got > 0 && status == RT_OK)
        status = source_read(source, unused, sizeof unused, &got, error);
    return status;
}

int64_t source_done(const struct file_source *source) { return source->done; }

int64_t source_size(const struct file_source *source) { return source->size; }

void source_close(struct file_source *source)
{
    if (!source)
        return;
    if (source->gz)
        inflateEnd(&source->in);
    if (source->fd >= 0 && !source->standard)
        close(source->fd);
    free(source->buffer);
    free(source);
}
