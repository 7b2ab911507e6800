/* op.h - operators and functions, with their algebra.
 *
 * Every layer asks this table: the grammar for spelling and precedence, the checker for types, the
 * lattice and the simplifiers for identities and annihilators, the backends for what to write.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_VALUE_OP_H
#define SPCC_VALUE_OP_H

#include <stdbool.h>
#include <stddef.h>

#include "compiler/value/type.h"
#include "compiler/value/value.h"

enum op {
#define OP(NAME, name, syntax, arity, prec, result, accepts, algebra, li, ri, la, ra) OP_##NAME,
#include "compiler/value/op.def"
#undef OP
    OP_COUNT,
    OP_NONE = OP_COUNT /* "no operator": a plain assignment */
};

/* Families, for a switch to name at once: case OP_ANY_COMPARISON: ... */
// clang-format off
#define OP_ANY_COMPARISON OP_EQ: case OP_NE: case OP_LT: case OP_LE: case OP_GT: case OP_GE
#define OP_ANY_BITWISE OP_AND: case OP_OR: case OP_XOR
#define OP_ANY_PART OP_REAL: case OP_IMAG: case OP_CONJ
#define OP_ANY_ANALYTIC \
    OP_SQRT: case OP_CBRT: case OP_EXP: case OP_LOG: case OP_LOG2: case OP_LOG10: case OP_SIN: \
    case OP_COS: case OP_TAN: case OP_ASIN: case OP_ACOS: case OP_ATAN: case OP_ATAN2: \
    case OP_SINH: case OP_COSH: case OP_TANH: case OP_ASINH: case OP_ACOSH: case OP_ATANH: \
    case OP_EXPM1: case OP_LOG1P: case OP_ERF: case OP_RSQRT: case OP_COPYSIGN
#define OP_ANY_SHIFT OP_SHL: case OP_SHR
#define OP_ANY_BIT_COUNT OP_CTZ: case OP_POPCOUNT
#define OP_ANY_CONVERSION \
    OP_TO_BOOL: case OP_TO_I8: case OP_TO_I16: case OP_TO_I32: case OP_TO_I64: case OP_TO_U8: \
    case OP_TO_U16: case OP_TO_U32: case OP_TO_U64: case OP_TO_F32: case OP_TO_F64: \
    case OP_TO_C64: case OP_TO_C128
#define OP_ANY_ROUNDING OP_FLOOR: case OP_CEIL: case OP_ROUND: case OP_TRUNC
// clang-format on

/* Operators that users define (operator.h) have numbers from here on, which tell their arity and
 * their laws: the functions up to op_distributes, but for op_name and op_precedence, take them
 * too; the others are for those of the table. */
enum { OP_USER = 1 << 16 };

/* The number of the k-th of them, counted from 0; arity is 1 to 3. */
enum op op_of_user(int k, int arity, bool associative, bool commutative, bool idempotent);
static inline bool op_is_user(enum op op) { return (unsigned)op >= OP_USER; }
int op_user_number(enum op op); /* k */

enum op_syntax { SYNTAX_INFIX, SYNTAX_PREFIX, SYNTAX_CALL };
enum op_side { SIDE_LEFT, SIDE_RIGHT };

const char *op_name(enum op op);
enum op_syntax op_syntax(enum op op);
int op_arity(enum op op);
int op_precedence(enum op op);
/* Is it computed in floating point alone, most likely by a library's function? */
bool op_is_analytic(enum op op);
/* Is it a function of values alone, not one that asks for a component or leaves it out? */
static inline bool op_is_of_values(enum op op) { return op != OP_STORED && op != OP_KEEP; }
bool op_associative(enum op op);
bool op_commutative(enum op op);
bool op_idempotent(enum op op);

/* Does x op (y op2 z) distribute: is op(x, add(y, z)) = add(op(x, y), op(x, z)), on either side of
 * op? MUL over ADD and SUB, DIV (its left operand) over ADD and SUB, ADD over MIN and MAX, AND over
 * OR and XOR, OR over AND, MIN over MAX, MAX over MIN, ...; side says which operand of op the sum
 * is.
 * This is exact arithmetic's law: floats round, and DIV of integers does not distribute, because
 * it truncates. */
bool op_distributes(enum op op, enum op_side side, enum op over);

/* The operator by which the n-fold x op x op ... op x, of a type, is by(x, n), in exact arithmetic;
 * OP_NONE: there is none. */
enum op op_repeated(enum op op, enum type type);

/* Is (x a y) b z = (x b z) a y in exact arithmetic, of operators that update an element of this
 * type: may x be updated by them in either order? An operator and itself, and ADD and SUB but of
 * truth values, where they are "or" and "other than". */
bool op_updates_commute(enum op a, enum op b, enum type type);

/* Returns the conversion to a type, i32(a), and the type that one converts to. */
static inline enum op op_conversion(enum type type) { return (enum op)(OP_TO_BOOL + (int)type); }
static inline bool op_converts(enum op op) { return op >= OP_TO_BOOL && op < OP_COUNT; }

/* Returns the function or operator with this name and arity; the PREFIX one if prefix. */
bool op_find(const char *name, size_t n, enum op_syntax syntax, enum op *op);

/* Is the operator defined on operands of these types?  (op_arity(op) of them) */
bool op_accepts(enum op op, const enum type *operand);

/* The type it computes in (to which the operands are converted; SELECT's first operand is bool)
 * and the type of its value. */
enum type op_compute_type(enum op op, const enum type *operand);
enum type op_result_type(enum op op, const enum type *operand);

/* op(identity, x) = x from that side, in this type; false if there is none. */
bool op_identity(enum op op, enum op_side side, enum type type, struct value *identity);

/* Is op(v, x) (SIDE_LEFT) or op(x, v) (SIDE_RIGHT) the same constant whatever (finite) x is? */
bool op_absorbs(enum op op, enum op_side side, struct value v, struct value *result);

/* Fold op on constants, which have been converted to the compute type.  Every operator is total:
 *   integers wrap; x/0 and mod(x,0) of integers are 0; INT_MIN/-1 wraps to INT_MIN;
 *   min and max of floats give NaN if an operand is NaN;
 *   comparison with NaN is false, != true. */
struct value op_fold(enum op op, const struct value *operand);

#endif
