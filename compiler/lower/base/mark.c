/* mark.c - what is known of the loops that are lowered, for the passes behind lowering
 * (imperative.h).
 *
 * A forall is marked with what its statement says: whether its iterations may be taken together,
 * whether it reduces into a row, and which fill it starts from.  A loop over stored positions is
 * marked with where the last of its runs ends: segments follow each other, so it ends with the
 * segment of the last position above.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/lower/base/kernel.h"

/* ---- iterations ---- */

/* Is the component that is assigned kept in a variable here? */
static bool is_held(const struct kernel *k, const struct scope *scope, const struct cin *target)
{
    return scope_temporary(scope, target->tensor) || scope->held.tensor == target->tensor
           || (kernel_is_target(k, target) && scope->result[target->tensor->rank].reg);
}

/* Is every component stored in a place of its own, which is there already? */
static bool is_in_place(const struct kernel *k, const struct scope *scope, const struct cin *target)
{
    if (kernel_is_target(k, target)) {
        const struct result_place *place = &scope->result[target->tensor->rank];
        const struct assembly *assembly = kernel_find_result(k, target->tensor)->assembly;
        return place->levels >= assembly->entered && !place->block
               && assembly->kind != ASSEMBLY_COUNT; /* counters are shared */
    }
    const struct workspace *ws = kernel_workspace(k, target->tensor);
    return ws && format_is_dense(target->tensor->format);
}

static bool reads_old(struct kernel *k, const struct cin *forall, const struct cin *target)
{
    struct cin_list read = cin_operands(k->cx, forall);
    bool reads = false;
    for (size_t i = 0; i < read.n; i++)
        reads |= read.at[i]->tensor->before == target->tensor;
    return reads;
}

static enum imp_iterations by_assignment(struct kernel *k, const struct scope *scope,
                                         const struct tree_node *node, bool distinct,
                                         const struct cin *assign)
{
    const struct cin *target = assign->arg[0];
    const struct known of_target = access_told(k->cx, k->program, target);
    bool held = is_held(k, scope, target);
    if (tensor_var_is_scalar(target->tensor) && !held)
        return ITERATIONS_APART; /* each iteration has its own */
    if (!held && (!is_in_place(k, scope, target) || reads_old(k, node->statement, target)))
        return ITERATIONS_IN_ORDER;
    if (distinct && known_has(&of_target, node->statement->index[0]))
        return ITERATIONS_APART;
    return assign->op != OP_NONE && op_associative(assign->op) && op_commutative(assign->op)
               ? ITERATIONS_REDUCE
               : ITERATIONS_IN_ORDER;
}

/* Returns how the loop's iterations relate.  `distinct`: no two of them have the same coordinate.
 */
static enum imp_iterations iterations_of(struct kernel *k, const struct scope *scope,
                                         const struct tree_node *node, bool distinct)
{
    struct cin_list made = cin_assignments(k->cx, node->statement);
    enum imp_iterations all = ITERATIONS_APART;
    for (size_t i = 0; i < made.n; i++) {
        enum imp_iterations one = by_assignment(k, scope, node, distinct, made.at[i]);
        all = one < all ? one : all;
    }
    return all;
}

/* ---- rows ---- */

/* Returns the one assignment in the loop, but for those to its own scalars; NULL: there are more.
 */
static const struct cin *only_assignment(struct kernel *k, const struct cin *forall)
{
    struct cin_list made = cin_assignments(k->cx, forall);
    const struct cin *only = NULL;
    for (size_t i = 0; i < made.n; i++) {
        if (tensor_var_is_scalar(made.at[i]->arg[0]->tensor))
            continue;
        if (only)
            return NULL;
        only = made.at[i];
    }
    return only;
}

/* Has the level an element for each coordinate, side by side? */
static bool is_dense(const struct format *format, int level)
{
    return level_has(&format->level[level], LEVEL_FULL)
           && level_has(&format->level[level], LEVEL_COMPACT);
}

/* Returns the variable of the target's last level, if its components lie side by side; else NULL.
 */
static const struct index_var *row_var(const struct cin *target)
{
    const struct format *format = target->tensor->format;
    int last = format->levels - 1;
    return last >= 0 && is_dense(format, last) ? access_level_var(target, last) : NULL;
}

