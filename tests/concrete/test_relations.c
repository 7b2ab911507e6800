/* test_relations.c - variables that follow from others: the directives split and skew, tensors seen
 * as what their levels store, and back.
 *
 * SPDX-License-Identifier: MIT
 */
#include <string.h>

#include "compiler/base/text.h"
#include "compiler/pipeline.h"
#include "compiler/registry.h"
#include "compiler/schedule.h"
#include "tests/concrete/support.h"

static const char *program_text(struct context *cx, const struct cin_program *program)
{
    struct text out = text_new(cx->arena);
    cin_print_program(cx, &out, program);
    return out.at;
}

static const struct cin_program *scheduled(struct context *cx, const char *statement,
                                           const char *declarations, const char *schedule)
{
    return lab_apply(cx, lab_program(cx, statement, declarations), schedule);
}

/* ---- directives ---- */

static void directives(void **state)
{
    static const struct {
        const char *statement, *schedule, *after;
    } row[] = {
        {"y(i) = b(i)", "split(i, i0, i1, down, 4)",
         "forall(i0) forall(i1) y(i) = b(i) : split(i, i0, i1, down, 4)"},
        {"y(i) = b(i)", "split(i,i0,i1,up,3)",
         "forall(i0) forall(i1) y(i) = b(i) : split(i, i0, i1, up, 3)"},
        {"y(i) = b(i)", "split(i,i0,i1,down,16); split(i1,i2,i3,down,4)",
         "forall(i0) forall(i2) forall(i3) y(i) = b(i) : split(i, i0, i1, down, 16); split(i1, i2, "
         "i3, down, 4)"},
        {"y(i) = A(i,j) * x(j)", "split(j,j0,j1,down,8); reorder(j0,i,j1)",
         "forall(j0) forall(i) forall(j1) y(i) += A(i,j) * x(j) : split(j, j0, j1, down, 8)"},
        {"y(i) = A(i,j) * x(j)", "skew(j,i,d)",
         "forall(i) forall(d) y(i) += A(i,j) * x(j) : skew(j, i, d)"},
        {"y(i) = A(i,j) * x(j)", "skew(i,j,d); reorder(j,d)",
         "forall(j) forall(d) y(i) += A(i,j) * x(j) : skew(i, j, d)"},
        {"y(i) = A(i,j) * x(j)", "collapse(i, j, f)",
         "forall(f) y(i) += A(i,j) * x(j) : collapse(i, j, f)"},
        {"y(i) = A(i,j) * x(j)", "collapse(i,j,f); split(f,f0,f1,down,4)",
         "forall(f0) forall(f1) y(i) += A(i,j) * x(j) : collapse(i, j, f); split(f, f0, f1, down, "
         "4)"},
        {"y(i) = A(i,j) * x(j)", "split(i,i0,i1,down,4); collapse(i1,j,f)",
         "forall(i0) forall(f) y(i) += A(i,j) * x(j) : split(i, i0, i1, down, 4); collapse(i1, j, "
         "f)"},
        {"a = B(i,j,k)", "collapse(i,j,f); collapse(f,k,g)",
         "forall(g) a += B(i,j,k) : collapse(i, j, f); collapse(f, k, g)"},
        /* an access in the names as written */
        {"y(i) = b(i)", "bound(i, ib, 8, most); pos(ib, p, b(i))",
         "forall(p) y(ib) = b(ib) : pos(ib, p, b(ib).1); bound(i, ib, 8, most)"},
        {"y(i) = b(i)", "bound(i, ib, 8, most); convert(b( i ), w)",
         "(forall(ib) y(ib) = w(ib) where forall(ibp) w(ibp) = b(ibp)) : format(w, coo); bound(i, "
         "ib, 8, most)"},
        /* a split by an operand's positions (thesis 6.4) */
        {"y(i) = b(i)", "split(i, i0, i1, up, 4, b)",
         "forall(i0) forall(i1) y(i) = b(i) : pos(i, p, b(i).1); split(p, i0, i1, up, 4)"},
        /* in a producer */
        {"y(i) = exp(sum(j, A(i,j)))", "split(j,j0,j1,down,4)",
         "forall(i) (y(i) = exp(t) where forall(j0) forall(j1) t += A(i,j)) : split(j, j0, j1, "
         "down, 4)"},
    };
    LAB(cx);
    for (size_t i = 0; i < sizeof row / sizeof *row; i++)
        assert_string_equal(program_text(cx, scheduled(cx, row[i].statement, "", row[i].schedule)),
                            row[i].after);
}

