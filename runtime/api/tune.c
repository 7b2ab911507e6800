/* tune.c - finds the fastest on these tensors of the plans that the planner takes for the best.
 *
 * Each is compiled and run once, into a result that is compared with the first plan's.  Then they
 * run in turns (trial.h), and their medians count.  spcc_tune is a sequence of calls of the C API,
 * and its messages are those of the last one.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdlib.h>
#include <string.h>

#include "compiler/base/text.h"
#include "runtime/api/trial.h"
#include "runtime/api/tuned.h"

/* The most plans, and their number if none is given. */
enum { PLANS_MOST = 64, PLANS = 8 };

/* A plan that by the planner takes this many times the steps of its first one may take for ever. */
static const double STEPS_MOST = 10;

/* ---- what is owned ---- */

struct plan {
    char *schedule; /* all directives */
    char *added;    /* those of the planner */
    double steps, ms;
    bool planned;
    struct trial trial;
};

struct tune {
    struct spcc_context *context;
    const char *statement;
    const spcc_compile_options *options;
    const spcc_tune_options *options_of_tune;
    const spcc_binding *bindings;
    int n_bindings;
    struct trial_options o;
    spcc_tune_options how;
    struct plan *plan;
    int n;
    struct spcc_tensor **tensors; /* in the kernels' order */
    struct trials trials;
    char *key, *unkept;
};

static void free_plan(struct plan *plan)
{
    trial_free(&plan->trial);
    free(plan->schedule);
    free(plan->added);
}

static void free_tune(struct tune *t)
{
    trials_free(&t->trials);
    for (int i = 0; i < t->n; i++)
        free_plan(&t->plan[i]);
    free(t->plan);
    free(t->tensors);
    free(t->o.declarations);
    free(t->key);
    free(t->unkept);
}

/* ---- which plans ---- */

static spcc_status check_plans(struct context *cx, struct tune *t)
{
    if (!api_options(cx, "spcc_tune_options", &t->how, sizeof t->how, t->options_of_tune))
        return api_status(cx);
    if (t->how.plans < 0 || t->how.plans > PLANS_MOST || t->how.runs < 0 || t->how.runs > RUNS_MOST)
        return api_error(cx, SPCC_ERROR_ARGUMENT,
                         "spcc_tune_options: there are 1 to %d plans, and 1 to %d runs",
                         (int)PLANS_MOST, (int)RUNS_MOST);
    return trial_options(cx, "spcc_tune", t->options, t->bindings, t->n_bindings, &t->o);
}

static bool note_plan(struct context *cx, struct tune *t, const char *given,
                      const struct plan_alternative *from)
{
    struct plan *plan = &t->plan[t->n++];
    const char *between = given && *given && *from->schedule ? "; " : "";
    *plan = (struct plan){.steps = from->cost, .planned = t->n == 1};
    plan->added = api_strdup(from->schedule);
    plan->schedule =
        api_strdup(arena_printf(cx->arena, "%s%s%s", given ? given : "", between, from->schedule));
    return plan->added && plan->schedule;
}

static spcc_status find_plans(struct spcc_context *api, struct context *cx, void *arguments)
{
    struct tune *t = arguments;
    struct pipeline_request request;
    struct pipeline p;
    struct plan_alternative best[PLANS_MOST];
    spcc_status status = check_plans(cx, t);
    if (status != SPCC_OK)
        return status;
    if (!kernel_request(api, cx, t->statement, &t->o.options, &request))
        return api_status(cx);
    request.weighs = true;
    if (!pipeline_run(cx, &request, STAGE_PLAN, &p))
        return api_status(cx);
    int n = pipeline_best(cx, &request, &p, STEPS_MOST, best, t->how.plans ? t->how.plans : PLANS);
    t->plan = calloc((size_t)n, sizeof *t->plan);
    t->tensors = calloc((size_t)p.tensors, sizeof(struct spcc_tensor *));
    t->key = api_strdup(tuned_key(api, cx, &request));
    bool has_room = t->plan && t->tensors && t->key;
    for (int i = 0; i < n && has_room; i++)
        has_room = note_plan(cx, t, request.schedule, &best[i]);
    return has_room ? SPCC_OK : SPCC_ERROR_MEMORY;
}

/* ---- their kernels ---- */

/* Has a plan before this one the same code? */
static bool is_again(const struct tune *t, int i)
{
    for (int k = 0; k < i; k++)
        if (t->plan[k].trial.kernel
            && t->plan[k].trial.kernel->function[KERNEL_FUSED].code
                   == t->plan[i].trial.kernel->function[KERNEL_FUSED].code)
            return true;
    return false;
}

static spcc_status compile_plan(struct tune *t, struct plan *plan)
{
    spcc_compile_options options = t->o.options;
    options.schedule = plan->schedule;
    options.no_plan = true;
    return trial_compile(t->context, t->statement, &options, &plan->trial, plan->planned);
}

static spcc_status compile_plans(struct tune *t)
{
    spcc_status status = SPCC_OK;
    int kept = 0;
    for (int i = 0; i < t->n && status == SPCC_OK; i++)
        status = compile_plan(t, &t->plan[i]);
    for (int i = 0; i < t->n && status == SPCC_OK; i++) {
        struct plan plan = t->plan[i];
        t->plan[i] = (struct plan){.schedule = NULL};
        t->plan[kept] = plan;
        if (plan.trial.kernel && is_again(t, kept)) {
            t->plan[kept] = (struct plan){.schedule = NULL};
            free_plan(&plan);
        } else {
            kept++;
        }
    }
    if (status == SPCC_OK)
        t->n = kept;
    return status;
}

