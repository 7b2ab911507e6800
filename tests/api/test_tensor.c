/* test_tensor.c - tensors: made, borrowed, asked, unpacked, generated, refused.
 *
 * SPDX-License-Identifier: MIT
 */
#include <math.h>

#include <pthread.h>

#include "tests/api/support.h"

/* ---- made ---- */

static void check_sample(const spcc_tensor *tensor)
{
    double dense[3][4] = {{0}}, values[3];
    int64_t at[6];
    assert_int_equal(spcc_tensor_order(tensor), 2);
    assert_int_equal(spcc_tensor_dimension(tensor, 0), 3);
    assert_int_equal(spcc_tensor_dimension(tensor, 1), 4);
    assert_int_equal(spcc_tensor_dimension(tensor, 2), -1);
    assert_int_equal(spcc_tensor_unpack(tensor, at, values), 3);
    for (int k = 0; k < 3; k++)
        dense[at[2 * k]][at[2 * k + 1]] = values[k];
    assert_true(dense[0][2] == 5 && dense[2][0] == 7 && dense[2][3] == 1);
}

static void csr_from_coordinates(void **state)
{
    static const int32_t pos[] = {0, 1, 1, 3}, crd[] = {2, 0, 3};
    spcc_tensor *A = sample(*state, "csr");
    check_sample(A);
    assert_string_equal(spcc_tensor_format(A), "ds");
    assert_string_equal(spcc_tensor_fill(A), "0");
    assert_int_equal(spcc_tensor_type(A), SPCC_F64);
    assert_int_equal(spcc_tensor_levels(A), 2);
    assert_null(spcc_tensor_array(A, 0, 0).at);
    assert_null(spcc_tensor_array_name(A, 0, 0));
    assert_string_equal(spcc_tensor_array_name(A, 1, 0), "pos");
    assert_string_equal(spcc_tensor_array_name(A, 1, 1), "crd");
    assert_null(spcc_tensor_array_name(A, 1, 2));
    assert_null(spcc_tensor_array_name(A, 2, 0));
    assert_int_equal(spcc_tensor_array_type(A, 1, 0), SPCC_I32);
    assert_int_equal(spcc_tensor_array(A, 1, 0).length, 4);
    assert_memory_equal(spcc_tensor_array(A, 1, 0).at, pos, sizeof pos);
    assert_int_equal(spcc_tensor_array(A, 1, 1).length, 3);
    assert_memory_equal(spcc_tensor_array(A, 1, 1).at, crd, sizeof crd);
    assert_int_equal(spcc_tensor_stored(A), 3);
    assert_int_equal(spcc_tensor_bytes(A), 4 * 4 + 3 * 4 + 3 * 8);
    spcc_tensor_free(A);
}

static void many_formats(void **state)
{
    static const char *const formats[] = {
        "csr",    "csc",    "dcsr",
        "dcsc",   "coo",    "ss",
        "sd:1,0", "sparse", "(i,j) -> (j : compressed(pos=i64, crd=u16), i : compressed)"};
    for (size_t f = 0; f < sizeof formats / sizeof *formats; f++) {
        spcc_tensor *A = sample(*state, formats[f]);
        if (!strstr(formats[f], "sd"))
            check_sample(A);
        spcc_tensor *again;
        expect(*state, SPCC_OK,
               spcc_tensor_new(*state, spcc_tensor_format(A), SPCC_F64, 2, NULL, NULL, &again));
        assert_string_equal(spcc_tensor_format(again), spcc_tensor_format(A));
        spcc_tensor_free(again);
        spcc_tensor_free(A);
    }
}

static void duplicates_are_summed(void **state)
{
    static const int64_t size[] = {4}, at[] = {3, 1, 3, 3};
    static const double values[] = {1, 2, 3, 4};
    spcc_tensor *x;
    expect(*state, SPCC_OK,
           spcc_tensor_from_coords(*state, "s", SPCC_F64, 1, size, 4, at, values, NULL, &x));
    double out[2];
    int64_t where[2];
    assert_int_equal(spcc_tensor_unpack(x, where, out), 2);
    assert_true(where[0] == 1 && where[1] == 3 && out[0] == 2 && out[1] == 8);
    assert_int_equal(spcc_tensor_unpack(x, NULL, NULL), 2);
    spcc_tensor_free(x);
}

