/* test_check.c - every broken invariant is found.
 *
 * SPDX-License-Identifier: MIT
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "compiler/imperative/stream.h"
#include "compiler/imperative/text/parse.h"
#include "tests/imperative/programs.h"
#include "tests/imperative/protect.h"
#include "tests/imperative/random.h"

/* A kernel f(n, x, y, z): n constant, x constant, y written, z an out array; and a helper h(a,
 * v), which returns a. */
struct frame {
    struct context *cx;
    struct imp_param param[4], helper_param[2];
    const struct imp *n;
    struct imp_var *x, *y, *z;
    struct imp_function function, helper;
    const struct imp_function *helper_at[1];
};

static void open_frame(struct frame *f, struct context *cx)
{
    memset(f, 0, sizeof *f);
    f->cx = cx;
    struct imp_var *n = imp_var(cx, "n", TYPE_I32), *a = imp_var(cx, "a", TYPE_I32);
    n->constant = true;
    f->n = imp_read(cx, n);
    f->param[0].var = n;
    f->param[1].var = f->x = imp_array(cx, "x", TYPE_F64, true);
    f->param[2].var = f->y = imp_array(cx, "y", TYPE_F64, false);
    f->param[3].var = f->z = imp_array(cx, "z", TYPE_I32, false);
    f->param[3].out = true;
    f->helper_param[0].var = a;
    f->helper_param[1].var = imp_array(cx, "v", TYPE_F64, false);
    f->helper = (struct imp_function){.name = "h",
                                      .helper = true,
                                      .result = TYPE_I32,
                                      .params = 2,
                                      .param = f->helper_param,
                                      .body = imp_return(cx, imp_read(cx, a))};
    f->helper_at[0] = &f->helper;
    f->function = (struct imp_function){
        .name = "f", .params = 4, .param = f->param, .helpers = 1, .helper_at = f->helper_at};
}

/* What is found when these are the statements. */
static const char *checked(struct frame *f, int n, const struct imp *const *statement)
{
    f->function.body = imp_block(f->cx, statement, n);
    return imp_check(f->cx, &f->function);
}

static void expect(struct frame *f, const char *error, const struct imp *statement)
{
    const char *found = checked(f, 1, &statement);
    assert_non_null(found);
    assert_string_equal(found, error);
}

static void expect2(struct frame *f, const char *error, const struct imp *first,
                    const struct imp *second)
{
    const char *found = checked(f, 2, (const struct imp *const[]){first, second});
    assert_non_null(found);
    assert_string_equal(found, error);
}

/* A copy that may be broken. */
static struct imp *broken(struct frame *f, const struct imp *imp)
{
    return arena_copy(f->cx->arena, imp, sizeof *imp);
}

static const struct imp *number(struct frame *f, int64_t i) { return imp_int(f->cx, TYPE_I32, i); }

static const struct imp *real(struct frame *f)
{
    return imp_literal(f->cx, value_real(TYPE_F64, 0.5));
}

static const struct imp *put(struct frame *f, const struct imp *value)
{
    return imp_store(f->cx, f->y, number(f, 0), OP_NONE, value);
}

static void test_good_programs(void **state)
{
    struct context *cx = *state;
    PROTECT(cx);
    assert_null(imp_check(cx, program_spmv(cx, TYPE_F32)));
    assert_null(imp_check(cx, program_spmm(cx, TYPE_F64, 32)));
    assert_null(imp_check(cx, program_mttkrp(cx, TYPE_C128, 0)));
    assert_null(imp_check(cx, program_dot(cx, TYPE_I8, OP_MIN)));
    assert_null(imp_check(cx, program_merge(cx, TYPE_F64)));
    assert_null(imp_check(cx, program_search(cx)));
    assert_null(imp_check(cx, program_sorted(cx)));
    struct rng rng = {1};
    for (int i = 0; i < 200; i++)
        assert_null(imp_check(cx, random_program(cx, &rng, "random")));
}

