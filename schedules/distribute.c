/* distribute.c - distribute(expr): a reduced product with a sum becomes a sum of reduced products.
 *
 *     before    forall(i) forall(j) y(i) += (A(i,j) - m(j)) * x(j)
 *     after     (forall(i) (y(i) = t - t2 where forall(j) t += A(i,j) * x(j))
 *                where forall(j2) t2 += m(j2) * x(j2))             distribute(A(i,j) - m(j))
 *
 * Each term is reduced in its own loops, outside the loops on which it does not depend.  A sparse
 * operand drives only the loops of terms in which it is a factor.  Powers are written out.
 * Factors that do not depend on the loops of the reduction are applied to its outcome.  A scalar
 * that loops inside reduce by the same operator is reduced together with its term.  So the power
 * of such a scalar, a product of sums, becomes one sum of products:
 *
 *     before    forall(i) forall(k) (s += pow(t, 2) where forall(r) t += U(i,r) * V(k,r))
 *     after     (s = t where forall(i) forall(k) forall(r2) forall(r3)
 *                            t += U(i,r2) * V(k,r2) * U(i,r3) * V(k,r3))     distribute(pow(t, 2))
 *
 * Integers give the same result, even where they wrap around.  Floats round differently: terms
 * that cancel may leave few digits right, and an infinity may become no number.
 *
 * Preconditions: an associative and commutative operator reduces the expression, or a larger one
 * with it, in the innermost loops.  The operators around the expression distribute over that
 * operator.  Everything is computed in the type of the target.  Results are dense, since a single
 * term may store components that the whole does not.  And no directive has changed the loops of
 * the reduction.
 *
 * SPDX-License-Identifier: MIT
 */
#include "schedules/distribute.h"

#include "schedules/alike.h"

