/* test_number.c - numbers in files, against the C library.
 *
 * SPDX-License-Identifier: MIT
 */
#include "tests/runtime/support.h"

#include <float.h>
#include <math.h>
#include <stdio.h>

#include "runtime/io/number.h"

static locale_t c;

static int set_up(void **state)
{
    (void)state;
    c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    return c ? 0 : 1;
}

static int tear_down(void **state)
{
    (void)state;
    freelocale(c);
    return 0;
}

static void scan(const char *text, char *line, struct number *number)
{
    snprintf(line, 400, "%s\n", text);
    const char *end = number_scan(line, number);
    if (!end || *end != '\n')
        fail_msg("'%s' is not read", text);
}

static bool same_bits(const void *a, const void *b, size_t n) { return memcmp(a, b, n) == 0; }

/* As the C library reads it, in both precisions. */
static void reads(const char *text)
{
    char line[400], copy[400];
    struct number number;
    scan(text, line, &number);
    snprintf(copy, sizeof copy, "%s", text);
    copy[strcspn(copy, "dD")] = copy[strcspn(copy, "dD")] ? 'e' : '\0';
    double wanted = strtod_l(copy, NULL, c), got = number_double(&number, c);
    if (!same_bits(&wanted, &got, sizeof got))
        fail_msg("%s: %a, not %a", text, got, wanted);
    float wanted_single = strtof_l(copy, NULL, c), got_single;
    enum number_fault fault = number_store(&number, TYPE_F32, &got_single, c);
    if (!same_bits(&wanted_single, &got_single, sizeof got_single))
        fail_msg("%s: %a, not %a in f32", text, (double)got_single, (double)wanted_single);
    assert_int_equal(fault, isinf(wanted_single) ? NUMBER_TOO_LARGE : NUMBER_FITS);
}

static const char *const hard[] = {
    "0", "-0", "+0", "0.0", "00012", ".5", "5.", "-.5", "+1.25", "1e0", "1E+2", "1e-2", "1d3", "1.5D-3", "-2D+0",
    "1e22", "1e23", "9007199254740993", "9007199254740992.5", "9007199254740993e0", "9007199254740991e22",
    "18446744073709551615", "18446744073709551616", "18446744073709551614.999", "12345678901234567890123456789",
    "123456789012345678900000000000", "0.000000000000000000000000000012345678901234567890", "1e-27", "1e27", "1e28",
    "1e-28", "7e-27", "18446744073709551615e27", "18446744073709551615e-27", "1.7976931348623157e308",
    "2.2250738585072014e-308", "2.2250738585072011e-308", "4.9406564584124654e-324", "2.4703282292062327e-324",
    "2.4703282292062328e-324", "1e-400", "0e999999999999", "1e-999999999999",
    "0.500000000000000166533453693773481063544750213623046875", "1.00000005960464477539062500000000000001",
    "1.000000059604644775390625", "1.0000000596046447", "1.00000005960464477", "3.4028234663852886e38",
    "3.40282356779733650e38", "3.4028235677973366e38", "1.1754943508222875e-38", "1.401298464324817e-45",
    "7.006492321624085e-46", "7.006492321624086e-46", "100000000000000000000", "1000000000000000000000.5",
    "99999999999999999999.5", "18446744073709551620", "184467440737095516100000", "1844674407370955161000000.5",
};

static void numbers_are_rounded_correctly(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof hard / sizeof *hard; i++)
        reads(hard[i]);
    uint64_t seed = 11;
    char text[400];
    for (int round = 0; round < 300000; round++) {
        uint64_t bits = random_next(&seed);
        double f;
        memcpy(&f, &bits, sizeof f);
        if (!isfinite(f))
            continue;
        static const char *const formats[] = {"%.*e", "%.*g", "%.*f"};
        double moderate = ldexp((double)(int64_t)bits, (int)random_below(&seed, 120) - 120);
        int kind = (int)random_below(&seed, 5);
        snprintf(text, sizeof text, formats[kind % 3], (int)random_below(&seed, 24), kind < 2 ? f : moderate);
        if (strlen(text) < 390)
            reads(text);
    }
    /* Half way between two floats or doubles, and next to that. */
    for (int round = 0; round < 20000; round++) {
        double f = ldexp((double)(random_next(&seed) >> 39 | 1), (int)random_below(&seed, 60) - 30);
        snprintf(text, sizeof text, "%.*e", 15 + (int)random_below(&seed, 20), f);
        reads(text);
        snprintf(text, sizeof text, "%llu%s", (unsigned long long)((random_next(&seed) >> 10 << 1) | 1),
                 random_below(&seed, 2) ? "e-3" : "e12");
        reads(text);
    }
}

