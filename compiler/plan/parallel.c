/* parallel.c - which loops threads share, if no directive says so.
 *
 * This is the last decision.  Threads share each loop that is in no other loop, in the first way
 * that is possible (compiler/tree/races.c):
 *
 *     no_races      no two iterations write the same component
 *     in ranges     no two iterations of the loop inside do: threads take blocks of that, and go
 *                   through all of the outer loop in each block
 *     temporary     each part has its own copy of what several parts would write
 *
 * Ranges suit operands that store some coordinates of the outer loop, and below each all of the
 * inner one, as the diagonals of a matrix: going through these in blocks costs nothing.
 *
 *     forall(d) forall(i) y(i) += A(d,i) * x(j)
 *     forall(io) forall(d) forall(ii) y(i) += A(d,i) * x(j)      parallelize(io)
 *
 * If none is possible, or the loop has few iterations, threads share a loop inside that has enough
 * work each time.  Otherwise the loop stays serial.  How much work there is depends on what is
 * stored, so the code decides each time whether to share it
 * (compiler/lower/parallel/parallel_share.c).
 *
 * A program that has a parallel loop stays as it is.  So the user's directives count, and the plan
 * of a planned program is empty.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/lattice/access.h"
#include "compiler/plan/monomial.h"
#include "compiler/plan/sizes.h"
#include "compiler/target.h"
#include "compiler/tree/tree.h"

/* A block of fewer coordinates is not worth a loop around it. */
enum { BLOCK_LEAST = 64 };

/* Returns how many coordinates of a loop make a block: a result's and an operand's values at them,
 * with all that the loops inside go through, fill the first-level cache, unless these are too long.
 * On 2026-11-23, y = A x with 11 diagonals of 45,000 was 1.8 times as fast on two threads as on one
 * in blocks of 512 or 1,024, and 1.7 and 1.5 times in blocks of 4,096 and 16,384; with 100
 * diagonals one thread took 1.3, 1.2, 1.1 and 1.0 times as long as without blocks.  On 2026-11-27,
 * Y = A X with 11 diagonals and 32 columns took 6.0 ms on one thread in blocks of 64, and 7.1 and
 * 8.2 in blocks of 256 and 2,048. */
static int block_size(struct sizes *sizes, const struct cin *loop)
{
    int size = BLOCK_LEAST;
    double bytes = 8 + 8;
    for (const struct cin *s = loop->arg[0]; s->kind == CIN_FORALL; s = s->arg[0]) {
        double values = cost_value(sizes_of_var(sizes, s->index[0]));
        bytes *= values > 1 ? values : 1;
    }
    while (2.0 * size * bytes <= (double)target_of(sizes->cx)->l1)
        size *= 2;
    return size;
}

/* Fewer iterations than these cannot be shared out evenly: of nine on two threads one takes a ninth
 * longer than half.  A guess, since nothing says how many threads there will be. */
static const double SHARED_LEAST = 8;

/* So many loops are shared out for each result: the first ones, which make it.  It bounds the code,
 * which has some hundred lines for each. */
enum { LOOPS_MOST = 5 };

/* Adds the loops that are in no other loop. */
static void add_outermost(struct context *cx, const struct cin *s, struct cin_list *loops)
{
    if (s->kind == CIN_FORALL)
        vec_push(cx->arena, loops, s);
    else if (!cin_is_expression(s) && s->kind != CIN_ASSIGN)
        for (int i = 0; i < s->args; i++)
            add_outermost(cx, s->arg[i], loops);
}

struct cin_list plan_outermost(struct context *cx, const struct cin_program *program)
{
    struct cin_list loops = {0};
    add_outermost(cx, program->statement, &loops);
    return loops;
}

bool plan_is_whole(struct context *cx, const struct cin_program *program)
{
    const struct tree *tree = program ? plan_tree(cx, program) : NULL;
    size_t mistakes = cx->diags.n;
    bool accepted = tree && !tree->infeasible && tree_check_parallel(cx, tree);
    cx->diags.n = mistakes;
    return accepted;
}

/* ---- ranges ---- */

/* Does the access store some coordinates of the outer loop, and below each all of the inner one? */
static bool stores_range(const struct cin *access, const struct index_var *outer,
                         const struct index_var *inner)
{
    const struct format *format = access->tensor->format;
    bool below = false;
    for (int level = 0; access->indices && level < format->levels; level++) {
        if (below && access_level_var(access, level) == inner)
            return level_has(&format->level[level], LEVEL_FULL);
        below |= access_level_var(access, level) == outer
                 && !level_has(&format->level[level], LEVEL_FULL);
    }
    return false;
}

