/* tile_steps.c - what a nest does to the registers of a tile (register_tile.c).
 *
 * A site combines with the tile in steps.  A step has one value of each axis, but a vector of
 * values of the axis whose iterations are lanes.  The registers are those of the tile, which start
 * from the elements in memory, or sums, which start from nothing.  Sums are multiplied in the end
 * by the factors that a loop around the site keeps.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/optimize/register_tile.h"
#include "compiler/optimize/simplify.h"

/* ---- steps ---- */

static struct lanes along(const struct loop_plan *p)
{
    return loop_plan_along(p, &p->axis[p->lanes_of]);
}

/* Returns the expression in this step, but for its lanes. */
static const struct imp *in_step(const struct tile *t, const struct loop_plan *p,
                                 const struct imp *e)
{
    for (int i = 0; e && i < p->axes; i++) {
        struct lanes l = loop_plan_along(p, &p->axis[i]);
        if (i != p->lanes_of)
            e = lanes_scalar(&l, e, t->at[i]);
    }
    return e;
}

/* Applies the function to each step of the axes from this one on.  Axes that are summed are
 * outermost, so that the factor of all components is read once. */
static bool all_steps(struct tile *t, int axis, bool sums, bool (*apply)(struct tile *t))
{
    const struct loop_plan *p = t->plan;
    if (axis == p->axes)
        return sums ? all_steps(t, 0, false, apply) : apply(t);
    const struct axis *a = &p->axis[axis];
    bool strips = a->steps == AXIS_STRIPS;
    if (a->steps == AXIS_ALONE)
        t->at[axis] = t->alone;
    if (a->sums != sums || a->steps == AXIS_ALONE)
        return all_steps(t, axis + 1, sums, apply);
    int64_t by = axis == p->lanes_of ? t->width : 1, begin = strips ? 0 : a->begin,
            end = strips ? t->vectors * by : a->end;
    for (int64_t at = begin; at < end; at += by) {
        t->at[axis] = imp_int(t->z->cx, a->var->type, at);
        if (axis == p->lanes_of)
            t->place =
                strips ? (struct lanes_place){t->strip, at} : (struct lanes_place){t->at[axis], 0};
        if (!all_steps(t, axis + 1, sums, apply))
            return false;
    }
    return true;
}

/* Returns what the loop beside the nest has for the current step, as a vector; NULL if there is no
 * such loop. */
static const struct imp *beside_step(const struct tile *t, const struct beside *beside)
{
    const struct lanes l = along(t->plan);
    return beside->loop ? lanes_vector(&l, in_step(t, t->plan, beside->value), t->place, t->width)
                        : NULL;
}

/* Returns the component that the step combines with, which may be a new one. */
static int component_at(struct tile *t)
{
    struct lanes l = along(t->plan);
    const struct imp *position = in_step(t, t->plan, t->plan->position);
    position = position ? lanes_position(&l, position, t->place) : NULL;
    int i = 0;
    while (i < t->components && position && !imp_equal(t->component[i], position))
        i++;
    if (i == t->components && i < t->z->target->registers) {
        t->steps[i] = 0;
        t->set[i] = beside_step(t, &t->before);
        t->change[i] = beside_step(t, &t->behind);
        t->component[t->components++] = position;
    }
    return i;
}

static bool count_step(struct tile *t)
{
    const int i = component_at(t);
    if (i < t->components)
        t->steps[i]++;
    return i < t->components;
}

bool tile_count(struct tile *t)
{
    t->components = 0;
    return all_steps(t, 0, true, count_step);
}

/* Combines the current register with the value, or the current row with the register times the
 * value. */
static void combine_step(struct tile *t, const struct imp *value)
{
    const struct loop_plan *p = &t->site->plan;
    const int i = component_at(t);
    struct registers *of = &t->sums->of[i];
    struct imp_var *reg = of->reg[of->next++ % of->n];
    if (t->scattered)
        imp_add(&t->b, imp_store(t->z->cx, p->target->var, t->component[i], p->op,
                                 factors_times(t->z->cx, value, imp_read(t->z->cx, reg))));
    else
        vector_combine(t->z, &t->b, reg, p->op, value);
}

/* Adds the addend's lanes to the register, if the condition holds.  It is not asked where it is
 * known to hold. */
static bool add_step(struct tile *t)
{
    const struct loop_plan *p = &t->site->plan;
    struct lanes l = along(p);
    const struct imp *rest = t->sums->factors.rest,
                     *addend = in_step(t, p, rest ? rest : p->addend),
                     *when = p->masked ? NULL : in_step(t, p, p->when);
    addend = t->width > 1 ? lanes_vector(&l, addend, t->place, t->width)
                          : lanes_scalar(&l, addend, t->place.at);
    imp_begin(&t->b);
    combine_step(t, addend);
    const struct imp *adds = imp_end(&t->b);
    when = when ? lanes_scalar(&l, when, t->place.at) : NULL;
    imp_add(&t->b, when ? imp_if(t->z->cx, when, adds, NULL) : adds);
    return true;
}

