/* test_lattices.c - iteration lattices against a table of expected ones, without any code
 * generation.
 *
 * table.h has the rows: a statement with its formats, one of its loops, and its lattice as text.
 *
 * SPDX-License-Identifier: MIT
 */
#include <string.h>

#include "compiler/base/text.h"
#include "compiler/registry.h"
#include "compiler/schedule.h"
#include "tests/concrete/support.h"
#include "tests/lattice/table.h"

/* ---- a lattice as text ---- */

static bool is_repeated(const struct lattice *l, const struct tensor_var *tensor)
{
    int n = 0;
    for (int i = 0; i < l->iterators; i++)
        n += l->iterator[i].access->tensor == tensor;
    return n > 1;
}

static const char *iterator_name(struct context *cx, const struct lattice *l, int i)
{
    const struct cin *access = l->iterator[i].access;
    return is_repeated(l, access->tensor) ? lab_text(cx, access) : access->tensor->name;
}

static void describe_set(struct context *cx, struct text *out, const struct lattice *l,
                         struct bits set)
{
    const char *before = "";
    for (int i = 0; i < l->sparse; i++) {
        if (bits_has(set, i)) {
            text_printf(out, "%s%s", before, iterator_name(cx, l, i));
            before = " ";
        }
    }
    if (bits_empty(set))
        text_add(out, "nothing");
}

static void describe_head(struct context *cx, struct text *out, const struct lattice *l)
{
    const struct {
        const char *verb;
        struct bits set;
    } part[] = {{"iterate ", l->iterated}, {"search ", l->located}};
    const char *between = "";
    for (int i = 0; i < 2; i++) {
        if (bits_empty(part[i].set))
            continue;
        text_printf(out, "%s%s", between, part[i].verb);
        describe_set(cx, out, l, part[i].set);
        between = "; ";
    }
    for (int i = l->sparse; i < l->iterators; i++, between = "; ") {
        if (i == l->sparse)
            text_printf(out, "%slocate", between);
        text_printf(out, " %s", iterator_name(cx, l, i));
    }
    if (l->dimension)
        text_printf(out, "%sdimension", between);
    if (l->rest)
        text_printf(out, "%srest", l->sparse ? between : "");
    for (int i = 0; i < l->guards; i++)
        text_printf(out, "%s%s", i ? " " : "; guard ", l->guard[i].var->name);
    text_add(out, l->flat ? "; flat\n" : l->points ? "\n" : "nowhere\n");
}

static const char *body_text(struct context *cx, const struct cin *body)
{
    bool plain =
        body->kind == CIN_ASSIGN && body->op == OP_NONE && !body->arg[0]->tensor->temporary;
    return lab_text(cx, plain ? body->arg[1] : body);
}

static void describe_loop(struct context *cx, struct text *out, const struct lattice *l,
                          struct bits loop)
{
    const struct lattice_point **cases;
    bool covered;
    text_add(out, bits_empty(loop) ? "for" : "while ");
    if (!bits_empty(loop))
        describe_set(cx, out, l, loop);
    text_add(out, ": ");
    int n = lattice_cases(cx, l, loop, &cases, &covered);
    for (int i = 0; i < n; i++) {
        text_add(out, i ? " | " : "");
        describe_set(cx, out, l, cases[i]->present);
    }
    text_add(out, covered ? "\n" : " | -\n");
}

static const char *describe(struct context *cx, const struct lattice *l)
{
    struct text out = text_new(cx->arena);
    const struct bits *loop;
    if (l->infeasible) {
        text_printf(&out, "trouble with %s: %s\n", lab_text(cx, l->infeasible), l->why);
        return out.at;
    }
    describe_head(cx, &out, l);
    for (int i = 0; i < l->points; i++) {
        describe_set(cx, &out, l, l->point[i].present);
        text_printf(&out, " : %s\n", body_text(cx, l->point[i].body));
    }
    int loops = l->flat ? 0 : lattice_loops(cx, l, &loop);
    for (int i = 0; i < loops; i++)
        describe_loop(cx, &out, l, loop[i]);
    return out.at;
}

/* ---- running the tables ---- */

