/* plan_repair.c - what to do where a plan cannot be lowered: one more precompute.
 *
 * Any operand can be iterated in its own storage order, and a list takes components in any order.  So an operand that
 * does not fit the loops is first copied into a list in their order, and a result whose components come in another order
 * than it is stored in is first computed into a list, from which it is copied.  Each step takes one access out of the
 * loops that it does not fit, and none is done twice.
 *
 * SPDX-License-Identifier: MIT
 */
#include "schedules/plan.h"

/* The loops around the assignment, outermost first; false if it is not in the statement. */
static bool find_loops(struct context *cx, const struct cin *s, const struct cin *assign, struct var_list *loops)
{
    if (s == assign)
        return true;
    if (s->kind == CIN_FORALL)
        vec_push(cx->arena, loops, s->index[0]);
    for (int i = 0; i < s->args; i++)
        if (!cin_is_expression(s->arg[i]) && find_loops(cx, s->arg[i], assign, loops))
            return true;
    loops->n -= s->kind == CIN_FORALL;
    return false;
}

/* Copy the operand into a list in the order of the loops around. */
static const char *convert_operand(struct namer *n, const struct cin *access, const struct cin *assign,
                                   const struct var_list *loops)
{
    struct context *cx = n->cx;
    struct text out = text_new(cx->arena);
    struct var_list stored = plan_storage_order(cx, access), modes = var_list_common(cx, loops, &stored);
    const char **producer = arena_array(cx->arena, const char *, modes.n);
    const char **sorted = arena_array(cx->arena, const char *, modes.n);
    bool in_order = var_list_equal(&stored, &modes);
    bool copied = assign->arg[1] == access && assign->arg[0]->tensor->temporary && assign->arg[0]->indices > 0;
    if (modes.n != stored.n || (in_order && (copied || access->tensor->temporary)))
        return NULL;
    plan_add_precompute(n, &out, access, &modes, "coo", producer);
    for (size_t i = 0; i < stored.n; i++)
        for (size_t k = 0; k < modes.n; k++)
            if (modes.at[k] == stored.at[i])
                sorted[i] = producer[k];
    if (!in_order) {
        text_add(&out, "; ");
        plan_add_reorder(&out, sorted, stored.n);
    }
    return out.at;
}

/* Compute the result's components into a list in storage order. */
static const char *gather_result(struct namer *n, const struct cin *assign, const struct var_list *loops)
{
    struct context *cx = n->cx;
    struct text out = text_new(cx->arena);
    const struct cin *value = assign->arg[1];
    struct var_list stored = plan_storage_order(cx, assign->arg[0]), modes = var_list_common(cx, loops, &stored);
    const char **name = arena_array(cx->arena, const char *, stored.n);
    bool in_order = var_list_equal(&stored, &modes), copied = value->kind == CIN_ACCESS && value->tensor->temporary;
    if (modes.n != stored.n || stored.n == 0 || (copied && in_order && value->indices == (int)stored.n))
        return NULL;
    plan_add_precompute(n, &out, value, &stored, "coo", name);
    for (size_t i = 0; i < stored.n; i++)
        name[i] = stored.at[i]->name;
    if (!in_order) {
        text_add(&out, "; ");
        plan_add_reorder(&out, name, stored.n);
    }
    return out.at;
}

const char *plan_repair(struct context *cx, const struct cin_program *program, const struct cin *access)
{
    struct namer n = namer_new(cx, program);
    struct cin_list made = cin_assignments(cx, program->statement);
    for (size_t i = 0; i < made.n; i++) {
        const struct cin *assign = made.at[i];
        struct var_list loops = {0};
        bool result = assign->arg[0] == access && access->tensor == program->result;
        if (!result && !cin_contains(assign->arg[1], access))
            continue;
        find_loops(cx, program->statement, assign, &loops);
        return result ? gather_result(&n, assign, &loops) : convert_operand(&n, access, assign, &loops);
    }
    return NULL;
}
