/* compare.c - a result against what the oracle says.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/base/text.h"
#include "runtime/tensor/coords.h"
#include "runtime/tensor/status.h"
#include "runtime/tensor/walk.h"
#include "tests/support/trial_parts.h"

static const char *spell(const struct trial *t, const int64_t *coordinate)
{
    struct text text = text_new(t->cx->arena);
    for (int m = 0; m < t->known[0].order; m++)
        text_printf(&text, "%s%lld", m ? "," : "", (long long)coordinate[m]);
    return text.at ? text.at : "";
}

static void compare_value(struct trial *t, const struct number *right, struct value got,
                          const int64_t *coordinate, bool stored)
{
    t->compared++;
    t->unknown += right->unknown;
    struct number loose = *right;
    loose.error += t->slack;
    if (number_agrees(&loose, got))
        return;
    char text[64];
    value_print(got, text, sizeof text);
    trial_fail(t,
               "y(%s) is %s (%s), but has to be %.20Lg%+.20Lgi or bits %#llx, give or take %.3Lg",
               spell(t, coordinate), text, stored ? "stored" : "the fill", right->re, right->im,
               (unsigned long long)right->bits, right->error);
}

static void coordinate_of(const struct oracle_tensor *o, int64_t place, int64_t *coordinate)
{
    for (int m = o->order - 1; m >= 0; m--) {
        coordinate[m] = place % o->dimension[m];
        place /= o->dimension[m];
    }
}

/* A component's coordinates in the levels that leave some out: their number, they, its place. */
static int64_t *new_key(const struct trial *t, int64_t place, int64_t *key)
{
    int64_t coordinate[ORDER_MAX];
    const struct oracle_tensor *y = &t->known[0];
    coordinate_of(y, place, coordinate);
    *key++ = oracle_leading_levels(y);
    for (int l = 0; l < oracle_leading_levels(y); l++)
        oracle_level_value(&y->level[l], coordinate, key++);
    *key++ = place;
    return key;
}

static int compare_keys(const void *left, const void *right)
{
    const int64_t *a = left, *b = right;
    for (int64_t l = 1; l <= *a; l++)
        if (a[l] != b[l])
            return a[l] < b[l] ? -1 : 1;
    return 0;
}

/* Components that agree in those levels are there together, if one of them may be. */
static void find_storable(struct trial *t)
{
    int64_t n = t->expected.components, levels = oracle_leading_levels(&t->known[0]),
            width = levels + 2, *keys = arena_array(t->cx->arena, int64_t, n * width), *end = keys;
    bool *may = arena_array(t->cx->arena, bool, n);
    for (int64_t i = 0; i < n; i++)
        end = new_key(t, i, end);
    qsort(keys, (size_t)n, sizeof *keys * (size_t)width, compare_keys);
    for (int64_t *first = keys, *behind; first < end; first = behind) {
        bool any = levels == 0;
        for (behind = first; behind < end && compare_keys(first, behind) == 0; behind += width)
            any |= t->expected.at[behind[width - 1]].pattern != ORACLE_ABSENT;
        for (int64_t *key = first; key < behind; key += width)
            may[key[width - 1]] = any;
    }
    t->storable = may;
}

static bool may_store(struct trial *t, int64_t place)
{
    if (!t->storable)
        find_storable(t);
    return t->storable[place];
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
        if (all ? may_store(t, i) : t->expected.at[i].pattern == ORACLE_STORED)
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
    bool first = true;
    for (bool more = tensor_walk_first(&walk, y); more && t->verdict == TRIAL_RIGHT;
         more = tensor_walk_next(&walk)) {
        int64_t place = oracle_place(&t->known[0], walk.coordinate);
        if (seen[place])
            trial_fail(t, "y(%s) is stored twice", spell(t, walk.coordinate));
        if (!first && !is_before(t, y->format, before, walk.coordinate))
            trial_fail(t, "y(%s) is stored out of order", spell(t, walk.coordinate));
        if (t->expected.at[place].pattern == ORACLE_ABSENT && !trial_updates(t)
            && !may_store(t, place))
            trial_fail(t, "y(%s) is stored, but nothing makes it differ from the fill",
                       spell(t, walk.coordinate));
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
    compare_stored(t, y, seen);
    for (int64_t i = 0; i < t->expected.components && t->verdict == TRIAL_RIGHT; i++) {
        coordinate_of(&t->known[0], i, coordinate);
        if (!seen[i] && t->expected.at[i].pattern == ORACLE_STORED && !trial_updates(t))
            trial_fail(
                t, "y(%s) is not stored, but the notation says that it may differ from the fill",
                spell(t, coordinate));
        if (!seen[i])
            compare_value(t, &t->expected.at[i].number, y->fill, coordinate, false);
        if (t->stored && seen[i] != t->stored[i])
            trial_fail(t, "y(%s) is %sstored, which another kernel of the statement does %s",
                       spell(t, coordinate), seen[i] ? "" : "not ", seen[i] ? "not" : "do");
    }
    t->stored = t->stored ? t->stored : seen;
}
