/* programs.c - imperative programs built by hand.
 *
 * SPDX-License-Identifier: MIT
 */
#include "tests/imperative/programs.h"

typedef const struct imp *expr;

/* ---- abbreviations ---- */

static expr i32(struct imp_builder *b, int64_t i) { return imp_int(b->cx, TYPE_I32, i); }

static expr op2(struct imp_builder *b, enum op op, expr x, expr y)
{
    return imp_op2(b->cx, op, x, y);
}

static expr plus1(struct imp_builder *b, expr x)
{
    return op2(b, OP_ADD, x, imp_int(b->cx, x->type, 1));
}

static struct imp_param scalar(struct context *cx, const char *name, enum type type,
                               const char *meaning)
{
    struct imp_var *var = imp_var(cx, name, type);
    var->constant = true;
    return (struct imp_param){.var = var, .role = ROLE_DIMENSION, .meaning = meaning};
}

static struct imp_param array(struct context *cx, const char *name, enum type type, bool constant,
                              const char *meaning)
{
    struct imp_var *var = imp_array(cx, name, type, constant);
    return (struct imp_param){.var = var, .role = ROLE_ARRAY, .meaning = meaning};
}

static struct imp_param out(struct context *cx, const char *name, enum type type,
                            const char *meaning)
{
    struct imp_param param = array(cx, name, type, false, meaning);
    param.out = true;
    return param;
}

static const struct imp_function *kernel(struct context *cx, const char *name,
                                         const struct imp_param *param, int n, expr body)
{
    struct imp_function *function = arena_make(cx->arena, struct imp_function);
    function->name = name;
    function->params = n;
    function->param = arena_copy(cx->arena, param, sizeof *param * (size_t)n);
    function->body = body;
    return function;
}

/* ---- kernels ---- */

static expr marked(struct context *cx, expr loop, struct imp_mark mark)
{
    return imp_marked(cx, loop, arena_copy(cx->arena, &mark, sizeof mark));
}

const struct imp_function *program_spmv(struct context *cx, enum type type)
{
    struct imp_builder builder = {.cx = cx}, *b = &builder;
    const struct imp_param param[] = {
        scalar(cx, "A1_dimension", TYPE_I32, "size of mode 1 of A"),
        scalar(cx, "A2_dimension", TYPE_I32, "size of mode 2 of A"),
        array(cx, "A2_pos", TYPE_I32, true,
              "where the rows of A begin: A1_dimension + 1 positions"),
        array(cx, "A2_crd", TYPE_I32, true, "column coordinates of A"),
        array(cx, "A_vals", type, true, "components of A"),
        array(cx, "x_vals", type, true, "components of x"),
        array(cx, "y_vals", type, false, "components of y, the result"),
    };
    struct imp_var *i = imp_var(cx, "i", TYPE_I32), *p = imp_var(cx, "pA2", TYPE_I32);
    struct imp_var *j = imp_var(cx, "j", TYPE_I32), *t = imp_var(cx, "t", type);
    imp_begin(b);
    imp_begin(b);
    imp_let(b, t, imp_literal(cx, value_zero(type)));
    imp_begin(b);
    imp_let(b, j, imp_load(cx, param[3].var, imp_read(cx, p)));
    imp_add(b, imp_assign(cx, t, OP_ADD,
                          op2(b, OP_MUL, imp_load(cx, param[4].var, imp_read(cx, p)),
                              imp_load(cx, param[5].var, imp_read(cx, j)))));
    expr inner = imp_end(b);
    expr loop = imp_for(cx, p, imp_load(cx, param[2].var, imp_read(cx, i)),
                        imp_load(cx, param[2].var, plus1(b, imp_read(cx, i))), 1, inner);
    imp_add(b, marked(cx, loop, (struct imp_mark){.iterations = ITERATIONS_REDUCE}));
    imp_add(b, imp_store(cx, param[6].var, imp_read(cx, i), OP_NONE, imp_read(cx, t)));
    expr outer = imp_end(b);
    imp_add(b, imp_for(cx, i, i32(b, 0), imp_read(cx, param[0].var), 1, outer));
    return kernel(cx, "spmv", param, 7, imp_end(b));
}

