/* test_tensor.c - making tensors, checking those that come from outside, coordinate lists and their
 * sort.
 *
 * SPDX-License-Identifier: MIT
 */
#include "tests/runtime/support.h"

#include <stdio.h>

#include "runtime/tensor/alloc.h"
#include "runtime/tensor/keys.h"
#include "runtime/tensor/spare.h"
#include "runtime/tensor/tensor.h"
#include "runtime/tensor/walk.h"

/* ---- making ---- */

static void empty_tensors_are_valid(void **state)
{
    (void)state;
    static const char *const formats[] = {"",   "d",  "s",   "dd",  "ds", "ss",
                                          "sd", "uq", "upq", "dss", "wn", "uwd"};
    const int64_t dimension[] = {3, 4, 5};
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        struct hand_format hand;
        struct rt_error error;
        struct tensor *tensor;
        const struct format *format = hand_format(&hand, formats[i], NULL, TYPE_I32, TYPE_I32);
        assert_int_equal(tensor_new_empty(format, TYPE_F64, dimension, value_real(TYPE_F64, 2.5),
                                          "A", &tensor, &error),
                         RT_OK);
        assert_int_equal(tensor_validate(tensor, "A", &error), RT_OK);
        for (int64_t v = 0; v < tensor->nvals; v++)
            assert_true(((double *)tensor->vals)[v] == 2.5);
        assert_true(tensor->nvals == (i == 0 ? 1 : i == 1 ? 3 : i == 3 ? 12 : 0));
        assert_true(tensor_bytes(tensor) >= 8 * tensor->nvals);
        tensor_free(tensor);
    }
    tensor_free(NULL);
}

/* More rows than there is time for, and no columns. */
static void nothing_is_found_at_once(void **state)
{
    (void)state;
    static const char *const formats[] = {"dd", "dds", "ddu"};
    const int64_t dimension[] = {INT64_MAX, 0, 5};
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        struct hand_format hand;
        struct rt_error error;
        struct tensor *tensor;
        struct tensor_walk walk;
        const struct format *format = hand_format(&hand, formats[i], NULL, TYPE_I64, TYPE_I64);
        assert_int_equal(tensor_new_empty(format, TYPE_F64, dimension, value_zero(TYPE_F64), "A",
                                          &tensor, &error),
                         RT_OK);
        assert_int_equal(tensor_validate(tensor, "A", &error), RT_OK);
        assert_false(tensor_walk_first(&walk, tensor));
        tensor_free(tensor);
    }
}

static void sizes_out_of_range_are_refused(void **state)
{
    (void)state;
    struct hand_format hand;
    struct rt_error error;
    struct tensor *tensor;
    const int64_t negative[] = {-1, 4}, large[] = {3000000000, 4};
    const struct format *format = hand_format(&hand, "ds", NULL, TYPE_I32, TYPE_I32);
    struct value zero = value_zero(TYPE_F64);
    assert_int_equal(tensor_new(format, TYPE_F64, negative, zero, "A", &tensor, &error), RT_INPUT);
    assert_null(tensor);
    assert_string_equal(error.message, "A: mode 1 has the negative size -1");
    assert_int_equal(tensor_new(format, TYPE_F64, large, zero, NULL, &tensor, &error), RT_INPUT);
    assert_int_equal(error.code, DIAG_LIMIT);
    assert_string_equal(error.message,
                        "level 1 (dense): the size 3000000000 is beyond its crd type i32");
    assert_string_equal(error.help, "use 64 bits everywhere: {index 64}");
    /* 256 coordinates fit a byte, although the number 256 does not. */
    const int64_t byte[] = {256, 257};
    format = hand_format(&hand, "s", NULL, TYPE_I32, TYPE_U8);
    assert_int_equal(tensor_new(format, TYPE_F64, byte, zero, "A", &tensor, &error), RT_OK);
    tensor_free(tensor);
    assert_int_equal(tensor_new(format, TYPE_F64, byte + 1, zero, "A", &tensor, NULL), RT_INPUT);
}

/* What is said of a dense tensor without and with entries, where the process may use so many
 * bytes. */
