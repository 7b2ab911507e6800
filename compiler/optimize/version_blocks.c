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
 * elements at once.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/imperative/query.h"
#include "compiler/optimize/optimize.h"
#include "compiler/optimize/simplify.h"

/* Iterations and nodes of a body that is worth being there twice. */
enum { ITERATIONS = 16, NODES = 40 };

static const struct imp *versions(struct context *cx, const struct imp *loop, void *data)
{
    const struct imp *whole, *rest;
    if (loop->kind != IMP_FOR || loop->n != 1 || (loop->mark && loop->mark->asked)
        || loop->arg[0]->kind != IMP_LITERAL || loop->arg[0]->value.i != 0
        || loop->arg[2]->size > NODES
        || imp_has(loop->arg[2], IMP_LOOPS | IMP_BIT(PARALLEL) | IMP_BIT(RESIZE))
        || !imp_is_block_end(loop->arg[1], &whole, &rest) || whole->value.i <= 1
        || whole->value.i > ITERATIONS)
        return loop;
    return imp_if(cx, imp_op2(cx, OP_GE, rest, whole), imp_between(cx, loop, loop->arg[0], whole),
                  imp_between(cx, loop, loop->arg[0], rest));
}

const struct imp_function *imp_version_blocks(struct context *cx,
                                              const struct imp_function *function,
                                              const struct pass_options *options)
{
    return imp_with_body(cx, function, imp_rewrite(cx, function->body, versions, NULL));
}
