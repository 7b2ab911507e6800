/* planner.h - what the planner's parts share; private to compiler/plan.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_PLAN_PLANNER_H
#define SPCC_PLAN_PLANNER_H

#include <math.h>

#include "compiler/base/vec.h"
#include "compiler/plan/monomial.h"
#include "compiler/plan/plan.h"

/* Returns the largest power of two that is not more than n, and at least 1. */
static inline double plan_power_of_two(double n) { return exp2(ilogb(fmax(n, 1))); }

/* ---- access.c: lists of variables, and levels of accesses ---- */

struct var_list {
    const struct index_var **at;
    size_t n, capacity;
};

/* Returns the variable's place in the list, or -1. */
int var_list_place(const struct var_list *list, const struct index_var *var);
bool var_list_has(const struct var_list *list, const struct index_var *var);
bool var_list_equal(const struct var_list *a, const struct var_list *b);
/* Returns the loops that are in the list, in the order of the loops. */
struct var_list var_list_common(struct context *cx, const struct var_list *loops,
                                const struct var_list *list);

/* Returns the variables that the access's levels store, from the root down, each once. */
struct var_list plan_storage_order(struct context *cx, const struct cin *access);

/* Does the level have to be iterated, because it cannot be located? */
bool plan_is_iterated(const struct level_format *level);
/* Does the access have such a level from this one on? */
bool plan_has_iterated(const struct cin *access, int from);

/* Returns the variable along which the access is contiguous; NULL: there is none. */
const struct index_var *plan_steps_with(const struct cin *access);

/* ---- memo.c: what has been found out about programs ---- */

/* Does the same as cin_unfold, without diagnostics. */
const struct cin_program *plan_unfold(struct context *cx, const struct cin_program *program);
/* Returns the tree of the unfolded program; NULL: it cannot be unfolded. */
const struct tree *plan_tree(struct context *cx, const struct cin_program *program);
/* Returns the program with the directive applied; NULL if it is refused.  The given program is
 * unchanged. */
const struct cin_program *plan_apply(struct context *cx, const struct cin_program *program,
                                     const struct schedule_call *call);

/* ---- order.c: the order of a run of loops ---- */

/* Foralls that are nested directly in each other. */
struct chain {
    const struct cin *body;
    struct var_list loops;
};

struct chain plan_chain(struct context *cx, const struct cin *forall);

/* Has a directive fixed the order of a loop of the chain? */
bool plan_is_ordered(const struct cin_program *program, const struct var_list *loops);

/* Returns the chain's loops in the order that suits the accesses inside.  Accesses come in this
 * order: the targets of the distinct assignments, then cin_operands.  Where two want different
 * orders, the earlier one gets its own.  An access that `skip` marks wants none. */
struct var_list plan_order(struct context *cx, const struct cin_program *program,
                           const struct chain *chain, const bool *skip);

/* Lists of loops, each in an order. */
struct order_list {
    struct var_list *at;
    size_t n, capacity;
};

/* Returns the program's chains whose order no directive has fixed, and whose order does not suit
 * their accesses.  For each chain: the order that does, or, if `keeps`, the one that it has. */
struct order_list plan_orders(struct context *cx, const struct cin_program *program, bool keeps);

/* ---- site.c: where there is something to decide ---- */

/* A site, where there is something to decide: the loops from a statement down to an assignment,
 * through the consumers of wheres.  The statement is the program's, or the producer of a where. */
struct site {
    const struct cin *root, *assign;
    struct var_list loops; /* outermost first */
    VEC(const struct cin *) where;
    VEC(size_t) depth; /* by where: how many of the loops are around it */
    size_t fixed;      /* how many outer loops are separated from the others by a where */
};

struct site_list {
    struct site *at;
    size_t n, capacity;
};

/* Finds every site of the program, outer ones first.  plan_sites keeps them. */
struct site_list plan_find_sites(struct context *cx, const struct cin_program *program);
struct site_list plan_sites(struct context *cx, const struct cin_program *program);

/* Returns the loops that are nested directly in each other, down to the assignment, or to the
 * wheres around it. */
struct chain site_chain(struct context *cx, const struct site *site);

/* Returns the loops around an assignment inside a statement, outermost first. */
struct var_list plan_loops(struct context *cx, const struct cin *s, const struct cin *assign);

/* Does the access have a level that stores the variable and has to be iterated? */
bool plan_goes_through(const struct cin *access, const struct index_var *var);

