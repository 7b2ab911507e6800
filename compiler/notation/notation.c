/* notation.c - constructors and equality of tensor index notation.
 *
 * A node's type follows from its parts, so trees that passes build are typed if their leaves are.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/notation/notation.h"

#include "compiler/value/operator.h"

static struct tin *new_node(struct context *cx, enum tin_kind kind, struct span span)
{
    struct tin *node = arena_make(cx->arena, struct tin);
    node->kind = kind;
    node->span = span;
    node->op = OP_NONE;
    return node;
}

static void set_op(struct context *cx, struct tin *node, enum op op)
{
    node->op = op;
    node->name = op_is_user(op) ? operator_name(cx, op) : NULL;
}

static void set_args(struct context *cx, struct tin *node, const struct tin *const *arg, int args)
{
    node->arg = arena_copy(cx->arena, arg, sizeof *arg * (size_t)args);
    node->args = args;
    for (int i = 0; i < args; i++)
        if (arg[i]->height >= node->height)
            node->height = arg[i]->height + 1;
}

static void set_index(struct context *cx, struct tin *node, const struct index_var *const *index,
                      int indices)
{
    node->index = arena_copy(cx->arena, index, sizeof *index * (size_t)indices);
    node->indices = indices;
}

const struct tin *tin_literal(struct context *cx, struct span span, struct value value)
{
    struct tin *node = new_node(cx, TIN_LITERAL, span);
    node->type = value.type;
    node->value = value;
    return node;
}

const struct tin *tin_access(struct context *cx, struct span span, const struct tensor_var *tensor,
                             const struct index_var *const *index, int indices)
{
    struct tin *node = new_node(cx, TIN_ACCESS, span);
    node->type = tensor->type;
    node->tensor = tensor;
    set_index(cx, node, index, indices);
    return node;
}

const struct tin *tin_op(struct context *cx, struct span span, enum op op,
                         const struct tin *const *arg, int args)
{
    enum type operand[3];
    context_assert(cx, args == op_arity(op) && args <= 3);
    for (int i = 0; i < args; i++)
        operand[i] = arg[i]->type;
    struct tin *node = new_node(cx, TIN_OP, span);
    set_op(cx, node, op);
    node->type = operator_result_type(cx, op, operand);
    set_args(cx, node, arg, args);
    return node;
}

const struct tin *tin_reduce(struct context *cx, struct span span, enum op op,
                             const struct index_var *const *index, int indices,
                             const struct tin *body)
{
    struct tin *node = new_node(cx, TIN_REDUCE, span);
    set_op(cx, node, op);
    node->type = op == OP_OR || op == OP_AND ? TYPE_BOOL : body->type;
    set_index(cx, node, index, indices);
    set_args(cx, node, &body, 1);
    return node;
}

const struct tin *tin_assign(struct context *cx, struct span span, enum op op,
                             const struct tin *access, const struct tin *value)
{
    const struct tin *arg[2] = {access, value};
    struct tin *node = new_node(cx, TIN_ASSIGN, span);
    set_op(cx, node, op);
    node->type = access->type;
    set_args(cx, node, arg, 2);
    return node;
}

const struct tin *tin_with_args(struct context *cx, const struct tin *e,
                                const struct tin *const *arg)
{
    if (e->kind == TIN_OP)
        return tin_op(cx, e->span, e->op, arg, e->args);
    struct tin *made = arena_copy(cx->arena, e, sizeof *e);
    made->height = 0;
    set_args(cx, made, arg, e->args);
    return made;
}

const struct tin *tin_multi(struct context *cx, const struct tin *const *statement, int n)
{
    if (n == 1)
        return statement[0];
    struct tin *node =
        new_node(cx, TIN_MULTI, span_join(statement[0]->span, statement[n - 1]->span));
    set_args(cx, node, statement, n);
    return node;
}

int tin_statements(const struct tin *tin) { return tin->kind == TIN_MULTI ? tin->args : 1; }

const struct tin *tin_statement(const struct tin *tin, int s)
{
    return tin->kind == TIN_MULTI ? tin->arg[s] : tin;
}

static bool same_head(const struct tin *a, const struct tin *b)
{
    if (a->kind != b->kind || a->op != b->op || a->type != b->type || a->indices != b->indices
        || a->args != b->args)
        return false;
    if (a->kind == TIN_LITERAL)
        return value_equal(a->value, b->value);
    return a->kind != TIN_ACCESS || a->tensor->name == b->tensor->name;
}

bool tin_equal(const struct tin *a, const struct tin *b)
{
    if (a == b)
        return true;
    if (!same_head(a, b))
        return false;
    for (int i = 0; i < a->indices; i++)
        if (a->index[i]->name != b->index[i]->name)
            return false;
    for (int i = 0; i < a->args; i++)
        if (!tin_equal(a->arg[i], b->arg[i]))
            return false;
    return true;
}

bool tin_reads(const struct tin *tin, const char *tensor)
{
    bool any = tin->kind == TIN_ACCESS && tin->tensor->name == tensor;
    for (int i = 0; i < tin->args && !any; i++)
        any = tin_reads(tin->arg[i], tensor);
    return any;
}

bool tin_reads_result(const struct tin *statement)
{
    bool any = false;
    for (int s = 0; s < tin_statements(statement) && !any; s++) {
        const struct tin *one = tin_statement(statement, s);
        any = one->op != OP_NONE || tin_reads(one->arg[1], one->arg[0]->tensor->name);
    }
    return any;
}

bool tin_uses_var(const struct tin *e, const struct index_var *var)
{
    bool any = false;
    for (int i = 0; i < e->indices; i++)
        any |= e->index[i] == var;
    if (e->kind == TIN_REDUCE && any)
        return false;
    for (int i = 0; i < e->args && !any; i++)
        any = tin_uses_var(e->arg[i], var);
    return any;
}

const struct tin *tin_with_var(struct context *cx, const struct tin *e, const struct index_var *var,
                               const struct index_var *to)
{
    const struct tin *arg[3];
    if (!tin_uses_var(e, var))
        return e;
    for (int i = 0; i < e->args; i++)
        arg[i] = tin_with_var(cx, e->arg[i], var, to);
    if (e->kind != TIN_ACCESS)
        return tin_with_args(cx, e, arg);
    struct tin *access = arena_copy(cx->arena, e, sizeof *e);
    const struct index_var **index = arena_array(cx->arena, const struct index_var *, e->indices);
    for (int i = 0; i < e->indices; i++)
        index[i] = e->index[i] == var ? to : e->index[i];
    access->index = index;
    return access;
}

bool tin_uses_name(const struct tin *tin, const char *name)
{
    bool uses = tin->kind == TIN_ACCESS && tin->tensor->name == name;
    for (int i = 0; i < tin->indices; i++)
        uses |= tin->index[i]->name == name;
    for (int i = 0; i < tin->args && !uses; i++)
        uses = tin_uses_name(tin->arg[i], name);
    return uses;
}
