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

/* Read 1, -1.5, .5, 1e-3, 1.0D+3, inf, nan at s, and return where it ends; NULL: no number.
 * Something that cannot continue a number must be there before end, a newline or a NUL for example;
 * what is at end, or behind it, is not looked at. */
const char *decimal_scan(const char *s, const char *end, struct decimal *decimal);

/* The nearest double and the nearest float, rounded once; infinite if it is too large. */
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

/* How many of the eight bytes at s are digits, before the first that is none, and their number.
 * Each byte less '0' is compared with 9 at once; then digits become pairs, fours and eight, each
 * by one multiplication (Lamport, "Multiple byte processing with full-word instructions",
 * 1975). */
static inline int decimal_eight(const char *s, uint64_t *n)
{
    uint64_t bytes;
    memcpy(&bytes, s, sizeof bytes);
    if (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__)
        bytes = __builtin_bswap64(bytes);
    bytes ^= UINT64_C(0x3030303030303030);
    uint64_t others = (bytes | (bytes + UINT64_C(0x7676767676767676))) & UINT64_C(0x8080808080808080);
    int count = others ? __builtin_ctzll(others) / 8 : 8;
    /* Zeros in front; by two shifts, since there may be eight. */
    bytes = count < 8 ? bytes << (8 * (7 - count)) << 8 : bytes;
    bytes = (10 * bytes + (bytes >> 8)) & UINT64_C(0x00ff00ff00ff00ff);
    bytes = (100 * bytes + (bytes >> 16)) & UINT64_C(0x0000ffff0000ffff);
    *n = (10000 * bytes + (bytes >> 32)) & UINT64_C(0x00000000ffffffff);
    return count;
}

/* The digits at s behind those of *n; where they end, which is before end. */
static inline const char *decimal_digits(const char *s, const char *end, uint64_t *n)
{
    uint64_t eight;
    for (int count = 8; count == 8 && end - s >= 8; s += count) {
        count = decimal_eight(s, &eight);
        *n = *n * decimal_tens[count] + eight;
    }
    for (unsigned digit; (digit = (unsigned char)*s - (unsigned)'0') <= 9; s++)
        *n = 10 * *n + digit;
    return s;
}

#endif
