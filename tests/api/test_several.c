/* test_several.c - kernels of several statements, with the engine that the argument names.
 *
 * SPDX-License-Identifier: MIT
 */
#include "tests/api/support.h"

static const double numbers[] = {1, 2, 3, 4};

static void expect_values(const spcc_tensor *tensor, const double *expected, int64_t n)
{
    const double *values = spcc_tensor_values(tensor);
    assert_int_equal(spcc_tensor_stored(tensor), n);
    for (int64_t k = 0; k < n; k++)
        assert_true(values[k] == expected[k]);
}

static void two_products(void **state)
{
    static const double y_expected[] = {15, 0, 11}, z_expected[] = {21, 0, 5, 3};
    spcc_tensor *A = sample(*state, "csr"), *x = dense_vector(*state, 4, numbers),
                *w = dense_vector(*state, 3, numbers), *y = empty(*state, NULL, 1),
                *z = empty(*state, NULL, 1);
    spcc_binding bindings[] = {{"y", y}, {"A", A}, {"x", x}, {"w", w}, {"z", z}};
    expect(*state, SPCC_OK,
           spcc_eval(*state, "y(i) = A(i,j) * x(j); z(j) = A(i,j) * w(i)", bindings, 5));
    expect_values(y, y_expected, 3);
    expect_values(z, z_expected, 4);
    spcc_tensor *tensors[] = {A, x, w, y, z};
    for (size_t k = 0; k < sizeof tensors / sizeof *tensors; k++)
        spcc_tensor_free(tensors[k]);
}

/* The first is sparse, and read by the second; both combine with what is there. */
static void sparse_and_dense(void **state)
{
    static const double once[] = {10, 14, 2}, twice[] = {20, 28, 4}, sums[] = {10, 0, 16},
                        more[] = {30, 0, 48};
    spcc_tensor *A = sample(*state, "csr"), *C = empty(*state, "csr", 2),
                *s = empty(*state, NULL, 1);
    spcc_binding bindings[] = {{"C", C}, {"A", A}, {"s", s}};
    const char *statement = "C(i,j) += 2 * A(i,j); s(i) += C(i,j)";
    expect(*state, SPCC_OK, spcc_eval(*state, statement, bindings, 3));
    expect_values(C, once, 3);
    expect_values(s, sums, 3);
    expect(*state, SPCC_OK, spcc_eval(*state, statement, bindings, 3));
    expect_values(C, twice, 3);
    expect_values(s, more, 3);
    spcc_tensor_free(A);
    spcc_tensor_free(C);
    spcc_tensor_free(s);
}

/* The second says how large C is, which the first does not. */
static void sizes(void **state)
{
    static const double expected[] = {6, 12, 18, 24};
    spcc_tensor *a = dense_vector(*state, 3, numbers), *b = dense_vector(*state, 4, numbers),
                *C = empty(*state, NULL, 2), *d = empty(*state, NULL, 1);
    spcc_binding bindings[] = {{"C", C}, {"a", a}, {"d", d}, {"b", b}};
    expect(*state, SPCC_OK, spcc_eval(*state, "C(i,j) = a(i); d(k) = C(m,k) * b(k)", bindings, 4));
    assert_int_equal(spcc_tensor_dimension(C, 0), 3);
    assert_int_equal(spcc_tensor_dimension(C, 1), 4);
    expect_values(d, expected, 4);
    bindings[3].tensor = a;
    expect(*state, SPCC_ERROR_BINDING,
           spcc_eval(*state, "C(i,j) = a(i); d(k) = C(m,k) * b(k)", bindings, 4));
    spcc_tensor *tensors[] = {a, b, C, d};
    for (size_t k = 0; k < sizeof tensors / sizeof *tensors; k++)
        spcc_tensor_free(tensors[k]);
}

static void kernels(void **state)
{
    spcc_declaration declaration = {.name = "A", .format = "csr"};
    spcc_compile_options options = {
        .size = sizeof options, .declarations = &declaration, .n_declarations = 1};
    spcc_kernel *kernel;
    spcc_tensor *A = sample(*state, "csr"), *s = empty(*state, NULL, 0),
                *t = empty(*state, NULL, 0);
    const char *statement = "s = A(i,j); t = A(i,j) * A(i,j)";
    expect(*state, SPCC_OK, spcc_compile(*state, statement, &options, &kernel));
    assert_int_equal(spcc_kernel_results(kernel), 2);
    assert_int_equal(spcc_kernel_tensors(kernel), 3);
    assert_string_equal(spcc_kernel_tensor_name(kernel, 0), "s");
    assert_string_equal(spcc_kernel_tensor_name(kernel, 1), "t");
    assert_string_equal(spcc_kernel_tensor_name(kernel, 2), "A");
    expect(*state, SPCC_OK, spcc_run(*state, kernel, s, t, A));
    assert_true(*(const double *)spcc_tensor_values(s) == 13);
    assert_true(*(const double *)spcc_tensor_values(t) == 75);
    /* results are different tensors, and each is one */
    expect(*state, SPCC_ERROR_BINDING, spcc_run(*state, kernel, s, s, A));
    expect_message(*state, "the result s shares memory with the result t");
    expect(*state, SPCC_ERROR_ARGUMENT, spcc_run(*state, kernel, s, A));
    spcc_kernel_free(kernel);
    options.kind = SPCC_SPLIT;
    expect(*state, SPCC_ERROR_STATEMENT, spcc_compile(*state, statement, &options, &kernel));
    expect_message(*state, "several statements are assembled and computed at once");
    spcc_tensor_free(A);
    spcc_tensor_free(s);
    spcc_tensor_free(t);
}

