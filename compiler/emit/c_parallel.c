/* c_parallel.c - parallel loops in C, by OpenMP.
 *
 * A part is a small kernel: a function in front of the kernel, which takes what it uses of the
 * variables around it.  Where there is one part only it is called as any function; OpenMP, whose
 * `if` clause goes through the runtime all the same, runs the loop over several:
 *
 *     if (parts == 1) {
 *         evaluate_part(0, ...);
 *     } else {
 *     #pragma omp parallel for
 *         for (int32_t part = 0; part < parts; part++)
 *             evaluate_part(part, ...);
 *     }
 *
 * All variables are shared, so that the loop needs no clauses for them; and what is known of
 * arrays, that they do not overlap, holds in the function, too.  Compilers without OpenMP see a
 * loop.
 *
 * An atomic update is OpenMP's where it has the operator.  Elsewhere the element is exchanged as
 * long as another thread comes between; a complex one, which no instruction exchanges, is updated
 * in a critical section.
 *
 * SPDX-License-Identifier: MIT
 */
#include <string.h>

#include "compiler/emit/c.h"

/* Writes a pragma on one line: it cannot be broken. */
static void pragma(struct c_writer *w, const char *text)
{
    char *line = arena_strdup(w->cx->arena, text);
    for (char *at = line; *at; at++)
        *at = *at == C_BREAK[0] || *at == C_LATE_BREAK[0] ? ' ' : *at;
    text_printf(&w->code, "#ifdef _OPENMP\n#pragma omp %s\n#endif\n", line);
}

/* ---- parts as functions ---- */

/* Adds the variable unless it is declared in the part, or has been added. */
static void add_outer(struct c_writer *w, struct c_part *part, struct var_map *uses,
                      const struct imp_var *var)
{
    if (c_is(w->cx, uses, var, C_DECLARED))
        return;
    *var_map_at(w->cx, uses, var) = (void *)(uintptr_t)C_DECLARED;
    vec_push(w->cx->arena, &part->outer, var);
}

/* Adds the kernel's own variables, in the order of their first use. */
static void add_variables(struct c_writer *w, struct c_part *part, struct var_map *uses,
                          const struct imp *imp)
{
    if (imp->var)
        add_outer(w, part, uses, imp->var);
    for (int i = 0; i < imp->args; i++)
        add_variables(w, part, uses, imp->arg[i]);
}

/* Adds a part, which is named after the loop's variable. */
static void add_part(struct c_writer *w, const struct imp_function *in, const struct imp *of)
{
    struct c_part part = {.of = of, .in = in, .name = c_file_name(w, in, imp_stem(of->var))};
    const struct imp *body = c_part_body(of);
    struct var_map uses = c_uses(w->cx, body);
    for (int i = 0; imp_declared(of, i); i++)
        *var_map_at(w->cx, &uses, imp_declared(of, i)) = (void *)(uintptr_t)C_DECLARED;
    for (int i = 0; i < in->params; i++)
        if (c_is(w->cx, &uses, in->param[i].var, C_USED))
            add_outer(w, &part, &uses, in->param[i].var);
    add_variables(w, &part, &uses, body);
    vec_push(w->cx->arena, &w->parts, part);
}

/* Finds parts, of a loop inside before those of the loop around: functions come before their
 * callers. */
static void find_parts(struct c_writer *w, const struct imp_function *in, const struct imp *imp)
{
    for (int i = 0; i < imp->args; i++)
        find_parts(w, in, imp->arg[i]);
    if (imp->kind == IMP_LAUNCH && !w->device)
        context_bug(w->cx, "a launch in C");
    if (c_is_part(imp))
        add_part(w, in, imp);
}

void c_find_parts(struct c_writer *w)
{
    for (int i = 0; i < w->kernel->helpers; i++)
        if (w->kernel->helper_at[i]->launches)
            find_parts(w, w->kernel->helper_at[i], w->kernel->helper_at[i]->body);
    find_parts(w, w->kernel, w->kernel->body);
}

const struct imp_function *c_part_function(struct c_writer *w, const struct c_part *part)
{
    struct imp_function *function = arena_make(w->cx->arena, struct imp_function);
    struct imp_param *param = arena_array(w->cx->arena, struct imp_param, part->outer.n + 2);
    int params = 0;
    for (; imp_declared(part->of, params); params++)
        param[params].var = imp_declared(part->of, params);
    for (size_t i = 0; i < part->outer.n; i++)
        param[params++].var = part->outer.at[i];
    *function = (struct imp_function){
        .name = part->name, .params = params, .param = param, .body = c_part_body(part->of)};
    return function;
}