static void test_variables(void **state)
{
    struct frame f;
    PROTECT((struct context *)*state);
    open_frame(&f, *state);
    struct context *cx = f.cx;
    struct imp_var *v = imp_var(cx, "v", TYPE_I32), *same = imp_var(cx, "v", TYPE_I32),
                   *n = imp_var(cx, "n", TYPE_I32);
    const struct imp *declare = imp_declare(cx, v, number(&f, 1)),
                     *assign = imp_assign(cx, v, OP_NONE, number(&f, 2));
    expect(&f, "f: v is not declared here", put(&f, imp_read(cx, v)));
    expect(&f, "f: v is not declared here", assign);
    expect2(&f, "f: v is not declared here", imp_block(cx, &declare, 1), assign);
    expect2(&f, "f: v is declared twice", declare, declare);
    expect2(&f, "f: two variables are named v", declare, imp_declare(cx, same, NULL));
    expect(&f, "f: two variables are named n", imp_declare(cx, n, NULL));
    const struct imp *twice[] = {imp_block(cx, &declare, 1), imp_block(cx, &declare, 1)};
    assert_null(checked(&f, 2, twice));
    v->constant = true;
    expect(&f, "f: v is constant and has no value", imp_declare(cx, v, NULL));
    expect2(&f, "f: v cannot be assigned", declare, assign);
    expect(&f, "f: n cannot be assigned", imp_assign(cx, f.param[0].var, OP_ADD, number(&f, 1)));
    struct imp *typed = broken(&f, declare);
    typed->arg = (const struct imp *const[]){real(&f)};
    expect(&f, "f: the first value of v is of another type", typed);
    struct imp *read = broken(&f, f.n);
    read->type = TYPE_F64;
    expect(&f, "f: n is read as another type", put(&f, read));
}

static void test_arrays(void **state)
{
    struct frame f;
    PROTECT((struct context *)*state);
    open_frame(&f, *state);
    struct context *cx = f.cx;
    struct imp_var *other = imp_array(cx, "other", TYPE_F64, false);
    expect(&f, "f: x is a constant array that is written",
           imp_store(cx, f.x, number(&f, 0), OP_NONE, real(&f)));
    expect(&f, "f: x is a constant array that is written",
           imp_fill(cx, f.x, number(&f, 0), f.n, real(&f)));
    expect(&f, "f: x is a constant array that is written", imp_copy(cx, f.x, f.n, f.y, f.n, f.n));
    expect(&f, "f: other is not declared here", imp_copy(cx, f.y, f.n, other, f.n, f.n));
    struct imp *copy = broken(&f, imp_copy(cx, f.y, f.n, f.x, f.n, f.n));
    copy->arg = (const struct imp *const[]){f.n, copy->arg[1], f.n, real(&f)};
    expect(&f, "f: a number of elements is no integer", copy);
    expect(&f, "f: other is not declared here",
           imp_store(cx, other, number(&f, 0), OP_NONE, real(&f)));
    expect(&f, "f: x is an array, used as a scalar", put(&f, imp_read(cx, f.x)));
    struct imp *load = broken(&f, imp_load(cx, f.x, number(&f, 0)));
    load->var = f.n->var;
    expect(&f, "f: n is used as an array", put(&f, load));
    load->var = f.x;
    load->type = TYPE_F32;
    expect(&f, "f: x is read as another type", put(&f, load));
    load->type = TYPE_F64;
    load->arg = (const struct imp *const[]){real(&f)};
    expect(&f, "f: a position in x is no integer", put(&f, load));
    expect(&f, "f: other is not declared here", imp_prefetch(cx, other, number(&f, 0)));
    struct imp *store = broken(&f, put(&f, real(&f)));
    store->arg = (const struct imp *const[]){number(&f, 0), number(&f, 1)};
    expect(&f, "f: y is assigned a value of i32", store);
    store = broken(&f, put(&f, real(&f)));
    store->op = OP_LT;
    expect(&f, "f: y is assigned by an operator that does not fit", store);
}

