/* test_c_words.c - every name that is listed as taken is found, which needs lists in order.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/emit/c_words.h"
#include "tests/unit/support.h"

static char text[1 << 16];

static void read_lists(void)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/compiler/emit/c_words.c", getenv("SPCC_SOURCE"));
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    assert_non_null(strstr(text, "// clang-format on"));
    *strstr(text, "// clang-format on") = '\0';
}

static void test_every_word_is_found(void **state)
{
    (void)state;
    int words = 0;
    read_lists();
    char *at = strstr(text, "// clang-format off");
    assert_non_null(at);
    for (at = strtok(at, "\""); (at = strtok(NULL, "\"")); at = strtok(NULL, "\""), words++)
        if (!c_word_is_taken(at) && !c_word_is_called(at))
            fail_msg("%s is listed and not found", at);
    assert_true(words > 500);
}

static void test_words_of_cuda(void **state)
{
    (void)state;
    static const char *const taken[] = {
        "min",     "norm",     "rnorm3df",      "float4",    "long4_16a", "dim3",
        "remove",  "clock64",  "EOF",           "CLOCK_TAI", "cudaFree",  "stdout",
        "M_PIf32", "PATH_MAX", "getc_unlocked", "atomicSub", "strtof64"};
    static const char *const free_names[] = {"spmv",   "cubic",  "A_vals",  "M_vals",
                                             "float5", "SPMV",   "maximum", "normal",
                                             "MAX",    "I_MAX2", "timed"};
    for (size_t i = 0; i < sizeof taken / sizeof *taken; i++)
        if (!cuda_word_is_taken(taken[i]))
            fail_msg("%s is not taken", taken[i]);
    for (size_t i = 0; i < sizeof free_names / sizeof *free_names; i++)
        if (cuda_word_is_taken(free_names[i]) || cuda_word_is_reserved(free_names[i]))
            fail_msg("%s is taken", free_names[i]);
    assert_true(cuda_word_is_reserved("cudaSuccess") && !cuda_word_is_reserved("cudaMalloc"));
    assert_true(cuda_word_is_reserved("EOF") && !cuda_word_is_reserved("norm"));
}

static void test_what_is_no_word(void **state)
{
    (void)state;
    static const char *const free_names[] = {"y", "A_vals", "spmv", "sine", "whiles", "retur"};
    for (size_t i = 0; i < sizeof free_names / sizeof *free_names; i++)
        assert_false(c_word_is_taken(free_names[i]));
    assert_true(c_word_is_taken("sinf64x"));
    assert_true(c_word_is_taken("div_i32"));
    assert_true(c_word_is_taken("SPCC_HAS_min_i64") && c_word_is_reserved("SPCC_HAS_min_i64"));
    assert_true(c_word_is_taken("spcc_run") && !c_word_is_reserved("spcc_run"));
    assert_true(c_word_is_called("expf"));
    assert_false(c_word_is_called("expl"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_word_is_found),
        cmocka_unit_test(test_words_of_cuda),
        cmocka_unit_test(test_what_is_no_word),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
