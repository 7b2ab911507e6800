/* coords.c - makes and checks lists of coordinates; sort.c sorts them.
 *
 * SPDX-License-Identifier: MIT
 */
#include "runtime/tensor/coords.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <string.h>

#include "runtime/tensor/alloc.h"
#include "runtime/tensor/keys.h"
#include "runtime/threads/threads.h"

void coords_init(struct coords *coords, int order, const int64_t *dimension, enum type type)
{
    *coords = (struct coords){.order = order, .type = type};
    if (dimension && order > 0)
        memcpy(coords->dimension, dimension, (size_t)order * sizeof *dimension);
}

void coords_free(struct coords *coords)
{
    for (int m = 0; m < ORDER_MAX; m++)
        free(coords->coordinate[m]);
    free(coords->word);
    free(coords->vals);
    *coords = (struct coords){.order = 0};
}

void coords_pack(struct coords *coords)
{
    int all = 0;
    for (int m = 0; m < coords->order; m++) {
        coords->bits[m] = (unsigned char)coords_bits(coords->dimension[m]);
        all += coords->bits[m];
    }
    coords->packed = coords->order > 0 && all <= 64;
    for (int m = 0; m < coords->order; m++) {
        all -= coords->bits[m];
        coords->shift[m] = (unsigned char)(coords->bits[m] > 0 ? all : 0);
    }
}

bool coords_reserve(struct coords *coords, int64_t n)
{
    if (n <= coords->capacity)
        return true;
    for (int m = 0; m < coords->order && !coords->packed; m++) {
        int64_t *grown = rt_array_resize(coords->coordinate[m], n, sizeof *grown);
        if (!grown)
            return false;
        coords->coordinate[m] = grown;
    }
    if (coords->packed) {
        uint64_t *grown = rt_array_resize(coords->word, n, sizeof *grown);
        if (!grown)
            return false;
        coords->word = grown;
    }
    void *grown = rt_array_resize(coords->vals, n, type_size(coords->type));
    if (!grown)
        return false;
    coords->vals = grown;
    coords->capacity = n;
    return true;
}

/* Copies the words of a packed list from columns. */
static void copy_words(struct coords *coords, int64_t at, const struct coords *from)
{
    uint64_t *word = coords->word + at;
    for (int m = 0; m < coords->order; m++) {
        const int64_t *coordinate = from->coordinate[m];
        const int shift = coords->shift[m];
        if (m == 0)
            for (int64_t i = 0; i < from->n; i++)
                word[i] = (uint64_t)coordinate[i] << shift;
        else
            for (int64_t i = 0; i < from->n; i++)
                word[i] |= (uint64_t)coordinate[i] << shift;
    }
}

void coords_copy(struct coords *coords, int64_t at, const struct coords *from)
{
    size_t n = (size_t)from->n, size = type_size(from->type);
    if (coords->packed)
        copy_words(coords, at, from);
    for (int m = 0; m < from->order && !coords->packed && n > 0; m++)
        memcpy(coords->coordinate[m] + at, from->coordinate[m], n * sizeof(int64_t));
    if (n > 0)
        memcpy((char *)coords->vals + (size_t)at * size, from->vals, n * size);
}

bool coords_add(struct coords *coords, const int64_t *coordinate, const void *value)
{
    if (coords->n == coords->capacity
        && !coords_reserve(coords, coords->capacity > INT64_MAX / 2 ? INT64_MAX
                                                                    : 2 * coords->capacity + 16))
        return false;
    size_t size = type_size(coords->type);
    for (int m = 0; m < coords->order; m++)
        coords->coordinate[m][coords->n] = coordinate[m];
    memcpy((char *)coords->vals + (size_t)coords->n * size, value, size);
    coords->n++;
    return true;
}

struct checking {
    const struct coords *coords;
    int64_t blocks;
    atomic_int_fast64_t faulty; /* the first block with a coordinate out of range */
};

static bool is_in_range(const struct coords *coords, int64_t begin, int64_t end)
{
    uint64_t bits = 0; /* all are numbers without a sign bit if they are in range */
    const int64_t step = coords->lent ? coords->order : 1;
    for (int m = 0; m < coords->order; m++) {
        const int64_t *at = coords->lent ? coords->lent + m : coords->coordinate[m];
        const uint64_t most = (uint64_t)coords->dimension[m] - 1;
#pragma GCC unroll 4
        for (int64_t i = begin; i < end; i++)
            bits |= (uint64_t)at[i * step] | (most - (uint64_t)at[i * step]);
    }
    return bits >> 63 == 0;
}

static void check_block(void *data, int64_t block, int worker)
{
    struct checking *c = data;
    (void)worker;
    if (is_in_range(c->coords, threads_begin(c->coords->n, c->blocks, block),
                    threads_begin(c->coords->n, c->blocks, block + 1)))
        return;
    int_fast64_t first = atomic_load(&c->faulty);
    while (block < first && !atomic_compare_exchange_weak(&c->faulty, &first, block))
        ;
}

enum rt_status coords_check(const struct coords *coords, int threads, const char *name,
                            struct rt_error *error)
{
    const char *prefix = name ? name : "", *colon = name ? ": " : "";
    struct checking c = {.coords = coords, .blocks = keys_blocks(coords->n)};
    for (int m = 0; m < coords->order; m++)
        if (coords->dimension[m] < 0)
            return rt_fail(error, RT_INPUT, DIAG_TENSOR,
                           "%s%smode %d has the negative size %" PRId64, prefix, colon, m + 1,
                           coords->dimension[m]);
    if (coords->packed)
        return RT_OK;
    atomic_init(&c.faulty, c.blocks);
    threads_run(threads, c.blocks, check_block, &c);
    for (int64_t i = threads_begin(coords->n, c.blocks, c.faulty); i < coords->n; i++)
        for (int m = 0; m < coords->order; m++)
            if ((uint64_t)coords_at(coords, m, i) >= (uint64_t)coords->dimension[m])
                return rt_fail(error, RT_INPUT, DIAG_TENSOR,
                               "%s%sentry %" PRId64 " has the coordinate %" PRId64
                               " in mode %d, which is outside its size %" PRId64,
                               prefix, colon, i + 1, coords_at(coords, m, i), m + 1,
                               coords->dimension[m]);
    return RT_OK;
}

void coords_move(struct coords *coords, int64_t to, int64_t from)
{
    size_t size = type_size(coords->type);
    char *vals = coords->vals;
    if (to == from)
        return;
    for (int m = 0; m < coords->order; m++)
        coords->coordinate[m][to] = coords->coordinate[m][from];
    memcpy(vals + (size_t)to * size, vals + (size_t)from * size, size);
}
