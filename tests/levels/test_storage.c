/* test_storage.c - the storage functions of every level type that is registered, and of each by
 * itself.
 *
 * What is packed is checked, walked and found again; arrays that are damaged are refused, or are a
 * level all the same.
 *
 * SPDX-License-Identifier: MIT
 */
#include "tests/levels/sample.h"

static void every_type_packs(void **state)
{
    (void)state;
    uint64_t seed = 1;
    for (const struct level_type *const *type = registry_levels; *type; type++)
        for (int n = 0; n < 1000; n++) {
            struct sample s;
            random_sample(&s, *type, &seed);
            if (pack_sample(&s)) {
                is_valid(&s);
                nodes_are_there(&s);
            }
            free_sample(&s);
        }
}

/* ---- damage ---- */

/* What check lets pass is a level: its coordinates are in range, unique and ordered where the
 * format says so. */
static void is_a_level(const struct sample *s)
{
    const struct level_type *type = s->format.type;
    bool apart = level_has(&s->format, LEVEL_UNIQUE),
         ordered = level_has(&s->format, LEVEL_ORDERED);
    for (int64_t p = 0; p < s->nodes.parents; p++) {
        bool seen[DIMENSION_MOST] = {false};
        int64_t begin, end, coordinate, last = INT64_MIN, above[] = {0, 0};
        type->children(&s->level, p, &begin, &end);
        for (int64_t at = begin; at < end; at++) {
            if (!type->coordinate(&s->level, p, at, above + 2, &coordinate))
                continue;
            assert_in_range(coordinate - s->level.low, 0, s->level.dimension - 1);
            assert_true(!ordered || coordinate >= last);
            assert_true(!apart || !seen[coordinate - s->level.low]);
            seen[coordinate - s->level.low] = true;
            last = coordinate;
        }
    }
}

static bool passes(struct sample *s)
{
    struct level_fault fault = {.at = -2, .why = NULL};
    bool passed = s->format.type->check(&s->level, s->nodes.parents, &s->positions, &fault);
    if (!passed) {
        assert_non_null(fault.why);
        assert_in_range(fault.at + 1, 0, NODES_MOST * 4);
    }
    return passed;
}

static void every_type_finds_damage(void **state)
{
    (void)state;
    uint64_t seed = 2;
    for (const struct level_type *const *type = registry_levels; *type; type++) {
        int refused = 0, arrays = 0;
        for (int n = 0; n < 2000; n++) {
            struct sample s;
            random_sample(&s, *type, &seed);
            pack_sample(&s);
            int a = (int)random_below(&seed, LEVEL_ARRAYS);
            if (s.level.length[a] > 0) {
                size_t size = type_size(level_array_type(&s.format, a));
                char *at = (char *)s.level.array[a]
                           + (size_t)random_below(&seed, s.level.length[a]) * size;
                int64_t value = random_below(&seed, 4) ? random_below(&seed, 24) - 2
                                                       : (int64_t)random_next(&seed);
                memcpy(at, &value, size);
                arrays++;
                bool passed = passes(&s);
                refused += !passed;
                if (passed && s.positions <= 2 * NODES_MOST) /* arrays below would say how many */
                    is_a_level(&s);
            }
            free_sample(&s);
        }
        assert_true(arrays == 0 || refused > 100);
    }
}

/* An array that is missing, or has one element too few, is noticed before it is read. */
static void every_type_misses_its_arrays(void **state)
{
    (void)state;
    uint64_t seed = 3;
    for (const struct level_type *const *type = registry_levels; *type; type++)
        for (int n = 0; n < 300; n++) {
            struct sample s;
            random_sample(&s, *type, &seed);
            pack_sample(&s);
            int a = (int)random_below(&seed, LEVEL_ARRAYS);
            void *array = s.level.array[a];
            int64_t length = s.level.length[a];
            if (length > 0) {
                s.level.array[a] = NULL;
                assert_false(passes(&s));
                s.level.array[a] = array;
                s.level.length[a] = length - 1;
                assert_false(passes(&s));
                s.level.length[a] = length + 1;
                assert_true(passes(&s));
            }
            free_sample(&s);
        }
}

