/* forall_gap.c - loops over a dimension where all coordinates at which nothing is there have the
 * same effect: one of them stands for those up to the next component, and for those behind the
 * last one.
 *
 *     while (p < p_end) {
 *         jA = crd[p];
 *         if (j < jA) {
 *             t = max(t, 0);
 *             j = jA;
 *         }
 *         t = max(t, A_vals[p]);
 *         p++, j++;
 *     }
 *     if (j < n)
 *         t = max(t, 0);
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/lower/loop/forall.h"

bool forall_has_gaps(const struct forall *f) { return lattice_repeats(f->k->program, f->lattice); }

/* On to the least of the coordinates at hand. */
void forall_skip_gap(struct forall *f, struct bits loop)
{
    struct kernel *k = f->k;
    struct context *cx = k->cx;
    const struct imp *least = NULL;
    for (int i = 0; i < f->lattice->sparse; i++)
        if (bits_has(loop, i))
            least = least ? imp_op2(cx, OP_MIN, least, f->cursor[i].coordinate)
                          : f->cursor[i].coordinate;
    imp_begin(&k->b);
    forall_inside(f, bits_none());
    imp_add(&k->b, imp_assign(cx, f->var, OP_NONE, least));
    const struct imp *gap = imp_end(&k->b);
    imp_add(&k->b, imp_if(cx, imp_op2(cx, OP_LT, imp_read(cx, f->var), least), gap, NULL));
}

/* All that is left, with no cursor. */
void forall_last_gap(struct forall *f, const struct imp *begin, const struct imp *end)
{
    struct kernel *k = f->k;
    imp_begin(&k->b);
    f->var = kernel_var(k, k->request->coordinates, "%s", f->lattice->var->name);
    imp_let(&k->b, f->var, begin);
    forall_inside(f, bits_none());
    const struct imp *gap = imp_end(&k->b);
    imp_add(&k->b, imp_if(k->cx, imp_op2(k->cx, OP_LT, begin, end), gap, NULL));
}
