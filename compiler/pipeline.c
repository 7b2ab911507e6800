/* pipeline.c - the compiler, top to bottom.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/pipeline.h"
#include "compiler/optimize/pass.h"

#include <math.h>

#include "compiler/base/text.h"
#include "compiler/concrete/concrete.h"
#include "compiler/emit/emit.h"
#include "compiler/lower/lower.h"
#include "compiler/notation/operator.h"
#include "compiler/plan/plan.h"
#include "compiler/registry.h"
#include "compiler/schedule.h"
#include "compiler/target.h"
#include "compiler/tree/tree.h"

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

/* Collects the statement's tensors, by rank. */
static const struct tensor_var *const *collect_tensors(struct context *cx,
                                                       const struct tin *statement, int *tensors)
{
    const struct tensor_var **tensor =
        arena_array(cx->arena, const struct tensor_var *, count_nodes(statement));
    *tensors = 0;
    add_tensors(statement, tensor, tensors);
    return tensor;
}

static const char *join_schedules(struct context *cx, const char *first, const char *second)
{
    return !*second ? first : !*first ? second : arena_printf(cx->arena, "%s; %s", first, second);
}

/* Returns the schedule without separators at its end. */
static const char *without_end(struct context *cx, const char *schedule)
{
    size_t length = strlen(schedule);
    while (length > 0 && strchr("; \t\n", schedule[length - 1]))
        length--;
    return arena_printf(cx->arena, "%.*s", (int)length, schedule);
}

/* Should no loop become parallel by itself?  Code as in textbooks runs on one thread. */
static bool is_serial(const struct pipeline_request *request)
{
    return request->serial || request->plain;
}

/* Adds the directives that divide loops among threads. */
static struct plan_result share_out(struct context *cx, const struct cin_program *program,
                                    struct pipeline *p)
{
    struct text shared = text_new(cx->arena);
    struct plan_result plan =
        cx->cuda ? plan_gpu(cx, program, &shared) : plan_parallel(cx, program);
    p->shared = shared.at;
    return plan;
}

/* Makes the program for this kind of kernel. */
static const struct cin_program *with_kind(struct context *cx, const struct cin_program *program,
                                           enum kernel_kind kind)
{
    struct cin_program *of = arena_copy(cx->arena, program, sizeof *program);
    of->is_given = kind == KERNEL_COMPUTE;
    return of;
}

/* Applies the user's directives, then those that the planner adds. */
static const struct cin_program *schedule(struct context *cx,
                                          const struct pipeline_request *request,
                                          const struct cin_program *program, struct pipeline *p)
{
    const char *given = without_end(cx, request->schedule ? request->schedule : "");
    program = schedule_apply(cx, registry_schedules, with_kind(cx, program, request->kind), given);
    p->plan = given;
    if (!program || request->no_plan)
        return program && request->kind == KERNEL_COMPUTE ? plan_given(cx, program) : program;
    p->is_tuned = request->tuned && plan_fits(cx, program, request->tuned);
    p->tuning = p->is_tuned ? request->tuning : NULL;
    struct plan_result plan = {request->tuned, NULL, 0, NULL};
    if (p->is_tuned)
        plan.program = schedule_apply(cx, registry_schedules, program, request->tuned);
    else
        plan =
            plan_algebra(cx, program, request->distributes, request->weighs ? &p->weighed : NULL);
    p->distributed_times = plan.times;
    p->plan = join_schedules(cx, given, plan.schedule);
    program = plan.program;
    if (program && request->kind == KERNEL_COMPUTE)
        program = plan_given(cx, program);
    if (!program || is_serial(request) || p->is_tuned)
        return program;
    plan = share_out(cx, program, p);
    p->consented = plan.consented ? join_schedules(cx, p->plan, plan.consented) : NULL;
    p->plan = join_schedules(cx, p->plan, plan.schedule);
    return plan.program;
}

static const char *kernel_default_name(enum kernel_kind kind)
{
    switch (kind) {
    case KERNEL_FUSED: return "evaluate";
    case KERNEL_ASSEMBLE: return "assemble";
    case KERNEL_COMPUTE: return "compute";
    }
    return "evaluate";
}

static struct lower_request lowering(struct context *cx, const struct pipeline *p,
                                     const struct pipeline_request *request)
{
    struct lower_request lr = {.tree = p->tree, .notation = p->parsed, .checked = p->computed};
    lr.tensor = collect_tensors(cx, p->computed, &lr.tensors);
    lr.name = request->name ? request->name : kernel_default_name(request->kind);
    lr.computes = request->kind != KERNEL_ASSEMBLE;
    lr.plain = request->plain;
    lr.coordinates = request->declared.defaults.crd;
    lr.unshared = p->shared;
    lr.consented = p->consented;
    return lr;
}

