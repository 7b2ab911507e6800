/* test_generate.c - tensors that are made up.
 *
 * SPDX-License-Identifier: MIT
 */
#include "tests/runtime/support.h"

#include <math.h>

#include "runtime/tensor/generate.h"

static void generators_are_parsed(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        enum generator_kind kind;
        double density;
        uint64_t seed;
    } good[] = {
        {"@ones", GENERATE_ONES, 1, 0},
        {"@index", GENERATE_INDEX, 1, 0},
        {"@constant(2.5)", GENERATE_CONSTANT, 1, 0},
        {"@constant(-inf)", GENERATE_CONSTANT, 1, 0},
        {"@random", GENERATE_RANDOM, 1, 0},
        {"@random(42)", GENERATE_RANDOM, 1, 42},
        {"@random(18446744073709551615)", GENERATE_RANDOM, 1, UINT64_MAX},
        {"@sparse(0.25,0)", GENERATE_SPARSE, 0.25, 0},
        {"@sparse(1e-3, 7)", GENERATE_SPARSE, 1e-3, 7},
        {"@sparse(0,7)", GENERATE_SPARSE, 0, 7},
    };
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        struct generator g;
        struct rt_error error;
        if (generator_parse(good[i].text, TYPE_F64, &g, &error) != RT_OK)
            fail_msg("%s: %s", good[i].text, error.message);
        assert_true(g.kind == good[i].kind && g.density == good[i].density
                    && g.seed == good[i].seed);
    }
    static const char *const bad[] = {"",
                                      "ones",
                                      "@",
                                      "@one",
                                      "@onesx",
                                      "@ones()",
                                      "@ones(1)",
                                      "@random(",
                                      "@random()",
                                      "@random(x)",
                                      "@random(1,2)",
                                      "@random(1)x",
                                      "@random(1))",
                                      "@random((1)",
                                      "@random(-1)",
                                      "@random(1e3)",
                                      "@random(18446744073709551616)",
                                      "@sparse",
                                      "@sparse()",
                                      "@sparse(2,1)",
                                      "@sparse(-1,2)",
                                      "@sparse(nan,1)",
                                      "@constant",
                                      "@constant()",
                                      "@constant(x)",
                                      "@constant((1,2))",
                                      "@constant(1,2)",
                                      "@constant((1)",
                                      "@sparse(0.5,x)",
                                      "@sparse(0.5,1,2)",
                                      "@sparse(,1)",
                                      "@sparse(0.5,)",
                                      "@sparse(0.5,1,2,3,4)"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct generator g;
        struct rt_error error;
        if (generator_parse(bad[i], TYPE_F64, &g, &error) != RT_INPUT)
            fail_msg("%s is accepted", bad[i]);
        assert_int_equal(error.code, DIAG_SYNTAX);
    }
}

static struct tensor *generate(const char *text, const char *letters, const int *modes,
                               enum type type, const int64_t *dimension)
{
    struct hand_format hand;
    struct generator g;
    struct tensor *tensor = NULL;
    struct coords coords;
    struct rt_error error;
    enum rt_status status;
    const struct format *format = hand_format(&hand, letters, modes, TYPE_I64, TYPE_I64);
    assert_int_equal(generator_parse(text, type, &g, NULL), RT_OK);
    coords_init(&coords, format->order, dimension, type);
    if (generator_is_full(&g, format))
        status = generate_full(&g, format, type, dimension, value_zero(type), "A", &tensor, &error);
    else if ((status = generate_coords(&g, "A", &coords, &error)) == RT_OK)
        status = tensor_pack(&coords, format, value_zero(type), 0, "A", &tensor, &error);
    coords_free(&coords);
    if (status != RT_OK)
        fail_msg("%s: %s", text, error.message);
    assert_int_equal(tensor_validate(tensor, "A", &error), RT_OK);
    return tensor;
}

static void ones_and_index(void **state)
{
    (void)state;
    const int64_t dimension[] = {2, 3};
    struct tensor *ones = generate("@ones", "dd", NULL, TYPE_F32, dimension);
    for (int i = 0; i < 6; i++)
        assert_true(((float *)ones->vals)[i] == 1);
    tensor_free(ones);
    struct tensor *rows = generate("@index", "dd", NULL, TYPE_I16, dimension);
    struct tensor *columns = generate("@index", "ss", (const int[]){1, 0}, TYPE_I16, dimension);
    static const int16_t by_rows[] = {0, 1, 2, 3, 4, 5}, by_columns[] = {0, 3, 1, 4, 2, 5};
    assert_true(rows->nvals == 6 && columns->nvals == 6);
    assert_memory_equal(rows->vals, by_rows, sizeof by_rows);
    assert_memory_equal(columns->vals, by_columns, sizeof by_columns);
    tensor_free(rows);
    tensor_free(columns);
    struct tensor *scalar = generate("@index", "", NULL, TYPE_F64, NULL);
    assert_true(scalar->nvals == 1 && *(double *)scalar->vals == 0);
    tensor_free(scalar);
}

