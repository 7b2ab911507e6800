/* keys.c - entries by key: making them, summing duplicates.  sort.c sorts them.
 *
 * A list that may be taken becomes keys in its own arrays: the words are written over the first
 * columns, each entry after its coordinates have been read.
 *
 * SPDX-License-Identifier: MIT
 */
#include "runtime/tensor/keys.h"

#include <stdatomic.h>
#include <string.h>

#include "compiler/format/map.h"
#include "runtime/tensor/alloc.h"
#include "runtime/threads/threads.h"

static int bits_for(int64_t size)
{
    return size > 1 ? KEY_BITS - __builtin_clzll((uint64_t)size - 1) : 0;
}

/* ---- where the parts are ---- */

static void add_part(struct keys *keys, int level, int64_t low, int64_t size)
{
    int bits = bits_for(size);
    if (keys->bits[keys->last] + bits > KEY_BITS)
        keys->last++;
    keys->bits[keys->last] += bits;
    keys->part[level] = (struct key_part){.word = keys->last, .bits = bits, .low = low};
}

static void lay_out(struct keys *keys, const struct coords *coords, const struct format *format)
{
    keys->levels = format ? format->levels : coords->order;
    keys->first = keys->last = 1;
    for (int k = 0; k < keys->levels; k++) {
        int64_t low = 0, size = coords->dimension[k < coords->order ? k : 0];
        if (format)
            map_range(format->level[k].map, coords->dimension, &low, &size);
        add_part(keys, k, low, size);
    }
    int left[KEY_WORDS];
    memcpy(left, keys->bits, sizeof left);
    for (int k = 0; k < keys->levels; k++) {
        struct key_part *part = &keys->part[k];
        left[part->word] -= part->bits;
        part->shift = part->bits ? left[part->word] : 0;
        for (int b = 0; b < part->bits; b++)
            keys->level[part->word][part->shift + b] = (unsigned char)k;
    }
}

void keys_tells(const struct format *format, int *tells)
{
    int last = 0;
    for (int k = 0; k < format->levels; k++) {
        int tell = k;
        while (!level_has(&format->level[k], LEVEL_UNIQUE) && tell + 1 < format->levels
               && level_has(&format->level[tell + 1], LEVEL_BRANCHLESS))
            tell++;
        tells[k] = last = tell > last ? tell : last;
    }
}

/* ---- making ---- */

struct making {
    struct keys *keys;
    const struct coords *coords;
    const struct map_expr *map[LEVELS_MAX]; /* NULL: the level stores the mode of its number */
    int64_t blocks;
    atomic_bool unsorted;
};

/* The keys of n entries from `begin` on, MAP_BLOCK at most: written when all of them are made. */
static void make_some(const struct making *m, int64_t begin, int n)
{
    struct keys *keys = m->keys;
    uint64_t word[KEY_WORDS][MAP_BLOCK];
    int64_t number[MAP_BLOCK];
    for (int w = keys->first; w <= keys->last; w++)
        memset(word[w], 0, (size_t)n * sizeof word[w][0]);
    for (int k = 0; k < keys->levels; k++) {
        const struct key_part *part = &keys->part[k];
        const int64_t *from = number;
        if (m->map[k] && m->map[k]->kind != MAP_MODE)
            map_values(m->map[k], m->coords->coordinate, begin, n, number);
        else
            from = m->coords->coordinate[m->map[k] ? m->map[k]->mode : k] + begin;
        for (int i = 0; i < n; i++)
            word[part->word][i] |= ((uint64_t)from[i] - (uint64_t)part->low) << part->shift;
    }
    for (int w = keys->first; w <= keys->last; w++)
        memcpy(keys->word[w] + begin, word[w], (size_t)n * sizeof word[w][0]);
}

static void make_block(void *data, int64_t block, int worker)
{
    struct making *m = data;
    (void)worker;
    int64_t end = threads_begin(m->keys->n, m->blocks, block + 1);
    for (int64_t i = threads_begin(m->keys->n, m->blocks, block); i < end; i += MAP_BLOCK)
        make_some(m, i, (int)(end - i < MAP_BLOCK ? end - i : MAP_BLOCK));
}

