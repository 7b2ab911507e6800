/* output.h - files that are written, whole.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_IO_OUTPUT_H
#define SPCC_IO_OUTPUT_H

#include <stdbool.h>

#include "runtime/io/file_format.h"

/* "-" is standard output; what is no regular file (/dev/stdout, a pipe) is written to as it is. */
enum rt_status output_open(struct output **output, const char *path, bool gz,
                           const struct io_writing *how, struct rt_error *error);

/* Finish the file and give it its name if status is RT_OK, else remove what was written; frees the
 * output.  Returns status if that is not RT_OK, else whether all has been written. */
enum rt_status output_close(struct output *output, enum rt_status status, struct rt_error *error);

#endif