static const char *describe_row(struct context *cx, const struct row *row)
{
    const struct cin *statement = lab_program(cx, row->statement, row->declarations)->statement;
    if (strncmp(row->loop, "forall", 6))
        return describe(cx, lab_lattice(cx, statement, row->loop));
    struct cin_names names = lab_names(cx, statement);
    statement = lab_parse(cx, row->loop, &names);
    return describe(cx, lab_lattice(cx, statement, statement->index[0]->name));
}

static bool is_as_expected(const struct row *row, const char *found)
{
    if (strcmp(found, row->expected) == 0)
        return true;
    print_error("%s: %s (%s) at %s\nfound:\n%sexpected:\n%s\n", row->name, row->statement,
                row->declarations, row->loop, found, row->expected);
    return false;
}

static void check_rows(struct context *cx, const struct row *row, size_t rows)
{
    size_t wrong = 0;
    for (size_t i = 0; i < rows; i++)
        wrong += !is_as_expected(&row[i], describe_row(cx, &row[i]));
    assert_int_equal(wrong, 0);
}

static void rules_rows(void **state)
{
    LAB(cx);
    check_rows(cx, rules, sizeof rules / sizeof *rules);
}

static void mixed_rows(void **state)
{
    LAB(cx);
    check_rows(cx, mixed, sizeof mixed / sizeof *mixed);
}

static void nested_rows(void **state)
{
    LAB(cx);
    check_rows(cx, nested, sizeof nested / sizeof *nested);
}

static void operators_rows(void **state)
{
    LAB(cx);
    check_rows(cx, operators, sizeof operators / sizeof *operators);
}

static void fills_rows(void **state)
{
    LAB(cx);
    check_rows(cx, fills, sizeof fills / sizeof *fills);
}

static void compound_rows(void **state)
{
    LAB(cx);
    check_rows(cx, compound, sizeof compound / sizeof *compound);
}

static void repeated_rows(void **state)
{
    LAB(cx);
    check_rows(cx, repeated, sizeof repeated / sizeof *repeated);
}

static void many_rows(void **state)
{
    LAB(cx);
    check_rows(cx, many, sizeof many / sizeof *many);
}

static void conflicts_rows(void **state)
{
    LAB(cx);
    check_rows(cx, conflicts, sizeof conflicts / sizeof *conflicts);
}

static void unordered_rows(void **state)
{
    LAB(cx);
    check_rows(cx, unordered, sizeof unordered / sizeof *unordered);
}

static void where_rows(void **state)
{
    LAB(cx);
    check_rows(cx, where, sizeof where / sizeof *where);
}

static void levels_rows(void **state)
{
    LAB(cx);
    check_rows(cx, levels, sizeof levels / sizeof *levels);
}

static void related_rows(void **state)
{
    LAB(cx);
    size_t wrong = 0;
    for (size_t i = 0; i < sizeof related / sizeof *related; i++) {
        const struct row *row = &related[i].row;
        const struct cin_program *program = lab_program(cx, row->statement, row->declarations);
        program =
            cin_unfold(cx, schedule_apply(cx, registry_schedules, program, related[i].schedule));
        wrong += !is_as_expected(row, describe(cx, lab_related_lattice(cx, program, row->loop)));
    }
    assert_int_equal(wrong, 0);
}

/* ---- what the table does not show ---- */

static const char *const twenty =
    "b(i) + c(i) + d(i) + e(i) + f(i) + g(i) + h(i) + j(i) + k(i) + l(i) + m(i) + n(i) + "
    "o(i) + p(i) + q(i) + r(i) + s(i) + t(i) + u(i) + v(i)";
static const char *const twenty_formats = "b:s; c:s; d:s; e:s; f:s; g:s; h:s; j:s; k:s; l:s; m:s; "
                                          "n:s; o:s; p:s; q:s; r:s; s:s; t:s; u:s; v:s";

/* A union of n operands has 2^n - 1 points: it must not be built. */
static void many_operands_stay_small(void **state)
{
    LAB(cx);
    const char *statement = arena_printf(cx->arena, "a(i) = %s", twenty);
    const struct lattice *l =
        lab_lattice(cx, lab_program(cx, statement, twenty_formats)->statement, "i");
    assert_true(l->flat);
    assert_int_equal(l->points, 20);
    for (int i = 0; i < l->points; i++)
        assert_int_equal(bits_count(l->point[i].present), 1);
}

