/* support.h - what the tests of the C API share: contexts without a cache, and checks that show the
 * message.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_TESTS_API_SUPPORT_H
#define SPCC_TESTS_API_SUPPORT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "spcc.h"

/* A context that keeps nothing on disk. */
static inline spcc_context *open_context(spcc_engine engine)
{
    spcc_options options = {.size = sizeof options, .engine = engine, .cache = "", .threads = 1};
    spcc_context *context;
    assert_int_equal(spcc_context_new(&options, &context), SPCC_OK);
    return context;
}

/* The call gives this status; if not, its message is shown. */
#define expect(context, expected, call) expect_at(__FILE__, __LINE__, (context), (expected), (call))

static inline void expect_at(const char *file, int line, spcc_context *context,
                             spcc_status expected, spcc_status status)
{
    if (status != expected)
        print_error("%s, not %s: %s\n", spcc_status_name(status), spcc_status_name(expected),
                    spcc_message(context));
    _assert_true(status == expected, "status", file, line);
}

/* The last call's messages contain this text. */
#define expect_message(context, part) expect_message_at(__FILE__, __LINE__, (context), (part))

static inline void expect_message_at(const char *file, int line, const spcc_context *context,
                                     const char *part)
{
    if (!strstr(spcc_message(context), part))
        print_error("no '%s' in: %s\n", part, spcc_message(context));
    _assert_true(strstr(spcc_message(context), part) != NULL, part, file, line);
}

/* The engine that a test program's argument names; ends the program as skipped for "no-clang". */
static inline spcc_engine engine_of(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "interp";
    if (strcmp(name, "no-clang") == 0) {
        puts("spcc is built without LLVM: nothing to test here");
        exit(77);
    }
    return strcmp(name, "clang") == 0 ? SPCC_ENGINE_CLANG
           : strcmp(name, "cc") == 0  ? SPCC_ENGINE_CC
                                      : SPCC_ENGINE_INTERP;
}

/* A test with a context of its own, *state: of this engine, which main may set first. */
static spcc_engine engine = SPCC_ENGINE_INTERP;

static inline int setup_context(void **state)
{
    *state = open_context(engine);
    return 0;
}

static inline int teardown_context(void **state)
{
    spcc_context_free(*state);
    return 0;
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup_context, teardown_context)

/* The 3 x 4 matrix of the drawings, in csr:   . . 5 .
 *                                             . . . .
 *                                             7 . . 1   */
static const int64_t sample_size[] = {3, 4}, sample_coordinates[] = {2, 3, 0, 2, 2, 0};
static const double sample_values[] = {1, 5, 7};

static inline spcc_tensor *sample(spcc_context *context, const char *format)
{
    spcc_tensor *tensor;
    expect(context, SPCC_OK,
           spcc_tensor_from_coords(context, format, SPCC_F64, 2, sample_size, 3, sample_coordinates,
                                   sample_values, NULL, &tensor));
    return tensor;
}

static inline spcc_tensor *dense_vector(spcc_context *context, int64_t n, const double *values)
{
    spcc_tensor *tensor;
    expect(context, SPCC_OK, spcc_tensor_dense(context, SPCC_F64, 1, &n, values, &tensor));
    return tensor;
}

static inline spcc_tensor *empty(spcc_context *context, const char *format, int order)
{
    spcc_tensor *tensor;
    expect(context, SPCC_OK,
           spcc_tensor_new(context, format, SPCC_F64, order, NULL, NULL, &tensor));
    return tensor;
}

#endif
