/* sort.c - sorts entries by key, and lists of coordinates, on several threads.
 *
 * A stable radix sort (Knuth, volume 3, section 5.2.5).  It begins with the most significant
 * digit.  Once a digit's entries fit the caches, it goes on there from the least significant
 * digit.  Digits are chosen so that each has some thousand entries.  stripes.c brings entries into
 * the order of a digit in place.  A digit with a large part of all entries (a row with a tenth of
 * a matrix) is distributed by all threads again; the others are tasks of their own.
 *
 * SPDX-License-Identifier: MIT
 */
#include <string.h>

#include "runtime/tensor/alloc.h"
#include "runtime/tensor/keys.h"
#include "runtime/tensor/stripes.h"
#include "runtime/threads/threads.h"

enum { EXPECTED = 2048, LARGE_SHARE = 32 };
enum { DIGIT_BITS = 11, DIGITS = 1 << DIGIT_BITS, SMALL = 1 << 15, FEW = 24 };

/* Items of a small part: some bits of a key above the number of the entry in the part. */
enum { ENTRY_BITS = 15, ITEM_BITS = KEY_BITS - ENTRY_BITS };
_Static_assert(1 << ENTRY_BITS == SMALL, "items have room for the number of an entry");

/* The memory in which a small part is sorted: two arrays of items, and values in turn. */
enum { DESK = 4 };
_Static_assert(sizeof(double _Complex) <= 2 * sizeof(uint64_t), "there is room for any values");

/* Entries that are equal in all bits before the lowest `bits` of a word. */
struct part {
    int64_t begin, n;
    int word, bits;
};

struct sorter {
    struct keys *keys;
    int threads;
    int64_t large;  /* parts with more entries are distributed by all threads */
    int64_t small;  /* parts with fewer entries are sorted in the caches */
    uint64_t *desk; /* for each worker */
    struct stripe_blocks blocks;
    struct stripe_memory together, *alone; /* of all threads; of each worker */
    int memories;
    struct part part;     /* distributed by all threads, without the bits of the digit */
    const int64_t *begin; /* of its digits */
    bool moved;           /* into blocks, which stripes_finish puts where the digits begin */
};

/* ---- distribution ---- */

/* The list may be in order by the lowest bits of a word: sorting is stable, and leaves them out. */
static int ordered_bits(const struct sorter *s, int word)
{
    return word == s->keys->last ? s->keys->ordered : 0;
}

static int digit_bits(const struct sorter *s, const struct part *part)
{
    int bits = 1, most = part->bits - ordered_bits(s, part->word);
    while (bits < STRIPE_DIGIT_BITS && bits < most && part->n >> bits > EXPECTED)
        bits++;
    return bits;
}

/* Finds where digits begin in a part whose entries are in their order.  false if they are not. */
static bool find_begins(const struct sorter *s, const struct part *part, int digits, int64_t *begin)
{
    const uint64_t *word = s->keys->word[part->word] + part->begin;
    const uint64_t mask = (uint64_t)digits - 1;
    uint64_t last = 0;
    begin[0] = part->begin;
    for (int64_t i = 0; i < part->n; i++) {
        const uint64_t digit = word[i] >> part->bits & mask;
        if (digit < last)
            return false;
        for (; last < digit; last++)
            begin[last + 1] = part->begin + i;
    }
    for (; last <= mask; last++)
        begin[last + 1] = part->begin + part->n;
    return true;
}

/* Distributes the part's entries by their next digit, which takes the digit's bits out of the part.
 * Returns the number of digits, and where they begin.  *moved: call stripes_finish for each. */
static int distribute(const struct sorter *s, struct part *part, struct stripe_memory *memory,
                      int threads, int64_t *begin, bool *moved)
{
    const int bits = digit_bits(s, part), digits = 1 << bits;
    part->bits -= bits;
    *moved = !find_begins(s, part, digits, begin);
    if (*moved) {
        struct stripe_part by = {part->begin, part->n, part->word - s->keys->first, part->bits,
                                 digits};
        stripes_distribute(memory, &by, threads);
        memcpy(begin, memory->begin, sizeof *begin * ((size_t)digits + 1));
    }
    return digits;
}

static struct part part_of(const struct part *part, const int64_t *begin, int digit)
{
    return (struct part){begin[digit], begin[digit + 1] - begin[digit], part->word, part->bits};
}

static int largest_digit(const int64_t *begin, int digits)
{
    int most = 0;
    for (int d = 1; d < digits; d++)
        if (begin[d + 1] - begin[d] > begin[most + 1] - begin[most])
            most = d;
    return most;
}

