/* codec.h - how files are compressed: a const table for each way.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_IO_CODEC_H
#define SPCC_IO_CODEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What came of a step.  MORE: it goes on, with more bytes or more room.  END: the stream ends;
 * there may be another one behind it. */
enum codec_status { CODEC_MORE, CODEC_END, CODEC_DAMAGED, CODEC_NO_MEMORY };

/* Bytes to be taken, and room for what they give; what a step has taken and made is left out. */
struct codec_step {
    const char *in;
    size_t in_n;
    char *out;
    size_t out_n;
    const char *why; /* it is damaged; NULL: not known */
};

struct codec {
    const char *name;   /* "gzip" */
    const char *suffix; /* ".gz"; NULL: no file is compressed like that as a whole */
    const char *magic;  /* how a stream begins, as no text does */
    size_t magic_n;
    const char *library; /* what reads it */
    /* A new stream; NULL: no memory.  Without the library the function is NULL. */
    void *(*begin)(void);
    enum codec_status (*step)(void *stream, struct codec_step *step);
    bool (*restart)(void *stream); /* false: no memory */
    void (*end)(void *stream);
};

extern const struct codec codec_gzip;
extern const struct codec codec_deflate; /* of a member of a zip archive */
extern const struct codec codec_bzip2;
extern const struct codec codec_xz;
extern const struct codec codec_zstd;

/* By how a file begins, and by what the first n bytes of its name end in; NULL: none. */
const struct codec *codec_of_bytes(const char *bytes, int64_t n);
const struct codec *codec_of_name(const char *name, size_t n);

#endif
