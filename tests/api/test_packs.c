/* test_packs.c - packs of kernels: made, found without a compiler, and passed over where they are
 * damaged, of another version, or for other processors.
 *
 * SPDX-License-Identifier: MIT
 */
#include <dlfcn.h>
#include <unistd.h>

#include "runtime/jit/pack.h"
#include "tests/api/support.h"

static const char spmv[] = "y(i) = A(i,j) * x(j)", sum[] = "s = A(i,j)";
static const spcc_declaration csr = {.name = "A", .format = "csr"};

struct place {
    spcc_context *maker;
    char folder[64], path[128], copy[128];
};

static spcc_compile_options options_of(const spcc_declaration *declaration)
{
    return (spcc_compile_options){
        .size = sizeof(spcc_compile_options), .declarations = declaration, .n_declarations = 1};
}

/* The pack of all tests: two kernels, with functions. */
static int setup(void **state)
{
    static const char *const machines[] = {
#if defined(__aarch64__)
        "arm64",
#else
        "x86-64",
#endif
    };
    struct place *place = calloc(1, sizeof *place);
    const spcc_pack_options options = {
        .size = sizeof options, .machines = machines, .n_machines = 1, .functions = true};
    spcc_compile_options kernel = options_of(&csr);
    spcc_pack *pack;
    place->maker = open_context(SPCC_ENGINE_AUTO);
    strcpy(place->folder, "/tmp/spcc-packs-XXXXXX");
    *state = place;
    if (!mkdtemp(place->folder))
        return 1;
    snprintf(place->path, sizeof place->path, "%s/pack.so", place->folder);
    snprintf(place->copy, sizeof place->copy, "%s/copy.so", place->folder);
    expect(place->maker, SPCC_OK, spcc_pack_new(place->maker, &options, &pack));
    kernel.name = "spmv";
    expect(place->maker, SPCC_OK, spcc_pack_add(place->maker, pack, spmv, &kernel));
    kernel.name = "total";
    expect(place->maker, SPCC_OK, spcc_pack_add(place->maker, pack, sum, &kernel));
    expect(place->maker, SPCC_OK, spcc_pack_write(place->maker, pack, place->path));
    spcc_pack_free(pack);
    return 0;
}

static int teardown(void **state)
{
    struct place *place = *state;
    unlink(place->path);
    unlink(place->copy);
    int left = rmdir(place->folder);
    spcc_context_free(place->maker);
    free(place);
    return left;
}

/* Where there is no compiler. */
static spcc_context *open_wide(const char *packs, int bits)
{
    const spcc_options options = {.size = sizeof options,
                                  .index_bits = bits,
                                  .cache = "",
                                  .threads = 1,
                                  .cc = "/no/compiler",
                                  .plugin = "/no/plug-in",
                                  .packs = packs};
    spcc_context *context;
    assert_int_equal(spcc_context_new(&options, &context), SPCC_OK);
    return context;
}

static spcc_context *open_bare(const char *packs) { return open_wide(packs, 0); }

static spcc_engine engine_for(spcc_context *context, const char *statement,
                              const spcc_compile_options *options)
{
    spcc_kernel *kernel;
    expect(context, SPCC_OK, spcc_compile(context, statement, options, &kernel));
    spcc_engine found = spcc_kernel_get_info(kernel)->engine;
    spcc_kernel_free(kernel);
    return found;
}

/* A context that has 64 bits for what formats do not say finds a format that says 32, and one that
 * has 32 does not find 64. */
static void widths(void **state)
{
    static const spcc_declaration
        narrow = {.name = "A", .format = "(i,j) -> (i : dense, j : compressed(pos=i32, crd=i32))"},
        wide = {.name = "A", .format = "(i,j) -> (i : dense, j : compressed(pos=i64, crd=i64))"};
    struct place *place = *state;
    for (int bits = 32; bits <= 64; bits += 32) {
        spcc_context *context = open_wide(place->path, bits);
        spcc_compile_options options = options_of(&narrow);
        assert_int_equal(engine_for(context, spmv, &options), SPCC_ENGINE_PACK);
        options = options_of(&wide);
        assert_int_equal(engine_for(context, spmv, &options), SPCC_ENGINE_INTERP);
        spcc_context_free(context);
    }
}

