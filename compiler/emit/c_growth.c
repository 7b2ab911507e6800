/* c_growth.c - code that makes arrays longer, once.
 *
 * A kernel that appends makes room in every loop that does:
 *
 *     if (pA2 == A2_capacity) { fail if it is the most; double it; resize A2_crd, A_vals }
 *
 * Where such a body stands in more than one place it becomes a function in front of the kernel,
 * which takes what it changes by address, what it only reads by value, and says whether it could:
 *
 *     if (pA2 == A2_capacity && !evaluate_grow_A2(&A2_capacity, &A2_crd, &A_vals, &status))
 *         goto fail;
 *
 * A body that stands once stays there: it is shorter so.  The function is inline for gcc, which at
 * -O2 else leaves the call, and with it the arrays' addresses, so that a sum of two csr matrices
 * takes two instructions in a hundred more.
 *
 * SPDX-License-Identifier: MIT
 */
#include <string.h>

#include "compiler/emit/c.h"

/* Does it only change whole variables and fail, so that it means the same where its variables
 * are parameters? */
static bool is_movable(const struct imp *imp)
{
    switch (imp->kind) {
    case IMP_LITERAL:
    case IMP_VAR:
    case IMP_OP:
    case IMP_CAST:
    case IMP_BLOCK:
    case IMP_IF:
    case IMP_FAIL:
    case IMP_ASSIGN:
    case IMP_RESIZE: break;
    case IMP_LOAD:
    case IMP_CALL:
    case IMP_LANES:
    case IMP_BROADCAST:
    case IMP_LANE:
    case IMP_SHUFFLE:
    case IMP_IN_LINE:
    case IMP_THREADS:
    case IMP_STOPPED:
    case IMP_EXCHANGE:
    case IMP_UPDATE:
    case IMP_FETCH:
    case IMP_DECLARE:
    case IMP_STORE:
    case IMP_ATOMIC:
    case IMP_DO:
    case IMP_WHILE:
    case IMP_FOR:
    case IMP_PARALLEL:
    case IMP_LAUNCH:
    case IMP_BARRIER:
    case IMP_BREAK:
    case IMP_RETURN:
    case IMP_ALLOC:
    case IMP_FREE:
    case IMP_KEEP:
    case IMP_TAKE:
    case IMP_MOVE:
    case IMP_JOIN:
    case IMP_FILL:
    case IMP_COPY:
    case IMP_PREFETCH:
    case IMP_COMMENT: return false;
    }
    for (int i = 0; i < imp->args; i++)
        if (!is_movable(imp->arg[i]))
            return false;
    return true;
}

static struct c_growth *find_growth(struct c_writer *w, const struct imp *body)
{
    for (size_t i = 0; i < w->growth.n; i++)
        if (imp_equal(w->growth.at[i].body, body))
            return &w->growth.at[i];
    return NULL;
}

static bool is_growth(const struct imp *imp)
{
    return imp->kind == IMP_IF && imp->args == 2 && is_movable(imp->arg[1])
           && imp_has(imp->arg[1], IMP_BIT(RESIZE));
}

static void note_growths(struct c_writer *w, const struct imp *imp)
{
    struct c_growth *known = is_growth(imp) ? find_growth(w, imp->arg[1]) : NULL;
    if (known)
        known->places++;
    else if (is_growth(imp))
        vec_push(w->cx->arena, &w->growth, ((struct c_growth){.body = imp->arg[1], .places = 1}));
    else
        for (int i = 0; i < imp->args; i++)
            note_growths(w, imp->arg[i]);
}

/* ---- its variables ---- */

static void add_variable(struct c_writer *w, struct c_variables *to, const struct imp_var *var)
{
    for (size_t i = 0; i < to->n; i++)
        if (to->at[i] == var)
            return;
    vec_push(w->cx->arena, to, var);
}

/* Notes the variables that a body changes and reads, in the order of their first use. */
static void note_variables(struct c_writer *w, struct c_growth *growth, const struct imp *imp)
{
    if (imp->kind == IMP_ASSIGN || imp->kind == IMP_RESIZE)
        add_variable(w, &growth->changed, imp->var);
    else if (imp->kind == IMP_VAR)
        add_variable(w, &growth->read, imp->var);
    for (int i = 0; i < imp->args; i++)
        note_variables(w, growth, imp->arg[i]);
}

static bool changes(const struct c_growth *growth, const struct imp_var *var)
{
    for (size_t i = 0; i < growth->changed.n; i++)
        if (growth->changed.at[i] == var)
            return true;
    return false;
}

