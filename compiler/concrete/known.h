/* known.h - the index variables whose coordinates are known at a place in a statement.
 *
 * Those that loops bind, outermost first, and after each what follows from it, and from those
 * before, by the program's relations (thesis 3.2).
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_CONCRETE_KNOWN_H
#define SPCC_CONCRETE_KNOWN_H

#include "compiler/concrete/concrete.h"

/* A value: what is known inside a loop is another one, whose arrays are there once.  The first n of
 * one are one, too. */
struct known {
    const struct index_var *const *var;
    /* of each variable: what it follows by; NULL: it is a loop's */
    const struct cin_relation *const *by;
    int n;
    const struct cin_relation *relation; /* the program's */
    int relations;
};

/* Outside all loops: what literals give. */
struct known known_none(struct context *cx, const struct cin_program *program);
bool known_has(const struct known *known, const struct index_var *var);
/* Are all variables known that index the access? */
bool known_has_access(const struct known *known, const struct cin *access);
/* With var, and what follows from it; NULL: with what follows from nothing. */
struct known known_with(struct context *cx, const struct known *known, const struct index_var *var);

/* The way from a variable to that of a loop which goes through its values in blocks, or inside a
 * block: at each step what is left of a block that is known, or which block it is. */
struct known_step {
    const struct cin_relation *by;
    bool divides;
};
struct known_path {
    const struct known_step *step;
    int steps;
};
/* false: there is none. */
bool known_path(struct context *cx, const struct known *outside, const struct index_var *var,
                const struct index_var *loop, struct known_path *path);
/* Returns where the step leads to. */
const struct index_var *known_part(const struct known_step *step);

#endif
