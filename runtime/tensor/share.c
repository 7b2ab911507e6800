/* share.c - entries put in the order of some bits of their keys, where they are.
 *
 * As in IPS4o (Axtmann, Witt, Ferizovic, Sanders, "In-place Parallel Super Scalar Samplesort", ESA
 * 2017), but stable.  Threads read a stripe each, and put each entry into a buffer of its digit.  A
 * buffer that is full becomes a block in the front of the stripe, which has been read by then.  So
 * all is in blocks of one digit, and in the buffers:
 *
 *     stripe 0                  stripe 1
 *     | 2 | 0 | 1 | 2 |   |   | 0 | 2 | 1 |   |   |        and what fills no block
 *
 * Then blocks go to the first ones that are in the part of the digit, or begin before it, in the
 * order of the stripes: each target is known, and a thread that puts a block there goes on with the
 * one that it has found there.  In the end what is left in the buffers is put between the blocks of
 * its digit, which move up for that by less than a block for each stripe, while they are in the
 * cache.
 *
 * So there is no second copy of the entries, and no page that the system has to clear.
 *
 * SPDX-License-Identifier: MIT
 */
#include "runtime/tensor/share.h"

#include <sched.h>
#include <string.h>

#include "runtime/tensor/alloc.h"
#include "runtime/threads/threads.h"

/* Stripes are long beside what their buffers hold. */
enum { BLOCK = 64, STRIPE = 4 * BLOCK * SHARES };

enum { THERE, TAKEN, CLEARED }; /* a block */

/* ---- memory ---- */

static bool make_entries(struct share_entries *made, const struct share_entries *like, int64_t n)
{
    *made = (struct share_entries){.words = like->words, .size = like->size};
    made->memory = rt_array(n, (size_t)like->words * sizeof(uint64_t) + like->size);
    for (int w = 0; w < like->words && made->memory; w++)
        made->word[w] = (uint64_t *)made->memory + w * n;
    if (made->memory)
        made->vals = (char *)((uint64_t *)made->memory + like->words * n);
    return made->memory;
}

static void copy_entries(const struct share_entries *to, int64_t at,
                         const struct share_entries *from, int64_t begin, int64_t n)
{
    for (int w = 0; w < to->words; w++)
        memmove(to->word[w] + at, from->word[w] + begin, (size_t)n * sizeof *to->word[w]);
    memmove(to->vals + (size_t)at * to->size, from->vals + (size_t)begin * to->size,
            (size_t)n * to->size);
}

bool share_blocks_open(struct share_blocks *blocks, int64_t n)
{
    blocks->target = rt_array(n / BLOCK + 1, sizeof *blocks->target);
    blocks->cleared = rt_array(n / BLOCK + 1, sizeof *blocks->cleared);
    return blocks->target && blocks->cleared;
}

void share_blocks_close(struct share_blocks *blocks)
{
    free(blocks->target);
    free(blocks->cleared);
}

bool share_open(struct share_room *room, const struct keys *keys, int64_t n, int threads,
                struct share_blocks blocks)
{
    struct share_entries *all = &room->all;
    memset(room, 0, sizeof *room);
    room->blocks = blocks;
    *all = (struct share_entries){.size = type_size(keys->type), .vals = keys->vals};
    for (int w = keys->first; w <= keys->last; w++)
        all->word[all->words++] = keys->word[w];
    int hops = threads_count(threads), stripes = n / STRIPE < hops ? (int)(n / STRIPE) : hops;
    stripes = stripes > 0 ? stripes : 1;
    room->stripe = rt_array(stripes, sizeof *room->stripe);
    room->hop = rt_array(hops, sizeof *room->hop);
    bool made = room->stripe && room->hop && make_entries(&room->heads, all, SHARES * BLOCK);
    for (; made && room->stripes_most < stripes; room->stripes_most++)
        made = make_entries(&room->stripe[room->stripes_most].buffer, all, SHARES * BLOCK);
    for (; made && room->hops < hops; room->hops++)
        made = make_entries(&room->hop[room->hops], all, 2 * BLOCK);
    return made;
}

