/* register_tile.c - what a nest combines with again and again, a tile of it at a time in registers.
 *
 *     for (p ...) { j = crd[p]; for (r = 0; r < R; r++) Y[i*R + r] += A[p] * X[j*R + r]; }
 *
 * reads and writes the row of Y again for each p.  Taken in tiles of a few vectors, the row stays
 * in registers while the whole nest runs, once for each tile:
 *
 *     for (; r < R - 31; r += 32) {
 *         y0 = Y[i*R + r .. +8];  ...  y3 = ...
 *         for (p ...) { j = crd[p];  y0 += A[p] * X[j*R + r .. +8];  ... }
 *         Y[i*R + r .. +8] = y0;  ...
 *     }
 *
 * then in narrower tiles, and what is left as it was (strip_mine.c).  This is register tiling, with
 * scalar expansion, as in dense matrix multiplication; the coordinates are read again for each
 * tile, which costs little beside a whole tile's loads of X.  The nest may have several loops over
 * the row, and others around them.  One with another loop, which sums something else, stays.
 *
 * What multiplies all that a loop of the nest adds is taken out of it:
 *
 *     for (p ...) y0 += A[p] * X[..] * Z[..]      with X's row the same for all p, is
 *     sum0 = 0;  for (p ...) sum0 += A[p] * Z[..];  y0 += X[..] * sum0
 *
 * so that each fiber of a tensor is multiplied by its factor once, level by level, as by hand
 * (Kjolstad et al., CGO 2019, section 3, does so by a workspace).
 *
 * Where each iteration adds to another row, what they all add is kept instead:
 *
 *     for (p ...) { k = crd[p];  for (r ...) Y[k*R + r] += A[p] * X[i*R + r] * Z[j*R + r]; }
 *
 *     kept0 = X[i*R + r .. +8] * Z[j*R + r .. +8];  ...
 *     for (p ...) { k = crd[p];  Y[k*R + r .. +8] += A[p] * kept0;  ... }
 *
 * A loop beside the nest that goes over the same row, and computes each element from itself, is
 * done in the tiles as well: one in front gives what registers start from, one behind is applied to
 * them before they are stored.  So are loops behind nests of the two kinds below, over all elements
 * that the nest combines with: where registers do not have all yet, that is left for later.
 *
 * Where the nest is one loop in the other, some of them may be taken whole:
 *
 *     for (p = begin; p < end; p++) {
 *         j = crd[p];
 *         for (r = 0; r < min(2, m); r++)
 *             for (c = 0; c < min(4, n - 4*j); c++) y[i + r] += a[(p*2 + r)*4 + c] * x[4*j + c];
 *     }
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
 * Registers that start from what is there combine each element with the same values in the same
 * order, so that its bits are the same.  A loop along the target may go over another range each
 * time:
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
 * What does not fill its tile stays as it is, and goes to memory.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/optimize/register_tile.h"
#include "compiler/optimize/simplify.h"

/* ---- the nest ---- */

/* Returns where the axis is, and in *end where the tile's part of it ends. */
static const struct imp *here(const struct tile *t, const struct axis *a, const struct imp **end)
{
    bool strips = a->steps == AXIS_STRIPS;
    const struct imp *at = strips ? t->strip : t->alone;
    *end = lanes_plus(t->z->cx, at, strips ? (int64_t)t->vectors * t->width : 1);
    return at;
}

/* Returns the statement with only those iterations of its axes that are in the tile, or, if
 * `behind`, in it and behind it. */
