/* test_decimal.c - numbers as texts, against the C library.
 *
 * SPDX-License-Identifier: MIT
 */
#include "tests/runtime/support.h"

#include <float.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>

#include "compiler/value/decimal.h"

static void scan(const char *text, char *line, struct decimal *d)
{
    snprintf(line, 400, "%s\n", text);
    const char *end = decimal_scan(line, line + strlen(line), d);
    if (!end || *end != '\n')
        fail_msg("'%s' is not read", text);
}

static int at_once, singles_at_once, in_all; /* numbers */

static bool same_bits(const void *a, const void *b, size_t n) { return memcmp(a, b, n) == 0; }

/* As the C library reads it, in both precisions. */
static void reads(const char *text)
{
    char line[400], copy[400];
    struct decimal d;
    scan(text, line, &d);
    snprintf(copy, sizeof copy, "%s", text);
    copy[strcspn(copy, "dD")] = copy[strcspn(copy, "dD")] ? 'e' : '\0';
    double wanted = strtod(copy, NULL), got = decimal_double(&d);
    if (!same_bits(&wanted, &got, sizeof got))
        fail_msg("%s: %a, not %a", text, got, wanted);
    const char *end = decimal_scan_double(line, line + strlen(line), &got);
    at_once += end != NULL;
    in_all++;
    if (end && (end != d.end || !same_bits(&wanted, &got, sizeof got)))
        fail_msg("%s: %a, not %a, at once", text, got, wanted);
    float wanted_single = strtof(copy, NULL), got_single = decimal_float(&d);
    if (!same_bits(&wanted_single, &got_single, sizeof got_single))
        fail_msg("%s: %a, not %a in f32", text, (double)got_single, (double)wanted_single);
    end = decimal_scan_float(line, line + strlen(line), &got_single);
    singles_at_once += end != NULL;
    if (end && (end != d.end || !same_bits(&wanted_single, &got_single, sizeof got_single)))
        fail_msg("%s: %a, not %a in f32, at once", text, (double)got_single, (double)wanted_single);
}

static const char *const hard[] = {
    "0",
    "-0",
    "+0",
    "0.0",
    "00012",
    ".5",
    "5.",
    "-.5",
    "+1.25",
    "1e0",
    "1E+2",
    "1e-2",
    "1d3",
    "1.5D-3",
    "-2D+0",
    "1e22",
    "1e23",
    "9007199254740993",
    "9007199254740992.5",
    "9007199254740993e0",
    "9007199254740991e22",
    "18446744073709551615",
    "18446744073709551616",
    "18446744073709551614.999",
    "12345678901234567890123456789",
    "123456789012345678900000000000",
    "0.000000000000000000000000000012345678901234567890",
    "1e-27",
    "1e27",
    "1e28",
    "1e-28",
    "7e-27",
    "18446744073709551615e27",
    "18446744073709551615e-27",
    "1.7976931348623157e308",
    "2.2250738585072014e-308",
    "2.2250738585072011e-308",
    "4.9406564584124654e-324",
    "2.4703282292062327e-324",
    "2.4703282292062328e-324",
    "1e-400",
    "0e999999999999",
    "1e-999999999999",
    "0.500000000000000166533453693773481063544750213623046875",
    "1.00000005960464477539062500000000000001",
    "1.000000059604644775390625",
    "1.0000000596046447",
    "1.00000005960464477",
    "3.4028234663852886e38",
    "3.40282356779733650e38",
    "3.4028235677973366e38",
    "1.1754943508222875e-38",
    "1.401298464324817e-45",
    "7.006492321624085e-46",
    "7.006492321624086e-46",
    "100000000000000000000",
    "1000000000000000000000.5",
    "99999999999999999999.5",
    "18446744073709551620",
    "184467440737095516100000",
    "1844674407370955161000000.5",
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
        snprintf(text, sizeof text, formats[kind % 3], (int)random_below(&seed, 24),
                 kind < 2 ? f : moderate);
        if (strlen(text) < 390)
            reads(text);
    }
    /* Quotients by powers of ten that are half way between two doubles, or next to that: m + 1/2
     * times the power of ten, if 64 bits hold it, and one more or less. */
    for (int round = 0; round < 20000; round++) {
        uint64_t power = 1, m = UINT64_C(1) << 52 | random_next(&seed) >> 12;
        int tens = 1 + (int)random_below(&seed, 3), lower = (int)random_below(&seed, 30);
        for (int k = 0; k < tens; k++)
            power *= 10;
        uint64_t product = (2 * m + 1) * (power / 2);
        for (int off = -1; off <= 1; off++) {
            snprintf(text, sizeof text, "%llue-%d", (unsigned long long)(product + (uint64_t)off),
                     tens);
            reads(text);
        }
        snprintf(text, sizeof text, "%llue-%d", (unsigned long long)(random_next(&seed) | 1),
                 lower);
        reads(text);
    }
    /* Half way between two floats or doubles, and next to that. */
    for (int round = 0; round < 20000; round++) {
        double f = ldexp((double)(random_next(&seed) >> 39 | 1), (int)random_below(&seed, 60) - 30);
        snprintf(text, sizeof text, "%.*e", 15 + (int)random_below(&seed, 20), f);
        reads(text);
        snprintf(text, sizeof text, "%llu%s",
                 (unsigned long long)((random_next(&seed) >> 10 << 1) | 1),
                 random_below(&seed, 2) ? "e-3" : "e12");
        reads(text);
    }
    assert_in_range(at_once, in_all / 2, in_all);
    assert_in_range(singles_at_once, in_all / 10, in_all);
}