static void dense_and_scalar(void **state)
{
    static const int64_t size[] = {2, 2};
    static const float values[] = {1, 2, 3, 4};
    static const double complex_value[] = {1.5, -2};
    spcc_tensor *M, *s;
    expect(*state, SPCC_OK, spcc_tensor_dense(*state, SPCC_F32, 2, size, values, &M));
    assert_memory_equal(spcc_tensor_values(M), values, sizeof values);
    assert_true(spcc_tensor_values(M) != (const void *)values);
    assert_string_equal(spcc_tensor_format(M), "dd");
    expect(*state, SPCC_OK, spcc_tensor_scalar(*state, SPCC_C128, complex_value, &s));
    assert_int_equal(spcc_tensor_order(s), 0);
    assert_memory_equal(spcc_tensor_values(s), complex_value, sizeof complex_value);
    assert_int_equal(spcc_tensor_unpack(s, NULL, NULL), 1);
    spcc_tensor_free(M);
    spcc_tensor_free(s);
}

static void fills(void **state)
{
    static const int64_t size[] = {2}, at[] = {1};
    static const double value = 4;
    spcc_tensor_options options = {.size = sizeof options, .fill = "inf", .name = "D"};
    spcc_tensor *x;
    expect(*state, SPCC_OK,
           spcc_tensor_from_coords(*state, "d", SPCC_F64, 1, size, 1, at, &value, &options, &x));
    assert_string_equal(spcc_tensor_fill(x), "inf");
    const double *vals = spcc_tensor_values(x);
    assert_true(isinf(vals[0]) && vals[1] == 4);
    spcc_tensor_free(x);
    expect(*state, SPCC_ERROR_FORMAT,
           spcc_tensor_new(*state, "d", SPCC_I32, 1, size, &options, &x));
    expect_message(*state, "inf");
    expect_message(*state, "E302");
    assert_null(x);
}

static void index_bits(void **state)
{
    spcc_options options = {.size = sizeof options, .index_bits = 64};
    spcc_context *wide;
    assert_int_equal(spcc_context_new(&options, &wide), SPCC_OK);
    spcc_tensor *A = sample(wide, "csr"), *B = sample(*state, "csr");
    assert_int_equal(spcc_tensor_array_type(A, 1, 1), SPCC_I64);
    assert_int_equal(spcc_tensor_bytes(A) - spcc_tensor_bytes(B), 7 * 4);
    spcc_context_free(wide);
    check_sample(A); /* tensors do not need their context */
    spcc_tensor_free(A);
    spcc_tensor_free(B);
}

/* ---- borrowed ---- */

static void borrowed_arrays_are_used(void **state)
{
    static const int32_t pos[] = {0, 1, 1, 3}, crd[] = {2, 0, 3};
    static const double vals[] = {5, 7, 1};
    const spcc_array arrays[] = {{pos, 4}, {crd, 3}};
    spcc_tensor *A;
    expect(
        *state, SPCC_OK,
        spcc_tensor_borrow(*state, "csr", SPCC_F64, 2, sample_size, arrays, 2, vals, 3, NULL, &A));
    assert_ptr_equal(spcc_tensor_values(A), vals);
    assert_ptr_equal(spcc_tensor_array(A, 1, 0).at, pos);
    assert_ptr_equal(spcc_tensor_array(A, 1, 1).at, crd);
    check_sample(A);
    spcc_tensor_free(A);
}

static void borrowed_coo(void **state)
{
    static const int32_t pos[] = {0, 3}, rows[] = {0, 2, 2}, columns[] = {2, 0, 3};
    static const double vals[] = {5, 7, 1};
    const spcc_array arrays[] = {{pos, 2}, {rows, 3}, {columns, 3}};
    spcc_tensor *A;
    expect(
        *state, SPCC_OK,
        spcc_tensor_borrow(*state, "coo", SPCC_F64, 2, sample_size, arrays, 3, vals, 3, NULL, &A));
    check_sample(A);
    spcc_tensor_free(A);
}

struct broken {
    int32_t pos[4], crd[3];
    int64_t n_pos, n_crd, n_values;
    const char *message;
};

