/* sort.c - sorting entries by key, and lists of coordinates, in parallel.
 *
 * A stable radix sort (Knuth, volume 3, section 5.2.5), from the most significant digit until what
 * is left of a digit's entries fits the caches, and from the least significant one there.  Digits
 * are chosen so that some thousand entries are expected of each.  The first one shares the entries
 * out: blocks of them count their digits, a sum over digits and blocks says where each puts them.
 * A digit with a large part of all entries (a row with a tenth of a matrix) is shared out likewise;
 * the others are tasks of their own.
 *
 * Two sets of arrays are used.  Entries begin in `a` and are shared out into `b`, where a part that
 * is shared out again ends up too; the last step, which every entry takes once, is into `a`.
 *
 * SPDX-License-Identifier: MIT
 */
#include <string.h>

#include "runtime/tensor/alloc.h"
#include "runtime/tensor/keys.h"
#include "runtime/threads/threads.h"

/* More places than that are slower to write to by turns. */
enum { SHARE_BITS = 9, SHARES = 1 << SHARE_BITS, EXPECTED = 2048 };
enum { DIGIT_BITS = 11, DIGITS = 1 << DIGIT_BITS, SMALL = 1 << 15, FEW = 24 };
enum { LARGE_SHARE = 32 };

/* Items of a small part: some bits of a key above the number of the entry in the part. */
enum { ENTRY_BITS = 15, ITEM_BITS = KEY_BITS - ENTRY_BITS };
_Static_assert(1 << ENTRY_BITS == SMALL, "items have room for the number of an entry");

/* Entries that are equal in all bits before the lowest `bits` of a word. */
struct part {
    int64_t begin, n;
    int word, bits;
};

struct sorter {
    struct keys a, b;
    int threads;
    uint64_t (*item)[2 * SMALL]; /* for each worker */
    int64_t (*place)[SHARES];    /* for each block */
    struct part *task;
    int64_t tasks, capacity;
    /* what is being shared out: of which, to which, by which bits */
    struct part part;
    const struct keys *from;
    struct keys *to;
    int shift, digits;
    int64_t blocks, blocks_most;
};

/* ---- moving ---- */

static void copy_entries(struct keys *to, const struct keys *from, int64_t begin, int64_t end)
{
    size_t size = type_size(from->type), n = (size_t)(end - begin);
    for (int w = from->first; w <= from->last; w++)
        memcpy(to->word[w] + begin, from->word[w] + begin, n * sizeof *to->word[w]);
    memcpy((char *)to->vals + (size_t)begin * size, (const char *)from->vals + (size_t)begin * size,
           n * size);
}

/* ---- sharing out: one block each ---- */

static int64_t block_begin(const struct sorter *s, int64_t block)
{
    return s->part.begin + threads_begin(s->part.n, s->blocks, block);
}

static void count_digits(void *data, int64_t block, int worker)
{
    struct sorter *s = data;
    int64_t *count = s->place[block], end = block_begin(s, block + 1);
    const uint64_t *word = s->from->word[s->part.word];
    (void)worker;
    memset(count, 0, sizeof s->place[block]);
    for (int64_t i = block_begin(s, block); i < end; i++)
        count[word[i] >> s->shift & (uint64_t)(s->digits - 1)]++;
}

static void move_entries(void *data, int64_t block, int worker)
{
    struct sorter *s = data;
    int64_t *place = s->place[block], end = block_begin(s, block + 1);
    const struct keys *from = s->from;
    const uint64_t *word = from->word[s->part.word];
    size_t size = type_size(from->type);
    (void)worker;
    for (int64_t i = block_begin(s, block); i < end; i++) {
        int64_t at = place[word[i] >> s->shift & (uint64_t)(s->digits - 1)]++;
        for (int w = from->first; w <= from->last; w++)
            s->to->word[w][at] = from->word[w][i];
        keys_move_value(s->to->vals, at, from->vals, i, size);
    }
}

static void copy_back(void *data, int64_t block, int worker)
{
    struct sorter *s = data;
    (void)worker;
    copy_entries(&s->b, &s->a, block_begin(s, block), block_begin(s, block + 1));
}

/* From how many of each digit a block has to where its first one goes; where each digit begins. */
static void find_places(struct sorter *s, int64_t *begin)
{
    int64_t sum = s->part.begin;
    for (int d = 0; d < s->digits; d++) {
        begin[d] = sum;
        for (int64_t b = 0; b < s->blocks; b++) {
            int64_t count = s->place[b][d];
            s->place[b][d] = sum;
            sum += count;
        }
    }
    begin[s->digits] = sum;
}

/* By the lowest bits of a word the list may be in order: sorting is stable, and leaves them out. */
static int ordered_bits(const struct sorter *s, int word)
{
    return word == s->b.last ? s->b.ordered : 0;
}

