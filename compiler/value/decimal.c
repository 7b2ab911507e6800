/* decimal.c - numbers as texts, and back.
 *
 * Reading.  Up to 20 digits are gathered into 64 bits.  A double is then one exact integer times or
 * over a power of ten; if both fit a double exactly, one rounded multiplication or division is the
 * answer (Clinger, "How to read floating point numbers accurately", 1990).  For powers of ten up to
 * 27, whose power of five fits 63 bits, the product is computed in 128-bit integers and rounded
 * once, which is exact too; the quotient is a product with the reciprocal (Lemire, "Number parsing
 * at a gigabyte per second", 2021), and divided only where that does not tell how it is rounded.
 * The rest, which is rare, is left to the C library, which
 * is given a point as the host program's locale wants it.
 *
 * Writing.  Few digits are tried first, and read back to see whether they are enough: 15, 16 and 17
 * for doubles, 6 to 9 for floats.  For normal numbers the first that is enough, less trailing
 * zeros, is the shortest.  Between 1e-10 and 1e17 the digits are those of an exact 128-bit integer;
 * the rest is left to printf.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/value/decimal.h"

#include <float.h>
#include <langinfo.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

__extension__ typedef unsigned __int128 wide;

/* ---- scanning ---- */

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static char lower(char c) { return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c; }

static const char *scan_word(const char *s, const char *word)
{
    for (; *word; word++, s++)
        if (lower(*s) != *word)
            return NULL;
    return s;
}

static const char *scan_name(const char *s, struct decimal *d)
{
    const char *end;
    d->digits = 0;
    d->exponent = 0;
    d->kind = DECIMAL_INFINITE;
    if ((end = scan_word(s, "infinity")) || (end = scan_word(s, "inf")))
        return end;
    d->kind = DECIMAL_NAN;
    return scan_word(s, "nan");
}

/* More digits than 64 bits hold with certainty: the leading ones only.  point is where the
 * decimal point is, or end. */
static void scan_long(const char *s, const char *point, const char *end, struct decimal *d)
{
    d->digits = 0;
    d->exponent = 0;
    for (; s < end; s++) {
        if (s == point)
            continue;
        uint64_t digit = (uint64_t)(*s - '0');
        bool full = d->digits > UINT64_MAX / 10
                    || (d->digits == UINT64_MAX / 10 && digit > UINT64_MAX % 10)
                    || d->kind == DECIMAL_LONG;
        if (full && digit != 0)
            d->kind = DECIMAL_LONG;
        if (!full)
            d->digits = 10 * d->digits + digit;
        d->exponent += (full && s < point) - (!full && s > point);
    }
}

static const char *scan_exponent(const char *s, struct decimal *d)
{
    const char *digit = s + 1;
    bool negative = *digit == '-';
    int exponent = 0;
    digit += negative || *digit == '+';
    if (!is_digit(*digit))
        return NULL;
    for (; is_digit(*digit); digit++)
        if (exponent < 100000)
            exponent = 10 * exponent + (*digit - '0');
    d->exponent += negative ? -exponent : exponent;
    return digit;
}

const char *decimal_scan(const char *s, struct decimal *d)
{
    d->begin = s;
    d->negative = *s == '-';
    s += *s == '-' || *s == '+';
    const char *first = s, *point;
    uint64_t digits = 0;
    for (; is_digit(*s); s++)
        digits = 10 * digits + (uint64_t)(*s - '0');
    point = s;
    if (*s == '.')
        for (s++; is_digit(*s); s++)
            digits = 10 * digits + (uint64_t)(*s - '0');
    int64_t after = s > point ? s - point - 1 : 0, count = point - first + after;
    if (count == 0)
        return d->end = s > point ? NULL : scan_name(first, d);
    d->kind = DECIMAL_EXACT;
    d->digits = digits;
    d->exponent = -after;
    if (count > 19)
        scan_long(first, point, s, d);
    if (lower(*s) == 'e' || lower(*s) == 'd')
        s = scan_exponent(s, d);
    return d->end = s;
}

/* ---- floats ---- */

static double from_bits(uint64_t bits)
{
    double f;
    memcpy(&f, &bits, sizeof f);
    return f;
}

static uint64_t to_bits(double f)
{
    uint64_t bits;
    memcpy(&bits, &f, sizeof f);
    return bits;
}

