/* test_formats.c - tensors in all kinds of formats through the C API: their arrays are asked for
 * and lent again, which checks them, also those of results that kernels have made.
 *
 * SPDX-License-Identifier: MIT
 */
#include <math.h>

#include "tests/api/support.h"

/* Sizes that no block divides. */
enum { ROWS = 7, COLUMNS = 11, ARRAYS_MOST = 12 };

static const int64_t size[] = {ROWS, COLUMNS};

static const char *const formats[] = {
    "dense",
    "csr",
    "csc",
    "dcsr",
    "coo",
    "coo:1,0",
    "csf:1,0",
    "ell",
    "ell:1,0",
    "hash",
    "dok:1,0",
    "bitmap",
    "bitmap:1,0",
    "mode-generic",
    "(i,j) -> (i : hashed, j : padded)",
    "(i,j) -> (i : compressed, j : hashed)",
    "(i,j) -> (j : bitmap, i : padded)",
    "(i,j) -> (i : bytemap, j : hashed(crd=u8))",
    "(i,j) -> (i : padded, j : bitmap)",
    "(i,j) -> (i : compressed(unordered), j : compressed(unordered, crd=u16))",
    "bcsr(2,3)",
    "bcsr(4,4):1,0",
    "bcsr(1,1)",
    "bcsc(3,2)",
    "csb(4)",
    "csb(3):1,0",
    "dia",
    "(i,j) -> (j-i : compressed, i : range)",
    "(i,j) -> (j-i : compressed, i : dense)",
    "(i,j) -> (j-i : dense, i : range, j : offset)",
    "(i,j) -> (j-i : hashed, i : range, j : offset)",
    "(i,j) -> (j-i : bitmap, i : range, j : offset)",
    "(i,j) -> (i/2 : dense, j/3 : padded, i%2 : dense, j%3 : dense)",
    "(i,j) -> (i/2 : hashed, j/3 : hashed, i%2 : dense, j%3 : dense)",
    "(i,j) -> (i/2 : dense, j/3 : bitmap, i%2 : bitmap, j%3 : dense)",
    "(i,j) -> (i/2 : compressed, j/3 : compressed, j%3 : dense, i%2 : dense)",
    /* operands alone */
    "sell(4)",
    "sell(3):1,0",
    "(i,j) -> (i : ragged, j : singleton(padded))",
};

enum { FORMATS = sizeof formats / sizeof *formats, RESULTS = FORMATS - 3 };

/* Not every one is compiled, which takes long. */
static int step(void) { return engine == SPCC_ENGINE_INTERP ? 1 : 4; }

/* About a quarter of the components, some of a row and a column none. */
static double component(int i, int j)
{
    int hash = (i * 37 + j * 101 + i * j * 13) % 17;
    return i == 3 || j == 8 || hash > 4 ? 0 : 1 + i + 10 * j;
}

static spcc_tensor *matrix(spcc_context *context, const char *format)
{
    int64_t at[2 * ROWS * COLUMNS], n = 0;
    double values[ROWS * COLUMNS];
    spcc_tensor *tensor;
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLUMNS; j++)
            if (component(i, j) != 0) {
                at[2 * n] = i;
                at[2 * n + 1] = j;
                values[n++] = component(i, j);
            }
    expect(
        context, SPCC_OK,
        spcc_tensor_from_coords(context, format, SPCC_F64, 2, size, n, at, values, NULL, &tensor));
    return tensor;
}

static void check_matrix(const spcc_tensor *tensor)
{
    int64_t most = spcc_tensor_stored(tensor);
    int64_t *at = malloc((size_t)(2 * most + 1) * sizeof *at);
    double dense[ROWS][COLUMNS] = {{0}}, *values = malloc((size_t)(most + 1) * sizeof *values);
    assert_non_null(at);
    assert_non_null(values);
    int64_t n = spcc_tensor_unpack(tensor, at, values);
    assert_true(n <= most);
    for (int64_t k = 0; k < n; k++) {
        assert_true(at[2 * k] >= 0 && at[2 * k] < ROWS && at[2 * k + 1] >= 0
                    && at[2 * k + 1] < COLUMNS);
        dense[at[2 * k]][at[2 * k + 1]] += values[k];
    }
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLUMNS; j++)
            if (dense[i][j] != component(i, j))
                fail_msg("%s: (%d,%d) is %g, not %g", spcc_tensor_format(tensor), i, j, dense[i][j],
                         component(i, j));
    free(at);
    free(values);
}

