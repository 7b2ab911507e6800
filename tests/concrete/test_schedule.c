/* test_schedule.c - schedules: their syntax, reorder and its preconditions, and the orders that the
 * planner chooses.
 *
 * SPDX-License-Identifier: MIT
 */
#include <string.h>

#include "compiler/base/text.h"
#include "compiler/plan/plan.h"
#include "compiler/registry.h"
#include "tests/concrete/support.h"

/* ---- reorder ---- */

static void reordering(void **state)
{
    static const struct {
        const char *statement, *schedule, *after;
    } row[] = {
        {"y(i) = A(i,j) * x(j)", "reorder(j, i)", "forall(j) forall(i) y(i) += A(i,j) * x(j)"},
        {"A(i,j) = B(i,k) * C(k,j)", "reorder(i,k,j)",
         "forall(i) forall(k) forall(j) A(i,j) += B(i,k) * C(k,j)"},
        {"A(i,j) = B(i,k) * C(k,j)", "reorder(k,j,i)",
         "forall(k) forall(j) forall(i) A(i,j) += B(i,k) * C(k,j)"},
        /* the places of those named are filled, the others stay */
        {"A(i,j) = B(i,k) * C(k,j)", "reorder(k, i)",
         "forall(k) forall(j) forall(i) A(i,j) += B(i,k) * C(k,j)"},
        {"A(i,j) = B(i,k) * C(k,j)", "reorder(k, j)",
         "forall(i) forall(k) forall(j) A(i,j) += B(i,k) * C(k,j)"},
        {"A(i,j) = B(i,k) * C(k,j)", "reorder(j, k)",
         "forall(i) forall(j) forall(k) A(i,j) += B(i,k) * C(k,j)"},
        /* in a producer, and in a consumer */
        {"y(i) = exp(sum(j, sum(k, A(i,j,k))))", "reorder(k, j)",
         "forall(i) (y(i) = exp(t) where forall(k) forall(j) t += A(i,j,k))"},
        {"Y(i,j) = A(i,j) + c(k)", "reorder(j, i)",
         "(forall(j) forall(i) Y(i,j) = A(i,j) + t where forall(k) t += c(k))"},
        {"y(i) = sum(j, A(i,j)) * sum(j, sum(k, B(i,j,k)))", "reorder(k, j2)",
         "forall(i) ((y(i) = t * t2 where forall(k) forall(j2) t2 += B(i,j2,k)) where forall(j) t "
         "+= A(i,j))"},
        /* out of a producer (thesis 6.1, case 2) */
        {"y(i) = exp(b(i)) * sum(j, A(i,j) * x(j))", "reorder(j, i)",
         "forall(j) forall(i) y(i) += exp(b(i)) * (A(i,j) * x(j))"},
        {"y(i) += -sum(j, A(i,j)) / b(i)", "reorder(j, i)",
         "forall(j) forall(i) y(i) += -A(i,j) / b(i)"},
        /* from left to right */
        {"A(i,j) = B(i,k) * C(k,j)", "reorder(j, i); reorder(k, i)",
         "forall(j) forall(k) forall(i) A(i,j) += B(i,k) * C(k,j)"},
        {"A(i,j) = B(i,k) * C(k,j)", " reorder( k ,j ,i ) ;\n\treorder(i, k);",
         "forall(i) forall(j) forall(k) A(i,j) += B(i,k) * C(k,j)"},
        {"a = b(i)", " ", "forall(i) a += b(i)"},
    };
    LAB(cx);
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        const struct cin_program *p = lab_program(cx, row[i].statement, "");
        assert_string_equal(lab_text(cx, lab_apply(cx, p, row[i].schedule)->statement),
                            row[i].after);
    }
}

static void distributes(void **state)
{
    static const struct {
        const char *statement, *schedule, *after;
    } row[] = {
        {"y(i) = (A(i,j) - m(j)) * x(j)", "distribute(A(i,j) - m(j))",
         "(forall(i) (y(i) = t - t2 where forall(j) t += A(i,j) * x(j)) "
         "where forall(j2) t2 += m(j2) * x(j2))"},
        /* equal terms are one; they cancel */
        {"s = sum(i, (a(i) + b(i)) * (a(i) - b(i)))", "distribute((a(i) + b(i)) * (a(i) - b(i)))",
         "((s = t - t2 where forall(i) t += a(i) * a(i)) where forall(i2) t2 += b(i2) * b(i2))"},
        {"s = sum(i, (a(i) + b(i)) ** 2)", "distribute((a(i) + b(i)) ** 2)",
         "(((s = t + 2.0 * t2 + t3 where forall(i) t += a(i) * a(i)) where forall(i2) t2 += a(i2) "
         "* b(i2)) where forall(i3) t3 += b(i3) * b(i3))"},
        /* a part alone */
        {"s = sum(i, (a(i) + b(i)) * (c(i) + d(i)))", "distribute(a(i) + b(i))",
         "((s = t + t2 where forall(i) t += a(i) * (c(i) + d(i))) where forall(i2) t2 += b(i2) * "
         "(c(i2) + d(i2)))"},
        {"y(i) += (A(i,j) - m(j)) * x(j)", "distribute(A(i,j) - m(j))",
         "(forall(i) (y(i) += t - t2 where forall(j) t += A(i,j) * x(j)) where forall(j2) t2 += "
         "m(j2) * x(j2))"},
        {"y(i) = max(j, x(j) + max(A(i,j), u(i)))", "distribute(max(A(i,j), u(i)))",
         "(forall(i) (y(i) = max(t2, u(i) + t3) where forall(j) t2 max= A(i,j) + x(j)) where "
         "forall(j2) t3 max= x(j2))"},
        /* factors stay outside; what a loop inside makes is reduced with its term */
        {"y(j) = sum(i, (A(i,j) - m(j)) * x(i))", "distribute((A(i,j) - m(j)) * x(i))",
         "(forall(j) (y(j) = t - m(j) * t2 where forall(i) t += A(i,j) * x(i)) where forall(i2) "
         "t2 += x(i2))"},
        {"y(i) = sum(j, (A(i,j) + sum(r, U(i,r) * V(j,r))) * x(j))",
         "distribute((A(i,j) + t) * x(j))",
         "forall(i) ((y(i) = t2 + t3 where forall(j) t2 += A(i,j) * x(j)) where forall(j2) "
         "forall(r2) t3 += U(i,r2) * V(j2,r2) * x(j2))"},
        {"y(i) = 2 + exp(sum(j, (A(i,j) + m(j)) * x(j)))", "distribute(A(i,j) + m(j))",
         "(forall(i) (y(i) = 2.0 + exp(t2 + t3) where forall(j) t2 += A(i,j) * x(j)) where "
         "forall(j2) t3 += m(j2) * x(j2))"},
    };
    LAB(cx);
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        const struct cin_program *p = lab_program(cx, row[i].statement, "");
        assert_string_equal(lab_text(cx, lab_apply(cx, p, row[i].schedule)->statement),
                            row[i].after);
    }
}

