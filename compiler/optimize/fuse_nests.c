/* fuse_nests.c - loops over the runs of a list by one coordinate, and over those of each by
 * another, are one loop over the runs by both.
 *
 *     while (p < end) {                                while (p < end) {
 *         i = crd1[p];                                     i = crd1[p];
 *         next = p;                                        j = crd2[p];
 *         while (next < end && crd1[next] == i)            last = p;
 *             next++;                                      while (last < end && crd1[last] == i
 *         q = p;                                                  && crd2[last] == j)
 *         while (q < next) {                                   last++;
 *             j = crd2[q];                                 ... i ... j ... p ... last ...
 *             last = q;                                    p = last;
 *             while (last < next && crd2[last] == j)   }
 *                 last++;
 *             ... i ... j ... q ... last ...
 *             q = last;
 *         }
 *         p = next;
 *     }
 *
 * Each entry is compared once then, and no processor has to foresee where the runs by the first
 * coordinate end.  Where places in memory depend on that, a run of it has them at hand, and stays.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/optimize/fuse_lists.h"

#include "compiler/optimize/simplify.h"
#include "compiler/optimize/vectorize.h"

/* A loop over runs: `while (p < end) { i = ...; next = p; search; ...; p = next; }`. */
struct run_loop {
    const struct imp *loop, *body, *end;
    const struct imp_var *p, *next;
    int search; /* the number of the statement */
};

static bool find_runs(struct context *cx, const struct imp *loop, struct run_loop *r)
{
    const struct imp *more = loop->kind == IMP_WHILE ? loop->arg[0] : NULL;
    if (!more || !imp_is_op(more, OP_LT) || more->arg[0]->kind != IMP_VAR)
        return false;
    *r = (struct run_loop){loop, loop->arg[1], more->arg[1], more->arg[0]->var, NULL, 1};
    const struct imp *last = body_last(r->body);
    int n = body_count(r->body);
    if (n < 4 || last->kind != IMP_ASSIGN || last->var != r->p || last->op != OP_NONE
        || last->arg[0]->kind != IMP_VAR)
        return false;
    r->next = last->arg[0]->var;
    while (r->search < n && body_at(r->body, r->search - 1)->var != r->next)
        r->search++;
    for (int i = 0; i < r->search; i++)
        if (i >= n - 1 || !imp_defines(body_at(r->body, i)))
            return false;
    const struct imp *search = body_at(r->body, r->search);
    return r->search > 1 && search->kind == IMP_WHILE && body_count(search->arg[1]) == 1
           && imp_equal(body_last(search->arg[1]), imp_increment(cx, r->next))
           && imp_is_read(body_at(r->body, r->search - 1)->arg[0], r->p);
}

/* Returns the condition of the search for the end of a run, besides that there is an entry. */
static const struct imp *is_alike(const struct run_loop *r)
{
    const struct imp *more = body_at(r->body, r->search)->arg[0];
    bool is = imp_is_op(more, OP_AND) && imp_is_op(more->arg[0], OP_LT)
              && imp_is_read(more->arg[0]->arg[0], r->next)
              && imp_equal(more->arg[0]->arg[1], r->end);
    return is ? more->arg[1] : NULL;
}

/* ---- what depends on a coordinate ---- */

struct run_nest {
    struct context *cx;
    struct run_loop outer, inner;
};

/* Is the value made of one of the outer coordinates, by declarations in the loop? */
static bool depends(const struct run_nest *n, const struct imp *e)
{
    bool is = false;
    for (int i = 0; i < n->outer.search - 1 && e->kind == IMP_VAR; i++)
        is |= e->var == body_at(n->outer.body, i)->var;
    const struct imp *from = e->kind == IMP_VAR && !is ? fuse_origin(n->outer.body, e->var) : NULL;
    if (from && imp_defines(from))
        return depends(n, from->arg[0]);
    for (int i = 0; i < e->args && !is; i++)
        is = depends(n, e->arg[i]);
    return is;
}

static bool is_placed(const struct imp *imp, void *nest)
{
    return imp_is(imp, IMP_BIT(LOAD) | IMP_BIT(STORE) | IMP_BIT(ATOMIC) | IMP_BIT(PREFETCH))
           && depends(nest, imp->arg[0]);
}

/* ---- one loop of two ---- */

/* Is it the value of the variable, or of one that is declared between the loops to have it? */
static bool stands_for(const struct run_nest *n, const struct imp *e, const struct imp_var *var)
{
    const struct imp *value = e->kind == IMP_VAR ? imp_local(n->outer.body, e->var) : NULL;
    return imp_is_read(e, var) || (value && imp_is_read(value, var));
}

