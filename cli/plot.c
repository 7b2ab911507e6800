/* plot.c - shared by all plots of a tensor.
 *
 * SPDX-License-Identifier: MIT
 */
#include "cli/plot.h"

#include <math.h>
#include <stdlib.h>

#include "cli/library.h"

enum { ORDER_FOR_ALL_PAIRS = 4 };

int plot_pairs(const spcc_statistics *stats)
{
    int order = stats->order;
    return order == 1 ? 1 : order <= ORDER_FOR_ALL_PAIRS ? order * (order - 1) / 2 : order - 1;
}

void plot_pair(const spcc_statistics *stats, int p, int *row_mode, int *column_mode)
{
    int r = 0, c = 1;
    for (; p > 0; p--) {
        if (stats->order > ORDER_FOR_ALL_PAIRS || ++c == stats->order)
            c = ++r + 1;
    }
    *row_mode = stats->order == 1 ? -1 : r;
    *column_mode = stats->order == 1 ? 0 : c;
}

int64_t plot_dimension(const spcc_statistics *stats, int mode)
{
    return mode < 0 ? 1 : stats->modes[mode].dimension;
}

/* Returns where block b begins: b * dimension / blocks, rounded up. */
static int64_t begin_of(int64_t dimension, int blocks, int b)
{
    int64_t whole = dimension / blocks, rest = dimension % blocks;
    return b * whole + (b * rest + blocks - 1) / blocks;
}

/* Returns the number of coordinates in a mode's block. */
static int64_t size_of_block(int64_t dimension, int blocks, int b)
{
    return begin_of(dimension, blocks, b + 1) - begin_of(dimension, blocks, b);
}

double plot_share(const struct plot *plot, const struct plot_raster *raster, int r, int c)
{
    int64_t count = raster->counts[(int64_t)r * raster->columns + c];
    double share = (double)count;
    share /= (double)size_of_block(plot_dimension(plot->stats, raster->row_mode), raster->rows, r);
    share /=
        (double)size_of_block(plot_dimension(plot->stats, raster->column_mode), raster->columns, c);
    for (int m = 0; m < plot->stats->order; m++)
        if (m != raster->row_mode && m != raster->column_mode)
            share /= (double)plot->stats->modes[m].dimension;
    return count > 0 ? share : 0;
}

int plot_shade(const struct plot_raster *raster, double share, int shades)
{
    if (share <= 0)
        return -1;
    if (raster->most <= raster->least)
        return shades - 1;
    int shade = (int)(shades * log(share / raster->least) / log(raster->most / raster->least));
    return shade < shades ? shade : shades - 1;
}

double plot_shade_end(const struct plot_raster *raster, int shade, int shades)
{
    return raster->least * pow(raster->most / raster->least, (shade + 1.0) / shades);
}

enum cli_status plot_count(const struct plot *plot, struct plot_raster *raster)
{
    raster->counts = calloc((size_t)raster->rows * (size_t)raster->columns, sizeof *raster->counts);
    if (!raster->counts)
        return library_no_memory();
    enum cli_status status = library_report(
        plot->context,
        spcc_tensor_density(plot->context, plot->tensor, raster->row_mode, raster->column_mode,
                            raster->rows, raster->columns, raster->counts));
    raster->least = INFINITY;
    raster->most = 0;
    for (int r = 0; r < raster->rows; r++)
        for (int c = 0; c < raster->columns; c++) {
            double share = plot_share(plot, raster, r, c);
            raster->least = share > 0 && share < raster->least ? share : raster->least;
            raster->most = share > raster->most ? share : raster->most;
        }
    return status;
}

const char *plot_mode_name(const spcc_statistics *stats, int mode, char out[32])
{
    if (stats->order == 2)
        return mode == 0 ? "rows" : "columns";
    snprintf(out, 32, "mode %d", mode + 1);
    return out;
}

/* ---- as JSON ---- */

static void print_counts(const struct plot_raster *raster)
{
    printf("{\"modes\": [");
    if (raster->row_mode >= 0)
        printf("%d, ", raster->row_mode + 1);
    printf("%d], \"counts\": [", raster->column_mode + 1);
    for (int r = 0; r < raster->rows; r++) {
        printf("%s[", r ? ", " : "");
        for (int c = 0; c < raster->columns; c++)
            printf("%s%lld", c ? ", " : "",
                   (long long)raster->counts[(int64_t)r * raster->columns + c]);
        printf("]");
    }
    printf("]}");
}

static void print_histogram(const spcc_histogram *histogram)
{
    printf("[");
    for (int b = 0; b < histogram->n_bins; b++)
        printf("%s{\"least\": %lld, \"most\": %lld, \"slices\": %lld}", b ? ", " : "",
               (long long)histogram->bounds[b], (long long)histogram->bounds[b + 1] - 1,
               (long long)histogram->slices[b]);
    printf("]");
}

static int blocks_of(int64_t dimension)
{
    enum { BLOCKS = 32 };
    return dimension < 1 ? 1 : dimension < BLOCKS ? (int)dimension : BLOCKS;
}

enum cli_status plot_print_json(const struct plot *plot)
{
    enum cli_status status = CLI_DONE;
    printf(", \"density\": [");
    for (int p = 0; p < plot_pairs(plot->stats) && status == CLI_DONE; p++) {
        struct plot_raster raster;
        plot_pair(plot->stats, p, &raster.row_mode, &raster.column_mode);
        raster.rows = blocks_of(plot_dimension(plot->stats, raster.row_mode));
        raster.columns = blocks_of(plot_dimension(plot->stats, raster.column_mode));
        status = plot_count(plot, &raster);
        printf("%s", p ? ", " : "");
        if (status == CLI_DONE)
            print_counts(&raster);
        free(raster.counts);
    }
    printf("], \"histograms\": [");
    for (int m = 0; m < plot->stats->order; m++) {
        printf("%s", m ? ", " : "");
        print_histogram(&plot->stats->histograms[m]);
    }
    printf("]");
    return status;
}
