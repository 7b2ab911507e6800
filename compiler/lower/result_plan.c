/* result_plan.c - what is certain about the result's components, whatever the operands hold.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/lower/result.h"

int result_level_of(const struct kernel *k, const struct index_var *var)
{
    for (int level = 0; level < result_format(k)->levels; level++)
        if (result_var(k, level) == var)
            return level;
    return -1;
}

bool result_waits_for(struct kernel *k, const struct cin *where, const struct tensor_var *temporary)
{
    if (temporary->order > 0)
        return false; /* its lattice says where it is */
    struct cin_list read_there = cin_operands(k->cx, where->arg[0]);
    for (size_t i = 0; i < read_there.n; i++)
        if (read_there.at[i]->tensor == k->assembly->list)
            return false; /* the result is opened in there, also for no components */
    const struct cin *read = cin_access(k->cx, temporary, NULL, 0);
    const struct cin *unwritten =
        cin_replace(k->cx, where->arg[0], read, cin_literal(k->cx, temporary->fill));
    return result_assembles(k) && cin_simplify(k->cx, unwritten) == cin_nothing(k->cx);
}

static bool waits(struct kernel *k, const struct cin *where)
{
    struct cin_list made = cin_assignments(k->cx, where->arg[1]);
    for (size_t i = 0; i < made.n; i++)
        if (made.at[i]->arg[0]->tensor->temporary
            && result_waits_for(k, where, made.at[i]->arg[0]->tensor))
            return true;
    return false;
}

/* Does the body run at every coordinate, but for the end of a last block or the ends of a diagonal?
 * No block begins beyond the dimension, and no diagonal is empty. */
static bool runs_somewhere(const struct lattice *lattice)
{
    bool some = lattice_is_everywhere(lattice);
    for (int i = 0; i < lattice->guards; i++) {
        const struct lattice_guard *guard = &lattice->guard[i];
        some &= guard->equation == GUARD_RANGE && guard->by->type->has_some
                && guard->by->type->has_some(guard->by);
    }
    return some;
}

/* Does the statement store a component of the result whenever it runs?  (A loop over no coordinates
 * at all leaves a block of no components.) */
bool result_always_stores(struct kernel *k, const struct tree_node *node)
{
    const struct cin *s = node->statement;
    if (s->kind == CIN_WHERE)
        return !waits(k, s) && result_always_stores(k, node->child[0]);
    if (s->kind != CIN_FORALL)
        return s->kind == CIN_ASSIGN;
    bool stores = kernel_of_result(k, s->index[0]) && runs_somewhere(node->lattice);
    for (int i = 0; i < node->children && stores; i++)
        stores = result_always_stores(k, node->child[i]);
    return stores;
}

/* Do the loops reach every parent of a group: every coordinate of the dense levels between `above`,
 * the level that the group before it ends with, and its own first level? */
bool result_visits_all(struct kernel *k, const struct tree_node *node, int above, int first)
{
    const struct cin *s = node->statement;
    if (s->kind == CIN_WHERE)
        return !waits(k, s) && result_visits_all(k, node->child[0], above, first);
    if (s->kind != CIN_FORALL)
        return s->kind != CIN_NOTHING;
    int level = result_level_of(k, s->index[0]);
    if (level < 0 || level >= first)
        return true;
    bool visits = level <= above || lattice_is_full(node->lattice);
    for (int i = 0; i < node->children && visits; i++)
        visits = result_visits_all(k, node->child[i], above, first);
    return visits;
}
