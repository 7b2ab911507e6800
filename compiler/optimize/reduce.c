/* reduce.c - loops that reduce into scalars, in vectors.
 *
 *     for (p = begin; p < end; p++) { j = crd[p]; t += a[p] * x[j]; }
 *
 * becomes, when four lanes fit,
 *
 *     p = begin;
 *     if (p < end - 3) {
 *         v = {0};
 *         for (; p < end - 3; p += 4)
 *             v += a[p .. +4] * {x[crd[p]], x[crd[p + 1]], x[crd[p + 2]], x[crd[p + 3]]};
 *         t += (v[0] + v[1]) + (v[2] + v[3]);
 *     }
 *     for (; p < end; p++) { ... }
 *
 * Segments may be shorter than a vector: those are not to pay for one.
 *
 * Around it may be a loop over stored coordinates: what its later iterations will read is asked for
 * (prefetch.c).
 *
 * Loops that gather keep vectors short, because the rows of sparse matrices are; the others keep
 * several vectors of full length, because one addition must otherwise wait for the one before it.
 * What multiplies all that they add multiplies their sum, once (lane_reduce.c).
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/optimize/simplify.h"
#include "compiler/optimize/vectorize.h"

enum { REDUCTIONS = 4 };

/* One `t op= e` of the loop, and the vectors that stand for t.  What multiplies all that is added
 * multiplies their sum: `kept`, or NULL. */
struct reduction {
    const struct imp *assign;
    const struct imp *value, *kept;
    struct imp_var *vector[VECTOR_UNROLL_MOST];
};

struct reducer {
    struct vectorizer *z;
    struct imp_builder b;
    const struct imp *loop;
    struct lanes lanes;
    struct reduction reduction[REDUCTIONS];
    int reductions;
    int width, unroll;          /* lanes a vector, vectors a reduction */
    const struct imp *at, *end; /* the loop's variable and end, as expressions */
};

/* Is every statement a declaration or a reduction into a scalar from outside? */
static bool fits(struct reducer *r)
{
    const struct imp *loop = r->loop, *body = loop->arg[2];
    if (!imp_is_pure(loop) || !lanes_is_counted(loop))
        return false;
    for (int i = 0; i < body_count(body); i++) {
        const struct imp *at = body_at(body, i);
        if (at->kind == IMP_DECLARE && at->args == 1 && at->var->lanes == 1)
            continue;
        if (at->kind != IMP_ASSIGN || at->op == OP_NONE || !reduces_by(at->op, at->var->type)
            || at->var->lanes > 1 || r->reductions == REDUCTIONS)
            return false;
        if (imp_declares_inside(body, at->var))
            return false;
        r->reduction[r->reductions++].assign = at;
    }
    return r->reductions > 0;
}

/* How many iterations there are, if that is known; -1 otherwise. */
static int64_t extent(const struct imp *loop)
{
    const struct imp *begin = loop->arg[0], *end = loop->arg[1];
    if (begin->kind != IMP_LITERAL || end->kind != IMP_LITERAL)
        return -1;
    return end->value.i > begin->value.i ? end->value.i - begin->value.i : 0;
}

/* At most how many iterations the loop has, as one inside a block; -1: any number. */
static int64_t most(const struct imp *loop)
{
    int64_t known = extent(loop);
    return known < 0 && loop->mark->most ? loop->mark->most : known;
}

/* Choose width and unroll; false if it is not worth it. */
static bool choose(struct reducer *r, int vectors)
{
    struct lanes_need need = {0};
    for (int i = 0; i < r->reductions; i++) {
        const struct imp *assign = r->reduction[i].assign;
        if (!lanes_measure(&r->lanes, assign->arg[0], &need)
            || !lanes_is_combined(&r->lanes, assign->op, assign->arg[0]))
            return false;
    }
    r->width = need.gathered ? (int)r->z->target->gather_bytes / need.bytes
                             : vector_width(r->z, need.bytes);
    r->width = r->width < VECTOR_LANES ? r->width : VECTOR_LANES;
    int factor = vector_factor(r->loop);
    r->unroll = factor                                     ? factor
                : need.gathered || vectors < r->reductions ? 1
                                                           : vectors / r->reductions;
    int64_t n = most(r->loop);
    if ((n >= 0 && n < r->width) || !lanes_is_short(&need, 1, r->width))
        return false;
    while (r->unroll > 1
           && ((n >= 0 && n < r->unroll * r->width)
               || (!factor && !lanes_is_short(&need, r->unroll, r->width))))
        r->unroll /= 2;
    return true;
}

/* Take out of what is added what multiplies all of it. */
static void factor(struct reducer *r, struct reduction *reduction)
{
    const struct imp *assign = reduction->assign, *loop = r->loop;
    const struct imp *value = lanes_scalar(&r->lanes, assign->arg[0], imp_read(r->b.cx, loop->var));
    struct factors f = factors_of(r->b.cx, loop, NULL, assign->var, value);
    bool takes = reduces_with(assign->op) == OP_ADD && f.kept && f.rest;
    reduction->value = takes ? f.rest : assign->arg[0];
    reduction->kept = takes ? f.kept : NULL;
}

