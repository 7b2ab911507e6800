/* einstein.c - the Einstein rule: makes implicit sums explicit.
 *
 * An index variable that is not on the left and that no reduction binds is summed, term by term
 * (docs/language.md has the rule with examples).  Below, sum(V, e) is e with the sums over the
 * variables V, all used in e, made explicit:
 *
 *     access            the sum of it
 *     -a  a + b  a - b  each operand with the sums over the variables it uses
 *     a * b             over those that both use: the sum of the product; over the others: in the
 *                       one that uses them
 *     a / b             over those that b uses: the sum of the quotient; over the others: in a
 *     f(a, ...)  a < b  the sum of it
 *     reduction         in its body; and wherever all uses of a variable are inside one reduction,
 *                       there
 *
 * A sum around a / b, f(a, ...) or a < b is refused if an operand has a term without the variable:
 * a reader who goes term by term would sum inside, over the other terms alone.
 *
 * In a product, a sum joins another one if it would otherwise stand inside that one and that one
 * is over a variable of its own factors.  So B(i,k,l)*C(k,r)*D(l,r) is one sum over k and l, and
 * the order of the loops stays open.
 *
 * A sum over a product is refused if multiplying out would leave a term without the variable.  By
 * the rule, term by term, that term would count once; by the product, as often as the variable has
 * values.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/notation/check.h"

#include "compiler/base/text.h"
#include "compiler/value/operator.h"

_Static_assert((int)TIN_INDICES_MAX <= (int)BITS_MAX, "a set holds every index variable");

/* A node with its free index variables. */
struct term {
    const struct tin *node;
    struct bits free;
    const struct term *arg[3];
};

struct summing {
    struct context *cx;
    const struct index_var *const *index;
    int indices;
    int errors;
};

/* ---- questions ---- */

static int number_of(const struct summing *s, const struct index_var *var)
{
    for (int v = 0; v < s->indices; v++)
        if (s->index[v] == var)
            return v;
    context_bug(s->cx, "the index variable %s is not in the statement's list", var->name);
}

static const struct term *make_term(struct summing *s, const struct tin *node)
{
    struct term *term = arena_make(s->cx->arena, struct term);
    term->node = node;
    for (int i = 0; i < node->args; i++) {
        term->arg[i] = make_term(s, node->arg[i]);
        term->free = bits_or(term->free, term->arg[i]->free);
    }
    for (int i = 0; i < node->indices; i++) {
        int v = number_of(s, node->index[i]);
        term->free =
            node->kind == TIN_REDUCE ? bits_without(term->free, v) : bits_with(term->free, v);
    }
    return term;
}

static bool is_op(const struct term *term, enum op op)
{
    return term->node->kind == TIN_OP && term->node->op == op;
}

static bool is_product(const struct term *term)
{
    return is_op(term, OP_MUL) || is_op(term, OP_NEG);
}

/* Are all uses of the variable in the term inside one explicit reduction? */
static bool is_inside_reduction(const struct term *term, int v)
{
    while (term->node->kind == TIN_OP) {
        const struct term *user = NULL;
        for (int i = 0; i < term->node->args; i++) {
            if (!bits_has(term->arg[i]->free, v))
                continue;
            if (user)
                return false;
            user = term->arg[i];
        }
        if (!user)
            return false;
        term = user;
    }
    return term->node->kind == TIN_REDUCE;
}

/* Does it consist of literals only? */
static bool is_constant(const struct tin *node)
{
    bool constant = node->kind != TIN_ACCESS;
    for (int i = 0; i < node->args && constant; i++)
        constant = is_constant(node->arg[i]);
    return constant;
}

static bool is_in_every_term(const struct term *term, int v);

/* Is the variable in every term of every operand?  A constant operand, as the 2 in a ** 2, has no
 * terms. */
static bool is_in_every_operand(const struct term *term, int v)
{
    for (int i = 0; i < term->node->args; i++)
        if (!is_constant(term->node->arg[i]) && !is_in_every_term(term->arg[i], v))
            return false;
    return true;
}

/* Does every term use the variable once the product is multiplied out? */
static bool is_in_every_term(const struct term *term, int v)
{
    if (!bits_has(term->free, v))
        return false;
    if (is_op(term, OP_ADD) || is_op(term, OP_SUB))
        return is_in_every_term(term->arg[0], v) && is_in_every_term(term->arg[1], v);
    if (is_op(term, OP_MUL))
        return is_in_every_term(term->arg[0], v) || is_in_every_term(term->arg[1], v);
    if (is_op(term, OP_DIV) && !bits_has(term->arg[1]->free, v))
        return is_in_every_term(term->arg[0], v);
    return is_in_every_operand(term, v);
}

