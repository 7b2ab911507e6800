/* unread.c - loops over duplicates whose coordinates are never read.
 *
 * s = A(i,j) adds up all values of a list of coordinates; which of them share an i does not
 * matter.  If a loop's coordinate only leads to the positions below, and all of these go into one
 * reduction, then the positions below all coordinates are one run.  The same holds if each is
 * assigned to the same position of a result that has the pattern: C(i,j) = 2 * A(i,j).  A last
 * level with duplicates is not run through position by position: its loop adds up duplicates.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/tree/tree.h"

/* Returns the loop's one iterator over the positions of a level, if nothing else is looked up at
 * them; else NULL. */
static const struct lattice_iterator *only_iterator(const struct lattice *lattice)
{
    const struct lattice_iterator *it = lattice->iterator;
    bool only = lattice->sparse == 1 && lattice->points == 1 && !lattice->flat
                && !lattice->dimension && !lattice->positions && !lattice->guards
                && bits_has(lattice->iterated, 0) && bits_has(lattice->point[0].present, 0);
    return only && it->end == it->first + 1 && it->path.steps == 0 && !it->searched ? it : NULL;
}

/* Does the variable, or one that may follow from it, determine where the access is? */
static bool is_told(const struct cin_program *program, const struct cin *access,
                    const struct index_var *var)
{
    return cin_is_related(program, var) ? access->indices > 0 : cin_uses_var(access, var);
}

/* Does a statement use the variable in something else than the iterator's access? */
static bool reads_elsewhere(struct context *cx, const struct tree *tree,
                            const struct cin *statement, const struct lattice_iterator *it,
                            const struct index_var *var)
{
    struct cin_list read = cin_operands(cx, statement);
    bool elsewhere = false;
    for (size_t i = 0; i < read.n && !elsewhere; i++)
        elsewhere = !lattice_is_at(it, read.at[i]) && is_told(tree->program, read.at[i], var);
    return elsewhere;
}

/* Does the assignment reduce the values at all positions of the access into one component, or store
 * each at the same position of a result? */
static bool reduces_all(const struct tree *tree, const struct cin *assign,
                        const struct lattice_iterator *it, int level)
{
    const struct cin *target = assign->arg[0];
    const struct tree *of =
        cin_is_result(tree->program, target->tensor) ? tree->of[target->tensor->rank] : NULL;
    if (of && of->result == target && of->assembly.pattern.operand
        && lattice_is_at(it, of->assembly.pattern.operand))
        return true;
    bool reduces = assign->op != OP_NONE;
    for (int l = level; l < it->access->tensor->format->levels && reduces; l++)
        reduces = !is_told(tree->program, target, access_level_var(it->access, l));
    return reduces;
}

/* Do the loops over the levels below do nothing but go along them, down to one assignment that does
 * not depend on their coordinates? */
static bool reduces_all_below(struct context *cx, const struct tree *tree,
                              const struct tree_node *node, const struct lattice_iterator *top)
{
    const struct cin *access = top->access;
    const int level = top->first;
    struct bits gone = bits_none();
    const struct tree_node *at = node;
    const struct format *format = access->tensor->format;
    const struct lattice_iterator *it = top;
    if (!(level_effective(format, format->levels - 1) & LEVEL_UNIQUE))
        return false;
    for (; at->statement->kind == CIN_FORALL; at = at->child[0]) {
        const struct lattice *lattice = at->lattice;
        bool has_parts = at != node && cin_parallel(tree->program, at->statement);
        if (at->children != 1 || has_parts || lattice->guards)
            return false;
        if (lattice->sparse == 0)
            continue;
        it = only_iterator(lattice);
        bool related = cin_is_related(tree->program, lattice->var);
        if (!it || !lattice_is_at(it, access)
            || (related && reads_elsewhere(cx, tree, at->statement, it, lattice->var)))
            return false;
        gone = bits_with(gone, it->first);
    }
    for (int l = level; l < format->levels; l++)
        if (!bits_has(gone, l) && !level_has(&format->level[l], LEVEL_FULL))
            return false;
    return at->statement->kind == CIN_ASSIGN && reduces_all(tree, at->statement, it, level);
}

bool tree_ignores_coordinates(struct context *cx, const struct tree *tree,
                              const struct tree_node *node)
{
    const struct lattice_iterator *it = only_iterator(node->lattice);
    return it && node->lattice->iterators == 1 && it->end < it->access->tensor->format->levels
           && !(level_effective(it->access->tensor->format, it->first) & LEVEL_UNIQUE)
           && !reads_elsewhere(cx, tree, node->statement, it, node->lattice->var)
           && reduces_all_below(cx, tree, node, it);
}
