/* stored.c - which components a statement stores, and when that is certain.
 *
 * The statement alone decides: it stores the components whose value is not the fill once the fills
 * of absent operands are put into the expression.  The points of lattices say which operands are
 * absent; a scalar temporary is absent if its producer did not write it.  In an assembled result
 * that shows.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/tree/parts.h"

#include "compiler/base/vec.h"

bool tree_assembles(const struct tree *tree) { return tree->assembly.kind >= ASSEMBLY_APPEND; }

bool tree_assembles_some(const struct tree *tree)
{
    bool some = false;
    for (int r = 0; r < tree->results && !some; r++)
        some = tree->of[r]->root == tree->root && tree_assembles(tree->of[r]);
    return some;
}

static int level_of(const struct tree *tree, const struct index_var *var, enum cin_which part)
{
    for (; var; var = cin_whole(tree->program, var, part))
        for (int level = 0; level < tree->program->result->format->levels; level++)
            if (access_level_var(tree->result, level) == var)
                return level;
    return -1;
}

int tree_part_level(const struct tree *tree, const struct index_var *var)
{
    return level_of(tree, var, CIN_ANY);
}

int tree_result_level(const struct tree *tree, const struct index_var *var)
{
    return level_of(tree, var, CIN_LAST);
}

bool tree_of_access(struct context *cx, const struct tree *tree, const struct cin *access,
                    const struct index_var *var)
{
    const struct known told = access_told(cx, tree->program, access);
    return known_has(&told, var);
}

const struct tree *tree_of_result(const struct tree *tree, const struct tensor_var *result)
{
    int r = 0;
    while (r + 1 < tree->results && tree->of[r]->program->result != result)
        r++;
    return tree->of[r];
}

/* Returns the outermost where, in the same loops, that makes something this where's consumer reads.
 */
static const struct cin *outermost(const struct cin *s, const struct cin *where)
{
    for (const struct cin *at = s; at->kind == CIN_WHERE; at = at->arg[0])
        if (at == where)
            return s;
    const struct cin *found = NULL;
    for (int i = 0; i < s->args && !found; i++)
        found = outermost(s->arg[i], where);
    return found;
}

bool tree_needs_scalar(struct context *cx, const struct cin_program *program,
                       const struct cin *where, const struct tensor_var *temporary)
{
    const struct cin *all = outermost(program->statement, where);
    struct cin_list operands = cin_operands(cx, where->arg[0]), absent = {0},
                    unsure = access_unsure(cx, &operands, &(struct known){0});
    vec_push(cx->arena, &absent, cin_access(cx, temporary, NULL, 0));
    return cin_unwritten(cx, where->arg[0], all ? all : where, &absent, &unsure) == cin_nothing(cx);
}

bool tree_waits_for(struct context *cx, const struct tree *tree, const struct cin *where,
                    const struct tensor_var *temporary)
{
    if (!tensor_var_is_scalar(temporary) || !tree_assembles_some(tree))
        return false; /* its lattice says where it is present */
    for (int r = 0; r < tree->results; r++)
        if (!tree_assembles(tree->of[r]) && tree_assigns(tree->of[r], where->arg[0]))
            return false; /* a component may be stored there as well */
    struct cin_list read_there = cin_operands(cx, where->arg[0]);
    for (size_t i = 0; i < read_there.n; i++)
        if (read_there.at[i]->tensor == tree->assembly.list)
            return false; /* the result's row is opened inside, also if it stays empty */
    return tree_needs_scalar(cx, tree->program, where, temporary);
}

static bool waits(struct context *cx, const struct tree *tree, const struct cin *where)
{
    struct cin_list made = cin_assignments(cx, where->arg[1]);
    for (size_t i = 0; i < made.n; i++)
        if (tree_waits_for(cx, tree, where, made.at[i]->arg[0]->tensor))
            return true;
    return false;
}

/* ---- certainty ---- */

/* Does the body run at every coordinate, but for the end of a last block or the ends of a diagonal?
 * No block begins beyond the dimension, and no diagonal is empty. */
