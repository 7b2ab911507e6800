/* c_parallel.c - parallel loops in C, by OpenMP.
 *
 * What a part needs of its own is declared in it and everything else shared, so that a loop over
 * parts needs no clauses for its variables.  Compilers without OpenMP see a loop.
 *
 * An atomic update is OpenMP's where it has the operator.  Elsewhere the element is exchanged as
 * long as another thread comes between; a complex one, which no instruction exchanges, is updated
 * in a critical section.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/emit/c.h"

/* A line that cannot be broken. */
static void pragma(struct c_writer *w, const char *text)
{
    char *line = arena_strdup(w->cx->arena, text);
    for (char *at = line; *at; at++)
        *at = *at == C_BREAK[0] || *at == C_LATE_BREAK[0] ? ' ' : *at;
    text_printf(&w->code, "#ifdef _OPENMP\n#pragma omp %s\n#endif\n", line);
}

/* ---- loops ---- */

static const char *schedule_of(struct c_writer *w, const struct imp *imp)
{
    const char *kind = imp->schedule == SCHEDULE_STATIC ? "static" : "dynamic";
    return imp->n ? arena_printf(w->cx->arena, "%s, %lld", kind, (long long)imp->n) : kind;
}

/* Where there is only one part no threads are called. */
static const char *condition_of(struct c_writer *w, const struct imp *parts)
{
    if (parts->kind == IMP_LITERAL)
        return "";
    const struct imp *several = imp_op2(w->cx, OP_GT, parts, imp_int(w->cx, parts->type, 1));
    return arena_printf(w->cx->arena, " if (%s)", c_at(w, several, C_ANY));
}

void c_parallel(struct c_writer *w, const struct imp *imp)
{
    const struct imp *parts = imp->arg[0], *body = imp->arg[1];
    bool fails = c_may_fail(body);
    const char *name = c_name(w, imp->var);
    pragma(w, arena_printf(w->cx->arena, "parallel for schedule(%s)%s%s", schedule_of(w, imp),
                           fails ? " reduction(max : failed)" : "", condition_of(w, parts)));
    const struct imp *more = imp_op2(w->cx, OP_LT, imp_read(w->cx, imp->var), parts);
    c_line(w, 5, "for (%s %s = 0;" C_BREAK "%s;" C_BREAK "%s++) {", c_type(w, imp->var->type), name,
           c_at(w, more, C_ANY), name);
    c_part(w, body);
    c_line(w, 0, "}");
    if (!fails)
        return;
    c_line(w, 0, w->statuses ? "if (failed) {" : "if (failed)");
    w->indent += C_INDENT;
    if (w->statuses)
        c_line(w, 0, "%s = failed;", w->status);
    c_line(w, 0, "goto %s;", w->way_out);
    w->indent -= C_INDENT;
    if (w->statuses)
        c_line(w, 0, "}");
}

/* ---- arrays that parts hand over ---- */

void c_keep(struct c_writer *w, const struct imp *imp)
{
    const char *array = c_name(w, imp->arg[1]->var);
    c_line(w, C_INDENT, "%s[%s] =" C_LATE_BREAK "%s;", c_name(w, imp->var),
           c_position(w, imp->arg[0], C_ANY), array);
    if (w->may_fail_yet)
        c_line(w, 0, "%s = NULL;", array);
}

void c_take(struct c_writer *w, const struct imp *imp)
{
    c_line(w, C_INDENT, "%s =" C_LATE_BREAK "(%s *)%s[%s];", c_name(w, imp->var),
           c_type(w, imp->var->type), c_name(w, imp->arg[0]->var),
           c_position(w, imp->arg[1], C_ANY));
}

/* The place is empty, so that the array is not released with the others. */
void c_move(struct c_writer *w, const struct imp *imp)
{
    c_take(w, imp);
    c_line(w, 0, "%s[%s] = NULL;", c_name(w, imp->arg[0]->var), c_position(w, imp->arg[1], C_ANY));
}

/* ---- atomic updates ---- */

static const struct imp *element_of(struct c_writer *w, const struct imp *imp)
{
    return imp_load(w->cx, imp->var, imp->arg[0]);
}

static bool is_equal(const struct imp *imp, void *to) { return imp_equal(imp, to); }

static bool reads(const struct imp *value, const struct imp *element)
{
    return imp_any(value, is_equal, (void *)(size_t)element);
}

static const struct imp *replaced(struct c_writer *w, const struct imp *imp,
                                  const struct imp *element, const struct imp *by)
{
    if (imp_equal(imp, element))
        return by;
    if (!imp->args)
        return imp;
    const struct imp **arg = arena_array(w->cx->arena, const struct imp *, imp->args);
    for (int i = 0; i < imp->args; i++)
        arg[i] = replaced(w, imp->arg[i], element, by);
    return imp_with_args(w->cx, imp, arg);
}

/* Has OpenMP this update? */
static bool is_native(const struct imp *imp, const struct imp *element)
{
    enum type type = imp->var->type;
    return !type_is_complex(type) && !reads(imp->arg[1], element)
           && (imp->op == OP_NONE || c_compound_sign(imp->op, type));
}

/* The element is read, and exchanged for what is made of it unless it has changed. */
static void exchange(struct c_writer *w, const struct imp *imp, const struct imp *element)
{
    enum type type = imp->var->type;
    struct imp_var *before = imp_var(w->cx, "before", type);
    const struct imp *read = imp_read(w->cx, before);
    const struct imp *after = imp->op == OP_NONE ? replaced(w, imp->arg[1], element, read)
                                                 : imp_op2(w->cx, imp->op, read, imp->arg[1]);
    *var_map_at(w->cx, &w->names.own, before) = (char *)(size_t) "before";
    const char *at = c_at(w, element, C_UNARY), *load = c_load_helper(w, type),
               *swap = c_exchange_helper(w, type);
    c_line(w, 0, "{");
    w->indent += C_INDENT;
    c_line(w, C_INDENT, "%s before = %s(&%s);", c_type(w, type), load, at);
    c_line(w, C_INDENT, "while (!%s(&%s," C_BREAK "&before," C_BREAK "%s))", swap, at,
           c_value(w, after));
    w->indent += C_INDENT;
    c_line(w, 0, ";");
    w->indent -= 2 * C_INDENT;
    c_line(w, 0, "}");
}

void c_atomic(struct c_writer *w, const struct imp *imp)
{
    const struct imp *element = element_of(w, imp);
    bool native = is_native(imp, element);
    if (!native && !w->iso && !type_is_complex(imp->var->type)) {
        exchange(w, imp, element);
        return;
    }
    pragma(w, !native ? "critical(spcc)" : imp->op == OP_NONE ? "atomic write" : "atomic");
    c_assignment(w, c_at(w, element, C_UNARY), element, imp->op, imp->arg[1]);
}
