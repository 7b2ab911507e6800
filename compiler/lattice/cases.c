/* cases.c - a lattice as loops one after the other, and the regions in each.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/lattice/parts.h"

#include <stdlib.h>

#include "compiler/base/vec.h"

int lattice_loops(struct context *cx, const struct lattice *lattice, const struct bits **loop)
{
    VEC(struct bits) sets = {0};
    for (int i = 0; i < lattice->points - lattice->rest; i++) {
        struct bits set = bits_and(lattice->point[i].present, lattice->iterated);
        bool seen = false;
        for (size_t j = 0; j < sets.n; j++)
            seen |= bits_equal(sets.at[j], set);
        if (!seen)
            vec_push(cx->arena, &sets, set);
    }
    if (sets.n) /* a loop leaves subsets of its iterators to later loops */
        qsort(sets.at, sets.n, sizeof *sets.at, larger_set_first);
    *loop = sets.at;
    return (int)sets.n;
}

struct bits lattice_mergers(const struct lattice *lattice, struct bits loop)
{
    return lattice->dimension ? bits_none() : loop;
}

/* Is the iterator's first level walked by itself, and can coordinates be sought in it? */
static bool can_seek(const struct lattice_iterator *it)
{
    const struct format *format = it->access->tensor->format;
    return it->path.steps == 0 && format->level[it->first].type->seek
           && (level_effective(format, it->first) & LEVEL_ORDERED);
}

bool lattice_seeks(const struct lattice *lattice, struct bits loop)
{
    bool seeks = !lattice->dimension && !lattice->flat && bits_count(loop) > 1;
    for (int i = 0; i < lattice->points - lattice->rest && seeks; i++) {
        struct bits set = bits_and(lattice->point[i].present, lattice->iterated);
        seeks = !bits_within(set, loop) || bits_equal(set, loop);
    }
    for (int i = 0; i < lattice->sparse && seeks; i++)
        seeks = !bits_has(loop, i) || can_seek(&lattice->iterator[i]);
    return seeks;
}

/* Does the case apply whenever these are present, whatever searches find? */
static bool holds(const struct lattice *lattice, const struct lattice_point *point,
                  struct bits present)
{
    for (int i = 0; i < lattice->sparse; i++)
        if (bits_has(point->present, i) && lattice->iterator[i].searched)
            return false;
    return bits_within(point->present, present);
}

/* Do present iterators exist in this loop for which no case applies?  All subsets of the loop are
 * tried, so loops of many iterators count as uncovered, which costs them one comparison. */
static bool leaves_some(const struct lattice *lattice, struct bits loop,
                        const struct lattice_point *const *cases, size_t n)
{
    int bit[BITS_MAX], bits = 0;
    for (int i = 0; i < lattice->sparse; i++)
        if (bits_has(loop, i))
            bit[bits++] = i;
    if (bits > 10)
        return true;
    for (unsigned subset = !lattice->dimension; subset < 1u << bits; subset++) {
        struct bits present = bits_none();
        for (int i = 0; i < bits; i++)
            if (subset >> i & 1)
                present = bits_with(present, bit[i]);
        bool held = false;
        for (size_t i = 0; i < n; i++)
            held |= holds(lattice, cases[i], present);
        if (!held)
            return true;
    }
    return false;
}

int lattice_cases(struct context *cx, const struct lattice *lattice, struct bits loop,
                  const struct lattice_point ***cases, bool *covered)
{
    VEC(const struct lattice_point *) list = {0};
    for (int i = 0; i < lattice->points - lattice->rest; i++)
        if (bits_within(bits_and(lattice->point[i].present, lattice->iterated), loop))
            vec_push(cx->arena, &list, &lattice->point[i]);
    *cases = list.at;
    if (covered)
        *covered = !leaves_some(lattice, loop, list.at, list.n);
    return (int)list.n;
}

bool lattice_is_full(const struct lattice *lattice)
{
    return !lattice->guards && lattice_is_everywhere(lattice);
}

bool lattice_is_tied(const struct lattice *lattice)
{
    bool tied = false;
    for (int i = 0; i < lattice->guards; i++)
        tied |= lattice->guard[i].by->type->ties;
    return tied;
}

bool lattice_is_everywhere(const struct lattice *lattice)
{
    for (int i = 0; i < lattice->points; i++)
        if (lattice->point[i].body->kind == CIN_NOTHING)
            return false;
    return lattice->points && !lattice->positions
           && bits_within(lattice->point[lattice->points - 1].present, lattice->given);
}

/* Returns the iterator that the lattice's only loop goes along by itself.  NULL if there are
 * several loops, or if the loop merges operands or goes through all coordinates. */
static const struct lattice_iterator *only_iterated(const struct lattice *lattice)
{
    bool only = lattice->points == 1 && !lattice->flat && !lattice->dimension && !lattice->rest
                && bits_count(lattice->iterated) == 1;
    return only ? &lattice->iterator[bits_first(lattice->iterated)] : NULL;
}

const struct lattice_iterator *lattice_rounds(const struct lattice *lattice)
{
    const struct lattice_iterator *it = only_iterated(lattice);
    bool rounds = it && bits_empty(lattice->following) && it->path.steps == 0;
    return rounds && lattice->var->size > 0
                   && it->access->tensor->format->level[it->first].type->in_rounds
               ? it
               : NULL;
}

bool lattice_has_one(const struct lattice *lattice)
{
    const struct lattice_iterator *it = only_iterated(lattice);
    if (!it)
        return false;
    const struct format *format = it->access->tensor->format;
    unsigned above = it->first > 0 ? level_effective(format, it->first - 1) : LEVEL_UNIQUE;
    bool runs = (above & LEVEL_ORDERED) && !(above & LEVEL_UNIQUE);
    return level_has(&format->level[it->first], LEVEL_BRANCHLESS) && !runs;
}

/* Is the iterator present whenever the body of the flat lattice runs? */
static bool is_certain(const struct lattice *lattice, int bit)
{
    for (int i = 0; i < lattice->points; i++)
        if (!bits_has(lattice->point[i].present, bit))
            return false;
    return true;
}

struct cin_list lattice_unsure(struct context *cx, const struct lattice *lattice,
                               const struct lattice_point *point, const struct around *around)
{
    struct cin_list unsure = {0};
    for (int bit = 0; bit < lattice->sparse && lattice->flat; bit++)
        for (size_t i = 0; i < lattice->iterator[bit].with.n && !is_certain(lattice, bit); i++)
            if (cin_contains(point->body, lattice->iterator[bit].with.at[i]))
                vec_push(cx->arena, &unsure, lattice->iterator[bit].with.at[i]);
    for (size_t i = 0; i < around->unsure.n; i++) {
        bool known = !cin_contains(point->body, around->unsure.at[i]);
        for (int bit = 0; bit < lattice->sparse; bit++)
            known |= lattice_is_at(&lattice->iterator[bit], around->unsure.at[i]);
        if (!known)
            vec_push(cx->arena, &unsure, around->unsure.at[i]);
    }
    return unsure;
}
