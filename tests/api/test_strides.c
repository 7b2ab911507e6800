/* test_strides.c - dense tensors on arrays as they are found: parts, backwards, repeated, and the
 * strides that lead nowhere.
 *
 * SPDX-License-Identifier: MIT
 */
#include <string.h>

#include "tests/api/support.h"

static const double grid[4][5] = {
    {0, 1, 2, 3, 4}, {10, 11, 12, 13, 14}, {20, 21, 22, 23, 24}, {30, 31, 32, 33, 34}};

static spcc_tensor *borrowed(spcc_context *context, int64_t rows, int64_t columns, int64_t down,
                             int64_t across, const double *values)
{
    const int64_t dimension[] = {rows, columns}, stride[] = {down, across};
    spcc_tensor *tensor;
    expect(
        context, SPCC_OK,
        spcc_tensor_borrow_strided(context, SPCC_F64, 2, dimension, stride, values, NULL, &tensor));
    return tensor;
}

/* By unpacking, and by a kernel. */
static void check(spcc_context *context, const spcc_tensor *tensor, int64_t down, int64_t across,
                  const double *values)
{
    int64_t rows = spcc_tensor_dimension(tensor, 0), columns = spcc_tensor_dimension(tensor, 1),
            coordinate[40];
    double value[20];
    spcc_tensor *sum = empty(context, NULL, 1);
    const spcc_binding to_sum[] = {{"s", sum}, {"A", (spcc_tensor *)tensor}};
    assert_int_equal(spcc_tensor_stored(tensor), rows * columns);
    assert_int_equal(spcc_tensor_unpack(tensor, coordinate, value), rows * columns);
    for (int64_t k = 0; k < rows * columns; k++)
        assert_true(value[k] == values[coordinate[2 * k] * down + coordinate[2 * k + 1] * across]);
    expect(context, SPCC_OK, spcc_eval(context, "s(i) = A(i,j)", to_sum, 2));
    for (int64_t i = 0; i < rows; i++) {
        double expected = 0;
        for (int64_t j = 0; j < columns; j++)
            expected += values[i * down + j * across];
        assert_true(((const double *)spcc_tensor_values(sum))[i] == expected);
    }
    spcc_tensor_free(sum);
}

static void any_strides(void **state)
{
    static const struct {
        int64_t rows, columns, down, across;
        int at;
        const char *format;
    } rows[] = {
        {4, 5, 5, 1, 0, "dd"},
        {5, 4, 1, 5, 0, "dd:1,0"},
        {4, 3, 5, 1, 1, "(i,j) -> (i : strided(pos=i64), j : strided(unit))"},
        {4, 3, 5, -1, 3, "(i,j) -> (i : strided(pos=i64), j : strided(pos=i64))"},
        {2, 3, -10, 2, 15, "(i,j) -> (i : strided(pos=i64), j : strided(pos=i64))"},
        {3, 4, 2, 5, 0, "(i,j) -> (j : strided(pos=i64), i : strided(pos=i64))"},
        {3, 4, 1, 5, 0, "(i,j) -> (j : strided(pos=i64), i : strided(unit))"},
        {3, 5, 0, 1, 5, "(i,j) -> (i : strided(pos=i64), j : strided(unit))"},
        {4, 5, 0, 0, 7, "(i,j) -> (i : strided(pos=i64), j : strided(pos=i64))"},
        {1, 5, 999, 1, 5, "dd"},
        {4, 3, 5, 2, 0, "(i,j) -> (i : strided(pos=i64), j : strided(pos=i64))"},
        {0, 5, -7, 3, 0, "dd"},
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        const double *values = &grid[0][0] + rows[k].at;
        spcc_tensor *tensor =
            borrowed(*state, rows[k].rows, rows[k].columns, rows[k].down, rows[k].across, values);
        assert_string_equal(spcc_tensor_format(tensor), rows[k].format);
        check(*state, tensor, rows[k].down, rows[k].across, values);
        spcc_tensor_free(tensor);
    }
}

