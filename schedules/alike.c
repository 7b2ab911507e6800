/* alike.c - expressions that are equal but for the names of their loops' variables.
 *
 *     A(i,j) * B(j,k)  and  B(m,n) * A(l,m)        l stands for i, m for j, n for k
 *
 * They are compared from the roots down, the operands of commutative operators in either order.
 * Pairs that are still to be compared wait in a list.  So a choice of operands can be taken back
 * if a later pair contradicts it.
 *
 * SPDX-License-Identifier: MIT
 */
#include "schedules/alike.h"

/* Two expressions are called different once this many pairs have been compared. */
enum { COMPARED_MAX = 4096 };

static bool is_bound(const struct alike *a, int which, const struct index_var *var)
{
    const struct cin *s = a->loops[which];
    while (s->kind == CIN_FORALL && s->index[0] != var)
        s = s->arg[0];
    return s->kind == CIN_FORALL;
}

/* Lets the variable of one side's loops stand for the other's, if it may. */
static bool stands_for(struct alike *a, const struct index_var *var, const struct index_var *is)
{
    if (!is_bound(a, 0, var) || !is_bound(a, 1, is))
        return var == is;
    for (size_t i = 0; i < a->var[0].n; i++)
        if (a->var[0].at[i] == var || a->var[1].at[i] == is)
            return a->var[0].at[i] == var && a->var[1].at[i] == is;
    vec_push(a->cx->arena, &a->var[0], var);
    vec_push(a->cx->arena, &a->var[1], is);
    return true;
}

/* The pairs that are still to be compared. */
struct pairs {
    const struct cin *one, *other;
    const struct pairs *next;
};

static bool are_same(struct alike *a, const struct pairs *pairs);

static bool accesses_are_same(struct alike *a, const struct pairs *pairs)
{
    const struct cin *one = pairs->one, *other = pairs->other;
    bool same = one->tensor == other->tensor && one->indices == other->indices;
    for (int k = 0; k < one->indices && same; k++)
        same = stands_for(a, one->index[k], other->index[k]);
    return same && are_same(a, pairs->next);
}

static bool operations_are_same(struct alike *a, const struct pairs *pairs, bool turned)
{
    const struct cin *one = pairs->one, *other = pairs->other;
    struct pairs arg[CIN_ARGS_MAX];
    const struct pairs *rest = pairs->next;
    for (int k = one->args; k-- > 0; rest = &arg[k])
        arg[k] = (struct pairs){one->arg[k], other->arg[turned ? one->args - 1 - k : k], rest};
    return are_same(a, rest);
}

/* Are all pairs equal, with variables standing for others as far as they may? */
static bool are_same(struct alike *a, const struct pairs *pairs)
{
    if (!pairs)
        return !a->accept || a->accept(a, a->data);
    const struct cin *one = pairs->one, *other = pairs->other;
    const size_t known = a->var[0].n;
    if (one->kind != other->kind || one->type != other->type || one->args != other->args
        || a->compared++ >= COMPARED_MAX)
        return false;
    bool same;
    if (one->kind == CIN_ACCESS)
        same = accesses_are_same(a, pairs);
    else if (one->kind == CIN_OP)
        same = one->op == other->op
               && (operations_are_same(a, pairs, false)
                   || (one->args == 2 && op_commutative(one->op)
                       && operations_are_same(a, pairs, true)));
    else
        same = one == other && are_same(a, pairs->next);
    if (!same)
        a->var[0].n = a->var[1].n = known;
    return same;
}

bool alike(struct alike *a, const struct cin *one, const struct cin *other)
{
    return are_same(a, &(const struct pairs){one, other, NULL});
}

const struct cin *alike_assignment(const struct cin *nest)
{
    while (nest->kind == CIN_FORALL)
        nest = nest->arg[0];
    return nest->kind == CIN_ASSIGN ? nest : NULL;
}

int alike_loops(const struct cin_program *program, const struct cin *nest)
{
    int loops = 0;
    bool changed = false;
    for (; nest->kind == CIN_FORALL; nest = nest->arg[0]) {
        loops++;
        changed |=
            cin_is_related(program, nest->index[0]) || cin_is_tagged(program, nest->index[0]);
    }
    return changed ? -1 : loops;
}
