/* test_runtime.c - kernels on a GPU through the C API, with a driver and an NVRTC of ours
 * (fake_driver.c).
 *
 * SPDX-License-Identifier: MIT
 */
#include <dlfcn.h>
#include <ftw.h>
#include <unistd.h>

#include "tests/api/support.h"

enum { N = 40, MOST = 4 };

static struct {
    void (*break_call)(const char *symbol, int n, int error);
    int (*live)(void);
    void (*machine)(int gpus, int capability, int has_pools);
} fake;

static char cache[] = "/tmp/spcc-gpu-XXXXXX";

/* A context that takes kernels from the cache, or from nowhere. */
static spcc_context *open_gpu(bool keeps)
{
    spcc_options options = {.size = sizeof options, .cache = keeps ? cache : "", .threads = 1};
    spcc_context *context;
    assert_int_equal(spcc_context_new(&options, &context), SPCC_OK);
    return context;
}

/* ---- statements ---- */

struct given {
    const char *name, *format;
    int order;
};

struct statement {
    const char *text, *schedule;
    int tensors;
    struct given tensor[MOST]; /* the result first */
};

static const struct statement statements[] = {
    {"y(i) = A(i,j) * x(j)", NULL, 3, {{"y", "d", 1}, {"A", "csr", 2}, {"x", "d", 1}}},
    {"y(i) += A(i,j) * x(j) + 1", NULL, 3, {{"y", "d", 1}, {"A", "csr", 2}, {"x", "d", 1}}},
    {"S(i,j) = A(i,j) * X(i,k) * Y(j,k)",
     NULL,
     4,
     {{"S", "csr", 2}, {"A", "csr", 2}, {"X", "dd", 2}, {"Y", "dd", 2}}},
    {"Y(i,k) = A(i,j) * X(j,k)", NULL, 3, {{"Y", "dd", 2}, {"A", "csr", 2}, {"X", "dd", 2}}},
    {"s = x(i) * z(i)",
     "parallelize(i, gpu_thread, temporary)",
     3,
     {{"s", "", 0}, {"x", "d", 1}, {"z", "d", 1}}},
    {"y(i) = max(j, A(i,j) * x(j))", NULL, 3, {{"y", "d", 1}, {"A", "csr", 2}, {"x", "d", 1}}},
    /* nothing is launched */
    {"y(i) = 0", NULL, 1, {{"y", "d", 1}}},
    {"C(i,j) = A(i,j) + B(i,j)", NULL, 3, {{"C", "csr", 2}, {"A", "csr", 2}, {"B", "csr", 2}}},
    {"C(i,k) = A(i,j) * B(j,k)", NULL, 3, {{"C", "csr", 2}, {"A", "csr", 2}, {"B", "csr", 2}}},
};
enum { STATEMENTS = sizeof statements / sizeof *statements, ADDS = STATEMENTS - 2 };

static double number(int64_t i) { return (double)(i * 37 % 19 - 9) / 8.0; }

/* Row i has i % 5 components. */
static spcc_tensor *matrix(spcc_context *context, const char *format)
{
    int64_t dimensions[] = {N, N}, coordinates[2 * N * 5];
    double values[N * 5];
    int n = 0;
    for (int i = 0; i < N; i++)
        for (int k = 0; k < i % 5; k++, n++) {
            coordinates[2 * n] = i;
            coordinates[2 * n + 1] = (i + 7 * k) % N;
            values[n] = number(n);
        }
    spcc_tensor *made;
    expect(context, SPCC_OK,
           spcc_tensor_from_coords(context, format, SPCC_F64, 2, dimensions, n, coordinates, values,
                                   NULL, &made));
    return made;
}

static spcc_tensor *make(spcc_context *context, const struct given *given)
{
    static const int64_t dimensions[] = {N, N};
    double values[N * N];
    spcc_tensor *made;
    if (strcmp(given->format, "csr") == 0)
        return matrix(context, "csr");
    for (int64_t k = 0; k < N * N; k++)
        values[k] = number(k);
    expect(context, SPCC_OK,
           spcc_tensor_dense(context, SPCC_F64, given->order, dimensions, values, &made));
    return made;
}

