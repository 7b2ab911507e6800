/* test_run.c - statements compiled and run, with the engine that the argument names.
 *
 * SPDX-License-Identifier: MIT
 */
#include <ftw.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/api/support.h"

static const double ones[] = {1, 1, 1, 1}, numbers[] = {1, 2, 3, 4};

static void expect_values(const spcc_tensor *tensor, const double *expected, int64_t n)
{
    const double *values = spcc_tensor_values(tensor);
    assert_int_equal(spcc_tensor_stored(tensor), n);
    for (int64_t k = 0; k < n; k++)
        assert_true(values[k] == expected[k]);
}

/* ---- one call ---- */

static void eval_spmv(void **state)
{
    static const double expected[] = {15, 0, 11};
    static const char *const formats[] = {"csr", "csc", "dcsr", "coo", NULL};
    for (size_t f = 0; f < sizeof formats / sizeof *formats; f++) {
        spcc_tensor *A = sample(*state, formats[f]), *x = dense_vector(*state, 4, numbers),
                    *y = empty(*state, NULL, 1);
        spcc_binding bindings[] = {{"y", y}, {"A", A}, {"x", x}};
        expect(*state, SPCC_OK, spcc_eval(*state, "y(i) = A(i,j) * x(j)", bindings, 3));
        assert_int_equal(spcc_tensor_dimension(y, 0), 3);
        expect_values(y, expected, 3);
        spcc_tensor_free(A);
        spcc_tensor_free(x);
        spcc_tensor_free(y);
    }
}

static void eval_adds_to_what_is_there(void **state)
{
    static const double start[] = {100, 200, 300}, once[] = {115, 200, 311},
                        twice[] = {130, 200, 322};
    spcc_tensor *A = sample(*state, "csr"), *x = dense_vector(*state, 4, numbers),
                *y = dense_vector(*state, 3, start);
    spcc_binding bindings[] = {{"A", A}, {"x", x}, {"y", y}};
    expect(*state, SPCC_OK, spcc_eval(*state, "y(i) += A(i,j) * x(j)", bindings, 3));
    expect_values(y, once, 3);
    expect(*state, SPCC_OK, spcc_eval(*state, "y(i) += A(i,j) * x(j)", bindings, 3));
    expect_values(y, twice, 3);
    spcc_tensor_free(A);
    spcc_tensor_free(x);
    spcc_tensor_free(y);
}

/* A part of a sparse tensor is updated where that is stored; else nothing is. */
static void eval_updates_in_place(void **state)
{
    static const char *const formats[] = {"csr", "csc", "dcsr", "coo", "hash", "bcsr(2,2)"};
    for (size_t f = 0; f < sizeof formats / sizeof *formats; f++) {
        spcc_tensor *A = sample(*state, formats[f]), *b = dense_vector(*state, 4, ones);
        spcc_binding bindings[] = {{"A", A}, {"b", b}};
        const double *values = spcc_tensor_values(A);
        int64_t stored = spcc_tensor_stored(A);
        double before[16], sum = 0;
        memcpy(before, values, (size_t)stored * sizeof *values);
        for (int64_t k = 0; k < stored; k++)
            sum += values[k];
        expect(*state, SPCC_OK, spcc_eval(*state, "A(0,2) += 5", bindings, 1));
        expect(*state, SPCC_OK, spcc_eval(*state, "A(0,2) = A(0,2) - 2", bindings, 1));
        expect(*state, SPCC_OK, spcc_eval(*state, "A(0,j) *= 1", bindings, 1));
        assert_ptr_equal(spcc_tensor_values(A), values);
        assert_int_equal(spcc_tensor_stored(A), stored);
        for (int64_t k = 0; k < stored; k++)
            sum -= values[k];
        assert_true(sum == -3);
        expect(*state, SPCC_OK, spcc_eval(*state, "A(0,2) -= 3", bindings, 1));
        expect(*state, SPCC_ERROR_BINDING, spcc_eval(*state, "A(1,j) += b(j)", bindings, 2));
        expect_message(*state, "A(1,j)");
        expect_message(*state, "add a sparse tensor with these components to all of A");
        assert_memory_equal(spcc_tensor_values(A), before, (size_t)stored * sizeof *values);
        spcc_tensor_free(A);
        spcc_tensor_free(b);
    }
}

static void eval_scalar(void **state)
{
    spcc_tensor *A = sample(*state, "csr"), *s = empty(*state, NULL, 0);
    spcc_binding bindings[] = {{"s", s}, {"A", A}};
    expect(*state, SPCC_OK, spcc_eval(*state, "s = sum(i, j, A(i,j) * A(i,j))", bindings, 2));
    assert_true(*(const double *)spcc_tensor_values(s) == 75);
    spcc_tensor_free(A);
    spcc_tensor_free(s);
}

/* The same tensor under two names is no trouble among operands. */
static void one_tensor_twice(void **state)
{
    static const double doubled[] = {10, 14, 2};
    spcc_tensor *A = sample(*state, "csr"), *C = empty(*state, "csr", 2);
    spcc_binding bindings[] = {{"C", C}, {"A", A}, {"B", A}};
    expect(*state, SPCC_OK, spcc_eval(*state, "C(i,j) = A(i,j) + B(i,j)", bindings, 3));
    expect_values(C, doubled, 3);
    for (int k = 0; k < 2; k++) {
        assert_int_equal(spcc_tensor_array(C, 1, k).length, spcc_tensor_array(A, 1, k).length);
        assert_memory_equal(spcc_tensor_array(C, 1, k).at, spcc_tensor_array(A, 1, k).at,
                            (size_t)spcc_tensor_array(A, 1, k).length * sizeof(int32_t));
    }
    spcc_tensor_free(A);
    spcc_tensor_free(C);
}

/* What was appended is a valid tensor, also for the next statement, and is replaced by the next
 * run. */
