/* lattice.c - builds iteration lattices.
 *
 * They are built bottom-up (thesis 3.3), over statements as over expressions.  A partial lattice
 * is a list of points and a background, which is the node where no point holds.  An access that a
 * bit stands for has one point, itself, and its fill as background.  An expression without bits is
 * all background.  At a node with args, the candidate points are the unions of one point (or none)
 * of each arg.  At each candidate the node is rebuilt from its args at that point and simplified.
 * The candidate is kept if the outcome differs from the background.
 *
 * The thesis's construction rules are special cases.  Since b*0 simplifies to 0, * intersects;
 * since b+0 simplifies to b, + unites.  An operand that appears twice has one bit, so its regions
 * agree.  So do B(i,j) and B(i,k) at i, where both go through the same positions: B1 and B1 is B1
 * (thesis figure 3-11).
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/lattice/parts.h"

#include <stdlib.h>
#include <string.h>

#include "compiler/base/vec.h"
#include "compiler/lattice/least.h"

struct partial {
    VEC(struct lattice_point) point; /* largest first */
    const struct cin *background;
    bool overflows; /* has too many points */
};

/* ---- iterators ---- */

/* Does the loop go along the access's next level, or along blocks of it? */
static bool find_path(struct context *cx, const struct lattice *lattice,
                      struct lattice_iterator *it, const struct known *outside)
{
    const struct format *format = it->access->tensor->format;
    const struct index_var *var =
        it->first < format->levels ? access_level_var(it->access, it->first) : NULL;
    if (!var || !known_path(cx, outside, var, lattice->var, &it->path))
        return false;
    bool blocks = false;
    for (int i = 0; i < it->path.steps; i++)
        blocks |= it->path.step[i].divides;
    return it->path.steps == 0
           || (blocks == (it->first == it->end) && level_has_runs(format, it->first));
}

/* Returns how many leading levels of the two tensors have the same arrays, or arrays with the same
 * contents. */
static int common_levels(const struct tensor_var *a, const struct tensor_var *b)
{
    if (tensor_var_stored(a) == tensor_var_stored(b))
        return a->format->levels;
    return tensor_var_pattern(a) == tensor_var_pattern(b) ? format_common(a->format, b->format) : 0;
}

/* Are both accesses at one position of these common levels, and at the same?  Then both have the
 * same coordinates below. */
static bool is_one_place(const struct cin *a, const struct cin *b, int levels)
{
    const struct format *format = a->tensor->format;
    bool is = levels > 0 && level_has(&format->level[levels - 1], LEVEL_UNIQUE);
    for (int level = 0; level < levels && is; level++)
        is = access_level_var(a, level) && access_level_var(a, level) == access_level_var(b, level);
    return is;
}

/* Do both iterators walk the same levels of one pattern, below the same coordinates?  Then their
 * positions are the same.  An exception are levels that visit several positions of one coordinate
 * one by one, since the positions below may differ. */
static bool goes_along(const struct lattice_iterator *it, const struct lattice_iterator *other)
{
    const struct format *format = it->access->tensor->format;
    const int levels = it->end + lattice_walks_blocks(it);
    const int common = common_levels(it->access->tensor, other->access->tensor);
    const bool one = is_one_place(it->access, other->access, common);
    if (levels > common || it->first != other->first || it->end != other->end
        || it->given != other->given || it->walks != other->walks || it->full != other->full)
        return false;
    for (int level = 0; level < levels; level++) {
        const struct index_var *var = access_level_var(it->access, level);
        if (!var || var != access_level_var(other->access, level)
            || (!one && !(level_effective(format, level) & (LEVEL_ORDERED | LEVEL_UNIQUE))))
            return false;
    }
    return true;
}

static void add_iterator(struct context *cx, struct lattice *lattice,
                         const struct lattice_iterator *it)
{
    for (int i = 0; i < lattice->iterators; i++) {
        if (goes_along(&lattice->iterator[i], it)) {
            vec_push(cx->arena, &lattice->iterator[i].with, it->access);
            return;
        }
    }
    struct lattice_iterator *last = &lattice->iterator[lattice->iterators++];
    *last = *it;
    vec_push(cx->arena, &last->with, it->access);
}

static int find_bit(const struct lattice *lattice, const struct cin *access)
{
    for (int i = 0; i < lattice->sparse; i++)
        if (lattice_is_at(&lattice->iterator[i], access))
            return i;
    return -1;
}

