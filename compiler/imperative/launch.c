/* launch.c - constructors of launches and of the statements that only launches have.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/imperative/node.h"
#include "compiler/imperative/query.h"

struct imp_var *imp_placed(struct context *cx, const char *name, enum type element,
                           enum imp_place place, int length)
{
    struct imp_var *var = imp_array(cx, name, element, false);
    var->place = place;
    var->length = length;
    return var;
}

const struct imp *imp_launch(struct context *cx, const struct imp_var *block,
                             const struct imp_var *thread, const struct imp *blocks, int threads,
                             const struct imp *body)
{
    context_assert(cx, imp_is_index(block) && imp_is_index(thread) && block != thread);
    context_assert(cx, imp_is_integer(blocks) && !imp_is_expression(body));
    const struct imp *arg[] = {imp_cast(cx, TYPE_I32, blocks), imp_read(cx, thread), body};
    struct imp *imp = imp_node(cx, IMP_LAUNCH, arg, 3);
    imp->var = block;
    imp->n = threads;
    return imp;
}

static bool add_shared(const struct imp *imp, void *bytes)
{
    if (imp->kind == IMP_DECLARE && imp->var->place == PLACE_SHARED)
        *(int64_t *)bytes += imp->var->length * (int64_t)type_size(imp->var->type);
    return false;
}

int64_t imp_shared_bytes(const struct imp *body)
{
    int64_t bytes = 0;
    imp_any(body, add_shared, &bytes);
    return bytes;
}

const struct imp *imp_barrier(struct context *cx, int lanes)
{
    struct imp *imp = imp_node(cx, IMP_BARRIER, NULL, 0);
    imp->n = lanes;
    return imp;
}

const struct imp *imp_exchange(struct context *cx, enum imp_exchange exchange,
                               const struct imp *value, const struct imp *lane_or_null, int lanes)
{
    bool ballot = exchange == EXCHANGE_BALLOT;
    context_assert(cx, ballot ? imp_is_condition(value) && !lane_or_null
                              : imp_is_integer(lane_or_null) && value->lanes == 1);
    const struct imp *arg[] = {value, lane_or_null};
    struct imp *imp = imp_node(cx, IMP_EXCHANGE, arg, ballot ? 1 : 2);
    imp->exchange = exchange;
    imp->type = ballot ? TYPE_U32 : value->type;
    imp->n = lanes;
    return imp;
}

const struct imp *imp_update(struct context *cx, const struct imp_var *array,
                             const struct imp *position, enum op op, const struct imp *value)
{
    return imp_combination(cx, IMP_UPDATE, array, position, op, value);
}

const struct imp *imp_swap(struct context *cx, const struct imp_var *array,
                           const struct imp *position, const struct imp *expected,
                           const struct imp *value)
{
    context_assert(cx, array->array && imp_is_integer(position));
    const struct imp *arg[] = {position, imp_cast(cx, array->type, value),
                               imp_cast(cx, array->type, expected)};
    struct imp *imp = imp_node(cx, IMP_UPDATE, arg, 3);
    imp->var = array;
    imp->type = array->type;
    return imp;
}

const struct imp *imp_fetch(struct context *cx, const struct imp *load)
{
    context_assert(cx, load->kind == IMP_LOAD && load->lanes == 1);
    struct imp *imp = imp_node(cx, IMP_FETCH, &load, 1);
    imp->type = load->type;
    return imp;
}

const struct imp_var *imp_declared(const struct imp *imp, int i)
{
    if (!imp_declares(imp) || i > 1)
        return NULL;
    return i == 0 ? imp->var : imp->kind == IMP_LAUNCH ? imp->arg[1]->var : NULL;
}