void share_close(struct share_room *room)
{
    for (int i = 0; i < room->stripes_most; i++)
        free(room->stripe[i].buffer.memory);
    for (int i = 0; i < room->hops; i++)
        free(room->hop[i].memory);
    free(room->heads.memory);
    free(room->stripe);
    free(room->hop);
}

/* ---- into blocks ---- */

/* The part's blocks in the arrays for all of them. */
static struct share_blocks blocks_of(const struct share_room *room)
{
    int64_t first = (room->part.begin + BLOCK - 1) / BLOCK;
    return (struct share_blocks){room->blocks.target + first, room->blocks.cleared + first};
}

/* So that the loop of the usual entries has one word and values of one size. */
#define ALWAYS __attribute__((always_inline))

/* An entry goes into the buffer of its digit; one that is full then, to the front of the stripe. */
ALWAYS static inline void put_entry(const struct share_room *room, struct share_stripe *stripe,
                                    uint64_t digit, int64_t entry, int words, size_t size)
{
    const struct share_entries *all = &room->all, *buffer = &stripe->buffer;
    int64_t first = (int64_t)digit * BLOCK, at = first + stripe->left[digit];
    for (int w = 0; w < words; w++)
        buffer->word[w][at] = all->word[w][entry];
    keys_move_value(buffer->vals, at, all->vals, entry, size);
    if (++stripe->left[digit] < BLOCK)
        return;
    copy_entries(all, room->part.begin + stripe->used * BLOCK, buffer, first, BLOCK);
    blocks_of(room).target[stripe->used++] = (int64_t)digit;
    stripe->full[digit]++;
    stripe->left[digit] = 0;
}

ALWAYS static inline void read_stripe(const struct share_room *room, struct share_stripe *stripe,
                                      int64_t end, int words, size_t size)
{
    const uint64_t *word = room->all.word[room->part.word];
    const uint64_t mask = (uint64_t)room->part.digits - 1;
    const int shift = room->part.shift;
    uint64_t digit[KEYS_TOGETHER];
    for (int64_t i = room->part.begin + stripe->begin * BLOCK, n; i < end; i += n) {
        n = end - i < KEYS_TOGETHER ? end - i : KEYS_TOGETHER;
        for (int64_t k = 0; k < n; k++)
            digit[k] = word[i + k] >> shift & mask;
        for (int64_t k = 0; k < n; k++)
            put_entry(room, stripe, digit[k], i + k, words, size);
    }
}

static void fill_blocks(void *data, int64_t number, int worker)
{
    struct share_room *room = data;
    struct share_stripe *stripe = &room->stripe[number];
    const struct share_entries *all = &room->all;
    int64_t n = room->part.n, blocks = n / BLOCK;
    bool is_last = number + 1 == room->stripes;
    (void)worker;
    stripe->begin = stripe->used = threads_begin(blocks, room->stripes, number);
    stripe->end = threads_begin(blocks, room->stripes, number + 1);
    memset(stripe->full, 0, sizeof stripe->full);
    memset(stripe->left, 0, sizeof stripe->left);
    int64_t end = room->part.begin + (is_last ? n : stripe->end * BLOCK);
    /* The usual entries have a loop of their own. */
    if (all->words == 1 && all->size == sizeof(uint64_t))
        read_stripe(room, stripe, end, 1, sizeof(uint64_t));
    else
        read_stripe(room, stripe, end, all->words, all->size);
}

/* ---- where they belong ---- */

/* Where digits begin, and where each block goes. */
static void find_targets(struct share_room *room)
{
    const struct share_part *part = &room->part;
    const struct share_blocks blocks = blocks_of(room);
    int64_t sum = part->begin, next[SHARES];
    for (int d = 0; d < part->digits; d++) {
        room->begin[d] = sum;
        room->first[d] = next[d] = (sum - part->begin) / BLOCK;
        for (int s = 0; s < room->stripes; s++)
            sum += room->stripe[s].full[d] * BLOCK + room->stripe[s].left[d];
    }
    room->begin[part->digits] = sum;
    for (int s = 0; s < room->stripes; s++) {
        const struct share_stripe *stripe = &room->stripe[s];
        for (int64_t i = stripe->begin; i < stripe->end; i++) {
            atomic_init(&blocks.cleared[i], i < stripe->used ? THERE : CLEARED);
            if (i < stripe->used)
                blocks.target[i] = next[blocks.target[i]]++;
        }
    }
}