/* n * 2^exponent to the nearest double, ties to even; sticky: something below the last bit of n
 * was left out. */
static double round_wide(wide n, int exponent, bool sticky)
{
    uint64_t high = (uint64_t)(n >> 64);
    int length = high ? 128 - __builtin_clzll(high) : 64 - __builtin_clzll((uint64_t)n);
    int shift = length - 53;
    if (shift <= 0)
        return (double)(uint64_t)n * from_bits((uint64_t)(1023 + exponent) << 52);
    wide half = (wide)1 << (shift - 1), rest = n & (2 * half - 1);
    uint64_t kept = (uint64_t)(n >> shift);
    if (rest > half || (rest == half && (sticky || (kept & 1))))
        kept++;
    return (double)kept * from_bits((uint64_t)(1023 + exponent + shift) << 52);
}

enum { EXACT_TENS = 22, POWERS = 28 };

static const double tens[EXACT_TENS + 1] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                            1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                            1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

/* The powers of five that fit 63 bits. */
static const uint64_t fives[POWERS] = {1,
                                       5,
                                       25,
                                       125,
                                       625,
                                       3125,
                                       15625,
                                       78125,
                                       390625,
                                       1953125,
                                       9765625,
                                       48828125,
                                       244140625,
                                       1220703125,
                                       6103515625,
                                       30517578125,
                                       152587890625,
                                       762939453125,
                                       3814697265625,
                                       19073486328125,
                                       95367431640625,
                                       476837158203125,
                                       2384185791015625,
                                       11920928955078125,
                                       59604644775390625,
                                       298023223876953125,
                                       1490116119384765625,
                                       7450580596923828125};

/* 2^(63 + b) / 5^k, rounded down, where 5^k has b bits: the reciprocals, to 64 bits. */
static const uint64_t reciprocals[POWERS] = {
    UINT64_C(0x8000000000000000), UINT64_C(0xcccccccccccccccc), UINT64_C(0xa3d70a3d70a3d70a),
    UINT64_C(0x83126e978d4fdf3b), UINT64_C(0xd1b71758e219652b), UINT64_C(0xa7c5ac471b478423),
    UINT64_C(0x8637bd05af6c69b5), UINT64_C(0xd6bf94d5e57a42bc), UINT64_C(0xabcc77118461cefc),
    UINT64_C(0x89705f4136b4a597), UINT64_C(0xdbe6fecebdedd5be), UINT64_C(0xafebff0bcb24aafe),
    UINT64_C(0x8cbccc096f5088cb), UINT64_C(0xe12e13424bb40e13), UINT64_C(0xb424dc35095cd80f),
    UINT64_C(0x901d7cf73ab0acd9), UINT64_C(0xe69594bec44de15b), UINT64_C(0xb877aa3236a4b449),
    UINT64_C(0x9392ee8e921d5d07), UINT64_C(0xec1e4a7db69561a5), UINT64_C(0xbce5086492111aea),
    UINT64_C(0x971da05074da7bee), UINT64_C(0xf1c90080baf72cb1), UINT64_C(0xc16d9a0095928a27),
    UINT64_C(0x9abe14cd44753b52), UINT64_C(0xf79687aed3eec551), UINT64_C(0xc612062576589dda),
    UINT64_C(0x9e74d1b791e07e48)};

/* digits / 10^k, by the reciprocal.  The product's upper half is below the quotient by less than
 * two, which changes the rounding only where it is next to half way; there *near is set. */
static double divide(uint64_t digits, int k, bool *near)
{
    int zeros = __builtin_clzll(digits), bits = 64 - __builtin_clzll(fives[k]);
    uint64_t n = (uint64_t)((wide)(digits << zeros) * reciprocals[k] >> 64);
    uint64_t half = UINT64_C(1) << (n >> 63 ? 10 : 9), rest = n & (2 * half - 1);
    *near = rest == half || rest == half - 1;
    return round_wide(n, 1 - bits - k - zeros, true);
}

