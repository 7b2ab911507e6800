/* convert.c - convert(A(i,j), w): an operand is copied into a list in the order of the loops, and read from there (thesis
 * 6.2, with an operand as the expression).
 *
 *     before    forall(i) forall(j) C(i,j) = A(i,j) + B(j,i)
 *     after     forall(i) forall(j) C(i,j) = A(i,j) + w(i,j) where forall(jp) forall(ip) w(ip,jp) = B(jp,ip)
 *                                                                                                    convert(B(j,i), w)
 *
 * The copy's loops are those of the operand's levels, from the root down, whatever they store; so any operand can be
 * copied.  The list has a mode for each variable of the access, in the order in which the statement's loops bind them.
 *
 * SPDX-License-Identifier: MIT
 */
#include "schedules/loops.h"

#include <string.h>

#include "compiler/base/text.h"
#include "compiler/base/vec.h"

struct convert {
    struct context *cx;
    const struct cin_program *program;
    const struct schedule_call *call;
    const struct cin *access;
    VEC(const struct index_var *) known;     /* on the way to the access, in the order in which they become so */
    bool found;
};

static const char *spell(struct context *cx, const struct cin *access)
{
    struct text text = text_new(cx->arena);
    cin_print(cx, &text, access);
    return text.at;
}

static bool same_but_blanks(const char *a, const char *b)
{
    for (;; a++, b++) {
        a += strspn(a, " \t\r\n");
        b += strspn(b, " \t\r\n");
        if (*a != *b || !*a)
            return *a == *b;
    }
}

static bool read_arguments(struct convert *c)
{
    const struct schedule_call *call = c->call;
    struct cin_list read = cin_operands(c->cx, c->program->statement);
    if (call->arguments != 2)
        return loops_refuse(c->cx, c->program, call, -1, "it takes an access and the name of a workspace");
    for (size_t i = 0; i < read.n; i++)
        if (same_but_blanks(spell(c->cx, read.at[i]), call->argument[0]))
            c->access = read.at[i];
    if (!c->access || c->access->indices == 0 || c->access->tensor->temporary)
        return loops_refuse(c->cx, c->program, call, 0, "there is no such access to an operand");
    return loops_check_workspace(c->cx, c->program, call, 1);
}

/* What the loops on the way to the access make known. */
static void find_known(struct convert *c, const struct cin *s)
{
    size_t known = c->known.n;
    const struct cin_program *p = c->program;
    const struct cin_relation *by;
    if (s == c->access) {
        c->found = true;
        return;
    }
    const struct index_var *var = s->kind == CIN_FORALL ? s->index[0] : NULL;
    for (; var; var = cin_follows(p->relation, p->relations, c->known.at, (int)c->known.n, &by))
        vec_push(c->cx->arena, &c->known, var);
    for (int i = s->kind == CIN_ASSIGN; i < s->args && !c->found; i++)
        find_known(c, s->arg[i]);
    if (!c->found)
        c->known.n = known;
}

/* A list with as wide positions and coordinates as the operand has. */
static const struct format *list_format(const struct convert *c, int order)
{
    struct format_defaults defaults = loops_widen((struct format_defaults){TYPE_I32, TYPE_I32}, c->access->tensor->format);
    return format_parse(c->cx, c->call->argument[1], "coo", order, defaults);
}

/* What indexes the mode in the copy: the variable itself, or, where an earlier mode has it, one that must be equal. */
static const struct index_var *mode_variable(struct convert *c, struct cin_program *converted, int mode,
                                             const struct index_var *var)
{
    struct context *cx = c->cx;
    bool repeated = false;
    for (int k = 0; k < mode; k++)
        repeated |= c->access->index[k] == c->access->index[mode];
    if (!repeated)
        return var;
    const struct index_var *other = loops_like_var(cx, arena_printf(cx->arena, "%s_%d", var->name, mode + 1), var);
    struct cin_relation *relation = arena_array(cx->arena, struct cin_relation, converted->relations + 1);
    if (converted->relations)
        memcpy(relation, converted->relation, sizeof *relation * (size_t)converted->relations);
    relation[converted->relations++] = (struct cin_relation){RELATION_EQUAL, {var}, {other}, 0};
    converted->relation = relation;
    return other;
}

static const struct cin_program *apply(struct context *cx, const struct cin_program *program,
                                       const struct schedule_call *call)
{
    struct convert c = {.cx = cx, .program = program, .call = call};
    if (!read_arguments(&c))
        return NULL;
    find_known(&c, program->statement);
    const struct tensor_var *t = c.access->tensor;
    const struct index_var *mode[ORDER_MAX], *fresh[ORDER_MAX], *from[ORDER_MAX];
    int order = 0;
    for (size_t i = 0; i < c.known.n; i++) {
        const struct index_var *var = c.known.at[i];
        if (!cin_uses_var(c.access, var))
            continue;
        mode[order] = var;
        fresh[order++] = loops_like_var(cx, cin_fresh_name(cx, program, arena_printf(cx->arena, "%sp", var->name)), var);
    }
    struct cin_program *converted = arena_copy(cx->arena, program, sizeof *program);
    for (int k = 0; k < t->order; k++)
        for (int m = 0; m < order; m++)
            if (mode[m] == c.access->index[k])
                from[k] = mode_variable(&c, converted, k, fresh[m]);
    struct tensor_var *w = arena_make(cx->arena, struct tensor_var);
    *w = *cin_workspace(cx, call->argument[1], t->type, t->fill, list_format(&c, order), mode, order);
    w->copies = t;
    const struct cin *read = cin_access(cx, t, from, t->order);
    const struct cin *copy = cin_assign(cx, OP_NONE, cin_access(cx, w, fresh, order), read);
    copy = cin_follow(cx, converted, read, copy);
    const struct cin *consumer = cin_replace(cx, program->statement, c.access, cin_access(cx, w, mode, order));
    converted->statement = copy ? cin_where(cx, consumer, copy) : NULL;
    return copy ? converted : NULL;
}

const struct schedule_type schedule_convert = {
    .name = "convert",
    .usage = "convert(A(i,j), w)",
    .brief = "copy an operand into a list in the order of the loops and read it from there",
    .apply = apply,
};

struct copy_search { const struct cin *access; bool found; };

static bool find_copy(const struct cin *cin, void *data)
{
    struct copy_search *s = data;
    s->found |= cin->kind == CIN_ASSIGN && cin->arg[1] == s->access && cin->arg[0]->tensor->copies == s->access->tensor;
    return s->found;
}

const char *plan_operand(struct context *cx, const struct cin_program *program, const struct cin *access)
{
    struct copy_search s = {.access = access};
    if (access->indices == 0 || cin_any(program->statement, find_copy, &s))
        return NULL;
    return arena_printf(cx->arena, "convert(%s, %s)", spell(cx, access), cin_fresh_name(cx, program, "w"));
}
