/* test_generate.c - tensors that are made up.
 *
 * SPDX-License-Identifier: MIT
 */
#include "tests/runtime/support.h"

#include <math.h>
#include <stdio.h>

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
        {"@kronecker(3,100)", GENERATE_KRONECKER, 1, 3},
        {"@kronecker(3, 100; 0.5, 0.2, 0.2, 0.1)", GENERATE_KRONECKER, 1, 3},
        {"@powerlaw(4,100)", GENERATE_POWERLAW, 1, 4},
        {"@powerlaw(4,100,2)", GENERATE_POWERLAW, 1, 4},
        {"@powerlaw(4,100,0,2,0)", GENERATE_POWERLAW, 1, 4},
        {"@irrS4d", GENERATE_POWERLAW, 1, 0},
        {"@regM/100(5)", GENERATE_KRONECKER, 1, 5},
        {"@regM/2.5", GENERATE_KRONECKER, 1, 0},
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
                                      "@sparse(0.5,1,2,3,4)",
                                      "@sparse(0.5;1)",
                                      "@kronecker",
                                      "@kronecker(1)",
                                      "@kronecker(1,-5)",
                                      "@kronecker(1,1e3)",
                                      "@kronecker(1,9223372036854775808)",
                                      "@kronecker(1,5,0.5,0.5)",
                                      "@kronecker(1;5)",
                                      "@kronecker(1,5;0.5,0)",
                                      "@kronecker(1,5;0.5,inf)",
                                      "@kronecker(1,5;0.5;0.5)",
                                      "@kronecker(1,5;)",
                                      "@powerlaw(1)",
                                      "@powerlaw(1,5,-1)",
                                      "@powerlaw(1,5,nan)",
                                      "@powerlaw(1,5,1,-1)",
                                      "@powerlaw(1,5,1,2,2)",
                                      "@powerlaw(1,5,1,99)",
                                      "@powerlaw(1,5;1)",
                                      "@irrS4",
                                      "@irrS4d/",
                                      "@irrS4d/0",
                                      "@irrS4d/0.5",
                                      "@irrS4d/x",
                                      "@irrS4d(1,2)",
                                      "@irrS4d(x)",
                                      "@irrS4d/2()"};
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
    else if ((status = generate_coords(&g, 1, "A", &coords, &error)) == RT_OK)
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

/* ---- so many components, at places that are drawn ---- */

static struct coords draw(const char *text, int order, const int64_t *dimension, int threads)
{
    struct generator g;
    struct coords coords;
    struct rt_error error;
    assert_int_equal(generator_parse(text, TYPE_F64, &g, NULL), RT_OK);
    coords_init(&coords, order, dimension, TYPE_F64);
    if (generate_coords(&g, threads, "A", &coords, &error) != RT_OK)
        fail_msg("%s: %s", text, error.message);
    return coords;
}

/* All inside, none twice; as many as there are to be, the same on several threads. */
static void check_drawn(const char *text, int order, const int64_t *dimension, int64_t stored)
{
    struct rt_error error;
    struct coords one = draw(text, order, dimension, 1), four = draw(text, order, dimension, 4);
    assert_true(one.n == stored && four.n == stored);
    assert_memory_equal(one.vals, four.vals, (size_t)stored * sizeof(double));
    for (int m = 0; m < order; m++)
        assert_memory_equal(one.coordinate[m], four.coordinate[m],
                            (size_t)stored * sizeof(int64_t));
    coords_free(&four);
    assert_int_equal(coords_check(&one, 1, "A", &error), RT_OK);
    assert_int_equal(coords_sort(&one, 1, &error), RT_OK);
    for (int64_t e = 1; e < stored; e++) {
        bool is_same = true;
        for (int m = 0; m < order; m++)
            is_same &= coords_at(&one, m, e) == coords_at(&one, m, e - 1);
        if (is_same)
            fail_msg("%s: a place is there twice", text);
    }
    coords_free(&one);
}

static void places_are_drawn_once(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int order;
        int64_t dimension[6], stored;
    } drawn[] = {
        {"@kronecker(1,1000)", 1, {5000}, 1000},
        {"@kronecker(1,20000)", 2, {300, 1000}, 20000},
        {"@kronecker(1,100000)", 3, {1000, 1000, 7}, 100000},
        {"@kronecker(1,70000)", 4, {100, 1, 100, 100}, 70000},
        {"@kronecker(1,500;9,1,1,1,1,1,1,1,1)", 2, {100, 81}, 500},
        {"@kronecker(1,300;1,8)", 1, {1000}, 300},
        {"@kronecker(1,1;3)", 0, {0}, 1},
        {"@powerlaw(1,20000)", 2, {3000, 1000}, 20000},
        {"@powerlaw(1,100000,1)", 3, {1000, 1000, 20}, 100000},
        {"@powerlaw(1,1000,3)", 3, {INT64_C(1) << 50, INT64_C(1) << 50, 3}, 1000},
        {"@powerlaw(1,200000,0)", 5, {20, 30, 40, 50, 6}, 200000},
        {"@powerlaw(1,5,9)", 1, {5}, 5},
        {"@powerlaw(1,0)", 2, {0, 5}, 0},
        /* Every place. */
        {"@kronecker(1,700)", 2, {10, 70}, 700},
        {"@powerlaw(1,700,4)", 2, {10, 70}, 700},
        {"@kronecker(1,64;1,1000)", 1, {64}, 64},
    };
    for (size_t d = 0; d < sizeof drawn / sizeof *drawn; d++)
        check_drawn(drawn[d].text, drawn[d].order, drawn[d].dimension, drawn[d].stored);
}

