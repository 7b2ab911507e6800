/* test_notation.c - tensor index notation: trees, what a check fills in, printing, hostile text.
 *
 * What statements mean and how mistakes are reported is in test_notation_goldens.c.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/base/text.h"
#include "compiler/base/vec.h"
#include "compiler/notation/notation.h"
#include "tests/support/rng.h"
#include "tests/unit/support.h"

static const struct tin_declarations nothing_declared = {.defaults = {TYPE_I32, TYPE_I32}};

static const struct tin *checked(struct context *cx, const char *text)
{
    const struct tin *parsed = tin_parse(cx, text);
    const struct tin *statement = parsed ? tin_check(cx, parsed, &nothing_declared) : NULL;
    if (!statement)
        fail_msg("%s is refused:\n%s", text, diag_render(cx));
    return statement;
}

static const char *printed(struct context *cx, const struct tin *tin)
{
    struct text out = text_new(cx->arena);
    tin_print(&out, tin);
    return out.at;
}

/* ---- trees ---- */

static void spans_cover_the_text(void **state)
{
    (void)state;
    IN_CONTEXT(cx)
    {
        const char *text = "y(i) = (A(i,j) + 1) * x(j)";
        const struct tin *s = tin_parse(cx, text);
        assert_int_equal(s->span.begin, 0);
        assert_int_equal(s->span.end, (int)strlen(text));
        const struct tin *product = s->arg[1];
        assert_int_equal(product->span.begin, 7);
        assert_int_equal(product->arg[0]->span.end, 19); /* with its parentheses */
        assert_int_equal(product->arg[0]->arg[0]->index_span[1].begin, 12);
        assert_string_equal(s->span.source->name, "expression");
    }
}

static void equal_names_are_one_variable(void **state)
{
    (void)state;
    IN_CONTEXT(cx)
    {
        const struct tin *s = checked(cx, "y(i) = A(i,j) * x(j) + sum(j, B(i,j))");
        const struct tin *sum = s->arg[1], *product = sum->arg[0]->arg[0],
                         *explicit_sum = sum->arg[1];
        assert_ptr_equal(product->arg[0]->index[1], product->arg[1]->index[0]);
        assert_ptr_equal(explicit_sum->index[0], product->arg[1]->index[0]);
        assert_ptr_equal(s->arg[0]->index[0], product->arg[0]->index[0]);
    }
}

static void tensors_are_complete(void **state)
{
    (void)state;
    IN_CONTEXT(cx)
    {
        const struct tin_declaration given[] = {{.name = "A", .format = "csr"},
                                                {.name = "A", .type = "f32"},
                                                {.name = "A", .fill = "inf"}};
        const struct tin_size size[] = {{"j", 7}};
        struct tin_declarations declared = {.tensor = given,
                                            .tensors = 3,
                                            .size = size,
                                            .sizes = 1,
                                            .defaults = {TYPE_I64, TYPE_U32}};
        const struct tin *s =
            tin_check(cx, tin_parse(cx, "y(i) = min(j, A(i,j) + x(j) + A(i,k))"), &declared);
        assert_non_null(s);
        const struct tensor_var *y = s->arg[0]->tensor,
                                *A = s->arg[1]->arg[0]->arg[0]->arg[0]->tensor;
        assert_string_equal(A->name, "A");
        assert_int_equal(A->order, 2);
        assert_int_equal(A->type, TYPE_F32);
        assert_true(value_equal(A->fill, value_highest(TYPE_F32)));
        assert_string_equal(A->format->level[1].type->name, "compressed");
        assert_int_equal(A->format->level[1].pos, TYPE_I64);
        assert_int_equal(A->format->level[1].crd, TYPE_U32);
        assert_int_equal(A->rank, 1);
        assert_int_equal(y->rank, 0);
        assert_false(A->temporary);
        assert_true(format_is_dense(y->format));
        assert_ptr_equal(A->extent[0], y->extent[0]);
        assert_string_equal(A->extent[1]->name, "j");
        assert_int_equal(A->extent[1]->size, 7);
        /* the sum over k of A(i,k) */
        const struct tin *other = s->arg[1]->arg[0]->arg[1]->arg[0];
        assert_ptr_equal(other->tensor, A);
        /* k indexes what j does */
        assert_int_equal(other->index[1]->size, 7);
        assert_int_equal(y->extent[0]->size, -1);
    }
}

