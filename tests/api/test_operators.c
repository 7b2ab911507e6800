/* test_operators.c - operators of the user's own through the C API: twins of those of the language
 * give what these give, in loops, formats and types of all kinds; and what is said about wrong
 * ones.
 *
 * SPDX-License-Identifier: MIT
 */
#include "tests/api/support.h"

#include <math.h>

enum { SIZE = 5, COMPONENTS = SIZE * SIZE };

static const int64_t size[] = {SIZE, SIZE};

/* ---- twins ---- */

/* An operator of the user's called f, and the reduction and the call of the language that do the
 * same. */
struct twin {
    const char *text, *reduction, *call, *assign;
};

static const struct twin twins[] = {
    {"f(x,y) = x + y; commutative, associative, identity=0", "sum", "(%s) + (%s)", "+="},
    {"f(x,y) = y * x; commutative, associative, identity=1; annihilator=0", "prod", "(%s) * (%s)",
     "*="},
    {"f(x,y) = x > y ? x : y; commutative, associative, idempotent, identity=-inf", "max",
     "max(%s, %s)", "max="},
    {"f(x,y) = fmin(x, y); associative, commutative, identity=inf, annihilator=-inf", "min",
     "min(%s, %s)", "min="},
};

/* Statements with f, from what the twin's row says. */
static const struct {
    const char *of_twin;
    bool reduces;
    const char *before, *a, *b, *after;
} statements[] = {
    {"C(i,j) = f(A(i,j), B(i,j))", false, "C(i,j) = ", "A(i,j)", "B(i,j)", ""},
    {"C(i,j) = f(A(i,j), B(j,i))", false, "C(i,j) = ", "A(i,j)", "B(j,i)", ""},
    {"C(i,j) = f(A(i,j) * 2, B(i,j) + 1)", false, "C(i,j) = ", "A(i,j) * 2", "B(i,j) + 1", ""},
    {"C(i,j) = A(i,j) * f(A(j,i), B(i,j))", false, "C(i,j) = A(i,j) * (", "A(j,i)", "B(i,j)", ")"},
    {"C(i,j) = f(k, A(i,k) + B(k,j))", true, "C(i,j) = ", "k", "A(i,k) + B(k,j)", ""},
    {"C(i,j) = f(k, A(i,k) * B(k,j))", true, "C(i,j) = ", "k", "A(i,k) * B(k,j)", ""},
    {"C(i,j) = f(k, A(k,i)) * B(i,j)", true, "C(i,j) = ", "k", "A(k,i)", " * B(i,j)"},
    {"C(i,j) = B(i,j) + f(k, A(i,k) * A(j,k))", true, "C(i,j) = B(i,j) + ", "k", "A(i,k) * A(j,k)",
     ""},
};

/* About a third of the components. */
static double component(int which, int i, int j)
{
    int hash = (i * 37 + j * 101 + i * j * 13 + which * 7) % 17;
    return hash > 6 ? NAN : hash - 3;
}

/* A matrix of i32 or f64. */
static spcc_tensor *matrix(spcc_context *context, int which, const char *format, spcc_type type,
                           const char *fill)
{
    int64_t at[2 * COMPONENTS], n = 0;
    double reals[COMPONENTS];
    int32_t integers[COMPONENTS];
    spcc_tensor_options options = {.size = sizeof options, .fill = fill};
    spcc_tensor *tensor;
    for (int i = 0; i < SIZE; i++) {
        for (int j = 0; j < SIZE; j++) {
            if (isnan(component(which, i, j)))
                continue;
            at[2 * n] = i;
            at[2 * n + 1] = j;
            reals[n] = component(which, i, j);
            integers[n] = (int32_t)reals[n];
            n++;
        }
    }
    const void *values = type == SPCC_F64 ? (const void *)reals : integers;
    expect(
        context, SPCC_OK,
        spcc_tensor_from_coords(context, format, type, 2, size, n, at, values, &options, &tensor));
    return tensor;
}

static void read_dense(const spcc_tensor *tensor, double fill, double *dense)
{
    size_t most = (size_t)spcc_tensor_stored(tensor) + 1;
    int64_t *at = malloc(2 * most * sizeof *at);
    double *reals = malloc(most * sizeof *reals);
    const int32_t *integers = (const int32_t *)reals;
    assert_true(at && reals);
    int64_t n = spcc_tensor_unpack(tensor, at, reals);
    for (int k = 0; k < COMPONENTS; k++)
        dense[k] = fill;
    for (int64_t k = 0; k < n; k++)
        dense[at[2 * k] * SIZE + at[2 * k + 1]] =
            spcc_tensor_type(tensor) == SPCC_F64 ? reals[k] : integers[k];
    free(at);
    free(reals);
}

