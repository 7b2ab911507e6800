/* test_pack.c - packing coordinate lists into formats, and reading them back.
 *
 * SPDX-License-Identifier: MIT
 */
#include "tests/runtime/support.h"

#include <stdio.h>

#include "compiler/format/index_array.h"
#include "runtime/tensor/compare.h"
#include "runtime/tensor/keys.h"
#include "runtime/tensor/nodes.h"
#include "runtime/tensor/tensor.h"
#include "runtime/tensor/walk.h"

/* ---- the arrays of well-known formats ----
 *
 *     . . 5 .        mode 1 has the size 3, mode 2 has 4; the entry (2,3) comes in two parts
 *     . . . .
 *     7 . . 1
 */

struct expected {
    const char *letters;
    int modes[2];
    /* for each level pos or crd, and crd; elements separated by blanks */
    const char *array[2][2];
    const char *vals;
};

static const struct expected expectations[] = {
    {"dd", {0, 1}, {{0}}, "0 0 5 0 0 0 0 0 7 0 0 1"},
    {"dd", {1, 0}, {{0}}, "0 0 7 0 0 0 5 0 0 0 0 1"},
    {"ds", {0, 1}, {{0}, {"0 1 1 3", "2 0 3"}}, "5 7 1"},
    {"ds", {1, 0}, {{0}, {"0 1 1 2 3", "2 0 2"}}, "7 5 1"},
    {"ss", {0, 1}, {{"0 2", "0 2"}, {"0 1 3", "2 0 3"}}, "5 7 1"},
    {"sd", {0, 1}, {{"0 2", "0 2"}, {0}}, "0 0 5 0 7 0 0 1"},
    {"uq", {0, 1}, {{"0 3", "0 2 2"}, {"2 0 3"}}, "5 7 1"},
    {"uq", {1, 0}, {{"0 3", "0 2 3"}, {"2 0 2"}}, "7 5 1"},
    {"us", {0, 1}, {{"0 2", "0 2"}, {"0 1 3", "2 0 3"}}, "5 7 1"},
};

static void same_numbers(enum type type, const void *array, int64_t length, const char *expected)
{
    char text[200] = "";
    for (int64_t i = 0; i < length; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), i ? " %lld" : "%lld",
                 (long long)index_load(type, array, i));
    assert_string_equal(text, expected);
}

static void small_matrix(struct coords *coords)
{
    static const int64_t entries[][2] = {{2, 3}, {0, 2}, {2, 0}, {2, 3}};
    static const int32_t vals[] = {3, 5, 7, -2};
    coords_init(coords, 2, (const int64_t[]){3, 4}, TYPE_I32);
    for (int i = 0; i < 4; i++)
        assert_true(coords_add(coords, entries[i], &vals[i]));
}

static void well_known_formats(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof expectations / sizeof *expectations; i++) {
        const struct expected *e = &expectations[i];
        struct hand_format hand;
        struct coords coords;
        struct tensor *tensor;
        struct rt_error error;
        const struct format *format = hand_format(&hand, e->letters, e->modes, TYPE_U8, TYPE_I16);
        small_matrix(&coords);
        assert_int_equal(
            tensor_pack(&coords, format, value_zero(TYPE_I32), 1, "A", &tensor, &error), RT_OK);
        assert_int_equal(tensor_validate(tensor, "A", &error), RT_OK);
        for (int k = 0; k < 2; k++)
            for (int a = 0; a < 2; a++)
                if (e->array[k][a])
                    same_numbers(format->level[k].type->array[a].kind == LEVEL_POSITIONS ? TYPE_U8
                                                                                         : TYPE_I16,
                                 tensor->level[k].array[a], tensor->level[k].length[a],
                                 e->array[k][a]);
        same_numbers(TYPE_I32, tensor->vals, tensor->nvals, e->vals);
        tensor_free(tensor);
        coords_free(&coords);
    }
}

