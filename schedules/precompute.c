/* precompute.c - precompute(e, w, {i,ic,ip}, ... [, format] [, place]): computes a part of an
 * assignment into a workspace first (thesis 6.2).
 *
 *     before    forall(i) forall(k) forall(j) A(i,j) += B(i,k) * C(k,j)
 *     after     forall(i) (forall(jc) A(i,jc) = w(jc)
 *                   where forall(k) forall(jp) w(jp) += B(i,k) * C(k,j))
 *                                               precompute(B(i,k) * C(k,j), w, {j,jc,jp}, bytemap)
 *
 * The consumer is the statement with w in the place of e, the producer computes e.  The loops,
 * from the outermost one of a triple inwards, are divided between them.  A loop of a triple goes
 * to both, under the names given.  A loop that only e uses goes to the producer, where it reduces.
 * Others stay around both.  A reduction just outside these loops that only e uses moves into the
 * producer, too.  Then the where moves out of the loops on which the producer does not depend.  A
 * where that only hands a scalar on is dropped; so naming a scalar temporary as e expands it into
 * a tensor.
 *
 * A loop may be a part of a split.  Then the split variable follows from the consumer's loops in
 * the consumer, and from the producer's, as a variable of its own, in the producer
 * (precompute_parts.c).
 *
 * Preconditions: the operations around e distribute over each reduction that moves into the
 * producer, whose operator is associative and commutative.  No divided loop without a triple is
 * used on both sides.  And the workspace has a fill with which the statement stores the same
 * components as before (precompute_fill.c).
 *
 * SPDX-License-Identifier: MIT
 */
#include "schedules/precompute.h"
#include "compiler/tree/tree.h"

/* ---- the workspace ---- */

/* Makes the workspace.  False after a diagnostic. */
static bool make_workspace(struct precompute *p)
{
    const struct index_var **extent =
        arena_array(p->cx->arena, const struct index_var *, p->triple.n);
    const struct index_var **var = arena_array(p->cx->arena, const struct index_var *, p->triple.n);
    for (size_t i = 0; i < p->triple.n; i++)
        extent[i] = p->triple.at[i].consumer;
    struct tensor_var made =
        *cin_workspace(p->cx, p->name, p->fill.type, p->fill, p->format, extent, (int)p->triple.n);
    made.place = p->place;
    made.pad = p->pad;
    const struct tensor_var *w = cin_made(p->cx, made);
    for (size_t i = 0; i < p->triple.n; i++)
        var[i] = p->triple.at[i].var;
    p->access = cin_access(p->cx, w, var, w->order);
    if (w->order == 0 && p->e->kind == CIN_ACCESS && cin_asks_for(p->assign->arg[1], p->e->tensor))
        return loops_refuse(p->cx, p->program, p->call, 0,
                            "which components %s has is asked for, and a scalar has none",
                            p->e->tensor->name);
    return precompute_check_place(p, w);
}

/* ---- consumer and producer ---- */

static const struct cin *make_consumer(struct precompute *p)
{
    const struct cin *s =
        cin_assign(p->cx, precompute_consumer_op(p), p->assign->arg[0], p->assign->arg[1]);
    for (size_t d = p->path.n; d-- > p->top;)
        if (!precompute_loop(p, d) || !precompute_is_moved(p, precompute_loop(p, d)))
            s = precompute_with_part(p, p->path.at[d], s);
    s = precompute_drop_unread(p->cx, precompute_without(p, s, p->access));
    for (size_t i = 0; i < p->triple.n; i++)
        s = cin_rename(p->cx, s, p->triple.at[i].var, p->triple.at[i].consumer);
    return s;
}

/* Turns (w = t where ... t += e) into ... w += e. */
static const struct cin *skip_temporary(struct precompute *p, const struct cin *where)
{
    const struct cin *last = where->arg[0], *producer = where->arg[1], *make = NULL;
    struct cin_list made = cin_assignments(p->cx, producer);
    for (size_t i = 0; i < made.n; i++) {
        if (made.at[i]->arg[0] != p->e)
            continue;
        if (make)
            return where;
        make = made.at[i];
    }
    const struct tensor_var *w = p->access->tensor;
    if (!make || w->type != p->e->type || !value_equal(w->fill, p->e->tensor->fill)
        || (last->op != OP_NONE && make->op != OP_NONE && last->op != make->op))
        return where;
    enum op op = make->op == OP_NONE ? last->op : make->op;
    return cin_replace(p->cx, producer, make, cin_assign(p->cx, op, p->access, make->arg[1]));
}

