/* whole.h - files that are written whole: under their name is at any time what was there before, or
 * all of what is new.
 *
 * As far as the file system is concerned: a crash of the process leaves nothing else.  That it is
 * on the disk before a crash of the machine is asked for by `sync`.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_FILE_WHOLE_H
#define SPCC_FILE_WHOLE_H

#include "runtime/file/scratch.h"

struct whole {
    int fd; /* to write to */
    int folder;
    /* the file that it becomes, its name in the folder; NULL: it is written to as it is */
    char *path, *name;
    bool standard, nameless, noted, sync;
    struct scratch scratch;
};

/* Reads all of a regular file, of at most this many bytes: *bytes is by malloc, with room for one
 * more.  0 or errno, EINVAL of what is no such file. */
int whole_read(const char *path, size_t most, void **bytes, size_t *n);

/* "-" is standard output; what is no regular file (/dev/stdout, a pipe) is written to as it is.  A
 * link keeps being a link: the file that it leads to is replaced, and its permissions are kept.
 * 0 or errno; to be closed after 0 only. */
int whole_open(struct whole *file, const char *path, bool sync);

/* Writes n bytes.  0 or errno. */
int whole_write(struct whole *file, const void *bytes, size_t n);

/* Gives the file its name, or, if failed is not 0, removes what was written.  failed, or 0, or
 * errno. */
int whole_close(struct whole *file, int failed);

#endif
