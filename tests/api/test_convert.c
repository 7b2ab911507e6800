/* test_convert.c - tensors in other formats, and statistics of their patterns.
 *
 * SPDX-License-Identifier: MIT
 */
#include <complex.h>
#include <math.h>

#include "tests/api/support.h"

/* ---- converting ---- */

/* Every component of a matrix of f64, those that are not stored as the fill. */
static void spread(const spcc_tensor *tensor, double fill, int64_t columns, int64_t components,
                   double *out)
{
    int64_t most = spcc_tensor_stored(tensor);
    int64_t *at = malloc((size_t)(2 * most + 1) * sizeof *at);
    double *values = malloc((size_t)(most + 1) * sizeof *values);
    assert_true(at && values);
    for (int64_t k = 0; k < components; k++)
        out[k] = fill;
    for (int64_t k = 0, n = spcc_tensor_unpack(tensor, at, values); k < n; k++)
        out[at[2 * k] * columns + at[2 * k + 1]] = values[k];
    free(at);
    free(values);
}

static void between_formats(void **state)
{
    static const char *const from[] = {"dense",        "dense:1,0", "csr",       "csc",    "coo",
                                       "dcsr",         "dcsc",      "hash",      "bitmap", "ell",
                                       "mode-generic", "bcsr(2,3)", "bcsc(2,3)", "dia"};
    static const char *const to[] = {"dense", "dense:1,0", "csr",  "csc",    "coo", "coo:1,0",
                                     "dcsr",  "dcsc",      "hash", "bitmap", "ell", "mode-generic"};
    double expected[12], got[12];
    spcc_tensor *first = sample(*state, "coo");
    spread(first, 0, 4, 12, expected);
    spcc_tensor_free(first);
    for (size_t f = 0; f < sizeof from / sizeof *from; f++) {
        spcc_tensor *A = sample(*state, from[f]), *B;
        for (size_t t = 0; t < sizeof to / sizeof *to; t++) {
            expect(*state, SPCC_OK, spcc_tensor_convert(*state, A, to[t], SPCC_F64, NULL, &B));
            assert_int_equal(spcc_tensor_dimension(B, 0), 3);
            assert_int_equal(spcc_tensor_dimension(B, 1), 4);
            spread(B, 0, 4, 12, got);
            assert_memory_equal(got, expected, sizeof got);
            spcc_tensor_free(B);
        }
        spcc_tensor_free(A);
    }
}

/* The fill goes along unless another one is asked for: then everything differs from it. */
static void fills(void **state)
{
    const spcc_tensor_options far = {.size = sizeof far, .fill = "inf"},
                              one = {.size = sizeof one, .fill = "1"};
    double got[12];
    spcc_tensor *A, *B, *C;
    expect(*state, SPCC_OK,
           spcc_tensor_from_coords(*state, "csr", SPCC_F64, 2, sample_size, 3, sample_coordinates,
                                   sample_values, &far, &A));
    expect(*state, SPCC_OK, spcc_tensor_convert(*state, A, "csc", SPCC_F64, NULL, &B));
    assert_string_equal(spcc_tensor_fill(B), "inf");
    assert_int_equal(spcc_tensor_stored(B), 3);
    expect(*state, SPCC_OK, spcc_tensor_convert(*state, A, "csr", SPCC_F64, &one, &C));
    assert_string_equal(spcc_tensor_fill(C), "1");
    spread(C, 1, 4, 12, got);
    assert_true(got[0] == INFINITY && got[2] == 5 && got[11] == 1);
    spcc_tensor_free(A);
    spcc_tensor_free(B);
    spcc_tensor_free(C);
}

static void types(void **state)
{
    spcc_tensor *A = sample(*state, "csr"), *B, *C;
    expect(*state, SPCC_OK, spcc_tensor_convert(*state, A, "csr", SPCC_I8, NULL, &B));
    assert_int_equal(spcc_tensor_type(B), SPCC_I8);
    assert_int_equal(((const int8_t *)spcc_tensor_values(B))[0], 5);
    expect(*state, SPCC_OK, spcc_tensor_convert(*state, B, "coo", SPCC_C64, NULL, &C));
    assert_true(((const float complex *)spcc_tensor_values(C))[1] == 7);
    spcc_tensor_free(B);
    expect(*state, SPCC_ERROR_STATEMENT, spcc_tensor_convert(*state, C, "coo", SPCC_F64, NULL, &B));
    assert_null(B);
    expect_message(*state, "complex");
    spcc_tensor_free(A);
    spcc_tensor_free(C);
}

