/* test_statement.c - statements without tensors: what they name, what they become, and what is
 * wrong with them.
 *
 * SPDX-License-Identifier: MIT
 */
#include "tests/api/support.h"

/* ---- what they name ---- */

static void names_and_variables(void **state)
{
    spcc_statement *s;
    expect(*state, SPCC_OK, spcc_statement_parse(*state, "y(i) += A(i,k) * x(k) + c * A(k,i)", &s));
    assert_int_equal(spcc_statement_tensors(s), 4);
    assert_true(spcc_statement_is_compound(s));
    assert_string_equal(spcc_statement_tensor_name(s, 0), "y");
    assert_string_equal(spcc_statement_tensor_name(s, 1), "A");
    assert_string_equal(spcc_statement_tensor_name(s, 2), "x");
    assert_string_equal(spcc_statement_tensor_name(s, 3), "c");
    assert_null(spcc_statement_tensor_name(s, 4));
    assert_null(spcc_statement_tensor_name(s, -1));
    assert_int_equal(spcc_statement_tensor_order(s, 1), 2);
    assert_int_equal(spcc_statement_tensor_order(s, 3), 0);
    assert_string_equal(spcc_statement_variable(s, 1, 0), "i");
    assert_string_equal(spcc_statement_variable(s, 1, 1), "k");
    assert_null(spcc_statement_variable(s, 1, 2));
    assert_null(spcc_statement_variable(s, 3, 0));
    static const int used[] = {0, 1, 2, 3, 1};
    /* the compound assignment reads y, which stands there once */
    assert_int_equal(spcc_statement_uses(s), 5);
    for (int u = 0; u < 5; u++)
        assert_int_equal(spcc_statement_use_tensor(s, u), used[u]);
    assert_int_equal(spcc_statement_use_tensor(s, 5), -1);
    assert_string_equal(spcc_statement_use_variable(s, 4, 0), "k");
    assert_string_equal(spcc_statement_use_variable(s, 4, 1), "i");
    assert_null(spcc_statement_use_variable(s, 4, 2));
    assert_null(spcc_statement_use_variable(s, 3, 0));
    spcc_statement_free(s);
    expect(*state, SPCC_OK, spcc_statement_parse(*state, "y(i) = A(i,07) - y(i)", &s));
    assert_true(spcc_statement_is_compound(s));
    assert_string_equal(spcc_statement_variable(s, 1, 1), "7");
    assert_int_equal(spcc_statement_variables(s), 1);
    spcc_statement_free(s);
    expect(*state, SPCC_OK, spcc_statement_parse(*state, "y = 1", &s));
    assert_false(spcc_statement_is_compound(s));
    assert_int_equal(spcc_statement_tensors(s), 1);
    spcc_statement_free(s);
}

/* ---- a format for the result ---- */

