/* hash.h - FNV-1a, 64 bits.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_BASE_HASH_H
#define SPCC_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

#define HASH_START UINT64_C(0xcbf29ce484222325)

/* Continue a hash with n more bytes. */
static inline uint64_t hash_more(uint64_t hash, const void *data, size_t n)
{
    const unsigned char *byte = data;
    for (size_t i = 0; i < n; i++)
        hash = (hash ^ byte[i]) * UINT64_C(0x100000001b3);
    return hash;
}

/* Continue one with a number, so that all its bits reach the low ones: pointers differ in the
 * middle. */
static inline uint64_t hash_word(uint64_t hash, uint64_t word)
{
    hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ hash >> 32;
}

static inline uint64_t hash_bytes(const void *data, size_t n)
{
    return hash_more(HASH_START, data, n);
}

#endif