static void orders(void **state)
{
    static const int64_t size[] = {2, 3, 2}, at[] = {0, 0, 1, 0, 2, 0, 1, 1, 1};
    static const double values[] = {1, 2, 3};
    const double pi = 3.25;
    double got[3];
    int64_t where[9];
    spcc_tensor *A, *B;
    expect(*state, SPCC_OK,
           spcc_tensor_from_coords(*state, "coo", SPCC_F64, 3, size, 3, at, values, NULL, &A));
    expect(*state, SPCC_OK, spcc_tensor_convert(*state, A, "csf", SPCC_F64, NULL, &B));
    assert_int_equal(spcc_tensor_unpack(B, where, got), 3);
    assert_memory_equal(where, at, sizeof at);
    assert_memory_equal(got, values, sizeof values);
    spcc_tensor_free(A);
    spcc_tensor_free(B);
    expect(*state, SPCC_OK, spcc_tensor_scalar(*state, SPCC_F64, &pi, &A));
    expect(*state, SPCC_OK, spcc_tensor_convert(*state, A, NULL, SPCC_F32, NULL, &B));
    assert_true(*(const float *)spcc_tensor_values(B) == 3.25f);
    spcc_tensor_free(A);
    spcc_tensor_free(B);
}

/* Blocks come in Morton order as packing has it, also where one number has no room for the bits of
 * all coordinates. */
static void in_turns(void **state)
{
    enum { N = 400, MOST = 5 };
    static const int bits[] = {31, 27, 24, 20};
    uint64_t drawn = 1;
    for (int order = 2; order <= MOST; order++) {
        int64_t size[MOST], at[N * MOST], packed[N * MOST], converted[N * MOST];
        double values[N] = {0};
        spcc_tensor *list, *expected, *got;
        for (int m = 0; m < order; m++)
            size[m] = (INT64_C(1) << bits[order - 2]) - 1;
        for (int k = 0; k < N * order; k++) {
            drawn = drawn * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
            at[k] = (int64_t)(drawn >> 33) % (k % 3 ? 16 : size[0]);
        }
        const char *format = order == 4 ? "ghicoo(8; 0,1,3)" : "hicoo(8)";
        expect(*state, SPCC_OK,
               spcc_tensor_from_coords(*state, "coo", SPCC_F64, order, size, N, at, values, NULL,
                                       &list));
        expect(*state, SPCC_OK,
               spcc_tensor_from_coords(*state, format, SPCC_F64, order, size, N, at, values, NULL,
                                       &expected));
        expect(*state, SPCC_OK, spcc_tensor_convert(*state, list, format, SPCC_F64, NULL, &got));
        int64_t n = spcc_tensor_unpack(expected, packed, NULL);
        assert_int_equal(spcc_tensor_unpack(got, converted, NULL), n);
        assert_memory_equal(converted, packed, sizeof *packed * (size_t)(n * order));
        spcc_tensor_free(list);
        spcc_tensor_free(expected);
        spcc_tensor_free(got);
    }
}

static void wrong_conversions(void **state)
{
    spcc_tensor *A = sample(*state, "csr"), *B, *unsized;
    const spcc_tensor_options none = {0}, bad = {.size = sizeof bad, .fill = "x"};
    expect(*state, SPCC_OK, spcc_tensor_new(*state, "csr", SPCC_F64, 2, NULL, NULL, &unsized));
    assert_int_equal(spcc_tensor_convert(*state, A, "csr", SPCC_F64, NULL, NULL),
                     SPCC_ERROR_ARGUMENT);
    assert_int_equal(spcc_tensor_convert(NULL, A, "csr", SPCC_F64, NULL, &B), SPCC_ERROR_ARGUMENT);
    expect(*state, SPCC_ERROR_ARGUMENT,
           spcc_tensor_convert(*state, NULL, "csr", SPCC_F64, NULL, &B));
    expect(*state, SPCC_ERROR_ARGUMENT,
           spcc_tensor_convert(*state, unsized, "csr", SPCC_F64, NULL, &B));
    expect_message(*state, "not known yet");
    expect(*state, SPCC_ERROR_ARGUMENT, spcc_tensor_convert(*state, A, "csr", SPCC_F64, &none, &B));
    expect(*state, SPCC_ERROR_ARGUMENT,
           spcc_tensor_convert(*state, A, "csr", (spcc_type)99, NULL, &B));
    expect(*state, SPCC_ERROR_FORMAT, spcc_tensor_convert(*state, A, "csx", SPCC_F64, NULL, &B));
    expect(*state, SPCC_ERROR_FORMAT, spcc_tensor_convert(*state, A, "csf(2)", SPCC_F64, NULL, &B));
    expect(*state, SPCC_ERROR_FORMAT, spcc_tensor_convert(*state, A, "csr", SPCC_F64, &bad, &B));
    assert_null(B);
    spcc_tensor_free(A);
    spcc_tensor_free(unsized);
}

