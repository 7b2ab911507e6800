/* test_text.c - what is printed reads back as the same node.
 *
 * SPDX-License-Identifier: MIT
 */
#include <string.h>

#include "compiler/base/text.h"
#include "tests/concrete/support.h"

static const char *program_text(struct context *cx, const struct cin_program *program)
{
    struct text out = text_new(cx->arena);
    cin_print_program(cx, &out, program);
    return out.at;
}

static void check_round_trip(struct context *cx, const struct cin_program *program)
{
    struct cin_names names = lab_names(cx, program->statement);
    const char *text = program_text(cx, program);
    const struct cin *back = lab_parse(cx, text, &names);
    if (back != program->statement)
        fail_msg("%s read back as %s", text, lab_text(cx, back));
}

static void statements_read_back(void **state)
{
    static const struct {
        const char *statement, *declarations;
    } row[] = {
        {"a = 1", ""},
        {"a(i) = b(i)", ""},
        {"A(i,j) = B(i,k) * C(k,j)", ""},
        {"r(i) = b(i) - A(i,j) * x(j)", "A:csr"},
        {"y(i) = sum(j, A(i,j)) * sum(k, B(i,k)) + sum(j, C(j))", ""},
        {"y = sum(i, b(i) * sum(j, c(j) * sum(k, A(i,j,k))))", ""},
        {"y(i) += b(i)", ""},
        {"y(i) *= b(i)", ""},
        {"y(i) min= b(i)", ""},
        {"y(i) max= b(i)", ""},
        {"y(i) |= m(i)", "y:/bool; m:/bool"},
        {"y(i) &= m(i)", "y:/bool; m:/bool"},
        {"y(i) = any(j, A(i,j)) + 1", ""},
        {"y(i) = all(j, A(i,j))", "A:/c64"},
        {"y(i) = a(i) - (b(i) - c(i)) - (a(i) - b(i)) / (c(i) / a(i))", ""},
        {"y(i) = -(a(i) + b(i)) * -c(i) - -5 - (-(2))", ""},
        {"y(i) = (a(i) < b(i)) == (b(i) != c(i))", "y:/bool"},
        {"y(i) = select(a(i) >= 0, min(a(i), 1), max(b(i), -1))", ""},
        {"y(i) = or(m(i), and(n(i), not(o(i))))", "y:/bool; m:/bool; n:/bool; o:/bool"},
        {"y(i) = sum(j, min(t, A(i,j)))", ""},
        {"y(i) = a(i) + 0.1", "y:/f32; a:/f32"},
        {"y(i) = a(i) * 2", "y:/f32; a:/f32"},
        {"y(i) = a(i) * 2", "a:/i8"},
        {"y(i) = 2 * 3 * a(i) + 1e300 * inf + nan - -inf", ""},
        {"y(i) = a(i) + 2.5", "a:/i32"},
        {"y(i) = a(i) + 255", "y:/u8; a:/u8"},
        {"y(i) = a(i) + 18446744073709551615", "y:/u64; a:/u64"},
        {"y(i) = a(i) - 9223372036854775808", "y:/u64; a:/u64"},
        {"y(i) = a(i) + -9223372036854775808", "y:/i64; a:/i64"},
        {"y(i) = a(i) * 2i + (1,-2)", "y:/c128; a:/c128"},
        {"y(i) = a(i) * 2i", "y:/c64; a:/f32"},
        {"y(i) = a(i) * 2", "y:/c64; a:/c64"},
        {"y(i) = select(true, a(i), 1)", "a:/i16"},
        {"y = 1", "y:/c64"},
        {"y = 3", "y:/f32"},
        {"y = 1 + 2", "y:/u8"},
        {"y = max(0, 3)", "y:/c64"},
        {"y = 2 * max(0, 3)", "y:/c64"},
        {"y = 2 * -max(0, abs(-3))", "y:/c64"},
        {"y = 2 + and(1, 3) * i64(3)", "y:/f32"},
        {"y(i) = a(i) * (2 + or(1, 2))", "y:/f32; a:/f32"},
        {"y(i) = a(i) - min(1, 2)", "y:/c64; a:/c64"},
        {"y(i) = select(a(i) > 0, xor(1, 3), 2.5)", "y:/f32; a:/f32"},
        {"y(i) = sum(j, max(2, 3))", "y:/c64; i=2; j=3"},
        {"y = 2.5", "y:/f32"},
        {"y = true", "y:/bool"},
        {"y = 0.1 + 0.2", ""},
        {"y = 1e-320", ""},
        {"y(i) = pow(a(i), 2) + atan2(a(i), 1)", "a:/i32"},
        {"y(i) = sum(j, 2)", "y:/f32; i=2; j=3"},
        {"y(i) = sum(j, A(i,j) > 1)", "y:/i64"},
        {"where(i) = wherever(i) + where2(i)", ""},
        {"y(where) = a(where) + t(where,forall)", ""},
        {"y(i) = 2.0 * at * a(i) + at", ""},
    };
    LAB(cx);
    for (size_t i = 0; i < sizeof row / sizeof *row; i++)
        check_round_trip(cx, lab_program(cx, row[i].statement, row[i].declarations));
}

