/* register_block_ranges.c - loops over ranges of a vector, inside a loop that combines with it
 * again and again.
 *
 *     for (p = begin; p < end; p++) {
 *         d = crd[p];
 *         for (i = max(0, -d); i < min(m, n - d); i++) y[i] += a[p*m + i] * x[i + d];
 *     }
 *
 * reads and writes all of y for each p.  Taken in tiles, those that the range covers in registers,
 * y is read and written once for a dozen values of p:
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
 * Each element is combined with the same values in the same order, so that its bits are the same.
 * Arrays like a are walked side by side, each in steps of a tile: there are as many as processors
 * can fetch ahead from.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/optimize/simplify.h"
#include "compiler/optimize/vectorize.h"

enum { NODES = 100 };

struct ranges {
    struct vectorizer *z;
    struct imp_builder b;
    const struct imp *nest, *loop, *store; /* the loop around, the range, its last statement */
    struct lanes lanes;                    /* of the range */
    const struct imp *low, *high; /* where ranges begin and end at most, and y has elements */
    int width, vectors;
    struct imp_var *from, *tile; /* of the streams at hand; of the elements */
    const struct imp *past;      /* of the streams */
    struct imp_var *vector[TARGET_VECTORS_MOST];
};

/* ---- does the code have this shape? ---- */

/* Of max(a, b, ...) or min(a, b, ...) what the nest does not change; NULL: it changes all. */
static const struct imp *fixed_bound(struct ranges *r, const struct imp *e, enum op op)
{
    if (e->kind != IMP_OP || e->op != op)
        return imp_is_fixed(r->nest, e) ? e : NULL;
    const struct imp *a = fixed_bound(r, e->arg[0], op), *b = fixed_bound(r, e->arg[1], op);
    return a && b ? imp_op2(r->z->cx, op, a, b) : a ? a : b;
}

static bool take_loop(struct ranges *r)
{
    const struct imp *nest = r->nest;
    if (!declares_first(nest->arg[2]) || nest->n != 1 || vector_is_asked(nest)
        || vector_factor(nest) || !imp_is_pure(nest))
        return false;
    const struct imp *loop = body_last(nest->arg[2]);
    if (loop->kind != IMP_FOR || !loop->mark || !loop->mark->in_row || loop->mark->asked
        || loop->mark->iterations != ITERATIONS_APART || !lanes_is_counted(loop)
        || !declares_first(loop->arg[2]) || loop->arg[0]->size + loop->arg[1]->size > NODES)
        return false;
    r->loop = loop;
    r->store = body_last(loop->arg[2]);
    r->lanes = (struct lanes){.cx = r->z->cx, .var = loop->var, .body = loop->arg[2]};
    r->low = fixed_bound(r, loop->arg[0], OP_MAX);
    r->high = fixed_bound(r, loop->arg[1], OP_MIN);
    return r->low && r->high && (r->low != loop->arg[0] || r->high != loop->arg[1]);
}

static bool take_store(struct ranges *r)
{
    const struct imp *store = r->store;
    if (store->kind != IMP_STORE || !reduces_by(store->op, store->var->type)
        || imp_uses(r->nest, store->var) != 1 || !lanes_is_contiguous(&r->lanes, store->arg[0]))
        return false;
    const struct imp *zero = imp_int(r->z->cx, r->loop->var->type, 0);
    struct lanes_need need = {.bytes = (int)type_size(store->var->type)};
    if (!lanes_measure(&r->lanes, store->arg[1], &need) || need.gathered
        || !lanes_is_combined(&r->lanes, store->op, store->arg[1])
        || !imp_is_fixed(r->nest, lanes_scalar(&r->lanes, store->arg[0], zero)))
        return false;
    r->width = vector_width(r->z, need.bytes);
    r->vectors = vector_row(r->z);
    return true;
}

/* ---- a tile ---- */

static int lanes_of_tile(const struct ranges *r) { return r->width * r->vectors; }

static struct lanes_place place_of(const struct ranges *r, int u)
{
    return (struct lanes_place){imp_read(r->z->cx, r->tile), (int64_t)u * r->width};
}

static const struct imp *element(const struct ranges *r, int u)
{
    return lanes_position(&r->lanes, r->store->arg[0], place_of(r, u));
}

static void read_tile(struct ranges *r, bool declares)
{
    for (int u = 0; u < r->vectors; u++) {
        const struct imp *y = imp_load_lanes(r->z->cx, r->store->var, element(r, u), r->width);
        if (declares)
            imp_let(&r->b, r->vector[u], y);
        else
            imp_add(&r->b, imp_assign(r->z->cx, r->vector[u], OP_NONE, y));
    }
}

static void write_tile(struct ranges *r)
{
    for (int u = 0; u < r->vectors; u++)
        imp_add(&r->b, imp_store(r->z->cx, r->store->var, element(r, u), OP_NONE,
                                 imp_read(r->z->cx, r->vector[u])));
}

