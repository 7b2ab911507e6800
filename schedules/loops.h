/* loops.h - what directives share: refusing, new names and variables, and putting other loops in a
 * loop's place; private to schedules.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_SCHEDULES_LOOPS_H
#define SPCC_SCHEDULES_LOOPS_H

#include "schedules/schedules.h"

/* Reports that the directive cannot be applied because of this argument, or of the whole call if it
 * has no such argument.  Gives NULL, which also serves as false. */
void *loops_refuse(struct context *cx, const struct cin_program *program,
                   const struct schedule_call *call, int argument, const char *why, ...)
    __attribute__((format(printf, 5, 6)));

/* Adds a help line to the last refusal; always false. */
bool loops_help(struct context *cx, const char *help);

/* Refuses the first argument, an expression that does not occur in the program (text is NULL: it
 * cannot be read). A help line says where its parts occur (stands.c). */
void *loops_refuse_expression(struct context *cx, const struct cin_program *program,
                              const struct schedule_call *call, const struct tin *text,
                              const char *why);

/* Are the texts equal up to blanks? */
bool loops_same_text(const char *a, const char *b);

/* Is this the variable's name?  Unless `now`, names of variables that it has replaced count as
 * well, so that names mean what they mean in the statement as it was written. */
bool loops_is_called(const struct index_var *var, const char *name, size_t length, bool now);

/* Does the text denote this expression, in the names of now or in those that were written?  A
 * literal has the type that it was given; operands are converted where they are computed with. */
bool loops_says(const struct tin *text, const struct cin *e, bool now);

/* Finds the argument, an expression, as a part of what is assigned (reduced: of what is reduced),
 * and the assignment; false after a diagnostic. */
bool loops_part(struct context *cx, const struct cin_program *program,
                const struct schedule_call *call, bool reduced, const struct cin **assign,
                const struct cin **part);

/* Are all results dense? */
bool loops_has_dense_results(const struct cin_program *program);

/* Returns the access of the list that the argument is or denotes, in names of now or as they were
 * written, or, if by_name, by its tensor's name alone; and in *found how many there are. */
const struct cin *loops_access(const struct cin_list *read, const struct schedule_argument *said,
                               bool by_name, int *found);

/* Returns the argument as a number from 1 to `most`; false if it is none. */
bool loops_number(const struct schedule_call *call, int argument, int64_t most, int64_t *number);

/* Returns the forall over the variable with this interned name, or NULL. */
const struct cin *loops_named(const struct cin_program *program, const char *name);

/* Returns the forall over the variable that this argument names; NULL after a diagnostic. */
const struct cin *loops_find(struct context *cx, const struct cin_program *program,
                             const struct schedule_call *call, int argument);

/* Is the argument a name for a new loop, or for a new workspace, that nothing has yet?  False after
 * a diagnostic. */
bool loops_check_new(struct context *cx, const struct cin_program *program,
                     const struct schedule_call *call, int argument);
bool loops_check_workspace(struct context *cx, const struct cin_program *program,
                           const struct schedule_call *call, int argument);

const struct index_var *loops_new_var(struct context *cx, const char *name, int64_t size);
/* Returns a new variable with the same range as another one. */
const struct index_var *loops_like_var(struct context *cx, const char *name,
                                       const struct index_var *like);

/* Returns the program with a loop's variable replaced by another one; and its tags alone. */
struct cin_program *loops_renamed(struct context *cx, const struct cin_program *program,
                                  const struct index_var *from, const struct index_var *to);
const struct cin_tag *loops_tags_of(struct context *cx, const struct cin_program *program,
                                    const struct index_var *from, const struct index_var *to);

/* Returns the program with one more tag, on the loop of the directive's first argument; NULL after
 * a diagnostic: the loop has a tag of that kind. */
const struct cin_program *loops_with_tag(struct context *cx, const struct cin_program *program,
                                         const struct schedule_call *call, struct cin_tag tag);

/* The operator of an assignment in the statement whose loops have to keep their order, or
 * OP_NONE. */
enum op loops_fixed(struct context *cx, const struct cin *s);

/* Defaults with positions and coordinates at least as wide as those of the format. */
struct format_defaults loops_widen(struct format_defaults defaults, const struct format *format);

/* Returns the result, if it keeps the invariants of concrete notation; NULL after a diagnostic. */
const struct cin_program *loops_checked(struct context *cx, const struct cin_program *program,
                                        const struct schedule_call *call,
                                        const struct cin_program *result);

/* Returns the program with the loop replaced by another statement, and one more relation.  NULL
 * after a diagnostic: a variable is used where it is not known. */
const struct cin_program *loops_replace(struct context *cx, const struct cin_program *program,
                                        const struct schedule_call *call, const struct cin *loop,
                                        const struct cin *by, const struct cin_relation *relation);

#endif
