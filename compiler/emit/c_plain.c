/* c_plain.c - memory as textbooks ask for it, in plain C.
 *
 *     int32_t *A2_pos = (int32_t *)calloc((size_t)B1_dimension + 1, sizeof(int32_t));
 *     double *A_vals = (double *)calloc(16, sizeof(double));
 *     if (!A2_pos || !A_vals)
 *         goto fail;
 *
 * calloc says so if the product overflows, and what it gives is zero: fills with zero are left out.
 * It may give NULL for no elements, so that there is room for one at least.  The arrays that
 * statements in a row make are asked for together, behind the numbers that are declared between
 * them, with one question behind all; those that a
 * function makes before anything else can fail are declared there.  What may be more than a size_t
 * counts is left to a helper, which checks.
 *
 * SPDX-License-Identifier: MIT
 */
#include <string.h>

#include "compiler/emit/c.h"

/* ---- how much ---- */

/* Is it of 32 bits or less, or a sum of such numbers? */
static bool is_counted(const struct imp *n)
{
    switch (n->kind) {
    case IMP_LITERAL: return n->value.i >= 0;
    case IMP_VAR:
    case IMP_LOAD: return type_size(n->type) <= 4;
    case IMP_CAST: return is_counted(n->arg[0]);
    case IMP_OP: return n->op == OP_ADD && is_counted(n->arg[0]) && is_counted(n->arg[1]);
    default: return false;
    }
}

static bool is_positive(const struct imp *n) { return n->kind == IMP_LITERAL && n->value.i > 0; }

static const struct imp *without_casts(const struct imp *n)
{
    while (n->kind == IMP_CAST)
        n = n->arg[0];
    return n;
}

/* As a size_t, 1 at least. */
static const char *count(struct c_writer *w, const struct imp *n)
{
    if (is_positive(n))
        return c_value(w, n);
    n = without_casts(n);
    if (n->kind == IMP_VAR && n->var->positive)
        return arena_printf(w->cx->arena, "(size_t)%s", c_name(w, n->var));
    bool more = n->kind == IMP_OP && is_positive(n->arg[1]);
    const struct imp *rest = more ? without_casts(n->arg[0]) : n;
    return arena_printf(w->cx->arena, "(size_t)%s + %s", c_at(w, rest, C_UNARY),
                        more ? c_value(w, n->arg[1]) : "1");
}

/* ---- one array ---- */

bool c_is_placed(const struct c_writer *w, const struct imp_var *var)
{
    for (size_t i = 0; i < w->placed.n; i++)
        if (w->placed.at[i] == var)
            return true;
    return false;
}

static void allocate(struct c_writer *w, const struct imp *imp)
{
    const char *type = c_type(w, imp->var->type), *name = c_name(w, imp->var);
    if (c_is_placed(w, imp->var))
        name = arena_printf(w->cx->arena, "%s *%s", type, name);
    w->uses_allocation = true;
    if (is_counted(imp->arg[0]))
        c_line(w, C_INDENT, "%s = (%s *)calloc(%s," C_BREAK "sizeof(%s));", name, type,
               count(w, imp->arg[0]), type);
    else
        c_line(w, C_INDENT, "%s = (%s *)%s(%s," C_BREAK "sizeof(%s));", name, type,
               c_allocate_helper(w), c_value(w, imp->arg[0]), type);
}

bool c_plain_resizes(const struct c_writer *w, const struct imp *imp)
{
    return w->iso && imp->kind == IMP_RESIZE && is_counted(imp->arg[0]);
}

void c_plain_resize(struct c_writer *w, const struct imp *imp)
{
    const char *type = c_type(w, imp->var->type), *name = c_name(w, imp->var);
    const char *n = count(w, imp->arg[0]);
    n = strchr(n, '+') ? arena_printf(w->cx->arena, "(%s)", n) : n;
    w->uses_allocation = true;
    c_line(w, C_INDENT, "longer_array = realloc(%s," C_BREAK "%s * sizeof(%s));", name, n, type);
    c_line(w, 0, "if (!longer_array)");
    w->indent += C_INDENT;
    c_fail(w, STATUS_NO_MEMORY);
    w->indent -= C_INDENT;
    c_line(w, 0, "%s = (%s *)longer_array;", name, type);
}

/* ... in this function: neither in what is one of its own, nor in parts. */
static bool has_resize(struct c_writer *w, const struct imp *imp)
{
    bool has = c_plain_resizes(w, imp), elsewhere = imp->kind == IMP_PARALLEL;
    elsewhere = elsewhere || (imp->kind == IMP_IF && c_growth_call(w, imp));
    for (int i = 0; i < imp->args && !has && !elsewhere; i++)
        has = !imp_is_expression(imp->arg[i]) && has_resize(w, imp->arg[i]);
    return has;
}

