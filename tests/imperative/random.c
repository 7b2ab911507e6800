/* random.c - random imperative programs.
 *
 * Positions are masked to the arrays' length, loops count to small limits, what is declared has a
 * value: so that every program runs to its end, and the interpreter must find no fault.  Parts of
 * parallel loops read what no part writes, store at places of their own or atomically, and hand
 * arrays over.
 *
 * SPDX-License-Identifier: MIT
 */
#include "tests/imperative/random.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/base/vec.h"
#include "compiler/imperative/builder.h"

typedef const struct imp *expr;

enum { DEPTH = 3, STATEMENTS = 5 };

struct generator {
    struct context *cx;
    struct rng *rng;
    struct imp_builder b;
    VEC(const struct imp_var *) scalar; /* in scope */
    VEC(const struct imp_var *) assignable;
    VEC(const struct imp_var *) array; /* of RANDOM_ELEMENTS, written */
    VEC(struct imp_param) param;
    const struct imp_function *helper, *effect;
    /* what it is always called with, but for the first */
    const struct imp *const *effect_arg;
    const struct imp_var *out, *count, *capacity;
    int names, loops, depth;
    bool parallel; /* in a part */
};

/* ---- values ---- */

static double random_real(struct rng *rng)
{
    static const double special[] = {0.0,   -0.0, 1.0,   -1.0,     0.5,       2.5, -2.5, 1e10,
                                     -1e10, 3e38, 1e300, INFINITY, -INFINITY, NAN, NAN};
    if (rng_percent(rng, 30))
        return special[rng_below(rng, sizeof special / sizeof *special)];
    return (double)(rng_below(rng, 2001) - 1000) / 8;
}

struct value random_value(struct rng *rng, enum type type)
{
    if (type_is_float(type))
        return value_real(type, random_real(rng));
    if (type_is_complex(type)) {
        double re = random_real(rng);
        return value_complex(type, re, random_real(rng));
    }
    int kind = rng_below(rng, 10);
    if (kind == 0)
        return value_highest(type);
    if (kind == 1)
        return value_lowest(type);
    return value_int(type, kind == 2 ? (int64_t)rng_next(rng) : rng_below(rng, 20) - 5);
}

static enum type random_type(struct generator *g)
{
    return (enum type)rng_below(g->rng, TYPE_COUNT);
}

static const char *fresh(struct generator *g, const char *stem)
{
    return arena_printf(g->cx->arena, "%s%d", stem, g->names++);
}

/* ---- expressions ---- */

static expr expression(struct generator *g, enum type type, int depth);

static expr position(struct generator *g, int depth)
{
    enum type type = rng_percent(g->rng, 70)   ? TYPE_I32
                     : rng_percent(g->rng, 50) ? TYPE_I64
                                               : TYPE_U8;
    return imp_op2(g->cx, OP_AND, expression(g, type, depth),
                   imp_int(g->cx, type, RANDOM_ELEMENTS - 1));
}

static expr leaf(struct generator *g, enum type type)
{
    for (int tries = 0; tries < 4 && g->scalar.n; tries++) {
        const struct imp_var *var = g->scalar.at[rng_below(g->rng, (int)g->scalar.n)];
        if (var->type == type)
            return imp_read(g->cx, var);
    }
    return imp_literal(g->cx, random_value(g->rng, type));
}

static expr random_load(struct generator *g, enum type type, int depth)
{
    for (int tries = 0; tries < 8; tries++) {
        const struct imp_param *param = &g->param.at[rng_below(g->rng, (int)g->param.n)];
        if (param->var->array && !param->out && param->var->type == type
            && (param->var->constant || !g->parallel))
            return imp_load(g->cx, param->var, position(g, depth));
    }
    return leaf(g, type);
}

static expr comparison(struct generator *g, int depth)
{
    static const enum op ops[] = {OP_EQ, OP_NE, OP_LT, OP_LE, OP_GT, OP_GE};
    enum type pair[2] = {random_type(g), random_type(g)};
    if (rng_percent(g->rng, 60))
        pair[1] = pair[0];
    enum op op = ops[rng_below(g->rng, 6)];
    if (!op_accepts(op, pair))
        op = OP_NE;
    expr left = expression(g, pair[0], depth), right = expression(g, pair[1], depth);
    return imp_op2(g->cx, op, left, right);
}

