/* test_gpu_plan.c - which loops a GPU's threads share, if no directive says so: a shape for each
 * kind of loop, and what is said of those that have none.
 *
 * SPDX-License-Identifier: MIT
 */
#include <string.h>

#include "compiler/base/text.h"
#include "compiler/plan/plan.h"
#include "compiler/registry.h"
#include "tests/concrete/support.h"

/* The directives behind those of the plan for any machine, and what is said of them. */
static const char *shared(struct context *cx, const char *statement, const char *declarations,
                          struct text *report)
{
    const struct cin_program *program = lab_program(cx, statement, declarations);
    const struct plan_result serial = plan_program(cx, program, NULL),
                             plan = plan_gpu(cx, serial.program, report);
    lab_check_reads_back(cx, serial.program, plan.schedule, plan.program);
    struct text again = text_new(cx->arena);
    assert_string_equal(plan_gpu(cx, plan.program, &again).schedule, "");
    return plan.schedule;
}

static void shapes(void **state)
{
    static const struct {
        const char *statement, *declarations, *schedule;
    } row[] = {
        /* ---- columns ---- */
        {"Y(i,k) = A(i,j) * X(j,k)", "A:csr; k=32",
         "reorder(i, k, j); parallelize(i, gpu_warp, no_races); "
         "parallelize(k, gpu_thread, no_races)"},
        {"Y(i,k) = A(i,j) * X(j,k)", "A:csr; k=8",
         "reorder(i, k, j); parallelize(i, gpu_warp, no_races); "
         "parallelize(k, gpu_thread, no_races)"},
        {"Y(i,k) = A(i,j) * X(j,k)", "A:csr; k=20",
         "reorder(i, k, j); parallelize(i, gpu_warp, no_races); split(k, ko, ki, down, 32); "
         "reorder(ki, ko); parallelize(ki, gpu_thread, no_races)"},
        {"Y(i,k) = A(i,j) * X(j,k)", "A:csr; k=7", "parallelize(i, gpu_thread, no_races)"},
        {"Y(i,k) = A(i,j) * X(j,k)", "",
         "reorder(i, k, j); parallelize(i, gpu_warp, no_races); split(k, ko, ki, down, 32); "
         "reorder(ki, ko); parallelize(ki, gpu_thread, no_races)"},
        {"A(i,j) = B(i,k,l) * C(k,j) * D(l,j)", "B:sss; j=16",
         "reorder(i, j, k, l); parallelize(i, gpu_warp, no_races); "
         "parallelize(j, gpu_thread, no_races)"},
        {"A(i,j,l) = B(i,j,k) * C(k,l)", "B:sss; l=16",
         "collapse(i, j, f); pos(f, p, B(i,j,k)); reorder(p, l, k); "
         "parallelize(p, gpu_warp, no_races); parallelize(l, gpu_thread, no_races)"},
        /* ---- values on a pattern ---- */
        {"A(i,j) = B(i,j) * C(i,k) * D(j,k)", "A:csr; B:csr",
         "collapse(i, j, f); pos(f, p, B(i,j)); parallelize(p, gpu_warp, no_races); "
         "split(k, ko, ki, down, 8); reorder(ki, ko); "
         "parallelize(ki, gpu_thread, warp_reduction)"},
        {"A(i,j) = B(i,j) * C(i,k) * D(j,k)", "A:csr; B:csr; k=8",
         "collapse(i, j, f); pos(f, p, B(i,j)); parallelize(p, gpu_warp, no_races); "
         "split(k, ko, ki, down, 4); reorder(ki, ko); "
         "parallelize(ki, gpu_thread, warp_reduction)"},
        {"A(i,j) = 2 * B(i,j)", "A:csr; B:csr",
         "collapse(i, j, f); pos(f, p, B(i,j)); parallelize(p, gpu_thread, no_races)"},
        {"D(i,j,k) = A(i,j,k)", "A:coo",
         "collapse(i, j, f); collapse(f, k, f2); pos(f2, p, A(i,j,k)); "
         "parallelize(p, gpu_thread, no_races)"},
        /* ---- parts of what is added up along rows ---- */
        {"y(i) = A(i,j) * x(j)", "A:csr",
         "collapse(i, j, f); pos(f, p, A(i,j)); "
         "split(p, po, pi, work, 1024); split(pi, pio, pii, down, 8); "
         "parallelize(po, gpu_block, temporary); parallelize(pio, gpu_thread, temporary)"},
        {"y(i) = A(i,j) * x(j)", "A:coo",
         "collapse(i, j, f); pos(f, p, A(i,j)); "
         "split(p, po, pi, down, 1024); split(pi, pio, pii, down, 8); "
         "parallelize(po, gpu_block, temporary); parallelize(pio, gpu_thread, temporary)"},
        {"y(i) = A(i,j)", "A:csr/i64; y:d/i64",
         "collapse(i, j, f); pos(f, p, A(i,j)); "
         "split(p, po, pi, work, 1024); split(pi, pio, pii, down, 8); "
         "parallelize(po, gpu_block, temporary); parallelize(pio, gpu_thread, temporary)"},
        {"A(i,j) = B(i,j,k) * c(k)", "B:sss",
         "collapse(i, j, f); collapse(f, k, f2); pos(f2, p, B(i,j,k)); "
         "split(p, po, pi, work, 1024); split(pi, pio, pii, down, 8); "
         "parallelize(po, gpu_block, temporary); parallelize(pio, gpu_thread, temporary)"},
        /* ---- one component, as a sum by block, then by one block ---- */
        {"s = x(i) * y(i)", "", "parallelize(i, gpu_thread, temporary)"},
        {"s = A(i,j)", "A:csr",
         "collapse(i, j, f); pos(f, p, A(i,j)); parallelize(p, gpu_thread, temporary)"},
        {"s = A(i,j) * B(i,j)", "A:csr; B:csr",
         "parallelize(i, gpu_warp, temporary); parallelize(j, gpu_thread, warp_reduction, 8)"},
        {"y(i) = x(i) / sum(k, x(k))", "",
         "parallelize(i, gpu_thread, no_races); parallelize(k, gpu_thread, temporary)"},
        /* ---- teams along rows ---- */
        {"r(i) = b(i) - A(i,j) * x(j)", "A:csr",
         "parallelize(i, gpu_warp, no_races); pos(j, p, A(i,j)); split(p, po, pi, down, 8); "
         "reorder(pi, po); parallelize(pi, gpu_thread, warp_reduction)"},
        {"y(i) = A(i,j) * x(j)", "",
         "parallelize(i, gpu_warp, no_races); split(j, jo, ji, down, 32); reorder(ji, jo); "
         "parallelize(ji, gpu_thread, warp_reduction)"},
        {"y(i) = A(i,j) * x(j)", "j=16",
         "parallelize(i, gpu_warp, no_races); split(j, jo, ji, down, 8); reorder(ji, jo); "
         "parallelize(ji, gpu_thread, warp_reduction)"},
        /* ---- dense ---- */
        {"y(i) = x(i)", "", "parallelize(i, gpu_thread, no_races)"},
        /* ---- tiles ---- */
        {"B(i,j) = A(j,i)", "",
         "split(i, io, ii, down, 32); split(j, jo, ji, down, 32); reorder(io, jo, ii, ji); "
         "collapse(io, jo, f); "
         "precompute(A(j,i), w, {ji,ji,jip}, {ii,ii,iip}, dense, shared, pad 1); "
         "reorder(jip, iip); parallelize(f, gpu_block, no_races); split(jip, jipo, jipi, down, 8); "
         "reorder(jipi, jipo); parallelize(jipi, gpu_warp, no_races); "
         "parallelize(iip, gpu_thread, no_races); "
         "split(ii, iio, iii, down, 8); reorder(iii, iio); parallelize(iii, gpu_warp, no_races); "
         "parallelize(ji, gpu_thread, no_races)"},
        {"B(i,j) = 2 * A(j,i) + C(i,j)", "i=32; j=100",
         "split(i, io, ii, down, 32); split(j, jo, ji, down, 32); reorder(io, jo, ii, ji); "
         "collapse(io, jo, f); "
         "precompute(A(j,i), w, {ji,ji,jip}, {ii,ii,iip}, dense, shared, pad 1); "
         "reorder(jip, iip); parallelize(f, gpu_block, no_races); split(jip, jipo, jipi, down, 8); "
         "reorder(jipi, jipo); parallelize(jipi, gpu_warp, no_races); "
         "parallelize(iip, gpu_thread, no_races); "
         "split(ii, iio, iii, down, 8); reorder(iii, iio); parallelize(iii, gpu_warp, no_races); "
         "parallelize(ji, gpu_thread, no_races)"},
        {"B(i,j) = A(j,i)", "i=24; j=256",
         "parallelize(i, gpu_block, no_races); parallelize(j, gpu_thread, no_races)"},
        {"B(i,j) = A(i,j)", "j=64",
         "parallelize(i, gpu_block, no_races); parallelize(j, gpu_thread, no_races)"},
        {"B(i,j) = A(i,j)", "j=16",
         "parallelize(i, gpu_warp, no_races); parallelize(j, gpu_thread, no_races)"},
        {"y(j) = A(i,j)", "", "reorder(j, i); parallelize(j, gpu_thread, no_races)"},
        /* ---- blocks of what rows race in ---- */
        {"y(i) = A(i,j) * x(j)", "A:dia",
         "split(i, io, ii, down, 256); reorder(io, d, ii); parallelize(io, gpu_block, no_races); "
         "parallelize(ii, gpu_thread, no_races)"},
        /* ---- what has no order to lose ---- */
        {"y(j) = A(i,j)", "A:csr/i64; y:d/i64",
         "collapse(i, j, f); pos(f, p, A(i,j)); parallelize(p, gpu_thread, atomics)"},
        /* ---- merges inside: lanes have parts, but of a result that is assembled ---- */
        {"y(i) = A(i,j) * B(i,j)", "A:csr; B:csr",
         "parallelize(i, gpu_warp, no_races); parallelize(j, gpu_thread, warp_reduction, 8)"},
        {"D(i,j) = A(i,j) + B(i,j)", "A:csr; B:csr",
         "parallelize(i, gpu_warp, no_races); parallelize(j, gpu_thread, no_races, 8)"},
        {"y(i) = max(j, A(i,j) * x(j))", "A:csr",
         "parallelize(i, gpu_warp, no_races); parallelize(j, gpu_thread, warp_reduction, 8)"},
        {"D(i,j) = A(i,j) + B(i,j)", "A:csr; B:csr; D:csr", "parallelize(i, gpu_thread, no_races)"},
        {"D(i,j,k) = A(i,j,k) + B(i,j,k)", "A:sss; B:sss", "parallelize(i, gpu_thread, no_races)"},
    };
    LAB(cx);
    cx->cuda = true;
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        struct text report = text_new(cx->arena);
        assert_string_equal(shared(cx, row[i].statement, row[i].declarations, &report),
                            row[i].schedule);
    }
}