static bool is_before(const struct keys *keys, int64_t a, int64_t b)
{
    for (int w = keys->first; w <= keys->last; w++)
        if (keys->word[w][a] != keys->word[w][b])
            return keys->word[w][a] < keys->word[w][b];
    return false;
}

static void check_block(void *data, int64_t block, int worker)
{
    struct making *m = data;
    (void)worker;
    int64_t begin = threads_begin(m->keys->n, m->blocks, block),
            end = threads_begin(m->keys->n, m->blocks, block + 1);
    for (int64_t i = begin > 0 ? begin : 1; i < end; i++)
        if (is_before(m->keys, i, i - 1)) {
            atomic_store(&m->unsorted, true);
            return;
        }
}

/* Arrays for words and values: the list's if it is taken, as far as it has enough. */
static bool take_arrays(struct keys *keys, struct coords *coords, bool taken)
{
    size_t size = type_size(keys->type);
    bool all = true;
    for (int w = keys->first; w <= keys->last; w++) {
        bool has = taken && w - keys->first < coords->order && coords->coordinate[w - keys->first];
        keys->word[w] = has ? (uint64_t *)coords->coordinate[w - keys->first]
                            : rt_array(keys->n, sizeof *keys->word[w]);
        all &= keys->word[w] != NULL;
    }
    keys->vals = taken && coords->vals ? coords->vals : rt_array(keys->n, size);
    all &= keys->vals != NULL;
    if (all && keys->vals != coords->vals && keys->n > 0)
        memcpy(keys->vals, coords->vals, (size_t)keys->n * size);
    return all;
}

/* What has become the keys' is not the list's any more; the rest is not needed. */
static void empty_list(struct keys *keys, struct coords *coords)
{
    for (int w = keys->first; w <= keys->last && w - keys->first < coords->order; w++)
        if ((uint64_t *)coords->coordinate[w - keys->first] == keys->word[w])
            coords->coordinate[w - keys->first] = NULL;
    if (coords->vals == keys->vals)
        coords->vals = NULL;
    for (int m = 0; m < coords->order; m++) {
        free(coords->coordinate[m]);
        coords->coordinate[m] = NULL;
    }
    free(coords->vals);
    coords->vals = NULL;
    coords->n = coords->capacity = 0;
}

enum rt_status keys_make(struct keys *keys, struct coords *coords, const struct format *format,
                         bool taken, int threads, struct rt_error *error)
{
    *keys = (struct keys){.n = coords->n, .type = coords->type};
    lay_out(keys, coords, format);
    struct making m = {.keys = keys, .coords = coords, .blocks = keys_blocks(keys->n)};
    for (int k = 0; format && k < keys->levels; k++)
        m.map[k] = format->level[k].map;
    bool made = take_arrays(keys, coords, taken);
    if (made)
        threads_run(threads, m.blocks, make_block, &m);
    if (taken)
        empty_list(keys, coords);
    if (!made)
        return rt_no_memory(error);
    threads_run(threads, m.blocks, check_block, &m);
    return atomic_load(&m.unsorted) ? keys_sort(keys, threads, error) : RT_OK;
}

void keys_free(struct keys *keys)
{
    for (int w = 0; w < KEY_WORDS; w++)
        free(keys->word[w]);
    free(keys->vals);
    *keys = (struct keys){.n = 0};
}

enum rt_status keys_place(struct keys *keys, int level, int64_t *position, int64_t positions,
                          int threads, struct rt_error *error)
{
    free(keys->word[0]);
    keys->first = 0;
    keys->word[0] = (uint64_t *)position;
    keys->bits[0] = bits_for(positions);
    memset(keys->level[0], level, sizeof keys->level[0]);
    struct making m = {.keys = keys, .blocks = keys_blocks(keys->n)};
    threads_run(threads, m.blocks, check_block, &m);
    return atomic_load(&m.unsorted) ? keys_sort(keys, threads, error) : RT_OK;
}

/* ---- duplicates ---- */

#define ADD(T) *(T *)sum += *(const T *)value
/* A sum that wraps: the same addition in unsigned arithmetic, which does not overflow. */
#define ADD_WRAPPING(T) *(T *)sum = (T)((uint64_t) * (T *)sum + (uint64_t) * (const T *)value)

