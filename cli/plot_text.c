/* plot_text.c - plots as characters: Braille dots and blocks if the locale has them, else ASCII.
 *
 * The pattern consists of dots, one for each block of places with a component.  Several dots share
 * a character: 2 x 4 in Braille (Unicode's block 2800, one bit for each dot), 1 x 2 in ASCII.  The
 * density consists of shades, two characters for a block, which is about as wide as it is high.
 *
 * SPDX-License-Identifier: MIT
 */
#include <langinfo.h>
#include <locale.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "cli/plot.h"

enum { SHADES = 4, NARROWEST = 40, WIDEST = 200, LINES = 24, LINES_OF_MANY = 12 };

/* The characters that the terminal can show. */
struct terminal {
    int width;
    bool is_unicode;
    const char *shade[SHADES];
    /* top left, top right, bottom left, bottom right */
    const char *corner[4], *across, *down;
};

static bool has_unicode(void)
{
    locale_t locale = newlocale(LC_CTYPE_MASK, "", (locale_t)0);
    bool has = locale && strcmp(nl_langinfo_l(CODESET, locale), "UTF-8") == 0;
    if (locale)
        freelocale(locale);
    return has;
}

static struct terminal terminal(void)
{
    static const struct terminal unicode = {
        0, true, {"░", "▒", "▓", "█"}, {"┌", "┐", "└", "┘"}, "─", "│",
    };
    static const struct terminal ascii = {
        0, false, {".", ":", "o", "#"}, {"+", "+", "+", "+"}, "-", "|",
    };
    struct terminal t = has_unicode() ? unicode : ascii;
    struct winsize size;
    int columns =
        ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
    t.width = columns < NARROWEST ? NARROWEST : columns > WIDEST ? WIDEST : columns;
    return t;
}

static void put_times(const char *text, int n)
{
    for (int k = 0; k < n; k++)
        fputs(text, stdout);
}

static void put_frame(const struct terminal *t, bool is_top, int width)
{
    fputs(t->corner[is_top ? 0 : 2], stdout);
    put_times(t->across, width);
    puts(t->corner[is_top ? 1 : 3]);
}

/* ---- rasters ---- */

static int clamp(double x, int64_t least, int64_t most)
{
    return x < (double)least ? (int)least : x > (double)most ? (int)most : (int)x;
}

/* Fits the raster: as many blocks as possible, as square as their number allows, but at least a
 * few, so that a narrow tensor can be seen. */
static void fit(const struct plot *plot, struct plot_raster *raster, int most_rows,
                int most_columns)
{
    enum { LEAST = 8 };
    int64_t rows = plot_dimension(plot->stats, raster->row_mode);
    int64_t columns = plot_dimension(plot->stats, raster->column_mode);
    double by_rows = (double)rows / most_rows, by_columns = (double)columns / most_columns;
    double scale = by_rows > by_columns ? by_rows : by_columns;
    scale = scale > 1 ? scale : 1;
    raster->rows =
        clamp((double)rows / scale, rows < LEAST ? (rows < 1 ? 1 : rows) : LEAST, most_rows);
    raster->columns = clamp((double)columns / scale,
                            columns < LEAST ? (columns < 1 ? 1 : columns) : LEAST, most_columns);
}

static void put_title(const struct plot *plot, const struct plot_raster *raster, const char *what,
                      const char *each)
{
    char rows[32], columns[32];
    int64_t height = plot_dimension(plot->stats, raster->row_mode);
    int64_t width = plot_dimension(plot->stats, raster->column_mode);
    printf("\n%s", what);
    if (raster->row_mode >= 0 && plot->stats->order > 2)
        printf(" of %s, down, and %s, across", plot_mode_name(plot->stats, raster->row_mode, rows),
               plot_mode_name(plot->stats, raster->column_mode, columns));
    long long r = (long long)((height + raster->rows - 1) / raster->rows);
    long long c = (long long)((width + raster->columns - 1) / raster->columns);
    if (raster->row_mode < 0)
        printf(", %s for %lld\n", each, c);
    else
        printf(", %s for %lld x %lld\n", each, r, c);
}

static bool is_set(const struct plot_raster *raster, int r, int c)
{
    return r < raster->rows && c < raster->columns
           && raster->counts[(int64_t)r * raster->columns + c] > 0;
}

/* Prints the character for the dots from (r, c) on. */
static void put_dots(const struct terminal *t, const struct plot_raster *raster, int r, int c)
{
    static const int bit[4][2] = {{0, 3}, {1, 4}, {2, 5}, {6, 7}};
    int dots = 0;
    if (!t->is_unicode) {
        putchar(" '.:"[is_set(raster, r, c) + 2 * is_set(raster, r + 1, c)]);
        return;
    }
    for (int y = 0; y < 4; y++)
        for (int x = 0; x < 2; x++)
            dots |= is_set(raster, r + y, c + x) << bit[y][x];
    if (dots == 0)
        putchar(' ');
    else
        printf("\xe2%c%c", 0xA0 | dots >> 6, 0x80 | (dots & 63));
}

