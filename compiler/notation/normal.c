/* normal.c - the normal form of sums and products, so that it does not matter how they are spelled.
 *
 * A product is one product of factors, whatever parentheses and sums it is written with, if its
 * operator is associative and commutative and distributes over that of the sums (op.def).  Factors
 * that share a summed variable, be it by way of others, are one sum:
 *
 *     A(i,j) * sum(k, B(j,k) * x(k))              sum of A(i,j) * B(j,k) * x(k)
 *     sum(j, sum(k, A(i,j) * b(k)))           sum(j, A(i,j)) * sum(k, b(k))
 *
 * Sums over one variable in one product get a variable each:  sum(k, x(k)) * sum(k2, b(k2)).
 *
 * A factor that uses no summed variable stands outside, and is applied once.  It stands inside the
 * one sum that there is, if that depends on all variables of the factor,
 *
 *   - if what it reads is stored sparse and it annihilates where nothing is, as B(i,j) and
 *     B(i,j) != 0 do: what it does not store is not summed; and if it asks for that, as
 *     not(stored(B(i,j))), and annihilates where a component is, or is not;
 *     unless an operator is around that 0 settles, as the division of 0 does: a sum of nothing is a
 *     number, of which 0 / 0 is none, and settles nothing;
 *   - if it is nothing but a component or a number, and the sum is added to something or the result
 *     is sparse: then the sum is accumulated into the result, or into its rows.
 *
 * keep(sum(k, e), c) is the sum of what is kept, if what is stored alone decides c.
 *
 * Factors stand in an order of their own: numbers, those that use no summed variable, then the
 * others, each by the variables of the result and by their text.
 *
 * Types stay: what is summed or multiplied in another type is a factor as a whole.  A product of
 * fills that annihilate and of infinite ones stays as it is spelled, since its parentheses say
 * where it is nothing and where it is not a number.
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
    const struct tin *result;          /* the component that is assigned */
    VEC(const struct index_var *) own; /* variables made for sums over one that is summed */
    enum op around; /* whose operand of this number comes next; OP_NONE: another's */
    int operand;
};

struct factor {
    const struct tin *node;
    int group; /* of the factors that share summed variables; -1: it uses none */
    bool is_summed;
    const char *text; /* sorts it */
};

struct product {
    const struct tin *node; /* it stands for this one */
    enum op op, over;       /* OP_NONE: there is no sum yet */
    enum type type;
    bool negative;
    bool settles; /* 0, which a factor makes of it, settles what is around */
    VEC(struct factor) factor;
    VEC(const struct index_var *) var; /* summed */
};

static const struct tin *normal(struct normal *n, const struct tin *e, enum op combining);

/* ---- questions ---- */

static bool is_product_op(enum op op)
{
    return op != OP_NONE && op_arity(op) == 2 && op_associative(op) && op_commutative(op);
}

/* Is it a product in this type, in which it is also computed? */
static bool is_product(const struct tin *e, enum type type)
{
    enum type operand[2];
    if (e->kind != TIN_OP || !is_product_op(e->op) || e->type != type)
        return false;
    for (int i = 0; i < 2; i++)
        operand[i] = e->arg[i]->type;
    return operator_compute_type(e->op, operand) == type;
}

/* Does the operator distribute over sums by the other in this type, those of nothing included? */
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
    vec_push(n->cx->arena, &p->factor, ((struct factor){.node = node, .group = -1}));
}

/* Is it the negative of a number of this type? */
static bool is_negative(const struct tin *e, enum type type)
{
    return e->kind == TIN_OP && e->op == OP_NEG && type != TYPE_BOOL && e->type == type
           && e->arg[0]->type == type;
}

/* The factors of a product by the operator, sums as they are. */
static void gather_factors(struct normal *n, struct product *p, const struct tin *e)
{
    for (; p->op == OP_MUL && is_negative(e, p->type); e = e->arg[0])
        p->negative = !p->negative;
    bool inner = is_product(e, p->type) && e->op == p->op;
    if (!inner)
        add_factor(n, p, e);
    for (int i = 0; i < e->args && inner; i++)
        gather_factors(n, p, e->arg[i]);
}

/* May the sum's variables run around the whole product? */
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

/* Is the variable summed around the product, or that of another factor? */
static bool is_taken(const struct product *p, const struct index_var *var)
{
    bool taken = false;
    for (size_t k = 0; k < p->var.n; k++)
        taken |= p->var.at[k] == var;
    for (size_t k = 0; k < p->factor.n; k++)
        taken |= tin_uses_var(p->factor.at[k].node, var);
    return taken;
}

/* Another variable that runs through the same range. */
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

/* Number the groups of factors that share variables; how many there are. */
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

/* Is the product of two what the fill of one absorbs, if it absorbs others? */
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

/* Where components are not stored, is the product the same in any order?  0 is, unless a fill is
 * infinite: then it is nothing, or not a number, as they are multiplied. */
static bool has_orders(const struct normal *n, const struct product *p)
{
    bool has = true;
    for (size_t i = 0; i < p->factor.n && has; i++)
        for (size_t k = 0; k < p->factor.n && has; k++)
            has = i == k || absorbs_fill(n, p, i, k);
    return has;
}

/* Is the product nothing where what the factor reads is not stored, or where what it asks for is,
 * or is not? */
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

/* Does the sum of the group depend on all variables of the expression?  Else it would be computed
 * anew for each value of the others. */
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

