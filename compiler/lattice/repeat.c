/* repeat.c - coordinates that all have the same effect: one of them will do.
 *
 * y(i) = max(j, A(i,j)) takes the maximum with 0 wherever A has nothing.  Once is as good as often
 * if the operator is idempotent and associative, and nothing depends on the coordinate.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/lattice/lattice.h"

/* Has it, done twice, the effect that it has once, whatever the variable is? */
static bool is_once(const struct cin *body, const struct index_var *var)
{
    while (body->kind == CIN_FORALL)
        body = body->arg[0];
    return body->kind == CIN_ASSIGN && body->op != OP_NONE && op_idempotent(body->op)
           && op_associative(body->op) && !cin_uses_var(body, var)
           && !cin_uses_tensor(body->arg[1], body->arg[0]->tensor);
}

bool lattice_repeats(const struct cin_program *program, const struct lattice *lattice)
{
    if (!lattice->points || lattice->flat || lattice->positions || lattice->guards
        || !bits_empty(lattice->located) || cin_is_related(program, lattice->var))
        return false;
    const struct lattice_point *last = &lattice->point[lattice->points - 1];
    return bits_empty(last->present) && is_once(last->body, lattice->var);
}