/* Is the declaration between the loops one of what the inner one begins or ends with? */
static bool is_bound(const struct run_nest *n, const struct imp *declared)
{
    return declared->var == n->inner.p || imp_is_read(n->inner.end, declared->var);
}

/* Does the outer loop nothing but look for runs, and go through them by the inner one, which finds
 * by itself all that it needs? */
static bool is_only_nest(const struct run_nest *n)
{
    const struct imp *body = n->outer.body, *inner = n->inner.loop;
    const struct imp *begin = imp_local(body, n->inner.p);
    bool only =
        begin && imp_is_read(begin, n->outer.p) && stands_for(n, n->inner.end, n->outer.next)
        && imp_is_fixed(inner->arg[1], n->outer.end) && !imp_mentions(inner->arg[1], n->outer.p);
    for (int i = 0; i < n->outer.search && only; i++)
        only = imp_is_kept(inner->arg[1], body_at(body, i)->arg[0]);
    for (int i = n->outer.search + 1; i < body_count(body) - 2 && only; i++) {
        const struct imp *at = body_at(body, i);
        only = imp_defines(at)
               && (is_bound(n, at)
                   || (imp_is_pure(at->arg[0]) && imp_is_kept(inner->arg[1], at->arg[0])
                       && !imp_mentions(at, n->outer.p) && !imp_mentions(at, n->outer.next)));
    }
    for (int i = 0; i < body_count(n->inner.body) - 1 && only; i++) {
        const struct imp *at = body_at(n->inner.body, i);
        only = !imp_changes(at, n->inner.p)
               && (i == n->inner.search || n->inner.end->kind != IMP_VAR
                   || !imp_mentions(at, n->inner.end->var));
    }
    return only && !imp_has(inner->arg[1], IMP_BIT(BREAK));
}

/* Returns the search for the end of a run by both coordinates, in which `alike` compares the outer
 * one. */
static const struct imp *search_both(const struct run_nest *n, const struct imp *alike)
{
    struct context *cx = n->cx;
    const struct imp *search = body_at(n->inner.body, n->inner.search),
                     *last = imp_read(cx, n->inner.next);
    const struct lanes l = lanes_free(cx, n->outer.next);
    const struct imp *more =
        imp_op2(cx, OP_AND, imp_op2(cx, OP_LT, last, n->outer.end),
                imp_op2(cx, OP_AND, lanes_scalar(&l, alike, last), search->arg[0]->arg[1]));
    return imp_while(cx, more, search->arg[1]);
}

static const struct imp *one_of_nest(const struct run_nest *n, const struct imp *alike,
                                     const struct imp_mark *mark)
{
    struct context *cx = n->cx;
    struct imp_builder b = {.cx = cx};
    const struct imp *inner = n->inner.body, *from = imp_read(cx, n->inner.p),
                     *to = imp_read(cx, n->outer.p);
    imp_begin(&b);
    for (int i = 0; i < body_count(n->outer.body) - 2; i++) {
        const struct imp *at = body_at(n->outer.body, i);
        if (i != n->outer.search - 1 && i != n->outer.search && !is_bound(n, at))
            imp_add(&b, at);
    }
    for (int i = 0; i < body_count(inner) - 1; i++)
        imp_add(&b,
                imp_replaced(cx, i == n->inner.search ? search_both(n, alike) : body_at(inner, i),
                             from, to));
    imp_add(&b, imp_assign(cx, n->outer.p, OP_NONE, body_last(inner)->arg[0]));
    return imp_marked(cx, imp_while(cx, n->outer.loop->arg[0], imp_end(&b)), mark);
}

const struct imp *fuse_nest(struct context *cx, const struct imp *loop)
{
    struct run_nest n = {.cx = cx};
    struct imp_mark mark;
    if (loop->kind != IMP_WHILE || !find_runs(cx, loop, &n.outer))
        return loop;
    const struct imp *alike = is_alike(&n.outer),
                     *inner = body_at(n.outer.body, body_count(n.outer.body) - 2);
    if (!alike || !find_runs(cx, inner, &n.inner) || !is_alike(&n.inner) || !is_only_nest(&n)
        || imp_any(loop->arg[1], is_placed, &n) || !fuse_marks(loop->mark, inner->mark, &mark))
        return loop;
    mark.last = NULL;
    mark.compact = false;
    return one_of_nest(&n, alike, arena_copy(cx->arena, &mark, sizeof mark));
}
