/* placed.c - finds workspaces that list the blocks of a result's row.  Their values are computed
 * in the result itself (lower/workspace/workspace_place.c).
 *
 *     forall(io) (forall(jo) forall(ii) forall(ji) B(io,jo,ii,ji) = w(jo,ii,ji)
 *                 where forall(iip) forall(jp) w(jpo,iip,jpi) = A(i2,jp))
 *
 * The producer runs twice: once to list blocks, once to compute them.  So it must be a nest of
 * loops without workspaces and parallel loops inside, and must assign the same components whatever
 * the values are.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/tree/parts.h"

/* Does the workspace list coordinates on its first level, and store everything below? */
static bool lists_blocks(const struct format *format)
{
    bool all = format->levels > 1 && format->level[0].type->lists;
    for (int level = 1; level < format->levels; level++)
        all &= format->level[level].type->stored == LEVEL_ALL && !format->level[level].type->insert;
    return all;
}

/* Are the result's levels from `first` on the levels of w? */
static bool has_levels(const struct cin *to, const struct cin *w, int first)
{
    int levels = w->tensor->format->levels;
    bool has = to->tensor->format->levels - first == levels;
    for (int level = 0; level < levels && has; level++)
        has = access_level_var(to, first + level) == access_level_var(w, level)
              && (level == 0
                  || to->tensor->format->level[first + level].type
                         == w->tensor->format->level[level].type);
    return has;
}

/* Returns the assignment in a nest of foralls that have one region each, NULL if it is none. */
static const struct cin *nested_assign(const struct tree_node *node)
{
    while (node->statement->kind == CIN_FORALL && node->children == 1)
        node = node->child[0];
    return node->statement->kind == CIN_ASSIGN ? node->statement : NULL;
}

struct producer {
    const struct cin_program *program;
    const struct tensor_var *w;
};

/* Does it keep the producer from running twice: a where, a parallel loop, an assignment to another
 * tensor? */
static bool runs_once(const struct cin *cin, void *data)
{
    const struct producer *p = data;
    return cin->kind == CIN_WHERE || (cin->kind == CIN_FORALL && cin_parallel(p->program, cin))
           || (cin->kind == CIN_ASSIGN
               && (cin->arg[0]->tensor != p->w || cin->args > 2 || cin_kept(cin)))
           || (cin->kind == CIN_ACCESS && cin->tensor->before);
}

static bool may_run_twice(const struct tree *tree, const struct cin *producer,
                          const struct tensor_var *w)
{
    struct producer p = {tree->program, w};
    return !cin_any(producer, runs_once, &p);
}

const struct tree_node *tree_copied_blocks(struct context *cx, const struct tree *tree,
                                           const struct tree_node *where,
                                           const struct tensor_var *w)
{
    const struct tree_node *consumer = where->child[0];
    const struct cin *copy = nested_assign(consumer);
    const struct assembly *a = &tree->assembly;
    if (!copy || copy->op != OP_NONE || copy->args != 2
        || copy->arg[0]->tensor != tree->result->tensor || copy->arg[1]->kind != CIN_ACCESS
        || copy->arg[1]->tensor != w || consumer->statement->kind != CIN_FORALL
        || !lists_blocks(w->format) || a->kind != ASSEMBLY_APPEND || a->groups == 0)
        return NULL;
    const struct assembly_group *last = &a->group[a->groups - 1];
    const struct tensor_var *to = copy->arg[0]->tensor;
    bool copies = last->first == last->last && has_levels(copy->arg[0], copy->arg[1], last->last)
                  && consumer->statement->index[0] == access_level_var(copy->arg[1], 0)
                  && to->type == w->type && value_equal(to->fill, w->fill)
                  && may_run_twice(tree, where->statement->arg[1], w)
                  && tree_always_stores(cx, tree, consumer->child[0]);
    return copies ? consumer->child[0] : NULL;
}

bool tree_assigns_somewhere(struct context *cx, const struct tree *tree,
                            const struct tree_node *node)
{
    const struct cin *s = node->statement;
    if (s->kind != CIN_FORALL)
        return s->kind == CIN_ASSIGN && !cin_kept(s) && !tree_needs(cx, tree, node).effect;
    bool assigns = tree_runs_somewhere(node->lattice) && node->lattice->sparse == 0;
    for (int i = 0; i < node->children && assigns; i++)
        assigns = tree_assigns_somewhere(cx, tree, node->child[i]);
    return assigns;
}
