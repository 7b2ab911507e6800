/* room.c - the memory that a tensor would take in a format.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdlib.h>

#include "compiler/format/index_array.h"
#include "compiler/format/map.h"
#include "runtime/tensor/keys.h"
#include "runtime/tensor/tensor.h"

/* The nodes of a level, the most nodes of one parent, and the greatest number of rounds. */
struct node_count {
    int64_t nodes, most, here;
    int64_t rounds, most_rounds, rounds_here; /* of earlier parents, this one, this coordinate */
};

static void count_round(struct node_count *count, bool parent_starts, bool coordinate_starts)
{
    if (parent_starts) {
        count->rounds += count->most_rounds;
        count->most_rounds = 0;
    }
    count->rounds_here = parent_starts || coordinate_starts ? 1 : count->rounds_here + 1;
    if (count->rounds_here > count->most_rounds)
        count->most_rounds = count->rounds_here;
}

/* Returns the level in which an entry differs.  A child beyond a level's limit counts as that of
 * another parent. */
static int split_level(const struct format *format, const int *tells,
                       const struct node_count *count, int differs)
{
    for (int k = format->levels; k-- > 1;)
        if (format->level[k].most && count[k].here == format->level[k].most && differs <= tells[k]
            && differs > tells[k - 1])
            differs = k - 1;
    return differs;
}

static void count_nodes(const struct keys *keys, const struct format *format,
                        struct node_count *count)
{
    int tells[LEVELS_MAX];
    keys_tells(format, tells);
    for (int64_t i = 0; i < keys->n; i++) {
        int differs = i > 0 ? keys_difference(keys, i) : 0;
        differs = split_level(format, tells, count, differs);
        bool starts = false, parent_starts = i == 0;
        for (int k = 0; k < format->levels; k++, parent_starts = starts) {
            starts = differs <= tells[k];
            count[k].here = (parent_starts ? 0 : count[k].here) + starts;
            count[k].nodes += starts;
            if (count[k].here > count[k].most)
                count[k].most = count[k].here;
            if (starts)
                count_round(&count[k], parent_starts, differs <= k);
        }
    }
}

/* Returns the levels down to the last one without all coordinates.  Below that, nobody needs the
 * number of nodes, and entries need no order. */
static struct format without_full_end(const struct format *format)
{
    struct format upper = *format;
    while (upper.levels > 0 && upper.level[upper.levels - 1].type->stored == LEVEL_ALL)
        upper.levels--;
    return upper;
}

/* Adds n elements of that size to *bytes.  false if they are too many. */
static bool add_bytes(int64_t *bytes, int64_t n, enum type type)
{
    int64_t more;
    return !__builtin_mul_overflow(n, (int64_t)type_size(type), &more)
           && !__builtin_add_overflow(*bytes, more, bytes);
}

static enum rt_status add_levels(const struct tensor *tensor, const struct keys *keys,
                                 int64_t *bytes, struct rt_error *error)
{
    struct node_count count[LEVELS_MAX] = {0};
    const struct format *format = tensor->format;
    int64_t parents = 1;
    bool fits = true;
    struct format counted = without_full_end(format);
    count_nodes(keys, &counted, count);
    for (int k = 0; k < format->levels && fits; k++) {
        const struct level_format *level = &format->level[k];
        const struct level_amount amount = {.parents = parents,
                                            .nodes = count[k].nodes,
                                            .most = count[k].most,
                                            .rounds = count[k].rounds + count[k].most_rounds};
        int64_t positions = level->type->room(&tensor->level[k], &amount);
        fits = positions >= 0;
        for (int a = 0; a < LEVEL_ARRAYS && fits; a++)
            fits = add_bytes(bytes, level_array_length(level, a, parents, positions),
                             level_array_type(level, a));
        parents = positions;
    }
    return fits && add_bytes(bytes, parents, keys->type)
               ? RT_OK
               : rt_fail(error, RT_INPUT, DIAG_LIMIT, "the levels do not hold so much");
}

struct tensor_order {
    struct format of;
    struct keys keys;
};

void tensor_order_free(struct tensor_order *order)
{
    if (order)
        keys_free(&order->keys);
    free(order);
}

/* Are the format's levels the first ones of the list's order? */
static bool is_in_order(const struct tensor_order *order, const struct format *format)
{
    bool same = order && format->levels <= order->of.levels;
    for (int k = 0; same && k < format->levels; k++)
        same = map_equal(format->level[k].map, order->of.level[k].map);
    return same;
}

/* Brings the list into the order of the levels, unless it is. */
static enum rt_status put_in_order(struct tensor_order **order, struct coords *coords,
                                   const struct format *format, int threads, struct rt_error *error)
{
    if (is_in_order(*order, format))
        return RT_OK;
    tensor_order_free(*order);
    *order = calloc(1, sizeof **order);
    if (!*order)
        return rt_no_memory(error);
    (*order)->of = *format;
    struct keys *keys = &(*order)->keys;
    enum rt_status status = keys_make(keys, coords, format, false, threads, error);
    if (status != RT_OK) {
        tensor_order_free(*order);
        *order = NULL;
    }
    return status;
}

enum rt_status tensor_room(struct tensor_order **order, struct coords *coords,
                           const struct format *format, int threads, int64_t *bytes,
                           struct rt_error *error)
{
    struct tensor *tensor;
    *bytes = 0;
    enum rt_status status = tensor_new(format, coords->type, coords->dimension,
                                       value_zero(coords->type), NULL, &tensor, error);
    if (status != RT_OK)
        return status;
    struct format counted = without_full_end(format);
    status = put_in_order(order, coords, &counted, threads, error);
    if (status == RT_OK)
        status = add_levels(tensor, &(*order)->keys, bytes, error);
    tensor_free(tensor);
    return status;
}
