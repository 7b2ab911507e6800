/* test_allocator.c - contexts with an allocator of the user's: each array of a tensor comes from it
 * and goes back to it, whatever thread asks; where it fails, or stops the call, nothing is lost.
 *
 * What it gives lies behind a head of its own: malloc's functions cannot take it for theirs.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdalign.h>
#include <stdatomic.h>
#include <unistd.h>

#include "tests/api/support.h"

/* An allocator that counts. */
struct heap {
    atomic_long live, asked;
    long fails;            /* the number of the request that is not met; -1: none */
    spcc_context *to_stop; /* which is stopped then instead; NULL: none */
};

struct head {
    alignas(max_align_t) struct heap *owner;
    uint64_t mark;
};

static const uint64_t mark = UINT64_C(0x5bcc5bcc5bcc5bcc);

static bool refuses(struct heap *heap)
{
    if (atomic_fetch_add(&heap->asked, 1) != heap->fails)
        return false;
    spcc_stop(heap->to_stop);
    return !heap->to_stop;
}

static void *own_allocate(void *user, size_t bytes)
{
    struct heap *heap = user;
    struct head *head = bytes == 0 || refuses(heap) ? NULL : malloc(sizeof *head + bytes);
    if (!head)
        return NULL;
    *head = (struct head){heap, mark};
    atomic_fetch_add(&heap->live, 1);
    return head + 1;
}

static struct head *head_of(void *user, void *array)
{
    struct head *head = (struct head *)array - 1;
    if (!array || head->mark != mark || head->owner != user)
        abort();
    return head;
}

static void *own_reallocate(void *user, void *array, size_t bytes)
{
    struct head *head = head_of(user, array);
    head = bytes == 0 || refuses(user) ? NULL : realloc(head, sizeof *head + bytes);
    return head ? head + 1 : NULL;
}

static void own_release(void *user, void *array)
{
    struct head *head = head_of(user, array);
    head->mark = 0;
    atomic_fetch_sub(&((struct heap *)user)->live, 1);
    free(head);
}

static spcc_context *open_own(struct heap *heap, int threads)
{
    const spcc_allocator own = {own_allocate, own_reallocate, own_release, heap};
    spcc_options options = {.size = sizeof options,
                            .engine = engine,
                            .cache = "",
                            .threads = threads,
                            .allocator = &own};
    spcc_context *context;
    *heap = (struct heap){.fails = -1};
    assert_int_equal(spcc_context_new(&options, &context), SPCC_OK);
    return context;
}

/* ---- tensors ---- */

/* In each way in which tensors are made, and after their context. */
static void tensors_outlive_their_context(void **state)
{
    static const char *const formats[] = {NULL, "csr", "coo", "dcsr", "bcsr(2,2)", "dh", "ell"};
    enum { FORMATS = sizeof formats / sizeof *formats };
    struct heap heap;
    spcc_context *context = open_own(&heap, 1);
    spcc_tensor *made[3 * FORMATS + 2];
    spcc_allocator own;
    const int64_t size[] = {40, 50};
    char path[64];
    int n = 0;
    snprintf(path, sizeof path, "/tmp/spcc-api-allocator-%d.mtx", (int)getpid());
    for (int f = 0; f < FORMATS; f++) {
        long before = heap.live;
        made[n++] = sample(context, formats[f]);
        assert_true(heap.live > before);
        expect(context, SPCC_OK,
               spcc_tensor_generate(context, f ? "@sparse(0.1,1)" : "@index", formats[f], SPCC_F64,
                                    2, size, NULL, &made[n++]));
        expect(context, SPCC_OK, spcc_tensor_write(context, made[n - 1], path));
        expect(context, SPCC_OK,
               spcc_tensor_read(context, path, formats[f], SPCC_F64, NULL, &made[n++]));
        assert_true(spcc_tensor_allocator(made[n - 1], &own));
        assert_true(own.user == &heap && own.release == own_release);
    }
    made[n++] = dense_vector(context, 3, sample_values);
    expect(context, SPCC_OK,
           spcc_tensor_convert(context, made[0], "csr", SPCC_F32, NULL, &made[n++]));
    unlink(path);
    spcc_context_free(context);
    for (int k = 0; k < n; k++) {
        spcc_tensor_trim(made[k]);
        spcc_tensor_free(made[k]);
    }
    assert_int_equal(heap.live, 0);
}

static void arrays_are_taken(void **state)
{
    struct heap heap;
    spcc_context *context = open_own(&heap, 1);
    spcc_tensor *A = sample(context, "csr"), *plain, *C = empty(context, "csr", 2);
    spcc_allocator own;
    const spcc_binding bindings[] = {{"C", C}, {"A", A}};
    expect(context, SPCC_OK, spcc_eval(context, "C(i,j) = A(i,j) + A(i,j)", bindings, 2));
    assert_true(spcc_tensor_allocator(C, &own));
    void *pos = spcc_tensor_take_array(C, 1, 0), *crd = spcc_tensor_take_array(C, 1, 1);
    double *values = spcc_tensor_take_values(C);
    assert_true(((int32_t *)pos)[3] == 3 && ((int32_t *)crd)[2] == 3 && values[1] == 14);
    expect(context, SPCC_OK, spcc_eval(context, "C(i,j) = A(i,j) + A(i,j)", bindings, 2));
    spcc_tensor_free(C);
    spcc_tensor_free(A);
    assert_int_equal(heap.live, 3);
    own.release(own.user, pos);
    own.release(own.user, crd);
    own.release(own.user, values);
    assert_int_equal(heap.live, 0);
    spcc_context_free(context);
    plain = sample(*state, "csr");
    assert_false(spcc_tensor_allocator(plain, &own));
    assert_null(own.release);
    spcc_tensor_free(plain);
}

