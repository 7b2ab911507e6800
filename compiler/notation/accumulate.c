/* accumulate.c - statements that use the result's old values.
 *
 * A reduction adds its shares to a dense result in place if the assignment adds as well.  Other
 * operators combine the finished value once.  Such a statement becomes a plain assignment that
 * reads the result where it writes:
 *
 *     y(i) -= A(i,j) * x(j)      y(i) = y_before(i) - sum(j, A(i,j) * x(j))
 *
 * So does a statement whose result is assembled anew, and has no place to add to; and one that
 * updates a part of its result, each component once:
 *
 *     A(i,j) += B(i,j)           A(i,j) = A_before(i,j) + B(i,j)
 *     A(2,j) += b(j)             A(2,j) = A_before(2,j) + b(j)
 *
 * In reverse, a dense result that gets its old values and more is accumulated into:
 *
 *     y(i) = y(i) + A(i,j) * x(j)      y(i) += sum(j, A(i,j) * x(j))
 *
 * The old values are an operand of their own, also if the statement reads the result by its name.
 * If the result is written in place, this operand has the result's arrays; otherwise it has its
 * own, and where no operand has a component the new result has none.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/notation/notation.h"

#include "compiler/notation/words.h"
#include "compiler/value/operator.h"

/* Returns a name that no statement uses. */
static const char *name_before(struct context *cx, const struct tin *all,
                               const struct tin *statement)
{
    const char *result = statement->arg[0]->tensor->name,
               *name = intern(cx, arena_printf(cx->arena, "%s_before", result));
    for (int n = 2; tin_uses_name(all, name); n++)
        name = intern(cx, arena_printf(cx->arena, "%s_before%d", result, n));
    return name;
}

/* Replaces the tensor's accesses in the expression by another access. */
static const struct tin *replace(struct context *cx, const struct tin *in,
                                 const struct tensor_var *tensor, const struct tin *by)
{
    const struct tin *arg[3];
    bool same = true;
    if (in->kind == TIN_ACCESS && in->tensor == tensor)
        return by;
    for (int i = 0; i < in->args; i++) {
        arg[i] = replace(cx, in->arg[i], tensor, by);
        same &= arg[i] == in->arg[i];
    }
    return same ? in : tin_with_args(cx, in, arg);
}

static const struct tin *old_values(struct context *cx, const struct tin *all,
                                    const struct tin *statement, int rank)
{
    const struct tin *access = statement->arg[0];
    struct tensor_var *before = arena_copy(cx->arena, access->tensor, sizeof *before);
    before->name = name_before(cx, all, statement);
    before->before = access->tensor;
    before->rank = rank;
    return tin_access(cx, access->span, before, access->index, access->indices);
}

static bool is_old(const struct tin *e, const struct tin *access)
{
    return e->kind == TIN_ACCESS && e->tensor == access->tensor;
}

/* Returns the operands of the operator without the old values.  NULL if the old values are no
 * operand of it. */
static const struct tin *without_old(struct context *cx, const struct tin *e, enum op op,
                                     const struct tin *access)
{
    bool differs = op == OP_ADD && e->op == OP_SUB && e->type != TYPE_BOOL;
    if (e->kind != TIN_OP || e->type != access->type || (e->op != op && !differs))
        return NULL;
    for (int side = 0; side < (differs ? 1 : 2); side++) {
        const struct tin *arg[] = {e->arg[0], e->arg[1]};
        if (arg[!side]->type != e->type)
            return NULL;
        if (is_old(arg[side], access) && !differs)
            return arg[!side];
        arg[side] = without_old(cx, arg[side], op, access);
        if (arg[side])
            return tin_op(cx, e->span, e->op, arg, 2);
    }
    return NULL;
}

/* Returns the statement that combines the result with the rest of its value.  NULL if the old
 * values are no operand of a reducing operator. */
static const struct tin *combined(struct context *cx, const struct tin *statement)
{
    const struct tin *access = statement->arg[0], *value = statement->arg[1];
    bool in_place = access->tensor->held && !tensor_var_is_updated(access->tensor);
    if (statement->op != OP_NONE || !in_place || value->kind != TIN_OP)
        return NULL;
    enum op op = value->op == OP_SUB ? OP_ADD : value->op;
    if (!operator_reduces(cx, op) || !(op_is_user(op) || reduction_name(op)))
        return NULL;
    const struct tin *rest = without_old(cx, value, op, access);
    bool reads = !rest || tin_reads(rest, access->tensor->name);
    return reads ? NULL : tin_assign(cx, statement->span, op, access, rest);
}

static const struct tin *accumulate(struct context *cx, const struct tin *all,
                                    const struct tin *statement, int rank)
{
    const struct tin *access = statement->arg[0];
    const struct tin *old = old_values(cx, all, statement, rank),
                     *value = replace(cx, statement->arg[1], access->tensor, old);
    const struct tin *arg[] = {old, value};
    bool reduces = op_is_user(statement->op) || reduction_name(statement->op);
    bool in_place = access->tensor->held && !tensor_var_is_updated(access->tensor);
    if (statement->op == OP_NONE || (in_place && reduces))
        return tin_assign(cx, statement->span, statement->op, access, value);
    return tin_assign(cx, statement->span, OP_NONE, access,
                      tin_op(cx, statement->span, statement->op, arg, 2));
}

bool tin_reads_before(const struct tin *tin)
{
    bool reads = tin->kind == TIN_ACCESS && tin->tensor->before;
    for (int i = 0; i < tin->args && !reads; i++)
        reads = tin_reads_before(tin->arg[i]);
    return reads;
}

const struct tin *tin_accumulate(struct context *cx, const struct tin *all, int rank, bool keeps)
{
    int n = tin_statements(all);
    const struct tin **one = arena_array(cx->arena, const struct tin *, n);
    for (int s = 0; s < n; s++) {
        one[s] = tin_statement(all, s);
        const struct tin *in_place = keeps ? NULL : combined(cx, one[s]);
        one[s] = in_place ? in_place : one[s];
        if (tin_reads_result(one[s]))
            one[s] = accumulate(cx, all, one[s], rank);
        rank += tin_reads_before(one[s]);
    }
    return tin_multi(cx, one, n);
}
