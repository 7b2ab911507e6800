/* imperative.c - constructors of the imperative IR.
 *
 * A constructor derives the type and the lanes of its node from its arguments, and inserts the
 * conversions that imperative.h promises.  A node that cannot be made is a bug of the caller, and
 * unwinds.  Users' operators are replaced by their bodies here.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/imperative/imperative.h"

#include <string.h>

#include "compiler/imperative/node.h"
#include "compiler/imperative/stream.h"
#include "compiler/value/operator.h"

static struct imp *node(struct context *cx, enum imp_kind kind, int args)
{
    struct imp *imp = arena_make(cx->arena, struct imp);
    imp->kind = kind;
    imp->lanes = 1;
    imp->op = OP_NONE;
    imp->args = args;
    imp->size = 1;
    imp->arg = args > 0 ? arena_array(cx->arena, const struct imp *, args) : NULL;
    return imp;
}

/* Notes the size.  A value that is used twice is visited twice, so each new expression takes steps
 * by its size. */
static struct imp *measure_node(struct context *cx, struct imp *imp)
{
    enum { LARGEST = 1 << 30 };
    imp->size = 1;
    for (int i = 0; i < imp->args; i++)
        imp->size +=
            imp->arg[i]->size < LARGEST - imp->size ? imp->arg[i]->size : LARGEST - imp->size;
    if (imp_is_expression(imp))
        arena_spend(cx->arena, (uint64_t)imp->size);
    return imp;
}

struct imp *imp_node(struct context *cx, enum imp_kind kind, const struct imp *const *arg, int args)
{
    struct imp *imp = node(cx, kind, 0);
    imp->args = args;
    imp->arg = args > 0 ? arena_copy(cx->arena, arg, sizeof *arg * (size_t)args) : NULL;
    return measure_node(cx, imp);
}

/* ---- variables ---- */

struct imp_var *imp_var(struct context *cx, const char *name, enum type type)
{
    struct imp_var *var = arena_make(cx->arena, struct imp_var);
    var->name = intern(cx, name);
    var->type = type;
    var->lanes = 1;
    return var;
}

struct imp_var *imp_array(struct context *cx, const char *name, enum type element, bool constant)
{
    struct imp_var *var = imp_var(cx, name, element);
    var->array = true;
    var->constant = constant;
    var->restricted = true;
    return var;
}

struct imp_var *imp_arrays(struct context *cx, const char *name, int few)
{
    struct imp_var *var = imp_array(cx, name, TYPE_BOOL, false);
    var->arrays = few;
    return var;
}

/* ---- expressions ---- */

const struct imp *imp_in_line(struct context *cx, const struct imp_var *array,
                              const struct imp *position, int64_t bytes)
{
    context_assert(cx, array->array && imp_is_integer(position));
    struct imp *imp = imp_node(cx, IMP_IN_LINE, &position, 1);
    imp->type = TYPE_I32;
    imp->var = array;
    imp->n = bytes;
    return imp;
}

const struct imp *imp_threads(struct context *cx)
{
    struct imp *imp = node(cx, IMP_THREADS, 0);
    imp->type = TYPE_I32;
    return imp;
}

const struct imp *imp_stopped(struct context *cx)
{
    struct imp *imp = node(cx, IMP_STOPPED, 0);
    imp->type = TYPE_BOOL;
    return imp;
}

const struct imp *imp_literal(struct context *cx, struct value value)
{
    struct imp *imp = node(cx, IMP_LITERAL, 0);
    imp->type = value.type;
    imp->value = value;
    return imp;
}

const struct imp *imp_int(struct context *cx, enum type type, int64_t i)
{
    return imp_literal(cx, value_int(type, i));
}

const struct imp *imp_i64(struct context *cx, int64_t i) { return imp_int(cx, TYPE_I64, i); }

const struct imp *imp_true(struct context *cx) { return imp_int(cx, TYPE_BOOL, 1); }

const struct imp *imp_read(struct context *cx, const struct imp_var *var)
{
    struct imp *imp = node(cx, IMP_VAR, 0);
    imp->type = var->type;
    imp->lanes = var->lanes;
    imp->var = var;
    return imp;
}

