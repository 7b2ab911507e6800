/* gpu.c - which loops a GPU's blocks, warps and threads share, if no directive says so.
 *
 * As of the CPU's threads (parallel.c) this is the last decision.  Each loop that is in no other
 * gets the first shape that is possible (compiler/tree/races.c, units.c).  Its iterations are the
 * *rows*: those of the loop, or, where loops directly inside it go along what one operand stores,
 * all positions of that, so that the work is even:
 *
 *     forall(i) forall(j) forall(k) A(i,j) += B(i,j) * C(i,k) * D(j,k)
 *     collapse(i, j, f); pos(f, p, B(i,j))
 *
 * Where each row has a dense loop of the result's, lanes are its columns, and what they read and
 * write is side by side:
 *
 *     forall(i) forall(j) forall(k) Y(i,k) += A(i,j) * X(j,k)
 *     reorder(i, k, j); split(k, ko, ki, down, 32); ... a warp has a row, its lanes columns
 *
 * Where the result's rows are an operand's columns, blocks have tiles of both, in shared memory.
 * Where a row is added up or spread along what is stored, or along a dense operand, lanes go along
 * that; where operands are merged along it, each lane has a part of as many steps.  Else a thread
 * has a row.
 *
 * Where rows are added up along all that is stored, blocks have parts of as many entries instead,
 * unless the rows are known to be even: rows are cut, and what a part has begun it hands over.  So
 * are those with columns, if some are known to be much longer than others.
 *
 * Rows that race go in blocks of what they race in, if operands have ranges of that (the diagonals
 * of a matrix); else each has its own sum, and one block adds these up, if that is of one
 * component; else updates are atomic, if they have no order to lose, or the user consents.
 *
 * SPDX-License-Identifier: MIT
 */
#include <string.h>

#include "compiler/base/text.h"
#include "compiler/plan/gpu.h"

/* Threads of a block that has a row. */
enum { BLOCK = 256 };

/* A team where nobody says how long rows are, and at most where each has a search before it.  On
 * 2026-11-27, on an H200, y = A x by 8 lanes took at most 1.07 times as long as by the best team,
 * with 3, 16 and 500 entries a row (bench/gpu.md). */
enum { TEAM = 8 };

/* The rows and columns of a tile in shared memory; the warps of a block. */
enum { TILE = 32, WARPS = 8 };

/* Returns how many lanes go along the loop at each row: half as many as it has iterations, so that
 * each has more than one.  1: a thread has the row. */
static int team_along(const struct draft *draft, const struct tree_node *rows,
                      const struct tree_node *node)
{
    struct context *cx = draft->cx;
    const struct lattice_iterator *along;
    const struct index_var *var = node->lattice->var;
    if (!tree_is_counted(cx, node, &along) || node->lattice->positions
        || (along && along->access->tensor->viewed))
        return 1;
    if (along)
        return along->access->tensor->positions ? gpu_lanes_below(gpu_mean_length(draft, along) / 2)
                                                : TEAM;
    int own = gpu_contiguous(cx, node->statement, var),
        around = gpu_contiguous(cx, rows->statement, rows->lattice->var);
    double size = plan_real_size(var);
    int lanes = gpu_lanes_below(size < 0 ? 2 * GPU_WARP : size / 2);
    if (!own || own < around || (size >= 0 && size < GPU_COLUMNS_LEAST))
        return 1;
    return rows->lattice->positions && lanes > TEAM ? TEAM : lanes;
}

/* So many steps of a merge are worth a search for where they begin. */
enum { MERGE = 8 };

/* Is the loop in the statement, and in no loop in that? */
static bool is_directly_in(const struct cin *s, const struct cin *loop)
{
    bool is = s == loop;
    for (int i = 0; i < s->args && !is && s->kind != CIN_FORALL; i++)
        is = !cin_is_expression(s->arg[i]) && is_directly_in(s->arg[i], loop);
    return is;
}

/* Returns how many lanes have parts of what the loop at each row merges.  1: a thread has the row.
 * Where nobody says how long rows are, it has to be directly in their loop: fibers further in are
 * short. */
static int team_merging(const struct draft *draft, const struct tree_node *rows,
                        const struct tree_node *node)
{
    const struct lattice *l = node->lattice;
    const struct bits merged = bits_or(l->iterated, l->following);
    bool directly = is_directly_in(rows->statement->arg[0], node->statement), even = true;
    double steps = l->dimension ? plan_real_size(l->var) : 0;
    if (steps < 0)
        return directly ? GPU_WARP : 1;
    for (int i = 0; i < l->sparse; i++) {
        if (!bits_has(merged, i))
            continue;
        if (!l->iterator[i].access->tensor->positions)
            return directly ? TEAM : 1;
        steps += gpu_mean_length(draft, &l->iterator[i]);
        even &= !gpu_is_uneven(draft, &l->iterator[i]);
    }
    int lanes = gpu_lanes_below(steps / MERGE);
    return even || lanes > TEAM ? lanes : TEAM;
}

