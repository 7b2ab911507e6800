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

/* The power of two that is not more than n; at least 1. */
static inline double plan_power_of_two(double n) { return exp2(ilogb(fmax(n, 1))); }

/* ---- access.c: lists of variables, and levels of accesses ---- */

struct var_list {
    const struct index_var **at;
    size_t n, capacity;
};

/* Where in the list the variable is; -1: nowhere. */
int var_list_place(const struct var_list *list, const struct index_var *var);
bool var_list_has(const struct var_list *list, const struct index_var *var);
bool var_list_equal(const struct var_list *a, const struct var_list *b);
/* Those of the loops that are in the list, in the loops' order. */
struct var_list var_list_common(struct context *cx, const struct var_list *loops,
                                const struct var_list *list);

/* The variables that the access's levels store, each once, from the root down. */
struct var_list plan_storage_order(struct context *cx, const struct cin *access);

/* Does the level have to be iterated below those above it? */
bool plan_is_iterated(const struct level_format *level);
/* ... a level of the access, from this one on? */
bool plan_has_iterated(const struct cin *access, int from);

/* The variable with which the access moves from one element to the next; NULL: none. */
const struct index_var *plan_steps_with(const struct cin *access);

/* ---- memo.c: what has been found out about programs ---- */

/* cin_unfold without diagnostics. */
const struct cin_program *plan_unfold(struct context *cx, const struct cin_program *program);
/* The tree of the unfolded program; NULL: it cannot be unfolded. */
const struct tree *plan_tree(struct context *cx, const struct cin_program *program);
/* The program after the directive, which stays as it is; NULL: it is refused. */
const struct cin_program *plan_apply(struct context *cx, const struct cin_program *program,
                                     const struct schedule_call *call);

/* ---- order.c: the order of a run of loops ---- */

/* A run of directly nested foralls. */
struct chain {
    const struct cin *body;
    struct var_list loops;
};

struct chain plan_chain(struct context *cx, const struct cin *forall);

/* Has a directive put a loop of the chain in order? */
bool plan_is_ordered(const struct cin_program *program, const struct var_list *loops);

/* The chain's loops in the order that suits the accesses inside; where two want different orders,
 * the earlier one gets its own.  The accesses are the targets of the distinct assignments, then
 * cin_operands.  Those that `skip` marks constrain nothing. */
struct var_list plan_order(struct context *cx, const struct cin_program *program,
                           const struct chain *chain, const bool *skip);

/* A list of loops to be put in order. */
struct order_list {
    struct var_list *at;
    size_t n, capacity;
};

/* The chains of the program that no directive has put in order and whose order does not suit their
 * accesses: for each the order that does, or, if it keeps, the one that it has. */
struct order_list plan_orders(struct context *cx, const struct cin_program *program, bool keeps);

/* ---- site.c: where there is something to decide ---- */

/* The loops from a statement down to an assignment, through the consumers of wheres.  Statements
 * are the program's own, and the producers of wheres. */
struct site {
    const struct cin *root, *assign;
    struct var_list loops; /* outermost first */
    VEC(const struct cin *) where;
    VEC(size_t) depth; /* how many of the loops are around each where */
    size_t fixed;      /* how many outer loops a where separates from the others */
};

struct site_list {
    struct site *at;
    size_t n, capacity;
};

/* Every site of the program, outer ones first.  plan_sites finds them once. */
struct site_list plan_find_sites(struct context *cx, const struct cin_program *program);
struct site_list plan_sites(struct context *cx, const struct cin_program *program);

/* The loops that are nested directly in each other, down to the assignment or the wheres around
 * it. */
struct chain site_chain(struct context *cx, const struct site *site);

/* The loops around an assignment inside a statement, outermost first. */
struct var_list plan_loops(struct context *cx, const struct cin *s, const struct cin *assign);

/* Does the access have a level that stores the variable and has to be iterated? */
bool plan_goes_through(const struct cin *access, const struct index_var *var);

/* An operand whose levels the loops do not suit, from this one on. */
struct conflict {
    const struct cin *access;
    int level;
};
struct conflict_list {
    struct conflict *at;
    size_t n, capacity;
};