static void components_that_are_not_stored_are_the_fill(void **state)
{
    (void)state;
    struct hand_format hand;
    struct coords coords, back;
    struct tensor *tensor;
    small_matrix(&coords);
    const struct format *format = hand_format(&hand, "sd", NULL, TYPE_I32, TYPE_I32);
    assert_int_equal(tensor_pack(&coords, format, value_int(TYPE_I64, 7), 1, NULL, &tensor, NULL),
                     RT_OK);
    same_numbers(TYPE_I32, tensor->vals, tensor->nvals, "7 7 5 7 7 7 7 1");
    assert_int_equal(tensor_unpack(tensor, false, 1, &back, NULL), RT_OK);
    assert_int_equal(back.n, 8);
    coords_free(&back);
    assert_int_equal(tensor_unpack(tensor, true, 1, &back, NULL), RT_OK);
    assert_int_equal(back.n, 2);
    same_numbers(TYPE_I64, back.coordinate[1], 2, "2 3");
    coords_free(&back);
    tensor_fill_dense(tensor, value_real(TYPE_F64, 3.5), 1);
    same_numbers(TYPE_I32, tensor->vals, tensor->nvals, "3 3 3 3 3 3 3 3");
    tensor_free(tensor);
    coords_free(&coords);
}

static void scalars_have_one_component(void **state)
{
    (void)state;
    struct hand_format hand;
    struct coords coords, back;
    struct tensor *tensor;
    const struct format *format = hand_format(&hand, "", NULL, TYPE_I32, TYPE_I32);
    coords_init(&coords, 0, NULL, TYPE_F64);
    assert_int_equal(
        tensor_pack(&coords, format, value_real(TYPE_F64, 1.5), 1, NULL, &tensor, NULL), RT_OK);
    assert_true(tensor->nvals == 1 && *(double *)tensor->vals == 1.5);
    tensor_free(tensor);
    double a = 2, b = 3;
    assert_true(coords_add(&coords, NULL, &a) && coords_add(&coords, NULL, &b));
    assert_int_equal(
        tensor_pack(&coords, format, value_real(TYPE_F64, 1.5), 1, NULL, &tensor, NULL), RT_OK);
    assert_true(tensor->nvals == 1 && *(double *)tensor->vals == 5);
    assert_int_equal(tensor_unpack(tensor, false, 1, &back, NULL), RT_OK);
    assert_true(back.n == 1 && *(double *)back.vals == 5);
    coords_free(&back);
    coords_free(&coords);
    tensor_free(tensor);
}

/* ---- what cannot be packed ---- */

static void refuses(const char *letters, enum type type, int64_t n, const int64_t (*entries)[3],
                    enum diag_code code, const char *message, const char *help)
{
    struct hand_format hand;
    struct coords coords;
    struct tensor *tensor;
    struct rt_error error;
    const struct format *format = hand_format(&hand, letters, NULL, type, TYPE_I64);
    coords_init(&coords, format->order, (const int64_t[]){200, 200, 200}, TYPE_BOOL);
    bool yes = true;
    for (int64_t i = 0; i < n; i++)
        assert_true(coords_add(&coords, entries[i], &yes));
    struct coords again = list_copy(&coords);
    assert_int_equal(tensor_pack(&coords, format, value_zero(TYPE_BOOL), 1, "A", &tensor, &error),
                     RT_INPUT);
    assert_null(tensor);
    assert_int_equal(error.code, code);
    assert_string_equal(error.message, message);
    assert_string_equal(error.help, help);
    assert_int_equal(tensor_pack(&again, format, value_zero(TYPE_BOOL), 1, NULL, &tensor, NULL),
                     RT_INPUT);
    coords_free(&again);
    coords_free(&coords);
}

static void what_a_level_cannot_hold_is_refused(void **state)
{
    (void)state;
    int64_t many[200][3];
    for (int64_t i = 0; i < 200; i++)
        many[i][0] = i, many[i][1] = 7, many[i][2] = 0;
    refuses("s", TYPE_I8, 200, many, DIAG_LIMIT,
            "A: level 1 (compressed): more than 127 positions do not fit i8",
            "use compressed(pos=i64)");
    refuses("d", TYPE_I8, 1, many, DIAG_LIMIT,
            "A: level 1 (dense): more than 127 positions do not fit i8",
            "use 64 bits everywhere: {index 64}");
    refuses("q", TYPE_I32, 2, many, DIAG_TENSOR,
            "A: level 1 (singleton) holds one coordinate below a parent, and there are more "
            "(position 0 of the level above)",
            "");
    refuses("dq", TYPE_I32, 2, many, DIAG_TENSOR,
            "A: level 2 (singleton) needs a coordinate below every parent, and there is none "
            "(position 2 of the level above)",
            "");
    const int64_t split[][3] = {{1, 2, 3}, {1, 2, 4}, {1, 3, 0}};
    refuses(
        "uqq", TYPE_I32, 3, split, DIAG_TENSOR,
        "A: level 2 (singleton) is unique, and 2 would be there twice below the same coordinates",
        "let it be singleton(nonunique); csr(nonunique), coo(nonunique) and the like say so of a "
        "whole format");
    refuses("sqq", TYPE_I32, 3, split, DIAG_TENSOR,
            "A: level 2 (singleton) holds one coordinate below a parent, and there are more "
            "(position 0 of the level above)",
            "");
    const int64_t outside[][3] = {{1, 200, 0}};
    refuses("sss", TYPE_I32, 1, outside, DIAG_TENSOR,
            "A: entry 1 has the coordinate 200 in mode 2, which is outside its size 200", "");
}

