/* precompute_fill.c - the value of a workspace where nothing is written into it.
 *
 * With operands absent, e may be one constant or one of several: A(i) / B(i) is 0 if only A is
 * absent, and not a number if B is absent, too.  One of these constants is the fill.  The others
 * are written, and the consumer takes them for any value.  The components that the statement
 * stores must not depend on that.  So the fill is a constant for which the consumer has the same
 * effect as the constant itself would have.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/lattice/access.h"
#include "compiler/tree/tree.h"
#include "schedules/precompute.h"

/* ---- candidates ---- */

/* Do components of e come in shares that are added up? */
static bool comes_in_shares(struct precompute *p)
{
    struct cin_list operands = cin_operands(p->cx, p->e);
    bool shares = false;
    for (size_t i = 0; i < operands.n; i++) {
        const struct tensor_var *tensor = operands.at[i]->tensor;
        if (!format_has_duplicates_apart(tensor->format) || !value_is_zero(tensor->fill))
            continue;
        if (!cin_distributes(p->cx, p->e, operands.at[i], OP_ADD))
            return false;
        shares = true;
    }
    return shares;
}

static bool is_sparse(const struct tensor_var *tensor)
{
    return !tensor->temporary && !format_is_dense(tensor->format);
}

/* Replaces operands of this kind by their fills. */
static const struct cin *with_fills(struct precompute *p, const struct cin *s,
                                    bool (*is)(const struct tensor_var *tensor))
{
    struct cin_list operands = cin_operands(p->cx, s), absent = {0};
    for (size_t i = 0; i < operands.n; i++)
        if (is(operands.at[i]->tensor))
            vec_push(p->cx->arena, &absent, operands.at[i]);
    return cin_with_fills(p->cx, s, &absent);
}

/* Finds the value of e with all sparse operands absent.  false if it is not always the same
 * constant. */
static bool find_absent(struct precompute *p, struct value *value)
{
    const struct cin *e = with_fills(p, p->e, is_sparse);
    for (size_t d = p->path.n; d-- > 0;) {
        const struct cin *at = p->path.at[d].at;
        if (at->kind != CIN_WHERE || p->path.at[d].part != 0)
            continue;
        if (cin_simplify(p->cx, with_fills(p, at->arg[1], is_sparse)) != cin_nothing(p->cx))
            continue;
        struct cin_list made = cin_assignments(p->cx, at->arg[1]);
        for (size_t i = 0; i < made.n; i++)
            e = cin_replace(p->cx, e, made.at[i]->arg[0],
                            cin_literal(p->cx, made.at[i]->arg[0]->tensor->fill));
    }
    e = cin_simplify(p->cx, e);
    *value = e->value;
    return e->kind == CIN_LITERAL;
}

/* Returns that value, or zero if there is none.  A scalar that is expanded starts from its own. */
static struct value absent_value(struct precompute *p)
{
    struct value value;
    if (p->e->kind == CIN_ACCESS && p->e->tensor->temporary)
        return p->e->tensor->fill;
    return find_absent(p, &value) ? value : value_zero(p->e->type);
}

/* Returns the fill if e is the whole assigned value: one that leaves the target unchanged where the
 * workspace has no value.  A reduction may take another constant as well, which would otherwise
 * have to be written wherever operands are absent. */
static struct value whole_fill(struct precompute *p, struct value fill)
{
    const struct tensor_var *target = p->assign->arg[0]->tensor;
    struct value start = value_convert(target->fill, p->e->type);
    if (p->e->kind == CIN_ACCESS && p->e->tensor->temporary && !format_is_inserted(target->format))
        return fill; /* e is a scalar that is expanded */
    if (p->assign->op != OP_NONE && cin_operands(p->cx, p->e).n && find_absent(p, &start))
        return fill;
    if (p->assign->op != OP_NONE)
        return operator_identity(p->cx, p->assign->op, SIDE_RIGHT, p->e->type, &start) ? start
                                                                                       : fill;
    return value_equal(value_convert(start, target->type), target->fill) ? start : fill;
}

/* ---- the consumer ---- */

/* Do the loops that stay reach each component of the target once?  They do if the component's
 * coordinates determine their variables. */
