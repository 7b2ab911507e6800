/* decimal.c - reads numbers from text.
 *
 * Up to 20 digits are gathered into 64 bits, eight at a time.  A double is that integer times a
 * power of ten.  The upper half of its product with the power's leading 64 bits decides the
 * rounding, unless it is next to half way (Lemire, "Number parsing at a gigabyte per second",
 * 2021).  If it is, the product or quotient is computed in 128-bit integers and rounded once.
 * That is exact for powers up to 27, whose power of five fits 63 bits.  The C library reads the
 * rare rest, from a text with the decimal point of the host program's locale.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/value/decimal_parts.h"

#include <float.h>
#include <langinfo.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const uint64_t decimal_tens[20] = {UINT64_C(1),
                                   UINT64_C(10),
                                   UINT64_C(100),
                                   UINT64_C(1000),
                                   UINT64_C(10000),
                                   UINT64_C(100000),
                                   UINT64_C(1000000),
                                   UINT64_C(10000000),
                                   UINT64_C(100000000),
                                   UINT64_C(1000000000),
                                   UINT64_C(10000000000),
                                   UINT64_C(100000000000),
                                   UINT64_C(1000000000000),
                                   UINT64_C(10000000000000),
                                   UINT64_C(100000000000000),
                                   UINT64_C(1000000000000000),
                                   UINT64_C(10000000000000000),
                                   UINT64_C(100000000000000000),
                                   UINT64_C(1000000000000000000),
                                   UINT64_C(10000000000000000000)};

/* ---- scanning ---- */

static inline char lower(char c) { return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c; }

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

/* Reads the leading digits of a number with more than 64 bits surely hold.  `point` is the decimal
 * point, or `end`. */
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

/* Adds the exponent at s, a sign and digits after the letter, to *exponent. */
static inline const char *scan_exponent(const char *s, int64_t *exponent)
{
    const char *digit = s + 1;
    bool negative = *digit == '-';
    int n = 0;
    digit += negative || *digit == '+';
    if (!decimal_is_digit(*digit))
        return NULL;
    for (; decimal_is_digit(*digit); digit++)
        if (n < 100000)
            n = 10 * n + (*digit - '0');
    *exponent += negative ? -n : n;
    return digit;
}

static inline bool is_exponent(char c) { return lower(c) == 'e' || lower(c) == 'd'; }

/* Digits with a point in front of, between or behind them: their number modulo 2^64; how many there
 * are, and how many behind the point; where the point is or would be; where they end. */
struct mantissa {
    uint64_t digits;
    int64_t count, after;
    const char *point;
};

static inline const char *scan_mantissa(const char *s, const char *end, struct mantissa *m)
{
    const char *first = s, *point;
    uint64_t digits = (unsigned char)(*s - '0');
    if (digits <= 9 && s[1] == '.') { /* most numbers begin so */
        point = ++s;
    } else {
        digits = 0;
        point = s = decimal_digits(s, end, &digits);
    }
    if (*s == '.')
        s = decimal_digits(s + 1, end, &digits);
    int64_t after = s > point ? s - point - 1 : 0;
    *m = (struct mantissa){digits, point - first + after, after, point};
    return s;
}

/* 64 bits surely hold this many digits. */
enum { MANTISSA_DIGITS = 19 };

const char *decimal_scan(const char *s, const char *end, struct decimal *d)
{
    struct mantissa m;
    d->begin = s;
    d->negative = *s == '-';
    const char *first = s + (*s == '-' || *s == '+');
    s = scan_mantissa(first, end, &m);
    if (m.count == 0)
        return d->end = s > m.point ? NULL : scan_name(first, d);
    d->kind = DECIMAL_EXACT;
    d->digits = m.digits;
    d->exponent = -m.after;
    if (m.count > MANTISSA_DIGITS)
        scan_long(first, m.point, s, d);
    if (is_exponent(*s))
        s = scan_exponent(s, &d->exponent);
    return d->end = s;
}

