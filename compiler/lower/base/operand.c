/* operand.c - where operands are and what they are worth.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/format/index_array.h"
#include "compiler/imperative/query.h"
#include "compiler/lower/base/kernel.h"

struct place operand_place(struct kernel *k, const struct scope *scope, const struct cin *access)
{
    const struct access_place *at = scope_access(scope, access);
    const struct workspace *ws =
        !at && access->tensor->temporary ? kernel_workspace(k, access->tensor) : NULL;
    if (!at)
        return (struct place){.position = ws && ws->team ? ws->team : imp_i64(k->cx, 0)};
    return (struct place){
        .position = at->position, .next = at->next, .found = at->found, .step = at->step};
}

static struct place locate(struct kernel *k, const struct scope *scope, const struct cin *access,
                           int level, struct place from)
{
    struct place place = {0};
    struct level_code code = kernel_level(k, access, level, from.position, from.next);
    const struct imp *coordinate = scope_coordinate(scope, access_level_var(access, level));
    place.position = code.format->type->locate(&code, coordinate, &place.found);
    return place;
}

/* Locates below a position that is valid only where from.found holds. */
static struct place locate_guarded(struct kernel *k, const struct scope *scope,
                                   const struct cin *access, int level, struct place from)
{
    struct context *cx = k->cx;
    struct imp_var *position = kernel_var(k, TYPE_I64, "p%s%d", access->tensor->name, level + 1);
    struct imp_var *found = kernel_var(k, TYPE_BOOL, "%s%d_found", access->tensor->name, level + 1);
    struct place place = {.position = imp_let(&k->b, position, imp_i64(cx, 0)),
                          .found = imp_let(&k->b, found, imp_int(cx, TYPE_BOOL, 0))};
    imp_begin(&k->b);
    struct place inner = locate(k, scope, access, level,
                                (struct place){.position = from.position, .next = from.next});
    imp_add(&k->b, imp_assign(cx, position, OP_NONE, imp_cast(cx, TYPE_I64, inner.position)));
    imp_add(&k->b, imp_assign(cx, found, OP_NONE, inner.found ? inner.found : imp_true(cx)));
    const struct imp *block = imp_end(&k->b);
    imp_add(&k->b, imp_if(cx, from.found, block, NULL));
    return place;
}

const struct imp *operand_end(struct kernel *k, const struct cin *access, int level)
{
    struct context *cx = k->cx;
    const struct level_format *format = &access->tensor->format->level[level];
    const struct imp *parents = imp_i64(cx, 1), *begin, *end;
    if (level > 0)
        parents = operand_end(k, access, level - 1);
    if (!parents || level_has(format, LEVEL_BRANCHLESS))
        return parents;
    if (format->type->size)
        return kernel_positions(k, access, level, level + 1, imp_cast(cx, TYPE_I64, parents));
    if (!code_array(kernel_code(k, access->tensor), level, LEVEL_POSITIONS))
        return NULL;
    parents = imp_op2(cx, OP_SUB, parents, imp_int(cx, parents->type, 1));
    struct level_code code = kernel_level(k, access, level, parents, NULL);
    format->type->bounds(&code, &begin, &end);
    return end;
}

const struct imp *operand_positions(struct kernel *k, const struct tree_capacity *room,
                                    int64_t most, bool *fits)
{
    const struct imp *sum = NULL;
    bool all = room->at.n == 1;
    *fits = false; /* as long as nothing is known */
    for (size_t i = 0; i < room->at.n; i++) {
        const struct tree_capacity_at at = room->at.at[i];
        const struct imp *n = k->part ? k->part->positions(k->part->parallel, at.access, at.level)
                                      : operand_end(k, at.access, at.level);
        if (!n)
            return NULL;
        n = imp_cast(k->cx, TYPE_I64, n);
        sum = sum ? imp_op2(k->cx, OP_ADD, sum, n) : n;
        const struct level_format *level = &at.access->tensor->format->level[at.level];
        all &= !level->type->size && index_max(level->pos) <= most;
    }
    *fits = all || most == INT64_MAX; /* as many as there is memory for have been stored */
    return sum;
}

/* Is there always a position, which nothing is read for?  Below a parent that is not there it is
 * then one of no meaning. */
static bool is_computed(const struct level_format *level)
{
    bool reads = false;
    for (int i = 0; i < LEVEL_ARRAYS; i++)
        reads |= level->type->array[i].kind != LEVEL_NO_ARRAY;
    return !reads && (level->properties & (LEVEL_FULL | LEVEL_BRANCHLESS));
}

struct place operand_locate(struct kernel *k, const struct scope *scope, const struct cin *access,
                            int first, int end, struct place from)
{
    const struct known none = known_none(k->cx, k->program);
    const struct cin_relation *given = access_position(access, end, &scope->known);
    if (given && given->size >= first) {
        from = (struct place){.position = imp_cast(k->cx, TYPE_I64, position_at(k, scope, given))};
        first = (int)given->size + 1;
    }
    for (int level = first; level < end; level++) {
        if (from.next && access_level_follows(k->cx, access, level, &none))
            continue; /* all of the run is there */
        bool guarded = from.found && !is_computed(&access->tensor->format->level[level]);
        const struct imp *found = guarded ? NULL : from.found;
        from = guarded ? locate_guarded(k, scope, access, level, from)
                       : locate(k, scope, access, level, from);
        from.found = from.found ? from.found : found;
    }
    return from;
}

