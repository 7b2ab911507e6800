/* register_tile.c - what a nest combines with again and again, a tile of it at a time in registers.
 *
 *     for (p = begin; p < end; p++) {
 *         j = crd[p];
 *         for (r = 0; r < min(2, m); r++)
 *             for (c = 0; c < min(4, n - 4*j); c++) y[i + r] += a[(p*2 + r)*4 + c] * x[4*j + c];
 *     }
 *
 * adds to the same few components in each iteration of the outer loop, through memory.  Here each
 * has a register, of lanes where the innermost loop allows it, for all of the outer loop:
 *
 *     if (begin < end && 2 <= m) {
 *         whole = end;
 *         while (begin < whole && 4 > n - 4*crd[whole - 1]) whole--;
 *         y0 = {0};  y1 = {0};
 *         for (p = begin; p < whole; p++) {
 *             j = crd[p];
 *             y0 += a[p*8 .. +4] * x[4*j .. +4];  y1 += a[p*8 + 4 .. +4] * x[4*j .. +4];
 *         }
 *         y[i] += the lanes of y0;  y[i + 1] += those of y1;
 *         for (p = whole; p < end; p++) ... as above
 *     } else { for (p ...) ... as above }
 *
 * What is cut off by the end of the dimension comes last where coordinates ascend.  Where they do
 * not, `if (4 <= n - 4*j)` is asked in each iteration, and all else goes to memory at once.  If a
 * fill of the elements stands in front of the nest, for nothing else, registers start from that:
 * `y[i] = the lanes of y0`.
 *
 * The assignment may have a condition.  Where lanes have different ones they are masked, in those
 * iterations in which not all of them hold: rows of sliced ELL (levels/ragged.c) end one by one.
 *
 * Where a loop goes along the target side by side, in strips of it (strip_mine.c).  Then registers
 * start from what is there, and each element is combined with the same values in the same order, so
 * that its bits are the same.  Such a loop may go over another range each time:
 *
 *     for (p = begin; p < end; p++) {
 *         d = crd[p];
 *         for (i = max(0, -d); i < min(m, n - d); i++) y[i] += a[p*m + i] * x[i + d];
 *     }
 *
 *     for (; q < end; q = next) {
 *         next = q + 12 or end;
 *         for (t = 0; t < m - 31; t += 32) {
 *             y0 = y[t .. +8];  ...  y3 = ...
 *             for (p = q; p < next; p++) {
 *                 d = crd[p];
 *                 if (max(0, -d) <= t && t + 32 <= min(m, n - d)) {
 *                     y0 += a[p*m + t .. +8] * x[t + d .. +8];  ...
 *                 } else {
 *                     y[t .. +8] = y0; ...  for (i ...) ... in the tile  y0 = y[t .. +8]; ...
 *                 }
 *             }
 *             y[t .. +8] = y0;  ...
 *         }
 *         and for what is left of m, as above from t on
 *     }
 *
 * Arrays like a are walked side by side, as many as processors can fetch ahead from; the first ones
 * start from a fill, if there is one.  Of y[i + d], the loop is over i + d (loop_plan_over_target).
 *
 * This is register tiling, with scalar expansion, as in dense matrix multiplication.  What does not
 * fill its tile stays as it is, and goes to memory.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/optimize/loop_plan.h"
#include "compiler/optimize/simplify.h"

/* What is reduced into: an element at a position that the nest does not change, or a scalar.  Where
 * there are few they have several registers each, which take turns: an addition need not wait for
 * the one before it. */
struct component {
    const struct imp *position; /* NULL: a scalar */
    struct imp_var *reg[TARGET_SUMS_MOST];
    int regs, steps; /* steps: of an iteration of the nest, so far */
};

enum { ROWS = 16 }; /* that are asked for, at most */

