/* test_mistakes.c - calls as they are wrong by a slip: each is answered with a status and a
 * sentence, and touches no memory that it was not given.
 *
 * What reads too far the sanitizer builds tell.
 *
 * SPDX-License-Identifier: MIT
 */
#include "tests/api/support.h"

static const double numbers[] = {1, 2, 3, 4};

static const spcc_declaration csr_operand[] = {{.name = "A", .format = "csr"}};
static const spcc_declaration all_csr[] = {
    {.name = "C", .format = "csr"}, {.name = "A", .format = "csr"}, {.name = "B", .format = "csr"}};
static const char sum[] = "C(i,j) = A(i,j) + B(i,j)";

static spcc_kernel *compile(spcc_context *cx, const char *statement,
                            const spcc_declaration *declarations, int n, spcc_kind kind,
                            const char *schedule)
{
    spcc_compile_options options = {.size = sizeof options,
                                    .declarations = declarations,
                                    .n_declarations = n,
                                    .kind = kind,
                                    .schedule = schedule};
    spcc_kernel *kernel;
    expect(cx, SPCC_OK, spcc_compile(cx, statement, &options, &kernel));
    return kernel;
}

/* ---- one pattern ---- */

static void patterns_that_differ(void **state)
{
    spcc_context *cx = *state;
    const char *same[] = {"A, B"}, *one[] = {"A"}, *unknown[] = {"A,Q"}, *none[] = {NULL};
    spcc_compile_options options = {.size = sizeof options,
                                    .declarations = all_csr,
                                    .n_declarations = 3,
                                    .same = same,
                                    .n_same = 1};
    spcc_kernel *add, *other;
    expect(cx, SPCC_OK, spcc_compile(cx, sum, &options, &add));
    spcc_tensor *A = sample(cx, "csr"), *B = sample(cx, "csr"), *C = empty(cx, "csr", 2);
    expect(cx, SPCC_OK, spcc_run(cx, add, C, A, B));
    expect(cx, SPCC_OK, spcc_run(cx, add, C, A, A));
    options.same = one;
    expect(cx, SPCC_ERROR_STATEMENT, spcc_compile(cx, sum, &options, &other));
    expect_message(cx, "two tensors or more");
    options.same = unknown;
    expect(cx, SPCC_ERROR_STATEMENT, spcc_compile(cx, sum, &options, &other));
    expect_message(cx, "is called Q");
    options.same = none;
    expect(cx, SPCC_ERROR_ARGUMENT, spcc_compile(cx, sum, &options, &other));
    options.same = NULL;
    expect(cx, SPCC_ERROR_ARGUMENT, spcc_compile(cx, sum, &options, &other));
    expect_message(cx, "same and n_same");
    spcc_tensor_free(A);
    spcc_tensor_free(B);
    spcc_tensor_free(C);
    spcc_kernel_free(add);
}

/* ---- spcc_run counts ---- */

static void wrong_number_of_tensors(void **state)
{
    spcc_context *cx = *state;
    spcc_kernel *spmv = compile(cx, "y(i) = A(i,j) * x(j)", csr_operand, 1, SPCC_FUSED, NULL);
    spcc_tensor *A = sample(cx, "csr"), *x = dense_vector(cx, 4, numbers), *y = empty(cx, NULL, 1);
    expect(cx, SPCC_ERROR_ARGUMENT, spcc_run(cx, spmv, y, A));
    expect_message(cx, "takes 3 tensors (y, A, x) and is given 2: there is none for x");
    expect(cx, SPCC_ERROR_ARGUMENT, spcc_run(cx, spmv, y));
    expect_message(cx, "is given 1: there is none for A, x");
    expect(cx, SPCC_ERROR_ARGUMENT, spcc_run(cx, spmv, y, A, x, x));
    expect_message(cx, "takes 3 tensors (y, A, x) and is given 4\n");
    expect(cx, SPCC_ERROR_ARGUMENT, spcc_run(cx, spmv, y, NULL, x));
    expect_message(cx, "there is no tensor for A");
    expect(cx, SPCC_ERROR_ARGUMENT, spcc_run(cx, NULL, y, A, x));
    expect_message(cx, "there is no kernel");
    assert_int_equal(spcc_run(NULL, spmv, y, A, x), SPCC_ERROR_ARGUMENT);
    expect(cx, SPCC_ERROR_ARGUMENT, spcc_run_array(cx, spmv, NULL, 3));
    expect_message(cx, "is given 0: there is none for y, A, x");
    expect(cx, SPCC_ERROR_ARGUMENT, spcc_run_array(cx, spmv, &y, -1));
    expect(cx, SPCC_OK, spcc_run(cx, spmv, y, A, x));
    assert_int_equal(spcc_kernel_traffic(spmv, NULL, 3), -1);
    assert_int_equal(spcc_kernel_traffic(spmv, &y, 1), -1);
    spcc_tensor_free(A);
    spcc_tensor_free(x);
    spcc_tensor_free(y);
    spcc_kernel_free(spmv);
}

