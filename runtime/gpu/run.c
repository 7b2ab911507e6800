/* run.c - runs a kernel on the device once.
 *
 * The arrays are copied to the device, the interpreter runs the kernel's host code, which
 * launches, and the results are copied back.  Host code has few statements, so interpreting it
 * costs less than a launch.  All work is in one stream.  The host waits where the kernel fetches a
 * number, and at the end.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdio.h>
#include <string.h>

#include "compiler/base/context.h"
#include "runtime/gpu/parts.h"

/* The events between the phases of a run. */
enum phase { PHASE_BEGIN, PHASE_COPIED, PHASE_RUN, PHASE_END, PHASES };

struct gpu_work {
    struct gpu_kernel *kernel;
    const struct gpu_driver *driver;
    void *stream;
    int result;       /* the first error of a call; 0 if no call has failed */
    const char *what; /* that call */
    void *event[PHASES];
    const struct gpu_call *call;
    struct imp_argument *there; /* the arguments with their arrays on the device */
};

/* Notes the first call that fails; false if this one does. */
static bool done(struct gpu_work *work, const char *what, int result)
{
    if (result != 0 && work->result == 0) {
        work->result = result;
        work->what = what;
    }
    return result == 0;
}

static uint64_t address(const void *array) { return (uint64_t)(uintptr_t)array; }

/* ---- what host code asks for ---- */

static bool allocate(void *data, void **array, size_t bytes)
{
    struct gpu_work *work = data;
    uint64_t at = 0;
    bool is_done = done(work, "cuMemAllocAsync", work->driver->allocate(&at, bytes, work->stream));
    *array = (void *)(uintptr_t)at;
    return is_done;
}

/* Releases an array.  An error of the device shows in the next call that can fail. */
static void release(void *data, void *array)
{
    struct gpu_work *work = data;
    if (array)
        work->driver->free(address(array), work->stream);
}

static bool copy(void *data, void *to, const void *from, size_t bytes)
{
    struct gpu_work *work = data;
    return done(work, "cuMemcpyDtoDAsync",
                work->driver->copy(address(to), address(from), bytes, work->stream));
}

static bool to_host(struct gpu_work *work, void *to, const void *from, size_t bytes)
{
    return done(work, "cuMemcpyDtoHAsync",
                work->driver->to_host(to, address(from), bytes, work->stream));
}

static bool wait(struct gpu_work *work)
{
    return done(work, "cuStreamSynchronize", work->driver->wait(work->stream));
}

static bool fetch(void *data, void *to, const void *from, size_t bytes)
{
    return to_host(data, to, from, bytes) && wait(data);
}

static bool launch_by_name(struct gpu_work *work, const char *name, int64_t blocks, int threads,
                           void **argument)
{
    void *function;
    return done(work, "cuModuleGetFunction",
                work->driver->function(&function, work->kernel->module, name))
           && done(work, "cuLaunchKernel",
                   work->driver->launch(function, (unsigned)blocks, 1, 1, (unsigned)threads, 1, 1,
                                        0, work->stream, argument, NULL));
}

static bool launch(void *data, const struct imp_entry *entry, int64_t blocks, void **argument)
{
    return launch_by_name(data, entry->name, blocks, (int)entry->launch->n, argument);
}

/* Fills elements of 8 bytes or more by the launch that emit_c writes for it: 256 threads, by
 * strides. */
static bool fill_wide(struct gpu_work *work, void *array, int64_t n, struct value value)
{
    char name[64];
    uint64_t bits[2] = {0};
    void *argument[] = {&array, &n, bits};
    int64_t blocks = n / 256 + 1;
    value_store(value, bits);
    snprintf(name, sizeof name, "cuda_fill_%s_block", type_name(value.type));
    return launch_by_name(work, name, blocks < 8448 ? blocks : 8448, 256, argument);
}

