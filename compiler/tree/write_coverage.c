/* write_coverage.c - how the loops around a place reach the components that are assigned there: in
 * which order, how often, and which of them.  From that follows, for a result with a place for
 * each component, where it can be reduced in a register or a row, and whether it has to be filled
 * first.
 *
 * A node may stand at several places of a tree.  So questions about the loops around are asked of
 * a place, which is a node together with the places around it.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/tree/parts.h"

/* ---- the access that is assigned to ---- */

const struct cin *tree_result_in(struct context *cx, const struct tree *tree,
                                 const struct cin *statement)
{
    struct cin_list made = cin_assignments(cx, statement);
    const struct cin *result = NULL;
    for (size_t i = 0; i < made.n; i++)
        if (made.at[i]->arg[0]->tensor == tree->result->tensor)
            result = made.at[i]->arg[0];
    return result;
}

/* Has the result positions without a component?  Blocks and diagonals that store no coordinates
 * reach beyond the dimensions. */
static bool has_padding(const struct tree *tree, const struct cin *target)
{
    const struct cin_program *program = tree->program;
    const struct format *format = target->tensor->format;
    for (int level = 0; level < format->levels; level++)
        for (int n = 0; n < program->relations; n++)
            if (level_has(&format->level[level], LEVEL_FULL)
                && cin_is_child(&program->relation[n], access_level_var(target, level))
                && cin_exceeds(&program->relation[n], program->relation[n].parent[0]))
                return true;
    return false;
}

/* ---- the loops around ---- */

/* Is the place in one of two statements in sequence that both write the workspace?  The second
 * begins again with the least coordinates. */
static bool is_in_sequence(const struct tree_place *place, const struct tensor_var *workspace)
{
    const struct cin *around = place->outer->node->statement;
    return around->kind == CIN_SEQUENCE && cin_assigns(around->arg[0], workspace)
           && cin_assigns(around->arg[1], workspace);
}

struct tree_order tree_order(const struct tree_place *place, const struct tensor_var *workspace)
{
    struct tree_order order = {.in_order = true, .distinct = true};
    for (; place->outer; place = place->outer) {
        const struct tree_node *around = place->outer->node;
        const bool once = !is_in_sequence(place, workspace);
        order.in_order &= around->in_order && once;
        order.distinct &= around->distinct && once;
        order.outside = around->around.known.n;
        if (around->statement->kind == CIN_WHERE && place->child == 1
            && cin_uses_tensor(around->statement->arg[0], workspace))
            break;
    }
    return order;
}

/* Does each part of a parallel loop run the statement and store at once? */
static bool is_shared(const struct tree *tree, const struct cin *s)
{
    return s->kind == CIN_FORALL && tree_is_atomic(tree, s);
}

/* Is the tree's result assigned at each value of the loop's variable? */
static bool assigns_everywhere(const struct tree *tree, const struct tree_node *loop)
{
    bool all = lattice_is_everywhere(loop->lattice);
    for (int i = 0; i < loop->children && all; i++)
        all = tree_assigns(tree, loop->child[i]->statement);
    return all;
}

/* Does each iteration reach entries of the given pattern that no other reaches: is the loop along
 * the pattern, and along nothing else? */
static bool walks_given(const struct tree *tree, const struct tree_node *loop)
{
    const struct lattice *lattice = loop->lattice;
    if (tree->assembly.kind != ASSEMBLY_GIVEN || lattice->infeasible || lattice->points != 1)
        return false;
    const struct cin *given =
        tree->assembly.pattern.operand ? tree->assembly.pattern.operand : tree->at;
    int walked = 0;
    bool is_given = false;
    for (int bit = 0; bit < lattice->sparse; bit++) {
        const struct lattice_iterator *it =
            bits_has(lattice->iterated, bit) ? &lattice->iterator[bit] : NULL;
        walked += it != NULL;
        for (size_t i = 0; it && i < it->with.n; i++)
            is_given |= it->with.at[i] == given;
    }
    return is_given && walked == 1;
}

