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
#include "compiler/imperative/stream.h"
#include "compiler/target.h"

/* ---- the ways ---- */

static const struct assembly_way *const ways[] = {
    [ASSEMBLY_PLACE] = &assembly_place,     [ASSEMBLY_GIVEN] = &assembly_given,
    [ASSEMBLY_UPDATE] = &assembly_update,   [ASSEMBLY_APPEND] = &assembly_append,
    [ASSEMBLY_COUNT] = &assembly_count,     [ASSEMBLY_COPY] = &assembly_copy,
    [ASSEMBLY_PATTERN] = &assembly_pattern,
};

void result_declare(struct kernel *k, const struct tree *tree, const struct assembly_way *by_parts)
{
    const struct assembly *a = &tree->assembly;
    struct result *r = &k->result[tree->rank];
    *r = (struct result){.rank = tree->rank,
                         .tree = tree,
                         .access = tree->result,
                         .assembly = a,
                         .way = by_parts ? by_parts : ways[a->kind]};
    r->group = arena_array(k->cx->arena, struct append_group, a->groups);
    r->turn = arena_array(k->cx->arena, const struct imp_var *, result_format(r)->levels);
    for (int g = 0; g < a->groups; g++)
        r->group[g] = (struct append_group){
            .first = a->group[g].first, .last = a->group[g].last, .slots = a->group[g].slots};
}

void result_open(struct kernel *k)
{
    for (int i = 0; i < k->request->tree->results; i++) {
        struct result *r = &k->result[i];
        if (r->way->open && !tree_capacity_list(k->cx, r->tree))
            r->way->open(k, r);
    }
}

void result_take(struct kernel *k, struct workspace *ws)
{
    for (int i = 0; i < k->request->tree->results; i++) {
        struct result *r = &k->result[i];
        if (r->way->take && ws->code.tensor == r->assembly->list)
            r->way->take(k, r, ws);
        if (r->way->open && ws->code.tensor == tree_capacity_list(k->cx, r->tree))
            r->way->open(k, r);
    }
}

/* ---- stores ---- */

const struct imp *result_locate(struct kernel *k, const struct result *r, const struct scope *scope,
                                int first, int end, const struct imp *position)
{
    const struct imp *found;
    for (int level = first; level < end; level++) {
        struct level_code code = result_level(k, r, level, position);
        position =
            code.format->type->locate(&code, scope_coordinate(scope, result_var(r, level)), &found);
    }
    return position;
}

/* Is the result known to be larger than the last cache, so that what is stored first is gone there
 * before anybody reads it? */
static bool outgrows_caches(struct kernel *k, const struct result *r)
{
    const int levels = result_format(r)->levels;
    double bytes = (double)type_size(r->access->type);
    for (int level = 0; level < levels; level++) {
        const struct imp *size = kernel_size(k, result_var(r, level));
        bytes *= size->kind == IMP_LITERAL ? value_double(size->value) : 0;
    }
    return levels > 0 && bytes > (double)target_of(k->cx)->l3;
}

/* Does the loop nest set each component, and none is read? */
static bool is_only_set(struct kernel *k, const struct result *r)
{
    return r->assembly->kind == ASSEMBLY_PLACE && !r->tree->program->accumulates
           && !kernel_is_atomic(k, r->access->tensor) && !tree_needs_fill(k->cx, r->tree);
}

static bool is_streamed(struct kernel *k, const struct result *r, enum op op)
{
    return op == OP_NONE && !k->cx->cuda && outgrows_caches(k, r) && is_only_set(k, r);
}

void result_store_value(struct kernel *k, const struct result *r, const struct imp *position,
                        enum op op, const struct imp *value)
{
    const struct imp_var *values = kernel_code(k, r->access->tensor)->values;
    enum type wider = type_promote(values->type, value->type);
    if (op != OP_NONE && wider != values->type
        && operator_accepts(k->cx, op, (enum type[]){wider, wider})) {
        /* combined in the wider type */
        const struct kernel_begun *begun = begun_enter(k, r->access->tensor, position);
        value = imp_op2(k->cx, op,
                        begun ? imp_read(k->cx, begun->value) : imp_load(k->cx, values, position),
                        value);
        if (begun) {
            imp_add(&k->b, imp_assign(k->cx, begun->value, OP_NONE, value));
            return;
        }
        op = OP_NONE;
    }
    if (is_streamed(k, r, op))
        imp_add(&k->b, imp_streamed(k->cx, imp_store(k->cx, values, position, op, value)));
    else
        kernel_store(k, r->access->tensor, values, position, op, value);
}

