/* precompute_fill.c - what a workspace holds where nothing is written into it.
 *
 * Where operands are absent e may be a constant, or one of several: A(i) / B(i) is 0 where A alone
 * is absent, and no number where B is, too.  The consumer sees one of them, the fill; others are
 * written, and it takes them for any value.  What is stored has to follow from the statement alone,
 * so the fill is one for which that makes no difference: there is an effect where the constant
 * itself would have one.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/lattice/access.h"
#include "schedules/precompute.h"

/* ---- candidates ---- */

/* Do components of e come in shares, which add up to it? */
static bool comes_in_shares(struct precompute *p)
{
    struct cin_list operands = cin_operands(p->cx, p->e);
    bool shares = false;
    for (size_t i = 0; i < operands.n; i++) {
        const struct tensor_var *tensor = operands.at[i]->tensor;
        if (!format_has_duplicates_apart(tensor->format) || !value_is_zero(tensor->fill))
            continue;
        if (!cin_distributes(p->e, operands.at[i], OP_ADD))
            return false;
        shares = true;
    }
    return shares;
}

static const struct cin *with_fills(struct precompute *p, const struct cin *s)
{
    struct cin_list operands = cin_operands(p->cx, s);
    for (size_t i = 0; i < operands.n; i++) {
        const struct tensor_var *tensor = operands.at[i]->tensor;
        if (!tensor->temporary && !format_is_dense(tensor->format))
            s = cin_replace(p->cx, s, operands.at[i], cin_literal(p->cx, tensor->fill));
    }
    return s;
}

/* What e is where no sparse operand has a value, if that is always the same; else zero.  A scalar
 * that is expanded starts as it did. */
static struct value absent_value(struct precompute *p)
{
    if (p->e->kind == CIN_ACCESS && p->e->tensor->temporary)
        return p->e->tensor->fill;
    const struct cin *e = with_fills(p, p->e);
    for (size_t d = p->path.n; d-- > 0;) {
        const struct cin *at = p->path.at[d].at;
        if (at->kind != CIN_WHERE || p->path.at[d].part != 0)
            continue;
        if (cin_simplify(p->cx, with_fills(p, at->arg[1])) != cin_nothing(p->cx))
            continue;
        struct cin_list made = cin_assignments(p->cx, at->arg[1]);
        for (size_t i = 0; i < made.n; i++)
            e = cin_replace(p->cx, e, made.at[i]->arg[0],
                            cin_literal(p->cx, made.at[i]->arg[0]->tensor->fill));
    }
    e = cin_simplify(p->cx, e);
    return e->kind == CIN_LITERAL ? e->value : value_zero(p->e->type);
}

/* The fill if e is all that is assigned: what leaves the target as it is where the workspace has
 * no value. */
static struct value whole_fill(struct precompute *p, struct value fill)
{
    const struct tensor_var *target = p->assign->arg[0]->tensor;
    struct value start = value_convert(target->fill, p->e->type);
    if (p->e->kind == CIN_ACCESS && p->e->tensor->temporary && !format_is_inserted(target->format))
        return fill; /* a scalar that is expanded */
    if (p->assign->op != OP_NONE)
        return operator_identity(p->cx, p->assign->op, SIDE_RIGHT, p->e->type, &start) ? start
                                                                                       : fill;
    return value_equal(value_convert(start, target->type), target->fill) ? start : fill;
}

/* ---- the consumer ---- */

/* Is each component of what is assigned reached once, in the loops that stay?  It is if their
 * variables follow from its coordinates. */
static bool reached_once(const struct precompute *p)
{
    const struct cin *target = p->assign->arg[0];
    const struct known none = known_none(p->cx, p->program);
    const struct known told = known_with_access(p->cx, &none, target);
    for (size_t d = p->path.n; d-- > 0;) {
        const struct step *step = &p->path.at[d];
        const struct index_var *var = precompute_loop(p, d);
        if (var && !precompute_is_moved(p, var) && !known_has(&told, var))
            return false;
        if (step->at->kind == CIN_WHERE && step->part == 1
            && cin_uses_tensor(step->at->arg[0], target->tensor))
            return true;
    }
    return true;
}

