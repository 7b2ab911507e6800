/* check.c - the conditions on all levels of a format together.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/format/map.h"
#include "compiler/format/parse.h"

/* ---- maps ---- */

static uint32_t modes_in(const struct map_expr *map)
{
    if (map->kind == MAP_MODE)
        return UINT32_C(1) << map->mode;
    return map->kind == MAP_CONSTANT ? 0 : modes_in(map->a) | modes_in(map->b);
}

/* Every mode is stored; if no level stores a function, exactly once. */
static bool check_modes(struct format_parser *p, int begin)
{
    uint32_t seen = 0;
    bool computed = false;
    for (int k = 0; k < p->levels; k++)
        computed |= p->level[k].map->kind != MAP_MODE;
    for (int k = 0; k < p->levels; k++) {
        uint32_t modes = modes_in(p->level[k].map);
        if (!computed && (seen & modes)) {
            int m = p->level[k].map->mode;
            scan_complain(p, begin, p->at, "two levels store the mode %.*s", (int)p->mode[m].n,
                          p->mode[m].s);
            return false;
        }
        seen |= modes;
    }
    for (int m = 0; m < p->modes; m++) {
        if (!(seen >> m & 1)) {
            scan_complain(p, begin, p->at, "no level stores the mode %.*s", (int)p->mode[m].n,
                          p->mode[m].s);
            return false;
        }
    }
    return true;
}

/* The levels' coordinates determine the modes'. */
static bool check_way_back(struct format_parser *p, int begin)
{
    struct format format = {.order = p->order, .levels = p->levels, .level = p->level};
    struct map_inverse inverse;
    if (map_invert(&format, &inverse))
        return true;
    struct diag *diag =
        scan_complain(p, begin, p->at, "coordinates do not follow from what the levels store");
    diag_help(p->cx, diag,
              "store i, or i/n and i%%n with the same n; with a difference j-i store i or j");
    return false;
}

/* ---- where level types may stand ---- */

/* Does the level store the coordinate of that level, or of any (NULL), minus this level's?  Either
 * may be a mode, or blocks of one. */
static bool is_difference(const struct level_format *level, const struct map_expr *of,
                          const struct map_expr *subtracted)
{
    const struct map_expr *map = level->map;
    return map->kind == MAP_SUB && (!of || map_equal(map->a, of)) && map_equal(map->b, subtracted);
}

static bool has_strides(const struct level_format *level)
{
    return level->type->place == LEVEL_BELOW_STRIDES;
}

/* Says why the level cannot stand here, or returns NULL. */
static const char *misplaced(const struct level_format *level, int k)
{
    if (k > 0 && has_strides(&level[-1]) && !has_strides(level))
        return "cannot stand below a strided level";
    const struct map_expr *map = level->map, *above = k > 0 ? level[-1].map : NULL;
    switch (level->type->place) {
    case LEVEL_ANYWHERE: return NULL;
    case LEVEL_FIRST: return k == 0 ? NULL : "can only be the first level";
    case LEVEL_BELOW_UNIQUE:
        return k == 0 || level_has(&level[-1], LEVEL_UNIQUE)
                   ? NULL
                   : "cannot stand below a level that is not unique";
    case LEVEL_BELOW_DIFFERENCE:
        if (k > 0 && is_difference(&level[-1], NULL, map))
            return NULL;
        return "needs a level directly above that stores a difference, as i below j-i";
    case LEVEL_BELOW_BOTH:
        if (k > 1 && is_difference(&level[-2], map, above))
            return NULL;
        return "needs two levels directly above from which its coordinate follows, as j below j-i "
               "and i";
    case LEVEL_BELOW_STRIDES:
        return k == 0 || has_strides(&level[-1]) ? NULL : "can only stand below strided levels";
    }
    return NULL;
}

static bool check_places(struct format_parser *p)
{
    for (int k = 0; k < p->levels; k++) {
        const char *why = misplaced(&p->level[k], k);
        if (!why)
            continue;
        scan_complain(p, p->begin[k], p->end[k], "%s %s", p->level[k].type->name, why);
        return false;
    }
    return true;
}

/* ---- Morton order ---- */

/* Says why the levels cannot be in Morton order, or returns NULL. */
static const char *not_in_bits(const struct format *format, int k)
{
    if (k > 0)
        return "is in Morton order, and is not the first level";
    int level = 0;
    for (bool listed = true; listed; level++) {
        enum map_kind kind = format->level[level].map->kind;
        if (kind != MAP_MODE && kind != MAP_DIV)
            return "is in Morton order with a level that stores neither a mode nor blocks of one";
        listed = level + 1 < format->levels && level_lists(&format->level[level]);
    }
    return level < 2 ? "is in Morton order with no other: it needs to be nonunique, above "
                       "singletons"
                     : NULL;
}

static bool check_morton(struct format_parser *p)
{
    const struct format format = {.order = p->order, .levels = p->levels, .level = p->level};
    for (int k = 0; k < p->levels; k++) {
        const char *why = level_has(&p->level[k], LEVEL_MORTON) ? not_in_bits(&format, k) : NULL;
        if (!why)
            continue;
        diag_help(p->cx,
                  scan_complain(p, p->begin[k], p->end[k], "%s %s", p->level[k].type->name, why),
                  "as in (i,j) -> (i : compressed(nonunique, morton), j : singleton)");
        return false;
    }
    return true;
}

/* ---- bounds on children ---- */

/* A parent with too many children is stored several times. */
static bool check_splits(struct format_parser *p)
{
    for (int k = 0; k < p->levels; k++) {
        if (!p->level[k].most)
            continue;
        bool repeats = k > 0 && !level_has(&p->level[k - 1], LEVEL_UNIQUE);
        const struct format format = {.order = p->order, .levels = p->levels, .level = p->level};
        int from = repeats ? format_split_from(&format, k) : 0;
        for (int above = from; above < k && repeats; above++)
            repeats = !level_has(&p->level[above], LEVEL_UNIQUE);
        if (repeats && !level_has(&p->level[from], LEVEL_BRANCHLESS))
            continue;
        diag_help(
            p->cx,
            scan_complain(p, p->begin[k], p->end[k],
                          "%s has a bound on what is below a parent, which cannot be there "
                          "several times",
                          p->level[k].type->name),
            "let the level above be nonunique, as in (i,j) -> (i : compressed(nonunique), j : "
            "compressed(most=2))");
        return false;
    }
    return true;
}

bool format_check_levels(struct format_parser *p, int begin)
{
    return check_modes(p, begin) && check_way_back(p, begin) && check_places(p) && check_morton(p)
           && check_splits(p);
}
