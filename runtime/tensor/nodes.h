/* nodes.h - how many nodes the levels of a tensor have.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_TENSOR_NODES_H
#define SPCC_TENSOR_NODES_H

#include "runtime/tensor/tensor.h"

/* The labelled positions of each level of a valid tensor: exactly where none is unlabelled, else
 * by the first some thousand paths. */
void tensor_count_nodes(const struct tensor *tensor, int64_t *nodes);

/* The nodes of each level that have a value below them: how many there are, and how many of them
 * are below one parent at most. */
struct node_lengths {
    int64_t nodes, longest;
};
void tensor_measure_nodes(const struct tensor *tensor, struct node_lengths *level);

/* How many positions each level has at most below one of the level above, with or without values:
 * a look at each parent, and at no child. */
void tensor_longest(const struct tensor *tensor, int64_t *longest);

#endif
