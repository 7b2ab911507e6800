/* table.c - hash tables of entries that are found by their contents.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/base/table.h"

#include <string.h>

#include "compiler/base/arena.h"
#include "compiler/base/hash.h"

enum { SLOTS_FIRST = 64 };

static struct table_slot *slot_at(const struct table *table, uint64_t i)
{
    return &table->slot[i & (table->slots - 1)];
}

const void *table_find(const struct table *table, uint64_t hash,
                       bool (*same)(const void *entry, const void *key), const void *key)
{
    for (uint64_t i = hash; table->slots; i++) {
        const struct table_slot *slot = slot_at(table, i);
        if (!slot->entry || (slot->hash == hash && same(slot->entry, key)))
            return slot->entry;
    }
    return NULL;
}

static void put_entry(struct table *table, uint64_t hash, const void *entry)
{
    uint64_t i = hash;
    while (slot_at(table, i)->entry)
        i++;
    *slot_at(table, i) = (struct table_slot){hash, entry};
}

void table_add(struct arena *arena, struct table *table, uint64_t hash, const void *entry)
{
    if (2 * table->used++ >= table->slots) {
        const struct table old = *table;
        table->slots = old.slots ? 2 * old.slots : SLOTS_FIRST;
        table->slot = arena_array(arena, struct table_slot, table->slots);
        for (size_t i = 0; i < old.slots; i++)
            if (old.slot[i].entry)
                put_entry(table, old.slot[i].hash, old.slot[i].entry);
    }
    put_entry(table, hash, entry);
}

/* ---- entries that are made of words ---- */

struct words {
    const void *made;
    const uintptr_t *word;
    size_t n;
};

static bool same_words(const void *entry, const void *key)
{
    const struct words *a = entry, *b = key;
    return a->n == b->n && !memcmp(a->word, b->word, sizeof *a->word * a->n);
}

const void **table_made(struct arena *arena, struct table *table, const uintptr_t *word, size_t n)
{
    uint64_t hash = HASH_START;
    for (size_t i = 0; i < n; i++)
        hash = hash_word(hash, word[i]);
    struct words key = {NULL, word, n};
    struct words *words = (struct words *)table_find(table, hash, same_words, &key);
    if (!words) {
        key.word = arena_copy(arena, word, sizeof *word * n);
        words = arena_copy(arena, &key, sizeof key);
        table_add(arena, table, hash, words);
    }
    return &words->made;
}
