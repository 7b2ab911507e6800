/* derive.c - the coordinates and sizes of index variables in the kernel being lowered.
 *
 * Variables of the statement have the size of a mode; the parts of a split and differences get
 * theirs from those that they are parts and differences of.  Once the loops around give what a
 * variable follows from, its coordinate is computed and named, at that place.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/lower/base/kernel.h"

/* ---- sizes ---- */

const struct imp *kernel_find_size(const struct kernel *k, const struct index_var *var)
{
    for (size_t i = k->size.n; i-- > 0;) /* the last: of positions below where the loops are now */
        if (index_var_origin(k->size.at[i].var) == index_var_origin(var))
            return k->size.at[i].size;
    return NULL;
}

static const struct imp *size_of(const struct relation_code *code, const struct index_var *var)
{
    return kernel_size(code->kernel, var);
}

/* Returns the coordinate of the variable, in the type of coordinates: threads count by 64 bits what
 * they share, so that no step leads beyond, but the number itself fits. */
static const struct imp *at(const struct relation_code *code, const struct index_var *var)
{
    const struct imp *coordinate = scope_coordinate(code->scope, var);
    return coordinate ? imp_cast(code->b->cx, code->coordinates, coordinate) : NULL;
}

static struct level_code level_of(const struct relation_code *code, const struct cin *access,
                                  int level)
{
    return kernel_level(code->kernel, access, level, imp_i64(code->b->cx, 0), NULL);
}

static const struct imp *positions(const struct relation_code *code, const struct cin *access,
                                   int levels)
{
    return position_first(code->kernel, access, 0, levels, imp_i64(code->b->cx, 1));
}

static const struct imp *position_of(const struct relation_code *code, const struct cin_relation *r)
{
    return position_at(code->kernel, code->scope, r);
}

static const struct imp *parent_of(const struct relation_code *code, const struct cin_relation *r)
{
    return position_parent(code->kernel, code->scope, r);
}

static const struct imp *steps(const struct relation_code *code, const struct cin_relation *r)
{
    return position_steps(code->kernel, r);
}

static const struct imp *part(const struct relation_code *code, const struct cin_relation *r,
                              const struct imp **past)
{
    return position_part(code->kernel, code->scope, r, past);
}

struct relation_code kernel_relation(struct kernel *k, const struct scope *scope)
{
    return (struct relation_code){&k->b,       k->request->coordinates,
                                  k,           scope,
                                  size_of,     at,
                                  level_of,    positions,
                                  position_of, parent_of,
                                  steps,       part};
}

/* Returns the size of a part in a variable before all loops: written out, that of a part of n
 * others would be 2^n times as long. */
static const struct imp *child_size(struct kernel *k, const struct cin_relation *r,
                                    const struct index_var *child)
{
    const struct scope none = {0};
    struct relation_code code = kernel_relation(k, &none);
    const struct imp *size = r->type->size(&code, r, child == r->child[1]);
    if (size->kind == IMP_VAR || size->kind == IMP_LITERAL)
        return size;
    struct imp_var *name = kernel_var(k, size->type, "%s_size", child->name);
    vec_push(k->cx->arena, &k->sizes, imp_declare(k->cx, name, size));
    vec_push(k->cx->arena, &k->size, ((struct sized_var){child, imp_read(k->cx, name)}));
    return imp_read(k->cx, name);
}

/* Returns the nearest variable, of this one and those whose values it has as in the loops of a
 * copy, that a relation gives; else this one. */
static const struct index_var *given(const struct kernel *k, const struct index_var *var)
{
    for (const struct index_var *same = var; same; same = same->like)
        if (cin_origin(k->program, same))
            return same;
    return var;
}

const struct imp *kernel_size(struct kernel *k, const struct index_var *var)
{
    const struct imp *size = kernel_find_size(k, var);
    /* of constant loops without a run compilers warn */
    if (var->size > 0 || (var->size == 0 && !size))
        return imp_int(k->cx, k->request->coordinates, var->size);
    if (size)
        return size;
    const struct index_var *child = given(k, var);
    const struct cin_relation *r = cin_origin(k->program, child);
    context_assert(k->cx, r);
    return child_size(k, r, child);
}

