/* test_precompute.c - precompute: what it makes of statements, and its preconditions.
 *
 * SPDX-License-Identifier: MIT
 */
#include <math.h>
#include <string.h>

#include "compiler/base/text.h"
#include "compiler/plan/plan.h"
#include "compiler/registry.h"
#include "tests/concrete/support.h"

static const char *program_text(struct context *cx, const struct cin_program *program)
{
    struct text out = text_new(cx->arena);
    cin_print_program(cx, &out, program);
    return out.at;
}

static void expect(const char *what, const char *is, const char *should)
{
    if (strcmp(is, should))
        fail_msg("%s gives\n%s, and not\n%s", what, is, should);
}

static void check_refused(struct context *cx, const struct cin_program *program,
                          const char *schedule, const char *message)
{
    size_t before = cx->diags.n;
    assert_null(schedule_apply(cx, registry_schedules, program, schedule));
    assert_int_equal(cx->diags.n, before + 1);
    expect(schedule, cx->diags.at[before].message, message);
}

static const char mm[] = "A(i,j) = B(i,k) * C(k,j)", spmv[] = "y(i) = A(i,j) * x(j) + d(i)";

/* ---- what it makes ---- */

/* The schedule makes this of the statement, and what is printed reads back. */
static void expect_after(struct context *cx, const char *statement, const char *schedule,
                         const char *text)
{
    const struct cin_program *after = lab_apply(cx, lab_program(cx, statement, ""), schedule);
    expect(schedule, program_text(cx, after), text);
    struct cin_names names = lab_program_names(cx, after);
    assert_ptr_equal(lab_parse(cx, program_text(cx, after), &names), after->statement);
}