/* Without gaps it may be a result; with gaps it may not. */
static void results(void **state)
{
    static const int64_t dimension[] = {3, 2}, turned[] = {1, 3}, apart[] = {1, 4};
    static const spcc_tensor_options writable = {.size = sizeof writable, .writable = true};
    double values[8] = {0};
    spcc_tensor *A = borrowed(*state, 3, 2, 5, 1, &grid[0][0]), *B;
    expect(
        *state, SPCC_OK,
        spcc_tensor_borrow_strided(*state, SPCC_F64, 2, dimension, turned, values, &writable, &B));
    const spcc_binding bound[] = {{"B", B}, {"A", A}};
    expect(*state, SPCC_OK, spcc_eval(*state, "B(i,j) = A(i,j)", bound, 2));
    assert_memory_equal(values, ((const double[]){0, 10, 20, 1, 11, 21}), 6 * sizeof *values);
    spcc_tensor_free(B);
    expect(
        *state, SPCC_OK,
        spcc_tensor_borrow_strided(*state, SPCC_F64, 2, dimension, apart, values, &writable, &B));
    const spcc_binding other[] = {{"B", B}, {"A", A}};
    expect(*state, SPCC_ERROR_FORMAT, spcc_eval(*state, "B(i,j) = A(i,j)", other, 2));
    spcc_tensor_free(B);
    spcc_tensor_free(A);
}

static void mistakes(void **state)
{
    static const int64_t dimension[] = {3, 1000}, one[] = {1, 1}, far[] = {INT64_MAX, 1},
                         least[] = {INT64_MIN, 1}, both[] = {INT64_MAX / 2, INT64_MAX / 999};
    const double *values = &grid[0][0];
    spcc_tensor *tensor;
    expect(*state, SPCC_ERROR_ARGUMENT,
           spcc_tensor_borrow_strided(*state, SPCC_F64, 33, dimension, one, values, NULL, &tensor));
    expect(*state, SPCC_ERROR_ARGUMENT,
           spcc_tensor_borrow_strided(*state, SPCC_F64, -1, dimension, one, values, NULL, &tensor));
    expect(*state, SPCC_ERROR_ARGUMENT,
           spcc_tensor_borrow_strided(*state, SPCC_F64, 2, dimension, NULL, values, NULL, &tensor));
    expect(*state, SPCC_ERROR_ARGUMENT,
           spcc_tensor_borrow_strided(*state, SPCC_F64, 2, dimension, one, NULL, NULL, &tensor));
    expect(*state, SPCC_ERROR_TENSOR,
           spcc_tensor_borrow_strided(*state, SPCC_F64, 2, dimension, far, values, NULL, &tensor));
    expect(
        *state, SPCC_ERROR_LIMIT,
        spcc_tensor_borrow_strided(*state, SPCC_F64, 2, dimension, least, values, NULL, &tensor));
    expect(*state, SPCC_ERROR_TENSOR,
           spcc_tensor_borrow_strided(*state, SPCC_F64, 2, dimension, both, values, NULL, &tensor));
    expect_message(*state, "strides are too large");
    assert_null(tensor);
    assert_int_equal(
        spcc_tensor_borrow_strided(*state, SPCC_F64, 2, dimension, one, values, NULL, NULL),
        SPCC_ERROR_ARGUMENT);
}

/* Through a format of its own as well, whose strides are those that are stored or given. */
static void as_any_format(void **state)
{
    static const char format[] = "(i,j) -> (j : strided, i : strided)";
    static const int64_t coordinates[] = {2, 1, 0, 0, 1, 0, 0, 1, 2, 0, 1, 1};
    static const double packed[] = {21, 0, 10, 1, 20, 11};
    spcc_tensor *B, *C;
    const int32_t stride[] = {-1, 5};
    const int64_t dimension[] = {3, 2};
    const spcc_array arrays[] = {{&stride[0], 1}, {&stride[1], 1}};
    expect(*state, SPCC_OK,
           spcc_tensor_from_coords(*state, format, SPCC_F64, 2, dimension, 6, coordinates, packed,
                                   NULL, &B));
    assert_memory_equal(spcc_tensor_values(B), ((const double[]){0, 10, 20, 1, 11, 21}),
                        6 * sizeof(double));
    check(*state, B, 5, 1, &grid[0][0]);
    expect(*state, SPCC_OK,
           spcc_tensor_borrow(*state, format, SPCC_F64, 2, dimension, arrays, 2, &grid[0][0], 12,
                              NULL, &C));
    check(*state, C, 5, -1, &grid[0][1]);
    spcc_tensor_free(C);
    expect(*state, SPCC_ERROR_TENSOR,
           spcc_tensor_borrow(*state, format, SPCC_F64, 2, dimension, arrays, 2, &grid[0][0], 11,
                              NULL, &C));
    spcc_tensor_free(B);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(any_strides),
        TEST(results),
        TEST(mistakes),
        TEST(as_any_format),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
