/* lattice_svg.c - iteration lattices, drawn: points in layers by the number of present iterators,
 * the most on top, with an edge from each point to those just below it.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/draw/draw.h"
#include "compiler/draw/svg.h"

enum {
    MARGIN = 24,
    HEAD = 76,
    BOX = 52,
    LAYER = 96,
    GAP = 24,
    POINTS_MOST = 32,
    LATTICES_MOST = 32
};

/* A lattice as a panel, with the place of each point's box. */
struct panel {
    const struct lattice *lattice;
    const char *title, *facts;
    const char **set, **body;
    int *x, *y, *width;
    int all_width, height;
};

static int present(struct bits set)
{
    int n = 0;
    for (int i = 0; i < BITS_MAX; i++)
        n += bits_has(set, i);
    return n;
}

static void write_points(struct context *cx, struct panel *panel)
{
    const struct lattice *lattice = panel->lattice;
    for (int i = 0; i < lattice->points; i++) {
        struct text set = text_new(cx->arena), body = text_new(cx->arena);
        lattice_print_set(cx, &set, lattice, lattice->point[i].present);
        cin_print(cx, &body, lattice->point[i].body);
        int a = svg_code_width(set.at), b = svg_code_width(body.at);
        panel->set[i] = set.at;
        panel->body[i] = body.at;
        panel->width[i] = (a > b ? a : b) + GAP;
    }
}

/* Places the points of one layer side by side, around the middle. */
static int place_layer(struct panel *panel, int iterators, int y)
{
    const struct lattice *lattice = panel->lattice;
    int width = -GAP;
    for (int i = 0; i < lattice->points; i++)
        if (present(lattice->point[i].present) == iterators)
            width += panel->width[i] + GAP;
    int x = -width / 2;
    for (int i = 0; i < lattice->points; i++) {
        if (present(lattice->point[i].present) != iterators)
            continue;
        panel->x[i] = x;
        panel->y[i] = y;
        x += panel->width[i] + GAP;
    }
    return width;
}

static struct panel make_panel(struct context *cx, const struct lattice *lattice)
{
    struct panel panel = {.lattice = lattice};
    size_t n = (size_t)lattice->points + 1;
    struct text facts = text_new(cx->arena);
    panel.set = arena_array(cx->arena, const char *, n);
    panel.body = arena_array(cx->arena, const char *, n);
    panel.x = arena_array(cx->arena, int, n);
    panel.y = arena_array(cx->arena, int, n);
    panel.width = arena_array(cx->arena, int, n);
    panel.title = arena_printf(cx->arena, "lattice of %s", lattice->var->name);
    lattice_print_facts(cx, &facts, lattice);
    panel.facts = facts.at;
    write_points(cx, &panel);
    int widest = svg_note_width(panel.facts), y = HEAD;
    for (int iterators = lattice->sparse; iterators >= 0; iterators--) {
        int width = place_layer(&panel, iterators, y);
        y += width > 0 ? LAYER : 0;
        widest = width > widest ? width : widest;
    }
    panel.all_width = widest;
    panel.height = y - LAYER + BOX + GAP;
    return panel;
}

static void draw_edges(struct text *out, const struct panel *panel, int left, int top)
{
    const struct lattice *lattice = panel->lattice;
    for (int i = 0; i < lattice->points; i++)
        for (int j = 0; j < lattice->points; j++) {
            if (!lattice_is_next(lattice, &lattice->point[i], &lattice->point[j]))
                continue;
            int x = left + panel->x[i] + panel->width[i] / 2, y = top + panel->y[i] + BOX;
            int to_x = left + panel->x[j] + panel->width[j] / 2, to_y = top + panel->y[j];
            text_printf(out, "<path class=\"edge\" d=\"M%d %dC%d %d %d %d %d %d\"/>\n", x, y, x,
                        (y + to_y) / 2, to_x, (y + to_y) / 2, to_x, to_y);
        }
}

static void draw_panel(struct text *out, const struct panel *panel, int left, int top)
{
    svg_text(out, MARGIN, top + 28, "title", panel->title);
    svg_text(out, MARGIN, top + 50, "note", panel->facts);
    draw_edges(out, panel, left, top);
    for (int i = 0; i < panel->lattice->points; i++) {
        int x = left + panel->x[i], y = top + panel->y[i], middle = x + panel->width[i] / 2;
        svg_box(out, x, y, panel->width[i], BOX, "card");
        svg_text_middle(out, middle, y + 21, "code f0", panel->set[i]);
        svg_text_middle(out, middle, y + 40, "code", panel->body[i]);
    }
}

static bool too_large(struct context *cx, const char *what, const char *why)
{
    struct diag *diag =
        diag_error(cx, DIAG_LIMIT, (struct span){0}, "%s: too large to be drawn", what);
    diag_note(cx, diag, "%s", why);
    diag_help(cx, diag, "as Graphviz graphs they have no limits: {emit lattice.dot}");
    return false;
}

bool draw_lattices_svg(struct context *cx, struct text *out, const struct lattice *const *lattice,
                       int lattices)
{
    struct panel panel[LATTICES_MOST];
    int width = 320, height = GAP;
    if (lattices > LATTICES_MOST)
        return too_large(cx, arena_printf(cx->arena, "there are %d lattices", lattices),
                         "one a loop");
    for (int i = 0; i < lattices; i++) {
        const char *what = arena_printf(cx->arena, "the lattice of %s has %d points",
                                        lattice[i]->var->name, lattice[i]->points);
        if (lattice[i]->points > POINTS_MOST)
            return too_large(cx, what, "one for each set of operands that may be present together");
        panel[i] = make_panel(cx, lattice[i]);
        width = panel[i].all_width > width ? panel[i].all_width : width;
        height += panel[i].height;
        if (width > SVG_WIDEST - 2 * MARGIN || height > SVG_TALLEST)
            return too_large(
                cx, what,
                arena_printf(cx->arena, "the picture would have %d x %d pixels", width, height));
    }
    svg_begin(out, width + 2 * MARGIN, lattices ? height : HEAD, "iteration lattices");
    if (lattices == 0)
        svg_text(out, MARGIN, 44, "note", "no loop, and so no lattice");
    for (int i = 0, top = 0; i < lattices; top += panel[i++].height)
        draw_panel(out, &panel[i], MARGIN + width / 2, top);
    svg_end(out);
    return true;
}
