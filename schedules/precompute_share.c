/* precompute_share.c - divides the loops between the consumer of a precompute and its producer.
 *
 * The path leads from the root of the statement to the assignment.  Each loop on it, from the
 * outermost one of a triple inwards, and each reduction just outside, is given to both sides,
 * moved into the producer, or left to the consumer.
 *
 * SPDX-License-Identifier: MIT
 */
#include "schedules/precompute.h"

/* ---- the path to the assignment ---- */

static bool find_path(struct precompute *p, const struct cin *at)
{
    if (at == p->assign)
        return true;
    for (int part = 0; part < at->args; part++) {
        if (cin_is_expression(at->arg[part]))
            continue;
        vec_push(p->cx->arena, &p->path, ((struct step){at, part}));
        if (find_path(p, at->arg[part]))
            return true;
        p->path.n--;
    }
    return false;
}

const struct cin *precompute_with_part(struct precompute *p, struct step step, const struct cin *s)
{
    const struct cin *arg[2] = {step.at->arg[0], step.at->args > 1 ? step.at->arg[1] : NULL};
    arg[step.part] = s;
    return cin_with_args(p->cx, step.at, arg);
}

const struct index_var *precompute_loop(const struct precompute *p, size_t step)
{
    const struct cin *at = p->path.at[step].at;
    return at->kind == CIN_FORALL ? at->index[0] : NULL;
}

/* Does the loop go to both sides? */
static bool is_shared_loop(const struct precompute *p, const struct index_var *var)
{
    for (size_t i = 0; i < p->triple.n; i++)
        if (p->triple.at[i].var == var)
            return true;
    return false;
}

bool precompute_is_moved(const struct precompute *p, const struct index_var *var)
{
    for (size_t i = 0; i < p->moved.n; i++)
        if (p->moved.at[i] == var)
            return true;
    return false;
}

bool precompute_reads(struct context *cx, const struct cin *s, const struct cin *producer)
{
    struct cin_list made = cin_assignments(cx, producer), read = cin_operands(cx, s);
    for (size_t i = 0; i < made.n; i++)
        for (size_t j = 0; j < read.n; j++)
            if (made.at[i]->arg[0]->tensor == read.at[j]->tensor)
                return true;
    return false;
}

struct tied {
    const struct index_var **at;
    size_t n, capacity;
};

static bool is_in(const struct tied *list, const struct index_var *var)
{
    bool is = false;
    for (size_t i = 0; i < list->n; i++)
        is |= list->at[i] == var;
    return is;
}

/* Adds what the relation ties to variables of the list. */
static void add_tied(struct context *cx, struct tied *list, const struct cin_relation *r)
{
    const struct index_var *part[4] = {r->parent[0], r->parent[1], r->child[0], r->child[1]};
    for (int k = 0; k < 4; k++)
        if (part[k] && !is_in(list, part[k]))
            vec_push(cx->arena, list, part[k]);
}

/* Does the statement use the variable, or one that relations tie to it? */
bool precompute_uses(const struct precompute *p, const struct cin *cin, const struct index_var *var)
{
    struct tied tied = {0};
    vec_push(p->cx->arena, &tied, var);
    for (size_t i = 0; i < tied.n; i++) {
        if (cin_uses_var(cin, tied.at[i]))
            return true;
        for (int r = 0; r < p->program->relations; r++) {
            const struct cin_relation *relation = &p->program->relation[r];
            if (cin_is_parent(relation, tied.at[i]) || cin_is_child(relation, tied.at[i]))
                add_tied(p->cx, &tied, relation);
        }
    }
    return false;
}

/* ---- uses of variables ---- */

const struct cin *precompute_drop_unread(struct context *cx, const struct cin *s)
{
    if (s->kind == CIN_ASSIGN || cin_is_expression(s))
        return s;
    const struct cin *arg[2] = {0};
    for (int i = 0; i < s->args; i++)
        arg[i] = precompute_drop_unread(cx, s->arg[i]);
    if (s->kind == CIN_WHERE && !precompute_reads(cx, arg[0], arg[1]))
        return arg[0];
    return cin_with_args(cx, s, arg);
}

const struct cin *precompute_without(struct precompute *p, const struct cin *s,
                                     const struct cin *instead)
{
    if (s == p->e)
        return instead;
    const struct cin **arg = arena_array(p->cx->arena, const struct cin *, s->args);
    for (int i = 0; i < s->args; i++)
        arg[i] =
            s->kind == CIN_ASSIGN && i == 0 ? s->arg[0] : precompute_without(p, s->arg[i], instead);
    return cin_with_args(p->cx, s, arg);
}

/* Returns what is left for the consumer from a step on, with a hole for e. */
static const struct cin *rest_at(struct precompute *p, size_t step)
{
    const struct cin *s = step < p->path.n ? p->path.at[step].at : p->assign;
    return precompute_drop_unread(p->cx, precompute_without(p, s, p->hole));
}

const struct cin *precompute_producer(struct precompute *p, size_t step, const struct cin *s)
{
    for (size_t d = p->path.n; d-- > step;) {
        const struct cin *at = p->path.at[d].at;
        const struct index_var *var = precompute_loop(p, d);
        if (var && (is_shared_loop(p, var) || precompute_is_moved(p, var)))
            s = cin_forall(p->cx, var, s);
        if (at->kind == CIN_WHERE && p->path.at[d].part == 0
            && precompute_reads(p->cx, s, at->arg[1]))
            s = cin_where(p->cx, s, at->arg[1]);
    }
    return s;
}

