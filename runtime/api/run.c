/* run.c - runs kernels: binds arguments, calls functions, tells statuses.
 *
 * SPDX-License-Identifier: MIT
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/api/gpu.h"
#include "runtime/api/result.h"
#include "runtime/api/undo.h"
#include "runtime/gpu/gpu.h"
#include "runtime/jit/jit.h"
#include "runtime/tensor/alloc.h"
#include "runtime/tensor/spare.h"
#include "runtime/threads/threads.h"

/* ---- one function ---- */

/* Returns the names of the results that the function makes arrays of. */
static const char *assembled_names(struct context *cx, const struct run *run)
{
    const char *names = "";
    for (int r = 0; r < run->kernel->results; r++)
        if (bind_makes(run->function->imperative, r))
            names = arena_printf(cx->arena, "%s%s%s", names, *names ? " or " : "",
                                 run->kernel->tensor[r]->name);
    return names;
}

/* Returns "A(2,i)", as the statement assigns to it. */
static const char *assigned(struct context *cx, const struct spcc_kernel *kernel, int r)
{
    const struct tensor_var *t = kernel->tensor[r];
    const char *text = t->name;
    for (int mode = 0, use = 0; mode < t->order; mode++, use++) {
        while (kernel->use[use].tensor != r || kernel->use[use].mode != mode)
            use++;
        text = kernel->use[use].literal < 0
                   ? arena_printf(cx->arena, "%s%c%s", text, mode ? ',' : '(',
                                  kernel->use[use].variable)
                   : arena_printf(cx->arena, "%s%c%" PRId64, text, mode ? ',' : '(',
                                  kernel->use[use].literal);
    }
    return arena_printf(cx->arena, "%s)", text);
}

/* Reports a component that is not stored; of several results it may be any. */
static spcc_status tell_not_stored(struct context *cx, const struct run *run)
{
    const struct spcc_kernel *kernel = run->kernel;
    const char *components = "", *name = "";
    for (int r = kernel->results; r-- > 0;)
        if (tensor_var_is_updated(kernel->tensor[r])) {
            name = kernel->tensor[r]->name;
            components = arena_printf(cx->arena, "%s%s%s", assigned(cx, kernel, r),
                                      *components ? " or " : "", components);
        }
    api_error(cx, SPCC_ERROR_BINDING,
              "the statement changes a component %s that is not stored: a part of a sparse tensor "
              "is updated in place",
              components);
    diag_help(cx, &cx->diags.at[cx->diags.n - 1],
              "add a sparse tensor with these components to all of %s first, or make %s dense",
              name, name);
    return SPCC_ERROR_BINDING;
}

static spcc_status tell_too_large(struct context *cx, const struct run *run)
{
    const char *names = assembled_names(cx, run);
    api_error(cx, SPCC_ERROR_LIMIT, "%s",
              *names ? arena_printf(cx->arena,
                                    "%s has more components than the positions of its format can "
                                    "count",
                                    names)
                     : "collapsed loops have more iterations than coordinates can count");
    diag_help(cx, &cx->diags.at[cx->diags.n - 1],
              *names ? "use 64-bit positions: {index 64}, or compressed(pos=i64) in the format"
                     : "use 64-bit coordinates: {index 64}, or pos() for the loop");
    return SPCC_ERROR_LIMIT;
}

static spcc_status tell_status(struct context *cx, const struct run *run, int status)
{
    switch ((enum imp_status)status) {
    case STATUS_OK: return SPCC_OK;
    case STATUS_NO_MEMORY: return SPCC_ERROR_MEMORY;
    case STATUS_STOPPED: return SPCC_STOPPED;
    case STATUS_TOO_LARGE: return tell_too_large(cx, run);
    case STATUS_NOT_STORED: return tell_not_stored(cx, run);
    case STATUS_OUT_OF_RANGE: break; /* bind.c has looked */
    case STATUS_OUT_OF_BOUND:
        return api_error(cx, SPCC_ERROR_BINDING,
                         "a size is not what a bound of the schedule says: %s",
                         run->kernel->schedule);
    }
    return api_error(cx, SPCC_ERROR_BUG, "the kernel returned %d", status);
}

