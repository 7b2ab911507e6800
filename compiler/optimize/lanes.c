/* lanes.c - an expression for several iterations of a loop at once.
 *
 * What does not depend on the loop variable is computed once and broadcast; an array read at
 * consecutive positions becomes a vector load; operators that vectors have work on whole vectors;
 * and of everything else the lanes are computed one by one and put together, which is how a gather
 * is written here.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/optimize/simplify.h"
#include "compiler/optimize/vectorize.h"

enum { STEP_NODES = 256 }; /* what takes more in a step is left scalar */

/* ---- questions ---- */

bool declares_first(const struct imp *body)
{
    for (int i = 0; i + 1 < body_count(body); i++) {
        const struct imp *at = body_at(body, i);
        if (at->kind != IMP_DECLARE || at->args == 0 || at->var->array || at->var->lanes > 1)
            return false;
    }
    return body_count(body) > 0;
}

const struct imp *with_last(struct context *cx, const struct imp *body, const struct imp *last)
{
    struct imp_builder b = {.cx = cx};
    imp_begin(&b);
    for (int i = 0; i + 1 < body_count(body); i++)
        imp_add(&b, body_at(body, i));
    imp_add(&b, last);
    return imp_end(&b);
}

bool lanes_is_counted(const struct imp *loop)
{
    return loop->kind == IMP_FOR && loop->n == 1 && !loop->var->constant
           && type_kind(loop->var->type) == KIND_INT && type_kind(loop->arg[1]->type) == KIND_INT
           && type_size(loop->var->type) >= 4;
}

/* ---- which form a node takes ---- */

enum form { FORM_BROADCAST, FORM_LOAD, FORM_VECTOR, FORM_LOCAL, FORM_LANES };

static bool has_vector_op(const struct imp *e)
{
    bool numbers =
        e->computed != TYPE_BOOL && !type_is_complex(e->computed) && e->type == e->computed;
    switch (e->op) {
    case OP_ADD:
    case OP_SUB:
    case OP_MUL:
    case OP_NEG: return numbers;
    case OP_DIV: return type_is_float(e->computed);
    case OP_ANY_BITWISE:
    case OP_NOT: return type_is_integer(e->computed);
    case OP_MIN:
    case OP_MAX:
    case OP_ANY_COMPARISON:
    case OP_ABS:
    case OP_SIGN:
    case OP_ANY_PART:
    case OP_ANY_ANALYTIC:
    case OP_POW:
    case OP_MOD:
    case OP_ANY_ROUNDING:
    case OP_ANY_SHIFT:
    case OP_ANY_BIT_COUNT:
    case OP_HEAVISIDE:
    case OP_ANY_CONVERSION:
    case OP_SELECT:
    case OP_KEEP:
    case OP_STORED:
    case OP_COUNT: break;
    }
    return false;
}

static bool has_vector_cast(const struct imp *e)
{
    enum type from = e->arg[0]->type, to = e->type;
    bool numbers =
        from != TYPE_BOOL && to != TYPE_BOOL && !type_is_complex(from) && !type_is_complex(to);
    return numbers && (type_is_integer(from) || type_is_float(to));
}

static enum form form_of(const struct lanes *l, const struct imp *e)
{
    if (!lanes_vary(l, e))
        return FORM_BROADCAST;
    if (e->kind == IMP_VAR && e->var != l->var)
        return FORM_LOCAL;
    if (e->kind == IMP_LOAD && e->type != TYPE_BOOL && lanes_is_contiguous(l, e->arg[0]))
        return FORM_LOAD;
    if ((e->kind == IMP_OP && has_vector_op(e)) || (e->kind == IMP_CAST && has_vector_cast(e)))
        return FORM_VECTOR;
    return FORM_LANES;
}

/* ---- measuring ---- */

/* Counts the expression's nodes, with the values of the body's own variables in their place, as
 * lanes are written: named twice a value is there twice.  false: there are too many. */
static bool count_nodes(const struct lanes *l, const struct imp *e, int *nodes)
{
    const struct imp *value = e->kind == IMP_VAR ? imp_local(l->body, e->var) : NULL;
    bool few = value ? count_nodes(l, value, nodes) : ++*nodes <= STEP_NODES;
    for (int i = 0; i < e->args && few; i++)
        few = count_nodes(l, e->arg[i], nodes);
    return few;
}

bool lanes_measure(const struct lanes *l, const struct imp *e, struct lanes_need *need)
{
    int size = (int)type_size(e->type);
    if (e->type == TYPE_BOOL || type_is_complex(e->type) || e->lanes > 1
        || imp_has(e, IMP_BIT(CALL)))
        return false;
    need->bytes = size > need->bytes ? size : need->bytes;
    enum form form = form_of(l, e);
    if (form == FORM_LOCAL)
        return lanes_measure(l, imp_local(l->body, e->var), need);
    if (form != FORM_VECTOR)
        return count_nodes(l, e, form == FORM_LANES ? &need->gathered : &need->nodes);
    bool few = ++need->nodes <= STEP_NODES;
    for (int i = 0; i < e->args && few; i++)
        few = lanes_measure(l, e->arg[i], need);
    return few;
}

