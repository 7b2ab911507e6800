/* pack.h - kernels that were compiled before, in a file: they take the compiler's place.
 *
 * A pack is a shared library with a section that nobody loads, .spcc.pack:
 *
 *     | struct pack_head | an entry for each object | the objects, as the cache keeps them |
 *
 * An entry says for which request an object is, from which C text it was compiled, and for which
 * processors.  Whoever makes the same request generates the text and compares, so that an object is
 * taken only if a compiler would be given the same.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_JIT_PACK_H
#define SPCC_JIT_PACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/jit/sha256.h"

#define PACK_SECTION ".spcc.pack"

enum { PACK_MACHINE = 24 };

struct pack_entry {
    unsigned char request[SHA256_SIZE]; /* a hash of what was asked for */
    unsigned char source[SHA256_SIZE];  /* of the C text */
    unsigned char digest[SHA256_SIZE];  /* of the object */
    char machine[PACK_MACHINE];         /* the target's name, whose processors it runs on */
    uint64_t threads;                   /* it calls the OpenMP runtime of GCC's code */
    uint64_t at, size;                  /* the object in the section, in bytes */
};

struct pack {
    char *path;
    void *file; /* all of it */
    size_t file_size;
    const unsigned char *section;
    const struct pack_entry *entry; /* the better ones of a request first */
    size_t entries;
};

/* Reads a pack.  False if it is none that this version of spcc takes, with *why a sentence to
 * free(), or NULL without memory. */
bool pack_open(struct pack *pack, const char *path, char **why);
void pack_close(struct pack *pack);

/* Returns the first entry for a request that this processor can run; NULL: there is none, and then
 * *machine is a target whose objects there are for the request, or NULL. */
const struct pack_entry *pack_find(const struct pack *pack,
                                   const unsigned char request[SHA256_SIZE], const char **machine);

/* What entries have of a C text. */
void pack_hash_source(const char *source, unsigned char hash[SHA256_SIZE]);

/* Returns the object of this entry's request, machine and source, with threads or without; NULL:
 * there is none that is whole. */
const void *pack_object(const struct pack *pack, const struct pack_entry *entry,
                        const unsigned char source[SHA256_SIZE], bool threads, size_t *size);

/* The bytes of the section, to free(): entries with their objects, whose places are set here.
 * NULL: no memory. */
void *pack_section(struct pack_entry *entries, void *const *objects, size_t n, size_t *size);

#endif
