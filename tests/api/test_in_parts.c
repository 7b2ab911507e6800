/* test_in_parts.c - tensors in parts: who goes where, asking for them, statements, conversion.
 *
 * SPDX-License-Identifier: MIT
 */
#include "tests/api/support.h"

enum { ORDER = 5, ENTRIES = 40 };

/* ---- figure 4 of the paper on mixed-mode CSF ---- */

static const int64_t figure[] = {5, 1, 1, 5, 1, 2, 5, 1, 3, 4, 1, 2,
                                 4, 1, 1, 4, 1, 5, 0, 1, 2, 0, 1, 4};
static const int64_t figure_sizes[] = {6, 2, 6};
static const double figure_values[] = {1, 2, 3, 4, 5, 6, 7, 8};

static spcc_tensor *figure_as(spcc_context *context, const char *format)
{
    spcc_tensor *tensor;
    expect(context, SPCC_OK,
           spcc_tensor_from_coords(context, format, SPCC_F64, 3, figure_sizes, 8, figure,
                                   figure_values, NULL, &tensor));
    return tensor;
}

static int64_t fibers_of(const spcc_tensor *part) { return spcc_tensor_array(part, 0, 1).length; }

static void figure_4(void **state)
{
    spcc_tensor *tensor = figure_as(*state, "mmcsf");
    assert_int_equal(spcc_tensor_parts(tensor), 1);
    assert_int_equal(spcc_tensor_stored(spcc_tensor_part(tensor, 0)), 8);
    assert_int_equal(fibers_of(spcc_tensor_part(tensor, 0)), 3);
    spcc_tensor_free(tensor);

    tensor = figure_as(*state, "mmcsf(static)");
    assert_string_equal(spcc_tensor_format(tensor), "part(uqs:1,0,2; uqs:1,2,0)");
    assert_int_equal(spcc_tensor_stored(spcc_tensor_part(tensor, 0)), 7);
    assert_int_equal(spcc_tensor_stored(spcc_tensor_part(tensor, 1)), 1);
    assert_int_equal(fibers_of(spcc_tensor_part(tensor, 0)), 3);
    assert_int_equal(fibers_of(spcc_tensor_part(tensor, 1)), 1);
    assert_true(*(const double *)spcc_tensor_values(spcc_tensor_part(tensor, 1)) == 7);
    assert_null(spcc_tensor_part(tensor, 2));
    assert_null(spcc_tensor_part(tensor, -1));
    spcc_tensor_free(tensor);
}

/* Entries that come in another order go elsewhere. */
static void sorted_figure_4(void **state)
{
    spcc_tensor *sorted, *tensor, *given = figure_as(*state, "csf");
    int64_t at[24];
    double values[8];
    assert_int_equal(spcc_tensor_unpack(given, at, values), 8);
    expect(*state, SPCC_OK,
           spcc_tensor_from_coords(*state, "mmcsf", SPCC_F64, 3, figure_sizes, 8, at, values, NULL,
                                   &tensor));
    expect(*state, SPCC_OK, spcc_tensor_convert(*state, given, "mmcsf", SPCC_F64, NULL, &sorted));
    assert_int_equal(spcc_tensor_parts(tensor), 2);
    assert_string_equal(spcc_tensor_format(tensor), spcc_tensor_format(sorted));
    assert_int_equal(spcc_tensor_stored(spcc_tensor_part(tensor, 0)), 7);
    assert_int_equal(spcc_tensor_stored(spcc_tensor_part(sorted, 0)), 7);
    spcc_tensor_free(given);
    spcc_tensor_free(sorted);
    spcc_tensor_free(tensor);
}

/* ---- random tensors ---- */

struct list {
    int order;
    int64_t n, size[ORDER], at[ENTRIES * ORDER];
    double value[ENTRIES];
};

static uint64_t next(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + 1442695040888963407u;
    return *state >> 33;
}

