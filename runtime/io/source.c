/* source.c - the bytes of a file.
 *
 * A file is read rather than mapped: if somebody else shortens a mapped file, the process is
 * killed.  A compressed file may have several streams, one after the other.
 *
 *     disk, memory or another source -> raw bytes -> decompressed -> looked at ahead
 *
 * SPDX-License-Identifier: MIT
 */
#include "runtime/io/source.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "runtime/tensor/alloc.h"

enum { PIECE = 1 << 18, AHEAD = 1 << 10, MAGIC = 8 };

struct file_source {
    const char *path; /* for messages */
    int fd;           /* < 0: it is in memory, or a part */
    bool standard, on_disk;
    const char *text; /* in memory */
    struct file_source *from;
    struct source_part part; /* of `from`; its size is what is left to read */
    int64_t done, size;
    /* read, but not yet taken */
    const char *piece;
    int64_t left;
    char *buffer;
    const struct codec *codec; /* NULL: not compressed */
    void *stream;
    bool within; /* inside a stream */
    uint32_t crc;
    /* looked at ahead, but not yet taken */
    char *ahead;
    int64_t ahead_at, ahead_n;
};

static enum rt_status fail_open(const char *path, const char *what, struct rt_error *error)
{
    int number = errno;
    enum rt_status status = number == ENOMEM ? RT_NO_MEMORY : number == EIO ? RT_SYSTEM : RT_INPUT;
    return rt_fail(error, status, DIAG_FILE_OPEN, "%.400s: cannot be %s: %s", path, what,
                   strerror(number));
}

/* ---- raw bytes ---- */

static enum rt_status read_disk(struct file_source *s, char *to, int64_t room, int64_t *got,
                                struct rt_error *error)
{
    for (*got = 0; *got < room;) {
        ssize_t more = read(s->fd, to + *got, (size_t)(room - *got));
        if (more == 0)
            break;
        if (more < 0 && errno != EINTR)
            return fail_open(s->path, "read", error);
        *got += more > 0 ? more : 0;
    }
    return RT_OK;
}

static enum rt_status read_part(struct file_source *s, char *to, int64_t room, int64_t *got,
                                struct rt_error *error)
{
    room = room < s->part.size ? room : s->part.size;
    enum rt_status status = source_read(s->from, to, room, got, error);
    if (status == RT_OK && *got < room)
        return rt_fail(error, RT_INPUT, DIAG_FILE_FORMAT,
                       "%.400s: the archive is cut off: %" PRId64 " bytes of it are missing",
                       s->path, s->part.size - *got);
    s->part.size -= status == RT_OK ? *got : 0;
    return status;
}

/* Reads the next bytes of the file; fewer than there is room for only at its end. */
static enum rt_status read_some(struct file_source *s, char *to, int64_t room, int64_t *got,
                                struct rt_error *error)
{
    int64_t n = s->left < room ? s->left : room, more = 0;
    enum rt_status status = RT_OK;
    if (n > 0)
        memcpy(to, s->piece, (size_t)n);
    s->piece += n;
    s->left -= n;
    if (n < room && s->fd >= 0)
        status = read_disk(s, to + n, room - n, &more, error);
    else if (n < room && s->from)
        status = read_part(s, to + n, room - n, &more, error);
    *got = n + (status == RT_OK ? more : 0);
    s->done += *got;
    return status;
}

/* Reads the next piece, if the last one is used up. */
static enum rt_status fill(struct file_source *s, struct rt_error *error)
{
    if (s->left > 0 || !s->buffer)
        return RT_OK;
    s->piece = s->buffer;
    int64_t got, done = s->done;
    enum rt_status status = read_some(s, s->buffer, PIECE, &got, error);
    s->done = done; /* nothing of it has been taken */
    s->left = status == RT_OK ? got : 0;
    return status;
}

/* ---- decompressed bytes ---- */

static enum rt_status fail_stream(const struct file_source *s, const char *what, const char *why,
                                  struct rt_error *error)
{
    return rt_fail(error, RT_INPUT, DIAG_FILE_FORMAT,
                   "%.400s: the %s stream is %s byte %" PRId64 "%s%s%s", s->path, s->codec->name,
                   what, s->done, why ? " (" : "", why ? why : "", why ? ")" : "");
}