static void positions(void **state)
{
    static const struct {
        const char *statement, *declarations, *schedule, *after;
    } row[] = {
        {"y(i) = A(i,j) * x(j)", "A:csr", "collapse(i,j,f); pos(f,p,A(i,j))",
         "forall(p) y(i) += A(i,j) * x(j) : collapse(i, j, f); pos(j, p, A(i,j).2)"},
        /* the tensor's name is enough where it has one access; blanks do not count */
        {"y(i) = A(i,j) * x(j)", "A:csr", "collapse(i,j,f); pos(f,p, A)",
         "forall(p) y(i) += A(i,j) * x(j) : collapse(i, j, f); pos(j, p, A(i,j).2)"},
        {"y(i) = A(i,j) * x(j)", "A:csr", "pos(j, p, A( i, j ))",
         "forall(i) forall(p) y(i) += A(i,j) * x(j) : pos(j, p, A(i,j).2 below 1)"},
        {"y(i) = A(i,j) * x(j)", "A:csr", "pos(j,p,A); split(p,p0,p1,down,8)",
         "forall(i) forall(p0) forall(p1) y(i) += A(i,j) * x(j) : pos(j, p, A(i,j).2 below 1); "
         "split(p, p0, p1, down, 8)"},
        {"y(i) = A(i,j) * x(j)", "A:csr", "collapse(i,j,f); split(f,b,q,work,8,A)",
         "forall(b) forall(q) y(i) += A(i,j) * x(j) : collapse(i, j, f); pos(j, p, A(i,j).2); "
         "split(p, b, q, work, 8)"},
        {"y(i) = A(i,j) * x(j)", "A:csr",
         "collapse(i,j,f); split(f,s,e,work,8,A); split(s,b,t,up,4)",
         "forall(b) forall(t) forall(e) y(i) += A(i,j) * x(j) : collapse(i, j, f); pos(j, p, "
         "A(i,j).2); split(p, s, e, work, 8); split(s, b, t, up, 4)"},
        {"y(i) = A(i,j) * x(j)", "A:dcsr", "pos(i, p, A)",
         "forall(p) forall(j) y(i) += A(i,j) * x(j) : pos(i, p, A(i,j).1)"},
        /* the positions in between have a variable each */
        {"y(i) = A(i,j) * x(j)", "A:coo", "collapse(i,j,f); pos(f,p,A)",
         "forall(p) y(i) += A(i,j) * x(j) : collapse(i, j, f); pos(i, pA1, A(i,j).1); pos(j, p, "
         "A(i,j).2)"},
        {"a = B(i,j,k)", "B:csf", "collapse(j,k,f); pos(f,p,B)",
         "forall(i) forall(p) a += B(i,j,k) : collapse(j, k, f); pos(j, pB2, B(i,j,k).2 below 1); "
         "pos(k, p, B(i,j,k).3 below 1)"},
        /* the access has the names of the loops */
        {"y(i) = A(i,j) * x(j)", "A:csr", "pos(j,p,A); bound(i,ib,8,most)",
         "forall(ib) forall(p) y(ib) += A(ib,j) * x(j) : pos(j, p, A(ib,j).2 below 1); bound(i, "
         "ib, 8, most)"},
    };
    LAB(cx);
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        const struct cin_program *p =
            scheduled(cx, row[i].statement, row[i].declarations, row[i].schedule);
        assert_string_equal(program_text(cx, p), row[i].after);
        assert_null(cin_check(cx, p));
    }
}