static void find_iterators(struct context *cx, struct lattice *lattice, const struct cin *body,
                           const struct around *around)
{
    struct known inside = known_with(cx, &around->known, lattice->var);
    struct cin_list operands = cin_operands(cx, body);
    lattice->iterator = arena_array(cx->arena, struct lattice_iterator, operands.n);
    for (int full = 0; full <= 1; full++) {
        for (size_t i = 0; i < operands.n; i++) {
            const struct cin *access = operands.at[i];
            bool unsure = cin_list_has(&around->unsure, access);
            struct lattice_iterator it = {.access = access,
                                          .first = access_resolved(access, &around->known),
                                          .end = access_resolved(access, &inside),
                                          .full = !unsure};
            bool looked_up = unsure && it.first == access->tensor->format->levels;
            it.walks = find_path(cx, lattice, &it, &around->known);
            it.full &= !lattice_walks_blocks(&it);
            const struct cin_relation *position = access_position(access, it.end, &inside);
            it.given = position && position->size >= it.first ? (int)position->size + 1 : it.first;
            for (int level = it.given; level < it.end; level++)
                it.full &= level_is_always_there(&access->tensor->format->level[level]);
            if ((it.first < it.end || it.walks || looked_up) && it.full == full)
                add_iterator(cx, lattice, &it);
        }
        if (!full)
            lattice->sparse = lattice->iterators;
    }
}

/* Lists the operands that may be absent although the loop's coordinate is known. */
static struct cin_list find_unsure(struct context *cx, const struct lattice *lattice,
                                   const struct cin *body, const struct around *around)
{
    struct known inside = known_with(cx, &around->known, lattice->var);
    struct cin_list operands = cin_operands(cx, body),
                    unsure = access_unsure(cx, &operands, &inside);
    for (size_t i = 0; i < around->unsure.n; i++)
        if (find_bit(lattice, around->unsure.at[i]) < 0)
            cin_list_add(cx, &unsure, around->unsure.at[i]);
    return unsure;
}

static void find_given(struct context *cx, struct lattice *lattice, const struct cin *body)
{
    struct cin_list made = cin_assignments(cx, body);
    for (size_t i = 0; i < made.n; i++) {
        int bit = made.at[i]->args > 2 ? find_bit(lattice, made.at[i]->arg[2]) : -1;
        if (bit >= 0 && !tensor_var_is_updated(made.at[i]->arg[0]->tensor))
            lattice->given = bits_with(lattice->given, bit);
    }
}

/* ---- points ---- */

/* Returns the node of the partial lattice where exactly these operands are present. */
static const struct cin *at(const struct partial *partial, struct bits present)
{
    for (size_t i = 0; i < partial->point.n; i++)
        if (bits_within(partial->point.at[i].present, present))
            return partial->point.at[i].body;
    return partial->background;
}

static bool has_candidate(const struct partial *candidates, struct bits present)
{
    for (size_t i = 0; i < candidates->point.n; i++)
        if (bits_equal(candidates->point.at[i].present, present))
            return true;
    return false;
}

/* Lists the unions of one point, or none, of each arg, largest first. */
static struct partial candidates(struct context *cx, const struct partial *arg, int args)
{
    struct partial all = {0};
    vec_push(cx->arena, &all.point, ((struct lattice_point){bits_none(), NULL}));
    for (int i = 0; i < args; i++) {
        size_t before = all.point.n;
        for (size_t j = 0; j < before; j++) {
            for (size_t k = 0; k < arg[i].point.n; k++) {
                struct lattice_point both = {
                    bits_or(all.point.at[j].present, arg[i].point.at[k].present), NULL};
                if (!has_candidate(&all, both.present))
                    vec_push(cx->arena, &all.point, both);
            }
        }
    }
    return all;
}

int larger_set_first(const void *a, const void *b)
{
    const struct bits *p = a, *q = b;
    int difference = bits_count(*q) - bits_count(*p);
    for (int w = 0; w < BITS_WORDS && !difference; w++) {
        uint64_t other = p->word[w] ^ q->word[w];
        difference = !other ? 0 : q->word[w] & other & -other ? 1 : -1; /* the first that differs */
    }
    return difference;
}

static int larger_first(const void *a, const void *b)
{
    const struct lattice_point *p = a, *q = b;
    return larger_set_first(&p->present, &q->present);
}

static const struct cin *rebuild(struct context *cx, const struct cin *cin,
                                 const struct partial *arg, struct bits present,
                                 const struct cin_list *unsure)
{
    const struct cin *part[CIN_ARGS_MAX];
    for (int i = 0; i < cin->args; i++)
        part[i] = at(&arg[i], present);
    return cin_simplify_with(cx, cin, part, unsure);
}

