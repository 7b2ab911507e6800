/* test_lanes.c - the helpers of the prelude in which threads meet, in kernels that launch them:
 * what they compute in several orders of threads, and that no thread races.
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
#include "compiler/imperative/run/interpret.h"
#include "compiler/optimize/pass.h"
#include "compiler/prelude/prelude.h"
#include "tests/imperative/protect.h"

enum { LENGTH = 400, ORDERS = 4 };

#define HEAD "kernel f(const i32 n, const i32 least, const T *x, T *y) {\n"

static struct imp_helpers helper_of(struct context *cx, enum type type, const char *name)
{
    struct imp_helpers helpers = {0};
    if (!imp_instantiate(cx, &prelude, name, &type, 1, &helpers))
        fail_msg("%s", diag_render(cx));
    return helpers;
}

/* The kernel's text, in which T is the type, behind the helpers that it calls. */
static const struct imp_function *kernel_with(struct context *cx, enum type type,
                                              struct imp_helpers helpers, const char *body)
{
    struct text text = text_new(cx->arena);
    for (size_t i = 0; i < helpers.n; i++)
        imp_print_alone(&text, helpers.at[i]);
    for (const char *at = arena_printf(cx->arena, "%s%s", HEAD, body); *at; at++) {
        bool type_here = *at == 'T' && (at[1] == ' ' || at[1] == '(' || at[1] == ')');
        text_addn(&text, type_here ? type_name(type) : at, type_here ? strlen(type_name(type)) : 1);
    }
    const struct imp_function *kernel = imp_parse(cx, text.at);
    if (!kernel)
        fail_msg("%s", diag_render(cx));
    return kernel;
}

static const struct imp_function *kernel_of(struct context *cx, enum type type, const char *helper,
                                            const char *body)
{
    return kernel_with(cx, type, helper_of(cx, type, helper), body);
}

/* Run it on x = list, in every order, before and after the passes; y has what is expected. */
static void expect(struct context *cx, enum type type, const struct imp_function *kernel, int n,
                   int least, const int *list, const int *expected)
{
    size_t size = type_size(type);
    char x[LENGTH * 8], y[LENGTH * 8];
    for (int run = 0; run < 2 * ORDERS; run++) {
        for (int i = 0; i < n; i++) {
            value_store(value_int(type, list[i]), x + (size_t)i * size);
            value_store(value_int(type, 0), y + (size_t)i * size);
        }
        struct imp_argument argument[] = {{.value = value_int(TYPE_I32, n)},
                                          {.value = value_int(TYPE_I32, least)},
                                          {.data = x, .length = n},
                                          {.data = y, .length = n}};
        const struct imp_function *f =
            run < ORDERS ? kernel : imp_optimize(cx, kernel, &(struct pass_options){0});
        struct imp_run done = imp_interpret(
            cx, f, argument, &(struct imp_options){.order = (uint64_t)(run % ORDERS)});
        if (done.fault)
            fail_msg("%s", done.fault);
        for (int i = 0; i < n; i++) {
            struct value found = value_load(type, y + (size_t)i * size);
            if (!value_equal(found, value_int(type, expected[i])))
                fail_msg("y[%d] is %g, not %d, of %s in order %d", i, value_double(found),
                         expected[i], type_name(type), run % ORDERS);
        }
    }
}

static const enum type types[] = {TYPE_F64, TYPE_I32, TYPE_I64, TYPE_F32};
enum { TYPES = sizeof types / sizeof *types };

static void number_list(int *list, int n)
{
    for (int i = 0; i < n; i++)
        list[i] = i * 7 % 11 - 3;
}

static int sum_of(const int *list, int begin, int end)
{
    int sum = 0;
    for (int i = begin; i < end; i++)
        sum += list[i];
    return sum;
}

static void test_teams(void **state)
{
    struct context *cx = *state;
    PROTECT(cx);
    int list[64], expected[64];
    number_list(list, 64);
    for (int lanes = 2, t = 0; lanes <= 32; lanes *= 2, t = (t + 1) % TYPES) {
        const char *helper = arena_printf(cx->arena, "sum_team%d", lanes);
        const char *body = arena_printf(cx->arena,
                                        "    launch(1, 64) block, thread {\n"
                                        "        T sum = %s_%s(x[thread])\n"
                                        "        y[thread] = sum\n"
                                        "    }\n"
                                        "}\n",
                                        helper, type_name(types[t]));
        for (int i = 0; i < 64; i++)
            expected[i] = sum_of(list, i / lanes * lanes, i / lanes * lanes + lanes);
        expect(cx, types[t], kernel_of(cx, types[t], helper, body), 64, 0, list, expected);
    }
}

