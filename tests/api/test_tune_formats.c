/* test_tune_formats.c - spcc_tune_formats: which formats could serve, what it tells of them, what
 * is kept, and who finds it.
 *
 * SPDX-License-Identifier: MIT
 */
#include "tests/api/tuning.h"

#include "compiler/base/text.h"
#include "runtime/api/candidates.h"

static const char *const spmv = "y(i) = A(i,j) * x(j)";

/* y, whose size the first run finds, and two operands. */
static struct product open_spmv(spcc_context *context, const char *format, spcc_tensor *A)
{
    struct product p;
    int64_t n = spcc_tensor_dimension(A, 1);
    p.tensor[1] = A;
    if (format)
        expect(context, SPCC_OK,
               spcc_tensor_convert(context, A, format, SPCC_F64, NULL, &p.tensor[1]));
    if (format)
        spcc_tensor_free(A);
    expect(context, SPCC_OK, spcc_tensor_new(context, NULL, SPCC_F64, 1, NULL, NULL, p.tensor));
    expect(context, SPCC_OK,
           spcc_tensor_generate(context, "@random(1)", NULL, SPCC_F64, 1, &n, NULL, &p.tensor[2]));
    for (int k = 0; k < 3; k++)
        p.binding[k] = (spcc_binding){(const char *[]){"y", "A", "x"}[k], p.tensor[k]};
    return p;
}

static spcc_format_tuning *tune_formats(spcc_context *context, const struct product *p,
                                        const char *const *formats, int n)
{
    spcc_format_tuning *tuning;
    spcc_tune_formats_options how = {
        .size = sizeof how, .formats = formats, .n_formats = n, .runs = 2};
    expect(context, SPCC_OK, spcc_tune_formats(context, spmv, NULL, p->binding, 3, &how, &tuning));
    return tuning;
}

/* The format that was kept; "": none, or it is that of A. */
static void expect_kept(spcc_context *context, const struct product *p, const char *format)
{
    spcc_tensor *converted;
    expect(context, SPCC_OK,
           spcc_convert_to_tuned(context, spmv, NULL, p->binding, 3, "A", &converted));
    assert_string_equal(converted ? spcc_tensor_format(converted) : "", format);
    if (converted)
        assert_int_equal(spcc_tensor_stored(converted), spcc_tensor_stored(p->tensor[1]));
    spcc_tensor_free(converted);
}

static void test_formats(void **state)
{
    static const char *const formats[] = {"csr", "csc", "ell", "csc"};
    struct home *home = *state;
    spcc_context *context = home->context;
    struct product p = open_spmv(context, NULL, matrix(context, "coo", 60, "@sparse(0.1,1)"));
    expect_kept(context, &p, "");
    spcc_format_tuning *tuning = tune_formats(context, &p, formats, 4);
    int given = 0;
    assert_int_equal(tuning->n_formats, 4);
    assert_null(tuning->unkept);
    for (int i = 0; i < 4; i++) {
        const spcc_tuned_format *f = &tuning->formats[i];
        given += f->given;
        assert_string_equal(f->operand, "A");
        assert_null(f->trouble);
        assert_true(f->ms > 0 && f->bytes > 0 && f->runs >= 1 && f->runs <= 3);
        assert_true(i == 0 || f->ms >= tuning->formats[i - 1].ms);
        assert_int_equal(f->given, !strcmp(f->format, "coo"));
        assert_true(f->given ? f->pays_after == 0 && f->convert_ms == 0
                             : f->convert_ms > 0 && f->pays_after != 0);
    }
    assert_int_equal(given, 1);
    assert_int_equal(spcc_tensor_dimension(p.tensor[0], 0), -1);
    assert_string_equal(spcc_tensor_format(p.tensor[1]), "uq");
    spcc_format_tuning_free(tuning);
    spcc_format_tuning_free(NULL);
    close_product(&p);
}

