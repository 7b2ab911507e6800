/* tensor.h - a tensor in memory, in any format.
 *
 *     y(i) = A(i,j), A in csr, 3 x 4          level 1: dense        dimension 3
 *                                             level 2: compressed   pos 0 1 1 3    crd 2 0 3
 *       . . 5 .                               vals                                     5 7 1
 *       . . . .
 *       7 . . 1
 *
 * Code here knows level types through compiler/level.h only: no format and no level type is named.
 * Levels may store functions of the coordinates (i/4, j-i: compiler/format/map.h).  Blocks and
 * diagonals then extend beyond the tensor: what they store there is no component.
 *
 * Names for messages (`name`, a tensor's) may be NULL everywhere.  So may the error.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_TENSOR_TENSOR_H
#define SPCC_TENSOR_TENSOR_H

#include <stdbool.h>
#include <stdint.h>

#include "compiler/format/format.h"
#include "compiler/value/value.h"
#include "runtime/tensor/coords.h"
#include "runtime/tensor/memory.h"
#include "runtime/tensor/status.h"

struct map_inverse;

struct tensor {
    enum type type;
    int order;
    int64_t dimension[ORDER_MAX]; /* of each mode */
    const struct format *format;  /* the tensor's own copy */
    /* from the levels' coordinates to the modes'; NULL: each level stores a mode */
    const struct map_inverse *inverse;
    struct value fill;           /* of the tensor's type */
    struct level_storage *level; /* for each level of the format */
    void *vals;
    /* values in vals: positions of the last level, or more; or as many as strides lead over */
    int64_t nvals;
    /* which its arrays and vals are from, and go back to with the tensor; NULL: they are others' */
    const struct memory *memory;
    struct memory given; /* it, where it is a user's: a tensor outlives whoever gave it */
};

/* All levels are packed: tell those from the last one up, which ask for it, what is below them. */
enum rt_status tensor_end_levels(struct tensor *tensor, const char *name, struct rt_error *error);

/* Returns the components that it stores; more if there is room behind them. */
int64_t tensor_stored(const struct tensor *tensor);

/* From now on its arrays are from this memory. */
void tensor_set_memory(struct tensor *tensor, const struct memory *memory);

/* The same of one whose arrays are the host's: they are copied, unless the memory is the host's. */
enum rt_status tensor_hand_over(struct tensor *tensor, const struct memory *memory,
                                struct rt_error *error);

/* A tensor without arrays (all NULL, of length 0), for the caller to set: level[k].array,
 * level[k].length, vals, nvals and memory, which is NULL.  The format is copied; its level types
 * must outlive the tensor.  RT_INPUT: the coordinates do not follow from what the levels store
 * (DIAG_MAP), or a dimension is negative or beyond the crd type of its level. */
enum rt_status tensor_new(const struct format *format, enum type type, const int64_t *dimension,
                          struct value fill, const char *name, struct tensor **tensor,
                          struct rt_error *error);

/* One that owns arrays without an entry: levels that can be are empty, components that others
 * hold are the fill. */
enum rt_status tensor_new_empty(const struct format *format, enum type type,
                                const int64_t *dimension, struct value fill, const char *name,
                                struct tensor **tensor, struct rt_error *error);

/* One that owns arrays with these entries, duplicates summed; the list is used up, and empty
 * afterwards, unless a coordinate is out of range.  Entries equal to the fill are stored like
 * others.  threads as in threads_run.
 * RT_INPUT: a coordinate out of range, an entry that a level cannot hold, a position or coordinate
 * beyond the pos or crd type of a level (DIAG_LIMIT), and as for tensor_new.  Of a large dense
 * tensor that does not fit, with RT_NO_MEMORY or DIAG_LIMIT, the error says what it takes and
 * what to write instead. */
enum rt_status tensor_pack(struct coords *coords, const struct format *format, struct value fill,
                           int threads, const char *name, struct tensor **tensor,
                           struct rt_error *error);

/* A list in the order of the levels that were asked for last. */
struct tensor_order;
void tensor_order_free(struct tensor_order *order);

/* Bytes in the arrays and vals of such a tensor, which is not made; the list has no duplicates.
 * *order, NULL at first, for tensor_order_free: formats whose first levels store the same, the
 * longest first, share it.  RT_INPUT: the levels cannot hold the list. */
enum rt_status tensor_room(struct tensor_order **order, struct coords *coords,
                           const struct format *format, int threads, int64_t *bytes,
                           struct rt_error *error);

/* Whatever is stored, a tensor has a pos for each position of the dense levels above: is there
 * memory for them?  For those who do not allocate them by tensor_pack.  RT_NO_MEMORY names the
 * level. */
enum rt_status tensor_check_room(const struct tensor *tensor, const char *name,
                                 struct rt_error *error);

/* Which components are left out: none, those that equal the fill, or those that may be padding,
 * which has the fill's sign as well. */
enum leaving { LEAVE_NONE, LEAVE_FILL, LEAVE_PADDING };

/* Visit all stored components, which are numbered in storage order, without what blocks hold beyond
 * the tensor, and without those to be left out.  By several threads, as in threads_run, and so in
 * any order.  visit may be NULL.  Returns how many there are. */
typedef void tensor_visitor(void *data, int64_t number, const int64_t *coordinate,
                            const void *value);
int64_t tensor_visit(const struct tensor *tensor, enum leaving leaving, int threads,
                     tensor_visitor *visit, void *data);

/* They as a list, which is overwritten, and for coords_free.  Fails for lack of memory only. */
enum rt_status tensor_unpack(const struct tensor *tensor, enum leaving leaving, int threads,
                             struct coords *coords, struct rt_error *error);

/* Is a component to be left out? */
bool tensor_leaves(const struct tensor *tensor, enum leaving leaving, const void *value);

/* Are the arrays a tensor of the format?  In O(size); nothing is read outside the lengths given.
 * For arrays from outside, before anything else is done with them.  RT_INPUT (DIAG_TENSOR) names
 * level, array and element.  Below levels that are not unique, order and uniqueness are looked
 * at between neighbours. */
enum rt_status tensor_validate(const struct tensor *tensor, const char *name,
                               struct rt_error *error);

/* Sets every stored value.  threads as in threads_run. */
void tensor_fill_dense(struct tensor *tensor, struct value value, int threads);

/* Bytes in its arrays and vals. */
int64_t tensor_bytes(const struct tensor *tensor);

/* NULL is allowed. */
void tensor_free(struct tensor *tensor);

#endif