static void distribution_is_refused(void **state)
{
    static const struct {
        const char *statement, *declarations, *schedule, *why;
    } row[] = {
        {"y(i) = A(i,j) * x(j)", "", "distribute(A(i,j) * x(j))", "it is no sum"},
        {"y(i) = (A(i,j) - m(j)) * x(j)", "", "distribute(A(i,j) + m(j))",
         "nothing that is reduced has this as a part"},
        {"y(i) = (A(i,j) - m(j)) * x(j)", "", "distribute(m(j), x(j))", "it takes an expression"},
        {"y(i) = (A(i,j) - m(j)) * x(j)", "y:s", "distribute(A(i,j) - m(j))", "is not dense"},
        {"y(i) = (A(i,j) - m(j)) * x(j)", "", "reorder(j, i); distribute(A(i,j) - m(j))",
         "loops that are the innermost ones"},
        {"y(i) = (A(i,j) - m(j)) * x(j)", "",
         "split(j, j0, j1, down, 4); distribute(A(i,j) - m(j))",
         "have been changed by a directive before"},
        {"y(i) = (A(i,j) - m(j)) * x(j)", "", "unroll(j, 4); distribute(A(i,j) - m(j))",
         "have been changed by a directive before"},
        /* a quotient of integers is cut off, and what wraps does not keep the order */
        {"s = sum(i, (a(i) + b(i)) / c(i))", "s:/i32; a:/i32; b:/i32; c:/i32",
         "distribute(a(i) + b(i))", "it is no sum"},
        {"s = max(i, max(a(i), b(i)) - c(i))", "s:/u8; a:/u8; b:/u8; c:/u8",
         "distribute(max(a(i), b(i)))", "it is no sum"},
    };
    LAB(cx);
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        const struct cin_program *p = lab_program(cx, row[i].statement, row[i].declarations);
        size_t before = cx->diags.n;
        p = schedule_apply(cx, registry_schedules, p, row[i].schedule);
        if (p || !strstr(cx->diags.at[before].message, row[i].why))
            print_error("%s: %s\n", row[i].schedule,
                        p ? lab_text(cx, p->statement) : cx->diags.at[before].message);
        assert_null(p);
        assert_int_equal(cx->diags.n, before + 1);
        assert_non_null(strstr(cx->diags.at[before].message, row[i].why));
    }
}

/* taco's directives do what spcc's do that they stand for; commas may stand between directives. */
static void of_taco(void **state)
{
    static const struct {
        const char *statement, *taco, *spcc;
    } row[] = {
        {"y(i) = x(i)", "split(i,i0,i1,32)", "split(i,i0,i1,down,32)"},
        {"y(i) = x(i)", "divide(i,i0,i1,4)", "split(i,i0,i1,up,4)"},
        {"y(i) = x(i)", "precompute(x(i),i,iw)", "precompute(x(i), workspace, {i,i,iw})"},
        {"y(i) = x(i)", "precompute(x(i),i,i)", "precompute(x(i), workspace, {i,i,iw})"},
        {"y(i) = workspace(i) * iw", "precompute(workspace(i),i,i)",
         "precompute(workspace(i), workspace2, {i,i,iw2})"},
        {"y(i) = x(i)", "precompute(x(i),{i},{k},w)", "precompute(x(i), w, {i,i,k})"},
        {"Y(i,j) = X(i,j)", "precompute(X(i,j), {i, j}, {iw ,j}, w)",
         "precompute(X(i,j), w, {i,i,iw}, {j,j,jw})"},
        {"y(i) = A(i,j) * x(j)", "split(i,i0,i1,8),reorder(i0,i1,j)",
         "split(i,i0,i1,down,8); reorder(i0,i1,j)"},
        {"y(i) = x(i)", "assemble(y,Insert);assemble(y,Append,true)", ""},
        {"y(i) = x(i)", "parallelize(i,NotParallel,NoRaces)", ""},
        {"y(i) = x(i)", "parallelize(i,CPUVector,NoRaces)", "vectorize(i, try)"},
        {"y(i) = x(i)", "parallelize(i,CPUVector,IgnoreRaces)", "vectorize(i, try)"},
        {"y(i) = A(i,j)", "parallelize(i,CPUVector,ParallelReduction)", ""},
        {"y(i) = x(i)", "parallelize(i,CPUThread,NoRaces)", "parallelize(i)"},
        {"y(i) = A(i,j) * x(j)", "parallelize(j,CPUThread,ParallelReduction)",
         "parallelize(j, cpu_thread, temporary, static)"},
        {"y(i) = A(i,j) * x(j)", "parallelize(j,CPUThread,Atomics)",
         "parallelize(j, cpu_thread, atomics)"},
        {"y(i) = x(i)", "bound(i,ib,100,MaxExact)", "bound(i, ib, 100, exact)"},
        {"y(i) = x(i)", "bound(i,ib,100,MaxConstraint)", "bound(i, ib, 100, most)"},
    };
    LAB(cx);
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        const struct cin_program *p = lab_program(cx, row[i].statement, "");
        const struct cin_program *theirs = lab_apply(cx, p, row[i].taco),
                                 *ours = lab_apply(cx, p, row[i].spcc);
        struct text a = text_new(cx->arena), b = text_new(cx->arena);
        cin_print_program(cx, &a, theirs);
        cin_print_program(cx, &b, ours);
        assert_string_equal(a.at, b.at);
    }
}

/* Of taco's directives for which there is nothing to do, what is no taco either is refused. */
static void not_of_taco(void **state)
{
    static const struct {
        const char *schedule, *message;
    } row[] = {
        {"assemble(y,Wombat)",
         "assemble: the strategies are Insert and Append, not Wombat; spcc chooses by the loops"},
        {"assemble(x,Append)",
         "assemble: x is not a result of the statement, and only results are assembled"},
        {"assemble(q,Append)",
         "assemble: q is not a result of the statement, and only results are assembled"},
        {"assemble(y,Append,perhaps)",
         "assemble: the last argument, for loops that count components, is true or false"},
        {"parallelize(i,NotParallel,Unknown)",
         "parallelize: races are NoRaces, IgnoreRaces, Atomics, Temporary or ParallelReduction, "
         "not Unknown"},
        {"parallelize(i,CPUVector,Unknown)",
         "parallelize: races are NoRaces, IgnoreRaces, Atomics, Temporary or ParallelReduction, "
         "not Unknown"},
        {"parallelize(q,NotParallel,NoRaces)", "parallelize: there is no loop over q"},
        {"parallelize(i,GPUBlock,NoRaces)",
         "parallelize: gpu_block is a unit of a GPU, and the code is C"},
    };
    LAB(cx);
    const struct cin_program *p = lab_program(cx, "y(i) = x(i)", "");
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        cx->diags.n = 0;
        assert_null(schedule_apply(cx, registry_schedules, p, row[i].schedule));
        assert_int_equal(cx->diags.n, 1);
        assert_string_equal(cx->diags.at[0].message, row[i].message);
    }
}