/* ---- patterns are computed into by who assembled them ---- */

/* as many in each row as the sample has */
static const int64_t other_coordinates[] = {0, 0, 0, 1, 2, 0};

static void operands_of_the_same_lengths(void **state)
{
    spcc_context *cx = *state;
    spcc_kernel *add = compile(cx, sum, all_csr, 3, SPCC_SPLIT, NULL);
    spcc_tensor *A = sample(cx, "csr"), *same = sample(cx, "csr"), *C = empty(cx, "csr", 2), *other;
    expect(cx, SPCC_OK,
           spcc_tensor_from_coords(cx, "csr", SPCC_F64, 2, sample_size, 3, other_coordinates,
                                   sample_values, NULL, &other));
    assert_int_equal(spcc_tensor_bytes(A), spcc_tensor_bytes(other));
    expect(cx, SPCC_OK, spcc_assemble(cx, add, (spcc_tensor *[]){C, A, A}, 3));
    expect(cx, SPCC_ERROR_BINDING, spcc_compute(cx, add, (spcc_tensor *[]){C, A, other}, 3));
    expect_message(cx, "spcc_assemble");
    expect(cx, SPCC_OK, spcc_compute(cx, add, (spcc_tensor *[]){C, A, same}, 3));
    expect(cx, SPCC_OK, spcc_assemble(cx, add, (spcc_tensor *[]){C, A, other}, 3));
    expect(cx, SPCC_OK, spcc_compute(cx, add, (spcc_tensor *[]){C, A, other}, 3));
    spcc_tensor_free(A);
    spcc_tensor_free(same);
    spcc_tensor_free(other);
    spcc_tensor_free(C);
    spcc_kernel_free(add);
}

/* An operand that was a result since has another pattern than it had. */
static void operands_that_were_results(void **state)
{
    spcc_context *cx = *state;
    spcc_kernel *add = compile(cx, sum, all_csr, 3, SPCC_SPLIT, NULL);
    spcc_tensor *A = sample(cx, "csr"), *B = sample(cx, "csr"), *C = empty(cx, "csr", 2),
                *D = empty(cx, "csr", 2), *other;
    expect(cx, SPCC_OK,
           spcc_tensor_from_coords(cx, "csr", SPCC_F64, 2, sample_size, 3, other_coordinates,
                                   sample_values, NULL, &other));
    expect(cx, SPCC_OK, spcc_run(cx, add, D, A, A));
    expect(cx, SPCC_OK, spcc_assemble(cx, add, (spcc_tensor *[]){C, D, B}, 3));
    expect(cx, SPCC_OK, spcc_run(cx, add, D, other, other));
    expect(cx, SPCC_ERROR_BINDING, spcc_compute(cx, add, (spcc_tensor *[]){C, D, B}, 3));
    spcc_tensor *all[] = {A, B, C, D, other};
    for (int t = 0; t < 5; t++)
        spcc_tensor_free(all[t]);
    spcc_kernel_free(add);
}