static bool is_needed(struct precompute *p, size_t step, const struct index_var *var)
{
    return precompute_uses(
        p, precompute_producer(p, step, cin_assign(p->cx, OP_NONE, p->hole, p->e)), var);
}

/* Does another assignment, in its own loops, contain the expression, too? */
static bool stands_elsewhere(const struct precompute *p)
{
    struct cin_list all = cin_assignments(p->cx, p->program->statement);
    for (size_t i = 0; i < all.n; i++)
        if (all.at[i] != p->assign && cin_contains(all.at[i]->arg[1], p->e))
            return true;
    return false;
}

/* Says why a reduction cannot move into the producer; NULL if it can. */
static const char *why_not_moved(struct precompute *p)
{
    const struct cin *value = p->assign->arg[1];
    enum op op = p->assign->op;
    struct value start;
    if (p->in_producer)
        return "it is around the where whose producer reads the expression";
    if (op == OP_NONE)
        return "it reduces nothing";
    if (stands_elsewhere(p))
        return "another part of the statement has the expression, too";
    if (!op_associative(op) || !op_commutative(op))
        return arena_printf(p->cx->arena, "%s is not associative and commutative",
                            operator_name(p->cx, op));
    if (!operator_identity(p->cx, op, SIDE_LEFT, p->assign->arg[0]->type, &start))
        return arena_printf(p->cx->arena, "%s has no identity to start from",
                            operator_name(p->cx, op));
    if (p->e == value)
        return NULL;
    if (!cin_distributes(p->cx, value, p->e, op))
        return arena_printf(p->cx->arena, "the use of the expression does not distribute over %s",
                            operator_name(p->cx, op));
    /* no conversion stands between, since it would not distribute */
    enum type type = p->assign->arg[0]->type;
    return p->e->type == type && value->type == type
               ? NULL
               : "the reduced expression and its use have different types";
}

/* Divides a loop inside the where. */
static bool share_loop(struct precompute *p, size_t step)
{
    const struct index_var *var = precompute_loop(p, step);
    bool needed = is_needed(p, step + 1, var), used = precompute_uses(p, rest_at(p, step + 1), var);
    if (used && needed)
        return loops_refuse(
            p->cx, p->program, p->call, -1,
            "both the expression and the rest of the statement use the loop over %s: name it too",
            var->name);
    const char *why = used ? NULL : why_not_moved(p);
    if (why && needed)
        return loops_refuse(p->cx, p->program, p->call, -1,
                            "the loop over %s cannot move to the expression: %s", var->name, why);
    if (!used && !why)
        vec_push(p->cx->arena, &p->moved, var);
    return true;
}

/* Is there a where at this step whose workspace both sides would read? */
static bool divides(struct precompute *p, size_t step)
{
    const struct step *where = &p->path.at[step];
    const struct cin *e =
        precompute_producer(p, step + 1, cin_assign(p->cx, OP_NONE, p->hole, p->e));
    const struct cin *rest = rest_at(p, step + 1);
    return where->at->kind != CIN_WHERE || where->part == 1
           || (precompute_reads(p->cx, e, where->at->arg[1])
               && precompute_reads(p->cx, rest, where->at->arg[1]));
}

/* Moves the where out over reductions that only e uses. */
static void take_in_reductions(struct precompute *p)
{
    for (size_t d = p->top; d > 0 && !why_not_moved(p); d--) {
        const struct index_var *var = precompute_loop(p, d - 1);
        if (var ? !is_needed(p, d, var) || precompute_uses(p, rest_at(p, d), var)
                : divides(p, d - 1))
            return;
        if (!var)
            continue;
        vec_push(p->cx->arena, &p->moved, var);
        p->top = d - 1;
    }
}

static bool share_out(struct precompute *p)
{
    for (size_t d = p->path.n; d-- > p->top;) {
        const struct index_var *var = precompute_loop(p, d);
        p->in_producer |= p->path.at[d].at->kind == CIN_WHERE && p->path.at[d].part == 1;
        if (var && !is_shared_loop(p, var) && !share_loop(p, d))
            return false;
    }
    take_in_reductions(p);
    return true;
}

static bool find_top(struct precompute *p)
{
    context_assert(p->cx, find_path(p, p->program->statement));
    p->top = p->path.n;
    size_t found = 0;
    for (size_t d = p->path.n; d-- > 0;) {
        if (precompute_loop(p, d) && is_shared_loop(p, precompute_loop(p, d))) {
            p->top = d;
            found++;
        }
    }
    for (size_t i = 0; i < p->triple.n && found < p->triple.n; i++) {
        bool around = false;
        for (size_t d = 0; d < p->path.n; d++)
            around |= precompute_loop(p, d) == p->triple.at[i].var;
        if (!around)
            return loops_refuse(p->cx, p->program, p->call, -1,
                                "the loop over %s is not around the expression",
                                p->triple.at[i].var->name);
    }
    return true;
}

bool precompute_share(struct precompute *p)
{
    if (!find_top(p))
        return false;
    p->hole = cin_access(p->cx, cin_temporary(p->cx, p->name, p->e->type, value_zero(p->e->type)),
                         NULL, 0);
    return share_out(p);
}
