/* test_planned.c - loops that are parallel without asking: the same on one thread and on four, and
 * for sixteen threads that run one kernel at once, with the engine that the argument names.  Fewer
 * runs by the interpreter, which takes seconds for each.
 *
 * Values are small integers, so that sums are exact in whatever order they are added up.
 *
 * SPDX-License-Identifier: MIT
 */
#include <pthread.h>

#include "tests/api/support.h"

enum { CALLERS = 16, RUNS = 3, MOST_THREADS = 4, SIZE = 1500, ENTRIES = 15000 };

struct kernel {
    const char *statement, *result, *operand; /* formats of C and A; NULL: dense */
    int order;                                /* of C */
    bool has_vector;
};

/* Each component one part's; copies that are combined; a scalar; rows that are joined, with a
 * workspace in each part, and of a list; a list that is made in parts; what is counted. */
static const struct kernel kernels[] = {
    {"C(i) = A(i,j) * x(j)", NULL, "csr", 1, true},
    {"C(j) = A(i,j) * x(i)", NULL, "csr", 1, true},
    {"C = A(i,j) * x(j)", NULL, "csr", 0, true},
    {"C(i,j) = A(i,k) * A(k,j)", "csr", "csr", 2, false},
    {"C(i,j) = A(i,j)", "csr", "coo", 2, false},
    {"C(i,j) = A(i,j) + A(j,i)", "coo", "csr", 2, false},
    {"C(i,j) = A(j,i)", "csr", "csr", 2, false},
    {"C(i,j) = A(i,j)", "bcsr(4,4)", "csr", 2, false},
};

/* What a result holds. */
struct content {
    int64_t n, *coordinates;
    double *values;
};

static struct content content_of(const spcc_tensor *tensor, int order)
{
    struct content c = {.n = spcc_tensor_stored(tensor)};
    c.coordinates = malloc((size_t)(c.n * order + 1) * sizeof *c.coordinates);
    c.values = malloc((size_t)(c.n + 1) * sizeof *c.values);
    if (c.coordinates && c.values)
        spcc_tensor_unpack(tensor, c.coordinates, c.values);
    return c;
}

static void content_free(struct content *c)
{
    free(c->coordinates);
    free(c->values);
}

static bool same(const spcc_tensor *tensor, int order, const struct content *expected)
{
    struct content is = content_of(tensor, order);
    bool right = is.n == expected->n && is.coordinates && is.values
                 && !memcmp(is.coordinates, expected->coordinates,
                            (size_t)(is.n * order) * sizeof *is.coordinates)
                 && !memcmp(is.values, expected->values, (size_t)is.n * sizeof *is.values);
    content_free(&is);
    return right;
}

/* ---- callers ---- */

struct caller {
    const struct kernel *kernel;
    const spcc_kernel *planned;
    spcc_tensor *A, *x;
    const struct content *expected;
    int threads;
    pthread_t thread;
    bool right;
};

static bool run(const struct caller *caller, spcc_context *context, spcc_tensor *C)
{
    spcc_tensor *tensor[] = {C, caller->A, caller->x};
    return spcc_run_array(context, caller->planned, tensor, caller->kernel->has_vector ? 3 : 2)
               == SPCC_OK
           && same(C, caller->kernel->order, caller->expected);
}

static void *call(void *data)
{
    struct caller *caller = data;
    spcc_options options = {
        .size = sizeof options, .engine = engine, .cache = "", .threads = caller->threads};
    spcc_context *context = NULL;
    spcc_tensor *C = NULL;
    caller->right = spcc_context_new(&options, &context) == SPCC_OK
                    && spcc_tensor_new(context, caller->kernel->result, SPCC_F64,
                                       caller->kernel->order, NULL, NULL, &C)
                           == SPCC_OK;
    for (int n = 0; n < (engine == SPCC_ENGINE_INTERP ? 1 : RUNS) && caller->right; n++)
        caller->right = run(caller, context, C);
    spcc_tensor_free(C);
    spcc_context_free(context);
    return NULL;
}

/* ---- kernels ---- */

static spcc_kernel *compile(spcc_context *context, const struct kernel *k, bool serial)
{
    spcc_kernel *kernel;
    const spcc_declaration declared[] = {{.name = "A", .format = k->operand},
                                         {.name = "C", .format = k->result}};
    spcc_compile_options options = {
        .size = sizeof options, .declarations = declared, .n_declarations = 2, .serial = serial};
    expect(context, SPCC_OK, spcc_compile(context, k->statement, &options, &kernel));
    return kernel;
}

static spcc_tensor *make_operand(spcc_context *context, const char *format)
{
    static const int64_t size[] = {SIZE, SIZE};
    static int64_t at[2 * ENTRIES];
    static double values[ENTRIES];
    uint64_t state = 12345;
    spcc_tensor *tensor;
    for (int k = 0; k < 2 * ENTRIES; k++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        at[k] = (int64_t)(state >> 33) % SIZE;
        values[k / 2] = (double)(1 + (state >> 40) % 7);
        if (k % 20 == 0)
            at[k] = 7; /* a heavy row */
    }
    expect(context, SPCC_OK,
           spcc_tensor_from_coords(context, format, SPCC_F64, 2, size, ENTRIES, at, values, NULL,
                                   &tensor));
    return tensor;
}

static spcc_tensor *make_vector(spcc_context *context)
{
    double values[SIZE];
    for (int i = 0; i < SIZE; i++)
        values[i] = i % 5 - 2;
    return dense_vector(context, SIZE, values);
}

