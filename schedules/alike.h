/* alike.h - expressions that are the same but for the names of their loops' variables.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_SCHEDULES_ALIKE_H
#define SPCC_SCHEDULES_ALIKE_H

#include "compiler/base/vec.h"
#include "schedules/loops.h"

struct alike {
    struct context *cx;
    const struct cin *loops[2]; /* nests of foralls: their variables may stand for each other */
    /* a variable of the one, and that of the other for which it stands */
    VEC(const struct index_var *) var[2];
    int compared;
    /* Is what has been found to stand for each other good for anything?  NULL: it is. */
    bool (*accept)(struct alike *alike, void *data);
    void *data;
};

/* Are the expressions the same, as far as variables may stand for others, besides those that do
 * already?  Then more of them may do so. */
bool alike(struct alike *alike, const struct cin *one, const struct cin *other);

/* Returns the assignment in a nest of loops; NULL: there is something else in it. */
const struct cin *alike_assignment(const struct cin *nest);
/* Returns how many loops there are in the nest; -1: a directive has changed one of them. */
int alike_loops(const struct cin_program *program, const struct cin *nest);

#endif
