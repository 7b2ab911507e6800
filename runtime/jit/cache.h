/* cache.h - compiled kernels on disk, shared by all processes of a user.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_JIT_CACHE_H
#define SPCC_JIT_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/jit/sha256.h"

/* directory < 0: no cache. */
struct cache {
    int directory;
    /* of the directory, also of one that is not used; NULL: none is known */
    char *path;
    uint64_t limit; /* bytes */
};

/* What is kept for a key. */
struct cache_entry {
    void *data; /* by malloc, with room for a byte more */
    size_t size;
};

/* Open, and if need be make, the cache's directory: path, or the user's standard one if path is
 * NULL; "" is none.  Where it cannot be used, the cache is none and *note is set to why, a text
 * to free() (or NULL). */
void cache_open(struct cache *cache, const char *path, uint64_t limit, char **note);
void cache_close(struct cache *cache);

/* False if there is nothing for this key, or nothing that can be trusted, which is then removed. */
bool cache_get(const struct cache *cache, const unsigned char key[SHA256_SIZE],
               struct cache_entry *entry);

/* 0 or errno.  Whoever looks for the key at the same time sees all of it or nothing. */
int cache_put(const struct cache *cache, const unsigned char key[SHA256_SIZE],
              const struct cache_entry *entry);

/* Why a kernel could not be kept, of cache_put's errno: a sentence to free(); NULL if there is
 * no memory. */
char *cache_complaint(const struct cache *cache, int error);

/* Returns what is in the cache, which is one: how many kernels, and the bytes that they take on
 * disk.  Writes a file there and removes it, as cache_put would: 0, or the errno with which that
 * fails. */
int cache_look(const struct cache *cache, size_t *kernels, uint64_t *bytes);

/* Forget it. */
void cache_remove(const struct cache *cache, const unsigned char key[SHA256_SIZE]);

#endif
