/* test_prelude.c - the helpers of the prelude, for all types of coordinates: they keep the
 * invariants, and find and sort what the C library does.
 *
 * SPDX-License-Identifier: MIT
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "compiler/emit/c_words.h"
#include "compiler/format/index_array.h"
#include "compiler/imperative/run/interpret.h"
#include "compiler/prelude/prelude.h"
#include "tests/imperative/protect.h"
#include "tests/support/rng.h"

enum { MOST = 2000 };

static const enum type coordinate_types[] = {TYPE_I32, TYPE_I64, TYPE_U8, TYPE_U16,
                                             TYPE_U32, TYPE_U64, TYPE_I8, TYPE_I16};
enum { TYPES = sizeof coordinate_types / sizeof *coordinate_types };

/* A kernel that calls a helper on parameters like its own; what a helper returns goes into an array
 * more. */
static const struct imp_function *caller(struct context *cx, const char *name,
                                         const enum type *type, int types)
{
    struct imp_unit unit = {0};
    struct imp_builder b = {.cx = cx, .unit = &unit};
    const struct imp_function *helper =
        imp_instantiate(cx, &prelude, name, type, types, &unit.helpers);
    if (!helper)
        fail_msg("%s", diag_render(cx));
    struct imp_param *param = arena_array(cx->arena, struct imp_param, helper->params + 1);
    const struct imp **arg = arena_array(cx->arena, const struct imp *, helper->params);
    memcpy(param, helper->param, sizeof *param * (size_t)helper->params);
    for (int i = 0; i < helper->params; i++)
        arg[i] = imp_read(cx, param[i].var);
    const struct imp_var *result = imp_array(cx, "result", TYPE_I64, false);
    param[helper->params] = (struct imp_param){.var = result};
    const struct imp *call = prelude_call(&b, name, type, types, arg, helper->params);
    imp_begin(&b);
    imp_add(&b, helper->effects ? imp_do(cx, call)
                                : imp_store(cx, result, imp_int(cx, TYPE_I64, 0), OP_NONE, call));
    struct imp_function *kernel = arena_make(cx->arena, struct imp_function);
    *kernel = (struct imp_function){.name = "f",
                                    .params = helper->params + !helper->effects,
                                    .param = param,
                                    .body = imp_end(&b),
                                    .helpers = (int)unit.helpers.n,
                                    .helper_at = unit.helpers.at};
    const char *broken = imp_check(cx, kernel);
    if (broken)
        fail_msg("%s", broken);
    return kernel;
}

static struct imp_counts run(struct context *cx, const struct imp_function *kernel,
                             struct imp_argument *argument)
{
    struct imp_run run = imp_interpret(cx, kernel, argument, NULL);
    if (run.fault)
        fail_msg("%s", run.fault);
    return run.counts;
}

/* No function of the user's can have the name of a helper. */
static void test_names(void **state)
{
    struct context *cx = *state;
    PROTECT(cx);
    for (int i = 0; i < prelude.n; i++)
        assert_true(c_word_is_taken(arena_printf(cx->arena, "%s_i32", prelude.at[i].name)));
}

/* ---- searching ---- */

static int64_t random_coordinate(struct rng *rng, enum type type)
{
    return rng_below(rng, type == TYPE_I8 ? 100 : type == TYPE_U8 ? 200 : 30000);
}

