/* derive.c - the coordinates and sizes of index variables in the kernel being lowered.
 *
 * Variables of the statement have the size of a mode; the parts of a split and differences get theirs from those that they
 * are parts and differences of.  Once the loops around give what a variable follows from, its coordinate is computed and
 * named, at that place.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/lower/kernel.h"

/* The variable of the notation, for one that the compiler made. */
static const struct index_var *origin(const struct index_var *var)
{
    while (var->like)
        var = var->like;
    return var;
}

/* ---- sizes ---- */

const struct imp *kernel_find_size(const struct kernel *k, const struct index_var *var)
{
    for (size_t i = 0; i < k->size.n; i++)
        if (origin(k->size.at[i].var) == origin(var))
            return k->size.at[i].size;
    return NULL;
}

/* The relation that the variable is a child in, or NULL. */
static const struct cin_relation *relation_of(const struct kernel *k, const struct index_var *var)
{
    for (int i = 0; i < k->program->relations; i++) {
        const struct cin_relation *r = &k->program->relation[i];
        if (r->child[0] == var || r->child[1] == var)
            return r;
    }
    return NULL;
}

/* size / by, rounded up, without a sum that could overflow. */
static const struct imp *blocks(struct kernel *k, const struct imp *size, int64_t by)
{
    struct context *cx = k->cx;
    const struct imp *divisor = imp_int(cx, size->type, by), *zero = imp_int(cx, size->type, 0);
    const struct imp *rest = imp_op2(cx, OP_GT, imp_op2(cx, OP_MOD, size, divisor), zero);
    return imp_op2(cx, OP_ADD, imp_op2(cx, OP_DIV, size, divisor), imp_cast(cx, size->type, rest));
}

static const struct imp *child_size(struct kernel *k, const struct cin_relation *r, const struct index_var *child)
{
    struct context *cx = k->cx;
    const struct imp *size = kernel_size(k, r->parent[0]);
    const struct imp *other = r->parent[1] ? kernel_size(k, r->parent[1]) : NULL;
    bool fixed = false;
    switch (r->kind) {
    case RELATION_SPLIT_UP:
        fixed = child == r->child[0];
        break;
    case RELATION_SPLIT_DOWN:
        fixed = child == r->child[1];
        break;
    case RELATION_COLLAPSE:
        return imp_op2(cx, OP_MUL, size, other);
    case RELATION_DIFFERENCE:
        return imp_op2(cx, OP_MAX, imp_op2(cx, OP_SUB, imp_op2(cx, OP_ADD, size, other), imp_int(cx, size->type, 1)),
                       imp_int(cx, size->type, 0)); /* no mode has a coordinate: there is no difference */
    case RELATION_EQUAL:
    case RELATION_LITERAL:
        return size;
    }
    return fixed ? imp_int(cx, size->type, r->size) : blocks(k, size, r->size);
}

const struct imp *kernel_size(struct kernel *k, const struct index_var *var)
{
    const struct imp *size = kernel_find_size(k, var);
    if (var->size > 0 || (var->size == 0 && !size)) /* of constant loops without a run compilers warn */
        return imp_int(k->cx, k->request->coordinates, var->size);
    const struct cin_relation *r = size ? NULL : relation_of(k, var);
    context_assert(k->cx, size || r);
    return size ? size : child_size(k, r, var);
}

const struct imp *kernel_low(struct kernel *k, const struct index_var *var)
{
    const struct cin_relation *r = relation_of(k, var);
    if (!r || r->kind != RELATION_DIFFERENCE)
        return NULL;
    const struct imp *size = kernel_size(k, r->parent[1]);
    return imp_op2(k->cx, OP_SUB, imp_int(k->cx, size->type, 1), size);
}

const struct imp *kernel_end(struct kernel *k, const struct index_var *var)
{
    const struct cin_relation *r = relation_of(k, var);
    return kernel_size(k, r && r->kind == RELATION_DIFFERENCE ? r->parent[0] : var);
}

