/* names.h - what the name of a file says about it.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_IO_NAMES_H
#define SPCC_IO_NAMES_H

#include "runtime/io/codec.h"
#include "runtime/io/file_format.h"

struct file_name {
    const struct file_format *format; /* NULL: the name says none */
    const struct codec *codec;        /* NULL: the file is not compressed as a whole */
    bool archive;
};

/* "mtx", "folder/x.mtx.gz", "x.tar.xz", "x.tgz". */
struct file_name name_parse(const char *name);

/* Is it "-", or the path of a pipe or a device, such as /dev/fd/63?  Its name says nothing. */
bool path_is_stream(const char *path);

/* What begins like that has this format, whatever its name; NULL: it is not known. */
const struct file_format *format_of_bytes(const char *bytes, int64_t n);

/* "names end in .mtx, ..." as the help of an error. */
void name_help(struct rt_error *error);

/* The file at path has no name that is known, or, if what it holds shows it, is of a kind that is
 * not read: what it looks like.  RT_OK: it looks like nothing that is known. */
enum rt_status looks_fail(const char *path, const char *bytes, int64_t n, struct rt_error *error);

#endif
