/* stands.c - tells where the parts of an expression stand that a directive looks for in vain.
 *
 *     precompute(sum(l, A(i,l) * B(l,j)), w)   of   S(i,j) += A(i,j) * A(i,l) * B(l,j)
 *     it stands there as A(i,l) * B(l,j)
 *
 * The normal form of sums and products, or an earlier directive, has changed the expression's
 * form.  Its accesses are still there.  The smallest parts of assigned expressions with these
 * accesses are what a directive can name; of a product, the factors with them.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/base/text.h"
#include "compiler/base/vec.h"
#include "compiler/value/operator.h"
#include "schedules/loops.h"

struct sought {
    struct context *cx;
    const struct tin *text;
    bool now; /* with the names of variables now */
};

static bool has_access(const struct tin *text, const struct cin *access, bool now)
{
    if (text->kind == TIN_ACCESS)
        return loops_says(text, access, now);
    bool has = false;
    for (int i = 0; i < text->args && !has; i++)
        has = has_access(text->arg[i], access, now);
    return has;
}

static bool find_access(const struct cin *e, void *data)
{
    const struct sought *s = data;
    return e->kind == CIN_ACCESS && has_access(s->text, e, s->now);
}

static bool has_some(struct sought *s, const struct cin *e) { return cin_any(e, find_access, s); }

/* Does an assigned expression contain each of the accesses? */
static bool has_all(struct sought *s, const struct cin_list *made, const struct tin *text)
{
    if (text->kind == TIN_ACCESS) {
        struct sought one = {s->cx, text, s->now};
        bool has = false;
        for (size_t i = 0; i < made->n && !has; i++)
            has = has_some(&one, made->at[i]->arg[1]);
        return has;
    }
    bool all = true;
    for (int i = 0; i < text->args && all; i++)
        all = has_all(s, made, text->arg[i]);
    return all;
}

/* Returns the smallest part of the expression with all sought accesses of the expression. */
static const struct cin *part_of(struct sought *s, const struct cin *e)
{
    const struct cin *part[2] = {NULL, NULL};
    int parts = 0;
    for (int i = 0; i < e->args; i++)
        if (has_some(s, e->arg[i]) && parts++ < 2)
            part[parts - 1] = e->arg[i];
    if (parts == 1)
        return part_of(s, part[0]);
    if (parts == 0 || e->args != 2 || !op_associative(e->op) || !op_commutative(e->op))
        return e;
    for (int i = 0; i < 2; i++)
        if (part[i]->kind == CIN_OP && part[i]->op == e->op)
            part[i] = part_of(s, part[i]);
    return cin_op(s->cx, e->op, part, 2);
}

static struct cin_list find_parts(struct sought *s, const struct cin_program *program)
{
    struct cin_list made = cin_assignments(s->cx, program->statement), parts = {0};
    for (size_t i = 0; i < made.n && has_all(s, &made, s->text); i++)
        if (has_some(s, made.at[i]->arg[1]))
            cin_list_add(s->cx, &parts, part_of(s, made.at[i]->arg[1]));
    return parts;
}

void *loops_refuse_expression(struct context *cx, const struct cin_program *program,
                              const struct schedule_call *call, const struct tin *text,
                              const char *why)
{
    struct cin_list parts = {0};
    struct text list = text_new(cx->arena);
    for (int now = 1; now >= 0 && !parts.n && text; now--)
        parts = find_parts(&(struct sought){cx, text, now}, program);
    bool same = parts.n == 1
                && (loops_says(text, parts.at[0], true) || loops_says(text, parts.at[0], false));
    for (size_t i = 0; i < parts.n; i++) {
        text_add(&list, i ? "; " : "");
        cin_print(cx, &list, parts.at[i]);
    }
    loops_refuse(cx, program, call, 0, "%s", why);
    if (parts.n && !same)
        loops_help(cx, arena_printf(cx->arena,
                                    parts.n > 1 ? "its parts stand apart there: %s"
                                                : "it stands there as %s",
                                    list.at));
    return NULL;
}
