/* plan_follow.c - loops over blocks and diagonals, where everything else can be located.
 *
 * An operand whose levels store functions of its coordinates is iterated when the loops are over these functions: split
 * for i/s and i%s, skew for j-i, and reorder into the order of the levels.
 *
 *     y(i) += A(i,j) * x(j), A: bcsr(4,4)      split(i,io,ii,down,4); split(j,jo,ji,down,4); reorder(io,jo,ii,ji)
 *     y(i) += A(i,j) * x(j), A: dia            skew(j,i,d); reorder(d,i)
 *
 * That pays where whatever else the loops' variables index has its components located in O(1).
 *
 * SPDX-License-Identifier: MIT
 */
#include <string.h>

#include "compiler/base/text.h"
#include "schedules/schedules.h"

struct follow {
    struct context *cx;
    const struct cin_program *program;
    const struct cin *access;
    const struct cin *chain, *body;          /* the run of loops around the access, and what is inside */
    struct text out;
    struct { const struct index_var *var; int64_t size; const char *outer, *inner; } split[LEVELS_MAX];
    int splits;
    const char *taken;                       /* names given so far, each between blanks */
};

/* The run of directly nested loops whose body has the access. */
static bool find_chain(struct follow *f, const struct cin *s)
{
    if (s->kind == CIN_FORALL) {
        const struct cin *body = s;
        while (body->kind == CIN_FORALL)
            body = body->arg[0];
        f->chain = s;
        f->body = body;
        if (body->kind == CIN_ASSIGN && cin_contains(body->arg[1], f->access))
            return true;
        s = body;
    }
    for (int i = 0; i < s->args; i++)
        if (!cin_is_expression(s->arg[i]) && find_chain(f, s->arg[i]))
            return true;
    return false;
}

static bool is_bound(const struct follow *f, const struct index_var *var)
{
    for (const struct cin *s = f->chain; s != f->body; s = s->arg[0])
        if (s->index[0] == var)
            return true;
    return false;
}

static bool uses_vars_of(const struct cin *access, const struct cin *other)
{
    for (int i = 0; i < access->indices; i++)
        if (cin_uses_var(other, access->index[i]))
            return true;
    return false;
}

/* In O(1), whatever the order of the loops: operands by arithmetic or flags, the result by arithmetic or in a list. */
static bool is_located(const struct cin *access, bool written)
{
    const struct format *format = access->tensor->format;
    if (written && access->tensor->temporary)
        return true;
    for (int k = 0; k < format->levels; k++)
        if (!format->level[k].type->locates_fast || !format->level[k].type->size ||
            (written && format->level[k].type->insert))
            return false;
    return format_is_plain(format);
}

static bool suits(const struct follow *f)
{
    struct cin_list read = cin_operands(f->cx, f->body);
    for (int i = 0; i < f->access->indices; i++) {
        if (!is_bound(f, f->access->index[i]))
            return false;
        for (int k = 0; k < i; k++)
            if (f->access->index[k] == f->access->index[i])
                return false;
    }
    for (size_t i = 0; i < read.n; i++)
        if (read.at[i] != f->access && uses_vars_of(f->access, read.at[i]) && !is_located(read.at[i], false))
            return false;
    return is_located(f->body->arg[0], true);
}

/* ---- the directives ---- */

static const char *new_name(struct follow *f, const char *stem)
{
    const char *name = cin_fresh_name(f->cx, f->program, stem);
    for (int n = 2; strstr(f->taken, arena_printf(f->cx->arena, " %s ", name)); n++)
        name = cin_fresh_name(f->cx, f->program, arena_printf(f->cx->arena, "%s%d", stem, n));
    f->taken = arena_printf(f->cx->arena, "%s %s ", f->taken, name);
    return name;
}

static void begin_directive(struct follow *f)
{
    text_add(&f->out, f->out.n ? "; " : "");
}

/* The name of the loop over i/s or i%s, which the split makes; NULL if i is split by another size. */
static const char *split_name(struct follow *f, const struct index_var *var, int64_t size, bool inner)
{
    for (int i = 0; i < f->splits; i++)
        if (f->split[i].var == var)
            return f->split[i].size != size ? NULL : inner ? f->split[i].inner : f->split[i].outer;
    const char *outer = new_name(f, arena_printf(f->cx->arena, "%so", var->name));
    const char *within = new_name(f, arena_printf(f->cx->arena, "%si", var->name));
    f->split[f->splits].var = var;
    f->split[f->splits].size = size;
    f->split[f->splits].outer = outer;
    f->split[f->splits++].inner = within;
    begin_directive(f);
    text_printf(&f->out, "split(%s, %s, %s, down, %lld)", var->name, outer, within, (long long)size);
    return inner ? within : outer;
}

/* The name of the loop that the level is iterated by; "" if its coordinate follows; NULL if there is none. */
static const char *level_name(struct follow *f, const struct map_expr *map, const struct index_var **replaced)
{
    bool plain = map->kind == MAP_MODE || (map->a && map->a->kind == MAP_MODE);
    if (!plain || map->kind == MAP_ADD || map->kind == MAP_CONSTANT)
        return NULL;
    if (map->kind == MAP_MODE)
        return f->access->index[map->mode] == *replaced ? "" : f->access->index[map->mode]->name;
    const struct index_var *var = f->access->index[map->a->mode];
    if (map->kind != MAP_SUB)
        return split_name(f, var, map->b->constant, map->kind == MAP_MOD);
    if (*replaced || map->b->kind != MAP_MODE)
        return NULL;
    *replaced = var;
    const char *name = new_name(f, "d");
    begin_directive(f);
    text_printf(&f->out, "skew(%s, %s, %s)", var->name, f->access->index[map->b->mode]->name, name);
    return name;
}

const char *plan_follow(struct context *cx, const struct cin_program *program, const struct cin *access)
{
    struct follow f = {.cx = cx, .program = program, .access = access, .out = text_new(cx->arena), .taken = ""};
    const struct format *format = access->tensor->format;
    const struct index_var *replaced = NULL;
    const char *order = "";
    if (format_is_plain(format) || !find_chain(&f, program->statement) || !suits(&f))
        return NULL;
    for (int k = 0; k < format->levels; k++) {
        const char *name = level_name(&f, format->level[k].map, &replaced);
        if (!name)
            return NULL;
        if (*name)
            order = arena_printf(cx->arena, "%s%s%s", order, *order ? ", " : "", name);
    }
    for (const struct cin *s = f.chain; s != f.body; s = s->arg[0])
        if (!cin_uses_var(access, s->index[0]))
            order = arena_printf(cx->arena, "%s, %s", order, s->index[0]->name);
    text_printf(&f.out, "; reorder(%s)", order);
    return f.out.at;
}
