/* test_levels.c - the storage functions of each level type, by themselves.
 *
 * SPDX-License-Identifier: MIT
 */
#include "tests/runtime/support.h"

#include "compiler/format/index_array.h"
#include "tests/support/pack_level.h"

static const enum type integers[] = {TYPE_I8, TYPE_I16, TYPE_I32, TYPE_I64,
                                     TYPE_U8, TYPE_U16, TYPE_U32, TYPE_U64};

static void arrays_hold_what_fits(void **state)
{
    (void)state;
    for (size_t t = 0; t < sizeof integers / sizeof *integers; t++) {
        int64_t max = index_max(integers[t]);
        void *array = index_alloc(integers[t], 3);
        assert_non_null(array);
        assert_true(index_store(integers[t], array, 0, 0));
        assert_true(index_store(integers[t], array, 1, max));
        assert_true(index_store(integers[t], array, 2, 100));
        assert_int_equal(index_store(integers[t], array, 2, -1), index_min(integers[t]) < 0);
        if (max < INT64_MAX)
            assert_false(index_store(integers[t], array, 2, index_min(integers[t]) - 1));
        if (max < INT64_MAX)
            assert_false(index_store(integers[t], array, 2, max + 1));
        assert_int_equal(index_load(integers[t], array, 0), 0);
        assert_int_equal(index_load(integers[t], array, 1), max);
        assert_true(index_store(integers[t], array, 2, 100));
        assert_int_equal(index_load(integers[t], array, 2), 100);
        assert_false(index_is_none(integers[t], array, 2));
        index_store_none(integers[t], array, 1, 2);
        assert_false(index_is_none(integers[t], array, 0));
        assert_true(index_is_none(integers[t], array, 1) && index_is_none(integers[t], array, 2));
        free(array);
    }
    uint64_t huge = UINT64_MAX;
    assert_int_equal(index_load(TYPE_U64, &huge, 0), INT64_MAX);
    assert_null(index_alloc(TYPE_I64, INT64_MAX));
    assert_null(index_alloc(TYPE_I64, -1));
}

static void other_types_are_no_arrays(void **state)
{
    (void)state;
    double f = 1;
    assert_int_equal(index_max(TYPE_F64), -1);
    assert_false(index_store(TYPE_F64, &f, 0, 0));
    assert_int_equal(index_load(TYPE_F64, &f, 0), -1);
}

static void free_level(struct level_storage *level)
{
    for (int a = 0; a < LEVEL_ARRAYS; a++)
        free(level->array[a]);
}

/* Pack these nodes and read them back: children and coordinates are what was packed. */
static void packs(const char *letter, int64_t dimension, struct level_nodes nodes,
                  int64_t positions)
{
    struct hand_format hand;
    for (size_t t = 0; t < sizeof integers / sizeof *integers; t++) {
        const struct format *format = hand_format(&hand, letter, NULL, integers[t], integers[t]);
        const struct level_type *type = format->level[0].type;
        struct level_storage level = {.format = &format->level[0], .dimension = dimension};
        struct level_fault fault = {.at = -1};
        int64_t position[16], got = -1, checked = -1;
        assert_true(pack_level(type, &level, &nodes, 3, position, &got, &fault));
        assert_int_equal(got, positions);
        assert_true(type->check(&level, nodes.parents, &checked, &fault));
        assert_int_equal(checked, positions);
        for (int64_t i = 0; i < nodes.n; i++) {
            int64_t begin, end;
            type->children(&level, nodes.parent[i], &begin, &end);
            assert_in_range(position[i], begin, end - 1);
            int64_t coordinate;
            assert_true(type->coordinate(&level, nodes.parent[i], position[i], NULL, &coordinate));
            assert_int_equal(coordinate, nodes.coordinate[i]);
        }
        free_level(&level);
    }
}

