/* codec.c - finds the way of compression.
 *
 * SPDX-License-Identifier: MIT
 */
#include "runtime/io/codec.h"

#include <string.h>
#include <strings.h>

static const struct codec *const codecs[] = {&codec_gzip, &codec_bzip2, &codec_xz, &codec_zstd};

enum { CODECS = sizeof codecs / sizeof *codecs };

const struct codec *codec_of_bytes(const char *bytes, int64_t n)
{
    for (int i = 0; i < CODECS; i++)
        if (n >= (int64_t)codecs[i]->magic_n
            && memcmp(bytes, codecs[i]->magic, codecs[i]->magic_n) == 0)
            return codecs[i];
    return NULL;
}

const struct codec *codec_of_name(const char *name, size_t n)
{
    for (int i = 0; i < CODECS; i++) {
        size_t length = strlen(codecs[i]->suffix);
        if (n > length && strncasecmp(name + n - length, codecs[i]->suffix, length) == 0)
            return codecs[i];
    }
    return NULL;
}