struct tree_reach tree_reach(struct context *cx, const struct tree *tree,
                             const struct tree_place *place, const struct cin *target)
{
    struct tree_reach reach = {.once = !is_shared(tree, place->node->statement), .full = true};
    for (place = place->outer; place; place = place->outer) {
        const struct tree_node *loop = place->node;
        if (loop->statement->kind != CIN_FORALL)
            continue;
        bool of_target = tree_of_access(cx, tree, target, loop->statement->index[0]);
        reach.once &= of_target && (loop->distinct || walks_given(tree, loop))
                      && !is_shared(tree, loop->statement);
        reach.full &= of_target && assigns_everywhere(tree, loop) && !lattice_is_tied(loop->lattice)
                      && !has_padding(tree, target);
    }
    return reach;
}

/* ---- what holds the fill ---- */

/* Is the result's component kept in a register at the place? */
static bool is_held(const struct tree *tree, const struct tree_place *place)
{
    for (; place; place = place->outer)
        if (place->reduction[tree->rank].in_register)
            return true;
    return false;
}

/* Has each part of the parallel loop its own values, which are combined afterwards? */
static bool has_copies(struct context *cx, const struct tree *tree, const struct tree_place *place)
{
    const struct cin *s = place->node->statement;
    const struct cin_tag *tag = cin_parallel(tree->program, s);
    if (!tag || tag->races != RACES_TEMPORARY || is_held(tree, place))
        return false;
    struct tree_races races = tree_races(cx, tree, place->node);
    for (size_t i = 0; i < races.n; i++)
        if (races.at[i].assign->arg[0]->tensor == tree->result->tensor)
            return true;
    return false;
}

/* Does the component reached here hold the fill, or what has been added to it? */
static bool is_filled(struct context *cx, const struct tree *tree, const struct tree_place *place)
{
    for (; place->outer; place = place->outer) {
        const struct tree_node *around = place->outer->node;
        bool second = around->statement->kind == CIN_SEQUENCE && place->child == 1;
        if ((second && tree_result_in(cx, tree, around->statement->arg[0]))
            || place->outer->reduction[tree->rank].row >= 0 || has_copies(cx, tree, place->outer))
            return true;
    }
    return false;
}

/* ---- reductions ---- */

/* Returns the operator with which every store in the statement reduces into the same component,
 * OP_NONE if there is none or if operators differ. */
static enum op reducing_op(struct context *cx, const struct cin *statement,
                           const struct cin *target)
{
    struct cin_list made = cin_assignments(cx, statement);
    enum op op = OP_NONE;
    for (size_t i = 0; i < made.n; i++) {
        if (made.at[i]->arg[0]->tensor != target->tensor)
            continue;
        if (made.at[i]->arg[0] != target || made.at[i]->op == OP_NONE
            || (op != OP_NONE && made.at[i]->op != op))
            return OP_NONE;
        op = made.at[i]->op;
    }
    return op;
}

static bool tells_all(const struct known *told, const struct known *known)
{
    bool all = true;
    for (int i = 0; i < known->n; i++)
        all &= known_has(told, known->var[i]);
    return all;
}

/* Returns the relation whose part, such as a block, the loops so far have reached on the level, if
 * that part and the levels above determine everything known; else NULL. */
static const struct cin_relation *known_block(struct context *cx, const struct tree *tree,
                                              const struct known *known, const struct cin *target,
                                              int level, const struct known *above)
{
    const struct index_var *whole = access_level_var(target, level);
    if (!tree_is_plain(target->tensor->format->level[level].type)
        || cin_has_low(tree->program, whole))
        return NULL;
    for (int i = 0; i < tree->program->relations; i++) {
        const struct cin_relation *r = &tree->program->relation[i];
        if (!r->type->parts || r->parent[0] != whole || !known_has(known, r->child[0])
            || !r->type->has_some || !r->type->has_some(r))
            continue;
        const struct known told = known_with(cx, above, r->child[0]);
        if (tells_all(&told, known))
            return r;
    }
    return NULL;
}

/* Returns how many leading levels of the target are known, if these levels use all known variables
 * and the loops so far go through exactly these levels, perhaps also through parts of the next;
 * else -1. */
