/* result.c - the result: in one of the ways of assembly.h its components are stored, at once or
 * after a loop has reduced into them (thesis 5.4).
 *
 * A component that a reduction accumulates is kept in a register; a row that a reduction scatters
 * into is filled when it is reached.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/lower/result/result.h"
#include "compiler/format/index_array.h"

/* ---- the ways ---- */

static const struct assembly_way *const ways[] = {
    [ASSEMBLY_PLACE] = &assembly_place,     [ASSEMBLY_GIVEN] = &assembly_given,
    [ASSEMBLY_UPDATE] = &assembly_update,   [ASSEMBLY_APPEND] = &assembly_append,
    [ASSEMBLY_COUNT] = &assembly_count,     [ASSEMBLY_COPY] = &assembly_copy,
    [ASSEMBLY_PATTERN] = &assembly_pattern,
};

bool kernel_computes(const struct kernel *k)
{
    return k->request->computes && !k->result->way->patterns;
}

void result_select(struct kernel *k, int r)
{
    k->at = r;
    k->result = &k->all[r];
}

bool result_next(struct kernel *k, const struct cin *statement, int *r)
{
    int results = k->request->tree->results;
    while (*r < results && !cin_assigns(statement, k->all[*r].access->tensor))
        ++*r;
    if (*r < results)
        result_select(k, *r);
    return *r < results;
}

struct kernel_result *result_find(const struct kernel *k, const struct tensor_var *tensor)
{
    for (int r = 0; r < k->request->tree->results; r++)
        if (k->all[r].access->tensor == tensor)
            return &k->all[r];
    return NULL;
}

bool result_is(const struct kernel *k, const struct cin *target)
{
    const struct kernel_result *result = result_find(k, target->tensor);
    return result && result->access == target;
}

static void declare(struct kernel *k, const struct tree *tree)
{
    const struct assembly *a = &tree->assembly;
    *k->result =
        (struct kernel_result){.tree = tree, .access = tree->result, .assembly = &tree->assembly};
    const struct assembly_way *joined = join_way(k);
    k->result->way = joined ? joined : ways[a->kind];
    k->result->group = arena_array(k->cx->arena, struct append_group, a->groups);
    k->result->turn = arena_array(k->cx->arena, const struct imp_var *, result_format(k)->levels);
    for (int g = 0; g < a->groups; g++)
        k->result->group[g] = (struct append_group){
            .first = a->group[g].first, .last = a->group[g].last, .slots = a->group[g].slots};
}

void result_declare(struct kernel *k)
{
    const struct tree *tree = k->request->tree;
    k->all = arena_array(k->cx->arena, struct kernel_result, tree->results);
    for (int r = tree->results; r-- > 0;) {
        result_select(k, r);
        declare(k, tree->of[r]);
    }
}

void result_open(struct kernel *k)
{
    for (int r = 0; r < k->request->tree->results; r++) {
        result_select(k, r);
        if (k->result->way->open && !tree_room_list(k->cx, k->result->tree))
            k->result->way->open(k);
    }
}

/* Is this result made by the statement of that one?  (One that nothing assigns is made by none.) */
static bool is_made_with(const struct kernel *k, int r, int other)
{
    const struct tree *tree = k->all[r].tree;
    return r == other
           || (tree->root == k->all[other].tree->root && tree_assigns(tree, tree->root->statement));
}

/* The statement of result `first`, and what is around it for all that it makes. */
static void run(struct kernel *k, const struct scope *scope, int first)
{
    int results = k->request->tree->results;
    for (int r = first; r < results; r++) {
        result_select(k, r);
        if (is_made_with(k, r, first) && k->result->way->begin)
            k->result->way->begin(k, scope);
    }
    result_select(k, first);
    if (k->result->way->run)
        k->result->way->run(k, scope);
    else
        lower_program(k, scope);
    for (int r = first; r < results; r++) {
        result_select(k, r);
        if (is_made_with(k, r, first) && k->result->way->close)
            k->result->way->close(k);
    }
}

void result_run(struct kernel *k, const struct scope *scope)
{
    for (int r = 0; r < k->request->tree->results; r++) {
        bool made = false;
        for (int before = 0; before < r; before++)
            made |= is_made_with(k, r, before);
        if (!made)
            run(k, scope, r);
    }
}

void result_take(struct kernel *k, struct workspace *ws)
{
    const struct kernel_result *result = k->result;
    if (result->way->take && ws->code.tensor == result->assembly->list)
        result->way->take(k, ws);
    if (result->way->open && ws->code.tensor == tree_room_list(k->cx, result->tree))
        result->way->open(k);
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
    const struct imp_var *values = kernel_code(k, k->result->access->tensor)->values;
    enum type wider = type_promote(values->type, value->type);
    if (op != OP_NONE && wider != values->type
        && operator_accepts(k->cx, op, (enum type[]){wider, wider})) {
        /* combined in the wider type */
        value = imp_op2(k->cx, op, imp_load(k->cx, values, position), value);
        op = OP_NONE;
    }
    parallel_store(k, k->result->access->tensor, values, position, op, value);
}

const struct imp *result_fill(struct kernel *k, const struct imp *begin, const struct imp *end)
{
    return imp_fill(k->cx, kernel_code(k, k->result->access->tensor)->values, begin, end,
                    imp_literal(k->cx, k->result->access->tensor->fill));
}

const struct imp *result_fill_below(struct kernel *k, int level, const struct imp *position)
{
    const struct imp *size = result_block_size(k, level, result_format(k)->levels);
    const struct imp *first = imp_op2(k->cx, OP_MUL, imp_cast(k->cx, TYPE_I64, position), size);
    return result_fill(k, first, imp_op2(k->cx, OP_ADD, first, size));
}

