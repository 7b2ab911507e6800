/* pack.c - from a list of coordinates to a tensor in any format, and back.
 *
 * The sorted entries are the leaves of the coordinate tree (thesis 2.2), from left to right.  Level
 * by level, from the root down, runs of entries become nodes; the level type packs the nodes into
 * its arrays and says at which position each of them is, and these positions are the parents of the
 * next level's nodes.
 *
 * When does an entry start a new node?  When its parent does, and when its coordinates differ from
 * the entry before it, in this level, or, if the level need not be unique, in the branchless levels
 * below, which have one child for each node.  So in COO, compressed(nonunique) and singleton, every
 * entry is a node of both levels:
 *
 *     entries          (0,1) (0,3) (2,1)
 *     csr  level 1      o-----.     o           level 2    o     o     o
 *     coo  level 1      o     o     o           level 2    o     o     o
 *
 * Where a level does not keep its nodes in order (a hash table), the entries are put into the order
 * of their nodes' positions, as the next level wants its parents.
 *
 * SPDX-License-Identifier: MIT
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "compiler/format/index_array.h"
#include "compiler/format/map.h"
#include "runtime/tensor/alloc.h"
#include "runtime/tensor/fault.h"
#include "runtime/tensor/memory.h"
#include "runtime/tensor/tensor.h"
#include "runtime/tensor/walk.h"

struct packer {
    struct tensor *tensor;
    struct coords *coords;
    int threads;
    bool *starts;                 /* does the entry start a node of the present level? */
    int64_t *position;            /* of each entry's node in the level above */
    int64_t *parent, *coordinate; /* of each node of the present level */
    int64_t *node_position;
    int64_t positions; /* of the level above; at the end, values */
    int split;         /* entries of one node agree in the levels up to here */
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
    return map->kind == MAP_MODE ? p->coords->coordinate[map->mode][entry]
                                 : map_value(map, p->coords->coordinate, entry);
}

static bool differ(const struct packer *p, int64_t entry, int first, int last)
{
    for (int k = first; k <= last; k++)
        if (coordinate_of(p, k, entry) != coordinate_of(p, k, entry - 1))
            return true;
    return false;
}

/* A unique level below one that is not, in which two entries have the same coordinates but
 * different parents. */
