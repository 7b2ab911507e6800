/* statistics.c - what the pattern of a tensor is like, as the C API tells it.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdlib.h>

#include "runtime/api/tensor.h"
#include "runtime/tensor/density.h"
#include "runtime/tensor/stats.h"

/* What the user gets, and what it points to. */
struct told {
    spcc_statistics user;
    struct stats stats;
    spcc_mode_statistics mode[ORDER_MAX];
    spcc_block_statistics block[STATS_BLOCKS];
    spcc_format_size format[STATS_FORMATS];
    spcc_histogram histogram[ORDER_MAX];
};

struct telling {
    const struct spcc_tensor *tensor;
    struct coords coords;
    bool has_coords;
    struct told *told;
};

/* 32 bits where they are enough. */
static struct stats_widths widths_for(const struct coords *coords)
{
    bool is_narrow = coords->n <= INT32_MAX;
    for (int m = 0; m < coords->order; m++)
        is_narrow &= coords->dimension[m] <= INT32_MAX;
    return is_narrow ? (struct stats_widths){4, 4} : (struct stats_widths){8, 8};
}

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

static void tell_formats(struct told *t)
{
    for (int f = 0; f < t->stats.formats; f++)
        t->format[f] = (spcc_format_size){t->stats.format[f].name, t->stats.format[f].bytes};
    t->user.n_formats = t->stats.formats;
    t->user.formats = t->format;
}

static spcc_status tell(struct spcc_context *api, struct context *cx, void *arguments)
{
    struct telling *a = arguments;
    struct rt_error error;
    if (!a->tensor || !a->tensor->sized)
        return api_error(cx, SPCC_ERROR_ARGUMENT,
                         "spcc_tensor_statistics: there is no tensor, or its sizes are not "
                         "known yet");
    if (tensor_unpack(a->tensor->tensor, false, &a->coords, &error) != RT_OK)
        return api_fail(cx, &error);
    a->has_coords = true;
    a->told = calloc(1, sizeof *a->told);
    if (!a->told)
        return SPCC_ERROR_MEMORY;
    struct told *t = a->told;
    if (stats_compute(&a->coords, widths_for(&a->coords), api->threads, &t->stats, &error) != RT_OK)
        return api_fail(cx, &error);
    t->user.order = t->stats.order;
    t->user.stored = t->stats.stored;
    t->user.components = t->stats.components;
    tell_modes(t);
    if (t->stats.order == 2)
        tell_matrix(t);
    tell_formats(t);
    return SPCC_OK;
}

spcc_status spcc_tensor_statistics(spcc_context *context, const spcc_tensor *tensor,
                                   spcc_statistics **statistics)
{
    struct telling a = {.tensor = tensor};
    if (!statistics)
        return SPCC_ERROR_ARGUMENT;
    spcc_status status = api_call(context, tell, &a);
    if (a.has_coords)
        coords_free(&a.coords);
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
    density_count(a->tensor->tensor, a->rows, a->columns, a->counts);
    return SPCC_OK;
}

spcc_status spcc_tensor_density(spcc_context *context, const spcc_tensor *tensor, int row_mode,
                                int column_mode, int rows, int columns, int64_t *counts)
{
    struct counting a = {tensor, {row_mode, rows}, {column_mode, columns}, counts};
    return api_call(context, count, &a);
}

void spcc_statistics_free(spcc_statistics *statistics) { free(statistics); }
