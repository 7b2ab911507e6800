/* tree.h - the tree of loops: what every loop of a program is, once its formats are unfolded.
 *
 * A node is one statement at a place where certain index variables are known.  The node of a forall
 * has the loop's iteration lattice, and one child for each lattice point: the loop's body there.
 * The nodes of where, sequence and multi have a child for each of their statements.  Nodes are
 * interned in the context: the same statement in the same surroundings is one node, also in other
 * programs.
 *
 * The planner's costs, the lowering and the dumps all ask the tree what a loop iterates, searches
 * for, visits and stores.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_TREE_TREE_H
#define SPCC_TREE_TREE_H

#include "compiler/base/diag.h"
#include "compiler/base/vec.h"
#include "compiler/lattice/lattice.h"

struct tin;

struct tree_node {
    const struct cin *statement;
    struct around around;
    const struct lattice *lattice; /* of a forall; else NULL */
    /* A forall's children: its body at each lattice point, in the order of the points.  All
     * points of a flat lattice share one body.  Other nodes: one child for each arg that is a
     * statement. */
    const struct tree_node **child;
    int children;
    const struct tree_node *whole; /* a forall's body where all operands that can be are present */
    bool in_order;                 /* the coordinates of a forall ascend */
    bool distinct;                 /* no coordinate of a forall comes twice */
    int lines;                     /* an estimate of the lines of code of the node and all below */
};

/* How the arrays of the result are made. */
enum assembly_kind {
    ASSEMBLY_PLACE,   /* no level has arrays: only values are stored, each at a fixed place */
    ASSEMBLY_GIVEN,   /* the levels' arrays exist before the kernel runs: only values are stored */
    ASSEMBLY_UPDATE,  /* as GIVEN; where the pattern lacks a component, only the fill may go */
    ASSEMBLY_APPEND,  /* the loops come to the levels in storage order, and append */
    ASSEMBLY_COUNT,   /* the statement runs twice: it counts components, then it stores them */
    ASSEMBLY_COPY,    /* a list is made first, whose length is known when it is copied */
    ASSEMBLY_PATTERN, /* an operand has the same pattern: the arrays of its levels are copied */
};

/* The operand whose pattern the result has.  If one of `ranges` is empty, the result stores
 * nothing. */
struct pattern {
    const struct cin *operand;
    VEC(const struct index_var *) ranges;
};

/* The levels [first, last] of the result: one that is appended to, and the branchless levels below
 * it, which share its positions. */
struct assembly_group {
    int first, last;
    /* How many levels there are down to the last hash table between the group above and this group.
     * Positions of a hash table are in no order of coordinates.  0: there is no hash table. */
    int slots;
};

struct assembly {
    enum assembly_kind kind;
    /* APPEND and COPY: the number of levels down to the last one that is appended to or inserted
     * into.  The loops over these levels come first, in storage order. */
    int entered;
    int groups;
    const struct assembly_group *group;
    const struct tensor_var *list; /* COPY: the list */
    struct pattern pattern;        /* PATTERN; and GIVEN if an operand has the pattern */
};

/* Why a program cannot be lowered. */
struct tree_infeasible {
    const struct tensor_var *tensor; /* the tensor that cannot be iterated or assembled */
    const struct cin *access;        /* an access to it, or NULL if none is known */
    struct diag diag;                /* says why; tree_report adds the place */
};

/* A program of several results has one tree for each: that of the part of the statement that
 * assigns the result.  Results that are assigned in the same loops share a part.  The tree of the
 * whole program lists these trees in `of`; its own fields are those of the first result. */
struct tree {
    const struct cin_program *program; /* simplified; its result is this tree's */
    /* the access by which the result is assigned, even if no assignment is left */
    const struct cin *result;
    /* the access whose pattern tells at which components the result is assigned: its own, or that
     * of an operand of the same pattern; NULL: the result is dense or assembled */
    const struct cin *at;
    const struct tree_node *root;
    struct assembly assembly;
    const struct tree_infeasible *infeasible; /* the first obstacle; NULL: it can be lowered */
    const struct tree *const *of; /* the trees of all results, by rank; with one result this tree */
    int results, rank;
};

