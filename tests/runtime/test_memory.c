/* test_memory.c - what happens when memory, threads or the disk run out, at every single step.
 *
 * The linker lets the calls of malloc, aligned_alloc, calloc, realloc, strdup, realpath,
 * pthread_create and write in spcc's own code go through the functions below, of which the one
 * after some more calls fails.
 * Those of fopen are counted.
 * zlib's go their own way.
 *
 * SPDX-License-Identifier: MIT
 */
#include "tests/runtime/support.h"

#include <errno.h>
#include <malloc.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>

#include "runtime/io/io.h"
#include "runtime/tensor/generate.h"
#include "runtime/tensor/tensor.h"

/* ---- calls that fail ---- */

static atomic_long until_failure = -1; /* calls that still succeed; negative: all do */
static atomic_bool has_failed, writing_fails, threads_fail;

static bool fails(void)
{
    if (atomic_load(&until_failure) < 0)
        return false;
    if (atomic_fetch_sub(&until_failure, 1) > 0)
        return false;
    atomic_store(&until_failure, -1);
    atomic_store(&has_failed, true);
    errno = ENOMEM;
    return true;
}

void *__real_malloc(size_t size);
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *at, size_t size);
void *__real_aligned_alloc(size_t line, size_t size);
char *__real_strdup(const char *s);
char *__real_realpath(const char *path, char *resolved);
int __real_pthread_create(pthread_t *thread, const pthread_attr_t *attr, void *(*run)(void *),
                          void *data);
ssize_t __real_write(int fd, const void *bytes, size_t n);
FILE *__real_fopen64(const char *path, const char *mode);

void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_realloc(void *at, size_t size);
void *__wrap_aligned_alloc(size_t line, size_t size);
char *__wrap_strdup(const char *s);
char *__wrap_realpath(const char *path, char *resolved);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attr, void *(*run)(void *),
                          void *data);
ssize_t __wrap_write(int fd, const void *bytes, size_t n);
FILE *__wrap_fopen64(const char *path, const char *mode);

void *__wrap_malloc(size_t size) { return fails() ? NULL : __real_malloc(size); }
void *__wrap_calloc(size_t n, size_t size) { return fails() ? NULL : __real_calloc(n, size); }
void *__wrap_aligned_alloc(size_t line, size_t size)
{
    return fails() ? NULL : __real_aligned_alloc(line, size);
}
/* Nobody minds if an array does not get smaller. */
void *__wrap_realloc(void *at, size_t size)
{
    bool grows = !at || size > malloc_usable_size(at);
    return grows && fails() ? NULL : __real_realloc(at, size);
}

char *__wrap_strdup(const char *s) { return fails() ? NULL : __real_strdup(s); }
char *__wrap_realpath(const char *path, char *resolved)
{
    return fails() ? NULL : __real_realpath(path, resolved);
}

int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attr, void *(*run)(void *),
                          void *data)
{
    return atomic_load(&threads_fail) ? EAGAIN : __real_pthread_create(thread, attr, run, data);
}

/* The disk gets full after one byte. */
ssize_t __wrap_write(int fd, const void *bytes, size_t n)
{
    if (!atomic_load(&writing_fails) || fd < 3)
        return __real_write(fd, bytes, n);
    if (n > 1)
        return __real_write(fd, bytes, 1);
    errno = ENOSPC;
    return -1;
}

static atomic_long opened; /* files, so far */

FILE *__wrap_fopen64(const char *path, const char *mode)
{
    atomic_fetch_add(&opened, 1);
    return __real_fopen64(path, mode);
}

/* ---- at every step ---- */

/* Run it with the first allocation failing, the second, ... until none fails any more. */
static int at_every_step(enum rt_status (*run)(struct rt_error *))
{
    for (int step = 0;; step++) {
        struct rt_error error = {.status = RT_OK};
        atomic_store(&has_failed, false);
        atomic_store(&until_failure, step);
        enum rt_status status = run(&error);
        atomic_store(&until_failure, -1);
        bool failed = atomic_load(&has_failed);
        if (status == RT_OK) {
            assert_false(failed);
            return step;
        }
        assert_int_equal(status, RT_NO_MEMORY);
        assert_int_equal(error.status, RT_NO_MEMORY);
        assert_true(failed);
    }
}

static const char text[] =
    "%%MatrixMarket matrix coordinate real symmetric\n9 9 6\n9 1 5\n2 1 7\n3 3 1\n9 2 7\n9 1 2\n"
    "5 4 1.00000000000000000000000000000000000000000000000000000000000000000001d0\n";

