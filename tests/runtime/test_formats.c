/* test_formats.c - tensors in every named format, and in some that have no name: packed, checked,
 * walked, written, damaged.
 *
 * The sizes are such that blocks do not divide them, that diagonals end early, and that modes are
 * empty or of size 1; and positions and coordinates are stored in whatever integers hold them.
 *
 * SPDX-License-Identifier: MIT
 */
#include "tests/runtime/support.h"

#include <stdio.h>
#include <unistd.h>

#include "compiler/base/context.h"
#include "compiler/base/text.h"
#include "compiler/format/index_array.h"
#include "compiler/format/names.h"
#include "compiler/registry.h"
#include "runtime/io/io.h"
#include "runtime/tensor/tensor.h"
#include "runtime/tensor/walk.h"

enum {
    SIZE_MOST = 9,
    ORDER_MOST = 4,
    COMPONENTS = SIZE_MOST * SIZE_MOST * SIZE_MOST * SIZE_MOST,
    FILL = 77
};

/* Formats besides those of the table of names; they begin with their order. */
static const char *const unnamed[] = {
    "1 (i) -> (i/3 : compressed, i%3 : dense)",
    "1 (i) -> (i%3 : dense, i/3 : compressed)",
    "1 (i) -> (i/3 : hashed, i%3 : bitmap)",
    "1 (i) -> (i/6 : compressed, i/2%3 : hashed, i%2 : dense)",
    "1 (i) -> (i : bytemap)",
    "1 (i) -> (i : bytemap(unordered))",
    "2 (i,j) -> (i : bytemap, j : compressed)",
    "2 (i,j) -> (i : hashed, j : compressed)",
    "2 (i,j) -> (i : hashed, j : dense)",
    "2 (i,j) -> (i : compressed, j : hashed)",
    "2 (i,j) -> (i : padded, j : padded)",
    "2 (i,j) -> (i : bitmap, j : hashed)",
    "2 (i,j) -> (i : dense, j : bitmap)",
    "2 (i,j) -> (i : padded, j : bitmap)",
    "2 (i,j) -> (i : compressed(unordered), j : compressed(unordered))",
    "2 (i,j) -> (i : compressed(nonunique, unordered), j : singleton(unordered))",
    "2 (i,j) -> (i : ragged, j : singleton(padded))",
    "2 (i,j) -> (j/3 : compressed, j%3 : ragged, i : singleton(padded, unordered))",
    "2 (i,j) -> (j-i : ragged, i : compressed)",
    "2 (i,j) -> (i : ragged, j-i : singleton(padded))",
    "3 (i,j,k) -> (i : hashed, j/2 : dense, j%2 : ragged, k : singleton(padded))",
    "2 (i,j) -> (j-i : dense, i : range, j : offset)",
    "2 (i,j) -> (j-i : compressed, i : range, j : offset)",
    "2 (i,j) -> (j-i : hashed, i : range, j : offset)",
    "2 (i,j) -> (j-i : bitmap, i : range, j : offset)",
    "2 (i,j) -> (j-i : compressed, i : dense)",
    "2 (i,j) -> (j-i : compressed, j : compressed)",
    "2 (i,j) -> (j-i : padded, i : hashed)",
    "2 (i,j) -> (i/2 : compressed, j/3 : compressed, j%3 : dense, i%2 : dense)",
    "2 (i,j) -> (i/2 : hashed, j/3 : hashed, i%2 : dense, j%3 : dense)",
    "2 (i,j) -> (i/2 : dense, j/3 : padded, i%2 : dense, j%3 : dense)",
    "2 (i,j) -> (i/2 : dense, j/3 : bitmap, i%2 : bitmap, j%3 : dense)",
    "3 (i,j,k) -> (i : dense, k-j : compressed, j : range, k : offset)",
    "3 (i,j,k) -> (i/2 : compressed(nonunique), j/2 : singleton(nonunique), k/2 : singleton, i%2 : "
    "dense, j%2 : dense, k%2 : dense)",
    "3 (i,j,k) -> (i/2 : compressed(nonunique), j/2 : singleton(nonunique), k/2 : singleton, "
    "i%2 : compressed(nonunique), j%2 : singleton(nonunique), k%2 : singleton)",
    "3 (i,j,k) -> (k : hashed, i : compressed(nonunique), j : singleton)",
};