bool random_is_exact(enum op op, enum type type)
{
    static const enum op any[] = {OP_ADD, OP_SUB, OP_NEG, OP_REAL, OP_IMAG, OP_CONJ, OP_SELECT};
    static const enum op real[] = {OP_MUL,   OP_DIV, OP_MIN,  OP_MAX, OP_AND,     OP_OR,   OP_XOR,
                                   OP_NOT,   OP_ABS, OP_SIGN, OP_MOD, OP_FLOOR,   OP_CEIL, OP_ROUND,
                                   OP_TRUNC, OP_SHL, OP_SHR,  OP_CTZ, OP_POPCOUNT};
    for (size_t i = 0; i < sizeof any / sizeof *any; i++)
        if (any[i] == op)
            return true;
    for (size_t i = 0; i < sizeof real / sizeof *real; i++)
        if (real[i] == op)
            return !type_is_complex(type);
    return op == OP_SQRT && type_is_float(type);
}

/* An operator on operands of the type that gives the type. */
static expr operation(struct generator *g, enum type type, int depth)
{
    const enum type operand[] = {type, type, type};
    for (int tries = 0; tries < 20; tries++) {
        enum op op = (enum op)rng_below(g->rng, OP_COUNT);
        if (!random_is_exact(op, type) || !op_accepts(op, operand)
            || op_result_type(op, operand) != type || op_compute_type(op, operand) != type)
            continue;
        expr arg[3];
        for (int i = 0; i < op_arity(op); i++)
            arg[i] = op == OP_SELECT && i == 0 ? comparison(g, depth) : expression(g, type, depth);
        return imp_op(g->cx, op, arg, op_arity(op));
    }
    return leaf(g, type);
}

static expr conversion(struct generator *g, enum type type, int depth)
{
    enum type from = random_type(g);
    if (type_is_complex(from) && !type_is_complex(type))
        from = type_real(from);
    return imp_cast(g->cx, type, expression(g, from, depth));
}

static expr call(struct generator *g, enum type type, int depth)
{
    if (!g->helper)
        return leaf(g, type);
    expr arg[4];
    for (int i = 0; i < g->helper->params; i++)
        arg[i] = expression(g, g->helper->param[i].var->type, depth);
    return imp_cast(g->cx, type, imp_call(g->cx, g->helper, arg, g->helper->params));
}

static expr expression(struct generator *g, enum type type, int depth)
{
    int kind = rng_below(g->rng, 100);
    if (depth <= 0 || kind < 25)
        return leaf(g, type);
    if (type == TYPE_BOOL && kind < 60)
        return comparison(g, depth - 1);
    if (kind < 65)
        return operation(g, type, depth - 1);
    if (kind < 80)
        return conversion(g, type, depth - 1);
    return kind < 97 || type_is_complex(type) ? random_load(g, type, depth - 1)
                                              : call(g, type, depth - 1);
}

/* ---- statements ---- */

static void statements(struct generator *g, int n);

/* A block of statements; what it declares goes out of scope. */
static expr block(struct generator *g, int n)
{
    size_t scalars = g->scalar.n, assignables = g->assignable.n;
    imp_begin(&g->b);
    g->depth++;
    statements(g, n);
    g->depth--;
    g->scalar.n = scalars;
    g->assignable.n = assignables;
    return imp_end(&g->b);
}

static void declaration(struct generator *g)
{
    struct imp_var *var = imp_var(g->cx, fresh(g, "v"), random_type(g));
    imp_let(&g->b, var, expression(g, var->type, DEPTH));
    vec_push(g->cx->arena, &g->scalar, (const struct imp_var *)var);
    vec_push(g->cx->arena, &g->assignable, (const struct imp_var *)var);
}

