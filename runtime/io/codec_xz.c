/* codec_xz.c - xz's streams, by liblzma.
 *
 * SPDX-License-Identifier: MIT
 */
#include "runtime/io/codec.h"

#ifdef SPCC_XZ

#include <lzma.h>

#include "runtime/tensor/alloc.h"

/* A stream says how much memory it takes, which must not exceed what there is. */
static bool start(lzma_stream *xz)
{
    return lzma_stream_decoder(xz, (uint64_t)memory_left(), 0) == LZMA_OK;
}

static void *xz_begin(void)
{
    lzma_stream *xz = rt_array(1, sizeof *xz);
    if (xz)
        *xz = (lzma_stream)LZMA_STREAM_INIT;
    if (xz && start(xz))
        return xz;
    free(xz);
    return NULL;
}

static enum codec_status xz_step(void *stream, struct codec_step *step)
{
    lzma_stream *xz = stream;
    xz->next_in = (const uint8_t *)step->in;
    xz->avail_in = step->in_n;
    xz->next_out = (uint8_t *)step->out;
    xz->avail_out = step->out_n;
    lzma_ret status = lzma_code(xz, LZMA_RUN);
    step->in = (const char *)xz->next_in;
    step->in_n = xz->avail_in;
    step->out = (char *)xz->next_out;
    step->out_n = xz->avail_out;
    if (status == LZMA_STREAM_END)
        return CODEC_END;
    if (status == LZMA_MEM_ERROR || status == LZMA_MEMLIMIT_ERROR)
        return CODEC_NO_MEMORY;
    return status == LZMA_OK || status == LZMA_BUF_ERROR ? CODEC_MORE : CODEC_DAMAGED;
}

static bool xz_restart(void *stream) { return start(stream); }

static void xz_end(void *stream)
{
    lzma_end(stream);
    free(stream);
}

#endif

const struct codec codec_xz = {
    .name = "xz",
    .suffix = ".xz",
    .magic = "\xfd"
             "7zXZ",
    .magic_n = 5,
    .library = "liblzma-dev",
#ifdef SPCC_XZ
    .begin = xz_begin,
    .step = xz_step,
    .restart = xz_restart,
    .end = xz_end,
#endif
};
