/* c_helper.c - the small functions that a kernel needs around it.
 *
 * They give operators the meaning that value/op.h promises where C's is undefined or another.  Each
 * is written once, before the first function that uses it, and behind a guard, so that several
 * kernels can be pasted into one file.
 *
 * SPDX-License-Identifier: MIT
 */
#include <math.h>
#include <string.h>

#include "compiler/emit/c.h"

/* Returns the helper's name in the file: in plain C it begins with the kernel's. */
const char *c_helper_name(struct c_writer *w, const char *helper)
{
    return w->iso ? c_file_name(w, w->kernel, helper) : helper;
}

bool c_is_guarded(const struct c_writer *w) { return !w->jit && !w->iso; }

/* Opens the helper's definition.  False: it is defined already. */
bool c_helper_begin(struct c_writer *w, const char *name)
{
    for (size_t i = 0; i < w->helper.n; i++)
        if (strcmp(w->helper.at[i], name) == 0)
            return false;
    vec_push(w->cx->arena, &w->helper, name);
    if (c_is_guarded(w))
        text_printf(&w->helpers, "#ifndef SPCC_HAS_%s\n#define SPCC_HAS_%s\n", name, name);
    return true;
}

void c_helper_end(struct c_writer *w)
{
    text_add(&w->helpers, c_is_guarded(w) ? "#endif\n\n" : "\n");
}

/* ---- operators ---- */

/* Are there builtins?  ISO C has none, and threads of a GPU have functions of their own. */
static bool has_builtins(const struct c_writer *w) { return !w->iso && !w->device; }

const char *c_library(struct c_writer *w, enum type type)
{
    w->uses_complex = w->uses_complex || (w->iso && type_is_complex(type));
    w->uses_math = w->uses_math || (w->iso && !type_is_complex(type));
    return has_builtins(w) ? "__builtin_" : "";
}

static const char *op_word(enum op op)
{
    switch (op) {
    case OP_DIV: return "div";
    case OP_MOD:
    case OP_MIN:
    case OP_MAX:
    case OP_ABS:
    case OP_SIGN:
    case OP_POW:
    case OP_NOT:
    case OP_ANY_SHIFT:
    case OP_ANY_BIT_COUNT:
    case OP_HEAVISIDE: return op_name(op);
    case OP_ADD:
    case OP_SUB:
    case OP_MUL:
    case OP_NEG:
    case OP_ANY_COMPARISON:
    case OP_ANY_BITWISE:
    case OP_ANY_PART:
    case OP_ANY_ANALYTIC:
    case OP_ANY_ROUNDING:
    case OP_ANY_CONVERSION:
    case OP_SELECT:
    case OP_KEEP:
    case OP_STORED:
    case OP_COUNT: break;
    }
    return "";
}

/* Returns the quotient or remainder of integers.  Division by zero gives zero; of the lowest number
 * by -1, which C leaves undefined, it gives that number. */
static const char *division(struct c_writer *w, enum op op, enum type type)
{
    const char *sign = op == OP_DIV ? "/" : "%";
    const char *name = c_type(w, type);
    bool overflows = type_kind(type) == KIND_INT && type_size(type) >= 4;
    if (type_size(type) < 4)
        return arena_printf(w->cx->arena, "b == 0 ? 0 : (%s)(a %s b)", name, sign);
    if (!overflows)
        return arena_printf(w->cx->arena, "b == 0 ? 0 : a %s b", sign);
    const char *negated = op == OP_MOD
                              ? "0"
                              : arena_printf(w->cx->arena, "(%s)(0 - (%s)a)", name,
                                             c_type(w, type == TYPE_I32 ? TYPE_U32 : TYPE_U64));
    return arena_printf(w->cx->arena, "b == 0 ? 0 : b == -1 ? %s : a %s b", negated, sign);
}

static enum type unsigned_of(enum type type)
{
    return type_kind(type) == KIND_INT ? (enum type)(TYPE_U8 + (type - TYPE_I8)) : type;
}

