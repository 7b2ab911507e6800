/* source.h - where the bytes of a file come from: the disk, a pipe or memory, inflated if they are
 * compressed.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_IO_SOURCE_H
#define SPCC_IO_SOURCE_H

#include <stdbool.h>
#include <stdint.h>

#include "runtime/tensor/status.h"

struct file_source;

/* A file, "-" being standard input, which path is called in messages then.  It is inflated if it is
 * compressed, as it must be if gz says so. */
enum rt_status source_open(struct file_source **source, const char *path, bool gz,
                           struct rt_error *error);

/* Bytes that stay where they are until source_close. */
enum rt_status source_open_text(struct file_source **source, const char *path, const char *text,
                                int64_t size, struct rt_error *error);

/* The next bytes, as many as there is room for; fewer only where they end. */
enum rt_status source_read(struct file_source *source, char *to, int64_t room, int64_t *got,
                           struct rt_error *error);

/* Read all that is left, of what can be damaged so that it is found out at the end only. */
enum rt_status source_check(struct file_source *source, struct rt_error *error);

/* How many bytes of the file have been read, and how many it has; 0: not known. */
int64_t source_done(const struct file_source *source);
int64_t source_size(const struct file_source *source);

/* NULL is allowed. */
void source_close(struct file_source *source);

#endif