/* Some coordinates are in it twice. */
static void draw(struct list *list, uint64_t seed)
{
    memset(list, 0, sizeof *list);
    list->order = 2 + (int)(next(&seed) % 4);
    list->n = (int64_t)(next(&seed) % ENTRIES);
    for (int m = 0; m < list->order; m++)
        list->size[m] = 1 + (int64_t)(next(&seed) % 5);
    for (int64_t e = 0; e < list->n; e++) {
        for (int m = 0; m < list->order; m++)
            list->at[e * list->order + m] = (int64_t)next(&seed) % list->size[m];
        list->value[e] = (double)(1 + next(&seed) % 9);
    }
}

static bool is_same(const struct list *list, const int64_t *a, const int64_t *b, int but)
{
    for (int m = 0; m < list->order; m++)
        if (m != but && a[m] != b[m])
            return false;
    return true;
}

static bool is_first(const struct list *list, int64_t e)
{
    for (int64_t b = 0; b < e; b++)
        if (is_same(list, &list->at[b * list->order], &list->at[e * list->order], -1))
            return false;
    return true;
}

/* How many entries the fiber of e along a mode has, of those that are left to other parts or not
 * yet looked at: `gone` is the mode along which an entry's part has fibers, -1 if it has none. */
static int64_t length_of(const struct list *list, const int *gone, int64_t e, int mode,
                         bool is_static)
{
    int64_t n = 0;
    for (int64_t b = 0; b < list->n; b++)
        n += is_first(list, b) && (is_static || gone[b] < 0 || gone[b] == mode)
             && is_same(list, &list->at[b * list->order], &list->at[e * list->order], mode);
    return n;
}

static int64_t fibers_along(const struct list *list, int mode)
{
    int64_t n = 0;
    for (int64_t e = 0; e < list->n; e++) {
        bool is_new = true;
        for (int64_t b = 0; b < e && is_new; b++)
            is_new = !is_same(list, &list->at[b * list->order], &list->at[e * list->order], mode);
        n += is_new;
    }
    return n;
}

/* Algorithm 5 as it is told: the longest fiber; of equals that along the mode with fewer fibers, of
 * these the last mode. */
static void share_out(const struct list *list, bool is_static, int *along)
{
    for (int64_t e = 0; e < list->n; e++)
        along[e] = -1;
    for (int64_t e = 0; e < list->n; e++) {
        int best = -1;
        int64_t most = 0;
        for (int m = list->order - 1; m >= 0 && is_first(list, e); m--) {
            int64_t length = length_of(list, along, e, m, is_static);
            if (best < 0 || length > most
                || (length == most && fibers_along(list, m) < fibers_along(list, best))) {
                best = m;
                most = length;
            }
        }
        along[e] = best;
    }
}

/* The mode of a part's last level: "uqs:1,0,2" has 2, "ss" the last one. */
static int last_mode(const spcc_tensor *part)
{
    const char *format = spcc_tensor_format(part);
    return strchr(format, ':') ? format[strlen(format) - 1] - '0' : spcc_tensor_order(part) - 1;
}

static double found_at(const spcc_tensor *tensor, const int64_t *at)
{
    int order = spcc_tensor_order(tensor);
    int64_t where[ENTRIES * ORDER * 2];
    double value[ENTRIES * 2], sum = 0;
    for (int64_t k = 0, n = spcc_tensor_unpack(tensor, where, value); k < n; k++)
        if (memcmp(&where[k * order], at, (size_t)order * sizeof *at) == 0)
            sum += value[k];
    return sum;
}

