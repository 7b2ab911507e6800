/* counted.c - a result that is assembled by counting (compiler/tree/counted.c says when).
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

void counted_store(struct kernel *k, const struct scope *scope, const struct imp *value)
{
    struct context *cx = k->cx;
    struct counted *c = &k->counted;
    const struct imp *root = imp_int(cx, TYPE_I64, 0);
    const struct imp *parent =
        imp_cast(cx, TYPE_I64, result_locate(k, scope, 0, last_level(k), root));
    struct level_code code = result_level(k, last_level(k), parent);
    if (!c->next) {
        code.format->type->count(&code);
        return;
    }
    if (parent->kind != IMP_VAR && parent->kind != IMP_LITERAL)
        code.parent = imp_let(
            &k->b, kernel_var(k, parent->type, "%s_parent", k->result->tensor->name), parent);
    const struct imp *coordinate = scope_coordinate(scope, result_var(k, last_level(k)));
    const struct imp *position = code.format->type->fill(&code, c->next, coordinate);
    if (value)
        imp_add(&k->b,
                imp_store(cx, kernel_code(k, k->result->tensor)->values, position, OP_NONE, value));
}

/* The ends of the segments, and where the first component of each goes: how many there are. */
static const struct imp *sum_counts(struct kernel *k)
{
    struct counted *c = &k->counted;
    struct level_code code = result_level(k, last_level(k), imp_int(k->cx, TYPE_I64, 0));
    const char *next =
        arena_printf(k->cx->arena, "%s%d_next", k->result->tensor->name, last_level(k) + 1);
    c->next = workspace_array(k, code.format->pos, next, parents(k));
    return code.format->type->scan(&code, parents(k), c->next);
}

/* The statement once more, without values. */
static void count(struct kernel *k, const struct scope *scope, const struct tree_node *statement)
{
    const struct lower_request *request = k->request;
    struct lower_request counting = *request;
    counting.computes = false;
    k->request = &counting;
    lower_statement(k, scope, statement);
    k->request = request;
}

void counted_lower(struct kernel *k, const struct scope *scope, const struct tree_node *statement)
{
    struct context *cx = k->cx;
    const struct imp_var *pos = result_array(k, last_level(k), LEVEL_POSITIONS);
    const struct imp *ends = imp_op2(cx, OP_ADD, parents(k), imp_int(cx, TYPE_I64, 1));
    result_check_coordinates(k, last_level(k));
    imp_add(&k->b, imp_alloc(cx, pos, ends));
    struct level_code code = result_level(k, last_level(k), imp_int(cx, TYPE_I64, 0));
    code.format->type->count_begin(&code, parents(k));
    count(k, scope, statement);
    const struct imp *n = sum_counts(k);
    imp_add(&k->b, imp_alloc(cx, result_array(k, last_level(k), LEVEL_COORDINATES), n));
    if (k->request->computes)
        imp_add(&k->b, imp_alloc(cx, kernel_code(k, k->result->tensor)->values, n));
    lower_statement(k, scope, statement);
    imp_add(&k->b, imp_free(cx, k->counted.next));
}
