/* store_lanes.c - loops whose iterations are apart, and that only store: some at a step, in lanes.
 *
 * A loop over stored coordinates combines with an element of its own each time:
 *
 *     for (p = begin; p < end; p++) { j = crd[p]; y[j] += a[p] * x; }
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
 * Side by side, C compilers find vectors, but unroll a loop of few iterations before they look:
 *
 *     for (r = 0; r < 16; r++) Y[i*16 + r] = a * X[j*16 + r];
 *
 * is a loop over four vectors.  So is any such loop where a schedule asks for it.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/optimize/simplify.h"
#include "compiler/optimize/vectorize.h"

/* Iterations up to which C compilers unroll a loop rather than vectorize it. */
enum { SHORT = 512 };

struct stores {
    struct vectorizer *z;
    struct imp_builder b;
    const struct imp *loop;
    struct lanes lanes;
    struct lanes_need need;
    bool scatters; /* it combines with elements that are not side by side */
    int width;
};

/* A vector has this compound assignment. */
static bool combines(enum op op, enum type type)
{
    if (type == TYPE_BOOL || type_is_complex(type))
        return false;
    return op == OP_NONE || (op == OP_DIV && type_is_float(type))
           || (reduces_by(op, type) && !vector_chooses(op));
}

/* Can the store have lanes, side by side or in places that no other iteration has? */
static bool take_store(struct stores *s, const struct imp *store)
{
    const struct lanes *l = &s->lanes;
    enum type type = store->var->type;
    bool beside = lanes_is_contiguous(l, store->arg[0]);
    s->scatters |= !beside;
    if (!beside && (int)type_size(type) > s->need.bytes)
        s->need.bytes = (int)type_size(type);
    return lanes_measure(l, store->arg[1], &s->need)
           && (beside ? combines(store->op, type)
                      : reduces_by(store->op, type) && imp_uses(s->loop, store->var) == 1
                            && lanes_vary(l, store->arg[0])
                            && lanes_is_combined(l, store->op, store->arg[1]));
}

/* Declarations and stores. */
static bool fits(struct stores *s)
{
    int stores = 0;
    if (!imp_is_pure(s->loop) || !lanes_is_counted(s->loop))
        return false;
    for (int i = 0; i < body_count(s->lanes.body); i++) {
        const struct imp *at = body_at(s->lanes.body, i);
        if (at->kind == IMP_DECLARE && at->args && !at->var->array && at->var->lanes == 1)
            continue;
        if (at->kind != IMP_STORE || !take_store(s, at))
            return false;
        stores++;
    }
    return stores > 0 && (stores == 1 || !s->scatters);
}

/* Choose the width; false: C compilers do as well. */
static bool choose(struct stores *s)
{
    const struct imp *begin = s->loop->arg[0], *end = s->loop->arg[1];
    bool known = begin->kind == IMP_LITERAL && end->kind == IMP_LITERAL,
         asked = vector_is_asked(s->loop);
    s->width = vector_width(s->z, s->need.bytes);
    if (s->scatters && s->width > s->z->target->scatter_lanes)
        s->width = (int)s->z->target->scatter_lanes;
    int64_t n = known ? end->value.i - begin->value.i : s->width;
    if (s->width < 2 || n < s->width || !lanes_is_short(&s->need, 1, s->width))
        return false;
    return s->scatters ? !vector_factor(s->loop)
                       : asked || (known && n <= SHORT && !s->need.gathered);
}

/* Elements that are not side by side are read into lanes, combined, and stored one by one. */
static void add_scattered(struct stores *s, const struct imp *store, const struct imp *at)
{
    struct context *cx = s->z->cx;
    const struct imp *to[TARGET_SCATTER_MOST], *lane[TARGET_SCATTER_MOST];
    for (int k = 0; k < s->width; k++) {
        const struct imp *position = lanes_scalar(&s->lanes, store->arg[0], lanes_plus(cx, at, k));
        to[k] = imp_let(&s->b, vector_var(s->z, "to", position->type, 1), position);
        lane[k] = imp_load(cx, store->var, to[k]);
    }
    struct imp_var *here = vector_var(s->z, "here", store->var->type, s->width);
    const struct imp *all = imp_let(&s->b, here, imp_lanes(cx, lane, s->width));
    vector_combine(s->z, &s->b, here, store->op,
                   lanes_vector(&s->lanes, store->arg[1], (struct lanes_place){at, 0}, s->width));
    for (int k = 0; k < s->width; k++)
        imp_add(&s->b, imp_store(cx, store->var, to[k], OP_NONE, imp_lane(cx, all, k)));
}

