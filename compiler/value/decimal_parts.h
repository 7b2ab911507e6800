/* decimal_parts.h - what reading and writing numbers share.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_VALUE_DECIMAL_PARTS_H
#define SPCC_VALUE_DECIMAL_PARTS_H

#include "compiler/value/decimal.h"

__extension__ typedef unsigned __int128 wide;

/* The powers of five that fit 63 bits. */
enum { POWERS = 28 };
extern const uint64_t decimal_fives[POWERS];

/* Bytes that the point of a locale has at most. */
enum { POINT_MAX = 8 };

static inline uint64_t decimal_bits(double f)
{
    uint64_t bits;
    memcpy(&bits, &f, sizeof f);
    return bits;
}

#endif
