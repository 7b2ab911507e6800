/* distribute_terms.c - an expression as a sum of terms.
 *
 *     (a + b) * (a - c)      a * a, -(a * c), a * b, -(b * c)
 *     (a - b) ** 2           a * a, -2 (a * b), b * b
 *
 * "Sum" and "times" are any two operators of which the second distributes over the first, and the
 * first is that of the reduction: in a maximum, max(a, b) + c has such a sum.  Everything is
 * computed in the target's type.  An expression of a narrower type would wrap or round, so it
 * stays whole.
 *
 * SPDX-License-Identifier: MIT
 */
#include "schedules/distribute.h"

#include <string.h>

#include "compiler/base/text.h"

enum { POWER_MAX = 4 };

struct expansion {
    struct context *cx;
    enum op over;
    enum type type;
    const struct cin *part;
};

static struct distribute_terms expand(const struct expansion *x, const struct cin *e, bool inside);

static void add_term(const struct expansion *x, struct distribute_terms *to, const struct cin *e,
                     int times)
{
    for (size_t i = 0; i < to->n; i++) {
        if (to->at[i].e != e || (x->over != OP_ADD && !op_idempotent(x->over)))
            continue;
        to->at[i].times += x->over == OP_ADD ? times : 0;
        return;
    }
    vec_push(x->cx->arena, to, ((struct distribute_term){e, times}));
}

static void add_all(const struct expansion *x, struct distribute_terms *to,
                    const struct distribute_terms *from, int times)
{
    for (size_t i = 0; i < from->n; i++)
        add_term(x, to, from->at[i].e, times * from->at[i].times);
}

/* Returns the expression as a single term. */
static struct distribute_terms whole(const struct expansion *x, const struct cin *e)
{
    struct distribute_terms terms = {0};
    if (e->type != x->type)
        e = cin_op(x->cx, op_conversion(x->type), &e, 1);
    add_term(x, &terms, e, 1);
    return terms;
}

/* ---- products: equal ones are the same expression ---- */

/* Multiplies two products, with the factors in the order of their texts. */
static const struct cin *product(const struct expansion *x, enum op op, const struct cin *a,
                                 const struct cin *b)
{
    const struct cin *arg[] = {a, b}, *all = cin_op(x->cx, op, arg, 2);
    if (!op_associative(op) || !op_commutative(op))
        return all;
    struct cin_list list = cin_chain(x->cx, all, op, NULL);
    for (size_t i = 1; i < list.n; i++)
        for (size_t k = i; k > 0; k--) {
            if (strcmp(cin_text(x->cx, list.at[k - 1]), cin_text(x->cx, list.at[k])) <= 0)
                break;
            const struct cin *swapped = list.at[k];
            list.at[k] = list.at[k - 1];
            list.at[k - 1] = swapped;
        }
    all = list.at[0];
    for (size_t i = 1; i < list.n; i++)
        all = cin_op(x->cx, op, (const struct cin *[]){all, list.at[i]}, 2);
    return all;
}

static struct distribute_terms multiply_terms(const struct expansion *x, enum op op,
                                              const struct distribute_terms *a,
                                              const struct distribute_terms *b)
{
    struct distribute_terms all = {0};
    for (size_t i = 0; i < a->n; i++)
        for (size_t k = 0; k < b->n && all.n <= DISTRIBUTE_MAX; k++)
            add_term(x, &all, product(x, op, a->at[i].e, b->at[k].e),
                     a->at[i].times * b->at[k].times);
    return all;
}

/* ---- what distributes ---- */

static bool is_sum(const struct expansion *x, const struct cin *e)
{
    return e->op == x->over || (x->over == OP_ADD && cin_is_difference(e));
}

static struct distribute_terms expand_sum(const struct expansion *x, const struct cin *e,
                                          bool inside)
{
    struct distribute_terms all = {0};
    for (int i = 0; i < e->args; i++) {
        struct distribute_terms some = expand(x, e->arg[i], inside);
        bool minus = e->op == OP_NEG || (e->op == OP_SUB && i == 1);
        add_all(x, &all, &some, minus ? -1 : 1);
    }
    return all;
}

int distribute_power(enum op over, const struct cin *e)
{
    double n = e->kind == CIN_OP && e->op == OP_POW && over == OP_ADD
                       && e->arg[1]->kind == CIN_LITERAL && !type_is_complex(e->type)
                   ? value_double(e->arg[1]->value)
                   : 0;
    return n >= 2 && n <= POWER_MAX && n == (int)n ? (int)n : 0;
}

static struct distribute_terms expand(const struct expansion *x, const struct cin *e, bool inside)
{
    inside |= e == x->part;
    if (e->kind != CIN_OP || e->type != x->type || !(inside || cin_contains(e, x->part)))
        return whole(x, e);
    if (is_sum(x, e))
        return expand_sum(x, e, inside);
    const int power = distribute_power(x->over, e);
    if (!power && e->args != 2)
        return whole(x, e);
    bool left = power || cin_op_distributes(x->cx, e, SIDE_LEFT, x->over),
         right = !power && cin_op_distributes(x->cx, e, SIDE_RIGHT, x->over);
    struct distribute_terms a = left ? expand(x, e->arg[0], inside) : whole(x, e->arg[0]),
                            b = power   ? a
                                : right ? expand(x, e->arg[1], inside)
                                        : whole(x, e->arg[1]);
    if (a.n <= 1 && b.n <= 1 && (a.n == 0 || a.at[0].times == 1)
        && (b.n == 0 || b.at[0].times == 1))
        return whole(x, e);
    enum op op = power ? OP_MUL : e->op;
    struct distribute_terms all = multiply_terms(x, op, &a, &b);
    for (int i = 2; i < power; i++)
        all = multiply_terms(x, op, &all, &a);
    return all;
}

struct distribute_terms distribute_terms(struct context *cx, const struct cin *assign,
                                         const struct cin *part)
{
    struct expansion x = {cx, assign->op, assign->arg[0]->type, part};
    struct distribute_terms terms = expand(&x, assign->arg[1], false);
    if (terms.n > DISTRIBUTE_MAX)
        return (struct distribute_terms){0};
    size_t kept = 0;
    for (size_t i = 0; i < terms.n; i++)
        if (terms.at[i].times != 0)
            terms.at[kept++] = terms.at[i];
    terms.n = kept ? kept : terms.n;
    return terms;
}
