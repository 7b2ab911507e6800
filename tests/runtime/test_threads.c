/* test_threads.c - what is done on several threads comes out as on one.
 *
 * The lists are longer than what is given one thread, so that ThreadSanitizer (`./bootstrap.sh test
 * all`) sees the threads share blocks of keys, chunks of a file, and what they count.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdio.h>

#include "runtime/io/io.h"
#include "runtime/tensor/coords.h"
#include "runtime/tensor/parallel.h"
#include "runtime/tensor/tensor.h"
#include "tests/runtime/support.h"

enum { THREADS = 8, TASKS = 10000, ROWS = 3000, ENTRIES = 100000, LINE = 40 };

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
    parallel_run(THREADS, TASKS, count_task, tally);
    for (int t = 0; t < TASKS; t++)
        assert_int_equal(tally->of_task[t], 1);
    for (int w = 0; w < THREADS; w++)
        done += tally->of_worker[w];
    assert_int_equal(done, TASKS);
    free(tally);
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
    assert_int_equal(coords_sort(&one, NULL, 1, &error), RT_OK);
    assert_int_equal(coords_sort(&many, NULL, THREADS, &error), RT_OK);
    same_lists(&one, &many);
    coords_free(&one);
    coords_free(&many);
}

static void packed_tensors_are_the_same(void **state)
{
    static const char *const letters[] = {"ds", "ss", "uq", "sd", "hh"};
    struct hand_format hand;
    struct rt_error error;
    (void)state;
    for (size_t f = 0; f < sizeof letters / sizeof *letters; f++) {
        const struct format *format = hand_format(&hand, letters[f], NULL, TYPE_I32, TYPE_I32);
        struct coords list[2];
        struct tensor *tensor[2];
        for (int k = 0; k < 2; k++) {
            make_list(&list[k]);
            assert_int_equal(tensor_pack(&list[k], format, value_zero(TYPE_F64), k ? THREADS : 1,
                                         "A", &tensor[k], &error),
                             RT_OK);
            coords_free(&list[k]);
        }
        assert_int_equal(tensor[0]->nvals, tensor[1]->nvals);
        assert_memory_equal(tensor[0]->vals, tensor[1]->vals,
                            (size_t)tensor[0]->nvals * sizeof(double));
        tensor_free(tensor[0]);
        tensor_free(tensor[1]);
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
    assert_int_equal(io_read_text("x.tns", text, size, &request, &many, &error), RT_OK);
    assert_int_equal(one.n, ENTRIES);
    same_lists(&one, &many);
    coords_free(&one);
    coords_free(&many);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_task_is_done_once),
        cmocka_unit_test(sorted_lists_are_the_same),
        cmocka_unit_test(packed_tensors_are_the_same),
        cmocka_unit_test(read_lists_are_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
