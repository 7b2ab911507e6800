/* test_races.c - what several iterations of a loop write, by statement, formats and loop.
 *
 * SPDX-License-Identifier: MIT
 */
#include <string.h>

#include "compiler/base/text.h"
#include "compiler/tree/tree.h"
#include "tests/concrete/support.h"

static const struct index_var *loop_var(const struct cin *s, const char *name)
{
    const struct index_var *var = NULL;
    if (s->kind == CIN_FORALL && strcmp(s->index[0]->name, name) == 0)
        return s->index[0];
    for (int i = 0; i < s->args && !var; i++)
        if (!cin_is_expression(s->arg[i]))
            var = loop_var(s->arg[i], name);
    return var;
}

/* "y combines; joins; w apart": of the loop of this name. */
static const char *races_of(struct context *cx, const struct cin_program *program, const char *loop)
{
    static const char *const does[] = {"", "combines", "stores", "shares", "appends"};
    static const char *const ways[] = {"", "joins", "settles", "fills", "C counted"};
    const struct tree *tree = tree_build(cx, cin_unfold(cx, program));
    const struct index_var *var = loop_var(tree->program->statement, loop);
    const struct tree_node *node = var ? tree_find(tree->root, var) : NULL;
    struct text out = text_new(cx->arena);
    if (!node)
        fail_msg("no forall(%s)", loop);
    struct tree_races races = tree_races(cx, tree, node);
    for (size_t i = 0; i < races.n; i++)
        text_printf(&out, "%s%s %s", i ? ", " : "", races.at[i].assign->arg[0]->tensor->name,
                    does[races.at[i].kind]);
    enum tree_parts way = tree_parts(cx, tree, node);
    if (way != PARTS_NONE)
        text_printf(&out, "%s%s", out.n ? "; " : "", ways[way]);
    struct cin_list made = cin_assignments(cx, node->statement);
    for (size_t i = 0; i < made.n; i++)
        if (tree_makes_apart(cx, tree, node, made.at[i]))
            text_printf(&out, "%s%s apart", out.n ? "; " : "", made.at[i]->arg[0]->tensor->name);
    return out.n ? out.at : "";
}