/* ---- small parts ---- */

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

/* Puts each item into the place of its digit. */
static void place_items(const uint64_t *item, uint64_t *to, int64_t n, int shift, uint64_t mask,
                        int32_t *place)
{
    uint64_t some[KEYS_TOGETHER];
    int64_t i = 0;
    for (; i + KEYS_TOGETHER <= n; i += KEYS_TOGETHER) {
        memcpy(some, item + i, sizeof some);
#pragma GCC unroll 8
        for (int k = 0; k < KEYS_TOGETHER; k++)
            to[place[some[k] >> shift & mask]++] = some[k];
    }
    for (; i < n; i++)
        to[place[item[i] >> shift & mask]++] = item[i];
}

/* Sorts by the lowest bits of the keys, in as few and as equal digits as possible.  Returns the
 * array with the sorted items, one of the two. */
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
#pragma GCC unroll 8
        for (int64_t i = 0; i < n; i++)
            place[item[i] >> shift & mask]++;
        for (uint64_t d = 0; d <= mask; d++) {
            int32_t count = place[d];
            place[d] = sum;
            sum += count;
        }
        place_items(item, other, n, shift, mask, place);
        uint64_t *swap = item;
        item = other;
        other = swap;
        shift += width;
    }
    return item;
}

/* Brings an array's elements into the items' order. */
static void put_in_order(void *array, void *room, const uint64_t *item, int64_t n, size_t size)
{
#pragma GCC unroll 4
    for (int64_t i = 0; i < n; i++)
        keys_move_value(room, i, array, (int64_t)(item[i] & (SMALL - 1)), size);
    memcpy(array, room, (size_t)n * size);
}

/* Takes words from the items, which contain all bits in which the words differ. */
static void take_bits(uint64_t *word, const uint64_t *item, int64_t n, int bits)
{
    const uint64_t same = word[0] >> bits << bits;
#pragma GCC unroll 4
    for (int64_t i = 0; i < n; i++)
        word[i] = same | item[i] >> ENTRY_BITS;
}

/* Makes items of the present entries, with some bits of a word. */
static void make_items(uint64_t *item, const uint64_t *word, int64_t n, int low, int bits)
{
    const uint64_t mask = (UINT64_C(1) << bits) - 1;
#pragma GCC unroll 4
    for (int64_t i = 0; i < n; i++)
        item[i] = (word[i] >> low & mask) << ENTRY_BITS | (uint64_t)i;
}

/* The same for entries in the order of the items. */
static void take_items(uint64_t *item, const uint64_t *word, int64_t n, int low, int bits)
{
    const uint64_t mask = (UINT64_C(1) << bits) - 1, number = SMALL - 1;
    for (int64_t i = 0; i < n; i++) {
        const uint64_t entry = item[i] & number;
        item[i] = (word[entry] >> low & mask) << ENTRY_BITS | entry;
    }
}

static void sort_small(const struct sorter *s, const struct part *part, int worker)
{
    const struct keys *keys = s->keys;
    uint64_t *item = s->desk + DESK * s->small * worker, *other = item + s->small,
             *room = other + s->small, *sorted = item;
    bool made = false;
    for (int w = keys->last; w >= part->word; w--) {
        const uint64_t *word = keys->word[w] + part->begin;
        int all = w == part->word ? part->bits : keys->bits[w];
        for (int low = ordered_bits(s, w), bits; low < all; low += bits) {
            bits = all - low < ITEM_BITS ? all - low : ITEM_BITS;
            if (made)
                take_items(sorted, word, part->n, low, bits);
            else
                make_items(item, word, part->n, low, bits);
            made = true;
            sorted = sort_items(sorted, sorted == item ? other : item, part->n, bits);
        }
    }
    size_t size = type_size(keys->type);
    uint64_t *last = keys->word[keys->last] + part->begin;
    /* all entries of the part are equal in the words before */
    if (part->word == keys->last && part->bits <= ITEM_BITS && ordered_bits(s, keys->last) == 0)
        take_bits(last, sorted, part->n, part->bits);
    else
        for (int w = part->word; w <= keys->last; w++)
            put_in_order(keys->word[w] + part->begin, room, sorted, part->n, sizeof *item);
    put_in_order((char *)keys->vals + (size_t)part->begin * size, room, sorted, part->n, size);
}

/* ---- parts ---- */

/* Goes on with the next word when a word's bits are used up.  false if no bits are left. */
static bool has_bits(const struct sorter *s, struct part *part)
{
    while (part->bits == 0 && part->word < s->keys->last)
        part->bits = s->keys->bits[++part->word];
    return part->bits > ordered_bits(s, part->word);
}

