/* tensor.c - makes tensors, and checks tensors whose arrays come from outside.
 *
 * SPDX-License-Identifier: MIT
 */
#include "runtime/tensor/tensor.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "compiler/format/index_array.h"
#include "compiler/format/map.h"
#include "runtime/tensor/alloc.h"
#include "runtime/tensor/fault.h"
#include "runtime/tensor/walk.h"
#include "runtime/threads/threads.h"

/* ---- construction ---- */

/* A copy of a format and its reverse in one piece of memory, followed by its maps and its spelling.
 */
struct format_copy {
    struct format format;
    struct level_format level[LEVELS_MAX];
    struct map_inverse inverse;
    struct map_expr map[];
};

static size_t count_map(const struct map_expr *map)
{
    bool leaf = map->kind == MAP_MODE || map->kind == MAP_CONSTANT;
    return leaf ? 1 : 1 + count_map(map->a) + count_map(map->b);
}

/* Copies the map into the nodes from *next on. */
static const struct map_expr *copy_map(const struct map_expr *map, struct map_expr **next)
{
    struct map_expr *copy = (*next)++;
    *copy = *map;
    if (map->kind == MAP_MODE || map->kind == MAP_CONSTANT)
        return copy;
    copy->a = copy_map(map->a, next);
    copy->b = copy_map(map->b, next);
    return copy;
}

static struct format_copy *copy_format(const struct format *format)
{
    const char *spelling = format->spelling ? format->spelling : "";
    size_t length = strlen(spelling) + 1, nodes = 0;
    for (int k = 0; k < format->levels; k++)
        nodes += count_map(format->level[k].map);
    struct format_copy *copy =
        rt_array_zeroed(1, sizeof *copy + nodes * sizeof *copy->map + length);
    if (!copy)
        return NULL;
    struct map_expr *next = copy->map;
    for (int k = 0; k < format->levels; k++) {
        copy->level[k] = format->level[k];
        copy->level[k].map = copy_map(format->level[k].map, &next);
    }
    copy->format = (struct format){format->order, format->levels, copy->level, (char *)next};
    memcpy(next, spelling, length);
    return copy;
}

static enum rt_status fail_dimension(const struct level_format *level, const char *place,
                                     const char *what, int64_t size, struct rt_error *error)
{
    enum rt_status status =
        rt_fail(error, RT_INPUT, DIAG_LIMIT, "%s: the %s %" PRId64 " is beyond its crd type %s",
                place, what, size, type_name(level->crd));
    level_help_wider(level, "crd", error);
    return status;
}

static enum rt_status check_dimension(const struct level_storage *storage, int number,
                                      const char *name, struct rt_error *error)
{
    const struct level_format *level = storage->format;
    char place[LEVEL_PLACE];
    level_place(place, name, number, level);
    /* generated code has sizes of at least 32 bits */
    int64_t max = index_max(level->crd);
    if (storage->dimension > (max >= INT32_MAX ? max : max + 1))
        return fail_dimension(level, place, "size", storage->dimension, error);
    if (storage->dimension > 0 && storage->low < index_min(level->crd)
        && level_type_has_crd(level->type))
        return fail_dimension(level, place, "coordinate", storage->low, error);
    return RT_OK;
}

/* Finds the range of each level. */
static enum rt_status set_levels(struct tensor *t, const char *name, struct rt_error *error)
{
    for (int m = 0; m < t->order; m++)
        if (t->dimension[m] < 0)
            return rt_fail(error, RT_INPUT, DIAG_TENSOR,
                           "%s%smode %d has the negative size %" PRId64, name ? name : "",
                           name ? ": " : "", m + 1, t->dimension[m]);
    for (int k = 0; k < t->format->levels; k++) {
        struct level_storage *level = &t->level[k];
        level->format = &t->format->level[k];
        if (!map_range(level->format->map, t->dimension, &level->low, &level->dimension))
            return rt_fail(error, RT_INPUT, DIAG_LIMIT,
                           "%s%sthe sizes are too large for what level %d stores", name ? name : "",
                           name ? ": " : "", k + 1);
        enum rt_status status = check_dimension(level, k + 1, name, error);
        if (status != RT_OK)
            return status;
    }
    return RT_OK;
}