/* An operand that the loops do not suit, from this level on. */
struct conflict {
    const struct cin *access;
    int level;
};
struct conflict_list {
    struct conflict *at;
    size_t n, capacity;
};

/* Returns the accesses that the site's loops do not suit.  If loops read an access in another order
 * than it is stored in, it conflicts from the root on.  If they go through or search a level again
 * and again, because a loop around it moves in no level above, it conflicts from that level on.  An
 * access whose loops are all in one producer is left to the producer's site. */
struct conflict_list site_conflicts(struct context *cx, const struct cin_program *program,
                                    const struct site *site);

/* ---- workspace.c: the formats of workspaces, by how they are written and read ---- */

/* Returns a list that is sorted by all of its modes. */
const struct format *plan_list(struct context *cx, size_t modes);
/* Returns rows of two modes or more: a dense first mode, and a list below each of its coordinates.
 */
const struct format *plan_rows(struct context *cx, size_t modes);
/* Returns a format of one mode that finds a component in O(1), and lists those that are present,
 * sorted on request. */
const struct format *plan_listed(struct context *cx, bool sorted);
/* Returns the same for a row made in a loop, which a GPU's threads can make too. */
const struct format *plan_row(struct context *cx, bool sorted);
/* Returns a table of one mode: it finds a component in O(1), and takes memory only for those that
 * are present. */
const struct format *plan_table(struct context *cx);
const struct format *plan_dense(struct context *cx, size_t modes);
/* Levels that store these functions of the modes: a place for every value of each, and a list with
 * these properties of the first function's values below which something is stored. */
const struct format *plan_blocks(struct context *cx, int order, const struct map_expr *const *map,
                                 int levels, unsigned properties);

/* ---- draft.c: a plan in the making ---- */

struct call_list {
    const struct schedule_call **at;
    size_t n, capacity;
};

struct draft {
    struct context *cx;
    const struct cin_program *program; /* NULL: a directive was refused */
    struct call_list calls;            /* the directives that led to the program */
};

struct draft draft_new(struct context *cx, const struct cin_program *program);
/* Returns a draft that goes on from another one. */
struct draft draft_copy(const struct draft *draft);
/* Applies a directive (NULL: none) without diagnostics, and adds it to the draft. */
void draft_add(struct draft *draft, const struct schedule_call *call);
/* Adds the directives of `more`, a draft that started from this one's program. */
void draft_append(struct draft *draft, const struct draft *more);
/* Returns the directives as a schedule. */
const char *draft_print(const struct draft *draft);

/* Returns the directive reorder(i, j, ...). */
const struct schedule_call *plan_reorder(struct context *cx, const struct var_list *loops);
/* Computes the expression first, into a workspace of this format with these modes. */
void draft_precompute(struct draft *draft, const struct cin *e, const struct var_list *modes,
                      const struct format *format);
/* Computes it into a dense workspace of two modes in the shared memory of a GPU's block, with a
 * pad; *copy: the variables of the two loops that do. */
void draft_tile(struct draft *draft, const struct cin *e, const struct var_list *modes,
                const struct index_var **copy);
/* Splits the loop into blocks of `size` coordinates.  Gives the variable of the loop over blocks,
 * and in *within that of the loop inside a block; NULL: it is refused. */
const struct index_var *draft_split(struct draft *draft, const struct index_var *loop, int64_t size,
                                    const struct index_var **within);
/* Splits the loop over positions into parts: of equal work if the positions are those of rows, else
 * of equally many positions. */
const struct index_var *draft_parts(struct draft *draft, const struct index_var *loop, int64_t size,
                                    const struct index_var **within);
/* Replaces the loop by one over the differences between its variable and another one.  Gives its
 * variable; NULL: it is refused. */
const struct index_var *draft_skew(struct draft *draft, const struct index_var *loop,
                                   const struct index_var *other);
/* Makes one loop of two, the second directly inside the first.  Gives its variable; NULL: it is
 * refused. */
const struct index_var *draft_collapse(struct draft *draft, const struct index_var *outer,
                                       const struct index_var *inner);
/* Replaces the loop by one over the operand's positions.  Gives its variable; NULL: it is refused.
 */
const struct index_var *draft_positions(struct draft *draft, const struct index_var *loop,
                                        const struct cin *access);
/* Lets threads share the loop. */
void draft_parallelize(struct draft *draft, const struct index_var *loop, enum cin_unit unit,
                       enum cin_races races);
/* Lets this many threads of a team share the loop. */
void draft_share(struct draft *draft, const struct index_var *loop, enum cin_races races,
                 int threads);
