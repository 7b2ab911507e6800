/* test_simplify.c - simplification: what becomes of what, what must stay, and that random programs,
 * simplified and hoisted, compute the same.
 *
 * SPDX-License-Identifier: MIT
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "compiler/base/text.h"
#include "compiler/optimize/optimize.h"
#include "compiler/optimize/simplify.h"
#include "tests/imperative/loops.h"
#include "tests/imperative/programs.h"
#include "tests/imperative/protect.h"
#include "tests/imperative/random.h"

typedef const struct imp *expr;

/* A kernel f(n, m, u, s, t, k, b, a): i32 n and m, u8 u, f64 s and t, f32 k, bool b, i32 array
 * a. */
struct frame {
    struct context *cx;
    struct imp_param param[8];
    expr n, m, u, s, t, k, b;
    struct imp_var *a;
    struct imp_function function;
};

static void open_frame(struct frame *f, struct context *cx)
{
    static const struct {
        const char *name;
        enum type type;
    } scalar[] = {
        {"n", TYPE_I32}, {"m", TYPE_I32}, {"u", TYPE_U8},   {"s", TYPE_F64},
        {"t", TYPE_F64}, {"k", TYPE_F32}, {"b", TYPE_BOOL},
    };
    expr *read[] = {&f->n, &f->m, &f->u, &f->s, &f->t, &f->k, &f->b};
    memset(f, 0, sizeof *f);
    f->cx = cx;
    for (int i = 0; i < 7; i++) {
        struct imp_var *var = imp_var(cx, scalar[i].name, scalar[i].type);
        var->constant = true;
        f->param[i].var = var;
        *read[i] = imp_read(cx, var);
    }
    f->param[7].var = f->a = imp_array(cx, "a", TYPE_I32, false);
    f->function = (struct imp_function){.name = "f", .params = 8, .param = f->param};
}

static expr i32(struct frame *f, int64_t i) { return imp_int(f->cx, TYPE_I32, i); }

static expr f64(struct frame *f, double d) { return imp_literal(f->cx, value_real(TYPE_F64, d)); }

static expr op2(struct frame *f, enum op op, expr a, expr b) { return imp_op2(f->cx, op, a, b); }

static expr op1(struct frame *f, enum op op, expr a) { return imp_op1(f->cx, op, a); }

/* ---- expressions ---- */

static void becomes(struct frame *f, expr before, expr after)
{
    expr got = imp_fold(f->cx, before);
    if (!imp_equal(got, after))
        fail_msg("an expression of %s does not become what it should", type_name(before->type));
    assert_ptr_equal(imp_fold(f->cx, got), got);
}

static void stays(struct frame *f, expr e) { assert_ptr_equal(imp_fold(f->cx, e), e); }

static void test_constants(void **state)
{
    struct frame f;
    PROTECT((struct context *)*state);
    open_frame(&f, *state);
    becomes(&f, op2(&f, OP_ADD, i32(&f, 2), i32(&f, 3)), i32(&f, 5));
    becomes(&f, op2(&f, OP_DIV, i32(&f, 2), i32(&f, 0)), i32(&f, 0));
    becomes(&f, op2(&f, OP_LT, f64(&f, 1), f64(&f, 2)), imp_true(f.cx));
    becomes(&f, imp_cast(f.cx, TYPE_I32, f64(&f, 2.5)), i32(&f, 2));
    becomes(&f, imp_select(f.cx, imp_true(f.cx), f.n, f.m), f.n);
    becomes(&f, op2(&f, OP_MUL, imp_select(f.cx, f.b, i32(&f, 1), i32(&f, 12)), i32(&f, 3)),
            imp_select(f.cx, f.b, i32(&f, 3), i32(&f, 36)));
}

