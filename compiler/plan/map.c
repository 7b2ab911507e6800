/* map.c - loops that follow formats whose levels store functions of the coordinates.
 *
 *     bcsr(4,4)     split(i, io, ii, down, 4); split(j, jo, ji, down, 4); reorder(io, jo, ii, ji)
 *     dia           skew(j, i, d); reorder(d, i)
 *
 * and of both, as for a level that stores j/2-i/2.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/format/format.h"
#include "compiler/plan/planner.h"

/* What has replaced a loop: the two loops of a split by this size; or, in `outer`, the loop over
 * its difference to another. */
struct part {
    const struct index_var *loop, *other;
    int64_t size;
    const struct index_var *outer, *inner;
};

struct follower {
    struct draft *draft;
    const struct var_list *loops;
    const struct index_var *around; /* the loop over blocks outside these, or NULL */
    VEC(struct part) part;
    struct var_list order;
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

static bool is_replaced(const struct follower *f, const struct index_var *loop)
{
    bool is = false;
    for (size_t i = 0; i < f->part.n; i++)
        is |= f->part.at[i].loop == loop;
    return is;
}

/* Replace the loop by a split of this size, or by its difference to another loop, unless that is
 * done already; NULL: impossible. */
static const struct part *find_part(struct follower *f, const struct index_var *loop,
                                    const struct index_var *other, int64_t size)
{
    struct part part = {.loop = loop, .other = other, .size = size};
    for (size_t i = 0; i < f->part.n; i++) {
        const struct part *p = &f->part.at[i];
        if (p->loop == loop)
            return p->size == size && p->other == other ? p : NULL;
        if (p->other == loop || p->loop == other)
            return NULL;
    }
    if (other)
        part.outer = draft_skew(f->draft, loop, other);
    else
        part.outer = draft_split(f->draft, loop, size, &part.inner);
    vec_push(f->draft->cx->arena, &f->part, part);
    return part.outer ? &f->part.at[f->part.n - 1] : NULL;
}

/* The loop over the coordinates that a level stores; NULL: there is none. */
static const struct index_var *loop_of(struct follower *f, const struct cin *access,
                                       const struct map_expr *map)
{
    bool splits = (map->kind == MAP_DIV || map->kind == MAP_MOD) && map->b->kind == MAP_CONSTANT;
    const struct index_var *var = map->kind == MAP_MODE ? access->index[map->mode] : NULL;
    if (var)
        return var_list_has(f->loops, var) || is_replaced(f, var) ? var : NULL;
    const struct index_var *a = splits || map->kind == MAP_SUB ? loop_of(f, access, map->a) : NULL,
                           *b = a && !splits ? loop_of(f, access, map->b) : NULL;
    const struct part *part =
        a && (splits || b) ? find_part(f, a, b, splits ? map->b->constant : 0) : NULL;
    return !part ? NULL : map->kind == MAP_MOD ? part->inner : part->outer;
}

/* Add the loop of a level to the order, unless the loop has been replaced; false: the level has no
 * loop. */
static bool follow_level(struct follower *f, const struct cin *access, const struct map_expr *map)
{
    const struct index_var *loop = loop_of(f, access, map);
    if (loop && loop != f->around && !is_replaced(f, loop))
        vec_push(f->draft->cx->arena, &f->order, loop);
    return loop || map->kind == MAP_MODE;
}

static bool follow(struct follower *f, const struct cin *access, bool reorder)
{
    const struct format *format = access->tensor->format;
    struct draft *draft = f->draft;
    for (int level = 0; level < format->levels; level++)
        if (!follow_level(f, access, format->level[level].map))
            return false;
    for (size_t i = 0; i < f->loops->n; i++)
        if (!cin_uses_var(access, f->loops->at[i]) && !var_list_has(&f->order, f->loops->at[i])
            && !is_replaced(f, f->loops->at[i]))
            vec_push(draft->cx->arena, &f->order, f->loops->at[i]);
    if (f->order.n > 1 && reorder)
        draft_add(draft, plan_reorder(draft->cx, &f->order));
    return draft->program;
}

bool draft_follow(struct draft *draft, const struct cin *access, const struct var_list *loops,
                  bool reorder)
{
    struct follower f = {.draft = draft, .loops = loops};
    return follow(&f, access, reorder);
}

bool draft_follow_inside(struct draft *draft, const struct cin *access,
                         const struct var_list *loops, const struct cin_relation *split)
{
    struct follower f = {.draft = draft, .loops = loops, .around = split->child[0]};
    struct part part = {split->parent[0], NULL, split->size, split->child[0], split->child[1]};
    vec_push(draft->cx->arena, &f.part, part);
    return follow(&f, access, true);
}
