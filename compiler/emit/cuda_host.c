/* cuda_host.c - host code around launches, in CUDA.
 *
 * Memory is the device's, asked for and released in the order of the stream.  Every call may fail:
 * what it says becomes the status, by which the function leaves.
 *
 *     if ((status = cuda_status(SPCC_RELEASE(w, stream))) != 0)
 *         goto fail;
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/emit/c.h"

/* ---- helpers ---- */

/* Open a helper that only the host has. */
static bool begin(struct c_writer *w, const char *name)
{
    if (!c_helper_begin(w, name))
        return false;
    text_add(&w->helpers, "#ifndef __CUDACC_RTC__\n");
    return true;
}

static void end(struct c_writer *w)
{
    text_add(&w->helpers, "#endif\n");
    c_helper_end(w);
}

static const char *status_helper(struct c_writer *w)
{
    if (begin(w, "cuda_status")) {
        text_add(&w->helpers,
                 "/* 0, 1 where there is no memory, and else the error's number, negated. */\n"
                 "static inline int cuda_status(cudaError_t error)\n{\n"
                 "    return error == cudaErrorMemoryAllocation ? 1 : -(int)error;\n}\n");
        end(w);
    }
    return "cuda_status";
}

static const char *allocate_helper(struct c_writer *w)
{
    if (begin(w, "cuda_allocate")) {
        text_add(&w->helpers,
                 "/* Room for n elements of size bytes. */\n"
                 "static inline cudaError_t cuda_allocate(void **array, int64_t n, size_t size,\n"
                 "                                        cudaStream_t stream)\n{\n"
                 "    if (n < 0 || (uint64_t)n > (size_t)-1 / size)\n"
                 "        return cudaErrorMemoryAllocation;\n"
                 "    return SPCC_ALLOC(array, n > 0 ? (size_t)n * size : size, stream);\n}\n");
        end(w);
    }
    return "cuda_allocate";
}

static const char *zero_helper(struct c_writer *w)
{
    if (begin(w, "cuda_zero")) {
        text_add(&w->helpers,
                 "/* Elements of size bytes, from begin to end, become 0. */\n"
                 "static inline cudaError_t cuda_zero(void *array, int64_t begin, int64_t end, "
                 "size_t size,\n                                    cudaStream_t stream)\n{\n"
                 "    if (begin >= end)\n        return cudaSuccess;\n"
                 "    return cudaMemsetAsync((char *)array + (size_t)begin * size, 0,\n"
                 "                           (size_t)(end - begin) * size, stream);\n}\n");
        end(w);
    }
    return "cuda_zero";
}

static const char *copy_helper(struct c_writer *w)
{
    if (begin(w, "cuda_copy")) {
        text_add(&w->helpers,
                 "/* n elements of size bytes go to a position, from one of another array. */\n"
                 "static inline cudaError_t cuda_copy(void *array, int64_t at, const void *other,\n"
                 "                                    int64_t first, int64_t n, size_t size,\n"
                 "                                    cudaStream_t stream)\n{\n"
                 "    if (n <= 0)\n        return cudaSuccess;\n"
                 "    return cudaMemcpyAsync((char *)array + (size_t)at * size,\n"
                 "                           (const char *)other + (size_t)first * size, (size_t)n "
                 "* size,\n                           cudaMemcpyDeviceToDevice, stream);\n}\n");
        end(w);
    }
    return "cuda_copy";
}

static const char *fetch_helper(struct c_writer *w)
{
    if (begin(w, "cuda_fetch")) {
        text_add(
            &w->helpers,
            "/* What is in the device's memory, when all before it is done. */\n"
            "static inline cudaError_t cuda_fetch(void *value, const void *from, size_t size,\n"
            "                                     cudaStream_t stream)\n{\n"
            "    cudaError_t error = cudaMemcpyAsync(value, from, size, "
            "cudaMemcpyDeviceToHost, stream);\n"
            "    return error != cudaSuccess ? error : cudaStreamSynchronize(stream);\n}\n");
        end(w);
    }
    return "cuda_fetch";
}

/* Elements get a value by a launch: 8448 blocks of 256 threads at most, which go on by strides. */
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
           || imp->kind == IMP_FILL || imp->kind == IMP_COPY || is_fetch(imp);
}

