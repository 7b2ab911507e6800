/* tensor.c - the tensors of the C API: makes, generates, borrows, describes and unpacks them.
 *
 * SPDX-License-Identifier: MIT
 */
#include "runtime/api/tensor.h"
#include "runtime/gpu/gpu.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/base/text.h"
#include "runtime/tensor/generate.h"
#include "runtime/tensor/memory.h"
#include "runtime/tensor/nodes.h"

/* ---- what every tensor is made from ---- */

static spcc_status plan_shape(struct context *cx, int order, const int64_t *dimensions,
                              struct tensor_plan *plan)
{
    if (order < 0 || order > ORDER_MAX)
        return api_error(cx, SPCC_ERROR_ARGUMENT, "a tensor of order %d: orders are 0 to %d", order,
                         (int)ORDER_MAX);
    plan->order = order;
    plan->sized = dimensions || order == 0;
    for (int m = 0; dimensions && m < order; m++) {
        if (dimensions[m] < 0)
            return api_error(cx, SPCC_ERROR_ARGUMENT,
                             "the size of mode %d is %" PRId64 ", which is negative", m + 1,
                             dimensions[m]);
        plan->dimension[m] = dimensions[m];
    }
    return SPCC_OK;
}

static spcc_status plan_fill(struct context *cx, const char *fill, struct tensor_plan *plan)
{
    plan->fill = value_zero(plan->type);
    if (!fill || value_parse(fill, strlen(fill), plan->type, &plan->fill))
        return SPCC_OK;
    diag_error(cx, DIAG_FILL, (struct span){0}, "the fill '%s' is not a value of type %s", fill,
               type_name(plan->type));
    return SPCC_ERROR_FORMAT;
}

/* Plans all but the format. */
static spcc_status plan_rest(struct context *cx, spcc_type type, int order,
                             const int64_t *dimensions, const char *fill, const char *name,
                             struct tensor_plan *plan)
{
    memset(plan, 0, sizeof *plan);
    plan->name = name;
    if (!api_type(type, &plan->type))
        return api_error(cx, SPCC_ERROR_ARGUMENT, "the value type %d is none of spcc_type",
                         (int)type);
    spcc_status status = plan_shape(cx, order, dimensions, plan);
    return status == SPCC_OK ? plan_fill(cx, fill, plan) : status;
}

spcc_status api_plan(struct spcc_context *api, struct context *cx, const char *format,
                     spcc_type type, int order, const int64_t *dimensions, const char *fill,
                     const char *name, struct tensor_plan *plan)
{
    spcc_status status = plan_rest(cx, type, order, dimensions, fill, name, plan);
    if (status != SPCC_OK)
        return status;
    if (format && format_parts_named(format)) {
        plan->format = format_list(cx, order, api->defaults);
        plan->parts = format_parts_parse(cx, name ? name : "the tensor", format, order,
                                         plan->sized ? plan->dimension : NULL, api->defaults);
        if (plan->parts && !value_is_zero(plan->fill))
            diag_error(cx, DIAG_FILL, (struct span){0},
                       "a tensor in parts is their sum, so its fill is 0");
        return plan->parts && value_is_zero(plan->fill) ? SPCC_OK : api_status(cx);
    }
    plan->format = format ? format_parse(cx, name ? name : "the tensor",
                                         arena_strdup(cx->arena, format), order, api->defaults)
                          : format_dense(cx, order, api->defaults);
    return plan->format ? SPCC_OK : api_status(cx);
}

const char *api_tensor_format(struct context *cx, const struct spcc_tensor *tensor,
                              struct format_defaults defaults)
{
    struct text out = text_new(cx->arena);
    const struct format *part[PARTS_MAX];
    for (int k = 0; k < tensor->parts; k++)
        part[k] = tensor->part[k]->tensor->format;
    if (tensor->parts)
        format_parts_print(&out, part, tensor->parts, tensor->several, defaults);
    else
        format_print(&out, tensor->tensor->format, defaults);
    return out.at;
}