/* Puts the loop's rows into bins.  The first two bins have rows with room for at most this many. */
void draft_bin(struct draft *draft, const struct index_var *loop, int64_t first, int64_t second);
/* Reads the operand from a copy of it, a list in the order of the loops. */
void draft_convert(struct draft *draft, const struct cin *access);
/* Accumulates into the result instead of into those workspaces that `before` did not have. */
void draft_sequence(struct draft *draft, const struct cin_program *before);
/* Reorders the chains of plan_orders as it suits them. */
void draft_order(struct draft *draft);
/* Fixes the orders that these chains have. */
void draft_keep_order(struct draft *draft);

/* ---- map.c: levels that store functions of the coordinates ---- */

/* Does a level store a function of one of the loops' variables? */
bool plan_is_mapped(const struct cin *access, const struct var_list *loops);

/* Splits and skews the loops, and reorders them if asked, so that each level of the access has a
 * loop.  false: this is impossible, and the draft is unusable. */
bool draft_follow(struct draft *draft, const struct cin *access, const struct var_list *loops,
                  bool reorder);

/* Does the same for the levels of all these accesses. */
bool draft_follow_all(struct draft *draft, const struct cin_list *accesses,
                      const struct var_list *loops);

/* ---- blocks.c: results that store blocks ---- */

/* Computes a result that stores functions of its coordinates into a workspace for one coordinate of
 * its first level, and copies it from there in the order of its levels.  False: the loops do not
 * allow it, and the draft is unusable. */
bool draft_gather_blocks(struct draft *draft, const struct site *site);

/* ---- search.c: the alternatives at a site ---- */

struct planner {
    struct context *cx;
    struct cost_symbols *symbols;
    const struct cin_program *given;
    /* How many more drafts may be weighed: at this site, and at the sites of a draft that is
     * planned on. */
    int budget, within;
    struct text *reasons;       /* NULL: nobody asks for reasons */
    struct plan_report *report; /* or NULL */
    const struct draft *before; /* the directives that have been decided on so far */
};

/* A draft that was weighed; `done` goes on from it with the directives that complete it. */
struct weighed {
    struct draft draft, done;
    struct cost cost;
    /* of a contraction: its steps with their costs, if somebody asks; else NULL */
    const char *steps;
};

/* The search at one site. */
struct site_search {
    struct planner *planner;
    struct context *cx;
    const struct cin_program *program;
    const struct site *site;
    /* how many times a draft may be planned on before it is weighed */
    int depth;
    /* the site's loops may be reordered, since no directive orders them */
    bool reorders;
    /* the site as it is, and behind it all drafts */
    VEC(struct weighed) weighed;
};

/* Weighs the draft as it is, or, if it goes on, with its own sites planned. */
void search_weigh(struct site_search *search, const struct draft *draft, bool goes_on);

/* Does the assigned access need the components of a workspace with these modes in order?  (Operands
 * that are merged with the workspace may need that too.) */
bool search_needs_order(const struct site_search *search, const struct var_list *modes);
/* Does a dense workspace with these modes fit into the caches? */
bool search_fits(const struct site_search *search, const struct var_list *modes);

/* Returns the site in a draft's program. */
struct site search_site(struct site_search *search, const struct draft *draft);

/* expand.c: weighs workspaces for scalar temporaries. */
void search_expansions(struct site_search *search);

/* term.c: computes sums in a dense result itself instead of in temporaries, where their loops can
 * then be those that they would have alone. */
void draft_expand_terms(struct draft *draft, struct planner *planner);

/* reuse.c: computes a scalar once that several temporaries would hold. */
void draft_reuse_sums(struct draft *draft);

/* common.c: computes a function once that several assignments apply to the same values, where that
 * is cheaper. */
void draft_share_functions(struct draft *draft, struct cost_symbols *symbols);

/* factor.c: weighs multiplying all factors of a product in the order of the cheapest contraction,
 * and multiplying two of them first. */
void search_whole_product(struct site_search *search);
void search_pairs(struct site_search *search);
/* Does some reduction concern only some of the factors, while the others have a loop? */
bool plan_has_factors(struct context *cx, const struct site *site);
/* Returns the expression that the site reduces, without a `keep` and a minus in front of it. */
const struct cin *plan_reduced(const struct site *site);
const struct cin *plan_multiply(struct context *cx, enum op op, const struct cin_list *factors);

/* hoist.c: weighs computing expressions first that loops would compute repeatedly. */
void search_functions(struct site_search *search);
bool plan_repeats_functions(struct context *cx, const struct cin_program *program,
                            const struct site *site);

