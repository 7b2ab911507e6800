/* loops.c - random loops of the kinds that are vectorized.
 *
 * Values are small whole numbers, so that floating-point sums and products are exact in any order.
 *
 * SPDX-License-Identifier: MIT
 */
#include "tests/imperative/loops.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/base/vec.h"
#include "compiler/imperative/builder.h"
#include "compiler/target.h"

typedef const struct imp *expr;

enum { LONGEST = 80, ROWS = 3, ELEMENTS = 256, COORDINATES = 128 };

struct maker {
    struct context *cx;
    struct rng *rng;
    struct imp_builder b;
    VEC(struct imp_param) param;
    enum type type; /* of the result */
    enum op op;
    const struct imp_var *i;     /* the innermost loop's variable */
    const struct imp_var *local; /* a scalar of the loop's body, or NULL */
    const struct imp_var *outer; /* an integer that the innermost loop does not change */
    int names;
};

enum { THE_ROW = 1 };

static expr marked(struct maker *m, expr loop, struct imp_mark mark)
{
    return imp_marked(m->cx, loop, arena_copy(m->cx->arena, &mark, sizeof mark));
}

static bool chance(struct maker *m, int percent) { return rng_percent(m->rng, percent); }

static const char *fresh(struct maker *m, const char *stem)
{
    return arena_printf(m->cx->arena, "%s%d", stem, m->names++);
}

static expr i32(struct maker *m, int64_t i) { return imp_int(m->cx, TYPE_I32, i); }

static const struct imp_var *add_param(struct maker *m, struct imp_var *var)
{
    var->constant = var->constant || !var->array;
    struct imp_param param = {
        .var = var, .role = var->array ? ROLE_VALUES : ROLE_DIMENSION, .meaning = "something"};
    vec_push(m->cx->arena, &m->param, param);
    return var;
}

static const struct imp_var *input(struct maker *m, const char *stem, enum type type)
{
    return add_param(m, imp_array(m->cx, fresh(m, stem), type, true));
}

/* The number of iterations: a literal, or a parameter. */
static expr extent(struct maker *m)
{
    if (chance(m, 50))
        return i32(m, rng_below(m->rng, LONGEST));
    return imp_read(m->cx, add_param(m, imp_var(m->cx, fresh(m, "n"), TYPE_I32)));
}

static bool is_number(enum type type) { return type != TYPE_BOOL && !type_is_complex(type); }

static enum type random_number(struct maker *m)
{
    enum type type;
    do
        type = (enum type)rng_below(m->rng, TYPE_COUNT);
    while (!is_number(type));
    return type;
}

static enum op random_reduction(struct maker *m)
{
    static const enum op ops[] = {OP_ADD, OP_SUB, OP_MIN, OP_MAX, OP_MUL, OP_AND, OP_OR, OP_XOR};
    return ops[rng_below(m->rng, type_is_integer(m->type) ? 8 : 5)];
}

/* ---- expressions ---- */

/* i, i + 3, outer + i: contiguous; or a coordinate: a gather. */
static expr position(struct maker *m)
{
    expr i = imp_read(m->cx, m->i);
    int kind = rng_below(m->rng, m->outer ? 4 : 3);
    if (kind == 0)
        return imp_op2(m->cx, OP_ADD, i, i32(m, rng_below(m->rng, 5)));
    if (kind == 1 && chance(m, 30))
        return imp_load(m->cx, input(m, "crd", TYPE_I32), i);
    if (kind == 3)
        return imp_op2(m->cx, OP_ADD, imp_cast(m->cx, TYPE_I64, imp_read(m->cx, m->outer)), i);
    return i;
}