const struct cin *plan_range_in(struct context *cx, const struct cin_program *program,
                                const struct index_var *outer)
{
    const struct tree *tree = plan_tree(cx, program);
    const struct tree_node *node = tree ? tree_find(tree->root, outer) : NULL,
                           *inner = node ? node->whole : NULL;
    if (!inner || inner->statement->kind != CIN_FORALL || !inner->lattice->dimension
        || !bits_empty(inner->lattice->iterated))
        return NULL;
    const struct index_var *var = inner->statement->index[0];
    struct cin_list read = cin_operands(cx, inner->statement);
    bool ranges = false;
    for (size_t i = 0; i < read.n; i++)
        ranges |= stores_range(read.at[i], outer, var);
    return ranges ? inner->statement : NULL;
}

const struct index_var *draft_ranges(struct draft *draft, const struct index_var *outer,
                                     const struct index_var *inner, int size,
                                     const struct index_var **within)
{
    const struct index_var *block = draft_split(draft, inner, size, within);
    const struct index_var *order[] = {block, outer, *within};
    if (block)
        draft_add(draft, plan_reorder(draft->cx, &(struct var_list){order, 3, 3}));
    return block;
}

/* ---- all of it ---- */

/* Makes the loop parallel; false: it cannot be. */
static bool share_loop(struct draft *draft, const struct index_var *loop, enum cin_races races)
{
    struct draft with = draft_copy(draft);
    draft_parallelize(&with, loop, UNIT_CPU_THREAD, races);
    bool shared = plan_is_whole(draft->cx, with.program);
    if (shared)
        *draft = with;
    return shared;
}

static bool share_ranges(struct draft *draft, struct sizes *sizes, const struct index_var *loop)
{
    const struct cin *range = plan_range_in(sizes->cx, sizes->program, loop);
    const int size = range ? block_size(sizes, range) : 0;
    if (!range || cost_value(sizes_of_var(sizes, range->index[0])) < 2 * size)
        return false;
    struct draft with = draft_copy(draft);
    const struct index_var *within,
        *block = draft_ranges(&with, loop, range->index[0], size, &within);
    if (!block || !share_loop(&with, block, RACES_NONE))
        return false;
    *draft = with;
    return true;
}

/* Returns about how many steps a run of directly nested loops takes. */
static double steps_of(struct sizes *sizes, const struct tree_node *node)
{
    double steps = 1;
    for (; node && node->statement->kind == CIN_FORALL; node = node->whole) {
        const struct lattice *lattice = node->lattice;
        const struct lattice_iterator *it = &lattice->iterator[bits_first(lattice->iterated)];
        struct cost n = bits_empty(lattice->iterated)
                            ? sizes_of_var(sizes, lattice->var)
                            : sizes_of_children(sizes, it->access, it->first);
        steps *= cost_value(n);
    }
    return steps;
}

/* Makes the first loop inside parallel that may be, and has enough work. */
static bool share_inside(struct draft *draft, struct sizes *sizes, const struct index_var *loop)
{
    const struct tree *tree = plan_tree(draft->cx, draft->program);
    const struct tree_node *node = tree ? tree_find(tree->root, loop) : NULL;
    for (node = node ? node->whole : NULL; node && node->statement->kind == CIN_FORALL;
         node = node->whole) {
        const struct index_var *inner = node->statement->index[0];
        if (steps_of(sizes, node) < (double)target_of(draft->cx)->part_work)
            return false;
        if (share_loop(draft, inner, RACES_NONE) || share_loop(draft, inner, RACES_TEMPORARY))
            return true;
    }
    return false;
}

/* Adds the first way in which the loop may be parallel; false if there is none. */
static bool add_way(struct draft *draft, const struct index_var *loop)
{
    struct sizes sizes = {.cx = draft->cx,
                          .symbols = plan_symbols(draft->cx, draft->program),
                          .program = draft->program};
    if (cost_value(sizes_of_var(&sizes, loop)) < SHARED_LEAST && share_inside(draft, &sizes, loop))
        return true;
    return share_loop(draft, loop, RACES_NONE) || share_ranges(draft, &sizes, loop)
           || share_loop(draft, loop, RACES_TEMPORARY) || share_inside(draft, &sizes, loop);
}

/* Returns the draft with all parallel loops.  *serial: how many results are assigned in serial
 * loops. */
static struct draft share_out(struct context *cx, const struct cin_program *program, int *serial)
{
    struct draft draft = draft_new(cx, program);
    struct cin_list loops = {0};
    int left = LOOPS_MOST * (program->others + 1);
    *serial = 0;
    if (!cin_has_parallel(program, program->statement))
        loops = plan_outermost(cx, program);
    for (size_t i = 0; i < loops.n; i++)
        if (left > 0 && add_way(&draft, loops.at[i]->index[0]))
            left--;
        else
            for (int r = 0; r <= program->others; r++)
                *serial += cin_assigns(loops.at[i], cin_result(program, r));
    return draft;
}

struct plan_result plan_parallel(struct context *cx, const struct cin_program *program)
{
    int serial;
    struct draft draft = share_out(cx, program, &serial);
    return (struct plan_result){draft_print(&draft), draft.program, 0, NULL};
}

int plan_serial_results(struct context *cx, const struct cin_program *program)
{
    int serial;
    share_out(cx, program, &serial);
    return serial;
}