static struct pass_options optimization(struct context *cx, struct pipeline *p,
                                        const struct pipeline_request *request)
{
    p->pass = arena_array(cx->arena, struct pass_step, passes_count);
    return (struct pass_options){.stops = request->for_jit,
                                 .plain = request->plain,
                                 .without = request->without,
                                 .checked = request->check_passes,
                                 .step = p->pass,
                                 .steps = &p->passes};
}

static bool emit(struct context *cx, const struct pipeline_request *request, bool with_header,
                 struct pipeline *p)
{
    const char *const *head = request->for_jit ? NULL : pipeline_head(cx, request, p);
    struct emit_options options = {.head = head,
                                   .others = request->others,
                                   .in_range = !cin_may_overflow(cx, p->planned->statement),
                                   .for_jit = request->for_jit,
                                   .iso = request->plain,
                                   .cuda = request->cuda};
    p->c = emit_c(cx, p->imperative, &options, with_header ? &p->header : NULL);
    return p->c != NULL;
}

/* Only a kernel of one result computes pattern and values apart, and only if the statement makes a
 * pattern at all. */
static bool check_kind(struct context *cx, const struct pipeline *p, enum kernel_kind kind)
{
    const struct tin *first = tin_statement(p->notation, 0);
    bool several = tin_statements(p->parsed) > 1;
    if (kind == KERNEL_ASSEMBLE && tin_is_kept(first->arg[1])) {
        struct diag *diag =
            diag_error(cx, DIAG_RESULT, first->arg[1]->span,
                       "values say what is kept, so there is no pattern to assemble "
                       "without them");
        diag_help(cx, diag, "use one kernel");
        return false;
    }
    if (kind == KERNEL_FUSED || !(several || tensor_var_is_updated(first->arg[0]->tensor)))
        return true;
    struct diag *diag = several
                            ? diag_error(cx, DIAG_RESULT, tin_statement(p->parsed, 1)->span,
                                         "several statements are assembled and computed at once")
                            : diag_error(cx, DIAG_RESULT, p->parsed->span,
                                         "%s is updated in place: there is nothing to assemble",
                                         first->arg[0]->tensor->name);
    diag_help(cx, diag, several ? "compile each by itself" : "use one kernel");
    return false;
}

/* Does nothing of a kernel for a GPU run on the GPU? */
static bool is_apart(struct context *cx, const struct pipeline *p)
{
    const struct cin_program *program = p->tree->program;
    return cx->cuda && !cin_gpu(program, program->statement);
}

/* Returns NULL after a diagnostic. */
static const struct imp_function *lowered(struct context *cx, const struct pipeline_request *r,
                                          const struct pipeline *p)
{
    /* without a loop on the GPU there is no loop at all, and then no result may be assembled */
    for (int i = 0; i < p->tree->results && is_apart(cx, p); i++)
        if (tree_is_assembled(p->tree->of[i])) {
            tree_refuse_assembled(cx, p->parsed->span, "", p->tree->of[i]);
            return NULL;
        }
    struct lower_request request = lowering(cx, p, r);
    return lower(cx, &request);
}

/* Weighs the plan with this choice of copies of the tensors that are stored several times. */
static struct plan_weight weigh_alternative(struct context *cx, const struct pipeline_request *r,
                                            const struct pipeline *p, int alternative)
{
    const size_t said = cx->diags.n;
    struct tin_parted parts;
    const struct tin *notation = tin_part(cx, p->checked, &r->declared, alternative, &parts);
    int tensors;
    collect_tensors(cx, notation, &tensors);
    notation = tin_normal(cx, tin_accumulate(cx, notation, tensors, r->plain));
    const struct cin_program *program = schedule_apply(
        cx, registry_schedules, cin_concretize(cx, notation), r->schedule ? r->schedule : "");
    struct plan_weight weight = {INFINITY, 0};
    if (program)
        weight = plan_weigh(cx, program);
    cx->diags.n = said;
    return weight;
}

/* Replaces operands by their parts, and tensors that are stored several times by the copies with
 * the cheapest plan.  false after a diagnostic: a statement that merges parts needs a plan or a
 * schedule. */
static bool take_apart(struct context *cx, const struct pipeline_request *r, struct pipeline *p)
{
    int n = tin_alternatives(cx, p->checked), best = 0;
    struct plan_weight least = {INFINITY, 0};
    for (int k = 0; k < n && n > 1 && !r->no_plan; k++) {
        struct plan_weight weight = weigh_alternative(cx, r, p, k);
        if (k > 0 && !plan_weighs_less(weight, least))
            continue;
        best = k;
        least = weight;
    }
    p->notation = tin_part(cx, p->checked, &r->declared, best, &p->parts);
    bool refused = p->parts.merging && r->no_plan && !r->schedule;
    if (refused)
        tin_refuse_merging(cx, &p->parts);
    return !refused;
}

