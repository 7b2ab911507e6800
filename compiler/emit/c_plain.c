/* c_plain.c - memory, counters and sorting as textbooks have them, in plain C.
 *
 *     int32_t *A2_pos = (int32_t *)calloc((size_t)B1_dimension + 1, sizeof(int32_t));
 *     double *A_vals = (double *)calloc(16, sizeof(double));
 *     if (!A2_pos || !A_vals) goto done;
 *
 * calloc says so if the product overflows, and what it gives is zero: fills with zero are left out.
 * It may give NULL for no elements, so that there is room for one at least.  The arrays that
 * statements in a row make are asked for together, behind the numbers that are declared between
 * them, with one question behind all; those that a function makes before anything else can fail are
 * declared there.  What may be more than a size_t counts is left to a helper, which checks.
 *
 * A counter goes up where it is read last, A_vals[pA2++] = B_vals[pB2++], and a row is sorted by
 * the C library's qsort.
 *
 * SPDX-License-Identifier: MIT
 */
#include <string.h>

#include "compiler/emit/c.h"

/* ---- how much ---- */

/* Is it of 32 bits or less, or how many elements an array has, or a sum of such numbers? */
static bool is_counted(const struct imp *n)
{
    switch (n->kind) {
    case IMP_LITERAL: return n->value.i >= 0;
    case IMP_VAR: return type_size(n->type) <= 4 || n->var->counts;
    case IMP_LOAD: return type_size(n->type) <= 4;
    case IMP_CAST: return is_counted(n->arg[0]);
    case IMP_OP: return n->op == OP_ADD && is_counted(n->arg[0]) && is_counted(n->arg[1]);
    default: return false;
    }
}

static bool is_positive(const struct imp *n) { return n->kind == IMP_LITERAL && n->value.i > 0; }

/* As a size_t, 1 at least. */
static const char *element_count(struct c_writer *w, const struct imp *n)
{
    if (is_positive(n))
        return c_value(w, n);
    n = imp_bare(n);
    if (n->kind == IMP_VAR && n->var->positive)
        return arena_printf(w->cx->arena, "(size_t)%s", c_name(w, n->var));
    bool more = n->kind == IMP_OP && is_positive(n->arg[1]);
    const struct imp *rest = more ? imp_bare(n->arg[0]) : n;
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

static void allocate_zeros(struct c_writer *w, const struct imp *imp)
{
    const char *type = c_type(w, imp->var->type), *name = c_name(w, imp->var);
    if (c_is_placed(w, imp->var))
        name = arena_printf(w->cx->arena, "%s *%s", type, name);
    w->uses_allocation = true;
    if (is_counted(imp->arg[0]))
        c_line(w, C_INDENT, "%s = (%s *)calloc(%s," C_BREAK "sizeof(%s));", name, type,
               element_count(w, imp->arg[0]), type);
    else
        c_line(w, C_INDENT, "%s = (%s *)%s(%s," C_BREAK "sizeof(%s));", name, type,
               c_allocate_helper(w), c_value(w, imp->arg[0]), type);
}

int c_plain_resizes(const struct c_writer *w, const struct imp *const *arg, int n)
{
    int resizes = 0;
    (void)w;
    while (resizes < n && arg[resizes]->kind == IMP_RESIZE && is_counted(arg[resizes]->arg[0]))
        resizes++;
    return resizes;
}

static void reallocate_longer(struct c_writer *w, const struct imp *imp)
{
    const char *type = c_type(w, imp->var->type), *n = element_count(w, imp->arg[0]);
    n = strchr(n, '+') ? arena_printf(w->cx->arena, "(%s)", n) : n;
    c_line(w, C_INDENT, "void *%s = realloc(%s," C_BREAK "%s * sizeof(%s));",
           c_longer_name(w, imp->var), c_name(w, imp->var), n, type);
}

/* Writes calls of realloc.  An array that cannot be made longer stays as it is. */
void c_plain_resize(struct c_writer *w, const struct imp *const *arg, int n)
{
    struct text missing = text_new(w->cx->arena);
    bool block = w->indent == C_INDENT && !w->in_growth; /* no goto past a declaration, in C++ */
    w->uses_allocation = true;
    if (block)
        c_line(w, 0, "{");
    w->indent += block ? C_INDENT : 0;
    for (int i = 0; i < n; i++)
        reallocate_longer(w, arg[i]);
    for (int i = 0; i < n; i++) {
        const char *name = c_name(w, arg[i]->var), *got = c_longer_name(w, arg[i]->var);
        c_line(w, C_INDENT, "%s = %s ?" C_BREAK "(%s *)%s :" C_BREAK "%s;", name, got,
               c_type(w, arg[i]->var->type), got, name);
        text_printf(&missing, "%s!%s", i ? C_BREAK "|| " : "", got);
    }
    c_fail_if(w, missing.at);
    w->indent -= block ? C_INDENT : 0;
    if (block)
        c_line(w, 0, "}");
}

void c_plain_release(struct c_writer *w, const struct imp_var *const *var, int n)
{
    struct text line = text_new(w->cx->arena);
    for (int i = 0; i < n; i++) {
        if (var[i]->small)
            continue;
        if (var[i]->arrays)
            text_printf(&line, C_BREAK "%s(%s, %s);", c_free_arrays_helper(w), c_name(w, var[i]),
                        c_few_name(w, var[i]));
        else
            text_printf(&line, C_BREAK "%s(%s);", c_release_helper(w), c_name(w, var[i]));
        w->uses_release = true;
    }
    if (line.n)
        c_line(w, 0, "%s", line.at + 1);
}

/* ---- several ---- */

struct group {
    const struct imp *const *arg;
    int n;
};

/* Returns the statement of the group that makes the array; NULL: none does. */
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
        allocate_zeros(w, arg[i]);
        text_printf(&missing, "%s!%s", missing.n ? C_BREAK "|| " : "", c_name(w, arg[i]->var));
    }
    c_fail_if(w, missing.at);
    return end;
}

