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
};

/* Is there one?  An order-0 tensor has one component. */
bool tensor_walk_first(struct tensor_walk *walk, const struct tensor *tensor);
bool tensor_walk_next(struct tensor_walk *walk);

/* The same for all paths, also those of a block or a diagonal that lead to what is no component:
 * coordinate is then not set before tensor_walk_is_component, which tells. */
bool tensor_walk_first_path(struct tensor_walk *walk, const struct tensor *tensor);
bool tensor_walk_next_path(struct tensor_walk *walk);
bool tensor_walk_is_component(struct tensor_walk *walk);

#endif