void kernel_level_range(struct kernel *k, const struct cin *access, int level, struct level_code *code)
{
    const struct tensor_code *tensor = kernel_code(k, access->tensor);
    const struct index_var *var = access_level_var(access, level);
    code->low = kernel_low(k, var);
    code->dimension = kernel_size(k, var);
    code->scalar = tensor->scalar ? tensor->scalar[level] : NULL;
}

/* ---- the result's variables ---- */

bool kernel_of_result(const struct kernel *k, const struct index_var *var)
{
    const struct known none = known_none(k->cx, k->program), known = known_with_access(k->cx, &none, k->result);
    return known_has(&known, var);
}

bool kernel_has_padding(const struct kernel *k)
{
    for (int i = 0; i < k->result->indices; i++) {
        const struct index_var *var = k->result->index[i];
        const struct cin_relation *r = relation_of(k, var);
        if (r && (r->kind == RELATION_DIFFERENCE || cin_exceeds(r, r->parent[0])))
            return true;
    }
    return false;
}

/* ---- coordinates ---- */

const struct imp *scope_coordinate(const struct scope *scope, const struct index_var *var)
{
    for (int i = 0; i < scope->known.n; i++)
        if (scope->known.var[i] == var)
            return scope->coordinate[i];
    return NULL;
}

static const struct imp *derive(struct kernel *k, const struct scope *scope, const struct cin_relation *r,
                                const struct index_var *var)
{
    struct context *cx = k->cx;
    const struct index_var *from[2] = {NULL, NULL};
    int sources = cin_sources(r, var, from);
    const struct imp *a = scope_coordinate(scope, from[0]);
    const struct imp *b = sources == 2 ? scope_coordinate(scope, from[1]) : NULL, *by = NULL;
    switch (r->kind) {
    case RELATION_SPLIT_UP:
    case RELATION_SPLIT_DOWN:
        by = kernel_size(k, r->child[1]);
        break;
    case RELATION_COLLAPSE:
        by = kernel_size(k, r->parent[1]);
        break;
    case RELATION_DIFFERENCE: /* d = j - i, i = j - d, j = i + d */
        return imp_op2(cx, var == r->parent[0] && var != r->parent[1] ? OP_ADD : OP_SUB, a, b);
    case RELATION_LITERAL:
        return imp_int(cx, k->request->coordinates, r->size);
    case RELATION_EQUAL:
        return NULL;
    }
    if (sources == 2)
        return imp_op2(cx, OP_ADD, imp_op2(cx, OP_MUL, a, by), b);
    bool outer = var == r->child[0] || var == r->parent[0];
    return imp_op2(cx, outer ? OP_DIV : OP_MOD, a, by);
}

/* The scope in which more is known; the coordinate is that of the first of it, unless it follows. */
static void bind(struct kernel *k, struct scope *scope, const struct known *more, const struct imp *coordinate)
{
    const struct imp **all = arena_array(k->cx->arena, const struct imp *, more->n);
    int before = scope->known.n;
    for (int i = 0; i < before; i++)
        all[i] = scope->coordinate[i];
    scope->coordinate = all;
    scope->known = *more;
    for (int i = scope->known.n = before; i < more->n; i = ++scope->known.n) {
        if (more->by[i])
            coordinate = derive(k, scope, more->by[i], more->var[i]);
        if (more->by[i] && coordinate->kind != IMP_VAR && coordinate->kind != IMP_LITERAL)
            coordinate = imp_let(&k->b, kernel_var(k, k->request->coordinates, "%s", more->var[i]->name), coordinate);
        all[i] = coordinate;
    }
}

void scope_bind(struct kernel *k, struct scope *scope, const struct index_var *var, const struct imp *coordinate)
{
    const struct known inside = known_with(k->cx, &scope->known, var);
    bind(k, scope, &inside, coordinate);
}

struct scope scope_outside(struct kernel *k)
{
    const struct known literals = known_none(k->cx, k->program);
    struct scope scope = {.known = {.relation = literals.relation, .relations = literals.relations}};
    bind(k, &scope, &literals, NULL);
    return scope;
}

/* ---- ranges ---- */

static const struct imp *minus(struct context *cx, const struct imp *a, const struct imp *b)
{
    return imp_op2(cx, OP_SUB, a, b);
}