/* The extent of r as an expression. */
static expr extent_of(struct imp_builder *b, const struct imp_var *dimension, int64_t extent)
{
    return extent ? i32(b, extent) : imp_read(b->cx, dimension);
}

static expr row(struct imp_builder *b, expr i, expr extent)
{
    return op2(b, OP_MUL, imp_cast(b->cx, TYPE_I64, i), imp_cast(b->cx, TYPE_I64, extent));
}

enum { THE_ROW = 1 };

/* Y's row i, from its fill on: the nest goes over all of it. */
static expr reduced(struct imp_builder *b, const struct imp_var *array, expr i, expr extent,
                    expr nest, expr last)
{
    struct context *cx = b->cx;
    expr begin = row(b, i, extent), end = op2(b, OP_ADD, begin, imp_cast(cx, TYPE_I64, extent));
    expr fill = imp_fill(cx, array, begin, end, imp_literal(cx, value_zero(array->type)));
    const expr both[] = {marked(cx, fill, (struct imp_mark){.row = THE_ROW}),
                         marked(cx, nest, (struct imp_mark){.reduces_row = THE_ROW, .last = last})};
    return imp_block(cx, both, 2);
}

static const struct imp_function *spmm(struct context *cx, enum type type, int64_t extent,
                                       bool transposed)
{
    struct imp_builder builder = {.cx = cx}, *b = &builder;
    const struct imp_param param[] = {
        scalar(cx, "A1_dimension", TYPE_I32, "size of mode 1 of A"),
        scalar(cx, "A2_dimension", TYPE_I32, "size of mode 2 of A"),
        scalar(cx, "X2_dimension", TYPE_I32, "size of mode 2 of X"),
        array(cx, "A2_pos", TYPE_I32, true, "where the rows of A begin"),
        array(cx, "A2_crd", TYPE_I32, true, "column coordinates of A"),
        array(cx, "A_vals", type, true, "components of A"),
        array(cx, "X_vals", type, true, "components of X"),
        array(cx, "Y_vals", type, false, "components of Y, the result"),
    };
    struct imp_var *i = imp_var(cx, "i", TYPE_I32), *p = imp_var(cx, "pA2", TYPE_I32),
                   *j = imp_var(cx, "j", TYPE_I32);
    struct imp_var *pX = imp_var(cx, "pX1", TYPE_I64), *r = imp_var(cx, "r", TYPE_I32);
    expr n = extent_of(b, param[2].var, extent), I = imp_read(cx, i), P = imp_read(cx, p),
         R = imp_read(cx, r);
    imp_begin(b);
    imp_let(b, j, imp_load(cx, param[4].var, P));
    expr of_j = imp_let(b, pX, row(b, imp_read(cx, j), n)), of_i = row(b, I, n);
    expr value = op2(b, OP_MUL, imp_load(cx, param[5].var, P),
                     imp_load(cx, param[6].var, op2(b, OP_ADD, transposed ? of_i : of_j, R)));
    expr store =
        imp_store(cx, param[7].var, op2(b, OP_ADD, transposed ? of_j : of_i, R), OP_ADD, value);
    const struct imp_mark apart = {.iterations = ITERATIONS_APART}, one = {.row = THE_ROW};
    imp_add(b, marked(cx, imp_for(cx, r, i32(b, 0), n, 1, store), transposed ? apart : one));
    expr body = imp_end(b);
    expr loop = imp_for(cx, p, imp_load(cx, param[3].var, I),
                        imp_load(cx, param[3].var, plus1(b, I)), 1, body);
    expr last = imp_load(cx, param[3].var, imp_read(cx, param[0].var));
    loop = transposed ? marked(cx, loop, (struct imp_mark){.last = last})
                      : reduced(b, param[7].var, I, n, loop, last);
    return kernel(cx, "spmm", param, 8,
                  imp_for(cx, i, i32(b, 0), imp_read(cx, param[0].var), 1, loop));
}

const struct imp_function *program_spmm(struct context *cx, enum type type, int64_t extent)
{
    return spmm(cx, type, extent, false);
}

const struct imp_function *program_spmm_transposed(struct context *cx, enum type type,
                                                   int64_t extent)
{
    return spmm(cx, type, extent, true);
}

