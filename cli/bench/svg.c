/* svg.c - the figures of spcc bench as one picture of four panels: the roofline (Williams,
 * Waterman and Patterson) with a point for each kernel, time against stored entries, speed-up
 * against threads, and peers' times over spcc's.
 *
 * It is as wide as a page of text, so its letters are as large as the text's.  Labels at the ends
 * of lines are moved apart.  A point has a title, which a browser shows.
 *
 * SPDX-License-Identifier: MIT
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/bench/bench.h"
#include "cli/bench/panel.h"
#include "cli/picture.h"

/* Lengths.  A column of panels has the width of two margins, a panel and its labels. */
enum { MARGIN = 52, HEAD = 62, FOOT = 48, HIGH = 270 };

/* A kernel with fewer operations a byte is not for a roofline, since finding entries bounds it. */
static const double least_intensity = 0.01;
/* Points are of inputs with at least this part of the largest one's entries. */
static const double large_part = 0.125;

/* The rows to draw, and the size of the largest input. */
struct drawing {
    FILE *out;
    const struct bench_rows *rows;
    int64_t most_entries;
    int most_threads, height;
};

static struct panel start_panel(const struct drawing *d, int row, int column)
{
    return (struct panel){.out = d->out,
                          .x = MARGIN + column * (MARGIN + PANEL_WIDTH + PANEL_LABELS),
                          .y = HEAD + 34 + row * (d->height + 34 + FOOT),
                          .height = d->height,
                          .least_x = INFINITY,
                          .most_x = -INFINITY,
                          .least_y = INFINITY,
                          .most_y = -INFINITY};
}

static void name_row(char text[256], const struct bench_row *row)
{
    snprintf(text, 256, "%s %.96s, %s, %s, %d threads, %s: %.4g ms", row->kernel->name, row->format,
             row->input, spcc_type_name(row->type), row->threads, row->by, row->min_ms);
}

/* Kernels or contestants, in order of appearance, which gives them their colours. */
struct names {
    const char *name[PANEL_NAMES];
    int n;
};

static int number_of(struct names *names, const char *name)
{
    for (int k = 0; k < names->n; k++)
        if (strcmp(names->name[k], name) == 0)
            return k;
    if (names->n == PANEL_NAMES)
        return PANEL_NAMES - 1;
    names->name[names->n] = name;
    return names->n++;
}

/* ---- means ---- */

/* A geometric mean. */
struct mean {
    double logarithms;
    int n;
};

static void note_ratio(struct mean *mean, double ratio)
{
    if (ratio > 0) {
        mean->logarithms += log(ratio);
        mean->n++;
    }
}

static double mean_of(const struct mean *mean)
{
    return mean->n > 0 ? exp(mean->logarithms / mean->n) : 0;
}

static bool is_ours(const struct bench_row *row) { return strcmp(row->by, "spcc") == 0; }

static bool is_drawn(const struct bench_row *row)
{
    return row->type == SPCC_F64 && row->min_ms > 0 && row->entries > 0;
}

static bool is_large(const struct drawing *d, const struct bench_row *row)
{
    return is_drawn(row) && (double)row->entries >= large_part * (double)d->most_entries;
}

/* Lists the contestants, spcc first. */
static struct names name_all(const struct drawing *d)
{
    struct names names = {.name = {"spcc"}, .n = 1};
    for (int r = 0; r < d->rows->n; r++)
        if (is_large(d, &d->rows->row[r]))
            number_of(&names, d->rows->row[r].by);
    return names;
}

/* ---- the roofline ---- */

static double intensity(const struct bench_row *row) { return row->flops / (double)row->bytes; }

static double performance(const struct bench_row *row) { return row->flops / row->min_ms * 1e-6; }

/* Is it a row of spcc on one thread with a known amount of work? */
static bool has_work(const struct drawing *d, const struct bench_row *row)
{
    return is_large(d, row) && is_ours(row) && row->threads == 1 && row->bytes > 0
           && intensity(row) >= least_intensity;
}

