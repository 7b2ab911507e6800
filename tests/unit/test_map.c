/* test_map.c - what levels store of coordinates, and the way back.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/format/map.h"
#include "tests/support/rng.h"
#include "tests/unit/support.h"

static const struct format *parsed(struct context *cx, const char *spelling, int order)
{
    const struct format *format =
        format_parse(cx, "A", spelling, order, (struct format_defaults){TYPE_I32, TYPE_I32});
    if (!format)
        fail_msg("%s is refused:\n%s", spelling, diag_render(cx));
    return format;
}

/* The map of a level that comes first; a second one stores i, j and k besides. */
static const struct map_expr *map_of(struct context *cx, const char *map)
{
    const char *all = "(i,j,k) -> (%s : dense, i : dense, j : dense, k : dense, 0 : dense)";
    return parsed(cx, arena_printf(cx->arena, all, map), 3)->level[0].map;
}

static const struct {
    const char *map;
    int64_t value;     /* of i = 7, j = 2, k = 5 */
    int64_t low, size; /* with the dimensions 10, 4, 6 */
} maps[] = {
    {"i", 7, 0, 10},        {"i/4", 1, 0, 3},     {"i/5", 1, 0, 2},   {"i%4", 3, 0, 4},
    {"j%9", 2, 0, 9},       {"j-i", -5, -9, 13},  {"i-j", 5, -3, 13}, {"j+k", 7, 0, 9},
    {"(j-i)/4", -2, -3, 4}, {"(j-i)%4", 3, 0, 4}, {"i/2/2", 1, 0, 3}, {"i/2%2", 1, 0, 2},
    {"k-2", 3, -2, 6},      {"3-k", -2, -2, 6},   {"4", 4, 4, 1},     {"i+j-k", 4, -5, 18},
};

static void maps_have_values_and_ranges(void **state)
{
    (void)state;
    const int64_t coordinate[] = {7, 2, 5}, dimension[] = {10, 4, 6};
    int64_t i[] = {9, 7, 0}, j[] = {3, 2, 0}, k[] = {0, 5, 1}, *columns[] = {i, j, k}, values[2];
    const int64_t after[] = {0, 0, 1};
    IN_CONTEXT(cx)
    for (size_t m = 0; m < sizeof maps / sizeof *maps; m++) {
        const struct map_expr *map = map_of(cx, maps[m].map);
        int64_t low, size;
        assert_int_equal(map_value_of(map, coordinate), maps[m].value);
        map_values(map, columns, 1, 2, values);
        assert_int_equal(values[0], maps[m].value);
        assert_int_equal(values[1], map_value_of(map, after));
        assert_true(map_range(map, dimension, &low, &size));
        assert_int_equal(low, maps[m].low);
        assert_int_equal(size, maps[m].size);
    }
}

static void ranges_may_be_empty_or_too_large(void **state)
{
    (void)state;
    const int64_t none[] = {0, 0, 3}, large[] = {INT64_MAX, INT64_MAX, 2};
    int64_t low, size;
    IN_CONTEXT(cx)
    {
        assert_true(map_range(map_of(cx, "i/4"), none, &low, &size));
        assert_int_equal(size, 0);
        assert_true(map_range(map_of(cx, "i%4"), none, &low, &size));
        assert_int_equal(size, 4);
        assert_true(map_range(map_of(cx, "j-i"), none, &low, &size));
        assert_int_equal(size, 0);
        assert_true(map_range(map_of(cx, "k-i"), none, &low, &size));
        assert_int_equal(low, 1);
        assert_int_equal(size, 2);
        assert_true(map_range(map_of(cx, "i/4"), large, &low, &size));
        assert_int_equal(size, INT64_MAX / 4 + 1);
        assert_false(map_range(map_of(cx, "j-i"), large, &low, &size));
        assert_false(map_range(map_of(cx, "i+k"), large, &low, &size));
    }
}

/* ---- back ---- */

static const struct {
    const char *format;
    int order;
    bool inverts;
    uint64_t extra;
} formats[] = {
    {"csr", 2, true, 0},
    {"bcsr(4,4)", 2, true, 0},
    {"bcsc(2,3):1,0", 2, true, 0},
    {"csb(8)", 2, true, 0},
    {"(i,j) -> (j-i : compressed, i : dense)", 2, true, 0},
    {"(i,j) -> (j-i : compressed, i : dense, j : dense)", 2, true, 1},
    {"(i,j) -> (j : dense, j+i : compressed)", 2, true, 0},
    {"(i,j) -> (j-i : compressed, j : dense)", 2, true, 0},
    {"(i,j) -> (3-i : dense, j-2 : dense)", 2, true, 0},
    {"(i) -> (i/16 : dense, i/4%4 : dense, i%4 : dense)", 1, true, 0},
    {"(i) -> (i/16 : dense, i%16/4 : dense, i%16%4 : dense)", 1, true, 0},
    {"(i) -> (i/16 : dense, i%16/4 : dense, i%4 : dense)", 1, true, 0},
    {"(i) -> (i/4/4 : dense, i/4%4 : dense, i%4 : dense)", 1, true, 0},
    {"(i) -> (i%4 : dense, i/4 : dense)", 1, true, 0},
    {"(i) -> (i%4 : dense, i : dense)", 1, true, 1},
    {"(i,j) -> ((j-i)/4 : dense, (j-i)%4 : dense, i : dense)", 2, true, 0},
    {"(i,j) -> (j/2-i/2 : compressed, i/2 : dense, i%2 : dense, j%2 : dense)", 2, true, 0},
    {"(i,j,k) -> (i+j+k : compressed, j+k : compressed, k : compressed)", 3, true, 0},
    {"(i,j) -> (i+j : dense, i-j : dense)", 2, false, 0},
    {"(i,j) -> (i/4 : dense, j : dense)", 2, false, 0},
    {"(i,j) -> (i/4 : dense, i%3 : dense, j : dense)", 2, false, 0},
    {"(i,j) -> (j-i : dense, 4 : dense)", 2, false, 0},
};

