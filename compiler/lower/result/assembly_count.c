/* assembly_count.c - a result that is assembled by counting (workspace/segments.h).
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/lower/result/result.h"

static void store(struct kernel *k, const struct result *r, const struct scope *scope, enum op op,
                  const struct imp *value)
{
    (void)op;
    segments_store(k, &r->segments, scope, value);
}

/* Is the outermost loop one whose parts count apart? */
static bool runs_in_parts(struct kernel *k, const struct result *r)
{
    const struct tree_node *root = r->tree->root;
    return cin_parallel(k->program, root->statement)
           && tree_parts(k->cx, r->tree, root) == PARTS_COUNTED;
}

static void run(struct kernel *k, struct result *r, const struct scope *scope)
{
    r->segments.access = r->access;
    result_check_coordinates(k, r);
    if (runs_in_parts(k, r)) {
        k->lower->program(k, r, scope);
        return;
    }
    segments_begin(k, &r->segments);
    k->lower->program(k, r, scope);
    segments_turn(k, &r->segments);
    k->lower->program(k, r, scope);
    segments_end(k, &r->segments);
}

const struct assembly_way assembly_count = {
    .run = run,
    .store = store,
};
