/* narrow.c - cases at the limit of what the result's positions and coordinates count.
 *
 * The result's format, whichever it is, gets positions and coordinates of 8 or 16 bits in some of
 * its levels, and the variables sizes of which those of the result's multiply to about as much as
 * these count.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdio.h>
#include <string.h>

#include "compiler/base/text.h"
#include "compiler/format/index_array.h"
#include "compiler/format/map.h"
#include "compiler/registry.h"
#include "tests/support/narrow.h"

/* Points of the iteration space, and how far sizes go beyond what 8 bits count, or 16; positions of
 * a tensor. */
enum { SPACE_MAX = 3000, MORE = CASE_ENTRIES - UINT8_MAX, POSITIONS_MAX = 1 << 20 };

static const struct format_defaults defaults = {TYPE_I32, TYPE_I32};

static bool is_byte(enum type type) { return type_size(type) == 1; }

/* About as many as the type counts. */
static int64_t random_number(struct rng *rng, enum type type)
{
    int most = (int)index_max(type);
    if (rng_percent(rng, 65))
        return most - 1 + rng_below(rng, 4);
    return most + rng_below(rng, MORE);
}

/* One of the divisors of n. */
static int64_t random_divisor(struct rng *rng, int64_t n)
{
    int64_t from = 1 + rng_below(rng, (int)n);
    while (n % from)
        from--;
    return from;
}

/* Does a variable that has v's size index the result? */
static bool indexes_result(const struct test_case *test, const int *same, int v)
{
    bool indexes = false;
    for (int m = 0; m < test->tensor[0].order; m++)
        indexes |= !case_is_literal(test->result_var[m]) && same[test->result_var[m]] == v;
    return indexes;
}

/* The variables that index the result share the number out, the last of them takes what is left. */
static void share_out(struct rng *rng, struct test_case *test, const int *same, int64_t number)
{
    int last = -1;
    for (int v = 0; v < test->vars; v++) {
        if (same[v] != v)
            continue;
        bool shares = indexes_result(test, same, v);
        test->extent[v] = shares ? random_divisor(rng, number) : rng_below(rng, 5);
        if (shares) {
            last = v;
            number /= test->extent[v];
        }
    }
    if (last >= 0)
        test->extent[last] *= number;
}

/* The product of sizes, or any number that is too large for a case. */
static int64_t times(int64_t product, int64_t size)
{
    return size == 0 ? 0 : product > INT32_MAX ? product : product * size;
}

/* How many components the tensor has.  Levels above one of size 0 have positions all the same. */
static int64_t components_of(const struct case_tensor *t)
{
    int64_t components = 1;
    for (int m = 0; m < t->order; m++)
        if (t->dimension[m] > 1)
            components = times(components, t->dimension[m]);
    return components;
}

/* How many positions the levels have if they store everything: of a matrix by diagonals, rows for
 * each diagonal. */
static int64_t positions_of(const struct case_tensor *t, const struct format *format)
{
    int64_t positions = 1, low, size;
    for (int l = 0; l < format->levels; l++)
        if (!map_follows(format, l) && map_range(format->level[l].map, t->dimension, &low, &size)
            && size > 1)
            positions = times(positions, size);
    return positions;
}

/* Is a tensor larger than a case can be, or the space that is iterated?  format: of those that have
 * one that is spelled in full. */
static bool is_too_large(const struct test_case *test, const struct format *const *format,
                         enum type type)
{
    int64_t space = 1, most = index_max(type) + MORE;
    bool large = false;
    for (int v = 0; v < test->vars; v++) /* loops around one of size 0 go through theirs */
        space = times(space, test->extent[v] > 0 ? test->extent[v] : 1);
    for (int t = 0; t < test->tensors; t++) {
        int64_t components = components_of(&test->tensor[t]);
        large |= components > (is_byte(type) ? 2 * CASE_ENTRIES : most);
        large |= format[t] && positions_of(&test->tensor[t], format[t]) > POSITIONS_MAX;
    }
    return large || space > (is_byte(type) ? SPACE_MAX : most);
}