static void test_memory(void **state)
{
    struct frame f;
    PROTECT((struct context *)*state);
    open_frame(&f, *state);
    struct context *cx = f.cx;
    expect(&f, "f: allocation of y, which is the caller's", imp_alloc(cx, f.y, f.n));
    expect(&f, "f: allocation of y, which is the caller's", imp_resize(cx, f.y, f.n));
    expect(&f, "f: release of y, which is the caller's", imp_free(cx, f.y));
    expect(&f, "f: z is freed but belongs to the caller", imp_free(cx, f.z));
    assert_null(checked(&f, 1, (const struct imp *const[]){imp_alloc(cx, f.z, f.n)}));
    struct imp_var *work = imp_array(cx, "work", TYPE_F64, true);
    expect(&f, "f: work is a local array that is constant or has a first value",
           imp_declare(cx, work, NULL));
    f.helper.body = imp_alloc(cx, f.helper_param[1].var, imp_read(cx, f.helper_param[0].var));
    expect(&f, "h: allocation of v in a helper", imp_alloc(cx, f.z, f.n));
}

static void test_expressions(void **state)
{
    struct frame f;
    PROTECT((struct context *)*state);
    open_frame(&f, *state);
    struct context *cx = f.cx;
    const struct imp *sum = imp_op2(cx, OP_ADD, real(&f), real(&f));
    struct imp *bad = broken(&f, sum);
    bad->arg = (const struct imp *const[]){real(&f), f.n};
    expect(&f, "f: operand 2 of + is of i32", put(&f, bad));
    bad = broken(&f, sum);
    bad->args = 1;
    expect(&f, "f: an operator has 1 operands", put(&f, bad));
    bad = broken(&f, sum);
    bad->computed = TYPE_F32;
    expect(&f, "f: operand 1 of + is of f64", put(&f, bad));
    bad = broken(&f, sum);
    bad->type = TYPE_F32;
    expect(&f, "f: + is computed in f64 and gives f32", put(&f, imp_cast(cx, TYPE_F64, bad)));
    bad = broken(&f, real(&f));
    bad->type = TYPE_F32;
    expect(&f, "f: a literal is not of its type", put(&f, imp_cast(cx, TYPE_F64, bad)));
    bad = broken(&f, imp_cast(cx, TYPE_F64, f.n));
    bad->arg = (const struct imp *const[]){real(&f)};
    expect(&f, "f: a conversion of f64 to f64", put(&f, bad));
    bad = broken(&f, sum);
    bad->kind = IMP_BREAK;
    bad->type = TYPE_F64;
    struct imp *store = broken(&f, put(&f, real(&f)));
    store->arg = (const struct imp *const[]){number(&f, 0), bad};
    expect(&f, "f: a statement stands for a value", store);
}

static void test_vectors(void **state)
{
    struct frame f;
    PROTECT((struct context *)*state);
    open_frame(&f, *state);
    struct context *cx = f.cx;
    const struct imp *v = imp_load_lanes(cx, f.x, number(&f, 0), 4),
                     *less = imp_op2(cx, OP_LT, v, v);
    struct imp_var *mask = imp_var(cx, "mask", TYPE_BOOL);
    assert_null(checked(&f, 1, (const struct imp *const[]){put(&f, imp_select(cx, less, v, v))}));
    expect(&f, "f: there is no vector of 3 lanes of f64",
           put(&f, imp_load_lanes(cx, f.x, number(&f, 0), 3)));
    expect(&f, "f: there is no vector of 16 lanes of f64",
           put(&f, imp_load_lanes(cx, f.x, number(&f, 0), 16)));
    expect(&f, "f: there is no sqrt of these vectors", put(&f, imp_op1(cx, OP_SQRT, v)));
    const struct imp *narrow = imp_cast(cx, TYPE_F32, v);
    expect(&f, "f: there is no select of these vectors",
           put(&f, imp_cast(cx, TYPE_F64, imp_select(cx, less, narrow, narrow))));
    expect(&f, "f: a conversion of a vector of f64",
           put(&f, imp_cast(cx, TYPE_F64, imp_cast(cx, TYPE_I32, v))));
    mask->lanes = 4;
    expect(&f, "f: a vector of bool outside a condition", imp_declare(cx, mask, less));
    struct imp *lane = broken(&f, imp_lane(cx, v, 3));
    lane->n = 4;
    expect(&f, "f: lane 4 of 4", put(&f, lane));
    struct imp *sum = broken(&f, imp_op2(cx, OP_ADD, v, v));
    sum->arg = (const struct imp *const[]){v, real(&f)};
    expect(&f, "f: operand 2 of + has 1 lanes, not 4", put(&f, sum));
    struct imp *lanes =
        broken(&f, imp_lanes(cx, (const struct imp *const[]){real(&f), real(&f)}, 2));
    lanes->args = 1;
    expect(&f, "f: a vector of 2 lanes is made of 1", put(&f, lanes));
    const int order[] = {0, 4, 2, 6};
    struct imp *shuffle = broken(&f, imp_shuffle(cx, v, v, order, 4));
    assert_null(checked(&f, 1, (const struct imp *const[]){put(&f, shuffle)}));
    shuffle->args = 5;
    expect(&f, "f: a vector of 4 lanes is made of 3", put(&f, shuffle));
    shuffle->args = 6;
    shuffle->arg = (const struct imp *const[]){v,         v,         v->arg[0],
                                               v->arg[0], v->arg[0], imp_int(cx, TYPE_I32, 8)};
    expect(&f, "f: lane 3 of a shuffle is none of 8", put(&f, shuffle));
    shuffle->arg =
        (const struct imp *const[]){v, narrow, v->arg[0], v->arg[0], v->arg[0], v->arg[0]};
    expect(&f, "f: a shuffle of vectors that are not alike", put(&f, shuffle));
    struct imp *streamed = broken(&f, imp_streamed(cx, put(&f, v)));
    streamed->op = OP_ADD;
    expect(&f, "f: what is streamed to y is combined", streamed);
}

