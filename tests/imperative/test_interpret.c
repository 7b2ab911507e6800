/* test_interpret.c - what programs do, and what is found wrong with them.
 *
 * SPDX-License-Identifier: MIT
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "compiler/imperative/run/interpret.h"
#include "compiler/imperative/stream.h"
#include "tests/imperative/programs.h"
#include "tests/imperative/protect.h"

/* A kernel f(n, x, y, z): n a number, x read, y written, z an out array. */
struct frame {
    struct imp_builder b;
    struct imp_param param[4];
    const struct imp *n;
    struct imp_var *x, *y, *z;
    int32_t in[4], result[4];
    struct imp_argument argument[4];
    struct imp_function function;
};

enum { LENGTH = 4 };

static void open_frame(struct frame *f, struct context *cx)
{
    struct imp_var *n = imp_var(cx, "n", TYPE_I32);
    memset(f, 0, sizeof *f);
    f->b.cx = cx;
    f->x = imp_array(cx, "x", TYPE_I32, true);
    f->y = imp_array(cx, "y", TYPE_I32, false);
    f->z = imp_array(cx, "z", TYPE_I32, false);
    f->n = imp_read(cx, n);
    f->param[0].var = n;
    f->param[1].var = f->x;
    f->param[2].var = f->y;
    f->param[3].var = f->z;
    f->param[3].out = true;
    f->argument[0].value = value_int(TYPE_I32, 3);
    f->argument[1] = (struct imp_argument){.data = f->in, .length = LENGTH};
    f->argument[2] = (struct imp_argument){.data = f->result, .length = LENGTH};
    for (int i = 0; i < LENGTH; i++)
        f->in[i] = 10 * (i + 1);
    imp_begin(&f->b);
}

static struct imp_run run_frame(struct frame *f, const struct imp_allocator *allocator,
                                int64_t steps)
{
    f->function =
        (struct imp_function){.name = "f", .params = 4, .param = f->param, .body = imp_end(&f->b)};
    const char *error = imp_check(f->b.cx, &f->function);
    if (error)
        fail_msg("%s", error);
    return imp_interpret(f->b.cx, &f->function, f->argument,
                         &(struct imp_options){.allocator = allocator, .max_steps = steps});
}

static const struct imp *number(struct frame *f, int64_t i)
{
    return imp_int(f->b.cx, TYPE_I32, i);
}

static const struct imp *op2(struct frame *f, enum op op, const struct imp *a, const struct imp *b)
{
    return imp_op2(f->b.cx, op, a, b);
}

static void put(struct frame *f, int64_t at, const struct imp *value)
{
    imp_add(&f->b, imp_store(f->b.cx, f->y, number(f, at), OP_NONE, value));
}

static void expect_fault(struct frame *f, const char *fault)
{
    struct imp_run run = run_frame(f, NULL, 0);
    assert_non_null(run.fault);
    assert_string_equal(run.fault, fault);
    assert_null(f->argument[3].data);
}

/* ---- kernels ---- */

static void test_spmv(void **state)
{
    struct context *cx = *state;
    PROTECT(cx);
    const struct imp_function *f = program_spmv(cx, TYPE_F64);
    int32_t pos[] = {0, 2, 2, 4}, crd[] = {0, 2, 1, 2};
    double vals[] = {1, 2, 3, 4}, x[] = {1, 10, 100}, y[3];
    struct imp_argument argument[] = {
        {.value = value_int(TYPE_I32, 3)}, {.value = value_int(TYPE_I32, 3)},
        {.data = pos, .length = 4},        {.data = crd, .length = 4},
        {.data = vals, .length = 4},       {.data = x, .length = 3},
        {.data = y, .length = 3},
    };
    struct imp_run run = imp_interpret(cx, f, argument, NULL);
    assert_null(run.fault);
    assert_int_equal(run.status, STATUS_OK);
    assert_true(run.steps > 50);
    assert_true(y[0] == 201 && y[1] == 0 && y[2] == 430);
    crd[3] = 3;
    run = imp_interpret(cx, f, argument, NULL);
    assert_string_equal(run.fault, "x_vals[3] is out of bounds: it has 3 elements");
}

