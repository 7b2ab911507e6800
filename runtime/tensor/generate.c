/* generate.c - generated tensors.
 *
 * The value of a component is a hash of the seed and its place (a step of splitmix64: Steele, Lea,
 * Flood, "Fast splittable pseudorandom number generators", 2014), so the order of visits does not
 * matter.  Sparse tensors are sampled by jumping from one entry to the next: the gaps have a
 * geometric distribution.
 *
 * SPDX-License-Identifier: MIT
 */
#include "runtime/tensor/generate.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "compiler/base/suggest.h"
#include "runtime/tensor/generate_places.h"
#include "runtime/tensor/walk.h"

/* ---- "@sparse(0.01,7)" ---- */

enum { ARGUMENTS = 2 + GENERATE_CELLS };

/* The arguments between the parentheses, and why they are wrong. */
struct arguments {
    const char *at[ARGUMENTS];
    size_t length[ARGUMENTS];
    int n, list; /* from `list` on they follow a semicolon; -1: there is none */
    char why[80];
};

static bool parse_integer(const struct arguments *a, int k, enum type type, struct value *value)
{
    return strspn(a->at[k], "0123456789") >= a->length[k]
           && value_parse(a->at[k], a->length[k], type, value);
}

static bool parse_number(const struct arguments *a, int k, double *number)
{
    struct value value;
    if (!value_parse(a->at[k], a->length[k], TYPE_F64, &value) || !isfinite(value.f))
        return false;
    *number = value.f;
    return true;
}

static bool wrong(struct arguments *a, const char *why)
{
    snprintf(a->why, sizeof a->why, "%s", why);
    return false;
}

static bool take_seed(struct arguments *a, int k, struct generator *generator)
{
    struct value value;
    if (a->n <= k)
        return true;
    if (!parse_integer(a, k, TYPE_U64, &value))
        return wrong(a, "the seed is no integer from 0 on that fits 64 bits");
    generator->seed = value.u;
    return true;
}

static bool take_only_a_seed(struct arguments *a, enum type type, struct generator *generator)
{
    (void)type;
    return take_seed(a, 0, generator);
}

static bool take_constant(struct arguments *a, enum type type, struct generator *generator)
{
    if (value_parse(a->at[0], a->length[0], type, &generator->constant))
        return true;
    snprintf(a->why, sizeof a->why, "it is not a value of type %s", type_name(type));
    return false;
}

static bool take_density(struct arguments *a, enum type type, struct generator *generator)
{
    double density;
    (void)type;
    if (!parse_number(a, 0, &density) || density < 0 || density > 1)
        return wrong(a, "the density is no number from 0 to 1");
    generator->density = density;
    return take_seed(a, 1, generator);
}

/* Reads the seed and the number of components. */
static bool take_stored(struct arguments *a, struct generator *generator)
{
    struct value value;
    if (!take_seed(a, 0, generator))
        return false;
    if (!parse_integer(a, 1, TYPE_I64, &value))
        return wrong(a, "what is to be stored is no integer from 0 on");
    generator->stored = value.i;
    return true;
}

static bool take_initiator(struct arguments *a, enum type type, struct generator *generator)
{
    (void)type;
    if (!take_stored(a, generator))
        return false;
    if (a->list >= 0 ? a->list != 2 : a->n > 2)
        return wrong(a, "a semicolon is to be in front of the probabilities");
    for (int k = 2; k < a->n; k++)
        if (!parse_number(a, k, &generator->cell[k - 2]) || generator->cell[k - 2] <= 0)
            return wrong(a, "a probability is no number above 0");
    generator->cells = a->n - 2;
    return true;
}

static bool take_power(struct arguments *a, enum type type, struct generator *generator)
{
    (void)type;
    if (!take_stored(a, generator))
        return false;
    if (a->n > 2 && (!parse_number(a, 2, &generator->exponent) || generator->exponent < 0))
        return wrong(a, "the exponent is no number from 0 on");
    generator->says_full = a->n > 3;
    for (int k = 3; k < a->n; k++) {
        struct value mode;
        if (!parse_integer(a, k, TYPE_I64, &mode) || mode.i >= ORDER_MAX)
            return wrong(a, "a full mode is no number of a mode, from 0 on");
        if (generator->full[mode.i])
            return wrong(a, "a full mode is there twice");
        generator->full[mode.i] = true;
    }
    return true;
}