/* A statement's kernel and tensors. */
struct job {
    const struct statement *statement;
    spcc_kind kind;
    spcc_kernel *kernel;
    spcc_tensor *tensor[MOST];
};

static spcc_status compile(spcc_context *context, struct job *job, spcc_engine by)
{
    const struct statement *s = job->statement;
    spcc_declaration declarations[MOST];
    for (int t = 0; t < s->tensors; t++)
        declarations[t] =
            (spcc_declaration){.name = s->tensor[t].name, .format = s->tensor[t].format};
    spcc_compile_options options = {
        .size = sizeof options,
        .declarations = declarations,
        .n_declarations = s->tensors,
        .schedule = s->schedule,
        .kind = job->kind,
        .language = by == SPCC_ENGINE_INTERP && !s->schedule ? SPCC_LANGUAGE_C : SPCC_LANGUAGE_CUDA,
        .engine = by};
    return spcc_compile(context, s->text, &options, &job->kernel);
}

static struct job begin(spcc_context *context, const struct statement *statement)
{
    struct job job = {.statement = statement};
    for (int t = 0; t < statement->tensors; t++)
        job.tensor[t] = make(context, &statement->tensor[t]);
    return job;
}

static void end(struct job *job)
{
    spcc_kernel_free(job->kernel);
    for (int t = 0; t < job->statement->tensors; t++)
        spcc_tensor_free(job->tensor[t]);
}

static spcc_status run(spcc_context *context, const struct job *job)
{
    return spcc_run_array(context, job->kernel, job->tensor, job->statement->tensors);
}

static void expect_same(const spcc_tensor *a, const spcc_tensor *b)
{
    int64_t n = spcc_tensor_stored(a);
    const double *x = spcc_tensor_values(a), *y = spcc_tensor_values(b);
    assert_int_equal(n, spcc_tensor_stored(b));
    for (int64_t k = 0; k < n; k++)
        assert_float_equal(x[k], y[k], 1e-9);
    for (int level = 0; level < spcc_tensor_levels(a); level++)
        for (int k = 0; spcc_tensor_array_name(a, level, k); k++) {
            spcc_array one = spcc_tensor_array(a, level, k), other = spcc_tensor_array(b, level, k);
            assert_int_equal(one.length, other.length);
            if (one.length > 0)
                assert_memory_equal(one.at, other.at, (size_t)one.length * sizeof(int32_t));
        }
}

/* ---- what runs there ---- */

/* The same as interpreted, as code for a CPU if no directive is a GPU's, each time; and nothing of
 * it stays on the device. */
static void test_statements(void **state)
{
    spcc_context *context = open_gpu(true);
    for (int s = 0; s < STATEMENTS; s++) {
        struct job there = begin(context, &statements[s]), here = begin(context, &statements[s]);
        expect(context, SPCC_OK, compile(context, &there, SPCC_ENGINE_AUTO));
        assert_int_equal(spcc_kernel_get_info(there.kernel)->engine, SPCC_ENGINE_GPU);
        expect(context, SPCC_OK, compile(context, &here, SPCC_ENGINE_INTERP));
        int held = fake.live();
        for (int times = 0; times < 2; times++) {
            expect(context, SPCC_OK, run(context, &there));
            expect(context, SPCC_OK, run(context, &here));
            expect_same(there.tensor[0], here.tensor[0]);
            assert_int_equal(fake.live(), held);
        }
        end(&there);
        end(&here);
    }
    spcc_context_free(context);
    assert_int_equal(fake.live(), 0);
}

