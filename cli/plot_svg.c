/* plot_svg.c - plots as one SVG file: rasters of the pattern, coloured by density, and histograms
 * of slices.
 *
 * Panels are in two columns; each goes to the end of the shorter column.  The total number of
 * blocks is limited, so the file stays small whatever the tensor is.  Blocks of one shade are one
 * path, and adjacent ones in a row are one stroke of it.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "cli/library.h"
#include "cli/picture.h"
#include "cli/plot.h"

enum {
    MARGIN = 32,
    COLUMN = 432,
    GAP = 40,
    HEAD = 88,
    SIDE = 384,
    NARROWEST = 96,
    CAPTION = 28,
    AXIS = 24,
    LEGEND = 48,
    BARS = 120,
    SHADES = 6,
    BLOCKS_MOST = 128 * 128,
    CELL_MOST = 48
};

/* The sheet under construction. */
struct sheet {
    FILE *out;
    const struct plot *plot;
    int y[2]; /* how far down each column is filled */
};

/* ---- the sheet ---- */

static void put_style(FILE *out)
{
    static const char *const light[SHADES] = {"#b6d5ff", "#80b3ff", "#4e8df5",
                                              "#2563d4", "#143f9e", "#081f5c"};
    static const char *const dark[SHADES] = {"#12305e", "#1a4a94", "#2a6bd0",
                                             "#5694f5", "#95bfff", "#dcebff"};
    fputs("<style>\n"
          "text{font:14px "
          "system-ui,sans-serif;fill:#1f2328}.title{font-size:18px;font-weight:600}.name{font-"
          "weight:600}"
          ".note{font-size:12px;fill:#59636e}.sheet{fill:#fff}.frame{fill:none;stroke:#818b98}.bar{"
          "fill:#2563d4}path{fill:none}.grid{stroke:#d1d9e0}\n",
          out);
    for (int s = 0; s < SHADES; s++)
        fprintf(out, ".s%d{stroke:%s}.f%d{fill:%s}", s, light[s], s, light[s]);
    fputs("\n@media (prefers-color-scheme:dark){\n"
          "text{fill:#e6edf3}.note{fill:#9198a1}.sheet{fill:#0d1117}.frame{stroke:#656c76}.bar{"
          "fill:#5694f5}.grid{stroke:#3d444d}\n",
          out);
    for (int s = 0; s < SHADES; s++)
        fprintf(out, ".s%d{stroke:%s}.f%d{fill:%s}", s, dark[s], s, dark[s]);
    fputs("\n}\n</style>\n", out);
}

/* Returns the column of the next panel. */
static int next_column(const struct sheet *sheet) { return sheet->y[1] < sheet->y[0]; }

static int column_x(int column) { return MARGIN + column * (COLUMN + GAP); }

/* ---- rasters ---- */

static int larger(int a, int b) { return a > b ? a : b; }

static int blocks_along(int64_t dimension, int side)
{
    return dimension < 1 ? 1 : dimension < side ? (int)dimension : side;
}

/* All rasters together have at most BLOCKS_MOST blocks, each of a whole number of pixels. */
static int raster_side(int pairs)
{
    static const int sides[] = {128, 96, 64, 48, 32, 16};
    size_t k = 0;
    while (sides[k] * sides[k] * pairs > BLOCKS_MOST)
        k++;
    return sides[k];
}

static void size_raster(const struct plot *plot, struct plot_raster *raster, int side)
{
    enum { LEAST = 8 };
    int64_t rows = plot_dimension(plot->stats, raster->row_mode);
    int64_t columns = plot_dimension(plot->stats, raster->column_mode);
    double scale = (double)(rows > columns ? rows : columns) / side;
    scale = scale > 1 ? scale : 1;
    raster->rows = blocks_along(rows, larger((int)((double)rows / scale), LEAST));
    raster->columns = blocks_along(columns, larger((int)((double)columns / scale), LEAST));
}

/* Draws the blocks of one shade: a stroke for each run of them in a row. */
static void put_shade(const struct sheet *sheet, const struct plot_raster *raster, int shade)
{
    bool is_there = false;
    for (int r = 0; r < raster->rows; r++)
        for (int c = 0, end; c < raster->columns; c = end) {
            int here = plot_shade(raster, plot_share(sheet->plot, raster, r, c), SHADES);
            for (end = c + 1;
                 end < raster->columns
                 && plot_shade(raster, plot_share(sheet->plot, raster, r, end), SHADES) == here;
                 end++)
                continue;
            if (here != shade)
                continue;
            if (!is_there)
                fprintf(sheet->out, "<path class=\"s%d\" d=\"", shade);
            fprintf(sheet->out, "M%d %d.5h%d", c, r, end - c);
            is_there = true;
        }
    if (is_there)
        fputs("\"/>\n", sheet->out);
}

