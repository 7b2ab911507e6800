/* random_tensor.c - random types, values and formats.
 *
 * Values are small whole numbers and halves, so that sums are exact.
 *
 * SPDX-License-Identifier: MIT
 */
#include <math.h>
#include <stdio.h>

#include "tests/support/random_parts.h"

enum type random_type(struct rng *rng)
{
    return rng_percent(rng, 30) ? TYPE_F64 : (enum type)rng_below(rng, TYPE_COUNT);
}

struct value random_value(struct rng *rng, enum type type, int zero_percent)
{
    int n = 1 + rng_below(rng, 4);
    if (rng_percent(rng, zero_percent))
        n = 0;
    bool negative = rng_percent(rng, 40), half = rng_percent(rng, 15);
    switch (type_kind(type)) {
    case KIND_BOOL:
    case KIND_UINT: return value_int(type, n);
    case KIND_INT: return value_int(type, negative ? -n : n);
    case KIND_FLOAT:
    case KIND_COMPLEX: break;
    }
    double re = (negative ? -n : n) + (half && n ? 0.5 : 0);
    return type_is_complex(type) ? value_complex(type, re, n ? rng_below(rng, 5) - 2 : 0)
                                 : value_real(type, re);
}

struct value random_fill(struct rng *rng, enum type type)
{
    if (rng_percent(rng, 70))
        return value_zero(type);
    switch (rng_below(rng, 5)) {
    case 0: return value_int(type, 1);
    case 1: return value_highest(type);
    case 2: return value_lowest(type);
    case 3:
        return type_is_float(type) && rng_percent(rng, 30) ? value_real(type, NAN)
                                                           : value_int(type, 1);
    default: return random_value(rng, type, 0);
    }
}

/* ---- formats ---- */

void random_order(struct rng *rng, int *order, int n)
{
    for (int i = 0; i < n; i++)
        order[i] = i;
    for (int i = n - 1; i > 0 && n > 1; i--) {
        int k = rng_below(rng, i + 1), swap = order[i];
        order[i] = order[k];
        order[k] = swap;
    }
}

static enum type random_width(struct rng *rng)
{
    static const enum type widths[] = {TYPE_COUNT, TYPE_U8, TYPE_U16, TYPE_I32, TYPE_I64, TYPE_U32};
    return rng_percent(rng, 80) ? TYPE_COUNT : widths[rng_below(rng, 6)];
}

/* A format by its name, or one that stores functions of the coordinates. */
static void random_named(struct rng *rng, struct case_tensor *t)
{
    int n = 0;
    while (case_named_format(t->order, n))
        n++;
    if (t->order > 0)
        snprintf(t->named, sizeof t->named, "%s", case_named_format(t->order, rng_below(rng, n)));
}

/* A level type that is not met every day. */
static void random_letter(struct rng *rng, struct case_level *level, bool first)
{
    level->letter = "hbcm"[rng_below(rng, first ? 4 : 3)];
    level->unique = true;
    level->ordered = level->letter != 'm' || rng_percent(rng, 60);
    level->pos = TYPE_COUNT;
    if (level->letter == 'b')
        level->crd = TYPE_COUNT;
}

void random_levels(struct rng *rng, struct case_tensor *t, bool dense)
{
    int order[CASE_ORDER];
    bool chain = false;
    random_order(rng, order, t->order);
    bool sorted = rng_percent(rng, 65);
    for (int l = 0; l < t->order; l++) {
        struct case_level *level = &t->level[l];
        *level =
            (struct case_level){sorted ? l : order[l], 'd', true, true, TYPE_COUNT, TYPE_COUNT};
        if (dense)
            continue;
        if (chain) {
            level->letter = 'q';
            level->unique = l == t->order - 1 && rng_percent(rng, 90);
        } else if (rng_percent(rng, 60)) {
            level->letter = 's';
            level->unique = rng_percent(rng, l == t->order - 1 ? 92 : 70);
        }
        if (level->letter != 'd') {
            level->ordered = rng_percent(rng, 92);
            level->pos = random_width(rng);
            level->crd = random_width(rng);
        }
        if (!chain && rng_percent(rng, 12))
            random_letter(rng, level, l == 0);
        chain = level->letter != 'd' && !level->unique;
    }
    t->in_full = rng_percent(rng, 20);
    t->named[0] = '\0';
    if (!dense && rng_percent(rng, 45))
        random_named(rng, t);
}
