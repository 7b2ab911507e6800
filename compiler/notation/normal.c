/* normal.c - the normal form of sums and products: the spelling does not matter.
 *
 * A product is one product of factors, with whatever parentheses and sums it is written, if its
 * operator is associative and commutative and distributes over that of the sums (op.def).  Factors
 * that share a summed variable, directly or through others, form one sum:
 *
 *     A(i,j) * sum(k, B(j,k) * x(k))              sum of A(i,j) * B(j,k) * x(k)
 *     sum(j, sum(k, A(i,j) * b(k)))           sum(j, A(i,j)) * sum(k, b(k))
 *
 * Two sums over the same variable in one product get a variable each: sum(k, x(k)) * sum(k2,
 * b(k2)).
 *
 * A factor without a summed variable stands outside the sums, and is applied once.  It stands
 * inside if there is exactly one sum, which depends on all variables of the factor, and
 *
 *   - the factor reads something sparse and annihilates where that stores nothing, as B(i,j) and
 *     B(i,j) != 0 do, so less is summed; or the factor asks for presence, as not(stored(B(i,j))),
 *     and annihilates in one of the two cases;
 *   - or the factor is just a component or a number, and the sum is added to something or the
 *     result is sparse: then the sum is accumulated into the result, or into its rows.
 *
 * keep(sum(k, e), c) becomes the sum of keep(e, c) if the pattern of operands alone decides c.
 *
 * Factors stand in a fixed order: numbers, factors without a summed variable, then the others.
 * Each group is ordered by the result's variables, then by text.
 *
 * A negative term is subtracted (signs.c).
 *
 * Types stay: a sum or product of another type is one factor.  A product with an infinite fill and
 * one that annihilates stays as it is spelled, since its parentheses say where it is nothing and
 * where it is not a number.  Inside an operator that 0 settles, as 0 settles a quotient, no sparse
 * factor enters or leaves a sum: an empty sum is a number, and settles nothing, but 0 / 0 is none.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/notation/notation.h"

#include <string.h>

#include "compiler/base/text.h"
#include "compiler/base/vec.h"
#include "compiler/value/operator.h"

struct normal {
    struct context *cx;
    const struct tin *statement;
    const struct tin *result;          /* the assigned component */
    VEC(const struct index_var *) own; /* made for sums over a variable that is already summed */
    bool settled; /* what comes next is in an operator that 0 settles, and in no sum */
};

struct factor {
    const struct tin *node;
    int group; /* the group of factors that share summed variables; -1: it uses none */
    bool is_summed, was_inside; /* it was spelled inside a sum */
    const char *text;           /* for sorting */
};

struct product {
    const struct tin *node; /* the expression in this form */
    enum op op, over;       /* OP_NONE: there is no sum yet */
    enum type type;
    bool negative;
    bool settled; /* it is inside an operator that 0 settles, by whichever operand */
    VEC(struct factor) factor;
    VEC(const struct index_var *) var; /* the summed variables */
};

static const struct tin *normal(struct normal *n, const struct tin *e, enum op combining);

/* ---- questions ---- */

static bool is_product_op(enum op op)
{
    return op != OP_NONE && op_arity(op) == 2 && op_associative(op) && op_commutative(op);
}

/* Is it a product of this type, and computed in it? */
static bool is_product(const struct tin *e, enum type type)
{
    enum type operand[2];
    if (e->kind != TIN_OP || !is_product_op(e->op) || e->type != type)
        return false;
    for (int i = 0; i < 2; i++)
        operand[i] = e->arg[i]->type;
    return operator_compute_type(e->op, operand) == type;
}

/* Does the operator distribute over the other's sums in this type, empty ones included? */
static bool distributes(struct context *cx, enum op op, enum op over, enum type type)
{
    struct value start, absorbed;
    bool wraps =
        type_is_integer(type) && op != OP_MIN && op != OP_MAX && (over == OP_MIN || over == OP_MAX);
    return operator_distributes(cx, op, SIDE_LEFT, over) && (op_is_user(op) || !wraps)
           && operator_identity(cx, over, SIDE_LEFT, type, &start)
           && operator_absorbs(cx, op, SIDE_LEFT, start, &absorbed);
}

