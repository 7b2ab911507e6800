/* forall_steps.c - the numbers that one loop of a forall counts: coordinates or positions.
 *
 * Where threads of a launch share the loop each has the numbers that are so many apart, from its
 * own on:
 *
 *     for (i64 step = begin + lane; step < end; step += lanes)
 *         i32 i = step
 *
 * The steps are counted in 64 bits, since behind the end of the numbers of 32 there is nothing.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/lower/loop/forall.h"

const struct imp *forall_first(struct forall *f)
{
    const struct imp *low = f->from ? f->from : kernel_low(f->k, f->lattice->var);
    return low ? low : imp_int(f->k->cx, f->k->request->coordinates, 0);
}

const struct imp *forall_end(struct forall *f)
{
    return f->past ? f->past : kernel_end(f->k, f->lattice->var);
}

bool forall_counts(struct forall *f)
{
    const struct bits *loop;
    int loops = lattice_loops(f->k->cx, f->lattice, &loop);
    if (f->lattice->rest || lattice_is_tied(f->lattice))
        return false;
    return (!f->lattice->flat && loops == 1 && bits_empty(loop[0])) || forall_only(f);
}

const struct imp *forall_steps(struct forall *f, struct imp_var *var, const struct imp *begin,
                               const struct imp *end, const struct imp *body)
{
    struct kernel *k = f->k;
    struct context *cx = k->cx;
    if (!f->lane)
        return imp_for(cx, var, begin, end, 1, body);
    const struct imp *first = imp_op2(cx, OP_ADD, imp_cast(cx, TYPE_I64, begin), f->lane);
    imp_begin(&k->b);
    imp_let(&k->b, var, imp_cast(cx, var->type, imp_read(cx, f->step)));
    imp_add_all(&k->b, body);
    return imp_for(cx, f->step, first, imp_cast(cx, TYPE_I64, end), f->lanes, imp_end(&k->b));
}
