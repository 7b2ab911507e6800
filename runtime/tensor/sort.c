/* sort.c - sorting lists of coordinates, in parallel.
 *
 * A stable radix sort from the least significant digit (Knuth, volume 3, section 5.2.5).  The
 * coordinates of as many levels as fit into 64 bits make one key; further levels make further keys,
 * and the list is sorted by one key after the other, the least significant first.  A pass over one
 * digit is done in blocks, one for each thread: each counts its digits, a sum over digits and
 * blocks gives each block its places, and each moves its items there. Because a list from a file is
 * often sorted already, that is looked at first.
 *
 * SPDX-License-Identifier: MIT
 */
#include <string.h>

#include "compiler/format/map.h"
#include "runtime/tensor/alloc.h"
#include "runtime/tensor/coords.h"
#include "runtime/threads/threads.h"

enum { DIGIT_BITS = 8, DIGITS = 1 << DIGIT_BITS, SMALL = 1 << 14 };

struct item {
    uint64_t key;
    int64_t entry;
};

/* One of the numbers to sort by: each entry's is in an array, or computed from its coordinates. */
struct part {
    const int64_t *column; /* NULL: */
    const struct map_expr *map;
    int64_t low; /* the least of the numbers */
    int bits;    /* that their distances from it need */
};

struct sorter {
    struct coords *coords;
    struct part part[LEVELS_MAX]; /* the most significant first */
    int parts;
    int threads;
    int64_t blocks;
    struct item *items, *moved; /* as they are, and where a pass puts them */
    /* for each block and digit: first how many, then where to */
    int64_t (*place)[DIGITS];
    int first, last; /* the parts of the present key */
    int shift;       /* the digit of the present pass */
    /* what is being put into the new order, element by element */
    const void *from;
    void *to;
    size_t size;
};

/* From 0 on. */
static uint64_t number_of(const struct sorter *s, int k, int64_t entry)
{
    const struct part *part = &s->part[k];
    int64_t number =
        part->column ? part->column[entry] : map_value(part->map, s->coords->coordinate, entry);
    return (uint64_t)number - (uint64_t)part->low;
}

static bool is_sorted(const struct sorter *s)
{
    for (int64_t i = 1; i < s->coords->n; i++)
        for (int k = 0; k < s->parts; k++) {
            uint64_t before = number_of(s, k, i - 1), number = number_of(s, k, i);
            if (before < number)
                break;
            if (before > number)
                return false;
        }
    return true;
}

static int bits_for(int64_t size)
{
    return size > 1 ? 64 - __builtin_clzll((uint64_t)size - 1) : 0;
}

/* ---- tasks: one block of the items each ---- */

static void make_keys(void *data, int64_t block, int worker)
{
    struct sorter *s = data;
    (void)worker;
    int64_t end = threads_begin(s->coords->n, s->blocks, block + 1);
    for (int64_t i = threads_begin(s->coords->n, s->blocks, block); i < end; i++) {
        uint64_t key = 0;
        for (int k = s->first; k <= s->last; k++)
            key = key << s->part[k].bits | number_of(s, k, s->items[i].entry);
        s->items[i].key = key;
    }
}

static unsigned digit(const struct sorter *s, const struct item *item)
{
    return item->key >> s->shift & (DIGITS - 1);
}

static void count_digits(void *data, int64_t block, int worker)
{
    struct sorter *s = data;
    (void)worker;
    int64_t *count = s->place[block], end = threads_begin(s->coords->n, s->blocks, block + 1);
    memset(count, 0, sizeof s->place[block]);
    for (int64_t i = threads_begin(s->coords->n, s->blocks, block); i < end; i++)
        count[digit(s, &s->items[i])]++;
}

static void move_items(void *data, int64_t block, int worker)
{
    struct sorter *s = data;
    (void)worker;
    int64_t *place = s->place[block], end = threads_begin(s->coords->n, s->blocks, block + 1);
    for (int64_t i = threads_begin(s->coords->n, s->blocks, block); i < end; i++)
        s->moved[place[digit(s, &s->items[i])]++] = s->items[i];
}

static void gather(void *data, int64_t block, int worker)
{
    struct sorter *s = data;
    (void)worker;
    int64_t begin = threads_begin(s->coords->n, s->blocks, block);
    int64_t end = threads_begin(s->coords->n, s->blocks, block + 1);
    const char *from = s->from;
    char *to = s->to;
    if (s->size == 8)
        for (int64_t i = begin; i < end; i++)
            memcpy(to + 8 * i, from + 8 * s->items[i].entry, 8);
    else
        for (int64_t i = begin; i < end; i++)
            memcpy(to + (size_t)i * s->size, from + (size_t)s->items[i].entry * s->size, s->size);
}