static void result_formats(void **state)
{
    static const struct {
        const char *statement, *A, *B, *fill, *format;
    } cases[] = {
        {"C(i,j) = A(i,k) * B(k,j)", "csr", "csr", NULL, "csr"},
        {"C(i,j) = A(i,k) * B(k,j)", "coo", "coo", NULL, "dcsr"},
        {"C(i,j) = A(i,j) + B(i,j)", "csc", "csr", NULL, "csr"},
        {"C(i,j) = A(i,j) + B(i,j)", "csc", "csc", NULL, "csc"},
        {"C(i,j) = A(i,k) * B(k,j)", "csc", "csc", NULL, "csc"},
        {"C(i,j) = A(i,k) * B(k,j)", "csr", "csc", NULL, "csr"},
        {"C(i,j) = A(j,i)", "csr", NULL, NULL, "csc"},
        {"C(i,j) = A(j,i)", "dcsr", NULL, NULL, "dcsc"},
        {"C(i,j) = A(j,i)", "csc", NULL, NULL, "csr"},
        {"C(i,j) = A(i,j) + B(i,j)", "csr", NULL, NULL, NULL}, /* B is dense */
        /* a product with one factor that is not full */
        {"C(i,j) = A(i,j) * B(i,j)", "csr", "dense", NULL, "csr"},
        {"C(i,j) = A(i,j) * B(i,j)", "csc", "dense", NULL, "csc"},
        {"C(i,j) = A(i,j) * x(j)", "csr", NULL, NULL, "csr"},
        {"C(i,j) = x(i) * A(i,j) * x(j)", "bcsr(2,2)", NULL, NULL, "csr"},
        {"C(i,j) = A(i,j) * D(i,k) * E(k,j)", "csr", NULL, NULL, "csr"},
        {"C(i,j) = A(i,j) * D(i,k) * E(k,j)", "csc", NULL, NULL, "csc"},
        {"C(i,j) = A(i,j) * x(j)", "coo", NULL, NULL, "dcsr"},
        {"C(i,j) = A(i,j,k) * x(k)", "csf", NULL, NULL, "csr"},
        {"C(i,j,k) = A(i,j,k) * x(k)", "dss", NULL, NULL, "dss"},
        {"C(i,r) = A(i,j,k) * D(j,r) * E(k,r)", "csf", NULL, NULL, NULL},
        {"C(i,j) = A(i) * x(j)", "sparse", NULL, NULL, "sd"},
        {"C(i,j,k) = A(i,j) * x(k)", "coo", NULL, NULL, "ssd"},
        {"C(i,j,r) = A(i,j,k) * D(k,r)", "csf", NULL, NULL, "dsd"},
        {"C(j,r,i) = A(i,j,k) * D(k,r)", "csf", NULL, NULL, "dsd:2,0,1"},
        {"C(i) = A(i,j) * x(j)", "csr", NULL, NULL, NULL},
        {"C(i) = A(i,j) * x(j)", "coo", NULL, NULL, NULL},
        {"C(j) = A(i,j) * x(i)", "csr", NULL, NULL, NULL},
        {"C(i,k) = A(i,j) * D(j,k)", "csr", NULL, NULL, NULL},
        {"C(i,k) = D(i,j) * A(j,k)", "csr", NULL, NULL, NULL},
        {"C(i,j) = min(A(i,j), abs(D(i,j)))", "csr", NULL, "inf", NULL},
        {"C(i,j) = A(i,j) / D(i,j)", "csr", NULL, NULL, "csr"},
        {"C(i,j) = max(A(i,j), D(i,j))", "csr", NULL, "inf", NULL},
        {"C(i,j) = D(i,j) / A(i,j)", "csr", NULL, NULL, NULL},
        {"C(i,j) = select(A(i,j), D(i,j), 0)", "csr", NULL, NULL, "csr"},
        {"C(i) = A(i,j)", "csr", NULL, NULL, NULL}, /* every row is there */
        {"C(j) = A(i,j)", "csr", NULL, NULL, "sparse"},
        {"C(i) = A(i)", "bitmap", NULL, NULL, "sparse"},
        {"C(i,j,k) = A(i,j) * B(j,k)", "csr", "csr", NULL, "dss"},
        {"C(i,j,k) = A(i,j,k)", "csf", NULL, NULL, "csf"},
        /* which is nowhere the fill */
        {"C(i,j) = A(i,j) + 1", "csr", NULL, NULL, NULL},
        {"C(i,j) = s * A(i,j)", "csr", NULL, NULL, "csr"},
        {"C(i,j) = A(i,j)", "csr", NULL, "inf", NULL},
        {"C(i,j) = exp(A(i,j)) - 1", "csr", NULL, NULL, "csr"},
        {"C(i,j) += A(i,j)", "csr", NULL, NULL, "csr"},
        {"C = A(i,j)", "csr", NULL, NULL, NULL},
        {"C(i,j) = 1", NULL, NULL, NULL, NULL},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        const spcc_declaration declared[] = {
            {.name = "A", .format = cases[c].A, .fill = cases[c].fill},
            {.name = "B", .format = cases[c].B}};
        const spcc_compile_options options = {.size = sizeof options,
                                              .declarations = declared,
                                              .n_declarations = strchr(cases[c].statement, 'B') ? 2
                                                                : strchr(cases[c].statement, 'A')
                                                                    ? 1
                                                                    : 0};
        char *format;
        expect(*state, SPCC_OK, spcc_result_format(*state, cases[c].statement, &options, &format));
        if (cases[c].format && format)
            assert_string_equal(format, cases[c].format);
        else if (cases[c].format || format)
            fail_msg("%s: %s, not %s", cases[c].statement, format ? format : "dense",
                     cases[c].format);
        spcc_free(format);
    }
    char *format;
    expect(*state, SPCC_ERROR_STATEMENT, spcc_result_format(*state, "C(i) = ", NULL, &format));
    assert_null(format);
    assert_int_equal(spcc_result_format(*state, "C = 1", NULL, NULL), SPCC_ERROR_ARGUMENT);
}

