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
        {"y(i) = A(i,j)", "A:csr",
         "parallelize(i, gpu_warp); parallelize(j, gpu_thread, warp_reduction, 8)",
         "parallelize(i, gpu_warp, no_races); parallelize(j, gpu_thread, warp_reduction, 8)"},
        {"Y(i,j) = X(i,j)", "", "parallelize(j, gpu_thread); parallelize(i, gpu_block)",
         "parallelize(j, gpu_thread, no_races); parallelize(i, gpu_block, no_races)"},
        /* what a loop around ignores is covered by updates that are atomic */
        {"y(j) = A(i,j)", "",
         "reorder(i, j); parallelize(i, gpu_block, IgnoreRaces); parallelize(j, gpu_thread, "
         "Atomics)",
         "parallelize(i, gpu_block, atomics); parallelize(j, gpu_thread, atomics)"},
        {"y(j) = A(i,j)", "",
         "reorder(i, j); parallelize(j, gpu_thread, atomics); "
         "parallelize(i, gpu_warp, ignore_races)",
         "parallelize(j, gpu_thread, atomics); parallelize(i, gpu_warp, atomics)"},
        {"y(j) = A(i,j)", "",
         "reorder(i, j); parallelize(i, gpu_block, atomics); "
         "parallelize(j, gpu_thread, ignore_races)",
         "parallelize(i, gpu_block, atomics); parallelize(j, gpu_thread, ignore_races)"},
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

/* The diagnostic says that, and underlines this. */
static void assert_says(struct context *cx, const char *message, const char *underlined)
{
    assert_int_equal(cx->diags.n, 1);
    const struct diag *diag = &cx->diags.at[0];
    assert_string_equal(diag->message, message);
    const char *under = diag->span.source ? diag->span.source->text + diag->span.begin : "";
    assert_string_equal(arena_printf(cx->arena, "%.*s", diag->span.end - diag->span.begin, under),
                        underlined);
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
        {false, "parallelize(i, gpu_thread, no_races, static, 4)",
         "parallelize: how parts are scheduled is said for threads of a CPU", "static"},
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
        assert_says(cx, row[i].message, row[i].underlined);
    }
}

/* ---- rows in bins ---- */

#define PRODUCT "reorder(i, k, j); precompute(B(i,k) * C(k,j), w, {j,j,jp}, bytemap); "
#define ROW_LANES(n)                                                        \
    "pos(jp, p, C(k,jp)); split(p, po, pi, down, " n "); reorder(pi, po); " \
    "parallelize(pi, gpu_thread)"

static void bins(void **state)
{
    static const struct {
        const char *schedule, *message, *underlined; /* NULL: right */
    } row[] = {
        {PRODUCT "parallelize(i, gpu_warp); bin(i, 96, 1536); " ROW_LANES("32"), NULL, NULL},
        {PRODUCT "parallelize(i, gpu_block); bin(i, 1, 2)", NULL, NULL},
        {PRODUCT "parallelize(i, gpu_warp)", NULL, NULL},
        {PRODUCT "bin(i, 96, 1536); parallelize(i, gpu_warp)",
         "bin: the loop over i has none of the units gpu_warp and gpu_block; parallelize goes "
         "before",
         "i"},
        {PRODUCT "parallelize(i, gpu_thread); bin(i, 96, 1536)",
         "bin: the loop over i has none of the units gpu_warp and gpu_block; parallelize goes "
         "before",
         "i"},
        {"parallelize(i, gpu_warp); bin(i, 96, 1536)",
         "bin: no workspace in the loop over i lists what it has, as a bytemap does", "i"},
        {PRODUCT "parallelize(i, gpu_warp); bin(i, 96)",
         "bin: it takes a loop, and the most room of rows in two bins", "bin(i, 96)"},
        {PRODUCT "parallelize(i, gpu_warp); bin(i, 0, 2)",
         "bin: the room is a number from 1 to 16384", "0"},
        {PRODUCT "parallelize(i, gpu_warp); bin(i, 96, 96)",
         "bin: the room of the second bin is a number above the first, 16384 at most", "96"},
        {PRODUCT "parallelize(i, gpu_thread)",
         "parallelize: w lists what it has, and such a row is made by a warp of 32 threads, or by "
         "a block, whose loop is in no other",
         "i"},
        {PRODUCT "parallelize(i, gpu_warp); " ROW_LANES("8"),
         "parallelize: w lists what it has, and such a row is made by a warp of 32 threads, or by "
         "a block, whose loop is in no other",
         "i"},
    };
    LAB(cx);
    cx->cuda = true;
    const struct cin_program *p =
        lab_program(cx, "A(i,j) = B(i,k) * C(k,j)", "A:csr; B:csr; C:csr");
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        cx->diags.n = 0;
        const struct cin_program *done = schedule_apply(cx, registry_schedules, p, row[i].schedule);
        bool right = done && tree_check_parallel(cx, tree_build(cx, done));
        assert_int_equal(right, !row[i].message);
        if (!right)
            assert_says(cx, row[i].message, row[i].underlined);
    }
}