static void refused_positions(void **state)
{
    static const struct {
        const char *statement, *declarations, *schedule, *why;
    } row[] = {
        {"y(i) = A(i,j)", "A:csr", "collapse(i, j)", "it takes two loops, one directly in"},
        {"y(i) = A(i,j)", "A:csr", "collapse(i, k, f)", "there is no loop over k"},
        {"y(i) = A(i,j)", "A:csr", "collapse(i, j, A)", "A is in use"},
        {"y(i) = A(i,j)", "A:csr", "collapse(j, i, f)",
         "the loop is not directly inside the loop over j"},
        {"y(i) = exp(sum(j, A(i,j)))", "A:csr", "collapse(i, j, f)",
         "the loop is not directly inside the loop over i"},
        {"y(i) = A(i,j)", "A:csr", "skew(j, i, d); collapse(i, d, f)",
         "loops over differences or positions cannot be collapsed"},
        {"y(i) = A(i,j)", "A:csr", "pos(j, p, A); collapse(i, p, f)", "cannot be collapsed"},
        {"y(i) = A(i,j)", "A:csr", "pos(j, p, A); split(p, a, b, up, 2); collapse(a, b, f)",
         "cannot be collapsed"},
        {"y(i) = A(i,j)", "A:csr", "collapse(i, j, f); vectorize(f); pos(f, p, A)",
         "the loop is unrolled, vectorized or parallel, and would be replaced"},
        {"y(i) = A(i,j)", "A:csr", "pos(j, p)", "it takes a loop, the new loop, and the access"},
        {"y(i) = A(i,j)", "A:csr", "pos(k, p, A)", "there is no loop over k"},
        {"y(i) = A(i,j)", "A:csr", "pos(j, i, A)", "i is in use"},
        {"y(i) = A(i,j)", "A:csr", "pos(j, p, y(i))", "there is no such access to an operand"},
        {"y(i) = A(i,j) * A(j,i)", "A:csr", "pos(j, p, A)",
         "there are several accesses to it: name one"},
        {"y(i) = A(i,j)", "A:csr", "split(j, a, b, up, 2); pos(b, p, A)",
         "it does not go through the stored coordinates of A row by row"},
        {"y(i) = A(i,j)", "A:csc", "collapse(i, j, f); pos(f, p, A)",
         "it does not go through the stored coordinates of A row by row"},
        {"y(i) = A(i,j)", "A:bcsr(2,2)", "pos(j, p, A)",
         "it does not go through the stored coordinates of A row by row"},
        {"y(i) = A(i,j)", "A:(i,j) -> (i : dense, j : hashed)", "pos(j, p, A)",
         "level 2 of A is not ordered"},
        {"y(i) = A(i,j)", "A:(i,j) -> (i : dense, j : compressed(unordered))", "pos(j, p, A)",
         "level 2 of A is not ordered"},
        {"y(i) = A(i,j)", "A:coo", "pos(i, p, A)", "level 1 of A is not ordered, has duplicates"},
        {"y(i) = sum(j, A(i,j) + b(j))", "A:csr", "pos(j, p, A)",
         "the statement also has an effect where A has no component"},
        /* the loop is there in two regions, in one without the row of A */
        {"y(i) = sum(j, A(i,j) * B(i,j) + C(i,j))", "A:dcsr; B:dcsr; C:dcsr", "pos(j, p, A)",
         "the statement also has an effect where A has no component"},
        /* the row 0 may not be stored */
        {"y(i) = A(0,j)", "A:sd", "pos(j, p, A)",
         "the statement also has an effect where A has no component"},
        {"y(i) = A(i,j)", "A:csr", "pos(j, p, A); reorder(p, i)",
         "p: runs over positions, and the loops that lead to them are not around it"},
        {"y(i) = A(i,j)", "A:csr", "pos(j, p, A); split(p, a, b, up, 2); reorder(b, i)",
         "b: runs over positions, and the loops that lead to them are not around it"},
        {"y(i) = A(i,j)", "A:csc", "pos(j, p, A); pos(i, q, A)",
         "the loops around it do not lead to level 2 of A"},
        {"y(i) = A(i,j)", "A:csc", "pos(i, p, A)",
         "the loops around it do not lead to level 2 of A"},
        {"y(i) = A(i,j)", "A:csr", "split(j, a, b, work, 8)",
         "work is of positions: pos makes a loop over these, which j is not"},
        {"y(i) = A(i,j)", "A:csr", "collapse(i, j, f); split(f, a, b, work, 8)",
         "work is of positions: pos makes a loop over these, which f is not"},
        {"y(i) = A(i,j)", "A:csr",
         "collapse(i, j, f); split(f, a, b, work, 8, A); split(b, c, d, work, 4)",
         "work is of positions: pos makes a loop over these, which b is not"},
        {"y(i) = A(i,j)", "A:csr", "split(j, a, b, work, 8, A)",
         "p goes through positions below one of level 1 of A, and work is of all rows"},
        {"y(i) = A(i,j)", "A:coo", "collapse(i, j, f); split(f, a, b, work, 8, A)",
         "level 2 of A (singleton) has no rows whose ends would count"},
        {"y(i) = A(i,j)", "A:ss", "split(i, a, b, work, 8, A)",
         "level 1 of A (compressed) has no rows whose ends would count"},
        {"y(i) = A(i,j)", "A:csr", "collapse(i, j, f); split(f, a, b, work, 1, A)",
         "the size is a number from 2 on"},
        {"y(i) = A(i,j)", "A:csr", "pos(j, p, A); skew(p, i, d)",
         "it is a loop over differences, or over"},
    };
    LAB(cx);
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        const struct cin_program *p = lab_program(cx, row[i].statement, row[i].declarations);
        cx->diags.n = 0;
        if (schedule_apply(cx, registry_schedules, p, row[i].schedule)
            || !strstr(diag_render(cx), row[i].why))
            fail_msg("%s: %s, and not: %s", row[i].schedule, diag_render(cx), row[i].why);
    }
}

