/* notation.h - tensor index notation: what the user writes.
 *
 * An immutable tree in the context's arena; every node knows the text it came from.  Two forms:
 *
 *   parsed    names only: tensors and index variables have no declarations yet, sums may be
 *             implicit
 *   checked   every tensor_var is complete, every node typed, and every reduction explicit (thesis
 *             4.2; docs/language.md): the Einstein rule has been applied
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_NOTATION_NOTATION_H
#define SPCC_NOTATION_NOTATION_H

#include "compiler/base/context.h"
#include "compiler/format/tensor_var.h"
#include "compiler/value/op.h"

struct text;

enum tin_kind {
    TIN_LITERAL, /* value                                  1.5                    */
    TIN_ACCESS,  /* tensor, index[indices]                 A(i,j)   alpha         */
    TIN_OP,      /* op, arg[args]                          a + b    min(a, b)     */
    TIN_REDUCE,  /* op, index[indices], arg[0]             sum(j, a)              */
                 /*   its type, once checked, is its accumulator's: to which the body is
                       *   converted */
    TIN_ASSIGN,  /* op or OP_NONE, arg[0] access, arg[1]   y(i) += a              */
    TIN_MULTI,   /* arg[args], two or more assignments     y(i) = a; z(i) = b     */
};

/* Limits that keep hostile input from exhausting the stack or the day; beyond them is a
 * diagnostic. */
enum {
    TIN_HEIGHT_MAX = 1000,
    TIN_TEXT_MAX = 65536,
    TIN_TENSORS_MAX = 1000,
    TIN_INDICES_MAX = 256,
    TIN_LITERALS_MAX = 64,
    TIN_RESULTS_MAX = 8,      /* of statements that are compiled together */
    TIN_ALTERNATIVES_MAX = 64 /* formats that are tried, of tensors that are stored several times */
};

struct tin {
    enum tin_kind kind;
    struct span span; /* of the whole node */
    /* longest path to a leaf; the parser keeps it <= TIN_HEIGHT_MAX */
    int height;
    enum type type; /* of its value; meaningful once checked */
    enum op op;
    const char *name; /* of op, if the user defines it; else NULL */
    /* parsed: i64 (u64 beyond it), f64, c128 or bool, as written; checked: of this node's type */
    struct value value;
    const struct tensor_var *tensor; /* parsed: name and order only */
    int indices, args;
    const struct index_var *const *index;
    /* of each index, in an ACCESS or REDUCE that is written; NULL: a sum by the Einstein rule */
    const struct span *index_span;
    const struct tin *const *arg;
};

/* Parses a statement, or several with ';' between them.  The parser recovers and goes on, so
 * several mistakes are reported at once.  NULL after a diagnostic.  text must outlive the context's
 * diagnostics. */
const struct tin *tin_parse(struct context *cx, const char *text);

/* With the sums that stored(A), without indices, stands for: of parsed notation, before it is
 * checked.  NULL after a diagnostic. */
struct tin_declarations;
const struct tin *tin_count(struct context *cx, const struct tin *all,
                            const struct tin_declarations *declared);

/* Parses an expression, which stands there in a larger text, or is a text of its own if there is
 * no source.  NULL after a diagnostic. */
const struct tin *tin_parse_expression(struct context *cx, const char *text, struct span at);

/* Returns what tin_parse calls the variable of a number in the place of an index, unless something
 * else is called so. */
const char *tin_index_literal_name(struct context *cx, const char *tensor, int mode, int64_t value);

/* What the user says about a tensor; NULL members mean the default (dense, f64, 0). */
struct tin_declaration {
    const char *name, *format, *type, *fill;
};
struct tin_size {
    const char *var;
    int64_t size;
};

/* How large a tensor is, about: for plans, and no promise. */
struct tin_expected {
    const char *name;
    int part;                 /* counted from 1, of a tensor in parts; 0: it itself */
    int64_t stored;           /* components, that is positions of the last level; -1: not known */
    int modes, levels;        /* of these: */
    const int64_t *dimension; /* of each mode, 0: not known; NULL: of none */
    const int64_t *positions; /* of each level, -1: not known; NULL: of none */
    const int64_t *longest;   /* ... those below one of the level above, at most */
};

struct tin_declarations {
    const struct tin_declaration *tensor;
    int tensors;
    const struct tin_size *size;
    int sizes;
    const struct tin_expected *expected; /* what is said first of one counts */
    int n_expected;
    /* promises: the tensors named in each, "X,W", have one pattern (check_same.c) */
    const char *const *same;
    int n_same;
    bool infers; /* results that no statement reads take the types of their values */
    struct format_defaults defaults;
};

