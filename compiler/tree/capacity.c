/* capacity.c - how many positions an appended result gets, as far as the operands tell.
 *
 *     C(i,j) = A(i,j,k) * x(k)     as many as the second level of A has
 *     C(i,j) = A(i,j) + B(i,j)     at most as many as A and B have together, at least half of that
 *     C(i,j) = A(i,j)              rows, from csr to dcsr: at most the number of coordinates;
 *                                  from blocks to csr: the number of places in the blocks
 *
 * The number is exact but for empty segments, and for coordinates that several operands have.
 * Nothing is told if other operands' values leave components out: room for all of them could be
 * far too much.
 *
 * A list that is finished before the loop is treated as an operand is.  That is so if no loop is
 * around the statement that makes the list.
 *
 * A list gets one entry in each iteration of the loops that fill it.
 *
 * A result that is copied from a workspace gets at most as many components as the workspace was
 * given.  If loops over operands fill the workspace, these loops can count that number before:
 * they need only the lengths of their innermost segments.
 *
 *     C(i,j) = w(j) where w(j) += A(i,k) * B(k,j)     for each (i,k) of A the length of B's row k
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/tree/tree.h"

/* Does the loop run exactly at the coordinates that one of its operands has? */
static bool is_union(const struct lattice *lattice)
{
    struct bits alone = bits_none();
    for (int i = 0; i < lattice->points; i++)
        if (bits_count(lattice->point[i].present) == 1)
            alone = bits_or(alone, lattice->point[i].present);
    bool searched = false;
    for (int i = 0; i < lattice->sparse; i++)
        searched |= lattice->iterator[i].searched;
    return !lattice->flat && !lattice->dimension && !lattice->rest && !lattice->guards && !searched
           && lattice->sparse > 0 && bits_count(alone) == lattice->sparse
           && bits_equal(alone, lattice->iterated);
}

static bool stores_below(struct context *cx, const struct tree *tree, const struct tree_node *node);

/* Does the statement store a component, unless segments are empty? */
static bool stores(struct context *cx, const struct tree *tree, const struct tree_node *node)
{
    return tree_always_stores(cx, tree, node)
           || (node->statement->kind == CIN_FORALL
               && (is_union(node->lattice) || lattice_is_full(node->lattice))
               && stores_below(cx, tree, node));
}

/* Does each of the loop's regions store a component, unless segments are empty? */
static bool stores_below(struct context *cx, const struct tree *tree, const struct tree_node *node)
{
    bool all = true;
    for (int i = 0; i < node->children && all; i++)
        all = stores(cx, tree, node->child[i]);
    return all;
}

bool tree_is_operand(const struct tree *tree, const struct tensor_var *tensor)
{
    return !tensor->temporary && !tensor->before && tensor->rank >= tree->results;
}

/* Returns the where that makes the tensor outside all loops and in any case.  NULL if there is
 * none, or if the where may be skipped: a consumer of a scalar runs only if the scalar is written.
 */
static const struct tree_node *maker(struct context *cx, const struct tree *tree,
                                     const struct tensor_var *tensor)
{
    const struct tree_node *node = tree->root;
    while (node->statement->kind == CIN_WHERE && !cin_assigns(node->statement->arg[1], tensor)) {
        struct cin_list made = cin_assignments(cx, node->statement->arg[1]);
        for (size_t i = 0; i < made.n; i++)
            if (made.at[i]->arg[0]->tensor->order == 0)
                return NULL;
        node = node->child[0];
    }
    return node->statement->kind == CIN_WHERE ? node : NULL;
}

/* Is the tensor complete before a loop goes along it: is it an operand, or a finished list? */
static bool is_finished_before(struct context *cx, const struct tree *tree,
                               const struct tensor_var *tensor)
{
    return tree_is_operand(tree, tensor)
           || (tensor->temporary && tree->results == 1
               && workspace_kind(tensor->format) == WORKSPACE_LIST && maker(cx, tree, tensor));
}

/* Does the loop visit each position of the level once?  It does if the coordinates of a position,
 * on this level and those above, determine the iteration of every loop around.  Then all of these
 * loops are over variables of the levels, or over blocks of these variables. */
