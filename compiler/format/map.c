/* map.c - computes the coordinates of a format's levels from those of the modes, and the reverse.
 *
 * In the reverse, each level gives a fact: the value of an expression over the modes.  Two rules
 * derive simpler facts until the modes are known:
 *
 *     e/c = q  and  e%c = r         e = q*c + r                     blocks, also blocks of blocks
 *     a + b = v, b known            a = v - b   (and the like)      diagonals
 *
 * The rules are applied to expressions once.  The steps that this gives are then computed with the
 * numbers of each path.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/format/map.h"

/* ---- from modes to levels ---- */

static int64_t add_clipped(int64_t a, int64_t b) { return (int64_t)((uint64_t)a + (uint64_t)b); }

static int64_t subtract(int64_t a, int64_t b) { return (int64_t)((uint64_t)a - (uint64_t)b); }

static int64_t multiply_clipped(int64_t a, int64_t b)
{
    return (int64_t)((uint64_t)a * (uint64_t)b);
}

/* The divisor is positive; otherwise the quotient is 0. */
static int64_t divide(int64_t a, int64_t by) { return by > 0 ? a / by - (a % by < 0) : 0; }

static int64_t remainder_of(int64_t a, int64_t by) { return by > 0 ? a - divide(a, by) * by : 0; }

void map_values(const struct map_expr *map, int64_t *const *coordinate, int64_t at, int n,
                int64_t *value)
{
    int64_t other[MAP_BLOCK];
    if (map->kind != MAP_MODE && map->kind != MAP_CONSTANT) {
        map_values(map->a, coordinate, at, n, value);
        map_values(map->b, coordinate, at, n, other);
    }
    for (int i = 0; i < n; i++)
        switch (map->kind) {
        case MAP_MODE: value[i] = coordinate[map->mode][at + i]; break;
        case MAP_CONSTANT: value[i] = map->constant; break;
        case MAP_ADD: value[i] = add_clipped(value[i], other[i]); break;
        case MAP_SUB: value[i] = subtract(value[i], other[i]); break;
        case MAP_DIV: value[i] = divide(value[i], other[i]); break;
        case MAP_MOD: value[i] = remainder_of(value[i], other[i]); break;
        }
}

int64_t map_value_of(const struct map_expr *map, const int64_t *coordinate)
{
    switch (map->kind) {
    case MAP_MODE: return coordinate[map->mode];
    case MAP_CONSTANT: return map->constant;
    case MAP_ADD:
        return add_clipped(map_value_of(map->a, coordinate), map_value_of(map->b, coordinate));
    case MAP_SUB:
        return subtract(map_value_of(map->a, coordinate), map_value_of(map->b, coordinate));
    case MAP_DIV: return divide(map_value_of(map->a, coordinate), map_value_of(map->b, coordinate));
    case MAP_MOD:
        return remainder_of(map_value_of(map->a, coordinate), map_value_of(map->b, coordinate));
    }
    return 0;
}

/* The least and greatest value of a map. */
struct interval {
    int64_t low, high;
};

static bool interval_of(const struct map_expr *map, const int64_t *dimension, struct interval *to)
{
    struct interval a = {0, 0}, b = {0, 0};
    if (map->kind == MAP_MODE) {
        *to = (struct interval){0, dimension[map->mode] - 1};
        return true;
    }
    if (map->kind == MAP_CONSTANT) {
        *to = (struct interval){map->constant, map->constant};
        return true;
    }
    if (!interval_of(map->a, dimension, &a) || !interval_of(map->b, dimension, &b))
        return false;
    switch (map->kind) {
    case MAP_ADD:
        return !__builtin_add_overflow(a.low, b.low, &to->low)
               && !__builtin_add_overflow(a.high, b.high, &to->high);
    case MAP_SUB:
        return !__builtin_sub_overflow(a.low, b.high, &to->low)
               && !__builtin_sub_overflow(a.high, b.low, &to->high);
    case MAP_DIV: *to = (struct interval){divide(a.low, b.low), divide(a.high, b.low)}; return true;
    case MAP_MOD: *to = (struct interval){0, b.low - 1}; return true;
    case MAP_MODE:
    case MAP_CONSTANT: break;
    }
    return false;
}

bool map_range(const struct map_expr *map, const int64_t *dimension, int64_t *low, int64_t *size)
{
    struct interval range;
    *low = *size = 0;
    if (!interval_of(map, dimension, &range) || __builtin_sub_overflow(range.high, range.low, size)
        || __builtin_add_overflow(*size, 1, size))
        return false;
    *low = range.low;
    *size = *size < 0 ? 0 : *size;
    return true;
}