static void sparse_results(void **state)
{
    static const char *const formats[] = {"csr", "dcsr", "coo", "ss"};
    for (size_t f = 0; f < sizeof formats / sizeof *formats; f++) {
        spcc_tensor *A = sample(*state, formats[f]), *C = empty(*state, formats[f], 2), *D,
                    *s = empty(*state, NULL, 0);
        spcc_binding add[] = {{"C", C}, {"A", A}, {"B", A}}, sum[] = {{"s", s}, {"C", C}};
        for (int n = 0; n < 3; n++)
            expect(*state, SPCC_OK, spcc_eval(*state, "C(i,j) = A(i,j) + B(i,j)", add, 3));
        expect(*state, SPCC_OK, spcc_eval(*state, "s = sum(i, j, C(i,j))", sum, 2));
        assert_true(*(const double *)spcc_tensor_values(s) == 26);
        spcc_array arrays[4];
        int n = 0;
        for (int l = 0; l < spcc_tensor_levels(C); l++)
            for (int k = 0; spcc_tensor_array_name(C, l, k) || k < 2; k++)
                if (spcc_tensor_array_name(C, l, k))
                    arrays[n++] = spcc_tensor_array(C, l, k);
        expect(*state, SPCC_OK,
               spcc_tensor_borrow(*state, formats[f], SPCC_F64, 2, sample_size, arrays, n,
                                  spcc_tensor_values(C), spcc_tensor_stored(C), NULL, &D));
        spcc_tensor_free(D);
        spcc_tensor_free(A);
        spcc_tensor_free(C);
        spcc_tensor_free(s);
    }
}

/* Enough components that the arrays must grow many times. */
static void large_sparse_result(void **state)
{
    static const int64_t size[] = {300, 400};
    spcc_tensor *A, *C = empty(*state, "csr", 2);
    expect(*state, SPCC_OK,
           spcc_tensor_generate(*state, "@sparse(0.3,5)", "csr", SPCC_F64, 2, size, NULL, &A));
    spcc_binding bindings[] = {{"C", C}, {"A", A}};
    expect(*state, SPCC_OK, spcc_eval(*state, "C(i,j) = 2 * A(i,j)", bindings, 2));
    assert_int_equal(spcc_tensor_stored(C), spcc_tensor_stored(A));
    const double *a = spcc_tensor_values(A), *c = spcc_tensor_values(C);
    for (int64_t k = 0; k < spcc_tensor_stored(A); k++)
        assert_true(c[k] == 2 * a[k]);
    spcc_tensor_free(A);
    spcc_tensor_free(C);
}

static void empty_operands(void **state)
{
    static const int64_t none[] = {0, 4}, few[] = {3, 4};
    spcc_tensor *A, *B, *C = empty(*state, "csr", 2), *D = empty(*state, "csr", 2);
    expect(*state, SPCC_OK, spcc_tensor_new(*state, "csr", SPCC_F64, 2, none, NULL, &A));
    expect(*state, SPCC_OK, spcc_tensor_new(*state, "csr", SPCC_F64, 2, few, NULL, &B));
    spcc_binding no_rows[] = {{"C", C}, {"A", A}}, no_entries[] = {{"C", D}, {"A", B}};
    expect(*state, SPCC_OK, spcc_eval(*state, "C(i,j) = 2 * A(i,j)", no_rows, 2));
    assert_int_equal(spcc_tensor_stored(C), 0);
    assert_int_equal(spcc_tensor_dimension(C, 0), 0);
    expect(*state, SPCC_OK, spcc_eval(*state, "C(i,j) = 2 * A(i,j)", no_entries, 2));
    assert_int_equal(spcc_tensor_stored(D), 0);
    assert_int_equal(spcc_tensor_array(D, 1, 0).length, 4);
    spcc_tensor_free(A);
    spcc_tensor_free(B);
    spcc_tensor_free(C);
    spcc_tensor_free(D);
}

/* ---- types ---- */

#define EXPECT_DOT(context, type, c_type)                                                   \
    do {                                                                                    \
        static const c_type a[] = {1, 2, 3}, b[] = {4, 5, 6};                               \
        static const int64_t size[] = {3};                                                  \
        spcc_tensor *ta, *tb, *ts;                                                          \
        expect(context, SPCC_OK, spcc_tensor_dense(context, type, 1, size, a, &ta));        \
        expect(context, SPCC_OK, spcc_tensor_dense(context, type, 1, size, b, &tb));        \
        expect(context, SPCC_OK, spcc_tensor_new(context, NULL, type, 0, NULL, NULL, &ts)); \
        spcc_binding bindings[] = {{"s", ts}, {"a", ta}, {"b", tb}};                        \
        expect(context, SPCC_OK, spcc_eval(context, "s = a(i) * b(i)", bindings, 3));       \
        assert_true(*(const c_type *)spcc_tensor_values(ts) == 32);                         \
        spcc_tensor_free(ta);                                                               \
        spcc_tensor_free(tb);                                                               \
        spcc_tensor_free(ts);                                                               \
    } while (0)

static void every_type(void **state)
{
    EXPECT_DOT(*state, SPCC_F64, double);
    EXPECT_DOT(*state, SPCC_F32, float);
    EXPECT_DOT(*state, SPCC_I8, int8_t);
    EXPECT_DOT(*state, SPCC_I16, int16_t);
    EXPECT_DOT(*state, SPCC_I32, int32_t);
    EXPECT_DOT(*state, SPCC_I64, int64_t);
    EXPECT_DOT(*state, SPCC_U8, uint8_t);
    EXPECT_DOT(*state, SPCC_U16, uint16_t);
    EXPECT_DOT(*state, SPCC_U32, uint32_t);
    EXPECT_DOT(*state, SPCC_U64, uint64_t);
    EXPECT_DOT(*state, SPCC_C64, float _Complex);
    EXPECT_DOT(*state, SPCC_C128, double _Complex);
}

/* Shortest paths of one step: min-plus, where what is not stored is infinitely far. */
static void fill_of_infinity(void **state)
{
    static const int64_t at[] = {0, 1, 1, 2}, size[] = {3, 3};
    static const double length[] = {4, 5};
    static const double start[] = {10, 1, 0}, expected[] = {5, 5};
    spcc_tensor_options options = {.size = sizeof options, .fill = "inf"};
    spcc_tensor *A, *x = dense_vector(*state, 3, start), *y;
    expect(*state, SPCC_OK,
           spcc_tensor_from_coords(*state, "csr", SPCC_F64, 2, size, 2, at, length, &options, &A));
    expect(*state, SPCC_OK, spcc_tensor_new(*state, NULL, SPCC_F64, 1, NULL, &options, &y));
    spcc_binding bindings[] = {{"y", y}, {"A", A}, {"x", x}};
    expect(*state, SPCC_OK, spcc_eval(*state, "y(i) = min(j, A(i,j) + x(j))", bindings, 3));
    const double *values = spcc_tensor_values(y);
    assert_memory_equal(values, expected, sizeof expected);
    assert_true(values[2] > 1e308);
    spcc_tensor_free(A);
    spcc_tensor_free(x);
    spcc_tensor_free(y);
}

