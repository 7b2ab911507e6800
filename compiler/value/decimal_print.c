/* decimal_print.c - writes numbers as text.
 *
 * Few digits are tried first: 15, 16 and 17 for doubles, 6 to 9 for floats.  For a normal number
 * the first that suffice, without trailing zeros, are the shortest.  Between 1e-10 and 1e17 the
 * digits are those of an exact 128-bit integer; they suffice if the omitted rest is less than half
 * the distance to the next number (Steele and White, "How to print floating-point numbers
 * accurately", 1990).  printf writes other numbers.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/value/decimal_parts.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const char pairs[] =
    "00010203040506070809101112131415161718192021222324252627282930313233343536"
    "37383940414243444546474849505152535455565758596061626364656667686970717273"
    "7475767778798081828384858687888990919293949596979899";

/* floor(k * log10(2)), for |k| <= 64. */
static int tens_of_bits(int k) { return (k * 1233 + (64 << 12)) / 4096 - 64; }

static int count_digits(uint64_t n)
{
    int digits = tens_of_bits(64 - __builtin_clzll(n | 1));
    return digits + (n >= decimal_tens[digits]);
}

size_t decimal_print_unsigned(char *text, uint64_t n)
{
    int length = n ? count_digits(n) : 1;
    char *at = text + length;
    for (; n >= 10; n /= 100)
        memcpy(at -= 2, pairs + 2 * (n % 100), 2);
    if (at > text)
        *text = (char)('0' + n);
    return (size_t)length;
}

/* Prints e+09 or e-123. */
static size_t print_exponent(char *text, int exponent)
{
    unsigned n = exponent < 0 ? 0U - (unsigned)exponent : (unsigned)exponent;
    text[0] = 'e';
    text[1] = exponent < 0 ? '-' : '+';
    text[2] = '0';
    return (n < 10 ? 3 : 2) + decimal_print_unsigned(text + (n < 10 ? 3 : 2), n);
}

/* Prints n * 10^exponent. */
static size_t print_digits(char *text, uint64_t n, int exponent)
{
    for (; n % 10 == 0; exponent++)
        n /= 10;
    int count = count_digits(n), point = count + exponent;
    if (point <= 0 && point >= -4) {
        memcpy(text, "0.0000", 6);
        decimal_print_unsigned(text + 2 - point, n);
        return (size_t)(2 - point + count);
    }
    if (point >= count && point <= 16) {
        decimal_print_unsigned(text, n);
        memset(text + count, '0', (size_t)(point - count));
        return (size_t)point;
    }
    bool far = point < -4 || point > 16;
    int before = far ? 1 : point;
    decimal_print_unsigned(text + 1, n);
    for (int i = 0; i < before; i++)
        text[i] = text[i + 1];
    text[before] = '.';
    size_t length = (size_t)(count > before ? count + 1 : count);
    return far ? length + print_exponent(text + length, point - 1) : length;
}

/* A number f > 0 times a power of ten, exactly: n has `shift` more bits behind the point. */
struct scaled {
    wide n;
    wide gap; /* to the next number above */
    int shift;
    bool even;  /* a number half way to a neighbour is read as f */
    bool lower; /* the next number below is half as far */
};

static struct scaled scale_number(double f, int power, bool single)
{
    enum { MISSING = DBL_MANT_DIG - FLT_MANT_DIG };
    uint64_t bits = decimal_bits(f), fraction = bits & (UINT64_MAX >> 12);
    int finest = single ? MISSING : 0, shift = 1075 - (int)(bits >> 52) - power;
    int up = shift < 0 ? -shift : 0;
    return (struct scaled){.n = (wide)(fraction | UINT64_C(1) << 52) * decimal_fives[power] << up,
                           .gap = (wide)decimal_fives[power] << (finest + up),
                           .shift = shift + up,
                           .even = !(fraction >> finest & 1),
                           .lower = fraction == 0};
}

/* Rounds the digits before the point to multiples of a unit.  false if they would be read as
 * another number. */
static inline bool round_to(const struct scaled *s, uint64_t unit, uint64_t *multiple)
{
    uint64_t whole = (uint64_t)(s->n >> s->shift);
    wide one = (wide)unit << s->shift, left = s->n - ((wide)(whole - whole % unit) << s->shift);
    *multiple = whole / unit;
    bool up = left > one / 2 || (2 * left == one && (*multiple & 1));
    *multiple += up;
    wide twice = 2 * (up ? one - left : left) << (s->lower && !up);
    return twice < s->gap || (twice == s->gap && s->even);
}

/* Prints f > 0 with as few digits as read back.  Returns 0 if it is too large or small for this. */
static size_t print_exactly(char *text, double f, bool single)
{
    enum { DIGITS = 17 };
    if (!(f >= 1e-10 && f < 1e17))
        return 0;
    /* The power of ten that gives f 17 digits before the point.  It is estimated from f's size in
     * bits, which may give one digit too many. */
    int power = DIGITS - 1 - tens_of_bits((int)(decimal_bits(f) >> 52) - 1023);
    struct scaled s = scale_number(f, power, single);
    if (power > 0 && s.n >> s.shift >= decimal_tens[DIGITS])
        s = scale_number(f, --power, single);
    uint64_t kept;
    int left = DIGITS - (single ? FLT_DIG : DBL_DIG);
    while (left > 2 && !round_to(&s, decimal_tens[left], &kept))
        left--;
    /* the compiler knows these units as constants */
    if (left == 2 && !round_to(&s, 100, &kept))
        left -= 1 + !round_to(&s, 10, &kept);
    if (left == 0)
        round_to(&s, 1, &kept);
    return print_digits(text, kept, left - power);
}

static bool reads_back(const char *line, double f, bool single)
{
    struct decimal d;
    decimal_scan(line, line + strlen(line) + 1, &d);
    return single ? decimal_float(&d) == (float)f : decimal_double(&d) == f;
}

/* Puts a point in the place of the locale's: a character that is no digit, sign or letter. */
static void restore_point(char *text)
{
    char *to = text;
    for (const char *from = text; *from; from++) {
        bool plain = decimal_is_digit(*from) || *from == '-' || *from == '+' || *from == 'e';
        if (plain)
            *to++ = *from;
        else if (to == text || to[-1] != '.')
            *to++ = '.';
    }
    *to = '\0';
}

/* Prints a number so large or small that printf writes an exponent, too. */
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