struct trial {
    struct context *cx;
    const struct format *format;
    int64_t dimension[ORDER_MOST];
    struct coords coords;
    int64_t sum[COMPONENTS]; /* of the entries of each component, and is there one? */
    bool stored[COMPONENTS], seen[COMPONENTS];
    int64_t distinct;
};

/* "bcsr(3,2):1,0": with random parameters and, now and then, the modes in a random order. */
static const char *spell(struct context *cx, const struct format_name *name, int order,
                         uint64_t *seed)
{
    struct text out = text_new(cx->arena);
    int modes[ORDER_MOST] = {0, 1, 2, 3};
    text_add(&out, name->name);
    if (name->parameters || name->modes)
        text_add(&out, "(");
    for (int p = 0; p < name->parameters; p++)
        text_printf(&out, "%s%d", p ? "," : "", 1 + (int)random_below(seed, 4));
    if (name->modes) {
        int some = 1 + (int)random_below(seed, name->modes == FORMAT_DENSE ? order - 1 : order);
        for (int m = (int)random_below(seed, order), n = 0; n < some; m = (m + 1) % order)
            text_printf(&out, "%s%d", n++ ? "," : name->parameters ? ";" : "", m);
    }
    if (name->parameters || name->modes)
        text_add(&out, ")");
    if (order < 2 || random_below(seed, 2))
        return out.at;
    for (int m = 0; m < order; m++) {
        int other = m + (int)random_below(seed, order - m), mode = modes[m];
        modes[m] = modes[other];
        modes[other] = mode;
        text_printf(&out, "%c%d", m ? ',' : ':', modes[m]);
    }
    return out.at;
}

static void choose_format(struct trial *t, int number, uint64_t *seed)
{
    static const enum type types[] = {TYPE_I16, TYPE_I32, TYPE_I64, TYPE_U16,
                                      TYPE_U32, TYPE_U64, TYPE_U8,  TYPE_I8};
    struct format_defaults defaults = {types[random_below(seed, 6)], types[random_below(seed, 8)]};
    bool named = number < format_names_count;
    const struct format_name *name = &format_names[named ? number : 0];
    int most = name->order_max < ORDER_MOST ? name->order_max : ORDER_MOST;
    int order = name->order_min + (int)random_below(seed, most - name->order_min + 1);
    const char *spelling =
        named ? spell(t->cx, name, order, seed) : unnamed[number - format_names_count] + 2;
    if (!named)
        order = unnamed[number - format_names_count][0] - '0';
    t->format = format_parse(t->cx, "A", spelling, order, defaults);
    if (!t->format)
        fail_msg("%s is refused:\n%s", spelling, diag_render(t->cx));
}

static void choose_entries(struct trial *t, uint64_t *seed)
{
    int order = t->format->order;
    int64_t components = 1;
    for (int m = 0; m < order; m++) {
        t->dimension[m] =
            random_below(seed, 12) ? 1 + random_below(seed, order > 3 ? 4 : SIZE_MOST) : 0;
        components *= t->dimension[m];
    }
    coords_init(&t->coords, order, t->dimension, TYPE_I64);
    if (components == 0)
        return;
    for (int64_t n = random_below(seed, 1 + random_below(seed, 2 * components + 4)); n > 0; n--) {
        int64_t coordinate[ORDER_MOST], value = random_below(seed, 9) - 4;
        for (int m = 0; m < order; m++)
            coordinate[m] = random_below(seed, t->dimension[m]);
        assert_true(coords_add(&t->coords, coordinate, &value));
        int64_t at = component_number(t->format->order, t->dimension, coordinate);
        t->distinct += !t->stored[at];
        t->stored[at] = true;
        t->sum[at] += value;
    }
}

enum { FORMATS_UNNAMED = sizeof unnamed / sizeof *unnamed };

static void new_trial(struct trial *t, int number, uint64_t *seed)
{
    memset(t, 0, sizeof *t);
    t->cx = context_new();
    assert_non_null(t->cx);
    t->cx->levels = registry_levels;
    if (!context_protect(t->cx))
        fail_msg("unwound");
    choose_format(t, number, seed);
    choose_entries(t, seed);
}

