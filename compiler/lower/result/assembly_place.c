/* assembly_place.c - results whose components have their places before anything is stored: dense
 * ones, those whose pattern is given (thesis figure 4-5), and those that have an operand's.
 *
 * Values are all that is made.  Where the loops may leave out components they are set to the fill
 * first.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/lower/result/result.h"

/* Fills all values, of this number. */
static void fill(struct kernel *k, const struct result *r, const struct imp *values)
{
    imp_add(&k->b, result_fill(k, r, imp_i64(k->cx, 0), imp_cast(k->cx, TYPE_I64, values)));
}

static bool needs_fill(struct kernel *k, const struct result *r)
{
    return k->computes && tree_needs_fill(k->cx, r->tree);
}

static void begin_place(struct kernel *k, struct result *r)
{
    if (needs_fill(k, r))
        fill(k, r, result_block_size(k, r, 0, result_format(r)->levels));
}

static void store_place(struct kernel *k, const struct result *r, const struct scope *scope,
                        enum op op, const struct imp *value)
{
    if (value)
        result_store_value(
            k, r, result_locate(k, r, scope, 0, result_format(r)->levels, imp_i64(k->cx, 0)), op,
            value);
}

const struct cin *result_given(const struct result *r)
{
    const struct pattern *pattern = &r->assembly->pattern;
    return pattern->operand ? pattern->operand : r->tree->at;
}

const struct imp *result_is_given(struct kernel *k, const struct result *r,
                                  const struct scope *scope)
{
    const struct cin *at = result_given(r);
    const struct format *format = at->tensor->format;
    bool filled =
        at->tensor->temporary
        && (format->levels == 0 || level_has(&format->level[format->levels - 1], LEVEL_FULL));
    return filled ? imp_op2(k->cx, OP_GE, lower_expression(k, scope, at), imp_i64(k->cx, 0))
                  : operand_place(k, scope, at).found;
}

void result_store_given(struct kernel *k, const struct result *r, const struct scope *scope,
                        enum op op, const struct imp *value)
{
    const struct cin *at = result_given(r);
    const struct imp *given = result_is_given(k, r, scope);
    imp_begin(&k->b);
    result_store_value(k, r,
                       at->tensor->temporary ? lower_expression(k, scope, at)
                                             : operand_place(k, scope, at).position,
                       op, value);
    const struct imp *block = imp_end(&k->b);
    imp_add(&k->b, given ? imp_if(k->cx, given, block, NULL) : block);
}

static void store_given(struct kernel *k, const struct result *r, const struct scope *scope,
                        enum op op, const struct imp *value)
{
    if (value)
        result_store_given(k, r, scope, op, value);
}

/* ---- an operand's pattern ---- */

/* Is anything stored?  NULL if all that the operand has is. */
static const struct imp *stores_any(struct kernel *k, const struct result *r)
{
    const struct pattern *pattern = &r->assembly->pattern;
    const struct imp *any = NULL;
    for (size_t i = 0; i < pattern->ranges.n; i++) {
        const struct imp *size = kernel_size(k, pattern->ranges.at[i]);
        any = imp_both(k->cx, any, imp_op2(k->cx, OP_GT, size, imp_int(k->cx, size->type, 0)));
    }
    return any;
}

/* Runs the loops if anything is stored. */
static void run_stores(struct kernel *k, struct result *r, const struct scope *scope,
                       const struct imp *any)
{
    imp_begin(&k->b);
    k->lower->program(k, r, scope);
    const struct imp *loops = imp_end(&k->b);
    imp_add(&k->b, any ? imp_if(k->cx, any, loops, NULL) : loops);
}

/* Copies n elements of the operand's array of this kind. */
static void copy_array(struct kernel *k, const struct result *r, int level,
                       enum level_array_kind kind, const struct imp *n)
{
    const struct tensor_code *from = kernel_code(k, r->assembly->pattern.operand->tensor);
    const struct imp *zero = imp_i64(k->cx, 0);
    imp_add(&k->b, imp_copy(k->cx, result_array(k, r, level, kind), zero,
                            *code_array(from, level, kind), zero, n));
}

