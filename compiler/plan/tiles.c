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
#include <math.h>

#include "compiler/base/text.h"
#include "compiler/plan/planner.h"

/* Elements of a tile's rows.  Of one loop in place of two there are at most so many iterations,
 * since a coordinate counts them. */
enum { TILE_LEAST = 8, TILE_MOST = 128, COLLAPSED_MOST = 1 << 30 };

/* Modes that stay together: the outermost first, and the loop over them. */
struct group {
    struct var_list modes;
    const struct index_var *loop;
};

struct group_list {
    struct group *at;
    size_t n, capacity;
};

/* One assignment in loops that nothing has put in order, all of whose accesses are dense. */
struct tiling {
    struct planner *planner;
    struct context *cx;
    const struct cin_program *program;
    const struct site *site;
    struct cin_list access; /* the assigned one first */
    struct group_list group;
    /* along which the assigned one is contiguous; along which another is, or NULL */
    struct group *x, *y;
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

/* ---- modes that stay together ---- */

/* The size that is known for good; -1: it may be another. */
static int64_t exact_size(const struct index_var *var)
{
    for (const struct index_var *same = var; same; same = same->like)
        if (same->size >= 0)
            return same->size;
    return -1;
}

/* Does the access store the modes one below the other, or neither of them? */
static bool stores_together(struct context *cx, const struct cin *access, const struct index_var *a,
                            const struct index_var *b)
{
    struct var_list stored = plan_storage_order(cx, access);
    const int at = var_list_place(&stored, a), below = var_list_place(&stored, b);
    return at < 0 ? below < 0 : below == at + 1;
}

static int64_t group_size(const struct group *group)
{
    int64_t size = 1;
    for (size_t i = 0; i < group->modes.n; i++) {
        const int64_t of = exact_size(group->modes.at[i]);
        size = of < 0 || of > COLLAPSED_MOST / size ? COLLAPSED_MOST + 1 : of * size;
        if (size == 0 || size > COLLAPSED_MOST)
            return -1;
    }
    return size;
}

/* Can the modes of b follow those of a in one loop? */
static bool is_joined(const struct tiling *t, const struct group *a, const struct group *b)
{
    const int64_t size = group_size(a), more = group_size(b);
    if (size < 0 || more < 0 || more > COLLAPSED_MOST / size)
        return false;
    for (size_t i = 0; i < t->access.n; i++)
        if (!stores_together(t->cx, t->access.at[i], a->modes.at[a->modes.n - 1], b->modes.at[0]))
            return false;
    return true;
}

/* Join two groups; false: there are no more such. */
static bool join(struct tiling *t)
{
    struct group_list *list = &t->group;
    for (size_t a = 0; a < list->n; a++) {
        for (size_t b = 0; b < list->n; b++) {
            if (a == b || !is_joined(t, &list->at[a], &list->at[b]))
                continue;
            for (size_t i = 0; i < list->at[b].modes.n; i++)
                vec_push(t->cx->arena, &list->at[a].modes, list->at[b].modes.at[i]);
            list->at[b] = list->at[--list->n];
            return true;
        }
    }
    return false;
}

static void take_groups(struct tiling *t)
{
    for (size_t i = 0; i < t->site->loops.n; i++) {
        struct group group = {.loop = t->site->loops.at[i]};
        vec_push(t->cx->arena, &group.modes, group.loop);
        vec_push(t->cx->arena, &t->group, group);
    }
    while (join(t))
        ;
}

static struct group *group_of(struct tiling *t, const struct index_var *var)
{
    for (size_t i = 0; i < t->group.n; i++)
        if (var_list_has(&t->group.at[i].modes, var))
            return &t->group.at[i];
    return NULL;
}

/* ---- strides ---- */

static double size_of(const struct tiling *t, const struct group *group)
{
    double size = 1;
    for (size_t i = 0; i < group->modes.n; i++)
        size *= plan_values(t->planner->symbols, t->program, group->modes.at[i]);
    return size;
}

/* By how many elements the access moves with the loop; INFINITY: not at all. */
static double stride(const struct tiling *t, const struct cin *access, const struct group *group)
{
    struct var_list stored = plan_storage_order(t->cx, access);
    const int at = var_list_place(&stored, group->modes.at[group->modes.n - 1]);
    double by = at < 0 ? INFINITY : 1;
    for (size_t i = (size_t)(at + 1); i < stored.n && at >= 0; i++)
        by *= plan_values(t->planner->symbols, t->program, stored.at[i]);
    return by;
}

static double shortest(const struct tiling *t, const struct group *group)
{
    double least = INFINITY;
    for (size_t i = 0; i < t->access.n; i++)
        least = fmin(least, stride(t, t->access.at[i], group));
    return least;
}

/* Does the loop over a come before that over b? */
static bool is_outer(const struct tiling *t, const struct group *a, const struct group *b)
{
    const struct cin *target = t->access.at[0];
    const double one = shortest(t, a), other = shortest(t, b);
    return one != other ? one > other : stride(t, target, a) > stride(t, target, b);
}

/* By shortest strides; those of squares come last. */
static void sort_groups(struct tiling *t)
{
    struct group *at = t->group.at;
    for (size_t i = 1; i < t->group.n; i++) {
        for (size_t k = i; k > 0 && is_outer(t, &at[k], &at[k - 1]); k--) {
            struct group other = at[k];
            at[k] = at[k - 1];
            at[k - 1] = other;
        }
    }
}

/* Find the loops that squares go along; false: the assigned one is contiguous along none. */
static bool take_sides(struct tiling *t)
{
    const struct index_var *x = plan_steps_with(t->access.at[0]);
    t->x = x ? group_of(t, x) : NULL;
    t->y = NULL;
    for (size_t i = 1; i < t->access.n && t->x && !t->y; i++) {
        const struct index_var *steps = plan_steps_with(t->access.at[i]);
        struct group *y = steps ? group_of(t, steps) : NULL;
        if (y && y != t->x && cin_uses_var(t->access.at[i], x))
            t->y = y;
    }
    return t->x;
}

/* ---- what it costs ---- */

/* A loop that goes `count` times by `by` elements along the group. */
static void add_loop(const struct tiling *t, struct nest *nest, const struct group *group,
                     double count, double by)
{
    struct nest_loop loop = {fmax(1, count), arena_array(t->cx->arena, double, t->access.n)};
    for (size_t i = 0; i < t->access.n; i++) {
        const double step = stride(t, t->access.at[i], group);
        loop.stride[i] = isinf(step) ? 0 : step * by;
    }
    vec_push(t->cx->arena, &nest->loop, loop);
}

static struct nest nest_of(const struct tiling *t)
{
    double *bytes = arena_array(t->cx->arena, double, t->access.n);
    for (size_t i = 0; i < t->access.n; i++)
        bytes[i] = (double)type_size(t->access.at[i]->tensor->type);
    return (struct nest){.bytes = bytes, .accesses = (int)t->access.n};
}

/* Of the loops as they are. */
static double given_cost(const struct tiling *t)
{
    struct nest nest = nest_of(t);
    for (size_t i = 0; i < t->site->loops.n; i++) {
        struct group one = {.loop = t->site->loops.at[i]};
        vec_push(t->cx->arena, &one.modes, one.loop);
        add_loop(t, &nest, &one, size_of(t, &one), 1);
    }
    return plan_nest_cost(t->cx, &nest);
}

/* Of the groups' loops, in tiles of so many elements along y; 0: without. */
static double cost_of(const struct tiling *t, int64_t size)
{
    struct nest nest = nest_of(t);
    for (size_t i = 0; i < t->group.n; i++) {
        const struct group *group = &t->group.at[i];
        if (!size || (group != t->x && group != t->y))
            add_loop(t, &nest, group, size_of(t, group), 1);
    }
    if (size) {
        const double whole = size_of(t, t->y), of = fmin(whole, (double)size);
        if (of < whole)
            add_loop(t, &nest, t->y, whole / of, of);
        add_loop(t, &nest, t->x, size_of(t, t->x), 1);
        add_loop(t, &nest, t->y, of, 1);
    }
    return plan_nest_cost(t->cx, &nest);
}

/* The size of the cheapest tiles; 0: none are cheaper than the loops without. */
static int64_t cheapest(const struct tiling *t)
{
    int64_t best = 0;
    double least = cost_of(t, 0);
    for (int64_t size = TILE_LEAST; size <= TILE_MOST && t->y; size *= 2) {
        const double cost = cost_of(t, size);
        if (!plan_is_less(cost, least))
            continue;
        least = cost;
        best = size;
    }
    return best;
}

/* ---- directives ---- */

/* The loops over the groups' modes in the groups' order. */
static struct var_list loops_of(const struct tiling *t)
{
    struct var_list loops = {0};
    for (size_t i = 0; i < t->group.n; i++)
        for (size_t k = 0; k < t->group.at[i].modes.n; k++)
            vec_push(t->cx->arena, &loops, t->group.at[i].modes.at[k]);
    return loops;
}

static void reorder(struct draft *draft, const struct var_list *loops)
{
    draft_add(draft, plan_reorder(draft->cx, loops));
}

/* One loop for each group, in the groups' order. */
static void collapse(struct tiling *t, struct draft *draft)
{
    struct var_list loops = loops_of(t);
    if (!var_list_equal(&loops, &t->site->loops))
        reorder(draft, &loops);
    for (size_t i = 0; i < t->group.n; i++) {
        struct group *group = &t->group.at[i];
        group->loop = group->modes.at[0];
        for (size_t k = 1; k < group->modes.n && group->loop; k++)
            group->loop = draft_collapse(draft, group->loop, group->modes.at[k]);
    }
}

/* The loop along y in blocks of this size, unless it is known not to be longer, inside of that
 * along x; the blocks and the other loops, in the order of the groups, around both. */
static void tile(struct tiling *t, struct draft *draft, int64_t size)
{
    struct var_list order = {0};
    const int64_t known = group_size(t->y);
    const struct index_var *within = t->y->loop;
    for (size_t i = 0; i < t->group.n; i++)
        if (&t->group.at[i] != t->x && &t->group.at[i] != t->y)
            vec_push(t->cx->arena, &order, t->group.at[i].loop);
    if (known < 0 || known > size)
        vec_push(t->cx->arena, &order, draft_split(draft, t->y->loop, size, &within));
    vec_push(t->cx->arena, &order, t->x->loop);
    vec_push(t->cx->arena, &order, within);
    if (draft->program)
        reorder(draft, &order);
}

/* ---- a site ---- */

/* The directives, with tiles of this size; 0: without. */
static struct draft drafted(const struct tiling *of, int64_t size)
{
    struct tiling t = *of;
    struct draft draft = draft_new(t.cx, t.program);
    t.group.at = arena_copy(t.cx->arena, of->group.at, of->group.n * sizeof *of->group.at);
    take_sides(&t);
    collapse(&t, &draft);
    if (t.y && size)
        tile(&t, &draft, size);
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

/* Tell what else there was: the alternatives as whole schedules, and as text. */
static void report(const struct tiling *t, const struct draft *before, const struct draft *draft,
                   double cost, bool taken)
{
    struct planner *planner = t->planner;
    struct draft whole = draft_copy(before);
    draft_append(&whole, draft);
    vec_push(t->cx->arena, &planner->report->alternative,
             ((struct plan_alternative){draft_print(&whole), cost, whole.program}));
    text_printf(planner->reasons, "%s%8.1e  %s\n", taken ? "  * " : "    ", cost,
                draft->calls.n ? draft_print(draft) : "as it is");
}

/* Put the site in tiles, if that is cheaper; false: nothing changes. */
static bool tile_site(struct draft *draft, struct planner *planner, const struct site *site)
{
    struct tiling t = {
        .planner = planner, .cx = draft->cx, .program = draft->program, .site = site};
    if (!is_free(&t) || !take_accesses(&t) || !is_permuted(&t))
        return false;
    take_groups(&t);
    sort_groups(&t);
    if (!take_sides(&t))
        return false;
    const int64_t size = cheapest(&t);
    const double cost = cost_of(&t, size), given = given_cost(&t);
    struct draft best = drafted(&t, size), as_it_is = draft_new(t.cx, t.program);
    const bool better = t.group.n < site->loops.n || plan_is_less(cost, given);
    if (!better || !plan_is_whole(t.cx, best.program))
        return false;
    if (planner->reasons) {
        text_add(planner->reasons, "  ");
        cin_print(t.cx, planner->reasons, site->root);
        text_add(planner->reasons, "\n");
        report(&t, draft, &best, cost, true);
        for (int64_t other = size / 2; size && other <= 2 * size; other *= 4) {
            struct draft more = drafted(&t, other);
            if (more.program && more.program->statement != best.program->statement)
                report(&t, draft, &more, cost_of(&t, other), false);
        }
        report(&t, draft, &as_it_is, given, false);
    }
    draft_append(draft, &best);
    return true;
}

void draft_tile_loops(struct draft *draft, struct planner *planner)
{
    bool more = !draft->cx->cuda;
    while (more) {
        struct site_list sites = plan_sites(draft->cx, draft->program);
        more = false;
        for (size_t i = 0; i < sites.n && !more; i++)
            more = tile_site(draft, planner, &sites.at[i]);
    }
}