/* Half as many lanes as a row has entries on average, if that is known, and that none is much
 * longer. */
static void known_rows(void **state)
{
    static const struct {
        int entries, longest, lanes; /* 0: parts */
    } row[] = {{3000, 24, 1},    {4000, 4, 2},  {16000, 128, 8},    {28000, 40, 8},
               {32000, 100, 16}, {4000, 40, 0}, {900000, 1000, 32}, {3000, 900, 0},
               {16000, 129, 0},  {16000, -1, 0}};
    LAB(cx);
    cx->cuda = true;
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        const struct cin_program *program =
            lab_program(cx, "y(i) = A(i,j) * x(j)", "A:csr; i=1000; j=1000");
        struct cin_list read = cin_operands(cx, program->statement);
        int64_t positions[] = {1000, row[i].entries}, longest[] = {1000, row[i].longest};
        struct tensor_var *tensor = (void *)(size_t)read.at[0]->tensor;
        tensor->positions = positions;
        tensor->longest = row[i].longest < 0 ? NULL : longest;
        struct text report = text_new(cx->arena);
        const char *plan = plan_gpu(cx, program, &report).schedule;
        const char *split =
            row[i].lanes ? arena_printf(cx->arena, "split(p, po, pi, down, %d)", row[i].lanes)
                         : "parallelize(po, gpu_block, temporary)";
        if (row[i].lanes != 1)
            assert_non_null(strstr(plan, split));
        else
            assert_string_equal(plan, "parallelize(i, gpu_thread, no_races)");
    }
}

