/* strides.c - dense tensors on the user's arrays, with any strides.
 *
 * Modes become levels from the largest stride to the smallest, so that loops over the levels go
 * through memory in order.  Without gaps the levels are dense, which makes the fastest kernels.
 * With gaps they are strided (levels/strided.c), and the tensor keeps the strides.
 *
 * SPDX-License-Identifier: MIT
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "compiler/base/text.h"
#include "runtime/api/tensor.h"

/* An array's layout: its modes from the farthest to the nearest, the first value, and the number of
 * places that the values span. */
struct layout {
    int order;
    int mode[ORDER_MAX];
    int64_t stride[ORDER_MAX]; /* by mode; 0 for a mode of size 1 */
    bool compact;              /* has each place one value? */
    int64_t before, span;
};

static uint64_t distance(int64_t stride)
{
    return stride < 0 ? 0 - (uint64_t)stride : (uint64_t)stride;
}

/* Does mode m come before mode n?  Modes that repeat values come first. */
static bool is_farther(const struct layout *layout, int m, int n)
{
    uint64_t a = distance(layout->stride[m]), b = distance(layout->stride[n]);
    return a == 0 || b == 0 ? a == 0 && b != 0 : a > b;
}

static void sort_modes(struct layout *layout)
{
    for (int m = 0; m < layout->order; m++) {
        int at = m;
        for (; at > 0 && is_farther(layout, m, layout->mode[at - 1]); at--)
            layout->mode[at] = layout->mode[at - 1];
        layout->mode[at] = m;
    }
}

/* Adds a distance; INT64_MAX stands for more than a tensor may span. */
static void add_distance(int64_t *to, int64_t steps, int64_t stride)
{
    int64_t far;
    if (distance(stride) > INT64_MAX
        || __builtin_mul_overflow(steps, (int64_t)distance(stride), &far)
        || __builtin_add_overflow(*to, far, to))
        *to = INT64_MAX;
}

static void measure_layout(struct layout *layout, const int64_t *dimension)
{
    int64_t values = 1;
    bool is_empty = false;
    for (int l = layout->order; l-- > 0;) {
        int m = layout->mode[l];
        is_empty |= dimension[m] == 0;
        layout->compact &= dimension[m] <= 1 || layout->stride[m] == values;
        if (__builtin_mul_overflow(values, dimension[m], &values))
            layout->compact = false;
    }
    layout->compact |= is_empty;
    for (int m = 0; m < layout->order && !is_empty; m++) {
        add_distance(&layout->span, dimension[m] - 1, layout->stride[m]);
        if (layout->stride[m] < 0)
            add_distance(&layout->before, dimension[m] - 1, layout->stride[m]);
    }
    layout->span += !is_empty && layout->span < INT64_MAX;
}

static void lay_out(struct layout *layout, int order, const int64_t *dimension,
                    const int64_t *stride)
{
    *layout = (struct layout){.order = order, .compact = true};
    for (int m = 0; m < order; m++)
        layout->stride[m] = dimension[m] > 1 ? stride[m] : 0;
    sort_modes(layout);
    measure_layout(layout, dimension);
}

/* Prints the format of the levels, in cx's arena; each strided level has an array with its stride.
 */
static const char *print_format(struct context *cx, const struct layout *layout, spcc_array *array,
                                int *arrays)
{
    struct text out = text_new(cx->arena);
    text_add(&out, "(");
    for (int m = 0; m < layout->order; m++)
        text_printf(&out, "%si%d", m ? "," : "", m);
    text_add(&out, ") -> (");
    *arrays = 0;
    for (int l = 0; l < layout->order; l++) {
        int m = layout->mode[l];
        bool is_unit = l == layout->order - 1 && layout->stride[m] == 1;
        text_printf(&out, "%si%d : %s", l ? ", " : "", m,
                    layout->compact ? "dense"
                    : is_unit       ? "strided(unit)"
                                    : "strided(pos=i64)");
        if (!layout->compact && !is_unit)
            array[(*arrays)++] = (spcc_array){&layout->stride[m], 1};
    }
    text_add(&out, ")");
    return out.at;
}

struct borrowing_strided {
    spcc_type type;
    int order;
    const int64_t *dimensions, *strides;
    const void *values;
    struct layout *layout;
    /* the arrays for spcc_tensor_borrow */
    spcc_array array[ORDER_MAX];
    int arrays;
    char *format;
    const void *first;
};

static spcc_status prepare(struct spcc_context *api, struct context *cx, void *arguments)
{
    struct borrowing_strided *a = arguments;
    (void)api;
    if (a->order < 0 || a->order > ORDER_MAX)
        return api_error(cx, SPCC_ERROR_ARGUMENT, "a tensor has 0 to %d modes, and not %d",
                         ORDER_MAX, a->order);
    if (a->order > 0 && (!a->dimensions || !a->strides))
        return api_error(cx, SPCC_ERROR_ARGUMENT, "the dimensions or the strides are not given");
    a->layout = malloc(sizeof *a->layout);
    if (!a->layout)
        return SPCC_ERROR_MEMORY;
    lay_out(a->layout, a->order, a->dimensions, a->strides);
    const char *format = print_format(cx, a->layout, a->array, &a->arrays);
    a->format = a->order > 0 ? api_strdup(format) : NULL;
    if (a->order > 0 && !a->format)
        return SPCC_ERROR_MEMORY;
    int64_t size = (int64_t)spcc_type_size(a->type), bytes;
    if (a->layout->before == INT64_MAX || __builtin_mul_overflow(a->layout->before, size, &bytes))
        return api_error(cx, SPCC_ERROR_LIMIT, "the strides lead beyond the memory of any machine");
    a->first = a->values ? (const char *)a->values - bytes : NULL;
    return SPCC_OK;
}

spcc_status spcc_tensor_borrow_strided(spcc_context *context, spcc_type type, int order,
                                       const int64_t *dimensions, const int64_t *strides,
                                       const void *values, const spcc_tensor_options *options,
                                       spcc_tensor **tensor)
{
    struct borrowing_strided a = {.type = type,
                                  .order = order,
                                  .dimensions = dimensions,
                                  .strides = strides,
                                  .values = values};
    if (!tensor)
        return api_lacks(context, "tensor");
    *tensor = NULL;
    spcc_status status = api_call(context, prepare, &a);
    if (status == SPCC_OK)
        status = spcc_tensor_borrow(context, a.format, type, order, dimensions, a.array, a.arrays,
                                    a.first, a.layout->span, options, tensor);
    free(a.format);
    if (status == SPCC_OK)
        (*tensor)->layout = a.layout;
    else
        free(a.layout);
    return status;
}
