/* trial.c - runs kernels of one statement on tensors, to compare their times and results.
 *
 * They run in turns, so that a disturbance of the machine hits them all, and their medians count.
 * The functions here are sequences of calls of the C API.
 *
 * SPDX-License-Identifier: MIT
 */
#include "runtime/api/trial.h"

#include <stdlib.h>
#include <string.h>

#include "compiler/base/text.h"
#include "runtime/tensor/alloc.h"
#include "runtime/tensor/compare.h"

/* The number of runs of each if none is given. */
enum { RUNS_LEAST = 3, RUNS = 25 };

/* A kernel that takes this many times as long as another is out of the question, once it has had so
 * long a run or RUNS_LEAST of them: a disturbance of an instant is most of a short run. */
static const double SLOW = 2, LONG_MS = 20;

/* About the time of all turns if no number is given. */
static const double TURNS_MS = 3000;

/* ---- what is owned ---- */

static void free_results(struct results *results)
{
    for (int r = 0; r < TIN_RESULTS_MAX; r++) {
        spcc_tensor_free(results->tensor[r]);
        free(results->values[r]);
    }
    *results = (struct results){{NULL}, {NULL}};
}

void trials_free(struct trials *trials)
{
    free_results(&trials->first);
    free_results(&trials->other);
}

void trial_free(struct trial *trial)
{
    spcc_kernel_free(trial->kernel);
    free(trial->trouble);
    trial->kernel = NULL;
    trial->trouble = NULL;
}

/* ---- what they are compiled with ---- */

static bool is_declared(const spcc_compile_options *options, const char *name)
{
    for (int i = 0; i < options->n_declarations; i++)
        if (options->declarations[i].name && strcmp(options->declarations[i].name, name) == 0)
            return true;
    return false;
}

spcc_status trial_options(struct context *cx, const char *caller, const spcc_compile_options *given,
                          const spcc_binding *bindings, int n_bindings, struct trial_options *made)
{
    spcc_compile_options *o = &made->options;
    if (!kernel_options(cx, o, given))
        return api_status(cx);
    spcc_status status = kernel_check_bindings(cx, caller, bindings, n_bindings);
    if (status != SPCC_OK)
        return status;
    made->declarations =
        calloc((size_t)(o->n_declarations + n_bindings) + 1, sizeof *made->declarations);
    if (!made->declarations)
        return SPCC_ERROR_MEMORY;
    if (o->n_declarations)
        memcpy(made->declarations, o->declarations,
               (size_t)o->n_declarations * sizeof *made->declarations);
    o->declarations = made->declarations;
    for (int i = 0; i < n_bindings; i++)
        if (!is_declared(o, bindings[i].name))
            made->declarations[o->n_declarations++] =
                (spcc_declaration){.name = bindings[i].name, .tensor = bindings[i].tensor};
    o->size = sizeof *o;
    o->plan_for_tensors = true;
    o->untuned = true;
    if (o->kind != SPCC_FUSED || o->no_plan)
        return api_error(cx, SPCC_ERROR_ARGUMENT,
                         "%s: the options %s, and then there is nothing to tune", caller,
                         o->no_plan ? "leave nothing to the planner" : "ask for another kind");
    return SPCC_OK;
}

struct complaint {
    spcc_status status;
    const char *message;
};

static spcc_status complain(struct spcc_context *api, struct context *cx, void *arguments)
{
    const struct complaint *c = arguments;
    return api_error(cx, c->status, "%s", c->message);
}

spcc_status trial_give_up(struct spcc_context *context, spcc_status status, struct trial *trial)
{
    if (status == SPCC_OK || status == SPCC_STOPPED)
        return status;
    const spcc_diagnostic *first = spcc_diagnostic_get(context, 0);
    trial->trouble = api_strdup(first ? first->message : spcc_status_text(status));
    return trial->trouble ? SPCC_OK : SPCC_ERROR_MEMORY;
}

spcc_status trial_compile(struct spcc_context *context, const char *statement,
                          const spcc_compile_options *options, struct trial *trial, bool required)
{
    spcc_status status = spcc_compile(context, statement, options, &trial->kernel);
    if (status != SPCC_OK)
        return required || status == SPCC_ERROR_MEMORY ? status
                                                       : trial_give_up(context, status, trial);
    return trial->kernel->info.engine != SPCC_ENGINE_INTERP
               ? SPCC_OK
               : api_call(context, complain,
                          &(struct complaint){SPCC_ERROR_COMPILER,
                                              "kernels that are interpreted tell nothing of how "
                                              "fast a plan is"});
}

/* ---- results ---- */

