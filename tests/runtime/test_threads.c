/* test_threads.c - what is done on several threads comes out as on one.
 *
 * The lists are longer than what is given one thread, so that ThreadSanitizer (`./bootstrap.sh test
 * all`) sees the threads share blocks of keys, chunks of a file, and what they count.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdio.h>
#include <unistd.h>

#include "runtime/io/io.h"
#include "runtime/tensor/coords.h"
#include "runtime/tensor/tensor.h"
#include "runtime/threads/threads.h"
#include "tests/runtime/support.h"

enum { THREADS = 8, TASKS = 10000, ROWS = 3000, ENTRIES = 100000, LINE = 40, MANY = 300000 };

/* ---- tasks ---- */

struct tally {
    int of_task[TASKS];
    int64_t of_worker[THREADS];
};

/* Neither count is atomic: a task is one worker's, and a worker is one thread. */
static void count_task(void *data, int64_t task, int worker)
{
    struct tally *tally = data;
    tally->of_task[task]++;
    tally->of_worker[worker]++;
}

static void each_task_is_done_once(void **state)
{
    struct tally *tally = calloc(1, sizeof *tally);
    int64_t done = 0;
    (void)state;
    assert_non_null(tally);
    threads_run(THREADS, TASKS, count_task, tally);
    for (int t = 0; t < TASKS; t++)
        assert_int_equal(tally->of_task[t], 1);
    for (int w = 0; w < THREADS; w++)
        done += tally->of_worker[w];
    assert_int_equal(done, TASKS);
    free(tally);
}

static void note_task(void *data, int64_t task, int worker)
{
    (void)worker;
    ((char *)data)[task]++;
}

static void any_number_of_threads_does_all(void **state)
{
    (void)state;
    for (int threads = 1; threads < 2 * THREADS_MAX; threads = 3 * threads) {
        char done[1000] = {0};
        threads_run(threads, 1000, note_task, done);
        for (int i = 0; i < 1000; i++)
            assert_int_equal(done[i], 1);
    }
    threads_run(3, 0, note_task, NULL);
    int64_t last = 0;
    for (int part = 0; part <= 7; part++) {
        assert_true(threads_begin(100, 7, part) - last <= 15);
        last = threads_begin(100, 7, part);
    }
    assert_int_equal(last, 100);
}

/* ---- how many ---- */

static void numbers_are_wanted_or_in_the_environment(void **state)
{
    static const struct {
        const char *text;
        int threads; /* 0: the processors */
    } cases[] = {{"3", 3}, {" 5,2", 5}, {"", 0}, {"0", 0}, {"-1", 0}, {"many", 0}, {"999", 128}};
    (void)state;
    unsetenv("OMP_NUM_THREADS");
    int processors = threads_count(0);
    assert_in_range(processors, 1, THREADS_MAX);
    assert_int_equal(threads_count(7), 7);
    assert_int_equal(threads_count(1 << 30), THREADS_MAX);
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        setenv("OMP_NUM_THREADS", cases[c].text, 1);
        assert_int_equal(threads_count(0), cases[c].threads ? cases[c].threads : processors);
        assert_int_equal(threads_count(2), 2);
    }
    unsetenv("OMP_NUM_THREADS");
}

/* Who does not ask for a number gets what others leave; who does gets it. */
static void threads_are_shared(void **state)
{
    (void)state;
    setenv("OMP_NUM_THREADS", "4", 1);
    int first = threads_take(3), second = threads_take(0), third = threads_take(0),
        wanted = threads_take(6);
    assert_int_equal(first, 3);
    assert_int_equal(second, 2);
    assert_int_equal(third, 1);
    assert_int_equal(wanted, 6);
    threads_give(wanted);
    threads_give(first);
    threads_give(third);
    assert_int_equal(threads_take(0), 3);
    threads_give(3);
    threads_give(second);
    assert_int_equal(threads_take(0), 4);
    threads_give(4);
    unsetenv("OMP_NUM_THREADS");
}

/* Within a task all is done by its own thread. */
static void count_within(void *data, int64_t task, int worker)
{
    (void)worker;
    ((int *)data)[task] = threads_count(5) + threads_take(0) - 1;
}

static void tasks_within_tasks_are_serial(void **state)
{
    (void)state;
    int threads[50];
    threads_run(4, 50, count_within, threads);
    for (int t = 0; t < 50; t++)
        assert_int_equal(threads[t], 1);
    assert_int_equal(threads_count(5), 5);
}