/* A lane for each eight steps of a merge, if that is known; eight where a row is much longer. */
static void known_merges(void **state)
{
    static const struct {
        int entries, longest, lanes; /* of either operand; 1: a thread has a row */
    } row[] = {{7000, 20, 1}, {8000, 20, 2}, {40000, 50, 8}, {7000, 900, 8}, {400000, 1000, 32}};
    LAB(cx);
    cx->cuda = true;
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        const struct cin_program *program =
            lab_program(cx, "y(i) = A(i,j) * B(i,j)", "A:csr; B:csr; i=1000; j=1000");
        struct cin_list read = cin_operands(cx, program->statement);
        int64_t positions[] = {1000, row[i].entries}, longest[] = {1000, row[i].longest};
        for (size_t r = 0; r < read.n; r++) {
            struct tensor_var *tensor = (void *)(size_t)read.at[r]->tensor;
            tensor->positions = positions;
            tensor->longest = longest;
        }
        struct text report = text_new(cx->arena);
        assert_string_equal(plan_gpu(cx, program, &report).schedule,
                            row[i].lanes == 1
                                ? "parallelize(i, gpu_thread, no_races)"
                                : arena_printf(cx->arena,
                                               "parallelize(i, gpu_warp, no_races); "
                                               "parallelize(j, gpu_thread, warp_reduction, %d)",
                                               row[i].lanes));
    }
}

