/* bench_svg.c - the figures of spcc bench as one picture of three panels: the roofline (Williams,
 * Waterman and Patterson), time against stored entries, and speed-up against threads.
 *
 * Scales are logarithmic.  A point has a title, so that a browser says what it is.
 *
 * SPDX-License-Identifier: MIT
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/bench.h"
#include "cli/picture.h"

enum { MARGIN = 64, SIDE = 400, GAP = 96, HEAD = 96, LEGEND = 150, COLOURS = 8 };

/* A panel: what its axes show, from where to where, as logarithms to base 10. */
struct panel {
    FILE *out;
    int x, y;
    double least_x, most_x, least_y, most_y;
};

/* ---- scales ---- */

static double place_x(const struct panel *p, double value)
{
    return p->x + (log10(value) - p->least_x) / (p->most_x - p->least_x) * SIDE;
}

static double place_y(const struct panel *p, double value)
{
    return p->y + SIDE - (log10(value) - p->least_y) / (p->most_y - p->least_y) * SIDE;
}

/* Wide enough for a value that is positive. */
static void take_in(double *least, double *most, double value)
{
    if (!(value > 0))
        return;
    *least = fmin(*least, floor(log10(value)));
    *most = fmax(*most, ceil(log10(value)));
}

static void settle(double *least, double *most)
{
    if (*least > *most)
        *least = 0, *most = 1;
    if (*least == *most)
        *most = *least + 1;
}

static struct panel start_panel(FILE *out, int column)
{
    return (struct panel){.out = out,
                          .x = MARGIN + column * (SIDE + GAP),
                          .y = HEAD,
                          .least_x = INFINITY,
                          .most_x = -INFINITY,
                          .least_y = INFINITY,
                          .most_y = -INFINITY};
}

/* ---- axes ---- */

static void put_power(const struct panel *p, int x, int y, const char *anchor, int power)
{
    char text[32];
    if (power >= -3 && power <= 3)
        snprintf(text, sizeof text, "%g", pow(10, power));
    else
        snprintf(text, sizeof text, "1e%d", power);
    picture_text(p->out, x, y, "note", anchor, text);
}

static void put_frame(const struct panel *p, const char *title, const char *x, const char *y)
{
    fprintf(p->out, "<rect class=\"frame\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"/>\n", p->x,
            p->y, SIDE, SIDE);
    for (int e = (int)p->least_x; e <= (int)p->most_x; e++) {
        int at = (int)place_x(p, pow(10, e));
        fprintf(p->out, "<path class=\"grid\" d=\"M%d %dv%d\"/>\n", at, p->y, SIDE);
        put_power(p, at, p->y + SIDE + 16, "middle", e);
    }
    for (int e = (int)p->least_y; e <= (int)p->most_y; e++) {
        int at = (int)place_y(p, pow(10, e));
        fprintf(p->out, "<path class=\"grid\" d=\"M%d %dh%d\"/>\n", p->x, at, SIDE);
        put_power(p, p->x - 6, at + 4, "end", e);
    }
    picture_text(p->out, p->x, p->y - 26, "name", "start", title);
    picture_text(p->out, p->x, p->y - 8, "note", "start", y);
    picture_text(p->out, p->x + SIDE, p->y + SIDE + 34, "note", "end", x);
}

/* ---- marks ---- */

static void put_point(const struct panel *p, double x, double y, int colour, const char *title)
{
    fprintf(p->out, "<circle class=\"f%d\" cx=\"%.1f\" cy=\"%.1f\" r=\"4\"><title>", colour,
            place_x(p, x), place_y(p, y));
    picture_escaped(p->out, title);
    fputs("</title></circle>\n", p->out);
}

static void put_line(const struct panel *p, const char *class, double x1, double y1, double x2,
                     double y2)
{
    fprintf(p->out, "<path class=\"%s\" d=\"M%.1f %.1fL%.1f %.1f\"/>\n", class, place_x(p, x1),
            place_y(p, y1), place_x(p, x2), place_y(p, y2));
}

static void name_row(char text[256], const struct bench_row *row)
{
    snprintf(text, 256, "%s %s, %s, %s, %d threads, %s: %.4g ms", row->kernel->name, row->format,
             row->input, spcc_type_name(row->type), row->threads, row->by, row->min_ms);
}

/* Who computes has a colour: spcc the first, the others in the order in which they appear. */
struct names {
    char name[COLOURS][32];
    int n;
};

static int colour_of(struct names *names, const char *name)
{
    for (int k = 0; k < names->n; k++)
        if (strcmp(names->name[k], name) == 0)
            return k;
    if (names->n == COLOURS)
        return COLOURS - 1;
    snprintf(names->name[names->n], 32, "%s", name);
    return names->n++;
}

