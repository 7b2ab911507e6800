/* stripes.h - entries put in the order of some bits of their keys, where they are.
 *
 *     stripes_distribute(&memory, &part, threads);   blocks of one digit each are where they belong
 *     for each digit d, in any order, by any thread:
 *         stripes_finish(&memory, d);                entries [begin[d], begin[d + 1]) have it
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_TENSOR_STRIPES_H
#define SPCC_TENSOR_STRIPES_H

#include <stdatomic.h>
#include <stdbool.h>

#include "runtime/tensor/keys.h"

/* More places than that are slower to write to by turns. */
enum { STRIPE_DIGIT_BITS = 9, STRIPE_DIGITS = 1 << STRIPE_DIGIT_BITS };

/* Some entries: the keys' words, and values. */
struct stripe_entries {
    int words;
    size_t size; /* of a value */
    uint64_t *word[KEY_WORDS];
    char *vals;
    void *memory; /* of the arrays, if they are the entries' own */
};

/* For each block of all entries; parts that have none in common may be distributed at once. */
struct stripe_blocks {
    int64_t *target;       /* where it goes */
    atomic_uchar *cleared; /* what was there has been taken away */
};

/* A thread's part of the entries, of which it has put full blocks back in front, and keeps what
 * does not fill a block. */
struct stripe {
    int64_t begin, end, used; /* blocks */
    int64_t full[STRIPE_DIGITS];
    int left[STRIPE_DIGITS];
    struct stripe_entries buffer; /* a block for each digit */
};

struct stripe_part {
    int64_t begin, n;
    int word, shift, digits; /* as many digits as that, a power of two, from that bit on */
};

struct stripe_memory {
    struct stripe_entries all;
    struct stripe_blocks blocks;
    struct stripe *stripe;
    struct stripe_entries *hop;  /* for each worker two blocks */
    struct stripe_entries heads; /* of each digit's first block, what is before its begin */
    int stripes_most, hops;
    /* what is distributed */
    struct stripe_part part;
    int stripes;
    int64_t begin[STRIPE_DIGITS + 1]; /* where a digit's entries begin */
    int64_t first[STRIPE_DIGITS];     /* its first block */
};

bool stripe_blocks_open(struct stripe_blocks *blocks, int64_t n);
void stripe_blocks_close(struct stripe_blocks *blocks);

/* For parts of up to n of the keys; threads as in threads_run.  false: no memory.  For
 * stripes_close in any case. */
bool stripes_open(struct stripe_memory *memory, const struct keys *keys, int64_t n, int threads,
                  struct stripe_blocks blocks);
void stripes_close(struct stripe_memory *memory);

/* Stable, for any number of threads. */
void stripes_distribute(struct stripe_memory *memory, const struct stripe_part *part, int threads);
void stripes_finish(const struct stripe_memory *memory, int digit);

#endif
