/* statistics.c - tells statistics of a tensor's pattern.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdio.h>
#include <stdlib.h>

#include "compiler/format/map.h"
#include "compiler/format/names.h"
#include "runtime/api/tensor.h"
#include "runtime/tensor/density.h"
#include "runtime/tensor/stats.h"

enum { FORMATS_MOST = 40, FORMAT_NAME = 32 };

/* The user's structure, and what it points to. */
struct told {
    spcc_statistics user;
    struct stats stats;
    spcc_mode_statistics mode[ORDER_MAX];
    spcc_block_statistics block[STATS_BLOCKS];
    spcc_format_size format[FORMATS_MOST];
    char name[FORMATS_MOST][FORMAT_NAME];
    spcc_histogram histogram[ORDER_MAX];
};

struct telling {
    const struct spcc_tensor *tensor;
    struct coords coords;
    bool has_coords;
    struct tensor_order *order;
    struct told *told;
};

static void tell_modes(struct told *t)
{
    for (int m = 0; m < t->stats.order; m++) {
        const struct stats_mode *mode = &t->stats.mode[m];
        t->mode[m] = (spcc_mode_statistics){mode->dimension, mode->used, mode->least,
                                            mode->most,      mode->mean, mode->deviation};
    }
    t->user.modes = t->mode;
    for (int m = 0; m < t->stats.order; m++) {
        const struct stats_histogram *histogram = &t->stats.histogram[m];
        t->histogram[m] = (spcc_histogram){histogram->bins, histogram->bound, histogram->slices};
    }
    t->user.histograms = t->histogram;
}

static void tell_matrix(struct told *t)
{
    const struct stats *s = &t->stats;
    t->user.below = s->below;
    t->user.above = s->above;
    t->user.diagonals = s->diagonals;
    t->user.symmetric_pattern = s->symmetric_pattern;
    t->user.symmetric = s->symmetric;
    t->user.skew_symmetric = s->skew;
    t->user.hermitian = s->hermitian;
    for (int b = 0; b < STATS_BLOCKS && s->blocks[b].size > 0; b++) {
        double room = (double)s->blocks[b].count * (double)(s->blocks[b].size * s->blocks[b].size);
        t->block[t->user.n_blocks++] = (spcc_block_statistics){
            s->blocks[b].size, s->blocks[b].count, room > 0 ? (double)s->stored / room : 0};
    }
    t->user.blocks = t->block;
}

/* ---- what it would take to store it in this format or that ---- */

/* A format that has a name, with indices of 32 bits. */
struct named {
    const char *name;
    const struct format *format;
    bool told;
};

struct listing {
    struct context *cx;
    struct coords *coords;
    struct tensor_order **order;
    int threads;
    struct told *told;
    struct named named[FORMATS_MOST];
    int n;
    struct rt_error error;
};

static const struct format *parse_listed(const struct listing *l, const char *name, enum type index)
{
    return format_parse(l->cx, "a tensor", name, l->coords->order,
                        (struct format_defaults){index, index});
}

/* Adds the format unless another name stands for the same. */
static void add_format(struct listing *l, const char *name)
{
    const struct format *format = parse_listed(l, name, TYPE_I32);
    for (int f = 0; f < l->n; f++)
        if (format_equal(format, l->named[f].format))
            return;
    context_assert(l->cx, l->n < FORMATS_MOST);
    l->named[l->n++] = (struct named){name, format, false};
}

/* Adds a name: of blocks with the sizes that are told; none for a name with modes, since nothing
 * says which. */
static void add_name(struct listing *l, const struct format_name *name)
{
    if (name->parameters == 0 && !name->modes)
        add_format(l, name->name);
    for (int b = 0; b < STATS_BLOCKS && name->parameters > 0 && !name->modes; b++) {
        int size = (int)stats_block_size(b);
        add_format(l, name->parameters == 1
                          ? arena_printf(l->cx->arena, "%s(%d)", name->name, size)
                          : arena_printf(l->cx->arena, "%s(%d,%d)", name->name, size, size));
    }
}

/* Adds the names.  Names of one order come first: they say more than others that stand for the
 * same. */
static void add_names(struct listing *l)
{
    int order = l->coords->order;
    for (int general = 0; general <= 1; general++)
        for (int f = 0; f < format_names_count; f++) {
            const struct format_name *name = &format_names[f];
            if ((name->expansion == NULL) == general && order >= name->order_min
                && order <= name->order_max)
                add_name(l, name);
        }
}

/* Tells a format's size, with wider indices if 32 bits do not suffice; nothing if no index does. */
static enum rt_status tell_format(struct listing *l, struct named *named)
{
    struct told *t = l->told;
    int64_t bytes;
    enum rt_status status =
        tensor_room(l->order, l->coords, named->format, l->threads, &bytes, &l->error);
    if (status == RT_INPUT)
        status = tensor_room(l->order, l->coords, parse_listed(l, named->name, TYPE_I64),
                             l->threads, &bytes, &l->error);
    named->told = true;
    if (status != RT_OK)
        return status == RT_INPUT ? RT_OK : status;
    int n = t->user.n_formats++;
    snprintf(t->name[n], FORMAT_NAME, "%s", named->name);
    t->format[n] = (spcc_format_size){t->name[n], bytes};
    return RT_OK;
}

