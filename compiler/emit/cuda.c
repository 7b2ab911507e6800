/* cuda.c - what a file of CUDA has otherwise than one of C.
 *
 * A launch becomes a __global__ function, named as the part of a parallel loop is; the kernel is
 * host code around calls of these.  No header of CUDA's is needed for the former: so one text goes
 * through nvcc, clang, NVRTC, which leaves out the host code, and an emulator, which says what a
 * launch is.
 *
 * SPDX-License-Identifier: MIT
 */
#include <string.h>

#include "compiler/emit/c.h"
#include "compiler/emit/c_words.h"
#include "compiler/imperative/query.h"

/* ---- functions ---- */

/* Can only a device run it, or what it calls? */
static bool is_of_device(const struct imp *imp, void *data)
{
    (void)data;
    return imp->kind == IMP_ATOMIC || imp->kind == IMP_UPDATE || imp->kind == IMP_BARRIER
           || imp->kind == IMP_EXCHANGE
           || (imp->kind == IMP_CALL && imp_any(imp->function->body, is_of_device, NULL));
}

static const char *before(const struct c_writer *w)
{
    if (w->launch)
        return "SPCC_KERNEL ";
    if (!w->function->helper)
        return "";
    if (w->function->launches)
        return "static inline ";
    return imp_any(w->function->body, is_of_device, NULL) ? "static __device__ inline "
                                                          : c_inline(w);
}

/* Declares the numbers of a thread, at the beginning of its function. */
static void begin_threads(struct c_writer *w)
{
    static const char *const number[] = {"blockIdx", "threadIdx"};
    const struct imp *launch = w->launch;
    w->indent += C_INDENT;
    for (int i = 0; launch && i < 2; i++) {
        const struct imp_var *var = imp_declared(launch, i);
        if (c_is(w->cx, c_own_uses(w), var, C_USED))
            c_line(w, 0, "const %s %s = (%s)%s.x;", c_type(w, var->type), c_name(w, var),
                   c_type(w, var->type), number[i]);
    }
    w->indent -= C_INDENT;
}

/* ---- files ---- */

static void includes(struct text *out)
{
    text_add(
        out,
        "#ifdef __CUDACC_RTC__\n#define SPCC_KERNEL extern \"C\" __global__\n"
        "#pragma nv_diag_suppress 177 /* functions that host code alone calls */\n"
        "typedef signed char int8_t;\ntypedef short int16_t;\ntypedef int int32_t;\n"
        "typedef long long int64_t;\ntypedef unsigned char uint8_t;\n"
        "typedef unsigned short uint16_t;\ntypedef unsigned uint32_t;\n"
        "typedef unsigned long long uint64_t;\n"
        "#define __builtin_inf()      __longlong_as_double(0x7ff0000000000000)\n"
        "#define __builtin_inff()     __int_as_float(0x7f800000)\n"
        "#define __builtin_nan(text)  __longlong_as_double(0x7ff8000000000000)\n"
        "#define __builtin_nanf(text) __int_as_float(0x7fc00000)\n#else\n#include <stdint.h>\n\n"
        "#define SPCC_KERNEL static __global__\n#ifndef SPCC_LAUNCH\n"
        "#define SPCC_LAUNCH(kernel, blocks, threads, stream, ...) \\\n"
        "    kernel<<<blocks, threads, 0, stream>>>(__VA_ARGS__)\n#endif\n"
        "#ifndef SPCC_ALLOC\n#define SPCC_ALLOC cudaMallocAsync\n"
        "#define SPCC_RELEASE cudaFreeAsync\n#endif\n#endif\n\n");
}

/* ---- what there is no code for ---- */

struct refusal {
    const char *what;
    bool launches;
};