/* ---- gathering ---- */

static void add_factor(struct normal *n, struct product *p, const struct tin *node)
{
    struct factor factor = {.node = node, .group = -1, .was_inside = p->over != OP_NONE};
    vec_push(n->cx->arena, &p->factor, factor);
}

/* Collects the factors of a product by the operator; sums stay whole. */
static void gather_factors(struct normal *n, struct product *p, const struct tin *e)
{
    for (; p->op == OP_MUL && tin_is_negative(e, p->type); e = e->arg[0])
        p->negative = !p->negative;
    bool inner = is_product(e, p->type) && e->op == p->op;
    if (!inner)
        add_factor(n, p, e);
    for (int i = 0; i < e->args && inner; i++)
        gather_factors(n, p, e->arg[i]);
}

/* May the sum's variables go around the whole product? */
static bool is_open(const struct normal *n, const struct product *p, const struct tin *sum)
{
    if (sum->kind != TIN_REDUCE || sum->type != p->type || sum->arg[0]->type != p->type
        || (p->over != OP_NONE ? sum->op != p->over : !distributes(n->cx, p->op, sum->op, p->type)))
        return false;
    for (int i = 0; i < sum->indices; i++)
        if (!tin_uses_var(sum->arg[0], sum->index[i]))
            return false;
    return true;
}

/* Is the variable summed around the product, or inside another factor? */
static bool is_taken(const struct product *p, const struct index_var *var)
{
    bool taken = false;
    for (size_t k = 0; k < p->var.n; k++)
        taken |= p->var.at[k] == var;
    for (size_t k = 0; k < p->factor.n; k++)
        taken |= tin_uses_var(p->factor.at[k].node, var);
    return taken;
}

/* Makes another variable with the same range. */
static const struct index_var *own_var(struct normal *n, const struct index_var *like)
{
    struct index_var *own = arena_make(n->cx->arena, struct index_var);
    bool used = true;
    *own = (struct index_var){.size = like->size, .about = like->about, .like = like};
    for (int number = 2; used; number++) {
        own->name = intern(n->cx, arena_printf(n->cx->arena, "%s%d", like->name, number));
        used = tin_uses_name(n->statement, own->name);
        for (size_t i = 0; i < n->own.n; i++)
            used |= n->own.at[i]->name == own->name;
    }
    vec_push(n->cx->arena, &n->own, own);
    return own;
}

static void open_sum(struct normal *n, struct product *p, size_t at)
{
    const struct tin *sum = p->factor.at[at].node, *summed = sum->arg[0];
    size_t last = --p->factor.n;
    p->over = sum->op;
    p->factor.at[at] = p->factor.at[last];
    for (int i = 0; i < sum->indices; i++) {
        const struct index_var *var = sum->index[i];
        if (is_taken(p, var)) {
            var = own_var(n, var);
            summed = tin_with_var(n->cx, summed, sum->index[i], var);
        }
        vec_push(n->cx->arena, &p->var, var);
    }
    gather_factors(n, p, summed);
}

static void open_sums(struct normal *n, struct product *p)
{
    for (size_t i = 0; i < p->factor.n;) {
        if (is_open(n, p, p->factor.at[i].node))
            open_sum(n, p, i);
        else
            i++;
    }
}

/* ---- groups ---- */

/* Numbers the groups of factors that share variables.  Returns how many there are. */
static int find_groups(struct product *p)
{
    int groups = 0;
    for (size_t v = 0; v < p->var.n; v++) {
        int group = groups++;
        for (size_t i = 0; i < p->factor.n; i++) {
            struct factor *f = &p->factor.at[i];
            int was = f->group;
            if (!tin_uses_var(f->node, p->var.at[v]))
                continue;
            f->is_summed = true;
            f->group = group;
            for (size_t k = 0; k < p->factor.n && was >= 0; k++)
                if (p->factor.at[k].group == was)
                    p->factor.at[k].group = group;
        }
    }
    return groups;
}

