/* parse_statement.c - statements of imperative IR from text.
 *
 * Users name variables.  So a word is a variable's name unless only a word of the language can be
 * followed by what follows it.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/imperative/stream.h"
#include "compiler/imperative/text/parser.h"

enum { STEP_MOST = 1 << 30, ARRAYS_MOST = 1 << 12 };

static const struct imp *parse_statement(struct parser *p);

static const struct imp *nothing(struct parser *p) { return imp_block(p->cx, NULL, 0); }

const struct imp_var *declare(struct parser *p, const struct imp_var *var, int at)
{
    if (find_variable(p, var->name))
        mistake(p, at, DIAG_NAME, "%s is declared already", var->name);
    for (size_t i = 0; i < p->met.n; i++) {
        const struct imp_var *met = p->met.at[i];
        if (met->name == var->name && met->type == var->type && met->lanes == var->lanes
            && met->array == var->array && met->arrays == var->arrays && met->place == var->place
            && met->length == var->length && met->constant == var->constant
            && met->capacity == var->capacity)
            var = met;
    }
    vec_push(p->cx->arena, &p->met, var);
    vec_push(p->cx->arena, &p->scope, var);
    return var;
}

/* Expects the end of a line or of a block. */
static void expect_end(struct parser *p)
{
    if (kind_at(p, 0) == IMP_TOKEN_NEWLINE)
        advance(p, 1);
    else if (kind_at(p, 0) != IMP_TOKEN_END && !token_is(p, 0, "}"))
        mistake(p, p->at, DIAG_SYNTAX, "the end of the statement is expected here");
}

const struct imp *parse_block(struct parser *p)
{
    struct imp_builder b = {.cx = p->cx};
    size_t mark = p->scope.n;
    if (!expect(p, "{") || !enter(p))
        return nothing(p);
    imp_begin(&b);
    expect_end(p);
    while (!p->failed && !token_is(p, 0, "}") && kind_at(p, 0) != IMP_TOKEN_END) {
        imp_add(&b, parse_statement(p));
        expect_end(p);
    }
    expect(p, "}");
    p->scope.n = mark;
    p->depth--;
    return imp_end(&b);
}

static const struct imp *parse_condition(struct parser *p)
{
    int at = p->at + 1;
    expect(p, "(");
    const struct imp *condition = parse_value(p, TYPE_BOOL);
    if (condition->lanes > 1)
        mistake(p, at, DIAG_TYPE, "a condition of %d lanes", condition->lanes);
    expect(p, ")");
    return p->failed ? imp_true(p->cx) : condition;
}

static const struct imp *parse_if(struct parser *p)
{
    if (!expect(p, "if") || !enter(p))
        return nothing(p);
    const struct imp *condition = parse_condition(p), *then = parse_block(p), *otherwise = NULL;
    if (accept(p, "else"))
        otherwise = token_is(p, 0, "if") ? parse_if(p) : parse_block(p);
    p->depth--;
    return imp_if(p->cx, condition, then, otherwise);
}

static const struct imp *parse_while(struct parser *p)
{
    expect(p, "while");
    const struct imp *condition = parse_condition(p);
    return imp_while(p->cx, condition, parse_block(p));
}

/* Reads ++ or += 4. */
static int64_t parse_step(struct parser *p)
{
    if (kind_at(p, 0) != IMP_TOKEN_ASSIGN || token_at(p, 0)->op != OP_ADD) {
        expect(p, "++");
        return 1;
    }
    advance(p, 1);
    int at = p->at;
    int64_t step = parse_count(p, STEP_MOST);
    return step > 0 || !mistake(p, at, DIAG_SYNTAX, "a step forward is expected here") ? step : 1;
}

/* Expects the name of the loop's variable once more. */
static void expect_same(struct parser *p, const char *name)
{
    if (kind_at(p, 0) == IMP_TOKEN_WORD && token_text(p, 0) == name)
        advance(p, 1);
    else
        mistake(p, p->at, DIAG_SYNTAX, "%s is expected here", name);
}

