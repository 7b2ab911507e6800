/* fuse_merges.c - where lists are merged, what only one of them has comes entry by entry.
 *
 *     while (p < p_end && q < q_end) {
 *         i = A[p];
 *         j = B[q];
 *         if (i == j) { ... }
 *         else if (i < j) {
 *             next = p;
 *             while (next < p_end && A[next] == i)
 *                 next++;
 *             for (e = p; e < next; e++)
 *                 { ... e ... }
 *             p = next;
 *         } else ...
 *     }
 *
 * looks for the end of a run that another list does not have, and goes through it.  After one entry
 * of the run the loop finds the same coordinates again, and takes the same branch, so that the end
 * need not be looked for:
 *
 *         else if (i < j) { ... p ...; p++; }
 *
 * Each entry is compared once, as before, and a processor need not foresee where each run ends.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/optimize/fuse_lists.h"

#include "compiler/optimize/simplify.h"
#include "compiler/optimize/vectorize.h"

struct merge {
    struct context *cx;
    const struct imp *loop;
    const struct imp *coordinate; /* of the branch's list: `i = A[p]` */
};

/* Returns the declaration of the list's coordinate, if nothing else of the loop's body is declared
 * from p; NULL otherwise. */
static const struct imp *coordinate_of(const struct imp *loop, const struct imp_var *p)
{
    const struct imp *body = loop->arg[1], *found = NULL;
    for (int i = 0; i + 1 < body_count(body); i++) {
        const struct imp *at = body_at(body, i);
        if (!imp_mentions(at, p))
            continue;
        if (found || at->kind != IMP_DECLARE || at->args == 0)
            return NULL;
        found = at;
    }
    return found;
}

const struct imp *fuse_search_end(struct context *cx, const struct imp *find,
                                  const struct imp *coordinate, const struct imp_var *p,
                                  const struct imp_var *next)
{
    if (find->kind != IMP_WHILE || !imp_is_op(find->arg[0], OP_AND))
        return NULL;
    const struct imp *inside = find->arg[0]->arg[0], *same = find->arg[0]->arg[1];
    const struct lanes l = lanes_free(cx, p);
    bool is = imp_is_op(inside, OP_LT) && imp_is_read(inside->arg[0], next)
              && imp_is_op(same, OP_EQ) && imp_is_read(same->arg[1], coordinate->var)
              && imp_equal(same->arg[0], lanes_scalar(&l, coordinate->arg[0], imp_read(cx, next)))
              && body_count(find->arg[1]) == 1
              && imp_equal(body_last(find->arg[1]), imp_increment(cx, next));
    return is ? inside->arg[1] : NULL;
}

/* Does the statement assign what the loop's condition, or a coordinate of it, is made of? */
static bool moves_merge(const struct imp *imp, void *data)
{
    const struct imp *loop = data, *body = loop->arg[1];
    if (imp->kind == IMP_BREAK)
        return true;
    if (imp->kind != IMP_ASSIGN)
        return false;
    bool moves = imp_mentions(loop->arg[0], imp->var);
    for (int i = 0; i + 1 < body_count(body); i++)
        moves |= imp_mentions(body_at(body, i), imp->var);
    return moves;
}

/* Returns one step through the run, with what the loop over its entries does; NULL: the branch does
 * more. */
static const struct imp *step_of(const struct merge *m, const struct imp *branch,
                                 const struct imp_var *next, const struct imp_var *p)
{
    struct context *cx = m->cx;
    const int n = body_count(branch);
    const struct imp *each = n > 3 ? body_at(branch, n - 2) : NULL,
                     *on = imp_assign(cx, p, OP_ADD, imp_int(cx, p->type, 1));
    if (!each)
        return on;
    for (int i = 2; i < n - 2; i++)
        if (body_at(branch, i)->kind != IMP_DECLARE
            || (each->kind == IMP_FOR && imp_mentions(each->arg[2], body_at(branch, i)->var)))
            return NULL;
    if (each->kind != IMP_FOR || each->n != 1 || !imp_is_read(fuse_bound(branch, each->arg[0]), p)
        || !imp_is_read(fuse_bound(branch, each->arg[1]), next) || imp_mentions(each->arg[2], p)
        || imp_mentions(each->arg[2], next) || imp_any(each->arg[2], moves_merge, (void *)m->loop))
        return NULL;
    const struct imp *all[] = {imp_declare(cx, each->var, imp_read(cx, p)), each->arg[2], on};
    return imp_block(cx, all, 3);
}

/* Returns the branch as steps entry by entry; the branch itself if it does more than to go through
 * a run. */
static const struct imp *by_entry(struct context *cx, const struct imp *loop,
                                  const struct imp *branch)
{
    const int n = body_count(branch);
    const struct imp *first = n > 2 ? body_at(branch, 0) : NULL,
                     *last = n > 2 ? body_last(branch) : NULL;
    if (!first || first->kind != IMP_DECLARE || first->args == 0 || first->arg[0]->kind != IMP_VAR
        || last->kind != IMP_ASSIGN || last->op != OP_NONE || last->var != first->arg[0]->var
        || !imp_is_read(last->arg[0], first->var))
        return branch;
    const struct merge m = {cx, loop, coordinate_of(loop, last->var)};
    if (!m.coordinate
        || !fuse_search_end(cx, body_at(branch, 1), m.coordinate, last->var, first->var))
        return branch;
    const struct imp *step = step_of(&m, branch, first->var, last->var);
    return step ? step : branch;
}

/* Returns the chain of ifs with branches by entry, if its conditions are those of coordinates
 * alone. */
static const struct imp *chain(struct context *cx, const struct imp *loop, const struct imp *imp)
{
    if (imp->kind != IMP_IF)
        return by_entry(cx, loop, imp);
    const struct imp *arg[3];
    arg[0] = imp->arg[0];
    arg[1] = by_entry(cx, loop, imp->arg[1]);
    for (int i = 2; i < imp->args; i++)
        arg[i] = chain(cx, loop, imp->arg[i]);
    return imp_with_args(cx, imp, arg);
}

static bool is_advanced(const struct imp *imp, void *loop)
{
    return imp->kind == IMP_CALL || (imp->kind == IMP_LOAD && !imp->var->constant)
           || (imp->kind == IMP_VAR && imp_assigns(loop, imp->var));
}

/* Do the conditions of the chain read nothing but what the loop's body declares, or keeps? */
static bool is_of_coordinates(const struct imp *loop, const struct imp *imp)
{
    if (imp->kind == IMP_BLOCK && imp->args == 1)
        imp = imp->arg[0];
    if (imp->kind != IMP_IF)
        return true;
    return !imp_any(imp->arg[0], is_advanced, (void *)(size_t)loop)
           && (imp->args < 3 || is_of_coordinates(loop, imp->arg[2]));
}

const struct imp *fuse_merge(struct context *cx, const struct imp *loop)
{
    const struct imp *body = loop->kind == IMP_WHILE ? loop->arg[1] : NULL,
                     *last = body && body_count(body) > 1 ? body_last(body) : NULL;
    if (!last || last->kind != IMP_IF || !declares_first(body) || !is_of_coordinates(loop, last))
        return loop;
    const struct imp *by = chain(cx, loop, last);
    return by == last ? loop : imp_around(cx, loop, with_last(cx, body, by));
}