static enum rt_status set_format(struct tensor *t, const struct format *format, const char *name,
                                 struct rt_error *error)
{
    struct format_copy *copy = copy_format(format);
    t->level = rt_array_zeroed(format->levels, sizeof *t->level);
    t->format = copy ? &copy->format : NULL;
    if (!copy || !t->level)
        return rt_no_memory(error);
    if (format_is_plain(format))
        return RT_OK;
    t->inverse = &copy->inverse;
    if (!map_invert(t->format, &copy->inverse))
        return rt_fail(error, RT_INPUT, DIAG_FORMAT,
                       "%s%sthe coordinates do not follow from what the levels store (%s)",
                       name ? name : "", name ? ": " : "", t->format->spelling);
    return RT_OK;
}

enum rt_status tensor_new(const struct format *format, enum type type, const int64_t *dimension,
                          struct value fill, const char *name, struct tensor **tensor,
                          struct rt_error *error)
{
    *tensor = NULL;
    struct tensor *t = rt_array_zeroed(1, sizeof *t);
    if (!t)
        return rt_no_memory(error);
    t->type = type;
    t->order = format->order;
    t->fill = value_convert(fill, type);
    for (int m = 0; m < t->order; m++)
        t->dimension[m] = dimension[m];
    enum rt_status status = set_format(t, format, name, error);
    if (status == RT_OK)
        status = set_levels(t, name, error);
    if (status == RT_OK)
        *tensor = t;
    else
        tensor_free(t);
    return status;
}

enum rt_status tensor_new_empty(const struct format *format, enum type type,
                                const int64_t *dimension, struct value fill, const char *name,
                                struct tensor **tensor, struct rt_error *error)
{
    struct coords none;
    coords_init(&none, format->order, dimension, type);
    return tensor_pack(&none, format, fill, 1, name, tensor, error);
}

void tensor_set_memory(struct tensor *tensor, const struct memory *memory)
{
    tensor->given = *memory;
    tensor->memory = memory == &memory_host ? memory : &tensor->given;
}

static bool hand_over(const struct memory *memory, void **array, int64_t n, enum type type)
{
    bool there = *array;
    if (there)
        *array = memory->adopt(memory, *array, n, type_size(type));
    return !there || *array;
}

enum rt_status tensor_hand_over(struct tensor *tensor, const struct memory *memory,
                                struct rt_error *error)
{
    bool all = true;
    if (memory == &memory_host)
        return RT_OK;
    for (int k = 0; k < tensor->format->levels; k++)
        for (int a = 0; a < LEVEL_ARRAYS; a++) {
            struct level_storage *level = &tensor->level[k];
            if (level->format->type->array[a].kind != LEVEL_NO_ARRAY)
                all &= hand_over(memory, &level->array[a], level->length[a],
                                 level_array_type(level->format, a));
        }
    all &= hand_over(memory, &tensor->vals, tensor->nvals, tensor->type);
    tensor_set_memory(tensor, memory);
    return all ? RT_OK : rt_no_memory(error);
}

void tensor_free(struct tensor *tensor)
{
    if (!tensor)
        return;
    if (tensor->memory) {
        for (int k = 0; k < tensor->format->levels; k++)
            for (int a = 0; a < LEVEL_ARRAYS; a++)
                tensor->memory->release(tensor->memory, tensor->level[k].array[a]);
        tensor->memory->release(tensor->memory, tensor->vals);
    }
    free((void *)tensor->format); /* the first member of a struct format_copy */
    free(tensor->level);
    free(tensor);
}

struct filling {
    char *vals;
    size_t bytes, size; /* of all elements, and of one */
    char value[16];
};

enum { FILL_BLOCK = 1 << 20 };