/* Statements that no tensor index notation gives, and simplified ones. */
static void texts_read_back(void **state)
{
    static const char *const text[] = {
        "nothing",
        "forall(i) nothing",
        "(nothing ; nothing)",
        "forall(i) (a(i) = b(i) ; a(i) += c(i))",
        "forall(i) (a(i) = b(i) | a(i) |= c(i) == 1.0)",
        "((a(i) = b(i) ; a(i) += c(i)) ; a(i) += 1.0)",
        "(a(i) = b(i) ; (a(i) += c(i) | nothing))",
        ("forall(i) ((a(i) = t + t2 where forall(j) t += D(i,j)) where forall(k) (t2 += c(k) where "
         "t = 1.0))"),
        "(forall(i) a(i) = t where (forall(j) t += b(j) ; t *= 2.0))",
        "forall(i) a(i) = b(i) at c(i)",
        "forall(i) (a(i) = t at c(i) where (t = 0.0 at c(i) ; forall(j) t += D(i,j)))",
    };
    LAB(cx);
    const struct cin *s =
        lab_program(cx, "a(i) = b(i) + sum(j, D(i,j)) + sum(k, c(k))", "")->statement;
    struct cin_names names = lab_names(cx, s);
    for (size_t i = 0; i < sizeof text / sizeof *text; i++)
        assert_string_equal(lab_text(cx, lab_parse(cx, text[i], &names)), text[i]);
}

static void spacing_is_free(void **state)
{
    LAB(cx);
    const struct cin *s = lab_program(cx, "y(i) = A(i,j) * x(j) + d(i)", "")->statement;
    struct cin_names names = lab_names(cx, s);
    assert_ptr_equal(
        lab_parse(cx, "  forall ( i )\n  ( y( i )=t+d(i)\n where\n forall(j) t+=A(i , j)*x(j) ) ",
                  &names),
        s);
}

