/* index_array.h - arrays of positions or coordinates, stored as any of the integer types.
 *
 * Storage functions of level types and the runtime read and write such arrays through these few
 * functions;
 * all numbers outside the arrays are int64_t.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_FORMAT_INDEX_ARRAY_H
#define SPCC_FORMAT_INDEX_ARRAY_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/value/type.h"

/* What a pack function's fault says when malloc failed; everything else that it says is about
 * the nodes. */
#define LEVEL_NO_MEMORY "no memory"

/* Returns the largest number that an array of this type holds (for u64 the largest int64_t); -1: no
 * integer type. */
static inline int64_t index_max(enum type type)
{
    switch (type) {
    case TYPE_I8: return INT8_MAX;
    case TYPE_I16: return INT16_MAX;
    case TYPE_I32: return INT32_MAX;
    case TYPE_I64: return INT64_MAX;
    case TYPE_U8: return UINT8_MAX;
    case TYPE_U16: return UINT16_MAX;
    case TYPE_U32: return UINT32_MAX;
    case TYPE_U64: return INT64_MAX;
    case TYPE_BOOL:
    case TYPE_F32:
    case TYPE_F64:
    case TYPE_C64:
    case TYPE_C128:
    case TYPE_COUNT: break;
    }
    return -1;
}

/* Returns the least number that an array of this type holds; 0 if it is no integer type. */
static inline int64_t index_min(enum type type)
{
    switch (type) {
    case TYPE_I8: return INT8_MIN;
    case TYPE_I16: return INT16_MIN;
    case TYPE_I32: return INT32_MIN;
    case TYPE_I64: return INT64_MIN;
    case TYPE_U8:
    case TYPE_U16:
    case TYPE_U32:
    case TYPE_U64:
    case TYPE_BOOL:
    case TYPE_F32:
    case TYPE_F64:
    case TYPE_C64:
    case TYPE_C128:
    case TYPE_COUNT: break;
    }
    return 0;
}

/* Element `at`; a u64 beyond int64_t reads as INT64_MAX, a bool as the byte that it is. */
static inline int64_t index_load(enum type type, const void *array, int64_t at)
{
    switch (type) {
    case TYPE_I8: return ((const int8_t *)array)[at];
    case TYPE_I16: return ((const int16_t *)array)[at];
    case TYPE_I32: return ((const int32_t *)array)[at];
    case TYPE_I64: return ((const int64_t *)array)[at];
    case TYPE_BOOL:
    case TYPE_U8: return ((const uint8_t *)array)[at];
    case TYPE_U16: return ((const uint16_t *)array)[at];
    case TYPE_U32: return ((const uint32_t *)array)[at];
    case TYPE_U64: {
        uint64_t n = ((const uint64_t *)array)[at];
        return n > (uint64_t)INT64_MAX ? INT64_MAX : (int64_t)n;
    }
    case TYPE_F32:
    case TYPE_F64:
    case TYPE_C64:
    case TYPE_C128:
    case TYPE_COUNT: break;
    }
    return -1;
}

/* Sets element `at`; false, and nothing stored, if the type does not hold the number. */
static inline bool index_store(enum type type, void *array, int64_t at, int64_t number)
{
    if (number < index_min(type) || number > index_max(type))
        return false;
    switch (type) {
    case TYPE_I8: ((int8_t *)array)[at] = (int8_t)number; return true;
    case TYPE_I16: ((int16_t *)array)[at] = (int16_t)number; return true;
    case TYPE_I32: ((int32_t *)array)[at] = (int32_t)number; return true;
    case TYPE_I64: ((int64_t *)array)[at] = number; return true;
    case TYPE_U8: ((uint8_t *)array)[at] = (uint8_t)number; return true;
    case TYPE_U16: ((uint16_t *)array)[at] = (uint16_t)number; return true;
    case TYPE_U32: ((uint32_t *)array)[at] = (uint32_t)number; return true;
    case TYPE_U64: ((uint64_t *)array)[at] = (uint64_t)number; return true;
    case TYPE_BOOL:
    case TYPE_F32:
    case TYPE_F64:
    case TYPE_C64:
    case TYPE_C128:
    case TYPE_COUNT: break;
    }
    return false;
}

/* Sets elements at[i] to number[i], for n of them; false, and nothing stored, if the type does not
 * hold one of the numbers. */
static inline bool index_store_all(enum type type, void *array, const int64_t *at,
                                   const int64_t *number, int64_t n)
{
    const bool has_sign = index_min(type) < 0;
    int64_t bits = 0; /* of all numbers: types hold all that have no more than their largest */
#pragma GCC unroll 4
    for (int64_t i = 0; i < n; i++)
        bits |= has_sign && number[i] < 0 ? ~number[i] : number[i];
    bool holds = bits >= 0 && bits <= index_max(type);
    /* The usual type has a loop of its own. */
    if (type == TYPE_I32 && holds)
#pragma GCC unroll 4
        for (int64_t i = 0; i < n; i++)
            ((int32_t *)array)[at[i]] = (int32_t)number[i];
    else
        for (int64_t i = 0; i < n && holds; i++)
            index_store(type, array, at[i], number[i]);
    return holds;
}

/* ---- positions without a coordinate hold (T)-1: all bits set ---- */

static inline bool index_is_none(enum type type, const void *array, int64_t at)
{
    uint64_t n = 0, none = UINT64_MAX;
    size_t size = type_size(type);
    memcpy(&n, (const char *)array + (size_t)at * size, size);
    return memcmp(&n, &none, size) == 0;
}

static inline void index_store_none(enum type type, void *array, int64_t at, int64_t n)
{
    if (n > 0)
        memset((char *)array + (size_t)at * type_size(type), 0xff, (size_t)n * type_size(type));
}

/* Where a coordinate's search begins in a hash table of this width, a power of two: the upper half
 * of the product with 2^64 / the golden ratio (Knuth, The Art of Computer Programming, 6.4), so
 * that coordinates at even distances spread. */
#define INDEX_HASH UINT64_C(0x9e3779b97f4a7c15)

static inline int64_t index_slot(int64_t coordinate, int64_t width)
{
    return (int64_t)(((uint64_t)coordinate * INDEX_HASH >> 32) & ((uint64_t)width - 1));
}

/* Room for n elements, for free(); NULL if there is none.  Never NULL because n is 0. */
static inline void *index_alloc(enum type type, int64_t n)
{
    size_t size;
    if (n < 0 || __builtin_mul_overflow((uint64_t)n, type_size(type), &size) || size > PTRDIFF_MAX)
        return NULL;
    return malloc(size ? size : 1);
}

#endif