static void set_sizes(struct test_case *test, const int *same)
{
    for (int v = 0; v < test->vars; v++)
        test->extent[v] = test->extent[same[v]];
    case_set_dimensions(test);
}

/* The variable with the most to spare above the sizes that literals ask for, of those that do not
 * index the result or of all; -1: there is none. */
static int widest(const struct test_case *test, const int *same, const int64_t *least, bool all)
{
    int widest = -1;
    int64_t most = 0;
    for (int v = 0; v < test->vars; v++)
        if (same[v] == v && test->extent[v] - least[v] > most
            && (all || !indexes_result(test, same, v))) {
            widest = v;
            most = test->extent[v] - least[v];
        }
    return widest;
}

/* The least size of each variable. */
static void find_least(struct test_case *test, const int *same, int64_t *least)
{
    int64_t extent[CASE_VARS];
    for (int v = 0; v < test->vars; v++) {
        extent[v] = test->extent[v];
        test->extent[v] = 0;
    }
    set_sizes(test, same);
    for (int v = 0; v < test->vars; v++) {
        least[v] = test->extent[v];
        test->extent[v] = extent[v];
    }
}

static void choose_sizes(struct context *cx, struct rng *rng, struct test_case *test,
                         enum type type)
{
    int same[CASE_VARS];
    int64_t least[CASE_VARS];
    const struct format *format[CASE_TENSORS] = {0};
    for (int t = 0; t < test->tensors; t++)
        if (test->tensor[t].named[0])
            format[t] = format_parse(cx, test->tensor[t].name, test->tensor[t].named,
                                     test->tensor[t].order, defaults);
    case_size_classes(test, same);
    find_least(test, same, least);
    share_out(rng, test, same, random_number(rng, type));
    for (set_sizes(test, same); is_too_large(test, format, type); set_sizes(test, same)) {
        int v = widest(test, same, least, false);
        v = v < 0 ? widest(test, same, least, true) : v;
        if (v < 0)
            break;
        int64_t less = test->extent[v] - 1 - test->extent[v] / 8;
        test->extent[v] = less > least[v] ? less : least[v];
    }
}

void narrow_sizes(struct rng *rng, struct test_case *test, enum type type)
{
    struct context *cx = context_new();
    if (cx && context_protect(cx)) {
        cx->levels = registry_levels;
        choose_sizes(cx, rng, test, type);
    }
    if (cx)
        context_free(cx);
}

static enum type random_width(struct rng *rng, enum type type, enum type wide, int percent)
{
    return rng_percent(rng, percent) ? type : wide;
}

static void narrow_levels(struct context *cx, struct rng *rng, struct case_tensor *t,
                          enum type type, bool positions_only)
{
    const struct format *format = format_parse(cx, t->name, t->format, t->order, defaults);
    struct text text = text_new(cx->arena);
    if (!format)
        return;
    struct level_format *level =
        arena_copy(cx->arena, format->level, sizeof *level * (size_t)format->levels);
    for (int l = 0; l < format->levels; l++) {
        if (level_type_has_pos(level[l].type))
            level[l].pos = random_width(rng, type, level[l].pos, 75);
        if (level_type_has_crd(level[l].type) && !positions_only)
            level[l].crd = random_width(rng, type, level[l].crd, 40);
    }
    struct format narrow = *format;
    narrow.level = level;
    format_print(&text, &narrow, defaults);
    snprintf(t->named, sizeof t->named, "%s", text.at);
}

void narrow_format(struct rng *rng, struct case_tensor *t, enum type type, bool positions_only)
{
    struct context *cx = context_new();
    if (cx && context_protect(cx)) {
        cx->levels = registry_levels;
        narrow_levels(cx, rng, t, type, positions_only);
    }
    if (cx)
        context_free(cx);
}
