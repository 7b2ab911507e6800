/* unpack.c - visits the components of a tensor on several threads, and lists them.
 *
 * Parts of the last level's positions are walked independently.  If there are several, a first
 * walk counts the components of each, which gives the number of its first component.
 *
 * SPDX-License-Identifier: MIT
 */
#include <string.h>

#include "runtime/tensor/keys.h"
#include "runtime/tensor/tensor.h"
#include "runtime/tensor/walk.h"
#include "runtime/threads/threads.h"

enum { PARTS = 64 };

struct visiting {
    const struct tensor *tensor;
    enum leaving leaving;
    tensor_visitor *visit;
    void *data;
    int64_t positions, parts;
    int64_t first[PARTS + 1]; /* of each part: the number of its first component */
};

bool tensor_leaves(const struct tensor *tensor, enum leaving leaving, const void *value)
{
    return leaving != LEAVE_NONE
           && (leaving == LEAVE_FILL ? value_is_stored(tensor->fill, value)
                                     : value_is_filling(tensor->fill, value));
}

/* Visits a part's components, or only counts them.  Returns their number. */
static int64_t walk_part(const struct visiting *v, int64_t part, int64_t first,
                         tensor_visitor *visit)
{
    const struct tensor *t = v->tensor;
    size_t size = type_size(t->type);
    struct tensor_walk walk;
    int64_t n = first;
    bool more = tensor_walk_part(&walk, t, threads_begin(v->positions, v->parts, part),
                                 threads_begin(v->positions, v->parts, part + 1));
    for (; more; more = tensor_walk_next(&walk)) {
        const char *value = (const char *)t->vals + (size_t)walk.position * size;
        if (tensor_leaves(t, v->leaving, value))
            continue;
        if (visit)
            visit(v->data, n, walk.coordinate, value);
        n++;
    }
    return n - first;
}

static void count_part(void *data, int64_t part, int worker)
{
    struct visiting *v = data;
    (void)worker;
    v->first[part + 1] = walk_part(v, part, 0, NULL);
}

static void visit_part(void *data, int64_t part, int worker)
{
    const struct visiting *v = data;
    (void)worker;
    walk_part(v, part, v->first[part], v->visit);
}

int64_t tensor_visit(const struct tensor *tensor, enum leaving leaving, int threads,
                     tensor_visitor *visit, void *data)
{
    struct visiting v = {tensor, leaving, visit, data, .positions = 0};
    v.positions = tensor_walk_positions(tensor);
    v.parts = threads_count(threads) > 1 ? keys_blocks(v.positions) : 1;
    if (v.parts == 1)
        return walk_part(&v, 0, 0, visit);
    threads_run(threads, v.parts, count_part, &v);
    for (int64_t part = 0; part < v.parts; part++)
        v.first[part + 1] += v.first[part];
    if (visit)
        threads_run(threads, v.parts, visit_part, &v);
    return v.first[v.parts];
}

static void put_into_list(void *data, int64_t number, const int64_t *coordinate, const void *value)
{
    struct coords *list = data;
    size_t size = type_size(list->type);
    for (int m = 0; m < list->order; m++)
        list->coordinate[m][number] = coordinate[m];
    memcpy((char *)list->vals + (size_t)number * size, value, size);
}

enum rt_status tensor_unpack(const struct tensor *tensor, enum leaving leaving, int threads,
                             struct coords *coords, struct rt_error *error)
{
    coords_init(coords, tensor->order, tensor->dimension, tensor->type);
    if (!coords_reserve(coords, tensor_stored(tensor))) {
        coords_free(coords);
        return rt_no_memory(error);
    }
    coords->n = tensor_visit(tensor, leaving, threads, put_into_list, coords);
    return RT_OK;
}
