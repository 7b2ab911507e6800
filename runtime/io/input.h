/* input.h - files that are read: their beginning as a text to look at, what follows in chunks.
 *
 *     input_open(&input, source, path, &request, error)
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

/* What is to be read, called path in messages, and as much of it as is looked at first.  For
 * input_close, also after a failure. */
enum rt_status input_open(struct input *input, struct file_source *source, const char *path,
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
