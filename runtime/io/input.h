/* input.h - files that are read: their beginning as a text to look at, what follows in chunks.
 *
 *     input_open(&input, path, gz, &request, error)
 *     input_read_line(&input, 1, '%', error)              the head is in input.text
 *     input_begin(&input, line)
 *     while (input_next(&input, &chunk, error) == RT_OK && chunk.n > 0)
 *         parse(chunk.at, chunk.n)                        whole lines
 *     input_close(&input)
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_IO_INPUT_H
#define SPCC_IO_INPUT_H

#include <stdbool.h>

#include "runtime/io/file_format.h"

/* Bytes, of which there may be more. */
struct bytes {
    char *at;
    int64_t n, capacity;
    bool last;   /* there is nothing behind it */
    bool cut;    /* and its last newline was missing */
    double part; /* of the file, that has been read up to here; 0: not known */
};

/* A file, "-" being standard input, and as much of it as is looked at first; it is inflated if it
 * is compressed, as it must be if gz says so.  For input_close, also after a failure. */
enum rt_status input_open(struct input *input, const char *path, bool gz,
                          const struct io_request *request, struct rt_error *error);

/* The same of a text, which stays where it is. */
enum rt_status input_open_text(struct input *input, const char *path, const char *text, size_t size,
                               const struct io_request *request, struct rt_error *error);

/* Chunks begin at this line of the text, or the end. */
void input_begin(struct input *input, const char *line);

/* The next lines, a NUL behind them; none: there are no more.  By one thread at a time, any. */
enum rt_status input_next(struct input *input, struct bytes *chunk, struct rt_error *error);

/* Is there one chunk at most? */
bool input_is_short(const struct input *input);

/* What was found to be wrong in a text is not to be told if the file itself is damaged. */
enum rt_status input_check(struct input *input, struct rt_error *error);

/* Let report know how far it is. */
void input_tell(const struct input *input);

void input_close(struct input *input);

#endif