/* The level, the array and the element are named. */
static void invalid_arrays(void **state)
{
    static const struct broken broken[] = {
        {{0, 1, 1, 3}, {2, 0, 4}, 4, 3, 3, "crd[2]"},
        {{0, 1, 1, 3}, {2, -1, 3}, 4, 3, 3, "crd[1]"},
        {{0, 1, 1, 3}, {2, 3, 0}, 4, 3, 3, "crd[2]"},
        {{0, 1, 1, 3}, {2, 3, 3}, 4, 3, 3, "crd[2]"},
        {{0, 2, 1, 3}, {2, 0, 3}, 4, 3, 3, "pos[2]"},
        {{1, 1, 1, 3}, {2, 0, 3}, 4, 3, 3, "pos[0]"},
        {{0, 1, 1, 3}, {2, 0, 3}, 3, 3, 3, "pos"},
        {{0, 1, 1, 3}, {2, 0, 3}, 4, 2, 3, "crd"},
        {{0, 1, 1, 3}, {2, 0, 3}, 4, 3, 2, "2 values"},
    };
    static const double vals[] = {5, 7, 1};
    spcc_tensor_options options = {.size = sizeof options, .name = "A"};
    for (size_t b = 0; b < sizeof broken / sizeof *broken; b++) {
        spcc_tensor *A;
        const spcc_array arrays[] = {{broken[b].pos, broken[b].n_pos},
                                     {broken[b].crd, broken[b].n_crd}};
        expect(*state, SPCC_ERROR_TENSOR,
               spcc_tensor_borrow(*state, "csr", SPCC_F64, 2, sample_size, arrays, 2, vals,
                                  broken[b].n_values, &options, &A));
        assert_null(A);
        expect_message(*state, broken[b].message);
        expect_message(*state, "A");
        if (b < 8)
            expect_message(*state, "level 2 (compressed");
        assert_int_equal(spcc_diagnostic_get(*state, 0)->code, 603);
    }
}

static void trusted_arrays_are_not_checked(void **state)
{
    static const int32_t pos[] = {0, 1}, crd[] = {9};
    static const double vals[] = {5};
    static const int64_t size[] = {4};
    const spcc_array arrays[] = {{pos, 2}, {crd, 1}};
    spcc_tensor_options options = {.size = sizeof options, .trusted = true};
    spcc_tensor *x;
    expect(*state, SPCC_OK,
           spcc_tensor_borrow(*state, "s", SPCC_F64, 1, size, arrays, 2, vals, 1, &options, &x));
    spcc_tensor_free(x);
    expect(*state, SPCC_ERROR_TENSOR,
           spcc_tensor_borrow(*state, "s", SPCC_F64, 1, size, arrays, 2, vals, 1, NULL, &x));
}

static void wrong_number_of_arrays(void **state)
{
    static const int32_t pos[] = {0, 1, 1, 3};
    static const double vals[] = {5, 7, 1};
    const spcc_array arrays[] = {{pos, 4}};
    spcc_tensor *A;
    expect(
        *state, SPCC_ERROR_ARGUMENT,
        spcc_tensor_borrow(*state, "csr", SPCC_F64, 2, sample_size, arrays, 1, vals, 3, NULL, &A));
    expect_message(*state, "level 2: pos, crd");
    assert_int_equal(spcc_diagnostic_get(*state, 0)->n_notes, 1);
}

/* A kernel would read them with instructions that need the alignment. */
static void misaligned_arrays(void **state)
{
    static _Alignas(8) const char bytes[64];
    static const int64_t size[] = {3};
    spcc_tensor *x;
    expect(*state, SPCC_ERROR_ARGUMENT,
           spcc_tensor_borrow(*state, NULL, SPCC_F64, 1, size, NULL, 0, bytes + 4, 3, NULL, &x));
    expect(*state, SPCC_OK,
           spcc_tensor_borrow(*state, NULL, SPCC_C64, 1, size, NULL, 0, bytes + 4, 3, NULL, &x));
    spcc_tensor_free(x);
    const spcc_tensor_options there = {.size = sizeof there, .on_gpu = true};
    expect(*state, SPCC_ERROR_ARGUMENT,
           spcc_tensor_borrow(*state, NULL, SPCC_C64, 1, size, NULL, 0, bytes + 4, 3, &there, &x));
    const spcc_array arrays[] = {{bytes + 2, 2}, {bytes, 0}};
    expect(*state, SPCC_ERROR_ARGUMENT,
           spcc_tensor_borrow(*state, "s", SPCC_F64, 1, size, arrays, 2, NULL, 0, NULL, &x));
    expect_message(*state, "array 0 is not aligned");
    expect(*state, SPCC_ERROR_ARGUMENT,
           spcc_tensor_borrow(*state, NULL, SPCC_F64, 1, size, NULL, 0, NULL, 3, NULL, &x));
}

