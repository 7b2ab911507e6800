/* test_vectorize.c - vectorized programs compute what they computed before.
 *
 * SPDX-License-Identifier: MIT
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "compiler/base/text.h"
#include "compiler/optimize/optimize.h"
#include "compiler/target.h"
#include "tests/imperative/loops.h"
#include "tests/imperative/programs.h"
#include "tests/imperative/protect.h"
#include "tests/imperative/random.h"

static const char *printed(struct context *cx, const struct imp_function *function)
{
    struct text text = text_new(cx->arena);
    imp_print(&text, function);
    return text.at;
}

static bool is_vector(const struct imp *imp, void *data) { return imp->lanes > 1; }

static bool has_vectors(const struct imp_function *function)
{
    return imp_any(function->body, is_vector, NULL);
}

/* Run both on the same arguments. */
static void compare(struct context *cx, struct rng *rng, const struct imp_function *before,
                    const struct imp_function *after)
{
    struct imp_argument *expected = random_loops_arguments(rng, before),
                        *got = copy_arguments(before, expected);
    struct imp_run a = imp_interpret(cx, before, expected, NULL),
                   b = imp_interpret(cx, after, got, NULL);
    if (a.fault || b.fault || !same_results(before, expected, got))
        fail_msg("%s\n%s\n%s / %s", printed(cx, before), printed(cx, after),
                 a.fault ? a.fault : "ran", b.fault ? b.fault : "ran");
    free_arguments(before, expected);
    free_arguments(before, got);
}

/* One random program; was it vectorized? */
static bool check_program(enum loops_kind kind, uint64_t seed)
{
    struct context *cx = context_new();
    assert_non_null(cx);
    PROTECT(cx);
    struct rng rng = {seed};
    const struct imp_function *before = imp_simplify(cx, random_loops(cx, &rng, "loops", kind));
    assert_null(imp_check(cx, before));
    const char *text = printed(cx, before);
    const struct imp_function *after = imp_vectorize(cx, before, VECTORS(16 << seed % 3));
    assert_string_equal(text, printed(cx, before));
    const char *error = imp_check(cx, after);
    if (error)
        fail_msg("%s\n%s\nseed %d: %s", text, printed(cx, after), (int)seed, error);
    for (int round = 0; round < 3; round++)
        compare(cx, &rng, before, after);
    bool vectorized = has_vectors(after);
    context_free(cx);
    return vectorized;
}

/* Random programs of a kind; at least so many percent of them must be vectorized. */
static void check_kind(enum loops_kind kind, int least)
{
    int vectorized = 0, all = LOOPS_DRAWN;
    for (int seed = 0; seed < all; seed++)
        vectorized += check_program(kind, (uint64_t)seed);
    if (vectorized * 100 < least * all)
        fail_msg("only %d of %d are vectorized", vectorized, all);
}

static void test_reductions(void **state) { check_kind(LOOPS_REDUCE, 60); }

static void test_rows(void **state) { check_kind(LOOPS_ROW, 40); }

static void test_blocks(void **state) { check_kind(LOOPS_BLOCK, 25); }

static void test_ranges(void **state) { check_kind(LOOPS_RANGE, 30); }

static void test_scattered_rows(void **state) { check_kind(LOOPS_SCATTER, 20); }

static void test_elements_apart(void **state) { check_kind(LOOPS_SPREAD, 30); }

static void test_short_loops(void **state) { check_kind(LOOPS_SHORT, 30); }

/* What is in none of the three shapes stays: the same pointer. */
static void test_others_stay(void **state)
{
    struct context *cx = *state;
    PROTECT(cx);
    const struct imp_function *others[] = {
        program_search(cx),
        imp_simplify(cx, program_merge(cx, TYPE_F64)),
        program_spmv(cx, TYPE_C128),
        program_dot(cx, TYPE_BOOL, OP_OR),
        program_spmm(cx, TYPE_F64, 3),
    };
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        assert_ptr_equal(imp_vectorize(cx, others[i], VECTORS(0)), others[i]);
}

/* Coordinates are read ahead of time, but never behind the last one: arrays that are just as
 * long as they must be. */