/* The pattern is a copy, which needs no launch, and the values are computed into it. */
static void test_apart(void **state)
{
    static const struct statement scale = {
        "S(i,j) = 2 * A(i,j)", NULL, 2, {{"S", "csr", 2}, {"A", "csr", 2}}};
    spcc_context *context = open_gpu(true);
    struct job there = begin(context, &scale), here = begin(context, &scale);
    there.kind = SPCC_SPLIT;
    expect(context, SPCC_OK, compile(context, &there, SPCC_ENGINE_AUTO));
    expect(context, SPCC_OK, compile(context, &here, SPCC_ENGINE_INTERP));
    expect(context, SPCC_OK, spcc_assemble(context, there.kernel, there.tensor, 2));
    expect(context, SPCC_OK, spcc_compute(context, there.kernel, there.tensor, 2));
    expect(context, SPCC_OK, run(context, &here));
    expect_same(there.tensor[0], here.tensor[0]);
    end(&there);
    end(&here);
    spcc_context_free(context);
    assert_int_equal(fake.live(), 0);
}

/* From the cache; and a kernel outlives the context that it was compiled in. */
static void test_kept(void **state)
{
    spcc_context *one = open_gpu(true), *other = open_gpu(true);
    struct job job = begin(one, &statements[0]);
    expect(one, SPCC_OK, compile(one, &job, SPCC_ENGINE_AUTO));
    assert_int_equal(spcc_kernel_get_info(job.kernel)->origin, SPCC_ORIGIN_DISK);
    assert_true(spcc_kernel_get_info(job.kernel)->compile_ms == 0);
    spcc_context_free(one);
    expect(other, SPCC_OK, run(other, &job));
    end(&job);
    spcc_context_free(other);
    assert_int_equal(fake.live(), 0);
}

static void test_engines(void **state)
{
    spcc_context *context = open_gpu(true);
    spcc_kernel *kernel;
    char *text;
    spcc_declaration A = {.name = "A", .format = "csr"};
    spcc_compile_options options = {.size = sizeof options,
                                    .declarations = &A,
                                    .n_declarations = 1,
                                    .language = SPCC_LANGUAGE_CUDA,
                                    .engine = SPCC_ENGINE_CC};
    expect(context, SPCC_ERROR_ARGUMENT,
           spcc_compile(context, "y(i) = A(i,j) * x(j)", &options, &kernel));
    expect_message(context, "CUDA runs on a GPU");
    options.language = SPCC_LANGUAGE_C;
    options.engine = SPCC_ENGINE_GPU;
    expect(context, SPCC_ERROR_ARGUMENT,
           spcc_compile(context, "y(i) = A(i,j) * x(j)", &options, &kernel));
    expect(context, SPCC_OK, spcc_engine_describe(context, SPCC_ENGINE_GPU, &text));
    assert_string_equal(text,
                        "a GPU of this CPU, compute capability 9.0, 2 multiprocessors, 1.1 GB; "
                        "driver for CUDA 12.8, NVRTC 12.8");
    spcc_free(text);
    spcc_context_free(context);
}

/* Tensors that stay there: nothing is copied, and dense results are written in place. */
static void test_resident(void **state)
{
    spcc_context *context = open_gpu(true);
    for (int s = 0; s < STATEMENTS; s++) {
        struct job here = begin(context, &statements[s]), there = begin(context, &statements[s]);
        expect(context, SPCC_OK, compile(context, &there, SPCC_ENGINE_AUTO));
        expect(context, SPCC_OK, compile(context, &here, SPCC_ENGINE_INTERP));
        for (int t = 0; t < statements[s].tensors; t++) {
            spcc_tensor *moved;
            expect(context, SPCC_OK, spcc_tensor_to_gpu(context, there.tensor[t], &moved));
            assert_int_equal(spcc_tensor_stored(moved), spcc_tensor_stored(there.tensor[t]));
            spcc_tensor_free(there.tensor[t]);
            there.tensor[t] = moved;
        }
        spcc_gpu_times times;
        char stream;
        spcc_run_options options = {.size = sizeof options, .gpu_times = &times};
        for (int round = 0; round < 2; round++) {
            options.gpu_stream = round ? &stream : NULL;
            expect(context, SPCC_OK,
                   spcc_run_with(context, there.kernel, there.tensor, statements[s].tensors,
                                 &options));
            expect(context, SPCC_OK, run(context, &here));
            assert_int_equal(times.there_bytes, 0);
            assert_int_equal(times.back_bytes, 0);
        }
        spcc_tensor *back;
        expect(context, SPCC_OK, spcc_tensor_from_gpu(context, there.tensor[0], &back));
        assert_int_equal(spcc_tensor_stored(back), spcc_tensor_stored(there.tensor[0]));
        expect_same(back, here.tensor[0]);
        spcc_tensor_free(back);
        end(&here);
        end(&there);
    }
    spcc_context_free(context);
    assert_int_equal(fake.live(), 0);
}

