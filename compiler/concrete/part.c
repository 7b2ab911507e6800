/* part.c - programs of several results: multi(l, r) computes those of l and those of r.
 *
 * What is in no loop together, nor in a where, are parts that know nothing of each other: a program
 * each.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/base/vec.h"
#include "compiler/concrete/concrete.h"

const struct tensor_var *cin_result(const struct cin_program *program, int r)
{
    return r ? program->other[r - 1] : program->result;
}

bool cin_is_result(const struct cin_program *program, const struct tensor_var *tensor)
{
    bool is = false;
    for (int r = 0; r <= program->others && !is; r++)
        is = cin_result(program, r) == tensor;
    return is;
}

bool cin_assigns(const struct cin *s, const struct tensor_var *tensor)
{
    if (cin_is_expression(s) || s->kind == CIN_ASSIGN)
        return s->kind == CIN_ASSIGN && s->arg[0]->tensor == tensor;
    bool assigns = false;
    for (int i = 0; i < s->args && !assigns; i++)
        assigns = cin_assigns(s->arg[i], tensor);
    return assigns;
}

const struct cin_program *cin_part(struct context *cx, const struct cin_program *program, int r)
{
    const struct tensor_var *result = cin_result(program, r);
    struct cin_program *part = arena_copy(cx->arena, program, sizeof *program);
    const struct cin *s = program->statement;
    while (s->kind == CIN_MULTI)
        s = s->arg[!cin_assigns(s->arg[0], result)];
    VEC(const struct tensor_var *) other = {0};
    for (int k = 0; k <= program->others; k++)
        if (k != r && cin_assigns(s, cin_result(program, k)))
            vec_push(cx->arena, &other, cin_result(program, k));
    part->statement = cin_assigns(s, result) ? s : cin_nothing(cx);
    part->within = program->statement;
    part->result = result;
    part->other = other.at;
    part->others = (int)other.n;
    part->accumulates = r ? result->held : program->accumulates;
    return part;
}