/* Rows with columns are cut where one is known to be much longer than others, whose team would
 * take as long as all the rest. */
static void known_columns(void **state)
{
    static const char rows[] = "reorder(i, k, j); parallelize(i, gpu_warp, no_races); "
                               "parallelize(k, gpu_thread, no_races)",
                      cut[] = "collapse(i, j, f); pos(f, p, A(i,j)); "
                              "split(p, po, pi, work, 256); reorder(po, k, pi); "
                              "parallelize(po, gpu_warp, temporary); "
                              "parallelize(k, gpu_thread, no_races)";
    static const struct {
        int longest; /* -1: that is not known */
        const char *plan;
    } row[] = {{16, rows}, {128, rows}, {129, cut}, {1000, cut}, {-1, rows}};
    LAB(cx);
    cx->cuda = true;
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        const struct cin_program *program =
            lab_program(cx, "Y(i,k) = A(i,j) * X(j,k)", "A:csr; i=1000; j=1000; k=32");
        struct cin_list read = cin_operands(cx, program->statement);
        int64_t positions[] = {1000, 16000}, longest[] = {1000, row[i].longest};
        struct tensor_var *tensor = (void *)(size_t)read.at[0]->tensor;
        tensor->positions = positions;
        tensor->longest = row[i].longest < 0 ? NULL : longest;
        struct text report = text_new(cx->arena);
        program = plan_program(cx, program, NULL).program;
        const char *plan = plan_gpu(cx, program, &report).schedule;
        assert_string_equal(plan, row[i].plan);
    }
}

/* What sums of floats in no order would be worth is said, not done. */
static void consented(void **state)
{
    static const struct {
        const char *statement, *declarations, *order, *with;
    } row[] = {
        {"y(j) = A(i,j)", "A:csr", "reorder(i, j)",
         "collapse(i, j, f); pos(f, p, A(i,j)); parallelize(p, gpu_thread, atomics)"},
        {"y(i) = A(i,j)", "A:csc", "reorder(j, i)",
         "collapse(j, i, f); pos(f, p, A(i,j)); parallelize(p, gpu_thread, atomics)"},
        {"Y(i,k) = A(i,j) * X(j,k)", "A:coo(unordered); k=32", "reorder(i, k, j)",
         "parallelize(i, gpu_warp, atomics); parallelize(k, gpu_thread, no_races)"},
        {"y(j) = A(i,j)", "A:csr/i64; y:d/i64", "", NULL},
        {"y(j) = max(i, A(i,j))", "A:csr", "", NULL},
        {"s = A(i,j)", "A:csr", "", NULL},
    };
    LAB(cx);
    cx->cuda = true;
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        const struct cin_program *program =
            schedule_apply(cx, registry_schedules,
                           lab_program(cx, row[i].statement, row[i].declarations), row[i].order);
        const struct plan_result serial = plan_program(cx, program, NULL);
        struct text report = text_new(cx->arena);
        const struct plan_result plan = plan_gpu(cx, serial.program, &report);
        if (!row[i].with) {
            assert_null(plan.consented);
            continue;
        }
        assert_null(strstr(plan.schedule, "atomics"));
        assert_non_null(plan.consented);
        assert_string_equal(plan.consented, row[i].with);
    }
}