/* What one schedule has assembled another computes into; other statements have other patterns. */
static void patterns_of_other_kernels(void **state)
{
    static const char product[] = "C(i,j) = A(i,k) * B(k,j)";
    spcc_context *cx = *state;
    const spcc_declaration declarations[] = {{.name = "C", .format = "coo"},
                                             {.name = "A", .format = "csr"},
                                             {.name = "B", .format = "csr"}};
    spcc_kernel *split = compile(cx, product, declarations, 3, SPCC_SPLIT, NULL);
    spcc_kernel *again = compile(cx, product, declarations, 3, SPCC_COMPUTE, NULL);
    spcc_kernel *other = compile(cx, product, declarations, 3, SPCC_COMPUTE, "collect(C, w)");
    spcc_kernel *both = compile(cx, product, declarations, 3, SPCC_FUSED, NULL);
    spcc_kernel *by_elements =
        compile(cx, "C(i,j) = A(i,j) * B(i,j)", declarations, 3, SPCC_COMPUTE, NULL);
    static const int64_t size[] = {4, 4};
    spcc_tensor *A, *C = empty(cx, "coo", 2);
    expect(cx, SPCC_OK,
           spcc_tensor_generate(cx, "@sparse(0.4,1)", "csr", SPCC_F64, 2, size, NULL, &A));
    spcc_tensor *const tensors[] = {C, A, A};
    expect(cx, SPCC_OK, spcc_assemble(cx, split, tensors, 3));
    expect(cx, SPCC_ERROR_BINDING, spcc_compute(cx, by_elements, tensors, 3));
    expect(cx, SPCC_OK, spcc_compute(cx, other, tensors, 3));
    double values[16];
    size_t n = (size_t)spcc_tensor_stored(C);
    assert_true(n > 0 && n <= 16);
    memcpy(values, spcc_tensor_values(C), n * sizeof *values);
    expect(cx, SPCC_OK, spcc_compute(cx, again, tensors, 3));
    assert_memory_equal(values, spcc_tensor_values(C), n * sizeof *values);
    expect(cx, SPCC_OK, spcc_run_array(cx, both, tensors, 3));
    assert_memory_equal(values, spcc_tensor_values(C), n * sizeof *values);
    expect(cx, SPCC_ERROR_BINDING, spcc_compute(cx, split, tensors, 3));
    spcc_kernel_free(by_elements);
    spcc_tensor_free(A);
    spcc_tensor_free(C);
    spcc_kernel_free(split);
    spcc_kernel_free(again);
    spcc_kernel_free(other);
    spcc_kernel_free(both);
}

/* A pattern that the user answers for need not be the statement's: what it has beyond that gets the
 * fill, and what it lacks is left out. */
static void pattern_of_the_users(void **state)
{
    static const int32_t pos[] = {0, 2, 2, 3}, crd[] = {0, 2, 3};
    static const spcc_array arrays[] = {{pos, 4}, {crd, 3}};
    static const spcc_tensor_options options = {
        .size = sizeof options, .trusted = true, .writable = true};
    double values[] = {77, 77, 77};
    spcc_context *cx = *state;
    spcc_kernel *add = compile(cx, sum, all_csr, 3, SPCC_COMPUTE, NULL);
    spcc_tensor *A = sample(cx, "csr"), *C;
    expect(cx, SPCC_OK,
           spcc_tensor_borrow(cx, "csr", SPCC_F64, 2, sample_size, arrays, 2, values, 3, &options,
                              &C));
    expect(cx, SPCC_OK, spcc_compute(cx, add, (spcc_tensor *[]){C, A, A}, 3));
    assert_true(values[0] == 0 && values[1] == 10 && values[2] == 2);
    spcc_tensor_free(A);
    spcc_tensor_free(C);
    spcc_kernel_free(add);
}