static void value_add(enum type type, void *sum, const void *value)
{
    switch (type) {
    case TYPE_BOOL: *(bool *)sum = *(bool *)sum || *(const bool *)value; break;
    case TYPE_I8: ADD_WRAPPING(int8_t); break;
    case TYPE_I16: ADD_WRAPPING(int16_t); break;
    case TYPE_I32: ADD_WRAPPING(int32_t); break;
    case TYPE_I64: ADD_WRAPPING(int64_t); break;
    case TYPE_U8: ADD_WRAPPING(uint8_t); break;
    case TYPE_U16: ADD_WRAPPING(uint16_t); break;
    case TYPE_U32: ADD_WRAPPING(uint32_t); break;
    case TYPE_U64: ADD_WRAPPING(uint64_t); break;
    case TYPE_F32: ADD(float); break;
    case TYPE_F64: ADD(double); break;
    case TYPE_C64: ADD(float _Complex); break;
    case TYPE_C128: ADD(double _Complex); break;
    case TYPE_COUNT: break;
    }
}

struct summing {
    struct keys *keys;
    int64_t blocks, *begin, *kept; /* of each block: where it begins, and what is left of it */
};

static bool is_duplicate(const struct keys *keys, int64_t entry)
{
    return entry > 0 && entry < keys->n && keys_difference(keys, entry) == keys->levels;
}

/* Blocks begin where keys do, so each sums what is its own. */
static void find_begin(void *data, int64_t block, int worker)
{
    struct summing *s = data;
    (void)worker;
    int64_t at = threads_begin(s->keys->n, s->blocks, block),
            end = threads_begin(s->keys->n, s->blocks, block + 1), duplicates = 0;
    while (is_duplicate(s->keys, at))
        at++;
    s->begin[block] = at;
    for (int64_t i = at + 1; i < end; i++)
        duplicates += keys_difference(s->keys, i) == s->keys->levels;
    s->kept[block] = duplicates;
}

static void sum_block(void *data, int64_t block, int worker)
{
    struct summing *s = data;
    struct keys *keys = s->keys;
    size_t size = type_size(keys->type);
    char *vals = keys->vals;
    int64_t begin = s->begin[block], end = s->begin[block + 1], kept = begin;
    (void)worker;
    for (int64_t i = begin; i < end; kept++) {
        int64_t next = i + 1;
        for (; next < end && keys_difference(keys, next) == keys->levels; next++)
            value_add(keys->type, vals + (size_t)i * size, vals + (size_t)next * size);
        for (int w = keys->first; w <= keys->last && kept != i; w++)
            keys->word[w][kept] = keys->word[w][i];
        if (kept != i)
            memcpy(vals + (size_t)kept * size, vals + (size_t)i * size, size);
        i = next;
    }
    s->kept[block] = kept - begin;
}

/* Blocks that have become shorter follow each other. */
static void close_gaps(struct summing *s)
{
    struct keys *keys = s->keys;
    size_t size = type_size(keys->type);
    int64_t n = 0;
    for (int64_t b = 0; b < s->blocks; n += s->kept[b++]) {
        if (n == s->begin[b])
            continue;
        for (int w = keys->first; w <= keys->last; w++)
            memmove(keys->word[w] + n, keys->word[w] + s->begin[b],
                    (size_t)s->kept[b] * sizeof *keys->word[w]);
        memmove((char *)keys->vals + (size_t)n * size,
                (char *)keys->vals + (size_t)s->begin[b] * size, (size_t)s->kept[b] * size);
    }
    keys->n = n;
}

void keys_sum_duplicates(struct keys *keys, int threads)
{
    int64_t begin[65], kept[64], duplicates = 0;
    struct summing s = {keys, keys_blocks(keys->n), begin, kept};
    threads_run(threads, s.blocks, find_begin, &s);
    begin[s.blocks] = keys->n;
    for (int64_t b = 0; b < s.blocks; b++)
        duplicates += kept[b] + (begin[b] > threads_begin(keys->n, s.blocks, b));
    if (duplicates == 0)
        return;
    threads_run(threads, s.blocks, sum_block, &s);
    close_gaps(&s);
}
