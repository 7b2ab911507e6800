/* forall_unread.c - a loop over runs of positions whose coordinates nobody reads: there is no loop,
 * and the positions of all runs are gone through by the loop over what is below them.
 *
 *     s = A(i,j), coo:     for (pA2 = A1_pos[0]; pA2 < A1_pos[1]; pA2++) s += A_vals[pA2];
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/lower/loop/forall.h"

void forall_as_one_run(struct forall *f, struct bits loop, struct cursor *c)
{
    struct kernel *k = f->k;
    const struct imp *none = imp_int(k->cx, k->request->coordinates, 0);
    imp_let(&k->b, c->position, c->begin);
    c->next = kernel_var(k, c->begin->type, "%s_end", c->code.position_name);
    imp_let(&k->b, c->next, c->end);
    f->var = kernel_var(k, k->request->coordinates, "%s", f->lattice->var->name);
    imp_let(&k->b, f->var, none);
    forall_inside(f, loop);
}
