/* tune.c - which of the plans that the planner holds for the best is the fastest on these tensors?
 *
 * Each is compiled and run once, into a result that is compared with the first plan's.  Then they
 * run in turns, so that what disturbs the machine disturbs them all, and their medians count.
 * spcc_tune is a sequence of calls of the C API, and its messages are those of the last one.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdlib.h>
#include <string.h>

#include "compiler/base/text.h"
#include "runtime/api/kernel.h"
#include "runtime/api/tensor.h"
#include "runtime/api/tuned.h"
#include "runtime/tensor/alloc.h"
#include "runtime/tensor/compare.h"

/* Plans at most, and where nobody says how many. */
enum { PLANS_MOST = 64, PLANS = 8 };
/* Runs of each: at most; and where nobody says how many. */
enum { RUNS_MOST = 1000, RUNS_LEAST = 3, RUNS = 25 };

/* A plan that the planner reckons with so many times the steps of its own may take for ever. */
static const double STEPS_MOST = 10;

/* One that takes so many times as long as another is out of the question. */
static const double SLOW = 2;

/* All turns together, about, where nobody says how many. */
static const double TURNS_MS = 3000;

/* ---- what is owned ---- */

struct plan {
    char *schedule;           /* all directives, */
    char *added;              /* and the planner's of them */
    char *trouble;            /* NULL: none */
    double steps, *ms, least; /* of its runs, once they are sorted the median is ms[0] */
    int runs;
    bool planned;
    struct spcc_kernel *kernel;
};

/* Results to run into. */
struct results {
    struct spcc_tensor *tensor[TIN_RESULTS_MAX];
    void *values[TIN_RESULTS_MAX]; /* that they borrow; NULL: they have their own */
};

struct tune {
    struct spcc_context *context;
    const char *statement;
    const spcc_compile_options *options;
    const spcc_tune_options *options_of_tune;
    const spcc_binding *bindings;
    int n_bindings;
    spcc_compile_options o; /* with a declaration for every binding */
    spcc_declaration *declarations;
    spcc_tune_options how;
    struct plan *plan;
    int n;
    struct spcc_tensor **tensors; /* in the kernels' order */
    struct results first, other;
    char *key, *unkept;
};

static void free_results(struct results *results)
{
    for (int r = 0; r < TIN_RESULTS_MAX; r++) {
        spcc_tensor_free(results->tensor[r]);
        free(results->values[r]);
    }
    *results = (struct results){{NULL}, {NULL}};
}

static void free_plan(struct plan *plan)
{
    spcc_kernel_free(plan->kernel);
    free(plan->schedule);
    free(plan->added);
    free(plan->trouble);
    free(plan->ms);
}

static void free_tune(struct tune *t)
{
    free_results(&t->first);
    free_results(&t->other);
    for (int i = 0; i < t->n; i++)
        free_plan(&t->plan[i]);
    free(t->plan);
    free(t->tensors);
    free(t->declarations);
    free(t->key);
    free(t->unkept);
}

/* ---- which plans ---- */

static bool is_declared(const struct tune *t, const char *name)
{
    for (int i = 0; i < t->o.n_declarations; i++)
        if (t->declarations[i].name && strcmp(t->declarations[i].name, name) == 0)
            return true;
    return false;
}

/* The options that every plan is compiled with, but for the schedule. */
static spcc_status complete_options(struct context *cx, struct tune *t)
{
    int given = t->o.n_declarations;
    t->declarations = calloc((size_t)(given + t->n_bindings) + 1, sizeof *t->declarations);
    if (!t->declarations)
        return SPCC_ERROR_MEMORY;
    if (given)
        memcpy(t->declarations, t->o.declarations, (size_t)given * sizeof *t->declarations);
    for (int i = 0; i < t->n_bindings; i++)
        if (!is_declared(t, t->bindings[i].name))
            t->declarations[t->o.n_declarations++] =
                (spcc_declaration){.name = t->bindings[i].name, .tensor = t->bindings[i].tensor};
    t->o.size = sizeof t->o;
    t->o.declarations = t->declarations;
    t->o.plan_for_tensors = true;
    t->o.untuned = true;
    if (t->o.kind != SPCC_FUSED || t->o.no_plan)
        return api_error(cx, SPCC_ERROR_ARGUMENT,
                         "spcc_tune: the options %s, and then there is nothing to tune",
                         t->o.no_plan ? "leave nothing to the planner" : "ask for another kind");
    return SPCC_OK;
}