/* If one factor's fill absorbs other values, does it absorb the other's fill? */
static bool absorbs_fill(const struct normal *n, const struct product *p, size_t one, size_t other)
{
    struct value absorbed, operand[2];
    for (int i = 0; i < 2; i++) {
        if (!tin_value_where(n->cx, p->factor.at[i ? other : one].node, false, &operand[i]))
            return true;
        operand[i] = value_convert(operand[i], p->type);
    }
    return !operator_absorbs(n->cx, p->op, SIDE_LEFT, operand[0], &absorbed)
           || value_equal(operator_fold(n->cx, p->op, operand), absorbed);
}

/* Is the product the same in any order where components are not stored?  0 is, unless a fill is
 * infinite: then the order decides whether the product is nothing or not a number. */
static bool has_orders(const struct normal *n, const struct product *p)
{
    bool has = true;
    for (size_t i = 0; i < p->factor.n && has; i++)
        for (size_t k = 0; k < p->factor.n && has; k++)
            has = i == k || absorbs_fill(n, p, i, k);
    return has;
}

/* Does 0 as one of the operands decide the operator's result? */
static bool is_settled_by_0(const struct normal *n, enum op op, enum type type)
{
    struct value absorbed;
    return operator_absorbs(n->cx, op, SIDE_LEFT, value_zero(type), &absorbed)
           || operator_absorbs(n->cx, op, SIDE_RIGHT, value_zero(type), &absorbed);
}

/* Is the product nothing where the factor's operand stores nothing, or in one of the two cases that
 * the factor asks about? */
static bool restricts(const struct normal *n, const struct product *p, const struct tin *e)
{
    struct value value, absorbed;
    bool some = false, is_mask = e->kind == TIN_OP && tin_somewhere(e, tin_asks);
    for (int stored = 0; stored <= is_mask && !some; stored++)
        some =
            (is_mask || tin_somewhere(e, tin_is_sparse))
            && tin_value_where(n->cx, e, stored, &value)
            && operator_absorbs(n->cx, p->op, SIDE_LEFT, value_convert(value, p->type), &absorbed);
    return some;
}

/* Would a factor that restricts leave its sum inside an operator that 0 settles? */
static bool would_settle(const struct normal *n, const struct product *p)
{
    bool would = false;
    for (size_t i = 0; i < p->factor.n && p->settled && !would; i++) {
        const struct tin *e = p->factor.at[i].node;
        would = p->factor.at[i].was_inside && restricts(n, p, e);
        for (size_t v = 0; v < p->var.n && would; v++)
            would = !tin_uses_var(e, p->var.at[v]);
    }
    return would;
}

/* Does the group's sum depend on all variables of the expression?  Otherwise it would be computed
 * again for each value of the others. */
static bool depends_on_all(const struct product *p, int group, const struct tin *e)
{
    bool all = true;
    for (int i = 0; i < e->args && all; i++)
        all = depends_on_all(p, group, e->arg[i]);
    for (int i = 0; i < e->indices && all; i++) {
        all = false;
        for (size_t k = 0; k < p->factor.n && !all; k++)
            all = p->factor.at[k].group == group && tin_uses_var(p->factor.at[k].node, e->index[i]);
    }
    return all;
}

/* Should a component or a number without a summed variable stand inside the one sum? */
static bool is_inside(const struct normal *n, const struct product *p, const struct tin *e,
                      enum op combining)
{
    bool is_old = e->kind == TIN_ACCESS && (e->tensor->before || e->tensor == n->result->tensor);
    bool is_simple = e->kind == TIN_LITERAL || (e->kind == TIN_ACCESS && !is_old);
    bool accumulates = combining == p->over || !format_is_dense(n->result->tensor->format);
    return restricts(n, p, e) ? !p->settled : is_simple && !tin_is_sparse(e) && accumulates;
}

/* ---- order ---- */

static const char *text_of(struct normal *n, const struct tin *e)
{
    struct text text = text_new(n->cx->arena);
    tin_print(&text, e);
    return text.at;
}