/* ---- statistics ---- */

static int64_t bytes_in(const spcc_statistics *s, const char *format)
{
    for (int f = 0; f < s->n_formats; f++)
        if (strcmp(s->formats[f].format, format) == 0)
            return s->formats[f].bytes;
    return -1;
}

static void of_a_matrix(void **state)
{
    static const char *const formats[] = {"csr", "csc", "coo", "hash", "bcsr(2,2)"};
    for (size_t f = 0; f < sizeof formats / sizeof *formats - 1; f++) {
        spcc_tensor *A = sample(*state, formats[f]);
        spcc_statistics *s;
        expect(*state, SPCC_OK, spcc_tensor_statistics(*state, A, &s));
        assert_int_equal(s->order, 2);
        assert_int_equal(s->stored, 3);
        assert_true(s->components == 12);
        assert_int_equal(s->modes[0].used, 2);
        assert_int_equal(s->modes[0].least, 0);
        assert_int_equal(s->modes[0].most, 2);
        assert_true(fabs(s->modes[0].mean - 1) < 1e-12
                    && fabs(s->modes[0].deviation - sqrt(2. / 3)) < 1e-12);
        assert_int_equal(s->modes[1].dimension, 4);
        assert_int_equal(s->histograms[0].n_bins, 3);
        for (int b = 0; b < 3; b++) {
            assert_int_equal(s->histograms[0].bounds[b], b);
            assert_int_equal(s->histograms[0].slices[b], 1);
        }
        assert_int_equal(s->histograms[0].bounds[3], 3);
        assert_int_equal(s->below, 2);
        assert_int_equal(s->above, 2);
        assert_int_equal(s->diagonals, 3);
        assert_false(s->symmetric_pattern || s->symmetric);
        assert_int_equal(s->n_blocks, 3);
        assert_int_equal(s->blocks[0].count, 3);
        assert_true(s->blocks[2].size == 8 && s->blocks[2].count == 1
                    && s->blocks[2].fill == 3. / 64);
        assert_int_equal(bytes_in(s, "csr"), 4 * 4 + 3 * 12);
        for (int k = 1; k < s->n_formats; k++)
            assert_true(s->formats[k - 1].bytes <= s->formats[k].bytes);
        spcc_statistics_free(s);
        spcc_tensor_free(A);
    }
}

/* What is told of a format is what a tensor of it takes. */
static void bytes_are_true(void **state)
{
    static const int64_t sizes[][2] = {{50, 50}, {31, 50}, {50, 31}};
    static const char recipe[] = "@sparse(0.07,3)";
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        spcc_tensor *A, *B;
        spcc_statistics *s;
        expect(*state, SPCC_OK,
               spcc_tensor_generate(*state, recipe, "coo", SPCC_F32, 2, sizes[k], NULL, &A));
        expect(*state, SPCC_OK, spcc_tensor_statistics(*state, A, &s));
        assert_int_equal(s->n_formats, 29);
        for (int f = 0; f < s->n_formats; f++) {
            const char *format = s->formats[f].format;
            expect(*state, SPCC_OK,
                   spcc_tensor_generate(*state, recipe, format, SPCC_F32, 2, sizes[k], NULL, &B));
            if (s->formats[f].bytes != spcc_tensor_bytes(B))
                fail_msg("%s: %lld bytes, not %lld", format, (long long)spcc_tensor_bytes(B),
                         (long long)s->formats[f].bytes);
            spcc_tensor_free(B);
        }
        spcc_statistics_free(s);
        spcc_tensor_free(A);
    }
}

