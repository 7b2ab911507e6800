/* laws.c - what holds of every stage of every statement.
 *
 * Text parses back to what it was printed from; rewriting something to itself gives the same
 * pointer; simplifying twice is simplifying once; the planner's schedule, given back to it, makes
 * the same plan.
 *
 * SPDX-License-Identifier: MIT
 */
#include <string.h>

#include "compiler/base/text.h"
#include "compiler/base/vec.h"
#include "compiler/concrete/concrete.h"
#include "tests/support/trial_parts.h"

static void check_dumps(struct trial *t)
{
    for (enum stage stage = STAGE_NOTATION; stage <= STAGE_C; stage++) {
        const char *dump = pipeline_dump(t->cx, &t->pipeline, stage);
        /* there is no lattice without a loop */
        if (!dump || (!*dump && stage != STAGE_LATTICE))
            trial_fail(t, "stage %d has nothing to show", (int)stage);
    }
    size_t before = t->cx->diags.n;
    for (enum picture picture = PICTURE_GRAPH_DOT; picture <= PICTURE_LATTICE_SVG; picture++)
        if (!pipeline_draw(t->cx, &t->pipeline, picture) && t->cx->diags.n == before)
            trial_fail(t, "there is no picture %d, and nobody says why", (int)picture);
    t->cx->diags.n = before; /* too large to be drawn is no fault */
    if (!*pipeline_explain(t->cx, &t->pipeline))
        trial_fail(t, "there is no explanation");
}

static void check_notation(struct trial *t)
{
    struct text text = text_new(t->cx->arena);
    tin_print(&text, t->pipeline.notation);
    if (!tin_parse(t->cx, text.at))
        trial_fail(t, "the checked statement `%s` does not parse\n%s", text.at, diag_render(t->cx));
}

/* ---- concrete notation ---- */

struct names {
    struct context *cx;
    VEC(const struct tensor_var *) tensor;
    VEC(const struct index_var *) var;
};

static bool add_names(const struct cin *cin, void *data)
{
    struct names *names = data;
    bool known = false;
    for (size_t i = 0; cin->kind == CIN_ACCESS && i < names->tensor.n; i++)
        known |= names->tensor.at[i] == cin->tensor;
    if (cin->kind == CIN_ACCESS && !known)
        vec_push(names->cx->arena, &names->tensor, cin->tensor);
    for (int i = 0; i < cin->indices; i++)
        vec_push(names->cx->arena, &names->var, cin->index[i]);
    return false;
}

static void add_environment(struct names *names, const struct cin_program *program)
{
    for (int i = 0; i < program->relations; i++) {
        const struct cin_relation *r = &program->relation[i];
        for (int k = 0; k < 2; k++) {
            if (r->parent[k])
                vec_push(names->cx->arena, &names->var, r->parent[k]);
            if (r->child[k])
                vec_push(names->cx->arena, &names->var, r->child[k]);
        }
        if (r->access)
            cin_any(r->access, add_names, names);
    }
    for (int i = 0; i < program->bounds; i++)
        vec_push(names->cx->arena, &names->var, program->bound[i].var);
}

static bool is_same_relation(const struct cin_relation *a, const struct cin_relation *b)
{
    return a->type == b->type && a->parent[0] == b->parent[0] && a->parent[1] == b->parent[1]
           && a->child[0] == b->child[0] && a->child[1] == b->child[1] && a->size == b->size
           && a->up == b->up && a->access == b->access && a->base == b->base;
}

static bool is_same(const struct cin_program *a, const struct cin_program *b)
{
    bool same = a->statement == b->statement && a->relations == b->relations
                && a->bounds == b->bounds && a->tags == b->tags;
    for (int i = 0; same && i < a->relations; i++)
        same = is_same_relation(&a->relation[i], &b->relation[i]);
    for (int i = 0; same && i < a->bounds; i++)
        same = a->bound[i].var == b->bound[i].var && a->bound[i].kind == b->bound[i].kind
               && a->bound[i].size == b->bound[i].size;
    for (int i = 0; same && i < a->tags; i++)
        same = a->tag[i].var == b->tag[i].var && a->tag[i].kind == b->tag[i].kind
               && a->tag[i].factor == b->tag[i].factor;
    return same;
}

