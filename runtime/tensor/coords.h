/* coords.h - a tensor as a list of coordinates and values: what files hold, and what is packed.
 *
 *     coordinate[0]   0   2   2       entry 1 is the component (2, 0) with the value 7
 *     coordinate[1]   3   0   1
 *     vals            5   7   1
 *
 * A long list of which the sizes are known before is packed: the coordinates of an entry are in one
 * word of 64 bits, if that has room for all modes, and are within the sizes.
 *
 *     word            00 11   10 00   10 01         of a 3 x 4 matrix
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_TENSOR_COORDS_H
#define SPCC_TENSOR_COORDS_H

#include <stdbool.h>
#include <stdint.h>

#include "compiler/format/format.h"
#include "compiler/value/type.h"
#include "runtime/tensor/status.h"

struct coords {
    int order;
    enum type type; /* of the values */
    /* coordinates of mode m are in [0, dimension[m]) */
    int64_t dimension[ORDER_MAX];
    int64_t n, capacity;            /* entries */
    int64_t *coordinate[ORDER_MAX]; /* for each mode */
    void *vals;                     /* n values, as C stores the type */
    /* Instead of the columns, of a packed list, a word for each entry, which has the coordinate of
     * mode m in bits[m] bits from shift[m] on. */
    bool packed;
    unsigned char bits[ORDER_MAX], shift[ORDER_MAX];
    uint64_t *word;
    /* Instead of these, for packing only, arrays of somebody else's, which stay as they are; the
     * coordinates of an entry follow each other. */
    const int64_t *lent;
    const void *lent_vals;
};

/* An empty list.  dimension may be NULL (all 0). */
void coords_init(struct coords *coords, int order, const int64_t *dimension, enum type type);
void coords_free(struct coords *coords);

/* Returns how many bits hold the numbers below a size. */
static inline int coords_bits(int64_t size)
{
    return size > 1 ? 64 - __builtin_clzll((uint64_t)size - 1) : 0;
}

/* Returns the coordinate in mode m that a word of a packed list has. */
static inline int64_t coords_of_word(const struct coords *coords, int m, uint64_t word)
{
    return (int64_t)(word >> coords->shift[m] & ((UINT64_C(1) << coords->bits[m]) - 1));
}

/* Returns the coordinate of an entry in mode m. */
static inline int64_t coords_at(const struct coords *coords, int m, int64_t entry)
{
    return coords->packed ? coords_of_word(coords, m, coords->word[entry])
           : coords->lent ? coords->lent[entry * coords->order + m]
                          : coords->coordinate[m][entry];
}

/* Let an empty list be packed, if words have room for coordinates within its dimensions. */
void coords_pack(struct coords *coords);

/* Makes room for n entries in all; false: no memory, and the list as it was. */
bool coords_reserve(struct coords *coords, int64_t n);

/* Copies the entries of a list that is not packed, and has the same order, or order 0 for values
 * alone, to those from `at` on. */
void coords_copy(struct coords *coords, int64_t at, const struct coords *from);

/* Appends an entry to a list that is not packed; value points to type_size(type) bytes.  false: no
 * memory, and the list as it was. */
bool coords_add(struct coords *coords, const int64_t *coordinate, const void *value);

/* Let entry `to` of a list that is not packed be what entry `from` is. */
void coords_move(struct coords *coords, int64_t to, int64_t from);

/* The dimensions are not negative and all coordinates are in range; else an error that names mode
 * and entry.  The message begins with the name of the tensor, unless it is NULL.  threads as in
 * threads_run. */
enum rt_status coords_check(const struct coords *coords, int threads, const char *name,
                            struct rt_error *error);

/* Sort by the coordinates of the first mode, then the second, and so on; entries with the same
 * coordinates keep their order.  The coordinates are in range.  threads as in threads_run.  Fails
 * only for lack of memory, the list then being as it was. */
enum rt_status coords_sort(struct coords *coords, int threads, struct rt_error *error);

#endif