/* Vectors that are only tried are a remark where there are none, once however often it is found. */
static void tried_vectors(void **state)
{
    LAB(cx);
    const struct cin_program *p = lab_program(cx, "y(i) = A(i,j)", "");
    cx->diags.n = 0;
    assert_ptr_equal(lab_apply(cx, p, "vectorize(i, try); vectorize(i, try)"), p);
    assert_int_equal(cx->diags.n, 2); /* two places */
    assert_ptr_equal(schedule_apply(cx, registry_schedules, p, "vectorize(i, try)"), p);
    assert_int_equal(cx->diags.n, 2);
    assert_int_equal(cx->diags.at[0].code, DIAG_REMARK);
    assert_string_equal(diag_render(cx), "note: schedule: vectorize: the loop over i contains "
                                         "loops\n  vectorize(i, try); vectorize(i, try)\n"
                                         "            ^\n"
                                         "note: schedule: vectorize: the loop over i contains "
                                         "loops\n  vectorize(i, try); vectorize(i, try)\n"
                                         "                               ^\n");
}

/* What changes nothing leaves the same node, and so does what is undone. */
static void nothing_changes(void **state)
{
    LAB(cx);
    const struct cin_program *p = lab_program(cx, "A(i,j) += B(i,k) * C(k,j)", "");
    assert_ptr_equal(lab_apply(cx, p, ""), p);
    assert_ptr_equal(lab_apply(cx, p, "reorder(i, j, k)")->statement, p->statement);
    assert_ptr_equal(lab_apply(cx, p, "reorder(i, k)")->statement, p->statement);
    assert_ptr_equal(lab_apply(cx, p, "reorder(k, i); reorder(i, k)")->statement, p->statement);
    const struct cin_program *other = lab_apply(cx, p, "reorder(k, j, i)");
    assert_ptr_equal(other->result, p->result);
    assert_true(other->accumulates);
}

static void many_loops(void **state)
{
    LAB(cx);
    const char *statement = "y = A(a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p,q,r,s,t,u,v,w,x)";
    const struct cin_program *p = lab_program(cx, statement, "");
    const struct cin_program *after =
        lab_apply(cx, p, "reorder(x,w,v,u,t,s,r,q,p,o,n,m,l,k,j,i,h,g,f,e,d,c,b,a)");
    assert_int_equal(strncmp(lab_text(cx, after->statement), "forall(x) forall(w) forall(v)", 29),
                     0);
    assert_null(
        schedule_apply(cx, registry_schedules, p,
                       "reorder(a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,"
                       "a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a)"));
}

/* Bounds and tags follow their loop. */
static void environments(void **state)
{
    static const struct {
        const char *schedule, *after;
    } row[] = {
        {"unroll(i, 4)", "forall(i) y(i) = b(i) + c(i) : unroll(i, 4)"},
        {"vectorize(i); unroll(i, 2)", "forall(i) y(i) = b(i) + c(i) : vectorize(i); unroll(i, 2)"},
        {"unroll(i, 4); bound(i, ib, 64, most)",
         "forall(ib) y(ib) = b(ib) + c(ib) : bound(i, ib, 64, most); unroll(ib, 4)"},
        {"bound(i, ib, 64, multiple); bound(ib, ic, 128, most)",
         "forall(ic) y(ic) = b(ic) + c(ic) : bound(i, ib, 64, multiple); bound(ib, ic, 128, most)"},
        {"bound(i, ib, 64, exact); split(ib, i0, i1, down, 4); unroll(i1, 4)",
         "forall(i0) forall(i1) y(ib) = b(ib) + c(ib) : split(ib, i0, i1, down, 4); "
         "bound(i, ib, 64, exact); unroll(i1, 4)"},
        {"unroll(i, 4); precompute(b(i), w, {i,ic,ip}, dense)",
         "(forall(ic) y(ic) = w(ic) + c(ic) where forall(ip) w(ip) = b(ip)) : format(w, dense); "
         "unroll(ic, 4)"},
    };
    LAB(cx);
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        const struct cin_program *p = lab_program(cx, "y(i) = b(i) + c(i)", "");
        struct text out = text_new(cx->arena);
        cin_print_program(cx, &out, lab_apply(cx, p, row[i].schedule));
        assert_string_equal(out.at, row[i].after);
    }
}

/* ---- refusals ---- */

