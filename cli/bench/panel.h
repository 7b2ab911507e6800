/* panel.h - a panel of a picture of figures, in SVG.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_CLI_BENCH_PANEL_H
#define SPCC_CLI_BENCH_PANEL_H

#include <stdbool.h>
#include <stdio.h>

/* Lengths.  Beside a panel there is room for labels. */
enum { PANEL_WIDTH = 270, PANEL_LABELS = 108, PANEL_LINE = 13 };
enum { PANEL_COLOURS = 8, PANEL_NAMES = 64 };

/* A panel: what its axes show, from where to where; as logarithms to base 10, if it is not
 * linear. */
struct panel {
    FILE *out;
    int x, y, height;
    bool is_linear;
    double least_x, most_x, least_y, most_y;
};

/* Returns where a value is. */
double panel_x(const struct panel *p, double value);
double panel_y(const struct panel *p, double value);

/* Makes the ends of an axis wide enough for a value, if it is positive; then settles both. */
void panel_take_in(const struct panel *p, double *least, double *most, double value);
void panel_settle(double *least, double *most);

/* The grid of either axis with its numbers; the frame, with a title and what the axes are. */
void panel_columns(const struct panel *p);
void panel_lines(const struct panel *p);
void panel_frame(const struct panel *p, const char *title, const char *x, const char *y);

/* A point at a place, with a title; a line between values, of a class or of a colour. */
void panel_point(const struct panel *p, double x, double y, int colour, const char *title);
void panel_line(const struct panel *p, const char *class, double x1, double y1, double x2,
                double y2);
void panel_stroke(const struct panel *p, int colour, double x1, double y1, double x2, double y2);

/* A label at the end of a line. */
struct label {
    const char *text;
    double x, y, at; /* the end, and the height that it gets */
};

/* Those of a panel; they are moved apart where they are put. */
struct labels {
    struct label label[PANEL_NAMES];
    int n;
};

void labels_add(struct labels *labels, const char *text, double x, double y);
void panel_labels(const struct panel *p, struct labels *labels);

#endif
