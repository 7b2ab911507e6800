/* forall_merge.c - the loop that merges two operands: three ways that exclude each other.
 *
 *     while (p < p_end && q < q_end) {
 *         a = crd[p], b = crd[q];
 *         if (a == b)         both are there; p++, q++
 *         else if (a < b)     the first is; p++
 *         else                the second is; q++
 *     }
 *
 * Which way it goes a processor guesses where operands have anything in common, and then nobody
 * waits for coordinates.  If the least coordinate were computed and compared with both, as it is
 * where more operands are merged (thesis 5.2), every step would wait for the one before it: its
 * coordinates say where the next ones are.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/lower/loop/forall.h"

bool forall_merges_two(const struct forall *f, struct bits loop)
{
    bool searched = !bits_empty(f->lattice->located);
    for (int i = 0; i < f->lattice->sparse; i++)
        searched |= bits_has(loop, i) && f->lattice->iterator[i].searched;
    return bits_count(loop) == 2 && !f->lattice->dimension && !searched;
}

/* Returns the body for the places where these are present and the other one is not. */
static const struct imp *lower_way(struct forall *f, struct bits there)
{
    struct kernel *k = f->k;
    imp_begin(&k->b);
    f->var = kernel_var(k, k->request->coordinates, "%s", f->lattice->var->name);
    imp_let(&k->b, f->var, f->cursor[bits_first(there)].coordinate);
    f->whole = NULL;
    f->together = true;
    forall_find_runs(f, there);
    forall_inside(f, there);
    forall_advance(f, there);
    f->together = false;
    return imp_end(&k->b);
}

/* Returns how many of the ways have a region. */
static int regions(struct forall *f, struct bits loop)
{
    const struct lattice_point **point;
    return lattice_cases(f->k->cx, f->lattice, loop, &point, NULL);
}

void forall_merge(struct forall *f, struct bits loop)
{
    struct kernel *k = f->k;
    struct context *cx = k->cx;
    const int first = bits_first(loop), second = bits_first(bits_without(loop, first));
    struct cursor *a = &f->cursor[first], *b = &f->cursor[second];
    const struct bits room = f->room;
    forall_name_coordinate(f, a, forall_coordinate_at(f, a, imp_read(cx, a->position)));
    forall_name_coordinate(f, b, forall_coordinate_at(f, b, imp_read(cx, b->position)));
    if (regions(f, loop) > 1)
        forall_make_room(f);
    const struct imp *both = lower_way(f, loop), *one = lower_way(f, bits_one(first)),
                     *other = lower_way(f, bits_one(second));
    one = imp_if(cx, imp_op2(cx, OP_LT, a->coordinate, b->coordinate), one, other);
    imp_add(&k->b, imp_if(cx, imp_op2(cx, OP_EQ, a->coordinate, b->coordinate), both, one));
    f->room = room;
}
