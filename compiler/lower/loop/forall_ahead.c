/* forall_ahead.c - what is done in front of a loop, since every iteration stores a component.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/lower/loop/forall.h"

/* Does every iteration, along this cursor or (NULL) the dimension, store a component of the result,
 * as far as is known in front of the loop? */
static bool stores_each(struct forall *f, const struct result *r, const struct cursor *only)
{
    const struct lattice *lattice = f->lattice;
    return lattice->points == 1 && !lattice->flat && !lattice->guards
           && bits_empty(lattice->located)
           && (only ? !only->format->type->occupied && !only->it->searched
                    : lattice_is_full(lattice))
           && tree_always_stores(f->k->cx, r->tree, f->node->child[0]);
}

/* Does it stand once in the code, in regions of no other's? */
static bool stands_once(const struct tree_place *place)
{
    for (place = place->outer; place && place->node->statement->kind != CIN_FORALL;)
        place = place->outer;
    return !place || (place->node->children == 1 && stands_once(place));
}

void forall_room_ahead(struct forall *f, const struct cursor *c)
{
    const struct imp *n = imp_op2(f->k->cx, OP_SUB, c->end, c->begin);
    const bool once = stands_once(f->scope->place);
    for (struct result *r = NULL; (r = kernel_next_result(f->k, f->node->statement, r));)
        if (once && stores_each(f, r, c) && result_make_room(f->k, r, f->scope, f->lattice->var, n))
            f->room = bits_with(f->room, r->rank);
}

/* Does the loop run once at least, if every iteration stores a component of the result?  NULL:
 * that is not known in front of it. */
static const struct imp *runs_and_stores(struct forall *f, const struct result *r)
{
    const struct cursor *only = f->lattice->points == 1 ? forall_only(f) : NULL;
    return stores_each(f, r, only) ? imp_op2(f->k->cx, OP_LT, only ? only->begin : forall_first(f),
                                             only ? only->end : forall_end(f))
                                   : NULL;
}

void forall_store_ahead(struct forall *f, struct scope *scope)
{
    for (struct result *r = NULL; (r = kernel_next_result(f->k, f->node->statement, r));) {
        const struct imp *some = scope->result[r->rank].produced ? runs_and_stores(f, r) : NULL;
        if (some)
            result_store_ahead(f->k, r, scope, some);
    }
}