/* An operator for `x op= e`, or OP_NONE. */
static enum op compound(struct generator *g, enum type type)
{
    static const enum op ops[] = {OP_ADD, OP_SUB, OP_MUL, OP_DIV, OP_MIN,
                                  OP_MAX, OP_AND, OP_OR,  OP_XOR, OP_MOD};
    const enum type operand[] = {type, type};
    enum op op = ops[rng_below(g->rng, 10)];
    return rng_percent(g->rng, 60) && op_accepts(op, operand) && random_is_exact(op, type)
               ? op
               : OP_NONE;
}

static void assignment(struct generator *g)
{
    if (!g->assignable.n)
        return;
    const struct imp_var *var = g->assignable.at[rng_below(g->rng, (int)g->assignable.n)];
    enum op op = compound(g, var->type);
    imp_add(&g->b, imp_assign(g->cx, var, op, expression(g, var->type, DEPTH)));
}

static void store(struct generator *g)
{
    const struct imp_var *array = g->array.at[rng_below(g->rng, (int)g->array.n)];
    expr at = position(g, 2);
    enum op op = compound(g, array->type);
    imp_add(&g->b, imp_store(g->cx, array, at, op, expression(g, array->type, DEPTH)));
}

static void conditional(struct generator *g)
{
    expr then = block(g, 2), otherwise = rng_percent(g->rng, 50) ? block(g, 2) : NULL;
    if (rng_percent(g->rng, 20)) {
        expr condition = comparison(g, 2);
        otherwise = imp_if(g->cx, condition, block(g, 1), otherwise);
    }
    imp_add(&g->b, imp_if(g->cx, comparison(g, 2), then, otherwise));
}

/* A constant for a variable. */
static void constant(struct generator *g)
{
    if (!g->assignable.n)
        return;
    const struct imp_var *var = g->assignable.at[rng_below(g->rng, (int)g->assignable.n)];
    imp_add(&g->b,
            imp_assign(g->cx, var, OP_NONE, imp_literal(g->cx, random_value(g->rng, var->type))));
}

static void counted_loop(struct generator *g)
{
    static const enum type types[] = {TYPE_I32, TYPE_I64, TYPE_U8, TYPE_I16};
    struct imp_var *var = imp_var(g->cx, fresh(g, "i"), types[rng_below(g->rng, 4)]);
    expr begin = imp_int(g->cx, var->type, rng_below(g->rng, 3)),
         end = imp_int(g->cx, TYPE_I32, rng_below(g->rng, 5));
    if (rng_percent(g->rng, 30))
        end = imp_op2(g->cx, OP_AND, expression(g, TYPE_I32, 1), imp_int(g->cx, TYPE_I32, 3));
    struct imp_var *limit = imp_var(g->cx, fresh(g, "n"), TYPE_I32);
    end = imp_let(&g->b, limit, end);
    vec_push(g->cx->arena, &g->scalar, (const struct imp_var *)var);
    imp_begin(&g->b);
    if (rng_percent(g->rng, 20))
        imp_add(&g->b, imp_if(g->cx, comparison(g, 1), imp_break(g->cx), NULL));
    if (rng_percent(g->rng, 20))
        constant(g);
    imp_add(&g->b, block(g, 3));
    expr body = imp_end(&g->b);
    g->scalar.n--;
    imp_add(&g->b, imp_for(g->cx, var, begin, end, 1 + rng_below(g->rng, 2), body));
}

/* A loop on a counter of its own, which other statements may read but not assign. */
static void while_loop(struct generator *g)
{
    struct imp_var *var = imp_var(g->cx, fresh(g, "w"), TYPE_I32);
    expr counter = imp_let(&g->b, var, imp_int(g->cx, TYPE_I32, 0));
    vec_push(g->cx->arena, &g->scalar, (const struct imp_var *)var);
    imp_begin(&g->b);
    if (rng_percent(g->rng, 30))
        imp_add(&g->b, imp_if(g->cx, comparison(g, 1), imp_break(g->cx), NULL));
    imp_add(&g->b, block(g, 2));
    imp_add(&g->b,
            imp_assign(g->cx, var, OP_ADD, imp_int(g->cx, TYPE_I32, 1 + rng_below(g->rng, 2))));
    expr body = imp_end(&g->b),
         condition = imp_op2(g->cx, OP_LT, counter, imp_int(g->cx, TYPE_I32, rng_below(g->rng, 5)));
    if (rng_percent(g->rng, 30))
        condition = imp_op2(g->cx, OP_AND, condition, comparison(g, 1));
    imp_add(&g->b, imp_while(g->cx, condition, body));
}