static bool expect_assign(struct parser *p)
{
    if (kind_at(p, 0) != IMP_TOKEN_ASSIGN || token_at(p, 0)->op != OP_NONE)
        return mistake(p, p->at, DIAG_SYNTAX, "= is expected here");
    advance(p, 1);
    return true;
}

/* Reads i32 i = begin, and makes the variable, which is not in scope yet. */
static const struct imp_var *parse_loop_variable(struct parser *p, const struct imp **begin)
{
    enum type type = TYPE_I64;
    int lanes = 1;
    if (!token_type(p, 0, &type, &lanes) || lanes > 1 || !type_is_integer(type)) {
        mistake(p, p->at, DIAG_SYNTAX, "an integer type is expected here");
        type = TYPE_I64;
    }
    advance(p, 1);
    int at = p->at;
    const struct imp_var *var = imp_var(p->cx, expect_name(p, "a variable"), type);
    expect_assign(p);
    *begin = parse_value(p, type);
    if ((*begin)->lanes > 1)
        mistake(p, at, DIAG_TYPE, "%s begins with a vector", var->name);
    return var;
}

/* Reads for (i32 i = begin; i < end; i++) { ... }. */
static const struct imp *parse_for(struct parser *p)
{
    size_t mark = p->scope.n;
    const struct imp *begin;
    int at = p->at;
    expect(p, "for");
    expect(p, "(");
    const struct imp_var *var = parse_loop_variable(p, &begin);
    expect(p, ";");
    expect_same(p, var->name);
    expect(p, "<");
    const struct imp *end = parse_bound(p, var->type);
    expect(p, ";");
    expect_same(p, var->name);
    int64_t step = parse_step(p);
    expect(p, ")");
    var = declare(p, var, at);
    const struct imp *body = parse_block(p);
    p->scope.n = mark;
    return p->failed ? nothing(p) : imp_for(p->cx, var, begin, end, step, body);
}

static bool is_schedule(const struct parser *p, int ahead)
{
    return token_is(p, ahead, "static") || token_is(p, ahead, "dynamic");
}

/* Reads (dynamic, 4), or nothing. */
static enum imp_schedule parse_schedule(struct parser *p, int64_t *chunk)
{
    *chunk = 0;
    if (!accept(p, "("))
        return SCHEDULE_STATIC;
    bool dynamic = accept(p, "dynamic");
    if (!dynamic && !accept(p, "static"))
        mistake(p, p->at, DIAG_SYNTAX, "static or dynamic is expected here");
    if (accept(p, ","))
        *chunk = parse_count(p, STEP_MOST);
    expect(p, ")");
    return dynamic ? SCHEDULE_DYNAMIC : SCHEDULE_STATIC;
}

/* Reads parallel(dynamic, 4) for (i32 part = 0; part < parts; part++) { ... }. */
static const struct imp *parse_parallel(struct parser *p)
{
    size_t mark = p->scope.n;
    const struct imp *begin;
    int64_t chunk;
    expect(p, "parallel");
    enum imp_schedule schedule = parse_schedule(p, &chunk);
    expect(p, "for");
    expect(p, "(");
    int at = p->at;
    const struct imp_var *var = parse_loop_variable(p, &begin);
    if (begin->kind != IMP_LITERAL || !value_is_zero(begin->value))
        mistake(p, at, DIAG_SYNTAX, "a parallel loop begins with 0");
    expect(p, ";");
    expect_same(p, var->name);
    expect(p, "<");
    const struct imp *parts = parse_bound(p, var->type);
    expect(p, ";");
    expect_same(p, var->name);
    expect(p, "++");
    expect(p, ")");
    var = declare(p, var, at);
    const struct imp *body = parse_block(p);
    p->scope.n = mark;
    return p->failed ? nothing(p) : imp_parallel(p->cx, var, parts, schedule, chunk, body);
}

/* Reads arrays(7) w_of. */
static const struct imp *parse_arrays(struct parser *p)
{
    advance(p, 1);
    expect(p, "(");
    int at = p->at, few = (int)parse_count(p, ARRAYS_MOST);
    if (few == 0)
        mistake(p, at, DIAG_SYNTAX, "a number of arrays is expected here");
    expect(p, ")");
    at = p->at;
    const struct imp_var *var = imp_arrays(p->cx, expect_name(p, "an array"), few);
    var = declare(p, var, at);
    return p->failed ? nothing(p) : imp_declare(p->cx, var, NULL);
}

