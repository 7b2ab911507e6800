/* pipeline.c - the compiler, top to bottom.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/pipeline.h"

#include "compiler/base/text.h"
#include "compiler/base/vec.h"
#include "compiler/concrete/concrete.h"
#include "compiler/draw/draw.h"
#include "compiler/emit/emit.h"
#include "compiler/lower/lower.h"
#include "compiler/notation/operator.h"
#include "compiler/registry.h"
#include "compiler/schedule.h"
#include "compiler/tree/tree.h"
#include "schedules/schedules.h"

/* ---- the stages ---- */

static void add_tensors(const struct tin *tin, const struct tensor_var **tensor, int *tensors)
{
    if (tin->kind == TIN_ACCESS) {
        tensor[tin->tensor->rank] = tin->tensor;
        *tensors = tin->tensor->rank >= *tensors ? tin->tensor->rank + 1 : *tensors;
    }
    for (int i = 0; i < tin->args; i++)
        add_tensors(tin->arg[i], tensor, tensors);
}

static int count_nodes(const struct tin *tin)
{
    int n = 1;
    for (int i = 0; i < tin->args; i++)
        n += count_nodes(tin->arg[i]);
    return n;
}

/* The statement's tensors, by rank. */
static const struct tensor_var *const *collect_tensors(struct context *cx, const struct tin *statement, int *tensors)
{
    const struct tensor_var **tensor = arena_array(cx->arena, const struct tensor_var *, count_nodes(statement));
    *tensors = 0;
    add_tensors(statement, tensor, tensors);
    return tensor;
}

/* The directives of the user, then those that the planner adds. */
static const struct cin_program *schedule(struct context *cx, const struct pipeline_request *request,
                                          const struct cin_program *program, const char **plan,
                                          struct plan_report *report)
{
    const char *given = request->schedule ? request->schedule : "";
    program = schedule_apply(cx, registry_schedules, program, given);
    if (!program || request->no_plan) {
        *plan = given;
        return program;
    }
    const char *added = plan_schedule(cx, program, report);
    *plan = !*added ? given : !*given ? added : arena_printf(cx->arena, "%s; %s", given, added);
    return schedule_apply(cx, registry_schedules, program, added);
}

static const char *kernel_default_name(enum kernel_kind kind)
{
    switch (kind) {
    case KERNEL_FUSED:
        return "evaluate";
    case KERNEL_ASSEMBLE:
        return "assemble";
    case KERNEL_COMPUTE:
        return "compute";
    }
    return "evaluate";
}

static struct lower_request lowering(struct context *cx, const struct pipeline *p, const struct pipeline_request *request)
{
    struct lower_request lr = {.tree = p->tree, .notation = p->parsed, .checked = p->computed};
    lr.tensor = collect_tensors(cx, p->computed, &lr.tensors);
    lr.name = request->name ? request->name : kernel_default_name(request->kind);
    lr.assembles = request->kind != KERNEL_COMPUTE;
    lr.computes = request->kind != KERNEL_ASSEMBLE;
    lr.coordinates = request->declared.defaults.crd;
    return lr;
}

static const struct imp_function *improve(struct context *cx, const struct pipeline_request *request,
                                          const struct imp_function *f)
{
    const char *broken = imp_check(cx, f);
    if (broken)
        context_bug(cx, "after lowering: %s", broken);
    f = imp_simplify(cx, f);
    if (!request->plain) {
        f = imp_simplify(cx, imp_hoist(cx, f));
        f = imp_simplify(cx, imp_vectorize(cx, f, request->vector_bytes));
    }
    broken = imp_check(cx, f);
    if (broken)
        context_bug(cx, "after simplification: %s", broken);
    return f;
}

/* ---- the head comment ---- */

/* In single quotes for a POSIX shell. */
static void quote(struct text *out, const char *s)
{
    text_add(out, " '");
    for (; *s; s++)
        text_addn(out, *s == '\'' ? "'\\''" : s, *s == '\'' ? 4 : 1);
    text_add(out, "'");
}

static void quote_declarations(struct text *out, const struct pipeline_request *request)
{
    const struct tin_declarations *d = &request->declared;
    for (int i = 0; i < d->tensors; i++) {
        const struct tin_declaration *t = &d->tensor[i];
        const char *option[] = {"-f", "-t", "--fill"}, *value[] = {t->format, t->type, t->fill};
        for (int j = 0; j < 3; j++) {
            if (!value[j])
                continue;
            text_printf(out, " %s", option[j]);
            quote(out, arena_printf(out->arena, "%s:%s", t->name, value[j]));
        }
    }
    for (int i = 0; i < request->n_operators; i++) {
        text_add(out, " --op");
        quote(out, request->operators[i]);
    }
    for (int i = 0; i < d->sizes; i++)
        text_printf(out, " -d %s:%lld", d->size[i].var, (long long)d->size[i].size);
}