/* ---- rewriting ---- */

static const struct tin *sum_term(struct summing *s, const struct term *term, struct bits vars);

static const struct tin *wrap(struct summing *s, const struct tin *node, struct bits vars)
{
    const struct index_var *index[TIN_INDICES_MAX];
    int n = 0;
    for (int v = 0; v < s->indices; v++)
        if (bits_has(vars, v))
            index[n++] = s->index[v];
    return n ? tin_reduce(s->cx, node->span, OP_ADD, index, n, node) : node;
}

/* Sums each argument over those of the variables that it uses. */
static const struct tin *sum_args(struct summing *s, const struct term *term, struct bits vars)
{
    const struct tin *node = term->node, *arg[3];
    for (int i = 0; i < node->args; i++)
        arg[i] = sum_term(s, term->arg[i], bits_and(vars, term->arg[i]->free));
    if (node->kind == TIN_REDUCE) {
        struct tin *reduce = arena_copy(s->cx->arena, node, sizeof *node);
        reduce->arg = arena_copy(s->cx->arena, arg, sizeof *arg);
        return reduce;
    }
    return tin_op(s->cx, node->span, node->op, arg, node->args);
}

/* Sums each addend that uses the variable by itself. */
static const struct tin *sum_addends(struct summing *s, const struct term *term, int v)
{
    const struct tin *arg[3];
    bool adds = is_op(term, OP_ADD) || is_op(term, OP_SUB) || is_op(term, OP_NEG);
    if (!bits_has(term->free, v))
        return term->node;
    if (!adds)
        return wrap(s, term->node, bits_one(v));
    for (int i = 0; i < term->node->args; i++)
        arg[i] = sum_addends(s, term->arg[i], v);
    return tin_op(s->cx, term->node->span, term->node->op, arg, term->node->args);
}

static const char *text_of(struct summing *s, const struct tin *node)
{
    enum { TEXT_MAX = 200 };
    struct text text = text_new(s->cx->arena);
    tin_print(&text, node);
    return arena_printf(s->cx->arena, "%.*s%s", TEXT_MAX, text.at, text.n > TEXT_MAX ? "..." : "");
}

/* Returns NULL if a mistake has been reported already. */
static struct diag *refuse(struct summing *s, const struct term *term, int v)
{
    return ++s->errors > TIN_ERRORS_MAX
               ? NULL
               : diag_error(s->cx, DIAG_AMBIGUOUS, term->node->span,
                            "the sum over %s can be read in two ways", s->index[v]->name);
}

static void refuse_call(struct summing *s, const struct term *term, int v)
{
    struct diag *diag = refuse(s, term, v);
    const struct tin *arg[3];
    if (!diag)
        return;
    for (int i = 0; i < term->node->args; i++)
        arg[i] = sum_addends(s, term->arg[i], v);
    const struct tin *inside =
        tin_op(s->cx, term->node->span, term->node->op, arg, term->node->args);
    diag_note(s->cx, diag, "some operands of %s do not use %s: the sum may be inside or around it",
              operator_name(s->cx, term->node->op), s->index[v]->name);
    diag_help(s->cx, diag, "write the sum: %s or %s", text_of(s, inside),
              text_of(s, wrap(s, term->node, bits_one(v))));
}

/* Puts the sum over these around the term, but for variables that one reduction inside uses alone.
 */
static const struct tin *sum_around(struct summing *s, const struct term *term, struct bits vars,
                                    struct bits around)
{
    struct bits outside = bits_none();
    for (int v = 0; v < s->indices; v++) {
        if (!bits_has(around, v) || is_inside_reduction(term, v))
            continue;
        outside = bits_with(outside, v);
        if (!is_in_every_operand(term, v))
            refuse_call(s, term, v);
    }
    return wrap(s, sum_args(s, term, bits_minus(vars, outside)), outside);
}

/* Returns where the sum over the variable belongs in a product: the smallest product of all factors
 * that use it, or the one factor that does. */