/* y = A x of n rows with two entries each. */
static struct imp_counts count_spmv(struct context *cx, int n)
{
    int32_t *pos = arena_array(cx->arena, int32_t, n + 1),
            *crd = arena_array(cx->arena, int32_t, 2 * n);
    double *vals = arena_array(cx->arena, double, 2 * n), x[1] = {1},
           *y = arena_array(cx->arena, double, n);
    for (int i = 0; i <= n; i++)
        pos[i] = 2 * i;
    struct imp_argument argument[] = {
        {.value = value_int(TYPE_I32, n)}, {.value = value_int(TYPE_I32, 1)},
        {.data = pos, .length = n + 1},    {.data = crd, .length = 2 * n},
        {.data = vals, .length = 2 * n},   {.data = x, .length = 1},
        {.data = y, .length = n},
    };
    struct imp_run run = imp_interpret(cx, program_spmv(cx, TYPE_F64), argument, NULL);
    assert_null(run.fault);
    return run.counts;
}

static void test_counts(void **state)
{
    struct context *cx = *state;
    PROTECT(cx);
    for (int n = 0; n <= 1000; n = 10 * n + 1) {
        struct imp_counts counts = count_spmv(cx, n);
        assert_int_equal(counts.iterations, 3 * n); /* rows and entries */
        assert_int_equal(counts.stores, n);
        assert_int_equal(counts.elements, 0);
        /* begin; end, before each iteration and after the last; entries */
        assert_int_equal(counts.loads, 10 * n);
        /* the loop; t, a loop and y; entries: j, t */
        assert_int_equal(counts.statements, 1 + 7 * n);
    }
}

/* Vectors count by element, and so do fills and memory. */
static void test_counts_of_elements(void **state)
{
    struct frame f;
    PROTECT((struct context *)*state);
    open_frame(&f, *state);
    struct context *cx = f.b.cx;
    imp_add(&f.b, imp_alloc(cx, f.z, number(&f, 4)));
    imp_add(&f.b, imp_fill(cx, f.z, number(&f, 0), number(&f, 4), number(&f, 7)));
    imp_add(&f.b, imp_comment(cx, "nothing"));
    imp_add(&f.b,
            imp_store(cx, f.y, number(&f, 0), OP_ADD, imp_load_lanes(cx, f.z, number(&f, 0), 4)));
    imp_add(&f.b, imp_resize(cx, f.z, number(&f, 6)));
    imp_add(&f.b, imp_copy(cx, f.z, number(&f, 2), f.y, number(&f, 1), number(&f, 3)));
    struct imp_run run = run_frame(&f, NULL, 0);
    assert_null(run.fault);
    assert_int_equal(run.counts.statements, 5);
    assert_int_equal(run.counts.iterations, 0);
    assert_int_equal(run.counts.loads, 11);
    assert_int_equal(run.counts.stores, 11);
    assert_int_equal(run.counts.elements, 10);
    free(f.argument[3].data);
}

static void test_merge(void **state)
{
    struct context *cx = *state;
    PROTECT(cx);
    int32_t pos_a[] = {0, 3}, crd_a[] = {1, 3, 7}, pos_b[] = {0, 2}, crd_b[] = {3, 4};
    double a[] = {1, 2, 3}, b[] = {10, 20};
    static const int32_t crd[] = {1, 3, 4, 7};
    static const double vals[] = {1, 12, 20, 3};
    struct imp_argument argument[10] = {
        {.value = value_int(TYPE_I32, 8)}, {.data = pos_a, .length = 2},
        {.data = crd_a, .length = 3},      {.data = a, .length = 3},
        {.data = pos_b, .length = 2},      {.data = crd_b, .length = 2},
        {.data = b, .length = 2},
    };
    struct imp_run run = imp_interpret(cx, program_merge(cx, TYPE_F64), argument, NULL);
    assert_null(run.fault);
    assert_int_equal(((int32_t *)argument[7].data)[1], 4);
    assert_memory_equal(argument[8].data, crd, sizeof crd);
    assert_memory_equal(argument[9].data, vals, sizeof vals);
    for (int i = 7; i < 10; i++)
        free(argument[i].data);
}

static void test_helper(void **state)
{
    struct context *cx = *state;
    PROTECT(cx);
    int32_t crd[] = {1, 4, 4, 9}, p = -1;
    static const int expected[] = {0, 0, 1, 1, 1, 3, 3, 3, 3, 3, 4};
    for (int target = 0; target <= 10; target++) {
        struct imp_argument argument[] = {{.value = value_int(TYPE_I32, 4)},
                                          {.value = value_int(TYPE_I32, target)},
                                          {.data = crd, .length = 4},
                                          {.data = &p, .length = 1}};
        struct imp_run run = imp_interpret(cx, program_search(cx), argument, NULL);
        assert_null(run.fault);
        assert_int_equal(p, expected[target]);
    }
}