static void wide_indices(void **state)
{
    static const double expected[] = {15, 0, 11};
    spcc_options options = {
        .size = sizeof options, .engine = engine, .cache = "", .index_bits = 64};
    spcc_context *wide;
    assert_int_equal(spcc_context_new(&options, &wide), SPCC_OK);
    spcc_tensor *A = sample(wide, "csr"), *x = dense_vector(wide, 4, numbers),
                *y = empty(wide, NULL, 1);
    spcc_binding bindings[] = {{"y", y}, {"A", A}, {"x", x}};
    expect(wide, SPCC_OK, spcc_eval(wide, "y(i) = A(i,j) * x(j)", bindings, 3));
    expect_values(y, expected, 3);
    /* A context of 32 bits takes them as they are. */
    expect(*state, SPCC_OK, spcc_eval(*state, "y(i) = A(i,j) * x(j)", bindings, 3));
    expect_values(y, expected, 3);
    spcc_tensor_free(A);
    spcc_tensor_free(x);
    spcc_tensor_free(y);
    spcc_context_free(wide);
}

/* ---- compiled once ---- */

static const spcc_declaration csr[] = {{.name = "A", .format = "csr"}};
static const spcc_declaration all_csr[] = {
    {.name = "A", .format = "csr"}, {.name = "B", .format = "csr"}, {.name = "C", .format = "csr"}};

static spcc_kernel *compile_spmv(spcc_context *context)
{
    spcc_compile_options options = {
        .size = sizeof options, .declarations = csr, .n_declarations = 1};
    spcc_kernel *kernel;
    expect(context, SPCC_OK, spcc_compile(context, "y(i) = A(i,j) * x(j)", &options, &kernel));
    return kernel;
}

static void compile_and_run(void **state)
{
    static const double expected[] = {15, 0, 11}, sums[] = {5, 0, 8};
    spcc_kernel *spmv = compile_spmv(*state);
    assert_int_equal(spcc_kernel_tensors(spmv), 3);
    assert_string_equal(spcc_kernel_tensor_name(spmv, 0), "y");
    assert_string_equal(spcc_kernel_tensor_name(spmv, 1), "A");
    assert_string_equal(spcc_kernel_tensor_name(spmv, 2), "x");
    assert_null(spcc_kernel_tensor_name(spmv, 3));
    const spcc_kernel_info *info = spcc_kernel_get_info(spmv);
    assert_int_equal(info->engine, engine);
    assert_false(info->fallback);
    assert_int_equal(info->origin, SPCC_ORIGIN_COMPILED);
    spcc_tensor *A = sample(*state, "csr"), *x = dense_vector(*state, 4, numbers),
                *y = empty(*state, NULL, 1);
    spcc_tensor *u = dense_vector(*state, 4, ones), *array[] = {y, A, u};
    expect(*state, SPCC_OK, spcc_run(*state, spmv, y, A, x));
    expect_values(y, expected, 3);
    expect(*state, SPCC_OK, spcc_run_array(*state, spmv, array, 3));
    expect_values(y, sums, 3);
    assert_int_equal(spcc_kernel_traffic(spmv, array, 3), spcc_tensor_bytes(A) + 7 * 8);
    assert_int_equal(spcc_kernel_traffic(spmv, array, 2), -1);
    spcc_tensor_free(A);
    spcc_tensor_free(x);
    spcc_tensor_free(u);
    spcc_tensor_free(y);
    spcc_kernel_free(spmv);
}

/* The context may go first, and another one may run the kernel. */
static void kernels_outlive_their_context(void **state)
{
    static const double expected[] = {15, 0, 11};
    spcc_context *first = open_context(engine);
    spcc_kernel *spmv = compile_spmv(first);
    spcc_context_free(first);
    spcc_tensor *A = sample(*state, "csr"), *x = dense_vector(*state, 4, numbers),
                *y = empty(*state, NULL, 1);
    expect(*state, SPCC_OK, spcc_run(*state, spmv, y, A, x));
    expect_values(y, expected, 3);
    spcc_tensor_free(A);
    spcc_tensor_free(x);
    spcc_tensor_free(y);
    spcc_kernel_free(spmv);
}

/* The same request gives the same kernel; any difference another one; old ones are forgotten. */
static void kernels_are_remembered(void **state)
{
    spcc_kernel *one = compile_spmv(*state), *two = compile_spmv(*state), *other;
    assert_ptr_equal(one, two);
    expect(*state, SPCC_OK, spcc_compile(*state, "y(i) = A(i,j) * x(j)", NULL, &other));
    assert_ptr_not_equal(one, other);
    spcc_kernel_free(other);
    spcc_kernel_free(two);
    spcc_compile_options interpreted = {.size = sizeof interpreted, .engine = SPCC_ENGINE_INTERP};
    for (int n = 0; n < 100; n++) {
        char statement[64];
        snprintf(statement, sizeof statement, "a = b * %d", n + 2);
        expect(*state, SPCC_OK, spcc_compile(*state, statement, &interpreted, &other));
        spcc_kernel_free(other);
    }
    two = compile_spmv(*state);
    assert_ptr_not_equal(one, two);
    spcc_kernel_free(one);
    spcc_kernel_free(two);
}

static int remove_entry(const char *path, const struct stat *about, int type, struct FTW *walk)
{
    return remove(path);
}

/* In another context the code comes from disk; for another request with the same code, from
 * memory. */
static void where_code_comes_from(void **state)
{
    if (engine == SPCC_ENGINE_INTERP)
        return;
    char folder[] = "/tmp/spcc-api-cache-XXXXXX";
    assert_non_null(mkdtemp(folder));
    static const spcc_origin expected[] = {SPCC_ORIGIN_COMPILED, SPCC_ORIGIN_DISK};
    spcc_options options = {.size = sizeof options, .engine = engine, .cache = folder};
    for (int n = 0; n < 2; n++) {
        spcc_context *context;
        spcc_compile_options scheduled = {.size = sizeof scheduled, .schedule = ""};
        spcc_kernel *kernel, *again;
        assert_int_equal(spcc_context_new(&options, &context), SPCC_OK);
        expect(context, SPCC_OK, spcc_compile(context, "y(i) = 2 * x(i)", NULL, &kernel));
        assert_int_equal(spcc_kernel_get_info(kernel)->origin, expected[n]);
        assert_true((spcc_kernel_get_info(kernel)->compile_ms > 0) == (n == 0));
        expect(context, SPCC_OK, spcc_compile(context, "y(i) = 2 * x(i)", &scheduled, &again));
        assert_int_equal(spcc_kernel_get_info(again)->origin, SPCC_ORIGIN_MEMORY);
        spcc_kernel_free(kernel);
        spcc_kernel_free(again);
        spcc_context_free(context);
    }
    assert_int_equal(nftw(folder, remove_entry, 8, FTW_DEPTH | FTW_PHYS), 0);
}