static void put_roof(const struct panel *p, const struct bench_rates *rates)
{
    double left = pow(10, p->least_x), right = pow(10, p->most_x), low = pow(10, p->least_y);
    double bandwidth = rates->triad * 1e-6, peak = rates->fma * 1e-6, ridge = peak / bandwidth;
    if (bandwidth <= 0 || peak <= 0 || ridge <= left || ridge >= right)
        return;
    double begin = fmax(left, low / bandwidth);
    panel_line(p, "roof", begin, begin * bandwidth, ridge, peak);
    panel_line(p, "roof", ridge, peak, right, peak);
}

/* Puts a point for each kernel, in its first format: the mean over its inputs. */
static void put_performances(const struct panel *p, const struct drawing *d)
{
    struct names names = {.n = 0};
    struct labels labels = {.n = 0};
    char text[256];
    for (int r = 0; r < d->rows->n; r++) {
        const struct bench_row *first = &d->rows->row[r];
        int before = names.n;
        if (!has_work(d, first) || number_of(&names, first->kernel->name) < before)
            continue;
        struct mean x = {.n = 0}, y = {.n = 0};
        for (int s = r; s < d->rows->n; s++) {
            const struct bench_row *row = &d->rows->row[s];
            if (!has_work(d, row) || row->kernel != first->kernel
                || strcmp(row->format, first->format) != 0)
                continue;
            note_ratio(&x, intensity(row));
            note_ratio(&y, performance(row));
        }
        double at_x = panel_x(p, mean_of(&x)), at_y = panel_y(p, mean_of(&y));
        snprintf(text, sizeof text, "%s %.96s, %d inputs: %.3g Gop/s", first->kernel->name,
                 first->format, x.n, mean_of(&y));
        panel_point(p, at_x, at_y, before % PANEL_COLOURS, text);
        labels_add(&labels, first->kernel->name, at_x, at_y);
    }
    panel_labels(p, &labels);
}

static void put_roofline(const struct drawing *d, const struct bench_rates *rates, int n_rates)
{
    struct panel p = start_panel(d, 0, 0);
    panel_take_in(&p, &p.least_x, &p.most_x, least_intensity);
    for (int r = 0; r < d->rows->n; r++)
        if (has_work(d, &d->rows->row[r])) {
            panel_take_in(&p, &p.least_x, &p.most_x, intensity(&d->rows->row[r]));
            panel_take_in(&p, &p.least_y, &p.most_y, performance(&d->rows->row[r]));
        }
    for (int k = 0; k < n_rates && rates[k].triad > 0; k++) {
        panel_take_in(&p, &p.least_y, &p.most_y, 1.5 * rates[k].fma * 1e-6);
        panel_take_in(&p, &p.least_x, &p.most_x, 2 * rates[k].fma / rates[k].triad);
    }
    panel_settle(&p.least_x, &p.most_x);
    panel_settle(&p.least_y, &p.most_y);
    panel_columns(&p);
    panel_lines(&p);
    panel_frame(&p, "Roofline on one thread: triad, fma", "operations a byte", "Gop/s");
    for (int k = 0; k < n_rates; k++)
        if (rates[k].threads == 1)
            put_roof(&p, &rates[k]);
    put_performances(&p, d);
}

/* ---- time against stored entries ---- */

static bool is_grown(const struct bench_row *row)
{
    return is_drawn(row) && is_ours(row) && row->threads == 1
           && strncmp(row->input, "uniform", 7) == 0;
}

/* Returns the next larger uniform input of the same kernel in the same format.  NULL if there is
 * none. */
static const struct bench_row *next_larger(const struct bench_rows *rows,
                                           const struct bench_row *from)
{
    const struct bench_row *to = NULL;
    for (int s = 0; s < rows->n; s++) {
        const struct bench_row *row = &rows->row[s];
        if (is_grown(row) && row->kernel == from->kernel && strcmp(row->format, from->format) == 0
            && row->entries > from->entries && (!to || row->entries < to->entries))
            to = row;
    }
    return to;
}

