/* builder.c - collects statements in order, in nested blocks.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/imperative/builder.h"
#include "compiler/base/vec.h"
#include "compiler/imperative/query.h"

/* A block under construction. */
struct imp_scope {
    struct imp_scope *outer;
    VEC(const struct imp *) statement;
};

void imp_begin(struct imp_builder *b)
{
    struct imp_scope *scope = arena_make(b->cx->arena, struct imp_scope);
    scope->outer = b->scope;
    b->scope = scope;
}

const struct imp *imp_end(struct imp_builder *b)
{
    struct imp_scope *scope = b->scope;
    context_assert(b->cx, scope);
    b->scope = scope->outer;
    return imp_block(b->cx, scope->statement.at, (int)scope->statement.n);
}

void imp_add(struct imp_builder *b, const struct imp *statement)
{
    context_assert(b->cx, b->scope && !imp_is_expression(statement));
    vec_push(b->cx->arena, &b->scope->statement, statement);
}

const struct imp *imp_last(const struct imp_builder *b)
{
    size_t n = b->scope->statement.n;
    return n > 0 ? b->scope->statement.at[n - 1] : NULL;
}

bool imp_is_still(const struct imp_builder *b, const struct imp_var *var, struct value value)
{
    for (size_t i = b->scope->statement.n; i-- > 0;) {
        const struct imp *at = b->scope->statement.at[i];
        if (at->kind == IMP_DECLARE && at->var == var)
            return at->args && at->arg[0]->kind == IMP_LITERAL
                   && value_equal(at->arg[0]->value, value);
        if (imp_assigns(at, var))
            return false;
    }
    return false;
}

void imp_add_all(struct imp_builder *b, const struct imp *body)
{
    if (body->kind != IMP_BLOCK)
        imp_add(b, body);
    for (int i = 0; i < body->args && body->kind == IMP_BLOCK; i++)
        imp_add(b, body->arg[i]);
}

const struct imp *imp_let(struct imp_builder *b, const struct imp_var *var, const struct imp *init)
{
    imp_add(b, imp_declare(b->cx, var, init));
    return imp_read(b->cx, var);
}
