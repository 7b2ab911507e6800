/* forall_steps.c - the numbers that one loop of a forall counts: coordinates or positions.
 *
 * Where threads of a launch share the loop each has the numbers that are this many apart, from its
 * own on:
 *
 *     for (i64 i = begin + lane; i < end; i += lanes)
 *
 * They are counted in 64 bits, since behind the end of the numbers of 32 there is nothing.
 * Or each has as many that follow each other, the first ones one more if that does not come out.
 *
 * Where a variable is split, what is in a block is known, and the loop goes from block to block, it
 * counts what was split, which has no need of a check then whether it is in range:
 *
 *     for (i64 i = i1; i < n; i += 8)                  i = i0 * 8 + i1
 *
 * Where positions come in rounds, each of which has all coordinates, the inner one of two loops
 * goes along the components of a result as one over a dense level does:
 *
 *     for (round = pos[p]; round < pos[p + 1]; round += 8)
 *         for (i = 0; i < 8; i++)
 *             at position round + i
 *
 * Or the loop over coordinates is the outer one, if each entry has loops inside, as over a row of
 * the result.  Then the level below, which has one entry at most at a position, is walked in steps:
 *
 *     for (i = 0; i < 8; i++)
 *         for (q = pos[p] + i; q < pos[p + 1]; q += 8)
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/imperative/query.h"
#include "compiler/lower/loop/forall.h"

const struct imp *forall_first(struct forall *f)
{
    const struct imp *low = f->from ? f->from : kernel_low(f->k, f->lattice->var);
    return low ? low : imp_int(f->k->cx, f->k->request->coordinates, 0);
}

const struct imp *forall_end(struct forall *f)
{
    return f->past ? f->past : kernel_end(f->k, f->lattice->var);
}

bool forall_counts(struct forall *f)
{
    const struct bits *loop;
    int loops = lattice_loops(f->k->cx, f->lattice, &loop);
    if (f->lattice->rest || lattice_is_tied(f->lattice))
        return false;
    return (!f->lattice->flat && loops == 1 && bits_empty(loop[0])) || forall_only(f);
}

const struct imp *forall_share(struct kernel *k, const char *name, const struct imp *number,
                               int64_t many, const struct imp **begin, const struct imp **end)
{
    struct context *cx = k->cx;
    const struct imp *first = imp_cast(cx, TYPE_I64, *begin), *of = imp_i64(cx, many),
                     *n = imp_op2(cx, OP_SUB, imp_cast(cx, TYPE_I64, *end), first);
    if (first->kind != IMP_LITERAL) /* differences of nothing end before they begin */
        n = imp_op2(cx, OP_MAX, n, imp_i64(cx, 0));
    const struct imp *from = imp_bare(first), *past_all = imp_bare(*end);
    bool known = from->kind == IMP_LITERAL && past_all->kind == IMP_LITERAL;
    n = known ? imp_i64(cx, past_all->value.i - from->value.i)
              : imp_let(&k->b, kernel_var(k, TYPE_I64, "%s_all", name), n);
    bool even = known && n->value.i % many == 0;
    number = imp_cast(cx, TYPE_I64, number);
    if (!even)
        number = imp_let(&k->b, kernel_var(k, TYPE_I64, "share"), number);
    const struct imp *each = imp_op2(cx, OP_DIV, n, of), *more = imp_op2(cx, OP_MOD, n, of),
                     *ahead = imp_op2(cx, OP_MUL, each, number);
    if (!even)
        ahead = imp_op2(cx, OP_ADD, ahead, imp_op2(cx, OP_MIN, number, more));
    *begin =
        imp_let(&k->b, kernel_var(k, TYPE_I64, "%s_from", name), imp_op2(cx, OP_ADD, first, ahead));
    const struct imp *past = imp_op2(cx, OP_ADD, *begin, each);
    if (!even)
        past = imp_op2(cx, OP_ADD, past, imp_cast(cx, TYPE_I64, imp_op2(cx, OP_LT, number, more)));
    *end = imp_let(&k->b, kernel_var(k, TYPE_I64, "%s_past", name), past);
    return n;
}

/* Makes [begin, end) the thread's share, where the loop's threads have iterations that follow each
 * other.  Behind the loop, what stands in front of it, as a search for where the share begins,
 * becomes conditional: it is done only if there is a share. */
static void take_share(struct forall *f, const struct imp **begin, const struct imp **end)
{
    if (f->lane && f->adjoin)
        f->iterations = forall_share(f->k, f->lattice->var->name, f->lane, f->lanes, begin, end);
    imp_begin(&f->k->b);
}

