/* concrete.h - concrete index notation: what is computed in which loops (thesis 4.3).
 *
 *   expressions
 *     CIN_LITERAL    value
 *     CIN_ACCESS     tensor, index[indices]                     A(i,j)
 *     CIN_OP         op, arg[args]                              a + b
 *   statements
 *     CIN_ASSIGN     op or OP_NONE, arg[0] access, arg[1]       y(i) += a
 *                    perhaps arg[2], the access at whose        C(i,j) = a at P(i,j)
 *                    components alone it has an effect
 *     CIN_FORALL     index[0], arg[0]                           forall(i) s
 *     CIN_WHERE      arg[0] consumer, arg[1] producer           (c where p)
 *     CIN_SEQUENCE   arg[0] definition, arg[1] mutation         (d ; m)
 *     CIN_MULTI      arg[0], arg[1], which compute two results  (l | r)
 *     CIN_NOTHING    no effect: what a statement simplifies to in a region where its operands are
 *                    absent
 *
 * Nodes are interned in the context: equal nodes are the same pointer, so equality is ==, and a
 * rewrite that changes nothing returns its argument.  Every forall binds a variable of its own; the
 * variable is the loop's identity.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_CONCRETE_CONCRETE_H
#define SPCC_CONCRETE_CONCRETE_H

#include "compiler/base/context.h"
#include "compiler/format/tensor_var.h"
#include "compiler/notation/notation.h"
#include "compiler/relation.h"
#include "compiler/value/operator.h"

struct text;

enum cin_kind {
#define CIN(NAME, is_expression) CIN_##NAME,
#include "compiler/concrete/concrete.def"
#undef CIN
};

enum { CIN_ARGS_MAX = 3 };

struct cin {
    enum cin_kind kind;
    enum type type; /* of an expression's value */
    enum op op;
    struct value value;
    const struct tensor_var *tensor;
    int indices, args;
    const struct index_var *const *index;
    const struct cin *const *arg;
};

/* ---- the environment (thesis 3.2, 6.3 to 6.6) ---- */

/* What a schedule promises of the size of var's range, and the kernel checks when it is entered: it
 * is `size`, at most `size`, or a multiple of `size`. */
enum cin_bound_kind { BOUND_EXACT, BOUND_MOST, BOUND_MULTIPLE };
struct cin_bound {
    const struct index_var *var;
    enum cin_bound_kind kind;
    int64_t size;
};

/* How the forall over var runs: several iterations in a step; in vectors; in parts, by threads;
 * with two others, as a call of a library's matrix product; with its rows in bins. */
enum cin_tag_kind { TAG_UNROLL, TAG_VECTORIZE, TAG_PARALLEL, TAG_GEMM, TAG_BIN };

/* What executes a part of a parallel loop (thesis 6.6).  A GPU's units are nested in this order: a
 * block has warps, a warp has threads. */
enum cin_unit { UNIT_CPU_THREAD, UNIT_GPU_BLOCK, UNIT_GPU_WARP, UNIT_GPU_THREAD, UNIT_KINDS };

/* What happens to components that several parts of a parallel loop write (thesis 6.6). */
enum cin_races {
    RACES_NONE,      /* no component is written by several parts */
    RACES_IGNORE,    /* they are written like others */
    RACES_ATOMICS,   /* they are updated atomically */
    RACES_TEMPORARY, /* each part has a copy, and the copies are combined */
    RACES_WARP,      /* the threads of a team or a block combine their shares among each other */
    RACES_KINDS
};

struct cin_tag {
    const struct index_var *var;
    enum cin_tag_kind kind;
    /* TAG_UNROLL: iterations in a step.  TAG_PARALLEL: iterations in a part, 0: by the work there
     * is. TAG_BIN: the most room of rows in the first bin, and in the second.  `second` of
     * TAG_PARALLEL: the threads of a GPU's team that share the loop, 0: one for each iteration. */
    int64_t factor, second;
    enum cin_unit unit;   /* TAG_PARALLEL */
    enum cin_races races; /* TAG_PARALLEL */
    bool dynamic;         /* TAG_PARALLEL: a part goes to whichever thread is free */
    bool tries;           /* TAG_VECTORIZE: it is no error if there are no vectors */
    struct span span;     /* the loop's name in the directive */
};