/* step.c: does the expression call a function, as exp? */
bool plan_has_function(const struct cin *e);
/* Does it hold a function, or a division of floats, for which the target has a price? */
bool plan_has_price(struct context *cx, const struct cin *e);

/* network.c: weighs the cheapest contraction of the factors; with `changes` also orders that may be
 * cheaper where several steps are fused. */
void search_contractions(struct site_search *search, const struct cin_list *product, bool changes);
/* Weighs the cheapest contractions that start with each pair of factors: what a step costs depends
 * on formats as well, which contractions leave out. */
void search_trees(struct site_search *search, const struct cin_list *product);

/* position.c: weighs a loop over the positions of an operand instead of a collapsed loop. */
void search_positions(struct site_search *search);
bool plan_has_collapsed(const struct cin_program *program, const struct site *site);

/* walk.c: scatters rows of operands into a dense row first where an innermost loop over all
 * coordinates would search for each entry. */
void draft_scatter_rows(struct draft *draft, struct cost_symbols *symbols);

/* ---- lines.c: lines of memory that loops fetch from far ---- */

/* How often a loop runs, and by how many elements it moves each access.  goes_on: it goes on where
 * the loop around it is, as the inner one of a split loop does. */
struct nest_loop {
    double count, *stride;
    bool goes_on;
};

/* Loops nested directly in each other, outermost first; and the bytes of an element of each
 * access. */
struct nest {
    VEC(struct nest_loop) loop;
    const double *bytes;
    int accesses;
    double lanes; /* of a vector */
    bool streams; /* the first access is stored past the caches, in whole lines */
    double parts; /* but for this many lines, of which parts are */
};

/* Returns the cost of the nest's memory traffic, in steps of a simple loop. */
double plan_nest_cost(struct context *cx, const struct nest *nest);

/* tiles.c: tiles the loops of assignments whose accesses are contiguous along different loops. */
void draft_tile_loops(struct draft *draft, struct planner *planner);

/* blas.c: makes products of dense tensors calls of a library, where there is one. */
void draft_call_blas(struct draft *draft, struct planner *planner);
/* Would the site be one, in the order of its loops that is given? */
bool plan_calls_blas(struct planner *planner, const struct cin_program *program,
                     const struct site *site);

/* ---- report.c: what was weighed, if somebody asks ---- */

/* Returns where to print paragraphs; NULL: nobody asks. */
struct text *report_reasons(struct context *cx, struct plan_report *report);
/* Notes an alternative, given as a whole schedule; and one that comes behind the directives
 * `before`. */
void report_add(struct plan_report *report, const struct draft *whole, double cost);
void report_behind(struct planner *planner, const struct draft *before, const struct draft *draft,
                   double cost);
/* Prints the loops of a site where there was a choice. */
void report_site(struct planner *planner, const struct site *site);
/* Prints the start of a line: whether this way is taken, its cost or that it is impossible, and
 * what it is. */
void report_way(struct text *reasons, bool taken, double cost, const char *way);

/* May another plan be better at this site, whose loops are in order? */
bool plan_site_is_open(struct context *cx, const struct cin_program *program, size_t number);
/* Returns the cost of a whole program, whose plan has to suit a GPU as well. */
bool plan_site_is_searched(struct context *cx, const struct cin_program *program, size_t number);

/* Returns the best draft for this site; its program is NULL if the site had better stay as it is.
 */
struct draft plan_site(struct planner *planner, const struct cin_program *program, size_t site,
                       int depth);

/* Returns the plan of a program of one result.  What was weighed is added to the report. */
struct draft plan_one(struct context *cx, const struct cin_program *program,
                      struct plan_report *report);

/* several.c: returns the plan of a program of several results: each has its own loops, unless
 * common ones are cheaper. */
struct draft plan_several(struct context *cx, const struct cin_program *program,
                          struct plan_report *report);

/* rounds.c: returns the plan of all sites. */
struct draft plan_rounds(struct planner *planner, const struct cin_program *program, int depth);

/* ---- orders.c ---- */

/* Does the order of the access's levels matter to the loops? */
bool search_constrains(const struct cin *access, bool written);
/* Returns the orders in which the loops suit some of the accesses; all orders if there are few
 * loops. */
struct order_list search_orders(struct site_search *s);

/* ---- sizes.c: what costs are made of ---- */

/* Returns the variable's size, known or expected; -1: neither. */
double plan_real_size(const struct index_var *var);

/* Does the variable have so many values that an array with an element for each may cost more than
 * the computation? */