static enum rt_status check_split(const struct packer *p, int k, const char *name,
                                  struct rt_error *error)
{
    const struct level_format *level = &p->tensor->format->level[k];
    if (p->split <= k || !level_has(level, LEVEL_UNIQUE))
        return RT_OK;
    for (int64_t i = 1; i < p->coords->n; i++)
        if (p->starts[i] && !differ(p, i, 0, k)) {
            char place[LEVEL_PLACE];
            level_place(place, name, k + 1, level);
            enum rt_status status = rt_fail(error, RT_INPUT, DIAG_TENSOR,
                                            "%s is unique, and %" PRId64
                                            " would be there twice below the same coordinates",
                                            place, coordinate_of(p, k, i));
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

/* So many times fewer entries than rows: it is the format that takes the memory. */
enum { MOSTLY_EMPTY = 64 };

static void help_sparse(struct rt_error *error)
{
    rt_help(error, "dcsr, coo and other formats whose first level is sparse have no room for what "
                   "is empty; " MEMORY_HELP);
}

enum rt_status tensor_check_room(const struct tensor *tensor, const char *name,
                                 struct rt_error *error)
{
    int64_t parents = 1, bytes;
    for (int k = 0; k < tensor->format->levels; k++) {
        const struct level_storage *level = &tensor->level[k];
        if (level->format->type->array[0].kind == LEVEL_POSITIONS) {
            if (!__builtin_mul_overflow(parents, (int64_t)type_size(level->format->pos), &bytes)
                && (bytes < RT_LARGE || memory_allows((size_t)bytes)))
                return RT_OK;
            struct level_fault fault = {.at = -1, .why = LEVEL_NO_MEMORY, .bytes = bytes};
            enum rt_status status = level_fail(level, k + 1, &fault, name, error);
            help_sparse(error);
            return status;
        }
        if (!level_has(level->format, LEVEL_FULL)
            || __builtin_mul_overflow(parents, level->dimension, &parents))
            break;
    }
    return RT_OK;
}

static enum rt_status pack_level(struct packer *p, int k, const char *name, struct rt_error *error)
{
    struct level_storage *level = &p->tensor->level[k];
    struct level_fault fault = {.at = -1, .why = "", .memory = memory_left()};
    mark_starts(p, k);
    enum rt_status status = check_split(p, k, name, error);
    if (status != RT_OK)
        return status;
    struct level_nodes nodes = {collect_nodes(p, k), p->parent, p->coordinate, p->positions};
    if (!level->format->type->pack(level, &nodes, p->node_position, &p->positions, &fault)) {
        status = level_fail_packing(level, k + 1, &fault, name, error);
        if (status == RT_NO_MEMORY && nodes.parents / MOSTLY_EMPTY > nodes.n)
            help_sparse(error);
        return status;
    }
    for (int64_t i = 0, node = -1; i < p->coords->n; i++) {
        node += p->starts[i];
        p->position[i] = p->node_position[node];
    }
    bool last = k == p->tensor->format->levels - 1;
    return last ? RT_OK : coords_sort_by(p->coords, &p->position, p->positions, p->threads, error);
}

static const char *sparse_format(int order)
{
    return order == 1 ? "sparse" : order == 2 ? "csr" : "csf";
}

static enum rt_status fail_vals(const struct packer *p, size_t size, const char *name,
                                struct rt_error *error)
{
    char what[128];
    int64_t bytes;
    snprintf(what, sizeof what, "%.80s%sthe values of %" PRId64 " components", name ? name : "",
             name ? ": " : "", p->positions);
    if (__builtin_mul_overflow(p->positions, (int64_t)size, &bytes))
        bytes = INT64_MAX;
    if (bytes < RT_LARGE)
        return rt_no_memory(error);
    enum rt_status status = memory_fail(what, bytes, error);
    if (p->positions / MOSTLY_EMPTY > p->coords->n)
        rt_help(error,
                "in a sparse format ({format %s:%s}) there is no room for what is not "
                "stored; " MEMORY_HELP,
                name ? name : "T", sparse_format(p->tensor->order));
    return status;
}

static enum rt_status pack_vals(struct packer *p, const char *name, struct rt_error *error)
{
    struct tensor *tensor = p->tensor;
    size_t size = type_size(tensor->type);
    tensor->vals = tensor->memory->allocate(p->positions, size);
    if (!tensor->vals)
        return fail_vals(p, size, name, error);
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
        status = pack_vals(p, name, error);
    free(p->starts);
    free(p->position);
    free(p->parent);
    free(p->coordinate);
    free(p->node_position);
    return status;
}

static enum rt_status pack(struct coords *coords, const struct format *format, struct value fill,
                           int threads, const char *name, struct tensor **tensor,
                           struct rt_error *error)
{
    struct packer p = {.coords = coords, .threads = threads, .positions = 1};
    enum rt_status status =
        tensor_new(format, coords->type, coords->dimension, fill, name, &p.tensor, error);
    if (status != RT_OK)
        return status;
    p.tensor->memory = &memory_host;
    status = coords_sort(coords, format, threads, error);
    if (status == RT_OK) {
        coords_sum_duplicates(coords);
        status = pack_levels(&p, name, error);
    }
    if (status == RT_OK)
        *tensor = p.tensor;
    else
        tensor_free(p.tensor);
    return status;
}

/* ---- a dense tensor that does not fit ---- */

/* "3 x 4" into text, of n bytes; the number of components. */
static double print_sizes(const struct coords *coords, char *text, size_t n)
{
    double components = 1;
    size_t used = 0;
    for (int m = 0; m < coords->order; m++) {
        components *= (double)coords->dimension[m];
        if (used < n)
            used += (size_t)snprintf(text + used, n - used, "%s%" PRId64, m > 0 ? " x " : "",
                                     coords->dimension[m]);
    }
    return components;
}

/* What a large dense tensor takes, of which there is too little, and what to write instead.  Where
 * there is no memory wider indices are of no use.  Errors that are about neither stay as they
 * are. */
static enum rt_status explain_dense(const struct coords *coords, const char *name,
                                    struct rt_error *error)
{
    char sizes[256] = "", needed[MEMORY_TEXT], left[MEMORY_TEXT], help[RT_HELP] = MEMORY_HELP;
    double components = print_sizes(coords, sizes, sizeof sizes),
           bytes = components * (double)type_size(coords->type);
    double most = (double)memory_left();
    const char *who = name ? name : "the tensor", *type = type_name(coords->type);
    bool counted = error->code == DIAG_LIMIT && error->status == RT_INPUT;
    if (bytes < RT_LARGE || !(counted || (bytes > most && error->status == RT_NO_MEMORY)))
        return error->status;
    if (bytes > most) {
        memory_print(bytes, needed);
        memory_print(most, left);
        rt_fail(error, RT_NO_MEMORY, DIAG_MEMORY,
                "%s is dense, and its %s components of %s take %s, more than the %s that "
                "may be used",
                who, sizes, type, needed, left);
    } else {
        snprintf(help, sizeof help, "%s", error->help);
        rt_fail(error, RT_INPUT, DIAG_LIMIT,
                "%s is dense, and its %s components of %s are more than its indices count", who,
                sizes, type);
    }
    if (components / MOSTLY_EMPTY > (double)coords->n)
        rt_help(error, "give %s a sparse format, as in {format %s:%s}%s%s", name ? name : "it",
                name ? name : "A", sparse_format(coords->order), help[0] ? "; or " : "", help);
    else
        rt_help(error, "%s", help);
    return error->status;
}

enum rt_status tensor_pack(struct coords *coords, const struct format *format, struct value fill,
                           int threads, const char *name, struct tensor **tensor,
                           struct rt_error *error)
{
    *tensor = NULL;
    enum rt_status status = coords_check(coords, name, error);
    if (status == RT_OK)
        status = pack(coords, format, fill, threads, name, tensor, error);
    if (status != RT_OK && error && format_is_dense(format))
        status = explain_dense(coords, name, error);
    return status;
}

/* ---- what it would take ---- */

/* How many nodes a level has, and how many of them are below one parent at most. */
struct node_count {
    int64_t nodes, most, here;
};

/* The first level in which the entry differs from the one before. */
static int first_difference(const struct packer *p, int64_t entry)
{
    int k = 0;
    while (k < p->tensor->format->levels && !differ(p, entry, k, k))
        k++;
    return k;
}

/* Of sorted entries: as mark_starts has it. */
static void count_nodes(const struct packer *p, struct node_count *count)
{
    const struct format *format = p->tensor->format;
    for (int64_t i = 0; i < p->coords->n; i++) {
        int first = i > 0 ? first_difference(p, i) : 0;
        bool starts = false, parent_starts = i == 0;
        for (int k = 0; k < format->levels; k++, parent_starts = starts) {
            starts |= first <= last_telling(format, k);
            count[k].here = (parent_starts ? 0 : count[k].here) + starts;
            count[k].nodes += starts;
            if (count[k].here > count[k].most)
                count[k].most = count[k].here;
        }
    }
}

/* *bytes and n more elements of that size; false: too many. */
static bool add_bytes(int64_t *bytes, int64_t n, enum type type)
{
    int64_t more;
    return !__builtin_mul_overflow(n, (int64_t)type_size(type), &more)
           && !__builtin_add_overflow(*bytes, more, bytes);
}

static enum rt_status add_levels(const struct packer *p, int64_t *bytes, struct rt_error *error)
{
    struct node_count count[LEVELS_MAX] = {0};
    const struct format *format = p->tensor->format;
    int64_t parents = 1;
    bool fits = true;
    count_nodes(p, count);
    for (int k = 0; k < format->levels && fits; k++) {
        const struct level_format *level = &format->level[k];
        int64_t positions =
            level->type->room(&p->tensor->level[k], parents, count[k].nodes, count[k].most);
        fits = positions >= 0;
        for (int a = 0; a < LEVEL_ARRAYS && fits; a++)
            fits = add_bytes(bytes, level_array_length(level, a, parents, positions),
                             level_array_type(level, a));
        parents = positions;
    }
    return fits && add_bytes(bytes, parents, p->coords->type)
               ? RT_OK
               : rt_fail(error, RT_INPUT, DIAG_LIMIT, "the levels do not hold so much");
}

enum rt_status tensor_room(struct coords *coords, const struct format *format, int threads,
                           int64_t *bytes, struct rt_error *error)
{
    struct packer p = {.coords = coords};
    *bytes = 0;
    enum rt_status status = tensor_new(format, coords->type, coords->dimension,
                                       value_zero(coords->type), NULL, &p.tensor, error);
    if (status == RT_OK)
        status = coords_sort(coords, format, threads, error);
    if (status == RT_OK)
        status = add_levels(&p, bytes, error);
    tensor_free(p.tensor);
    return status;
}

enum rt_status tensor_unpack(const struct tensor *tensor, bool leave_out_fill,
                             struct coords *coords, struct rt_error *error)
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