struct distribution {
    struct context *cx;
    const struct cin_program *program;
    const struct schedule_call *call;
    const struct cin *assign, *part;
    const struct cin *where; /* makes the scalar that is reduced into; NULL if that is a result */
    const struct cin *nest;  /* the loops of the reduction */
    const struct cin *held;  /* the wheres directly around them, or around the assignment */
    int around;              /* the number of loops around them */
    struct cin_list inside;  /* the wheres in the loops, outermost first */
    struct cin_list used;    /* those that a term uses */
    int inlined;             /* how many of the sums inside are part of a term */
    VEC(const char *) names; /* the new names */
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

/* Goes down to the assignment and finds the innermost loops, perhaps with wheres inside, and the
 * where whose producer they are. */
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
    bool reduces = s->kind == CIN_FORALL && !is_of_target(d, s->index[0]),
         next = s->arg[0] == d->assign || s->arg[0] == d->nest || s->arg[0] == d->held;
    if (reduces && next)
        d->nest = s;
    else if (s->kind == CIN_WHERE && way == 0 && next)
        d->held = s;
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
            nest->kind == CIN_FORALL
            && (cin_is_related(program, nest->index[0]) || cin_is_tagged(program, nest->index[0]));
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

static const char *unused_term_name(struct distribution *d, const char *stem)
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

/* Is it a product that distributes over the reduction? */
static bool is_product(const struct distribution *d, const struct cin *e)
{
    const enum op over = d->assign->op;
    return e->kind == CIN_OP && e->args == 2 && e->type == d->assign->arg[0]->type
           && op_associative(e->op) && op_commutative(e->op)
           && cin_op_distributes(d->cx, e, SIDE_LEFT, over)
           && cin_op_distributes(d->cx, e, SIDE_RIGHT, over);
}

/* Returns the where in the loops whose scalar is reduced by the same operator.  NULL if there is
 * none. */
static const struct cin *reduced_inside(const struct distribution *d, const struct cin *e)
{
    for (size_t i = 0; i < d->inside.n; i++) {
        const struct cin *nest = d->inside.at[i]->arg[1], *make = alike_assignment(nest);
        if (make && make->arg[0] == e && make->op == d->assign->op && make->args == 2
            && make->arg[1]->type == e->type && e->type == d->assign->arg[0]->type
            && alike_loops(d->program, nest) > 0)
            return nest;
    }
    return NULL;
}

/* Does the expression depend on the loops of the reduction? */
static bool is_inside(const struct distribution *d, const struct cin *e)
{
    bool is = false;
    for (const struct cin *s = d->nest; s != d->assign && !is; s = s->arg[0]) {
        struct cin_list made = {0};
        if (s->kind == CIN_WHERE)
            made = cin_assignments(d->cx, s->arg[1]);
        is = s->kind == CIN_FORALL && cin_uses_var(e, s->index[0]);
        for (size_t i = 0; i < made.n && !is; i++)
            is = cin_uses_tensor(e, made.at[i]->arg[0]->tensor);
    }
    return is;
}

struct loop_list {
    const struct index_var **at;
    size_t n, capacity;
};

/* Returns the reduced expression of the nest, with new loop variables, which are added to the list.
 */
static const struct cin *inlined(struct distribution *d, const struct cin *nest,
                                 struct loop_list *loops)
{
    const struct cin *value = alike_assignment(nest)->arg[1];
    d->inlined++;
    for (; nest->kind == CIN_FORALL; nest = nest->arg[0]) {
        const struct index_var *var =
            loops_like_var(d->cx, unused_term_name(d, nest->index[0]->name), nest->index[0]);
        value = cin_rename(d->cx, value, nest->index[0], var);
        vec_push(d->cx->arena, loops, var);
    }
    return value;
}

static const struct cin *multiply_terms(const struct distribution *d, enum op op,
                                        const struct cin *a, const struct cin *b)
{
    return a ? cin_op(d->cx, op, (const struct cin *[]){a, b}, 2) : b;
}

/* Separates the term's factors.  Those that depend on the loops are returned; *outside is the
 * product of the others, NULL if there are none.  A scalar that loops inside reduce counts as its
 * reduced product. */
static const struct cin *divide(struct distribution *d, const struct cin *term,
                                struct loop_list *loops, const struct cin **outside)
{
    const struct cin *inside = NULL;
    const enum op op = is_product(d, term) ? term->op : OP_NONE;
    struct cin_list factor = cin_chain(d->cx, term, op, &d->assign->arg[0]->type);
    *outside = NULL;
    for (size_t i = 0; i < factor.n; i++) {
        const struct cin *e = factor.at[i], *nest = NULL, *powers = NULL;
        const int power = distribute_power(d->assign->op, e);
        nest = reduced_inside(d, power ? e->arg[0] : e);
        for (int k = 0; nest && k < (power ? power : 1); k++)
            powers = multiply_terms(d, OP_MUL, powers, inlined(d, nest, loops));
        if (powers)
            inside = multiply_terms(d, op, inside, powers);
        else if (is_inside(d, e))
            inside = multiply_terms(d, op, inside, e);
        else
            *outside = multiply_terms(d, op, *outside, e);
    }
    if (!inside)
        *outside = NULL;
    return inside ? inside : term;
}

/* Reduces a term, in loops over new variables unless it is the first term.  *t is the scalar, then
 * the term's value. */
static const struct cin *reduce_term(struct distribution *d, const struct cin **t,
                                     const struct cin *term, bool first)
{
    struct context *cx = d->cx;
    struct loop_list loop = {0}, own = {0};
    const struct cin *outside, *inside = divide(d, term, &own, &outside);
    const struct cin *s = cin_assign(cx, d->assign->op, *t, inside);
    for (size_t i = own.n; i-- > 0;)
        s = cin_forall(cx, own.at[i], s);
    for (size_t i = d->inside.n; i-- > 0;) {
        const struct cin *producer = d->inside.at[i]->arg[1];
        struct cin_list made = cin_assignments(cx, producer);
        if (made.n == 0 || !cin_uses_tensor(s, made.at[0]->arg[0]->tensor))
            continue;
        vec_push(cx->arena, &d->used, producer);
        s = cin_where(cx, s, producer);
    }
    for (const struct cin *n = d->nest; n != d->assign; n = n->arg[0])
        if (n->kind == CIN_FORALL)
            vec_push(cx->arena, &loop, n->index[0]);
    for (size_t i = loop.n; i-- > 0;)
        s = cin_forall(cx, loop.at[i], s);
    for (size_t i = 0; i < loop.n && !first; i++)
        s = cin_rename(cx, s, loop.at[i],
                       loops_like_var(cx, unused_term_name(d, loop.at[i]->name), loop.at[i]));
    *t = outside ? multiply_terms(d, term->op, outside, *t) : *t;
    return s;
}

/* Is a where in the loops, which names its own workspace, used by more than one term? */
static bool uses_twice(const struct distribution *d)
{
    bool twice = false;
    for (size_t i = 0; i < d->used.n; i++)
        for (size_t k = 0; k < i; k++)
            twice |= d->used.at[i] == d->used.at[k];
    return twice;
}

/* Adds one more reduced term to the sum. */
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

/* Is each component of the result assigned once, without a value before? */
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
            cin_access(cx, cin_temporary(cx, unused_term_name(d, "t"), type, start), NULL, 0);
        producer[i] = reduce_term(d, &t, terms->at[i].e, i == 0);
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
    if (terms.n == 0)
        return refuse_distribution(&d, "it has too many terms");
    struct cin_program *result = arena_copy(cx->arena, program, sizeof *program);
    for (const struct cin *s = d.nest; s != d.assign; s = s->arg[0])
        if (s->kind == CIN_WHERE)
            vec_push(cx->arena, &d.inside, s);
    const struct cin *made = distributed(&d, &terms);
    if (terms.n < 2 && d.inlined < 2)
        return refuse_distribution(&d, "it is no sum over which all that is around it distributes");
    if (uses_twice(&d))
        return refuse_distribution(&d, "more than one term has what loops inside compute");
    result->statement = cin_replace(cx, program->statement, d.where ? d.where : d.nest, made);
    result->statement = move_out(&d, result->statement);
    return loops_checked(cx, program, call, result);
}

const struct schedule_type schedule_distribute = {
    .name = "distribute",
    .usage = "distribute(expr)",
    .brief = "reduce a product with a sum as a sum of products, each in loops of its own",
    .apply = apply_distribute,
};
