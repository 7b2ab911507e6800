/* input.h - files that are read, whole and decompressed.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_IO_INPUT_H
#define SPCC_IO_INPUT_H

#include <stdbool.h>

#include "runtime/io/file_format.h"

/* Read a file, "-" being standard input, and inflate it if it is compressed, as it must be if gz
 * says so; the rest of *input is set up for the request.  For input_close, also after a failure. */
enum rt_status input_open(struct input *input, const char *path, bool gz,
                          const struct io_request *request, struct rt_error *error);

/* The same with a copy of a text. */
enum rt_status input_open_text(struct input *input, const char *path, const char *text, size_t size,
                               const struct io_request *request, struct rt_error *error);

void input_close(struct input *input);

#endif