/* digits * 10^exponent, |exponent| < POWERS, digits not 0. */
static double scale(uint64_t digits, int exponent)
{
    if (FLT_EVAL_METHOD == 0 && digits <= UINT64_C(1) << 53 && exponent <= EXACT_TENS
        && exponent >= -EXACT_TENS)
        return exponent < 0 ? (double)digits / tens[-exponent] : (double)digits * tens[exponent];
    if (exponent >= 0)
        return round_wide((wide)digits * fives[exponent], exponent, false);
    bool near;
    double f = divide(digits, -exponent, &near);
    if (!near)
        return f;
    /* The dividend has its top bit set and the divisor is below 2^63, so the quotient has more
     * than 64 bits. */
    int zeros = __builtin_clzll(digits);
    wide dividend = (wide)(digits << zeros) << 64, quotient = dividend / fives[-exponent];
    return round_wide(quotient, exponent - zeros - 64, quotient * fives[-exponent] != dividend);
}

/* More significant digits than these tell only whether there is something more (a number half way
 * between two doubles has at most 767). */
enum { SIGNIFICANT = 780 };

/* The point of the host program's locale, which the C library wants to see. */
static size_t add_point(char *text, size_t size)
{
    const char *point = nl_langinfo(RADIXCHAR);
    size_t n = strnlen(point, size);
    memcpy(text, point, n);
    return n;
}

/* And back to a point: what is neither digit, sign nor letter. */
static void restore_point(char *text)
{
    char *to = text;
    for (const char *from = text; *from; from++) {
        bool plain = is_digit(*from) || *from == '-' || *from == '+' || *from == 'e';
        if (plain)
            *to++ = *from;
        else if (to == text || to[-1] != '.')
            *to++ = '.';
    }
    *to = '\0';
}

enum { POINT_MAX = 8 };

/* By strtod or strtof, from the digits written anew as d.ddde9. */
static double by_library(const struct decimal *d, bool single)
{
    char text[SIGNIFICANT + POINT_MAX + 40];
    size_t n = 0, digits = 0;
    const char *s = d->begin;
    text[n++] = d->negative ? '-' : '+';
    while (*s == '-' || *s == '+' || *s == '0' || *s == '.')
        s++;
    for (; is_digit(*s) || *s == '.'; s++) {
        if (*s == '.' || (digits == SIGNIFICANT && *s == '0'))
            continue;
        text[n++] = *s;
        if (digits++ == 0)
            n += add_point(text + n, POINT_MAX);
        if (digits > SIGNIFICANT)
            break;
    }
    int64_t exponent = d->exponent - 1;
    for (uint64_t kept = d->digits; kept; kept /= 10)
        exponent++;
    snprintf(text + n, sizeof text - n, "e%lld", (long long)exponent);
    return single ? (double)strtof(text, NULL) : strtod(text, NULL);
}

double decimal_double(const struct decimal *d)
{
    double f;
    if (d->kind == DECIMAL_INFINITE)
        f = INFINITY;
    else if (d->kind == DECIMAL_NAN)
        f = NAN;
    else if (d->digits == 0 && d->kind == DECIMAL_EXACT)
        f = 0;
    else if (d->kind == DECIMAL_LONG || d->exponent >= POWERS || d->exponent <= -POWERS)
        return by_library(d, false);
    else
        f = scale(d->digits, (int)d->exponent);
    return d->negative ? -f : f;
}

/* Does it lie half way between two floats?  (For normal ones.) */
static bool is_half_way(double f) { return (to_bits(f) & 0x1fffffff) == 0x10000000; }

/* A double rounded to float again may differ from the text rounded once, if it lies half way
 * between two floats or below the normal ones. */
float decimal_float(const struct decimal *d)
{
    double f = decimal_double(d);
    if ((is_half_way(f) || (fabs(f) < FLT_MIN && f != 0)) && isfinite(f))
        return (float)by_library(d, true);
    return (float)f;
}

/* ---- writing ---- */

size_t decimal_print_unsigned(char *text, uint64_t n)
{
    char digits[20];
    size_t length = 0;
    do
        digits[length++] = (char)('0' + n % 10);
    while (n /= 10);
    for (size_t i = 0; i < length; i++)
        text[i] = digits[length - 1 - i];
    return length;
}

/* n * 10^exponent. */
static size_t print_digits(char *text, uint64_t n, int exponent)
{
    char digits[20];
    for (; n % 10 == 0; exponent++)
        n /= 10;
    int count = (int)decimal_print_unsigned(digits, n), point = count + exponent, length = 0;
    if (point < -4 || point > 16) { /* d.dde+09 */
        text[length++] = digits[0];
        if (count > 1)
            text[length++] = '.';
        memcpy(text + length, digits + 1, (size_t)count - 1);
        length += count - 1;
        return (size_t)(length + sprintf(text + length, "e%+03d", point - 1));
    }
    if (point <= 0) {
        memcpy(text, "0.0000", 6);
        length = 2 - point;
    }
    for (int i = 0; i < count || i < point; i++) {
        if (i == point && i > 0)
            text[length++] = '.';
        text[length++] = i < count ? digits[i] : '0';
    }
    return (size_t)length;
}