/* The accesses that the site's loops do not suit.  The loops read an access in another order than
 * it is stored in: it conflicts from the root on.  Or they go through a level, or search it, again
 * and again, because a loop around it moves in no level above: it conflicts from that level on.  An
 * access whose loops are all in one producer is left to the producer's site. */
struct conflict_list site_conflicts(struct context *cx, const struct cin_program *program,
                                    const struct site *site);

/* ---- workspace.c: the formats of workspaces, by how they are written and read ---- */

/* Sorted by all of its modes. */
const struct format *plan_list(struct context *cx, size_t modes);
/* A list below every coordinate of the first of two modes or more. */
const struct format *plan_rows(struct context *cx, size_t modes);
/* Of one mode: finds a component in O(1), and lists the stored ones, sorted on request. */
const struct format *plan_listed(struct context *cx, bool sorted);
/* ... in a loop, of each row, which a GPU's threads can make, too. */
const struct format *plan_row(struct context *cx, bool sorted);
/* Of one mode: finds a component in O(1), in memory for the stored ones alone. */
const struct format *plan_table(struct context *cx);
const struct format *plan_dense(struct context *cx, size_t modes);
/* Of levels that store these functions of the modes: a place for all values, and a list, with these
 * properties, of those of the first that something is stored below. */
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
    struct call_list calls;            /* that led to it */
};

struct draft draft_new(struct context *cx, const struct cin_program *program);
/* One that goes on from another. */
struct draft draft_copy(const struct draft *draft);
/* Apply a directive, without diagnostics, and add it.  NULL: nothing. */
void draft_add(struct draft *draft, const struct schedule_call *call);
/* Add the directives of a draft that began with this one's program. */
void draft_append(struct draft *draft, const struct draft *more);
/* The directives as a schedule. */
const char *draft_print(const struct draft *draft);

/* reorder(i, j, ...) */
const struct schedule_call *plan_reorder(struct context *cx, const struct var_list *loops);
/* Compute an expression first, into a workspace of this format with these modes. */
void draft_precompute(struct draft *draft, const struct cin *e, const struct var_list *modes,
                      const struct format *format);
/* ... into a dense one of two modes, in the shared memory of a GPU's block, with a pad: the loops
 * that make them are copy[0] and copy[1]. */
void draft_tile(struct draft *draft, const struct cin *e, const struct var_list *modes,
                const struct index_var **copy);
/* Blocks of so many coordinates: the variable of the loop over blocks, and that of the one inside
 * them; NULL: it is refused. */
const struct index_var *draft_split(struct draft *draft, const struct index_var *loop, int64_t size,
                                    const struct index_var **within);
/* Parts of positions, of so much work each, where they are those of rows; else of so many of
 * them. */
const struct index_var *draft_parts(struct draft *draft, const struct index_var *loop, int64_t size,
                                    const struct index_var **within);
/* The variable of the differences of the loop to another; NULL: it is refused. */
const struct index_var *draft_skew(struct draft *draft, const struct index_var *loop,
                                   const struct index_var *other);
/* The variable of the loop in place of two, one directly in the other; NULL: it is refused. */
const struct index_var *draft_collapse(struct draft *draft, const struct index_var *outer,
                                       const struct index_var *inner);
/* The variable of the loop over the operand's positions in place of this one; NULL: it is
 * refused. */
const struct index_var *draft_positions(struct draft *draft, const struct index_var *loop,
                                        const struct cin *access);
/* The loop is shared out. */
void draft_parallelize(struct draft *draft, const struct index_var *loop, enum cin_unit unit,
                       enum cin_races races);
/* ... and its rows to bins, with so much room in the first two. */
void draft_bin(struct draft *draft, const struct index_var *loop, int64_t first, int64_t second);
/* Read the operand from a list in the order of the loops as they are. */
void draft_convert(struct draft *draft, const struct cin *access);
/* Accumulate into the result instead of into each workspace that `before` did not have. */
void draft_sequence(struct draft *draft, const struct cin_program *before);
/* Put the chains that plan_orders finds into the orders that suit them. */
void draft_order(struct draft *draft);
/* Pin these chains in the orders that they have. */
void draft_keep_order(struct draft *draft);