/* Half way between two doubles, written out in full, and a thousand digits later a little more
 * or nothing more. */
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
        /* f and half a unit more: one more bit than a double has, so in long double or by its
         * parts. */
        long double half =
            (long double)f + ((long double)nextafter(f, INFINITY) - (long double)f) / 2;
        for (int kind = 0; kind < 3; kind++) {
            struct decimal d;
            snprintf(text, sizeof text, "%.*Le", kind == 2 ? 400 : 1200, half);
            size_t n = strlen(text), e = strcspn(text, "e");
            if (kind == 1)
                text[e - 1] = '1';
            text[n] = '\n';
            assert_true(decimal_scan(text, text + n + 1, &d) == text + n);
            got[kind] = decimal_double(&d);
            double wanted = strtod(text, NULL);
            assert_true(same_bits(&wanted, &got[kind], sizeof wanted));
            text[n] = '\0';
        }
    }
}

/* Digits are read eight at a time, but nothing behind the end: each text has just its memory. */
static void no_byte_behind_the_end_is_read(void **state)
{
    (void)state;
    static const char digits[] = "98765432101234567890123456789";
    for (int before = 0; before < 20; before++)
        for (int after = 0; after < 20; after++) {
            char text[64];
            int n = snprintf(text, sizeof text, "%.*s.%.*s", before, digits, after,
                             digits + before / 2);
            char *exact = test_malloc((size_t)n + 1);
            struct decimal d;
            memcpy(exact, text, (size_t)n);
            exact[n] = '\n';
            const char *end = decimal_scan(exact, exact + n + 1, &d);
            assert_ptr_equal(end, before + after > 0 ? exact + n : NULL);
            double got = end ? decimal_double(&d) : 0, wanted = end ? strtod(text, NULL) : 0;
            test_free(exact);
            assert_true(same_bits(&wanted, &got, sizeof got));
        }
}

/* All powers of ten, with few digits and with many, against the C library: into the subnormal
 * numbers, and beyond the largest. */
static void every_exponent_is_read(void **state)
{
    (void)state;
    uint64_t seed = 31;
    char text[400];
    for (int exponent = -365; exponent <= 312; exponent++)
        for (int k = 0; k < 60; k++) {
            uint64_t n = random_next(&seed) >> random_below(&seed, 64);
            snprintf(text, sizeof text, k % 3 ? "%llue%d" : "-0.%llu5700000001e%d",
                     (unsigned long long)n, exponent);
            reads(text);
        }
}