/* Returns the first access in the factor's text, NULL if it has none. */
static const struct tin *first_access(const struct tin *e)
{
    const struct tin *access = e->kind == TIN_ACCESS ? e : NULL;
    for (int i = 0; i < e->args && !access; i++)
        access = first_access(e->arg[i]);
    return access;
}

/* Returns the place, among the result's variables, of the access's first one; behind them all for
 * another variable. */
static int first_place(const struct normal *n, const struct tin *access)
{
    int place = 0;
    while (access->indices > 0 && place < n->result->indices
           && n->result->index[place] != access->index[0])
        place++;
    return place;
}

/* Ranks numbers, scalars, components, sums. */
static int rank(const struct factor *f)
{
    const struct tin *access = first_access(f->node);
    return f->node->kind == TIN_REDUCE ? 3 : !access ? 0 : access->indices == 0 ? 1 : 2;
}

static int compare_factors(const struct normal *n, const struct factor *a, const struct factor *b)
{
    const struct tin *p = first_access(a->node), *q = first_access(b->node);
    int first = a->is_summed - b->is_summed;
    first = first ? first : rank(a) - rank(b);
    if (!first && p && q) {
        first = first_place(n, p) - first_place(n, q);
        first = first ? first : q->indices - p->indices;
    }
    return first ? first : strcmp(a->text, b->text);
}

/* By insertion, since there are few.  Added terms, and operands of other operators, keep their
 * order. */
static void sort(struct normal *n, struct product *p)
{
    if (p->over == OP_NONE && p->op != OP_MUL)
        return;
    for (size_t i = 0; i < p->factor.n; i++)
        p->factor.at[i].text = text_of(n, p->factor.at[i].node);
    for (size_t i = 1; i < p->factor.n; i++) {
        struct factor factor = p->factor.at[i];
        size_t at = i;
        for (; at > 0 && compare_factors(n, &p->factor.at[at - 1], &factor) > 0; at--)
            p->factor.at[at] = p->factor.at[at - 1];
        p->factor.at[at] = factor;
    }
}

/* Puts the variables into the order in which the sorted factors use them. */
static void sort_vars(struct product *p)
{
    size_t sorted = 0;
    for (size_t i = 0; i < p->factor.n; i++) {
        const struct tin *e = p->factor.at[i].node;
        for (int k = 0; k < e->indices && e->kind == TIN_ACCESS; k++)
            for (size_t v = sorted; v < p->var.n; v++)
                if (p->var.at[v] == e->index[k]) {
                    p->var.at[v] = p->var.at[sorted];
                    p->var.at[sorted++] = e->index[k];
                }
    }
}

/* ---- construction ---- */

/* Does it consist of literals only, which take the type of their neighbours (types.c)? */
static bool is_weak(const struct tin *e)
{
    enum type operand[3];
    bool weak = e->kind == TIN_OP && e->op != op_conversion(e->type);
    if (e->kind == TIN_LITERAL)
        return e->type != TYPE_BOOL;
    for (int i = 0; i < e->args; i++) {
        operand[i] = e->arg[i]->type;
        weak = weak && ((e->op == OP_SELECT && i == 0) || is_weak(e->arg[i]));
    }
    return weak && operator_compute_type(e->op, operand) == e->type;
}

/* Multiplies the group's factors, in the product's type; numbers take it from their neighbours.
 * NULL if there are none. */
static const struct tin *product_of_group(struct normal *n, const struct product *p, int group)
{
    const struct tin *product = NULL;
    for (size_t i = 0; i < p->factor.n; i++) {
        const struct tin *factor = p->factor.at[i].node, *arg[] = {product, factor};
        if (p->factor.at[i].group != group)
            continue;
        bool narrow = product && product->type != p->type,
             converts = product && (narrow || is_weak(product));
        if (converts && factor->type != p->type)
            arg[1] = tin_op(n->cx, factor->span, op_conversion(p->type), &factor, 1);
        else if (narrow && is_weak(factor))
            arg[0] = tin_op(n->cx, product->span, op_conversion(p->type), &product, 1);
        product = product ? tin_op(n->cx, p->node->span, p->op, arg, 2) : factor;
    }
    return product;
}

