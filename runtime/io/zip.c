/* zip.c - the members of zip archives (PKWARE, ".ZIP File Format Specification", 6.3.10).
 *
 *     local header, name, extra, bytes                of each member
 *     ...
 *     directory     an entry for each member, with its place
 *     end           the place of the directory; if 32 bits do not suffice, another end, for 64
 *                   bits, and its place come before
 *
 * A size is believed only as far as the archive has room for it: an entry may claim to be as large
 * as deflate can make it.
 *
 * SPDX-License-Identifier: MIT
 */
#include "runtime/io/zip.h"

#include <string.h>

#include "runtime/io/archive.h"
#include "runtime/tensor/alloc.h"

enum { END = 22, LOCATOR = 20, END64 = 56, ENTRY = 46, LOCAL = 30, COMMENT = 65535 };
enum { MOST_DEFLATED = 1032 }; /* the most bytes that one byte can become */

static uint64_t get(const unsigned char *s, int bytes)
{
    uint64_t n = 0;
    for (int i = bytes - 1; i >= 0; i--)
        n = n << 8 | s[i];
    return n;
}

static enum rt_status read_at(const struct archive *archive, int64_t at, void *to, int64_t n,
                              struct rt_error *error)
{
    int64_t got;
    enum rt_status status = source_seek(archive->source, at, error);
    if (status == RT_OK)
        status = source_read(archive->source, to, n, &got, error);
    return status == RT_OK && got < n ? archive_fail(archive, error, "is cut off") : status;
}

struct directory {
    int64_t at, size, entries;
};

/* Finds the last end in the bytes whose comment reaches to the end of the file.  NULL if there is
 * none. */
static const unsigned char *find_end(const unsigned char *bytes, int64_t n)
{
    for (int64_t i = n - END; i >= 0; i--)
        if (memcmp(bytes + i, "PK\5\6", 4) == 0 && (int64_t)get(bytes + i + 20, 2) <= n - END - i)
            return bytes + i;
    return NULL;
}

/* Reads the other end, whose place stands before this one. */
static enum rt_status read_end64(const struct archive *archive, int64_t end,
                                 struct directory *directory, struct rt_error *error)
{
    unsigned char bytes[END64];
    if (end < LOCATOR)
        return RT_OK;
    enum rt_status status = read_at(archive, end - LOCATOR, bytes, LOCATOR, error);
    if (status != RT_OK || memcmp(bytes, "PK\6\7", 4) != 0)
        return status;
    uint64_t at = get(bytes + 8, 8);
    if (at > (uint64_t)end || (uint64_t)end - at < END64)
        return archive_fail(archive, error, "has a damaged end");
    status = read_at(archive, (int64_t)at, bytes, END64, error);
    if (status != RT_OK || memcmp(bytes, "PK\6\6", 4) != 0)
        return status == RT_OK ? archive_fail(archive, error, "has a damaged end") : status;
    *directory = (struct directory){.entries = (int64_t)get(bytes + 32, 8),
                                    .size = (int64_t)get(bytes + 40, 8),
                                    .at = (int64_t)get(bytes + 48, 8)};
    return RT_OK;
}

static enum rt_status find_directory(const struct archive *archive, struct directory *directory,
                                     struct rt_error *error)
{
    int64_t size = source_size(archive->source), n = size < END + COMMENT ? size : END + COMMENT;
    unsigned char *bytes = rt_array(n, 1);
    if (!bytes)
        return rt_no_memory(error);
    enum rt_status status = read_at(archive, size - n, bytes, n, error);
    const unsigned char *end = status == RT_OK ? find_end(bytes, n) : NULL;
    int64_t at = end ? size - n + (end - bytes) : 0;
    if (end)
        *directory = (struct directory){.entries = (int64_t)get(end + 10, 2),
                                        .size = (int64_t)get(end + 12, 4),
                                        .at = (int64_t)get(end + 16, 4)};
    free(bytes);
    if (status == RT_OK && !end)
        return archive_fail(archive, error, "is cut off: it has no directory");
    if (status == RT_OK)
        status = read_end64(archive, at, directory, error);
    if (status == RT_OK
        && (directory->at < 0 || directory->at > at || directory->size < 0
            || directory->size > at - directory->at))
        return archive_fail(archive, error, "has a damaged directory");
    return status;
}

