/* density.c - the distribution of a tensor's components: their number in each block of a raster
 * over one or two modes.
 *
 * SPDX-License-Identifier: MIT
 */
#include "runtime/tensor/density.h"

#include <string.h>

#include "runtime/tensor/walk.h"

__extension__ typedef unsigned __int128 wide;

/* Block b begins at coordinate b * dimension / blocks, rounded up. */
static int64_t block_of(const struct tensor_walk *walk, struct density_axis axis)
{
    if (axis.mode < 0)
        return 0;
    return (int64_t)((wide)walk->coordinate[axis.mode] * (wide)axis.blocks
                     / (wide)walk->tensor->dimension[axis.mode]);
}

void density_count(const struct tensor *tensor, struct density_axis rows,
                   struct density_axis columns, int64_t *counts)
{
    struct tensor_walk walk;
    memset(counts, 0, (size_t)rows.blocks * (size_t)columns.blocks * sizeof *counts);
    for (bool more = tensor_walk_first(&walk, tensor); more; more = tensor_walk_next(&walk))
        counts[block_of(&walk, rows) * columns.blocks + block_of(&walk, columns)]++;
}