static void refused(void **state)
{
    static const struct {
        const char *statement, *schedule, *why;
    } row[] = {
        {"y(i) = b(i)", "split(i, i0, i1, down)", "the size is a number from 1 on"},
        {"y(i) = b(i)", "split(k, i0, i1, down, 4)", "there is no loop over k"},
        {"y(i) = b(i)", "split(i, i0, i1, left, 4)", "it is up (the size is the number of blocks)"},
        {"y(i) = b(i)", "split(i, i0, i1, down, 0)", "the size is a number from 1 on"},
        {"y(i) = b(i)", "split(i, i0, i1, down, 4x)", "the size is a number from 1 on"},
        {"y(i) = b(i)", "split(i, i, i1, down, 4)", "i is named twice"},
        {"y(i) = b(i)", "split(i, b, i1, down, 4)", "b is in use"},
        {"y(i) = b(i)", "split(i, i0, i0, down, 4)", "i0 is named twice"},
        {"y(i) = b(i)", "split(i, 1, i0, down, 4)", "1 is no name for a new loop"},
        {"y(i) = b(i)", "split(i, i0, i1, down, 4); split(i, i2, i3, down, 4)",
         "there is no loop over i"},
        {"y(i) = A(i,j)", "skew(j, i)", "it takes the loop to replace"},
        {"y(i) = A(i,j)", "skew(j, j, d)", "the two loops are the same"},
        {"y(i) = A(i,j)", "skew(j, k, d)", "there is no loop over k"},
        {"y(i) = A(i,j)", "skew(j, i, d); split(d, e, f, down, 2)",
         "a loop over differences cannot be split"},
        {"y(i) = A(i,j)", "split(j, a, b, up, 2); split(a, e, f, down, 2); skew(e, b, d)",
         "are parts of one"},
        {"y(i) = A(i,j)", "skew(j, i, d); skew(d, i, e)", "it is a loop over differences"},
        {"y(i) = A(i,j)", "split(j, a, b, down, 2); skew(a, b, d)",
         "the two loops are parts of one loop"},
        {"y(i) = A(i,j)", "skew(j, i, A)", "A is in use"},
        /* between the loops the variable would not be known */
        {"y(i) = b(i) * sum(j, A(i,j))", "skew(i, j, d)",
         "it is inside the other loop, but not directly nested"},
        {"y = max(k, B(j,k))", "skew(k, j, d)",
         "it is inside the other loop, but not directly nested"},
        {"y(i) = sum(j, A(i,j)) + sum(k, b(k))", "skew(j, k, d)",
         "neither of the two loops is inside the other"},
    };
    LAB(cx);
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        const struct cin_program *p = lab_program(cx, row[i].statement, "");
        cx->diags.n = 0;
        assert_null(schedule_apply(cx, registry_schedules, p, row[i].schedule));
        if (!strstr(diag_render(cx), row[i].why))
            fail_msg("%s: %s, and not: %s", row[i].schedule, diag_render(cx), row[i].why);
    }
}