/* ---- what the types refuse ---- */

static bool refuses(const struct level_type *type, enum type pos, enum type crd, int64_t dimension,
                    struct level_nodes nodes, const char *why)
{
    struct level_format format = {type, type->properties, pos, crd, NULL, 0, 0};
    struct level_storage level = {.format = &format, .dimension = dimension};
    struct level_fault fault = {.at = -2, .why = "nothing"};
    int64_t position[300], positions;
    bool packed = pack_level(type, &level, &nodes, 7, position, &positions, &fault);
    for (int a = 0; a < LEVEL_ARRAYS; a++)
        free(level.array[a]);
    if (!packed && !strstr(fault.why, why))
        fail_msg("%s: %s", type->name, fault.why);
    return !packed;
}

static void types_refuse(void **state)
{
    (void)state;
    int64_t parent[300] = {0}, crd[300], each[] = {0, 0}, apart[] = {0, 1};
    for (int i = 0; i < 300; i++)
        crd[i] = i;
    struct level_nodes one = all_nodes(1, parent, crd, 1), none = all_nodes(0, parent, crd, 2),
                       last = all_nodes(1, parent, crd + 255, 1);
    /* positions beyond the pos type */
    assert_true(
        refuses(&level_hashed, TYPE_I8, TYPE_I32, 300, all_nodes(64, parent, crd, 1), "positions"));
    assert_false(refuses(&level_hashed, TYPE_U8, TYPE_I32, 300, all_nodes(64, parent, crd, 1), ""));
    assert_true(refuses(&level_padded, TYPE_I8, TYPE_I32, 300, all_nodes(128, parent, crd, 2),
                        "positions"));
    assert_false(
        refuses(&level_padded, TYPE_I8, TYPE_I32, 300, all_nodes(127, parent, crd, 2), ""));
    assert_true(refuses(&level_bitmap, TYPE_I8, TYPE_I32, 64, none, "positions"));
    assert_true(refuses(&level_bytemap, TYPE_I8, TYPE_I32, 128, one, "positions"));
    assert_true(refuses(&level_range, TYPE_I8, TYPE_I32, 64, none, "positions"));
    assert_true(refuses(&level_hashed, TYPE_I64, TYPE_I32, 300,
                        all_nodes(1, parent, crd, INT64_MAX), "positions"));
    /* coordinates beyond the crd type; -1 is a coordinate there */
    assert_true(refuses(&level_hashed, TYPE_I32, TYPE_I8, 300, last, "crd type"));
    assert_true(refuses(&level_hashed, TYPE_I32, TYPE_U8, 256, one, "marks"));
    assert_false(refuses(&level_hashed, TYPE_I32, TYPE_U8, 255, one, ""));
    assert_true(refuses(&level_padded, TYPE_I32, TYPE_U8, 256, last, "marks"));
    assert_true(refuses(&level_bytemap, TYPE_I32, TYPE_I8, 300, last, "crd type"));
    /* places */
    assert_true(refuses(&level_bytemap, TYPE_I32, TYPE_I32, 10, none, "first level"));
    assert_true(
        refuses(&level_offset, TYPE_I32, TYPE_I32, 10, all_nodes(2, each, apart, 1), "more"));
}

static bool checks(const struct level_type *type, unsigned drops, int64_t dimension,
                   int64_t parents, void *const *array, const int64_t *length, const char *why)
{
    struct level_format format = {type, type->properties & ~drops, TYPE_I32, TYPE_I32, NULL, 0, 0};
    struct level_storage level = {.format = &format, .dimension = dimension};
    struct level_fault fault = {.at = -2, .why = "nothing"};
    int64_t positions;
    for (int a = 0; a < LEVEL_ARRAYS && array[a]; a++) {
        level.array[a] = array[a];
        level.length[a] = length[a];
    }
    bool passed = type->check(&level, parents, &positions, &fault);
    if (!passed && !strstr(fault.why, why))
        fail_msg("%s: %s", type->name, fault.why);
    return passed;
}