static void fill_block(void *data, int64_t block, int worker)
{
    const struct filling *f = data;
    size_t begin = (size_t)block * FILL_BLOCK, left = f->bytes - begin,
           all = left < FILL_BLOCK ? left : FILL_BLOCK;
    char *to = f->vals + begin;
    (void)worker;
    memcpy(to, f->value, f->size);
    /* Doubles the filled part again and again. */
    for (size_t done = f->size; done < all; done *= 2)
        memcpy(to + done, to, done < all - done ? done : all - done);
}

void tensor_fill_dense(struct tensor *tensor, struct value value, int threads)
{
    struct filling f = {.vals = tensor->vals, .size = type_size(tensor->type)};
    f.bytes = (size_t)tensor->nvals * f.size;
    value_store(value_convert(value, tensor->type), f.value);
    threads_run(threads, (int64_t)((f.bytes + FILL_BLOCK - 1) / FILL_BLOCK), fill_block, &f);
}

/* Are values at strides, instead of positions? */
static bool has_strides(const struct tensor *tensor)
{
    return tensor->format->levels > 0 && tensor->format->level[0].type->value_at;
}

enum rt_status tensor_end_levels(struct tensor *tensor, const char *name, struct rt_error *error)
{
    struct level_fault fault = {.at = -1};
    int64_t below = 1;
    for (int k = tensor->format->levels; k-- > 0;) {
        struct level_storage *level = &tensor->level[k];
        if (!level->format->type->pack_end)
            return RT_OK;
        if (!level->format->type->pack_end(level, below, &fault))
            return level_fail(level, k + 1, &fault, name, error);
        below *= level->dimension;
    }
    return RT_OK;
}

