/* open.h - from a path to the bytes of a tensor: perhaps compressed, perhaps in an archive.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_IO_OPEN_H
#define SPCC_IO_OPEN_H

#include "runtime/io/file_format.h"
#include "runtime/io/source.h"

struct opened {
    char *file, *shown; /* the path of the file; what messages call it */
    struct file_source *file_source, *member_source; /* NULL: it is in no archive */
    const struct file_format *format;
};

/* The file at path, "-" being standard input, or what an archive there holds: its only tensor, or
 * that which the path goes on with, as x.zip/a.mtx does.  named is its format; NULL: its name says
 * it, or how it begins.  For opened_close, also after a failure. */
enum rt_status open_path(struct opened *opened, const char *path, const char *named,
                         struct rt_error *error);

/* The same of size bytes in memory, which are neither compressed nor an archive. */
enum rt_status open_text(struct opened *opened, const char *path, const char *text, int64_t size,
                         const char *named, struct rt_error *error);

/* Returns where its bytes are. */
static inline struct file_source *opened_source(const struct opened *opened)
{
    return opened->member_source ? opened->member_source : opened->file_source;
}

void opened_close(struct opened *opened);

#endif