/* Sums the group's product over its variables. */
static const struct tin *make_sum(struct normal *n, const struct product *p, int group)
{
    const struct tin *product = product_of_group(n, p, group);
    const struct index_var **index = arena_array(n->cx->arena, const struct index_var *, p->var.n);
    int indices = 0;
    for (size_t v = 0; v < p->var.n; v++)
        if (tin_uses_var(product, p->var.at[v]))
            index[indices++] = p->var.at[v];
    struct tin *sum =
        (struct tin *)tin_reduce(n->cx, p->node->span, p->over, index, indices, product);
    sum->type = p->type;
    return sum;
}

/* Returns the one group of summed factors, -1 if there is none or more than one. */
static int only_group(const struct product *p)
{
    int only = -1;
    for (size_t i = 0; i < p->factor.n; i++) {
        int group = p->factor.at[i].group;
        if (group >= 0 && only >= 0 && group != only)
            return -1;
        only = group >= 0 ? group : only;
    }
    return only;
}

/* Negates the product's first factor of the product's type. */
static void negate(struct normal *n, struct product *p)
{
    size_t at = 0;
    while (at < p->factor.n && p->factor.at[at].node->type != p->type)
        at++;
    struct factor *f = &p->factor.at[at < p->factor.n ? at : 0];
    if (f->node->type != p->type)
        f->node = tin_op(n->cx, f->node->span, op_conversion(p->type), &f->node, 1);
    f->node = tin_op(n->cx, f->node->span, OP_NEG, &f->node, 1);
}

/* Replaces each group of summed factors by one factor, their sum. */
static void sum_groups(struct normal *n, struct product *p, int groups)
{
    struct product whole = {.node = p->node, .op = p->op, .over = p->over, .type = p->type};
    for (size_t i = 0; i < p->factor.n; i++)
        if (p->factor.at[i].group < 0)
            vec_push(n->cx->arena, &whole.factor, p->factor.at[i]);
    for (int group = 0; group < groups; group++) {
        struct factor sum = {.group = -1, .is_summed = true};
        if (!product_of_group(n, p, group))
            continue;
        sum.node = make_sum(n, p, group);
        vec_push(n->cx->arena, &whole.factor, sum);
    }
    *p = whole;
}

static const struct tin *make_product(struct normal *n, struct product *p, enum op combining)
{
    int groups = find_groups(p), only = only_group(p);
    const bool settled = p->settled || is_settled_by_0(n, p->op, p->type);
    for (size_t i = 0; i < p->factor.n; i++) {
        struct factor *f = &p->factor.at[i];
        n->settled = settled && !f->is_summed;
        f->node = normal(n, f->node, p->over == OP_NONE && p->op == combining ? p->op : OP_NONE);
        if (!f->is_summed && only >= 0 && depends_on_all(p, only, f->node)
            && is_inside(n, p, f->node, combining))
            f->group = only;
    }
    sort(n, p);
    if (p->negative)
        negate(n, p);
    sort_vars(p);
    sum_groups(n, p, groups);
    sort(n, p);
    return product_of_group(n, p, -1);
}

/* ---- expressions ---- */

/* Returns the operator of the product that the expression is, or is a sum of.  OP_NONE if it is
 * none. */
static enum op product_op(struct context *cx, const struct tin *e)
{
    const struct tin *body = e, *sum = NULL;
    while (
        tin_is_negative(body, e->type)
        || (body->kind == TIN_REDUCE && body->type == e->type && (!sum || body->op == sum->op))) {
        sum = body->kind == TIN_REDUCE ? body : sum;
        body = body->arg[0];
    }
    if (!is_product(body, e->type) || (tin_is_negative(e, e->type) && body->op != OP_MUL))
        return OP_NONE;
    return !sum || distributes(cx, body->op, sum->op, e->type) ? body->op : OP_NONE;
}