/* Every entry is in one part, which has all of its value: in that of its mode, if that is given. */
static void check_shares(const struct list *list, const spcc_tensor *tensor, const int *along)
{
    int64_t stored = 0;
    for (int64_t e = 0; e < list->n; e++) {
        const int64_t *at = &list->at[e * list->order];
        double all = 0;
        int parts = 0;
        if (!is_first(list, e))
            continue;
        for (int64_t b = 0; b < list->n; b++)
            all += is_same(list, &list->at[b * list->order], at, -1) ? list->value[b] : 0;
        for (int k = 0; k < spcc_tensor_parts(tensor); k++) {
            double part = found_at(spcc_tensor_part(tensor, k), at);
            assert_true(part == 0 || part == all);
            assert_true(!along
                        || (part != 0) == (last_mode(spcc_tensor_part(tensor, k)) == along[e]));
            parts += part != 0;
        }
        assert_int_equal(parts, 1);
        assert_true(found_at(tensor, at) == all);
        stored++;
    }
    assert_int_equal(spcc_tensor_stored(tensor), stored);
}

static void random_shares(void **state)
{
    static const char *const format[] = {"mmcsf", "mmcsf(static)", "heavy(2)",
                                         "part(hicoo(2); csf)"};
    struct list list;
    int along[ENTRIES];
    for (uint64_t seed = 0; seed < 2000; seed++) {
        spcc_tensor *tensor;
        size_t f = seed % (sizeof format / sizeof *format);
        draw(&list, seed);
        for (int m = 0; m < list.order && seed % 7 == 0; m++)
            list.size[m] = INT32_MAX; /* coordinates have no room in a word */
        expect(*state, SPCC_OK,
               spcc_tensor_from_coords(*state, format[f], SPCC_F64, list.order, list.size, list.n,
                                       list.at, list.value, NULL, &tensor));
        expect(*state, SPCC_OK, spcc_tensor_check(*state, tensor));
        if (f < 2)
            share_out(&list, f == 1, along);
        check_shares(&list, tensor, f < 2 ? along : NULL);
        spcc_tensor_free(tensor);
    }
}

static void heavy_slices(void **state)
{
    spcc_tensor *tensor = figure_as(*state, "heavy(3)");
    assert_int_equal(spcc_tensor_stored(spcc_tensor_part(tensor, 0)), 6);
    assert_int_equal(spcc_tensor_stored(spcc_tensor_part(tensor, 1)), 2);
    spcc_tensor_free(tensor);
    tensor = figure_as(*state, "heavy(9)"); /* the first part is left out */
    assert_string_equal(spcc_tensor_format(tensor), "part(uqq)");
    spcc_tensor_free(tensor);
}

/* ---- statements ---- */

static void evaluate(spcc_context *context, const char *statement, const char *format,
                     double *result, int order, const int64_t *sizes, int64_t components)
{
    static const int64_t two[] = {6, 2};
    double factor[12];
    for (int k = 0; k < 12; k++)
        factor[k] = k + 1;
    spcc_tensor *X = figure_as(context, format), *B, *Y;
    expect(context, SPCC_OK, spcc_tensor_dense(context, SPCC_F64, 2, two, factor, &B));
    expect(context, SPCC_OK, spcc_tensor_new(context, NULL, SPCC_F64, order, sizes, NULL, &Y));
    const spcc_binding bound[] = {{"Y", Y}, {"X", X}, {"B", B}};
    int n = strstr(statement, "B(") ? 3 : 2;
    expect(context, SPCC_OK, spcc_eval(context, statement, bound, n));
    memcpy(result, spcc_tensor_values(Y), (size_t)components * sizeof *result);
    spcc_tensor_free(X);
    spcc_tensor_free(B);
    spcc_tensor_free(Y);
}