static void races(void **state)
{
    static const struct {
        const char *statement, *declarations, *schedule, *loop, *races;
    } row[] = {
        {"y(i) = A(i,j) * x(j)", "A:csr", "", "i", ""},
        {"y(i) = A(i,j) * x(j)", "A:csr", "", "j", "y combines"},
        {"y(j) = A(i,j) * x(i)", "A:csr", "reorder(i, j)", "i", "y combines"},
        {"y(j) = A(i,j) * x(i)", "A:csr", "reorder(i, j)", "j", ""},
        {"a = b(i)", "b:s", "", "i", "a combines"},
        /* a temporary of the iteration's own, and one from outside */
        {"y(i) = b(i) - A(i,j) * x(j)", "A:csr", "", "i", ""},
        {"y(i) = b(i) - A(i,j) * x(j)", "A:csr", "", "j", "t combines"},
        /* parts of a block tell where they are */
        {"y(i) = 2 * x(i)", "", "split(i, i0, i1, down, 4)", "i0", ""},
        {"y(i) = 2 * x(i)", "", "split(i, i0, i1, down, 4)", "i1", ""},
        /* so does a component of the position at which an operand stores what it has ... */
        {"y(i,j) = A(i,j,k) * x(k)", "A:csf",
         "collapse(i, j, f); pos(f, p, A); split(p, p0, p1, down, 4)", "p0", ""},
        {"y(i,j) = A(i,j,k) * x(k)", "A:csf",
         "collapse(i, j, f); pos(f, p, A); split(p, p0, p1, down, 4)", "p1", ""},
        {"y(i,j) = 2 * A(i,j)", "A:coo", "collapse(i, j, f); pos(f, p, A)", "p", ""},
        {"y(i,k) = A(i,k) * B(i,j)", "A:csr", "pos(k, p, A)", "p", ""},
        /* ... which a part of its coordinates does not, nor one of several positions */
        {"y(i) = A(i,j) * x(j)", "A:coo", "collapse(i, j, f); pos(f, p, A)", "p", "y combines"},
        {"y(j) = A(i,j)", "A:csr", "reorder(i, j); pos(j, p, A)", "i", "y combines"},
        {"y(i,j) = A(i,j,k) * x(k)", "A:coo", "collapse(i, j, f); collapse(f, k, g); pos(g, p, A)",
         "p", "y combines"},
        /* a coordinate that may come twice */
        {"y(i) = x(i)", "x:coo", "", "i", ""},
        /* sparse results: the first level's loop, and others */
        {"C(i,j) = A(i,j) + B(i,j)", "A:csr;B:csr;C:csr", "", "i", "settles"},
        {"C(i,j) = A(i,j) + B(i,j)", "A:csr;B:csr;C:csr", "", "j", "C appends"},
        {"C(i,j) = 2 * A(i,j)", "A:dcsr;C:(i,j) -> (i : compressed, j : compressed(pos=i64))", "",
         "i", "settles"},
        {"C(i,j) = A(i,j) + B(i,j)", "A:coo;B:coo;C:coo", "", "i", "settles"},
        {"C(i,j) = d(i) * e(j)", "d:s;e:s;C:dcsr", "", "i", "joins"},
        /* several results: each as by itself */
        {"C(i,j) = 2 * A(i,j); y(j) = A(i,j) * w(i)", "A:csr;C:csr",
         "reorder(i2, j2); share(i, i2); share(j, j2)", "i", "y combines; settles"},
        {"y(i) = A(i,j) * x(j); C(i,j) = 2 * A(i,j)", "A:csr;C:csr", "share(i, i2); share(j, j2)",
         "j", "y combines, C appends"},
        {"s = x(i) * x(i); y(i) = 2 * x(i)", "", "share(i, i2)", "i", "s combines"},
        /* the pattern is an operand's */
        {"C(i,j) = 2 * A(i,j)", "A:coo;C:coo", "", "i", ""},
        {"C(i,j) = 2 * A(i,j)", "A:csr;C:csr", "", "j", ""},
        {"C(i,j) = A(i,j) * B(i,k) * D(j,k)", "A:csr;C:csr", "", "i", ""},
        {"C(i,j) = A(i,j) * B(i,k) * D(j,k)", "A:csr;C:csr", "", "k", "C combines"},
        {"C(i,j) = A(i,j) * B(i,k) * D(j,k)", "A:csr;C:csr", "collapse(i, j, f); pos(f, p, A)", "p",
         ""},
        {"C(i,j) = A(i,j) * B(i,k) * D(j,k)", "A:coo;C:coo",
         "collapse(i, j, f); pos(f, p, A); split(p, p0, p1, down, 4)", "p0", ""},
        {"C(i,j) = A(i,k) * B(k,j)", "A:csr;C:csr", "", "k", "C combines"},
        {"C(i,j) = A(j,i)", "A:csr;C:csr", "reorder(j, i)", "j", "C counted"},
        {"C(i,j) = A(j,i)", "A:csr;C:csr", "reorder(j, i)", "i", ""},
        /* counts are of 64 bits where positions may not have all coordinates of a row */
        {"C(i,j) = A(j,i)", "A:csr;C:(i,j)->(i:dense,j:compressed(pos=i8,crd=i8))", "reorder(j, i)",
         "j", "C counted"},
        {"C(i,j) = A(j,i)", "A:csr;C:(i,j)->(i:dense,j:compressed(pos=u8,crd=u8))", "reorder(j, i)",
         "j", "C counted"},
        {"C(i,j) = A(j,i)", "A:csr;C:(i,j)->(i:dense,j:compressed(pos=i32,crd=i64))",
         "reorder(j, i)", "j", "C counted"},
        /* the loop runs only if the sum was written */
        {"y(i) = A(j,k)", "y:s/i8", "", "i", "y appends"},
        /* workspaces */
        {"y(i) = x(i)", "x:s", "precompute(x(i), w, {i,ic,ip}, dense)", "ip", ""},
        {"y(i) = x(i)", "x:s", "precompute(x(i), w, {i,ic,ip}, bytemap)", "ip", "w apart"},
        {"y(i) = x(i)", "x:s", "precompute(x(i), w, {i,ic,ip}, hash)", "ip", "w apart"},
        {"y(i) = x(i)", "x:s", "precompute(x(i), w, {i,ic,ip}, coo)", "ip", "w apart"},
        {"y(i) = x(i)", "x:s", "precompute(x(i), w, {i,ic,ip}, bitmap)", "ip", ""},
        {"y(i,j) = A(i,j) + 1", "A:csr",
         "precompute(A(i,j) + 1, w, {i,ic,ip}, {j,jc,jp}, (x,y)->(x:bytemap,y:dense))", "ip",
         "w shares; w apart"},
        {"y(i,j) = A(i,j) + 1", "A:csr",
         "precompute(A(i,j) + 1, w, {i,ic,ip}, {j,jc,jp}, (x,y)->(x:bytemap,y:bitmap))", "ip",
         "w apart"},
        {"y(j) = A(i,j)", "A:csr", "reorder(i, j); precompute(A(i,j), w, {j,jc,jp}, bytemap)", "i",
         "w combines; w apart"},
        {"y(j) = A(i,j)", "A:csr", "reorder(i, j); precompute(A(i,j), w, {j,jc,jp}, bitmap)", "i",
         "w combines; w apart"},
        {"y(j) = A(i,j)", "A:csr", "reorder(i, j); precompute(A(i,j), w, {j,jc,jp}, coo)", "i",
         "w apart"},
        {"C(i,j) = A(i,j) + B(i,j)", "A:csr;B:csr;C:ell", "collect(C, w)", "i", "w apart"},
        {"C(i,j) = A(i,j) + B(i,j)", "A:csr;B:csr;C:ell", "collect(C, w)", "ic", "fills"},
        {"C(i,j) = A(i,j) + B(i,j)", "A:csr;B:csr;C:ell", "collect(C, w)", "jc", "C appends"},
        {"C(i,j) = A(i,j) + B(i,j)", "A:csr;B:csr;C:hash", "collect(C, w)", "ic", "fills"},
        /* segments lie in the order of the slots above them */
        {"C(i,j) = A(i,j) + B(i,j)", "A:csr;B:csr;C:hs", "collect(C, w)", "ic", "C appends"},
    };
    LAB(cx);
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        const struct cin_program *p = lab_program(cx, row[i].statement, row[i].declarations);
        p = lab_apply(cx, p, row[i].schedule);
        const char *is = races_of(cx, p, row[i].loop);
        if (strcmp(is, row[i].races) != 0)
            print_message("%s (%s), %s\n", row[i].statement, row[i].declarations, row[i].loop);
        assert_string_equal(is, row[i].races);
    }
}