/* Had a component or a number that uses no summed variable better stand inside the one sum? */
static bool is_inside(const struct normal *n, const struct product *p, const struct tin *e,
                      enum op combining)
{
    bool is_simple = e->kind == TIN_LITERAL || (e->kind == TIN_ACCESS && !e->tensor->before);
    bool accumulates = combining == p->over || !format_is_dense(n->result->tensor->format);
    return restricts(n, p, e) ? !p->settles : is_simple && !tin_is_sparse(e) && accumulates;
}

/* ---- order ---- */

static const char *text_of(struct normal *n, const struct tin *e)
{
    struct text text = text_new(n->cx->arena);
    tin_print(&text, e);
    return text.at;
}

/* The access that the text of a factor begins with; NULL: it has none. */
static const struct tin *first_access(const struct tin *e)
{
    const struct tin *access = e->kind == TIN_ACCESS ? e : NULL;
    for (int i = 0; i < e->args && !access; i++)
        access = first_access(e->arg[i]);
    return access;
}

/* The place among the result's variables of the first one of the access; another one: behind. */
static int first_place(const struct normal *n, const struct tin *access)
{
    int place = 0;
    while (access->indices > 0 && place < n->result->indices
           && n->result->index[place] != access->index[0])
        place++;
    return place;
}

/* Numbers, scalars, components, sums. */
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

/* By insertion: there are few.  Terms that are added, and what is no product otherwise, keep their
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

/* Variables in the order in which the sorted factors have them. */
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

/* ---- making ---- */

/* Is it of literals alone, which take the type of what they are combined with (types.c)? */
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

/* The product of the group's factors, all in the product's type, which numbers leave to what they
 * are multiplied with; NULL: there are none. */
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

/* ... summed over its variables. */
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

/* The group of all summed factors; -1: there is none, or more than one. */
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

/* A factor is the negative of what it was, the first one in the product's type. */
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

/* Each group of summed factors is one factor, their sum. */
static void sum_groups(struct normal *n, struct product *p, int groups)
{
    struct product whole = {.node = p->node, .op = p->op, .over = p->over, .type = p->type};
    for (size_t i = 0; i < p->factor.n; i++)
        if (p->factor.at[i].group < 0)
            vec_push(n->cx->arena, &whole.factor, p->factor.at[i]);
    for (int group = 0; group < groups; group++)
        if (product_of_group(n, p, group))
            vec_push(n->cx->arena, &whole.factor,
                     ((struct factor){make_sum(n, p, group), -1, true, NULL}));
    *p = whole;
}

static const struct tin *make_product(struct normal *n, struct product *p, enum op combining)
{
    int groups = find_groups(p), only = only_group(p);
    for (size_t i = 0; i < p->factor.n; i++) {
        struct factor *f = &p->factor.at[i];
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

/* The operator of the product that the expression is, or is a sum of; OP_NONE: it is none. */
static enum op product_op(struct context *cx, const struct tin *e)
{
    const struct tin *body = e, *sum = NULL;
    while (
        is_negative(body, e->type)
        || (body->kind == TIN_REDUCE && body->type == e->type && (!sum || body->op == sum->op))) {
        sum = body->kind == TIN_REDUCE ? body : sum;
        body = body->arg[0];
    }
    if (!is_product(body, e->type) || (is_negative(e, e->type) && body->op != OP_MUL))
        return OP_NONE;
    return !sum || distributes(cx, body->op, sum->op, e->type) ? body->op : OP_NONE;
}

/* With its operands in normal form. */
static const struct tin *normal_args(struct normal *n, const struct tin *e, enum op combining)
{
    const struct tin *arg[3];
    for (int i = 0; i < e->args; i++) {
        n->around = e->kind == TIN_OP && e->args == 2 ? e->op : OP_NONE;
        n->operand = i;
        arg[i] = normal(n, e->arg[i], combining);
    }
    return tin_with_args(n->cx, e, arg);
}

/* The expression, which `combining` combines with other terms of the result; OP_NONE: nothing
 * does. */
static const struct tin *normal(struct normal *n, const struct tin *e, enum op combining)
{
    const enum op around = n->around;
    struct value absorbed;
    n->around = OP_NONE;
    if (e->kind == TIN_LITERAL || e->kind == TIN_ACCESS)
        return e;
    struct product p = {.node = e, .op = product_op(n->cx, e), .over = OP_NONE, .type = e->type};
    p.settles = around != OP_NONE
                && operator_absorbs(n->cx, around, n->operand ? SIDE_RIGHT : SIDE_LEFT,
                                    value_zero(e->type), &absorbed);
    if (p.op != OP_NONE) {
        gather_factors(n, &p, e);
        open_sums(n, &p);
    }
    /* a sum of a product whose variable nothing uses is no product of sums */
    bool whole = p.factor.n == 1 && p.factor.at[0].node == e;
    if (p.op == OP_NONE || whole || !has_orders(n, &p))
        return normal_args(n, e, e->op == OP_SUB || e->op == OP_NEG ? combining : OP_NONE);
    return make_product(n, &p, combining);
}

/* Do the components decide the condition that are stored, and does the sum depend on all of its
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

/* keep(sum(k, e), c) as sum(k, keep(e, c)): what is not kept is not summed. */
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

/* The right-hand side of a statement. */
static const struct tin *normal_value(struct normal *n, const struct tin *value, enum op combining)
{
    value = normal(n, value, combining);
    return tin_is_kept(value) ? keep_inside(n, value) : value;
}

/* What combines the terms of the value: that of the assignment, or of a sum of several. */
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
        struct normal n = {
            .cx = cx, .statement = statement, .result = statement->arg[0], .around = OP_NONE};
        const struct tin *value = normal_value(&n, statement->arg[1], combining_of(statement));
        one[s] = tin_assign(cx, statement->span, statement->op, statement->arg[0], value);
    }
    return tin_multi(cx, one, count);
}