static void refusals(void **state)
{
    static const struct {
        const char *schedule, *diagnostic;
    } row[] = {
        {"reorder(i, q)", "error[E402]: schedule: reorder: there is no loop over q\n"
                          "  reorder(i, q)\n"
                          "             ^\n"
                          "  note: the statement is forall(i) (y(i) = t + d(i) where forall(j) t "
                          "+= A(i,j) * x(j))\n"},
        {"reorder(q, i)", "error[E402]: schedule: reorder: there is no loop over q\n"
                          "  reorder(q, i)\n"
                          "          ^\n"
                          "  note: the statement is forall(i) (y(i) = t + d(i) where forall(j) t "
                          "+= A(i,j) * x(j))\n"},
        {"reorder(j, i)", "error[E402]: schedule: reorder: the loop over j cannot move out of its "
                          "where: the use of t does not distribute over +\n"
                          "  reorder(j, i)\n"
                          "          ^\n"
                          "  note: the statement is forall(i) (y(i) = t + d(i) where forall(j) t "
                          "+= A(i,j) * x(j))\n"},
        {"reorder(i, i)", "error[E402]: schedule: reorder: i is named twice\n"
                          "  reorder(i, i)\n"
                          "             ^\n"
                          "  note: the statement is forall(i) (y(i) = t + d(i) where forall(j) t "
                          "+= A(i,j) * x(j))\n"},
        {"reorder(i)", "error[E402]: schedule: reorder: it takes two or more loops\n"
                       "  reorder(i)\n"
                       "  ^~~~~~~~~~\n"
                       "  note: the statement is forall(i) (y(i) = t + d(i) where forall(j) t += "
                       "A(i,j) * x(j))\n"},
        {"frobnicate(i, j)",
         "error[E401]: schedule: there is no directive frobnicate\n"
         "  frobnicate(i, j)\n"
         "  ^~~~~~~~~~~~~~~~\n"
         "  help: the directives are reorder, precompute, collect, convert, split, skew, bound, "
         "unroll, vectorize, parallelize, bin, collapse, pos, "
         "distribute, factor, sequence, reuse, share, blas\n"},
        {"reordr(i, j)", "error[E401]: schedule: there is no directive reordr\n"
                         "  reordr(i, j)\n"
                         "  ^~~~~~~~~~~~\n"
                         "  help: did you mean reorder?\n"},
        {"unroll(i)",
         "error[E402]: schedule: unroll: it takes a loop and the number of iterations in a step\n"
         "  unroll(i)\n"
         "  ^~~~~~~~~\n"
         "  note: the statement is forall(i) (y(i) = t + d(i) where forall(j) t += A(i,j) * "
         "x(j))\n"},
        {"unroll(q, 4)", "error[E402]: schedule: unroll: there is no loop over q\n"
                         "  unroll(q, 4)\n"
                         "         ^\n"
                         "  note: the statement is forall(i) (y(i) = t + d(i) where forall(j) t += "
                         "A(i,j) * x(j))\n"},
        {"unroll(j, 1)", "error[E402]: schedule: unroll: the factor is a number from 2 to 64\n"
                         "  unroll(j, 1)\n"
                         "            ^\n"
                         "  note: the statement is forall(i) (y(i) = t + d(i) where forall(j) t += "
                         "A(i,j) * x(j))\n"},
        {"unroll(j, 4x)", "error[E402]: schedule: unroll: the factor is a number from 2 to 64\n"
                          "  unroll(j, 4x)\n"
                          "            ^~\n"
                          "  note: the statement is forall(i) (y(i) = t + d(i) where forall(j) t "
                          "+= A(i,j) * x(j))\n"},
        {"vectorize(i, j)",
         "error[E402]: schedule: vectorize: it takes a loop, and optionally try\n"
         "  vectorize(i, j)\n"
         "  ^~~~~~~~~~~~~~~\n"
         "  note: the statement is forall(i) (y(i) = t + d(i) where forall(j) t "
         "+= A(i,j) * x(j))\n"},
        {"vectorize(i)", "error[E402]: schedule: vectorize: the loop over i contains loops\n"
                         "  vectorize(i)\n"
                         "            ^\n"
                         "  note: the statement is forall(i) (y(i) = t + d(i) where forall(j) t += "
                         "A(i,j) * x(j))\n"},
        {"bound(i, ib, 4)", "error[E402]: schedule: bound: it takes a loop, its new name, a "
                            "number, and exact, most or multiple\n"
                            "  bound(i, ib, 4)\n"
                            "  ^~~~~~~~~~~~~~~\n"
                            "  note: the statement is forall(i) (y(i) = t + d(i) where forall(j) t "
                            "+= A(i,j) * x(j))\n"},
        {"bound(i, j, 4, most)", "error[E402]: schedule: bound: j is in use\n"
                                 "  bound(i, j, 4, most)\n"
                                 "           ^\n"
                                 "  note: the statement is forall(i) (y(i) = t + d(i) where "
                                 "forall(j) t += A(i,j) * x(j))\n"},
        {"bound(i, ib, 0, most)", "error[E402]: schedule: bound: the size is a number from 1 on\n"
                                  "  bound(i, ib, 0, most)\n"
                                  "               ^\n"
                                  "  note: the statement is forall(i) (y(i) = t + d(i) where "
                                  "forall(j) t += A(i,j) * x(j))\n"},
        {"bound(i, ib, 4, less)", "error[E402]: schedule: bound: a bound is exact (the size), most "
                                  "(at most this size) or multiple (a multiple of it)\n"
                                  "  bound(i, ib, 4, less)\n"
                                  "                  ^~~~\n"
                                  "  note: the statement is forall(i) (y(i) = t + d(i) where "
                                  "forall(j) t += A(i,j) * x(j))\n"},
        {"unroll(j, 4); unroll(j, 2)",
         "error[E402]: schedule: unroll: the loop over j has this tag already\n"
         "  unroll(j, 4); unroll(j, 2)\n"
         "                       ^\n"
         "  note: the statement is forall(i) (y(i) = t + d(i) where forall(j) t += A(i,j) * x(j)) "
         ": unroll(j, 4)\n"},
        {"vectorize(j); split(j, j0, j1, down, 4)",
         "error[E402]: schedule: split: the loop is unrolled, vectorized or parallel, and would be "
         "replaced\n"
         "  vectorize(j); split(j, j0, j1, down, 4)\n"
         "                      ^\n"
         "  note: the statement is forall(i) (y(i) = t + d(i) where forall(j) t += A(i,j) * x(j)) "
         ": vectorize(j)\n"},
        {"split(j, j0, j1, down, 4); bound(j1, jb, 4, most)",
         "error[E402]: schedule: bound: the size of j1 follows from the sizes of other loops\n"
         "  split(j, j0, j1, down, 4); bound(j1, jb, 4, most)\n"
         "                                   ^~\n"
         "  note: the statement is forall(i) (y(i) = t + d(i) where forall(j0) forall(j1) t += "
         "A(i,j) * x(j)) : split(j, j0, j1, down, 4)\n"},
        {"parallelize(i); parallelize(j)",
         "error[E402]: schedule: parallelize: the loop over j is inside a parallel loop\n"
         "  parallelize(i); parallelize(j)\n"
         "                              ^\n"
         "  note: the statement is forall(i) (y(i) = t + d(i) where forall(j) t += A(i,j) * x(j)) "
         ": parallelize(i, cpu_thread, no_races)\n"},
        {"parallelize(j, cpu_thread, temporary, dynamic, 8); parallelize(i)",
         "error[E402]: schedule: parallelize: the loop over i contains a parallel loop\n"
         "  parallelize(j, cpu_thread, temporary, dynamic, 8); parallelize(i)\n"
         "                                                                 ^\n"
         "  note: the statement is forall(i) (y(i) = t + d(i) where forall(j) t += A(i,j) * x(j)) "
         ": parallelize(j, cpu_thread, temporary, dynamic, 8)\n"},
        {"parallelize(i, GPUGrid)",
         "error[E402]: schedule: parallelize: there is no unit GPUGrid; the units are cpu_thread "
         "and cpu_vector, and of a GPU gpu_block, gpu_warp and gpu_thread\n"
         "  parallelize(i, GPUGrid)\n"
         "                 ^~~~~~~\n"
         "  note: the statement is forall(i) (y(i) = t + d(i) where forall(j) t += A(i,j) * "
         "x(j))\n"},
        {"parallelize(i, cpu_thread, GPUReduction)",
         "error[E402]: schedule: parallelize: races are no_races, ignore_races, atomics, "
         "temporary or warp_reduction, not GPUReduction\n"
         "  parallelize(i, cpu_thread, GPUReduction)\n"
         "                             ^~~~~~~~~~~~\n"
         "  note: the statement is forall(i) (y(i) = t + d(i) where forall(j) t += A(i,j) * "
         "x(j))\n"},
        {"parallelize(i, cpu_thread, atomics, static, 0)",
         "error[E402]: schedule: parallelize: a part has from 1 to 1073741824 iterations\n"
         "  parallelize(i, cpu_thread, atomics, static, 0)\n"
         "                                              ^\n"
         "  note: the statement is forall(i) (y(i) = t + d(i) where forall(j) t += A(i,j) * "
         "x(j))\n"},
        {"parallelize(i, cpu_thread, atomics, guided)",
         "error[E402]: schedule: parallelize: parts are scheduled static or dynamic\n"
         "  parallelize(i, cpu_thread, atomics, guided)\n"
         "                                      ^~~~~~\n"
         "  note: the statement is forall(i) (y(i) = t + d(i) where forall(j) t += A(i,j) * "
         "x(j))\n"},
        {"bound(i, ib, 0, MinExact)", "error[E401]: schedule: taco's bound with a minimum says "
                                      "where a loop begins; every loop of spcc begins at 0\n"
                                      "  bound(i, ib, 0, MinExact)\n"
                                      "  ^~~~~~~~~~~~~~~~~~~~~~~~~\n"
                                      "  help: spcc help taco\n"},
        {"reorder", "error[E401]: schedule: expected '('\n"
                    "  reorder\n"
                    "         ^\n"},
        {"reorder(", "error[E401]: schedule: expected an argument\n"
                     "  reorder(\n"
                     "          ^\n"},
        {"reorder()", "error[E401]: schedule: expected an argument\n"
                      "  reorder()\n"
                      "          ^\n"},
        {"reorder(i,,j)", "error[E401]: schedule: expected an argument\n"
                          "  reorder(i,,j)\n"
                          "            ^\n"},
        {"reorder(i, j", "error[E401]: schedule: expected ')'\n"
                         "  reorder(i, j\n"
                         "              ^\n"},
        {"reorder(i; j)", "error[E401]: schedule: expected ')'\n"
                          "  reorder(i; j)\n"
                          "           ^\n"},
        {"(i, j)", "error[E401]: schedule: expected the name of a directive\n"
                   "  (i, j)\n"
                   "  ^\n"},
        {";", "error[E401]: schedule: expected the name of a directive\n"
              "  ;\n"
              "  ^\n"},
        {"reorder(i, i(j), {k, l})", "error[E402]: schedule: reorder: there is no loop over i(j)\n"
                                     "  reorder(i, i(j), {k, l})\n"
                                     "             ^~~~\n"
                                     "  note: the statement is forall(i) (y(i) = t + d(i) where "
                                     "forall(j) t += A(i,j) * x(j))\n"},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        LAB(cx);
        const struct cin_program *p = lab_program(cx, "y(i) = A(i,j) * x(j) + d(i)", "");
        cx->diags.n = 0;
        assert_null(schedule_apply(cx, registry_schedules, p, row[i].schedule));
        assert_string_equal(diag_render(cx), row[i].diagnostic);
    }
}

