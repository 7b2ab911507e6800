/* strip_mine.c - a row in strips of vectors, each of which is gone through by itself.
 *
 *     for (; r < R - 31; r += 32) { eight vectors from r on }
 *     if (r < R - 15) { four };  if (r < R - 7) { two };  if (r < R - 3) { one }
 *     if (r < R) { what is left, one by one }
 *
 * What a strip is for is done once for each, so they are as wide as can be.  Where R is known there
 * are those that fit it.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/optimize/simplify.h"
#include "compiler/optimize/vectorize.h"

const struct imp *vector_runs(struct context *cx, const struct imp *loop)
{
    return loop->kind == IMP_WHILE ? loop->arg[0] : imp_op2(cx, OP_LT, loop->arg[0], loop->arg[1]);
}

struct walk {
    const struct strips *strips;
    struct imp_builder b;
    const struct imp *end;
    const struct imp_var *row; /* the loop's variable */
};

static const struct imp *strip(const struct walk *w, const struct imp *at, int vectors)
{
    return w->strips->strip(w->strips->data, at, vectors);
}

static int64_t lanes_of(const struct walk *w, int vectors)
{
    return (int64_t)vectors * w->strips->width;
}

/* Adds strips of this many vectors: one strip, or as many as there are elements for. */
static void strips_from(struct walk *w, struct imp_var *var, int vectors, bool one)
{
    struct context *cx = w->b.cx;
    int64_t lanes = lanes_of(w, vectors);
    const struct imp *at = imp_read(cx, var),
                     *more = imp_op2(cx, OP_LT, at, lanes_plus(cx, w->end, 1 - lanes));
    imp_begin(&w->b);
    imp_add(&w->b, strip(w, at, vectors));
    imp_add(&w->b, imp_assign(cx, var, OP_ADD, imp_int(cx, var->type, lanes)));
    const struct imp *body = imp_end(&w->b);
    imp_add(&w->b, one ? imp_if(cx, more, body, NULL) : imp_while(cx, more, body));
}

/* Adds the widest strips as often as they fit, and each narrower one at most once. */
static void unknown_extent(struct walk *w, const struct imp *begin)
{
    struct context *cx = w->b.cx;
    const struct imp *loop = w->strips->loop;
    int64_t most = vector_most(loop);
    struct imp_var *var = vector_var(w->strips->z, w->row->name, w->row->type, 1);
    const struct imp *at = imp_let(&w->b, var, begin);
    bool whole = false, wider = false;
    for (int vectors = w->strips->most; vectors >= w->strips->least && !whole; vectors /= 2) {
        if (most >= 0 && most < lanes_of(w, vectors))
            continue;
        strips_from(w, var, vectors, wider);
        wider = true;
        whole = vector_is_multiple(loop, lanes_of(w, vectors));
    }
    if (!whole)
        imp_add(&w->b, imp_if(cx, imp_op2(cx, OP_LT, at, w->end),
                              w->strips->rest(w->strips->data, at), NULL));
}

static void known_extent(struct walk *w, int64_t begin, int64_t end)
{
    struct context *cx = w->b.cx;
    enum type type = w->row->type;
    const int most = w->strips->most;
    int64_t lanes = lanes_of(w, most), after = begin + (end - begin) / lanes * lanes;
    int vectors = (int)((end - after) / w->strips->width);
    if (after == begin + lanes) {
        imp_add(&w->b, strip(w, imp_int(cx, type, begin), most));
    } else if (after > begin) {
        struct imp_var *var = vector_var(w->strips->z, w->row->name, type, 1);
        imp_add(&w->b, imp_for(cx, var, imp_int(cx, type, begin), imp_int(cx, type, after), lanes,
                               strip(w, imp_read(cx, var), most)));
    }
    vectors = vectors < w->strips->least ? 0 : vectors;
    if (vectors > 0)
        imp_add(&w->b, strip(w, imp_int(cx, type, after), vectors));
    after += lanes_of(w, vectors);
    if (after < end)
        imp_add(&w->b, w->strips->rest(w->strips->data, imp_int(cx, type, after)));
}

const struct imp *vectorize_strips(const struct strips *strips)
{
    const struct imp *begin = strips->loop->arg[0], *end = strips->loop->arg[1];
    struct walk w = {
        .strips = strips, .b = {.cx = strips->z->cx}, .end = end, .row = strips->loop->var};
    int64_t least = (int64_t)strips->least * strips->width, most = vector_most(strips->loop);
    if (most >= 0 && most < least)
        return NULL;
    imp_begin(&w.b);
    if (vector_extent(strips->loop) >= 0)
        known_extent(&w, begin->value.i, end->value.i);
    else
        unknown_extent(&w, begin);
    return imp_end(&w.b);
}
