/* lattice.h - iteration lattices: how one forall coiterates its operands (thesis 3.3).
 *
 * At forall(v) an access takes part with the levels that v resolves: the first one that stores v,
 * or a variable that follows from v (once its parents are resolved), and those below it whose
 * variables are known already.  Full levels are always there and are merely located; every other
 * such access is an *iterator*, one bit of the lattice's points.
 *
 * A *point* is a set of iterators that are present at a coordinate, with what the body is there:
 * the body with the absent operands replaced by their fills, simplified.  A set is a point only if
 * the body there differs from the body where nothing is present; so unions and intersections are
 * not rules here but follow from the operators' algebra.
 *
 *       b(i) + c(i)       {b,c} b+c           b(i) * c(i)     {b,c} b*c
 *                         /       \                             |
 *                      {b} b     {c} c                          0
 *                         \       /
 *                            0
 *
 * A union of n operands has 2^n - 1 points and 3^n - 2^n regions.  Instead a lattice may be *flat*:
 * it keeps the least points only, with the whole body, and one loop over all iterators reads the
 * fill of those that are absent, so that code grows with n.  Whether an operand is there is then
 * known at run time only: in the loops inside, an operand all of whose levels are resolved is an
 * iterator as well, of no levels, that is looked up by this.  So both forms store the same
 * components.
 *
 * If the body where nothing is present still has an effect, the point {} is there too and the loop
 * runs over the whole dimension.  A region belongs to the largest point whose iterators are all
 * present in it.  But where that effect is the same at all coordinates, of a reduction, {} is the
 * lattice's *rest*: no loop comes to it, and it is done once, behind the loops, for all coordinates
 * at which no other point holds.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_LATTICE_LATTICE_H
#define SPCC_LATTICE_LATTICE_H

#include "compiler/base/bits.h"
#include "compiler/lattice/access.h"

/* What is known around a loop: coordinates, and which operands may not be there although their
 * loops are around; and whether a flat loop around has other assignments in it, too, and runs also
 * where only these have an effect. */
struct around {
    struct known known;
    struct cin_list unsure;
    bool shared;
    const struct cin_program *parallel; /* the program if a loop of it is parallel, or NULL */
};

struct lattice_iterator {
    const struct cin *access;
    /* it, and others of its tensor that agree with it in the variables of these levels and those
     * above: all at the same positions (thesis figure 3-11) */
    struct cin_list with;
    /* the levels resolved here: [first, end); none of an operand that is unsure */
    int first, end;
    /* the loop goes along the first level, or its blocks, in the order it is stored in */
    bool walks;
    struct known_path path; /* ... from what the level stores to the loop's variable */
    bool full;              /* all of them are: always present, no bit */
    /* the levels [first, given) are where a known position says */
    int given;
    /* one is looked up and may not be there, even where the first one is */
    bool searched;
};

struct lattice_point {
    struct bits present;
    const struct cin *body;
};

/* What the body is for: an equation of the relation, by number, or, RANGE, that var, which follows
 * by the relation from what is known, is in its range. */
enum { GUARD_RANGE = -1 };
struct lattice_guard {
    const struct index_var *var;
    const struct cin_relation *by;
    int equation;
};

struct lattice {
    const struct index_var *var;
    /* those with a bit first, numbered by it; then the full ones */
    int iterators;
    struct lattice_iterator *iterator;
    int sparse; /* how many have a bit */
    /* coiterated: their first level's coordinates drive the loops */
    struct bits iterated;
    struct bits located; /* the others: looked up at each coordinate */
    /* of the located those that go along behind a pattern that is given, and are not searched */
    struct bits following;
    struct bits given; /* those at whose components alone assignments have an effect */
    bool dimension;    /* the loops run over the whole dimension, besides */
    bool positions;    /* ... which is of an operand's positions, not of coordinates */
    bool flat;         /* the points are the least ones, and none is simplified */
    bool rest;         /* the last point, {}, is done once, for all that the loops do not come to */
    /* largest first (flat: smallest first); {} is last if it is there */
    int points;
    struct lattice_point *point;
    int guards;
    struct lattice_guard *guard;
    /* an access that can neither be coiterated nor located here, or NULL */
    const struct cin *infeasible;
    const char *why; /* ... and why */
};

