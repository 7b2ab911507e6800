/* test_construct.c - the types that constructors derive, what they refuse, and how programs are
 * printed.
 *
 * SPDX-License-Identifier: MIT
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "compiler/base/text.h"
#include "compiler/imperative/var_map.h"
#include "tests/imperative/programs.h"
#include "tests/imperative/protect.h"

static const struct imp *zero(struct context *cx, enum type type)
{
    return imp_literal(cx, value_zero(type));
}

static void test_operands_are_converted(void **state)
{
    struct context *cx = *state;
    PROTECT(cx);
    const struct imp *sum = imp_op2(cx, OP_ADD, zero(cx, TYPE_I32), zero(cx, TYPE_I64));
    assert_int_equal(sum->type, TYPE_I64);
    assert_int_equal(sum->computed, TYPE_I64);
    assert_int_equal(sum->arg[0]->kind, IMP_CAST);
    assert_int_equal(sum->arg[1]->kind, IMP_LITERAL);
    const struct imp *less = imp_op2(cx, OP_LT, zero(cx, TYPE_U8), zero(cx, TYPE_F32));
    assert_int_equal(less->type, TYPE_BOOL);
    assert_int_equal(less->computed, TYPE_F32);
    const struct imp *choice =
        imp_select(cx, zero(cx, TYPE_I32), zero(cx, TYPE_F32), zero(cx, TYPE_F64));
    assert_int_equal(choice->type, TYPE_F64);
    assert_int_equal(choice->arg[0]->type, TYPE_BOOL);
    assert_int_equal(imp_op1(cx, OP_SQRT, zero(cx, TYPE_I8))->type, TYPE_F64);
    assert_int_equal(imp_op1(cx, OP_ABS, zero(cx, TYPE_C64))->type, TYPE_F32);
    const struct imp *x = zero(cx, TYPE_F32);
    assert_ptr_equal(imp_cast(cx, TYPE_F32, x), x);
}

static void test_statements_convert(void **state)
{
    struct context *cx = *state;
    PROTECT(cx);
    struct imp_var *v = imp_var(cx, "v", TYPE_F32), *a = imp_array(cx, "a", TYPE_I64, false);
    assert_ptr_equal(v->name, intern(cx, "v"));
    assert_true(a->array && a->restricted && !a->constant);
    assert_int_equal(imp_declare(cx, v, zero(cx, TYPE_I32))->arg[0]->type, TYPE_F32);
    assert_int_equal(imp_assign(cx, v, OP_ADD, zero(cx, TYPE_F64))->arg[0]->type, TYPE_F32);
    assert_int_equal(imp_store(cx, a, zero(cx, TYPE_I32), OP_NONE, zero(cx, TYPE_I8))->arg[1]->type,
                     TYPE_I64);
    assert_int_equal(
        imp_fill(cx, a, zero(cx, TYPE_I32), zero(cx, TYPE_I32), zero(cx, TYPE_U8))->arg[2]->type,
        TYPE_I64);
    assert_int_equal(imp_if(cx, imp_true(cx), imp_comment(cx, "a"), NULL)->args, 2);
}

static void test_vectors(void **state)
{
    struct context *cx = *state;
    PROTECT(cx);
    struct imp_var *a = imp_array(cx, "a", TYPE_F64, false);
    const struct imp *v = imp_load_lanes(cx, a, zero(cx, TYPE_I32), 8),
                     *half = imp_cast(cx, TYPE_F32, v);
    assert_int_equal(v->lanes, 8);
    assert_int_equal(half->lanes, 8);
    assert_int_equal(imp_op2(cx, OP_LT, v, v)->lanes, 8);
    assert_int_equal(imp_lane(cx, v, 7)->lanes, 1);
    assert_int_equal(imp_broadcast(cx, zero(cx, TYPE_F64), 8)->lanes, 8);
    const struct imp *pair = imp_shuffle(cx, v, v, (const int[]){15, 0}, 2);
    assert_int_equal(pair->lanes, 2);
    assert_int_equal(pair->type, TYPE_F64);
}

/* Each of these must unwind as a bug. */
static void misuse(struct context *cx, int which)
{
    struct imp_var *v = imp_var(cx, "v", TYPE_F32), *a = imp_array(cx, "a", TYPE_I64, false);
    const struct imp *f = zero(cx, TYPE_F64), *n = zero(cx, TYPE_I32),
                     *comment = imp_comment(cx, "");
    struct imp_function kernel = {.name = "kernel"};
    const int four = 4;
    switch (which) {
    case 0: imp_load(cx, v, n); break;
    case 1: imp_load(cx, a, f); break;
    case 2: imp_op2(cx, OP_AND, f, f); break;
    case 3: imp_op2(cx, OP_ADD, f, comment); break;
    case 4: imp_op2(cx, OP_ADD, imp_broadcast(cx, f, 4), f); break;
    case 5: imp_op(cx, OP_ADD, &f, 1); break;
    case 6: imp_assign(cx, v, OP_LT, f); break;
    case 7: imp_assign(cx, a, OP_NONE, f); break;
    case 8: imp_if(cx, n, comment, NULL); break;
    case 9: imp_block(cx, &f, 1); break;
    case 10: imp_for(cx, imp_var(cx, "i", TYPE_I32), n, n, 0, comment); break;
    case 11: imp_for(cx, v, n, n, 1, comment); break;
    case 12: imp_call(cx, &kernel, NULL, 0); break;
    case 13: imp_lane(cx, f, 1); break;
    case 14: imp_fail(cx, STATUS_OK); break;
    case 15: imp_declare(cx, a, n); break;
    case 16: imp_shuffle(cx, f, f, (const int[]){0, 1}, 2); break;
    case 17: imp_shuffle(cx, imp_broadcast(cx, f, 2), imp_broadcast(cx, f, 2), &four, 2); break;
    default: imp_alloc(cx, v, n); break;
    }
}