static void *interpreter_resize(void *spare, void *array, size_t bytes)
{
    return memory_is_stopped() ? NULL : spare_resize(spare, array, bytes);
}

static void interpreter_release(void *spare, void *array) { spare_release(spare, array); }

/* Runs the interpreter, which gives back its memory when it sees the flag. */
static spcc_status interpret(struct context *cx, struct run *run, struct imp_argument *argument)
{
    const struct imp_function *f = run->function->imperative;
    const struct imp_allocator allocator = {interpreter_resize, interpreter_release, run->spare};
    const struct imp_options options = {.allocator = &allocator, .stop = memory_rules().stop};
    arena_watch(cx->arena, NULL);
    struct imp_run done = imp_interpret(cx, f, argument, &options);
    for (int i = 0; i < f->params; i++)
        if (f->param[i].out)
            run->array[i] = argument[i].data;
    if (done.fault)
        return api_error(cx, SPCC_ERROR_BUG, "%s", done.fault);
    return tell_status(cx, run, done.status);
}

/* Runs the kernel on the GPU. What it has made is the run's, whether it is good or not. */
static spcc_status run_on_gpu(struct context *cx, struct run *run, struct imp_argument *argument)
{
    const struct kernel_function *f = run->function;
    const struct imp_allocator allocator = {interpreter_resize, interpreter_release, run->spare};
    const struct gpu_call call = {.function = f->imperative,
                                  .entry = f->entry,
                                  .entries = f->entries,
                                  .argument = argument,
                                  .resident = bind_resident(cx, run),
                                  .allocator = &allocator,
                                  .stop = memory_rules().stop,
                                  .stream = run->gpu_stream};
    struct gpu_spent spent;
    enum imp_status status;
    char *error;
    arena_watch(cx->arena, NULL); /* nothing unwinds until the GPU's memory is given back */
    enum gpu_status said = gpu_run(f->device, cx, &call, &status, &spent, &error);
    for (int i = 0; i < f->imperative->params; i++)
        if (f->imperative->param[i].out) {
            run->array[i] = argument[i].data;
            run->length[i] = argument[i].length;
        }
    if (run->gpu_times)
        *run->gpu_times = (spcc_gpu_times){spent.there_ms, spent.kernel_ms, spent.back_ms,
                                           spent.there_bytes, spent.back_bytes};
    return said == GPU_OK ? tell_status(cx, run, status) : gpu_tell(cx, said, error);
}

/* The threads that a call of machine code may have and has taken (0: none yet), and the memory of
 * the thread that calls and of those that help it. */
struct team {
    int wanted, taken;
    struct spare *spare;
    struct memory_rules rules;
};

static _Thread_local struct team *team;         /* of this thread's own call */
static _Thread_local const struct team *helped; /* else: the call that this thread helps */

int run_threads(void)
{
    if (team->taken == 0)
        team->taken = threads_take(team->wanted);
    return team->taken;
}

void *run_team(void) { return team ? team : (void *)(uintptr_t)helped; }

void run_join(void *of)
{
    if (of != team)
        helped = of;
}

/* Is the team's call stopped, and still at work? */
static bool is_stopped(const struct team *of)
{
    return of->rules.stop && atomic_load_explicit(of->rules.stop, memory_order_relaxed);
}

_Static_assert(sizeof(atomic_bool) == sizeof(bool), "kernels read the flag as a bool");

const volatile bool *run_stop_flag(void)
{
    static const bool never = false;
    const struct team *of = team ? team : helped;
    return of && of->rules.stop ? (const volatile bool *)of->rules.stop : &never;
}

void *run_resize(void *array, size_t bytes)
{
    const struct team *of = team ? team : helped;
    if (is_stopped(of))
        return NULL;
    const struct memory *arrays = of->rules.arrays;
    return team ? spare_resize(team->spare, array, bytes) : arrays->resize(arrays, array, bytes);
}

void run_release(void *array)
{
    if (team)
        spare_release(team->spare, array);
    else
        helped->rules.arrays->release(helped->rules.arrays, array);
}

/* Calls the machine code, which asks for threads if it has work for several. */
static int call_machine_code(const struct run *run, void **pointer)
{
    struct team own = {.wanted = run->threads, .spare = run->spare, .rules = memory_rules()};
    own.rules.arrays = memory_here();
    team = &own;
    int status = run->function->call(pointer);
    team = NULL;
    threads_give(own.taken);
    return status;
}