/* Where it has to be an operand's it is compared with that. */
static void pattern_of_an_operand(void **state)
{
    static const int32_t pos[] = {0, 1, 1, 3}, crd[] = {2, 0, 3}, others[] = {2, 1, 3};
    static const spcc_array same[] = {{pos, 4}, {crd, 3}}, other[] = {{pos, 4}, {others, 3}};
    static const spcc_tensor_options options = {
        .size = sizeof options, .trusted = true, .writable = true};
    double values[] = {77, 77, 77};
    spcc_context *cx = *state;
    spcc_kernel *scale = compile(cx, "C(i,j) = 2 * A(i,j)", all_csr, 2, SPCC_SPLIT, NULL);
    spcc_tensor *A = sample(cx, "csr"), *C, *D, *E = empty(cx, "csr", 2);
    expect(
        cx, SPCC_OK,
        spcc_tensor_borrow(cx, "csr", SPCC_F64, 2, sample_size, same, 2, values, 3, &options, &C));
    expect(
        cx, SPCC_OK,
        spcc_tensor_borrow(cx, "csr", SPCC_F64, 2, sample_size, other, 2, values, 3, &options, &D));
    expect(cx, SPCC_ERROR_BINDING, spcc_compute(cx, scale, (spcc_tensor *[]){D, A}, 2));
    expect_message(cx, "C has another pattern than A");
    assert_true(values[0] == 77);
    expect(cx, SPCC_OK, spcc_compute(cx, scale, (spcc_tensor *[]){C, A}, 2));
    assert_true(values[0] == 10 && values[1] == 14 && values[2] == 2);
    expect(cx, SPCC_OK, spcc_assemble(cx, scale, (spcc_tensor *[]){E, A}, 2));
    expect(cx, SPCC_OK, spcc_compute(cx, scale, (spcc_tensor *[]){E, A}, 2));
    assert_memory_equal(spcc_tensor_values(E), values, sizeof values);
    spcc_tensor *all[] = {A, C, D, E};
    for (int t = 0; t < 4; t++)
        spcc_tensor_free(all[t]);
    spcc_kernel_free(scale);
}

/* Sums over nothing: the statement stores none, and what a user's pattern has gets the fill. */
static void sums_over_nothing(void **state)
{
    static const int32_t pos[] = {0, 1, 1, 3}, crd[] = {2, 0, 3};
    static const spcc_array arrays[] = {{pos, 4}, {crd, 3}};
    static const spcc_tensor_options options = {
        .size = sizeof options, .trusted = true, .writable = true};
    static const int64_t x_size[] = {3, 0}, y_size[] = {4, 0};
    double values[] = {77, 77, 77}, none[1] = {0};
    spcc_context *cx = *state;
    spcc_kernel *sampled =
        compile(cx, "C(i,j) = A(i,j) * X(i,k) * Y(j,k)", all_csr, 2, SPCC_SPLIT, NULL);
    spcc_tensor *A = sample(cx, "csr"), *X, *Y, *C, *E = empty(cx, "csr", 2);
    expect(cx, SPCC_OK,
           spcc_tensor_borrow(cx, "dense", SPCC_F64, 2, x_size, NULL, 0, none, 0, NULL, &X));
    expect(cx, SPCC_OK,
           spcc_tensor_borrow(cx, "dense", SPCC_F64, 2, y_size, NULL, 0, none, 0, NULL, &Y));
    expect(cx, SPCC_OK,
           spcc_tensor_borrow(cx, "csr", SPCC_F64, 2, sample_size, arrays, 2, values, 3, &options,
                              &C));
    expect(cx, SPCC_OK, spcc_compute(cx, sampled, (spcc_tensor *[]){C, A, X, Y}, 4));
    assert_true(values[0] == 0 && values[1] == 0 && values[2] == 0);
    expect(cx, SPCC_OK, spcc_assemble(cx, sampled, (spcc_tensor *[]){E, A, X, Y}, 4));
    assert_int_equal(spcc_tensor_stored(E), 0);
    expect(cx, SPCC_OK, spcc_compute(cx, sampled, (spcc_tensor *[]){E, A, X, Y}, 4));
    spcc_tensor *all[] = {A, X, Y, C, E};
    for (int t = 0; t < 5; t++)
        spcc_tensor_free(all[t]);
    spcc_kernel_free(sampled);
}

/* ---- results that may not be written ---- */

