/* part.c - the independent parts of a program with several results: multi(l, r) computes the
 * results of l and those of r.
 *
 * Statements that share no loop and no where are independent, so each is a program of its own.
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

struct tags {
    struct cin_tag *at;
    size_t n, capacity;
};

/* Adds the tags of the program's loops that are in the part, or of those that are not. */
static void add_tags(struct context *cx, struct tags *tags, const struct cin_program *program,
                     const struct cin *part, bool inside)
{
    for (int i = 0; i < program->tags; i++)
        if (cin_has_loop(part, program->tag[i].var) == inside)
            vec_push(cx->arena, tags, program->tag[i]);
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
    struct tags tags = {0};
    part->statement = cin_assigns(s, result) ? s : cin_nothing(cx);
    add_tags(cx, &tags, program, part->statement, true);
    part->tag = tags.at;
    part->tags = (int)tags.n;
    part->within = program->statement;
    part->result = result;
    part->other = other.at;
    part->others = (int)other.n;
    part->accumulates = r ? result->held : program->accumulates;
    return part;
}

const struct cin_program *cin_put_part(struct context *cx, const struct cin_program *program,
                                       const struct cin_program *part,
                                       const struct cin_program *changed)
{
    struct cin_program *all = arena_copy(cx->arena, changed, sizeof *changed);
    struct tags tags = {0};
    add_tags(cx, &tags, program, part->statement, false);
    for (int i = 0; i < changed->tags; i++)
        vec_push(cx->arena, &tags, changed->tag[i]);
    all->tag = tags.at;
    all->tags = (int)tags.n;
    all->statement = cin_replace(cx, program->statement, part->statement, changed->statement);
    all->within = program->within;
    all->result = program->result;
    all->other = program->other;
    all->others = program->others;
    all->accumulates = program->accumulates;
    return all;
}
