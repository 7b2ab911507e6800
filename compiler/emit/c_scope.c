/* c_scope.c - short names where blocks keep them apart.
 *
 * In the IR a name is unique in its function, so that of three loops over j the variables are j,
 * j_2 and j_3.  In C each may be j, as long as no variable hides another: a variable gets the name
 * that is its base name where no variable of that name is visible, and elsewhere the first with a
 * number.
 *
 * What stands at the top of the function, and arrays, which are declared there, count as visible in
 * all of it, because declarations may be moved up (c_body.c).  A variable that is declared in
 * several places keeps its own name, which then nothing else gets.  Bodies of parallel loops are
 * functions of their own.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/emit/c.h"

struct scope {
    struct c_writer *w;
    struct var_map declared; /* once, or more often: names kept */
    struct var_map visible;  /* interned names */
    VEC(const char *) open;  /* the visible names, innermost last */
};

static void **visible(struct scope *s, const char *name)
{
    return var_map_at(s->w->cx, &s->visible, intern(s->w->cx, name));
}

static void show(struct scope *s, const char *name)
{
    *visible(s, name) = s;
    vec_push(s->w->cx->arena, &s->open, name);
}

static void note_declarations(struct scope *s, const struct imp *imp)
{
    if (imp_declares(imp)) {
        void **before = var_map_at(s->w->cx, &s->declared, imp->var);
        if (*before)
            show(s, c_name(s->w, imp->var));
        *before = s;
    }
    for (int i = 0; i < imp->args && !c_is_part(imp); i++)
        if (!imp_is_expression(imp->arg[i]))
            note_declarations(s, imp->arg[i]);
}

/* Names a variable at its declaration, unless it has its name. */
static void declare_name(struct scope *s, const struct imp_var *var)
{
    struct c_writer *w = s->w;
    const char *base_name = imp_stem(var), *name = base_name;
    bool has_name = *var_map_at(w->cx, &w->names.own, var);
    for (int i = 2; !has_name && *visible(s, name); i++)
        name = arena_printf(w->cx->arena, "%s_%d", base_name, i);
    if (!has_name && !c_is_reserved(w, name))
        *var_map_at(w->cx, &w->names.own, var) = (char *)(size_t)name;
    if (!*visible(s, c_name(w, var)))
        show(s, c_name(w, var));
}

static void declare_arrays(struct scope *s, const struct imp *imp)
{
    if (imp->kind == IMP_DECLARE && imp->var->array)
        declare_name(s, imp->var);
    for (int i = 0; i < imp->args && !c_is_part(imp); i++)
        if (!imp_is_expression(imp->arg[i]))
            declare_arrays(s, imp->arg[i]);
}

/* Names the variables that are declared at the top of a body. */
static void declare_top(struct scope *s, const struct imp *body)
{
    for (int i = 0; body->kind == IMP_BLOCK && i < body->args; i++)
        if (body->arg[i]->kind == IMP_DECLARE)
            declare_name(s, body->arg[i]->var);
}

static void walk(struct scope *s, const struct imp *imp, bool top)
{
    size_t open = s->open.n;
    if (imp_declares(imp) && imp->kind != IMP_DECLARE)
        declare_name(s, imp->var);
    for (int i = 0; i < imp->args && !c_is_part(imp); i++) {
        const struct imp *arg = imp->arg[i];
        if (arg->kind == IMP_DECLARE && !top)
            declare_name(s, arg->var);
        else if (!imp_is_expression(arg))
            walk(s, arg, false);
    }
    while (s->open.n > open)
        *visible(s, s->open.at[--s->open.n]) = NULL;
}

void c_name_parameters(struct c_writer *w, const struct c_variables *parameters)
{
    struct scope s = {.w = w};
    for (size_t i = 0; i < parameters->n; i++)
        declare_name(&s, parameters->at[i]);
}

void c_name_variables(struct c_writer *w, const struct imp *body)
{
    struct scope s = {.w = w};
    for (int i = 0; i < w->function->params; i++) {
        declare_name(&s, w->function->param[i].var);
        if (w->function->param[i].out)
            show(&s, c_out_name(w, w->function->param[i].var));
    }
    note_declarations(&s, body);
    declare_arrays(&s, body);
    declare_top(&s, body);
    walk(&s, body, body->kind == IMP_BLOCK);
}