/* ---- map.c: levels that store functions of the coordinates ---- */

/* Does a level store a function of one of the loops' variables? */
bool plan_is_mapped(const struct cin *access, const struct var_list *loops);

/* Split and skew the loops, and reorder them if that is asked, so that each level of the access has
 * a loop; false: that is impossible, and the draft of no use. */
bool draft_follow(struct draft *draft, const struct cin *access, const struct var_list *loops,
                  bool reorder);

/* The same inside the loop over the blocks of the first of the access's modes to be split, where
 * that is split already. */
bool draft_follow_inside(struct draft *draft, const struct cin *access,
                         const struct var_list *loops, const struct cin_relation *split);

/* ---- blocks.c: results that store blocks ---- */

/* Compute a result that stores functions of its coordinates into a workspace for one coordinate of
 * its first level, and copy it from there in the order of its levels; false: the loops are not such
 * that this is a way, and the draft is of no use. */
bool draft_gather_blocks(struct draft *draft, const struct site *site);

/* ---- search.c: the alternatives at a site ---- */

struct planner {
    struct context *cx;
    struct cost_symbols *symbols;
    const struct cin_program *given;
    /* how many more drafts may be weighed: at this site, and within those of them that go on */
    int budget, within;
    struct text *reasons;       /* NULL: nobody asks */
    struct plan_report *report; /* ... */
    const struct draft *before; /* the directives that are taken already */
};

/* done goes on from the draft with the directives that complete it. */
struct weighed {
    struct draft draft, done;
    struct cost cost;
    const char *steps; /* of a contraction, with their costs, if somebody asks; else NULL */
};

/* The search at one site. */
struct site_search {
    struct planner *planner;
    struct context *cx;
    const struct cin_program *program;
    const struct site *site;
    /* how often a draft may be planned on before it is weighed */
    int depth;
    /* the site's loops get another order if nothing orders them */
    bool reorders;
    /* first the site as it is, then all drafts */
    VEC(struct weighed) weighed;
};

/* Weigh the draft: as it is, or, if it goes on, with its own sites planned. */
void search_weigh(struct site_search *search, const struct draft *draft, bool goes_on);

/* Does the assigned access need the components of a workspace with these modes in order?  (Operands
 * that are merged with the workspace may need it as well.) */
bool search_needs_order(const struct site_search *search, const struct var_list *modes);
/* Does a dense workspace with these modes fit into the caches? */
bool search_fits(const struct site_search *search, const struct var_list *modes);

/* The site in a draft's program. */
struct site search_site(struct site_search *search, const struct draft *draft);

/* expand.c: try to expand scalar temporaries. */
void search_expansions(struct site_search *search);

/* term.c: sums that a dense result is computed from go into the result itself, where that lets
 * their loops be those that they would have alone. */
void draft_expand_terms(struct draft *draft);

/* reuse.c: what a scalar holds is not computed for another one as well. */
void draft_reuse_sums(struct draft *draft);

/* factor.c: try to multiply all factors of a product in the order of the cheapest contraction; or
 * two of them first. */
void search_whole_product(struct site_search *search);
void search_pairs(struct site_search *search);
/* Is there a reduction that some of the factors have for themselves, while others have a loop? */
bool plan_has_factors(struct context *cx, const struct site *site);
/* What the site reduces, where it is kept if that is asked; of a sum, or the negative of that. */
const struct cin *plan_reduced(const struct site *site);
const struct cin *plan_multiply(struct context *cx, enum op op, const struct cin_list *factors);

/* hoist.c: try to compute first what holds functions, and is computed again and again. */
void search_functions(struct site_search *search);
bool plan_repeats_functions(struct context *cx, const struct cin_program *program,
                            const struct site *site);

/* step.c: is there a function, as exp, in the expression? */
bool plan_has_function(const struct cin *e);

