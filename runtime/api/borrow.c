/* borrow.c - tensors on the user's own arrays: puts arrays under a tensor, checks them, takes them
 * away again.
 *
 * SPDX-License-Identifier: MIT
 */
#include <inttypes.h>
#include <stdlib.h>

#include "compiler/base/text.h"
#include "runtime/api/tensor.h"
#include "runtime/tensor/memory.h"

/* ---- arrays under a tensor ---- */

/* Checks values of bool: a byte that is neither 0 nor 1 is no value in C. */
spcc_status api_check_values(struct context *cx, enum type type, const void *values, int64_t n,
                             const char *name)
{
    const unsigned char *byte = values;
    for (int64_t k = 0; type == TYPE_BOOL && k < n; k++)
        if (byte[k] > 1)
            return api_error(cx, SPCC_ERROR_TENSOR, "%s%svals[%" PRId64 "] is %d, which is no bool",
                             name ? name : "", name ? ": " : "", k, byte[k]);
    return SPCC_OK;
}

const struct level_array *api_array(const struct tensor *tensor, int level, int k)
{
    const struct level_array *array = &tensor->format->level[level].type->array[k];
    return array->kind == LEVEL_NO_ARRAY ? NULL : array;
}

/* Returns "level 2: pos, crd" for every level with arrays. */
static const char *list_arrays(struct context *cx, const struct tensor *tensor)
{
    struct text out = text_new(cx->arena);
    for (int l = 0; l < tensor->format->levels; l++) {
        const char *between = "";
        for (int k = 0; k < LEVEL_ARRAYS; k++) {
            if (!api_array(tensor, l, k))
                continue;
            if (!*between)
                text_printf(&out, "%slevel %d: ", out.n ? "; " : "", l + 1);
            text_printf(&out, "%s%s", between, api_array(tensor, l, k)->name);
            between = ", ";
        }
    }
    return out.n ? out.at : "none";
}

static bool is_aligned(const void *at, enum type type)
{
    return (uintptr_t)at % type_size(type) == 0;
}

static spcc_status take_array(struct context *cx, struct tensor *tensor, const struct borrowing *b,
                              int level, int k, int n)
{
    const spcc_array *array = &b->arrays[n];
    enum type type = level_array_type(tensor->level[level].format, k);
    if (array->length < 0 || (array->length > 0 && !array->at))
        return api_error(cx, SPCC_ERROR_ARGUMENT,
                         "array %d has no elements, or a negative number of them", n);
    if (!is_aligned(array->at, type))
        return api_error(cx, SPCC_ERROR_ARGUMENT, "array %d is not aligned as its type %s needs", n,
                         type_name(type));
    tensor->level[level].array[k] = (void *)array->at;
    tensor->level[level].length[k] = array->length;
    return SPCC_OK;
}

static spcc_status take_arrays(struct context *cx, struct tensor *tensor, const struct borrowing *b)
{
    int taken = 0;
    for (int l = 0; l < tensor->format->levels; l++) {
        for (int k = 0; k < LEVEL_ARRAYS; k++) {
            if (!api_array(tensor, l, k))
                continue;
            spcc_status status =
                taken < b->n_arrays ? take_array(cx, tensor, b, l, k, taken) : SPCC_OK;
            if (status != SPCC_OK)
                return status;
            taken++;
        }
    }
    if (taken == b->n_arrays)
        return SPCC_OK;
    api_error(cx, SPCC_ERROR_ARGUMENT, "%s%s%d arrays are given and the format has %d",
              b->name ? b->name : "", b->name ? ": " : "", b->n_arrays, taken);
    diag_note(cx, &cx->diags.at[cx->diags.n - 1], "its arrays are %s", list_arrays(cx, tensor));
    return SPCC_ERROR_ARGUMENT;
}

static spcc_status check_borrowed(struct context *cx, const struct tensor *tensor, const char *name)
{
    struct rt_error error;
    spcc_status status = api_check_values(cx, tensor->type, tensor->vals, tensor->nvals, name);
    if (status != SPCC_OK)
        return status;
    return tensor_validate(tensor, name, &error) == RT_OK ? SPCC_OK : api_fail(cx, &error);
}

spcc_status api_borrow(struct context *cx, struct tensor *tensor, const struct borrowing *b)
{
    if (b->n < 0 || b->n_arrays < 0 || (b->n_arrays > 0 && !b->arrays))
        return api_error(cx, SPCC_ERROR_ARGUMENT, "n_arrays and n_values are not those of arrays");
    enum type aligned = b->on_gpu ? tensor->type : type_real(tensor->type);
    if ((b->n > 0 && !b->values) || !is_aligned(b->values, aligned))
        return api_error(cx, SPCC_ERROR_ARGUMENT,
                         "the values are not given, or not aligned as their type %s needs",
                         type_name(tensor->type));
    tensor->vals = (void *)b->values;
    tensor->nvals = b->n;
    spcc_status status = take_arrays(cx, tensor, b);
    return status == SPCC_OK && !b->trusted ? check_borrowed(cx, tensor, b->name) : status;
}