static void put_legend(const struct panel *p, const struct names *names)
{
    for (int k = 0; k < names->n; k++) {
        int x = p->x + k % 3 * 136, y = p->y + SIDE + 60 + k / 3 * 20;
        fprintf(p->out, "<circle class=\"f%d\" cx=\"%d\" cy=\"%d\" r=\"4\"/>\n", k, x + 4, y - 4);
        picture_text(p->out, x + 14, y, "note", "start", names->name[k]);
    }
}

/* ---- the roofline ---- */

static double intensity(const struct bench_row *row) { return row->flops / (double)row->bytes; }

static double performance(const struct bench_row *row) { return row->flops / row->min_ms * 1e-6; }

static bool has_work(const struct bench_row *row)
{
    return row->flops > 0 && row->bytes > 0 && row->min_ms > 0 && row->type == SPCC_F64;
}

static void put_roof(const struct panel *p, const struct bench_rates *rates)
{
    double left = pow(10, p->least_x), right = pow(10, p->most_x), low = pow(10, p->least_y);
    double bandwidth = rates->triad * 1e-6, peak = rates->fma * 1e-6, ridge = peak / bandwidth;
    if (bandwidth <= 0 || peak <= 0 || ridge <= left || ridge >= right)
        return;
    double begin = fmax(left, low / bandwidth);
    put_line(p, "roof", begin, begin * bandwidth, ridge, peak);
    put_line(p, "roof", ridge, peak, right, peak);
}

static void put_roofline(FILE *out, const struct bench_rows *rows, const struct bench_rates *rates,
                         int n_rates)
{
    struct panel p = start_panel(out, 0);
    struct names names = {.n = 0};
    char text[256];
    for (int r = 0; r < rows->n; r++)
        if (has_work(&rows->row[r])) {
            take_in(&p.least_x, &p.most_x, intensity(&rows->row[r]));
            take_in(&p.least_y, &p.most_y, performance(&rows->row[r]));
        }
    for (int k = 0; k < n_rates && rates[k].triad > 0; k++) {
        take_in(&p.least_y, &p.most_y, rates[k].fma * 1e-6);
        take_in(&p.least_x, &p.most_x, 2 * rates[k].fma / rates[k].triad);
    }
    settle(&p.least_x, &p.most_x);
    settle(&p.least_y, &p.most_y);
    put_frame(&p, "roofline, f64: triad in memory, fma", "operations a byte", "Gop/s");
    for (int k = 0; k < n_rates; k++)
        put_roof(&p, &rates[k]);
    for (int r = 0; r < rows->n; r++)
        if (has_work(&rows->row[r])) {
            name_row(text, &rows->row[r]);
            put_point(&p, intensity(&rows->row[r]), performance(&rows->row[r]),
                      colour_of(&names, rows->row[r].by), text);
        }
    put_legend(&p, &names);
}

/* ---- time against stored entries ---- */

static bool is_same_kernel(const struct bench_row *a, const struct bench_row *b)
{
    return a->kernel == b->kernel && strcmp(a->format, b->format) == 0 && a->type == b->type
           && strcmp(a->by, b->by) == 0;
}

static bool is_ours(const struct bench_row *row)
{
    return strcmp(row->by, "spcc") == 0 && row->type == SPCC_F64;
}

/* Of uniform inputs, a line from each to the next larger one. */
static void put_growth(const struct panel *p, const struct bench_rows *rows, int r, int colour)
{
    const struct bench_row *from = &rows->row[r], *to = NULL;
    for (int s = 0; s < rows->n; s++) {
        const struct bench_row *row = &rows->row[s];
        if (is_same_kernel(row, from) && row->threads == from->threads
            && strncmp(row->input, "uniform", 7) == 0 && strncmp(from->input, "uniform", 7) == 0
            && row->entries > from->entries && (!to || row->entries < to->entries))
            to = row;
    }
    char class[8];
    snprintf(class, sizeof class, "s%d", colour);
    if (to)
        put_line(p, class, (double)from->entries, from->min_ms, (double)to->entries, to->min_ms);
}