/* Makes the texts that describe the tensor; text: that of the format, if it is known. */
static spcc_status describe_tensor(struct spcc_context *api, struct context *cx, const char *text,
                                   struct spcc_tensor *t)
{
    char fill[64];
    value_print(t->tensor->fill, fill, sizeof fill);
    t->fill = api_strdup(fill);
    t->format = api_strdup(text ? text : api_tensor_format(cx, t, api->defaults));
    return t->fill && t->format ? SPCC_OK : SPCC_ERROR_MEMORY;
}

static spcc_status take_parts(struct spcc_context *api, struct context *cx, struct making *making,
                              struct spcc_tensor *t)
{
    spcc_status status = SPCC_OK;
    t->several = making->several;
    t->part = making->parts ? calloc((size_t)making->parts, sizeof *t->part) : NULL;
    if (making->parts && !t->part)
        return SPCC_ERROR_MEMORY;
    for (; t->parts < making->parts && status == SPCC_OK; t->parts++) {
        t->part[t->parts] = making->part[t->parts];
        making->part[t->parts] = NULL;
        status = describe_tensor(api, cx, NULL, t->part[t->parts]);
    }
    return status;
}

spcc_status api_wrap(struct spcc_context *api, struct context *cx, struct making *making)
{
    struct spcc_tensor *t = making->made = calloc(1, sizeof *t);
    if (!t)
        return SPCC_ERROR_MEMORY;
    t->tensor = making->tensor;
    making->tensor = NULL;
    t->there = making->there;
    making->there = NULL;
    t->gpu = making->gpu;
    making->gpu = NULL;
    t->sized = true;
    t->info = making->info;
    spcc_status status = take_parts(api, cx, making, t);
    return status == SPCC_OK ? describe_tensor(api, cx, making->text, t) : status;
}

spcc_status api_make(struct spcc_context *api, api_body *body, void *arguments,
                     struct making *making, spcc_tensor **tensor)
{
    if (!tensor)
        return api_lacks(api, "tensor");
    spcc_status status = api_call(api, body, arguments);
    coords_free(&making->coords);
    tensor_free(making->tensor);
    tensor_free(making->there);
    gpu_release(making->gpu);
    for (int k = 0; k < making->parts; k++)
        spcc_tensor_free(making->part[k]);
    if (status != SPCC_OK) {
        spcc_tensor_free(making->made);
        making->made = NULL;
    }
    *tensor = making->made;
    return status;
}

void spcc_tensor_free(spcc_tensor *tensor)
{
    if (!tensor)
        return;
    tensor_free(tensor->tensor);
    tensor_free(tensor->there);
    gpu_release(tensor->gpu);
    spare_free(&tensor->spare);
    for (int k = 0; k < tensor->parts; k++)
        spcc_tensor_free(tensor->part[k]);
    free(tensor->part);
    free(tensor->format);
    free(tensor->fill);
    free(tensor->name);
    free(tensor->layout);
    free(tensor);
}

/* ---- making ---- */

/* The arguments of the functions that make tensors; each uses some of them. */
struct arguments {
    const char *format;
    const struct spcc_format *parsed; /* in place of the text */
    spcc_type type;
    int order;
    const int64_t *dimensions;
    int64_t n; /* the number of components given */
    const int64_t *coordinates;
    const void *values;
    const spcc_array *arrays;
    int n_arrays;
    const char *recipe;
    const spcc_tensor_options *options;
    bool needs_dimensions;
    spcc_status (*make)(struct spcc_context *api, struct context *cx, struct arguments *a);

    spcc_tensor_options o;
    struct tensor_plan plan;
    struct making m;
};

