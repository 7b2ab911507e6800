/* tree.h - the tree of loops: what every loop of a program is, once its formats are unfolded.
 *
 * A node is one statement where certain variables are known.  A forall has its lattice, and a node
 * for its body at each of the lattice's points; where, sequence and multi have nodes for the
 * statements in them.  The same statement in the same surroundings is one node, however often it
 * stands in the program, or in the next one that is asked about: nodes are kept in the context.
 *
 * Who wants to know of a loop what it iterates, searches for, visits or stores asks the tree: the
 * planner's costs, the lowering, the dumps.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_TREE_TREE_H
#define SPCC_TREE_TREE_H

#include "compiler/base/diag.h"
#include "compiler/base/vec.h"
#include "compiler/lattice/lattice.h"
#include "compiler/lattice/least.h"

struct tin;

struct tree_node {
    const struct cin *statement;
    struct around around;
    const struct lattice *lattice; /* of a forall; else NULL */
    /* Of a forall: its body at each point of the lattice, in their order; the points of a flat
     * lattice have the same. Else each arg that is a statement. */
    const struct tree_node **child;
    int children;
    const struct tree_node *whole; /* of a forall: its body where as much as can be is there */
    bool in_order;                 /* a forall's coordinates ascend */
    bool distinct;                 /* ... and none comes twice */
    int lines;                     /* about so many lines of code, with what is in it */
};

/* How the arrays of the result come to be. */
enum assembly_kind {
    ASSEMBLY_PLACE,  /* every component has its place: there are values alone */
    ASSEMBLY_GIVEN,  /* the pattern is there already, too */
    ASSEMBLY_UPDATE, /* ... and what it lacks must not be assigned anything but the fill */
    ASSEMBLY_APPEND, /* the loops reach its levels in storage order */
    /* the statement is run twice: first to count components, then to put each in its place */
    ASSEMBLY_COUNT,
    ASSEMBLY_COPY, /* from a list, which is finished first: so it can be measured */
    /* an operand has the pattern: the arrays of its levels are copied whole */
    ASSEMBLY_PATTERN,
};

/* The operand whose pattern the result has, if each of these variables has a range that is not
 * empty; else nothing is stored. */
struct pattern {
    const struct cin *operand;
    VEC(const struct index_var *) ranges;
};

/* A level of the result that is appended to, with the branchless levels below it that share its
 * positions. */
struct assembly_group {
    int first, last; /* levels */
    /* the levels down to the last hash table between the group above and this one: their
     * positions are in no order of coordinates; 0: there is none */
    int slots;
};

struct assembly {
    enum assembly_kind kind;
    /* of APPEND and COPY: the levels down to the last that is appended or inserted into, whose
     * loops come first, in storage order */
    int entered;
    int groups;
    const struct assembly_group *group;
    const struct tensor_var *list; /* of COPY */
    struct pattern pattern;        /* of PATTERN; of GIVEN, if it is an operand's */
};

/* Why a program cannot be lowered. */
struct tree_infeasible {
    const struct tensor_var *tensor; /* in the way */
    const struct cin *access;        /* of it, if that is known; or NULL */
    struct diag diag;                /* without a place */
};

/* A program of several results has a tree for each, of the part of the statement that assigns it;
 * parts that are in the same loops are one.  The tree of all of it has these, and is that of the
 * first result as far as it is asked about one. */
struct tree {
    const struct cin_program *program; /* simplified; its result is this one */
    /* the access that is assigned to, also where nothing is left of it */
    const struct cin *result;
    /* the access at whose components it is assigned to: of its own pattern, or of the operand that
     * has the same; NULL: it has none, or is assembled */
    const struct cin *at;
    const struct tree_node *root;
    struct assembly assembly;
    const struct tree_infeasible *infeasible; /* the first obstacle; NULL: it can be lowered */
    const struct tree *const *of; /* by rank, each result's; of one result the tree itself */
    int results, rank;
};

/* The tree of an unfolded program. */
const struct tree *tree_build(struct context *cx, const struct cin_program *program);

/* ---- results whose pattern is given ---- */

/* The program that assigns to the result at the components that it has already; filled: which
 * hold the fill.  The program itself if every component of the result has its place anyway. */
const struct cin_program *tree_give(struct context *cx, const struct cin_program *program,
                                    bool filled);
/* The program that assigns to the results that are updated at their components; the program itself
 * if none is. */