/* ---- any format ---- */

enum {
    SIZE_MAX_TESTED = 6,
    COMPONENTS = SIZE_MAX_TESTED * SIZE_MAX_TESTED * SIZE_MAX_TESTED * SIZE_MAX_TESTED
};

struct trial {
    struct hand_format hand;
    const struct format *format;
    char letters[8];
    int64_t dimension[4];
    struct coords coords;
    int64_t sum[COMPONENTS]; /* of the entries of each component, and is there one? */
    bool stored[COMPONENTS];
    int64_t distinct;
};

static enum type any_integer(uint64_t *seed)
{
    static const enum type types[] = {TYPE_I8, TYPE_I16, TYPE_I32, TYPE_I64,
                                      TYPE_U8, TYPE_U16, TYPE_U32, TYPE_U64};
    return types[random_below(seed, 8)];
}

static void random_trial(struct trial *t, uint64_t *seed)
{
    int order = (int)random_below(seed, 5), modes[4] = {0, 1, 2, 3};
    memset(t, 0, sizeof *t);
    for (int k = 0; k < order; k++) {
        /* Singletons where they can mostly hold the entries: below a level that is not unique. */
        bool below = k > 0 && strchr("uwpn", t->letters[k - 1]);
        t->letters[k] = below && random_below(seed, 4) ? "qpon"[random_below(seed, 4)]
                                                       : "dsuvwdsuvwq"[random_below(seed, 11)];
        int other = (int)random_below(seed, k + 1), mode = modes[k];
        modes[k] = modes[other];
        modes[other] = mode;
    }
    t->format = hand_format(&t->hand, t->letters, modes, TYPE_I32, TYPE_I32);
    for (int k = 0; k < order; k++) {
        t->hand.level[k].pos = any_integer(seed);
        t->hand.level[k].crd = any_integer(seed);
        t->dimension[k] = 1 + random_below(seed, SIZE_MAX_TESTED);
    }
    coords_init(&t->coords, order, t->dimension, TYPE_I64);
    for (int64_t n = random_below(seed, 1 + random_below(seed, 200)); n > 0; n--) {
        int64_t coordinate[4], value = random_below(seed, 9) - 4;
        for (int m = 0; m < order; m++)
            coordinate[m] = random_below(seed, t->dimension[m]);
        assert_true(coords_add(&t->coords, coordinate, &value));
        int64_t at = component_number(t->format->order, t->dimension, coordinate);
        t->distinct += !t->stored[at];
        t->stored[at] = true;
        t->sum[at] += value;
    }
}

/* Singletons stand below a compressed level that is not unique, and all in between are not
 * unique either. */
static bool holds_anything(const struct trial *t)
{
    for (int k = 0; k < t->format->levels; k++) {
        if (strchr("qpon", t->letters[k]) && (k == 0 || !strchr("uwpn", t->letters[k - 1])))
            return false;
        enum type pos = t->hand.level[k].pos;
        if (pos == TYPE_I8 || pos == TYPE_U8 || pos == TYPE_I16)
            return false;
    }
    return true;
}

