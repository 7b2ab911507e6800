/* coords.h - a tensor as a list of coordinates and values: what files hold, and what is packed.
 *
 *     coordinate[0]   0   2   2       entry 1 is the component (2, 0) with the value 7
 *     coordinate[1]   3   0   1
 *     vals            5   7   1
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
    /* Instead of these, for packing only, arrays of somebody else's, which stay as they are; the
     * coordinates of an entry follow each other. */
    const int64_t *lent;
    const void *lent_vals;
};

/* An empty list.  dimension may be NULL (all 0). */
void coords_init(struct coords *coords, int order, const int64_t *dimension, enum type type);
void coords_free(struct coords *coords);

/* The coordinate of an entry in mode m. */
static inline int64_t coords_at(const struct coords *coords, int m, int64_t entry)
{
    return coords->lent ? coords->lent[entry * coords->order + m] : coords->coordinate[m][entry];
}

/* Make room for n entries in all; false: no memory, and the list as it was. */
bool coords_reserve(struct coords *coords, int64_t n);

/* Append an entry; value points to type_size(type) bytes.  false: no memory, and the list as it
 * was. */
bool coords_add(struct coords *coords, const int64_t *coordinate, const void *value);

/* Let entry `to` be what entry `from` is. */
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
