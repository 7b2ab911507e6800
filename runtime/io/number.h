/* number.h - numbers in files, as values of the types that tensors have.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_IO_NUMBER_H
#define SPCC_IO_NUMBER_H

#include "compiler/value/decimal.h"
#include "compiler/value/type.h"

/* Why a number cannot be stored as a value of a type. */
enum number_fault { NUMBER_FITS, NUMBER_NOT_INTEGRAL, NUMBER_TOO_LARGE };

/* Is it an integer, whatever its size? */
bool number_is_integer(const struct decimal *number);

/* Store it as a value of that type (for complex types the real part, the imaginary part being
 * 0). */
enum number_fault number_store(const struct decimal *number, enum type type, void *at);

/* The shortest text that reads back to the same value ("1.5", "re im" of complex types, 0 or 1 of
 * bool), without a NUL; returns its length, at most NUMBER_TEXT. */
enum { NUMBER_TEXT = 2 * DECIMAL_TEXT };
size_t number_print(char *text, enum type type, const void *at);

#endif
