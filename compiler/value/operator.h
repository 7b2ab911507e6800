/* operator.h - operators of the table and operators that the user has defined, asked alike.
 *
 * A user's operator is a tree of those of the table over its parameters, and the laws that it is
 * declared with (compiler/notation/operator.h reads and tests them).  It is known from the notation
 * to the concrete notation, so that reductions and the lattice may use its laws; the imperative IR
 * is made of its body.
 *
 * It is computed in the promoted type of its operands, to which they are converted.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_VALUE_OPERATOR_H
#define SPCC_VALUE_OPERATOR_H

#include "compiler/base/context.h"
#include "compiler/value/op.h"

/* A body on operands of one type. */
struct op_tree {
    enum op op;    /* of the table; OP_NONE: a parameter or a constant */
    int parameter; /* from 0; -1: a constant */
    struct value value;
    enum type type;
    int args;
    const struct op_tree *arg[3];
};

enum { USER_OVER_MAX = 8 };

struct user_op {
    const char *name;
    enum op op;
    int uses[3]; /* how often the body has each parameter */
    bool has_identity, has_annihilator;
    enum op over[USER_OVER_MAX]; /* it distributes over these, on both sides */
    int overs;
    struct value identity, annihilator;     /* as written */
    const struct op_tree *body[TYPE_COUNT]; /* NULL: it is not defined on this type */
    /* its text, for compiler/notation/operator.c */
    struct definition *definition;
};

struct op_table {
    int n;
    const struct user_op *const *at;
};

/* Returns what the number of a user's operator stands for. */
const struct user_op *operator_user(const struct context *cx, enum op op);

/* Returns the function with this name. */
bool operator_find(const struct context *cx, const char *name, size_t n, enum op *op);
const char *operator_name(const struct context *cx, enum op op);

/* As op_accepts and its neighbours. */
bool operator_accepts(const struct context *cx, enum op op, const enum type *operand);
enum type operator_compute_type(enum op op, const enum type *operand);
enum type operator_result_type(const struct context *cx, enum op op, const enum type *operand);
bool operator_identity(const struct context *cx, enum op op, enum op_side side, enum type type,
                       struct value *identity);
bool operator_is_identity(const struct context *cx, enum op op, enum op_side side, struct value v);
bool operator_absorbs(const struct context *cx, enum op op, enum op_side side, struct value v,
                      struct value *result);
struct value operator_fold(const struct context *cx, enum op op, const struct value *operand);

/* As op_distributes. */
bool operator_distributes(const struct context *cx, enum op op, enum op_side side, enum op over);

/* May it reduce: is it associative and commutative, with an identity (in some type)? */
bool operator_reduces(const struct context *cx, enum op op);

/* Returns the constant in the type, where inf and -inf are an integer type's largest and smallest;
 * false if it is none there. */
bool operator_constant(struct value written, enum type type, struct value *v);

#endif