struct tile {
    struct loop_plan plan;
    struct imp_builder b;
    const struct imp *adds, *factor; /* the addend is their product, or adds; factor stays */
    const struct imp *begin, *end;   /* of the nest: those at hand */
    const struct imp *start;         /* what its components are before; NULL: they are there */
    const struct imp *later;         /* they have what others before left there; NULL: never */
    bool splits;                     /* those at hand are whole, as others come behind them */
    const struct imp *strip;         /* where the strip at hand begins; NULL: there is none */
    const struct imp *alone;         /* where the axis is that goes alone, likewise */
    int vectors;                     /* of a strip */
    const struct imp *at[AXES_MOST]; /* of the step at hand, the axes' variables */
    struct lanes_place place;        /* and where its lanes begin */
    struct component component[TARGET_REGISTERS_MOST];
    int components;
    const struct imp *tested; /* of all lanes of the steps so far, together */
    const struct imp
        *row[ROWS]; /* what the steps read along the lanes, from the strip's begin on */
    int rows;
};

/* ---- steps ---- */

/* The expression in this step, but for its lanes. */
static const struct imp *in_step(const struct tile *t, const struct imp *e)
{
    for (int i = 0; e && i < t->plan.axes; i++) {
        struct lanes l = loop_plan_along(&t->plan, &t->plan.axis[i]);
        if (i != t->plan.lanes_of)
            e = lanes_scalar(&l, e, t->at[i]);
    }
    return e;
}

/* Apply to each step of the axes from this one on; of what is summed first, so that what it is
 * multiplied by is read once for all that the target has. */
static bool all_steps(struct tile *t, int axis, bool sums, bool (*apply)(struct tile *t))
{
    const struct loop_plan *p = &t->plan;
    struct context *cx = p->z->cx;
    if (axis == p->axes)
        return sums ? all_steps(t, 0, false, apply) : apply(t);
    const struct axis *a = &p->axis[axis];
    bool strips = a->steps == AXIS_STRIPS;
    if (a->steps == AXIS_ALONE)
        t->at[axis] = t->alone;
    if (a->sums != sums || a->steps == AXIS_ALONE)
        return all_steps(t, axis + 1, sums, apply);
    int64_t by = axis == p->lanes_of ? p->width : 1, begin = strips ? 0 : a->begin,
            end = strips ? t->vectors * by : a->end;
    for (int64_t at = begin; at < end; at += by) {
        t->at[axis] = imp_int(cx, a->var->type, at);
        if (axis == p->lanes_of)
            t->place =
                strips ? (struct lanes_place){t->strip, at} : (struct lanes_place){t->at[axis], 0};
        if (!all_steps(t, axis + 1, sums, apply))
            return false;
    }
    return true;
}

static struct component *find_component(struct tile *t)
{
    struct lanes l = loop_plan_along(&t->plan, &t->plan.axis[t->plan.lanes_of]);
    const struct imp *position = in_step(t, t->plan.position);
    position = position ? lanes_position(&l, position, t->place) : NULL;
    int i = 0;
    while (i < t->components && position && !imp_equal(t->component[i].position, position))
        i++;
    if (i < t->components)
        return &t->component[i];
    if (i == t->plan.z->target->registers)
        return NULL;
    t->component[t->components++] = (struct component){.position = position};
    return &t->component[i];
}

static bool count_step(struct tile *t)
{
    struct component *c = find_component(t);
    if (c)
        c->steps++;
    return c != NULL;
}

static void combine_step(struct tile *t, const struct imp *value)
{
    struct component *c = find_component(t);
    vector_combine(t->plan.z, &t->b, c->reg[c->steps++ % c->regs], t->plan.op, value);
}

/* register op= the addend's lanes, if the condition holds, which it does where it is known to. */
static bool add_step(struct tile *t)
{
    const struct loop_plan *p = &t->plan;
    struct lanes l = loop_plan_along(p, &p->axis[p->lanes_of]);
    const struct imp *addend = in_step(t, t->adds), *when = p->masked ? NULL : in_step(t, p->when);
    addend = p->width > 1 ? lanes_vector(&l, addend, t->place, p->width)
                          : lanes_scalar(&l, addend, t->place.at);
    imp_begin(&t->b);
    combine_step(t, addend);
    const struct imp *adds = imp_end(&t->b);
    when = when ? lanes_scalar(&l, when, t->place.at) : NULL;
    imp_add(&t->b, when ? imp_if(p->z->cx, when, adds, NULL) : adds);
    return true;
}