/* Append to the out array. */
static void append(struct generator *g)
{
    expr count = imp_read(g->cx, g->count), room = imp_read(g->cx, g->capacity);
    imp_begin(&g->b);
    imp_add(&g->b, imp_assign(g->cx, g->capacity, OP_MUL, imp_int(g->cx, g->capacity->type, 2)));
    imp_add(&g->b, imp_resize(g->cx, g->out, room));
    imp_add(&g->b, imp_if(g->cx, imp_op2(g->cx, OP_GE, count, room), imp_end(&g->b), NULL));
    imp_add(&g->b, imp_store(g->cx, g->out, count, OP_NONE, expression(g, g->out->type, 2)));
    imp_add(&g->b, imp_assign(g->cx, g->count, OP_ADD, imp_int(g->cx, TYPE_I32, 1)));
}

/* An array that is made, filled, used and released. */
static void workspace(struct generator *g)
{
    enum type type = random_type(g);
    struct imp_var *array = imp_array(g->cx, fresh(g, "work"), type, false);
    expr n = imp_int(g->cx, TYPE_I32, RANDOM_ELEMENTS);
    imp_add(&g->b, imp_declare(g->cx, array, NULL));
    imp_add(&g->b, imp_alloc(g->cx, array, n));
    imp_add(&g->b, imp_fill(g->cx, array, imp_int(g->cx, TYPE_I32, 0), n,
                            rng_percent(g->rng, 50) ? imp_literal(g->cx, value_zero(type))
                                                    : expression(g, type, 2)));
    vec_push(g->cx->arena, &g->array, (const struct imp_var *)array);
    imp_add(&g->b, block(g, 2));
    g->array.n--;
    const struct imp_var *to = g->array.at[rng_below(g->rng, (int)g->array.n)];
    const struct imp *from = imp_load(g->cx, array, position(g, 1));
    imp_add(&g->b, imp_store(g->cx, to, position(g, 1), OP_NONE, imp_cast(g->cx, to->type, from)));
    imp_add(&g->b, imp_free(g->cx, array));
}

static void fill(struct generator *g)
{
    const struct imp_var *array = g->array.at[rng_below(g->rng, (int)g->array.n)];
    expr begin = position(g, 1),
         end = imp_op2(g->cx, OP_ADD, begin, imp_int(g->cx, begin->type, rng_below(g->rng, 2)));
    imp_add(&g->b, imp_fill(g->cx, array, begin, end, expression(g, array->type, 1)));
}

/* From another array of the same type, if there is one. */
static void copy(struct generator *g)
{
    const struct imp_var *to = g->array.at[rng_below(g->rng, (int)g->array.n)];
    const struct imp_var *from = g->array.at[rng_below(g->rng, (int)g->array.n)];
    if (from == to || from->type != to->type)
        return;
    expr at = position(g, 1), begin = position(g, 1);
    imp_add(&g->b,
            imp_copy(g->cx, to, at, from, begin, imp_int(g->cx, TYPE_I32, rng_below(g->rng, 2))));
}

static void effect(struct generator *g)
{
    const struct imp *arg[4];
    memcpy(arg, g->effect_arg, sizeof arg);
    arg[0] = expression(g, g->effect->param[0].var->type, 1);
    imp_add(&g->b, imp_do(g->cx, imp_call(g->cx, g->effect, arg, 4)));
}

