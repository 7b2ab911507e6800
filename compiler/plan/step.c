/* step.c - what a run of a loop's body takes besides its steps.
 *
 * A function, such as exp, takes as long as several steps, and a division of floats longer than a
 * product.  They are computed in the innermost loop over one of their variables, for each value of
 * the loops around that.
 *
 * An access jumps if the loop is over another mode than the one along which its elements are
 * contiguous: each run then has a line of memory of its own, and there are no vectors.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/plan/sizes.h"
#include "compiler/target.h"
#include "compiler/tree/tree.h"

/* Returns a power with a number for an exponent is a product, or a root. */
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

/* Returns what the operator takes, in hundredths of a step. */
static int64_t price_of(struct context *cx, const struct cin *e)
{
    if (is_function(e))
        return target_of(cx)->function_cost;
    bool divides = e->kind == CIN_OP && e->op == OP_DIV && type_is_float(e->type)
                   && e->arg[1]->kind != CIN_LITERAL;
    return divides ? target_of(cx)->division_cost : 0;
}

bool plan_has_price(struct context *cx, const struct cin *e)
{
    bool has = price_of(cx, e) > 0;
    for (int i = 0; i < e->args && !has; i++)
        has = plan_has_price(cx, e->arg[i]);
    return has;
}

/* Does the expression depend on the variable, or may it by way of a relation? */
static bool depends(const struct cin_program *program, const struct cin *e,
                    const struct index_var *var)
{
    return cin_uses_var(e, var) || cin_is_related(program, var);
}

static int64_t price_in(struct context *cx, const struct cin_program *program, const struct cin *e,
                        const struct var_list *inner, const struct index_var *var)
{
    int64_t price = price_of(cx, e);
    for (size_t i = 0; i < inner->n && price; i++)
        price = depends(program, e, inner->at[i]) ? 0 : price;
    price = price && depends(program, e, var) ? price : 0;
    for (int i = 0; i < e->args; i++)
        price += price_in(cx, program, e->arg[i], inner, var);
    return price;
}

static int64_t price_below(struct context *cx, const struct cin_program *program,
                           const struct cin *s, struct var_list *inner, const struct index_var *var)
{
    const size_t around = inner->n;
    int64_t price = 0;
    if (s->kind == CIN_ASSIGN)
        return plan_has_price(cx, s->arg[1]) ? price_in(cx, program, s->arg[1], inner, var) : 0;
    if (s->kind == CIN_FORALL)
        vec_push(cx->arena, inner, s->index[0]);
    for (int i = 0; i < s->args; i++)
        price += price_below(cx, program, s->arg[i], inner, var);
    inner->n = around;
    return price;
}

/* Does the loop over the variable go from line to line of a dense part of the tensor? */
static bool jumps(struct sizes *s, const struct cin *access, const struct index_var *var)
{
    const struct format *format = access->tensor->format;
    double below = (double)type_size(access->tensor->type);
    for (int level = format->levels; level-- > 0;) {
        if (!level_has(&format->level[level], LEVEL_FULL))
            return false;
        if (access_level_var(access, level) == var)
            return below >= (double)target_of(s->cx)->line;
        below *= cost_value(sizes_of_level(s, access, level));
    }
    return false;
}

/* Returns how many accesses jump with the loop over the variable, in the body or in loops inside it
 * that do not move them. */
static int count_jumps(struct sizes *s, const struct cin *body, struct var_list *inner,
                       const struct index_var *var)
{
    const size_t around = inner->n;
    int n = 0;
    if (body->kind == CIN_ACCESS) {
        bool moves = false;
        for (size_t i = 0; i < inner->n && !moves; i++)
            moves = cin_uses_var(body, inner->at[i]);
        return !moves && jumps(s, body, var);
    }
    if (body->kind == CIN_FORALL)
        vec_push(s->cx->arena, inner, body->index[0]);
    for (int i = 0; i < body->args; i++)
        n += count_jumps(s, body->arg[i], inner, var);
    inner->n = around;
    return n;
}

double plan_extra_steps(struct sizes *s, const struct cin *body, const struct index_var *var)
{
    struct var_list inner = {0};
    return (double)price_below(s->cx, s->program, body, &inner, var) / 100
           + count_jumps(s, body, &inner, var);
}
