/* var_map.c - a hash table of variables, by open addressing, at most half full.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/imperative/var_map.h"

#include "compiler/base/hash.h"

static struct var_fact *slot_of(const struct var_map *map, const void *var)
{
    for (uint64_t hash = hash_word(0, (uintptr_t)var);; hash++) {
        struct var_fact *slot = &map->at[hash & (map->capacity - 1)];
        if (!slot->var || slot->var == var)
            return slot;
    }
}

static void enlarge(struct context *cx, struct var_map *map)
{
    struct var_map old = *map;
    map->capacity = old.capacity ? 2 * old.capacity : 64;
    map->at = arena_array(cx->arena, struct var_fact, map->capacity);
    for (size_t i = 0; i < old.capacity; i++)
        if (old.at[i].var)
            *slot_of(map, old.at[i].var) = old.at[i];
}

void **var_map_at(struct context *cx, struct var_map *map, const void *var)
{
    struct var_fact *slot = map->capacity ? slot_of(map, var) : NULL;
    if (slot && slot->var)
        return &slot->fact;
    if (2 * ++map->n > map->capacity)
        enlarge(cx, map);
    slot = slot_of(map, var);
    slot->var = var;
    return &slot->fact;
}