static void test_effects(void **state)
{
    struct context *cx = *state;
    PROTECT(cx);
    int32_t crd[] = {9, 4, 1, 4, -2}, p[5];
    static const int32_t sorted[] = {-2, 1, 4, 4, 9};
    for (int n = 0; n <= 5; n += 5) {
        struct imp_argument argument[] = {{.value = value_int(TYPE_I32, n)},
                                          {.data = crd, .length = n},
                                          {.data = p, .length = n}};
        struct imp_run run = imp_interpret(cx, program_sorted(cx), argument, NULL);
        assert_null(run.fault);
        assert_int_equal(run.status, STATUS_OK);
    }
    assert_memory_equal(p, sorted, sizeof sorted);
    struct imp_argument many[] = {
        {.value = value_int(TYPE_I32, 101)}, {.data = crd, .length = 5}, {.data = p, .length = 5}};
    struct imp_run run = imp_interpret(cx, program_sorted(cx), many, NULL);
    assert_null(run.fault);
    assert_int_equal(run.status, STATUS_TOO_LARGE);
}

/* ---- expressions and statements ---- */

static void test_lazy(void **state)
{
    struct frame f;
    PROTECT((struct context *)*state);
    open_frame(&f, *state);
    struct context *cx = f.b.cx;
    const struct imp *beyond = imp_load(cx, f.x, number(&f, 99)),
                     *no = op2(&f, OP_GT, f.n, number(&f, 5));
    const struct imp *yes = op2(&f, OP_LT, f.n, number(&f, 5)), *bad = op2(&f, OP_EQ, beyond, f.n);
    put(&f, 0, imp_select(cx, no, beyond, number(&f, 1)));
    put(&f, 1, imp_cast(cx, TYPE_I32, op2(&f, OP_AND, no, bad)));
    put(&f, 2, imp_cast(cx, TYPE_I32, op2(&f, OP_OR, yes, bad)));
    struct imp_run run = run_frame(&f, NULL, 0);
    assert_null(run.fault);
    assert_int_equal(f.result[0], 1);
    assert_int_equal(f.result[1], 0);
    assert_int_equal(f.result[2], 1);
}

static void test_integers_wrap(void **state)
{
    struct frame f;
    PROTECT((struct context *)*state);
    open_frame(&f, *state);
    put(&f, 0, op2(&f, OP_ADD, number(&f, INT32_MAX), number(&f, 1)));
    put(&f, 1, op2(&f, OP_DIV, f.n, number(&f, 0)));
    put(&f, 2, op2(&f, OP_DIV, number(&f, INT32_MIN), number(&f, -1)));
    struct imp_run run = run_frame(&f, NULL, 0);
    assert_null(run.fault);
    assert_int_equal(f.result[0], INT32_MIN);
    assert_int_equal(f.result[1], 0);
    assert_int_equal(f.result[2], INT32_MIN);
}

static void test_loops(void **state)
{
    struct frame f;
    PROTECT((struct context *)*state);
    open_frame(&f, *state);
    struct context *cx = f.b.cx;
    struct imp_var *i = imp_var(cx, "i", TYPE_I32), *t = imp_var(cx, "t", TYPE_I32);
    const struct imp *sum = imp_let(&f.b, t, number(&f, 0)), *at = imp_read(cx, i);
    imp_add(&f.b, imp_for(cx, i, number(&f, 0), number(&f, 10), 3, imp_assign(cx, t, OP_ADD, at)));
    put(&f, 0, sum); /* 0 + 3 + 6 + 9 */
    const struct imp *stop = imp_if(cx, op2(&f, OP_EQ, at, number(&f, 2)), imp_break(cx), NULL);
    const struct imp *body[] = {stop, imp_assign(cx, t, OP_ADD, number(&f, 100))};
    imp_add(&f.b, imp_for(cx, i, number(&f, 0), f.n, 1, imp_block(cx, body, 2)));
    put(&f, 1, sum);
    imp_add(&f.b, imp_while(cx, op2(&f, OP_GT, sum, number(&f, 10)),
                            imp_assign(cx, t, OP_DIV, number(&f, 2))));
    put(&f, 2, sum);
    imp_add(&f.b, imp_fill(cx, f.y, number(&f, 3), number(&f, 4), number(&f, 7)));
    assert_null(run_frame(&f, NULL, 0).fault);
    assert_int_equal(f.result[0], 18);
    assert_int_equal(f.result[1], 218);
    assert_int_equal(f.result[2], 6);
    assert_int_equal(f.result[3], 7);
}