static void environments_are_printed(void **state)
{
    LAB(cx);
    const struct cin *s = lab_program(cx, "y = B(i,i0) + B(i,i1) + B(i,f)", "")->statement;
    struct cin_names names = lab_names(cx, s);
    const struct index_var *i = lab_var(cx, s, "i"), *i0 = lab_var(cx, s, "i0"),
                           *i1 = lab_var(cx, s, "i1");
    const struct index_var *f = lab_var(cx, s, "f");
    const struct cin_relation relation[] = {{&relation_split, {i}, {i0, i1}, 4, .up = false},
                                            {&relation_split, {i0}, {i1, f}, 2, .up = true},
                                            {&relation_collapse, {i, i0}, {f}, 0, .up = false}};
    const struct index_var ib = {.name = intern(cx, "ib"), .size = 100, .like = i};
    const struct cin_bound bound[] = {{&ib, BOUND_EXACT, 100}};
    const struct cin_tag tag[] = {
        {.var = i, .kind = TAG_UNROLL, .factor = 4},
        {.var = f, .kind = TAG_VECTORIZE},
        {.var = i, .kind = TAG_PARALLEL, .races = RACES_ATOMICS},
        {.var = f, .kind = TAG_PARALLEL, .races = RACES_TEMPORARY, .dynamic = true, .factor = 64},
        {.var = i0, .kind = TAG_PARALLEL, .unit = UNIT_GPU_THREAD, .races = RACES_WARP},
        {.var = i0, .kind = TAG_BIN, .factor = 96, .second = 1536}};
    struct cin_program p = {.statement = s,
                            .relation = relation,
                            .bound = bound,
                            .tag = tag,
                            .relations = 3,
                            .bounds = 1,
                            .tags = 6};
    const char *text = program_text(cx, &p), *colon = strstr(text, " : ");
    assert_non_null(colon);
    assert_string_equal(
        colon, " : split(i, i0, i1, down, 4); split(i0, i1, f, up, 2); collapse(i, i0, f); "
               "bound(i, ib, 100, exact); unroll(i, 4); vectorize(f); "
               "parallelize(i, cpu_thread, atomics); "
               "parallelize(f, cpu_thread, temporary, dynamic, 64); "
               "parallelize(i0, gpu_thread, warp_reduction); bin(i0, 96, 1536)");
    /* and read back, with the bound's variable among the names */
    const struct index_var **var = arena_array(cx->arena, const struct index_var *, names.vars + 1);
    memcpy(var, names.var, sizeof *var * (size_t)names.vars);
    var[names.vars++] = &ib;
    names.var = var;
    struct cin_program read;
    if (!cin_parse_program(cx, text, &names, &read))
        fail_msg("%s: %s", text, diag_render(cx));
    assert_ptr_equal(read.statement, s);
    assert_string_equal(program_text(cx, &read), text);
}

/* Stored views have modes for their levels, in which a literal stands elsewhere than in the
 * statement. */
static void unfolded_read_back(void **state)
{
    static const struct {
        const char *statement, *declarations, *text;
    } row[] = {
        {"y(j) = A(5,j)", "A:csr", "forall(j) y(j) = A(5,j) : literal(A1_at_5, 5)"},
        {"y(j) = A(5,j)", "A:bcsr(4,4)",
         "forall(j) y(j) = A(A1_at_5o,jo,A1_at_5i,ji) : literal(A1_at_5, 5); split(A1_at_5, "
         "A1_at_5o, A1_at_5i, down, 4); split(j, jo, ji, down, 4)"},
        /* the number of the first mode stands at the second of the view, and the other way round */
        {"y = A(2,2)", "A:dia",
         "y = A(d,A1_at_2,A2_at_2) : literal(A1_at_2, 2); literal(A2_at_2, 2); skew(A2_at_2, "
         "A1_at_2, d)"},
    };
    LAB(cx);
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        const struct cin_program *p =
            cin_unfold(cx, lab_program(cx, row[i].statement, row[i].declarations));
        struct cin_names names = lab_program_names(cx, p);
        const char *text = program_text(cx, p);
        struct cin_program read;
        assert_string_equal(text, row[i].text);
        if (!cin_parse_program(cx, text, &names, &read))
            fail_msg("%s: %s", text, diag_render(cx));
        assert_ptr_equal(read.statement, p->statement);
        assert_string_equal(program_text(cx, &read), text);
    }
}

