/* checker.h - what the files of the checker share.
 *
 *   check_expression.c   expressions, and arrays in them
 *   check.c              statements, functions
 *   check_launch.c       launches, and what only they have
 *   check_capacity.c     writes to arrays that may be full
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_IMPERATIVE_CHECKER_H
#define SPCC_IMPERATIVE_CHECKER_H

#include "compiler/base/vec.h"
#include "compiler/imperative/imperative.h"
#include "compiler/imperative/var_map.h"

/* What the walk knows about a variable: each that it has met, also those that have left their
 * scope. */
struct known {
    const struct imp_var *var;
    bool in_scope;
    /* not to be assigned: constant, or the variable of an enclosing for */
    bool fixed;
    bool param, out;
    bool inside;         /* declared in a part, or in a launch */
    bool launched;       /* in a launch */
    bool managed, taken; /* an array: it is allocated or kept here; it is another's */
};

struct checker {
    struct context *cx;
    const struct imp_function *kernel;
    /* the one that is walked: the kernel or a helper of it */
    const struct imp_function *function;
    /* struct known, by variable and by name: no two variables share one */
    struct var_map known, named;
    VEC(struct known *) scope; /* those that are in scope */
    int loops;                 /* around here, in this part */
    bool parallel;             /* in a parallel loop */
    bool device;               /* The kernel has launches: its arrays are where they run. */
    bool launch;               /* in one */
    int branches;              /* ifs and loops around here, in this launch */
    int64_t shared;            /* bytes that it shares */
    const struct imp *alone; /* the right side of a declaration or an assignment: an event may be */
    const struct imp *fetched; /* what a fetch reads */
    const char *error;
};

/* Notes what is broken, unless something is already; returns false. */
__attribute__((format(printf, 2, 3))) bool checker_report(struct checker *c, const char *format,
                                                          ...);
/* Returns what is known of the variable; NULL: it is not in scope. */
struct known *checker_find(struct checker *c, const struct imp_var *var);

/* Are there vectors of this many lanes? */
bool checker_vector(struct checker *c, enum type type, int lanes);
/* Checks an array that is in scope, and may be written if write. */
bool checker_array(struct checker *c, const struct imp_var *var, bool write);
bool checker_expression(struct checker *c, const struct imp *imp);
bool checker_integer(struct checker *c, const struct imp *imp, const char *what);
bool checker_condition(struct checker *c, const struct imp *imp);
/* Is there the IMP_OP on vectors? */
bool checker_has_vector_form(const struct imp *imp);
/* Checks a call that stands for a value, or is done for its effect. */
bool checker_call(struct checker *c, const struct imp *imp, bool is_value);

/* ---- check.c ---- */

/* It is in scope from here on, until the scope is left. */
bool checker_declare(struct checker *c, struct known known);
/* Checks a statement with a scope of its own. */
bool checker_body(struct checker *c, const struct imp *imp);
void checker_leave_scope(struct checker *c, size_t mark);

/* ---- check_launch.c ---- */

/* May there be such a statement, or expression, here: in a launch, or in host code around one? */
bool checker_allows(struct checker *c, const struct imp *imp);
bool checker_launch(struct checker *c, const struct imp *imp);
bool checker_barrier(struct checker *c, const struct imp *imp);
/* Checks what is declared in a launch: an array has a place and a length. */
bool checker_place(struct checker *c, const struct imp_var *var);
/* Checks an event, whose args are right. */
bool checker_event(struct checker *c, const struct imp *imp);
/* Checks a call of a helper in which threads meet, which is done or has its value taken by itself.
 */
bool checker_meeting(struct checker *c, const struct imp *call);
bool checker_is_for_device(const struct imp_function *kernel);

/* ---- check_capacity.c ---- */

/* Is what is written to arrays that may be full behind a check that they are not? */
bool checker_capacity(struct checker *c, const struct imp *body);

#endif
