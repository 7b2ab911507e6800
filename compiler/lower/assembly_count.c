/* assembly_count.c - a result that is assembled by counting (compiler/tree/counted.c says when).
 *
 * The statement is lowered twice.  First each component counts below its parent; a scan of the
 * counts gives the segments; then each component goes to the next free position of its parent.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/lower/result.h"

static int last_level(const struct kernel *k) { return result_format(k)->levels - 1; }

static const struct imp *parents(struct kernel *k)
{
    return result_block_size(k, 0, last_level(k));
}

static struct level_code below(struct kernel *k, const struct imp *parent)
{
    return result_level(k, last_level(k), parent);
}

static const struct imp *parent_of(struct kernel *k, const struct scope *scope)
{
    const struct imp *root = imp_int(k->cx, TYPE_I64, 0);
    return imp_cast(k->cx, TYPE_I64, result_locate(k, scope, 0, last_level(k), root));
}

/* ---- the two runs ---- */

static void count(struct kernel *k, const struct scope *scope, enum op op, const struct imp *value)
{
    struct level_code code = below(k, parent_of(k, scope));
    (void)op;
    (void)value;
    code.format->type->count(&code);
}

static void put(struct kernel *k, const struct scope *scope, enum op op, const struct imp *value)
{
    const struct imp *parent = parent_of(k, scope);
    (void)op;
    if (parent->kind != IMP_VAR && parent->kind != IMP_LITERAL)
        parent = imp_let(&k->b, kernel_var(k, parent->type, "%s_parent", k->result->tensor->name),
                         parent);
    struct level_code code = below(k, parent);
    const struct imp *position = code.format->type->fill(
        &code, k->next, scope_coordinate(scope, result_var(k, last_level(k))));
    if (value)
        imp_add(&k->b, imp_store(k->cx, kernel_code(k, k->result->tensor)->values, position,
                                 OP_NONE, value));
}

static const struct assembly_way counting = {.patterns = true, .store = count};
static const struct assembly_way putting = {.store = put};

/* ---- between them ---- */

static void open_segments(struct kernel *k)
{
    const struct imp *ends = imp_op2(k->cx, OP_ADD, parents(k), imp_int(k->cx, TYPE_I64, 1));
    struct level_code code = below(k, imp_int(k->cx, TYPE_I64, 0));
    result_check_coordinates(k, last_level(k));
    imp_add(&k->b, imp_alloc(k->cx, result_array(k, last_level(k), LEVEL_POSITIONS), ends));
    code.format->type->count_begin(&code, parents(k));
}

/* Where the first component of each parent goes, and room for all. */
static void scan(struct kernel *k)
{
    struct context *cx = k->cx;
    struct level_code code = below(k, imp_int(cx, TYPE_I64, 0));
    const char *next =
        arena_printf(cx->arena, "%s%d_next", k->result->tensor->name, last_level(k) + 1);
    k->next = workspace_array(k, code.format->pos, next, parents(k));
    const struct imp *n = code.format->type->scan(&code, parents(k), k->next);
    imp_add(&k->b, imp_alloc(cx, result_array(k, last_level(k), LEVEL_COORDINATES), n));
    if (kernel_computes(k))
        imp_add(&k->b, imp_alloc(cx, kernel_code(k, k->result->tensor)->values, n));
}

static void run(struct kernel *k, const struct scope *scope, const struct tree_node *statement)
{
    const struct assembly_way *way = k->way;
    open_segments(k);
    k->way = &counting;
    lower_statement(k, scope, statement);
    k->way = &putting;
    scan(k);
    lower_statement(k, scope, statement);
    imp_add(&k->b, imp_free(k->cx, k->next));
    k->way = way;
}

const struct assembly_way assembly_count = {
    .run = run,
};