static void names_are_read(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double f;
    } names[] = {{"inf", INFINITY},
                 {"-Inf", -INFINITY},
                 {"+INFINITY", INFINITY},
                 {"nan", NAN},
                 {"-NaN", NAN}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char line[400];
        struct decimal d;
        scan(names[i].text, line, &d);
        double got = decimal_double(&d);
        assert_true(isnan(names[i].f) ? isnan(got) : got == names[i].f);
        assert_int_equal(d.kind, isnan(names[i].f) ? DECIMAL_NAN : DECIMAL_INFINITE);
    }
}

static void other_words_are_not(void **state)
{
    (void)state;
    static const char *const words[] = {"",    "-",   "+", ".",  "-.", "e5",  "1e",
                                        "1e+", "1d-", "x", "in", "na", "--1", "\n"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        char line[20];
        struct decimal d;
        snprintf(line, sizeof line, "%s\n", words[i]);
        assert_null(decimal_scan(line, line + strlen(line), &d));
    }
    static const char *const tails[] = {"1x", "0x10", "1.2.3", "1e5e", "infx", "1_000", "1,5"};
    for (size_t i = 0; i < sizeof tails / sizeof *tails; i++) {
        char line[20];
        struct decimal d;
        snprintf(line, sizeof line, "%s\n", tails[i]);
        const char *end = decimal_scan(line, line + strlen(line), &d);
        assert_true(end && *end != '\n');
    }
}

static void shown(double f, bool single, const char *wanted)
{
    char text[DECIMAL_TEXT + 1];
    text[decimal_print(text, f, single)] = '\0';
    assert_string_equal(text, wanted);
}

static void numbers_are_written_short(void **state)
{
    (void)state;
    static const struct {
        double f;
        const char *text;
    } doubles[] = {{0, "0"},
                   {-0.0, "-0"},
                   {1, "1"},
                   {-12, "-12"},
                   {100, "100"},
                   {0.1, "0.1"},
                   {0.001, "0.001"},
                   {1.0 / 3, "0.3333333333333333"},
                   {0.1 + 0.2, "0.30000000000000004"},
                   {5e-324, "5e-324"},
                   {DBL_MAX, "1.7976931348623157e+308"},
                   {DBL_MIN, "2.2250738585072014e-308"},
                   {1e22, "1e+22"},
                   {1e20, "1e+20"},
                   {123456789012, "123456789012"},
                   {1e15 + 0.3, "1000000000000000.2"},
                   {1e15, "1000000000000000"},
                   {9999999999999998, "9999999999999998"},
                   {1e16, "1e+16"},
                   {12345678901234568, "1.2345678901234568e+16"},
                   {1e-5, "0.00001"},
                   {-1.25e-5, "-0.0000125"},
                   {9.999e-6, "9.999e-06"},
                   {1.5e-11, "1.5e-11"},
                   {1e-10, "1e-10"},
                   {INFINITY, "inf"},
                   {-INFINITY, "-inf"},
                   {NAN, "nan"},
                   {-NAN, "nan"}};
    for (size_t i = 0; i < sizeof doubles / sizeof *doubles; i++)
        shown(doubles[i].f, false, doubles[i].text);
    static const struct {
        float f;
        const char *text;
    } floats[] = {{0.1f, "0.1"},          {1.0f / 3, "0.33333334"},
                  {16777216, "16777216"}, {134217728, "134217728"},
                  {1e-45f, "1e-45"},      {1e11f, "100000000000"},
                  {3e10f, "30000000000"}, {FLT_MAX, "3.4028235e+38"},
                  {1.5e-7f, "1.5e-07"}};
    for (size_t i = 0; i < sizeof floats / sizeof *floats; i++)
        shown((double)floats[i].f, true, floats[i].text);
}

