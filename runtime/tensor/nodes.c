/* nodes.c - the number of nodes of a tensor's levels.
 *
 * If every position is a node, the nodes end where the last parent's children end.  Hash tables,
 * padded rows and bitmaps have other positions in between.  There some paths are walked, and the
 * share of the tensor that they cover tells the number of all nodes.
 *
 * SPDX-License-Identifier: MIT
 */
#include "runtime/tensor/nodes.h"

#include "runtime/tensor/walk.h"

enum { PATHS = 4096 };

static bool has_unlabelled(const struct format *format)
{
    for (int k = 0; k < format->levels; k++)
        if (format->level[k].type->stored != LEVEL_ALL
            && !level_has(&format->level[k], LEVEL_COMPACT))
            return true;
    return false;
}

/* Returns the share of the tensor before the walk's path: the earlier siblings of each node on it,
 * and everything below these. */
static double share_before(const struct tensor_walk *walk)
{
    double before = 0, width = 1;
    int64_t parent = 0, begin, end;
    for (int k = 0; k < walk->tensor->format->levels; k++) {
        const struct level_storage *level = &walk->tensor->level[k];
        level->format->type->children(level, parent, &begin, &end);
        width /= (double)(end - begin);
        before += width * (double)(walk->at[k] - begin);
        parent = walk->at[k];
    }
    return before;
}

static void count_on_paths(const struct tensor *tensor, int64_t *nodes)
{
    int64_t last[LEVELS_MAX], paths = 0;
    struct tensor_walk walk;
    bool more = tensor_walk_first_path(&walk, tensor);
    for (; more && paths < PATHS; more = tensor_walk_next_path(&walk), paths++)
        for (int k = 0; k < tensor->format->levels; k++)
            if (paths == 0 || walk.at[k] != last[k]) {
                last[k] = walk.at[k];
                nodes[k]++;
            }
    double share = more ? share_before(&walk) : 1;
    for (int k = 0; k < tensor->format->levels && share > 0; k++)
        nodes[k] = (int64_t)((double)nodes[k] / share);
}

/* A level with all coordinates also has nodes with nothing below. */
static void add_empty(const struct tensor *tensor, int64_t *nodes)
{
    int64_t parents = 1;
    for (int k = 0; k < tensor->format->levels; k++) {
        const struct level_type *type = tensor->format->level[k].type;
        int64_t begin = 0, end = 0;
        if (type->stored == LEVEL_ALL && parents > 0) {
            type->children(&tensor->level[k], 0, &begin, &end);
            nodes[k] = parents * (end - begin);
        }
        parents = nodes[k];
    }
}

void tensor_count_nodes(const struct tensor *tensor, int64_t *nodes)
{
    int64_t parents = 1;
    for (int k = 0; k < tensor->format->levels; k++) {
        int64_t begin = 0, end = 0;
        if (parents > 0)
            tensor->format->level[k].type->children(&tensor->level[k], parents - 1, &begin, &end);
        nodes[k] = has_unlabelled(tensor->format) ? 0 : end;
        parents = end;
    }
    if (!has_unlabelled(tensor->format))
        return;
    count_on_paths(tensor, nodes);
    add_empty(tensor, nodes);
}

void tensor_measure_nodes(const struct tensor *tensor, struct node_lengths *level)
{
    const int levels = tensor->format->levels;
    int64_t last[LEVELS_MAX], children[LEVELS_MAX] = {0};
    struct tensor_walk walk;
    bool any = false;
    for (int k = 0; k < levels; k++)
        level[k] = (struct node_lengths){0, 0};
    for (bool more = tensor_walk_first_path(&walk, tensor); more;
         more = tensor_walk_next_path(&walk), any = true) {
        bool starts = !any, parent_starts = !any;
        for (int k = 0; k < levels; k++, parent_starts = starts) {
            starts = parent_starts || walk.at[k] != last[k];
            children[k] = (parent_starts ? 0 : children[k]) + starts;
            level[k].nodes += starts;
            level[k].longest = children[k] > level[k].longest ? children[k] : level[k].longest;
            last[k] = walk.at[k];
        }
    }
}

void tensor_longest(const struct tensor *tensor, int64_t *longest)
{
    int64_t parents = 1;
    for (int k = 0; k < tensor->format->levels; k++) {
        const struct level_type *type = tensor->format->level[k].type;
        int64_t begin, end = 0, first = type->stored == LEVEL_SOME ? 0 : parents - 1;
        longest[k] = 0;
        for (int64_t parent = first > 0 ? first : 0; parent < parents; parent++) {
            type->children(&tensor->level[k], parent, &begin, &end);
            longest[k] = end - begin > longest[k] ? end - begin : longest[k];
        }
        parents = end;
    }
}