/* Draws a line for each kernel, in its first format. */
static void put_growth(const struct panel *p, const struct drawing *d)
{
    struct names names = {.n = 0};
    struct labels labels = {.n = 0};
    char text[256];
    for (int r = 0; r < d->rows->n; r++) {
        const struct bench_row *row = &d->rows->row[r], *next;
        int before = names.n;
        if (!is_grown(row) || number_of(&names, row->kernel->name) < before)
            continue;
        for (; row; row = next) {
            name_row(text, row);
            panel_point(p, panel_x(p, (double)row->entries), panel_y(p, row->min_ms),
                        before % PANEL_COLOURS, text);
            if ((next = next_larger(d->rows, row)))
                panel_stroke(p, before % PANEL_COLOURS, (double)row->entries, row->min_ms,
                             (double)next->entries, next->min_ms);
            else
                labels_add(&labels, row->kernel->name, panel_x(p, (double)row->entries),
                           panel_y(p, row->min_ms));
        }
    }
    panel_labels(p, &labels);
}

static void put_times(const struct drawing *d)
{
    struct panel p = start_panel(d, 0, 1);
    for (int r = 0; r < d->rows->n; r++)
        if (is_grown(&d->rows->row[r])) {
            panel_take_in(&p, &p.least_x, &p.most_x, (double)d->rows->row[r].entries);
            panel_take_in(&p, &p.least_y, &p.most_y, d->rows->row[r].min_ms);
        }
    panel_settle(&p.least_x, &p.most_x);
    panel_settle(&p.least_y, &p.most_y);
    panel_columns(&p);
    panel_lines(&p);
    panel_frame(&p, "Time of spcc, one thread, uniform", "stored entries", "ms");
    put_growth(&p, d);
}

/* ---- speed-up against threads ---- */

static const struct bench_row *on_one_thread(const struct bench_rows *rows,
                                             const struct bench_row *like)
{
    for (int r = 0; r < rows->n; r++) {
        const struct bench_row *row = &rows->row[r];
        if (row->threads == 1 && row->kernel == like->kernel && row->type == like->type
            && strcmp(row->format, like->format) == 0 && strcmp(row->input, like->input) == 0
            && strcmp(row->by, like->by) == 0)
            return row;
    }
    return NULL;
}

/* Returns the kernel's speed-up with that many threads, the mean over formats and large inputs.  0
 * if it was not measured. */
static double speedup_of(const struct drawing *d, const char *kernel, int threads)
{
    struct mean mean = {.n = 0};
    for (int r = 0; r < d->rows->n; r++) {
        const struct bench_row *row = &d->rows->row[r], *one;
        if (is_large(d, row) && is_ours(row) && row->threads == threads
            && strcmp(row->kernel->name, kernel) == 0 && (one = on_one_thread(d->rows, row)))
            note_ratio(&mean, one->min_ms / row->min_ms);
    }
    return mean_of(&mean);
}

static struct names name_kernels(const struct drawing *d)
{
    struct names names = {.n = 0};
    for (int r = 0; r < d->rows->n; r++)
        if (is_large(d, &d->rows->row[r]))
            number_of(&names, d->rows->row[r].kernel->name);
    return names;
}

