/* equal.c - compares statements and expressions.
 *
 * Two pieces of code that declare variables are equal if their variables correspond one to one:
 * each piece uses its variable where the other uses the counterpart.
 *
 * SPDX-License-Identifier: MIT
 */
#include <string.h>

#include "compiler/base/vec.h"
#include "compiler/imperative/imperative.h"

/* The variables that both have declared so far, and their counterparts. */
struct likeness {
    struct context *cx; /* NULL: declared variables correspond only to themselves */
    VEC(const struct imp_var *) one, other;
};

/* Like value_equal, but tells the sign of zero. */
static bool same_bytes(struct value a, struct value b)
{
    unsigned char x[16] = {0}, y[16] = {0};
    value_store(a, x);
    value_store(b, y);
    return a.type == b.type && memcmp(x, y, sizeof x) == 0;
}

/* Are they alike apart from their names? */
static bool same_kind(const struct imp_var *a, const struct imp_var *b)
{
    return a->type == b->type && a->lanes == b->lanes && a->array == b->array
           && a->place == b->place && a->length == b->length && a->constant == b->constant
           && a->restricted == b->restricted && a->arrays == b->arrays && a->small == b->small
           && a->positive == b->positive && a->counts == b->counts && a->capacity == b->capacity;
}

static bool same_var(const struct likeness *l, const struct imp_var *a, const struct imp_var *b)
{
    for (size_t i = l->one.n; i-- > 0;)
        if (l->one.at[i] == a || l->other.at[i] == b)
            return l->one.at[i] == a && l->other.at[i] == b;
    return a == b;
}

/* Do the variables correspond?  From here on they do if both are declared here. */
static bool corresponds(struct likeness *l, const struct imp *a, const struct imp *b)
{
    bool declare = l->cx && (a->kind == IMP_DECLARE || a->kind == IMP_FOR);
    if (!declare)
        return same_var(l, a->var, b->var);
    vec_push(l->cx->arena, &l->one, a->var);
    vec_push(l->cx->arena, &l->other, b->var);
    return same_kind(a->var, b->var);
}

static bool alike(struct likeness *l, const struct imp *a, const struct imp *b)
{
    if (a == b && l->one.n == 0)
        return true;
    if (a->kind != b->kind || a->type != b->type || a->lanes != b->lanes || a->op != b->op
        || a->computed != b->computed || a->n != b->n || a->function != b->function
        || a->args != b->args || a->schedule != b->schedule || !corresponds(l, a, b))
        return false;
    if (a->kind == IMP_LITERAL && !same_bytes(a->value, b->value))
        return false;
    if (a->kind == IMP_COMMENT && strcmp(a->text, b->text) != 0)
        return false;
    for (int i = 0; i < a->args; i++)
        if (!alike(l, a->arg[i], b->arg[i]))
            return false;
    return true;
}

bool imp_equal(const struct imp *a, const struct imp *b)
{
    struct likeness none = {.cx = NULL};
    return alike(&none, a, b);
}

bool imp_does_same(struct context *cx, const struct imp *a, const struct imp *b)
{
    struct likeness l = {.cx = cx};
    return alike(&l, a, b);
}