static void end_share(struct forall *f, const struct imp *begin, const struct imp *end)
{
    struct kernel *k = f->k;
    const struct imp *all = imp_end(&k->b);
    if (f->adjoin && body_count(all) > 1) {
        all = imp_if(k->cx, imp_op2(k->cx, OP_LT, begin, end), all, NULL);
        vec_push(k->cx->arena, &k->launch->shares, all);
    }
    imp_add_all(&k->b, all);
}

/* Returns the relation by which the loop's variable, of which nothing else is used, and what is
 * known already give another one; or NULL. */
static const struct cin_relation *find_stride(const struct forall *f)
{
    const struct cin_program *program = f->k->program;
    const struct index_var *var = f->lattice->var;
    const struct cin_relation *found = NULL;
    bool other = f->lane || f->from || f->past || f->mark->asked || lattice_is_tied(f->lattice)
                 || cin_uses_var(f->node->statement, var);
    for (int i = 0; i < program->relations && !other; i++) {
        const struct cin_relation *r = &program->relation[i];
        bool strides = r->child[0] == var && r->type->stride && r->type->stride(r) > 0
                       && known_has(&f->scope->known, r->child[1])
                       && !known_has(&f->scope->known, r->parent[0]);
        found = strides ? r : found;
        other |= !strides && (cin_is_child(r, var) || cin_is_parent(r, var));
    }
    return other ? NULL : found;
}

/* Declares the variable that the loop counts: a stride may lead beyond 32 bits. */
static void open_counter(struct forall *f, const struct index_var *var, const struct imp *end)
{
    struct kernel *k = f->k;
    f->var = f->step ? f->step : kernel_var(k, k->request->coordinates, "%s", var->name);
    if (!f->by)
        return;
    if (imp_most(end) > INT32_MAX - 2 * f->by->type->stride(f->by))
        f->var->type = TYPE_I64;
    f->whole = var;
    f->at = imp_read(k->cx, f->var);
}

const struct imp *forall_step(const struct forall *f)
{
    struct context *cx = f->k->cx;
    const struct imp *at = imp_read(cx, f->var);
    return f->by ? imp_op2(cx, OP_DIV, at, imp_int(cx, at->type, f->by->type->stride(f->by))) : at;
}

/* Returns the loop over [begin, end), or over those of them that the thread has. */
static const struct imp *steps_of(struct forall *f, struct imp_var *var, const struct imp *begin,
                                  const struct imp *end, const struct imp *body)
{
    struct kernel *k = f->k;
    struct context *cx = k->cx;
    if (f->by) {
        int64_t stride = f->by->type->stride(f->by);
        const struct imp *before =
            imp_op2(cx, OP_MUL, imp_cast(cx, var->type, begin), imp_int(cx, var->type, stride));
        return imp_for(cx, var,
                       imp_op2(cx, OP_ADD, before, scope_coordinate(f->scope, f->by->child[1])),
                       imp_cast(cx, var->type, end), stride, body);
    }
    if (!f->lane)
        return imp_for(cx, var, begin, end, 1, body);
    const struct imp *first = imp_cast(cx, TYPE_I64, begin);
    if (!f->adjoin)
        first = imp_op2(cx, OP_ADD, first, f->lane);
    return imp_for(cx, var, first, imp_cast(cx, TYPE_I64, end), f->adjoin ? 1 : f->lanes, body);
}

void forall_enter(struct forall *f, const struct imp *begin)
{
    struct context *cx = f->k->cx;
    if (f->each)
        f->each->enter(f->each->data, f,
                       imp_op2(cx, OP_SUB, imp_read(cx, f->step), imp_cast(cx, TYPE_I64, begin)));
}

void forall_leave(struct forall *f)
{
    if (f->each)
        f->each->leave(f->each->data);
}

void forall_dimension(struct forall *f, const struct imp *begin)
{
    struct kernel *k = f->k;
    f->by = find_stride(f);
    const struct index_var *var = f->by ? f->by->parent[0] : f->lattice->var;
    const struct imp *end = f->by ? kernel_end(k, var) : forall_end(f);
    bool narrows = false;
    for (int i = 0; i < f->lattice->guards; i++)
        narrows = forall_narrows(f, i, &begin, &end);
    open_counter(f, var, end);
    if (narrows && f->lattice->guards == 1 && lattice_is_tied(f->lattice)) { /* one coordinate */
        imp_let(&k->b, f->var, begin);
        forall_inside(f, bits_none());
        return;
    }
    struct scope tracking = *f->scope;
    take_share(f, &begin, &end);
    if (!f->lane || f->adjoin) /* else they do not go up step by step */
        position_track(k, &tracking, f->node, imp_cast(k->cx, f->var->type, begin));
    f->scope = &tracking;
    imp_begin(&k->b);
    forall_enter(f, begin);
    forall_inside(f, bits_none());
    forall_leave(f);
    const struct imp *body = imp_end(&k->b);
    bool whole = !narrows && !f->by && !f->adjoin && begin->kind == IMP_LITERAL;
    imp_add(&k->b, imp_marked(k->cx, steps_of(f, f->var, begin, end, body),
                              whole ? mark_whole(k, f->mark, f->lattice->var) : f->mark));
    end_share(f, begin, end);
}

