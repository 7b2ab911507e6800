/* panel.c - a panel of a picture of figures: scales, axes, marks, and labels at the ends of lines.
 *
 * SPDX-License-Identifier: MIT
 */
#include "cli/bench/panel.h"

#include <math.h>
#include <stdlib.h>

#include "cli/picture.h"

/* ---- scales ---- */

static double scaled(const struct panel *p, double value)
{
    return p->is_linear ? value : log10(value);
}

double panel_x(const struct panel *p, double value)
{
    return p->x + (scaled(p, value) - p->least_x) / (p->most_x - p->least_x) * PANEL_WIDTH;
}

double panel_y(const struct panel *p, double value)
{
    return p->y + p->height
           - (scaled(p, value) - p->least_y) / (p->most_y - p->least_y) * p->height;
}

/* Wide enough for a value that is positive. */
void panel_take_in(const struct panel *p, double *least, double *most, double value)
{
    if (!(value > 0))
        return;
    *least = fmin(*least, floor(scaled(p, value)));
    *most = fmax(*most, ceil(scaled(p, value)));
}

void panel_settle(double *least, double *most)
{
    if (*least > *most)
        *least = 0, *most = 1;
    if (*least == *most)
        *most = *least + 1;
}

/* ---- axes ---- */

static void put_tick(const struct panel *p, double x, double y, const char *anchor, int at)
{
    char text[32];
    if (p->is_linear)
        snprintf(text, sizeof text, "%d", at);
    else if (at >= -3 && at <= 3)
        snprintf(text, sizeof text, "%g", pow(10, at));
    else
        snprintf(text, sizeof text, "1e%d", at);
    picture_text(p->out, (int)x, (int)y, "note", anchor, text);
}

static double unscaled(const struct panel *p, int at) { return p->is_linear ? at : pow(10, at); }

void panel_columns(const struct panel *p)
{
    for (int e = (int)p->least_x; e <= (int)p->most_x; e++) {
        double at = panel_x(p, unscaled(p, e));
        fprintf(p->out, "<path class=\"grid\" d=\"M%.1f %dv%d\"/>\n", at, p->y, p->height);
        put_tick(p, at, p->y + p->height + 15, "middle", e);
    }
}

void panel_lines(const struct panel *p)
{
    for (int e = (int)p->least_y; e <= (int)p->most_y; e++) {
        double at = panel_y(p, unscaled(p, e));
        fprintf(p->out, "<path class=\"grid\" d=\"M%d %.1fh%d\"/>\n", p->x, at, PANEL_WIDTH);
        put_tick(p, p->x - 6, at + 4, "end", e);
    }
}

void panel_frame(const struct panel *p, const char *title, const char *x, const char *y)
{
    picture_text(p->out, p->x, p->y - 22, "name", "start", title);
    picture_text(p->out, p->x, p->y - 6, "note", "start", y);
    picture_text(p->out, p->x + PANEL_WIDTH, p->y + p->height + 31, "note", "end", x);
    fprintf(p->out, "<rect class=\"frame\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"/>\n", p->x,
            p->y, PANEL_WIDTH, p->height);
}

/* ---- marks ---- */

void panel_point(const struct panel *p, double x, double y, int colour, const char *title)
{
    fprintf(p->out, "<circle class=\"f%d\" cx=\"%.1f\" cy=\"%.1f\" r=\"3.5\"><title>", colour, x,
            y);
    picture_escaped(p->out, title);
    fputs("</title></circle>\n", p->out);
}

void panel_line(const struct panel *p, const char *class, double x1, double y1, double x2,
                double y2)
{
    fprintf(p->out, "<path class=\"%s\" d=\"M%.1f %.1fL%.1f %.1f\"/>\n", class, panel_x(p, x1),
            panel_y(p, y1), panel_x(p, x2), panel_y(p, y2));
}

void panel_stroke(const struct panel *p, int colour, double x1, double y1, double x2, double y2)
{
    char class[8];
    snprintf(class, sizeof class, "s%d", colour);
    panel_line(p, class, x1, y1, x2, y2);
}

/* ---- labels at the ends of lines ---- */

void labels_add(struct labels *labels, const char *text, double x, double y)
{
    if (labels->n < PANEL_NAMES)
        labels->label[labels->n++] = (struct label){text, x, y, y};
}

static int compare_labels(const void *a, const void *b)
{
    double one = ((const struct label *)a)->y, other = ((const struct label *)b)->y;
    return (one > other) - (one < other);
}

/* Downwards until none is on another, then upwards until all are beside the panel. */
void panel_labels(const struct panel *p, struct labels *labels)
{
    struct label *l = labels->label;
    qsort(l, (size_t)labels->n, sizeof *l, compare_labels);
    for (int k = 1; k < labels->n; k++)
        l[k].at = fmax(l[k].at, l[k - 1].at + PANEL_LINE);
    for (int k = labels->n - 1; k >= 0; k--)
        l[k].at = fmin(l[k].at, p->y + p->height - (labels->n - 1 - k) * PANEL_LINE);
    for (int k = 0; k < labels->n; k++) {
        fprintf(p->out, "<path class=\"grid\" d=\"M%.1f %.1fL%d %.1fh4\"/>\n", l[k].x + 5, l[k].y,
                p->x + PANEL_WIDTH + 14, l[k].at);
        picture_text(p->out, p->x + PANEL_WIDTH + 21, (int)l[k].at + 4, "note", "start", l[k].text);
    }
}