/* Whatever else is done with a tensor that is there is refused. */
static void test_only_there(void **state)
{
    spcc_context *context = open_gpu(true);
    struct job job = begin(context, &statements[0]);
    spcc_tensor *there, *made;
    spcc_statistics *statistics;
    expect(context, SPCC_ERROR_ARGUMENT, spcc_tensor_from_gpu(context, job.tensor[1], &made));
    expect_message(context, "not in the memory of a GPU");
    expect(context, SPCC_OK, spcc_tensor_to_gpu(context, job.tensor[1], &there));
    expect(context, SPCC_ERROR_ARGUMENT, spcc_tensor_to_gpu(context, there, &made));
    expect(context, SPCC_ERROR_ARGUMENT, spcc_tensor_check(context, there));
    expect(context, SPCC_ERROR_ARGUMENT, spcc_tensor_statistics(context, there, &statistics));
    expect(context, SPCC_ERROR_ARGUMENT,
           spcc_tensor_convert(context, there, "csc", SPCC_F64, NULL, &made));
    assert_true(spcc_tensor_write(context, there, "/dev/null") != SPCC_OK);
    assert_int_equal(spcc_tensor_unpack(there, NULL, NULL), 0);
    spcc_tensor *A = job.tensor[1];
    job.tensor[1] = there;
    expect(context, SPCC_OK, compile(context, &job, SPCC_ENGINE_INTERP));
    expect(context, SPCC_ERROR_BINDING, run(context, &job));
    expect_message(context, "A is in a GPU's memory");
    job.tensor[1] = A;
    /* one that borrows and may not be written; one that is an operand, too */
    spcc_kernel_free(job.kernel);
    expect(context, SPCC_OK, compile(context, &job, SPCC_ENGINE_AUTO));
    spcc_tensor *x = job.tensor[2], *y = job.tensor[0];
    const int64_t n = N;
    spcc_tensor_options options = {.size = sizeof options, .on_gpu = true};
    expect(context, SPCC_OK, spcc_tensor_to_gpu(context, x, &job.tensor[2]));
    expect(context, SPCC_OK,
           spcc_tensor_borrow(context, "d", SPCC_F64, 1, &n, NULL, 0,
                              spcc_tensor_values(job.tensor[2]), N, &options, &job.tensor[0]));
    expect(context, SPCC_ERROR_BINDING, run(context, &job));
    expect_message(context, "may not be written");
    spcc_tensor_free(job.tensor[0]);
    options.writable = true;
    expect(context, SPCC_OK,
           spcc_tensor_borrow(context, "d", SPCC_F64, 1, &n, NULL, 0,
                              spcc_tensor_values(job.tensor[2]), N, &options, &job.tensor[0]));
    expect(context, SPCC_ERROR_BINDING, run(context, &job));
    expect_message(context, "shares memory with x");
    /* other arrays in the GPU's memory, which are the result's then; what it has is not borrowed */
    spcc_tensor *borrows = job.tensor[0], *made_there, *back;
    expect(context, SPCC_OK, spcc_tensor_to_gpu(context, y, &made_there));
    expect(context, SPCC_ERROR_ARGUMENT, spcc_tensor_rebind(context, made_there, NULL, 0, &n, 1));
    expect_message(context, "does not borrow");
    expect(context, SPCC_OK,
           spcc_tensor_rebind(context, borrows, NULL, 0, spcc_tensor_values(made_there), N));
    expect(context, SPCC_OK, run(context, &job));
    expect(context, SPCC_OK, spcc_tensor_from_gpu(context, borrows, &back));
    job.tensor[0] = y;
    expect(context, SPCC_OK, run(context, &job));
    expect_same(back, y);
    job.tensor[0] = borrows;
    spcc_tensor_free(back);
    spcc_tensor_free(made_there);
    spcc_tensor_free(x);
    spcc_tensor_free(y);
    spcc_tensor_free(there);
    end(&job);
    spcc_context_free(context);
    assert_int_equal(fake.live(), 0);
}

