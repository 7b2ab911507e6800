/* loops.h - what directives share: refusing, new names and variables, and putting other loops in a
 * loop's place; private to schedules.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_SCHEDULES_LOOPS_H
#define SPCC_SCHEDULES_LOOPS_H

#include "schedules/schedules.h"

/* Report that the directive cannot be applied because of this argument (one that it does not have:
 * of all of it): NULL, which also is false. */
void *loops_refuse(struct context *cx, const struct cin_program *program,
                   const struct schedule_call *call, int argument, const char *why, ...)
    __attribute__((format(printf, 5, 6)));

/* A help line for the refusal that was reported last; always false. */
bool loops_help(struct context *cx, const char *help);

/* Refuse the first argument, an expression that is nowhere in the program; NULL: it is no
 * text.  A help line says where its parts stand (stands.c). */
void *loops_refuse_expression(struct context *cx, const struct cin_program *program,
                              const struct schedule_call *call, const struct tin *text,
                              const char *why);

/* Are the texts the same, but for blanks? */
bool loops_same_text(const char *a, const char *b);

/* Is this the variable's name or, unless `now`, that of a variable in whose place it runs?  So
 * names mean what they mean in the statement as it was written. */
bool loops_is_called(const struct index_var *var, const char *name, size_t length, bool now);

/* Does the text say this expression, in the names of now or in those that were written?  A literal
 * is of the type that it was given, and an operand is converted to where it is computed. */
bool loops_says(const struct tin *text, const struct cin *e, bool now);

/* The argument, an expression, as a part of what is assigned, or of what is reduced, and the
 * assignment; false after a diagnostic. */
bool loops_part(struct context *cx, const struct cin_program *program,
                const struct schedule_call *call, bool reduced, const struct cin **assign,
                const struct cin **part);

/* Are all results dense? */
bool loops_has_dense_results(const struct cin_program *program);

/* The access among these that the argument is or says, in the names that there are now or else in
 * those that were written, and how many it says.  By its tensor's name alone, too, if that is
 * enough. */
const struct cin *loops_access(const struct cin_list *read, const struct schedule_argument *said,
                               bool by_name, int *found);

/* The number that the argument is or says; false if it says none from 1 to the most. */
bool loops_number(const struct schedule_call *call, int argument, int64_t most, int64_t *number);

/* The forall over the variable of this name, which is interned; NULL if there is none. */
const struct cin *loops_named(const struct cin_program *program, const char *name);

/* The forall over the variable that this argument names; NULL after a diagnostic. */
const struct cin *loops_find(struct context *cx, const struct cin_program *program,
                             const struct schedule_call *call, int argument);

/* Is this argument a name for a loop, for a workspace, that nothing has yet?  false after a
 * diagnostic. */
bool loops_check_new(struct context *cx, const struct cin_program *program,
                     const struct schedule_call *call, int argument);
bool loops_check_workspace(struct context *cx, const struct cin_program *program,
                           const struct schedule_call *call, int argument);

const struct index_var *loops_new_var(struct context *cx, const char *name, int64_t size);
/* One that runs through the same range as another. */
const struct index_var *loops_like_var(struct context *cx, const char *name,
                                       const struct index_var *like);

/* The program with one variable for another: the same loop under another name.  The tags alone. */
struct cin_program *loops_renamed(struct context *cx, const struct cin_program *program,
                                  const struct index_var *from, const struct index_var *to);
const struct cin_tag *loops_tags_of(struct context *cx, const struct cin_program *program,
                                    const struct index_var *from, const struct index_var *to);

/* The program with one tag more, of the directive's first argument; NULL after a diagnostic: its
 * loop has one of the kind. */
const struct cin_program *loops_with_tag(struct context *cx, const struct cin_program *program,
                                         const struct schedule_call *call, struct cin_tag tag);

/* The operator of an assignment in the statement whose loops have to keep their order; OP_NONE
 * if there is none. */
enum op loops_fixed(struct context *cx, const struct cin *s);

/* Positions and coordinates as wide as those of the format, if these are wider. */
struct format_defaults loops_widen(struct format_defaults defaults, const struct format *format);

/* The result if it keeps concrete notation's invariants; else NULL, after a diagnostic. */
const struct cin_program *loops_checked(struct context *cx, const struct cin_program *program,
                                        const struct schedule_call *call,
                                        const struct cin_program *result);

/* The program with this statement for the loop, and one relation more; NULL after a diagnostic, if
 * a variable is not known where it is used then. */
const struct cin_program *loops_replace(struct context *cx, const struct cin_program *program,
                                        const struct schedule_call *call, const struct cin *loop,
                                        const struct cin *by, const struct cin_relation *relation);

#endif