static void free_trial(struct trial *t)
{
    coords_free(&t->coords);
    context_free(t->cx);
}

/* Unsigned integers do not hold differences below 0. */
static bool cannot_be(const struct trial *t)
{
    for (int k = 0; k < t->format->levels; k++) {
        const struct level_format *level = &t->format->level[k];
        if (level->map->kind == MAP_SUB && type_kind(level->crd) == KIND_UINT)
            return true;
    }
    return false;
}

/* NULL if it is refused, as it may be. */
static struct tensor *packed(struct trial *t)
{
    struct tensor *tensor;
    struct rt_error error;
    struct coords list = t->coords.n % 2 ? list_packed(&t->coords) : list_copy(&t->coords);
    enum rt_status status =
        tensor_pack(&list, t->format, value_int(TYPE_I64, FILL), 1, "A", &tensor, &error);
    coords_free(&list);
    if (status == RT_OK)
        return tensor;
    assert_int_equal(status, RT_INPUT);
    if (!cannot_be(t) || error.code != DIAG_LIMIT)
        fail_msg("%s: %s", t->format->spelling, error.message);
    assert_null(tensor);
    return NULL;
}

static void check_components(struct trial *t, const struct coords *back)
{
    int64_t found = 0;
    for (int64_t i = 0; i < back->n; i++) {
        int64_t coordinate[ORDER_MOST];
        for (int m = 0; m < t->format->order; m++) {
            coordinate[m] = back->coordinate[m][i];
            assert_true(coordinate[m] >= 0 && coordinate[m] < t->dimension[m]);
        }
        int64_t at = component_number(t->format->order, t->dimension, coordinate),
                value = ((int64_t *)back->vals)[i];
        if (t->seen[at] || value != (t->stored[at] ? t->sum[at] : FILL))
            fail_msg("%s: component %lld is %lld%s", t->format->spelling, (long long)at,
                     (long long)value, t->seen[at] ? " again" : "");
        t->seen[at] = true;
        found += t->stored[at];
    }
    assert_int_equal(found, t->distinct);
}

static bool stores_more(const struct format *format)
{
    for (int k = 0; k < format->levels; k++)
        if (format->level[k].type == &level_dense || format->level[k].type == &level_range)
            return true;
    return format->levels == 0;
}

static void check_lengths(const struct tensor *tensor)
{
    int64_t parents = 1, positions = 0;
    for (int k = 0; k < tensor->format->levels; k++, parents = positions) {
        struct level_fault fault = {.at = -1};
        const struct level_storage *level = &tensor->level[k];
        assert_true(level->format->type->check(level, parents, &positions, &fault));
        for (int a = 0; a < LEVEL_ARRAYS; a++)
            assert_int_equal(level->length[a],
                             level_array_length(level->format, a, parents, positions));
    }
    assert_int_equal(tensor->nvals, parents);
}

/* A walk by parts, however they are cut, is the walk. */
static void check_parts(const struct tensor *tensor)
{
    for (int64_t size = 1; size < 20; size += 1 + size) {
        struct tensor_walk whole, part;
        bool more = tensor_walk_first(&whole, tensor);
        for (int64_t begin = 0; begin < tensor_walk_positions(tensor); begin += size) {
            bool in_part = tensor_walk_part(&part, tensor, begin, begin + size);
            for (; in_part; in_part = tensor_walk_next(&part)) {
                assert_true(more);
                assert_int_equal(part.position, whole.position);
                assert_in_range(part.position, begin, begin + size - 1);
                for (int m = 0; m < tensor->order; m++)
                    assert_int_equal(part.coordinate[m], whole.coordinate[m]);
                more = tensor_walk_next(&whole);
            }
        }
        assert_false(more);
    }
}