static void borrowed_pattern_as_result(void **state)
{
    static const int32_t pos[] = {0, 1, 1, 3}, crd[] = {2, 0, 3};
    static const double values[] = {5, 7, 1};
    static const spcc_array arrays[] = {{pos, 4}, {crd, 3}};
    spcc_context *cx = *state;
    spcc_kernel *add = compile(cx, sum, all_csr, 3, SPCC_SPLIT, NULL);
    spcc_tensor *A = sample(cx, "csr"), *C;
    expect(cx, SPCC_OK,
           spcc_tensor_borrow(cx, "csr", SPCC_F64, 2, sample_size, arrays, 2, values, 3, NULL, &C));
    spcc_tensor *const tensors[] = {C, A, A};
    expect(cx, SPCC_ERROR_BINDING, spcc_compute(cx, add, tensors, 3));
    expect(cx, SPCC_OK, spcc_run_array(cx, add, tensors, 3)); /* arrays of its own */
    assert_ptr_not_equal(spcc_tensor_values(C), values);
    assert_true(values[0] == 5);
    spcc_tensor_free(A);
    spcc_tensor_free(C);
    spcc_kernel_free(add);
}

/* Two billion rows without a place in any: checked and unpacked at once. */
static void borrowed_rows_of_no_width(void **state)
{
    static const int64_t size[] = {INT32_MAX, 4};
    static const int32_t width = 0;
    static const spcc_array arrays[] = {{&width, 1}, {NULL, 0}};
    spcc_tensor *A;
    expect(*state, SPCC_OK,
           spcc_tensor_borrow(*state, "ell", SPCC_F64, 2, size, arrays, 2, NULL, 0, NULL, &A));
    assert_int_equal(spcc_tensor_unpack(A, NULL, NULL), 0);
    spcc_tensor_free(A);
}

/* ---- structures of options ---- */

static void sizes_of_options(void **state)
{
    spcc_context *cx = *state, *made;
    struct {
        spcc_options options;
        char more[64];
    } larger = {.options.size = sizeof larger};
    spcc_options options = {.size = sizeof &options};
    spcc_tensor *y;
    assert_int_equal(spcc_context_new(&options, &made), SPCC_ERROR_ARGUMENT);
    assert_null(made);
    options.size = 0;
    assert_int_equal(spcc_context_new(&options, &made), SPCC_ERROR_ARGUMENT);
    /* never set: nothing that far is read */
    options.size = SIZE_MAX / 2;
    assert_int_equal(spcc_context_new(&options, &made), SPCC_ERROR_ARGUMENT);
    assert_int_equal(spcc_context_new(&larger.options, &made), SPCC_OK);
    spcc_context_free(made);
    larger.more[5] = 1;
    assert_int_equal(spcc_context_new(&larger.options, &made), SPCC_ERROR_ARGUMENT);
    spcc_tensor_options forgotten = {.name = "y"};
    expect(cx, SPCC_ERROR_ARGUMENT, spcc_tensor_new(cx, NULL, SPCC_F64, 1, NULL, &forgotten, &y));
    expect_message(cx, "spcc_tensor_options does not start with its size");
    assert_null(y);
}

static void stored_numbers(void **state)
{
    spcc_context *cx = *state;
    spcc_stored_number wrong[] = {{"A", -1}, {NULL, 1}, {"D", 1}};
    const char *const said[] = {"is negative", "has no tensor", "is called D"};
    for (int w = 0; w < 3; w++) {
        spcc_compile_options options = {.size = sizeof options, .stored = &wrong[w], .n_stored = 1};
        spcc_kernel *kernel;
        assert_int_not_equal(spcc_compile(cx, sum, &options, &kernel), SPCC_OK);
        expect_message(cx, said[w]);
    }
    spcc_compile_options options = {.size = sizeof options, .n_stored = 1};
    spcc_kernel *kernel;
    expect(cx, SPCC_ERROR_ARGUMENT, spcc_compile(cx, sum, &options, &kernel));
    expect_message(cx, "stored and n_stored do not go together");
}

