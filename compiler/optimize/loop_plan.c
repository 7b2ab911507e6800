/* loop_plan.c - the plan of a nest (loop_plan.h).
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/optimize/loop_plan.h"

#include "compiler/optimize/simplify.h"

enum { STEPS = 64, NODES = 100 };

/* ---- values ---- */

/* Returns the expression with values in place of the variables that the axes declare. */
static const struct imp *valued(void *plan, const struct imp *e)
{
    struct loop_plan *p = plan;
    const struct imp *value = e->kind == IMP_VAR ? *var_map_at(p->z->cx, &p->value, e->var) : NULL;
    if (value)
        return value;
    return imp_fold(p->z->cx, imp_map(p->z->cx, e, valued, p));
}

static bool is_of_axis(const struct imp *imp, void *data)
{
    const struct loop_plan *p = data;
    for (int i = 0; i < p->axes; i++)
        if (imp_is_read(imp, p->axis[i].var))
            return true;
    return false;
}

struct lanes loop_plan_along(const struct loop_plan *p, const struct axis *axis)
{
    return lanes_free(p->z->cx, axis->var);
}

/* ---- axes ---- */

/* Takes an end that is a literal, or the lesser of one and of a value that the axes do not change.
 */
static bool take_constant(struct loop_plan *p, struct axis *axis, const struct imp *end)
{
    struct context *cx = p->z->cx;
    const struct imp *begin = axis->loop->arg[0], *full = NULL, *left;
    if (imp_is_block_end(end, &end, &left)) {
        if (imp_any(left, is_of_axis, p) || imp_has(left, IMP_BIT(LOAD) | IMP_BIT(CALL)))
            return false;
        full = imp_op2(cx, OP_LE, end, left);
    }
    if (begin->kind != IMP_LITERAL || end->kind != IMP_LITERAL || end->value.i <= begin->value.i
        || end->value.i - begin->value.i > STEPS)
        return false;
    if (full) {
        const struct imp **which = imp_is_fixed(p->nest, left) ? &p->always : &p->each;
        *which = imp_both(cx, *which, full);
    } else {
        axis->low = begin;
        axis->high = end;
    }
    axis->begin = begin->value.i;
    axis->end = end->value.i;
    return true;
}

static bool is_free(const struct imp *loop)
{
    return lanes_is_counted(loop) && loop->mark && !loop->mark->asked;
}

/* Returns the operands of max(a, b, ...) or min(a, b, ...) that the nest changes, or those that it
 * does not change.  NULL if there are none. */
static const struct imp *bound(struct loop_plan *p, const struct imp *e, enum op op, bool fixed)
{
    if (e->kind != IMP_OP || e->op != op)
        return imp_is_fixed(p->nest, e) == fixed ? e : NULL;
    const struct imp *a = bound(p, e->arg[0], op, fixed), *b = bound(p, e->arg[1], op, fixed);
    return a && b ? imp_op2(p->z->cx, op, a, b) : a ? a : b;
}

/* Takes bounds of the axis that the nest does not change.  False if it has none. */
static bool take_bounds(struct loop_plan *p, struct axis *axis)
{
    const struct imp_mark *mark = axis->loop->mark;
    const struct imp *first = valued(p, axis->loop->arg[0]), *past = valued(p, axis->loop->arg[1]);
    if (first->size + past->size > NODES || imp_any(first, is_of_axis, p)
        || imp_any(past, is_of_axis, p))
        return false;
    axis->low = bound(p, first, OP_MAX, true);
    axis->high = bound(p, past, OP_MIN, true);
    axis->first = bound(p, first, OP_MAX, false);
    axis->past = bound(p, past, OP_MIN, false);
    axis->ranges = axis->first || axis->past;
    return axis->low && axis->high && (!axis->ranges || (mark && mark->in_row && !mark->multiple));
}

static bool take_axis(struct loop_plan *p, const struct imp *loop)
{
    if (p->axes == AXES_MOST || !lanes_is_counted(loop) || (loop->mark && loop->mark->asked))
        return false;
    struct axis axis = {.loop = loop, .var = loop->var};
    const struct imp *end = valued(p, loop->arg[1]);
    if (end->size > NODES || (!take_constant(p, &axis, end) && !take_bounds(p, &axis)))
        return false;
    p->axis[p->axes++] = axis;
    return true;
}