int64_t tensor_stored(const struct tensor *tensor)
{
    return has_strides(tensor) ? tensor_walk_positions(tensor) : tensor->nvals;
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

/* ---- checks ---- */

/* Reports a level on the path that repeats a node or steps back, but must not. */
static enum rt_status fail_path(const struct tensor *tensor, const char *name, int k,
                                int64_t position, int64_t coordinate, const char *why,
                                struct rt_error *error)
{
    char place[LEVEL_PLACE];
    level_place(place, name, k + 1, tensor->level[k].format);
    return rt_fail(error, RT_INPUT, DIAG_TENSOR,
                   "%s: at position %" PRId64 " the coordinate %" PRId64 " %s", place, position,
                   coordinate, why);
}

/* Does the path come before the other in Morton order of the first levels? */
static bool is_before_in_turns(const int64_t *path, const int64_t *other, int levels)
{
    uint64_t most = 0;
    bool before = false;
    for (int k = 0; k < levels; k++) {
        uint64_t change = (uint64_t)path[k] ^ (uint64_t)other[k];
        if (most >= change || most >= (most ^ change))
            continue; /* its highest bit is not above that of the deciding one so far */
        most = change;
        before = path[k] < other[k];
    }
    return before;
}

/* Compares a path with the one before (positions and coordinates by level). */
static enum rt_status check_step(const struct tensor_walk *walk, const int64_t *position,
                                 const int64_t *coordinate, const char *name,
                                 struct rt_error *error)
{
    const struct tensor *tensor = walk->tensor;
    const int morton = format_morton(tensor->format);
    if (is_before_in_turns(walk->path, coordinate, morton)) {
        fail_path(tensor, name, 0, walk->at[0], walk->path[0],
                  "comes before the one before it in Morton order", error);
        level_help_without(tensor->level[0].format, LEVEL_ORDERED, error);
        return RT_INPUT;
    }
    for (int k = 0; k < tensor->format->levels; k++) {
        const struct level_format *level = tensor->level[k].format;
        int64_t now = walk->path[k];
        bool falls = k >= morton && now < coordinate[k] && level_has(level, LEVEL_ORDERED);
        if (!falls && now != coordinate[k])
            return RT_OK;
        if (falls || (walk->at[k] != position[k] && level_has(level, LEVEL_UNIQUE))) {
            fail_path(tensor, name, k, walk->at[k], now,
                      falls ? "is less than the one before it below the same coordinates"
                            : "is there twice below the same coordinates",
                      error);
            level_help_without(level, falls ? LEVEL_ORDERED : LEVEL_UNIQUE, error);
            return RT_INPUT;
        }
    }
    return RT_OK;
}

/* If a level is not unique, nodes below different parents may have the same coordinates on all
 * levels above.  Then one parent does not show order and uniqueness: all paths are walked. */
static enum rt_status check_order(const struct tensor *tensor, const char *name,
                                  struct rt_error *error)
{
    int64_t position[LEVELS_MAX], coordinate[LEVELS_MAX];
    struct tensor_walk walk;
    bool any = false;
    for (bool more = tensor_walk_first_path(&walk, tensor); more;
         more = tensor_walk_next_path(&walk), any = true) {
        enum rt_status status = any ? check_step(&walk, position, coordinate, name, error) : RT_OK;
        if (status != RT_OK)
            return status;
        for (int k = 0; k < tensor->format->levels; k++) {
            position[k] = walk.at[k];
            coordinate[k] = walk.path[k];
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

/* Returns the last level whose arrays say which coordinates are stored, -1 if there is none. */
static int last_chosen(const struct format *format)
{
    int last = format->levels - 1;
    while (last >= 0
           && (level_has(&format->level[last], LEVEL_FULL)
               || !level_type_has_arrays(format->level[last].type)))
        last--;
    return last;
}

/* Levels without arrays may store padding of blocks and diagonals beyond the tensor.  But below
 * each coordinate in an array, there is a component of the tensor. */
static enum rt_status check_components(const struct tensor *tensor, const char *name,
                                       struct rt_error *error)
{
    const char *why = "belongs to no component of the tensor";
    int chosen = last_chosen(tensor->format);
    struct tensor_walk walk;
    bool fine = true;
    int64_t at = -1, coordinate = 0;
    if (chosen < 0)
        return RT_OK;
    for (bool more = tensor_walk_first_path(&walk, tensor); more;
         more = tensor_walk_next_path(&walk)) {
        if (walk.at[chosen] != at && !fine)
            return fail_path(tensor, name, chosen, at, coordinate, why, error);
        fine = (walk.at[chosen] == at && fine) || tensor_walk_is_component(&walk);
        at = walk.at[chosen];
        coordinate = walk.path[chosen];
    }
    return fine ? RT_OK : fail_path(tensor, name, chosen, at, coordinate, why, error);
}

/* Returns the number of values for these positions of the last level, -1 if it is too large. */
static int64_t values_for(const struct tensor *tensor, int64_t positions)
{
    int64_t last = 0;
    if (positions == 0 || !has_strides(tensor))
        return positions;
    for (int k = 0; k < tensor->format->levels; k++) {
        const struct level_storage *level = &tensor->level[k];
        int64_t at = level->format->type->value_at(level, level->low),
                end = level->format->type->value_at(level, level->low + level->dimension - 1);
        if (__builtin_add_overflow(last, at > end ? at : end, &last))
            return -1;
    }
    return last < INT64_MAX ? last + 1 : -1;
}

enum rt_status tensor_validate(const struct tensor *tensor, const char *name,
                               struct rt_error *error)
{
    int64_t positions = 1;
    for (int k = 0; k < tensor->format->levels; k++) {
        const struct level_storage *level = &tensor->level[k];
        struct level_fault fault = {.at = -1, .why = ""};
        int64_t parents = positions;
        if (!level->format->type->check(level, parents, &positions, &fault))
            return level_fail(level, k + 1, &fault, name, error);
    }
    int64_t values = values_for(tensor, positions);
    if (values < 0)
        return rt_fail(error, RT_INPUT, DIAG_TENSOR, "%s%sthe strides are too large",
                       name ? name : "", name ? ": " : "");
    if (tensor->nvals < values || (values > 0 && !tensor->vals))
        return rt_fail(error, RT_INPUT, DIAG_TENSOR,
                       "%s%svals has %" PRId64 " values, and the levels have %" PRId64 " positions",
                       name ? name : "", name ? ": " : "", tensor->nvals, values);
    enum rt_status status = tensor->inverse ? check_components(tensor, name, error) : RT_OK;
    return status == RT_OK && has_nonunique_parent(tensor) ? check_order(tensor, name, error)
                                                           : status;
}