const struct imp *kernel_counted_size(struct kernel *k, const struct index_var *var)
{
    const struct imp *size = kernel_find_size(k, var);
    for (int i = 0; i < k->program->relations && !size; i++)
        for (int c = 0; c < 2 && !size; c++) {
            const struct index_var *same = k->program->relation[i].child[c];
            while (same && same != var)
                same = same->like;
            if (same)
                size = child_size(k, &k->program->relation[i], k->program->relation[i].child[c]);
        }
    return size;
}

const struct imp *kernel_low(struct kernel *k, const struct index_var *var)
{
    const struct scope none = {0};
    struct relation_code code = kernel_relation(k, &none);
    const struct cin_relation *r = cin_origin(k->program, given(k, var));
    return r && r->type->low ? r->type->low(&code, r) : NULL;
}

const struct imp *kernel_end(struct kernel *k, const struct index_var *var)
{
    const struct scope none = {0};
    struct relation_code code = kernel_relation(k, &none);
    const struct cin_relation *r = cin_origin(k->program, given(k, var));
    return r && r->type->end ? r->type->end(&code, r) : kernel_size(k, var);
}

void kernel_level_range(struct kernel *k, const struct cin *access, int level,
                        struct level_code *code)
{
    const struct tensor_code *tensor = kernel_code(k, access->tensor);
    const struct index_var *var = access_level_var(access, level);
    code->low = kernel_low(k, var);
    code->dimension = kernel_size(k, var);
    code->scalar = tensor->scalar ? tensor->scalar[level] : NULL;
    const struct result *result = level == 0 ? kernel_find_result(k, access->tensor) : NULL;
    if (result && result->part_size) {
        code->low = result->part_low;
        code->dimension = result->part_size;
    }
}

/* ---- coordinates ---- */

const struct imp *scope_coordinate(const struct scope *scope, const struct index_var *var)
{
    for (int i = 0; i < scope->known.n; i++)
        if (scope->known.var[i] == var)
            return scope->coordinate[i];
    return NULL;
}

static const struct imp *derive(struct kernel *k, const struct scope *scope,
                                const struct cin_relation *r, const struct index_var *var)
{
    struct relation_code code = kernel_relation(k, scope);
    return r->type->coordinate(&code, r, var);
}

void scope_bind_known(struct kernel *k, struct scope *scope, const struct known *more,
                      const struct imp *coordinate, const struct index_var *whole,
                      const struct imp *at)
{
    const struct imp **all = arena_array(k->cx->arena, const struct imp *, more->n);
    int before = scope->known.n;
    for (int i = 0; i < before; i++)
        all[i] = scope->coordinate[i];
    scope->coordinate = all;
    scope->known = *more;
    for (int i = scope->known.n = before; i < more->n; i = ++scope->known.n) {
        if (more->by[i])
            coordinate = more->var[i] == whole ? at : derive(k, scope, more->by[i], more->var[i]);
        if (more->by[i] && coordinate->kind != IMP_VAR && coordinate->kind != IMP_LITERAL)
            coordinate =
                imp_let(&k->b, kernel_var(k, k->request->coordinates, "%s", more->var[i]->name),
                        coordinate);
        all[i] = coordinate;
    }
}

struct known scope_before_positions(const struct scope *scope, const struct known *more)
{
    struct known before = *more;
    for (int i = scope->known.n; i < before.n; i++) {
        const struct cin_relation *r = more->by[i];
        for (int j = scope->known.n; j < i && r && r->type->positions; j++)
            if (more->var[j] == r->child[0] && more->by[j]
                && cin_exceeds(more->by[j], more->var[j]))
                before.n = i;
    }
    return before;
}

void scope_bind(struct kernel *k, struct scope *scope, const struct index_var *var,
                const struct imp *coordinate)
{
    const struct known inside = known_with(k->cx, &scope->known, var);
    scope_bind_known(k, scope, &inside, coordinate, NULL, NULL);
}

struct scope scope_outside(struct kernel *k)
{
    const struct known literals = known_none(k->cx, k->program);
    struct scope scope = {
        .known = {.relation = literals.relation, .relations = literals.relations}};
    scope_bind_known(k, &scope, &literals, NULL, NULL, NULL);
    return scope;
}