static bool is_passed_once(struct context *cx, const struct tree *tree,
                           const struct lattice_iterator *it, const struct known *around)
{
    const struct known none = known_none(cx, tree->program);
    struct known here = none;
    for (int level = 0; level <= it->first; level++)
        here = known_with(cx, &here, access_level_var(it->access, level));
    bool once = it->first + 1 == it->end && is_finished_before(cx, tree, it->access->tensor);
    once &= (level_effective(it->access->tensor->format, it->first) & LEVEL_UNIQUE) != 0;
    for (int i = none.n; i < around->n && once; i++)
        once = known_has(&here, around->var[i]);
    return once;
}

static void add_iterator(struct context *cx, struct tree_capacity *room,
                         const struct lattice_iterator *it)
{
    for (size_t i = 0; i < room->at.n; i++)
        if (room->at.at[i].access == it->access && room->at.at[i].level == it->first)
            return;
    vec_push(cx->arena, &room->at, ((struct tree_capacity_at){it->access, it->first}));
}

/* The loop visits each position of the operands that it goes along once: the result gets as many.
 */
static bool add_union(struct context *cx, const struct tree *tree, const struct tree_node *node,
                      struct tree_capacity *room)
{
    bool all = is_union(node->lattice);
    for (int i = 0; i < node->lattice->sparse && all; i++) {
        const struct lattice_iterator *it = &node->lattice->iterator[i];
        all = is_passed_once(cx, tree, it, &node->around.known);
        add_iterator(cx, room, it);
    }
    return all;
}

/* The loop goes over what a level stores. */
static bool add_all(struct context *cx, const struct tree *tree, const struct tree_node *node,
                    struct tree_capacity *room)
{
    return add_union(cx, tree, node, room) && stores_below(cx, tree, node);
}

/* The loop goes over all coordinates of a full level below positions that are each visited once,
 * such as the places of a block or of a dense row. */
static bool add_full(struct context *cx, const struct tree *tree, const struct tree_node *node,
                     struct tree_capacity *room)
{
    const struct lattice *lattice = node->lattice;
    bool all = lattice_is_everywhere(lattice) && stores_below(cx, tree, node), found = false;
    for (int i = lattice->sparse; i < lattice->iterators && all && !found; i++) {
        found = is_passed_once(cx, tree, &lattice->iterator[i], &node->around.known);
        if (found)
            add_iterator(cx, room, &lattice->iterator[i]);
    }
    return found;
}

/* The outermost loop goes over all coordinates of a dimension. */
static bool add_coordinates(struct context *cx, const struct tree *tree,
                            const struct tree_node *node, struct tree_capacity *room)
{
    const struct known none = known_none(cx, tree->program);
    const struct index_var *var = node->statement->index[0];
    bool all = node->around.known.n == none.n && node->lattice->dimension
               && lattice_is_full(node->lattice) && !cin_origin(tree->program, var)
               && stores_below(cx, tree, node);
    room->all = all ? var : NULL;
    return all;
}

/* Finds the bound of a loop whose iterations each get a position.  Bounds of other loops over the
 * same level, in other regions of the loops around, stay in `room`. */
static bool add_loop(struct context *cx, const struct tree *tree, const struct tree_node *node,
                     struct tree_capacity *room)
{
    static bool (*const ways[])(struct context *, const struct tree *, const struct tree_node *,
                                struct tree_capacity *) = {add_all, add_coordinates, add_full};
    const struct tree_capacity before = *room;
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        *room = before;
        if (ways[i](cx, tree, node, room))
            return true;
    }
    return false;
}

static bool find_capacity(struct context *cx, const struct tree *tree, const struct tree_node *node,
                          int level, struct tree_capacity *room)
{
    if (node->statement->kind != CIN_FORALL || !node->distinct)
        return false;
    if (tree_result_level(tree, node->statement->index[0]) == level)
        return add_loop(cx, tree, node, room);
    bool all = is_union(node->lattice) || lattice_is_everywhere(node->lattice);
    for (int i = 0; i < node->children && all; i++)
        all = find_capacity(cx, tree, node->child[i], level, room);
    return all;
}

bool tree_capacity(struct context *cx, const struct tree *tree, int level,
                   struct tree_capacity *room)
{
    const struct tree_node *consumer = tree->root;
    while (consumer->statement->kind == CIN_WHERE)
        consumer = consumer->child[0];
    return find_capacity(cx, tree, consumer, level, room) && (room->at.n > 0 || room->all);
}