bool map_equal(const struct map_expr *a, const struct map_expr *b)
{
    if (a->kind != b->kind)
        return false;
    if (a->kind == MAP_MODE)
        return a->mode == b->mode;
    if (a->kind == MAP_CONSTANT)
        return a->constant == b->constant;
    return map_equal(a->a, b->a) && map_equal(a->b, b->b);
}

/* ---- which facts determine which ---- */

static bool quotient_and_rest(const struct map_expr *a, const struct map_expr *b,
                              const struct map_expr *of)
{
    return a->kind == MAP_DIV && b->kind == MAP_MOD && map_equal(a->a, of) && map_equal(b->a, of)
           && map_equal(a->b, b->b);
}

/* Do these levels' values determine the map's? */
static bool follows(const struct format *format, const struct map_expr *map, uint64_t levels)
{
    bool is = map->kind == MAP_CONSTANT;
    if (map->kind != MAP_MODE && map->kind != MAP_CONSTANT)
        is = follows(format, map->a, levels) && follows(format, map->b, levels);
    for (int k = 0; k < format->levels && !is; k++) {
        const struct map_expr *known = format->level[k].map;
        uint64_t others = levels & ~(UINT64_C(1) << k);
        if (others == levels)
            continue;
        is = map_equal(known, map);
        if (!is && (known->kind == MAP_SUB || known->kind == MAP_ADD))
            is = (map_equal(known->a, map) && follows(format, known->b, others))
                 || (map_equal(known->b, map) && follows(format, known->a, others));
        for (int l = 0; l < format->levels && !is; l++)
            is = levels >> l & 1 && quotient_and_rest(known, format->level[l].map, map);
    }
    return is;
}

bool map_follows(const struct format *format, int level)
{
    return follows(format, format->level[level].map, (UINT64_C(1) << level) - 1);
}

/* ---- from levels to modes: the steps ---- */

/* An expression whose value is in a slot. */
struct fact {
    const struct map_expr *map;
    uint64_t levels; /* that it was derived from */
    bool used;       /* another fact or a mode was derived from it */
};

enum { FACTS_MAX = 2 * LEVELS_MAX, DEPTH_MAX = 64 };

struct inverter {
    struct map_inverse *inverse;
    struct fact fact[FACTS_MAX]; /* by slot */
    int facts;
    uint32_t known; /* modes */
};

static bool is_known(const struct inverter *v, const struct map_expr *map)
{
    if (map->kind == MAP_MODE)
        return v->known >> map->mode & 1;
    return map->kind == MAP_CONSTANT || (is_known(v, map->a) && is_known(v, map->b));
}

/* Reduces a fact to its unknown part.  Did that give something new? */
static bool peel(struct inverter *v, int slot)
{
    struct fact *fact = &v->fact[slot];
    struct map_step step = {.a = slot, .from = fact->map};
    const struct map_expr *part = fact->map;
    while (map_is_sum(part) && is_known(v, part->a) != is_known(v, part->b)
           && step.depth < DEPTH_MAX) {
        bool right = is_known(v, part->a);
        step.sides |= (uint64_t)right << step.depth++;
        part = right ? part->b : part->a;
    }
    bool mode = part->kind == MAP_MODE && !is_known(v, part);
    if (!mode && (step.depth == 0 || map_is_sum(part) || is_known(v, part)))
        return false;
    v->inverse->step[v->inverse->steps++] = step;
    fact->map = part;
    fact->used = mode;
    if (mode) {
        v->known |= UINT32_C(1) << part->mode;
        v->inverse->extra &= ~fact->levels;
    }
    return true;
}

static bool by_constant(const struct map_expr *map, enum map_kind kind)
{
    return map->kind == kind && map->b->kind == MAP_CONSTANT && map->b->constant > 0;
}

/* Is the map e/c?  (e/d)/f is e/(d*f). */
static bool is_quotient(const struct map_expr *map, const struct map_expr *e, int64_t c)
{
    int64_t product;
    if (!by_constant(map, MAP_DIV))
        return false;
    if (map->b->constant == c && map_equal(map->a, e))
        return true;
    return by_constant(e, MAP_DIV) && !__builtin_mul_overflow(e->b->constant, c, &product)
           && map->b->constant == product && map_equal(map->a, e->a);
}