/* Returns a shift.  A negative number shifts all bits away, and so does the width or more. */
static const char *shift(struct c_writer *w, enum op op, enum type type)
{
    bool has_sign = type_kind(type) == KIND_INT;
    const char *name = c_type(w, type);
    const char *within = arena_printf(w->cx->arena, "%sb < %d", has_sign ? "b >= 0 && " : "",
                                      8 * (int)type_size(type));
    if (op == OP_SHR)
        return arena_printf(w->cx->arena, "%s ? (%s)(a >> b) : %s", within, name,
                            has_sign ? "a < 0 ? -1 : 0" : "0");
    return arena_printf(w->cx->arena, "%s ? (%s)((%s)a << b) : 0", within, name,
                        c_type(w, unsigned_of(type)));
}

/* Returns an integer's bits as a number of 64 bits. */
static const char *bits_of(struct c_writer *w, enum type type)
{
    enum type same = unsigned_of(type);
    if (type == TYPE_U64)
        return "a";
    if (same == type || same == TYPE_U64)
        return arena_printf(w->cx->arena, "(%s)a", c_type(w, TYPE_U64));
    return arena_printf(w->cx->arena, "(%s)(%s)a", c_type(w, TYPE_U64), c_type(w, same));
}

/* Returns the number of bits that are set, or of zeros below the lowest of them. */
static const char *count_bits(struct c_writer *w, enum op op, enum type type)
{
    const char *name = c_type(w, type), *bits = bits_of(w, type);
    if (!has_builtins(w))
        return arena_printf(w->cx->arena, "(%s)(n * 0x0101010101010101 >> 56)", name);
    if (op == OP_POPCOUNT)
        return arena_printf(w->cx->arena, "(%s)__builtin_popcountll(%s)", name, bits);
    return arena_printf(w->cx->arena, "a ? (%s)__builtin_ctzll(%s) : %d", name, bits,
                        8 * (int)type_size(type));
}

/* Returns statements that count bits without an instruction: they add up ever longer groups. */
static const char *groups_of_bits(struct c_writer *w, enum op op, enum type type)
{
    const char *wide = c_type(w, TYPE_U64), *same = c_type(w, unsigned_of(type));
    const char *bits =
        op == OP_POPCOUNT
            ? bits_of(w, type)
            : arena_printf(w->cx->arena, "(%s)(%s)(~(%s)a & ((%s)a - 1))", wide, same, same, same);
    return arena_printf(w->cx->arena,
                        "    %s n = %s;\n    n -= n >> 1 & 0x5555555555555555;\n"
                        "    n = (n & 0x3333333333333333) + (n >> 2 & 0x3333333333333333);\n"
                        "    n = (n + (n >> 4)) & 0x0f0f0f0f0f0f0f0f;\n",
                        wide, bits);
}

static const char *op_body(struct c_writer *w, enum op op, enum type type)
{
    bool real = type_is_float(type);
    switch (op) {
    case OP_DIV:
    case OP_MOD: return division(w, op, type);
    case OP_MIN: return real ? "a != a ? a : least" : "a < b ? a : b";
    case OP_MAX: return real ? "a != a ? a : most" : "a > b ? a : b";
    case OP_ABS:
        return type_size(type) < 4
                   ? arena_printf(w->cx->arena, "(%s)(a < 0 ? -a : a)", c_type(w, type))
                   : "a < 0 ? -a : a";
    case OP_SIGN:
        if (real)
            return arena_printf(w->cx->arena, "a != a ? a : (%s)((a > 0) - (a < 0))",
                                c_type(w, type));
        return type_kind(type) == KIND_UINT
                   ? "a != 0"
                   : arena_printf(w->cx->arena, "(%s)((a > 0) - (a < 0))", c_type(w, type));
    case OP_NOT: return arena_printf(w->cx->arena, "(%s)~a", c_type(w, type));
    case OP_ANY_SHIFT: return shift(w, op, type);
    case OP_ANY_BIT_COUNT: return count_bits(w, op, type);
    case OP_HEAVISIDE:
        return real                           ? "a != a ? a : a < 0 ? 0 : a > 0 ? 1 : b"
               : type_kind(type) == KIND_UINT ? "a == 0 ? b : 1"
                                              : "a < 0 ? 0 : a > 0 ? 1 : b";
    case OP_POW:
        w->uses_libm = true;
        return arena_printf(w->cx->arena, "b == 0%s ? 1%s : %scpow%s(a, b)",
                            type == TYPE_C64 ? ".0f" : ".0", type == TYPE_C64 ? ".0f" : ".0",
                            c_library(w, type), type == TYPE_C64 ? "f" : "");
    case OP_ADD:
    case OP_SUB:
    case OP_MUL:
    case OP_NEG:
    case OP_ANY_COMPARISON:
    case OP_ANY_BITWISE:
    case OP_ANY_PART:
    case OP_ANY_ANALYTIC:
    case OP_ANY_ROUNDING:
    case OP_ANY_CONVERSION:
    case OP_SELECT:
    case OP_KEEP:
    case OP_STORED:
    case OP_COUNT: break;
    }
    return NULL;
}

