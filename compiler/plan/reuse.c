/* reuse.c - sums that a statement has several times are computed once.
 *
 *     ((s = t * t2 where forall(i2) t2 += a(i2) * b(i2)) where forall(i) t += a(i) * b(i))
 *     (s = t * t where forall(i) t += a(i) * b(i))                               reuse(t2, t)
 *
 * Nothing is weighed: a scalar costs nothing to read, and the loops that computed it again are
 * gone.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/plan/planner.h"

/* A scalar, and the assignment that reduces into it; of its operands the first. */
struct sum {
    const struct cin *assign;
    const struct tensor_var *first;
};
struct sums {
    struct sum *at;
    size_t n, capacity;
};

static struct sums sums_of(const struct draft *draft)
{
    struct context *cx = draft->cx;
    struct cin_list made = cin_assignments(cx, draft->program->statement);
    struct sums sums = {0};
    for (size_t i = 0; i < made.n; i++) {
        struct cin_list read = cin_operands(cx, made.at[i]);
        if (tensor_var_is_scalar(made.at[i]->arg[0]->tensor) && read.n)
            vec_push(cx->arena, &sums, ((struct sum){made.at[i], read.at[0]->tensor}));
    }
    return sums;
}

/* Is it worth a closer look? */
static bool may_be_same(const struct sum *a, const struct sum *b)
{
    return a->first == b->first && a->assign->op == b->assign->op
           && a->assign->arg[1]->op == b->assign->arg[1]->op;
}

void draft_reuse_sums(struct draft *draft)
{
    struct sums sum = sums_of(draft);
    for (size_t i = 0; i < sum.n; i++) {
        const struct schedule_call *call = NULL;
        for (size_t k = i + 1; k < sum.n && !call; k++)
            if (may_be_same(&sum.at[i], &sum.at[k]))
                call = schedule_reusing(draft->cx, draft->program, sum.at[i].assign->arg[0]->tensor,
                                        sum.at[k].assign->arg[0]->tensor);
        draft_add(draft, call);
    }
}
