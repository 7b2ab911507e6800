/* pack.c - from a list of coordinates to a tensor in any format, and back.
 *
 * The sorted entries are the leaves of the coordinate tree (thesis 2.2), from left to right.  Level by level, from the
 * root down, runs of entries become nodes; the level type packs the nodes into its arrays and says at which position
 * each of them is, and these positions are the parents of the next level's nodes.
 *
 * When does an entry start a new node?  When its parent does, and when its coordinates differ from the entry
 * before it, in this level, or, if the level need not be unique, in the branchless levels below, which have
 * one child for each node.  So in COO, compressed(nonunique) and singleton, every entry is a node of both levels:
 *
 *     entries          (0,1) (0,3) (2,1)
 *     csr  level 1      o-----.     o           level 2    o     o     o
 *     coo  level 1      o     o     o           level 2    o     o     o
 *
 * Where a level does not keep its nodes in order (a hash table), the entries are put into the order of their nodes'
 * positions, as the next level wants its parents.
 *
 * SPDX-License-Identifier: MIT
 */
#include <inttypes.h>
#include <string.h>

#include "compiler/format/map.h"
#include "runtime/tensor/alloc.h"
#include "runtime/tensor/fault.h"
#include "runtime/tensor/tensor.h"
#include "runtime/tensor/walk.h"

struct packer {
    struct tensor *tensor;
    struct coords *coords;
    int threads;
    bool *starts;                    /* does the entry start a node of the present level? */
    int64_t *position;               /* of each entry's node in the level above */
    int64_t *parent, *coordinate;    /* of each node of the present level */
    int64_t *node_position;
    int64_t positions;               /* of the level above; at the end, values */
    int split;                       /* entries of one node agree in the levels up to here */
};

/* The last level whose coordinates tell the nodes of level k apart. */
static int last_telling(const struct format *format, int k)
{
    if (level_has(&format->level[k], LEVEL_UNIQUE))
        return k;
    while (k + 1 < format->levels && level_has(&format->level[k + 1], LEVEL_BRANCHLESS))
        k++;
    return k;
}

/* What level k stores of an entry. */
static int64_t coordinate_of(const struct packer *p, int k, int64_t entry)
{
    const struct map_expr *map = p->tensor->format->level[k].map;
    return map->kind == MAP_MODE ? p->coords->coordinate[map->mode][entry] : map_value(map, p->coords->coordinate, entry);
}

static bool differ(const struct packer *p, int64_t entry, int first, int last)
{
    for (int k = first; k <= last; k++)
        if (coordinate_of(p, k, entry) != coordinate_of(p, k, entry - 1))
            return true;
    return false;
}

/* A unique level below one that is not, in which two entries have the same coordinates but different parents. */
static enum rt_status check_split(const struct packer *p, int k, const char *name, struct rt_error *error)
{
    const struct level_format *level = &p->tensor->format->level[k];
    if (p->split <= k || !level_has(level, LEVEL_UNIQUE))
        return RT_OK;
    for (int64_t i = 1; i < p->coords->n; i++)
        if (p->starts[i] && !differ(p, i, 0, k)) {
            char place[LEVEL_PLACE];
            level_place(place, name, k + 1, level);
            enum rt_status status =
                rt_fail(error, RT_INPUT, DIAG_TENSOR,
                        "%s is unique, and %" PRId64 " would be there twice below the same coordinates", place,
                        coordinate_of(p, k, i));
            rt_help(error, "let it be %s(nonunique)", level->type->name);
            return status;
        }
    return RT_OK;
}

static void mark_changes(bool *starts, const int64_t *number, int64_t n)
{
    for (int64_t i = 1; i < n; i++)
        starts[i] |= number[i] != number[i - 1];
}

static void mark_starts(struct packer *p, int k)
{
    int last = last_telling(p->tensor->format, k);
    int64_t n = p->coords->n;
    for (int64_t i = 0; i < n; i++)
        p->starts[i] = i == 0;
    mark_changes(p->starts, p->position, n);
    for (int level = k; level <= last; level++) {
        const struct map_expr *map = p->tensor->format->level[level].map;
        if (map->kind == MAP_MODE)
            mark_changes(p->starts, p->coords->coordinate[map->mode], n);
        else
            for (int64_t i = 1; i < n; i++)
                p->starts[i] |= differ(p, i, level, level);
    }
    p->split = last > p->split ? last : p->split;
}