/* The recipes: the number of arguments, and the function that reads them. */
static const struct recipe {
    const char *name, *usage;
    enum generator_kind kind;
    int least, most;
    bool has_list; /* after a semicolon */
    bool (*take)(struct arguments *a, enum type type, struct generator *generator);
} recipes[] = {
    {"@ones", "", GENERATE_ONES, 0, 0, false, take_only_a_seed},
    {"@index", "", GENERATE_INDEX, 0, 0, false, take_only_a_seed},
    {"@constant", "(VALUE)", GENERATE_CONSTANT, 1, 1, false, take_constant},
    {"@random", "(SEED)", GENERATE_RANDOM, 0, 1, false, take_only_a_seed},
    {"@sparse", "(DENSITY,SEED)", GENERATE_SPARSE, 1, 2, false, take_density},
    {"@kronecker", "(SEED,STORED)", GENERATE_KRONECKER, 2, ARGUMENTS, true, take_initiator},
    {"@powerlaw", "(SEED,STORED,EXPONENT)", GENERATE_POWERLAW, 2, 3 + ORDER_MAX, false, take_power},
};
enum { RECIPES = sizeof recipes / sizeof *recipes };

static enum rt_status fail_parse(const char *text, const char *why, struct rt_error *error)
{
    enum rt_status status =
        rt_fail(error, RT_INPUT, DIAG_SYNTAX, "'%.80s' is no recipe: %s", text, why);
    char name[32], all[256] = "";
    snprintf(name, sizeof name, "%.*s", (int)strcspn(text, "(/"), text);
    struct suggestion near = suggest_for(name);
    for (size_t g = 0, n = 0; g < RECIPES; g++) {
        suggest_consider(&near, recipes[g].name, strlen(recipes[g].name));
        n += (size_t)snprintf(all + n, sizeof all - n, "%s%s, ", recipes[g].name, recipes[g].usage);
    }
    for (int k = 0; k < presets_n; k++)
        suggest_consider(&near, presets[k].name, strlen(presets[k].name));
    bool is_near = near.nearest && near.distance > 0;
    rt_help(error, "%s%.*s%s are %sand presets such as %s/100", is_near ? "did you mean " : "",
            is_near ? near.length : 0, is_near ? near.nearest : "",
            is_near ? "? Recipes" : "recipes", all, presets[0].name);
    return status;
}

/* Splits "(a,b)", "(a;b)", "(a)" or nothing.  false: malformed, or too many. */
static bool split_arguments(const char *s, struct arguments *a)
{
    *a = (struct arguments){.list = -1};
    if (*s == '\0')
        return true;
    const char *end = s + strlen(s) - 1;
    if (*s != '(' || *end != ')')
        return false;
    for (const char *next = s; next < end; s = next) {
        if (*s == ';' && a->list >= 0)
            return false;
        if (*s == ';')
            a->list = a->n;
        s += 1 + strspn(s + 1, " ");
        size_t inner = *s == '(' ? strcspn(s, ")") : 0; /* of a complex value */
        next = s + inner + (inner > 0 && s[inner]);
        next += strcspn(next, ",;)");
        if (a->n == ARGUMENTS || (*next == ')' && next != end))
            return false;
        a->at[a->n] = s;
        a->length[a->n++] = (size_t)(next - s);
    }
    return true;
}

static enum rt_status parse_arguments(const char *text, const char *s, const struct recipe *recipe,
                                      enum type type, struct generator *generator,
                                      struct rt_error *error)
{
    struct arguments a;
    if (!split_arguments(s, &a) || (a.list >= 0 && !recipe->has_list))
        return fail_parse(text, "malformed arguments", error);
    if (a.n < recipe->least || a.n > recipe->most)
        return fail_parse(text, a.n < recipe->least ? "too few arguments" : "too many arguments",
                          error);
    return recipe->take(&a, type, generator) ? RT_OK : fail_parse(text, a.why, error);
}

/* Reads "@irrS4d/100(7)". */
static enum rt_status parse_preset(const char *text, const struct preset *preset,
                                   struct generator *generator, struct rt_error *error)
{
    static const struct recipe seeded = {.most = 1, .take = take_only_a_seed};
    const char *rest = text + strlen(preset->name);
    double part = 1;
    if (*rest == '/') {
        struct arguments divisor = {.at = {rest + 1}, .length = {strcspn(rest + 1, "(")}, .n = 1};
        if (!parse_number(&divisor, 0, &part) || part < 1)
            return fail_parse(text, "it is divided by no number from 1 on", error);
        rest = divisor.at[0] + divisor.length[0];
    }
    generator->kind = preset->kind;
    generator->stored = (int64_t)llround((double)preset->stored / part);
    return parse_arguments(text, rest, &seeded, TYPE_F64, generator, error);
}

