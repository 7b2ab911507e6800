/* divided.c - how the parts of a parallel loop assemble a result.
 *
 * A loop over the first level of an appended result, or over blocks of that level, divides the
 * result.  So does a loop over the list that the result is copied from.  Any outermost loop
 * divides a result that is counted.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/tree/parts.h"

static const struct level_type *result_type(const struct tree *tree)
{
    return tree->result->tensor->format->level[0].type;
}

bool tree_looks_for(const struct level_type *type)
{
    bool stores = false;
    for (int i = 0; i < LEVEL_ARRAYS; i++)
        stores |= type->array[i].kind == LEVEL_COORDINATES;
    return stores && type->insert && !type->takes_turns;
}

bool tree_is_plain(const struct level_type *type)
{
    return type->size && !type->insert && (type->properties & LEVEL_FULL)
           && type->array[0].kind == LEVEL_NO_ARRAY;
}

struct conditional {
    struct context *cx;
    const struct tree *tree;
    const struct cin *inside;
};

/* Is it a where with the statement in its consumer, which runs only if a scalar is written? */
static bool is_condition(const struct cin *cin, void *data)
{
    struct conditional *c = data;
    if (cin->kind != CIN_WHERE || !cin_contains(cin->arg[0], c->inside))
        return false;
    struct cin_list made = cin_assignments(c->cx, cin->arg[1]);
    bool waits = false;
    for (size_t i = 0; i < made.n; i++)
        waits |= tree_waits_for(c->cx, c->tree, cin, made.at[i]->arg[0]->tensor);
    return waits;
}

bool tree_is_conditional(struct context *cx, const struct tree *tree, const struct cin *statement,
                         const struct cin *inside)
{
    struct conditional conditional = {cx, tree, inside};
    return cin_any(statement, is_condition, &conditional);
}

/* Has each part of the loop a part of the first level, and can every level join its parts? */
static bool divides_result(struct context *cx, const struct tree *tree,
                           const struct tree_node *forall)
{
    const struct index_var *var = forall->statement->index[0];
    if (!cin_is_part(tree->program, var, result_var(tree, 0), CIN_FIRST)
        || cin_has_low(tree->program, var)
        || tree_is_conditional(cx, tree, tree->program->statement, forall->statement))
        return false;
    const struct format *format = tree->result->tensor->format;
    bool joins = tree_is_plain(format->level[0].type) || format->level[0].type->append_coordinate;
    for (int level = 0; level < format->levels; level++)
        joins &= format->level[level].type->join != NULL;
    return joins;
}

/* Does a part of the loop tell which positions of the access it has on the level?  It does not
 * below a list of coordinates, whose order is another, and not for operands that are located while
 * the parts divide another operand's positions. */
static bool tells_share(const struct lattice *lattice, const struct tree_capacity_at *at)
{
    const struct cin *access = at->access;
    for (int i = 0; i < lattice->iterators; i++) {
        const struct lattice_iterator *it = &lattice->iterator[i];
        if (!lattice_is_at(it, access) || it->first + 1 != it->end)
            continue;
        const struct level_type *type = access->tensor->format->level[it->first].type;
        bool walks = bits_has(bits_or(lattice->iterated, lattice->following), i);
        return it->first == 0 && it->path.steps == 0 && access_level_var(access, 0) == lattice->var
               && (i < lattice->sparse ? walks && (!type->lists || at->level == it->first)
                                       : (lattice->dimension || bits_count(lattice->iterated) > 1)
                                             && (type->properties & LEVEL_FULL) && type->locate
                                             && type->array[0].kind == LEVEL_NO_ARRAY);
    }
    return false;
}

/* Do the operands say, for every group of levels, where the room of each part begins? */
static bool tells_capacities(struct context *cx, const struct tree *tree,
                             const struct tree_node *forall)
{
    const struct assembly *a = &tree->assembly;
    bool tells = a->groups > 0;
    for (int g = 0; g < a->groups && tells; g++) {
        struct tree_capacity room = {0};
        tells = tree_capacity(cx, tree, a->group[g].last, &room)
                && (!room.all || room.all == forall->statement->index[0]);
        for (size_t i = 0; i < room.at.n && tells; i++)
            tells = tells_share(forall->lattice, &room.at.at[i]);
    }
    return tells;
}