static void test_control(void **state)
{
    struct frame f;
    PROTECT((struct context *)*state);
    open_frame(&f, *state);
    struct context *cx = f.cx;
    struct imp_var *i = imp_var(cx, "i", TYPE_I32);
    const struct imp *loop =
        imp_for(cx, i, number(&f, 0), f.n, 1, imp_assign(cx, i, OP_ADD, number(&f, 1)));
    expect(&f, "f: i cannot be assigned", loop);
    expect(&f, "f: a break outside loops", imp_break(cx));
    expect(&f, "f: a return in a kernel", imp_return(cx, f.n));
    struct imp *bad = broken(&f, imp_for(cx, i, number(&f, 0), f.n, 1, imp_break(cx)));
    bad->n = 0;
    expect(&f, "f: i cannot be the variable of a for", bad);
    bad = broken(&f, imp_if(cx, imp_true(cx), imp_comment(cx, "yes"), NULL));
    bad->arg = (const struct imp *const[]){f.n, imp_comment(cx, "no")};
    expect(&f, "f: a condition is no bool", bad);
    bad = broken(&f, imp_fail(cx, STATUS_NO_MEMORY));
    bad->n = 7;
    expect(&f, "f: there is no status 7", bad);
    bad = broken(&f, imp_if(cx, imp_true(cx), imp_comment(cx, "yes"), NULL));
    bad->arg = (const struct imp *const[]){imp_true(cx), f.n};
    expect(&f, "f: an expression stands as a statement", bad);
}

static void test_functions(void **state)
{
    struct frame f;
    PROTECT((struct context *)*state);
    open_frame(&f, *state);
    struct context *cx = f.cx;
    const struct imp *arg[] = {f.n, imp_read(cx, f.y)}, *call = imp_call(cx, &f.helper, arg, 2);
    assert_null(checked(&f, 1, &(const struct imp *){put(&f, call)}));
    const struct imp *constant[] = {f.n, imp_read(cx, f.x)};
    expect(&f, "f: x is a constant array that is written",
           put(&f, imp_call(cx, &f.helper, constant, 2)));
    struct imp *bad = broken(&f, call);
    bad->args = 1;
    expect(&f, "f: h is called with 1 arguments for i32", put(&f, bad));
    bad = broken(&f, call);
    bad->arg = (const struct imp *const[]){imp_read(cx, f.y), imp_read(cx, f.y)};
    expect(&f, "f: argument 1 of h is not what it takes", put(&f, bad));
    f.function.helpers = 0;
    expect(&f, "f: h is not among the helpers before this function", put(&f, call));
    f.function.helpers = 1;
    f.helper.body = imp_block(cx, NULL, 0);
    expect(&f, "h: a way through it ends without return", imp_block(cx, NULL, 0));
    f.helper.body = imp_return(cx, real(&f));
    expect(&f, "h: f64 is returned", imp_block(cx, NULL, 0));
    f.helper.body = imp_fail(cx, STATUS_TOO_LARGE);
    expect(&f, "h: a failure in a helper", imp_block(cx, NULL, 0));
    open_frame(&f, cx);
    f.param[1].out = true;
    expect(&f, "f: x cannot be an out parameter", imp_block(cx, NULL, 0));
    assert_string_equal(imp_check(cx, &f.helper), "h: a helper alone");
}