const struct imp *kernel_first_of(struct kernel *k, const struct index_var *part,
                                  const struct index_var *whole, const struct imp *at)
{
    if (part == whole)
        return at;
    const struct cin_relation *r = cin_division(k->program, part, whole, CIN_FIRST);
    const struct index_var *known[] = {part};
    const struct imp *const coordinate[] = {imp_cast(k->cx, TYPE_I64, at)};
    const struct scope scope = {.known = {.var = known, .n = 1}, .coordinate = coordinate};
    struct relation_code code = kernel_relation(k, &scope);
    code.coordinates = TYPE_I64;
    const struct imp *first = r->type->ahead(&code, r), *size = kernel_size(k, r->parent[0]);
    return kernel_first_of(k, r->parent[0], whole,
                           imp_op2(k->cx, OP_MIN, first, imp_cast(k->cx, TYPE_I64, size)));
}

const struct imp *scope_value_at(struct kernel *k, const struct scope *scope,
                                 const struct index_var *var, const struct index_var *loop,
                                 const struct imp *at)
{
    struct known_path path;
    struct relation_code code = kernel_relation(k, scope);
    if (known_has(&scope->known, var) || !known_path(k->cx, &scope->known, var, loop, &path))
        return NULL;
    for (int i = path.steps; i-- > 0;) {
        const struct cin_relation *r = path.step[i].by;
        if (path.step[i].divides)
            return NULL;
        at = imp_op2(k->cx, OP_ADD, r->type->ahead(&code, r), at);
    }
    return at;
}

/* ---- ranges ---- */

const struct imp *guard_condition(struct kernel *k, const struct scope *scope,
                                  const struct lattice_guard *guard)
{
    struct relation_code code = kernel_relation(k, scope);
    const struct cin_relation *r = guard->by;
    return guard->equation == GUARD_RANGE ? r->type->in_range(&code, r, guard->var)
                                          : r->type->holds(&code, r, guard->equation);
}

/* Returns the only coordinate of the guard's that is not known before that of the loop over var;
 * NULL if there are several. */
static const struct index_var *awaited(const struct scope *scope, const struct lattice_guard *guard)
{
    const struct index_var *of[3] = {NULL}, *only = NULL;
    int others = 0;
    if (guard->equation == GUARD_RANGE)
        cin_sources(guard->by, guard->var, of);
    else
        guard->by->type->equation(guard->by, guard->equation, of);
    for (int i = 0; i < 3; i++) {
        bool known = !of[i] || of[i] == only || scope_coordinate(scope, of[i]);
        only = known ? only : of[i];
        others += !known;
    }
    return others == 1 ? only : NULL;
}

/* Bounds of what goes up with the loop, `ahead` of it, are the loop's so much earlier. */
static bool narrows_ahead(struct kernel *k, const struct relation_code *code,
                          const struct lattice_guard *guard, const struct index_var *var,
                          const struct imp *ahead, const struct imp **begin, const struct imp **end)
{
    struct context *cx = k->cx;
    enum type type = ahead->type;
    const struct imp *least = imp_literal(cx, value_lowest(type)), *first = least,
                     *most = imp_literal(cx, value_highest(type)), *past = most;
    if (!guard->by->type->narrows(code, guard->by, guard->var, var, &first, &past))
        return false;
    if (first != least)
        *begin = imp_op2(cx, OP_MAX, *begin, imp_op2(cx, OP_SUB, first, ahead));
    if (past != most)
        *end = imp_op2(cx, OP_MIN, *end, imp_op2(cx, OP_SUB, past, ahead));
    return true;
}

bool guard_narrows(struct kernel *k, const struct scope *scope, const struct lattice_guard *guard,
                   const struct index_var *var, const struct imp **begin, const struct imp **end)
{
    struct relation_code code = kernel_relation(k, scope);
    const struct relation_type *type = guard->by->type;
    bool ranged = guard->equation == GUARD_RANGE;
    const struct index_var *last = awaited(scope, guard);
    if (!type->narrows || !last)
        return false;
    if (last == var)
        return type->narrows(&code, guard->by, ranged ? guard->var : NULL, var, begin, end);
    const struct imp *none = imp_int(k->cx, k->request->coordinates, 0),
                     *ahead = ranged ? scope_value_at(k, scope, last, var, none) : NULL;
    return ahead && narrows_ahead(k, &code, guard, last, ahead, begin, end);
}