static void formats_give_back_what_was_packed(void **state)
{
    (void)state;
    uint64_t seed = 20261120;
    int refused = 0, rounds = 150 * (format_names_count + FORMATS_UNNAMED);
    static struct trial t;
    for (int round = 0; round < rounds; round++) {
        struct rt_error error;
        struct coords back;
        new_trial(&t, round % (format_names_count + FORMATS_UNNAMED), &seed);
        struct tensor *tensor = packed(&t);
        refused += !tensor;
        if (tensor) {
            if (tensor_validate(tensor, "A", &error) != RT_OK)
                fail_msg("%s: %s", t.format->spelling, error.message);
            check_lengths(tensor);
            check_parts(tensor);
            assert_int_equal(tensor_unpack(tensor, false, 1, &back, NULL), RT_OK);
            check_components(&t, &back);
            if (!stores_more(t.format))
                assert_int_equal(back.n, t.distinct);
            coords_free(&back);
        }
        tensor_free(tensor);
        free_trial(&t);
    }
    print_message("%d packed, %d refused\n", rounds - refused, refused);
    assert_true(refused < rounds / 10);
}

static void tensors_without_entries_are_valid(void **state)
{
    (void)state;
    uint64_t seed = 5;
    static struct trial t;
    for (int round = 0; round < 10 * (format_names_count + FORMATS_UNNAMED); round++) {
        struct tensor *tensor;
        struct rt_error error;
        struct coords back;
        new_trial(&t, round % (format_names_count + FORMATS_UNNAMED), &seed);
        enum rt_status status = tensor_new_empty(t.format, TYPE_F32, t.dimension,
                                                 value_real(TYPE_F32, 0.5), "A", &tensor, &error);
        if (status == RT_OK) {
            if (tensor_validate(tensor, "A", &error) != RT_OK)
                fail_msg("%s: %s", t.format->spelling, error.message);
            assert_int_equal(tensor_unpack(tensor, true, 1, &back, NULL), RT_OK);
            assert_int_equal(back.n, 0);
            coords_free(&back);
        } else {
            assert_true(cannot_be(&t));
        }
        tensor_free(tensor);
        free_trial(&t);
    }
}

/* ---- the arrays of some ----
 *
 *     . . 5 .
 *     . . . .        -1 stands for what is stored where there is no coordinate
 *     7 . . 1
 */
static const struct {
    const char *format;
    /* of the levels, from the first to the last, and the values */
    const char *arrays;
} drawn[] = {
    {"bcsr(2,2)", "pos 0 1 3; crd 1 0 1; 5 0 0 0 7 0 0 0 0 1 0 0"},
    {"bcsr(2,2):1,0", "pos 0 1 3; crd 1 0 1; 7 0 0 0 5 0 0 0 0 0 1 0"},
    {"bcsc(2,2)", "pos 0 1 3; crd 1 0 1; 7 0 0 0 5 0 0 0 0 1 0 0"},
    {"csb(2)", "pos 0 0 1 2 3; crd 0 0 0; crd 0 0 1; 5 7 1"},
    {"dia", "pos 0 3; crd -2 1 2; 0 0 7 0 0 1 5 0 0"},
    {"ell", "width 2; crd 2 -1 -1 -1 0 3; 5 0 0 0 7 1"},
    {"sell(2)", "pos 0 2 6; crd 2 -1 0 -1 3 -1; 5 0 7 0 1 0"},
    {"(i,j) -> (i : ragged, j : singleton(padded))", "pos 0 6; crd 2 -1 0 -1 -1 3; 5 0 7 0 0 1"},
    {"bitmap", "map 0 0 1 0 0 0 0 0 1 0 0 1; 0 0 5 0 0 0 0 0 7 0 0 1"},
    {"mode-generic", "pos 0 2; crd 0 2; 0 0 5 0 7 0 0 1"},
    {"(i,j) -> (i : bytemap, j : compressed)",
     "count 2; map 1 0 1; crd 0 2 0; pos 0 1 1 3; crd 2 0 3; 5 7 1"},
};

static void add_arrays(struct text *out, const struct tensor *tensor)
{
    for (int k = 0; k < tensor->format->levels; k++)
        for (int a = 0; a < LEVEL_ARRAYS; a++) {
            const struct level_storage *level = &tensor->level[k];
            if (level->format->type->array[a].kind == LEVEL_NO_ARRAY)
                continue;
            text_add(out, level->format->type->array[a].name);
            for (int64_t i = 0; i < level->length[a]; i++)
                text_printf(
                    out, " %lld",
                    (long long)index_load(level_array_type(level->format, a), level->array[a], i));
            text_add(out, "; ");
        }
    for (int64_t i = 0; i < tensor->nvals; i++)
        text_printf(out, "%s%lld", i ? " " : "", (long long)((int64_t *)tensor->vals)[i]);
}

