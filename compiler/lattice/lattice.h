/* lattice.h - iteration lattices: how one forall coiterates its operands (thesis 3.3).
 *
 * At forall(v) an access takes part with the levels that v resolves: the first one that stores v, or a variable that
 * follows from v (once its parents are resolved), and those below it whose variables are known already.  Full levels are
 * always there and are merely located; every other such access is an *iterator*, one bit of the lattice's points.
 *
 * A *point* is a set of iterators that are present at a coordinate, with what the body is there: the body with the
 * absent operands replaced by their fills, simplified.  A set is a point only if the body there differs from the body
 * where nothing is present; so unions and intersections are not rules here but follow from the operators' algebra.
 *
 *       b(i) + c(i)       {b,c} b+c           b(i) * c(i)     {b,c} b*c
 *                         /       \                             |
 *                      {b} b     {c} c                          0
 *                         \       /
 *                            0
 *
 * A union of n operands has 2^n - 1 points and 3^n - 2^n regions.  Beyond a few points the lattice is *flat*: it keeps the
 * least points only, with the whole body, and one loop over all iterators reads the fill of those that are absent, so that
 * code grows with n.
 *
 * If the body where nothing is present still has an effect, the point {} is there too and the loop runs over the whole
 * dimension.  A region belongs to the largest point whose iterators are all present in it.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_LATTICE_LATTICE_H
#define SPCC_LATTICE_LATTICE_H

#include "compiler/base/bits.h"
#include "compiler/concrete/concrete.h"

enum { BOUND_MAX = 160 };

/* The variables that are known: bound by loops, outermost first, and after each what follows from it by relations. */
struct bound_vars {
    const struct index_var *var[BOUND_MAX];
    int n;
    const struct cin_relation *relation;
    int relations;
    int64_t copies;                          /* the code here is one of so many that loops around make; 0: of one */
};

/* None yet; the relations are the program's. */
struct bound_vars bound_none(const struct cin_program *program);

bool bound_has(const struct bound_vars *bound, const struct index_var *var);
/* With var, and what follows from it. */
struct bound_vars bound_with(const struct bound_vars *bound, const struct index_var *var);
/* The next variable that follows from those, and by which relation; NULL if there is none. */
const struct index_var *bound_follows(const struct bound_vars *bound, const struct cin_relation **by);

/* The variable that a level of the access stores; NULL if it stores a function of several. */
const struct index_var *access_level_var(const struct cin *access, int level);
/* Does a level's coordinate follow from those of the levels above by what the levels store, so that all entries of a run
 * there have the same? */
bool access_level_follows(const struct cin *access, int level, const struct bound_vars *bound);
/* How many leading levels of the access are resolved when these variables are bound. */
int access_resolved(const struct cin *access, const struct bound_vars *bound);

/* A level's properties where it stands.  Adjacent duplicates are one run, whose children are walked as one segment:
 * siblings from several segments come together then, unless the level is branchless, and are neither ordered nor unique.
 * Where the level below has no such segments duplicates are visited one by one, as if they were neither. */
unsigned level_effective(const struct format *format, int level);
/* May a level hold a coordinate several times, and not one after the other? */
bool format_has_duplicates_apart(const struct format *format);
/* Is the level reached from one position, not from a run of duplicates, and has it one child there, whose coordinate need
 * only be compared with? */
bool level_is_only_child(const struct format *format, int level);

struct lattice_iterator {
    const struct cin *access;
    int first, end;                  /* the levels resolved here: [first, end) */
    bool full;                       /* all of them are: always present, no bit */
    bool searched;                   /* one is looked up and may not be there, even where the first one is */
};

struct lattice_point {
    struct bits present;
    const struct cin *body;
};

/* What the body is for.  RANGE: that var, which follows by the relation from the loop's, is in its range.  The others: that
 * two variables, which are known from elsewhere, satisfy it; of a split the outer part and what was split, or the inner. */
enum lattice_guard_kind { GUARD_RANGE, GUARD_OUTER, GUARD_INNER, GUARD_EQUATION };
struct lattice_guard {
    const struct index_var *var;
    const struct cin_relation *by;
    enum lattice_guard_kind kind;
};

/* The most points before a lattice becomes flat: of a union in an innermost loop; of one in another loop, whose regions
 * multiply; and where a flat loop would no more know which of its operands are there (it reads a component that loops
 * inside it use, and these store what has a pattern; or there are points without effect), so that it might store what is
 * only equal to the fill. */
enum { POINTS_INNERMOST = 7, POINTS_OUTER = 3, POINTS_EXACT = 15 };

/* Regions of nested loops multiply.  Where there are more copies of the code than this and nothing in it writes what has a
 * pattern, a lattice of more than one point is flat. */
enum { COPIES_MAX = 32 };

struct lattice {
    const struct index_var *var;
    int iterators;                   /* those with a bit first, numbered by it; then the full ones */
    struct lattice_iterator *iterator;
    int sparse;                      /* how many have a bit */
    struct bits iterated;            /* coiterated: their first level's coordinates drive the loops */
    struct bits located;             /* the others: looked up at each coordinate */
    bool dimension;                  /* the loops run over the whole dimension, besides */
    bool flat;                       /* the points are the least ones, and none is simplified */
    int points;                      /* largest first (flat: smallest first); {} is last if it is there */
    struct lattice_point *point;
    int guards;
    struct lattice_guard *guard;
    const struct cin *trouble;       /* an access that can neither be coiterated nor located here, or NULL */
    const char *why;                 /* ... and why */
};

/* The lattice of forall(var) body inside loops over bound. */
const struct lattice *lattice_build(struct context *cx, const struct index_var *var, const struct cin *body,
                                    const struct bound_vars *bound);

/* The sets of iterators that the successive loops coiterate, in order: the distinct coiterated parts of the points.  The
 * empty set stands for a loop over the dimension alone. */
int lattice_loops(struct context *cx, const struct lattice *lattice, const struct bits **loop);

/* What gives a loop's coordinate (thesis 5.2, mergers).  The dimension is a superset of every iterator, so where there is
 * one nothing has to be compared; nor does it end first: the rangers are all that the loop coiterates. */
struct bits lattice_mergers(const struct lattice *lattice, struct bits loop);

/* The points that may occur in a loop, in order; *covered is set if one of them holds whenever the loop runs, whatever
 * the searches find. */
int lattice_cases(struct context *cx, const struct lattice *lattice, struct bits loop, const struct lattice_point ***cases,
                  bool *covered);

/* Does the body run at every coordinate of the dimension?  lattice_is_everywhere: but for where a guard leaves it out. */
bool lattice_is_full(const struct lattice *lattice);
bool lattice_is_everywhere(const struct lattice *lattice);

/* Can the result be assembled by counting: by two runs of the statement, whatever the order of its loops? */
bool lattice_counts(struct context *cx, const struct cin_program *program);

/* As text: one line a point. */
void lattice_print(struct context *cx, struct text *out, const struct lattice *lattice);
/* As the nodes and edges of a Graphviz cluster. */
void lattice_print_dot(struct context *cx, struct text *out, const struct lattice *lattice, int number);

#endif
