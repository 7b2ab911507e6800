/* svg.c - pictures as SVG text: a sheet with a style for light and dark, and shapes on it.
 *
 * The reader chooses the fonts, so the width of a text can only be bounded: a character of a
 * fixed-width font is 0.6 of its size wide in nearly all of them, and other fonts are narrower on
 * average.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/draw/svg.h"

static const char *const light[SVG_HUES] = {"#2563eb", "#c2410c", "#15803d", "#a21caf",
                                            "#0e7490", "#b91c1c", "#854d0e", "#4b5563"};
static const char *const dark[SVG_HUES] = {"#60a5fa", "#fb923c", "#4ade80", "#e879f9",
                                           "#22d3ee", "#f87171", "#facc15", "#9ca3af"};

const char *svg_hue(int hue) { return light[hue % SVG_HUES]; }

static void add_hues(struct text *out, const char *const *hue)
{
    for (int h = 0; h < SVG_HUES; h++)
        text_printf(out, ".s%d{stroke:%s}.f%d{fill:%s}", h, hue[h], h, hue[h]);
    text_add(out, "\n");
}

static void add_style(struct text *out)
{
    text_add(
        out,
        "<style>\n"
        "text{font:14px system-ui,sans-serif;fill:#1f2328}.title{font-weight:600}"
        ".code{font:13px ui-monospace,Menlo,Consolas,monospace}.note{font-size:12px;fill:#59636e}\n"
        "path{fill:none;stroke-width:2}.sheet{fill:#fff}.card{fill:#fff;stroke:#818b98}"
        ".bar{fill:#eff2f5;stroke:#d1d9e0}.edge{stroke:#818b98;stroke-width:1.5}\n"
        ".open{fill:#fff;stroke-width:2}.dashed{stroke-dasharray:6 4}.faint{opacity:.4}\n");
    add_hues(out, light);
    text_add(out, "@media (prefers-color-scheme:dark){\n"
                  "text{fill:#e6edf3}.note{fill:#9198a1}.sheet{fill:#0d1117}.card{fill:#0d1117;"
                  "stroke:#656c76}"
                  ".bar{fill:#1c232c;stroke:#3d444d}.edge{stroke:#656c76}.open{fill:#0d1117}\n");
    add_hues(out, dark);
    text_add(out, "}\n</style>\n");
}

static void add_escaped(struct text *out, const char *s)
{
    for (; *s; s++) {
        switch (*s) {
        case '&': text_add(out, "&amp;"); break;
        case '<': text_add(out, "&lt;"); break;
        case '>': text_add(out, "&gt;"); break;
        default: text_addn(out, (unsigned char)*s < ' ' ? " " : s, 1); break;
        }
    }
}

void svg_begin(struct text *out, int width, int height, const char *title)
{
    text_printf(out,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 "
                "0 %d %d\" role=\"img\">\n<title>",
                width, height, width, height);
    add_escaped(out, title);
    text_add(out, "</title>\n");
    add_style(out);
    text_printf(out, "<rect class=\"sheet\" width=\"%d\" height=\"%d\"/>\n", width, height);
}

void svg_end(struct text *out) { text_add(out, "</svg>\n"); }

static void add_text(struct text *out, int x, int y, const char *class, const char *anchor,
                     const char *text)
{
    text_printf(out, "<text x=\"%d\" y=\"%d\" class=\"%s\"%s>", x, y, class, anchor);
    add_escaped(out, text);
    text_add(out, "</text>\n");
}

void svg_text(struct text *out, int x, int y, const char *class, const char *text)
{
    add_text(out, x, y, class, "", text);
}

void svg_text_middle(struct text *out, int x, int y, const char *class, const char *text)
{
    add_text(out, x, y, class, " text-anchor=\"middle\"", text);
}

void svg_box(struct text *out, int x, int y, int width, int height, const char *class)
{
    text_printf(out, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"6\" class=\"%s\"/>\n",
                x, y, width, height, class);
}

static int characters(const char *text)
{
    int n = 0;
    for (; *text; text++)
        n += ((unsigned char)*text & 0xC0) != 0x80;
    return n;
}

int svg_code_width(const char *text) { return characters(text) * 8; }

int svg_note_width(const char *text) { return characters(text) * 7; }
