/* fuse_lists.c - loops over the parts of a list, and over each part, are one loop.
 *
 * Segments that follow each other are one:
 *
 *     for (i = 0; i < n; i++)
 *         for (p = pos[i]; p < pos[i + 1]; p++) { ... p ... }
 *
 *     for (p = pos[0]; p < pos[n]; p++) { ... p ... }
 *
 * where nothing but the bounds needs i.  That each segment begins where the one before it ends the
 * inner loop's mark says: it tells where the last one ends.
 *
 * Runs of entries with one coordinate need not be looked for where each entry is by itself:
 *
 *     while (p < end) {
 *         i = crd[p];
 *         next = p;
 *         while (next < end && crd[next] == i)
 *             next++;
 *         x = X[i];
 *         for (q = p; q < next; q++) { ... x ... i ... q ... }
 *         p = next;
 *     }
 *
 *     for (q = p; q < end; q++) {
 *         i = crd[q];
 *         x = X[i];
 *         ... x ... i ... q ...
 *     }
 *
 * Short runs end where no processor foresees it.  What is stored where q does not say stays: it may
 * be kept in a register for the run.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/optimize/simplify.h"
#include "compiler/optimize/vectorize.h"

/* ---- segments ---- */

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

/* What is known of a loop and the one inside it as one loop; false: each is needed. */
static bool join_marks(const struct imp_mark *outer, const struct imp_mark *inner,
                       struct imp_mark *both)
{
    if (!outer || !inner || outer->asked || inner->asked || outer->row || inner->row
        || outer->reduces_row || inner->reduces_row)
        return false;
    *both = (struct imp_mark){.last = inner->last, .compact = inner->compact};
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
static const struct imp *one_of_segments(struct context *cx, const struct imp *loop)
{
    const struct imp *inner = loop->arg[2], *begin, *end;
    while (inner->kind == IMP_BLOCK && inner->args == 1)
        inner = inner->arg[0];
    struct imp_mark mark;
    if (inner->kind != IMP_FOR || !join_marks(loop->mark, inner->mark, &mark)
        || imp_any(inner->arg[2], uses, (void *)(size_t)loop->var)
        || !imp_segments_span(cx, loop, inner, &begin, &end))
        return loop;
    return imp_marked(cx, imp_for(cx, inner->var, begin, end, 1, inner->arg[2]),
                      arena_copy(cx->arena, &mark, sizeof mark));
}

/* ---- runs ---- */

/* The first statements of a loop over runs; declarations may follow, and then two more. */
enum { DECLARES_COORDINATE, DECLARES_NEXT, FINDS_NEXT, FIRST, LAST = 2 };

struct runs {
    struct context *cx;
    const struct imp *more, *const *s; /* the condition, and the statements */
    int n;
    const struct imp_var *p, *next, *i;
    const struct imp *inner;
};

static bool is_read(const struct imp *imp, const struct imp_var *var)
{
    return imp->kind == IMP_VAR && imp->var == var;
}

static bool is_op(const struct imp *imp, enum op op)
{
    return imp->kind == IMP_OP && imp->op == op;
}

static bool declares(const struct imp *imp) { return imp->kind == IMP_DECLARE && imp->args == 1; }

/* Does a declaration in front of the inner loop, or this, say where the run begins or ends? */
static bool is_bound(const struct runs *r, const struct imp *imp, const struct imp_var *bound)
{
    for (int k = FIRST; k < r->n - LAST; k++)
        if (declares(r->s[k]) && is_read(imp, r->s[k]->var))
            imp = r->s[k]->arg[0];
    return is_read(imp, bound);
}

static bool find_statements(struct runs *r, const struct imp *loop)
{
    const struct imp *body = loop->arg[1];
    *r = (struct runs){.cx = r->cx, .more = loop->arg[0], .s = body->arg, .n = body->args};
    if (body->kind != IMP_BLOCK || r->n < FIRST + LAST || !is_op(r->more, OP_LT)
        || r->more->arg[0]->kind != IMP_VAR || !declares(r->s[DECLARES_COORDINATE])
        || !declares(r->s[DECLARES_NEXT]))
        return false;
    const struct imp *last = r->s[r->n - 1];
    r->p = r->more->arg[0]->var;
    r->i = r->s[DECLARES_COORDINATE]->var;
    r->next = r->s[DECLARES_NEXT]->var;
    r->inner = r->s[r->n - LAST];
    return is_read(r->s[DECLARES_NEXT]->arg[0], r->p) && last->kind == IMP_ASSIGN
           && last->var == r->p && last->op == OP_NONE && is_read(last->arg[0], r->next)
           && r->inner->kind == IMP_FOR && r->inner->n == 1 && is_bound(r, r->inner->arg[0], r->p)
           && is_bound(r, r->inner->arg[1], r->next);
}

/* The coordinate of the entry at another position. */
static const struct imp *coordinate_at(const struct runs *r, const struct imp_var *at)
{
    const struct lanes l = {.cx = r->cx, .var = r->p, .body = imp_block(r->cx, NULL, 0)};
    return lanes_scalar(&l, r->s[DECLARES_COORDINATE]->arg[0], imp_read(r->cx, at));
}

/* `while (next < end && crd[next] == i) next++`? */
static bool finds_next(const struct runs *r)
{
    const struct imp *find = r->s[FINDS_NEXT];
    if (find->kind != IMP_WHILE || !is_op(find->arg[0], OP_AND))
        return false;
    const struct imp *inside = find->arg[0]->arg[0], *same = find->arg[0]->arg[1],
                     *step = body_last(find->arg[1]);
    return is_op(inside, OP_LT) && is_read(inside->arg[0], r->next)
           && imp_equal(inside->arg[1], r->more->arg[1]) && is_op(same, OP_EQ)
           && imp_equal(same->arg[0], coordinate_at(r, r->next)) && is_read(same->arg[1], r->i)
           && body_count(find->arg[1]) == 1 && step->kind == IMP_ASSIGN && step->var == r->next
           && step->op == OP_ADD && imp_equal(step->arg[0], imp_int(r->cx, r->next->type, 1));
}

static bool is_of_run(const struct runs *r, const struct imp *imp)
{
    return imp_mentions(imp, r->p) || imp_mentions(imp, r->next);
}

/* The declarations that each entry has for itself: into `each`; how many, or -1: of the run. */
static int take_declarations(const struct runs *r, const struct imp **each)
{
    const struct imp *body = r->inner->arg[2];
    int n = 0;
    each[n++] = imp_declare(r->cx, r->i, coordinate_at(r, r->inner->var));
    for (int k = FIRST; k < r->n - LAST; k++) {
        const struct imp *imp = r->s[k];
        if (!declares(imp))
            return -1;
        if (is_read(imp->arg[0], r->p) || is_read(imp->arg[0], r->next)) {
            if (imp_mentions(body, imp->var))
                return -1;
            continue;
        }
        if (is_of_run(r, imp) || !imp_is_fixed(body, imp->arg[0]))
            return -1;
        each[n++] = imp;
    }
    return imp_is_fixed(body, r->s[DECLARES_COORDINATE]->arg[0]) ? n : -1;
}

static bool is_entangled(const struct imp *imp, void *data)
{
    bool writes = imp->kind == IMP_STORE || imp->kind == IMP_ATOMIC;
    return imp->kind == IMP_FOR || imp->kind == IMP_WHILE || imp->kind == IMP_BREAK
           || imp->kind == IMP_ASSIGN || (writes && !lanes_vary(data, imp->arg[0]));
}

/* Does the body of the loop over a run do without the run? */
static bool is_by_entry(const struct runs *r)
{
    struct lanes l = {.cx = r->cx, .var = r->inner->var, .body = r->inner->arg[2]};
    return !is_of_run(r, l.body) && !imp_any(l.body, is_entangled, &l);
}

static int reads(const struct imp *imp, const struct imp_var *var)
{
    int n = is_read(imp, var);
    for (int i = 0; i < imp->args; i++)
        n += reads(imp->arg[i], var);
    return n;
}

/* The while loop over runs as a for loop over their entries; itself if it does more, or if the
 * function reads the variable that it advances elsewhere, too. */
static const struct imp *one_of_runs(struct context *cx, const struct imp *loop,
                                     const struct imp *function)
{
    struct runs r = {.cx = cx};
    struct imp_mark mark;
    if (!find_statements(&r, loop) || !finds_next(&r) || !is_by_entry(&r)
        || reads(function, r.p) != reads(loop, r.p) || !imp_is_fixed(loop->arg[1], r.more->arg[1])
        || !join_marks(loop->mark, r.inner->mark, &mark))
        return loop;
    const struct imp **each = arena_array(cx->arena, const struct imp *, r.n);
    int n = take_declarations(&r, each);
    if (n < 0)
        return loop;
    each[n++] = r.inner->arg[2];
    mark.last = r.more->arg[1];
    return imp_marked(
        cx, imp_for(cx, r.inner->var, imp_read(cx, r.p), r.more->arg[1], 1, imp_block(cx, each, n)),
        arena_copy(cx->arena, &mark, sizeof mark));
}

/* ---- both ---- */

static const struct imp *fused(struct context *cx, const struct imp *loop, void *function)
{
    return loop->kind == IMP_FOR     ? one_of_segments(cx, loop)
           : loop->kind == IMP_WHILE ? one_of_runs(cx, loop, function)
                                     : loop;
}

const struct imp_function *imp_fuse_lists(struct context *cx, const struct imp_function *function,
                                          const struct pass_options *options)
{
    void *body = (void *)(size_t)function->body;
    return imp_with_body(cx, function, imp_rewrite(cx, function->body, fused, body));
}
