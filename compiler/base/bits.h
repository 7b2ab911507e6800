/* bits.h - small sets of small numbers, passed by value.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_BASE_BITS_H
#define SPCC_BASE_BITS_H

#include <stdbool.h>
#include <stdint.h>

enum { BITS_WORDS = 4, BITS_MAX = 64 * BITS_WORDS };

/* A set of numbers below BITS_MAX. */
struct bits {
    uint64_t word[BITS_WORDS];
};

static inline struct bits bits_none(void) { return (struct bits){{0}}; }

static inline struct bits bits_with(struct bits a, int i)
{
    a.word[i / 64] |= UINT64_C(1) << (i % 64);
    return a;
}

static inline struct bits bits_without(struct bits a, int i)
{
    a.word[i / 64] &= ~(UINT64_C(1) << (i % 64));
    return a;
}

static inline struct bits bits_one(int i) { return bits_with(bits_none(), i); }

static inline bool bits_has(struct bits a, int i) { return a.word[i / 64] >> (i % 64) & 1; }

static inline struct bits bits_or(struct bits a, struct bits b)
{
    for (int w = 0; w < BITS_WORDS; w++)
        a.word[w] |= b.word[w];
    return a;
}

static inline struct bits bits_and(struct bits a, struct bits b)
{
    for (int w = 0; w < BITS_WORDS; w++)
        a.word[w] &= b.word[w];
    return a;
}

static inline struct bits bits_minus(struct bits a, struct bits b)
{
    for (int w = 0; w < BITS_WORDS; w++)
        a.word[w] &= ~b.word[w];
    return a;
}

static inline bool bits_equal(struct bits a, struct bits b)
{
    for (int w = 0; w < BITS_WORDS; w++)
        if (a.word[w] != b.word[w])
            return false;
    return true;
}

static inline bool bits_empty(struct bits a) { return bits_equal(a, bits_none()); }

/* Is a a subset of b (or the same)? */
static inline bool bits_within(struct bits a, struct bits b)
{
    return bits_empty(bits_minus(a, b));
}

static inline int bits_count(struct bits a)
{
    int n = 0;
    for (int w = 0; w < BITS_WORDS; w++)
        n += __builtin_popcountll(a.word[w]);
    return n;
}

/* Returns the least member; BITS_MAX: there is none. */
static inline int bits_first(struct bits a)
{
    int i = 0;
    while (i < BITS_MAX && !bits_has(a, i))
        i++;
    return i;
}

#endif