const struct imp_function *program_scatter(struct context *cx, enum type type)
{
    struct imp_builder builder = {.cx = cx}, *b = &builder;
    const struct imp_param param[] = {
        scalar(cx, "A1_dimension", TYPE_I32, "size of mode 1 of A"),
        scalar(cx, "A2_dimension", TYPE_I32, "size of mode 2 of A"),
        array(cx, "A2_pos", TYPE_I32, true, "where the rows of A begin"),
        array(cx, "A2_crd", TYPE_I32, true, "column coordinates of A"),
        array(cx, "A_vals", type, true, "components of A"),
        array(cx, "B2_pos", TYPE_I32, true, "where the columns of B begin"),
        array(cx, "B2_crd", TYPE_I32, false, "row coordinates of B, the result"),
        array(cx, "B_vals", type, false, "components of B, the result"),
    };
    struct imp_var *i = imp_var(cx, "i", TYPE_I32), *p = imp_var(cx, "pA2", TYPE_I32),
                   *j = imp_var(cx, "j", TYPE_I32), *q = imp_var(cx, "pB2", TYPE_I32),
                   *column = imp_var(cx, "column", TYPE_I32),
                   *next = imp_array(cx, "B2_next", TYPE_I32, false);
    expr I = imp_read(cx, i), P = imp_read(cx, p), N = imp_read(cx, param[1].var),
         C = imp_read(cx, column);
    imp_begin(b);
    expr J = imp_let(b, j, imp_load(cx, param[3].var, P));
    expr Q = imp_let(b, q, imp_load(cx, next, J));
    imp_add(b, imp_store(cx, param[6].var, Q, OP_NONE, I));
    imp_add(b, imp_store(cx, next, J, OP_ADD, i32(b, 1)));
    imp_add(b, imp_store(cx, param[7].var, Q, OP_NONE, imp_load(cx, param[4].var, P)));
    expr last = imp_load(cx, param[2].var, imp_read(cx, param[0].var));
    expr loop = imp_for(cx, p, imp_load(cx, param[2].var, I),
                        imp_load(cx, param[2].var, plus1(b, I)), 1, imp_end(b));
    loop = marked(cx, loop, (struct imp_mark){.last = last, .compact = true});
    expr start = imp_store(cx, next, C, OP_NONE, imp_load(cx, param[5].var, C));
    imp_begin(b);
    imp_add(b, imp_declare(cx, next, NULL));
    imp_add(b, imp_alloc(cx, next, imp_cast(cx, TYPE_I64, N)));
    imp_add(b, imp_for(cx, column, i32(b, 0), N, 1, start));
    imp_add(b, imp_for(cx, i, i32(b, 0), imp_read(cx, param[0].var), 1, loop));
    imp_add(b, imp_free(cx, next));
    return kernel(cx, "scatter", param, 8, imp_end(b));
}

