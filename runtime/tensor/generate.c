/* generate.c - tensors that are made up.
 *
 * The value of a component is a hash of seed and place (a step of splitmix64: Steele, Lea, Flood, "Fast splittable
 * pseudorandom number generators", 2014), so that it does not matter in which order they are visited.  Sparse tensors
 * are sampled by jumping from one entry to the next: the gaps between them have a geometric distribution.
 *
 * SPDX-License-Identifier: MIT
 */
#include "runtime/tensor/generate.h"

#include <math.h>
#include <string.h>

#include "runtime/tensor/walk.h"

static const struct {
    const char *name;
    enum generator_kind kind;
    int arguments;                   /* at most: the seed is the last and may be left out */
} generators[] = {
    {"@ones", GENERATE_ONES, 0},
    {"@index", GENERATE_INDEX, 0},
    {"@random", GENERATE_RANDOM, 1},
    {"@sparse", GENERATE_SPARSE, 2},
};

/* ---- "@sparse(0.01,7)" ---- */

static enum rt_status fail_parse(const char *text, const char *why, struct rt_error *error)
{
    enum rt_status status = rt_fail(error, RT_INPUT, DIAG_SYNTAX, "%.80s: %s", text, why);
    rt_help(error, "write @ones, @index, @random(SEED) or @sparse(DENSITY,SEED)");
    return status;
}

/* The n bytes at s are "(a,b)" or "(a)" or nothing: set the arguments, and how many there are; -1 if malformed. */
static int split_arguments(const char *s, const char **argument, size_t *length)
{
    if (*s == '\0')
        return 0;
    size_t n = strlen(s);
    if (*s != '(' || s[n - 1] != ')')
        return -1;
    const char *end = s + n - 1, *comma = memchr(s, ',', n);
    argument[0] = s + 1;
    length[0] = (size_t)((comma ? comma : end) - argument[0]);
    if (!comma)
        return 1;
    argument[1] = comma + 1;
    length[1] = (size_t)(end - argument[1]);
    return 2;
}

static enum rt_status parse_arguments(const char *text, const char *s, int most, struct generator *generator,
                                      struct rt_error *error)
{
    const char *argument[2];
    size_t length[2];
    struct value value;
    int n = split_arguments(s, argument, length);
    if (n < 0 || n > most)
        return fail_parse(text, n < 0 ? "the arguments are malformed" : "too many arguments", error);
    if (generator->kind == GENERATE_SPARSE) {
        if (n == 0 || !value_parse(argument[0], length[0], TYPE_F64, &value) || !(value.f >= 0 && value.f <= 1))
            return fail_parse(text, "the density is a number from 0 to 1", error);
        generator->density = value.f;
    }
    if (most > 0 && n == most) {
        if (!value_parse(argument[n - 1], length[n - 1], TYPE_U64, &value))
            return fail_parse(text, "the seed is an integer", error);
        generator->seed = value.u;
    }
    return RT_OK;
}

enum rt_status generator_parse(const char *text, struct generator *generator, struct rt_error *error)
{
    *generator = (struct generator){.density = 1};
    size_t n = strcspn(text, "(");
    for (size_t i = 0; i < sizeof generators / sizeof *generators; i++)
        if (strlen(generators[i].name) == n && memcmp(generators[i].name, text, n) == 0) {
            generator->kind = generators[i].kind;
            return parse_arguments(text, text + n, generators[i].arguments, generator, error);
        }
    return fail_parse(text, "no such generator", error);
}

/* ---- values ---- */