static void put_legend(const struct sheet *sheet, const struct plot_raster *raster, int x, int y)
{
    char text[96];
    int first = raster->most > raster->least ? 0 : SHADES - 1;
    if (raster->most <= 0) {
        picture_text(sheet->out, x, y + 12, "note", "start", "no components");
        return;
    }
    for (int s = first; s < SHADES; s++)
        fprintf(sheet->out, "<rect class=\"f%d\" x=\"%d\" y=\"%d\" width=\"24\" height=\"12\"/>\n",
                s, x + (s - first) * 24, y);
    if (first == 0)
        snprintf(text, sizeof text, "%.2g%% to %.2g%% of a block stored", 100 * raster->least,
                 100 * raster->most);
    else
        snprintf(text, sizeof text, "%.2g%% of a block stored", 100 * raster->most);
    picture_text(sheet->out, x + (SHADES - first) * 24 + 10, y + 11, "note", "start", text);
}

static void put_raster(struct sheet *sheet, const struct plot_raster *raster)
{
    const struct plot *plot = sheet->plot;
    int column = next_column(sheet), x = column_x(column), y = sheet->y[column];
    int most = larger(raster->rows, raster->columns),
        cell = most * CELL_MOST < SIDE ? CELL_MOST : SIDE / most;
    int width = larger(raster->columns * cell, NARROWEST);
    int height = larger(raster->rows * cell, raster->row_mode < 0 ? CELL_MOST : NARROWEST);
    char text[96], a[32], b[32];
    if (plot->stats->order <= 2)
        snprintf(text, sizeof text, "pattern");
    else
        snprintf(text, sizeof text, "%s down, %s across",
                 plot_mode_name(plot->stats, raster->row_mode, a),
                 plot_mode_name(plot->stats, raster->column_mode, b));
    picture_text(sheet->out, x, y + 14, "name", "start", text);
    y += CAPTION;
    fprintf(sheet->out,
            "<g transform=\"translate(%d %d) scale(%.6g %.6g)\" shape-rendering=\"crispEdges\">\n",
            x, y, (double)width / raster->columns, (double)height / raster->rows);
    for (int shade = 0; shade < SHADES; shade++)
        put_shade(sheet, raster, shade);
    fprintf(sheet->out,
            "</g>\n<rect class=\"frame\" x=\"%d.5\" y=\"%d.5\" width=\"%d\" height=\"%d\"/>\n",
            x - 1, y - 1, width + 1, height + 1);
    snprintf(text, sizeof text, "%lld",
             (long long)plot_dimension(plot->stats, raster->column_mode));
    picture_text(sheet->out, x, y + height + 16, "note", "start", "1");
    picture_text(sheet->out, x + width, y + height + 16, "note", "end", text);
    if (raster->row_mode >= 0) {
        snprintf(text, sizeof text, "%lld",
                 (long long)plot_dimension(plot->stats, raster->row_mode));
        picture_text(sheet->out, x + width + 6, y + 10, "note", "start", "1");
        picture_text(sheet->out, x + width + 6, y + height, "note", "start", text);
    }
    put_legend(sheet, raster, x, y + height + AXIS + 4);
    sheet->y[column] = y + height + AXIS + LEGEND;
}

static enum cli_status put_rasters(struct sheet *sheet)
{
    const struct plot *plot = sheet->plot;
    enum cli_status status = CLI_DONE;
    int pairs = plot_pairs(plot->stats);
    for (int p = 0; p < pairs && status == CLI_DONE; p++) {
        struct plot_raster raster;
        plot_pair(plot->stats, p, &raster.row_mode, &raster.column_mode);
        size_raster(plot, &raster, raster_side(pairs));
        status = plot_count(plot, &raster);
        if (status == CLI_DONE)
            put_raster(sheet, &raster);
        free(raster.counts);
    }
    return status;
}

/* ---- histograms ---- */

/* Prints names under every bar, or under every n-th if there is not enough room. */
static void put_bin_names(const struct sheet *sheet, const spcc_histogram *h, int x, int y,
                          double step)
{
    char text[32];
    int digits = snprintf(text, sizeof text, "%lld", (long long)h->bounds[h->n_bins]);
    int every = 1;
    while (every * step < digits * 8 + 8)
        every++;
    for (int b = 0; b < h->n_bins; b += every) {
        snprintf(text, sizeof text, "%lld", (long long)h->bounds[b]);
        picture_text(sheet->out, x + (int)((b + .5) * step), y, "note", "middle", text);
    }
}