static bool is_refused(const struct imp *imp, void *data)
{
    struct refusal *refusal = data;
    bool memory = imp->kind == IMP_KEEP || imp->kind == IMP_TAKE || imp->kind == IMP_MOVE
                  || imp->kind == IMP_JOIN;
    bool is_update = imp->kind == IMP_ATOMIC || imp->kind == IMP_UPDATE;
    refusal->launches |= imp->kind == IMP_LAUNCH;
    refusal->what = imp->kind == IMP_PARALLEL           ? "a parallel loop"
                    : imp->kind == IMP_THREADS          ? "a number of threads of the host"
                    : imp->kind == IMP_STOPPED          ? "a question of the host"
                    : imp->kind == IMP_RESIZE || memory ? "an array that grows"
                    : imp->kind == IMP_PREFETCH         ? "a prefetch"
                    : imp->lanes > 1                    ? "a vector"
                    : is_update && !c_cuda_can_update(imp)
                        ? "an update by several threads of 16 bytes at once (the parts of a c128 "
                          "are summed apart)"
                    : imp->kind == IMP_COPY && imp->arg[1]->var == imp->var
                        ? "elements that move within an array"
                        : NULL;
    return refusal->what;
}

/* Does host code touch memory otherwise than by what it fetches, fills and copies? */
static bool touches(const struct imp *imp)
{
    bool does = imp->kind == IMP_LOAD || imp->kind == IMP_STORE || imp->kind == IMP_ATOMIC;
    for (int i = 0; i < imp->args && !does && imp->kind != IMP_FETCH; i++)
        does = touches(imp->arg[i]);
    return does;
}

static bool accepts(struct c_writer *w)
{
    struct refusal refusal = {NULL, false};
    bool refused = imp_any(w->kernel->body, is_refused, &refusal);
    for (int i = 0; i < w->kernel->helpers && !refused; i++)
        refused = imp_any(w->kernel->helper_at[i]->body, is_refused, &refusal);
    if (!refused && !refusal.launches && touches(w->kernel->body))
        refusal.what = "a kernel that touches memory and launches nothing";
    if (refusal.what)
        diag_error(w->cx, DIAG_LOWER, (struct span){0}, "there is no CUDA code for %s",
                   refusal.what);
    return !refusal.what;
}

/* ---- statements ---- */

static bool host_statement(struct c_writer *w, const struct imp *imp)
{
    if (imp->kind == IMP_LAUNCH)
        c_cuda_launch(w, imp);
    else if (imp->kind == IMP_ALLOC)
        c_cuda_allocate(w, imp);
    else if (imp->kind == IMP_FILL)
        c_cuda_fill(w, imp);
    else if (imp->kind == IMP_COPY)
        c_cuda_copy(w, imp);
    else if (imp->kind == IMP_DO && imp_launches(imp->arg[0]))
        c_cuda_do(w, imp);
    if (!c_is_event(imp))
        return c_cuda_calls(imp);
    if (imp->kind == IMP_DECLARE)
        c_line(w, 0, "%s %s;", c_type(w, imp->var->type), c_name(w, imp->var));
    c_cuda_fetch(w, imp);
    return true;
}

static bool statement(struct c_writer *w, const struct imp *imp)
{
    if (!w->part && (!w->function->helper || w->function->launches))
        return host_statement(w, imp);
    if (imp->kind == IMP_BARRIER)
        c_cuda_barrier(w, imp);
    else if (c_is_event(imp))
        c_cuda_update(w, imp);
    return imp->kind == IMP_BARRIER || c_is_event(imp);
}

const struct c_device c_cuda = {
    .is_reserved = cuda_word_is_reserved,
    .type = c_cuda_type,
    .function = c_cuda_function,
    .convert = c_cuda_convert,
    .accepts = accepts,
    .includes = includes,
    .before = before,
    .begin = begin_threads,
    .bounds = c_cuda_bounds,
    .loop = c_cuda_loop,
    .calls = c_cuda_calls,
    .check = c_cuda_check,
    .statement = statement,
    .fetch = c_cuda_fetch,
    .free = c_cuda_free,
    .release = c_cuda_release,
    .exchange = c_cuda_exchange,
    .update = c_cuda_atomic,
    .load_helper = c_cuda_load_helper,
    .exchange_helper = c_cuda_exchange_helper,
};
