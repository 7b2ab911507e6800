/* parts.h - shared by the files that turn a statement with operands in parts into one of the parts;
 * private to them.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_NOTATION_PARTS_H
#define SPCC_NOTATION_PARTS_H

#include "compiler/notation/notation.h"

enum { ABSENT_MOST = 5 };

struct parting {
    struct context *cx;
    const struct tin *all;
    const struct tin_declarations *declared;
    const struct tensor_var *result, *whole; /* whole: the tensor at hand */
    const struct tensor_var **part;
    int parts;
    const struct tensor_var *absent[ABSENT_MOST]; /* other tensors, which store nothing */
    int absents;
    const struct tin *merging; /* the first operator without a law; NULL: there is none */
};

/* Does the expression read the tensor at hand? */
bool parts_reads(const struct parting *p, const struct tin *e);
/* Does the expression ask whether the tensor at hand stores something? */
bool parts_ask(const struct parting *p, const struct tin *e);
/* Finds the value of the expression where the tensor, and the absent ones, store nothing, if it is
 * a constant. */
bool parts_constant(const struct parting *p, const struct tin *e, struct value *value);
/* Is the expression 0 where the tensor stores nothing, whatever other tensors store?  Their stored
 * values are absorbed, but their fills count: 0 * inf and 0 / 0 are not 0. */
bool parts_are_zero_beside(const struct parting *p, const struct tin *e);
/* Is the expression, of one component of the tensor, 0 where a part stores nothing, so that at most
 * one part makes it another value? */
bool parts_are_disjoint(const struct parting *p, const struct tin *e);

#endif
