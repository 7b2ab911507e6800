/* density.h - where the stored components of a tensor are: how many in each block of a raster over
 * one mode or two.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_TENSOR_DENSITY_H
#define SPCC_TENSOR_DENSITY_H

#include "runtime/tensor/tensor.h"

/* A mode, -1 for none, whose coordinates are cut into this many blocks that differ by at most one
 * coordinate; from 1 block to as many as it has coordinates. */
struct density_axis {
    int mode, blocks;
};

/* Into counts[r * columns.blocks + c] goes how many are in block r of one mode and block c of the
 * other, whatever their coordinates in the others. */
void density_count(const struct tensor *tensor, struct density_axis rows,
                   struct density_axis columns, int64_t *counts);

#endif