static const struct imp *parts(const struct tile *t, const struct imp *imp, bool behind)
{
    struct context *cx = t->z->cx;
    const struct imp **arg = arena_array(cx->arena, const struct imp *, imp->args), *end;
    for (int i = 0; i < imp->args; i++)
        arg[i] = imp_is_expression(imp->arg[i]) ? imp->arg[i] : parts(t, imp->arg[i], behind);
    for (int i = 0; imp->kind == IMP_FOR && i < t->plan->axes; i++) {
        const struct axis *a = &t->plan->axis[i];
        if ((a->var != imp->var && !tile_site(t, imp)) || a->steps == AXIS_WHOLE)
            continue;
        const struct imp *at = imp_cast(cx, imp->var->type, here(t, a, &end));
        arg[0] = a->ranges ? imp_op2(cx, OP_MAX, arg[0], at) : at;
        if (!behind || a->steps != AXIS_STRIPS)
            arg[1] = a->ranges ? imp_op2(cx, OP_MIN, arg[1], end) : end;
    }
    return imp_with_args(cx, imp, arg);
}

/* Returns the condition that the tile's part of the axis is in the axis's range.  NULL if it always
 * is. */
static const struct imp *covers(const struct tile *t, enum axis_steps steps)
{
    struct context *cx = t->z->cx;
    const struct axis *a = loop_plan_find(t->plan, steps);
    const struct imp *end;
    if (!a || !a->ranges)
        return NULL;
    const struct imp *at = here(t, a, &end);
    return imp_both(cx, a->first ? imp_op2(cx, OP_LE, a->first, at) : NULL,
                    a->past ? imp_op2(cx, OP_LE, end, a->past) : NULL);
}

/* Returns the site through memory, for a part that is not all in the tile. */
static const struct imp *through_memory(struct tile *t, const struct site *site)
{
    if (!t->plan->in_order)
        return site->at;
    imp_begin(&t->b);
    imp_add_all(&t->b, tile_write(t));
    imp_add_all(&t->b, parts(t, site->at, false));
    imp_add_all(&t->b, tile_read(t));
    return imp_end(&t->b);
}

/* Returns the code in place of the site: on registers where the tile's whole part is in range. */
static const struct imp *at_site(struct tile *t, const struct site *site)
{
    struct context *cx = t->z->cx;
    vector_note(t->z, site->at);
    const struct imp *steps = tile_steps(t, site), *there = covers(t, AXIS_ALONE),
                     *each = imp_both(cx, covers(t, AXIS_STRIPS), t->splits ? NULL : t->plan->each);
    steps = each ? imp_if(cx, each, steps, through_memory(t, site)) : steps;
    return there ? imp_if(cx, there, steps, NULL) : steps;
}

static const struct imp *rewritten(struct tile *t, const struct imp *imp);

/* Adds the work of the loop behind the nest, on the registers. */
static void add_behind(struct tile *t)
{
    struct context *cx = t->z->cx;
    imp_begin(&t->b);
    for (int i = 0; i < t->components; i++) {
        struct imp_var *reg = t->sums->of[i].reg[0];
        const struct imp *value =
            imp_replaced(cx, t->change[i], tile_element(t, i), imp_read(cx, reg));
        vector_combine(t->z, &t->b, reg, t->behind.op, value);
    }
    const struct imp *all = imp_end(&t->b);
    if (t->final)
        imp_add(&t->b, imp_if(cx, t->final, all, NULL));
    else
        imp_add_all(&t->b, all);
}

/* Returns the loop with registers of its own for the sums that it adds up. */
static const struct imp *summed(struct tile *t, struct sums *s)
{
    imp_begin(&t->b);
    tile_open(t, s);
    imp_add(&t->b, rewritten(t, s->loop));
    if (s->adds) {
        tile_close(t, s);
    } else {
        if (t->behind.loop)
            add_behind(t);
        if (!t->scattered)
            imp_add_all(&t->b, tile_write(t));
        t->sums = s->around;
    }
    return imp_end(&t->b);
}