/* Does a type stand here, followed by what is declared? */
static bool is_declaration(const struct parser *p, int ahead)
{
    enum type type;
    int lanes;
    return token_type(p, ahead, &type, &lanes)
           && (kind_at(p, ahead + 1) == IMP_TOKEN_WORD || token_is(p, ahead + 1, "*"));
}

static bool is_capacity(const struct parser *p)
{
    return token_is(p, 0, "capacity") && is_declaration(p, 1);
}

/* Reads i32 p = q, f64x4 v, i32 *crd or capacity i32 room = 16. */
static const struct imp *parse_declaration(struct parser *p)
{
    enum type type;
    int lanes;
    bool capacity = is_capacity(p);
    token_type(p, capacity, &type, &lanes);
    advance(p, 1 + capacity);
    bool array = accept(p, "*");
    int at = p->at;
    struct imp_var *var = array ? imp_array(p->cx, expect_name(p, "an array"), type, false)
                                : imp_var(p->cx, expect_name(p, "a variable"), type);
    var->lanes = lanes;
    var->capacity = capacity;
    const struct imp *init = NULL;
    if (kind_at(p, 0) == IMP_TOKEN_ASSIGN) {
        expect_assign(p);
        init = is_update(p) ? parse_update(p, type) : parse_value(p, type);
        if (array || init->lanes != lanes)
            mistake(p, at, DIAG_TYPE, "%s is declared with another value", var->name);
    }
    if (array && lanes > 1)
        mistake(p, at, DIAG_TYPE, "an array of vectors");
    const struct imp_var *declared = declare(p, var, at);
    return p->failed ? nothing(p) : imp_declare(p->cx, declared, init);
}

/* Does `v op= e` give a value of v's type? */
static bool check_assignment(struct parser *p, enum op op, enum type type, int at)
{
    const enum type operand[] = {type, type};
    if (op == OP_NONE || (op_accepts(op, operand) && op_result_type(op, operand) == type))
        return true;
    return mistake(p, at, DIAG_TYPE, "there is no %s= of %s", op_name(op), type_name(type));
}

const struct imp *parse_assigned(struct parser *p, enum type type, enum op *op)
{
    int at = p->at;
    *op = token_at(p, 0)->op;
    if (kind_at(p, 0) != IMP_TOKEN_ASSIGN)
        mistake(p, p->at, DIAG_SYNTAX, "an assignment is expected here");
    else
        check_assignment(p, *op, type, at);
    advance(p, 1);
    return is_update(p) ? parse_update(p, type) : parse_value(p, type);
}

static const struct imp *parse_assign(struct parser *p, const struct imp_var *var)
{
    enum op op;
    int at = p->at;
    advance(p, 1);
    const struct imp *value = parse_assigned(p, var->type, &op);
    if (value->lanes != var->lanes)
        mistake(p, at, DIAG_TYPE, "%s is assigned %d lanes", var->name, value->lanes);
    return p->failed ? nothing(p) : imp_assign(p->cx, var, op, value);
}

static const struct imp *parse_store(struct parser *p, enum imp_kind kind)
{
    const struct imp_var *array = find_variable(p, token_text(p, 0));
    enum op op;
    int at = p->at;
    advance(p, 2);
    const struct imp *position = parse_integer(p);
    int lanes = parse_lanes(p);
    expect(p, "]");
    const struct imp *value = parse_assigned(p, array->type, &op);
    if (value->lanes != lanes || (kind == IMP_ATOMIC && lanes > 1))
        mistake(p, at, DIAG_TYPE, "%d lanes are stored in %d", value->lanes,
                kind == IMP_ATOMIC ? 1 : lanes);
    if (p->failed)
        return nothing(p);
    return kind == IMP_ATOMIC ? imp_atomic(p->cx, array, position, op, value)
                              : imp_store(p->cx, array, position, op, value);
}