static expr value(struct maker *m, enum type type, int depth)
{
    int kind = rng_below(m->rng, 10);
    if (depth == 0 || kind < 4) {
        const struct imp_var *x = input(m, "x", type);
        return imp_load(m->cx, x, position(m));
    }
    if (kind == 4 && m->local && m->local->type == type)
        return imp_read(m->cx, m->local);
    if (kind == 5)
        return imp_literal(m->cx, value_int(type, 1 << rng_below(m->rng, 2)));
    if (kind == 6)
        return imp_load(m->cx, input(m, "x", type),
                        m->outer ? imp_read(m->cx, m->outer) : i32(m, 3));
    if (kind == 7 && type_size(type) >= 4) {
        enum type from = type == TYPE_F64 ? TYPE_F32 : type == TYPE_F32 ? TYPE_I16 : TYPE_U8;
        return imp_cast(m->cx, type, value(m, from, depth - 1));
    }
    enum op op = m->op == OP_MUL ? OP_MUL
                 : chance(m, 50) ? OP_MUL
                 : chance(m, 60) ? OP_ADD
                                 : OP_SUB;
    if (kind == 8 && m->op != OP_MUL) {
        op = chance(m, 50) ? OP_ABS : OP_NEG;
        return imp_op1(m->cx, op, value(m, type, depth - 1));
    }
    expr left = value(m, type, depth - 1), right = value(m, type, depth - 1);
    return imp_op2(m->cx, op, left, right);
}

/* A body for the innermost loop: perhaps a declaration, then the statement that is wanted. */
static void maybe_local(struct maker *m)
{
    m->local = NULL;
    if (!chance(m, 40))
        return;
    struct imp_var *var = imp_var(m->cx, fresh(m, "v"), m->type);
    imp_let(&m->b, var, value(m, m->type, 1));
    m->local = var;
}

/* ---- the kinds ---- */

static void reduce(struct maker *m)
{
    struct context *cx = m->cx;
    int n = 1 + rng_below(m->rng, 2);
    struct imp_var *sum[2], *i = imp_var(cx, "i", chance(m, 70) ? TYPE_I32 : TYPE_I64);
    const struct imp_var *y = add_param(m, imp_array(cx, "y", m->type, false));
    for (int s = 0; s < n; s++) {
        sum[s] = imp_var(cx, fresh(m, "t"), m->type);
        imp_let(&m->b, sum[s], imp_literal(cx, value_int(m->type, 1)));
    }
    m->i = i;
    expr end = extent(m);
    imp_begin(&m->b);
    maybe_local(m);
    for (int s = 0; s < n; s++)
        imp_add(&m->b, imp_assign(cx, sum[s], m->op, value(m, m->type, 2)));
    expr loop = imp_for(cx, i, i32(m, rng_below(m->rng, 4)), end, 1, imp_end(&m->b));
    imp_add(&m->b, marked(m, loop, (struct imp_mark){.iterations = ITERATIONS_REDUCE}));
    for (int s = 0; s < n; s++)
        imp_add(&m->b, imp_store(cx, y, i32(m, s), OP_NONE, imp_read(cx, sum[s])));
}

/* i * n + r */
static expr row_position(struct maker *m, const struct imp_var *i, expr n, expr r)
{
    expr begin = imp_op2(m->cx, OP_MUL, imp_cast(m->cx, TYPE_I64, imp_read(m->cx, i)),
                         imp_cast(m->cx, TYPE_I64, n));
    return imp_op2(m->cx, OP_ADD, begin, imp_cast(m->cx, TYPE_I64, r));
}

static expr row_loop(struct maker *m, const struct imp_var *y, const struct imp_var *i, expr n)
{
    struct context *cx = m->cx;
    struct imp_var *r = imp_var(cx, fresh(m, "r"), TYPE_I32);
    m->i = r;
    imp_begin(&m->b);
    maybe_local(m);
    imp_add(&m->b,
            imp_store(cx, y, row_position(m, i, n, imp_read(cx, r)), m->op, value(m, m->type, 2)));
    return marked(m, imp_for(cx, r, i32(m, 0), n, 1, imp_end(&m->b)),
                  (struct imp_mark){.row = THE_ROW});
}