/* Decompresses some bytes of the piece. */
static enum rt_status decode_some(struct file_source *s, char *to, int64_t room, int64_t *got,
                                  struct rt_error *error)
{
    struct codec_step step = {
        .in = s->piece, .in_n = (size_t)s->left, .out = to, .out_n = (size_t)room};
    if (!s->within && !s->codec->restart(s->stream))
        return rt_no_memory(error);
    s->within = true;
    enum codec_status status = s->codec->step(s->stream, &step);
    int64_t taken = s->left - (int64_t)step.in_n;
    bool cut = s->left == 0;
    s->piece += taken;
    s->left -= taken;
    s->done += taken;
    *got = room - (int64_t)step.out_n;
    s->within = status != CODEC_END;
    switch (status) {
    case CODEC_END: return RT_OK;
    case CODEC_NO_MEMORY: return rt_no_memory(error);
    case CODEC_DAMAGED: return fail_stream(s, "damaged before", step.why, error);
    case CODEC_MORE: break;
    }
    if (taken > 0 || *got > 0)
        return RT_OK;
    return fail_stream(s, cut ? "cut off at" : "damaged before", NULL, error);
}

static enum rt_status decode_all(struct file_source *s, char *to, int64_t room, int64_t *got,
                                 struct rt_error *error)
{
    *got = 0;
    while (*got < room) {
        int64_t some = 0;
        enum rt_status status = fill(s, error);
        if (status == RT_OK && s->left == 0 && !s->within)
            return RT_OK;
        if (status == RT_OK)
            status = decode_some(s, to + *got, room - *got, &some, error);
        if (status != RT_OK)
            return status;
        *got += some;
    }
    return RT_OK;
}

static enum rt_status begin_codec(struct file_source *s, const struct codec *codec,
                                  struct rt_error *error)
{
    if (s->left == 0)
        return rt_fail(error, RT_INPUT, DIAG_FILE_FORMAT,
                       "%.400s: the file is empty, not a %s stream", s->path, codec->name);
    if (!codec->begin) {
        enum rt_status status = rt_fail(
            error, RT_INPUT, DIAG_FILE_FORMAT,
            "%.400s: the file is compressed by %s, and this spcc was built without its library",
            s->path, codec->name);
        rt_help(error, "decompress it first, or install %s and rebuild spcc", codec->library);
        return status;
    }
    s->codec = codec;
    s->within = true;
    s->stream = codec->begin();
    return s->stream ? RT_OK : rt_no_memory(error);
}

/* Checks the part against what the archive says of it. */
static enum rt_status check_part(struct file_source *s, const char *bytes, int64_t got, bool ended,
                                 struct rt_error *error)
{
    s->crc = (uint32_t)crc32_z(s->crc, (const Bytef *)bytes, (size_t)got);
    s->part.unpacked -= got;
    if (s->part.unpacked < 0 || (ended && (s->part.unpacked > 0 || s->crc != s->part.crc)))
        return rt_fail(error, RT_INPUT, DIAG_FILE_FORMAT,
                       "%.400s: its bytes in the archive are damaged: they have not the %s that is "
                       "said there",
                       s->path, s->part.unpacked == 0 ? "checksum" : "size");
    return RT_OK;
}

static enum rt_status read_decoded(struct file_source *s, char *to, int64_t room, int64_t *got,
                                   struct rt_error *error)
{
    enum rt_status status =
        s->codec ? decode_all(s, to, room, got, error) : read_some(s, to, room, got, error);
    return status == RT_OK && s->part.checked ? check_part(s, to, *got, *got < room, error)
                                              : status;
}

/* ---- opening ---- */

static enum rt_status make_source(struct file_source **made, const char *path, bool has_buffer,
                                  struct rt_error *error)
{
    struct file_source *s = *made = rt_array_zeroed(1, sizeof *s);
    if (!s)
        return rt_no_memory(error);
    s->path = path;
    s->fd = -1;
    if (has_buffer && !(s->buffer = rt_array(PIECE, 1)))
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
    if (fstat(s->fd, &about) == 0 && S_ISREG(about.st_mode)) {
        s->size = (int64_t)about.st_size;
        s->on_disk = lseek(s->fd, 0, SEEK_CUR) == 0;
    }
    return RT_OK;
}

/* Does it begin as text, which no compressed stream does? */
static bool begins_as_text(const struct file_source *s)
{
    return s->left > 0 && (isprint((unsigned char)*s->piece) || isspace((unsigned char)*s->piece));
}

