/* node.c - constructors of concrete index notation, and questions about it.
 *
 * Nodes are hash-consed: a constructor looks its node up in the context's table and makes it only
 * when it is new.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/concrete/concrete.h"

#include <math.h>
#include <string.h>

#include "compiler/base/hash.h"
#include "compiler/base/vec.h"

bool cin_is_expression(const struct cin *cin)
{
    static const bool is_expression[] = {
#define CIN(NAME, expression) expression,
#include "compiler/concrete/concrete.def"
#undef CIN
    };
    return is_expression[cin->kind];
}

int cin_depth(const struct cin *cin)
{
    int most = 0;
    for (int i = 0; i < cin->args; i++) {
        int depth = cin_is_expression(cin->arg[i]) ? 0 : cin_depth(cin->arg[i]);
        most = depth > most ? depth : most;
    }
    return most + (cin->kind == CIN_FORALL);
}

bool cin_check_depth(struct context *cx, const struct cin *statement, struct span span)
{
    int depth = cin_depth(statement);
    if (depth > CIN_DEPTH_MAX)
        diag_error(cx, DIAG_LIMIT, span, "this makes %d nested loops; at most %d are possible",
                   depth, CIN_DEPTH_MAX);
    return depth <= CIN_DEPTH_MAX;
}

/* The steps that it takes to find or make a node. */
enum { STEPS_OF_NODE = 16 };

/* Equal constants have equal hashes: all NaN do, and -0.0 does as 0.0. */
static uint64_t hash_value(struct value value)
{
    double number = value_double(value) + 0.0;
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    return isnan(number) ? 0 : bits;
}

static uint64_t hash_node(const struct cin *cin)
{
    uint64_t hash = hash_word(HASH_START, cin->kind == CIN_LITERAL ? hash_value(cin->value) : 0);
    hash =
        hash_word(hash, (uint64_t)cin->kind << 32 | (uint64_t)cin->type << 16 | (uint64_t)cin->op);
    hash = hash_word(hash, (uintptr_t)cin->tensor);
    for (int i = 0; i < cin->indices; i++)
        hash = hash_word(hash, (uintptr_t)cin->index[i]);
    for (int i = 0; i < cin->args; i++)
        hash = hash_word(hash, (uintptr_t)cin->arg[i]);
    return hash;
}

/* -0.0 equals 0.0 but is another constant: 1 / -0.0 is -inf. */
static bool same_sign(double a, double b) { return isnan(a) || signbit(a) == signbit(b); }

static bool same_literal(struct value a, struct value b)
{
    if (!value_equal(a, b))
        return false;
    if (type_is_complex(a.type))
        return same_sign(a.c.re, b.c.re) && same_sign(a.c.im, b.c.im);
    return !type_is_float(a.type) || same_sign(a.f, b.f);
}

static bool same_node(const void *entry, const void *key)
{
    const struct cin *a = entry, *b = key;
    return a->kind == b->kind && a->type == b->type && a->op == b->op && a->tensor == b->tensor
           && a->indices == b->indices && a->args == b->args
           && (a->kind != CIN_LITERAL || same_literal(a->value, b->value))
           && (!a->indices || !memcmp(a->index, b->index, sizeof *a->index * (size_t)a->indices))
           && (!a->args || !memcmp(a->arg, b->arg, sizeof *a->arg * (size_t)a->args));
}

/* Returns the interned node equal to this one, whose arrays may be the caller's. */
static const struct cin *intern_node(struct context *cx, struct cin cin)
{
    uint64_t hash = hash_node(&cin);
    arena_spend(cx->arena, STEPS_OF_NODE);
    const struct cin *node = table_find(&cx->concrete, hash, same_node, &cin);
    if (!node) {
        cin.index = arena_copy(cx->arena, cin.index, sizeof *cin.index * (size_t)cin.indices);
        cin.arg = arena_copy(cx->arena, cin.arg, sizeof *cin.arg * (size_t)cin.args);
        node = arena_copy(cx->arena, &cin, sizeof cin);
        table_add(cx->arena, &cx->concrete, hash, node);
    }
    return node;
}

