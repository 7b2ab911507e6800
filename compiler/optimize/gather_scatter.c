/* gather_scatter.c - loops that combine with elements at stored coordinates, each iteration
 * with one of its own: some at a step.
 *
 *     for (p = begin; p < end; p++) { j = crd[p]; y[j] += a[p] * x; }
 *
 * becomes, when four lanes fit,
 *
 *     for (p = begin; p < end - 3; p += 4) {
 *         to0 = crd[p];  ...  to3 = crd[p + 3];
 *         here = {y[to0], y[to1], y[to2], y[to3]} + a[p .. +4] * x;
 *         y[to0] = here[0];  ...  y[to3] = here[3];
 *     }
 *     for (; p < end; p++) { ... }
 *
 * C compilers have to store one element before they read the next, for all that they know of
 * coordinates, and a processor waits where it takes them for the same: rows of a band are added to
 * what the row before has just stored.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/optimize/simplify.h"
#include "compiler/optimize/vectorize.h"

/* How many lanes the loop's store can have; 0: none. */
static int lanes_of(const struct vectorizer *z, const struct lanes *l, const struct imp *loop)
{
    const struct imp *store = body_last(loop->arg[2]);
    if (!lanes_is_counted(loop) || vector_factor(loop) || !imp_is_pure(loop)
        || !declares_first(loop->arg[2]) || store->kind != IMP_STORE)
        return 0;
    enum type type = store->var->type;
    struct lanes_need need = {.bytes = (int)type_size(type)};
    if (!reduces_by(store->op, type) || imp_uses(loop, store->var) != 1
        || !lanes_vary(l, store->arg[0]) || lanes_is_contiguous(l, store->arg[0])
        || !lanes_measure(l, store->arg[1], &need)
        || !lanes_is_combined(l, store->op, store->arg[1]))
        return 0;
    int width = vector_width(z, need.bytes);
    width = width < z->target->scatter_lanes ? width : (int)z->target->scatter_lanes;
    return width > 1 && lanes_is_short(&need, 1, width) ? width : 0;
}

const struct imp *vectorize_spread(struct vectorizer *z, const struct imp *loop)
{
    struct context *cx = z->cx;
    const struct lanes l = {.cx = cx, .var = loop->var, .body = loop->arg[2]};
    const struct imp *store = body_last(loop->arg[2]), *to[TARGET_SCATTER_MOST],
                     *lane[TARGET_SCATTER_MOST];
    const int width = lanes_of(z, &l, loop);
    if (width == 0)
        return NULL;
    struct imp_builder b = {.cx = cx};
    imp_begin(&b);
    const struct imp *at = imp_let(&b, (struct imp_var *)(size_t)loop->var, loop->arg[0]),
                     *end = vector_end(z, &b, loop);
    imp_begin(&b);
    for (int k = 0; k < width; k++) {
        const struct imp *position = lanes_scalar(&l, store->arg[0], lanes_plus(cx, at, k));
        to[k] = imp_let(&b, vector_var(z, "to", position->type, 1), position);
        lane[k] = imp_load(cx, store->var, to[k]);
    }
    struct imp_var *here = vector_var(z, "here", store->var->type, width);
    const struct imp *all = imp_let(&b, here, imp_lanes(cx, lane, width));
    vector_combine(z, &b, here, store->op,
                   lanes_vector(&l, store->arg[1], (struct lanes_place){at, 0}, width));
    for (int k = 0; k < width; k++)
        imp_add(&b, imp_store(cx, store->var, to[k], OP_NONE, imp_lane(cx, all, k)));
    imp_add(&b, imp_assign(cx, loop->var, OP_ADD, imp_int(cx, loop->var->type, width)));
    const struct imp *step = imp_end(&b);
    imp_add(&b, imp_while(cx, vector_is_left(cx, loop, end, width), step));
    if (!vector_is_multiple(loop, width))
        imp_add(&b, vector_rest(cx, loop, end, width));
    return imp_end(&b);
}
