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
 * Something that cannot continue a number must follow in memory, a newline or a NUL for example. */
const char *decimal_scan(const char *s, struct decimal *decimal);

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

#endif
