/* graph_svg.c - the iteration graph as a map of lines and stations.
 *
 * A loop is a bar, below the loops that it is in.  An access is a line from the top down to its
 * assignment, in a column of its own, so lines never cross.  It stops at the bars of the loops
 * that resolve its levels, and passes behind the others.  If a level is resolved further out than
 * the one above it, the line turns back.
 *
 * SPDX-License-Identifier: MIT
 */
#include <string.h>

#include "compiler/draw/graph.h"
#include "compiler/draw/svg.h"

enum {
    MARGIN = 24,
    HEAD = 88,
    ROW = 64,
    BAR = 34,
    STATION = 6,
    GAP = 16,
    LEAF = 36,
    FOOT = 56,
    NODES_MOST = 32
};

/* The place of everything. */
struct plan {
    struct context *cx;
    struct text *out;
    const struct graph *graph;
    int *path_x; /* of each path's line */
    /* of each leaf's columns, with room for its loops' names */
    int *leaf_x, *leaf_end;
    int width, height;
};

/* Names the levels that a path resolves at a node, "1 dense, 2 compressed"; NULL if there are none.
 */
static const char *stop_label(struct context *cx, const struct graph_path *path, int node)
{
    const char *label = NULL;
    for (int l = 0; l < path->access->tensor->format->levels; l++) {
        if (path->stop[l] != node)
            continue;
        const char *one = graph_level(cx, path->access, l);
        label = label ? arena_printf(cx->arena, "%s, %s", label, one) : one;
    }
    return label;
}

static int larger(int a, int b) { return a > b ? a : b; }

/* The width from a path's line to the next: its access above it, the labels at its stops. */
static int column_width(const struct plan *plan, const struct graph_path *path)
{
    int width = svg_code_width(cin_text(plan->cx, path->access));
    for (int l = 0; l < path->access->tensor->format->levels; l++)
        if (path->stop[l] >= 0)
            width = larger(width,
                           STATION + 4 + svg_note_width(stop_label(plan->cx, path, path->stop[l])));
    return width + GAP;
}

/* The widest name of the loops around a leaf. */
static int names_width(const struct graph *g, const struct graph_leaf *leaf)
{
    int width = 0;
    for (int n = leaf->node; n >= 0; n = g->node.at[n].parent)
        width = larger(width, svg_code_width(g->node.at[n].label) + GAP / 2
                                  + svg_note_width(g->node.at[n].domain));
    return width + 2 * GAP;
}

/* The room left of all bars: for variables without loops, and the relations between them. */
static int margin_width(const struct plan *plan)
{
    const struct graph *g = plan->graph;
    int width = 0;
    for (size_t v = 0; v < g->var.n; v++)
        width = larger(width, svg_code_width(g->var.at[v]->name) + 2 * GAP);
    for (size_t l = 0; l < g->link.n; l++)
        width = larger(width, svg_note_width(g->link.at[l].label) + 5 * GAP);
    return g->link.n ? width + GAP : 0;
}

static void place(struct plan *plan)
{
    const struct graph *g = plan->graph;
    int x = MARGIN + margin_width(plan), deepest = 0;
    plan->path_x = arena_array(plan->cx->arena, int, g->path.n + 1);
    plan->leaf_x = arena_array(plan->cx->arena, int, g->leaf.n + 1);
    plan->leaf_end = arena_array(plan->cx->arena, int, g->leaf.n + 1);
    for (size_t l = 0; l < g->leaf.n; l++) {
        const struct graph_leaf *leaf = &g->leaf.at[l];
        int least = svg_code_width(cin_text(plan->cx, leaf->assignment)) + 2 * GAP;
        plan->leaf_x[l] = x;
        x += names_width(g, leaf);
        for (int p = leaf->path; p < leaf->path_end; p++) {
            plan->path_x[p] = x + STATION;
            x += column_width(plan, &g->path.at[p]);
        }
        plan->leaf_end[l] = x = larger(x, plan->leaf_x[l] + least);
        x += GAP;
        deepest = larger(deepest, leaf->depth);
    }
    plan->width = larger(x - GAP + MARGIN, 560);
    deepest = larger(deepest, (int)plan->graph->var.n);
    plan->height = HEAD + deepest * ROW + LEAF + FOOT;
}

static int bar_y(const struct plan *plan, int node)
{
    return HEAD + plan->graph->node.at[node].depth * ROW;
}

static int leaf_y(const struct plan *plan, const struct graph_leaf *leaf)
{
    return HEAD + leaf->depth * ROW;
}

/* Draws a piece of a path's line: downwards behind the bars between, upwards around them. */
static void draw_piece(const struct plan *plan, const struct graph_path *path, int x, int from,
                       int to)
{
    const char *dashed = path->is_written ? " dashed" : "";
    int hue = path->hue % SVG_HUES;
    if (to >= from)
        text_printf(plan->out, "<path class=\"s%d%s\" d=\"M%d %dV%d\"/>\n", hue, dashed, x, from,
                    to);
    else
        text_printf(plan->out, "<path class=\"s%d%s\" d=\"M%d %dC%d %d %d %d %d %d\"/>\n", hue,
                    dashed, x, from, x - 28, from, x - 28, to, x, to);
}

