/* factor.c - factor(e): a sum of products with common factors becomes a product with a sum; the
 * reverse of distribute.
 *
 *     before    forall(i) ((y(i) = t + t2 where forall(j2) t2 += A(i,j2) * z(j2))
 *                          where forall(j) t += A(i,j) * x(j))
 *     after     forall(i) forall(j) y(i) += A(i,j) * (x(j) + z(j))                factor(t + t2)
 *
 * The terms are products, or scalars into which products are reduced.  Scalars whose loops are
 * equal but for names are reduced together, in the loops of the innermost one.  The first two
 * terms with common factors say which factors these are; every other term with the same factors
 * joins them.  The remaining terms stay.
 *
 * Integers give the same result, even where they wrap around.  Floats round differently.
 *
 * Preconditions: the product distributes over the sum on both sides.  Everything is computed in
 * one type.  Each loop of a reduction is over a mode of a common factor, and no directive has
 * changed it.  Results are dense, since the sum may be nothing where a term is something.
 *
 * SPDX-License-Identifier: MIT
 */
#include "schedules/alike.h"

/* A term of the sum: a product, or a scalar into which a product is reduced. */
struct term {
    const struct cin *e, *product;
    bool minus, is_negative; /* e, or the product, is subtracted */
    const struct cin *where; /* makes the scalar by loops around one assignment; else NULL */
    struct cin_list factor;
};

struct factoring {
    struct context *cx;
    const struct cin_program *program;
    const struct schedule_call *call;
    const struct cin *assign, *part;
    enum op over, op; /* of the sum, and of the products */
    VEC(struct term) term;
    struct cin_list common;
    bool *taken; /* for each term: has it the common factors? */
};

static void *refuse_factoring(const struct factoring *f, const char *why)
{
    return loops_refuse(f->cx, f->program, f->call, 0, "%s", why);
}

/* ---- the terms ---- */

struct scalar_search {
    const struct cin *t, *part, *where;
};

/* Finds the where whose producer reduces into the scalar, around the sum. */
static bool find_reduction(const struct cin *cin, void *data)
{
    struct scalar_search *s = data;
    const struct cin *make = cin->kind == CIN_WHERE ? alike_assignment(cin->arg[1]) : NULL;
    if (!make || make->arg[0] != s->t || !cin_contains(cin->arg[0], s->part))
        return false;
    s->where = cin;
    return true;
}

/* Is the scalar read only in the sum, and made by loops that no directive has changed? */
static bool is_reduced(const struct factoring *f, const struct cin *where, const struct cin *t)
{
    const struct cin *make = alike_assignment(where->arg[1]),
                     *rest = cin_replace(f->cx, where->arg[0], f->part, cin_nothing(f->cx));
    return make->op == f->over && make->args == 2 && make->arg[1]->type == t->type
           && alike_loops(f->program, where->arg[1]) > 0 && !cin_uses_tensor(rest, t->tensor);
}

static void add_term(struct factoring *f, const struct cin *e, bool minus)
{
    struct term term = {.e = e, .product = e, .minus = minus, .is_negative = minus};
    struct scalar_search search = {.t = e, .part = f->part};
    if (e->kind == CIN_ACCESS && tensor_var_is_scalar(e->tensor) && e->type == f->part->type
        && cin_any(f->program->statement, find_reduction, &search)
        && is_reduced(f, search.where, e)) {
        term.where = search.where;
        term.product = alike_assignment(search.where->arg[1])->arg[1];
    }
    while (f->over == OP_ADD && cin_is_difference(term.product) && term.product->args == 1
           && term.product->type == f->part->type) {
        term.product = term.product->arg[0];
        term.is_negative = !term.is_negative;
    }
    vec_push(f->cx->arena, &f->term, term);
}

static void add_terms(struct factoring *f, const struct cin *e, bool minus)
{
    bool negates = f->over == OP_ADD && cin_is_difference(e);
    if (e->kind != CIN_OP || e->type != f->part->type || (e->op != f->over && !negates)) {
        add_term(f, e, minus);
        return;
    }
    for (int i = 0; i < e->args; i++)
        add_terms(f, e->arg[i], minus != (negates && i == e->args - 1));
}

/* ---- the factors ---- */

/* Converts an expression of a narrower type before it is multiplied or added. */
static const struct cin *in_type(const struct factoring *f, const struct cin *e)
{
    return e->type == f->part->type ? e : cin_op(f->cx, op_conversion(f->part->type), &e, 1);
}