static void positions_read_back(void **state)
{
    LAB(cx);
    static const char text[] =
        "forall(f) a += B(i,j,k) : pos(i, p, B(i,j,k).1); pos(j, q, B(i,j,k).2); pos(k, f, "
        "B(i,j,k).3)";
    static const char below[] = "forall(i) forall(f) a += B(i,j,k) : pos(j, q, B(i,j,k).2 below "
                                "1); pos(k, f, B(i,j,k).3 below 1)";
    const struct cin *s = lab_program(cx, "a = B(i,j,k) * C(p,q,f)", "B:csf; C:csf")->statement;
    struct cin_names names = lab_names(cx, s);
    struct cin_program read;
    assert_true(cin_parse_program(cx, text, &names, &read));
    assert_string_equal(program_text(cx, &read), text);
    assert_null(read.relation[0].parent[1]);
    assert_ptr_equal(read.relation[1].parent[1], read.relation[0].child[0]);
    assert_ptr_equal(read.relation[2].parent[1], read.relation[1].child[0]);
    assert_true(cin_parse_program(cx, below, &names, &read));
    assert_string_equal(program_text(cx, &read), below);
    assert_null(read.relation[0].parent[1]);
    assert_ptr_equal(read.relation[1].parent[1], read.relation[0].child[0]);
}

static void nonsense_is_refused(void **state)
{
    static const char *const text[] = {
        "",
        "forall",
        "forall(",
        "forall(i",
        "forall(i)",
        "forall(q) a(i) = b(i)",
        "forall(i) a(i) = q(i)",
        "a(i) = b(q)",
        "a(i) = b",
        "a(i) = ",
        "= b(i)",
        "a(i) + b(i)",
        "(a(i) = b(i)",
        "(a(i) = b(i))",
        "(a(i) = b(i) ; )",
        "(a(i) = b(i) where )",
        "( ; a(i) = b(i))",
        "(a(i) = b(i) & a(i) = c(i))",
        "a(i) = b(i) ; a(i) = b(i)",
        "a(i) = b(i))",
        "a(i) = sum(j, D(i,j))",
        "a(i) = b(i) b(i)",
        "nothing nothing",
        "a(i) = min(b(i))",
        "a(i) = f(b(i))",
        "a(i) = b(i) at",
        "a(i) = b(i) at 2",
        "a(i) = b(i) at b(i) + c(i)",
        "a(i) = b(i) at b(i) at b(i)",
        "forall() a(i) = b(i)",
        "forall(i, j) a(i) = b(i)",
        "((((((((((",
        "a(i) = b(i) : ",
        "a(i) = b(i) : split(i, j, i, down)",
        "a(i) = b(i) : split(i, j, i, left, 4)",
        "a(i) = b(i) : split(q, j, i, up, 4)",
        "a(i) = b(i) : split(i, j, i, up, four)",
        "a(i) = b(i) : skew(i, j, i",
        "a(i) = b(i) : collapse(i, j, i) unroll(i, 2)",
        "a(i) = b(i) : pos(i, j, D(i,j))",
        "a(i) = b(i) : pos(i, j, D(i,j).3)",
        "a(i) = b(i) : pos(i, j, D(i,j).0)",
        "a(i) = b(i) : pos(i, j, D(i,j).1 below 1)",
        "a(i) = b(i) : pos(i, j, D.1)",
        "a(i) = b(i) : pos(i, j, E(i,j).1)",
        "a(i) = b(i) : bound(i, j, 4, least)",
        "a(i) = b(i) : bound(i, j, 4)",
        "a(i) = b(i) : tile(i)",
    };
    for (size_t i = 0; i < sizeof text / sizeof *text; i++) {
        LAB(cx);
        const struct cin *s = lab_program(cx, "a(i) = b(i) + sum(j, D(i,j))", "")->statement;
        struct cin_names names = lab_names(cx, s);
        size_t before = cx->diags.n;
        const struct cin *read = cin_parse(cx, text[i], &names);
        if (read)
            fail_msg("'%s' was read as %s", text[i], lab_text(cx, read));
        assert_true(cx->diags.n > before);
    }
}

/* ---- at random ---- */

enum { DEPTH = 4, EXPRESSIONS = 3000 };