bool c_is_read_only(struct c_writer *w, const struct imp_var *array)
{
    return array->constant || (w->part && !c_is(w->cx, c_own_uses(w), array, C_WRITTEN));
}

static bool is_meeting(const struct imp *imp, void *data)
{
    (void)data;
    return imp->kind == IMP_BARRIER
           || (imp->kind == IMP_CALL && imp_any(imp->function->body, is_meeting, NULL));
}

/* Do threads of a launch meet in the function, so that one may read behind a barrier what another
 * has stored before? */
static bool has_meetings(const struct c_writer *w)
{
    return c_is_on_device(w) && imp_any(w->function->body, is_meeting, NULL);
}

bool c_is_shared(struct c_writer *w, const struct imp_var *array)
{
    bool is_updated = w->part && c_is(w->cx, c_own_uses(w), array, C_SHARED);
    return !c_is_read_only(w, array) && (is_updated || has_meetings(w));
}

/* ---- loops ---- */

static const char *schedule_of(struct c_writer *w, const struct imp *imp)
{
    const char *kind = imp->schedule == SCHEDULE_STATIC ? "static" : "dynamic";
    return imp->n ? arena_printf(w->cx->arena, "%s, %lld", kind, (long long)imp->n) : kind;
}

static bool is_comparison(const struct imp *imp, enum op op, const struct imp *with)
{
    return imp->kind == IMP_OP && imp->op == op && imp_equal(imp->arg[0], with)
           && imp->arg[1]->kind == IMP_LITERAL && value_is_one(imp->arg[1]->value);
}

static bool is_node(const struct imp *imp, void *node) { return imp == node; }

/* Does the loop run only where there are several parts, because `if`s around it in `in` say so? */
static bool has_several(const struct imp *in, const struct imp *loop)
{
    const struct imp *parts = loop->arg[0];
    bool several = in == loop && parts->kind == IMP_LITERAL && !value_is_one(parts->value);
    for (int i = 0; i < in->args && !several && !c_is_part(in); i++) {
        bool says = in->kind == IMP_IF
                    && (i == 1   ? is_comparison(in->arg[0], OP_GT, parts)
                        : i == 2 ? is_comparison(in->arg[0], OP_EQ, parts)
                                 : false);
        several = says ? imp_any(in->arg[i], is_node, (void *)(size_t)loop)
                       : has_several(in->arg[i], loop);
    }
    return several;
}

const struct c_part *c_part_of(const struct c_writer *w, const struct imp *imp)
{
    const struct c_part *part = w->parts.at;
    while (part->of != imp)
        part++;
    return part;
}

/* Writes `evaluate_part(part, ...);`, its status in `status`.  `number` is the part's, or NULL. */
static void call_part(struct c_writer *w, const struct c_part *part, const char *status,
                      const char *number)
{
    struct text text = text_new(w->cx->arena);
    text_printf(&text, "%s%s%s(", status ? status : "", status ? " = " : "", part->name);
    int hanging = (int)text.n;
    text_add(&text, number ? number : "");
    for (size_t i = 0; i < part->outer.n; i++)
        text_printf(&text, "%s%s", i || number ? "," C_BREAK : "", c_name(w, part->outer.at[i]));
    c_line(w, hanging, "%s);", text.at);
}

/* Whoever runs a kernel is asked for the number of threads where there are several parts. */
const char *c_team(struct c_writer *w)
{
    return w->jit ? arena_printf(w->cx->arena, " num_threads(%s())", c_threads_helper(w)) : "";
}

/* Writes the loop over the parts.  Its status is the greatest status of any part. */
static void loop(struct c_writer *w, const struct c_part *part, bool fails)
{
    const struct imp *imp = part->of, *number = imp_read(w->cx, imp->var);
    const char *name = c_name(w, imp->var), *own = c_team_own(w, w->indent);
    text_add(&w->code, own);
    pragma(w, arena_printf(w->cx->arena, "parallel for schedule(%s)%s%s", schedule_of(w, imp),
                           fails ? " reduction(max : failed)" : "", c_team(w)));
    bool block = fails || w->jit;
    c_line(w, 5, "for (%s %s = 0;" C_BREAK "%s;" C_BREAK "%s++)%s", c_type(w, imp->var->type), name,
           c_at(w, imp_op2(w->cx, OP_LT, number, imp->arg[0]), C_ANY), name, block ? " {" : "");
    w->indent += C_INDENT;
    text_add(&w->code, c_team_join(w, w->indent));
    call_part(w, part, fails ? "int part_status" : NULL, name);
    if (fails)
        c_line(w, 0, "failed = failed < part_status ? part_status : failed;");
    w->indent -= C_INDENT;
    if (block)
        c_line(w, 0, "}");
}