/* Returns the statements before the operator's.  The choice is made before it is tested for NaN:
 * then one instruction of the processor makes it, and gcc 12 has no branch for it. */
static const char *op_before(struct c_writer *w, enum op op, enum type type)
{
    if (!has_builtins(w) && (op == OP_CTZ || op == OP_POPCOUNT))
        return groups_of_bits(w, op, type);
    if (!type_is_float(type) || (op != OP_MIN && op != OP_MAX))
        return "";
    return arena_printf(w->cx->arena, "    %s %s b ? a : b;\n", c_type(w, type),
                        op == OP_MIN ? "least = a <" : "most = a >");
}

static const char *op_remark(enum op op, enum type type)
{
    if (op == OP_DIV && type_is_integer(type))
        return "/* a / b, and 0 where b is 0. */\n";
    if (op == OP_MOD)
        return "/* What is left of a / b, and 0 where b is 0. */\n";
    if (op == OP_CTZ)
        return "/* The zeros below the lowest bit that is set: all if none is. */\n";
    if (op == OP_POPCOUNT)
        return "/* How many bits are set. */\n";
    if ((op == OP_MIN || op == OP_MAX) && type_is_float(type))
        return "/* NaN if a or b is. */\n";
    return "";
}

const char *c_op_helper(struct c_writer *w, enum op op, enum type type)
{
    const char *name =
        c_helper_name(w, arena_printf(w->cx->arena, "%s_%s", op_word(op), type_name(type)));
    const char *c = c_type(w, type), *body = op_body(w, op, type);
    context_assert(w->cx, body);
    if (c_helper_begin(w, name)) {
        bool two = op_arity(op) == 2;
        text_printf(&w->helpers, "%s%s%s %s(%s a%s%s%s)\n{\n%s    return %s;\n}\n",
                    op_remark(op, type), c_inline(w), c, name, c, two ? ", " : "", two ? c : "",
                    two ? " b" : "", op_before(w, op, type), body);
        c_helper_end(w);
    }
    return name;
}

/* ---- conversions ---- */

const char *c_cast_helper(struct c_writer *w, enum type to, enum type from)
{
    const char *name =
        c_helper_name(w, arena_printf(w->cx->arena, "%s_from_%s", type_name(to), type_name(from)));
    if (!c_helper_begin(w, name))
        return name;
    int bits = 8 * (int)type_size(to);
    bool has_sign = type_kind(to) == KIND_INT;
    const char *suffix = from == TYPE_F32 ? "f" : "", *c = c_type(w, to);
    const char *above = arena_printf(w->cx->arena, "%.1f%s", ldexp(1, bits - has_sign), suffix);
    const char *highest = c_literal(w, value_highest(to)).text,
               *lowest = c_literal(w, value_lowest(to)).text;
    text_printf(&w->helpers,
                "/* Toward zero; the nearest where it does not fit; 0 of NaN. */\n"
                "%s%s %s(%s a)\n{\n    if (a >= %s)\n        return %s;\n",
                c_inline(w), c, name, c_type(w, from), above, highest);
    if (has_sign)
        text_printf(&w->helpers, "    return a > -%s ? (%s)a : a == a ? %s : 0;\n}\n", above, c,
                    lowest);
    else
        text_printf(&w->helpers, "    return a > 0 ? (%s)a : 0;\n}\n", c);
    c_helper_end(w);
    return name;
}

