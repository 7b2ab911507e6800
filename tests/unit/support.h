/* support.h - what the tests of single modules share: contexts, and running out of memory.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_TESTS_UNIT_SUPPORT_H
#define SPCC_TESTS_UNIT_SUPPORT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "compiler/base/context.h"
#include "compiler/registry.h"

static inline struct context *new_context(const struct level_type *const *levels)
{
    struct context *cx = context_new();
    assert_non_null(cx);
    cx->levels = levels;
    return cx;
}

/* Run the body of a test in a context, with these level types or all that there are; any
 * unwinding fails it. */
#define IN_CONTEXT_WITH(cx, levels)                                                 \
    for (struct context *cx = new_context(levels); cx; context_free(cx), cx = NULL) \
        if (!context_protect(cx))                                                   \
            fail_msg("unwound: %s", cx->bug ? cx->bug : "no memory");               \
        else
#define IN_CONTEXT(cx) IN_CONTEXT_WITH(cx, registry_levels)

/* Does the work end well with all allocations after so many failing? */
static inline bool ends_well(struct context *cx, void (*work)(struct context *cx), long allocations)
{
    if (!context_protect(cx))
        return false;
    arena_fail_after(cx->arena, allocations);
    work(cx);
    return true;
}

/* Let `work` run out of memory at its first allocation, at its second, and so on until it succeeds:
 * it unwinds each time. Gives the number of times. */
static inline long run_out_of_memory(const struct level_type *const *levels,
                                     void (*work)(struct context *cx))
{
    long step = 0;
    for (bool done = false; !done; step++) {
        struct context *cx = new_context(levels);
        done = ends_well(cx, work, step);
        assert_int_equal(cx->failure, done ? CONTEXT_OK : CONTEXT_NO_MEMORY);
        context_free(cx);
    }
    return step;
}

#endif