/* Does it stand at a block of its first level, not at one of its coordinates? */
static inline bool lattice_walks_blocks(const struct lattice_iterator *it)
{
    return it->first == it->end && it->walks;
}

/* Is the access at the iterator's positions? */
static inline bool lattice_is_at(const struct lattice_iterator *it, const struct cin *access)
{
    for (size_t i = 0; i < it->with.n; i++)
        if (it->with.at[i] == access)
            return true;
    return false;
}

/* The most points of a lattice that is not flat. */
enum { POINTS_MAX = 15 };

/* The lattice of forall(var) body; flat if it is asked for or there would be too many points. */
const struct lattice *lattice_build(struct context *cx, const struct index_var *var,
                                    const struct cin *body, const struct around *around, bool flat);

/* The operands that are unsure at a point of it. */
struct cin_list lattice_unsure(struct context *cx, const struct lattice *lattice,
                               const struct lattice_point *point, const struct around *around);

/* The sets of iterators that the successive loops coiterate, in order: the distinct coiterated
 * parts of the points.  The empty set stands for a loop over the dimension alone. */
int lattice_loops(struct context *cx, const struct lattice *lattice, const struct bits **loop);

/* What gives a loop's coordinate (thesis 5.2, mergers).  The dimension is a superset of every
 * iterator, so where there is one nothing has to be compared; nor does it end first: the rangers
 * are all that the loop coiterates. */
struct bits lattice_mergers(const struct lattice *lattice, struct bits loop);

/* Does the loop intersect: has no coordinate an effect that one of them lacks, and can each of them
 * go on to where another is without a step for each coordinate between? */
bool lattice_seeks(const struct lattice *lattice, struct bits loop);

/* The points that may occur in a loop, in order; *covered, unless that is NULL: one of them holds
 * whenever the loop runs, whatever the searches find. */
int lattice_cases(struct context *cx, const struct lattice *lattice, struct bits loop,
                  const struct lattice_point ***cases, bool *covered);

/* Does the body run at every coordinate of the dimension, or wherever a pattern that is given has a
 * component?  Positions are no coordinates.  lattice_is_everywhere: but for where a guard leaves it
 * out. */
bool lattice_is_full(const struct lattice *lattice);
bool lattice_is_everywhere(const struct lattice *lattice);

/* The one iterator that the loops go along, if its positions come in rounds of a constant size; or
 * NULL. */
const struct lattice_iterator *lattice_rounds(const struct lattice *lattice);

/* Do the loops come to one position at most? */
bool lattice_has_one(const struct lattice *lattice);

/* Is it as good to do the assignment once as several times? */
bool lattice_is_once(const struct context *cx, const struct cin *assign);

/* Are the variables that the guard is about known? */
bool lattice_guards(const struct lattice_guard *guard, const struct known *known);

/* Must the coordinate be that of another variable, or a literal? */
bool lattice_is_tied(const struct lattice *lattice);

/* Can a coordinate be looked up in a level of the access? */
bool level_can_locate(struct context *cx, const struct cin *access, int level,
                      const struct known *known);

/* As text: one line a point. */
void lattice_print(struct context *cx, struct text *out, const struct lattice *lattice);
/* Parts of it: what is iterated how, and a set of iterators. */
void lattice_print_facts(struct context *cx, struct text *out, const struct lattice *lattice);
void lattice_print_set(struct context *cx, struct text *out, const struct lattice *lattice,
                       struct bits set);
/* Is there no point strictly between these two, of which the first is the larger? */
bool lattice_is_next(const struct lattice *lattice, const struct lattice_point *above,
                     const struct lattice_point *below);
/* As the nodes and edges of a Graphviz cluster. */
void lattice_print_dot(struct context *cx, struct text *out, const struct lattice *lattice,
                       int number);

#endif