/* What is published, and a part of it. */
static void presets_have_their_sizes(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        int order;
        double density;
        int64_t stored;
    } published[] = {
        {"@regS", 3, 3.72e-9, 1100000},      {"@regM", 3, 9.97e-12, 11500000},
        {"@regL", 3, 1.61e-13, 94000000},    {"@irrS", 3, 1.26e-5, 1000000},
        {"@irrL", 3, 2.86e-8, 84000000},     {"@regS4d", 4, 2.26e-10, 1000000},
        {"@regM4d", 4, 5.83e-19, 11200000},  {"@regL4d", 4, 2.23e-20, 110000000},
        {"@irrS4d", 4, 2.90e-9, 1000000},    {"@irrM4d", 4, 4.17e-12, 10800000},
        {"@irrL4d", 4, 6.0e-15, 100000000},  {"@irr2S4d", 4, 2.81e-11, 1600000},
        {"@irr2M4d", 4, 6.53e-12, 19900000}, {"@irr2L4d", 4, 5.1e-12, 109000000},
        {"@irrM", 3, 2.9e-7, 10000000}, /* of its sizes: the density beside them is another */
    };
    for (size_t p = 0; p < sizeof published / sizeof *published; p++) {
        struct generator g;
        int64_t dimension[ORDER_MAX];
        char part[32];
        double places = 1;
        assert_int_equal(generator_sizes(published[p].name, ORDER_MAX, dimension),
                         published[p].order);
        for (int m = 0; m < published[p].order; m++)
            places *= (double)dimension[m];
        assert_int_equal(generator_parse(published[p].name, TYPE_F64, &g, NULL), RT_OK);
        assert_int_equal(g.stored, published[p].stored);
        assert_true(fabs((double)g.stored / places / published[p].density - 1) < 0.06);
        snprintf(part, sizeof part, "%s/1000", published[p].name);
        check_drawn(part, published[p].order, dimension, published[p].stored / 1000);
    }
    assert_int_equal(generator_sizes("@random", ORDER_MAX, NULL), 0);
    assert_int_equal(generator_sizes("@irrS", 0, NULL), 3);
}

/* How many components each coordinate of a mode has. */
static int *count_in_mode(const struct coords *coords, int mode)
{
    int *count = calloc((size_t)coords->dimension[mode], sizeof *count);
    assert_non_null(count);
    for (int64_t e = 0; e < coords->n; e++)
        count[coords->coordinate[mode][e]]++;
    return count;
}

/* The exponent that likelihood gives best (Clauset, Shalizi and Newman, 2009) to the coordinates
 * from `least` on, of which few are at places that are taken. */
static double fitted_exponent(const struct coords *coords, int64_t least)
{
    double sum = 0;
    int64_t n = 0;
    for (int64_t e = 0; e < coords->n; e++)
        if (coords->coordinate[0][e] >= least) {
            sum += log(((double)coords->coordinate[0][e] + 1.5) / ((double)least + 1));
            n++;
        }
    return 1 + (double)n / sum;
}

/* Short modes are full, and the others fall as the exponent says, for any seed. */
static void power_laws_have_their_exponent(void **state)
{
    (void)state;
    static const int64_t dimension[] = {INT64_C(1) << 40, INT64_C(1) << 40, 90};
    static const double exponents[] = {1.5, 2};
    for (int k = 0; k < 2; k++)
        for (int seed = 0; seed < 5; seed++) {
            char text[64];
            snprintf(text, sizeof text, "@powerlaw(%d,50000,%g)", seed, exponents[k]);
            struct coords coords = draw(text, 3, dimension, 1);
            double fitted = fitted_exponent(&coords, 200);
            if (fabs(fitted / exponents[k] - 1) >= 0.1)
                fail_msg("%s has the exponent %g", text, fitted);
            int *count = count_in_mode(&coords, 2);
            for (int c = 0; c < 90; c++)
                assert_in_range(count[c], 400, 750);
            free(count);
            coords_free(&coords);
        }
    /* As few as there are coordinates, and at places that are taken again and again. */
    struct coords few = draw("@powerlaw(3,90,4,2)", 3, (const int64_t[]){9, 9, 90}, 1);
    int *count = count_in_mode(&few, 2);
    for (int c = 0; c < 90; c++)
        assert_int_equal(count[c], 1);
    free(count);
    coords_free(&few);
}