static bool fill(void *data, void *array, int64_t n, struct value value)
{
    struct gpu_work *work = data;
    const struct gpu_driver *d = work->driver;
    size_t size = type_size(value.type), bytes = (size_t)n * size;
    static const uint64_t zero[2] = {0};
    uint64_t bits[2] = {0};
    uint64_t at = address(array);
    value_store(value, bits);
    if (memcmp(bits, zero, sizeof zero) == 0)
        return done(work, "cuMemsetD8Async", d->fill8(at, 0, bytes, work->stream));
    switch (size) {
    case 1:
        return done(work, "cuMemsetD8Async",
                    d->fill8(at, (unsigned char)bits[0], (size_t)n, work->stream));
    case 2:
        return done(work, "cuMemsetD16Async",
                    d->fill16(at, (unsigned short)bits[0], (size_t)n, work->stream));
    case 4:
        return done(work, "cuMemsetD32Async",
                    d->fill32(at, (unsigned)bits[0], (size_t)n, work->stream));
    }
    return fill_wide(work, array, n, value);
}

/* ---- arrays there and back ---- */

static int64_t bytes_of(const struct imp_param *param, const struct imp_argument *argument)
{
    return argument->length * (int64_t)type_size(param->var->type);
}

/* Copies the arguments to the device, also arrays that the kernel writes in place: it may write
 * only a part of them. */
static bool copy_there(struct gpu_work *work, struct gpu_spent *spent)
{
    const struct imp_function *f = work->call->function;
    for (int i = 0; i < f->params; i++) {
        const struct imp_param *param = &f->param[i];
        const struct imp_argument *from = &work->call->argument[i];
        struct imp_argument *to = &work->there[i];
        *to = *from;
        int64_t bytes = param->var->array && !param->out ? bytes_of(param, from) : 0;
        if (work->call->resident[i])
            continue;
        to->data = NULL;
        if (bytes == 0)
            continue;
        spent->there_bytes += bytes;
        if (!allocate(work, &to->data, (size_t)bytes)
            || !done(work, "cuMemcpyHtoDAsync",
                     work->driver->to_device(address(to->data), from->data, (size_t)bytes,
                                             work->stream)))
            return false;
    }
    return true;
}

/* Records an event.  The times are only told, so a run without events has no times. */
static void mark(struct gpu_work *work, enum phase phase)
{
    if (!work->call->stream && work->driver->event(&work->event[phase], 0) == 0)
        work->driver->record(work->event[phase], work->stream);
}

/* Allocates memory of the host for an array that the kernel has made. */
static bool room_for_result(struct gpu_work *work, int i)
{
    const struct imp_allocator *allocator = work->call->allocator;
    struct imp_argument *to = &work->call->argument[i];
    int64_t bytes = bytes_of(&work->call->function->param[i], &work->there[i]);
    to->length = work->there[i].length;
    to->data = allocator->reallocate(allocator->data, NULL, bytes > 0 ? (size_t)bytes : 1);
    return to->data;
}

static bool comes_back(const struct gpu_work *work, int i)
{
    const struct imp_var *var = work->call->function->param[i].var;
    return var->array && !var->constant && !work->call->resident[i];
}

/* Copies the results back.  False without an error of the device's if the host has no memory. */
static bool copy_back(struct gpu_work *work, struct gpu_spent *spent)
{
    const struct imp_function *f = work->call->function;
    for (int i = 0; i < f->params; i++)
        if (f->param[i].out && !work->call->resident[i] && !room_for_result(work, i))
            return false;
    for (int i = 0; i < f->params; i++) {
        int64_t bytes = comes_back(work, i) ? bytes_of(&f->param[i], &work->there[i]) : 0;
        if (bytes == 0)
            continue;
        spent->back_bytes += bytes;
        if (!to_host(work, work->call->argument[i].data, work->there[i].data, (size_t)bytes))
            return false;
    }
    mark(work, PHASE_END);
    return wait(work);
}