static void test_vectors(void **state)
{
    struct frame f;
    PROTECT((struct context *)*state);
    open_frame(&f, *state);
    struct context *cx = f.b.cx;
    struct imp_var *v = imp_var(cx, "v", TYPE_I32);
    const struct imp *lane[] = {f.n, number(&f, 1), number(&f, 2), number(&f, 3)};
    v->lanes = 4;
    const struct imp *vector = imp_let(&f.b, v, imp_load_lanes(cx, f.x, number(&f, 0), 4));
    imp_add(&f.b, imp_assign(cx, v, OP_MUL, imp_lanes(cx, lane, 4)));
    imp_add(&f.b, imp_store(cx, f.y, number(&f, 0), OP_NONE, vector));
    imp_add(&f.b, imp_store(cx, f.y, number(&f, 0), OP_ADD,
                            imp_broadcast(cx, imp_lane(cx, vector, 1), 4)));
    assert_null(run_frame(&f, NULL, 0).fault);
    static const int32_t expected[] = {30 + 20, 20 + 20, 60 + 20, 120 + 20};
    assert_memory_equal(f.result, expected, sizeof expected);
}

static void test_shuffle(void **state)
{
    struct frame f;
    PROTECT((struct context *)*state);
    open_frame(&f, *state);
    struct context *cx = f.b.cx;
    struct imp_var *v = imp_var(cx, "v", TYPE_I32);
    const struct imp *lane[] = {f.n, number(&f, 1), number(&f, 2), number(&f, 3)};
    v->lanes = 4;
    const struct imp *vector = imp_let(&f.b, v, imp_load_lanes(cx, f.x, number(&f, 0), 4));
    imp_add(&f.b, imp_assign(cx, v, OP_NONE,
                             imp_shuffle(cx, vector, imp_lanes(cx, lane, 4),
                                         (const int[]){3, 6, 0, 7}, 4)));
    imp_add(&f.b, imp_store(cx, f.y, number(&f, 0), OP_NONE, vector));
    assert_null(run_frame(&f, NULL, 0).fault);
    const int32_t expected[] = {f.in[3], 2, f.in[0], 3};
    assert_memory_equal(f.result, expected, sizeof expected);
}

/* A vector of how far an element is into a line, counted from the array's first, which is streamed
 * to a place of y; what the machine finds wrong. */
static const char *stream(struct context *cx, int64_t at)
{
    static const int32_t expected[] = {6, 6, 6, 6};
    struct frame f;
    open_frame(&f, cx);
    const struct imp *far = imp_in_line(cx, f.y, number(&f, 22), 64),
                     *store =
                         imp_store(cx, f.y, number(&f, at), OP_NONE, imp_broadcast(cx, far, 4));
    imp_add(&f.b, imp_streamed(cx, store));
    const char *fault = run_frame(&f, NULL, 0).fault;
    if (!fault)
        assert_memory_equal(f.result, expected, sizeof expected);
    return fault;
}

/* It begins at a multiple of its lanes. */
static void test_stream(void **state)
{
    PROTECT((struct context *)*state);
    assert_null(stream(*state, 0));
    assert_string_equal(stream(*state, 1), "4 lanes are streamed to y[1]");
}

/* ---- memory ---- */

static void test_out(void **state)
{
    struct frame f;
    PROTECT((struct context *)*state);
    open_frame(&f, *state);
    struct context *cx = f.b.cx;
    imp_add(&f.b, imp_alloc(cx, f.z, number(&f, 1)));
    imp_add(&f.b, imp_store(cx, f.z, number(&f, 0), OP_NONE, f.n));
    imp_add(&f.b, imp_resize(cx, f.z, number(&f, 2)));
    imp_add(&f.b, imp_store(cx, f.z, number(&f, 1), OP_NONE, imp_load(cx, f.z, number(&f, 0))));
    assert_null(run_frame(&f, NULL, 0).fault);
    assert_int_equal(f.argument[3].length, 2);
    assert_int_equal(((int32_t *)f.argument[3].data)[1], 3);
    free(f.argument[3].data);
}