static spcc_status order_tensors(struct spcc_context *api, struct context *cx, void *arguments)
{
    struct tune *t = arguments;
    return kernel_order_bindings(cx, t->plan[0].trial.kernel, t->bindings, t->n_bindings,
                                 t->tensors);
}

/* ---- their times ---- */

static spcc_status try_plans(struct tune *t)
{
    struct trial *trial[PLANS_MOST];
    for (int i = 0; i < t->n; i++) {
        trial[i] = &t->plan[i].trial;
        trial[i]->tensor = t->tensors;
    }
    spcc_status status = trial_first(&t->trials, trial[0]);
    for (int i = 1; i < t->n && status == SPCC_OK; i++)
        if (!trial[i]->trouble)
            status = trial_compare(&t->trials, trial[i], "the planner's");
    return status == SPCC_OK ? trial_turns(&t->trials, trial, t->n, t->how.runs) : status;
}

static int faster_first(const void *a, const void *b)
{
    const struct plan *p = a, *q = b;
    if (!p->trial.trouble != !q->trial.trouble)
        return p->trial.trouble ? 1 : -1;
    return (p->ms > q->ms) - (p->ms < q->ms);
}

static void order_plans(struct tune *t)
{
    for (int i = 0; i < t->n; i++)
        t->plan[i].ms = trial_median(&t->plan[i].trial);
    qsort(t->plan, (size_t)t->n, sizeof *t->plan, faster_first);
}

/* ---- what comes of it ---- */

/* Returns a sentence for `spcc explain`. */
static const char *describe_tuned(struct context *cx, const struct tune *t)
{
    const struct plan *best = &t->plan[0];
    double planned = best->ms;
    for (int i = 0; i < t->n; i++)
        planned = t->plan[i].planned ? t->plan[i].ms : planned;
    if (t->n == 1)
        return "there was no other plan";
    if (best->planned)
        return arena_printf(cx->arena, "the planner's own is the fastest of %d plans", t->n);
    return arena_printf(cx->arena, "the fastest of %d plans, %.2f times as fast as the planner's",
                        t->n, planned / best->ms);
}

static spcc_status keep_tuned(struct spcc_context *api, struct context *cx, void *arguments)
{
    struct tune *t = arguments;
    const char *trouble = tuned_keep(api, cx, t->key, t->plan[0].added, describe_tuned(cx, t));
    kernel_cache_clear(api);
    t->unkept = api_strdup(trouble);
    return trouble && !t->unkept ? SPCC_ERROR_MEMORY : SPCC_OK;
}

void spcc_tuning_free(spcc_tuning *tuning)
{
    if (!tuning)
        return;
    for (int i = 0; i < tuning->n_plans; i++) {
        free((char *)tuning->plans[i].schedule);
        free((char *)tuning->plans[i].trouble);
    }
    free((spcc_tuned_plan *)tuning->plans);
    free((char *)tuning->unkept);
    free(tuning);
}

/* Makes the user's structure, which takes over the plans' texts; NULL if there is no memory. */
static spcc_tuning *tuning_of(struct tune *t)
{
    spcc_tuning *told = calloc(1, sizeof *told);
    spcc_tuned_plan *plans = calloc((size_t)t->n, sizeof *plans);
    if (!told || !plans) {
        free(told);
        free(plans);
        return NULL;
    }
    for (int i = 0; i < t->n; i++) {
        struct plan *from = &t->plan[i];
        plans[i] = (spcc_tuned_plan){.schedule = from->schedule,
                                     .steps = from->steps,
                                     .ms = from->ms,
                                     .runs = from->trial.runs,
                                     .planned = from->planned,
                                     .trouble = from->trial.trouble};
        from->schedule = from->trial.trouble = NULL;
    }
    *told = (spcc_tuning){.n_plans = t->n, .plans = plans, .unkept = t->unkept};
    t->unkept = NULL;
    return told;
}

spcc_status spcc_tune(spcc_context *context, const char *statement,
                      const spcc_compile_options *options, const spcc_binding *bindings,
                      int n_bindings, const spcc_tune_options *how, spcc_tuning **tuning)
{
    struct tune t = {.context = context,
                     .statement = statement,
                     .options = options,
                     .options_of_tune = how,
                     .bindings = bindings,
                     .n_bindings = n_bindings,
                     .trials = {.context = context}};
    if (!tuning)
        return api_lacks(context, "tuning");
    *tuning = NULL;
    spcc_status status = api_call(context, find_plans, &t);
    if (status == SPCC_OK)
        status = compile_plans(&t);
    if (status == SPCC_OK)
        status = api_call(context, order_tensors, &t);
    if (status == SPCC_OK)
        status = try_plans(&t);
    if (status == SPCC_OK) {
        order_plans(&t);
        status = api_call(context, keep_tuned, &t);
    }
    if (status == SPCC_OK && !(*tuning = tuning_of(&t)))
        status = SPCC_ERROR_MEMORY;
    free_tune(&t);
    return status;
}
