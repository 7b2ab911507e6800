/* gpu_facts.c - what the planner for a GPU asks of loops.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/plan/gpu.h"
#include "compiler/plan/sizes.h"

/* Where the longest row has this many times the entries of others its team takes as long as all the
 * rest; parts of equal work cut it. */
enum { UNEVEN = 8 };

const struct tree_node *gpu_node(const struct draft *draft, const struct index_var *var)
{
    const struct tree *tree = draft->program ? plan_tree(draft->cx, draft->program) : NULL;
    return tree && !tree->infeasible ? tree_find(tree->root, var) : NULL;
}

struct tree_races gpu_races_of(const struct draft *draft, const struct tree_node *node)
{
    return tree_races(draft->cx, plan_tree(draft->cx, draft->program), node);
}

bool gpu_races(const struct draft *draft, const struct tree_node *node)
{
    return gpu_races_of(draft, node).n > 0;
}

bool gpu_is_range(struct context *cx, const struct tree_node *node)
{
    const struct lattice_iterator *along;
    return tree_is_counted(cx, node, &along) && !along && !node->lattice->positions;
}

int gpu_contiguous(struct context *cx, const struct cin *s, const struct index_var *var)
{
    struct cin_list access = cin_operands(cx, s), made = cin_assignments(cx, s);
    int n = 0;
    for (size_t i = 0; i < made.n; i++)
        vec_push(cx->arena, &access, made.at[i]->arg[0]);
    for (size_t i = 0; i < access.n; i++)
        n += plan_steps_with(access.at[i]) == var;
    return n;
}

struct chain gpu_chain(const struct draft *draft, const struct index_var *rows)
{
    const struct tree_node *node = gpu_node(draft, rows);
    return node ? plan_chain(draft->cx, node->statement) : (struct chain){0};
}

const struct index_var *gpu_column(const struct draft *draft, const struct chain *chain)
{
    const struct index_var *best = NULL;
    int most = 0;
    for (size_t i = 1; i < chain->loops.n; i++) {
        const struct index_var *var = chain->loops.at[i];
        const struct tree_node *node = gpu_node(draft, var);
        double size = plan_real_size(var);
        int n = gpu_contiguous(draft->cx, chain->body, var);
        if (node && n > most && (size < 0 || size >= GPU_COLUMNS_LEAST)
            && gpu_is_range(draft->cx, node) && !gpu_races(draft, node)) {
            best = var;
            most = n;
        }
    }
    return best;
}

int gpu_lanes_below(double n) { return (int)plan_power_of_two(fmin(n, GPU_WARP)); }

int gpu_lanes_of(const struct index_var *column)
{
    double size = plan_real_size(column);
    return size < 0 ? GPU_WARP : gpu_lanes_below(2 * size - 1);
}

const struct index_var *gpu_split_lanes(struct draft *draft, const struct index_var *loop,
                                        int lanes)
{
    if (!draft->program || loop->size == lanes)
        return draft->program ? loop : NULL;
    const struct index_var *lane, *steps = draft_split(draft, loop, lanes, &lane);
    const struct index_var *order[] = {lane, steps};
    if (!steps)
        return NULL;
    draft_add(draft, plan_reorder(draft->cx, &(struct var_list){order, 2, 2}));
    return lane;
}

double gpu_mean_length(const struct draft *draft, const struct lattice_iterator *along)
{
    struct sizes sizes = {.cx = draft->cx,
                          .symbols = plan_symbols(draft->cx, draft->program),
                          .program = draft->program};
    return cost_value(sizes_of_positions(&sizes, along->access, along->first));
}

bool gpu_is_even(const struct draft *draft, const struct lattice_iterator *along)
{
    const int64_t *longest = along->access->tensor->longest;
    return longest && (double)longest[along->first] <= UNEVEN * gpu_mean_length(draft, along);
}

bool gpu_is_uneven(const struct draft *draft, const struct lattice_iterator *along)
{
    return along->access->tensor->longest && !gpu_is_even(draft, along);
}

const struct index_var *gpu_positions(struct draft *draft, const struct chain *chain, size_t n)
{
    const struct tree_node *last = gpu_node(draft, chain->loops.at[n - 1]);
    const struct lattice_iterator *along = NULL;
    if (last)
        tree_is_counted(draft->cx, last, &along);
    if (!along || along->access->tensor->viewed)
        return NULL;
    const struct index_var *all = chain->loops.at[0];
    for (size_t i = 1; i < n && all; i++)
        all = draft_collapse(draft, all, chain->loops.at[i]);
    return all ? draft_positions(draft, all, along->access) : NULL;
}
