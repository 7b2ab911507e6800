/* combinations.h - the statements and formats that docs/conformance.md's table is about.
 *
 * An expression says for each of its tensors which formats it takes; a combination is one choice
 * for all of them. The sets are those in which a survey of another tensor compiler was made: 483
 * combinations of 26 expressions.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_CONFORMANCE_COMBINATIONS_H
#define SPCC_CONFORMANCE_COMBINATIONS_H

#include "tests/support/case.h"

enum { EXPRESSION_TENSORS = 5, COMBINATIONS = 483 };

/* Which formats a tensor takes. */
enum choice {
    CHOICE_NONE, /* there is no such tensor */
    CHOICE_DENSE,
    CHOICE_VECTOR,        /* dense, sparse */
    CHOICE_MATRIX,        /* dense, csr, csc, dcsr, coo */
    CHOICE_SPARSE_MATRIX, /* csr, csc, dcsr, coo */
    CHOICE_SPARSE_CUBE,   /* csf, dss, coo */
    CHOICE_CUBE,          /* dense, csf, dss, coo */
    CHOICE_AS,            /* that of tensor number `as` */
    CHOICE_DENSE_OR_AS,   /* dense, or that of tensor number `as` */
};

struct expression_tensor {
    const char *name, *vars; /* "A", "ij" */
    enum choice choice;
    int as;
};

struct expression {
    const char *title, *statement;
    struct expression_tensor tensor[EXPRESSION_TENSORS]; /* the result first */
};

extern const struct expression expressions[];
extern const int expressions_count;

struct combination {
    const struct expression *expression;
    int tensors;
    const char *format[EXPRESSION_TENSORS];
};

/* How many combinations an expression has, and number n of them. */
int combinations_of(const struct expression *expression);
struct combination combination_at(const struct expression *expression, int n);
/* Combination number n of all expressions. */
struct combination combination_number(int n);

/* "SpMV: y(i) = A(i,j) * x(j), y dense, A csr, x dense" */
void combination_print(const struct combination *combination, char *text, size_t size);

/* What is put into the tensors. */
enum filling {
    FILLING_SOME,     /* about a third of the components, some rows empty */
    FILLING_FEW,      /* few, in larger tensors */
    FILLING_ALL,      /* every component stored */
    FILLING_ONES,     /* dimensions of 1 */
    FILLING_NONE,     /* no entries */
    FILLING_ONE_NONE, /* one operand without entries */
    FILLING_NO_ROOM,  /* a dimension of 0 */
    FILLINGS
};

/* The combination as a case with random entries, the same at every call. */
void combination_fill(const struct combination *combination, enum filling filling,
                      struct test_case *test);

#endif
