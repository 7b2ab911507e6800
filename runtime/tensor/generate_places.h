/* generate_places.h - the places of generated components: drawn, until there are as many as are to
 * be; presets, which are known by name.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_TENSOR_GENERATE_PLACES_H
#define SPCC_TENSOR_GENERATE_PLACES_H

#include <stdbool.h>
#include <stdint.h>

#include "runtime/tensor/generate.h"

/* ---- random numbers ---- */

/* Of a seed the number of that place. */
static inline uint64_t generate_hash(uint64_t seed, uint64_t place)
{
    uint64_t z = seed * UINT64_C(0xd1342543de82ef95) + (place + 1) * UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

/* In [0, 1), with as many bits as a float or a double holds, so that rounding does not make it
 * 1. */
static inline double generate_unit(uint64_t random, bool single)
{
    return single ? (double)(random >> 40) * 0x1p-24 : (double)(random >> 11) * 0x1p-53;
}

/* ---- places ---- */

/* The coordinates of generator->stored components, in no order, each once; what values they have is
 * left open.  As generate_coords otherwise. */
enum rt_status generate_places(const struct generator *generator, int threads, const char *name,
                               struct coords *coords, struct rt_error *error);

/* ---- presets ---- */

struct preset {
    const char *name; /* with its @ */
    enum generator_kind kind;
    int64_t stored;
    int order;
    int64_t dimension[ORDER_MAX];
};

extern const struct preset presets[];
extern const int presets_n;

/* Of a recipe such as "@irrS4d/100"; NULL: there is none of that name. */
const struct preset *preset_named(const char *text);

#endif
