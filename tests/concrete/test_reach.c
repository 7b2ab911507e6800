/* test_reach.c - how loops reach what is assigned to, and which results have an operand's pattern,
 * by statement, formats and schedule.
 *
 * SPDX-License-Identifier: MIT
 */
#include <string.h>

#include "compiler/base/text.h"
#include "tests/concrete/support.h"

struct describer {
    struct context *cx;
    const struct tree *tree;
    struct text out;
};

static void add(struct describer *d, const char *text)
{
    text_printf(&d->out, "%s%s", d->out.n ? "; " : "", text);
}

static void describe_assign(struct describer *d, const struct tree_place *place)
{
    const struct cin *target = place->node->statement->arg[0];
    const char *name = target->tensor->name;
    if (target->tensor == d->tree->result->tensor) {
        struct tree_reach reach = tree_reach(d->cx, d->tree, place, target);
        add(d, arena_printf(d->cx->arena, "%s%s%s", name, reach.once ? " once" : "",
                            reach.full ? " full" : ""));
    } else if (target->tensor->order > 0) {
        struct tree_order order = tree_order(place, target->tensor);
        add(d, arena_printf(d->cx->arena, "%s%s%s", name, order.in_order ? " in order" : "",
                            order.distinct ? " distinct" : ""));
    }
}

/* The loops that reduce into the result, and every assignment, where all operands are there. */
static void describe(struct describer *d, const struct tree_place *place)
{
    const struct tree_node *node = place->node;
    const char *loop = node->lattice ? node->statement->index[0]->name : "";
    if (place->reduction->in_register)
        add(d, arena_printf(d->cx->arena, "held around %s%s", loop,
                            place->reduction->first ? "" : ", combined"));
    if (place->reduction->row >= 0)
        add(d, arena_printf(d->cx->arena, "row of %d around %s", place->reduction->row, loop));
    if (node->statement->kind == CIN_ASSIGN)
        describe_assign(d, place);
    for (int i = 0; i < node->children && (i == 0 || !node->lattice); i++)
        describe(d, tree_inside(d->cx, d->tree, place, i));
}

static void reach(void **state)
{
    static const struct {
        const char *statement, *declarations, *schedule, *reach;
    } row[] = {
        {"y(i) = x(i)", "", "", "y once full"},
        {"y(i) = x(i)", "x:s", "", "y once; fill"},
        {"y(i) = x(i) + z(i)", "x:s;z:s", "", "y once; fill"},
        {"y(i) = x(i) + z(i)", "x:s", "", "y once full"},
        /* reduced into: in a register, a row, or all of it */
        {"y(i) = A(i,j) * x(j)", "A:csr", "", "held around j; y"},
        {"y(i) = A(i,j) * x(j)", "A:dcsr", "", "held around j; y; fill"},
        {"y(j) = A(i,j) * x(i)", "A:csr", "reorder(i, j)", "row of 0 around i; y"},
        {"C(i,j) = A(i,k) * B(k,j)", "A:csr;B:csr", "reorder(i, k, j)", "row of 1 around k; C"},
        {"C(i,j) = A(i,k) * B(k,j)", "A:dcsr;B:csr", "reorder(i, k, j)", "C; fill"},
        {"y(i) += A(i,j) * x(j)", "A:csr", "", "held around j, combined; y"},
        /* parts of blocks that reach beyond the dimension */
        {"y(i) = 2 * x(i)", "", "split(i, i0, i1, down, 4)", "y once full"},
        /* a loop whose parts store at once holds nothing for all of them */
        {"a = b(i)", "b:s", "parallelize(i, cpu_thread, atomics)",
         "held around i, combined; a; fill"},
        {"a = b(i)", "b:s", "parallelize(i, cpu_thread, temporary)", "held around i; a"},
        {"y(j) = A(i,j) * x(i)", "A:csr", "reorder(i, j); parallelize(i, cpu_thread, atomics)",
         "y; fill"},
        {"y(j) = A(i,j) * x(i)", "A:csr", "reorder(i, j); parallelize(i, cpu_thread, temporary)",
         "row of 0 around i; y"},
        /* the second of two parts adds to what the first has left, whether it reaches it or not */
        {"y(i) = b(i) + A(i,j) * x(j)", "A:csc",
         "precompute(t, w, {i,i,ip}, dense); reorder(j, ip); sequence(w)", "y once full; y"},
        /* ... or revises it: where nothing has been left, it reads the fill */
        {"y(i) = max(sum(j, A(i,j) * x(j)), 0)", "A:csc",
         "precompute(t, w, {i,i,ip}, dense); reorder(j, ip); sequence(w)",
         "row of 0 around j; y; y once full"},
        {"C(i,j) = max(sum(k, A(i,k) * B(k,j)), 0)", "A:dcsr",
         "precompute(t, w, {j,j,jp}, dense); reorder(k, jp); sequence(w)", "C; C once; fill"},
        {"C(i,j) = abs(1 - sum(k, A(i,k) * B(k,j)))", "A:dcsr",
         "precompute(t, w, {j,j,jp}, dense); reorder(k, jp); sequence(w)",
         "row of 1 around k; C; C once full"},
        /* workspaces: the loops that count are those since their where */
        {"y(i) = x(i)", "x:s;y:s", "precompute(x(i), w, {i,ic,ip}, coo)",
         "y once; w in order distinct; fill"},
        {"y(i) = x(i)", "x:hash;y:s", "precompute(x(i), w, {i,ic,ip}, coo)",
         "y once; w distinct; fill"},
        {"C(i,j) = A(i,k) * B(k,j)", "A:csr;B:csr;C:csr",
         "precompute(A(i,k) * B(k,j), w, {j,jc,jp}, bytemap)", "C once; w in order distinct; fill"},
    };
    LAB(cx);
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        const struct cin_program *p = lab_program(cx, row[i].statement, row[i].declarations);
        p = cin_unfold(cx, lab_apply(cx, p, row[i].schedule));
        struct describer d = {cx, tree_build(cx, p), text_new(cx->arena)};
        describe(&d, tree_outermost(cx, d.tree));
        if (tree_needs_fill(cx, d.tree))
            add(&d, "fill");
        if (strcmp(d.out.at, row[i].reach) != 0)
            print_message("%s (%s), %s:\n   %s\n", row[i].statement, row[i].declarations,
                          row[i].schedule, d.out.at);
        assert_string_equal(d.out.at, row[i].reach);
    }
}