static void mergers(void **state)
{
    LAB(cx);
    const struct lattice *sparse =
        lab_lattice(cx, lab_program(cx, "a(i) = b(i) + c(i)", "b:s; c:s")->statement, "i");
    const struct lattice *over =
        lab_lattice(cx, lab_program(cx, "a(i) = b(i) + x(i)", "b:s")->statement, "i");
    struct bits both = bits_with(bits_one(0), 1), one = bits_one(0);
    assert_true(bits_equal(lattice_mergers(sparse, both), both));
    /* the dimension gives the coordinate */
    assert_true(bits_empty(lattice_mergers(over, one)));
}

/* In what is coiterated a coordinate that one lacks has no effect, and all levels are ordered. */
static void seeking(void **state)
{
    static const struct {
        const char *statement, *declarations;
        bool seeks;
    } row[] = {
        {"a(i) = b(i) * c(i)", "b:s; c:s", true},
        {"a(i) = b(i) * c(i) * d(i)", "b:s; c:s; d:s", true},
        {"a(i) = b(i) * c(i) * x(i)", "b:s; c:s", true},
        {"a(i) = B(i,j) * C(i,j)", "B:coo; C:dcsr", true},
        {"a(i) = B(i,i) * c(i)", "B:coo; c:s", true}, /* whatever is looked up below */
        {"a(i) = b(i) + c(i)", "b:s; c:s", false},
        {"a(i) = b(i) * (c(i) + d(i))", "b:s; c:s; d:s", false},
        {"a(i) = b(i) * x(i)", "b:s", false}, /* nothing is merged */
        {"a(i) = min(b(i), c(i))", "b:s; c:s", false},
    };
    LAB(cx);
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        const struct cin_program *p = lab_program(cx, row[i].statement, row[i].declarations);
        const struct lattice *l = lab_lattice(cx, p->statement, "i");
        if (lattice_seeks(l, l->iterated) != row[i].seeks)
            fail_msg("%s", row[i].statement);
    }
    /* what a sum leaves when the other operand has ended */
    const struct lattice *l = lab_lattice(
        cx, lab_program(cx, "a(i) = b(i) * c(i) + d(i)", "b:s; c:s; d:s")->statement, "i");
    const struct bits *loop;
    assert_int_equal(lattice_loops(cx, l, &loop), 3);
    assert_false(lattice_seeks(l, loop[0]));
    assert_true(lattice_seeks(l, loop[1]));
}

static void fullness(void **state)
{
    static const struct {
        const char *statement, *declarations;
        bool full;
    } row[] = {
        {"a(i) = b(i)", "", true},
        {"a(i) = b(i) + c(i)", "b:s", true},
        {"a(i) = b(i)", "b:s", false},
        {"a(i) = b(i) * c(i)", "b:s", false},
        {"a(i) = b(i) / c(i)", "b:s; c:s", false}, /* where c alone is stored it is 0 */
        {"a(i) = exp(b(i))", "b:s", true},
        {"a(i) = A(i,i)", "A:csr", false},
        {"a(i) = b(i) * 0", "b:s", false},
    };
    LAB(cx);
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        const struct cin_program *p = lab_program(cx, row[i].statement, row[i].declarations);
        assert_int_equal(lattice_is_full(lab_lattice(cx, p->statement, "i")), row[i].full);
    }
}

static void levels_below_duplicates(void **state)
{
    LAB(cx);
    const struct cin *s =
        lab_program(cx, "y = A(i,j,k) * B(i,j,k) * C(i,j,k) * D(i,j)", "A:coo; B:uss; C:csf; D:ud")
            ->statement;
    const struct format *coo = lab_tensor(cx, s, "A")->format,
                        *uss = lab_tensor(cx, s, "B")->format;
    const struct format *csf = lab_tensor(cx, s, "C")->format;
    const struct format *ud = lab_tensor(cx, s, "D")->format;
    const unsigned sorted = LEVEL_ORDERED | LEVEL_UNIQUE;
    assert_int_equal(level_effective(coo, 0) & sorted, LEVEL_ORDERED);
    /* one child each: still sorted */
    assert_int_equal(level_effective(coo, 1) & sorted, LEVEL_ORDERED);
    assert_int_equal(level_effective(coo, 2) & sorted, sorted);
    assert_int_equal(level_effective(uss, 1) & sorted, 0); /* several segments come together */
    /* below one position at a time */
    assert_int_equal(level_effective(uss, 2) & sorted, sorted);
    /* dense children are no segment: no runs */
    assert_int_equal(level_effective(ud, 0) & sorted, 0);
    assert_int_equal(level_effective(ud, 1) & sorted, sorted);
    assert_int_equal(level_effective(csf, 2) & sorted, sorted);
}

