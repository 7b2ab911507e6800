/* draft.c - a plan in the making: a program, and the directives that led to it.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/plan/planner.h"

struct draft draft_new(struct context *cx, const struct cin_program *program)
{
    return (struct draft){cx, program, text_new(cx->arena)};
}

struct draft draft_copy(const struct draft *draft)
{
    struct draft copy = draft_new(draft->cx, draft->program);
    text_add(&copy.text, draft->text.at);
    return copy;
}

void draft_add(struct draft *draft, const char *directive)
{
    if (!draft->program || !*directive)
        return;
    draft->program = plan_apply(draft->cx, draft->program, directive);
    text_printf(&draft->text, "%s%s", draft->text.n ? "; " : "", directive);
}

void draft_precompute(struct draft *draft, const struct cin *e, const struct var_list *modes,
                      const char *format)
{
    struct context *cx = draft->cx;
    struct text text = text_new(cx->arena);
    if (!draft->program)
        return;
    text_add(&text, "precompute(");
    cin_print(cx, &text, e);
    text_printf(&text, ", %s", cin_fresh_name(cx, draft->program, "w"));
    for (size_t i = 0; i < modes->n; i++) {
        const char *name = modes->at[i]->name;
        const char *producer =
            cin_fresh_name(cx, draft->program, arena_printf(cx->arena, "%sp", name));
        text_printf(&text, ", {%s,%s,%s}", name, name, producer);
    }
    text_printf(&text, ", %s)", format);
    draft_add(draft, text.at);
}

void draft_convert(struct draft *draft, const struct cin *access)
{
    struct text text = text_new(draft->cx->arena);
    text_add(&text, "convert(");
    cin_print(draft->cx, &text, access);
    text_printf(&text, ", %s)", cin_fresh_name(draft->cx, draft->program, "w"));
    draft_add(draft, text.at);
}

void draft_sequence(struct draft *draft, const struct cin_program *before)
{
    if (!draft->program)
        return;
    struct cin_list made = cin_assignments(draft->cx, draft->program->statement);
    for (size_t i = 0; i < made.n && draft->program; i++) {
        const struct tensor_var *w = made.at[i]->arg[0]->tensor;
        if (w->temporary && w->order > 0 && !cin_uses_tensor(before->statement, w))
            draft_add(draft, arena_printf(draft->cx->arena, "sequence(%s)", w->name));
    }
}

/* An order that is refused, since other loops lead to one of them, is none. */
static void order(struct draft *draft, bool keeps)
{
    struct draft ordered = draft_copy(draft);
    if (draft->program)
        draft_add(&ordered, plan_orders(draft->cx, draft->program, keeps));
    if (ordered.program)
        *draft = ordered;
}

void draft_order(struct draft *draft) { order(draft, false); }

void draft_keep_order(struct draft *draft) { order(draft, true); }
