/* plan_map.c - loops that follow formats whose levels store functions of the coordinates.
 *
 *     bcsr(4,4)     split(i, io, ii, down, 4); split(j, jo, ji, down, 4); reorder(io, jo, ii, ji)
 *     dia           skew(j, i, d); reorder(d, i)
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/format/format.h"
#include "schedules/plan.h"

/* What stands for a loop that a directive has replaced. */
struct part { const struct index_var *var, *other; int64_t size; const char *outer, *inner; };

struct follower {
    struct draft *draft;
    const struct var_list *loops;
    VEC(struct part) part;
    VEC(const char *) order;
};

static bool has_function(const struct map_expr *map, const struct cin *access, const struct var_list *loops)
{
    if (map->kind == MAP_MODE)
        return var_list_has(loops, access->index[map->mode]);
    return (map->a && has_function(map->a, access, loops)) || (map->b && has_function(map->b, access, loops));
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

static const char *name_part(struct draft *draft, const struct index_var *var, const char *end)
{
    return cin_fresh_name(draft->cx, draft->program, arena_printf(draft->cx->arena, "%s%s", var->name, end));
}

/* The parts of a loop that is split by this size, or the difference to another; made if they are new.  NULL if that
 * cannot be. */
static const struct part *find_part(struct follower *f, const struct index_var *var, const struct index_var *other,
                                    int64_t size)
{
    for (size_t i = 0; i < f->part.n; i++) {
        const struct part *p = &f->part.at[i];
        if (p->var == var || p->other == var || p->var == other)
            return p->var == var && p->other == other && p->size == size ? p : NULL;
    }
    if (!f->draft->program)
        return NULL;
    struct arena *arena = f->draft->cx->arena;
    struct part part = {.var = var, .other = other, .size = size};
    if (other) {
        part.outer = cin_fresh_name(f->draft->cx, f->draft->program, "d");
        draft_add(f->draft, arena_printf(arena, "skew(%s, %s, %s)", var->name, other->name, part.outer));
    } else {
        part.outer = name_part(f->draft, var, "o");
        part.inner = name_part(f->draft, var, "i");
        draft_add(f->draft, arena_printf(arena, "split(%s, %s, %s, down, %lld)", var->name, part.outer, part.inner,
                                         (long long)size));
    }
    vec_push(arena, &f->part, part);
    return &f->part.at[f->part.n - 1];
}

/* The loop for a level; false if there is none. */
static bool follow_level(struct follower *f, const struct cin *access, const struct map_expr *map)
{
    const struct index_var *a = map->a && map->a->kind == MAP_MODE ? access->index[map->a->mode] : NULL;
    const struct index_var *b = map->b && map->b->kind == MAP_MODE ? access->index[map->b->mode] : NULL;
    if (map->kind == MAP_MODE) {
        bool loop = var_list_has(f->loops, access->index[map->mode]);
        for (size_t i = 0; i < f->part.n; i++)
            loop &= f->part.at[i].var != access->index[map->mode];
        if (loop)
            vec_push(f->draft->cx->arena, &f->order, access->index[map->mode]->name);
        return true;
    }
    bool splits = (map->kind == MAP_DIV || map->kind == MAP_MOD) && map->b->kind == MAP_CONSTANT;
    if (!a || !var_list_has(f->loops, a) || !(splits || (map->kind == MAP_SUB && b && var_list_has(f->loops, b))))
        return false;
    const struct part *part = find_part(f, a, splits ? NULL : b, splits ? map->b->constant : 0);
    if (part)
        vec_push(f->draft->cx->arena, &f->order, map->kind == MAP_MOD ? part->inner : part->outer);
    return part;
}

bool draft_follow(struct draft *draft, const struct cin *access, const struct var_list *loops)
{
    const struct format *format = access->tensor->format;
    struct follower f = {.draft = draft, .loops = loops};
    for (int level = 0; level < format->levels; level++)
        if (!follow_level(&f, access, format->level[level].map))
            return false;
    for (size_t i = 0; i < loops->n; i++)
        if (!cin_uses_var(access, loops->at[i]))
            vec_push(draft->cx->arena, &f.order, loops->at[i]->name);
    if (f.order.n > 1)
        draft_add(draft, plan_reorder_names(draft->cx, f.order.at, f.order.n));
    return draft->program;
}