const struct cin_program *tree_give_updates(struct context *cx, const struct cin_program *program);
/* The operand whose pattern the result has for certain, as its own is not looked at; or NULL. */
const struct tensor_var *tree_pattern_operand(const struct tree *tree);
/* Of an update: may a loop come to components that the pattern lacks? */
bool tree_may_miss(const struct tree *tree);
/* Is the pattern iterated wherever it takes part in a loop, not searched? */
bool tree_walks_given(const struct tree_node *node);

/* The tree's obstacle as a diagnostic that points into the statement as parsed.  Its help is the
 * remedy, directives that remove the obstacle, unless that is "". */
void tree_report(struct context *cx, const struct tree *tree, const struct tin *parsed,
                 const char *remedy);

/* The first forall of the variable, where all operands of the loops around it are there; NULL:
 * there is none. */
const struct tree_node *tree_find(const struct tree_node *node, const struct index_var *var);

/* Does the loop over the runs of a level say nothing by its coordinate, so that all positions are
 * as good as one run? */
bool tree_ignores_coordinates(struct context *cx, const struct tree *tree,
                              const struct tree_node *node);

/* Is the nest one loop, and no other follows for what it leaves?  Do all loops inside go over all
 * coordinates that the target moves along, but for those of blocks that reach beyond a range, or
 * that are beyond one that each iteration of the nest has, and does it move along no others?
 * `told`: what is known around the nest, and by those loops. */
bool tree_goes_over_all(struct context *cx, const struct tree *tree, const struct tree_node *nest,
                        const struct cin *target, const struct known *told);

/* ---- places ---- */

/* What a loop does to a result, where it reduces into it. */
struct tree_reduction {
    bool in_register; /* there is one component: it is stored behind the loop */
    enum op op;       /* ... combined by this; in all it reduces with it */
    bool first;       /* nothing is there then that it would be combined with */
    /* it scatters into the components below so many levels, which are side by side and reached here
     * alone: they are filled before the loop; or -1 */
    int row;
    /* ... but of the level below them only those that are in one part of its variable, by this
     * relation; NULL: all */
    const struct cin_relation *part;
};

/* Where a node stands: it is child `child` of the node of the place around it. */
struct tree_place {
    const struct tree_node *node;
    const struct tree_place *outer; /* or NULL */
    int child;
    const struct tree_reduction *reduction; /* of a forall: for each result, by rank */
};
const struct tree_place *tree_outermost(struct context *cx, const struct tree *tree);
const struct tree_place *tree_inside(struct context *cx, const struct tree *tree,
                                     const struct tree_place *place, int child);

/* The access by which the statement assigns to the tree's result, the last of several; NULL:
 * none. */
const struct cin *tree_result_in(struct context *cx, const struct tree *tree,
                                 const struct cin *statement);

/* How the loops around reach the components of the target, an access to the result. */
struct tree_reach {
    bool once; /* each component at most once */
    bool full; /* ... and, as far as its variables are known, at least once */
};
struct tree_reach tree_reach(struct context *cx, const struct tree *tree,
                             const struct tree_place *place, const struct cin *target);

/* How the loops inside the producer of a workspace come to a place in it. */
struct tree_order {
    int outside;   /* so many variables are known around the producer */
    bool in_order; /* each loop goes through ascending coordinates */
    bool distinct; /* ... and through none twice */
};
struct tree_order tree_order(const struct tree_place *place, const struct tensor_var *workspace);

/* Must a result whose components have places be filled before the statement, as some of them may
 * not be assigned? */
bool tree_needs_fill(struct context *cx, const struct tree *tree);

/* ---- parallel loops ---- */

/* What several iterations of a loop do to something outside it. */
enum tree_race_kind {
    RACE_NONE,
    RACE_COMBINES, /* combine with the same component */
    RACE_STORES,   /* store the same component */
    RACE_SHARES,   /* store where parts would hand over what others have stored */
    RACE_APPENDS,  /* append to it, or insert, which leads to one place after the other */
};
struct tree_race {
    enum tree_race_kind kind;
    const struct cin *assign;
};
struct tree_races {
    struct tree_race *at;
    size_t n, capacity;
};
/* The assignments in the forall that have one. */
struct tree_races tree_races(struct context *cx, const struct tree *tree,
                             const struct tree_node *forall);
/* Do the parts of the forall, if it is parallel, store at once what they combine?  A result that is
 * assembled has no place yet. */