/* Rows of so much room have tables in shared memory, of a warp and of a block: with values of eight
 * bytes those of eight warps take a third of what a block may have, one of a block two thirds. */
enum { WARP_ROOM = 96, BLOCK_ROOM = 1536 };

/* Do teams make rows that list what they have, which takes whole warps?  The lists themselves they
 * go along together anyway. */
static bool makes_rows(const struct draft *draft, const struct tree_node *rows)
{
    return tree_rows(draft->cx, rows->statement).n > 0;
}

/* Lanes go along the loop, if that is possible. */
static bool add_team(struct draft *draft, const struct index_var *rows, const struct index_var *var,
                     int *team)
{
    const struct tree_node *node = gpu_node(draft, var), *outer = gpu_node(draft, rows);
    struct draft with = draft_copy(draft);
    const struct lattice_iterator *along;
    bool merges = node && tree_merges(draft->cx, node), list;
    int lanes = !node || !outer ? 1
                : merges        ? team_merging(draft, outer, node)
                                : team_along(draft, outer, node);
    if (lanes == 1)
        return false;
    tree_is_counted(draft->cx, node, &along);
    list = along && along->access->tensor->temporary; /* whose positions no loop goes through */
    if (makes_rows(draft, outer) && (merges || list))
        return false;
    if (makes_rows(draft, outer))
        lanes = GPU_WARP;
    const struct index_var *loop =
        along && !list ? draft_positions(&with, var, along->access) : var;
    enum cin_races races = gpu_races(draft, node) ? RACES_WARP : RACES_NONE;
    if (merges || list)
        draft_share(&with, loop, races, lanes);
    else if (loop && (loop = gpu_split_lanes(&with, loop, lanes)))
        draft_parallelize(&with, loop, UNIT_GPU_THREAD, races);
    if (!loop || !plan_is_whole(draft->cx, with.program))
        return false;
    *draft = with;
    *team = lanes > *team ? lanes : *team;
    return true;
}

/* Adds the loops that contain no other. */
static void add_innermost(struct context *cx, const struct cin *s, struct cin_list *loops)
{
    bool is = s->kind == CIN_FORALL && !cin_has(s->arg[0], CIN_FORALL);
    if (is)
        vec_push(cx->arena, loops, s);
    for (int i = 0; i < s->args && !is; i++)
        if (!cin_is_expression(s->arg[i]))
            add_innermost(cx, s->arg[i], loops);
}

/* ---- shapes: what lanes do at each row; the text says it, NULL: it is not possible ---- */

static const char *columns(struct draft *draft, const struct index_var *rows, enum cin_races how)
{
    struct context *cx = draft->cx;
    struct chain chain = gpu_chain(draft, rows);
    const struct index_var *column = gpu_column(draft, &chain);
    if (!column || (chain.loops.n == 2 && !cin_has(chain.body, CIN_FORALL)))
        return NULL;
    struct var_list order = {0};
    vec_push(cx->arena, &order, rows);
    vec_push(cx->arena, &order, column);
    for (size_t i = 1; i < chain.loops.n; i++)
        if (chain.loops.at[i] != column)
            vec_push(cx->arena, &order, chain.loops.at[i]);
    if (!var_list_equal(&order, &chain.loops))
        draft_add(draft, plan_reorder(cx, &order));
    int lanes = gpu_lanes_of(column);
    draft_parallelize(draft, rows, UNIT_GPU_WARP, how);
    const struct index_var *lane = gpu_split_lanes(draft, column, lanes);
    if (!lane)
        return NULL;
    draft_parallelize(draft, lane, UNIT_GPU_THREAD, RACES_NONE);
    return arena_printf(cx->arena, "a team of %d lanes has a row, and each lane columns of %s",
                        lanes, column->name);
}

/* Returns the tensor that the body assigns to along the inner loop and reads along the outer one;
 * NULL: there is none, or it would not fill a tile. */
