/* spare.c - arrays that were in use a moment ago, as room for the next ones.
 *
 * The shortest array that suffices is taken.  A result's arrays are requested in the same order
 * each time, so each gets its own memory again.
 *
 * SPDX-License-Identifier: MIT
 */
#include "runtime/tensor/spare.h"

#include <string.h>

#include "runtime/tensor/alloc.h"
#include "runtime/tensor/tensor.h"

static void *take_spare(struct spare *spare, int k)
{
    void *at = spare->array[k].at;
    spare->bytes -= (int64_t)spare->array[k].bytes;
    spare->array[k] = spare->array[--spare->n];
    return at;
}

static void drop(struct spare *spare, int k) { free(take_spare(spare, k)); }

/* Returns the shortest array with this many bytes, -1 if there is none. */
static int find_spare(const struct spare *spare, size_t bytes)
{
    int best = -1;
    for (int k = 0; k < spare->n; k++)
        if (spare->array[k].bytes >= bytes
            && (best < 0 || spare->array[k].bytes < spare->array[best].bytes))
            best = k;
    return best;
}

void spare_begin(struct spare *spare, int64_t most, const struct memory *memory)
{
    spare->most = most;
    spare->memory = memory;
    spare->run++;
}

/* If a user provides the memory, all of it comes from there and goes back there. */
static bool is_given(const struct spare *spare)
{
    return spare->memory && spare->memory != &memory_host;
}

void spare_release(struct spare *spare, void *array)
{
    if (is_given(spare)) {
        spare->memory->release(spare->memory, array);
        return;
    }
    size_t bytes = malloc_usable_size(array);
    if (spare->n == SPARE_MOST) {
        int shortest = find_spare(spare, 0);
        if (spare->array[shortest].bytes < bytes)
            drop(spare, shortest);
    }
    if (!array || spare->n == SPARE_MOST || (int64_t)bytes > spare->most - spare->bytes) {
        free(array);
        return;
    }
    spare->array[spare->n++] = (struct spare_array){array, bytes, spare->run};
    spare->bytes += (int64_t)bytes;
}

/* When memory is short, nothing is spare. */
static void *resize(struct spare *spare, void *array, size_t bytes)
{
    void *resized = rt_resize(array, bytes);
    if (resized || spare->n == 0)
        return resized;
    spare_free(spare);
    return rt_resize(array, bytes);
}

void *spare_resize(struct spare *spare, void *array, size_t bytes)
{
    if (is_given(spare))
        return spare->memory->resize(spare->memory, array, bytes);
    size_t there = malloc_usable_size(array);
    if (array && bytes <= there)
        return array;
    int k = find_spare(spare, bytes);
    if (k < 0)
        return resize(spare, array, bytes);
    void *longer = take_spare(spare, k);
    if (array)
        memcpy(longer, array, there);
    spare_release(spare, array);
    return longer;
}

static void take_array(struct spare *spare, const struct memory *of, void **array, int64_t *length)
{
    if (of == &memory_host && !is_given(spare))
        spare_release(spare, *array);
    else
        of->release(of, *array);
    *array = NULL;
    *length = 0;
}

void spare_take_arrays(struct spare *spare, struct tensor *tensor)
{
    if (!tensor->memory)
        return;
    for (int k = 0; k < tensor->format->levels; k++)
        for (int a = 0; a < LEVEL_ARRAYS; a++)
            take_array(spare, tensor->memory, &tensor->level[k].array[a],
                       &tensor->level[k].length[a]);
    take_array(spare, tensor->memory, &tensor->vals, &tensor->nvals);
}

void spare_end(struct spare *spare)
{
    for (int k = spare->n - 1; k >= 0; k--)
        if (spare->array[k].run != spare->run)
            drop(spare, k);
    spare->memory = NULL;
}

void spare_free(struct spare *spare)
{
    while (spare->n > 0)
        drop(spare, spare->n - 1);
}