/* Half way between two doubles, written out in full, and a thousand digits later a little more or nothing more. */
static void long_numbers_are_rounded_correctly(void **state)
{
    (void)state;
    uint64_t seed = 21;
    static char text[4000];
    for (int round = 0; round < 300; round++) {
        uint64_t bits = random_next(&seed) & (UINT64_MAX >> 1);
        double f, got[3];
        if (round % 3 == 0)
            bits &= UINT64_MAX >> 20; /* tiny */
        memcpy(&f, &bits, sizeof f);
        if (!isfinite(f))
            continue;
        /* f and half a unit more: one more bit than a double has, so in long double or by its parts. */
        long double half = (long double)f + ((long double)nextafter(f, INFINITY) - (long double)f) / 2;
        for (int kind = 0; kind < 3; kind++) {
            struct number number;
            snprintf(text, sizeof text, "%.*Le", kind == 2 ? 400 : 1200, half);
            size_t n = strlen(text), e = strcspn(text, "e");
            if (kind == 1)
                text[e - 1] = '1';
            text[n] = '\n';
            assert_true(number_scan(text, &number) == text + n);
            got[kind] = number_double(&number, c);
            double wanted = strtod_l(text, NULL, c);
            assert_true(same_bits(&wanted, &got[kind], sizeof wanted));
            text[n] = '\0';
        }
    }
}

static void names_are_read(void **state)
{
    (void)state;
    static const struct { const char *text; double f; } names[] = {
        {"inf", INFINITY}, {"-Inf", -INFINITY}, {"+INFINITY", INFINITY}, {"nan", NAN}, {"-NaN", NAN}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char line[400];
        struct number number;
        float f;
        scan(names[i].text, line, &number);
        double got = number_double(&number, c);
        assert_true(isnan(names[i].f) ? isnan(got) : got == names[i].f);
        assert_int_equal(number_store(&number, TYPE_F32, &f, c), NUMBER_FITS);
        assert_false(number_is_integer(&number));
    }
}

static void other_words_are_not(void **state)
{
    (void)state;
    static const char *const words[] = {"", "-", "+", ".", "-.", "e5", "1e", "1e+", "1d-", "x", "in", "na", "--1", "\n"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        char line[20];
        struct number number;
        snprintf(line, sizeof line, "%s\n", words[i]);
        assert_null(number_scan(line, &number));
    }
    static const char *const tails[] = {"1x", "0x10", "1.2.3", "1e5e", "infx", "1_000", "1,5"};
    for (size_t i = 0; i < sizeof tails / sizeof *tails; i++) {
        char line[20];
        struct number number;
        snprintf(line, sizeof line, "%s\n", tails[i]);
        const char *end = number_scan(line, &number);
        assert_true(end && *end != '\n');
    }
}

struct integer_case { const char *text; enum type type; enum number_fault fault; uint64_t bits; };

