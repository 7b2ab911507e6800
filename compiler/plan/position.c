/* position.c - collapsed loops over what an operand stores: a collapsed loop goes through all
 * coordinates and searches the operands at each, where one over an operand's positions (pos)
 * visits what is stored and nothing else.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/plan/planner.h"

static bool is_collapsed(const struct cin_program *program, const struct index_var *var)
{
    const struct cin_relation *r = cin_origin(program, var);
    return r && r->type == &relation_collapse;
}

bool plan_has_collapsed(const struct cin_program *program, const struct site *site)
{
    for (size_t i = 0; i < site->loops.n; i++)
        if (is_collapsed(program, site->loops.at[i]))
            return true;
    return false;
}

/* Weighs a loop over the operand's positions.  The directive refuses loops that do not run through
 * the operand's levels, or that have an effect where the operand stores nothing. */
static void try_positions(struct site_search *s, const struct index_var *var,
                          const struct cin *access)
{
    struct draft draft = draft_new(s->cx, s->program);
    if (!plan_has_iterated(access, 0))
        return; /* nothing is searched for */
    draft_positions(&draft, var, access);
    search_weigh(s, &draft, true);
}

void search_positions(struct site_search *s)
{
    struct cin_list read = cin_operands(s->cx, s->site->assign);
    for (size_t i = 0; i < s->site->loops.n; i++)
        for (size_t k = 0; k < read.n && is_collapsed(s->program, s->site->loops.at[i]); k++)
            try_positions(s, s->site->loops.at[i], read.at[k]);
}
