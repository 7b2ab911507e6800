/* result.c - the result: in one of the ways of assembly.h its components are stored, at once or
 * after a loop has reduced into them (thesis 5.4).
 *
 * A component that a reduction accumulates is kept in a register; a row that a reduction scatters
 * into is filled when it is reached.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/lower/result.h"

/* ---- the ways ---- */

static const struct assembly_way *const ways[] = {
    [ASSEMBLY_PLACE] = &assembly_place,   [ASSEMBLY_GIVEN] = &assembly_given,
    [ASSEMBLY_APPEND] = &assembly_append, [ASSEMBLY_COUNT] = &assembly_count,
    [ASSEMBLY_COPY] = &assembly_copy,
};

bool kernel_computes(const struct kernel *k) { return k->request->computes && !k->way->patterns; }

void result_declare(struct kernel *k)
{
    const struct assembly *a = k->assembly;
    k->way = join_applies(k) ? &assembly_join : ways[a->kind];
    k->group = arena_array(k->cx->arena, struct append_group, a->groups);
    k->turn = arena_array(k->cx->arena, const struct imp_var *, result_format(k)->levels);
    for (int g = 0; g < a->groups; g++)
        k->group[g] = (struct append_group){
            .first = a->group[g].first, .last = a->group[g].last, .slots = a->group[g].slots};
}

void result_open(struct kernel *k)
{
    if (k->way->open)
        k->way->open(k);
}

void result_run(struct kernel *k, const struct scope *scope, const struct tree_node *statement)
{
    k->way->run(k, scope, statement);
    if (k->way->close)
        k->way->close(k);
}

void result_take(struct kernel *k, struct workspace *ws)
{
    if (k->way->take && ws->code.tensor == k->assembly->list)
        k->way->take(k, ws);
}

/* ---- stores ---- */

const struct imp *result_locate(struct kernel *k, const struct scope *scope, int first, int end,
                                const struct imp *position)
{
    const struct imp *found;
    for (int level = first; level < end; level++) {
        struct level_code code = result_level(k, level, position);
        position =
            code.format->type->locate(&code, scope_coordinate(scope, result_var(k, level)), &found);
    }
    return position;
}

void result_store_value(struct kernel *k, const struct imp *position, enum op op,
                        const struct imp *value)
{
    const struct imp_var *values = kernel_code(k, k->result->tensor)->values;
    enum type wider = type_promote(values->type, value->type);
    if (op != OP_NONE && wider != values->type
        && operator_accepts(k->cx, op, (enum type[]){wider, wider})) {
        /* combined in the wider type */
        value = imp_op2(k->cx, op, imp_load(k->cx, values, position), value);
        op = OP_NONE;
    }
    parallel_store(k, k->result->tensor, values, position, op, value);
}

const struct imp *result_fill(struct kernel *k, const struct imp *begin, const struct imp *end)
{
    return imp_fill(k->cx, kernel_code(k, k->result->tensor)->values, begin, end,
                    imp_literal(k->cx, k->result->tensor->fill));
}

const struct imp *result_fill_below(struct kernel *k, int level, const struct imp *position)
{
    const struct imp *size = result_block_size(k, level, result_format(k)->levels);
    const struct imp *first = imp_op2(k->cx, OP_MUL, imp_cast(k->cx, TYPE_I64, position), size);
    return result_fill(k, first, imp_op2(k->cx, OP_ADD, first, size));
}

/* The result has a component here; a block is filled before its first. */
static void note_store(struct kernel *k, const struct scope *scope)
{
    struct context *cx = k->cx;
    const struct imp *set = imp_assign(cx, scope->produced, OP_NONE, imp_true(cx));
    if (!scope->block) {
        imp_add(&k->b, set);
        return;
    }
    imp_begin(&k->b);
    imp_add(&k->b, set);
    append_fill_block(k, scope->block, scope->result_position);
    const struct imp *first = imp_end(&k->b);
    imp_add(&k->b, imp_if(cx, imp_op1(cx, OP_NOT, imp_read(cx, scope->produced)), first, NULL));
}