const struct imp *imp_load(struct context *cx, const struct imp_var *array,
                           const struct imp *position)
{
    return imp_load_lanes(cx, array, position, 1);
}

const struct imp *imp_load_lanes(struct context *cx, const struct imp_var *array,
                                 const struct imp *position, int lanes)
{
    context_assert(cx, array->array && imp_is_integer(position) && lanes >= 1);
    struct imp *imp = imp_node(cx, IMP_LOAD, &position, 1);
    imp->type = array->type;
    imp->lanes = lanes;
    imp->var = array;
    return imp;
}

const struct imp *imp_cast(struct context *cx, enum type type, const struct imp *a)
{
    context_assert(cx, imp_is_expression(a));
    if (a->type == type)
        return a;
    struct imp *imp = imp_node(cx, IMP_CAST, &a, 1);
    imp->type = type;
    imp->lanes = a->lanes;
    return imp;
}

/* Writes a body over the operands, which have its type. */
static const struct imp *write_out(struct context *cx, const struct op_tree *tree,
                                   const struct imp *const *operand)
{
    const struct imp *arg[3];
    if (tree->op == OP_NONE)
        return tree->parameter < 0 ? imp_literal(cx, tree->value) : operand[tree->parameter];
    for (int i = 0; i < tree->args; i++)
        arg[i] = write_out(cx, tree->arg[i], operand);
    return imp_op(cx, tree->op, arg, tree->args);
}

static const struct imp *user_op(struct context *cx, enum op op, const struct imp *const *arg,
                                 int args)
{
    enum type type[3];
    const struct imp *operand[3];
    context_assert(cx, args == op_arity(op));
    for (int i = 0; i < args; i++)
        type[i] = arg[i]->type;
    context_assert(cx, operator_accepts(cx, op, type));
    enum type computed = operator_compute_type(op, type);
    for (int i = 0; i < args; i++)
        operand[i] = imp_cast(cx, computed, arg[i]);
    return write_out(cx, operator_user(cx, op)->body[computed], operand);
}

const struct imp *imp_op(struct context *cx, enum op op, const struct imp *const *arg, int args)
{
    if (op_is_user(op))
        return user_op(cx, op, arg, args);
    context_assert(cx, op < OP_COUNT && args == op_arity(op));
    enum type type[3];
    for (int i = 0; i < args; i++) {
        context_assert(cx, imp_is_expression(arg[i]) && arg[i]->lanes == arg[0]->lanes);
        type[i] = arg[i]->type;
    }
    context_assert(cx, op_accepts(op, type));
    if (op_converts(op))
        return imp_cast(cx, op_result_type(op, type), arg[0]);
    struct imp *imp = node(cx, IMP_OP, args);
    const struct imp **to = (const struct imp **)imp->arg;
    imp->op = op;
    imp->computed = op_compute_type(op, type);
    imp->type = op_result_type(op, type);
    imp->lanes = arg[0]->lanes;
    for (int i = 0; i < args; i++)
        to[i] = imp_cast(cx, op == OP_SELECT && i == 0 ? TYPE_BOOL : imp->computed, arg[i]);
    return measure_node(cx, imp);
}

const struct imp *imp_op1(struct context *cx, enum op op, const struct imp *a)
{
    return imp_op(cx, op, &a, 1);
}

const struct imp *imp_both(struct context *cx, const struct imp *a, const struct imp *b)
{
    return !a ? b : !b ? a : imp_op2(cx, OP_AND, a, b);
}

const struct imp *imp_op2(struct context *cx, enum op op, const struct imp *a, const struct imp *b)
{
    return imp_op(cx, op, (const struct imp *const[]){a, b}, 2);
}

const struct imp *imp_next(struct context *cx, const struct imp *e)
{
    return imp_op2(cx, OP_ADD, e, imp_int(cx, e->type, 1));
}

const struct imp *imp_select(struct context *cx, const struct imp *condition, const struct imp *a,
                             const struct imp *b)
{
    return imp_op(cx, OP_SELECT, (const struct imp *const[]){condition, a, b}, 3);
}