static void run_exact_arrays(struct context *cx, const struct imp_function *program, int x_rows,
                             int y_rows)
{
    enum { M = 12, N = 7, R = 40 };
    const struct imp_function *plain = imp_simplify(cx, program);
    const struct imp_function *vectors = imp_vectorize(cx, plain, VECTORS(64));
    struct rng rng = {7};
    int prefetches = 0;
    for (int round = 0; round < 50; round++) {
        int32_t pos[M + 1] = {0}, crd[M * N];
        static double vals[M * N], x[M * R], y[2][M * R];
        memset(y, 0, sizeof y);
        for (int i = 0; i < M; i++) {
            pos[i + 1] = pos[i] + rng_below(&rng, N);
            for (int p = pos[i]; p < pos[i + 1]; p++)
                crd[p] = rng_below(&rng, N);
        }
        for (int i = 0; i < M * N; i++)
            vals[i] = rng_below(&rng, 9);
        for (int i = 0; i < M * R; i++)
            x[i] = rng_below(&rng, 9);
        for (int k = 0; k < 2; k++) {
            struct imp_argument argument[] = {
                {.value = value_int(TYPE_I32, M)}, {.value = value_int(TYPE_I32, N)},
                {.value = value_int(TYPE_I32, R)}, {.data = pos, .length = M + 1},
                {.data = crd, .length = pos[M]},   {.data = vals, .length = pos[M]},
                {.data = x, .length = x_rows * R}, {.data = y[k], .length = y_rows * R},
            };
            struct imp_run run = imp_interpret(cx, k ? vectors : plain, argument, NULL);
            if (run.fault)
                fail_msg("%s", run.fault);
        }
        assert_memory_equal(y[0], y[1], sizeof y[0]);
        prefetches += pos[M] > 16;
    }
    assert_true(prefetches > 0 && strstr(printed(cx, vectors), "prefetch"));
}

static void test_exact_arrays(void **state)
{
    struct context *cx = *state;
    PROTECT(cx);
    run_exact_arrays(cx, program_spmm(cx, TYPE_F64, 0), 7, 12);
    run_exact_arrays(cx, program_spmm_transposed(cx, TYPE_F64, 0), 12, 7);
    run_exact_arrays(cx, program_spmm_transposed(cx, TYPE_F64, 40), 12, 7);
}

/* So are targets, of a machine whose caches have lines for fewer counters.  On others entries go
 * four at a step: rows of 1 to 25, of all lengths that steps leave something of. */
static void test_exact_counters(void **state)
{
    enum { M = 200, N = 100, MOST = 25 };
    static int32_t pos[M + 1], crd[M * MOST], start[N + 1], row[3][M * MOST];
    static double vals[M * MOST], to[3][M * MOST];
    struct context *cx = *state;
    PROTECT(cx);
    struct target small = *TARGET_GENERIC;
    const struct imp_function *plain = imp_simplify(cx, program_scatter(cx, TYPE_F64));
    const struct imp_function *near = imp_vectorize(cx, plain, VECTORS(0));
    assert_non_null(strstr(printed(cx, near), "if ((i64)A2_dimension > 32768) {"));
    small.l1 = small.l3 = 99 * 2 * 2 * small.line;
    const struct pass_options *options = VECTORS(0);
    cx->target = &small;
    const struct imp_function *ahead = imp_vectorize(cx, plain, options);
    cx->target = NULL;
    assert_non_null(strstr(printed(cx, ahead), "if ((i64)A2_dimension > 99) {"));
    assert_non_null(strstr(printed(cx, ahead), "prefetch(B2_crd, B2_crd_target0)"));
    assert_non_null(strstr(printed(cx, near), "A_vals_here3")); /* four at a step */
    struct rng rng = {7};
    for (int i = 0; i < M; i++) {
        pos[i + 1] = pos[i] + 1 + rng_below(&rng, MOST);
        for (int p = pos[i]; p < pos[i + 1]; p++) {
            crd[p] = rng_below(&rng, N);
            vals[p] = p;
            start[crd[p] + 1]++;
        }
    }
    for (int j = 0; j < N; j++)
        start[j + 1] += start[j];
    const struct imp_function *const way[] = {plain, near, ahead};
    for (int k = 0; k < 3; k++) {
        struct imp_argument argument[] = {
            {.value = value_int(TYPE_I32, M)},  {.value = value_int(TYPE_I32, N)},
            {.data = pos, .length = M + 1},     {.data = crd, .length = pos[M]},
            {.data = vals, .length = pos[M]},   {.data = start, .length = N + 1},
            {.data = row[k], .length = pos[M]}, {.data = to[k], .length = pos[M]},
        };
        struct imp_run run = imp_interpret(cx, way[k], argument, NULL);
        if (run.fault)
            fail_msg("%s", run.fault);
    }
    for (int k = 1; k < 3; k++) {
        assert_memory_equal(row[0], row[k], sizeof row[0]);
        assert_memory_equal(to[0], to[k], sizeof to[0]);
    }
}