/* The shortest text from the C library's digits; normal numbers only. */
static void shortest(double f, bool single, char *text)
{
    if (f == trunc(f) && fabs(f) < 1e9) {
        sprintf(text, "%.0f", f);
        return;
    }
    char e[40], digits[20];
    int n = 0, tried = single ? FLT_DIG : DBL_DIG;
    do
        snprintf(e, sizeof e, "%.*e", tried++ - 1, f);
    while (single ? strtof(e, NULL) != (float)f : strtod(e, NULL) != f);
    int power = atoi(strchr(e, 'e') + 1);
    for (const char *s = e; *s != 'e'; s++)
        if (*s >= '0' && *s <= '9')
            digits[n++] = *s;
    while (n > 1 && digits[n - 1] == '0')
        n--;
    text += sprintf(text, "%s", signbit(f) ? "-" : "");
    if (power < -5 || power > 15)
        sprintf(text, "%c%s%.*se%+03d", digits[0], n > 1 ? "." : "", n - 1, digits + 1, power);
    else if (power < 0)
        sprintf(text, "0.%.*s%.*s", -power - 1, "0000", n, digits);
    else if (n > power + 1)
        sprintf(text, "%.*s.%.*s", power + 1, digits, n - power - 1, digits + power + 1);
    else
        sprintf(text, "%.*s%.*s", n, digits, power + 1 - n, "000000000000000");
}

static void written_shortest(double f, bool single)
{
    char text[DECIMAL_TEXT + 1], wanted[100];
    f = single ? (double)(float)f : f;
    shortest(f, single, wanted);
    text[decimal_print(text, f, single)] = '\0';
    assert_string_equal(text, wanted);
}

static void what_is_written_is_the_shortest(void **state)
{
    (void)state;
    uint64_t seed = 17;
    for (int round = 0; round < 100000; round++) {
        double mantissa = 1 + (double)(random_next(&seed) >> 12) * 0x1p-52;
        double any = ldexp(mantissa, (int)random_below(&seed, 100) - 40),
               far = ldexp(mantissa, round % 200 - 100);
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
        char text[DECIMAL_TEXT + 1];
        struct decimal d;
        memcpy(&f, &bits, sizeof f);
        memcpy(&s, &low, sizeof s);
        if (!isfinite(f) || !isfinite(s))
            continue;
        text[decimal_print(text, f, false)] = '\n';
        decimal_scan(text, text + sizeof text, &d);
        back = decimal_double(&d);
        assert_true(same_bits(&f, &back, sizeof f));
        text[decimal_print(text, (double)s, true)] = '\n';
        decimal_scan(text, text + sizeof text, &d);
        back_single = decimal_float(&d);
        assert_true(same_bits(&s, &back_single, sizeof s));
    }
}

/* The host program's locale is none of our business. */
static void a_host_with_decimal_commas(void **state)
{
    (void)state;
    if (!setlocale(LC_NUMERIC, "de_DE.UTF-8") && !setlocale(LC_NUMERIC, "de_DE"))
        skip();
    char line[400];
    struct decimal d;
    shown(1.5e-200, false, "1.5e-200");
    shown(1.5e-20, true, "1.5e-20");
    shown(1.5, false, "1.5");
    scan("1.2345678901234567891234567e-100", line, &d);
    double got = decimal_double(&d);
    setlocale(LC_NUMERIC, "C");
    assert_true(got == 1.2345678901234567891234567e-100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_rounded_correctly),
        cmocka_unit_test(long_numbers_are_rounded_correctly),
        cmocka_unit_test(no_byte_behind_the_end_is_read),
        cmocka_unit_test(every_exponent_is_read),
        cmocka_unit_test(names_are_read),
        cmocka_unit_test(other_words_are_not),
        cmocka_unit_test(numbers_are_written_short),
        cmocka_unit_test(what_is_written_is_the_shortest),
        cmocka_unit_test(what_is_written_reads_back),
        cmocka_unit_test(a_host_with_decimal_commas),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