/* Can the operation be the terms' product? */
static bool is_product(const struct factoring *f, const struct cin *e)
{
    struct value one;
    return e->kind == CIN_OP && e->args == 2 && e->type == f->part->type && e->op != f->over
           && op_associative(e->op) && op_commutative(e->op)
           && cin_op_distributes(f->cx, e, SIDE_LEFT, f->over)
           && cin_op_distributes(f->cx, e, SIDE_RIGHT, f->over)
           && operator_identity(f->cx, e->op, SIDE_RIGHT, e->type, &one);
}

static bool find_factors(struct factoring *f)
{
    f->op = OP_NONE;
    for (size_t i = 0; i < f->term.n && f->op == OP_NONE; i++)
        if (is_product(f, f->term.at[i].product))
            f->op = f->term.at[i].product->op;
    for (size_t i = 0; i < f->term.n && f->op != OP_NONE; i++) {
        struct cin_list factor = cin_chain(f->cx, f->term.at[i].product, f->op, &f->part->type);
        for (size_t k = 0; k < factor.n; k++)
            factor.at[k] = in_type(f, factor.at[k]);
        f->term.at[i].factor = factor;
    }
    return f->op != OP_NONE;
}

/* Returns the factors of both, each as often as both have it. */
static struct cin_list common_of(const struct factoring *f, const struct cin_list *a,
                                 const struct cin_list *b)
{
    struct cin_list common = {0};
    bool *used = arena_array(f->cx->arena, bool, b->n);
    for (size_t i = 0; i < a->n; i++) {
        size_t k = 0;
        while (k < b->n && (used[k] || b->at[k] != a->at[i]))
            k++;
        if (k == b->n || a->at[i]->kind == CIN_LITERAL)
            continue;
        used[k] = true;
        vec_push(f->cx->arena, &common, a->at[i]);
    }
    return common;
}

/* ---- the loops ---- */

/* Renames the variables of one term's loops to those of another, beginning with these two factors.
 * false if a loop of either has no counterpart. */
static bool rename_by(const struct factoring *f, const struct term *to, const struct term *from,
                      size_t first, size_t second, struct cin_list *renamed)
{
    struct alike same = {.cx = f->cx, .loops = {from->where->arg[1], to->where->arg[1]}};
    const int loops = alike_loops(f->program, same.loops[0]);
    if (!alike(&same, from->factor.at[second], to->factor.at[first]))
        return false;
    for (size_t i = 0; i < to->factor.n; i++)
        for (size_t k = 0; k < from->factor.n; k++)
            if (i != first && k != second)
                alike(&same, from->factor.at[k], to->factor.at[i]);
    if ((int)same.var[0].n != loops || loops != alike_loops(f->program, same.loops[1]))
        return false;
    for (size_t k = 0; k < from->factor.n; k++) {
        const struct cin *e = from->factor.at[k];
        for (size_t i = 0; i < same.var[0].n; i++)
            e = cin_rename(f->cx, e, same.var[0].at[i], same.var[1].at[i]);
        vec_push(f->cx->arena, renamed, e);
    }
    return true;
}

/* Returns the factors of the term in the names of another term's loops; none if the loops differ.
 */
static struct cin_list factors_beside(const struct factoring *f, const struct term *to,
                                      const struct term *from)
{
    struct cin_list best = {0};
    size_t most = 0;
    if (!to->where && !from->where)
        return from->factor;
    if (!to->where || !from->where)
        return best;
    for (size_t i = 0; i < to->factor.n; i++)
        for (size_t k = 0; k < from->factor.n; k++) {
            struct cin_list renamed = {0};
            if (!rename_by(f, to, from, i, k, &renamed))
                continue;
            size_t common = common_of(f, &to->factor, &renamed).n;
            if (common <= most)
                continue;
            best = renamed;
            most = common;
        }
    return best;
}

/* Is one term's where in the consumer of the other's? */
static bool is_term_inside(const struct term *one, const struct term *other)
{
    return cin_contains(other->where->arg[0], one->where);
}

/* Returns the innermost of the taken terms: all others get the names of its loops. */
static size_t base_of(const struct factoring *f)
{
    size_t base = 0;
    while (!f->taken[base])
        base++;
    for (size_t i = base + 1; i < f->term.n && f->term.at[base].where; i++)
        if (f->taken[i] && is_term_inside(&f->term.at[i], &f->term.at[base]))
            base = i;
    return base;
}