/* The first mistake ends the schedule: what follows would speak of a statement that there is
 * not. */
static void after_a_mistake(void **state)
{
    LAB(cx);
    const struct cin_program *p = lab_program(cx, "y(i) = A(i,j) * x(j)", "");
    assert_null(schedule_apply(cx, registry_schedules, p, "reorder(j, i) reorder(i, j)"));
    assert_null(schedule_apply(cx, registry_schedules, p, "reorder(j, i}"));
    assert_null(schedule_apply(cx, registry_schedules, p, "reorder(j, {i)"));
    assert_null(
        schedule_apply(cx, registry_schedules, p, "reorder(j, i); reorder(i, k); reorder(i, l)"));
    assert_int_equal(cx->diags.n, 4);
    assert_string_equal(cx->diags.at[0].message, "expected ';'");
    assert_string_equal(cx->diags.at[1].message, "expected ')'");
    assert_string_equal(cx->diags.at[2].message, "expected ')'");
    assert_string_equal(cx->diags.at[3].message, "reorder: there is no loop over k");
}

/* The order in which a compound assignment combines may change only if it does not matter
 * (thesis 6.1). */
static void operators_must_allow_it(void **state)
{
    LAB(cx);
    const struct cin_program *p = lab_program(cx, "y = A(i,j)", "");
    const struct cin *assign = cin_assignments(cx, p->statement).at[0];
    const struct cin *minus = cin_assign(cx, OP_SUB, assign->arg[0], assign->arg[1]);
    const struct cin *plain = cin_assign(cx, OP_NONE, assign->arg[0], assign->arg[1]);
    struct cin_program subtracts = *p, overwrites = *p;
    subtracts.statement = cin_replace(cx, p->statement, assign, minus);
    overwrites.statement = cin_replace(cx, p->statement, assign, plain);
    assert_null(schedule_apply(cx, registry_schedules, &subtracts, "reorder(j, i)"));
    assert_string_equal(cx->diags.at[0].message, "reorder: - is not associative and commutative");
    assert_non_null(schedule_apply(cx, registry_schedules, &overwrites, "reorder(j, i)"));
}

/* ---- the planner ---- */

static void check_plan(struct context *cx, const char *statement, const char *declarations,
                       const char *expected)
{
    const struct cin_program *p = lab_program(cx, statement, declarations);
    const char *plan = lab_plan(cx, p);
    if (strcmp(plan, expected))
        fail_msg("%s (%s): '%s', and not '%s'", statement, declarations, plan, expected);
    /* nothing is left to do */
    assert_string_equal(lab_plan(cx, lab_apply(cx, p, plan)), "");
}

static void planned_orders(void **state)
{
    static const struct {
        const char *statement, *declarations, *plan;
    } row[] = {
        /* by rows, by columns: as the matrix is stored */
        {"y(i) = A(i,j) * x(j)", "A:csr", ""},
        {"y(i) = A(i,j) * x(j)", "A:dcsr", ""},
        {"y(i) = A(i,j) * x(j)", "A:coo", ""},
        {"y(i) = A(i,j) * x(j)", "A:csc", "reorder(j, i)"},
        {"y(i) = A(j,i) * x(j)", "A:csr", "reorder(j, i)"},
        {"y(i) = A(i,j) * x(j)", "", ""},
        {"y(i) = A(i,j) * x(j)", "A:dense:1,0", "reorder(j, i)"},
        /* dense rows innermost */
        {"Y(i,r) = A(i,j) * X(j,r)", "A:csr", "reorder(i, j, r)"},
        {"Y(i,r) = A(i,j) * X(j,r)", "A:csc", "reorder(j, i, r)"},
        {"Y(i,r) = A(i,j) * X(j,r)", "A:csr; X:dense:1,0", ""},
        {"A(i,j) = B(i,k) * C(k,j)", "", "reorder(i, k, j)"},
        {"Y(i,r) = A(i,k,l) * C(k,r) * D(l,r)", "A:csf", "reorder(i, k, l, r)"},
        {"Y(i,r) = A(i,k,l) * C(k,r) * D(l,r)", "A:coo", "reorder(i, k, l, r)"},
        {"Y(i,r) = A(k,i,l) * C(k,r) * D(l,r)", "A:csf", "reorder(k, i, l, r)"},
        /* a gather is not contiguous: k stays innermost, where a register takes the sum */
        {"A(i,j) = B(i,j) * C(i,k) * D(k,j)", "B:csr", ""},
        {"A(i,j) = B(i,j) * C(i,k) * D(j,k)", "A:csr; B:csr", ""},
        /* sparse times sparse, scattered into a dense result */
        {"A(i,j) = B(i,k) * C(k,j)", "B:csr; C:csr", "reorder(i, k, j)"},
        {"A(i,j) = B(i,k) * C(k,j)", "B:csc; C:csr", "reorder(k, i, j)"},
        /* sums follow their operands */
        {"A(i,j) = B(i,j) + C(i,j)", "A:csr; B:csr; C:csr", ""},
        {"A(i,j) = B(i,j) + C(i,j)", "A:csc; B:csc; C:csc", "reorder(j, i)"},
        {"A(i,j) = B(i,j)", "B:coo:1,0", "reorder(j, i)"},
        {"a = B(i,j,k) * C(i,j,k)", "B:csf:2,1,0; C:csf:2,1,0", "reorder(k, j, i)"},
        {"A(j,k) = B(i,j,k) * c(i)", "B:csf", "reorder(i, j, k)"},
        /* inside a producer, and in several places */
        {"y(i) = exp(sum(j, sum(k, A(i,j,k))))", "A:sss:0,2,1", "reorder(k, j)"},
        {"Y(i,j) = A(i,j) * sum(k, sum(l, B(k,l)))", "A:csc; B:csc",
         "reorder(j, i); reorder(l, k)"},
        {"r(i) = b(i) - A(i,j) * x(j)", "A:csr", ""},
        {"a = 1", "", ""},
    };
    LAB(cx);
    for (size_t i = 0; i < sizeof row / sizeof *row; i++)
        check_plan(cx, row[i].statement, row[i].declarations, row[i].plan);
}

