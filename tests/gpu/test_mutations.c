/* test_mutations.c - what lowering could do wrong to a launch is found in the interpreter, by name:
 * kernels of tests/golden/cuda with one fault each, in ten orders of threads.
 *
 * SPDX-License-Identifier: MIT
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "compiler/base/text.h"
#include "compiler/imperative/text/parse.h"
#include "tests/gpu/golden.h"
#include "tests/imperative/protect.h"

/* Each block comes to several parts. */
enum { BLOCKS = 1, ORDERS = 10 };

/* In the kernel of a golden, where `from` stands for the first time, `to` stands instead: what is
 * found has these words in it. */
struct mutation {
    const char *golden, *from, *to, *fault, *where;
};

static const struct mutation barriers[] = {
    /* those of the block's sum: before the first warp reads, and before the next row's writes */
    {"spmv_block", "    barrier\n    f64 end", "    f64 end", "ends", "`ends[thread / 32] = sum`"},
    {"spmv_block", "            barrier\n", "", "ends", "`ends[thread / 32] = sum`"},
};

static const struct mutation exchanges[] = {
    {"spmv_teams", "lane_xor(sum, 4, 8)", "lane_xor(sum, 8, 8)", "asks for lane 8 of 8",
     "`sum += lane_xor(sum, 8, 8)`"},
    {"row_maxima", "i32(16), 32)", "i32(32), 32)", "asks for lane 32 of 32", "lane_xor("},
    /* lanes of which some have no part of the row */
    {"spmv_teams", "            y_val = sum_team8_f64(y_val)\n",
     "            if (p_size > mod(thread, 8)) {\n"
     "                y_val = sum_team8_f64(y_val)\n            }\n",
     "comes to `sum += lane_xor(sum, 4, 8)`", "without thread "},
};

static const struct mutation atomics[] = {
    {"column_sums", "atomic y_vals[", "y_vals[", "y_vals[", "`y_vals[j] += A_vals[pA2]`"},
    {"taco_spmm", "atomic ", "", "C_vals[", "is written by thread"},
    {"taco_spmv", "atomic ", "", "y_vals[", "thread"},
    /* all lanes store what one of them has to */
    {"spmv_teams", "if (mod(thread, 8) == 0)", "if (mod(thread, 8) >= 0)", "y_vals[",
     "`y_vals[i] = y_val`"},
};

static const struct mutation arrays[] = {
    {"spmv_block", "y_val_ends[33]", "y_val_ends[3]", "[3] is out of bounds", "3 elements"},
};

static const struct mutation bounds[] = {
    /* one part more */
    {"spmv_rows", "i < (i64)A1_dimension", "i < (i64)A1_dimension + 1",
     "A2_pos[22] is out of bounds", "A2_pos"},
    {"rows_merged", "find_first_i32(A2_crd, pA2_begin, (i64)A2_pos[i + 1], (i64)j_past)",
     "find_first_i32(A2_crd, pA2_begin, (i64)A2_pos[i + 1], (i64)j_past - 1)", "y(", "has to be"},
    {"rows_merged", "sum_team4_f64(y_val)", "y_val", "y(", "has to be"},
    {"spmm_32", "i < (i64)A1_dimension", "i < (i64)A1_dimension + 1", "A2_pos[22] is out of bounds",
     "A2_pos"},
    /* one less, which no access tells: the oracle does */
    {"spmv_rows", "i < (i64)A1_dimension", "i < (i64)A1_dimension - 1", "y(20) is 77", "has to be"},
    {"spmv_teams", "p < (i64)p_size", "p < (i64)p_size - 1", "y(", "has to be"},
    /* a stride that leaves parts out, and one that does some twice */
    {"spmv_rows", "(i64)block * 256 + (i64)thread", "(i64)block * 256 + (i64)thread + 1",
     "y(0) is 77", "has to be"},
    {"spmv_rows", "i += 256", "i += 1", "y_vals[", "`y_vals[i] = y_val`"},
};

