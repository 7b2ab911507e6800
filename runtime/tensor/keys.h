/* keys.h - entries of a tensor by key: what the levels of a format store of each, in as few words
 * of 64 bits as hold it.
 *
 *     levels     i/4     j/4     i%4   j%4       keys are in order when the entries are the
 *     word 1   | 2 bits| 3 bits| 2   | 2    |    leaves of the coordinate tree (thesis 2.2) from
 *                                                left to right
 *
 * Of levels in Morton order some bits of each, taken in turns, stand before their parts.
 *
 * A level's part is its distance from the least coordinate that it can have, so a key says all of
 * its entry: the list that it was made of is not needed any more.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_TENSOR_KEYS_H
#define SPCC_TENSOR_KEYS_H

#include <string.h>

#include "runtime/tensor/coords.h"

enum { KEY_WORDS = 2 * LEVELS_MAX + 1, KEY_BITS = 64, KEY_TURNS = 64 };

/* So many keys are read before entries are put where these say: a processor that does not know yet
 * where it stores to holds back what is loaded behind that. */
enum { KEYS_TOGETHER = 8 };

struct key_part {
    int word, shift, bits; /* where it is */
    int64_t low;           /* what it is the distance from */
};

/* Bits [low, low + planes) of the first levels, in turns. */
struct key_turns {
    struct key_part part;
    int low, planes;
};

struct keys {
    int64_t n;
    int levels;
    int morton, turns; /* this many levels, in this many parts */
    struct key_turns turn[KEY_TURNS];
    struct key_part part[LEVELS_MAX];
    /* Words first .. last count, the most significant first.  Word 0 is there if the entries have
     * been placed (keys_place). */
    int first, last;
    uint64_t *word[KEY_WORDS];
    int bits[KEY_WORDS];                      /* that are used of each, the lower ones */
    unsigned char level[KEY_WORDS][KEY_BITS]; /* to which level a bit belongs */
    int ordered;    /* the list is in order by this many of the last word's lowest bits */
    enum type type; /* of the values */
    void *vals;
};

/* The keys of a list in order, those of equal ones in the order of the list.  Without a format the
 * levels store the modes.  If `taken`, the list's arrays become the keys', and the list is empty,
 * also after a failure.  The coordinates are in range.  threads as in threads_run.  For keys_free.
 * Fails for lack of memory only. */
enum rt_status keys_make(struct keys *keys, struct coords *coords, const struct format *format,
                         bool taken, int threads, struct rt_error *error);
void keys_free(struct keys *keys);

/* Sort; sort.c. */
enum rt_status keys_sort(struct keys *keys, int threads, struct rt_error *error);

/* Copies a value of that size from one place of an array to one of another. */
static inline void keys_move_value(void *to, int64_t at, const void *from, int64_t entry,
                                   size_t size)
{
    if (size == sizeof(uint64_t))
        ((uint64_t *)to)[at] = ((const uint64_t *)from)[entry];
    else if (size == sizeof(uint32_t))
        ((uint32_t *)to)[at] = ((const uint32_t *)from)[entry];
    else
        memcpy((char *)to + (size_t)at * size, (const char *)from + (size_t)entry * size, size);
}

/* Adds a value (bool: or) to that of a duplicate, an entry with the same key. */
void keys_add_value(enum type type, void *sum, const void *value);

/* From now on the entries have positions in a level, below `positions`, which come first: sort by
 * these.  The array, from malloc, is taken, also after a failure. */
enum rt_status keys_place(struct keys *keys, int level, int64_t *position, int64_t positions,
                          int threads, struct rt_error *error);

static inline int64_t keys_coordinate(const struct keys *keys, int level, int64_t entry)
{
    const struct key_part *part = &keys->part[level];
    uint64_t n = keys->word[part->word][entry] >> part->shift;
    n &= part->bits == 0 ? 0 : UINT64_MAX >> (KEY_BITS - part->bits);
    return (int64_t)((uint64_t)part->low + n);
}

/* Returns the first level in which an entry differs from the one before it; the number of levels if
 * it is the same. */
static inline int keys_difference(const struct keys *keys, int64_t entry)
{
    for (int w = keys->first; w <= keys->last; w++) {
        uint64_t change = keys->word[w][entry] ^ keys->word[w][entry - 1];
        if (change)
            return keys->level[w][KEY_BITS - 1 - __builtin_clzll(change)];
    }
    return keys->levels;
}

/* The same of n entries from `begin` on; entry 0 differs in level 0. */
void keys_differences(const struct keys *keys, int64_t begin, int64_t n, unsigned char *differs);

/* Returns how many of these differ first in that level or one above it. */
int64_t keys_count_up_to(const unsigned char *differs, int64_t n, int level);

/* Of n entries from `begin` on, those that are no duplicates: keys, and what they differ in, go to
 * the front, and values, duplicates' added, to behind the last one so far.  How many they are.  The
 * last of the n keys stays at the end, too. */
int64_t keys_combine(struct keys *keys, int64_t begin, int64_t n, unsigned char *differs,
                     int64_t *last);

/* The nodes of level k of sorted entries begin where an entry differs from the one before it in a
 * level up to tells[k]: its own; of a level that need not be unique the branchless ones below. */
void keys_tells(const struct format *format, int *tells);

/* What n entries differ in, of which the first has a parent of its own, where levels bound how many
 * children a parent has: one more is as if it had another parent. */
void keys_split(const struct format *format, const int *tells, int64_t n, unsigned char *differs);

/* May a part begin with an entry that differs in that level, so that it need not be known how many
 * children its parents have before? */
bool keys_may_begin(const struct format *format, const int *tells, int differs);

/* Entries are cut into this many blocks, by their number alone. */
static inline int64_t keys_blocks(int64_t n)
{
    enum { BLOCK = 1 << 16, BLOCKS = 64 };
    return n / BLOCK < BLOCKS ? n / BLOCK + 1 : BLOCKS;
}

#endif