/* A helper has no memory of its own, cannot fail and calls no other. */
static void statement(struct generator *g)
{
    static const int weight[] = {20, 20, 30, 10, 8, 6, 4, 4, 8, 3, 1, 1, 2},
                     in_helper[] = {20, 20, 30, 10, 8, 6, 4, 4};
    bool deep = g->depth > 2;
    switch (rng_weighted(g->rng, g->effect ? weight : in_helper, g->effect ? 13 : 8)) {
    case 0: declaration(g); break;
    case 1: assignment(g); break;
    case 2: store(g); break;
    case 3: deep ? store(g) : conditional(g); break;
    case 4: deep ? assignment(g) : counted_loop(g); break;
    case 5: deep ? assignment(g) : while_loop(g); break;
    case 6: fill(g); break;
    case 7: copy(g); break;
    case 8: append(g); break;
    case 9: deep ? store(g) : workspace(g); break;
    case 10: effect(g); break;
    case 11: imp_add(&g->b, imp_comment(g->cx, "a comment, with /* and */ in it")); break;
    default:
        if (rng_percent(g->rng, 20))
            imp_add(&g->b,
                    imp_if(g->cx, comparison(g, 1), imp_fail(g->cx, STATUS_TOO_LARGE), NULL));
    }
}

static void statements(struct generator *g, int n)
{
    for (int i = 0; i < n; i++)
        statement(g);
}

/* ---- functions ---- */

static void add_param(struct generator *g, struct imp_var *var, bool out)
{
    struct imp_param param = {.var = var,
                              .role = var->array ? ROLE_VALUES : ROLE_DIMENSION,
                              .out = out,
                              .meaning = "something random"};
    vec_push(g->cx->arena, &g->param, param);
    if (!var->array)
        vec_push(g->cx->arena, &g->scalar, (const struct imp_var *)var);
    else if (!var->constant && !out)
        vec_push(g->cx->arena, &g->array, (const struct imp_var *)var);
}

static struct imp_function *finish(struct generator *g, const char *name)
{
    struct imp_function *function = arena_make(g->cx->arena, struct imp_function);
    function->name = name;
    function->params = (int)g->param.n;
    function->param = g->param.at;
    function->body = imp_end(&g->b);
    return function;
}

static const struct imp_function *random_helper(struct context *cx, struct rng *rng,
                                                const char *name)
{
    struct generator g = {.cx = cx, .rng = rng, .b = {.cx = cx}, .depth = 3};
    enum type result = random_type(&g);
    while (type_is_complex(result))
        result = random_type(&g);
    imp_begin(&g.b);
    for (int i = 0; i < 2; i++)
        add_param(&g, imp_var(cx, fresh(&g, "a"), random_type(&g)), false);
    declaration(&g);
    assignment(&g);
    imp_add(&g.b, imp_return(cx, expression(&g, result, DEPTH)));
    struct imp_function *function = finish(&g, name);
    function->helper = true;
    function->result = result;
    return function;
}

/* A function that reads one array and writes two. */
static const struct imp_function *random_effect(struct context *cx, struct rng *rng,
                                                const char *name, const struct imp *const *like)
{
    struct generator g = {.cx = cx, .rng = rng, .b = {.cx = cx}};
    imp_begin(&g.b);
    add_param(&g, imp_var(cx, "e", like[0]->type), false);
    for (int i = 1; i < 4; i++)
        add_param(&g, imp_array(cx, fresh(&g, "e"), like[i]->type, i == 1), false);
    statements(&g, 3);
    if (rng_percent(rng, 50))
        imp_add(&g.b, imp_if(cx, comparison(&g, 1), imp_return(cx, NULL), NULL));
    store(&g);
    struct imp_function *function = finish(&g, name);
    function->helper = function->effects = true;
    return function;
}