static int digit_bits(const struct sorter *s, const struct part *part)
{
    int bits = 1, most = part->bits - ordered_bits(s, part->word);
    while (bits < SHARE_BITS && bits < most && part->n >> bits > EXPECTED)
        bits++;
    return bits;
}

/* The part's entries by their next digit; where each digit begins, one more than there are. */
static void share_out(struct sorter *s, const struct part *part, bool first, int64_t *begin)
{
    s->part = *part;
    s->part.bits -= digit_bits(s, part);
    s->digits = 1 << digit_bits(s, part);
    s->shift = s->part.bits;
    s->blocks = keys_blocks(part->n);
    if (s->blocks > s->blocks_most)
        s->blocks = s->blocks_most;
    s->from = first ? &s->a : &s->b;
    s->to = first ? &s->b : &s->a;
    threads_run(s->threads, s->blocks, count_digits, s);
    find_places(s, begin);
    threads_run(s->threads, s->blocks, move_entries, s);
    if (!first)
        threads_run(s->threads, s->blocks, copy_back, s);
}

/* ---- small parts, from b to a ---- */

static void sort_few(uint64_t *item, int64_t n)
{
    for (int64_t i = 1; i < n; i++) {
        uint64_t moved = item[i];
        int64_t at = i;
        for (; at > 0 && item[at - 1] >> ENTRY_BITS > moved >> ENTRY_BITS; at--)
            item[at] = item[at - 1];
        item[at] = moved;
    }
}

/* By the lowest bits of the keys, in as few and as equal digits as it takes; the sorted items, in
 * one of the two arrays. */
static uint64_t *sort_items(uint64_t *item, uint64_t *other, int64_t n, int bits)
{
    enum { MANY = 512, FEW_BITS = 8 };
    if (n <= FEW) {
        sort_few(item, n);
        return item;
    }
    int most = n < MANY ? FEW_BITS : DIGIT_BITS, passes = (bits + most - 1) / most;
    for (int pass = 0, shift = ENTRY_BITS; pass < passes; pass++) {
        int width = bits / passes + (pass < bits % passes);
        uint64_t mask = (UINT64_C(1) << width) - 1;
        int32_t place[DIGITS], sum = 0;
        memset(place, 0, sizeof *place << width);
        for (int64_t i = 0; i < n; i++)
            place[item[i] >> shift & mask]++;
        for (uint64_t d = 0; d <= mask; d++) {
            int32_t count = place[d];
            place[d] = sum;
            sum += count;
        }
        for (int64_t i = 0; i < n; i++)
            other[place[item[i] >> shift & mask]++] = item[i];
        uint64_t *swap = item;
        item = other;
        other = swap;
        shift += width;
    }
    return item;
}

static void sort_small(struct sorter *s, const struct part *part, uint64_t *item)
{
    const struct keys *from = &s->b;
    uint64_t *other = item + SMALL, *sorted = item;
    const uint64_t number = SMALL - 1;
    for (int64_t i = 0; i < part->n; i++)
        item[i] = (uint64_t)i;
    for (int w = from->last; w >= part->word; w--) {
        const uint64_t *word = from->word[w] + part->begin;
        int all = w == part->word ? part->bits : from->bits[w];
        for (int low = ordered_bits(s, w), bits; low < all; low += bits) {
            bits = all - low < ITEM_BITS ? all - low : ITEM_BITS;
            uint64_t mask = (UINT64_C(1) << bits) - 1;
            for (int64_t i = 0; i < part->n; i++) {
                uint64_t entry = sorted[i] & number;
                sorted[i] = (word[entry] >> low & mask) << ENTRY_BITS | entry;
            }
            sorted = sort_items(sorted, sorted == item ? other : item, part->n, bits);
        }
    }
    size_t size = type_size(from->type);
    for (int w = from->first; w <= from->last; w++)
        for (int64_t i = 0; i < part->n; i++)
            s->a.word[w][part->begin + i] =
                from->word[w][part->begin + (int64_t)(sorted[i] & number)];
    for (int64_t i = 0; i < part->n; i++)
        keys_move_value(s->a.vals, part->begin + i, from->vals,
                        part->begin + (int64_t)(sorted[i] & number), size);
}

/* ---- parts ---- */

static bool add_task(struct sorter *s, const struct part *part)
{
    if (s->tasks == s->capacity) {
        int64_t capacity = 2 * s->capacity + SHARES;
        struct part *task = rt_array_resize(s->task, capacity, sizeof *task);
        if (!task)
            return false;
        s->task = task;
        s->capacity = capacity;
    }
    s->task[s->tasks++] = *part;
    return true;
}

