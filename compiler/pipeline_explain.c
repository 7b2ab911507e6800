/* pipeline_explain.c - the outcomes of the stages as texts and pictures.
 *
 * SPDX-License-Identifier: MIT
 */
#include <string.h>

#include "compiler/base/text.h"
#include "compiler/base/vec.h"
#include "compiler/concrete/concrete.h"
#include "compiler/draw/draw.h"
#include "compiler/imperative/query.h"
#include "compiler/pipeline.h"
#include "compiler/target.h"
#include "compiler/tree/tree.h"

/* ---- dumps ---- */

struct lattice_list {
    const struct lattice **at;
    size_t n, capacity;
};

static void add_lattices(struct context *cx, struct lattice_list *list,
                         const struct tree_node *node)
{
    if (node->lattice) {
        vec_push(cx->arena, list, node->lattice);
        add_lattices(cx, list, node->whole);
        return;
    }
    for (int i = 0; i < node->children; i++)
        add_lattices(cx, list, node->child[i]);
}

/* Lists every forall's lattice, in the order of the loops, in the regions with all operands
 * present. */
static struct lattice_list list_lattices(struct context *cx, const struct pipeline *p)
{
    struct lattice_list list = {0};
    add_lattices(cx, &list, p->tree->root);
    return list;
}

const char *pipeline_dump(struct context *cx, const struct pipeline *p, enum stage stage)
{
    struct text out = text_new(cx->arena);
    struct lattice_list lattices = {0};
    switch (stage) {
    case STAGE_NOTATION: tin_print(&out, p->notation); break;
    case STAGE_CONCRETE: cin_print_program(cx, &out, p->concrete); break;
    case STAGE_PLAN:
        cin_print_program(cx, &out, p->unfolded);
        if (*p->plan)
            text_printf(&out, "\nschedule: %s", p->plan);
        break;
    case STAGE_LATTICE:
        lattices = list_lattices(cx, p);
        for (size_t i = 0; i < lattices.n; i++)
            lattice_print(cx, &out, lattices.at[i]);
        return out.at;
    case STAGE_IMPERATIVE: imp_print(&out, p->imperative); return out.at;
    case STAGE_C: return p->c;
    case STAGE_HEADER: return p->header;
    }
    text_add(&out, "\n");
    return out.at;
}

static void draw_lattices_dot(struct context *cx, struct text *out,
                              const struct lattice_list *lattices)
{
    text_add(out, "digraph lattices {\n  node [shape=box];\n");
    for (size_t i = 0; i < lattices->n; i++)
        lattice_print_dot(cx, out, lattices->at[i], (int)i);
    text_add(out, "}\n");
}

const char *pipeline_draw(struct context *cx, const struct pipeline *p, enum picture picture)
{
    struct text out = text_new(cx->arena);
    struct lattice_list lattices = list_lattices(cx, p);
    bool is_drawn = true;
    switch (picture) {
    case PICTURE_GRAPH_DOT: draw_graph_dot(cx, &out, p->unfolded, p->tree); break;
    case PICTURE_GRAPH_SVG: is_drawn = draw_graph_svg(cx, &out, p->unfolded, p->tree); break;
    case PICTURE_LATTICE_DOT: draw_lattices_dot(cx, &out, &lattices); break;
    case PICTURE_LATTICE_SVG:
        is_drawn = draw_lattices_svg(cx, &out, lattices.at, (int)lattices.n);
        break;
    }
    return is_drawn ? out.at : NULL;
}

static void explain_formats(struct text *out, const struct pipeline *p)
{
    for (int i = 0; i < p->tensors; i++) {
        const struct tensor_var *t = p->tensor[i];
        text_printf(out, "  %s %s%s:", type_name(t->type), t->name,
                    i < tin_statements(p->notation) ? " (the result)" : "");
        for (int level = 0; level < t->format->levels; level++) {
            const struct level_format *format = &t->format->level[level];
            text_printf(out, "%s %s of ", level ? "," : "", format->type->name);
            if (format->mode >= 0)
                text_printf(out, "mode %d", format->mode + 1);
            else
                format_print_map(out, t->format, level);
        }
        text_add(out, t->format->levels ? "\n" : " a scalar\n");
    }
}

/* Prints the domain of each loop of the statement. */
static void explain_domains(struct context *cx, struct text *out, const struct tree *tree,
                            const struct cin *cin)
{
    if (cin->kind == CIN_FORALL)
        text_printf(out, "  %s\n", graph_domain(cx, tree, cin->index[0]));
    for (int i = 0; i < cin->args; i++)
        explain_domains(cx, out, tree, cin->arg[i]);
}

/* Prints each access's path through the loops (thesis 3.2). */
static void explain_graph(struct context *cx, struct text *out, const struct cin_program *program)
{
    struct cin_list read = cin_operands(cx, program->statement);
    for (size_t i = 0; i < read.n; i++) {
        const struct format *format = read.at[i]->tensor->format;
        if (!format->levels)
            continue;
        text_add(out, "  ");
        cin_print(cx, out, read.at[i]);
        for (int level = 0; level < format->levels; level++)
            text_printf(out, "%s%s", level ? " -> " : ": ",
                        access_level_var(read.at[i], level)->name);
        text_add(out, "\n");
    }
}

