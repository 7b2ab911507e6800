/* known.h - the index variables whose coordinates are known at a place in a statement.
 *
 * Those that loops bind, outermost first, and after each what follows from it, and from those before, by the program's
 * relations (thesis 3.2).
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_CONCRETE_KNOWN_H
#define SPCC_CONCRETE_KNOWN_H

#include "compiler/concrete/concrete.h"

/* A value: what is known inside a loop is another one.  The first n of one are one, too. */
struct known {
    const struct index_var *const *var;
    const struct cin_relation *const *by; /* of each variable: what it follows by; NULL: it is a loop's */
    int n;
    const struct cin_relation *relation; /* the program's */
    int relations;
};

/* Outside all loops: what literals give. */
struct known known_none(struct context *cx, const struct cin_program *program);
bool known_has(const struct known *known, const struct index_var *var);
/* With var, and what follows from it. */
struct known known_with(struct context *cx, const struct known *known, const struct index_var *var);
/* With the variables that index the access. */
struct known known_with_access(struct context *cx, const struct known *known, const struct cin *access);

#endif