static void constants_have_the_tensors_type(void **state)
{
    (void)state;
    const int64_t dimension[] = {2, 3};
    struct tensor *dense = generate("@constant(2.5)", "dd", NULL, TYPE_F32, dimension);
    struct tensor *sparse = generate("@constant((1,-2))", "ss", NULL, TYPE_C64, dimension);
    struct tensor *scalar = generate("@constant(true)", "", NULL, TYPE_BOOL, NULL);
    assert_true(dense->nvals == 6 && sparse->nvals == 6 && scalar->nvals == 1
                && *(bool *)scalar->vals);
    for (int i = 0; i < 6; i++) {
        const float *pair = (const float *)sparse->vals + 2 * i;
        assert_true(((float *)dense->vals)[i] == 2.5f && pair[0] == 1 && pair[1] == -2);
    }
    tensor_free(dense);
    tensor_free(sparse);
    tensor_free(scalar);
    struct generator g;
    struct rt_error error;
    assert_int_equal(generator_parse("@constant(2.5)", TYPE_I8, &g, &error), RT_INPUT);
    assert_string_equal(error.message,
                        "'@constant(2.5)' is no recipe: it is not a value of type i8");
}

/* The values do not depend on the format, only on seed and type. */
static void random_values_are_in_range_and_the_same_everywhere(void **state)
{
    (void)state;
    const int64_t dimension[] = {40, 30};
    struct tensor *dense = generate("@random(5)", "dd", NULL, TYPE_F64, dimension);
    struct tensor *csr = generate("@random(5)", "ds", NULL, TYPE_F64, dimension);
    struct tensor *other = generate("@random(6)", "dd", NULL, TYPE_F64, dimension);
    const double *v = dense->vals;
    double sum = 0;
    for (int i = 0; i < 1200; i++) {
        assert_true(v[i] >= 0 && v[i] < 1);
        sum += v[i];
    }
    assert_true(sum > 500 && sum < 700);
    assert_memory_equal(dense->vals, csr->vals, 1200 * sizeof *v);
    assert_true(memcmp(dense->vals, other->vals, 1200 * sizeof *v) != 0);
    tensor_free(dense);
    tensor_free(csr);
    tensor_free(other);
    struct tensor *bytes = generate("@random(1)", "dd", NULL, TYPE_I8, dimension);
    struct tensor *bools = generate("@random(1)", "dd", NULL, TYPE_BOOL, dimension);
    struct tensor *complexes = generate("@random(1)", "dd", NULL, TYPE_C64, dimension);
    int seen = 0, unlike = 0;
    for (int i = 0; i < 1200; i++) {
        const float *parts = (float *)complexes->vals + 2 * i;
        assert_in_range(((int8_t *)bytes->vals)[i], 1, 9);
        seen |= 1 << ((int8_t *)bytes->vals)[i];
        assert_true(((bool *)bools->vals)[i]);
        assert_true(parts[0] >= 0 && parts[0] < 1 && parts[1] >= 0 && parts[1] < 1);
        unlike += parts[0] != parts[1];
    }
    assert_true(seen == 0x3fe && unlike > 1100);
    tensor_free(bytes);
    tensor_free(bools);
    tensor_free(complexes);
}

static void sparse_tensors_have_their_density(void **state)
{
    (void)state;
    const int64_t dimension[] = {1000, 1000};
    struct tensor *csr = generate("@sparse(0.01,3)", "ds", NULL, TYPE_F64, dimension);
    assert_in_range(csr->nvals, 9500, 10500);
    struct tensor *coo = generate("@sparse(0.01,3)", "uq", NULL, TYPE_F64, dimension);
    assert_int_equal(coo->nvals, csr->nvals);
    assert_memory_equal(coo->vals, csr->vals, (size_t)csr->nvals * sizeof(double));
    tensor_free(csr);
    tensor_free(coo);
    struct tensor *all = generate("@sparse(1,3)", "ss", NULL, TYPE_BOOL, (const int64_t[]){20, 20});
    assert_int_equal(all->nvals, 400);
    tensor_free(all);
    struct tensor *none = generate("@sparse(0,3)", "ss", NULL, TYPE_BOOL, dimension);
    assert_int_equal(none->nvals, 0);
    tensor_free(none);
    /* More components than 64 bits count. */
    const int64_t huge[] = {INT64_C(1) << 40, INT64_C(1) << 40};
    struct tensor *hypersparse = generate("@sparse(1e-20,3)", "ss", NULL, TYPE_F64, huge);
    assert_in_range(hypersparse->nvals, 11000, 13000);
    tensor_free(hypersparse);
}

static void what_is_too_large_is_refused(void **state)
{
    (void)state;
    struct coords coords;
    struct rt_error error;
    const int64_t huge[] = {INT64_MAX, INT64_MAX, INT64_MAX}, large[] = {1 << 30, 1 << 30, 1};
    struct generator g = {.kind = GENERATE_SPARSE, .density = 1e-30};
    coords_init(&coords, 3, huge, TYPE_F64);
    assert_int_equal(generate_coords(&g, "A", &coords, &error), RT_INPUT);
    assert_int_equal(error.code, DIAG_LIMIT);
    assert_string_equal(error.message, "A: the tensor has too many components to be generated");
    coords_free(&coords);
    g.kind = GENERATE_ONES;
    coords_init(&coords, 3, large, TYPE_F64);
    assert_int_equal(generate_coords(&g, "A", &coords, &error), RT_NO_MEMORY);
    coords_free(&coords);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(generators_are_parsed),
        cmocka_unit_test(ones_and_index),
        cmocka_unit_test(constants_have_the_tensors_type),
        cmocka_unit_test(random_values_are_in_range_and_the_same_everywhere),
        cmocka_unit_test(sparse_tensors_have_their_density),
        cmocka_unit_test(what_is_too_large_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