static void workspaces(void **state)
{
    static const struct {
        const char *statement, *schedule, *after;
    } row[] = {
        /* Gustavson (thesis 6.2): the reduction around moves in */
        {mm, "reorder(i,k,j); precompute(B(i,k)*C(k,j), w, {j,jc,jp}, dense)",
         "forall(i) (forall(jc) A(i,jc) = w(jc) where forall(k) forall(jp) w(jp) += B(i,k) * "
         "C(k,jp)) : format(w, dense)"},
        {mm, "precompute(B(i,k)*C(k,j), w, {i,ic,ip}, {j,jc,jp}, ss:1,0)",
         "(forall(ic) forall(jc) A(ic,jc) = w(ic,jc) where forall(ip) forall(jp) forall(k) "
         "w(ip,jp) += B(ip,k) * C(k,jp)) : format(w, ss:1,0)"},
        {mm, "precompute(B(i,k)*C(k,j), w)",
         "forall(i) forall(j) (A(i,j) = w where forall(k) w += B(i,k) * C(k,j))"},
        /* an operand is converted; names may stay on one side; modes come in the order of the
         * triples */
        {"A(i,j) = B(i,j) + C(i,j)", "precompute(B(i,j), w, { j , j , jp }, {i,ic,i})",
         "(forall(ic) forall(j) A(ic,j) = w(j,ic) + C(ic,j) where forall(i) forall(jp) w(jp,i) = "
         "B(i,jp)) : format(w, coo)"},
        {mm, "precompute(C(k,j), w, {k,k,kp}, {j,j,jp}, csc)",
         "(forall(i) forall(j) forall(k) A(i,j) += B(i,k) * w(k,j) where forall(jp) forall(kp) "
         "w(kp,jp) = C(kp,jp)) : format(w, csc)"},
        {"y(i) = B(i,i) * x(i)", "precompute(B(i,i), w, {i,ic,ip}, dense)",
         "(forall(ic) y(ic) = w(ic) * x(ic) where forall(ip) w(ip) = B(ip,ip)) : format(w, dense)"},
        /* scalar expansion (thesis 6.2) */
        {spmv, "precompute(t, w, {i,ic,ip}, dense); reorder(j, ip)",
         "(forall(ic) y(ic) = w(ic) + d(ic) where forall(j) forall(ip) w(ip) += A(ip,j) * x(j)) : "
         "format(w, dense)"},
        {"y(i) = min(j, A(i,j)) * d(i)", "precompute(t, w, {i,ic,ip}, dense)",
         "(forall(ic) y(ic) = w(ic) * d(ic) where forall(ip) forall(j) w(ip) min= A(ip,j)) : "
         "format(w, dense)"},
        {"y(i) = min(j, A(i,j) * sum(k, B(j,k)))", "precompute(t2, w, {j,jc,jp}, dense)",
         "(forall(i) (y(i) = t where forall(jc) t min= A(i,jc) * w(jc)) where forall(jp) forall(k) "
         "w(jp) += B(jp,k)) : format(w, dense)"},
        /* with what it depends on */
        {spmv, "precompute(t + d(i), w, {i,ic,ip}, dense)",
         "(forall(ic) y(ic) = w(ic) where forall(ip) (w(ip) = t + d(ip) where forall(j) t += "
         "A(ip,j) * x(j))) : format(w, dense)"},
        {spmv, "precompute(A(i,j) * x(j), w, {i,ic,ip}, {j,jc,jp}, dense)",
         "(forall(ic) (y(ic) = t + d(ic) where forall(jc) t += w(ic,jc)) where forall(ip) "
         "forall(jp) w(ip,jp) = A(ip,jp) * x(jp)) : format(w, dense)"},
        {"y(i) = 2 * (A(i,j) * x(j))", "precompute(2 * t, w, {i,ic,ip}, dense)",
         "(forall(ic) y(ic) = w(ic) where forall(ip) (w(ip) = 2.0 * t where forall(j) t += A(ip,j) "
         "* x(j))) : format(w, dense)"},
        /* out of the loops that it does not depend on */
        {spmv, "precompute(x(j), w, {j,jc,jp}, dense)",
         "(forall(i) (y(i) = t + d(i) where forall(jc) t += A(i,jc) * w(jc)) where forall(jp) "
         "w(jp) = x(jp)) : format(w, dense)"},
        /* one after the other */
        {"Y(i,j) = A(i,k,l) * D(l,j) * C(k,j)",
         "reorder(i,k,l,j); precompute(A(i,k,l) * D(l,j), w, {j,jc,jp}, dense); "
         "precompute(w(jc) * C(k,jc), v, {jc,j,jq}, dense)",
         "forall(i) (forall(j) Y(i,j) = v(j) where forall(k) (forall(jq) v(jq) += w(jq) * C(k,jq) "
         "where forall(l) forall(jp) w(jp) += A(i,k,l) * D(l,jp))) : format(v, dense); format(w, "
         "dense)"},
        {"s = B(i,k) * C(k,l) * D(l,i)", "precompute(B(i,k) * C(k,l), w, {i,ic,ip}, {l,lc,lp})",
         "(forall(ic) forall(lc) s += w(ic,lc) * D(lc,ic) where forall(ip) forall(k) forall(lp) "
         "w(ip,lp) += B(ip,k) * C(k,lp))"
         " : format(w, coo)"},
        /* factors that stand apart come together */
        {"Y(i,j) = A(i,k,l) * C(k,j) * D(l,j)",
         "reorder(i,k,l,j); precompute(A(i,k,l) * D(l,j), w, {j,j,jp}, dense)",
         "forall(i) forall(k) (forall(j) Y(i,j) += w(j) * C(k,j) where forall(l) forall(jp) w(jp) "
         "+= A(i,k,l) * D(l,jp)) : format(w, dense)"},
        {"s = max(i, a(i) + b + 2 + c(i))", "precompute(c(i) + a(i), w)",
         "(s = t where (t = w + b + 2.0 where forall(i) w max= c(i) + a(i)))"},
        /* the user's compound assignment stays one */
        {"A(i,j) += B(i,k) * C(k,j)", "precompute(B(i,k) * C(k,j), w, {j,jc,jp}, dense)",
         "forall(i) (forall(jc) A(i,jc) += w(jc) where forall(jp) forall(k) w(jp) += B(i,k) * "
         "C(k,jp)) : format(w, dense)"},
        /* a repetition that nothing depends on counts once for each side */
        {"y(i) = sum(k, b(i)) + A(i,k)", "precompute(t, w, {i,ic,ip}, dense)",
         "(forall(ic) (y(ic) = w(ic) + t2 where forall(k2) t2 += A(ic,k2)) where forall(ip) "
         "forall(k) w(ip) += b(ip)) : format(w, dense)"},
    };
    LAB(cx);
    for (size_t i = 0; i < sizeof row / sizeof *row; i++)
        expect_after(cx, row[i].statement, row[i].schedule, row[i].after);
}