static void put_speedup(const struct drawing *d)
{
    struct panel p = start_panel(d, 1, 0);
    struct names names = name_kernels(d);
    struct labels labels = {.n = 0};
    char text[64];
    int most = d->most_threads > 1 ? d->most_threads : 2;
    p.is_linear = true;
    p.least_x = 1, p.most_x = most, p.least_y = 0, p.most_y = most;
    for (int k = 0; k < names.n; k++)
        panel_take_in(&p, &p.least_y, &p.most_y, speedup_of(d, names.name[k], most));
    panel_columns(&p);
    panel_lines(&p);
    panel_frame(&p, "Speed-up of spcc", "threads", "speed relative to one thread");
    panel_line(&p, "roof", 1, 1, most, most);
    for (int k = 0; k < names.n && d->most_threads > 1; k++) {
        double from = 1, to = 1;
        for (int t = 2, before = 1; t <= most; t++) {
            if (!((to = speedup_of(d, names.name[k], t)) > 0))
                continue;
            panel_stroke(&p, k % PANEL_COLOURS, before, from, t, to);
            snprintf(text, sizeof text, "%s, %d threads: %.2f", names.name[k], t, to);
            panel_point(&p, panel_x(&p, t), panel_y(&p, to), k % PANEL_COLOURS, text);
            before = t, from = to;
        }
        if (to > 0)
            labels_add(&labels, names.name[k], panel_x(&p, most), panel_y(&p, to));
    }
    panel_labels(&p, &labels);
}

/* ---- beside peers ---- */

/* Returns the mean of a peer's times over spcc's on one thread, over large inputs, in the kernel's
 * first format. */
static double ratio_of(const struct drawing *d, const char *kernel, const char *by)
{
    struct mean mean = {.n = 0};
    const char *format = NULL;
    for (int r = 0; r < d->rows->n; r++) {
        const struct bench_row *row = &d->rows->row[r];
        if (strcmp(row->kernel->name, kernel) != 0)
            continue;
        format = format ? format : row->format;
        if (is_large(d, row) && row->threads == 1 && strcmp(row->by, by) == 0
            && strcmp(row->format, format) == 0)
            note_ratio(&mean, row->ratio);
    }
    return mean_of(&mean);
}

static void put_ratios(const struct panel *p, const struct drawing *d, const char *kernel, double y,
                       const struct names *peers)
{
    char text[96];
    for (int k = 1; k < peers->n; k++) {
        double ratio = ratio_of(d, kernel, peers->name[k]);
        snprintf(text, sizeof text, "%s by %s: %.2f times spcc's time", kernel, peers->name[k],
                 ratio);
        if (ratio > 0)
            panel_point(p, panel_x(p, ratio), y, k % PANEL_COLOURS, text);
    }
}

/* Puts the legend above the panel, with an estimate of a letter's width. */
static void put_legend(const struct panel *p, const struct names *peers)
{
    enum { LETTER = 6, SIGN = 22 };
    int x = p->x;
    for (int k = 1; k < peers->n; k++) {
        fprintf(p->out, "<circle class=\"f%d\" cx=\"%d\" cy=\"%d\" r=\"4\"/>\n", k % PANEL_COLOURS,
                x + 4, p->y - 10);
        picture_text(p->out, x + 11, p->y - 6, "note", "start", peers->name[k]);
        x += SIGN + LETTER * (int)strlen(peers->name[k]);
    }
}

static void put_peers(const struct drawing *d)
{
    struct panel p = start_panel(d, 1, 1);
    struct names kernels = name_kernels(d), peers = name_all(d);
    p.least_x = -1, p.most_x = 1;
    for (int k = 0; k < kernels.n; k++)
        for (int b = 1; b < peers.n; b++)
            panel_take_in(&p, &p.least_x, &p.most_x, ratio_of(d, kernels.name[k], peers.name[b]));
    panel_columns(&p);
    panel_frame(&p, "Peers: their time over spcc's, one thread", "times as long as spcc", "");
    put_legend(&p, &peers);
    fprintf(p.out, "<path class=\"roof\" d=\"M%.1f %dv%d\"/>\n", panel_x(&p, 1), p.y, p.height);
    for (int k = 0; k < kernels.n; k++) {
        double y = p.y + (k + 0.5) * p.height / kernels.n;
        fprintf(p.out, "<path class=\"grid\" d=\"M%d %.1fh%d\"/>\n", p.x, y, PANEL_WIDTH);
        picture_text(p.out, p.x + PANEL_WIDTH + 8, (int)y + 4, "note", "start", kernels.name[k]);
        put_ratios(&p, d, kernels.name[k], y, &peers);
    }
}

