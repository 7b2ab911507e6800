/* test_number.c - numbers in files, stored as values of the types that tensors have, and written.
 *
 * SPDX-License-Identifier: MIT
 */
#include "tests/runtime/support.h"

#include <math.h>
#include <stdio.h>

#include "runtime/io/number.h"

static void scan(const char *text, char *line, struct decimal *number)
{
    snprintf(line, 400, "%s\n", text);
    const char *end = decimal_scan(line, line + strlen(line), number);
    if (!end || *end != '\n')
        fail_msg("'%s' is not read", text);
}

struct integer_case {
    const char *text;
    enum type type;
    enum number_fault fault;
    uint64_t bits;
};

static const struct integer_case integers[] = {
    {"127", TYPE_I8, NUMBER_FITS, 127},
    {"128", TYPE_I8, NUMBER_TOO_LARGE, 0},
    {"-128", TYPE_I8, NUMBER_FITS, 0x80},
    {"-129", TYPE_I8, NUMBER_TOO_LARGE, 0},
    {"255", TYPE_U8, NUMBER_FITS, 255},
    {"256", TYPE_U8, NUMBER_TOO_LARGE, 0},
    {"-1", TYPE_U8, NUMBER_TOO_LARGE, 0},
    {"-0", TYPE_U8, NUMBER_FITS, 0},
    {"-32768", TYPE_I16, NUMBER_FITS, 0x8000},
    {"2147483647", TYPE_I32, NUMBER_FITS, 0x7fffffff},
    {"2147483648", TYPE_I32, NUMBER_TOO_LARGE, 0},
    {"9223372036854775807", TYPE_I64, NUMBER_FITS, INT64_MAX},
    {"9223372036854775808", TYPE_I64, NUMBER_TOO_LARGE, 0},
    {"-9223372036854775808", TYPE_I64, NUMBER_FITS, UINT64_C(1) << 63},
    {"-9223372036854775809", TYPE_I64, NUMBER_TOO_LARGE, 0},
    {"18446744073709551615", TYPE_U64, NUMBER_FITS, UINT64_MAX},
    {"18446744073709551616", TYPE_U64, NUMBER_TOO_LARGE, 0},
    {"99999999999999999999", TYPE_U64, NUMBER_TOO_LARGE, 0},
    {"3.0", TYPE_I32, NUMBER_FITS, 3},
    {"3.5", TYPE_I32, NUMBER_NOT_INTEGRAL, 0},
    {"1e3", TYPE_I32, NUMBER_FITS, 1000},
    {"1500e-2", TYPE_I32, NUMBER_FITS, 15},
    {"1.5e1", TYPE_I32, NUMBER_FITS, 15},
    {"1e400", TYPE_I64, NUMBER_TOO_LARGE, 0},
    {"0e400", TYPE_I64, NUMBER_FITS, 0},
    {"1e-400", TYPE_I64, NUMBER_NOT_INTEGRAL, 0},
    {"3.00000000000000000000000000", TYPE_I8, NUMBER_FITS, 3},
    {"3.00000000000000000000000001", TYPE_I8, NUMBER_NOT_INTEGRAL, 0},
    {"1234567890123456789012e-2", TYPE_I64, NUMBER_NOT_INTEGRAL, 0},
    {"123456789012345678901234", TYPE_I64, NUMBER_TOO_LARGE, 0},
    {"0000000000000000000000000000000000007", TYPE_I8, NUMBER_FITS, 7},
    {"inf", TYPE_I64, NUMBER_TOO_LARGE, 0},
    {"nan", TYPE_I64, NUMBER_NOT_INTEGRAL, 0},
    {"0.0", TYPE_BOOL, NUMBER_FITS, 0},
    {"0.1", TYPE_BOOL, NUMBER_FITS, 1},
    {"nan", TYPE_BOOL, NUMBER_FITS, 1},
    {"-5", TYPE_BOOL, NUMBER_FITS, 1},
};

static void integers_fit_or_not(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof integers / sizeof *integers; i++) {
        char line[400];
        struct decimal number;
        uint64_t got = 0;
        scan(integers[i].text, line, &number);
        enum number_fault fault = number_store(&number, integers[i].type, &got);
        if (fault != integers[i].fault || got != integers[i].bits)
            fail_msg("%s as %s: fault %d, %llx", integers[i].text, type_name(integers[i].type),
                     fault, (unsigned long long)got);
    }
}

static void doubles_out_of_range_do_not_fit(void **state)
{
    (void)state;
    char line[400];
    struct decimal number;
    double f[2];
    scan("1e309", line, &number);
    assert_int_equal(number_store(&number, TYPE_F64, f), NUMBER_TOO_LARGE);
    assert_int_equal(number_store(&number, TYPE_C128, f), NUMBER_TOO_LARGE);
    scan("-1.5", line, &number);
    f[1] = 7;
    assert_int_equal(number_store(&number, TYPE_C128, f), NUMBER_FITS);
    assert_true(f[0] == -1.5 && f[1] == 0);
    float s[2] = {0, 7};
    assert_int_equal(number_store(&number, TYPE_C64, s), NUMBER_FITS);
    assert_true(s[0] == -1.5f && s[1] == 0);
}

static void prints(enum type type, const void *at, const char *wanted)
{
    char text[NUMBER_TEXT + 1];
    text[number_print(text, type, at)] = '\0';
    assert_string_equal(text, wanted);
}

static void values_are_written(void **state)
{
    (void)state;
    prints(TYPE_F64, &(double){0.1}, "0.1");
    prints(TYPE_F32, &(float){0.1f}, "0.1");
    prints(TYPE_I64, &(int64_t){INT64_MIN}, "-9223372036854775808");
    prints(TYPE_U64, &(uint64_t){UINT64_MAX}, "18446744073709551615");
    prints(TYPE_I8, &(int8_t){-128}, "-128");
    prints(TYPE_I16, &(int16_t){-300}, "-300");
    prints(TYPE_I32, &(int32_t){70000}, "70000");
    prints(TYPE_U8, &(uint8_t){200}, "200");
    prints(TYPE_U16, &(uint16_t){60000}, "60000");
    prints(TYPE_U32, &(uint32_t){UINT32_MAX}, "4294967295");
    prints(TYPE_BOOL, &(bool){true}, "1");
    prints(TYPE_C64, (float[]){1.5f, -2}, "1.5 -2");
    prints(TYPE_C128, (double[]){0.1, INFINITY}, "0.1 inf");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(integers_fit_or_not),
        cmocka_unit_test(doubles_out_of_range_do_not_fit),
        cmocka_unit_test(values_are_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
