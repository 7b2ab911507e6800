/* stripes.c - brings entries into the order of some bits of their keys, in place.
 *
 * As in IPS4o (Axtmann, Witt, Ferizovic, Sanders, "In-place Parallel Super Scalar Samplesort", ESA
 * 2017), but stable.  Each thread reads a stripe, and puts each entry into a buffer of its digit.
 * A full buffer becomes a block at the front of the stripe, which has been read by then.  So all
 * entries are in blocks of one digit, and in the buffers:
 *
 *     stripe 0                  stripe 1
 *     | 2 | 0 | 1 | 2 |   |   | 0 | 2 | 1 |   |   |        and entries that fill no block
 *
 * Then the blocks move to their digit's part, in the order of the stripes; the first may begin
 * before the part.  Each target is known, and a thread that puts a block there goes on with the
 * block that it finds there.  In the end the entries of the buffers are put between the blocks of
 * their digit.  For that the blocks move up by less than a block for each stripe, while they are
 * in the cache.
 *
 * So there is no second copy of the entries, and no page that the system has to clear.
 *
 * SPDX-License-Identifier: MIT
 */
#include "runtime/tensor/stripes.h"

#include <sched.h>
#include <string.h>

#include "runtime/tensor/alloc.h"
#include "runtime/threads/threads.h"

/* Stripes are long compared with their buffers. */
enum { BLOCK = 64, STRIPE = 4 * BLOCK * STRIPE_DIGITS };

enum { THERE, TAKEN, CLEARED }; /* the states of a block */

/* ---- memory ---- */

static bool make_entries(struct stripe_entries *made, const struct stripe_entries *like, int64_t n)
{
    *made = (struct stripe_entries){.words = like->words, .size = like->size};
    made->memory = rt_array(n, (size_t)like->words * sizeof(uint64_t) + like->size);
    for (int w = 0; w < like->words && made->memory; w++)
        made->word[w] = (uint64_t *)made->memory + w * n;
    if (made->memory)
        made->vals = (char *)((uint64_t *)made->memory + like->words * n);
    return made->memory;
}

static void copy_entries(const struct stripe_entries *to, int64_t at,
                         const struct stripe_entries *from, int64_t begin, int64_t n)
{
    for (int w = 0; w < to->words; w++)
        memmove(to->word[w] + at, from->word[w] + begin, (size_t)n * sizeof *to->word[w]);
    memmove(to->vals + (size_t)at * to->size, from->vals + (size_t)begin * to->size,
            (size_t)n * to->size);
}

bool stripe_blocks_open(struct stripe_blocks *blocks, int64_t n)
{
    blocks->target = rt_array(n / BLOCK + 1, sizeof *blocks->target);
    blocks->cleared = rt_array(n / BLOCK + 1, sizeof *blocks->cleared);
    return blocks->target && blocks->cleared;
}

void stripe_blocks_close(struct stripe_blocks *blocks)
{
    free(blocks->target);
    free(blocks->cleared);
}

bool stripes_open(struct stripe_memory *memory, const struct keys *keys, int64_t n, int threads,
                  struct stripe_blocks blocks)
{
    struct stripe_entries *all = &memory->all;
    memset(memory, 0, sizeof *memory);
    memory->blocks = blocks;
    *all = (struct stripe_entries){.size = type_size(keys->type), .vals = keys->vals};
    for (int w = keys->first; w <= keys->last; w++)
        all->word[all->words++] = keys->word[w];
    int hops = threads_count(threads), stripes = n / STRIPE < hops ? (int)(n / STRIPE) : hops;
    stripes = stripes > 0 ? stripes : 1;
    memory->stripe = rt_array(stripes, sizeof *memory->stripe);
    memory->hop = rt_array(hops, sizeof *memory->hop);
    bool made =
        memory->stripe && memory->hop && make_entries(&memory->heads, all, STRIPE_DIGITS * BLOCK);
    for (; made && memory->stripes_most < stripes; memory->stripes_most++)
        made =
            make_entries(&memory->stripe[memory->stripes_most].buffer, all, STRIPE_DIGITS * BLOCK);
    for (; made && memory->hops < hops; memory->hops++)
        made = make_entries(&memory->hop[memory->hops], all, 2 * BLOCK);
    return made;
}