/* Does each of the two variables follow from the other here? */
static bool go_together(struct kernel *k, const struct scope *scope, const struct index_var *a,
                        const struct index_var *b)
{
    const struct known with_a = known_with(k->cx, &scope->known, a),
                       with_b = known_with(k->cx, &scope->known, b);
    return known_has(&with_a, b) && known_has(&with_b, a);
}

/* Does the loop over the variable go along a level of the one tensor that it stores to, and has
 * that an element for each coordinate, in this level and below? */
static bool stores_in_row(struct kernel *k, const struct scope *scope, const struct cin *forall)
{
    const struct cin *assign = only_assignment(k, forall), *target = assign ? assign->arg[0] : NULL;
    bool along = false;
    if (!target || is_held(k, scope, target) || !is_in_place(k, scope, target))
        return false;
    const struct format *format = target->tensor->format;
    for (int level = format->levels; level-- > 0 && is_dense(format, level);) {
        const struct index_var *var = access_level_var(target, level);
        along |= !known_has(&scope->known, var) && go_together(k, scope, forall->index[0], var);
    }
    return along;
}

void mark_row(struct kernel *k, struct scope *scope, const struct cin *forall)
{
    const struct cin *assign = only_assignment(k, forall), *target = assign ? assign->arg[0] : NULL;
    const struct index_var *var = target ? row_var(target) : NULL;
    if (scope->row.target || cin_has_parallel(k->program, forall) || !var || assign->op == OP_NONE
        || !op_associative(assign->op) || !op_commutative(assign->op)
        || !is_in_place(k, scope, target) || reads_old(k, forall, target)
        || scope_coordinate(scope, var))
        return;
    const struct known of_target = access_told(k->cx, k->program, target);
    for (int level = 0; level + 1 < target->tensor->format->levels; level++)
        if (!scope_coordinate(scope, access_level_var(target, level)))
            return;
    if (known_has(&of_target, forall->index[0]))
        return;
    const struct workspace *ws = kernel_workspace(k, target->tensor);
    bool filled =
        ws && ws->row && scope->known.n == tree_order(scope->place, ws->code.tensor).outside;
    scope->row = (struct row_place){target, filled ? ws->row : ++k->rows};
}

const struct imp *mark_fill(struct kernel *k, int row, const struct imp *fill)
{
    struct imp_mark *mark = arena_make(k->cx->arena, struct imp_mark);
    *mark = (struct imp_mark){.row = row};
    return imp_marked(k->cx, fill, mark);
}

/* ---- starts ---- */

const struct imp *mark_start(struct kernel *k, struct scope *scope, const struct tree *tree,
                             const struct imp *fill)
{
    const struct tree_node *nest = scope->place->node;
    const struct cin *target = tree_result_in(k->cx, tree, nest->statement);
    if (cin_has_parallel(k->program, nest->statement)
        || !tree_goes_over_all(k->cx, tree, nest, target, &scope->known))
        return fill;
    struct imp_mark *mark = arena_make(k->cx->arena, struct imp_mark);
    *mark = (struct imp_mark){.start = ++k->starts};
    scope->start = (struct start_place){nest, mark->start};
    return imp_marked(k->cx, fill, mark);
}

/* ---- what is asked ---- */

/* Patterns alone have no values to be put into vectors. */
static const struct imp_asked *asked_of(struct kernel *k, const struct index_var *var)
{
    const struct cin_tag *unroll = cin_find_tag(k->program, var, TAG_UNROLL);
    const struct cin_tag *vectors = cin_find_tag(k->program, var, TAG_VECTORIZE);
    if (!k->computes)
        vectors = NULL;
    if (!unroll && !vectors)
        return NULL;
    struct imp_asked *asked = arena_make(k->cx->arena, struct imp_asked);
    *asked = (struct imp_asked){.loop = var->name,
                                .unroll = unroll ? (int)unroll->factor : 0,
                                .vectors = vectors,
                                .tries = vectors && vectors->tries,
                                .span = vectors ? vectors->span : unroll->span};
    return asked;
}

/* ---- the mark ---- */

