/* svg.h - pictures as SVG text: a sheet with a style for light and dark, and what is put on it.
 *
 * Coordinates are pixels from the top left.  Classes that the sheet's style knows:
 *
 *     text    title (bold), code (of fixed width), note (small, grey)
 *     shapes  card (a filled box), bar (a muted one), edge (a grey line), s0 ... s7 (strokes), f0
 *     ... f7 (fills), open (a
 *             shape filled as the sheet is), dashed, faint
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_DRAW_SVG_H
#define SPCC_DRAW_SVG_H

#include "compiler/base/text.h"

enum { SVG_HUES = 8, SVG_WIDEST = 2400, SVG_TALLEST = 4800 };

/* Begins and ends the sheet; title is what it is called where it is read out. */
void svg_begin(struct text *out, int width, int height, const char *title);
void svg_end(struct text *out);

/* Text whose baseline is at y, from x on, or around x. */
void svg_text(struct text *out, int x, int y, const char *class, const char *text);
void svg_text_middle(struct text *out, int x, int y, const char *class, const char *text);

/* A box with round corners. */
void svg_box(struct text *out, int x, int y, int width, int height, const char *class);

/* Returns the colour of s0, s1, ... on light; hues come round again. */
const char *svg_hue(int hue);

/* How wide a text of class code is, or, smaller, of class note. */
int svg_code_width(const char *text);
int svg_note_width(const char *text);

#endif
