/* memo.c - what the planner has found out about programs.
 *
 * Alternatives begin with the same directives and differ in the last ones, and what is weighed has
 * been asked for its assembly and its obstacles before.  So a program is unfolded once, its tree is
 * built once, and a directive is applied to it once: the same directives lead to one program, with
 * the same nodes of concrete notation and of trees.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/plan/planner.h"
#include "compiler/tree/tree.h"

struct plan_entry {
    bool is_unfolded, is_built;
    const struct cin_program *unfolded;
    const struct tree *tree;
    struct site_list sites;
};

static struct plan_entry *find_entry(struct context *cx, const struct cin_program *program)
{
    const uintptr_t word = (uintptr_t)program;
    const void **entry = table_made(cx->arena, &cx->plans, &word, 1);
    if (!*entry)
        *entry = arena_make(cx->arena, struct plan_entry);
    return (struct plan_entry *)*entry;
}

const struct cin_program *plan_unfold(struct context *cx, const struct cin_program *program)
{
    struct plan_entry *entry = find_entry(cx, program);
    size_t mistakes = cx->diags.n;
    if (!entry->is_unfolded)
        entry->unfolded = cin_unfold(cx, program);
    entry->is_unfolded = true;
    cx->diags.n = mistakes;
    return entry->unfolded;
}

const struct tree *plan_tree(struct context *cx, const struct cin_program *program)
{
    const struct cin_program *unfolded = plan_unfold(cx, program);
    struct plan_entry *entry = find_entry(cx, program);
    if (unfolded && !entry->is_built)
        entry->tree = tree_build(cx, unfolded);
    entry->is_built = true;
    return entry->tree;
}

struct site_list plan_sites(struct context *cx, const struct cin_program *program)
{
    struct plan_entry *entry = find_entry(cx, program);
    if (!entry->sites.n)
        entry->sites = plan_find_sites(cx, program);
    return entry->sites;
}

const struct cin_program *plan_apply(struct context *cx, const struct cin_program *program,
                                     const struct schedule_call *call)
{
    static const char refused; /* stands for what a directive that is refused has made */
    const void **made = schedule_made(cx, &cx->plans, program, call);
    size_t mistakes = cx->diags.n;
    if (!*made) {
        const struct cin_program *applied = schedule_apply_call(cx, program, call);
        /* the table may have moved */
        *schedule_made(cx, &cx->plans, program, call) = applied ? applied : (const void *)&refused;
        cx->diags.n = mistakes;
        return applied;
    }
    return *made == &refused ? NULL : *made;
}