/* Is point p no region of its own?  It is none if exactly one largest point within p exists, or the
 * background if there is none, and has the same body.  An example is {c,d} of select(b, c, d):
 * where b is absent the value is d, and c is not needed.  A point like the background is still
 * needed if points within it differ: c * (a / b) is 0 at {b,c}, but not a number at {c}. */
static bool is_redundant(const struct partial *partial, size_t p)
{
    const struct lattice_point *point = partial->point.at, *part = NULL;
    for (size_t i = p + 1; i < partial->point.n; i++) {
        if (!bits_within(point[i].present, point[p].present))
            continue;
        if (!part)
            part = &point[i];
        if (part->body != point[p].body || !bits_within(point[i].present, part->present))
            return false;
    }
    return part || cin_alike(point[p].body, partial->background);
}

static void drop_redundant(struct partial *partial)
{
    for (size_t p = partial->point.n; p-- > 0;) {
        if (!is_redundant(partial, p))
            continue;
        partial->point.n--;
        memmove(&partial->point.at[p], &partial->point.at[p + 1],
                sizeof *partial->point.at * (partial->point.n - p));
    }
}

static struct partial build(struct context *cx, const struct lattice *lattice,
                            const struct cin *cin, const struct cin_list *unsure)
{
    struct partial result = {.background = cin};
    if (cin->kind == CIN_ACCESS && find_bit(lattice, cin) >= 0) {
        vec_push(cx->arena, &result.point,
                 ((struct lattice_point){bits_one(find_bit(lattice, cin)), cin}));
        result.background = cin_literal(cx, cin->tensor->fill);
    }
    if (!cin->args)
        return result;
    struct partial arg[CIN_ARGS_MAX];
    for (int i = 0; i < cin->args; i++) {
        if (cin->kind == CIN_ASSIGN && i == 0)
            arg[i] = (struct partial){.background = cin->arg[i]}; /* only written */
        else
            arg[i] = build(cx, lattice, cin->arg[i], unsure);
        result.overflows |= arg[i].overflows;
    }
    if (result.overflows)
        return result;
    struct partial all = candidates(cx, arg, cin->args);
    result.background = rebuild(cx, cin, arg, bits_none(), unsure);
    for (size_t i = 1; i < all.point.n; i++) {
        struct bits present = all.point.at[i].present;
        vec_push(cx->arena, &result.point,
                 ((struct lattice_point){present, rebuild(cx, cin, arg, present, unsure)}));
    }
    if (result.point.n)
        qsort(result.point.at, result.point.n, sizeof *result.point.at, larger_first);
    drop_redundant(&result);
    result.overflows |= result.point.n > POINTS_MAX;
    return result;
}

/* ---- flat lattices ---- */

static struct partial build_least(struct context *cx, struct lattice *lattice,
                                  const struct cin *body, const struct cin_list *unsure)
{
    struct cin_list *operand = arena_array(cx->arena, struct cin_list, lattice->sparse);
    for (int bit = 0; bit < lattice->sparse; bit++)
        operand[bit] = lattice->iterator[bit].with;
    struct least least = least_sets(cx, body, operand, lattice->sparse, unsure);
    struct partial result = {.background = least.background};
    lattice->coarse = least.coarse;
    for (size_t i = 0; i < least.set.n; i++)
        vec_push(cx->arena, &result.point, ((struct lattice_point){least.set.at[i], body}));
    return result;
}

/* ---- coiterated and located operands ---- */

/* Has some point nothing to coiterate but this iterator? */
static bool drives_alone(const struct lattice *lattice, int bit)
{
    for (int i = 0; i < lattice->points; i++) {
        struct bits driving = bits_and(lattice->point[i].present, lattice->iterated);
        if (bits_equal(driving, bits_one(bit)))
            return true;
    }
    return false;
}

/* Does a loop coiterate the iterator together with another? */
static bool is_merged(const struct lattice *lattice, int bit)
{
    if (lattice->dimension || (lattice->flat && bits_count(lattice->iterated) > 1))
        return true;
    for (int i = 0; i < lattice->points; i++) {
        struct bits driving = bits_and(lattice->point[i].present, lattice->iterated);
        if (bits_has(driving, bit) && bits_count(driving) > 1)
            return true;
    }
    return false;
}

bool level_can_locate(struct context *cx, const struct cin *access, int level,
                      const struct known *known)
{
    const struct format *format = access->tensor->format;
    const struct level_type *type = format->level[level].type;
    unsigned searchable = LEVEL_ORDERED | LEVEL_UNIQUE;
    bool follows = level_has(&format->level[level], LEVEL_BRANCHLESS)
                   && access_level_follows(cx, access, level, known);
    if (follows || level_is_only_child(format, level))
        return type->locate != NULL;
    return type->locate
           && (type->locates_fast || (level_effective(format, level) & searchable) == searchable);
}

