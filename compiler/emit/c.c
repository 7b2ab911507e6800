/* c.c - a kernel as a C source file, or as the header that declares it.
 *
 * The functions are written first; what they turn out to need (types, headers, helpers) is then put
 * before them.
 *
 * SPDX-License-Identifier: MIT
 */
#include <ctype.h>
#include <string.h>

#include "compiler/emit/c.h"

/* ---- signatures ---- */

/* Returns the declaration of a parameter, such as `const double *restrict x_vals`. */
static const char *parameter(struct c_writer *w, const struct imp_param *param, bool with_restrict)
{
    const struct imp_var *var = param->var;
    const char *type = c_type(w, var->type);
    if (param->out)
        return arena_printf(w->cx->arena, "%s **%s", type, c_out_name(w, var));
    if (!var->array)
        return arena_printf(w->cx->arena, "%s %s", c_var_type(w, var), c_name(w, var));
    if (var->arrays)
        return arena_printf(w->cx->arena, "void **%s", c_name(w, var));
    bool restricted = with_restrict && !w->iso && var->restricted && !c_is_shared(w, var);
    w->uses_restrict = w->uses_restrict || restricted;
    return arena_printf(w->cx->arena, "%s%s *%s%s", c_is_read_only(w, var) ? "const " : "", type,
                        !restricted ? ""
                        : w->device ? "__restrict__ "
                                    : "restrict ",
                        c_name(w, var));
}

/* Returns the words before the type that the function returns. */
static const char *function_before(const struct c_writer *w)
{
    if (w->device)
        return w->device->before(w);
    return w->function->helper ? c_inline(w) : w->part ? "static " : "";
}

/* The statements by which a kernel for a GPU uses its stream. */
#define IN_STREAM                                                                      \
    (IMP_BIT(LAUNCH) | IMP_BIT(FETCH) | IMP_BIT(ALLOC) | IMP_BIT(FREE) | IMP_BIT(FILL) \
     | IMP_BIT(COPY))

static bool takes_stream(const struct c_writer *w)
{
    return w->device && !w->part && (!w->function->helper || w->function->launches);
}

/* Returns the index of the first parameter that is passed: the function of a launch is not given
 * the numbers of the block and of the thread. */
static int first_parameter(const struct c_writer *w) { return w->launch ? 2 : 0; }

static const char *result_type(struct c_writer *w, bool nothing)
{
    if (w->launch)
        return arena_printf(w->cx->arena, "void %s", w->device->bounds(w));
    return nothing ? "void" : !w->function->helper ? "int" : c_type(w, w->function->result);
}

/* Writes the function's head up to the closing parenthesis, and `end`. */
static void signature(struct c_writer *w, bool with_restrict, const char *end)
{
    const struct imp_function *function = w->function;
    struct text text = text_new(w->cx->arena);
    const char *before = function_before(w);
    bool nothing = w->part ? !c_may_fail(w, function->body) : function->effects;
    const char *result = result_type(w, nothing);
    const char *name = function->helper ? c_helper_name(w, function->name) : function->name;
    text_printf(&text, "%s%s %s(", before, result, name);
    int hanging = (int)text.n;
    int first = first_parameter(w);
    bool stream = takes_stream(w);
    for (int i = first; i < function->params; i++)
        text_printf(&text, "%s%s", i > first ? "," C_BREAK : "",
                    parameter(w, &function->param[i], with_restrict));
    if (stream)
        text_printf(&text, "%scudaStream_t stream", function->params ? "," C_BREAK : "");
    text_printf(&text, "%s)%s", function->params || stream ? "" : "void", end);
    c_line(w, hanging, "%s", text.at);
}

static void unused_parameters(struct c_writer *w)
{
    size_t mark = w->code.n;
    w->indent += C_INDENT;
    for (int i = first_parameter(w); i < w->function->params; i++) {
        const struct imp_param *param = &w->function->param[i];
        if (!param->out && !c_is(w->cx, c_own_uses(w), param->var, C_USED))
            c_line(w, 0, "(void)%s;", c_name(w, param->var));
    }
    if (takes_stream(w) && !imp_has(w->function->body, IN_STREAM))
        c_line(w, 0, "(void)stream;");
    if (w->code.n > mark)
        c_join_lines(w, mark);
    w->indent -= C_INDENT;
}

