/* map.h - what the levels of a format store, computed: from coordinates to levels' coordinates, and
 * back.
 *
 *     format   (i,j) -> (i/4 : dense, j/4 : compressed, i%4 : dense, j%4 : dense)
 *     component  i = 6   j = 9
 *     levels     1     2     2     1
 *     back       i = 1*4 + 2      j = 2*4 + 1
 *
 * Division rounds down, also below 0; a remainder is never negative.  Sums beyond int64_t wrap
 * around.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_FORMAT_MAP_H
#define SPCC_FORMAT_MAP_H

#include <stdbool.h>
#include <stdint.h>

#include "compiler/format/format.h"

/* The map's values for n entries of a list of coordinates from `at` on, MAP_BLOCK at most:
 * coordinate[m] points to mode m's.  Operator by operator, which takes less time than entry by
 * entry. */
enum { MAP_BLOCK = 128 };
void map_values(const struct map_expr *map, int64_t *const *coordinate, int64_t at, int n,
                int64_t *value);

/* The same of the coordinates of one component. */
int64_t map_value_of(const struct map_expr *map, const int64_t *coordinate);

/* The values are in [low, low + size), for coordinates in [0, dimension[mode]); by interval
 * arithmetic, and a remainder has all its divisor's values, so that blocks are whole: of i/4 it is
 * ceil(I/4), of i%4 it is 4, of j-i it is I+J-1 from 1-I on.  size is not negative; low may be
 * beyond an empty mode.  false: int64_t does not hold it. */
bool map_range(const struct map_expr *map, const int64_t *dimension, int64_t *low, int64_t *size);

static inline bool map_is_sum(const struct map_expr *map)
{
    return map->kind == MAP_ADD || map->kind == MAP_SUB;
}

bool map_equal(const struct map_expr *a, const struct map_expr *b);

/* Does what this level stores of a component follow from what those above store of it? */
bool map_follows(const struct format *format, int level);

/* ---- back ---- */

/* One step from levels' coordinates to those of modes.  Values are in slots: slot k < levels holds
 * the coordinate of level k, further ones what was joined. */
struct map_step {
    /* slot `to` = slot a (an e/divisor) * divisor + slot b (the e%divisor) */
    bool joins;
    int to, a, b;
    int64_t divisor;
    /* Otherwise slot a, the value of the map `from`, becomes that of a part of it, all else in it
     * being known: the one `depth` operators down, on the right where bit 0, 1, ... of sides is
     * set.  If that is a mode, it is known now. */
    const struct map_expr *from;
    int depth;
    uint64_t sides;
};

enum { MAP_STEPS_MAX = 3 * LEVELS_MAX };

/* How to get from the coordinates of all levels to those of all modes. */
struct map_inverse {
    int steps;
    struct map_step step[MAP_STEPS_MAX];
    /* bit k: level k says nothing new, and the others may contradict it */
    uint64_t extra;
};

/* false: some mode's coordinate does not follow from the levels' coordinates.  Refers to the
 * format's maps. */
bool map_invert(const struct format *format, struct map_inverse *inverse);

/* From the coordinates of a path (one for each level) to the modes'; false if there is no such
 * component: one is outside its dimension (in a block or on a diagonal that extends beyond the
 * tensor), or levels contradict each other. */
bool map_back(const struct map_inverse *inverse, const struct format *format, const int64_t *path,
              const int64_t *dimension, int64_t *coordinate);

#endif