/* Adds the lanes in which the condition holds to the register.  The other lanes are the identity.
 * Notes the value that is tested. */
static bool add_masked_step(struct tile *t)
{
    const struct loop_plan *p = &t->site->plan;
    struct lanes l = along(p);
    const struct imp *none = reduces_from(l.cx, p->op, p->addend->type, t->width);
    const struct imp *at = in_step(t, p, p->tested),
                     *all = lanes_together(&l, at, t->place, t->width);
    combine_step(t, lanes_masked(&l, at, in_step(t, p, p->masked), none, t->place));
    t->tested = t->tested ? imp_op2(l.cx, OP_OR, t->tested, all) : all;
    return true;
}

/* Notes that something has been added to the sums. */
static void note_some(struct tile *t, const struct sums *s)
{
    if (s->some)
        imp_add(&t->b, imp_assign(t->z->cx, s->some, OP_NONE, imp_true(t->z->cx)));
}

/* Returns all steps.  Where lanes may be masked, there are steps without masks for the case that
 * the condition holds in all lanes. */
const struct imp *tile_steps(struct tile *t, const struct site *site)
{
    t->site = site;
    imp_begin(&t->b);
    all_steps(t, 0, true, add_step);
    note_some(t, t->sums);
    const struct imp *steps = imp_end(&t->b);
    if (!site->plan.masked)
        return steps;
    t->tested = NULL;
    imp_begin(&t->b);
    all_steps(t, 0, true, add_masked_step);
    const struct imp *zero = imp_int(t->b.cx, t->tested->type, 0);
    return imp_if(t->b.cx, imp_op2(t->b.cx, OP_GE, t->tested, zero), steps, imp_end(&t->b));
}

/* ---- prefetches ---- */

/* Notes the rows that the step goes along, each from the strip's begin on. */
static void note_row(struct tile *t, const struct imp_var *array, const struct imp *position)
{
    const struct loop_plan *p = &t->site->plan;
    struct lanes l = along(p);
    if (t->rows == ROWS || !lanes_is_contiguous(&l, position))
        return;
    const struct imp *row =
        imp_load(t->z->cx, array, lanes_position(&l, in_step(t, p, position), t->place));
    for (int i = 0; i < t->rows; i++)
        if (imp_equal(t->row[i], row))
            return;
    t->row[t->rows++] = row;
}

static void note_rows(struct tile *t, const struct imp *e)
{
    for (int i = 0; i < e->args; i++)
        note_rows(t, e->arg[i]);
    if (e->kind == IMP_LOAD)
        note_row(t, e->var, e->arg[0]);
}

static bool note_step(struct tile *t)
{
    const struct loop_plan *p = &t->site->plan;
    const struct axis *a = &t->plan->axis[t->plan->lanes_of];
    int64_t first = a->steps == AXIS_STRIPS ? 0 : a->begin;
    if (t->at[t->plan->lanes_of]->value.i != first)
        return true;
    if (t->scattered)
        note_row(t, p->target->var, p->position);
    note_rows(t, p->addend);
    return true;
}

/* Finds the rows that the site goes along and that are elsewhere in each iteration of the loop.  If
 * the tile is the same in each iteration, rows count only if each has several lines of the cache.
 */
static void find_rows(struct tile *t, const struct imp *loop, const struct site *site, int elements)
{
    const struct loop_plan *p = &site->plan;
    const int64_t line = t->z->target->line, size = (int64_t)type_size(p->addend->type);
    t->site = site;
    t->rows = 0;
    all_steps(t, 0, true, note_step);
    int rows = 0;
    for (int i = 0; i < t->rows; i++)
        if (vectorize_jumps(t->z->cx, loop, t->row[i]))
            t->row[rows++] = t->row[i];
    t->rows = t->strip || (elements * size >= line && rows * elements * size > line) ? rows : 0;
}

const struct imp *tile_fetches(struct tile *t, struct ahead *around, const struct site *site)
{
    const struct axis *a = &t->plan->axis[t->plan->lanes_of];
    const int elements = t->strip ? t->vectors * t->width : (int)(a->end - a->begin);
    if (!site || tile_is_narrow(t) || loop_plan_ranges(t->plan)) /* the next lie beside */
        return NULL;
    find_rows(t, around->loop, site, elements);
    return vectorize_rows_ahead(t->z, around, t->row, t->rows, elements);
}

/* ---- registers ---- */

const struct imp *tile_vector(const struct tile *t, const struct lanes *l, const struct imp *e,
                              int u, int lanes)
{
    return lanes_vector(l, e, (struct lanes_place){t->strip, (int64_t)u * t->width}, lanes);
}

const struct imp *tile_element(const struct tile *t, int i)
{
    return imp_load_lanes(t->z->cx, t->plan->target->var, t->component[i], t->width);
}

const struct imp *tile_read(struct tile *t)
{
    imp_begin(&t->b);
    for (int i = 0; i < t->components; i++)
        imp_add(&t->b, imp_assign(t->z->cx, t->sums->of[i].reg[0], OP_NONE, tile_element(t, i)));
    return imp_end(&t->b);
}