/* A helper is called for its value or for its effect, and takes its arrays for different ones. */
static void test_effects(void **state)
{
    struct frame f;
    PROTECT((struct context *)*state);
    open_frame(&f, *state);
    struct context *cx = f.cx;
    const struct imp *arg[] = {f.n, imp_read(cx, f.y)}, *call = imp_call(cx, &f.helper, arg, 2);
    f.helper.effects = true;
    const struct imp *effect = imp_do(cx, call);
    expect(&f, "h: a return with a value too many or too few", effect);
    f.helper.body = imp_return(cx, NULL);
    assert_null(checked(&f, 1, &effect));
    f.helper.body = imp_block(cx, NULL, 0);
    assert_null(checked(&f, 1, &effect));
    expect(&f, "f: h gives no value", put(&f, call));
    f.helper.effects = false;
    f.helper.body = imp_return(cx, NULL);
    expect(&f, "h: a return with a value too many or too few", effect);
    f.helper.body = imp_return(cx, imp_read(cx, f.helper_param[0].var));
    expect(&f, "f: h is called for its effect and has none", effect);
    struct imp *bad = broken(&f, effect);
    bad->arg = &f.n;
    expect(&f, "f: what is done is no call", bad);
    f.function.effects = true;
    assert_string_equal(checked(&f, 0, NULL), "f: a helper alone");
}

static void test_aliases(void **state)
{
    struct frame f;
    PROTECT((struct context *)*state);
    open_frame(&f, *state);
    struct context *cx = f.cx;
    const struct imp *y = imp_read(cx, f.y), *arg[] = {y, y};
    struct imp_var *to = imp_array(cx, "to", TYPE_F64, false),
                   *from = imp_array(cx, "from", TYPE_F64, true);
    f.helper_param[0].var = to;
    f.helper_param[1].var = from;
    f.helper.effects = true;
    f.helper.body = imp_store(cx, to, number(&f, 0), OP_NONE, imp_load(cx, from, number(&f, 0)));
    expect(&f, "f: y is passed to h twice, and written",
           imp_do(cx, imp_call(cx, &f.helper, arg, 2)));
    arg[1] = imp_read(cx, f.x);
    assert_null(checked(&f, 1, &(const struct imp *){imp_do(cx, imp_call(cx, &f.helper, arg, 2))}));
}

/* ---- room ---- */

/* Entries are appended one by one where there is room, which grows, and then all of a row. */
static const char appends[] =
    "kernel f(const i32 n, const i32 *pos, const i32 *crd, out i32 *X, out i32 *Y, out f64 *V) {\n"
    "    i32 c = 0\n"
    "    i32 d = 0\n"
    "    capacity i32 room = 16\n"
    "    capacity i64 most = min((i64)pos[n], 255)\n"
    "    alloc(X, room)\n"
    "    alloc(Y, room + 1)\n"
    "    alloc(V, most * 4)\n"
    "    Y[0] = 0\n"
    "    fill(V, 0, most * 4, 0)\n"
    "    for (i32 i = 0; i < n; i++) {\n"
    "        for (i32 p = pos[i]; p < pos[i + 1]; p++) {\n"
    "            // grow\n"
    "            if (c == room) {\n"
    "                if (room > 1073741823) {\n"
    "                    fail 2\n"
    "                }\n"
    "                room = 2 * room\n"
    "                resize(X, room)\n"
    "                resize(Y, room + 1)\n"
    "            }\n"
    "            X[c] = crd[p]\n"
    "            Y[c + 1] = crd[p]\n"
    "            X[c] = i\n"
    "            c += 1\n"
    "            // counted\n"
    "        }\n"
    "        i64 needed = (i64)d + (i64)(pos[i + 1] - pos[i])\n"
    "        if (most < needed) {\n"
    "            fail 2\n"
    "        }\n"
    "        // row\n"
    "        for (i32 q = pos[i]; q < pos[i + 1]; q++) {\n"
    "            i64 at = (i64)d * 4\n"
    "            fill(V, at, at + 4, 1)\n"
    "            V[at + 1] += 2\n"
    "            d += 1\n"
    "        }\n"
    "    }\n"
    "}\n";

