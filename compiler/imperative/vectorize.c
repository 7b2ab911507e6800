/* vectorize.c - explicit vectors where C compilers do not find them.
 *
 * They keep the order of floating-point sums, so that reductions stay scalar; they unroll short loops before they look
 * at them, and then see none; and they do not keep a row of a result in registers over the loops that add to it.  The
 * rewritings here work on what loops look like, not on which kernel they come from:
 *
 *   reduce.c   an innermost loop that reduces into scalars
 *   tile.c     a nest that adds to one row of an array; an innermost loop that stores a short row
 *
 * Requires a checked program; simplified ones are recognised best.  Maintains the check; sums are added up in another
 * order.  The result is simplified.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/imperative/simplify.h"
#include "compiler/imperative/vectorize.h"

/* ---- names ---- */

static void take(struct vectorizer *z, const char *name)
{
    *var_map_at(z->cx, &z->taken, intern(z->cx, name)) = z;
}

static bool take_name(const struct imp *imp, void *data)
{
    if (imp->var)
        take(data, imp->var->name);
    return false;
}

static void take_all(struct vectorizer *z)
{
    for (int i = 0; i < z->function->params; i++)
        take(z, z->function->param[i].var->name);
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
    take(z, name);
    struct imp_var *var = imp_var(z->cx, name, type);
    var->lanes = lanes;
    return var;
}

/* ---- rows that are filled first and then added to ---- */

/* The loops that surely run once each for all values of their variables, outermost first. */
struct path {
    const struct imp *loop[32];
    int n;
};

static const struct imp *without_casts(const struct imp *e)
{
    while (e->kind == IMP_CAST && type_is_integer(e->type) && type_promote(e->arg[0]->type, e->type) == e->type)
        e = e->arg[0];
    return e;
}

struct definition { const struct imp_var *var; const struct imp *value; bool assigned; };

static bool find_definition(const struct imp *imp, void *data)
{
    struct definition *d = data;
    if (imp->var != d->var)
        return false;
    d->assigned = d->assigned || imp->kind == IMP_ASSIGN || (d->value && imp->kind == IMP_DECLARE);
    if (imp->kind == IMP_DECLARE && imp->args)
        d->value = imp->arg[0];
    return false;
}

static bool is_variable_load(const struct imp *imp, void *data)
{
    return (imp->kind == IMP_LOAD && !imp->var->constant) || imp->kind == IMP_CALL;
}

/* What an array that is written held when the variable was declared, it may no longer hold. */
const struct imp *vector_resolved(struct vectorizer *z, const struct imp *e)
{
    e = without_casts(e);
    while (e->kind == IMP_VAR) {
        struct definition d = {.var = e->var};
        imp_any(z->function->body, find_definition, &d);
        if (!d.value || d.assigned || imp_any(d.value, is_variable_load, NULL))
            break;
        e = without_casts(d.value);
    }
    return e;
}

static bool is_assigned(const struct imp *imp, void *var) { return imp->kind == IMP_ASSIGN && imp->var == var; }

static bool may_change(const struct imp *imp, void *data)
{
    struct vectorizer *z = data;
    if (imp->kind == IMP_VAR)
        return imp_any(z->function->body, is_assigned, (void *)(size_t)imp->var);
    return is_variable_load(imp, NULL);
}

/* Have two expressions that look alike the same value, wherever they stand? */
static bool is_steady(struct vectorizer *z, const struct imp *e) { return !imp_any(e, may_change, z); }

static bool is_same(struct vectorizer *z, const struct imp *a, const struct imp *b)
{
    a = vector_resolved(z, a);
    b = vector_resolved(z, b);
    if (a->kind == IMP_LITERAL && b->kind == IMP_LITERAL && type_is_integer(a->type) && type_is_integer(b->type))
        return value_double(a->value) == value_double(b->value);
    return imp_equal(a, b) && is_steady(z, a);
}

static bool is_var(const struct imp *e, const struct imp_var *var) { return e->kind == IMP_VAR && e->var == var; }

/* Is e ((i1 * n2 + i2) * n3 + i3) ..., where the i are the variables of the loops and the n their extents? */
static bool is_row_major(struct vectorizer *z, const struct imp *e, const struct imp_var *const *var,
                         const struct imp *const *extent, int n)
{
    e = vector_resolved(z, e);
    if (n == 1)
        return is_var(e, var[0]);
    if (e->kind != IMP_OP || e->op != OP_ADD || !is_var(vector_resolved(z, e->arg[1]), var[n - 1]))
        return false;
    const struct imp *product = vector_resolved(z, e->arg[0]);
    return product->kind == IMP_OP && product->op == OP_MUL && is_same(z, product->arg[1], extent[n - 1])
        && is_row_major(z, product->arg[0], var, extent, n - 1);
}