const char *c_complex_helper(struct c_writer *w, enum type type)
{
    const char *name = c_helper_name(w, arena_printf(w->cx->arena, "make_%s", type_name(type)));
    const char *c = c_type(w, type), *part = c_type(w, type_real(type));
    if (c_helper_begin(w, name)) {
        text_printf(&w->helpers, "static inline %s %s(%s re, %s im)\n{\n", c, name, part, part);
        text_printf(&w->helpers,
                    w->iso
                        ? "    %s part[2] = {re, im};\n    %s z;\n    memcpy(&z, part, sizeof z);\n"
                        : "    %s z = re;\n    __imag__ z = im;\n",
                    w->iso ? part : c, c);
        text_add(&w->helpers, "    return z;\n}\n");
        w->uses_string = w->uses_string || w->iso;
        c_helper_end(w);
    }
    return name;
}

/* ---- memory ---- */

/* Returns the function that makes an array or makes it longer; in process the host sets it. */
static const char *resize(struct c_writer *w)
{
    w->uses_allocation = w->uses_size = true;
    if (!w->jit)
        return w->iso ? "realloc" : "SPCC_REALLOC";
    if (c_helper_begin(w, "resize")) {
        text_add(&w->helpers, "void *(*resize)(void *array, size_t size) = realloc;\n");
        c_helper_end(w);
    }
    return "resize";
}

/* Returns the function that releases an array; in process the host sets it. */
const char *c_release_helper(struct c_writer *w)
{
    w->uses_release = true;
    if (!w->jit)
        return w->iso ? "free" : "SPCC_FREE";
    if (c_helper_begin(w, "release")) {
        text_add(&w->helpers, "void (*release)(void *array) = free;\n");
        c_helper_end(w);
    }
    return "release";
}

const char *c_allocate_helper(struct c_writer *w)
{
    const char *name = c_helper_name(w, "allocate_array"), *make = resize(w),
               *call = w->jit   ? arena_printf(w->cx->arena, "%s(NULL, ", make)
                       : w->iso ? "calloc("
                                : "SPCC_MALLOC(";
    if (c_helper_begin(w, name)) {
        text_printf(&w->helpers,
                    "/* Room for n elements of size bytes; NULL if there is none. */\n"
                    "static inline void *%s(%s n, size_t size)\n{\n"
                    "    if (n < 0 || (%s)n > (size_t)-1 / size)\n        return NULL;\n"
                    "    return %sn > 0 ? (size_t)n%s size%s);\n}\n",
                    name, c_type(w, TYPE_I64), c_type(w, TYPE_U64), call, w->iso ? " : 1," : " *",
                    w->iso ? "" : " : size");
        c_helper_end(w);
    }
    return name;
}

const char *c_reallocate_helper(struct c_writer *w)
{
    const char *name = c_helper_name(w, "reallocate_array"), *call = resize(w),
               *release = c_release_helper(w);
    if (c_helper_begin(w, name)) {
        text_printf(&w->helpers,
                    "/* Room for n elements of size bytes that holds what array held; if there is "
                    "none array is\n * released, and that is NULL. */\n"
                    "static inline void *%s(void *array, %s n, size_t size)\n{\n"
                    "    void *longer = NULL;\n"
                    "    if (n >= 0 && (%s)n <= (size_t)-1 / size)\n"
                    "        longer = %s(array, n > 0 ? (size_t)n * size : size);\n"
                    "    if (!longer)\n        %s(array);\n    return longer;\n}\n",
                    name, c_type(w, TYPE_I64), c_type(w, TYPE_U64), call, release);
        c_helper_end(w);
    }
    return name;
}

