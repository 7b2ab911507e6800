/* unread.c - loops over duplicates whose coordinates nobody reads.
 *
 * s = A(i,j) of a list of coordinates adds up all values: which of them have the same i does not
 * matter.  Where the coordinate of a loop says nothing but which positions are below it, and these
 * are gone through one by one into one reduction, the positions of all its coordinates are one run.
 * A last level with duplicates is not gone through one by one: it adds up those of one coordinate.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/tree/tree.h"

/* The one iterator of the loop, which goes through the positions of a level, nothing else being
 * asked at any of them; NULL: it does more. */
static const struct lattice_iterator *only_iterator(const struct lattice *lattice)
{
    const struct lattice_iterator *it = lattice->iterator;
    bool only = lattice->sparse == 1 && lattice->points == 1 && !lattice->flat
                && !lattice->dimension && !lattice->positions && !lattice->guards
                && bits_has(lattice->iterated, 0) && bits_has(lattice->point[0].present, 0);
    return only && it->end == it->first + 1 && it->path.steps == 0 && !it->searched ? it : NULL;
}

struct reading {
    const struct index_var *var;
    const struct lattice_iterator *it;
};

/* By an access that is not where the iterator is. */
static bool reads_elsewhere(const struct cin *cin, void *data)
{
    const struct reading *reading = data;
    return cin->kind == CIN_ACCESS && !lattice_is_at(reading->it, cin)
           && cin_uses_var(cin, reading->var);
}

/* Are all levels of the access below this one gone through by loops that do nothing else, down to
 * one assignment that reduces, and whose target has none of their coordinates? */
static bool reduces_all_below(const struct cin_program *program, const struct tree_node *node,
                              const struct cin *access, int level)
{
    struct bits gone = bits_none();
    const struct tree_node *at = node;
    const struct format *format = access->tensor->format;
    if (!(level_effective(format, format->levels - 1) & LEVEL_UNIQUE))
        return false;
    for (; at->statement->kind == CIN_FORALL; at = at->child[0]) {
        const struct lattice *lattice = at->lattice;
        bool has_parts = at != node && cin_parallel(program, at->statement);
        if (at->children != 1 || has_parts || lattice->guards)
            return false;
        if (lattice->sparse == 0)
            continue;
        const struct lattice_iterator *it = only_iterator(lattice);
        if (!it || !lattice_is_at(it, access) || cin_is_related(program, lattice->var))
            return false;
        gone = bits_with(gone, it->first);
    }
    const struct cin *assign = at->statement;
    if (assign->kind != CIN_ASSIGN || assign->op == OP_NONE)
        return false;
    for (int l = level; l < format->levels; l++)
        if (!bits_has(gone, l) || cin_uses_var(assign->arg[0], access_level_var(access, l)))
            return false;
    return true;
}

bool tree_ignores_coordinates(const struct cin_program *program, const struct tree_node *node)
{
    const struct lattice_iterator *it = only_iterator(node->lattice);
    if (!it || node->lattice->iterators > 1 || it->end == it->access->tensor->format->levels
        || (level_effective(it->access->tensor->format, it->first) & LEVEL_UNIQUE))
        return false;
    struct reading reading = {node->lattice->var, it};
    return !cin_any(node->statement, reads_elsewhere, &reading)
           && reduces_all_below(program, node, it->access, it->first);
}