static enum cli_status print_pattern(const struct plot *plot, const struct terminal *t,
                                     struct plot_raster raster, int lines)
{
    int across = t->is_unicode ? 2 : 1, down = t->is_unicode ? 4 : 2;
    fit(plot, &raster, lines * down, (t->width - 2) * across);
    enum cli_status status = plot_count(plot, &raster);
    int width = (raster.columns + across - 1) / across;
    if (status == CLI_DONE) {
        put_title(plot, &raster, "pattern", t->is_unicode ? "a dot" : "half a character");
        put_frame(t, true, width);
        for (int r = 0; r < raster.rows; r += down) {
            fputs(t->down, stdout);
            for (int c = 0; c < raster.columns; c += across)
                put_dots(t, &raster, r, c);
            puts(t->down);
        }
        put_frame(t, false, width);
    }
    free(raster.counts);
    return status;
}

static void put_legend(const struct terminal *t, const struct plot_raster *raster)
{
    if (raster->most <= 0) {
        puts("no components");
        return;
    }
    if (raster->most <= raster->least) {
        printf("%s%s %.3g%% stored\n", t->shade[SHADES - 1], t->shade[SHADES - 1],
               100 * raster->most);
        return;
    }
    for (int shade = 0; shade < SHADES; shade++)
        printf("%s%s%s to %.3g%%", shade ? ", " : "", t->shade[shade], t->shade[shade],
               100 * plot_shade_end(raster, shade, SHADES));
    puts(" stored");
}

static void put_shades(const struct plot *plot, const struct terminal *t,
                       const struct plot_raster *raster)
{
    put_frame(t, true, 2 * raster->columns);
    for (int r = 0; r < raster->rows; r++) {
        fputs(t->down, stdout);
        for (int c = 0; c < raster->columns; c++) {
            int shade = plot_shade(raster, plot_share(plot, raster, r, c), SHADES);
            put_times(shade < 0 ? " " : t->shade[shade], 2);
        }
        puts(t->down);
    }
    put_frame(t, false, 2 * raster->columns);
    put_legend(t, raster);
}

/* Prints the pattern, unless each block of the density is a single component. */
static enum cli_status print_pair(const struct plot *plot, const struct terminal *t, int p,
                                  int lines)
{
    struct plot_raster raster;
    enum cli_status status = CLI_DONE;
    plot_pair(plot->stats, p, &raster.row_mode, &raster.column_mode);
    int64_t rows = plot_dimension(plot->stats, raster.row_mode),
            columns = plot_dimension(plot->stats, raster.column_mode);
    int most = (t->width - 2) / 2;
    bool is_exact = rows <= lines && columns <= most;
    if (!is_exact)
        status = print_pattern(plot, t, raster, lines);
    if (status != CLI_DONE)
        return status;
    fit(plot, &raster, is_exact ? lines : lines * 2 / 3, is_exact ? most : most * 2 / 3);
    status = plot_count(plot, &raster);
    if (status == CLI_DONE) {
        put_title(plot, &raster, is_exact ? "pattern" : "density", "a block");
        put_shades(plot, t, &raster);
    }
    free(raster.counts);
    return status;
}

/* ---- histograms ---- */

/* Prints a bar of width * share characters, to an eighth of a character if possible. */
static void put_bar(const struct terminal *t, double share, int width)
{
    static const char *const part[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
    int eighths = (int)(share * width * 8 + 0.5);
    eighths = eighths == 0 && share > 0 ? 1 : eighths;
    put_times(t->is_unicode ? "█" : "#", t->is_unicode ? eighths / 8 : (eighths + 7) / 8);
    if (t->is_unicode)
        fputs(part[eighths % 8], stdout);
}

static int label_bin(const spcc_histogram *h, int b, char out[48])
{
    long long least = (long long)h->bounds[b], last = (long long)h->bounds[b + 1] - 1;
    return snprintf(out, 48, least == last ? "%lld" : "%lld-%lld", least, last);
}

static void print_histogram(const struct plot *plot, const struct terminal *t, int m)
{
    enum { COUNT = 11 };
    const spcc_histogram *h = &plot->stats->histograms[m];
    char name[32], label[48];
    int64_t most = 1;
    int wide = 0;
    for (int b = 0; b < h->n_bins; b++) {
        int n = label_bin(h, b, label);
        wide = n > wide ? n : wide;
        most = h->slices[b] > most ? h->slices[b] : most;
    }
    if (plot->stats->order == 2)
        printf("\nstored components of a %s: how many %s\n", m ? "column" : "row",
               plot_mode_name(plot->stats, m, name));
    else
        printf("\nstored components of a slice of %s: how many slices\n",
               plot_mode_name(plot->stats, m, name));
    for (int b = 0; b < h->n_bins; b++) {
        label_bin(h, b, label);
        printf("%*s %*lld%s", wide, label, COUNT, (long long)h->slices[b], h->slices[b] ? " " : "");
        put_bar(t, (double)h->slices[b] / (double)most, t->width - wide - COUNT - 3);
        puts("");
    }
}

enum cli_status plot_print(const struct plot *plot)
{
    struct terminal t = terminal();
    enum cli_status status = CLI_DONE;
    int pairs = plot_pairs(plot->stats);
    for (int p = 0; p < pairs && status == CLI_DONE; p++)
        status = print_pair(plot, &t, p, pairs > 1 ? LINES_OF_MANY : LINES);
    for (int m = 0; m < plot->stats->order && plot->stats->order > 1 && status == CLI_DONE; m++)
        print_histogram(plot, &t, m);
    return status;
}