/* Duplicates of a component are summed. */
static const struct imp *sum_values(struct kernel *k, const struct tensor_code *code,
                                    struct place place)
{
    struct context *cx = k->cx;
    enum type type = code->tensor->type;
    struct imp_var *sum = kernel_var(k, type, "%s_val", code->tensor->name);
    struct imp_var *p = kernel_var(k, place.position->type, "p%s", code->tensor->name);
    imp_let(&k->b, sum, imp_literal(cx, value_zero(type)));
    const struct imp *add =
        imp_assign(cx, sum, OP_ADD, imp_load(cx, code->values, imp_read(cx, p)));
    imp_add(&k->b, imp_for(cx, p, place.position, place.next, 1, add));
    return imp_read(cx, sum);
}

/* Returns the value where it is there, else the fill. */
static const struct imp *or_fill(struct kernel *k, const struct cin *access,
                                 const struct imp *found, const struct imp *value)
{
    return found ? imp_select(k->cx, found, value, imp_literal(k->cx, access->tensor->fill))
                 : value;
}

/* Gives the position, which later levels build on, a name. */
static const struct imp *name_position(struct kernel *k, const struct cin *access, int end,
                                       const struct imp *position)
{
    if (imp_is_leaf(position))
        return position;
    return imp_let(&k->b, kernel_var(k, position->type, "p%s%d", access->tensor->name, end),
                   position);
}

static const struct imp *name_value(struct kernel *k, const struct cin *access,
                                    const struct imp *value)
{
    if (value->kind == IMP_VAR)
        return value;
    return imp_let(&k->b, kernel_var(k, access->type, "%s_val", access->tensor->name), value);
}

void operand_resolve(struct kernel *k, struct scope *scope, const struct cin *access, int end,
                     struct place place, const struct cin *body)
{
    bool whole = end == access->tensor->format->levels, loops_follow = body->kind != CIN_ASSIGN;
    struct access_place *at = arena_make(k->cx->arena, struct access_place);
    if (!whole)
        place.position = name_position(k, access, end, place.position);
    *at =
        (struct access_place){access,          end,  place.position, place.next, place.found, NULL,
                              scope->accesses, NULL, NULL,           NULL,       place.step};
    bool reads = whole && k->computes && !kernel_is_result(k, access->tensor);
    if (reads && (place.next || loops_follow || place.readable)) {
        const struct tensor_code *code = kernel_code(k, access->tensor);
        const struct imp *value =
            place.next ? sum_values(k, code, place) : imp_load(k->cx, code->values, place.position);
        at->value = place.readable ? or_fill(k, access, place.found, name_value(k, access, value))
                                   : name_value(k, access, or_fill(k, access, place.found, value));
    }
    scope->accesses = at;
}

void operand_narrow(struct kernel *k, struct scope *scope, const struct cin *access,
                    const struct index_var *var, const struct imp *from, const struct imp *to)
{
    const struct access_place *now = scope_access(scope, access);
    struct access_place root = {.access = access, .position = imp_i64(k->cx, 0)};
    struct access_place *at = arena_copy(k->cx->arena, now ? now : &root, sizeof *at);
    at->block = var;
    at->from = from;
    at->to = to;
    at->outer = scope->accesses;
    scope->accesses = at;
}

void scope_is_there(struct kernel *k, struct scope *scope, const struct cin *access)
{
    struct access_place *at = arena_copy(k->cx->arena, scope_access(scope, access), sizeof *at);
    at->found = NULL;
    at->outer = scope->accesses;
    scope->accesses = at;
}

static const struct imp *lower_access(struct kernel *k, const struct scope *scope,
                                      const struct cin *access)
{
    const struct temporary_place *temporary = scope_temporary(scope, access->tensor);
    if (temporary)
        return imp_read(k->cx, temporary->var);
    const struct access_place *at = scope_access(scope, access);
    if (at && at->value)
        return at->value;
    if (access->tensor->pattern_of && !access->tensor->temporary)
        return imp_cast(k->cx, access->type, operand_place(k, scope, access).position);
    context_assert(k->cx, access->tensor->format->levels == (at ? at->levels : 0));
    struct place place = operand_place(k, scope, access);
    return or_fill(k, access, place.found,
                   imp_load(k->cx, kernel_code(k, access->tensor)->values, place.position));
}

const struct imp *lower_once(struct kernel *k, const struct imp *value, const char *name)
{
    bool simple = value->kind == IMP_VAR || value->kind == IMP_LITERAL || value->kind == IMP_LOAD;
    return simple ? value : imp_let(&k->b, kernel_var(k, value->type, "%s", name), value);
}

/* Is the component there?  Where that is known before the kernel runs, it is no question here. */
static const struct imp *lower_stored(struct kernel *k, const struct scope *scope,
                                      const struct cin *access)
{
    const struct imp *found = operand_place(k, scope, access).found;
    return found ? found : imp_true(k->cx);
}

const struct imp *lower_expression(struct kernel *k, const struct scope *scope,
                                   const struct cin *cin)
{
    const struct imp *arg[3];
    switch (cin->kind) {
    case CIN_LITERAL: return imp_literal(k->cx, cin->value);
    case CIN_ACCESS: return lower_access(k, scope, cin);
    case CIN_OP:
        if (cin->op == OP_STORED)
            return lower_stored(k, scope, cin->arg[0]);
        for (int i = 0; i < cin->args; i++)
            arg[i] = lower_expression(k, scope, cin->arg[i]);
        for (int i = 0; i < cin->args && op_is_user(cin->op); i++)
            if (operator_user(k->cx, cin->op)->uses[i] > 1)
                arg[i] = lower_once(k, arg[i], operator_name(k->cx, cin->op));
        return imp_op(k->cx, cin->op, arg, cin->args);
    case CIN_ASSIGN:
    case CIN_FORALL:
    case CIN_WHERE:
    case CIN_SEQUENCE:
    case CIN_MULTI:
    case CIN_NOTHING: break;
    }
    context_bug(k->cx, "a statement inside an expression");
}