/* The loops between rows and columns: for, or while; perhaps two; perhaps a condition. */
static expr nest(struct maker *m, const struct imp_var *y, const struct imp_var *i, expr n,
                 int depth)
{
    struct context *cx = m->cx;
    const struct imp_var *pos = input(m, "pos", TYPE_I32);
    expr row = imp_read(cx, i), begin = imp_load(cx, pos, row);
    expr end = imp_load(cx, pos, imp_op2(cx, OP_ADD, row, i32(m, 1)));
    struct imp_var *p = imp_var(cx, fresh(m, "p"), TYPE_I32);
    struct imp_var *j = chance(m, 50) ? imp_var(cx, fresh(m, "j"), TYPE_I32) : NULL;
    m->outer = j ? j : p;
    expr inner = depth > 0 && chance(m, 40) ? nest(m, y, i, n, depth - 1) : row_loop(m, y, i, n);
    m->outer = j ? j : p;
    if (chance(m, 30))
        inner = imp_if(
            cx, imp_op2(cx, OP_GT, imp_op2(cx, OP_AND, imp_read(cx, p), i32(m, 3)), i32(m, 0)),
            inner, chance(m, 50) ? row_loop(m, y, i, n) : NULL);
    if (j) {
        const expr both[] = {
            imp_declare(cx, j, imp_load(cx, input(m, "crd", TYPE_I32), imp_read(cx, p))), inner};
        inner = imp_block(cx, both, 2);
    }
    const struct imp_mark mark = {.reduces_row = THE_ROW, .last = imp_load(cx, pos, i32(m, ROWS))};
    if (chance(m, 70))
        return marked(m, imp_for(cx, p, begin, end, 1, inner), mark);
    imp_begin(&m->b);
    expr at = imp_let(&m->b, p, begin);
    imp_begin(&m->b);
    imp_add(&m->b, inner);
    imp_add(&m->b, imp_assign(cx, p, OP_ADD, i32(m, 1)));
    imp_add(&m->b, marked(m, imp_while(cx, imp_op2(cx, OP_LT, at, end), imp_end(&m->b)), mark));
    return imp_end(&m->b);
}

static void rows(struct maker *m)
{
    struct context *cx = m->cx;
    const struct imp_var *y = add_param(m, imp_array(cx, "y", m->type, false));
    struct imp_var *i = imp_var(cx, "i", TYPE_I32);
    expr n = extent(m),
         whole = imp_op2(cx, OP_MUL, imp_int(cx, TYPE_I64, ROWS), imp_cast(cx, TYPE_I64, n));
    expr start = imp_literal(cx, value_int(m->type, rng_below(m->rng, 2)));
    int fill = rng_below(
        m->rng, 3); /* of everything, of each row, none; for the nest alone, or for itself */
    const struct imp_mark mark = {.row = chance(m, 80) ? THE_ROW : 0};
    if (fill == 0)
        imp_add(&m->b, imp_fill(cx, y, imp_int(cx, TYPE_I64, 0), whole, start));
    imp_begin(&m->b);
    if (fill == 1)
        imp_add(&m->b, marked(m,
                              imp_fill(cx, y, row_position(m, i, n, i32(m, 0)),
                                       row_position(m, i, n, n), start),
                              mark));
    imp_add(&m->b, nest(m, y, i, n, 1));
    imp_add(&m->b, imp_for(cx, i, i32(m, 0), i32(m, ROWS), 1, imp_end(&m->b)));
}

/* Rows, each where a coordinate says, which are combined with what does not depend on that, or
 * does. */
