/* coordinates.h - what the level types share that store a coordinate for each position, in the array crd.
 *
 * k is the array's place among the level type's arrays.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_LEVELS_COORDINATES_H
#define SPCC_LEVELS_COORDINATES_H

#include "compiler/format/index_array.h"
#include "compiler/lower/level_code.h"

/* Set the fault, and return false. */
bool level_refuse(struct level_fault *fault, const char *array, int64_t at, const char *why);

static inline int64_t coordinates_load(const struct level_storage *level, int k, int64_t position)
{
    return index_load(level->format->crd, level->array[k], position);
}

/* Is the coordinate found at this position in range? */
static inline bool coordinates_check(const struct level_storage *level, int64_t position, int64_t coordinate,
                                     struct level_fault *fault)
{
    if (coordinate < 0)
        return level_refuse(fault, "crd", position, "negative");
    return coordinate < level->dimension || level_refuse(fault, "crd", position, "not below the dimension");
}

/* Make the array, with the nodes at positions 0, 1, ... */
bool coordinates_pack(struct level_storage *level, int k, const struct level_nodes *nodes, int64_t *position,
                      struct level_fault *fault);

const struct imp *coordinates_access(const struct level_code *code, int k, const struct imp *position);

void coordinates_append(const struct level_code *code, int k, const struct imp *position,
                        const struct imp *coordinate);

#endif