static void test_identities(void **state)
{
    struct frame f;
    PROTECT((struct context *)*state);
    open_frame(&f, *state);
    becomes(&f, op2(&f, OP_ADD, f.n, i32(&f, 0)), f.n);
    becomes(&f, op2(&f, OP_ADD, i32(&f, 0), f.n), f.n);
    becomes(&f, op2(&f, OP_MUL, f.s, f64(&f, 1)), f.s);
    becomes(&f, op2(&f, OP_DIV, f.s, f64(&f, 1)), f.s);
    becomes(&f, op2(&f, OP_SUB, f.s, f64(&f, 0)), f.s);
    becomes(&f, op2(&f, OP_MIN, f.s, f64(&f, INFINITY)), f.s);
    becomes(&f, op2(&f, OP_AND, f.b, imp_true(f.cx)), f.b);
    becomes(&f, op2(&f, OP_MUL, f.n, i32(&f, 0)), i32(&f, 0));
    becomes(&f, op2(&f, OP_OR, imp_true(f.cx), f.b), imp_true(f.cx));
    becomes(&f, op2(&f, OP_SUB, f.n, f.n), i32(&f, 0));
    becomes(&f, op2(&f, OP_MAX, f.s, f.s), f.s);
    becomes(&f, op1(&f, OP_NEG, op1(&f, OP_NEG, f.s)), f.s);
    becomes(&f, op1(&f, OP_ABS, f.u), f.u);
    becomes(&f, op1(&f, OP_FLOOR, f.n), f.n);
    becomes(&f, imp_cast(f.cx, TYPE_I32, imp_cast(f.cx, TYPE_I64, f.n)), f.n);
    becomes(&f, imp_lane(f.cx, imp_broadcast(f.cx, f.s, 4), 2), f.s);
    becomes(&f, op2(&f, OP_POW, f.s, f64(&f, 2)), op2(&f, OP_MUL, f.s, f.s));
    expr difference = op2(&f, OP_SUB, f.s, f.t);
    becomes(&f, op2(&f, OP_POW, difference, f64(&f, 2)), op2(&f, OP_MUL, difference, difference));
}

/* Not for floats: 0 * x and x - x may be NaN, x + 0.0 loses the sign of -0.0, not (s < t) holds
 * of NaN. */
static void test_floats_stay(void **state)
{
    struct frame f;
    PROTECT((struct context *)*state);
    open_frame(&f, *state);
    stays(&f, op2(&f, OP_MUL, f.s, f64(&f, 0)));
    stays(&f, op2(&f, OP_SUB, f.s, f.s));
    stays(&f, op2(&f, OP_ADD, f.s, f64(&f, 0)));
    stays(&f, op2(&f, OP_SUB, f.s, f64(&f, -0.0)));
    stays(&f, op2(&f, OP_DIV, f64(&f, 0), f.s));
    stays(&f, op2(&f, OP_ADD, f.s, f64(&f, INFINITY)));
    stays(&f, op2(&f, OP_MIN, f.s, f64(&f, -INFINITY)));
    stays(&f, op2(&f, OP_EQ, f.s, f.s));
    stays(&f, op2(&f, OP_LE, f.s, f64(&f, INFINITY)));
    stays(&f, op1(&f, OP_NOT, op2(&f, OP_LT, f.s, f.t)));
    stays(&f, op2(&f, OP_POW, f.s, f64(&f, 5)));
    stays(&f, op2(&f, OP_POW, op1(&f, OP_EXP, f.s), f64(&f, -2)));
    stays(&f, op2(&f, OP_POW, op1(&f, OP_SQRT, op1(&f, OP_EXP, f.s)), f64(&f, 2)));
    stays(&f, op2(&f, OP_ADD, op2(&f, OP_ADD, f.s, f64(&f, 1)), f64(&f, 2)));
    becomes(&f, op2(&f, OP_ADD, f.s, f64(&f, -0.0)), f.s);
    becomes(&f, op2(&f, OP_POW, f.s, f64(&f, 0)), f64(&f, 1));
    const expr square = op2(&f, OP_MUL, f.s, f.s);
    becomes(&f, op2(&f, OP_POW, f.s, f64(&f, 2)), square);
    becomes(&f, op2(&f, OP_POW, f.s, f64(&f, 3)), op2(&f, OP_MUL, square, f.s));
    becomes(&f, op2(&f, OP_POW, f.s, f64(&f, 4)), op2(&f, OP_MUL, square, square));
}