bool tree_is_atomic(const struct tree *tree, const struct cin *forall);
/* Is the result assembled in the loops, which find places for its components? */
bool tree_is_assembled(const struct tree *tree);
/* Refuse that for a GPU. */
void tree_refuse_assembled(struct context *cx, struct span span, const char *where,
                           const struct tree *tree);
/* How parts of the forall, if it is parallel, assemble the result. */
enum tree_parts {
    PARTS_NONE,      /* they do not */
    PARTS_JOINED,    /* its iterations are those of the first level: parts of it are joined */
    PARTS_COMPACTED, /* ... and made in place, since operands say where the room of each begins,
                      * which all of it needs unless segments are empty, or several have a
                      * coordinate */
    PARTS_FILLED,    /* parts of the list that it is the copy of are put in their places */
    PARTS_COUNTED,   /* several have components below the same parents, which are counted apart */
    PARTS_TWICE,     /* on a GPU: each counts its positions, and appends from where these begin */
};
enum tree_parts tree_parts(struct context *cx, const struct tree *tree,
                           const struct tree_node *forall);
/* ... so that each has places of the first level for its own? */
bool tree_parts_have_places(struct context *cx, const struct tree *tree,
                            const struct tree_node *forall);
/* The parallel loop whose parts assemble the result; NULL: there is none.  One whose body never
 * runs has no parts. */
const struct tree_node *tree_loop_in_parts(struct context *cx, const struct tree *tree);
/* Is there one that makes it in two runs? */
bool tree_runs_twice(struct context *cx, const struct tree *tree);
/* Is a coordinate inserted where those that are there leave room, so that it is looked for? */
bool tree_looks_for(const struct level_type *type);
/* Can the program's result be assembled by counting, by two runs of the statement, where its loops
 * are in no other order than ascending? */
bool tree_may_count(struct context *cx, const struct cin_program *program);
/* Is a workspace assembled by counting, which the producer of a where makes alone? */
bool tree_counts_workspace(struct context *cx, const struct tree *tree,
                           const struct tree_node *producer);
/* Does each part of the loop make the workspace that is assigned to, which is the loop's
 * surroundings', for itself, so that they have to be put together? */
bool tree_makes_apart(struct context *cx, const struct tree *tree, const struct tree_node *forall,
                      const struct cin *assign);
/* Do threads of the GPU's loop keep a component of the array that is assigned to, which they share,
 * while they go along it, so that what they have begun is combined behind the loop?  As the loop's
 * races say, or those of one in it, if the loop ignores them. */
bool tree_begins(struct context *cx, const struct tree *tree, const struct tree_node *forall,
                 const struct cin *assign);
/* ... which the iterations come to one after the other, as far as columns are concerned each by
 * itself that loops directly inside go through, whose variables it gives: how many loops; -1: they
 * do not. */
int tree_begun_columns(struct context *cx, const struct tree *tree, const struct tree_node *forall,
                       const struct cin *assign, const struct index_var **column);
/* Of each parallel loop a line: what becomes of its races, and how the result is assembled. */
void tree_print_parallel(struct context *cx, struct text *out, const struct tree *tree);
/* Are the iterations of the loop numbered: those of a range, or the positions of one operand, which
 * *along is then, else NULL? */
bool tree_is_counted(struct context *cx, const struct tree_node *forall,
                     const struct lattice_iterator **along);
/* ... one by one, also where the result has places for what each of them stores? */
bool tree_numbers_rows(struct context *cx, const struct tree *tree, const struct tree_node *forall);
/* The assignments that fill workspaces which list what they have, in a statement for a GPU: a team
 * of its threads makes one for each row, an iteration of the outermost loop.  May it in this loop,
 * which has to tell how much is put into each? */
struct cin_list tree_rows(struct context *cx, const struct cin *statement);
bool tree_may_make_rows(struct context *cx, const struct tree *tree,
                        const struct tree_node *forall);
/* May loops be parallel as their tags say?  false after a diagnostic. */
bool tree_check_parallel(struct context *cx, const struct tree *tree);

/* ---- what is stored ---- */