const char *c_allocate_arrays_helper(struct c_writer *w)
{
    const char *name = c_helper_name(w, "allocate_arrays"), *allocate = c_allocate_helper(w);
    if (c_helper_begin(w, name)) {
        text_printf(
            &w->helpers,
            "/* Room for n arrays, NULL each, and behind them this room itself, which is the end; "
            "for so\n * many that is `few`.  NULL if there is none. */\n"
            "static inline void **%s(%s n, %s many, void **few)\n{\n"
            "    void **arrays = n == many ? few : n < 0 ? NULL\n"
            "        : (void **)%s(n + 1, sizeof(void *));\n"
            "    for (%s i = 0; arrays && i < n; i++)\n        arrays[i] = NULL;\n"
            "    if (arrays)\n        arrays[n] = arrays;\n    return arrays;\n}\n",
            name, c_type(w, TYPE_I64), c_type(w, TYPE_I64), allocate, c_type(w, TYPE_I64));
        c_helper_end(w);
    }
    return name;
}

const char *c_free_arrays_helper(struct c_writer *w)
{
    const char *name = c_helper_name(w, "free_arrays"), *call = c_release_helper(w);
    w->uses_release = w->uses_size = true;
    if (c_helper_begin(w, name)) {
        text_printf(&w->helpers,
                    "/* Release arrays, and their room unless that is `few`. */\n"
                    "static inline void %s(void **arrays, void **few)\n{\n"
                    "    for (void **at = arrays; at && *at != (void *)arrays; at++)\n"
                    "        %s(*at);\n    if (arrays != few)\n        %s(arrays);\n}\n",
                    name, call, call);
        c_helper_end(w);
    }
    return name;
}

const char *c_move_array_helper(struct c_writer *w)
{
    const char *name = c_helper_name(w, "move_array"), *call = c_release_helper(w);
    w->uses_release = w->uses_size = true;
    if (c_helper_begin(w, name)) {
        text_printf(&w->helpers,
                    "/* What is at this place, which is empty then, instead of array, which is "
                    "released. */\n"
                    "static inline void *%s(void *array, void **arrays, %s at)\n{\n"
                    "    void *moved = arrays[at];\n    %s(array);\n    arrays[at] = NULL;\n"
                    "    return moved;\n}\n",
                    name, c_type(w, TYPE_I64), call);
        c_helper_end(w);
    }
    return name;
}

const char *c_join_arrays_helper(struct c_writer *w, const char *team)
{
    const char *name = c_helper_name(w, "join_arrays"), *call = c_release_helper(w),
               *resize = c_reallocate_helper(w), *i64 = c_type(w, TYPE_I64),
               *i32 = c_type(w, TYPE_I32), *own = c_team_own(w, C_INDENT),
               *join = c_team_join(w, 2 * C_INDENT);
    w->uses_string = w->uses_size = true;
    if (c_helper_begin(w, name)) {
        text_printf(
            &w->helpers,
            "/* The first begin[0] elements of array, each of size bytes, and behind them, from "
            "begin[part] to\n * begin[part + 1], those that the part has in its at-th of `many` "
            "arrays; in room for n.  All of\n * these are released; if there is no room that is "
            "NULL. */\n"
            "static inline void *%s(void *array, void **arrays, %s many, %s at,\n"
            "                                const %s *begin, %s parts, %s n, size_t size)\n{\n"
            "    int moves = parts == 1 && begin[0] == 0;\n"
            "    void *whole = %s(moves ? arrays[at] : array, n, size);\n"
            "    if (moves) {\n        %s(array);\n        arrays[at] = NULL;\n    }\n"
            "    if (moves || !whole)\n        return whole;\n"
            "%s#ifdef _OPENMP\n#pragma omp parallel for schedule(static)%s\n#endif\n"
            "    for (%s part = 0; part < parts; part++) {\n"
            "%s        void **from = &arrays[part * many + at];\n"
            "        size_t length = (size_t)(begin[part + 1] - begin[part]);\n"
            "        if (length > 0)\n"
            "            memcpy((char *)whole + (size_t)begin[part] * size, *from, length * "
            "size);\n"
            "        %s(*from);\n        *from = NULL;\n    }\n    return whole;\n}\n",
            name, i64, i64, i64, i32, i64, resize, call, own, team, i32, join, call);
        c_helper_end(w);
    }
    return name;
}

