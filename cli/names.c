/* names.c - numbers names in order of appearance: a hash table with open addressing, at most half
 * full.
 *
 * SPDX-License-Identifier: MIT
 */
#include "cli/names.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* FNV-1a, 64 bits. */
static uint64_t hash(const char *name)
{
    uint64_t h = 14695981039346656037u;
    for (; *name; name++)
        h = (h ^ (unsigned char)*name) * 1099511628211u;
    return h ^ h >> 32;
}

/* Returns the slot of the name, or the one where it would go. */
static int *find_slot(const struct names *names, const char *name)
{
    size_t mask = (size_t)names->slots - 1, k = (size_t)hash(name) & mask;
    while (names->slot[k] && strcmp(names->name[names->slot[k] - 1], name) != 0)
        k = (k + 1) & mask;
    return &names->slot[k];
}

static int grow(struct names *names)
{
    int slots = names->slots ? 2 * names->slots : 16;
    const char **name = realloc(names->name, (size_t)slots / 2 * sizeof *name);
    if (name)
        names->name = name;
    int *slot = name ? calloc((size_t)slots, sizeof *slot) : NULL;
    if (!slot)
        return -1;
    free(names->slot);
    names->slot = slot;
    names->slots = slots;
    for (int k = 0; k < names->n; k++)
        *find_slot(names, names->name[k]) = k + 1;
    return 0;
}

int names_add(struct names *names, const char *name)
{
    int found = names_find(names, name);
    if (found >= 0)
        return found;
    if (2 * names->n == names->slots && grow(names) < 0)
        return -1;
    names->name[names->n] = name;
    *find_slot(names, name) = ++names->n;
    return names->n - 1;
}

int names_find(const struct names *names, const char *name)
{
    return names->slots ? *find_slot(names, name) - 1 : -1;
}

void names_free(struct names *names)
{
    free(names->name);
    free(names->slot);
    *names = (struct names){0};
}
