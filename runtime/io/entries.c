/* entries.c - the components of a tensor that are written to a file.
 *
 * A tensor whose levels are ordered and store a mode each is in lexicographic order of its modes,
 * in the order of the levels, as it is walked.  From any other a list is made and sorted.  The one
 * component of a scalar is always there.
 *
 * SPDX-License-Identifier: MIT
 */
#include "runtime/io/entries.h"

#include <stdatomic.h>

#include "runtime/io/matrix.h"

static bool is_in_order(const struct tensor *tensor)
{
    for (int k = 0; k < tensor->format->levels; k++)
        if (!level_has(&tensor->format->level[k], LEVEL_ORDERED))
            return false;
    return tensor->inverse == NULL;
}

/* All of them, in order. */
static enum rt_status make_list(struct entries *entries, struct rt_error *error)
{
    entries->listed = true;
    enum rt_status status =
        tensor_unpack(entries->tensor, true, entries->threads, &entries->list, error);
    if (status == RT_OK)
        status = coords_sort(&entries->list, entries->threads, error);
    entries->places = entries->list.n;
    return status;
}

enum rt_status entries_open(struct entries *entries, const struct tensor *tensor, int threads,
                            struct rt_error *error)
{
    *entries = (struct entries){
        .tensor = tensor, .threads = threads, .places = tensor_walk_positions(tensor)};
    coords_init(&entries->list, 0, NULL, tensor->type);
    return is_in_order(tensor) ? RT_OK : make_list(entries, error);
}

static const void *value_at(const void *vals, int64_t at, enum type type)
{
    return (const char *)vals + (size_t)at * type_size(type);
}

static bool is_fill(const struct tensor *tensor, const void *value)
{
    return tensor->order > 0 && value_is_stored(tensor->fill, value);
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

bool entries_next(struct entries_walk *walk)
{
    const struct tensor *tensor = walk->of->tensor;
    if (walk->of->listed)
        return next_listed(walk);
    do {
        if (!(walk->begun ? tensor_walk_next(&walk->walk)
                          : tensor_walk_part(&walk->walk, tensor, walk->at, walk->end)))
            return false;
        walk->begun = true;
        walk->value = value_at(tensor->vals, walk->walk.position, tensor->type);
    } while (!walk->of->all && is_fill(tensor, walk->value));
    for (int m = 0; m < tensor->order; m++)
        walk->coordinate[m] = walk->walk.coordinate[m];
    return true;
}

void entries_close(struct entries *entries) { coords_free(&entries->list); }

/* The one component of a scalar is there, whatever its value. */
static int64_t visit(const struct entries *entries, tensor_visitor *visitor, void *data)
{
    const struct tensor *tensor = entries->tensor;
    return tensor_visit(tensor, tensor->order > 0, entries->threads, visitor, data);
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

enum rt_status entries_open_for(struct entries *entries, const struct tensor *tensor,
                                const struct io_writing *how, struct rt_error *error)
{
    enum rt_status status = entries_open(entries, tensor, how->threads, error);
    if (status != RT_OK)
        return status;
    entries->pattern = how->pattern && is_pattern(entries);
    if (how->symmetry == IO_GENERAL || tensor->order != 2)
        return RT_OK;
    /* What is hermitian and real is symmetric, and so called in files. */
    bool is_real = how->symmetry == IO_HERMITIAN && !type_is_complex(tensor->type);
    entries->symmetry = is_real ? IO_SYMMETRIC : how->symmetry;
    if (!entries->listed)
        status = make_list(entries, error);
    /* without values there are no signs */
    entries->pattern &= entries->symmetry == IO_SYMMETRIC;
    if (status == RT_OK)
        status = matrix_fold(&entries->list, entries->symmetry, error);
    entries->places = entries->list.n;
    return status;
}