/* Returns the helper that moves elements.  Threads move pieces that are worth waking them, and keep
 * the first bytes until the piece before, which they overwrite, has been moved.  If the distance is
 * no shorter than a piece, so many bytes are moved at once: they overlap nothing. */
const char *c_move_helper(struct c_writer *w, const char *team)
{
    const char *name = c_helper_name(w, "move_elements"), *free = c_release_helper(w),
               *make = c_allocate_helper(w), *threads = c_threads_helper(w),
               *i64 = c_type(w, TYPE_I64), *i32 = c_type(w, TYPE_I32);
    const char *loop = arena_printf(w->cx->arena,
                                    "#ifdef _OPENMP\n#pragma omp parallel for "
                                    "schedule(static)%s\n#endif\n%%sfor (%s piece = 0; "
                                    "piece < pieces; piece++)",
                                    team, i32);
    const char *inner = arena_printf(w->cx->arena, loop, "        "),
               *outer = arena_printf(w->cx->arena, loop, "    ");
    w->uses_string = w->uses_size = w->uses_release = true;
    if (!c_helper_begin(w, name))
        return name;
    text_printf(
        &w->helpers,
        "/* Moves n elements of size bytes within an array; down, by as many threads as "
        "there are. */\n"
        "static inline void %s(void *array, %s to, %s from, %s n,\n"
        "                                 size_t size)\n{\n"
        "    char *at = (char *)array + (size_t)to * size, *kept = NULL;\n"
        "    const char *first = (char *)array + (size_t)from * size;\n"
        "    size_t bytes = (size_t)n * size, worth = 524288, most = bytes / worth;\n"
        "    size_t apart = to < from ? (size_t)(from - to) * size : 0;\n"
        "    size_t threads = apart > 0 && most > 1 ? (size_t)%s() : 1;\n"
        "    int turns = threads > 1 && apart >= bytes / (most < threads ? most : threads);\n"
        "    size_t once = turns && apart < bytes ? apart : bytes;\n"
        "    %s pieces = (%s)(once / worth < threads ? once / worth : threads);\n",
        name, i64, i64, i64, threads, i32, i32);
    text_printf(&w->helpers,
                "    size_t length = pieces > 1 ? once / (size_t)pieces : 0;\n"
                "    if (pieces > 1 && !turns)\n        kept = (char *)%s((%s)apart * pieces, 1);\n"
                "    if (pieces < 2 || (!turns && !kept)) {\n"
                "        memmove(at, first, bytes);\n        return;\n    }\n"
                "    for (size_t done = 0; turns && done < bytes; done += once) {\n"
                "        size_t more = once < bytes - done ? once : bytes - done;\n"
                "        size_t each = more / (size_t)pieces;\n"
                "%s {\n            size_t begin = done + each * (size_t)piece;\n"
                "            size_t past = piece + 1 < pieces ? begin + each : done + more;\n"
                "            memcpy(at + begin, first + begin, past - begin);\n"
                "        }\n    }\n    if (turns)\n        return;\n",
                make, i64, inner);
    text_printf(
        &w->helpers,
        "%s {\n        size_t begin = length * (size_t)piece;\n"
        "        size_t past = piece + 1 < pieces ? begin + length : bytes;\n"
        "        memcpy(kept + apart * (size_t)piece, first + begin, apart);\n"
        "        memmove(at + begin + apart, first + begin + apart, past - begin - apart);\n"
        "    }\n%s\n"
        "        memcpy(at + length * (size_t)piece, kept + apart * (size_t)piece, apart);\n"
        "    %s(kept);\n}\n",
        outer, outer, free);
    c_helper_end(w);
    return name;
}

/* ---- threads ---- */

