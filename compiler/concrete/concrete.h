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

/* What a schedule promises of the size of var's range, and is held to when the kernel is entered:
 * it is size, at most size, a multiple of size. */
enum cin_bound_kind { BOUND_EXACT, BOUND_MOST, BOUND_MULTIPLE };
struct cin_bound {
    const struct index_var *var;
    enum cin_bound_kind kind;
    int64_t size;
};

/* How the forall of var is run: so many iterations at a step; in vectors; in parts, by threads;
 * with two others as a call of a library's matrix product. */
enum cin_tag_kind { TAG_UNROLL, TAG_VECTORIZE, TAG_PARALLEL, TAG_GEMM, TAG_BIN };

/* Who has a part of a parallel loop (thesis 6.6).  Those of a GPU from the outermost on: a block
 * has warps, a warp has threads. */
enum cin_unit { UNIT_CPU_THREAD, UNIT_GPU_BLOCK, UNIT_GPU_WARP, UNIT_GPU_THREAD, UNIT_KINDS };

/* What becomes of components that several parts of a parallel loop write (thesis 6.6). */
enum cin_races {
    RACES_NONE,      /* there are none */
    RACES_IGNORE,    /* they are stored like others */
    RACES_ATOMICS,   /* one thread at a time */
    RACES_TEMPORARY, /* each part has its own, and then they are combined */
    RACES_WARP,      /* the threads of a team or a block combine theirs among each other */
    RACES_KINDS
};

struct cin_tag {
    const struct index_var *var;
    enum cin_tag_kind kind;
    /* of TAG_UNROLL; of TAG_PARALLEL: so many iterations a part, 0: as many as there is work for;
     * of TAG_BIN: the most room of rows in the first bin, and in the second */
    int64_t factor, second;
    enum cin_unit unit;   /* of TAG_PARALLEL */
    enum cin_races races; /* ... */
    bool dynamic;         /* ... whose parts go to whichever thread is free */
    bool tries;           /* of TAG_VECTORIZE: that there are no vectors is a remark, no error */
    struct span span;     /* of the loop's name in the directive */
};