/* Returns the block, without declarations that the rewritten sites no longer read. */
static const struct imp *in_block(struct tile *t, const struct imp *block)
{
    const struct imp *all = imp_block(t->z->cx, NULL, 0);
    for (int i = block->args; i-- > 0;) {
        const struct imp *at = block->arg[i];
        if (at->kind == IMP_DECLARE && !imp_mentions(all, at->var))
            continue;
        at = rewritten(t, at);
        imp_begin(&t->b);
        imp_add_all(&t->b, at);
        imp_add_all(&t->b, all);
        all = imp_end(&t->b);
    }
    return all;
}

/* Returns the rewritten loop, with prefetches if they help. */
static const struct imp *with_prefetches(struct tile *t, const struct imp *loop,
                                         const struct imp *copy)
{
    struct ahead around = {.loop = loop};
    const struct imp *rows = tile_fetches(t, &around, tile_only_site(t, loop)), *nested = NULL;
    if (tile_has_rows(t) && !tile_is_narrow(t))
        nested = vectorize_nested_ahead(t->z, &around, t->strip, t->vectors * t->width);
    if (!rows && !nested)
        return copy;
    imp_begin(&t->b);
    if (nested)
        imp_add_all(&t->b, nested);
    imp_add_all(&t->b, copy->arg[2]);
    if (rows)
        imp_add_all(&t->b, rows);
    return vectorize_behind(t->z, &around, imp_around(t->z->cx, copy, imp_end(&t->b)));
}

/* Returns the statement on registers where it combines with the tile.  If there are no registers,
 * it has the iterations in the tile and behind it. */
static const struct imp *rewritten(struct tile *t, const struct imp *imp)
{
    struct context *cx = t->z->cx;
    const struct imp **arg = arena_array(cx->arena, const struct imp *, imp->args);
    const struct site *site = tile_site(t, imp);
    if (site)
        return t->vectors ? at_site(t, site) : parts(t, imp, true);
    if (imp->kind == IMP_BLOCK)
        return in_block(t, imp);
    struct sums *sums = tile_factor(t, imp);
    if (sums)
        return imp_if(cx, vector_runs(cx, imp), summed(t, sums), NULL);
    for (int i = 0; i < imp->args; i++)
        arg[i] = imp_is_expression(imp->arg[i]) ? imp->arg[i] : rewritten(t, imp->arg[i]);
    if (imp == t->nest && imp->kind == IMP_FOR) {
        arg[0] = t->begin;
        arg[1] = t->end;
    }
    const struct imp *copy = imp_with_args(cx, imp, arg);
    return imp->kind == IMP_FOR && t->vectors ? with_prefetches(t, imp, copy) : copy;
}

/* Are all elements of the row set, whether the nest runs or not? */
static bool has_own(const struct tile *t) { return t->start || t->before.loop || t->behind.loop; }

/* Returns the nest with registers in place of a strip's components.  NULL if there are too many. */
static const struct imp *in_registers(void *data, const struct imp *at, int vectors)
{
    struct tile *t = data;
    t->strip = at;
    t->vectors = vectors;
    if (!tile_count(t))
        return NULL;
    struct sums *all = tile_has_rows(t) && has_own(t) ? NULL : tile_factor(t, t->nest);
    if (all)
        return summed(t, all);
    all = arena_make(t->z->cx->arena, struct sums);
    *all = (struct sums){.loop = t->nest,
                         .site = t->sites.at[0],
                         .factors = t->kept,
                         .adds = !t->plan->in_order,
                         .name = t->scattered ? "kept" : t->plan->target->var->name};
    return summed(t, all);
}

/* ---- all of it ---- */

/* Stores the first value in the components from the strip's begin on. */
static const struct imp *started(const struct tile *t)
{
    const struct loop_plan *p = t->plan;
    struct context *cx = t->z->cx;
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
            all = imp_for(cx, a->var, from, end, 1, all);
    }
    return t->later ? imp_if(cx, imp_op1(cx, OP_NOT, t->later), all, NULL) : all;
}