static void check_trial(const struct trial *t, const struct tensor *tensor)
{
    struct coords back;
    int64_t seen = 0;
    bool dense = strchr(t->letters, 'd') != NULL;
    assert_int_equal(tensor_unpack(tensor, false, 1, &back, NULL), RT_OK);
    for (int64_t i = 0; i < back.n; i++) {
        int64_t coordinate[4];
        for (int m = 0; m < t->format->order; m++)
            coordinate[m] = back.coordinate[m][i];
        int64_t at = component_number(t->format->order, t->dimension, coordinate),
                value = ((int64_t *)back.vals)[i];
        if (t->stored[at])
            assert_int_equal(value, t->sum[at]);
        else
            assert_true(value == 77 && (dense || t->format->order == 0));
        seen += t->stored[at];
    }
    assert_int_equal(seen, t->distinct);
    if (!dense && t->format->order > 0)
        assert_int_equal(back.n, t->distinct);
    coords_free(&back);
}

static void any_format_gives_back_what_was_packed(void **state)
{
    (void)state;
    uint64_t seed = 20240601;
    int packed = 0, refused = 0;
    static struct trial t;
    for (int round = 0; round < 20000; round++) {
        struct tensor *tensor;
        struct rt_error error;
        random_trial(&t, &seed);
        struct coords words = list_packed(&t.coords);
        enum rt_status status = tensor_pack(round % 2 ? &words : &t.coords, t.format,
                                            value_int(TYPE_I64, 77), 1, "A", &tensor, &error);
        if (status == RT_OK) {
            if (tensor_validate(tensor, "A", &error) != RT_OK)
                fail_msg("round %d, %s: %s", round, t.letters, error.message);
            check_trial(&t, tensor);
            packed++;
        } else {
            assert_int_equal(status, RT_INPUT);
            if (holds_anything(&t))
                fail_msg("round %d, %s: %s", round, t.letters, error.message);
            refused++;
        }
        tensor_free(tensor);
        coords_free(&words);
        coords_free(&t.coords);
    }
    print_message("%d packed, %d refused\n", packed, refused);
    assert_true(packed > 10000 && refused > 100);
}

/* ---- damage ---- */

/* Change one number in one array of a packed tensor: if the tensor is still valid, walking it is
 * safe and stays within the sizes; numbers out of range are always found, where they are. */
static void damage(struct tensor *tensor, uint64_t *seed)
{
    int k = (int)random_below(seed, tensor->format->levels), a = (int)random_below(seed, 2);
    struct level_storage *level = &tensor->level[k];
    if (level->length[a] == 0)
        return;
    bool crd = level->format->type->array[a].kind == LEVEL_COORDINATES;
    enum type type = crd ? level->format->crd : level->format->pos;
    int64_t at = random_below(seed, level->length[a]);
    int64_t number = random_below(seed, 2) ? index_max(type) : random_below(seed, 10);
    assert_true(index_store(type, level->array[a], at, number));
    struct rt_error error;
    enum rt_status status = tensor_validate(tensor, NULL, &error);
    if (status == RT_OK) {
        struct tensor_walk walk;
        for (bool more = tensor_walk_first(&walk, tensor); more; more = tensor_walk_next(&walk)) {
            assert_in_range(walk.position, 0, tensor->nvals - 1);
            for (int m = 0; m < tensor->order; m++)
                assert_in_range(walk.coordinate[m], 0, tensor->dimension[m] - 1);
        }
        assert_true(!crd || number < level->dimension);
    } else if (crd && number >= level->dimension) {
        char place[200];
        snprintf(place, sizeof place,
                 "level %d (%s) of size %lld: crd[%lld] is %lld, not below the dimension", k + 1,
                 level->format->type->name, (long long)level->dimension, (long long)at,
                 (long long)number);
        assert_string_equal(error.message, place);
    } else if (k + 1 == tensor->format->levels) {
        char place[40];
        snprintf(place, sizeof place, "level %d (", k + 1);
        assert_non_null(strstr(error.message, place));
    }
}

static void damage_is_found(void **state)
{
    (void)state;
    uint64_t seed = 7;
    static struct trial t;
    for (int round = 0; round < 20000; round++) {
        struct tensor *tensor;
        random_trial(&t, &seed);
        if (t.format->order > 0
            && tensor_pack(&t.coords, t.format, value_zero(TYPE_I64), 1, NULL, &tensor, NULL)
                   == RT_OK) {
            damage(tensor, &seed);
            tensor_free(tensor);
        }
        coords_free(&t.coords);
    }
}