/* A scalar's or constant's assignment has no line. */
static void draw_line(const struct plan *plan, int p)
{
    const struct graph_path *path = &plan->graph->path.at[p];
    int x = plan->path_x[p], y = HEAD - 20, end = leaf_y(plan, &plan->graph->leaf.at[path->leaf]);
    for (int l = 0; l < path->access->tensor->format->levels; l++) {
        int to = path->stop[l] < 0 ? y : bar_y(plan, path->stop[l]) + BAR / 2;
        if (path->stop[l] >= 0 && to >= y)
            draw_piece(plan, path, x, y, to);
        y = to;
    }
    text_printf(plan->out, "<path class=\"s%d faint\" d=\"M%d %dV%d\"/>\n", path->hue % SVG_HUES, x,
                y, end);
}

/* Lines that turn back are drawn above the bars. */
static void draw_turns(const struct plan *plan, int p)
{
    const struct graph_path *path = &plan->graph->path.at[p];
    int y = 0;
    for (int l = 0; l < path->access->tensor->format->levels; l++) {
        int to = path->stop[l] < 0 ? y : bar_y(plan, path->stop[l]) + BAR / 2;
        if (to < y)
            draw_piece(plan, path, plan->path_x[p], y, to);
        y = to;
    }
}

static bool is_full(const struct graph_path *path, int node)
{
    for (int l = 0; l < path->access->tensor->format->levels; l++)
        if (path->stop[l] == node
            && !level_has(&path->access->tensor->format->level[l], LEVEL_FULL))
            return false;
    return true;
}

static void draw_stops(const struct plan *plan, int p)
{
    const struct graph *g = plan->graph;
    const struct graph_path *path = &g->path.at[p];
    int hue = path->hue % SVG_HUES, x = plan->path_x[p];
    for (int node = g->leaf.at[path->leaf].node; node >= 0; node = g->node.at[node].parent) {
        const char *label = stop_label(plan->cx, path, node);
        int y = bar_y(plan, node) + BAR / 2;
        if (!label)
            continue;
        const char *filled =
            is_full(path, node) ? "open" : arena_printf(plan->cx->arena, "f%d", hue);
        text_printf(plan->out, "<circle class=\"%s s%d\" cx=\"%d\" cy=\"%d\" r=\"%d\"/>\n", filled,
                    hue, x, y, STATION);
        svg_text(plan->out, x + STATION + 4, y + 4, "note", label);
    }
}

static void draw_bar(const struct plan *plan, int n)
{
    const struct graph_node *node = &plan->graph->node.at[n];
    int x = node->leaf < node->leaf_end ? plan->leaf_x[node->leaf] : MARGIN;
    int end =
        node->leaf < node->leaf_end ? plan->leaf_end[node->leaf_end - 1] : plan->width - MARGIN;
    svg_box(plan->out, x, bar_y(plan, n), end - x, BAR, "bar");
    svg_text(plan->out, x + GAP, bar_y(plan, n) + BAR / 2 + 5, "code", node->label);
    svg_text(plan->out, x + GAP + svg_code_width(node->label) + GAP / 2,
             bar_y(plan, n) + BAR / 2 + 5, "note", node->domain);
}

/* ---- relations ---- */

/* Finds where a link ends: at the left of a loop's bar, or at a variable's box in the margin. */
static void end_at(const struct plan *plan, struct graph_end end, int *x, int *y)
{
    if (end.node >= 0) {
        const struct graph_node *node = &plan->graph->node.at[end.node];
        *x = node->leaf < node->leaf_end ? plan->leaf_x[node->leaf] : MARGIN;
        *y = bar_y(plan, end.node) + BAR / 2;
        return;
    }
    *x = MARGIN + svg_code_width(plan->graph->var.at[end.var]->name) + GAP;
    *y = HEAD + end.var * ROW + BAR / 2;
}

/* Draws a link from the right of one box to the right of another, or between boxes and bars. */
static void draw_link(const struct plan *plan, const struct graph_link *link)
{
    int x, y, to_x, to_y;
    end_at(plan, link->from, &x, &y);
    end_at(plan, link->to, &to_x, &to_y);
    bool same = (link->from.node < 0) == (link->to.node < 0);
    int bend = !same                 ? (x + to_x) / 2
               : link->from.node < 0 ? larger(x, to_x) + 2 * GAP
                                     : larger(x - 2 * GAP, 0);
    text_printf(plan->out, "<path class=\"s7 dashed\" d=\"M%d %dC%d %d %d %d %d %d\"/>\n", x, y,
                bend, y, bend, to_y, to_x, to_y);
}

