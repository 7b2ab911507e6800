/* assembly_count.c - a result that is assembled by counting (compiler/tree/two_pass.c says when).
 *
 * The statement is lowered twice.  First each component counts below its parent; a scan of the
 * counts gives the segments; then each component goes to the next free position of its parent.
 *
 * Parts of a parallel loop may do so, each for itself: parallel/assembly_count_apart.c.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/lower/result/result.h"

static int last_level(const struct result *r) { return result_format(r)->levels - 1; }

const struct imp *counted_parents(struct kernel *k, const struct result *r)
{
    return result_block_size(k, r, 0, last_level(r));
}

struct level_code count_below(struct kernel *k, const struct result *r, const struct imp *parent)
{
    return result_level(k, r, last_level(r), parent);
}

static const struct imp *parent_of(struct kernel *k, const struct result *r,
                                   const struct scope *scope)
{
    const struct imp *root = imp_int(k->cx, TYPE_I64, 0);
    return imp_cast(k->cx, TYPE_I64, result_locate(k, r, scope, 0, last_level(r), root));
}

const char *count_next_name(struct kernel *k, const struct result *r)
{
    return arena_printf(k->cx->arena, "%s%d_next", r->access->tensor->name, last_level(r) + 1);
}

/* ---- the two runs ---- */

static void count(struct kernel *k, const struct result *r, const struct scope *scope, enum op op,
                  const struct imp *value)
{
    struct level_code code = count_below(k, r, parent_of(k, r, scope));
    (void)op;
    (void)value;
    code.format->type->count(&code, imp_int(k->cx, code.format->pos, 1));
}

struct level_code count_below_named(struct kernel *k, const struct result *r,
                                    const struct scope *scope)
{
    const struct imp *parent = parent_of(k, r, scope);
    if (parent->kind != IMP_VAR && parent->kind != IMP_LITERAL)
        parent = imp_let(&k->b, kernel_var(k, parent->type, "%s_parent", r->access->tensor->name),
                         parent);
    return count_below(k, r, parent);
}

static void put(struct kernel *k, const struct result *r, const struct scope *scope, enum op op,
                const struct imp *value)
{
    struct level_code code = count_below_named(k, r, scope);
    (void)op;
    const struct imp *position = code.format->type->fill(
        &code, r->next, scope_coordinate(scope, result_var(r, last_level(r))));
    if (value)
        imp_add(&k->b, imp_store(k->cx, kernel_code(k, r->access->tensor)->values, position,
                                 OP_NONE, value));
}

static const struct assembly_way counting = {.store = count};
const struct assembly_way count_putting = {.store = put};

/* ---- between them ---- */

void count_open_segments(struct kernel *k, const struct result *r)
{
    const struct imp *ends = imp_next(k->cx, counted_parents(k, r));
    struct level_code code = count_below(k, r, imp_int(k->cx, TYPE_I64, 0));
    result_check_coordinates(k, r);
    imp_add(&k->b, imp_alloc(k->cx, result_array(k, r, last_level(r), LEVEL_POSITIONS), ends));
    code.format->type->count_begin(&code, counted_parents(k, r));
}

/* Where the first component of each parent goes, or NULL; and room for all. */
void count_scan(struct kernel *k, const struct result *r, const struct imp_var *next)
{
    struct context *cx = k->cx;
    struct level_code code = count_below(k, r, imp_int(cx, TYPE_I64, 0));
    const struct imp *n = code.format->type->scan(&code, counted_parents(k, r), next, false);
    imp_add(&k->b, imp_alloc(cx, result_array(k, r, last_level(r), LEVEL_COORDINATES), n));
    if (k->computes)
        imp_add(&k->b, imp_alloc(cx, kernel_code(k, r->access->tensor)->values, n));
}

/* ---- the way ---- */

/* Is the outermost loop one whose parts count apart? */
static bool runs_in_parts(struct kernel *k, const struct result *r)
{
    const struct tree_node *root = r->tree->root;
    return cin_parallel(k->program, root->statement)
           && tree_parts(k->cx, r->tree, root) == PARTS_COUNTED;
}

static void run(struct kernel *k, struct result *r, const struct scope *scope)
{
    const struct assembly_way *way = r->way;
    if (runs_in_parts(k, r)) {
        k->lower->program(k, r, scope);
        return;
    }
    count_open_segments(k, r);
    r->way = &counting;
    k->computes = false;
    k->lower->program(k, r, scope);
    k->computes = k->request->computes;
    r->way = &count_putting;
    r->next = workspace_array(k, result_format(r)->level[last_level(r)].pos, count_next_name(k, r),
                              counted_parents(k, r));
    count_scan(k, r, r->next);
    k->lower->program(k, r, scope);
    imp_add(&k->b, imp_free(k->cx, r->next));
    r->way = way;
}

const struct assembly_way assembly_count = {
    .run = run,
};