static const struct integer_case integers[] = {
    {"127", TYPE_I8, NUMBER_FITS, 127}, {"128", TYPE_I8, NUMBER_TOO_LARGE, 0}, {"-128", TYPE_I8, NUMBER_FITS, 0x80},
    {"-129", TYPE_I8, NUMBER_TOO_LARGE, 0}, {"255", TYPE_U8, NUMBER_FITS, 255}, {"256", TYPE_U8, NUMBER_TOO_LARGE, 0},
    {"-1", TYPE_U8, NUMBER_TOO_LARGE, 0}, {"-0", TYPE_U8, NUMBER_FITS, 0}, {"-32768", TYPE_I16, NUMBER_FITS, 0x8000},
    {"2147483647", TYPE_I32, NUMBER_FITS, 0x7fffffff}, {"2147483648", TYPE_I32, NUMBER_TOO_LARGE, 0},
    {"9223372036854775807", TYPE_I64, NUMBER_FITS, INT64_MAX}, {"9223372036854775808", TYPE_I64, NUMBER_TOO_LARGE, 0},
    {"-9223372036854775808", TYPE_I64, NUMBER_FITS, UINT64_C(1) << 63},
    {"-9223372036854775809", TYPE_I64, NUMBER_TOO_LARGE, 0},
    {"18446744073709551615", TYPE_U64, NUMBER_FITS, UINT64_MAX},
    {"18446744073709551616", TYPE_U64, NUMBER_TOO_LARGE, 0}, {"99999999999999999999", TYPE_U64, NUMBER_TOO_LARGE, 0},
    {"3.0", TYPE_I32, NUMBER_FITS, 3}, {"3.5", TYPE_I32, NUMBER_NOT_INTEGRAL, 0}, {"1e3", TYPE_I32, NUMBER_FITS, 1000},
    {"1500e-2", TYPE_I32, NUMBER_FITS, 15}, {"1.5e1", TYPE_I32, NUMBER_FITS, 15}, {"1e400", TYPE_I64, NUMBER_TOO_LARGE, 0},
    {"0e400", TYPE_I64, NUMBER_FITS, 0}, {"1e-400", TYPE_I64, NUMBER_NOT_INTEGRAL, 0},
    {"3.00000000000000000000000000", TYPE_I8, NUMBER_FITS, 3},
    {"3.00000000000000000000000001", TYPE_I8, NUMBER_NOT_INTEGRAL, 0},
    {"1234567890123456789012e-2", TYPE_I64, NUMBER_NOT_INTEGRAL, 0},
    {"123456789012345678901234", TYPE_I64, NUMBER_TOO_LARGE, 0},
    {"0000000000000000000000000000000000007", TYPE_I8, NUMBER_FITS, 7}, {"inf", TYPE_I64, NUMBER_TOO_LARGE, 0},
    {"nan", TYPE_I64, NUMBER_NOT_INTEGRAL, 0}, {"0.0", TYPE_BOOL, NUMBER_FITS, 0}, {"0.1", TYPE_BOOL, NUMBER_FITS, 1},
    {"nan", TYPE_BOOL, NUMBER_FITS, 1}, {"-5", TYPE_BOOL, NUMBER_FITS, 1},
};

static void integers_fit_or_not(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof integers / sizeof *integers; i++) {
        char line[400];
        struct number number;
        uint64_t got = 0;
        scan(integers[i].text, line, &number);
        enum number_fault fault = number_store(&number, integers[i].type, &got, c);
        if (fault != integers[i].fault || got != integers[i].bits)
            fail_msg("%s as %s: fault %d, %llx", integers[i].text, type_name(integers[i].type), fault,
                     (unsigned long long)got);
    }
}

static void doubles_out_of_range_do_not_fit(void **state)
{
    (void)state;
    char line[400];
    struct number number;
    double f[2];
    scan("1e309", line, &number);
    assert_int_equal(number_store(&number, TYPE_F64, f, c), NUMBER_TOO_LARGE);
    assert_int_equal(number_store(&number, TYPE_C128, f, c), NUMBER_TOO_LARGE);
    scan("-1.5", line, &number);
    f[1] = 7;
    assert_int_equal(number_store(&number, TYPE_C128, f, c), NUMBER_FITS);
    assert_true(f[0] == -1.5 && f[1] == 0);
    float s[2] = {0, 7};
    assert_int_equal(number_store(&number, TYPE_C64, s, c), NUMBER_FITS);
    assert_true(s[0] == -1.5f && s[1] == 0);
}

static void prints(enum type type, const void *at, const char *wanted)
{
    char text[NUMBER_TEXT + 1];
    text[number_print(text, type, at, c)] = '\0';
    assert_string_equal(text, wanted);
}

