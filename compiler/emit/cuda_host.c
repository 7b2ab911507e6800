/* cuda_host.c - host code around launches, in CUDA.
 *
 * Memory is the device's, asked for and released in the order of the stream.  Every call may fail:
 * what it says becomes the status, by which the function leaves.
 *
 *     SPCC_TRY(cuda_allocate(w, n, stream));
 *     SPCC_GRID(evaluate_block, blocks, 256, stream, w);
 *     SPCC_TRY(cuda_release(stream, w));
 *
 * SPDX-License-Identifier: MIT
 */
#include <string.h>

#include "compiler/emit/c.h"
#include "compiler/imperative/query.h"

/* ---- helpers ---- */

/* Returns the name of a helper that only the host has. */
static const char *helper(struct c_writer *w, const char *name, const char *text)
{
    if (c_helper_begin(w, name)) {
        text_printf(&w->helpers, "#ifndef __CUDACC_RTC__\n%s#endif\n", text);
        c_helper_end(w);
    }
    return name;
}

/* Writes the macros that end a function in which a call fails.  A grid of no blocks is an error to
 * CUDA, and nothing to do. */
static void status_helper(struct c_writer *w)
{
    helper(w, "cuda_status",
           "/* The function ends where a call fails, or a launch. */\n"
           "#define SPCC_TRY(call)                         \\\n"
           "    do {                                       \\\n"
           "        if ((status = cuda_status(call)) != 0) \\\n"
           "            goto fail;                         \\\n"
           "    } while (0)\n"
           "#define SPCC_GRID(kernel, blocks, threads, stream, ...)                \\\n"
           "    do {                                                               \\\n"
           "        if ((blocks) > 0)                                              \\\n"
           "            SPCC_LAUNCH(kernel, blocks, threads, stream, __VA_ARGS__); \\\n"
           "        SPCC_TRY(cudaGetLastError());                                  \\\n"
           "    } while (0)\n\n"
           "/* 0, 1 where there is no memory, and else the error's number, negated. */\n"
           "static inline int cuda_status(cudaError_t error)\n{\n"
           "    return error == cudaErrorMemoryAllocation ? 1 : -(int)error;\n}\n");
    w->uses_fail = true;
}

static const char *allocate_helper(struct c_writer *w)
{
    return helper(w, "cuda_allocate",
                  "/* Room for n elements. */\n"
                  "template <class T>\n"
                  "static inline cudaError_t cuda_allocate(T *&array, int64_t n, "
                  "cudaStream_t stream)\n{\n"
                  "    if (n < 0 || (uint64_t)n > (size_t)-1 / sizeof(T))\n"
                  "        return cudaErrorMemoryAllocation;\n"
                  "    return SPCC_ALLOC((void **)&array, (n > 0 ? (size_t)n : 1) * sizeof(T), "
                  "stream);\n}\n");
}

static const char *release_helper(struct c_writer *w)
{
    return helper(
        w, "cuda_release",
        "template <class T> static inline cudaError_t cuda_release_one(cudaStream_t stream, "
        "T *&array)\n{\n"
        "    T *was = array;\n    array = NULL;\n"
        "    return was ? SPCC_RELEASE((void *)was, stream) : cudaSuccess;\n}\n\n"
        "/* Arrays are released, and NULL then; the first error. */\n"
        "template <class... T> static inline cudaError_t cuda_release(cudaStream_t stream, "
        "T *&...array)\n{\n"
        "    cudaError_t error = cudaSuccess;\n"
        "    cudaError_t each[] = {cuda_release_one(stream, array)...};\n"
        "    for (cudaError_t one : each)\n"
        "        error = error != cudaSuccess ? error : one;\n    return error;\n}\n");
}

static const char *aligned_helper(struct c_writer *w)
{
    return helper(
        w, "cuda_aligned",
        "/* Each array begins at a multiple of what its elements need, or it is an error. */\n"
        "template <class... T> static inline cudaError_t cuda_aligned(const T *...array)\n{\n"
        "    size_t over[] = {(size_t)array % alignof(T)...};\n"
        "    for (size_t bytes : over)\n"
        "        if (bytes != 0)\n            return cudaErrorMisalignedAddress;\n"
        "    return cudaSuccess;\n}\n");
}

static const char *zero_helper(struct c_writer *w)
{
    return helper(w, "cuda_zero",
                  "/* Elements from begin to end become 0. */\n"
                  "template <class T>\n"
                  "static inline cudaError_t cuda_zero(T *array, int64_t begin, int64_t end, "
                  "cudaStream_t stream)\n{\n"
                  "    if (begin >= end)\n        return cudaSuccess;\n"
                  "    return cudaMemsetAsync(array + begin, 0, (size_t)(end - begin) * sizeof(T), "
                  "stream);\n}\n");
}