/* One of those that the caller can hold. */
static void result_formats_held(void **state)
{
    static const char *const lists[][5] = {{"csr", "csc", "coo", "dense"}, {"dense", "coo"},
                                           {"coo", "dcsr", "csc"},         {"dense", "csr"},
                                           {"csr(nonsense)", NULL, "ss"},  {"csf", "sparse"}};
    static const struct {
        const char *statement, *A, *B;
        int taken[6]; /* of each list */
    } cases[] = {
        {"C(i,j) = A(i,k) * B(k,j)", "csr", "csr", {0, 1, 2, 1, 2, 0}},
        {"C(i,j) = A(i,k) * B(k,j)", "csc", "csc", {1, 1, 2, 1, 2, 0}},
        {"C(i,j) = A(i,k) + B(k,j)", "csr", "dense", {3, 0, 2, 0, 1, 0}},
        {"C(i,j) = A(i,j) * B(i,j)", "csr", "dense", {0, 1, 2, 1, 2, 0}},
        {"C(i) = A(i,j) * B(i,j)", "csr", "dense", {3, 0, 0, 0, 1, 0}},
        {"C(i) = A(i,j) * B(i,j)", "coo", "coo", {2, 1, 0, 0, 1, 0}},
    };
    enum { LISTS = sizeof lists / sizeof *lists };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        const spcc_declaration declared[] = {{.name = "A", .format = cases[c].A},
                                             {.name = "B", .format = cases[c].B}};
        const spcc_compile_options options = {
            .size = sizeof options, .declarations = declared, .n_declarations = 2};
        for (int l = 0; l < LISTS; l++) {
            int n = 0, taken;
            while (n < 5 && (lists[l][n] || n == 1))
                n++;
            expect(*state, SPCC_OK,
                   spcc_result_format_among(*state, cases[c].statement, &options, 0, lists[l], n,
                                            &taken));
            if (taken != cases[c].taken[l])
                fail_msg("%s, A %s, B %s, list %d: %d, not %d", cases[c].statement, cases[c].A,
                         cases[c].B, l, taken, cases[c].taken[l]);
        }
    }
    int taken;
    expect(*state, SPCC_ERROR_ARGUMENT,
           spcc_result_format_among(*state, "C(i) = x(i)", NULL, 0, (const char *[]){"csr"}, 1,
                                    &taken));
    assert_int_equal(taken, -1);
    assert_int_equal(spcc_result_format_among(*state, "C = 1", NULL, 0, NULL, 0, &taken),
                     SPCC_ERROR_ARGUMENT);
}

/* ---- what they become ---- */

static void stages(void **state)
{
    static const struct {
        spcc_stage stage;
        const char *part;
    } stages[] = {
        {SPCC_STAGE_C, "int spmv("},
        {SPCC_STAGE_HEADER, "int spmv("},
        {SPCC_STAGE_NOTATION, "sum(j"},
        {SPCC_STAGE_CONCRETE, "forall"},
        {SPCC_STAGE_PLAN, "forall"},
        {SPCC_STAGE_LATTICE, "A"},
        {SPCC_STAGE_LATTICE_DOT, "digraph"},
        {SPCC_STAGE_IMPERATIVE, "A_vals"},
        {SPCC_STAGE_EXPLAIN, "forall"},
        {SPCC_STAGE_GRAPH_DOT, "digraph"},
        {SPCC_STAGE_GRAPH_SVG, "2 compressed"},
        {SPCC_STAGE_LATTICE_SVG, "{A(i,j).2}"},
        {SPCC_STAGE_PASSES, "hoist: "},
    };
    const spcc_declaration declarations[] = {{.name = "A", .format = "csr", .type = "f32"}};
    spcc_compile_options options = {.size = sizeof options,
                                    .declarations = declarations,
                                    .n_declarations = 1,
                                    .name = "spmv",
                                    .command = "make it so"};
    for (size_t k = 0; k < sizeof stages / sizeof *stages; k++) {
        char *text = NULL;
        expect(*state, SPCC_OK,
               spcc_emit(*state, "y(i) = A(i,j) * x(j)", &options, stages[k].stage, &text));
        assert_non_null(text);
        if (!strstr(text, stages[k].part))
            fail_msg("stage %d has no '%s':\n%s", stages[k].stage, stages[k].part, text);
        if (stages[k].stage == SPCC_STAGE_C)
            assert_non_null(strstr(text, "make it so"));
        spcc_free(text);
    }
}