static void test_warps(void **state)
{
    struct context *cx = *state;
    PROTECT(cx);
    int list[96], before[96], rows[96];
    number_list(list, 96);
    for (int i = 0; i < 96; i++) {
        before[i] = sum_of(list, i / 32 * 32, i);
        int row = i / 5, first = row * 5 > i / 32 * 32 ? row * 5 : i / 32 * 32;
        rows[i] = sum_of(list, first, i + 1);
    }
    for (int t = 0; t < TYPES; t++) {
        const char *name = type_name(types[t]);
        const char *body = "    launch(1, 96) block, thread {\n"
                           "        T sum = %s_%s(x[thread], %sthread)\n"
                           "        y[thread] = sum\n"
                           "    }\n"
                           "}\n";
        const char *const helper[] = {"sum_warp_before", "sum_warp_row"};
        for (int h = 0; h < 2; h++) {
            const char *text =
                arena_printf(cx->arena, body, helper[h], name, h ? "(i64)thread / 5, " : "");
            expect(cx, types[t], kernel_of(cx, types[t], helper[h], text), 96, 0, list,
                   h ? rows : before);
        }
    }
}

/* Of every length, where the answer is at every place. */
static void test_finding(void **state)
{
    struct context *cx = *state;
    PROTECT(cx);
    const struct imp_function *kernel =
        kernel_of(cx, TYPE_I32, "find_by_warp",
                  "    launch(1, 64) block, thread {\n"
                  "        i64 at = find_by_warp_i32(x, 1, (i64)n, (i64)least, thread)\n"
                  "        if (mod(thread, 32) == 31) {\n"
                  "            y[thread / 32] = (T)at\n"
                  "        }\n"
                  "    }\n"
                  "}\n");
    static const int lengths[] = {2, 3, 32, 33, 34, 65, LENGTH};
    for (size_t l = 0; l < sizeof lengths / sizeof *lengths; l++) {
        int n = lengths[l], list[LENGTH], expected[LENGTH] = {0};
        for (int i = 0; i < n; i++)
            list[i] = 2 * i;
        for (int least = 0; least<2 * n + 3; least += n> 40 ? 37 : 5) {
            expected[0] = least < 2 ? 1 : (least + 1) / 2 < n ? (least + 1) / 2 : n;
            expected[1] = expected[0];
            expect(cx, TYPE_I32, kernel, n, least, list, expected);
        }
    }
}

static void test_blocks(void **state)
{
    struct context *cx = *state;
    PROTECT(cx);
    int list[96], expected[96];
    number_list(list, 96);
    for (int i = 0; i < 96; i++)
        expected[i] = sum_of(list, 0, i) + sum_of(list, 0, 96);
    for (int t = 0; t < TYPES; t++)
        expect(cx, types[t],
               kernel_of(cx, types[t], "sum_block_before",
                         arena_printf(cx->arena,
                                      "    launch(1, 96) block, thread {\n"
                                      "        shared T ends[33]\n"
                                      "        T sum = sum_block_before_%s(x[thread], thread, 96, "
                                      "ends)\n"
                                      "        y[thread] = sum + ends[32]\n"
                                      "    }\n"
                                      "}\n",
                                      type_name(types[t]))),
               96, 0, list, expected);
}