static void test_sums(void **state)
{
    struct frame f;
    PROTECT((struct context *)*state);
    open_frame(&f, *state);
    expr plus1 = op2(&f, OP_ADD, f.n, i32(&f, 1));
    becomes(&f, op2(&f, OP_ADD, plus1, i32(&f, 2)), op2(&f, OP_ADD, f.n, i32(&f, 3)));
    becomes(&f, op2(&f, OP_SUB, plus1, i32(&f, 1)), f.n);
    becomes(&f, op2(&f, OP_SUB, plus1, i32(&f, 4)), op2(&f, OP_SUB, f.n, i32(&f, 3)));
    becomes(&f, op2(&f, OP_ADD, f.n, i32(&f, -3)), op2(&f, OP_SUB, f.n, i32(&f, 3)));
    becomes(&f, op2(&f, OP_ADD, f.s, op1(&f, OP_NEG, f.t)), op2(&f, OP_SUB, f.s, f.t));
    stays(&f, op2(&f, OP_SUB, f.n, i32(&f, INT32_MIN)));
}

static void test_comparisons(void **state)
{
    struct frame f;
    PROTECT((struct context *)*state);
    open_frame(&f, *state);
    expr yes = imp_true(f.cx), no = imp_int(f.cx, TYPE_BOOL, 0),
         wide = imp_cast(f.cx, TYPE_I32, f.u);
    becomes(&f, op2(&f, OP_EQ, f.n, f.n), yes);
    becomes(&f, op2(&f, OP_LT, f.n, f.n), no);
    becomes(&f, op2(&f, OP_GE, wide, i32(&f, 0)), yes);
    becomes(&f, op2(&f, OP_LT, wide, i32(&f, 256)), yes);
    becomes(&f, op2(&f, OP_EQ, i32(&f, 1000), wide), no);
    becomes(&f, op2(&f, OP_GT, i32(&f, -1), wide), no);
    stays(&f, op2(&f, OP_LT, wide, i32(&f, 255)));
    stays(&f, op2(&f, OP_GE, f.n, i32(&f, 0)));
    becomes(&f, op2(&f, OP_EQ, op2(&f, OP_AND, f.n, i32(&f, 3)), i32(&f, 4)), no);
    becomes(&f, op2(&f, OP_EQ, imp_cast(f.cx, TYPE_F64, f.k), f64(&f, 0.1)), no);
    stays(&f, op2(&f, OP_EQ, imp_cast(f.cx, TYPE_F64, f.k), f64(&f, 0.5)));
    becomes(&f, op1(&f, OP_NOT, op2(&f, OP_LT, f.n, f.m)), op2(&f, OP_GE, f.n, f.m));
    becomes(&f, op1(&f, OP_NOT, op2(&f, OP_EQ, f.s, f.t)), op2(&f, OP_NE, f.s, f.t));
    becomes(&f, op2(&f, OP_EQ, f.b, yes), f.b);
    becomes(&f, op2(&f, OP_EQ, f.b, no), op1(&f, OP_NOT, f.b));
    becomes(&f, imp_select(f.cx, f.b, yes, no), f.b);
}

/* ---- statements ---- */

static const char *printed(struct frame *f, expr body)
{
    f->function.body = body;
    const char *error = imp_check(f->cx, &f->function);
    if (error)
        fail_msg("%s", error);
    struct text text = text_new(f->cx->arena);
    imp_print(&text, imp_simplify(f->cx, &f->function));
    const char *brace = strchr(text.at, '{');
    return brace + 2;
}

static void leaves(struct frame *f, expr body, const char *expected)
{
    assert_string_equal(printed(f, body), expected);
}

static expr put(struct frame *f, expr position, expr value)
{
    return imp_store(f->cx, f->a, position, OP_NONE, value);
}