/* What is found in one format is an answer for all. */
static void test_kept_format(void **state)
{
    static const char *const csc[] = {"csc"};
    struct home *home = *state;
    spcc_context *context = home->context;
    spcc_tensor *A = matrix(context, "csr", 60, "@sparse(0.1,1)");
    struct product p = open_spmv(context, NULL, A);
    spcc_format_tuning *tuning = tune_formats(context, &p, csc, 1);
    const char *other = strcmp(tuning->formats[0].format, "csr") ? "ds:1,0" : "";
    expect_kept(context, &p, other);
    reopen(home, 1);
    context = home->context;
    expect_kept(context, &p, other);
    struct product in_csc = open_spmv(context, "csc", matrix(context, "csr", 60, "@sparse(0.1,1)")),
                   larger = open_spmv(context, NULL, matrix(context, "csr", 400, "@sparse(0.1,1)"));
    expect_kept(context, &in_csc, *other ? "" : "ds");
    expect_kept(context, &larger, "");
    spcc_compile_options untuned = {.size = sizeof untuned, .untuned = true};
    spcc_tensor *converted;
    expect(context, SPCC_OK,
           spcc_convert_to_tuned(context, spmv, &untuned, p.binding, 3, "A", &converted));
    assert_null(converted);
    spcc_format_tuning_free(tuning);
    close_product(&p);
    close_product(&in_csc);
    close_product(&larger);
}

/* A format that is kept by hand. */
struct keeping {
    const struct product *p;
    const char *format;
};

static spcc_status keep_format(struct spcc_context *api, struct context *cx, void *arguments)
{
    const struct keeping *k = arguments;
    struct pipeline_request request = request_of(api, cx, spmv, k->p);
    assert_null(
        tuned_keep(api, cx, tuned_format_key(api, cx, &request, "A"), k->format, "by hand"));
    return SPCC_OK;
}

/* Whatever is in the file. */
static void test_damaged_format(void **state)
{
    static const char *const kept[][2] = {{"dcsr", "ss"}, {"sparse:1,0", "ss:1,0"},
                                          {"", ""},       {"crs", ""},
                                          {"csr(", ""},   {"ds:2,1", ""}};
    struct home *home = *state;
    struct product p =
        open_spmv(home->context, NULL, matrix(home->context, "csr", 60, "@sparse(0.1,1)"));
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++) {
        assert_int_equal(api_call(home->context, keep_format, &(struct keeping){&p, kept[i][0]}),
                         SPCC_OK);
        expect_kept(home->context, &p, kept[i][1]);
    }
    close_product(&p);
}

/* One long row: as wide as that no row has to be. */
static void test_large_formats(void **state)
{
    static const char *const formats[] = {"ell", "dense"};
    enum { N = 200 };
    struct home *home = *state;
    int64_t coordinates[2 * N], n = 0;
    double values[N];
    for (int i = 0; i < N; i++, n++) {
        coordinates[2 * n] = i < N / 2 ? 0 : i;
        coordinates[2 * n + 1] = i;
        values[n] = i;
    }
    spcc_tensor *A;
    expect(home->context, SPCC_OK,
           spcc_tensor_from_coords(home->context, "csr", SPCC_F64, 2, (int64_t[]){N, N}, n,
                                   coordinates, values, NULL, &A));
    struct product p = open_spmv(home->context, NULL, A);
    spcc_format_tuning *tuning = tune_formats(home->context, &p, formats, 2);
    assert_int_equal(tuning->n_formats, 3);
    assert_true(tuning->formats[0].given);
    for (int i = 1; i < 3; i++) {
        assert_non_null(strstr(tuning->formats[i].trouble, "times as much as csr"));
        assert_int_equal(tuning->formats[i].runs, 0);
    }
    expect_kept(home->context, &p, "");
    spcc_format_tuning_free(tuning);
    close_product(&p);
}