/* register op= the lanes in which the condition holds; the others are what changes nothing.  Notes
 * what is tested. */
static bool add_masked_step(struct tile *t)
{
    const struct loop_plan *p = &t->plan;
    struct lanes l = loop_plan_along(p, &p->axis[p->lanes_of]);
    const struct imp *none = reduces_from(l.cx, p->op, p->addend->type, p->width);
    const struct imp *at = in_step(t, p->tested), *all = lanes_together(&l, at, t->place, p->width);
    combine_step(t, lanes_masked(&l, at, in_step(t, p->masked), none, t->place));
    t->tested = t->tested ? imp_op2(l.cx, OP_OR, t->tested, all) : all;
    return true;
}

/* All steps; where lanes may be masked, without masks if the condition holds in all of them. */
static const struct imp *add_steps(struct tile *t)
{
    imp_begin(&t->b);
    all_steps(t, 0, true, add_step);
    const struct imp *steps = imp_end(&t->b);
    if (!t->plan.masked)
        return steps;
    t->tested = NULL;
    imp_begin(&t->b);
    all_steps(t, 0, true, add_masked_step);
    const struct imp *zero = imp_int(t->b.cx, t->tested->type, 0);
    return imp_if(t->b.cx, imp_op2(t->b.cx, OP_GE, t->tested, zero), steps, imp_end(&t->b));
}

/* Note the rows that the step reads, each where the strip begins in it. */
static void note_rows(struct tile *t, const struct imp *e)
{
    const struct loop_plan *p = &t->plan;
    struct lanes l = loop_plan_along(p, &p->axis[p->lanes_of]);
    for (int i = 0; i < e->args; i++)
        note_rows(t, e->arg[i]);
    if (e->kind != IMP_LOAD || !lanes_is_contiguous(&l, e->arg[0]))
        return;
    const struct imp *row =
        imp_load(p->z->cx, e->var, lanes_position(&l, in_step(t, e->arg[0]), t->place));
    bool noted = t->rows == ROWS;
    for (int i = 0; i < t->rows; i++)
        noted |= imp_equal(t->row[i], row);
    if (!noted && vectorize_jumps(p->z->cx, p->nest, row))
        t->row[t->rows++] = row;
}

static bool note_step(struct tile *t)
{
    const struct axis *a = &t->plan.axis[t->plan.lanes_of];
    int64_t first = a->steps == AXIS_STRIPS ? 0 : a->begin;
    if (t->at[t->plan.lanes_of]->value.i == first)
        note_rows(t, t->plan.addend);
    return true;
}

/* Note all rows that the strip reads, or the tile that is the same for each iteration if it reads
 * several lines in each: how many elements of each.  In ranges, what it reads next lies beside. */
static int note_elements(struct tile *t)
{
    const struct loop_plan *p = &t->plan;
    const struct axis *a = &p->axis[p->lanes_of];
    const int64_t line = p->z->target->line, size = (int64_t)type_size(p->addend->type);
    t->rows = 0;
    if (loop_plan_ranges(p))
        return 0;
    all_steps(t, 0, true, note_step);
    if (a->steps == AXIS_STRIPS)
        return t->vectors * p->width;
    const int64_t bytes = (a->end - a->begin) * size;
    if (bytes < line || t->rows * bytes <= line)
        t->rows = 0;
    return (int)(a->end - a->begin);
}

/* ---- registers ---- */

static const struct imp *element(const struct tile *t, const struct component *c)
{
    return imp_load_lanes(t->plan.z->cx, t->plan.target->var, c->position, t->plan.width);
}