/* Does every assignment write, for each coordinate of the loop, a component of a full level? */
static bool writes_dimension(struct context *cx, const struct lattice *lattice,
                             const struct cin *body)
{
    struct cin_list made = cin_assignments(cx, body);
    for (size_t i = 0; i < made.n; i++) {
        const struct cin *target = made.at[i]->arg[0];
        bool full = false;
        for (int level = 0; level < target->tensor->format->levels; level++)
            full |= access_level_var(target, level) == lattice->var
                    && level_has(&target->tensor->format->level[level], LEVEL_FULL);
        if (!full)
            return false;
    }
    return true;
}

/* Can the level be merged with others?  Positions without coordinates cannot be compared. */
static bool in_order(const struct format *format, int level)
{
    return level_ascends(format, level) && !format->level[level].type->occupied;
}

/* Should the loop run over the dimension?  That is cheaper if unordered coordinates, which can be
 * located in O(1), would have to be merged, and the loop writes the whole dimension anyway. */
static bool takes_dimension(const struct lattice *lattice)
{
    for (int bit = 0; bit < lattice->sparse; bit++) {
        const struct lattice_iterator *it = &lattice->iterator[bit];
        const struct format *format = it->access->tensor->format;
        if (bits_has(lattice->iterated, bit) && !in_order(format, it->first)
            && format->level[it->first].type->locates_fast && is_merged(lattice, bit)
            && drives_alone(lattice, bit))
            return true;
    }
    return false;
}

static void locate_instead(struct lattice *lattice, int bit)
{
    lattice->iterated = bits_without(lattice->iterated, bit);
    lattice->located = bits_with(lattice->located, bit);
    lattice->iterator[bit].searched = true;
}

static void infeasible(struct lattice *lattice, const struct cin *access, const char *why)
{
    if (!lattice->infeasible) {
        lattice->infeasible = access;
        lattice->why = why;
    }
}

/* Returns the iterators of the points.  In a flat lattice any iterator may matter. */
static struct bits relevant(const struct lattice *lattice)
{
    struct bits some = bits_none();
    for (int i = 0; i < lattice->points; i++)
        some = bits_or(some, lattice->point[i].present);
    for (int bit = 0; lattice->flat && bit < lattice->sparse; bit++)
        some = bits_with(some, bit);
    return some;
}

/* Locates what can be located in O(1) if something else drives the loop (thesis 3.3, the
 * optimization of intersections), and what a merge would need in order but is not.  The longest
 * operand goes first, which is the one nearest to its root: a level further down has the
 * coordinates of one parent only. */
static void locate_longest(struct context *cx, struct lattice *lattice, const struct known *known)
{
    const struct lattice_iterator *iterator = lattice->iterator;
    int bits[BITS_MAX], n = 0;
    for (int bit = 0; bit < lattice->sparse; bit++) {
        if (!bits_has(lattice->iterated, bit) || lattice_walks_blocks(&iterator[bit]))
            continue;
        int at = n++;
        for (; at > 0 && iterator[bit].first < iterator[bits[at - 1]].first; at--)
            bits[at] = bits[at - 1];
        bits[at] = bit;
    }
    for (int i = 0; i < n; i++) {
        const struct lattice_iterator *it = &iterator[bits[i]];
        const struct format *format = it->access->tensor->format;
        bool fast = format->level[it->first].type->locates_fast
                    && level_can_locate(cx, it->access, it->first, known);
        bool unordered = !in_order(format, it->first) && is_merged(lattice, bits[i]);
        if ((fast || (unordered && level_can_locate(cx, it->access, it->first, known)))
            && (lattice->dimension || !drives_alone(lattice, bits[i])))
            locate_instead(lattice, bits[i]);
        else if (unordered)
            infeasible(lattice, it->access,
                       "its coordinates are not ordered, and other operands are iterated with it");
    }
}