static void calls_nest_to_the_left(void **state)
{
    (void)state;
    IN_CONTEXT(cx)
    {
        const struct tin *s = tin_parse(cx, "y = max(a, b, c, d)");
        assert_string_equal(printed(cx, s), "y = max(max(max(a, b), c), d)");
        assert_true(tin_equal(s, tin_parse(cx, "y = max(max(max(a,b),c),d)")));
    }
}

static void min_is_a_reduction_or_a_call(void **state)
{
    (void)state;
    IN_CONTEXT(cx)
    {
        assert_int_equal(tin_parse(cx, "y(i) = min(j, A(i,j))")->arg[1]->kind, TIN_REDUCE);
        assert_int_equal(tin_parse(cx, "y(i) = min(j, x(i))")->arg[1]->kind, TIN_OP);
        assert_int_equal(tin_parse(cx, "y(i) = min(j, x(i)) + z(j)")->arg[1]->arg[0]->kind,
                         TIN_REDUCE);
        assert_int_equal(tin_parse(cx, "y(i) = min(j, 1) + sum(j, 2)")->arg[1]->arg[0]->kind,
                         TIN_REDUCE);
    }
}

static void is_literal(const char *text, enum type type)
{
    IN_CONTEXT(cx)
    {
        const struct tin *s = tin_parse(cx, arena_printf(cx->arena, "y = %s", text));
        assert_non_null(s);
        assert_int_equal(s->arg[1]->kind, TIN_LITERAL);
        assert_int_equal(s->arg[1]->type, type);
    }
}

static void literals_have_types(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        enum type type;
    } literals[] = {
        {"5", TYPE_I64},
        {"-5", TYPE_I64},
        {"9223372036854775808", TYPE_U64},
        {"-9223372036854775808", TYPE_I64},
        {"5.0", TYPE_F64},
        {"5e3", TYPE_F64},
        {".5", TYPE_F64},
        {"5.", TYPE_F64},
        {"inf", TYPE_F64},
        {"-inf", TYPE_F64},
        {"nan", TYPE_F64},
        {"true", TYPE_BOOL},
        {"2i", TYPE_C128},
        {"2.5j", TYPE_C128},
        {"(1,-2)", TYPE_C128},
        {"( -inf , nan )", TYPE_C128},
    };
    for (size_t i = 0; i < sizeof literals / sizeof *literals; i++)
        is_literal(literals[i].text, literals[i].type);
}

static void assigns(const char *sign, enum op op)
{
    IN_CONTEXT(cx)
    {
        const struct tin *s = tin_parse(cx, arena_printf(cx->arena, "y(i)%s-x(i)", sign));
        assert_non_null(s);
        assert_int_equal(s->op, op);
    }
}

static void every_assignment_parses(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        enum op op;
    } signs[] = {{"=", OP_NONE},    {"+=", OP_ADD}, {"*=", OP_MUL}, {"min=", OP_MIN},
                 {"max =", OP_MAX}, {"|=", OP_OR},  {"&=", OP_AND}, {"^=", OP_XOR}};
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        assigns(signs[i].text, signs[i].op);
}

/* ---- printing ---- */

/* Random trees as a parser could have made them. */
struct maker {
    struct context *cx;
    struct rng rng;
    const struct tensor_var *tensor[5]; /* of orders 0, 0, 1, 2 and 3 */
    const struct index_var *index[5];
};

static const struct tin *make_literal(struct maker *m)
{
    static const double doubles[] = {0.1, -0.0, 1e300, -1.5e-300, 3, 1e16, 12345.678};
    struct value v = value_int(TYPE_I64, (int64_t)rng_next(&m->rng) >> rng_below(&m->rng, 64));
    switch (rng_below(&m->rng, 5)) {
    case 0: v = value_real(TYPE_F64, doubles[rng_below(&m->rng, 7)]); break;
    case 1:
        v = value_complex(TYPE_C128, doubles[rng_below(&m->rng, 7)],
                          doubles[rng_below(&m->rng, 7)]);
        break;
    case 2: v = rng_percent(&m->rng, 50) ? value_highest(TYPE_F64) : value_lowest(TYPE_F64); break;
    case 3:
        v = rng_percent(&m->rng, 50) ? value_int(TYPE_BOOL, rng_below(&m->rng, 2))
                                     : value_int(TYPE_U64, -7);
        break;
    default: break;
    }
    return tin_literal(m->cx, (struct span){0}, v);
}