/* Resolves names, formats, fills and sizes, checks orders and types, and makes implicit sums
 * explicit.  The results of several statements have the first ranks.  NULL after diagnostics. */
const struct tin *tin_check(struct context *cx, const struct tin *all,
                            const struct tin_declarations *declared);

/* Returns the assignments, one unless there are several. */
int tin_statements(const struct tin *tin);
const struct tin *tin_statement(const struct tin *tin, int s);

/* Of checked notation: its operands in parts as these (parts.c).  In how many ways, since one is
 * read of a tensor that is stored several times; and in one of them, counted from 0. */
struct tin_parted {
    const char *said; /* a line for each of these operands */
    /* an operator for which the parts of this one are merged, or NULL */
    const struct tin *merging;
    const struct tensor_var *merged;
};
int tin_alternatives(struct context *cx, const struct tin *all);
const struct tin *tin_part(struct context *cx, const struct tin *all,
                           const struct tin_declarations *declared, int alternative,
                           struct tin_parted *parted);
/* Reports that nothing says how they are merged. */
void tin_refuse_merging(struct context *cx, const struct tin_parted *parted);

/* Of checked notation: compound assignments by operators that do not reduce become plain ones, and
 * where a result is assembled what it held before becomes an operand, whose tensor is ranked
 * `rank`, or behind that of another; other statements stay as they are.  Unless it keeps them,
 * plain ones that add to what a dense result held become compound ones. */
const struct tin *tin_accumulate(struct context *cx, const struct tin *all, int rank, bool keeps);

/* Of checked notation: the sums and products of each statement in their normal form (normal.c). */
const struct tin *tin_normal(struct context *cx, const struct tin *all);

/* Is it the negative of a number of this type?  (signs.c) */
bool tin_is_negative(const struct tin *e, enum type type);
/* Returns the expression, in normal form, with negative terms subtracted.  (signs.c) */
const struct tin *tin_subtract(struct context *cx, const struct tin *e);

/* Does what a result held before take part: by a compound assignment, or as an operand? */
bool tin_reads_result(const struct tin *statement);
/* ... as an operand, once that is made of it? */
bool tin_reads_before(const struct tin *tin);
/* Is the value of an assignment keep(e, c)? */
bool tin_is_kept(const struct tin *value);

/* Of checked notation: a sentence about an implicit sum around a function, where it may have been
 * meant inside; NULL if there is none. */
const char *tin_doubt(struct context *cx, const struct tin *checked);

/* As text that parses back to an equal tree. */
void tin_print(struct text *out, const struct tin *tin);
bool tin_equal(const struct tin *a, const struct tin *b); /* but for spans */
/* Does it read the tensor of this name, which is interned? */
bool tin_reads(const struct tin *tin, const char *tensor);
/* Has a tensor or an index variable in it this name, which is interned? */
bool tin_uses_name(const struct tin *tin, const char *name);
/* Does a component in the expression have this index variable, which no reduction there binds? */
bool tin_uses_var(const struct tin *e, const struct index_var *var);
/* Returns the expression with another variable in its place. */
const struct tin *tin_with_var(struct context *cx, const struct tin *e, const struct index_var *var,
                               const struct index_var *to);

/* ---- absent.c: where nothing is stored ---- */

/* Is it a component of a tensor that is not dense? */
bool tin_is_sparse(const struct tin *e);
/* Does it ask whether something is stored? */
bool tin_asks(const struct tin *e);
/* Does that hold for the expression, or for a part of it? */
bool tin_somewhere(const struct tin *e, bool (*holds)(const struct tin *e));
/* Returns the value where all sparse components that the expression reads are stored, or where none
 * is; false: it depends on the values of those, or on others. */
bool tin_value_where(struct context *cx, const struct tin *e, bool stored, struct value *value);

/* Constructors, for the passes and tests. */
const struct tin *tin_literal(struct context *cx, struct span span, struct value value);
const struct tin *tin_access(struct context *cx, struct span span, const struct tensor_var *tensor,
                             const struct index_var *const *index, int indices);
const struct tin *tin_op(struct context *cx, struct span span, enum op op,
                         const struct tin *const *arg, int args);
const struct tin *tin_reduce(struct context *cx, struct span span, enum op op,
                             const struct index_var *const *index, int indices,
                             const struct tin *body);
const struct tin *tin_assign(struct context *cx, struct span span, enum op op,
                             const struct tin *access, const struct tin *value);
/* Returns an operator or reduction with other operands; the type that a reduction adds up in stays.
 */
const struct tin *tin_with_args(struct context *cx, const struct tin *e,
                                const struct tin *const *arg);
/* One statement is itself. */
const struct tin *tin_multi(struct context *cx, const struct tin *const *statement, int n);

#endif