struct rebinding {
    struct spcc_tensor *tensor;
    struct borrowing borrowing;
};

static spcc_status rebind(struct spcc_context *api, struct context *cx, void *arguments)
{
    const struct rebinding *a = arguments;
    struct spcc_tensor *to = a->tensor;
    bool on_gpu = to && to->there;
    struct tensor *t = !to ? NULL : on_gpu ? to->there : to->tensor;
    if (!t || t->memory || !(on_gpu || to->sized) || to->parts)
        return api_error(cx, SPCC_ERROR_ARGUMENT, "the tensor does not borrow its arrays");
    const struct tensor before = *t;
    struct level_storage *level =
        arena_copy(cx->arena, t->level, (size_t)t->format->levels * sizeof *t->level);
    struct borrowing borrowing = a->borrowing;
    borrowing.trusted = to->trusted || on_gpu;
    borrowing.name = to->name;
    borrowing.on_gpu = on_gpu;
    spcc_status status = api_borrow(cx, t, &borrowing);
    if (status == SPCC_OK) {
        api_forget_pattern(to);
        to->assembled = 0;
        return SPCC_OK;
    }
    for (int l = 0; l < t->format->levels; l++)
        t->level[l] = level[l];
    t->vals = before.vals;
    t->nvals = before.nvals;
    return status;
}

spcc_status spcc_tensor_rebind(spcc_context *context, spcc_tensor *tensor, const spcc_array *arrays,
                               int n_arrays, const void *values, int64_t n_values)
{
    struct rebinding a = {
        tensor, {.arrays = arrays, .n_arrays = n_arrays, .values = values, .n = n_values}};
    return api_call(context, rebind, &a);
}

static spcc_status check_tensor(struct spcc_context *api, struct context *cx, void *arguments)
{
    const struct spcc_tensor *tensor = arguments;
    if (!tensor || !tensor->sized)
        return api_error(cx, SPCC_ERROR_ARGUMENT, "there is no tensor, or it has no arrays");
    spcc_status status = check_borrowed(cx, tensor->tensor, tensor->name);
    for (int k = 0; k < tensor->parts && status == SPCC_OK; k++)
        status = check_borrowed(cx, tensor->part[k]->tensor, tensor->name);
    return status;
}

spcc_status spcc_tensor_check(spcc_context *context, const spcc_tensor *tensor)
{
    return api_call(context, check_tensor, (void *)tensor);
}

/* ---- arrays taken away ---- */

void api_tensor_lost_arrays(struct spcc_tensor *tensor)
{
    tensor->sized = false;
    tensor->taken = true;
    api_forget_pattern(tensor);
    tensor->assembled = 0;
}

static void *take_over(struct spcc_tensor *tensor, void **array, int64_t *length)
{
    void *taken = tensor->tensor->memory ? *array : NULL;
    if (!taken)
        return NULL;
    *array = NULL;
    *length = 0;
    api_tensor_lost_arrays(tensor);
    return taken;
}

void *spcc_tensor_take_array(spcc_tensor *tensor, int level, int k)
{
    bool is_there = level >= 0 && level < spcc_tensor_levels(tensor) && k >= 0 && k < LEVEL_ARRAYS;
    struct level_storage *storage = is_there ? &tensor->tensor->level[level] : NULL;
    return storage ? take_over(tensor, &storage->array[k], &storage->length[k]) : NULL;
}

void *spcc_tensor_take_values(spcc_tensor *tensor)
{
    return tensor && !tensor->parts
               ? take_over(tensor, &tensor->tensor->vals, &tensor->tensor->nvals)
               : NULL;
}

bool spcc_tensor_allocator(const spcc_tensor *tensor, spcc_allocator *allocator)
{
    const struct memory *memory = tensor ? tensor->tensor->memory : NULL;
    bool given = memory && memory != &memory_host;
    if (allocator)
        *allocator = (spcc_allocator){0};
    if (given && allocator)
        *allocator = (spcc_allocator){memory->given.allocate, memory->given.resize,
                                      memory->given.release, memory->given.user};
    return given;
}

/* ---- memory given back ---- */

static void trim_array(struct tensor *t, void **array, int64_t n, enum type type)
{
    if (*array)
        *array = t->memory->fit(t->memory, *array, n, type_size(type));
}

void spcc_tensor_trim(spcc_tensor *tensor)
{
    for (int k = 0; k < spcc_tensor_parts(tensor); k++)
        spcc_tensor_trim(tensor->part[k]);
    if (!tensor)
        return;
    struct tensor *t = tensor->tensor;
    spare_free(&tensor->spare);
    tensor->made_before = false;
    if (!t->memory)
        return;
    for (int l = 0; l < t->format->levels; l++)
        for (int k = 0; k < LEVEL_ARRAYS; k++)
            trim_array(t, &t->level[l].array[k], t->level[l].length[k],
                       level_array_type(t->level[l].format, k));
    trim_array(t, &t->vals, t->nvals, t->type);
}
