/* short_trip.c - loops of a known number of iterations that store contiguously, in vectors.
 *
 *     for (r = 0; r < 16; r++) Y[i*16 + r] = a * X[j*16 + r];
 *
 * is a loop over four vectors.  C compilers unroll a loop as short as that before they would
 * vectorize it.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/optimize/simplify.h"
#include "compiler/optimize/vectorize.h"

/* Iterations up to which C compilers unroll a loop rather than vectorize it. */
enum { SHORT = 512 };

/* A vector has this compound assignment. */
static bool combines(enum op op, enum type type)
{
    if (type == TYPE_BOOL || type_is_complex(type))
        return false;
    return op == OP_NONE || (op == OP_DIV && type_is_float(type))
           || (reduces_by(op, type) && !vector_chooses(op));
}

static bool is_elementwise(const struct lanes *l, struct lanes_need *need)
{
    int stores = 0;
    for (int i = 0; i < body_count(l->body); i++) {
        const struct imp *at = body_at(l->body, i);
        if (at->kind == IMP_DECLARE && at->args && at->var->lanes == 1)
            continue;
        if (at->kind != IMP_STORE || !combines(at->op, at->var->type)
            || !lanes_is_contiguous(l, at->arg[0]) || !lanes_measure(l, at->arg[1], need))
            return false;
        stores++;
    }
    return stores > 0;
}

/* The loop's stores in vectors, where its variable is at `at`. */
static const struct imp *stores_at(const struct lanes *l, const struct imp *at, int width)
{
    struct imp_builder b = {.cx = l->cx};
    imp_begin(&b);
    for (int i = 0; i < body_count(l->body); i++) {
        const struct imp *store = body_at(l->body, i);
        if (store->kind != IMP_STORE)
            continue;
        const struct imp *value =
            lanes_vector(l, store->arg[1], (struct lanes_place){at, 0}, width);
        const struct imp *position = lanes_scalar(l, store->arg[0], at);
        imp_add(&b, imp_store(l->cx, store->var, position, store->op, value));
    }
    return imp_end(&b);
}

/* What is left to do of what is asked of a loop over vectors. */
static const struct imp_mark *unrolled(struct vectorizer *z, const struct imp *loop)
{
    struct imp_asked *asked = arena_copy(z->cx->arena, loop->mark->asked, sizeof *asked);
    struct imp_mark *mark = arena_make(z->cx->arena, struct imp_mark);
    asked->vectors = false;
    *mark = (struct imp_mark){.iterations = ITERATIONS_APART, .asked = asked};
    return mark;
}

const struct imp *vectorize_short(struct vectorizer *z, const struct imp *loop)
{
    struct lanes l = {.cx = z->cx, .var = loop->var, .body = loop->arg[2]};
    struct imp_builder b = {.cx = z->cx};
    struct lanes_need need = {0};
    const struct imp *begin = loop->arg[0], *end = loop->arg[1];
    bool known = begin->kind == IMP_LITERAL && end->kind == IMP_LITERAL,
         asked = vector_is_asked(loop);
    if (!imp_is_pure(loop) || !lanes_is_counted(loop) || !is_elementwise(&l, &need))
        return NULL;
    int width = vector_width(z, need.bytes);
    int64_t n = known ? end->value.i - begin->value.i : width;
    if (n < width || !lanes_is_short(&need, 1, width)
        || (!asked && (!known || n > SHORT || need.gathered)))
        return NULL;
    imp_begin(&b);
    const struct imp *at = imp_read(z->cx, loop->var), *middle = end;
    if (begin->kind != IMP_LITERAL)
        begin = imp_let(&b, vector_var(z, "begin", loop->var->type, 1), begin);
    if (!vector_is_multiple(loop, width))
        middle = vector_whole(z, &b, loop, begin, end, width);
    const struct imp *vectors =
        imp_for(z->cx, loop->var, begin, middle, width, stores_at(&l, at, width));
    imp_add(&b, vector_factor(loop) ? imp_marked(z->cx, vectors, unrolled(z, loop)) : vectors);
    if (middle != end)
        imp_add(&b, imp_for(z->cx, loop->var, middle, end, 1, l.body));
    return imp_end(&b);
}