bool lanes_is_short(const struct lanes_need *need, int vectors, int lanes)
{
    return vectors * (need->nodes + lanes * need->gathered) <= STEP_NODES;
}

bool lanes_is_combined(const struct lanes *l, enum op op, const struct imp *e)
{
    while (e->kind == IMP_VAR && imp_local(l->body, e->var))
        e = imp_local(l->body, e->var);
    return !vector_chooses(op) || e->kind != IMP_CAST || e->type != TYPE_F64
           || e->arg[0]->type != TYPE_F32;
}

/* ---- making ---- */

const struct imp *lanes_plus(struct context *cx, const struct imp *e, int64_t n)
{
    return imp_fold(cx, imp_op2(cx, OP_ADD, e, imp_int(cx, e->type, n)));
}

const struct imp *lanes_scalar(const struct lanes *l, const struct imp *e, const struct imp *to)
{
    if (imp_is_read(e, l->var))
        return to;
    const struct imp *value = e->kind == IMP_VAR ? imp_local(l->body, e->var) : NULL;
    if (value)
        return lanes_scalar(l, value, to);
    const struct imp **arg = arena_array(l->cx->arena, const struct imp *, e->args);
    for (int i = 0; i < e->args; i++)
        arg[i] = lanes_scalar(l, e->arg[i], to);
    return imp_fold(l->cx, imp_with_args(l->cx, e, arg));
}

const struct imp *lanes_position(const struct lanes *l, const struct imp *position,
                                 struct lanes_place from)
{
    return lanes_plus(l->cx, lanes_scalar(l, position, from.at), from.n);
}

const struct imp *lanes_node(struct context *cx, const struct imp *e, const struct imp *const *arg)
{
    return e->kind == IMP_CAST ? imp_cast(cx, e->type, arg[0]) : imp_op(cx, e->op, arg, e->args);
}

static const struct imp *vector_node(const struct lanes *l, const struct imp *e,
                                     struct lanes_place from, int lanes)
{
    const struct imp *arg[3];
    for (int i = 0; i < e->args; i++)
        arg[i] = lanes_vector(l, e->arg[i], from, lanes);
    return lanes_node(l->cx, e, arg);
}

static const struct imp *collected(const struct lanes *l, const struct imp *e,
                                   struct lanes_place from, int lanes)
{
    const struct imp *lane[VECTOR_LANES];
    for (int i = 0; i < lanes; i++)
        lane[i] = lanes_scalar(l, e, lanes_plus(l->cx, from.at, from.n + i));
    return imp_lanes(l->cx, lane, lanes);
}

const struct imp *lanes_vector(const struct lanes *l, const struct imp *e, struct lanes_place from,
                               int lanes)
{
    switch (form_of(l, e)) {
    case FORM_BROADCAST: return imp_broadcast(l->cx, lanes_scalar(l, e, from.at), lanes);
    case FORM_LOAD: return imp_load_lanes(l->cx, e->var, lanes_position(l, e->arg[0], from), lanes);
    case FORM_VECTOR: return vector_node(l, e, from, lanes);
    case FORM_LOCAL: return lanes_vector(l, imp_local(l->body, e->var), from, lanes);
    case FORM_LANES: return collected(l, e, from, lanes);
    }
    return NULL;
}

const struct imp *lanes_together(const struct lanes *l, const struct imp *e,
                                 struct lanes_place from, int lanes)
{
    const struct imp *all = NULL;
    for (int k = 0; k < lanes; k++) {
        const struct imp *one = lanes_scalar(l, e, lanes_plus(l->cx, from.at, from.n + k));
        all = all ? imp_op2(l->cx, OP_OR, all, one) : one;
    }
    return all;
}

const struct imp *lanes_masked(const struct lanes *l, const struct imp *tested, const struct imp *e,
                               const struct imp *none, struct lanes_place from)
{
    static const enum type of_size[] = {
        [1] = TYPE_I8, [2] = TYPE_I16, [4] = TYPE_I32, [8] = TYPE_I64};
    const enum type bits = of_size[type_size(e->type)];
    const struct imp *zero = imp_broadcast(l->cx, imp_int(l->cx, bits, 0), none->lanes);
    tested = lanes_vector(l, imp_cast(l->cx, bits, tested), from, none->lanes);
    const struct imp *arg[] = {imp_op2(l->cx, OP_GE, tested, zero),
                               lanes_vector(l, e, from, none->lanes), none};
    return imp_op(l->cx, OP_SELECT, arg, 3);
}