/* Reads stream y[i .. +4] = v. */
static const struct imp *parse_streamed(struct parser *p)
{
    expect(p, "stream");
    const struct imp_var *var = find_variable(p, token_text(p, 0));
    if (!var || !var->array || !token_is(p, 1, "[")) {
        mistake(p, p->at, DIAG_NAME, "an element of an array is expected here");
        return nothing(p);
    }
    int at = p->at;
    const struct imp *store = parse_store(p, IMP_STORE);
    if (!p->failed && store->op != OP_NONE)
        mistake(p, at, DIAG_TYPE, "what is streamed is not combined");
    return p->failed ? store : imp_streamed(p->cx, store);
}

/* Reads an array or an array of arrays, as the letter says (imperative.def). */
static const struct imp_var *parse_array(struct parser *p, char takes)
{
    const struct imp_var *var = find_variable(p, token_text(p, 0));
    bool arrays = takes == 's' || (takes == 'e' && var && var->arrays);
    return arrays ? expect_arrays(p) : expect_array(p);
}

static const struct imp *parse_taken(struct parser *p, char takes, const struct imp_var *of)
{
    if (takes == 'p')
        return parse_integer(p);
    if (takes == 'v')
        return of ? parse_value(p, of->type) : NULL;
    const struct imp_var *array = parse_array(p, takes);
    return array ? imp_read(p->cx, array) : NULL;
}

/* Reads alloc(a, n), keep(a_of, part * 2, a) and the like. */
static const struct imp *parse_memory(struct parser *p, enum imp_kind kind)
{
    const char *takes = imp_memory_of(kind)->takes;
    const struct imp *arg[IMP_MEMORY_ARGS];
    advance(p, 1);
    expect(p, "(");
    const struct imp_var *array = parse_array(p, *takes++);
    for (int i = 0; takes[i]; i++) {
        expect(p, ",");
        arg[i] = parse_taken(p, takes[i], array);
        if (!p->failed && takes[i] == 'v' && arg[i]->lanes > 1)
            mistake(p, p->at, DIAG_TYPE, "an array filled with a vector");
    }
    expect(p, ")");
    return p->failed ? nothing(p) : imp_memory(p->cx, kind, array, arg);
}

static const struct imp *parse_return(struct parser *p)
{
    int at = p->at;
    expect(p, "return");
    bool valued = kind_at(p, 0) != IMP_TOKEN_NEWLINE && kind_at(p, 0) != IMP_TOKEN_END
                  && !token_is(p, 0, "}");
    if (!p->helper || valued == p->effects)
        mistake(p, at, DIAG_SYNTAX,
                p->helper ? "a return with a value too many or too few" : "a return in a kernel");
    const struct imp *value = valued ? parse_value(p, p->result) : NULL;
    return imp_return(p->cx, value);
}

static const struct imp *parse_fail(struct parser *p)
{
    int at = p->at + 1;
    expect(p, "fail");
    int64_t status = parse_count(p, STATUS_STOPPED);
    if (status == STATUS_OK)
        mistake(p, at, DIAG_SYNTAX, "the status of a failure is expected here");
    return p->failed ? nothing(p) : imp_fail(p->cx, (enum imp_status)status);
}

/* Reads the call of a helper for its effect. */
static const struct imp *parse_do(struct parser *p)
{
    const struct imp *call = parse_call(p, true);
    return p->failed ? nothing(p) : imp_do(p->cx, call);
}

static const struct imp *parse_variable(struct parser *p)
{
    const struct imp_var *var = find_variable(p, token_text(p, 0));
    if (var && var->array == token_is(p, 1, "["))
        return var->array ? parse_store(p, IMP_STORE) : parse_assign(p, var);
    mistake(p, p->at, DIAG_NAME, var ? "%s is used as what it is not" : "%s is not declared here",
            token_text(p, 0));
    return nothing(p);
}

