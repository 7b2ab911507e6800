/* compare.c - a result against what the oracle says.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdio.h>
#include <string.h>

#include "runtime/tensor/coords.h"
#include "runtime/tensor/status.h"
#include "runtime/tensor/walk.h"
#include "tests/support/trial_parts.h"

static void spell_coordinate(const int64_t *coordinate, int order, char *text, size_t size)
{
    size_t n = 0;
    text[0] = '\0';
    for (int m = 0; m < order && n < size; m++)
        n += (size_t)snprintf(text + n, size - n, "%s%lld", m ? "," : "", (long long)coordinate[m]);
}

static void compare_value(struct trial *t, const struct number *right, struct value got,
                          const int64_t *coordinate, bool stored)
{
    t->compared++;
    t->unknown += right->unknown;
    if (number_agrees(right, got))
        return;
    char at[128], text[64];
    spell_coordinate(coordinate, t->known[0].order, at, sizeof at);
    value_print(got, text, sizeof text);
    trial_fail(t,
               "y(%s) is %s (%s), but has to be %.20Lg%+.20Lgi or bits %#llx, give or take %.3Lg",
               at, text, stored ? "stored" : "the fill", right->re, right->im,
               (unsigned long long)right->bits, right->error);
}

static void coordinate_of(const struct oracle_tensor *o, int64_t place, int64_t *coordinate)
{
    for (int m = o->order - 1; m >= 0; m--) {
        coordinate[m] = place % o->dimension[m];
        place /= o->dimension[m];
    }
}

static bool may_store(const struct trial *t, const int64_t *coordinate)
{
    int64_t other[ORDER_MAX];
    int levels = oracle_leading_levels(&t->known[0]);
    if (levels == 0)
        return true;
    for (int64_t i = 0; i < t->expected.components; i++) {
        coordinate_of(&t->known[0], i, other);
        if (t->expected.at[i].pattern != ORACLE_ABSENT
            && oracle_agrees(&t->known[0], levels, coordinate, other))
            return true;
    }
    return false;
}

/* ---- what the format holds ---- */

static bool is_narrow(const struct format *format)
{
    bool narrow = false;
    for (int l = 0; l < format->levels; l++)
        narrow |= type_size(format->level[l].pos) < type_size(TYPE_I32)
                  || type_size(format->level[l].crd) < type_size(TYPE_I32);
    return narrow;
}

/* Those components that have to be stored, or all that may be. */
static bool list_components(struct trial *t, bool all, struct coords *coords)
{
    const unsigned char zero[16] = {0};
    int64_t coordinate[ORDER_MAX];
    bool listed = true;
    coords_init(coords, t->known[0].order, t->known[0].dimension, t->known[0].type);
    for (int64_t i = 0; i < t->expected.components && listed; i++) {
        coordinate_of(&t->known[0], i, coordinate);
        if (all ? may_store(t, coordinate) : t->expected.at[i].pattern == ORACLE_STORED)
            listed = coords_add(coords, coordinate, zero);
    }
    return listed;
}

static bool holds(struct trial *t, bool all)
{
    struct coords coords;
    struct tensor_order *order = NULL;
    struct rt_error error;
    int64_t bytes;
    enum rt_status status =
        list_components(t, all, &coords)
            ? tensor_room(&order, &coords, t->pipeline.tensor[0]->format, 1, &bytes, &error)
            : rt_no_memory(&error);
    if (status != RT_OK && error.code != DIAG_LIMIT)
        trial_fail(t, "what the result takes is not known: %s", error.message);
    tensor_order_free(order);
    coords_free(&coords);
    return status == RT_OK;
}

enum trial_limit trial_limit(struct trial *t)
{
    if (t->limit == LIMIT_UNKNOWN)
        t->limit = !is_narrow(t->pipeline.tensor[0]->format) || holds(t, true) ? LIMIT_HOLDS
                   : holds(t, false)                                           ? LIMIT_MAYBE
                                                                               : LIMIT_BEYOND;
    return t->limit;
}

/* ---- patterns and values ---- */

/* Is a before b in the storage order of a format whose levels are all ordered? */
static bool is_before(const struct trial *t, const struct format *format, const int64_t *a,
                      const int64_t *b)
{
    for (int l = 0; l < format->levels; l++) {
        int64_t at_a = 0, at_b = 0;
        oracle_level_value(&t->known[0].level[l], a, &at_a);
        oracle_level_value(&t->known[0].level[l], b, &at_b);
        if (!level_has(&format->level[l], LEVEL_ORDERED) || at_a != at_b)
            return !level_has(&format->level[l], LEVEL_ORDERED) || at_a < at_b;
    }
    return false;
}

static void compare_stored(struct trial *t, const struct tensor *y, bool *seen)
{
    struct tensor_walk walk;
    int64_t before[ORDER_MAX];
    char at[128];
    bool first = true;
    for (bool more = tensor_walk_first(&walk, y); more && t->verdict == TRIAL_RIGHT;
         more = tensor_walk_next(&walk)) {
        int64_t place = oracle_place(&t->known[0], walk.coordinate);
        spell_coordinate(walk.coordinate, y->order, at, sizeof at);
        if (seen[place])
            trial_fail(t, "y(%s) is stored twice", at);
        if (!first && !is_before(t, y->format, before, walk.coordinate))
            trial_fail(t, "y(%s) is stored out of order", at);
        if (t->expected.at[place].pattern == ORACLE_ABSENT && !may_store(t, walk.coordinate))
            trial_fail(t, "y(%s) is stored, but nothing makes it differ from the fill", at);
        seen[place] = true;
        struct value got =
            value_load(y->type, (char *)y->vals + walk.position * (int64_t)type_size(y->type));
        compare_value(t, &t->expected.at[place].number, got, walk.coordinate, true);
        memcpy(before, walk.coordinate, sizeof before);
        first = false;
    }
}

void trial_compare_stored(struct trial *t, const struct tensor *y)
{
    struct tensor_walk walk;
    for (bool more = tensor_walk_first(&walk, y); more && t->verdict == TRIAL_RIGHT;
         more = tensor_walk_next(&walk)) {
        int64_t place = oracle_place(&t->known[0], walk.coordinate);
        struct value got =
            value_load(y->type, (char *)y->vals + walk.position * (int64_t)type_size(y->type));
        compare_value(t, &t->expected.at[place].number, got, walk.coordinate, true);
    }
}

void trial_compare(struct trial *t, const struct tensor *y)
{
    bool *seen = arena_array(t->cx->arena, bool, t->expected.components);
    int64_t coordinate[ORDER_MAX];
    char at[128];
    compare_stored(t, y, seen);
    for (int64_t i = 0; i < t->expected.components && t->verdict == TRIAL_RIGHT; i++) {
        coordinate_of(&t->known[0], i, coordinate);
        spell_coordinate(coordinate, y->order, at, sizeof at);
        if (!seen[i] && t->expected.at[i].pattern == ORACLE_STORED)
            trial_fail(
                t, "y(%s) is not stored, but the notation says that it may differ from the fill",
                at);
        if (!seen[i])
            compare_value(t, &t->expected.at[i].number, y->fill, coordinate, false);
        if (t->stored && seen[i] != t->stored[i])
            trial_fail(t, "y(%s) is %sstored, which another kernel of the statement does %s", at,
                       seen[i] ? "" : "not ", seen[i] ? "not" : "do");
    }
    t->stored = t->stored ? t->stored : seen;
}