/* Sparse results that are made there, read there, and made anew; an operand is no result. */
static void test_made_there(void **state)
{
    static const struct statement chain[] = {
        {"C(i,k) = A(i,j) * B(j,k)", NULL, 3, {{"C", "csr", 2}, {"A", "csr", 2}, {"B", "csr", 2}}},
        {"D(i,j) = C(i,j) + A(i,j)", NULL, 3, {{"D", "dcsr", 2}, {"C", "csr", 2}, {"A", "csr", 2}}},
        {"C(i,j) += D(i,j)", NULL, 2, {{"C", "csr", 2}, {"D", "dcsr", 2}}},
    };
    enum { STEPS = sizeof chain / sizeof *chain };
    static const int argument[STEPS][3] = {{0, 1, 2}, {3, 0, 1}, {0, 3}};
    const int64_t sizes[] = {N, N};
    spcc_context *context = open_gpu(true);
    spcc_tensor *here[4], *there[4], *back;
    for (int t = 0; t < 4; t++) {
        here[t] = matrix(context, t == 3 ? "dcsr" : "csr");
        if (t % 3 == 0) {
            spcc_tensor_free(here[t]);
            expect(
                context, SPCC_OK,
                spcc_tensor_new(context, t ? "dcsr" : "csr", SPCC_F64, 2, sizes, NULL, &here[t]));
        }
        expect(context, SPCC_OK, spcc_tensor_to_gpu(context, here[t], &there[t]));
    }
    for (int round = 0; round < 2; round++)
        for (int s = 0; s < STEPS; s++) {
            struct job job = {.statement = &chain[s]};
            for (int e = 0; e < 2; e++) {
                int n = chain[s].tensors;
                for (int t = 0; t < n; t++)
                    job.tensor[t] = (e ? here : there)[argument[s][t]];
                expect(context, SPCC_OK,
                       compile(context, &job, e ? SPCC_ENGINE_INTERP : SPCC_ENGINE_AUTO));
                expect(context, SPCC_OK, run(context, &job));
                spcc_kernel_free(job.kernel);
                job.kernel = NULL;
            }
            expect(context, SPCC_OK, spcc_tensor_from_gpu(context, there[argument[s][0]], &back));
            expect_same(back, here[argument[s][0]]);
            spcc_tensor_free(back);
        }
    for (int t = 0; t < 4; t++) {
        spcc_tensor_free(here[t]);
        spcc_tensor_free(there[t]);
    }
    spcc_context_free(context);
    assert_int_equal(fake.live(), 0);
}

/* ---- what fails ---- */

static void expect_untouched(spcc_context *context, const struct job *job)
{
    spcc_tensor *as_begun = make(context, &job->statement->tensor[0]);
    expect_same(job->tensor[0], as_begun);
    spcc_tensor_free(as_begun);
}