/* Is the map e%c?  (e%d)%c is e%c if c divides d. */
static bool is_remainder(const struct map_expr *map, const struct map_expr *e, int64_t c)
{
    if (!by_constant(map, MAP_MOD) || map->b->constant != c)
        return false;
    return map_equal(map->a, e)
           || (by_constant(e, MAP_MOD) && e->b->constant % c == 0 && map_equal(map->a, e->a));
}

/* Returns the expression that two facts determine together, and its divisor.  NULL if they do not.
 */
static const struct map_expr *joined(const struct map_expr *q, const struct map_expr *r,
                                     int64_t *divisor)
{
    if (by_constant(q, MAP_DIV) && is_remainder(r, q->a, q->b->constant)) {
        *divisor = q->b->constant;
        return q->a;
    }
    if (by_constant(r, MAP_MOD) && is_quotient(q, r->a, r->b->constant)) {
        *divisor = r->b->constant;
        return r->a;
    }
    return NULL;
}

static bool join_digits(struct inverter *v, int a, int b)
{
    struct fact *q = &v->fact[a], *r = &v->fact[b];
    int64_t divisor;
    const struct map_expr *map =
        q->used || r->used || a == b ? NULL : joined(q->map, r->map, &divisor);
    if (!map || is_known(v, map))
        return false;
    q->used = r->used = true;
    v->inverse->step[v->inverse->steps++] =
        (struct map_step){.joins = true, .to = v->facts, .a = a, .b = b, .divisor = divisor};
    v->fact[v->facts++] = (struct fact){.map = map, .levels = q->levels | r->levels};
    return true;
}

/* Makes one more step.  false if no fact gives something new. */
static bool advance(struct inverter *v)
{
    for (int a = 0; a < v->facts; a++)
        if (!v->fact[a].used && peel(v, a))
            return true;
    for (int a = 0; a < v->facts; a++)
        for (int b = 0; b < v->facts; b++)
            if (join_digits(v, a, b))
                return true;
    return false;
}

bool map_invert(const struct format *format, struct map_inverse *inverse)
{
    struct inverter v = {.inverse = inverse, .facts = format->levels};
    inverse->steps = 0;
    inverse->extra = 0;
    for (int k = 0; k < format->levels; k++) {
        v.fact[k] = (struct fact){.map = format->level[k].map, .levels = UINT64_C(1) << k};
        inverse->extra |= v.fact[k].levels;
    }
    for (int k = 0; k < format->levels; k++) /* facts without arithmetic come first */
        if (v.fact[k].map->kind == MAP_MODE)
            peel(&v, k);
    while (advance(&v))
        continue;
    return v.known == (uint32_t)((UINT64_C(1) << format->order) - 1);
}

/* ---- from levels to modes: the numbers ---- */

/* Solves a map with this value for one part of it. */
static int64_t solve(const struct map_step *step, int64_t value, const int64_t *coordinate,
                     const struct map_expr **part)
{
    const struct map_expr *map = step->from;
    for (int d = 0; d < step->depth; d++) {
        bool right = step->sides >> d & 1;
        int64_t other = map_value_of(right ? map->a : map->b, coordinate);
        if (map->kind == MAP_ADD)
            value = subtract(value, other);
        else
            value = right ? subtract(other, value) : add_clipped(value, other);
        map = right ? map->b : map->a;
    }
    *part = map;
    return value;
}

bool map_back(const struct map_inverse *inverse, const struct format *format, const int64_t *path,
              const int64_t *dimension, int64_t *coordinate)
{
    int64_t value[FACTS_MAX];
    for (int k = 0; k < format->levels; k++)
        value[k] = path[k];
    for (int s = 0; s < inverse->steps; s++) {
        const struct map_step *step = &inverse->step[s];
        const struct map_expr *part;
        if (step->joins) {
            value[step->to] =
                add_clipped(multiply_clipped(value[step->a], step->divisor), value[step->b]);
            continue;
        }
        value[step->a] = solve(step, value[step->a], coordinate, &part);
        if (part->kind == MAP_MODE)
            coordinate[part->mode] = value[step->a];
    }
    for (int m = 0; m < format->order; m++)
        if (coordinate[m] < 0 || coordinate[m] >= dimension[m])
            return false;
    for (int k = 0; k < format->levels && inverse->extra >> k; k++)
        if (inverse->extra >> k & 1 && map_value_of(format->level[k].map, coordinate) != path[k])
            return false;
    return true;
}