/* Of two operands the one that is named; results stay as they are. */
static void test_operands(void **state)
{
    static const char *const csc[] = {"csc"}, *const names[] = {"B"}, *const none[] = {"C"};
    struct home *home = *state;
    spcc_context *context = home->context;
    struct product p = open_product(context, 30);
    spcc_tune_formats_options how = {.size = sizeof how, .formats = csc, .n_formats = 1, .runs = 1};
    spcc_format_tuning *tuning;
    expect(context, SPCC_OK, spcc_tune_formats(context, spgemm, NULL, p.binding, 3, &how, &tuning));
    assert_int_equal(tuning->n_formats, 4);
    assert_string_equal(tuning->formats[0].operand, "A");
    assert_string_equal(tuning->formats[3].operand, "B");
    spcc_format_tuning_free(tuning);
    how.operands = names;
    how.n_operands = 1;
    expect(context, SPCC_OK, spcc_tune_formats(context, spgemm, NULL, p.binding, 3, &how, &tuning));
    assert_int_equal(tuning->n_formats, 2);
    assert_string_equal(tuning->formats[0].operand, "B");
    spcc_format_tuning_free(tuning);
    how.operands = none;
    expect(context, SPCC_ERROR_ARGUMENT,
           spcc_tune_formats(context, spgemm, NULL, p.binding, 3, &how, &tuning));
    assert_null(tuning);
    assert_non_null(strstr(spcc_message(context), "C is no operand of the statement that could"));
    close_product(&p);
}

static void test_format_mistakes(void **state)
{
    static const char *const wrong[] = {"crs"};
    struct home *home = *state;
    spcc_context *context = home->context;
    struct product p = open_spmv(context, "dense", matrix(context, "csr", 5, "@sparse(0.5,1)"));
    spcc_tune_formats_options how = {.size = sizeof how};
    spcc_format_tuning *tuning;
    spcc_tensor *converted;
    expect(context, SPCC_ERROR_ARGUMENT,
           spcc_tune_formats(context, spmv, NULL, p.binding, 3, &how, &tuning));
    assert_non_null(strstr(spcc_message(context), "no operand of the statement is sparse"));
    how.runs = -1;
    expect(context, SPCC_ERROR_ARGUMENT,
           spcc_tune_formats(context, spmv, NULL, p.binding, 3, &how, &tuning));
    how = (spcc_tune_formats_options){.size = sizeof how, .n_formats = 1};
    expect(context, SPCC_ERROR_ARGUMENT,
           spcc_tune_formats(context, spmv, NULL, p.binding, 3, &how, &tuning));
    expect(context, SPCC_ERROR_ARGUMENT,
           spcc_convert_to_tuned(context, spmv, NULL, p.binding, 3, "B", &converted));
    assert_null(converted);
    close_product(&p);
    p = open_spmv(context, NULL, matrix(context, "csr", 5, "@sparse(0.5,1)"));
    how.formats = wrong;
    expect(context, SPCC_ERROR_FORMAT,
           spcc_tune_formats(context, spmv, NULL, p.binding, 3, &how, &tuning));
    assert_null(tuning);
    assert_non_null(strstr(spcc_message(context), "format of A: "));
    close_product(&p);
}

/* The message is that of a run, not that they are dense. */
static void test_operands_without_arrays(void **state)
{
    struct home *home = *state;
    spcc_context *context = home->context;
    struct product p = open_spmv(context, NULL, matrix(context, "csr", 5, "@sparse(0.5,1)"));
    spcc_format_tuning *tuning;
    free(spcc_tensor_take_values(p.tensor[1]));
    expect(context, SPCC_ERROR_BINDING,
           spcc_tune_formats(context, spmv, NULL, p.binding, 3, NULL, &tuning));
    assert_non_null(strstr(spcc_message(context), "A is an operand and has no arrays"));
    spcc_tensor_free(p.tensor[1]);
    expect(context, SPCC_OK,
           spcc_tensor_new(context, "csr", SPCC_F64, 2, NULL, NULL, &p.tensor[1]));
    p.binding[1].tensor = p.tensor[1];
    expect(context, SPCC_ERROR_BINDING,
           spcc_tune_formats(context, spmv, NULL, p.binding, 3, NULL, &tuning));
    assert_non_null(strstr(spcc_message(context), "its sizes are not known yet"));
    close_product(&p);
}

/* ---- which formats could serve ---- */

struct asked {
    const spcc_tensor *tensor;
    struct candidates found;
    const char *expected;
};

