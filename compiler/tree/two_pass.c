/* two_pass.c - which results and workspaces can be assembled by counting.
 *
 * A result whose last level is appended to, below levels that are full, may take its components in
 * any order of its loops (thesis 2.3: edge insertion; Chou and others, 2020): a first run of the
 * statement counts the components in each slot (format_counted), which says where they go, and a
 * second puts each behind those before it.  In one slot they come in ascending order, since
 * whatever the nesting each loop does; and once, since the loops that a slot does not settle are
 * over the coordinates of its components.
 *
 * A GPU sorts a list instead, which the result or the workspace is copied from: slots that several
 * threads count together would say nothing of who is first.
 *
 * So does a workspace that is made outside all loops.  Where they come in its order a list costs
 * less, since entries are then its components as they are.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/tree/parts.h"

/* Do the loops run through ascending coordinates? */
static bool ascends(const struct tree_node *node)
{
    bool in_order = node->in_order;
    for (int i = 0; i < node->children && in_order; i++)
        in_order = ascends(node->child[i]);
    return in_order;
}

/* The assignment in loops alone, of which the slot leaves that over the last level's coordinates
 * open, whose components can be counted without their values; or NULL. */
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

/* What producers make comes first, once. */
bool tree_counts(struct context *cx, const struct tree *tree)
{
    const struct tree_node *nest = tree->root;
    while (nest->statement->kind == CIN_WHERE)
        nest = nest->child[0];
    return tree_may_count(cx, tree->program) && ascends(nest);
}

/* Is it another order than the levels' in which loops go through them, one each? */
static bool is_reordered(const struct cin *nest, const struct cin *access)
{
    const int levels = access->tensor->format->levels;
    bool same = true;
    int level = 0;
    for (; nest->kind == CIN_FORALL; nest = nest->arg[0], level++)
        same &= level < levels && nest->index[0] == access_level_var(access, level);
    return level == levels && !same;
}

/* Do units of a GPU share one of the loops, or threads one inside another? */
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