/* A statement with its environment, which transformations take and give. */
struct cin_program {
    const struct cin *statement;
    const struct tensor_var *result;
    /* the other results, if there are several, by rank */
    const struct tensor_var *const *other;
    int others;
    /* the statement that this one is a part of, whose names are taken; NULL: it is no part */
    const struct cin *within;
    /* the result's old values count, because the user's assignment reads them */
    bool accumulates;
    /* only values are computed, into a pattern that exists */
    bool is_given;
    const struct cin_relation *relation;
    const struct cin_bound *bound;
    const struct cin_tag *tag;
    /* the loops that a directive has ordered: the planner does not reorder them */
    const struct index_var *const *ordered;
    int relations, bounds, tags, ordereds;
};

/* ---- constructors: interned ---- */

const struct cin *cin_literal(struct context *cx, struct value value);
const struct cin *cin_access(struct context *cx, const struct tensor_var *tensor,
                             const struct index_var *const *index, int indices);
const struct cin *cin_op(struct context *cx, enum op op, const struct cin *const *arg, int args);
const struct cin *cin_assign(struct context *cx, enum op op, const struct cin *access,
                             const struct cin *value);
/* An assignment where `at`, an access to a tensor with a pattern, stores a component.  Elsewhere it
 * has no effect; if the result is updated (tensor_var_is_updated), the value there must be the
 * fill. */
const struct cin *cin_assign_at(struct context *cx, enum op op, const struct cin *access,
                                const struct cin *value, const struct cin *at);
const struct cin *cin_forall(struct context *cx, const struct index_var *var,
                             const struct cin *body);
const struct cin *cin_where(struct context *cx, const struct cin *consumer,
                            const struct cin *producer);
const struct cin *cin_sequence(struct context *cx, const struct cin *definition,
                               const struct cin *mutation);
const struct cin *cin_multi(struct context *cx, const struct cin *left, const struct cin *right);
const struct cin *cin_nothing(struct context *cx);

bool cin_is_expression(const struct cin *cin);
/* Returns the depth of its nests of loops. */
int cin_depth(const struct cin *cin);

/* The deepest nest that is allowed.  cin_check_depth is false after a diagnostic at the span. */
enum { CIN_DEPTH_MAX = 64 };
bool cin_check_depth(struct context *cx, const struct cin *statement, struct span span);

/* Returns the same node with other args; the node itself if they are equal. */
const struct cin *cin_with_args(struct context *cx, const struct cin *cin,
                                const struct cin *const *arg);

/* ---- questions ---- */

/* Visits every node, parents first; true as soon as visit gives true. */
bool cin_any(const struct cin *cin, bool (*visit)(const struct cin *cin, void *data), void *data);
/* Does it contain a node of this kind, a loop over the variable, this node (or is it that)? */
bool cin_has(const struct cin *cin, enum cin_kind kind);
bool cin_has_loop(const struct cin *cin, const struct index_var *var);
bool cin_contains(const struct cin *cin, const struct cin *part);
bool cin_uses_var(const struct cin *cin, const struct index_var *var); /* in an access */
bool cin_uses_tensor(const struct cin *cin, const struct tensor_var *tensor);
/* Does it ask whether a component of the tensor is stored? */
bool cin_asks_for(const struct cin *cin, const struct tensor_var *tensor);

/* Are they equal up to the signs of zeros?  Then one has an effect where the other has. */
bool cin_alike(const struct cin *a, const struct cin *b);

/* Does the expression, as a function of a part that occurs once in it, distribute over the
 * operator: e(a over b) = e(a) over e(b)? */
bool cin_distributes(struct context *cx, const struct cin *e, const struct cin *part, enum op over);
/* Does the operation e distribute, in its type, as a function of its operand on this side? */
bool cin_op_distributes(struct context *cx, const struct cin *e, enum op_side side, enum op over);

/* Is it a - b or -a, which a sum may take as one with a negative?  Not of truth values: their - is
 * no inverse of their +. */
bool cin_is_difference(const struct cin *e);

/* The distinct accesses that are read, in order of appearance, and the distinct assignments
 * (cin_operands, cin_assignments). */
struct cin_list {
    const struct cin **at;
    size_t n, capacity;
};
bool cin_list_has(const struct cin_list *list, const struct cin *cin);
/* Returns the operands of a chain of one operator, however it is nested; e alone if it is no chain.
 * Operations in other types than `type` (NULL: any type) count as operands. */
struct cin_list cin_chain(struct context *cx, const struct cin *e, enum op op,
                          const enum type *type);