bool tree_has_sorted_slots(const struct tree *tree)
{
    const struct assembly *a = &tree->assembly;
    return a->kind == ASSEMBLY_COPY && tree_looks_for(result_type(tree)) && a->groups > 0
           && a->group[0].slots > 0;
}

/* Does each coordinate have a place of its own, or follow others of its parent?  Not on a first
 * level in Morton order, and not below the slots of a hash table. */
static bool inserts_below(const struct tree *tree)
{
    const struct assembly *a = &tree->assembly;
    bool below = !result_type(tree)->takes_turns;
    for (int g = 0; g < a->groups; g++)
        below &= a->group[g].slots == 0;
    return below;
}

/* May the loops run twice, once to count the result's positions and once to store them?  Whether a
 * component is kept may depend on values; then the count computes, and can make one result only. */
static enum tree_parts may_run_twice(struct context *cx, const struct tree *tree,
                                     const struct tree_node *forall)
{
    struct cin_list made = cin_assignments(cx, forall->statement);
    bool may = inserts_below(tree);
    for (size_t i = 0; i < made.n; i++)
        may &= !cin_kept(made.at[i]) || tree->program->others == 0;
    return may ? PARTS_TWICE : PARTS_NONE;
}

enum tree_parts tree_parts(struct context *cx, const struct tree *tree,
                           const struct tree_node *forall)
{
    const struct known none = known_none(cx, tree->program);
    if (forall->around.known.n != none.n || !tree_assigns(tree, forall->statement))
        return PARTS_NONE;
    switch (tree->assembly.kind) {
    case ASSEMBLY_PLACE:
    case ASSEMBLY_GIVEN:
    case ASSEMBLY_UPDATE:
    case ASSEMBLY_PATTERN: break;
    case ASSEMBLY_APPEND:
        return !divides_result(cx, tree, forall)    ? PARTS_NONE
               : cx->cuda                           ? may_run_twice(cx, tree, forall)
               : tells_capacities(cx, tree, forall) ? PARTS_COMPACTED
                                                    : PARTS_JOINED;
    case ASSEMBLY_COPY:
        return forall->statement->index[0] != result_var(tree, 0) ? PARTS_NONE
               : cx->cuda                                         ? may_run_twice(cx, tree, forall)
               : tree_has_sorted_slots(tree)                      ? PARTS_NONE
                                                                  : PARTS_FILLED;
    case ASSEMBLY_COUNT:
        return tree_tells(cx, tree, forall, tree->result, tree->result->tensor->format->levels - 1)
                   ? PARTS_NONE
                   : PARTS_COUNTED;
    }
    return PARTS_NONE;
}

bool tree_parts_have_places(struct context *cx, const struct tree *tree,
                            const struct tree_node *forall)
{
    switch (tree_parts(cx, tree, forall)) {
    case PARTS_NONE:
    case PARTS_COUNTED: break;
    case PARTS_JOINED:
    case PARTS_COMPACTED:
    case PARTS_TWICE: return result_type(tree)->size != NULL;
    case PARTS_FILLED: return format_morton(tree->result->tensor->format) == 0;
    }
    return false;
}

static const struct tree_node *find_in_parts(struct context *cx, const struct tree *tree,
                                             const struct tree_node *node)
{
    const struct cin *s = node->statement;
    const struct tree_node *found = NULL;
    if (cin_parallel(tree->program, s) && node->lattice->points
        && tree_parts(cx, tree, node) != PARTS_NONE)
        return node;
    for (int i = 0; i < node->children && !found; i++)
        found = find_in_parts(cx, tree, node->child[i]);
    return found;
}

const struct tree_node *tree_loop_in_parts(struct context *cx, const struct tree *tree)
{
    return find_in_parts(cx, tree, tree->root);
}

bool tree_runs_twice(struct context *cx, const struct tree *tree)
{
    const struct tree_node *loop = tree_loop_in_parts(cx, tree);
    return loop && tree_parts(cx, tree, loop) == PARTS_TWICE;
}