/* Fills a pattern that the user answers for.  A function that takes the pattern for an operand's
 * assigns nothing for a sum over nothing, and a pattern of the statement's own has no such
 * component. */
static void fill_trusted(const struct run *run)
{
    const struct spcc_tensor *result = run->tensor[0];
    if (run->function->pattern && result->trusted)
        tensor_fill_dense(result->tensor, result->tensor->fill, run->threads);
}

/* Returns the first result that the function makes; -1 if there is none. */
static int first_made(const struct run *run)
{
    for (int r = 0; r < run->kernel->results; r++)
        if (bind_makes(run->function->imperative, r))
            return r;
    return -1;
}

/* Runs the function, which may be stopped unless it leaves a result halfway. */
static spcc_status compute(struct context *cx, struct run *run, struct imp_argument *argument,
                           void **pointer)
{
    const struct memory_rules rules = memory_rules();
    const struct memory_rules unstopped = {.limit = rules.limit, .arrays = rules.arrays};
    bool may_stop;
    spcc_status status = undo_prepare(cx, run, argument, &may_stop);
    if (!may_stop)
        memory_follow(unstopped);
    if (status == SPCC_OK)
        fill_trusted(run);
    status = status != SPCC_OK       ? status
             : run->function->device ? run_on_gpu(cx, run, argument)
             : run->function->call   ? tell_status(cx, run, call_machine_code(run, pointer))
                                     : interpret(cx, run, argument);
    if (!may_stop)
        memory_follow(rules);
    undo_end(run, status != SPCC_OK);
    return status;
}

static spcc_status run_function(struct context *cx, struct run *run)
{
    struct imp_argument *argument;
    void **pointer;
    int results = run->kernel->results;
    spcc_status status = bind_check(cx, run);
    status = status == SPCC_OK ? bind_check_same(cx, run) : status;
    for (int r = 0; r < results && status == SPCC_OK; r++)
        status = bind_check_result(cx, run, r);
    for (int r = 0; r < results && status == SPCC_OK; r++)
        status = result_prepare(cx, run, r);
    if (status == SPCC_OK)
        status = bind_arguments(cx, run, &argument, &pointer);
    if (status != SPCC_OK)
        return status;
    int made = first_made(run);
    run->spare = &run->tensor[made < 0 ? 0 : made]->spare;
    spare_begin(run->spare, run->max_spare, memory_here());
    for (int r = 0; r < results && run->overwrites; r++)
        result_give_up_old(run, r);
    status = compute(cx, run, argument, pointer);
    for (int r = 0; r < results && status == SPCC_OK; r++)
        if (bind_makes(run->function->imperative, r))
            status = result_complete(cx, run, r);
    for (int r = 0; r < results && status == SPCC_OK; r++)
        result_replace(run, r);
    if (made >= 0)
        spare_end(run->spare);
    return status;
}

/* Frees what a failed run has made. */
static void abandon(struct run *run)
{
    undo_end(run, true);
    const struct imp_function *f = run->function ? run->function->imperative : NULL;
    for (int i = 0; run->array && i < f->params; i++)
        if (f->param[i].out) {
            const struct memory *memory = result_memory(run, f->param[i].tensor);
            memory->release(memory, run->array[i]);
        }
    for (int r = 0; r < TIN_RESULTS_MAX; r++) {
        tensor_free(run->result[r].made);
        tensor_free(run->result[r].empty);
    }
}

/* ---- the functions of the API ---- */

struct running {
    const struct spcc_kernel *kernel;
    struct spcc_tensor *const *tensors;
    int n_tensors;
    const spcc_run_options *options;
    int threads;
    int64_t max_spare;
    bool overwrites;
    spcc_gpu_times *gpu_times;
    void *gpu_stream;
    const char *caller;
    bool wants[KERNEL_KINDS]; /* by kind: is the function called? */
    struct run run;
};

