/* graph.c - the iteration graph (thesis 3.2, figures 3-9 and 3-10), and its form for Graphviz.
 *
 * Loops form a tree, since a where or a sequence has loops side by side.  An access is a path from
 * the root through the loops that resolve its levels, level by level.  If a level's variable has
 * no loop but follows from others, the loop that makes it known resolves the level.  Below a
 * loop's name stands its domain.  The relations of a derived graph (figures 3-14 and 3-16) lead
 * from variables to those derived from them.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/draw/graph.h"

#include <string.h>

#include "compiler/draw/svg.h"

struct building {
    struct context *cx;
    const struct tree *tree;
    struct graph graph;
    VEC(const struct tensor_var *) tensor; /* those with a hue */
};

/* The variables known in a loop: its own, those around it, and those that follow from them. */
struct inside {
    struct known known;
    /* for each variable, the node that makes it known */
    int *at;
    int node, depth;
};

static int hue_of(struct building *b, const struct tensor_var *tensor)
{
    for (size_t t = 0; t < b->tensor.n; t++)
        if (b->tensor.at[t] == tensor)
            return (int)t;
    vec_push(b->cx->arena, &b->tensor, tensor);
    return (int)b->tensor.n - 1;
}

static void add_path(struct building *b, const struct inside *in, const struct cin *access,
                     bool is_written)
{
    int levels = access->tensor->format->levels;
    if (levels == 0)
        return;
    struct graph_path path = {.access = access,
                              .is_written = is_written,
                              .leaf = (int)b->graph.leaf.n,
                              .hue = hue_of(b, access->tensor),
                              .stop = arena_array(b->cx->arena, int, levels)};
    for (int l = 0; l < levels; l++) {
        const struct index_var *var = access_level_var(access, l);
        path.stop[l] = -1;
        for (int v = 0; v < in->known.n && path.stop[l] < 0; v++)
            if (in->known.var[v] == var)
                path.stop[l] = in->at[v];
    }
    vec_push(b->cx->arena, &b->graph.path, path);
}

static void add_leaf(struct building *b, const struct inside *in, const struct cin *assignment)
{
    struct graph_leaf leaf = {.assignment = assignment,
                              .node = in->node,
                              .depth = in->depth,
                              .path = (int)b->graph.path.n};
    struct cin_list read = cin_operands(b->cx, assignment);
    add_path(b, in, assignment->arg[0], true);
    for (size_t i = 0; i < read.n; i++)
        add_path(b, in, read.at[i], false);
    leaf.path_end = (int)b->graph.path.n;
    vec_push(b->cx->arena, &b->graph.leaf, leaf);
}

static void add_statement(struct building *b, const struct inside *in, const struct cin *cin);

static void add_loop(struct building *b, const struct inside *in, const struct cin *forall)
{
    struct inside body = *in;
    struct text label = text_new(b->cx->arena);
    int number = (int)b->graph.node.n;
    body.known = known_with(b->cx, &in->known, forall->index[0]);
    body.at = arena_array(b->cx->arena, int, body.known.n);
    if (in->known.n)
        memcpy(body.at, in->at, sizeof *body.at * (size_t)in->known.n);
    body.node = number;
    body.depth = in->depth + 1;
    for (int v = in->known.n; v < body.known.n; v++) {
        body.at[v] = number;
        text_printf(&label, "%s%s", v > in->known.n ? " → " : "", body.known.var[v]->name);
    }
    struct graph_node node = {.var = forall->index[0],
                              .label = label.at,
                              .domain = graph_domain(b->cx, b->tree, forall->index[0]),
                              .parent = in->node,
                              .depth = in->depth,
                              .leaf = (int)b->graph.leaf.n,
                              .path = (int)b->graph.path.n};
    vec_push(b->cx->arena, &b->graph.node, node);
    add_statement(b, &body, forall->arg[0]);
    b->graph.node.at[number].leaf_end = (int)b->graph.leaf.n;
    b->graph.node.at[number].path_end = (int)b->graph.path.n;
}

static void add_statement(struct building *b, const struct inside *in, const struct cin *cin)
{
    switch (cin->kind) {
    case CIN_FORALL: add_loop(b, in, cin); break;
    case CIN_ASSIGN: add_leaf(b, in, cin); break;
    case CIN_WHERE: /* the producer runs first */
        add_statement(b, in, cin->arg[1]);
        add_statement(b, in, cin->arg[0]);
        break;
    case CIN_SEQUENCE:
    case CIN_MULTI:
        add_statement(b, in, cin->arg[0]);
        add_statement(b, in, cin->arg[1]);
        break;
    case CIN_NOTHING:
    case CIN_LITERAL:
    case CIN_ACCESS:
    case CIN_OP: break;
    }
}

/* ---- relations ---- */

static struct graph_end end_of(struct building *b, const struct index_var *var)
{
    for (size_t n = 0; n < b->graph.node.n; n++)
        if (b->graph.node.at[n].var == var)
            return (struct graph_end){(int)n, -1};
    for (size_t v = 0; v < b->graph.var.n; v++)
        if (b->graph.var.at[v] == var)
            return (struct graph_end){-1, (int)v};
    vec_push(b->cx->arena, &b->graph.var, var);
    return (struct graph_end){-1, (int)b->graph.var.n - 1};
}