static spcc_status make_plan(struct spcc_context *api, struct context *cx, struct arguments *a)
{
    if (!a->parsed)
        return api_plan(api, cx, a->format, a->type, a->order, a->dimensions, a->o.fill, a->o.name,
                        &a->plan);
    spcc_status status =
        plan_rest(cx, a->type, a->order, a->dimensions, a->o.fill, a->o.name, &a->plan);
    a->plan.format = a->parsed->format;
    a->m.text = a->parsed->text;
    return status;
}

static spcc_status new_tensor(struct spcc_context *api, struct context *cx, void *arguments)
{
    struct arguments *a = arguments;
    if (!api_options(cx, "spcc_tensor_options", &a->o, sizeof a->o, a->options))
        return SPCC_ERROR_ARGUMENT;
    if (a->needs_dimensions && a->order > 0 && !a->dimensions)
        return api_error(cx, SPCC_ERROR_ARGUMENT, "the dimensions are not given");
    spcc_status status = make_plan(api, cx, a);
    if (status == SPCC_OK)
        status = a->make(api, cx, a);
    if (status == SPCC_OK)
        status = api_wrap(api, cx, &a->m);
    if (status == SPCC_OK) {
        a->m.made->sized = a->plan.sized && !a->m.made->there;
        a->m.made->taken = a->m.made->there;
        a->m.made->writable = a->o.writable;
        a->m.made->trusted = a->o.trusted;
        a->m.made->name = api_strdup(a->o.name);
        status = a->o.name && !a->m.made->name ? SPCC_ERROR_MEMORY : SPCC_OK;
    }
    return status;
}

static spcc_status make_tensor(struct spcc_context *context, struct arguments *a,
                               spcc_tensor **tensor)
{
    return api_make(context, new_tensor, a, &a->m, tensor);
}

static spcc_status done(struct context *cx, enum rt_status status, const struct rt_error *error)
{
    return status == RT_OK ? SPCC_OK : api_fail(cx, error);
}

static spcc_status refuse_parts(struct context *cx, const struct arguments *a, const char *is)
{
    return api_error(cx, SPCC_ERROR_FORMAT, "%s: a tensor in parts is %s", a->format, is);
}

static spcc_status make_empty(struct spcc_context *api, struct context *cx, struct arguments *a)
{
    struct rt_error error;
    const struct tensor_plan *p = &a->plan;
    if (p->parts)
        return refuse_parts(cx, a, "made from components, and not empty");
    enum rt_status status = (p->sized ? tensor_new_empty : tensor_new)(
        p->format, p->type, p->dimension, p->fill, p->name, &a->m.tensor, &error);
    return done(cx, status, &error);
}

spcc_status spcc_tensor_new(spcc_context *context, const char *format, spcc_type type, int order,
                            const int64_t *dimensions, const spcc_tensor_options *options,
                            spcc_tensor **tensor)
{
    struct arguments a = {.format = format,
                          .type = type,
                          .order = order,
                          .dimensions = dimensions,
                          .options = options,
                          .make = make_empty};
    return make_tensor(context, &a, tensor);
}

/* Counts the components; false if there are too many. */
static bool count_components(const struct tensor_plan *plan, int64_t *n)
{
    *n = 1;
    for (int m = 0; m < plan->order; m++)
        if (__builtin_mul_overflow(*n, plan->dimension[m], n))
            return false;
    return true;
}

static spcc_status make_dense(struct spcc_context *api, struct context *cx, struct arguments *a)
{
    struct rt_error error;
    const struct tensor_plan *p = &a->plan;
    int64_t n;
    if (!count_components(p, &n))
        return api_error(cx, SPCC_ERROR_LIMIT,
                         "a dense tensor with more than %" PRId64 " components", INT64_MAX);
    if (n > 0 && !a->values)
        return api_error(cx, SPCC_ERROR_ARGUMENT, "the values are not given");
    if (api_check_values(cx, p->type, a->values, n, p->name) != SPCC_OK)
        return SPCC_ERROR_TENSOR;
    enum rt_status status =
        tensor_new(p->format, p->type, p->dimension, p->fill, p->name, &a->m.tensor, &error);
    if (status != RT_OK)
        return api_fail(cx, &error);
    const struct memory *memory = memory_here();
    tensor_set_memory(a->m.tensor, memory);
    a->m.tensor->vals = memory->allocate(memory, n, type_size(p->type));
    if (!a->m.tensor->vals)
        return SPCC_ERROR_MEMORY;
    a->m.tensor->nvals = n;
    memory_copy(a->m.tensor->vals, a->values, (size_t)n * type_size(p->type));
    return SPCC_OK;
}