/* The figures 2-15 to 2-17 of the thesis. */
static void levels_pack(void **state)
{
    (void)state;
    const int64_t parent[] = {0, 0, 1, 1, 3, 3, 3}, crd[] = {0, 1, 0, 1, 0, 3, 4};
    const int64_t each[] = {0, 1, 2, 3, 4, 5, 6};
    packs("d", 5, all_nodes(7, parent, crd, 4), 20);
    packs("s", 5, all_nodes(7, parent, crd, 4), 7);
    packs("q", 5, all_nodes(7, each, crd, 7), 7);
    packs("d", 0, all_nodes(0, NULL, NULL, 4), 0);
    packs("s", 0, all_nodes(0, NULL, NULL, 4), 0);
    packs("s", 5, all_nodes(0, NULL, NULL, 0), 0);
    packs("q", 5, all_nodes(0, NULL, NULL, 0), 0);
}

static void pack_fails(const char *letter, enum type type, int64_t dimension,
                       struct level_nodes nodes, const char *array, int64_t at)
{
    struct hand_format hand;
    const struct format *format = hand_format(&hand, letter, NULL, type, type);
    struct level_storage level = {.format = &format->level[0], .dimension = dimension};
    struct level_fault fault = {.at = -2, .why = NULL};
    int64_t position[300], got;
    assert_false(pack_level(format->level[0].type, &level, &nodes, 3, position, &got, &fault));
    assert_non_null(fault.why);
    assert_int_equal(fault.at, at);
    if (array)
        assert_string_equal(fault.array, array);
    else
        assert_null(fault.array);
    free_level(&level);
}

static void levels_refuse(void **state)
{
    (void)state;
    int64_t parent[300] = {0}, crd[300];
    for (int i = 0; i < 300; i++)
        crd[i] = i;
    pack_fails("s", TYPE_U8, 300, all_nodes(256, parent, crd, 1), "pos", -1);
    pack_fails("s", TYPE_I8, 300, all_nodes(1, parent, crd + 200, 1), "crd", -1);
    pack_fails("d", TYPE_I8, 64, all_nodes(0, parent, crd, 2), "pos", -1);
    pack_fails("d", TYPE_I64, INT64_MAX, all_nodes(0, parent, crd, 2), "pos", -1);
    pack_fails("q", TYPE_I8, 300, all_nodes(1, parent, crd + 200, 1), "crd", -1);
    /* two below one */
    pack_fails("q", TYPE_I32, 300, all_nodes(2, parent, crd, 1), NULL, 0);
    /* none */
    pack_fails("q", TYPE_I32, 300, all_nodes(0, parent, crd, 1), NULL, 0);
    const int64_t gap[] = {0, 2};
    pack_fails("q", TYPE_I32, 300, all_nodes(2, gap, crd, 3), NULL, 1);
}

/* A compressed level of dimension 5 with four parents, and what is done to it. */
struct damage {
    const char *letter;
    int32_t pos[5], crd[7];
    int64_t pos_length, crd_length;
    const char *array; /* the fault expected; NULL: it is valid */
    int64_t at;
};

static const struct damage damages[] = {
    {"s", {0, 2, 4, 4, 7}, {0, 1, 0, 1, 0, 3, 4}, 5, 7, NULL, 0},
    /* room to spare */
    {"s", {0, 2, 4, 4, 6}, {0, 1, 0, 1, 0, 3, 4}, 5, 7, NULL, 0},
    {"s", {0, 2, 4, 4, 7}, {0, 1, 0, 1, 0, 3, 4}, 4, 7, "pos", -1},
    {"s", {0, 2, 4, 4, 7}, {0, 1, 0, 1, 0, 3, 4}, 5, 6, "pos", 4},
    {"s", {1, 2, 4, 4, 7}, {0, 1, 0, 1, 0, 3, 4}, 5, 7, "pos", 0},
    {"s", {0, 2, 1, 4, 7}, {0, 1, 0, 1, 0, 3, 4}, 5, 7, "pos", 2},
    {"s", {0, 2, -4, 4, 7}, {0, 1, 0, 1, 0, 3, 4}, 5, 7, "pos", 2},
    {"s", {0, 2, 4, 4, INT32_MAX}, {0, 1, 0, 1, 0, 3, 4}, 5, 7, "pos", 4},
    {"s", {0, 2, 4, 4, 7}, {0, 1, 0, 1, 0, 3, 5}, 5, 7, "crd", 6},
    {"s", {0, 2, 4, 4, 7}, {0, 1, -1, 1, 0, 3, 4}, 5, 7, "crd", 2},
    {"s", {0, 2, 4, 4, 7}, {0, 1, 0, 1, 3, 0, 4}, 5, 7, "crd", 5},
    {"s", {0, 2, 4, 4, 7}, {0, 1, 0, 1, 0, 3, 3}, 5, 7, "crd", 6},
    {"u", {0, 2, 4, 4, 7}, {0, 1, 0, 1, 0, 3, 3}, 5, 7, NULL, 0},
    {"u", {0, 2, 4, 4, 7}, {0, 1, 0, 1, 3, 0, 3}, 5, 7, "crd", 5},
    {"v", {0, 2, 4, 4, 7}, {1, 0, 0, 1, 3, 4, 0}, 5, 7, NULL, 0},
    {"v", {0, 2, 4, 4, 7}, {0, 1, 0, 1, 3, 0, 3}, 5, 7, "crd", 6},
    {"v", {0, 2, 4, 4, 7}, {1, 1, 0, 1, 3, 0, 4}, 5, 7, "crd", 1},
    {"w", {0, 2, 4, 4, 7}, {0, 1, 0, 0, 3, 0, 3}, 5, 7, NULL, 0},
    {"w", {0, 2, 4, 4, 7}, {0, 1, 0, 0, 3, 9, 3}, 5, 7, "crd", 5},
};