/* What a statement makes of one part it makes of several. */
static void statements(void **state)
{
    static const struct {
        const char *text;
        int order;
        int64_t size[3];
    } row[] = {
        {"Y(i,k) = X(i,j,k)", 2, {6, 6}},
        {"Y(i,r) = X(i,j,k) * B(k,r)", 2, {6, 2}},
        {"Y(k,r) = X(i,j,k) * B(i,r)", 2, {6, 2}},
        {"Y(j,r) = X(i,j,k) * B(i,r) * B(k,r)", 2, {2, 2}},
        {"Y(i,j,k) = exp(X(i,j,k))", 3, {6, 2, 6}},
        {"Y(i,j,k) = X(i,j,k) * X(i,j,k) - 1", 3, {6, 2, 6}},
        {"Y(i,l) = X(i,j,k) * X(l,j,k)", 2, {6, 6}},
        {"Y = max(i, j, k, X(i,j,k))", 0, {0}},
        {"Y = sum(i, j, k, i64(stored(X(i,j,k))))", 0, {0}},
        {"Y(i) = 2 - (X(i,j,k) - 1) * B(k,0)", 1, {6}},
        {"Y(j) += max(X(i,j,k), 3)", 1, {2}},
        {"Y(i) = 1 / (1 + sum(j, k, X(i,j,k)))", 1, {6}},
        {"Y(k) = X(0,j,k)", 1, {6}},
    };
    static const char *const formats[] = {"mmcsf(static)",
                                          "heavy(3)",
                                          "part(csf; csf:2,1,0)",
                                          "csf-all",
                                          "part(coo:1,0,2; sss; dds)",
                                          "part(hicoo(2); csf)",
                                          "any(coo; csf:1,0,2)"};
    for (size_t r = 0; r < sizeof row / sizeof *row; r++) {
        double expected[72], got[72];
        int64_t components = 1;
        for (int m = 0; m < row[r].order; m++)
            components *= row[r].size[m];
        evaluate(*state, row[r].text, "csf", expected, row[r].order, row[r].size, components);
        for (size_t f = 0; f < sizeof formats / sizeof *formats; f++) {
            evaluate(*state, row[r].text, formats[f], got, row[r].order, row[r].size, components);
            for (int64_t c = 0; c < components; c++)
                assert_true(got[c] == expected[c]);
        }
    }
}

/* A tensor that is stored several times is read in the order that the statement asks for. */
static void the_best_one(void **state)
{
    static const char *const statement[] = {"Y(i,r) = X(i,j,k) * B(j,r) * C(k,r)",
                                            "Y(j,r) = X(i,j,k) * B(i,r) * C(k,r)",
                                            "Y(k,r) = X(i,j,k) * B(i,r) * C(j,r)"};
    const spcc_declaration declared[] = {{.name = "X", .format = "csf-all"}};
    const spcc_compile_options options = {
        .size = sizeof options, .declarations = declared, .n_declarations = 1};
    for (int k = 0; k < 3; k++) {
        char *text, number[40];
        snprintf(number, sizeof number, "number %d is read", k + 1);
        expect(*state, SPCC_OK,
               spcc_emit(*state, statement[k], &options, SPCC_STAGE_EXPLAIN, &text));
        assert_non_null(strstr(text, number));
        spcc_free(text);
    }
}

/* ---- other forms ---- */

static void conversion(void **state)
{
    spcc_tensor *one = figure_as(*state, "csf"), *parts, *back, *narrow;
    expect(*state, SPCC_OK, spcc_tensor_convert(*state, one, "heavy(3)", SPCC_F64, NULL, &parts));
    expect(*state, SPCC_OK, spcc_tensor_convert(*state, parts, "csf", SPCC_F64, NULL, &back));
    assert_int_equal(spcc_tensor_stored(back), 8);
    assert_memory_equal(spcc_tensor_values(back), spcc_tensor_values(one), 8 * sizeof(double));
    spcc_tensor_free(back);
    expect(*state, SPCC_OK, spcc_tensor_convert(*state, parts, "csf-all", SPCC_I32, NULL, &narrow));
    assert_true(spcc_tensor_is_repeated(narrow) && !spcc_tensor_is_repeated(parts));
    assert_int_equal(spcc_tensor_parts(narrow), 3);
    assert_int_equal(spcc_tensor_stored(narrow), 8);
    assert_int_equal(*(const int32_t *)spcc_tensor_values(spcc_tensor_part(narrow, 0)), 7);
    assert_int_equal(spcc_tensor_bytes(parts), spcc_tensor_bytes(spcc_tensor_part(parts, 0))
                                                   + spcc_tensor_bytes(spcc_tensor_part(parts, 1)));
    spcc_tensor_trim(narrow);
    spcc_tensor_free(narrow);
    spcc_tensor_free(parts);
    spcc_tensor_free(one);
}