/* Do their levels store the same, so that one order of the list serves both? */
static bool is_alike(const struct format *a, const struct format *b)
{
    bool alike = a->levels == b->levels;
    for (int k = 0; k < a->levels && alike; k++)
        alike = map_equal(a->level[k].map, b->level[k].map);
    return alike;
}

static int compare_formats(const void *a, const void *b)
{
    const spcc_format_size *x = a, *y = b;
    return (x->bytes > y->bytes) - (x->bytes < y->bytes);
}

static enum rt_status tell_formats(struct listing *l)
{
    enum rt_status status = RT_OK;
    add_names(l);
    for (int f = 0; f < l->n; f++)
        for (int g = f; g < l->n && status == RT_OK; g++)
            if (!l->named[g].told && is_alike(l->named[f].format, l->named[g].format))
                status = tell_format(l, &l->named[g]);
    qsort(l->told->format, (size_t)l->told->user.n_formats, sizeof *l->told->format,
          compare_formats);
    l->told->user.formats = l->told->format;
    return status;
}

static spcc_status tell_statistics(struct spcc_context *api, struct context *cx, void *arguments)
{
    struct telling *a = arguments;
    struct rt_error error;
    if (!a->tensor || !a->tensor->sized)
        return api_error(cx, SPCC_ERROR_ARGUMENT,
                         "spcc_tensor_statistics: there is no tensor, or its sizes are not "
                         "known yet");
    if (api_unpack(a->tensor, api->threads, &a->coords, &error) != RT_OK)
        return api_fail(cx, &error);
    a->has_coords = true;
    a->told = calloc(1, sizeof *a->told);
    if (!a->told)
        return SPCC_ERROR_MEMORY;
    struct told *t = a->told;
    if (stats_compute(&a->coords, api->threads, &t->stats, &error) != RT_OK)
        return api_fail(cx, &error);
    t->user.order = t->stats.order;
    t->user.stored = t->stats.stored;
    t->user.components = t->stats.components;
    tell_modes(t);
    if (t->stats.order == 2)
        tell_matrix(t);
    struct listing listing = {
        .cx = cx, .coords = &a->coords, .order = &a->order, .threads = api->threads, .told = t};
    return tell_formats(&listing) == RT_OK ? SPCC_OK : api_fail(cx, &listing.error);
}

spcc_status spcc_tensor_statistics(spcc_context *context, const spcc_tensor *tensor,
                                   spcc_statistics **statistics)
{
    struct telling a = {.tensor = tensor};
    if (!statistics)
        return api_lacks(context, "statistics");
    spcc_status status = api_call(context, tell_statistics, &a);
    if (a.has_coords)
        coords_free(&a.coords);
    tensor_order_free(a.order);
    if (status != SPCC_OK) {
        free(a.told);
        a.told = NULL;
    }
    *statistics = a.told ? &a.told->user : NULL;
    return status;
}

/* ---- where components are ---- */

struct counting {
    const struct spcc_tensor *tensor;
    struct density_axis rows, columns;
    int64_t *counts;
    struct tensor *together; /* the tensor that its parts make together */
};

static bool is_axis(const struct tensor *tensor, struct density_axis axis)
{
    enum { BLOCKS_MOST = 65536 };
    bool has_mode = axis.mode >= 0 && axis.mode < tensor->format->order;
    int64_t dimension = has_mode ? tensor->dimension[axis.mode] : 1;
    return axis.blocks >= 1 && axis.blocks <= BLOCKS_MOST
           && (axis.blocks == 1 || axis.blocks <= dimension) && has_mode;
}

static spcc_status count(struct spcc_context *api, struct context *cx, void *arguments)
{
    struct counting *a = arguments;
    if (!a->tensor || !a->tensor->sized || !a->counts)
        return api_error(cx, SPCC_ERROR_ARGUMENT,
                         "spcc_tensor_density: there is no tensor, no room for the counts, or the "
                         "tensor's sizes are not known yet");
    bool has_rows = a->rows.mode == -1 ? a->rows.blocks == 1 : is_axis(a->tensor->tensor, a->rows);
    if (!has_rows || !is_axis(a->tensor->tensor, a->columns))
        return api_error(cx, SPCC_ERROR_ARGUMENT,
                         "spcc_tensor_density: %d blocks of mode %d and %d of mode %d are no "
                         "raster of this tensor",
                         a->rows.blocks, a->rows.mode, a->columns.blocks, a->columns.mode);
    const struct tensor *all;
    struct rt_error error;
    if (api_together(a->tensor, api->threads, &all, &a->together, &error) != RT_OK)
        return api_fail(cx, &error);
    density_count(all, a->rows, a->columns, a->counts);
    return SPCC_OK;
}

spcc_status spcc_tensor_density(spcc_context *context, const spcc_tensor *tensor, int row_mode,
                                int column_mode, int rows, int columns, int64_t *counts)
{
    struct counting a = {tensor, {row_mode, rows}, {column_mode, columns}, counts, NULL};
    spcc_status status = api_call(context, count, &a);
    tensor_free(a.together);
    return status;
}

void spcc_statistics_free(spcc_statistics *statistics) { free(statistics); }
