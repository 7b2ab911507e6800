/* forall_seek.c - the loop of an intersection, where a short operand does not wait for a long one.
 *
 *     while (p < p_end && q < q_end) {
 *         p_stop = p_end, q_stop = q_end;
 *         if (one has far more left than the other) {
 *             q = seek(crd, q, q_end, a[p]);
 *             if (q < q_end)
 *                 p = seek(crd, p, p_end, b[q]);
 *             p_stop = p + (p < p_end), q_stop = q + (q < q_end);
 *         }
 *         while (p < p_stop && q < q_stop)
 *             ...                            the loop as ever
 *     }
 *
 * What is passed stores nothing, so an operand may go on to where another one is, in steps that
 * double (Bentley and Yao 1976; for intersections: Demaine, Lopez-Ortiz and Munro, SODA 2000): of
 * two it takes O(short log long), and so of more, which seek each other in turn.  From there the
 * loop inside makes one step, in which the least of them at least goes on; where what is left is
 * about as much of each it runs to the end.  So the loop's body is there once, and where
 * operands are alike it is what it would be without, but for one question a segment.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/lower/loop/forall.h"
#include "compiler/target.h"

/* Loops over operands that are alike should not lose registers to what seeking takes. */
static const struct imp_mark rare = {.rare = true};

/* Is that so? */
static const struct imp *is_far(struct forall *f, struct bits loop)
{
    struct context *cx = f->k->cx;
    const struct imp *most = NULL, *least = NULL;
    enum type type = TYPE_I32;
    for (int i = 0; i < f->lattice->sparse; i++)
        if (bits_has(loop, i) && f->cursor[i].position->type != type)
            type = TYPE_I64;
    for (int i = 0; i < f->lattice->sparse; i++) {
        const struct cursor *c = &f->cursor[i];
        if (!bits_has(loop, i))
            continue;
        const struct imp *left =
            imp_cast(cx, type, imp_op2(cx, OP_SUB, c->end, imp_read(cx, c->position)));
        most = most ? imp_op2(cx, OP_MAX, most, left) : left;
        least = least ? imp_op2(cx, OP_MIN, least, left) : left;
    }
    return imp_op2(cx, OP_GT,
                   imp_op2(cx, OP_DIV, most, imp_int(cx, type, target_of(cx)->seek_ratio)), least);
}

/* Has the cursors behind this one, and at last the first, seek where the one before them is. */
static void seek_behind(struct forall *f, struct bits loop, int before)
{
    struct kernel *k = f->k;
    struct context *cx = k->cx;
    struct bits left = bits_none();
    for (int i = before + 1; i < f->lattice->sparse; i++)
        left = bits_has(loop, i) ? bits_with(left, i) : left;
    int at = bits_first(bits_empty(left) ? loop : left);
    struct cursor *c = &f->cursor[at];
    const struct cursor *other = &f->cursor[before];
    const struct imp *p = imp_read(cx, c->position),
                     *least = forall_coordinate_at(f, other, imp_read(cx, other->position));
    const struct imp *there = c->format->type->seek(&c->code, p, c->end, least);
    imp_add(&k->b, imp_assign(cx, c->position, OP_NONE, imp_cast(cx, p->type, there)));
    if (bits_empty(left))
        return;
    imp_begin(&k->b);
    seek_behind(f, loop, at);
    imp_add(&k->b, imp_if(cx, imp_op2(cx, OP_LT, p, c->end), imp_end(&k->b), NULL));
}

/* Makes the loop's stop the position after the cursor's, if it has one. */
static void stop_behind(struct forall *f, const struct cursor *c)
{
    struct context *cx = f->k->cx;
    const struct imp *p = imp_read(cx, c->position), *there = imp_op2(cx, OP_LT, p, c->end);
    const struct imp *stop = imp_op2(cx, OP_ADD, p, imp_cast(cx, p->type, there));
    imp_add(&f->k->b, imp_assign(cx, c->stop->var, OP_NONE, stop));
}

static void seek_around(struct forall *f, struct bits loop)
{
    struct kernel *k = f->k;
    struct context *cx = k->cx;
    const struct imp *more = forall_more(f, loop);
    imp_begin(&k->b);
    const struct imp *far = is_far(f, loop);
    for (int i = 0; i < f->lattice->sparse; i++) {
        struct cursor *c = &f->cursor[i];
        if (bits_has(loop, i))
            c->stop = imp_let(
                &k->b, kernel_var(k, c->position->type, "%s_stop", c->code.position_name), c->end);
    }
    imp_begin(&k->b);
    seek_behind(f, loop, bits_first(loop));
    for (int i = 0; i < f->lattice->sparse; i++) {
        struct cursor *c = &f->cursor[i];
        if (bits_has(loop, i))
            stop_behind(f, c);
    }
    imp_add(&k->b, imp_marked(cx, imp_if(cx, far, imp_end(&k->b), NULL), &rare));
    forall_coiterate(f, loop);
    for (int i = 0; i < f->lattice->sparse; i++)
        f->cursor[i].stop = NULL;
    imp_add(&k->b, imp_while(cx, more, imp_end(&k->b)));
}

void forall_seek(struct forall *f, struct bits loop)
{
    if (lattice_seeks(f->lattice, loop) && !f->k->request->plain)
        seek_around(f, loop);
    else
        forall_coiterate(f, loop);
}