/* ---- positions ---- */

/* Is the cursor at the one position below its parent, and nothing is asked of a loop? */
static bool has_one(const struct forall *f, const struct cursor *c)
{
    return level_has(c->format, LEVEL_BRANCHLESS) && c->code.single && c->begin == c->code.parent
           && !f->lane && !f->mark->asked;
}

void forall_positions(struct forall *f, const struct cursor *c, const struct imp *body)
{
    struct kernel *k = f->k;
    if (has_one(f, c)) {
        imp_let(&k->b, c->position, c->begin);
        imp_add_all(&k->b, body);
        return;
    }
    struct imp_mark mark = *mark_with_last(k, f->mark, c->it->access, c->it->first);
    if (!bits_empty(f->lattice->following))
        mark.iterations = ITERATIONS_IN_ORDER;
    if (!c->code.single) /* of several parents */
        mark.most = 0, mark.ascends = NULL;
    const struct imp *begin = c->begin, *end = c->end;
    take_share(f, &begin, &end);
    const struct imp *all = c->step ? imp_for(k->cx, c->position, begin, end, c->step, body)
                                    : steps_of(f, c->position, begin, end, body);
    imp_add(&k->b, imp_marked(k->cx, all, arena_copy(k->cx->arena, &mark, sizeof mark)));
    end_share(f, begin, end);
}

/* ---- rounds ---- */

bool forall_goes_in_rounds(const struct forall *f)
{
    const struct kernel_part *part = f->k->part;
    return lattice_rounds(f->lattice) && !f->lane && !(part && part->node == f->node);
}

/* Does each coordinate have loops inside, below its entries?  What these combine with is then gone
 * through once for each coordinate. */
static bool has_loops_below(const struct forall *f, const struct cursor *c)
{
    const struct tree_node *in = f->node->child[0];
    if (in->statement->kind != CIN_FORALL || !lattice_has_one(in->lattice)
        || cin_parallel(f->k->program, in->statement) || in->statement->arg[0]->kind == CIN_ASSIGN)
        return false;
    const struct lattice_iterator *it = &in->lattice->iterator[bits_first(in->lattice->iterated)];
    return lattice_is_at(c->it, it->access) && it->first == c->it->first + 1 && it->path.steps == 0;
}

/* Returns the loop over the positions of a round, from this one of the round's or of all rounds'
 * on. */
static const struct imp *each_coordinate(struct forall *f, struct bits loop, struct cursor *c,
                                         const struct imp *from)
{
    struct kernel *k = f->k;
    struct context *cx = k->cx;
    const struct imp *first = forall_first(f), *begin = first, *end = forall_end(f);
    f->narrow = true;
    for (int i = 0; i < f->lattice->guards; i++)
        forall_narrows(f, i, &begin, &end);
    f->var = kernel_var(k, k->request->coordinates, "%s", f->lattice->var->name);
    c->coordinate = imp_read(cx, f->var);
    imp_begin(&k->b);
    const struct imp *distance = imp_op2(cx, OP_SUB, c->coordinate, first);
    imp_let(&k->b, c->position, imp_op2(cx, OP_ADD, from, imp_cast(cx, from->type, distance)));
    forall_inside(f, loop);
    const struct imp *each = imp_for(cx, f->var, begin, end, 1, imp_end(&k->b));
    return imp_marked(cx, each, mark_in_round(k, f->scope, f->node, f->mark));
}

void forall_rounds(struct forall *f, struct bits loop, struct cursor *c)
{
    struct kernel *k = f->k;
    const int64_t size = f->lattice->var->size;
    if (has_loops_below(f, c)) { /* steps may go beyond what the positions' type counts */
        c->stride = size;
        c->position->type = TYPE_I64;
        c->end = imp_cast(k->cx, TYPE_I64, c->end);
        imp_add(&k->b, each_coordinate(f, loop, c, imp_cast(k->cx, TYPE_I64, c->begin)));
        return;
    }
    struct imp_var *round = kernel_var(k, c->begin->type, "%s_round", c->code.position_name);
    const struct imp *each = each_coordinate(f, loop, c, imp_read(k->cx, round)),
                     *all = imp_for(k->cx, round, c->begin, c->end, size, each);
    imp_add(&k->b, imp_marked(k->cx, all, mark_of_rounds(k, f->mark)));
}