/* ---- where workspaces are ---- */

#define TILE "split(j, j0, j1, down, 16); reorder(j0, i, j1); precompute(x(j), w, {j1,jc,jp}"

static void places(void **state)
{
    static const struct {
        bool c;
        const char *schedule, *format, *message, *underlined; /* NULL: right */
    } row[] = {
        {false, TILE ", dense, shared)", "format(w, dense, shared);", NULL, NULL},
        {false, TILE ", dense, shared, pad 1)", "format(w, dense, shared, pad 1);", NULL, NULL},
        {false, TILE ", register)", "format(w, dense, register);", NULL, NULL},
        {false, TILE ", bytemap, global)", "format(w, bytemap, global);", NULL, NULL},
        {false, TILE ", global)", "format(w, bytemap, global);", NULL, NULL},
        {true, TILE ", dense)", "format(w, dense);", NULL, NULL},
        {true, TILE ", dense, shared)", NULL,
         "precompute: shared is memory of a GPU, and the code is C", "shared"},
        {false, TILE ", bytemap, shared)", NULL,
         "precompute: a shared workspace is dense, and w has the format bytemap", "shared"},
        {false, TILE ", dense, shard)", NULL,
         "precompute: there is no place shard; a workspace is in register, shared or global",
         "shard"},
        {false, TILE ", dense, shared, pad 0)", NULL,
         "precompute: pad takes the number of components, up to 1024, by which a row is longer",
         "pad 0"},
        {false, TILE ", dense, shared, pad many)", NULL,
         "precompute: pad takes the number of components, up to 1024, by which a row is longer",
         "pad many"},
        {false, TILE ", dense, global, pad 1)", NULL,
         "precompute: rows of a shared workspace have a pad: shared, pad n", "pad 1"},
        {false, "precompute(x(j), w, {j,jc,jp}, dense, shared)", NULL,
         "precompute: the size of a shared workspace is known; split or bound gives the loops of w "
         "lengths",
         "shared"},
        {false, "bound(j, jb, 6145, exact); precompute(x(jb), w, {jb,jc,jp}, shared)", NULL,
         "precompute: w would have 49160 bytes, and what a block shares has 49152 at most",
         "shared"},
        {false, "bound(j, jb, 6144, exact); precompute(x(jb), w, {jb,jc,jp}, shared, pad 1)", NULL,
         "precompute: w would have 49160 bytes, and what a block shares has 49152 at most",
         "shared"},
        {false, "bound(j, jb, 6144, exact); precompute(x(jb), w, {jb,jc,jp}, shared)",
         "format(w, dense, shared);", NULL, NULL},
        {false, "bound(j, jb, 129, exact); precompute(x(jb), w, {jb,jc,jp}, register)", NULL,
         "precompute: w would have 1032 bytes, and what a thread has in registers has 1024 at most",
         "register"},
    };
    LAB(cx);
    const struct cin_program *p = lab_program(cx, "y(i) = A(i,j) * x(j)", "A:csr");
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        cx->cuda = !row[i].c;
        cx->diags.n = 0;
        const struct cin_program *q = schedule_apply(cx, registry_schedules, p, row[i].schedule);
        if (!q != !row[i].format)
            fail_msg("%s: %s", row[i].schedule, diag_render(cx));
        if (!q)
            assert_says(cx, row[i].message, row[i].underlined);
        else if (!strstr(arena_printf(cx->arena, "%s;", program_text(cx, q)), row[i].format))
            fail_msg("%s has no %s", program_text(cx, q), row[i].format);
    }
}