/* Takes the term, and every other term that has all the common factors. */
static bool take_terms(struct factoring *f, size_t first, size_t second)
{
    struct term *to = &f->term.at[first];
    struct cin_list beside = factors_beside(f, to, &f->term.at[second]);
    f->common = common_of(f, &to->factor, &beside);
    f->taken[first] = f->common.n > 0;
    for (size_t i = 0; i < f->term.n && f->common.n; i++) {
        struct cin_list other = factors_beside(f, to, &f->term.at[i]);
        f->taken[i] |= common_of(f, &f->common, &other).n == f->common.n;
    }
    return f->common.n > 0;
}

static bool find_common(struct factoring *f)
{
    bool found = false;
    f->taken = arena_array(f->cx->arena, bool, f->term.n);
    for (size_t i = 0; i < f->term.n && !found; i++)
        for (size_t k = i + 1; k < f->term.n && !found; k++)
            found = take_terms(f, i, k);
    return found;
}

/* ---- the product ---- */

static const struct cin *combine_terms(const struct factoring *f, const struct cin *sum,
                                       const struct cin *e, bool minus)
{
    if (!sum)
        return minus ? cin_op(f->cx, OP_NEG, &e, 1) : e;
    return cin_op(f->cx, minus ? OP_SUB : f->over, (const struct cin *[]){sum, e}, 2);
}

static const struct cin *multiply_rest(const struct factoring *f, const struct cin *product,
                                       const struct cin *e)
{
    return product ? cin_op(f->cx, f->op, (const struct cin *[]){product, e}, 2) : e;
}

/* Returns the factors without the common ones. */
static const struct cin *rest_of(const struct factoring *f, const struct cin_list *factor)
{
    const struct cin *rest = NULL;
    const struct cin_list *common = &f->common;
    bool *used = arena_array(f->cx->arena, bool, common->n);
    struct value one;
    for (size_t i = 0; i < factor->n; i++) {
        size_t k = 0;
        while (k < common->n && (used[k] || common->at[k] != factor->at[i]))
            k++;
        if (k < common->n)
            used[k] = true;
        else
            rest = multiply_rest(f, rest, factor->at[i]);
    }
    operator_identity(f->cx, f->op, SIDE_RIGHT, f->part->type, &one);
    return rest ? rest : cin_literal(f->cx, one);
}

/* Multiplies the common factors with the sum of the rest, in the names of the base.  NULL if a term
 * cannot be written in these names. */
static const struct cin *factored(struct factoring *f, size_t base)
{
    const struct cin *sum = NULL, *product = NULL;
    struct cin_list *factor = arena_array(f->cx->arena, struct cin_list, f->term.n);
    f->common = f->term.at[base].factor;
    for (size_t i = 0; i < f->term.n; i++) {
        if (!f->taken[i])
            continue;
        factor[i] = i == base ? f->term.at[base].factor
                              : factors_beside(f, &f->term.at[base], &f->term.at[i]);
        f->common = common_of(f, &f->common, &factor[i]);
    }
    for (size_t i = 0; i < f->term.n; i++)
        if (f->taken[i])
            sum = combine_terms(f, sum, rest_of(f, &factor[i]), f->term.at[i].is_negative);
    for (size_t i = 0; i < f->common.n; i++)
        product = multiply_rest(f, product, f->common.at[i]);
    return product ? multiply_rest(f, product, sum) : NULL;
}

/* Puts this in the place of the taken terms. */
static const struct cin *with_terms(const struct factoring *f, const struct cin *instead)
{
    const struct cin *sum = instead;
    for (size_t i = 0; i < f->term.n; i++)
        if (!f->taken[i])
            sum = combine_terms(f, sum, in_type(f, f->term.at[i].e), f->term.at[i].minus);
    return sum;
}

/* ---- the statement ---- */

static bool is_of_target(const struct factoring *f, const struct index_var *var)
{
    return cin_uses_var(f->assign->arg[0], var);
}

/* Does s reach each component of the target once, in loops over the target's own modes alone? */
static bool reaches_once(const struct factoring *f, const struct cin *s)
{
    if (s == f->assign)
        return true;
    if (cin_is_expression(s) || (s->kind == CIN_FORALL && !is_of_target(f, s->index[0])))
        return false;
    bool once = false;
    for (int i = 0; i < s->args; i++)
        once |= cin_contains(s->arg[i], f->assign) && reaches_once(f, s->arg[i]);
    return once;
}