static void put_bars(const struct sheet *sheet, const spcc_histogram *h, int x, int y, double step,
                     int64_t most)
{
    double gap = h->n_bins > 1 ? 2 : 0;
    for (int b = 0; b < h->n_bins; b++) {
        double height = (double)h->slices[b] / (double)most * BARS;
        long long least = (long long)h->bounds[b], last = (long long)h->bounds[b + 1] - 1;
        if (h->slices[b] == 0)
            continue;
        height = height < 1 ? 1 : height; /* so that a single one is visible */
        fprintf(sheet->out,
                "<rect class=\"bar\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"><title>",
                x + b * step, y + BARS - height, step - gap, height);
        fprintf(sheet->out, least == last ? "%lld" : "%lld to %lld", least, last);
        fprintf(sheet->out, ": %lld</title></rect>\n", (long long)h->slices[b]);
    }
}

static void put_histogram(struct sheet *sheet, int m)
{
    const spcc_histogram *h = &sheet->plot->stats->histograms[m];
    int column = next_column(sheet), x = column_x(column), y = sheet->y[column];
    char text[96], name[32];
    int64_t most = 1;
    for (int b = 0; b < h->n_bins; b++)
        most = h->slices[b] > most ? h->slices[b] : most;
    double step = h->n_bins * CELL_MOST < SIDE ? CELL_MOST : (double)SIDE / h->n_bins;
    int width = (int)(h->n_bins * step);
    snprintf(text, sizeof text, "%s%s by stored components",
             sheet->plot->stats->order == 2 ? "" : "slices of ",
             plot_mode_name(sheet->plot->stats, m, name));
    picture_text(sheet->out, x, y + 14, "name", "start", text);
    y += CAPTION;
    fprintf(sheet->out, "<path class=\"grid\" d=\"M%d %d.5h%d\"/>\n", x, y, width);
    snprintf(text, sizeof text, "%lld", (long long)most);
    picture_text(sheet->out, x + width + 6, y + 5, "note", "start", text);
    if (h->n_bins > 0) {
        put_bars(sheet, h, x, y, step, most);
        put_bin_names(sheet, h, x, y + BARS + 16, step);
    }
    fprintf(sheet->out, "<path class=\"frame\" d=\"M%d %d.5h%d\"/>\n", x, y + BARS, width);
    sheet->y[column] = y + BARS + AXIS + LEGEND - 16;
}

/* ---- the whole picture ---- */

static void describe_plot(const struct plot *plot, char *out, size_t room)
{
    size_t n = 0;
    for (int m = 0; m < plot->stats->order && n < room; m++)
        n += (size_t)snprintf(out + n, room - n, "%s%lld", m ? " × " : "",
                              (long long)plot->stats->modes[m].dimension);
    if (n < room)
        n += (size_t)snprintf(out + n, room - n, ", %lld stored", (long long)plot->stats->stored);
    if (n < room && plot->stats->components > 0)
        snprintf(out + n, room - n, ", %.3g%%",
                 100 * (double)plot->stats->stored / plot->stats->components);
}

static const char *last_part(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash && slash[1] ? slash + 1 : path;
}

/* The sheet's size is known only at the end, so its beginning is written last. */
static void put_sheet(FILE *out, const struct plot *plot, const struct sheet *sheet,
                      const char *panels)
{
    char facts[1024];
    int width = 2 * MARGIN + 2 * COLUMN + GAP;
    if (sheet->y[1] == HEAD)
        width -= COLUMN + GAP;
    int height = larger(sheet->y[0], sheet->y[1]) + MARGIN / 2;
    describe_plot(plot, facts, sizeof facts);
    fprintf(out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d "
            "%d\" role=\"img\">\n<title>",
            width, height, width, height);
    picture_escaped(out, last_part(plot->path));
    fputs("</title>\n", out);
    put_style(out);
    fprintf(out, "<rect class=\"sheet\" width=\"%d\" height=\"%d\"/>\n", width, height);
    picture_text(out, MARGIN, 40, "title", "start", last_part(plot->path));
    picture_text(out, MARGIN, 62, "note", "start", facts);
    fputs(panels, out);
    fputs("</svg>\n", out);
}

enum cli_status plot_draw(const struct plot *plot, char **svg)
{
    char *panels = NULL;
    size_t n;
    struct sheet sheet = {.out = open_memstream(&panels, &n), .plot = plot, .y = {HEAD, HEAD}};
    *svg = NULL;
    if (!sheet.out)
        return library_no_memory();
    enum cli_status status = put_rasters(&sheet);
    for (int m = 0; m < plot->stats->order && plot->stats->order > 1 && status == CLI_DONE; m++)
        put_histogram(&sheet, m);
    bool is_whole = fclose(sheet.out) == 0;
    FILE *out = is_whole && status == CLI_DONE ? open_memstream(svg, &n) : NULL;
    if (out) {
        put_sheet(out, plot, &sheet, panels);
        is_whole = fclose(out) == 0;
    }
    free(panels);
    return status != CLI_DONE ? status : out && is_whole ? CLI_DONE : library_no_memory();
}