static void arrays_are_as_drawn(void **state)
{
    (void)state;
    static const int64_t entries[][3] = {{2, 3, 1}, {0, 2, 5}, {2, 0, 7}}, size[] = {3, 4};
    for (size_t d = 0; d < sizeof drawn / sizeof *drawn; d++) {
        struct context *cx = context_new();
        struct coords coords;
        struct tensor *tensor;
        cx->levels = registry_levels;
        struct text out = text_new(cx->arena);
        coords_init(&coords, 2, size, TYPE_I64);
        for (int i = 0; i < 3; i++)
            assert_true(coords_add(&coords, entries[i], &entries[i][2]));
        const struct format_defaults defaults = {TYPE_I32, TYPE_I16};
        const struct format *format = format_parse(cx, "A", drawn[d].format, 2, defaults);
        assert_int_equal(tensor_pack(&coords, format, value_zero(TYPE_I64), 1, "A", &tensor, NULL),
                         RT_OK);
        add_arrays(&out, tensor);
        assert_string_equal(out.at, drawn[d].arrays);
        tensor_free(tensor);
        coords_free(&coords);
        context_free(cx);
    }
}

/* ---- files ---- */

static char *written(const struct tensor *tensor, size_t *size)
{
    char path[100];
    snprintf(path, sizeof path, "/tmp/spcc-formats-%ld.tns", (long)getpid());
    assert_int_equal(io_write(path, &(struct io_writing){0}, tensor, NULL), RT_OK);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    char *text = malloc(1 << 20);
    assert_non_null(text);
    *size = fread(text, 1, 1 << 20, file);
    fclose(file);
    unlink(path);
    return text;
}

/* Whatever the format, a file has the same lines; and where blocks or hash tables store the tensor,
 * in the same order as with levels in the order of the modes. */
static void files_do_not_tell_the_format(void **state)
{
    (void)state;
    uint64_t seed = 11;
    static struct trial t;
    for (int round = 0; round < 6 * (format_names_count + FORMATS_UNNAMED); round++) {
        new_trial(&t, round % (format_names_count + FORMATS_UNNAMED), &seed);
        struct tensor *tensor = packed(&t), *sparse;
        if (tensor) {
            const struct format *csf =
                format_parse(t.cx, "A", t.format->order ? "csf" : "dense", t.format->order,
                             (struct format_defaults){TYPE_I32, TYPE_I32});
            bool as_stored = format_is_plain(t.format);
            for (int k = 0; as_stored && k < t.format->levels; k++)
                as_stored = level_has(&t.format->level[k], LEVEL_ORDERED);
            assert_int_equal(
                tensor_pack(&t.coords, csf, value_int(TYPE_I64, FILL), 1, NULL, &sparse, NULL),
                RT_OK);
            size_t size, expected;
            char *text = written(tensor, &size), *other = written(sparse, &expected);
            assert_int_equal(size, expected);
            if (!as_stored)
                assert_memory_equal(text, other, size);
            free(text);
            free(other);
            tensor_free(sparse);
        }
        tensor_free(tensor);
        free_trial(&t);
    }
}

/* ---- damage ---- */

static void change_element(struct level_storage *level, int a, uint64_t *seed)
{
    enum type type = level_array_type(level->format, a);
    size_t size = type_size(type);
    char *at = (char *)level->array[a] + (size_t)random_below(seed, level->length[a]) * size;
    uint64_t number = random_next(seed) % 12;
    switch (random_below(seed, 4)) {
    case 0: memset(at, 0xff, size); break;
    case 1: memset(at, 0x7f, size); break;
    case 2: at[random_below(seed, (int64_t)size)] ^= (char)(1 << random_below(seed, 8)); break;
    default: memcpy(at, &number, size); break;
    }
}