/* A matrix of 400 rows, in each fourth nothing and in the others `row` entries at random. */
static void scattered(struct coords *coords, int row, uint64_t seed)
{
    coords_init(coords, 2, (const int64_t[]){400, 400}, TYPE_F64);
    for (int64_t i = 0; i < 400; i++)
        for (int64_t e = 0; e < row && i % 4; e++)
            assert_true(
                coords_add(coords, (const int64_t[]){i, random_below(&seed, 400)}, &(double){1}));
}

static void nodes_are_counted(void **state)
{
    static const char *const letters[] = {"ds", "ss", "uq", "hh", "hs", "sb", "db", "bb", "dc"};
    (void)state;
    for (size_t i = 0; i < sizeof letters / sizeof *letters; i++)
        for (int row = 0; row < 40; row += 13) {
            struct hand_format hand;
            struct coords coords;
            struct tensor *tensor;
            int64_t nodes[2];
            const struct format *format = hand_format(&hand, letters[i], NULL, TYPE_I32, TYPE_I32);
            struct keys joined;
            scattered(&coords, row, 5);
            assert_int_equal(keys_make(&joined, &coords, NULL, false, 1, NULL), RT_OK);
            int64_t distinct = joined.n;
            for (int64_t k = 1; k < joined.n; k++)
                distinct -= keys_difference(&joined, k) == joined.levels;
            assert_int_equal(
                tensor_pack(&coords, format, value_zero(TYPE_F64), 1, NULL, &tensor, NULL), RT_OK);
            tensor_count_nodes(tensor, nodes);
            double stored = (double)distinct, rows = row ? 300 : 0;
            rows = letters[i][0] == 'd' ? 400 : letters[i][0] == 'u' ? stored : rows;
            assert_in_range(nodes[0], 0.9 * rows, 1.1 * rows);
            assert_in_range(nodes[1], 0.9 * stored, 1.1 * stored);
            tensor_free(tensor);
            keys_free(&joined);
            coords_free(&coords);
        }
}

/* A list that is lent is packed as if it were taken, duplicates and all, and stays as it is. */
static void what_is_lent_is_packed_alike(void **state)
{
    static const char *const letters[] = {"ds", "uq", "hs", "bb", "dc"};
    enum { MOST = 400 * 20 };
    static int64_t lent[2 * MOST], before[2 * MOST];
    static double vals[MOST];
    (void)state;
    for (size_t f = 0; f < sizeof letters / sizeof *letters; f++) {
        struct hand_format hand;
        struct coords own, other;
        struct tensor *one, *same;
        enum tensor_difference difference;
        const struct format *format = hand_format(&hand, letters[f], NULL, TYPE_I32, TYPE_I32);
        scattered(&own, 20, 3);
        coords_init(&other, 2, own.dimension, TYPE_F64);
        other.n = own.n;
        for (int64_t i = 0; i < own.n; i++) {
            int64_t mixed = i * 7 % own.n; /* 6000 entries */
            vals[i] = ((double *)own.vals)[mixed];
            for (int m = 0; m < 2; m++)
                before[2 * i + m] = lent[2 * i + m] = own.coordinate[m][mixed];
        }
        other.lent = lent;
        other.lent_vals = vals;
        assert_int_equal(tensor_pack(&own, format, value_zero(TYPE_F64), 1, NULL, &one, NULL),
                         RT_OK);
        assert_int_equal(tensor_pack(&other, format, value_zero(TYPE_F64), 2, NULL, &same, NULL),
                         RT_OK);
        assert_int_equal(other.n, 0);
        assert_memory_equal(lent, before, sizeof lent);
        assert_int_equal(tensor_compare(one, same, &difference, NULL), RT_OK);
        assert_int_equal(difference, TENSOR_SAME);
        tensor_free(one);
        tensor_free(same);
    }
}

/* Entries in order by their modes from `first` on, as files by columns are; the value is the number
 * of the entry. */
static void in_order_from(struct coords *list, int first, int64_t rows, int64_t n)
{
    uint64_t seed = 7;
    coords_init(list, 3, (const int64_t[]){rows, 30, 30}, TYPE_F64);
    for (int64_t i = 0; i < n; i++) {
        int64_t at[3] = {random_below(&seed, 30) * (rows / 30), random_below(&seed, 30),
                         i * 30 / n};
        if (first == 1) {
            at[1] = i * 30 / n;
            at[2] = i * 900 / n % 30;
        }
        assert_true(coords_add(list, at, &(double){(double)i}));
    }
}

