/* context.h - what one compilation owns: its memory, its names, its diagnostics, its way out.
 *
 * Every pass takes a context.  User errors become diagnostics (diag.h) and a NULL result; running
 * out of memory and broken invariants unwind with one longjmp to the frame that opened the context,
 * so that constructors never fail and there are no error ladders.
 *
 *     struct context *cx = context_new();        // NULL: no memory
 *     if (context_protect(cx)) {                 // setjmp: runs the body, comes back on failure
 *         ... passes ...
 *     } else { cx->failure says why }
 *     context_free(cx);
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_BASE_CONTEXT_H
#define SPCC_BASE_CONTEXT_H

#include <setjmp.h>
#include <stdbool.h>
#include <stddef.h>

#include "compiler/base/arena.h"
#include "compiler/base/diag.h"
#include "compiler/base/table.h"

enum context_failure {
    CONTEXT_OK,
    CONTEXT_NO_MEMORY,
    CONTEXT_SPENT,   /* what the arena was allowed (arena.h) */
    CONTEXT_STOPPED, /* whoever the arena is watched for */
    CONTEXT_BUG,     /* a broken invariant: cx->bug says which */
};

struct level_type;
struct target;

struct context {
    struct arena *arena;
    struct diag_list diags;
    enum context_failure failure;
    const char *bug;
    jmp_buf out;
    /* The level types that formats may name, NULL-terminated; set by the registry
     * (compiler/registry.c). */
    const struct level_type *const *levels;
    /* What there is once: names; concrete notation, and what is known in it, the relations of
     * programs, tensors as their levels see them (compiler/concrete); the nodes of trees of loops
     * (compiler/tree); what the planner knows of programs (schedules). */
    struct table names, concrete, known, relations, views, tensors, vars, simple, trees, plans;
    /* The operators that the user has defined (compiler/value/operator.h); NULL: none. */
    const struct op_table *operators;
    /* The machine that code is made for (compiler/target.h); NULL: any. */
    const struct target *target;
    /* Code for a GPU is made: loops may have a GPU's units, and none a CPU's. */
    bool cuda;
    /* A library does matrix products, where the planner asks it. */
    bool blas;
};

struct context *context_new(void);
void context_free(struct context *cx);

/* True when entered, false when something unwound to here. */
#define context_protect(cx) (setjmp((cx)->out) == 0)

/* Unwind. */
_Noreturn void context_fail(struct context *cx, enum context_failure failure);
_Noreturn void context_bug(struct context *cx, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* An internal invariant: unwinds as a bug if it does not hold. */
#define context_assert(cx, condition) \
    ((condition) ? (void)0 : context_bug((cx), "%s:%d: %s", __FILE__, __LINE__, #condition))

/* Returns the one copy of this text in this context: equal names are equal pointers. */
const char *intern(struct context *cx, const char *s);
const char *internn(struct context *cx, const char *s, size_t n);

#endif