spcc_status spcc_tensor_dense(spcc_context *context, spcc_type type, int order,
                              const int64_t *dimensions, const void *values, spcc_tensor **tensor)
{
    struct arguments a = {.type = type,
                          .order = order,
                          .dimensions = dimensions,
                          .values = values,
                          .needs_dimensions = true,
                          .make = make_dense};
    return make_tensor(context, &a, tensor);
}

spcc_status spcc_tensor_scalar(spcc_context *context, spcc_type type, const void *value,
                               spcc_tensor **tensor)
{
    return spcc_tensor_dense(context, type, 0, NULL, value, tensor);
}

/* Packs the coordinates into the levels of the format. */
static spcc_status pack_coordinates(struct spcc_context *api, struct context *cx,
                                    struct arguments *a)
{
    struct rt_error error;
    double start = api_now_ms();
    enum rt_status status = api_pack(api, &a->m, &a->plan, &error);
    a->m.info.pack_ms = api_now_ms() - start;
    return done(cx, status, &error);
}

static spcc_status make_packed(struct spcc_context *api, struct context *cx, struct arguments *a)
{
    const struct tensor_plan *p = &a->plan;
    if (a->n < 0 || (a->n > 0 && (!a->values || (p->order > 0 && !a->coordinates))))
        return api_error(cx, SPCC_ERROR_ARGUMENT,
                         "%" PRId64 " components without coordinates and values", a->n);
    if (api_check_values(cx, p->type, a->values, a->n, p->name) != SPCC_OK)
        return SPCC_ERROR_TENSOR;
    coords_init(&a->m.coords, p->order, p->dimension, p->type);
    a->m.coords.lent = a->coordinates;
    a->m.coords.lent_vals = a->values;
    a->m.coords.n = a->n;
    return pack_coordinates(api, cx, a);
}

spcc_status spcc_tensor_from_coords(spcc_context *context, const char *format, spcc_type type,
                                    int order, const int64_t *dimensions, int64_t n,
                                    const int64_t *coordinates, const void *values,
                                    const spcc_tensor_options *options, spcc_tensor **tensor)
{
    struct arguments a = {.format = format,
                          .type = type,
                          .order = order,
                          .dimensions = dimensions,
                          .n = n,
                          .coordinates = coordinates,
                          .values = values,
                          .options = options,
                          .needs_dimensions = true,
                          .make = make_packed};
    return make_tensor(context, &a, tensor);
}

/* Parses the recipe, and reports a density or a seed that is none, as any wrong argument. */
static spcc_status parse_recipe(struct context *cx, const char *recipe, enum type type,
                                struct generator *generator)
{
    struct rt_error error;
    if (recipe && generator_parse(recipe, type, generator, &error) == RT_OK)
        return SPCC_OK;
    if (!recipe)
        return api_error(cx, SPCC_ERROR_ARGUMENT, "the recipe is not given");
    error.code = DIAG_ARGUMENT;
    return api_fail(cx, &error);
}