/* ---- unfolding ---- */

static void unfolding(void **state)
{
    static const struct {
        const char *statement, *declarations, *schedule, *after;
    } row[] = {
        {"y(i) = A(i,j) * x(j)", "A:csr", "", "forall(i) forall(j) y(i) += A(i,j) * x(j)"},
        {"y(i) = A(i,j) * x(j)", "A:bcsr(4,2)", "",
         "forall(i) forall(j) y(i) += A(io,jo,ii,ji) * x(j) : split(i, io, ii, down, 4); split(j, "
         "jo, ji, down, 2)"},
        {"y(i) = A(i,j) * x(j)", "A:dia", "",
         "forall(i) forall(j) y(i) += A(d,i,j) * x(j) : skew(j, i, d)"},
        /* what stands for the same is one variable */
        {"y(i) = A(i,j) * B(i,j)", "A:bcsr(4,4); B:csb(4)", "",
         "forall(i) forall(j) y(i) += A(io,jo,ii,ji) * B(io,jo,ii,ji) : split(i, io, ii, down, 4); "
         "split(j, jo, ji, down, 4)"},
        {"y(i) = A(i,j) * B(i,j)", "A:bcsr(4,4); B:bcsr(2,4)", "",
         "forall(i) forall(j) y(i) += A(io,jo,ii,ji) * B(io2,jo,ii2,ji) : split(i, io, ii, down, "
         "4); split(j, jo, ji, down, 4); split(i, io2, ii2, down, 2)"},
        {"y(i) = A(i,i)", "A:bcsr(4,4)", "",
         "forall(i) y(i) = A(io,io,ii,ii) : split(i, io, ii, down, 4)"},
        {"y(i) = A(i,i)", "A:dia", "", "forall(i) y(i) = A(d,i,i) : skew(i, i, d)"},
        /* names that are in use */
        {"y(io) = A(io,d) * x(d)", "A:dia", "",
         "forall(io) forall(d) y(io) += A(d2,io,d) * x(d) : skew(d, io, d2)"},
        {"y(i) = A(i,io)", "A:bcsr(4,4)", "",
         "forall(i) forall(io) y(i) += A(io2,ioo,ii,ioi) : split(i, io2, ii, down, 4); split(io, "
         "ioo, ioi, down, 4)"},
        /* relations that directives have made */
        {"y(i) = A(i,j) * x(j)", "A:bcsr(4,2)", "split(j, b, c, down, 2); reorder(b, i, c)",
         "forall(b) forall(i) forall(c) y(i) += A(io,b,ii,c) * x(j) : split(j, b, c, down, 2); "
         "split(i, io, ii, down, 4)"},
        {"y(i) = A(i,j) * x(j)", "A:dia", "skew(j, i, e); reorder(e, i)",
         "forall(e) forall(i) y(i) += A(e,i,j) * x(j) : skew(j, i, e)"},
        /* results */
        {"C(i,j) = A(i,j)", "C:bcsr(2,2)", "",
         "forall(i) forall(j) C(io,jo,ii,ji) = A(i,j) : split(i, io, ii, down, 2); split(j, jo, "
         "ji, down, 2)"},
    };
    LAB(cx);
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        const struct cin_program *p =
            scheduled(cx, row[i].statement, row[i].declarations, row[i].schedule);
        const struct cin_program *unfolded = cin_unfold(cx, p);
        assert_non_null(unfolded);
        assert_string_equal(program_text(cx, unfolded), row[i].after);
        assert_null(cin_check(cx, unfolded));
        assert_ptr_equal(cin_fold(cx, unfolded, unfolded->statement), p->statement);
    }
}