const struct imp *imp_call(struct context *cx, const struct imp_function *function,
                           const struct imp *const *arg, int args)
{
    context_assert(cx, function->helper && args == function->params);
    struct imp *imp = node(cx, IMP_CALL, args);
    const struct imp **to = (const struct imp **)imp->arg;
    imp->type = function->result;
    imp->function = function;
    for (int i = 0; i < args; i++) {
        const struct imp_var *param = function->param[i].var;
        bool array = arg[i]->kind == IMP_VAR && arg[i]->var->array;
        context_assert(cx, array == param->array && arg[i]->lanes == param->lanes);
        context_assert(cx, !array || arg[i]->type == param->type);
        to[i] = imp_cast(cx, param->type, arg[i]);
    }
    return measure_node(cx, imp);
}

const struct imp *imp_lanes(struct context *cx, const struct imp *const *arg, int lanes)
{
    context_assert(cx, lanes > 1);
    for (int i = 0; i < lanes; i++)
        context_assert(cx, imp_is_expression(arg[i]) && arg[i]->type == arg[0]->type
                               && arg[i]->lanes == 1);
    struct imp *imp = imp_node(cx, IMP_LANES, arg, lanes);
    imp->type = arg[0]->type;
    imp->lanes = lanes;
    return imp;
}

const struct imp *imp_broadcast(struct context *cx, const struct imp *a, int lanes)
{
    context_assert(cx, imp_is_expression(a) && a->lanes == 1 && lanes > 0);
    if (lanes == 1)
        return a;
    struct imp *imp = imp_node(cx, IMP_BROADCAST, &a, 1);
    imp->type = a->type;
    imp->lanes = lanes;
    return imp;
}

const struct imp *imp_lane(struct context *cx, const struct imp *vector, int lane)
{
    context_assert(cx, imp_is_expression(vector) && lane >= 0 && lane < vector->lanes);
    struct imp *imp = imp_node(cx, IMP_LANE, &vector, 1);
    imp->type = vector->type;
    imp->n = lane;
    return imp;
}

const struct imp *imp_shuffle(struct context *cx, const struct imp *a, const struct imp *b,
                              const int *lane, int lanes)
{
    context_assert(cx, imp_is_expression(a) && imp_is_expression(b) && a->lanes > 1 && lanes > 1
                           && a->type == b->type && a->lanes == b->lanes);
    const struct imp **arg = arena_array(cx->arena, const struct imp *, lanes + 2);
    arg[0] = a;
    arg[1] = b;
    for (int i = 0; i < lanes; i++) {
        context_assert(cx, lane[i] >= 0 && lane[i] < 2 * a->lanes);
        arg[2 + i] = imp_int(cx, TYPE_I32, lane[i]);
    }
    struct imp *imp = imp_node(cx, IMP_SHUFFLE, arg, lanes + 2);
    imp->type = a->type;
    imp->lanes = lanes;
    return imp;
}

/* ---- statements ---- */

const struct imp *imp_block(struct context *cx, const struct imp *const *arg, int args)
{
    for (int i = 0; i < args; i++)
        context_assert(cx, !imp_is_expression(arg[i]));
    return imp_node(cx, IMP_BLOCK, arg, args);
}

/* Does the operator give this type for operands of this type, as a compound assignment needs? */
static bool op_keeps(enum op op, enum type type)
{
    const enum type operand[] = {type, type, type};
    return op == OP_NONE
           || (op < OP_COUNT && op_arity(op) == 2 && op_accepts(op, operand)
               && op_result_type(op, operand) == type);
}

const struct imp *imp_declare(struct context *cx, const struct imp_var *var,
                              const struct imp *init_or_null)
{
    context_assert(cx, !init_or_null || (!var->array && init_or_null->lanes == var->lanes));
    const struct imp *init = init_or_null ? imp_cast(cx, var->type, init_or_null) : NULL;
    struct imp *imp = imp_node(cx, IMP_DECLARE, &init, init ? 1 : 0);
    imp->var = var;
    return imp;
}