static void refuses_dense(int64_t most, enum type type, enum diag_code code, const char *message,
                          const char *help)
{
    struct hand_format hand;
    struct rt_error error;
    struct tensor *tensor;
    struct coords coords;
    const int64_t huge[] = {1 << 20, 1 << 20}, origin[] = {0, 0};
    const double one[2] = {1};
    const struct format *format = hand_format(&hand, "dd", NULL, TYPE_I32, TYPE_I32);
    enum rt_status status = code == DIAG_MEMORY ? RT_NO_MEMORY : RT_INPUT;
    coords_init(&coords, 2, huge, type);
    assert_true(coords_add(&coords, origin, one));
    memory_follow((struct memory_rules){.limit = most});
    for (int filled = 0; filled < 2; filled++) {
        assert_int_equal(
            filled ? tensor_pack(&coords, format, value_zero(type), 1, "A", &tensor, &error)
                   : tensor_new_empty(format, type, huge, value_zero(type), "A", &tensor, &error),
            status);
        assert_null(tensor);
        assert_int_equal(error.code, code);
        assert_ptr_equal(strstr(error.message, message), error.message);
        assert_string_equal(error.help, help);
    }
    memory_follow((struct memory_rules){0});
    coords_free(&coords);
}

static void dense_tensors_that_do_not_fit_are_refused(void **state)
{
    (void)state;
    refuses_dense(
        1 << 30, TYPE_F64, DIAG_MEMORY,
        "A is dense, and its 1048576 x 1048576 components of f64 take 8.0 TiB, more than the ",
        "give A a sparse format, as in {format A:csr}; or {memory SIZE} allows for more");
    refuses_dense(
        INT64_MAX, TYPE_BOOL, DIAG_LIMIT,
        "A is dense, and its 1048576 x 1048576 components of bool are more than its indices count",
        "give A a sparse format, as in {format A:csr}; or use 64 bits everywhere: {index 64}");
}

static void products_that_overflow_are_refused(void **state)
{
    (void)state;
    struct hand_format hand;
    struct rt_error error;
    struct tensor *tensor;
    const int64_t beyond[] = {INT64_MAX / 2, 4}, vals[] = {INT64_MAX / 4, 2};
    const struct format *format = hand_format(&hand, "dd", NULL, TYPE_I64, TYPE_I64);
    assert_int_equal(
        tensor_new_empty(format, TYPE_F64, beyond, value_zero(TYPE_F64), "A", &tensor, &error),
        RT_NO_MEMORY);
    assert_int_equal(error.code, DIAG_MEMORY);
    assert_null(tensor);
    assert_int_equal(
        tensor_new_empty(format, TYPE_F64, vals, value_zero(TYPE_F64), "A", &tensor, &error),
        RT_NO_MEMORY);
    assert_null(tensor);
}

static void formats_without_a_way_back_are_refused(void **state)
{
    (void)state;
    struct hand_format hand;
    struct rt_error error;
    struct tensor *tensor;
    const int64_t dimension[] = {4, 4};
    const struct map_expr j = {.kind = MAP_MODE, .mode = 1},
                          two = {.kind = MAP_CONSTANT, .constant = 2};
    const struct format *format = hand_format(&hand, "ds", (const int[]){0, 0}, TYPE_I32, TYPE_I32);
    hand.level[1].mode = -1;
    assert_int_equal(
        tensor_new(format, TYPE_F64, dimension, value_zero(TYPE_F64), "A", &tensor, &error),
        RT_INPUT);
    assert_int_equal(error.code, DIAG_FORMAT);
    assert_string_equal(error.message,
                        "A: the coordinates do not follow from what the levels store (ds)");
    hand.map[1] = (struct map_expr){.kind = MAP_DIV, .a = &j, .b = &two};
    assert_int_equal(
        tensor_new_empty(format, TYPE_F64, dimension, value_zero(TYPE_F64), "A", &tensor, &error),
        RT_INPUT);
    assert_int_equal(error.code, DIAG_FORMAT);
    assert_null(tensor);
}

