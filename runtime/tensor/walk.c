/* walk.c - visits the stored components of a tensor, in a depth-first walk of its coordinate tree
 * (thesis 2.2).
 *
 * SPDX-License-Identifier: MIT
 */
#include "runtime/tensor/walk.h"

#include "compiler/format/map.h"

/* Returns the place of the value of the node that the walk is on. */
static int64_t value_at(const struct tensor_walk *walk)
{
    const struct level_storage *level = walk->tensor->level;
    const int levels = walk->tensor->format->levels;
    int64_t at = 0;
    if (!level[0].format->type->value_at)
        return walk->at[levels - 1];
    for (int k = 0; k < levels; k++)
        at += level[k].format->type->value_at(&level[k], walk->path[k]);
    return at;
}

/* Goes on to the next path from level k, whose `at` and `end` are set and whose ancestors are on a
 * node. */
static bool walk_on(struct tensor_walk *walk, int k)
{
    const struct tensor *tensor = walk->tensor;
    int last = tensor->format->levels - 1;
    while (k >= 0) {
        if (k == last && walk->at[k] >= walk->stop)
            return false;
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
            walk->position = value_at(walk);
            return true;
        }
        const struct level_storage *below = &tensor->level[k + 1];
        below->format->type->children(below, walk->at[k], &walk->at[k + 1], &walk->end[k + 1]);
        k++;
    }
    return false;
}

/* Returns where the positions of level k end. */
static int64_t positions_of(const struct tensor *tensor, int k)
{
    int64_t positions = 1, begin;
    for (int l = 0; l <= k && positions > 0; l++) {
        const struct level_storage *level = &tensor->level[l];
        level->format->type->children(level, positions - 1, &begin, &positions);
    }
    return positions;
}

int64_t tensor_walk_positions(const struct tensor *tensor)
{
    return positions_of(tensor, tensor->format->levels - 1);
}

bool tensor_walk_first_path(struct tensor_walk *walk, const struct tensor *tensor)
{
    walk->tensor = tensor;
    walk->position = 0;
    walk->stop = INT64_MAX;
    if (tensor->format->levels == 0)
        return true;
    /* That cannot be found from each position above the last level, since a level without arrays
     * may have any number of them. */
    if (tensor_walk_positions(tensor) == 0)
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

/* Returns the first parent on level k - 1 whose children on level k end behind the position. */
static int64_t find_parent(const struct tensor *tensor, int k, int64_t position)
{
    const struct level_storage *level = &tensor->level[k];
    int64_t low = 0, high = positions_of(tensor, k - 1), begin, end;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        level->format->type->children(level, middle, &begin, &end);
        if (end > position)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

/* Goes down the path to these positions, or to the first ones behind them, then on from there. */
static bool walk_from(struct tensor_walk *walk, const int64_t *position)
{
    const struct tensor *tensor = walk->tensor;
    int last = tensor->format->levels - 1;
    bool there = true; /* all levels above are at their positions */
    for (int k = 0;; k++) {
        const struct level_storage *level = &tensor->level[k];
        int64_t parent = k > 0 ? walk->at[k - 1] : 0, begin;
        level->format->type->children(level, parent, &begin, &walk->end[k]);
        walk->at[k] = there && position[k] > begin ? position[k] : begin;
        there &= walk->at[k] == position[k];
        if (k == last
            || !level->format->type->coordinate(level, parent, walk->at[k], &walk->path[k],
                                                &walk->path[k]))
            return walk_on(walk, k);
        if (level->format->mode >= 0)
            walk->coordinate[level->format->mode] = walk->path[k];
    }
}

bool tensor_walk_part(struct tensor_walk *walk, const struct tensor *tensor, int64_t begin,
                      int64_t end)
{
    int64_t position[LEVELS_MAX];
    int levels = tensor->format->levels;
    walk->tensor = tensor;
    walk->position = 0;
    walk->stop = end;
    if (begin >= end || begin >= tensor_walk_positions(tensor))
        return false;
    if (levels == 0)
        return true;
    position[levels - 1] = begin;
    for (int k = levels - 1; k > 0; k--)
        position[k - 1] = find_parent(tensor, k, position[k]);
    bool more = walk_from(walk, position);
    while (more && !tensor_walk_is_component(walk))
        more = tensor_walk_next_path(walk);
    return more;
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