static void statements(void **state)
{
    spcc_statement *statement;
    expect(*state, SPCC_OK,
           spcc_statement_parse(*state, "y(i) = A(i,j) * x(j); z(i) += y(i)", &statement));
    assert_int_equal(spcc_statement_results(statement), 2);
    assert_int_equal(spcc_statement_tensors(statement), 4);
    assert_string_equal(spcc_statement_tensor_name(statement, 1), "z");
    assert_string_equal(spcc_statement_tensor_name(statement, 2), "A");
    assert_false(spcc_statement_reads(statement, 0));
    assert_true(spcc_statement_reads(statement, 1));
    assert_true(spcc_statement_reads(statement, 2));
    assert_false(spcc_statement_reads(statement, 4));
    assert_true(spcc_statement_is_compound(statement));
    spcc_statement_free(statement);
}

static void formats(void **state)
{
    spcc_declaration declaration = {.name = "A", .format = "csr"};
    spcc_compile_options options = {
        .size = sizeof options, .declarations = &declaration, .n_declarations = 1};
    const char *statement = "y(i) = A(i,j) * x(j); C(i,j) = 2 * A(i,j)";
    char *format;
    expect(*state, SPCC_OK, spcc_result_format_of(*state, statement, &options, 0, &format));
    assert_null(format);
    expect(*state, SPCC_OK, spcc_result_format_of(*state, statement, &options, 1, &format));
    assert_string_equal(format, "csr");
    spcc_free(format);
    expect(*state, SPCC_ERROR_ARGUMENT,
           spcc_result_format_of(*state, statement, &options, 2, &format));
    assert_null(format);
}

static void loops(void **state)
{
    static const struct {
        const char *statement, *schedule;
        bool shares;
    } row[] = {
        {"y(i) = A(i,j) * x(j); z(i) = A(i,j) * w(j)", NULL, true},
        {"y(i) = A(i,j) * x(j); z(i) = A(i,j) * y(j)", NULL, false},
        {"y(i) = A(i,j) * x(j); z(i) = A(i,j) * w(j)", "share(i, i2)", true},
        {"y(i) = A(i,j) * x(j); z(i) = A(i,j) * w(j); s = v(k)", NULL, false},
        {"y(i) = A(i,j) * x(j)", NULL, false},
    };
    spcc_declaration declaration = {.name = "A", .format = "csr"};
    bool shares;
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        spcc_compile_options options = {.size = sizeof options,
                                        .declarations = &declaration,
                                        .n_declarations = 1,
                                        .schedule = row[i].schedule};
        expect(*state, SPCC_OK, spcc_shares_loops(*state, row[i].statement, &options, &shares));
        assert_int_equal(shares, row[i].shares);
    }
    expect(*state, SPCC_ERROR_STATEMENT, spcc_shares_loops(*state, "y(i) =", NULL, &shares));
    expect(*state, SPCC_ERROR_ARGUMENT, spcc_shares_loops(*state, "y(i) = a(i)", NULL, NULL));
}

/* So many operands that the loop has one region for all, which runs where any of them is there: s
 * has what x has even so. */
static void many_operands_of_one(void **state)
{
    enum { OPERANDS = 7, TENSORS = 2 + OPERANDS + 1 };
    static const char *const names[TENSORS] = {"y", "s", "a", "b", "c", "d", "e", "f", "g", "x"};
    static const double expected[] = {5};
    static const int64_t size = 9;
    spcc_binding bindings[TENSORS];
    spcc_declaration declarations[TENSORS];
    spcc_compile_options options = {.size = sizeof options,
                                    .declarations = declarations,
                                    .n_declarations = TENSORS,
                                    .schedule = "share(j, j2)"};
    spcc_kernel *kernel;
    for (int n = 0; n < TENSORS; n++) {
        const int64_t at = n == TENSORS - 1 ? 4 : n - 2;
        spcc_tensor *t = n < 2 ? empty(*state, "s", 1) : NULL;
        if (!t)
            expect(*state, SPCC_OK,
                   spcc_tensor_from_coords(*state, "s", SPCC_F64, 1, &size, 1, &at, expected, NULL,
                                           &t));
        bindings[n] = (spcc_binding){names[n], t};
        declarations[n] = (spcc_declaration){.name = names[n], .format = "s"};
    }
    expect(*state, SPCC_OK,
           spcc_compile(*state, "y(j) = a(j)+b(j)+c(j)+d(j)+e(j)+f(j)+g(j); s(j) = x(j)", &options,
                        &kernel));
    expect(*state, SPCC_OK,
           spcc_run(*state, kernel, bindings[0].tensor, bindings[1].tensor, bindings[2].tensor,
                    bindings[3].tensor, bindings[4].tensor, bindings[5].tensor, bindings[6].tensor,
                    bindings[7].tensor, bindings[8].tensor, bindings[9].tensor));
    assert_int_equal(spcc_tensor_stored(bindings[0].tensor), OPERANDS);
    expect_values(bindings[1].tensor, expected, 1);
    spcc_kernel_free(kernel);
    for (int n = 0; n < TENSORS; n++)
        spcc_tensor_free(bindings[n].tensor);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        TEST(two_products), TEST(sparse_and_dense), TEST(sizes), TEST(kernels),
        TEST(statements),   TEST(formats),          TEST(loops), TEST(many_operands_of_one),
    };
    engine = engine_of(argc, argv);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