const struct imp_function *random_program(struct context *cx, struct rng *rng, const char *name)
{
    struct generator g = {.cx = cx, .rng = rng, .b = {.cx = cx}};
    const struct imp_function **helper = arena_array(cx->arena, const struct imp_function *, 2);
    helper[0] = g.helper = random_helper(cx, rng, arena_printf(cx->arena, "%s_helper", name));
    imp_begin(&g.b);
    for (int i = 0; i < 4; i++)
        add_param(&g, imp_var(cx, fresh(&g, "s"), random_type(&g)), false);
    for (int i = 0; i < 6; i++)
        add_param(&g, imp_array(cx, fresh(&g, "x"), random_type(&g), true), false);
    for (int i = 0; i < 4; i++)
        add_param(&g, imp_array(cx, fresh(&g, "y"), random_type(&g), false), false);
    struct imp_var *out = imp_array(cx, fresh(&g, "z"), random_type(&g), false);
    add_param(&g, out, true);
    const struct imp *arg[] = {imp_read(cx, g.param.at[0].var), imp_read(cx, g.param.at[4].var),
                               imp_read(cx, g.param.at[10].var), imp_read(cx, g.param.at[11].var)};
    helper[1] = g.effect = random_effect(cx, rng, arena_printf(cx->arena, "%s_effect", name), arg);
    g.effect_arg = arg;
    struct imp_var *count = imp_var(cx, "count", TYPE_I32);
    struct imp_var *capacity = imp_var(cx, "capacity", rng_percent(rng, 50) ? TYPE_I32 : TYPE_I64);
    g.out = out;
    g.count = count;
    g.capacity = capacity;
    imp_let(&g.b, capacity, imp_int(cx, capacity->type, 1));
    imp_add(&g.b, imp_alloc(cx, out, imp_read(cx, capacity)));
    imp_let(&g.b, count, imp_int(cx, TYPE_I32, 0));
    append(&g);
    statements(&g, STATEMENTS);
    imp_add(&g.b, imp_resize(cx, out, imp_read(cx, count)));
    struct imp_function *function = finish(&g, name);
    function->helpers = 2;
    function->helper_at = helper;
    return function;
}

/* ---- arguments ---- */

struct imp_argument *random_arguments(struct rng *rng, const struct imp_function *function)
{
    struct imp_argument *argument = calloc((size_t)function->params, sizeof *argument);
    for (int i = 0; i < function->params; i++) {
        const struct imp_param *param = &function->param[i];
        enum type type = param->var->type;
        if (!param->var->array)
            argument[i].value = random_value(rng, type);
        if (!param->var->array || param->out)
            continue;
        argument[i].length = RANDOM_ELEMENTS;
        argument[i].data = malloc(RANDOM_ELEMENTS * type_size(type));
        for (size_t at = 0; at < RANDOM_ELEMENTS; at++)
            value_store(random_value(rng, type), (char *)argument[i].data + at * type_size(type));
    }
    return argument;
}

struct imp_argument *copy_arguments(const struct imp_function *function,
                                    const struct imp_argument *argument)
{
    struct imp_argument *copy = malloc(sizeof *copy * (size_t)function->params);
    memcpy(copy, argument, sizeof *copy * (size_t)function->params);
    for (int i = 0; i < function->params; i++) {
        if (!copy[i].data)
            continue;
        size_t size = (size_t)copy[i].length * type_size(function->param[i].var->type);
        copy[i].data = malloc(size + 1);
        memcpy(copy[i].data, argument[i].data, size);
    }
    return copy;
}

void free_arguments(const struct imp_function *function, struct imp_argument *argument)
{
    for (int i = 0; i < function->params; i++)
        free(argument[i].data);
    free(argument);
}

static bool same_real(double a, double b)
{
    return (isnan(a) && isnan(b)) || (a == b && signbit(a) == signbit(b));
}

static bool same_value(struct value a, struct value b)
{
    if (type_is_float(a.type))
        return same_real(a.f, b.f);
    return type_is_complex(a.type) ? same_real(a.c.re, b.c.re) && same_real(a.c.im, b.c.im)
                                   : value_equal(a, b);
}

bool same_elements(enum type type, const void *a, const void *b, int64_t n)
{
    for (size_t i = 0; i < (size_t)n; i++)
        if (!same_value(value_load(type, (const char *)a + i * type_size(type)),
                        value_load(type, (const char *)b + i * type_size(type))))
            return false;
    return true;
}

bool same_results(const struct imp_function *function, const struct imp_argument *a,
                  const struct imp_argument *b)
{
    for (int i = 0; i < function->params; i++) {
        if (!function->param[i].var->array)
            continue;
        if (!a[i].data != !b[i].data || a[i].length != b[i].length
            || (a[i].data
                && !same_elements(function->param[i].var->type, a[i].data, b[i].data, a[i].length)))
            return false;
    }
    return true;
}