/* Take a block that nobody has taken into one of the two of the hop. */
static bool take_block(const struct share_room *room, const struct share_entries *hop, int which,
                       int64_t block)
{
    unsigned char there = THERE;
    atomic_uchar *cleared = &blocks_of(room).cleared[block];
    if (!atomic_compare_exchange_strong(cleared, &there, TAKEN))
        return false;
    copy_entries(hop, which * BLOCK, &room->all, room->part.begin + block * BLOCK, BLOCK);
    atomic_store_explicit(cleared, CLEARED, memory_order_release);
    return true;
}

/* Move a block, what was where it goes, and so on, until there is nothing. */
static void move_chain(const struct share_room *room, const struct share_entries *hop,
                       int64_t block)
{
    const struct share_blocks blocks = blocks_of(room);
    int which = 0;
    for (bool more = take_block(room, hop, which, block); more; which = !which) {
        int64_t to = blocks.target[block];
        more = take_block(room, hop, !which, to);
        while (atomic_load_explicit(&blocks.cleared[to], memory_order_acquire) != CLEARED)
            sched_yield();
        copy_entries(&room->all, room->part.begin + to * BLOCK, hop, which * BLOCK, BLOCK);
        block = to;
    }
}

static void move_blocks(void *data, int64_t number, int worker)
{
    const struct share_room *room = data;
    int64_t blocks = room->part.n / BLOCK, tasks = keys_blocks(room->part.n),
            end = threads_begin(blocks, tasks, number + 1);
    for (int64_t i = threads_begin(blocks, tasks, number); i < end; i++)
        move_chain(room, &room->hop[worker], i);
}

/* How many entries of a digit's first block are before its begin. */
static int64_t head_of(const struct share_room *room, int digit)
{
    return room->begin[digit] - room->part.begin - room->first[digit] * BLOCK;
}

static int64_t blocks_with(const struct share_room *room, int digit)
{
    int64_t n = 0;
    for (int s = 0; s < room->stripes; s++)
        n += room->stripe[s].full[digit];
    return n;
}

void share_out(struct share_room *room, const struct share_part *part, int threads)
{
    int64_t most = part->n / STRIPE;
    room->part = *part;
    room->stripes = most < 1 ? 1 : most < room->stripes_most ? (int)most : room->stripes_most;
    threads_run(threads, room->stripes, fill_blocks, room);
    find_targets(room);
    threads_run(threads, keys_blocks(part->n), move_blocks, room);
    /* What the digit before it writes over. */
    for (int d = 0; d < part->digits; d++)
        if (blocks_with(room, d) > 0)
            copy_entries(&room->heads, d * BLOCK, &room->all, room->begin[d] - head_of(room, d),
                         head_of(room, d));
}

/* From the last stripe to the first. */
void share_finish(const struct share_room *room, int digit)
{
    const struct share_entries *all = &room->all;
    int64_t to = room->begin[digit + 1], head = head_of(room, digit),
            from = room->begin[digit] - head + blocks_with(room, digit) * BLOCK;
    for (int s = room->stripes - 1; s >= 0; s--) {
        const struct share_stripe *stripe = &room->stripe[s];
        int64_t left = stripe->left[digit], n = stripe->full[digit] * BLOCK;
        copy_entries(all, to -= left, &stripe->buffer, digit * BLOCK, left);
        to -= n;
        from -= n;
        int64_t before = n > 0 && from < room->begin[digit] ? head : 0;
        copy_entries(all, to + before, all, from + before, n - before);
        copy_entries(all, to, &room->heads, digit * BLOCK, before);
    }
}