static const struct imp *read_elements(struct tile *t)
{
    imp_begin(&t->b);
    for (int i = 0; i < t->components; i++)
        imp_add(&t->b, imp_assign(t->plan.z->cx, t->component[i].reg[0], OP_NONE,
                                  element(t, &t->component[i])));
    return imp_end(&t->b);
}

static void declare_registers(struct tile *t)
{
    const struct loop_plan *p = &t->plan;
    const struct imp_var *target = p->target->var;
    int sums = (int)p->z->target->sums;
    int most = p->in_order || t->components >= sums ? 1 : sums / t->components;
    for (int i = 0; i < t->components; i++) {
        struct component *c = &t->component[i];
        c->regs = c->steps < most ? c->steps : most;
        c->steps = 0;
        for (int n = 0; n < c->regs; n++) {
            c->reg[n] = vector_var(p->z, target->name, target->type, p->width);
            imp_let(&t->b, c->reg[n],
                    !p->in_order ? reduces_from(p->z->cx, p->op, target->type, p->width)
                    : t->start   ? imp_broadcast(p->z->cx, t->start, p->width)
                                 : element(t, c));
        }
    }
    if (t->later)
        imp_add(&t->b, imp_if(p->z->cx, t->later, read_elements(t), NULL));
}

static void write_elements(struct tile *t)
{
    struct context *cx = t->plan.z->cx;
    for (int i = 0; i < t->components; i++)
        imp_add(&t->b, imp_store(cx, t->plan.target->var, t->component[i].position, OP_NONE,
                                 imp_read(cx, t->component[i].reg[0])));
}

/* What is in the registers goes to where the nest would have put it. */
static void add_registers(struct tile *t)
{
    const struct loop_plan *p = &t->plan;
    struct context *cx = p->z->cx;
    enum op op = reduces_with(p->op);
    for (int i = 0; i < t->components; i++) {
        const struct component *c = &t->component[i];
        for (int n = 1; n < c->regs; n++)
            imp_add(&t->b, imp_assign(cx, c->reg[0], op, imp_read(cx, c->reg[n])));
        const struct imp *value = p->width > 1 && !p->side_by_side
                                      ? vector_reduced(p->z, &t->b, c->reg[0], op)
                                      : imp_read(cx, c->reg[0]);
        if (t->factor)
            value = factors_times(cx, imp_broadcast(cx, t->factor, value->lanes), value);
        enum op with = t->start ? OP_NONE : op;
        if (t->start && !imp_equal(t->start, reduces_from(cx, p->op, p->target->var->type, 1)))
            value = imp_op2(cx, op, imp_broadcast(cx, t->start, value->lanes), value);
        imp_add(&t->b, c->position ? imp_store(cx, p->target->var, c->position, with, value)
                                   : imp_assign(cx, p->target->var, op, value));
    }
}

/* ---- the nest ---- */

/* Where the axis is, and where what the tile has of it ends. */
static const struct imp *here(const struct tile *t, const struct axis *a, const struct imp **end)
{
    bool strips = a->steps == AXIS_STRIPS;
    const struct imp *at = strips ? t->strip : t->alone;
    *end = lanes_plus(t->plan.z->cx, at, strips ? (int64_t)t->vectors * t->plan.width : 1);
    return at;
}

/* The statement with only those iterations of its axes that the tile has, or in it and behind. */
static const struct imp *parts(const struct tile *t, const struct imp *imp, bool behind)
{
    struct context *cx = t->plan.z->cx;
    const struct imp **arg = arena_array(cx->arena, const struct imp *, imp->args), *end;
    for (int i = 0; i < imp->args; i++)
        arg[i] = imp_is_expression(imp->arg[i]) ? imp->arg[i] : parts(t, imp->arg[i], behind);
    for (int i = 0; imp->kind == IMP_FOR && i < t->plan.axes; i++) {
        const struct axis *a = &t->plan.axis[i];
        if (a->var != imp->var || a->steps == AXIS_WHOLE)
            continue;
        const struct imp *at = imp_cast(cx, a->var->type, here(t, a, &end));
        arg[0] = a->ranges ? imp_op2(cx, OP_MAX, arg[0], at) : at;
        if (!behind || a->steps != AXIS_STRIPS)
            arg[1] = a->ranges ? imp_op2(cx, OP_MIN, arg[1], end) : end;
    }
    return imp_with_args(cx, imp, arg);
}