static void scatter(struct maker *m)
{
    static const enum op ops[] = {OP_ADD, OP_ADD, OP_NONE, OP_SUB};
    struct context *cx = m->cx;
    const struct imp_var *y = add_param(m, imp_array(cx, "y", m->type, false));
    struct imp_var *p = imp_var(cx, "p", TYPE_I32), *j = imp_var(cx, "j", TYPE_I32),
                   *k = imp_var(cx, "k", TYPE_I32), *r = imp_var(cx, "r", TYPE_I32);
    expr n = extent(m), entries = i32(m, rng_below(m->rng, 24));
    imp_begin(&m->b);
    imp_let(&m->b, j, imp_load(cx, input(m, "crd", TYPE_I32), imp_read(cx, p)));
    imp_let(&m->b, k, imp_op2(cx, OP_AND, imp_read(cx, j), i32(m, 1)));
    m->i = r;
    m->outer = chance(m, 70) ? NULL : j;
    m->op = ops[rng_below(m->rng, 4)];
    imp_begin(&m->b);
    maybe_local(m);
    imp_add(&m->b,
            imp_store(cx, y, row_position(m, k, n, imp_read(cx, r)), m->op, value(m, m->type, 2)));
    imp_add(&m->b, marked(m, imp_for(cx, r, i32(m, 0), n, 1, imp_end(&m->b)),
                          (struct imp_mark){.iterations = ITERATIONS_APART, .in_row = true}));
    expr loop = imp_for(cx, p, i32(m, 0), entries, 1, imp_end(&m->b));
    imp_add(&m->b, marked(m, loop, (struct imp_mark){.last = entries}));
}

static void store_short(struct maker *m)
{
    struct context *cx = m->cx;
    static const enum op ops[] = {OP_NONE, OP_ADD, OP_SUB, OP_MUL};
    struct imp_var *i = imp_var(cx, "i", TYPE_I32);
    m->i = i;
    expr at = imp_read(cx, i);
    imp_begin(&m->b);
    maybe_local(m);
    for (int s = 0; s < 1 + rng_below(m->rng, 2); s++) {
        const struct imp_var *y = add_param(m, imp_array(cx, fresh(m, "y"), m->type, false));
        expr e = value(m, m->type, 2);
        if (chance(m, 30))
            e = imp_op2(cx, OP_ADD, e, imp_load(cx, y, at));
        imp_add(&m->b, imp_store(cx, y, at, ops[rng_below(m->rng, 4)], e));
    }
    expr begin = i32(m, rng_below(m->rng, 3)), end = i32(m, rng_below(m->rng, LONGEST)),
         loop = imp_for(cx, i, begin, end, 1, imp_end(&m->b));
    imp_add(&m->b, marked(m, loop, (struct imp_mark){.iterations = ITERATIONS_APART}));
}

/* Elements at coordinates of which none comes twice. */
static void spread(struct maker *m)
{
    struct context *cx = m->cx;
    static const enum op ops[] = {OP_ADD, OP_SUB, OP_MUL, OP_MIN, OP_MAX};
    const struct imp_var *y = add_param(m, imp_array(cx, "y", m->type, false));
    struct imp_var *p = imp_var(cx, "p", TYPE_I32), *j = imp_var(cx, "j", TYPE_I32);
    m->i = p;
    m->op = ops[rng_below(m->rng, 5)];
    imp_begin(&m->b);
    expr to = imp_let(&m->b, j, imp_load(cx, input(m, "own", TYPE_I32), imp_read(cx, p)));
    maybe_local(m);
    imp_add(&m->b, imp_store(cx, y, to, m->op, value(m, m->type, 2)));
    expr begin = i32(m, rng_below(m->rng, 3)),
         loop = imp_for(cx, p, begin, extent(m), 1, imp_end(&m->b));
    imp_add(&m->b, marked(m, loop, (struct imp_mark){.iterations = ITERATIONS_APART}));
}

/* A number of iterations, or the lesser of it and a parameter, or what `some` is or leaves. */
static expr constant_extent(struct maker *m, expr some)
{
    expr most = i32(m, 1 + rng_below(m->rng, 8));
    if (chance(m, 40))
        return most;
    if (chance(m, 50))
        some = imp_read(m->cx, add_param(m, imp_var(m->cx, fresh(m, "n"), TYPE_I32)));
    else if (chance(m, 50))
        some = imp_op2(m->cx, OP_SUB, i32(m, rng_below(m->rng, 16)), some);
    return imp_op2(m->cx, OP_MIN, most, some);
}

