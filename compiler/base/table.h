/* table.h - what is there once: entries that are found by what they say, and what has been made of
 * something; in an arena.
 *
 * A hash table with linear probing that doubles when it is half full.  Hashes are kept beside the
 * entries, so that few that differ are compared.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_BASE_TABLE_H
#define SPCC_BASE_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;

struct table_slot {
    uint64_t hash;
    const void *entry;
};

/* Zeroes: an empty one. */
struct table {
    struct table_slot *slot;
    size_t slots, used;
};

/* Returns the entry with this hash that is the same as the key; NULL: there is none. */
const void *table_find(const struct table *table, uint64_t hash,
                       bool (*same)(const void *entry, const void *key), const void *key);
/* Adds one that is not there. */
void table_add(struct arena *arena, struct table *table, uint64_t hash, const void *entry);

/* Returns where the table, all of whose entries are such, keeps what has been made of these words,
 * n of them: NULL the first time. */
const void **table_made(struct arena *arena, struct table *table, const uintptr_t *word, size_t n);

#endif