/* The fill, type and index types of what is made. */
/* Loops that are parts of a split: each side has what was split from its own parts. */
static void parts(void **state)
{
    static const struct {
        const char *statement, *schedule, *after;
    } row[] = {
        /* thesis figure 1-14, on one thread: the products of a block, and then their sum */
        {"y(i) = A(i,j) * x(j)",
         "split(j,j0,j1,down,16); precompute(A(i,j)*x(j), w, {j1,jc,jp}, dense)",
         "forall(i) (forall(jc) y(i) += w(jc) where forall(j0) forall(jp) w(jp) += A(i,j2) * "
         "x(j2)) : format(w, dense); split(j, j0, jc, down, 16); split(j2, j0, jp, down, 16)"},
        /* expressions and loops in the names as written, whatever runs in their places now */
        {"z(i) = x(i) * y(i)",
         "bound(i, ib, 16, exact); split(ib,i0,i1,down,4); precompute(y(i)*x(i), w, {i1,i1,ip}, "
         "dense); precompute(x(ib), v, {i1,i1,iq}, dense)",
         "forall(i0) (forall(i1) z(ib) = w(i1) where (forall(ip) w(ip) = y(ib2) * v(ip) where "
         "forall(iq) v(iq) = x(ib22))) : format(w, dense); format(v, dense); split(ib, i0, i1, "
         "down, 4); split(ib2, i0, ip, down, 4); split(ib22, i0, iq, down, 4); bound(i, ib, 16, "
         "exact)"},
        /* those that there are now come first */
        {"y(i) = sum(j, A(i,j)) * sum(j, A(i,j) * x(j))", "precompute(A(i,j), w, {j,j,jp}, dense)",
         "forall(i) ((y(i) = t * t2 where forall(j2) t2 += A(i,j2) * x(j2)) where (forall(j) t += "
         "w(j) where forall(jp) w(jp) = A(i,jp))) : format(w, dense)"},
        {"y(i) = sum(j, A(i,j)) * sum(j, A(i,j) * x(j))", "precompute(x(j), w, {j,j,jp}, dense)",
         "(forall(i) ((y(i) = t * t2 where forall(j2) t2 += A(i,j2) * w(j2)) where forall(j) t += "
         "A(i,j)) where forall(jp) w(jp) = x(jp)) : format(w, dense)"},
        /* a tile of an operand, in the loops that use it again */
        {"y(i) = A(i,j) * x(j)",
         "split(j,j0,j1,down,16); reorder(j0,i,j1); precompute(x(j), w, {j1,j1,jp}, dense)",
         "forall(j0) (forall(i) forall(j1) y(i) += A(i,j) * w(j1) where forall(jp) w(jp) = x(j2)) "
         ": format(w, dense); split(j, j0, j1, down, 16); split(j2, j0, jp, down, 16)"},
        /* both parts; a part of a part; blocks so many */
        {"z(i) = 2 * x(i)", "split(i,i0,i1,up,4); precompute(x(i), w, {i0,a,b}, {i1,c,d}, dense)",
         "(forall(a) forall(c) z(i) = 2.0 * w(a,c) where forall(b) forall(d) w(b,d) = x(i2)) "
         ": format(w, dense); split(i, a, c, up, 4); split(i2, b, d, up, 4)"},
        {"z(i) = 2 * x(i)",
         "split(i,i0,i1,down,16); split(i1,i2,i3,down,4); precompute(x(i), w, {i3,ic,ip}, dense)",
         "forall(i0) forall(i2) (forall(ic) z(i) = 2.0 * w(ic) where forall(ip) w(ip) = x(i4)) "
         ": format(w, dense); split(i, i0, i1, down, 16); split(i1, i2, ic, down, 4); "
         "split(i4, i0, i12, down, 16); split(i12, i2, ip, down, 4)"},
        /* thesis figure 1-14: blocks of stored entries, each side with its rows and columns */
        {"y(i) = A(i,j) * x(j)",
         "collapse(i,j,f); pos(f,p,A(i,j)); split(p,p0,p1,down,16); "
         "precompute(A(i,j)*x(j), w, {p1,pc,pp}, dense)",
         "forall(p0) (forall(pc) y(i) += w(pc) where forall(pp) w(pp) = A(i2,j2) * x(j2)) "
         ": format(w, dense); collapse(i, j, f); pos(j, p, A(i,j).2); split(p, p0, pc, down, 16); "
         "pos(j2, p2, A(i2,j2).2); split(p2, p0, pp, down, 16)"},
        /* the consumer's loops reach each y(i) once, so that it is assigned */
        {"y(i) = A(k,j)", "split(i,i0,i1,down,3); precompute(A(k,j), w, {i1,ic,ip}, bytemap)",
         "forall(i0) (forall(ic) y(i) = w(ic) where forall(ip) forall(k) forall(j) w(ip) += "
         "A(k,j)) "
         ": format(w, bytemap); split(i, i0, ic, down, 3); split(i2, i0, ip, down, 3)"},
    };
    LAB(cx);
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        const struct cin_program *p = lab_program(cx, row[i].statement, "");
        expect(row[i].schedule, program_text(cx, lab_apply(cx, p, row[i].schedule)), row[i].after);
    }
    check_refused(cx, lab_program(cx, "y(i) = A(i,j) * x(j)", ""),
                  "skew(j,i,d); precompute(x(j), w, {d,dc,dp}, dense)",
                  "precompute: other variables follow from d and another variable");
    check_refused(cx, lab_program(cx, "y(i) = A(i,j) * x(j)", "A:csr"),
                  "pos(j,p,A(i,j)); precompute(x(j), w, {p,pc,pp}, dense)",
                  "precompute: other variables follow from p and another variable");
}