/* network.c: try to multiply the factors in the order of the cheapest contraction; or also in what
 * may be cheaper than one step after the other. */
void search_contractions(struct site_search *search, const struct cin_list *product, bool changes);
/* Try the cheapest contractions that begin with each pair of factors: what a step costs depends on
 * formats, too, which a contraction does not know. */
void search_trees(struct site_search *search, const struct cin_list *product);

/* position.c: try the positions of an operand in place of a collapsed loop. */
void search_positions(struct site_search *search);
bool plan_has_collapsed(const struct cin_program *program, const struct site *site);

/* walk.c: operands that an innermost loop over all coordinates meets entry by entry are scattered
 * into a row first. */
void draft_scatter_rows(struct draft *draft, struct cost_symbols *symbols);

/* ---- lines.c: lines of memory that loops fetch from far ---- */

/* How often the loop runs, and by how many elements it moves each access; 0: not at all.  goes_on:
 * it is one loop with that around it, and takes its coordinates apart. */
struct nest_loop {
    double count, *stride;
    bool goes_on;
};

/* Loops directly in each other, outermost first, and the bytes of an element of each access. */
struct nest {
    VEC(struct nest_loop) loop;
    const double *bytes;
    int accesses;
    double lanes; /* of a vector */
    bool streams; /* whole lines of the first access are stored past the caches */
};

/* In steps of a simple loop. */
double plan_nest_cost(struct context *cx, const struct nest *nest);

/* tiles.c: loops of assignments whose accesses are contiguous along different ones, in tiles. */
void draft_tile_loops(struct draft *draft, struct planner *planner);

/* ---- report.c: what was weighed, if somebody asks ---- */

/* Where paragraphs go; NULL: nobody asks. */
struct text *report_reasons(struct context *cx, struct plan_report *report);
/* An alternative, as a whole schedule. */
void report_add(struct plan_report *report, const struct draft *whole, double cost);
/* ... behind the directives that are taken already. */
void report_behind(struct planner *planner, const struct draft *before, const struct draft *draft,
                   double cost);
/* The loops where there was a choice, as text. */
void report_site(struct planner *planner, const struct site *site);
/* The begin of a line: whether it is taken, its cost, or that it cannot be, and what. */
void report_way(struct text *reasons, bool taken, double cost, const char *way);

/* May another plan be better at the site of this number?  Its loops are in order. */
bool plan_site_is_open(struct context *cx, const struct cin_program *program, size_t number);
/* The same of a whole program, which has to suit a GPU, too. */
bool plan_site_is_searched(struct context *cx, const struct cin_program *program, size_t number);

/* The best draft for the site of this number; its program is NULL if the site had better stay. */
struct draft plan_site(struct planner *planner, const struct cin_program *program, size_t site,
                       int depth);

/* The plan of a program of one result; what was weighed is added to the report. */
struct draft plan_one(struct context *cx, const struct cin_program *program,
                      struct plan_report *report);

/* several.c: the same of several results, each by itself unless they are cheaper in common
 * loops. */
struct draft plan_several(struct context *cx, const struct cin_program *program,
                          struct plan_report *report);

/* Plan all sites from here on. */
struct draft plan_rounds(struct planner *planner, const struct cin_program *program, int depth);

/* ---- orders.c ---- */

/* Does the order of the access's levels matter to the loops? */
bool search_constrains(const struct cin *access, bool written);
/* The orders in which the loops follow some of the accesses; all orders of few loops. */
struct order_list search_orders(struct site_search *s);

/* ---- sizes.c: what costs are made of ---- */

/* The size that is known of a variable, or expected, about; -1: neither. */
double plan_real_size(const struct index_var *var);

/* Does the variable have so many values that an array of them all may cost more than the
 * computation? */
bool plan_is_wide(const struct context *cx, const struct index_var *var);

/* The symbols of a program's costs: which variables stand for one dimension. */
struct cost_symbols *plan_symbols(struct context *cx, const struct cin_program *program);

/* The number of components that an operand of the program is expected to store. */
double plan_stored(struct cost_symbols *symbols, const struct cin_program *program,
                   const struct cin *access);