/* Where no order of the loops suits all. */
static void planned_workspaces(void **state)
{
    static const struct {
        const char *statement, *declarations, *plan;
    } row[] = {
        /* a result that is scattered into: a row (Gustavson), as its level wants it; all of it */
        {"A(i,j) = B(i,k) * C(k,j)", "A:csr; B:csr; C:csr",
         "reorder(i, k, j); precompute(B(i,k) * C(k,j), w, {j,j,jp}, bytemap)"},
        {"A(i,j) = B(i,k) * C(k,j)",
         "A:(i,j) -> (i : dense, j : compressed(unordered)); B:csr; C:csr",
         "reorder(i, k, j); precompute(B(i,k) * C(k,j), w, {j,j,jp}, bytemap(unordered))"},
        {"A(i,j) = B(i,k) * C(k,j)", "A:csc; B:csc; C:csc",
         "reorder(j, k, i); precompute(B(i,k) * C(k,j), w, {i,i,ip}, bytemap)"},
        {"y(i) = A(i,j) * x(j)", "A:csc; y:s",
         "reorder(j, i); precompute(A(i,j) * x(j), w, {i,i,ip}, bytemap)"},
        {"A(i,l,k) = B(i,j,k) * C(j,l)", "A:csf; B:csf; C:csr",
         "reorder(i, j, l, k); precompute(B(i,j,k) * C(j,l), w, {l,l,lp}, {k,k,kp}, coo)"},
        {"A(i,j) = B(i,k,l) * C(k,j) * D(l,j)", "A:csr; B:csf; C:csr; D:csr",
         "reorder(i, k, l, j); precompute(C(k,j), w, {j,j,jp}, bytemap); "
         "precompute(B(i,k,l) * w(j) * D(l,j), w2, {j,j,jp2}, bytemap)"},
        /* a row that would be merged with one after the other is marked */
        {"t = A(i,j) * B(j,k) * C(i,k)", "A:csr; B:csr; C:csr",
         "precompute(C(i,k), w, {k,k,kp}, bytemap)"},
        {"C(i,j) = M(i,j) * A(i,k) * B(k,j)", "C:csr; M:csr; A:csr; B:csr",
         "reorder(i, k, j); precompute(M(i,j), w, {j,j,jp}, bytemap); "
         "precompute(w(j) * A(i,k) * B(k,j), w2, {j,j,jp2}, bytemap)"},
        {"Y(i,j) = M(i,j) * A(i,k) * B(j,k)", "Y:csr; M:csr; A:csr; B:csr",
         "precompute(A(i,k), w, {k,k,kp}, bytemap)"},
        /* operands are converted, or searched where that is cheaper */
        {"A(i,j) = B(i,k) * C(k,j)", "A:csr; B:csc; C:csr",
         "precompute(B(i,k), w, {i,i,ip}, {k,k,kp}, csr); reorder(i, k, j); "
         "precompute(w(i,k) * C(k,j), w2, {j,j,jp}, bytemap); reorder(kp, ip)"},
        /* no row of C is found in O(1): it is copied */
        {"A(i,j) = B(i,k) * C(k,j)", "A:dcsr; B:dcsr; C:dcsr",
         "precompute(C(k,j), w, {k,k,kp}, {j,j,jp}, csr); reorder(i, k, j); "
         "precompute(B(i,k) * w(k,j), w2, {j,j,jp2}, bytemap); reorder(kp, jp)"},
        {"y(i) = A(i,j) * x(j)", "A:csr; x:sparse", /* nor is x */
         "precompute(x(j), w, {j,j,jp}, bytemap)"},
        {"A(i,j) = B(i,k) * C(k,j)", "A:csr; B:csr; C:csc", /* rows of C have to be found */
         "precompute(C(k,j), w, {k,k,kp}, {j,j,jp}, csr); reorder(i, k, j); "
         "precompute(B(i,k) * w(k,j), w2, {j,j,jp2}, bytemap)"},
        {"A(i,j) = B(i,j) + C(i,j)", "A:csr; B:csr; C:csc",
         "precompute(C(i,j), w, {i,i,ip}, {j,j,jp}, csr); reorder(jp, ip)"},
        {"A(i,j) = B(i,j) + C(i,j)", "A:csr; B:csr; C:dia", "convert(C(i,j), w); reorder(ip, d)"},
        {"A(i,j) = B(i,j) + C(i,j)", "A:csr; B:dia; C:dia",
         "convert(B(i,j), w); convert(C(i,j), w2); reorder(ip, d); reorder(ip2, d2)"},
        /* a result that stores blocks: a row of blocks; rows of an operand before */
        {"A(i,j) = B(i,j)", "A:bcsr(3,5); B:csr",
         "split(i, io, ii, down, 3); precompute(B(i,j), w, {ii,ii,iip}, {j,j,jp}, (i,j) -> (j/5 : "
         "bytemap, i : dense, j%5 : dense)); split(j, jo, ji, down, 5); reorder(jo, ii, ji)"},
        {"A(i,j) = B(i,j)", "A:bcsr(2,2); B:csc",
         "precompute(B(i,j), w, {i,i,ip}, {j,j,jp}, csr); reorder(i, j); split(i, io, ii, down, "
         "2); "
         "precompute(w(i,j), w2, {ii,ii,iip}, {j,j,jp2}, (i,j) -> (j/2 : bytemap, i : dense, j%2 : "
         "dense)); split(j, jo, ji, down, 2); reorder(jo, ii, ji); reorder(jp, ip)"},
        {"A(i,j) = B(i,j) * C(i,j)", "A:csr; B:dcsr; C:dia", ""},
        {"A(i,j) = B(i,j) * C(i,j)", "A:csr; B:csr; C:csc", ""},
        {"A(i,j) = B(j,i)", "A:csr; B:csr", "reorder(j, i)"},
        {"A(i,j) = B(j,i) + C(i,j)", "A:csr; B:csr; C:csr",
         "precompute(B(j,i), w, {i,i,ip}, {j,j,jp}, csr); reorder(jp, ip)"},
        /* a scalar is expanded, as far as that helps */
        {"r(i) = b(i) - A(i,j) * x(j)", "A:csc",
         "precompute(t, w, {i,i,ip}, dense); sequence(w); reorder(j, ip)"},
        {"A(i,j) = B(i,k) * C(k,j) + E(i,j)", "A:csr; B:csr; C:csr; E:csr",
         "precompute(t + E(i,j), w, {j,j,jp}, bytemap); precompute(t, w2, {jp,jp,jpp}, "
         "bytemap(unordered)); sequence(w2); reorder(k, jpp)"},
        /* factors of a product first */
        {"A(i,j) = B(i,k) * C(k,l) * D(l,j)", "A:csr; B:csr; C:csr; D:csr",
         "precompute(B(i,k) * C(k,l), w, {l,l,lp}, bytemap(unordered)); reorder(l, j); "
         "precompute(w(l) * D(l,j), w2, {j,j,jp}, bytemap)"},
        {"A(i,j) = B(i,k) * C(k,l) * D(l,j)", "",
         "precompute(C(k,l) * D(l,j), w, {k,k,kp}, {j,j,jp}, dense); reorder(i, k, j); "
         "reorder(kp, l, jp)"},
        {"s = A(a,b) * A(b,c) * A(c,d) * A(d,e) * A(e,f) * x(f)", "A:csr",
         "precompute(A(e,f) * x(f), w, {e,e,ep}, dense); "
         "precompute(A(d,e) * w(e), w2, {d,d,dp}, dense); "
         "precompute(A(c,d) * w2(d), w3, {c,c,cp}, dense); "
         "precompute(A(b,c) * w3(c), w4, {b,b,bp}, dense)"},
        {"A(i,j) = B(i,k) * C(k,l) * D(l,m) * E(m,j)", "A:csr; B:csr; C:csr; D:csr; E:csr",
         "precompute(B(i,k) * C(k,l), w, {l,l,lp}, bytemap(unordered)); reorder(l, m, j); "
         "precompute(w(l) * D(l,m) * E(m,j), w2, {j,j,jp}, bytemap); "
         "precompute(w(l) * D(l,m), w3, {m,m,mp}, bytemap(unordered))"},
        /* several scalars together */
        {"y(i) = A(i,j) * x(j) + B(i,j) * z(j)", "A:csc; B:csc",
         "precompute(t2, w, {i,i,ip}, dense); sequence(w); precompute(t, w, {i,i,ip2}, dense); "
         "sequence(w); reorder(j, ip2); reorder(j2, ip)"},
        /* in the result itself, in the loops that the sum has alone; then what is done with it */
        {"y(i) = max(sum(j, A(i,j) * x(j)), 0)", "A:csr", ""},
        {"y(i) = max(sum(j, A(i,j) * x(j)), 0)", "A:csc",
         "precompute(t, w, {i,i,ip}, dense); sequence(w); reorder(j, ip)"},
        {"Y(i,r) = max(sum(j, A(i,j) * X(j,r)), 0)", "A:csr",
         "precompute(t, w, {r,r,rp}, dense); sequence(w); reorder(j, rp)"},
        /* within the blocks in which the sum alone would go through its operand; not if what is
         * stored were read back at once */
        {"y(i) = b(i) - A(i,j) * x(j)", "A:bcsr(4,4)",
         "split(i, io, ii, down, 4); precompute(t, w, {ii,ii,iip}, dense); sequence(w); "
         "split(j, jo, ji, down, 4); reorder(jo, iip, ji)"},
        {"y(i) = d(i) * (A(i,j) * x(j))", "A:bcsr(4,4)",
         "precompute(t, w, {i,i,ip}, dense); sequence(w); split(ip, ipo, ipi, down, 4); "
         "split(j, jo, ji, down, 4); reorder(ipo, jo, ipi, ji)"},
        /* the result has room for one of them */
        {"Y(i,r) = sum(j, A(i,j) * X(j,r)) * sum(k, B(i,k) * Z(k,r))", "A:csr; B:csr",
         "precompute(t2, w, {r,r,rp}, dense); precompute(t, w2, {r,r,rp2}, dense); sequence(w2); "
         "reorder(j, rp2); reorder(k, rp)"},
        {"Y(i,r) += max(sum(j, A(i,j) * X(j,r)), 0)", "A:csr",
         "precompute(t, w, {r,r,rp}, dense); reorder(j, rp)"},
        /* blocks and diagonals are followed, or copied into a list */
        {"y(i) = A(i,j) * x(j)", "A:bcsr(2,3)",
         "split(i, io, ii, down, 2); split(j, jo, ji, down, 3); reorder(io, jo, ii, ji)"},
        {"y(i) = A(i,j) * x(j)", "A:dia", "skew(j, i, d); reorder(d, i)"},
        {"C(i,j) = A(i,j) + B(i,j)", "A:csb(4); B:csb(4)",
         "split(i, io, ii, down, 4); split(j, jo, ji, down, 4); reorder(io, jo, ii, ji)"},
        {"C(i,j) = A(i,j) + B(i,j)", "A:bcsr(2,2); B:csr; C:csr",
         "split(i, io, ii, down, 2); split(j, jo, ji, down, 2)"},
        {"C(i,j) = A(i,j) * B(i,j)", "A:bcsr(2,2); B:csr; C:csr",
         "split(i, io, ii, down, 2); split(j, jo, ji, down, 2); reorder(io, jo, ii, ji); "
         "collect(C, w)"},
        {"C(i,j) = A(i,k) * B(k,j)", "A:bcsr(2,2); B:bcsr(2,2); C:bcsr(2,2)",
         "split(i, io, ii, down, 2); precompute(A(i,k) * B(k,j), w, {ii,ii,iip}, {j,j,jp}, "
         "(i,j) -> (j/2 : bytemap, i : dense, j%2 : dense)); split(j, jo, ji, down, 2); "
         "reorder(jo, ii, ji); split(k, ko, ki, down, 2); split(jp, jpo, jpi, down, 2); "
         "reorder(ko, jpo, iip, ki, jpi)"},
        {"y(i) = A(i,k) * A(k,i)", "A:bcsr(2,2)",
         "split(i, io, ii, down, 2); split(k, ko, ki, down, 2); reorder(io, ko, ki, ii)"},
    };
    LAB(cx);
    for (size_t i = 0; i < sizeof row / sizeof *row; i++)
        check_plan(cx, row[i].statement, row[i].declarations, row[i].plan);
}