/* Take the factors of a product away from those of the array's size; *literal is what the literals multiply to. */
static bool divide_out(struct vectorizer *z, const struct imp *e, const struct imp **factor, int n, double *literal)
{
    e = vector_resolved(z, e);
    if (e->kind == IMP_OP && e->op == OP_MUL)
        return divide_out(z, e->arg[0], factor, n, literal) && divide_out(z, e->arg[1], factor, n, literal);
    if (e->kind == IMP_LITERAL) {
        *literal *= value_double(e->value);
        return true;
    }
    for (int i = 0; i < n; i++) {
        if (factor[i] && imp_equal(factor[i], e) && is_steady(z, e)) {
            factor[i] = NULL;
            return true;
        }
    }
    return false;
}

/* Is e the product of the extents? */
static bool is_size(struct vectorizer *z, const struct imp *e, const struct imp *const *extent, int n)
{
    const struct imp *factor[33];
    double literal = 1, expected = 1;
    for (int i = 0; i < n; i++) {
        factor[i] = vector_resolved(z, extent[i]);
        if (factor[i]->kind == IMP_LITERAL) {
            expected *= value_double(factor[i]->value);
            factor[i] = NULL;
        }
    }
    if (!divide_out(z, e, factor, n, &literal) || literal != expected)
        return false;
    for (int i = 0; i < n; i++)
        if (factor[i])
            return false;
    return true;
}

static bool starts_at_zero(const struct imp *loop_or_fill)
{
    const struct imp *begin = loop_or_fill->arg[0];
    return begin->kind == IMP_LITERAL && value_is_zero(begin->value);
}

/* Do the loops of the path, and the row, go once over everything that was filled? */
static bool covers(struct vectorizer *z, const struct imp *fill, const struct path *path, const struct row *row)
{
    const struct imp_var *var[33];
    const struct imp *extent[33];
    for (int i = 0; i < path->n; i++) {
        if (!starts_at_zero(path->loop[i]) || path->loop[i]->n != 1)
            return false;
        var[i] = path->loop[i]->var;
        extent[i] = path->loop[i]->arg[1];
    }
    var[path->n] = row->var;
    extent[path->n] = row->end;
    return starts_at_zero(fill) && row->begin->kind == IMP_LITERAL && value_is_zero(row->begin->value)
        && is_row_major(z, row->position, var, extent, path->n + 1) && is_size(z, fill->arg[1], extent, path->n + 1);
}

/* Is the row just what was filled: from its first position, as far as it goes? */
static bool is_filled_row(struct vectorizer *z, const struct imp *fill, const struct row *row)
{
    const struct imp *begin = fill->arg[0], *end = without_casts(fill->arg[1]), *at = without_casts(row->position);
    bool zero = begin->kind == IMP_LITERAL && value_is_zero(begin->value);
    if (row->begin->kind != IMP_LITERAL || !value_is_zero(row->begin->value))
        return false;
    if (zero)
        return is_var(at, row->var) && is_same(z, end, row->end);
    if (end->kind != IMP_OP || end->op != OP_ADD || at->kind != IMP_OP || at->op != OP_ADD)
        return false;
    return is_same(z, at->arg[0], begin) && is_var(without_casts(at->arg[1]), row->var)
        && is_same(z, end->arg[0], begin) && is_same(z, end->arg[1], row->end);
}

static bool is_break(const struct imp *imp, void *data) { return imp->kind == IMP_BREAK; }

/* The loops from `loop` inwards to the nest that adds to rows of the filled array: each the only statement in the body
 * of the one around it that uses the array.  NULL if that is not how it looks. */