void cin_list_add(struct context *cx, struct cin_list *list, const struct cin *cin); /* once */
struct cin_list cin_operands(struct context *cx, const struct cin *cin);
struct cin_list cin_assignments(struct context *cx, const struct cin *cin);

/* ---- what is kept (keep.c) ---- */

/* Returns the value keep(e, c) that the assignment assigns, so that it has an effect only where c
 * holds; NULL: it assigns no such value. */
const struct cin *cin_kept(const struct cin *assign);
/* Assign such a value to the target, through a temporary of this name that is written where the
 * value is kept. */
const struct cin *cin_assign_kept(struct context *cx, const char *name, const struct cin *target,
                                  const struct cin *value);
/* cin_simplify of such an assignment, whose parts are simplified already. */
const struct cin *cin_simplify_kept(struct context *cx, const struct cin *assign);

/* Does it compute with integers that the user chose, whose overflow C leaves undefined?  Positions
 * and coordinates never overflow. */
bool cin_may_overflow(struct context *cx, const struct cin *statement);

/* Do the accesses read the same place of the same arrays? */
bool cin_is_same_place(const struct cin *a, const struct cin *b);

/* Returns the assignment of a statement that makes temporaries and then runs one nest of loops;
 * NULL: it is no such statement. */
const struct cin *cin_copy(const struct cin *statement);

/* ---- several results ---- */

/* Returns the result number r; the first is 0. */
const struct tensor_var *cin_result(const struct cin_program *program, int r);
bool cin_is_result(const struct cin_program *program, const struct tensor_var *tensor);
bool cin_assigns(const struct cin *statement, const struct tensor_var *tensor);
/* Returns the program of those parts of the statement that assign result number r; parts have no
 * loop in common.  If none does, its statement is nothing. */
const struct cin_program *cin_part(struct context *cx, const struct cin_program *program, int r);
/* Returns the program with `changed` in place of its part `part`. */
const struct cin_program *cin_put_part(struct context *cx, const struct cin_program *program,
                                       const struct cin_program *part,
                                       const struct cin_program *changed);

/* ---- rewriting ---- */

/* Replaces every occurrence of one node by another. */
const struct cin *cin_replace(struct context *cx, const struct cin *in, const struct cin *from,
                              const struct cin *to);

/* Replaces every access of the list by its tensor's fill. */
const struct cin *cin_with_fills(struct context *cx, const struct cin *in,
                                 const struct cin_list *absent);

/* Returns the statement forall(var) s, with the loop moved into the wheres of s whose producers
 * contain loops and depend neither on the variable nor on what stays inside: so it does not repeat
 * them. */
const struct cin *cin_forall_inside(struct context *cx, const struct index_var *var,
                                    const struct cin *s);

/* Rename a variable in foralls and accesses. */
const struct cin *cin_rename(struct context *cx, const struct cin *in, const struct index_var *from,
                             const struct index_var *to);

/* Simplify: constants fold, identities go, and annihilators win.  An assignment of the value that
 * is there already becomes nothing, and so does a statement that contains nothing else.  If a
 * producer becomes nothing, its temporaries have their fills.  This removes operands that have run
 * out of values in a region (thesis 5.1). */
const struct cin *cin_simplify(struct context *cx, const struct cin *cin);

/* Simplify where it is not known whether the `unsure` operands are present: an annihilator wins
 * over one only if it wins over its fill as well.  For instance 0 / x is 0 for a stored x, but 0 /
 * 0 where x is absent is not a number. */
const struct cin *cin_simplify_unsure(struct context *cx, const struct cin *cin,
                                      const struct cin_list *unsure);

/* Returns the constants that the expression becomes where some of the unsure operands are absent.
 * There may be constants too many: an operand that occurs twice can be taken as present once and as
 * absent once. */
struct cin_list cin_constants(struct context *cx, const struct cin *cin,
                              const struct cin_list *unsure);

/* Returns the consumer simplified for temporaries that are at their fills.  Temporaries made within
 * the statement `within` may be at theirs too, or have any value: a sum of nothing divided by
 * another is 0 / 0. In a dense result that holds for all temporaries.  What a sparse result stores
 * does not depend on sums from outside, as that of a row in A(i,j) / sum(k, A(i,k)). */
const struct cin *cin_unwritten(struct context *cx, const struct cin *consumer,
                                const struct cin *within, const struct cin_list *absent,
                                const struct cin_list *unsure);

/* Does `holds` give true for some set of absent operands?  With more than eight operands it is
 * taken to. */