static expr block(struct frame *f, int n, const expr *statement)
{
    return imp_block(f->cx, statement, n);
}

static void test_conditions(void **state)
{
    struct frame f;
    PROTECT((struct context *)*state);
    open_frame(&f, *state);
    expr one = put(&f, i32(&f, 0), i32(&f, 1)), two = put(&f, i32(&f, 0), i32(&f, 2)),
         none = block(&f, 0, NULL);
    expr no = op2(&f, OP_LT, i32(&f, 2), i32(&f, 1));
    leaves(&f, imp_if(f.cx, no, one, two), "    a[i32(0)] = 2\n}\n");
    leaves(&f, imp_if(f.cx, no, one, NULL), "}\n");
    leaves(&f, imp_if(f.cx, f.b, none, none), "}\n");
    leaves(&f, imp_if(f.cx, f.b, one, one), "    a[i32(0)] = 1\n}\n");
    leaves(&f, imp_if(f.cx, op2(&f, OP_LT, f.n, f.m), none, one),
           "    if (n >= m) {\n        a[i32(0)] = 1\n    }\n}\n");
    leaves(&f, imp_while(f.cx, no, one), "}\n");
}

static void test_for_loops(void **state)
{
    struct frame f;
    PROTECT((struct context *)*state);
    open_frame(&f, *state);
    struct imp_var *i = imp_var(f.cx, "i", TYPE_I32),
                   *other = imp_array(f.cx, "other", f.a->type, false);
    expr one = put(&f, i32(&f, 0), i32(&f, 1));
    leaves(&f, imp_for(f.cx, i, i32(&f, 3), i32(&f, 3), 1, one), "}\n");
    leaves(&f, imp_for(f.cx, i, i32(&f, 0), f.n, 1, block(&f, 0, NULL)), "}\n");
    leaves(&f, imp_fill(f.cx, f.a, f.n, f.n, i32(&f, 0)), "    fill(a, n, n, 0)\n}\n");
    leaves(&f, imp_fill(f.cx, f.a, i32(&f, 2), i32(&f, 2), i32(&f, 0)), "}\n");
    expr copied[] = {imp_declare(f.cx, other, NULL), imp_alloc(f.cx, other, f.n),
                     imp_copy(f.cx, f.a, f.n, other, f.n, i32(&f, 0))};
    leaves(&f, block(&f, 3, copied), "}\n");
}

static void test_updates(void **state)
{
    struct frame f;
    PROTECT((struct context *)*state);
    open_frame(&f, *state);
    expr at = imp_load(f.cx, f.a, f.n);
    leaves(&f, put(&f, f.n, op2(&f, OP_ADD, at, f.m)), "    a[n] += m\n}\n");
    leaves(&f, put(&f, f.n, op2(&f, OP_MIN, f.m, at)), "    a[n] min= m\n}\n");
    leaves(&f, put(&f, f.n, op2(&f, OP_SUB, f.m, at)), "    a[n] = m - a[n]\n}\n");
    leaves(&f, put(&f, f.n, at), "}\n");
    leaves(&f, imp_store(f.cx, f.a, f.n, OP_ADD, i32(&f, 0)), "}\n");
    leaves(&f, imp_store(f.cx, f.a, f.n, OP_MUL, i32(&f, 0)), "    a[n] = 0\n}\n");
    leaves(&f, imp_store(f.cx, f.a, f.n, OP_ADD, i32(&f, -2)), "    a[n] -= 2\n}\n");
}