static void views(void **state)
{
    LAB(cx);
    const struct cin_program *p =
        lab_program(cx, "y(i) = A(i,j) * A(j,i)", "A:bcsr(4,4)/f32/inf; i=10; j=10");
    const struct cin_program *unfolded = cin_unfold(cx, p);
    struct cin_list read = cin_operands(cx, unfolded->statement);
    const struct tensor_var *view = read.at[0]->tensor;
    assert_int_equal(read.n, 2);
    assert_ptr_equal(read.at[1]->tensor, view); /* one for all accesses */
    assert_ptr_equal(view->viewed, lab_tensor(cx, p->statement, "A"));
    assert_int_equal(view->order, 4);
    assert_int_equal(view->type, TYPE_F32);
    assert_true(value_equal(view->fill, view->viewed->fill));
    assert_int_equal(view->rank, view->viewed->rank);
    assert_true(format_is_plain(view->format));
    const int64_t size[] = {3, 3, 4, 4}; /* 10 in blocks of 4 */
    for (int k = 0; k < 4; k++)
        assert_int_equal(read.at[0]->index[k]->size, size[k]);
}

static void differences_have_sizes(void **state)
{
    LAB(cx);
    const struct cin_program *p =
        cin_unfold(cx, lab_program(cx, "y(i) = A(i,j)", "A:dia; i=4; j=6"));
    assert_int_equal(p->relation[0].child[0]->size, 9);
    p = cin_unfold(cx, lab_program(cx, "y(i) = A(i,j)", "A:dia; i=4"));
    assert_int_equal(p->relation[0].child[0]->size, -1); /* not known yet */
}

/* ---- what follows from what ---- */

static void sources(void **state)
{
    LAB(cx);
    const struct cin *s = lab_program(cx, "y = A(a,b,c,d)", "")->statement;
    const struct index_var *a = lab_var(cx, s, "a"), *b = lab_var(cx, s, "b"),
                           *c = lab_var(cx, s, "c"), *from[2];
    const struct cin_relation split = {&relation_split, {a}, {b, c}, 4, .up = false};
    const struct cin_relation difference = {&relation_difference, {a, b}, {c}, 0, .up = false};
    assert_int_equal(cin_sources(&split, a, from), 2);
    assert_true(from[0] == b && from[1] == c);
    assert_int_equal(cin_sources(&split, c, from), 1);
    assert_true(from[0] == a);
    assert_int_equal(cin_sources(&split, lab_var(cx, s, "d"), from), -1);
    assert_int_equal(cin_sources(&difference, b, from), 2);
    assert_true(from[0] == a && from[1] == c);
    assert_int_equal(cin_sources(&difference, a, from), 2);
    assert_true(from[0] == b && from[1] == c);
    assert_int_equal(cin_sources(&difference, c, from), 2);
    assert_true(from[0] == a && from[1] == b);
}

static void ranges(void **state)
{
    LAB(cx);
    const struct cin *s = lab_program(cx, "y = A(a,b,c)", "a=12")->statement;
    const struct index_var *a = lab_var(cx, s, "a"), *b = lab_var(cx, s, "b"),
                           *c = lab_var(cx, s, "c");
    const struct cin_relation fits = {&relation_split, {a}, {b, c}, 4, .up = false};
    const struct cin_relation exceeds = {&relation_split, {a}, {b, c}, 5, .up = false};
    const struct cin_relation open = {&relation_split, {b}, {a, c}, 4, .up = false};
    const struct cin_relation d = {&relation_difference, {a, b}, {c}, 0, .up = false};
    assert_false(cin_exceeds(&fits, a));
    assert_true(cin_exceeds(&exceeds, a));
    assert_false(cin_exceeds(&exceeds, b));
    assert_true(cin_exceeds(&open, b)); /* its size is not known */
    assert_true(cin_exceeds(&d, a) && cin_exceeds(&d, b));
    assert_false(cin_exceeds(&d, c));
}