/* Returns the relation's name with its numbers and words. */
static const char *relation_label(struct context *cx, const struct cin_relation *r)
{
    struct text out = text_new(cx->arena);
    const char *before = "(";
    text_add(&out, r->type->name);
    for (const char *a = r->type->arguments; *a; a++) {
        if (!strchr("uwna", *a))
            continue;
        text_add(&out, before);
        if (*a == 'u')
            text_add(&out, r->up ? "up" : "down");
        else if (*a == 'w')
            text_add(&out, "work");
        else if (*a == 'n')
            text_printf(&out, "%lld", (long long)r->size);
        else
            text_printf(&out, "%s%d", r->access->tensor->name, (int)r->size + 1);
        before = ", ";
    }
    text_add(&out, *before == ',' ? ")" : "");
    return out.at;
}

static void add_relation(struct building *b, const struct cin_relation *r)
{
    const char *label = relation_label(b->cx, r);
    for (int p = 0; p < 2 && r->parent[p]; p++)
        for (int c = 0; c < 2 && r->child[c]; c++) {
            struct graph_end from = end_of(b, r->parent[p]), to = end_of(b, r->child[c]);
            struct graph_link link = {from, to, label};
            vec_push(b->cx->arena, &b->graph.link, link);
        }
}

struct graph graph_of(struct context *cx, const struct cin_program *program,
                      const struct tree *tree)
{
    struct building b = {.cx = cx, .tree = tree};
    struct inside outside = {.known = known_none(cx, program), .node = -1};
    outside.at = arena_array(cx->arena, int, outside.known.n);
    for (int v = 0; v < outside.known.n; v++)
        outside.at[v] = -1; /* literals are known before all loops */
    add_statement(&b, &outside, program->statement);
    for (int i = 0; i < program->relations; i++)
        if (program->relation[i].parent[0])
            add_relation(&b, &program->relation[i]);
    return b.graph;
}

const char *graph_level(struct context *cx, const struct cin *access, int level)
{
    return arena_printf(cx->arena, "%d %s", level + 1,
                        access->tensor->format->level[level].type->name);
}

/* ---- Graphviz ---- */

/* Returns the name of a node; the root has number -1. */
static const char *dot_node(struct context *cx, int node)
{
    return node < 0 ? "root" : arena_printf(cx->arena, "n%d", node);
}

static void dot_path(struct context *cx, struct text *out, const struct graph_path *path)
{
    int at = -1;
    for (int l = 0; l < path->access->tensor->format->levels; l++) {
        if (path->stop[l] < 0)
            continue;
        text_printf(out, "  %s -> %s [color=\"%s\", label=\"%s: %s\"%s];\n", dot_node(cx, at),
                    dot_node(cx, path->stop[l]), svg_hue(path->hue), cin_text(cx, path->access),
                    graph_level(cx, path->access, l), path->is_written ? ", style=dashed" : "");
        at = path->stop[l];
    }
}

static void dot_loop(struct context *cx, struct text *out, int from, const char *to)
{
    text_printf(out, "  %s -> %s [style=bold, color=gray, arrowhead=none];\n", dot_node(cx, from),
                to);
}

static const char *dot_end(struct context *cx, struct graph_end end)
{
    return end.node >= 0 ? dot_node(cx, end.node) : arena_printf(cx->arena, "v%d", end.var);
}

static void dot_relations(struct context *cx, struct text *out, const struct graph *g)
{
    for (size_t v = 0; v < g->var.n; v++)
        text_printf(out, "  v%d [label=\"%s\", style=dotted];\n", (int)v, g->var.at[v]->name);
    for (size_t l = 0; l < g->link.n; l++) {
        const struct graph_link *link = &g->link.at[l];
        text_printf(out, "  %s -> %s [style=dotted, constraint=false, label=\"%s\"];\n",
                    dot_end(cx, link->from), dot_end(cx, link->to), link->label);
    }
}

void draw_graph_dot(struct context *cx, struct text *out, const struct cin_program *program,
                    const struct tree *tree)
{
    struct graph g = graph_of(cx, program, tree);
    text_add(out, "digraph iteration {\n  root [shape=point];\n");
    for (size_t n = 0; n < g.node.n; n++)
        text_printf(out, "  n%d [label=\"%s\\n%s\"];\n", (int)n, g.node.at[n].label,
                    g.node.at[n].domain);
    for (size_t l = 0; l < g.leaf.n; l++)
        text_printf(out, "  s%d [shape=box, label=\"%s\"];\n", (int)l,
                    cin_text(cx, g.leaf.at[l].assignment));
    for (size_t n = 0; n < g.node.n; n++)
        dot_loop(cx, out, g.node.at[n].parent, arena_printf(cx->arena, "n%d", (int)n));
    for (size_t l = 0; l < g.leaf.n; l++)
        dot_loop(cx, out, g.leaf.at[l].node, arena_printf(cx->arena, "s%d", (int)l));
    for (size_t p = 0; p < g.path.n; p++)
        dot_path(cx, out, &g.path.at[p]);
    dot_relations(cx, out, &g);
    text_add(out, "}\n");
}