static void resolved_levels(void **state)
{
    LAB(cx);
    const struct cin *s = lab_program(cx, "y = A(i,j,k)", "A:sss:2,0,1")->statement;
    const struct cin *access = cin_operands(cx, s).at[0];
    struct known bound = {.n = 0};
    assert_int_equal(access_resolved(access, &bound), 0);
    bound = known_with(cx, &bound, lab_var(cx, s, "i"));
    assert_int_equal(access_resolved(access, &bound), 0); /* k comes first */
    bound = known_with(cx, &bound, lab_var(cx, s, "k"));
    assert_int_equal(access_resolved(access, &bound), 2);
    bound = known_with(cx, &bound, lab_var(cx, s, "j"));
    assert_int_equal(access_resolved(access, &bound), 3);
}

static void prints_as_text(void **state)
{
    LAB(cx);
    const struct cin *s =
        lab_program(cx, "y(i) = (A(i,j) + B(i,j)) * x(j) * z(j)", "A:csr; B:csc; z:s")->statement;
    struct text out = text_new(cx->arena);
    lattice_print(cx, &out, lab_lattice(cx, s, "i"));
    lattice_print(cx, &out, lab_lattice(cx, s, "j"));
    assert_string_equal(
        out.at,
        "lattice of i: over the dimension, locating A(i,j).1\n"
        "  {}  forall(j) y(i) += (A(i,j) + B(i,j)) * x(j) * z(j)\n"
        "lattice of j: coiterating {A(i,j).2, z(j).1}, searching {B(i,j).1}, locating x(j).1\n"
        "  {A(i,j).2, B(i,j).1, z(j).1}  y(i) += (A(i,j) + B(i,j)) * x(j) * z(j)\n"
        "  {A(i,j).2, z(j).1}  y(i) += A(i,j) * x(j) * z(j)\n"
        "  {B(i,j).1, z(j).1}  y(i) += B(i,j) * x(j) * z(j)\n");
}

static void prints_as_graph(void **state)
{
    LAB(cx);
    const struct cin *s =
        lab_program(cx, "a(i) = (b(i) + c(i)) * d(i)", "b:s; c:s; d:s")->statement;
    struct text out = text_new(cx->arena);
    lattice_print_dot(cx, &out, lab_lattice(cx, s, "i"), 3);
    assert_string_equal(
        out.at, "  subgraph cluster_3 {\n"
                "    label=\"i\";\n"
                "    p3_0 [label=\"{b(i).1, c(i).1, d(i).1}\\na(i) = (b(i) + c(i)) * d(i)\"];\n"
                "    p3_1 [label=\"{b(i).1, d(i).1}\\na(i) = b(i) * d(i)\"];\n"
                "    p3_2 [label=\"{c(i).1, d(i).1}\\na(i) = c(i) * d(i)\"];\n"
                "    p3_0 -> p3_1;\n"
                "    p3_0 -> p3_2;\n"
                "  }\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        LAB_TEST(rules_rows),      LAB_TEST(mixed_rows),
        LAB_TEST(nested_rows),     LAB_TEST(operators_rows),
        LAB_TEST(fills_rows),      LAB_TEST(compound_rows),
        LAB_TEST(repeated_rows),   LAB_TEST(many_rows),
        LAB_TEST(conflicts_rows),  LAB_TEST(unordered_rows),
        LAB_TEST(where_rows),      LAB_TEST(levels_rows),
        LAB_TEST(related_rows),    LAB_TEST(many_operands_stay_small),
        LAB_TEST(mergers),         LAB_TEST(seeking),
        LAB_TEST(fullness),        LAB_TEST(levels_below_duplicates),
        LAB_TEST(resolved_levels), LAB_TEST(prints_as_text),
        LAB_TEST(prints_as_graph),
    };
    return cmocka_run_group_tests_name("lattices", tests, NULL, NULL);
}
