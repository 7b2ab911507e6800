/* strip_rows.c - loops over positions that look for the row of each, in strips of one row.
 *
 *     for (p = begin; p < end; p++) {
 *         while (pos[i + 1] <= p) i += 1;
 *         y[i] += a[p] * x[crd[p]];
 *     }
 *
 * asks for the row at each position, and adds to it in memory.  One row at a time,
 *
 *     for (; q < end; q = row_end) {
 *         while (pos[i + 1] <= q) i += 1;
 *         row_end = min(end, pos[i + 1]);
 *         t = 0;
 *         for (p = q; p < row_end; p++) t += a[p] * x[crd[p]];
 *         y[i] += t;
 *     }
 *
 * the row's sum is in a register, and the loop over p reduces into a scalar (loop_lanes.c).  A loop
 * in it that goes along the row of a matrix reduces into registers, too (register_tile.c).  What
 * the row is part of is looked for in whiles behind the first one, which the row does not change.
 *
 * Where a loop over blocks of positions is around, rows go on from one block to the next: the two
 * loops are one over positions first.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/optimize/loop_plan.h"
#include "compiler/optimize/simplify.h"

struct rows {
    struct vectorizer *z;
    struct imp_builder b;
    const struct imp *loop;
    struct lanes lanes;
    const struct imp *bound, *at; /* of the first while: the row goes on while at < bound */
    struct imp_var *from, *past;  /* where the row begins, and ends */
    struct loop_plan plan;        /* of a row that reduces into an element: */
    const struct imp *position;   /* where that is, */
    struct imp_var *sum;          /* and what the row comes to; NULL: a loop in it reduces */
};

/* ---- blocks of positions ---- */

struct blocks {
    const struct imp *base, *inner; /* the body: where the block begins, and its positions */
    const struct imp *n, *whole;    /* how many there are in all, and in a block */
    const struct imp *position;     /* the first statement for each */
};

/* Is it `base = block * 64; for (p = 0; p < min(64, n - block * 64); p++)`? */
static bool are_blocks(struct context *cx, const struct imp *loop, struct blocks *blocks)
{
    const struct imp *body = loop->arg[2], *base = body_at(body, 0), *inner = body_last(body),
                     *left;
    *blocks = (struct blocks){.base = base, .inner = inner};
    if (loop->n != 1 || body_count(body) != 2 || base->kind != IMP_DECLARE || !base->args
        || inner->kind != IMP_FOR || !inner->mark || inner->mark->asked || !lanes_is_counted(inner)
        || !imp_equal(inner->arg[0], imp_int(cx, inner->var->type, 0))
        || !imp_is_block_end(inner->arg[1], &blocks->whole, &left) || left->kind != IMP_OP)
        return false;
    const struct imp *begin = imp_op2(cx, OP_MUL, imp_read(cx, loop->var), blocks->whole);
    blocks->n = left->arg[0];
    return imp_equal(base->arg[0], begin) && imp_is_fixed(loop, blocks->n)
           && imp_equal(left, imp_op2(cx, OP_SUB, blocks->n, begin));
}

/* Does the body use nothing of the block but `position = base + p`? */
static bool knows_position(struct context *cx, const struct imp *loop, struct blocks *blocks)
{
    const struct imp *body = blocks->inner->arg[2];
    const struct imp_var *base = blocks->base->var, *p = blocks->inner->var;
    blocks->position = body_at(body, 0);
    return body_count(body) > 1 && imp_defines(blocks->position)
           && imp_equal(blocks->position->arg[0],
                        imp_op2(cx, OP_ADD, imp_read(cx, base), imp_read(cx, p)))
           && imp_uses(body, base) == 1 && imp_uses(body, p) == 1 && !imp_mentions(body, loop->var);
}

/* Returns the end of the blocks before this one.  The last block may not be whole. */
static const struct imp *end_of(struct context *cx, const struct blocks *blocks,
                                const struct imp *block)
{
    const enum type type = blocks->position->var->type;
    const struct imp *n = imp_cast(cx, TYPE_I64, blocks->n), *ends;
    if (imp_equal(block, imp_int(cx, block->type, 0)))
        return imp_int(cx, type, 0);
    ends =
        imp_op2(cx, OP_MUL, imp_cast(cx, TYPE_I64, block), imp_cast(cx, TYPE_I64, blocks->whole));
    return imp_cast(cx, type, imp_op2(cx, OP_MIN, ends, n));
}