/* ---- the loops that a schedule leads to ---- */

#define ROWS      "split(i, b, w, down, 8); parallelize(b, gpu_block); parallelize(w, gpu_warp); "
#define POSITIONS "collapse(i, j, f); pos(f, p, A); "
#define NOT_IN_TURN(loop, y)                                                                      \
    "parallelize: temporary: nothing says that iterations of the loop over " loop " come to one " \
    "component of " y " after the other, and a GPU has no copy of " y " for each part"
#define LANES "pos(j, p, A); split(p, q, t, down, 8); reorder(t, q); "

static void nests(void **state)
{
    static const struct {
        const char *statement, *declarations, *schedule, *message, *underlined; /* NULL: right */
    } row[] = {
        /* a thread a row, in blocks of 256 */
        {"y(i) = A(i,j) * x(j)", "A:csr",
         "split(i, b, t, down, 256); parallelize(b, gpu_block); parallelize(t, gpu_thread)", NULL,
         NULL},
        {"y(i) = A(i,j) * x(j)", "A:csr", "parallelize(i, gpu_thread)", NULL, NULL},
        /* lanes a row */
        {"y(i) = A(i,j) * x(j)", "A:csr", ROWS LANES "parallelize(t, gpu_thread, warp_reduction)",
         NULL, NULL},
        {"y(i) = A(i,j) * x(j)", "A:csr", ROWS LANES "parallelize(t, gpu_thread, temporary)", NULL,
         NULL},
        {"y(i) = A(i,j) * x(j)", "A:csr",
         "parallelize(i, gpu_warp); " LANES "parallelize(t, gpu_thread, warp_reduction)", NULL,
         NULL},
        {"y(i) = A(i,j) * x(j)", "A:csr",
         "parallelize(i, gpu_block); pos(j, p, A); split(p, q, t, down, 96); reorder(t, q); "
         "parallelize(t, gpu_thread, warp_reduction)",
         NULL, NULL},
        /* columns to lanes, by a bound and by a size that is given */
        {"Y(i,r) = A(i,j) * X(j,r)", "A:csr",
         "reorder(i, r, j); bound(r, rb, 16, exact); parallelize(i, gpu_warp); "
         "parallelize(rb, gpu_thread)",
         NULL, NULL},
        {"Y(i,r) = A(i,j) * X(j,r)", "A:csr; r=2",
         "reorder(i, r, j); parallelize(i, gpu_warp); parallelize(r, gpu_thread)", NULL, NULL},
        /* a result with an operand's pattern, by positions; not of one that others thin out */
        {"C(i,j) = A(i,j) * B(i,k) * D(j,k)", "A:csr; C:csr; k=8",
         "collapse(i, j, f); pos(f, p, A); parallelize(p, gpu_warp); "
         "parallelize(k, gpu_thread, warp_reduction)",
         NULL, NULL},
        {"C(i,j) = 2 * A(i,j)", "A:csr; C:csr",
         "collapse(i, j, f); pos(f, p, A); parallelize(p, gpu_thread)", NULL, NULL},
        /* rows that are cut, with columns between; not where these are inside, nor without rows */
        {"Y(i,r) = A(i,j) * X(j,r)", "A:csr; r=8",
         "reorder(i, j, r); " POSITIONS "split(p, b, q, work, 64); reorder(b, r, q); "
         "parallelize(b, gpu_warp, temporary); parallelize(r, gpu_thread)",
         NULL, NULL},
        {"Y(i,r) = A(i,j) * X(j,r)", "A:csr; r=8",
         "reorder(i, j, r); " POSITIONS "split(p, b, q, work, 64); "
         "parallelize(b, gpu_warp, temporary); parallelize(r, gpu_thread)",
         NOT_IN_TURN("b", "Y"), "b"},
        {"Y(i,r) = A(i,j) * X(j,r)", "A:csr; r=8",
         "reorder(i, j, r); " POSITIONS "split(p, b, q, work, 64); split(q, t, e, down, 8); "
         "reorder(b, r, t, e); parallelize(b, gpu_warp, temporary); "
         "parallelize(t, gpu_thread, temporary)",
         NOT_IN_TURN("b", "Y"), "b"},
        {"y(i) = A(i,j) * x(j)", "",
         "split(j, b, q, down, 64); reorder(b, i, q); parallelize(b, gpu_warp, temporary)",
         NOT_IN_TURN("b", "y"), "b"},
        /* a thread merges by itself */
        {"y(i) = A(i,j) * B(i,j)", "A:csr; B:csr", "parallelize(i, gpu_thread)", NULL, NULL},
        /* ---- lengths ---- */
        {"y(i) = A(i,j) * x(j)", "A:csr",
         "parallelize(i, gpu_warp); parallelize(j, gpu_thread, warp_reduction)",
         "parallelize: the loop over j has a length that is not known; a team in a warp has 2, 4, "
         "8, 16 or 32 threads",
         "j"},
        {"y(i) = A(i,j) * x(j)", "j=24",
         "parallelize(i, gpu_warp); parallelize(j, gpu_thread, warp_reduction)",
         "parallelize: the loop over j has 24 iterations; a team in a warp has 2, 4, 8, 16 or 32 "
         "threads",
         "j"},
        {"y(i) = A(i,j) * x(j)", "j=1",
         "parallelize(i, gpu_warp); parallelize(j, gpu_thread, warp_reduction)",
         "parallelize: the loop over j has 1 iteration; a team in a warp has 2, 4, 8, 16 or 32 "
         "threads",
         "j"},
        {"y(i) = A(i,j) * x(j)", "j=64",
         "split(i, b, w, down, 4); parallelize(b, gpu_block); parallelize(w, gpu_warp); "
         "parallelize(j, gpu_thread, warp_reduction)",
         "parallelize: the loop over j has 64 iterations; a team in a warp has 2, 4, 8, 16 or 32 "
         "threads",
         "j"},
        {"Y(i,j) = X(i,j)", "", "parallelize(i, gpu_block); parallelize(j, gpu_thread)",
         "parallelize: the loop over j has a length that is not known; a block has a multiple of "
         "32 threads, 1024 at most",
         "j"},
        {"Y(i,j) = X(i,j)", "j=48", "parallelize(i, gpu_block); parallelize(j, gpu_thread)",
         "parallelize: the loop over j has 48 iterations; a block has a multiple of 32 threads, "
         "1024 at most",
         "j"},
        {"Y(i,j) = X(i,j)", "j=1056", "parallelize(i, gpu_block); parallelize(j, gpu_thread)",
         "parallelize: the loop over j has 1056 iterations; a block has a multiple of 32 threads, "
         "1024 at most",
         "j"},
        /* ---- order, when all directives are applied ---- */
        {"Y(i,j) = X(i,j)", "i=32",
         "parallelize(i, gpu_block); parallelize(j, gpu_thread); reorder(j, i)",
         "parallelize: the loop over i, of the unit gpu_block, is inside the loop over j, of the "
         "unit gpu_thread",
         "i"},
        /* ---- merges ---- */
        {"y(i) = A(i,j) * B(i,j)", "A:csr; B:csr; j=32",
         "parallelize(i, gpu_warp); parallelize(j, gpu_thread, warp_reduction)", NULL, NULL},
        {"y(i) = A(i,j) * B(i,j)", "A:csr; B:csr",
         "parallelize(i, gpu_block); parallelize(j, gpu_thread, warp_reduction, 64)", NULL, NULL},
        {"Y(i,j) = A(i,j) + X(i,j)", "A:csr",
         "parallelize(i, gpu_warp); parallelize(j, gpu_thread, no_races, 8)", NULL, NULL},
        {"Y(i,j) = A(i,j) + B(i,j)", "A:csr; B:csr; Y:csr",
         "parallelize(i, gpu_warp); parallelize(j, gpu_thread, no_races, 8)",
         "parallelize: Y is assembled in the order of the loop over j", "j"},
        /* so many threads share a loop, whatever it is */
        {"y(i) = A(i,j) * x(j)", "A:csr",
         "parallelize(i, gpu_warp); parallelize(j, gpu_thread, warp_reduction, 8)", NULL, NULL},
        {"y(i) = A(i,j) * B(i,j)", "A:csr; B:csr",
         "parallelize(i, gpu_warp); parallelize(j, gpu_thread, warp_reduction, 7)",
         "parallelize: the loop over j has 7 threads; a team in a warp has 2, 4, 8, 16 or 32 "
         "threads",
         "j"},
        {"y(i) = A(i,j) * B(i,j)", "A:csr; B:csr",
         "parallelize(i, gpu_block); parallelize(j, gpu_thread, warp_reduction, 8)",
         "parallelize: the loop over j has 8 threads; a block has a multiple of 32 threads, 1024 "
         "at most",
         "j"},
        {"y(i) = A(i,j) * B(i,j)", "A:csr; B:csr", "parallelize(i, gpu_thread, no_races, 8)",
         "parallelize: the loop over i is in no loop of the unit gpu_block or gpu_warp, of whose "
         "threads 8 could share it",
         "i"},
        {"y(i) = A(i,j) * x(j)", "A:csr; j=128",
         "split(j, t, u, down, 4); parallelize(i, gpu_warp); "
         "parallelize(t, gpu_thread, warp_reduction)",
         "parallelize: the loop over t goes along A in blocks of coordinates, so that a step is "
         "known only "
         "after the one before, and threads of a team go through theirs side by side",
         "t"},
        {"y(i) = A(i,j)", "A:dcsr", "parallelize(i, gpu_thread)", NULL, NULL},
        {"y(i) = x(i) + z(i)", "x:sparse; z:sparse", "parallelize(i, gpu_thread)", NULL, NULL},
        {"y(i) = A(i,j) * x(j)", "A:coo", "parallelize(i, gpu_block)", NULL, NULL},
        {"B(i,j) = A(i,j,k)", "A:coo; j=32", "parallelize(i, gpu_warp); parallelize(j, gpu_thread)",
         "parallelize: the loop over j goes along A, whose coordinates repeat, so that a step is "
         "known only after the one before, and threads of a team go through theirs side by side",
         "j"},
        {"y(i) = sum(j, A(i,j) + 2)", "A:csr; j=32",
         "parallelize(i, gpu_warp); parallelize(j, gpu_thread, warp_reduction)", NULL, NULL},
        /* ---- workspaces ---- */
        {"y(i) = A(i,j) * x(j)", "A:csr",
         TILE ", shared); parallelize(j0, gpu_block, atomics); split(jp, jq, t, down, 32)", NULL,
         NULL},
        {"y(i) = A(i,j) * x(j)", "A:csr", TILE ", shared)",
         "precompute: w is in shared memory, and no loop of the unit gpu_block is around it", ""},
        {"y(i) = A(i,j) * x(j)", "A:csr", TILE ", shared); parallelize(j0, gpu_warp, atomics)",
         "precompute: w is in shared memory, and no loop of the unit gpu_block is around it", ""},
        {"y(i) = A(i,j) * x(j)", "A:csr", TILE ", register)",
         "precompute: w is in registers, and no loop with a unit of a GPU is around it", ""},
        {"y(i) = A(i,j) * x(j)", "A:csr",
         TILE ", register); split(jp, a, b, down, 8); parallelize(j0, gpu_warp, atomics); "
              "parallelize(b, gpu_thread)",
         "precompute: w is in registers, and other threads have iterations of the loop over b, "
         "which makes it",
         ""},
        {"y(i) = A(i,j) * x(j)", "A:csr",
         TILE ", shared); split(j0, b, v, down, 384); parallelize(b, gpu_block, atomics); "
              "parallelize(v, gpu_warp, atomics)",
         NULL, NULL},
        {"y(i) = A(i,j) * x(j)", "A:csr",
         TILE ", shared); split(j0, b, v, down, 385); parallelize(b, gpu_block, atomics); "
              "parallelize(v, gpu_warp, atomics)",
         "parallelize: shared workspaces in the loop over b have more bytes than the 49152 of a "
         "block",
         "b"},
        {"y(i) = A(i,j) * x(j)", "A:csr",
         TILE ", shared); split(j0, b, v, up, 8); parallelize(b, gpu_block, atomics); "
              "parallelize(v, gpu_warp, atomics)",
         "precompute: w is in shared memory, one for each iteration of the loop over v, whose "
         "length is not known",
         ""},
        /* ---- races ---- */
        {"y(i) = A(i,j) * x(j)", "j=32", "parallelize(i, gpu_warp); parallelize(j, gpu_thread)",
         "parallelize: no_races: iterations of the loop over j combine into the same components "
         "of y",
         "j"},
        {"Y(i,j) = X(i,j)", "j=32",
         "parallelize(i, gpu_warp); parallelize(j, gpu_thread, warp_reduction)",
         "parallelize: warp_reduction: the loop over j does not reduce", "j"},
        {"y(j) = A(i,j)", "i=32",
         "split(j, b, t, down, 8); reorder(b, i, t); parallelize(b, gpu_warp); "
         "parallelize(i, gpu_thread, warp_reduction)",
         "parallelize: warp_reduction: the loop over i combines into several components of y", "i"},
        /* components that threads begin: those of entries, of fibers, of blocks of rows */
        {"y(i) = A(i,j) * x(j)", "A:csr", POSITIONS "parallelize(p, gpu_thread, temporary)", NULL,
         NULL},
        {"y(i) = A(i,j) * x(j)", "A:coo",
         POSITIONS "split(p, b, q, down, 256); split(q, t, e, down, 8); "
                   "parallelize(b, gpu_block, temporary); parallelize(t, gpu_thread, temporary)",
         NULL, NULL},
        {"Y(i,j) = B(i,j,k) * x(k)", "B:csf",
         "collapse(j, k, f); collapse(i, f, g); pos(g, p, B); parallelize(p, gpu_warp, temporary)",
         NULL, NULL},
        {"y(i) = A(i,j) * x(j)", "A:csr",
         POSITIONS "split(p, b, t, down, 32); parallelize(b, gpu_warp, ignore_races); "
                   "parallelize(t, gpu_thread, temporary)",
         NULL, NULL},
        /* ... that do not come one after the other: of columns; in two loops; entries without
         * an order; in strides; a row for each entry */
        {"y(j) = A(i,j)", "", "reorder(i, j); parallelize(i, gpu_thread, temporary)",
         NOT_IN_TURN("i", "y"), "i"},
        {"y(j) = A(i,j) * x(i)", "A:csr",
         "reorder(i, j); " POSITIONS "parallelize(p, gpu_thread, temporary)", NOT_IN_TURN("p", "y"),
         "p"},
        {"y(i) = A(i,j) * x(j)", "A:coo(unordered)", "parallelize(i, gpu_thread, temporary)",
         NOT_IN_TURN("i", "y"), "i"},
        {"y(i) = A(i,j) * x(j)", "A:csr",
         POSITIONS "split(p, q, t, down, 32); reorder(t, q); "
                   "parallelize(t, gpu_thread, temporary)",
         NOT_IN_TURN("t", "y"), "t"},
        {"Y(i,r) = A(i,j) * X(j,r)", "A:csr; r=32",
         "reorder(i, j, r); " POSITIONS "parallelize(p, gpu_warp, temporary); "
         "parallelize(r, gpu_thread)",
         NOT_IN_TURN("p", "Y"), "p"},
        {"y(j) = A(i,j)", "A:csr",
         "split(i, b, t, down, 32); reorder(b, t, j); parallelize(b, gpu_warp, ignore_races); "
         "parallelize(t, gpu_thread, temporary)",
         NOT_IN_TURN("b", "y"), "b"},
        {"a = x(i)", "", "parallelize(i, gpu_thread, warp_reduction)",
         "parallelize: warp_reduction: the loop over i is in no loop of the unit gpu_block or "
         "gpu_warp, whose threads could combine",
         "i"},
    };
    LAB(cx);
    cx->cuda = true;
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        const struct cin_program *p = lab_program(cx, row[i].statement, row[i].declarations);
        cx->diags.n = 0;
        const struct tree *tree = tree_build(cx, cin_unfold(cx, lab_apply(cx, p, row[i].schedule)));
        bool good = tree_check_parallel(cx, tree);
        if (good != !row[i].message)
            print_message("%s, %s\n%s", row[i].statement, row[i].schedule, diag_render(cx));
        assert_int_equal(good, !row[i].message);
        if (!good)
            assert_says(cx, row[i].message, row[i].underlined);
    }
}

