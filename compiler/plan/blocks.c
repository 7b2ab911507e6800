/* blocks.c - a result that stores functions of its coordinates, through a workspace for one
 * coordinate of its first level.
 *
 *     B(i,j) = A(i,j), B of (i/4 : dense, j/4 : compressed, i%4 : dense, j%4 : dense)
 *
 *     split(i, io, ii, down, 4);
 *     precompute(A(i,j), w, {ii,ii,iip}, {j,j,jp}, (i,j)->(j/4 : bytemap, i : dense, j%4 : dense));
 *     split(j, jo, ji, down, 4); reorder(jo, ii, ji)
 *
 * Loops over coordinates do not come to the components in the order of the result's levels: loops
 * over blocks and loops inside blocks do.  For one row of blocks the workspace has the result's
 * levels below the first: a place for each component, and a list of the blocks that something was
 * put into, each of which is copied whole.  The producer's loops remain those over coordinates, as
 * the operands have them.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/format/map.h"
#include "compiler/plan/planner.h"

struct gather {
    struct draft *draft;
    const struct cin *result; /* its access */
    int mode;                 /* that the first level stores, or stores blocks of */
    int64_t size;             /* of a block; 0: the level stores the mode */
    struct var_list modes;    /* of the workspace */
    int place[ORDER_MAX];     /* of each of the result's modes among them */
};

/* Does the first level store a mode, or blocks of one?  Then which, and of what size. */
static bool read_first(struct gather *g)
{
    const struct map_expr *map = g->result->tensor->format->level[0].map;
    bool divides = map->kind == MAP_DIV && map->b->kind == MAP_CONSTANT;
    g->size = divides ? map->b->constant : 0;
    map = divides ? map->a : map;
    g->mode = map->kind == MAP_MODE ? map->mode : -1;
    return g->mode >= 0;
}

/* Returns what a level stores as a function of the workspace's modes: of the first level's mode
 * only what is inside a block is left.  NULL: it is no such function. */
static const struct map_expr *within(const struct gather *g, const struct map_expr *map)
{
    struct map_expr *own = arena_copy(g->draft->cx->arena, map, sizeof *map);
    bool is_first = map->kind == MAP_MODE && map->mode == g->mode;
    bool is_rest = map->kind == MAP_MOD && map->a->kind == MAP_MODE && map->a->mode == g->mode
                   && map->b->kind == MAP_CONSTANT && g->size > 0
                   && g->size % map->b->constant == 0;
    if (is_first)
        return NULL;
    if (map->kind == MAP_MODE)
        own->mode = g->place[map->mode];
    else if (is_rest) {
        struct map_expr *mode = arena_copy(g->draft->cx->arena, map->a, sizeof *mode);
        mode->mode = g->place[g->mode];
        own->a = mode;
        return map->b->constant == g->size ? mode : own;
    }
    own->a = map->a ? within(g, map->a) : NULL;
    own->b = map->b ? within(g, map->b) : NULL;
    return (map->a && !own->a) || (map->b && !own->b) ? NULL : own;
}

/* Returns the format of the workspace; NULL: a level stores what is no function of its modes. */
static const struct format *workspace_format(const struct gather *g)
{
    const struct format *format = g->result->tensor->format;
    const struct map_expr *map[LEVELS_MAX];
    for (int level = 1; level < format->levels; level++)
        if (map_follows(format, level) || !(map[level - 1] = within(g, format->level[level].map)))
            return NULL;
    return plan_blocks(g->draft->cx, (int)g->modes.n, map, format->levels - 1,
                       format->level[1].properties & LEVEL_ORDERED);
}

/* Splits the outermost loop, which is that of the first level's mode, if the level stores blocks of
 * it; false: it is another loop, or cannot be split. */
static bool split_first(struct gather *g, const struct site *site)
{
    struct draft *draft = g->draft;
    const struct index_var *var = g->result->index[g->mode], *inner = NULL;
    if (site->loops.at[0] != var || cin_is_tagged(draft->program, var))
        return false;
    if (g->size)
        draft_split(draft, var, g->size, &inner);
    for (int mode = 0; mode < g->result->indices; mode++) {
        const struct index_var *own = mode == g->mode ? inner : g->result->index[mode];
        g->place[mode] = (int)g->modes.n;
        if (own)
            vec_push(draft->cx->arena, &g->modes, own);
    }
    return draft->program && g->modes.n > 0;
}

bool draft_gather_blocks(struct draft *draft, const struct site *site)
{
    struct gather g = {.draft = draft, .result = site->assign->arg[0]};
    if (g.result->tensor->format->levels < 2 || site->loops.n == 0 || !read_first(&g)
        || !split_first(&g, site))
        return false;
    const struct format *format = workspace_format(&g);
    if (format)
        draft_precompute(draft, site->assign->arg[1], &g.modes, format);
    return format && draft->program && draft_follow(draft, g.result, &g.modes, true);
}
