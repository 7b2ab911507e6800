/* parallel_group.c - the groups of a result that parts of a parallel loop append to
 * (assembly_fill.c, assembly_compact.c), and chunks of its levels that go to another place
 * (assembly_join.c, assembly_compact.c).
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/lower/parallel/parallel.h"

static const char *name_of(const struct kernel *k, const struct result *r, int g, const char *what)
{
    return arena_printf(k->cx->arena, "%s%d_%s", r->access->tensor->name, r->group[g].last + 1,
                        what);
}

const struct imp_var *group_numbers(struct parallel *p, const struct result *r, int g,
                                    const char *what)
{
    return parallel_numbers(p, TYPE_I64, "%s", name_of(p->k, r, g, what));
}

/* ---- in a part ---- */

/* Begins the part's own group, which continues from `begin`. */
static void begin_group(struct kernel *k, const struct result *r, int g, const struct imp *begin,
                        const struct imp *filled)
{
    struct append_group *group = &r->group[g];
    struct imp_var *counter = kernel_var(k, group->counter->type, "%s", imp_stem(group->counter));
    group->counter = counter;
    imp_let(&k->b, counter, imp_cast(k->cx, counter->type, begin));
    if (!group->skips)
        return;
    group->filled = kernel_var(k, TYPE_I64, "%s", imp_stem(group->filled));
    imp_let(&k->b, group->filled, filled);
}

struct append_group *groups_begin(struct kernel *k, struct result *r,
                                  const struct imp *const *begin, const struct imp *parents)
{
    struct append_group *around = r->group;
    int groups = r->assembly->groups;
    r->group = arena_copy(k->cx->arena, around, sizeof *around * (size_t)groups);
    for (int g = 0; g < groups; g++)
        begin_group(k, r, g, begin[g], g == 0 && parents ? parents : imp_i64(k->cx, 0));
    return around;
}

bool groups_skip(const struct result *r)
{
    return r->assembly->groups && r->group[0].first > 0 && r->group[0].skips;
}

const struct imp *groups_parents(struct parallel *p, const struct result *r, const struct imp *at)
{
    return kernel_positions(p->k, r->access, 1, r->group[0].first, join_first_position(p, r, at));
}

/* ---- behind the loop ---- */

void groups_close(struct kernel *k, const struct result *r, const struct imp *const *total)
{
    for (int g = 0; g < r->assembly->groups; g++) {
        struct append_group *group = &r->group[g];
        imp_add(&k->b, imp_assign(k->cx, group->counter, OP_NONE,
                                  imp_cast(k->cx, group->counter->type, total[g])));
        group->skips = false; /* the parts have none left */
    }
}

/* ---- chunks ---- */

static const struct imp *let(struct kernel *k, const struct result *r, int g, const char *what,
                             const struct imp *e)
{
    return imp_let(&k->b, kernel_var(k, TYPE_I64, "%s", name_of(k, r, g, what)), e);
}

struct level_joint group_joint(struct kernel *k, const struct result *r, int g,
                               const struct imp *part, const struct imp_var *from,
                               const struct imp_var *end)
{
    struct context *cx = k->cx;
    const struct imp *begin = from ? let(k, r, g, "begin", imp_load(cx, from, part)) : NULL,
                     *at = let(k, r, g, "at", imp_load(cx, end, part));
    const struct imp *n =
        imp_op2(cx, OP_SUB, imp_load(cx, end, imp_next(cx, part)), begin ? begin : at);
    return (struct level_joint){.positions = let(k, r, g, "length", n),
                                .position_from = begin ? begin : imp_i64(cx, 0),
                                .position_at = at};
}

/* Returns the positions that the chunk has of a level that is not appended to, below those of the
 * level above. */
static struct level_joint positions_below(struct kernel *k, const struct result *r, int level,
                                          struct level_joint above)
{
    const struct cin *access = r->access;
    return (struct level_joint){
        .positions = kernel_positions(k, access, level, level + 1, above.positions),
        .position_from = kernel_positions(k, access, level, level + 1, above.position_from),
        .position_at = kernel_positions(k, access, level, level + 1, above.position_at)};
}

static void join_level(struct kernel *k, const struct result *r, const struct tensor_code *chunk,
                       int level, const struct level_joint *joint)
{
    struct level_code to = result_level(k, r, level, imp_i64(k->cx, 0)), from = to;
    for (int array = 0; array < LEVEL_ARRAYS; array++)
        from.array[array] = chunk->array[level][array];
    to.has_ends = level == 0;
    to.format->type->join(&to, &from, joint);
}

void groups_join(struct kernel *k, const struct result *r, const struct tensor_code *chunk,
                 const struct level_joint *group, const struct level_joint *places)
{
    const struct imp *zero = imp_i64(k->cx, 0), *one = imp_i64(k->cx, 1);
    struct level_joint above =
        places ? *places
               : (struct level_joint){.positions = one, .position_from = zero, .position_at = zero};
    int g = 0;
    for (int level = places != NULL; level < result_format(r)->levels; level++) {
        while (g < r->assembly->groups && r->group[g].last < level)
            g++;
        bool appended = g < r->assembly->groups && r->group[g].first <= level;
        struct level_joint joint = appended ? group[g] : positions_below(k, r, level, above);
        joint.parents = above.positions;
        joint.parent_from = above.position_from;
        joint.parent_at = above.position_at;
        join_level(k, r, chunk, level, &joint);
        above = joint;
    }
    if (chunk->values)
        imp_add(&k->b, imp_copy(k->cx, kernel_code(k, r->access->tensor)->values, above.position_at,
                                chunk->values, above.position_from, above.positions));
}