/* The kernel with other text in one place; it is too short for none. */
static const char *with(struct context *cx, const char *text, const char *from, const char *to)
{
    const char *at = strstr(text, from);
    assert_non_null(at);
    return arena_printf(cx->arena, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
}

static void rejects(struct context *cx, const char *text, const char *why)
{
    cx->diags.n = 0;
    if (imp_parse(cx, text))
        fail_msg("not found: %s, in\n%s", why, text);
    if (!strstr(cx->diags.at[0].message, why))
        fail_msg("%s is not %s, in\n%s", cx->diags.at[0].message, why, text);
}

static void accepts(struct context *cx, const char *text)
{
    cx->diags.n = 0;
    if (!imp_parse(cx, text))
        fail_msg("%s\n%s", diag_render(cx), text);
}

#define NO_ROOM(array, capacity) array " is written where no check of " capacity " came before"
#define NO_SIZE(array)           array " is written where its size is not what its capacity says"

/* What is written comes before the check, or behind its use; another is checked; there is none. */
static void test_checks(void **state)
{
    static const struct {
        const char *from, *to, *why;
    } wrong[] = {
        /* the check is gone, or does nothing, or asks the wrong question */
        {"if (c == room) {", "if (c == n) {", NO_ROOM("X", "room")},
        {"if (c == room) {", "if (d == room) {", NO_ROOM("X", "room")},
        {"if (c == room) {", "if (room < c) {\n} else {", NO_ROOM("X", "room")},
        {"if (c == room) {", "if (c > room) {\n}\nif (p == n) {", NO_ROOM("X", "room")},
        {"if (most < needed) {", "if (n < c) {", NO_ROOM("V", "most")},
        {"if (most < needed) {", "if (needed < most) {", NO_ROOM("V", "most")},
        {"if (most < needed) {", "if ((i64)room < needed) {", NO_ROOM("V", "most")},
        {"if (most < needed) {", "if (most < (i64)c) {", NO_ROOM("V", "most")},
        {"(i64)d + (i64)(pos[i + 1] - pos[i])", "(i64)pos[d]", NO_ROOM("V", "most")},
        /* something is written before it, or once more behind it */
        {"// grow", "X[c] = 1", NO_ROOM("X", "room")},
        {"// grow", "fill(X, c, c + 1, 1)", NO_ROOM("X", "room")},
        {"// grow", "copy(X, c, crd, p, 1)", NO_ROOM("X", "room")},
        {"// grow", "atomic Y[c] += 1", NO_ROOM("Y", "room")},
        {"// counted", "X[c] = 1", NO_ROOM("X", "room")},
        {"// counted", "if (c == n) {\nX[c - 1] = 1\n}", NO_ROOM("X", "room")},
        {"X[c] = i", "X[d] = i", NO_ROOM("X", "room")},
        {"X[c] = i", "c += 1\nX[c] = i", NO_ROOM("X", "room")},
        {"        i64 needed", "V[d] = 1\ni64 needed", NO_ROOM("V", "most")},
        {"Y[0] = 0", "Y[1] = 0", NO_ROOM("Y", "room")},
        {"most * 4, 0)", "most * 4 + 1, 0)", NO_ROOM("V", "most")},
        /* as streams were once parted: a loop over all rows, before those that check each */
        {"    for (i32 i",
         "for (i32 p_2 = pos[0]; p_2 < pos[n]; p_2++) {\n"
         "V[d + (p_2 - pos[0])] = 1\n}\nfor (i32 i",
         NO_ROOM("V", "most")},
        /* the arrays do not have the size that is checked */
        {"resize(X, room)", "", NO_SIZE("X")},
        {"resize(Y, room + 1)", "", NO_SIZE("Y")},
        {"// counted", "room += 1", NO_SIZE("X")},
        {"    alloc(X, room)", "", NO_SIZE("X")},
        {"                room = 2 * room\n", "", NO_ROOM("X", "room")},
        {"i32 d = 0", "capacity f64 d = 0", "d is no integer, but a capacity"},
        {"// row", "capacity i32 *e", "e is no integer, but a capacity"},
    };
    struct context *cx = *state;
    PROTECT(cx);
    accepts(cx, appends);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        rejects(cx, with(cx, appends, wrong[i].from, wrong[i].to), wrong[i].why);
}

/* A check holds on every way to a place, however it is written and wherever the size is. */
static void test_good_checks(void **state)
{
    static const char *const right[][2] = {
        {"if (c == room) {", "if (room == c) {"},
        {"if (c == room) {", "if (c >= room) {"},
        {"if (c == room) {", "if (room < c + 1) {"},
        {"if (c == room) {", "if (or(n < 0, c == room)) {"},
        {"if (most < needed) {", "if (needed > most) {"},
        {"if (most < needed) {", "if (most < (i64)d + (i64)(pos[i + 1] - pos[i])) {"},
        {"// row", "if (c == n) {\nfail 2\n}"},
        {"// row", "if (c == n) {\nbreak\n}"},
        {"// grow", "X[c] = X[c - 1]"},
        {"// grow", "copy(X, 0, X, 1, c - 1)"},
        {"X[c] = i", "if (i == 0) {\nX[c] = i\n} else {\nX[c] = 1\n}"},
        {"X[c] = i", "i32 to = c\nX[to] = i\nwhile (X[to] < n) {\nX[to] += 1\n}"},
        {"alloc(V, most * 4)\n    Y[0] = 0\n    fill(V, 0, most * 4, 0)",
         "i64 four = most * 4\nalloc(V, four)\nY[0] = 0\nfill(V, 0, four, 0)"},
        /* without a capacity there is enough */
        {"capacity i64", "i64"},
    };
    struct context *cx = *state;
    PROTECT(cx);
    for (size_t i = 0; i < sizeof right / sizeof *right; i++)
        accepts(cx, with(cx, appends, right[i][0], right[i][1]));
    const char *four = with(cx, appends, right[12][0], right[12][1]);
    rejects(cx, with(cx, four, "most < needed", "n < c"), NO_ROOM("V", "most"));
}

/* Lists that parts have made are joined where there is room for all; a helper writes where its
 * arguments say. */
static void test_room_elsewhere(void **state)
{
    static const char joins[] = "void put(i64 at, i32 *to) {\n    to[at] = 1\n}\n"
                                "kernel f(const i32 n, const i32 m, out i32 *X) {\n"
                                "    capacity i64 room = 16\n"
                                "    alloc(X, room)\n"
                                "    i64 *begin\n"
                                "    alloc(begin, 2)\n"
                                "    arrays(1) X_of\n"
                                "    alloc(X_of, 1)\n"
                                "    if (room < (i64)n) {\n"
                                "        room = max((i64)n, 2 * room)\n"
                                "    }\n"
                                "    join(X, X_of, 0, begin, 1, room)\n"
                                "    i64 at = (i64)m - 1\n"
                                "    if (at == room) {\n"
                                "        fail 2\n"
                                "    }\n"
                                "    put(at, X)\n"
                                "}\n";
    struct context *cx = *state;
    PROTECT(cx);
    accepts(cx, joins);
    rejects(cx, with(cx, joins, "if (room < (i64)n)", "if ((i64)n < 0)"),
            "X is joined where no check of room came before");
    rejects(cx, with(cx, joins, "at == room", "at == 0"), NO_ROOM("X", "room"));
    rejects(cx, with(cx, joins, "put(at, X)", "put(0, X)"), NO_ROOM("X", "room"));
    rejects(cx, with(cx, joins, "    join", "    put((i64)n, X)\n    join"), NO_SIZE("X"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_good_programs),  TEST(test_variables), TEST(test_arrays),  TEST(test_memory),
        TEST(test_expressions),    TEST(test_vectors),   TEST(test_control), TEST(test_functions),
        TEST(test_effects),        TEST(test_aliases),   TEST(test_checks),  TEST(test_good_checks),
        TEST(test_room_elsewhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
