/* modes.c - the loops of tiles: modes that stay together, and modes that tiles fuse.
 *
 * Modes that lie one below the other in all accesses are one loop, where their sizes are known.  A
 * tile whose side is a short mode holds little of a line and less than a vector: there the loop is
 * over the modes around as well, as many as pay (the packed transposes of Hynninen and Lyakh 2017,
 * where such modes are brought to shared memory together).
 *
 * SPDX-License-Identifier: MIT
 */
#include <math.h>

#include "compiler/plan/tiles.h"
#include "compiler/target.h"

/* Of one loop in place of two there are at most this many iterations, since a coordinate counts
 * them. */
enum { COLLAPSED_MOST = 1 << 30 };

/* A block of all elements. */
static const double ALL = 1e300;

/* ---- modes that stay together ---- */

/* Returns the size that is known for good; -1: it may be another. */
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

int64_t group_size(const struct group *group)
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

static bool fits_one_loop(const struct group *a, const struct group *b)
{
    const int64_t size = group_size(a), more = group_size(b);
    return size >= 0 && more >= 0 && more <= COLLAPSED_MOST / size;
}

/* Can the modes of b follow those of a in one loop, and stay together? */
static bool is_joined(const struct tiling *t, const struct group *a, const struct group *b)
{
    bool together = a != b && fits_one_loop(a, b);
    for (size_t i = 0; i < t->access.n && together; i++)
        together =
            stores_together(t->cx, t->access.at[i], a->modes.at[a->modes.n - 1], b->modes.at[0]);
    return together;
}

static void add_modes(struct context *cx, struct group *to, const struct group *from)
{
    for (size_t i = 0; i < from->modes.n; i++)
        vec_push(cx->arena, &to->modes, from->modes.at[i]);
    for (size_t i = 0; i < from->part.n; i++)
        vec_push(cx->arena, &to->part, from->part.at[i]);
}

static void take_out(struct group_list *list, const struct group *group)
{
    size_t n = 0;
    for (size_t i = 0; i < list->n; i++)
        if (list->at[i] != group)
            list->at[n++] = list->at[i];
    list->n = n;
}

/* Joins two groups; false: there are no more such. */
static bool join_groups(struct tiling *t)
{
    struct group_list *list = &t->group;
    for (size_t a = 0; a < list->n; a++) {
        for (size_t b = 0; b < list->n; b++) {
            if (!is_joined(t, list->at[a], list->at[b]))
                continue;
            add_modes(t->cx, list->at[a], list->at[b]);
            take_out(list, list->at[b]);
            return true;
        }
    }
    return false;
}

static struct group *group_of(struct tiling *t, const struct index_var *var)
{
    for (size_t i = 0; i < t->group.n; i++)
        if (var_list_has(&t->group.at[i]->modes, var))
            return t->group.at[i];
    return NULL;
}

/* ---- strides ---- */

static double values_of(const struct tiling *t, const struct index_var *var)
{
    return plan_values(t->planner->symbols, t->program, var);
}

/* Returns by how many elements the access moves with the mode; 0: it does not move. */
static double stride(const struct tiling *t, const struct cin *access, const struct index_var *mode)
{
    struct var_list stored = plan_storage_order(t->cx, access);
    const int at = var_list_place(&stored, mode);
    double by = at >= 0;
    for (size_t i = (size_t)(at + 1); i < stored.n && at >= 0; i++)
        by *= values_of(t, stored.at[i]);
    return by;
}

/* Modes that stay together as a part: it moves as the innermost of them does. */
static struct part part_of(const struct tiling *t, const struct var_list *modes)
{
    struct part part = {1, arena_array(t->cx->arena, double, t->access.n)};
    for (size_t i = 0; i < modes->n; i++)
        part.count *= values_of(t, modes->at[i]);
    for (size_t a = 0; a < t->access.n; a++)
        part.stride[a] = stride(t, t->access.at[a], modes->at[modes->n - 1]);
    return part;
}

static const struct part *innermost(const struct group *group)
{
    return &group->part.at[group->part.n - 1];
}

