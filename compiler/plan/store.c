/* store.c - in which order the loops come to the components of a tensor that they store.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/plan/planner.h"
#include "compiler/tree/tree.h"

const struct cin *plan_find_store(struct context *cx, const struct cin *s,
                                  const struct tensor_var *tensor, struct var_list *loops)
{
    const struct cin *store = NULL;
    if (s->kind == CIN_ASSIGN)
        return s->arg[0]->tensor == tensor ? s->arg[0] : NULL;
    if (s->kind == CIN_FORALL)
        vec_push(cx->arena, loops, s->index[0]);
    for (int i = 0; i < s->args && !store; i++)
        store = plan_find_store(cx, s->arg[i], tensor, loops);
    loops->n -= s->kind == CIN_FORALL && !store;
    return store;
}

/* Returns how many outer loops go through the levels [0, levels) of the store, in order and with no
 * other loop between them; -1: they do not. */
static int stored_in_order(const struct cin_program *program, const struct cin *store,
                           const struct var_list *loops, int levels)
{
    int passed = 0;
    bool same = true;
    for (int level = 0; level < levels && same; level++)
        same =
            cin_passes(program, loops->at, (int)loops->n, access_level_var(store, level), &passed);
    return same ? passed : -1;
}

/* Do the loops that the levels [0, first) do not tell pass the others in order, and no more? */
static bool passes_from(struct context *cx, const struct cin_program *program,
                        const struct cin *store, const struct var_list *loops, int first)
{
    const int levels = store->tensor->format->levels;
    struct known known = known_none(cx, program);
    struct var_list rest = {0};
    int passed = 0;
    for (int level = 0; level < first; level++)
        known = known_with(cx, &known, access_level_var(store, level));
    for (size_t i = 0; i < loops->n; i++)
        if (!known_has(&known, loops->at[i]))
            vec_push(cx->arena, &rest, loops->at[i]);
    for (int level = first; level < levels; level++)
        if (!cin_passes(program, rest.at, (int)rest.n, access_level_var(store, level), &passed))
            return false;
    return passed == (int)rest.n;
}

struct sorted_levels plan_sorted_levels(struct context *cx, const struct cin_program *program,
                                        const struct cin *store, const struct var_list *loops)
{
    struct sorted_levels by = {0};
    const int levels = store->tensor->format->levels;
    while (by.first < levels && stored_in_order(program, store, loops, by.first + 1) >= 0)
        by.first++;
    while (by.end < levels && !passes_from(cx, program, store, loops, by.end))
        by.end++;
    return by;
}

static bool is_counted(struct context *cx, const struct cin_program *program)
{
    const struct tree *tree = tree_may_count(cx, program) ? plan_tree(cx, program) : NULL;
    return tree && tree->assembly.kind == ASSEMBLY_COUNT;
}

/* Returns the same of a result whose levels store functions of the coordinates: the tree knows. */
static bool assembles_mapped(struct context *cx, const struct cin_program *program)
{
    const struct tree *tree = plan_tree(cx, program);
    return !tree || !tree->infeasible || tree->infeasible->tensor != tree->program->result;
}

bool plan_assembles(struct context *cx, const struct cin_program *program)
{
    struct var_list loops = {0};
    const struct format *format = program->result->format;
    if (!format_is_plain(format))
        return assembles_mapped(cx, program);
    const struct cin *store = plan_find_store(cx, program->statement, program->result, &loops);
    return !store || stored_in_order(program, store, &loops, format_assembled(format)) >= 0
           || is_counted(cx, program);
}