const struct imp *result_fill(struct kernel *k, const struct result *r, const struct imp *begin,
                              const struct imp *end)
{
    return imp_fill(k->cx, kernel_code(k, r->access->tensor)->values, begin, end,
                    imp_literal(k->cx, r->access->tensor->fill));
}

const struct imp *result_fill_below(struct kernel *k, const struct result *r, int level,
                                    const struct imp *position)
{
    const struct imp *size = result_block_size(k, r, level, result_format(r)->levels);
    const struct imp *first = imp_op2(k->cx, OP_MUL, imp_cast(k->cx, TYPE_I64, position), size);
    return result_fill(k, r, first, imp_op2(k->cx, OP_ADD, first, size));
}

static const struct imp *set_produced(struct kernel *k, const struct result *r,
                                      const struct scope *scope)
{
    return imp_assign(k->cx, scope->result[r->rank].produced, OP_NONE, imp_true(k->cx));
}

/* Notes that the result has a component here; a block is filled before its first. */
static void note_store(struct kernel *k, const struct result *r, const struct scope *scope)
{
    struct context *cx = k->cx;
    const struct imp *set = set_produced(k, r, scope);
    if (!scope->result[r->rank].block) {
        imp_add(&k->b, set);
        return;
    }
    imp_begin(&k->b);
    imp_add(&k->b, set);
    append_fill_block(k, r, scope, scope->result[r->rank].block);
    const struct imp *first = imp_end(&k->b);
    imp_add(&k->b, imp_if(cx, imp_op1(cx, OP_NOT, imp_read(cx, scope->result[r->rank].produced)),
                          first, NULL));
}

/* Notes the stores, and fills the first block even if nothing will be stored in it, which does no
 * harm, so that the loop finds it filled on every way.  But if positions are counted, the block is
 * another part's. */
void result_store_ahead(struct kernel *k, const struct result *r, struct scope *scope,
                        const struct imp *some)
{
    const struct scope before = *scope;
    struct result_place *place = &scope->result[r->rank];
    const struct append_group *block = place->block;
    place->produced = NULL;
    place->block = NULL;
    if (block && (block->counted || place->none_yet != scope->place->node)) {
        imp_begin(&k->b);
        note_store(k, r, &before);
        imp_add(&k->b, imp_if(k->cx, some, imp_end(&k->b), NULL));
        return;
    }
    imp_add(&k->b, imp_if(k->cx, some, set_produced(k, r, &before), NULL));
    if (!block)
        return;
    mark_row(k, scope, scope->place->node->statement);
    append_fill_block(k, r, scope, block);
}

void result_store(struct kernel *k, const struct result *r, const struct scope *scope, enum op op,
                  const struct imp *value)
{
    if (scope->result[r->rank].produced)
        note_store(k, r, scope);
    if (value && scope->result[r->rank].reg)
        imp_add(&k->b, imp_assign(k->cx, scope->result[r->rank].reg, op,
                                  imp_cast(k->cx, scope->result[r->rank].reg->type, value)));
    else
        r->way->store(k, r, scope, op, value);
}

/* ---- reductions ---- */

/* Fills all components at those of the level's coordinates that are in the part where the loops
 * are. */
static const struct imp *fill_part(struct kernel *k, const struct result *r,
                                   const struct scope *scope, int level, const struct imp *position,
                                   const struct cin_relation *part)
{
    struct context *cx = k->cx;
    const struct relation_code code = kernel_relation(k, scope);
    const struct imp *none = NULL, *n = kernel_size(k, part->child[1]);
    if (cin_exceeds(part, part->parent[0]))
        part->type->narrows(&code, part, part->parent[0], part->child[1], &none, &n);
    const struct imp *first = imp_op2(
        cx, OP_ADD, imp_op2(cx, OP_MUL, position, result_block_size(k, r, level, level + 1)),
        imp_cast(cx, TYPE_I64, part->type->ahead(&code, part)));
    const struct imp *end = imp_op2(cx, OP_ADD, first, imp_cast(cx, TYPE_I64, n)),
                     *below = result_block_size(k, r, level + 1, result_format(r)->levels);
    return result_fill(k, r, imp_op2(cx, OP_MUL, first, below), imp_op2(cx, OP_MUL, end, below));
}

