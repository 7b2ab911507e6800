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
 * Where loops over columns stand between, as over those of a dense operand, each column has a
 * component at hand, which it goes on with in the next iteration of the loop around.  There may be
 * any number of them, so that they are kept in memory:
 *
 *     for b                        parts of the rows
 *         for k                    columns, to lanes
 *             y_at = y_at_of[team, k]; y_begun = y_begun_of[team, k]
 *             for q                the part's positions, as above
 *             y_at_of[team, k] = y_at; y_begun_of[team, k] = y_begun
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/lower/base/kernel.h"

void begun_declare(struct kernel *k, struct kernel_begun *begun, const char *name)
{
    struct imp_var *at = kernel_var(k, TYPE_I64, "%s_at", name),
                   *value = kernel_var(k, begun->array->type, "%s_begun", name);
    imp_let(&k->b, at, imp_i64(k->cx, -1));
    imp_let(&k->b, value, imp_literal(k->cx, begun->start));
    begun->at = at;
    begun->value = value;
}

void begun_store(struct kernel *k, const struct kernel_begun *begun)
{
    struct context *cx = k->cx;
    const struct imp *at = imp_read(cx, begun->at), *value = imp_read(cx, begun->value);
    imp_add(&k->b,
            imp_if(cx, imp_op2(cx, OP_GE, at, imp_i64(cx, 0)),
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

/* ---- columns ---- */

const struct imp *begun_columns(struct kernel *k, const struct kernel_begun *begun)
{
    const struct imp *n = imp_i64(k->cx, 1);
    for (int i = 0; i < begun->columns; i++)
        n = imp_op2(k->cx, OP_MUL, n, imp_cast(k->cx, TYPE_I64, kernel_size(k, begun->column[i])));
    return n;
}

/* Returns where the team keeps the component of the column that the loops have come to. */
static const struct imp *slot(struct kernel *k, const struct scope *scope,
                              const struct kernel_begun *begun)
{
    struct context *cx = k->cx;
    const struct imp *column = imp_i64(cx, 0);
    for (int i = 0; i < begun->columns; i++) {
        const struct imp *size = imp_cast(cx, TYPE_I64, kernel_size(k, begun->column[i])),
                         *at = imp_cast(cx, TYPE_I64, scope_coordinate(scope, begun->column[i]));
        column = imp_op2(cx, OP_ADD, imp_op2(cx, OP_MUL, column, size), at);
    }
    const struct imp *first = imp_op2(cx, OP_MUL, begun->team, begun_columns(k, begun));
    return imp_op2(cx, OP_ADD, first, column);
}

/* Are the loops those along components of a column, which is known? */
static bool goes_along(const struct scope *scope, const struct kernel_begun *begun,
                       const struct cin *loops)
{
    bool is = begun->columns > 0 && !begun->at && cin_assigns(loops, begun->tensor);
    for (int i = 0; i < begun->columns; i++)
        is = is && scope_coordinate(scope, begun->column[i]);
    return is;
}

struct kernel_part *begun_resume(struct kernel *k, const struct scope *scope,
                                 const struct cin *loops)
{
    struct context *cx = k->cx;
    struct kernel_part *part = NULL;
    for (size_t i = 0; k->part && i < k->part->begins; i++) {
        struct kernel_begun here = k->part->begun[i];
        if (!goes_along(scope, &here, loops))
            continue;
        const struct imp *at = slot(k, scope, &here);
        struct imp_var *has = kernel_var(k, TYPE_I64, "%s_at", here.tensor->name),
                       *value = kernel_var(k, here.array->type, "%s_begun", here.tensor->name);
        imp_let(&k->b, has, imp_load(cx, here.at_of, at));
        imp_let(&k->b, value, imp_load(cx, here.value_of, at));
        here.at = has;
        here.value = value;
        if (!part) {
            part = arena_copy(cx->arena, k->part, sizeof *part);
            part->begun = arena_copy(cx->arena, part->begun, sizeof *part->begun * part->begins);
        }
        ((struct kernel_begun *)part->begun)[i] = here;
    }
    return part;
}

void begun_suspend(struct kernel *k, const struct scope *scope, const struct kernel_part *part)
{
    struct context *cx = k->cx;
    for (size_t i = 0; i < part->begins; i++) {
        const struct kernel_begun *begun = &part->begun[i];
        if (begun->columns == 0 || k->part->begun[i].at == begun->at)
            continue;
        const struct imp *at = slot(k, scope, begun);
        imp_add(&k->b, imp_store(cx, begun->at_of, at, OP_NONE, imp_read(cx, begun->at)));
        imp_add(&k->b, imp_store(cx, begun->value_of, at, OP_NONE, imp_read(cx, begun->value)));
    }
}
