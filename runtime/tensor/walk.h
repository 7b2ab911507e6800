/* walk.h - visit the stored components of a valid tensor, in storage order.
 *
 *     struct tensor_walk walk;
 *     for (bool more = tensor_walk_first(&walk, tensor); more; more = tensor_walk_next(&walk))
 *         use(walk.coordinate, walk.position);
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_TENSOR_WALK_H
#define SPCC_TENSOR_WALK_H

#include <stdbool.h>
#include <stdint.h>

#include "runtime/tensor/tensor.h"

struct tensor_walk {
    int64_t coordinate[ORDER_MAX]; /* of the component, for each mode */
    int64_t position;              /* of its value in vals */
    const struct tensor *tensor;
    int64_t path[LEVELS_MAX]; /* the coordinate in each level on the path */
    int64_t at[LEVELS_MAX];   /* for each level the position of the node on the path */
    int64_t end[LEVELS_MAX];  /* and where its siblings end */
    int64_t stop;             /* the position in the last level at which it ends */
};

/* Is there one?  An order-0 tensor has one component. */
bool tensor_walk_first(struct tensor_walk *walk, const struct tensor *tensor);
bool tensor_walk_next(struct tensor_walk *walk);

/* So many positions the last level has, at which components may be: one of an order-0 tensor. */
int64_t tensor_walk_positions(const struct tensor *tensor);

/* Returns the components whose positions in the last level are in [begin, end): with
 * tensor_walk_next. */
bool tensor_walk_part(struct tensor_walk *walk, const struct tensor *tensor, int64_t begin,
                      int64_t end);

/* The same for all paths, also those of a block or a diagonal that lead to what is no component:
 * coordinate is then not set before tensor_walk_is_component, which tells. */
bool tensor_walk_first_path(struct tensor_walk *walk, const struct tensor *tensor);
bool tensor_walk_next_path(struct tensor_walk *walk);
bool tensor_walk_is_component(struct tensor_walk *walk);

#endif
