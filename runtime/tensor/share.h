/* share.h - entries put in the order of some bits of their keys, where they are.
 *
 *     share_out(&room, &part, threads);            blocks of one digit each are where they belong
 *     for each digit d, in any order, by any thread:
 *         share_finish(&room, d);                  entries [begin[d], begin[d + 1]) have it
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_TENSOR_SHARE_H
#define SPCC_TENSOR_SHARE_H

#include <stdatomic.h>
#include <stdbool.h>

#include "runtime/tensor/keys.h"

/* More places than that are slower to write to by turns. */
enum { SHARE_BITS = 9, SHARES = 1 << SHARE_BITS };

/* Some entries: the keys' words, and values. */
struct share_entries {
    int words;
    size_t size; /* of a value */
    uint64_t *word[KEY_WORDS];
    char *vals;
    void *memory; /* of the arrays, if they are the entries' own */
};

/* For each block of all entries; parts that have none in common may be shared out at once. */
struct share_blocks {
    int64_t *target;       /* where it goes */
    atomic_uchar *cleared; /* what was there has been taken away */
};

/* A thread's part of the entries, of which it has put full blocks back in front, and keeps what
 * does not fill a block. */
struct share_stripe {
    int64_t begin, end, used; /* blocks */
    int64_t full[SHARES];
    int left[SHARES];
    struct share_entries buffer; /* a block for each digit */
};

struct share_part {
    int64_t begin, n;
    int word, shift, digits; /* as many digits as that, a power of two, from that bit on */
};

struct share_room {
    struct share_entries all;
    struct share_blocks blocks;
    struct share_stripe *stripe;
    struct share_entries *hop;  /* for each worker two blocks */
    struct share_entries heads; /* of each digit's first block, what is before its begin */
    int stripes_most, hops;
    /* what is shared out */
    struct share_part part;
    int stripes;
    int64_t begin[SHARES + 1]; /* where a digit's entries begin */
    int64_t first[SHARES];     /* its first block */
};

bool share_blocks_open(struct share_blocks *blocks, int64_t n);
void share_blocks_close(struct share_blocks *blocks);

/* For parts of up to n of the keys; threads as in threads_run.  false: no memory.  For share_close
 * in any case. */
bool share_open(struct share_room *room, const struct keys *keys, int64_t n, int threads,
                struct share_blocks blocks);
void share_close(struct share_room *room);

/* Stable, for any number of threads. */
void share_out(struct share_room *room, const struct share_part *part, int threads);
void share_finish(const struct share_room *room, int digit);

#endif