/* Finds the codec: the given one, or that of the first bytes.  If only the name tells the codec,
 * the bytes count more: files are renamed, and programs that fetch files decompress some and keep
 * their names. */
static enum rt_status find_codec(struct file_source *s, const struct codec *codec, bool by_name,
                                 struct rt_error *error)
{
    enum rt_status status = fill(s, error);
    const struct codec *shown =
        status == RT_OK && (by_name || !codec) ? codec_of_bytes(s->piece, s->left) : NULL;
    if (shown || (by_name && begins_as_text(s)))
        codec = shown;
    return status == RT_OK && codec ? begin_codec(s, codec, error) : status;
}

enum rt_status source_open(struct file_source **source, const char *path, const struct codec *codec,
                           struct rt_error *error)
{
    enum rt_status status = make_source(source, path, true, error);
    if (status == RT_OK)
        status = open_file(*source, path, error);
    return status == RT_OK ? find_codec(*source, codec, true, error) : status;
}

enum rt_status source_open_text(struct file_source **source, const char *path, const char *text,
                                int64_t size, struct rt_error *error)
{
    enum rt_status status = make_source(source, path, false, error);
    if (status == RT_OK) {
        (*source)->text = (*source)->piece = text;
        (*source)->left = (*source)->size = size;
    }
    return status;
}

enum rt_status source_open_part(struct file_source **source, struct file_source *from,
                                const char *path, const struct source_part *part,
                                struct rt_error *error)
{
    enum rt_status status = make_source(source, path, true, error);
    if (status != RT_OK)
        return status;
    (*source)->from = from;
    (*source)->part = *part;
    if (part->plain)
        return RT_OK;
    return find_codec(*source, part->codec, false, error);
}

/* ---- reading ---- */

enum rt_status source_read(struct file_source *source, char *to, int64_t room, int64_t *got,
                           struct rt_error *error)
{
    int64_t n = source->ahead_n < room ? source->ahead_n : room, more = 0;
    if (n > 0)
        memcpy(to, source->ahead + source->ahead_at, (size_t)n);
    source->ahead_at += n;
    source->ahead_n -= n;
    enum rt_status status =
        n < room || n == 0 ? read_decoded(source, to + n, room - n, &more, error) : RT_OK;
    *got = n + more;
    return status;
}

enum rt_status source_peek(struct file_source *source, const char **bytes, int64_t n, int64_t *got,
                           struct rt_error *error)
{
    if (!source->ahead && !(source->ahead = rt_array(AHEAD, 1)))
        return rt_no_memory(error);
    n = n < AHEAD ? n : AHEAD;
    enum rt_status status = RT_OK;
    if (source->ahead_n == 0) {
        source->ahead_at = 0;
        status = read_decoded(source, source->ahead, n, &source->ahead_n, error);
    }
    *bytes = source->ahead + source->ahead_at;
    *got = source->ahead_n < n ? source->ahead_n : n;
    return status;
}

enum rt_status source_check(struct file_source *source, struct rt_error *error)
{
    char unused[4096];
    int64_t got = source->codec || source->part.checked;
    enum rt_status status = RT_OK;
    while (got > 0 && status == RT_OK)
        status = source_read(source, unused, sizeof unused, &got, error);
    return status;
}

bool source_can_seek(const struct file_source *source)
{
    return !source->codec && (source->on_disk || source->text);
}

enum rt_status source_seek(struct file_source *source, int64_t at, struct rt_error *error)
{
    source->ahead_n = source->left = 0;
    source->done = at;
    if (source->text) {
        source->piece = source->text + at;
        source->left = source->size - at;
    } else if (lseek(source->fd, (off_t)at, SEEK_SET) < 0)
        return fail_open(source->path, "read", error);
    return RT_OK;
}

bool source_rewind(struct file_source *source)
{
    source->within = false;
    return (source->on_disk || source->text) && source_seek(source, 0, NULL) == RT_OK;
}

int64_t source_done(const struct file_source *source)
{
    return source->from ? source_done(source->from) : source->done;
}

int64_t source_size(const struct file_source *source)
{
    return source->from ? source_size(source->from) : source->size;
}

void source_close(struct file_source *source)
{
    if (!source)
        return;
    if (source->stream)
        source->codec->end(source->stream);
    if (source->fd >= 0 && !source->standard)
        close(source->fd);
    free(source->buffer);
    free(source->ahead);
    free(source);
}