/* Returns the loop beside the nest, from this axis on, in the strip and behind it. */
static const struct imp *remaining(const struct tile *t, const struct imp *loop, int axis)
{
    struct context *cx = t->z->cx;
    const struct loop_plan *p = t->plan;
    const struct imp *end, *from = loop->arg[0], *past = loop->arg[1];
    while (p->axis[axis].sums)
        axis++;
    const struct axis *a = &p->axis[axis];
    if (a->steps != AXIS_WHOLE)
        from = imp_cast(cx, loop->var->type, here(t, a, &end));
    if (a->steps == AXIS_ALONE)
        past = imp_cast(cx, loop->var->type, end);
    const struct imp *last = body_last(loop->arg[2]), *within = loop;
    if (last->kind == IMP_FOR)
        within = imp_around(cx, loop, with_last(cx, loop->arg[2], remaining(t, last, axis + 1)));
    return imp_between(cx, within, from, past);
}

/* Adds the iterations of a loop beside the nest, if there is one, in the strip and behind it. */
static void add_rest(struct tile *t, const struct beside *beside, const struct imp *when)
{
    const struct imp *all = beside->loop ? remaining(t, beside->loop, 0) : NULL;
    if (all)
        imp_add(&t->b, when ? imp_if(t->z->cx, when, all, NULL) : all);
}

static const struct imp *rest(void *data, const struct imp *at)
{
    struct tile *t = data;
    t->strip = at;
    t->vectors = 0;
    imp_begin(&t->b);
    if (t->start)
        imp_add(&t->b, started(t));
    add_rest(t, &t->before, NULL);
    imp_add(&t->b, rewritten(t, t->nest));
    add_rest(t, &t->behind, t->final);
    return imp_end(&t->b);
}

/* Returns all strips of the nest's current iterations.  NULL if there are too many components. */
static const struct imp *all_strips(struct tile *t)
{
    struct context *cx = t->z->cx;
    const struct axis *a = loop_plan_find(t->plan, AXIS_STRIPS);
    if (!a)
        return in_registers(t, NULL, 1);
    const struct imp_mark *mark = a->ranges ? NULL : a->loop->mark; /* the mark is of one range */
    const struct imp *all = imp_for(cx, a->loop->var, a->low, a->high, 1, a->loop->arg[2]);
    return vectorize_strips(&(struct strips){.z = t->z,
                                             .loop = mark ? imp_marked(cx, all, mark) : all,
                                             .width = t->width,
                                             .most = t->plan->vectors,
                                             .least = a->ranges ? t->plan->vectors : 1,
                                             .strip = in_registers,
                                             .rest = rest,
                                             .data = t});
}

/* Returns the strips for each iteration of the axis that goes alone, if there is one. */
static const struct imp *all_tiles(struct tile *t)
{
    struct context *cx = t->z->cx;
    const struct axis *a = loop_plan_find(t->plan, AXIS_ALONE);
    if (!a)
        return all_strips(t);
    struct imp_var *var = vector_var(t->z, a->var->name, a->var->type, 1);
    t->alone = imp_read(cx, var);
    const struct imp *strips = all_strips(t);
    return strips ? imp_for(cx, var, a->low, a->high, 1, strips) : NULL;
}

/* Returns the nest over a few streams at a time, as many as the hardware fetches ahead. */
static const struct imp *by_streams(struct tile *t)
{
    struct vectorizer *z = t->z;
    struct context *cx = z->cx;
    const struct imp *nest = t->nest, *many = imp_i64(cx, z->target->streams);
    struct imp_var *var = vector_var(z, nest->var->name, nest->var->type, 1);
    imp_begin(&t->b);
    const struct imp *from = t->begin = imp_let(&t->b, var, nest->arg[0]);
    t->later = t->start ? imp_op2(cx, OP_LT, nest->arg[0], from) : NULL;
    imp_begin(&t->b);
    const struct imp *next = imp_op2(cx, OP_ADD, imp_cast(cx, TYPE_I64, from), many);
    next = imp_op2(cx, OP_MIN, next, imp_cast(cx, TYPE_I64, nest->arg[1]));
    const char *name = arena_printf(cx->arena, "%s_next", nest->var->name);
    t->end = imp_let(&t->b, vector_var(z, name, from->type, 1), imp_cast(cx, from->type, next));
    t->final = imp_op2(cx, OP_LE, nest->arg[1], t->end);
    const struct imp *strips = all_tiles(t);
    if (strips)
        imp_add(&t->b, strips);
    imp_add(&t->b, imp_assign(cx, var, OP_NONE, t->end));
    const struct imp *body = imp_end(&t->b);
    imp_add(&t->b, imp_while(cx, imp_op2(cx, OP_LT, from, nest->arg[1]), body));
    const struct imp *all = imp_end(&t->b);
    return strips ? all : NULL;
}