static void found_and_run(void **state)
{
    struct place *place = *state;
    spcc_context *context = open_bare(place->path);
    spcc_compile_options options = options_of(&csr);
    spcc_kernel *kernel;
    const double ones[] = {1, 1, 1, 1};
    const int64_t four = 4;
    spcc_tensor *A = sample(context, "csr"), *x, *y;
    expect(context, SPCC_OK, spcc_compile(context, spmv, &options, &kernel));
    assert_int_equal(spcc_kernel_get_info(kernel)->engine, SPCC_ENGINE_PACK);
    assert_int_equal(spcc_kernel_get_info(kernel)->origin, SPCC_ORIGIN_PACK);
    assert_string_equal(spcc_message(context), "");
    expect(context, SPCC_OK, spcc_tensor_dense(context, SPCC_F64, 1, &four, ones, &x));
    expect(context, SPCC_OK, spcc_tensor_new(context, NULL, SPCC_F64, 1, NULL, NULL, &y));
    expect(context, SPCC_OK, spcc_run(context, kernel, y, A, x));
    double all = 0, stored = 0;
    for (int i = 0; i < 3; i++)
        all += ((const double *)spcc_tensor_values(y))[i];
    for (int64_t k = 0; k < spcc_tensor_stored(A); k++)
        stored += ((const double *)spcc_tensor_values(A))[k];
    assert_true(all == stored && all != 0);
    spcc_tensor_free(A);
    spcc_tensor_free(x);
    spcc_tensor_free(y);
    spcc_kernel_free(kernel);
    spcc_context_free(context);
}

/* The statement as it is read counts, and the tensors; not its spelling, nor that of the format,
 * nor names. */
static void what_a_request_is(void **state)
{
    static const spcc_declaration letters = {.name = "A", .format = "ds"},
                                  narrow = {.name = "A", .format = "csr", .type = "f32"},
                                  columns = {.name = "A", .format = "csc"},
                                  renamed = {.name = "M", .format = "csr"},
                                  turned = {.name = "x", .format = "csr"};
    static const struct {
        const char *statement;
        const spcc_declaration *declaration;
        spcc_engine engine;
    } requests[] = {
        {spmv, &csr, SPCC_ENGINE_PACK},
        {"y(i)=sum(j,A(i,j)*x(j))", &csr, SPCC_ENGINE_PACK},
        {spmv, &letters, SPCC_ENGINE_PACK},
        {sum, &csr, SPCC_ENGINE_PACK},
        {"w(row) = M(row,c) * v(c)", &renamed, SPCC_ENGINE_PACK},
        {"b(j) = x(j,i) * A(i)", &turned, SPCC_ENGINE_PACK},
        {"T1(i1) = x(i1,i0) * T0(i0)", &turned, SPCC_ENGINE_PACK},
        {"y(i) = A(i,j) * A(j,i)", &csr, SPCC_ENGINE_INTERP},
        {"y(i) = x(j) * A(i,j)", &csr, SPCC_ENGINE_INTERP},
        {spmv, &narrow, SPCC_ENGINE_INTERP},
        {spmv, &columns, SPCC_ENGINE_INTERP},
        {"y(i) = 2 * A(i,j) * x(j)", &csr, SPCC_ENGINE_INTERP},
    };
    struct place *place = *state;
    spcc_context *context = open_bare(place->path);
    for (size_t r = 0; r < sizeof requests / sizeof *requests; r++) {
        spcc_compile_options options = options_of(requests[r].declaration);
        assert_int_equal(engine_for(context, requests[r].statement, &options), requests[r].engine);
    }
    spcc_compile_options asks = options_of(&csr);
    asks.serial = true;
    assert_int_equal(engine_for(context, spmv, &asks), SPCC_ENGINE_INTERP);
    asks = options_of(&csr);
    asks.schedule = "reorder(i,j)";
    assert_int_equal(engine_for(context, spmv, &asks), SPCC_ENGINE_INTERP);
    asks = options_of(&csr);
    asks.engine = SPCC_ENGINE_INTERP;
    assert_int_equal(engine_for(context, spmv, &asks), SPCC_ENGINE_INTERP);
    spcc_context_free(context);
    context = open_bare("");
    asks = options_of(&csr);
    assert_int_equal(engine_for(context, spmv, &asks), SPCC_ENGINE_INTERP);
    spcc_context_free(context);
}

