/* split.c - split(i, i0, i1, down, s): a loop over blocks, and a loop inside each block (thesis
 * 6.3).
 *
 *     before    forall(i) y(i) = x(i)
 *     after     forall(i0) forall(i1) y(i) = x(i) : split(i, i0, i1, down, 4)
 *                                                                     split(i, i0, i1, down, 4)
 *
 * down: blocks of s coordinates.  up: s blocks.  work: of positions, parts of s steps each, where
 * an entry and the end of a row are a step each (relation_work).  The body still uses i, which
 * follows from i0 and i1 by the relation; coordinates come in the same order as before.  If a
 * tensor's levels store i/s and i%s, the loops go along them.  With an access as the last argument
 * the blocks are of the positions at which its levels store i: pos(i, p, A), then a split of p.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdlib.h>
#include <string.h>

#include "schedules/loops.h"

enum { ARGUMENTS = 5 };

/* Reads the way of splitting.  false after a diagnostic. */
static bool read_way(struct context *cx, const struct cin_program *program,
                     const struct schedule_call *call, struct cin_relation *relation)
{
    const char *way = call->argument[3].text;
    bool work = !strcmp(way, "work");
    *relation = (struct cin_relation){.type = work ? &relation_work : &relation_split,
                                      .up = !strcmp(way, "up")};
    return work || relation->up || !strcmp(way, "down")
           || loops_refuse(cx, program, call, 3,
                           "it is up (the size is the number of blocks), down (the size is that of "
                           "a block) or work (positions, in parts of as much work)");
}

/* Reads the split, except for its variables.  false after a diagnostic. */
static bool read_call(struct context *cx, const struct cin_program *program,
                      const struct schedule_call *call, struct cin_relation *relation)
{
    if (call->arguments != ARGUMENTS)
        return loops_refuse(
            cx, program, call, -1,
            "it takes a loop, the two new loops, up, down or work, a size, and optionally an "
            "access: the positions of that are split, as after pos(i, p, A)");
    if (!read_way(cx, program, call, relation))
        return false;
    int64_t least = relation->type == &relation_work ? 2 : 1;
    if (!loops_number(call, 4, INT32_MAX, &relation->size) || relation->size < least)
        return loops_refuse(cx, program, call, 4, "the size is a number from %d on", (int)least);
    return true;
}

/* Is the loop over the positions of all rows together? */
static bool check_rows(struct context *cx, const struct cin_program *program,
                       const struct schedule_call *call, const struct cin *loop)
{
    const struct cin_relation *r = cin_origin(program, loop->index[0]);
    const char *name = loop->index[0]->name;
    if (!r || !r->type->positions || r->child[0] != loop->index[0])
        return loops_refuse(cx, program, call, 0,
                            "work is of positions: pos makes a loop over these, which %s is not",
                            name);
    const struct tensor_var *tensor = r->access->tensor;
    const struct level_type *type = tensor->format->level[r->size].type;
    if (r->base > 0)
        return loops_refuse(cx, program, call, 0,
                            "%s goes through positions below one of level %d of %s, and work is of "
                            "all rows: collapse the loops first",
                            name, r->base, tensor->name);
    if (r->size == 0 || type->array[0].kind != LEVEL_POSITIONS)
        return loops_refuse(cx, program, call, 0,
                            "level %d of %s (%s) has no rows whose ends would count: down has as "
                            "many positions in each block",
                            (int)r->size + 1, tensor->name, type->name);
    return true;
}

static const struct cin_program *apply_split(struct context *cx, const struct cin_program *program,
                                             const struct schedule_call *call);

/* Applies pos(i, p, A), then splits p. */
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
    if (cin_has_low(program, loop->index[0]))
        return loops_refuse(cx, program, call, 0, "a loop over differences cannot be split");
    if (r.type == &relation_work && !check_rows(cx, program, call, loop))
        return NULL;
    r.parent[0] = loop->index[0];
    for (int k = 0; k < 2; k++)
        r.child[k] = loops_new_var(cx, call->argument[1 + k].text, cin_child_size(&r, k));
    const struct cin *inner = cin_forall(cx, r.child[1], loop->arg[0]);
    return loops_replace(cx, program, call, loop, cin_forall(cx, r.child[0], inner), &r);
}

const struct schedule_type schedule_split = {
    .name = "split",
    .usage = "split(i, i0, i1, up|down|work, s [, A])",
    .brief = "loop over blocks of i, and inside them",
    .apply = apply_split,
};
