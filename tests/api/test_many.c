/* test_many.c - one kernel run by many threads at once, each with a context and a result of its
 * own, with the engine that the argument names; and many threads that compile at once.
 *
 * SPDX-License-Identifier: MIT
 */
#include <pthread.h>

#include "tests/api/support.h"

enum { THREADS = 8, RUNS = 20, ROWS = 50, COLUMNS = 60 };

struct shared {
    spcc_engine engine;
    const spcc_kernel *spmv, *scale;
    spcc_tensor *A, *x;
    const double *y; /* expected */
};

struct worker {
    const struct shared *shared;
    pthread_t thread;
    bool right;
};

/* Set once by main, before any test. */
static spcc_engine engine;

static bool same(const spcc_tensor *tensor, const double *expected, int64_t n, double factor)
{
    const double *values = spcc_tensor_values(tensor);
    bool right = spcc_tensor_stored(tensor) == n;
    for (int64_t k = 0; right && k < n; k++)
        right = values[k] == factor * expected[k];
    return right;
}

/* Dense results are written in place, sparse ones replaced, time and again. */
static bool run_all(const struct shared *s, spcc_context *context, spcc_tensor *y, spcc_tensor *C)
{
    bool right = true;
    for (int n = 0; n < RUNS && right; n++)
        right = spcc_run(context, s->spmv, y, s->A, s->x) == SPCC_OK && same(y, s->y, ROWS, 1)
                && spcc_run(context, s->scale, C, s->A) == SPCC_OK
                && same(C, spcc_tensor_values(s->A), spcc_tensor_stored(s->A), 2);
    return right;
}

static void *run_in_thread(void *data)
{
    struct worker *worker = data;
    spcc_options options = {
        .size = sizeof options, .engine = worker->shared->engine, .cache = "", .threads = 1};
    spcc_context *context = NULL;
    spcc_tensor *y = NULL, *C = NULL;
    worker->right = spcc_context_new(&options, &context) == SPCC_OK
                    && spcc_tensor_new(context, NULL, SPCC_F64, 1, NULL, NULL, &y) == SPCC_OK
                    && spcc_tensor_new(context, "csr", SPCC_F64, 2, NULL, NULL, &C) == SPCC_OK
                    && run_all(worker->shared, context, y, C);
    spcc_tensor_free(y);
    spcc_tensor_free(C);
    spcc_context_free(context);
    return NULL;
}

static void *compile_in_thread(void *data)
{
    struct worker *worker = data;
    spcc_options options = {
        .size = sizeof options, .engine = worker->shared->engine, .cache = "", .threads = 1};
    spcc_context *context = NULL;
    spcc_tensor *y = NULL;
    worker->right = spcc_context_new(&options, &context) == SPCC_OK
                    && spcc_tensor_new(context, NULL, SPCC_F64, 1, NULL, NULL, &y) == SPCC_OK;
    if (worker->right) {
        spcc_binding bindings[] = {{"y", y}, {"A", worker->shared->A}, {"x", worker->shared->x}};
        worker->right = spcc_eval(context, "y(i) = A(i,j) * x(j)", bindings, 3) == SPCC_OK
                        && same(y, worker->shared->y, ROWS, 1);
    }
    spcc_tensor_free(y);
    spcc_context_free(context);
    return NULL;
}

static void in_threads(const struct shared *shared, void *(*work)(void *))
{
    struct worker workers[THREADS];
    for (int w = 0; w < THREADS; w++) {
        workers[w] = (struct worker){.shared = shared};
        assert_int_equal(pthread_create(&workers[w].thread, NULL, work, &workers[w]), 0);
    }
    for (int w = 0; w < THREADS; w++)
        assert_int_equal(pthread_join(workers[w].thread, NULL), 0);
    for (int w = 0; w < THREADS; w++)
        assert_true(workers[w].right);
}

static void at_once(void **state)
{
    static const int64_t size[] = {ROWS, COLUMNS};
    spcc_context *context = open_context(engine);
    spcc_kernel *spmv, *scale;
    spcc_tensor *A, *x, *y = empty(context, NULL, 1);
    const spcc_declaration csr[] = {{.name = "A", .format = "csr"}, {.name = "C", .format = "csr"}};
    spcc_compile_options options = {
        .size = sizeof options, .declarations = csr, .n_declarations = 1};
    expect(context, SPCC_OK,
           spcc_tensor_generate(context, "@sparse(0.2,3)", "csr", SPCC_F64, 2, size, NULL, &A));
    expect(context, SPCC_OK,
           spcc_tensor_generate(context, "@random(4)", NULL, SPCC_F64, 1, size + 1, NULL, &x));
    expect(context, SPCC_OK, spcc_compile(context, "y(i) = A(i,j) * x(j)", &options, &spmv));
    options.n_declarations = 2;
    expect(context, SPCC_OK, spcc_compile(context, "C(i,j) = 2 * A(i,j)", &options, &scale));
    expect(context, SPCC_OK, spcc_run(context, spmv, y, A, x));
    struct shared shared = {engine, spmv, scale, A, x, spcc_tensor_values(y)};
    in_threads(&shared, run_in_thread);
    in_threads(&shared, compile_in_thread);
    spcc_tensor_free(A);
    spcc_tensor_free(x);
    spcc_tensor_free(y);
    spcc_kernel_free(spmv);
    spcc_kernel_free(scale);
    spcc_context_free(context);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(at_once)};
    engine = engine_of(argc, argv);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