static void properties(void **state)
{
    static const struct {
        const char *statement, *declarations, *schedule, *fill, *type, *op;
    } row[] = {
        {"A(i,j) = B(i,j) + C(i,j)", "B:csr", "precompute(B(i,j), w, {i,i,ip}, {j,j,jp})", "0",
         "f64", ""},
        {"A(i,j) = B(i,j) + C(i,j)", "B:csr/f32/inf", "precompute(B(i,j), w, {i,i,ip}, {j,j,jp})",
         "inf", "f32", ""},
        {"A(i,j) = B(i,j) + C(i,j)", "B:csr", "precompute(B(i,j) + C(i,j), w, {i,i,ip}, {j,j,jp})",
         "0", "f64", ""},
        {"A(i,j) = exp(B(i,j) + 2)", "B:csr", "precompute(B(i,j) + 2, w, {i,i,ip}, {j,j,jp})", "2",
         "f64", ""},
        {"A(i,j) = B(i,j) + 2", "B:csr", "precompute(B(i,j) + 2, w, {i,i,ip}, {j,j,jp})", "0",
         "f64", ""},
        {"A(i,j) = B(i,j) + 2", "B:csr; A:csr/f32/7",
         "precompute(B(i,j) + 2, w, {i,i,ip}, {j,j,jp})", "7", "f64", ""},
        {"A(i,j) *= B(i,j) + 2", "B:csr", "precompute(B(i,j) + 2, w, {i,i,ip}, {j,j,jp})", "2",
         "f64", ""},
        {"y(i) = min(j, A(i,j) + x(j))", "A:csr/f64/inf; y:s/f64/inf",
         "precompute(A(i,j) + x(j), w, {i,i,ip})", "inf", "f64", "min"},
        {"y(i) = 2 * (A(i,j) + 1)", "A:csr", "precompute(t + 1, w, {i,i,ip})", "1", "f64", ""},
        {"y(i) = A(i,j) * x(j)", "A:csr/i8; x:/i8; y:/i64",
         "precompute(A(i,j) * x(j), w, {i,i,ip})", "0", "i64", "+"},
        /* duplicates that lie apart are summed, where a sum is what they stand for */
        {"A(i,j) = B(i,j) + C(i,j)",
         "B:(i,j) -> (i : compressed(nonunique, unordered), j : singleton)",
         "precompute(B(i,j), w, {i,i,ip}, {j,j,jp})", "0", "f64", "+"},
        {"A(i,j) = abs(B(i,j))", "B:(i,j) -> (i : compressed(nonunique, unordered), j : singleton)",
         "precompute(abs(B(i,j)), w, {i,i,ip}, {j,j,jp})", "0", "f64", ""},
    };
    LAB(cx);
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        const struct cin_program *p = lab_program(cx, row[i].statement, row[i].declarations);
        p = lab_apply(cx, p, row[i].schedule);
        const struct tensor_var *w = lab_tensor(cx, p->statement, "w");
        struct cin_list made = cin_assignments(cx, p->statement);
        char fill[64];
        value_print(w->fill, fill, sizeof fill);
        expect(row[i].schedule, fill, row[i].fill);
        expect(row[i].schedule, type_name(w->type), row[i].type);
        for (size_t k = 0; k < made.n; k++)
            if (made.at[k]->arg[0]->tensor == w)
                expect(row[i].schedule, made.at[k]->op == OP_NONE ? "" : op_name(made.at[k]->op),
                       row[i].op);
    }
}

/* A workspace has the widest index types around, and its modes' ranges. */
static void index_types(void **state)
{
    LAB(cx);
    const struct cin_program *p =
        lab_program(cx, "A(i,j) = B(i,j)", "B:(i,j) -> (i : dense, j : compressed(crd=u64)); i=7");
    p = lab_apply(cx, p, "precompute(B(i,j), w, {j,j,jp}, {i,ic,ip})");
    const struct tensor_var *w = lab_tensor(cx, p->statement, "w");
    assert_int_equal(w->format->level[0].crd, TYPE_I64);
    assert_int_equal(w->format->level[0].pos, TYPE_I32);
    assert_int_equal(w->extent[1]->size, 7);
    assert_string_equal(w->extent[0]->name, "j");
    const struct index_var *ip = lab_var(cx, p->statement, "ip");
    assert_string_equal(ip->like->name, "i");
    assert_int_equal(ip->size, 7);
}

/* ---- sequences ---- */

#define EXPAND "precompute(t, w, {i,i,ip}, dense); "

#define BLOCKS "split(i,i0,i1,down,4); precompute(t, w, {i1,i1,ip}, dense); "