/* Behind those of the nest's declarations that it reads. */
static const struct imp *with_declared(const struct tile *t, const struct imp *inner)
{
    struct context *cx = t->plan.z->cx;
    const int stays = t->plan.stays;
    const struct imp **all = arena_array(cx->arena, const struct imp *, stays + 1);
    int first = stays;
    all[stays] = inner;
    for (int i = stays; i-- > 0;) {
        const struct imp *declared = body_at(t->plan.nest->arg[2], i);
        int uses = 0;
        for (int k = first; k <= stays; k++)
            uses += imp_uses(all[k], declared->var);
        if (uses > 0)
            all[--first] = declared;
    }
    return imp_block(cx, all + first, stays + 1 - first);
}

/* The nest from and up to where it is at hand, with this for its body from the axes on, and with
 * prefetches of so many elements of the rows that were noted. */
static const struct imp *around(struct tile *t, const struct imp *inner, int elements)
{
    const struct imp *nest = t->plan.nest;
    struct ahead ahead = {.loop = nest};
    imp_begin(&t->b);
    const struct imp *fetches = vectorize_rows_ahead(t->plan.z, &ahead, t->row, t->rows, elements);
    if (fetches)
        imp_add(&t->b, fetches);
    imp_add(&t->b, inner);
    const struct imp *arg[] = {t->begin, t->end, with_declared(t, imp_end(&t->b))};
    return vectorize_behind(t->plan.z, &ahead, imp_with_args(t->plan.z->cx, nest, arg));
}

/* The body from the axes on, as it is. */
static const struct imp *axes_of(struct tile *t)
{
    const struct imp *body = t->plan.nest->arg[2];
    imp_begin(&t->b);
    for (int i = t->plan.stays; i < body_count(body); i++)
        imp_add(&t->b, body_at(body, i));
    return imp_end(&t->b);
}

/* Is what the tile has of the axis in its range?  NULL: it is. */
static const struct imp *covers(const struct tile *t, enum axis_steps steps)
{
    struct context *cx = t->plan.z->cx;
    const struct axis *a = loop_plan_find(&t->plan, steps);
    const struct imp *end;
    if (!a || !a->ranges)
        return NULL;
    const struct imp *at = here(t, a, &end);
    return imp_both(cx, a->first ? imp_op2(cx, OP_LE, a->first, at) : NULL,
                    a->past ? imp_op2(cx, OP_LE, end, a->past) : NULL);
}

/* What is not all in the tile, through memory. */
static const struct imp *through_memory(struct tile *t)
{
    const struct imp *axes = axes_of(t);
    if (!t->plan.in_order)
        return axes;
    imp_begin(&t->b);
    write_elements(t);
    imp_add(&t->b, parts(t, axes, false));
    imp_add(&t->b, read_elements(t));
    return imp_end(&t->b);
}

/* The nest with registers in place of the components of a strip; NULL: there are too many. */
static const struct imp *in_registers(void *data, const struct imp *at, int vectors)
{
    struct tile *t = data;
    struct context *cx = t->plan.z->cx;
    t->strip = at;
    t->vectors = vectors;
    t->components = 0;
    if (!all_steps(t, 0, true, count_step))
        return NULL;
    const int elements = note_elements(t);
    imp_begin(&t->b);
    declare_registers(t);
    const struct imp *steps = add_steps(t), *there = covers(t, AXIS_ALONE),
                     *each = imp_both(cx, covers(t, AXIS_STRIPS), t->splits ? NULL : t->plan.each);
    steps = each ? imp_if(cx, each, steps, through_memory(t)) : steps;
    imp_add(&t->b, around(t, there ? imp_if(cx, there, steps, NULL) : steps, elements));
    if (t->plan.in_order)
        write_elements(t);
    else
        add_registers(t);
    return imp_end(&t->b);
}