const struct cin *cin_literal(struct context *cx, struct value value)
{
    return intern_node(
        cx, (struct cin){.kind = CIN_LITERAL, .type = value.type, .op = OP_NONE, .value = value});
}

const struct cin *cin_access(struct context *cx, const struct tensor_var *tensor,
                             const struct index_var *const *index, int indices)
{
    context_assert(cx, indices == tensor->order);
    return intern_node(cx, (struct cin){.kind = CIN_ACCESS,
                                        .type = tensor->type,
                                        .op = OP_NONE,
                                        .tensor = tensor,
                                        .indices = indices,
                                        .index = index});
}

const struct cin *cin_op(struct context *cx, enum op op, const struct cin *const *arg, int args)
{
    enum type type[3];
    context_assert(cx, args == op_arity(op) && args <= CIN_ARGS_MAX);
    for (int i = 0; i < args; i++)
        type[i] = arg[i]->type;
    return intern_node(cx, (struct cin){.kind = CIN_OP,
                                        .type = operator_result_type(cx, op, type),
                                        .op = op,
                                        .args = args,
                                        .arg = arg});
}

const struct cin *cin_assign(struct context *cx, enum op op, const struct cin *access,
                             const struct cin *value)
{
    return cin_assign_at(cx, op, access, value, NULL);
}

const struct cin *cin_assign_at(struct context *cx, enum op op, const struct cin *access,
                                const struct cin *value, const struct cin *at)
{
    context_assert(cx, access->kind == CIN_ACCESS && cin_is_expression(value)
                           && (!at || at->kind == CIN_ACCESS));
    return intern_node(cx, (struct cin){.kind = CIN_ASSIGN,
                                        .op = op,
                                        .args = at ? 3 : 2,
                                        .arg = (const struct cin *[]){access, value, at}});
}

const struct cin *cin_forall(struct context *cx, const struct index_var *var,
                             const struct cin *body)
{
    return intern_node(cx, (struct cin){.kind = CIN_FORALL,
                                        .op = OP_NONE,
                                        .indices = 1,
                                        .index = &var,
                                        .args = 1,
                                        .arg = &body});
}

static const struct cin *pair(struct context *cx, enum cin_kind kind, const struct cin *a,
                              const struct cin *b)
{
    return intern_node(
        cx,
        (struct cin){.kind = kind, .op = OP_NONE, .args = 2, .arg = (const struct cin *[]){a, b}});
}

const struct cin *cin_where(struct context *cx, const struct cin *consumer,
                            const struct cin *producer)
{
    return pair(cx, CIN_WHERE, consumer, producer);
}

const struct cin *cin_sequence(struct context *cx, const struct cin *definition,
                               const struct cin *mutation)
{
    return pair(cx, CIN_SEQUENCE, definition, mutation);
}

const struct cin *cin_multi(struct context *cx, const struct cin *left, const struct cin *right)
{
    return pair(cx, CIN_MULTI, left, right);
}

const struct cin *cin_nothing(struct context *cx)
{
    return intern_node(cx, (struct cin){.kind = CIN_NOTHING, .op = OP_NONE});
}

const struct cin *cin_with_args(struct context *cx, const struct cin *cin,
                                const struct cin *const *arg)
{
    if (!cin->args || !memcmp(cin->arg, arg, sizeof *arg * (size_t)cin->args))
        return cin;
    if (cin->kind == CIN_OP) /* the type may change with those of the operands */
        return cin_op(cx, cin->op, arg, cin->args);
    struct cin copy = *cin;
    copy.arg = arg;
    return intern_node(cx, copy);
}

/* ---- new tensors and variables ---- */

static bool same_tensor(const void *entry, const void *key)
{
    const struct tensor_var *a = entry, *b = key;
    return a->name == b->name && a->type == b->type && same_literal(a->fill, b->fill)
           && a->place == b->place && a->pad == b->pad && a->copies == b->copies
           && a->pattern_of == b->pattern_of && a->filled == b->filled
           && format_equal(a->format, b->format)
           && (!a->order || !memcmp(a->extent, b->extent, sizeof *a->extent * (size_t)a->order));
}