/* ---- lists ---- */

static void make_list(struct coords *coords)
{
    uint64_t seed = 1;
    coords_init(coords, 2, (const int64_t[]){ROWS, ROWS}, TYPE_F64);
    assert_true(coords_reserve(coords, ENTRIES));
    for (int e = 0; e < ENTRIES; e++) {
        const int64_t at[] = {random_below(&seed, ROWS), random_below(&seed, ROWS)};
        const double value = e;
        assert_true(coords_add(coords, at, &value));
    }
}

static void same_lists(const struct coords *a, const struct coords *b)
{
    assert_int_equal(a->n, b->n);
    assert_int_equal(a->order, b->order);
    for (int m = 0; m < a->order; m++)
        assert_memory_equal(a->coordinate[m], b->coordinate[m], (size_t)a->n * sizeof(int64_t));
    assert_memory_equal(a->vals, b->vals, (size_t)a->n * type_size(a->type));
}

static void sorted_lists_are_the_same(void **state)
{
    struct coords one, many;
    struct rt_error error;
    (void)state;
    make_list(&one);
    make_list(&many);
    assert_int_equal(coords_sort(&one, 1, &error), RT_OK);
    assert_int_equal(coords_sort(&many, THREADS, &error), RT_OK);
    same_lists(&one, &many);
    coords_free(&one);
    coords_free(&many);
}

/* The coordinate of an entry in mode m: of a mode below 40, and with a tenth of all entries at one
 * place, or anywhere in `size`. */
static int64_t coordinate_of(int64_t entry, int m, int64_t size)
{
    uint64_t mixed = ((uint64_t)entry * 8 + (uint64_t)m) * UINT64_C(0x9e3779b97f4a7c15);
    mixed = (mixed ^ mixed >> 29) * UINT64_C(0xbf58476d1ce4e5b9);
    return size < 40 && mixed % 10 == 0 ? size / 3 : (int64_t)((mixed >> 1) % (uint64_t)size);
}

/* The same; of n entries in order of mode 0, if n is not 0. */
static int64_t entry_at(int64_t entry, int m, int64_t size, int64_t n)
{
    return n > 0 && m == 0 ? size / n * entry + size % n * entry / n
                           : coordinate_of(entry, m, size);
}

/* Entries are put in order where they are, or stay where they are if they are in order of a digit:
 * as many as are in one block more or less, in parts of one thread and of all, with keys of one
 * word and of two, values of 4 to 16 bytes. */
static void equal_entries_keep_their_order(void **state)
{
    static const int64_t many[] = {(1 << 15) + 1, 300000, 300031, 1300000, 70000};
    static const struct {
        enum type type;
        int64_t size[3];
    } list[] = {{TYPE_F32, {35, 1, 200}},
                {TYPE_F64, {3, 9000, 1}},
                {TYPE_C128, {INT64_C(1) << 40, 35, INT64_C(1) << 40}}};
    (void)state;
    for (size_t c = 0; c < 5 * 3; c++) {
        const int64_t n = many[c / 3], *size = list[c % 3].size;
        const bool by_first = n == 70000;
        struct coords coords;
        coords_init(&coords, 3, size, list[c % 3].type);
        assert_true(coords_reserve(&coords, n));
        for (int64_t i = 0; i < n; i++) {
            char value[16];
            int64_t at[3];
            for (int m = 0; m < 3; m++)
                at[m] = entry_at(i, m, size[m], by_first ? n : 0);
            value_store(value_int(coords.type, i), value);
            assert_true(coords_add(&coords, at, value));
        }
        assert_int_equal(coords_sort(&coords, c % 2 ? THREADS : 3, NULL), RT_OK);
        double last = -1;
        for (int64_t i = 0; i < n; i++) {
            const char *vals = coords.vals;
            int differs = 0;
            double entry = coords.type == TYPE_F32
                               ? ((float *)vals)[i]
                               : ((double *)vals)[coords.type == TYPE_F64 ? i : 2 * i];
            for (int m = 0; m < 3; m++) {
                int64_t at = coords.coordinate[m][i];
                assert_int_equal(at, entry_at((int64_t)entry, m, size[m], by_first ? n : 0));
                if (i > 0 && differs == 0)
                    differs =
                        (at > coords.coordinate[m][i - 1]) - (at < coords.coordinate[m][i - 1]);
            }
            assert_true(differs > 0 || (differs == 0 && entry > last));
            last = entry;
        }
        coords_free(&coords);
    }
}

