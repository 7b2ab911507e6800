/* test_gpu_schedule.c - the units of a GPU in schedules: which nests of loops may have them, and
 * what is said of the others.
 *
 * SPDX-License-Identifier: MIT
 */
#include <string.h>

#include "compiler/base/text.h"
#include "compiler/registry.h"
#include "compiler/schedule.h"
#include "tests/concrete/support.h"

static const char *program_text(struct context *cx, const struct cin_program *program)
{
    struct text text = text_new(cx->arena);
    cin_print_program(cx, &text, program);
    return text.at;
}

/* What stands behind the statement. */
static const char *tags(struct context *cx, const struct cin_program *program)
{
    const char *text = program_text(cx, program), *at = strstr(text, " : ");
    return at ? at + 3 : "";
}

static void accepted(void **state)
{
    static const struct {
        const char *statement, *declarations, *schedule, *tags;
    } row[] = {
        {"z(i) = x(i)", "", "parallelize(i, gpu_thread)", "parallelize(i, gpu_thread, no_races)"},
        {"z(i) = x(i)", "", "parallelize(i, gpu_warp, no_races)",
         "parallelize(i, gpu_warp, no_races)"},
        {"z(i) = x(i)", "", "parallelize(i, GPUBlock, NoRaces)",
         "parallelize(i, gpu_block, no_races)"},
        {"y(i) = A(i,j)", "A:csr",
         "parallelize(i, gpu_block); parallelize(j, gpu_thread, warp_reduction)",
         "parallelize(i, gpu_block, no_races); parallelize(j, gpu_thread, warp_reduction)"},
        {"Y(i,j) = X(i,j)", "", "parallelize(j, gpu_thread); parallelize(i, gpu_block)",
         "parallelize(j, gpu_thread, no_races); parallelize(i, gpu_block, no_races)"},
    };
    LAB(cx);
    cx->cuda = true;
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        const struct cin_program *p = lab_program(cx, row[i].statement, row[i].declarations),
                                 *q = lab_apply(cx, p, row[i].schedule);
        assert_string_equal(tags(cx, q), row[i].tags);
        lab_check_reads_back(cx, p, row[i].schedule, q);
        assert_non_null(cin_gpu(q, q->statement));
        assert_null(cin_gpu(p, p->statement));
    }
}

static void refused(void **state)
{
    static const struct {
        bool c; /* the code is C */
        const char *schedule, *message, *underlined;
    } row[] = {
        {true, "parallelize(i, gpu_block)",
         "parallelize: gpu_block is a unit of a GPU, and the code is C", "gpu_block"},
        {true, "parallelize(i, cpu_thread, warp_reduction)",
         "parallelize: warp_reduction is what threads of a GPU do with each other: the unit is "
         "gpu_thread",
         "warp_reduction"},
        {false, "parallelize(i)",
         "parallelize: cpu_thread is a unit of a CPU, and the code is for a GPU, whose units are "
         "gpu_block, gpu_warp and gpu_thread",
         "i"},
        {false, "parallelize(i, CPUThread, NoRaces)",
         "parallelize: cpu_thread is a unit of a CPU, and the code is for a GPU, whose units are "
         "gpu_block, gpu_warp and gpu_thread",
         "CPUThread"},
        {false, "vectorize(j)", "vectorize: code for a GPU has no vectors", "j"},
        {false, "parallelize(i, gpu_thread); parallelize(j, gpu_block)",
         "parallelize: the loop over j, of the unit gpu_block, is inside the loop over i, of the "
         "unit gpu_thread; from the outermost in, units are gpu_block, gpu_warp and gpu_thread, "
         "each at most once",
         "j"},
        {false, "parallelize(j, gpu_warp); parallelize(i, gpu_warp)",
         "parallelize: the loop over i, of the unit gpu_warp, contains the loop over j, of the "
         "unit gpu_warp; from the outermost in, units are gpu_block, gpu_warp and gpu_thread, "
         "each at most once",
         "i"},
        {false, "parallelize(i, gpu_block, warp_reduction)",
         "parallelize: warp_reduction is what threads of a GPU do with each other: the unit is "
         "gpu_thread",
         "warp_reduction"},
    };
    LAB(cx);
    const struct cin_program *p = lab_program(cx, "Y(i,j) = A(i,j)", "A:csr");
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        cx->cuda = !row[i].c;
        cx->diags.n = 0;
        assert_null(schedule_apply(cx, registry_schedules, p, row[i].schedule));
        assert_int_equal(cx->diags.n, 1);
        const struct diag *diag = &cx->diags.at[0];
        assert_string_equal(diag->message, row[i].message);
        assert_string_equal(arena_printf(cx->arena, "%.*s", diag->span.end - diag->span.begin,
                                         diag->span.source->text + diag->span.begin),
                            row[i].underlined);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        LAB_TEST(accepted),
        LAB_TEST(refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