static bool check_marked(const struct level_type *type, int32_t width, const int32_t *crd,
                         int64_t parents, const char *why)
{
    int32_t copy[16];
    for (int64_t i = 0; i < width * parents; i++)
        copy[i] = crd[i];
    return checks(type, 0, 5, parents, (void *[]){&width, copy, NULL},
                  (int64_t[]){1, width * parents}, why);
}

static void hashed_finds_damage(void **state)
{
    (void)state;
    int32_t table[4] = {-1, -1, -1, -1};
    int64_t own = index_slot(3, 4);
    assert_true(check_marked(&level_hashed, 4, table, 1, ""));
    table[own] = 3;
    assert_true(check_marked(&level_hashed, 4, table, 1, ""));
    table[(own + 1) & 3] = 3;
    assert_false(check_marked(&level_hashed, 4, table, 1, "not where")); /* twice */
    table[own] = -1;
    assert_false(check_marked(&level_hashed, 4, table, 1, "not where"));
    table[(own + 1) & 3] = 5;
    assert_false(check_marked(&level_hashed, 4, table, 1, "not below"));
    table[(own + 1) & 3] = -2;
    assert_false(check_marked(&level_hashed, 4, table, 1, "negative"));
    assert_false(
        check_marked(&level_hashed, 4, (int32_t[]){0, 1, 2, 3}, 1, "without an empty slot"));
    assert_false(check_marked(&level_hashed, 3, (int32_t[]){-1, -1, -1}, 1, "power of two"));
    assert_false(check_marked(&level_hashed, 0, NULL, 1, "power of two"));
    assert_false(check_marked(&level_hashed, -1, NULL, 1, "negative"));
}

/* The drawings in levels/hashed.c and levels/padded.c, and in docs/formats.md. */
static void drawings_are_right(void **state)
{
    (void)state;
    static const int32_t tables[] = {0, 1, -1, -1, -1, -1, -1, -1, -1, 1, 4, -1};
    static const int32_t rows[] = {0, 1, -1, 0, 1, -1, -1, -1, -1, 0, 3, 4};
    static const int64_t parent[] = {0, 0, 2, 2}, crd[] = {0, 1, 1, 4};
    static const int64_t row[] = {0, 0, 1, 1, 3, 3, 3}, column[] = {0, 1, 0, 1, 0, 3, 4};
    struct sample s = {.format = {&level_hashed, LEVEL_UNIQUE, TYPE_I32, TYPE_I32, NULL, 0, 0}};
    s.level = (struct level_storage){.format = &s.format, .dimension = 5};
    s.nodes = all_nodes(4, parent, crd, 3);
    pack_sample(&s);
    assert_int_equal(s.positions, 12);
    assert_memory_equal(s.level.array[1], tables, sizeof tables);
    free_sample(&s);
    s.format.type = &level_padded;
    s.nodes = all_nodes(7, row, column, 4);
    pack_sample(&s);
    assert_int_equal(s.positions, 12);
    assert_memory_equal(s.level.array[1], rows, sizeof rows);
    free_sample(&s);
}

static void padded_finds_damage(void **state)
{
    (void)state;
    assert_true(check_marked(&level_padded, 3, (int32_t[]){0, 4, -1, -1, -1, -1}, 2, ""));
    assert_true(check_marked(&level_padded, 0, NULL, 2, ""));
    assert_false(check_marked(&level_padded, 3, (int32_t[]){0, -1, 4}, 1, "behind the padding"));
    assert_false(check_marked(&level_padded, 3, (int32_t[]){4, 0, -1}, 1, "less than"));
    assert_false(check_marked(&level_padded, 3, (int32_t[]){4, 4, -1}, 1, "twice"));
    assert_false(check_marked(&level_padded, 3, (int32_t[]){0, 5, -1}, 1, "not below"));
    assert_false(check_marked(&level_padded, 3, (int32_t[]){0, -2, -1}, 1, "negative"));
    assert_false(check_marked(&level_padded, -3, NULL, 1, "negative"));
}

