/* tensor.c - making tensors, and checking those whose arrays come from outside.
 *
 * SPDX-License-Identifier: MIT
 */
#include "runtime/tensor/tensor.h"

#include <inttypes.h>
#include <string.h>

#include "compiler/format/index_array.h"
#include "runtime/tensor/alloc.h"
#include "runtime/tensor/fault.h"
#include "runtime/tensor/walk.h"

/* ---- making ---- */

/* A copy of a plain format in one piece of memory. */
struct format_copy {
    struct format format;
    struct level_format level[ORDER_MAX];
    struct map_expr map[ORDER_MAX];
    char spelling[];
};

static const struct format *copy_format(const struct format *format)
{
    const char *spelling = format->spelling ? format->spelling : "";
    size_t size = strlen(spelling) + 1;
    struct format_copy *copy = rt_array_zeroed(1, sizeof *copy + size);
    if (!copy)
        return NULL;
    memcpy(copy->spelling, spelling, size);
    copy->format = (struct format){format->order, format->levels, copy->level, copy->spelling};
    for (int k = 0; k < format->levels; k++) {
        copy->map[k] = (struct map_expr){.kind = MAP_MODE, .mode = format->level[k].mode};
        copy->level[k] = format->level[k];
        copy->level[k].map = &copy->map[k];
    }
    return &copy->format;
}

static enum rt_status check_dimension(const struct level_format *level, int number, int64_t dimension,
                                      const char *name, struct rt_error *error)
{
    char place[LEVEL_PLACE];
    level_place(place, name, number, level);
    if (dimension < 0)
        return rt_fail(error, RT_INPUT, DIAG_TENSOR, "%s: the size %" PRId64 " is negative", place, dimension);
    /* Generated code keeps sizes in 32 bits at least. */
    int64_t max = index_max(level->crd);
    if (dimension > (max >= INT32_MAX ? max : max + 1)) {
        enum rt_status status = rt_fail(error, RT_INPUT, DIAG_LIMIT, "%s: the size %" PRId64 " is beyond its crd type %s",
                                        place, dimension, type_name(level->crd));
        level_help_wider(level, "crd", error);
        return status;
    }
    return RT_OK;
}

enum rt_status tensor_new(const struct format *format, enum type type, const int64_t *dimension, struct value fill,
                          const char *name, struct tensor **tensor, struct rt_error *error)
{
    *tensor = NULL;
    if (!format_is_plain(format))
        return rt_fail(error, RT_INPUT, DIAG_MAP, "%s%sthe format stores functions of the coordinates (%s), which "
                       "cannot be packed or read yet", name ? name : "", name ? ": " : "",
                       format->spelling ? format->spelling : "i/4, i%4, ...");
    for (int k = 0; k < format->levels; k++) {
        enum rt_status status = check_dimension(&format->level[k], k + 1, dimension[format->level[k].mode], name,
                                                error);
        if (status != RT_OK)
            return status;
    }
    struct tensor *t = rt_array_zeroed(1, sizeof *t);
    if (!t)
        return rt_no_memory(error);
    t->type = type;
    t->order = format->order;
    t->fill = value_convert(fill, type);
    t->format = copy_format(format);
    t->level = rt_array_zeroed(format->levels, sizeof *t->level);
    if (!t->format || !t->level) {
        tensor_free(t);
        return rt_no_memory(error);
    }
    for (int m = 0; m < t->order; m++)
        t->dimension[m] = dimension[m];
    for (int k = 0; k < format->levels; k++)
        t->level[k] = (struct level_storage){.format = &t->format->level[k],
                                             .dimension = dimension[format->level[k].mode]};
    *tensor = t;
    return RT_OK;
}

enum rt_status tensor_new_empty(const struct format *format, enum type type, const int64_t *dimension,
                                struct value fill, const char *name, struct tensor **tensor, struct rt_error *error)
{
    struct coords none;
    *tensor = NULL;
    if (!format_is_plain(format))
        return tensor_new(format, type, dimension, fill, name, tensor, error);
    coords_init(&none, format->order, dimension, type);
    return tensor_pack(&none, format, fill, 1, name, tensor, error);
}

void tensor_free(struct tensor *tensor)
{
    if (!tensor)
        return;
    if (tensor->owns) {
        for (int k = 0; k < tensor->format->levels; k++)
            for (int a = 0; a < LEVEL_ARRAYS; a++)
                free(tensor->level[k].array[a]);
        free(tensor->vals);
    }
    free((void *)tensor->format); /* the first member of a struct format_copy */
    free(tensor->level);
    free(tensor);
}