/* The number of values that the variable is expected to have. */
double plan_values(struct cost_symbols *symbols, const struct cin_program *program,
                   const struct index_var *var);

/* ---- store.c: in which order components are stored ---- */

/* The access by which s assigns to the tensor, or NULL; and the loops around it, outermost
 * first. */
const struct cin *plan_find_store(struct context *cx, const struct cin *s,
                                  const struct tensor_var *tensor, struct var_list *loops);
/* The levels [first, end) by which a list is sorted.  Those before come in order in any case.
 * Entries that agree in all levels before the end come in the order of the others, by the loops
 * that these do not tell. */
struct sorted_levels {
    int first, end;
};
struct sorted_levels plan_sorted_levels(struct context *cx, const struct cin_program *program,
                                        const struct cin *store, const struct var_list *loops);
/* Do the components of the result come in the order in which its levels are assembled? */
bool plan_assembles(struct context *cx, const struct cin_program *program);

/* ---- cost.c: what a program costs ---- */

/* The number of a cost. */
double plan_value(struct cost cost);

/* Numbers of costs are estimates: they leave out how loops go through memory, and how well a
 * processor foretells branches.  So loops change their order only for a cost that is lower by a
 * quarter; that is a guess.  Costs that differ by less than a hundredth are the same: terms of
 * lower order make as much of a difference. */
static inline bool plan_is_clearly_less(double cost, double than) { return cost < 0.75 * than; }
static inline bool plan_is_less(double cost, double than) { return cost < 0.99 * than; }

/* In steps of a simple loop.  *is_whole is false if the program cannot be lowered as it is: then
 * the cost leaves out the copies that legalize it. */
struct cost plan_cost(struct cost_symbols *symbols, const struct cin_program *program,
                      bool *is_whole);

/* ---- parallel.c: loops that threads share ---- */

/* The loops that are in no other loop. */
struct cin_list plan_outermost(struct context *cx, const struct cin_program *program);

/* Can the program be lowered as it is, and may the loops be parallel that are tagged so?  false of
 * NULL. */
bool plan_is_whole(struct context *cx, const struct cin_program *program);
/* The loop directly inside the outer one that goes over ranges of its coordinates; NULL: there is
 * none. */
const struct cin *plan_range_in(struct context *cx, const struct cin_program *program,
                                const struct index_var *outer);
/* Move the inner loop outwards, in blocks of a size.  Gives the variable of the loop over blocks;
 * NULL: the directives are refused. */
const struct index_var *draft_ranges(struct draft *draft, const struct index_var *outer,
                                     const struct index_var *inner, int size,
                                     const struct index_var **within);
/* How many results are assigned in outermost loops that threads cannot share. */
int plan_serial_results(struct context *cx, const struct cin_program *program);

/* ---- gpu.c ---- */

/* For how many loops, on whose order the result depends, has a GPU no way but atomic updates? */
int plan_combines_at_random(struct context *cx, const struct cin_program *program);

/* ---- gpu_host.c: what a GPU's plan leaves to host code; the report says why not ---- */

/* Tables, and lists in loops, are made by one thread, and threads do not combine as they come what
 * has an order: alternatives that do are as good as impossible, unless all do. */
void plan_leave_out_unshared(struct site_search *s);
/* Have all tensors that loops write places for their components before? */
bool plan_has_places(struct context *cx, const struct cin_program *program, struct text *report);
/* Can host code do what is not shared out? */
bool plan_is_host_code(struct context *cx, const struct cin_program *program, struct text *report);

/* ---- legalize.c: what cannot be lowered as it is ---- */

/* Add the conversions and the collection of the result without which the draft cannot be lowered:
 * the cheaper way of two.  The draft stays as it is if there is no way, or if the pattern of its
 * result is there and the loops go through it: then nothing stands in their way. */
void draft_legalize(struct draft *draft, struct cost_symbols *symbols);

/* Legalize the draft: what it costs then, impossible if there is no way. */
struct cost draft_legalized_cost(struct draft *draft, struct cost_symbols *symbols);

#endif
