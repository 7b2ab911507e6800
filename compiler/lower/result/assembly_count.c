/* assembly_count.c - a result that is assembled by counting (workspace/segments.h).
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/lower/result/result.h"

static void store(struct kernel *k, const struct result *r, const struct scope *scope, enum op op,
                  const struct imp *value)
{
    segments_store(k, &r->segments, scope, value);
}

/* Do parts of the outermost loop count apart? */
static bool runs_in_parts(struct kernel *k, const struct result *r, const struct tree_node *nest)
{
    return cin_parallel(k->program, nest->statement)
           && tree_parts(k->cx, r->tree, nest) == PARTS_COUNTED;
}

static void run_counted(struct kernel *k, struct result *r, const struct scope *scope)
{
    r->segments.access = r->access;
    result_check_coordinates(k, r);
    if (runs_in_parts(k, r, scope->place->node)) {
        k->lower->kind(k, scope);
        return;
    }
    segments_begin(k, &r->segments);
    k->lower->kind(k, scope);
    segments_turn(k, &r->segments);
    k->lower->kind(k, scope);
    segments_end(k, &r->segments);
}

/* Lowers the loops of the result; the wheres around all of them are lowered once. */
static void lower_nest(struct kernel *k, struct result *r, const struct scope *scope)
{
    const struct cin *s = scope->place->node->statement;
    if (r->segments.access || s->kind == CIN_WHERE || !tree_assigns(r->tree, s))
        k->lower->kind(k, scope);
    else
        run_counted(k, r, scope);
}

/* Begins with no component counted, so that a result that nothing is assigned to has arrays, too.
 */
static void begin_counted(struct kernel *k, struct result *r)
{
    if (tree_assigns(r->tree, r->tree->root->statement))
        return;
    r->segments.access = r->access;
    segments_begin(k, &r->segments);
    segments_turn(k, &r->segments);
    segments_end(k, &r->segments);
}

const struct assembly_way assembly_count = {
    .begin = begin_counted,
    .lower = lower_nest,
    .store = store,
};
