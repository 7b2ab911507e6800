/* value.h - constants of the value types.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_VALUE_VALUE_H
#define SPCC_VALUE_VALUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "compiler/value/type.h"

/* A constant.  Which member holds it: b of bool, i of signed, u of unsigned integers,
 * f of floats (rounded to f32 for that type), c of complex types (likewise). */
struct value {
    enum type type;
    union {
        bool b;
        int64_t i;
        uint64_t u;
        double f;
        struct {
            double re, im;
        } c;
    };
};

struct value value_zero(enum type type);
struct value value_int(enum type type, int64_t i); /* i converted to the type */
struct value value_real(enum type type, double f);
struct value value_complex(enum type type, double re, double im);

/* +inf or the largest integer or true; -inf or the smallest integer or false. */
struct value value_highest(enum type type);
struct value value_lowest(enum type type);

/* Converted as C converts: integers wrap; a float out of an integer's range is clamped to it and
 * NaN gives 0 (C leaves both undefined); to bool: != 0; complex to real: the real part. */
struct value value_convert(struct value v, enum type type);

/* The same type and the same value; NaN equals NaN, 0.0 equals -0.0. */
bool value_equal(struct value a, struct value b);

/* Is it the value of its type that is stored there? */
bool value_is_stored(struct value v, const void *at);

/* Is it what fills a place that nobody has written?  As above, but -0.0 does not fill places where
 * the value is 0.0. */
bool value_is_filling(struct value v, const void *at);

bool value_is_zero(struct value v);
bool value_is_one(struct value v);
bool value_truth(struct value v); /* != 0 */

/* Returns the nearest double (the real part of a complex value). */
double value_double(struct value v);

/* "1.5", "-inf", "nan", "true", "7", "(1,-2)": reads back with value_parse to the same value.
 * Writes at most size bytes with the NUL; 64 is always enough. */
void value_print(struct value v, char *buffer, size_t size);

/* Returns the n bytes at s as a constant of the type; false if they are not one or it is out of
 * range. */
bool value_parse(const char *s, size_t n, enum type type, struct value *v);

/* To and from memory, where it is stored as type_size(type) bytes, as C stores it. */
struct value value_load(enum type type, const void *at);
void value_store(struct value v, void *at);

#endif