/* ---- the target ---- */

static bool take_target(struct loop_plan *p, const struct imp *imp)
{
    p->target = imp;
    p->op = imp->op;
    p->addend = valued(p, imp->arg[imp->args - 1]);
    p->position = imp->kind == IMP_STORE ? valued(p, imp->arg[0]) : NULL;
    return imp->op != OP_NONE && reduces_by(imp->op, imp->var->type) && imp->var->lanes == 1
           && p->addend->type == imp->var->type && p->addend->size <= NODES
           && (!p->position || p->position->size <= NODES);
}

/* Is this `y[position] op= own`, where `own` starts from the identity and the target so far is its
 * sum? */
static bool sums_up(struct loop_plan *p, const struct imp *own, const struct imp *store)
{
    const struct imp *from = store->arg[store->args - 1];
    return imp_is_read(from, own->var) && reduces_with(store->op) == reduces_with(p->target->op)
           && p->target->var == own->var && own->var->type == store->var->type
           && imp_equal(own->arg[0], reduces_from(p->z->cx, store->op, own->var->type, 1))
           && imp_uses(p->nest, own->var) == 3;
}

/* Moves the target to the element that the sum goes to.  A value that is subtracted from a
 * difference is added. */
static bool take_sum(struct loop_plan *p, const struct imp *own, const struct imp *store)
{
    const struct imp *addend = p->addend;
    enum op op = p->op;
    bool is = sums_up(p, own, store) && take_target(p, store);
    p->op = p->op == OP_SUB && op == OP_SUB ? OP_ADD : p->op == OP_SUB ? OP_SUB : op;
    p->addend = addend;
    p->sums_up = true;
    return is;
}

static bool is_reduction(const struct imp *imp)
{
    return imp->kind == IMP_STORE || (imp->kind == IMP_ASSIGN && imp->var->lanes == 1);
}

static bool reads_only(const struct imp *reduction, const struct imp_var *var)
{
    return imp_is_read(reduction->arg[reduction->args - 1], var);
}

static bool take_body(struct loop_plan *p, const struct imp *body, int first);

/* Takes a condition around the assignment to the target, and the declarations in it. */
static bool take_condition(struct loop_plan *p, const struct imp *imp)
{
    const struct imp *when = p->when = valued(p, imp->arg[0]);
    if (imp->mark && imp_is_op(when, OP_GE) && when->arg[1]->kind == IMP_LITERAL
        && value_is_zero(when->arg[1]->value) && type_kind(when->computed) == KIND_INT) {
        p->tested = when->arg[0];
        p->coordinates = imp->mark->coordinates;
    }
    return imp->args == 2 && when->size <= NODES && body_last(imp->arg[1])->kind == IMP_STORE
           && take_body(p, imp->arg[1], 0);
}

/* Takes the statements from `first` on: declarations, and then an axis or an assignment to the
 * target; or an axis that sums up into a scalar, which is declared before it, for the assignment
 * behind it. */
static bool take_body(struct loop_plan *p, const struct imp *body, int first)
{
    int n = body_count(body);
    const struct imp *own = NULL, *last = n > first ? body_at(body, n - 1) : NULL;
    bool summed =
        last && is_reduction(last) && n - first > 2 && body_at(body, n - 2)->kind == IMP_FOR;
    for (int i = first; i < n - 1 - summed; i++) {
        const struct imp *at = body_at(body, i);
        if (at->kind != IMP_DECLARE || at->args == 0 || at->var->array || at->var->lanes > 1)
            return false;
        if (summed && reads_only(last, at->var))
            own = at;
        else
            *var_map_at(p->z->cx, &p->value, at->var) = (void *)(size_t)valued(p, at->arg[0]);
    }
    const struct imp *loop = summed ? body_at(body, n - 2) : last;
    if (!last || (summed && !own))
        return false;
    if (loop->kind == IMP_IF)
        return take_condition(p, loop);
    if (loop->kind != IMP_FOR)
        return is_reduction(last) && take_target(p, last);
    return !(loop->mark && loop->mark->asked) && take_axis(p, loop) && take_body(p, loop->arg[2], 0)
           && (!summed || take_sum(p, own, last));
}

