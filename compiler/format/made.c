/* made.c - makes formats for a purpose, by what levels can do: lists of coordinates, rows, and
 * vectors that are written in any order.
 *
 * Each level type is the first one of the registry with the needed capabilities.  The spelling is
 * the shortest one that the parser reads as the same format.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/base/context.h"
#include "compiler/base/text.h"
#include "compiler/format/format.h"

/* ---- level types ---- */

/* Does it store the children of a parent behind those of the parent before, any number of them? */
static bool is_segments(const struct level_type *type)
{
    return type->stored == LEVEL_SOME && type->append_coordinate && type->append_edges;
}

/* Does it store one coordinate for each parent? */
static bool is_chain(const struct level_type *type)
{
    return type->stored == LEVEL_ONE && type->append_coordinate && !type->append_edges;
}

/* Does it have a place for every coordinate? */
static bool is_full(const struct level_type *type)
{
    return type->stored == LEVEL_ALL && type->properties & LEVEL_FULL && type->locates_fast;
}

static bool is_listed(const struct level_type *type) { return type->lists && type->insert; }

static bool is_table(const struct level_type *type) { return type->insert && type->is_full; }

/* Returns NULL if there is no such type. */
static const struct level_type *find_type(struct context *cx,
                                          bool (*is)(const struct level_type *type))
{
    for (const struct level_type *const *type = cx->levels; *type; type++)
        if (is(*type))
            return *type;
    return NULL;
}

/* ---- formats ---- */

static struct level_format *add_level(struct context *cx, struct format *format,
                                      const struct level_type *type,
                                      struct format_defaults defaults)
{
    struct map_expr *map = arena_make(cx->arena, struct map_expr);
    struct level_format *level = (struct level_format *)&format->level[format->levels];
    context_assert(cx, type);
    map->kind = MAP_MODE;
    map->mode = format->levels;
    *level = (struct level_format){
        type, type->properties, defaults.pos, defaults.crd, map, format->levels++, 0};
    return level;
}

static struct format *make_format(struct context *cx, int order)
{
    struct format *format = arena_make(cx->arena, struct format);
    context_assert(cx, order >= 0 && order <= ORDER_MAX);
    format->order = order;
    format->level = arena_array(cx->arena, struct level_format, order);
    return format;
}

/* Makes a list of the remaining levels: only the last one is unique. */
static void add_list(struct context *cx, struct format *format, struct format_defaults defaults)
{
    for (bool first = true; format->levels < format->order; first = false) {
        struct level_format *level =
            add_level(cx, format, find_type(cx, first ? is_segments : is_chain), defaults);
        if (format->levels < format->order)
            level->properties &= ~(unsigned)LEVEL_UNIQUE;
    }
}

const struct format *format_list(struct context *cx, int order, struct format_defaults defaults)
{
    if (order == 0) /* a scalar has no levels to list */
        return format_dense(cx, 0, defaults);
    struct format *format = make_format(cx, order);
    add_list(cx, format, defaults);
    format->spelling = "coo";
    return format;
}

const struct format *format_rows(struct context *cx, int order, struct format_defaults defaults)
{
    struct format *format = make_format(cx, order);
    struct text spelling = text_new(cx->arena);
    context_assert(cx, order >= 2);
    add_level(cx, format, find_type(cx, is_full), defaults);
    add_list(cx, format, defaults);
    if (order == 2)
        text_add(&spelling, "csr");
    else
        format_print(&spelling, format, defaults);
    format->spelling = spelling.at;
    return format;
}

const struct format *format_listed(struct context *cx, unsigned properties,
                                   struct format_defaults defaults)
{
    struct format *format = make_format(cx, 1);
    const struct level_type *type = find_type(cx, is_listed);
    if (!type)
        return format_dense(cx, 1, defaults);
    struct level_format *level = add_level(cx, format, type, defaults);
    level->properties &= ~(unsigned)LEVEL_ORDERED | properties;
    format->spelling = properties & LEVEL_ORDERED
                           ? type->name
                           : arena_printf(cx->arena, "%s(unordered)", type->name);
    return format;
}

const struct format *format_table(struct context *cx, struct format_defaults defaults)
{
    struct format *format = make_format(cx, 1);
    add_level(cx, format, find_type(cx, is_table), defaults);
    format->spelling = "hash";
    return format;
}

const struct format *format_blocks(struct context *cx, int order, const struct map_expr *const *map,
                                   int levels, unsigned properties, struct format_defaults defaults)
{
    const struct level_format *first = format_listed(cx, properties, defaults)->level;
    struct level_format *level = arena_array(cx->arena, struct level_format, levels);
    struct format *format = make_format(cx, order);
    struct text spelling = text_new(cx->arena);
    for (int k = 0; k < levels; k++) {
        level[k] = k > 0 || !first ? format_dense(cx, 1, defaults)->level[0] : *first;
        level[k].map = map[k];
        level[k].mode = map[k]->kind == MAP_MODE ? map[k]->mode : -1;
    }
    format->level = level;
    format->levels = levels;
    format_print(&spelling, format, defaults);
    format->spelling = spelling.at;
    return format;
}

const struct format *format_with(struct context *cx, const struct format *format,
                                 struct format_defaults defaults)
{
    struct format *copy = arena_copy(cx->arena, format, sizeof *format);
    struct level_format *level =
        arena_copy(cx->arena, format->level, sizeof *level * (size_t)format->levels);
    for (int k = 0; k < format->levels; k++) {
        level[k].pos = defaults.pos;
        level[k].crd = defaults.crd;
    }
    copy->level = level;
    return copy;
}
