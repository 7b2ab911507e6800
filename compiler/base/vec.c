/* vec.c - a growing array in an arena.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/base/vec.h"

#include <string.h>

/* Most arrays have few items. */
enum { FIRST_BYTES = 32 };

void *vec_grow(struct arena *arena, void *at, size_t item_size, size_t *capacity)
{
    size_t grown = *capacity                 ? *capacity * 2
                   : item_size < FIRST_BYTES ? FIRST_BYTES / item_size
                                             : 1;
    void *copy = arena_alloc(arena, grown * item_size);
    if (*capacity)
        memcpy(copy, at, *capacity * item_size);
    *capacity = grown;
    return copy;
}
