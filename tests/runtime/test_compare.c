/* test_compare.c - tensors that are the same but for roundings, and those that are not.
 *
 * SPDX-License-Identifier: MIT
 */
#include "tests/runtime/support.h"

#include <math.h>

#include "runtime/tensor/compare.h"

enum { ROWS = 3, COLUMNS = 4 };

struct entry {
    int64_t at[2];
    double value;
};

/* A compressed matrix of these entries, by rows or by columns. */
static struct tensor *matrix(bool by_columns, enum type type, const struct entry *entry, int n)
{
    struct hand_format hand;
    struct coords coords;
    struct tensor *made = NULL;
    const int modes[] = {by_columns, !by_columns};
    coords_init(&coords, 2, (int64_t[]){ROWS, COLUMNS}, type);
    for (int i = 0; i < n; i++) {
        char value[16];
        value_store(value_convert(value_real(TYPE_F64, entry[i].value), type), value);
        assert_true(coords_add(&coords, entry[i].at, value));
    }
    assert_int_equal(tensor_pack(&coords, hand_format(&hand, "ds", modes, TYPE_I32, TYPE_I32),
                                 value_zero(type), 1, NULL, &made, NULL),
                     RT_OK);
    coords_free(&coords);
    return made;
}

/* Of matrices stored alike, and of one by rows and one by columns. */
static void expect_difference(enum type type, const struct entry *a, int n_a, const struct entry *b,
                              int n_b, enum tensor_difference expected)
{
    for (int by_columns = 0; by_columns < 2; by_columns++) {
        struct tensor *one = matrix(false, type, a, n_a), *other = matrix(by_columns, type, b, n_b);
        enum tensor_difference difference;
        assert_int_equal(tensor_compare(one, other, &difference, NULL), RT_OK);
        assert_int_equal(difference, expected);
        assert_int_equal(tensor_compare(other, one, &difference, NULL), RT_OK);
        assert_int_equal(difference, expected);
        tensor_free(one);
        tensor_free(other);
    }
}

static void patterns(void **state)
{
    (void)state;
    static const struct entry a[] = {{{0, 3}, 1}, {{1, 0}, 2}, {{2, 1}, 0}},
                              moved[] = {{{0, 2}, 1}, {{1, 0}, 2}, {{2, 1}, 0}};
    expect_difference(TYPE_F64, a, 3, a, 3, TENSOR_SAME);
    expect_difference(TYPE_F64, a, 3, moved, 3, TENSOR_OTHER_PATTERN);
    /* a zero that is stored is a component */
    expect_difference(TYPE_F64, a, 3, a, 2, TENSOR_OTHER_PATTERN);
    expect_difference(TYPE_F64, a, 0, a, 0, TENSOR_SAME);
    expect_difference(TYPE_F64, a, 0, a, 1, TENSOR_OTHER_PATTERN);
}

static void values(void **state)
{
    (void)state;
    static const struct {
        enum type type;
        double a, b;
        enum tensor_difference expected;
    } row[] = {
        {TYPE_F64, 100, 100 * (1 + 1e-12), TENSOR_SAME},
        {TYPE_F64, 100, 100 * (1 + 1e-5), TENSOR_OTHER_VALUES},
        /* beside 7e3, it is what roundings leave */
        {TYPE_F64, 0, 1e-9, TENSOR_SAME},
        {TYPE_F64, 0, 1, TENSOR_OTHER_VALUES},
        {TYPE_F32, 100, 100.0001, TENSOR_SAME},
        {TYPE_F32, 100, 103, TENSOR_OTHER_VALUES},
        {TYPE_F64, NAN, NAN, TENSOR_SAME},
        {TYPE_F64, NAN, 1, TENSOR_OTHER_VALUES},
        {TYPE_F64, INFINITY, INFINITY, TENSOR_SAME},
        {TYPE_F64, INFINITY, -INFINITY, TENSOR_OTHER_VALUES},
        {TYPE_F64, INFINITY, 1, TENSOR_OTHER_VALUES},
        {TYPE_C128, 100, 100 * (1 + 1e-12), TENSOR_SAME},
        {TYPE_C64, 100, 90, TENSOR_OTHER_VALUES},
        {TYPE_I32, 7, 7, TENSOR_SAME},
        {TYPE_I32, 7, 8, TENSOR_OTHER_VALUES},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        const struct entry a[] = {{{0, 3}, 7e3}, {{1, 0}, row[i].a}},
                           b[] = {{{0, 3}, 7e3}, {{1, 0}, row[i].b}};
        expect_difference(row[i].type, a, 2, b, 2, row[i].expected);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(patterns), cmocka_unit_test(values)};
    return cmocka_run_group_tests_name("compare", tests, NULL, NULL);
}