/* A scan of an array: the sums of tiles, a scan of these by one block, then one of each tile. */
static void test_scan(void **state)
{
    struct context *cx = *state;
    PROTECT(cx);
    static const char body[] =
        "    T *sums\n"
        "    i32 tiles = (n + 127) / 128\n"
        "    alloc(sums, tiles)\n"
        "    launch(tiles, 64) block, thread {\n"
        "        shared T ends[33]\n"
        "        i64 begin = (i64)block * 128\n"
        "        T sum = sum_block_list_%s(x, begin, min((i64)n, begin + 128), thread, 64, ends)\n"
        "        if (thread == 0) {\n"
        "            sums[block] = sum\n"
        "        }\n"
        "        for (i64 at = begin + (i64)thread; at < min((i64)n, begin + 128); at += 64) {\n"
        "            y[at] = x[at]\n"
        "        }\n"
        "    }\n"
        "    launch(1, 64) block2, thread2 {\n"
        "        shared T ends2[33]\n"
        "        sum_block_scan_%s(sums, 0, (i64)tiles, (T)least, thread2, 64, ends2)\n"
        "    }\n"
        "    launch(tiles, 64) block3, thread3 {\n"
        "        shared T ends3[33]\n"
        "        i64 begin3 = (i64)block3 * 128\n"
        "        sum_block_scan_%s(y, begin3, min((i64)n, begin3 + 128), sums[block3], thread3, "
        "64, "
        "ends3)\n"
        "    }\n"
        "    free(sums)\n"
        "}\n";
    static const int lengths[] = {1, 64, 127, 129, LENGTH};
    int list[LENGTH], expected[LENGTH];
    number_list(list, LENGTH);
    for (int i = 0; i < LENGTH; i++)
        expected[i] = 5 + sum_of(list, 0, i);
    for (size_t l = 0; l < sizeof lengths / sizeof *lengths; l++) {
        enum type type = types[l % 3];
        struct imp_helpers helpers = helper_of(cx, type, "sum_block_scan");
        const char *name = type_name(type), *text = arena_printf(cx->arena, body, name, name, name);
        imp_instantiate(cx, &prelude, "sum_block_list", &type, 1, &helpers);
        expect(cx, type, kernel_with(cx, type, helpers, text), lengths[l], 5, list, expected);
    }
}

/* A pass of a sort, by the last eight bits: block 0 has 300 entries, in two tiles, and block 1 the
 * others. */
static void test_sort(void **state)
{
    struct context *cx = *state;
    PROTECT(cx);
    static const char body[] =
        "    i64 *count\n"
        "    T *key\n"
        "    i32 *order\n"
        "    alloc(count, 512)\n"
        "    alloc(key, 2 * n)\n"
        "    alloc(order, 2 * n)\n"
        "    launch(2, 256) block, thread {\n"
        "        for (i32 p = block * 256 + thread; p < n; p += 512) {\n"
        "            key[p] = x[p]\n"
        "            order[p] = p\n"
        "        }\n"
        "    }\n"
        "    launch(2, 256) block2, thread2 {\n"
        "        shared i32 here[256]\n"
        "        i64 begin = (i64)block2 * 300\n"
        "        sort_block_count_%s(key, (i64)least, 0, begin, min((i64)n, begin + 300), count, "
        "block2, 2, thread2, here)\n"
        "    }\n"
        "    launch(1, 32) block3, thread3 {\n"
        "        i64 sum = 0\n"
        "        for (i32 d = 0; d < (thread3 == 0 ? 512 : 0); d++) {\n"
        "            i64 some = count[d]\n"
        "            count[d] = sum\n"
        "            sum += some\n"
        "        }\n"
        "    }\n"
        "    launch(2, 256) block4, thread4 {\n"
        "        shared i64 next[256]\n"
        "        shared i32 ahead[2048]\n"
        "        i64 begin4 = (i64)block4 * 300\n"
        "        sort_block_move_%s_i32(key, order, (i64)least, 0, begin4, min((i64)n, begin4 + "
        "300), "
        "(i64)n, count, block4, 2, thread4, next, ahead)\n"
        "    }\n"
        "    launch(2, 256) block5, thread5 {\n"
        "        for (i32 q = block5 * 256 + thread5; q < n; q += 512) {\n"
        "            y[q] = (T)order[n + q]\n"
        "        }\n"
        "    }\n"
        "    free(count)\n"
        "    free(key)\n"
        "    free(order)\n"
        "}\n";
    static const enum type keys[] = {TYPE_I32, TYPE_I64, TYPE_U16};
    int list[LENGTH], expected[LENGTH], n = 0;
    for (int i = 0; i < LENGTH; i++)
        list[i] = 7 + i * 37 % 600;
    for (int digit = 0; digit < 256; digit++)
        for (int i = 0; i < LENGTH; i++)
            if ((list[i] - 7) % 256 == digit)
                expected[n++] = i;
    for (size_t t = 0; t < sizeof keys / sizeof *keys; t++) {
        enum type pair[] = {keys[t], TYPE_I32};
        struct imp_helpers helpers = helper_of(cx, keys[t], "sort_block_count");
        const char *name = type_name(keys[t]), *text = arena_printf(cx->arena, body, name, name);
        if (!imp_instantiate(cx, &prelude, "sort_block_move", pair, 2, &helpers))
            fail_msg("%s", diag_render(cx));
        expect(cx, keys[t], kernel_with(cx, keys[t], helpers, text), LENGTH, 7, list, expected);
    }
}