/* The first digits of coordinates are cells of the initiator, as often as it says; what is outside
 * is left out. */
static void kronecker_graphs_have_their_initiator(void **state)
{
    (void)state;
    static const double cell[] = {0.4, 0.3, 0.2, 0.1};
    const int64_t side = INT64_C(1) << 40;
    struct coords coords = draw("@kronecker(1,20000;4,3,2,1)", 2, (const int64_t[]){side, side}, 2);
    double seen[4] = {0};
    for (int64_t e = 0; e < coords.n; e++)
        seen[2 * (coords.coordinate[0][e] >= side / 2) + (coords.coordinate[1][e] >= side / 2)] +=
            1.0 / 20000;
    for (int c = 0; c < 4; c++)
        assert_true(fabs(seen[c] - cell[c]) < 0.02);
    coords_free(&coords);
    coords = draw("@kronecker(1,20000;4,3,2,1)", 2, (const int64_t[]){side / 2 + 1, 4}, 2);
    double low = 0;
    for (int64_t e = 0; e < coords.n; e++)
        low += coords.coordinate[1][e] < 2;
    assert_true(fabs(low / 20000 - 0.6) < 0.02);
    coords_free(&coords);
}

static void refuse(const char *text, int order, const int64_t *dimension, enum rt_status expected,
                   const char *message)
{
    struct generator g;
    struct coords coords;
    struct rt_error error;
    assert_int_equal(generator_parse(text, TYPE_F64, &g, NULL), RT_OK);
    coords_init(&coords, order, dimension, TYPE_F64);
    assert_int_equal(generate_coords(&g, 1, "A", &coords, &error), expected);
    if (!strstr(error.message, message))
        fail_msg("%s: %s", text, error.message);
    assert_true(coords.n == 0 && !coords.coordinate[0]);
    coords_free(&coords);
}

static void what_does_not_fit_is_refused(void **state)
{
    (void)state;
    static const int64_t small[] = {10, 10}, none[] = {0, 10}, ones[] = {1, 1, 1, 1, 1, 1, 1, 1, 1},
                         huge[] = {INT64_C(1) << 40, INT64_C(1) << 40};
    static const char *const many[] = {"@kronecker(1,101)", "@powerlaw(1,101)"};
    for (int k = 0; k < 2; k++) {
        refuse(many[k], 2, small, RT_INPUT,
               "A: 101 components are to be stored, and its sizes have 100 places");
        refuse(many[k], 2, none, RT_INPUT, "its sizes have 0 places");
    }
    refuse("@kronecker(1,1000000000000000)", 2, huge, RT_NO_MEMORY, "A: its components take ");
    refuse("@powerlaw(1,9223372036854775807)", 2, huge, RT_NO_MEMORY, "A: its components take ");
    refuse("@kronecker(1,1)", 9, ones, RT_INPUT, "at most 8 modes, not 9");
    refuse("@kronecker(1,1;1,2,3)", 2, small, RT_INPUT,
           "has 3 probabilities; a tensor of 2 modes takes 4");
    refuse("@powerlaw(1,1,1,2)", 2, small, RT_INPUT, "names mode 2, but modes are from 0 to 1");
}

static void what_is_too_large_is_refused(void **state)
{
    (void)state;
    struct coords coords;
    struct rt_error error;
    const int64_t huge[] = {INT64_MAX, INT64_MAX, INT64_MAX}, large[] = {1 << 30, 1 << 30, 1};
    struct generator g = {.kind = GENERATE_SPARSE, .density = 1e-30};
    coords_init(&coords, 3, huge, TYPE_F64);
    assert_int_equal(generate_coords(&g, 1, "A", &coords, &error), RT_INPUT);
    assert_int_equal(error.code, DIAG_LIMIT);
    assert_string_equal(error.message, "A: the tensor has too many components to be generated");
    coords_free(&coords);
    g.kind = GENERATE_ONES;
    coords_init(&coords, 3, large, TYPE_F64);
    assert_int_equal(generate_coords(&g, 1, "A", &coords, &error), RT_NO_MEMORY);
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
        cmocka_unit_test(places_are_drawn_once),
        cmocka_unit_test(presets_have_their_sizes),
        cmocka_unit_test(power_laws_have_their_exponent),
        cmocka_unit_test(kronecker_graphs_have_their_initiator),
        cmocka_unit_test(what_does_not_fit_is_refused),
        cmocka_unit_test(what_is_too_large_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
