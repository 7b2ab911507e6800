/* gpu_cut.c - rows that are cut into parts of as many entries each (gpu.c).
 *
 *     collapse(i, j, f); pos(f, p, A(i,j)); split(p, po, pi, work, 1024)
 *
 * What a part has begun and not ended it hands over (lower/parallel/launch_begun.c).
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/plan/gpu.h"

/* Entries of a part, and of a thread of the block that has it; and of a part of a warp, whose lanes
 * are columns: on an H200 such parts were 9 times as fast as rows of a power law (bench/gpu.md). */
enum { PART = 1024, SHARE = 8, COLUMN_PART = 256 };

/* Do iterations combine, and not into one component? */
static bool reduces_rows(const struct draft *draft, const struct index_var *loop)
{
    const struct tree_node *node = gpu_node(draft, loop);
    struct tree_races races = node ? gpu_races_of(draft, node) : (struct tree_races){0};
    bool some = races.n > 0;
    for (size_t i = 0; i < races.n; i++)
        some &= races.at[i].assign->arg[0]->tensor->order > 0;
    return some;
}

const char *gpu_parts(struct draft *draft, const struct index_var *loop)
{
    struct context *cx = draft->cx;
    struct chain chain = gpu_chain(draft, loop);
    const struct tree_node *rows = gpu_node(draft, loop),
                           *last = gpu_node(draft, chain.loops.at[chain.loops.n - 1]);
    const struct lattice_iterator *along;
    struct draft with = draft_copy(draft);
    if (cin_has(chain.body, CIN_FORALL) || !last
        || (tree_is_counted(cx, last, &along) && along && gpu_is_even(draft, along)
            && !gpu_races(draft, rows)))
        return NULL;
    const struct index_var *all = gpu_positions(&with, &chain, chain.loops.n), *share, *entry,
                           *part = all ? draft_parts(&with, all, PART, &share) : NULL,
                           *thread = part ? draft_split(&with, share, SHARE, &entry) : NULL;
    if (!thread || !reduces_rows(&with, part))
        return NULL;
    draft_parallelize(&with, part, UNIT_GPU_BLOCK, RACES_TEMPORARY);
    draft_parallelize(&with, thread, UNIT_GPU_THREAD, RACES_TEMPORARY);
    if (!plan_is_whole(cx, with.program))
        return NULL;
    *draft = with;
    bool by_work = cin_origin(with.program, part)->type == &relation_work;
    return arena_printf(cx->arena, "a block of %d has parts of %d entries, %s", PART / SHARE, PART,
                        by_work ? "ends of rows among them" : "whatever rows they are of");
}

/* Reorders the loops so that the column is the last of them. */
static void order_last(struct draft *draft, const struct chain *chain,
                       const struct index_var *column)
{
    struct var_list order = {0};
    for (size_t i = 0; i < chain->loops.n; i++)
        if (chain->loops.at[i] != column)
            vec_push(draft->cx->arena, &order, chain->loops.at[i]);
    vec_push(draft->cx->arena, &order, column);
    if (!var_list_equal(&order, &chain->loops))
        draft_add(draft, plan_reorder(draft->cx, &order));
}

const char *gpu_cut_columns(struct draft *draft, const struct index_var *loop)
{
    struct context *cx = draft->cx;
    struct chain chain = gpu_chain(draft, loop);
    const struct index_var *column = gpu_column(draft, &chain), *entry;
    const struct lattice_iterator *along = NULL;
    struct draft with = draft_copy(draft);
    if (!column || chain.loops.n < 3 || cin_has(chain.body, CIN_FORALL))
        return NULL;
    order_last(&with, &chain, column);
    if (with.program)
        chain = gpu_chain(&with, loop);
    if (!with.program || chain.loops.n < 3) /* the loop may be the column's */
        return NULL;
    const size_t rows = chain.loops.n - 1;
    const struct tree_node *last = gpu_node(&with, chain.loops.at[rows - 1]);
    if (!last || !tree_is_counted(cx, last, &along) || !along || !gpu_is_uneven(draft, along))
        return NULL;
    const struct index_var *all = gpu_positions(&with, &chain, rows),
                           *part = all ? draft_parts(&with, all, COLUMN_PART, &entry) : NULL,
                           *order[] = {part, column, entry};
    if (!part || !reduces_rows(&with, part))
        return NULL;
    draft_add(&with, plan_reorder(cx, &(struct var_list){order, 3, 3}));
    draft_parallelize(&with, part, UNIT_GPU_WARP, RACES_TEMPORARY);
    const struct index_var *lane = gpu_split_lanes(&with, column, gpu_lanes_of(column));
    if (!lane)
        return NULL;
    draft_parallelize(&with, lane, UNIT_GPU_THREAD, RACES_NONE);
    if (!plan_is_whole(cx, with.program))
        return NULL;
    *draft = with;
    return arena_printf(cx->arena,
                        "a team of %d lanes has parts of %d entries, ends of rows among them, and "
                        "each lane columns of %s",
                        gpu_lanes_of(column), COLUMN_PART, column->name);
}