/* Returns the number of declarations in front, but for a scalar that sums up. */
static int stays(const struct imp *body)
{
    int n = body_count(body), i = 0;
    const struct imp *last = n ? body_at(body, n - 1) : NULL;
    while (i < n && body_at(body, i)->kind == IMP_DECLARE
           && !(is_reduction(last) && reads_only(last, body_at(body, i)->var)))
        i++;
    return i;
}

/* Replaces the variables that are declared in front, and are the same in each iteration, by their
 * values. */
static void take_fixed(struct loop_plan *p, const struct imp *body)
{
    for (int i = 0; i < p->stays; i++) {
        const struct imp *at = body_at(body, i);
        const struct imp *value = at->args ? valued(p, at->arg[0]) : NULL;
        if (value && value->size <= NODES && imp_is_fixed(p->nest, value))
            *var_map_at(p->z->cx, &p->value, at->var) = (void *)(size_t)value;
    }
}

/* ---- steps ---- */

const struct axis *loop_plan_find(const struct loop_plan *plan, enum axis_steps steps)
{
    for (int i = 0; i < plan->axes; i++)
        if (plan->axis[i].steps == steps)
            return &plan->axis[i];
    return NULL;
}

bool loop_plan_ranges(const struct loop_plan *plan)
{
    bool ranges = false;
    for (int i = 0; i < plan->axes; i++)
        ranges |= plan->axis[i].ranges;
    return ranges;
}

/* Returns the number of steps of the axes that are taken whole, or only of those along which the
 * target moves. */
static int64_t whole_steps(const struct loop_plan *p, bool moving)
{
    int64_t steps = 1;
    for (int i = 0; i < p->axes && steps <= (int64_t)STEPS * VECTOR_LANES; i++)
        if (p->axis[i].steps == AXIS_WHOLE && !(moving && p->axis[i].sums))
            steps *= p->axis[i].end - p->axis[i].begin;
    return steps;
}

/* Is there a mask of as many bits as the target's elements have, and a coordinate that takes the
 * place of an invalid one? */
static bool has_mask(const struct loop_plan *p)
{
    return p->coordinates && type_size(p->tested->type) <= type_size(p->target->var->type);
}

/* Can the addend be computed in lanes along this axis?  Finds the lanes of its vectors.  Gathering
 * pays where each lane has entries of its own. */
static int lanes_along(const struct loop_plan *p, const struct axis *axis)
{
    struct lanes l = loop_plan_along(p, axis);
    struct lanes_need need = {.bytes = (int)type_size(p->target->var->type)};
    bool varies = p->position && lanes_vary(&l, p->position),
         masks = p->when && lanes_vary(&l, p->when);
    if ((varies && !lanes_is_contiguous(&l, p->position)) || (masks && !has_mask(p))
        || !lanes_measure(&l, p->addend, &need) || (need.gathered && !masks)
        || !lanes_is_combined(&l, p->op, p->addend))
        return 1;
    const int width = vector_width(p->z, need.bytes),
              gathered = (int)p->z->target->gather_bytes / need.bytes;
    return need.gathered && gathered < width ? gathered : width;
}

/* Takes lanes along the innermost axis, which is taken whole: all iterations, or a power of two
 * that divides them. */
static void choose_lanes(struct loop_plan *p)
{
    const struct axis *inner = &p->axis[p->axes - 1];
    int most = inner->steps == AXIS_WHOLE ? lanes_along(p, inner) : 1;
    p->width = 1;
    p->side_by_side = !inner->sums;
    p->lanes_of = p->axes - 1;
    while (2 * p->width <= most && (inner->end - inner->begin) % (2 * p->width) == 0)
        p->width *= 2;
}

/* Takes an axis in strips, of so many vectors that half of the registers are left for the addends.
 */
static bool choose_strips(struct loop_plan *p, int axis)
{
    p->axis[axis].steps = AXIS_STRIPS;
    const int64_t registers = p->z->target->registers, rows = whole_steps(p, true);
    p->lanes_of = axis;
    p->side_by_side = true;
    p->width = lanes_along(p, &p->axis[axis]);
    p->vectors = vector_row(p->z);
    while (p->vectors > 1 && p->vectors * rows > registers / 2)
        p->vectors /= 2;
    return p->width > 1 && p->vectors * rows <= registers && whole_steps(p, false) <= STEPS;
}

/* Chooses the steps of an axis without a constant extent: strips where the target moves side by
 * side, one iteration after the other where the axis goes over ranges.  False if there are more
 * such axes, or the target moves otherwise. */