static void test_declarations(void **state)
{
    struct frame f;
    PROTECT((struct context *)*state);
    open_frame(&f, *state);
    struct context *cx = f.cx;
    struct imp_var *jA = imp_var(cx, "jA", TYPE_I32), *j = imp_var(cx, "j", TYPE_I32);
    expr load = imp_load(cx, f.a, f.n), J = imp_read(cx, j), JA = imp_read(cx, jA);
    const expr alias[] = {imp_declare(cx, jA, load), put(&f, JA, i32(&f, 1)),
                          imp_declare(cx, j, JA), put(&f, J, i32(&f, 2))};
    leaves(&f, block(&f, 4, alias), "    i32 j = a[n]\n    a[j] = 1\n    a[j] = 2\n}\n");
    const expr changed[] = {imp_declare(cx, jA, load), imp_declare(cx, j, JA),
                            imp_assign(cx, jA, OP_ADD, f.m), put(&f, J, JA)};
    leaves(&f, block(&f, 4, changed),
           "    i32 jA = a[n]\n    i32 j = jA\n    jA += m\n    a[j] = jA\n}\n");
    const expr copy[] = {imp_declare(cx, j, f.m), put(&f, J, J)};
    leaves(&f, block(&f, 2, copy), "    a[m] = m\n}\n");
    const expr literal[] = {imp_declare(cx, j, i32(&f, 3)),
                            put(&f, J, op2(&f, OP_ADD, J, i32(&f, 1)))};
    leaves(&f, block(&f, 2, literal), "    a[i32(3)] = 4\n}\n");
    const expr unused[] = {imp_declare(cx, j, i32(&f, 3)), imp_assign(cx, j, OP_ADD, f.m),
                           imp_declare(cx, jA, load)};
    leaves(&f, block(&f, 3, unused), "}\n");
}

/* An array of the function's own that is written and never read goes, with the memory that it has;
 * one of a parameter stays. */
static void test_unread_arrays(void **state)
{
    struct frame f;
    PROTECT((struct context *)*state);
    open_frame(&f, *state);
    struct context *cx = f.cx;
    struct imp_var *list = imp_array(cx, "list", TYPE_I32, false);
    expr store = imp_store(cx, list, f.n, OP_ADD, f.m), last = put(&f, f.n, f.m);
    const expr unread[] = {imp_declare(cx, list, NULL), imp_alloc(cx, list, f.n), store,
                           imp_free(cx, list), last};
    leaves(&f, block(&f, 5, unread), "    a[n] = m\n}\n");
    const expr read[] = {imp_declare(cx, list, NULL), imp_alloc(cx, list, f.n), store,
                         put(&f, f.n, imp_load(cx, list, f.n)), imp_free(cx, list)};
    leaves(&f, block(&f, 5, read),
           "    i32 *list\n    alloc(list, n)\n    list[n] += m\n    a[n] = list[n]\n"
           "    free(list)\n}\n");
}

/* An array that is taken and neither read nor written is not taken; what is stored in one that is
 * taken another may read. */
static void test_taken_arrays(void **state)
{
    struct frame f;
    PROTECT((struct context *)*state);
    open_frame(&f, *state);
    struct context *cx = f.cx;
    struct imp_var *lists = imp_arrays(cx, "lists", 1),
                   *list = imp_array(cx, "list", TYPE_I32, false);
    expr open[] = {imp_declare(cx, lists, NULL), imp_alloc(cx, lists, f.n),
                   imp_declare(cx, list, NULL), imp_take(cx, list, lists, f.n), put(&f, f.n, f.m)};
    leaves(&f, block(&f, 5, open), "    a[n] = m\n}\n");
    open[4] = imp_store(cx, list, f.n, OP_NONE, f.m);
    leaves(&f, block(&f, 5, open),
           "    arrays(1) lists\n    alloc(lists, n)\n    i32 *list\n    take(list, lists, n)\n"
           "    list[n] = m\n}\n");
}

static void test_blocks(void **state)
{
    struct frame f;
    PROTECT((struct context *)*state);
    open_frame(&f, *state);
    struct context *cx = f.cx;
    struct imp_var *i = imp_var(cx, "i", TYPE_I32);
    expr one = put(&f, i32(&f, 0), i32(&f, 1)), inner = block(&f, 1, &one);
    const expr nested[] = {inner, block(&f, 0, NULL), inner};
    leaves(&f, block(&f, 3, nested), "    a[i32(0)] = 1\n    a[i32(0)] = 1\n}\n");
    const expr dead[] = {one, imp_break(cx), one};
    leaves(&f, imp_for(cx, i, i32(&f, 0), f.n, 1, block(&f, 3, dead)),
           "    for (i32 i = 0; i < n; i++) {\n        a[i32(0)] = 1\n        break\n    }\n}\n");
}