/* Rows and columns below `size`, with a tenth of all in one row; values are whole, so that their
 * sums are exact.  In order of the modes, if so asked. */
static void make_skewed(struct coords *coords, int size, bool ordered, double *sum)
{
    uint64_t seed = 3;
    coords_init(coords, 2, (const int64_t[]){size, size}, TYPE_F64);
    assert_true(coords_reserve(coords, MANY));
    memset(sum, 0, (size_t)size * (size_t)size * sizeof *sum);
    for (int e = 0; e < MANY; e++) {
        int64_t row = random_below(&seed, 10) ? random_below(&seed, size) : size / 3;
        const int64_t at[] = {row, random_below(&seed, size)};
        const double value = (double)random_below(&seed, 9) - 4;
        sum[at[0] * size + at[1]] += value;
        assert_true(coords_add(coords, at, &value));
    }
    if (ordered)
        assert_int_equal(coords_sort(coords, 1, NULL), RT_OK);
}

static void has_sums(const struct tensor *tensor, int size, const double *sum)
{
    struct coords back;
    double *seen = calloc((size_t)size * (size_t)size, sizeof *seen);
    assert_non_null(seen);
    assert_int_equal(tensor_unpack(tensor, false, 1, &back, NULL), RT_OK);
    for (int64_t i = 0; i < back.n; i++)
        seen[back.coordinate[0][i] * size + back.coordinate[1][i]] += ((double *)back.vals)[i];
    for (int64_t at = 0; at < (int64_t)size * size; at++)
        assert_true(seen[at] == sum[at]);
    free(seen);
    coords_free(&back);
}

static void same_tensors(const struct tensor *a, const struct tensor *b)
{
    assert_int_equal(a->nvals, b->nvals);
    assert_memory_equal(a->vals, b->vals, (size_t)a->nvals * sizeof(double));
    for (int k = 0; k < a->format->levels; k++)
        for (int n = 0; n < LEVEL_ARRAYS; n++) {
            const struct level_storage *x = &a->level[k], *y = &b->level[k];
            assert_int_equal(x->length[n], y->length[n]);
            if (x->array[n])
                assert_memory_equal(x->array[n], y->array[n],
                                    (size_t)x->length[n]
                                        * type_size(level_array_type(x->format, n)));
        }
}

/* With many entries in a row, and with few; from lists that are in order, and from others. */
static void packed_tensors_are_the_same(void **state)
{
    static const char *const letters[] = {"ds", "ss", "uq", "sd", "dd", "hh", "hs",
                                          "sh", "dc", "cs", "bs", "db", "vw"};
    enum { CASES = 2 * sizeof letters / sizeof *letters };
    struct hand_format hand;
    struct rt_error error;
    (void)state;
    for (size_t c = 0; c < 2 * CASES; c++) {
        const char *name = letters[c / 4];
        const struct format *format = hand_format(&hand, name, NULL, TYPE_I32, TYPE_I32);
        int size = c % 2 ? 90 : 900;
        double *sum = malloc((size_t)size * (size_t)size * sizeof *sum);
        struct tensor *tensor[2];
        assert_non_null(sum);
        for (int k = 0; k < 2; k++) {
            struct coords list;
            make_skewed(&list, size, c / 2 % 2, sum);
            if (tensor_pack(&list, format, value_zero(TYPE_F64), k ? THREADS : 1, "A", &tensor[k],
                            &error)
                != RT_OK)
                fail_msg("%s: %s", name, error.message);
            coords_free(&list);
        }
        if (tensor_validate(tensor[1], "A", &error) != RT_OK)
            fail_msg("%s: %s", name, error.message);
        has_sums(tensor[1], size, sum);
        same_tensors(tensor[0], tensor[1]);
        tensor_free(tensor[0]);
        tensor_free(tensor[1]);
        free(sum);
    }
}

/* The first of the faults, whoever finds it. */
static void faults_are_the_same(void **state)
{
    struct hand_format hand;
    (void)state;
    const struct format *format = hand_format(&hand, "dq", NULL, TYPE_I32, TYPE_I32);
    for (int threads = 1; threads <= THREADS; threads += 7) {
        struct coords list;
        struct tensor *tensor;
        struct rt_error error;
        coords_init(&list, 2, (const int64_t[]){MANY, 9}, TYPE_F64);
        for (int64_t i = 0; i < MANY; i++)
            for (int64_t more = i % 100000 == 99999; more >= 0; more--)
                assert_true(coords_add(&list, (const int64_t[]){i, more}, &(double){1}));
        assert_int_equal(
            tensor_pack(&list, format, value_zero(TYPE_F64), threads, "A", &tensor, &error),
            RT_INPUT);
        assert_non_null(strstr(error.message, "99999"));
        assert_null(strstr(error.message, "199999"));
        coords_free(&list);
    }
}