static void chains(void **state)
{
    LAB(cx);
    const struct cin_program *p =
        scheduled(cx, "y(i) = b(i)", "", "split(i,i0,i1,down,16); split(i1,i2,i3,down,4)");
    struct known known = known_none(cx, p);
    const struct cin *s = p->statement;
    known = known_with(cx, &known, s->index[0]);
    known = known_with(cx, &known, s->arg[0]->index[0]);
    assert_int_equal(known.n, 2); /* i0 and i2 */
    known = known_with(cx, &known, s->arg[0]->arg[0]->index[0]);
    assert_int_equal(known.n, 5); /* i3, and then i1 and i */
    assert_true(known_has(&known, p->relation[0].parent[0]));
}

static void parts(void **state)
{
    LAB(cx);
    const struct cin_program *p =
        scheduled(cx, "y(i) = b(i)", "", "split(i,i0,i1,down,16); split(i1,i2,i3,down,4)");
    const struct index_var *i = p->relation[0].parent[0], *i0 = p->relation[0].child[0],
                           *i1 = p->relation[1].parent[0], *i2 = p->relation[1].child[0],
                           *i3 = p->relation[1].child[1];
    assert_true(cin_is_part(p, i, i, CIN_FIRST) && cin_is_part(p, i0, i, CIN_FIRST));
    assert_true(cin_is_part(p, i2, i1, CIN_FIRST) && cin_is_part(p, i3, i, CIN_LAST));
    assert_true(cin_is_part(p, i2, i, CIN_ANY) && cin_is_part(p, i3, i, CIN_ANY));
    assert_false(cin_is_part(p, i2, i, CIN_FIRST) || cin_is_part(p, i2, i, CIN_LAST));
    assert_false(cin_is_part(p, i, i0, CIN_ANY) || cin_is_part(p, i0, i1, CIN_ANY));
    /* blocks that a producer and its consumer share are parts of the variables of both */
    p = scheduled(cx, "y(i) = A(i,j) * x(j)", "",
                  "split(j,j0,j1,down,16); precompute(A(i,j)*x(j),w,{j1,jc,jp},dense)");
    const struct cin_relation *r = p->relation;
    assert_true(r[0].parent[0] != r[1].parent[0] && r[0].child[0] == r[1].child[0]);
    assert_true(cin_is_part(p, r[0].child[0], r[0].parent[0], CIN_FIRST));
    assert_true(cin_is_part(p, r[0].child[0], r[1].parent[0], CIN_FIRST));
    assert_false(cin_is_part(p, r[0].child[1], r[1].parent[0], CIN_ANY));
    /* nothing is a part of what a level has no variable for */
    assert_false(cin_is_part(p, i, NULL, CIN_FIRST) || cin_is_part(p, i3, NULL, CIN_ANY));
}

/* The code for y(i) = b(i) with i split n times, each time the outer part of the split before. */
static size_t code_of_splits(int n)
{
    struct context *cx = context_new();
    struct pipeline pipeline;
    struct pipeline_request request = {.expression = "y(i) = b(i)", .no_plan = true, .plain = true};
    struct text schedule = text_new(cx->arena);
    size_t length = 0;
    for (int k = 0; k < n; k++)
        text_printf(&schedule, "split(%s, o%d, i%d, down, 2);",
                    k ? arena_printf(cx->arena, "o%d", k - 1) : "i", k, k);
    request.schedule = schedule.at;
    if (context_protect(cx) && pipeline_run(cx, &request, STAGE_C, &pipeline))
        length = strlen(pipeline.c);
    context_free(cx);
    return length;
}

static void chained_splits_take_code_in_proportion(void **state)
{
    (void)state;
    size_t some = code_of_splits(10), more = code_of_splits(20);
    assert_true(some > 0);
    assert_in_range(more, some, 3 * some);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        LAB_TEST(directives),
        LAB_TEST(positions),
        LAB_TEST(refused_positions),
        LAB_TEST(refused),
        LAB_TEST(unfolding),
        LAB_TEST(views),
        LAB_TEST(differences_have_sizes),
        LAB_TEST(sources),
        LAB_TEST(ranges),
        LAB_TEST(chains),
        LAB_TEST(parts),
        LAB_TEST(chained_splits_take_code_in_proportion),
    };
    return cmocka_run_group_tests_name("relations", tests, NULL, NULL);
}