/* Fills the components below the known levels, which are adjacent, and which the loops inside
 * scatter into. */
static void fill_row(struct kernel *k, const struct result *r, struct scope *scope,
                     const struct tree_reduction *by)
{
    const int prefix = by->row;
    const struct imp *position = r->assembly->kind == ASSEMBLY_GIVEN
                                     ? operand_place(k, scope, result_given(r)).position
                                     : result_locate(k, r, scope, 0, prefix, imp_i64(k->cx, 0));
    const struct imp *fill = by->part ? fill_part(k, r, scope, prefix, position, by->part)
                                      : result_fill_below(k, r, prefix, position);
    bool row =
        scope->row.target == r->access && prefix == result_format(r)->levels - 1 && !by->part;
    imp_add(&k->b,
            row ? mark_fill(k, scope->row.number, fill) : mark_start(k, scope, r->tree, fill));
}

bool result_begin_reduction(struct kernel *k, struct result *r, struct scope *scope)
{
    const struct tree_place *place = scope->place;
    enum type type = r->access->type;
    struct value start;
    if (!k->computes)
        return false;
    if (place->reduction[r->rank].row >= 0 && !r->way->tallies)
        fill_row(k, r, scope, &place->reduction[r->rank]);
    if (!place->reduction[r->rank].in_register)
        return false;
    operator_identity(k->cx, place->reduction[r->rank].op, SIDE_LEFT, type, &start);
    struct imp_var *reg = kernel_var(k, type, "%s_val", r->access->tensor->name);
    imp_let(&k->b, reg, imp_literal(k->cx, start));
    scope->result[r->rank].reg = reg;
    return true;
}

void result_end_reduction(struct kernel *k, const struct result *r, const struct scope *scope,
                          const struct imp_var *reg)
{
    const struct tree_reduction *reduction = &scope->place->reduction[r->rank];
    imp_begin(&k->b);
    r->way->store(k, r, scope, reduction->first ? OP_NONE : reduction->op, imp_read(k->cx, reg));
    const struct imp *block = imp_end(&k->b);
    const struct imp_var *produced = scope->result[r->rank].produced;
    imp_add_all(&k->b, produced ? imp_if(k->cx, imp_read(k->cx, produced), block, NULL) : block);
}

/* ---- coordinates ---- */

static void fail_if(struct kernel *k, enum op op, const struct imp *a, const struct imp *b)
{
    imp_add(&k->b,
            imp_if(k->cx, imp_op2(k->cx, op, a, b), imp_fail(k->cx, STATUS_TOO_LARGE), NULL));
}

/* Checks the lower bound: differences may be negative. */
static void check_low(struct kernel *k, const struct result *r, int level)
{
    int64_t least = index_min(result_format(r)->level[level].crd);
    const struct imp *low = kernel_low(k, result_var(r, level));
    if (low && least > index_min(low->type))
        fail_if(k, OP_LT, imp_cast(k->cx, TYPE_I64, low), imp_i64(k->cx, least));
}

/* Checks the upper bound: a coordinate type that is narrower than the dimension overflows. */
static void check_high(struct kernel *k, const struct result *r, int level)
{
    struct context *cx = k->cx;
    const struct imp *size = kernel_size(k, result_var(r, level));
    struct value most = value_highest(result_format(r)->level[level].crd),
                 widest = value_highest(size->type);
    if (value_double(most) >= value_double(widest) - 1)
        return;
    const struct imp *limit = imp_literal(cx, value_convert(most, TYPE_I64));
    const struct imp *last = imp_op2(cx, OP_SUB, imp_cast(cx, TYPE_I64, size), imp_i64(cx, 1));
    fail_if(k, OP_GT, last, limit);
}

void result_check_coordinates(struct kernel *k, const struct result *r)
{
    for (int level = 0; level < result_format(r)->levels; level++)
        if (level_type_has_crd(result_format(r)->level[level].type)) {
            check_low(k, r, level);
            check_high(k, r, level);
        }
}
