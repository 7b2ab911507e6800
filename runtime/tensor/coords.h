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
};

/* An empty list.  dimension may be NULL (all 0). */
void coords_init(struct coords *coords, int order, const int64_t *dimension, enum type type);
void coords_free(struct coords *coords);

/* Make room for n entries in all; false: no memory, and the list as it was. */
bool coords_reserve(struct coords *coords, int64_t n);

/* Append an entry; value points to type_size(type) bytes.  false: no memory, and the list as it
 * was. */
bool coords_add(struct coords *coords, const int64_t *coordinate, const void *value);

/* Let entry `to` be what entry `from` is. */
void coords_move(struct coords *coords, int64_t to, int64_t from);

/* The dimensions are not negative and all coordinates are in range; else an error that names mode
 * and entry.  The message begins with the name of the tensor, unless it is NULL. */
enum rt_status coords_check(const struct coords *coords, const char *name, struct rt_error *error);

/* Sort by the coordinates of the format's first level, then its second, and so on, or, without a
 * format, of the first mode, then the second; entries with the same coordinates keep their order.
 * The format is of the same order, the coordinates are in range, and so are those of the levels in
 * int64_t.  threads: 0 for one a processor.  Fails only for lack of memory, the list then being
 * as it was. */
enum rt_status coords_sort(struct coords *coords, const struct format *format, int threads,
                           struct rt_error *error);

/* Sort by keys, one for each entry, from 0 to below limit; the keys too, whose array, from
 * malloc, may become another. */
enum rt_status coords_sort_by(struct coords *coords, int64_t **keys, int64_t limit, int threads,
                              struct rt_error *error);

/* Make one entry of neighbours with the same coordinates, adding their values (bool: or) from
 * first to last. */
void coords_sum_duplicates(struct coords *coords);

#endif