/* Of the tensors from this one on: the first two are scalars. */
static const struct tin *make_access(struct maker *m, int first)
{
    const struct index_var *index[3];
    const struct tensor_var *tensor = m->tensor[first + rng_below(&m->rng, 5 - first)];
    for (int i = 0; i < tensor->order; i++)
        index[i] = m->index[rng_below(&m->rng, 5)];
    return tin_access(m->cx, (struct span){0}, tensor, index, tensor->order);
}

static const struct tin *make_tree(struct maker *m, int depth);

static const struct tin *make_reduction(struct maker *m, int depth)
{
    static const enum op reductions[] = {OP_ADD, OP_MUL, OP_MIN, OP_MAX, OP_AND, OP_OR};
    const struct index_var *index[2] = {m->index[rng_below(&m->rng, 5)],
                                        m->index[rng_below(&m->rng, 5)]};
    return tin_reduce(m->cx, (struct span){0}, reductions[rng_below(&m->rng, 6)], index,
                      1 + rng_below(&m->rng, 2), make_tree(m, depth - 1));
}

static const struct tin *make_tree(struct maker *m, int depth)
{
    const struct tin *arg[3];
    if (depth == 0 || rng_percent(&m->rng, 10))
        return rng_percent(&m->rng, 40) ? make_literal(m) : make_access(m, 0);
    if (rng_percent(&m->rng, 15))
        return make_reduction(m, depth);
    /* half of them infix, which are the first in the table */
    enum op op = (enum op)rng_below(&m->rng, rng_percent(&m->rng, 50) ? OP_GE + 1 : OP_COUNT);
    for (int i = 0; i < op_arity(op); i++)
        arg[i] = op == OP_STORED ? make_access(m, 2) : make_tree(m, depth - 1);
    return tin_op(m->cx, (struct span){0}, op, arg, op_arity(op));
}

static void make_names(struct maker *m)
{
    static const char *const tensor[] = {"alpha", "infinite", "x", "A", "B2"}, *const index[] = {
                                                                                   "i", "j", "k",
                                                                                   "e1", "_"};
    static const int order[] = {0, 0, 1, 2, 3};
    for (int i = 0; i < 5; i++) {
        struct tensor_var *t = arena_make(m->cx->arena, struct tensor_var);
        *t = (struct tensor_var){
            .name = intern(m->cx, tensor[i]), .order = order[i], .type = TYPE_F64};
        m->tensor[i] = t;
        struct index_var *v = arena_make(m->cx->arena, struct index_var);
        *v = (struct index_var){.name = intern(m->cx, index[i]), .size = -1};
        m->index[i] = v;
    }
}

/* All of the names, so that each is known to be a tensor or an index variable wherever it
 * stands. */
static const struct tin *make_statement(struct maker *m, int depth)
{
    static const enum op assignments[] = {OP_NONE, OP_ADD, OP_MUL, OP_MIN, OP_MAX, OP_OR, OP_AND};
    struct tensor_var *y = arena_make(m->cx->arena, struct tensor_var);
    *y = (struct tensor_var){.name = intern(m->cx, "y"), .order = 5, .type = TYPE_F64};
    const struct tin *result = tin_access(m->cx, (struct span){0}, y, m->index, 5);
    return tin_assign(m->cx, (struct span){0}, assignments[rng_below(&m->rng, 7)], result,
                      make_tree(m, depth));
}

static void prints_and_parses(uint64_t seed)
{
    IN_CONTEXT(cx)
    {
        struct maker m = {.cx = cx, .rng = {seed}};
        make_names(&m);
        const struct tin *tree = make_statement(&m, 1 + rng_below(&m.rng, 5));
        const char *text = printed(cx, tree);
        const struct tin *parsed = tin_parse(cx, text);
        if (!parsed)
            fail_msg("seed %llu: %s\n%s", (unsigned long long)seed, text, diag_render(cx));
        if (!tin_equal(tree, parsed))
            fail_msg("seed %llu: %s\nreads back as\n%s", (unsigned long long)seed, text,
                     printed(cx, parsed));
    }
}