/* An expression, mostly of literals; each type has an operand. */
static void add_random(struct text *out, uint64_t *seed, int depth)
{
    static const char *const leaf[] = {
        "2",    "3",    "7",    "0.5",  "2i",   "(1,-2)", "true", "b(i)", "u(i)", "n(i)", "l(i)",
        "f(i)", "d(i)", "c(i)", "z(i)", "-(2)", "1e300",  "0",    "-5",   "9",    "40",   "1.5"};
    static const char *const call[] = {
        "-%s",         "abs(%s)",     "sqrt(%s)",    "not(%s)",    "real(%s)",
        "f32(%s)",     "i64(%s)",     "c64(%s)",     "u8(%s)",     "%s + %s",
        "%s - %s",     "%s * %s",     "%s / %s",     "%s < %s",    "%s == %s",
        "max(%s, %s)", "min(%s, %s)", "and(%s, %s)", "or(%s, %s)", "xor(%s, %s)",
        "pow(%s, %s)", "mod(%s, %s)", "sum(j, %s)",  "max(j, %s)", "select(%s, %s, %s)"};
    if (depth == 0 || lab_random(seed, 4) == 0) {
        text_add(out, leaf[lab_random(seed, sizeof leaf / sizeof *leaf)]);
        return;
    }
    text_add(out, "(");
    for (const char *c = call[lab_random(seed, sizeof call / sizeof *call)]; *c; c++) {
        if (*c != '%') {
            text_addn(out, c, 1);
            continue;
        }
        add_random(out, seed, depth - 1);
        c++;
    }
    text_add(out, ")");
}

/* Types of the operands and sizes of the variables that stand in the text. */
static const char *declared_in(struct context *cx, const char *text, const char *result)
{
    static const char *const type[][2] = {
        {"b(i)", "b:/bool"}, {"u(i)", "u:/u8"},   {"n(i)", "n:/i32"},
        {"l(i)", "l:/i64"},  {"f(i)", "f:/f32"},  {"d(i)", "d:/f64"},
        {"c(i)", "c:/c64"},  {"z(i)", "z:/c128"}, {"(j,", "j=2"}};
    const char *all = arena_printf(cx->arena, "i=3; y:/%s", result);
    for (size_t k = 0; k < sizeof type / sizeof *type; k++)
        if (strstr(text, type[k][0]))
            all = arena_printf(cx->arena, "%s; %s", all, type[k][1]);
    return all;
}

/* A statement may be refused, for its types; what is not reads back.  Has it been read? */
static bool random_reads_back(struct context *cx, uint64_t *seed)
{
    static const char *const result[] = {"bool", "i8", "i32", "u64", "f32", "f64", "c64", "c128"};
    struct text statement = text_new(cx->arena);
    text_add(&statement, "y(i) = ");
    add_random(&statement, seed, DEPTH);
    const char *type = result[lab_random(seed, sizeof result / sizeof *result)];
    const struct tin *checked = lab_check(cx, statement.at, declared_in(cx, statement.at, type));
    if (checked) {
        check_round_trip(cx, cin_concretize(cx, checked));
        check_round_trip(cx, cin_concretize(cx, tin_normal(cx, checked)));
    }
    return checked != NULL;
}

static void random_expressions_read_back(void **state)
{
    static int read;
    static uint64_t seed = 29;
    LAB(cx);
    for (int n = 0; n < EXPRESSIONS; n++)
        read += random_reads_back(cx, &seed);
    assert_true(read > EXPRESSIONS / 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        LAB_TEST(statements_read_back), LAB_TEST(texts_read_back),
        LAB_TEST(spacing_is_free),      LAB_TEST(environments_are_printed),
        LAB_TEST(positions_read_back),  LAB_TEST(nonsense_is_refused),
        LAB_TEST(unfolded_read_back),   LAB_TEST(random_expressions_read_back),
    };
    return cmocka_run_group_tests_name("text", tests, NULL, NULL);
}