/* Reads atomic y[i] += t. */
static const struct imp *parse_atomic(struct parser *p)
{
    expect(p, "atomic");
    const struct imp_var *var = find_variable(p, token_text(p, 0));
    if (var && var->array && token_is(p, 1, "["))
        return parse_store(p, IMP_ATOMIC);
    mistake(p, p->at, DIAG_NAME, "an element of an array is expected here");
    return nothing(p);
}

/* Reads fetch n = A2_pos[m], or fetch i32 n = A2_pos[m]. */
static const struct imp *parse_fetch(struct parser *p)
{
    advance(p, 1);
    int at = p->at;
    return fetched(p, is_declaration(p, 0) ? parse_declaration(p) : parse_variable(p), at);
}

/* Returns the kind of a statement that begins with a word and a parenthesis, IMP_BLOCK if it is
 * none. */
static enum imp_kind memory_kind(const struct parser *p)
{
    for (int kind = 0; kind < IMP_KINDS; kind++) {
        const struct imp_memory *memory = imp_memory_of((enum imp_kind)kind);
        if (memory && token_is(p, 0, memory->word) && token_is(p, 1, "("))
            return (enum imp_kind)kind;
    }
    return IMP_BLOCK;
}

static const struct imp *parse_marked(struct parser *p)
{
    const struct imp_mark *mark = parse_mark(p);
    int at = p->at;
    const struct imp *imp = token_is(p, 0, "[") ? nothing(p) : parse_statement(p);
    bool may = imp->kind == IMP_FOR || imp->kind == IMP_WHILE || imp->kind == IMP_FILL
               || imp->kind == IMP_IF;
    if (!may)
        mistake(p, at, DIAG_SYNTAX, "a loop, a fill or an if is expected here");
    return p->failed ? nothing(p) : imp_marked(p->cx, imp, mark);
}

static const struct imp *parse_statement(struct parser *p)
{
    enum imp_kind memory = memory_kind(p);
    if (kind_at(p, 0) == IMP_TOKEN_COMMENT) {
        const char *text = token_text(p, 0);
        advance(p, 1);
        return imp_comment(p->cx, text);
    }
    if (token_is(p, 0, "{"))
        return parse_block(p);
    if (token_is(p, 0, "["))
        return parse_marked(p);
    if (memory != IMP_BLOCK)
        return parse_memory(p, memory);
    bool parallel = token_is(p, 0, "parallel");
    if (parallel && (token_is(p, 1, "for") || (token_is(p, 1, "(") && is_schedule(p, 2))))
        return parse_parallel(p);
    if (token_is(p, 0, "atomic") && kind_at(p, 1) == IMP_TOKEN_WORD)
        return parse_atomic(p);
    if (token_is(p, 0, "stream") && kind_at(p, 1) == IMP_TOKEN_WORD)
        return parse_streamed(p);
    if (token_is(p, 0, "fetch") && kind_at(p, 1) == IMP_TOKEN_WORD)
        return parse_fetch(p);
    if (is_launch(p))
        return parse_launch(p);
    if (is_placed(p))
        return parse_placed(p);
    if (is_barrier(p))
        return parse_barrier(p);
    if (kind_at(p, 1) == IMP_TOKEN_ASSIGN || token_is(p, 1, "["))
        return parse_variable(p);
    if (is_capacity(p) || is_declaration(p, 0))
        return parse_declaration(p);
    if (token_is(p, 0, "arrays") && token_is(p, 3, ")") && kind_at(p, 4) == IMP_TOKEN_WORD)
        return parse_arrays(p);
    if (token_is(p, 0, "if"))
        return parse_if(p);
    if (token_is(p, 0, "while"))
        return parse_while(p);
    if (token_is(p, 0, "for"))
        return parse_for(p);
    if (accept(p, "break"))
        return imp_break(p->cx);
    if (token_is(p, 0, "return"))
        return parse_return(p);
    if (token_is(p, 0, "fail"))
        return parse_fail(p);
    if (kind_at(p, 0) == IMP_TOKEN_WORD && (token_is(p, 1, "(") || token_is(p, 1, "<")))
        return parse_do(p);
    mistake(p, p->at, DIAG_SYNTAX, "a statement is expected here");
    return nothing(p);
}