/* A scalar is expanded once: what is left of it then, a copy, would be no cheaper if it were
 * expanded again. */
static void expanded_once(void **state)
{
    LAB(cx);
    const struct cin_program *p =
        lab_program(cx, "y(i) = sum(k, j, (A(k) - B(j,i,k)) * -(B(k,j,i) != C(j,i) + D(i,k)))",
                    "y:hash/f64/7; A:s; B:bitmap:1,0,2; C:bh; D:uq");
    const char *plan = lab_plan(cx, p), *first = strstr(plan, "precompute(t, ");
    if (first && strstr(first + 1, "precompute(t, "))
        fail_msg("%s", plan);
}

/* A collapsed loop goes through what is stored, where that is all that has an effect. */
static void collapsed(void **state)
{
    static const struct {
        const char *statement, *declarations, *plan;
    } row[] = {
        {"y(i) = A(i,j) * x(j)", "A:csr", "pos(f, p, A(i,j))"},
        {"y(i) = A(i,j) * x(j)", "A:coo", "pos(f, p, A(i,j))"},
        {"a = A(i,j) * B(i,j)", "A:coo; B:csr", "pos(f, p, A(i,j))"},
        {"Y(i,j) = A(i,j) + B(i,j)", "A:csr; B:csr", ""},
        {"y(i) = A(i,j) * x(j)", "", ""},
    };
    LAB(cx);
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        const struct cin_program *p = lab_program(cx, row[i].statement, row[i].declarations);
        p = lab_apply(cx, p, "collapse(i, j, f)");
        assert_string_equal(lab_plan(cx, p), row[i].plan);
    }
}