static bool check_bytemap(unsigned drops, int32_t count, const int32_t *crd,
                          const unsigned char *flags, const char *why)
{
    int32_t list[5] = {9, 9, 9, 9, 9};
    unsigned char map[5];
    for (int32_t i = 0; i < count && crd; i++)
        list[i] = crd[i];
    memcpy(map, flags, sizeof map);
    return checks(&level_bytemap, drops, 5, 1, (void *[]){&count, map, list}, (int64_t[]){1, 5, 5},
                  why);
}

static void bytemap_finds_damage(void **state)
{
    (void)state;
    static const unsigned char map[5] = {1, 0, 1, 1, 0}, odd[5] = {1, 0, 2, 1, 0};
    assert_true(check_bytemap(0, 3, (int32_t[]){0, 2, 3}, map, ""));
    assert_true(check_bytemap(LEVEL_ORDERED, 3, (int32_t[]){2, 3, 0}, map, ""));
    assert_false(check_bytemap(0, 3, (int32_t[]){2, 3, 0}, map, "less than"));
    assert_false(check_bytemap(LEVEL_ORDERED, 3, (int32_t[]){2, 3, 2}, map, "twice"));
    assert_false(check_bytemap(0, 2, (int32_t[]){2, 3}, map, "not in the list"));
    assert_false(check_bytemap(0, 3, (int32_t[]){0, 1, 2}, map, "without its flag"));
    assert_false(check_bytemap(0, 3, (int32_t[]){0, 2, 5}, map, "not below"));
    assert_false(check_bytemap(0, 3, (int32_t[]){0, 2, 3}, odd, "neither"));
    assert_false(check_bytemap(0, -1, NULL, map, "negative"));
    assert_false(check_bytemap(0, 6, NULL, map, "more than"));
}

/* A 4 x 6 matrix with the diagonals -2, 0 and 3 (the thesis, figures 2-19 and 2-20). */
static void diagonals_have_their_coordinates(void **state)
{
    (void)state;
    struct level_format range = {
        &level_range, level_range.properties, TYPE_I32, TYPE_I32, NULL, 0, 0};
    struct level_format offset = {
        &level_offset, level_offset.properties, TYPE_I32, TYPE_I32, NULL, 1, 0};
    struct level_storage i = {.format = &range, .dimension = 4},
                         j = {.format = &offset, .dimension = 6};
    static const int64_t diagonal[] = {-2, 0, 3}, first[] = {2, 0, 0}, end[] = {4, 4, 3};
    for (int64_t p = 0; p < 3; p++)
        for (int64_t at = 4 * p; at < 4 * p + 4; at++) {
            int64_t path[3] = {diagonal[p], -1, -1}, begin, stop;
            level_range.children(&i, p, &begin, &stop);
            assert_true(begin == 4 * p && stop == 4 * p + 4);
            assert_true(level_range.coordinate(&i, p, at, path + 1, &path[1]));
            assert_int_equal(path[1], at - 4 * p);
            level_offset.children(&j, at, &begin, &stop);
            assert_true(begin == at && stop == at + 1);
            bool there = level_offset.coordinate(&j, at, at, path + 2, &path[2]);
            assert_int_equal(there, path[1] >= first[p] && path[1] < end[p]);
            assert_int_equal(path[2], path[1] + diagonal[p]);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_type_packs),
        cmocka_unit_test(every_type_finds_damage),
        cmocka_unit_test(every_type_misses_its_arrays),
        cmocka_unit_test(types_refuse),
        cmocka_unit_test(hashed_finds_damage),
        cmocka_unit_test(drawings_are_right),
        cmocka_unit_test(padded_finds_damage),
        cmocka_unit_test(bytemap_finds_damage),
        cmocka_unit_test(diagonals_have_their_coordinates),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
