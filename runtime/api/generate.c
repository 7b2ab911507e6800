/* generate.c - tensors from recipes: @ones, @index, @random, @sparse.
 *
 * Random numbers are splitmix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators, 2014), one stream a
 * recipe.  @sparse walks over the components in the order of the modes and draws the distances between those that are
 * there, which are geometrically distributed, so its cost is that of the entries and not of the components.
 *
 * SPDX-License-Identifier: MIT
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/api/tensor.h"
#include "runtime/tensor/alloc.h"

enum recipe_kind { RECIPE_ONES, RECIPE_INDEX, RECIPE_RANDOM, RECIPE_SPARSE };

struct recipe {
    enum recipe_kind kind;
    uint64_t seed;
    double density;
};

struct generating {
    const char *recipe, *format;
    spcc_type type;
    int order;
    const int64_t *dimensions;
    const spcc_tensor_options *options;

    struct tensor *tensor;
    struct coords coords;
    struct spcc_tensor *made;
    spcc_tensor_info info;
};

/* ---- recipes ---- */

/* The text after a prefix, or NULL. */
static const char *after(const char *text, const char *prefix)
{
    size_t n = strlen(prefix);
    return strncmp(text, prefix, n) == 0 ? text + n : NULL;
}

/* Digits, up to a closing parenthesis that ends the text. */
static bool parse_seed(const char *s, uint64_t *seed)
{
    *seed = 0;
    if (*s < '0' || *s > '9')
        return false;
    for (; *s >= '0' && *s <= '9'; s++)
        if (__builtin_mul_overflow(*seed, 10, seed) || __builtin_add_overflow(*seed, (uint64_t)(*s - '0'), seed))
            return false;
    return strcmp(s, ")") == 0;
}

static bool parse_recipe(const char *text, struct recipe *recipe)
{
    const char *rest;
    struct value density;
    *recipe = (struct recipe){.kind = RECIPE_ONES};
    if (strcmp(text, "@ones") == 0)
        return true;
    recipe->kind = RECIPE_INDEX;
    if (strcmp(text, "@index") == 0)
        return true;
    recipe->kind = RECIPE_RANDOM;
    if ((rest = after(text, "@random(")))
        return parse_seed(rest, &recipe->seed);
    recipe->kind = RECIPE_SPARSE;
    rest = after(text, "@sparse(");
    const char *comma = rest ? strchr(rest, ',') : NULL;
    if (!comma || !value_parse(rest, (size_t)(comma - rest), TYPE_F64, &density))
        return false;
    recipe->density = density.f;
    comma += 1 + strspn(comma + 1, " ");
    return density.f >= 0 && density.f <= 1 && parse_seed(comma, &recipe->seed);
}

/* ---- values ---- */