const struct tensor_var *cin_made(struct context *cx, struct tensor_var tensor)
{
    uint64_t hash = hash_word(HASH_START, (uintptr_t)tensor.name);
    for (int k = 0; k < tensor.order; k++)
        hash = hash_word(hash, (uintptr_t)tensor.extent[k]);
    const struct tensor_var *made = table_find(&cx->tensors, hash, same_tensor, &tensor);
    if (!made) {
        tensor.extent =
            arena_copy(cx->arena, tensor.extent, sizeof *tensor.extent * (size_t)tensor.order);
        made = arena_copy(cx->arena, &tensor, sizeof tensor);
        table_add(cx->arena, &cx->tensors, hash, made);
    }
    return made;
}

const struct tensor_var *cin_temporary(struct context *cx, const char *name, enum type type,
                                       struct value fill)
{
    return cin_workspace(cx, name, type, fill,
                         format_dense(cx, 0, (struct format_defaults){TYPE_I32, TYPE_I32}), NULL,
                         0);
}

const struct tensor_var *cin_workspace(struct context *cx, const char *name, enum type type,
                                       struct value fill, const struct format *format,
                                       const struct index_var *const *extent, int order)
{
    context_assert(cx, format->order == order);
    return cin_made(cx, (struct tensor_var){.name = intern(cx, name),
                                            .order = order,
                                            .type = type,
                                            .fill = value_convert(fill, type),
                                            .format = format,
                                            .extent = extent,
                                            .temporary = true,
                                            .rank = -1});
}

bool cin_is_same_place(const struct cin *a, const struct cin *b)
{
    bool same =
        tensor_var_stored(a->tensor) == tensor_var_stored(b->tensor) && a->indices == b->indices;
    for (int i = 0; i < a->indices && same; i++)
        same = a->index[i] == b->index[i];
    return same;
}

static bool same_var(const void *entry, const void *key)
{
    const struct index_var *a = entry, *b = key;
    return a->name == b->name && a->size == b->size && a->most == b->most
           && a->multiple == b->multiple && a->like == b->like;
}

const struct index_var *cin_var(struct context *cx, struct index_var var)
{
    uint64_t hash = hash_word(hash_word(HASH_START, (uintptr_t)var.name), (uintptr_t)var.like);
    const struct index_var *made = table_find(&cx->vars, hash, same_var, &var);
    if (!made) {
        made = arena_copy(cx->arena, &var, sizeof var);
        table_add(cx->arena, &cx->vars, hash, made);
    }
    return made;
}

/* ---- questions ---- */

bool cin_any(const struct cin *cin, bool (*visit)(const struct cin *cin, void *data), void *data)
{
    if (visit(cin, data))
        return true;
    for (int i = 0; i < cin->args; i++)
        if (cin_any(cin->arg[i], visit, data))
            return true;
    return false;
}

bool cin_has(const struct cin *cin, enum cin_kind kind)
{
    bool has = cin->kind == kind;
    for (int i = 0; i < cin->args && !has; i++)
        has = cin_has(cin->arg[i], kind);
    return has;
}

static bool is_loop_over(const struct cin *cin, void *var)
{
    return cin->kind == CIN_FORALL && cin->index[0] == var;
}

bool cin_has_loop(const struct cin *cin, const struct index_var *var)
{
    return cin_any(cin, is_loop_over, (void *)(size_t)var);
}

static bool is_node(const struct cin *cin, void *part) { return cin == part; }

bool cin_contains(const struct cin *cin, const struct cin *part)
{
    return cin_any(cin, is_node, (void *)part);
}

static bool accesses_by(const struct cin *cin, void *var)
{
    for (int i = 0; cin->kind == CIN_ACCESS && i < cin->indices; i++)
        if (cin->index[i] == var)
            return true;
    return false;
}