/* Rows that parts have begun, and hand over. */
static const struct mutation begun[] = {
    /* what the next lane has of it, the next warp, and at the end what is left */
    {"spmv_balanced", "begun += begun_other\n", "begun += 0\n", "y(", "has to be"},
    {"spmv_balanced", "block_begun += begun_end\n", "block_begun += 0\n", "y(", "has to be"},
    {"spmv_balanced", "y_vals[y_last_at] += y_last_begun", "y_vals[y_last_at] += 0", "y(2) is 0",
     "has to be"},
    {"spmv_balanced", "y_at_ends[33]", "y_at_ends[3]", "_ends[3] is out of bounds", "3 elements"},
    {"spmv_balanced", "    barrier\n    for (i32 warp", "    for (i32 warp", "_ends[",
     "with no barrier between"},
    /* a lane adds its row although the lane behind has more of it */
    {"spmv_balanced", "row_other_2 != row_here)", "true)", "vals[",
     "`vals[row_other_2] += begun_other_2`"},
    /* the block forgets what it has begun when it comes to its next part */
    {"spmv_balanced", "block_row = row_end\n", "block_row = -1\n", "y(", "has to be"},
};

static const char *replaced(struct context *cx, const char *text, const char *from, const char *to)
{
    const char *at = strstr(text, from);
    if (!at)
        fail_msg("`%s` is not in\n%s", from, text);
    return arena_printf(cx->arena, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
}

/* The kernel with the fault; text has no roles of parameters. */
static const struct imp_function *mutant_of(struct context *cx, const struct imp_function *kernel,
                                            const struct mutation *m)
{
    struct text text = text_new(cx->arena);
    imp_print(&text, kernel);
    const struct imp_function *parsed = imp_parse(cx, replaced(cx, text.at, m->from, m->to));
    if (!parsed)
        fail_msg("%s", diag_render(cx));
    struct imp_function *mutant = arena_copy(cx->arena, parsed, sizeof *parsed);
    struct imp_param *param =
        arena_copy(cx->arena, kernel->param, sizeof *param * (size_t)kernel->params);
    for (int i = 0; i < kernel->params; i++)
        param[i].var = parsed->param[i].var;
    mutant->param = param;
    return mutant;
}

/* In one order. */
static void expect(struct trial *t, const struct pipeline *kernel, const struct pipeline *mutant,
                   const struct mutation *m)
{
    t->verdict = TRIAL_RIGHT;
    trial_interpret(t, kernel);
    if (t->verdict != TRIAL_RIGHT)
        fail_msg("%s itself: %s", m->golden, t->why);
    trial_interpret(t, mutant);
    if (t->verdict != TRIAL_FAILED || !strstr(t->why, m->fault) || !strstr(t->why, m->where))
        fail_msg("%s with `%s` for `%s`, order %d: %s", m->golden, m->to, m->from,
                 (int)t->test->shuffle, t->verdict == TRIAL_FAILED ? t->why : "nothing is found");
}

static void expect_all(struct context *cx, const struct mutation *mutation, size_t n)
{
    struct golden *golden = arena_array(cx->arena, struct golden, GOLDENS_MOST);
    struct trial *trial = arena_make(cx->arena, struct trial);
    PROTECT(cx);
    int goldens = golden_read_all(cx, golden, 0);
    for (size_t i = 0; i < n; i++) {
        struct golden *g = golden;
        while (g < golden + goldens && strcmp(g->name, mutation[i].golden) != 0)
            g++;
        assert_true(g < golden + goldens);
        golden_fill(g, false);
        trial_open(trial, g->test);
        const struct pipeline *kernel = golden_compile(trial, g, "kernel", BLOCKS);
        if (!kernel)
            fail_msg("%s", trial->why);
        struct pipeline mutant = *kernel;
        mutant.imperative = mutant_of(cx, kernel->imperative, &mutation[i]);
        for (g->test->shuffle = 0; g->test->shuffle < ORDERS; g->test->shuffle++)
            expect(trial, kernel, &mutant, &mutation[i]);
        trial_close(trial);
    }
}

#define MUTATIONS(name) \
    static void test_##name(void **state) { expect_all(*state, name, sizeof name / sizeof *name); }

MUTATIONS(barriers)
MUTATIONS(exchanges)
MUTATIONS(atomics)
MUTATIONS(arrays)
MUTATIONS(bounds)
MUTATIONS(begun)

int main(void)
{
    const struct CMUnitTest tests[] = {TEST(test_barriers), TEST(test_exchanges),
                                       TEST(test_atomics),  TEST(test_arrays),
                                       TEST(test_bounds),   TEST(test_begun)};
    return cmocka_run_group_tests_name("mutations", tests, NULL, NULL);
}
