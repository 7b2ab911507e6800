/* generate.c - tensors that are made up.
 *
 * The value of a component is a hash of seed and place (a step of splitmix64: Steele, Lea, Flood,
 * "Fast splittable pseudorandom number generators", 2014), so that it does not matter in which
 * order they are visited.  Sparse tensors are sampled by jumping from one entry to the next: the
 * gaps between them have a geometric distribution.
 *
 * SPDX-License-Identifier: MIT
 */
#include "runtime/tensor/generate.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "compiler/base/suggest.h"
#include "runtime/tensor/walk.h"

static const struct {
    const char *name;
    enum generator_kind kind;
    int arguments;
    bool is_seeded; /* one more argument, which may be left out, is the seed */
} generators[] = {
    {"@ones", GENERATE_ONES, 0, false},         {"@index", GENERATE_INDEX, 0, false},
    {"@constant", GENERATE_CONSTANT, 1, false}, {"@random", GENERATE_RANDOM, 0, true},
    {"@sparse", GENERATE_SPARSE, 1, true},
};

/* ---- "@sparse(0.01,7)" ---- */

static enum rt_status fail_parse(const char *text, const char *why, struct rt_error *error)
{
    enum rt_status status =
        rt_fail(error, RT_INPUT, DIAG_SYNTAX, "'%.80s' is no recipe: %s", text, why);
    char name[32];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(text, "("), text);
    struct suggestion near = suggest_for(name);
    for (size_t g = 0; g < sizeof generators / sizeof *generators; g++)
        suggest_consider(&near, generators[g].name, strlen(generators[g].name));
    bool is_near = near.nearest && near.distance > 0;
    rt_help(error,
            "%s%.*s%s are @ones, @index, @constant(VALUE), @random(SEED) and "
            "@sparse(DENSITY,SEED), the density from 0 to 1; a seed may be left out",
            is_near ? "did you mean " : "", is_near ? near.length : 0, is_near ? near.nearest : "",
            is_near ? "? Recipes" : "recipes");
    return status;
}

enum { ARGUMENTS = 2 };

/* s is "(a,b)" or "(a)" or nothing: set the arguments, and how many there are; -1 if malformed. */
static int split_arguments(const char *s, const char **argument, size_t *length)
{
    if (*s == '\0')
        return 0;
    const char *end = s + strlen(s) - 1;
    if (*s != '(' || *end != ')')
        return -1;
    int n = 0;
    for (const char *next = s; next < end; s = next) {
        s += 1 + strspn(s + 1, " ");
        size_t inner = *s == '(' ? strcspn(s, ")") : 0; /* of a complex value */
        next = s + inner + (inner > 0 && s[inner]);
        next += strcspn(next, ",)");
        if (n == ARGUMENTS || (*next == ')' && next != end))
            return -1;
        argument[n] = s;
        length[n++] = (size_t)(next - s);
    }
    return n;
}

static bool parse_seed(const char *s, size_t n, uint64_t *seed)
{
    struct value value;
    if (strspn(s, "0123456789") < n || !value_parse(s, n, TYPE_U64, &value))
        return false;
    *seed = value.u;
    return true;
}

static bool parse_density(const char *s, size_t n, double *density)
{
    struct value value;
    if (!value_parse(s, n, TYPE_F64, &value) || !(value.f >= 0 && value.f <= 1))
        return false;
    *density = value.f;
    return true;
}

static enum rt_status parse_arguments(const char *text, const char *s, int expected, bool is_seeded,
                                      enum type type, struct generator *generator,
                                      struct rt_error *error)
{
    const char *argument[ARGUMENTS] = {NULL};
    size_t length[ARGUMENTS] = {0};
    int n = split_arguments(s, argument, length);
    if (n < expected || n > expected + is_seeded)
        return fail_parse(text,
                          n < 0          ? "malformed arguments"
                          : n < expected ? "too few arguments"
                                         : "too many arguments",
                          error);
    bool is_constant = generator->kind == GENERATE_CONSTANT;
    bool has_density = expected == 1 && !is_constant;
    if (has_density && !parse_density(argument[0], length[0], &generator->density))
        return fail_parse(text, "the density is no number from 0 to 1", error);
    if (is_constant && !value_parse(argument[0], length[0], type, &generator->constant)) {
        char why[64];
        snprintf(why, sizeof why, "it is not a value of type %s", type_name(type));
        return fail_parse(text, why, error);
    }
    if (n > expected && !parse_seed(argument[n - 1], length[n - 1], &generator->seed))
        return fail_parse(text, "the seed is no integer from 0 on that fits 64 bits", error);
    return RT_OK;
}

