/* version_blocks.c - loops over blocks that are whole but for the last ones.
 *
 *     for (j = 0; j < min(4, n - 4 * jo); j++) { B[p] = A[a + j];  p++; }
 *
 * becomes
 *
 *     if (n - 4 * jo >= 4)
 *         for (j = 0; j < 4; j++) { B[p] = A[a + j];  p++; }
 *     else
 *         for (j = 0; j < n - 4 * jo; j++) { B[p] = A[a + j];  p++; }
 *
 * C compilers write a loop out whose number of iterations they know, and take several of its
 * elements at once.  Where they would have to know that arrays do not overlap, the vectorizer does:
 * it asks for this before, and of loops that are one in the other at once, so that a block that is
 * whole is copied in vectors, row by row.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/optimize/optimize.h"
#include "compiler/optimize/simplify.h"
#include "compiler/optimize/vectorize.h"

/* Iterations and nodes of a body that is worth being there twice. */
enum { ITERATIONS = 16, NODES = 40 };

/* Is it a loop over a block?  Finds the constant number of iterations, and the number that is left.
 */
static bool is_block(const struct imp *loop, const struct imp **whole, const struct imp **left)
{
    return loop->kind == IMP_FOR && loop->n == 1 && !(loop->mark && loop->mark->asked)
           && loop->arg[0]->kind == IMP_LITERAL && loop->arg[0]->value.i == 0
           && imp_is_block_end(loop->arg[1], whole, left) && (*whole)->value.i > 1
           && (*whole)->value.i <= ITERATIONS;
}

/* Returns the loop and those in it, over whole blocks, for the case `when`. NULL if it is no such
 * nest. */
static const struct imp *over_whole(struct context *cx, const struct imp *nest,
                                    const struct imp *loop, const struct imp **when)
{
    const struct imp *whole, *left, *body = loop->arg[loop->args - 1], *inner = NULL;
    if (!is_block(loop, &whole, &left) || (loop != nest && !imp_is_fixed(nest, left)))
        return NULL;
    if (body_last(body)->kind == IMP_FOR && declares_first(body)
        && !(inner = over_whole(cx, nest, body_last(body), when)))
        return NULL;
    if (!inner
        && (body->size > NODES || imp_has(body, IMP_LOOPS | IMP_BIT(PARALLEL) | IMP_BIT(RESIZE))))
        return NULL;
    *when = imp_both(cx, imp_op2(cx, OP_GE, left, whole), *when);
    loop = imp_between(cx, loop, loop->arg[0], whole);
    return inner ? imp_around(cx, loop, with_last(cx, body, inner)) : loop;
}

/* Returns the nest over the rest of the blocks, with names for the ends of its loops. */
static const struct imp *over_rest(struct vectorizer *z, struct imp_builder *b,
                                   const struct imp *loop)
{
    const struct imp *body = loop->arg[2], *last = body_last(body), *end = vector_end(z, b, loop);
    if (last->kind == IMP_FOR)
        body = with_last(z->cx, body, over_rest(z, b, last));
    return imp_around(z->cx, imp_between(z->cx, loop, loop->arg[0], end), body);
}

const struct imp *vectorize_blocks(struct vectorizer *z, const struct imp *nest,
                                   const struct imp **when, const struct imp **otherwise)
{
    struct imp_builder b = {.cx = z->cx};
    *when = NULL;
    const struct imp *whole = over_whole(z->cx, nest, nest, when);
    if (!whole || !imp_has(nest->arg[2], IMP_BIT(FOR)))
        return NULL;
    imp_begin(&b);
    imp_add(&b, over_rest(z, &b, nest));
    *otherwise = imp_end(&b);
    return whole;
}

static const struct imp *versions(struct context *cx, const struct imp *loop, void *data)
{
    const struct imp *whole, *left, *when = NULL;
    if (!is_block(loop, &whole, &left) || imp_has(loop->arg[2], IMP_BIT(FOR)))
        return loop;
    const struct imp *then = over_whole(cx, loop, loop, &when);
    return then ? imp_if(cx, when, then, imp_between(cx, loop, loop->arg[0], left)) : loop;
}

const struct imp_function *imp_version_blocks(struct context *cx,
                                              const struct imp_function *function,
                                              const struct pass_options *options)
{
    return imp_with_body(cx, function, imp_rewrite(cx, function->body, versions, NULL));
}
