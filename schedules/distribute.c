/* distribute.c - distribute(expr): a product with a sum is reduced as a sum of products.
 *
 *     before    forall(i) forall(j) y(i) += (A(i,j) - m(j)) * x(j)
 *     after     (forall(i) (y(i) = t - t2 where forall(j) t += A(i,j) * x(j))
 *                where forall(j2) t2 += m(j2) * x(j2))             distribute(A(i,j) - m(j))
 *
 * Each term is reduced in loops of its own, outside those on which it does not depend: a sparse
 * operand is in the terms alone that it is a factor of, and they visit what it stores.  Powers are
 * written out.
 *
 * Of integers the result is the same, also where they wrap.  Floats round otherwise: terms that
 * cancel may leave little of it right, and an infinity may become no number.
 *
 * Preconditions: the expression is, or is part of, what an associative and commutative operator
 * reduces in loops that are the innermost ones; what is around it distributes over that operator;
 * all of it is computed in the type of what is assigned; results are dense, since a term stores
 * components where all of it need not; and no directive has changed the loops of the reduction.
 *
 * SPDX-License-Identifier: MIT
 */
#include "schedules/distribute.h"

struct distribution {
    struct context *cx;
    const struct cin_program *program;
    const struct schedule_call *call;
    const struct cin *assign, *part;
    const struct cin *where; /* makes the scalar that is reduced into; NULL: a result is */
    const struct cin *nest;  /* the loops of the reduction */
    int around;              /* so many loops are around them */
    VEC(const char *) names; /* made */
};

static void *refuse_distribution(const struct distribution *d, const char *why)
{
    return loops_refuse(d->cx, d->program, d->call, 0, "%s", why);
}

/* ---- the loops ---- */

static bool is_of_target(const struct distribution *d, const struct index_var *var)
{
    return cin_uses_var(d->assign->arg[0], var);
}

/* Down to the assignment: the innermost loops, and the where whose producer they are. */
static bool find_nest(struct distribution *d, const struct cin *s)
{
    if (s == d->assign)
        return true;
    if (cin_is_expression(s) || s->kind == CIN_ASSIGN)
        return false;
    int way = 0;
    while (way < s->args && !cin_contains(s->arg[way], d->assign))
        way++;
    if (way == s->args || !find_nest(d, s->arg[way]))
        return false;
    bool reduces = s->kind == CIN_FORALL && !is_of_target(d, s->index[0]);
    if (reduces && (s->arg[0] == d->assign || s->arg[0] == d->nest))
        d->nest = s;
    else if (s->kind == CIN_WHERE && way == 1 && s->arg[1] == d->nest)
        d->where = s;
    else if (s->kind == CIN_FORALL)
        d->around++;
    return true;
}

static bool is_changed(const struct cin_program *program, const struct cin *nest,
                       const struct cin *assign)
{
    bool changed = false;
    for (; nest != assign; nest = nest->arg[0])
        changed |=
            cin_is_related(program, nest->index[0]) || cin_is_tagged(program, nest->index[0]);
    return changed;
}

static bool check_distribution(struct distribution *d)
{
    const struct cin *target = d->assign->arg[0];
    struct cin_list made = cin_assignments(d->cx, d->program->statement);
    size_t same = 0;
    for (size_t i = 0; i < made.n; i++)
        same += made.at[i]->arg[0]->tensor == target->tensor;
    if (!op_associative(d->assign->op) || !op_commutative(d->assign->op) || d->assign->args != 2
        || !find_nest(d, d->program->statement) || !d->nest)
        return refuse_distribution(d, "it is not reduced by loops that are the innermost ones");
    if (!loops_has_dense_results(d->program))
        return refuse_distribution(d, "the result is not dense, and would store other components");
    if (is_changed(d->program, d->nest, d->assign))
        return refuse_distribution(
            d, "the loops of the reduction have been changed by a directive before");
    bool scalar = tensor_var_is_scalar(target->tensor) && target->tensor->temporary;
    if (scalar ? !d->where || same != 1 : target->tensor->temporary)
        return refuse_distribution(d, "a workspace is reduced into");
    if (!scalar)
        d->where = NULL;
    return true;
}

/* ---- the terms ---- */

static const char *fresh_name(struct distribution *d, const char *stem)
{
    const char *name = intern(d->cx, stem);
    for (int n = 2;; n++) {
        bool used = cin_is_used(d->program, name);
        for (size_t i = 0; i < d->names.n; i++)
            used |= d->names.at[i] == name;
        if (!used)
            break;
        name = intern(d->cx, arena_printf(d->cx->arena, "%s%d", stem, n));
    }
    vec_push(d->cx->arena, &d->names, name);
    return name;
}