/* ---- files ---- */

static char *make_text(size_t *size)
{
    uint64_t seed = 2;
    char *text = malloc((size_t)ENTRIES * LINE), *end = text;
    assert_non_null(text);
    for (int e = 0; e < ENTRIES; e++)
        end += snprintf(end, LINE, "%d %d %d\n", 1 + (int)random_below(&seed, ROWS),
                        1 + (int)random_below(&seed, ROWS), e);
    *size = (size_t)(end - text);
    return text;
}

static void read_lists_are_the_same(void **state)
{
    struct coords one, many;
    struct rt_error error;
    size_t size;
    char *text = make_text(&size);
    struct io_request request = {.type = TYPE_F64, .order = 2, .format = "tns", .threads = 1};
    (void)state;
    assert_int_equal(io_read_text("x.tns", text, size, &request, &one, &error), RT_OK);
    request.threads = THREADS;
    request.chunk = 10000;
    assert_int_equal(io_read_text("x.tns", text, size, &request, &many, &error), RT_OK);
    assert_int_equal(one.n, ENTRIES);
    same_lists(&one, &many);
    coords_free(&one);
    coords_free(&many);
    free(text);
}

/* Bytes of a file, which is removed. */
static char *take_file(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    char *bytes = malloc(MANY * LINE);
    assert_true(file && bytes);
    *size = fread(bytes, 1, MANY * LINE, file);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(remove(path), 0);
    return bytes;
}

/* Lists, and files in many pieces, compressed or not, are those of one thread. */
static void written_files_are_the_same(void **state)
{
    static const char *const letters[] = {"ds", "uq", "dd", "hs"}, *const ends[] = {"tns",
                                                                                    "mtx.gz"};
    enum { SIZE = 300 };
    struct hand_format hand;
    struct rt_error error;
    double *sum = malloc(SIZE * SIZE * sizeof *sum);
    char path[100];
    (void)state;
    assert_non_null(sum);
    for (size_t c = 0; c < 2 * sizeof letters / sizeof *letters; c++) {
        const struct format *format = hand_format(&hand, letters[c / 2], NULL, TYPE_I32, TYPE_I32);
        struct coords list, lists[2];
        struct tensor *tensor;
        char *bytes[2];
        size_t size[2];
        make_skewed(&list, SIZE, false, sum);
        assert_int_equal(tensor_pack(&list, format, value_zero(TYPE_F64), 1, "A", &tensor, &error),
                         RT_OK);
        coords_free(&list);
        snprintf(path, sizeof path, "/tmp/spcc-threads-%ld.%s", (long)getpid(), ends[c % 2]);
        for (int k = 0; k < 2; k++) {
            int threads = k ? THREADS : 1;
            assert_int_equal(
                io_write(path, &(struct io_writing){.threads = threads}, tensor, &error), RT_OK);
            bytes[k] = take_file(path, &size[k]);
            assert_int_equal(tensor_unpack(tensor, true, threads, &lists[k], &error), RT_OK);
        }
        assert_int_equal(size[0], size[1]);
        assert_memory_equal(bytes[0], bytes[1], size[0]);
        same_lists(&lists[0], &lists[1]);
        for (int k = 0; k < 2; k++) {
            coords_free(&lists[k]);
            free(bytes[k]);
        }
        tensor_free(tensor);
    }
    free(sum);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_task_is_done_once),
        cmocka_unit_test(any_number_of_threads_does_all),
        cmocka_unit_test(numbers_are_wanted_or_in_the_environment),
        cmocka_unit_test(threads_are_shared),
        cmocka_unit_test(tasks_within_tasks_are_serial),
        cmocka_unit_test(sorted_lists_are_the_same),
        cmocka_unit_test(equal_entries_keep_their_order),
        cmocka_unit_test(packed_tensors_are_the_same),
        cmocka_unit_test(faults_are_the_same),
        cmocka_unit_test(read_lists_are_the_same),
        cmocka_unit_test(written_files_are_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