static int compare(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* n ascending coordinates, none twice; fewer, if the type has no more. */
static int ascending(struct rng *rng, enum type type, int64_t *to, int n)
{
    int kept = 0;
    for (int i = 0; i < n; i++)
        to[i] = random_coordinate(rng, type);
    qsort(to, (size_t)n, sizeof *to, compare);
    for (int i = 0; i < n; i++)
        if (i == 0 || to[i] != to[kept - 1])
            to[kept++] = to[i];
    return kept;
}

static void *array_of(struct context *cx, enum type type, const int64_t *from, int64_t n)
{
    void *array = arena_alloc(cx->arena, (size_t)n * type_size(type) + 1);
    for (int64_t i = 0; i < n; i++)
        value_store(value_int(type, from[i]), (char *)array + (size_t)i * type_size(type));
    return array;
}

static struct imp_argument number(int64_t n)
{
    return (struct imp_argument){.value = value_int(TYPE_I64, n)};
}

static struct imp_argument array(void *data, int64_t length)
{
    return (struct imp_argument){.data = data, .length = length};
}

static void check_search(struct context *cx, struct rng *rng, enum type type)
{
    int64_t coordinate[100], found = 0;
    const struct imp_function *search = caller(cx, "search", &type, 1);
    for (int round = 0; round < 50; round++) {
        int n = ascending(rng, type, coordinate, rng_below(rng, 100)), low = rng_below(rng, n + 1);
        int64_t sought = n && rng_percent(rng, 50) ? coordinate[rng_below(rng, n)]
                                                   : random_coordinate(rng, type);
        int64_t *at = bsearch(&sought, coordinate + low, (size_t)(n - low), sizeof *at, compare);
        struct imp_argument argument[] = {array(array_of(cx, type, coordinate, n), n), number(low),
                                          number(n), number(sought), array(&found, 1)};
        run(cx, search, argument);
        assert_int_equal(found, at ? at - coordinate : -1);
    }
}

/* From a position on, to what is not below: in as many steps as it takes to double the way. */
static void check_seek(struct context *cx, struct rng *rng, enum type type)
{
    int64_t coordinate[100], found = 0;
    const struct imp_function *seek = caller(cx, "seek", &type, 1);
    for (int round = 0; round < 50; round++) {
        int n = ascending(rng, type, coordinate, rng_below(rng, 100)), low = rng_below(rng, n + 1);
        int64_t least = n && rng_percent(rng, 50) ? coordinate[rng_below(rng, n)]
                                                  : random_coordinate(rng, type);
        int there = low, doublings = 1;
        while (there < n && coordinate[there] < least)
            there++;
        for (int way = there - low; way > 0; way /= 2)
            doublings++;
        struct imp_argument argument[] = {array(array_of(cx, type, coordinate, n), n), number(low),
                                          number(n), number(least), array(&found, 1)};
        struct imp_counts counts = run(cx, seek, argument);
        assert_int_equal(found, there);
        assert_true(counts.loads <= 2 * doublings);
    }
}

/* Behind so many entries of two, merged one by one. */
static void check_find_on_diagonal(struct context *cx, struct rng *rng, enum type type)
{
    enum { PAST = 40000 };
    int64_t crd[2][30], found = 0, behind = -5;
    const enum type types[] = {type, type};
    const struct imp_function *find = caller(cx, "find_on_diagonal", types, 2);
    int n[2], low[2], at[2];
    for (int k = 0; k < 2; k++) {
        n[k] = ascending(rng, type, crd[k], rng_below(rng, 30));
        at[k] = low[k] = rng_below(rng, n[k] + 1);
    }
    for (int steps = 0; steps <= n[0] - low[0] + n[1] - low[1] + 1; steps++) {
        struct imp_argument argument[] = {array(array_of(cx, type, crd[0], n[0]), n[0]),
                                          number(low[0]),
                                          number(n[0]),
                                          array(array_of(cx, type, crd[1], n[1]), n[1]),
                                          number(low[1]),
                                          number(n[1]),
                                          number(steps),
                                          number(-5),
                                          number(PAST),
                                          array(&found, 1)};
        run(cx, find, argument);
        assert_int_equal(found, behind);
        int64_t left[2];
        for (int k = 0; k < 2; k++)
            left[k] = at[k] < n[k] ? crd[k][at[k]] : PAST - 1;
        bool second = left[0] > left[1];
        behind = left[second] + 1;
        at[second]++;
    }
}

/* After each number of steps along rows, some of them empty, as many entries and ends of rows are
 * behind: the path is gone step by step. */
static void check_find_on_path(struct context *cx, struct rng *rng, enum type type)
{
    int64_t pos[20] = {0}, found = 0;
    const struct imp_function *find = caller(cx, "find_on_path", &type, 1);
    int rows = rng_below(rng, 20), row = 0, entry = 0;
    for (int r = 0; r < rows; r++)
        pos[r + 1] = pos[r] + (rng_below(rng, 2) ? rng_below(rng, 6) : 0);
    int before = 0, known = 0; /* one of the places of the path */
    for (int steps = 0; steps <= rows + pos[rows] + 2; steps++) {
        struct imp_argument argument[] = {array(array_of(cx, type, pos, rows + 1), rows + 1),
                                          number(rows),
                                          number(known),
                                          number(before),
                                          number(steps),
                                          array(&found, 1)};
        run(cx, find, argument);
        assert_int_equal(found, entry);
        if (steps <= rows + pos[rows] && rng_below(rng, 4) == 0) {
            before = steps;
            known = entry;
        }
        if (row < rows && entry == pos[row + 1])
            row++;
        else if (row < rows)
            entry++;
    }
}

/* What is put where probe says is found there by the storage's own function, and the other way
 * round. */
static void check_probe(struct context *cx, struct rng *rng, enum type type)
{
    enum { WIDTH = 64, BEGIN = 64 };
    int64_t crd[BEGIN + WIDTH], found;
    const struct imp_function *probe = caller(cx, "probe", &type, 1);
    for (int i = 0; i < BEGIN + WIDTH; i++)
        crd[i] = -1;
    for (int i = 0; i < WIDTH - 1; i++) {
        int64_t sought = random_coordinate(rng, type), slot = index_slot(sought, WIDTH);
        while (crd[BEGIN + slot] != -1 && crd[BEGIN + slot] != sought)
            slot = (slot + 1) % WIDTH;
        struct imp_argument argument[] = {
            array(array_of(cx, type, crd, BEGIN + WIDTH), BEGIN + WIDTH), number(BEGIN),
            number(WIDTH), number(sought), array(&found, 1)};
        run(cx, probe, argument);
        assert_int_equal(found, BEGIN + slot);
        crd[found] = sought;
    }
}

static void test_finding(void **state)
{
    (void)state;
    struct rng rng = {1};
    for (int t = 0; t < TYPES; t++) {
        struct context *cx = context_new();
        PROTECT(cx);
        check_search(cx, &rng, coordinate_types[t]);
        check_seek(cx, &rng, coordinate_types[t]);
        check_probe(cx, &rng, coordinate_types[t]);
        for (int round = 0; round < 10; round++) {
            check_find_on_path(cx, &rng, coordinate_types[t]);
            check_find_on_diagonal(cx, &rng, coordinate_types[t]);
        }
        context_free(cx);
    }
}

/* ---- sorting ---- */

/* Are they in ascending order of their keys, and those that are alike in order? */
static void check_entries(enum type order, const void *sorted, const int64_t *keys, int n)
{
    for (int i = 1; i < n; i++) {
        int64_t a = index_load(order, sorted, i - 1), b = index_load(order, sorted, i);
        assert_true(keys[a] < keys[b] || (keys[a] == keys[b] && a < b));
    }
}

/* Entries by keys of which many are alike: in stable order. */
static void check_sort_by(struct context *cx, struct rng *rng, enum type key)
{
    int64_t keys[MOST], entry[MOST];
    const struct imp_function *sort = caller(cx, "sort_by", &key, 1),
                              *merging = caller(cx, "sort_merging", &key, 1);
    for (int n = 0; n < MOST; n = 2 * n + 1) {
        int distinct = type_size(key) == 1 ? 100 : 3 * n / 2 + 1, low = rng_below(rng, 20);
        /* more bits than go beside the number of an entry */
        const int64_t step = type_size(key) == 8 ? INT64_C(1) << 48 : 1;
        for (int i = 0; i < n; i++) {
            keys[i] = low + rng_below(rng, distinct) * step;
            entry[i] = i;
        }
        void *sorted = array_of(cx, TYPE_I64, entry, n), *other = array_of(cx, TYPE_I64, entry, n);
        int64_t place[SORT_PLACES];
        struct imp_argument argument[] = {number(0),
                                          number(n),
                                          array(array_of(cx, key, keys, n), n),
                                          number(low),
                                          number(distinct * step),
                                          array(sorted, n),
                                          array(other, n),
                                          array(place, SORT_PLACES)};
        run(cx, sort, argument);
        check_entries(TYPE_I64, sorted, keys, n);
        void *merged = array_of(cx, TYPE_I64, entry, n);
        struct imp_argument arrays[] = {argument[0], argument[1], argument[2], array(merged, n),
                                        argument[6]};
        run(cx, merging, arrays);
        check_entries(TYPE_I64, merged, keys, n);
    }
}

static void test_sorting_entries(void **state)
{
    (void)state;
    struct rng rng = {2};
    for (int t = 0; t < TYPES; t++) {
        struct context *cx = context_new();
        PROTECT(cx);
        check_sort_by(cx, &rng, coordinate_types[t]);
        context_free(cx);
    }
}

/* The sorted coordinates as bits, which are counted and taken; and do they ascend? */
static void check_bits(struct context *cx, enum type type, const int64_t *key, int n, int low,
                       uint64_t *bits, int words)
{
    const enum type word = TYPE_U64;
    void *taken = array_of(cx, type, (const int64_t[MOST]){0}, n);
    int64_t result = -1;
    struct imp_argument result_of = array(&result, 1);
    for (int i = 0; i < n; i++)
        bits[(key[i] - low) / SORT_ROW_WORD] |= UINT64_C(1) << (key[i] - low) % SORT_ROW_WORD;
    run(cx, caller(cx, "sort_count", &word, 1),
        (struct imp_argument[]){number(words), array(bits, words), result_of});
    assert_int_equal(result, n);
    run(cx, caller(cx, "sort_take", &type, 1),
        (struct imp_argument[]){number(n), array(taken, n), number(low), number(0), number(words),
                                array(bits, words)});
    for (int i = 0; i < n; i++)
        assert_int_equal(index_load(type, taken, i), key[i]);
    for (int i = 0; i < words; i++)
        assert_true(bits[i] == 0);
}

/* n different coordinates from low on below low + dimension, in any order, with as little room as
 * is promised. */
static void check_row(struct context *cx, struct rng *rng, enum type type, int n, int low,
                      int dimension)
{
    const struct imp_function *sort = caller(cx, "sort_row", &type, 1),
                              *shell = caller(cx, "sort_ascending", &type, 1);
    bool *map = arena_array(cx->arena, bool, dimension);
    int64_t key[MOST];
    for (int i = 0; i < n; i++) {
        do
            key[i] = low + rng_below(rng, dimension);
        while (map[key[i] - low]);
        map[key[i] - low] = true;
    }
    int words = dimension / SORT_ROW_WORD + 1, groups = words / SORT_ROW_WORD + 1;
    uint64_t *bits = arena_array(cx->arena, uint64_t, words),
             *some = arena_array(cx->arena, uint64_t, groups);
    void *sorted = array_of(cx, type, key, n);
    void *was = array_of(cx, type, (const int64_t[SORT_RANKED]){0}, SORT_RANKED),
         *rank = array_of(cx, type, (const int64_t[SORT_RANKS]){0}, SORT_RANKS);
    struct imp_argument argument[] = {
        number(n),          array(sorted, n),    array(map, dimension),   number(low),
        array(bits, words), array(some, groups), array(was, SORT_RANKED), array(rank, SORT_RANKS)};
    void *compared = array_of(cx, type, key, n);
    struct imp_counts counts = run(cx, sort, argument),
                      comparing =
                          run(cx, shell, (struct imp_argument[]){number(n), array(compared, n)});
    qsort(key, (size_t)n, sizeof *key, compare);
    for (int i = 0; i < n; i++) {
        assert_int_equal(index_load(type, sorted, i), key[i]);
        assert_int_equal(index_load(type, compared, i), key[i]);
    }
    for (int i = 0; i < words; i++)
        assert_true(bits[i] == 0 && some[i / SORT_ROW_WORD] == 0);
    if (words < 100) /* each word is a step */
        check_bits(cx, type, key, n, low, bits, words);
    assert_true(counts.loads < 100 * n + 2000);
    assert_true(comparing.loads < 80 * n + 2000);
}

static void check_sort_row(struct context *cx, struct rng *rng, enum type type)
{
    static const int dimensions[] = {1, 20, 100, 300, 4000, 30000, 70000, 200000, 1 << 24};
    int most = type_size(type) == 1 ? 100 : type_size(type) == 2 ? 30000 : 1 << 24;
    for (size_t d = 0; d < sizeof dimensions / sizeof *dimensions && dimensions[d] <= most; d++)
        for (int n = 0; n < MOST && n <= dimensions[d]; n = n < 70 ? n + 4 : 2 * n + 1)
            check_row(cx, rng, type, n, rng_below(rng, 3) * 10, dimensions[d]);
}

static void test_sorting_rows(void **state)
{
    (void)state;
    struct rng rng = {3};
    for (int t = 0; t < TYPES; t++) {
        struct context *cx = context_new();
        PROTECT(cx);
        check_sort_row(cx, &rng, coordinate_types[t]);
        context_free(cx);
    }
}

/* ---- products of matrices ---- */

static struct imp_argument truth(bool is)
{
    return (struct imp_argument){.value = value_int(TYPE_BOOL, is)};
}

enum { ROWS = 3, COLUMNS = 4, SUMS = 2, STEP = 6, ALL = 1 + 6 * STEP };

/* Where a component is in a matrix that begins at 1. */
static int place(bool across, int row, int column)
{
    return 1 + (across ? column * STEP + row : row * STEP + column);
}

/* c(i,j) += a(i,x) * b(x,j), or -=: stored by rows or by columns, with room between these. */
static void test_multiply(void **state)
{
    struct context *cx = *state;
    PROTECT(cx);
    const enum type type = TYPE_F64;
    const struct imp_function *multiply = caller(cx, "multiply", &type, 1);
    for (int across = 0; across < 8; across++) {
        double a[ALL], b[ALL], c[ALL], expected[ALL];
        const bool ta = across & 1, tb = across & 2, minus = across & 4;
        for (int p = 0; p < ALL; p++) {
            a[p] = p % 7;
            b[p] = 3 - p % 5;
            c[p] = expected[p] = p;
        }
        for (int i = 0; i < ROWS; i++)
            for (int j = 0; j < COLUMNS; j++)
                for (int x = 0; x < SUMS; x++)
                    expected[place(false, i, j)] +=
                        (minus ? -1 : 1) * a[place(ta, i, x)] * b[place(tb, x, j)];
        struct imp_argument argument[] = {
            array(c, ALL), number(1),    array(a, ALL),   number(1),    array(b, ALL),
            number(1),     number(ROWS), number(COLUMNS), number(SUMS), number(STEP),
            number(STEP),  truth(ta),    number(STEP),    truth(tb),    truth(minus)};
        run(cx, multiply, argument);
        assert_memory_equal(c, expected, sizeof c);
    }
}

/* ---- sums ---- */

static void test_sums(void **state)
{
    struct context *cx = *state;
    PROTECT(cx);
    const struct imp_function *sum = caller(cx, "sum_before", (enum type[]){TYPE_I64}, 1);
    int64_t length[] = {3, 0, 5, -1};
    struct imp_argument argument[] = {array(length, 4), number(3), number(10)};
    run(cx, sum, argument);
    assert_memory_equal(length, ((int64_t[]){10, 13, 13, 18}), sizeof length);
    argument[1] = number(0);
    run(cx, sum, argument);
    assert_int_equal(length[0], 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_names),
        TEST(test_multiply),
        TEST(test_sums),
        cmocka_unit_test(test_finding),
        cmocka_unit_test(test_sorting_entries),
        cmocka_unit_test(test_sorting_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
