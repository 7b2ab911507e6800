/* source.h - where the bytes of a file come from: the disk, a pipe, memory, or a part of another
 * source; decompressed if they are compressed.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_IO_SOURCE_H
#define SPCC_IO_SOURCE_H

#include <stdbool.h>
#include <stdint.h>

#include "runtime/io/codec.h"
#include "runtime/tensor/status.h"

struct file_source;

/* A file, "-" being standard input, which path is called in messages then.  It is decompressed if
 * its first bytes show that it is compressed; the codec is the name's, for bytes that show nothing.
 */
enum rt_status source_open(struct file_source **source, const char *path, const struct codec *codec,
                           struct rt_error *error);

/* Bytes that stay where they are until source_close. */
enum rt_status source_open_text(struct file_source **source, const char *path, const char *text,
                                int64_t size, struct rt_error *error);

/* A part of another source, which stays open: its next bytes. */
struct source_part {
    int64_t size;              /* bytes there */
    const struct codec *codec; /* as they must be compressed; NULL: as their first ones show */
    bool plain;                /* they are as they are, whatever they look like */
    /* of a zip archive: how many bytes there are when they are decompressed, and their CRC-32 */
    bool checked;
    int64_t unpacked;
    uint32_t crc;
};
enum rt_status source_open_part(struct file_source **source, struct file_source *from,
                                const char *path, const struct source_part *part,
                                struct rt_error *error);

/* The next bytes, as many as there is room for; fewer only where they end. */
enum rt_status source_read(struct file_source *source, char *to, int64_t room, int64_t *got,
                           struct rt_error *error);

/* Read all that is left, of what can be damaged so that it is found out at the end only. */
enum rt_status source_check(struct file_source *source, struct rt_error *error);

/* Can it be read from any place on?  That is so of files on the disk and in memory, unless they are
 * compressed. */
bool source_can_seek(const struct file_source *source);
enum rt_status source_seek(struct file_source *source, int64_t at, struct rt_error *error);

/* From the beginning again; false: that cannot be, since it is a pipe. */
bool source_rewind(struct file_source *source);

/* How it begins, n bytes at most that are not taken; fewer where it ends. */
enum rt_status source_peek(struct file_source *source, const char **bytes, int64_t n, int64_t *got,
                           struct rt_error *error);

/* Returns how many bytes of the file have been read, and how many it has; 0: not known. */
int64_t source_done(const struct file_source *source);
int64_t source_size(const struct file_source *source);

/* NULL is allowed. */
void source_close(struct file_source *source);

#endif
