/* collapse.c - collapse(i, j, f): one loop in place of two, row by row (thesis 6.3).
 *
 *     before    forall(i) forall(j) y(i) += A(i,j) * x(j)
 *     after     forall(f) y(i) += A(i,j) * x(j) : collapse(i, j, f)
 *     collapse(i, j, f)
 *
 * The coordinates come in the same order as before.  Preconditions: the loop over j is directly
 * inside the loop over i.  Neither is over differences, which may be negative, or over positions,
 * whose number may change with each iteration of the loops around.
 *
 * SPDX-License-Identifier: MIT
 */
#include "schedules/loops.h"

static const struct cin_program *apply_collapse(struct context *cx,
                                                const struct cin_program *program,
                                                const struct schedule_call *call)
{
    if (call->arguments != 3)
        return loops_refuse(cx, program, call, -1,
                            "it takes two loops, one directly inside the other, and the new loop");
    const struct cin *outer = loops_find(cx, program, call, 0),
                     *inner = outer ? loops_find(cx, program, call, 1) : NULL;
    if (!inner || !loops_check_new(cx, program, call, 2))
        return NULL;
    if (outer->arg[0] != inner)
        return loops_refuse(cx, program, call, 1,
                            "the loop is not directly inside the loop over %s",
                            call->argument[0].text);
    struct cin_relation r = {.type = &relation_collapse,
                             .parent = {outer->index[0], inner->index[0]}};
    for (int k = 0; k < 2; k++) {
        if (cin_has_low(program, r.parent[k])
            || cin_positions(program->relation, program->relations, r.parent[k]))
            return loops_refuse(cx, program, call, k,
                                "loops over differences or positions cannot be collapsed");
    }
    r.child[0] = loops_new_var(cx, call->argument[2].text, cin_child_size(&r, 0));
    return loops_replace(cx, program, call, outer, cin_forall(cx, r.child[0], inner->arg[0]), &r);
}

const struct schedule_type schedule_collapse = {
    .name = "collapse",
    .usage = "collapse(i, j, f)",
    .brief = "one loop f over i and j, row by row",
    .apply = apply_collapse,
};