const struct imp *imp_assign(struct context *cx, const struct imp_var *var, enum op op,
                             const struct imp *value)
{
    if (op_is_user(op))
        return imp_assign(cx, var, OP_NONE,
                          imp_op2(cx, op, imp_read(cx, var), imp_cast(cx, var->type, value)));
    context_assert(cx, !var->array && value->lanes == var->lanes && op_keeps(op, var->type));
    value = imp_cast(cx, var->type, value);
    struct imp *imp = imp_node(cx, IMP_ASSIGN, &value, 1);
    imp->var = var;
    imp->op = op;
    return imp;
}

const struct imp *imp_increment(struct context *cx, const struct imp_var *var)
{
    return imp_assign(cx, var, OP_ADD, imp_int(cx, var->type, 1));
}

const struct imp *imp_combination(struct context *cx, enum imp_kind kind,
                                  const struct imp_var *array, const struct imp *position,
                                  enum op op, const struct imp *value)
{
    if (op_is_user(op))
        return imp_combination(
            cx, kind, array, position, OP_NONE,
            imp_op2(cx, op, imp_load(cx, array, position), imp_cast(cx, array->type, value)));
    context_assert(cx, array->array && imp_is_integer(position) && op_keeps(op, array->type));
    struct imp *imp = imp_node(
        cx, kind, (const struct imp *const[]){position, imp_cast(cx, array->type, value)}, 2);
    imp->type = kind == IMP_UPDATE ? array->type : imp->type;
    imp->var = array;
    imp->op = op;
    return imp;
}

const struct imp *imp_store(struct context *cx, const struct imp_var *array,
                            const struct imp *position, enum op op, const struct imp *value)
{
    return imp_combination(cx, IMP_STORE, array, position, op, value);
}

const struct imp *imp_streamed(struct context *cx, const struct imp *store)
{
    context_assert(cx, store->kind == IMP_STORE && store->op == OP_NONE);
    struct imp *streamed = arena_copy(cx->arena, store, sizeof *store);
    streamed->n = 1;
    return streamed;
}

const struct imp *imp_atomic(struct context *cx, const struct imp_var *array,
                             const struct imp *position, enum op op, const struct imp *value)
{
    context_assert(cx, value->lanes == 1);
    return imp_combination(cx, IMP_ATOMIC, array, position, op, value);
}

const struct imp *imp_do(struct context *cx, const struct imp *call)
{
    context_assert(cx, call->kind == IMP_CALL && call->function->effects);
    return imp_node(cx, IMP_DO, &call, 1);
}

const struct imp *imp_if(struct context *cx, const struct imp *condition, const struct imp *then,
                         const struct imp *otherwise_or_null)
{
    context_assert(cx, imp_is_condition(condition) && !imp_is_expression(then));
    context_assert(cx, !otherwise_or_null || !imp_is_expression(otherwise_or_null));
    return imp_node(cx, IMP_IF, (const struct imp *const[]){condition, then, otherwise_or_null},
                    otherwise_or_null ? 3 : 2);
}

const struct imp *imp_while(struct context *cx, const struct imp *condition, const struct imp *body)
{
    context_assert(cx, imp_is_condition(condition) && !imp_is_expression(body));
    return imp_node(cx, IMP_WHILE, (const struct imp *const[]){condition, body}, 2);
}

const struct imp *imp_for(struct context *cx, const struct imp_var *var, const struct imp *begin,
                          const struct imp *end, int64_t step, const struct imp *body)
{
    context_assert(cx, !var->array && var->lanes == 1 && type_is_integer(var->type) && step > 0);
    context_assert(cx, imp_is_integer(begin) && imp_is_integer(end) && !imp_is_expression(body));
    begin = imp_cast(cx, var->type, begin);
    struct imp *imp = imp_node(cx, IMP_FOR, (const struct imp *const[]){begin, end, body}, 3);
    imp->var = var;
    imp->n = step;
    return imp;
}

