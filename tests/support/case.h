/* case.h - one test case: a statement, its tensors and what they hold.
 *
 * A plain structure without pointers, so that shrinking can copy and change it freely.  As text it
 * is a .case file:
 *
 *     statement y(i) = A(i,j) * x(j)
 *     index 32
 *     shuffle 7
 *     size i 4
 *     op square(x) = x * x
 *     tensor y f64 fill 0 format d dimensions 4
 *     tensor A f64 fill 0 format ds dimensions 4 3
 *       0 2 : 1.5
 *
 * The first tensor is the result; what it holds matters to compound assignments only.  A line under
 * a tensor is an entry; a component of a dense tensor that has none is its fill.  Operators are
 * those of tests/oracle/defined.h.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_SUPPORT_CASE_H
#define SPCC_SUPPORT_CASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "compiler/notation/notation.h"

struct text;

enum {
    CASE_TENSORS = 6,
    CASE_PARTS = 4, /* of a tensor in parts */
    CASE_RANKS = CASE_TENSORS * CASE_PARTS,
    CASE_ORDER = 4,
    CASE_VARS = 8,
    CASE_NODES = 160,
    CASE_ENTRIES = 400,
    CASE_SIZE = 66000, /* of a mode */
    CASE_STATEMENT = 1024,
    CASE_FORMAT = 512,
    CASE_OPERATORS = 6
};

/* A node of the right side. */
struct case_node {
    enum tin_kind kind; /* LITERAL, ACCESS, OP or REDUCE */
    enum op op;
    int tensor;
    int vars, var[CASE_ORDER];
    char literal[32];
    int args, arg[3];
};

struct case_level {
    int mode;
    char letter; /* d, s, q, h, c, b; m: bytemap */
    bool unique, ordered;
    enum type pos, crd; /* TYPE_COUNT: the default */
};

struct case_entry {
    int32_t coordinate[CASE_ORDER];
    struct value value;
};

struct case_tensor {
    char name[8];
    int order;
    enum type type;
    struct value fill;
    int64_t dimension[CASE_ORDER];
    struct case_level level[CASE_ORDER]; /* one a mode */
    /* spell the format in full though letters would do */
    bool in_full;
    /* a format that levels cannot say, instead of them; or "" */
    char named[CASE_FORMAT];
    char format[CASE_FORMAT]; /* as text */
    int entries;
    struct case_entry entry[CASE_ENTRIES]; /* no coordinates twice */
};

struct test_case {
    uint64_t seed;
    int vars; /* named i, j, k, ... */
    int64_t extent[CASE_VARS];
    bool declared[CASE_VARS]; /* its size is said at compile time */
    /* of the user's, in the order in which they are defined */
    int operators;
    /* as tests/oracle/defined.h numbers them, as elsewhere in a case */
    enum op operator[CASE_OPERATORS];
    enum op assign; /* or OP_NONE */
    int result_var[CASE_ORDER];
    int nodes, root;
    struct case_node node[CASE_NODES];
    int tensors;
    struct case_tensor tensor[CASE_TENSORS];
    /* two operands that are promised to have one pattern, as long as they do; 0: none */
    int same[2];
    int index_bits;
    /* how the siblings of unordered levels are shuffled */
    uint64_t shuffle;
    /* draws the machine that it is compiled for, and how; 0: the number above does */
    uint64_t machine;
    char statement[CASE_STATEMENT]; /* as text */
    /* of a case file: one that is not refused, and gives the same; or "" */
    char schedule[CASE_STATEMENT];
};

/* A literal in the place of a variable's number. */
static inline int case_literal(int value) { return -1 - value; }
static inline bool case_is_literal(int var) { return var < 0; }
static inline int case_literal_value(int var) { return -1 - var; }

enum case_kind {
    CASE_ANY, /* one in sixteen is a narrow one */
    /* The result has positions and coordinates of 8 bits, or now and then of 16, and about as many
     * components as these count: one less, as many, one more, or some. */
    CASE_NARROW,
    /* A product of 6 to 10 factors, some of which are sums or calls, beside other terms now and
     * then. */
    CASE_PRODUCT,
    CASE_IN_PARTS /* most operands are in parts */
};
/* A random case; the same for the same seed on every machine. */
void case_random(struct test_case *test, uint64_t seed, enum case_kind kind);

/* ---- in_parts.c ---- */

struct arena;
/* So many percent of the operands that may be in parts are. */
struct rng;
void case_draw_parts(struct rng *rng, struct test_case *test, int percent);
/* Returns the entries of one of the parts of the tensor, drawn by the number. */
const struct case_tensor *case_part(struct arena *arena, const struct case_tensor *whole, int parts,
                                    int part, uint64_t shuffle);
/* Format number n of tensors of the order in parts, or NULL. */
const char *case_parts_format(int order, int n);

/* ---- same.c ---- */

/* Now and then two operands have the same format and the same components. */
void case_draw_same(struct rng *rng, struct test_case *test);
/* Have they one pattern, which is promised? */
bool case_has_same(const struct test_case *test);
struct value case_random_value(struct rng *rng, enum type type);

/* Returns the number of the variable of this name. */
int case_var(const char *name);

/* Format number n of those for tensors of an order that are more than letters, or NULL: the names,
 * other storage orders, formats that store functions of the coordinates. */
const char *case_named_format(int order, int n);

/* May a result have the format?  Ragged levels are counted, below full ones alone, and strided ones
 * are not made at all; such formats come last. */
bool case_can_be_assembled(const char *format);

/* Writes the statement and the formats as text, from the nodes and levels.  false: it is too long.
 */
bool case_spell(struct test_case *test);

/* Variables that index the same mode of a tensor have the same size: same[v] is one variable for
 * all those of a class. */
void case_size_classes(const struct test_case *test, int *same);

/* Sets the tensors' dimensions from the variables' sizes. */
void case_set_dimensions(struct test_case *test);

/* Is this the parse of the statement that the nodes stand for? */
bool case_is_parse(const struct test_case *test, const struct tin *statement);

/* As a .case file. */
void case_print(struct text *out, const struct test_case *test);
/* From one: without nodes and levels.  NULL, or what is wrong. */
const char *case_read(struct test_case *test, const char *text);

/* The command that emits the case's kernel. */
void case_command(struct text *out, const struct test_case *test);

/* Returns what the compiler is told; points into the case and the arena. */
struct tin_declarations case_declarations(struct arena *arena, const struct test_case *test);

/* Its operators as text, in the arena. */
const char *const *case_operators(struct arena *arena, const struct test_case *test);

/* Make a failing case smaller for as long as fails() says that it still fails; at most so many
 * tries. */
typedef bool case_fails(const struct test_case *test, void *data);
void case_shrink(struct test_case *test, case_fails *fails, void *data, int tries);

#endif