static void borrowed_results(void **state)
{
    double y[3] = {-1, -1, -1};
    static const int64_t size[] = {3};
    spcc_kernel *spmv = compile_spmv(*state);
    spcc_tensor *A = sample(*state, "csr"), *x = dense_vector(*state, 4, numbers), *ty;
    spcc_tensor_options writable = {.size = sizeof writable, .writable = true};
    expect(*state, SPCC_OK,
           spcc_tensor_borrow(*state, NULL, SPCC_F64, 1, size, NULL, 0, y, 3, NULL, &ty));
    expect(*state, SPCC_ERROR_BINDING, spcc_run(*state, spmv, ty, A, x));
    expect_message(*state, "writable");
    assert_true(y[0] == -1);
    spcc_tensor_free(ty);
    expect(*state, SPCC_OK,
           spcc_tensor_borrow(*state, NULL, SPCC_F64, 1, size, NULL, 0, y, 3, &writable, &ty));
    expect(*state, SPCC_OK, spcc_run(*state, spmv, ty, A, x));
    assert_true(y[0] == 15 && y[1] == 0 && y[2] == 11);
    spcc_tensor_free(ty);
    spcc_tensor_free(A);
    spcc_tensor_free(x);
    spcc_kernel_free(spmv);
}

/* A result that borrows gets arrays of its own, and those borrowed stay as they are. */
static void borrowed_sparse_result(void **state)
{
    int32_t pos[] = {0, 1, 1, 1}, crd[] = {3};
    double vals[] = {9};
    const spcc_array arrays[] = {{pos, 4}, {crd, 1}};
    spcc_tensor *A = sample(*state, "csr"), *C;
    expect(
        *state, SPCC_OK,
        spcc_tensor_borrow(*state, "csr", SPCC_F64, 2, sample_size, arrays, 2, vals, 1, NULL, &C));
    spcc_binding bindings[] = {{"C", C}, {"A", A}};
    expect(*state, SPCC_OK, spcc_eval(*state, "C(i,j) = A(i,j)", bindings, 2));
    assert_int_equal(spcc_tensor_stored(C), 3);
    assert_ptr_not_equal(spcc_tensor_array(C, 1, 0).at, pos);
    assert_true(pos[1] == 1 && crd[0] == 3 && vals[0] == 9);
    spcc_tensor_free(A);
    spcc_tensor_free(C);
}

static void declared_sizes(void **state)
{
    static const double expected[] = {15, 0, 11};
    const spcc_variable_size sizes[] = {{"j", 4}}, wrong[] = {{"j", 5}}, broadcast[] = {{"i", 3}};
    spcc_compile_options options = {.size = sizeof options,
                                    .declarations = csr,
                                    .n_declarations = 1,
                                    .sizes = sizes,
                                    .n_sizes = 1};
    spcc_tensor *A = sample(*state, "csr"), *x = dense_vector(*state, 4, numbers),
                *y = empty(*state, NULL, 1);
    spcc_kernel *kernel;
    expect(*state, SPCC_OK, spcc_compile(*state, "y(i) = A(i,j) * x(j)", &options, &kernel));
    expect(*state, SPCC_OK, spcc_run(*state, kernel, y, A, x));
    expect_values(y, expected, 3);
    spcc_kernel_free(kernel);
    options.sizes = wrong;
    expect(*state, SPCC_OK, spcc_compile(*state, "y(i) = A(i,j) * x(j)", &options, &kernel));
    expect(*state, SPCC_ERROR_BINDING, spcc_run(*state, kernel, y, A, x));
    expect_message(*state, "declaration");
    spcc_kernel_free(kernel);
    options = (spcc_compile_options){.size = sizeof options, .sizes = broadcast, .n_sizes = 1};
    spcc_tensor *z = empty(*state, NULL, 1), *s;
    expect(*state, SPCC_OK, spcc_tensor_scalar(*state, SPCC_F64, &numbers[1], &s));
    expect(*state, SPCC_OK, spcc_compile(*state, "z(i) = s", &options, &kernel));
    expect(*state, SPCC_OK, spcc_run(*state, kernel, z, s));
    assert_int_equal(spcc_tensor_stored(z), 3);
    assert_true(((const double *)spcc_tensor_values(z))[2] == 2);
    spcc_tensor_free(A);
    spcc_tensor_free(x);
    spcc_tensor_free(y);
    spcc_tensor_free(z);
    spcc_tensor_free(s);
    spcc_kernel_free(kernel);
}

/* ---- assembled once ---- */

static void assemble_then_compute(void **state)
{
    static const double sum[] = {10, 14, 2}, other[] = {20, 28, 4};
    static const double twice[] = {2, 10, 14};
    spcc_compile_options options = {
        .size = sizeof options, .declarations = all_csr, .n_declarations = 3, .kind = SPCC_SPLIT};
    spcc_kernel *add;
    spcc_tensor *A = sample(*state, "csr"), *C = empty(*state, "csr", 2), *B;
    expect(*state, SPCC_OK,
           spcc_tensor_from_coords(*state, "csr", SPCC_F64, 2, sample_size, 3, sample_coordinates,
                                   twice, NULL, &B));
    spcc_tensor *first[] = {C, A, A}, *second[] = {C, B, B};
    expect(*state, SPCC_OK, spcc_compile(*state, "C(i,j) = A(i,j) + B(i,j)", &options, &add));
    expect(*state, SPCC_ERROR_BINDING, spcc_compute(*state, add, first, 3));
    expect_message(*state, "spcc_assemble");
    expect(*state, SPCC_OK, spcc_assemble(*state, add, first, 3));
    assert_int_equal(spcc_tensor_stored(C), 3);
    const void *pattern = spcc_tensor_array(C, 1, 1).at;
    expect(*state, SPCC_OK, spcc_compute(*state, add, first, 3));
    expect_values(C, sum, 3);
    expect(*state, SPCC_OK, spcc_compute(*state, add, second, 3));
    expect_values(C, other, 3);
    assert_ptr_equal(spcc_tensor_array(C, 1, 1).at, pattern);
    expect(*state, SPCC_OK, spcc_run_array(*state, add, first, 3)); /* both */
    expect_values(C, sum, 3);
    spcc_tensor_free(A);
    spcc_tensor_free(B);
    spcc_tensor_free(C);
    spcc_kernel_free(add);
}