/* A tensor on the levels' arrays of another one, which are thereby checked, and on values. */
static spcc_tensor *borrow(spcc_context *context, const spcc_tensor *tensor, const void *values)
{
    spcc_array arrays[ARRAYS_MOST];
    spcc_tensor *borrower;
    int n = 0;
    for (int level = 0; level < spcc_tensor_levels(tensor); level++)
        for (int k = 0; spcc_tensor_array_name(tensor, level, k); k++)
            arrays[n++] = spcc_tensor_array(tensor, level, k);
    expect(context, SPCC_OK,
           spcc_tensor_borrow(context, spcc_tensor_format(tensor), SPCC_F64, 2, size, arrays, n,
                              values, spcc_tensor_stored(tensor), NULL, &borrower));
    return borrower;
}

static void lend(spcc_context *context, const spcc_tensor *tensor)
{
    spcc_tensor *borrower = borrow(context, tensor, spcc_tensor_values(tensor));
    check_matrix(borrower);
    spcc_tensor_free(borrower);
}

static void arrays_can_be_lent(void **state)
{
    for (int f = 0; f < FORMATS; f++) {
        spcc_tensor *A = matrix(*state, formats[f]);
        check_matrix(A);
        lend(*state, A);
        spcc_tensor_free(A);
    }
}

static void copy(spcc_context *context, const char *from, const char *to)
{
    spcc_tensor *A = matrix(context, from), *B = empty(context, to, 2);
    spcc_binding bindings[] = {{"B", B}, {"A", A}};
    expect(context, SPCC_OK, spcc_eval(context, "B(i,j) = A(i,j)", bindings, 2));
    check_matrix(B);
    lend(context, B);
    spcc_tensor_free(A);
    spcc_tensor_free(B);
}

/* Row sums, by a product with ones, and column sums. */
static void check_product(spcc_context *context, const char *format, const char *statement,
                          int rows, int columns)
{
    double ones[COLUMNS], sum[COLUMNS] = {0};
    bool transposed = rows == COLUMNS;
    for (int j = 0; j < columns; j++)
        ones[j] = 1;
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLUMNS; j++)
            sum[transposed ? j : i] += component(i, j);
    spcc_tensor *A = matrix(context, format), *x = dense_vector(context, columns, ones),
                *y = empty(context, NULL, 1);
    spcc_binding bindings[] = {{"y", y}, {"A", A}, {"x", x}};
    expect(context, SPCC_OK, spcc_eval(context, statement, bindings, 3));
    assert_int_equal(spcc_tensor_stored(y), rows);
    for (int i = 0; i < rows; i++)
        if (((const double *)spcc_tensor_values(y))[i] != sum[i])
            fail_msg("%s: %s: y(%d)", format, statement, i);
    spcc_tensor_free(A);
    spcc_tensor_free(x);
    spcc_tensor_free(y);
}

static void operands_are_read(void **state)
{
    for (int f = 0; f < FORMATS; f += step()) {
        check_product(*state, formats[f], "y(i) = A(i,j) * x(j)", ROWS, COLUMNS);
        check_product(*state, formats[f], "y(j) = A(i,j) * x(i)", COLUMNS, ROWS);
    }
}

static void results_can_be_lent(void **state)
{
    for (int f = 0; f < FORMATS; f += step()) {
        if (f < RESULTS)
            copy(*state, "csr", formats[f]);
        copy(*state, formats[f], formats[(f * 11 + 5) % RESULTS]);
    }
}

/* Segments of a compressed level follow each other as their parents do: in the order of a hash
 * table's slots, or of those of many tables. */
static void results_below_hash_tables(void **state)
{
    static const char *const tables[] = {
        "hs",
        "(i,j) -> (i/2 : compressed, i%2 : hashed, j : compressed)",
        "(i,j) -> (i/2 : padded, i%2 : hashed, j : compressed)",
        "(i,j) -> (i/2 : hashed, i%2 : padded, j : compressed)",
        "(i,j) -> (i/2 : hashed, i%2 : compressed, j/2 : hashed, j%2 : compressed)",
        "(i,j) -> (i/2 : compressed, i%2 : hashed, j/2 : bitmap, j%2 : compressed)",
    };
    for (size_t t = 0; t < sizeof tables / sizeof *tables; t++)
        copy(*state, "csr", tables[t]);
}

/* A(i,j) = u(i) * v(j) with 16 * 16 components, where a byte counts 255: an error, and 15 * 15
 * are none. */
static void narrow_positions_are_counted(void **state)
{
    static const char *const narrow[] = {
        "(i,j) -> (i : dense, j : compressed(pos=u8))",
        "(i,j) -> (j : dense, i : compressed(pos=u8))",
        "(i,j) -> (i : compressed(nonunique, pos=u8), j : singleton)",
        "(i,j) -> (i : hashed, j : compressed(pos=u8))",
        "(i,j) -> (i/2 : compressed(pos=u8), i%2 : hashed, j : compressed(pos=u8))",
    };
    double ones[16];
    for (int i = 0; i < 16; i++)
        ones[i] = 1;
    for (size_t f = 0; f < sizeof narrow / sizeof *narrow; f++)
        for (int n = 15; n <= 16; n++) {
            spcc_tensor *u = dense_vector(*state, n, ones), *A = empty(*state, narrow[f], 2);
            spcc_binding bindings[] = {{"A", A}, {"u", u}};
            expect(*state, n * n > 255 ? SPCC_ERROR_LIMIT : SPCC_OK,
                   spcc_eval(*state, "A(i,j) = u(i) * u(j)", bindings, 2));
            assert_true(n * n > 255 || spcc_tensor_stored(A) == n * n);
            spcc_tensor_free(u);
            spcc_tensor_free(A);
        }
}