/* The third step of the cleanup of thesis 6.2. */
static void sequences(void **state)
{
    static const struct {
        const char *statement, *schedule, *after;
    } row[] = {
        {spmv, EXPAND "sequence(w)",
         "(forall(i) y(i) = d(i) ; forall(ip) forall(j) y(ip) += A(ip,j) * x(j))"},
        {"y(i) = d(i) - A(i,j) * x(j)", EXPAND "sequence(w); reorder(j,ip)",
         "(forall(i) y(i) = d(i) ; forall(j) forall(ip) y(ip) += -(A(ip,j) * x(j)))"},
        /* signs that cancel; what is left of the rest */
        {"y(i) = 2 - (d(i) - A(i,j) * x(j))", EXPAND "sequence(w)",
         "(forall(i) y(i) = 2.0 - d(i) ; forall(ip) forall(j) y(ip) += A(ip,j) * x(j))"},
        {"y(i) = max(d(i), max(j, A(i,j) * x(j)))", EXPAND "sequence(w)",
         "(forall(i) y(i) = d(i) ; forall(ip) forall(j) y(ip) max= A(ip,j) * x(j))"},
        /* copies, of shares and of what is assigned once */
        {mm, "reorder(i,k,j); precompute(B(i,k)*C(k,j), w, {j,jc,jp}, dense); sequence(w)",
         "forall(i) forall(k) forall(jp) A(i,jp) += B(i,k) * C(k,jp)"},
        {"A(i,j) = B(j,i)", "collect(A, w); sequence(w)", "forall(i) forall(j) A(i,j) = B(j,i)"},
        {mm, "reorder(k,i,j); precompute(B(i,k)*C(k,j), w, {j,jc,jp}, dense); sequence(w)",
         "forall(k) forall(i) forall(jp) A(i,jp) += B(i,k) * C(k,jp)"},
        /* one after the other */
        {"y(i) = d(i) + A(i,j) * x(j) + B(i,j) * x(j)",
         EXPAND "precompute(t2, v, {i,i,iq}, dense); sequence(v); sequence(w)",
         "((forall(i) y(i) = d(i) ; forall(iq) forall(j2) y(iq) += B(iq,j2) * x(j2)) ; forall(ip) "
         "forall(j) y(ip) += A(ip,j) * x(j))"},
        /* the result holds w, and then what is done with it, however often that reads it */
        {"y(i) = d(i) * (A(i,j) * x(j))", EXPAND "sequence(w); reorder(j,ip)",
         "(forall(j) forall(ip) y(ip) += A(ip,j) * x(j) ; forall(i) y(i) = d(i) * y(i))"},
        {"y(i) = d(i) - max(sum(j, A(i,j)), 0)", EXPAND "sequence(w)",
         "(forall(ip) forall(j) y(ip) += A(ip,j) ; forall(i) y(i) = d(i) - max(y(i), 0.0))"},
        {"A(i,j) = max(sum(k, B(i,k) * C(k,j)), 0)",
         "precompute(t, w, {j,j,jp}, dense); sequence(w)",
         "forall(i) (forall(jp) forall(k) A(i,jp) += B(i,k) * C(k,jp) ; forall(j) A(i,j) = "
         "max(A(i,j), 0.0))"},
        /* within blocks of the result's coordinate */
        {"y(i) = d(i) - A(i,j) * x(j)", BLOCKS "sequence(w)",
         "forall(i0) (forall(i1) y(i) = d(i) ; forall(ip) forall(j) y(i2) += -(A(i2,j) * x(j))) "
         ": split(i, i0, i1, down, 4); split(i2, i0, ip, down, 4)"},
        {"A(i,j) = B(i,j) + E(i,j)",
         "collapse(i,j,f); precompute(B(i,j), w, {f,f,fp}, dense); sequence(w)",
         "(forall(f) A(i,j) = E(i,j) ; forall(fp) A(i2,j2) += B(i2,j2)) "
         ": collapse(i, j, f); collapse(i2, j2, fp)"},
        {"y(i) = d(i) * (A(i,j) * x(j))", BLOCKS "sequence(w)",
         "forall(i0) (forall(ip) forall(j) y(i2) += A(i2,j) * x(j) ; forall(i1) y(i) = d(i) * "
         "y(i)) "
         ": split(i, i0, i1, down, 4); split(i2, i0, ip, down, 4)"},
        {"y(i) = sum(j, A(i,j)) * sum(j, A(i,j))",
         EXPAND "precompute(t2, v, {i,i,iq}, dense); sequence(w)",
         "(forall(ip) forall(j) y(ip) += A(ip,j) ; "
         "(forall(i) y(i) = y(i) * v(i) where forall(iq) forall(j2) v(iq) += A(iq,j2))) "
         ": format(v, dense)"},
    };
    LAB(cx);
    for (size_t i = 0; i < sizeof row / sizeof *row; i++)
        expect_after(cx, row[i].statement, row[i].schedule, row[i].after);
    /* -1 of u8 is 255 */
    const struct cin_program *p =
        lab_program(cx, "y(i) = d(i) - sum(j, A(i,j))", "A:/u8; d:/i32; y:/i32");
    p = lab_apply(cx, p, EXPAND "sequence(w)");
    struct text text = text_new(cx->arena);
    cin_print(cx, &text, p->statement);
    assert_string_equal(text.at, "(forall(ip) forall(j) y(ip) += A(ip,j) ; "
                                 "forall(i) y(i) = d(i) - y(i))");
}

/* A mistake in an expression is shown in the schedule, where it stands. */
static void mistakes_are_shown_in_place(void **state)
{
    static const struct {
        const char *schedule, *message, *at;
    } row[] = {
        {"reorder(j,i); precompute( A(i,+)*x(j), w)",
         "an index variable or a number is expected here", "+)*x"},
        {"precompute(A(i,j)*, w)", "expected a tensor, a number or a function, not the end",
         ", w)"},
        {"precompute(A(i,j) x(j), w)", "an operator is missing before this", "x(j), w"},
        {"distribute(A(i,j) x(j))", "an operator is missing before this", "x(j))"},
    };
    LAB(cx);
    const struct cin_program *p = lab_program(cx, "y(i) = A(i,j) * x(j)", "");
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        check_refused(cx, p, row[i].schedule, row[i].message);
        const struct span span = cx->diags.at[cx->diags.n - 1].span;
        assert_string_equal(span.source->text, row[i].schedule);
        assert_ptr_equal(span.source->text + span.begin, strstr(span.source->text, row[i].at));
    }
}

