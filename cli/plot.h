/* plot.h - what a tensor looks like: its pattern, how dense it is where, how long its slices are.
 *
 * A tensor of two modes or more is seen along pairs of modes: a component is where its coordinates
 * in these are, whatever the others are.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_CLI_PLOT_H
#define SPCC_CLI_PLOT_H

#include <stdio.h>

#include "cli/args.h"
#include "spcc.h"

/* What is to be plotted. */
struct plot {
    spcc_context *context;
    const char *path;
    const spcc_tensor *tensor;
    const spcc_statistics *stats;
};

/* Two modes, the first -1 where the tensor has one only; with how many components are in each
 * block. */
struct plot_raster {
    int row_mode, column_mode, rows, columns;
    int64_t *counts;
    /* the share that is stored of the emptiest block that has any, of the fullest */
    double least, most;
};

/* As characters for a terminal, to standard output; or SVG, as a text to free. */
enum cli_status plot_print(const struct plot *plot);
enum cli_status plot_draw(const struct plot *plot, char **svg);
/* As the members "density" and "histograms" of a JSON object. */
enum cli_status plot_print_json(const struct plot *plot);

/* ---- what they share ---- */

/* The pairs of modes that are shown: all where they are few, else those of neighbours.  Pair p;
 * how many there are. */
int plot_pairs(const spcc_statistics *stats);
void plot_pair(const spcc_statistics *stats, int p, int *row_mode, int *column_mode);

/* Count; the raster's counts are to be freed.  A complaint if it cannot. */
enum cli_status plot_count(const struct plot *plot, struct plot_raster *raster);

/* Returns the size of a mode, 1 for none. */
int64_t plot_dimension(const spcc_statistics *stats, int mode);

/* Returns what share of block (r, c) is stored; and which of this many shades it has, -1 for
 * nothing. Shades are of equal proportions from the emptiest to the fullest. */
double plot_share(const struct plot *plot, const struct plot_raster *raster, int r, int c);
int plot_shade(const struct plot_raster *raster, double share, int shades);
/* Returns the largest share of a shade. */
double plot_shade_end(const struct plot_raster *raster, int shade, int shades);

/* "rows", "columns", "mode 3" */
const char *plot_mode_name(const spcc_statistics *stats, int mode, char out[32]);

#endif
