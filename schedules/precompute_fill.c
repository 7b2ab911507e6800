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
#include "compiler/tree/tree.h"
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

/* With the fills of operands of this kind in their place. */
static const struct cin *with_fills(struct precompute *p, const struct cin *s,
                                    bool (*is)(const struct tensor_var *tensor))
{
    struct cin_list operands = cin_operands(p->cx, s), absent = {0};
    for (size_t i = 0; i < operands.n; i++)
        if (is(operands.at[i]->tensor))
            vec_push(p->cx->arena, &absent, operands.at[i]);
    return cin_with_fills(p->cx, s, &absent);
}

/* What e is where no sparse operand has a value, if that is always the same constant; else
 * false. */
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

/* The same, or zero.  A scalar that is expanded starts as it did. */
static struct value absent_value(struct precompute *p)
{
    struct value value;
    if (p->e->kind == CIN_ACCESS && p->e->tensor->temporary)
        return p->e->tensor->fill;
    return find_absent(p, &value) ? value : value_zero(p->e->type);
}

/* The fill if e is all that is assigned: what leaves the target as it is where the workspace has
 * no value.  A reduction takes another constant as well: were it no fill it would have to be
 * written wherever operands are absent. */
static struct value whole_fill(struct precompute *p, struct value fill)
{
    const struct tensor_var *target = p->assign->arg[0]->tensor;
    struct value start = value_convert(target->fill, p->e->type);
    if (p->e->kind == CIN_ACCESS && p->e->tensor->temporary && !format_is_inserted(target->format))
        return fill; /* a scalar that is expanded */
    if (p->assign->op != OP_NONE && cin_operands(p->cx, p->e).n && find_absent(p, &start))
        return fill;
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

/* What s reads that may be absent: sparse operands, and scalars to which nothing may be added. */
static struct cin_list may_be_absent(struct precompute *p, const struct cin *s)
{
    struct cin_list read = cin_operands(p->cx, s),
                    absent = access_unsure(p->cx, &read, &(struct known){0});
    for (size_t i = 0; i < read.n; i++)
        if (tensor_var_is_scalar(read.at[i]->tensor))
            cin_list_add(p->cx, &absent, read.at[i]);
    return absent;
}

/* The consumer of any value, and of one constant. */
struct consumed {
    struct precompute *p;
    const struct cin *any, *one;
    bool waits; /* for a scalar, which is at its fill: what comes to nothing then does not count */
};

/* Does the consumer tell the constant from any value where these operands are absent? */
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

/* Is the constant what e comes to where a scalar in it is at its fill?  The consumer takes a scalar
 * for any value, also there. */
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

/* Does the constant make of the consumer what other temporaries that it reads may make something
 * else, as 0 / t is 0 / 0 if nothing was added to t either?  No component of the workspace would be
 * there to say that it has to be computed, unless a dense one is there for a dense result. */
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

/* Is a dense workspace of sums without flags, and each sum any number, one of nothing too? */
static bool counts_as_any(struct precompute *p, struct value fill)
{
    const struct tensor_var *w = cin_temporary(p->cx, p->name, p->e->type, fill);
    return format_is_dense(p->format)
           && !workspace_decides(p->cx, p->program->statement,
                                 consumer_of(p, cin_access(p->cx, w, NULL, 0)), w);
}

/* The first constant that the consumer would tell from others if it were no fill, of scalars the
 * fill; NULL: none. */
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
    else if (p->e == p->assign->arg[1]) /* what is not kept is what the target has there */
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
