/* entries.c - the components of a tensor in the order in which they are written to a file.
 *
 * A tensor whose levels are ordered and store a mode each is walked in lexicographic order of its
 * modes, in the order of the levels.  Any other tensor's components are listed and sorted.  A
 * scalar's one component always exists.
 *
 * SPDX-License-Identifier: MIT
 */
#include "runtime/io/entries.h"

#include <stdatomic.h>

#include "compiler/format/map.h"
#include "runtime/io/matrix.h"

static bool is_in_order(const struct tensor *tensor)
{
    for (int k = 0; k < tensor->format->levels; k++)
        if (!level_has(&tensor->format->level[k], LEVEL_ORDERED))
            return false;
    return tensor->inverse == NULL;
}

/* Lists all components in order. */
static enum rt_status make_list(struct entries *entries, struct rt_error *error)
{
    entries->listed = true;
    enum rt_status status =
        tensor_unpack(entries->tensor, entries->leaving, entries->threads, &entries->list, error);
    if (status == RT_OK)
        status = coords_sort(&entries->list, entries->threads, error);
    entries->places = entries->list.n;
    return status;
}

static void begin_entries(struct entries *entries, const struct tensor *tensor, int threads)
{
    *entries = (struct entries){
        .tensor = tensor, .threads = threads, .places = tensor_walk_positions(tensor)};
    coords_init(&entries->list, 0, NULL, tensor->type);
}

enum rt_status entries_open(struct entries *entries, const struct tensor *tensor,
                            const struct io_writing *how, struct rt_error *error)
{
    begin_entries(entries, tensor, how->threads);
    /* the one component of a scalar exists, whatever its value */
    if (tensor->order > 0)
        entries->leaving = how->drop_zeros                        ? LEAVE_FILL
                           : format_tells_padding(tensor->format) ? LEAVE_NONE
                                                                  : LEAVE_PADDING;
    return is_in_order(tensor) ? RT_OK : make_list(entries, error);
}

static const void *value_at(const void *vals, int64_t at, enum type type)
{
    return (const char *)vals + (size_t)at * type_size(type);
}

void entries_walk(struct entries_walk *walk, const struct entries *entries, int64_t begin,
                  int64_t end)
{
    walk->of = entries;
    walk->at = begin;
    walk->end = end;
    walk->begun = false;
}

static bool next_listed(struct entries_walk *walk)
{
    const struct coords *list = &walk->of->list;
    if (walk->at == walk->end)
        return false;
    for (int m = 0; m < list->order; m++)
        walk->coordinate[m] = list->coordinate[m][walk->at];
    walk->value = value_at(list->vals, walk->at, list->type);
    walk->at++;
    return true;
}

/* Returns the position of a component in a tensor with dense levels. */
static int64_t position_of(const struct tensor *tensor, const int64_t *coordinate)
{
    int64_t position = 0;
    for (int k = 0; k < tensor->format->levels; k++) {
        const struct level_storage *level = &tensor->level[k];
        int64_t at = map_value_of(level->format->map, coordinate) - level->low;
        position = position * level->dimension + at;
    }
    return position;
}

static bool next_in_columns(struct entries_walk *walk)
{
    const struct tensor *tensor = walk->of->tensor;
    if (walk->at == walk->end)
        return false;
    int64_t rest = walk->at++;
    for (int m = 0; m < tensor->order; m++) {
        walk->coordinate[m] = rest % tensor->dimension[m];
        rest /= tensor->dimension[m];
    }
    walk->value = value_at(tensor->vals, position_of(tensor, walk->coordinate), tensor->type);
    return true;
}

bool entries_next(struct entries_walk *walk)
{
    const struct tensor *tensor = walk->of->tensor;
    if (walk->of->listed)
        return next_listed(walk);
    if (walk->of->columns)
        return next_in_columns(walk);
    do {
        if (!(walk->begun ? tensor_walk_next(&walk->walk)
                          : tensor_walk_part(&walk->walk, tensor, walk->at, walk->end)))
            return false;
        walk->begun = true;
        walk->value = value_at(tensor->vals, walk->walk.position, tensor->type);
    } while (tensor_leaves(tensor, walk->of->leaving, walk->value));
    for (int m = 0; m < tensor->order; m++)
        walk->coordinate[m] = walk->walk.coordinate[m];
    return true;
}

void entries_close(struct entries *entries) { coords_free(&entries->list); }

static int64_t visit(const struct entries *entries, tensor_visitor *visitor, void *data)
{
    return tensor_visit(entries->tensor, entries->leaving, entries->threads, visitor, data);
}

int64_t entries_count(const struct entries *entries)
{
    return entries->listed ? entries->list.n : visit(entries, NULL, NULL);
}

struct asking {
    struct value one;
    atomic_bool others;
};

static void look_for_others(void *data, int64_t number, const int64_t *coordinate,
                            const void *value)
{
    struct asking *asking = data;
    (void)number;
    (void)coordinate;
    if (!value_is_stored(asking->one, value))
        atomic_store_explicit(&asking->others, true, memory_order_relaxed);
}

static bool is_pattern(const struct entries *entries)
{
    struct asking asking = {.one = value_int(entries->tensor->type, 1)};
    visit(entries, look_for_others, &asking);
    return !atomic_load(&asking.others);
}

static bool has_triangle(const struct tensor *tensor, const struct io_writing *how)
{
    return how->symmetry != IO_GENERAL && tensor->order == 2;
}

static enum rt_status take_triangle(struct entries *entries, enum io_symmetry symmetry,
                                    struct rt_error *error)
{
    const struct tensor *tensor = entries->tensor;
    /* A real hermitian matrix is symmetric, and files call it so. */
    bool is_real = symmetry == IO_HERMITIAN && !type_is_complex(tensor->type);
    entries->symmetry = is_real ? IO_SYMMETRIC : symmetry;
    enum rt_status status = entries->listed ? RT_OK : make_list(entries, error);
    if (status == RT_OK)
        status = matrix_fold(&entries->list, entries->symmetry, tensor->fill, error);
    entries->places = entries->list.n;
    return status;
}

enum rt_status entries_open_for(struct entries *entries, const struct tensor *tensor,
                                const struct io_writing *how, struct rt_error *error)
{
    enum rt_status status = entries_open(entries, tensor, how, error);
    if (status != RT_OK)
        return status;
    entries->pattern = how->pattern && is_pattern(entries);
    if (!has_triangle(tensor, how))
        return RT_OK;
    status = take_triangle(entries, how->symmetry, error);
    /* without values there are no signs */
    entries->pattern &= entries->symmetry == IO_SYMMETRIC;
    return status;
}

/* Takes one triangle of a dense matrix by columns: the modes change places. */
static enum rt_status take_columns(struct entries *entries, const struct io_writing *how,
                                   struct rt_error *error)
{
    struct coords *list = &entries->list;
    enum rt_status status = take_triangle(entries, how->symmetry, error);
    if (status != RT_OK)
        return status;
    int64_t *rows = list->coordinate[0];
    list->coordinate[0] = list->coordinate[1];
    list->coordinate[1] = rows;
    return coords_sort(list, entries->threads, error);
}

enum rt_status entries_open_array(struct entries *entries, const struct tensor *tensor,
                                  const struct io_writing *how, struct rt_error *error)
{
    begin_entries(entries, tensor, how->threads);
    if (has_triangle(tensor, how))
        return take_columns(entries, how, error);
    entries->columns = true;
    entries->places = 1;
    for (int m = 0; m < tensor->order; m++)
        entries->places *= tensor->dimension[m];
    return RT_OK;
}