/* A remedy says what its user would set, in the user's words. */
static void spelled_settings(void **state)
{
    static const char *const flags[] = {"size", "-d %s", "no_plan", "%s", NULL};
    spcc_options own = {.size = sizeof own, .cache = "", .spellings = flags};
    char *text;
    (void)state;
    for (int f = 0; f < 2; f++) {
        spcc_context *cx;
        own.spellings = f ? flags : NULL;
        assert_int_equal(spcc_context_new(&own, &cx), SPCC_OK);
        expect(cx, SPCC_ERROR_STATEMENT, spcc_emit(cx, "s = sum(i, 2)", NULL, SPCC_STAGE_C, &text));
        assert_string_equal(spcc_diagnostic_get(cx, 0)->help,
                            f ? "use it to index a tensor, or give its size: -d i:N"
                              : "use it to index a tensor, or give its size: sizes in "
                                "spcc_compile_options");
        expect(
            cx, SPCC_ERROR_ARGUMENT,
            spcc_emit(cx, "s = 2",
                      &(spcc_compile_options){.size = sizeof(spcc_compile_options), .name = "int"},
                      SPCC_STAGE_C, &text));
        expect_message(cx, "the function's name is name in spcc_compile_options");
        spcc_context_free(cx);
    }
}

/* ---- what is not there ---- */

static void nothing_where_something_is_needed(void **state)
{
    spcc_context *cx = *state;
    spcc_tensor *A = sample(cx, "csr"), *made;
    spcc_statistics *statistics;
    spcc_kernel *kernel;
    spcc_statement *statement;
    char *text;
    int taken;
    assert_int_equal(spcc_tensor_new(NULL, NULL, SPCC_F64, 0, NULL, NULL, &made),
                     SPCC_ERROR_ARGUMENT);
    expect(cx, SPCC_ERROR_ARGUMENT, spcc_tensor_new(cx, NULL, SPCC_F64, 0, NULL, NULL, NULL));
    expect(cx, SPCC_ERROR_ARGUMENT, spcc_tensor_scalar(cx, SPCC_F64, NULL, &made));
    expect(cx, SPCC_ERROR_ARGUMENT, spcc_tensor_dense(cx, SPCC_F64, 2, sample_size, NULL, &made));
    expect(cx, SPCC_ERROR_ARGUMENT, spcc_tensor_dense(cx, SPCC_F64, 2, NULL, numbers, &made));
    expect(cx, SPCC_ERROR_ARGUMENT,
           spcc_tensor_from_coords(cx, "csr", SPCC_F64, 2, sample_size, 3, NULL, numbers, NULL,
                                   &made));
    expect(cx, SPCC_ERROR_ARGUMENT,
           spcc_tensor_from_coords(cx, "csr", SPCC_F64, 2, sample_size, 3, sample_coordinates, NULL,
                                   NULL, &made));
    expect(
        cx, SPCC_ERROR_ARGUMENT,
        spcc_tensor_borrow(cx, "csr", SPCC_F64, 2, sample_size, NULL, 2, numbers, 3, NULL, &made));
    expect(cx, SPCC_ERROR_ARGUMENT,
           spcc_tensor_generate(cx, NULL, "csr", SPCC_F64, 2, sample_size, NULL, &made));
    assert_null(made);
    assert_int_not_equal(spcc_tensor_read(cx, NULL, "csr", SPCC_F64, NULL, &made), SPCC_OK);
    assert_int_not_equal(spcc_tensor_write(cx, A, NULL), SPCC_OK);
    assert_int_not_equal(spcc_tensor_write(cx, NULL, "x.tns"), SPCC_OK);
    assert_int_not_equal(spcc_tensor_convert(cx, NULL, "csr", SPCC_F64, NULL, &made), SPCC_OK);
    assert_int_not_equal(spcc_tensor_convert(cx, A, "csr", SPCC_F64, NULL, NULL), SPCC_OK);
    assert_int_not_equal(spcc_tensor_statistics(cx, NULL, &statistics), SPCC_OK);
    assert_int_not_equal(spcc_tensor_statistics(cx, A, NULL), SPCC_OK);
    assert_int_not_equal(spcc_compile(cx, NULL, NULL, &kernel), SPCC_OK);
    assert_int_not_equal(spcc_compile(cx, "y = 1", NULL, NULL), SPCC_OK);
    assert_int_not_equal(spcc_emit(cx, NULL, NULL, SPCC_STAGE_C, &text), SPCC_OK);
    expect(cx, SPCC_ERROR_ARGUMENT, spcc_emit(cx, "y = 1", NULL, SPCC_STAGE_C, NULL));
    expect_message(cx, "text is NULL"); /* and nothing of the call before */
    expect(cx, SPCC_ERROR_ARGUMENT,
           spcc_result_format_among(cx, "y(i) = x(i)", NULL, 0, NULL, 0, &taken));
    expect_message(cx, "formats is NULL");
    expect(cx, SPCC_ERROR_ARGUMENT,
           spcc_tensor_borrow_as(cx, NULL, SPCC_F64, sample_size, NULL, 0, NULL, 0, NULL, &made));
    expect_message(cx, "format is NULL");
    assert_null(made);
    assert_int_not_equal(spcc_statement_parse(cx, NULL, &statement), SPCC_OK);
    assert_int_not_equal(spcc_statement_parse(cx, "y = 1", NULL), SPCC_OK);
    assert_int_not_equal(spcc_describe(cx, SPCC_TABLE_TYPES, NULL), SPCC_OK);
    assert_int_not_equal(spcc_engine_describe(cx, SPCC_ENGINE_INTERP, NULL), SPCC_OK);
    spcc_tensor_free(A);
}