const struct imp *tile_write(struct tile *t)
{
    struct context *cx = t->z->cx;
    imp_begin(&t->b);
    for (int i = 0; i < t->components; i++)
        imp_add(&t->b, imp_store(cx, t->plan->target->var, t->component[i], OP_NONE,
                                 imp_read(cx, t->sums->of[i].reg[0])));
    return imp_end(&t->b);
}

/* Returns the first value of the i-th component's registers. */
static const struct imp *first(const struct tile *t, const struct sums *s, int i)
{
    const struct loop_plan *p = &s->site->plan;
    struct lanes l = along(p);
    if (s->adds)
        return reduces_from(t->z->cx, p->op, p->target->var->type, t->width);
    if (t->scattered)
        return tile_vector(t, &l, s->factors.kept, i, t->width);
    return t->set[i]  ? t->set[i]
           : t->start ? imp_broadcast(t->z->cx, t->start, t->width)
                      : tile_element(t, i);
}

void tile_open(struct tile *t, struct sums *s)
{
    const struct imp_var *target = t->plan->target->var;
    const int sums = (int)t->z->target->sums, all = t->components,
              most = !s->adds || s->around || all >= sums ? 1 : sums / all;
    for (int i = 0; i < all; i++) {
        struct registers *of = &s->of[i];
        of->n = t->steps[i] < most ? t->steps[i] : most;
        of->next = 0;
        for (int n = 0; n < of->n; n++) {
            of->reg[n] = vector_var(t->z, s->name, target->type, t->width);
            imp_let(&t->b, of->reg[n], first(t, s, i));
        }
    }
    t->sums = s;
    if (t->later && !s->around)
        imp_add(&t->b, imp_if(t->z->cx, t->later, tile_read(t), NULL));
    if (s->some)
        imp_let(&t->b, s->some, imp_int(t->z->cx, TYPE_BOOL, 0));
}

/* Returns the sum of the i-th component: its registers combined, times the kept factor. */
static const struct imp *sum_of(struct tile *t, const struct sums *s, int i)
{
    const struct loop_plan *p = &s->site->plan;
    const enum op op = reduces_with(p->op);
    const struct registers *of = &s->of[i];
    struct lanes l = along(p);
    for (int n = 1; n < of->n; n++)
        imp_add(&t->b, imp_assign(t->z->cx, of->reg[0], op, imp_read(t->z->cx, of->reg[n])));
    const struct imp *sum = t->width > 1 && !p->side_by_side
                                ? vector_reduced(t->z, &t->b, of->reg[0], op)
                                : imp_read(t->z->cx, of->reg[0]);
    return s->factors.kept
               ? factors_times(t->z->cx, tile_vector(t, &l, s->factors.kept, i, sum->lanes), sum)
               : sum;
}

/* Returns the number of sums, each one value, that are stored as one vector: a vector's lanes if
 * the components from the i-th on lie side by side, else one. */
static int sums_beside(const struct tile *t, const struct sums *s, int i, enum op op)
{
    const struct loop_plan *p = &s->site->plan;
    const enum type type = t->plan->target->var->type;
    if (s->around || t->width == 1 || p->side_by_side || !vector_assigns(op, type)
        || i + t->width > t->components || !t->component[i])
        return 1;
    for (int k = 1; k < t->width; k++)
        if (!imp_equal(t->component[i + k], lanes_plus(t->z->cx, t->component[i], k)))
            return 1;
    return t->width;
}

/* Adds the sums to those of the loop around, or to the elements that the nest would have stored. */
static void add_sums(struct tile *t, const struct sums *s)
{
    struct context *cx = t->z->cx;
    const struct loop_plan *p = &s->site->plan;
    struct imp_var *target = (struct imp_var *)(size_t)t->plan->target->var;
    const enum op op = reduces_with(p->op);
    bool starts = !s->around && t->start,
         from = starts && !imp_equal(t->start, reduces_from(cx, p->op, target->type, 1));
    const enum op to = starts ? OP_NONE : op;
    for (int i = 0, n; i < t->components; i += n) {
        const struct imp *sums[VECTOR_LANES], *position = t->component[i];
        n = sums_beside(t, s, i, to);
        for (int k = 0; k < n; k++)
            sums[k] = sum_of(t, s, i + k);
        const struct imp *sum = n > 1 ? imp_lanes(cx, sums, n) : sums[0];
        if (from)
            sum = imp_op2(cx, op, imp_broadcast(cx, t->start, sum->lanes), sum);
        imp_add(&t->b, !s->around && position
                           ? imp_store(cx, target, position, to, sum)
                           : imp_assign(cx, s->around ? s->around->of[i].reg[0] : target, op, sum));
    }
    if (s->around)
        note_some(t, s->around);
}

void tile_close(struct tile *t, const struct sums *s)
{
    t->sums = s->around;
    imp_begin(&t->b);
    add_sums(t, s);
    const struct imp *adds = imp_end(&t->b);
    if (s->some)
        imp_add(&t->b, imp_if(t->z->cx, imp_read(t->z->cx, s->some), adds, NULL));
    else
        imp_add_all(&t->b, adds);
}