static spcc_status make_generated(struct spcc_context *api, struct context *cx, struct arguments *a)
{
    struct rt_error error;
    struct generator generator;
    const struct tensor_plan *p = &a->plan;
    if (parse_recipe(cx, a->recipe, a->plan.type, &generator) != SPCC_OK)
        return SPCC_ERROR_ARGUMENT;
    bool full = generator_is_full(&generator, p->format);
    coords_init(&a->m.coords, p->order, p->dimension, p->type);
    double start = api_now_ms();
    enum rt_status status =
        full ? generate_full(&generator, p->format, p->type, p->dimension, p->fill, p->name,
                             &a->m.tensor, &error)
             : generate_coords(&generator, api->threads, p->name, &a->m.coords, &error);
    a->m.info.read_ms = api_now_ms() - start;
    return full || status != RT_OK ? done(cx, status, &error) : pack_coordinates(api, cx, a);
}

spcc_status spcc_tensor_generate(spcc_context *context, const char *recipe, const char *format,
                                 spcc_type type, int order, const int64_t *dimensions,
                                 const spcc_tensor_options *options, spcc_tensor **tensor)
{
    int64_t own[ORDER_MAX];
    if (recipe && !dimensions && generator_sizes(recipe, order, own) == order)
        dimensions = own;
    struct arguments a = {.recipe = recipe,
                          .format = format,
                          .type = type,
                          .order = order,
                          .dimensions = dimensions,
                          .options = options,
                          .needs_dimensions = true,
                          .make = make_generated};
    return make_tensor(context, &a, tensor);
}

int spcc_recipe_dimensions(const char *recipe, int room, int64_t *dimensions)
{
    return recipe ? generator_sizes(recipe, dimensions ? room : 0, dimensions) : 0;
}

/* ---- borrowing ---- */

static spcc_status make_borrowed(struct spcc_context *api, struct context *cx, struct arguments *a)
{
    struct rt_error error;
    const struct tensor_plan *p = &a->plan;
    bool there = a->o.on_gpu;
    if (p->parts)
        return refuse_parts(cx, a, "made from components: it borrows no arrays");
    enum rt_status status =
        tensor_new(p->format, p->type, p->dimension, p->fill, p->name, &a->m.tensor, &error);
    if (status == RT_OK && there)
        status =
            tensor_new(p->format, p->type, p->dimension, p->fill, p->name, &a->m.there, &error);
    if (status != RT_OK)
        return api_fail(cx, &error);
    const struct borrowing borrowing = {
        a->arrays, a->n_arrays, a->values, a->n, a->o.trusted || there, p->name, there};
    return api_borrow(cx, there ? a->m.there : a->m.tensor, &borrowing);
}

spcc_status spcc_tensor_borrow(spcc_context *context, const char *format, spcc_type type, int order,
                               const int64_t *dimensions, const spcc_array *arrays, int n_arrays,
                               const void *values, int64_t n_values,
                               const spcc_tensor_options *options, spcc_tensor **tensor)
{
    struct arguments a = {.format = format,
                          .type = type,
                          .order = order,
                          .dimensions = dimensions,
                          .arrays = arrays,
                          .n_arrays = n_arrays,
                          .values = values,
                          .n = n_values,
                          .options = options,
                          .needs_dimensions = true,
                          .make = make_borrowed};
    return make_tensor(context, &a, tensor);
}

spcc_status spcc_tensor_borrow_as(spcc_context *context, const spcc_format *format, spcc_type type,
                                  const int64_t *dimensions, const spcc_array *arrays, int n_arrays,
                                  const void *values, int64_t n_values,
                                  const spcc_tensor_options *options, spcc_tensor **tensor)
{
    if (!format && tensor) {
        *tensor = NULL;
        return api_lacks(context, "format");
    }
    struct arguments a = {.parsed = format,
                          .type = type,
                          .order = format ? format->format->order : 0,
                          .dimensions = dimensions,
                          .arrays = arrays,
                          .n_arrays = n_arrays,
                          .values = values,
                          .n = n_values,
                          .options = options,
                          .needs_dimensions = true,
                          .make = make_borrowed};
    return make_tensor(context, &a, tensor);
}