const struct tensor_var *tree_capacity_list(struct context *cx, const struct tree *tree)
{
    const struct tensor_var *last = NULL;
    for (int g = 0; g < tree->assembly.groups; g++) {
        struct tree_capacity room = {0};
        bool known = tree_capacity(cx, tree, tree->assembly.group[g].last, &room);
        for (size_t i = 0; i < room.at.n && known; i++) {
            const struct tensor_var *list = room.at.at[i].access->tensor;
            if (list->temporary
                && (!last || cin_assigns(maker(cx, tree, last)->statement->arg[0], list)))
                last = list;
        }
    }
    return last;
}

/* ---- lists ---- */

bool tree_entries(struct context *cx, const struct tree *tree, const struct tree_node *producer,
                  struct tree_capacity *room)
{
    bool all = producer->statement->kind == CIN_FORALL && producer->distinct;
    while (all && producer->children == 1 && producer->child[0]->statement->kind == CIN_FORALL) {
        producer = producer->child[0];
        all = producer->distinct;
    }
    for (int i = 0; i < producer->children && all; i++)
        all = producer->child[i]->statement->kind == CIN_ASSIGN;
    return all && add_union(cx, tree, producer, room);
}

/* ---- counting before ---- */

/* Is the loop one nest along operands, with one region and nothing to search for? */
static bool is_plain(const struct tree *tree, const struct tree_node *node)
{
    const struct lattice *lattice = node->lattice;
    bool plain = !lattice->flat && lattice->points == 1 && bits_empty(lattice->located);
    for (int i = 0; i < lattice->iterators; i++)
        plain &= tree_is_operand(tree, lattice->iterator[i].access->tensor);
    return plain;
}

bool tree_is_segment(const struct tree_node *node)
{
    return node->statement->kind == CIN_FORALL && node->child[0]->statement->kind == CIN_ASSIGN
           && node->lattice->sparse == 1 && !node->lattice->dimension;
}

/* Do operands alone say how often the producer runs?  Its loops are plain, and the innermost ones
 * are single segments. */
static bool can_count(const struct tree *tree, const struct tree_node *node)
{
    bool can = node->statement->kind == CIN_SEQUENCE
               || (node->statement->kind == CIN_FORALL && is_plain(tree, node));
    if (can && node->statement->kind == CIN_FORALL && node->child[0]->statement->kind == CIN_ASSIGN)
        return tree_is_segment(node);
    for (int i = 0; i < node->children && can; i++)
        can = can_count(tree, node->child[i]);
    return can;
}

/* Returns the workspace whose components the loop stores, NULL if it does something else. */
static const struct tensor_var *copied(const struct tree_node *node)
{
    const struct lattice *lattice = node->lattice;
    bool copies = node->distinct && !lattice->flat && lattice->points == 1
                  && lattice->iterators == 1 && !bits_empty(lattice->iterated)
                  && node->child[0]->statement->kind == CIN_ASSIGN;
    const struct tensor_var *tensor = copies ? lattice->iterator[0].access->tensor : NULL;
    return tensor && tensor->temporary ? tensor : NULL;
}

/* Is the copy outside all loops?  A workspace that is copied several times gets more components
 * than are put into it. */
static bool copies_once(const struct tree *tree, const struct tree_node *consumer, int level)
{
    while (consumer->statement->kind == CIN_WHERE)
        consumer = consumer->child[0];
    return consumer->statement->kind == CIN_FORALL
           && tree_result_level(tree, consumer->statement->index[0]) == level;
}

static const struct tensor_var *find_source(const struct tree *tree, const struct tree_node *node,
                                            int level)
{
    if (node->statement->kind == CIN_WHERE) {
        const struct tensor_var *source = find_source(tree, node->child[0], level);
        bool here = source && cin_assigns(node->statement->arg[1], source);
        return here
                       && !(copies_once(tree, node->child[0], level)
                            && can_count(tree, node->child[1]))
                   ? NULL
                   : source;
    }
    if (node->statement->kind != CIN_FORALL || node->children == 0)
        return NULL;
    if (tree_result_level(tree, node->statement->index[0]) == level)
        return copied(node);
    return is_plain(tree, node) ? find_source(tree, node->child[0], level) : NULL;
}

/* Has the program relations of positions?  Their sizes are known only once they are lowered. */
static bool has_positions(const struct cin_program *program)
{
    bool has = false;
    for (int i = 0; i < program->relations; i++)
        has |= program->relation[i].type->positions;
    return has;
}

const struct tensor_var *tree_capacity_source(const struct tree *tree, int level)
{
    return tree->results == 1 && !has_positions(tree->program)
               ? find_source(tree, tree->root, level)
               : NULL;
}