/* Returns the tree of an unfolded program. */
const struct tree *tree_build(struct context *cx, const struct cin_program *program);

/* ---- results whose pattern is given ---- */

/* Returns the program that assigns the result at the components of its given pattern alone.
 * filled: their values are the fill when the kernel starts.  If every component of the result has a
 * place, this is the program itself. */
const struct cin_program *tree_give(struct context *cx, const struct cin_program *program,
                                    bool filled);
/* Returns the program that assigns each updated result (ASSEMBLY_UPDATE) at the components of its
 * pattern alone.  If there is no such result, this is the program itself. */
const struct cin_program *tree_give_updates(struct context *cx, const struct cin_program *program);
/* Returns the operand whose pattern the result certainly has, so that the code need not look at the
 * result's own; or NULL. */
const struct tensor_var *tree_pattern_operand(const struct tree *tree);
/* ASSEMBLY_UPDATE: may a loop come to components that the pattern lacks? */
bool tree_may_miss(const struct tree *tree);
/* Does each loop that the given pattern takes part in iterate it, rather than search it? */
bool tree_walks_given(const struct tree_node *node);

/* Reports the tree's obstacle with a caret in the parsed statement.  `remedy`, the directives that
 * remove the obstacle, becomes the help text; "" leaves it out. */
void tree_report(struct context *cx, const struct tree *tree, const struct tin *parsed,
                 const char *remedy);

/* Returns the first forall over the variable, at the lattice points where all operands of the loops
 * around it are present; NULL if there is none. */
const struct tree_node *tree_find(const struct tree_node *node, const struct index_var *var);

/* Is the coordinate of this loop over a level's positions never used?  Then the loop need not tell
 * runs of equal coordinates apart. */
bool tree_ignores_coordinates(struct context *cx, const struct tree *tree,
                              const struct tree_node *node);

/* Does the nest assign every component of `target`, an access to a result, that is left open by the
 * variables in `told`?  It does if it is one loop without a rest, if each loop inside whose
 * variable indexes the target goes over all coordinates, and if the target has no other variables.
 * Blocks that reach beyond a range may end early, and so may a loop whose range each iteration of
 * the nest knows. */
bool tree_goes_over_all(struct context *cx, const struct tree *tree, const struct tree_node *nest,
                        const struct cin *target, const struct known *told);

/* ---- places ---- */

/* How a loop reduces into a result. */
struct tree_reduction {
    bool in_register; /* into one component, kept in a register and stored behind the loop */
    enum op op;       /* in_register: what it reduces with, and combines the register with */
    bool first;       /* in_register: the component holds nothing yet that counts */
    /* The loop scatters into the components below the result's first `row` levels.  They lie side
     * by side, and no other iteration reaches them, so they are filled before the loop.  -1: it
     * does not. */
    int row;
    /* The loop reaches the part of the level below these that this relation tells; NULL: all. */
    const struct cin_relation *part;
};

/* A node with its surroundings: it is child number `child` of the node of `outer`. */
struct tree_place {
    const struct tree_node *node;
    const struct tree_place *outer; /* or NULL */
    int child;
    const struct tree_reduction *reduction; /* of a forall: one for each result, by rank */
};
const struct tree_place *tree_outermost(struct context *cx, const struct tree *tree);
const struct tree_place *tree_inside(struct context *cx, const struct tree *tree,
                                     const struct tree_place *place, int child);

/* Returns the access by which the statement assigns the tree's result: the last one if there are
 * several; NULL if it does not. */
const struct cin *tree_result_in(struct context *cx, const struct tree *tree,
                                 const struct cin *statement);

/* How often the loops around a place come to a component of the target, an access to the result. */
struct tree_reach {
    bool once; /* at most once */
    bool full; /* ... and at least once, for the variables that are known there */
};
struct tree_reach tree_reach(struct context *cx, const struct tree *tree,
                             const struct tree_place *place, const struct cin *target);

