/* least.h - what has to be there for a statement to have an effect.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_LATTICE_LEAST_H
#define SPCC_LATTICE_LEAST_H

#include "compiler/base/bits.h"
#include "compiler/concrete/concrete.h"

struct least {
    const struct cin *background; /* the statement where none of the operands is there */
    struct {
        struct bits *at;
        size_t n, capacity;
    } set;       /* smallest first */
    bool coarse; /* there are too many: each operand alone counts as a set */
};

/* Returns the least sets of operands with which the body is not what it is where none of them is
 * there; of operand number n all accesses in operand[n] are there, or none; of those that are
 * unsure components may be absent. */
struct least least_sets(struct context *cx, const struct cin *body, const struct cin_list *operand,
                        int operands, const struct cin_list *unsure);

#endif