/* `bool f = false; if (c) f = true;` is `bool f = c;` unless c reads f, or f is a number. */
static void test_flags(void **state)
{
    struct frame f;
    PROTECT((struct context *)*state);
    open_frame(&f, *state);
    struct context *cx = f.cx;
    struct imp_var *flag = imp_var(cx, "flag", TYPE_BOOL), *five = imp_var(cx, "five", TYPE_I32);
    expr no = imp_int(cx, TYPE_BOOL, 0), less = op2(&f, OP_LT, f.n, f.m),
         set = imp_assign(cx, flag, OP_NONE, imp_true(cx));
    expr read = imp_read(cx, flag), used = imp_if(cx, read, put(&f, f.n, f.m), NULL);
    const expr flagged[] = {imp_declare(cx, flag, no), put(&f, f.m, f.n),
                            imp_if(cx, less, set, NULL), used};
    leaves(&f, block(&f, 4, flagged),
           "    a[m] = n\n    bool flag = n < m\n    if (flag) {\n        a[n] = m\n    }\n}\n");
    const expr itself[] = {imp_declare(cx, flag, no), imp_if(cx, op1(&f, OP_NOT, read), set, NULL),
                           used};
    leaves(&f, block(&f, 3, itself),
           "    bool flag = false\n    if (not(flag)) {\n        flag = true\n    }\n"
           "    if (flag) {\n        a[n] = m\n    }\n}\n");
    const expr number[] = {imp_declare(cx, five, i32(&f, 0)),
                           imp_if(cx, less, imp_assign(cx, five, OP_NONE, i32(&f, 5)), NULL),
                           put(&f, f.n, imp_read(cx, five))};
    leaves(&f, block(&f, 3, number),
           "    i32 five = 0\n    if (n < m) {\n        five = 5\n    }\n    a[n] = five\n}\n");
}

/* What is declared is declared where it gets its first value, if nothing has read it. */
static void test_late(void **state)
{
    struct frame f;
    PROTECT((struct context *)*state);
    open_frame(&f, *state);
    struct context *cx = f.cx;
    struct imp_var *v = imp_var(cx, "v", TYPE_I32);
    expr read = imp_read(cx, v), sum = op2(&f, OP_ADD, f.n, f.m),
         assign = imp_assign(cx, v, OP_NONE, sum), use = put(&f, read, read);
    const expr late[] = {imp_declare(cx, v, i32(&f, 3)), put(&f, f.m, f.n), assign, use};
    leaves(&f, block(&f, 4, late), "    a[m] = n\n    i32 v = n + m\n    a[v] = v\n}\n");
    const expr is_read[] = {imp_declare(cx, v, i32(&f, 3)), use, assign, use};
    leaves(&f, block(&f, 4, is_read),
           "    i32 v = 3\n    a[v] = v\n    v = n + m\n    a[v] = v\n}\n");
    const expr of_itself[] = {imp_declare(cx, v, f.n),
                              imp_assign(cx, v, OP_NONE, op2(&f, OP_MUL, read, f.m)), use};
    leaves(&f, block(&f, 3, of_itself), "    i32 v = n\n    v *= m\n    a[v] = v\n}\n");
}

/* `bool v = false; if (c) { a; v = true; } if (v) b;` is `if (c) { a; b; }`, unless v may be false
 * behind a. */
