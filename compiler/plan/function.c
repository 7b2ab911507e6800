/* function.c - functions, such as exp, in expressions: which loops compute them.
 *
 * A function takes as long as several steps of a loop.  It is computed in the innermost loop over
 * one of its variables, for each value of the loops around that.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/plan/planner.h"

/* A power with a number for an exponent is a product, or a root. */
static bool is_function(const struct cin *e)
{
    return e->kind == CIN_OP && op_is_analytic(e->op)
           && !(e->op == OP_POW && e->arg[1]->kind == CIN_LITERAL);
}

bool plan_has_function(const struct cin *e)
{
    bool has = is_function(e);
    for (int i = 0; i < e->args && !has; i++)
        has = plan_has_function(e->arg[i]);
    return has;
}

/* Does the expression depend on the variable, or may it by way of a relation? */
static bool depends(const struct cin_program *program, const struct cin *e,
                    const struct index_var *var)
{
    return cin_uses_var(e, var) || cin_is_related(program, var);
}

static int count_in(const struct cin_program *program, const struct cin *e,
                    const struct var_list *inner, const struct index_var *var)
{
    int n = is_function(e) && depends(program, e, var);
    for (size_t i = 0; i < inner->n && n; i++)
        n = !depends(program, e, inner->at[i]);
    for (int i = 0; i < e->args; i++)
        n += count_in(program, e->arg[i], inner, var);
    return n;
}

static int count_below(struct context *cx, const struct cin_program *program, const struct cin *s,
                       struct var_list *inner, const struct index_var *var)
{
    const size_t around = inner->n;
    int n = 0;
    if (s->kind == CIN_ASSIGN)
        return plan_has_function(s->arg[1]) ? count_in(program, s->arg[1], inner, var) : 0;
    if (s->kind == CIN_FORALL)
        vec_push(cx->arena, inner, s->index[0]);
    for (int i = 0; i < s->args; i++)
        n += count_below(cx, program, s->arg[i], inner, var);
    inner->n = around;
    return n;
}

int plan_functions_of(struct context *cx, const struct cin_program *program, const struct cin *s,
                      const struct index_var *var)
{
    struct var_list inner = {0};
    return count_below(cx, program, s, &inner, var);
}