/* The operand whose pattern the result has, and the ranges that must not be empty for that. */
static void patterns(void **state)
{
    static const struct {
        const char *statement, *declarations, *schedule, *pattern;
    } row[] = {
        {"C(i,j) = 2 * A(i,j)", "A:csr;C:csr", "", "A"},
        {"C(i,j) = 2 * A(i,j)", "A:coo;C:coo", "", "A"},
        {"C(i,j) = b(i) * A(i,j)", "A:csr;C:csr", "", "A"},
        {"C(i,j) = S(i,j) * A(i,k) * B(j,k)", "S:csr;C:csr", "", "S, of k"},
        {"C(i,j) = S(i,j) * A(i,k) * B(j,k)", "S:csr;C:csr", "split(k, k0, k1, down, 4)",
         "S, of k0, k1"},
        /* other levels, widths, places, or loops */
        {"C(i,j) = 2 * A(i,j)", "A:csr;C:dcsr", "", ""},
        {"C(i,j) = 2 * A(i,j)", "A:csr;C:(i,j) -> (i : dense, j : compressed(pos=i64))", "", ""},
        {"C(i,j) = 2 * A(j,i)", "A:csc;C:csr", "", ""},
        {"C(i,j) = 2 * A(i,j)", "A:csr;C:csr", "split(i, i0, i1, down, 4)", ""},
        /* also rows that are empty, and entries in any order, but no empty places */
        {"C(i,j) = 2 * A(i,j)", "A:dcsr;C:dcsr", "", "A"},
        {"C(i,j) = 2 * A(i,j)", "A:coo(unordered);C:coo(unordered)", "", "A"},
        {"C(i,j) = 2 * A(i,j)", "A:coo(nonunique);C:coo(nonunique)", "", ""},
        {"C(i,j) = 2 * A(i,j)", "A:ell;C:ell", "", ""},
        /* some of the components may be absent, or there may be others */
        {"C(i,j) = A(i,j) * B(i,j)", "A:csr;B:csr;C:csr", "", ""},
        {"C(i,j) = A(i,j) + B(i,j)", "A:csr;B:csr;C:csr", "", ""},
        {"C(i,j) = b(i) * A(i,j)", "b:s;A:csr;C:csr", "", ""},
        {"C(i,j) = S(i,j) * A(i,k)", "S:csr;A:csr;C:csr", "", ""},
        {"C(i,j) = A(i,j) + 1", "A:csr;C:csr/f64/1", "", "A"},
    };
    LAB(cx);
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        const struct cin_program *p = lab_program(cx, row[i].statement, row[i].declarations);
        p = cin_unfold(cx, lab_apply(cx, p, row[i].schedule));
        const struct tree *tree = tree_build(cx, p);
        const struct pattern *pattern = &tree->assembly.pattern;
        struct text out = text_new(cx->arena);
        if (pattern->operand)
            text_add(&out, pattern->operand->tensor->name);
        for (size_t r = 0; pattern->operand && r < pattern->ranges.n; r++)
            text_printf(&out, "%s%s", r ? ", " : ", of ", pattern->ranges.at[r]->name);
        assert_int_equal(tree->assembly.kind == ASSEMBLY_PATTERN, pattern->operand != NULL);
        if (strcmp(out.n ? out.at : "", row[i].pattern) != 0)
            print_message("%s (%s), %s\n", row[i].statement, row[i].declarations, row[i].schedule);
        assert_string_equal(out.n ? out.at : "", row[i].pattern);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {LAB_TEST(reach), LAB_TEST(patterns)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
