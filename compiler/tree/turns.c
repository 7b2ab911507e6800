/* turns.c - results whose first levels are in Morton order: do the loops reach them in that order?
 *
 *     forall(io) forall(jo) ...  Z(io,jo,...) = A(io,jo,...)
 *
 * They do if A's levels are in Morton order, too, and the loops go along them.  Other loops go in
 * the order of coordinates.  For these a list of the components is sorted and copied to the result
 * (schedules/collect.c).
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/tree/parts.h"

/* Returns the access along whose level the loop goes, one stored coordinate after the other.  NULL
 * if the loop merges several accesses, or goes through all coordinates. */
static const struct cin *along(const struct lattice *lattice, int level)
{
    const struct lattice_iterator *it = &lattice->iterator[0];
    bool one = lattice->points == 1 && !lattice->flat && lattice->sparse == 1
               && bits_has(lattice->iterated, 0);
    return one && it->first == level && access_level_var(it->access, level) == lattice->var
               ? it->access
               : NULL;
}

bool tree_comes_in_turns(const struct tree *tree)
{
    const int levels = format_morton(tree->program->result->format);
    const struct cin *access = NULL;
    const struct tree_node *node = tree->root;
    for (int level = 0; level < levels; node = node->child[0]) {
        const struct cin *s = node->statement;
        if (node->children == 0)
            return false;
        if (s->kind == CIN_WHERE)
            continue;
        const struct cin *by = s->kind == CIN_FORALL && s->index[0] == result_var(tree, level)
                                   ? along(node->lattice, level)
                                   : NULL;
        if (!by || format_morton(by->tensor->format) != levels || (access && by != access))
            return false;
        access = by;
        level++;
    }
    return true;
}
