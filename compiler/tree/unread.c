/* unread.c - loops over duplicates whose coordinates nobody reads.
 *
 * s = A(i,j) of a list of coordinates adds up all values: which of them have the same i does not
 * matter.  Where the coordinate of a loop says nothing but which positions are below it, and these
 * are gone through one by one into one reduction, the positions of all its coordinates are one run.
 * So they are where each is assigned to the component that is at the same position of a result,
 * which has the pattern: C(i,j) = 2 * A(i,j).
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

/* Does the variable, or what may follow from it, say where the access is? */
static bool is_told(const struct cin_program *program, const struct cin *access,
                    const struct index_var *var)
{
    return cin_is_related(program, var) ? access->indices > 0 : cin_uses_var(access, var);
}

/* Is anything read by the variable where the iterator is not? */
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

/* Does the assignment reduce what is at all positions of the access into one component, or give
 * each a component at the same position of a result? */
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

/* Are all levels of the access below this one gone through by loops that do nothing else, down to
 * one assignment, which does not depend on their coordinates? */
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