/* Takes sizes and the place from the extra field, if 32 bits do not suffice for them. */
static void take_extra(struct archive_member *member, const unsigned char *s,
                       const unsigned char *end)
{
    int64_t *const wide[] = {&member->unpacked, &member->size, &member->at};
    while (end - s >= 4) {
        int64_t n = (int64_t)get(s + 2, 2);
        const unsigned char *at = s + 4, *stop = at + (n < end - at ? n : end - at);
        for (int i = 0; i < 3 && get(s, 2) == 1; i++)
            if (*wide[i] == UINT32_MAX && stop - at >= 8) {
                *wide[i] = (int64_t)get(at, 8);
                at += 8;
            }
        s = stop;
    }
}

static enum rt_status take_entry(struct archive *archive, const unsigned char *s,
                                 const unsigned char *end, int64_t *length, struct rt_error *error)
{
    if (end - s < ENTRY || memcmp(s, "PK\1\2", 4) != 0)
        return archive_fail(archive, error, "has a damaged directory");
    int64_t name = (int64_t)get(s + 28, 2), extra = (int64_t)get(s + 30, 2);
    *length = ENTRY + name + extra + (int64_t)get(s + 32, 2);
    if (*length > end - s)
        return archive_fail(archive, error, "has a damaged directory");
    struct archive_member member = {.flags = (unsigned)get(s + 8, 2),
                                    .method = (unsigned)get(s + 10, 2),
                                    .crc = (uint32_t)get(s + 16, 4),
                                    .size = (int64_t)get(s + 20, 4),
                                    .unpacked = (int64_t)get(s + 24, 4),
                                    .at = (int64_t)get(s + 42, 4)};
    take_extra(&member, s + ENTRY + name, s + ENTRY + name + extra);
    const char *called = (const char *)s + ENTRY;
    bool is_folder = name > 0 && called[name - 1] == '/';
    return is_folder ? RT_OK
                     : archive_add(archive, called, strnlen(called, (size_t)name), member, error);
}

enum rt_status zip_list(struct archive *archive, struct rt_error *error)
{
    struct directory directory = {.at = 0};
    if (!source_can_seek(archive->source)) {
        enum rt_status status = archive_fail(
            archive, error, "is compressed, or comes through a pipe, where it cannot be read");
        rt_help(error, "write it into a file as it is, or unpack it first");
        return status;
    }
    enum rt_status status = find_directory(archive, &directory, error);
    if (status != RT_OK)
        return status;
    unsigned char *bytes = rt_array(directory.size, 1), *s = bytes;
    if (!bytes)
        return rt_no_memory(error);
    status = read_at(archive, directory.at, bytes, directory.size, error);
    for (int64_t i = 0, length = 0; i < directory.entries && status == RT_OK; i++, s += length)
        status = take_entry(archive, s, bytes + directory.size, &length, error);
    free(bytes);
    return status;
}

enum rt_status zip_enter(struct archive *archive, const struct archive_member *member,
                         struct source_part *part, struct rt_error *error)
{
    unsigned char local[LOCAL];
    int64_t size = source_size(archive->source);
    if (member->flags & 1)
        return archive_fail(archive, error, "is encrypted: unpack it first");
    if (member->method != ZIP_STORED && member->method != ZIP_DEFLATED)
        return archive_fail(archive, error,
                            "is compressed by another method than deflate: unpack it first");
    if (member->at < 0 || member->at > size - LOCAL)
        return archive_fail(archive, error, "has a damaged directory");
    enum rt_status status = read_at(archive, member->at, local, LOCAL, error);
    if (status != RT_OK)
        return status;
    int64_t at = member->at + LOCAL + (int64_t)get(local + 26, 2) + (int64_t)get(local + 28, 2);
    bool deflated = member->method == ZIP_DEFLATED;
    if (memcmp(local, "PK\3\4", 4) != 0 || member->size < 0 || member->size > size - at
        || member->unpacked < 0
        || (deflated ? member->unpacked / MOST_DEFLATED > member->size
                     : member->unpacked != member->size))
        return archive_fail(archive, error, "has sizes that cannot be");
    *part = (struct source_part){.size = member->size,
                                 .codec = deflated ? &codec_deflate : NULL,
                                 .plain = !deflated,
                                 .checked = true,
                                 .unpacked = member->unpacked,
                                 .crc = member->crc};
    return source_seek(archive->source, at, error);
}