static uint64_t hash(uint64_t seed, uint64_t place)
{
    uint64_t z = seed * UINT64_C(0xd1342543de82ef95) + (place + 1) * UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

/* In (0, 1]. */
static double unit(uint64_t random) { return (double)((random >> 11) + 1) * 0x1p-53; }

static struct value random_value(const struct generator *generator, enum type type, uint64_t place)
{
    uint64_t random = hash(generator->seed, place);
    switch (type_kind(type)) {
    case KIND_BOOL: return value_int(type, generator->kind == GENERATE_SPARSE || random >> 63);
    case KIND_INT:
    case KIND_UINT: return value_int(type, 1 + (int64_t)(random % 100));
    case KIND_FLOAT: return value_real(type, unit(random));
    case KIND_COMPLEX: break;
    }
    return value_complex(type, unit(random), unit(hash(~generator->seed, place)));
}

static struct value value_at(const struct generator *generator, enum type type, uint64_t place)
{
    switch (generator->kind) {
    case GENERATE_ONES: return value_int(type, 1);
    case GENERATE_INDEX: return value_int(type, (int64_t)(place + 1));
    case GENERATE_RANDOM:
    case GENERATE_SPARSE: break;
    }
    return random_value(generator, type, place);
}

/* ---- tensors ---- */

__extension__ typedef unsigned __int128 wide;

static bool add_component(const struct generator *generator, struct coords *coords, wide place)
{
    int64_t coordinate[ORDER_MAX];
    char bytes[16];
    value_store(value_at(generator, coords->type, (uint64_t)place), bytes);
    for (int m = coords->order - 1; m >= 0; m--) {
        coordinate[m] = (int64_t)(place % (uint64_t)coords->dimension[m]);
        place /= (uint64_t)coords->dimension[m];
    }
    return coords_add(coords, coordinate, bytes);
}

/* How many components to jump over: the number of failures before the first success of this probability. */
static double gap(const struct generator *generator, uint64_t number)
{
    if (generator->kind != GENERATE_SPARSE || generator->density >= 1)
        return 0;
    return floor(log(unit(hash(generator->seed ^ UINT64_C(0x5bd1e995), number))) / log1p(-generator->density));
}

static bool add_components(const struct generator *generator, struct coords *coords, wide components)
{
    double density = generator->kind == GENERATE_SPARSE ? generator->density : 1;
    double expected = (double)components * density, more = expected + 4 * sqrt(expected) + 16;
    if (density <= 0)
        return true;
    if (more > (double)components)
        more = (double)components;
    /* All at once, so that what cannot fit is refused before memory is filled with it. */
    if (more >= 0x1p62 || !coords_reserve(coords, (int64_t)more))
        return false;
    uint64_t number = 0;
    for (wide place = 0; place < components; place++) {
        double jump = gap(generator, number++);
        if (!(jump < (double)(components - place)))
            return true;
        place += (wide)jump;
        if (place < components && !add_component(generator, coords, place))
            return false;
    }
    return true;
}

static bool is_full(const struct format *format)
{
    for (int k = 0; k < format->levels; k++)
        if (!level_has(&format->level[k], LEVEL_FULL))
            return false;
    return true;
}

/* Without a list of coordinates, in place. */
static enum rt_status generate_full(const struct generator *generator, const struct format *format, enum type type,
                                    const int64_t *dimension, struct value fill, const char *name,
                                    struct tensor **tensor, struct rt_error *error)
{
    enum rt_status status = tensor_new_empty(format, type, dimension, fill, name, tensor, error);
    if (status != RT_OK)
        return status;
    if (generator->kind == GENERATE_ONES) {
        tensor_fill_dense(*tensor, value_int(type, 1));
        return RT_OK;
    }
    struct tensor_walk walk;
    for (bool more = tensor_walk_first(&walk, *tensor); more; more = tensor_walk_next(&walk)) {
        uint64_t place = 0;
        for (int m = 0; m < format->order; m++)
            place = place * (uint64_t)dimension[m] + (uint64_t)walk.coordinate[m];
        value_store(value_at(generator, type, place), (char *)(*tensor)->vals + (size_t)walk.position * type_size(type));
    }
    return RT_OK;
}

enum rt_status tensor_generate(const struct generator *generator, const struct format *format, enum type type,
                               const int64_t *dimension, struct value fill, const char *name,
                               struct tensor **tensor, struct rt_error *error)
{
    *tensor = NULL;
    if (generator->kind != GENERATE_SPARSE && is_full(format))
        return generate_full(generator, format, type, dimension, fill, name, tensor, error);
    wide components = 1;
    for (int m = 0; m < format->order; m++)
        if (dimension[m] < 0 || __builtin_mul_overflow(components, (wide)dimension[m], &components))
            return rt_fail(error, RT_INPUT, DIAG_LIMIT, "%s%sthe tensor has too many components to be generated",
                           name ? name : "", name ? ": " : "");
    struct coords coords;
    coords_init(&coords, format->order, dimension, type);
    enum rt_status status = add_components(generator, &coords, components)
        ? tensor_pack(&coords, format, fill, 0, name, tensor, error) : rt_no_memory(error);
    coords_free(&coords);
    return status;
}
