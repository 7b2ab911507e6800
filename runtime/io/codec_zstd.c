/* codec_zstd.c - Zstandard's frames, by libzstd.  A frame may ask for as much memory as the
 * library allows by itself, 128 MiB.
 *
 * SPDX-License-Identifier: MIT
 */
#include "runtime/io/codec.h"

#ifdef SPCC_ZSTD

#include <zstd.h>

static void *zstd_begin(void) { return ZSTD_createDStream(); }

static enum codec_status zstd_step(void *stream, struct codec_step *step)
{
    ZSTD_inBuffer in = {step->in, step->in_n, 0};
    ZSTD_outBuffer out = {step->out, step->out_n, 0};
    size_t status = ZSTD_decompressStream(stream, &out, &in);
    step->in += in.pos;
    step->in_n -= in.pos;
    step->out += out.pos;
    step->out_n -= out.pos;
    if (!ZSTD_isError(status))
        return status == 0 ? CODEC_END : CODEC_MORE;
    step->why = ZSTD_getErrorName(status);
    return CODEC_DAMAGED;
}

static bool zstd_restart(void *stream) { return !ZSTD_isError(ZSTD_initDStream(stream)); }

static void zstd_end(void *stream) { ZSTD_freeDStream(stream); }

#endif

const struct codec codec_zstd = {
    .name = "zstd",
    .suffix = ".zst",
    .magic = "\x28\xb5\x2f\xfd",
    .magic_n = 4,
    .library = "libzstd-dev",
#ifdef SPCC_ZSTD
    .begin = zstd_begin,
    .step = zstd_step,
    .restart = zstd_restart,
    .end = zstd_end,
#endif
};