static void stages_that_are_none(void **state)
{
    char *text = (char *)"";
    spcc_compile_options options = {.size = sizeof options, .kind = SPCC_SPLIT};
    expect(*state, SPCC_ERROR_ARGUMENT, spcc_emit(*state, "y = 1", NULL, (spcc_stage)99, &text));
    assert_null(text);
    expect(*state, SPCC_ERROR_ARGUMENT, spcc_emit(*state, "y = 1", &options, SPCC_STAGE_C, &text));
    expect(*state, SPCC_ERROR_ARGUMENT, spcc_emit(*state, NULL, NULL, SPCC_STAGE_C, &text));
    assert_int_equal(spcc_emit(*state, "y = 1", NULL, SPCC_STAGE_C, NULL), SPCC_ERROR_ARGUMENT);
}

/* The two functions of a result whose pattern is fixed. */
static void assemble_and_compute_sources(void **state)
{
    const spcc_declaration csr[] = {{.name = "A", .format = "csr"}, {.name = "C", .format = "csr"}};
    spcc_compile_options options = {
        .size = sizeof options, .declarations = csr, .n_declarations = 2};
    char *text;
    options.kind = SPCC_ASSEMBLE;
    expect(*state, SPCC_OK,
           spcc_emit(*state, "C(i,j) = 2 * A(i,j)", &options, SPCC_STAGE_C, &text));
    assert_non_null(strstr(text, "int assemble("));
    assert_non_null(strstr(text, "**"));
    spcc_free(text);
    options.kind = SPCC_COMPUTE;
    expect(*state, SPCC_OK,
           spcc_emit(*state, "C(i,j) = 2 * A(i,j)", &options, SPCC_STAGE_C, &text));
    assert_non_null(strstr(text, "int compute("));
    spcc_free(text);
}

/* Vectors are as long as asked for; shorter ones by default, whatever this machine has. */
static void vector_lengths(void **state)
{
    static const struct {
        int bits;
        const char *part;
    } lengths[] = {
        {0, "vector_size(32)"},
        {256, "vector_size(32)"},
        {512, "vector_size(64)"},
    };
    for (size_t k = 0; k < sizeof lengths / sizeof *lengths; k++) {
        spcc_compile_options options = {.size = sizeof options, .vector_bits = lengths[k].bits};
        char *text;
        expect(*state, SPCC_OK,
               spcc_emit(*state, "y(i) = A(i,j) * x(j)", &options, SPCC_STAGE_C, &text));
        assert_non_null(strstr(text, lengths[k].part));
        spcc_free(text);
    }
}

/* Plain code has no vectors, whatever their length, and says with which command it was made. */
static void plain(void **state)
{
    spcc_compile_options options = {.size = sizeof options, .vector_bits = 512, .plain = true};
    char *text;
    expect(*state, SPCC_OK,
           spcc_emit(*state, "y(i) = A(i,j) * sqrt(x(j))", &options, SPCC_STAGE_C, &text));
    assert_null(strstr(text, "vector"));
    assert_null(strstr(text, "__builtin"));
    assert_non_null(strstr(text, "#include <math.h>\n"));
    assert_non_null(strstr(text, "spcc 'y(i) = A(i,j) * sqrt(x(j))' --plain\n"));
    spcc_free(text);
}

static int occurrences(const char *text, const char *part)
{
    int n = 0;
    for (; (text = strstr(text, part)); text += strlen(part))
        n++;
    return n;
}

/* Three loops append: what makes room for them stands once, and variables of two of them have the
 * same names.  Of a sum, which has no more than its operands, nothing grows. */