/* Brings the operands into normal form. */
static const struct tin *normal_args(struct normal *n, const struct tin *e, enum op combining,
                                     bool settled)
{
    const struct tin *arg[3];
    settled |= e->kind == TIN_OP && e->args == 2 && is_settled_by_0(n, e->op, e->arg[0]->type);
    for (int i = 0; i < e->args; i++) {
        n->settled = settled && e->kind == TIN_OP;
        arg[i] = normal(n, e->arg[i], combining);
    }
    return tin_with_args(n->cx, e, arg);
}

/* Brings an expression into normal form.  `combining` combines it with other terms of the result;
 * OP_NONE if nothing does. */
static const struct tin *normal(struct normal *n, const struct tin *e, enum op combining)
{
    const bool settled = n->settled;
    n->settled = false;
    if (e->kind == TIN_LITERAL || e->kind == TIN_ACCESS)
        return e;
    struct product p = {.node = e,
                        .op = product_op(n->cx, e),
                        .over = OP_NONE,
                        .type = e->type,
                        .settled = settled};
    if (p.op != OP_NONE) {
        gather_factors(n, &p, e);
        open_sums(n, &p);
    }
    /* a sum over a variable that its product does not use is no product of sums */
    bool whole = p.factor.n == 1 && p.factor.at[0].node == e;
    if (p.op == OP_NONE || whole || !has_orders(n, &p) || would_settle(n, &p))
        return normal_args(n, e, e->op == OP_SUB || e->op == OP_NEG ? combining : OP_NONE, settled);
    return make_product(n, &p, combining);
}

/* Does the pattern of operands alone decide the condition, and does the sum depend on all of its
 * variables? */
static bool is_structural(const struct normal *n, const struct tin *condition,
                          const struct tin *sum)
{
    struct factor summed = {.node = sum->arg[0]};
    const struct product p = {.factor = {.at = &summed, .n = 1}};
    struct value value;
    return tin_value_where(n->cx, condition, true, &value)
           && tin_value_where(n->cx, condition, false, &value)
           && depends_on_all(&p, summed.group, condition);
}

/* Turns keep(sum(k, e), c) into sum(k, keep(e, c)), which sums only what is kept. */
static const struct tin *keep_inside(struct normal *n, const struct tin *kept)
{
    const struct tin *sum = kept->arg[0];
    if (sum->kind != TIN_REDUCE || sum->type != kept->type || sum->arg[0]->type != kept->type
        || !operator_is_identity(n->cx, sum->op, SIDE_LEFT, n->result->tensor->fill)
        || !is_structural(n, kept->arg[1], sum))
        return kept;
    const struct tin *arg[] = {sum->arg[0], kept->arg[1]};
    const struct tin *inside = tin_op(n->cx, kept->span, OP_KEEP, arg, 2);
    return tin_with_args(n->cx, sum, &inside);
}

/* Returns the operator that combines the value's terms: the assignment's, or that of a sum. */
static enum op combining_of(const struct tin *statement)
{
    const struct tin *value = statement->arg[1];
    while (value->kind == TIN_OP && value->op == OP_NEG)
        value = value->arg[0];
    return statement->op != OP_NONE ? statement->op
           : value->kind != TIN_OP  ? OP_NONE
           : value->op == OP_SUB    ? OP_ADD
                                    : value->op;
}

const struct tin *tin_normal(struct context *cx, const struct tin *all)
{
    int count = tin_statements(all);
    const struct tin **one = arena_array(cx->arena, const struct tin *, count);
    for (int s = 0; s < count; s++) {
        const struct tin *statement = tin_statement(all, s);
        struct normal n = {.cx = cx, .statement = statement, .result = statement->arg[0]};
        const struct tin *value =
            tin_subtract(cx, normal(&n, statement->arg[1], combining_of(statement)));
        value = tin_is_kept(value) ? keep_inside(&n, value) : value;
        one[s] = tin_assign(cx, statement->span, statement->op, statement->arg[0], value);
    }
    return tin_multi(cx, one, count);
}