static void explain_parallel(struct context *cx, struct text *out, const struct tree *tree)
{
    struct text loops = text_new(cx->arena);
    tree_print_parallel(cx, &loops, tree);
    if (loops.n)
        text_printf(out, "\nparallel loops\n%s", loops.at);
}

/* ---- launches ---- */

struct launches {
    struct text *out;
    bool atomic;    /* some values are combined in the order of their arrival, */
    bool unordered; /* and some of these are floats */
};

static bool find_in_launch(const struct imp *imp, void *data)
{
    struct launches *l = data;
    bool updates = imp->kind == IMP_ATOMIC || imp->kind == IMP_UPDATE;
    l->atomic |= updates;
    /* an update without an operator finds a place */
    l->unordered |= updates && imp->op != OP_NONE && !op_idempotent(imp->op)
                    && (type_is_float(imp->var->type) || type_is_complex(imp->var->type));
    return false;
}

static bool print_launch(const struct imp *imp, void *data)
{
    struct launches *l = data;
    if (imp_launches(imp))
        imp_any(imp->function->body, print_launch, data);
    if (imp->kind != IMP_LAUNCH)
        return false;
    imp_any(imp->arg[2], find_in_launch, l);
    text_printf(l->out, "  a launch of blocks of %lld threads, which share %lld bytes\n",
                (long long)imp->n, (long long)imp_shared_bytes(imp->arg[2]));
    return false;
}

/* Says what runs on the GPU, and whether sums depend on the order of threads. */
static void explain_launches(struct text *out, const struct pipeline *p)
{
    struct launches launches = {.out = out};
    text_add(out, "\nlaunches\n");
    if (p->shared && *p->shared)
        text_printf(out, "  %s\n", p->shared);
    imp_any(p->imperative->body, print_launch, &launches);
    text_add(out, launches.unordered ? "  updates of floats are atomic, in no order: bits differ\n"
                  : launches.atomic  ? "  updates are atomic, and give the same in any order\n"
                                     : "  the order of sums is fixed: the same bits each time\n");
    if (p->consented)
        text_printf(out, "  this schedule adds up as threads come, and bits differ: %s\n",
                    p->consented);
}

/* Names the helpers that the kernel calls; their text would say nothing of the statement. */
static void explain_helpers(struct text *out, const struct imp_function *kernel)
{
    for (int i = 0; i < kernel->helpers; i++)
        text_printf(out, "%s%s", i ? ", " : "helper functions, shown by the stage 'imperative': ",
                    kernel->helper_at[i]->name);
    if (kernel->helpers)
        text_add(out, "\n");
}

/* Prints the notation from which loops are made, if it is not as written. */
static void explain_normal(struct text *out, const struct pipeline *p)
{
    if (tin_equal(p->notation, p->computed))
        return;
    text_add(out, "\nnormal form\n  ");
    tin_print(out, p->computed);
    text_add(out, "\n");
}

const char *pipeline_explain(struct context *cx, const struct pipeline *p)
{
    struct text out = text_new(cx->arena);
    text_add(&out, "tensor index notation, every sum explicit\n  ");
    text_add(&out, pipeline_dump(cx, p, STAGE_NOTATION));
    explain_normal(&out, p);
    if (*p->parts.said)
        text_printf(&out, "\nparts\n%s", p->parts.said);
    text_add(&out, "\nformats: levels from the root down\n");
    explain_formats(&out, p);
    text_add(&out, "\nconcrete index notation\n  ");
    text_add(&out, pipeline_dump(cx, p, STAGE_CONCRETE));
    text_printf(&out, "\nplan: %s\n", *p->plan ? p->plan : "the loops stay in this order");
    if (strcmp(target_of(cx)->name, TARGET_GENERIC->name) != 0)
        text_printf(&out, "target: %s, %s\n", target_of(cx)->name, target_of(cx)->what);
    if (p->tuning)
        text_printf(&out, "tuned: %s\n", p->tuning);
    text_add(&out, "  ");
    cin_print_program(cx, &out, p->unfolded);
    if (p->weighed.reasons.n > 0)
        text_printf(&out,
                    "\n\nalternatives, their costs in steps of a simple loop (unknown sizes count "
                    "as 1e5) and as orders; * is chosen\n%s",
                    p->weighed.reasons.at);
    else
        text_add(&out, "\n");
    text_add(&out, "\niteration graph: the range of each loop, and the paths of the operands "
                   "through the loops\n");
    explain_domains(cx, &out, p->tree, p->unfolded->statement);
    explain_graph(cx, &out, p->unfolded);
    text_add(&out,
             "\niteration lattices, outermost loop first; {} means that no operand is present\n");
    text_add(&out, pipeline_dump(cx, p, STAGE_LATTICE));
    explain_parallel(cx, &out, p->tree);
    if (cx->cuda)
        explain_launches(&out, p);
    text_add(&out, "\nimperative IR\n");
    explain_helpers(&out, p->imperative);
    imp_print_alone(&out, p->imperative);
    return out.at;
}