/* The operator of the consumer's assignment. */
enum op precompute_consumer_op(struct precompute *p)
{
    const struct tensor_var *target = p->assign->arg[0]->tensor;
    struct cin_list made = cin_assignments(p->cx, p->program->statement);
    int stores = 0;
    for (size_t i = 0; i < made.n; i++)
        stores += made.at[i]->arg[0]->tensor == target;
    bool starts = p->assign->op != OP_NONE
                  && operator_is_identity(p->cx, p->assign->op, SIDE_LEFT, target->fill)
                  && !(p->program->accumulates && target == p->program->result);
    return p->moved.n && starts && stores == 1 && reached_once(p) ? OP_NONE : p->assign->op;
}

/* ---- what others than the fill are taken for ---- */

/* So many operands of the consumer are left out in turn. */
enum { ABSENT_MAX = 8 };

/* Is e a scalar?  The consumer takes it for any value, also where nothing is added to it: what any
 * value comes to has to come of the fill. */
static bool is_scalar(const struct precompute *p)
{
    return p->e->kind == CIN_ACCESS && p->e->tensor->temporary && p->e->tensor->format->levels == 0;
}

/* Does the consumer tell the one constant from any value, where some of its operands from the n-th
 * on are absent? */
static bool tells(struct precompute *p, const struct cin *any, const struct cin *one,
                  const struct cin_list *operands, size_t n)
{
    if (n == operands->n) {
        any = cin_simplify(p->cx, any);
        one = cin_simplify(p->cx, one);
        bool is_decided = any->kind == CIN_NOTHING || any->arg[1]->kind == CIN_LITERAL;
        return is_decided ? !cin_alike(any, one) : !is_scalar(p) && one->kind == CIN_NOTHING;
    }
    const struct cin *access = operands->at[n], *fill = cin_literal(p->cx, access->tensor->fill);
    return tells(p, any, one, operands, n + 1)
           || tells(p, cin_replace(p->cx, any, access, fill), cin_replace(p->cx, one, access, fill),
                    operands, n + 1);
}

static const struct cin *consumer_of(struct precompute *p, const struct cin *instead)
{
    const struct cin *value = precompute_without(p, p->assign->arg[1], instead);
    return cin_assign(p->cx, precompute_consumer_op(p), p->assign->arg[0], value);
}

/* The first constant that the consumer would tell from others if it were no fill, of a scalar the
 * fill; NULL: none. */
static const struct cin *find_told(struct precompute *p, const struct cin_list *constants,
                                   struct value fill)
{
    const struct cin *any = consumer_of(p, p->hole), *kept = cin_literal(p->cx, fill);
    struct cin_list read = cin_operands(p->cx, precompute_without(p, p->assign->arg[1], kept)),
                    operands = access_unsure(p->cx, &read, &(struct known){0});
    if (is_scalar(p) && operands.n <= ABSENT_MAX
        && tells(p, any, consumer_of(p, kept), &operands, 0))
        return kept;
    for (size_t i = 0; i < constants->n; i++) {
        const struct cin *one =
            cin_literal(p->cx, value_convert(constants->at[i]->value, fill.type));
        if (!cin_alike(one, kept)
            && (operands.n > ABSENT_MAX || tells(p, any, consumer_of(p, one), &operands, 0)))
            return one;
    }
    return NULL;
}

bool precompute_fill(struct precompute *p)
{
    bool whole = p->moved.n > 0 && p->e == p->assign->arg[1];
    enum type type = whole ? p->assign->arg[0]->type : p->e->type;
    struct cin_list read = cin_operands(p->cx, p->e),
                    unsure = access_unsure(p->cx, &read, &(struct known){0}),
                    constants = cin_constants(p->cx, p->e, &unsure);
    p->fill = absent_value(p);
    p->op = p->moved.n ? p->assign->op : comes_in_shares(p) ? OP_ADD : OP_NONE;
    if (p->op != OP_NONE)
        operator_identity(p->cx, p->op, SIDE_LEFT, type, &p->fill);
    else if (p->e == p->assign->arg[1])
        p->fill = whole_fill(p, p->fill);
    const struct cin *told = find_told(p, &constants, p->fill);
    for (size_t i = 0; i < constants.n && told && p->op == OP_NONE; i++) {
        if (find_told(p, &constants, constants.at[i]->value))
            continue;
        p->fill = constants.at[i]->value;
        told = NULL;
    }
    char text[64];
    if (told)
        value_print(told->value, text, sizeof text);
    return !told
           || loops_refuse(p->cx, p->program, p->call, 0,
                           "the statement may store nothing where this is %s, which a workspace "
                           "does not tell from other values",
                           text);
}
