/* two_pass.c - which results and workspaces can be assembled by counting.
 *
 * A result may take its components in any order if its last level is appended to, below full
 * levels (thesis 2.3: edge insertion; Chou and others, 2020).  A first run of the statement counts
 * the components of each slot (format_counted), which says where each slot begins.  A second run
 * puts each component behind those before it.  Within a slot the components come in ascending
 * order, as in each loop, and once, since every loop that the slot leaves open is over their
 * coordinates.
 *
 * A workspace that is made outside all loops can be counted likewise.  If its components come in
 * its order, a list costs less: its entries are the components.
 *
 * A GPU sorts a list and copies the result or workspace from it.  Threads that count a slot
 * together would not know whose component comes first.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/tree/parts.h"

/* Do all loops go through ascending coordinates? */
static bool ascends(const struct tree_node *node)
{
    bool in_order = node->in_order;
    for (int i = 0; i < node->children && in_order; i++)
        in_order = ascends(node->child[i]);
    return in_order;
}

/* Returns the assignment in a nest of foralls whose components can be counted without their values,
 * if the slot determines every loop but the one over the last level's coordinates; else NULL. */
static const struct cin *find_assignment(struct context *cx, const struct cin_program *program,
                                         const struct cin *nest)
{
    const struct cin *s = nest;
    int open = 0;
    while (s->kind == CIN_FORALL)
        s = s->arg[0];
    bool plain = s->kind == CIN_ASSIGN && s->op == OP_NONE && !cin_kept(s);
    const struct cin *to = plain ? s->arg[0] : NULL;
    if (!to || !to->tensor->format || format_counted(to->tensor->format) < 0)
        return NULL;
    int last = to->tensor->format->levels - 1;
    const struct known slot = access_told_by_levels(cx, program, to, last, NULL);
    for (const struct cin *loop = nest; loop != s; loop = loop->arg[0])
        open += loop->index[0] == access_level_var(to, last)
                    ? 1
                    : 2 * !known_has(&slot, loop->index[0]);
    return open == 1 ? s : NULL;
}

bool tree_may_count(struct context *cx, const struct cin_program *program)
{
    const struct cin *nest = program->statement;
    while (nest->kind == CIN_WHERE)
        nest = nest->arg[0];
    return !program->accumulates && !program->result->temporary && cin_copy(program->statement)
           && find_assignment(cx, program, nest);
}

/* Can the consumers' nest be counted?  The producers run before, once. */
bool tree_counts(struct context *cx, const struct tree *tree)
{
    const struct tree_node *nest = tree->root;
    while (nest->statement->kind == CIN_WHERE)
        nest = nest->child[0];
    return tree_may_count(cx, tree->program) && ascends(nest);
}

/* Do the loops go through the access's levels, one each, but in another order? */
static bool is_reordered(const struct cin *nest, const struct cin *access)
{
    const int levels = access->tensor->format->levels;
    bool same = true;
    int level = 0;
    for (; nest->kind == CIN_FORALL; nest = nest->arg[0], level++)
        same &= level < levels && nest->index[0] == access_level_var(access, level);
    return level == levels && !same;
}

/* Do units of a GPU, or threads inside another loop, share one of the loops? */
static bool divides_inside(const struct cin_program *program, const struct cin *nest)
{
    bool divides = false;
    for (const struct cin *loop = nest; loop->kind == CIN_FORALL; loop = loop->arg[0]) {
        const struct cin_tag *tag = cin_parallel(program, loop);
        divides |= tag && (loop != nest || cin_unit_is_gpu(tag->unit));
    }
    return divides;
}

bool tree_counts_workspace(struct context *cx, const struct tree *tree,
                           const struct tree_node *producer)
{
    const struct cin *s = producer->statement, *assign = find_assignment(cx, tree->program, s);
    return !cx->cuda && s->kind == CIN_FORALL && assign && assign->arg[0]->tensor->temporary
           && is_reordered(s, assign->arg[0]) && !divides_inside(tree->program, s)
           && producer->around.known.n == known_none(cx, tree->program).n
           && producer->lattice->points > 0 && ascends(producer);
}