static int known_prefix(struct context *cx, const struct tree *tree, const struct known *known,
                        const struct cin *target, const struct cin_relation **part)
{
    int levels = target->tensor->format->levels, prefix = 0;
    while (prefix < levels && known_has(known, access_level_var(target, prefix)))
        prefix++;
    for (int level = prefix; level < levels; level++)
        if (known_has(known, access_level_var(target, level)))
            return -1;
    const struct known of_prefix = access_told_by_levels(cx, tree->program, target, prefix, NULL);
    if (tells_all(&of_prefix, known))
        return prefix;
    if (prefix < levels)
        *part = known_block(cx, tree, known, target, prefix, &of_prefix);
    return *part ? prefix : -1;
}

/* Is the coordinate bounded, in each iteration of the nest, by another range than around it? */
static bool is_of_iteration(const struct lattice_guard *guard, const struct index_var *var,
                            const struct known *around)
{
    const struct cin_relation *by = guard->by;
    const struct index_var *of[] = {by->parent[0], by->parent[1], by->child[0], by->child[1]};
    bool apart = true;
    for (size_t i = 0; i < sizeof of / sizeof *of; i++)
        apart &= !of[i] || of[i] == var || of[i] == guard->var || !known_has(around, of[i]);
    return apart;
}

/* Does the loop, if it runs, reach all coordinates, apart from those of blocks that reach beyond a
 * range? */
static bool is_whole(const struct lattice *lattice, const struct known *around)
{
    bool whole = lattice_is_everywhere(lattice) || lattice_rounds(lattice);
    for (int i = 0; i < lattice->guards; i++)
        whole &= lattice->guard[i].equation == GUARD_RANGE
                 && (lattice->guard[i].by->type->parts
                     || is_of_iteration(&lattice->guard[i], lattice->var, around));
    return whole;
}

/* Do the loops inside go over all components, as tree.h says? */
static bool goes_over_all(struct context *cx, const struct tree *tree, const struct tree_node *nest,
                          const struct cin *target, const struct known *around,
                          const struct known *told)
{
    bool all = true;
    for (int i = 0; i < nest->children && all; i++) {
        const struct tree_node *in = nest->child[i];
        const struct cin *s = in->statement;
        struct known with = *told;
        if (s->kind == CIN_FORALL && tree_of_access(cx, tree, target, s->index[0])) {
            with = known_with(cx, told, s->index[0]);
            all = is_whole(in->lattice, around);
        } else if (s->kind == CIN_ASSIGN && s->arg[0]->tensor == target->tensor) {
            all = known_has_access(told, s->arg[0]);
        }
        all = all && goes_over_all(cx, tree, in, target, around, &with);
    }
    return all;
}

bool tree_goes_over_all(struct context *cx, const struct tree *tree, const struct tree_node *nest,
                        const struct cin *target, const struct known *told)
{
    const struct index_var *var = nest->statement->index[0];
    bool one_loop = nest->lattice->points == 1 && !nest->lattice->flat,
         moves = tree_of_access(cx, tree, target, var);
    const struct known with = moves ? known_with(cx, told, var) : *told;
    return one_loop && (!moves || is_whole(nest->lattice, told))
           && goes_over_all(cx, tree, nest, target, told, &with);
}

/* Have the components below these leading levels adjacent places?  In a given pattern the levels
 * below store nothing. */
static bool has_rows(const struct tree *tree, const struct cin *target, int prefix)
{
    const struct format *format = target->tensor->format;
    bool given = tree->assembly.kind == ASSEMBLY_GIVEN && !tree->assembly.pattern.operand
                 && !tree->at->tensor->temporary && prefix > 0;
    for (int level = prefix; given && level < format->levels; level++)
        given = tree_is_plain(format->level[level].type);
    return given || tree->assembly.kind == ASSEMBLY_PLACE;
}