static void sequences_refused(void **state)
{
    static const char uneven[] =
        "sequence: the operator that combines w with the result is not that of its producer";
    static const struct {
        const char *statement, *declarations, *schedule, *message;
    } row[] = {
        {spmv, "", "sequence(w, v)", "sequence: it takes the name of a workspace"},
        {spmv, "", "sequence(w)", "sequence: there is no workspace w"},
        {spmv, "", "sequence(y)", "sequence: there is no workspace y"},
        /* what d leaves out would keep the sum */
        {"y(i) = d(i) * (A(i,j) * x(j))", "d:s", EXPAND "sequence(w)", uneven},
        {"y(i) = 0 * (A(i,j) * x(j))", "", EXPAND "sequence(w)", uneven},
        /* the old values would be gone; the fill is not what the sum starts with; two assign */
        {"y(i) += d(i) * (A(i,j) * x(j))", "", EXPAND "sequence(w)", uneven},
        {"y(i) = d(i) * (A(i,j) * x(j))", "y:/f64/1", EXPAND "sequence(w)", uneven},
        {"y(i) = d(i) + max(j, A(i,j) * x(j))", "", EXPAND "sequence(w)", uneven},
        {"y(i) = d(i) + A(i,j) * x(j)", "y:/f32", EXPAND "sequence(w)", uneven},
        {"y(i) = d(i) + A(i,j) * x(j)", "y:s; d:s",
         "precompute(t, w, {i,i,ip}, dense); sequence(w)",
         "sequence: w is not read for a dense result, nor for a workspace with places"},
        {"C(i,j) = A(i,k) * A(k,j) + B(i,j)", "A:ds; B:ds; C:ds",
         "precompute(t + B(i,j), v, {j,j,jp}, coo); precompute(t, w, {jp,jp,jq}, bytemap); "
         "sequence(w)",
         "sequence: w is not read for a dense result, nor for a workspace with places"},
        /* parts would add to what v starts with */
        {"C(i,j) = A(i,k) * A(k,j) + B(i,j)", "A:ds; B:ds/f64/1; C:ds/f64/1",
         "precompute(t + B(i,j), v, {j,j,jp}, bytemap); precompute(t, w, {jp,jp,jq}, bytemap); "
         "sequence(w)",
         uneven},
        {"A(i,j) = d(i) + B(i,j)", "", "precompute(d(i), w, {i,i,ip}, dense); sequence(w)",
         "sequence: w is not read in the loops over its coordinates"},
        /* the producer's loops are over all of the result's coordinates, and the consumer's over
         * the parts of a split */
        {"y(i) = d(i) + x(i)", "",
         "precompute(x(i), w, {i,i,ip}, dense); split(i,i0,i1,down,4); sequence(w)",
         "sequence: w is not read in the loops over its coordinates"},
    };
    LAB(cx);
    for (size_t i = 0; i < sizeof row / sizeof *row; i++)
        check_refused(cx, lab_program(cx, row[i].statement, row[i].declarations), row[i].schedule,
                      row[i].message);
}

/* A workspace is copied where it is made. */
static void convert_workspace(void **state)
{
    LAB(cx);
    const struct cin_program *p =
        lab_program(cx, "A(i,j) = B(i,j) + C(i,j)", "A:csr; B:csr; C:csr");
    p = lab_apply(cx, p, "convert(B(i,j), w); reorder(j,i); convert(w(i,j), v)");
    struct text text = text_new(cx->arena);
    cin_print(cx, &text, p->statement);
    assert_string_equal(text.at, "((forall(j) forall(i) A(i,j) = v(j,i) + C(i,j) where "
                                 "forall(ip2) forall(jp2) v(jp2,ip2) = w(ip2,jp2)) where "
                                 "forall(ip) forall(jp) w(ip,jp) = B(ip,jp))");
}

/* The consumer's loops that a directive has ordered stay so under their new names. */
static void ordered_loops(void **state)
{
    LAB(cx);
    const struct cin_program *p =
        lab_program(cx, "A(i,j) = B(i,k) * C(k,j)", "A:csr; B:csr; C:csr");
    p = lab_apply(cx, p, "reorder(i,k,j); precompute(B(i,k)*C(k,j), w, {j,jc,jp})");
    assert_int_equal(p->ordereds, 4);
    assert_string_equal(p->ordered[3]->name, "jc");
}

/* ---- refusals ---- */

