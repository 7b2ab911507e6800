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

/* What is known around a loop: coordinates; operands that may be absent although loops over them
 * are around; and whether a flat loop around also runs where an assignment in it has no effect. */
struct around {
    struct known known;
    struct cin_list unsure;
    bool shared;
    const struct cin_program *parallel; /* the program if one of its loops is parallel, else NULL */
};

struct lattice_iterator {
    const struct cin *access;
    /* the access, and others of its tensor with the same variables in these levels and those above:
     * all are at the same positions (thesis figure 3-11) */
    struct cin_list with;
    /* the levels [first, end) are resolved here; none of an operand that may be absent */
    int first, end;
    /* the loop goes along the first level, or its blocks, in storage order */
    bool walks;
    struct known_path path; /* ... from what the level stores to the loop's variable */
    bool full;              /* all its levels are full: it is always present, and has no bit */
    /* the positions in the levels [first, given) are told by a known position */
    int given;
    /* a level is located, and may lack the coordinate although the first level has it */
    bool searched;
};

struct lattice_point {
    struct bits present;
    const struct cin *body;
};

/* A condition on the body: an equation of the relation, by number; or, GUARD_RANGE, that var, which
 * follows by the relation from what is known, is in its range. */
enum { GUARD_RANGE = -1 };
struct lattice_guard {
    const struct index_var *var;
    const struct cin_relation *by;
    int equation;
};

struct lattice {
    const struct index_var *var;
    /* first those with a bit, numbered by it; then the full ones */
    int iterators;
    struct lattice_iterator *iterator;
    int sparse; /* how many have a bit */
    /* coiterated: the coordinates of their first levels drive the loops */
    struct bits iterated;
    struct bits located; /* the others: located at each coordinate */
    /* of the located ones, those that advance along a given pattern, without a search */
    struct bits following;
    struct bits given; /* those at whose components alone assignments have an effect */
    bool dimension;    /* the loops also go over the whole dimension */
    bool positions;    /* the dimension is that of an operand's positions */
    bool flat;         /* the points are the least ones, and their bodies are not simplified */
    bool coarse;       /* flat, and each operand is a point, since there would be too many */
    /* the last point, {}, is done once for all coordinates that the loops do not come to */
    bool rest;
    /* largest first (flat: smallest first); {} is last, if it is a point */
    int points;
    struct lattice_point *point;
    int guards;
    struct lattice_guard *guard;
    /* an access that can be neither coiterated nor located here, and why; or NULL */
    const struct cin *infeasible;
    const char *why;
};

/* Does the iterator go along blocks of its first level, rather than coordinates? */
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

/* Returns the lattice of forall(var) body.  It is flat if asked for, or if it had too many points.
 */
const struct lattice *lattice_build(struct context *cx, const struct index_var *var,
                                    const struct cin *body, const struct around *around, bool flat);

/* Returns the operands that may be absent at this point. */
struct cin_list lattice_unsure(struct context *cx, const struct lattice *lattice,
                               const struct lattice_point *point, const struct around *around);

/* Returns the sets of iterators that the successive loops coiterate, in order: the distinct
 * coiterated parts of the points.  The empty set stands for a loop over the dimension alone. */
int lattice_loops(struct context *cx, const struct lattice *lattice, const struct bits **loop);

/* Returns the iterators that give the loop's coordinate (thesis 5.2, mergers). The dimension is a
 * superset of every iterator: where it takes part nothing is compared, and it does not end first.
 * The rangers are all that the loop coiterates. */
struct bits lattice_mergers(const struct lattice *lattice, struct bits loop);

/* Is the loop an intersection whose iterators can seek: has no coordinate an effect that one of
 * them lacks, and can each skip to a coordinate without a step for each one before? */
bool lattice_seeks(const struct lattice *lattice, struct bits loop);

/* Returns the points that may occur in a loop, in order.  *covered (unless NULL): one of them holds
 * whenever the loop runs, whatever searches find. */
int lattice_cases(struct context *cx, const struct lattice *lattice, struct bits loop,
                  const struct lattice_point ***cases, bool *covered);

/* Does the body run at every coordinate of the dimension, or wherever a given pattern has a
 * component?  Positions are no coordinates.  lattice_is_everywhere: not counting guards. */
bool lattice_is_full(const struct lattice *lattice);
bool lattice_is_everywhere(const struct lattice *lattice);

/* Returns the only iterator that the loops go along, if its positions come in rounds of a constant
 * size; or NULL. */
const struct lattice_iterator *lattice_rounds(const struct lattice *lattice);

/* Do the loops come to at most one position? */
bool lattice_has_one(const struct lattice *lattice);

/* Is doing the assignment once as good as doing it several times? */
bool lattice_is_once(const struct context *cx, const struct cin *assign);

/* Are the guard's variables known? */
bool lattice_guards(const struct lattice_guard *guard, const struct known *known);

/* Must the coordinate equal that of another variable, or a literal? */
bool lattice_is_tied(const struct lattice *lattice);

/* Can a coordinate be located in this level of the access? */
bool level_can_locate(struct context *cx, const struct cin *access, int level,
                      const struct known *known);

/* Prints the lattice, one line for each point. */
void lattice_print(struct context *cx, struct text *out, const struct lattice *lattice);
/* Prints how it iterates; and a set of iterators. */
void lattice_print_facts(struct context *cx, struct text *out, const struct lattice *lattice);
void lattice_print_set(struct context *cx, struct text *out, const struct lattice *lattice,
                       struct bits set);
/* Is there no point strictly between these two?  The first is the larger one. */
bool lattice_is_next(const struct lattice *lattice, const struct lattice_point *above,
                     const struct lattice_point *below);
/* Prints it as the nodes and edges of a Graphviz cluster. */
void lattice_print_dot(struct context *cx, struct text *out, const struct lattice *lattice,
                       int number);

#endif
