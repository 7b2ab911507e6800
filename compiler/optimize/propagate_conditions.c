/* propagate_conditions.c - what a condition says of the flags in it.
 *
 *     if (a && b) { if (a) x = y; z = b ? v : 0; }      becomes      if (a && b) { x = y; z = v; }
 *
 * A flag is a bool variable that the branch leaves as it is.
 *
 * Requires a checked program.  Maintains the check.  The result is not simplified.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/base/vec.h"
#include "compiler/optimize/optimize.h"
#include "compiler/optimize/simplify.h"

struct said {
    const struct imp_var *flag;
    bool truth;
};

struct implier {
    struct context *cx;
    VEC(struct said) said;
};

enum truth { FALSE, TRUE, UNKNOWN };

/* What the flag is where the condition holds, or where it does not. */
static enum truth implied(const struct imp *condition, bool holds, const struct imp_var *flag)
{
    if (condition->kind == IMP_VAR)
        return condition->var == flag ? (enum truth)holds : UNKNOWN;
    if (condition->kind != IMP_OP || condition->type != TYPE_BOOL)
        return UNKNOWN;
    if (condition->op == OP_NOT)
        return implied(condition->arg[0], !holds, flag);
    if (condition->op != OP_AND && condition->op != OP_OR)
        return UNKNOWN;
    enum truth one = implied(condition->arg[0], holds, flag),
               other = implied(condition->arg[1], holds, flag);
    bool both = holds == (condition->op == OP_AND); /* sides are as the whole */
    return both ? (one == UNKNOWN ? other : one) : one == other ? one : UNKNOWN;
}

/* What holds in the branch because of the flags in a part of the condition. */
static void add_said(struct implier *in, const struct imp *part, const struct imp *condition,
                     bool holds, const struct imp *branch)
{
    bool flag = part->kind == IMP_VAR && part->type == TYPE_BOOL && !part->var->array;
    enum truth truth = flag ? implied(condition, holds, part->var) : UNKNOWN;
    if (truth != UNKNOWN && !imp_changes(branch, part->var))
        vec_push(in->cx->arena, &in->said, ((struct said){part->var, truth == TRUE}));
    for (int i = 0; i < part->args; i++)
        add_said(in, part->arg[i], condition, holds, branch);
}

static const struct imp *rewrite(struct implier *in, const struct imp *imp)
{
    const struct imp *few[3],
        **arg = imp->args > 3 ? arena_array(in->cx->arena, const struct imp *, imp->args) : few;
    for (size_t i = in->said.n; imp->kind == IMP_VAR && i-- > 0;)
        if (in->said.at[i].flag == imp->var)
            return imp_literal(in->cx, value_int(TYPE_BOOL, in->said.at[i].truth));
    for (int i = 0; i < imp->args; i++) {
        const size_t said = in->said.n;
        if (imp->kind == IMP_IF && i > 0)
            add_said(in, imp->arg[0], imp->arg[0], i == 1, imp->arg[i]);
        arg[i] = rewrite(in, imp->arg[i]);
        in->said.n = said;
    }
    return imp_with_args(in->cx, imp, arg);
}

const struct imp_function *imp_propagate_conditions(struct context *cx,
                                                    const struct imp_function *function,
                                                    const struct pass_options *options)
{
    struct implier in = {.cx = cx};
    const struct imp *body = rewrite(&in, function->body);
    return imp_with_body(cx, function, body);
}