bool plan_is_wide(const struct context *cx, const struct index_var *var);

/* Returns the symbols of a program's costs, which tell which variables range over the same
 * dimension. */
struct cost_symbols *plan_symbols(struct context *cx, const struct cin_program *program);

/* Returns the number of components that the operand is expected to store. */
double plan_stored(struct cost_symbols *symbols, const struct cin_program *program,
                   const struct cin *access);
/* Returns the number of values that the variable is expected to have. */
double plan_values(struct cost_symbols *symbols, const struct cin_program *program,
                   const struct index_var *var);

/* ---- store.c: in which order components are stored ---- */

/* Returns the access by which s assigns the tensor, or NULL; and the loops around it, outermost
 * first. */
const struct cin *plan_find_store(struct context *cx, const struct cin *s,
                                  const struct tensor_var *tensor, struct var_list *loops);
/* The levels [first, end) that a list has to be sorted by.  The levels before come in order anyway.
 * Entries that agree in all levels before `end` come in the order of the loops that the other
 * levels tell. */
struct sorted_levels {
    int first, end;
};
struct sorted_levels plan_sorted_levels(struct context *cx, const struct cin_program *program,
                                        const struct cin *store, const struct var_list *loops);
/* Do the components of the result come in the order in which it is assembled? */
bool plan_assembles(struct context *cx, const struct cin_program *program);

/* ---- cost.c: what a program costs ---- */

/* Returns the number that a cost comes to. */
double plan_value(struct cost cost);

/* Numbers of costs are estimates: they leave out how loops go through memory, and how well a
 * processor predicts branches.  So a plan reorders loops only for a cost that is lower by a
 * quarter, which is a guess.  Costs within a hundredth of each other count as equal, since terms of
 * lower order make as large a difference. */
static inline bool plan_is_clearly_less(double cost, double than) { return cost < 0.75 * than; }
static inline bool plan_is_less(double cost, double than) { return cost < 0.99 * than; }

/* Returns the program's cost, in steps of a simple loop.  *is_whole is false if the program cannot
 * be lowered as it is: then the copies that legalize it are not in the cost. */
struct cost plan_cost(struct cost_symbols *symbols, const struct cin_program *program,
                      bool *is_whole);

/* ---- parallel.c: loops that threads share ---- */

/* Returns the loops that are inside no other loop. */
struct cin_list plan_outermost(struct context *cx, const struct cin_program *program);

/* Can the program be lowered as it is, with its parallel loops?  False for NULL. */
bool plan_is_whole(struct context *cx, const struct cin_program *program);
/* Returns the loop directly inside the outer one that goes over ranges of its coordinates; or NULL.
 */
const struct cin *plan_range_in(struct context *cx, const struct cin_program *program,
                                const struct index_var *outer);
/* Splits that inner loop into blocks, and moves the loop over blocks outside of the outer loop.
 * Gives its variable; NULL: it is refused. */
const struct index_var *draft_ranges(struct draft *draft, const struct index_var *outer,
                                     const struct index_var *inner, int size,
                                     const struct index_var **within);
/* Returns how many results are assigned in outermost loops that threads cannot share. */
int plan_serial_results(struct context *cx, const struct cin_program *program);

/* ---- gpu.c ---- */

/* How many loops could a GPU share by atomic updates alone, with a result that depends on their
 * order? */
int plan_combines_at_random(struct context *cx, const struct cin_program *program);

/* ---- gpu_host.c: what a GPU's plan leaves to host code; the report says why not ---- */

/* Makes alternatives impossible that a GPU's threads cannot share, unless all are such: tables and
 * lists made in loops, which one thread makes, and updates in no order. */
void plan_leave_out_unshared(struct site_search *s);
/* Do all tensors that loops write have places for their components before the loops? */
bool plan_has_places(struct context *cx, const struct cin_program *program, struct text *report);
/* Can host code do what no threads share? */
bool plan_is_host_code(struct context *cx, const struct cin_program *program, struct text *report);

/* ---- legalize.c: what cannot be lowered as it is ---- */

/* Adds the conversions, or the collection of the result, that the draft needs to be lowered: the
 * cheaper of the two ways.  The draft stays as it is if neither helps; or if its result has a given
 * pattern that the loops go through, since then nothing is in the way. */
void draft_legalize(struct draft *draft, struct cost_symbols *symbols);

/* Legalizes the draft.  Returns its cost then, or impossible. */
struct cost draft_legalized_cost(struct draft *draft, struct cost_symbols *symbols);

#endif