static double shortest(const struct tiling *t, const struct group *group)
{
    double least = INFINITY;
    for (size_t a = 0; a < t->access.n; a++)
        if (innermost(group)->stride[a] > 0)
            least = fmin(least, innermost(group)->stride[a]);
    return least;
}

/* Does the loop over a come before that over b? */
static bool is_outer(const struct tiling *t, const struct group *a, const struct group *b)
{
    const double one = shortest(t, a), other = shortest(t, b);
    return one != other ? one > other : innermost(a)->stride[0] > innermost(b)->stride[0];
}

/* Sorts the groups by their shortest strides, those of squares last. */
static void sort_groups(struct tiling *t)
{
    struct group **at = t->group.at;
    for (size_t i = 1; i < t->group.n; i++) {
        for (size_t k = i; k > 0 && is_outer(t, at[k], at[k - 1]); k--) {
            struct group *other = at[k];
            at[k] = at[k - 1];
            at[k - 1] = other;
        }
    }
}

/* Finds the loops that squares go along; false: the assigned one is contiguous along none. */
static bool take_sides(struct tiling *t)
{
    const struct index_var *x = plan_steps_with(t->access.at[0]);
    t->x = x ? group_of(t, x) : NULL;
    t->y = NULL;
    for (size_t i = 1; i < t->access.n && t->x && !t->y; i++) {
        const struct index_var *steps = plan_steps_with(t->access.at[i]);
        struct group *y = steps ? group_of(t, steps) : NULL;
        if (!y || y == t->x || !cin_uses_var(t->access.at[i], x))
            continue;
        t->y = y;
        t->read = i;
    }
    return t->x;
}

bool tiling_take_groups(struct tiling *t)
{
    for (size_t i = 0; i < t->site->loops.n; i++) {
        struct group *group = arena_array(t->cx->arena, struct group, 1);
        group->loop = t->site->loops.at[i];
        vec_push(t->cx->arena, &group->modes, group->loop);
        vec_push(t->cx->arena, &t->group, group);
    }
    while (join_groups(t))
        ;
    for (size_t i = 0; i < t->group.n; i++) {
        struct group *group = t->group.at[i];
        vec_push(t->cx->arena, &group->part, part_of(t, &group->modes));
    }
    sort_groups(t);
    return take_sides(t);
}

bool tiling_fuse(struct tiling *t, struct group **group, size_t access)
{
    const struct part *outer = &(*group)->part.at[0];
    const double around = outer->count * outer->stride[access];
    for (size_t i = 0; i < t->group.n; i++) {
        struct group *other = t->group.at[i];
        if (other == t->x || other == t->y || innermost(other)->stride[access] != around
            || !fits_one_loop(other, *group))
            continue;
        struct group *fused = arena_array(t->cx->arena, struct group, 1);
        struct group_list list = {0};
        add_modes(t->cx, fused, other);
        add_modes(t->cx, fused, *group);
        for (size_t k = 0; k < t->group.n; k++)
            if (t->group.at[k] != other)
                vec_push(t->cx->arena, &list, t->group.at[k] == *group ? fused : t->group.at[k]);
        t->group = list;
        *group = fused;
        return true;
    }
    return false;
}

/* ---- what it costs ---- */

/* Adds a loop over a part, which goes `count` times by `by` elements. */
static void add_loop(const struct tiling *t, struct nest *nest, const struct part *part,
                     double count, double by)
{
    struct nest_loop loop = {fmax(1, count), arena_array(t->cx->arena, double, t->access.n), false};
    for (size_t a = 0; a < t->access.n; a++)
        loop.stride[a] = part->stride[a] * by;
    vec_push(t->cx->arena, &nest->loop, loop);
}

/* Adds the group's loops: within a block of this size or, if `over`, over the blocks.  All blocks
 * count as equally long. */