static void growth(void **state)
{
    static const spcc_declaration csr[] = {
        {.name = "A", .format = "csr"},
        {.name = "B", .format = "csr"},
        {.name = "C", .format = "csr"},
        {.name = "D", .format = "csr"},
    };
    for (int plain = 0; plain < 2; plain++) {
        spcc_compile_options options = {.size = sizeof options,
                                        .declarations = csr,
                                        .n_declarations = 4,
                                        .name = "sum",
                                        .plain = plain,
                                        .serial = true};
        char *text;
        expect(
            *state, SPCC_OK,
            spcc_emit(*state, "A(i,j) = B(i,j) * C(i,j) + D(i,j)", &options, SPCC_STAGE_C, &text));
        assert_int_equal(occurrences(text, plain ? " = realloc(" : "*)reallocate_array("), 2);
        assert_int_equal(occurrences(text, " int32_t j = "), 2);
        assert_int_equal(occurrences(text, "&& !sum_grow_A2(&A2_capacity, &A2_crd, &A_vals"), 3);
        spcc_free(text);
        options.n_declarations = 3;
        expect(*state, SPCC_OK,
               spcc_emit(*state, "A(i,j) = B(i,j) + C(i,j)", &options, SPCC_STAGE_C, &text));
        assert_null(strstr(text, plain ? "realloc(" : "reallocate_array"));
        spcc_free(text);
    }
}

static void function_names(void **state)
{
    static const char *const wrong[] = {"",      "1x",   "a b", "a-b",      "int",
                                        "class", "main", "_x",  "\303\251", "f("};
    spcc_compile_options options = {.size = sizeof options};
    char *text;
    for (size_t w = 0; w < sizeof wrong / sizeof *wrong; w++) {
        options.name = wrong[w];
        expect(*state, SPCC_ERROR_ARGUMENT,
               spcc_emit(*state, "y = 1", &options, SPCC_STAGE_C, &text));
    }
    options.name = "classes_2";
    expect(*state, SPCC_OK, spcc_emit(*state, "y = 1", &options, SPCC_STAGE_C, &text));
    assert_non_null(strstr(text, "int classes_2("));
    spcc_free(text);
}

static void tables(void **state)
{
    static const struct {
        spcc_table table;
        const char *part;
    } tables[] = {
        {SPCC_TABLE_LEVELS, "compressed"},
        {SPCC_TABLE_TYPES, "c128"},
        {SPCC_TABLE_OPERATORS, "select(a, b, c)"},
        {SPCC_TABLE_SCHEDULES, "reorder"},
        {SPCC_TABLE_FORMATS, "dcsr          compressed sparse rows, without"},
    };
    char *text;
    for (size_t k = 0; k < sizeof tables / sizeof *tables; k++) {
        expect(*state, SPCC_OK, spcc_describe(*state, tables[k].table, &text));
        if (!strstr(text, tables[k].part))
            fail_msg("table %d has no '%s':\n%s", tables[k].table, tables[k].part, text);
        spcc_free(text);
    }
    expect(*state, SPCC_ERROR_ARGUMENT, spcc_describe(*state, (spcc_table)99, &text));
    assert_null(text);
}

/* ---- what is wrong with them ---- */

struct wrong {
    const char *statement, *schedule;
    spcc_status status;
    int code, column;
};

static void wrong_statements(void **state)
{
    static const struct wrong wrong[] = {
        {"y(i) = A(i,j) *", NULL, SPCC_ERROR_STATEMENT, 101, 16},
        {"y(i) = A(i,j) * * x(j)", NULL, SPCC_ERROR_STATEMENT, 101, 17},
        {"y(i) = A(i,j) + A(i)", NULL, SPCC_ERROR_STATEMENT, 202, 17},
        {"y(i,j) = A(i,j) + y(j,i)", NULL, SPCC_ERROR_STATEMENT, 205, 0},
        {"y(i) = y(0) + 1", NULL, SPCC_ERROR_STATEMENT, 205, 0},
        {"y(i) = A(i,j) * x(j)", "reorder(i,q)", SPCC_ERROR_SCHEDULE, 0, 0},
        {"y(i) = A(i,j) * x(j)", "nonsense(i)", SPCC_ERROR_SCHEDULE, 0, 0},
    };
    for (size_t w = 0; w < sizeof wrong / sizeof *wrong; w++) {
        spcc_compile_options options = {.size = sizeof options, .schedule = wrong[w].schedule};
        spcc_kernel *kernel = (spcc_kernel *)&options;
        expect(*state, wrong[w].status,
               spcc_compile(*state, wrong[w].statement, &options, &kernel));
        assert_null(kernel);
        const spcc_diagnostic *d = spcc_diagnostic_get(*state, 0);
        assert_non_null(d);
        assert_int_equal(d->status, wrong[w].status);
        assert_int_equal(d->severity, SPCC_SEVERITY_ERROR);
        if (wrong[w].code)
            assert_int_equal(d->code, wrong[w].code);
        if (wrong[w].column)
            assert_int_equal(d->column, wrong[w].column);
        assert_int_equal(d->line, 1);
        assert_non_null(strchr(spcc_message(*state), '^'));
        spcc_statement *parsed;
        if (wrong[w].code == 101)
            expect(*state, SPCC_ERROR_STATEMENT,
                   spcc_statement_parse(*state, wrong[w].statement, &parsed));
    }
}

