/* batch.c - many kernels compiled from one source.
 *
 * Kernels bring static functions with them, under names that they share; for each kernel these are
 * renamed by macros.
 *
 * SPDX-License-Identifier: MIT
 */
#include "tests/support/batch.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/base/text.h"
#include "tests/support/batch_gpu.h"
#include "tests/support/device.h"
#include "tests/support/trial_parts.h"

enum { BATCH_MAX = 64, FLAGS_MAX = 16, HELPERS_MAX = 64 };

bool batch_choose(struct batch_engine *engine, const char *name)
{
    engine->compiled = strcmp(name, "interp") != 0;
    engine->emulated = strcmp(name, "emulator") == 0;
    engine->for_gpu = engine->emulated || strcmp(name, "gpu") == 0;
    engine->engine = strcmp(name, "cc") == 0 ? JIT_CC : JIT_CLANG;
    return !engine->compiled || engine->for_gpu || engine->engine == JIT_CC
           || strcmp(name, "clang") == 0;
}

const char *batch_open(struct batch_engine *engine, const char *flags)
{
    static const char *flag[FLAGS_MAX + 1];
    static char words[512], why[512];
    char *error = NULL, *rest = NULL;
    int n = 0;
    if (engine->for_gpu)
        return !engine->emulated || device_can_build() ? NULL : "there is no g++ for x86-64";
    snprintf(words, sizeof words, "%s", flags ? flags : "");
    for (char *word = strtok_r(words, " ", &rest); word && n < FLAGS_MAX;
         word = strtok_r(NULL, " ", &rest))
        flag[n++] = word;
    struct jit_options options = {.size = sizeof options, .cache = "", .flags = flag, .level = 1};
    enum jit_status status = jit_new(&options, &engine->jit, &error);
    char *name = status == JIT_OK ? jit_engine_name(engine->jit, engine->engine, &error) : NULL;
    snprintf(why, sizeof why, "%s", error ? error : "the engine is not there");
    bool good = name != NULL;
    free(error);
    free(name);
    return good ? NULL : why;
}

void batch_close(struct batch_engine *engine)
{
    jit_free(engine->jit);
    engine->jit = NULL;
}

/* ---- one source ---- */

static bool is_name(char c) { return isalnum((unsigned char)c) || c == '_'; }

/* The name that a line which begins a static function declares; NULL if it does not. */
static const char *static_function(const char *line, size_t *length)
{
    if (strncmp(line, "static", 6) != 0)
        return NULL;
    size_t end = strcspn(line, "\n");
    const char *open = memchr(line, '(', end);
    /* __attribute__((...)) may come before the name */
    while (open && open > line && strncmp(open, "((", 2) == 0) {
        const char *close = strstr(open, "))");
        open = close && close < line + end
                   ? memchr(close + 2, '(', (size_t)(line + end - close - 2))
                   : NULL;
    }
    const char *begin = open;
    while (begin && begin > line && is_name(begin[-1]))
        begin--;
    *length = open ? (size_t)(open - begin) : 0;
    return *length ? begin : NULL;
}

static void add_renaming(struct text *out, const char *code, int number, const char *directive)
{
    for (const char *line = code; *line; line += strcspn(line, "\n"), line += *line == '\n') {
        size_t n;
        const char *name = static_function(line, &n);
        if (name && strcmp(directive, "define") == 0)
            text_printf(out, "#undef %.*s\n#define %.*s %.*s_%d\n", (int)n, name, (int)n, name,
                        (int)n, name, number);
        else if (name)
            text_printf(out, "#undef %.*s\n", (int)n, name);
    }
}

static void add_kernel(struct text *source, const char *code, int number)
{
    add_renaming(source, code, number, "define");
    text_add(source, code);
    text_add(source, "\n");
    add_renaming(source, code, number, "undef");
}

/* ---- compiling and calling ---- */

struct batch {
    const struct pipeline *kernel[BATCH_MAX];
    char name[BATCH_MAX][32], call_name[BATCH_MAX][40];
};

static void generate(struct batch *batch, struct trial *trial, int i)
{
    batch->kernel[i] = NULL;
    snprintf(batch->name[i], sizeof batch->name[i], "kernel_%d", i);
    snprintf(batch->call_name[i], sizeof batch->call_name[i], "kernel_%d_call", i);
    if (trial->verdict != TRIAL_RIGHT)
        return;
    if (context_protect(trial->cx)) /* every other one in parts */
        batch->kernel[i] = trial->test->shuffle % 2
                               ? trial_compile_in_parts(trial, batch->name[i])
                               : trial_compile(trial, KERNEL_FUSED, false, batch->name[i]);
    else
        trial_fail(trial, "emitting for the runtime: %s",
                   trial->cx->bug ? trial->cx->bug : "no memory");
}

/* NULL if the compiler refuses; *error is then to be freed. */
static struct jit_kernel *load(const struct batch_engine *engine, const char *source, char **error)
{
    struct jit_kernel *kernel = NULL;
    enum jit_status status =
        jit_compile(engine->jit, engine->engine, source, NULL, &kernel, NULL, error);
    return status == JIT_OK ? kernel : NULL;
}

static void call(struct trial *trial, const struct batch *batch, int i,
                 const struct jit_kernel *code)
{
    int (*function)(void *const *) = NULL;
    void *address = jit_symbol(code, batch->call_name[i]);
    memcpy(&function, &address, sizeof function);
    if (!function)
        trial_fail(trial, "the compiled code has no %s", batch->call_name[i]);
    else
        trial_call(trial, batch->kernel[i], function);
}