/* Host code: by two keys, of which the second has two digits. */
static void test_sort_grid(void **state)
{
    struct context *cx = *state;
    PROTECT(cx);
    static const char body[] =
        "    T *low\n"
        "    T *key\n"
        "    i32 *order\n"
        "    i64 *count\n"
        "    alloc(low, n)\n"
        "    alloc(key, 2 * n)\n"
        "    alloc(order, 2 * n)\n"
        "    alloc(count, 1281)\n"
        "    launch(2, 256) block, thread {\n"
        "        for (i32 p = block * 256 + thread; p < n; p += 512) {\n"
        "            low[p] = (T)mod(p, 3)\n"
        "        }\n"
        "    }\n"
        "    sort_grid_%s_i32(low, key, order, count, 0, (i64)n, 0, 3, true)\n"
        "    i64 at = sort_half_i64(0, (i64)n, 3)\n"
        "    sort_grid_%s_i32(x, key, order, count, at, (i64)n, (i64)least, 600, false)\n"
        "    at = sort_half_i64(at, (i64)n, 600)\n"
        "    launch(2, 256) block2, thread2 {\n"
        "        for (i32 q = block2 * 256 + thread2; q < n; q += 512) {\n"
        "            y[q] = (T)order[at + (i64)q]\n"
        "        }\n"
        "    }\n"
        "    free(low)\n"
        "    free(key)\n"
        "    free(order)\n"
        "    free(count)\n"
        "}\n";
    static const enum type keys[] = {TYPE_I32, TYPE_I64, TYPE_U16}, i64 = TYPE_I64;
    int list[LENGTH], expected[LENGTH], n = 0;
    for (int i = 0; i < LENGTH; i++)
        list[i] = 7 + i * 37 % 300 * 2;
    for (int key = 0; key < 3 * 600; key++)
        for (int i = 0; i < LENGTH; i++)
            if ((list[i] - 7) * 3 + i % 3 == key)
                expected[n++] = i;
    for (size_t t = 0; t < sizeof keys / sizeof *keys; t++) {
        enum type pair[] = {keys[t], TYPE_I32};
        struct imp_helpers helpers = {0};
        const char *name = type_name(keys[t]), *text = arena_printf(cx->arena, body, name, name);
        if (!imp_instantiate(cx, &prelude, "sort_grid", pair, 2, &helpers)
            || !imp_instantiate(cx, &prelude, "sort_half", &i64, 1, &helpers))
            fail_msg("%s", diag_render(cx));
        expect(cx, keys[t], kernel_with(cx, keys[t], helpers, text), LENGTH, 7, list, expected);
    }
}

/* Host code: of more numbers than one block adds up, 12 for each element of y.  The helper's blocks
 * have more threads than the kernel's. */
static void test_scan_grid(void **state)
{
    struct context *cx = *state;
    PROTECT(cx);
    static const char body[] = "    i32 *list\n"
                               "    alloc(list, 12 * n + 1025)\n"
                               "    launch(3, 64) block, thread {\n"
                               "        for (i32 p = block * 64 + thread; p < 12 * n; p += 192) {\n"
                               "            list[p] = (i32)x[p / 12]\n"
                               "        }\n"
                               "    }\n"
                               "    sum_grid_scan_i32(list, 12 * (i64)n)\n"
                               "    launch(2, 64) block2, thread2 {\n"
                               "        for (i32 q = block2 * 64 + thread2; q < n; q += 128) {\n"
                               "            y[q] = (T)list[12 * q + 12]\n"
                               "        }\n"
                               "    }\n"
                               "    free(list)\n"
                               "}\n";
    int list[LENGTH], expected[LENGTH];
    number_list(list, LENGTH);
    for (int i = 0; i < LENGTH; i++)
        expected[i] = 12 * sum_of(list, 0, i + 1);
    struct imp_helpers helpers = helper_of(cx, TYPE_I32, "sum_grid_scan");
    expect(cx, TYPE_F64, kernel_with(cx, TYPE_F64, helpers, body), LENGTH, 0, list, expected);
}

/* ---- tables ---- */