static void sizes_may_be_zero(void **state)
{
    (void)state;
    static const char *const formats[] = {"ddd", "dss", "sdd", "sss", "upq", "usd", "dud"};
    const int64_t dimension[][3] = {{0, 4, 5}, {3, 0, 5}, {3, 4, 0}, {0, 0, 0}};
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        for (int d = 0; d < 4; d++) {
            struct hand_format hand;
            struct tensor *tensor;
            struct coords coords;
            const struct format *format = hand_format(&hand, formats[i], NULL, TYPE_U8, TYPE_U8);
            assert_int_equal(tensor_new_empty(format, TYPE_C64, dimension[d], value_zero(TYPE_C64),
                                              NULL, &tensor, NULL),
                             RT_OK);
            assert_int_equal(tensor->nvals, 0);
            assert_int_equal(tensor_validate(tensor, NULL, NULL), RT_OK);
            assert_int_equal(tensor_unpack(tensor, false, 1, &coords, NULL), RT_OK);
            assert_int_equal(coords.n, 0);
            coords_free(&coords);
            tensor_free(tensor);
        }
}

/* ---- checking ---- */

static struct tensor *borrowing(const char *letters, const int64_t *dimension)
{
    struct hand_format hand;
    struct tensor *tensor;
    const struct format *format = hand_format(&hand, letters, NULL, TYPE_I32, TYPE_I32);
    assert_int_equal(
        tensor_new(format, TYPE_F64, dimension, value_zero(TYPE_F64), "B", &tensor, NULL), RT_OK);
    assert_null(tensor->memory);
    return tensor;
}

static void set_array(struct tensor *tensor, int k, int a, int32_t *array, int64_t length)
{
    tensor->level[k].array[a] = array;
    tensor->level[k].length[a] = length;
}

static void faults_name_level_and_element(void **state)
{
    (void)state;
    const int64_t dimension[] = {3, 8};
    int32_t pos[] = {0, 1, 1, 3}, crd[] = {2, 0, 9};
    double vals[] = {5, 7, 1};
    struct rt_error error;
    struct tensor *tensor = borrowing("ds", dimension);
    set_array(tensor, 1, 0, pos, 4);
    set_array(tensor, 1, 1, crd, 3);
    tensor->vals = vals;
    tensor->nvals = 3;
    assert_int_equal(tensor_validate(tensor, "B", &error), RT_INPUT);
    assert_int_equal(error.code, DIAG_TENSOR);
    assert_string_equal(error.message,
                        "B: level 2 (compressed) of size 8: crd[2] is 9, not below the dimension");
    assert_int_equal(tensor_validate(tensor, NULL, NULL), RT_INPUT);
    crd[2] = 3;
    assert_int_equal(tensor_validate(tensor, "B", &error), RT_OK);
    tensor->nvals = 2;
    assert_int_equal(tensor_validate(tensor, NULL, &error), RT_INPUT);
    assert_string_equal(error.message, "vals has 2 values, and the levels have 3 positions");
    tensor->nvals = 3;
    tensor->level[1].length[0] = 3;
    assert_int_equal(tensor_validate(tensor, "B", &error), RT_INPUT);
    assert_string_equal(
        error.message,
        "B: level 2 (compressed): pos, which has 3 elements, is shorter than one element "
        "for each parent and one more");
    tensor->level[1].length[0] = 4;
    tensor->vals = NULL;
    assert_int_equal(tensor_validate(tensor, "B", &error), RT_INPUT);
    tensor_free(tensor);
}