/* Are arrays of the result's own made, besides the values? */
bool tree_assembles(const struct tree *tree);
/* ... of some result in the same loops, so that it counts what was written? */
bool tree_assembles_some(const struct tree *tree);
/* Does the statement assign the result? */
bool tree_assigns(const struct tree *tree, const struct cin *statement);
/* The level of the result that stores the variable, or what it is a part of; or -1. */
int tree_part_level(const struct tree *tree, const struct index_var *var);
/* ... the last part of: in whose loop, where parts have loops in their order, the coordinate is
 * known. */
int tree_result_level(const struct tree *tree, const struct index_var *var);
/* Does var follow from the variables that index the access? */
bool tree_of_access(struct context *cx, const struct tree *tree, const struct cin *access,
                    const struct index_var *var);

/* What an assignment reads that may be absent where it is reached, and when it has an effect: in
 * one of these cases, in which some operands (by number) are there, and others are not.  No cases:
 * it always has one, or that does not show. */
struct tree_case {
    struct bits present, absent;
};
struct tree_needs {
    struct cin_list operand;
    VEC(struct tree_case) effect;
};
struct tree_needs tree_needs(struct context *cx, const struct tree *tree,
                             const struct tree_node *assign);
/* Is the consumer without effect where the temporary was never written?  Then an assembled result
 * stores nothing there. */
bool tree_waits_for(struct context *cx, const struct tree *tree, const struct cin *where,
                    const struct tensor_var *temporary);

/* Does what is inside the statement run only if a scalar was written? */
bool tree_is_conditional(struct context *cx, const struct tree *tree, const struct cin *statement,
                         const struct cin *inside);

/* Does the body run at some coordinate, unless there is none at all? */
bool tree_runs_somewhere(const struct lattice *lattice);
/* Does the statement store a component of the result whenever it runs? */
bool tree_always_stores(struct context *cx, const struct tree *tree, const struct tree_node *node);
/* Do the loops reach every parent of the group whose first level this is, below the level `above`
 * that the group before it ends with? */
bool tree_visits_all(struct context *cx, const struct tree *tree, const struct tree_node *node,
                     int above, int first);

/* Is every component that the assignments have stored, whatever is there? */
bool tree_stores_all(const struct tree_node *node);

/* Is the tensor an operand, so that all of it is there before the loops? */
bool tree_is_operand(const struct tree *tree, const struct tensor_var *tensor);

/* A group of the result that ends with this level gets a position for each of these, or fewer
 * where segments are empty or several have one coordinate; false: that is not known. */
struct tree_capacity_at {
    const struct cin *access;
    int level;
};
struct tree_capacity {
    VEC(struct tree_capacity_at) at;
    /* or, if no loop is around that over this variable, for each coordinate of it; NULL */
    const struct index_var *all;
};
bool tree_capacity(struct context *cx, const struct tree *tree, int level,
                   struct tree_capacity *room);
/* The list that is finished last of those whose positions these are, for any group; or NULL. */
const struct tensor_var *tree_capacity_list(struct context *cx, const struct tree *tree);
/* No more entries come from the producer, which is no part of a loop, than there are positions at
 * these; false: that is not known. */
bool tree_entries(struct context *cx, const struct tree *tree, const struct tree_node *producer,
                  struct tree_capacity *room);
/* The workspace whose components are all that the group gets which ends with this level, if what is
 * put into it can be counted by the loops around the copy and those of the producer; or NULL. */
const struct tensor_var *tree_capacity_source(const struct tree *tree, int level);
/* Of such a loop: is it an innermost one, over the positions of a segment? */
bool tree_is_segment(const struct tree_node *node);

/* ---- workspaces ---- */

/* How the producer of a where writes a tensor of order 1 and more. */
enum workspace_kind {
    WORKSPACE_NONE, /* it cannot be one */
    /* coo, csr: entries are appended, and sorted before the consumer runs */
    WORKSPACE_LIST,
    /* dense, bytemap: every component has its place, found or made at once */
    WORKSPACE_INSERT,
    WORKSPACE_TABLE, /* hash: the same, in a hash table that grows */
};

enum workspace_kind workspace_kind(const struct format *format);

/* Does what the assignment stores follow from whether anything was added to w, a temporary that it
 * reads?  If not, w needs no flags. */
bool workspace_decides(struct context *cx, const struct cin *within, const struct cin *assign,
                       const struct tensor_var *w);

/* A place for each component, and a flag that is its own perhaps, but no list of those that are
 * there? */
bool workspace_has_places(const struct format *format);

/* Coordinates and values alone, with no level above that has them in rows? */
bool workspace_is_list(const struct format *format);

#endif