/* Threads put coordinates into a table, some of them several times, and list them. */
static void test_tables(void **state)
{
    struct context *cx = *state;
    PROTECT(cx);
    static const char body[] =
        "    launch(1, %d) block, thread {\n"
        "        shared T key[1024]\n"
        "        shared T row[401]\n"
        "        shared i32 ends[33]\n"
        "        for (i32 s = thread; s < 1024; s += %d) {\n"
        "            key[s] = (T)i64(-1)\n"
        "        }\n"
        "        barrier\n"
        "        for (i32 q = thread; q < n; q += %d) {\n"
        "            i64 at = probe_first_i64((i64)x[q], 1024)\n"
        "            T was = atomic key[at] if (T)i64(-1) = x[q]\n"
        "            while (and(was != (T)i64(-1), was != x[q])) {\n"
        "                at = probe_next_i64(at, 1024)\n"
        "                was = atomic key[at] if (T)i64(-1) = x[q]\n"
        "            }\n"
        "        }\n"
        "        barrier\n"
        "        sort_table_%s_%s(key, 0, 1024, row, 0, least == 1, thread%s)\n"
        "        barrier\n"
        "        for (i32 q = thread; q < n; q += %d) {\n"
        "            y[q] = least == 1 ? q <= (i32)row[0] ? row[q] : 0 : q == 0 ? row[0] : 0\n"
        "        }\n"
        "    }\n"
        "}\n";
    static const enum type keys[] = {TYPE_I32, TYPE_I64};
    for (size_t t = 0; t < 8; t++) {
        const enum type i64 = TYPE_I64, key = keys[t % 2];
        const bool block = t / 2 % 2, sorts = t / 4;
        const int threads = block ? 96 : 32;
        int list[LENGTH], expected[LENGTH] = {0}, n = t == 7 ? 1 : LENGTH, seen[150] = {0};
        for (int i = 0; i < n; i++)
            seen[list[i] = (i * 7 + 3) % 149] = 1;
        for (int c = 0; c < 149; c++)
            if (seen[c] && ++expected[0] < n && sorts)
                expected[expected[0]] = c;
        const char *unit = block ? "block" : "warp";
        struct imp_helpers helpers =
            helper_of(cx, key, arena_printf(cx->arena, "sort_table_%s", unit));
        imp_instantiate(cx, &prelude, "probe_first", &i64, 1, &helpers);
        imp_instantiate(cx, &prelude, "probe_next", &i64, 1, &helpers);
        const char *text = arena_printf(cx->arena, body, threads, threads, threads, unit,
                                        type_name(key), block ? ", 96, ends" : "", threads);
        expect(cx, key, kernel_with(cx, key, helpers, text), n, sorts, list, expected);
    }
}

/* ---- no barrier is too many ---- */

/* Is the kernel right without this part of its text, in some order? */
static bool is_right_without(struct context *cx, const char *text, const char *part, size_t n)
{
    const char *less = arena_printf(cx->arena, "%.*s%s", (int)(part - text), text, part + n);
    const struct imp_function *kernel = imp_parse(cx, less);
    double x[LENGTH] = {1, 2, 3}, y[LENGTH] = {0};
    if (!kernel)
        fail_msg("%s", diag_render(cx));
    struct imp_argument argument[] = {{.value = value_int(TYPE_I32, LENGTH)},
                                      {.value = value_int(TYPE_I32, 0)},
                                      {.data = x, .length = LENGTH},
                                      {.data = y, .length = LENGTH}};
    struct imp_run done = imp_interpret(cx, kernel, argument, NULL);
    return !done.fault;
}

static void test_barriers(void **state)
{
    struct context *cx = *state;
    PROTECT(cx);
    static const char body[] =
        "    launch(1, 64) block, thread {\n"
        "        shared T ends[33]\n"
        "        sum_block_scan_f64(y, 0, (i64)n, x[0], thread, 64, ends)\n"
        "        T sum = sum_block_list_f64(x, 0, (i64)n, thread, 64, ends)\n"
        "    }\n"
        "}\n";
    struct imp_helpers helpers = helper_of(cx, TYPE_F64, "sum_block_scan");
    enum type type = TYPE_F64;
    imp_instantiate(cx, &prelude, "sum_block_list", &type, 1, &helpers);
    struct text text = text_new(cx->arena);
    imp_print(&text, kernel_with(cx, TYPE_F64, helpers, body));
    assert_true(is_right_without(cx, text.at, text.at, 0));
    int barriers = 0;
    for (const char *at = text.at; (at = strstr(at, "barrier\n")); at++, barriers++)
        assert_false(is_right_without(cx, text.at, at, strlen("barrier")));
    assert_int_equal(barriers, 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_teams),  TEST(test_warps),    TEST(test_finding),   TEST(test_blocks),
        TEST(test_scan),   TEST(test_sort),     TEST(test_sort_grid), TEST(test_scan_grid),
        TEST(test_tables), TEST(test_barriers),
    };
    return cmocka_run_group_tests_name("lanes", tests, NULL, NULL);
}