const struct cin_tag *cin_find_tag(const struct cin_program *program, const struct index_var *var,
                                   enum cin_tag_kind kind)
{
    for (int i = 0; i < program->tags; i++)
        if (program->tag[i].var == var && program->tag[i].kind == kind)
            return &program->tag[i];
    return NULL;
}

const char *cin_tag_says(const struct cin_tag *tag)
{
    return tag->kind == TAG_GEMM ? "of a matrix product" : "unrolled, vectorized or parallel";
}

bool cin_is_tagged(const struct cin_program *program, const struct index_var *var)
{
    bool is = false;
    for (int i = 0; i < program->tags; i++)
        is |= program->tag[i].var == var;
    return is;
}

const struct cin_tag *cin_parallel(const struct cin_program *program, const struct cin *statement)
{
    return statement->kind == CIN_FORALL ? cin_find_tag(program, statement->index[0], TAG_PARALLEL)
                                         : NULL;
}

static bool is_parallel(const struct cin *cin, void *program) { return cin_parallel(program, cin); }

bool cin_has_parallel(const struct cin_program *program, const struct cin *statement)
{
    return cin_any(statement, is_parallel, (void *)(size_t)program);
}

/* The program, and the loop that was found. */
struct gpu_search {
    const struct cin_program *program;
    const struct cin_tag *tag;
};

static bool is_gpu(const struct cin *cin, void *data)
{
    struct gpu_search *search = data;
    const struct cin_tag *tag = cin_parallel(search->program, cin);
    if (tag && cin_unit_is_gpu(tag->unit))
        search->tag = tag;
    return search->tag != NULL;
}

const struct cin_tag *cin_gpu(const struct cin_program *program, const struct cin *statement)
{
    struct gpu_search search = {program, NULL};
    cin_any(statement, is_gpu, &search);
    return search.tag;
}

bool cin_uses_var(const struct cin *cin, const struct index_var *var)
{
    return cin_any(cin, accesses_by, (void *)var);
}

static bool accesses_tensor(const struct cin *cin, void *tensor)
{
    return cin->kind == CIN_ACCESS && cin->tensor == tensor;
}

bool cin_uses_tensor(const struct cin *cin, const struct tensor_var *tensor)
{
    return cin_any(cin, accesses_tensor, (void *)tensor);
}

static bool asks_for_tensor(const struct cin *cin, void *tensor)
{
    return cin->kind == CIN_OP && cin->op == OP_STORED && accesses_tensor(cin->arg[0], tensor);
}

bool cin_asks_for(const struct cin *cin, const struct tensor_var *tensor)
{
    return cin_any(cin, asks_for_tensor, (void *)tensor);
}

bool cin_alike(const struct cin *a, const struct cin *b)
{
    if (a == b)
        return true;
    if (a->kind != b->kind || a->type != b->type || a->op != b->op || a->tensor != b->tensor
        || a->args != b->args || a->indices != b->indices)
        return false;
    if (a->kind == CIN_LITERAL)
        return value_equal(a->value, b->value);
    for (int i = 0; i < a->indices; i++)
        if (a->index[i] != b->index[i])
            return false;
    for (int i = 0; i < a->args; i++)
        if (!cin_alike(a->arg[i], b->arg[i]))
            return false;
    return true;
}

/* Is the user's operator computed in the type of its value? */
static bool is_of_one_type(const struct cin *e)
{
    enum type type[CIN_ARGS_MAX];
    for (int i = 0; i < e->args; i++)
        type[i] = e->arg[i]->type;
    return operator_compute_type(e->op, type) == e->type;
}

bool cin_is_difference(const struct cin *e)
{
    return e->kind == CIN_OP && e->type != TYPE_BOOL && (e->op == OP_SUB || e->op == OP_NEG);
}