static void looking(void **state)
{
    spcc_tensor *parts = figure_as(*state, "mmcsf(static)");
    spcc_statistics *stats;
    int64_t counts[4];
    expect(*state, SPCC_OK, spcc_tensor_statistics(*state, parts, &stats));
    assert_int_equal(stats->stored, 8);
    assert_int_equal(stats->modes[0].most, 3);
    spcc_statistics_free(stats);
    expect(*state, SPCC_OK, spcc_tensor_density(*state, parts, 0, 2, 2, 2, counts));
    assert_int_equal(counts[0] + counts[1] + counts[2] + counts[3], 8);
    assert_int_equal(spcc_tensor_levels(parts), 0);
    assert_null(spcc_tensor_values(parts));
    assert_null(spcc_tensor_array(parts, 0, 0).at);
    assert_null(spcc_tensor_take_array(parts, 0, 0));
    assert_null(spcc_tensor_take_values(parts));
    spcc_tensor_free(parts);
}

static void mistakes(void **state)
{
    static const int64_t sizes[] = {6, 6};
    static const char *const statement = "Y(i,k) = X(i,j,k)";
    const spcc_tensor_options one = {.size = sizeof one, .fill = "1"};
    spcc_tensor *X = figure_as(*state, "heavy(3)"), *whole = figure_as(*state, "csf"),
                *three = figure_as(*state, "part(csf; coo; csf:2,1,0)"), *Y, *none;
    spcc_kernel *kernel;
    expect(*state, SPCC_ERROR_FORMAT,
           spcc_tensor_new(*state, "mmcsf", SPCC_F64, 2, sizes, NULL, &none));
    expect_message(*state, "made from components");
    expect(*state, SPCC_ERROR_FORMAT,
           spcc_tensor_from_coords(*state, "mmcsf", SPCC_F64, 3, figure_sizes, 8, figure,
                                   figure_values, &one, &none));
    expect_message(*state, "its fill is 0");
    expect(*state, SPCC_OK, spcc_tensor_new(*state, NULL, SPCC_F64, 2, sizes, NULL, &Y));
    const spcc_declaration declared[] = {{.name = "X", .tensor = X}};
    const spcc_compile_options options = {
        .size = sizeof options, .declarations = declared, .n_declarations = 1};
    expect(*state, SPCC_OK, spcc_compile(*state, statement, &options, &kernel));
    assert_int_equal(spcc_kernel_tensors(kernel), 2);
    assert_string_equal(spcc_kernel_tensor_name(kernel, 1), "X");
    expect(*state, SPCC_OK, spcc_run(*state, kernel, Y, X));
    assert_true(spcc_kernel_traffic(kernel, (spcc_tensor *[]){Y, X}, 2)
                >= spcc_tensor_bytes(X) + 36 * 8);
    expect(*state, SPCC_ERROR_BINDING, spcc_run(*state, kernel, Y, whole));
    expect_message(*state, "X is in one part, and the kernel was compiled for a tensor in parts");
    expect(*state, SPCC_ERROR_BINDING, spcc_run(*state, kernel, Y, three));
    expect_message(*state, "X has 3 parts, and the kernel was compiled for 2");
    expect(*state, SPCC_ERROR_BINDING, spcc_run(*state, kernel, X, X));
    expect(*state, SPCC_ERROR_ARGUMENT, spcc_run(*state, kernel, Y));
    expect_message(*state, "there is none for X");
    spcc_kernel_free(kernel);
    const spcc_declaration results[] = {{.name = "Y", .format = "part(csr; csc)"}};
    const spcc_compile_options as_result = {
        .size = sizeof as_result, .declarations = results, .n_declarations = 1};
    expect(*state, SPCC_ERROR_FORMAT, spcc_compile(*state, statement, &as_result, &kernel));
    expect_message(*state, "Y is a result, which is assembled in one part");
    spcc_tensor_free(X);
    spcc_tensor_free(Y);
    spcc_tensor_free(whole);
    spcc_tensor_free(three);
}

