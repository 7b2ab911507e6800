/* rng.h - splitmix64 (Steele, Lea, Flood 2014): every random test is its seed.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_SUPPORT_RNG_H
#define SPCC_SUPPORT_RNG_H

#include <stdbool.h>
#include <stdint.h>

struct rng {
    uint64_t state;
};

static inline uint64_t rng_next(struct rng *rng)
{
    uint64_t z = rng->state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

/* In [0, n). */
static inline int rng_below(struct rng *rng, int n)
{
    return n > 0 ? (int)(rng_next(rng) % (uint64_t)n) : 0;
}

static inline bool rng_percent(struct rng *rng, int percent)
{
    return rng_below(rng, 100) < percent;
}

/* Returns one of n choices, each as likely as its weight says. */
static inline int rng_weighted(struct rng *rng, const int *weight, int n)
{
    int total = 0, i = 0;
    for (int k = 0; k < n; k++)
        total += weight[k];
    for (int left = rng_below(rng, total); i < n - 1 && left >= weight[i]; i++)
        left -= weight[i];
    return i;
}

#endif