/* ---- the sort ---- */

/* From how many of each digit a block has to where its first one goes. */
static void find_places(struct sorter *s)
{
    int64_t sum = 0;
    for (int d = 0; d < DIGITS; d++)
        for (int64_t b = 0; b < s->blocks; b++) {
            int64_t count = s->place[b][d];
            s->place[b][d] = sum;
            sum += count;
        }
}

static void sort_by_key(struct sorter *s, int bits)
{
    threads_run(s->threads, s->blocks, make_keys, s);
    for (s->shift = 0; s->shift < bits; s->shift += DIGIT_BITS) {
        threads_run(s->threads, s->blocks, count_digits, s);
        find_places(s);
        threads_run(s->threads, s->blocks, move_items, s);
        struct item *swap = s->items;
        s->items = s->moved;
        s->moved = swap;
    }
}

static void sort_items(struct sorter *s)
{
    for (int64_t i = 0; i < s->coords->n; i++)
        s->items[i].entry = i;
    for (s->last = s->parts - 1; s->last >= 0; s->last = s->first - 1) {
        int bits = s->part[s->last].bits;
        for (s->first = s->last; s->first > 0 && bits + s->part[s->first - 1].bits <= 64;
             s->first--)
            bits += s->part[s->first - 1].bits;
        sort_by_key(s, bits);
    }
}

/* Put an array of the list into the order of the items, by way of a new one; the old one is left
 * in *spare. */
static void reorder(struct sorter *s, void **array, size_t size, void **spare)
{
    s->from = *array;
    s->to = *spare;
    s->size = size;
    threads_run(s->threads, s->blocks, gather, s);
    *spare = *array;
    *array = s->to;
}

static void reorder_coords(struct sorter *s, int64_t **keys, void *spare_numbers, void *spare_vals)
{
    struct coords *c = s->coords;
    for (int m = 0; m < c->order; m++) {
        void *array = c->coordinate[m];
        reorder(s, &array, sizeof *c->coordinate[m], &spare_numbers);
        c->coordinate[m] = array;
    }
    if (keys) {
        void *array = *keys;
        reorder(s, &array, sizeof **keys, &spare_numbers);
        *keys = array;
    }
    reorder(s, &c->vals, type_size(c->type), &spare_vals);
    c->capacity = c->n;
    free(spare_numbers);
    free(spare_vals);
}

static enum rt_status sort(struct sorter *s, int64_t **keys, int threads, struct rt_error *error)
{
    struct coords *coords = s->coords;
    if (is_sorted(s))
        return RT_OK;
    s->threads = coords->n < SMALL ? 1 : threads;
    s->blocks = threads_count(s->threads);
    s->items = rt_array(coords->n, sizeof *s->items);
    s->moved = rt_array(coords->n, sizeof *s->moved);
    s->place = rt_array(s->blocks, sizeof *s->place);
    void *spare_numbers = rt_array(coords->n, sizeof(int64_t));
    void *spare_vals = rt_array(coords->n, type_size(coords->type));
    enum rt_status status = RT_OK;
    if (s->items && s->moved && s->place && spare_numbers && spare_vals) {
        sort_items(s);
        reorder_coords(s, keys, spare_numbers, spare_vals);
    } else {
        free(spare_numbers);
        free(spare_vals);
        status = rt_no_memory(error);
    }
    free(s->items);
    free(s->moved);
    free(s->place);
    return status;
}

static struct part level_part(const struct coords *coords, const struct level_format *level)
{
    struct part part = {.map = level->map};
    int64_t size;
    map_range(level->map, coords->dimension, &part.low, &size);
    part.bits = bits_for(size);
    if (level->map->kind == MAP_MODE)
        part.column = coords->coordinate[level->map->mode];
    return part;
}

enum rt_status coords_sort(struct coords *coords, const struct format *format, int threads,
                           struct rt_error *error)
{
    struct sorter s = {.coords = coords, .parts = format ? format->levels : coords->order};
    for (int k = 0; k < s.parts; k++)
        s.part[k] = format ? level_part(coords, &format->level[k])
                           : (struct part){.column = coords->coordinate[k],
                                           .bits = bits_for(coords->dimension[k])};
    return sort(&s, NULL, threads, error);
}

enum rt_status coords_sort_by(struct coords *coords, int64_t **keys, int64_t limit, int threads,
                              struct rt_error *error)
{
    struct sorter s = {
        .coords = coords, .parts = 1, .part = {{.column = *keys, .bits = bits_for(limit)}}};
    return sort(&s, keys, threads, error);
}
