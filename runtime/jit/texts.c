/* texts.c - texts that belong to compiled kernels.
 *
 * SPDX-License-Identifier: MIT
 */
#include "runtime/jit/texts.h"

#include <string.h>

#include "runtime/jit/cache.h"
#include "runtime/jit/cpu.h"

#ifndef SPCC_VERSION
#define SPCC_VERSION "0"
#endif

/* a kernel's key does not begin so */
static const char salt[] = "text of spcc " SPCC_VERSION;

static void make_key(const char *key, unsigned char digest[SHA256_SIZE])
{
    struct sha256 hash;
    sha256_start(&hash);
    sha256_add(&hash, salt, sizeof salt);
    cpu_identify(&hash);
    sha256_add(&hash, key, strlen(key));
    sha256_end(&hash, digest);
}

char *texts_recall(const struct cache *cache, const char *key)
{
    unsigned char digest[SHA256_SIZE];
    struct cache_entry entry;
    make_key(key, digest);
    if (!cache_get(cache, digest, &entry))
        return NULL;
    char *text = entry.data;
    text[entry.size] = 0;
    return text;
}

int texts_keep(const struct cache *cache, const char *key, const char *text)
{
    unsigned char digest[SHA256_SIZE];
    struct cache_entry entry = {(void *)text, strlen(text)};
    make_key(key, digest);
    return cache_put(cache, digest, &entry);
}
