/* sample.h - levels of every type at random: what is in them, packed, and looked for again.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_TESTS_LEVELS_SAMPLE_H
#define SPCC_TESTS_LEVELS_SAMPLE_H

#include "tests/runtime/support.h"

#include "compiler/format/index_array.h"
#include "compiler/registry.h"
#include "tests/support/pack_level.h"

static const enum type integers[] = {TYPE_I8, TYPE_I16, TYPE_I32, TYPE_I64,
                                     TYPE_U8, TYPE_U16, TYPE_U32, TYPE_U64};

enum { PARENTS_MOST = 6, DIMENSION_MOST = 20, TIMES_MOST = 3 };
enum { NODES_MOST = PARENTS_MOST * DIMENSION_MOST * TIMES_MOST };

/* A level of some type, and what is to be in it. */
struct sample {
    struct level_format format;
    struct level_storage level;
    int64_t parent[NODES_MOST], coordinate[NODES_MOST], position[NODES_MOST], positions;
    struct level_nodes nodes;
};

static inline bool is_wide_enough(enum type type, int64_t most) { return index_max(type) > most; }

/* How many children: one of a singleton, at most one of an offset level, else any number of
 * coordinates. */
static inline bool takes_child(const struct level_type *type, uint64_t *seed, int percent)
{
    return type == &level_singleton || random_below(seed, 100) < percent;
}

/* How often a coordinate comes: more than once if no level of the type is unique. */
static inline int64_t takes_times(const struct level_type *type, uint64_t *seed)
{
    return type->properties & LEVEL_UNIQUE ? 1 : 1 + random_below(seed, TIMES_MOST);
}

static inline void random_sample(struct sample *s, const struct level_type *type, uint64_t *seed)
{
    bool alone = (type->properties & LEVEL_BRANCHLESS) != 0,
         below = type->place >= LEVEL_BELOW_DIFFERENCE;
    int64_t parents = type->place == LEVEL_FIRST ? 1 : random_below(seed, PARENTS_MOST + 1), n = 0;
    int64_t dimension = random_below(seed, 8) || alone ? 1 + random_below(seed, DIMENSION_MOST) : 0;
    int64_t low = below || random_below(seed, 2) ? 0 : -random_below(seed, DIMENSION_MOST);
    int percent = (int)random_below(seed, 101);
    enum type pos = integers[random_below(seed, 8)], crd = integers[random_below(seed, 8)];
    unsigned drops = type->configurable & (unsigned)random_next(seed);
    memset(s, 0, sizeof *s);
    if (low < 0 && index_min(crd) == 0)
        crd = TYPE_I16;
    s->format = (struct level_format){
        type, type->properties & ~drops, is_wide_enough(pos, 300) ? pos : TYPE_I16, crd, NULL, 0,
        0};
    s->level = (struct level_storage){.format = &s->format, .low = low, .dimension = dimension};
    for (int64_t p = 0; p < parents; p++)
        for (int64_t c = alone && dimension > 0 ? random_below(seed, dimension) : 0; c < dimension;
             c++) {
            if (!takes_child(type, seed, percent))
                continue;
            for (int64_t times = takes_times(type, seed); times > 0; times--) {
                s->parent[n] = p;
                s->coordinate[n++] = low + c;
            }
            if (alone)
                break;
        }
    s->nodes = all_nodes(n, s->parent, s->coordinate, parents);
}

static inline void free_sample(struct sample *s)
{
    for (int a = 0; a < LEVEL_ARRAYS; a++)
        free(s->level.array[a]);
}

static inline bool pack_sample(struct sample *s)
{
    struct level_fault fault = {.at = -1};
    if (!pack_level(s->format.type, &s->level, &s->nodes, 5, s->position, &s->positions, &fault))
        fail_msg("%s: %s", s->format.type->name, fault.why);
    return true;
}

static inline const int64_t *node_at(const struct sample *s, int64_t parent, int64_t position)
{
    for (int64_t i = 0; i < s->nodes.n; i++)
        if (s->parent[i] == parent && s->position[i] == position)
            return &s->coordinate[i];
    return NULL;
}

/* All positions below all parents: nodes are where pack has said, and only full, range and ragged
 * levels have more. */
static inline void nodes_are_there(const struct sample *s)
{
    const struct level_type *type = s->format.type;
    bool more = (type->properties & LEVEL_FULL) || type == &level_range || type == &level_offset
                || type == &level_ragged;
    int64_t found = 0;
    for (int64_t p = 0; p < s->nodes.parents; p++) {
        int64_t begin, end, coordinate, above[] = {s->level.low, 0};
        type->children(&s->level, p, &begin, &end);
        assert_true(begin <= end);
        for (int64_t at = begin; at < end; at++) {
            const int64_t *node = node_at(s, p, at);
            assert_in_range(at, 0, s->positions - 1);
            if (type == &level_offset) {
                found += node != NULL;
                continue;
            }
            bool labelled = type->coordinate(&s->level, p, at, above + 2, &coordinate);
            assert_true(labelled || !level_has(&s->format, LEVEL_COMPACT));
            if (node) {
                found++;
                assert_true(labelled);
                assert_int_equal(coordinate, *node);
            } else if (labelled) {
                assert_true(more);
                assert_in_range(coordinate - s->level.low, 0, s->level.dimension - 1);
            }
        }
    }
    assert_int_equal(found, s->nodes.n);
}

static inline void is_valid(struct sample *s)
{
    struct level_fault fault = {.at = -1};
    int64_t positions = -1;
    if (!s->format.type->check(&s->level, s->nodes.parents, &positions, &fault))
        fail_msg("%s as packed: %s[%lld], %s", s->format.type->name, fault.array,
                 (long long)fault.at, fault.why);
    assert_int_equal(positions, s->positions);
    int64_t rounds[PACK_PARENTS];
    const struct level_amount amount = amount_of(&s->nodes, rounds);
    assert_int_equal(s->format.type->room(&s->level, &amount), positions);
    for (int a = 0; a < LEVEL_ARRAYS; a++)
        assert_int_equal(s->level.length[a],
                         level_array_length(&s->format, a, s->nodes.parents, positions));
}

#endif
