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

/* An index variable; the pointer is its identity.  A literal in its place, as in A(0,j), is one
 * that has a single value. */
struct index_var {
    /* interned; of a literal one that no text of the user's has */
    const char *name;
    bool literal;
    bool of_literals; /* a part or a difference, which follows from nothing else */
    int64_t value;    /* of a literal */
    int64_t size;     /* its range is [0, size); -1: known at run time only */
    int64_t about;    /* what plans are made for where the size is not known; 0: nothing says */
    int64_t most,
        /* a schedule promises that the size is at most, is a multiple of this; 0: nothing */
        multiple;
    /* the variable in whose place it runs through the same range, or NULL */
    const struct index_var *like;
};

/* What plans are made for where the size, or the number of positions, is n: one of four numbers
 * between a power of two and the next.  So tensors of about the same sizes have the same plan,
 * wherever their sizes come from. */
static inline int64_t size_about(int64_t n)
{
    int64_t step = 1;
    while (n / step >= 8)
        step *= 2;
    const int64_t below = n / step * step;
    return n - below < (step + 1) / 2 || below > INT64_MAX - step ? below : below + step;
}

/* The variable of the notation, for one that the compiler made. */
static inline const struct index_var *index_var_origin(const struct index_var *var)
{
    return var->like ? index_var_origin(var->like) : var;
}

/* Has it one value, which is there ahead of all loops? */
static inline bool index_var_is_fixed(const struct index_var *var)
{
    return var->literal || var->of_literals;
}

/* Is the size known to be a multiple of n? */
static inline bool index_var_is_multiple(const struct index_var *var, int64_t n)
{
    return var->size >= 0 ? var->size % n == 0 : var->multiple > 0 && var->multiple % n == 0;
}

/* Where on a GPU a workspace is: where the compiler puts it; each thread's own; one for the threads
 * of a block; in the memory of the device. */
enum tensor_place { TENSOR_ANYWHERE, TENSOR_REGISTER, TENSOR_SHARED, TENSOR_GLOBAL, TENSOR_PLACES };

/* A tensor; the pointer is its identity. */
struct tensor_var {
    const char *name; /* interned */
    int order;
    enum type type;
    /* of the components that it does not store; of that type */
    struct value fill;
    const struct format *format;
    /* in parts, whose first one has the format, until they take its place (notation/parts.c); NULL:
     * it is in one */
    const struct format_parts *parts;
    /* the tensor of which it is a part, and which one; NULL: it is no part */
    const struct tensor_var *whole;
    int part;
    /* For each mode the variable whose range is the mode's size: the first that indexes it in the
     * statement. (Sizes that are known to differ have been refused.) */
    const struct index_var *const *extent;
    /* about how many positions each level has, for plans; -1 where nobody says, NULL: nowhere */
    const int64_t *positions;
    /* ... and how many there are at most below one of the level above, in the same way */
    const int64_t *longest;
    /* the tensor whose levels' coordinates this one's modes are, or NULL */
    const struct tensor_var *viewed;
    const struct tensor_var *copies; /* the operand that a workspace is a copy of, or NULL */
    bool temporary;                  /* made by the compiler: a workspace */
    enum tensor_place place;         /* of a workspace */
    int pad;                         /* of a shared one: rows are longer by so many components */
    /* a result that is written in place, and begins with what it held, not with fills */
    bool held;
    /* the result whose values before the statement it has, or NULL */
    const struct tensor_var *before;
    /* the result of which this is the pattern, which is given, or NULL; and were the values below
     * it set to the fill before the loops? */
    const struct tensor_var *pattern_of;
    bool filled;
    /* the first of the tensors that are promised to have one pattern with it; NULL: there are
     * none */
    const struct tensor_var *same;
    /* place in the statement's order of tensors: result 0, operands from 1 */
    int rank;
};

/* A result that is written in place at the components that its levels store, and nowhere else? */
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

/* Is it where only a launch's threads have memory: in registers, or in what a block shares? */
static inline bool tensor_var_is_placed(const struct tensor_var *tensor)
{
    return tensor->place == TENSOR_REGISTER || tensor->place == TENSOR_SHARED;
}

/* The bytes of all components of a dense tensor, with its pad; -1: a size is not known, or no
 * integer holds them. */
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

/* The tensor in whose arrays its components are: a result has those of its pattern, and of what it
 * held before if it is written in place; a copy of a pattern has arrays of its own. */
static inline const struct tensor_var *tensor_var_stored(const struct tensor_var *tensor)
{
    return tensor->temporary                        ? tensor
           : tensor->pattern_of                     ? tensor->pattern_of
           : tensor->before && tensor->before->held ? tensor->before
                                                    : tensor;
}

/* The tensor whose pattern its own is, as far as the levels of both are alike: what is below one
 * position of the last of these levels may differ. */
static inline const struct tensor_var *tensor_var_pattern(const struct tensor_var *tensor)
{
    const struct tensor_var *stored = tensor_var_stored(tensor),
                            *whole = stored->viewed ? stored->viewed : stored;
    return whole->same && !tensor->temporary ? whole->same : stored;
}

/* A temporary of one component? */
static inline bool tensor_var_is_scalar(const struct tensor_var *tensor)
{
    return tensor->temporary && tensor->order == 0;
}

#endif