static bool is_same_end(struct graph_end a, struct graph_end b)
{
    return a.node == b.node && a.var == b.var;
}

/* Writes a link's relations below its beginning, unless an earlier link has. */
static void draw_labels(const struct plan *plan, size_t l)
{
    const struct graph *g = plan->graph;
    struct graph_end from = g->link.at[l].from;
    const char *labels = g->link.at[l].label, *last = labels;
    int x, y;
    for (size_t k = 0; k < l; k++)
        if (is_same_end(g->link.at[k].from, from))
            return;
    for (size_t k = l + 1; k < g->link.n; k++)
        if (is_same_end(g->link.at[k].from, from) && g->link.at[k].label != last) {
            last = g->link.at[k].label;
            labels = arena_printf(plan->cx->arena, "%s, %s", labels, last);
        }
    end_at(plan, from, &x, &y);
    svg_text(plan->out, from.node < 0 ? MARGIN : larger(x - svg_note_width(labels) - GAP, 0),
             y + BAR / 2 + GAP, "note", labels);
}

static void draw_relations(const struct plan *plan)
{
    const struct graph *g = plan->graph;
    for (size_t l = 0; l < g->link.n; l++) {
        draw_link(plan, &g->link.at[l]);
        draw_labels(plan, l);
    }
    for (size_t v = 0; v < g->var.n; v++) {
        int width = svg_code_width(g->var.at[v]->name) + GAP;
        svg_box(plan->out, MARGIN, HEAD + (int)v * ROW, width, BAR, "open edge");
        svg_text_middle(plan->out, MARGIN + width / 2, HEAD + (int)v * ROW + BAR / 2 + 5, "code",
                        g->var.at[v]->name);
    }
}

static void draw_leaf(const struct plan *plan, int l)
{
    const struct graph_leaf *leaf = &plan->graph->leaf.at[l];
    int x = plan->leaf_x[l], width = plan->leaf_end[l] - x, y = leaf_y(plan, leaf);
    svg_box(plan->out, x, y, width, LEAF, "card");
    svg_text_middle(plan->out, x + width / 2, y + LEAF / 2 + 5, "code",
                    cin_text(plan->cx, leaf->assignment));
}

static void draw_legend(const struct plan *plan)
{
    int y = plan->height - MARGIN;
    text_printf(plan->out, "<circle class=\"edge bar\" cx=\"%d\" cy=\"%d\" r=\"5\"/>\n", MARGIN + 6,
                y - 4);
    svg_text(plan->out, MARGIN + 18, y, "note", "a level that has every coordinate");
    text_printf(plan->out, "<circle class=\"f7\" cx=\"%d\" cy=\"%d\" r=\"5\"/>\n", MARGIN + 236,
                y - 4);
    svg_text(plan->out, MARGIN + 248, y, "note", "one that stores them");
    text_printf(plan->out, "<path class=\"s7 dashed\" d=\"M%d %dh26\"/>\n", MARGIN + 388, y - 4);
    svg_text(plan->out, MARGIN + 422, y, "note", "written");
}

static void draw(const struct plan *plan)
{
    const struct graph *g = plan->graph;
    svg_begin(plan->out, plan->width, plan->height, "iteration graph");
    svg_text(plan->out, MARGIN, MARGIN + 4, "title", "iteration graph");
    for (size_t p = 0; p < g->path.n; p++)
        draw_line(plan, (int)p);
    for (size_t n = 0; n < g->node.n; n++)
        draw_bar(plan, (int)n);
    draw_relations(plan);
    for (size_t l = 0; l < g->leaf.n; l++)
        draw_leaf(plan, (int)l);
    for (size_t p = 0; p < g->path.n; p++) {
        svg_text(plan->out, plan->path_x[p] - STATION, HEAD - 26, "code",
                 cin_text(plan->cx, g->path.at[p].access));
        draw_turns(plan, (int)p);
        draw_stops(plan, (int)p);
    }
    draw_legend(plan);
    svg_end(plan->out);
}

bool draw_graph_svg(struct context *cx, struct text *out, const struct cin_program *program,
                    const struct tree *tree)
{
    struct graph graph = graph_of(cx, program, tree);
    struct plan plan = {.cx = cx, .out = out, .graph = &graph};
    if (graph.node.n <= NODES_MOST)
        place(&plan);
    if (graph.node.n <= NODES_MOST && plan.width <= SVG_WIDEST && plan.height <= SVG_TALLEST) {
        draw(&plan);
        return true;
    }
    struct diag *diag =
        diag_error(cx, DIAG_LIMIT, (struct span){0},
                   "the iteration graph has %d loops and %d accesses: too large to be drawn",
                   (int)graph.node.n, (int)graph.path.n);
    diag_help(cx, diag, "as a Graphviz graph it has no limits: {emit graph.dot}");
    return false;
}
