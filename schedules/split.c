/* split.c - split(i, i0, i1, down, s): a loop as one over blocks and one inside blocks (thesis
 * 6.3).
 *
 *     before    forall(i) y(i) = x(i)
 *     after     forall(i0) forall(i1) y(i) = x(i) : split(i, i0, i1, down, 4)
 *                                                                     split(i, i0, i1, down, 4)
 *
 * down: blocks of s coordinates; up: s blocks.  The statement inside still uses i, which follows
 * from the two by the relation; the coordinates come in the same order as before.  Where a tensor's
 * levels store i/s and i%s the loops follow them.  With an access, the blocks are of the positions
 * at which its levels store what i runs through: pos(i, p, A), and a split of p.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdlib.h>
#include <string.h>

#include "schedules/loops.h"

enum { ARGUMENTS = 5 };

/* The split that is asked for, without its variables; false after a diagnostic. */
static bool read_call(struct context *cx, const struct cin_program *program,
                      const struct schedule_call *call, struct cin_relation *relation)
{
    if (call->arguments != ARGUMENTS)
        return loops_refuse(
            cx, program, call, -1,
            "it takes a loop, the two new loops, up or down, a size, and optionally an access: the "
            "positions of that are split, as after pos(i, p, A)");
    bool down = !strcmp(call->argument[3].text, "down");
    if (!down && strcmp(call->argument[3].text, "up"))
        return loops_refuse(cx, program, call, 3,
                            "the direction is up (the size is the number of blocks) or down (the "
                            "size is that of a block)");
    int64_t size;
    if (!loops_number(call, 4, INT32_MAX, &size))
        return loops_refuse(cx, program, call, 4, "the size is a number from 1 on");
    *relation = (struct cin_relation){.type = &relation_split, .size = size, .up = !down};
    return true;
}

static const struct cin_program *apply_split(struct context *cx, const struct cin_program *program,
                                             const struct schedule_call *call);

/* pos(i, p, A), and then the split of p. */
static const struct cin_program *split_positions(struct context *cx,
                                                 const struct cin_program *program,
                                                 const struct schedule_call *call)
{
    const struct schedule_argument p = {.text = cin_fresh_name(cx, program, "p"),
                                        .span = call->span};
    struct schedule_argument *argument =
        arena_copy(cx->arena, call->argument, sizeof *argument * (size_t)call->arguments);
    const struct schedule_argument of[] = {call->argument[0], p, call->argument[ARGUMENTS]};
    struct schedule_call positions = {schedule_pos.name, &schedule_pos, call->span, 3, of};
    struct schedule_call rest = *call;
    argument[0] = p;
    rest.argument = argument;
    rest.arguments = ARGUMENTS;
    program = schedule_pos.apply(cx, program, &positions);
    return program ? apply_split(cx, program, &rest) : NULL;
}

static const struct cin_program *apply_split(struct context *cx, const struct cin_program *program,
                                             const struct schedule_call *call)
{
    struct cin_relation r;
    if (call->arguments == ARGUMENTS + 1)
        return split_positions(cx, program, call);
    if (!read_call(cx, program, call, &r))
        return NULL;
    const struct cin *loop = loops_find(cx, program, call, 0);
    if (!loop || !loops_check_new(cx, program, call, 1) || !loops_check_new(cx, program, call, 2))
        return NULL;
    if (cin_has_low(program, loop->index[0])) {
        loops_refuse(cx, program, call, 0, "a loop over differences cannot be split");
        return NULL;
    }
    r.parent[0] = loop->index[0];
    for (int k = 0; k < 2; k++)
        r.child[k] = loops_new_var(cx, call->argument[1 + k].text, cin_child_size(&r, k));
    const struct cin *inner = cin_forall(cx, r.child[1], loop->arg[0]);
    return loops_replace(cx, program, call, loop, cin_forall(cx, r.child[0], inner), &r);
}

const struct schedule_type schedule_split = {
    .name = "split",
    .usage = "split(i, i0, i1, up|down, s [, A])",
    .brief = "loop over blocks of i, and inside them",
    .apply = apply_split,
};
