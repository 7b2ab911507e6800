/* support.h - what the tests of concrete notation, lattices and schedules share: programs from a
 * line of text.
 *
 *     A:dcsr; x:s/f32/inf; i=10      A's format; x's format, type and fill; the size of i
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_TESTS_CONCRETE_SUPPORT_H
#define SPCC_TESTS_CONCRETE_SUPPORT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "compiler/concrete/concrete.h"
#include "compiler/tree/tree.h"

/* A fixture: *state is a context that knows every level type. */
int lab_setup(void **state);
int lab_teardown(void **state);

/* The fixture's context; whatever unwinds fails the test. */
#define LAB(cx)                  \
    struct context *cx = *state; \
    if (!context_protect(cx))    \
    fail_msg("unwound: %s", cx->bug ? cx->bug : "no memory")

#define LAB_TEST(f) cmocka_unit_test_setup_teardown(f, lab_setup, lab_teardown)

/* The statement, checked; NULL: it is refused. */
const struct tin *lab_check(struct context *cx, const char *statement, const char *declarations);
/* The test fails if it is refused. */
const struct tin *lab_notation(struct context *cx, const char *statement, const char *declarations);

/* ... and concretized; also the invariants are checked. */
const struct cin_program *lab_program(struct context *cx, const char *statement,
                                      const char *declarations);

/* The program after a schedule; the test fails if it is refused. */
const struct cin_program *lab_apply(struct context *cx, const struct cin_program *program,
                                    const char *schedule);

/* The plan; the test fails if it does not read back to the planned program. */
const char *lab_plan(struct context *cx, const struct cin_program *program);
void lab_check_reads_back(struct context *cx, const struct cin_program *program,
                          const char *schedule, const struct cin_program *made);

/* Every tensor and variable of a statement: what cin_parse may meet. */
struct cin_names lab_names(struct context *cx, const struct cin *statement);
/* ... and of the variables that its accesses and relations name, too. */
struct cin_names lab_program_names(struct context *cx, const struct cin_program *program);
const struct index_var *lab_var(struct context *cx, const struct cin *statement, const char *name);
const struct tensor_var *lab_tensor(struct context *cx, const struct cin *statement,
                                    const char *name);

/* Concrete notation over those names; the test fails if it is refused. */
const struct cin *lab_parse(struct context *cx, const char *text, const struct cin_names *names);

const char *lab_text(struct context *cx, const struct cin *cin);

/* The lattice of the forall of the variable called var, inside those around it. */
const struct lattice *lab_lattice(struct context *cx, const struct cin *statement, const char *var);

/* ... of a program that may have relations. */
const struct lattice *lab_related_lattice(struct context *cx, const struct cin_program *program,
                                          const char *var);

/* splitmix64 (Steele, Lea, Flood 2014), below n. */
uint64_t lab_random(uint64_t *seed, uint64_t n);

#endif