/* ---- what the kernels come out as ---- */

static void expect(const struct imp_function *function, struct context *cx,
                   const char *const *pieces, const char *absent)
{
    const char *text = printed(cx, imp_vectorize(cx, imp_simplify(cx, function), VECTORS(64)));
    for (; *pieces; pieces++)
        if (!strstr(text, *pieces))
            fail_msg("%s\nlacks: %s", text, *pieces);
    if (absent && strstr(text, absent))
        fail_msg("%s\nhas: %s", text, absent);
}

static void test_kernels(void **state)
{
    struct context *cx = *state;
    PROTECT(cx);
    expect(program_spmv(cx, TYPE_F64), cx,
           (const char *const[]){"f64x4 t0 = broadcast4(0)", "while (pA2 < pA2_end - 3)",
                                 "{x_vals[A2_crd[pA2]], x_vals[A2_crd[pA2 + 1]], ",
                                 "t += t0[0] + t0[2] + (t0[1] + t0[3])", NULL},
           "prefetch");
    expect(program_spmm(cx, TYPE_F64, 32), cx,
           (const char *const[]){"f64x8 Y_vals3 = broadcast8(0)", "X_vals[pX1 + 24 .. +8]",
                                 "i32 pA2_last = A2_pos[A1_dimension]",
                                 "i32 pA2_ahead = A2_pos[i + 1] <= pA2_last - 16 ? 16 : 0",
                                 "i64 X_vals_next = (i64)A2_crd[pA2 + pA2_ahead] * 32",
                                 "prefetch(X_vals, X_vals_next + 24)", NULL},
           "fill");
    expect(program_spmm(cx, TYPE_F32, 0), cx,
           (const char *const[]){"while (r0 < X2_dimension - 63)", "if (r0 < X2_dimension - 31)",
                                 "if (r0 < X2_dimension - 15)", "if (r0 < X2_dimension)", NULL},
           "fill");
    expect(program_mttkrp(cx, TYPE_F64, 40), cx,
           (const char *const[]){"Y_vals4 = broadcast8(0)",
                                 "Y_vals[(i64)i * 40 + 32 .. +8] = Y_vals4", NULL},
           "Y_vals5");
    /* a fiber's sum is multiplied by what the fiber keeps, where there is one */
    expect(program_mttkrp(cx, TYPE_F64, 8), cx,
           (const char *const[]){"if (A3_pos[pA2] < A3_pos[pA2 + 1])", "f64x8 sum = broadcast8(0)",
                                 "sum += broadcast8(A_vals[pA3]) * C_vals[pC1 .. +8]",
                                 "Y_vals0 += B_vals[pB1 .. +8] * sum", NULL},
           "sum0");
    /* of integers, which may overflow, each entry */
    expect(program_mttkrp(cx, TYPE_I64, 8), cx,
           (const char *const[]){"Y_vals0 += broadcast8(A_vals[pA3]) * B_vals[pB1 .. +8]", NULL},
           "sum");
    expect(program_spmm_transposed(cx, TYPE_F64, 0), cx,
           (const char *const[]){"if (A2_pos[i] < A2_pos[i + 1])", "while (r0 < X2_dimension - 31)",
                                 "f64x8 kept = X_vals[", "broadcast8(A_vals[pA2]) * kept",
                                 "prefetch(Y_vals, Y_vals_next + 24)", NULL},
           "line");
    /* of integers the factors' order stays */
    expect(program_spmm_transposed(cx, TYPE_I64, 0), cx,
           (const char *const[]){"for (i64 line = 0; line < (i64)X2_dimension; line += 8)",
                                 "prefetch(Y_vals, (i64)A2_crd[pA2 + pA2_ahead] * ", NULL},
           NULL);
    expect(program_dot(cx, TYPE_F64, OP_ADD), cx,
           (const char *const[]){"f64x8 t3", "while (i < n - 31)", "while (i < n - 7)", NULL},
           NULL);
}