/* Returns the iterations that are whole, and behind them the others, unchanged. */
static const struct imp *whole_first(struct tile *t)
{
    struct context *cx = t->z->cx;
    const struct imp *nest = t->plan->nest, *begin = nest->arg[0], *end = nest->arg[1];
    const struct lanes l = lanes_in(cx, nest);
    const char *name = arena_printf(cx->arena, "%s_whole", imp_stem(nest->var));
    struct imp_var *var = vector_var(t->z, name, nest->var->type, 1);
    imp_begin(&t->b);
    t->splits = true;
    t->end = imp_let(&t->b, var, end);
    const struct imp *last = lanes_plus(cx, t->end, -1),
                     *is_cut = imp_op1(cx, OP_NOT, lanes_scalar(&l, t->plan->each, last));
    imp_add(&t->b, imp_while(cx, imp_both(cx, imp_op2(cx, OP_LT, begin, t->end), is_cut),
                             imp_assign(cx, var, OP_NONE, last)));
    t->final = imp_op2(cx, OP_LE, end, t->end);
    const struct imp *tiles = all_tiles(t);
    if (tiles)
        imp_add(&t->b, tiles);
    imp_add(&t->b, imp_between(cx, nest, t->end, end));
    if (t->behind.loop)
        imp_add(&t->b, imp_if(cx, imp_op1(cx, OP_NOT, t->final), t->behind.loop, NULL));
    const struct imp *all = imp_end(&t->b);
    return tiles ? all : NULL;
}

/* Returns all tiles of the nest, with the loops beside it.  NULL if it has none. */
static const struct imp *in_tiles(struct tile *t, struct nest *of)
{
    struct context *cx = t->z->cx;
    const struct imp *nest = t->plan->nest;
    tile_take_beside(t, of);
    t->begin = nest->arg[0];
    t->end = nest->arg[1];
    bool ranges = loop_plan_ranges(t->plan), splits = !ranges && loop_plan_splits(t->plan);
    const struct imp *all = ranges ? by_streams(t) : splits ? whole_first(t) : all_tiles(t);
    /* if the nest does not run, its elements may not exist, or streams do not fill them */
    const struct imp *runs = ranges == has_own(t) ? vector_runs(cx, nest) : NULL,
                     *when = imp_both(cx, runs, t->plan->always);
    if (!all || !when)
        return all;
    imp_begin(&t->b);
    if (of->fill)
        imp_add(&t->b, of->fill);
    if (t->plan->always)
        imp_add(&t->b, nest);
    if (of->behind)
        imp_add(&t->b, of->behind);
    return imp_if(cx, when, all, imp_end(&t->b));
}

const struct imp *vectorize_registers(struct vectorizer *z, struct nest *of)
{
    bool (*const take[])(struct tile * t) = {tile_take_rows, tile_take_nest};
    const struct nest given = *of;
    const struct imp *all = NULL;
    for (int i = 0; i < 2 && !all; i++) {
        struct tile t = {.z = z, .b = {.cx = z->cx}, .nest = given.loop};
        *of = given;
        all = take[i](&t) ? in_tiles(&t, of) : NULL;
    }
    return all;
}
