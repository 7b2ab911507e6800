/* decimal.h - numbers as texts: read and rounded correctly, written with the fewest digits that
 * read back.
 *
 * The point is a point, whatever the host program's locale says.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_VALUE_DECIMAL_H
#define SPCC_VALUE_DECIMAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* A number as it stands in the text: (-1)^negative * digits * 10^exponent. */
struct decimal {
    const char *begin, *end;
    uint64_t digits;
    int64_t exponent;
    /* LONG: digits are the leading ones */
    enum { DECIMAL_EXACT, DECIMAL_LONG, DECIMAL_INFINITE, DECIMAL_NAN } kind;
    bool negative;
};

/* Reads 1, -1.5, .5, 1e-3, 1.0D+3, inf, nan at s, and returns where it ends; NULL: no number.
 * Something that cannot continue a number must be there before end, a newline or a NUL for example;
 * what is at end, or behind it, is not looked at. */
const char *decimal_scan(const char *s, const char *end, struct decimal *decimal);

/* Returns the double at s, nearest to the number there, and where that ends; NULL where this takes
 * more than one look at 19 digits, or there is no number: decimal_scan and decimal_double tell
 * then. */
const char *decimal_scan_double(const char *s, const char *end, double *f);
/* Likewise the nearest float. */
const char *decimal_scan_float(const char *s, const char *end, float *f);

/* Returns the nearest double and the nearest float, rounded once; infinite if it is too large. */
double decimal_double(const struct decimal *decimal);
float decimal_float(const struct decimal *decimal);

/* The shortest text that reads back to the same double (the same float, if single): "1.5", "100",
 * "1e+20", "-inf", "nan".  An exponent is written below 1e-5 and from 1e16 on; whole numbers below
 * 1e9 have all their digits.  No NUL; returns its length, at most DECIMAL_TEXT. */
enum { DECIMAL_TEXT = 32 };
size_t decimal_print(char *text, double f, bool single);

/* Likewise, of an integer. */
size_t decimal_print_unsigned(char *text, uint64_t n);

/* ---- digits ---- */

extern const uint64_t decimal_tens[20]; /* powers of ten */

static inline bool decimal_is_digit(char c) { return (unsigned char)(c - '0') <= 9; }

/* Returns the eight bytes at s, each less '0', the first one lowest. */
static inline uint64_t decimal_load(const char *s)
{
    uint64_t bytes;
    memcpy(&bytes, s, sizeof bytes);
    if (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__)
        bytes = __builtin_bswap64(bytes);
    return bytes ^ UINT64_C(0x3030303030303030);
}

/* The top bit of each that is no digit is set, at least up to the first such: all are compared with
 * 9 at once. */
static inline uint64_t decimal_others(uint64_t bytes)
{
    return (bytes | (bytes + UINT64_C(0x7676767676767676))) & UINT64_C(0x8080808080808080);
}

/* Returns the number that eight digits are: digits become pairs, of which the two products have the
 * sum with their weights in the upper half (after Lamport, "Multiple byte processing with full-word
 * instructions", 1975). */
static inline uint64_t decimal_join(uint64_t bytes)
{
    const uint64_t even = UINT64_C(0x000000ff000000ff);
    bytes = 10 * bytes + (bytes >> 8);
    return ((bytes & even) * (UINT64_C(1000000) << 32 | 100)
            + (bytes >> 16 & even) * (UINT64_C(10000) << 32 | 1))
           >> 32;
}

/* Returns the number that the first `count` of eight bytes are, digits, below 8. */
static inline uint64_t decimal_join_first(uint64_t bytes, int count)
{
    return decimal_join(bytes << 8 << (56 - 8 * count));
}

/* Returns the digits at s behind those of *n; where they end, which is before end. */
static inline const char *decimal_digits(const char *s, const char *end, uint64_t *n)
{
    for (; end - s >= 8; s += 8) {
        uint64_t bytes = decimal_load(s), others = decimal_others(bytes);
        if (others) {
            int count = __builtin_ctzll(others) / 8;
            *n = *n * decimal_tens[count] + decimal_join_first(bytes, count);
            return s + count;
        }
        *n = *n * 100000000 + decimal_join(bytes);
    }
    for (; decimal_is_digit(*s); s++)
        *n = 10 * *n + (uint64_t)(*s - '0');
    return s;
}

#endif