/* Blocks of 4 rows. */
static void store_blocks(struct hand_format *hand)
{
    static const struct map_expr i = {.kind = MAP_MODE, .mode = 0},
                                 four = {.kind = MAP_CONSTANT, .constant = 4};
    hand->map[0] = (struct map_expr){.kind = MAP_DIV, .a = &i, .b = &four};
    hand->map[2] = (struct map_expr){.kind = MAP_MOD, .a = &i, .b = &four};
    hand->level[0].mode = hand->level[2].mode = -1;
    hand->format.order = 2;
}

static enum rt_status read_pack_unpack(struct rt_error *error)
{
    static const char *const formats[] = {"ds", "uq", "ss", "dd", "vd", "hs", "hh", "cb", "ssd"};
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        struct hand_format hand;
        const struct format *format = hand_format(&hand, formats[i], NULL, TYPE_I32, TYPE_I32);
        if (format->levels == 3)
            store_blocks(&hand);
        struct io_request request = {
            .type = TYPE_F64, .order = 2, .format = "mtx", .threads = 2, .chunk = 20};
        struct coords coords, back;
        struct tensor *tensor;
        enum rt_status status = io_read_text("x", text, sizeof text - 1, &request, &coords, error);
        if (status != RT_OK)
            return status;
        status = tensor_pack(&coords, format, value_zero(TYPE_F64), 2, "A", &tensor, error);
        coords_free(&coords);
        if (status != RT_OK)
            return status;
        status = tensor_validate(tensor, "A", error);
        if (status == RT_OK) {
            status = tensor_unpack(tensor, true, 1, &back, error);
            if (status == RT_OK) {
                assert_int_equal(back.n, 9);
                coords_free(&back);
            }
        }
        tensor_free(tensor);
        if (status != RT_OK)
            return status;
    }
    return RT_OK;
}

static void packing_runs_out_of_memory(void **state)
{
    (void)state;
    assert_true(at_every_step(read_pack_unpack) > 140);
}

static char folder[] = "/tmp/spcc-memory-XXXXXX";
static char path[100], compressed[100];

static enum rt_status generate_and_write(struct rt_error *error)
{
    struct hand_format hand;
    struct tensor *tensor;
    struct coords made;
    struct generator g = {.kind = GENERATE_SPARSE, .density = 0.5, .seed = 1};
    struct generator drawn = {.kind = GENERATE_KRONECKER, .stored = 20, .seed = 1};
    struct io_writing plainly = {0};
    const struct format *format = hand_format(&hand, "hs", NULL, TYPE_I32, TYPE_I32);
    const int64_t dimension[] = {10, 10};
    coords_init(&made, 2, dimension, TYPE_F64);
    enum rt_status status = generate_coords(&drawn, 1, "A", &made, error);
    coords_free(&made);
    if (status != RT_OK)
        return status;
    coords_init(&made, 2, dimension, TYPE_F64);
    status = generate_coords(&g, 1, "A", &made, error);
    if (status == RT_OK)
        status = tensor_pack(&made, format, value_zero(TYPE_F64), 1, "A", &tensor, error);
    coords_free(&made);
    if (status != RT_OK)
        return status;
    status = io_write(path, &plainly, tensor, error);
    if (status == RT_OK)
        status = io_write(compressed, &plainly, tensor, error);
    tensor_free(tensor);
    struct io_request request = {.type = TYPE_F64, .order = 2};
    struct coords coords;
    if (status == RT_OK)
        status = io_read(compressed, &request, &coords, error);
    if (status == RT_OK)
        coords_free(&coords);
    return status;
}

static void files_run_out_of_memory(void **state)
{
    (void)state;
    assert_int_equal(at_every_step(generate_and_write) > 20, 1);
    /* Once more, with the files there. */
    assert_int_equal(at_every_step(generate_and_write) > 20, 1);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(unlink(compressed), 0);
}

static enum rt_status read_foreign(struct rt_error *error)
{
    static const char *const names[] = {
        "csr.npz", "bsr.npz", "dia.npz",        "tensor.npz", "dense.npz",
        "f.npy",   "soc.zip", "longpax.tar.gz", "bcs.tar.gz", "bcs.tar.gz/bcs/bcs_b.mtx"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char name[4096];
        struct io_request request = {.type = TYPE_F64, .order = -1};
        struct coords coords;
        snprintf(name, sizeof name, "%s/tests/data/foreign/%s", getenv("SPCC_SOURCE"), names[i]);
        enum rt_status status = io_read(name, &request, &coords, error);
        if (status != RT_OK)
            return status;
        coords_free(&coords);
    }
    return RT_OK;
}