enum { WIDE = 128 };

/* None to a hundred entries in a row. */
static spcc_tensor *uneven(spcc_context *context)
{
    static const int64_t wide[] = {WIDE, WIDE};
    int64_t *at = malloc(2 * WIDE * WIDE * sizeof *at), n = 0;
    double *values = malloc(WIDE * WIDE * sizeof *values);
    spcc_tensor *tensor;
    assert_non_null(at);
    assert_non_null(values);
    for (int i = 0; i < WIDE; i++)
        for (int k = 0; k < (i % 11) * (i % 11); k++) {
            at[2 * n] = i;
            at[2 * n + 1] = (k * 37 + i) % WIDE;
            values[n++] = 1 + (i + k) % 7;
        }
    expect(
        context, SPCC_OK,
        spcc_tensor_from_coords(context, "csr", SPCC_F64, 2, wide, n, at, values, NULL, &tensor));
    free(at);
    free(values);
    return tensor;
}

static int64_t unpack_product(spcc_context *context, spcc_tensor *B, const char *schedule,
                              int64_t *at, double *values)
{
    const spcc_declaration declarations[] = {{.name = "C", .format = "csr"},
                                             {.name = "B", .format = "csr"}};
    spcc_compile_options options = {.size = sizeof options,
                                    .declarations = declarations,
                                    .n_declarations = 2,
                                    .schedule = schedule,
                                    .no_plan = schedule != NULL};
    spcc_tensor *C = empty(context, "csr", 2);
    spcc_kernel *kernel;
    expect(context, SPCC_OK, spcc_compile(context, "C(i,j) = B(i,k) * B(k,j)", &options, &kernel));
    expect(context, SPCC_OK, spcc_run(context, kernel, C, B));
    assert_true(spcc_tensor_stored(C) <= WIDE * WIDE);
    int64_t n = spcc_tensor_unpack(C, at, values);
    spcc_kernel_free(kernel);
    spcc_tensor_free(C);
    return n;
}

/* Rows of a product as bytemaps, which is the plan, and as hash tables, which become wider and
 * narrower. */
static void rows_are_hash_tables(void **state)
{
    int64_t *at = malloc(4 * WIDE * WIDE * sizeof *at);
    double *values = malloc(2 * WIDE * WIDE * sizeof *values);
    assert_non_null(at);
    assert_non_null(values);
    spcc_tensor *B = uneven(*state);
    int64_t n = unpack_product(*state, B, NULL, at, values);
    int64_t m = unpack_product(*state, B,
                               "reorder(i,k,j); precompute(B(i,k) * B(k,j), w, {j,j,jp}, hash);"
                               "precompute(w(j), w2, {j,jc,jq}, coo)",
                               at + 2 * n, values + n);
    assert_true(n > WIDE && n == m);
    assert_memory_equal(at, at + 2 * n, (size_t)n * 2 * sizeof *at);
    assert_memory_equal(values, values + n, (size_t)n * sizeof *values);
    spcc_tensor_free(B);
    free(at);
    free(values);
}

/* The pattern is made once; values are computed into it. */
static void patterns_can_be_assembled(void **state)
{
    static const char *const to[] = {"csr", "ell", "hash", "bitmap", "coo", "bcsr(2,3)", "dia"};
    spcc_tensor *A = matrix(*state, "csr");
    for (size_t f = 0; f < sizeof to / sizeof *to; f++) {
        spcc_tensor *B = empty(*state, to[f], 2), *tensors[] = {B, A};
        spcc_declaration declarations[] = {{.name = "B", .tensor = B}, {.name = "A", .tensor = A}};
        spcc_compile_options options = {.size = sizeof options,
                                        .declarations = declarations,
                                        .n_declarations = 2,
                                        .kind = SPCC_SPLIT};
        spcc_kernel *kernel;
        expect(*state, SPCC_OK, spcc_compile(*state, "B(i,j) = A(i,j)", &options, &kernel));
        expect(*state, SPCC_OK, spcc_assemble(*state, kernel, tensors, 2));
        for (int64_t k = 0; k < spcc_tensor_stored(B); k++)
            assert_true(((const double *)spcc_tensor_values(B))[k] == 0);
        expect(*state, SPCC_OK, spcc_compute(*state, kernel, tensors, 2));
        check_matrix(B);
        lend(*state, B);
        spcc_kernel_free(kernel);
        spcc_tensor_free(B);
    }
    spcc_tensor_free(A);
}