static const struct cin *transposed(const struct draft *draft, const struct chain *chain)
{
    struct context *cx = draft->cx;
    const struct index_var *const *loop = chain->loops.at;
    if (chain->loops.n != 2 || chain->body->kind != CIN_ASSIGN
        || plan_steps_with(chain->body->arg[0]) != loop[1])
        return NULL;
    for (int i = 0; i < 2; i++) {
        const struct tree_node *node = gpu_node(draft, loop[i]);
        double size = plan_real_size(loop[i]);
        if (!node || !gpu_is_range(cx, node) || (size >= 0 && size < TILE))
            return NULL;
    }
    struct cin_list read = cin_operands(cx, chain->body);
    for (size_t i = 0; i < read.n; i++)
        if (plan_steps_with(read.at[i]) == loop[0] && cin_uses_var(read.at[i], loop[1]))
            return read.at[i];
    return NULL;
}

/* Shares the loop out to the warps of a block, and the one inside to the lanes of each. */
static void share_tile(struct draft *draft, const struct index_var *rows,
                       const struct index_var *lanes)
{
    const struct index_var *warp = gpu_split_lanes(draft, rows, WARPS);
    if (!warp)
        return;
    draft_parallelize(draft, warp, UNIT_GPU_WARP, RACES_NONE);
    draft_parallelize(draft, lanes, UNIT_GPU_THREAD, RACES_NONE);
}

/* Reads what goes down columns along its own rows, into shared memory. */
static const char *tiles(struct draft *draft, const struct index_var *rows, enum cin_races how)
{
    struct context *cx = draft->cx;
    struct chain chain = gpu_chain(draft, rows);
    const struct cin *access = how == RACES_NONE ? transposed(draft, &chain) : NULL;
    const struct index_var *row, *column, *copy[2] = {NULL};
    if (!access)
        return NULL;
    const struct index_var *down = draft_split(draft, chain.loops.at[0], TILE, &row),
                           *along =
                               down ? draft_split(draft, chain.loops.at[1], TILE, &column) : NULL;
    if (!along)
        return NULL;
    const struct index_var *order[] = {down, along, row, column}, *modes[] = {column, row};
    draft_add(draft, plan_reorder(cx, &(struct var_list){order, 4, 4}));
    const struct index_var *tile = draft_collapse(draft, down, along);
    draft_tile(draft, access, &(struct var_list){modes, 2, 2}, copy);
    if (!tile || !copy[0] || !copy[1])
        return NULL;
    draft_add(draft, plan_reorder(cx, &(struct var_list){copy, 2, 2}));
    draft_parallelize(draft, tile, UNIT_GPU_BLOCK, RACES_NONE);
    share_tile(draft, copy[0], copy[1]);
    share_tile(draft, row, column);
    return arena_printf(cx->arena, "a block has a tile of %d x %d, in shared memory", TILE, TILE);
}

static const char *elements(struct draft *draft, const struct index_var *rows, enum cin_races how)
{
    struct chain chain = gpu_chain(draft, rows);
    const struct index_var *column = gpu_column(draft, &chain);
    if (!column || chain.loops.n > 2 || cin_has(chain.body, CIN_FORALL))
        return NULL;
    double size = plan_real_size(column);
    bool few = size >= 0 && size <= GPU_WARP;
    int lanes = few ? gpu_lanes_of(column) : gpu_is_block(column->size) ? (int)column->size : BLOCK;
    draft_parallelize(draft, rows, few ? UNIT_GPU_WARP : UNIT_GPU_BLOCK, how);
    const struct index_var *lane = gpu_split_lanes(draft, column, lanes);
    if (!lane)
        return NULL;
    draft_parallelize(draft, lane, UNIT_GPU_THREAD, RACES_NONE);
    return arena_printf(draft->cx->arena, "a %s of %d has a row, and each thread elements of it",
                        few ? "team" : "block", lanes);
}

static const char *teams(struct draft *draft, const struct index_var *rows, enum cin_races how)
{
    struct context *cx = draft->cx;
    const struct tree_node *node = gpu_node(draft, rows);
    struct cin_list innermost = {0};
    int lanes = 1;
    if (!node)
        return NULL;
    add_innermost(cx, node->statement, &innermost);
    draft_parallelize(draft, rows, UNIT_GPU_WARP, how);
    for (size_t i = 0; i < innermost.n && draft->program; i++)
        if (innermost.at[i]->index[0] != rows)
            add_team(draft, rows, innermost.at[i]->index[0], &lanes);
    if (lanes > 1 && makes_rows(draft, node))
        draft_bin(draft, rows, WARP_ROOM, BLOCK_ROOM);
    return lanes == 1 ? NULL
                      : arena_printf(cx->arena,
                                     "a team of %d lanes has a row, and they go along it "
                                     "together",
                                     lanes);
}

