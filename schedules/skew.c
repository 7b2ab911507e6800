/* skew.c - skew(j, i, d): a loop over the differences of two variables in place of one of them
 * (Wolfe, 1986).
 *
 *     before    forall(i) forall(j) y(i) += A(i,j) * x(j)
 *     after     forall(i) forall(d) y(i) += A(i,j) * x(j) : skew(j, i, d)
 *                                                                                 skew(j, i, d)
 *
 * d is j - i.  With d as the outer loop the statement goes from diagonal to diagonal.
 * Preconditions: reductions may change their order.  If the loop over j is the outer one, only
 * loops stand between the two, since other statements there would run once for each diagonal
 * instead.
 *
 * SPDX-License-Identifier: MIT
 */
#include "schedules/loops.h"

/* Returns the variable that this one is a part of, at any depth; itself if it is no part. */
static const struct index_var *whole_of(const struct cin_program *program,
                                        const struct index_var *var)
{
    const struct index_var *whole = cin_whole(program, var, CIN_ANY);
    return whole ? whole_of(program, whole) : var;
}

/* Is the inner loop inside the outer one, with only loops in between? */
static bool is_nested(const struct cin *outer, const struct cin *inner)
{
    while (outer != inner && outer->kind == CIN_FORALL)
        outer = outer->arg[0];
    return outer == inner;
}

static const struct cin_program *apply_skew(struct context *cx, const struct cin_program *program,
                                            const struct schedule_call *call)
{
    if (call->arguments != 3)
        return loops_refuse(cx, program, call, -1,
                            "it takes the loop to replace, the loop to subtract, and the new loop");
    const struct cin *loop = loops_find(cx, program, call, 0),
                     *other = loop ? loops_find(cx, program, call, 1) : NULL;
    if (!other || !loops_check_new(cx, program, call, 2))
        return NULL;
    if (loop == other)
        return loops_refuse(cx, program, call, 1, "the two loops are the same");
    const struct index_var *whole[] = {whole_of(program, loop->index[0]),
                                       whole_of(program, other->index[0])};
    for (int k = 0; k < 2; k++)
        if (cin_origin(program, whole[k]))
            return loops_refuse(
                cx, program, call, k,
                "it is a loop over differences, or over a variable that must equal another");
    if (whole[0] == whole[1])
        return loops_refuse(cx, program, call, 1, "the two loops are parts of one loop");
    if (!cin_contains(loop, other) && !cin_contains(other, loop))
        return loops_refuse(cx, program, call, 1, "neither of the two loops is inside the other");
    if (cin_contains(loop, other) && !is_nested(loop, other))
        return loops_refuse(cx, program, call, 1,
                            "it is inside the other loop, but not directly nested");
    if (loops_fixed(cx, loop) != OP_NONE)
        return loops_refuse(cx, program, call, 0, "the order of a reduction would change");
    const struct index_var *a = loop->index[0], *b = other->index[0];
    struct cin_relation r = {.type = &relation_difference, .parent = {a, b}};
    r.child[0] = loops_new_var(cx, call->argument[2].text, cin_child_size(&r, 0));
    return loops_replace(cx, program, call, loop, cin_forall(cx, r.child[0], loop->arg[0]), &r);
}

const struct schedule_type schedule_skew = {
    .name = "skew",
    .usage = "skew(j, i, d)",
    .brief = "replace the loop over j by one over d = j-i",
    .apply = apply_skew,
};