static const char *copy_helper(struct c_writer *w)
{
    return helper(w, "cuda_copy",
                  "/* n elements go to a position, from one of another array. */\n"
                  "template <class T>\n"
                  "static inline cudaError_t cuda_copy(T *array, int64_t at, const T *other, "
                  "int64_t first,\n"
                  "                                    int64_t n, cudaStream_t stream)\n{\n"
                  "    if (n <= 0)\n        return cudaSuccess;\n"
                  "    return cudaMemcpyAsync(array + at, other + first, (size_t)n * sizeof(T),\n"
                  "                           cudaMemcpyDeviceToDevice, stream);\n}\n");
}

static const char *fetch_helper(struct c_writer *w)
{
    return helper(w, "cuda_fetch",
                  "/* What is in the device's memory, when all before it is done. */\n"
                  "template <class T>\n"
                  "static inline cudaError_t cuda_fetch(T &value, const T *from, "
                  "cudaStream_t stream)\n{\n"
                  "    cudaError_t error = cudaMemcpyAsync(&value, from, sizeof(T), "
                  "cudaMemcpyDeviceToHost, stream);\n"
                  "    return error != cudaSuccess ? error : cudaStreamSynchronize(stream);\n}\n");
}

/* Returns the name of a function that fills an array by a launch, of 8448 blocks of 256 threads at
 * most, which go on by strides. */
static const char *fill_helper(struct c_writer *w, enum type type)
{
    const char *t = type_name(type), *c = c_type(w, type);
    const char *name = arena_printf(w->cx->arena, "cuda_fill_%s", t);
    if (!c_helper_begin(w, name))
        return name;
    text_printf(&w->helpers,
                "SPCC_KERNEL void __launch_bounds__(256) cuda_fill_%s_block(%s *array, int64_t n, "
                "%s value)\n{\n"
                "    for (int64_t i = (int64_t)blockIdx.x * 256 + threadIdx.x; i < n;\n"
                "         i += (int64_t)gridDim.x * 256)\n        array[i] = value;\n}\n\n",
                t, c, c);
    text_printf(
        &w->helpers,
        "#ifndef __CUDACC_RTC__\n/* Elements from begin to end become the value. */\n"
        "static inline cudaError_t %s(%s *array, int64_t begin, int64_t end, %s value,\n"
        "                                        cudaStream_t stream)\n{\n"
        "    int64_t n = end - begin, blocks = n / 256 + 1;\n"
        "    if (n > 0)\n"
        "        SPCC_LAUNCH(cuda_fill_%s_block, (unsigned)(blocks < 8448 ? blocks : 8448), "
        "256, stream,\n                    array + begin, n, value);\n"
        "    return cudaGetLastError();\n}\n#endif\n",
        name, c, c, t);
    c_helper_end(w);
    return name;
}

/* ---- statements ---- */

static bool is_fetch(const struct imp *imp)
{
    return (imp->kind == IMP_DECLARE || imp->kind == IMP_ASSIGN) && imp->args
           && imp->arg[0]->kind == IMP_FETCH;
}

/* May it fail: is it a call? */
bool c_cuda_calls(const struct imp *imp)
{
    return imp->kind == IMP_LAUNCH || imp->kind == IMP_ALLOC || imp->kind == IMP_FREE
           || imp->kind == IMP_FILL || imp->kind == IMP_COPY || is_fetch(imp)
           || (imp->kind == IMP_DO && imp_launches(imp->arg[0]));
}

/* Writes a call whose error, if there is one, ends the function. */
static void check_call(struct c_writer *w, const char *call)
{
    status_helper(w);
    c_line(w, (int)strlen("SPCC_TRY("), "SPCC_TRY(%s);", call);
}

/* Checks the caller's arrays of complex numbers: they may be aligned only as C asks, which is less
 * than our type. */
void c_cuda_check(struct c_writer *w)
{
    struct text arrays = text_new(w->cx->arena);
    for (int i = 0; i < w->function->params; i++) {
        const struct imp_param *param = &w->function->param[i];
        if (param->var->array && !param->out && c_has_own_type(w, param->var->type))
            text_printf(&arrays, "%s%s", arrays.n ? "," C_BREAK : "", c_name(w, param->var));
    }
    if (arrays.n > 0)
        check_call(w, arena_printf(w->cx->arena, "%s(%s)", aligned_helper(w), arrays.at));
}