void stripes_close(struct stripe_memory *memory)
{
    for (int i = 0; i < memory->stripes_most; i++)
        free(memory->stripe[i].buffer.memory);
    for (int i = 0; i < memory->hops; i++)
        free(memory->hop[i].memory);
    free(memory->heads.memory);
    free(memory->stripe);
    free(memory->hop);
}

/* ---- entries into blocks ---- */

/* Returns the part's blocks in the arrays for all blocks. */
static struct stripe_blocks blocks_of(const struct stripe_memory *memory)
{
    int64_t first = (memory->part.begin + BLOCK - 1) / BLOCK;
    return (struct stripe_blocks){memory->blocks.target + first, memory->blocks.cleared + first};
}

/* Makes the usual entries' loop know that they have one word, and values of one size. */
#define ALWAYS __attribute__((always_inline))

/* Puts an entry into the buffer of its digit, and a full buffer to the front of the stripe. */
ALWAYS static inline void put_entry(const struct stripe_memory *memory, struct stripe *stripe,
                                    uint64_t digit, int64_t entry, int words, size_t size)
{
    const struct stripe_entries *all = &memory->all, *buffer = &stripe->buffer;
    int64_t first = (int64_t)digit * BLOCK, at = first + stripe->left[digit];
    for (int w = 0; w < words; w++)
        buffer->word[w][at] = all->word[w][entry];
    keys_move_value(buffer->vals, at, all->vals, entry, size);
    if (++stripe->left[digit] < BLOCK)
        return;
    copy_entries(all, memory->part.begin + stripe->used * BLOCK, buffer, first, BLOCK);
    blocks_of(memory).target[stripe->used++] = (int64_t)digit;
    stripe->full[digit]++;
    stripe->left[digit] = 0;
}

ALWAYS static inline void read_stripe(const struct stripe_memory *memory, struct stripe *stripe,
                                      int64_t end, int words, size_t size)
{
    const uint64_t *word = memory->all.word[memory->part.word];
    const uint64_t mask = (uint64_t)memory->part.digits - 1;
    const int shift = memory->part.shift;
    uint64_t digit[KEYS_TOGETHER];
    for (int64_t i = memory->part.begin + stripe->begin * BLOCK, n; i < end; i += n) {
        n = end - i < KEYS_TOGETHER ? end - i : KEYS_TOGETHER;
        for (int64_t k = 0; k < n; k++)
            digit[k] = word[i + k] >> shift & mask;
        for (int64_t k = 0; k < n; k++)
            put_entry(memory, stripe, digit[k], i + k, words, size);
    }
}

static void fill_blocks(void *data, int64_t number, int worker)
{
    struct stripe_memory *memory = data;
    struct stripe *stripe = &memory->stripe[number];
    const struct stripe_entries *all = &memory->all;
    int64_t n = memory->part.n, blocks = n / BLOCK;
    bool is_last = number + 1 == memory->stripes;
    (void)worker;
    stripe->begin = stripe->used = threads_begin(blocks, memory->stripes, number);
    stripe->end = threads_begin(blocks, memory->stripes, number + 1);
    memset(stripe->full, 0, sizeof stripe->full);
    memset(stripe->left, 0, sizeof stripe->left);
    int64_t end = memory->part.begin + (is_last ? n : stripe->end * BLOCK);
    /* the usual entries have a loop of their own */
    if (all->words == 1 && all->size == sizeof(uint64_t))
        read_stripe(memory, stripe, end, 1, sizeof(uint64_t));
    else
        read_stripe(memory, stripe, end, all->words, all->size);
}

/* ---- blocks to their places ---- */

/* Finds where digits begin, and where each block goes. */
static void find_targets(struct stripe_memory *memory)
{
    const struct stripe_part *part = &memory->part;
    const struct stripe_blocks blocks = blocks_of(memory);
    int64_t sum = part->begin, next[STRIPE_DIGITS];
    for (int d = 0; d < part->digits; d++) {
        memory->begin[d] = sum;
        memory->first[d] = next[d] = (sum - part->begin) / BLOCK;
        for (int s = 0; s < memory->stripes; s++)
            sum += memory->stripe[s].full[d] * BLOCK + memory->stripe[s].left[d];
    }
    memory->begin[part->digits] = sum;
    for (int s = 0; s < memory->stripes; s++) {
        const struct stripe *stripe = &memory->stripe[s];
        for (int64_t i = stripe->begin; i < stripe->end; i++) {
            atomic_init(&blocks.cleared[i], i < stripe->used ? THERE : CLEARED);
            if (i < stripe->used)
                blocks.target[i] = next[blocks.target[i]]++;
        }
    }
}