static void test_joined(void **state)
{
    struct frame f;
    PROTECT((struct context *)*state);
    open_frame(&f, *state);
    struct context *cx = f.cx;
    struct imp_var *flag = imp_var(cx, "flag", TYPE_BOOL);
    expr no = imp_declare(cx, flag, imp_int(cx, TYPE_BOOL, 0)), less = op2(&f, OP_LT, f.n, f.m),
         set = imp_assign(cx, flag, OP_NONE, imp_true(cx)), read = imp_read(cx, flag);
    expr used = imp_if(cx, read, put(&f, f.m, f.m), NULL);
    const expr sets[] = {put(&f, f.n, f.m), set};
    const expr joined[] = {no, imp_if(cx, less, block(&f, 2, sets), NULL), used, used};
    leaves(&f, block(&f, 4, joined),
           "    if (n < m) {\n        a[n] = m\n        a[m] = m\n        a[m] = m\n    }\n}\n");
    const expr may[] = {put(&f, f.n, f.m), imp_if(cx, op2(&f, OP_EQ, f.n, f.m), set, NULL)};
    const expr apart[] = {no, imp_if(cx, less, block(&f, 2, may), NULL), used};
    leaves(
        &f, block(&f, 3, apart),
        "    bool flag = false\n    if (n < m) {\n        a[n] = m\n        if (n == m) {\n"
        "            flag = true\n        }\n    }\n    if (flag) {\n        a[m] = m\n    }\n}\n");
    const expr otherwise[] = {no, imp_if(cx, less, block(&f, 2, sets), set), used};
    leaves(&f, block(&f, 3, otherwise),
           "    bool flag = false\n    if (n < m) {\n        a[n] = m\n        flag = true\n    } "
           "else {\n"
           "        flag = true\n    }\n    if (flag) {\n        a[m] = m\n    }\n}\n");
}

/* A constant that every iteration assigns moves in front of the loop, unless the loop may end
 * before it does. */
static void test_hoisted_constants(void **state)
{
    struct frame f;
    PROTECT((struct context *)*state);
    open_frame(&f, *state);
    struct context *cx = f.cx;
    struct imp_var *v = imp_var(cx, "v", TYPE_I32), *i = imp_var(cx, "i", TYPE_I32);
    expr set = imp_assign(cx, v, OP_NONE, i32(&f, 5)), one = put(&f, imp_read(cx, i), i32(&f, 1));
    for (int breaks = 0; breaks < 2; breaks++) {
        const expr body[] = {set, one, imp_if(cx, f.b, imp_break(cx), NULL)},
                   first[] = {body[2], set, one};
        expr loop =
            imp_for(cx, i, i32(&f, 0), f.n, 1, breaks ? block(&f, 3, first) : block(&f, 2, body));
        const expr all[] = {imp_declare(cx, v, i32(&f, 0)), loop,
                            put(&f, i32(&f, 0), imp_read(cx, v))};
        f.function.body = block(&f, 3, all);
        struct text text = text_new(cx->arena);
        imp_print(&text, imp_hoist(cx, &f.function, NULL));
        assert_int_equal(strstr(text.at, "if (0 < n) {\n        v = 5") != NULL, !breaks);
    }
    for (int sums = 0; sums < 2; sums++) {
        enum op op = sums ? OP_ADD : OP_MAX;
        expr loop = imp_for(cx, i, i32(&f, 0), f.n, 1, imp_assign(cx, v, op, i32(&f, 5)));
        const expr all[] = {imp_declare(cx, v, i32(&f, 0)), loop,
                            put(&f, i32(&f, 0), imp_read(cx, v))};
        f.function.body = block(&f, 3, all);
        struct text text = text_new(cx->arena);
        imp_print(&text, imp_simplify(cx, imp_hoist(cx, &f.function, NULL)));
        assert_int_equal(strstr(text.at, "for") != NULL, sums);
    }
}