static void questions_about_nothing(void **state)
{
    (void)state;
    spcc_type type;
    assert_int_equal(spcc_tensor_order(NULL), 0);
    assert_int_equal(spcc_tensor_dimension(NULL, 0), -1);
    assert_int_equal(spcc_tensor_levels(NULL), 0);
    assert_int_equal(spcc_tensor_stored(NULL), 0);
    assert_int_equal(spcc_tensor_bytes(NULL), 0);
    assert_null(spcc_tensor_values(NULL));
    assert_null(spcc_tensor_format(NULL));
    assert_null(spcc_tensor_array(NULL, 0, 0).at);
    assert_int_equal(spcc_tensor_unpack(NULL, NULL, NULL), 0);
    assert_int_equal(spcc_kernel_tensors(NULL), 0);
    assert_null(spcc_kernel_tensor_name(NULL, 0));
    assert_null(spcc_kernel_get_info(NULL));
    assert_int_equal(spcc_statement_tensors(NULL), 0);
    assert_null(spcc_statement_tensor_name(NULL, 0));
    assert_int_equal(spcc_statement_variables(NULL), 0);
    assert_false(spcc_statement_is_compound(NULL));
    assert_false(spcc_type_parse(NULL, &type));
    assert_int_equal(spcc_diagnostic_count(NULL), 0);
    assert_null(spcc_diagnostic_get(NULL, 0));
    assert_string_equal(spcc_message(NULL), "");
}

/* ---- numbers that are out of range ---- */