/* By their coordinates, and those with the same by their values. */
static bool is_before(const struct coords *list, int64_t a, int64_t b)
{
    for (int m = 0; m < list->order; m++)
        if (list->coordinate[m][a] != list->coordinate[m][b])
            return list->coordinate[m][a] < list->coordinate[m][b];
    return ((double *)list->vals)[a] < ((double *)list->vals)[b];
}

/* What a list in order by its last modes need not be sorted by is left out, in keys of one word and
 * of two. */
/* All coordinates of an entry are in a word, where they fit one: in order of the modes, so that
 * words may be compared. */
static void packed_lists_are_words(void **state)
{
    static const struct {
        int64_t dimension[3];
        bool packed;
    } cases[] = {
        {{3, 4, 5}, true},
        {{1, 1, 1}, true},
        {{INT64_C(1) << 31, INT64_C(1) << 31, 4}, true},
        {{INT64_C(1) << 31, INT64_C(1) << 31, 5}, false},
        {{INT64_MAX, 2, 1}, true},
        {{INT64_MAX, 3, 1}, false},
    };
    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        const int64_t *size = cases[c].dimension;
        struct coords list, words;
        coords_init(&list, 3, size, TYPE_F64);
        for (int64_t e = 0; e < 8; e++)
            assert_true(
                coords_add(&list,
                           (const int64_t[]){e & 1 ? size[0] - 1 : 0, e & 2 ? size[1] - 1 : 0,
                                             e & 4 ? size[2] - 1 : 0},
                           &(double){(double)e}));
        words = list_packed(&list);
        assert_int_equal(words.packed, cases[c].packed);
        for (int round = 0; round < 2; round++) {
            for (int64_t e = 0; e < 8; e++)
                for (int m = 0; m < 3; m++)
                    assert_int_equal(coords_at(&words, m, e), coords_at(&list, m, e));
            assert_int_equal(coords_sort(&words, 1, NULL), RT_OK);
            assert_int_equal(coords_sort(&list, 1, NULL), RT_OK);
            assert_memory_equal(words.vals, list.vals, 8 * sizeof(double));
        }
        coords_free(&words);
        coords_free(&list);
    }
}

static void what_is_in_order_by_its_last_modes_is_sorted(void **state)
{
    static const int64_t rows[] = {300, INT64_C(1) << 56, INT64_C(1) << 62};
    enum { ENTRIES = 50000 };
    (void)state;
    for (int k = 0; k < 6; k++) {
        struct hand_format hand;
        struct coords list, sorted;
        struct tensor *one, *same;
        enum tensor_difference difference;
        const struct format *format = hand_format(&hand, "hss", NULL, TYPE_I64, TYPE_I64);
        in_order_from(&list, 1 + k % 2, rows[k / 2], ENTRIES);
        in_order_from(&sorted, 1 + k % 2, rows[k / 2], ENTRIES);
        assert_int_equal(coords_sort(&sorted, 2, NULL), RT_OK);
        for (int64_t i = 0; i < ENTRIES; i++) {
            int64_t from = (int64_t)((double *)sorted.vals)[i];
            for (int m = 0; m < 3; m++)
                assert_int_equal(sorted.coordinate[m][i], list.coordinate[m][from]);
            assert_true(i == 0 || is_before(&sorted, i - 1, i));
        }
        assert_int_equal(tensor_pack(&list, format, value_zero(TYPE_F64), 1, NULL, &one, NULL),
                         RT_OK);
        assert_int_equal(tensor_pack(&sorted, format, value_zero(TYPE_F64), 1, NULL, &same, NULL),
                         RT_OK);
        assert_int_equal(tensor_compare(one, same, &difference, NULL), RT_OK);
        assert_int_equal(difference, TENSOR_SAME);
        tensor_free(one);
        tensor_free(same);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(well_known_formats),
        cmocka_unit_test(components_that_are_not_stored_are_the_fill),
        cmocka_unit_test(scalars_have_one_component),
        cmocka_unit_test(what_a_level_cannot_hold_is_refused),
        cmocka_unit_test(any_format_gives_back_what_was_packed),
        cmocka_unit_test(damage_is_found),
        cmocka_unit_test(nodes_are_counted),
        cmocka_unit_test(what_is_lent_is_packed_alike),
        cmocka_unit_test(packed_lists_are_words),
        cmocka_unit_test(what_is_in_order_by_its_last_modes_is_sorted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