/* The reduction of a term, in loops over variables of its own unless it is the first. */
static const struct cin *reduce_term(struct distribution *d, const struct cin *t,
                                     const struct cin *term, bool first)
{
    struct context *cx = d->cx;
    VEC(const struct index_var *) loop = {0};
    for (const struct cin *s = d->nest; s != d->assign; s = s->arg[0])
        vec_push(cx->arena, &loop, s->index[0]);
    const struct cin *s = cin_assign(cx, d->assign->op, t, term);
    for (size_t i = loop.n; i-- > 0;)
        s = cin_forall(cx, loop.at[i], s);
    for (size_t i = 0; i < loop.n && !first; i++)
        s = cin_rename(cx, s, loop.at[i],
                       loops_like_var(cx, fresh_name(d, loop.at[i]->name), loop.at[i]));
    return s;
}

/* What has been reduced so far, and one more. */
static const struct cin *combine_sum(const struct distribution *d, const struct cin *sum,
                                     const struct cin *t, int times)
{
    struct context *cx = d->cx;
    const struct cin *count = cin_literal(cx, value_int(t->type, times < 0 ? -times : times));
    if (times != 1 && times != -1)
        t = cin_op(cx, OP_MUL, (const struct cin *[]){count, t}, 2);
    if (!sum)
        return times < 0 ? cin_op(cx, OP_NEG, &t, 1) : t;
    return cin_op(cx, times < 0 ? OP_SUB : d->assign->op, (const struct cin *[]){sum, t}, 2);
}

/* Is each component of the result assigned once, and nothing there before? */
static bool starts(const struct distribution *d)
{
    const struct tensor_var *result = d->assign->arg[0]->tensor;
    struct cin_list made = cin_assignments(d->cx, d->program->statement);
    int same = 0;
    for (size_t i = 0; i < made.n; i++)
        same += made.at[i]->arg[0]->tensor == result;
    return same == 1 && !result->held && !(d->program->accumulates && d->program->result == result)
           && d->around == d->assign->arg[0]->indices
           && operator_is_identity(d->cx, d->assign->op, SIDE_LEFT, result->fill);
}

static const struct cin *distributed(struct distribution *d, const struct distribute_terms *terms)
{
    struct context *cx = d->cx;
    enum type type = d->assign->arg[0]->type;
    struct value start;
    const struct cin *sum = NULL, **producer = arena_array(cx->arena, const struct cin *, terms->n);
    operator_identity(cx, d->assign->op, SIDE_LEFT, type, &start);
    for (size_t i = 0; i < terms->n; i++) {
        const struct cin *t =
            cin_access(cx, cin_temporary(cx, fresh_name(d, "t"), type, start), NULL, 0);
        producer[i] = reduce_term(d, t, terms->at[i].e, i == 0);
        sum = combine_sum(d, sum, t, terms->at[i].times);
    }
    const struct cin *s =
        d->where ? cin_replace(cx, d->where->arg[0], d->assign->arg[0], sum)
                 : cin_assign(cx, starts(d) ? OP_NONE : d->assign->op, d->assign->arg[0], sum);
    for (size_t i = 0; i < terms->n; i++)
        s = cin_where(cx, s, producer[i]);
    return s;
}

/* ---- outside the loops ---- */

static const struct cin *move_out(const struct distribution *d, const struct cin *s)
{
    const struct cin *arg[CIN_ARGS_MAX];
    if (cin_is_expression(s) || s->kind == CIN_ASSIGN)
        return s;
    for (int i = 0; i < s->args; i++)
        arg[i] = move_out(d, s->arg[i]);
    return s->kind == CIN_FORALL && !cin_is_related(d->program, s->index[0])
               ? cin_forall_inside(d->cx, s->index[0], arg[0])
               : cin_with_args(d->cx, s, arg);
}

static const struct cin_program *apply_distribute(struct context *cx,
                                                  const struct cin_program *program,
                                                  const struct schedule_call *call)
{
    struct distribution d = {.cx = cx, .program = program, .call = call};
    if (!loops_part(cx, program, call, true, &d.assign, &d.part) || !check_distribution(&d))
        return NULL;
    struct distribute_terms terms = distribute_terms(cx, d.assign, d.part);
    if (terms.n < 2)
        return refuse_distribution(
            &d, terms.n ? "it is no sum over which all that is around it distributes"
                        : "it has too many terms");
    struct cin_program *result = arena_copy(cx->arena, program, sizeof *program);
    result->statement =
        cin_replace(cx, program->statement, d.where ? d.where : d.nest, distributed(&d, &terms));
    result->statement = move_out(&d, result->statement);
    return loops_checked(cx, program, call, result);
}

const struct schedule_type schedule_distribute = {
    .name = "distribute",
    .usage = "distribute(expr)",
    .brief = "reduce a product with a sum as a sum of products, each in loops of its own",
    .apply = apply_distribute,
};