/* Sorts on one thread.  The largest part is done in a loop, so calls nest only as deep as entries
 * can be halved, however long keys are. */
static void sort_alone(const struct sorter *s, struct part part, int worker)
{
    int64_t begin[STRIPE_DIGITS + 1];
    bool more = has_bits(s, &part);
    for (; more && part.n > SMALL; more = has_bits(s, &part)) {
        struct stripe_memory *memory = &s->alone[worker];
        bool moved;
        int digits = distribute(s, &part, memory, 1, begin, &moved);
        for (int d = 0; d < digits && moved; d++)
            stripes_finish(memory, d);
        int most = largest_digit(begin, digits);
        for (int d = 0; d < digits; d++)
            if (d != most)
                sort_alone(s, part_of(&part, begin, d), worker);
        part = part_of(&part, begin, most);
    }
    if (more && part.n > 1)
        sort_small(s, &part, worker);
}

static void sort_digit(void *data, int64_t digit, int worker)
{
    const struct sorter *s = data;
    if (s->moved)
        stripes_finish(&s->together, (int)digit);
    struct part part = part_of(&s->part, s->begin, (int)digit);
    if (part.n <= s->large)
        sort_alone(s, part, worker);
}

/* Sorts on all threads, likewise. */
static void sort_together(struct sorter *s, struct part part)
{
    int64_t begin[STRIPE_DIGITS + 1];
    bool more = has_bits(s, &part);
    for (; more && part.n > s->large; more = has_bits(s, &part)) {
        int digits = distribute(s, &part, &s->together, s->threads, begin, &s->moved);
        s->part = part;
        s->begin = begin;
        threads_run(s->threads, digits, sort_digit, s);
        int most = largest_digit(begin, digits);
        for (int d = 0; d < digits; d++)
            if (d != most && begin[d + 1] - begin[d] > s->large)
                sort_together(s, part_of(&part, begin, d));
        part = part_of(&part, begin, most);
        if (part.n <= s->large)
            return;
    }
    if (more)
        sort_alone(s, part, 0);
}

/* Allocates memory for distribution, if there is some that is not small. */
static bool make_rooms(struct sorter *s)
{
    int64_t n = s->keys->n;
    int workers = n > SMALL ? threads_count(s->threads) : 1;
    s->small = n < SMALL ? n : SMALL;
    s->desk = rt_array(workers * s->small, DESK * sizeof *s->desk);
    s->alone = rt_array(workers, sizeof *s->alone);
    bool made = s->desk && s->alone;
    if (made && n > SMALL)
        made = stripe_blocks_open(&s->blocks, n)
               && stripes_open(&s->together, s->keys, n, s->threads, s->blocks);
    for (; made && s->large > SMALL && s->memories < workers; s->memories++)
        made = stripes_open(&s->alone[s->memories], s->keys, s->large, 1, s->blocks);
    return made;
}

enum rt_status keys_sort(struct keys *keys, int threads, struct rt_error *error)
{
    struct sorter s = {.keys = keys, .threads = threads, .large = keys->n / LARGE_SHARE};
    s.large = s.large > SMALL ? s.large : SMALL;
    bool made = make_rooms(&s);
    if (made)
        sort_together(&s, (struct part){0, keys->n, keys->first, keys->bits[keys->first]});
    for (int i = 0; i < s.memories; i++)
        stripes_close(&s.alone[i]);
    stripes_close(&s.together);
    stripe_blocks_close(&s.blocks);
    free(s.desk);
    free(s.alone);
    return made ? RT_OK : rt_no_memory(error);
}

/* ---- lists ---- */

/* Copies the coordinates of the keys into the list. */
static void put_coordinates(struct coords *coords, const struct keys *keys)
{
    for (int64_t i = 0; i < coords->n; i++) {
        uint64_t word = 0;
        for (int m = 0; m < coords->order; m++) {
            int64_t at = keys_coordinate(keys, m, i);
            if (coords->packed)
                word |= (uint64_t)at << coords->shift[m];
            else
                coords->coordinate[m][i] = at;
        }
        if (coords->packed)
            coords->word[i] = word;
    }
}

enum rt_status coords_sort(struct coords *coords, int threads, struct rt_error *error)
{
    struct keys keys;
    enum rt_status status = keys_make(&keys, coords, NULL, false, threads, error);
    if (status == RT_OK)
        put_coordinates(coords, &keys);
    if (status == RT_OK && coords->n > 0)
        memcpy(coords->vals, keys.vals, (size_t)coords->n * type_size(coords->type));
    keys_free(&keys);
    return status;
}
