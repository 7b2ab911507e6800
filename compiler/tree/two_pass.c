/* two_pass.c - which results and workspaces can be assembled by counting.
 *
 * A result whose last level is appended to, below levels that are full, may take its components in
 * any order of its loops (thesis 2.3: edge insertion; Chou and others, 2020): a first run of the
 * statement counts the components below each parent, which says where the segments begin, and a
 * second puts each behind those before it.  Below one parent they come in ascending order, since
 * whatever the nesting each loop does; and once, since each loop is over one of the result's
 * variables.
 *
 * So does a workspace that is made outside all loops.  Where they come in its order a list costs
 * less, since entries are then its components as they are.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/format/index_array.h"
#include "compiler/tree/parts.h"

/* Do the digits of a segment's end count all the coordinates that a row can have?  A count may pass
 * what positions count, which the scan finds, but not begin anew. */
static bool counts_rows(const struct level_format *level)
{
    size_t bits = 8 * type_size(level->pos);
    return bits == 64 || index_max(level->crd) < (INT64_C(1) << bits) - 1;
}

/* Full levels, which are located, and a last one with segments. */
static bool has_segments(const struct format *format)
{
    int levels = format->levels - 1;
    const struct level_format *last = &format->level[levels];
    for (int level = 0; level < levels; level++)
        if (!level_has(&format->level[level], LEVEL_FULL)
            || !format->level[level].type->locates_fast)
            return false;
    return levels > 0 && last->type->scan && counts_rows(last);
}

/* Do the loops run through ascending coordinates? */
static bool ascends(const struct tree_node *node)
{
    bool in_order = node->in_order;
    for (int i = 0; i < node->children && in_order; i++)
        in_order = ascends(node->child[i]);
    return in_order;
}

/* The assignment in loops alone, each over one of the variables of what is assigned to; or NULL. */
static const struct cin *find_assignment(const struct cin *nest)
{
    const struct cin *s = nest;
    int loops = 0;
    for (; s->kind == CIN_FORALL; s = s->arg[0])
        loops++;
    if (s->kind != CIN_ASSIGN || s->op != OP_NONE || loops != s->arg[0]->indices)
        return NULL;
    for (const struct cin *loop = nest; loop != s; loop = loop->arg[0])
        if (!cin_uses_var(s->arg[0], loop->index[0]))
            return NULL;
    return s;
}

bool tree_may_count(const struct cin_program *program)
{
    return !program->accumulates && !program->result->temporary
           && has_segments(program->result->format) && find_assignment(program->statement);
}

bool tree_counts(const struct tree *tree)
{
    return tree_may_count(tree->program) && ascends(tree->root);
}

/* Do the loops go through the levels one after the other? */
static bool in_storage_order(const struct cin *nest, const struct cin *access)
{
    bool same = true;
    for (int level = 0; nest->kind == CIN_FORALL; nest = nest->arg[0])
        same &= nest->index[0] == access_level_var(access, level++);
    return same;
}

/* Do units of a GPU share one of the loops, or threads one inside another? */
static bool divides_inside(const struct cin_program *program, const struct cin *nest)
{
    bool divides = false;
    for (const struct cin *loop = nest; loop->kind == CIN_FORALL; loop = loop->arg[0]) {
        const struct cin_tag *tag = cin_parallel(program, loop);
        divides |= tag && (loop != nest || cin_unit_is_gpu(tag->unit));
    }
    return divides;
}

bool tree_counts_workspace(struct context *cx, const struct tree *tree,
                           const struct tree_node *producer)
{
    const struct cin *s = producer->statement, *assign = find_assignment(s);
    return s->kind == CIN_FORALL && assign && assign->arg[0]->tensor->temporary
           && has_segments(assign->arg[0]->tensor->format) && !in_storage_order(s, assign->arg[0])
           && !divides_inside(tree->program, s)
           && producer->around.known.n == known_none(cx, tree->program).n
           && producer->lattice->points > 0 && ascends(producer);
}