bool pipeline_run(struct context *cx, const struct pipeline_request *request, enum stage last,
                  struct pipeline *out)
{
    struct pipeline p = {0};
    struct pipeline_request r = *request;
    if (r.declared.defaults.crd == TYPE_BOOL) /* zero means the default */
        r.declared.defaults = (struct format_defaults){TYPE_I32, TYPE_I32};
    cx->levels = registry_levels;
    cx->cuda = r.cuda;
    cx->blas = r.blas != NULL;
    cx->target = r.target ? r.target : TARGET_GENERIC;
    if (r.vector_bytes)
        cx->target = target_with_vectors(cx, cx->target, r.vector_bytes);
    cx->simple = cx->trees = cx->plans = (struct table){0}; /* their operators may differ */
    *out = p;
    arena_allow(cx->arena, PIPELINE_STEPS, PIPELINE_BYTES);

    cx->operators = NULL;
    for (int i = 0; i < r.n_operators; i++)
        if (!operator_declare(cx, r.operators[i]))
            return false;
    p.parsed = tin_parse(cx, r.expression);
    p.parsed = p.parsed ? tin_count(cx, p.parsed, &r.declared) : NULL;
    p.checked = p.parsed ? tin_check(cx, p.parsed, &r.declared) : NULL;
    if (!p.checked || !take_apart(cx, &r, &p) || !check_kind(cx, &p, r.kind))
        return false;
    p.tensor = collect_tensors(cx, p.notation, &p.tensors);
    p.computed = tin_accumulate(cx, p.notation, p.tensors, r.plain);
    *out = p;
    if (!r.plain)
        p.computed = tin_normal(cx, p.computed);
    if (last >= STAGE_CONCRETE) {
        p.concrete = cin_concretize(cx, p.computed);
        const char *broken = cin_check(cx, p.concrete);
        if (broken)
            context_bug(cx, "after concretization: %s", broken);
        if (!cin_check_depth(cx, p.concrete->statement, p.parsed->span))
            return false;
    }
    if (last >= STAGE_PLAN) {
        p.planned = schedule(cx, &r, p.concrete, &p);
        p.planned = p.planned ? plan_updates(cx, p.planned) : NULL;
        p.unfolded = p.planned ? cin_unfold(cx, p.planned) : NULL;
        if (!p.unfolded)
            return false;
        p.tree = tree_build(cx, p.unfolded);
        if (p.tree->infeasible) {
            bool may_plan = r.no_plan && r.kind != KERNEL_COMPUTE;
            tree_report(cx, p.tree, p.parsed, may_plan ? plan_remedy(cx, p.planned) : "");
            return false;
        }
        if (!tree_check_parallel(cx, p.tree))
            return false;
        /* a plan that puts nothing on the GPU is reported, too: lowering finds what is copied */
        bool shared_out = !r.no_plan && !is_serial(&r) && is_apart(cx, &p);
        if (last == STAGE_PLAN && shared_out && !lowered(cx, &r, &p))
            return false;
    }
    if (last >= STAGE_IMPERATIVE) {
        const struct imp_function *made = lowered(cx, &r, &p);
        struct pass_options options = optimization(cx, &p, &r);
        p.imperative = made ? imp_optimize(cx, made, &options) : NULL;
        if (!p.imperative)
            return false;
    }
    if (last >= STAGE_C && !emit(cx, &r, last == STAGE_HEADER, &p))
        return false;
    arena_allow(cx->arena, 0, 0);
    *out = p;
    return true;
}

int pipeline_best(struct context *cx, const struct pipeline_request *request,
                  const struct pipeline *p, double most, struct plan_alternative *best, int n)
{
    const struct cin_program *program = schedule_apply(cx, registry_schedules, p->concrete,
                                                       request->schedule ? request->schedule : "");
    struct plan_alternative *serial = arena_array(cx->arena, struct plan_alternative, n);
    int found = plan_best(cx, program, &p->weighed, most, serial, n), made = 0;
    for (int i = 0; i < found && made < n; i++) {
        const char *schedule = serial[i].schedule;
        const char *parallel =
            is_serial(request) ? "" : plan_parallel(cx, serial[i].program).schedule;
        best[made++] = (struct plan_alternative){.schedule = join_schedules(cx, schedule, parallel),
                                                 .cost = serial[i].cost};
        if (i == 0 && *parallel && made < n)
            best[made++] = serial[i];
    }
    return made;
}