static bool choose_steps(struct loop_plan *p)
{
    for (int i = 0; i < p->axes; i++) {
        struct axis *axis = &p->axis[i];
        struct lanes l = loop_plan_along(p, axis);
        axis->sums = !p->position || !lanes_vary(&l, p->position);
        if (axis->end > axis->begin)
            continue;
        bool strips = !axis->sums && lanes_is_contiguous(&l, p->position);
        enum axis_steps steps = strips ? AXIS_STRIPS : AXIS_ALONE;
        if (axis->sums || loop_plan_find(p, steps) || (!strips && !axis->ranges))
            return false;
        axis->steps = steps;
    }
    return true;
}

/* Has each iteration of the axes elements of its own, beside those that lie side by side? */
static bool is_apart(const struct loop_plan *p)
{
    for (int i = 0; i < p->axes; i++) {
        const struct imp_mark *mark = p->axis[i].loop->mark;
        if (i != p->lanes_of && !p->axis[i].sums && !(mark && mark->in_row))
            return false;
    }
    return true;
}

/* Counts the expression's loads that move along the axis. */
static int moving_loads(const struct lanes *l, const struct imp *e)
{
    int n = e->kind == IMP_LOAD && lanes_vary(l, e);
    for (int i = 0; i < e->args; i++)
        n += moving_loads(l, e->arg[i]);
    return n;
}

/* Does a row pay in strips?  Where several rows are multiplied, the factor of a whole loop is
 * better taken out of it, and a row that is marked as one is in registers anyway. */
static bool is_row_worth(const struct loop_plan *p, const struct axis *axis)
{
    const struct imp_mark *mark = axis->loop->mark;
    struct lanes l = loop_plan_along(p, axis);
    return loop_plan_ranges(p)
           || ((p->axes > 1 || !mark || !mark->row) && moving_loads(&l, p->addend) <= 1);
}

/* Has each row that an axis goes along one after the other a vector at least? */
static void demand_vector(struct loop_plan *p, const struct axis *strips)
{
    const struct imp *vector = lanes_plus(p->z->cx, strips->low, p->width);
    p->always = imp_both(p->z->cx, p->always, imp_op2(p->z->cx, OP_LE, vector, strips->high));
}

/* Makes the addend of lanes with conditions of their own: `tested & -(tested >= 0)`, which is 0
 * where the condition does not hold, is always a coordinate, if there are coordinates. */
static void choose_masks(struct loop_plan *p)
{
    struct context *cx = p->z->cx;
    struct lanes l = loop_plan_along(p, &p->axis[p->lanes_of]);
    if (!p->when || p->width == 1 || !lanes_vary(&l, p->when))
        return;
    const enum type type = type_promote(p->tested->type, TYPE_I32);
    const struct imp *e = imp_cast(cx, type, p->tested),
                     *mask = imp_op1(cx, OP_NEG, imp_cast(cx, type, p->when)),
                     *zero = imp_int(cx, p->coordinates->type, 0);
    p->masked = imp_replaced(cx, p->addend, p->tested,
                             imp_cast(cx, p->tested->type, imp_op2(cx, OP_AND, e, mask)));
    p->always = imp_both(cx, p->always, imp_op2(cx, OP_GT, p->coordinates, zero));
}

/* Chooses the steps of the axes, and the lanes.  False if there are too many steps, or if it would
 * not pay. */
static bool choose_plan(struct loop_plan *p)
{
    struct axis *inner = &p->axis[p->axes - 1];
    if (!choose_steps(p))
        return false;
    choose_lanes(p);
    struct lanes l = loop_plan_along(p, inner);
    bool fits = whole_steps(p, false) / p->width <= STEPS, alone = loop_plan_find(p, AXIS_ALONE);
    if (!loop_plan_find(p, AXIS_STRIPS) && !fits && inner->low && p->position
        && lanes_is_contiguous(&l, p->position))
        inner->steps = AXIS_STRIPS;
    const struct axis *strips = loop_plan_find(p, AXIS_STRIPS);
    p->in_order = strips || alone;
    if (!strips)
        return fits && (!alone || (p->width > 1 && p->side_by_side && is_apart(p)));
    if (!is_row_worth(p, strips) || !choose_strips(p, (int)(strips - p->axis)) || !is_apart(p))
        return false;
    if (alone)
        demand_vector(p, strips);
    return true;
}

