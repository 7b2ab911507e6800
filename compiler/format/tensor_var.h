/* tensor_var.h - what a name in a statement stands for: a tensor, or an index variable.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_FORMAT_TENSOR_VAR_H
#define SPCC_FORMAT_TENSOR_VAR_H

#include <stdbool.h>
#include <stdint.h>

#include "compiler/format/format.h"
#include "compiler/format/parts.h"
#include "compiler/value/value.h"

/* An index variable; the pointer is its identity.  A literal in a variable's place, as in A(0,j),
 * is a variable with a single value. */
struct index_var {
    /* interned; that of a literal is none that a text can contain */
    const char *name;
    bool literal;
    bool of_literals; /* a part or a difference that follows from literals alone */
    int64_t value;    /* of a literal */
    int64_t size;     /* its range is [0, size); -1: known at run time only */
    int64_t about;    /* the size that plans assume if it is not known; 0: none */
    /* a schedule promises that the size is at most `most`, and a multiple of `multiple`; 0: it does
     * not */
    int64_t most,
        /* a schedule promises that the size is at most, is a multiple of this; 0: nothing */
        multiple;
    /* the variable that it replaces, with the same range; or NULL */
    const struct index_var *like;
};

/* Returns the size, or the number of positions, that plans assume for n: one of four numbers
 * between a power of two and the next.  So tensors of similar sizes have the same plan, wherever
 * their sizes come from. */
static inline int64_t size_about(int64_t n)
{
    int64_t step = 1;
    while (n / step >= 8)
        step *= 2;
    const int64_t below = n / step * step;
    return n - below < (step + 1) / 2 || below > INT64_MAX - step ? below : below + step;
}

/* Returns the variable in the notation that a variable of the compiler's stands for. */
static inline const struct index_var *index_var_origin(const struct index_var *var)
{
    return var->like ? index_var_origin(var->like) : var;
}

/* Has it a single value, which is known before all loops? */
static inline bool index_var_is_fixed(const struct index_var *var)
{
    return var->literal || var->of_literals;
}

/* Is the size known to be a multiple of n? */
static inline bool index_var_is_multiple(const struct index_var *var, int64_t n)
{
    return var->size >= 0 ? var->size % n == 0 : var->multiple > 0 && var->multiple % n == 0;
}

/* Where a workspace is on a GPU: anywhere; in each thread's registers; in the shared memory of a
 * block; in the memory of the device. */
enum tensor_place { TENSOR_ANYWHERE, TENSOR_REGISTER, TENSOR_SHARED, TENSOR_GLOBAL, TENSOR_PLACES };

/* A tensor; the pointer is its identity. */
struct tensor_var {
    const char *name; /* interned */
    int order;
    enum type type;
    /* the value of components that are not stored */
    struct value fill;
    const struct format *format;
    /* its parts, the first of which has `format`, until notation/parts.c replaces it by them; or
     * NULL */
    const struct format_parts *parts;
    /* the tensor that it is a part of, and the number of the part; or NULL */
    const struct tensor_var *whole;
    int part;
    /* By mode: a variable whose range is the mode's size, the first one that indexes it in the
     * statement. (Sizes that are known to differ have been refused.) */
    const struct index_var *const *extent;
    /* by level, for plans: about how many positions it has, or -1; NULL: nothing is known */
    const int64_t *positions;
    /* by level: about how many positions it has below one parent at most, in the same way */
    const int64_t *longest;
    /* the tensor whose levels are this tensor's modes, or NULL */
    const struct tensor_var *viewed;
    const struct tensor_var *copies; /* the operand that this workspace is a copy of, or NULL */
    bool temporary;                  /* made by the compiler: a workspace */
    enum tensor_place place;         /* of a workspace */
    int pad; /* of a workspace in shared memory: rows are this many components longer */
    /* a result that is updated in place: it starts with the values that it had, not with fills */
    bool held;
    /* the result whose old values this operand has, or NULL */
    const struct tensor_var *before;
    /* the result whose given pattern this operand is, or NULL; filled: its values were set to the
     * fill before the loops */
    const struct tensor_var *pattern_of;
    bool filled;
    /* the first of the tensors that are promised to have its pattern, or NULL */
    const struct tensor_var *same;
    /* its place in the statement's order: result 0, operands from 1 */
    int rank;
};

/* Is it a result that is updated in place at the components that its levels store? */
static inline bool tensor_var_is_updated(const struct tensor_var *tensor)
{
    return tensor->held && format_assembled(tensor->format) > 0;
}

/* "register", "shared", "global"; "": anywhere. */
static inline const char *tensor_place_name(enum tensor_place place)
{
    static const char *const names[TENSOR_PLACES] = {"", "register", "shared", "global"};
    return names[place];
}

/* Is it in memory that only the threads of a launch have: registers, or a block's shared memory? */
static inline bool tensor_var_is_placed(const struct tensor_var *tensor)
{
    return tensor->place == TENSOR_REGISTER || tensor->place == TENSOR_SHARED;
}

/* Returns the bytes of a dense tensor with its pad; -1: a size is unknown, or the number does not
 * fit. */
static inline int64_t tensor_var_bytes(const struct tensor_var *tensor)
{
    int64_t bytes = type_size(tensor->type);
    for (int mode = 0; mode < tensor->order; mode++) {
        int64_t size = tensor->extent[mode]->size,
                pad = mode == tensor->order - 1 ? tensor->pad : 0;
        if (size < 0 || __builtin_add_overflow(size, pad, &size)
            || __builtin_mul_overflow(bytes, size, &bytes))
            return -1;
    }
    return bytes;
}

/* Returns the tensor whose arrays hold its components.  An operand for a result's pattern or old
 * values has the result's arrays; a copy of a pattern has arrays of its own. */
static inline const struct tensor_var *tensor_var_stored(const struct tensor_var *tensor)
{
    return tensor->temporary                        ? tensor
           : tensor->pattern_of                     ? tensor->pattern_of
           : tensor->before && tensor->before->held ? tensor->before
                                                    : tensor;
}

/* Returns the tensor whose pattern it shares, as far as the levels of both are alike: below a
 * position of the last such level they may differ. */
static inline const struct tensor_var *tensor_var_pattern(const struct tensor_var *tensor)
{
    const struct tensor_var *stored = tensor_var_stored(tensor),
                            *whole = stored->viewed ? stored->viewed : stored;
    return whole->same && !tensor->temporary ? whole->same : stored;
}

/* Is it a temporary of order 0? */
static inline bool tensor_var_is_scalar(const struct tensor_var *tensor)
{
    return tensor->temporary && tensor->order == 0;
}

#endif