/* ---- pieces ---- */

static const struct imp *vector_read(struct reducer *r, const struct reduction *reduction, int u)
{
    return imp_read(r->b.cx, reduction->vector[u]);
}

static void declare_vectors(struct reducer *r)
{
    struct context *cx = r->b.cx;
    for (int i = 0; i < r->reductions; i++) {
        struct reduction *reduction = &r->reduction[i];
        const struct imp *assign = reduction->assign;
        enum type type = assign->var->type;
        for (int u = 0; u < r->unroll; u++) {
            reduction->vector[u] = vector_var(r->z, assign->var->name, type, r->width);
            imp_let(&r->b, reduction->vector[u], reduces_from(cx, assign->op, type, r->width));
        }
    }
}

/* vector op= the next lanes. */
static void step(struct reducer *r, const struct reduction *reduction, int u)
{
    struct lanes_place from = {r->at, (int64_t)u * r->width};
    const struct imp *value = lanes_vector(&r->lanes, reduction->value, from, r->width);
    vector_combine(r->z, &r->b, reduction->vector[u], reduction->assign->op, value);
}

/* A loop of `vectors` vectors a step, as long as there are so many iterations left. */
static void loop_of(struct reducer *r, int vectors)
{
    struct context *cx = r->b.cx;
    int64_t lanes = (int64_t)vectors * r->width;
    imp_begin(&r->b);
    for (int u = 0; u < vectors; u++)
        for (int i = 0; i < r->reductions; i++)
            step(r, &r->reduction[i], u);
    if (extent(r->loop) == lanes) { /* just one step */
        imp_add(&r->b, imp_end(&r->b));
        return;
    }
    const struct imp *fetch =
        r->z->around ? vectorize_ahead(r->z, r->z->around, r->loop, r->at, (int)lanes) : NULL;
    for (int i = 0; fetch && i < fetch->args; i++)
        imp_add(&r->b, fetch->arg[i]);
    imp_add(&r->b, imp_assign(cx, r->loop->var, OP_ADD, imp_int(cx, r->loop->var->type, lanes)));
    const struct imp *body = imp_end(&r->b);
    imp_add(&r->b, imp_while(cx, vector_is_left(cx, r->loop, r->end, lanes), body));
}

static void join_vectors(struct reducer *r)
{
    for (int i = 0; i < r->reductions; i++)
        for (int n = r->unroll, half; n > 1; n = half)
            for (int u = half = (n + 1) / 2; u < n; u++)
                imp_add(&r->b, imp_assign(r->b.cx, r->reduction[i].vector[u - half],
                                          reduces_with(r->reduction[i].assign->op),
                                          vector_read(r, &r->reduction[i], u)));
}

static void join_lanes(struct reducer *r)
{
    for (int i = 0; i < r->reductions; i++) {
        const struct imp *assign = r->reduction[i].assign;
        enum op op = reduces_with(assign->op);
        const struct imp *value = vector_reduced(r->z, &r->b, r->reduction[i].vector[0], op);
        value = factors_times(r->b.cx, r->reduction[i].kept, value);
        imp_add(&r->b, imp_assign(r->b.cx, assign->var, op, value));
    }
}

/* All iterations that make whole vectors. */
static const struct imp *in_vectors(struct reducer *r)
{
    int64_t n = extent(r->loop);
    imp_begin(&r->b);
    declare_vectors(r);
    loop_of(r, r->unroll);
    join_vectors(r);
    if (r->unroll > 1 && (n < 0 || n % (r->unroll * r->width) >= r->width)
        && !vector_is_multiple(r->loop, (int64_t)r->unroll * r->width))
        loop_of(r, 1);
    join_lanes(r);
    return imp_end(&r->b);
}

const struct imp *vectorize_reduction(struct vectorizer *z, const struct imp *loop, int vectors)
{
    struct reducer r = {.z = z,
                        .b = {.cx = z->cx},
                        .loop = loop,
                        .lanes = {.cx = z->cx, .var = loop->var, .body = loop->arg[2]}};
    if (!fits(&r) || !choose(&r, vectors))
        return NULL;
    for (int i = 0; i < r.reductions; i++)
        factor(&r, &r.reduction[i]);
    imp_begin(&r.b);
    r.at = imp_let(&r.b, (struct imp_var *)(size_t)loop->var, loop->arg[0]);
    r.end = vector_end(z, &r.b, loop);
    const struct imp *all = in_vectors(&r);
    imp_add(&r.b, extent(loop) < 0
                      ? imp_if(z->cx, vector_is_left(z->cx, loop, r.end, r.width), all, NULL)
                      : all);
    if (!vector_is_multiple(loop, r.width))
        imp_add(&r.b, vector_rest(z->cx, loop, r.end, r.width));
    return imp_end(&r.b);
}