/* What the loop at the place does to the result's component or row. */
static struct tree_reduction reduction_of(struct context *cx, const struct tree *tree,
                                          const struct tree_place *place)
{
    const struct cin *s = place->node->statement;
    const struct known *known = &place->node->around.known;
    struct tree_reduction reduction = {.row = -1};
    struct value start;
    const struct cin *target = s->kind == CIN_FORALL ? tree_result_in(cx, tree, s) : NULL;
    enum op op = target ? reducing_op(cx, s, target) : OP_NONE;
    if (op == OP_NONE || is_held(tree, place->outer)
        || (tree_of_access(cx, tree, target, s->index[0]) && !lattice_rounds(place->node->lattice)))
        return reduction;
    struct tree_reach reach = tree_reach(cx, tree, place, target);
    bool first = reach.once && !is_filled(cx, tree, place) && !tree->program->accumulates;
    if (known_has_access(known, target) && (first || !lattice_has_one(place->node->lattice))
        && operator_identity(cx, op, SIDE_LEFT, target->tensor->type, &start)) {
        reduction =
            (struct tree_reduction){.in_register = true, .op = op, .first = first, .row = -1};
    } else if (first && reach.full) {
        reduction.row = known_prefix(cx, tree, known, target, &reduction.part);
        /* Filling all parts at once costs less than filling those that the nest does not reach. */
        if (!has_rows(tree, target, reduction.row)
            || (reduction.part && !tree_goes_over_all(cx, tree, place->node, target, known)))
            reduction = (struct tree_reduction){.row = -1};
    }
    return reduction;
}

/* ---- places ---- */

static const struct tree_place *enter(struct context *cx, const struct tree *tree,
                                      const struct tree_node *node, const struct tree_place *outer,
                                      int child)
{
    struct tree_place *place = arena_make(cx->arena, struct tree_place);
    struct tree_reduction *reduction = arena_array(cx->arena, struct tree_reduction, tree->results);
    *place =
        (struct tree_place){.node = node, .outer = outer, .child = child, .reduction = reduction};
    for (int r = 0; r < tree->results; r++)
        reduction[r] = (struct tree_reduction){.row = -1};
    for (int r = 0; r < tree->results; r++)
        reduction[r] = reduction_of(cx, tree->of[r], place);
    return place;
}

const struct tree_place *tree_outermost(struct context *cx, const struct tree *tree)
{
    return enter(cx, tree, tree->root, NULL, 0);
}

const struct tree_place *tree_inside(struct context *cx, const struct tree *tree,
                                     const struct tree_place *place, int child)
{
    return enter(cx, tree, place->node->child[child], place, child);
}

/* ---- what has to be filled ---- */

/* May a store with the operator meet a component without a value, or leave a component out? */
static bool stores_some(struct context *cx, const struct tree *tree, const struct tree_place *place,
                        const struct cin *target, enum op op)
{
    return !(op == OP_NONE && tree_reach(cx, tree, place, target).full)
           && !is_filled(cx, tree, place);
}

static bool needs_fill(struct context *cx, const struct tree *tree, const struct tree_place *place)
{
    const struct cin *s = place->node->statement, *target = tree_result_in(cx, tree, s);
    if (!target)
        return false;
    if (s->kind == CIN_ASSIGN)
        return (cin_kept(s) && !is_filled(cx, tree, place))
               || stores_some(cx, tree, place, target, s->op);
    const struct tree_reduction *reduction = &place->reduction[tree->rank];
    if (reduction->in_register)
        return stores_some(cx, tree, place, target, reduction->first ? OP_NONE : reduction->op);
    if (has_copies(cx, tree, place))
        return reduction->row < 0 && !is_filled(cx, tree, place);
    /* a loop with an empty body leaves out everything inside */
    bool needs = s->kind == CIN_FORALL && !place->node->children && !is_filled(cx, tree, place);
    for (int i = 0; i < place->node->children && !needs; i++)
        needs = needs_fill(cx, tree, tree_inside(cx, tree, place, i));
    return needs;
}

bool tree_needs_fill(struct context *cx, const struct tree *tree)
{
    /* a statement without effect still leaves a result of fills */
    return !tree->program->accumulates
           && (!tree_assigns(tree, tree->root->statement)
               || needs_fill(cx, tree, tree_outermost(cx, tree)));
}