/* Returns a loop over blocks of positions as one over positions, with a name for its end.  Any
 * other loop is returned itself. */
static const struct imp *over_positions(struct rows *r, const struct imp *loop)
{
    struct context *cx = r->z->cx;
    struct blocks blocks;
    if (!are_blocks(cx, loop, &blocks) || !knows_position(cx, loop, &blocks))
        return loop;
    const struct imp *body = blocks.inner->arg[2];
    const struct imp_var *p = blocks.position->var;
    const char *name = arena_printf(cx->arena, "%s_end", imp_stem(p));
    const struct imp *end = imp_let(&r->b, vector_var(r->z, name, p->type, 1),
                                    end_of(cx, &blocks, loop->arg[1])),
                     *rest = imp_block(cx, body->arg + 1, body->args - 1);
    struct imp_mark *mark = arena_copy(cx->arena, blocks.inner->mark, sizeof *mark);
    mark->most = mark->multiple = 0;
    return imp_marked(cx, imp_for(cx, p, end_of(cx, &blocks, loop->arg[0]), end, 1, rest), mark);
}

/* ---- rows ---- */

/* Is it `while (bound <= at) i += 1`? */
static bool is_search(const struct imp *loop)
{
    const struct imp *step = loop->kind == IMP_WHILE ? body_last(loop->arg[1]) : loop,
                     *more = loop->arg[0];
    return loop->kind == IMP_WHILE && body_count(loop->arg[1]) == 1 && step->kind == IMP_ASSIGN
           && step->op == OP_ADD && step->arg[0]->kind == IMP_LITERAL && more->kind == IMP_OP
           && more->op == OP_LE && imp_mentions(more->arg[0], step->var);
}

/* Does none of the first n statements read a variable that the search changes? */
static bool is_unseen(const struct imp *body, int n, const struct imp *search)
{
    for (int i = 0; i < n; i++)
        if (body_at(body, i)->kind == IMP_DECLARE
            && imp_mentions(body_at(body, i), body_last(search->arg[1])->var))
            return false;
    return true;
}

/* Does the body have declarations and searches, and then a store or a loop? */
static bool fits(struct rows *r)
{
    const struct imp *body = r->loop->arg[2];
    if (!lanes_is_counted(r->loop) || r->loop->mark->asked || !imp_is_pure(r->loop)
        || !imp_is(body_last(body), IMP_BIT(STORE) | IMP_BIT(FOR)))
        return false;
    for (int i = 0; i + 1 < body_count(body); i++) {
        const struct imp *at = body_at(body, i);
        if (imp_defines(at))
            continue;
        if (!is_search(at) || !is_unseen(body, i, at))
            return false;
        if (!r->bound) {
            r->bound = at->arg[0]->arg[0];
            r->at = at->arg[0]->arg[1];
        }
    }
    return r->bound && lanes_is_contiguous(&r->lanes, r->at);
}

/* Returns the loop over the row's positions, with the given statement last in each.  A row ends
 * where the loop around ends, at the latest. */
static const struct imp *row(struct rows *r, const struct imp *last)
{
    struct context *cx = r->z->cx;
    const struct imp *body = r->loop->arg[2];
    struct imp_mark *mark = arena_make(cx->arena, struct imp_mark);
    *mark =
        (struct imp_mark){.iterations = ITERATIONS_REDUCE,
                          .most = r->loop->mark->most,
                          .last = imp_has(r->loop->arg[1], IMP_BIT(LOAD)) ? NULL : r->loop->arg[1]};
    imp_begin(&r->b);
    for (int i = 0; i + 1 < body_count(body); i++)
        if (body_at(body, i)->kind == IMP_DECLARE)
            imp_add(&r->b, body_at(body, i));
    imp_add(&r->b, last);
    const struct imp *all = imp_between(cx, r->loop, imp_read(cx, r->from), imp_read(cx, r->past));
    return imp_marked(cx, imp_around(cx, all, imp_end(&r->b)), mark);
}

