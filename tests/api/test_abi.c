/* test_abi.c - what programs that are built already rely on: numbers, sizes, and options of another
 * version.
 *
 * SPDX-License-Identifier: MIT
 */
#include "tests/api/support.h"

/* Pinned: a number here never changes. */
static void status_numbers(void **state)
{
    assert_int_equal(SPCC_OK, 0);
    assert_int_equal(SPCC_ERROR_STATEMENT, 1);
    assert_int_equal(SPCC_ERROR_FORMAT, 2);
    assert_int_equal(SPCC_ERROR_SCHEDULE, 3);
    assert_int_equal(SPCC_ERROR_UNSUPPORTED, 4);
    assert_int_equal(SPCC_ERROR_TENSOR, 5);
    assert_int_equal(SPCC_ERROR_FILE, 6);
    assert_int_equal(SPCC_ERROR_LIMIT, 7);
    assert_int_equal(SPCC_ERROR_BINDING, 8);
    assert_int_equal(SPCC_ERROR_ARGUMENT, 9);
    assert_int_equal(SPCC_ERROR_MEMORY, 20);
    assert_int_equal(SPCC_ERROR_COMPILER, 21);
    assert_int_equal(SPCC_ERROR_SYSTEM, 22);
    assert_int_equal(SPCC_STOPPED, 40);
    assert_int_equal(SPCC_ERROR_BUG, 70);
    assert_string_equal(spcc_status_name(SPCC_ERROR_FILE), "SPCC_ERROR_FILE");
    assert_string_equal(spcc_status_text(SPCC_OK), "no error");
    assert_string_equal(spcc_status_name((spcc_status)1000), "SPCC_ERROR_UNKNOWN");
    assert_non_null(spcc_status_text((spcc_status)1000));
}

static void type_numbers(void **state)
{
    static const struct {
        spcc_type type;
        int number;
        const char *name;
        size_t bytes;
    } types[] = {
        {SPCC_F64, 0, "f64", 8},     {SPCC_F32, 1, "f32", 4},    {SPCC_I8, 2, "i8", 1},
        {SPCC_I16, 3, "i16", 2},     {SPCC_I32, 4, "i32", 4},    {SPCC_I64, 5, "i64", 8},
        {SPCC_U8, 6, "u8", 1},       {SPCC_U16, 7, "u16", 2},    {SPCC_U32, 8, "u32", 4},
        {SPCC_U64, 9, "u64", 8},     {SPCC_BOOL, 10, "bool", 1}, {SPCC_C64, 11, "c64", 8},
        {SPCC_C128, 12, "c128", 16},
    };
    assert_int_equal(sizeof types / sizeof *types, SPCC_TYPE_LAST + 1);
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        spcc_type parsed;
        assert_int_equal(types[i].type, types[i].number);
        assert_string_equal(spcc_type_name(types[i].type), types[i].name);
        assert_int_equal(spcc_type_size(types[i].type), types[i].bytes);
        assert_true(spcc_type_parse(types[i].name, &parsed));
        assert_int_equal(parsed, types[i].type);
    }
    spcc_type type;
    assert_true(spcc_type_parse("float", &type));
    assert_int_equal(type, SPCC_F32);
    assert_false(spcc_type_parse("f63", &type));
    assert_false(spcc_type_parse(NULL, &type));
    assert_null(spcc_type_name((spcc_type)99));
    assert_int_equal(spcc_type_size((spcc_type)99), 0);
}

/* On machines with 8-byte pointers; members are added at the ends only. */
static void structure_sizes(void **state)
{
    if (sizeof(void *) != 8)
        return;
    assert_int_equal(sizeof(spcc_options), 112);
    assert_int_equal(offsetof(spcc_options, blas), 104);
    assert_int_equal(offsetof(spcc_options, packs), 96);
    assert_int_equal(offsetof(spcc_options, target), 88);
    assert_int_equal(offsetof(spcc_options, cache), 16);
    assert_int_equal(offsetof(spcc_options, plugin), 40);
    assert_int_equal(offsetof(spcc_options, catch_crashes), 48);
    assert_int_equal(offsetof(spcc_tensor_info, pack_ms), 8);
    assert_int_equal(sizeof(spcc_tensor_options), 32);
    assert_int_equal(offsetof(spcc_tensor_options, trusted), 24);
    assert_int_equal(sizeof(spcc_read_options), 48);
    assert_int_equal(offsetof(spcc_read_options, dimensions), 32);
    assert_int_equal(offsetof(spcc_read_options, own_type), 40);
    assert_int_equal(offsetof(spcc_read_options, scalar), 41);
    assert_int_equal(offsetof(spcc_mode_statistics, deviation), 40);
    assert_int_equal(offsetof(spcc_statistics, formats), 40);
    assert_int_equal(offsetof(spcc_statistics, blocks), 80);
    assert_int_equal(sizeof(spcc_compile_options), 152);
    assert_int_equal(offsetof(spcc_compile_options, kind), 52);
    assert_int_equal(offsetof(spcc_compile_options, command), 72);
    assert_int_equal(offsetof(spcc_compile_options, vector_bits), 80);
    assert_int_equal(offsetof(spcc_compile_options, n_operators), 96);
    assert_int_equal(offsetof(spcc_compile_options, plain), 100);
    assert_int_equal(offsetof(spcc_compile_options, stored), 104);
    assert_int_equal(offsetof(spcc_compile_options, plan_for_tensors), 116);
    assert_int_equal(offsetof(spcc_compile_options, others), 120);
    assert_int_equal(offsetof(spcc_compile_options, algebra), 128);
    assert_int_equal(offsetof(spcc_compile_options, same), 136);
    assert_int_equal(sizeof(spcc_stored_number), 16);
    assert_int_equal(sizeof(spcc_declaration), 40);
    assert_int_equal(sizeof(spcc_variable_size), 16);
    assert_int_equal(sizeof(spcc_binding), 16);
    assert_int_equal(sizeof(spcc_array), 16);
    assert_int_equal(offsetof(spcc_diagnostic, message), 16);
    assert_int_equal(offsetof(spcc_diagnostic, help), 72);
    assert_int_equal(offsetof(spcc_kernel_info, note), 40);
    assert_int_equal(offsetof(spcc_cache_info, trouble), 32);
}