static bool reached_once(const struct precompute *p)
{
    const struct cin *target = p->assign->arg[0];
    const struct known told = access_told(p->cx, p->program, target);
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

/* Returns the operator of the consumer's assignment.  A workspace of sums stays one: what reads it
 * takes an empty sum for a number, and a component that was not assigned for an absent one. */
enum op precompute_consumer_op(struct precompute *p)
{
    const struct tensor_var *target = p->assign->arg[0]->tensor;
    struct cin_list made = cin_assignments(p->cx, p->program->statement);
    int stores = 0;
    for (size_t i = 0; i < made.n; i++)
        stores += made.at[i]->arg[0]->tensor == target;
    bool counts = target->temporary && target->order > 0;
    bool starts = p->assign->op != OP_NONE
                  && operator_is_identity(p->cx, p->assign->op, SIDE_LEFT, target->fill)
                  && !(p->program->accumulates && target == p->program->result);
    return p->moved.n && starts && stores == 1 && !counts && reached_once(p) ? OP_NONE
                                                                             : p->assign->op;
}

/* ---- constants that are no fill ---- */

/* Lists what s reads that may be absent: sparse operands, and scalars to which nothing may be
 * added. */
static struct cin_list may_be_absent(struct precompute *p, const struct cin *s)
{
    struct cin_list read = cin_operands(p->cx, s),
                    absent = access_unsure(p->cx, &read, &(struct known){0});
    for (size_t i = 0; i < read.n; i++)
        if (tensor_var_is_scalar(read.at[i]->tensor))
            cin_list_add(p->cx, &absent, read.at[i]);
    return absent;
}

/* The consumer of any value, and the consumer of a constant. */
struct consumed {
    struct precompute *p;
    const struct cin *any, *one;
    bool waits; /* for a scalar at its fill: having no effect there does not count */
};

/* With these operands absent: does the consumer treat the constant unlike any value? */
static bool tells(const struct cin_list *absent, void *data)
{
    const struct consumed *c = data;
    const struct cin *any = cin_simplify(c->p->cx, cin_with_fills(c->p->cx, c->any, absent)),
                     *one = cin_simplify(c->p->cx, cin_with_fills(c->p->cx, c->one, absent));
    return cin_is_decided(any) ? !cin_alike(any, one) : !c->waits && one->kind == CIN_NOTHING;
}

static const struct cin *consumer_of(struct precompute *p, const struct cin *instead)
{
    const struct cin *value = precompute_without(p, p->assign->arg[1], instead);
    return cin_assign(p->cx, precompute_consumer_op(p), p->assign->arg[0], value);
}

/* Is the constant the value of e when a scalar in it is at its fill?  The consumer takes a scalar
 * for any value, even then. */
static bool comes_of_scalars(struct precompute *p, const struct cin *constant)
{
    const struct cin *e = with_fills(p, p->e, tensor_var_is_scalar);
    if (e == p->e)
        return false;
    struct cin_list unsure = may_be_absent(p, e), found = cin_constants(p->cx, e, &unsure);
    for (size_t i = 0; i < found.n; i++)
        if (cin_alike(found.at[i], constant))
            return true;
    return false;
}

/* Would the constant give the consumer an effect through other temporaries that it reads, as 0 / t
 * is 0 / 0 if nothing was added to t either?  No component of a sparse workspace would say that
 * this has to be computed.  A dense workspace of a dense result does. */
static bool waits_for_more(struct precompute *p, const struct cin *kept)
{
    const struct cin *one = consumer_of(p, kept),
                     *within = p->top < p->path.n ? p->path.at[p->top].at : one;
    const struct cin_list none = {0};
    const struct tensor_var *target = p->assign->arg[0]->tensor;
    if (format_is_dense(p->format) && !target->temporary && format_is_dense(target->format))
        return false;
    return !cin_alike(cin_simplify(p->cx, one), cin_unwritten(p->cx, one, within, &none, &none));
}

/* Is it a dense workspace of sums without flags?  Then every sum counts as any value, even an empty
 * one. */
static bool counts_as_any(struct precompute *p, struct value fill)
{
    const struct tensor_var *w = cin_temporary(p->cx, p->name, p->e->type, fill);
    return format_is_dense(p->format)
           && !workspace_decides(p->cx, p->program->statement,
                                 consumer_of(p, cin_access(p->cx, w, NULL, 0)), w);
}

/* Returns the first constant that the consumer would treat unlike other values if it were not the
 * fill; for scalars, the fill.  NULL if there is none. */
static const struct cin *find_told(struct precompute *p, const struct cin_list *constants,
                                   struct value fill)
{
    const struct cin *any = consumer_of(p, p->hole), *kept = cin_literal(p->cx, fill);
    struct cin_list operands = may_be_absent(p, precompute_without(p, p->assign->arg[1], kept));
    struct consumed of_kept = {p, any, consumer_of(p, kept), true};
    const bool of_scalars = comes_of_scalars(p, kept);
    if (of_scalars && waits_for_more(p, kept))
        return kept;
    if (of_scalars && cin_constants(p->cx, any->arg[1], &operands).n > 0
        && cin_any_absent(p->cx, &operands, tells, &of_kept) && !counts_as_any(p, fill))
        return kept;
    for (size_t i = 0; i < constants->n; i++) {
        const struct cin *one =
            cin_literal(p->cx, value_convert(constants->at[i]->value, fill.type));
        struct consumed of_one = {p, any, consumer_of(p, one), false};
        if (!cin_alike(one, kept) && cin_any_absent(p->cx, &operands, tells, &of_one))
            return one;
    }
    return NULL;
}

bool precompute_fill(struct precompute *p)
{
    bool whole = p->moved.n > 0 && p->e == p->assign->arg[1];
    enum type type = whole ? p->assign->arg[0]->type : p->e->type;
    struct cin_list unsure = may_be_absent(p, p->e),
                    constants = cin_constants(p->cx, p->e, &unsure);
    p->fill = absent_value(p);
    p->op = p->moved.n ? p->assign->op : comes_in_shares(p) ? OP_ADD : OP_NONE;
    if (p->op != OP_NONE)
        operator_identity(p->cx, p->op, SIDE_LEFT, type, &p->fill);
    else if (p->e == p->assign->arg[1]) /* otherwise the target keeps what it holds */
        p->fill = cin_kept(p->assign) ? p->assign->arg[0]->tensor->fill : whole_fill(p, p->fill);
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
                           "the statement may store nothing where this is %s, and a workspace "
                           "cannot mark such components",
                           text);
}