/* From nothing to the result, while one call of a function fails. */
static void fail_once(int statement, const char *symbol, int n, int error, bool keeps)
{
    spcc_context *context = open_gpu(keeps);
    struct job job = begin(context, &statements[statement]);
    fake.break_call(symbol, n, error);
    spcc_status status = compile(context, &job, SPCC_ENGINE_AUTO);
    if (status == SPCC_OK)
        status = run(context, &job);
    if (status != SPCC_OK)
        assert_true(strlen(spcc_message(context)) > 10);
    if (error == 2 && strcmp(symbol, "cuMemAllocAsync") == 0) {
        assert_int_equal(status, SPCC_ERROR_MEMORY);
        expect_message(context, "the GPU's memory is full");
    }
    if (error == 6 && strcmp(symbol, "nvrtcCompileProgram") == 0)
        expect_message(context, "NVRTC fails with error 6");
    bool copies =
        strcmp(symbol, "cuStreamSynchronize") == 0 || strcmp(symbol, "cuMemcpyDtoHAsync_v2") == 0;
    if (status != SPCC_OK && (!copies || n == 1)) /* the 2nd is behind the copies, or one of them */
        expect_untouched(context, &job);
    fake.break_call("", 0, 0);
    /* and the next time it does not */
    spcc_kernel_free(job.kernel);
    job.kernel = NULL;
    expect(context, SPCC_OK, compile(context, &job, SPCC_ENGINE_AUTO));
    expect(context, SPCC_OK, run(context, &job));
    end(&job);
    spcc_context_free(context);
    assert_int_equal(fake.live(), 0);
}

static void test_driver_fails(void **state)
{
    static const char *const symbols[] = {
#define DRIVER(member, symbol, parameters) symbol,
#include "runtime/gpu/library.def"
    };
    for (size_t s = 0; s < sizeof symbols / sizeof *symbols; s++) {
        fail_once(1, symbols[s], 1, 999, true);
        fail_once(1, symbols[s], 2, 2, true);
    }
    for (int n = 1; n <= 5; n++) /* as many arrays */
        fail_once(1, "cuMemAllocAsync", n, 2, true);
}

static void test_compiler_fails(void **state)
{
    static const char *const symbols[] = {"nvrtcVersion",           "nvrtcGetNumSupportedArchs",
                                          "nvrtcGetSupportedArchs", "nvrtcCreateProgram",
                                          "nvrtcCompileProgram",    "nvrtcGetCUBINSize",
                                          "nvrtcGetCUBIN"};
    for (size_t s = 0; s < sizeof symbols / sizeof *symbols; s++)
        fail_once(1, symbols[s], 1, 6, false);
}

/* A result that is assembled there, whose arrays are made between launches. */
static void test_assembling_fails(void **state)
{
    static const struct {
        const char *symbol;
        int calls;
    } some[] = {{"cuMemAllocAsync", 10}, {"cuLaunchKernel", 6}, {"cuMemcpyDtoHAsync_v2", 4}};
    for (size_t s = 0; s < sizeof some / sizeof *some; s++)
        for (int n = 1; n <= some[s].calls; n++)
            fail_once(ADDS, some[s].symbol, n, 2, true);
}

/* ... and stay there: what the result was it is, and nothing is lost. */
static void test_assembling_there_fails(void **state)
{
    static const char *const symbols[] = {"cuMemAllocAsync", "cuLaunchKernel",
                                          "cuStreamSynchronize", "cuMemcpyDtoHAsync_v2"};
    spcc_context *context = open_gpu(true);
    struct job job = begin(context, &statements[ADDS]);
    expect(context, SPCC_OK, compile(context, &job, SPCC_ENGINE_AUTO));
    spcc_tensor *before = job.tensor[0], *back;
    int failed = 0;
    for (size_t s = 0; s < sizeof symbols / sizeof *symbols; s++)
        for (int n = 1; n < 9; n++) {
            expect(context, SPCC_OK, spcc_tensor_to_gpu(context, before, &job.tensor[0]));
            int held = fake.live();
            fake.break_call(symbols[s], n, 2);
            bool fails = run(context, &job) != SPCC_OK;
            fake.break_call("", 0, 0);
            assert_int_equal(fake.live(), held);
            expect(context, SPCC_OK, spcc_tensor_from_gpu(context, job.tensor[0], &back));
            if (fails)
                expect_same(back, before);
            failed += fails;
            spcc_tensor_free(back);
            spcc_tensor_free(job.tensor[0]);
        }
    expect(context, SPCC_OK, spcc_tensor_to_gpu(context, before, &job.tensor[0]));
    assert_true(failed > 10);
    expect(context, SPCC_OK, run(context, &job));
    spcc_tensor_free(before);
    end(&job);
    spcc_context_free(context);
    assert_int_equal(fake.live(), 0);
}