static void numbers_out_of_range(void **state)
{
    static const int64_t negative[] = {3, -4}, huge[] = {INT64_MAX, INT64_MAX};
    spcc_context *cx = *state;
    spcc_tensor *A = sample(cx, "csr"), *made;
    spcc_statement *statement;
    char *text;
    assert_null(spcc_type_name((spcc_type)99));
    assert_null(spcc_type_name((spcc_type)-1));
    assert_int_equal(spcc_type_size((spcc_type)99), 0);
    assert_non_null(spcc_status_text((spcc_status)1000));
    expect(cx, SPCC_ERROR_ARGUMENT, spcc_tensor_new(cx, NULL, (spcc_type)99, 0, NULL, NULL, &made));
    expect(cx, SPCC_ERROR_ARGUMENT, spcc_tensor_new(cx, NULL, SPCC_F64, -1, NULL, NULL, &made));
    expect(cx, SPCC_ERROR_ARGUMENT, spcc_tensor_new(cx, NULL, SPCC_F64, 1000, NULL, NULL, &made));
    expect(cx, SPCC_ERROR_ARGUMENT, spcc_tensor_new(cx, "csr", SPCC_F64, 2, negative, NULL, &made));
    expect(cx, SPCC_ERROR_ARGUMENT,
           spcc_tensor_from_coords(cx, "coo", SPCC_F64, 2, sample_size, -1, sample_coordinates,
                                   numbers, NULL, &made));
    expect(
        cx, SPCC_ERROR_ARGUMENT,
        spcc_tensor_borrow(cx, NULL, SPCC_F64, 2, sample_size, NULL, 0, numbers, -1, NULL, &made));
    expect(cx, SPCC_ERROR_LIMIT, spcc_tensor_dense(cx, SPCC_F64, 2, huge, numbers, &made));
    assert_int_not_equal(spcc_tensor_new(cx, NULL, SPCC_F64, 2, huge, NULL, &made), SPCC_OK);
    assert_null(made);
    assert_int_not_equal(spcc_emit(cx, "y = 1", NULL, (spcc_stage)99, &text), SPCC_OK);
    assert_int_not_equal(spcc_describe(cx, (spcc_table)99, &text), SPCC_OK);
    assert_int_not_equal(spcc_engine_describe(cx, (spcc_engine)99, &text), SPCC_OK);
    assert_int_equal(spcc_tensor_dimension(A, 2), -1);
    assert_int_equal(spcc_tensor_dimension(A, -1), -1);
    assert_null(spcc_tensor_array(A, 2, 0).at);
    assert_null(spcc_tensor_array(A, 1, 9).at);
    assert_null(spcc_tensor_array_name(A, -1, 0));
    expect(cx, SPCC_OK, spcc_statement_parse(cx, "y(i) = A(i,j) * x(j)", &statement));
    assert_null(spcc_statement_tensor_name(statement, 3));
    assert_null(spcc_statement_tensor_name(statement, -1));
    assert_null(spcc_statement_variable(statement, 1, 2));
    assert_null(spcc_statement_variable_name(statement, 2));
    assert_int_equal(spcc_statement_tensor_order(statement, 7), 0);
    spcc_statement_free(statement);
    spcc_tensor_free(A);
}

/* ---- tensors whose sizes are still to come ---- */

static void tensors_without_sizes(void **state)
{
    spcc_context *cx = *state;
    spcc_tensor *y = empty(cx, "csr", 2), *z = empty(cx, NULL, 2), *made;
    spcc_statistics *statistics;
    spcc_tensor *const each[] = {y, z};
    for (int t = 0; t < 2; t++) {
        int64_t coordinate[2];
        double value;
        assert_int_equal(spcc_tensor_dimension(each[t], 0), -1);
        assert_int_equal(spcc_tensor_stored(each[t]), 0);
        assert_int_equal(spcc_tensor_unpack(each[t], coordinate, &value), 0);
        assert_int_not_equal(spcc_tensor_write(cx, each[t], "/nowhere/x.tns"), SPCC_OK);
        assert_int_not_equal(spcc_tensor_convert(cx, each[t], "coo", SPCC_F64, NULL, &made),
                             SPCC_OK);
        assert_null(made);
        assert_int_not_equal(spcc_tensor_statistics(cx, each[t], &statistics), SPCC_OK);
        spcc_tensor_free(each[t]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(patterns_that_differ),
        TEST(wrong_number_of_tensors),
        TEST(operands_of_the_same_lengths),
        TEST(operands_that_were_results),
        TEST(patterns_of_other_kernels),
        TEST(pattern_of_the_users),
        TEST(pattern_of_an_operand),
        TEST(sums_over_nothing),
        TEST(borrowed_pattern_as_result),
        TEST(borrowed_rows_of_no_width),
        TEST(sizes_of_options),
        TEST(stored_numbers),
        TEST(nothing_where_something_is_needed),
        TEST(questions_about_nothing),
        TEST(numbers_out_of_range),
        TEST(tensors_without_sizes),
        TEST(spelled_settings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