/* A loop of constant extent in which y[at], or the scalar t, gets values; perhaps another in it,
 * whose values a scalar of the outer one sums up. */
static expr block_loop(struct maker *m, const struct imp_var *y, const struct imp_var *t, expr at,
                       int depth)
{
    struct context *cx = m->cx;
    struct imp_var *r = imp_var(cx, fresh(m, "r"), TYPE_I32),
                   *sum = imp_var(cx, fresh(m, "t"), m->type);
    struct value identity;
    expr end = constant_extent(m, imp_read(cx, m->outer)),
         inside = chance(m, 50) ? at : imp_op2(cx, OP_ADD, at, imp_read(cx, r));
    bool sums = depth > 0 && chance(m, 40) && op_identity(m->op, SIDE_LEFT, m->type, &identity);
    imp_begin(&m->b);
    m->i = r;
    maybe_local(m);
    if (sums)
        imp_let(&m->b, sum, imp_literal(cx, identity));
    if (depth > 0)
        imp_add(&m->b, block_loop(m, y, sums ? sum : t, inside, sums ? 0 : depth - 1));
    expr e = sums ? imp_read(cx, sum) : value(m, m->type, 2);
    if (sums || depth == 0)
        imp_add(&m->b, t ? imp_assign(cx, t, m->op, e) : imp_store(cx, y, inside, m->op, e));
    return imp_for(cx, r, i32(m, rng_below(m->rng, 2)), end, 1, imp_end(&m->b));
}

static void blocks(struct maker *m)
{
    struct context *cx = m->cx;
    const struct imp_var *y = add_param(m, imp_array(cx, "y", m->type, false));
    struct imp_var *p = imp_var(cx, "p", TYPE_I32), *t = imp_var(cx, "t", m->type);
    bool scalar = chance(m, 30);
    if (m->op == OP_MUL && !type_is_integer(m->type))
        m->op = OP_ADD; /* the product would be infinite */
    imp_let(&m->b, t, imp_literal(cx, value_int(m->type, 1)));
    m->i = m->outer = p;
    imp_begin(&m->b);
    maybe_local(m);
    imp_add(&m->b, block_loop(m, y, scalar ? t : NULL, i32(m, 5), 2));
    expr loop = imp_for(cx, p, i32(m, rng_below(m->rng, 3)), extent(m), 1, imp_end(&m->b));
    imp_add(&m->b, marked(m, loop, (struct imp_mark){.iterations = ITERATIONS_REDUCE}));
    imp_add(&m->b, imp_store(cx, y, i32(m, 0), OP_NONE, imp_read(cx, t)));
}

/* A loop over i in the body of one over p, each time from and up to where crd[p] says. */
static void ranges(struct maker *m)
{
    struct context *cx = m->cx;
    static const enum op ops[] = {OP_ADD, OP_SUB, OP_MIN, OP_MAX};
    const struct imp_var *y = add_param(m, imp_array(cx, "y", m->type, false)),
                         *x = input(m, "x", m->type), *crd = input(m, "crd", TYPE_I32);
    struct imp_var *p = imp_var(cx, "p", TYPE_I32), *d = imp_var(cx, "d", TYPE_I32),
                   *i = imp_var(cx, "i", TYPE_I32);
    m->op = ops[rng_below(m->rng, 4)];
    m->i = i;
    imp_begin(&m->b);
    expr skew = imp_let(
             &m->b, d,
             imp_op2(cx, OP_SUB, imp_load(cx, crd, imp_read(cx, p)), i32(m, COORDINATES / 2))),
         at = imp_read(cx, i), n = extent(m);
    imp_begin(&m->b);
    maybe_local(m);
    expr e =
        imp_op2(cx, OP_MUL, value(m, m->type, 1), imp_load(cx, x, imp_op2(cx, OP_ADD, at, skew)));
    imp_add(&m->b,
            imp_store(cx, y, imp_op2(cx, OP_ADD, at, i32(m, rng_below(m->rng, 3))), m->op, e));
    expr end = imp_op2(cx, OP_MIN, n, imp_op2(cx, OP_SUB, i32(m, LONGEST), skew)),
         loop = imp_for(cx, i, imp_op2(cx, OP_MAX, i32(m, 0), imp_op1(cx, OP_NEG, skew)), end, 1,
                        imp_end(&m->b));
    imp_add(&m->b,
            marked(m, loop,
                   (struct imp_mark){.iterations = ITERATIONS_APART, .in_row = chance(m, 90)}));
    expr streams = chance(m, 50) ? i32(m, rng_below(m->rng, 40)) : extent(m);
    imp_add(&m->b, imp_for(cx, p, i32(m, rng_below(m->rng, 2)), streams, 1, imp_end(&m->b)));
}