/* ---- counters ---- */

static bool is_step(const struct imp *imp)
{
    return imp->kind == IMP_ASSIGN && imp->op == OP_ADD && imp->var->lanes == 1
           && type_is_integer(imp->arg[0]->type) && imp->arg[0]->kind == IMP_LITERAL
           && value_is_one(imp->arg[0]->value);
}

/* Is the variable, which it has once, the position of an element, in an expression whose text has
 * everything once and is evaluated to the end? */
static bool has_position(const struct imp *imp, const struct imp_var *var)
{
    bool is = imp->kind == IMP_LOAD && imp->arg[0]->kind == IMP_VAR && imp->arg[0]->var == var,
         goes = imp->kind == IMP_LOAD || imp->kind == IMP_CAST
                || (imp->kind == IMP_OP && imp->computed != TYPE_BOOL
                    && (imp->op == OP_ADD || imp->op == OP_SUB || imp->op == OP_MUL
                        || imp->op == OP_NEG));
    for (int i = 0; i < imp->args && goes && !is; i++)
        is = has_position(imp->arg[i], var);
    return is && goes && imp->lanes == 1;
}

/* Can the variable go up where the statement, which has it once, reads it? */
static bool can_step(const struct imp *imp, const struct imp_var *var)
{
    if ((imp->kind != IMP_STORE && imp->kind != IMP_ASSIGN) || imp->var == var)
        return false;
    const struct imp *value = imp->arg[imp->args - 1];
    if (imp->op != OP_NONE && !c_compound_sign(imp->op, value->type))
        return false;
    bool target = imp->kind == IMP_STORE && imp->op == OP_NONE && value->lanes == 1
                  && imp->arg[0]->kind == IMP_VAR && imp->arg[0]->var == var;
    return target || has_position(value, var);
}

static bool is_passed(const struct imp *imp)
{
    return imp->kind == IMP_STORE || imp->kind == IMP_ASSIGN;
}

/* `x = a[p]; p++;` is written `x = a[p++];`: the step is taken where the counter is read last, if
 * only statements that do not use it lie between. */
int c_plain_steps(const struct imp *const *arg, int n, int *into)
{
    int left = n;
    for (int i = 0; i < n; i++) {
        int at = i - 1;
        if (!is_step(arg[i]))
            continue;
        while (at >= 0 && is_passed(arg[at]) && imp_uses(arg[at], arg[i]->var) == 0)
            at--;
        if (at < 0 || into[at] >= 0 || imp_uses(arg[at], arg[i]->var) != 1
            || !can_step(arg[at], arg[i]->var))
            continue;
        into[i] = at;
        left--;
    }
    return left;
}

/* ---- what the C library has ---- */

const char *c_plain_library(const struct imp_function *helper)
{
    return helper->sorts ? "qsort" : NULL;
}

/* Returns a function that compares two numbers of this type, for qsort. */
static const char *compare_helper(struct c_writer *w, enum type type)
{
    const char *c = c_type(w, type),
               *name = c_helper_name(w, arena_printf(w->cx->arena, "compare_%s", type_name(type)));
    if (c_helper_begin(w, name)) {
        text_printf(&w->helpers,
                    "static int %s(const void *a, const void *b)\n{\n"
                    "    %s x = *(const %s *)a, y = *(const %s *)b;\n"
                    "    return (x > y) - (x < y);\n}\n",
                    name, c, c, c);
        c_helper_end(w);
    }
    return name;
}

struct c_piece c_plain_call(struct c_writer *w, const struct imp *imp)
{
    const struct imp *n = imp->arg[0];
    enum type type = imp->arg[1]->var->type;
    w->uses_sort = true;
    while (n->kind == IMP_CAST)
        n = n->arg[0];
    return (struct c_piece){
        .place = C_POSTFIX,
        .text = arena_printf(w->cx->arena,
                             "%s(%s," C_BREAK "(size_t)%s," C_BREAK "sizeof(%s)," C_BREAK "%s)",
                             c_plain_library(imp->function), c_name(w, imp->arg[1]->var),
                             c_at(w, n, C_UNARY), c_type(w, type), compare_helper(w, type))};
}
