/* counted.c - a result that is assembled by counting (compiler/tree/counted.c says when).
 *
 * The statement is lowered twice.  First each component counts below its parent, pos[parent + 1];
 * sums of the counts are the ends of the segments; then each component goes to the next free
 * position of its parent.
 *
 *     count      pos  0 2 1 0 2          next      0 2 3 3
 *     sum        pos  0 2 3 3 5          crd       . . | . | | . .
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/lower/result.h"

static int last_level(const struct kernel *k) { return result_format(k)->levels - 1; }

static const struct imp *parents(struct kernel *k)
{
    return result_block_size(k, 0, last_level(k));
}

static const struct imp *plus(struct kernel *k, const struct imp *e, int64_t n)
{
    return imp_op2(k->cx, OP_ADD, e, imp_int(k->cx, e->type, n));
}

void counted_store(struct kernel *k, const struct scope *scope, const struct imp *value)
{
    struct context *cx = k->cx;
    struct counted *c = &k->counted;
    const struct imp *root = imp_int(cx, TYPE_I64, 0);
    const struct imp *parent =
        imp_cast(cx, TYPE_I64, result_locate(k, scope, 0, last_level(k), root));
    if (!c->next) {
        imp_add(&k->b,
                imp_store(cx, c->pos, plus(k, parent, 1), OP_ADD, imp_int(cx, c->pos->type, 1)));
        return;
    }
    if (parent->kind != IMP_VAR && parent->kind != IMP_LITERAL)
        parent = imp_let(&k->b, kernel_var(k, parent->type, "%s_parent", k->result->tensor->name),
                         parent);
    struct imp_var *at =
        kernel_var(k, c->next->type, "p%s%d", k->result->tensor->name, last_level(k) + 1);
    const struct imp *position = imp_let(&k->b, at, imp_load(cx, c->next, parent));
    if (k->request->assembles) {
        struct level_code code = result_level(k, last_level(k), parent);
        code.format->type->append_coordinate(&code, position,
                                             scope_coordinate(scope, result_var(k, last_level(k))));
    }
    if (value)
        imp_add(&k->b,
                imp_store(cx, kernel_code(k, k->result->tensor)->values, position, OP_NONE, value));
    imp_add(&k->b, imp_store(cx, c->next, parent, OP_ADD, imp_int(cx, c->next->type, 1)));
}

/* The ends of the segments, and where the first component of each goes. */
static const struct imp *sum_counts(struct kernel *k)
{
    struct context *cx = k->cx;
    struct counted *c = &k->counted;
    const char *name = k->result->tensor->name;
    struct imp_var *total = kernel_var(k, TYPE_I64, "%s%d_count", name, last_level(k) + 1);
    struct imp_var *parent = kernel_var(k, TYPE_I64, "%s_parent", name);
    const struct imp *at = imp_read(cx, parent),
                     *sum = imp_let(&k->b, total, imp_int(cx, TYPE_I64, 0));
    const char *next_name = arena_printf(cx->arena, "%s%d_next", name, last_level(k) + 1);
    const struct imp_var *next = workspace_array(k, c->pos->type, next_name, parents(k));
    imp_begin(&k->b);
    imp_add(&k->b, imp_store(cx, next, at, OP_NONE, imp_cast(cx, next->type, sum)));
    imp_add(&k->b, imp_assign(cx, total, OP_ADD, imp_load(cx, c->pos, plus(k, at, 1))));
    if (type_size(c->pos->type) < type_size(TYPE_I64)) {
        const struct imp *most =
            imp_literal(cx, value_convert(value_highest(c->pos->type), TYPE_I64));
        imp_add(&k->b,
                imp_if(cx, imp_op2(cx, OP_GT, sum, most), imp_fail(cx, STATUS_TOO_LARGE), NULL));
    }
    imp_add(&k->b, imp_store(cx, c->pos, plus(k, at, 1), OP_NONE, imp_cast(cx, c->pos->type, sum)));
    imp_add(&k->b, imp_for(cx, parent, imp_int(cx, TYPE_I64, 0), parents(k), 1, imp_end(&k->b)));
    c->next = next;
    return sum;
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
    struct counted *c = &k->counted;
    const struct level_format *format = &result_format(k)->level[last_level(k)];
    const struct imp *zero = imp_int(cx, TYPE_I64, 0), *ends = plus(k, parents(k), 1);
    if (k->request->assembles) {
        result_check_coordinates(k, last_level(k));
        c->pos = result_array(k, last_level(k), LEVEL_POSITIONS);
        imp_add(&k->b, imp_alloc(cx, c->pos, ends));
    } else {
        const char *name =
            arena_printf(cx->arena, "%s%d_pos", k->result->tensor->name, last_level(k) + 1);
        c->pos = workspace_array(k, format->pos, name, ends);
    }
    imp_add(&k->b, imp_fill(cx, c->pos, zero, ends, imp_int(cx, c->pos->type, 0)));
    count(k, scope, statement);
    const struct imp *n = sum_counts(k);
    if (k->request->assembles)
        imp_add(&k->b, imp_alloc(cx, result_array(k, last_level(k), LEVEL_COORDINATES), n));
    if (k->request->assembles && k->request->computes)
        imp_add(&k->b, imp_alloc(cx, kernel_code(k, k->result->tensor)->values, n));
    lower_statement(k, scope, statement);
    imp_add(&k->b, imp_free(cx, c->next));
    if (!k->request->assembles)
        imp_add(&k->b, imp_free(cx, c->pos));
}