bool cin_any_absent(struct context *cx, const struct cin_list *operands,
                    bool (*holds)(const struct cin_list *absent, void *data), void *data);

/* Is the simplified assignment one of a constant, or nothing? */
bool cin_is_decided(const struct cin *assign);

/* May the assignment have no effect where some of the unsure operands are absent? */
bool cin_may_be_nothing(struct context *cx, const struct cin *assign,
                        const struct cin_list *unsure);

/* Returns one step of simplification: the node with these args, which are simplified. */
const struct cin *cin_simplify_with(struct context *cx, const struct cin *cin,
                                    const struct cin *const *arg, const struct cin_list *unsure);

/* Returns the tag of this kind on the variable's forall, or NULL. */
const struct cin_tag *cin_find_tag(const struct cin_program *program, const struct index_var *var,
                                   enum cin_tag_kind kind);
/* Has the variable's forall any tag? */
bool cin_is_tagged(const struct cin_program *program, const struct index_var *var);
/* How messages call a loop with the tag. */
const char *cin_tag_says(const struct cin_tag *tag);
/* The parallel tag of a forall, or NULL; and: does the statement contain a parallel forall? */
const struct cin_tag *cin_parallel(const struct cin_program *program, const struct cin *statement);
bool cin_has_parallel(const struct cin_program *program, const struct cin *statement);
/* Returns the tag of the first forall in the statement that has a GPU's unit, or NULL. */
const struct cin_tag *cin_gpu(const struct cin_program *program, const struct cin *statement);
static inline bool cin_unit_is_gpu(enum cin_unit unit) { return unit != UNIT_CPU_THREAD; }
/* Returns how many threads of a team share the loop; -1: that is not known. */
static inline int64_t cin_threads(const struct cin_tag *tag)
{
    return tag->second ? tag->second : tag->var->size;
}
/* May a loop with the inner unit stand in one with the outer unit? */
static inline bool cin_unit_nests(enum cin_unit outer, enum cin_unit inner)
{
    return cin_unit_is_gpu(outer) && outer < inner;
}
/* "exact", "most", "multiple" */
const char *cin_bound_name(enum cin_bound_kind kind);
/* "no_races", "ignore_races", "atomics", "temporary", "warp_reduction" */
const char *cin_races_name(enum cin_races races);
/* "cpu_thread", "gpu_block", "gpu_warp", "gpu_thread" */
const char *cin_unit_name(enum cin_unit unit);

/* ---- relations ---- */

/* Returns the number of variables, in `from`, from which the relation gives var; -1: it does not
 * give var. */
int cin_sources(const struct cin_relation *r, const struct index_var *var,
                const struct index_var *from[2]);

/* Is the variable a parent of the relation; is it a child? */
bool cin_is_parent(const struct cin_relation *r, const struct index_var *var);
bool cin_is_child(const struct cin_relation *r, const struct index_var *var);
/* Does the variable follow from others in the program, or do others follow from it? */
bool cin_is_related(const struct cin_program *program, const struct index_var *var);
bool cin_relates(const struct cin_relation *relation, int relations, const struct index_var *var);

/* Returns the first relation that makes the variable a part of another, or a difference; NULL: none
 * does. */
const struct cin_relation *cin_origin(const struct cin_program *program,
                                      const struct index_var *var);

/* May the variable be negative, as a difference? */
bool cin_has_low(const struct cin_program *program, const struct index_var *var);

/* Returns the relation that divides the variable into parts, or NULL. */
const struct cin_relation *cin_split(const struct cin_program *program,
                                     const struct index_var *whole);

/* The variable that this one is such a part of (the first of several), or NULL. */
enum cin_which { CIN_FIRST, CIN_LAST, CIN_ANY };
const struct index_var *cin_whole(const struct cin_program *program, const struct index_var *var,
                                  enum cin_which part);

/* Of the relations that lead from such a part to the whole, the one that divides the part's parent;
 * NULL: it is no such part. */
const struct cin_relation *cin_division(const struct cin_program *program,
                                        const struct index_var *part, const struct index_var *whole,
                                        enum cin_which which);

/* Is `part` the whole, such a part of it, or such a part of such a part?  False if an argument is
 * NULL. */
bool cin_is_part(const struct cin_program *program, const struct index_var *part,
                 const struct index_var *whole, enum cin_which which);

/* Do the loops from number *at on go over the variable, or over its parts in the order in which it
 * ascends?  Then *at moves past them. */