/* The order in which the loops inside a workspace's producer come to its components. */
struct tree_order {
    int outside;   /* the number of variables that are known around the producer */
    bool in_order; /* the coordinates of each loop ascend */
    bool distinct; /* no loop comes to a coordinate twice */
};
struct tree_order tree_order(const struct tree_place *place, const struct tensor_var *workspace);

/* Must the result (ASSEMBLY_PLACE or GIVEN) be filled first, because the statement may leave
 * components unassigned? */
bool tree_needs_fill(struct context *cx, const struct tree *tree);

/* ---- parallel loops ---- */

/* What several iterations of a loop do to a tensor of its surroundings. */
enum tree_race_kind {
    RACE_NONE,
    RACE_COMBINES, /* they combine with the same component */
    RACE_STORES,   /* they store the same component */
    RACE_SHARES,   /* they store into a tensor that each part would have a copy of */
    RACE_APPENDS,  /* they append or insert: each place depends on the one before */
};
struct tree_race {
    enum tree_race_kind kind;
    const struct cin *assign;
};
struct tree_races {
    struct tree_race *at;
    size_t n, capacity;
};
/* Returns the assignments in the forall that are races if it runs in parallel. */
struct tree_races tree_races(struct context *cx, const struct tree *tree,
                             const struct tree_node *forall);
/* Do the parts of a parallel forall combine with the result by atomic updates?  Not with one that
 * is assembled, since its components have no place yet. */
bool tree_is_atomic(const struct tree *tree, const struct cin *forall);
/* Do the loops find places for the result's components? */
bool tree_is_assembled(const struct tree *tree);
/* Refuses a result that is assembled in a loop on a GPU; `where` names the loop. */
void tree_refuse_assembled(struct context *cx, struct span span, const char *where,
                           const struct tree *tree);
/* How the parts of a parallel forall assemble the result. */
enum tree_parts {
    PARTS_NONE,      /* they do not assemble it */
    PARTS_JOINED,    /* the loop goes over the first level: each part appends to arrays of its own,
                      * which are joined */
    PARTS_COMPACTED, /* ... or to the result's arrays: operands tell where a part's room begins, and
                      * parts move up where empty segments or common coordinates left some of it */
    PARTS_FILLED,    /* the result is copied from a list, and each part copies a stretch of it */
    PARTS_COUNTED,   /* several parts have components below one parent: each part counts its own */
    PARTS_TWICE,     /* on a GPU: the loop runs to count, and once more to append from there on */
};
enum tree_parts tree_parts(struct context *cx, const struct tree *tree,
                           const struct tree_node *forall);
/* Do the parts assemble the result so that each has places in the first level of its own? */
bool tree_parts_have_places(struct context *cx, const struct tree *tree,
                            const struct tree_node *forall);
/* Returns the parallel loop whose parts assemble the result; NULL if there is none, or if its body
 * never runs. */
const struct tree_node *tree_loop_in_parts(struct context *cx, const struct tree *tree);
/* Is there such a loop with PARTS_TWICE? */
bool tree_runs_twice(struct context *cx, const struct tree *tree);
/* Does the level type insert coordinates in no order, so that a coordinate has to be searched for
 * before it is inserted? */
bool tree_looks_for(const struct level_type *type);
/* Could the result be assembled by ASSEMBLY_COUNT?  All loops have to ascend. */
bool tree_may_count(struct context *cx, const struct cin_program *program);
/* Is the workspace, which the producer of a where makes alone, assembled by counting? */
bool tree_counts_workspace(struct context *cx, const struct tree *tree,
                           const struct tree_node *producer);
/* Is the assigned tensor a workspace from outside the loop, of which each part makes one of its
 * own, so that these are put together behind the loop? */
bool tree_makes_apart(struct context *cx, const struct tree *tree, const struct tree_node *forall,
                      const struct cin *assign);