/* Change one element of an array, or shorten the array; false if there is no array with
 * elements. */
static bool damage(struct tensor *tensor, uint64_t *seed)
{
    struct level_storage *level;
    int a, tries = 0;
    do {
        level = &tensor->level[random_below(seed, tensor->format->levels)];
        a = (int)random_below(seed, LEVEL_ARRAYS);
    } while (level->length[a] == 0 && tries++ < 50);
    if (level->length[a] == 0)
        return false;
    if (random_below(seed, 8) == 0) {
        level->length[a] -= 1 + random_below(seed, level->length[a]);
        level->array[a] = realloc(
            level->array[a], level->length[a] * type_size(level_array_type(level->format, a)) + 1);
        assert_non_null(level->array[a]);
        if (level->length[a] == 0 && random_below(seed, 2)) {
            free(level->array[a]);
            level->array[a] = NULL;
        }
        return true;
    }
    change_element(level, a, seed);
    return true;
}

/* Of such lists validation sees no more than neighbours. */
static bool may_repeat(const struct format *format)
{
    for (int k = 0; k < format->levels; k++)
        if (!(format->level[k].properties & (LEVEL_UNIQUE | LEVEL_ORDERED)))
            return true;
    return false;
}

/* If the tensor is still valid, walking it is safe, stays within the sizes, and comes to every
 * component once. */
static void damage_is_found_or_harmless(void **state)
{
    (void)state;
    uint64_t seed = 3;
    int found = 0, harmless = 0;
    static struct trial t;
    for (int round = 0; round < 300 * (format_names_count + FORMATS_UNNAMED); round++) {
        struct rt_error error;
        new_trial(&t, round % (format_names_count + FORMATS_UNNAMED), &seed);
        struct tensor *tensor = t.format->order > 0 ? packed(&t) : NULL;
        if (tensor && damage(tensor, &seed)) {
            if (tensor_validate(tensor, "A", &error) == RT_OK) {
                struct tensor_walk walk;
                for (bool more = tensor_walk_first(&walk, tensor); more;
                     more = tensor_walk_next(&walk)) {
                    assert_true(walk.position >= 0 && walk.position < tensor->nvals);
                    for (int m = 0; m < tensor->order; m++)
                        assert_true(walk.coordinate[m] >= 0 && walk.coordinate[m] < t.dimension[m]);
                    if (t.seen[component_number(t.format->order, t.dimension, walk.coordinate)]
                        && !may_repeat(t.format))
                        fail_msg("%s: a component is there twice", t.format->spelling);
                    t.seen[component_number(t.format->order, t.dimension, walk.coordinate)] = true;
                }
                check_parts(tensor);
                harmless++;
            } else {
                assert_int_equal(error.status, RT_INPUT);
                assert_true(strncmp(error.message, "A: level ", 9) == 0
                            || strncmp(error.message, "A: vals has", 11) == 0);
                found++;
            }
        }
        tensor_free(tensor);
        free_trial(&t);
    }
    print_message("%d found, %d harmless\n", found, harmless);
    assert_true(found > 5000 && harmless > 500);
}

/* Arrays of a 6 x 6 matrix with one entry, or one block or diagonal: each level is in order by
 * itself. */
