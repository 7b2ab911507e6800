/* c_stream.c - stores that need not stay in the caches, in C.
 *
 * A line that is stored whole, past the caches, need not be read first, and takes no other's place
 * there.  Compilers have such stores as builtins, of vectors at addresses that are multiples of
 * their bytes; elsewhere they are stores like others.  On x86 they are not in order with others, so
 * that a function waits for its own before it ends.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/emit/c.h"

const char *c_in_line(struct c_writer *w, const struct imp *imp)
{
    const char *array = c_name(w, imp->var);
    w->uses_size = true;
    return arena_printf(w->cx->arena,
                        "(int32_t)((size_t)(%s +" C_BREAK "%s) %% %d /" C_BREAK "sizeof *%s)",
                        array, c_position(w, imp->arg[0], C_ADD + 1), (int)imp->n, array);
}

bool c_is_streamed(const struct imp *imp)
{
    return imp->kind == IMP_STORE && imp->n && imp->arg[1]->lanes > 1;
}

static const char *store_helper(struct c_writer *w, int bytes)
{
    const char *name = c_helper_name(w, arena_printf(w->cx->arena, "stream_%d", bytes));
    if (!c_helper_begin(w, name))
        return name;
    struct text *out = &w->helpers;
    text_printf(out,
                "/* Stores a vector past the caches. */\n"
                "%svoid %s(void *at, const void *vector)\n{\n"
                "    typedef long long lanes __attribute__((vector_size(%d), may_alias));\n"
                "    typedef long long any __attribute__((vector_size(%d), aligned(1), "
                "may_alias));\n"
                "#if defined(__clang__)\n"
                "    __builtin_nontemporal_store(*(const any *)vector, (lanes *)at);\n",
                c_inline(w), name, bytes, bytes);
    if (bytes > 16)
        text_printf(out,
                    "#elif defined(%s)\n"
                    "    __builtin_ia32_movntdq%d((lanes *)at, *(const any *)vector);\n",
                    bytes == 32 ? "__AVX__" : "__AVX512F__", 8 * bytes);
    text_printf(out,
                "#elif defined(__SSE2__)\n"
                "    typedef long long part __attribute__((vector_size(16), may_alias));\n"
                "    lanes all = *(const any *)vector;\n"
                "    for (int i = 0; i < %d; i++)\n"
                "        __builtin_ia32_movntdq((part *)at + i, ((const part *)&all)[i]);\n"
                "#else\n"
                "    *(lanes *)at = *(const any *)vector;\n"
                "#endif\n}\n",
                bytes / 16);
    c_helper_end(w);
    return name;
}

void c_stream(struct c_writer *w, const struct imp *imp)
{
    const struct imp *value = imp->arg[1];
    const bool named = value->kind == IMP_VAR;
    const char *store = store_helper(w, value->lanes * (int)type_size(imp->var->type)),
               *lanes = named ? c_name(w, value->var) : "streamed";
    if (!named) {
        c_line(w, 0, "{");
        w->indent += C_INDENT;
        c_line(w, C_INDENT, "%s streamed =" C_LATE_BREAK "%s;",
               c_vector_type(w, imp->var->type, value->lanes), c_value(w, value));
    }
    c_line(w, C_INDENT, "%s(%s +" C_BREAK "%s," C_BREAK "&%s);", store, c_name(w, imp->var),
           c_position(w, imp->arg[0], C_ADD + 1), lanes);
    if (!named) {
        w->indent -= C_INDENT;
        c_line(w, 0, "}");
    }
}

/* Is it in a part that is a function of its own? */
static bool streams(const struct imp *imp)
{
    bool does = c_is_streamed(imp);
    for (int i = 0; i < imp->args && !does && !imp_is_expression(imp); i++)
        does = imp->kind != IMP_PARALLEL && streams(imp->arg[i]);
    return does;
}

void c_stream_end(struct c_writer *w, const struct imp *body)
{
    const char *name = c_helper_name(w, "stream_end");
    if (!streams(body))
        return;
    if (c_helper_begin(w, name)) {
        text_printf(&w->helpers,
                    "/* Waits for what is stored past the caches. */\n%svoid %s(void)\n{\n"
                    "#ifdef __SSE2__\n    __builtin_ia32_sfence();\n#endif\n}\n",
                    c_inline(w), name);
        c_helper_end(w);
    }
    c_line(w, 0, "%s();", name);
}