/* A kernel that was packed by other names says those of its user. */
static void messages_have_the_names_of_the_request(void **state)
{
    static const spcc_declaration renamed = {.name = "M", .format = "csr"};
    struct place *place = *state;
    spcc_context *context = open_bare(place->path);
    spcc_compile_options options = options_of(&renamed);
    spcc_kernel *kernel;
    const double ones[] = {1, 1, 1};
    const int64_t three = 3;
    spcc_tensor *M = sample(context, "csr"), *v, *w;
    expect(context, SPCC_OK, spcc_compile(context, "w(row) = M(row,c) * v(c)", &options, &kernel));
    assert_int_equal(spcc_kernel_get_info(kernel)->engine, SPCC_ENGINE_PACK);
    assert_string_equal(spcc_kernel_tensor_name(kernel, 1), "M");
    expect(context, SPCC_OK, spcc_tensor_dense(context, SPCC_F64, 1, &three, ones, &v));
    expect(context, SPCC_OK, spcc_tensor_new(context, NULL, SPCC_F64, 1, NULL, NULL, &w));
    expect(context, SPCC_ERROR_BINDING, spcc_run(context, kernel, w, M, v));
    expect_message(context, "c has the size 4 by mode 2 of M and the size 3 by mode 1 of v");
    spcc_tensor_free(M);
    spcc_tensor_free(v);
    spcc_tensor_free(w);
    spcc_kernel_free(kernel);
    spcc_context_free(context);
}

/* The size of the tensors at hand is no part of a request. */
static void found_for_tensors(void **state)
{
    struct place *place = *state;
    spcc_context *context = open_bare(place->path);
    spcc_tensor *A = sample(context, "csr");
    const spcc_declaration declaration = {.name = "A", .tensor = A};
    spcc_compile_options options = options_of(&declaration);
    options.plan_for_tensors = true;
    assert_int_equal(engine_for(context, spmv, &options), SPCC_ENGINE_PACK);
    spcc_tensor_free(A);
    spcc_context_free(context);
}

/* ---- damage ---- */

struct bytes {
    unsigned char *at;
    size_t n;
};

static struct bytes read_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    struct bytes bytes = {malloc(1 << 20), 0};
    bytes.n = fread(bytes.at, 1, 1 << 20, file);
    fclose(file);
    return bytes;
}

static void write_file(const char *path, const void *at, size_t n)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(at, 1, n, file), n);
    fclose(file);
}

/* The bytes are no pack for the request: it is compiled otherwise, and the note says so. */
static void expect_passed_over(struct place *place, const void *at, size_t n, const char *said)
{
    spcc_compile_options options = options_of(&csr);
    write_file(place->copy, at, n);
    spcc_context *context = open_bare(place->copy);
    assert_int_equal(engine_for(context, spmv, &options), SPCC_ENGINE_INTERP);
    expect_message(context, said);
    expect_message(context, "copy.so");
    spcc_context_free(context);
}

static unsigned char *find(struct bytes bytes, const char *text)
{
    return memmem(bytes.at, bytes.n, text, strlen(text));
}

static void truncated(void **state)
{
    struct place *place = *state;
    struct bytes whole = read_file(place->path);
    for (size_t part = 0; part < 16; part++)
        expect_passed_over(place, whole.at, whole.n * part / 16, "not whole");
    free(whole.at);
}

static void of_another_version(void **state)
{
    struct place *place = *state;
    struct bytes bytes = read_file(place->path);
    find(bytes, "spccpack")[8] ^= 1;
    expect_passed_over(place, bytes.at, bytes.n, "another version of spcc");
    free(bytes.at);
}

/* Places that reach beyond the section, and an object that is another. */
static void flipped(void **state)
{
    struct place *place = *state;
    struct bytes bytes = read_file(place->path);
    unsigned char *head = find(bytes, "spccpack");
    struct pack_entry *entry = (void *)(head + 8 + SHA256_SIZE + 16);
    uint64_t at = entry->at, size = entry->size;
    entry->size = UINT64_MAX;
    expect_passed_over(place, bytes.at, bytes.n, "not whole");
    entry->size = size;
    entry->at = at + 1;
    expect_passed_over(place, bytes.at, bytes.n, "not whole");
    entry->at = at;
    for (size_t e = 0; e < 2; e++) /* with threads and without */
        head[entry[e].at + entry[e].size / 2] ^= 1;
    expect_passed_over(place, bytes.at, bytes.n, "no whole kernel");
    free(bytes.at);
}

static void for_a_newer_processor(void **state)
{
    struct place *place = *state;
    struct bytes bytes = read_file(place->path);
    struct pack_entry *entry = (void *)(find(bytes, "spccpack") + 8 + SHA256_SIZE + 16);
    for (size_t e = 0; e < 4; e++)
        strcpy(entry[e].machine, "x86-64-v9");
    expect_passed_over(place, bytes.at, bytes.n, "is for x86-64-v9");
    free(bytes.at);
}