/* ---- asking ---- */

bool spcc_value_parse(const char *text, spcc_type type, void *value)
{
    enum type of;
    struct value parsed;
    if (!text || !value || !api_type(type, &of) || !value_parse(text, strlen(text), of, &parsed))
        return false;
    value_store(parsed, value);
    return true;
}

int spcc_tensor_order(const spcc_tensor *tensor) { return tensor ? tensor->tensor->order : 0; }

int64_t spcc_tensor_dimension(const spcc_tensor *tensor, int mode)
{
    bool known =
        tensor && (tensor->sized || tensor->taken) && mode >= 0 && mode < tensor->tensor->order;
    return known ? tensor->tensor->dimension[mode] : -1;
}

spcc_type spcc_tensor_type(const spcc_tensor *tensor)
{
    return tensor ? api_type_of(tensor->tensor->type) : SPCC_F64;
}

const char *spcc_tensor_format(const spcc_tensor *tensor) { return tensor ? tensor->format : NULL; }

const char *spcc_tensor_fill(const spcc_tensor *tensor) { return tensor ? tensor->fill : NULL; }

int spcc_tensor_levels(const spcc_tensor *tensor)
{
    return tensor && !tensor->parts ? tensor->tensor->format->levels : 0;
}

static const struct level_array *find_array(const spcc_tensor *tensor, int level, int k)
{
    bool is_there = level >= 0 && level < spcc_tensor_levels(tensor) && k >= 0 && k < LEVEL_ARRAYS;
    return is_there ? api_array(tensor->tensor, level, k) : NULL;
}

spcc_array spcc_tensor_array(const spcc_tensor *tensor, int level, int k)
{
    if (!find_array(tensor, level, k))
        return (spcc_array){NULL, 0};
    const struct level_storage *storage = &api_sizes(tensor)->level[level];
    return (spcc_array){storage->array[k], storage->length[k]};
}

const char *spcc_tensor_array_name(const spcc_tensor *tensor, int level, int k)
{
    const struct level_array *array = find_array(tensor, level, k);
    return array ? array->name : NULL;
}

spcc_type spcc_tensor_array_type(const spcc_tensor *tensor, int level, int k)
{
    return find_array(tensor, level, k)
               ? api_type_of(level_array_type(tensor->tensor->level[level].format, k))
               : SPCC_I32;
}

void spcc_tensor_nodes(const spcc_tensor *tensor, spcc_level_nodes *nodes)
{
    struct node_lengths level[LEVELS_MAX] = {{0, 0}};
    if (tensor && tensor->sized && !tensor->parts)
        tensor_measure_nodes(tensor->tensor, level);
    for (int k = 0; k < spcc_tensor_levels(tensor); k++)
        nodes[k] = (spcc_level_nodes){level[k].nodes, level[k].longest};
}

const void *spcc_tensor_values(const spcc_tensor *tensor)
{
    return tensor && !tensor->parts ? api_sizes(tensor)->vals : NULL;
}

int64_t spcc_tensor_stored(const spcc_tensor *tensor)
{
    int64_t stored = tensor && !tensor->parts ? tensor_stored(api_sizes(tensor)) : 0;
    for (int k = 0; k < spcc_tensor_parts(tensor) && (k == 0 || !tensor->several); k++)
        stored += spcc_tensor_stored(tensor->part[k]);
    return stored;
}

const spcc_tensor_info *spcc_tensor_get_info(const spcc_tensor *tensor)
{
    return tensor ? &tensor->info : NULL;
}

int64_t spcc_tensor_bytes(const spcc_tensor *tensor)
{
    int64_t bytes = tensor && !tensor->parts ? tensor_bytes(api_sizes(tensor)) : 0;
    for (int k = 0; k < spcc_tensor_parts(tensor); k++)
        bytes += spcc_tensor_bytes(tensor->part[k]);
    return bytes;
}