/* ---- taco's ---- */

#define UNITS(block, warp, thread)                                                  \
    ", parallelize(block,GPUBlock," block "), parallelize(warp,GPUWarp," warp "), " \
    "parallelize(thread,GPUThread," thread ")"
#define ATOMIC_UNITS                                                                 \
    "parallelize(block, gpu_block, atomics); parallelize(warp, gpu_warp, atomics); " \
    "parallelize(thread, gpu_thread, atomics)"

/* The schedules with which taco's evaluation of its scheduling language runs on a GPU (its
 * test/tests-scheduling-eval.cpp), as they are written, and the tags that they become. */
static void of_taco(void **state)
{
    static const struct {
        const char *statement, *declarations, *schedule, *loops, *tags;
    } row[] = {
        {"y(i) = A(i,j) * x(j)", "A:csr",
         "fuse(i,j,f), pos(f,fpos,A), split(fpos,block,fpos1,2048), split(fpos1,warp,fpos2,256), "
         "split(fpos2,thread,thread_nz,8), reorder(block,warp,thread,thread_nz), "
         "precompute(A(i,j)*x(j),thread_nz,thread_nz_pre), "
         "unroll(thread_nz_pre,8)" UNITS("IgnoreRaces", "IgnoreRaces", "Atomics"),
         "forall(block) forall(warp) forall(thread) (forall(thread_nz) y(i) += "
         "workspace(thread_nz) where forall(thread_nz_pre) workspace(thread_nz_pre) = A(i2,j2) * "
         "x(j2)) : format(workspace, dense); ",
         "unroll(thread_nz_pre, 8); " ATOMIC_UNITS},
        /* a warp a row */
        {"y(i) = A(i,j) * x(j)", "A:csr",
         "split(i,block,block_row,256), split(block_row,warp_row,warp,8), pos(j,jpos,A), "
         "split(jpos,thread_nz,thread,32), "
         "reorder(block,warp,warp_row,thread,thread_nz)" UNITS("IgnoreRaces", "IgnoreRaces",
                                                               "Temporary"),
         "forall(block) forall(warp) forall(warp_row) forall(thread) forall(thread_nz) y(i) += "
         "A(i,j) * x(j) : ",
         "parallelize(block, gpu_block, ignore_races); parallelize(warp, gpu_warp, "
         "ignore_races); parallelize(thread, gpu_thread, temporary)"},
        {"C(i,k) = A(i,j) * B(j,k)", "A:csr",
         "reorder(i,j,k), fuse(i,j,f), pos(f,fpos,A), split(fpos,block,fpos1,64), "
         "split(fpos1,warp,nnz,8), split(k,dense_val_unbounded,thread,32), "
         "reorder(block,warp,thread,dense_val_unbounded,nnz), "
         "bound(dense_val_unbounded,dense_val,4,MaxExact), "
         "unroll(dense_val,4)" UNITS("IgnoreRaces", "IgnoreRaces", "Atomics"),
         "forall(block) forall(warp) forall(thread) forall(dense_val) forall(nnz) C(i,k) += "
         "A(i,j) * B(j,k) : ",
         "bound(dense_val_unbounded, dense_val, 4, exact); unroll(dense_val, 4); " ATOMIC_UNITS},
        {"A(i,k) = B(i,k) * C(i,j) * D(j,k)", "B:csr",
         "reorder(i,k,j), fuse(i,k,f), pos(f,fpos,B), split(fpos,block,fpos1,2048), "
         "split(fpos1,warp,nnz,256), split(j,dense_val_unbounded,thread,32), "
         "bound(dense_val_unbounded,dense_val,4,MaxExact), "
         "reorder(block,warp,nnz,thread,dense_val), "
         "unroll(dense_val,4)" UNITS("IgnoreRaces", "Atomics", "ParallelReduction"),
         "forall(block) forall(warp) forall(nnz) forall(thread) forall(dense_val) A(i,k) += "
         "B(i,k) * C(i,j) * D(j,k) : ",
         "parallelize(block, gpu_block, atomics); parallelize(warp, gpu_warp, atomics); "
         "parallelize(thread, gpu_thread, warp_reduction)"},
        {"A(i,j) = B(i,j,k) * c(k)", "B:csf",
         "fuse(j,k,jk), fuse(i,jk,f), pos(f,fpos,B), split(fpos,block,fpos1,2048), "
         "split(fpos1,warp,fpos2,256), split(fpos2,thread,thread_nz,8), "
         "reorder(block,warp,thread,thread_nz), "
         "precompute(B(i,j,k)*c(k),thread_nz,thread_nz_pre), "
         "unroll(thread_nz_pre,8)" UNITS("IgnoreRaces", "IgnoreRaces", "Atomics"),
         "forall(block) forall(warp) forall(thread) (forall(thread_nz) A(i,j) += "
         "workspace(thread_nz) where forall(thread_nz_pre) workspace(thread_nz_pre) = "
         "B(i2,j2,k2) * c(k2)) : format(workspace, dense); ",
         "unroll(thread_nz_pre, 8); " ATOMIC_UNITS},
        {"A(i,j,l) = B(i,j,k) * C(k,l)", "B:csf",
         "reorder(i,j,k,l), fuse(j,k,jk), fuse(i,jk,f), pos(f,fpos,B), "
         "split(fpos,block,fpos1,2048), split(fpos1,warp,nnz,256), "
         "split(l,dense_val_unbounded,thread,32), "
         "bound(dense_val_unbounded,dense_val,4,MaxExact), "
         "reorder(block,warp,nnz,thread,dense_val), "
         "unroll(dense_val,4)" UNITS("IgnoreRaces", "IgnoreRaces", "Atomics"),
         "forall(block) forall(warp) forall(nnz) forall(thread) forall(dense_val) A(i,j,l) += "
         "B(i,j,k) * C(k,l) : ",
         "unroll(dense_val, 4); " ATOMIC_UNITS},
        {"A(i,j) = B(i,k,l) * C(k,j) * D(l,j)", "B:csf",
         "reorder(i,k,l,j), fuse(k,l,kl), fuse(i,kl,f), pos(f,fpos,B), "
         "split(fpos,block,fpos1,128), split(fpos1,warp,nnz,16), "
         "split(j,dense_val_unbounded,thread,32), "
         "bound(dense_val_unbounded,dense_val,1,MaxExact), "
         "reorder(block,warp,dense_val,thread,nnz)" UNITS("IgnoreRaces", "IgnoreRaces", "Atomics"),
         "forall(block) forall(warp) forall(dense_val) forall(thread) forall(nnz) A(i,j) += "
         "B(i,k,l) * C(k,j) * D(l,j) : ",
         "bound(dense_val_unbounded, dense_val, 1, exact); " ATOMIC_UNITS},
        /* words alone */
        {"y(i) = A(i,j)", "j=32",
         "parallelize(i,GPUWarp,NoRaces), parallelize(j,GPUThread,GPUReduction)", "",
         "parallelize(i, gpu_warp, no_races); parallelize(j, gpu_thread, warp_reduction)"},
        {"a = x(i)", "", "parallelize(i,GPUWarp,ParallelReduction)", "",
         "parallelize(i, gpu_warp, temporary)"},
        {"a = x(i)", "", "parallelize(i,GPUBlock,Temporary)", "",
         "parallelize(i, gpu_block, temporary)"},
    };
    LAB(cx);
    cx->cuda = true;
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        const struct cin_program *p = lab_program(cx, row[i].statement, row[i].declarations);
        p = lab_apply(cx, p, row[i].schedule);
        const char *text = program_text(cx, p), *end = text + strlen(text) - strlen(row[i].tags);
        if (strncmp(text, row[i].loops, strlen(row[i].loops)) != 0 || strcmp(end, row[i].tags) != 0)
            fail_msg("%s is not %s ... %s", text, row[i].loops, row[i].tags);
        if (!tree_check_parallel(cx, tree_build(cx, cin_unfold(cx, p))))
            fail_msg("%s", diag_render(cx));
    }
}

/* What spcc explain says of the loops. */
static void explained(void **state)
{
    LAB(cx);
    cx->cuda = true;
    const struct cin_program *p = lab_program(cx, "y(i) = A(i,j) * x(j)", "A:csr");
    p = lab_apply(cx, p, ROWS LANES "parallelize(t, gpu_thread, warp_reduction)");
    struct text text = text_new(cx->arena);
    tree_print_parallel(cx, &text, tree_build(cx, cin_unfold(cx, p)));
    assert_string_equal(
        text.at, "  the loop over b, among blocks of a GPU; there are no races\n"
                 "  the loop over w, among warps of a GPU; there are no races\n"
                 "  the loop over t, among threads of a GPU; y is combined among the threads of a "
                 "team\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        LAB_TEST(accepted), LAB_TEST(refused), LAB_TEST(bins),      LAB_TEST(places),
        LAB_TEST(nests),    LAB_TEST(of_taco), LAB_TEST(explained),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