static void trees_print_and_parse(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 20000; seed++)
        prints_and_parses(seed);
}

/* A checked statement's text means the same: there is nothing left to sum.  Counts those that
 * are not refused. */
static void checks_again(uint64_t seed, int *accepted)
{
    IN_CONTEXT(cx)
    {
        struct maker m = {.cx = cx, .rng = {seed}};
        make_names(&m);
        const struct tin *tree = make_statement(&m, 1 + rng_below(&m.rng, 4));
        const struct tin_declaration y = {.name = "y", .type = "c128"};
        struct tin_declarations declared = {
            .tensor = &y, .tensors = 1, .size = NULL, .sizes = 0, .defaults = {TYPE_I32, TYPE_I32}};
        const struct tin *once = tin_check(cx, tree, &declared), *twice = NULL;
        assert_int_equal(once == NULL, cx->diags.n > 0);
        if (!once)
            continue;
        ++*accepted;
        const char *text = printed(cx, once);
        const struct tin *parsed = tin_parse(cx, text);
        twice = parsed ? tin_check(cx, parsed, &declared) : NULL;
        if (!twice)
            fail_msg("seed %llu: %s\n%s", (unsigned long long)seed, text, diag_render(cx));
        if (strcmp(text, printed(cx, twice)) != 0)
            fail_msg("seed %llu: %s\nis not\n%s", (unsigned long long)seed, text,
                     printed(cx, twice));
    }
}

static void checked_statements_check_again(void **state)
{
    (void)state;
    int accepted = 0;
    for (uint64_t seed = 1; seed <= 20000; seed++)
        checks_again(seed, &accepted);
    assert_true(accepted > 2000);
}

/* ---- hostile text ---- */

/* Refused, with diagnostics; whatever else, no crash. */
static void refused(const char *text)
{
    IN_CONTEXT(cx)
    {
        const struct tin *parsed = tin_parse(cx, text);
        assert_true(!parsed || !tin_check(cx, parsed, &nothing_declared));
        assert_true(cx->diags.n > 0 && cx->diags.n <= 40);
        assert_true(strlen(diag_render(cx)) > 0);
    }
}

static char *repeated(const char *head, const char *piece, int times, const char *tail)
{
    size_t n = strlen(piece);
    char *text = malloc(strlen(head) + n * (size_t)times + strlen(tail) + 1);
    strcpy(text, head);
    char *at = text + strlen(head);
    for (int i = 0; i < times; i++, at += n)
        memcpy(at, piece, n + 1);
    strcpy(at, tail);
    return text;
}

static void refused_many(const char *head, const char *piece, int times, const char *tail)
{
    char *text = repeated(head, piece, times, tail);
    refused(text);
    free(text);
}

static void depth_is_limited(void **state)
{
    (void)state;
    refused_many("y = ", "(", 30000, "x");
    refused_many("y = ", "-", 60000, "x");
    refused_many("y = ", "-(", 30000, "x");
    refused_many("y = ", "min(x,", 10000, "x");
    refused_many("y = ", "sum(j,", 10000, "x");
    refused_many("y = x", "+x", 30000, "");
    refused_many("y = x", "<x", 30000, "");
    refused_many("y = min(x", ",x", 30000, ")");
    refused_many("y(i) = x(i", ",i", 30000, ")");
    refused_many("y = ", "f(", 30000, "x");
}

static void numbers_of_things_are_limited(void **state)
{
    (void)state;
    refused_many("y = ", "$", 60000, "");
    refused_many("y = ", "x y ", 16000, "");
    refused_many("y = ", "1e999 ", 10000, "");
    refused_many("", "a=", 30000, "");
    refused_many("y = ", " ", 70000, "x");
    refused_many("y = ", "\xff", 60000, "");
    refused_many("y = ", "1", 60000, "");
    /* too many tensors and index variables */
    IN_CONTEXT(cx)
    {
        struct text text = text_new(cx->arena);
        text_add(&text, "y = (0");
        for (int i = 0; i < 1100; i++)
            text_printf(&text, "%s x%d(i%d)", i % 500 ? " +" : ") + (0 +", i, i);
        text_add(&text, ")");
        assert_null(tin_parse(cx, text.at));
        assert_int_equal(cx->diags.at[0].code, DIAG_LIMIT);
    }
    /* ambiguous as often as the text is long */
    IN_CONTEXT(cx)
    {
        char *text = repeated("y = x", "+(A(i)+1)*(B(i)+1)", 900, "");
        assert_null(tin_check(cx, tin_parse(cx, text), &nothing_declared));
        assert_true(cx->diags.n <= 40);
        free(text);
    }
}