/* Order and uniqueness below a level that is not unique concern children of different parents. */
static void faults_between_parents_are_found(void **state)
{
    (void)state;
    static const struct {
        const char *letters;
        int32_t i[3], j[3];
        const char *message;
    } cases[] = {
        {"uq", {0, 0, 2}, {1, 3, 0}, NULL},
        {"uq",
         {0, 0, 2},
         {3, 1, 0},
         "B: level 2 (singleton): at position 1 the coordinate 1 is less than the one "
         "before it below the same coordinates"},
        {"uq",
         {0, 2, 2},
         {3, 1, 1},
         "B: level 2 (singleton): at position 2 the coordinate 1 is there twice below the "
         "same coordinates"},
        {"up", {0, 2, 2}, {3, 1, 1}, NULL},
        {"uo", {0, 0, 2}, {3, 1, 0}, NULL},
        {"uo",
         {0, 0, 2},
         {3, 3, 0},
         "B: level 2 (singleton): at position 1 the coordinate 3 is there twice below the "
         "same coordinates"},
        {"uq",
         {2, 0, 2},
         {1, 3, 0},
         "B: level 1 (compressed) of size 4: crd[1] is 0, less than the one before it"},
        {"wq", {2, 0, 2}, {1, 3, 0}, NULL},
        {"mq", {0, 1, 0}, {1, 0, 2}, NULL},
        {"mq", {1, 0, 2}, {1, 3, 0}, NULL},
        {"mq",
         {0, 0, 1},
         {1, 2, 0},
         "B: level 1 (compressed): at position 2 the coordinate 1 comes before the one before it "
         "in Morton order"},
        {"mq",
         {0, 1, 1},
         {1, 0, 0},
         "B: level 2 (singleton): at position 2 the coordinate 0 is there twice below the same "
         "coordinates"},
        {"sq", {0, 1, 2}, {3, 3, 0}, NULL},
        {"sq",
         {0, 1, 1},
         {3, 3, 0},
         "B: level 1 (compressed) of size 4: crd[2] is 1, twice below the same parent"},
    };
    const int64_t dimension[] = {4, 4};
    double vals[] = {1, 2, 3};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        int32_t pos[] = {0, 3}, i[3], j[3];
        struct rt_error error;
        struct tensor *tensor = borrowing(cases[c].letters, dimension);
        memcpy(i, cases[c].i, sizeof i);
        memcpy(j, cases[c].j, sizeof j);
        set_array(tensor, 0, 0, pos, 2);
        set_array(tensor, 0, 1, i, 3);
        set_array(tensor, 1, 0, j, 3);
        tensor->vals = vals;
        tensor->nvals = 3;
        enum rt_status status = tensor_validate(tensor, "B", &error);
        assert_int_equal(status, cases[c].message ? RT_INPUT : RT_OK);
        if (cases[c].message)
            assert_string_equal(error.message, cases[c].message);
        /* the remedy names the property that the level may do without */
        const char *word = status == RT_OK                  ? ""
                           : strstr(error.message, "twice") ? "nonunique"
                                                            : "unordered";
        char remedy[64];
        snprintf(remedy, sizeof remedy, "csr(%s), coo(%s) and the like", word, word);
        if (cases[c].message)
            assert_non_null(strstr(error.help, remedy));
        tensor_free(tensor);
    }
}

/* ---- coordinate lists ---- */

static void lists_grow(void **state)
{
    (void)state;
    struct coords coords;
    coords_init(&coords, 2, (const int64_t[]){1000, 3}, TYPE_I16);
    for (int16_t i = 0; i < 1000; i++)
        assert_true(coords_add(&coords, (const int64_t[]){i, i % 3}, &i));
    assert_int_equal(coords.n, 1000);
    for (int i = 0; i < 1000; i++)
        assert_true(coords.coordinate[0][i] == i && coords.coordinate[1][i] == i % 3
                    && ((int16_t *)coords.vals)[i] == i);
    assert_false(coords_reserve(&coords, INT64_MAX));
    assert_int_equal(coords_check(&coords, 1, NULL, NULL), RT_OK);
    struct rt_error error;
    coords.coordinate[1][7] = 3;
    assert_int_equal(coords_check(&coords, 1, "A", &error), RT_INPUT);
    assert_string_equal(error.message,
                        "A: entry 8 has the coordinate 3 in mode 2, which is outside its size 3");
    coords.coordinate[1][7] = -1;
    assert_int_equal(coords_check(&coords, 1, NULL, &error), RT_INPUT);
    coords.dimension[0] = -5;
    assert_int_equal(coords_check(&coords, 1, NULL, &error), RT_INPUT);
    assert_string_equal(error.message, "mode 1 has the negative size -5");
    coords_free(&coords);
}

#define SUMS(TYPE, T, a, b, c)                                                                 \
    do {                                                                                       \
        struct coords list;                                                                    \
        T v[] = {(T)(a), (T)(b)};                                                              \
        coords_init(&list, 1, (const int64_t[]){9}, TYPE);                                     \
        for (int i = 0; i < 4; i++)                                                            \
            assert_true(coords_add(&list, (const int64_t[]){i / 2}, &v[i % 2]));               \
        struct hand_format hand;                                                               \
        struct tensor *tensor;                                                                 \
        const struct format *format = hand_format(&hand, "s", NULL, TYPE_I32, TYPE_I32);       \
        assert_int_equal(tensor_pack(&list, format, value_zero(TYPE), 1, NULL, &tensor, NULL), \
                         RT_OK);                                                               \
        assert_int_equal(list.n, 0);                                                           \
        assert_int_equal(tensor->nvals, 2);                                                    \
        const T *sum = tensor->vals;                                                           \
        const int32_t *crd = tensor->level[0].array[1];                                        \
        assert_true(sum[0] == (T)(c) && sum[1] == (T)(c) && crd[0] == 0 && crd[1] == 1);       \
        tensor_free(tensor);                                                                   \
        coords_free(&list);                                                                    \
    } while (0)

