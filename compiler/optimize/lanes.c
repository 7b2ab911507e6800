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

static bool is_mention(const struct imp *imp, void *var)
{
    return imp->var == var && (imp->kind == IMP_VAR || imp->var->array);
}

bool mentions(const struct imp *imp, const struct imp_var *var)
{
    return imp_any(imp, is_mention, (void *)(size_t)var);
}

struct change {
    const struct imp_var *var;
    bool declared_only;
};

static bool is_change(const struct imp *imp, void *data)
{
    const struct change *change = data;
    return imp->var == change->var
           && (imp_declares(imp) || (imp->kind == IMP_ASSIGN && !change->declared_only));
}

bool changes(const struct imp *nest, const struct imp_var *var, bool declared_only)
{
    struct change change = {var, declared_only};
    return imp_any(nest, is_change, &change);
}

static bool may_change(const struct imp *imp, void *nest)
{
    return imp->kind == IMP_CALL || (imp->kind == IMP_LOAD && !imp->var->constant)
           || (imp->kind == IMP_VAR && changes(nest, imp->var, false));
}

bool lanes_is_fixed(const struct imp *nest, const struct imp *e)
{
    return !imp_any(e, may_change, (void *)(size_t)nest);
}

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

struct times {
    const struct imp_var *var;
    int n;
};

static bool count_mention(const struct imp *imp, void *data)
{
    struct times *times = data;
    times->n += imp->var == times->var;
    return false;
}

int mentions_times(const struct imp *imp, const struct imp_var *var)
{
    struct times times = {var, 0};
    imp_any(imp, count_mention, &times);
    return times.n;
}

/* The value of a variable that the loop's body declares; NULL: it is another one. */
static const struct imp *local(const struct lanes *l, const struct imp_var *var)
{
    for (int i = 0; i < body_count(l->body); i++) {
        const struct imp *at = body_at(l->body, i);
        if (at->kind == IMP_DECLARE && at->var == var)
            return at->arg[0];
    }
    return NULL;
}

bool lanes_vary(const struct lanes *l, const struct imp *e)
{
    if (e->kind == IMP_VAR) {
        const struct imp *value = local(l, e->var);
        return e->var == l->var || (value && lanes_vary(l, value));
    }
    for (int i = 0; i < e->args; i++)
        if (lanes_vary(l, e->arg[i]))
            return true;
    return false;
}

/* By how much the value goes up with the variable; -1: not by a constant that is 0 or 1. */
static int stride(const struct lanes *l, const struct imp *e)
{
    if (!lanes_vary(l, e))
        return 0;
    if (e->kind == IMP_VAR)
        return e->var == l->var ? 1 : stride(l, local(l, e->var));
    bool widens = e->kind == IMP_CAST && type_is_integer(e->type)
                  && type_promote(e->arg[0]->type, e->type) == e->type;
    if (widens)
        return stride(l, e->arg[0]);
    if (e->kind != IMP_OP || (e->op != OP_ADD && e->op != OP_SUB))
        return -1;
    int a = stride(l, e->arg[0]), b = stride(l, e->arg[1]);
    if (a < 0 || b < 0 || (a == 1 && b == 1))
        return -1;
    return e->op == OP_ADD ? a + b : b == 0 ? a : -1;
}

bool lanes_is_contiguous(const struct lanes *l, const struct imp *position)
{
    return stride(l, position) == 1;
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
    case OP_HEAVISIDE:
    case OP_ANY_CONVERSION:
    case OP_SELECT:
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

/* Count the expression's nodes, with the values of the body's own variables in their place, as
 * lanes are written: named twice a value is there twice.  false: there are too many. */
static bool count_nodes(const struct lanes *l, const struct imp *e, int *nodes)
{
    const struct imp *value = e->kind == IMP_VAR ? local(l, e->var) : NULL;
    bool few = value ? count_nodes(l, value, nodes) : ++*nodes <= STEP_NODES;
    for (int i = 0; i < e->args && few; i++)
        few = count_nodes(l, e->arg[i], nodes);
    return few;
}

static bool is_call(const struct imp *imp, void *data) { return imp->kind == IMP_CALL; }

bool lanes_measure(const struct lanes *l, const struct imp *e, struct lanes_need *need)
{
    int size = (int)type_size(e->type);
    if (e->type == TYPE_BOOL || type_is_complex(e->type) || e->lanes > 1
        || imp_any(e, is_call, NULL))
        return false;
    need->bytes = size > need->bytes ? size : need->bytes;
    enum form form = form_of(l, e);
    if (form == FORM_LOCAL)
        return lanes_measure(l, local(l, e->var), need);
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
    while (e->kind == IMP_VAR && local(l, e->var))
        e = local(l, e->var);
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
    if (e->kind == IMP_VAR && e->var == l->var)
        return to;
    const struct imp *value = e->kind == IMP_VAR ? local(l, e->var) : NULL;
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

/* An operator or conversion on vectors. */
static const struct imp *vector_node(const struct lanes *l, const struct imp *e,
                                     struct lanes_place from, int lanes)
{
    const struct imp *arg[3];
    for (int i = 0; i < e->args; i++)
        arg[i] = lanes_vector(l, e->arg[i], from, lanes);
    return e->kind == IMP_CAST ? imp_cast(l->cx, e->type, arg[0])
                               : imp_op(l->cx, e->op, arg, e->args);
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
    case FORM_LOCAL: return lanes_vector(l, local(l, e->var), from, lanes);
    case FORM_LANES: return collected(l, e, from, lanes);
    }
    return NULL;
}