void c_cuda_allocate(struct c_writer *w, const struct imp *imp)
{
    check_call(w, arena_printf(w->cx->arena, "%s(%s," C_BREAK "%s," C_BREAK "stream)",
                               allocate_helper(w), c_name(w, imp->var), c_value(w, imp->arg[0])));
}

/* Returns a call that releases n arrays. */
static const char *release(struct c_writer *w, const struct imp_var *const *var, int n)
{
    struct text call = text_new(w->cx->arena);
    text_printf(&call, "%s(stream", release_helper(w));
    for (int i = 0; i < n; i++)
        text_printf(&call, "," C_BREAK "%s", c_name(w, var[i]));
    text_add(&call, ")");
    return call.at;
}

int c_cuda_free(struct c_writer *w, const struct imp *const *arg, int n)
{
    struct c_variables freed = {0};
    for (int i = 0; i < n && arg[i]->kind == IMP_FREE; i++)
        vec_push(w->cx->arena, &freed, arg[i]->var);
    if (freed.n > 0)
        check_call(w, release(w, freed.at, (int)freed.n));
    return (int)freed.n;
}

void c_cuda_release(struct c_writer *w, const struct imp_var *const *var, int n)
{
    if (n > 0)
        c_line(w, C_INDENT, "%s;", release(w, var, n));
}

void c_cuda_fill(struct c_writer *w, const struct imp *imp)
{
    const char *name = c_name(w, imp->var), *begin = c_value(w, imp->arg[0]),
               *end = c_value(w, imp->arg[1]);
    if (c_is_zero_bytes(imp->arg[2]))
        check_call(w, arena_printf(w->cx->arena,
                                   "%s(%s," C_BREAK "%s," C_BREAK "%s," C_BREAK "stream)",
                                   zero_helper(w), name, begin, end));
    else
        check_call(w, arena_printf(w->cx->arena,
                                   "%s(%s," C_BREAK "%s," C_BREAK "%s," C_BREAK "%s," C_BREAK
                                   "stream)",
                                   fill_helper(w, imp->var->type), name, begin, end,
                                   c_value(w, imp->arg[2])));
}

void c_cuda_copy(struct c_writer *w, const struct imp *imp)
{
    check_call(w, arena_printf(w->cx->arena,
                               "%s(%s," C_BREAK "%s," C_BREAK "%s," C_BREAK "%s," C_BREAK
                               "%s," C_BREAK "stream)",
                               copy_helper(w), c_name(w, imp->var), c_value(w, imp->arg[0]),
                               c_name(w, imp->arg[1]->var), c_value(w, imp->arg[2]),
                               c_value(w, imp->arg[3])));
}

void c_cuda_fetch(struct c_writer *w, const struct imp *imp)
{
    const struct imp *load = imp->arg[0]->arg[0];
    check_call(w, arena_printf(w->cx->arena, "%s(%s," C_BREAK "&%s[%s]," C_BREAK "stream)",
                               fetch_helper(w), c_name(w, imp->var), c_name(w, load->var),
                               c_position(w, load->arg[0], C_ANY)));
}

/* Launches a part.  In a helper there are always blocks, and its caller looks for errors. */
void c_cuda_launch(struct c_writer *w, const struct imp *imp)
{
    const struct c_part *part = c_part_of(w, imp);
    const char *call = w->function->helper ? "SPCC_LAUNCH(" : "SPCC_GRID(";
    struct text text = text_new(w->cx->arena);
    text_printf(&text, "%s%s," C_BREAK "%s," C_BREAK "%d," C_BREAK "stream", call, part->name,
                c_value(w, imp->arg[0]), (int)imp->n);
    for (size_t i = 0; i < part->outer.n; i++)
        text_printf(&text, "," C_BREAK "%s", c_name(w, part->outer.at[i]));
    c_line(w, (int)strlen(call), "%s);", text.at);
    if (!w->function->helper)
        status_helper(w);
}

/* Calls a helper that launches. */
void c_cuda_do(struct c_writer *w, const struct imp *imp)
{
    const struct imp *call = imp->arg[0];
    struct text text = text_new(w->cx->arena);
    text_printf(&text, "%s(", c_helper_name(w, call->function->name));
    int hanging = (int)text.n;
    for (int i = 0; i < call->args; i++) {
        bool array = call->arg[i]->kind == IMP_VAR && call->arg[i]->var->array;
        text_printf(&text, "%s," C_BREAK,
                    array ? c_name(w, call->arg[i]->var) : c_value(w, call->arg[i]));
    }
    c_line(w, hanging, "%sstream);", text.at);
    if (!w->function->helper)
        check_call(w, "cudaGetLastError()");
}