static void bytes_that_are_no_bool(void **state)
{
    static const unsigned char bytes[] = {1, 0, 2};
    static const int64_t size[] = {3}, at[] = {0, 1, 2};
    spcc_tensor *x;
    expect(*state, SPCC_ERROR_TENSOR, spcc_tensor_dense(*state, SPCC_BOOL, 1, size, bytes, &x));
    expect_message(*state, "vals[2] is 2");
    expect(*state, SPCC_ERROR_TENSOR,
           spcc_tensor_borrow(*state, NULL, SPCC_BOOL, 1, size, NULL, 0, bytes, 3, NULL, &x));
    expect(*state, SPCC_ERROR_TENSOR,
           spcc_tensor_from_coords(*state, "s", SPCC_BOOL, 1, size, 3, at, bytes, NULL, &x));
    expect(*state, SPCC_OK,
           spcc_tensor_from_coords(*state, "s", SPCC_BOOL, 1, size, 2, at, bytes, NULL, &x));
    spcc_tensor_free(x);
}

/* ---- generated ---- */

static void recipes(void **state)
{
    static const int64_t size[] = {20, 30};
    spcc_tensor *ones, *index, *random, *sparse, *again;
    expect(*state, SPCC_OK,
           spcc_tensor_generate(*state, "@ones", NULL, SPCC_I32, 2, size, NULL, &ones));
    expect(*state, SPCC_OK,
           spcc_tensor_generate(*state, "@index", "csc", SPCC_F32, 2, size, NULL, &index));
    expect(*state, SPCC_OK,
           spcc_tensor_generate(*state, "@random(7)", NULL, SPCC_F64, 2, size, NULL, &random));
    expect(
        *state, SPCC_OK,
        spcc_tensor_generate(*state, "@sparse(0.1, 7)", "csr", SPCC_F64, 2, size, NULL, &sparse));
    expect(*state, SPCC_OK,
           spcc_tensor_generate(*state, "@sparse(0.1,7)", "csr", SPCC_F64, 2, size, NULL, &again));
    for (int k = 0; k < 600; k++) {
        double r = ((const double *)spcc_tensor_values(random))[k];
        assert_int_equal(((const int32_t *)spcc_tensor_values(ones))[k], 1);
        assert_true(((const float *)spcc_tensor_values(index))[k] == (float)(k % 20 * 30 + k / 20));
        assert_true(r >= 0 && r < 1);
    }
    assert_true(((const double *)spcc_tensor_values(random))[0]
                != ((const double *)spcc_tensor_values(random))[1]);
    assert_in_range(spcc_tensor_stored(sparse), 20, 120);
    assert_int_equal(spcc_tensor_stored(sparse), spcc_tensor_stored(again));
    assert_memory_equal(spcc_tensor_values(sparse), spcc_tensor_values(again),
                        (size_t)spcc_tensor_stored(sparse) * sizeof(double));
    spcc_tensor_free(ones);
    spcc_tensor_free(index);
    spcc_tensor_free(random);
    spcc_tensor_free(sparse);
    spcc_tensor_free(again);
}

