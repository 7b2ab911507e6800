/* batch_gpu.c - kernels of several trials on this machine's GPU, by NVRTC from one source.
 *
 * The driver is opened by the process that runs the kernels: none survives a fork.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdlib.h>
#include <string.h>

#include "compiler/base/text.h"
#include "compiler/emit/emit.h"
#include "compiler/imperative/query.h"
#include "runtime/gpu/gpu.h"
#include "tests/support/batch_gpu.h"

static struct gpu *gpu; /* the process's, once it is opened */

/* A kernel that is loaded. */
struct loaded {
    struct context *cx;
    struct gpu_kernel *module;
    const struct imp_entry *entry;
    int entries;
};

static void *reallocate(void *data, void *array, size_t bytes)
{
    (void)data;
    return realloc(array, bytes);
}

static void release(void *data, void *array)
{
    (void)data;
    free(array);
}

/* ---- runs ---- */

static struct imp_run run_once(const struct loaded *l, const struct imp_function *f,
                               struct imp_argument *argument)
{
    const struct imp_allocator allocator = {reallocate, release, NULL};
    const struct gpu_call call = {.function = f,
                                  .entry = l->entry,
                                  .entries = l->entries,
                                  .argument = argument,
                                  .resident = arena_array(l->cx->arena, bool, f->params),
                                  .allocator = &allocator};
    struct imp_run run = {0};
    struct gpu_spent spent;
    char *error = NULL;
    enum gpu_status said = gpu_run(l->module, l->cx, &call, &run.status, &spent, &error);
    if (said == GPU_NO_MEMORY)
        run.status = STATUS_NO_MEMORY;
    else if (said != GPU_OK)
        run.fault = arena_strdup(l->cx->arena, error ? error : "the GPU cannot be used");
    free(error);
    return run;
}

static size_t bytes_of(const struct imp_param *param, const struct imp_argument *argument)
{
    return (size_t)argument->length * type_size(param->var->type);
}

static bool is_written(const struct imp_param *param)
{
    return param->var->array && !param->var->constant;
}

/* The arguments with arrays of their own that the kernel writes. */
static struct imp_argument *copy(const struct loaded *l, const struct imp_function *f,
                                 const struct imp_argument *argument)
{
    struct imp_argument *made = arena_array(l->cx->arena, struct imp_argument, f->params);
    memcpy(made, argument, (size_t)f->params * sizeof *made);
    for (int i = 0; i < f->params; i++)
        if (is_written(&f->param[i]) && !f->param[i].out && argument[i].data) {
            size_t bytes = bytes_of(&f->param[i], &argument[i]);
            made[i].data = memcpy(malloc(bytes + 1), argument[i].data, bytes);
        }
    return made;
}

/* The array that the runs leave otherwise than each other; NULL: none. */
static const char *differing(const struct imp_function *f, const struct imp_argument *one,
                             const struct imp_argument *other)
{
    for (int i = 0; i < f->params; i++) {
        size_t bytes = is_written(&f->param[i]) ? bytes_of(&f->param[i], &one[i]) : 0;
        if (is_written(&f->param[i]) && one[i].length != other[i].length)
            return f->param[i].var->name;
        if (bytes && one[i].data && memcmp(one[i].data, other[i].data, bytes) != 0)
            return f->param[i].var->name;
    }
    return NULL;
}

static bool is_update(const struct imp *imp, void *unused)
{
    (void)unused;
    return imp->kind == IMP_ATOMIC || (imp->kind == IMP_UPDATE && imp->op != OP_NONE);
}

/* Runs it twice: where no threads add up as they come both leave the same bits. */
static struct imp_run run_twice(void *data, const struct imp_function *f,
                                struct imp_argument *argument)
{
    const struct loaded *l = data;
    struct imp_argument *again = copy(l, f, argument);
    struct imp_run first = run_once(l, f, again), run = run_once(l, f, argument);
    const char *differs = run.status != STATUS_OK || run.fault || first.fault
                                  || first.status != run.status || imp_any(f->body, is_update, NULL)
                              ? NULL
                              : differing(f, again, argument);
    if (first.status != run.status || differs)
        run.fault = arena_printf(l->cx->arena, "%s is another in a second run",
                                 differs ? differs : "the status");
    for (int i = 0; i < f->params; i++)
        if (is_written(&f->param[i]))
            free(again[i].data);
    return run;
}

/* ---- loading ---- */

static const char *load(struct context *cx, const char *source, struct gpu_kernel **module)
{
    char *error = NULL;
    enum gpu_status said = gpu ? GPU_OK : gpu_open(&gpu, &error);
    if (said == GPU_OK)
        said = gpu_compile(gpu, NULL, source, module, NULL, &error);
    const char *told = said == GPU_OK ? NULL
                       : error        ? arena_strdup(cx->arena, error)
                                      : "the GPU cannot be used";
    free(error);
    return told;
}

static void run_trial(struct context *cx, struct trial *trial, const struct pipeline *kernel,
                      struct gpu_kernel *module)
{
    struct loaded l = {.cx = cx, .module = module};
    l.entries =
        emit_entries(cx, kernel->imperative, &(struct emit_options){.cuda = true}, &l.entry);
    trial_run(trial, kernel, &(struct trial_runner){trial->schedule, run_twice, &l});
    trial->launched++;
}

static void run_alone(struct context *cx, struct trial *trial, const struct pipeline *kernel)
{
    struct gpu_kernel *module = NULL;
    const char *refused = load(cx, kernel->c, &module);
    if (refused)
        trial_fail(trial, "%s: refused: %s", trial->schedule, refused);
    else
        run_trial(cx, trial, kernel, module);
    gpu_kernel_release(module);
}

void batch_run_on_gpu(struct context *cx, struct trial *trial, const struct pipeline *const *kernel,
                      int n, uint64_t *at)
{
    struct gpu_kernel *module = NULL;
    struct text source = text_new(cx->arena);
    for (int i = 0; i < n; i++)
        if (kernel[i])
            text_add(&source, kernel[i]->c);
    if (!source.n)
        return;
    const char *refused = load(cx, source.at, &module);
    for (int i = 0; i < n; i++) {
        *at = trial[i].test->seed;
        if (kernel[i] && refused)
            run_alone(cx, &trial[i], kernel[i]);
        else if (kernel[i])
            run_trial(cx, &trial[i], kernel[i], module);
    }
    gpu_kernel_release(module);
}