/* Separates iterators that cannot be coiterated, then those that need not be. */
static void divide(struct context *cx, struct lattice *lattice, const struct cin *body,
                   const struct known *known)
{
    struct bits some = relevant(lattice);
    for (int bit = 0; bit < lattice->sparse; bit++) {
        const struct lattice_iterator *it = &lattice->iterator[bit];
        const struct format *format = it->access->tensor->format;
        if (!bits_has(some, bit))
            continue;
        if (it->first == it->end && !it->walks) { /* the lattice asks only whether it is present */
            locate_instead(lattice, bit);
            continue;
        }
        bool coiterable = format->level[it->first].type->bounds && it->walks
                          && !level_has(&format->level[it->first], LEVEL_FULL);
        if (coiterable)
            lattice->iterated = bits_with(lattice->iterated, bit);
        else
            lattice->located = bits_with(lattice->located, bit);
        for (int level = it->given + coiterable; level < it->end; level++) {
            if (!level_can_locate(cx, it->access, level, known))
                infeasible(
                    lattice, it->access,
                    "its coordinates can only be searched for in a level that is ordered and "
                    "unique");
            lattice->iterator[bit].searched |= !level_is_always_there(&format->level[level]);
        }
    }
    for (int i = 0; i < lattice->points - lattice->rest; i++)
        lattice->dimension |= bits_empty(bits_and(lattice->point[i].present, lattice->iterated));
    lattice->dimension |= takes_dimension(lattice) && writes_dimension(cx, lattice, body);
    locate_longest(cx, lattice, known);
}

/* Divides with the last point left to the end, if the loops need no dimension then. */
static bool divide_with_rest(struct context *cx, struct lattice *lattice, const struct cin *body,
                             const struct known *known)
{
    struct lattice trial = *lattice;
    if (!lattice_may_rest(cx, lattice, known))
        return false;
    trial.iterator = arena_copy(cx->arena, lattice->iterator,
                                (size_t)lattice->iterators * sizeof *lattice->iterator);
    trial.rest = true;
    trial.dimension = false;
    divide(cx, &trial, body, known);
    if (trial.dimension || trial.infeasible || !lattice_is_distinct(&trial))
        return false;
    *lattice = trial;
    return true;
}

/* Does the level go one position at a time through ascending coordinates? */
static bool ascends(const struct lattice_iterator *it)
{
    const struct format *format = it->access->tensor->format;
    return !lattice_walks_blocks(it) && it->path.steps == 0 && in_order(format, it->first)
           && !format->level[it->first].type->lists
           && (level_effective(format, it->first) & LEVEL_UNIQUE);
}

/* If every point has the given pattern, the pattern alone determines the coordinates: the loop goes
 * along it, and iterators that would be merged with it follow to each coordinate. */
static void follow_given(struct lattice *lattice)
{
    struct bits leading = bits_and(lattice->given, lattice->iterated);
    bool leads = bits_count(leading) == 1 && !lattice->flat && !lattice->dimension;
    for (int i = 0; i < lattice->points; i++)
        leads &= bits_within(leading, lattice->point[i].present);
    for (int bit = 0; bit < lattice->sparse && leads; bit++)
        leads = !bits_has(lattice->iterated, bit) || ascends(&lattice->iterator[bit]);
    for (int bit = 0; bit < lattice->sparse && leads; bit++) {
        if (!bits_has(lattice->iterated, bit) || bits_has(leading, bit))
            continue;
        lattice->following = bits_with(lattice->following, bit);
        locate_instead(lattice, bit);
    }
}

/* ---- the lattice ---- */

const struct lattice *lattice_build(struct context *cx, const struct index_var *var,
                                    const struct cin *body, const struct around *around, bool flat)
{
    struct lattice *lattice = arena_make(cx->arena, struct lattice);
    lattice->var = var;
    lattice->positions = cin_positions(around->known.relation, around->known.relations, var);
    find_iterators(cx, lattice, body, around);
    if (lattice->sparse > BITS_MAX) {
        infeasible(lattice, lattice->iterator[BITS_MAX].access,
                   "more than 256 sparse operands in one loop");
        return lattice;
    }
    find_given(cx, lattice, body);
    struct cin_list unsure = find_unsure(cx, lattice, body, around);
    struct partial all = {.overflows = true};
    if (!flat)
        all = build(cx, lattice, body, &unsure);
    lattice->flat = all.overflows;
    if (lattice->flat)
        all = build_least(cx, lattice, body, &unsure);
    lattice->dimension = all.background != cin_nothing(cx);
    if (lattice->dimension)
        vec_push(cx->arena, &all.point,
                 ((struct lattice_point){bits_none(), lattice->flat ? body : all.background}));
    lattice->point = all.point.at;
    lattice->points = (int)all.point.n;
    if (!divide_with_rest(cx, lattice, body, &around->known))
        divide(cx, lattice, body, &around->known);
    follow_given(lattice);
    lattice_find_guards(cx, lattice, &around->known);
    return lattice;
}