static void add_group(const struct tiling *t, struct nest *nest, const struct group *group,
                      double block, bool over)
{
    const size_t first = nest->loop.n;
    double whole = 1, *inside = arena_array(t->cx->arena, double, group->part.n);
    for (size_t i = 0; i < group->part.n; i++)
        whole *= group->part.at[i].count;
    double within = whole / ceil(whole / block);
    for (size_t i = group->part.n; i-- > 0; within /= inside[i])
        inside[i] = fmax(1, fmin(within, group->part.at[i].count));
    for (size_t i = 0; i < group->part.n; i++) {
        const struct part *part = &group->part.at[i];
        const double blocks = part->count / inside[i];
        if (over ? blocks > 1 : inside[i] > 1 || i + 1 == group->part.n) {
            add_loop(t, nest, part, over ? blocks : inside[i], over ? inside[i] : 1);
            nest->loop.at[nest->loop.n - 1].goes_on = nest->loop.n - 1 > first;
        }
    }
}

static struct nest nest_of(const struct tiling *t)
{
    const int64_t vector = target_of(t->cx)->vector_bytes;
    double *bytes = arena_array(t->cx->arena, double, t->access.n), most = 1;
    bool in_vectors = true;
    for (size_t a = 0; a < t->access.n; a++) {
        const enum type type = t->access.at[a]->tensor->type;
        bytes[a] = (double)type_size(type);
        most = fmax(most, bytes[a]);
        in_vectors = in_vectors && !type_is_complex(type) && type != TYPE_BOOL;
    }
    const double of = (double)(vector < TARGET_SQUARE_BYTES ? vector : TARGET_SQUARE_BYTES);
    return (struct nest){
        .bytes = bytes, .accesses = (int)t->access.n, .lanes = in_vectors ? fmax(1, of / most) : 1};
}

/* Notes whether whole lines of the result are stored in squares, which nobody reads while they are
 * in the caches, in blocks of this size along y (optimize/squares_stream.c).  Of each row, which
 * may begin anywhere, a line is stored in parts. */
static void take_streams(const struct tiling *t, struct nest *nest, double block)
{
    const struct cin *assign = t->site->assign;
    const struct target *target = target_of(t->cx);
    double elements = 1;
    for (size_t i = 0; i < t->group.n; i++)
        elements *= (double)(group_size(t->group.at[i]) < 0 ? 0 : group_size(t->group.at[i]));
    nest->streams = t->y && assign->op == OP_NONE && nest->lanes > 1
                    && assign->arg[0]->tensor == t->program->result
                    && fmin(block, (double)group_size(t->y)) <= TARGET_STREAMED_ROWS
                    && elements * nest->bytes[0] > (double)target->l3;
    nest->parts = elements / (double)group_size(t->x);
}

static bool is_of_square(const struct tiling *t, const struct index_var *var)
{
    return var_list_has(&t->x->modes, var) || (t->y && var_list_has(&t->y->modes, var));
}

double tiling_given_cost(const struct tiling *t)
{
    struct nest nest = nest_of(t);
    const struct var_list *loops = &t->site->loops;
    if (is_of_square(t, loops->at[loops->n - 1]) && is_of_square(t, loops->at[loops->n - 2]))
        take_streams(t, &nest, ALL);
    for (size_t i = 0; i < t->site->loops.n; i++) {
        struct group one = {0};
        vec_push(t->cx->arena, &one.modes, t->site->loops.at[i]);
        vec_push(t->cx->arena, &one.part, part_of(t, &one.modes));
        add_group(t, &nest, &one, ALL, false);
    }
    return plan_nest_cost(t->cx, &nest);
}

double tiling_cost(const struct tiling *t, int64_t size)
{
    struct nest nest = nest_of(t);
    for (size_t i = 0; i < t->group.n; i++)
        if (!size || (t->group.at[i] != t->x && t->group.at[i] != t->y))
            add_group(t, &nest, t->group.at[i], ALL, false);
    take_streams(t, &nest, size ? (double)size : ALL);
    if (size) {
        add_group(t, &nest, t->y, (double)size, true);
        add_group(t, &nest, t->x, ALL, false);
        add_group(t, &nest, t->y, (double)size, false);
    }
    return plan_nest_cost(t->cx, &nest);
}