/* Of a loop on a GPU: do threads that share the assigned array keep the component that they are at
 * in a register, so that components which several threads have begun are combined behind the loop?
 * The races of this loop decide; if it ignores races, those of a loop inside do. */
bool tree_begins(struct context *cx, const struct tree *tree, const struct tree_node *forall,
                 const struct cin *assign);
/* Do the iterations come to the components of the assigned array one after the other?  Loops
 * directly inside may go over columns: then this has to hold for each column.  Gives the number of
 * these loops, and their variables in `column`; -1: they do not. */
int tree_begun_columns(struct context *cx, const struct tree *tree, const struct tree_node *forall,
                       const struct cin *assign, const struct index_var **column);
/* Prints one line for each parallel loop: what becomes of its races, and how the result is
 * assembled. */
void tree_print_parallel(struct context *cx, struct text *out, const struct tree *tree);
/* Does the loop merge operands, or one with all coordinates, or count what operands lack, so that
 * it can go in parts of its coordinates, each of which begins where a search says? */
bool tree_merges(struct context *cx, const struct tree_node *forall);
/* Does an iteration follow from its number?  It does in a loop over a range, and in one along the
 * positions of one operand, which is then stored in *along; else *along is NULL. */
bool tree_is_counted(struct context *cx, const struct tree_node *forall,
                     const struct lattice_iterator **along);
/* Are the loop's iterations counted without guards, so that they number the rows of a result that
 * it assembles? */
bool tree_numbers_rows(struct context *cx, const struct tree *tree, const struct tree_node *forall);
/* Returns the assignments of a statement for a GPU that fill workspaces of rows: workspaces of
 * order 1 which list what they have, so that a team of threads can make one for each row, an
 * iteration of the outermost loop. */
struct cin_list tree_rows(struct context *cx, const struct cin *statement);
/* May teams make these workspaces in this loop?  Its rows have to be numbered, and what is put into
 * a workspace must not depend on another one, so that it can be counted before. */
bool tree_may_make_rows(struct context *cx, const struct tree *tree,
                        const struct tree_node *forall);
/* Checks that each loop may be parallel as its tag says; false after a diagnostic. */
bool tree_check_parallel(struct context *cx, const struct tree *tree);

/* ---- what is stored ---- */

/* Does the kernel make arrays of the result's levels, besides its values? */
bool tree_assembles(const struct tree *tree);
/* Does it make those of any result in the same loops? */
bool tree_assembles_some(const struct tree *tree);
/* Does the statement assign the result? */
bool tree_assigns(const struct tree *tree, const struct cin *statement);
/* Returns the level of the result that stores the variable, or a variable that it is a part of; or
 * -1. */
int tree_part_level(const struct tree *tree, const struct index_var *var);
/* The same, if the variable is the last part: the coordinate of the level is known in the loop over
 * it, if the parts have loops in their order. */
int tree_result_level(const struct tree *tree, const struct index_var *var);
/* Do the variables that index the access determine var? */
bool tree_of_access(struct context *cx, const struct tree *tree, const struct cin *access,
                    const struct index_var *var);

/* A condition on which operands are present, by number: all its parts hold, or any of them. */
struct tree_condition {
    enum tree_condition_kind { TREE_PRESENT, TREE_ABSENT, TREE_ALL, TREE_ANY } kind;
    int operand; /* of present and absent */
    VEC(const struct tree_condition *) part;
};

/* When an assignment has an effect.  `operand` lists what it reads that may be absent.  NULL: it
 * always has one, as far as is known. */
struct tree_needs {
    struct cin_list operand;
    const struct tree_condition *effect;
};
struct tree_needs tree_needs(struct context *cx, const struct tree *tree,
                             const struct tree_node *assign);
/* Has the consumer of the where no effect wherever the temporary was not written?  Then an
 * assembled result stores nothing there. */
bool tree_waits_for(struct context *cx, const struct tree *tree, const struct cin *where,
                    const struct tensor_var *temporary);

/* Does `inside`, a part of the statement, run only if a scalar was written? */
bool tree_is_conditional(struct context *cx, const struct tree *tree, const struct cin *statement,
                         const struct cin *inside);