/* Is the target at the same place in each iteration of the nest? */
static bool is_in_place(const struct loop_plan *p)
{
    const struct imp *position = p->position;
    for (int i = 0; position && i < p->axes; i++) {
        struct lanes l = loop_plan_along(p, &p->axis[i]);
        const struct imp_var *any = imp_var(p->z->cx, l.var->name, l.var->type);
        position = lanes_scalar(&l, position, imp_read(p->z->cx, any));
    }
    return !position || imp_is_fixed(p->nest, position);
}

/* ---- whole iterations ---- */

enum trend { TREND_NONE, TREND_UP, TREND_DOWN, TREND_ANY };

static enum trend turned(enum trend trend)
{
    return trend == TREND_UP ? TREND_DOWN : trend == TREND_DOWN ? TREND_UP : trend;
}

static enum trend both_trends(enum trend a, enum trend b)
{
    return a == TREND_NONE || a == b ? b : b == TREND_NONE ? a : TREND_ANY;
}

/* Returns how the expression changes from one iteration of the nest to the next, as far as it is
 * made of the nest's variable and of fixed values. */
static enum trend trend_of(const struct loop_plan *p, const struct imp *e)
{
    if (imp_is_fixed(p->nest, e) && !imp_uses(e, p->nest->var))
        return TREND_NONE;
    if (e->kind == IMP_CAST)
        return trend_of(p, e->arg[0]);
    if (imp_is_read(e, p->nest->var)
        || (vector_reads_entry(e, p->nest->var) && p->nest->mark
            && e->var == p->nest->mark->ascends))
        return TREND_UP;
    if (e->kind != IMP_OP || e->args != 2)
        return TREND_ANY;
    const enum trend a = trend_of(p, e->arg[0]), b = trend_of(p, e->arg[1]);
    const struct imp *by = e->arg[1];
    if (e->op == OP_ADD || e->op == OP_SUB)
        return both_trends(a, e->op == OP_SUB ? turned(b) : b);
    return e->op == OP_MUL && by->kind == IMP_LITERAL && by->value.i >= 0 ? a : TREND_ANY;
}

/* Does the condition stay false once it does not hold? */
static bool ends_once(const struct loop_plan *p, const struct imp *e)
{
    if (imp_is_op(e, OP_AND))
        return ends_once(p, e->arg[0]) && ends_once(p, e->arg[1]);
    if (e->kind != IMP_OP || e->op != OP_LE)
        return false;
    const enum trend least = trend_of(p, e->arg[0]), most = trend_of(p, e->arg[1]);
    return (least == TREND_NONE || least == TREND_UP) && (most == TREND_NONE || most == TREND_DOWN);
}

bool loop_plan_splits(const struct loop_plan *plan)
{
    const struct imp *nest = plan->nest;
    const struct lanes l = lanes_in(plan->z->cx, nest);
    return plan->each && nest->n == 1
           && ends_once(plan, lanes_scalar(&l, plan->each, imp_read(l.cx, nest->var)));
}

bool loop_plan_starts(const struct loop_plan *plan)
{
    return plan->position && (loop_plan_ranges(plan) || !plan->each || loop_plan_splits(plan));
}

/* ---- over what the target has ---- */

/* Returns e + rest, with the sum inside the operands of minimum and maximum, and without terms that
 * both sides have. */
static const struct imp *moved(struct context *cx, const struct imp *e, const struct imp *rest)
{
    if (e->kind == IMP_OP && (e->op == OP_MIN || e->op == OP_MAX))
        return imp_op2(cx, e->op, moved(cx, e->arg[0], rest), moved(cx, e->arg[1], rest));
    if (imp_is_op(e, OP_SUB) && imp_equal(e->arg[1], rest))
        return e->arg[0];
    if (imp_is_op(e, OP_NEG) && imp_equal(e->arg[0], rest))
        return imp_int(cx, e->type, 0);
    return imp_fold(cx, imp_op2(cx, OP_ADD, e, rest));
}