static spcc_status find(struct spcc_context *api, struct context *cx, void *arguments)
{
    struct asked *a = arguments;
    struct text all = text_new(cx->arena);
    spcc_status status = candidates_find(api, cx, "T", a->tensor, NULL, 0, &a->found);
    assert_int_equal(status, SPCC_OK);
    for (int i = 0; i < a->found.n; i++)
        if (strlen(a->found.at[i].format) < 14)
            text_printf(&all, "%s ", a->found.at[i].format);
    assert_string_equal(all.at, a->expected);
    return SPCC_OK;
}

static void expect_candidates(spcc_context *context, int order, int n, const char *expected)
{
    struct asked a = {.expected = expected};
    spcc_tensor *tensor;
    expect(context, SPCC_OK,
           spcc_tensor_generate(context, "@sparse(0.3,1)", "sparse", SPCC_F64, order,
                                (int64_t[]){4, 5, 3, 4}, NULL, &tensor));
    a.tensor = tensor;
    assert_int_equal(api_call(context, find, &a), SPCC_OK);
    assert_int_equal(a.found.n, n);
    candidates_free(&a.found);
    spcc_tensor_free(tensor);
}

static spcc_status find_small(struct spcc_context *api, struct context *cx, void *arguments)
{
    struct asked *a = arguments;
    assert_int_equal(candidates_find(api, cx, "T", a->tensor, NULL, 0, &a->found), SPCC_OK);
    for (int i = 0; i < a->found.n; i++)
        assert_null(a->found.at[i].trouble);
    return SPCC_OK;
}

/* Those of a tensor that has no components: dense takes no bytes, and is no measure. */
static void expect_none_left_out(spcc_context *context)
{
    struct asked a = {.expected = NULL};
    spcc_tensor *tensor;
    expect(context, SPCC_OK,
           spcc_tensor_new(context, "csr", SPCC_F64, 2, (int64_t[]){0, 0}, NULL, &tensor));
    a.tensor = tensor;
    assert_int_equal(api_call(context, find_small, &a), SPCC_OK);
    candidates_free(&a.found);
    spcc_tensor_free(tensor);
}

static void test_candidates(void **state)
{
    struct home *home = *state;
    expect_candidates(home->context, 1, 3, "sparse bitmap dense ");
    expect_candidates(home->context, 2, 22,
                      "dcsr csr coo ell bitmap dense csc dcsc coo:1,0 ell:1,0 bcsr(2,2) bcsr(3,3) "
                      "bcsr(4,4) bcsr(5,5) bcsr(6,6) bcsr(7,7) bcsr(8,8) dia sell(4) sell(8) "
                      "sell(16) sell(32) ");
    expect_candidates(home->context, 3, 34,
                      "sparse dss coo dsc bitmap dense dss:0,2,1 sparse:0,2,1 coo:0,2,1 dsc:0,2,1 "
                      "dss:1,0,2 sparse:1,0,2 coo:1,0,2 dsc:1,0,2 dss:1,2,0 sparse:1,2,0 coo:1,2,0 "
                      "dsc:1,2,0 dss:2,0,1 sparse:2,0,1 coo:2,0,1 dsc:2,0,1 dss:2,1,0 sparse:2,1,0 "
                      "coo:2,1,0 dsc:2,1,0 ");
    expect_none_left_out(home->context);
    expect_candidates(
        home->context, 4, 26,
        "sparse dsss coo dssc bitmap dense dsss:1,0,2,3 coo:1,0,2,3 dssc:1,0,2,3 "
        "dsss:2,0,1,3 coo:2,0,1,3 dssc:2,0,1,3 dsss:3,0,1,2 coo:3,0,1,2 dssc:3,0,1,2 ");
}

struct narrowing {
    const spcc_tensor *tensor;
    const char *expected;
};

static spcc_status narrow(struct spcc_context *api, struct context *cx, void *arguments)
{
    const struct narrowing *a = arguments;
    const char *narrow = candidates_narrow(cx, a->tensor, api->defaults);
    assert_string_equal(narrow ? narrow : "", a->expected);
    return SPCC_OK;
}