enum rt_status generator_parse(const char *text, enum type type, struct generator *generator,
                               struct rt_error *error)
{
    *generator = (struct generator){.density = 1, .exponent = 1.5};
    size_t n = strcspn(text, "(");
    for (size_t r = 0; r < RECIPES; r++)
        if (strlen(recipes[r].name) == n && memcmp(recipes[r].name, text, n) == 0) {
            generator->kind = recipes[r].kind;
            return parse_arguments(text, text + n, &recipes[r], type, generator, error);
        }
    const struct preset *preset = preset_named(text);
    return preset ? parse_preset(text, preset, generator, error)
                  : fail_parse(text, "there is none of that name", error);
}

int generator_sizes(const char *text, int room, int64_t *dimension)
{
    const struct preset *preset = preset_named(text);
    for (int m = 0; preset && m < preset->order && preset->order <= room; m++)
        dimension[m] = preset->dimension[m];
    return preset ? preset->order : 0;
}

/* ---- values ---- */

static struct value random_value(const struct generator *generator, enum type type, uint64_t place)
{
    uint64_t random = generate_hash(generator->seed, place);
    bool single = type_size(type_real(type)) == 4;
    switch (type_kind(type)) {
    case KIND_BOOL: return value_int(type, 1);
    case KIND_INT:
    case KIND_UINT: return value_int(type, 1 + (int64_t)(random % 9));
    case KIND_FLOAT: return value_real(type, generate_unit(random, single));
    case KIND_COMPLEX: break;
    }
    return value_complex(type, generate_unit(random, single),
                         generate_unit(generate_hash(~generator->seed, place), single));
}

static struct value value_at(const struct generator *generator, enum type type, uint64_t place)
{
    switch (generator->kind) {
    case GENERATE_ONES: return value_int(type, 1);
    case GENERATE_INDEX: return value_int(type, (int64_t)place);
    case GENERATE_CONSTANT: return generator->constant;
    case GENERATE_RANDOM:
    case GENERATE_SPARSE:
    case GENERATE_KRONECKER:
    case GENERATE_POWERLAW: break;
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

/* Returns the number of components to jump over: the failures before the first success of this
 * probability. */
static double gap(const struct generator *generator, uint64_t number)
{
    if (generator->kind != GENERATE_SPARSE || generator->density >= 1)
        return 0;
    uint64_t random = generate_hash(generator->seed ^ UINT64_C(0x5bd1e995), number);
    return floor(log(1 - generate_unit(random, false)) / log1p(-generator->density));
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
    /* All at once: a tensor that cannot fit is refused before it fills the memory. */
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
    if (!format_is_full(format))
        return false;
    switch (generator->kind) {
    case GENERATE_ONES:
    case GENERATE_INDEX:
    case GENERATE_CONSTANT:
    case GENERATE_RANDOM: return true;
    case GENERATE_SPARSE:
    case GENERATE_KRONECKER:
    case GENERATE_POWERLAW: break;
    }
    return false;
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

/* Sets the values of components whose places have been drawn. */
static void set_values(const struct generator *generator, struct coords *coords)
{
    size_t size = type_size(coords->type);
    for (int64_t e = 0; e < coords->n; e++) {
        uint64_t place = 0;
        for (int m = 0; m < coords->order; m++)
            place = place * (uint64_t)coords->dimension[m] + (uint64_t)coords->coordinate[m][e];
        value_store(value_at(generator, coords->type, place),
                    (char *)coords->vals + (size_t)e * size);
    }
}

enum rt_status generate_coords(const struct generator *generator, int threads, const char *name,
                               struct coords *coords, struct rt_error *error)
{
    wide components = 1;
    if (generator->kind == GENERATE_KRONECKER || generator->kind == GENERATE_POWERLAW) {
        enum rt_status status = generate_places(generator, threads, name, coords, error);
        if (status == RT_OK)
            set_values(generator, coords);
        return status;
    }
    for (int m = 0; m < coords->order; m++)
        if (coords->dimension[m] < 0
            || __builtin_mul_overflow(components, (wide)coords->dimension[m], &components))
            return rt_fail(error, RT_INPUT, DIAG_LIMIT,
                           "%s%sthe tensor has too many components to be generated",
                           name ? name : "", name ? ": " : "");
    return add_components(generator, coords, components) ? RT_OK : rt_no_memory(error);
}
