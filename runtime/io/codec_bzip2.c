/* codec_bzip2.c - bzip2's streams, by libbz2.
 *
 * SPDX-License-Identifier: MIT
 */
#include "runtime/io/codec.h"

#ifdef SPCC_BZIP2

#include <bzlib.h>
#include <limits.h>

#include "runtime/tensor/alloc.h"

static void *bzip2_begin(void)
{
    bz_stream *bz = rt_array_zeroed(1, sizeof *bz);
    if (bz && BZ2_bzDecompressInit(bz, 0, 0) == BZ_OK)
        return bz;
    free(bz);
    return NULL;
}

static unsigned at_most(size_t n) { return n < UINT_MAX ? (unsigned)n : UINT_MAX; }

static enum codec_status bzip2_step(void *stream, struct codec_step *step)
{
    bz_stream *bz = stream;
    unsigned in = at_most(step->in_n), out = at_most(step->out_n);
    bz->next_in = (char *)step->in;
    bz->avail_in = in;
    bz->next_out = step->out;
    bz->avail_out = out;
    int status = BZ2_bzDecompress(bz);
    step->in += in - bz->avail_in;
    step->in_n -= in - bz->avail_in;
    step->out += out - bz->avail_out;
    step->out_n -= out - bz->avail_out;
    switch (status) {
    case BZ_OK: return CODEC_MORE;
    case BZ_STREAM_END: return CODEC_END;
    case BZ_MEM_ERROR: return CODEC_NO_MEMORY;
    default: return CODEC_DAMAGED;
    }
}

static bool bzip2_restart(void *stream)
{
    bz_stream *bz = stream;
    BZ2_bzDecompressEnd(bz);
    *bz = (bz_stream){.next_in = NULL};
    return BZ2_bzDecompressInit(bz, 0, 0) == BZ_OK;
}

static void bzip2_end(void *stream)
{
    BZ2_bzDecompressEnd(stream);
    free(stream);
}

#endif

const struct codec codec_bzip2 = {
    .name = "bzip2",
    .suffix = ".bz2",
    .magic = "BZh",
    .magic_n = 3,
    .library = "libbz2-dev",
#ifdef SPCC_BZIP2
    .begin = bzip2_begin,
    .step = bzip2_step,
    .restart = bzip2_restart,
    .end = bzip2_end,
#endif
};
