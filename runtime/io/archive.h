/* archive.h - files that hold files: zip and tar archives.
 *
 *     enum rt_status status = archive_open(&archive, source, path, error);
 *     if (status == RT_OK && archive.kind != ARCHIVE_NONE)
 *         status = archive_enter(&archive, member, &part, error);
 *     archive_close(&archive);
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_IO_ARCHIVE_H
#define SPCC_IO_ARCHIVE_H

#include "runtime/io/source.h"

struct archive_member {
    char *name;
    int64_t at;       /* of zip its local header; of tar, where its bytes begin when decompressed */
    int64_t size;     /* of its bytes in the archive */
    int64_t unpacked; /* when they are decompressed */
    uint32_t crc;
    unsigned method, flags; /* as zip has them */
};

enum archive_kind { ARCHIVE_NONE, ARCHIVE_ZIP, ARCHIVE_TAR };

struct archive {
    enum archive_kind kind;
    const char *path; /* for messages */
    struct file_source *source;
    struct archive_member *member;
    int64_t members, capacity;
};

/* What a source holds, which stays open, and is as it was if that is no archive.  For
 * archive_close, also after a failure. */
enum rt_status archive_open(struct archive *archive, struct file_source *source, const char *path,
                            struct rt_error *error);

/* Let the source be where a member's bytes are, which are a part of it. */
enum rt_status archive_enter(struct archive *archive, const struct archive_member *member,
                             struct source_part *part, struct rt_error *error);

void archive_close(struct archive *archive);

/* ---- the two kinds ---- */

/* Append a member with that name, of n bytes, which is copied. */
enum rt_status archive_add(struct archive *archive, const char *name, size_t n,
                           struct archive_member member, struct rt_error *error);

enum rt_status archive_fail(const struct archive *archive, struct rt_error *error,
                            const char *what);

enum rt_status zip_list(struct archive *archive, struct rt_error *error);
enum rt_status zip_enter(struct archive *archive, const struct archive_member *member,
                         struct source_part *part, struct rt_error *error);
enum rt_status tar_list(struct archive *archive, struct rt_error *error);

/* Does a tar archive begin like that? */
bool tar_begins(const char *bytes, int64_t n);

#endif