static void deep_enough(void **state)
{
    (void)state;
    char *texts[] = {repeated("y(i) = x(i)", " + x(i)", 900, ""), repeated("y = ", "-", 900, "x"),
                     repeated("y = ", "(", 900, ""), repeated("y(i) = x(i)", " * x(j)", 900, "")};
    char *nested = repeated(texts[2], "x", 1, ""), *closed = repeated(nested, ")", 900, "");
    IN_CONTEXT(cx)
    {
        checked(cx, texts[0]);
        checked(cx, texts[1]);
        checked(cx, closed);
        checked(cx, texts[3]);
    }
    for (int i = 0; i < 4; i++)
        free(texts[i]);
    free(nested);
    free(closed);
}

static void survives(const char *text)
{
    IN_CONTEXT(cx)
    {
        const struct tin *parsed = tin_parse(cx, text);
        assert_int_equal(parsed == NULL, cx->diags.n > 0);
        if (parsed)
            tin_check(cx, parsed, &nothing_declared);
        diag_render(cx);
    }
}

static void random_text_is_survived(void **state)
{
    (void)state;
    static const char *const pieces[] = {"y",     "x",      "A",    "(",        ")",    "(i)",
                                         "(i,j)", ",",      "=",    "+=",       "min",  "min=",
                                         "sum",   "sum(j,", "+",    "-",        "*",    "/",
                                         "<",     "==",     "1",    "2.5",      "3i",   "(1,2)",
                                         "inf",   "nan",    "true", " ",        "\n",   "i",
                                         "j",     "select", "sqrt", "\xc3\x97", "\x80", "[",
                                         "'",     "\""};
    struct rng rng = {2026};
    for (int n = 0; n < 20000; n++) {
        char text[256] = "";
        if (rng_percent(&rng, 70))
            strcat(text, "y(i) = ");
        for (int length = rng_below(&rng, 24); length > 0; length--)
            strcat(text, pieces[rng_below(&rng, (int)(sizeof pieces / sizeof *pieces))]);
        survives(text);
    }
}

static void empty_text_is_refused(void **state)
{
    (void)state;
    refused("");
    refused(" \n\t ");
}

/* ---- memory ---- */

static void check_and_complain(struct context *cx)
{
    static const struct tin_declaration given[] = {
        {"A", "(i,j) -> (i : dense, j : compressed(pos=u64))", "f32", "1.5"}};
    static const struct tin_size size[] = {{"i", 3}};
    static const struct tin_declarations declared = {
        .tensor = given, .tensors = 1, .size = size, .sizes = 1, .defaults = {TYPE_I32, TYPE_I32}};
    tin_check(cx, tin_parse(cx, "y(i) = b(i) - min(2, A(i,j)) * x(j) + q(i) * 2i + max(k, C(i,k))"),
              &declared);
    diag_render(cx);
}

static void running_out_of_memory_unwinds(void **state)
{
    (void)state;
    assert_true(run_out_of_memory(registry_levels, check_and_complain) > 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spans_cover_the_text),
        cmocka_unit_test(equal_names_are_one_variable),
        cmocka_unit_test(tensors_are_complete),
        cmocka_unit_test(calls_nest_to_the_left),
        cmocka_unit_test(min_is_a_reduction_or_a_call),
        cmocka_unit_test(literals_have_types),
        cmocka_unit_test(every_assignment_parses),
        cmocka_unit_test(trees_print_and_parse),
        cmocka_unit_test(checked_statements_check_again),
        cmocka_unit_test(depth_is_limited),
        cmocka_unit_test(numbers_of_things_are_limited),
        cmocka_unit_test(deep_enough),
        cmocka_unit_test(random_text_is_survived),
        cmocka_unit_test(empty_text_is_refused),
        cmocka_unit_test(running_out_of_memory_unwinds),
    };
    return cmocka_run_group_tests_name("notation", tests, NULL, NULL);
}