const struct imp_function *program_mttkrp(struct context *cx, enum type type, int64_t extent)
{
    struct imp_builder builder = {.cx = cx}, *b = &builder;
    const struct imp_param param[] = {
        scalar(cx, "A1_dimension", TYPE_I32, "size of mode 1 of A"),
        scalar(cx, "Y2_dimension", TYPE_I32, "size of mode 2 of Y"),
        array(cx, "A2_pos", TYPE_I32, true, "positions of level 2"),
        array(cx, "A2_crd", TYPE_I32, true, "coordinates of level 2"),
        array(cx, "A3_pos", TYPE_I32, true, "positions of level 3"),
        array(cx, "A3_crd", TYPE_I32, true, "coordinates of level 3"),
        array(cx, "A_vals", type, true, "components of A"),
        array(cx, "B_vals", type, true, "components of B"),
        array(cx, "C_vals", type, true, "components of C"),
        array(cx, "Y_vals", type, false, "components of Y, the result"),
    };
    struct imp_var *i = imp_var(cx, "i", TYPE_I32), *p = imp_var(cx, "pA2", TYPE_I32),
                   *q = imp_var(cx, "pA3", TYPE_I32);
    struct imp_var *k = imp_var(cx, "k", TYPE_I32), *l = imp_var(cx, "l", TYPE_I32),
                   *r = imp_var(cx, "r", TYPE_I32);
    struct imp_var *pB = imp_var(cx, "pB1", TYPE_I64), *pC = imp_var(cx, "pC1", TYPE_I64);
    expr n = extent_of(b, param[1].var, extent), R = imp_read(cx, r);
    imp_begin(b);
    imp_let(b, k, imp_load(cx, param[3].var, imp_read(cx, p)));
    imp_let(b, pB, row(b, imp_read(cx, k), n));
    imp_begin(b);
    imp_let(b, l, imp_load(cx, param[5].var, imp_read(cx, q)));
    imp_let(b, pC, row(b, imp_read(cx, l), n));
    expr value = op2(b, OP_MUL, imp_load(cx, param[6].var, imp_read(cx, q)),
                     imp_load(cx, param[7].var, op2(b, OP_ADD, imp_read(cx, pB), R)));
    value = op2(b, OP_MUL, value, imp_load(cx, param[8].var, op2(b, OP_ADD, imp_read(cx, pC), R)));
    expr store =
        imp_store(cx, param[9].var, op2(b, OP_ADD, row(b, imp_read(cx, i), n), R), OP_ADD, value);
    imp_add(b,
            marked(cx, imp_for(cx, r, i32(b, 0), n, 1, store), (struct imp_mark){.row = THE_ROW}));
    expr body = imp_end(b), rows = imp_read(cx, param[0].var);
    expr inner = imp_for(cx, q, imp_load(cx, param[4].var, imp_read(cx, p)),
                         imp_load(cx, param[4].var, plus1(b, imp_read(cx, p))), 1, body);
    expr last = imp_load(cx, param[4].var, imp_load(cx, param[2].var, rows));
    imp_add(b, marked(cx, inner, (struct imp_mark){.reduces_row = THE_ROW, .last = last}));
    body = imp_end(b);
    expr loop = imp_for(cx, p, imp_load(cx, param[2].var, imp_read(cx, i)),
                        imp_load(cx, param[2].var, plus1(b, imp_read(cx, i))), 1, body);
    loop = reduced(b, param[9].var, imp_read(cx, i), n, loop, imp_load(cx, param[2].var, rows));
    return kernel(cx, "mttkrp", param, 10, imp_for(cx, i, i32(b, 0), rows, 1, loop));
}

const struct imp_function *program_dot(struct context *cx, enum type type, enum op op)
{
    struct imp_builder builder = {.cx = cx}, *b = &builder;
    const struct imp_param param[] = {
        scalar(cx, "n", TYPE_I32, "size of a and b"),
        array(cx, "a_vals", type, true, "components of a"),
        array(cx, "b_vals", type, true, "components of b"),
        array(cx, "s_vals", type, false, "s, the result"),
    };
    struct imp_var *i = imp_var(cx, "i", TYPE_I32), *t = imp_var(cx, "t", type);
    struct value identity = value_zero(type);
    op_identity(op, SIDE_LEFT, type, &identity);
    imp_begin(b);
    imp_let(b, t, imp_literal(cx, identity));
    expr product = op2(b, OP_MUL, imp_load(cx, param[1].var, imp_read(cx, i)),
                       imp_load(cx, param[2].var, imp_read(cx, i)));
    expr loop =
        imp_for(cx, i, i32(b, 0), imp_read(cx, param[0].var), 1, imp_assign(cx, t, op, product));
    imp_add(b, marked(cx, loop, (struct imp_mark){.iterations = ITERATIONS_REDUCE}));
    imp_add(b, imp_store(cx, param[3].var, i32(b, 0), OP_NONE, imp_read(cx, t)));
    return kernel(cx, "dot", param, 4, imp_end(b));
}

/* ---- a merge ---- */

struct merge {
    struct imp_builder *b;
    const struct imp_var *crd, *vals, *capacity, *p;
};

/* Twice the room when it is full. */
static expr grow(struct merge *m, expr p)
{
    struct context *cx = m->b->cx;
    expr capacity = imp_read(cx, m->capacity);
    imp_begin(m->b);
    imp_add(m->b, imp_assign(cx, m->capacity, OP_MUL, imp_int(cx, m->capacity->type, 2)));
    imp_add(m->b, imp_resize(cx, m->crd, capacity));
    imp_add(m->b, imp_resize(cx, m->vals, capacity));
    expr block = imp_end(m->b);
    return imp_if(cx, imp_op2(cx, OP_EQ, p, capacity), block, NULL);
}