enum rt_status generator_parse(const char *text, enum type type, struct generator *generator,
                               struct rt_error *error)
{
    *generator = (struct generator){.density = 1};
    size_t n = strcspn(text, "(");
    for (size_t i = 0; i < sizeof generators / sizeof *generators; i++)
        if (strlen(generators[i].name) == n && memcmp(generators[i].name, text, n) == 0) {
            generator->kind = generators[i].kind;
            return parse_arguments(text, text + n, generators[i].arguments, generators[i].is_seeded,
                                   type, generator, error);
        }
    return fail_parse(text, "there is none of that name", error);
}

/* ---- values ---- */

static uint64_t hash(uint64_t seed, uint64_t place)
{
    uint64_t z = seed * UINT64_C(0xd1342543de82ef95) + (place + 1) * UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

/* In [0, 1), with as many bits as a float or a double holds, so that rounding does not make it
 * 1. */
static double uniform(uint64_t random, bool single)
{
    return single ? (double)(random >> 40) * 0x1p-24 : (double)(random >> 11) * 0x1p-53;
}

static struct value random_value(const struct generator *generator, enum type type, uint64_t place)
{
    uint64_t random = hash(generator->seed, place);
    bool single = type_size(type_real(type)) == 4;
    switch (type_kind(type)) {
    case KIND_BOOL: return value_int(type, 1);
    case KIND_INT:
    case KIND_UINT: return value_int(type, 1 + (int64_t)(random % 9));
    case KIND_FLOAT: return value_real(type, uniform(random, single));
    case KIND_COMPLEX: break;
    }
    return value_complex(type, uniform(random, single),
                         uniform(hash(~generator->seed, place), single));
}

static struct value value_at(const struct generator *generator, enum type type, uint64_t place)
{
    switch (generator->kind) {
    case GENERATE_ONES: return value_int(type, 1);
    case GENERATE_INDEX: return value_int(type, (int64_t)place);
    case GENERATE_CONSTANT: return generator->constant;
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

/* How many components to jump over: the number of failures before the first success of this
 * probability. */
static double gap(const struct generator *generator, uint64_t number)
{
    if (generator->kind != GENERATE_SPARSE || generator->density >= 1)
        return 0;
    uint64_t random = hash(generator->seed ^ UINT64_C(0x5bd1e995), number);
    return floor(log(1 - uniform(random, false)) / log1p(-generator->density));
}

static bool add_components(const struct generator *generator, struct coords *coords,
                           wide components)
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

bool generator_is_full(const struct generator *generator, const struct format *format)
{
    for (int k = 0; k < format->levels; k++)
        if (!level_has(&format->level[k], LEVEL_FULL))
            return false;
    return generator->kind != GENERATE_SPARSE;
}

enum rt_status generate_full(const struct generator *generator, const struct format *format,
                             enum type type, const int64_t *dimension, struct value fill,
                             const char *name, struct tensor **tensor, struct rt_error *error)
{
    enum rt_status status = tensor_new_empty(format, type, dimension, fill, name, tensor, error);
    if (status != RT_OK)
        return status;
    bool is_uniform = generator->kind == GENERATE_ONES || generator->kind == GENERATE_CONSTANT;
    if (is_uniform && !(*tensor)->inverse) {
        tensor_fill_dense(*tensor, value_at(generator, type, 0), 1);
        return RT_OK;
    }
    struct tensor_walk walk;
    for (bool more = tensor_walk_first(&walk, *tensor); more; more = tensor_walk_next(&walk)) {
        uint64_t place = 0;
        for (int m = 0; m < format->order; m++)
            place = place * (uint64_t)dimension[m] + (uint64_t)walk.coordinate[m];
        value_store(value_at(generator, type, place),
                    (char *)(*tensor)->vals + (size_t)walk.position * type_size(type));
    }
    return RT_OK;
}

enum rt_status generate_coords(const struct generator *generator, const char *name,
                               struct coords *coords, struct rt_error *error)
{
    wide components = 1;
    for (int m = 0; m < coords->order; m++)
        if (coords->dimension[m] < 0
            || __builtin_mul_overflow(components, (wide)coords->dimension[m], &components))
            return rt_fail(error, RT_INPUT, DIAG_LIMIT,
                           "%s%sthe tensor has too many components to be generated",
                           name ? name : "", name ? ": " : "");
    return add_components(generator, coords, components) ? RT_OK : rt_no_memory(error);
}
