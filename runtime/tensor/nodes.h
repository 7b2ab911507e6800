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

#endif