static void duplicates_are_summed_in_every_type(void **state)
{
    (void)state;
    SUMS(TYPE_BOOL, bool, false, true, true);
    SUMS(TYPE_BOOL, bool, true, true, true);
    SUMS(TYPE_BOOL, bool, false, false, false);
    SUMS(TYPE_I8, int8_t, 100, 100, -56);
    SUMS(TYPE_I16, int16_t, -3, 4, 1);
    SUMS(TYPE_I32, int32_t, INT32_MAX, 1, INT32_MIN);
    SUMS(TYPE_I64, int64_t, INT64_MAX, 1, INT64_MIN);
    SUMS(TYPE_U8, uint8_t, 200, 100, 44);
    SUMS(TYPE_U16, uint16_t, 200, 100, 300);
    SUMS(TYPE_U32, uint32_t, UINT32_MAX, 3, 2);
    SUMS(TYPE_U64, uint64_t, UINT64_MAX, 3, 2);
    SUMS(TYPE_F32, float, 0.5, 0.25, 0.75);
    SUMS(TYPE_F64, double, 0.5, 0.25, 0.75);
    SUMS(TYPE_C64, float _Complex, 1 + 2 * __extension__ 1.0i, 3, 4 + 2 * __extension__ 1.0i);
    SUMS(TYPE_C128, double _Complex, 1 + 2 * __extension__ 1.0i, 3, 4 + 2 * __extension__ 1.0i);
}

/* Random entries, many with equal coordinates, numbered; after the sort they are in order, equal
 * ones by number. */
static void sorts(const char *letters, const int *modes, const int64_t *dimension, int64_t n,
                  int threads)
{
    struct hand_format hand;
    const struct format *format = hand_format(&hand, letters, modes, TYPE_I64, TYPE_I64);
    uint64_t seed = (uint64_t)n;
    struct coords coords;
    coords_init(&coords, format->order, dimension, TYPE_I64);
    uint64_t sum = 0, after = 0;
    for (int64_t i = 0; i < n; i++) {
        int64_t coordinate[ORDER_MAX];
        for (int m = 0; m < format->order; m++) {
            int64_t large = random_below(&seed, dimension[m]);
            coordinate[m] =
                random_next(&seed) % 4 ? dimension[m] - 1 - large % 3 % dimension[m] : large;
            sum += (uint64_t)(coordinate[m] ^ i);
        }
        assert_true(coords_add(&coords, coordinate, &i));
    }
    struct keys keys;
    assert_int_equal(keys_make(&keys, &coords, format, threads % 2, threads, NULL), RT_OK);
    assert_int_equal(keys.n, n);
    const int64_t *number = keys.vals;
    for (int64_t i = 0; i < n; i++) {
        for (int k = 0; k < format->levels; k++)
            after += (uint64_t)(keys_coordinate(&keys, k, i) ^ number[i]);
        int k = i > 0 ? keys_difference(&keys, i) : 0;
        if (i > 0 && k < format->levels)
            assert_true(keys_coordinate(&keys, k, i) > keys_coordinate(&keys, k, i - 1));
        else if (i > 0)
            assert_true(number[i] > number[i - 1]);
        for (int above = 0; above < k && i > 0; above++)
            assert_int_equal(keys_coordinate(&keys, above, i),
                             keys_coordinate(&keys, above, i - 1));
    }
    keys_free(&keys);
    assert_true(sum == after);
    coords_free(&coords);
}