/* A result with wide rows whose loop is split is collected, not gathered in a table or in the order
 * of the parts. */
static void split_row(void **state)
{
    LAB(cx);
    const struct cin_program *p =
        lab_program(cx, "C(i,j) = A(i,j) + B(j,i)", "C:csr; A:dok; B:dcsr; j=5000000");
    assert_string_equal(
        lab_plan(cx, lab_apply(cx, p, "split(j, jo, ji, up, 3)")),
        "precompute(B(j,i), w, {jo,jo,jop}, {i,i,ip}, {ji,ji,jip}, duq); reorder(jo, i, ji); "
        "collect(C, w2); reorder(jop, jip, ip); convert(A(i,j), w3)");
}

/* What is stored in another order than the loops are in is copied, in the order of their parts. */
static void split_conflict(void **state)
{
    static const struct {
        const char *schedule, *plan;
    } row[] = {
        {"split(j, jo, ji, down, 8)",
         "precompute(B(j,i), w, {i,i,ip}, {jo,jo,jop}, {ji,ji,jip}, duq); reorder(jop, jip, ip)"},
        {"split(i, io, ii, down, 8)",
         "precompute(B(j,i), w, {io,io,iop}, {ii,ii,iip}, {j,j,jp}, duq); reorder(jp, iop, iip)"},
    };
    LAB(cx);
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        const struct cin_program *p =
            lab_program(cx, "C(i,j) = A(i,j) + B(j,i)", "A:csr; B:csr; C:csr");
        p = lab_apply(cx, p, row[i].schedule);
        assert_string_equal(lab_plan(cx, p), row[i].plan);
        assert_string_equal(lab_plan(cx, lab_apply(cx, p, row[i].plan)), "");
    }
}

/* A chain of loops that a directive has put in order is left alone, whatever the order; others
 * are not. */
static void ordered_loops_stay(void **state)
{
    LAB(cx);
    const struct cin_program *p = lab_program(cx, "Y(i,j) = A(i,j) * sum(k, sum(l, B(k,l)))",
                                              "Y:dense:1,0; A:dense:1,0; B:dense:1,0");
    assert_string_equal(lab_plan(cx, lab_apply(cx, p, "reorder(i, j)")), "reorder(l, k)");
    assert_string_equal(lab_plan(cx, lab_apply(cx, p, "reorder(k, l)")), "reorder(j, i)");
    assert_string_equal(lab_plan(cx, lab_apply(cx, p, "reorder(k, l); reorder(j, i)")), "");
    /* what does not suit them is converted */
    p = lab_program(cx, "y(i) = A(i,j) * x(j)", "A:csr");
    assert_string_equal(lab_plan(cx, lab_apply(cx, p, "reorder(j, i)")),
                        "precompute(A(i,j), w, {j,j,jp}, {i,i,ip}, csr); reorder(ip, jp)");
}

static void check_spelling(struct context *cx, const struct format *made, const char *spelling)
{
    const struct format_defaults narrow = {TYPE_I32, TYPE_I32}, wide = {TYPE_I64, TYPE_I64};
    assert_true(format_equal(made, format_parse(cx, "w", spelling, made->order, narrow)));
    assert_true(format_equal(format_with(cx, made, wide),
                             format_parse(cx, "w", spelling, made->order, wide)));
}

/* Formats that are made of level types by what these can do are those that their spellings say. */
static void made_formats(void **state)
{
    LAB(cx);
    const struct format_defaults widths = {TYPE_I32, TYPE_I32};
    const struct format *listed = format_listed(cx, LEVEL_ORDERED, widths),
                        *loose = format_listed(cx, 0, widths);
    for (int order = 1; order < 6; order++)
        check_spelling(cx, format_list(cx, order, widths), "coo");
    check_spelling(cx, format_rows(cx, 2, widths), "csr");
    check_spelling(cx, format_rows(cx, 3, widths), "duq");
    check_spelling(cx, format_rows(cx, 5, widths), "duqqq");
    check_spelling(cx, format_table(cx, widths), "hash");
    check_spelling(cx, listed, "(i) -> (i : bytemap)");
    check_spelling(cx, loose, "(i) -> (i : bytemap(unordered))");
    assert_string_equal(format_list(cx, 3, widths)->spelling, "coo");
    assert_string_equal(format_rows(cx, 2, widths)->spelling, "csr");
    assert_string_equal(format_rows(cx, 4, widths)->spelling, "duqq");
    assert_string_equal(listed->spelling, "bytemap");
    assert_string_equal(loose->spelling, "bytemap(unordered)");
}

/* Where there was a choice, the plan comes with what was weighed. */
static void reasons(void **state)
{
    LAB(cx);
    struct plan_report none = {0}, report = {0};
    plan_schedule(cx, lab_program(cx, "y(i) = A(i,j) * x(j)", "A:csc"), &none);
    assert_string_equal(none.reasons.at, "");
    assert_int_equal(none.alternative.n, 0);
    plan_schedule(cx, lab_program(cx, "A(i,j) = B(i,j) * C(i,j)", "A:csr; B:csr; C:csc"), &report);
    const char *why = report.reasons.at;
    assert_true(report.alternative.n > 2);
    assert_string_equal(report.alternative.at[0].schedule, "");
    assert_non_null(strstr(why, "  forall(i) forall(j) A(i,j) = B(i,j) * C(i,j)\n  *  "));
    assert_non_null(strstr(why, "  as it is  O(i*B.2)\n     "));
    assert_non_null(strstr(why, "  precompute(C(i,j), w, {i,i,ip}, {j,j,jp}, csr)  O("));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        LAB_TEST(of_taco),
        LAB_TEST(not_of_taco),
        LAB_TEST(tried_vectors),
        LAB_TEST(reordering),
        LAB_TEST(distributes),
        LAB_TEST(distribution_is_refused),
        LAB_TEST(nothing_changes),
        LAB_TEST(many_loops),
        LAB_TEST(environments),
        LAB_TEST(refusals),
        LAB_TEST(after_a_mistake),
        LAB_TEST(operators_must_allow_it),
        LAB_TEST(planned_orders),
        LAB_TEST(planned_workspaces),
        LAB_TEST(ordered_loops_stay),
        LAB_TEST(made_formats),
        LAB_TEST(reasons),
        LAB_TEST(expanded_once),
        LAB_TEST(collapsed),
        LAB_TEST(split_row),
        LAB_TEST(split_conflict),
    };
    return cmocka_run_group_tests_name("schedule", tests, NULL, NULL);
}