static void wrong_declarations(void **state)
{
    static const struct {
        spcc_declaration declaration;
        spcc_status status;
    } wrong[] = {
        {{.name = "A", .format = "csq"}, SPCC_ERROR_FORMAT},
        {{.name = "A", .format = "dsd"}, SPCC_ERROR_FORMAT},
        {{.name = "A", .fill = "abc"}, SPCC_ERROR_FORMAT},
        {{.name = "A", .type = "f17"}, SPCC_ERROR_STATEMENT},
        {{.name = "Q", .format = "csr"}, SPCC_ERROR_STATEMENT},
        {{.format = "csr"}, SPCC_ERROR_ARGUMENT},
    };
    for (size_t w = 0; w < sizeof wrong / sizeof *wrong; w++) {
        spcc_compile_options options = {
            .size = sizeof options, .declarations = &wrong[w].declaration, .n_declarations = 1};
        spcc_kernel *kernel;
        expect(*state, wrong[w].status,
               spcc_compile(*state, "y(i) = A(i,j) * x(j)", &options, &kernel));
        assert_null(kernel);
    }
}

static void wrong_options(void **state)
{
    spcc_kernel *kernel;
    const spcc_variable_size sizes[] = {{NULL, 3}}, negative[] = {{"i", -1}};
    spcc_compile_options options = {.size = sizeof options, .kind = (spcc_kind)9};
    expect(*state, SPCC_ERROR_ARGUMENT, spcc_compile(*state, "y = 1", &options, &kernel));
    options = (spcc_compile_options){.size = sizeof options, .engine = (spcc_engine)9};
    expect(*state, SPCC_ERROR_ARGUMENT, spcc_compile(*state, "y = 1", &options, &kernel));
    options = (spcc_compile_options){.size = sizeof options, .n_declarations = 1};
    expect(*state, SPCC_ERROR_ARGUMENT, spcc_compile(*state, "y = 1", &options, &kernel));
    options = (spcc_compile_options){.size = sizeof options, .sizes = sizes, .n_sizes = 1};
    expect(*state, SPCC_ERROR_ARGUMENT, spcc_compile(*state, "y = 1", &options, &kernel));
    static const int lengths[] = {-256, 1, 128, 1024};
    for (size_t k = 0; k < sizeof lengths / sizeof *lengths; k++) {
        spcc_compile_options vectors = {.size = sizeof vectors, .vector_bits = lengths[k]};
        expect(*state, SPCC_ERROR_ARGUMENT, spcc_compile(*state, "y = 1", &vectors, &kernel));
        expect_message(*state, "vector_bits");
    }
    options.sizes = negative;
    expect(*state, SPCC_ERROR_ARGUMENT, spcc_compile(*state, "y = 1", &options, &kernel));
    spcc_tensor *A = sample(*state, "csr");
    const spcc_declaration both[] = {{.name = "A", .tensor = A, .format = "csr"}};
    options =
        (spcc_compile_options){.size = sizeof options, .declarations = both, .n_declarations = 1};
    expect(*state, SPCC_ERROR_ARGUMENT, spcc_compile(*state, "y = 1", &options, &kernel));
    expect_message(*state, "A is declared");
    spcc_tensor_free(A);
}

static void what_cannot_be_lowered_yet(void **state)
{
    const spcc_declaration sparse[] = {{.name = "C", .format = "csr"},
                                       {.name = "A", .format = "csr"},
                                       {.name = "B", .format = "csc"}};
    spcc_compile_options options = {
        .size = sizeof options, .declarations = sparse, .n_declarations = 3};
    spcc_kernel *kernel;
    spcc_status status = spcc_compile(*state, "C(i,j) = A(i,j) + B(i,j)", &options, &kernel);
    if (status != SPCC_OK) { /* until operands in conflicting orders are converted */
        expect(*state, SPCC_ERROR_UNSUPPORTED, status);
        assert_in_range(spcc_diagnostic_get(*state, 0)->code, 500, 599);
    }
    spcc_kernel_free(kernel);
}