static const char *alone(struct draft *draft, const struct index_var *rows, enum cin_races how)
{
    const struct tree_node *node = gpu_node(draft, rows);
    const struct lattice_iterator *along;
    bool counted = node && tree_is_counted(draft->cx, node, &along),
         listed = node && makes_rows(draft, node);
    draft_parallelize(draft, rows, listed ? UNIT_GPU_WARP : UNIT_GPU_THREAD, how);
    if (listed) {
        draft_bin(draft, rows, WARP_ROOM, BLOCK_ROOM);
        return "a warp has a row";
    }
    return counted ? "a thread has a row"
                   : "a thread has rows that follow each other, as much work as others";
}

/* ---- rows: which loop they are; NULL: it is not possible ---- */

static const struct index_var *as_they_are(struct draft *draft, const struct index_var *loop,
                                           enum cin_races how)
{
    (void)draft, (void)how;
    return loop;
}

/* Goes along the stored positions of the loop and those inside, of as many as may be. */
static const struct index_var *stored(struct draft *draft, const struct index_var *loop,
                                      enum cin_races how)
{
    struct chain chain = gpu_chain(draft, loop);
    for (size_t n = chain.loops.n; n > 1; n--) {
        struct draft with = draft_copy(draft);
        const struct index_var *positions = gpu_positions(&with, &chain, n);
        const struct tree_node *node = positions ? gpu_node(&with, positions) : NULL;
        if (!node || (how == RACES_NONE && gpu_races(&with, node)))
            continue;
        *draft = with;
        return positions;
    }
    return NULL;
}

/* Makes the first loop that is the result's the outermost one, if all loops go over ranges. */
static const struct index_var *free_first(struct draft *draft, const struct index_var *loop,
                                          enum cin_races how)
{
    struct context *cx = draft->cx;
    struct chain chain = gpu_chain(draft, loop);
    const struct index_var *first = NULL;
    struct var_list order = {0};
    (void)how;
    for (size_t i = 0; i < chain.loops.n; i++) {
        const struct tree_node *node = gpu_node(draft, chain.loops.at[i]);
        if (!node || !gpu_is_range(cx, node))
            return NULL;
        first = !first && !gpu_races(draft, node) ? chain.loops.at[i] : first;
    }
    if (!first || first == loop)
        return NULL;
    vec_push(cx->arena, &order, first);
    for (size_t i = 0; i < chain.loops.n; i++)
        if (chain.loops.at[i] != first)
            vec_push(cx->arena, &order, chain.loops.at[i]);
    draft_add(draft, plan_reorder(cx, &order));
    return first;
}

/* ---- a loop ---- */

/* Rows race, but not in blocks of a loop inside. */
static const char *share_ranges(struct draft *draft, const struct index_var *loop)
{
    struct context *cx = draft->cx;
    struct draft with = draft_copy(draft);
    const struct cin *range = plan_range_in(cx, draft->program, loop);
    const struct index_var *within,
        *block = range ? draft_ranges(&with, loop, range->index[0], BLOCK, &within) : NULL;
    if (!block)
        return NULL;
    draft_parallelize(&with, block, UNIT_GPU_BLOCK, RACES_NONE);
    draft_parallelize(&with, within, UNIT_GPU_THREAD, RACES_NONE);
    if (!plan_is_whole(cx, with.program))
        return NULL;
    *draft = with;
    return arena_printf(cx->arena, "a block has %d coordinates of %s", BLOCK,
                        range->index[0]->name);
}

/* Is what it combines in memory, where updates can be atomic? */
static bool combines_in_memory(const struct draft *draft, const struct tree_node *node)
{
    struct tree_races races = gpu_races_of(draft, node);
    bool all = true;
    for (size_t i = 0; i < races.n; i++)
        all &= !tensor_var_is_scalar(races.at[i].assign->arg[0]->tensor)
               && races.at[i].kind == RACE_COMBINES;
    return all;
}

/* ... and the same in any order? */
static bool has_no_order(const struct draft *draft, const struct tree_node *node)
{
    struct tree_races races = gpu_races_of(draft, node);
    bool none = true;
    for (size_t i = 0; i < races.n; i++) {
        enum type type = races.at[i].assign->arg[0]->type;
        none &= op_idempotent(races.at[i].assign->op)
                || !(type_is_float(type) || type_is_complex(type));
    }
    return none;
}