/* ---- all of it ---- */

/* The components that are left from the strip's begin on are what they start from. */
static const struct imp *started(const struct tile *t)
{
    const struct loop_plan *p = &t->plan;
    struct context *cx = p->z->cx;
    const struct imp *all = imp_store(cx, p->target->var, p->position, OP_NONE, t->start);
    for (int i = p->axes; i-- > 0;) {
        const struct axis *a = &p->axis[i];
        const struct imp *from = imp_int(cx, a->var->type, a->begin),
                         *end = imp_int(cx, a->var->type, a->end);
        if (a->steps != AXIS_WHOLE)
            from = here(t, a, &end);
        if (a->steps == AXIS_STRIPS)
            end = a->high;
        if (!a->sums)
            all = imp_for(cx, (struct imp_var *)(size_t)a->var, from, end, 1, all);
    }
    return t->later ? imp_if(cx, imp_op1(cx, OP_NOT, t->later), all, NULL) : all;
}

static const struct imp *rest(void *data, const struct imp *at)
{
    struct tile *t = data;
    t->strip = at;
    t->rows = 0;
    const struct imp *left = around(t, parts(t, axes_of(t), true), 0);
    return t->start ? imp_block(t->plan.z->cx, (const struct imp *const[]){started(t), left}, 2)
                    : left;
}

/* All strips of the nest's iterations at hand; NULL: there are too many components. */
static const struct imp *all_strips(struct tile *t)
{
    struct context *cx = t->plan.z->cx;
    const struct axis *a = loop_plan_find(&t->plan, AXIS_STRIPS);
    if (!a)
        return in_registers(t, NULL, 1);
    const struct imp_mark *mark = a->ranges ? NULL : a->loop->mark; /* that is of one range */
    const struct imp *all = imp_for(cx, a->loop->var, a->low, a->high, 1, a->loop->arg[2]);
    return vectorize_strips(&(struct strips){.z = t->plan.z,
                                             .loop = mark ? imp_marked(cx, all, mark) : all,
                                             .width = t->plan.width,
                                             .most = t->plan.vectors,
                                             .least = a->ranges ? t->plan.vectors : 1,
                                             .strip = in_registers,
                                             .rest = rest,
                                             .data = t});
}

/* The same for each iteration of the axis that goes alone, if there is one. */
static const struct imp *all_tiles(struct tile *t)
{
    struct context *cx = t->plan.z->cx;
    const struct axis *a = loop_plan_find(&t->plan, AXIS_ALONE);
    if (!a)
        return all_strips(t);
    struct imp_var *var = vector_var(t->plan.z, a->var->name, a->var->type, 1);
    t->alone = imp_read(cx, var);
    const struct imp *strips = all_strips(t);
    return strips ? imp_for(cx, var, a->low, a->high, 1, strips) : NULL;
}

/* The nest a few streams at a time: as many as the hardware fetches ahead. */
static const struct imp *by_streams(struct tile *t)
{
    struct vectorizer *z = t->plan.z;
    struct context *cx = z->cx;
    const struct imp *nest = t->plan.nest, *many = imp_int(cx, TYPE_I64, z->target->streams);
    struct imp_var *var = vector_var(z, nest->var->name, nest->var->type, 1);
    imp_begin(&t->b);
    const struct imp *from = t->begin = imp_let(&t->b, var, nest->arg[0]);
    t->later = t->start ? imp_op2(cx, OP_LT, nest->arg[0], from) : NULL;
    imp_begin(&t->b);
    const struct imp *next = imp_op2(cx, OP_ADD, imp_cast(cx, TYPE_I64, from), many);
    next = imp_op2(cx, OP_MIN, next, imp_cast(cx, TYPE_I64, nest->arg[1]));
    const char *name = arena_printf(cx->arena, "%s_next", nest->var->name);
    t->end = imp_let(&t->b, vector_var(z, name, from->type, 1), imp_cast(cx, from->type, next));
    const struct imp *strips = all_tiles(t);
    if (strips)
        imp_add(&t->b, strips);
    imp_add(&t->b, imp_assign(cx, var, OP_NONE, t->end));
    const struct imp *body = imp_end(&t->b);
    imp_add(&t->b, imp_while(cx, imp_op2(cx, OP_LT, from, nest->arg[1]), body));
    const struct imp *all = imp_end(&t->b);
    return strips ? all : NULL;
}