bool cin_op_distributes(struct context *cx, const struct cin *e, enum op_side side, enum op over)
{
    if (e->kind == CIN_OP && op_is_user(e->op)) /* its laws were tested in this type */
        return e->args == 2 && is_of_one_type(e) && operator_distributes(cx, e->op, side, over);
    if (e->kind == CIN_OP && e->op == OP_KEEP) /* keeps all terms or none */
        return side == SIDE_LEFT;
    /* integer division truncates each operand */
    if (e->kind != CIN_OP || (e->op == OP_DIV && type_is_integer(e->type)))
        return false;
    bool wraps = type_is_integer(e->type) && e->op != OP_MIN && e->op != OP_MAX;
    if (wraps && (over == OP_MIN || over == OP_MAX)) /* wrapping does not keep the order */
        return false;
    if (e->args == 1)
        return e->op == OP_NEG && over == OP_ADD;
    return e->args == 2 && op_distributes(e->op, side, over);
}

bool cin_distributes(struct context *cx, const struct cin *e, const struct cin *part, enum op over)
{
    if (e == part)
        return true;
    for (int side = 0; side < e->args && e->args <= 2; side++) {
        bool passes = cin_op_distributes(cx, e, (enum op_side)side, over);
        bool once = e->args == 1 || !cin_contains(e->arg[!side], part);
        if (passes && once && cin_distributes(cx, e->arg[side], part, over))
            return true;
    }
    return false;
}

bool cin_list_has(const struct cin_list *list, const struct cin *cin)
{
    for (size_t i = 0; i < list->n; i++)
        if (list->at[i] == cin)
            return true;
    return false;
}

void cin_list_add(struct context *cx, struct cin_list *list, const struct cin *cin)
{
    if (cin_list_has(list, cin))
        return;
    arena_spend(cx->arena, list->n / 2); /* the comparisons until the next one is added */
    vec_push(cx->arena, list, cin);
}

static void add_chain(struct context *cx, const struct cin *e, enum op op, const enum type *type,
                      struct cin_list *list)
{
    bool chain = e->kind == CIN_OP && e->op == op && (!type || e->type == *type);
    for (int i = 0; i < e->args && chain; i++)
        add_chain(cx, e->arg[i], op, type, list);
    if (!chain)
        vec_push(cx->arena, list, e);
}

struct cin_list cin_chain(struct context *cx, const struct cin *e, enum op op,
                          const enum type *type)
{
    struct cin_list list = {0};
    add_chain(cx, e, op, type, &list);
    return list;
}

static void collect_operands(struct context *cx, const struct cin *cin, struct cin_list *operands)
{
    if (cin->kind == CIN_ACCESS)
        cin_list_add(cx, operands, cin);
    for (int i = cin->kind == CIN_ASSIGN; i < cin->args; i++)
        collect_operands(cx, cin->arg[i], operands);
}

static void collect_assignments(struct context *cx, const struct cin *cin,
                                struct cin_list *assignments)
{
    if (cin->kind == CIN_ASSIGN)
        cin_list_add(cx, assignments, cin);
    if (cin->kind == CIN_ASSIGN || cin_is_expression(cin))
        return;
    for (int i = 0; i < cin->args; i++)
        collect_assignments(cx, cin->arg[i], assignments);
}

struct cin_list cin_operands(struct context *cx, const struct cin *cin)
{
    struct cin_list operands = {0};
    collect_operands(cx, cin, &operands);
    return operands;
}

struct cin_list cin_assignments(struct context *cx, const struct cin *cin)
{
    struct cin_list assignments = {0};
    collect_assignments(cx, cin, &assignments);
    return assignments;
}

struct scalar_search {
    const struct cin *consumer;
};

static bool makes_scalar(const struct cin *cin, void *data)
{
    const struct scalar_search *s = data;
    return cin->kind == CIN_ASSIGN && cin->arg[0]->tensor->order == 0
           && cin_uses_tensor(s->consumer, cin->arg[0]->tensor);
}

const struct cin *cin_copy(const struct cin *s)
{
    for (; s->kind == CIN_WHERE || s->kind == CIN_FORALL; s = s->arg[0]) {
        struct scalar_search search = {s->arg[0]};
        if (s->kind == CIN_WHERE && cin_any(s->arg[1], makes_scalar, &search))
            return NULL;
    }
    return s->kind == CIN_ASSIGN ? s : NULL;
}
