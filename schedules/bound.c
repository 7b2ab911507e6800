/* bound.c - bound(i, ib, n, exact|most|multiple): a fact about a size (thesis 6.5).
 *
 *     before    forall(i) y(i) = x(i)
 *     after     forall(ib) y(ib) = x(ib) : bound(i, ib, 64, exact)        bound(i, ib, 64, exact)
 *
 * exact: i has n coordinates; most: at most n; multiple: a multiple of n.  The loop gets another
 * name, which carries the fact: an exact size is a literal in the code, and blocks whose length
 * divides n need no check at their end.  The kernel checks the size when it is entered, and fails
 * with a status if the size differs.
 *
 * i may also be a part of a split whose length follows from the size: j has 4 blocks of 32 if it
 * has 97 to 128 coordinates.
 *
 * Preconditions: i is a variable of the statement or such a part, and is not split itself.  A
 * declared size satisfies the bound.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdlib.h>
#include <string.h>

#include "schedules/loops.h"

static const enum cin_bound_kind kinds[] = {BOUND_EXACT, BOUND_MOST, BOUND_MULTIPLE};

/* Reads the bound, except for its variable.  false after a diagnostic. */
static bool read_call(struct context *cx, const struct cin_program *program,
                      const struct schedule_call *call, struct cin_bound *bound)
{
    if (call->arguments != 4)
        return loops_refuse(cx, program, call, -1,
                            "it takes a loop, its new name, a number, and exact, most or multiple");
    if (!loops_number(call, 2, INT32_MAX, &bound->size))
        return loops_refuse(cx, program, call, 2, "the size is a number from 1 on");
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        bound->kind = kinds[i];
        if (!strcmp(call->argument[3].text, cin_bound_name(kinds[i])))
            return true;
    }
    return loops_refuse(
        cx, program, call, 3,
        "a bound is exact (the size), most (at most this size) or multiple (a multiple of it)");
}

static bool keeps_to(const struct cin_bound *bound, int64_t size)
{
    switch (bound->kind) {
    case BOUND_EXACT: return size == bound->size;
    case BOUND_MOST: return size <= bound->size;
    case BOUND_MULTIPLE: return size % bound->size == 0;
    }
    return false;
}

/* Is it one of the statement's own variables, or a part whose length follows from the size? */
static bool has_free_size(const struct cin_program *program, const struct index_var *var)
{
    const struct cin_relation *r = cin_origin(program, var);
    return !r
           || (r->type == &relation_split && var == r->child[r->up]
               && !cin_origin(program, r->parent[0]));
}

static bool check_own(struct context *cx, const struct cin_program *program,
                      const struct schedule_call *call, const struct index_var *var)
{
    if (!has_free_size(program, var))
        return loops_refuse(cx, program, call, 0,
                            "the size of %s follows from the sizes of other loops", var->name);
    for (int i = 0; i < program->relations; i++)
        if (program->relation[i].parent[0] == var || program->relation[i].parent[1] == var)
            return loops_refuse(cx, program, call, 0, "other loops follow from %s: bound it first",
                                var->name);
    return true;
}

static const struct index_var *bounded(struct context *cx, const struct schedule_call *call,
                                       const struct index_var *var, const struct cin_bound *bound)
{
    struct index_var *ib =
        arena_copy(cx->arena, loops_like_var(cx, call->argument[1].text, var), sizeof *var);
    switch (bound->kind) {
    case BOUND_EXACT: ib->size = bound->size; break;
    case BOUND_MOST: ib->most = bound->size; break;
    case BOUND_MULTIPLE: ib->multiple = bound->size; break;
    }
    return ib;
}

static const struct cin_program *apply_bound(struct context *cx, const struct cin_program *program,
                                             const struct schedule_call *call)
{
    struct cin_bound bound;
    if (!read_call(cx, program, call, &bound))
        return NULL;
    const struct cin *loop = loops_find(cx, program, call, 0);
    if (!loop || !loops_check_new(cx, program, call, 1))
        return NULL;
    const struct index_var *var = loop->index[0];
    if (!check_own(cx, program, call, var))
        return NULL;
    if (var->size >= 0 && !keeps_to(&bound, var->size))
        return loops_refuse(cx, program, call, 2, "%s has the size %lld", var->name,
                            (long long)var->size);
    bound.var = bounded(cx, call, var, &bound);
    struct cin_program *result = loops_renamed(cx, program, var, bound.var);
    struct cin_bound *all = arena_array(cx->arena, struct cin_bound, program->bounds + 1);
    for (int i = 0; i < program->bounds; i++)
        all[i] = program->bound[i];
    all[result->bounds++] = bound;
    result->bound = all;
    return result;
}

const struct schedule_type schedule_bound = {
    .name = "bound",
    .usage = "bound(i, ib, n, exact|most|multiple)",
    .brief = "i is renamed to ib and has a size of this kind",
    .apply = apply_bound,
};