/* Whether its run is to end, other than in its parts? */
static bool asks(const struct imp *imp)
{
    bool does = imp->kind == IMP_STOPPED;
    for (int i = 0; i < imp->args && !does && !c_is_part(imp); i++)
        does = asks(imp->arg[i]);
    return does;
}

static void function(struct c_writer *w, const struct imp_function *function)
{
    w->function = function;
    w->names = (struct c_names){0};
    if (function->helper && !w->jit && function->brief)
        text_printf(&w->code, "/* %s */\n", function->brief);
    c_name_variables(w, function->body);
    signature(w, true, "");
    text_add(&w->code, "{\n");
    if (w->device)
        w->device->begin(w);
    unused_parameters(w);
    if (asks(function->body))
        text_printf(&w->code, "    %s\n", c_stop_own(w));
    if (function->multiplies && !w->device)
        c_blas_call(w);
    c_body(w, function->body);
    text_add(&w->code, "}\n");
}

/* Writes the functions that parts of this function's loops have become. */
static void part_functions(struct c_writer *w, const struct imp_function *in)
{
    w->part = true;
    for (size_t i = 0; i < w->parts.n; i++) {
        const struct imp *of = w->parts.at[i].of;
        if (w->parts.at[i].in != in)
            continue;
        if (of->kind == IMP_PARALLEL)
            text_add(&w->code, "/* One of the parts, which may run at once. */\n");
        w->launch = of->kind == IMP_LAUNCH ? of : NULL;
        function(w, c_part_function(w, &w->parts.at[i]));
        text_add(&w->code, "\n");
    }
    w->launch = NULL;
    w->part = false;
}

/* Writes a helper, with its launches. */
static void helper(struct c_writer *w, const struct imp_function *of)
{
    bool guarded = c_is_guarded(w);
    if (guarded)
        text_printf(&w->code, "#ifndef SPCC_HAS_%s\n#define SPCC_HAS_%s\n", of->name, of->name);
    part_functions(w, of);
    text_add(&w->code, of->launches ? "#ifndef __CUDACC_RTC__\n" : "");
    function(w, of);
    text_add(&w->code, of->launches ? "#endif\n" : "");
    text_add(&w->code, guarded ? "#endif\n\n" : "\n");
}

/* ---- the head comment ---- */

/* Writes the words of a text on lines that begin with ` * ` and are indented further by `indent`.
 * The first line has begun. */
static void words(struct text *out, const char *text, int column, int indent)
{
    while (*text) {
        size_t n = strcspn(text, " ");
        bool fits = column == indent || column + 1 + (int)n <= C_COLUMNS;
        if (!fits) {
            text_add(out, "\n * ");
            text_indent(out, indent - 3);
            column = indent;
        }
        bool first = column == indent;
        text_add(out, first ? "" : " ");
        text_addn(out, text, n);
        column += (int)n + !first;
        text += n + strspn(text + n, " ");
    }
    text_add(out, "\n");
}

static const char *param_name(struct c_writer *w, const struct imp_param *param)
{
    return param->out ? c_out_name(w, param->var) : c_name(w, param->var);
}

static void document_parameters(struct c_writer *w, struct text *out)
{
    int widest = 0;
    for (int i = 0; i < w->kernel->params; i++) {
        int n = (int)strlen(param_name(w, &w->kernel->param[i]));
        widest = n > widest ? n : widest;
    }
    for (int i = 0; i < w->kernel->params; i++) {
        const struct imp_param *param = &w->kernel->param[i];
        text_printf(out, " *   %-*s  ", widest, param_name(w, param));
        words(out, param->meaning ? param->meaning : "", widest + 7, widest + 7);
    }
}

static void paragraph(struct text *out, const char *text)
{
    text_add(out, " *\n * ");
    words(out, text, 3, 3);
}