/* A statement with its environment: what transformations take and give. */
struct cin_program {
    const struct cin *statement;
    const struct tensor_var *result;
    /* of several results those after the first, in the order of their ranks */
    const struct tensor_var *const *other;
    int others;
    /* what the statement is a part of, whose names are taken; NULL: it is all there is */
    const struct cin *within;
    /* the result's old values count: the user's assignment reads them */
    bool accumulates;
    /* values alone are computed, into a pattern that is there */
    bool is_given;
    const struct cin_relation *relation;
    const struct cin_bound *bound;
    const struct cin_tag *tag;
    /* the loops that a directive has put in order: the planner leaves them so */
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
/* ... where `at`, whose tensor has a pattern, stores a component.  Elsewhere it has no effect, or,
 * of a result that is updated (tensor_var_is_updated), the value has to be the fill. */
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
/* How many loops are nested in it, at most. */
int cin_depth(const struct cin *cin);

/* False after a diagnostic at the span: there are more loops in one another than CIN_DEPTH_MAX. */
enum { CIN_DEPTH_MAX = 64 };
bool cin_check_depth(struct context *cx, const struct cin *statement, struct span span);

/* The same node over other args; the node itself if they are the same. */
const struct cin *cin_with_args(struct context *cx, const struct cin *cin,
                                const struct cin *const *arg);

/* ---- questions ---- */

/* Visit every node, parents first; stops with true when visit gives true. */
bool cin_any(const struct cin *cin, bool (*visit)(const struct cin *cin, void *data), void *data);
/* Is there a node of the kind, a loop over the variable, this node itself? */
bool cin_has(const struct cin *cin, enum cin_kind kind);
bool cin_has_loop(const struct cin *cin, const struct index_var *var);
bool cin_contains(const struct cin *cin, const struct cin *part);
bool cin_uses_var(const struct cin *cin, const struct index_var *var); /* in an access */
bool cin_uses_tensor(const struct cin *cin, const struct tensor_var *tensor);
/* Does it ask whether a component of the tensor is stored? */
bool cin_asks_for(const struct cin *cin, const struct tensor_var *tensor);

/* The same but for the signs of zeros: where one has an effect, so has the other. */
bool cin_alike(const struct cin *a, const struct cin *b);

/* Does the expression, as a function of one of its parts, which occurs once, distribute over the
 * operator:
 * e(a over b) = e(a) over e(b)? */
bool cin_distributes(struct context *cx, const struct cin *e, const struct cin *part, enum op over);
/* Does an operation by itself, in its type, as a function of its operand on this side? */
bool cin_op_distributes(struct context *cx, const struct cin *e, enum op_side side, enum op over);

/* Is it a - b, or -a, which a sum takes for one with a negative?  What is of truth values is not:
 * their - is no inverse of their +. */
bool cin_is_difference(const struct cin *e);

/* The distinct accesses that are read, in order of appearance (assignments' left sides are not),
 * and the distinct assignments. */
struct cin_list {
    const struct cin **at;
    size_t n, capacity;
};
bool cin_list_has(const struct cin_list *list, const struct cin *cin);
/* The operands of a chain of one operator, however it is nested: e alone, if it is no such one.
 * `type`: operations of other types are operands, too; NULL: none is for its type. */
struct cin_list cin_chain(struct context *cx, const struct cin *e, enum op op,
                          const enum type *type);
void cin_list_add(struct context *cx, struct cin_list *list, const struct cin *cin); /* once */
struct cin_list cin_operands(struct context *cx, const struct cin *cin);
struct cin_list cin_assignments(struct context *cx, const struct cin *cin);

/* ---- what is kept (keep.c) ---- */

/* The value keep(e, c) that the assignment assigns, which has an effect where c holds; NULL: it has
 * one everywhere. */
const struct cin *cin_kept(const struct cin *assign);
/* The target gets such a value, by a temporary of that name, which is written where it is kept. */
const struct cin *cin_assign_kept(struct context *cx, const char *name, const struct cin *target,
                                  const struct cin *value);
/* cin_simplify of such an assignment, whose parts are simplified already. */
const struct cin *cin_simplify_kept(struct context *cx, const struct cin *assign);

/* Does it compute with integers whose overflow C leaves undefined?  What positions and coordinates
 * are computed with stays in its range. */
bool cin_may_overflow(struct context *cx, const struct cin *statement);

/* Do the accesses read one place of the same arrays? */
bool cin_is_same_place(const struct cin *a, const struct cin *b);

/* The assignment of a statement that makes tensors and then runs one nest of loops, whatever
 * happens before; else NULL. */
const struct cin *cin_copy(const struct cin *statement);

/* ---- several results ---- */

/* The result of this number, the first being 0. */
const struct tensor_var *cin_result(const struct cin_program *program, int r);
bool cin_is_result(const struct cin_program *program, const struct tensor_var *tensor);
bool cin_assigns(const struct cin *statement, const struct tensor_var *tensor);
/* The program of what assigns the result of this number, of the parts that are in no loop together;
 * its statement is nothing if none does. */
const struct cin_program *cin_part(struct context *cx, const struct cin_program *program, int r);
/* The program with another in the place of its part. */
const struct cin_program *cin_put_part(struct context *cx, const struct cin_program *program,
                                       const struct cin_program *part,
                                       const struct cin_program *changed);

/* ---- rewriting ---- */

/* Replace every occurrence of one node by another. */
const struct cin *cin_replace(struct context *cx, const struct cin *in, const struct cin *from,
                              const struct cin *to);

/* Replace every access of the list by the fill of its tensor. */
const struct cin *cin_with_fills(struct context *cx, const struct cin *in,
                                 const struct cin_list *absent);

/* forall(var) s inside the wheres around s whose producers, loops, do not depend on the variable,
 * nor on what stays in the loop: so the loop does not repeat them. */
const struct cin *cin_forall_inside(struct context *cx, const struct index_var *var,
                                    const struct cin *s);

/* Call a variable by another name, in foralls and accesses. */
const struct cin *cin_rename(struct context *cx, const struct cin *in, const struct index_var *from,
                             const struct index_var *to);

/* Simplify: constants fold, identities go, annihilators win, an assignment of what is there already
 * is nothing, and so is what is around nothing; a producer that is nothing leaves its temporaries
 * at their fills.  This is what removes the operands that have run out of values in a region
 * (thesis 5.1). */
const struct cin *cin_simplify(struct context *cx, const struct cin *cin);

/* The same where it is not known yet which components these operands have: an annihilator wins over
 * them only if it wins over their fills as well.  0 / x is 0 for any x that is there; 0 / 0, for
 * one that is not, is no number. */
const struct cin *cin_simplify_unsure(struct context *cx, const struct cin *cin,
                                      const struct cin_list *unsure);

/* The constants that an expression is where some of the operands that are unsure are absent.  An
 * operand that appears twice may be taken for there once and once not, so there are perhaps
 * more. */
struct cin_list cin_constants(struct context *cx, const struct cin *cin,
                              const struct cin_list *unsure);

/* The consumer of temporaries that are at their fills, simplified.  Those that are made within this
 * statement may be at theirs, too, or be any number: a sum of nothing over another is 0 / 0.  In a
 * dense result that holds for all of them; what a sparse one stores does not depend on sums from
 * outside, as that of a row in A(i,j) / sum(k, A(i,k)). */
const struct cin *cin_unwritten(struct context *cx, const struct cin *consumer,
                                const struct cin *within, const struct cin_list *absent,
                                const struct cin_list *unsure);

/* Does it hold of some of the operands, where these are absent and the others are not?  Of more
 * than eight operands it is taken to. */
bool cin_any_absent(struct context *cx, const struct cin_list *operands,
                    bool (*holds)(const struct cin_list *absent, void *data), void *data);

/* Is the assignment, simplified, of a constant, or none? */
bool cin_is_decided(const struct cin *assign);

/* May the assignment have no effect where some of the operands that are unsure are absent? */
bool cin_may_be_nothing(struct context *cx, const struct cin *assign,
                        const struct cin_list *unsure);

/* One step of it: cin over other args, which are simplified already. */
const struct cin *cin_simplify_with(struct context *cx, const struct cin *cin,
                                    const struct cin *const *arg, const struct cin_list *unsure);

/* The tag of this kind that the variable's forall has; NULL: none. */
const struct cin_tag *cin_find_tag(const struct cin_program *program, const struct index_var *var,
                                   enum cin_tag_kind kind);
/* Has the loop over the variable a tag of any kind? */
bool cin_is_tagged(const struct cin_program *program, const struct index_var *var);
/* What a loop with the tag is, for messages. */
const char *cin_tag_says(const struct cin_tag *tag);
/* ... that a parallel forall has; NULL: it is no such one.  Is there one in the statement? */
const struct cin_tag *cin_parallel(const struct cin_program *program, const struct cin *statement);
bool cin_has_parallel(const struct cin_program *program, const struct cin *statement);
/* The tag, of a unit of a GPU, of the first such loop in the statement; NULL: there is none. */
const struct cin_tag *cin_gpu(const struct cin_program *program, const struct cin *statement);
static inline bool cin_unit_is_gpu(enum cin_unit unit) { return unit != UNIT_CPU_THREAD; }
/* May a loop of the unit stand in one of the outer unit? */
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

/* The variables from which the relation gives var; how many, and -1 if it does not. */
int cin_sources(const struct cin_relation *r, const struct index_var *var,
                const struct index_var *from[2]);

/* Has the relation this variable as a parent, as a child? */
bool cin_is_parent(const struct cin_relation *r, const struct index_var *var);
bool cin_is_child(const struct cin_relation *r, const struct index_var *var);
/* Does the variable follow from others in the program, or do others from it? */
bool cin_is_related(const struct cin_program *program, const struct index_var *var);
bool cin_relates(const struct cin_relation *relation, int relations, const struct index_var *var);

/* The relation by which the variable is a part of another, or a difference, the first if there are
 * several; NULL if it stands for itself. */
const struct cin_relation *cin_origin(const struct cin_program *program,
                                      const struct index_var *var);

/* May the variable be below 0, as a difference? */
bool cin_has_low(const struct cin_program *program, const struct index_var *var);

/* The relation by which the variable is divided into parts; NULL: by none. */
const struct cin_relation *cin_split(const struct cin_program *program,
                                     const struct index_var *whole);

/* What the variable is such a part of, the first if of several; NULL if of nothing. */
enum cin_which { CIN_FIRST, CIN_LAST, CIN_ANY };
const struct index_var *cin_whole(const struct cin_program *program, const struct index_var *var,
                                  enum cin_which part);

/* The relation, of those that divide what it is a part of, with which the way from such a part to
 * the whole begins; NULL: it is no such part. */
const struct cin_relation *cin_division(const struct cin_program *program,
                                        const struct index_var *part, const struct index_var *whole,
                                        enum cin_which which);

/* Is it the whole, such a part of that, or such a part of a part again?  Of NULL nothing is. */
bool cin_is_part(const struct cin_program *program, const struct index_var *part,
                 const struct index_var *whole, enum cin_which which);

/* Are the loops from number *at on that of the variable, or those of its parts in the order in
 * which it ascends?  They are passed then. */
bool cin_passes(const struct cin_program *program, const struct index_var *const *loop, int loops,
                const struct index_var *var, int *at);

/* May what the relation gives be outside its range, although that which it follows from is
 * inside? */
bool cin_exceeds(const struct cin_relation *r, const struct index_var *var);

/* How many values the relation's parents give a child of it; -1: that is not known. */
int64_t cin_child_size(const struct cin_relation *r, int child);

/* The relation by which the variable, or what it is a part of, runs over positions; NULL: none.
 * Parts come behind what they are parts of. */
const struct cin_relation *cin_positions(const struct cin_relation *relation, int relations,
                                         const struct index_var *var);
/* The one copy of these relations in this context. */
const struct cin_relation *cin_relations(struct context *cx, const struct cin_relation *relation,
                                         int n);
/* Another one of them, put behind those that the program has. */
void cin_relate(struct context *cx, struct cin_program *program, struct cin_relation r);

/* A variable that follows from the n known ones and is not among them, and the relation that gives
 * it; NULL if there is none. */
const struct index_var *cin_follows(const struct cin_relation *relation, int relations,
                                    const struct index_var *const *known, int n,
                                    const struct cin_relation **by);

/* Replace tensors whose levels store functions of their coordinates by their stored views, of as
 * many modes as they have levels, and the functions by variables that relations define: A(i,j) of
 * bcsr(4,4) by A(io,jo,ii,ji).  Relations that the program has are used again.  For the lowering,
 * after the schedule.  NULL after a diagnostic: a function has no relation. */
const struct cin_program *cin_unfold(struct context *cx, const struct cin_program *program);

/* body in loops that follow the levels of an access, from the root down: over the variables that
 * its levels store, as far as those do not follow from the ones before.  Relations that it takes
 * are added to *program. */
const struct cin *cin_follow(struct context *cx, struct cin_program *program,
                             const struct cin *access, const struct cin *body);

/* A part of an unfolded program's statement as it was before. */
const struct cin *cin_fold(struct context *cx, const struct cin_program *unfolded,
                           const struct cin *cin);

/* ---- passes ---- */

/* From checked notation (thesis 4.4), each of several statements in loops of its own: reductions
 * become compound assignments, inside where statements when they are part of a larger expression;
 * foralls for the result's variables go around. */
const struct cin_program *cin_concretize(struct context *cx, const struct tin *all);

/* A broken invariant, as text in the arena; NULL if there is none. */
const char *cin_check(struct context *cx, const struct cin_program *program);

void cin_print(struct context *cx, struct text *out, const struct cin *cin);
const char *cin_text(struct context *cx, const struct cin *cin);
void cin_print_program(struct context *cx, struct text *out, const struct cin_program *program);

/* Read back what cin_print wrote; names stand for the given tensors and variables, others are
 * refused.  cin_parse_program: what cin_print_program wrote, with the relations, bounds and tags;
 * the workspaces' formats are those of the tensors. */
struct cin_names {
    const struct tensor_var *const *tensor;
    const struct index_var *const *var;
    int tensors, vars;
};
const struct cin *cin_parse(struct context *cx, const char *text, const struct cin_names *names);
bool cin_parse_program(struct context *cx, const char *text, const struct cin_names *names,
                       struct cin_program *program);

/* ---- temporaries ---- */

/* Is it a letter or _, then letters, digits and _, n in all? */
bool cin_is_name(const char *s, size_t n);
/* Has anything in the program this name, which is interned? */
bool cin_is_used(const struct cin_program *program, const char *name);
/* A name that nothing in the program has: stem, else stem2, stem3, ... */
const char *cin_fresh_name(struct context *cx, const struct cin_program *program, const char *stem);

/* A scalar that a where makes. */
const struct tensor_var *cin_temporary(struct context *cx, const char *name, enum type type,
                                       struct value fill);

/* The one copy in this context of a tensor, of a variable, that the compiler has made. */
const struct tensor_var *cin_made(struct context *cx, struct tensor_var tensor);
const struct index_var *cin_var(struct context *cx, struct index_var var);

/* A tensor that a where makes; mode k has the range of extent[k]. */
const struct tensor_var *cin_workspace(struct context *cx, const char *name, enum type type,
                                       struct value fill, const struct format *format,
                                       const struct index_var *const *extent, int order);

#endif