/* What the planner puts together is refused without it, and told where it does. */
static void put_together(void **state)
{
    static const struct {
        const char *statement, *word;
        int begin, end;
    } row[] = {{"Y(i,j) = exp(X(i,j)) * 3", "exp", 9, 12},
               {"Y(i,j) = X(i,k) * X(k,j)", "*", 16, 17},
               {"Y(i) = max(j, X(i,j))", "max", 7, 10}};
    const spcc_declaration declared[] = {{.name = "X", .format = "part(csr; csc)"}};
    spcc_compile_options options = {
        .size = sizeof options, .declarations = declared, .n_declarations = 1};
    for (size_t r = 0; r < sizeof row / sizeof *row; r++) {
        char *text, told[80];
        snprintf(told, sizeof told, "put together for %s", row[r].word);
        options.no_plan = false;
        expect(*state, SPCC_OK,
               spcc_emit(*state, row[r].statement, &options, SPCC_STAGE_EXPLAIN, &text));
        assert_non_null(strstr(text, told));
        spcc_free(text);
        options.no_plan = true;
        expect(*state, SPCC_ERROR_FORMAT,
               spcc_emit(*state, row[r].statement, &options, SPCC_STAGE_PLAN, &text));
        assert_int_equal(spcc_diagnostic_get(*state, 0)->begin, row[r].begin);
        assert_int_equal(spcc_diagnostic_get(*state, 0)->end, row[r].end);
    }
}

static void formats(void **state)
{
    static const struct {
        const char *format, *message;
    } row[] = {{"part()", "is missing"},
               {"part(csr; )", "is missing"},
               {"part(csr", "expected ')'"},
               {"part csr", "expected '('"},
               {"part(csr; mmcsf)", "no parts of its own"},
               {"part(csr; bcsr(2,2)) x", "expected the end"},
               {"heavy(0)", "at least one component"},
               {"heavy", "expected the number of components"},
               {"mmcsf(dynamic)", "expected 'static'"},
               {"part(csr; cssr)", "neither the name"}};
    static const int64_t sizes[] = {2, 2}, at[] = {0, 1};
    static const double value = 1;
    spcc_tensor *tensor;
    for (size_t r = 0; r < sizeof row / sizeof *row; r++) {
        expect(*state, SPCC_ERROR_FORMAT,
               spcc_tensor_from_coords(*state, row[r].format, SPCC_F64, 2, sizes, 1, at, &value,
                                       NULL, &tensor));
        expect_message(*state, row[r].message);
    }
    expect(
        *state, SPCC_ERROR_FORMAT,
        spcc_tensor_from_coords(*state, "mmcsf", SPCC_F64, 1, sizes, 1, at, &value, NULL, &tensor));
    expect_message(*state, "order 2 or more");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(figure_4),      cmocka_unit_test(sorted_figure_4),
        cmocka_unit_test(random_shares), cmocka_unit_test(heavy_slices),
        cmocka_unit_test(statements),    cmocka_unit_test(the_best_one),
        cmocka_unit_test(conversion),    cmocka_unit_test(looking),
        cmocka_unit_test(mistakes),      cmocka_unit_test(put_together),
        cmocka_unit_test(formats),
    };
    return cmocka_run_group_tests(tests, setup_context, teardown_context);
}