const char *c_load_helper(struct c_writer *w, enum type type)
{
    if (w->device)
        return w->device->load_helper(w, type);
    const char *name = c_helper_name(w, arena_printf(w->cx->arena, "load_%s", type_name(type))),
               *c = c_type(w, type);
    if (c_helper_begin(w, name)) {
        text_printf(&w->helpers,
                    "/* What is there, whatever other threads do. */\n"
                    "static inline %s %s(%s *at)\n{\n#ifdef _OPENMP\n    %s value;\n"
                    "    __atomic_load(at, &value, __ATOMIC_RELAXED);\n    return value;\n"
                    "#else\n    return *at;\n#endif\n}\n",
                    c, name, c, c);
        c_helper_end(w);
    }
    return name;
}

const char *c_exchange_helper(struct c_writer *w, enum type type)
{
    if (w->device)
        return w->device->exchange_helper(w, type);
    const char *name = c_helper_name(w, arena_printf(w->cx->arena, "exchange_%s", type_name(type))),
               *c = c_type(w, type), *truth = c_literal(w, value_int(TYPE_BOOL, 1)).text;
    if (c_helper_begin(w, name)) {
        text_printf(
            &w->helpers,
            "/* Put a value where *before is; false, and in *before what is there, if it is "
            "something else. */\n"
            "static inline %s %s(%s *at, %s *before, %s after)\n{\n#ifdef _OPENMP\n"
            "    return __atomic_compare_exchange(at, before, &after, 0, __ATOMIC_RELAXED,\n"
            "                                     __ATOMIC_RELAXED);\n"
            "#else\n    (void)before;\n    *at = after;\n    return %s;\n#endif\n}\n",
            c_type(w, TYPE_BOOL), name, c, c, c, truth);
        c_helper_end(w);
    }
    return name;
}

/* Returns the lines before a parallel loop and in its parts, indented so far.  They tell
 * the host for whom the threads that join in work.  There are none without a host. */
const char *c_team_own(struct c_writer *w, int indent)
{
    if (w->jit && c_helper_begin(w, "thread_team")) {
        text_add(&w->helpers, "void *(*thread_team)(void) = 0;\n"
                              "void (*thread_join)(void *team) = 0;\n");
        c_helper_end(w);
    }
    return w->jit ? arena_printf(
               w->cx->arena, "%*svoid *thread_own = thread_team ? thread_team() : 0;\n", indent, "")
                  : "";
}

const char *c_team_join(const struct c_writer *w, int indent)
{
    return w->jit ? arena_printf(w->cx->arena, "%*sif (thread_join)\n%*sthread_join(thread_own);\n",
                                 indent, "", indent + C_INDENT, "")
                  : "";
}

/* Returns the first line of a function that asks whether its run is to end: it finds the flag.  The
 * pointer to that stays in memory, so that it takes no register of the loops'. */
const char *c_stop_own(struct c_writer *w)
{
    context_assert(w->cx, w->jit);
    if (c_helper_begin(w, "stop_flag")) {
        text_add(&w->helpers, "static const _Bool never = 0;\n"
                              "const volatile _Bool *(*stop_flag)(void) = 0;\n");
        c_helper_end(w);
    }
    return "const volatile _Bool *volatile stop = stop_flag ? stop_flag() : &never;";
}

const char *c_threads_helper(struct c_writer *w)
{
    const char *name = c_helper_name(w, "thread_count"), *c = c_type(w, TYPE_I32);
    if (c_helper_begin(w, name)) {
        text_printf(&w->helpers, "%s",
                    w->jit ? "int (*thread_limit)(void) = 0;\n"
                             "#ifdef _OPENMP\nint omp_in_parallel(void);\n"
                             "int omp_get_max_threads(void);\n#endif\n"
                           : "#ifdef _OPENMP\n#include <omp.h>\n#endif\n");
        text_printf(&w->helpers,
                    "/* How many threads a parallel loop has here. */\n"
                    "static inline %s %s(void)\n{\n#ifdef _OPENMP\n"
                    "    return omp_in_parallel() ? 1 : %somp_get_max_threads();\n"
                    "#else\n    return 1;\n#endif\n}\n",
                    c, name, w->jit ? "thread_limit ? thread_limit() : " : "");
        c_helper_end(w);
    }
    return name;
}