void c_plain_declare(struct c_writer *w, const struct imp *body)
{
    if (w->iso && has_resize(w, body))
        c_line(w, 0, "void *longer_array;");
}

/* ---- several ---- */

struct group {
    const struct imp *const *arg;
    int n;
};

/* The statement among these that makes the array; NULL: none does. */
static const struct imp *maker(const struct group *group, const struct imp_var *var)
{
    for (int i = 0; i < group->n; i++)
        if (group->arg[i]->kind == IMP_ALLOC && group->arg[i]->var == var)
            return group->arg[i];
    return NULL;
}

static bool is_made(const struct imp *imp, void *group)
{
    return imp->var && maker(group, imp->var);
}

static bool reads_made(const struct group *group, const struct imp *imp)
{
    for (int i = 0; i < imp->args; i++)
        if (imp_any(imp->arg[i], is_made, (void *)(size_t)group))
            return true;
    return false;
}

static bool is_zero(const struct imp *imp)
{
    return imp->kind == IMP_LITERAL && value_is_zero(imp->value) && c_is_zero_bytes(imp);
}

/* Does it only say what calloc has done? */
static bool is_zeroing(const struct group *group, const struct imp *imp)
{
    const struct imp *made = imp->var ? maker(group, imp->var) : NULL;
    if (!made || !is_counted(made->arg[0]))
        return false;
    if (imp->kind == IMP_FILL)
        return is_zero(imp->arg[0]) && imp_equal(imp->arg[1], made->arg[0]) && is_zero(imp->arg[2]);
    return imp->kind == IMP_STORE && imp->op == OP_NONE && is_zero(imp->arg[0])
           && is_zero(imp->arg[1]);
}

static bool is_scalar(const struct c_writer *w, const struct imp *imp)
{
    return !w->hoisted && imp->kind == IMP_DECLARE && !imp->var->array && imp->args;
}

static bool is_plain_alloc(const struct imp *imp)
{
    return imp->kind == IMP_ALLOC && !imp->var->arrays && !imp->var->small;
}

int c_plain_group(const struct c_writer *w, const struct imp *const *arg, int n)
{
    struct group group = {arg, 0};
    int end = 0;
    for (; group.n < n; group.n++) {
        const struct imp *imp = arg[group.n];
        bool belongs = is_plain_alloc(imp) || is_zeroing(&group, imp);
        bool between = imp->kind == IMP_DECLARE && (imp->var->array || is_scalar(w, imp));
        if (!belongs && !between)
            break;
        if (!is_zeroing(&group, imp) && reads_made(&group, imp))
            break;
        end = belongs ? group.n + 1 : end;
    }
    return end;
}

static int count_makers(const struct imp *imp, const struct imp_var *var)
{
    int n = imp->kind == IMP_ALLOC && imp->var == var;
    for (int i = 0; i < imp->args; i++)
        n += imp_is_expression(imp->arg[i]) ? 0 : count_makers(imp->arg[i], var);
    return n;
}

void c_plain_place(struct c_writer *w, const struct imp *const *arg, int n)
{
    for (int i = 0; i < n; i++)
        if (is_plain_alloc(arg[i]) && count_makers(w->function->body, arg[i]->var) == 1)
            vec_push(w->cx->arena, &w->placed, arg[i]->var);
}

int c_plain_allocate(struct c_writer *w, const struct imp *const *arg, int n)
{
    int end = c_plain_group(w, arg, n), scalars = 0;
    struct text missing = text_new(w->cx->arena);
    const struct imp **scalar = arena_array(w->cx->arena, const struct imp *, end);
    for (int i = 0; i < end; i++)
        if (is_scalar(w, arg[i]))
            scalar[scalars++] = arg[i];
    for (int i = 0; i < scalars;)
        i += c_step(w, scalar + i, scalars - i);
    for (int i = 0; i < end; i++) {
        if (!is_plain_alloc(arg[i]))
            continue;
        allocate(w, arg[i]);
        text_printf(&missing, "%s!%s", missing.n ? C_BREAK "|| " : "", c_name(w, arg[i]->var));
    }
    c_line(w, C_INDENT, "if (%s)", missing.at);
    w->indent += C_INDENT;
    c_fail(w, STATUS_NO_MEMORY);
    w->indent -= C_INDENT;
    return end;
}
