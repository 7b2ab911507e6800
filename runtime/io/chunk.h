/* chunk.h - some lines of a file's entries, parsed into a list of their own.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_IO_CHUNK_H
#define SPCC_IO_CHUNK_H

#include "runtime/io/body.h"
#include "runtime/io/input.h"

enum { CHUNK_CAUSE = 200 };

struct chunk {
    const struct body *body;
    struct bytes text;  /* of one line at least */
    struct coords list; /* of a stream without coordinates, and of parts of complex values */
    char one[16];       /* the value of a pattern's entries */

    /* What was found: as for the whole file. */
    int64_t entries, lines;
    int64_t largest[ORDER_MAX];
    /* where it is wrong, or NULL */
    const char *fault;
    bool below; /* because a coordinate is below the base */
    char cause[CHUNK_CAUSE];
};

/* Parses the text.  false: there is no memory for the list. */
bool chunk_parse(struct chunk *chunk);

/* It is wrong there, unless something is before.  false. */
bool chunk_fail(struct chunk *chunk, const char *at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Returns where an entry is (of a stream, a value) that is in these lines, which begin at s; else
 * end. */
const char *chunk_find(const struct body *body, const char *s, const char *end, int64_t entry);

static inline const char *chunk_end(const struct chunk *chunk)
{
    return chunk->text.at + chunk->text.n;
}

#endif