/* Append a component to c. */
static expr append(struct merge *m, expr coordinate, expr value)
{
    struct context *cx = m->b->cx;
    expr p = imp_read(cx, m->p);
    imp_begin(m->b);
    imp_add(m->b, grow(m, p));
    imp_add(m->b, imp_store(cx, m->crd, p, OP_NONE, coordinate));
    imp_add(m->b, imp_store(cx, m->vals, p, OP_NONE, value));
    imp_add(m->b, imp_assign(cx, m->p, OP_ADD, i32(m->b, 1)));
    return imp_end(m->b);
}

/* One operand: its arrays, its position, the end of its positions, its coordinate. */
struct operand {
    const struct imp_var *crd, *vals;
    struct imp_var *p, *end, *i;
};

static expr position(struct context *cx, const struct operand *o) { return imp_read(cx, o->p); }

static expr more(struct context *cx, const struct operand *o)
{
    return imp_op2(cx, OP_LT, position(cx, o), imp_read(cx, o->end));
}

static expr tail(struct merge *m, const struct operand *o)
{
    struct context *cx = m->b->cx;
    imp_begin(m->b);
    imp_add(m->b, append(m, imp_load(cx, o->crd, position(cx, o)),
                         imp_load(cx, o->vals, position(cx, o))));
    imp_add(m->b, imp_assign(cx, o->p, OP_ADD, i32(m->b, 1)));
    return imp_while(cx, more(cx, o), imp_end(m->b));
}

static expr both(struct merge *m, const struct operand *x, const struct operand *y)
{
    struct context *cx = m->b->cx;
    struct imp_var *i = imp_var(cx, "i", TYPE_I32);
    imp_begin(m->b);
    expr iA = imp_let(m->b, x->i, imp_load(cx, x->crd, position(cx, x)));
    expr iB = imp_let(m->b, y->i, imp_load(cx, y->crd, position(cx, y)));
    expr at = imp_let(m->b, i, op2(m->b, OP_MIN, iA, iB));
    expr a = imp_load(cx, x->vals, position(cx, x)), c = imp_load(cx, y->vals, position(cx, y));
    expr inA = op2(m->b, OP_EQ, iA, at), inB = op2(m->b, OP_EQ, iB, at);
    expr only_b = append(m, at, c), only_a = append(m, at, a),
         sum = append(m, at, op2(m->b, OP_ADD, a, c));
    imp_add(m->b, imp_if(cx, op2(m->b, OP_AND, inA, inB), sum, imp_if(cx, inA, only_a, only_b)));
    imp_add(m->b, imp_assign(cx, x->p, OP_ADD, imp_cast(cx, TYPE_I32, inA)));
    imp_add(m->b, imp_assign(cx, y->p, OP_ADD, imp_cast(cx, TYPE_I32, inB)));
    return imp_while(cx, op2(m->b, OP_AND, more(cx, x), more(cx, y)), imp_end(m->b));
}