/* Returns the first shape that is possible.  *free: what it combines has no order to lose. */
static const char *share_rows(struct draft *draft, const struct index_var *loop, enum cin_races how,
                              bool *free)
{
    static const char *const then[RACES_KINDS] = {
        "", [RACES_TEMPORARY] = ", and one block adds up what blocks have",
        [RACES_ATOMICS] = ", and updates are atomic"};
    static const struct index_var *(*const rows[])(struct draft *, const struct index_var *,
                                                   enum cin_races) = {stored, as_they_are,
                                                                      free_first};
    static const char *(*const shape[])(struct draft *, const struct index_var *,
                                        enum cin_races) = {columns, tiles, elements, teams, alone};
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        struct draft from = draft_copy(draft);
        const struct index_var *var = rows[r](&from, loop, how);
        const struct tree_node *node = var ? gpu_node(&from, var) : NULL;
        if (!node || (how == RACES_ATOMICS && !combines_in_memory(&from, node)))
            continue;
        for (size_t s = 0; s < sizeof shape / sizeof *shape; s++) {
            struct draft with = draft_copy(&from);
            const char *text = shape[s](&with, var, how);
            if (!text || !plan_is_whole(draft->cx, with.program))
                continue;
            *draft = with;
            *free = has_no_order(&from, node);
            return arena_printf(draft->cx->arena, "%s%s", text, then[how]);
        }
    }
    return NULL;
}

/* Shares the loop out.  Returns whether that is possible, and in *text how, or why not.  Where
 * updates would have to be atomic, and have an order to lose, someone has to consent; *lacks is set
 * if nobody does. */
static bool share_on_gpu(struct draft *draft, const struct index_var *loop, bool consents,
                         bool *lacks, const char **text)
{
    const struct tree_node *node = gpu_node(draft, loop);
    bool free;
    *text = "it has no effect";
    if (!node)
        return false;
    if (!(*text = gpu_parts(draft, loop)) && !(*text = gpu_cut_columns(draft, loop)))
        *text = share_rows(draft, loop, RACES_NONE, &free);
    if (!*text)
        *text = share_ranges(draft, loop);
    if (!*text)
        *text = share_rows(draft, loop, RACES_TEMPORARY, &free);
    if (*text)
        return true;
    struct draft with = draft_copy(draft);
    *text = share_rows(&with, loop, RACES_ATOMICS, &free);
    bool atomic = *text && (consents || free);
    *lacks |= *text && !atomic;
    if (atomic)
        *draft = with;
    else if (*text)
        *text = "its iterations combine in an order, which atomics would not keep";
    else
        *text = "it is of none of the shapes that threads share";
    return atomic;
}

/* Shares out all loops, and reports how. */
static struct draft share_all(struct context *cx, const struct cin_program *program, bool consents,
                              bool *lacks, struct text *report)
{
    struct draft draft = draft_new(cx, program);
    struct cin_list loops = plan_outermost(cx, program);
    for (size_t i = 0; i < loops.n; i++) {
        const struct index_var *loop = loops.at[i]->index[0];
        const char *text;
        bool shared = share_on_gpu(&draft, loop, consents, lacks, &text);
        text_printf(report, "%sthe loop over %s%s: %s", report->n ? "; " : "", loop->name,
                    shared ? "" : " is one thread's", text);
    }
    return plan_is_host_code(cx, draft.program, report) ? draft : draft_new(cx, program);
}

int plan_combines_at_random(struct context *cx, const struct cin_program *program)
{
    if (!cx->cuda || cin_has_parallel(program, program->statement))
        return 0;
    const struct draft draft = draft_new(cx, program);
    struct cin_list loops = plan_outermost(cx, program);
    int lacking = 0;
    for (size_t i = 0; i < loops.n; i++) {
        const struct index_var *loop = loops.at[i]->index[0];
        const struct tree_node *node = gpu_node(&draft, loop);
        struct draft with = draft_copy(&draft);
        bool lacks = false;
        const char *text;
        /* cheaply, since that is so of few */
        if (node && combines_in_memory(&draft, node) && !has_no_order(&draft, node))
            share_on_gpu(&with, loop, false, &lacks, &text);
        lacking += lacks;
    }
    return lacking;
}

struct plan_result plan_gpu(struct context *cx, const struct cin_program *program,
                            struct text *report)
{
    struct draft draft = draft_new(cx, program), consented = draft;
    struct text unread = text_new(cx->arena);
    if (!cin_has_parallel(program, program->statement) && plan_has_places(cx, program, report)) {
        bool lacks = false;
        draft = share_all(cx, program, false, &lacks, report);
        consented = lacks ? share_all(cx, program, true, &lacks, &unread) : draft;
    }
    const char *plan = draft_print(&draft), *with = draft_print(&consented);
    return (struct plan_result){plan, draft.program, 0, strcmp(with, plan) != 0 ? with : NULL};
}