static enum rt_status write_npz(struct rt_error *error)
{
    static const char *const formats[] = {"ds", "ss", "dd"};
    enum rt_status status = RT_OK;
    for (size_t i = 0; i < sizeof formats / sizeof *formats && status == RT_OK; i++) {
        struct hand_format hand;
        const struct format *format = hand_format(&hand, formats[i], NULL, TYPE_I32, TYPE_I32);
        struct io_request request = {.type = TYPE_F64, .order = 2, .format = "mtx"};
        struct io_writing how = {.format = "npz"};
        struct coords coords;
        struct tensor *tensor;
        status = io_read_text("x", text, sizeof text - 1, &request, &coords, error);
        if (status != RT_OK)
            return status;
        status = tensor_pack(&coords, format, value_zero(TYPE_F64), 1, "A", &tensor, error);
        coords_free(&coords);
        if (status != RT_OK)
            return status;
        status = io_write(path, &how, tensor, error);
        tensor_free(tensor);
    }
    return status;
}

static void foreign_files_run_out_of_memory(void **state)
{
    (void)state;
    assert_true(at_every_step(read_foreign) > 100);
    assert_true(at_every_step(write_npz) > 30);
    assert_int_equal(unlink(path), 0);
}

static int make_folder(void **state)
{
    (void)state;
    if (!mkdtemp(folder))
        return 1;
    snprintf(path, sizeof path, "%s/a.mtx", folder);
    snprintf(compressed, sizeof compressed, "%s/a.tns.gz", folder);
    return 0;
}

/* It is empty, so nothing was left behind. */
static int remove_folder(void **state)
{
    (void)state;
    return rmdir(folder);
}

static void the_disk_gets_full(void **state)
{
    (void)state;
    struct rt_error error;
    atomic_store(&writing_fails, true);
    enum rt_status status = generate_and_write(&error);
    atomic_store(&writing_fails, false);
    assert_int_equal(status, RT_SYSTEM);
    assert_non_null(strstr(error.message, "a.mtx: cannot be written: No space left on device"));
    assert_int_equal(access(path, F_OK), -1);
}

static void threads_run_out(void **state)
{
    (void)state;
    enum { N = 50000 };
    struct hand_format hand;
    struct coords coords;
    struct tensor *tensor;
    uint64_t seed = 1;
    const struct format *format = hand_format(&hand, "ss", NULL, TYPE_I32, TYPE_I32);
    coords_init(&coords, 2, (const int64_t[]){1000, 1000}, TYPE_I64);
    for (int64_t i = 0; i < N; i++)
        assert_true(coords_add(
            &coords, (const int64_t[]){random_below(&seed, 1000), random_below(&seed, 1000)}, &i));
    atomic_store(&threads_fail, true);
    assert_int_equal(tensor_pack(&coords, format, value_zero(TYPE_I64), 4, NULL, &tensor, NULL),
                     RT_OK);
    atomic_store(&threads_fail, false);
    assert_int_equal(tensor_validate(tensor, NULL, NULL), RT_OK);
    tensor_free(tensor);
    coords_free(&coords);
}

/* What the machine has to give stands in files, which take longer to read than a small tensor
 * takes to make. */
static long opened_for_bitmap_of(int64_t n)
{
    struct hand_format hand;
    struct rt_error error;
    struct tensor *tensor;
    const int64_t dimension[] = {n, 1};
    long before = atomic_load(&opened);
    assert_int_equal(tensor_new_empty(hand_format(&hand, "db", NULL, TYPE_I32, TYPE_I32), TYPE_F64,
                                      dimension, value_zero(TYPE_F64), NULL, &tensor, &error),
                     RT_OK);
    tensor_free(tensor);
    return atomic_load(&opened) - before;
}

static void small_tensors_do_not_ask_the_machine(void **state)
{
    (void)state;
    assert_int_equal(opened_for_bitmap_of(10), 0);
    assert_int_equal(opened_for_bitmap_of(100000), 0);
    assert_true(opened_for_bitmap_of(5 << 20) > 0);
}

/* Vectors of a cache line's length then cross none. */
static void arrays_begin_with_a_line(void **state)
{
    (void)state;
    for (int64_t n = 128; n < 1 << 20; n = 3 * n + 1) {
        void *array = memory_host.allocate(&memory_host, n, 8),
             *made = memory_host.resize(&memory_host, NULL, (size_t)n * 8);
        assert_non_null(array);
        assert_non_null(made);
        assert_int_equal((uintptr_t)array % 64, 0);
        assert_int_equal((uintptr_t)made % 64, 0);
        memory_host.release(&memory_host, array);
        memory_host.release(&memory_host, made);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(packing_runs_out_of_memory),
        cmocka_unit_test(files_run_out_of_memory),
        cmocka_unit_test(foreign_files_run_out_of_memory),
        cmocka_unit_test(the_disk_gets_full),
        cmocka_unit_test(threads_run_out),
        cmocka_unit_test(small_tensors_do_not_ask_the_machine),
        cmocka_unit_test(arrays_begin_with_a_line),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