static spcc_status check(struct context *cx, struct tune *t)
{
    if (!api_options(cx, "spcc_tune_options", &t->how, sizeof t->how, t->options_of_tune)
        || !kernel_options(cx, &t->o, t->options))
        return api_status(cx);
    if (t->how.plans < 0 || t->how.plans > PLANS_MOST || t->how.runs < 0 || t->how.runs > RUNS_MOST)
        return api_error(cx, SPCC_ERROR_ARGUMENT,
                         "spcc_tune_options: there are 1 to %d plans, and 1 to %d runs",
                         (int)PLANS_MOST, (int)RUNS_MOST);
    spcc_status status = kernel_check_bindings(cx, "spcc_tune", t->bindings, t->n_bindings);
    return status == SPCC_OK ? complete_options(cx, t) : status;
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
    plan->ms = calloc(RUNS_MOST, sizeof *plan->ms);
    return plan->added && plan->schedule && plan->ms;
}

static spcc_status find_plans(struct spcc_context *api, struct context *cx, void *arguments)
{
    struct tune *t = arguments;
    struct pipeline_request request;
    struct pipeline p;
    struct plan_alternative best[PLANS_MOST];
    spcc_status status = check(cx, t);
    if (status != SPCC_OK)
        return status;
    if (!kernel_request(api, cx, t->statement, &t->o, &request))
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

struct complaint {
    spcc_status status;
    const char *message;
};

static spcc_status complain(struct spcc_context *api, struct context *cx, void *arguments)
{
    const struct complaint *c = arguments;
    return api_error(cx, c->status, "%s", c->message);
}

static spcc_status fail(struct tune *t, spcc_status status, const char *message)
{
    return api_call(t->context, complain, &(struct complaint){status, message});
}

/* What is wrong with a plan, in the words of the last call. */
static spcc_status give_trouble(struct tune *t, struct plan *plan)
{
    const spcc_diagnostic *first = spcc_diagnostic_get(t->context, 0);
    plan->trouble = api_strdup(first ? first->message : "it cannot be compiled");
    return plan->trouble ? SPCC_OK : SPCC_ERROR_MEMORY;
}

/* Has a plan before this one the same code? */
static bool is_again(const struct tune *t, int i)
{
    for (int k = 0; k < i; k++)
        if (t->plan[k].kernel
            && t->plan[k].kernel->function[KERNEL_FUSED].code
                   == t->plan[i].kernel->function[KERNEL_FUSED].code)
            return true;
    return false;
}

static spcc_status compile_plan(struct tune *t, struct plan *plan)
{
    spcc_compile_options options = t->o;
    options.schedule = plan->schedule;
    options.no_plan = true;
    spcc_status status = spcc_compile(t->context, t->statement, &options, &plan->kernel);
    if (status != SPCC_OK)
        return plan->planned || status == SPCC_ERROR_MEMORY || status == SPCC_STOPPED
                   ? status
                   : give_trouble(t, plan);
    return plan->kernel->info.engine != SPCC_ENGINE_INTERP
               ? SPCC_OK
               : fail(t, SPCC_ERROR_COMPILER,
                      "kernels that are interpreted tell nothing of how fast a plan is");
}

static spcc_status compile_plans(struct tune *t)
{
    spcc_status status = SPCC_OK;
    int kept = 0;
    for (int i = 0; i < t->n && status == SPCC_OK; i++)
        status = compile_plan(t, &t->plan[i]);
    for (int i = 0; i < t->n && status == SPCC_OK; i++) {
        struct plan plan = t->plan[i];
        t->plan[i] = (struct plan){.kernel = NULL};
        t->plan[kept] = plan;
        if (plan.kernel && is_again(t, kept)) {
            t->plan[kept] = (struct plan){.kernel = NULL};
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
    return kernel_order_bindings(cx, t->plan[0].kernel, t->bindings, t->n_bindings, t->tensors);
}

/* ---- results ---- */

/* The result as it is given, to be written: its arrays, and a copy of its values. */
static spcc_status copy_result(struct tune *t, const struct spcc_tensor *from,
                               struct spcc_tensor **tensor, void **values)
{
    spcc_array array[LEVELS_MAX * LEVEL_ARRAYS];
    int n = 0;
    for (int level = 0; level < spcc_tensor_levels(from); level++)
        for (int k = 0; k < LEVEL_ARRAYS; k++)
            if (spcc_tensor_array_name(from, level, k))
                array[n++] = spcc_tensor_array(from, level, k);
    spcc_tensor_options options = {
        .size = sizeof options, .fill = from->fill, .trusted = true, .writable = true};
    size_t size = type_size(from->tensor->type);
    *values = rt_array(from->tensor->nvals, size);
    if (!*values)
        return SPCC_ERROR_MEMORY;
    if (from->tensor->nvals)
        memcpy(*values, from->tensor->vals, (size_t)from->tensor->nvals * size);
    return spcc_tensor_borrow(t->context, from->format, spcc_tensor_type(from), from->tensor->order,
                              from->tensor->dimension, array, n, *values, from->tensor->nvals,
                              &options, tensor);
}

static spcc_status new_result(struct tune *t, const struct spcc_tensor *like,
                              struct spcc_tensor **tensor)
{
    spcc_tensor_options options = {.size = sizeof options, .fill = like->fill};
    return spcc_tensor_new(t->context, like->format, spcc_tensor_type(like), like->tensor->order,
                           like->sized ? like->tensor->dimension : NULL, &options, tensor);
}

/* Make those that are missing; those whose old values count, anew. */
static spcc_status make_results(struct tune *t, struct results *results)
{
    const struct spcc_kernel *kernel = t->plan[0].kernel;
    spcc_status status = SPCC_OK;
    for (int r = 0; r < kernel->results && status == SPCC_OK; r++) {
        const struct spcc_tensor *given = t->tensors[r];
        if (kernel->compound[r]) {
            spcc_tensor_free(results->tensor[r]);
            free(results->values[r]);
            results->tensor[r] = NULL;
            results->values[r] = NULL;
        }
        if (!results->tensor[r])
            status = kernel->compound[r] && given->sized
                         ? copy_result(t, given, &results->tensor[r], &results->values[r])
                         : new_result(t, given, &results->tensor[r]);
    }
    return status;
}

static spcc_status run_plan(struct tune *t, struct plan *plan, struct results *results, double *ms)
{
    struct spcc_tensor *tensors[TIN_RESULTS_MAX], **all = t->tensors;
    int n = plan->kernel->results;
    spcc_status status = make_results(t, results);
    if (status != SPCC_OK)
        return status;
    for (int r = 0; r < n; r++) {
        tensors[r] = all[r];
        all[r] = results->tensor[r];
    }
    double start = api_now_ms();
    status = spcc_run_array(t->context, plan->kernel, all, plan->kernel->tensors);
    *ms = api_now_ms() - start;
    for (int r = 0; r < n; r++)
        all[r] = tensors[r];
    return status;
}

struct comparison {
    struct tune *tune;
    struct plan *plan;
};

/* With the first plan's. */
static spcc_status compare_results(struct spcc_context *api, struct context *cx, void *arguments)
{
    static const char *const differs[] = {NULL, "stores other components", "has other values"};
    const struct comparison *c = arguments;
    const struct spcc_kernel *kernel = c->plan->kernel;
    struct tune *t = c->tune;
    for (int r = 0; r < kernel->results && !c->plan->trouble; r++) {
        enum tensor_difference difference;
        struct rt_error error;
        if (tensor_compare(t->first.tensor[r]->tensor, t->other.tensor[r]->tensor, &difference,
                           &error)
            != RT_OK)
            return api_fail(cx, &error);
        if (difference == TENSOR_SAME)
            continue;
        c->plan->trouble = api_strdup(arena_printf(cx->arena, "%s %s than the planner's",
                                                   kernel->tensor[r]->name, differs[difference]));
        if (!c->plan->trouble)
            return SPCC_ERROR_MEMORY;
    }
    return SPCC_OK;
}

static spcc_status try_plans(struct tune *t)
{
    double ms;
    spcc_status status = run_plan(t, &t->plan[0], &t->first, &ms);
    for (int i = 1; i < t->n && status == SPCC_OK; i++) {
        struct plan *plan = &t->plan[i];
        if (plan->trouble)
            continue;
        status = run_plan(t, plan, &t->other, &ms);
        if (status == SPCC_OK)
            status = api_call(t->context, compare_results, &(struct comparison){t, plan});
    }
    free_results(&t->first);
    return status;
}

/* ---- turns ---- */

/* Run a plan once more, unless another has shown that it is out of the question. */
static spcc_status take_turn(struct tune *t, struct plan *plan, double *least, double *sum)
{
    double ms;
    if (plan->trouble || (plan->runs && plan->least > SLOW * *least))
        return SPCC_OK;
    spcc_status status = run_plan(t, plan, &t->other, &ms);
    plan->least = plan->runs == 0 || ms < plan->least ? ms : plan->least;
    plan->ms[plan->runs++] = ms;
    *least = *least < 0 || ms < *least ? ms : *least;
    *sum += ms;
    return status;
}

static int shorter_first(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static int faster_first(const void *a, const void *b)
{
    const struct plan *p = a, *q = b;
    if (!p->trouble != !q->trouble)
        return p->trouble ? 1 : -1;
    return shorter_first(p->ms, q->ms);
}

/* Each round begins with another plan, so that none always follows the same. */
static spcc_status measure(struct tune *t)
{
    spcc_status status = SPCC_OK;
    int rounds = t->how.runs ? t->how.runs : RUNS;
    double least = -1, sum = 0;
    for (int round = 0; round < rounds && status == SPCC_OK; round++) {
        if (!t->how.runs && round >= RUNS_LEAST && sum > TURNS_MS)
            break;
        for (int i = 0; i < t->n && status == SPCC_OK; i++)
            status = take_turn(t, &t->plan[(i + round) % t->n], &least, &sum);
    }
    for (int i = 0; i < t->n; i++) {
        struct plan *plan = &t->plan[i];
        qsort(plan->ms, (size_t)plan->runs, sizeof *plan->ms, shorter_first);
        plan->ms[0] = plan->ms[plan->runs / 2];
    }
    if (status == SPCC_OK)
        qsort(t->plan, (size_t)t->n, sizeof *t->plan, faster_first);
    return status;
}

/* ---- what comes of it ---- */

/* For `spcc explain`. */
static const char *describe(struct context *cx, const struct tune *t)
{
    const struct plan *best = &t->plan[0];
    double planned = best->ms[0];
    for (int i = 0; i < t->n; i++)
        planned = t->plan[i].planned ? t->plan[i].ms[0] : planned;
    if (t->n == 1)
        return "there was no other plan";
    if (best->planned)
        return arena_printf(cx->arena, "the planner's own is the fastest of %d plans", t->n);
    return arena_printf(cx->arena, "the fastest of %d plans, %.2f times as fast as the planner's",
                        t->n, planned / best->ms[0]);
}

static spcc_status keep(struct spcc_context *api, struct context *cx, void *arguments)
{
    struct tune *t = arguments;
    const char *trouble = tuned_keep(api, cx, t->key, t->plan[0].added, describe(cx, t));
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

/* The plans' texts go over to it; NULL: no memory. */
static spcc_tuning *tell(struct tune *t)
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
                                     .ms = from->ms[0],
                                     .runs = from->runs,
                                     .planned = from->planned,
                                     .trouble = from->trouble};
        from->schedule = from->trouble = NULL;
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
                     .n_bindings = n_bindings};
    if (!tuning)
        return SPCC_ERROR_ARGUMENT;
    *tuning = NULL;
    spcc_status status = api_call(context, find_plans, &t);
    if (status == SPCC_OK)
        status = compile_plans(&t);
    if (status == SPCC_OK)
        status = api_call(context, order_tensors, &t);
    if (status == SPCC_OK)
        status = try_plans(&t);
    if (status == SPCC_OK)
        status = measure(&t);
    if (status == SPCC_OK)
        status = api_call(context, keep, &t);
    if (status == SPCC_OK && !(*tuning = tell(&t)))
        status = SPCC_ERROR_MEMORY;
    free_tune(&t);
    return status;
}