/* On those of another, with NaN in place of values where there is no coordinate. */
static spcc_tensor *with_any_padding(spcc_context *context, const spcc_tensor *tensor,
                                     double *values)
{
    for (int64_t p = 0; p < spcc_tensor_stored(tensor); p++) {
        const double value = ((const double *)spcc_tensor_values(tensor))[p];
        values[p] = value == 0 ? NAN : value;
    }
    return borrow(context, tensor, values);
}

static void values_without_coordinates_are_ignored(void **state)
{
    static const char *const padded[] = {
        "ell", "ell:1,0", "hash", "bitmap", "sell(4)", "(i,j) -> (i : hashed, j : padded)",
    };
    const int padded_formats = sizeof padded / sizeof *padded;
    double sum = 0;
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLUMNS; j++)
            sum += component(i, j);
    for (int f = 0; f < padded_formats; f += step()) {
        spcc_tensor *A = matrix(*state, padded[f]);
        double *values = malloc((size_t)spcc_tensor_stored(A) * sizeof *values);
        assert_non_null(values);
        spcc_tensor *any = with_any_padding(*state, A, values), *s = empty(*state, NULL, 0),
                    *B = empty(*state, "csr", 2);
        spcc_binding sums[] = {{"s", s}, {"A", any}}, copies[] = {{"B", B}, {"A", any}};
        expect(*state, SPCC_OK, spcc_eval(*state, "s = A(i,j)", sums, 2));
        assert_true(*(const double *)spcc_tensor_values(s) == sum);
        expect(*state, SPCC_OK, spcc_eval(*state, "B(i,j) = A(i,j)", copies, 2));
        check_matrix(B);
        check_matrix(any);
        spcc_tensor_free(B);
        spcc_tensor_free(s);
        spcc_tensor_free(any);
        spcc_tensor_free(A);
        free(values);
    }
}

static void wrong_arrays_are_named(void **state)
{
    static const int64_t small[] = {2, 4};
    static const double vals[8] = {0};
    static const int32_t two = 2, three = 3, crd[] = {1, 3, 2, -1}, twice[] = {1, 1, 2, -1},
                         gap[] = {1, 3, -1, 2}, full[] = {0, 1, 2, 3};
    static const unsigned char flags[] = {1, 0, 0, 1, 0, 2, 0, 0};
    static const struct {
        const char *format;
        spcc_array array[2];
        int n;
        const char *message;
    } cases[] = {
        {"ell", {{&two, 1}, {crd, 4}}, 2, NULL},
        {"ell", {{&two, 1}, {twice, 4}}, 2, "crd[1] is 1, twice below the same parent"},
        {"ell", {{&two, 1}, {gap, 4}}, 2, "crd[3] is 2, behind the padding"},
        {"ell", {{&three, 1}, {crd, 4}}, 2, "crd, which has 4 elements, is shorter"},
        {"ell", {{&two, 0}, {crd, 4}}, 2, "width"},
        {"ell", {{&two, 1}, {crd, 4}}, 1, "its arrays are level 2: width, crd"},
        {"dh", {{&three, 1}, {crd, 4}}, 2, "width"},
        {"dh", {{&two, 1}, {full, 4}}, 2, "crd[0] is 0, in a table without an empty slot"},
        {"bitmap", {{flags, 8}}, 1, "map[5] is 2, neither 0 nor 1"},
        {"bitmap", {{flags, 7}}, 1, "map, which has 7 elements, is shorter"},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        spcc_tensor *A;
        spcc_status status = spcc_tensor_borrow(*state, cases[c].format, SPCC_F64, 2, small,
                                                cases[c].array, cases[c].n, vals, 8, NULL, &A);
        if (cases[c].message) {
            assert_int_equal(status, cases[c].n == 1 && cases[c].array[1].at ? SPCC_ERROR_ARGUMENT
                                                                             : SPCC_ERROR_TENSOR);
            expect_message(*state, cases[c].message);
        } else {
            expect(*state, SPCC_OK, status);
        }
        spcc_tensor_free(A);
    }
}

int main(int argc, char **argv)
{
    engine = engine_of(argc, argv);
    const struct CMUnitTest tests[] = {
        TEST(arrays_can_be_lent),           TEST(operands_are_read),
        TEST(results_can_be_lent),          TEST(results_below_hash_tables),
        TEST(narrow_positions_are_counted), TEST(rows_are_hash_tables),
        TEST(patterns_can_be_assembled),    TEST(values_without_coordinates_are_ignored),
        TEST(wrong_arrays_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