/* ---- floats ---- */

static double from_bits(uint64_t bits)
{
    double f;
    memcpy(&f, &bits, sizeof f);
    return f;
}

/* Rounds n * 2^exponent to the nearest double, ties to even.  sticky: bits below n's last one were
 * not all zero. */
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

const uint64_t decimal_fives[POWERS] = {1,
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

/* The leading 64 bits of 5^(POWERS * (k - BELOW)). */
enum { BELOW = 12, LEAST = -BELOW * POWERS, MOST = 12 * POWERS - 1 };
static const uint64_t far_fives[] = {
    UINT64_C(0xe3e27a444d8d98b7), UINT64_C(0xe61acf033d1a45df), UINT64_C(0xe858ad248f5c22c9),
    UINT64_C(0xea9c227723ee8bcb), UINT64_C(0xece53cec4a314ebd), UINT64_C(0xef340a98172aace4),
    UINT64_C(0xf18899b1bc3f8ca1), UINT64_C(0xf3e2f893dec3f126), UINT64_C(0xf64335bcf065d37d),
    UINT64_C(0xf8a95fcf88747d94), UINT64_C(0xfb158592be068d2e), UINT64_C(0xfd87b5f28300ca0d),
    UINT64_C(0x8000000000000000), UINT64_C(0x813f3978f8940984), UINT64_C(0x82818f1281ed449f),
    UINT64_C(0x83c7088e1aab65db), UINT64_C(0x850fadc09923329e), UINT64_C(0x865b86925b9bc5c2),
    UINT64_C(0x87aa9aff79042286), UINT64_C(0x88fcf317f22241e2), UINT64_C(0x8a5296ffe33cc92f),
    UINT64_C(0x8bab8eefb6409c1a), UINT64_C(0x8d07e33455637eb2), UINT64_C(0x8e679c2f5e44ff8f)};

/* The leading 64 bits of 5^(k - POWERS). */
static const uint64_t near_fives[2 * POWERS] = {
    UINT64_C(0xfd87b5f28300ca0d), UINT64_C(0x9e74d1b791e07e48), UINT64_C(0xc612062576589dda),
    UINT64_C(0xf79687aed3eec551), UINT64_C(0x9abe14cd44753b52), UINT64_C(0xc16d9a0095928a27),
    UINT64_C(0xf1c90080baf72cb1), UINT64_C(0x971da05074da7bee), UINT64_C(0xbce5086492111aea),
    UINT64_C(0xec1e4a7db69561a5), UINT64_C(0x9392ee8e921d5d07), UINT64_C(0xb877aa3236a4b449),
    UINT64_C(0xe69594bec44de15b), UINT64_C(0x901d7cf73ab0acd9), UINT64_C(0xb424dc35095cd80f),
    UINT64_C(0xe12e13424bb40e13), UINT64_C(0x8cbccc096f5088cb), UINT64_C(0xafebff0bcb24aafe),
    UINT64_C(0xdbe6fecebdedd5be), UINT64_C(0x89705f4136b4a597), UINT64_C(0xabcc77118461cefc),
    UINT64_C(0xd6bf94d5e57a42bc), UINT64_C(0x8637bd05af6c69b5), UINT64_C(0xa7c5ac471b478423),
    UINT64_C(0xd1b71758e219652b), UINT64_C(0x83126e978d4fdf3b), UINT64_C(0xa3d70a3d70a3d70a),
    UINT64_C(0xcccccccccccccccc), UINT64_C(0x8000000000000000), UINT64_C(0xa000000000000000),
    UINT64_C(0xc800000000000000), UINT64_C(0xfa00000000000000), UINT64_C(0x9c40000000000000),
    UINT64_C(0xc350000000000000), UINT64_C(0xf424000000000000), UINT64_C(0x9896800000000000),
    UINT64_C(0xbebc200000000000), UINT64_C(0xee6b280000000000), UINT64_C(0x9502f90000000000),
    UINT64_C(0xba43b74000000000), UINT64_C(0xe8d4a51000000000), UINT64_C(0x9184e72a00000000),
    UINT64_C(0xb5e620f480000000), UINT64_C(0xe35fa931a0000000), UINT64_C(0x8e1bc9bf04000000),
    UINT64_C(0xb1a2bc2ec5000000), UINT64_C(0xde0b6b3a76400000), UINT64_C(0x8ac7230489e80000),
    UINT64_C(0xad78ebc5ac620000), UINT64_C(0xd8d726b7177a8000), UINT64_C(0x878678326eac9000),
    UINT64_C(0xa968163f0a57b400), UINT64_C(0xd3c21bcecceda100), UINT64_C(0x84595161401484a0),
    UINT64_C(0xa56fa5b99019a5c8), UINT64_C(0xcecb8f27f4200f3a)};

/* Returns the upper half of the product of two numbers with their top bits set, normalized
 * likewise, and adds the exponent of its top bit to *exponent. */
static inline uint64_t times(uint64_t a, uint64_t b, int *exponent)
{
    wide product = (wide)a * b;
    uint64_t upper = (uint64_t)(product >> 64), next = (uint64_t)product >> 63, zero = ~upper >> 63;
    *exponent += 64 - (int)zero;
    /* without a branch, which would be mispredicted */
    return upper << zero | (next & zero);
}

/* floor(k * log2(5)), for |k| < 400. */
static inline int bits_of_five(int k)
{
    return (int)((k * INT64_C(2434718) + (INT64_C(1) << 40)) >> 20) - (1 << 20);
}

/* Returns the leading bits of 5^exponent, or up to two less. */
static inline uint64_t leading_bits(int exponent)
{
    int unused = 0, far = (exponent - LEAST) / POWERS;
    if (exponent >= -POWERS && exponent < POWERS)
        return near_fives[exponent + POWERS];
    return times(far_fives[far], near_fives[exponent - LEAST - far * POWERS + POWERS], &unused);
}

/* Rounds digits * 10^exponent to the nearest double, for exponents in LEAST..MOST and digits other
 * than 0. false if it is next to half way between two doubles, or not normal.  The power's leading
 * bits are low by less than three, the product's by less than SHORT. */
static inline bool round_product(uint64_t digits, int exponent, double *f)
{
    enum { SHORT = 5, HALF = 1 << 10 };
    int zeros = __builtin_clzll(digits), binary = bits_of_five(exponent) + exponent - zeros;
    uint64_t power = leading_bits(exponent);
    uint64_t n = times(digits << zeros, power, &binary), below = n & (2 * HALF - 1);
    if (HALF - below <= SHORT || binary < DBL_MIN_EXP - 1 || binary >= DBL_MAX_EXP)
        return false;
    /* rounding up may carry into the exponent, as it should */
    *f = from_bits(((uint64_t)(binary + 1022) << 52) + (((n >> 10) + 1) >> 1));
    return true;
}

/* Are the leading bits of this power known? */
static inline bool has_power(int64_t exponent) { return exponent >= LEAST && exponent <= MOST; }

const char *decimal_scan_double(const char *s, const char *end, double *f)
{
    struct mantissa m;
    bool negative = *s == '-';
    s = scan_mantissa(s + (*s == '-' || *s == '+'), end, &m);
    int64_t exponent = -m.after;
    if (m.count == 0 || m.count > MANTISSA_DIGITS)
        return NULL;
    if (is_exponent(*s) && !(s = scan_exponent(s, &exponent)))
        return NULL;
    *f = 0;
    if (m.digits != 0 && (!has_power(exponent) || !round_product(m.digits, (int)exponent, f)))
        return NULL;
    *f = from_bits(decimal_bits(*f) | (uint64_t)negative << 63);
    return s;
}

/* Is it half way between two floats?  (For normal ones.) */
static bool is_half_way(double f) { return (decimal_bits(f) & 0x1fffffff) == 0x10000000; }

const char *decimal_scan_float(const char *s, const char *end, float *f)
{
    double d;
    const char *past = decimal_scan_double(s, end, &d);
    bool normal = past && (d == 0 || (fabs(d) >= FLT_MIN && fabs(d) <= FLT_MAX));
    if (!normal || is_half_way(d))
        return NULL;
    *f = (float)d;
    return past;
}

/* The same, exactly, for |exponent| < POWERS. */
static double scale(uint64_t digits, int exponent)
{
    if (exponent >= 0)
        return round_wide((wide)digits * decimal_fives[exponent], exponent, false);
    /* The dividend's top bit is set and the divisor is below 2^63, so the quotient has more than 64
     * bits. */
    int zeros = __builtin_clzll(digits);
    wide dividend = (wide)(digits << zeros) << 64, quotient = dividend / decimal_fives[-exponent];
    return round_wide(quotient, exponent - zeros - 64,
                      quotient * decimal_fives[-exponent] != dividend);
}

/* Digits beyond these tell only whether there is something more: a number half way between two
 * doubles has at most 767. */
enum { SIGNIFICANT = 780 };

/* Adds the decimal point of the host program's locale, which the C library expects. */
static size_t add_point(char *text, size_t size)
{
    const char *point = nl_langinfo(RADIXCHAR);
    size_t n = strnlen(point, size);
    memcpy(text, point, n);
    return n;
}

/* Reads by strtod or strtof, from the digits written as d.ddde9, without the sign. */
__attribute__((noinline, cold)) static double by_library(const struct decimal *d, bool single)
{
    char text[SIGNIFICANT + POINT_MAX + 40];
    size_t n = 0, digits = 0;
    const char *s = d->begin;
    while (*s == '-' || *s == '+' || *s == '0' || *s == '.')
        s++;
    for (; decimal_is_digit(*s) || *s == '.'; s++) {
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

/* Are the digits not 0, and is the power of ten known? */
static inline bool is_plain(const struct decimal *d)
{
    return d->digits != 0 && has_power(d->exponent);
}

/* Rounds a number with more digits than are kept, if these and the next higher ones round alike. */
static bool round_long(const struct decimal *d, double *f)
{
    double next;
    return is_plain(d) && d->digits < UINT64_MAX && round_product(d->digits, (int)d->exponent, f)
           && round_product(d->digits + 1, (int)d->exponent, &next) && *f == next;
}

/* Rounds what one product does not decide. */
__attribute__((noinline)) static double magnitude(const struct decimal *d)
{
    double f;
    switch (d->kind) {
    case DECIMAL_INFINITE: return INFINITY;
    case DECIMAL_NAN: return NAN;
    case DECIMAL_LONG: return round_long(d, &f) ? f : by_library(d, false);
    case DECIMAL_EXACT: break;
    }
    if (d->digits == 0)
        return 0;
    return d->exponent < POWERS && d->exponent > -POWERS ? scale(d->digits, (int)d->exponent)
                                                         : by_library(d, false);
}

double decimal_double(const struct decimal *d)
{
    double f;
    if (d->kind != DECIMAL_EXACT || !is_plain(d) || !round_product(d->digits, (int)d->exponent, &f))
        f = magnitude(d);
    return d->negative ? -f : f;
}

/* A double that is rounded again to float may differ from the text rounded once, if it is half way
 * between two floats or below the normal ones. */
float decimal_float(const struct decimal *d)
{
    double f = decimal_double(d);
    if ((is_half_way(f) || (fabs(f) < FLT_MIN && f != 0)) && isfinite(f))
        return (float)(d->negative ? -by_library(d, true) : by_library(d, true));
    return (float)f;
}
