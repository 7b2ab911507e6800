/* type.h - value types: what a tensor's components are, and what coordinates and positions are
 * stored as.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_VALUE_TYPE_H
#define SPCC_VALUE_TYPE_H

#include <stdbool.h>
#include <stddef.h>

enum type {
#define TYPE(NAME, name, c_name, KIND, bytes, alias) TYPE_##NAME,
#include "compiler/value/type.def"
#undef TYPE
    TYPE_COUNT
};

enum type_kind { KIND_BOOL, KIND_INT, KIND_UINT, KIND_FLOAT, KIND_COMPLEX };

const char *type_name(enum type type);   /* "f64" */
const char *type_c_name(enum type type); /* "double" */
enum type_kind type_kind(enum type type);
size_t type_size(enum type type); /* bytes */

/* Returns the type with this name or alias (n bytes at s); false if there is none. */
bool type_parse(const char *s, size_t n, enum type *type);

static inline bool type_is_integer(enum type t)
{
    return type_kind(t) == KIND_INT || type_kind(t) == KIND_UINT;
}
static inline bool type_is_float(enum type t) { return type_kind(t) == KIND_FLOAT; }
static inline bool type_is_complex(enum type t) { return type_kind(t) == KIND_COMPLEX; }

/* The type in which an operator combines operands of types a and b:
 *   the same kind: the larger of the two;
 *   bool gives way to everything; an integer gives way to a float, a float to a complex type;
 *   a 4- or 8-byte integer with f32 gives f64 (c64: c128), because f32 does not hold its values;
 *   signed with unsigned: the smallest signed type that holds both; i64 with u64 gives f64. */
enum type type_promote(enum type a, enum type b);

/* f32 for c64, f64 for c128, else the type itself: the type of abs(), real(), imag(). */
enum type type_real(enum type type);

#endif
