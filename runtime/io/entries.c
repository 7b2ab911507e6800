/* entries.c - the components of a tensor that are written to a file.
 *
 * A tensor whose levels are ordered and store a mode each is in lexicographic order of its modes,
 * in the order of the levels, as it is walked.  From any other a list is made and sorted.  The one
 * component of a scalar is always there.
 *
 * SPDX-License-Identifier: MIT
 */
#include "runtime/io/entries.h"

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
    enum rt_status status = tensor_unpack(entries->tensor, true, &entries->list, error);
    if (status == RT_OK)
        status = coords_sort(&entries->list, 1, error);
    entries->total = entries->list.n;
    return status;
}

enum rt_status entries_open(struct entries *entries, const struct tensor *tensor,
                            struct rt_error *error)
{
    *entries = (struct entries){.tensor = tensor, .total = tensor->nvals};
    coords_init(&entries->list, 0, NULL, tensor->type);
    return is_in_order(tensor) ? RT_OK : make_list(entries, error);
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
        if (!(entries->done++ ? tensor_walk_next(&entries->walk)
                              : tensor_walk_first(&entries->walk, tensor)))
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

static bool is_pattern(const struct tensor *tensor)
{
    struct value one = value_int(tensor->type, 1);
    struct tensor_walk walk;
    for (bool more = tensor_walk_first(&walk, tensor); more; more = tensor_walk_next(&walk)) {
        const void *value = value_at(tensor->vals, walk.position, tensor->type);
        if (!is_fill(tensor, value) && !value_equal(value_load(tensor->type, value), one))
            return false;
    }
    return true;
}

enum rt_status entries_open_for(struct entries *entries, const struct tensor *tensor,
                                const struct io_writing *how, struct rt_error *error)
{
    enum rt_status status = entries_open(entries, tensor, error);
    if (status != RT_OK)
        return status;
    entries->pattern = how->pattern && is_pattern(tensor);
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
    entries->total = entries->list.n;
    return status;
}
