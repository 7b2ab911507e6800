/* vector.c - names, ends and rests of loops in steps, which the files of the vectorizer share.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/optimize/simplify.h"
#include "compiler/optimize/vectorize.h"

/* ---- names ---- */

static void note_name(struct vectorizer *z, const char *name)
{
    *var_map_at(z->cx, &z->taken, intern(z->cx, name)) = z;
}

static bool take_name(const struct imp *imp, void *data)
{
    if (imp->var)
        note_name(data, imp->var->name);
    return false;
}

static void take_all(struct vectorizer *z)
{
    for (int i = 0; i < z->function->params; i++)
        note_name(z, z->function->param[i].var->name);
    imp_any(z->function->body, take_name, z);
}

struct imp_var *vector_var(struct vectorizer *z, const char *name, enum type type, int lanes)
{
    const char *stem = name;
    if (z->taken.n == 0)
        take_all(z);
    uintptr_t number = (uintptr_t)*var_map_at(z->cx, &z->numbers, intern(z->cx, stem));
    while (*var_map_at(z->cx, &z->taken, intern(z->cx, name)))
        name = arena_printf(z->cx->arena, "%s%d", stem, (int)number++);
    *var_map_at(z->cx, &z->numbers, intern(z->cx, stem)) = (void *)number;
    note_name(z, name);
    struct imp_var *var = imp_var(z->cx, name, type);
    var->lanes = lanes;
    return var;
}

/* ---- loops ---- */

int64_t vector_extent(const struct imp *loop)
{
    const struct imp *begin = loop->arg[0], *end = loop->arg[1];
    if (begin->kind != IMP_LITERAL || end->kind != IMP_LITERAL)
        return -1;
    return end->value.i > begin->value.i ? end->value.i - begin->value.i : 0;
}

int64_t vector_most(const struct imp *loop)
{
    int64_t known = vector_extent(loop);
    return known < 0 && loop->mark && loop->mark->most ? loop->mark->most : known;
}

bool vector_is_multiple(const struct imp *loop, int64_t n)
{
    int64_t known = vector_extent(loop);
    return known >= 0 ? known % n == 0
                      : loop->mark && loop->mark->multiple && loop->mark->multiple % n == 0;
}

const struct imp *vector_end(struct vectorizer *z, struct imp_builder *b, const struct imp *loop)
{
    const struct imp *end = loop->arg[1];
    if (end->kind == IMP_VAR || end->kind == IMP_LITERAL)
        return end;
    const char *name = arena_printf(z->cx->arena, "%s_end", imp_stem(loop->var));
    return imp_let(b, vector_var(z, name, end->type, 1), end);
}

const struct imp *vector_whole(struct vectorizer *z, struct imp_builder *b, const struct imp *loop,
                               const struct imp *begin, const struct imp *end, int64_t step)
{
    struct context *cx = z->cx;
    const struct imp *n = imp_int(cx, begin->type, step);
    end = imp_cast(cx, begin->type, end);
    const struct imp *steps = imp_op2(cx, OP_DIV, imp_op2(cx, OP_SUB, end, begin), n);
    const struct imp *middle = imp_op2(cx, OP_ADD, begin, imp_op2(cx, OP_MUL, steps, n));
    middle = imp_fold(cx, middle);
    const char *name = arena_printf(cx->arena, "%s_middle", imp_stem(loop->var));
    return middle->kind == IMP_LITERAL ? middle
                                       : imp_let(b, vector_var(z, name, begin->type, 1), middle);
}

const struct imp *vector_is_left(struct context *cx, const struct imp *loop, const struct imp *end,
                                 int64_t n)
{
    return imp_op2(cx, OP_LT, imp_read(cx, loop->var), lanes_plus(cx, end, 1 - n));
}

const struct imp *vector_steps(struct context *cx, const struct imp *loop, const struct imp *end,
                               int64_t n, const struct imp *body)
{
    const struct imp *up = imp_assign(cx, loop->var, OP_ADD, imp_int(cx, loop->var->type, n));
    struct imp_builder b = {.cx = cx};
    imp_begin(&b);
    imp_add_all(&b, body);
    imp_add(&b, up);
    return imp_while(cx, vector_is_left(cx, loop, end, n), imp_end(&b));
}

const struct imp *vector_rest(struct context *cx, const struct imp *loop, const struct imp *end,
                              int lanes)
{
    struct imp_mark *few = arena_make(cx->arena, struct imp_mark);
    few->most = lanes - 1;
    return imp_marked(cx, vector_steps(cx, loop, end, 1, loop->arg[2]), few);
}

void vector_note(struct vectorizer *z, const struct imp *loop)
{
    if (vector_is_asked(loop))
        *var_map_at(z->cx, &z->done, loop->mark->asked->loop) = z;
}
