/* tiles.c - loops in tiles, where accesses of one assignment are contiguous along different loops.
 *
 *     forall(j) forall(i) A(j,i) = B(i,j)
 *     forall(jo) forall(i) forall(ji) A(j,i) = B(i,j)
 *
 * Whichever loop is innermost, one of the arrays is gone through in strides, and a line of it is
 * read for each element.  In tiles as long as one mode, with so many elements of the other that
 * their lines stay in the caches (lines.c), each line is used up before it is lost, and inside a
 * tile squares go through vectors (optimize/squares.c).
 *
 * Modes that lie one below the other in all accesses are one loop, where their sizes are known.
 * The other loops come in the order of the shortest strides with which they move through any array,
 * the longest outermost: so what is near in one of the arrays is visited while its lines and pages
 * are at hand.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/plan/tiles.h"
#include "compiler/base/text.h"

/* Elements of a tile's rows; a side that is as long is not fused with more modes. */
enum { TILE_LEAST = 8, TILE_MOST = 64, WHOLE_MOST = 128, FUSED_MOST = 64 };

/* A tiling, its tiles' size (0: none), and its cost. */
struct choice {
    struct tiling tiling;
    int64_t size;
    double cost;
};

/* ---- which assignments ---- */

static bool is_dense(const struct cin *access)
{
    if (access->tensor->order > 0
        && (!format_is_plain(access->tensor->format) || plan_has_iterated(access, 0)))
        return false;
    for (int i = 0; i < access->indices; i++)
        for (int k = 0; k <= i; k++)
            if (access->index[i]->literal || (k < i && access->index[i] == access->index[k]))
                return false;
    return true;
}

/* Is it of a loop that nothing was asked for, and that moves the assigned component? */
static bool is_free_loop(const struct tiling *t, const struct index_var *var)
{
    return !cin_origin(t->program, var) && !cin_is_tagged(t->program, var)
           && !cin_split(t->program, var) && cin_uses_var(t->site->assign->arg[0], var);
}

static bool is_free(const struct tiling *t)
{
    const struct site *site = t->site;
    bool free = site->where.n == 0 && site->loops.n > 1 && site->assign->args == 2
                && !plan_is_ordered(t->planner->given, &site->loops);
    for (size_t i = 0; i < site->loops.n && free; i++)
        free = is_free_loop(t, site->loops.at[i]);
    return free;
}

static bool take_accesses(struct tiling *t)
{
    struct cin_list read = cin_operands(t->cx, t->site->assign);
    vec_push(t->cx->arena, &t->access, t->site->assign->arg[0]);
    for (size_t i = 0; i < read.n; i++)
        vec_push(t->cx->arena, &t->access, read.at[i]);
    for (size_t i = 0; i < t->access.n; i++)
        if (!is_dense(t->access.at[i]))
            return false;
    return true;
}

/* ---- which tiles ---- */

static void take_cheaper(struct choice *best, const struct tiling *t, int64_t size)
{
    const double cost = tiling_cost(t, size);
    if (plan_is_less(cost, best->cost))
        *best = (struct choice){*t, size, cost};
}

/* Fuses the side that lies along this access with one more group; false: it is long enough. */
static bool fuse(struct tiling *t, struct group **side, size_t access)
{
    const int64_t size = group_size(*side);
    return size >= 0 && size < FUSED_MOST && tiling_fuse(t, side, access);
}

/* Tiles of several sizes along y, and of all of it where that is short. */
static void take_sizes(struct choice *best, const struct tiling *t)
{
    const int64_t whole = group_size(t->y);
    for (int64_t size = TILE_LEAST; size <= TILE_MOST; size *= 2)
        take_cheaper(best, t, size);
    if (whole > 0 && whole <= WHOLE_MOST)
        take_cheaper(best, t, whole);
}

/* Returns the cheapest tiles, if they are cheaper than the loops without: with the sides as they
 * are, and over some more modes. */
static struct choice cheapest(const struct tiling *t)
{
    struct choice best = {*t, 0, tiling_cost(t, 0)};
    struct tiling along_x = *t;
    for (bool more_x = t->y; more_x; more_x = fuse(&along_x, &along_x.x, 0)) {
        struct tiling both = along_x;
        for (bool more_y = true; more_y; more_y = fuse(&both, &both.y, both.read))
            take_sizes(&best, &both);
    }
    return best;
}

/* ---- directives ---- */

/* Returns the loops over the groups' modes in the groups' order. */
static struct var_list loops_of(const struct tiling *t)
{
    struct var_list loops = {0};
    for (size_t i = 0; i < t->group.n; i++)
        for (size_t k = 0; k < t->group.at[i]->modes.n; k++)
            vec_push(t->cx->arena, &loops, t->group.at[i]->modes.at[k]);
    return loops;
}