/* A program built with an older header gives a shorter structure, one with a newer header a
 * longer one. */
static void options_of_other_versions(void **state)
{
    struct {
        spcc_options options;
        void *later;
    } newer = {.options = {.size = sizeof newer, .index_bits = 64}};
    spcc_context *context;
    spcc_options options = {.size = offsetof(spcc_options, index_bits), .index_bits = 17};
    assert_int_equal(spcc_context_new(&options, &context), SPCC_OK);
    spcc_context_free(context);
    assert_int_equal(spcc_context_new(&newer.options, &context), SPCC_OK);
    spcc_context_free(context);
    newer.later = &newer;
    assert_int_equal(spcc_context_new(&newer.options, &context), SPCC_ERROR_ARGUMENT);
    assert_null(context);
}

static void no_release(void *user, void *array) {}

static void options_that_are_wrong(void **state)
{
    spcc_context *context;
    spcc_options options = {.size = 0};
    assert_int_equal(spcc_context_new(&options, &context), SPCC_ERROR_ARGUMENT);
    options = (spcc_options){.size = sizeof options, .index_bits = 16};
    assert_int_equal(spcc_context_new(&options, &context), SPCC_ERROR_ARGUMENT);
    options = (spcc_options){.size = sizeof options, .threads = -1};
    assert_int_equal(spcc_context_new(&options, &context), SPCC_ERROR_ARGUMENT);
    const spcc_allocator half = {.release = no_release};
    options = (spcc_options){.size = sizeof options, .allocator = &half};
    assert_int_equal(spcc_context_new(&options, &context), SPCC_ERROR_ARGUMENT);
    options = (spcc_options){.size = sizeof options, .engine = (spcc_engine)9};
    assert_int_equal(spcc_context_new(&options, &context), SPCC_ERROR_ARGUMENT);
    assert_int_equal(spcc_context_new(NULL, NULL), SPCC_ERROR_ARGUMENT);

    spcc_tensor *tensor;
    spcc_tensor_options none = {.size = 0};
    context = open_context(SPCC_ENGINE_INTERP);
    expect(context, SPCC_ERROR_ARGUMENT,
           spcc_tensor_new(context, NULL, SPCC_F64, 0, NULL, &none, &tensor));
    expect_message(context, "spcc_tensor_options");
    assert_null(tensor);
    spcc_context_free(context);
}

/* Every function that frees accepts NULL, and every one that asks says something harmless. */
static void null_is_harmless(void **state)
{
    spcc_context_free(NULL);
    spcc_tensor_free(NULL);
    spcc_kernel_free(NULL);
    spcc_statement_free(NULL);
    spcc_free(NULL);
    spcc_stop(NULL);
    spcc_clear_stop(NULL);
    assert_string_equal(spcc_message(NULL), "");
    assert_int_equal(spcc_diagnostic_count(NULL), 0);
    assert_null(spcc_diagnostic_get(NULL, 0));
    assert_int_equal(spcc_tensor_order(NULL), 0);
    assert_int_equal(spcc_tensor_dimension(NULL, 0), -1);
    assert_null(spcc_tensor_format(NULL));
    assert_null(spcc_tensor_fill(NULL));
    assert_int_equal(spcc_tensor_levels(NULL), 0);
    assert_null(spcc_tensor_array(NULL, 0, 0).at);
    assert_null(spcc_tensor_array_name(NULL, 0, 0));
    assert_false(spcc_tensor_allocator(NULL, NULL));
    assert_null(spcc_tensor_get_info(NULL));
    assert_null(spcc_tensor_values(NULL));
    assert_int_equal(spcc_tensor_stored(NULL), 0);
    assert_int_equal(spcc_tensor_bytes(NULL), 0);
    assert_int_equal(spcc_tensor_unpack(NULL, NULL, NULL), 0);
    assert_int_equal(spcc_kernel_results(NULL), 0);
    assert_int_equal(spcc_kernel_tensors(NULL), 0);
    assert_null(spcc_kernel_tensor_name(NULL, 0));
    assert_null(spcc_kernel_get_info(NULL));
    assert_int_equal(spcc_kernel_traffic(NULL, NULL, 0), -1);
    assert_int_equal(spcc_statement_results(NULL), 0);
    assert_int_equal(spcc_statement_tensors(NULL), 0);
    assert_false(spcc_statement_reads(NULL, 0));
    assert_int_equal(spcc_eval(NULL, "a = b", NULL, 0), SPCC_ERROR_ARGUMENT);
}

static void version_is_one(void **state)
{
    char version[64];
    snprintf(version, sizeof version, "%d.%d.%d", SPCC_VERSION_MAJOR, SPCC_VERSION_MINOR,
             SPCC_VERSION_PATCH);
    assert_string_equal(version, spcc_version());
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(status_numbers),         cmocka_unit_test(type_numbers),
        cmocka_unit_test(structure_sizes),        cmocka_unit_test(options_of_other_versions),
        cmocka_unit_test(options_that_are_wrong), cmocka_unit_test(null_is_harmless),
        cmocka_unit_test(version_is_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
