/* forall_reduce.c - what a loop reduces into is kept in a register around it.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/lower/loop/forall.h"

struct reductions reductions_begin(struct kernel *k, struct scope *scope)
{
    struct reductions reductions;
    const struct cin *forall = scope->place->node->statement;
    mark_row(k, scope, forall);
    for (int r = 0; r < TIN_RESULTS_MAX; r++)
        reductions.result[r] = false;
    for (struct result *r = NULL; (r = kernel_next_result(k, forall, r));)
        reductions.result[r->rank] = result_begin_reduction(k, r, scope);
    reductions.held = workspace_begin_reduction(k, scope, forall);
    return reductions;
}

void reductions_end(struct kernel *k, const struct scope *after, const struct scope *inside,
                    const struct reductions *reductions)
{
    const struct cin *forall = after->place->node->statement;
    for (struct result *r = NULL; (r = kernel_next_result(k, forall, r));)
        if (reductions->result[r->rank])
            result_end_reduction(k, r, after, inside->result[r->rank].reg);
    if (reductions->held)
        workspace_end_reduction(k, after, &inside->held, forall);
}

const struct kernel_part *column_begin(struct kernel *k, const struct scope *scope,
                                       const struct cin *loops)
{
    const struct kernel_part *outside = k->part, *part = begun_resume(k, scope, loops);
    if (part)
        k->part = part;
    return outside;
}

void column_end(struct kernel *k, const struct scope *scope, const struct kernel_part *outside)
{
    const struct kernel_part *inside = k->part;
    k->part = outside;
    if (inside != outside)
        begun_suspend(k, scope, inside);
}