/* Loops along the positions of an operand: has the result its pattern? */
static void patterns(void **state)
{
    static const struct {
        const char *statement, *declarations, *schedule;
        bool has;
    } row[] = {
        {"C(i,j) = 2 * A(i,j)", "A:csr;C:csr", "collapse(i, j, f); pos(f, p, A)", true},
        {"C(i,j) = 2 * A(i,j)", "A:coo;C:coo",
         "collapse(i, j, f); pos(f, p, A); split(p, p0, p1, up, 4)", true},
        {"C(i,j) = A(i,j) * B(i,k) * D(j,k)", "A:csr;C:csr",
         "collapse(i, j, f); pos(f, p, A); split(p, p0, p1, down, 4); split(k, k0, k1, down, 2)",
         true},
        /* another operand decides, or the formats differ */
        {"C(i,j) = A(i,j) * B(i,j)", "A:csr;B:csr;C:csr", "collapse(i, j, f); pos(f, p, A)", false},
        {"C(i,j) = 2 * A(i,j)", "A:csr;C:coo", "collapse(i, j, f); pos(f, p, A)", false},
        /* a sum goes around all positions, or between their blocks */
        {"C(i,j) = A(i,j) * B(i,k) * D(j,k)", "A:csr;C:csr",
         "collapse(i, j, f); pos(f, p, A); reorder(k, p)", false},
        {"C(i,j) = A(i,j) * B(i,k) * D(j,k)", "A:csr;C:csr",
         "collapse(i, j, f); pos(f, p, A); split(p, p0, p1, down, 4); reorder(p0, k, p1)", false},
    };
    LAB(cx);
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        const struct cin_program *p = lab_program(cx, row[i].statement, row[i].declarations);
        const struct tree *tree = tree_build(cx, cin_unfold(cx, lab_apply(cx, p, row[i].schedule)));
        bool has = tree->assembly.kind == ASSEMBLY_PATTERN && !tree->infeasible;
        if (has != row[i].has)
            print_message("%s, %s\n", row[i].statement, row[i].schedule);
        assert_int_equal(has, row[i].has);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {LAB_TEST(races), LAB_TEST(patterns)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