static spcc_status run_wanted(struct context *cx, struct running *a)
{
    bool any = false;
    struct spcc_tensor **tensors;
    spcc_status status = bind_parts(cx, a->kernel, a->tensors, a->n_tensors, &tensors);
    for (int k = 0; k < KERNEL_KINDS && status == SPCC_OK; k++) {
        if (!a->wants[k] || !a->kernel->function[k].imperative)
            continue;
        any = true;
        a->run = (struct run){.kernel = a->kernel,
                              .function = &a->kernel->function[k],
                              .kind = (enum kernel_kind)k,
                              .threads = a->threads,
                              .max_spare = a->max_spare,
                              .overwrites = a->overwrites,
                              .gpu_times = a->gpu_times,
                              .gpu_stream = a->gpu_stream,
                              .memory = memory_here(),
                              .tensor = tensors};
        status = run_function(cx, &a->run);
    }
    return status != SPCC_OK ? status
           : any             ? SPCC_OK
                             : api_error(cx, SPCC_ERROR_ARGUMENT,
                                         "%s: the kernel was not compiled for it (kind in "
                                                     "spcc_compile_options)",
                                         a->caller);
}

static spcc_status running(struct spcc_context *api, struct context *cx, void *arguments)
{
    struct running *a = arguments;
    if (!a->kernel)
        return api_error(cx, SPCC_ERROR_ARGUMENT, "%s: there is no kernel", a->caller);
    spcc_run_options o = {0};
    if (!api_options(cx, "spcc_run_options", &o, sizeof o, a->options))
        return SPCC_ERROR_ARGUMENT;
    if (o.threads < 0)
        return api_error(cx, SPCC_ERROR_ARGUMENT, "%s: %d threads", a->caller, o.threads);
    a->threads = o.threads ? o.threads : api->threads;
    a->max_spare = api->max_spare;
    a->overwrites = o.overwrite;
    a->gpu_times = o.gpu_times;
    a->gpu_stream = o.gpu_stream;
    return run_wanted(cx, a);
}

static spcc_status run_edge(struct spcc_context *context, struct running *a)
{
    spcc_status status = api_call(context, running, a);
    if (status != SPCC_OK)
        abandon(&a->run);
    return status;
}

spcc_status spcc_run_array(spcc_context *context, const spcc_kernel *kernel,
                           spcc_tensor *const *tensors, int n_tensors)
{
    return spcc_run_with(context, kernel, tensors, n_tensors, NULL);
}

spcc_status spcc_run_with(spcc_context *context, const spcc_kernel *kernel,
                          spcc_tensor *const *tensors, int n_tensors,
                          const spcc_run_options *options)
{
    struct running a = {.kernel = kernel,
                        .tensors = tensors,
                        .n_tensors = n_tensors,
                        .options = options,
                        .caller = "spcc_run",
                        .wants = {true, true, true}};
    return run_edge(context, &a);
}

spcc_status spcc_assemble(spcc_context *context, const spcc_kernel *kernel,
                          spcc_tensor *const *tensors, int n_tensors)
{
    struct running a = {.kernel = kernel,
                        .tensors = tensors,
                        .n_tensors = n_tensors,
                        .caller = "spcc_assemble",
                        .wants = {[KERNEL_ASSEMBLE] = true}};
    return run_edge(context, &a);
}

spcc_status spcc_compute(spcc_context *context, const spcc_kernel *kernel,
                         spcc_tensor *const *tensors, int n_tensors)
{
    return spcc_compute_with(context, kernel, tensors, n_tensors, NULL);
}

spcc_status spcc_compute_with(spcc_context *context, const spcc_kernel *kernel,
                              spcc_tensor *const *tensors, int n_tensors,
                              const spcc_run_options *options)
{
    struct running a = {.kernel = kernel,
                        .tensors = tensors,
                        .n_tensors = n_tensors,
                        .options = options,
                        .caller = "spcc_compute",
                        .wants = {[KERNEL_COMPUTE] = true}};
    return run_edge(context, &a);
}

int64_t spcc_kernel_traffic(const spcc_kernel *kernel, spcc_tensor *const *tensors, int n_tensors)
{
    if (!kernel || !tensors || n_tensors != kernel->arguments)
        return -1;
    int64_t bytes = 0;
    for (int k = 0; k < n_tensors; k++) {
        const struct kernel_argument *argument = &kernel->argument[k];
        if (!tensors[k] || tensors[k]->parts != argument->of)
            return -1;
        bytes += spcc_tensor_bytes(argument->of ? NULL : tensors[k])
                 * (kernel->compound[argument->rank] ? 2 : 1);
        for (int p = 0; p < argument->parts; p++)
            bytes += spcc_tensor_bytes(tensors[k]->part[argument->first + p]);
    }
    return bytes;
}