struct trial {
    spcc_context *context;
    const char *const *operators;
    const char *format, *fill;
    spcc_type type;
    const spcc_tensor *A, *B;
};

/* What the statement gives. */
static void run(const struct trial *t, const char *statement, double *dense)
{
    const spcc_declaration declarations[] = {
        {.name = "A", .tensor = t->A},
        {.name = "B", .tensor = t->B},
        {.name = "C", .format = t->format, .type = spcc_type_name(t->type), .fill = t->fill},
    };
    spcc_compile_options options = {.size = sizeof options,
                                    .declarations = declarations,
                                    .n_declarations = 3,
                                    .operators = t->operators,
                                    .n_operators = t->operators ? 1 : 0};
    spcc_tensor_options made = {.size = sizeof made, .fill = t->fill};
    spcc_kernel *kernel;
    spcc_tensor *C;
    expect(t->context, SPCC_OK, spcc_compile(t->context, statement, &options, &kernel));
    expect(t->context, SPCC_OK,
           spcc_tensor_new(t->context, t->format, t->type, 2, size, &made, &C));
    const spcc_tensor *const tensors[] = {C, t->A, t->B};
    spcc_tensor *all[3];
    for (int k = 0; k < spcc_kernel_tensors(kernel); k++)
        all[k] = (spcc_tensor *)tensors[(spcc_kernel_tensor_name(kernel, k)[0] - 'A' + 1) % 3];
    expect(t->context, SPCC_OK,
           spcc_run_array(t->context, kernel, all, spcc_kernel_tensors(kernel)));
    read_dense(C, strtod(t->fill, NULL), dense);
    spcc_tensor_free(C);
    spcc_kernel_free(kernel);
}

/* The statement without f. */
static void spell(char *out, size_t n, const struct twin *twin, size_t s)
{
    char part[128];
    if (statements[s].reduces)
        snprintf(part, sizeof part, "%s(%s, %s)", twin->reduction, statements[s].a,
                 statements[s].b);
    else
        snprintf(part, sizeof part, twin->call, statements[s].a, statements[s].b);
    snprintf(out, n, "%s%s%s", statements[s].before, part, statements[s].after);
}

static void compare(struct trial *t, const struct twin *twin)
{
    for (size_t s = 0; s < sizeof statements / sizeof *statements; s++) {
        char statement[256];
        double with[COMPONENTS], without[COMPONENTS];
        spell(statement, sizeof statement, twin, s);
        t->operators = &twin->text;
        run(t, statements[s].of_twin, with);
        t->operators = NULL;
        run(t, statement, without);
        for (int k = 0; k < COMPONENTS; k++)
            /* where -inf * 0 or inf - inf is in it there is no certain value: x > y ? x : y forgets
             * it, max does not, and an infinity may be taken for the annihilator that it is */
            if (with[k] != without[k] && !isnan(without[k]) && !isnan(with[k]))
                fail_msg("%s into %s, fill %s: component %d is %g, of %s it is %g (%s)",
                         statements[s].of_twin, t->format, t->fill, k, with[k], statement,
                         without[k], twin->text);
    }
}

static void twins_give_the_same(void **state)
{
    static const char *const formats[] = {"dense", "csr", "csc", "coo"};
    static const char *const results[] = {"dense", "csr", "coo:1,0", "hash"};
    static const char *const fills[] = {"0", "0", "-inf", "inf"};
    enum { FORMATS = sizeof formats / sizeof *formats, RESULTS = sizeof results / sizeof *results };
    for (size_t w = 0; w < sizeof twins / sizeof *twins; w++) {
        for (int f = 0; f < FORMATS * 2; f++) {
            bool filled = f >= FORMATS && strcmp(fills[w], "0") != 0;
            spcc_type type = f >= FORMATS && !filled ? SPCC_I32 : SPCC_F64;
            const char *fill = filled ? fills[w] : "0";
            struct trial t = {.context = *state, .fill = fill, .type = type};
            spcc_tensor *A = matrix(*state, 0, formats[f % FORMATS], type, fill);
            spcc_tensor *B = matrix(*state, 1, formats[(f + 1) % FORMATS], type, fill);
            t.A = A;
            t.B = B;
            t.format = results[(f + (int)w) % RESULTS];
            compare(&t, &twins[w]);
            spcc_tensor_free(A);
            spcc_tensor_free(B);
        }
    }
}