static void expect_bug(int which)
{
    struct context *cx = context_new();
    assert_non_null(cx);
    if (context_protect(cx)) {
        misuse(cx, which);
        fail_msg("a misuse is let through");
    }
    assert_int_equal(cx->failure, CONTEXT_BUG);
    context_free(cx);
}

static void test_misuse(void **state)
{
    for (int which = 0; which <= 18; which++)
        expect_bug(which);
}

static void test_rebuilding(void **state)
{
    struct context *cx = *state;
    PROTECT(cx);
    const struct imp *one = imp_int(cx, TYPE_I32, 1), *two = imp_int(cx, TYPE_I32, 2),
                     *sum = imp_op2(cx, OP_ADD, one, two);
    const struct imp *swapped = imp_with_args(cx, sum, (const struct imp *const[]){two, one});
    assert_ptr_equal(imp_with_args(cx, sum, sum->arg), sum);
    assert_ptr_not_equal(swapped, sum);
    assert_ptr_equal(swapped->arg[0], two);
    assert_false(imp_equal(sum, swapped));
    assert_true(imp_equal(sum, imp_op2(cx, OP_ADD, imp_int(cx, TYPE_I32, 1), two)));
    assert_false(imp_equal(one, imp_int(cx, TYPE_I64, 1)));
    assert_false(imp_equal(imp_literal(cx, value_real(TYPE_F64, 0.0)),
                           imp_literal(cx, value_real(TYPE_F64, -0.0))));
}

static void test_builder(void **state)
{
    struct context *cx = *state;
    PROTECT(cx);
    struct imp_builder b = {.cx = cx};
    struct imp_var *v = imp_var(cx, "v", TYPE_I32);
    imp_begin(&b);
    const struct imp *read = imp_let(&b, v, imp_int(cx, TYPE_I32, 1));
    imp_begin(&b);
    imp_add(&b, imp_assign(cx, v, OP_ADD, read));
    imp_add(&b, imp_end(&b));
    const struct imp *block = imp_end(&b);
    assert_int_equal(read->kind, IMP_VAR);
    assert_int_equal(block->args, 2);
    assert_int_equal(block->arg[0]->kind, IMP_DECLARE);
    assert_int_equal(block->arg[1]->kind, IMP_BLOCK);
    assert_null(b.scope);
}

static void test_print(void **state)
{
    struct context *cx = *state;
    PROTECT(cx);
    struct text text = text_new(cx->arena);
    imp_print(&text, program_search(cx));
    assert_string_equal(
        text.at,
        "i32 search_i32(const i32 *crd, const i32 begin, const i32 end, const i32 target) {\n"
        "    i32 low = begin\n"
        "    i32 high = end\n"
        "    while (low < high) {\n"
        "        i32 middle = low + (high - low) / 2\n"
        "        if (crd[middle] < target) {\n"
        "            low = middle + 1\n"
        "        } else {\n"
        "            high = middle\n"
        "        }\n"
        "    }\n"
        "    return low\n"
        "}\n"
        "\n"
        "kernel locate(const i32 n, const i32 target, const i32 *a1_crd, i32 *p_vals) {\n"
        "    p_vals[i32(0)] = search_i32(a1_crd, 0, n, target)\n"
        "}\n");
}

/* Every variable keeps its own fact while the table grows; one that was only looked at is as
 * good as unknown. */
static void test_var_map(void **state)
{
    struct context *cx = *state;
    PROTECT(cx);
    enum { N = 1000 };
    struct imp_var *var[N];
    struct var_map map = {0};
    for (int i = 0; i < N; i++) {
        var[i] = imp_var(cx, "v", TYPE_I32);
        assert_null(*var_map_at(cx, &map, var[i]));
        if (i % 2)
            *var_map_at(cx, &map, var[i]) = &var[i];
    }
    assert_int_equal(map.n, N);
    for (int i = 0; i < N; i++)
        assert_ptr_equal(*var_map_at(cx, &map, var[i]), i % 2 ? &var[i] : NULL);
    void **place = var_map_at(cx, &map, var[0]);
    for (int i = 0; i < N; i++)
        var_map_at(cx, &map, var[i]);
    assert_ptr_equal(var_map_at(cx, &map, var[0]), place);
    assert_int_equal(map.n, N);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_operands_are_converted),
        TEST(test_statements_convert),
        TEST(test_vectors),
        TEST(test_rebuilding),
        TEST(test_builder),
        TEST(test_print),
        TEST(test_var_map),
        cmocka_unit_test(test_misuse),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