/* One after the other with one thread to four, then many at once with as many each. */
static void check(struct caller *first)
{
    struct caller caller[CALLERS];
    int callers = engine == SPCC_ENGINE_INTERP ? 2 : CALLERS;
    for (int threads = 1; threads <= MOST_THREADS; threads++) {
        caller[0] = *first;
        caller[0].threads = threads;
        call(&caller[0]);
        assert_true(caller[0].right);
    }
    for (int n = 0; n < callers; n++) {
        caller[n] = *first;
        caller[n].threads = MOST_THREADS - n % MOST_THREADS;
        assert_int_equal(pthread_create(&caller[n].thread, NULL, call, &caller[n]), 0);
    }
    for (int n = 0; n < callers; n++)
        assert_int_equal(pthread_join(caller[n].thread, NULL), 0);
    for (int n = 0; n < callers; n++)
        assert_true(caller[n].right);
}

static void planned_are_serial(void **state)
{
    spcc_context *context = *state;
    spcc_tensor *x = make_vector(context);
    for (size_t k = 0; k < sizeof kernels / sizeof *kernels; k++) {
        spcc_kernel *serial = compile(context, &kernels[k], true),
                    *planned = compile(context, &kernels[k], false);
        spcc_tensor *A = make_operand(context, kernels[k].operand),
                    *C = empty(context, kernels[k].result, kernels[k].order);
        spcc_tensor *tensor[] = {C, A, x};
        expect(context, SPCC_OK,
               spcc_run_array(context, serial, tensor, kernels[k].has_vector ? 3 : 2));
        struct content expected = content_of(C, kernels[k].order);
        struct caller caller = {&kernels[k], planned, A, x, &expected, 1, 0, false};
        check(&caller);
        content_free(&expected);
        spcc_tensor_free(A);
        spcc_tensor_free(C);
        spcc_kernel_free(serial);
        spcc_kernel_free(planned);
    }
    spcc_tensor_free(x);
}

/* ---- coordinates far apart ---- */

enum { FAR = 20000 };

/* Entries all over a matrix whose sizes have 57 bits. */
static spcc_tensor *make_far(spcc_context *context, uint64_t state)
{
    static int64_t at[2 * FAR];
    static double values[FAR];
    const int64_t size[] = {(int64_t)1 << 57, (int64_t)1 << 57};
    spcc_tensor *tensor;
    for (int k = 0; k < 2 * FAR; k++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        at[k] = (int64_t)(state >> 7);
        values[k / 2] = (double)(1 + (state >> 40) % 7);
    }
    expect(context, SPCC_OK,
           spcc_tensor_from_coords(context, "dcsr", SPCC_F64, 2, size, FAR, at, values, NULL,
                                   &tensor));
    return tensor;
}

/* What parts have of such a dimension no product of it says. */
static void far_apart(void **state)
{
    static const struct {
        const char *statement, *schedule;
        int order;
    } far[] = {
        {"C(i,j) = A(i,j) + B(i,j)", NULL, 2},
        {"C = A(i,j)", "split(i, i0, i1, down, 4); parallelize(i0, cpu_thread, temporary, dynamic)",
         0},
    };
    spcc_context *context = NULL;
    const spcc_options options = {
        .size = sizeof options, .engine = engine, .cache = "", .threads = 4, .index_bits = 64};
    expect(context, SPCC_OK, spcc_context_new(&options, &context));
    spcc_tensor *A = make_far(context, 1), *B = make_far(context, 2);
    for (size_t k = 0; k < sizeof far / sizeof *far; k++) {
        const spcc_declaration declared[] = {{.name = "A", .format = "dcsr"},
                                             {.name = "C", .format = far[k].order ? "dcsr" : NULL},
                                             {.name = "B", .format = "dcsr"}};
        spcc_tensor *C[2];
        for (int parallel = 0; parallel < 2; parallel++) {
            spcc_kernel *kernel;
            spcc_compile_options how = {.size = sizeof how,
                                        .declarations = declared,
                                        .n_declarations = far[k].order ? 3 : 2,
                                        .schedule = parallel ? far[k].schedule : NULL,
                                        .serial = !parallel};
            expect(context, SPCC_OK, spcc_compile(context, far[k].statement, &how, &kernel));
            C[parallel] = empty(context, declared[1].format, far[k].order);
            spcc_tensor *tensor[] = {C[parallel], A, B};
            expect(context, SPCC_OK, spcc_run_array(context, kernel, tensor, far[k].order ? 3 : 2));
            spcc_kernel_free(kernel);
        }
        struct content expected = content_of(C[0], far[k].order);
        assert_true(same(C[1], far[k].order, &expected));
        content_free(&expected);
        spcc_tensor_free(C[0]);
        spcc_tensor_free(C[1]);
    }
    spcc_tensor_free(A);
    spcc_tensor_free(B);
    spcc_context_free(context);
}

/* What the plan adds, and what leaves it out. */
static void said_in_the_plan(void **state)
{
    spcc_context *context = *state;
    const spcc_declaration csr[] = {{.name = "A", .format = "csr"}};
    for (int serial = 0; serial < 2; serial++) {
        spcc_compile_options options = {
            .size = sizeof options, .declarations = csr, .n_declarations = 1, .serial = serial};
        char *text;
        expect(context, SPCC_OK,
               spcc_emit(context, kernels[0].statement, &options, SPCC_STAGE_C, &text));
        assert_true((strstr(text, "#pragma omp parallel") != NULL) == !serial);
        assert_true((strstr(text, " --serial") != NULL) == serial);
        spcc_free(text);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {TEST(planned_are_serial), TEST(far_apart),
                                       TEST(said_in_the_plan)};
    engine = engine_of(argc, argv);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
