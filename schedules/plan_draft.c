/* plan_draft.c - a plan in the making: a program, and the directives that led to it.
 *
 * SPDX-License-Identifier: MIT
 */
#include "schedules/plan.h"

/* What the planner uses. */
static const struct schedule_type *const directives[] = {&schedule_reorder, &schedule_precompute, &schedule_convert,
                                                       &schedule_split,   &schedule_skew,       NULL};

struct draft draft_new(struct context *cx, const struct cin_program *program)
{
    return (struct draft){cx, program, text_new(cx->arena)};
}

void draft_add(struct draft *draft, const char *directive)
{
    size_t mistakes = draft->cx->diags.n;
    if (!draft->program || !*directive)
        return;
    draft->program = schedule_apply(draft->cx, directives, draft->program, directive);
    draft->cx->diags.n = mistakes;
    text_printf(&draft->text, "%s%s", draft->text.n ? "; " : "", directive);
}

void draft_order(struct draft *draft)
{
    if (draft->program)
        draft_add(draft, plan_orders(draft->cx, draft->program));
}