static void reorder(struct draft *draft, const struct var_list *loops)
{
    draft_add(draft, plan_reorder(draft->cx, loops));
}

/* Makes one loop of each group, in the groups' order. */
static void collapse(struct tiling *t, struct draft *draft)
{
    struct var_list loops = loops_of(t);
    if (!var_list_equal(&loops, &t->site->loops))
        reorder(draft, &loops);
    for (size_t i = 0; i < t->group.n; i++) {
        struct group *group = t->group.at[i];
        group->loop = group->modes.at[0];
        for (size_t k = 1; k < group->modes.n && group->loop; k++)
            group->loop = draft_collapse(draft, group->loop, group->modes.at[k]);
    }
}

/* Puts the loop along y in blocks of this size inside of the loop along x, unless y is known not to
 * be longer.  The blocks and the other loops are around both, in the order of the groups. */
static void tile(struct tiling *t, struct draft *draft, int64_t size)
{
    struct var_list order = {0};
    const int64_t known = group_size(t->y);
    const struct index_var *within = t->y->loop;
    for (size_t i = 0; i < t->group.n; i++)
        if (t->group.at[i] != t->x && t->group.at[i] != t->y)
            vec_push(t->cx->arena, &order, t->group.at[i]->loop);
    if (known < 0 || known > size)
        vec_push(t->cx->arena, &order, draft_split(draft, t->y->loop, size, &within));
    vec_push(t->cx->arena, &order, t->x->loop);
    vec_push(t->cx->arena, &order, within);
    if (draft->program)
        reorder(draft, &order);
}

/* ---- a site ---- */

/* Returns the directives, with tiles of this size; 0: without. */
static struct draft drafted(struct tiling *t, int64_t size)
{
    struct draft draft = draft_new(t->cx, t->program);
    collapse(t, &draft);
    if (size)
        tile(t, &draft, size);
    return draft;
}

/* Are two modes stored one way round in one access, and the other in another? */
static bool is_permuted(const struct tiling *t)
{
    struct var_list target = plan_storage_order(t->cx, t->access.at[0]);
    for (size_t i = 1; i < t->access.n; i++) {
        struct var_list stored = plan_storage_order(t->cx, t->access.at[i]);
        int last = -1;
        for (size_t k = 0; k < stored.n; k++) {
            const int place = var_list_place(&target, stored.at[k]);
            if (place < last)
                return true;
            last = place;
        }
    }
    return false;
}

/* Tells what there was, as a whole schedule, and as text. */
static void report_tiling(const struct tiling *t, const struct draft *before,
                          const struct draft *draft, double cost, bool taken)
{
    report_behind(t->planner, before, draft, cost);
    report_way(t->planner->reasons, taken, cost, draft_print(draft));
    text_add(t->planner->reasons, "\n");
}

/* Puts the site in tiles, if that is cheaper. */
static void tile_site(struct draft *draft, struct planner *planner, const struct site *site)
{
    struct tiling t = {
        .planner = planner, .cx = draft->cx, .program = draft->program, .site = site};
    if (!is_free(&t) || !take_accesses(&t) || !is_permuted(&t) || !tiling_take_groups(&t))
        return;
    const double given = tiling_given_cost(&t);
    struct choice choice = cheapest(&t);
    struct draft best = drafted(&choice.tiling, choice.size), as_it_is = draft_new(t.cx, t.program);
    const bool better = t.group.n < site->loops.n || plan_is_less(choice.cost, given);
    if (!better || !plan_is_whole(t.cx, best.program))
        return;
    if (planner->reasons) {
        report_site(planner, site);
        report_tiling(&t, draft, &best, choice.cost, true);
        for (int64_t other = TILE_LEAST; choice.size && other <= 2 * TILE_MOST; other *= 2) {
            struct draft more = drafted(&choice.tiling, other);
            if (more.program && more.program->statement != best.program->statement)
                report_tiling(&t, draft, &more, tiling_cost(&choice.tiling, other), false);
        }
        report_tiling(&t, draft, &as_it_is, given, false);
    }
    draft_append(draft, &best);
}

void draft_tile_loops(struct draft *draft, struct planner *planner)
{
    struct site_list sites = plan_sites(draft->cx, draft->program);
    for (size_t i = 0; i < sites.n && !draft->cx->cuda; i++) {
        tile_site(draft, planner, &sites.at[i]);
        sites = plan_sites(draft->cx, draft->program);
    }
}
