/* query.h - what passes ask of statements.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_IMPERATIVE_QUERY_H
#define SPCC_IMPERATIVE_QUERY_H

#include "compiler/imperative/imperative.h"

/* ---- uses of a variable ---- */

/* Does a node below and including imp name the variable? */
static inline bool imp_mentions(const struct imp *imp, const struct imp_var *var)
{
    return imp_uses(imp, var) > 0;
}

/* Does the statement, or one in it, declare the variable? */
bool imp_declares_inside(const struct imp *imp, const struct imp_var *var);

/* Does it assign to the variable?  Nothing else changes a scalar in its scope: other statements,
 * and calls with effects, write to arrays; parts of parallel loops and threads change no scalar
 * from outside (check.c). */
bool imp_assigns(const struct imp *imp, const struct imp_var *var);

/* Does it declare the variable, or assign to it? */
bool imp_changes(const struct imp *imp, const struct imp_var *var);

/* ---- values ---- */

/* Is the expression's value all that evaluating it gives, whenever that is done?  Not so for
 * events, and for calls of helpers that write arrays or in which threads meet. */
bool imp_is_pure(const struct imp *imp);

/* Does the expression, with all that it reads, keep its value while the statement runs? */
bool imp_is_fixed(const struct imp *statement, const struct imp *e);
/* Likewise, if nothing but the statement writes to the arrays that the expression reads. */
bool imp_is_kept(const struct imp *statement, const struct imp *e);
/* Returns an upper bound of the integer, from literals and minima in it. */
int64_t imp_most(const struct imp *e);

/* Does the value depend on the variable of a loop?  Variables that the loop's body declares are
 * looked through. */
bool imp_varies(const struct imp *body, const struct imp_var *var, const struct imp *e);

/* Returns how much the value grows when the variable of a loop grows by one: 0, 1, or -1 for
 * anything else. */
int imp_stride(const struct imp *body, const struct imp_var *var, const struct imp *e);

/* Returns the value of a variable that the loop's body declares; NULL: the body does not declare
 * it. */
const struct imp *imp_local(const struct imp *body, const struct imp_var *var);

/* ---- statements ---- */

/* Does it allocate, hand over or release arrays? */
static inline bool imp_manages_memory(const struct imp *imp)
{
    return imp_is(imp, IMP_BIT(ALLOC) | IMP_BIT(RESIZE) | IMP_BIT(FREE) | IMP_BIT(KEEP)
                           | IMP_BIT(TAKE) | IMP_BIT(MOVE) | IMP_BIT(JOIN));
}

/* Is it a call of host code with launches? */
static inline bool imp_launches(const struct imp *imp)
{
    return imp->kind == IMP_CALL && imp->function->launches;
}

/* Returns the failure, if the statement is an `if` that only fails; else NULL. */
const struct imp *imp_failure(const struct imp *imp);

/* ---- the shape of a node ---- */

/* Can the variable number a launch's blocks or threads? */
static inline bool imp_is_index(const struct imp_var *var)
{
    return !var->array && var->lanes == 1 && var->type == TYPE_I32;
}

static inline bool imp_is_op(const struct imp *e, enum op op)
{
    return e->kind == IMP_OP && e->op == op;
}
/* Is it a variable or a literal? */
static inline bool imp_is_leaf(const struct imp *e)
{
    return e->kind == IMP_VAR || e->kind == IMP_LITERAL;
}
/* Is it this variable, read? */
static inline bool imp_is_read(const struct imp *e, const struct imp_var *var)
{
    return e->kind == IMP_VAR && e->var == var;
}
/* Does it declare a variable with a value? */
static inline bool imp_defines(const struct imp *imp)
{
    return imp->kind == IMP_DECLARE && imp->args > 0;
}

/* ---- the same node, but ---- */

/* Returns the node with each of its args replaced by what `of` makes of it. */
const struct imp *imp_map(struct context *cx, const struct imp *imp,
                          const struct imp *(*of)(void *data, const struct imp *arg), void *data);
/* Returns the statement with another body, its last arg; and a for loop with other bounds. */
const struct imp *imp_around(struct context *cx, const struct imp *imp, const struct imp *body);
const struct imp *imp_between(struct context *cx, const struct imp *loop, const struct imp *begin,
                              const struct imp *end);

/* ---- the statements of a body ---- */

static inline int body_count(const struct imp *body)
{
    return body->kind == IMP_BLOCK ? body->args : 1;
}
static inline const struct imp *body_at(const struct imp *body, int i)
{
    return body->kind == IMP_BLOCK ? body->arg[i] : body;
}
/* Returns the last statement; the body itself if it has none. */
static inline const struct imp *body_last(const struct imp *body)
{
    return body_count(body) ? body_at(body, body_count(body) - 1) : body;
}

#endif