static void numbers_are_written_short(void **state)
{
    (void)state;
    static const struct { double f; const char *text; } doubles[] = {
        {0, "0"}, {-0.0, "-0"}, {1, "1"}, {-12, "-12"}, {0.1, "0.1"}, {1.0 / 3, "0.3333333333333333"},
        {0.1 + 0.2, "0.30000000000000004"}, {5e-324, "5e-324"}, {DBL_MAX, "1.7976931348623157e+308"},
        {1e22, "1e+22"}, {123456789012, "123456789012"}, {1e15 + 0.3, "1000000000000000.2"}, {INFINITY, "inf"},
        {-INFINITY, "-inf"}, {NAN, "nan"}};
    for (size_t i = 0; i < sizeof doubles / sizeof *doubles; i++)
        prints(TYPE_F64, &doubles[i].f, doubles[i].text);
    prints(TYPE_F32, &(float){0.1f}, "0.1");
    prints(TYPE_F32, &(float){1.0f / 3}, "0.33333334");
    prints(TYPE_F32, &(float){16777216}, "16777216");
    prints(TYPE_F32, &(float){1e-45f}, "1e-45");
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

/* The shortest text by the C library alone; normal numbers only. */
static void shortest(double f, bool single, char *text, size_t size)
{
    if (f == trunc(f) && fabs(f) < 1e9) {
        snprintf(text, size, "%.0f", f);
        return;
    }
    int digits = single ? FLT_DIG : DBL_DIG;
    do
        snprintf(text, size, "%.*g", digits++, f);
    while (single ? strtof_l(text, NULL, c) != (float)f : strtod_l(text, NULL, c) != f);
}

static void written_shortest(double f, bool single)
{
    char text[NUMBER_TEXT + 1], wanted[100];
    float s = (float)f;
    shortest(single ? (double)s : f, single, wanted, sizeof wanted);
    text[number_print(text, single ? TYPE_F32 : TYPE_F64, single ? (void *)&s : (void *)&f, c)] = '\0';
    assert_string_equal(text, wanted);
}

static void what_is_written_is_the_shortest(void **state)
{
    (void)state;
    uint64_t seed = 17;
    for (int round = 0; round < 100000; round++) {
        double mantissa = 1 + (double)(random_next(&seed) >> 12) * 0x1p-52;
        double any = ldexp(mantissa, (int)random_below(&seed, 100) - 40), far = ldexp(mantissa, round % 200 - 100);
        double few = (double)random_below(&seed, 1000000) * (round % 3 ? 1e-3 : 1e-9);
        written_shortest(round % 2 ? any : -any, false);
        written_shortest(round % 2 ? any : -any, true);
        written_shortest(few, false);
        written_shortest(few, true);
        written_shortest(far, false);
        written_shortest(nextafter(pow(10, round % 35 - 15), round % 2 ? 0 : INFINITY), false);
        written_shortest(pow(2, round % 120 - 60), round % 2);
    }
}

/* What is written reads back to the same bits, whatever they are. */
static void what_is_written_reads_back(void **state)
{
    (void)state;
    uint64_t seed = 5;
    for (int round = 0; round < 100000; round++) {
        uint64_t bits = random_next(&seed);
        uint32_t low = (uint32_t)bits;
        double f, back;
        float s, back_single;
        char text[NUMBER_TEXT + 1];
        struct number number;
        memcpy(&f, &bits, sizeof f);
        memcpy(&s, &low, sizeof s);
        if (!isfinite(f) || !isfinite(s))
            continue;
        text[number_print(text, TYPE_F64, &f, c)] = '\n';
        number_scan(text, &number);
        back = number_double(&number, c);
        assert_true(same_bits(&f, &back, sizeof f));
        text[number_print(text, TYPE_F32, &s, c)] = '\n';
        number_scan(text, &number);
        assert_int_equal(number_store(&number, TYPE_F32, &back_single, c), NUMBER_FITS);
        assert_true(same_bits(&s, &back_single, sizeof s));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_rounded_correctly),
        cmocka_unit_test(long_numbers_are_rounded_correctly),
        cmocka_unit_test(names_are_read),
        cmocka_unit_test(other_words_are_not),
        cmocka_unit_test(integers_fit_or_not),
        cmocka_unit_test(doubles_out_of_range_do_not_fit),
        cmocka_unit_test(numbers_are_written_short),
        cmocka_unit_test(what_is_written_is_the_shortest),
        cmocka_unit_test(what_is_written_reads_back),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