/* Do the variables, each known from elsewhere, satisfy the relation? */
static const struct imp *equation(struct kernel *k, const struct scope *scope, const struct lattice_guard *guard)
{
    struct context *cx = k->cx;
    const struct cin_relation *r = guard->by;
    const struct imp *whole = scope_coordinate(scope, r->parent[0]);
    bool inner = guard->kind == GUARD_INNER;
    if (guard->kind != GUARD_EQUATION)
        return imp_op2(cx, OP_EQ, scope_coordinate(scope, r->child[inner]),
                       imp_op2(cx, inner ? OP_MOD : OP_DIV, whole, kernel_size(k, r->child[1])));
    if (r->kind == RELATION_DIFFERENCE)
        whole = imp_op2(cx, OP_SUB, whole, scope_coordinate(scope, r->parent[1]));
    return imp_op2(cx, OP_EQ, scope_coordinate(scope, r->child[0]), whole);
}

const struct imp *guard_condition(struct kernel *k, const struct scope *scope, const struct lattice_guard *guard)
{
    struct context *cx = k->cx;
    const struct cin_relation *r = guard->by;
    if (guard->kind != GUARD_RANGE)
        return equation(k, scope, guard);
    const struct imp *at = scope_coordinate(scope, guard->var), *size = kernel_size(k, guard->var);
    if (r->kind == RELATION_DIFFERENCE)
        return imp_op2(cx, OP_AND, imp_op2(cx, OP_GE, at, imp_int(cx, at->type, 0)), imp_op2(cx, OP_LT, at, size));
    /* what is left of the dimension cannot overflow, as the coordinate may */
    const struct imp *outer = scope_coordinate(scope, r->child[0]), *inner = scope_coordinate(scope, r->child[1]);
    const struct imp *before = imp_op2(cx, OP_MUL, outer, kernel_size(k, r->child[1]));
    return imp_op2(cx, OP_LT, inner, minus(cx, size, before));
}

bool guard_narrows(struct kernel *k, const struct scope *scope, const struct lattice_guard *guard,
                   const struct index_var *var, const struct imp **begin, const struct imp **end)
{
    struct context *cx = k->cx;
    const struct cin_relation *r = guard->by;
    if (r->kind == RELATION_EQUAL && var != r->parent[0] && var != r->child[0])
        return false;
    if (r->kind == RELATION_EQUAL) { /* of one size: it is in range */
        *begin = scope_coordinate(scope, var == r->child[0] ? r->parent[0] : r->child[0]);
        *end = imp_op2(cx, OP_ADD, *begin, imp_int(cx, (*begin)->type, 1));
        return true;
    }
    if (guard->kind != GUARD_RANGE)
        return false;
    const struct imp *size = kernel_size(k, guard->var);
    if (r->kind == RELATION_DIFFERENCE) {
        const struct index_var *from[2];
        cin_sources(r, guard->var, from);
        const struct imp *other = scope_coordinate(scope, from[0] == var ? from[1] : from[0]);
        if (from[0] != var && from[1] != var)
            return false;
        const struct imp *one = imp_int(cx, size->type, 1), *zero = imp_int(cx, size->type, 0), *first, *past;
        if (guard->var == r->parent[0]) { /* 0 <= var + other < size */
            first = minus(cx, zero, other);
            past = minus(cx, size, other);
        } else if (var == r->parent[0]) { /* 0 <= var - other < size */
            first = other;
            past = imp_op2(cx, OP_ADD, size, other);
        } else { /* 0 <= other - var < size */
            first = imp_op2(cx, OP_ADD, minus(cx, other, size), one);
            past = imp_op2(cx, OP_ADD, other, one);
        }
        *begin = imp_op2(cx, OP_MAX, *begin, first);
        *end = imp_op2(cx, OP_MIN, *end, past);
        return true;
    }
    if (var != r->child[1] || guard->var != r->parent[0])
        return false;
    const struct imp *before = imp_op2(cx, OP_MUL, scope_coordinate(scope, r->child[0]), kernel_size(k, var));
    *end = imp_op2(cx, OP_MIN, *end, minus(cx, size, before));
    return true;
}