void trial_check_text(struct trial *t, const struct cin_program *program)
{
    struct text text = text_new(t->cx->arena);
    struct names names = {.cx = t->cx};
    struct cin_program read;
    cin_print_program(t->cx, &text, program);
    cin_any(program->statement, add_names, &names);
    add_environment(&names, program);
    struct cin_names known = {names.tensor.at, names.var.at, (int)names.tensor.n, (int)names.var.n};
    if (!cin_parse_program(t->cx, text.at, &known, &read) || !is_same(program, &read))
        trial_fail(t, "concrete notation printed as `%s` does not parse back to itself\n%s",
                   text.at, diag_render(t->cx));
}

static void check_concrete(struct trial *t, const struct cin_program *program)
{
    const char *broken = cin_check(t->cx, program);
    if (broken) {
        trial_fail(t, "concrete notation: %s", broken);
        return;
    }
    const struct cin *s = program->statement;
    if (cin_with_args(t->cx, s, s->arg) != s || cin_replace(t->cx, s, s, s) != s)
        trial_fail(t, "rewriting concrete notation to itself gives another pointer");
    const struct cin *simple = cin_simplify(t->cx, s);
    if (cin_simplify(t->cx, simple) != simple)
        trial_fail(t, "simplifying concrete notation twice gives another pointer");
    trial_check_text(t, program);
}

/* ---- schedules ---- */

/* The plan is a schedule: given as the user's, with nothing added, it makes the same statement. */
static void check_plan(struct trial *t)
{
    struct pipeline_request request = trial_request(t);
    struct pipeline again;
    request.schedule = t->pipeline.plan;
    request.no_plan = true;
    if (!pipeline_run(t->cx, &request, STAGE_PLAN, &again)) {
        trial_fail(t, "the plan `%s` is refused as a schedule:\n%s", t->pipeline.plan,
                   diag_render(t->cx));
        return;
    }
    const char *is = pipeline_dump(t->cx, &again, STAGE_PLAN),
               *was = pipeline_dump(t->cx, &t->pipeline, STAGE_PLAN);
    if (strcmp(is, was) != 0)
        trial_fail(t, "the plan `%s` as a schedule makes `%s`, not `%s`", t->pipeline.plan, is,
                   was);
}

/* ---- imperative IR ---- */

static void check_imperative(struct trial *t, const struct imp_function *function)
{
    const char *broken = imp_check(t->cx, function);
    if (broken)
        trial_fail(t, "imperative IR: %s", broken);
    else if (imp_with_args(t->cx, function->body, function->body->arg) != function->body)
        trial_fail(t, "rewriting imperative IR to itself gives another pointer");
}

/* So many lines may a kernel of what is drawn have, and one with many workspaces and operands so
 * many for each assignment and each operand: code does not explode.  A loop that is unrolled is
 * there as often as was asked for. */
enum { LINES_MOST = 2500, LINES_EACH = 250 };

void trial_check_length(struct trial *t, const struct pipeline *pipeline)
{
    int lines = 0, copies = 1;
    const struct cin *planned = pipeline->planned->statement;
    int each =
        LINES_EACH * (int)(cin_assignments(t->cx, planned).n + cin_operands(t->cx, planned).n);
    for (const char *c = pipeline_dump(t->cx, pipeline, STAGE_C); *c; c++)
        lines += *c == '\n';
    for (int i = 0; i < pipeline->planned->tags; i++)
        if (pipeline->planned->tag[i].kind == TAG_UNROLL)
            copies *= (int)pipeline->planned->tag[i].factor;
    if (lines / copies > t->lines)
        t->lines = lines / copies;
    if (lines / copies > LINES_MOST && lines / copies > each)
        trial_fail(t, "%s: the kernel has %d lines", pipeline->plan, lines);
}

void trial_check_laws(struct trial *t)
{
    check_notation(t);
    check_concrete(t, t->pipeline.concrete);
    check_concrete(t, t->pipeline.planned);
    trial_check_text(t, t->pipeline.unfolded);
    check_plan(t);
    check_imperative(t, t->pipeline.imperative);
    check_dumps(t);
    trial_check_length(t, &t->pipeline);
}
