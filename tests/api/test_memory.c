/* test_memory.c - every allocation of every call fails once, or the call is stopped there: a
 * status, no message lost, no crash, no leak.
 *
 * The program is linked with --wrap for malloc, calloc and realloc, so that the library's own calls
 * pass through here, and for context_new, so that the arenas of compiler contexts can be told to
 * fail at each of their allocations.  Whether anything leaks the sanitizer builds tell.
 *
 * SPDX-License-Identifier: MIT
 */
#include <unistd.h>

#include "compiler/base/context.h"
#include "tests/api/support.h"

void *__real_malloc(size_t size);
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *old, size_t size);
void *__real_aligned_alloc(size_t line, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_realloc(void *old, size_t size);
void *__wrap_aligned_alloc(size_t line, size_t size);

/* Allocations until one fails; negative: none does. */
static long countdown = -1;

/* Then this context is stopped instead; NULL: none. */
static spcc_context *to_stop;

static bool fails(void)
{
    bool now = countdown >= 0 && countdown-- == 0;
    if (now)
        spcc_stop(to_stop);
    return now && !to_stop;
}

void *__wrap_malloc(size_t size) { return fails() ? NULL : __real_malloc(size); }
void *__wrap_calloc(size_t n, size_t size) { return fails() ? NULL : __real_calloc(n, size); }
void *__wrap_aligned_alloc(size_t line, size_t size)
{
    return fails() ? NULL : __real_aligned_alloc(line, size);
}
void *__wrap_realloc(void *old, size_t size) { return fails() ? NULL : __real_realloc(old, size); }

/* Allocations from each new arena until one fails; negative: none does. */
static long arena_countdown = -1;

struct context *__real_context_new(void);
struct context *__wrap_context_new(void);

struct context *__wrap_context_new(void)
{
    struct context *cx = __real_context_new();
    if (cx)
        arena_fail_after(cx->arena, arena_countdown);
    return cx;
}

/* What the calls work on, made without failures. */
struct world {
    spcc_context *context;
    spcc_tensor *A, *x, *y, *C;
    spcc_kernel *add;
    char path[64];
};

typedef spcc_status scenario(struct world *world);

static spcc_status a_context(struct world *world)
{
    spcc_options options = {.size = sizeof options, .cache = "x", .cc = "y", .plugin = "z"};
    spcc_context *context;
    spcc_status status = spcc_context_new(&options, &context);
    spcc_context_free(context);
    return status;
}

static spcc_status from_coordinates(struct world *world)
{
    spcc_tensor *tensor;
    spcc_status status =
        spcc_tensor_from_coords(world->context, "dcsr", SPCC_F64, 2, sample_size, 3,
                                sample_coordinates, sample_values, NULL, &tensor);
    assert_true((status == SPCC_OK) == (tensor != NULL));
    spcc_tensor_free(tensor);
    return status;
}

static spcc_status generated(struct world *world)
{
    spcc_tensor *tensor;
    spcc_status status = spcc_tensor_generate(world->context, "@sparse(0.5,1)", "coo", SPCC_F64, 2,
                                              sample_size, NULL, &tensor);
    spcc_tensor_free(tensor);
    return status;
}

static spcc_status generated_dense(struct world *world)
{
    spcc_tensor *tensor;
    spcc_status status = spcc_tensor_generate(world->context, "@index", "csr", SPCC_F64, 2,
                                              sample_size, NULL, &tensor);
    spcc_tensor_free(tensor);
    return status;
}

static spcc_status borrowed(struct world *world)
{
    static const double values[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
    spcc_tensor *tensor;
    spcc_status status = spcc_tensor_borrow(world->context, NULL, SPCC_F64, 2, sample_size, NULL, 0,
                                            values, 12, NULL, &tensor);
    spcc_tensor_free(tensor);
    return status;
}

/* Other arrays are there or the old ones are. */
static spcc_status parsed_and_bound_again(struct world *world)
{
    static const int32_t pos[] = {0, 1, 1, 3}, crd[] = {2, 0, 3}, other[] = {1, 0, 3};
    static const double values[] = {5, 7, 1};
    const spcc_array arrays[] = {{pos, 4}, {crd, 3}}, others[] = {{pos, 4}, {other, 3}};
    spcc_format *csr;
    spcc_tensor *tensor = NULL;
    spcc_status status = spcc_format_parse(world->context, "csr", 2, &csr);
    assert_true((status == SPCC_OK) == (csr != NULL));
    if (status == SPCC_OK)
        status = spcc_tensor_borrow_as(world->context, csr, SPCC_F64, sample_size, arrays, 2,
                                       values, 3, NULL, &tensor);
    if (status == SPCC_OK) {
        status = spcc_tensor_rebind(world->context, tensor, others, 2, values, 3);
        assert_ptr_equal(spcc_tensor_array(tensor, 1, 1).at, status == SPCC_OK ? other : crd);
    }
    spcc_tensor_free(tensor);
    spcc_format_free(csr);
    return status;
}

static spcc_status written_and_read(struct world *world)
{
    spcc_tensor *tensor = NULL;
    spcc_status status = spcc_tensor_write(world->context, world->A, world->path);
    if (status == SPCC_OK)
        status = spcc_tensor_read(world->context, world->path, "csr", SPCC_F64, NULL, &tensor);
    unlink(world->path);
    spcc_tensor_free(tensor);
    return status;
}

static spcc_status parsed(struct world *world)
{
    spcc_statement *statement;
    spcc_status status = spcc_statement_parse(world->context, "y(i) = A(i,j) * x(j)", &statement);
    spcc_statement_free(statement);
    return status;
}

static spcc_status emitted(struct world *world)
{
    char *text;
    spcc_status status =
        spcc_emit(world->context, "y(i) = A(i,j) * x(j)", NULL, SPCC_STAGE_EXPLAIN, &text);
    assert_true((status == SPCC_OK) == (text != NULL));
    spcc_free(text);
    return status;
}

static spcc_status evaluated(struct world *world)
{
    spcc_binding bindings[] = {{"y", world->y}, {"A", world->A}, {"x", world->x}};
    return spcc_eval(world->context, "y(i) = A(i,j) * x(j)", bindings, 3);
}

static spcc_status compiled(struct world *world)
{
    const spcc_declaration declarations[] = {{.name = "A", .tensor = world->A}};
    const spcc_variable_size sizes[] = {{"j", 4}};
    spcc_compile_options options = {.size = sizeof options,
                                    .declarations = declarations,
                                    .n_declarations = 1,
                                    .sizes = sizes,
                                    .n_sizes = 1,
                                    .schedule = "reorder(i,j)",
                                    .name = "spmv"};
    spcc_kernel *kernel;
    spcc_status status = spcc_compile(world->context, "y(i) = A(i,j) * x(j)", &options, &kernel);
    assert_true((status == SPCC_OK) == (kernel != NULL));
    spcc_kernel_free(kernel);
    return status;
}

static spcc_status run_into_sparse(struct world *world)
{
    return spcc_run(world->context, world->add, world->C, world->A, world->A);
}

static spcc_status described(struct world *world)
{
    char *text;
    spcc_status status = spcc_describe(world->context, SPCC_TABLE_LEVELS, &text);
    spcc_free(text);
    return status;
}

static spcc_status looked_at_cache(struct world *world)
{
    spcc_cache_info *info;
    spcc_status status = spcc_cache_look(world->context, &info);
    assert_true((status == SPCC_OK) == (info != NULL));
    if (info) {
        assert_null(info->folder);
        assert_int_equal(info->kernels, -1);
    }
    spcc_free(info);
    return status;
}

/* An error that has its own status must not turn into a success. */
static spcc_status refused(struct world *world)
{
    spcc_kernel *kernel;
    spcc_status status = spcc_compile(world->context, "y(i) = A(i,j) * ", NULL, &kernel);
    assert_true(status == SPCC_ERROR_STATEMENT || status == SPCC_ERROR_MEMORY
                || status == SPCC_STOPPED);
    assert_true(spcc_message(world->context)[0] != '\0');
    assert_true(spcc_diagnostic_count(world->context) > 0);
    return status == SPCC_ERROR_STATEMENT ? SPCC_OK : status;
}

static void open_world(struct world *world)
{
    const spcc_declaration csr[] = {{.name = "A", .format = "csr"},
                                    {.name = "B", .format = "csr"},
                                    {.name = "C", .format = "csr"}};
    spcc_compile_options options = {
        .size = sizeof options, .declarations = csr, .n_declarations = 3};
    world->context = open_context(SPCC_ENGINE_INTERP);
    world->A = sample(world->context, "csr");
    world->x = dense_vector(world->context, 4, (const double[]){1, 2, 3, 4});
    world->y = empty(world->context, NULL, 1);
    world->C = empty(world->context, "csr", 2);
    expect(world->context, SPCC_OK,
           spcc_compile(world->context, "C(i,j) = A(i,j) + B(i,j)", &options, &world->add));
    snprintf(world->path, sizeof world->path, "/tmp/spcc-api-memory-%d.mtx", (int)getpid());
}

static void close_world(struct world *world)
{
    spcc_tensor_free(world->A);
    spcc_tensor_free(world->x);
    spcc_tensor_free(world->y);
    spcc_tensor_free(world->C);
    spcc_kernel_free(world->add);
    spcc_context_free(world->context);
}

/* The scenario once, with failures, and again in the same world, without.  Did it fail? */
static bool fail_at(scenario *play, long allocation, long arena_allocation)
{
    struct world world;
    open_world(&world);
    countdown = allocation;
    arena_countdown = arena_allocation;
    spcc_status status = play(&world);
    bool failed = allocation >= 0 && countdown < 0;
    countdown = arena_countdown = -1;
    if (status != SPCC_OK)
        assert_int_equal(status, SPCC_ERROR_MEMORY);
    if (status != SPCC_OK && play != a_context && play != refused)
        assert_true(!strcmp(spcc_message(world.context), "error: out of memory\n")
                    || strstr(spcc_message(world.context), "there is not enough memory"));
    expect(world.context, SPCC_OK, play(&world));
    close_world(&world);
    return failed || status != SPCC_OK;
}

/* The scenario once, stopped at an allocation, and again in the same world.  Did it come so far? */
static bool stop_at(scenario *play, long allocation)
{
    struct world world;
    open_world(&world);
    to_stop = world.context;
    countdown = allocation;
    spcc_status status = play(&world);
    bool reached = countdown < 0;
    countdown = -1;
    to_stop = NULL;
    if (status != SPCC_OK) {
        expect(world.context, SPCC_STOPPED, status);
        assert_string_equal(spcc_message(world.context), "error: the call was stopped\n");
        assert_int_equal(spcc_diagnostic_get(world.context, 0)->status, SPCC_STOPPED);
        assert_int_equal(spcc_tensor_dimension(world.C, 0), -1);
        assert_true(access(world.path, F_OK) != 0);
    }
    spcc_clear_stop(world.context);
    expect(world.context, SPCC_OK, play(&world));
    close_world(&world);
    return reached;
}

static const struct {
    const char *name;
    scenario *play;
} scenarios[] = {
    {"context", a_context},
    {"cache", looked_at_cache},
    {"from coordinates", from_coordinates},
    {"generated", generated},
    {"generated dense", generated_dense},
    {"borrowed", borrowed},
    {"parsed and bound again", parsed_and_bound_again},
    {"parsed", parsed},
    {"emitted", emitted},
    {"evaluated", evaluated},
    {"compiled", compiled},
    {"run", run_into_sparse},
    {"described", described},
    {"refused", refused},
    {"files", written_and_read},
};

/* The first allocation, the second, ..., until the scenario needs no more. */
static void every_allocation_fails(void **state)
{
    for (size_t s = 0; s < sizeof scenarios / sizeof *scenarios; s++) {
        long n = 0;
        while (fail_at(scenarios[s].play, n, -1))
            n++;
        print_message("%s: %ld allocations\n", scenarios[s].name, n);
        assert_true(n > 0);
    }
}

/* The same for what comes from arenas: at each, and at every few where there are many.  A message
 * that cannot be drawn does not make a call fail, so a success may come before the last failure. */
static void every_arena_allocation_fails(void **state)
{
    enum { WITHOUT_ARENA = 2 };
    for (size_t s = WITHOUT_ARENA; s < sizeof scenarios / sizeof *scenarios; s++) {
        int failures = 0;
        for (long n = 0, since = 0; since < 40; n += 1 + n / 32) {
            bool failed = fail_at(scenarios[s].play, -1, n);
            failures += failed;
            since = failed ? 0 : since + 1;
        }
        print_message("%s: %d failures\n", scenarios[s].name, failures);
        assert_true(failures > 0);
    }
}

/* But for one that makes a context, which nobody can stop yet. */
static void every_allocation_stops(void **state)
{
    for (size_t s = 1; s < sizeof scenarios / sizeof *scenarios; s++)
        for (long n = 0; stop_at(scenarios[s].play, n);)
            n++;
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_allocation_fails),
                                       cmocka_unit_test(every_arena_allocation_fails),
                                       cmocka_unit_test(every_allocation_stops)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