void c_parallel(struct c_writer *w, const struct imp *imp)
{
    const struct c_part *part = c_part_of(w, imp);
    bool fails = c_may_fail(w, imp->arg[1]), several = has_several(w->kernel->body, imp);
    if (several && w->jit)
        c_line(w, 0, "{");
    if (!several) {
        const struct imp *one = imp_int(w->cx, imp->arg[0]->type, 1);
        c_line(w, 4, "if (%s) {", c_at(w, imp_op2(w->cx, OP_EQ, imp->arg[0], one), C_ANY));
        w->indent += C_INDENT;
        call_part(w, part, fails ? "failed" : NULL, "0");
        w->indent -= C_INDENT;
        c_line(w, 0, "} else {");
        w->indent += C_INDENT;
    }
    loop(w, part, fails);
    if (!several) {
        w->indent -= C_INDENT;
        c_line(w, 0, "}");
    }
    if (several && w->jit)
        c_line(w, 0, "}");
    if (fails)
        c_fail_if(w, "failed");
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

void c_move(struct c_writer *w, const struct imp *imp)
{
    const char *array = c_name(w, imp->var);
    c_line(w, C_INDENT, "%s =" C_LATE_BREAK "(%s *)%s(%s," C_BREAK "%s," C_BREAK "%s);", array,
           c_type(w, imp->var->type), c_move_array_helper(w), array, c_name(w, imp->arg[0]->var),
           c_position(w, imp->arg[1], C_ANY));
}

void c_join(struct c_writer *w, const struct imp *imp)
{
    const char *array = c_name(w, imp->var), *type = c_type(w, imp->var->type);
    const struct imp_var *arrays = imp->arg[0]->var;
    c_line(w, C_INDENT,
           "%s =" C_LATE_BREAK "(%s *)%s(%s," C_BREAK "%s," C_BREAK "%d," C_BREAK "%s," C_BREAK
           "%s," C_BREAK "%s," C_BREAK "%s," C_BREAK "sizeof(%s));",
           array, type, c_join_arrays_helper(w, c_team(w)), array, c_name(w, arrays),
           arrays->arrays, c_value(w, imp->arg[1]), c_name(w, imp->arg[2]->var),
           c_value(w, imp->arg[3]), c_value(w, imp->arg[4]), type);
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

/* Has OpenMP this update? */
static bool is_native(const struct imp *imp, const struct imp *element)
{
    enum type type = imp->var->type;
    return !type_is_complex(type) && !reads(imp->arg[1], element)
           && (imp->op == OP_NONE || c_compound_sign(imp->op, type));
}

void c_exchange(struct c_writer *w, const struct imp *imp, const char *old)
{
    const struct imp *element = element_of(w, imp);
    enum type type = imp->var->type;
    struct imp_var *before = imp_var(w->cx, "before", type);
    const struct imp *read = imp_read(w->cx, before);
    const struct imp *after = imp->op == OP_NONE ? imp_replaced(w->cx, imp->arg[1], element, read)
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
    w->indent -= C_INDENT;
    if (old)
        c_line(w, 0, "%s = before;", old);
    w->indent -= C_INDENT;
    c_line(w, 0, "}");
}

void c_atomic(struct c_writer *w, const struct imp *imp)
{
    const struct imp *element = element_of(w, imp);
    bool native = is_native(imp, element);
    const char *call = w->device ? w->device->update(w, imp) : NULL;
    if (call) {
        c_line(w, C_INDENT, "%s;", call);
        return;
    }
    native = native && !w->device;
    if (!native && !w->iso && (w->device || !type_is_complex(imp->var->type))) {
        c_exchange(w, imp, NULL);
        return;
    }
    pragma(w, !native
                  ? arena_printf(w->cx->arena, "critical(%s)", c_file_name(w, w->kernel, "update"))
              : imp->op == OP_NONE ? "atomic write"
                                   : "atomic");
    c_assignment(w, c_at(w, element, C_UNARY), element, imp->op, imp->arg[1]);
}