/* A call that is made for its effect stays where it is, as often as it is. */
static void test_effects(void **state)
{
    struct frame f;
    PROTECT((struct context *)*state);
    open_frame(&f, *state);
    struct context *cx = f.cx;
    struct imp_var *to = imp_array(cx, "to", TYPE_I32, false);
    struct imp_var *v = imp_var(cx, "v", TYPE_I32), *i = imp_var(cx, "i", TYPE_I32);
    struct imp_param param[] = {{.var = to, .role = ROLE_LOCAL}, {.var = v, .role = ROLE_LOCAL}};
    struct imp_function helper = {.name = "touch",
                                  .helper = true,
                                  .effects = true,
                                  .params = 2,
                                  .param = param,
                                  .body = imp_store(cx, to, i32(&f, 0), OP_ADD, imp_read(cx, v))};
    const struct imp_function *helper_at[] = {&helper};
    f.function.helpers = 1;
    f.function.helper_at = helper_at;
    expr call =
        imp_call(cx, &helper, (const struct imp *const[]){imp_read(cx, f.a), i32(&f, 2)}, 2);
    expr touch = imp_do(cx, call), both[] = {touch, touch};
    assert_non_null(
        strstr(printed(&f, block(&f, 2, both)), ") {\n    touch(a, 2)\n    touch(a, 2)\n}\n"));
    assert_false(imp_is_pure(touch));
    f.function.body = imp_for(cx, i, i32(&f, 0), f.n, 1, touch);
    assert_ptr_equal(imp_simplify(cx, &f.function), &f.function);
    assert_ptr_equal(imp_hoist(cx, &f.function, NULL), &f.function);
    assert_ptr_equal(imp_vectorize(cx, &f.function, VECTORS(0)), &f.function);
    helper.body = block(&f, 0, NULL);
    assert_false(imp_is_pure(touch));
}

/* ---- whole programs ---- */

static void test_unchanged(void **state)
{
    struct context *cx = *state;
    PROTECT(cx);
    const struct imp_function *simple[] = {program_spmv(cx, TYPE_F64),
                                           program_spmm(cx, TYPE_F64, 0), program_search(cx)};
    for (int i = 0; i < 3; i++)
        assert_ptr_equal(imp_simplify(cx, simple[i]), simple[i]);
}

/* Both compute the same on three sets of arguments. */
static void check_same(struct context *cx, struct rng *rng, const struct imp_function *before,
                       const struct imp_function *after, uint64_t seed)
{
    const char *error = imp_check(cx, after);
    if (error)
        fail_msg("seed %d: %s", (int)seed, error);
    for (int round = 0; round < 3; round++) {
        struct imp_argument *expected = random_arguments(rng, before),
                            *got = copy_arguments(before, expected);
        struct imp_run a =
            imp_interpret(cx, before, expected, &(struct imp_options){.max_steps = 1000000});
        struct imp_run b =
            imp_interpret(cx, after, got, &(struct imp_options){.max_steps = 1000000});
        if (a.fault || b.fault || a.status != b.status || !same_results(before, expected, got))
            fail_msg("seed %d: %s / %s", (int)seed, a.fault ? a.fault : "ran",
                     b.fault ? b.fault : "ran");
        free_arguments(before, expected);
        free_arguments(before, got);
    }
}

static void check_random(uint64_t seed)
{
    struct context *cx = context_new();
    assert_non_null(cx);
    PROTECT(cx);
    struct rng rng = {seed};
    const struct imp_function *before = random_program(cx, &rng, "random"),
                              *after = imp_simplify(cx, before);
    assert_ptr_equal(imp_simplify(cx, after), after);
    check_same(cx, &rng, before, after, seed);
    check_same(cx, &rng, before, imp_simplify(cx, imp_hoist(cx, after, NULL)), seed);
    context_free(cx);
}

static void test_random(void **state)
{
    for (uint64_t seed = 0; seed < 3000; seed++)
        check_random(seed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_constants),
        TEST(test_identities),
        TEST(test_floats_stay),
        TEST(test_sums),
        TEST(test_comparisons),
        TEST(test_conditions),
        TEST(test_for_loops),
        TEST(test_updates),
        TEST(test_declarations),
        TEST(test_unread_arrays),
        TEST(test_taken_arrays),
        TEST(test_blocks),
        TEST(test_flags),
        TEST(test_late),
        TEST(test_joined),
        TEST(test_hoisted_constants),
        TEST(test_effects),
        TEST(test_unchanged),
        cmocka_unit_test(test_random),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
