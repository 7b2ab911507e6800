/* workspace.c - the formats of workspaces, by how they are written and read.  Their positions and
 * coordinates are as wide as those of the operands once precompute takes them.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/plan/planner.h"
#include "compiler/target.h"

static const struct format_defaults widths = {TYPE_I32, TYPE_I32};

const struct format *plan_list(struct context *cx, size_t modes)
{
    return format_list(cx, (int)modes, widths);
}

const struct format *plan_rows(struct context *cx, size_t modes)
{
    return format_rows(cx, (int)modes, widths);
}

const struct format *plan_row(struct context *cx, bool sorted)
{
    return format_listed(cx, sorted ? LEVEL_ORDERED : 0, widths);
}

/* Returns the format of a row that is listed.  On a GPU it is dense: threads would append to the
 * list together, but have rows of their own. */
const struct format *plan_listed(struct context *cx, bool sorted)
{
    return cx->cuda ? plan_dense(cx, 1) : plan_row(cx, sorted);
}

const struct format *plan_table(struct context *cx) { return format_table(cx, widths); }

const struct format *plan_dense(struct context *cx, size_t modes)
{
    return format_dense(cx, (int)modes, widths);
}

const struct format *plan_blocks(struct context *cx, int order, const struct map_expr *const *map,
                                 int levels, unsigned properties)
{
    return format_blocks(cx, order, map, levels, properties, widths);
}

bool search_fits(const struct site_search *s, const struct var_list *modes)
{
    double bytes = 8;
    for (size_t i = 0; i < modes->n; i++)
        bytes *= plan_values(s->planner->symbols, s->program, modes->at[i]);
    return bytes <= (double)target_of(s->cx)->l3;
}