static int64_t collect_nodes(struct packer *p, int k)
{
    int64_t n = 0;
    for (int64_t i = 0; i < p->coords->n; i++)
        if (p->starts[i]) {
            p->parent[n] = p->position[i];
            p->coordinate[n] = coordinate_of(p, k, i);
            n++;
        }
    return n;
}

static enum rt_status pack_level(struct packer *p, int k, const char *name, struct rt_error *error)
{
    struct level_storage *level = &p->tensor->level[k];
    struct level_fault fault = {NULL, -1, ""};
    mark_starts(p, k);
    enum rt_status status = check_split(p, k, name, error);
    if (status != RT_OK)
        return status;
    struct level_nodes nodes = {collect_nodes(p, k), p->parent, p->coordinate, p->positions};
    if (!level->format->type->pack(level, &nodes, p->node_position, &p->positions, &fault))
        return level_fail_packing(level, k + 1, &fault, name, error);
    for (int64_t i = 0, node = -1; i < p->coords->n; i++) {
        node += p->starts[i];
        p->position[i] = p->node_position[node];
    }
    bool last = k == p->tensor->format->levels - 1;
    return last ? RT_OK : coords_sort_by(p->coords, &p->position, p->positions, p->threads, error);
}

static enum rt_status pack_vals(struct packer *p, struct rt_error *error)
{
    struct tensor *tensor = p->tensor;
    size_t size = type_size(tensor->type);
    tensor->vals = rt_array(p->positions, size);
    if (!tensor->vals)
        return rt_no_memory(error);
    tensor->nvals = p->positions;
    tensor_fill_dense(tensor, tensor->fill);
    char *vals = tensor->vals;
    const char *from = p->coords->vals;
    for (int64_t i = 0; i < p->coords->n; i++)
        memcpy(vals + (size_t)p->position[i] * size, from + (size_t)i * size, size);
    return RT_OK;
}

static enum rt_status pack_levels(struct packer *p, const char *name, struct rt_error *error)
{
    int64_t n = p->coords->n;
    enum rt_status status = RT_OK;
    p->starts = rt_array_zeroed(n, sizeof *p->starts);
    p->position = rt_array_zeroed(n, sizeof *p->position);
    p->parent = rt_array(n, sizeof *p->parent);
    p->coordinate = rt_array(n, sizeof *p->coordinate);
    p->node_position = rt_array(n, sizeof *p->node_position);
    if (!p->starts || !p->position || !p->parent || !p->coordinate || !p->node_position)
        status = rt_no_memory(error);
    for (int k = 0; k < p->tensor->format->levels && status == RT_OK; k++)
        status = pack_level(p, k, name, error);
    if (status == RT_OK)
        status = pack_vals(p, error);
    free(p->starts);
    free(p->position);
    free(p->parent);
    free(p->coordinate);
    free(p->node_position);
    return status;
}

enum rt_status tensor_pack(struct coords *coords, const struct format *format, struct value fill, int threads,
                           const char *name, struct tensor **tensor, struct rt_error *error)
{
    *tensor = NULL;
    enum rt_status status = coords_check(coords, name, error);
    if (status != RT_OK)
        return status;
    struct packer p = {.coords = coords, .threads = threads, .positions = 1};
    status = tensor_new(format, coords->type, coords->dimension, fill, name, &p.tensor, error);
    if (status != RT_OK)
        return status;
    p.tensor->owns = true;
    status = coords_sort(coords, format, threads, error);
    if (status == RT_OK) {
        coords_sum_duplicates(coords);
        status = pack_levels(&p, name, error);
    }
    if (status != RT_OK) {
        tensor_free(p.tensor);
        return status;
    }
    *tensor = p.tensor;
    return RT_OK;
}

enum rt_status tensor_unpack(const struct tensor *tensor, bool leave_out_fill, struct coords *coords,
                             struct rt_error *error)
{
    coords_init(coords, tensor->order, tensor->dimension, tensor->type);
    const char *vals = tensor->vals;
    size_t size = type_size(tensor->type);
    struct tensor_walk walk;
    if (!coords_reserve(coords, tensor->nvals)) {
        coords_free(coords);
        return rt_no_memory(error);
    }
    for (bool more = tensor_walk_first(&walk, tensor); more; more = tensor_walk_next(&walk)) {
        const char *value = vals + (size_t)walk.position * size;
        if (leave_out_fill && value_equal(value_load(tensor->type, value), tensor->fill))
            continue;
        if (!coords_add(coords, walk.coordinate, value)) {
            coords_free(coords);
            return rt_no_memory(error);
        }
    }
    return RT_OK;
}
