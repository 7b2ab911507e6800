/* monomial.h - costs as sums of monomials in sizes that nobody knows.
 *
 *     i * B.2 + j          for every i the children of a node in B's second level, and once for
 *                          every j
 *
 * A symbol is a dimension, or how many children a level has below a parent on average; where the
 * levels above have all coordinates of a grid, below one of its largest dimension, so that most of
 * the grid may be empty.  What always holds orders them: a dimension is at least 1, and so are
 * children, and at most as many as there are coordinates for them.  A cost that is at most another
 * by this, and not the other way round, is less however large tensors get (Ahrens, Kjolstad and
 * Amarasinghe, PLDI 2022, order schedules so, with symbols for patterns as well).  Numbers decide
 * between costs that are of one order, or of none, and where all numbers are known.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_PLAN_MONOMIAL_H
#define SPCC_PLAN_MONOMIAL_H

#include <stdbool.h>

#include "compiler/base/context.h"
#include "compiler/base/text.h"

struct index_var;

/* Symbols that are more than that are their numbers; the least of terms that are more are added
 * to the largest. */
enum { SYMBOLS_MAX = 24, TERMS_MAX = 48 };

struct cost_term {
    double value; /* with numbers for the symbols */
    signed char power[SYMBOLS_MAX];
};

struct cost_symbol {
    const void *of; /* a variable, or a tensor and its level */
    int level;      /* -1: of a dimension */
    const char *name;
    double value;          /* real, or a guess */
    bool known;            /* real */
    struct cost_term most; /* of a level: in symbols before it */
};

/* Two variables that stand for one dimension. */
struct cost_pair {
    const struct index_var *var, *other;
};

struct cost_symbols {
    struct context *cx;
    const struct cost_pair *pair; /* no var of one is the other of one before it */
    int pairs;
    struct cost_symbol at[SYMBOLS_MAX];
    int n;
    /* of costs on the way to one that is kept: again and again the same */
    struct cost_term *scratch;
    int room, used;
    struct cost_memo *memo; /* cost.c */
};

struct cost {
    const struct cost_term *term; /* no two of the same powers */
    int terms;
    int leading;     /* of a cost that is kept: how many first terms no other is above */
    bool impossible; /* it cannot be done at all */
};

/* Returns the number of the symbol of a variable, or of a tensor's level; -1: it has none yet. */
int cost_find_symbol(const struct cost_symbols *symbols, const void *of, int level);
/* Returns the number of a new symbol; -1: there are too many. */
int cost_new_symbol(struct cost_symbols *symbols, struct cost_symbol symbol);

struct cost cost_constant(struct cost_symbols *symbols, double constant);
/* Returns the symbol's value, or, of -1, the value as it is. */
struct cost cost_of_symbol(struct cost_symbols *symbols, int symbol, double value);
struct cost cost_add(struct cost_symbols *symbols, struct cost a, struct cost b);
struct cost cost_multiply(struct cost_symbols *symbols, struct cost a, struct cost b);
struct cost cost_scale(struct cost_symbols *symbols, struct cost a, double by);
/* Returns a monomial that stays when the scratch is used again, and that can be compared. */
struct cost cost_keep(const struct cost_symbols *symbols, struct cost a);
/* Divides by a cost of one term. */
struct cost cost_divide(struct cost_symbols *symbols, struct cost a, struct cost by);

/* Is there no symbol in it? */
bool cost_is_constant(struct cost a);

/* Is there a real number for everything in it? */
bool cost_is_known(const struct cost_symbols *symbols, struct cost a);

/* Returns the cost's value, with numbers for the symbols. */
double cost_value(struct cost a);

/* Returns the smaller one of two bounds. */
struct cost cost_least(struct cost a, struct cost b);

/* Is a less than b by the order of their symbols alone?  Both are kept. */
bool cost_is_below(const struct cost_symbols *symbols, struct cost a, struct cost b);

/* Prints the symbols whose numbers are known, as "  with i = 100, B.2 = 3.5", and a line break;
 * prints nothing where none is known. */
void cost_print_known(const struct cost_symbols *symbols, struct text *out);

/* Prints the terms that no other is above, without constants, as "  O(i*B.2 + j)". */
void cost_print(const struct cost_symbols *symbols, struct text *out, struct cost a);

#endif
