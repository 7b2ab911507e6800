/* level_type.c - finds level types by name or letter; the shapes of their arrays.
 *
 * SPDX-License-Identifier: MIT
 */
#include <string.h>

#include "compiler/format/format.h"

const struct level_type *level_type_find(const struct level_type *const *levels, const char *name,
                                         size_t n)
{
    for (; levels && *levels; levels++)
        if (strlen((*levels)->name) == n && memcmp((*levels)->name, name, n) == 0)
            return *levels;
    return NULL;
}

static bool may_stand_below(const struct level_type *type, const struct level_format *above)
{
    return type->place != LEVEL_BELOW_UNIQUE || !above || level_has(above, LEVEL_UNIQUE);
}

const struct level_type *level_type_of_letter(const struct level_type *const *levels, char letter,
                                              const struct level_format *above, unsigned *drops)
{
    const struct level_type *elsewhere = NULL, *variant = NULL;
    *drops = 0;
    for (; letter && levels && *levels; levels++) {
        if ((*levels)->letter == letter && may_stand_below(*levels, above))
            return *levels;
        if ((*levels)->letter == letter)
            elsewhere = *levels;
        if ((*levels)->variant_letter == letter)
            variant = *levels;
    }
    if (variant)
        *drops = variant->variant_drops;
    return variant ? variant : elsewhere;
}

static bool has_array(const struct level_type *type, enum level_array_kind kind)
{
    for (int i = 0; i < LEVEL_ARRAYS; i++)
        if (type->array[i].kind == kind)
            return true;
    return false;
}

bool level_type_has_arrays(const struct level_type *type)
{
    for (int i = 0; i < LEVEL_ARRAYS; i++)
        if (type->array[i].kind != LEVEL_NO_ARRAY)
            return true;
    return false;
}

bool level_type_has_pos(const struct level_type *type)
{
    return has_array(type, LEVEL_POSITIONS) || has_array(type, LEVEL_SCALAR);
}

bool level_type_has_crd(const struct level_type *type)
{
    return has_array(type, LEVEL_COORDINATES);
}

enum type level_array_type(const struct level_format *level, int array)
{
    switch (level->type->array[array].kind) {
    case LEVEL_POSITIONS:
    case LEVEL_SCALAR: return level->pos;
    case LEVEL_COORDINATES: return level->crd;
    case LEVEL_FLAGS:
    case LEVEL_NO_ARRAY: break;
    }
    return TYPE_BOOL;
}

int64_t level_array_length(const struct level_format *level, int array, int64_t parents,
                           int64_t positions)
{
    switch (level->type->array[array].kind) {
    case LEVEL_POSITIONS: return parents + 1;
    case LEVEL_COORDINATES:
    case LEVEL_FLAGS: return positions;
    case LEVEL_SCALAR: return 1;
    case LEVEL_NO_ARRAY: break;
    }
    return 0;
}
