/* two_pass.c - which results can be assembled by counting.
 *
 * A result whose last level is appended to, below levels that are full, may take its components in
 * any order of its loops (thesis 2.3: edge insertion; Chou and others, 2020): a first run of the
 * statement counts the components below each parent, which says where the segments begin, and a
 * second puts each behind those before it.  Below one parent they come in ascending order, since
 * whatever the nesting each loop does; and once, since each loop is over one of the result's
 * variables.
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

bool tree_may_count(const struct cin_program *program)
{
    const struct cin *s = program->statement;
    int loops = 0;
    if (program->accumulates || program->result->temporary
        || !has_segments(program->result->format))
        return false;
    for (; s->kind == CIN_FORALL; s = s->arg[0])
        loops++;
    if (s->kind != CIN_ASSIGN || s->op != OP_NONE || loops != s->arg[0]->indices)
        return false;
    for (const struct cin *loop = program->statement; loop != s; loop = loop->arg[0])
        if (!cin_uses_var(s->arg[0], loop->index[0]))
            return false;
    return true;
}

bool tree_counts(const struct tree *tree)
{
    return tree_may_count(tree->program) && ascends(tree->root);
}