/* Copies where each parent's segment ends, if there is any component. */
static void copy_ends(struct kernel *k, const struct result *r, int level,
                      const struct imp *parents, const struct imp *any)
{
    const struct imp *zero = imp_i64(k->cx, 0), *ends = imp_next(k->cx, parents);
    imp_add(&k->b, imp_alloc(k->cx, result_array(k, r, level, LEVEL_POSITIONS), ends));
    imp_begin(&k->b);
    copy_array(k, r, level, LEVEL_POSITIONS, ends);
    const struct imp *copied = imp_end(&k->b);
    imp_begin(&k->b);
    struct level_code code = result_level(k, r, level, zero);
    code.format->type->append_begin(&code);
    code.format->type->append_none(&code, zero, parents, zero);
    const struct imp *empty = imp_end(&k->b);
    imp_add(&k->b, any ? imp_if(k->cx, any, copied, empty) : copied);
}

/* Returns how many positions the segments of the level have: the end of the last segment, if there
 * is any component. */
static const struct imp *pattern_end(struct kernel *k, const struct result *r, int level,
                                     const struct imp *any)
{
    const struct imp *n = operand_end(k, r->assembly->pattern.operand, level);
    const char *name = r->access->tensor->name;
    bool last = true;
    for (int below = level + 1; below < result_format(r)->levels; below++)
        last &= !result_array(k, r, below, LEVEL_POSITIONS);
    if (any)
        n = imp_select(k->cx, any, n, imp_int(k->cx, n->type, 0));
    struct imp_var *var = last ? kernel_var(k, n->type, "n%s", name)
                               : kernel_var(k, n->type, "n%s%d", name, level + 1);
    return imp_let(&k->b, var, n);
}

/* Copies full levels, and lists; returns how many components there are. */
static const struct imp *copy_levels(struct kernel *k, const struct result *r,
                                     const struct imp *any)
{
    const struct imp *parents = imp_i64(k->cx, 1);
    for (int level = 0; level < result_format(r)->levels; level++) {
        const struct imp_var *coordinates = result_array(k, r, level, LEVEL_COORDINATES);
        if (!coordinates) {
            parents = kernel_positions(k, r->access, level, level + 1,
                                       imp_cast(k->cx, TYPE_I64, parents));
            continue;
        }
        const struct imp *positions = parents;
        if (result_array(k, r, level, LEVEL_POSITIONS)) {
            positions = pattern_end(k, r, level, any);
            copy_ends(k, r, level, parents, any);
        }
        imp_add(&k->b, imp_alloc(k->cx, coordinates, positions));
        copy_array(k, r, level, LEVEL_COORDINATES, positions);
        parents = positions;
    }
    return parents;
}

static void run_pattern(struct kernel *k, struct result *r, const struct scope *scope)
{
    const struct imp *any = stores_any(k, r), *n = copy_levels(k, r, any);
    if (!k->computes)
        return;
    imp_add(&k->b, imp_alloc(k->cx, kernel_code(k, r->access->tensor)->values, n));
    run_stores(k, r, scope, any);
}

/* Makes values alone: those of a pattern that an operand has are all assigned, too. */
static void run_given(struct kernel *k, struct result *r, const struct scope *scope)
{
    if (r->assembly->pattern.operand) {
        run_stores(k, r, scope, stores_any(k, r));
        return;
    }
    if (needs_fill(k, r))
        fill(k, r, operand_end(k, r->access, result_format(r)->levels - 1));
    k->lower->program(k, r, scope);
}

const struct assembly_way assembly_place = {
    .begin = begin_place,
    .store = store_place,
};

const struct assembly_way assembly_given = {
    .run = run_given,
    .store = store_given,
};

const struct assembly_way assembly_pattern = {
    .run = run_pattern,
    .store = store_given,
};
