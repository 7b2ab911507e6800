/* zip.h - how zip archives are laid out, and writing them.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_IO_ZIP_H
#define SPCC_IO_ZIP_H

#include "runtime/io/file_format.h"

enum { ZIP_STORED = 0, ZIP_DEFLATED = 8 };

/* One that is being written. */
struct zip_writer {
    struct output *output;
    int64_t written; /* bytes */
    struct archive_member *member;
    int64_t members, capacity;
    bool failed; /* no memory */
};

void zip_begin(struct zip_writer *zip, struct output *output);

/* A member, of the bytes of a head and what follows it, compressed. */
void zip_add(struct zip_writer *zip, const char *name, const void *head, size_t head_n,
             const void *bytes, size_t n);

/* The directory.  RT_NO_MEMORY: a member is missing. */
enum rt_status zip_end(struct zip_writer *zip, struct rt_error *error);

#endif