/* The iterations that are whole, and then those that are not, as they are. */
static const struct imp *whole_first(struct tile *t)
{
    struct context *cx = t->plan.z->cx;
    const struct imp *nest = t->plan.nest, *begin = nest->arg[0], *end = nest->arg[1];
    const struct lanes l = {.cx = cx, .var = nest->var, .body = nest->arg[2]};
    const char *name = arena_printf(cx->arena, "%s_whole", imp_stem(nest->var));
    struct imp_var *var = vector_var(t->plan.z, name, nest->var->type, 1);
    imp_begin(&t->b);
    t->splits = true;
    t->end = imp_let(&t->b, var, end);
    const struct imp *last = lanes_plus(cx, t->end, -1),
                     *is_cut = imp_op1(cx, OP_NOT, lanes_scalar(&l, t->plan.each, last));
    imp_add(&t->b, imp_while(cx, imp_both(cx, imp_op2(cx, OP_LT, begin, t->end), is_cut),
                             imp_assign(cx, var, OP_NONE, last)));
    const struct imp *tiles = all_tiles(t);
    if (tiles)
        imp_add(&t->b, tiles);
    imp_add(&t->b, imp_with_args(cx, nest, (const struct imp *const[]){t->end, end, nest->arg[2]}));
    const struct imp *all = imp_end(&t->b);
    return tiles ? all : NULL;
}

/* What registers add up; what the nest multiplies it by each time, their sum is multiplied by. */
static void split_addend(struct tile *t)
{
    const struct loop_plan *p = &t->plan;
    struct factors f = {NULL, NULL};
    if (!p->in_order && !p->when && reduces_with(p->op) == OP_ADD)
        f = factors_of(p->z->cx, p->nest, NULL, p->target->var, p->addend);
    t->adds = f.rest ? f.rest : p->addend;
    t->factor = f.rest ? f.kept : NULL;
}

const struct imp *vectorize_registers(struct vectorizer *z, struct nest *of)
{
    struct context *cx = z->cx;
    const struct imp *nest = of->loop;
    struct tile t = {.b = {.cx = cx}, .begin = nest->arg[0], .end = nest->arg[1]};
    if (!loop_plan_of(z, nest, &t.plan)
        && !loop_plan_of(z, loop_plan_over_target(z, nest), &t.plan))
        return NULL;
    bool starts = of->fill && of->fill->mark->start && loop_plan_starts(&t.plan);
    *of = (struct nest){.loop = nest, .fill = starts ? of->fill : NULL};
    t.start = starts ? of->fill->arg[2] : NULL;
    split_addend(&t);
    nest = t.plan.nest;
    bool ranges = loop_plan_ranges(&t.plan), splits = !ranges && loop_plan_splits(&t.plan);
    const struct imp *all = ranges ? by_streams(&t) : splits ? whole_first(&t) : all_tiles(&t);
    /* where it does not run, what it would touch may not be there, or streams do not fill it */
    const struct imp *runs = ranges == starts ? vector_runs(cx, nest) : NULL,
                     *when = imp_both(cx, runs, t.plan.always);
    if (!all || !when)
        return all;
    const struct imp *as_is[] = {of->fill, nest};
    const int first = starts ? 0 : 1, last = t.plan.always ? 2 : 1;
    return imp_if(cx, when, all, imp_block(cx, as_is + first, last - first));
}