/* ---- the sheet ---- */

/* Colours that also colour-blind people can tell apart, on light and on dark ground. */
static void put_colours(FILE *out, const char *const colours[PANEL_COLOURS])
{
    for (int k = 0; k < PANEL_COLOURS; k++)
        fprintf(out, ".f%d{fill:%s}.s%d{stroke:%s}", k, colours[k], k, colours[k]);
}

static void put_style(FILE *out)
{
    static const char *const light[PANEL_COLOURS] = {"#1f5fd0", "#d1242f", "#1a7f37", "#b87500",
                                                     "#8250df", "#c0398b", "#0a8399", "#6e7781"};
    static const char *const dark[PANEL_COLOURS] = {"#58a6ff", "#ff7b72", "#3fb950", "#e3b341",
                                                    "#bc8cff", "#ff80c8", "#39c5cf", "#b1bac4"};
    fputs("<style>\ntext{font:13px system-ui,-apple-system,'Segoe UI',sans-serif;fill:#1f2328}"
          ".title{font-size:15px;font-weight:600}.name{font-weight:600}"
          ".note{font-size:12px;fill:#59636e}.sheet{fill:#fff}path,.frame{fill:none}"
          "circle{fill-opacity:.75}path{stroke-width:1.3;stroke-opacity:.85}"
          ".frame{stroke:#818b98}.grid{stroke:#d1d9e0;stroke-width:1}"
          ".roof{stroke:#59636e;stroke-width:1.5}\n",
          out);
    put_colours(out, light);
    fputs("\n@media (prefers-color-scheme:dark){text{fill:#e6edf3}.note{fill:#9198a1}"
          ".sheet{fill:#0d1117}.grid{stroke:#30363d}.roof{stroke:#9198a1}\n",
          out);
    put_colours(out, dark);
    fputs("}\n</style>\n", out);
}

static struct drawing start_drawing(FILE *out, const struct bench_rows *rows)
{
    struct drawing d = {.out = out, .rows = rows};
    for (int r = 0; r < rows->n; r++) {
        const struct bench_row *row = &rows->row[r];
        d.most_entries = row->entries > d.most_entries ? row->entries : d.most_entries;
        d.most_threads = row->threads > d.most_threads ? row->threads : d.most_threads;
    }
    int names = name_kernels(&d).n;
    d.height = names * (PANEL_LINE + 1) > HIGH ? names * (PANEL_LINE + 1) : HIGH;
    return d;
}

char *bench_svg(const struct bench_rows *rows, const struct bench_machine *machine,
                const struct bench_rates *rates, int n_rates)
{
    char *text = NULL, facts[256];
    size_t n;
    FILE *out = open_memstream(&text, &n);
    if (!out)
        return NULL;
    struct drawing d = start_drawing(out, rows);
    int width = 2 * (MARGIN + PANEL_WIDTH + PANEL_LABELS),
        height = HEAD + 2 * (34 + d.height + FOOT);
    fprintf(out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d "
            "%d\" role=\"img\">\n<title>spcc bench</title>\n",
            width, height, width, height);
    put_style(out);
    fprintf(out, "<rect class=\"sheet\" width=\"%d\" height=\"%d\"/>\n", width, height);
    snprintf(facts, sizeof facts, "spcc %s on %s, %d processors, f64", spcc_version(),
             machine->processor, machine->processors);
    picture_text(out, MARGIN, 26, "title", "start", facts);
    snprintf(facts, sizeof facts, "kernels by %s", machine->engine);
    picture_text(out, MARGIN, 44, "note", "start", facts);
    put_roofline(&d, rates, n_rates);
    put_times(&d);
    put_speedup(&d);
    if (name_all(&d).n > 1)
        put_peers(&d);
    fputs("</svg>\n", out);
    if (fclose(out) == 0)
        return text;
    free(text);
    return NULL;
}
