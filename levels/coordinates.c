/* coordinates.c - what the level types share that store a coordinate for each position.
 *
 * SPDX-License-Identifier: MIT
 */
#include "levels/coordinates.h"

bool level_refuse(struct level_fault *fault, const char *array, int64_t at, const char *why)
{
    *fault = (struct level_fault){array, at, why};
    return false;
}

bool coordinates_pack(struct level_storage *level, int k, const struct level_nodes *nodes, int64_t *position,
                      struct level_fault *fault)
{
    level->length[k] = nodes->n;
    level->array[k] = index_alloc(level->format->crd, nodes->n);
    if (!level->array[k])
        return level_refuse(fault, NULL, -1, LEVEL_NO_MEMORY);
    for (int64_t i = 0; i < nodes->n; i++) {
        if (!index_store(level->format->crd, level->array[k], i, nodes->coordinate[i]))
            return level_refuse(fault, "crd", -1, "has a coordinate that its crd type does not hold");
        position[i] = i;
    }
    return true;
}

const struct imp *coordinates_access(const struct level_code *code, int k, const struct imp *position)
{
    return imp_load(code->b->cx, code->array[k], position);
}

void coordinates_append(const struct level_code *code, int k, const struct imp *position,
                        const struct imp *coordinate)
{
    struct context *cx = code->b->cx;
    imp_add(code->b, imp_store(cx, code->array[k], position, OP_NONE, imp_cast(cx, code->format->crd, coordinate)));
}