static void recipes_at_the_limits(void **state)
{
    static const int64_t size[] = {7, 9}, none[] = {0, 5},
                         huge[] = {INT64_C(1) << 40, INT64_C(1) << 40};
    spcc_tensor *t;
    expect(*state, SPCC_OK,
           spcc_tensor_generate(*state, "@sparse(0,1)", "csr", SPCC_F64, 2, size, NULL, &t));
    assert_int_equal(spcc_tensor_stored(t), 0);
    spcc_tensor_free(t);
    expect(*state, SPCC_OK,
           spcc_tensor_generate(*state, "@sparse(1,1)", "coo", SPCC_BOOL, 2, size, NULL, &t));
    assert_int_equal(spcc_tensor_stored(t), 63);
    spcc_tensor_free(t);
    expect(*state, SPCC_OK,
           spcc_tensor_generate(*state, "@sparse(0.5,1)", "csr", SPCC_C64, 2, none, NULL, &t));
    assert_int_equal(spcc_tensor_stored(t), 0);
    spcc_tensor_free(t);
    expect(*state, SPCC_OK,
           spcc_tensor_generate(*state, "@random(3)", NULL, SPCC_U8, 0, NULL, NULL, &t));
    assert_in_range(*(const uint8_t *)spcc_tensor_values(t), 1, 9);
    spcc_tensor_free(t);
    expect(*state, SPCC_ERROR_MEMORY,
           spcc_tensor_generate(*state, "@ones", NULL, SPCC_F64, 2, huge, NULL, &t));
}

static void recipes_that_are_none(void **state)
{
    static const char *const wrong[] = {"",
                                        "ones",
                                        "@one",
                                        "@ones()",
                                        "@random()",
                                        "@random(-1)",
                                        "@random(1",
                                        "@random(1)x",
                                        "@random(99999999999999999999)",
                                        "@sparse(2,1)",
                                        "@sparse(-1,1)",
                                        "@sparse(x,1)",
                                        "@sparse(nan,1)"};
    static const int64_t size[] = {3};
    spcc_tensor *t;
    for (size_t w = 0; w < sizeof wrong / sizeof *wrong; w++) {
        expect(*state, SPCC_ERROR_ARGUMENT,
               spcc_tensor_generate(*state, wrong[w], NULL, SPCC_F64, 1, size, NULL, &t));
        expect_message(*state, "@sparse(DENSITY,SEED)");
        assert_null(t);
    }
}

/* ---- refused ---- */

static void wrong_formats(void **state)
{
    spcc_tensor *t;
    expect(*state, SPCC_ERROR_FORMAT, spcc_tensor_new(*state, "dsz", SPCC_F64, 2, NULL, NULL, &t));
    const spcc_diagnostic *d = spcc_diagnostic_get(*state, 0);
    assert_int_equal(d->code, 301);
    assert_int_equal(d->status, SPCC_ERROR_FORMAT);
    assert_int_equal(d->severity, SPCC_SEVERITY_ERROR);
    assert_string_equal(d->text, "dsz");
    assert_int_equal(d->line, 1);
    assert_int_equal(d->column, d->begin + 1);
    expect_message(*state, "^");
    assert_null(spcc_diagnostic_get(*state, spcc_diagnostic_count(*state)));
    expect(*state, SPCC_ERROR_FORMAT, spcc_tensor_new(*state, "csr", SPCC_F64, 3, NULL, NULL, &t));
}

static void wrong_shapes(void **state)
{
    static const int64_t negative[] = {3, -1};
    spcc_tensor *t;
    expect(*state, SPCC_ERROR_ARGUMENT,
           spcc_tensor_new(*state, NULL, SPCC_F64, -1, NULL, NULL, &t));
    expect(*state, SPCC_ERROR_ARGUMENT,
           spcc_tensor_new(*state, NULL, SPCC_F64, 33, NULL, NULL, &t));
    expect(*state, SPCC_ERROR_ARGUMENT,
           spcc_tensor_new(*state, "csr", SPCC_F64, 2, negative, NULL, &t));
    expect_message(*state, "mode 2");
    expect(*state, SPCC_ERROR_ARGUMENT,
           spcc_tensor_new(*state, NULL, (spcc_type)77, 0, NULL, NULL, &t));
    expect(*state, SPCC_ERROR_ARGUMENT, spcc_tensor_dense(*state, SPCC_F64, 1, NULL, NULL, &t));
    expect(*state, SPCC_ERROR_ARGUMENT,
           spcc_tensor_dense(*state, SPCC_F64, 2, sample_size, NULL, &t));
    assert_int_equal(spcc_tensor_new(*state, NULL, SPCC_F64, 0, NULL, NULL, NULL),
                     SPCC_ERROR_ARGUMENT);
}