static void document_results(struct c_writer *w, struct text *out)
{
    bool has_out = false, has_arrays = false;
    for (int i = 0; i < w->kernel->params; i++) {
        has_out = has_out || w->kernel->param[i].out;
        has_arrays =
            has_arrays || (w->kernel->param[i].var->array && w->kernel->param[i].var->restricted);
    }
    if (has_arrays)
        paragraph(out, "No two of the arrays may overlap.");
    struct text returns = text_new(out->arena);
    text_add(&returns, !w->fails ? "Returns 0" : "Returns 0, or 1 where there is no memory");
    if (w->device && w->fails)
        text_add(&returns, ", or the number of another error of CUDA's, negated");
    if (w->statuses & 1u << STATUS_TOO_LARGE)
        text_add(&returns,
                 ", or 2 where a result has more components than its positions can count");
    if (w->statuses & 1u << STATUS_OUT_OF_RANGE)
        text_add(&returns,
                 ", or 3 where a size is too small for an index that the statement names");
    if (w->statuses & 1u << STATUS_OUT_OF_BOUND)
        text_add(&returns, ", or 4 where a size is not what the schedule's bounds say");
    if (w->statuses & 1u << STATUS_NOT_STORED)
        text_add(&returns, ", or 5 where a result, which stays as it was, does not store a "
                           "component that would change");
    text_add(&returns, ".");
    paragraph(out, returns.at);
    if (w->device)
        paragraph(out,
                  "The arrays are in the device's memory.  What is done is done in the order of "
                  "the stream.");
    if (has_out)
        paragraph(out, arena_printf(w->cx->arena,
                                    "Each ..._out is set to an array that the caller %s, to NULL "
                                    "if the function fails.",
                                    w->iso ? "frees" : "releases"));
    if (w->uses_allocation && !w->iso)
        paragraph(out, "Memory comes from malloc, realloc and free, unless SPCC_MALLOC, "
                       "SPCC_REALLOC and SPCC_FREE are defined.");
    if (!w->in_range && !w->device)
        paragraph(out, "Integers that overflow wrap around when this is compiled with -fwrapv.");
    if (w->uses_libm && !w->device)
        paragraph(out, "Link with -lm.");
    const char *called = c_blas_functions(w);
    if (called)
        paragraph(out, arena_printf(w->cx->arena,
                                    "Calls %s: link with a BLAS library that has the interface "
                                    "for C, as -lopenblas.",
                                    called));
}

/* Makes text that came from outside safe inside a comment. */
static void safe(char *text)
{
    for (char *at = text; *at; at++)
        if ((at[0] == '*' && at[1] == '/') || (at[0] == '/' && at[1] == '*'))
            *at = '|';
}

static void head(struct c_writer *w, struct text *out, const char *const *line)
{
    text_add(out, "/* ");
    if (!line || !line[0])
        text_printf(out, "%s\n", w->kernel->name);
    for (int i = 0; line && line[i]; i++) {
        char *text = arena_strdup(w->cx->arena, line[i]);
        safe(text);
        text_printf(out, "%s%s\n", i == 0 ? "" : *text ? " * " : " *", text);
    }
    if (w->kernel->params)
        text_add(out, " *\n");
    size_t mark = out->n;
    document_parameters(w, out);
    document_results(w, out);
    safe(out->at + mark);
    text_add(out, " */\n");
}

/* ---- what stands before the functions ---- */

static void includes(struct c_writer *w, struct text *out)
{
    if (w->device) {
        w->device->includes(out);
        return;
    }
    if (w->uses_complex)
        text_add(out, "#include <complex.h>\n");
    if (w->uses_math)
        text_add(out, "#include <math.h>\n");
    if (w->uses_type[TYPE_BOOL])
        text_add(out, "#include <stdbool.h>\n");
    bool allocates = w->uses_allocation || w->uses_release || w->uses_sort;
    if (w->uses_size && !(w->iso && allocates))
        text_add(out, "#include <stddef.h>\n");
    text_add(out, "#include <stdint.h>\n");
    if (w->iso && allocates)
        text_add(out, "#include <stdlib.h>\n");
    if (w->uses_string)
        text_add(out, "#include <string.h>\n");
    if (!w->iso && allocates)
        text_add(out, "\n#ifndef SPCC_MALLOC\n#include <stdlib.h>\n#define SPCC_MALLOC malloc\n"
                      "#define SPCC_REALLOC realloc\n#define SPCC_FREE free\n#endif\n");
    if (w->uses_restrict)
        text_add(out, "\n#if defined(__cplusplus) && !defined(restrict)\n#define restrict "
                      "__restrict\n#endif\n");
    text_add(out, "\n");
}