/* Takes a block that nobody has taken into one of the hop's two buffers. */
static bool take_block(const struct stripe_memory *memory, const struct stripe_entries *hop,
                       int which, int64_t block)
{
    unsigned char there = THERE;
    atomic_uchar *cleared = &blocks_of(memory).cleared[block];
    if (!atomic_compare_exchange_strong(cleared, &there, TAKEN))
        return false;
    copy_entries(hop, which * BLOCK, &memory->all, memory->part.begin + block * BLOCK, BLOCK);
    atomic_store_explicit(cleared, CLEARED, memory_order_release);
    return true;
}

/* Moves a block, then the block that was in its place, and so on, until a place is free. */
static void move_chain(const struct stripe_memory *memory, const struct stripe_entries *hop,
                       int64_t block)
{
    const struct stripe_blocks blocks = blocks_of(memory);
    int which = 0;
    for (bool more = take_block(memory, hop, which, block); more; which = !which) {
        int64_t to = blocks.target[block];
        more = take_block(memory, hop, !which, to);
        while (atomic_load_explicit(&blocks.cleared[to], memory_order_acquire) != CLEARED)
            sched_yield();
        copy_entries(&memory->all, memory->part.begin + to * BLOCK, hop, which * BLOCK, BLOCK);
        block = to;
    }
}

static void move_blocks(void *data, int64_t number, int worker)
{
    const struct stripe_memory *memory = data;
    int64_t blocks = memory->part.n / BLOCK, tasks = keys_blocks(memory->part.n),
            end = threads_begin(blocks, tasks, number + 1);
    for (int64_t i = threads_begin(blocks, tasks, number); i < end; i++)
        move_chain(memory, &memory->hop[worker], i);
}

/* Returns how many entries of a digit's first block lie before the digit's begin. */
static int64_t head_of(const struct stripe_memory *memory, int digit)
{
    return memory->begin[digit] - memory->part.begin - memory->first[digit] * BLOCK;
}

static int64_t blocks_with(const struct stripe_memory *memory, int digit)
{
    int64_t n = 0;
    for (int s = 0; s < memory->stripes; s++)
        n += memory->stripe[s].full[digit];
    return n;
}

void stripes_distribute(struct stripe_memory *memory, const struct stripe_part *part, int threads)
{
    int64_t most = part->n / STRIPE;
    memory->part = *part;
    memory->stripes = most < 1 ? 1 : most < memory->stripes_most ? (int)most : memory->stripes_most;
    threads_run(threads, memory->stripes, fill_blocks, memory);
    find_targets(memory);
    threads_run(threads, keys_blocks(part->n), move_blocks, memory);
    /* entries that the digit before overwrites */
    for (int d = 0; d < part->digits; d++)
        if (blocks_with(memory, d) > 0)
            copy_entries(&memory->heads, d * BLOCK, &memory->all,
                         memory->begin[d] - head_of(memory, d), head_of(memory, d));
}

/* Goes from the last stripe to the first. */
void stripes_finish(const struct stripe_memory *memory, int digit)
{
    const struct stripe_entries *all = &memory->all;
    int64_t to = memory->begin[digit + 1], head = head_of(memory, digit),
            from = memory->begin[digit] - head + blocks_with(memory, digit) * BLOCK;
    for (int s = memory->stripes - 1; s >= 0; s--) {
        const struct stripe *stripe = &memory->stripe[s];
        int64_t left = stripe->left[digit], n = stripe->full[digit] * BLOCK;
        copy_entries(all, to -= left, &stripe->buffer, digit * BLOCK, left);
        to -= n;
        from -= n;
        int64_t before = n > 0 && from < memory->begin[digit] ? head : 0;
        copy_entries(all, to + before, all, from + before, n - before);
        copy_entries(all, to, &memory->heads, digit * BLOCK, before);
    }
}
