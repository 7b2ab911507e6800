/* protect.h - a test in which something unwinds fails.  A macro, because the frame that is unwound
 * to must live.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_TESTS_IMPERATIVE_PROTECT_H
#define SPCC_TESTS_IMPERATIVE_PROTECT_H

#include "compiler/base/context.h"

#define PROTECT(cx)                                                       \
    do {                                                                  \
        if (!context_protect(cx))                                         \
            fail_msg("unwound: %s", (cx)->bug ? (cx)->bug : "no memory"); \
    } while (0)

/* cmocka's fixture: a context in *state. */
static inline int setup_context(void **state)
{
    *state = context_new();
    return *state ? 0 : -1;
}

static inline int teardown_context(void **state)
{
    context_free(*state);
    return 0;
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup_context, teardown_context)

#endif
