/* assembly_place.c - results whose components have their places before anything is stored: dense
 * ones, and those whose pattern is given (thesis figure 4-5).
 *
 * Values are all that is made.  Where the loops may leave out components they are set to the fill
 * first; that shows when the statement has been lowered.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/lower/result.h"

/* All values, of which there are so many. */
static void fill(struct kernel *k, const struct imp *values)
{
    imp_add(&k->b, result_fill(k, imp_int(k->cx, TYPE_I64, 0), imp_cast(k->cx, TYPE_I64, values)));
}

/* The statement's code, and before it, where that is necessary, a fill. */
static bool needs_fill(struct kernel *k, const struct scope *scope,
                       const struct tree_node *statement, const struct imp **code)
{
    imp_begin(&k->b);
    lower_statement(k, scope, statement);
    *code = imp_end(&k->b);
    /* a statement that has no effect still leaves a result of fills */
    return kernel_computes(k) && !k->program->accumulates
           && (k->needs_fill || statement->statement == cin_nothing(k->cx));
}

static void run_place(struct kernel *k, const struct scope *scope,
                      const struct tree_node *statement)
{
    const struct imp *code;
    if (needs_fill(k, scope, statement, &code))
        fill(k, result_block_size(k, 0, result_format(k)->levels));
    imp_add(&k->b, code);
}

static void run_given(struct kernel *k, const struct scope *scope,
                      const struct tree_node *statement)
{
    const struct imp *code;
    if (needs_fill(k, scope, statement, &code))
        fill(k, operand_end(k, k->result, result_format(k)->levels - 1));
    imp_add(&k->b, code);
}

static void store(struct kernel *k, const struct scope *scope, enum op op, const struct imp *value,
                  const struct imp *position)
{
    bool fresh = op == OP_NONE && scope->full;
    k->needs_fill |= !fresh && !scope->initialised;
    result_store_value(k, position, op, value);
}

static void store_place(struct kernel *k, const struct scope *scope, enum op op,
                        const struct imp *value)
{
    if (value)
        store(k, scope, op, value,
              result_locate(k, scope, 0, result_format(k)->levels, imp_int(k->cx, TYPE_I64, 0)));
}

/* Of a copy of the pattern the position is the value. */
static void store_given(struct kernel *k, const struct scope *scope, enum op op,
                        const struct imp *value)
{
    const struct cin *at = k->tree->at;
    struct place place = operand_place(k, scope, at);
    if (!value)
        return;
    imp_begin(&k->b);
    store(k, scope, op, value,
          at->tensor->temporary ? lower_expression(k, scope, at) : place.position);
    const struct imp *block = imp_end(&k->b);
    imp_add(&k->b, place.found ? imp_if(k->cx, place.found, block, NULL) : block);
}

const struct assembly_way assembly_place = {
    .run = run_place,
    .store = store_place,
};

const struct assembly_way assembly_given = {
    .run = run_given,
    .store = store_given,
};
