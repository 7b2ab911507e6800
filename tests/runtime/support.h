/* support.h - what the tests of the runtime share: formats made by hand, random numbers, cmocka.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_TESTS_RUNTIME_SUPPORT_H
#define SPCC_TESTS_RUNTIME_SUPPORT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "compiler/format/format.h"
#include "levels/levels.h"
#include "runtime/tensor/coords.h"

/* splitmix64 (Steele, Lea, Flood 2014) */
static inline uint64_t random_next(uint64_t *seed)
{
    uint64_t z = *seed += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

/* In [0, n). */
static inline int64_t random_below(uint64_t *seed, int64_t n)
{
    return (int64_t)(random_next(seed) % (uint64_t)n);
}

/* The component's number, row by row. */
static inline int64_t component_number(int order, const int64_t *dimension,
                                       const int64_t *coordinate)
{
    int64_t number = 0;
    for (int m = 0; m < order; m++)
        number = number * dimension[m] + coordinate[m];
    return number;
}

struct hand_format {
    struct format format;
    struct level_format level[ORDER_MAX];
    struct map_expr map[ORDER_MAX];
    char spelling[2 * ORDER_MAX];
};

/* One letter a level: d dense, s compressed, u its variant that is not unique, v unordered, w
 * neither, m in Morton order with all below it, q singleton, p singleton that is not unique, o
 * unordered, n neither, h hashed, b bitmap, c padded.  modes: which each level stores; NULL: 0, 1,
 * ... */
static inline const struct format *hand_format(struct hand_format *hand, const char *letters,
                                               const int *modes, enum type pos, enum type crd)
{
    int n = (int)strlen(letters);
    memset(hand, 0, sizeof *hand);
    memcpy(hand->spelling, letters, (size_t)n);
    hand->format = (struct format){n, n, hand->level, hand->spelling};
    for (int k = 0; k < n; k++) {
        const struct level_type *type = strchr("suvwm", letters[k])  ? &level_compressed
                                        : strchr("qpon", letters[k]) ? &level_singleton
                                        : letters[k] == 'h'          ? &level_hashed
                                        : letters[k] == 'b'          ? &level_bitmap
                                        : letters[k] == 'c'          ? &level_padded
                                                                     : &level_dense;
        unsigned drops = (strchr("uwmpn", letters[k]) ? LEVEL_UNIQUE : 0)
                         | (strchr("vwmon", letters[k]) ? LEVEL_ORDERED : 0);
        int mode = modes ? modes[k] : k;
        hand->map[k] = (struct map_expr){.kind = MAP_MODE, .mode = mode};
        hand->level[k] = (struct level_format){
            type, type->properties & ~drops, pos, crd, &hand->map[k], mode, 0};
        hand->level[k].properties |= letters[0] == 'm' ? LEVEL_MORTON : 0;
    }
    return &hand->format;
}

/* The list again: packing uses it up. */
static inline struct coords list_copy(const struct coords *list)
{
    struct coords copy;
    coords_init(&copy, list->order, list->dimension, list->type);
    for (int64_t i = 0; i < list->n; i++) {
        int64_t coordinate[ORDER_MAX] = {0};
        for (int m = 0; m < list->order; m++)
            coordinate[m] = coords_at(list, m, i);
        assert_true(coords_add(&copy, coordinate,
                               (const char *)list->vals + (size_t)i * type_size(list->type)));
    }
    return copy;
}

/* The same as a packed list, if it may be one. */
static inline struct coords list_packed(const struct coords *list)
{
    struct coords words;
    coords_init(&words, list->order, list->dimension, list->type);
    coords_pack(&words);
    assert_true(coords_reserve(&words, list->n));
    coords_copy(&words, 0, list);
    words.n = list->n;
    return words;
}

#endif