static uint64_t draw(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

/* In [0, 1), exact in a double of 53 bits; of 24 bits for types that hold no more. */
static double uniform(uint64_t *state, int bits) { return (double)(draw(state) >> (64 - bits)) * ldexp(1, -bits); }

static struct value random_value(enum type type, uint64_t *state)
{
    int bits = type == TYPE_F32 || type == TYPE_C64 ? 24 : 53;
    switch (type_kind(type)) {
    case KIND_BOOL: return value_int(type, 1);
    case KIND_INT: case KIND_UINT: return value_int(type, 1 + (int64_t)(draw(state) % 9));
    case KIND_FLOAT: return value_real(type, uniform(state, bits));
    case KIND_COMPLEX: {
        double re = uniform(state, bits);
        return value_complex(type, re, uniform(state, bits));
    }
    }
    return value_zero(type);
}

static struct value dense_value(const struct recipe *recipe, enum type type, int64_t k, uint64_t *state)
{
    switch (recipe->kind) {
    case RECIPE_ONES: return value_int(type, 1);
    case RECIPE_INDEX: return value_int(type, k);
    case RECIPE_RANDOM: case RECIPE_SPARSE: break;
    }
    return random_value(type, state);
}

/* ---- tensors ---- */

/* Every component, in the order of the modes. */
static spcc_status generate_dense(struct context *cx, struct generating *g, const struct recipe *recipe,
                                  const struct tensor_plan *plan, const struct format *format, int64_t n)
{
    struct rt_error error;
    uint64_t state = recipe->seed;
    size_t size = type_size(plan->type);
    enum rt_status status = tensor_new(format, plan->type, plan->dimension, plan->fill, plan->name, &g->tensor, &error);
    if (status != RT_OK)
        return api_fail(cx, &error);
    g->tensor->owns = true;
    g->tensor->vals = rt_array(n, size);
    if (!g->tensor->vals)
        return SPCC_ERROR_MEMORY;
    g->tensor->nvals = n;
    for (int64_t k = 0; k < n; k++)
        value_store(dense_value(recipe, plan->type, k, &state), (char *)g->tensor->vals + (size_t)k * size);
    return SPCC_OK;
}

/* Components to leave out before the next one that is there; at least `most` where it is beyond. */
static int64_t gap(double density, uint64_t *state, int64_t most)
{
    if (density >= 1)
        return 0;
    double u = 1 - uniform(state, 53); /* in (0, 1] */
    double skip = floor(log(u) / log1p(-density));
    return skip < (double)most ? (int64_t)skip : most;
}

static void add_entry(const struct tensor_plan *plan, int64_t k, int64_t *coordinate)
{
    for (int m = plan->order - 1; m >= 0; m--) {
        coordinate[m] = k % plan->dimension[m];
        k /= plan->dimension[m];
    }
}

static spcc_status generate_sparse(struct generating *g, const struct recipe *recipe, const struct tensor_plan *plan,
                                   int64_t n)
{
    int64_t coordinate[ORDER_MAX];
    char bytes[16];
    uint64_t state = recipe->seed;
    coords_init(&g->coords, plan->order, plan->dimension, plan->type);
    if (recipe->density == 0)
        return SPCC_OK;
    for (int64_t k = gap(recipe->density, &state, n); k < n; k += 1 + gap(recipe->density, &state, n - k - 1)) {
        add_entry(plan, k, coordinate);
        value_store(random_value(plan->type, &state), bytes);
        if (!coords_add(&g->coords, coordinate, bytes))
            return SPCC_ERROR_MEMORY;
    }
    return SPCC_OK;
}

/* Put what was generated into the format that was asked for. */
static spcc_status repack(struct spcc_context *api, struct context *cx, struct generating *g,
                          const struct tensor_plan *plan)
{
    struct rt_error error;
    enum rt_status status = g->tensor ? tensor_unpack(g->tensor, false, &g->coords, &error) : RT_OK;
    tensor_free(g->tensor);
    g->tensor = NULL;
    if (status == RT_OK)
        status = tensor_pack(&g->coords, plan->format, plan->fill, api->threads, plan->name, &g->tensor, &error);
    return status == RT_OK ? SPCC_OK : api_fail(cx, &error);
}

static spcc_status generate(struct spcc_context *api, struct context *cx, void *arguments)
{
    struct generating *g = arguments;
    struct tensor_plan plan;
    struct recipe recipe;
    spcc_tensor_options o = {0};
    int64_t n;
    if (!g->recipe || !parse_recipe(g->recipe, &recipe)) {
        api_error(cx, SPCC_ERROR_ARGUMENT, "'%s' is no recipe", g->recipe ? g->recipe : "");
        diag_help(cx, &cx->diags.at[cx->diags.n - 1],
                  "recipes are @ones, @index, @random(SEED) and @sparse(DENSITY,SEED), the density from 0 to 1");
        return SPCC_ERROR_ARGUMENT;
    }
    if (!api_options(cx, "spcc_tensor_options", &o, sizeof o, g->options))
        return SPCC_ERROR_ARGUMENT;
    if (g->order > 0 && !g->dimensions)
        return api_error(cx, SPCC_ERROR_ARGUMENT, "the dimensions are not given");
    spcc_status status = api_plan(api, cx, g->format, g->type, g->order, g->dimensions, o.fill, o.name, &plan);
    if (status != SPCC_OK)
        return status;
    if (!api_components(&plan, &n))
        return api_error(cx, SPCC_ERROR_LIMIT, "more than %" PRId64 " components", INT64_MAX);
    const struct format *dense = format_dense(cx, plan.order, api->defaults);
    double start = api_now_ms();
    status = recipe.kind == RECIPE_SPARSE ? generate_sparse(g, &recipe, &plan, n)
                                          : generate_dense(cx, g, &recipe, &plan, dense, n);
    double generated = api_now_ms();
    g->info.read_ms = generated - start;
    if (status == SPCC_OK && (!g->tensor || !format_equal(plan.format, dense))) {
        status = repack(api, cx, g, &plan);
        g->info.pack_ms = api_now_ms() - generated;
    }
    return status == SPCC_OK ? api_wrap(api, cx, &g->tensor, &g->info, &g->made) : status;
}

spcc_status spcc_tensor_generate(spcc_context *context, const char *recipe, const char *format, spcc_type type,
                                 int order, const int64_t *dimensions, const spcc_tensor_options *options,
                                 spcc_tensor **tensor)
{
    struct generating g = {.recipe = recipe, .format = format, .type = type, .order = order, .dimensions = dimensions,
                           .options = options};
    if (!tensor)
        return SPCC_ERROR_ARGUMENT;
    spcc_status status = api_call(context, generate, &g);
    coords_free(&g.coords);
    tensor_free(g.tensor);
    if (status != SPCC_OK) {
        spcc_tensor_free(g.made);
        g.made = NULL;
    }
    *tensor = g.made;
    return status;
}
