/* codec_zlib.c - gzip's streams, and those in zip archives, by zlib.
 *
 * SPDX-License-Identifier: MIT
 */
#include <limits.h>
#include <zlib.h>

#include "runtime/io/codec.h"
#include "runtime/tensor/alloc.h"

enum { WINDOW = 15, GZIP = 16 };

static void *zlib_begin(int bits)
{
    z_stream *z = rt_array_zeroed(1, sizeof *z);
    if (z && inflateInit2(z, bits) == Z_OK)
        return z;
    free(z);
    return NULL;
}

static void *zlib_begin_gzip(void) { return zlib_begin(WINDOW + GZIP); }

static void *zlib_begin_deflate(void) { return zlib_begin(-WINDOW); }

static uInt at_most(size_t n) { return n < UINT_MAX ? (uInt)n : UINT_MAX; }

static enum codec_status zlib_step(void *stream, struct codec_step *step)
{
    z_stream *z = stream;
    uInt in = at_most(step->in_n), out = at_most(step->out_n);
    z->next_in = (Bytef *)step->in;
    z->avail_in = in;
    z->next_out = (Bytef *)step->out;
    z->avail_out = out;
    int status = inflate(z, Z_NO_FLUSH);
    step->in += in - z->avail_in;
    step->in_n -= in - z->avail_in;
    step->out += out - z->avail_out;
    step->out_n -= out - z->avail_out;
    step->why = z->msg;
    switch (status) {
    case Z_OK:
    case Z_BUF_ERROR: return CODEC_MORE;
    case Z_STREAM_END: return CODEC_END;
    case Z_MEM_ERROR: return CODEC_NO_MEMORY;
    default: return CODEC_DAMAGED;
    }
}

static bool zlib_restart(void *stream) { return inflateReset(stream) == Z_OK; }

static void zlib_end(void *stream)
{
    inflateEnd(stream);
    free(stream);
}

const struct codec codec_gzip = {
    .name = "gzip",
    .suffix = ".gz",
    .magic = "\x1f\x8b",
    .magic_n = 2,
    .library = "zlib",
    .begin = zlib_begin_gzip,
    .step = zlib_step,
    .restart = zlib_restart,
    .end = zlib_end,
};

const struct codec codec_deflate = {
    .name = "deflate",
    .library = "zlib",
    .begin = zlib_begin_deflate,
    .step = zlib_step,
    .restart = zlib_restart,
    .end = zlib_end,
};
