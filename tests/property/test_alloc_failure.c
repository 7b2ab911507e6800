/* test_alloc_failure.c - memory runs out at every step of the compiler and of a kernel.
 *
 * The compiler unwinds to the frame that opened the context; a kernel returns a status, and what it
 * had allocated is gone.  Leaks in the compiler are for the sanitizer builds to find; a kernel's
 * allocations are counted here.
 *
 * SPDX-License-Identifier: MIT
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "compiler/imperative/run/interpret.h"
#include "compiler/pipeline.h"

struct statement {
    const char *expression;
    int tensors;
    struct tin_declaration tensor[4];
};

static const struct statement statements[] = {
    {"y(i) = A(i,j) * x(j)", 1, {{"A", "csr", NULL, NULL}}},
    {"A(i,j) = B(i,j) + C(i,j)",
     3,
     {{"A", "csr", NULL, NULL}, {"B", "csr", NULL, NULL}, {"C", "dcsr", "f32", NULL}}},
    {"A(i,j) = B(i,j) * C(i,j)",
     3,
     {{"A", "coo", "i64", NULL}, {"B", "coo", "i64", NULL}, {"C", "csr", "i8", NULL}}},
    {"r(i) = b(i) - A(i,j) * x(j)", 1, {{"A", "coo", "c128", NULL}, {"r", NULL, "c128", NULL}}},
    {"y(i) = min(j, A(i,j) + x(j))", 2, {{"A", "csr", NULL, "inf"}, {"y", NULL, NULL, "inf"}}},
    {"A(i,r) = B(i,k,l) * C(k,r) * D(l,r)", 1, {{"B", "csf", NULL, NULL}}},
    {"y(i) = A(i,j) * * x(j)", 0, {{0}}},
    {"A(i,j) = B(i,j) + C(i,j)",
     3,
     {{"A", "csr", NULL, NULL}, {"B", "csr", NULL, NULL}, {"C", "csc", NULL, NULL}}},
};

enum { STATEMENTS = sizeof statements / sizeof *statements };

static struct pipeline_request request_for(const struct statement *s)
{
    struct pipeline_request request = {.expression = s->expression, .weighs = true};
    request.declared = (struct tin_declarations){
        .tensor = s->tensor, .tensors = s->tensors, .defaults = {TYPE_I32, TYPE_I32}};
    return request;
}

/* Did the compiler get through, one way or the other, although this many allocations were all it
 * had? */
static bool compile_with(const struct statement *s, long allocations)
{
    struct context *cx = context_new();
    struct pipeline pipeline;
    struct pipeline_request request = request_for(s);
    bool through = false;
    assert_non_null(cx);
    arena_fail_after(cx->arena, allocations);
    if (context_protect(cx)) {
        if (pipeline_run(cx, &request, STAGE_C, &pipeline))
            assert_non_null(pipeline_explain(cx, &pipeline));
        else
            assert_int_not_equal(cx->diags.n, 0);
        through = true;
    } else {
        assert_int_equal(cx->failure, CONTEXT_NO_MEMORY);
    }
    context_free(cx);
    return through;
}

/* Every allocation at first, then ever fewer of them. */
static void test_compiler(void **state)
{
    (void)state;
    for (int s = 0; s < STATEMENTS; s++) {
        long n = 0;
        while (!compile_with(&statements[s], n))
            n += 1 + n / 64;
        assert_true(n > 10);
    }
}

/* ---- kernels ---- */

struct counting {
    long left, live;
};

static void *count_reallocate(void *data, void *old, size_t size)
{
    struct counting *c = data;
    if (c->left-- == 0)
        return NULL;
    void *new = realloc(old, size ? size : 1);
    c->live += !old && new;
    return new;
}

static void count_release(void *data, void *old)
{
    struct counting *c = data;
    c->live -= old != NULL;
    free(old);
}

static int32_t pos[] = {0, 2, 2, 4}, crd[] = {0, 2, 1, 2};
static double vals[] = {1, 2, 3, 4};

static struct imp_argument argument_for(const struct imp_param *param)
{
    struct imp_argument argument = {.value = value_int(param->var->type, 3)};
    if (param->role == ROLE_VALUES)
        argument.data = vals, argument.length = 4;
    if (param->role == ROLE_ARRAY)
        argument.data = param->array ? crd : pos, argument.length = 4;
    if (param->out)
        argument.data = NULL, argument.length = 0;
    return argument;
}

static void release_out(const struct imp_function *f, struct imp_argument *argument,
                        struct counting *counting)
{
    for (int i = 0; i < f->params; i++)
        if (f->param[i].out)
            count_release(counting, argument[i].data);
}

/* Run C(i,j) = A(i,j) + B(i,j) with this many allocations; true if it was enough. */
static bool run_with(struct context *cx, const struct imp_function *f, long allocations)
{
    struct imp_argument argument[32];
    struct counting counting = {allocations, 0};
    struct imp_allocator allocator = {count_reallocate, count_release, &counting};
    assert_true(f->params <= 32);
    for (int i = 0; i < f->params; i++)
        argument[i] = argument_for(&f->param[i]);
    struct imp_run run = imp_interpret(
        cx, f, argument, &(struct imp_options){.allocator = &allocator, .max_steps = 100000});
    assert_null(run.fault);
    assert_int_equal(run.status, allocations > counting.left && counting.left < 0 ? STATUS_NO_MEMORY
                                                                                  : STATUS_OK);
    if (run.status != STATUS_OK)
        for (int i = 0; i < f->params; i++)
            assert_true(!f->param[i].out || !argument[i].data);
    release_out(f, argument, &counting);
    assert_int_equal(counting.live, 0);
    return run.status == STATUS_OK;
}

static void test_kernel(void **state)
{
    static const struct statement add = {
        "C(i,j) = A(i,j) + B(i,j)",
        3,
        {{"A", "csr", NULL, NULL}, {"B", "csr", NULL, NULL}, {"C", "csr", NULL, NULL}}};
    struct context *cx = context_new();
    struct pipeline pipeline;
    struct pipeline_request request = request_for(&add);
    (void)state;
    assert_non_null(cx);
    if (!context_protect(cx))
        fail_msg("%s", cx->bug ? cx->bug : "no memory");
    assert_true(pipeline_run(cx, &request, STAGE_IMPERATIVE, &pipeline));
    long n = 0;
    while (!run_with(cx, pipeline.imperative, n))
        n++;
    assert_true(n > 2);
    context_free(cx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_compiler),
                                       cmocka_unit_test(test_kernel)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
