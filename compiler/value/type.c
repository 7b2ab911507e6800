/* type.c - value types.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/value/type.h"

#include <string.h>

struct type_row {
    const char *name, *c_name, *alias;
    enum type_kind kind;
    size_t size;
};

static const struct type_row types[TYPE_COUNT] = {
#define TYPE(NAME, name, c_name, KIND, bytes, alias) {name, c_name, alias, KIND_##KIND, bytes},
#include "compiler/value/type.def"
#undef TYPE
};

const char *type_name(enum type type) { return types[type].name; }

const char *type_c_name(enum type type) { return types[type].c_name; }

enum type_kind type_kind(enum type type) { return types[type].kind; }

size_t type_size(enum type type) { return types[type].size; }

static bool same_text(const char *name, const char *s, size_t n)
{
    return n > 0 && *name == *s && strncmp(name, s, n) == 0 && !name[n];
}

bool type_parse(const char *s, size_t n, enum type *type)
{
    for (int t = 0; t < TYPE_COUNT; t++) {
        if (same_text(types[t].name, s, n) || same_text(types[t].alias, s, n)
            || same_text(types[t].c_name, s, n)) {
            *type = (enum type)t;
            return true;
        }
    }
    return false;
}

static enum type larger(enum type a, enum type b) { return type_size(a) >= type_size(b) ? a : b; }

/* Returns the smallest signed type that holds both, f64 if even i64 does not. */
static enum type promote_signs(enum type with_sign, enum type without)
{
    switch (type_size(without)) {
    case 1: return larger(with_sign, TYPE_I16);
    case 2: return larger(with_sign, TYPE_I32);
    case 4: return TYPE_I64;
    default: return TYPE_F64;
    }
}

/* Returns the float type in which an integer and a float of this size meet. */
static enum type promote_to_float(enum type integer, enum type real)
{
    return type_size(integer) <= 2 ? real : TYPE_F64;
}

enum type type_promote(enum type a, enum type b)
{
    enum type_kind ka = type_kind(a), kb = type_kind(b);
    if (ka == kb)
        return larger(a, b);
    if (ka > kb) /* kinds are declared in the order of promotion */
        return type_promote(b, a);
    switch (kb) {
    case KIND_BOOL: /* at least as large */
    case KIND_INT: return b;
    case KIND_UINT: return ka == KIND_BOOL ? b : promote_signs(a, b);
    case KIND_FLOAT: return ka == KIND_BOOL ? b : promote_to_float(a, b);
    case KIND_COMPLEX:
        if (ka == KIND_BOOL)
            return b;
        return type_promote(a, type_real(b)) == TYPE_F64 ? TYPE_C128 : TYPE_C64;
    }
    return b;
}

enum type type_real(enum type type)
{
    return type == TYPE_C64 ? TYPE_F32 : type == TYPE_C128 ? TYPE_F64 : type;
}