/* A kernel that assembles and one that computes go together, whatever each was planned for. */
static void assembled_by_another_kernel(void **state)
{
    static const double sum[] = {10, 14, 2};
    spcc_tensor *A = sample(*state, "csr"), *C = empty(*state, "csr", 2);
    const spcc_declaration tensors[] = {{.name = "C", .tensor = C}, {.name = "A", .tensor = A}};
    spcc_compile_options options = {.size = sizeof options,
                                    .declarations = tensors,
                                    .n_declarations = 2,
                                    .plan_for_tensors = true,
                                    .kind = SPCC_ASSEMBLE};
    spcc_kernel *assembles, *computes;
    const char *statement = "C(i,j) = 2 * A(i,j)";
    expect(*state, SPCC_OK, spcc_compile(*state, statement, &options, &assembles));
    expect(*state, SPCC_OK, spcc_run(*state, assembles, C, A));
    options.kind = SPCC_COMPUTE;
    expect(*state, SPCC_OK, spcc_compile(*state, statement, &options, &computes));
    expect(*state, SPCC_OK, spcc_run(*state, computes, C, A));
    expect_values(C, sum, 3);
    spcc_tensor_free(A);
    spcc_tensor_free(C);
    spcc_kernel_free(assembles);
    spcc_kernel_free(computes);
}

/* An operand with more components than the pattern was assembled for would write beyond it. */
static void computing_into_another_pattern(void **state)
{
    spcc_compile_options options = {
        .size = sizeof options, .declarations = all_csr, .n_declarations = 3, .kind = SPCC_SPLIT};
    spcc_kernel *add;
    spcc_tensor *A = sample(*state, "csr"), *C = empty(*state, "csr", 2), *more;
    expect(
        *state, SPCC_OK,
        spcc_tensor_generate(*state, "@sparse(1,1)", "csr", SPCC_F64, 2, sample_size, NULL, &more));
    spcc_tensor *few[] = {C, A, A}, *many[] = {C, A, more};
    expect(*state, SPCC_OK, spcc_compile(*state, "C(i,j) = A(i,j) + B(i,j)", &options, &add));
    expect(*state, SPCC_OK, spcc_assemble(*state, add, few, 3));
    expect(*state, SPCC_ERROR_BINDING, spcc_compute(*state, add, many, 3));
    spcc_tensor_free(A);
    spcc_tensor_free(more);
    spcc_tensor_free(C);
    spcc_kernel_free(add);
}

static void kinds(void **state)
{
    spcc_kernel *spmv = compile_spmv(*state);
    spcc_tensor *A = sample(*state, "csr"), *x = dense_vector(*state, 4, numbers),
                *y = empty(*state, NULL, 1);
    spcc_tensor *tensors[] = {y, A, x};
    expect(*state, SPCC_ERROR_ARGUMENT, spcc_assemble(*state, spmv, tensors, 3));
    expect(*state, SPCC_ERROR_ARGUMENT, spcc_compute(*state, spmv, tensors, 3));
    expect_message(*state, "spcc_compute");
    spcc_tensor_free(A);
    spcc_tensor_free(x);
    spcc_tensor_free(y);
    spcc_kernel_free(spmv);
}

/* ---- tensors that do not fit ---- */

static void sizes_that_disagree(void **state)
{
    static const double five[] = {1, 2, 3, 4, 5};
    spcc_tensor *A = sample(*state, "csr"), *x = dense_vector(*state, 5, five),
                *y = empty(*state, NULL, 1);
    spcc_binding bindings[] = {{"y", y}, {"A", A}, {"x", x}};
    expect(*state, SPCC_ERROR_BINDING, spcc_eval(*state, "y(i) = A(i,j) * x(j)", bindings, 3));
    expect_message(*state, "j has the size 4 by mode 2 of A and the size 5 by mode 1 of x");
    assert_int_equal(spcc_diagnostic_get(*state, 0)->status, SPCC_ERROR_BINDING);
    assert_int_equal(spcc_tensor_dimension(y, 0), -1);
    spcc_tensor *z = dense_vector(*state, 4, numbers), *w = dense_vector(*state, 4, numbers);
    spcc_binding result[] = {{"y", z}, {"A", A}, {"x", w}};
    expect(*state, SPCC_ERROR_BINDING, spcc_eval(*state, "y(i) = A(i,j) * x(j)", result, 3));
    expect_message(*state, "mode 1 of y");
    spcc_tensor_free(A);
    spcc_tensor_free(x);
    spcc_tensor_free(y);
    spcc_tensor_free(z);
    spcc_tensor_free(w);
}

/* The diagonal and a square need a matrix as wide as it is high, whatever tensor says so. */
static void sizes_within_a_tensor(void **state)
{
    spcc_tensor *A = sample(*state, "csr"), *d = empty(*state, NULL, 1),
                *s = empty(*state, NULL, 0);
    spcc_binding diagonal[] = {{"d", d}, {"A", A}}, square[] = {{"s", s}, {"A", A}};
    expect(*state, SPCC_ERROR_BINDING, spcc_eval(*state, "d(i) = A(i,i)", diagonal, 2));
    expect(*state, SPCC_ERROR_BINDING,
           spcc_eval(*state, "s = sum(i, j, k, A(i,j) * A(j,k))", square, 2));
    spcc_tensor_free(A);
    spcc_tensor_free(d);
    spcc_tensor_free(s);
}

static void other_tensors_than_compiled_for(void **state)
{
    static const float singles[] = {1, 2, 3, 4};
    static const int64_t four[] = {4};
    spcc_kernel *spmv = compile_spmv(*state);
    spcc_tensor_options options = {.size = sizeof options, .fill = "1"};
    spcc_tensor *A = sample(*state, "csr"), *B = sample(*state, "csc"),
                *x = dense_vector(*state, 4, numbers);
    spcc_tensor *f, *one, *y = empty(*state, NULL, 1), *too_few[] = {y, A};
    expect(*state, SPCC_OK, spcc_tensor_dense(*state, SPCC_F32, 1, four, singles, &f));
    expect(*state, SPCC_OK, spcc_tensor_new(*state, NULL, SPCC_F64, 1, four, &options, &one));
    expect(*state, SPCC_ERROR_BINDING, spcc_run(*state, spmv, y, B, x));
    expect_message(*state, "format ds:1,0, and the kernel was compiled for ds");
    expect(*state, SPCC_ERROR_BINDING, spcc_run(*state, spmv, y, A, f));
    expect_message(*state, "type f32, and the kernel was compiled for f64");
    expect(*state, SPCC_ERROR_BINDING, spcc_run(*state, spmv, y, A, one));
    expect_message(*state, "fill 1, and the kernel was compiled for 0");
    expect(*state, SPCC_ERROR_BINDING, spcc_run(*state, spmv, y, x, x));
    expect_message(*state, "order 1, and the kernel was compiled for 2");
    expect(*state, SPCC_ERROR_BINDING, spcc_run(*state, spmv, y, A, y));
    expect(*state, SPCC_ERROR_ARGUMENT, spcc_run(*state, spmv, y, A, (spcc_tensor *)NULL));
    expect(*state, SPCC_ERROR_ARGUMENT, spcc_run_array(*state, spmv, too_few, 2));
    expect_message(*state, "takes 3 tensors (y, A, x) and is given 2: there is none for x");
    expect(*state, SPCC_ERROR_ARGUMENT, spcc_run_array(*state, NULL, too_few, 2));
    spcc_tensor_free(A);
    spcc_tensor_free(B);
    spcc_tensor_free(x);
    spcc_tensor_free(f);
    spcc_tensor_free(one);
    spcc_tensor_free(y);
    spcc_kernel_free(spmv);
}