/* The body for as many iterations as there are lanes. */
static const struct imp *step(struct stores *s, const struct imp *at)
{
    imp_begin(&s->b);
    for (int i = 0; i < body_count(s->lanes.body); i++) {
        const struct imp *store = body_at(s->lanes.body, i);
        if (store->kind == IMP_STORE && s->scatters)
            add_scattered(s, store, at);
        else if (store->kind == IMP_STORE)
            imp_add(&s->b, imp_store(s->z->cx, store->var,
                                     lanes_scalar(&s->lanes, store->arg[0], at), store->op,
                                     lanes_vector(&s->lanes, store->arg[1],
                                                  (struct lanes_place){at, 0}, s->width)));
    }
    return imp_end(&s->b);
}

/* What is left to do of what is asked of a loop over vectors. */
static const struct imp *unrolled(struct stores *s, const struct imp *vectors)
{
    struct context *cx = s->z->cx;
    if (!vector_factor(s->loop))
        return vectors;
    struct imp_asked *asked = arena_copy(cx->arena, s->loop->mark->asked, sizeof *asked);
    struct imp_mark *mark = arena_make(cx->arena, struct imp_mark);
    asked->vectors = false;
    *mark = (struct imp_mark){.iterations = ITERATIONS_APART, .asked = asked};
    return imp_marked(cx, vectors, mark);
}

/* As long as a vector is left: what is stored at coordinates has seldom many iterations. */
static void add_scattering(struct stores *s)
{
    struct context *cx = s->z->cx;
    const struct imp *loop = s->loop,
                     *at = imp_let(&s->b, (struct imp_var *)(size_t)loop->var, loop->arg[0]),
                     *end = vector_end(s->z, &s->b, loop);
    imp_begin(&s->b);
    imp_add(&s->b, step(s, at));
    imp_add(&s->b, imp_assign(cx, loop->var, OP_ADD, imp_int(cx, loop->var->type, s->width)));
    const struct imp *body = imp_end(&s->b);
    imp_add(&s->b, imp_while(cx, vector_is_left(cx, loop, end, s->width), body));
    if (!vector_is_multiple(loop, s->width))
        imp_add(&s->b, vector_rest(cx, loop, end, s->width));
}

static void add_side_by_side(struct stores *s)
{
    struct context *cx = s->z->cx;
    const struct imp *loop = s->loop, *begin = loop->arg[0], *end = loop->arg[1], *middle = end;
    if (begin->kind != IMP_LITERAL)
        begin = imp_let(&s->b, vector_var(s->z, "begin", loop->var->type, 1), begin);
    if (!vector_is_multiple(loop, s->width))
        middle = vector_whole(s->z, &s->b, loop, begin, end, s->width);
    imp_add(&s->b, unrolled(s, imp_for(cx, loop->var, begin, middle, s->width,
                                       step(s, imp_read(cx, loop->var)))));
    if (middle != end)
        imp_add(&s->b, imp_for(cx, loop->var, middle, end, 1, s->lanes.body));
}

const struct imp *vectorize_stores(struct vectorizer *z, const struct imp *loop)
{
    struct stores s = {.z = z,
                       .b = {.cx = z->cx},
                       .loop = loop,
                       .lanes = {.cx = z->cx, .var = loop->var, .body = loop->arg[2]}};
    if (!fits(&s) || !choose(&s))
        return NULL;
    imp_begin(&s.b);
    if (s.scatters)
        add_scattering(&s);
    else
        add_side_by_side(&s);
    return imp_end(&s.b);
}