/* With 32 bytes a row's tile has twice as many vectors, half as long, and as many prefetches. */
static void test_lengths(void **state)
{
    struct context *cx = *state;
    PROTECT(cx);
    const struct imp_function *spmm = imp_simplify(cx, program_spmm(cx, TYPE_F64, 0));
    const char *text = printed(cx, imp_vectorize(cx, spmm, VECTORS(32)));
    assert_string_equal(text, printed(cx, imp_vectorize(cx, spmm, VECTORS(0))));
    assert_non_null(strstr(text, "while (r0 < X2_dimension - 31)"));
    assert_non_null(strstr(text, "f64x4 Y_vals7 = broadcast4(0)"));
    assert_non_null(strstr(text, "prefetch(X_vals, X_vals_next + 24)"));
    assert_null(strstr(text, "prefetch(X_vals, X_vals_next + 28)"));
    assert_null(strstr(text, "f64x8"));
}

static const struct imp *with_mark(struct context *cx, const struct imp *imp, struct imp_mark mark)
{
    return imp_marked(cx, imp, arena_copy(cx->arena, &mark, sizeof mark));
}

/* A fill that is not for the row alone stays. */
static void test_other_fill(void **state)
{
    struct context *cx = *state;
    PROTECT(cx);
    for (int row = 0; row < 3; row++) {
        struct imp_function spmm = *program_spmm(cx, TYPE_F64, 32);
        const struct imp *loop = spmm.body, *both = loop->arg[2];
        const struct imp *part[] = {with_mark(cx, both->arg[0], (struct imp_mark){.row = row}),
                                    both->arg[1]};
        const struct imp *arg[] = {loop->arg[0], loop->arg[1], imp_with_args(cx, both, part)};
        spmm.body = imp_with_args(cx, loop, arg);
        const struct imp_function *vectors =
            imp_vectorize(cx, imp_simplify(cx, &spmm), VECTORS(32));
        assert_true(has_vectors(vectors));
        assert_int_equal(strstr(printed(cx, vectors), "fill(Y_vals") != NULL, row != 1);
    }
}

/* What no mark vouches for stays as it is. */
static void test_no_marks(void **state)
{
    struct context *cx = *state;
    PROTECT(cx);
    struct imp_function dot = *program_dot(cx, TYPE_F64, OP_ADD);
    const struct imp *part[] = {dot.body->arg[0], NULL, dot.body->arg[2]};
    for (int in_order = 0; in_order < 2; in_order++) {
        const struct imp_mark mark = {.iterations =
                                          in_order ? ITERATIONS_IN_ORDER : ITERATIONS_REDUCE};
        part[1] = with_mark(cx, dot.body->arg[1], mark);
        dot.body = imp_with_args(cx, dot.body, part);
        assert_int_equal(has_vectors(imp_vectorize(cx, &dot, VECTORS(32))), !in_order);
    }
}