static const struct {
    const char *format;
    int32_t array[6][5]; /* of the levels, from the first to the last */
    int64_t length[6];
    const char *message; /* NULL: it is valid */
} alone[] = {
    {"csb(4)", {{0, 0, 0, 0, 1}, {1}, {0}}, {5, 1, 1}, NULL},
    {"csb(4)",
     {{0, 0, 0, 0, 1}, {2}, {0}},
     {5, 1, 1},
     "A: level 4 (singleton): at position 0 the coordinate 0 belongs to no component of the "
     "tensor"},
    {"csb(4)", {{0, 0, 1, 1, 1}, {3}, {1}}, {5, 1, 1}, NULL},
    {"csb(4)", {{0, 1, 1, 1, 1}, {1}, {3}}, {5, 1, 1}, NULL},
    {"csb(4)",
     {{0, 0, 1, 1, 1}, {1}, {3}},
     {5, 1, 1},
     "A: level 4 (singleton): at position 0 the coordinate 3 belongs to no component of the "
     "tensor"},
    {"sell(4)", {{0, 0, 4}, {-1, 5, -1, -1}}, {3, 4}, NULL},
    {"sell(4)",
     {{0, 0, 3}, {-1, 5, -1}},
     {3, 3},
     "A: level 2 (ragged) of size 4: pos[2] is 3, no multiple of the size"},
    {"sell(4)",
     {{0, 4, 4}, {-1, 6, -1, -1}},
     {3, 4},
     "A: level 3 (singleton(padded)) of size 6: crd[1] is 6, not below the dimension"},
    {"sell(4)",
     {{0, 0, 4}, {-1, -1, 0, -1}},
     {3, 4},
     "A: level 3 (singleton(padded)): at position 2 the coordinate 0 belongs to no component of "
     "the tensor"},
    {"bcsr(4,4)", {{0, 0, 1}, {1}}, {3, 1}, NULL},
    {"(i,j) -> (j-i : compressed, i : range)", {{0, 1}, {-5}}, {2, 1}, NULL},
    {"(i,j) -> (j-i : compressed, i : range)",
     {{0, 1}, {-6}},
     {2, 1},
     "A: level 1 (compressed) of size 11: crd[0] is -6, below the least difference"},
    {"(i,j) -> (j-i : compressed, i : range)",
     {{0, 1}, {6}},
     {2, 1},
     "A: level 1 (compressed) of size 11: crd[0] is 6, beyond the largest difference"},
    {"(i,j) -> (j-i : compressed, i : compressed)", {{0, 1}, {3}, {0, 1}, {2}}, {2, 1, 2, 1}, NULL},
    {"(i,j) -> (j-i : compressed, i : compressed)",
     {{0, 1}, {3}, {0, 1}, {3}},
     {2, 1, 2, 1},
     "A: level 2 (compressed): at position 0 the coordinate 3 belongs to no component of the "
     "tensor"},
    {"(i,j) -> (j-i : compressed, i : compressed, j : singleton)",
     {{0, 1}, {3}, {0, 1}, {2}, {5}},
     {2, 1, 2, 1, 1},
     NULL},
    {"(i,j) -> (j-i : compressed, i : compressed, j : singleton)",
     {{0, 1}, {3}, {0, 1}, {2}, {4}},
     {2, 1, 2, 1, 1},
     "A: level 3 (singleton): at position 0 the coordinate 4 belongs to no component of the "
     "tensor"},
};

static void levels_must_agree(void **state)
{
    (void)state;
    const int64_t size[] = {6, 6};
    double vals[36] = {0};
    for (size_t c = 0; c < sizeof alone / sizeof *alone; c++) {
        struct context *cx = context_new();
        cx->levels = registry_levels;
        const struct format_defaults defaults = {TYPE_I32, TYPE_I32};
        const struct format *format = format_parse(cx, "A", alone[c].format, 2, defaults);
        struct tensor *tensor;
        struct rt_error error = {.message = ""};
        assert_int_equal(
            tensor_new(format, TYPE_F64, size, value_zero(TYPE_F64), "A", &tensor, &error), RT_OK);
        int next = 0;
        for (int k = 0; k < format->levels; k++)
            for (int a = 0; a < LEVEL_ARRAYS; a++)
                if (format->level[k].type->array[a].kind != LEVEL_NO_ARRAY) {
                    tensor->level[k].array[a] = (void *)alone[c].array[next];
                    tensor->level[k].length[a] = alone[c].length[next++];
                }
        tensor->vals = vals;
        tensor->nvals = 36;
        enum rt_status status = tensor_validate(tensor, "A", &error);
        assert_string_equal(error.message, alone[c].message ? alone[c].message : "");
        assert_int_equal(status, alone[c].message ? RT_INPUT : RT_OK);
        tensor_free(tensor);
        context_free(cx);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(formats_give_back_what_was_packed),
        cmocka_unit_test(tensors_without_entries_are_valid),
        cmocka_unit_test(arrays_are_as_drawn),
        cmocka_unit_test(files_do_not_tell_the_format),
        cmocka_unit_test(damage_is_found_or_harmless),
        cmocka_unit_test(levels_must_agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