/* Writes the declarations that headers would bring. */
static void declarations(struct c_writer *w, struct text *out)
{
    for (int t = 0; t < TYPE_COUNT; t++)
        if (w->uses_type[t] && type_is_integer((enum type)t))
            text_printf(out, "typedef __%sINT%d_TYPE__ %s;\n",
                        type_kind((enum type)t) == KIND_UINT ? "U" : "",
                        8 * (int)type_size((enum type)t), type_c_name((enum type)t));
    if (w->uses_size || w->uses_string || w->uses_allocation)
        text_add(out, "typedef __SIZE_TYPE__ size_t;\n#define NULL ((void *)0)\n");
    if (w->uses_allocation)
        text_add(out, "void *realloc(void *array, size_t size);\n");
    if (w->uses_release)
        text_add(out, "void free(void *array);\n");
    if (w->uses_string)
        text_add(out, "void *memset(void *array, int byte, size_t size);\n"
                      "void *memcpy(void *to, const void *from, size_t size);\n"
                      "void *memmove(void *to, const void *from, size_t size);\n");
    text_add(out, "\n");
}

/* Returns whether the functions have vectors of more than 32 bytes. */
static bool has_wide_vectors(const struct c_writer *w)
{
    bool has = false;
    for (size_t i = 0; i < w->vector.n; i++)
        has = has || (size_t)w->vector.at[i].lanes * type_size(w->vector.at[i].type) > 32;
    return has;
}

static void vector_types(struct c_writer *w, struct text *out)
{
    if (has_wide_vectors(w))
        text_add(out, "#ifdef __clang__ /* which halves vectors otherwise on some processors */\n"
                      "#pragma clang attribute push(__attribute__((min_vector_width(512))), "
                      "apply_to = function)\n#endif\n");
    for (size_t i = 0; i < w->vector.n; i++) {
        enum type type = w->vector.at[i].type;
        int lanes = w->vector.at[i].lanes, size = (int)type_size(type);
        text_printf(out,
                    "typedef %s %sx%d __attribute__((vector_size(%d), aligned(%d), may_alias));\n",
                    type_c_name(type), type_name(type), lanes, lanes * size, size);
    }
    text_add(out, w->vector.n ? "\n" : "");
}

/* ---- the function that the runtime calls ---- */

static void call_function(struct c_writer *w)
{
    const struct imp_function *kernel = w->kernel;
    w->function = kernel;
    struct text text = text_new(w->cx->arena);
    text_printf(&text, "return %s(", kernel->name);
    int hanging = (int)text.n;
    for (int i = 0; i < kernel->params; i++) {
        const struct imp_param *param = &kernel->param[i];
        const char *type = c_type(w, param->var->type),
                   *constant = param->var->constant ? "const " : "";
        const char *pointer = param->out ? arena_printf(w->cx->arena, "%s **", type)
                              : param->var->array
                                  ? arena_printf(w->cx->arena, "%s%s *", constant, type)
                                  : arena_printf(w->cx->arena, "%s ", type);
        text_printf(&text, "%s*(%s*)argument[%d]", i ? "," C_BREAK : "", pointer, i);
    }
    text_printf(&w->code,
                "\nint %s_call(void *const *argument);\nint %s_call(void *const *argument)\n{\n",
                kernel->name, kernel->name);
    w->indent = C_INDENT;
    if (kernel->params == 0)
        c_line(w, 0, "(void)argument;");
    c_line(w, hanging, "%s);", text.at);
    text_add(&w->code, "}\n");
    w->indent = 0;
}

/* ---- files ---- */

static struct c_writer writer(struct context *cx, const struct imp_function *function,
                              const struct emit_options *options)
{
    return (struct c_writer){.cx = cx,
                             .jit = options->for_jit,
                             .iso = options->iso && !options->for_jit,
                             .in_range = options->in_range,
                             .device = options->cuda ? &c_cuda : NULL,
                             .kernel = function,
                             .others = options->others,
                             .function = function,
                             .code = text_new(cx->arena),
                             .helpers = text_new(cx->arena)};
}