/* All components of a small tensor go there and back; a path that is changed leads back to what it
 * came from, or nowhere. */
static void goes_back(const struct format *format, const struct map_inverse *inverse,
                      struct rng *rng)
{
    int64_t dimension[3], coordinate[3], back[3], path[LEVELS_MAX];
    for (int m = 0; m < format->order; m++) {
        dimension[m] = 1 + rng_below(rng, 40);
        coordinate[m] = rng_below(rng, (int)dimension[m]);
    }
    for (int k = 0; k < format->levels; k++) {
        int64_t low, size;
        assert_true(map_range(format->level[k].map, dimension, &low, &size));
        path[k] = map_value_of(format->level[k].map, coordinate);
        assert_true(path[k] >= low && path[k] - low < size);
    }
    assert_true(map_back(inverse, format, path, dimension, back));
    for (int m = 0; m < format->order; m++)
        assert_int_equal(back[m], coordinate[m]);
    int changed = rng_below(rng, format->levels), by = 1 + rng_below(rng, 50);
    path[changed] += rng_below(rng, 2) ? by : -by;
    if (!map_back(inverse, format, path, dimension, back))
        return;
    for (int m = 0; m < format->order; m++)
        assert_true(back[m] >= 0 && back[m] < dimension[m]);
    for (int k = 0; k < format->levels; k++)
        if (inverse->extra >> k & 1)
            assert_int_equal(map_value_of(format->level[k].map, back), path[k]);
}

/* If it is a format at all. */
static void no_way_back(struct context *cx, const char *spelling, int order)
{
    struct map_inverse inverse;
    const struct format *format =
        format_parse(cx, "A", spelling, order, (struct format_defaults){TYPE_I32, TYPE_I32});
    if (format && map_invert(format, &inverse))
        fail_msg("%s", spelling);
}

static void maps_have_a_way_back(void **state)
{
    (void)state;
    struct rng rng = {1};
    IN_CONTEXT(cx)
    for (size_t f = 0; f < sizeof formats / sizeof *formats; f++) {
        struct map_inverse inverse;
        if (!formats[f].inverts) {
            no_way_back(cx, formats[f].format, formats[f].order);
            continue;
        }
        const struct format *format = parsed(cx, formats[f].format, formats[f].order);
        if (!map_invert(format, &inverse))
            fail_msg("%s", formats[f].format);
        assert_int_equal(inverse.extra, formats[f].extra);
        for (int i = 0; i < 1000; i++)
            goes_back(format, &inverse, &rng);
    }
}

static void what_is_beyond_the_tensor_is_no_component(void **state)
{
    (void)state;
    const int64_t dimension[] = {6, 5};
    struct map_inverse inverse;
    int64_t coordinate[2];
    IN_CONTEXT(cx)
    {
        const struct format *bcsr = parsed(cx, "bcsr(4,4)", 2);
        assert_true(map_invert(bcsr, &inverse));
        assert_true(map_back(&inverse, bcsr, (const int64_t[]){1, 1, 1, 0}, dimension, coordinate));
        assert_true(coordinate[0] == 5 && coordinate[1] == 4);
        assert_false(
            map_back(&inverse, bcsr, (const int64_t[]){1, 1, 2, 0}, dimension, coordinate));
        assert_false(
            map_back(&inverse, bcsr, (const int64_t[]){1, 1, 1, 1}, dimension, coordinate));
        assert_false(
            map_back(&inverse, bcsr, (const int64_t[]){INT64_MAX, 1, 1, 1}, dimension, coordinate));
        const struct format *diagonals =
            parsed(cx, "(i,j) -> (j-i : compressed, i : dense, j : dense)", 2);
        assert_true(map_invert(diagonals, &inverse));
        assert_true(
            map_back(&inverse, diagonals, (const int64_t[]){-2, 3, 1}, dimension, coordinate));
        assert_false(
            map_back(&inverse, diagonals, (const int64_t[]){-2, 3, 2}, dimension, coordinate));
        assert_false(
            map_back(&inverse, diagonals, (const int64_t[]){-2, 1, -1}, dimension, coordinate));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(maps_have_values_and_ranges),
        cmocka_unit_test(ranges_may_be_empty_or_too_large),
        cmocka_unit_test(maps_have_a_way_back),
        cmocka_unit_test(what_is_beyond_the_tensor_is_no_component),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
