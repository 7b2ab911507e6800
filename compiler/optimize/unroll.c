/* unroll.c - several iterations of a loop at a step, where a schedule asks for it.
 *
 *     for (i = begin; i < end; i++) { t = x[i]; y[i] = t * t; }
 *
 * becomes, four at a step,
 *
 *     middle = begin + (end - begin) / 4 * 4;
 *     for (i = begin; i < middle; i += 4) { t = x[i]; y[i] = t * t;  u = x[i + 1]; y[i + 1] = ... }
 *     for (i = middle; i < end; i++) { t = x[i]; y[i] = t * t; }
 *
 * in the same order.  A loop with no more iterations than that, their number known, goes away;
 * where their number is a multiple there is no second loop.  A loop whose number of steps is not
 * known before, as one that merges operands, asks before each of them:
 *
 *     while (p < p_end && q < q_end) { ...  if (!(p < p_end && q < q_end)) break;  ... }
 *
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/optimize/optimize.h"
#include "compiler/optimize/simplify.h"
#include "compiler/optimize/vectorize.h"

enum { STATEMENTS = 2000 }; /* of all unrolled loops together */

struct unroller {
    struct vectorizer *z; /* for names */
    struct imp_builder b;
    struct var_map renamed;    /* in the iteration that is being copied */
    const struct imp_var *var; /* the loop's */
    const struct imp *value;   /* of it, there */
    int statements;
    bool refused;
};

/* ---- copies of a body ---- */

static struct imp_var *renamed(struct unroller *u, const struct imp_var *var)
{
    const char *base_name = imp_stem(var);
    struct imp_var *copy = arena_copy(u->z->cx->arena, var, sizeof *var);
    copy->name = vector_var(u->z, base_name, var->type, 1)->name;
    copy->base_name = base_name;
    *var_map_at(u->z->cx, &u->renamed, var) = copy;
    return copy;
}

static const struct imp *copied(struct unroller *u, const struct imp *imp)
{
    if (imp_is_read(imp, u->var))
        return u->value;
    const struct imp_var *var = imp->var;
    struct imp *copy = arena_copy(u->z->cx->arena, imp, sizeof *imp);
    const struct imp **arg = arena_array(u->z->cx->arena, const struct imp *, imp->args);
    u->statements += !imp_is_expression(imp) && imp->kind != IMP_BLOCK;
    if (imp_declares(imp))
        copy->var = renamed(u, var);
    else if (var && *var_map_at(u->z->cx, &u->renamed, var))
        copy->var = *var_map_at(u->z->cx, &u->renamed, var);
    for (int i = 0; i < imp->args; i++)
        arg[i] = copied(u, imp->arg[i]);
    copy->arg = arg;
    return copy;
}

/* Returns the body for this value of the loop's variable, if it has one, with variables of its own.
 */
static const struct imp *iteration(struct unroller *u, const struct imp *loop,
                                   const struct imp *value)
{
    const struct imp_var *outer = u->var;
    const struct imp *outer_value = u->value;
    u->renamed = (struct var_map){0};
    u->var = loop->var;
    u->value = value;
    const struct imp *body = copied(u, loop->arg[loop->args - 1]);
    u->var = outer;
    u->value = outer_value;
    return imp_block(u->z->cx, &body, 1);
}

const struct imp *unroll_iteration(struct vectorizer *z, const struct imp *loop,
                                   const struct imp *value)
{
    struct unroller u = {.z = z};
    return iteration(&u, loop, value)->arg[0];
}

/* ---- the loop ---- */

static const struct imp *named(struct unroller *u, const struct imp *e, enum type type,
                               const char *name)
{
    e = imp_fold(u->z->cx, imp_cast(u->z->cx, type, e));
    if (e->kind == IMP_LITERAL || e->kind == IMP_VAR)
        return e;
    return imp_let(&u->b, vector_var(u->z, name, type, 1), e);
}

/* Returns a mark that asks for nothing more. */
static const struct imp_mark *done_mark(struct context *cx, const struct imp *loop)
{
    struct imp_mark *mark = arena_copy(cx->arena, loop->mark, sizeof *mark);
    mark->asked = NULL;
    return mark;
}