static void refusals(void **state)
{
    static const struct {
        const char *schedule, *message;
    } row[] = {
        {"precompute(x(j))", "precompute: it takes an expression and the name of a workspace"},
        {"precompute(x(j), 2w, {j,jc,jp})", "precompute: 2w is no name for a workspace"},
        {"precompute(x(j), A, {j,jc,jp})", "precompute: A is in use"},
        {"precompute(x(j), j, {j,jc,jp})", "precompute: j is in use"},
        {"precompute(x(i), w, {j,jc,jp})",
         "precompute: x(i) is not part of an assigned expression"},
        {"precompute(sum(j, x(j)), w, {j,jc,jp})",
         "precompute: sum(j, x(j)) is not part of an assigned expression"},
        {"precompute(x(j), w, {k,kc,kp})", "precompute: there is no loop over k"},
        {"precompute(x(j), w, {j,jc,jc})",
         "precompute: the consumer's loop and the producer's need different names"},
        {"precompute(x(j), w, {j,i,jp})", "precompute: i is in use"},
        {"precompute(x(j), w, {j,jc,w})", "precompute: w is in use"},
        {"precompute(x(j), w, {j,jc,jp}, {j,jd,jq})", "precompute: j is named twice"},
        {"precompute(A(i,j), w, {i,ic,ip}, {j,ip,jp})", "precompute: ip is in use"},
        {"precompute(x(j), w, {j,jc})",
         "precompute: {j,jc} does not give a loop and its names in the consumer and the producer"},
        {"precompute(x(j), w, {j jc jp})", "precompute: {j jc jp} does not give a loop and its "
                                           "names in the consumer and the producer"},
        {"precompute(d(i), w, {j,jc,jp})",
         "precompute: the loop over j is not around the expression"},
        {"precompute(x(j), w, {i,ic,ip})", "precompute: both the expression and the rest of the "
                                           "statement use the loop over j: name it too"},
        {"precompute(A(i,j), w, {j,jc,jp}, csr)",
         "csr is for tensors of order 2, but w has order 1"},
    };
    LAB(cx);
    const struct cin_program *p = lab_program(cx, spmv, "");
    for (size_t i = 0; i < sizeof row / sizeof *row; i++)
        check_refused(cx, p, row[i].schedule, row[i].message);
}

/* An expression that the normal form has brought into another one: what can be named instead. */
static void parts_that_stand_elsewhere(void **state)
{
    static const struct {
        const char *statement, *schedule, *help; /* NULL: none */
    } row[] = {
        {"S(i,j) = A(i,j) * sum(l, A(i,l) * B(l,j))",
         "precompute(sum(l, A(i,l) * B(l,j)), w, {j,j,jp})", "it stands there as A(i,l) * B(l,j)"},
        {"y(i) = A(i,j) * x(j) * d(i)", "precompute(x(j) * d(i), w, {j,j,jp})",
         "its parts stand apart there: d(i); x(j)"},
        {"y(i) = A(i,j) * (x(j) - B(i,j)) * d(i)",
         "precompute((x(j) - B(i,j)) * d(i), w, {j,j,jp})",
         "its parts stand apart there: d(i); x(j) - B(i,j)"},
        {"y(i) = sum(j, A(i,j) * x(j)) * d(i)", "distribute(sum(j, A(i,j) * x(j)))",
         "it stands there as A(i,j) * x(j)"},
        /* what another directive has taken away */
        {"y(i) = A(i,j) * x(j) * d(j)",
         "precompute(x(j) * d(j), w, {j,j,jp}, dense); precompute(A(i,j) * x(j), v, {i,i,ip})",
         "its parts stand apart there: A(i,j); x(jp)"},
        {"y(i) = A(i,j) * x(j)", "precompute(A(j,i) * x(j), w, {j,j,jp})", NULL},
        {"y(i) = A(i,j) * x(j)", "distribute(x(i))", NULL},
        {"y(i) = d(i) * A(i,j) * x(j)", "distribute(d(i))", NULL},
    };
    LAB(cx);
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        assert_null(schedule_apply(cx, registry_schedules, lab_program(cx, row[i].statement, ""),
                                   row[i].schedule));
        const char *help = cx->diags.at[cx->diags.n - 1].help;
        expect(row[i].schedule, help ? help : "none", row[i].help ? row[i].help : "none");
    }
}