bool cin_passes(const struct cin_program *program, const struct index_var *const *loop, int loops,
                const struct index_var *var, int *at);

/* May the variable that the relation gives be out of range although those it follows from are in
 * range? */
bool cin_exceeds(const struct cin_relation *r, const struct index_var *var);

/* Returns the number of values that a child of the relation takes for one value of its parents; -1:
 * unknown. */
int64_t cin_child_size(const struct cin_relation *r, int child);

/* Returns the relation by which the variable, or one that it is a part of, goes over positions; or
 * NULL. Relations of parts come behind those of wholes. */
const struct cin_relation *cin_positions(const struct cin_relation *relation, int relations,
                                         const struct index_var *var);
/* Returns the context's one copy of these relations. */
const struct cin_relation *cin_relations(struct context *cx, const struct cin_relation *relation,
                                         int n);
/* Adds a relation behind those of the program. */
void cin_relate(struct context *cx, struct cin_program *program, struct cin_relation r);

/* Returns a variable that follows from the n known ones and is not among them, with the relation
 * that gives it; or NULL. */
const struct index_var *cin_follows(const struct cin_relation *relation, int relations,
                                    const struct index_var *const *known, int n,
                                    const struct cin_relation **by);

/* Replaces tensors whose levels store functions of coordinates by their stored views, which have as
 * many modes as they have levels, and the functions by variables that relations define: A(i,j) of
 * bcsr(4,4) becomes A(io,jo,ii,ji). Relations of the program are used again.  For lowering, behind
 * the schedule.  NULL after a diagnostic: a function has no relation. */
const struct cin_program *cin_unfold(struct context *cx, const struct cin_program *program);

/* Returns the body in loops that follow the levels of an access from the root down: over each
 * variable that a level stores, unless it follows from those before.  Relations that this takes are
 * added to *program. */
const struct cin *cin_follow(struct context *cx, struct cin_program *program,
                             const struct cin *access, const struct cin *body);

/* Returns a part of an unfolded program's statement as it was before unfolding. */
const struct cin *cin_fold(struct context *cx, const struct cin_program *unfolded,
                           const struct cin *cin);

/* ---- passes ---- */

/* Makes concrete notation of checked statements (thesis 4.4), each with loops of its own.
 * Reductions become compound assignments, inside where statements if they are parts of larger
 * expressions; foralls over the result's variables go around. */
const struct cin_program *cin_concretize(struct context *cx, const struct tin *all);

/* Returns the first broken invariant as text in the arena; or NULL. */
const char *cin_check(struct context *cx, const struct cin_program *program);

void cin_print(struct context *cx, struct text *out, const struct cin *cin);
const char *cin_text(struct context *cx, const struct cin *cin);
void cin_print_program(struct context *cx, struct text *out, const struct cin_program *program);

/* Read what cin_print wrote.  Names stand for the given tensors and variables; others are refused.
 * cin_parse_program reads what cin_print_program wrote, with relations, bounds and tags; the
 * formats of workspaces are those of the given tensors. */
struct cin_names {
    const struct tensor_var *const *tensor;
    const struct index_var *const *var;
    int tensors, vars;
};
const struct cin *cin_parse(struct context *cx, const char *text, const struct cin_names *names);
bool cin_parse_program(struct context *cx, const char *text, const struct cin_names *names,
                       struct cin_program *program);

/* ---- temporaries ---- */

/* Is it a letter or _, followed by letters, digits and _, with n characters in all? */
bool cin_is_name(const char *s, size_t n);
/* Does anything in the program have this interned name? */
bool cin_is_used(const struct cin_program *program, const char *name);
/* Returns a name that nothing in the program has: the stem, or stem2, stem3, ... */
const char *cin_fresh_name(struct context *cx, const struct cin_program *program, const char *stem);

/* Returns a scalar temporary, which a where makes. */
const struct tensor_var *cin_temporary(struct context *cx, const char *name, enum type type,
                                       struct value fill);

/* Returns the context's one copy of a tensor, or of a variable, that the compiler has made. */
const struct tensor_var *cin_made(struct context *cx, struct tensor_var tensor);
const struct index_var *cin_var(struct context *cx, struct index_var var);

/* Returns a workspace, which a where makes; mode k has the range of extent[k]. */
const struct tensor_var *cin_workspace(struct context *cx, const char *name, enum type type,
                                       struct value fill, const struct format *format,
                                       const struct index_var *const *extent, int order);

#endif