static const struct imp *in_vectors(struct ranges *r)
{
    imp_begin(&r->b);
    for (int u = 0; u < r->vectors; u++) {
        const struct imp *value =
            lanes_vector(&r->lanes, r->store->arg[1], place_of(r, u), r->width);
        vector_combine(r->z, &r->b, r->vector[u], r->store->op, value);
    }
    return imp_end(&r->b);
}

/* The range from the tile's begin on, up to `end`. */
static const struct imp *range(struct ranges *r, const struct imp *end)
{
    struct context *cx = r->z->cx;
    const struct imp *t = imp_cast(cx, r->loop->var->type, imp_read(cx, r->tile)),
                     *arg[] = {imp_op2(cx, OP_MAX, r->loop->arg[0], t), end, r->loop->arg[2]};
    return imp_with_args(cx, r->loop, arg);
}

/* The streams at hand, with `inner` for each. */
static const struct imp *streams(struct ranges *r, const struct imp *inner)
{
    struct context *cx = r->z->cx;
    const struct imp *arg[] = {imp_read(cx, r->from), r->past,
                               with_last(cx, r->nest->arg[2], inner)};
    return imp_with_args(cx, r->nest, arg);
}

static const struct imp *in_tile(struct ranges *r)
{
    struct context *cx = r->z->cx;
    const struct imp *t = imp_read(cx, r->tile), *end = lanes_plus(cx, t, lanes_of_tile(r));
    const struct imp *covers = imp_op2(cx, OP_AND, imp_op2(cx, OP_LE, r->loop->arg[0], t),
                                       imp_op2(cx, OP_LE, end, r->loop->arg[1]));
    imp_begin(&r->b);
    write_tile(r);
    imp_add(&r->b, range(r, imp_op2(cx, OP_MIN, r->loop->arg[1], end)));
    read_tile(r, false);
    const struct imp *part = imp_end(&r->b);
    return imp_if(cx, covers, in_vectors(r), part);
}

static void tiles(struct ranges *r)
{
    struct context *cx = r->z->cx;
    const struct imp *t = imp_read(cx, r->tile),
                     *last = lanes_plus(cx, r->high, 1 - lanes_of_tile(r));
    for (int u = 0; u < r->vectors; u++)
        r->vector[u] = vector_var(r->z, r->store->var->name, r->store->var->type, r->width);
    imp_begin(&r->b);
    read_tile(r, true);
    imp_add(&r->b, streams(r, in_tile(r)));
    write_tile(r);
    imp_add(&r->b, imp_assign(cx, r->tile, OP_ADD, imp_int(cx, t->type, lanes_of_tile(r))));
    imp_add(&r->b, imp_while(cx, imp_op2(cx, OP_LT, t, last), imp_end(&r->b)));
}

/* ---- all of it ---- */

/* As many streams more as the hardware fetches ahead, or as many as there are left. */
static const struct imp *next_streams(struct ranges *r)
{
    struct context *cx = r->z->cx;
    const struct imp *from = imp_read(cx, r->from), *end = r->nest->arg[1],
                     *many = imp_int(cx, TYPE_I64, r->z->target->streams);
    const struct imp *next = imp_op2(cx, OP_ADD, imp_cast(cx, TYPE_I64, from), many);
    next = imp_op2(cx, OP_MIN, next, imp_cast(cx, TYPE_I64, end));
    const char *name = arena_printf(cx->arena, "%s_next", r->nest->var->name);
    return imp_let(&r->b, vector_var(r->z, name, from->type, 1), imp_cast(cx, from->type, next));
}

const struct imp *vectorize_ranges(struct vectorizer *z, const struct imp *nest)
{
    struct context *cx = z->cx;
    struct ranges r = {.z = z, .b = {.cx = cx}, .nest = nest};
    if (!take_loop(&r) || !take_store(&r))
        return NULL;
    r.from = vector_var(z, nest->var->name, nest->var->type, 1);
    r.tile = vector_var(z, r.loop->var->name, r.loop->var->type, 1);
    imp_begin(&r.b);
    const struct imp *from = imp_let(&r.b, r.from, nest->arg[0]);
    imp_begin(&r.b);
    r.past = next_streams(&r);
    const struct imp *tile = imp_let(&r.b, r.tile, r.low);
    tiles(&r);
    imp_add(&r.b, imp_if(cx, imp_op2(cx, OP_LT, tile, r.high),
                         streams(&r, range(&r, r.loop->arg[1])), NULL));
    imp_add(&r.b, imp_assign(cx, r.from, OP_NONE, r.past));
    const struct imp *body = imp_end(&r.b);
    imp_add(&r.b, imp_while(cx, imp_op2(cx, OP_LT, from, nest->arg[1]), body));
    return imp_end(&r.b);
}