static void compressed_finds_damage(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof damages / sizeof *damages; i++) {
        struct damage d = damages[i];
        struct hand_format hand;
        const struct format *format = hand_format(&hand, d.letter, NULL, TYPE_I32, TYPE_I32);
        struct level_storage level = {
            &format->level[0], 0, 5, {d.pos, d.crd}, {d.pos_length, d.crd_length}};
        struct level_fault fault = {.at = -2, .why = NULL};
        int64_t positions;
        bool valid = level_compressed.check(&level, 4, &positions, &fault);
        assert_int_equal(valid, d.array == NULL);
        if (valid) {
            assert_int_equal(positions, d.pos[4]);
            continue;
        }
        assert_string_equal(fault.array, d.array);
        assert_int_equal(fault.at, d.at);
    }
}

static void missing_arrays_are_damage(void **state)
{
    (void)state;
    struct hand_format hand;
    struct level_fault fault = {.at = -1};
    int64_t positions;
    int32_t pos[] = {0, 1};
    const struct format *s = hand_format(&hand, "s", NULL, TYPE_I32, TYPE_I32);
    struct level_storage level = {&s->level[0], 0, 5, {NULL, NULL}, {2, 1}};
    assert_false(level_compressed.check(&level, 1, &positions, &fault));
    level.array[0] = pos;
    assert_false(level_compressed.check(&level, 1, &positions, &fault));
    const struct format *q = hand_format(&hand, "q", NULL, TYPE_I32, TYPE_I32);
    level = (struct level_storage){&q->level[0], 0, 5, {NULL, NULL}, {1, 0}};
    assert_false(level_singleton.check(&level, 1, &positions, &fault));
}

static void singleton_finds_damage(void **state)
{
    (void)state;
    struct hand_format hand;
    const struct format *format = hand_format(&hand, "q", NULL, TYPE_I32, TYPE_I16);
    int16_t crd[] = {3, 0, 4};
    struct level_storage level = {&format->level[0], 0, 5, {crd, NULL}, {3, 0}};
    struct level_fault fault = {.at = -1};
    int64_t positions;
    assert_true(level_singleton.check(&level, 3, &positions, &fault));
    assert_int_equal(positions, 3);
    assert_false(level_singleton.check(&level, 4, &positions, &fault));
    assert_int_equal(fault.at, -1);
    crd[1] = 5;
    assert_false(level_singleton.check(&level, 3, &positions, &fault));
    assert_int_equal(fault.at, 1);
    crd[1] = -1;
    assert_false(level_singleton.check(&level, 3, &positions, &fault));
    assert_int_equal(fault.at, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arrays_hold_what_fits),
        cmocka_unit_test(other_types_are_no_arrays),
        cmocka_unit_test(levels_pack),
        cmocka_unit_test(levels_refuse),
        cmocka_unit_test(compressed_finds_damage),
        cmocka_unit_test(missing_arrays_are_damage),
        cmocka_unit_test(singleton_finds_damage),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
