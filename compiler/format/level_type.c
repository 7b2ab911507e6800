/* level_type.c - finding a level type by its name or letter.
 *
 * SPDX-License-Identifier: MIT
 */
#include <string.h>

#include "compiler/level.h"

const struct level_type *level_type_find(const struct level_type *const *levels, const char *name, size_t n,
                                         unsigned *drops)
{
    *drops = 0;
    for (; levels && *levels; levels++) {
        const struct level_type *type = *levels;
        if (strlen(type->name) == n && memcmp(type->name, name, n) == 0)
            return type;
        if (n != 1 || *name == '\0')
            continue;
        if (*name == type->letter)
            return type;
        if (*name == type->variant_letter) {
            *drops = type->variant_drops;
            return type;
        }
    }
    return NULL;
}
