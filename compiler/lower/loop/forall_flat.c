/* forall_flat.c - the loop of a flat lattice: one over all iterators, where one that has run out
 * stands at the dimension, and what is absent reads its fill.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/lower/loop/forall.h"

/* Resolves each cursor's coordinate, the least of them unless the dimension gives it, and which
 * cursors are there. */
static void resolve_flat(struct forall *f)
{
    struct kernel *k = f->k;
    struct context *cx = k->cx;
    const struct imp *least = NULL, *size = forall_end(f);
    for (int i = 0; i < f->lattice->sparse; i++) {
        struct cursor *c = &f->cursor[i];
        if (!bits_has(f->lattice->iterated, i))
            continue;
        const struct imp *p = imp_read(cx, c->position);
        const struct imp *at =
            imp_select(cx, imp_op2(cx, OP_LT, p, c->end), forall_coordinate_at(f, c, p), size);
        forall_name_coordinate(f, c, at);
        least = least ? imp_op2(cx, OP_MIN, least, c->coordinate) : c->coordinate;
    }
    if (!f->lattice->dimension) {
        f->var = kernel_var(k, k->request->coordinates, "%s", f->lattice->var->name);
        imp_let(&k->b, f->var, least);
    }
    for (int i = 0; i < f->lattice->sparse; i++) {
        struct cursor *c = &f->cursor[i];
        if (bits_has(f->lattice->iterated, i))
            c->here =
                imp_let(&k->b, kernel_var(k, TYPE_BOOL, "%s_here", c->it->access->tensor->name),
                        imp_op2(cx, OP_EQ, c->coordinate, imp_read(cx, f->var)));
    }
}

/* Does a least point hold?  NULL if one always does: that of nothing, or one for each iterator. */
const struct imp *forall_flat_condition(struct forall *f)
{
    struct context *cx = f->k->cx;
    const struct imp *any = NULL;
    struct bits alone = bits_none();
    for (int i = 0; i < f->lattice->points; i++)
        if (bits_count(f->lattice->point[i].present) == 1)
            alone = bits_or(alone, f->lattice->point[i].present);
    bool merged = !f->lattice->dimension && bits_within(f->lattice->iterated, alone)
                  && bits_empty(f->lattice->located);
    for (int i = 0; i < f->lattice->sparse; i++)
        merged &= !f->lattice->iterator[i].searched;
    if (merged || bits_empty(f->lattice->point[f->lattice->points - 1].present))
        return NULL;
    for (int i = 0; i < f->lattice->points; i++) {
        const struct imp *all = NULL;
        for (int bit = 0; bit < f->lattice->sparse; bit++)
            if (bits_has(f->lattice->point[i].present, bit))
                all = imp_both(f->k->cx, all, f->cursor[bit].place.found);
        any = any ? imp_op2(cx, OP_OR, any, all) : all;
    }
    return any;
}

void forall_flat(struct forall *f)
{
    struct context *cx = f->k->cx;
    const struct imp *more = NULL;
    for (int i = 0; i < f->lattice->sparse; i++) {
        struct cursor *c = &f->cursor[i];
        if (!bits_has(f->lattice->iterated, i))
            continue;
        const struct imp *left = imp_op2(cx, OP_LT, imp_read(cx, c->position), c->end);
        more = more ? imp_op2(cx, OP_OR, more, left) : left;
    }
    if (f->lattice->dimension)
        more = imp_op2(cx, OP_LT, imp_read(cx, f->var), forall_end(f));
    imp_begin(&f->k->b);
    resolve_flat(f);
    forall_find_runs(f, f->lattice->iterated);
    forall_inside(f, f->lattice->iterated);
    forall_advance(f, f->lattice->iterated);
    imp_add(&f->k->b, imp_marked(cx, imp_while(cx, more, imp_end(&f->k->b)), f->mark));
}