static void shared_memory(void **state)
{
    static double values[7] = {1, 2, 3, 4, 5, 6, 7};
    static const int64_t four[] = {4};
    spcc_tensor_options writable = {.size = sizeof writable, .writable = true};
    spcc_tensor *x, *y, *beyond;
    expect(*state, SPCC_OK,
           spcc_tensor_borrow(*state, NULL, SPCC_F64, 1, four, NULL, 0, values, 4, NULL, &x));
    expect(
        *state, SPCC_OK,
        spcc_tensor_borrow(*state, NULL, SPCC_F64, 1, four, NULL, 0, values + 3, 4, &writable, &y));
    spcc_binding bindings[] = {{"y", y}, {"x", x}}, same[] = {{"y", y}, {"x", y}};
    expect(*state, SPCC_ERROR_BINDING, spcc_eval(*state, "y(i) = 2 * x(i)", bindings, 2));
    expect_message(*state, "shares memory");
    expect(*state, SPCC_ERROR_BINDING, spcc_eval(*state, "y(i) = 2 * x(i)", same, 2));
    expect(*state, SPCC_OK,
           spcc_tensor_borrow(*state, NULL, SPCC_F64, 1, (const int64_t[]){3}, NULL, 0, values, 3,
                              NULL, &beyond));
    assert_true(values[3] == 4);
    spcc_tensor_free(x);
    spcc_tensor_free(y);
    spcc_tensor_free(beyond);
}

static void wrong_bindings(void **state)
{
    spcc_tensor *A = sample(*state, "csr"), *x = dense_vector(*state, 4, numbers),
                *y = empty(*state, NULL, 1);
    spcc_binding missing[] = {{"y", y}, {"A", A}},
                 twice[] = {{"y", y}, {"A", A}, {"x", x}, {"A", A}};
    spcc_binding nameless[] = {{NULL, y}}, nothing[] = {{"y", NULL}};
    spcc_tensor *z = empty(*state, NULL, 1);
    spcc_binding unknown[] = {{"z", z}, {"s", x}};
    expect(*state, SPCC_ERROR_BINDING, spcc_eval(*state, "y(i) = A(i,j) * x(j)", missing, 2));
    expect_message(*state, "x is not bound");
    expect(*state, SPCC_ERROR_BINDING, spcc_eval(*state, "y(i) = A(i,j) * x(j)", twice, 4));
    expect(*state, SPCC_ERROR_ARGUMENT, spcc_eval(*state, "y = 1", nameless, 1));
    expect(*state, SPCC_ERROR_ARGUMENT, spcc_eval(*state, "y = 1", nothing, 1));
    expect(*state, SPCC_ERROR_ARGUMENT, spcc_eval(*state, "y = 1", NULL, 1));
    expect(*state, SPCC_ERROR_ARGUMENT, spcc_eval(*state, NULL, missing, 2));
    /* s has order 1 */
    assert_int_not_equal(spcc_eval(*state, "z(i) = s", unknown, 2), SPCC_OK);
    spcc_tensor_free(A);
    spcc_tensor_free(x);
    spcc_tensor_free(y);
    spcc_tensor_free(z);
}

static void unknown_sizes(void **state)
{
    spcc_tensor *s, *y = empty(*state, NULL, 1);
    expect(*state, SPCC_OK, spcc_tensor_scalar(*state, SPCC_F64, &numbers[0], &s));
    spcc_binding bindings[] = {{"y", y}, {"s", s}};
    expect(*state, SPCC_ERROR_BINDING, spcc_eval(*state, "y(i) = s", bindings, 2));
    expect_message(*state, "size of i is not known");
    spcc_tensor_free(s);
    spcc_tensor_free(y);
}

/* ---- plans for the tensors at hand ---- */

static spcc_tensor *diagonal(spcc_context *context, int64_t size, int64_t entries)
{
    int64_t *coordinates = calloc((size_t)(2 * entries), sizeof *coordinates);
    double *values = calloc((size_t)entries, sizeof *values);
    assert_true(coordinates && values);
    for (int64_t e = 0; e < entries; e++)
        coordinates[2 * e] = coordinates[2 * e + 1] = e;
    spcc_tensor *made;
    expect(context, SPCC_OK,
           spcc_tensor_from_coords(context, "csr", SPCC_F64, 2, (int64_t[]){size, size}, entries,
                                   coordinates, values, NULL, &made));
    free(coordinates);
    free(values);
    return made;
}

static const char turned[] = "A(i,j) = B(i,j) + C(j,i)";

/* Of which the plan goes by how many components C has for each row. */
static spcc_compile_options for_tensors(spcc_declaration *declarations, const spcc_tensor *b,
                                        const spcc_tensor *c)
{
    declarations[0] = (spcc_declaration){.name = "A", .format = "csr"};
    declarations[1] = (spcc_declaration){.name = "B", .tensor = b};
    declarations[2] = (spcc_declaration){.name = "C", .tensor = c};
    return (spcc_compile_options){.size = sizeof(spcc_compile_options),
                                  .declarations = declarations,
                                  .n_declarations = 3,
                                  .plan_for_tensors = true};
}

static void expect_in_plan(spcc_context *context, const spcc_compile_options *options,
                           const char *expected)
{
    char *text;
    expect(context, SPCC_OK, spcc_emit(context, turned, options, SPCC_STAGE_PLAN, &text));
    assert_non_null(strstr(text, expected));
    spcc_free(text);
}