const struct imp *imp_parallel(struct context *cx, const struct imp_var *var,
                               const struct imp *parts, enum imp_schedule schedule, int64_t chunk,
                               const struct imp *body)
{
    context_assert(cx, !var->array && var->lanes == 1 && type_is_integer(var->type) && chunk >= 0);
    context_assert(cx, imp_is_integer(parts) && !imp_is_expression(body));
    parts = imp_cast(cx, var->type, parts);
    struct imp *imp = imp_node(cx, IMP_PARALLEL, (const struct imp *const[]){parts, body}, 2);
    imp->var = var;
    imp->schedule = schedule;
    imp->n = chunk;
    return imp;
}

const struct imp *imp_break(struct context *cx) { return node(cx, IMP_BREAK, 0); }

const struct imp *imp_return(struct context *cx, const struct imp *value_or_null)
{
    context_assert(cx, !value_or_null || imp_is_expression(value_or_null));
    return imp_node(cx, IMP_RETURN, &value_or_null, value_or_null ? 1 : 0);
}

const struct imp *imp_fail(struct context *cx, enum imp_status status)
{
    context_assert(cx, status != STATUS_OK);
    struct imp *imp = node(cx, IMP_FAIL, 0);
    imp->n = status;
    return imp;
}

const struct imp_memory *imp_memory_of(enum imp_kind kind)
{
    static const struct imp_memory memory[] = {
#define IMP(NAME, is_expression)  [IMP_##NAME] = {NULL, NULL},
#define MEMORY(NAME, word, takes) [IMP_##NAME] = {word, takes},
#include "compiler/imperative/imperative.def"
#undef IMP
#undef MEMORY
    };
    return memory[kind].word ? &memory[kind] : NULL;
}

static bool is_taken(char takes, const struct imp_var *array, const struct imp *arg)
{
    return takes == 'p' ? imp_is_integer(arg)
           : takes == 'v'
               ? arg->type == array->type && arg->lanes == 1
               : arg->kind == IMP_VAR && arg->var->array && (takes != 's' || arg->var->arrays);
}

const struct imp *imp_memory(struct context *cx, enum imp_kind kind, const struct imp_var *array,
                             const struct imp *const *arg)
{
    const char *takes = imp_memory_of(kind)->takes;
    int args = 0;
    context_assert(cx, array->array && (*takes != 's' || array->arrays));
    for (; takes[args + 1]; args++)
        context_assert(cx, is_taken(takes[args + 1], array, arg[args]));
    struct imp *imp = imp_node(cx, kind, arg, args);
    imp->var = array;
    return imp;
}

const struct imp *imp_comment(struct context *cx, const char *text)
{
    struct imp *imp = node(cx, IMP_COMMENT, 0);
    imp->text = arena_strdup(cx->arena, text);
    return imp;
}

/* ---- queries ---- */

bool imp_is_expression(const struct imp *imp)
{
    static const bool is[] = {
#define IMP(NAME, is_expression)  is_expression,
#define MEMORY(NAME, word, takes) false,
#include "compiler/imperative/imperative.def"
#undef IMP
#undef MEMORY
    };
    return is[imp->kind];
}

bool imp_declares(const struct imp *imp)
{
    return imp->kind == IMP_DECLARE || imp->kind == IMP_FOR || imp->kind == IMP_PARALLEL
           || imp->kind == IMP_LAUNCH;
}

const struct imp *imp_marked(struct context *cx, const struct imp *imp, const struct imp_mark *mark)
{
    context_assert(cx, imp->kind == IMP_FOR || imp->kind == IMP_WHILE || imp->kind == IMP_FILL
                           || imp->kind == IMP_IF);
    struct imp *marked = arena_copy(cx->arena, imp, sizeof *imp);
    marked->mark = mark;
    return marked;
}

const struct imp *imp_with_args(struct context *cx, const struct imp *imp,
                                const struct imp *const *arg)
{
    if (imp->args == 0 || memcmp(imp->arg, arg, sizeof *arg * (size_t)imp->args) == 0)
        return imp;
    struct imp *copy = arena_copy(cx->arena, imp, sizeof *imp);
    copy->arg = arena_copy(cx->arena, arg, sizeof *arg * (size_t)imp->args);
    return measure_node(cx, copy);
}