/* What is written into a workspace is any value to the consumer, and what is not is its fill. */
static void fills(void **state)
{
    static const struct {
        const char *statement, *declarations, *schedule;
        double fill;
    } row[] = {
        {"y(i) = 2 - 1.5", "y:s/u32", "precompute(2.0 - 1.5, w, {i,i,ip})", 0.5},
        {"y(i) = abs(mod(b(i), c(i)))", "y:s; b:s; c:s", "precompute(mod(b(i), c(i)), w, {i,i,ip})",
         0},
        {"y(i) = d(i) * mod(b(i), c(i))", "y:s; b:s; c:s",
         "precompute(mod(b(i), c(i)), w, {i,i,ip})", 0},
        {"y(i) = mod(b(i), c(i)) + 1", "y:s; b:s; c:s", "precompute(mod(b(i), c(i)), w, {i,i,ip})",
         NAN},
        /* the sum may be empty, too: -2 is 0 in y, which stores nothing then */
        {"y(i) = -(sum(j, A(i,j)) + 2)", "y:s/u32; A:csr", "precompute(-(t + 2.0), w, {i,i,ip})",
         -2},
    };
    LAB(cx);
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        const struct cin_program *p =
            lab_apply(cx, lab_program(cx, row[i].statement, row[i].declarations), row[i].schedule);
        double fill = value_double(lab_tensor(cx, p->statement, "w")->fill);
        assert_true(fill == row[i].fill || (isnan(fill) && isnan(row[i].fill)));
    }
    check_refused(cx, lab_program(cx, "y(i) = d(i) * mod(b(i), c(i))", "y:s; b:s; c:s; d:s"),
                  "precompute(mod(b(i), c(i)), w, {i,i,ip})",
                  "precompute: the statement may store nothing where this is 0, and a workspace "
                  "cannot mark such components");
    /* an empty sum is 0, and no b is 0 whatever the sum is: 0 / 0 is no number */
    check_refused(cx, lab_program(cx, "y(i) = b(i) / sum(j, A(i,j) * x(j))", "y:s; b:s; A:csr"),
                  "precompute(t, w, {i,i,ip})",
                  "precompute: the statement may store nothing where this is 0, and a workspace "
                  "cannot mark such components");
    check_refused(cx,
                  lab_program(cx, "y(i) = b(i) / abs(sum(j, A(i,j) * x(j)))", "y:s; b:s; A:csr"),
                  "precompute(abs(t), w, {i,i,ip})",
                  "precompute: the statement may store nothing where this is 0, and a workspace "
                  "cannot mark such components");
}

/* convert and collect make lists. */
static void lists_refused(void **state)
{
    static const struct {
        const char *schedule, *message;
    } row[] = {
        {"convert(A(i,j))", "convert: it takes an access and the name of a workspace"},
        {"convert(A(j,i), w)", "convert: there is no such access to an operand"},
        {"convert(y(i), w)", "convert: there is no such access to an operand"},
        {"convert(A(i,j), w+2)", "convert: w+2 is no name for a workspace"},
        {"convert(A(i,j), 2w)", "convert: 2w is no name for a workspace"},
        {"convert(A(i,j), x)", "convert: x is in use"},
        {"collect(y)", "collect: it takes the result and the name of a workspace"},
        {"collect(A, w)", "collect: A is not the result"},
        {"collect(y, w.2)", "collect: w.2 is no name for a workspace"},
        {"collect(y, i)", "collect: i is in use"},
    };
    LAB(cx);
    const struct cin_program *p = lab_program(cx, spmv, "");
    for (size_t i = 0; i < sizeof row / sizeof *row; i++)
        check_refused(cx, p, row[i].schedule, row[i].message);
    assert_non_null(
        schedule_apply(cx, registry_schedules, p, "convert(A(i, j), _w2); collect(y, _w)"));
    check_refused(cx, lab_program(cx, "y(i) = max(sum(j, A(i,j)), 0)", ""),
                  EXPAND "sequence(w); convert(y(i), v)",
                  "convert: a result that is read where it is written cannot be copied");
}

static void reductions_stay(void **state)
{
    static const struct {
        const char *statement, *declarations, *schedule, *message;
    } row[] = {
        /* the sum over j is of exp(...), not exp of a sum */
        {"y(i) = sum(j, exp(A(i,j) * x(j)))", "", "precompute(A(i,j) * x(j), w, {i,ic,ip})",
         "precompute: the loop over j cannot move to the expression: the use of the expression "
         "does not distribute over +"},
        {"y(i) = sum(j, b(i) * A(i,j))", "A:/i8; b:/i64; y:/i64",
         "precompute(A(i,j), w, {i,ic,ip})",
         "precompute: the loop over j cannot move to the expression: the reduced expression and "
         "its use have different types"},
        {"y(i) = sum(k, exp(sum(j, A(i,j,k))))", "", "precompute(A(i,j,k), w, {i,ic,ip})",
         "precompute: the loop over k cannot move to the expression: it is around the where whose "
         "producer reads the expression"},
        {"y(i) = sum(j, A(i,j)) * sum(j, A(i,j)) + b(i)", "",
         "precompute(t * t2, w, {i,ic,ip}); precompute(t, v, {ip,iq,ir})", NULL},
    };
    LAB(cx);
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        const struct cin_program *p = lab_program(cx, row[i].statement, row[i].declarations);
        if (row[i].message)
            check_refused(cx, p, row[i].schedule, row[i].message);
        else
            lab_apply(cx, p, row[i].schedule);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        LAB_TEST(workspaces),
        LAB_TEST(parts),
        LAB_TEST(properties),
        LAB_TEST(index_types),
        LAB_TEST(convert_workspace),
        LAB_TEST(ordered_loops),
        LAB_TEST(refusals),
        LAB_TEST(parts_that_stand_elsewhere),
        LAB_TEST(fills),
        LAB_TEST(lists_refused),
        LAB_TEST(sequences),
        LAB_TEST(sequences_refused),
        LAB_TEST(reductions_stay),
        LAB_TEST(mistakes_are_shown_in_place),
    };
    return cmocka_run_group_tests_name("precompute", tests, NULL, NULL);
}