static bool reads_back(const char *line, double f, bool single)
{
    struct decimal d;
    decimal_scan(line, &d);
    return single ? decimal_float(&d) == (float)f : decimal_double(&d) == f;
}

/* Is n * 10^exponent read as f? */
static bool reads_as(uint64_t n, int exponent, double f, bool single)
{
    double back = scale(n, exponent);
    if (!single)
        return back == f;
    if (!is_half_way(back))
        return (float)back == (float)f;
    char line[DECIMAL_TEXT];
    snprintf(line, sizeof line, "%llue%d", (unsigned long long)n, exponent);
    return reads_back(line, f, single);
}

/* f * 10^power, exactly: *n with more bits, *shift of them, behind the point. */
static void times_ten(double f, int power, wide *n, int *shift)
{
    uint64_t bits = to_bits(f);
    *n = (wide)((bits & (UINT64_MAX >> 12)) | UINT64_C(1) << 52) * fives[power];
    *shift = 1075 - (int)(bits >> 52) - power;
    if (*shift < 0) {
        *n <<= -*shift;
        *shift = 0;
    }
}

static const uint64_t whole_tens[] = {1,         10,         100,         1000,
                                      10000,     100000,     1000000,     10000000,
                                      100000000, 1000000000, 10000000000, 100000000000};

/* f > 0 with as few digits as read back; 0 if it is too large or too small for this. */
static size_t print_exactly(char *text, double f, bool single)
{
    enum { DIGITS = 17 };
    if (!(f >= 1e-10 && f < 1e17))
        return 0;
    /* The power of ten that gives f 17 digits before the point: from its size in bits, which may
     * say one too many. */
    int power =
            DIGITS - 1 - (int)floor((double)((int)(to_bits(f) >> 52) - 1023) * 0.30102999566398120),
        shift;
    wide n;
    times_ten(f, power, &n, &shift);
    if (power > 0 && n >> shift >= 100000000000000000)
        times_ten(f, --power, &n, &shift);
    uint64_t whole = (uint64_t)(n >> shift);
    wide rest = n & (((wide)1 << shift) - 1);
    for (int digits = single ? FLT_DIG : DBL_DIG; digits <= DIGITS; digits++) {
        uint64_t unit = whole_tens[DIGITS - digits], kept = whole / unit;
        wide left = ((wide)(whole % unit) << shift) + rest, half = ((wide)unit << shift) / 2;
        if (shift > 0 || unit > 1)
            kept += left > half || (left == half && (kept & 1));
        if (reads_as(kept, DIGITS - digits - power, f, single))
            return print_digits(text, kept, DIGITS - digits - power);
    }
    return 0;
}

/* So large or small that printf, too, writes an exponent. */
static size_t print_by_library(char *text, double f, bool single)
{
    bool normal = f >= (single ? (double)FLT_MIN : DBL_MIN);
    int digits = !normal  ? 1
                 : single ? FLT_DIG
                          : DBL_DIG,
        most = single ? FLT_DECIMAL_DIG : DBL_DECIMAL_DIG;
    char line[DECIMAL_TEXT + POINT_MAX];
    do {
        snprintf(line, sizeof line, "%.*g", digits, f);
        restore_point(line);
    } while (digits++ < most && !reads_back(line, f, single));
    size_t n = strlen(line);
    memcpy(text, line, n);
    return n;
}

size_t decimal_print(char *text, double f, bool single)
{
    size_t sign = signbit(f) && !isnan(f);
    if (sign)
        *text++ = '-';
    f = fabs(f);
    if (isnan(f))
        return memcpy(text, "nan", 3), 3;
    if (isinf(f))
        return memcpy(text, "inf", 3), sign + 3;
    if (f == trunc(f) && f < 1e9)
        return sign + decimal_print_unsigned(text, (uint64_t)f);
    size_t n = print_exactly(text, f, single);
    return sign + (n ? n : print_by_library(text, f, single));
}