const struct imp_function *program_merge(struct context *cx, enum type type)
{
    struct imp_builder builder = {.cx = cx}, *b = &builder;
    const struct imp_param param[] = {
        scalar(cx, "n", TYPE_I32, "size of the mode"),
        array(cx, "a1_pos", TYPE_I32, true, "first and last position of a"),
        array(cx, "a1_crd", TYPE_I32, true, "coordinates of a"),
        array(cx, "a_vals", type, true, "components of a"),
        array(cx, "b1_pos", TYPE_I32, true, "first and last position of b"),
        array(cx, "b1_crd", TYPE_I32, true, "coordinates of b"),
        array(cx, "b_vals", type, true, "components of b"),
        out(cx, "c1_pos", TYPE_I32, "first and last position of c"),
        out(cx, "c1_crd", TYPE_I32, "coordinates of c"),
        out(cx, "c_vals", type, "components of c"),
    };
    struct operand x = {param[2].var, param[3].var, imp_var(cx, "pa1", TYPE_I32),
                        imp_var(cx, "pa1_end", TYPE_I32), imp_var(cx, "ia", TYPE_I32)};
    struct operand y = {param[5].var, param[6].var, imp_var(cx, "pb1", TYPE_I32),
                        imp_var(cx, "pb1_end", TYPE_I32), imp_var(cx, "ib", TYPE_I32)};
    struct imp_var *room = imp_var(cx, "c_capacity", TYPE_I32), *p = imp_var(cx, "pc1", TYPE_I32);
    struct merge m = {b, param[8].var, param[9].var, room, p};
    const struct imp_var *pos = param[7].var;
    imp_begin(b);
    imp_add(b, imp_alloc(cx, pos, i32(b, 2)));
    imp_add(b, imp_store(cx, pos, i32(b, 0), OP_NONE, i32(b, 0)));
    imp_let(b, room, i32(b, 1));
    imp_add(b, imp_alloc(cx, m.crd, imp_read(cx, room)));
    imp_add(b, imp_alloc(cx, m.vals, imp_read(cx, room)));
    imp_let(b, p, i32(b, 0));
    const struct operand *operand[] = {&x, &y};
    for (int o = 0; o < 2; o++) {
        imp_let(b, operand[o]->p, imp_load(cx, param[1 + 3 * o].var, i32(b, 0)));
        imp_let(b, operand[o]->end, imp_load(cx, param[1 + 3 * o].var, i32(b, 1)));
    }
    imp_add(b, both(&m, &x, &y));
    imp_add(b, tail(&m, &x));
    imp_add(b, tail(&m, &y));
    imp_add(b, imp_store(cx, pos, i32(b, 1), OP_NONE, imp_read(cx, p)));
    return kernel(cx, "merge", param, 10, imp_end(b));
}

/* ---- a helper ---- */

static const struct imp_function *search(struct context *cx)
{
    struct imp_builder builder = {.cx = cx}, *b = &builder;
    const struct imp_param param[] = {
        array(cx, "crd", TYPE_I32, true, NULL),
        scalar(cx, "begin", TYPE_I32, NULL),
        scalar(cx, "end", TYPE_I32, NULL),
        scalar(cx, "target", TYPE_I32, NULL),
    };
    struct imp_var *low = imp_var(cx, "low", TYPE_I32), *high = imp_var(cx, "high", TYPE_I32);
    struct imp_var *middle = imp_var(cx, "middle", TYPE_I32);
    imp_begin(b);
    expr from = imp_let(b, low, imp_read(cx, param[1].var)),
         to = imp_let(b, high, imp_read(cx, param[2].var));
    imp_begin(b);
    expr at = imp_let(b, middle,
                      op2(b, OP_ADD, from, op2(b, OP_DIV, op2(b, OP_SUB, to, from), i32(b, 2))));
    imp_add(b,
            imp_if(cx, op2(b, OP_LT, imp_load(cx, param[0].var, at), imp_read(cx, param[3].var)),
                   imp_assign(cx, low, OP_NONE, plus1(b, at)), imp_assign(cx, high, OP_NONE, at)));
    imp_add(b, imp_while(cx, op2(b, OP_LT, from, to), imp_end(b)));
    imp_add(b, imp_return(cx, from));
    struct imp_function *function =
        (struct imp_function *)(size_t)kernel(cx, "search_i32", param, 4, imp_end(b));
    function->helper = true;
    function->result = TYPE_I32;
    return function;
}

const struct imp_function *program_search(struct context *cx)
{
    const struct imp_param param[] = {
        scalar(cx, "n", TYPE_I32, "number of coordinates"),
        scalar(cx, "target", TYPE_I32, "coordinate to look for"),
        array(cx, "a1_crd", TYPE_I32, true, "coordinates"),
        array(cx, "p_vals", TYPE_I32, false, "where it would stand"),
    };
    const struct imp_function **helper = arena_array(cx->arena, const struct imp_function *, 1);
    helper[0] = search(cx);
    expr arg[] = {imp_read(cx, param[2].var), imp_int(cx, TYPE_I32, 0), imp_read(cx, param[0].var),
                  imp_read(cx, param[1].var)};
    expr body = imp_store(cx, param[3].var, imp_int(cx, TYPE_I32, 0), OP_NONE,
                          imp_call(cx, helper[0], arg, 4));
    struct imp_function *function =
        (struct imp_function *)(size_t)kernel(cx, "locate", param, 4, body);
    function->helpers = 1;
    function->helper_at = helper;
    return function;
}

/* ---- a helper with effects ---- */