const struct imp_function *random_loops(struct context *cx, struct rng *rng, const char *name,
                                        enum loops_kind kind)
{
    struct maker m = {.cx = cx, .rng = rng, .b = {.cx = cx}};
    m.type = random_number(&m);
    m.op = random_reduction(&m);
    imp_begin(&m.b);
    if (kind == LOOPS_REDUCE)
        reduce(&m);
    else if (kind == LOOPS_ROW)
        rows(&m);
    else if (kind == LOOPS_BLOCK)
        blocks(&m);
    else if (kind == LOOPS_RANGE)
        ranges(&m);
    else if (kind == LOOPS_SPREAD)
        spread(&m);
    else if (kind == LOOPS_SCATTER)
        scatter(&m);
    else
        store_short(&m);
    struct imp_function *function = arena_make(cx->arena, struct imp_function);
    function->name = name;
    function->body = imp_end(&m.b);
    function->params = (int)m.param.n;
    function->param = m.param.at;
    return function;
}

/* ---- arguments ---- */

static void put(struct imp_argument *argument, enum type type, size_t at, struct value value)
{
    value_store(value, (char *)argument->data + at * type_size(type));
}

/* Small, so that sums are exact in any order; one in a hundred is NaN where there is that. */
static struct value element(struct rng *rng, enum type type)
{
    static const int small[] = {-1, 1, 2, 1, -2};
    return type_is_float(type) && rng_percent(rng, 1) ? value_real(type, NAN)
                                                      : value_int(type, small[rng_below(rng, 5)]);
}

const struct pass_options *loops_in_vectors(struct context *cx, int bytes)
{
    static const struct pass_options options = {0};
    cx->target = bytes ? target_with_vectors(cx, TARGET_GENERIC, bytes) : TARGET_GENERIC;
    return &options;
}

struct imp_argument *random_loops_arguments(struct rng *rng, const struct imp_function *function)
{
    struct imp_argument *argument = calloc((size_t)function->params, sizeof *argument);
    for (int i = 0; i < function->params; i++) {
        const struct imp_var *var = function->param[i].var;
        if (!var->array) {
            argument[i].value = value_int(var->type, rng_below(rng, LONGEST));
            continue;
        }
        size_t length = var->name[0] == 'y' ? ROWS * LONGEST : ELEMENTS;
        argument[i].length = (int64_t)length;
        argument[i].data = malloc(length * type_size(var->type));
        int64_t sum = 0;
        for (size_t at = 0; at < length; at++) {
            sum += sum < COORDINATES - 10 ? rng_below(rng, 10) : 0;
            int coordinate = rng_below(rng, COORDINATES);
            put(&argument[i], var->type, at,
                strncmp(var->name, "pos", 3) == 0   ? value_int(var->type, sum)
                : strncmp(var->name, "crd", 3) == 0 ? value_int(var->type, coordinate)
                : strncmp(var->name, "own", 3) == 0 ? value_int(var->type, (int64_t)at ^ 5)
                                                    : element(rng, var->type));
        }
    }
    return argument;
}