/* ---- results ---- */

/* Parts that are joined, moved and counted; workspaces in each. */
static const struct {
    const char *statement, *result, *operand;
} kernels[] = {
    {"C(i,j) = A(i,k) * A(k,j)", "csr", "csr"}, {"C(i,j) = A(i,j)", "csr", "coo"},
    {"C(i,j) = A(i,j) + A(j,i)", "coo", "csr"}, {"C(i,j) = A(j,i)", "csr", "csr"},
    {"C(i,j) = A(i,j)", "bcsr(4,4)", "csr"},    {"C(i,j) = A(i,k) * A(k,j)", "dh", "csr"},
    {"C(i,j) = A(i,k) * A(k,j)", NULL, "csr"},
};
enum { KERNELS = sizeof kernels / sizeof *kernels };

static spcc_tensor *operand(spcc_context *context, int k, double size)
{
    const int64_t sizes[] = {(int64_t)size, (int64_t)size};
    spcc_tensor *A;
    expect(context, SPCC_OK,
           spcc_tensor_generate(context, "@sparse(0.004,3)", kernels[k].operand, SPCC_I64, 2, sizes,
                                NULL, &A));
    return A;
}

static spcc_tensor *result(spcc_context *context, int k)
{
    spcc_tensor *C;
    expect(context, SPCC_OK,
           spcc_tensor_new(context, kernels[k].result, SPCC_I64, 2, NULL, NULL, &C));
    return C;
}

/* Compiled once for all contexts, which may run any kernel. */
static spcc_kernel *compiled[KERNELS];

static void compile(spcc_context *context, int k, spcc_tensor *C, spcc_tensor *A)
{
    const spcc_declaration declarations[] = {{.name = "C", .tensor = C},
                                             {.name = "A", .tensor = A}};
    spcc_compile_options options = {.size = sizeof options,
                                    .declarations = declarations,
                                    .n_declarations = 2,
                                    .plan_for_tensors = true};
    expect(context, SPCC_OK, spcc_compile(context, kernels[k].statement, &options, &compiled[k]));
}

static spcc_status evaluate(spcc_context *context, int k, spcc_tensor *C, spcc_tensor *A)
{
    return spcc_run(context, compiled[k], C, A);
}

static void assert_same(const spcc_tensor *a, const spcc_tensor *b)
{
    int64_t n = spcc_tensor_stored(a);
    assert_int_equal(n, spcc_tensor_stored(b));
    assert_memory_equal(spcc_tensor_values(a), spcc_tensor_values(b), (size_t)n * sizeof(int64_t));
}

static double size_of(void) { return engine == SPCC_ENGINE_INTERP ? 120 : 1500; }

/* A result of which one context after the other makes the arrays, with allocators and without. */
static void results_are_whoever_runs_them(void **state)
{
    for (int k = 0; k < KERNELS; k++) {
        struct heap heap[2];
        spcc_context *context[] = {open_own(&heap[0], 4), open_own(&heap[1], 4), *state};
        spcc_tensor *A = operand(*state, k, size_of()), *C = result(*state, k),
                    *expected = result(*state, k);
        compile(*state, k, C, A);
        expect(*state, SPCC_OK, evaluate(*state, k, expected, A));
        for (int turn = 0; turn < 9; turn++) {
            spcc_context *own = context[turn * turn % 3 == 0 ? turn / 3 : turn % 3];
            expect(own, SPCC_OK, evaluate(own, k, C, A));
            assert_same(C, expected);
        }
        expect(context[1], SPCC_OK, evaluate(context[1], k, C, A));
        if (kernels[k].result) /* else it is written in place */
            assert_true(heap[1].live > 0 && heap[0].live == 0);
        spcc_context_free(context[0]);
        spcc_context_free(context[1]);
        spcc_tensor_free(C);
        spcc_tensor_free(expected);
        spcc_tensor_free(A);
        assert_true(heap[0].live == 0 && heap[1].live == 0);
    }
}

/* Each request fails once, or the call is stopped there: the result is as it was. */
static void every_request_fails(void **state)
{
    for (int k = 0; k < KERNELS; k++) {
        struct heap heap;
        spcc_context *context = open_own(&heap, 4);
        spcc_tensor *A = operand(*state, k, 80), *C = result(context, k);
        expect(context, SPCC_OK, evaluate(context, k, C, A));
        spcc_tensor *expected = result(*state, k);
        expect(*state, SPCC_OK, evaluate(*state, k, expected, A));
        int failures = 0;
        for (int stops = 0; stops < 2; stops++) {
            spcc_status status = SPCC_ERROR_MEMORY;
            for (long n = 0; status != SPCC_OK; n++) {
                heap.to_stop = stops ? context : NULL;
                heap.asked = 0;
                heap.fails = n;
                status = evaluate(context, k, C, A);
                failures += status != SPCC_OK;
                spcc_clear_stop(context);
                if (status != SPCC_OK)
                    expect(context, stops ? SPCC_STOPPED : SPCC_ERROR_MEMORY, status);
                assert_same(C, expected);
            }
        }
        heap.fails = -1;
        assert_true(failures > 0 || !kernels[k].result);
        spcc_tensor_free(C);
        assert_int_equal(heap.live, 0);
        spcc_tensor_free(expected);
        spcc_tensor_free(A);
        spcc_context_free(context);
        spcc_kernel_free(compiled[k]);
    }
}

int main(int argc, char **argv)
{
    engine = engine_of(argc, argv);
    const struct CMUnitTest tests[] = {
        TEST(tensors_outlive_their_context),
        TEST(arrays_are_taken),
        TEST(results_are_whoever_runs_them),
        TEST(every_request_fails),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