/* ---- one statement, one call ---- */

struct evaluating {
    const char *statement;
    const spcc_binding *bindings;
    int n_bindings;
    struct spcc_kernel *kernel;
    struct running running;
};

spcc_status kernel_check_bindings(struct context *cx, const char *caller,
                                  const spcc_binding *binding, int n)
{
    if (n < 0 || (n > 0 && !binding))
        return api_error(cx, SPCC_ERROR_ARGUMENT, "%s: bindings and n_bindings do not go together",
                         caller);
    for (int i = 0; i < n; i++) {
        if (!binding[i].name || !binding[i].tensor)
            return api_error(cx, SPCC_ERROR_ARGUMENT, "%s: binding %d has no %s", caller, i + 1,
                             binding[i].name ? "tensor" : "name");
        for (int k = 0; k < i; k++)
            if (strcmp(binding[k].name, binding[i].name) == 0)
                return api_error(cx, SPCC_ERROR_BINDING, "%s is bound twice", binding[i].name);
    }
    return SPCC_OK;
}

spcc_status kernel_order_bindings(struct context *cx, const struct spcc_kernel *kernel,
                                  const spcc_binding *binding, int n, struct spcc_tensor **tensors)
{
    for (int t = 0; t < kernel->arguments; t++) {
        tensors[t] = NULL;
        for (int i = 0; i < n; i++)
            if (strcmp(binding[i].name, kernel->argument[t].name) == 0)
                tensors[t] = binding[i].tensor;
        if (!tensors[t])
            return api_error(cx, SPCC_ERROR_BINDING, "%s is not bound to a tensor",
                             kernel->argument[t].name);
    }
    return SPCC_OK;
}

static spcc_status compile_bound(struct spcc_context *api, struct context *cx, struct evaluating *a)
{
    spcc_declaration *declaration = arena_array(cx->arena, spcc_declaration, a->n_bindings);
    for (int i = 0; i < a->n_bindings; i++)
        declaration[i] =
            (spcc_declaration){.name = a->bindings[i].name, .tensor = a->bindings[i].tensor};
    spcc_compile_options options = {.size = sizeof options,
                                    .declarations = declaration,
                                    .n_declarations = a->n_bindings,
                                    .plan_for_tensors = true};
    return kernel_compile(api, cx, a->statement, &options, &a->kernel);
}

static spcc_status order_bindings(struct context *cx, struct evaluating *a)
{
    struct spcc_tensor **tensors =
        arena_array(cx->arena, struct spcc_tensor *, a->kernel->arguments);
    a->running.tensors = tensors;
    a->running.n_tensors = a->kernel->arguments;
    return kernel_order_bindings(cx, a->kernel, a->bindings, a->n_bindings, tensors);
}

static spcc_status evaluate(struct spcc_context *api, struct context *cx, void *arguments)
{
    struct evaluating *a = arguments;
    spcc_status status = kernel_check_bindings(cx, "spcc_eval", a->bindings, a->n_bindings);
    if (status == SPCC_OK)
        status = compile_bound(api, cx, a);
    if (status == SPCC_OK)
        status = order_bindings(cx, a);
    a->running.kernel = a->kernel;
    a->running.threads = api->threads;
    a->running.max_spare = api->max_spare;
    return status == SPCC_OK ? run_wanted(cx, &a->running) : status;
}

spcc_status spcc_eval(spcc_context *context, const char *statement, const spcc_binding *bindings,
                      int n_bindings)
{
    struct evaluating a = {.statement = statement,
                           .bindings = bindings,
                           .n_bindings = n_bindings,
                           .running = {.caller = "spcc_eval", .wants = {[KERNEL_FUSED] = true}}};
    spcc_status status = api_call(context, evaluate, &a);
    if (status != SPCC_OK)
        abandon(&a.running.run);
    spcc_kernel_free(a.kernel);
    return status;
}