static const struct term *home_of(const struct term *term, int v)
{
    while (is_product(term)) {
        bool left = bits_has(term->arg[0]->free, v);
        bool right = is_op(term, OP_MUL) && bits_has(term->arg[1]->free, v);
        if (left && right)
            return term;
        term = left ? term->arg[0] : term->arg[1];
    }
    return term;
}

/* Returns the variables to sum over the whole product: those that both sides use, and those whose
 * own sum would use one of these. */
static struct bits product_vars(const struct summing *s, const struct term *term, struct bits vars)
{
    struct bits here = bits_and(vars, bits_and(term->arg[0]->free, term->arg[1]->free));
    bool grown = !bits_empty(here);
    while (grown) {
        grown = false;
        for (int v = 0; v < s->indices; v++) {
            if (!bits_has(vars, v) || bits_has(here, v))
                continue;
            const struct term *home = home_of(term, v);
            bool movable = is_product(home) || home->node->kind == TIN_ACCESS;
            if (movable && !bits_empty(bits_and(home->free, here))) {
                here = bits_with(here, v);
                grown = true;
            }
        }
    }
    return here;
}

static void refuse_product(struct summing *s, const struct term *term, int v)
{
    struct diag *diag = refuse(s, term, v);
    const char *name = s->index[v]->name;
    if (!diag)
        return;
    diag_note(s->cx, diag, "several factors use %s, but not every term of the product does", name);
    diag_help(s->cx, diag, "write sum(%s, ...) around what is summed, as in sum(%s, %s)", name,
              name, text_of(s, term->node));
}

static const struct tin *sum_product(struct summing *s, const struct term *term, struct bits vars)
{
    struct bits here = product_vars(s, term, vars);
    for (int v = 0; v < s->indices; v++)
        if (bits_has(here, v) && !is_in_every_term(term, v))
            refuse_product(s, term, v);
    return wrap(s, sum_args(s, term, bits_minus(vars, here)), here);
}

/* Sums keep(e, c) as e would be by itself.  The condition could compare the sum or its terms. */
static const struct tin *sum_kept(struct summing *s, const struct term *term, struct bits vars)
{
    const struct term *condition = term->arg[1];
    for (int v = 0; v < s->indices; v++) {
        struct diag *diag =
            bits_has(vars, v) && bits_has(condition->free, v) ? refuse(s, condition, v) : NULL;
        if (diag)
            diag_help(s->cx, diag, "write the sum in the condition, as in sum(%s, ...) > 0",
                      s->index[v]->name);
    }
    return sum_args(s, term, bits_minus(vars, condition->free));
}

static const struct tin *sum_op(struct summing *s, const struct term *term, struct bits vars)
{
    switch (term->node->op) {
    case OP_ADD:
    case OP_SUB:
    case OP_NEG: return sum_args(s, term, vars);
    case OP_MUL: return sum_product(s, term, vars);
    case OP_KEEP: return sum_kept(s, term, vars);
    case OP_DIV: return sum_around(s, term, vars, bits_and(vars, term->arg[1]->free));
    case OP_ANY_COMPARISON:
    case OP_MIN:
    case OP_MAX:
    case OP_ANY_BITWISE:
    case OP_NOT:
    case OP_ABS:
    case OP_SIGN:
    case OP_ANY_PART:
    case OP_ANY_ANALYTIC:
    case OP_POW:
    case OP_MOD:
    case OP_ANY_ROUNDING:
    case OP_ANY_SHIFT:
    case OP_ANY_BIT_COUNT:
    case OP_HEAVISIDE:
    case OP_ANY_CONVERSION:
    case OP_SELECT:
    case OP_STORED:
    case OP_COUNT: break;
    }
    return sum_around(s, term, vars, vars);
}

static const struct tin *sum_term(struct summing *s, const struct term *term, struct bits vars)
{
    if (bits_empty(vars))
        return term->node;
    switch (term->node->kind) {
    case TIN_OP: return sum_op(s, term, vars);
    case TIN_REDUCE: return sum_args(s, term, vars);
    case TIN_ACCESS:
    case TIN_LITERAL:
    case TIN_ASSIGN:
    case TIN_MULTI: break;
    }
    return wrap(s, term->node, vars);
}

const struct tin *tin_sum(struct context *cx, const struct tin *value,
                          const struct index_var *const *index, int indices, struct bits left)
{
    struct summing s = {cx, index, indices, 0};
    const struct term *term = make_term(&s, value);
    const struct tin *summed = sum_term(&s, term, bits_minus(term->free, left));
    return s.errors ? NULL : summed;
}