static void write_functions(struct c_writer *w)
{
    c_find_parts(w);
    for (int i = 0; i < w->kernel->helpers; i++)
        if (!w->iso || !c_plain_library(w->kernel->helper_at[i]))
            helper(w, w->kernel->helper_at[i]);
    c_growth_functions(w);
    part_functions(w, w->kernel);
    if (w->device)
        text_add(&w->code, "#ifndef __CUDACC_RTC__\nextern \"C\"\n");
    else if (!w->jit && !w->iso) /* as the header says */
        text_add(&w->code, "#ifdef __cplusplus\nextern \"C\"\n#endif\n");
    function(w, w->kernel);
    if (w->device)
        text_add(&w->code, "#endif\n");
    if (w->jit)
        call_function(w);
}

/* Returns the file of a kernel that has been written. */
static const char *source(struct c_writer *w, const struct emit_options *options)
{
    struct text out = text_new(w->cx->arena);
    head(w, &out, options->head);
    if (w->jit)
        declarations(w, &out);
    else
        includes(w, &out);
    vector_types(w, &out);
    text_addn(&out, w->helpers.at, w->helpers.n);
    text_addn(&out, w->code.at, w->code.n);
    if (has_wide_vectors(w))
        text_add(&out, "#ifdef __clang__\n#pragma clang attribute pop\n#endif\n");
    return out.at;
}

/* Returns the header.  `written` knows what its comment has to mention. */
static const char *header(struct c_writer *written, const struct emit_options *options)
{
    struct context *cx = written->cx;
    const struct imp_function *kernel = written->kernel;
    struct c_writer w = writer(cx, kernel, options);
    struct text out = text_new(cx->arena);
    head(written, &out, options->head);
    signature(&w, false, ";");
    char *guard = arena_printf(cx->arena, "SPCC_%s_H", kernel->name);
    for (char *at = guard; *at; at++)
        *at = (char)toupper((unsigned char)*at);
    text_printf(&out, "#ifndef %s\n#define %s\n\n", guard, guard);
    if (w.uses_type[TYPE_BOOL])
        text_add(&out, "#include <stdbool.h>\n");
    if (w.device)
        text_add(&out, "#include <cuda_runtime_api.h>\n");
    text_add(&out, "#include <stdint.h>\n\n");
    for (int t = TYPE_C64; w.device && t <= TYPE_C128; t++)
        if (w.uses_type[t])
            text_printf(&out, "#ifdef __cplusplus\nstruct %s;\n#else\ntypedef %s %s;\n#endif\n\n",
                        type_name((enum type)t), type_c_name((enum type)t),
                        type_name((enum type)t));
    text_printf(&out, "#ifdef __cplusplus\nextern \"C\" {%s\n#endif\n\n",
                w.iso ? " /* a source that is compiled as C++ includes this before the function */"
                      : "");
    text_addn(&out, w.code.at, w.code.n);
    text_add(&out, "\n#ifdef __cplusplus\n}\n#endif\n\n#endif\n");
    return out.at;
}

const char *emit_c(struct context *cx, const struct imp_function *kernel,
                   const struct emit_options *options, const char **header_or_null)
{
    struct c_writer w = writer(cx, kernel, options);
    if (w.device && !w.device->accepts(&w))
        return NULL;
    write_functions(&w);
    if (header_or_null)
        *header_or_null = header(&w, options);
    return source(&w, options);
}

int emit_entries(struct context *cx, const struct imp_function *kernel,
                 const struct emit_options *options, const struct imp_entry **entry)
{
    struct c_writer w = writer(cx, kernel, options);
    c_find_parts(&w);
    struct imp_entry *all = arena_array(cx->arena, struct imp_entry, (int)w.parts.n);
    for (size_t i = 0; i < w.parts.n; i++) {
        const struct c_part *part = &w.parts.at[i];
        all[i] = (struct imp_entry){part->of, part->name, (int)part->outer.n, part->outer.at};
    }
    *entry = all;
    return (int)w.parts.n;
}