/* More components than positions of the result count: as on a CPU, and nothing stays there. */
static void test_too_many(void **state)
{
    static const struct statement adds = {"C(i,j) = A(i,j) + B(i,j)",
                                          NULL,
                                          3,
                                          {{"C", "(i,j) -> (i : dense, j : compressed(pos=i8))", 2},
                                           {"A", "csr", 2},
                                           {"B", "dd", 2}}};
    static const spcc_engine engines[] = {SPCC_ENGINE_AUTO, SPCC_ENGINE_INTERP};
    spcc_context *context = open_gpu(true);
    for (size_t e = 0; e < sizeof engines / sizeof *engines; e++) {
        struct job job = begin(context, &adds);
        int64_t dimensions[] = {N, N};
        spcc_tensor_free(job.tensor[0]);
        expect(context, SPCC_OK,
               spcc_tensor_from_coords(context, adds.tensor[0].format, SPCC_F64, 2, dimensions, 0,
                                       NULL, NULL, NULL, &job.tensor[0]));
        expect(context, SPCC_OK, compile(context, &job, engines[e]));
        expect(context, SPCC_ERROR_LIMIT, run(context, &job));
        end(&job);
    }
    spcc_context_free(context);
    assert_int_equal(fake.live(), 0);
}

/* Of a tensor on its way there nothing stays. */
static void test_moving_fails(void **state)
{
    static const char *const symbols[] = {"cuMemAllocAsync", "cuMemcpyHtoDAsync_v2",
                                          "cuStreamSynchronize"};
    spcc_context *context = open_gpu(true);
    struct job job = begin(context, &statements[0]);
    spcc_tensor *there;
    expect(context, SPCC_OK, compile(context, &job, SPCC_ENGINE_AUTO));
    int held = fake.live();
    for (size_t s = 0; s < sizeof symbols / sizeof *symbols; s++)
        for (int n = 1; n < 4; n++) {
            fake.break_call(symbols[s], n, 2);
            assert_true(spcc_tensor_to_gpu(context, job.tensor[1], &there) != SPCC_OK);
            assert_null(there);
            assert_int_equal(fake.live(), held);
        }
    fake.break_call("", 0, 0);
    end(&job);
    spcc_context_free(context);
    assert_int_equal(fake.live(), 0);
}

/* How fast a copy there is; what fails leaves nothing. */
static void test_copy_rate(void **state)
{
    static const char *const symbols[] = {"cuMemAllocAsync",     "cuEventCreate",
                                          "cuEventRecord",       "cuMemcpyDtoDAsync_v2",
                                          "cuStreamSynchronize", "cuEventElapsedTime"};
    spcc_context *context = open_gpu(false);
    double bytes = -1;
    expect(context, SPCC_OK, spcc_gpu_copy_rate(context, &bytes));
    assert_true(bytes > 0);
    int held = fake.live();
    for (size_t s = 0; s < sizeof symbols / sizeof *symbols; s++)
        for (int n = 1; n < 3; n++) {
            fake.break_call(symbols[s], n, 2);
            expect(context, SPCC_ERROR_MEMORY, spcc_gpu_copy_rate(context, &bytes));
            expect_message(context, "the GPU's memory is full");
            assert_int_equal(fake.live(), held);
        }
    fake.break_call("", 0, 0);
    spcc_context_free(context);
    assert_int_equal(fake.live(), 0);
}