static const char *reproduce(struct context *cx, const struct pipeline_request *request)
{
    static const char *const kind[] = {NULL, "assemble", "compute"};
    struct text out = text_new(cx->arena);
    text_add(&out, "spcc");
    quote(&out, request->expression);
    quote_declarations(&out, request);
    if (request->schedule && *request->schedule) {
        text_add(&out, " -s");
        quote(&out, request->schedule);
    }
    if (kind[request->kind])
        text_printf(&out, " --kernel=%s", kind[request->kind]);
    if (request->name)
        text_printf(&out, " --name=%s", request->name);
    if (request->declared.defaults.crd == TYPE_I64)
        text_add(&out, " --index=64");
    if (request->vector_bytes == 64 && !request->plain)
        text_add(&out, " --vector=512");
    if (request->plain)
        text_add(&out, " --plain");
    if (request->no_plan)
        text_add(&out, " --no-plan");
    return out.at;
}

/* A comment must not end inside what it quotes. */
static const char *comment_line(struct context *cx, const char *label, const char *s)
{
    struct text out = text_new(cx->arena);
    text_add(&out, label);
    for (; *s; s++) {
        text_addn(&out, *s == '\n' || *s == '\r' ? " " : s, 1);
        if ((s[0] == '*' && s[1] == '/') || (s[0] == '/' && s[1] == '*'))
            text_add(&out, " ");
    }
    return out.at;
}

static const char *const *head(struct context *cx, const struct pipeline_request *request, const struct pipeline *p)
{
    VEC(const char *) line = {0};
    vec_push(cx->arena, &line, comment_line(cx, "", request->expression));
    for (int i = 0; i < p->tensors; i++) {
        const struct tensor_var *t = p->tensor[i];
        char fill[64];
        value_print(t->fill, fill, sizeof fill);
        struct text out = text_new(cx->arena);
        text_printf(&out, "    %-8s %-5s ", t->name, type_name(t->type));
        format_print(&out, t->format, request->declared.defaults);
        if (!value_is_zero(t->fill))
            text_printf(&out, ", fill %s", fill);
        vec_push(cx->arena, &line, comment_line(cx, "", out.at));
    }
    for (int i = 0; i < request->n_operators; i++)
        vec_push(cx->arena, &line, comment_line(cx, "operator: ", request->operators[i]));
    if (*p->plan)
        vec_push(cx->arena, &line, comment_line(cx, "schedule: ", p->plan));
    vec_push(cx->arena, &line, "made by spcc " SPCC_VERSION " with");
    const char *command = request->command ? request->command : reproduce(cx, request);
    vec_push(cx->arena, &line, comment_line(cx, "    ", command));
    vec_push(cx->arena, &line, NULL);
    return line.at;
}

static void emit(struct context *cx, const struct pipeline_request *request, struct pipeline *p)
{
    struct emit_options options = {.head = request->for_jit ? NULL : head(cx, request, p), .for_jit = request->for_jit,
                                   .iso = request->plain};
    struct emitted emitted = emit_c_and_header(cx, p->imperative, &options);
    p->c = emitted.c;
    p->header = emitted.header;
}

bool pipeline_run(struct context *cx, const struct pipeline_request *request, enum stage last, struct pipeline *out)
{
    struct pipeline p = {0};
    struct pipeline_request r = *request;
    if (r.declared.defaults.crd == TYPE_BOOL) /* zero: the default */
        r.declared.defaults = (struct format_defaults){TYPE_I32, TYPE_I32};
    cx->levels = registry_levels;
    cx->trees = NULL; /* of other operators, perhaps */
    *out = p;
    arena_allow(cx->arena, PIPELINE_STEPS, PIPELINE_BYTES);

    cx->operators = NULL;
    for (int i = 0; i < r.n_operators; i++)
        if (!operator_declare(cx, r.operators[i]))
            return false;
    p.parsed = tin_parse(cx, r.expression);
    p.notation = p.parsed ? tin_check(cx, p.parsed, &r.declared) : NULL;
    if (!p.notation)
        return false;
    p.tensor = collect_tensors(cx, p.notation, &p.tensors);
    p.computed = tin_accumulate(cx, p.notation, p.tensors);
    *out = p;
    if (last >= STAGE_CONCRETE) {
        p.concrete = cin_concretize(cx, p.computed);
        const char *broken = cin_check(cx, p.concrete);
        if (broken)
            context_bug(cx, "after concretization: %s", broken);
        if (!cin_check_depth(cx, p.concrete->statement, p.parsed->span))
            return false;
    }
    if (last >= STAGE_PLAN) {
        p.planned = schedule(cx, &r, p.concrete, &p.plan, &p.weighed);
        p.unfolded = p.planned ? cin_unfold(cx, p.planned) : NULL;
        if (!p.unfolded)
            return false;
        p.tree = tree_build(cx, p.unfolded);
        if (p.tree->trouble) {
            tree_report(cx, p.tree, p.parsed);
            return false;
        }
    }
    if (last >= STAGE_IMPERATIVE) {
        struct lower_request lr = lowering(cx, &p, &r);
        const struct imp_function *lowered = lower(cx, &lr);
        if (!lowered)
            return false;
        p.imperative = improve(cx, &r, lowered);
    }
    if (last >= STAGE_C)
        emit(cx, &r, &p);
    arena_allow(cx->arena, 0, 0);
    *out = p;
    return true;
}