static const struct imp *find_nest(struct vectorizer *z, const struct imp *fill, const struct imp *loop,
                                   struct path *path)
{
    struct row row;
    if (vectorize_find_row(z, loop, &row))
        return row.array == fill->var && is_filled_row(z, fill, &row) ? loop : NULL;
    while (loop->kind == IMP_FOR && path->n < 32) {
        const struct imp *body = loop->arg[2], *user = NULL;
        path->loop[path->n++] = loop;
        for (int i = 0; i < body_count(body); i++) {
            if (!mentions(body_at(body, i), fill->var))
                continue;
            if (user)
                return NULL;
            user = body_at(body, i);
        }
        if (!user || imp_any(body, is_break, NULL))
            return NULL;
        if (vectorize_find_row(z, user, &row))
            return row.array == fill->var && covers(z, fill, path, &row) ? user : NULL;
        loop = user;
    }
    return NULL;
}

/* ---- the walk ---- */

static const struct imp *statement(struct vectorizer *z, const struct imp *imp);

static const struct imp *children(struct vectorizer *z, const struct imp *imp)
{
    const struct imp **arg = arena_array(z->cx->arena, const struct imp *, imp->args);
    if (imp->kind == IMP_FOR)
        vec_push(z->cx->arena, &z->loops, imp);
    for (int i = 0; i < imp->args; i++)
        arg[i] = imp_is_expression(imp->arg[i]) ? imp->arg[i] : statement(z, imp->arg[i]);
    z->loops.n -= imp->kind == IMP_FOR;
    return imp_with_args(z->cx, imp, arg);
}

static const struct imp *replaced(struct vectorizer *z, const struct imp *in, const struct imp *old,
                                  const struct imp *with)
{
    if (in == old)
        return with;
    const struct imp **arg = arena_array(z->cx->arena, const struct imp *, in->args);
    for (int i = 0; i < in->args; i++)
        arg[i] = replaced(z, in->arg[i], old, with);
    return imp_with_args(z->cx, in, arg);
}

/* A filled array all of whose rows are then computed in registers need not be filled: the loop that comes next to use
 * it, rewritten so; NULL if it is none of that kind. */
static const struct imp *fused_fill(struct vectorizer *z, const struct imp *block, int at, int *user)
{
    const struct imp *fill = block->arg[at];
    if (fill->kind != IMP_FILL || fill->arg[2]->kind != IMP_LITERAL)
        return NULL;
    for (*user = at + 1; *user < block->args && !mentions(block->arg[*user], fill->var);)
        ++*user;
    if (*user == block->args)
        return NULL;
    struct path path = {.n = 0};
    const struct imp *nest = find_nest(z, fill, block->arg[*user], &path);
    for (int i = 0; i < path.n; i++)
        vec_push(z->cx->arena, &z->loops, path.loop[i]);
    const struct imp *row = nest ? vectorize_row(z, nest, fill->arg[2]) : NULL;
    z->loops.n -= (size_t)path.n;
    return row ? replaced(z, block->arg[*user], nest, row) : NULL;
}

static const struct imp *block(struct vectorizer *z, const struct imp *imp)
{
    VEC(const struct imp *) out = {0};
    const struct imp **fused = arena_array(z->cx->arena, const struct imp *, imp->args);
    for (int i = 0; i < imp->args; i++) {
        int user;
        const struct imp *loop = fused[i] ? NULL : fused_fill(z, imp, i, &user);
        if (loop)
            fused[user] = loop;
        else
            vec_push(z->cx->arena, &out, fused[i] ? fused[i] : statement(z, imp->arg[i]));
    }
    return (int)out.n == imp->args ? imp_with_args(z->cx, imp, out.at) : imp_block(z->cx, out.at, (int)out.n);
}

static const struct imp *statement(struct vectorizer *z, const struct imp *imp)
{
    const struct imp *better = NULL;
    if (imp->kind == IMP_BLOCK)
        return block(z, imp);
    if (imp->kind == IMP_FOR || imp->kind == IMP_WHILE || imp->kind == IMP_IF)
        better = vectorize_row(z, imp, NULL);
    if (!better && imp->kind == IMP_FOR)
        better = vectorize_reduction(z, imp);
    if (!better && imp->kind == IMP_FOR)
        better = vectorize_short(z, imp);
    return better ? better : children(z, imp);
}

const struct imp_function *imp_vectorize(struct context *cx, const struct imp_function *function, int bytes)
{
    struct vectorizer z = {.cx = cx, .function = function, .bytes = bytes ? bytes : VECTOR_BYTES};
    const struct imp *body = statement(&z, function->body);
    if (body == function->body)
        return function;
    struct imp_function *vectorized = arena_copy(cx->arena, function, sizeof *function);
    vectorized->body = body;
    return imp_simplify(cx, vectorized);
}