static void reported(void **state)
{
    static const struct {
        const char *statement, *declarations, *report;
    } row[] = {
        {"y(i) = A(i,j) * x(j)", "A:csr",
         "the loop over i: a block of 128 has parts of 1024 entries, ends of rows among them"},
        {"y(i) = A(i,j) * x(j)", "A:coo",
         "the loop over i: a block of 128 has parts of 1024 entries, whatever rows they are of"},
        {"r(i) = b(i) - A(i,j) * x(j)", "A:csr",
         "the loop over i: a team of 8 lanes has a row, and they go along it together"},
        {"Y(i,k) = A(i,j) * X(j,k)", "A:csr; k=100",
         "the loop over i: a team of 32 lanes has a row, and each lane columns of k"},
        {"B(i,j) = A(j,i)", "", "the loop over i: a block has a tile of 32 x 32, in shared memory"},
        {"B(i,j) = A(i,j)", "",
         "the loop over i: a block of 256 has a row, and each thread elements of it"},
        {"y(i) = A(i,j) * x(j)", "A:dia", "the loop over d: a block has 256 coordinates of i"},
        {"y(i) = A(i,j) * x(j)", "A:dia; i=1000; j=1000",
         "the loop over d: a block has 256 coordinates of i"},
        {"y(j) = A(i,j)", "A:csr/i64; y:d/i64",
         "the loop over i: a thread has a row, and updates are atomic"},
        {"y(i) = x(i) / sum(k, x(k))", "",
         "the loop over i: a thread has a row; the loop over k: a thread has a row, and one block "
         "adds up what blocks have"},
        {"y(j) = A(i,j)", "A:csr",
         "the loop over j: a team of 8 lanes has a row, and they go along it together; the loop "
         "over ip: a thread has a row"},
        {"y(k) = A(i,j) * B(j,k) * x(i)", "A:csr; B:csr",
         "the loop over k: a team of 8 lanes has a row, and they go along it together; "
         "the loop over jp2: a thread has a row; "
         "the loop over jp: a team of 8 lanes has a row, and they go along it together; "
         "the loop over ip: a thread has a row"},
        {"y(i) = x(i) + z(i)", "x:sparse; z:sparse",
         "the loop over i: a thread has rows that follow each other, as much work as others"},
        {"D(i,j) = A(i,j) + B(i,j)", "A:csr; B:csc",
         "the loop over i: a team of 8 lanes has a row, and they go along it together; the loop "
         "over jp: a thread has a row"},
        {"y(i) = x(i) + z(i)",
         "x:(i) -> (i : compressed(unordered)); z:(i) -> (i : compressed(unordered))",
         "the loop over i: a thread has rows that follow each other, as much work as others; the "
         "loop over ip: a thread has a row; the loop over ip2: a thread has a row"},
        {"s = B(0,j)", "B:coo(unordered)",
         "the loop over j: a thread has a row, and one block adds up what blocks have; the loop "
         "over B1_at_0_1 is one thread's: it is of none of the shapes that threads share; w is a "
         "list, to which threads would append together"},
        {"C(i,j) = A(i,j) + B(i,j)", "A:csr; B:csr; C:csr", "the loop over i: a thread has a row"},
    };
    LAB(cx);
    cx->cuda = true;
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        struct text report = text_new(cx->arena);
        shared(cx, row[i].statement, row[i].declarations, &report);
        assert_string_equal(report.at, row[i].report);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {LAB_TEST(shapes),        LAB_TEST(known_rows),
                                       LAB_TEST(known_columns), LAB_TEST(known_merges),
                                       LAB_TEST(consented),     LAB_TEST(reported)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
