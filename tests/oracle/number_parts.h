/* number_parts.h - what number.c and float.c share.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_ORACLE_NUMBER_PARTS_H
#define SPCC_ORACLE_NUMBER_PARTS_H

#include "tests/oracle/number.h"

bool number_is_exact(enum type type); /* bool and integers */
enum type number_real_type(enum type type);

/* An integer or bool from bits, of which its type keeps the lowest. */
struct number number_exact(enum type type, uint64_t bits);

bool number_represents(enum type type, long double x);
long double number_unit(enum type type); /* the unit roundoff */

/* A result: ulps units in the last place come on top of the error that the operands brought. */
struct number number_rounded(enum type type, long double re, long double im, long double error,
                             int ulps);

/* Of how many terms it is a sum, and what these are together without their signs. */
long number_terms(const struct number *a);
long double number_magnitude(const struct number *a);

/* op on operands that are known and have been converted to type, a float or complex one. */
struct number number_apply_float(enum op op, enum type type, const struct number *a,
                                 const struct number *b);

#endif