static void wrong_coordinates(void **state)
{
    static const int64_t at[] = {0, 0, 2, 4};
    static const double values[] = {1, 2};
    spcc_tensor *t;
    expect(
        *state, SPCC_ERROR_TENSOR,
        spcc_tensor_from_coords(*state, "csr", SPCC_F64, 2, sample_size, 2, at, values, NULL, &t));
    expect_message(*state, "4");
    expect(*state, SPCC_ERROR_ARGUMENT,
           spcc_tensor_from_coords(*state, "csr", SPCC_F64, 2, sample_size, 2, NULL, values, NULL,
                                   &t));
    expect(
        *state, SPCC_ERROR_ARGUMENT,
        spcc_tensor_from_coords(*state, "csr", SPCC_F64, 2, sample_size, -1, at, values, NULL, &t));
}

static void sizes_beyond_the_index_type(void **state)
{
    static const int64_t size[] = {INT64_C(3000000000)};
    spcc_tensor *t;
    expect(*state, SPCC_ERROR_LIMIT, spcc_tensor_new(*state, "s", SPCC_F64, 1, size, NULL, &t));
    expect(
        *state, SPCC_OK,
        spcc_tensor_new(*state, "(i) -> (i : compressed(crd=i64))", SPCC_F64, 1, size, NULL, &t));
    assert_true(spcc_tensor_dimension(t, 0) == size[0]);
    spcc_tensor_free(t);
}

static void unsized(void **state)
{
    spcc_tensor *y = empty(*state, "csr", 2);
    assert_int_equal(spcc_tensor_dimension(y, 0), -1);
    assert_int_equal(spcc_tensor_stored(y), 0);
    assert_int_equal(spcc_tensor_unpack(y, NULL, NULL), 0);
    expect(*state, SPCC_ERROR_ARGUMENT, spcc_tensor_write(*state, y, "/tmp/never.tns"));
    spcc_tensor_free(y);
}

/* However long keys are, and however many bits of them are alike. */
static void long_keys(void **state)
{
    enum { ORDER = 32, N = 9001 };
    static int64_t coordinates[N][ORDER];
    static double values[N];
    int64_t size[ORDER];
    spcc_tensor *t;
    for (int m = 0; m < ORDER; m++)
        size[m] = INT64_C(1) << 62;
    for (int i = 0; i < N; i++) {
        values[i] = 1;
        for (int m = 0; m < ORDER; m++)
            coordinates[i][m] = i ? 5 : INT64_C(1) << 61;
    }
    spcc_options options = {.size = sizeof options, .index_bits = 64};
    spcc_context *wide;
    assert_int_equal(spcc_context_new(&options, &wide), SPCC_OK);
    expect(wide, SPCC_OK,
           spcc_tensor_from_coords(wide, "coo", SPCC_F64, ORDER, size, N, coordinates[0], values,
                                   NULL, &t));
    assert_int_equal(spcc_tensor_stored(t), 2);
    spcc_tensor_free(t);
    spcc_context_free(wide);
}

/* A thread that has little stack packs, too. */
static void *pack_in_thread(void *data)
{
    static int64_t at[2000];
    static double values[1000];
    const int64_t size[] = {100, 100};
    spcc_tensor *tensor = NULL;
    for (int k = 0; k < 2000; k++)
        at[k] = k * 37 % 100;
    if (spcc_tensor_from_coords(data, "csr", SPCC_F64, 2, size, 1000, at, values, NULL, &tensor))
        return NULL;
    spcc_tensor_free(tensor);
    return data;
}

static void small_stacks(void **state)
{
    spcc_context *context = *state;
    pthread_attr_t little;
    pthread_t thread;
    void *done;
    pthread_attr_init(&little);
    assert_int_equal(pthread_attr_setstacksize(&little, 96 * 1024), 0);
    assert_int_equal(pthread_create(&thread, &little, pack_in_thread, context), 0);
    assert_int_equal(pthread_join(thread, &done), 0);
    assert_ptr_equal(done, context);
    pthread_attr_destroy(&little);
}