/* Copies a result as it is given, for writing: its arrays, and its values. */
static spcc_status copy_result(struct trials *t, const struct spcc_tensor *from,
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

static spcc_status new_result(struct trials *t, const struct spcc_tensor *like,
                              struct spcc_tensor **tensor)
{
    spcc_tensor_options options = {.size = sizeof options, .fill = like->fill};
    return spcc_tensor_new(t->context, like->format, spcc_tensor_type(like), like->tensor->order,
                           like->sized ? like->tensor->dimension : NULL, &options, tensor);
}

/* Makes the results that are missing; those whose old values count are made anew. */
static spcc_status make_results(struct trials *t, const struct trial *trial,
                                struct results *results)
{
    const struct spcc_kernel *kernel = trial->kernel;
    spcc_status status = SPCC_OK;
    for (int r = 0; r < kernel->results && status == SPCC_OK; r++) {
        const struct spcc_tensor *given = trial->tensor[r];
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

static spcc_status run_trial(struct trials *t, struct trial *trial, struct results *results,
                             double *ms)
{
    struct spcc_tensor *given[TIN_RESULTS_MAX], **all = trial->tensor;
    int n = trial->kernel->results;
    spcc_status status = make_results(t, trial, results);
    if (status != SPCC_OK)
        return status;
    for (int r = 0; r < n; r++) {
        given[r] = all[r];
        all[r] = results->tensor[r];
    }
    double start = api_now_ms();
    status = spcc_run_array(t->context, trial->kernel, all, trial->kernel->arguments);
    *ms = api_now_ms() - start;
    for (int r = 0; r < n; r++)
        all[r] = given[r];
    return status;
}

/* ---- the same results ---- */

struct comparison {
    struct trials *trials;
    struct trial *trial;
    const char *than;
};

static spcc_status compare_trials(struct spcc_context *api, struct context *cx, void *arguments)
{
    static const char *const differs[] = {NULL, "stores other components", "has other values"};
    const struct comparison *c = arguments;
    const struct spcc_kernel *kernel = c->trial->kernel;
    const struct trials *t = c->trials;
    (void)api;
    for (int r = 0; r < kernel->results && !c->trial->trouble; r++) {
        enum tensor_difference difference;
        struct rt_error error;
        if (tensor_compare(t->first.tensor[r]->tensor, t->other.tensor[r]->tensor, &difference,
                           &error)
            != RT_OK)
            return api_fail(cx, &error);
        if (difference == TENSOR_SAME)
            continue;
        c->trial->trouble = api_strdup(arena_printf(
            cx->arena, "%s %s than %s", kernel->tensor[r]->name, differs[difference], c->than));
        if (!c->trial->trouble)
            return SPCC_ERROR_MEMORY;
    }
    return SPCC_OK;
}

spcc_status trial_first(struct trials *trials, struct trial *trial)
{
    double ms;
    return run_trial(trials, trial, &trials->first, &ms);
}

spcc_status trial_compare(struct trials *trials, struct trial *trial, const char *than)
{
    double ms;
    spcc_status status = run_trial(trials, trial, &trials->other, &ms);
    if (status != SPCC_OK)
        return status;
    return api_call(trials->context, compare_trials, &(struct comparison){trials, trial, than});
}

/* ---- turns ---- */

static int shorter_first(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

double trial_median(struct trial *trial)
{
    qsort(trial->ms, (size_t)trial->runs, sizeof *trial->ms, shorter_first);
    return trial->runs ? trial->ms[trial->runs / 2] : 0;
}

static bool is_out(const struct trial *trial, double least)
{
    bool is_sure = trial->runs >= RUNS_LEAST || (trial->runs && trial->least > LONG_MS);
    return trial->trouble || (is_sure && trial->least > SLOW * least);
}

/* Runs the kernel once more, unless another has shown that it is out of the question. */
static spcc_status take_turn(struct trials *t, struct trial *trial, double *least, double *sum)
{
    double ms;
    if (is_out(trial, *least))
        return SPCC_OK;
    spcc_status status = run_trial(t, trial, &t->other, &ms);
    if (status != SPCC_OK)
        return status;
    trial->least = trial->runs == 0 || ms < trial->least ? ms : trial->least;
    trial->ms[trial->runs++] = ms;
    *least = *least < 0 || ms < *least ? ms : *least;
    *sum += ms;
    return SPCC_OK;
}

/* Runs them in rounds.  Each begins with another one, so that none always follows the same. */
spcc_status trial_turns(struct trials *trials, struct trial *const *trial, int n, int runs)
{
    spcc_status status = SPCC_OK;
    double least = -1, sum = 0;
    for (int round = 0; round < (runs ? runs : RUNS) && status == SPCC_OK; round++) {
        if (!runs && round >= RUNS_LEAST && sum > TURNS_MS)
            break;
        for (int i = 0; i < n && status == SPCC_OK; i++)
            status = take_turn(trials, trial[(i + round) % n], &least, &sum);
    }
    return status;
}