const struct imp_mark *mark_of(struct kernel *k, const struct scope *scope,
                               const struct tree_node *node)
{
    const struct index_var *var = node->statement->index[0];
    struct imp_mark *mark = arena_make(k->cx->arena, struct imp_mark);
    *mark = (struct imp_mark){.iterations = iterations_of(k, scope, node, node->distinct),
                              .asked = asked_of(k, var)};
    mark->most = var->size > 0 ? var->size : var->most;
    mark->in_row = stores_in_row(k, scope, node->statement);
    mark->start = scope->start.nest == node ? scope->start.number : 0;
    if (!scope->row.target || cin_parallel(k->program, node->statement))
        return mark;
    if (var == row_var(scope->row.target) && lattice_is_full(node->lattice))
        mark->row = scope->row.number;
    else
        mark->reduces_row = scope->row.number;
    return mark;
}

const struct imp_mark *mark_whole(struct kernel *k, const struct imp_mark *mark,
                                  const struct index_var *var)
{
    struct imp_mark *whole = arena_copy(k->cx->arena, mark, sizeof *mark);
    whole->multiple = var->multiple;
    return whole;
}

const struct imp_mark *mark_of_rounds(struct kernel *k, const struct imp_mark *mark)
{
    struct imp_mark *rounds = arena_copy(k->cx->arena, mark, sizeof *mark);
    rounds->asked = NULL;
    rounds->in_row = false; /* it goes over positions */
    rounds->most = 0;
    return rounds;
}

const struct imp_mark *mark_in_round(struct kernel *k, const struct scope *scope,
                                     const struct tree_node *node, const struct imp_mark *mark)
{
    struct imp_mark *in = arena_copy(k->cx->arena, mark, sizeof *mark);
    in->iterations = iterations_of(k, scope, node, true);
    in->start = 0;
    return in;
}

/* Returns the expression with sizes that have a name written out, one time: those of parameters
 * alone are then as they are. */
static const struct imp *with_sizes(struct kernel *k, const struct imp *e)
{
    for (size_t i = 0; e->kind == IMP_VAR && i < k->sizes.n; i++)
        if (k->sizes.at[i]->var == e->var)
            return k->sizes.at[i]->arg[0];
    const struct imp **arg = arena_array(k->cx->arena, const struct imp *, e->args);
    for (int i = 0; i < e->args; i++)
        arg[i] = with_sizes(k, e->arg[i]);
    return imp_with_args(k->cx, e, arg);
}

/* Does it read a scalar that is no parameter? */
static bool reads_made(const struct imp *imp, void *data)
{
    const struct kernel *k = data;
    if (imp->kind != IMP_VAR || imp->var->array)
        return false;
    for (size_t i = 0; i < k->params.n; i++)
        if (k->params.at[i].var == imp->var)
            return false;
    return true;
}

const struct imp_mark *mark_occupied(struct kernel *k, const struct level_code *code)
{
    struct imp_mark *mark = arena_make(k->cx->arena, struct imp_mark);
    const struct imp *size = with_sizes(k, code->dimension);
    mark->coordinates = imp_any(size, reads_made, k) ? NULL : size;
    return mark;
}

/* Returns the coordinates of the level, if siblings come in the order of their coordinates. */
static const struct imp_var *ascending(struct kernel *k, const struct cin *access, int level)
{
    const struct imp_var **crd =
        code_array(kernel_code(k, access->tensor), level, LEVEL_COORDINATES);
    return crd && level_ascends(access->tensor->format, level) ? *crd : NULL;
}

const struct imp_mark *mark_with_last(struct kernel *k, const struct imp_mark *mark,
                                      const struct cin *access, int level)
{
    const struct tensor_var *tensor = access->tensor;
    const struct imp *last =
        tree_is_operand(k->request->tree, tensor) ? operand_end(k, access, level) : NULL;
    struct imp_mark *with = arena_copy(k->cx->arena, mark, sizeof *mark);
    last = last ? with_sizes(k, last) : NULL;
    with->last = last && !imp_any(last, reads_made, k) ? last : NULL;
    with->compact = true;
    for (int above = 0; above <= level; above++)
        with->compact &= level_has(&tensor->format->level[above], LEVEL_COMPACT);
    with->ascends = ascending(k, access, level);
    with->in_row = false; /* it goes over positions */
    if (!(level_effective(tensor->format, level) & LEVEL_UNIQUE))
        with->most = 0;
    return with;
}