/* The next word where the bits of one are used up; false: no bits are left. */
static bool has_bits(const struct sorter *s, struct part *part)
{
    while (part->bits == 0 && part->word < s->b.last)
        part->bits = s->b.bits[++part->word];
    return part->bits > ordered_bits(s, part->word);
}

/* Parts that are not large become tasks. */
static bool is_put_off(struct sorter *s, const struct part *part, int64_t large)
{
    return part->n <= large && add_task(s, part);
}

/* Sort what is in b (or, at first, in a) into a.  The largest part of a part is gone on with, so
 * that calls are nested as often as entries can be halved, however long keys are. */
static void sort_part(struct sorter *s, struct part part, bool first, int64_t large, uint64_t *item)
{
    int64_t begin[SHARES + 1];
    bool more = has_bits(s, &part);
    for (; more && part.n > SMALL; more = has_bits(s, &part)) {
        int bits = part.bits - digit_bits(s, &part), digits = 1 << digit_bits(s, &part), most = 0;
        share_out(s, &part, first, begin);
        first = false;
        for (int d = 1; d < digits; d++)
            if (begin[d + 1] - begin[d] > begin[most + 1] - begin[most])
                most = d;
        for (int d = 0; d < digits; d++) {
            struct part next = {begin[d], begin[d + 1] - begin[d], part.word, bits};
            if (d != most && next.n > 0 && !is_put_off(s, &next, large))
                sort_part(s, next, false, large, item);
        }
        part = (struct part){begin[most], begin[most + 1] - begin[most], part.word, bits};
        if (is_put_off(s, &part, large))
            return;
    }
    if (first)
        copy_entries(&s->b, &s->a, part.begin, part.begin + part.n);
    if (more)
        sort_small(s, &part, item);
    else
        copy_entries(&s->a, &s->b, part.begin, part.begin + part.n);
}

/* A task shares its part out for itself. */
static void sort_task(void *data, int64_t number, int worker)
{
    const struct sorter *s = data;
    int64_t place[1][SHARES];
    struct sorter own = {.a = s->a, .b = s->b, .threads = 1, .place = place, .blocks_most = 1};
    sort_part(&own, s->task[number], false, 0, s->item[worker]);
}

static bool make_room(struct sorter *s)
{
    size_t size = type_size(s->a.type);
    bool all = true;
    for (int w = s->a.first; w <= s->a.last; w++) {
        s->b.word[w] = s->b.spare_word[w];
        s->b.spare_word[w] = NULL;
        if (!s->b.word[w])
            s->b.word[w] = rt_array(s->a.n, sizeof *s->b.word[w]);
        all &= s->b.word[w] != NULL;
    }
    s->b.vals = s->b.spare ? s->b.spare : rt_array(s->a.n, size);
    s->b.spare = NULL;
    s->item = rt_array(threads_count(s->threads), sizeof *s->item);
    s->place = rt_array(keys_blocks(s->a.n), sizeof *s->place);
    return all && s->b.vals && s->item && s->place;
}

enum rt_status keys_sort(struct keys *keys, int threads, struct rt_error *error)
{
    struct sorter s = {
        .a = *keys, .b = *keys, .threads = threads, .blocks_most = keys_blocks(keys->n)};
    int64_t large = keys->n / LARGE_SHARE > SMALL ? keys->n / LARGE_SHARE : SMALL;
    for (int w = 0; w < KEY_WORDS; w++)
        s.b.word[w] = keys->spare_word[w] = NULL;
    s.b.vals = keys->spare = NULL;
    bool all = make_room(&s);
    if (all) {
        struct part part = {0, keys->n, keys->first, keys->bits[keys->first]};
        sort_part(&s, part, true, large, s.item[0]);
        threads_run(threads, s.tasks, sort_task, &s);
    }
    for (int w = keys->first; w <= keys->last; w++) {
        keys->spare_word[w] = s.b.word[w];
        s.b.word[w] = NULL;
    }
    keys->spare = s.b.vals;
    s.b.vals = NULL;
    keys_free(&s.b);
    free(s.item);
    free(s.place);
    free(s.task);
    return all ? RT_OK : rt_no_memory(error);
}

/* ---- lists ---- */

enum rt_status coords_sort(struct coords *coords, int threads, struct rt_error *error)
{
    struct keys keys;
    enum rt_status status = keys_make(&keys, coords, NULL, false, threads, error);
    for (int m = 0; m < coords->order && status == RT_OK; m++)
        for (int64_t i = 0; i < coords->n; i++)
            coords->coordinate[m][i] = keys_coordinate(&keys, m, i);
    if (status == RT_OK && coords->n > 0)
        memcpy(coords->vals, keys.vals, (size_t)coords->n * type_size(coords->type));
    keys_free(&keys);
    return status;
}