/* Returns a loop over j that declares i = j + rest, where the nest changes rest, as one over i. */
static const struct imp *over_declared(struct vectorizer *z, const struct imp *nest,
                                       const struct imp *loop)
{
    struct context *cx = z->cx;
    const struct imp *body = loop->arg[2];
    struct lanes l = lanes_in(cx, loop);
    struct imp_builder b = {.cx = cx};
    for (int d = 0; d + 1 < body_count(body); d++) {
        const struct imp *i = body_at(body, d);
        if (i->kind != IMP_DECLARE || i->args == 0 || i->var->type != loop->var->type
            || !lanes_is_contiguous(&l, i->arg[0]))
            continue;
        const struct imp *rest = lanes_scalar(&l, i->arg[0], imp_int(cx, i->var->type, 0));
        if (rest->type != i->var->type || imp_is_fixed(nest, rest))
            continue;
        imp_begin(&b);
        imp_let(&b, loop->var, imp_op2(cx, OP_SUB, imp_read(cx, i->var), rest));
        for (int k = 0; k < body_count(body); k++)
            if (k != d)
                imp_add(&b, body_at(body, k));
        const struct imp *over = imp_for(cx, i->var, moved(cx, loop->arg[0], rest),
                                         moved(cx, loop->arg[1], rest), 1, imp_end(&b));
        return loop->mark ? imp_marked(cx, over, loop->mark) : over;
    }
    return loop;
}

const struct imp *loop_plan_over_target(struct vectorizer *z, const struct imp *nest)
{
    const struct imp *body = nest->arg[2];
    if (!declares_first(body) || body_last(body)->kind != IMP_FOR
        || !lanes_is_counted(body_last(body)))
        return nest;
    const struct imp *loop = body_last(body), *over = over_declared(z, nest, loop);
    return over == loop ? nest : imp_around(z->cx, nest, with_last(z->cx, body, over));
}

bool loop_plan_of(struct vectorizer *z, const struct imp *nest, struct loop_plan *plan)
{
    *plan = (struct loop_plan){.z = z, .nest = nest, .stays = stays(nest->arg[2])};
    if (vector_is_asked(nest) || vector_factor(nest) || !imp_is_pure(nest))
        return false;
    take_fixed(plan, nest->arg[2]);
    if (!take_body(plan, nest->arg[2], plan->stays) || plan->axes == 0
        || imp_uses(nest, plan->target->var) != 1 || !is_in_place(plan) || !choose_plan(plan))
        return false;
    choose_masks(plan);
    return (plan->in_order && !plan->sums_up)
           || (nest->mark && nest->mark->iterations == ITERATIONS_REDUCE);
}

bool loop_plan_of_row(struct vectorizer *z, const struct imp *nest, const struct imp *row,
                      struct loop_plan *plan)
{
    *plan = (struct loop_plan){.z = z,
                               .nest = nest,
                               .axis = {{.loop = row, .var = row->var}},
                               .axes = 1,
                               .in_order = true};
    return lanes_is_counted(row) && !vector_is_refused(row) && take_bounds(plan, &plan->axis[0])
           && !plan->axis[0].ranges && take_body(plan, row->arg[2], 0) && plan->axes == 1
           && plan->position && !plan->when && choose_strips(plan, 0);
}

/* Are these declarations, and then an assignment to an element that the nest does not use
 * otherwise? */
static bool take_element(struct loop_plan *p, const struct imp *body)
{
    const int axes = p->axes;
    return declares_first(body) && take_body(p, body, 0) && p->axes == axes && p->position
           && !p->when && imp_uses(p->nest, p->target->var) == 1;
}

bool loop_plan_of_segments(struct vectorizer *z, const struct imp *loop, struct loop_plan *plan)
{
    const struct imp *inner = body_last(loop->arg[2]);
    *plan = (struct loop_plan){
        .z = z, .nest = loop, .axis = {{.loop = inner, .var = inner->var}}, .axes = 1};
    struct axis *axis = &plan->axis[0];
    return is_free(loop) && is_free(inner) && imp_is_pure(loop) && declares_first(loop->arg[2])
           && imp_segments_span(z->cx, loop, inner, &axis->low, &axis->high)
           && !imp_mentions(inner->arg[2], loop->var) && take_element(plan, inner->arg[2]);
}

bool loop_plan_of_sum(struct vectorizer *z, const struct imp *loop, struct loop_plan *plan)
{
    *plan = (struct loop_plan){.z = z, .nest = loop};
    const struct lanes l = lanes_in(z->cx, loop);
    return take_element(plan, loop->arg[2]) && !lanes_vary(&l, plan->target->arg[0])
           && is_in_place(plan);
}
