/* scatter.c - loops that add to rows of an array, each in another place, with a row they keep.
 *
 *     for (p ...) {
 *         k = crd[p];
 *         for (r = 0; r < R; r++) Y[k*R + r] += A[p] * X[i*R + r] * Z[j*R + r];
 *     }
 *
 * reads X and Z again for each p, and multiplies them.  In strips of a few vectors what the loop
 * keeps is in registers, once for each strip:
 *
 *     for (; r < R - 31; r += 32) {
 *         kept0 = X[i*R + r .. +8] * Z[j*R + r .. +8];  ...
 *         for (p ...) { k = crd[p];  Y[k*R + r .. +8] += A[p] * kept0;  ... }
 *     }
 *
 * What is assigned but not added up keeps its loops, and the order of its factors.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/optimize/simplify.h"
#include "compiler/optimize/vectorize.h"

struct scatter {
    struct vectorizer *z;
    struct imp_builder b;
    const struct imp *nest, *loop, *store; /* the loop, that over the row, its last statement */
    struct lanes row;
    struct factors factors;
    int width;
};

/* ---- does the code have this shape? ---- */

static bool take_loop(struct scatter *s)
{
    const struct imp *nest = s->nest;
    if (nest->n != 1 || vector_is_asked(nest) || vector_factor(nest) || !imp_is_pure(nest)
        || !declares_first(nest->arg[2]))
        return false;
    const struct imp *loop = s->loop = body_last(nest->arg[2]);
    return loop->kind == IMP_FOR && loop->mark && !loop->mark->asked
           && loop->mark->iterations == ITERATIONS_APART && lanes_is_counted(loop)
           && declares_first(loop->arg[2]) && factors_keeps(nest, loop->arg[0], NULL)
           && factors_keeps(nest, loop->arg[1], NULL);
}

static bool take_store(struct scatter *s)
{
    const struct imp *store = s->store = body_last(s->loop->arg[2]);
    struct lanes_need need = {0};
    s->row = (struct lanes){.cx = s->z->cx, .var = s->loop->var, .body = s->loop->arg[2]};
    if (store->kind != IMP_STORE || reduces_with(store->op) != OP_ADD
        || imp_uses(s->nest, store->var) != 1 || !lanes_is_contiguous(&s->row, store->arg[0])
        || !lanes_measure(&s->row, store->arg[1], &need) || need.gathered)
        return false;
    int bytes = (int)type_size(store->var->type);
    s->width = vector_width(s->z, need.bytes > bytes ? need.bytes : bytes);
    s->factors = factors_of(s->z->cx, s->nest, s->loop->var, store->var, store->arg[1]);
    return s->factors.kept && s->factors.rest && lanes_vary(&s->row, s->factors.kept);
}

/* ---- strips ---- */

/* The loop with this for the one over the row. */
static const struct imp *around(struct scatter *s, const struct imp *inner)
{
    const struct imp *arg[] = {s->nest->arg[0], s->nest->arg[1],
                               with_last(s->z->cx, s->nest->arg[2], inner)};
    return imp_with_args(s->z->cx, s->nest, arg);
}

static const struct imp *strip(void *data, const struct imp *at, int vectors)
{
    struct scatter *s = data;
    struct context *cx = s->z->cx;
    struct ahead ahead = {.loop = s->nest};
    const struct imp *inner[TARGET_VECTORS_MOST + 1];
    int n = 0;
    imp_begin(&s->b);
    for (int u = 0; u < vectors; u++) {
        struct lanes_place place = {at, (int64_t)u * s->width};
        struct imp_var *kept = vector_var(s->z, "kept", s->store->var->type, s->width);
        const struct imp *row =
            imp_let(&s->b, kept, lanes_vector(&s->row, s->factors.kept, place, s->width));
        const struct imp *value =
            factors_times(cx, lanes_vector(&s->row, s->factors.rest, place, s->width), row);
        inner[n++] = imp_store(cx, s->store->var, lanes_position(&s->row, s->store->arg[0], place),
                               s->store->op, value);
    }
    const struct imp *fetches = vectorize_ahead(s->z, &ahead, s->loop, at, vectors * s->width);
    if (fetches)
        inner[n++] = fetches;
    imp_add(&s->b, vectorize_behind(s->z, &ahead, around(s, imp_block(cx, inner, n))));
    return imp_end(&s->b);
}

static const struct imp *rest(void *data, const struct imp *at)
{
    struct scatter *s = data;
    const struct imp *arg[] = {imp_cast(s->z->cx, s->loop->var->type, at), s->loop->arg[1],
                               s->loop->arg[2]},
                     *inner = imp_with_args(s->z->cx, s->loop, arg);
    return around(s, inner);
}

const struct imp *vectorize_scatter(struct vectorizer *z, const struct imp *nest)
{
    struct scatter s = {.z = z, .b = {.cx = z->cx}, .nest = nest};
    if (!take_loop(&s) || !take_store(&s))
        return NULL;
    const struct imp *strips = vectorize_strips(&(struct strips){.z = z,
                                                                 .loop = s.loop,
                                                                 .width = s.width,
                                                                 .most = vector_row(z),
                                                                 .least = 1,
                                                                 .strip = strip,
                                                                 .rest = rest,
                                                                 .data = &s});
    return strips ? imp_if(z->cx, vector_runs(z->cx, nest), strips, NULL) : NULL;
}