/* Does the run copy or make something in place of an array that an earlier run may still read? */
static bool has_to_wait(const struct gpu_work *work)
{
    bool any = !work->call->stream;
    for (int i = 0; i < work->call->function->params; i++)
        any |= comes_back(work, i) || work->call->function->param[i].out;
    return any;
}

/* Releases the arrays on the device.  After a good run the caller keeps those that stay there. */
static void release_all(struct gpu_work *work, bool is_good)
{
    const struct imp_function *f = work->call->function;
    for (int i = 0; i < f->params; i++) {
        bool stays = work->call->resident[i];
        if (stays && f->param[i].out && is_good)
            work->call->argument[i] = work->there[i];
        else if (f->param[i].var->array && (!stays || f->param[i].out))
            release(work, work->there[i].data);
    }
}

/* ---- the run ---- */

static double between(struct gpu_work *work, enum phase phase)
{
    float ms = 0;
    bool both = work->event[phase] && work->event[phase + 1];
    return both && work->driver->elapsed(&ms, work->event[phase], work->event[phase + 1]) == 0 ? ms
                                                                                               : 0;
}

static void take_times(struct gpu_work *work, struct gpu_spent *spent)
{
    spent->there_ms = between(work, PHASE_BEGIN);
    spent->kernel_ms = between(work, PHASE_COPIED);
    spent->back_ms = between(work, PHASE_RUN);
    for (int p = 0; p < PHASES; p++)
        if (work->event[p])
            work->driver->event_end(work->event[p]);
}

static void phases(struct gpu_work *work, struct context *cx, struct imp_run *run,
                   struct gpu_spent *spent)
{
    const struct imp_device device = {.entry = work->call->entry,
                                      .entries = work->call->entries,
                                      .allocate = allocate,
                                      .release = release,
                                      .fill = fill,
                                      .copy = copy,
                                      .fetch = fetch,
                                      .launch = launch,
                                      .data = work};
    const struct imp_options options = {.device = &device, .stop = work->call->stop};
    mark(work, PHASE_BEGIN);
    run->status = STATUS_NO_MEMORY;
    if (!copy_there(work, spent))
        return;
    mark(work, PHASE_COPIED);
    *run = imp_interpret(cx, work->call->function, work->there, &options);
    mark(work, PHASE_RUN);
    /* waiting shows a launch's faults before the results change */
    if (run->status != STATUS_OK || run->fault || work->result)
        return;
    if (has_to_wait(work) && (!wait(work) || !copy_back(work, spent)))
        run->status = STATUS_NO_MEMORY;
}

enum gpu_status gpu_run(struct gpu_kernel *kernel, struct context *cx, const struct gpu_call *call,
                        enum imp_status *status, struct gpu_spent *spent, char **error)
{
    struct gpu *gpu = kernel->gpu;
    struct gpu_work work = {.kernel = kernel,
                            .driver = &gpu->libraries.driver,
                            .stream = call->stream ? call->stream : gpu->stream,
                            .call = call};
    struct imp_run run = {0};
    *error = NULL;
    *spent = (struct gpu_spent){0};
    work.there = arena_array(cx->arena, struct imp_argument, call->function->params);
    if (!gpu_enter(gpu))
        return gpu_complain(gpu, "cuCtxPushCurrent", 1, error);
    phases(&work, cx, &run, spent);
    /* the caller may free memory of the host that a copy still uses */
    if (work.result || spent->there_bytes > 0)
        work.driver->wait(work.stream);
    release_all(&work, run.status == STATUS_OK && !run.fault && !work.result);
    take_times(&work, spent);
    gpu_leave(gpu);
    *status = run.status;
    if (work.result)
        return gpu_complain(gpu, work.what, work.result, error);
    if (run.fault)
        *error = gpu_text("%s", run.fault);
    return run.fault ? GPU_FAILED : GPU_OK;
}