/* ---- dumps ---- */

struct lattice_list { const struct lattice **at; size_t n, capacity; };

static void add_lattices(struct context *cx, struct lattice_list *list, const struct tree_node *node)
{
    if (node->lattice) {
        vec_push(cx->arena, list, node->lattice);
        add_lattices(cx, list, node->whole);
        return;
    }
    for (int i = 0; i < node->children; i++)
        add_lattices(cx, list, node->child[i]);
}

/* Every forall's lattice, in the order of the loops, for the regions where all operands are present. */
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
    case STAGE_NOTATION:
        tin_print(&out, p->notation);
        break;
    case STAGE_CONCRETE:
        cin_print_program(cx, &out, p->concrete);
        break;
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
    case STAGE_IMPERATIVE:
        imp_print(&out, p->imperative);
        return out.at;
    case STAGE_C:
        return p->c;
    }
    text_add(&out, "\n");
    return out.at;
}

static void draw_lattices_dot(struct context *cx, struct text *out, const struct lattice_list *lattices)
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
    case PICTURE_GRAPH_DOT: draw_graph_dot(cx, &out, p->unfolded); break;
    case PICTURE_GRAPH_SVG: is_drawn = draw_graph_svg(cx, &out, p->unfolded); break;
    case PICTURE_LATTICE_DOT: draw_lattices_dot(cx, &out, &lattices); break;
    case PICTURE_LATTICE_SVG: is_drawn = draw_lattices_svg(cx, &out, lattices.at, (int)lattices.n); break;
    }
    return is_drawn ? out.at : NULL;
}

static void explain_formats(struct text *out, const struct pipeline *p)
{
    for (int i = 0; i < p->tensors; i++) {
        const struct tensor_var *t = p->tensor[i];
        text_printf(out, "  %s %s%s:", type_name(t->type), t->name, i ? "" : " (the result)");
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

/* The path that each access takes through the loops (thesis 3.2). */
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
            text_printf(out, "%s%s", level ? " -> " : ": ", access_level_var(read.at[i], level)->name);
        text_add(out, "\n");
    }
}

const char *pipeline_explain(struct context *cx, const struct pipeline *p)
{
    struct text out = text_new(cx->arena);
    text_add(&out, "tensor index notation, every sum explicit\n  ");
    text_add(&out, pipeline_dump(cx, p, STAGE_NOTATION));
    text_add(&out, "\nformats: levels from the root down\n");
    explain_formats(&out, p);
    text_add(&out, "\nconcrete index notation\n  ");
    text_add(&out, pipeline_dump(cx, p, STAGE_CONCRETE));
    text_printf(&out, "\nplan: %s\n  ", *p->plan ? p->plan : "the loops stay in this order");
    cin_print_program(cx, &out, p->unfolded);
    if (p->weighed.reasons && *p->weighed.reasons)
        text_printf(&out, "\n\nweighed, in steps of a simple loop with 1e5 for sizes that are not known; * was taken\n%s",
                    p->weighed.reasons);
    else
        text_add(&out, "\n");
    text_add(&out, "\niteration graph: the paths of the operands through the loops\n");
    explain_graph(cx, &out, p->unfolded);
    text_add(&out, "\niteration lattices, outermost loop first; {} is where nothing is present\n");
    text_add(&out, pipeline_dump(cx, p, STAGE_LATTICE));
    text_add(&out, "\nimperative IR\n");
    text_add(&out, pipeline_dump(cx, p, STAGE_IMPERATIVE));
    return out.at;
}