static const struct imp *set_produced(struct kernel *k, const struct scope *scope)
{
    return imp_assign(k->cx, scope->result[k->at].produced, OP_NONE, imp_true(k->cx));
}

/* The result has a component here; a block is filled before its first. */
static void note_store(struct kernel *k, const struct scope *scope)
{
    struct context *cx = k->cx;
    const struct imp *set = set_produced(k, scope);
    if (!scope->result[k->at].block) {
        imp_add(&k->b, set);
        return;
    }
    imp_begin(&k->b);
    imp_add(&k->b, set);
    append_fill_block(k, scope, scope->result[k->at].block);
    const struct imp *first = imp_end(&k->b);
    imp_add(&k->b, imp_if(cx, imp_op1(cx, OP_NOT, imp_read(cx, scope->result[k->at].produced)),
                          first, NULL));
}

/* The first block is filled even if nothing will be stored in it, which does no harm, so that the
 * loop finds it filled on every way. */
void result_store_ahead(struct kernel *k, struct scope *scope, const struct imp *some)
{
    const struct scope before = *scope;
    struct result_place *place = &scope->result[k->at];
    const struct append_group *block = place->block;
    place->produced = NULL;
    place->block = NULL;
    if (block && place->none_yet != scope->place->node) {
        imp_begin(&k->b);
        note_store(k, &before);
        imp_add(&k->b, imp_if(k->cx, some, imp_end(&k->b), NULL));
        return;
    }
    imp_add(&k->b, imp_if(k->cx, some, set_produced(k, &before), NULL));
    if (!block)
        return;
    mark_row(k, scope, scope->place->node->statement);
    append_fill_block(k, scope, block);
}

void result_store(struct kernel *k, const struct scope *scope, enum op op, const struct imp *value)
{
    if (scope->result[k->at].produced)
        note_store(k, scope);
    if (value && scope->result[k->at].reg)
        imp_add(&k->b, imp_assign(k->cx, scope->result[k->at].reg, op,
                                  imp_cast(k->cx, scope->result[k->at].reg->type, value)));
    else
        k->result->way->store(k, scope, op, value);
}

/* ---- reductions ---- */

/* The loops inside scatter into the components below the known levels, which are adjacent: fill
 * them now. */
static void fill_row(struct kernel *k, struct scope *scope, int prefix)
{
    const struct imp *position = result_locate(k, scope, 0, prefix, imp_int(k->cx, TYPE_I64, 0));
    const struct imp *fill = result_fill_below(k, prefix, position);
    bool row = scope->row.target == k->result->access && prefix == result_format(k)->levels - 1;
    imp_add(&k->b, row ? mark_fill(k, scope->row.number, fill) : fill);
}

bool result_begin_reduction(struct kernel *k, struct scope *scope)
{
    const struct tree_place *place = scope->place;
    enum type type = k->result->access->type;
    struct value start;
    if (!kernel_computes(k))
        return false;
    if (place->reduction[k->at].row >= 0)
        fill_row(k, scope, place->reduction[k->at].row);
    if (!place->reduction[k->at].held)
        return false;
    operator_identity(k->cx, place->reduction[k->at].op, SIDE_LEFT, type, &start);
    struct imp_var *reg = kernel_var(k, type, "%s_val", k->result->access->tensor->name);
    imp_let(&k->b, reg, imp_literal(k->cx, start));
    scope->result[k->at].reg = reg;
    return true;
}

void result_end_reduction(struct kernel *k, const struct scope *scope, const struct imp_var *reg)
{
    const struct tree_reduction *reduction = &scope->place->reduction[k->at];
    imp_begin(&k->b);
    k->result->way->store(k, scope, reduction->first ? OP_NONE : reduction->op,
                          imp_read(k->cx, reg));
    const struct imp *block = imp_end(&k->b);
    imp_add(&k->b, scope->result[k->at].produced
                       ? imp_if(k->cx, imp_read(k->cx, scope->result[k->at].produced), block, NULL)
                       : block);
}

/* ---- coordinates ---- */

static void fail_if(struct kernel *k, enum op op, const struct imp *a, const struct imp *b)
{
    imp_add(&k->b,
            imp_if(k->cx, imp_op2(k->cx, op, a, b), imp_fail(k->cx, STATUS_TOO_LARGE), NULL));
}

/* Differences may be negative. */
static void check_low(struct kernel *k, int level)
{
    int64_t least = index_min(result_format(k)->level[level].crd);
    const struct imp *low = kernel_low(k, result_var(k, level));
    if (low && least > index_min(low->type))
        fail_if(k, OP_LT, imp_cast(k->cx, TYPE_I64, low), imp_int(k->cx, TYPE_I64, least));
}

/* A coordinate type that is narrower than the dimension is an overflow. */
static void check_high(struct kernel *k, int level)
{
    struct context *cx = k->cx;
    const struct imp *size = kernel_size(k, result_var(k, level));
    struct value most = value_highest(result_format(k)->level[level].crd),
                 widest = value_highest(size->type);
    if (value_double(most) >= value_double(widest) - 1)
        return;
    const struct imp *limit = imp_literal(cx, value_convert(most, TYPE_I64));
    const struct imp *last =
        imp_op2(cx, OP_SUB, imp_cast(cx, TYPE_I64, size), imp_int(cx, TYPE_I64, 1));
    fail_if(k, OP_GT, last, limit);
}

void result_check_coordinates(struct kernel *k)
{
    for (int level = 0; level < result_format(k)->levels; level++)
        if (level_type_has_crd(result_format(k)->level[level].type)) {
            check_low(k, level);
            check_high(k, level);
        }
}