static void symmetry(void **state)
{
    static const int64_t square[] = {3, 3}, at[] = {0, 2, 2, 0, 1, 1};
    static const struct {
        double complex values[3];
        bool symmetric, skew, hermitian;
    } cases[] = {
        {{2 + I, 2 + I, 3}, true, false, false}, {{2 + I, 2 - I, 3}, false, false, true},
        {{2, -2, 0}, false, true, false},        {{2, 2, 5}, true, false, true},
        {{2, 3, 5}, false, false, false},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        spcc_tensor *A;
        spcc_statistics *s;
        expect(*state, SPCC_OK,
               spcc_tensor_from_coords(*state, "csr", SPCC_C128, 2, square, 3, at, cases[c].values,
                                       NULL, &A));
        expect(*state, SPCC_OK, spcc_tensor_statistics(*state, A, &s));
        assert_true(s->symmetric_pattern);
        assert_int_equal(s->symmetric, cases[c].symmetric);
        assert_int_equal(s->skew_symmetric, cases[c].skew);
        assert_int_equal(s->hermitian, cases[c].hermitian);
        spcc_statistics_free(s);
        spcc_tensor_free(A);
    }
}

/* Rows of 0 to 599 components, one each: every row is in one bin, whose numbers it has. */
static void histogram_of_many_lengths(void **state)
{
    enum { N = 600 };
    static int64_t at[(int64_t)N * (N - 1)];
    static double values[(int64_t)N * (N - 1) / 2];
    static const int64_t size[] = {N, N};
    int64_t n = 0;
    for (int64_t i = 0; i < N; i++)
        for (int64_t j = 0; j < i; j++, n++) {
            at[2 * n] = i;
            at[2 * n + 1] = j;
            values[n] = 1;
        }
    spcc_tensor *A;
    spcc_statistics *s;
    expect(*state, SPCC_OK,
           spcc_tensor_from_coords(*state, "coo", SPCC_F64, 2, size, n, at, values, NULL, &A));
    expect(*state, SPCC_OK, spcc_tensor_statistics(*state, A, &s));
    const spcc_histogram *h = &s->histograms[0];
    assert_true(h->n_bins > 16 && h->n_bins <= 32 && h->bounds[0] == 0
                && h->bounds[h->n_bins] == N);
    for (int b = 0; b < h->n_bins; b++) {
        assert_int_equal(h->slices[b], h->bounds[b + 1] - h->bounds[b]);
        /* they grow, but for rounding */
        assert_true(b == 0 || h->slices[b] * 10 >= h->slices[b - 1] * 9);
    }
    spcc_statistics_free(s);
    spcc_tensor_free(A);
}