/* As narrow as what is there, and no narrower: 255 is a coordinate or a mark. */
static void expect_narrow(spcc_context *context, const char *format, int64_t n,
                          const char *expected)
{
    spcc_tensor *tensor = matrix(context, format, n, "@sparse(0.02,1)"), *converted;
    assert_int_equal(api_call(context, narrow, &(struct narrowing){tensor, expected}), SPCC_OK);
    if (*expected)
        expect(context, SPCC_OK,
               spcc_tensor_convert(context, tensor, expected, SPCC_F64, NULL, &converted));
    if (*expected)
        assert_int_equal(spcc_tensor_stored(converted), spcc_tensor_stored(tensor));
    if (*expected)
        spcc_tensor_free(converted);
    spcc_tensor_free(tensor);
}

static void test_narrow(void **state)
{
    spcc_context *context = ((struct home *)*state)->context;
    expect_narrow(context, "dense", 20, "");
    expect_narrow(context, "csr", 20, "(i,j) -> (i : dense, j : compressed(pos=u8, crd=u8))");
    expect_narrow(context, "csr", 255, "(i,j) -> (i : dense, j : compressed(pos=u16, crd=u8))");
    expect_narrow(context, "csr", 257, "(i,j) -> (i : dense, j : compressed(pos=u16, crd=u16))");
    expect_narrow(context, "ell", 255, "(i,j) -> (i : dense, j : padded(pos=u8, crd=u8))");
    expect_narrow(context, "ell", 256, "(i,j) -> (i : dense, j : padded(pos=u8, crd=u16))");
    expect_narrow(context, "dia", 20,
                  "(i,j) -> (j-i : compressed(pos=u8, crd=i8), i : range, j : offset)");
}

/* ---- nodes are counted again where arrays are others ---- */

struct counting {
    const spcc_tensor *tensor;
    int64_t expected;
};

static spcc_status count(struct spcc_context *api, struct context *cx, void *arguments)
{
    const struct counting *a = arguments;
    spcc_declaration declaration = {.name = "A", .tensor = a->tensor};
    spcc_compile_options options = {.size = sizeof options,
                                    .declarations = &declaration,
                                    .n_declarations = 1,
                                    .plan_for_tensors = true};
    struct pipeline_request request;
    assert_true(kernel_request(api, cx, spmv, &options, &request));
    assert_int_equal(request.declared.n_expected, 1);
    assert_int_equal(request.declared.expected[0].positions[1], a->expected);
    return SPCC_OK;
}

static void test_counted_again(void **state)
{
    enum { ROWS = 64, WIDTH = 2 };
    spcc_context *context = ((struct home *)*state)->context;
    int32_t width = WIDTH, full[ROWS * WIDTH], half[ROWS * WIDTH];
    double values[ROWS * WIDTH] = {0};
    for (int k = 0; k < ROWS * WIDTH; k++) {
        full[k] = k % WIDTH;
        half[k] = k % WIDTH ? -1 : 0;
    }
    spcc_array arrays[] = {{&width, 1}, {full, ROWS * WIDTH}};
    spcc_tensor *A;
    expect(context, SPCC_OK,
           spcc_tensor_borrow(context, "ell", SPCC_F64, 2, (int64_t[]){ROWS, 8}, arrays, 2, values,
                              ROWS * WIDTH, NULL, &A));
    for (int round = 0; round < 2; round++)
        assert_int_equal(api_call(context, count, &(struct counting){A, ROWS * WIDTH}), SPCC_OK);
    arrays[1].at = half;
    expect(context, SPCC_OK, spcc_tensor_rebind(context, A, arrays, 2, values, ROWS * WIDTH));
    assert_int_equal(api_call(context, count, &(struct counting){A, ROWS}), SPCC_OK);
    spcc_tensor_free(A);
}

int main(int argc, char **argv)
{
    engine = engine_of(argc, argv);
#define AT_HOME(name) cmocka_unit_test_setup_teardown(test_##name, set_up, tear_down)
    const struct CMUnitTest tests[] = {AT_HOME(formats),        AT_HOME(kept_format),
                                       AT_HOME(damaged_format), AT_HOME(large_formats),
                                       AT_HOME(operands),       AT_HOME(format_mistakes),
                                       AT_HOME(candidates),     AT_HOME(narrow),
                                       AT_HOME(counted_again),  AT_HOME(operands_without_arrays)};
    return cmocka_run_group_tests_name("tune-formats", tests, NULL, NULL);
}
