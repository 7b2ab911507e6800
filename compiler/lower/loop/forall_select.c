/* forall_select.c - the loop that merges three operands or more of which any one stores: a region.
 *
 *     j = min(jA, jB, jC)
 *     A_val = A_vals[pA], B_val = ...
 *     C[j] = (jA == j ? A_val : 0) + (jB == j ? B_val : 0) + ...
 *     pA += jA == j, ...
 *
 * Cases for each set of them that may be there together would be seven of three operands, and which
 * one it is nobody can guess where operands have little to do with each other.  What is absent is
 * its fill, as in a flat lattice; but here all operands have a position that can be read, and what
 * is read ahead of the choice is chosen without a branch.  Where the presence of an operand decides
 * what a part of the body is, there is no such choice: the point of all has another body.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/lower/loop/forall.h"

enum { OPERANDS_MIN = 3 };

/* Does it take no more than some instructions, whatever is in it? */
static bool is_simple(const struct cin *cin)
{
    bool simple =
        cin->kind != CIN_OP
        || (!op_is_user(cin->op) && (op_syntax(cin->op) != SYNTAX_CALL || op_associative(cin->op)));
    for (int i = 0; i < cin->args && simple && cin->kind == CIN_OP; i++)
        simple = is_simple(cin->arg[i]);
    return simple;
}

/* Does the cursor tell whether its operand is there, and stand at one of its components? */
static bool stands_at_component(const struct cursor *c)
{
    const struct lattice_iterator *it = c->it;
    return !c->runs && !it->searched && it->path.steps == 0 && it->end == it->first + 1
           && it->end == it->access->tensor->format->levels;
}

const struct lattice_point *forall_selected(const struct forall *f, struct bits loop)
{
    const struct lattice *lattice = f->lattice;
    const struct lattice_point *all = NULL;
    struct bits alone = bits_none();
    bool selects = bits_count(loop) >= OPERANDS_MIN && !lattice->dimension && !lattice->guards
                   && bits_empty(lattice->located);
    for (int i = 0; i < lattice->sparse && selects; i++)
        selects = !bits_has(loop, i) || stands_at_component(&f->cursor[i]);
    for (int i = 0; i < lattice->points && selects; i++) {
        const struct lattice_point *point = &lattice->point[i];
        if (bits_equal(point->present, loop) && point->body == f->node->statement->arg[0])
            all = point;
        if (bits_count(point->present) == 1)
            alone = bits_or(alone, point->present);
        selects = point->body->kind == CIN_ASSIGN;
    }
    selects &= all && bits_within(loop, alone) && is_simple(all->body->arg[1]);
    return selects ? all : NULL;
}

void forall_select(struct forall *f, struct bits loop, const struct lattice_point *selected)
{
    struct kernel *k = f->k;
    for (int i = 0; i < f->lattice->sparse; i++) {
        struct cursor *c = &f->cursor[i];
        if (bits_has(loop, i))
            c->here = imp_op2(k->cx, OP_EQ, c->coordinate, imp_read(k->cx, f->var));
    }
    f->selected = selected;
    forall_inside(f, loop);
    forall_advance(f, loop);
    f->selected = NULL;
    for (int i = 0; i < f->lattice->sparse; i++)
        f->cursor[i].here = NULL;
}
