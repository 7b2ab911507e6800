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
    const struct var_list *loops; /* and, outside these, perhaps loops over blocks of theirs */
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

/* Returns the split that the program has of the variable, if one of the loops is over what is
 * inside its blocks; else NULL. */
static const struct cin_relation *split_before(const struct follower *f,
                                               const struct index_var *var)
{
    const struct cin_relation *split =
        var_list_has(f->loops, var) ? NULL : cin_split(f->draft->program, var);
    return split && var_list_has(f->loops, split->child[1]) ? split : NULL;
}

/* Replaces the loop by a split of this size, or by its difference to another loop, unless that is
 * done already; NULL: impossible. */
static const struct part *find_part(struct follower *f, const struct index_var *loop,
                                    const struct index_var *other, int64_t size)
{
    const struct cin_relation *split = split_before(f, loop);
    struct part part = {.loop = loop, .other = other, .size = size};
    for (size_t i = 0; i < f->part.n; i++) {
        const struct part *p = &f->part.at[i];
        if (p->loop == loop)
            return p->size == size && p->other == other ? p : NULL;
        if (p->other == loop || p->loop == other)
            return NULL;
    }
    if (split && (other || split->size != size))
        return NULL;
    if (split) {
        part.outer = split->child[0];
        part.inner = split->child[1];
    } else if (other)
        part.outer = draft_skew(f->draft, loop, other);
    else
        part.outer = draft_split(f->draft, loop, size, &part.inner);
    vec_push(f->draft->cx->arena, &f->part, part);
    return part.outer ? &f->part.at[f->part.n - 1] : NULL;
}

/* Returns the loop over the coordinates that a level stores; NULL: there is none. */
static const struct index_var *loop_of(struct follower *f, const struct cin *access,
                                       const struct map_expr *map)
{
    bool splits = (map->kind == MAP_DIV || map->kind == MAP_MOD) && map->b->kind == MAP_CONSTANT;
    const struct index_var *var = map->kind == MAP_MODE ? access->index[map->mode] : NULL;
    if (var)
        return var_list_has(f->loops, var) || is_replaced(f, var) || split_before(f, var) ? var
                                                                                          : NULL;
    const struct index_var *a = splits || map->kind == MAP_SUB ? loop_of(f, access, map->a) : NULL,
                           *b = a && !splits ? loop_of(f, access, map->b) : NULL;
    const struct part *part =
        a && (splits || b) ? find_part(f, a, b, splits ? map->b->constant : 0) : NULL;
    return !part ? NULL : map->kind == MAP_MOD ? part->inner : part->outer;
}

/* Is it a loop to be ordered: none that has been replaced, and none around these? */
static bool is_ordered(const struct follower *f, const struct index_var *loop)
{
    bool is = var_list_has(f->loops, loop);
    for (size_t i = 0; i < f->part.n; i++)
        is |= !split_before(f, f->part.at[i].loop)
              && (f->part.at[i].outer == loop || f->part.at[i].inner == loop);
    return is && !is_replaced(f, loop);
}

/* Adds the loop of a level to the order; false: the level has no loop. */
static bool follow_level(struct follower *f, const struct cin *access, const struct map_expr *map,
                         struct var_list *order)
{
    const struct index_var *loop = loop_of(f, access, map);
    if (loop && is_ordered(f, loop) && !var_list_has(order, loop))
        vec_push(f->draft->cx->arena, order, loop);
    return loop || map->kind == MAP_MODE;
}

static bool follow_levels(struct follower *f, const struct cin *access, struct var_list *order)
{
    const struct format *format = access->tensor->format;
    bool follows = true;
    for (int level = 0; level < format->levels && follows; level++)
        follows = follow_level(f, access, format->level[level].map, order);
    return follows;
}

/* Returns the loops that no level of the order's accesses has, which come last. */
static bool reorder(struct follower *f)
{
    struct draft *draft = f->draft;
    for (size_t i = 0; i < f->loops->n; i++)
        if (!var_list_has(&f->order, f->loops->at[i]) && !is_replaced(f, f->loops->at[i]))
            vec_push(draft->cx->arena, &f->order, f->loops->at[i]);
    if (f->order.n > 1)
        draft_add(draft, plan_reorder(draft->cx, &f->order));
    return draft->program;
}

bool draft_follow(struct draft *draft, const struct cin *access, const struct var_list *loops,
                  bool in_order)
{
    struct follower f = {.draft = draft, .loops = loops};
    return follow_levels(&f, access, &f.order) && (in_order ? reorder(&f) : draft->program != NULL);
}

/* ---- several accesses ---- */

/* The loops that each access has for its levels. */
struct followed {
    struct var_list *of;
    size_t n;
};

/* Is it over what is inside blocks? */
static bool is_inner(const struct follower *f, const struct index_var *loop)
{
    bool is = false;
    for (size_t i = 0; i < f->part.n; i++)
        is |= f->part.at[i].inner == loop;
    return is;
}

/* Does a loop that is not in the order yet come before this one in an access? */
static bool waits(const struct follower *f, const struct followed *all,
                  const struct index_var *loop)
{
    for (size_t i = 0; i < all->n; i++)
        for (size_t k = 0; var_list_has(&all->of[i], loop) && all->of[i].at[k] != loop; k++)
            if (!var_list_has(&f->order, all->of[i].at[k]))
                return true;
    return false;
}

/* Returns the next loop in an order that suits all accesses, blocks before what is inside; NULL:
 * there is none. */
static const struct index_var *next_of(const struct follower *f, const struct followed *all)
{
    for (int inner = 0; inner < 2; inner++)
        for (size_t i = 0; i < all->n; i++)
            for (size_t k = 0; k < all->of[i].n; k++) {
                const struct index_var *loop = all->of[i].at[k];
                if (is_inner(f, loop) == inner && !var_list_has(&f->order, loop)
                    && !waits(f, all, loop))
                    return loop;
            }
    return NULL;
}

bool draft_follow_all(struct draft *draft, const struct cin_list *accesses,
                      const struct var_list *loops)
{
    struct context *cx = draft->cx;
    struct follower f = {.draft = draft, .loops = loops};
    struct followed all = {arena_array(cx->arena, struct var_list, accesses->n), accesses->n};
    for (int twice = 0; twice < 2; twice++) /* all splits first */
        for (size_t i = 0; i < all.n; i++) {
            all.of[i] = (struct var_list){0};
            if (!follow_levels(&f, accesses->at[i], &all.of[i]))
                return false;
        }
    for (const struct index_var *next; (next = next_of(&f, &all));)
        vec_push(cx->arena, &f.order, next);
    return reorder(&f);
}