/* Does the body run at least once, unless the loop has no coordinates? */
bool tree_runs_somewhere(const struct lattice *lattice);
/* Does the statement store a component of the result whenever it runs? */
bool tree_always_stores(struct context *cx, const struct tree *tree, const struct tree_node *node);
/* Do the loops reach every parent of the group that starts at level `first`?  `above` is the last
 * level of the group before. */
bool tree_visits_all(struct context *cx, const struct tree *tree, const struct tree_node *node,
                     int above, int first);

/* Do the assignments store every component that they come to, whichever operands are present? */
bool tree_stores_all(const struct tree_node *node);

/* Is the tensor an operand, so that it is complete before the loops? */
bool tree_is_operand(const struct tree *tree, const struct tensor_var *tensor);

/* How many positions are needed at most: as many as the levels of these accesses have together, or,
 * if `all` is not NULL, as many as that variable has coordinates.  Fewer are needed only where
 * segments are empty, or where several accesses have a coordinate in common. */
struct tree_capacity_at {
    const struct cin *access;
    int level;
};
struct tree_capacity {
    VEC(struct tree_capacity_at) at;
    const struct index_var *all;
};
/* Returns what the result's group that ends with `level` needs; false if operands do not tell. */
bool tree_capacity(struct context *cx, const struct tree *tree, int level,
                   struct tree_capacity *room);
/* Of the lists whose positions are counted in the capacity of any group, the one that is finished
 * last; or NULL. */
const struct tensor_var *tree_capacity_list(struct context *cx, const struct tree *tree);
/* Returns what the list of a producer outside all loops needs; false if operands do not tell. */
bool tree_entries(struct context *cx, const struct tree *tree, const struct tree_node *producer,
                  struct tree_capacity *room);
/* Returns the workspace from which the result's group that ends with `level` gets all its
 * components, if the loops around the copy and those of the producer can count what is put into it;
 * or NULL. */
const struct tensor_var *tree_capacity_source(const struct tree *tree, int level);
/* Does the forall go over the positions of one segment, with no loop inside?  Then counting needs
 * its length alone. */
bool tree_is_segment(const struct tree_node *node);

/* ---- workspaces ---- */

/* How the producer of a where writes a workspace of order 1 or more. */
enum workspace_kind {
    WORKSPACE_NONE,   /* the format cannot be a workspace's */
    WORKSPACE_LIST,   /* coo, csr: it appends entries, which are sorted for the consumer */
    WORKSPACE_INSERT, /* dense, bytemap: it inserts components, each of which has a place */
    WORKSPACE_TABLE,  /* hash: it inserts components into a hash table that grows */
};

enum workspace_kind workspace_kind(const struct format *format);

/* Does it matter to the assignment whether anything was added to w, a temporary that it reads?  If
 * not, w needs no flags. */
bool workspace_decides(struct context *cx, const struct cin *within, const struct cin *assign,
                       const struct tensor_var *w);

/* Returns the part of the where's consumer that copies a block of w, if all that it does is to
 * append w's blocks to the result, so that they can be computed there; NULL: it does something
 * else, or the producer cannot be run twice. */
const struct tree_node *tree_copied_blocks(struct context *cx, const struct tree *tree,
                                           const struct tree_node *where,
                                           const struct tensor_var *w);
/* Does the nest over ranges assign something, whatever is there? */
bool tree_assigns_somewhere(struct context *cx, const struct tree *tree,
                            const struct tree_node *node);

/* Has a workspace of this format a place for each component, perhaps with a flag, but no list of
 * the components that are present? */
bool workspace_has_places(const struct format *format);

/* Is it a list of coordinates and values, with no level above that divides it into rows? */
bool workspace_is_list(const struct format *format);
/* Do the loops of the where's consumer go along the list of what the producer assigns, and does
 * nothing else read it? */
bool workspace_is_listed(struct context *cx, const struct tree_node *where,
                         const struct cin *assign);

#endif