/* A format is parsed once for many tensors, and stands for itself in messages and questions. */
static void parsed_formats(void **state)
{
    static const int32_t pos[] = {0, 1, 1, 3}, crd[] = {2, 0, 3};
    static const double vals[] = {5, 7, 1};
    const spcc_array arrays[] = {{pos, 4}, {crd, 3}};
    spcc_format *csr, *none;
    spcc_tensor *A;
    expect(*state, SPCC_OK, spcc_format_parse(*state, "csr", 2, &csr));
    for (int k = 0; k < 2; k++) {
        expect(*state, SPCC_OK,
               spcc_tensor_borrow_as(*state, csr, SPCC_F64, sample_size, arrays, 2, vals, 3, NULL,
                                     &A));
        assert_string_equal(spcc_tensor_format(A), "ds");
        check_sample(A);
        spcc_tensor_free(A);
    }
    expect(*state, SPCC_ERROR_ARGUMENT,
           spcc_tensor_borrow_as(*state, csr, SPCC_F64, sample_size, arrays, 1, vals, 3, NULL, &A));
    assert_null(A);
    expect(
        *state, SPCC_ERROR_ARGUMENT,
        spcc_tensor_borrow_as(*state, NULL, SPCC_F64, sample_size, arrays, 2, vals, 3, NULL, &A));
    spcc_format_free(csr);
    spcc_format_free(NULL);
    expect(*state, SPCC_ERROR_FORMAT, spcc_format_parse(*state, "cssr", 2, &none));
    assert_null(none);
    expect_message(*state, "cssr");
    expect(*state, SPCC_ERROR_ARGUMENT, spcc_format_parse(*state, "csr", -1, &none));
    expect(*state, SPCC_OK, spcc_format_parse(*state, NULL, 1, &none));
    spcc_format_free(none);
}

/* What no machine has is said in units, too. */
static void dense_beyond_any_memory(void **state)
{
    static const int64_t size[] = {INT64_MAX, INT64_MAX, INT64_MAX};
    spcc_tensor *none;
    expect(*state, SPCC_ERROR_MEMORY,
           spcc_tensor_new(*state, NULL, SPCC_F64, 3, size, NULL, &none));
    assert_null(none);
    expect_message(*state, "take 5.4e+39 EiB, more than");
}

/* With wider integers than the context's, where the text does not say. */
static void parsed_formats_of_other_bits(void **state)
{
    static const struct {
        const char *text, *told;
        int bits;
    } given[] = {{"csr", "ds", 0},
                 {"csr", "ds", 32},
                 {"csr", "(i,j) -> (i : dense, j : compressed(pos=i64, crd=i64))", 64},
                 {"(i,j) -> (i : dense, j : compressed(crd=i32))",
                  "(i,j) -> (i : dense, j : compressed(pos=i64))", 64},
                 {NULL, "dd", 64}};
    for (size_t k = 0; k < sizeof given / sizeof *given; k++) {
        spcc_format *format;
        expect(*state, SPCC_OK,
               spcc_format_parse_with(*state, given[k].text, 2, given[k].bits, &format));
        assert_string_equal(spcc_format_text(format), given[k].told);
        spcc_format_free(format);
    }
    spcc_format *none;
    expect(*state, SPCC_ERROR_ARGUMENT, spcc_format_parse_with(*state, "csr", 2, 16, &none));
    assert_null(none);
}

/* Other arrays under a tensor are checked, and are not there if they are wrong. */
static void other_arrays(void **state)
{
    static const int32_t pos[] = {0, 1, 1, 3}, crd[] = {2, 0, 3}, more_pos[] = {0, 1, 2, 4},
                         more_crd[] = {0, 1, 2, 3}, wrong[] = {0, 9, 2, 3};
    static const double vals[] = {5, 7, 1}, more[] = {1, 2, 3, 4};
    const spcc_array arrays[] = {{pos, 4}, {crd, 3}}, others[] = {{more_pos, 4}, {more_crd, 4}},
                     bad[] = {{more_pos, 4}, {wrong, 4}};
    const spcc_tensor_options trusted = {.size = sizeof trusted, .name = "A", .trusted = true};
    for (int trusts = 0; trusts < 2; trusts++) {
        spcc_tensor *A;
        expect(*state, SPCC_OK,
               spcc_tensor_borrow(*state, "csr", SPCC_F64, 2, sample_size, arrays, 2, vals, 3,
                                  trusts ? &trusted : NULL, &A));
        expect(*state, SPCC_OK, spcc_tensor_check(*state, A));
        expect(*state, SPCC_OK, spcc_tensor_rebind(*state, A, others, 2, more, 4));
        assert_int_equal(spcc_tensor_unpack(A, NULL, NULL), 4);
        expect(*state, trusts ? SPCC_OK : SPCC_ERROR_TENSOR,
               spcc_tensor_rebind(*state, A, bad, 2, more, 4));
        assert_ptr_equal(spcc_tensor_array(A, 1, 1).at, trusts ? wrong : more_crd);
        expect(*state, trusts ? SPCC_ERROR_TENSOR : SPCC_OK, spcc_tensor_check(*state, A));
        if (trusts)
            expect_message(*state, "A: level 2");
        expect(*state, SPCC_ERROR_ARGUMENT, spcc_tensor_rebind(*state, A, arrays, 1, vals, 3));
        assert_int_equal(spcc_tensor_stored(A), 4);
        spcc_tensor_free(A);
    }
    spcc_tensor *owns = sample(*state, "csr");
    expect(*state, SPCC_ERROR_ARGUMENT, spcc_tensor_rebind(*state, owns, arrays, 2, vals, 3));
    expect(*state, SPCC_ERROR_ARGUMENT, spcc_tensor_rebind(*state, NULL, arrays, 2, vals, 3));
    expect(*state, SPCC_ERROR_ARGUMENT, spcc_tensor_check(*state, NULL));
    spcc_tensor_free(owns);
}