bool tree_runs_somewhere(const struct lattice *lattice)
{
    bool some = lattice_is_everywhere(lattice);
    for (int i = 0; i < lattice->guards; i++) {
        const struct lattice_guard *guard = &lattice->guard[i];
        /* a block of a block may lie wholly beyond the dimension */
        bool own = cin_is_child(guard->by, lattice->var) || cin_is_parent(guard->by, lattice->var);
        some &= own && guard->equation == GUARD_RANGE && guard->by->type->has_some
                && guard->by->type->has_some(guard->by);
    }
    return some;
}

/* Is it a loop over an inner level of the list that the result is copied from?  A coordinate of an
 * outer level is there because of an entry, so the loop runs. */
static bool is_within_list(const struct tree *tree, const struct lattice *lattice)
{
    const struct lattice_iterator *only = lattice->iterator;
    return tree->assembly.list && lattice->points == 1 && !lattice->flat && !lattice->dimension
           && !lattice->guards && lattice->iterators == 1 && lattice->sparse == 1
           && only->access->tensor == tree->assembly.list && only->first > 0 && !only->searched;
}

/* Does the statement store a component of the result whenever it runs?  (A loop over no coordinates
 * leaves an empty block.) */
bool tree_always_stores(struct context *cx, const struct tree *tree, const struct tree_node *node)
{
    const struct cin *s = node->statement;
    if (s->kind == CIN_WHERE)
        return !waits(cx, tree, s) && tree_always_stores(cx, tree, node->child[0]);
    if (s->kind == CIN_MULTI)
        return tree_always_stores(cx, tree, node->child[!tree_assigns(tree, s->arg[0])]);
    if (s->kind != CIN_FORALL)
        return s->kind == CIN_ASSIGN && !cin_kept(s) && tree_assigns(tree, s)
               && !tree_needs(cx, tree, node).effect;
    bool stores = tree_of_access(cx, tree, tree->result, s->index[0])
                  && (tree_runs_somewhere(node->lattice) || is_within_list(tree, node->lattice));
    for (int i = 0; i < node->children && stores; i++)
        stores = tree_always_stores(cx, tree, node->child[i]);
    return stores;
}

/* Does the body run at every coordinate of the level, apart from places beyond its range?  (A level
 * of blocks has such places.) */
static bool visits_each(const struct tree *tree, const struct lattice *lattice, int level)
{
    bool each = lattice_is_everywhere(lattice);
    for (int i = 0; i < lattice->guards; i++)
        each &= lattice->guard[i].equation == GUARD_RANGE && lattice->guard[i].by->type->parts
                && tree_part_level(tree, lattice->guard[i].var) == level;
    return each;
}

/* Do the loops reach every parent of a group of levels, that is, every coordinate of the dense
 * levels between `above`, the last level of the group before, and the group's own first level? */
bool tree_visits_all(struct context *cx, const struct tree *tree, const struct tree_node *node,
                     int above, int first)
{
    const struct cin *s = node->statement;
    if (s->kind == CIN_WHERE)
        return !waits(cx, tree, s) && tree_visits_all(cx, tree, node->child[0], above, first);
    if (s->kind == CIN_MULTI)
        return tree_visits_all(cx, tree, node->child[!tree_assigns(tree, s->arg[0])], above, first);
    if (s->kind != CIN_FORALL)
        return tree_assigns(tree, s);
    int level = tree_part_level(tree, s->index[0]);
    if (level < 0 || level >= first)
        return tree_assigns(tree, s);
    bool visits = level <= above || visits_each(tree, node->lattice, level);
    for (int i = 0; i < node->children && visits; i++)
        visits = tree_visits_all(cx, tree, node->child[i], above, first);
    return visits;
}

bool tree_stores_all(const struct tree_node *node)
{
    bool all = true;
    switch (node->statement->kind) {
    case CIN_ASSIGN: return !cin_kept(node->statement);
    case CIN_FORALL:
        all = !node->lattice->infeasible && lattice_is_everywhere(node->lattice);
        break;
    case CIN_WHERE: return tree_stores_all(node->child[0]);
    case CIN_SEQUENCE: return tree_stores_all(node->child[0]) || tree_stores_all(node->child[1]);
    case CIN_MULTI: break;
    case CIN_NOTHING:
    case CIN_LITERAL:
    case CIN_ACCESS:
    case CIN_OP: return false;
    }
    for (int i = 0; i < node->children && all; i++)
        all = tree_stores_all(node->child[i]);
    return all;
}
