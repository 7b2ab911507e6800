/* walk.c - visit the stored components of a tensor: a depth-first walk of its coordinate tree
 * (thesis 2.2).
 *
 * SPDX-License-Identifier: MIT
 */
#include "runtime/tensor/walk.h"

#include "compiler/format/map.h"

/* From level k, whose at and end are set and whose ancestors are on a node, to the next path. */
static bool walk_on(struct tensor_walk *walk, int k)
{
    const struct tensor *tensor = walk->tensor;
    int last = tensor->format->levels - 1;
    while (k >= 0) {
        if (walk->at[k] == walk->end[k]) {
            if (--k >= 0)
                walk->at[k]++;
            continue;
        }
        const struct level_storage *level = &tensor->level[k];
        int64_t parent = k > 0 ? walk->at[k - 1] : 0;
        if (!level->format->type->coordinate(level, parent, walk->at[k], &walk->path[k],
                                             &walk->path[k])) {
            walk->at[k]++;
            continue;
        }
        if (level->format->mode >= 0)
            walk->coordinate[level->format->mode] = walk->path[k];
        if (k == last) {
            walk->position = walk->at[k];
            return true;
        }
        const struct level_storage *below = &tensor->level[k + 1];
        below->format->type->children(below, walk->at[k], &walk->at[k + 1], &walk->end[k + 1]);
        k++;
    }
    return false;
}

/* A level has no positions, so that there is none in the last: not to be found out from each
 * position above, of which a level without arrays may have any number. */
static bool is_empty(const struct tensor *tensor)
{
    int64_t positions = 1, begin;
    for (int k = 0; k < tensor->format->levels && positions > 0; k++) {
        const struct level_storage *level = &tensor->level[k];
        level->format->type->children(level, positions - 1, &begin, &positions);
    }
    return positions == 0;
}

bool tensor_walk_first_path(struct tensor_walk *walk, const struct tensor *tensor)
{
    walk->tensor = tensor;
    walk->position = 0;
    if (tensor->format->levels == 0)
        return true;
    if (is_empty(tensor))
        return false;
    const struct level_storage *top = &tensor->level[0];
    top->format->type->children(top, 0, &walk->at[0], &walk->end[0]);
    return walk_on(walk, 0);
}

bool tensor_walk_next_path(struct tensor_walk *walk)
{
    int last = walk->tensor->format->levels - 1;
    if (last < 0)
        return false;
    walk->at[last]++;
    return walk_on(walk, last);
}

bool tensor_walk_is_component(struct tensor_walk *walk)
{
    const struct tensor *t = walk->tensor;
    return !t->inverse
           || map_back(t->inverse, t->format, walk->path, t->dimension, walk->coordinate);
}

bool tensor_walk_first(struct tensor_walk *walk, const struct tensor *tensor)
{
    bool more = tensor_walk_first_path(walk, tensor);
    while (more && !tensor_walk_is_component(walk))
        more = tensor_walk_next_path(walk);
    return more;
}

bool tensor_walk_next(struct tensor_walk *walk)
{
    bool more;
    do
        more = tensor_walk_next_path(walk);
    while (more && !tensor_walk_is_component(walk));
    return more;
}