static void put_times(FILE *out, const struct bench_rows *rows)
{
    struct panel p = start_panel(out, 1);
    struct names names = {.n = 0};
    char text[256];
    for (int r = 0; r < rows->n; r++)
        if (is_ours(&rows->row[r]) && rows->row[r].threads == 1) {
            take_in(&p.least_x, &p.most_x, (double)rows->row[r].entries);
            take_in(&p.least_y, &p.most_y, rows->row[r].min_ms);
        }
    settle(&p.least_x, &p.most_x);
    settle(&p.least_y, &p.most_y);
    put_frame(&p, "time of spcc, f64, one thread", "stored entries", "ms");
    for (int r = 0; r < rows->n; r++) {
        const struct bench_row *row = &rows->row[r];
        if (!is_ours(row) || row->threads != 1 || row->entries <= 0 || row->min_ms <= 0)
            continue;
        int colour = colour_of(&names, row->kernel->name);
        if (strcmp(names.name[colour], row->kernel->name) != 0)
            snprintf(names.name[colour], 32, "others");
        name_row(text, row);
        put_growth(&p, rows, r, colour);
        put_point(&p, (double)row->entries, row->min_ms, colour, text);
    }
    put_legend(&p, &names);
}

/* ---- speed-up against threads ---- */

static const struct bench_row *on_one_thread(const struct bench_rows *rows,
                                             const struct bench_row *like)
{
    for (int r = 0; r < rows->n; r++)
        if (is_same_kernel(&rows->row[r], like) && rows->row[r].threads == 1
            && strcmp(rows->row[r].input, like->input) == 0)
            return &rows->row[r];
    return NULL;
}

static void put_speedup(FILE *out, const struct bench_rows *rows)
{
    struct panel p = start_panel(out, 2);
    struct names names = {.n = 0};
    char text[256];
    take_in(&p.least_y, &p.most_y, 0.5);
    take_in(&p.least_x, &p.most_x, 2);
    for (int r = 0; r < rows->n; r++)
        take_in(&p.least_x, &p.most_x, rows->row[r].threads);
    p.most_y = p.most_x;
    settle(&p.least_x, &p.most_x);
    settle(&p.least_y, &p.most_y);
    put_frame(&p, "speed-up", "threads", "times as fast as on one");
    put_line(&p, "roof", 1, 1, pow(10, p.most_x), pow(10, p.most_y));
    for (int r = 0; r < rows->n; r++) {
        const struct bench_row *row = &rows->row[r], *one = on_one_thread(rows, row);
        if (!one || row->min_ms <= 0 || row->type != SPCC_F64)
            continue;
        double speedup = one->min_ms / row->min_ms;
        name_row(text, row);
        if (speedup >= pow(10, p.least_y) && speedup <= pow(10, p.most_y))
            put_point(&p, row->threads, speedup, colour_of(&names, row->by), text);
    }
    put_legend(&p, &names);
}

/* ---- the sheet ---- */

static void put_style(FILE *out)
{
    static const char *const colours[COLOURS] = {"#2563d4", "#d1242f", "#1a7f37", "#9a6700",
                                                 "#8250df", "#bf3989", "#0a7d91", "#818b98"};
    fputs("<style>\ntext{font:14px system-ui,sans-serif;fill:#1f2328}"
          ".title{font-size:18px;font-weight:600}.name{font-weight:600}"
          ".note{font-size:12px;fill:#59636e}.sheet{fill:#fff}path,.frame{fill:none}"
          ".frame{stroke:#818b98}.grid{stroke:#d1d9e0}.roof{stroke:#1f2328;stroke-width:2}\n",
          out);
    for (int k = 0; k < COLOURS; k++)
        fprintf(out, ".f%d{fill:%s;fill-opacity:.7}.s%d{stroke:%s}", k, colours[k], k, colours[k]);
    fputs("\n@media (prefers-color-scheme:dark){text{fill:#e6edf3}.note{fill:#9198a1}"
          ".sheet{fill:#0d1117}.grid{stroke:#3d444d}.roof{stroke:#e6edf3}}\n</style>\n",
          out);
}

char *bench_svg(const struct bench_rows *rows, const struct bench_machine *machine,
                const struct bench_rates *rates, int n_rates)
{
    char *text = NULL, facts[256];
    size_t n;
    int width = 2 * MARGIN + 3 * SIDE + 2 * GAP, height = HEAD + SIDE + LEGEND;
    FILE *out = open_memstream(&text, &n);
    if (!out)
        return NULL;
    fprintf(out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d "
            "%d\" role=\"img\">\n<title>spcc bench</title>\n",
            width, height, width, height);
    put_style(out);
    fprintf(out, "<rect class=\"sheet\" width=\"%d\" height=\"%d\"/>\n", width, height);
    snprintf(facts, sizeof facts, "spcc %s on %s, %d processors; kernels by %s", spcc_version(),
             machine->processor, machine->processors, machine->engine);
    picture_text(out, MARGIN, 32, "title", "start", facts);
    put_roofline(out, rows, rates, n_rates);
    put_times(out, rows);
    put_speedup(out, rows);
    fputs("</svg>\n", out);
    if (fclose(out) == 0)
        return text;
    free(text);
    return NULL;
}