/* Returns a name after the variable that is changed first: from A2_capacity the part A2. */
static const char *name_growth(struct c_writer *w, const struct c_growth *growth)
{
    const char *first = growth->changed.at[0]->name, *end = strrchr(first, '_');
    int n = (int)(end && end > first ? (size_t)(end - first) : strlen(first));
    return c_file_name(w, w->kernel, arena_printf(w->cx->arena, "grow_%.*s", n, first));
}

/* ---- the functions ---- */

static const char *growth_parameters(struct c_writer *w, const struct c_growth *growth)
{
    struct text text = text_new(w->cx->arena);
    for (size_t i = 0; i < growth->changed.n; i++) {
        const struct imp_var *var = growth->changed.at[i];
        text_printf(&text, "%s%s %s%s", i ? "," C_BREAK : "", c_type(w, var->type),
                    var->array ? "**" : "*", c_name(w, var));
    }
    for (size_t i = 0; i < growth->read.n; i++)
        if (!changes(growth, growth->read.at[i]))
            text_printf(&text, "," C_BREAK "%s %s", c_type(w, growth->read.at[i]->type),
                        c_name(w, growth->read.at[i]));
    return growth->fails ? arena_printf(w->cx->arena, "%s," C_BREAK "int *status", text.at)
                         : text.at;
}

static void growth_comment(struct c_writer *w, const struct c_growth *growth)
{
    struct text text = text_new(w->cx->arena);
    for (size_t i = 0; i < growth->changed.n; i++)
        if (growth->changed.at[i]->array)
            text_printf(&text, "%s%s", text.n ? "," C_BREAK : "", c_name(w, growth->changed.at[i]));
    c_line(w, 3, "/* More room for %s; false if there is none. */", text.at);
}

static void growth_function(struct c_writer *w, struct c_growth *growth)
{
    struct c_variables all = {0};
    w->names = (struct c_names){0};
    for (size_t i = 0; i < growth->changed.n; i++)
        add_variable(w, &all, growth->changed.at[i]);
    for (size_t i = 0; i < growth->read.n; i++)
        add_variable(w, &all, growth->read.at[i]);
    c_name_parameters(w, &all);
    growth_comment(w, growth);
    const char *head =
        arena_printf(w->cx->arena, "static inline %s %s(", c_type(w, TYPE_BOOL), growth->name);
    c_line(w, (int)strlen(head), "%s%s)", head, growth_parameters(w, growth));
    for (size_t i = 0; i < growth->changed.n; i++) {
        const struct imp_var *var = growth->changed.at[i];
        *var_map_at(w->cx, &w->names.own, var) = arena_printf(w->cx->arena, "*%s", c_name(w, var));
    }
    text_add(&w->code, "{\n");
    w->in_growth = true;
    w->indent += C_INDENT;
    c_statements(w, growth->body);
    c_line(w, 0, "return %s;", c_literal(w, value_int(TYPE_BOOL, 1)).text);
    w->indent -= C_INDENT;
    w->in_growth = false;
    text_add(&w->code, "}\n\n");
}

void c_growth_functions(struct c_writer *w)
{
    note_growths(w, w->kernel->body);
    for (size_t i = 0; i < w->growth.n; i++) {
        struct c_growth *growth = &w->growth.at[i];
        if (growth->places < 2)
            continue;
        note_variables(w, growth, growth->body);
        growth->name = name_growth(w, growth);
        growth->fails = imp_has(growth->body, IMP_BIT(FAIL));
        growth_function(w, growth);
    }
}

/* ---- where they are called ---- */

const char *c_growth_call(struct c_writer *w, const struct imp *imp)
{
    const struct c_growth *growth =
        is_growth(imp) && !w->in_growth ? find_growth(w, imp->arg[1]) : NULL;
    if (!growth || !growth->name)
        return NULL;
    struct text text = text_new(w->cx->arena);
    text_printf(&text, "%s(", growth->name);
    for (size_t i = 0; i < growth->changed.n; i++)
        text_printf(&text, "%s&%s", i ? "," C_BREAK : "", c_name(w, growth->changed.at[i]));
    for (size_t i = 0; i < growth->read.n; i++)
        if (!changes(growth, growth->read.at[i]))
            text_printf(&text, "," C_BREAK "%s", c_name(w, growth->read.at[i]));
    text_add(&text, growth->fails ? "," C_BREAK "&status)" : ")");
    return text.at;
}
