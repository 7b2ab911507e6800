/* archive.c - shared by zip and tar archives.
 *
 * SPDX-License-Identifier: MIT
 */
#include "runtime/io/archive.h"

#include <string.h>

#include "runtime/tensor/alloc.h"

enum { BLOCK = 512, MEMBERS = 1 << 20 };

enum rt_status archive_fail(const struct archive *archive, struct rt_error *error, const char *what)
{
    return rt_fail(error, RT_INPUT, DIAG_FILE_FORMAT, "%.400s: the %s archive %s", archive->path,
                   archive->kind == ARCHIVE_ZIP ? "zip" : "tar", what);
}

enum rt_status archive_add(struct archive *archive, const char *name, size_t n,
                           struct archive_member member, struct rt_error *error)
{
    if (archive->members == MEMBERS)
        return archive_fail(archive, error, "has more than a million members");
    if (archive->members == archive->capacity) {
        int64_t capacity = 2 * archive->capacity + 16;
        struct archive_member *more =
            rt_array_resize(archive->member, capacity, sizeof *archive->member);
        if (!more)
            return rt_no_memory(error);
        archive->member = more;
        archive->capacity = capacity;
    }
    member.name = rt_array((int64_t)n + 1, 1);
    if (!member.name)
        return rt_no_memory(error);
    memcpy(member.name, name, n);
    member.name[n] = '\0';
    archive->member[archive->members++] = member;
    return RT_OK;
}

enum rt_status archive_open(struct archive *archive, struct file_source *source, const char *path,
                            struct rt_error *error)
{
    const char *bytes;
    int64_t n;
    *archive = (struct archive){.source = source, .path = path};
    enum rt_status status = source_peek(source, &bytes, BLOCK, &n, error);
    if (status != RT_OK)
        return status;
    if (n >= 4 && memcmp(bytes, "PK", 2) == 0
        && (memcmp(bytes + 2, "\3\4", 2) == 0 || memcmp(bytes + 2, "\5\6", 2) == 0))
        archive->kind = ARCHIVE_ZIP;
    else if (tar_begins(bytes, n))
        archive->kind = ARCHIVE_TAR;
    switch (archive->kind) {
    case ARCHIVE_ZIP: return zip_list(archive, error);
    case ARCHIVE_TAR: return tar_list(archive, error);
    case ARCHIVE_NONE: break;
    }
    return RT_OK;
}

/* Skips bytes. */
static enum rt_status skip(struct file_source *source, int64_t bytes, struct rt_error *error)
{
    char unused[1 << 14];
    enum rt_status status = RT_OK;
    while (bytes > 0 && status == RT_OK) {
        int64_t room = bytes < (int64_t)sizeof unused ? bytes : (int64_t)sizeof unused, got;
        status = source_read(source, unused, room, &got, error);
        bytes = status == RT_OK && got == 0 ? 0 : bytes - got;
    }
    return status;
}

static enum rt_status enter_tar(struct archive *archive, const struct archive_member *member,
                                struct source_part *part, struct rt_error *error)
{
    *part = (struct source_part){.size = member->size};
    if (source_can_seek(archive->source))
        return source_seek(archive->source, member->at, error);
    if (source_rewind(archive->source))
        return skip(archive->source, member->at, error);
    enum rt_status status =
        archive_fail(archive, error, "comes through a pipe, where it cannot be read");
    rt_help(error, "write it into a file, or unpack it first");
    return status;
}

enum rt_status archive_enter(struct archive *archive, const struct archive_member *member,
                             struct source_part *part, struct rt_error *error)
{
    return archive->kind == ARCHIVE_ZIP ? zip_enter(archive, member, part, error)
                                        : enter_tar(archive, member, part, error);
}

void archive_close(struct archive *archive)
{
    for (int64_t i = 0; i < archive->members; i++)
        free(archive->member[i].name);
    free(archive->member);
    *archive = (struct archive){.kind = ARCHIVE_NONE};
}
