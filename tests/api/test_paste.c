/* test_paste.c - the kernels that examples/paste and examples/gpu have pasted in are what spcc
 * generates today.
 *
 *     test_api_paste [--update]
 *
 * SPDX-License-Identifier: MIT
 */
#include "tests/api/support.h"

static bool update;

static char *read_text(const char *path)
{
    FILE *file = fopen(path, "r");
    char *text = calloc(1, 1 << 20);
    assert_non_null(text);
    if (file) {
        assert_true(fread(text, 1, (1 << 20) - 1, file) < (1 << 20) - 1);
        fclose(file);
    }
    return text;
}

static void write_text(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

static void compare(spcc_context *context, spcc_language language, spcc_stage stage,
                    const char *name)
{
    const spcc_declaration csr[] = {{.name = "A", .format = "csr"}};
    spcc_compile_options options = {.size = sizeof options,
                                    .declarations = csr,
                                    .n_declarations = 1,
                                    .name = "spmv",
                                    .language = language};
    const char *source = getenv("SPCC_SOURCE");
    char path[4096], *generated;
    snprintf(path, sizeof path, "%s/examples/%s", source ? source : ".", name);
    expect(context, SPCC_OK,
           spcc_emit(context, "y(i) = A(i,j) * x(j)", &options, stage, &generated));
    if (update)
        write_text(path, generated);
    char *pasted = read_text(path);
    if (strcmp(pasted, generated) != 0)
        fail_msg("%s is not what is generated, which is as follows; test_api_paste --update puts "
                 "it there\n%s",
                 path, generated);
    free(pasted);
    spcc_free(generated);
}

static void pasted_is_generated(void **state)
{
    spcc_context *context = open_context(SPCC_ENGINE_INTERP);
    compare(context, SPCC_LANGUAGE_C, SPCC_STAGE_C, "paste/spmv.c");
    compare(context, SPCC_LANGUAGE_C, SPCC_STAGE_HEADER, "paste/spmv.h");
    compare(context, SPCC_LANGUAGE_CUDA, SPCC_STAGE_C, "gpu/spmv.cu");
    compare(context, SPCC_LANGUAGE_CUDA, SPCC_STAGE_HEADER, "gpu/spmv.h");
    spcc_context_free(context);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(pasted_is_generated)};
    update = argc > 1 && strcmp(argv[1], "--update") == 0;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
