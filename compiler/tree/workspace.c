/* workspace.c - which formats a temporary tensor can have, and how its producer writes it (thesis
 * 5.4, 6.2).
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/tree/tree.h"

/* A level that is appended to, and branchless ones below. */
static bool appends(const struct level_format *level, int levels)
{
    for (int k = 0; k < levels; k++)
        if (!level[k].type->append_coordinate
            || (k > 0) != !!(level[k].type->properties & LEVEL_BRANCHLESS))
            return false;
    return levels > 0;
}

bool workspace_is_list(const struct format *format)
{
    return appends(format->level, format->levels);
}

/* A list below a level that is located and full. */
static bool is_rows(const struct format *format)
{
    const struct level_format *first = format->level;
    return format->levels > 1 && level_has(first, LEVEL_FULL) && first->type->size
           && !first->type->insert && appends(first + 1, format->levels - 1);
}

static bool is_table(const struct format *format)
{
    return format->levels == 1 && format->level[0].type->is_full;
}

/* Levels of a known size. */
static bool is_inserted(const struct format *format)
{
    for (int k = 0; k < format->levels; k++)
        if (!format->level[k].type->size || format->level[k].type->width)
            return false;
    return true;
}

enum workspace_kind workspace_kind(const struct format *format)
{
    if (workspace_is_list(format) || is_rows(format))
        return WORKSPACE_LIST;
    return is_inserted(format) ? WORKSPACE_INSERT
           : is_table(format)  ? WORKSPACE_TABLE
                               : WORKSPACE_NONE;
}
