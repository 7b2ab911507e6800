/* format.c - makes and compares formats.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/format/format.h"

#include "compiler/base/context.h"
#include "compiler/format/map.h"

const struct format *format_dense(struct context *cx, int order, struct format_defaults defaults)
{
    const struct level_type *dense = level_type_find(cx->levels, "dense", 5);
    context_assert(cx, dense && order >= 0 && order <= ORDER_MAX);
    struct level_format *level = arena_array(cx->arena, struct level_format, order);
    for (int k = 0; k < order; k++) {
        struct map_expr *map = arena_make(cx->arena, struct map_expr);
        map->kind = MAP_MODE;
        map->mode = k;
        level[k] =
            (struct level_format){dense, dense->properties, defaults.pos, defaults.crd, map, k, 0};
    }
    struct format *format = arena_make(cx->arena, struct format);
    *format = (struct format){order, order, level, "dense"};
    return format;
}

bool format_is_plain(const struct format *format)
{
    uint32_t seen = 0;
    if (format->levels != format->order)
        return false;
    for (int k = 0; k < format->levels; k++) {
        int mode = format->level[k].mode;
        if (mode < 0 || seen >> mode & 1)
            return false;
        seen |= UINT32_C(1) << mode;
    }
    return true;
}

int format_assembled(const struct format *format)
{
    int levels = format->levels;
    while (levels > 0 && format->level[levels - 1].type->size
           && !format->level[levels - 1].type->insert)
        levels--;
    return levels;
}

int format_counted(const struct format *format)
{
    int last = format->levels - 1, level = 0;
    while (level < last && level_has(&format->level[level], LEVEL_FULL)
           && format->level[level].type->locates_fast)
        level++;
    if (last < 1 || !format->level[level].type->scan)
        return -1;
    bool in_rounds = format->level[level].type->in_rounds;
    bool ends = in_rounds ? level == last - 1 && level_has(&format->level[last], LEVEL_BRANCHLESS)
                                && format->level[last].type->append_coordinate
                          : level == last;
    return ends ? level : -1;
}

int format_morton(const struct format *format)
{
    int levels = 0;
    while (levels < format->levels && level_has(&format->level[levels], LEVEL_MORTON))
        levels++;
    return levels;
}

bool format_is_inserted(const struct format *format)
{
    for (int k = 0; k < format->levels; k++)
        if (format->level[k].type->insert)
            return true;
    return false;
}

static bool all_have(const struct format *format, unsigned properties)
{
    bool all = true;
    for (int k = 0; k < format->levels && all; k++)
        all = level_has(&format->level[k], properties);
    return all;
}

bool format_has_arrays(const struct format *format, int levels)
{
    bool has = false;
    for (int k = 0; k < levels && !has; k++)
        has = level_type_has_arrays(format->level[k].type);
    return has;
}

bool format_is_full(const struct format *format) { return all_have(format, LEVEL_FULL); }

bool format_is_dense(const struct format *format)
{
    return all_have(format, LEVEL_FULL | LEVEL_ORDERED | LEVEL_UNIQUE | LEVEL_COMPACT);
}

/* Does the level say which coordinates it has, instead of having all? */
static bool chooses(const struct level_type *type)
{
    bool chooses = false;
    for (int a = 0; a < LEVEL_ARRAYS; a++)
        chooses |= type->array[a].kind == LEVEL_COORDINATES || type->array[a].kind == LEVEL_FLAGS;
    return chooses;
}

/* If a branchless level has every coordinate that its parents determine, it has as many as they. */
bool format_tells_padding(const struct format *format)
{
    int k = format->levels - 1;
    while (k > 0 && level_has(&format->level[k], LEVEL_BRANCHLESS | LEVEL_COMPACT))
        k--;
    return k >= 0 && chooses(format->level[k].type);
}

/* The integer types of arrays that the level does not have do not matter. */
static bool same_widths(const struct level_format *a, const struct level_format *b)
{
    return (!level_type_has_pos(a->type) || a->pos == b->pos)
           && (!level_type_has_crd(a->type) || a->crd == b->crd);
}

static bool is_stored_alike(const struct level_format *a, const struct level_format *b)
{
    return a->type == b->type && a->properties == b->properties && a->most == b->most
           && same_widths(a, b);
}

bool format_equal(const struct format *a, const struct format *b)
{
    if (a->order != b->order || a->levels != b->levels)
        return false;
    for (int k = 0; k < a->levels; k++)
        if (!is_stored_alike(&a->level[k], &b->level[k])
            || !map_equal(a->level[k].map, b->level[k].map))
            return false;
    return true;
}

int format_split_from(const struct format *format, int level)
{
    int from = level - 1;
    while (from > 0 && level_has(&format->level[from], LEVEL_BRANCHLESS))
        from--;
    return from;
}

int format_common(const struct format *a, const struct format *b)
{
    int k = 0;
    while (k < a->levels && k < b->levels && is_stored_alike(&a->level[k], &b->level[k]))
        k++;
    return k;
}
