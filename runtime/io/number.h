/* number.h - numbers in files: reading them fast and rounded correctly, writing them so that they read back.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_IO_NUMBER_H
#define SPCC_IO_NUMBER_H

#include <locale.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "compiler/value/value.h"

/* A number as it stands in the text: (-1)^negative * digits * 10^exponent. */
struct number {
    const char *begin, *end;
    uint64_t digits;
    int64_t exponent;
    enum { NUMBER_EXACT, NUMBER_LONG, NUMBER_INFINITE, NUMBER_NAN } kind;    /* LONG: digits are the leading ones */
    bool negative;
};

/* Why a number cannot be stored as a value of a type. */
enum number_fault { NUMBER_FITS, NUMBER_NOT_INTEGRAL, NUMBER_TOO_LARGE };

/* Read 1, -1.5, .5, 1e-3, 1.0D+3, inf, nan at s, and return where it ends; NULL: no number.  Something that cannot
 * continue a number must follow in memory, a newline for example. */
const char *number_scan(const char *s, struct number *number);

/* Is it an integer, whatever its size? */
bool number_is_integer(const struct number *number);

/* The nearest double; infinite if it is too large.  c is a "C" locale. */
double number_double(const struct number *number, locale_t c);

/* Store it as a value of that type (for complex types the real part, the imaginary part being 0). */
enum number_fault number_store(const struct number *number, enum type type, void *at, locale_t c);

/* The shortest text that reads back to the same value ("1.5", "re im" of complex types, 0 or 1 of bool), without a NUL;
 * returns its length, at most NUMBER_TEXT. */
enum { NUMBER_TEXT = 64 };
size_t number_print(char *text, enum type type, const void *at, locale_t c);

#endif
