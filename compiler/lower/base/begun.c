/* begun.c - components of which others have some, too, kept while iterations go along them.
 *
 *     if (y_at != i)                    the one before has ended: only this thread has seen that
 *         if (y_at >= 0) y[y_at] += y_begun
 *         y_at = i
 *         y_begun = 0
 *     y_begun += ...
 *
 * The iterations of all threads come to each component one after the other, and a thread has
 * iterations that follow each other.  So of those that have some of a component only one comes to
 * what is behind it, and stores.  The others have it at hand when they are done (launch_begun.c).
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/lower/base/kernel.h"

void begun_declare(struct kernel *k, struct kernel_begun *begun, const char *name)
{
    struct imp_var *at = kernel_var(k, TYPE_I64, "%s_at", name),
                   *value = kernel_var(k, begun->array->type, "%s_begun", name);
    imp_let(&k->b, at, imp_int(k->cx, TYPE_I64, -1));
    imp_let(&k->b, value, imp_literal(k->cx, begun->start));
    begun->at = at;
    begun->value = value;
}

void begun_store(struct kernel *k, const struct kernel_begun *begun)
{
    struct context *cx = k->cx;
    const struct imp *at = imp_read(cx, begun->at), *value = imp_read(cx, begun->value);
    imp_add(&k->b,
            imp_if(cx, imp_op2(cx, OP_GE, at, imp_int(cx, TYPE_I64, 0)),
                   kernel_combine(k, begun->tensor, begun->array, at, begun->op, value), NULL));
}

const struct kernel_begun *begun_enter(struct kernel *k, const struct tensor_var *tensor,
                                       const struct imp *position)
{
    struct context *cx = k->cx;
    const struct kernel_begun *begun = NULL;
    for (size_t i = 0; k->part && i < k->part->begins; i++)
        if (k->part->begun[i].tensor == tensor)
            begun = &k->part->begun[i];
    if (!begun)
        return NULL;
    const struct imp *at = imp_read(cx, begun->at), *here = imp_cast(cx, TYPE_I64, position);
    if (here->kind != IMP_VAR && here->kind != IMP_LITERAL)
        here = imp_let(&k->b, kernel_var(k, TYPE_I64, "%s_here", tensor->name), here);
    imp_begin(&k->b);
    begun_store(k, begun);
    imp_add(&k->b, imp_assign(cx, begun->at, OP_NONE, here));
    imp_add(&k->b, imp_assign(cx, begun->value, OP_NONE, imp_literal(cx, begun->start)));
    imp_add(&k->b, imp_if(cx, imp_op2(cx, OP_NE, at, here), imp_end(&k->b), NULL));
    return begun;
}
