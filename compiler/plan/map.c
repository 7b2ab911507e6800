/* map.c - loops that follow formats whose levels store functions of the coordinates.
 *
 *     bcsr(4,4)     split(i, io, ii, down, 4); split(j, jo, ji, down, 4); reorder(io, jo, ii, ji)
 *     dia           skew(j, i, d); reorder(d, i)
 *
 * and of both, as for a level that stores j/2-i/2.
 *
 * SPDX-License-Identifier: MIT
 */
#include <string.h>

#include "compiler/format/format.h"
#include "compiler/plan/planner.h"

/* What stands for a loop that a directive has replaced: the parts of a split by this size, or the
 * difference to another loop, which is the outer one then. */
struct part {
    const char *loop, *other;
    int64_t size;
    const char *outer, *inner;
};

struct follower {
    struct draft *draft;
    const struct var_list *loops;
    VEC(struct part) part;
    VEC(const char *) order;
};

static bool has_function(const struct map_expr *map, const struct cin *access,
                         const struct var_list *loops)
{
    if (map->kind == MAP_MODE)
        return var_list_has(loops, access->index[map->mode]);
    return (map->a && has_function(map->a, access, loops))
           || (map->b && has_function(map->b, access, loops));
}

bool plan_is_mapped(const struct cin *access, const struct var_list *loops)
{
    const struct format *format = access->tensor->format;
    for (int level = 0; level < format->levels; level++)
        if (format->level[level].mode < 0 && has_function(format->level[level].map, access, loops))
            return true;
    return false;
}

bool plan_same_levels(const struct cin *a, const struct cin *b)
{
    bool same = a->indices == b->indices && format_equal(a->tensor->format, b->tensor->format);
    for (int i = 0; i < a->indices && same; i++)
        same = a->index[i] == b->index[i];
    return same;
}

static const char *name_part(struct draft *draft, const char *loop, const char *end)
{
    return cin_fresh_name(draft->cx, draft->program,
                          arena_printf(draft->cx->arena, "%s%s", loop, end));
}

static bool is_replaced(const struct follower *f, const char *loop)
{
    bool is = false;
    for (size_t i = 0; i < f->part.n; i++)
        is |= !strcmp(f->part.at[i].loop, loop);
    return is;
}

/* Is it the part of this loop, which has one, that is asked for? */
static bool is_same(const struct part *part, const char *other, int64_t size)
{
    return part->size == size && !part->other == !other && (!other || !strcmp(part->other, other));
}

/* What stands for the loop when it is split by this size, or replaced by its difference to another;
 * made if it is new. NULL if that cannot be. */
static const struct part *find_part(struct follower *f, const char *loop, const char *other,
                                    int64_t size)
{
    for (size_t i = 0; i < f->part.n; i++) {
        const struct part *p = &f->part.at[i];
        if (!strcmp(p->loop, loop))
            return is_same(p, other, size) ? p : NULL;
        if ((p->other && !strcmp(p->other, loop)) || (other && !strcmp(p->loop, other)))
            return NULL;
    }
    if (!f->draft->program)
        return NULL;
    struct arena *arena = f->draft->cx->arena;
    struct part part = {.loop = loop, .other = other, .size = size};
    if (other) {
        part.outer = cin_fresh_name(f->draft->cx, f->draft->program, "d");
        draft_add(f->draft, arena_printf(arena, "skew(%s, %s, %s)", loop, other, part.outer));
    } else {
        part.outer = name_part(f->draft, loop, "o");
        part.inner = name_part(f->draft, loop, "i");
        draft_add(f->draft, arena_printf(arena, "split(%s, %s, %s, down, %lld)", loop, part.outer,
                                         part.inner, (long long)size));
    }
    vec_push(arena, &f->part, part);
    return &f->part.at[f->part.n - 1];
}

/* The loop that runs through what a level stores; NULL if there is none. */
static const char *loop_of(struct follower *f, const struct cin *access, const struct map_expr *map)
{
    bool splits = (map->kind == MAP_DIV || map->kind == MAP_MOD) && map->b->kind == MAP_CONSTANT;
    if (map->kind == MAP_MODE)
        return var_list_has(f->loops, access->index[map->mode]) ? access->index[map->mode]->name
                                                                : NULL;
    const char *a = splits || map->kind == MAP_SUB ? loop_of(f, access, map->a) : NULL;
    const char *b = a && !splits ? loop_of(f, access, map->b) : NULL;
    const struct part *part =
        a && (splits || b) ? find_part(f, a, b, splits ? map->b->constant : 0) : NULL;
    return !part ? NULL : map->kind == MAP_MOD ? part->inner : part->outer;
}

/* Add the loop for a level, unless it follows from others; false if there is none. */
static bool follow_level(struct follower *f, const struct cin *access, const struct map_expr *map)
{
    const char *loop = loop_of(f, access, map);
    if (loop && !is_replaced(f, loop))
        vec_push(f->draft->cx->arena, &f->order, loop);
    return loop || map->kind == MAP_MODE;
}

bool draft_follow(struct draft *draft, const struct cin *access, const struct var_list *loops,
                  bool reorder)
{
    const struct format *format = access->tensor->format;
    struct follower f = {.draft = draft, .loops = loops};
    for (int level = 0; level < format->levels; level++)
        if (!follow_level(&f, access, format->level[level].map))
            return false;
    for (size_t i = 0; i < loops->n; i++)
        if (!cin_uses_var(access, loops->at[i]))
            vec_push(draft->cx->arena, &f.order, loops->at[i]->name);
    if (f.order.n > 1 && reorder)
        draft_add(draft, plan_reorder_names(draft->cx, f.order.at, f.order.n));
    return draft->program;
}