/* ---- what is not there ---- */

static void expect_absent(const char *why)
{
    spcc_context *context = open_gpu(true);
    struct job job = begin(context, &statements[0]);
    expect(context, SPCC_ERROR_SYSTEM, compile(context, &job, SPCC_ENGINE_AUTO));
    expect_message(context, why);
    end(&job);
    spcc_context_free(context);
    assert_int_equal(fake.live(), 0);
}

static void test_machines(void **state)
{
    fake.machine(0, 90, 1);
    expect_absent("it sees none");
    fake.machine(1, 70, 1);
    expect_absent("NVRTC 12.8 does not compile for a GPU of this CPU, of compute capability 7.0");
    fake.machine(1, 90, 0);
    expect_absent("has no memory pools");
    fake.machine(1, 120, 1); /* newer than NVRTC, which makes PTX */
    spcc_context *context = open_gpu(false);
    struct job job = begin(context, &statements[0]);
    expect(context, SPCC_OK, compile(context, &job, SPCC_ENGINE_AUTO));
    expect(context, SPCC_OK, run(context, &job));
    end(&job);
    spcc_context_free(context);
    fake.machine(1, 90, 1);
}

static void test_libraries(void **state)
{
    const char *driver = getenv("SPCC_FAKE_GPU");
    setenv("SPCC_NVRTC", "/nowhere/libnvrtc.so", 1);
    expect_absent("NVRTC, which compiles for GPUs is not there");
    expect_absent("SPCC_NVRTC names it");
    setenv("SPCC_LIBCUDA", "/nowhere/libcuda.so", 1);
    expect_absent("the driver of NVIDIA's GPUs is not there");
    unsetenv("SPCC_LIBCUDA");
    setenv("SPCC_LIBCUDA", "libm.so.6", 1);
    expect_absent("the driver of NVIDIA's GPUs is too old: it lacks cuInit");
    setenv("SPCC_LIBCUDA", "", 1); /* as if it was not set */
    if (!dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL))
        expect_absent("the driver of NVIDIA's GPUs is not there");
    setenv("SPCC_LIBCUDA", driver, 1);
    setenv("SPCC_NVRTC", driver, 1);
}

/* ---- */

static int open_fake(void **state)
{
    void *library = dlopen(getenv("SPCC_FAKE_GPU"), RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        puts(dlerror());
        return 1;
    }
    *(void **)&fake.break_call = dlsym(library, "fake_fail");
    *(void **)&fake.live = dlsym(library, "fake_live");
    *(void **)&fake.machine = dlsym(library, "fake_machine");
    return mkdtemp(cache) ? 0 : 1;
}

static int forget(const char *path, const struct stat *info, int kind, struct FTW *walk)
{
    return remove(path);
}

static int close_fake(void **state) { return nftw(cache, forget, 8, FTW_DEPTH | FTW_PHYS); }

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_statements),     cmocka_unit_test(test_kept),
        cmocka_unit_test(test_engines),        cmocka_unit_test(test_resident),
        cmocka_unit_test(test_only_there),     cmocka_unit_test(test_driver_fails),
        cmocka_unit_test(test_moving_fails),   cmocka_unit_test(test_copy_rate),
        cmocka_unit_test(test_compiler_fails), cmocka_unit_test(test_assembling_fails),
        cmocka_unit_test(test_too_many),       cmocka_unit_test(test_machines),
        cmocka_unit_test(test_libraries),      cmocka_unit_test(test_apart),
        cmocka_unit_test(test_made_there),     cmocka_unit_test(test_assembling_there_fails),
    };
    return cmocka_run_group_tests(tests, open_fake, close_fake);
}