/* Can the sum, which is the whole assigned value, be reduced into the target itself? */
static bool is_direct(const struct factoring *f, const struct term *base)
{
    const struct tensor_var *target = f->assign->arg[0]->tensor;
    struct cin_list made = cin_assignments(f->cx, f->program->statement);
    size_t same = 0;
    for (size_t i = 0; i < made.n; i++)
        same += made.at[i]->arg[0]->tensor == target;
    if (f->assign->arg[1] != f->part || f->assign->args != 2 || target->type != f->part->type
        || base->where->arg[0] != f->assign)
        return false;
    return f->assign->op == f->over
           || (f->assign->op == OP_NONE && same == 1 && !target->held && !target->temporary
               && !(f->program->accumulates && f->program->result == target)
               && reaches_once(f, f->program->statement)
               && operator_is_identity(f->cx, f->over, SIDE_LEFT, target->fill));
}

/* Builds the nest that reduces the product into this target. */
static const struct cin *reduce(const struct factoring *f, const struct term *base,
                                const struct cin *target, const struct cin *product)
{
    const struct cin *nest = base->where->arg[1], *make = alike_assignment(nest);
    return cin_replace(f->cx, nest, make, cin_assign(f->cx, f->over, target, product));
}

/* Drops the wheres of the other taken terms. */
static const struct cin *drop_wheres(const struct factoring *f, const struct cin *s, size_t base)
{
    if (cin_is_expression(s) || s->kind == CIN_ASSIGN)
        return s;
    for (size_t i = 0; i < f->term.n; i++)
        if (f->taken[i] && i != base && f->term.at[i].where && s->kind == CIN_WHERE
            && s->arg[1] == f->term.at[i].where->arg[1])
            return drop_wheres(f, s->arg[0], base);
    const struct cin *arg[CIN_ARGS_MAX];
    for (int i = 0; i < s->args; i++)
        arg[i] = drop_wheres(f, s->arg[i], base);
    return cin_with_args(f->cx, s, arg);
}

static const struct cin *rewrite(struct factoring *f, size_t base, const struct cin *product)
{
    struct context *cx = f->cx;
    const struct term *term = &f->term.at[base];
    const struct cin *statement = f->program->statement;
    if (!term->where)
        return cin_replace(cx, statement, f->assign,
                           cin_replace(cx, f->assign, f->part, with_terms(f, product)));
    size_t taken = 0;
    for (size_t i = 0; i < f->term.n; i++)
        taken += f->taken[i];
    const struct cin *where;
    if (taken == f->term.n && is_direct(f, term)) {
        where = reduce(f, term, f->assign->arg[0], product);
    } else {
        const struct cin *assign = cin_replace(cx, f->assign, f->part, with_terms(f, term->e));
        where = cin_where(cx, cin_replace(cx, term->where->arg[0], f->assign, assign),
                          reduce(f, term, term->e, product));
    }
    return drop_wheres(f, cin_replace(cx, statement, term->where, where), base);
}

static bool check_factoring(struct factoring *f)
{
    f->over = cin_is_difference(f->part) ? OP_ADD : f->part->op;
    if (f->part->kind != CIN_OP || !op_associative(f->over) || !op_commutative(f->over))
        return refuse_factoring(f, "it is no sum");
    if (!loops_has_dense_results(f->program))
        return refuse_factoring(f, "the result is not dense, and would store other components");
    add_terms(f, f->part, false);
    if (!find_factors(f))
        return refuse_factoring(f, "none of its terms is a product that distributes over it");
    return find_common(f) || refuse_factoring(f, "no two of its terms have a factor in common");
}

static const struct cin_program *apply_factor(struct context *cx, const struct cin_program *program,
                                              const struct schedule_call *call)
{
    struct factoring f = {.cx = cx, .program = program, .call = call};
    if (!loops_part(cx, program, call, false, &f.assign, &f.part) || !check_factoring(&f))
        return NULL;
    size_t base = base_of(&f);
    const struct cin *product = factored(&f, base);
    if (!product)
        return refuse_factoring(&f, "no two of its terms have a factor in common");
    struct cin_program *result = arena_copy(cx->arena, program, sizeof *program);
    result->statement = rewrite(&f, base, product);
    return loops_checked(cx, program, call, result);
}

const struct schedule_type schedule_factor = {
    .name = "factor",
    .usage = "factor(expr)",
    .brief = "make a product with a sum of a sum of products that have a factor in common",
    .apply = apply_factor,
};