static void twins_assign_the_same(void **state)
{
    static const double start[] = {5, -1, 2, 0, 1}, values[] = {1, -2, 3, 7, 0};
    for (size_t w = 0; w < sizeof twins / sizeof *twins; w++) {
        double result[2][5];
        for (int k = 0; k < 2; k++) {
            char statement[64];
            spcc_tensor *x = dense_vector(*state, 5, values), *y = dense_vector(*state, 5, start);
            spcc_compile_options options = {
                .size = sizeof options, .operators = &twins[w].text, .n_operators = 1};
            spcc_kernel *kernel;
            snprintf(statement, sizeof statement, "y(i) %s 2 * x(i)", k ? twins[w].assign : "f=");
            expect(*state, SPCC_OK, spcc_compile(*state, statement, &options, &kernel));
            expect(*state, SPCC_OK, spcc_run(*state, kernel, y, x));
            memcpy(result[k], spcc_tensor_values(y), sizeof result[k]);
            spcc_kernel_free(kernel);
            spcc_tensor_free(x);
            spcc_tensor_free(y);
        }
        assert_memory_equal(result[0], result[1], sizeof result[0]);
    }
}

/* ---- requests ---- */

/* Kernels are remembered by their operators, too. */
static void other_texts_are_other_kernels(void **state)
{
    static const char *const texts[] = {"f(x) = x + 1", "f(x) = x + 2"};
    static const double values[] = {1, 2};
    for (int k = 0; k < 2; k++) {
        spcc_tensor *x = dense_vector(*state, 2, values), *y = empty(*state, NULL, 1);
        spcc_compile_options options = {
            .size = sizeof options, .operators = &texts[k], .n_operators = 1};
        spcc_kernel *kernel;
        expect(*state, SPCC_OK, spcc_compile(*state, "y(i) = f(x(i))", &options, &kernel));
        expect(*state, SPCC_OK, spcc_run(*state, kernel, y, x));
        assert_true(((const double *)spcc_tensor_values(y))[0] == 2 + k);
        spcc_kernel_free(kernel);
        spcc_tensor_free(x);
        spcc_tensor_free(y);
    }
}

static void wrong_operators(void **state)
{
    static const char *const wrong[] = {"f(x) = x +", "f(x,y) = x - y; commutative", NULL};
    spcc_compile_options options = {.size = sizeof options, .operators = wrong, .n_operators = 1};
    spcc_statement *statement;
    spcc_kernel *kernel;
    expect(*state, SPCC_ERROR_STATEMENT, spcc_compile(*state, "y(i) = f(x(i))", &options, &kernel));
    expect_message(*state, "  f(x) = x +\n            ^");
    assert_string_equal(spcc_diagnostic_get(*state, 0)->source, "operator");
    expect(*state, SPCC_ERROR_STATEMENT,
           spcc_statement_parse_with(*state, "y(i) = f(x(i))", &options, &statement));
    options.operators = wrong + 1;
    expect(*state, SPCC_OK,
           spcc_statement_parse_with(*state, "y(i) = f(x(i), z)", &options, &statement));
    assert_int_equal(spcc_statement_tensors(statement), 3);
    spcc_statement_free(statement);
    expect(*state, SPCC_ERROR_STATEMENT,
           spcc_compile(*state, "y(i) = f(x(i), z)", &options, &kernel));
    expect_message(*state, "f is not commutative");
    options.operators = wrong + 2;
    expect(*state, SPCC_ERROR_ARGUMENT, spcc_compile(*state, "y(i) = f(x(i))", &options, &kernel));
    options.operators = NULL;
    expect(*state, SPCC_ERROR_ARGUMENT, spcc_compile(*state, "y(i) = f(x(i))", &options, &kernel));
    expect_message(*state, "operators and n_operators");
}

int main(int argc, char **argv)
{
    engine = engine_of(argc, argv);
    const struct CMUnitTest tests[] = {
        TEST(twins_give_the_same),
        TEST(twins_assign_the_same),
        TEST(other_texts_are_other_kernels),
        TEST(wrong_operators),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
