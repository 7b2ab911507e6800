/* simplify.h - the rules for one expression, which simplify.c applies everywhere, and what the
 * passes over segments share.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_OPTIMIZE_SIMPLIFY_H
#define SPCC_OPTIMIZE_SIMPLIFY_H

#include "compiler/imperative/query.h"
#include "compiler/optimize/optimize.h"

/* Statements, one after the other. */
struct statements {
    const struct imp **at;
    size_t n, capacity;
};

/* Simplifies an expression whose operands are simple already.  Returns the expression itself if no
 * rule applies. */
const struct imp *imp_fold(struct context *cx, const struct imp *imp);

/* Is the inner for loop, in the body of the other, over segments that follow each other?  Then all
 * of them are [begin, end). */
bool imp_segments_span(struct context *cx, const struct imp *loop, const struct imp *inner,
                       const struct imp **begin, const struct imp **end);

/* Is it the lesser of a literal, the end of a block that is whole, and of what is left? */
static inline bool imp_is_block_end(const struct imp *end, const struct imp **whole,
                                    const struct imp **left)
{
    if (end->kind != IMP_OP || end->op != OP_MIN)
        return false;
    int known = end->arg[1]->kind == IMP_LITERAL;
    *whole = end->arg[known];
    *left = end->arg[!known];
    return (*whole)->kind == IMP_LITERAL;
}

/* Returns the function with the body that a pass has made; itself if the body is its own. */
static inline const struct imp_function *
imp_with_body(struct context *cx, const struct imp_function *function, const struct imp *body)
{
    if (body == function->body)
        return function;
    struct imp_function *changed = arena_copy(cx->arena, function, sizeof *function);
    changed->body = body;
    return changed;
}

#endif