/* An array that is taken is the caller's; the tensor can be a result again, and nothing else. */
static void arrays_are_taken(void **state)
{
    static const double vals[] = {5, 7, 1};
    const spcc_array arrays[] = {{(const int32_t[]){0, 1, 1, 3}, 4},
                                 {(const int32_t[]){2, 0, 3}, 3}};
    spcc_tensor *A = sample(*state, "csr"), *C = empty(*state, "csr", 2), *B;
    spcc_binding to_C[] = {{"C", C}, {"A", A}}, to_A[] = {{"C", A}, {"A", C}};
    expect(*state, SPCC_OK, spcc_eval(*state, "C(i,j) = A(i,j)", to_C, 2));
    int32_t *crd = spcc_tensor_take_array(C, 1, 1);
    expect(*state, SPCC_ERROR_BINDING, spcc_eval(*state, "C(i,j) = A(i,j)", to_A, 2));
    expect_message(*state, "taken");
    double *values = spcc_tensor_take_values(C);
    assert_null(spcc_tensor_take_values(C));
    assert_null(spcc_tensor_take_array(C, 1, 2));
    assert_null(spcc_tensor_take_array(C, 2, 0));
    assert_null(spcc_tensor_take_array(NULL, 0, 0));
    assert_null(spcc_tensor_take_values(NULL));
    assert_int_equal(spcc_tensor_dimension(C, 1), 4);
    expect(*state, SPCC_OK, spcc_eval(*state, "C(i,j) = A(i,j)", to_C, 2));
    check_sample(C);
    assert_memory_equal(values, vals, sizeof vals);
    assert_int_equal(crd[2], 3);
    free(values);
    spcc_free(crd);
    expect(
        *state, SPCC_OK,
        spcc_tensor_borrow(*state, "csr", SPCC_F64, 2, sample_size, arrays, 2, vals, 3, NULL, &B));
    assert_null(spcc_tensor_take_values(B));
    check_sample(B);
    spcc_tensor_free(A);
    spcc_tensor_free(B);
    spcc_tensor_free(C);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(csr_from_coordinates),
        TEST(many_formats),
        TEST(duplicates_are_summed),
        TEST(long_keys),
        TEST(small_stacks),
        TEST(dense_and_scalar),
        TEST(fills),
        TEST(index_bits),
        TEST(borrowed_arrays_are_used),
        TEST(borrowed_coo),
        TEST(invalid_arrays),
        TEST(trusted_arrays_are_not_checked),
        TEST(wrong_number_of_arrays),
        TEST(misaligned_arrays),
        TEST(bytes_that_are_no_bool),
        TEST(recipes),
        TEST(recipes_at_the_limits),
        TEST(recipes_that_are_none),
        TEST(wrong_formats),
        TEST(wrong_shapes),
        TEST(wrong_coordinates),
        TEST(sizes_beyond_the_index_type),
        TEST(unsized),
        TEST(parsed_formats),
        TEST(parsed_formats_of_other_bits),
        TEST(dense_beyond_any_memory),
        TEST(other_arrays),
        TEST(arrays_are_taken),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