void tensor_fill_dense(struct tensor *tensor, struct value value)
{
    size_t size = type_size(tensor->type);
    char *vals = tensor->vals, bytes[16];
    value_store(value_convert(value, tensor->type), bytes);
    if (tensor->nvals == 0)
        return;
    memcpy(vals, bytes, size);
    /* Twice as many from those that are there, again and again. */
    for (size_t done = size, all = (size_t)tensor->nvals * size; done < all; done *= 2)
        memcpy(vals + done, vals, done < all - done ? done : all - done);
}

int64_t tensor_bytes(const struct tensor *tensor)
{
    int64_t bytes = tensor->nvals * (int64_t)type_size(tensor->type);
    for (int k = 0; k < tensor->format->levels; k++)
        for (int a = 0; a < LEVEL_ARRAYS; a++) {
            const struct level_storage *level = &tensor->level[k];
            bytes += level->length[a] * (int64_t)type_size(level_array_type(level->format, a));
        }
    return bytes;
}

/* ---- checking ---- */

/* A level of the path that must not repeat a node or step back, and does. */
static enum rt_status fail_path(const struct tensor *tensor, const char *name, int k, int64_t position,
                                int64_t coordinate, const char *why, struct rt_error *error)
{
    char place[LEVEL_PLACE];
    level_place(place, name, k + 1, tensor->level[k].format);
    return rt_fail(error, RT_INPUT, DIAG_TENSOR, "%s: at position %" PRId64 " the coordinate %" PRId64 " %s", place,
                   position, coordinate, why);
}

/* Compare the path to a component with the path to the one before it (positions and coordinates by level). */
static enum rt_status check_step(const struct tensor_walk *walk, const int64_t *position, const int64_t *coordinate,
                                 const char *name, struct rt_error *error)
{
    const struct tensor *tensor = walk->tensor;
    for (int k = 0; k < tensor->format->levels; k++) {
        const struct level_format *level = tensor->level[k].format;
        int64_t now = walk->coordinate[level->mode];
        if (now < coordinate[k] && level_has(level, LEVEL_ORDERED))
            return fail_path(tensor, name, k, walk->at[k], now, "is less than the one before it below the same "
                             "coordinates", error);
        if (now != coordinate[k])
            return RT_OK;
        if (walk->at[k] != position[k] && level_has(level, LEVEL_UNIQUE))
            return fail_path(tensor, name, k, walk->at[k], now, "is there twice below the same coordinates", error);
    }
    return RT_OK;
}

/* Where a level is not unique, nodes below different parents may have the same coordinates in all levels above, so
 * that order and uniqueness cannot be seen from one parent: walk the components. */
static enum rt_status check_paths(const struct tensor *tensor, const char *name, struct rt_error *error)
{
    int64_t position[ORDER_MAX], coordinate[ORDER_MAX];
    struct tensor_walk walk;
    bool any = false;
    for (bool more = tensor_walk_first(&walk, tensor); more; more = tensor_walk_next(&walk), any = true) {
        enum rt_status status = any ? check_step(&walk, position, coordinate, name, error) : RT_OK;
        if (status != RT_OK)
            return status;
        for (int k = 0; k < tensor->format->levels; k++) {
            position[k] = walk.at[k];
            coordinate[k] = walk.coordinate[tensor->level[k].format->mode];
        }
    }
    return RT_OK;
}

static bool has_nonunique_parent(const struct tensor *tensor)
{
    for (int k = 0; k + 1 < tensor->format->levels; k++)
        if (!level_has(tensor->level[k].format, LEVEL_UNIQUE))
            return true;
    return false;
}

enum rt_status tensor_validate(const struct tensor *tensor, const char *name, struct rt_error *error)
{
    int64_t positions = 1;
    for (int k = 0; k < tensor->format->levels; k++) {
        const struct level_storage *level = &tensor->level[k];
        struct level_fault fault = {NULL, -1, ""};
        int64_t parents = positions;
        if (!level->format->type->check(level, parents, &positions, &fault))
            return level_fail(level, k + 1, &fault, name, error);
    }
    if (tensor->nvals < positions || (positions > 0 && !tensor->vals))
        return rt_fail(error, RT_INPUT, DIAG_TENSOR,
                       "%s%svals has %" PRId64 " values, and the levels have %" PRId64 " positions", name ? name : "",
                       name ? ": " : "", tensor->nvals, positions);
    return has_nonunique_parent(tensor) ? check_paths(tensor, name, error) : RT_OK;
}