void result_store(struct kernel *k, const struct scope *scope, enum op op, const struct imp *value)
{
    if (scope->produced)
        note_store(k, scope);
    if (value && scope->result_register)
        imp_add(&k->b, imp_assign(k->cx, scope->result_register, op,
                                  imp_cast(k->cx, scope->result_register->type, value)));
    else
        k->way->store(k, scope, op, value);
}

/* ---- reductions ---- */

static bool result_bound(const struct kernel *k, const struct scope *scope)
{
    for (int i = 0; i < k->result->indices; i++)
        if (!known_has(&scope->known, k->result->index[i]))
            return false;
    return true;
}

/* The operator with which every store in the statement reduces, into the same component; OP_NONE
 * if there is none, or not one. */
static enum op reducing_op(struct kernel *k, const struct cin *statement)
{
    struct cin_list made = cin_assignments(k->cx, statement);
    enum op op = OP_NONE;
    for (size_t i = 0; i < made.n; i++) {
        if (made.at[i]->arg[0]->tensor != k->result->tensor)
            continue;
        if (made.at[i]->arg[0] != k->result || made.at[i]->op == OP_NONE
            || (op != OP_NONE && made.at[i]->op != op))
            return OP_NONE;
        op = made.at[i]->op;
    }
    return op;
}

/* How many leading levels of the result are bound, if those are all of its variables that are;
 * else -1. */
static int bound_prefix(const struct kernel *k, const struct scope *scope)
{
    int levels = result_format(k)->levels, prefix = 0, bound = 0;
    while (prefix < levels && known_has(&scope->known, result_var(k, prefix)))
        prefix++;
    for (int level = 0; level < levels; level++)
        bound += known_has(&scope->known, result_var(k, level));
    /* the loops so far go through these levels, and no others */
    struct known known = known_none(k->cx, k->program);
    for (int level = 0; level < prefix; level++)
        if (!known_has(&known, result_var(k, level)))
            known = known_with(k->cx, &known, result_var(k, level));
    for (int i = 0; i < scope->known.n; i++)
        if (!known_has(&known, scope->known.var[i]))
            return -1;
    return bound == prefix ? prefix : -1;
}

/* The loops inside scatter into the components below the bound levels, which are adjacent: fill
 * them now. */
static void fill_row(struct kernel *k, struct scope *scope, int prefix)
{
    const struct imp *position = result_locate(k, scope, 0, prefix, imp_int(k->cx, TYPE_I64, 0));
    const struct imp *fill = result_fill_below(k, prefix, position);
    bool row = scope->row.target == k->result && prefix == result_format(k)->levels - 1;
    imp_add(&k->b, row ? mark_fill(k, scope->row.number, fill) : fill);
    scope->initialised = true;
}

struct result_reduction result_begin_reduction(struct kernel *k, struct scope *scope,
                                               const struct cin *statement)
{
    struct result_reduction none = {0};
    enum op op = reducing_op(k, statement);
    enum type type = k->result->type;
    struct value start;
    if (statement->kind != CIN_FORALL || op == OP_NONE || scope->result_register
        || !kernel_computes(k) || tree_of_access(k->cx, k->tree, k->result, statement->index[0]))
        return none;
    if (result_bound(k, scope) && operator_identity(k->cx, op, SIDE_LEFT, type, &start)) {
        struct imp_var *reg = kernel_var(k, type, "%s_val", k->result->tensor->name);
        imp_let(&k->b, reg, imp_literal(k->cx, start));
        scope->result_register = reg;
        return (struct result_reduction){reg, scope->once && !scope->initialised
                                                  && !k->program->accumulates};
    }
    int prefix = bound_prefix(k, scope);
    if (k->assembly->kind == ASSEMBLY_PLACE && !scope->initialised && scope->once && scope->full
        && prefix >= 0 && !k->program->accumulates)
        fill_row(k, scope, prefix);
    return none;
}

void result_end_reduction(struct kernel *k, const struct scope *scope,
                          const struct result_reduction *reduction, enum op op)
{
    if (!reduction->reg)
        return;
    imp_begin(&k->b);
    k->way->store(k, scope, reduction->plain ? OP_NONE : op, imp_read(k->cx, reduction->reg));
    const struct imp *block = imp_end(&k->b);
    imp_add(&k->b,
            scope->produced ? imp_if(k->cx, imp_read(k->cx, scope->produced), block, NULL) : block);
}