/* Returns all iterations, one behind the other. */
static const struct imp *straight(struct unroller *u, const struct imp *loop, int64_t begin,
                                  int64_t end)
{
    imp_begin(&u->b);
    for (int64_t i = begin; i < end; i += loop->n)
        imp_add(&u->b, iteration(u, loop, imp_int(u->z->cx, loop->var->type, i)));
    return imp_end(&u->b);
}

static const struct imp *in_steps(struct unroller *u, const struct imp *loop, int64_t factor)
{
    struct context *cx = u->z->cx;
    const char *name = loop->var->name;
    enum type type = loop->var->type;
    int64_t chunk = factor * loop->n;
    bool even = vector_is_multiple(loop, chunk);
    imp_begin(&u->b);
    const struct imp *begin =
        named(u, loop->arg[0], type, arena_printf(cx->arena, "%s_begin", name));
    const struct imp *end = named(u, loop->arg[1], type, arena_printf(cx->arena, "%s_end", name));
    const struct imp *middle = end;
    if (!even)
        middle = vector_whole(u->z, &u->b, loop, begin, end, chunk);
    const struct imp_mark *done = done_mark(cx, loop);
    imp_begin(&u->b);
    imp_add(&u->b, loop->arg[2]);
    for (int64_t i = 1; i < factor; i++)
        imp_add(&u->b, iteration(u, loop, lanes_plus(cx, imp_read(cx, loop->var), i * loop->n)));
    const struct imp *body = imp_end(&u->b);
    imp_add(&u->b, imp_marked(cx, imp_for(cx, loop->var, begin, middle, chunk, body), done));
    if (!even) {
        struct imp_var *var = vector_var(u->z, name, type, 1);
        var->base_name = imp_stem(loop->var);
        const struct imp *left = iteration(u, loop, imp_read(cx, var));
        imp_add(&u->b, imp_marked(cx, imp_for(cx, var, middle, end, loop->n, left), done));
    }
    return imp_end(&u->b);
}

/* Returns likewise a loop that goes on while a condition holds. */
static const struct imp *while_in_steps(struct unroller *u, const struct imp *loop, int64_t factor)
{
    struct context *cx = u->z->cx;
    const struct imp *ends = imp_op1(cx, OP_NOT, loop->arg[0]);
    imp_begin(&u->b);
    imp_add(&u->b, loop->arg[1]);
    for (int64_t i = 1; i < factor; i++) {
        imp_add(&u->b, imp_if(cx, ends, imp_break(cx), NULL));
        imp_add(&u->b, iteration(u, loop, NULL));
    }
    return imp_marked(cx, imp_while(cx, loop->arg[0], imp_end(&u->b)), done_mark(cx, loop));
}

static const struct imp *for_in_steps(struct unroller *u, const struct imp *loop, int64_t factor)
{
    const int64_t extent = vector_extent(loop);
    return extent >= 0 && extent <= factor * loop->n
               ? straight(u, loop, loop->arg[0]->value.i, loop->arg[1]->value.i)
               : in_steps(u, loop, factor);
}

static const struct imp *unrolled(struct unroller *u, const struct imp *loop)
{
    int64_t factor = loop->mark->asked->unroll;
    const struct imp *steps =
        loop->kind == IMP_WHILE ? while_in_steps(u, loop, factor) : for_in_steps(u, loop, factor);
    if (u->statements <= STATEMENTS)
        return steps;
    diag_error(u->z->cx, DIAG_PRECONDITION, loop->mark->asked->span,
               "unroll: the code would be more than %d statements longer", STATEMENTS);
    u->refused = true;
    return loop;
}

static const struct imp *unroll_statement(struct context *cx, const struct imp *imp, void *data)
{
    struct unroller *u = data;
    return vector_factor(imp) && !u->refused ? unrolled(u, imp) : imp;
}

const struct imp_function *imp_unroll(struct context *cx, const struct imp_function *function,
                                      const struct pass_options *options)
{
    struct vectorizer z = {.cx = cx, .function = function};
    struct unroller u = {.z = &z, .b = {.cx = cx}};
    const struct imp *body = imp_rewrite(cx, function->body, unroll_statement, &u);
    return u.refused ? NULL : imp_with_body(cx, function, body);
}