/* An allocator that fails at the n-th call and counts what is alive. */
struct ledger {
    int left, live;
};

static void *ledger_reallocate(void *data, void *old, size_t size)
{
    struct ledger *ledger = data;
    if (ledger->left-- == 0)
        return NULL;
    ledger->live += !old;
    return realloc(old, size);
}

static void ledger_release(void *data, void *old)
{
    ((struct ledger *)data)->live -= old != NULL;
    free(old);
}

static void test_no_memory(void **state)
{
    PROTECT((struct context *)*state);
    for (int n = 0; n < 3; n++) {
        struct frame f;
        open_frame(&f, *state);
        struct context *cx = f.b.cx;
        struct imp_var *work = imp_array(cx, "work", TYPE_F64, false);
        imp_add(&f.b, imp_declare(cx, work, NULL));
        imp_add(&f.b, imp_alloc(cx, work, number(&f, 100)));
        imp_add(&f.b, imp_alloc(cx, f.z, number(&f, 1)));
        imp_add(&f.b, imp_resize(cx, f.z, number(&f, 10)));
        imp_add(&f.b, imp_free(cx, work));
        struct ledger ledger = {n, 0};
        struct imp_run run =
            run_frame(&f, &(struct imp_allocator){ledger_reallocate, ledger_release, &ledger}, 0);
        assert_null(run.fault);
        assert_int_equal(run.status, STATUS_NO_MEMORY);
        assert_null(f.argument[3].data);
        assert_int_equal(ledger.live, 0);
    }
}

static void test_fail(void **state)
{
    struct frame f;
    PROTECT((struct context *)*state);
    open_frame(&f, *state);
    imp_add(&f.b, imp_alloc(f.b.cx, f.z, number(&f, 5)));
    imp_add(&f.b, imp_fail(f.b.cx, STATUS_TOO_LARGE));
    struct imp_run run = run_frame(&f, NULL, 0);
    assert_null(run.fault);
    assert_int_equal(run.status, STATUS_TOO_LARGE);
    assert_null(f.argument[3].data);
}

static void test_sizes_out_of_range(void **state)
{
    static const int64_t sizes[] = {-1, INT64_MAX, INT64_MAX / 2};
    PROTECT((struct context *)*state);
    for (int i = 0; i < 3; i++) {
        struct frame f;
        open_frame(&f, *state);
        imp_add(&f.b, imp_alloc(f.b.cx, f.z, imp_int(f.b.cx, TYPE_I64, sizes[i])));
        assert_int_equal(run_frame(&f, NULL, 0).status, STATUS_NO_MEMORY);
    }
}

/* ---- faults ---- */

static void test_out_of_bounds(void **state)
{
    struct frame f;
    PROTECT((struct context *)*state);
    open_frame(&f, *state);
    put(&f, 0, imp_load(f.b.cx, f.x, number(&f, 4)));
    expect_fault(&f, "x[4] is out of bounds: it has 4 elements");
    open_frame(&f, *state);
    put(&f, 0, imp_load(f.b.cx, f.x, number(&f, -1)));
    expect_fault(&f, "x[-1] is out of bounds: it has 4 elements");
    open_frame(&f, *state);
    put(&f, 4, f.n);
    expect_fault(&f, "y[4] is out of bounds: it has 4 elements");
    open_frame(&f, *state);
    imp_add(&f.b, imp_fill(f.b.cx, f.y, number(&f, 2), number(&f, 5), f.n));
    expect_fault(&f, "y[4] is out of bounds: it has 4 elements");
    open_frame(&f, *state);
    imp_add(&f.b, imp_copy(f.b.cx, f.y, number(&f, 2), f.x, number(&f, 0), number(&f, 3)));
    expect_fault(&f, "y[4] is out of bounds: it has 4 elements");
    open_frame(&f, *state);
    imp_add(&f.b, imp_copy(f.b.cx, f.y, number(&f, 0), f.x, number(&f, 2), number(&f, 3)));
    expect_fault(&f, "x[4] is out of bounds: it has 4 elements");
    open_frame(&f, *state);
    imp_add(&f.b, imp_store(f.b.cx, f.y, number(&f, 1), OP_NONE, imp_broadcast(f.b.cx, f.n, 4)));
    expect_fault(&f, "y[4] is out of bounds: it has 4 elements");
    open_frame(&f, *state);
    put(&f, 0, imp_load(f.b.cx, f.x, imp_int(f.b.cx, TYPE_U64, -1)));
    expect_fault(&f, "x[9223372036854775807] is out of bounds: it has 4 elements");
}