static void lists_are_sorted(void **state)
{
    (void)state;
    const int64_t small[] = {3, 70, 1, 256, 257},
                  large[] = {INT64_MAX, 5, INT64_MAX, INT64_C(1) << 40, 1000};
    const int forward[] = {0, 1, 2, 3, 4}, mixed[] = {3, 0, 4, 2, 1};
    static const int64_t counts[] = {0, 1, 2, 3, 100, 5000, 40000};
    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++)
        for (int threads = 0; threads < 4; threads++) {
            sorts("s", forward, small + 1, counts[c], threads);
            sorts("sssss", forward, small, counts[c], threads);
            sorts("sssss", mixed, small, counts[c], threads);
            sorts("sssss", forward, large, counts[c], threads);
            sorts("sssss", mixed, large, counts[c], threads);
        }
    sorts("", forward, small, 10, 1);
}

/* What is as long as it has to be stays where it is, and is not made longer either. */
static void arrays_are_fitted(void **state)
{
    (void)state;
    const int64_t n = 1000000;
    int64_t *made = malloc((size_t)n * sizeof *made), *fitted;
    assert_non_null(made);
    for (int64_t i = 0; i < n; i++)
        made[i] = i;
    size_t room = malloc_usable_size(made);
    uintptr_t before = (uintptr_t)made;
    fitted = memory_host.fit(&memory_host, made, n, sizeof *fitted);
    assert_true((uintptr_t)fitted == before && malloc_usable_size(fitted) == room);
    fitted = memory_host.fit(&memory_host, fitted, n / 10, sizeof *fitted);
    assert_true(malloc_usable_size(fitted) < room);
    for (int64_t i = 0; i < n / 10; i++)
        assert_int_equal(fitted[i], i);
    fitted = memory_host.fit(&memory_host, fitted, 0, sizeof *fitted);
    assert_non_null(fitted);
    memory_host.release(&memory_host, fitted);
}

/* The shortest that is long enough is taken; what a run has not taken is given back; no more is
 * kept than is said. */
static void arrays_that_are_spare(void **state)
{
    (void)state;
    struct spare spare = {.n = 0};
    spare_begin(&spare, 20000, NULL);
    for (int k = 1; k <= 3; k++)
        spare_release(&spare, rt_array(1000 * k, 1));
    assert_int_equal(spare.n, 3);
    spare_begin(&spare, 20000, NULL);
    char *two = spare_resize(&spare, NULL, 1500), *new = spare_resize(&spare, NULL, 5000);
    assert_true(malloc_usable_size(two) < 3000);
    assert_int_equal(spare.n, 2);
    memset(two, 7, 1500);
    assert_ptr_equal(spare_resize(&spare, two, 1800), two);
    char *three = spare_resize(&spare, two, 2800);
    assert_int_equal(three[1499], 7);
    assert_int_equal(spare.n, 2); /* one, and two again */
    spare_end(&spare);
    assert_int_equal(spare.n, 1);
    spare_begin(&spare, 6000, NULL);
    spare_release(&spare, new);
    assert_int_equal(spare.n, 1); /* too long */
    spare_release(&spare, three);
    assert_int_equal(spare.n, 2);
    assert_true(spare.bytes <= 6000);
    spare_free(&spare);
    assert_int_equal(spare.bytes, 0);
    spare_begin(&spare, INT64_MAX, NULL);
    for (int k = 0; k < 2 * SPARE_MOST; k++)
        spare_release(&spare, rt_array(50 * (k + 1), 1));
    assert_int_equal(spare.n, SPARE_MOST);
    assert_true(spare.bytes >= 50 * (SPARE_MOST + 1) * SPARE_MOST); /* the longer ones */
    spare_free(&spare);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(empty_tensors_are_valid),
        cmocka_unit_test(nothing_is_found_at_once),
        cmocka_unit_test(sizes_may_be_zero),
        cmocka_unit_test(sizes_out_of_range_are_refused),
        cmocka_unit_test(dense_tensors_that_do_not_fit_are_refused),
        cmocka_unit_test(products_that_overflow_are_refused),
        cmocka_unit_test(formats_without_a_way_back_are_refused),
        cmocka_unit_test(faults_name_level_and_element),
        cmocka_unit_test(faults_between_parents_are_found),
        cmocka_unit_test(lists_grow),
        cmocka_unit_test(arrays_are_fitted),
        cmocka_unit_test(duplicates_are_summed_in_every_type),
        cmocka_unit_test(lists_are_sorted),
        cmocka_unit_test(arrays_that_are_spare),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