/* Adds the searches for a row at its begin. */
static void add_searches(struct rows *r)
{
    struct context *cx = r->z->cx;
    const struct imp *body = r->loop->arg[2];
    for (int i = 0; i + 1 < body_count(body); i++) {
        const struct imp *at = body_at(body, i);
        if (at->kind == IMP_WHILE)
            imp_add(&r->b, imp_while(cx, lanes_scalar(&r->lanes, at->arg[0], imp_read(cx, r->from)),
                                     at->arg[1]));
    }
}

/* Does the row leave the variables unchanged that the searches look for? */
static bool stays(const struct rows *r, const struct imp *row)
{
    const struct imp *body = r->loop->arg[2];
    bool fixed = imp_is_fixed(row, r->bound);
    for (int i = 0, searches = 0; i + 1 < body_count(body); i++)
        if (body_at(body, i)->kind == IMP_WHILE && searches++ > 0)
            fixed &= imp_is_fixed(row, body_at(body, i)->arg[0]);
    return fixed;
}

/* Returns the row with its sum in a scalar.  NULL if it has none. */
static const struct imp *summed(struct rows *r, const struct imp *all)
{
    struct context *cx = r->z->cx;
    if (!loop_plan_of_sum(r->z, all, &r->plan))
        return NULL;
    const struct imp *store = r->plan.target;
    r->sum = vector_var(r->z, store->var->name, store->var->type, 1);
    r->position = lanes_scalar(&r->lanes, store->arg[0], imp_read(cx, r->from));
    const struct imp *sum = row(r, imp_assign(cx, r->sum, store->op, store->arg[1])),
                     *vectors = vectorize_lanes(r->z, sum, (int)r->z->target->sums);
    return vectors ? vectors : sum;
}

/* Returns the row, which reduces into registers.  NULL if it does not. */
static const struct imp *in_registers(struct rows *r)
{
    const struct imp *last = body_last(r->loop->arg[2]), *all = row(r, last);
    if (!stays(r, all))
        return NULL;
    return last->kind == IMP_STORE ? summed(r, all)
                                   : vectorize_registers(r->z, &(struct nest){.loop = all});
}

const struct imp *vectorize_rows(struct vectorizer *z, const struct imp *loop)
{
    struct context *cx = z->cx;
    struct rows r = {.z = z, .b = {.cx = cx}};
    imp_begin(&r.b);
    r.loop = loop = over_positions(&r, loop);
    r.lanes = lanes_in(cx, loop);
    if (!fits(&r))
        return NULL;
    r.from = vector_var(z, loop->var->name, loop->var->type, 1);
    r.past =
        vector_var(z, arena_printf(cx->arena, "%s_end", imp_stem(loop->var)), loop->var->type, 1);
    const struct imp *vectors = in_registers(&r);
    if (!vectors)
        return NULL;
    const struct imp *from = imp_let(&r.b, r.from, loop->arg[0]);
    imp_begin(&r.b);
    add_searches(&r);
    const struct imp *ahead = lanes_scalar(&r.lanes, r.at, imp_int(cx, from->type, 0)),
                     *next = imp_fold(cx, imp_op2(cx, OP_SUB, r.bound, ahead));
    next = imp_op2(cx, OP_MIN, loop->arg[1], next);
    imp_let(&r.b, r.past, imp_cast(cx, from->type, next));
    if (r.sum)
        imp_let(&r.b, r.sum, reduces_from(cx, r.plan.op, r.sum->type, 1));
    imp_add(&r.b, vectors);
    if (r.sum)
        imp_add(&r.b, imp_store(cx, r.plan.target->var, r.position, reduces_with(r.plan.op),
                                imp_read(cx, r.sum)));
    imp_add(&r.b, imp_assign(cx, r.from, OP_NONE, imp_read(cx, r.past)));
    const struct imp *body = imp_end(&r.b);
    imp_add(&r.b, imp_while(cx, imp_op2(cx, OP_LT, from, loop->arg[1]), body));
    return imp_end(&r.b);
}