static const struct cin *make_producer(struct precompute *p)
{
    const struct cin *store = cin_assign(p->cx, p->op, p->access, p->e),
                     *s = precompute_producer(p, p->top, store);
    for (size_t d = p->path.n;
         d-- > p->top && p->e->kind == CIN_ACCESS && p->e->tensor->temporary;) {
        const struct cin *at = p->path.at[d].at;
        const struct cin *where = at->kind == CIN_WHERE ? cin_where(p->cx, store, at->arg[1]) : at;
        if (at->kind == CIN_WHERE && cin_contains(s, where))
            s = cin_replace(p->cx, s, where, skip_temporary(p, where));
    }
    return precompute_own_parts(p, s);
}

/* Refuses a temporary that is made inside the where's loops and read on both sides. */
static bool check_temporaries(struct precompute *p, const struct cin *consumer,
                              const struct cin *producer)
{
    struct cin_list made = cin_assignments(p->cx, producer);
    for (size_t i = 0; i < made.n; i++) {
        const struct tensor_var *tensor = made.at[i]->arg[0]->tensor;
        if (tensor != p->access->tensor && cin_uses_tensor(consumer, tensor))
            return loops_refuse(p->cx, p->program, p->call, -1,
                                "both the expression and the rest of the statement use %s",
                                tensor->name);
    }
    return true;
}

/* Builds the steps [from, to) around s. */
static const struct cin *rebuild(struct precompute *p, size_t from, size_t to, const struct cin *s)
{
    while (to-- > from)
        s = precompute_with_part(p, p->path.at[to], s);
    return s;
}

/* Puts the where into its place: outside all loops on which the producer does not depend. */
static const struct cin *place(struct precompute *p, const struct cin *consumer,
                               const struct cin *producer)
{
    size_t at = p->top;
    for (size_t d = p->top; d-- > 0;) {
        const struct step *step = &p->path.at[d];
        const struct index_var *var = precompute_loop(p, d);
        bool consumes = step->at->kind == CIN_WHERE && step->part == 0;
        if (var ? precompute_uses(p, producer, var)
                : consumes && precompute_reads(p->cx, producer, step->at->arg[1]))
            break;
        if (var)
            at = d;
    }
    const struct cin *where = cin_where(p->cx, rebuild(p, at, p->top, consumer), producer);
    return rebuild(p, 0, at, where);
}

/* ---- the environment ---- */

/* Gives the consumer's loops their tags, and the order that a directive gave them.  The producer's
 * loops are new. */
static void add_likes(struct precompute *p, struct cin_program *program)
{
    VEC(const struct index_var *) ordered = {0};
    for (int i = 0; i < program->ordereds; i++)
        vec_push(p->cx->arena, &ordered, program->ordered[i]);
    for (size_t t = 0; t < p->triple.n; t++) {
        const struct triple *triple = &p->triple.at[t];
        for (int i = 0; i < program->ordereds && triple->consumer != triple->var; i++)
            if (program->ordered[i] == triple->var)
                vec_push(p->cx->arena, &ordered, triple->consumer);
        program->tag = loops_tags_of(p->cx, program, triple->var, triple->consumer);
    }
    program->ordered = ordered.at;
    program->ordereds = (int)ordered.n;
}

static const struct cin_program *apply_precompute(struct context *cx,
                                                  const struct cin_program *program,
                                                  const struct schedule_call *call)
{
    struct precompute p = {.cx = cx, .program = program, .call = call};
    if (!precompute_read(&p) || !precompute_share(&p) || !precompute_fill(&p)
        || !make_workspace(&p))
        return NULL;
    const struct cin *consumer = make_consumer(&p), *producer = make_producer(&p);
    if (!check_temporaries(&p, consumer, producer))
        return NULL;
    struct cin_program *result = arena_copy(cx->arena, p.program, sizeof *program);
    precompute_add_parts(&p, result);
    p.program = result;
    result->statement = place(&p, consumer, producer);
    add_likes(&p, result);
    const char *broken = cin_check(cx, result);
    if (!broken)
        return result;
    return loops_refuse(cx, program, call, -1, "%s", broken);
}

const struct schedule_type schedule_precompute = {
    .name = "precompute",
    .usage = "precompute(e, w, {i,ic,ip}, ... [, format] [, place])",
    .brief = "first compute an expression into a workspace, in loops of its own",
    .apply = apply_precompute,
};