static void not_there(void **state)
{
    spcc_compile_options options = options_of(&csr);
    spcc_context *context = open_bare("/no/pack.so:/tmp");
    (void)state;
    assert_int_equal(engine_for(context, spmv, &options), SPCC_ENGINE_INTERP);
    expect_message(context, "/no/pack.so is passed over: No such file");
    expect_message(context, "/tmp is passed over: it is no file");
    char *text;
    expect(context, SPCC_ERROR_COMPILER, spcc_engine_describe(context, SPCC_ENGINE_PACK, &text));
    spcc_context_free(context);
}

/* ---- for C programs, and mistakes ---- */

static void functions(void **state)
{
    struct place *place = *state;
    const int32_t pos[] = {0, 2, 3}, crd[] = {0, 1, 1};
    const double vals[] = {1, 2, 3}, x[] = {10, 100};
    double y[2];
    /* the OpenMP runtime that it brings does not survive being unloaded */
    void *library = dlopen(place->path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    assert_non_null(library);
    int (*call)(int32_t, int32_t, const int32_t *, const int32_t *, const double *, const double *,
                double *) = dlsym(library, "spmv");
    assert_non_null(call);
    assert_non_null(dlsym(library, "total"));
    assert_int_equal(call(2, 2, pos, crd, vals, x, y), 0);
    assert_true(y[0] == 210 && y[1] == 300);
    dlclose(library);
}

static void mistakes(void **state)
{
    struct place *place = *state;
    spcc_context *context = place->maker;
    static const char *const unknown[] = {"vax"};
    spcc_pack_options options = {.size = sizeof options, .machines = unknown, .n_machines = 1};
    spcc_compile_options kernel = options_of(&csr);
    spcc_pack *pack;
    expect(context, SPCC_ERROR_ARGUMENT, spcc_pack_new(context, &options, &pack));
    expect_message(context, "no pack is made here for 'vax'");
    assert_null(pack);
    options.machines = NULL;
    expect(context, SPCC_ERROR_ARGUMENT, spcc_pack_new(context, &options, &pack));
    expect_message(context, "do not go together");
    options = (spcc_pack_options){.size = sizeof options, .functions = true};
    expect(context, SPCC_OK, spcc_pack_new(context, &options, &pack));
    expect(context, SPCC_ERROR_ARGUMENT, spcc_pack_write(context, pack, place->copy));
    expect_message(context, "no kernel yet");
    expect(context, SPCC_ERROR_ARGUMENT, spcc_pack_add(context, pack, spmv, &kernel));
    expect_message(context, "needs a name");
    kernel.name = "spmv";
    expect(context, SPCC_ERROR_STATEMENT, spcc_pack_add(context, pack, "y(i) = ", &kernel));
    kernel.kind = SPCC_SPLIT;
    expect(context, SPCC_ERROR_ARGUMENT, spcc_pack_add(context, pack, spmv, &kernel));
    kernel.kind = SPCC_FUSED;
    kernel.language = SPCC_LANGUAGE_CUDA;
    expect(context, SPCC_ERROR_ARGUMENT, spcc_pack_add(context, pack, spmv, &kernel));
    assert_int_equal(spcc_pack_add(context, NULL, spmv, NULL), SPCC_ERROR_ARGUMENT);
    assert_int_equal(spcc_pack_new(context, NULL, NULL), SPCC_ERROR_ARGUMENT);
    spcc_pack_free(pack);
    spcc_pack_free(NULL);
}

/* A compiler that fails is told of, and nothing is written. */
static void no_compiler(void **state)
{
    struct place *place = *state;
    spcc_context *context = open_bare("");
    spcc_compile_options kernel = options_of(&csr);
    spcc_pack *pack;
    expect(context, SPCC_OK, spcc_pack_new(context, NULL, &pack));
    expect(context, SPCC_ERROR_COMPILER, spcc_pack_add(context, pack, spmv, &kernel));
    assert_int_equal(access(place->copy, F_OK), -1);
    spcc_pack_free(pack);
    spcc_context_free(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_compiler),
        cmocka_unit_test(found_and_run),
        cmocka_unit_test(widths),
        cmocka_unit_test(what_a_request_is),
        cmocka_unit_test(found_for_tensors),
        cmocka_unit_test(truncated),
        cmocka_unit_test(of_another_version),
        cmocka_unit_test(flipped),
        cmocka_unit_test(for_a_newer_processor),
        cmocka_unit_test(not_there),
        cmocka_unit_test(functions),
        cmocka_unit_test(mistakes),
        cmocka_unit_test(messages_have_the_names_of_the_request),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