/* Several mistakes are reported at once; the next call forgets them. */
static void messages_last_one_call(void **state)
{
    spcc_kernel *kernel;
    expect(*state, SPCC_ERROR_STATEMENT, spcc_compile(*state, "y(i = A(i,j * x(j)", NULL, &kernel));
    assert_true(spcc_diagnostic_count(*state) >= 1);
    spcc_tensor *A = sample(*state, "csr");
    assert_string_equal(spcc_message(*state), "");
    assert_int_equal(spcc_diagnostic_count(*state), 0);
    spcc_tensor_free(A);
}

/* Lines and columns count characters of the text, not bytes. */
static void places(void **state)
{
    spcc_kernel *kernel;
    expect(*state, SPCC_ERROR_STATEMENT,
           spcc_compile(*state, "y(i) =\n  A(i,j) * * x(j)", NULL, &kernel));
    const spcc_diagnostic *d = spcc_diagnostic_get(*state, 0);
    assert_int_equal(d->line, 2);
    assert_int_equal(d->column, 12);
    assert_int_equal(d->begin, 18);
    assert_string_equal(d->source, "expression");
}

/* ---- engines ---- */

static void engines(void **state)
{
    char *text;
    expect(*state, SPCC_OK, spcc_engine_describe(*state, SPCC_ENGINE_INTERP, &text));
    assert_non_null(text);
    spcc_free(text);
    expect(*state, SPCC_ERROR_ARGUMENT, spcc_engine_describe(*state, SPCC_ENGINE_AUTO, &text));
    assert_null(text);
}

static spcc_context *for_target(const char *target)
{
    spcc_options options = {.size = sizeof options, .cache = "", .target = target};
    spcc_context *context;
    assert_int_equal(spcc_context_new(&options, &context), SPCC_OK);
    return context;
}

static void targets(void **state)
{
    static const char *const name[] = {"native", "generic", "x86-64"};
    char *text;
    (void)state;
    for (size_t t = 0; t < 3; t++) {
        spcc_context *context = for_target(name[t]);
        expect(context, SPCC_OK, spcc_target_describe(context, &text));
        assert_int_equal(strncmp(text, "# ", 2), 0);
        assert_int_equal(strncmp(text + 2, name[t], strlen(name[t])), 0);
        assert_non_null(strstr(text, "\nvector_bytes "));
        spcc_free(text);
        expect(context, SPCC_OK, spcc_emit(context, "a = x(i) * y(i)", NULL, SPCC_STAGE_C, &text));
        assert_true(t == 0 || !strstr(text, t == 1 ? "f64x2" : "f64x4"));
        spcc_free(text);
        spcc_context_free(context);
    }
    spcc_context *context = for_target("nowhere");
    spcc_kernel *kernel;
    expect(context, SPCC_ERROR_ARGUMENT, spcc_target_describe(context, &text));
    assert_null(text);
    expect(context, SPCC_ERROR_ARGUMENT, spcc_compile(context, "y(i) = x(i)", NULL, &kernel));
    expect_message(context, "there is no target 'nowhere'");
    spcc_context_free(context);
}

static spcc_context *without_compilers(spcc_engine asked)
{
    spcc_options options = {.size = sizeof options,
                            .engine = asked,
                            .cache = "",
                            .cc = "/nowhere/cc",
                            .plugin = "/nowhere/plugin.so"};
    spcc_context *context;
    assert_int_equal(spcc_context_new(&options, &context), SPCC_OK);
    return context;
}

static void engines_that_are_not_there(void **state)
{
    static const spcc_engine engines[] = {SPCC_ENGINE_CLANG, SPCC_ENGINE_CC};
    for (size_t e = 0; e < 2; e++) {
        spcc_context *context = without_compilers(engines[e]);
        spcc_kernel *kernel;
        char *text;
        expect(context, SPCC_ERROR_COMPILER, spcc_compile(context, "y(i) = x(i)", NULL, &kernel));
        assert_int_equal(spcc_diagnostic_get(context, 0)->code, 701);
        expect(context, SPCC_ERROR_COMPILER, spcc_engine_describe(context, engines[e], &text));
        expect_message(context, "/nowhere/");
        spcc_context_free(context);
    }
}