static void plans_for_tensors(void **state)
{
    spcc_declaration declarations[3];
    spcc_tensor *many = diagonal(*state, 10000, 10000), *few = diagonal(*state, 10000, 10),
                *fewer = diagonal(*state, 9500, 9);
    spcc_compile_options options = for_tensors(declarations, many, many);
    spcc_kernel *kernel[3];
    char *text;
    expect_in_plan(*state, &options, "format(w, csr)");
    /* what the user says comes first */
    options.stored = &(spcc_stored_number){"C", 10};
    options.n_stored = 1;
    expect_in_plan(*state, &options, "format(w, coo)");
    options = for_tensors(declarations, many, few);
    expect_in_plan(*state, &options, "format(w, coo)");
    /* no command line would make it again */
    expect(*state, SPCC_OK, spcc_emit(*state, turned, &options, SPCC_STAGE_C, &text));
    assert_null(strstr(text, "    spcc 'A(i,j)"));
    spcc_free(text);

    /* found again for about the same sizes, and for no others */
    expect(*state, SPCC_OK, spcc_compile(*state, turned, &options, &kernel[0]));
    options = for_tensors(declarations, many, fewer);
    expect(*state, SPCC_OK, spcc_compile(*state, turned, &options, &kernel[1]));
    options = for_tensors(declarations, many, many);
    expect(*state, SPCC_OK, spcc_compile(*state, turned, &options, &kernel[2]));
    assert_ptr_equal(kernel[0], kernel[1]);
    assert_ptr_not_equal(kernel[0], kernel[2]);
    for (int k = 0; k < 3; k++)
        spcc_kernel_free(kernel[k]);
    spcc_tensor_free(many);
    spcc_tensor_free(few);
    spcc_tensor_free(fewer);
}

/* A kernel is wrong for no sizes. */
static void planned_for_others(void **state)
{
    spcc_declaration declarations[3];
    spcc_tensor *many = diagonal(*state, 300, 300), *few = diagonal(*state, 300, 1);
    spcc_tensor *none = diagonal(*state, 300, 0), *sum = empty(*state, "csr", 2);
    spcc_tensor *const operands[] = {many, few, none};
    for (int planned = 0; planned < 3; planned++) {
        spcc_compile_options options = for_tensors(declarations, many, operands[planned]);
        spcc_kernel *kernel;
        expect(*state, SPCC_OK, spcc_compile(*state, turned, &options, &kernel));
        for (int ran = 0; ran < 3; ran++) {
            expect(*state, SPCC_OK, spcc_run(*state, kernel, sum, many, operands[ran]));
            assert_int_equal(spcc_tensor_stored(sum), 300);
        }
        spcc_kernel_free(kernel);
    }
    spcc_tensor_free(many);
    spcc_tensor_free(few);
    spcc_tensor_free(none);
    spcc_tensor_free(sum);
}

static spcc_tensor *random_csr(spcc_context *context, const char *recipe, int64_t n)
{
    spcc_tensor *A;
    expect(context, SPCC_OK,
           spcc_tensor_generate(context, recipe, "csr", SPCC_F64, 2, (int64_t[]){n, n}, NULL, &A));
    return A;
}

static void expect_equal(const spcc_tensor *a, const spcc_tensor *b)
{
    int64_t n = spcc_tensor_stored(a);
    assert_int_equal(spcc_tensor_stored(b), n);
    assert_memory_equal(spcc_tensor_array(a, 1, 1).at, spcc_tensor_array(b, 1, 1).at,
                        (size_t)n * sizeof(int32_t));
    assert_memory_equal(spcc_tensor_values(a), spcc_tensor_values(b), (size_t)n * sizeof(double));
}

/* A result goes from one half of its memory to the other; it is right whatever was there before,
 * more or less than now. */
static void results_reuse_their_memory(void **state)
{
    static const char *const recipes[] = {"@sparse(0.1,1)", "@sparse(0.1,2)", "@sparse(0.1,3)",
                                          "@sparse(0.1,4)", "@sparse(0.5,5)", "@sparse(0.01,6)",
                                          "@sparse(0,7)",   "@sparse(0.3,8)", "@sparse(0.3,9)"};
    for (int trims = 0; trims < 2; trims++) {
        spcc_tensor *C = empty(*state, "csr", 2);
        for (int k = 0; k < 9; k++) {
            spcc_tensor *A = random_csr(*state, recipes[k], 60), *fresh = empty(*state, "csr", 2);
            for (int r = 0; r < 2; r++) {
                spcc_binding bindings[] = {{"C", r ? fresh : C}, {"A", A}};
                expect(*state, SPCC_OK, spcc_eval(*state, "C(i,j) = A(i,k) * A(k,j)", bindings, 2));
            }
            expect_equal(C, fresh);
            if (trims)
                spcc_tensor_trim(C);
            expect_equal(C, fresh);
            spcc_tensor_free(A);
            spcc_tensor_free(fresh);
        }
        spcc_tensor_free(C);
    }
    spcc_tensor_trim(NULL);
}

struct matrix_arrays {
    const void *at[3];
};

static struct matrix_arrays arrays_of(const spcc_tensor *C)
{
    return (struct matrix_arrays){
        {spcc_tensor_values(C), spcc_tensor_array(C, 1, 0).at, spcc_tensor_array(C, 1, 1).at}};
}

/* The same arrays, whichever is used for what. */
static bool are_same(struct matrix_arrays a, struct matrix_arrays b)
{
    bool same = true;
    for (int k = 0; k < 3; k++)
        same &= a.at[k] == b.at[0] || a.at[k] == b.at[1] || a.at[k] == b.at[2];
    return same;
}

/* Where nothing is to be kept nothing is: the next result is elsewhere as long as this one is. */
static void results_keep_no_more_than_is_said(void **state)
{
    (void)state;
    for (int64_t most = -1; most < 1; most++) {
        spcc_context *context;
        spcc_options options = {
            .size = sizeof options, .engine = engine, .cache = "", .threads = 1, .max_spare = most};
        assert_int_equal(spcc_context_new(&options, &context), SPCC_OK);
        spcc_tensor *A = sample(context, "csr"), *C = empty(context, "csr", 2);
        struct matrix_arrays last[6];
        for (int k = 0; k < 6; k++) {
            spcc_binding bindings[] = {{"C", C}, {"A", A}};
            expect(context, SPCC_OK, spcc_eval(context, "C(i,j) = A(i,j) + A(i,j)", bindings, 2));
            last[k] = arrays_of(C);
        }
        expect_values(C, (double[]){10, 14, 2}, 3);
        assert_true(most != 0 || are_same(last[5], last[3]));
        spcc_tensor_free(A);
        spcc_tensor_free(C);
        spcc_context_free(context);
    }
    spcc_context *context;
    spcc_options wrong = {.size = sizeof wrong, .max_spare = -2};
    assert_int_equal(spcc_context_new(&wrong, &context), SPCC_ERROR_ARGUMENT);
}