static void test_never_positive(void **state)
{
    struct frame f;
    PROTECT((struct context *)*state);
    open_frame(&f, *state);
    struct imp_var *parts = imp_var(f.b.cx, "parts", TYPE_I32);
    parts->positive = true;
    put(&f, 0, imp_let(&f.b, parts, imp_int(f.b.cx, TYPE_I32, 0)));
    expect_fault(&f, "parts is less than 1");
}

static void test_never_written(void **state)
{
    struct frame f;
    PROTECT((struct context *)*state);
    open_frame(&f, *state);
    struct context *cx = f.b.cx;
    imp_add(&f.b, imp_alloc(cx, f.z, number(&f, 3)));
    imp_add(&f.b, imp_store(cx, f.z, number(&f, 0), OP_NONE, f.n));
    imp_add(&f.b, imp_store(cx, f.z, number(&f, 1), OP_ADD, f.n));
    expect_fault(&f, "z[1] is read and was never written");
    open_frame(&f, *state);
    imp_add(&f.b, imp_alloc(cx, f.z, number(&f, 1)));
    imp_add(&f.b, imp_fill(cx, f.z, number(&f, 0), number(&f, 1), f.n));
    imp_add(&f.b, imp_resize(cx, f.z, number(&f, 2)));
    put(&f, 0, imp_load(cx, f.z, number(&f, 0)));
    put(&f, 0, imp_load(cx, f.z, number(&f, 1)));
    expect_fault(&f, "z[1] is read and was never written");
    open_frame(&f, *state);
    struct imp_var *v = imp_var(cx, "v", TYPE_I32);
    put(&f, 0, imp_let(&f.b, v, NULL));
    expect_fault(&f, "v is read and was never set");
}

static void test_lost_memory(void **state)
{
    struct frame f;
    PROTECT((struct context *)*state);
    open_frame(&f, *state);
    struct context *cx = f.b.cx;
    struct imp_var *work = imp_array(cx, "work", TYPE_F64, false);
    imp_add(&f.b, imp_declare(cx, work, NULL));
    imp_add(&f.b, imp_alloc(cx, work, number(&f, 1)));
    expect_fault(&f, "the memory of work is never released");
    open_frame(&f, *state);
    imp_add(&f.b, imp_alloc(cx, f.z, number(&f, 1)));
    imp_add(&f.b, imp_alloc(cx, f.z, number(&f, 1)));
    expect_fault(&f, "z is allocated again and its memory lost");
}

static void test_steps(void **state)
{
    struct frame f;
    PROTECT((struct context *)*state);
    open_frame(&f, *state);
    imp_add(&f.b, imp_while(f.b.cx, imp_true(f.b.cx), imp_block(f.b.cx, NULL, 0)));
    struct imp_run run = run_frame(&f, NULL, 1000);
    assert_string_equal(run.fault, "more than 1000 steps");
}

static void test_counter_overflows(void **state)
{
    struct frame f;
    PROTECT((struct context *)*state);
    open_frame(&f, *state);
    struct imp_var *i = imp_var(f.b.cx, "i", TYPE_U8);
    imp_add(&f.b,
            imp_for(f.b.cx, i, number(&f, 0), number(&f, 300), 1, imp_block(f.b.cx, NULL, 0)));
    expect_fault(&f, "i overflows");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_spmv),
        TEST(test_counts),
        TEST(test_counts_of_elements),
        TEST(test_merge),
        TEST(test_helper),
        TEST(test_effects),
        TEST(test_lazy),
        TEST(test_integers_wrap),
        TEST(test_loops),
        TEST(test_vectors),
        TEST(test_shuffle),
        TEST(test_stream),
        TEST(test_out),
        TEST(test_no_memory),
        TEST(test_fail),
        TEST(test_sizes_out_of_range),
        TEST(test_out_of_bounds),
        TEST(test_never_positive),
        TEST(test_never_written),
        TEST(test_lost_memory),
        TEST(test_steps),
        TEST(test_counter_overflows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
