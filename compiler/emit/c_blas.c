/* c_blas.c - the matrix product of the prelude, done by a library in C.
 *
 * cblas_dgemm and its like are declared in the file, so that no header of a library is needed;
 * the numbers are those of its enumerations, which are int (Basic Linear Algebra Subprograms
 * Technical Forum Standard, 2001, appendix B).  Sizes are int, too: larger ones, and products of
 * nothing, are left to the helper's own loops.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/emit/c.h"

enum { ROW_MAJOR = 101, NO_TRANS = 111, TRANS = 112 };
enum { C, C_AT, A, A_AT, B, B_AT, M, N, K, C_STEP, A_STEP, A_ACROSS, B_STEP, B_ACROSS, MINUS };

static const char *function_of(const struct imp_function *helper)
{
    const enum type type = helper->param[C].var->type;
    return type == TYPE_F32   ? "cblas_sgemm"
           : type == TYPE_C64 ? "cblas_cgemm"
           : type == TYPE_F64 ? "cblas_dgemm"
                              : "cblas_zgemm";
}

const char *c_blas_functions(struct c_writer *w)
{
    const char *names = NULL;
    for (int i = 0; i < w->kernel->helpers && !w->device; i++)
        if (w->kernel->helper_at[i]->multiplies)
            names = arena_printf(w->cx->arena, "%s%s%s", names ? names : "", names ? " and " : "",
                                 function_of(w->kernel->helper_at[i]));
    return names;
}

/* Declares a function of the library.  It takes complex numbers by addresses of no type. */
static void declare_function(struct c_writer *w, const char *name, enum type of)
{
    const char *type = type_is_complex(of) ? "void" : c_type(w, of),
               *scalar =
                   type_is_complex(of) ? "const void *" : arena_printf(w->cx->arena, "%s ", type);
    if (!c_helper_begin(w, name))
        return;
    if (!w->jit)
        text_add(&w->helpers, "#ifdef __cplusplus\nextern \"C\"\n#endif\n");
    text_printf(&w->helpers,
                "void %s(int order, int a_across, int b_across, int m, int n, int k, %salpha,\n"
                "                 const %s *a, int a_step, const %s *b, int b_step, %sbeta,\n"
                "                 %s *c, int c_step);\n",
                name, scalar, type, type, scalar, type);
    c_helper_end(w);
}

/* Finds the factors of the product and of the result's old value. */
static void take_factors(struct c_writer *w, enum type type, const char *minus, const char **alpha,
                         const char **beta)
{
    *alpha = arena_printf(w->cx->arena, "%s ? -1 : 1", minus);
    *beta = "1";
    if (!type_is_complex(type))
        return;
    c_line(w, 4, "const %s alpha = %s, beta = %s;", c_type(w, type), *alpha, *beta);
    *alpha = "&alpha";
    *beta = "&beta";
}

void c_blas_call(struct c_writer *w)
{
    const struct imp_function *helper = w->function;
    const enum type type = helper->param[C].var->type;
    const char *name = function_of(helper), *alpha, *beta;
    static const int sizes[] = {M, N, K, C_STEP, A_STEP, B_STEP};
    const char *at[MINUS + 1];
    struct text fits = text_new(w->cx->arena);
    for (int i = 0; i <= MINUS; i++)
        at[i] = c_name(w, helper->param[i].var);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        text_printf(&fits, "%s%s > 0 && %s <= 0x7fffffff", i ? " &&" C_BREAK : "", at[sizes[i]],
                    at[sizes[i]]);
    declare_function(w, name, type);
    w->indent += C_INDENT;
    c_line(w, 4, "if (%s) {", fits.at);
    w->indent += C_INDENT;
    take_factors(w, type, at[MINUS], &alpha, &beta);
    c_line(w, 12,
           "%s(%d," C_BREAK "%s ? %d : %d," C_BREAK "%s ? %d : %d," C_BREAK "(int)%s," C_BREAK
           "(int)%s," C_BREAK "(int)%s," C_BREAK "%s," C_BREAK "%s + %s," C_BREAK "(int)%s," C_BREAK
           "%s + %s," C_BREAK "(int)%s," C_BREAK "%s," C_BREAK "%s + %s," C_BREAK "(int)%s);",
           name, ROW_MAJOR, at[A_ACROSS], TRANS, NO_TRANS, at[B_ACROSS], TRANS, NO_TRANS, at[M],
           at[N], at[K], alpha, at[A], at[A_AT], at[A_STEP], at[B], at[B_AT], at[B_STEP], beta,
           at[C], at[C_AT], at[C_STEP]);
    c_line(w, 0, "return;");
    w->indent -= C_INDENT;
    c_line(w, 0, "}");
    w->indent -= C_INDENT;
}
