/* fuse_segments.c - loops over segments that follow each other are one loop.
 *
 *     for (i = 0; i < n; i++)
 *         for (p = pos[i]; p < pos[i + 1]; p++) { ... p ... }
 *
 *     for (p = pos[0]; p < pos[n]; p++) { ... p ... }
 *
 * where nothing but the bounds needs i.  That each segment begins where the one before it ends the
 * inner loop's mark says: it tells where the last one ends.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/optimize/simplify.h"

/* The bound for another value of the variable; NULL: it is not that of a segment. */
static const struct imp *bound_at(struct context *cx, const struct imp *bound,
                                  const struct imp_var *var, const struct imp *value)
{
    if (bound->kind == IMP_VAR && bound->var == var)
        return value;
    if (bound->kind != IMP_LOAD || bound->lanes > 1 || !bound->var->constant)
        return NULL;
    const struct imp *position = bound_at(cx, bound->arg[0], var, value);
    return position ? imp_load(cx, bound->var, position) : NULL;
}

static bool uses(const struct imp *imp, void *var)
{
    return imp->kind == IMP_BREAK || (imp->kind == IMP_VAR && imp->var == var);
}

bool imp_join_marks(const struct imp_mark *outer, const struct imp_mark *inner,
                    struct imp_mark *both)
{
    if (!outer || !inner || outer->asked || inner->asked || outer->row || inner->row
        || outer->reduces_row || inner->reduces_row)
        return false;
    *both = (struct imp_mark){.last = inner->last, .labelled = inner->labelled};
    both->iterations =
        outer->iterations < inner->iterations ? outer->iterations : inner->iterations;
    return true;
}

bool imp_segments_span(struct context *cx, const struct imp *loop, const struct imp *inner,
                       const struct imp **begin, const struct imp **end)
{
    if (loop->n != 1 || inner->n != 1 || !inner->mark || !inner->mark->last
        || inner->arg[0]->kind == IMP_VAR)
        return false;
    const struct imp *one = imp_int(cx, loop->var->type, 1),
                     *next = imp_op2(cx, OP_ADD, imp_read(cx, loop->var), one),
                     *past = bound_at(cx, inner->arg[0], loop->var, next);
    if (!past || !imp_equal(past, inner->arg[1]))
        return false;
    *begin = bound_at(cx, inner->arg[0], loop->var, loop->arg[0]);
    *end = bound_at(cx, inner->arg[0], loop->var, loop->arg[1]);
    return true;
}

/* The for loop as one over all segments that it goes through; itself if it does more. */
static const struct imp *fused(struct context *cx, const struct imp *loop, void *data)
{
    const struct imp *inner = loop->kind == IMP_FOR ? loop->arg[2] : loop, *begin, *end;
    while (inner->kind == IMP_BLOCK && inner->args == 1)
        inner = inner->arg[0];
    struct imp_mark mark;
    if (loop->kind != IMP_FOR || inner->kind != IMP_FOR
        || !imp_join_marks(loop->mark, inner->mark, &mark)
        || imp_any(inner->arg[2], uses, (void *)(size_t)loop->var)
        || !imp_segments_span(cx, loop, inner, &begin, &end))
        return loop;
    return imp_marked(cx, imp_for(cx, inner->var, begin, end, 1, inner->arg[2]),
                      arena_copy(cx->arena, &mark, sizeof mark));
}

const struct imp_function *imp_fuse_segments(struct context *cx,
                                             const struct imp_function *function,
                                             const struct pass_options *options)
{
    return imp_with_body(cx, function, imp_rewrite(cx, function->body, fused, NULL));
}