/* void sort_i32(i32 *crd, i32 n): by insertion. */
static const struct imp_function *sort(struct context *cx)
{
    struct imp_builder builder = {.cx = cx}, *b = &builder;
    const struct imp_param param[] = {array(cx, "crd", TYPE_I32, false, NULL),
                                      scalar(cx, "n", TYPE_I32, NULL)};
    const struct imp_var *crd = param[0].var;
    struct imp_var *i = imp_var(cx, "i", TYPE_I32), *j = imp_var(cx, "j", TYPE_I32);
    struct imp_var *moved = imp_var(cx, "moved", TYPE_I32);
    expr n = imp_read(cx, param[1].var);
    imp_begin(b);
    imp_add(b, imp_if(cx, op2(b, OP_LT, n, i32(b, 2)), imp_return(cx, NULL), NULL));
    imp_begin(b);
    expr value = imp_let(b, moved, imp_load(cx, crd, imp_read(cx, i))),
         at = imp_let(b, j, imp_read(cx, i));
    expr before = imp_load(cx, crd, op2(b, OP_SUB, at, i32(b, 1)));
    imp_begin(b);
    imp_add(b, imp_store(cx, crd, at, OP_NONE, before));
    imp_add(b, imp_assign(cx, j, OP_SUB, i32(b, 1)));
    imp_add(b, imp_while(cx,
                         op2(b, OP_AND, op2(b, OP_GT, at, i32(b, 0)), op2(b, OP_GT, before, value)),
                         imp_end(b)));
    imp_add(b, imp_store(cx, crd, at, OP_NONE, value));
    imp_add(b, imp_for(cx, i, i32(b, 1), n, 1, imp_end(b)));
    struct imp_function *function =
        (struct imp_function *)(size_t)kernel(cx, "sort_i32", param, 2, imp_end(b));
    function->helper = function->effects = true;
    return function;
}

const struct imp_function *program_sorted(struct context *cx)
{
    struct imp_builder builder = {.cx = cx}, *b = &builder;
    const struct imp_param param[] = {
        scalar(cx, "n", TYPE_I32, "number of coordinates"),
        array(cx, "a1_crd", TYPE_I32, true, "coordinates"),
        array(cx, "p_vals", TYPE_I32, false, "the same, sorted"),
    };
    const struct imp_function **helper = arena_array(cx->arena, const struct imp_function *, 1);
    struct imp_var *work = imp_array(cx, "w1_crd", TYPE_I32, false),
                   *capacity = imp_var(cx, "capacity", TYPE_I32);
    struct imp_var *i = imp_var(cx, "i", TYPE_I32), *k = imp_var(cx, "k", TYPE_I32);
    expr n = imp_read(cx, param[0].var), at = imp_read(cx, i), arg[] = {imp_read(cx, work), n};
    helper[0] = sort(cx);
    imp_begin(b);
    imp_add(b, imp_declare(cx, work, NULL));
    expr room = imp_let(b, capacity, i32(b, 1));
    imp_add(b, imp_alloc(cx, work, room));
    imp_add(b, imp_if(cx, op2(b, OP_GT, n, i32(b, 100)), imp_fail(cx, STATUS_TOO_LARGE), NULL));
    imp_begin(b);
    imp_begin(b);
    imp_add(b, imp_assign(cx, capacity, OP_MUL, i32(b, 2)));
    imp_add(b, imp_resize(cx, work, room));
    imp_add(b, imp_if(cx, op2(b, OP_EQ, at, room), imp_end(b), NULL));
    imp_add(b, imp_store(cx, work, at, OP_NONE, imp_load(cx, param[1].var, at)));
    imp_add(b, imp_for(cx, i, i32(b, 0), n, 1, imp_end(b)));
    imp_add(b, imp_do(cx, imp_call(cx, helper[0], arg, 2)));
    imp_add(b, imp_for(cx, k, i32(b, 0), n, 1,
                       imp_store(cx, param[2].var, imp_read(cx, k), OP_NONE,
                                 imp_load(cx, work, imp_read(cx, k)))));
    imp_add(b, imp_free(cx, work));
    struct imp_function *function =
        (struct imp_function *)(size_t)kernel(cx, "sorted", param, 3, imp_end(b));
    function->helpers = 1;
    function->helper_at = helper;
    return function;
}
