/* entries.c - the components of a tensor that are written to a file.
 *
 * A tensor whose levels are ordered and store a mode each is in lexicographic order of its modes, in the order of the
 * levels, as it is walked.  From any other a list is made and sorted.  The one component of a scalar is always there.
 *
 * SPDX-License-Identifier: MIT
 */
#include "runtime/io/entries.h"

static bool is_in_order(const struct tensor *tensor)
{
    for (int k = 0; k < tensor->format->levels; k++)
        if (!level_has(&tensor->format->level[k], LEVEL_ORDERED))
            return false;
    return tensor->inverse == NULL;
}

enum rt_status entries_open(struct entries *entries, const struct tensor *tensor, struct rt_error *error)
{
    enum rt_status status = RT_OK;
    entries->tensor = tensor;
    entries->done = 0;
    entries->total = tensor->nvals;
    entries->listed = !is_in_order(tensor);
    coords_init(&entries->list, 0, NULL, tensor->type);
    if (!entries->listed)
        return RT_OK;
    status = tensor_unpack(tensor, true, &entries->list, error);
    if (status == RT_OK)
        status = coords_sort(&entries->list, NULL, 1, error);
    entries->total = entries->list.n;
    return status;
}

static const void *value_at(const void *vals, int64_t at, enum type type)
{
    return (const char *)vals + (size_t)at * type_size(type);
}

static bool is_fill(const struct tensor *tensor, const void *value)
{
    return tensor->order > 0 && value_equal(value_load(tensor->type, value), tensor->fill);
}

static bool next_listed(struct entries *entries)
{
    const struct coords *list = &entries->list;
    if (entries->done == list->n)
        return false;
    for (int m = 0; m < list->order; m++)
        entries->coordinate[m] = list->coordinate[m][entries->done];
    entries->value = value_at(list->vals, entries->done, list->type);
    entries->done++;
    return true;
}

bool entries_next(struct entries *entries)
{
    const struct tensor *tensor = entries->tensor;
    if (entries->listed)
        return next_listed(entries);
    do {
        if (!(entries->done++ ? tensor_walk_next(&entries->walk) : tensor_walk_first(&entries->walk, tensor)))
            return false;
        entries->value = value_at(tensor->vals, entries->walk.position, tensor->type);
    } while (is_fill(tensor, entries->value));
    for (int m = 0; m < tensor->order; m++)
        entries->coordinate[m] = entries->walk.coordinate[m];
    return true;
}

void entries_close(struct entries *entries) { coords_free(&entries->list); }

int64_t entries_count(const struct entries *entries)
{
    const struct tensor *tensor = entries->tensor;
    struct tensor_walk walk;
    int64_t n = 0;
    if (entries->listed)
        return entries->list.n;
    for (bool more = tensor_walk_first(&walk, tensor); more; more = tensor_walk_next(&walk))
        n += !is_fill(tensor, value_at(tensor->vals, walk.position, tensor->type));
    return n;
}