static spcc_kernel *compile_sum(spcc_context *context, spcc_tensor *A, spcc_tensor *C)
{
    const spcc_declaration declarations[] = {{.name = "A", .tensor = A},
                                             {.name = "C", .tensor = C}};
    const spcc_compile_options options = {
        .size = sizeof options, .declarations = declarations, .n_declarations = 2};
    spcc_kernel *kernel;
    expect(context, SPCC_OK, spcc_compile(context, "C(i,j) = A(i,j) + A(i,j)", &options, &kernel));
    return kernel;
}

/* Each run is where the last one was, and may be the last thing that is known of the result. */
static void results_are_overwritten(void **state)
{
    static const char format[] = "(i,j) -> (i : dense, j : compressed(pos=u8))";
    spcc_tensor *A = random_csr(*state, "@sparse(0.02,1)", 60), *C = empty(*state, format, 2),
                *large = random_csr(*state, "@sparse(0.5,1)", 60), *once = empty(*state, format, 2);
    spcc_kernel *kernel = compile_sum(*state, A, C);
    const spcc_run_options options = {.size = sizeof options, .overwrite = true};
    struct matrix_arrays last = {{NULL}};
    expect(*state, SPCC_OK, spcc_run(*state, kernel, once, A));
    for (int k = 0; k < 5; k++) {
        expect(*state, SPCC_OK,
               spcc_run_with(*state, kernel, (spcc_tensor *[]){C, A}, 2, &options));
        expect_equal(C, once);
        assert_true(k < 3 || are_same(arrays_of(C), last));
        last = arrays_of(C);
    }
    expect(*state, SPCC_ERROR_LIMIT,
           spcc_run_with(*state, kernel, (spcc_tensor *[]){C, large}, 2, &options));
    assert_null(spcc_tensor_values(C));
    assert_int_equal(spcc_tensor_dimension(C, 0), 60);
    expect(*state, SPCC_OK, spcc_run(*state, kernel, C, A));
    expect(*state, SPCC_ERROR_LIMIT, spcc_run(*state, kernel, C, large));
    expect_equal(C, once);
    spcc_kernel_free(kernel);
    spcc_tensor_free(A);
    spcc_tensor_free(C);
    spcc_tensor_free(large);
    spcc_tensor_free(once);
}

/* What a statement reads it keeps until it has read it. */
static void what_is_read_is_not_overwritten(void **state)
{
    spcc_tensor *A = sample(*state, "csr"), *C = empty(*state, "csr", 2);
    const spcc_declaration declarations[] = {{.name = "A", .tensor = A},
                                             {.name = "C", .tensor = C}};
    const spcc_compile_options compile = {
        .size = sizeof compile, .declarations = declarations, .n_declarations = 2};
    const spcc_run_options options = {.size = sizeof options, .overwrite = true};
    spcc_kernel *kernel;
    expect(*state, SPCC_OK, spcc_compile(*state, "C(i,j) += A(i,j)", &compile, &kernel));
    for (int k = 1; k < 5; k++) {
        expect(*state, SPCC_OK,
               spcc_run_with(*state, kernel, (spcc_tensor *[]){C, A}, 2, &options));
        expect_values(C, (double[]){5 * k, 7 * k, k}, 3);
    }
    spcc_kernel_free(kernel);
    spcc_tensor_free(A);
    spcc_tensor_free(C);
}

static void threads_of_one_run(void **state)
{
    spcc_tensor *A = random_csr(*state, "@sparse(0.3,1)", 50), *C = empty(*state, "csr", 2),
                *one = empty(*state, "csr", 2);
    const spcc_declaration declarations[] = {{.name = "A", .tensor = A},
                                             {.name = "C", .tensor = C}};
    const spcc_compile_options compile = {
        .size = sizeof compile, .declarations = declarations, .n_declarations = 2};
    spcc_kernel *kernel;
    expect(*state, SPCC_OK, spcc_compile(*state, "C(i,j) = A(i,k) * A(k,j)", &compile, &kernel));
    spcc_run_options options = {.size = sizeof options, .threads = 3};
    expect(*state, SPCC_OK, spcc_run_with(*state, kernel, (spcc_tensor *[]){C, A}, 2, &options));
    expect(*state, SPCC_OK, spcc_run(*state, kernel, one, A));
    expect_equal(C, one);
    options.threads = -1;
    expect(*state, SPCC_ERROR_ARGUMENT,
           spcc_run_with(*state, kernel, (spcc_tensor *[]){C, A}, 2, &options));
    options.size = 0;
    expect(*state, SPCC_ERROR_ARGUMENT,
           spcc_run_with(*state, kernel, (spcc_tensor *[]){C, A}, 2, &options));
    spcc_kernel_free(kernel);
    spcc_tensor_free(A);
    spcc_tensor_free(C);
    spcc_tensor_free(one);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        TEST(eval_spmv),
        TEST(eval_adds_to_what_is_there),
        TEST(eval_updates_in_place),
        TEST(eval_scalar),
        TEST(one_tensor_twice),
        TEST(sparse_results),
        TEST(large_sparse_result),
        TEST(empty_operands),
        TEST(every_type),
        TEST(fill_of_infinity),
        TEST(wide_indices),
        TEST(compile_and_run),
        TEST(kernels_outlive_their_context),
        TEST(kernels_are_remembered),
        TEST(where_code_comes_from),
        TEST(borrowed_results),
        TEST(borrowed_sparse_result),
        TEST(declared_sizes),
        TEST(assemble_then_compute),
        TEST(assembled_by_another_kernel),
        TEST(computing_into_another_pattern),
        TEST(kinds),
        TEST(sizes_that_disagree),
        TEST(sizes_within_a_tensor),
        TEST(other_tensors_than_compiled_for),
        TEST(shared_memory),
        TEST(wrong_bindings),
        TEST(unknown_sizes),
        TEST(plans_for_tensors),
        TEST(planned_for_others),
        TEST(results_reuse_their_memory),
        TEST(results_keep_no_more_than_is_said),
        TEST(results_are_overwritten),
        TEST(what_is_read_is_not_overwritten),
        TEST(threads_of_one_run),
    };
    engine = engine_of(argc, argv);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