/* A call that writes to an array is made as often as before. */
static void test_impure_values(void **state)
{
    struct context *cx = *state;
    PROTECT(cx);
    struct imp_function dot = *program_dot(cx, TYPE_F64, OP_ADD);
    struct imp_var *to = imp_array(cx, "to", TYPE_F64, false), *v = imp_var(cx, "v", TYPE_F64);
    struct imp_param param[] = {{.var = to, .role = ROLE_LOCAL}};
    const struct imp *zero = imp_int(cx, TYPE_I32, 0),
                     *half = imp_literal(cx, value_real(TYPE_F64, 0.5));
    const struct imp *parts[] = {imp_store(cx, to, zero, OP_ADD, half), imp_return(cx, half)};
    const struct imp_function touch = {.name = "touch",
                                       .helper = true,
                                       .result = TYPE_F64,
                                       .params = 1,
                                       .param = param,
                                       .body = imp_block(cx, parts, 2)},
                              *helper[] = {&touch};
    const struct imp *call =
        imp_call(cx, &touch, (const struct imp *const[]){imp_read(cx, dot.param[3].var)}, 1);
    const struct imp *block = dot.body, *loop = block->arg[1],
                     *with[3] = {block->arg[0], NULL, block->arg[2]};
    const struct imp *body[] = {imp_declare(cx, v, call), loop->arg[2]};
    with[1] = imp_with_args(
        cx, loop, (const struct imp *const[]){loop->arg[0], loop->arg[1], imp_block(cx, body, 2)});
    assert_true(has_vectors(imp_vectorize(cx, &dot, VECTORS(32))));
    dot.body = imp_block(cx, with, 3);
    dot.helpers = 1;
    dot.helper_at = helper;
    assert_null(imp_check(cx, &dot));
    assert_false(has_vectors(imp_vectorize(cx, imp_simplify(cx, &dot), VECTORS(32))));
}

/* `name` = v == 0 ? 1 : v > 1 ? v : 2, which vectors have no operators for. */
static const struct imp *picked(struct context *cx, const char *name, const struct imp_var *var,
                                const struct imp **declared)
{
    const struct imp *v = imp_read(cx, var), *zero = imp_literal(cx, value_zero(TYPE_F64)),
                     *one = imp_literal(cx, value_real(TYPE_F64, 1)),
                     *two = imp_literal(cx, value_real(TYPE_F64, 2));
    const struct imp *more[] = {imp_op2(cx, OP_GT, v, one), v, two},
                     *all[] = {imp_op2(cx, OP_EQ, v, zero), one, imp_op(cx, OP_SELECT, more, 3)};
    struct imp_var *to = imp_var(cx, name, TYPE_F64);
    *declared = imp_declare(cx, to, imp_op(cx, OP_SELECT, all, 3));
    return imp_read(cx, to);
}

/* Lanes of which each takes a long expression are not written: those of v do, those of w, in which
 * v is three times, do not. */
static void test_long_lanes(void **state)
{
    struct context *cx = *state;
    PROTECT(cx);
    for (int deep = 0; deep < 2; deep++) {
        struct imp_function dot = *program_dot(cx, TYPE_F64, OP_ADD);
        const struct imp *block = dot.body, *loop = block->arg[1], *assign = loop->arg[2];
        struct imp_var *product = imp_var(cx, "product", TYPE_F64);
        const struct imp *body[4] = {imp_declare(cx, product, assign->arg[0])};
        const struct imp *value = picked(cx, "v", product, &body[1]);
        if (deep)
            value = picked(cx, "w", value->var, &body[2]);
        body[2 + deep] = imp_assign(cx, assign->var, OP_ADD, value);
        const struct imp *const with[] = {loop->arg[0], loop->arg[1],
                                          imp_block(cx, body, 3 + deep)};
        const struct imp *const parts[] = {block->arg[0], imp_with_args(cx, loop, with),
                                           block->arg[2]};
        dot.body = imp_block(cx, parts, 3);
        assert_null(imp_check(cx, &dot));
        assert_int_equal(has_vectors(imp_vectorize(cx, &dot, VECTORS(32))), !deep);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reductions),
        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_blocks),
        cmocka_unit_test(test_ranges),
        cmocka_unit_test(test_scattered_rows),
        cmocka_unit_test(test_elements_apart),
        cmocka_unit_test(test_short_loops),
        TEST(test_others_stay),
        TEST(test_exact_arrays),
        TEST(test_exact_counters),
        TEST(test_kernels),
        TEST(test_lengths),
        TEST(test_other_fill),
        TEST(test_no_marks),
        TEST(test_impure_values),
        TEST(test_long_lanes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
