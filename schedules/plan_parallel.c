/* plan_parallel.c - which loops threads share, where nobody has said so.
 *
 * When all else is decided the outermost loops go to threads: each of those that are in no other
 * loop and whose iterations may run at once, in the first of these ways in which they may
 * (compiler/tree/races.c):
 *
 *     no_races      no two iterations write the same
 *     temporary     each part has what it combines into, or makes, of its own
 *
 * A loop for which neither is possible stays as it is.  Whether it is worth it the code finds out
 * each time, since it depends on what is stored (compiler/lower/parallel_share.c).  A program in
 * which some loop is parallel already is left alone: so the user's directives count, and the plan
 * of a planned program is empty.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/tree/tree.h"
#include "schedules/plan.h"

static bool is_tagged(const struct cin_program *program)
{
    bool tagged = false;
    for (int i = 0; i < program->tags; i++)
        tagged |= program->tag[i].kind == TAG_PARALLEL;
    return tagged;
}

/* The loops that are in no other one. */
static void add_outermost(struct context *cx, const struct cin *s, struct cin_list *loops)
{
    if (s->kind == CIN_FORALL)
        vec_push(cx->arena, loops, s);
    else if (!cin_is_expression(s) && s->kind != CIN_ASSIGN)
        for (int i = 0; i < s->args; i++)
            add_outermost(cx, s->arg[i], loops);
}

bool plan_is_whole(struct context *cx, const struct cin_program *program)
{
    const struct tree *tree = program ? plan_tree(cx, program) : NULL;
    size_t mistakes = cx->diags.n;
    bool accepted = tree && !tree->trouble && tree_check_parallel(cx, tree);
    cx->diags.n = mistakes;
    return accepted;
}

/* Add the first way in which the loop may be parallel; false if there is none. */
static bool add_way(struct draft *draft, const struct cin *loop)
{
    static const enum cin_races ways[] = {RACES_NONE, RACES_TEMPORARY};
    for (size_t way = 0; way < sizeof ways / sizeof *ways; way++) {
        struct draft with = draft_copy(draft);
        draft_add(&with, arena_printf(draft->cx->arena, "parallelize(%s, cpu_thread, %s)",
                                      loop->index[0]->name, cin_races_name(ways[way])));
        if (plan_is_whole(draft->cx, with.program)) {
            *draft = with;
            return true;
        }
    }
    return false;
}

/* The directives, and how many results are assigned in loops that stay as they are. */
static const char *share_out(struct context *cx, const struct cin_program *program, int *serial)
{
    struct draft draft = draft_new(cx, program);
    struct cin_list loops = {0};
    *serial = 0;
    if (!is_tagged(program))
        add_outermost(cx, program->statement, &loops);
    for (size_t i = 0; i < loops.n; i++)
        if (!add_way(&draft, loops.at[i]))
            for (int r = 0; r <= program->others; r++)
                *serial += cin_assigns(loops.at[i], cin_result(program, r));
    return draft.text.at;
}

const char *plan_parallel(struct context *cx, const struct cin_program *program)
{
    int serial;
    return share_out(cx, program, &serial);
}

int plan_serial_results(struct context *cx, const struct cin_program *program)
{
    int serial;
    share_out(cx, program, &serial);
    return serial;
}