/* The call's error, if there is one, is the end. */
static void check(struct c_writer *w, const char *call)
{
    c_line(w, 4, "if ((status = %s(%s)) != 0)", status_helper(w), call);
    w->indent += C_INDENT;
    c_line(w, 0, "goto fail;");
    w->indent -= C_INDENT;
    w->uses_fail = true;
}

void c_cuda_allocate(struct c_writer *w, const struct imp *imp)
{
    check(w, arena_printf(w->cx->arena,
                          "%s((void **)&%s," C_BREAK "%s," C_BREAK "sizeof(%s)," C_BREAK "stream)",
                          allocate_helper(w), c_name(w, imp->var), c_value(w, imp->arg[0]),
                          c_type(w, imp->var->type)));
}

void c_cuda_free(struct c_writer *w, const struct imp_var *var)
{
    check(w, arena_printf(w->cx->arena, "SPCC_RELEASE(%s, stream)", c_name(w, var)));
    if (w->may_fail_yet)
        c_line(w, 0, "%s = NULL;", c_name(w, var));
}

void c_cuda_release(struct c_writer *w, const struct imp_var *var)
{
    c_line(w, 0, "if (%s)", c_name(w, var));
    c_line(w, 0, "    SPCC_RELEASE(%s, stream);", c_name(w, var));
}

void c_cuda_fill(struct c_writer *w, const struct imp *imp)
{
    const char *name = c_name(w, imp->var), *begin = c_value(w, imp->arg[0]),
               *end = c_value(w, imp->arg[1]);
    if (c_is_zero_bytes(imp->arg[2]))
        check(w, arena_printf(w->cx->arena,
                              "%s(%s," C_BREAK "%s," C_BREAK "%s," C_BREAK "sizeof(%s)," C_BREAK
                              "stream)",
                              zero_helper(w), name, begin, end, c_type(w, imp->var->type)));
    else
        check(w, arena_printf(w->cx->arena,
                              "%s(%s," C_BREAK "%s," C_BREAK "%s," C_BREAK "%s," C_BREAK "stream)",
                              fill_helper(w, imp->var->type), name, begin, end,
                              c_value(w, imp->arg[2])));
}

void c_cuda_copy(struct c_writer *w, const struct imp *imp)
{
    check(w, arena_printf(w->cx->arena,
                          "%s(%s," C_BREAK "%s," C_BREAK "%s," C_BREAK "%s," C_BREAK "%s," C_BREAK
                          "sizeof(%s)," C_BREAK "stream)",
                          copy_helper(w), c_name(w, imp->var), c_value(w, imp->arg[0]),
                          c_name(w, imp->arg[1]->var), c_value(w, imp->arg[2]),
                          c_value(w, imp->arg[3]), c_type(w, imp->var->type)));
}

void c_cuda_fetch(struct c_writer *w, const struct imp *imp)
{
    const struct imp *load = imp->arg[0]->arg[0];
    check(w, arena_printf(w->cx->arena,
                          "%s(&%s," C_BREAK "&%s[%s]," C_BREAK "sizeof(%s)," C_BREAK "stream)",
                          fetch_helper(w), c_name(w, imp->var), c_name(w, load->var),
                          c_position(w, load->arg[0], C_ANY), c_type(w, imp->var->type)));
}

/* A grid of no blocks is an error to CUDA, and nothing to do. */
void c_cuda_launch(struct c_writer *w, const struct imp *imp)
{
    const struct c_part *part = c_part_of(w, imp);
    const struct imp *blocks = imp->arg[0];
    bool some = blocks->kind == IMP_LITERAL && blocks->value.i > 0;
    struct text text = text_new(w->cx->arena);
    text_printf(&text, "SPCC_LAUNCH(%s," C_BREAK "%s," C_BREAK "%d," C_BREAK "stream", part->name,
                c_value(w, blocks), (int)imp->n);
    for (size_t i = 0; i < part->outer.n; i++)
        text_printf(&text, "," C_BREAK "%s", c_name(w, part->outer.at[i]));
    if (!some)
        c_line(w, 4, "if (%s)",
               c_at(w, imp_op2(w->cx, OP_GT, blocks, imp_int(w->cx, TYPE_I32, 0)), C_ANY));
    w->indent += some ? 0 : C_INDENT;
    c_line(w, 12, "%s);", text.at);
    w->indent -= some ? 0 : C_INDENT;
    check(w, "cudaGetLastError()");
}