/* Call a kernel on the tensors of each trial that shares it. */
static void call_group(struct trial *trial, const struct batch *batch, int i, int share,
                       const struct jit_kernel *code, uint64_t *at)
{
    for (int k = i * share; k < (i + 1) * share; k++) {
        *at = trial[k].test ? trial[k].test->seed : *at;
        if (trial[k].test && trial[k].verdict == TRIAL_RIGHT)
            call(&trial[k], batch, i, code);
    }
}

/* Kernel by kernel, to see which the compiler does not like. */
static void call_alone(const struct batch_engine *engine, struct trial *trial,
                       const struct batch *batch, int i, int share, uint64_t *at)
{
    char *error = NULL;
    struct jit_kernel *code = load(engine, batch->kernel[i]->c, &error);
    if (code)
        call_group(trial, batch, i, share, code, at);
    else
        trial_fail(&trial[i * share], "the C compiler refuses the code: %s",
                   error ? error : "without saying why");
    free(error);
    jit_release(code);
}

void batch_call_shared(const struct batch_engine *engine, struct trial *trial, int n, int share,
                       uint64_t *at)
{
    struct batch batch;
    struct arena *arena = arena_new(NULL, NULL);
    struct text source = text_new(arena);
    char *error = NULL;
    for (int i = 0; i < n; i++) {
        *at = trial[i * share].test->seed;
        generate(&batch, &trial[i * share], i);
        if (batch.kernel[i])
            add_kernel(&source, batch.kernel[i]->c, i);
    }
    struct jit_kernel *code = load(engine, source.at, &error);
    for (int i = 0; i < n; i++) {
        *at = trial[i * share].test->seed;
        if (batch.kernel[i] && code)
            call_group(trial, &batch, i, share, code, at);
        else if (batch.kernel[i])
            call_alone(engine, trial, &batch, i, share, at);
    }
    free(error);
    jit_release(code);
    arena_free(arena);
}

/* ---- on a GPU, or a CPU that is one ---- */

struct emulation {
    struct device_program program;
    const struct pipeline *const *kernel;
    int number[BATCH_MAX], at;
    uint64_t seed[3]; /* of orders of threads */
};

/* The trial's kernel with a schedule for a GPU; NULL: none is accepted. */
static const struct pipeline *compile_on_gpu(struct context *cx, struct trial *trial, int i)
{
    const char *name = arena_printf(cx->arena, "kernel_%d", i);
    if (trial->verdict != TRIAL_RIGHT)
        return NULL;
    if (context_protect(trial->cx))
        return trial_compile_on_gpu(trial, name);
    trial_fail(trial, "emitting for a GPU: %s", trial->cx->bug ? trial->cx->bug : "no memory");
    return NULL;
}

static bool is_update(const struct imp *imp, void *unused)
{
    (void)unused;
    return imp->kind == IMP_ATOMIC || imp->kind == IMP_UPDATE;
}

/* Where threads add up as they come one order has not the bits of another. */
static struct imp_run emulate(void *data, const struct imp_function *kernel,
                              struct imp_argument *argument)
{
    const struct emulation *e = data;
    struct device_order order = {e->seed, imp_any(kernel->body, is_update, NULL) ? 1 : 3};
    return device_run(&e->program, e->number[e->at], kernel, argument, &order);
}

/* Kernel by kernel, to see which the compiler does not like. */
static void build_alone(struct emulation *e, struct trial *trial, int i)
{
    struct device_program alone;
    device_open(&alone, e->program.cx);
    device_add(&alone, e->kernel[i]->imperative, e->kernel[i]->c);
    const char *refused = device_build(&alone);
    if (refused)
        trial_fail(trial, "%s: refused: %s", trial->schedule, refused);
    device_close(&alone);
}

static void run_emulated(struct emulation *e, struct trial *trial, int i)
{
    struct trial_runner runner = {trial->schedule, emulate, e};
    e->at = i;
    for (int s = 0; s < 3; s++)
        e->seed[s] = trial->test->shuffle + (uint64_t)s;
    trial_run(trial, e->kernel[i], &runner);
    trial->launched++;
}

static void emulate_all(struct emulation *e, struct trial *trial, int n, uint64_t *at)
{
    for (int i = 0; i < n; i++)
        if (e->kernel[i])
            e->number[i] = device_add(&e->program, e->kernel[i]->imperative, e->kernel[i]->c);
    bool refused = device_build(&e->program) != NULL;
    for (int i = 0; i < n; i++) {
        *at = trial[i].test->seed;
        if (e->kernel[i] && refused)
            build_alone(e, &trial[i], i);
        else if (e->kernel[i])
            run_emulated(e, &trial[i], i);
    }
}

static void run_for_gpu(struct context *cx, bool emulated, struct trial *trial, int n, uint64_t *at)
{
    const struct pipeline **kernel = arena_array(cx->arena, const struct pipeline *, n);
    for (int i = 0; i < n; i++) {
        *at = trial[i].test->seed;
        kernel[i] = compile_on_gpu(cx, &trial[i], i);
    }
    if (!emulated) {
        batch_run_on_gpu(cx, trial, kernel, n, at);
        return;
    }
    struct emulation *e = arena_make(cx->arena, struct emulation);
    e->kernel = kernel;
    device_open(&e->program, cx);
    emulate_all(e, trial, n, at);
    device_close(&e->program);
}

static void call_for_gpu(bool emulated, struct trial *trial, int n, uint64_t *at)
{
    struct context *cx = context_new();
    if (cx && context_protect(cx))
        run_for_gpu(cx, emulated, trial, n, at);
    else
        trial_fail(&trial[0], "%s", cx ? trial_unwound(cx) : "no memory");
    if (cx)
        context_free(cx);
}

void batch_call(const struct batch_engine *engine, struct trial *trial, int n, uint64_t *at)
{
    if (engine->for_gpu)
        call_for_gpu(engine->emulated, trial, n, at);
    else
        batch_call_shared(engine, trial, n, 1, at);
}