static void density(void **state)
{
    static const int64_t size[] = {5, 3, 5000000000},
                         at[] = {1, 0, 4999999999, 1, 2, 7, 4, 2, 2500000000};
    static const double values[] = {1, 2, 3};
    spcc_tensor *A, *none;
    int64_t counts[15];
    static const int64_t pairs[] = {1, 0, 1, 0, 0, 1}, halves[] = {1, 2};
    spcc_options wide = {
        .size = sizeof wide, .engine = SPCC_ENGINE_INTERP, .cache = "", .index_bits = 64};
    spcc_context *cx;
    assert_int_equal(spcc_context_new(&wide, &cx), SPCC_OK);
    for (int f = 0; f < 2; f++) {
        const char *format = f ? "sss:2,0,1" : "coo";
        expect(cx, SPCC_OK,
               spcc_tensor_from_coords(cx, format, SPCC_F64, 3, size, 3, at, values, NULL, &A));
        expect(cx, SPCC_OK, spcc_tensor_density(cx, A, -1, 2, 1, 2, counts));
        assert_memory_equal(counts, halves, sizeof halves);
        /* rows 0 to 2, 3 and 4 */
        expect(cx, SPCC_OK, spcc_tensor_density(cx, A, 0, 1, 2, 3, counts));
        assert_memory_equal(counts, pairs, sizeof pairs);
        expect(cx, SPCC_OK, spcc_tensor_density(cx, A, -1, 0, 1, 5, counts));
        assert_true(counts[0] == 0 && counts[1] == 2 && counts[4] == 1);
        /* from 0, 2 and 4 on */
        expect(cx, SPCC_OK, spcc_tensor_density(cx, A, -1, 0, 1, 3, counts));
        assert_true(counts[0] == 2 && counts[1] == 0 && counts[2] == 1);
        spcc_tensor_free(f ? NULL : A);
    }
    static const int wrong[][4] = {{0, 1, 6, 1},  {0, 1, 0, 1},  {0, 3, 1, 1},    {-2, 1, 1, 1},
                                   {-1, 1, 2, 1}, {0, -1, 1, 1}, {0, 2, 1, 65537}};
    for (size_t w = 0; w < sizeof wrong / sizeof *wrong; w++)
        expect(
            cx, SPCC_ERROR_ARGUMENT,
            spcc_tensor_density(cx, A, wrong[w][0], wrong[w][1], wrong[w][2], wrong[w][3], counts));
    expect(cx, SPCC_ERROR_ARGUMENT, spcc_tensor_density(cx, NULL, -1, 0, 1, 1, counts));
    expect(cx, SPCC_ERROR_ARGUMENT, spcc_tensor_density(cx, A, -1, 0, 1, 1, NULL));
    expect(cx, SPCC_OK, spcc_tensor_new(cx, "csr", SPCC_F64, 2, (int64_t[]){3, 0}, NULL, &none));
    expect(cx, SPCC_OK, spcc_tensor_density(cx, none, 0, 1, 3, 1, counts));
    assert_true(counts[0] == 0 && counts[2] == 0);
    spcc_tensor_free(none);
    spcc_tensor_free(A);
    spcc_context_free(cx);
}

static void of_other_orders(void **state)
{
    static const int64_t size[] = {2, 3, 5000000000}, at[] = {1, 0, 4999999999, 1, 2, 7};
    static const double values[] = {1, 2};
    spcc_options wide = {
        .size = sizeof wide, .engine = SPCC_ENGINE_INTERP, .cache = "", .index_bits = 64};
    spcc_context *context;
    spcc_tensor *A, *empty;
    spcc_statistics *s;
    assert_int_equal(spcc_context_new(&wide, &context), SPCC_OK);
    expect(context, SPCC_OK,
           spcc_tensor_from_coords(context, "coo", SPCC_F64, 3, size, 2, at, values, NULL, &A));
    expect(context, SPCC_OK, spcc_tensor_statistics(context, A, &s));
    assert_true(s->modes[2].dimension == 5000000000 && s->modes[2].used == 2 && s->n_blocks == 0
                && s->diagonals == 0);
    assert_int_equal(bytes_in(s, "coo"), 2 * 8 + 2 * 32);
    assert_int_equal(bytes_in(s, "sparse"), 2 * 8 + 8 + 2 * 8 + 2 * 8 + 3 * 8 + 2 * 8 + 2 * 8);
    assert_true(bytes_in(s, "dense") == 240000000000);
    spcc_statistics_free(s);
    expect(context, SPCC_OK, spcc_tensor_new(context, "csr", SPCC_F64, 2, size, NULL, &empty));
    expect(context, SPCC_OK, spcc_tensor_statistics(context, empty, &s));
    assert_true(s->stored == 0 && s->modes[0].most == 0 && s->diagonals == 0
                && s->blocks[0].fill == 0);
    spcc_statistics_free(s);
    spcc_statistics_free(NULL);
    expect(context, SPCC_ERROR_ARGUMENT, spcc_tensor_statistics(context, NULL, &s));
    assert_null(s);
    spcc_tensor_free(A);
    spcc_tensor_free(empty);
    spcc_context_free(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(between_formats), cmocka_unit_test(fills),
        cmocka_unit_test(types),           cmocka_unit_test(orders),
        cmocka_unit_test(in_turns),        cmocka_unit_test(wrong_conversions),
        cmocka_unit_test(of_a_matrix),     cmocka_unit_test(bytes_are_true),
        cmocka_unit_test(symmetry),        cmocka_unit_test(of_other_orders),
        cmocka_unit_test(density),         cmocka_unit_test(histogram_of_many_lengths),
    };
    return cmocka_run_group_tests(tests, setup_context, teardown_context);
}