/* Without any compiler the answer is still right, and that it is slow is noted. */
static void falling_back(void **state)
{
    static const double values[] = {1, 2};
    spcc_context *context = without_compilers(SPCC_ENGINE_AUTO);
    spcc_tensor *x = dense_vector(context, 2, values), *y = empty(context, NULL, 1);
    spcc_kernel *kernel;
    expect(context, SPCC_OK, spcc_compile(context, "y(i) = 2 * x(i)", NULL, &kernel));
    const spcc_kernel_info *info = spcc_kernel_get_info(kernel);
    assert_int_equal(info->engine, SPCC_ENGINE_INTERP);
    assert_true(info->fallback);
    assert_non_null(strstr(info->note, "/nowhere/"));
    assert_int_equal(spcc_diagnostic_count(context), 1);
    assert_int_equal(spcc_diagnostic_get(context, 0)->severity, SPCC_SEVERITY_NOTE);
    expect_message(context, "note: the kernel is interpreted");
    expect(context, SPCC_OK, spcc_run(context, kernel, y, x));
    assert_true(((const double *)spcc_tensor_values(y))[1] == 4);
    spcc_tensor_free(x);
    spcc_tensor_free(y);
    spcc_kernel_free(kernel);
    spcc_context_free(context);
}

static void types_of_results(void **state)
{
    static const struct {
        const char *statement, *A, *B;
        spcc_type type;
    } cases[] = {
        {"C(i) = 2 * A(i)", "i32", "i8", SPCC_I32},
        {"C(i) = 2.5 * A(i)", "i32", "i8", SPCC_F64},
        {"C(i) = A(i) / B(i)", "i32", "i8", SPCC_I32},
        {"C(i) = A(i) * B(i)", "u64", "i8", SPCC_F64},
        {"C(i) = sqrt(A(i))", "i8", "i8", SPCC_F64},
        {"C(i) = A(i) > B(i)", "i32", "f32", SPCC_BOOL},
        {"C = sum(i, A(i) > B(i))", "i32", "f32", SPCC_I64},
        {"C = A(i)", "bool", "f32", SPCC_BOOL},
        {"C = A(i) * B(i)", "bool", "bool", SPCC_BOOL},
        {"C(i) = abs(A(i))", "c64", "i8", SPCC_F32},
        {"C(i) += A(i)", "i8", "i8", SPCC_F32}, /* as declared: it is read */
    };
    spcc_type type;
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        const char *statement = cases[c].statement;
        spcc_declaration declared[] = {{.name = "C", .type = "f32"},
                                       {.name = "A", .type = cases[c].A},
                                       {.name = "B", .type = cases[c].B}};
        const spcc_compile_options options = {.size = sizeof options,
                                              .declarations = declared,
                                              .n_declarations = strchr(statement, 'B') ? 3 : 2};
        expect(*state, SPCC_OK, spcc_result_type(*state, statement, &options, 0, &type));
        if (type != cases[c].type)
            fail_msg("%s: %s", statement, spcc_type_name(type));
    }
    expect(*state, SPCC_ERROR_ARGUMENT, spcc_result_type(*state, "C = D(i)", NULL, 1, &type));
    expect(*state, SPCC_ERROR_STATEMENT, spcc_result_type(*state, "C(i) = ", NULL, 0, &type));
    assert_int_equal(spcc_result_type(*state, "C = 1", NULL, 0, NULL), SPCC_ERROR_ARGUMENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(names_and_variables),
        TEST(result_formats),
        TEST(types_of_results),
        TEST(result_formats_held),
        TEST(stages),
        TEST(stages_that_are_none),
        TEST(assemble_and_compute_sources),
        TEST(vector_lengths),
        TEST(plain),
        TEST(growth),
        TEST(function_names),
        TEST(tables),
        TEST(wrong_statements),
        TEST(wrong_declarations),
        TEST(wrong_options),
        TEST(what_cannot_be_lowered_yet),
        TEST(messages_last_one_call),
        TEST(places),
        TEST(engines),
        TEST(targets),
        TEST(engines_that_are_not_there),
        TEST(falling_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
