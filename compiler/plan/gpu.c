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
 * Where a row is added up or spread along what is stored, or along a dense operand, lanes go along
 * that.  Else a thread has a row.
 *
 * Rows that race go in blocks of what they race in, if operands have ranges of that (the diagonals
 * of a matrix); else updates are atomic, if they have no order to lose.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/base/gpu.h"
#include "compiler/base/text.h"
#include "compiler/plan/sizes.h"
#include "compiler/tree/tree.h"

/* Fewer columns are not worth lanes of their own; threads of a block that has a row. */
enum { COLUMNS_LEAST = 8, BLOCK = 256 };

/* A team where nobody says how long rows are, and at most where each has a search before it.  On
 * 2026-11-27, on an H200, y = A x by 8 lanes took at most 1.07 times as long as by the best team,
 * with 3, 16 and 500 entries a row (bench/gpu.md). */
enum { TEAM = 8 };

/* ---- facts ---- */

static const struct tree_node *node_of(const struct draft *draft, const struct index_var *var)
{
    const struct tree *tree = draft->program ? plan_tree(draft->cx, draft->program) : NULL;
    return tree && !tree->infeasible ? tree_find(tree->root, var) : NULL;
}

static bool races(const struct draft *draft, const struct tree_node *node)
{
    return tree_races(draft->cx, plan_tree(draft->cx, draft->program), node).n > 0;
}

/* Does the loop go over all coordinates of a range? */
static bool is_range(struct context *cx, const struct tree_node *node)
{
    const struct lattice_iterator *along;
    return tree_is_counted(cx, node, &along) && !along && !node->lattice->positions;
}

static bool has_loop(const struct cin *cin, void *data)
{
    (void)data;
    return cin->kind == CIN_FORALL;
}

/* In how many accesses the variable moves from one element to the next. */
static int contiguous(struct context *cx, const struct cin *s, const struct index_var *var)
{
    struct cin_list access = cin_operands(cx, s), made = cin_assignments(cx, s);
    int n = 0;
    for (size_t i = 0; i < made.n; i++)
        vec_push(cx->arena, &access, made.at[i]->arg[0]);
    for (size_t i = 0; i < access.n; i++) {
        int last = access.at[i]->tensor->order > 0 ? access.at[i]->tensor->format->levels - 1 : -1;
        n += last >= 0 && level_has(&access.at[i]->tensor->format->level[last], LEVEL_FULL)
             && access_level_var(access.at[i], last) == var;
    }
    return n;
}

/* The loops that are directly nested from this one in. */
static struct chain chain_of(const struct draft *draft, const struct index_var *rows)
{
    const struct tree_node *node = node_of(draft, rows);
    return node ? plan_chain(draft->cx, node->statement) : (struct chain){0};
}

/* The dense loop inside, of the result's, in which most accesses are contiguous; NULL: none. */
static const struct index_var *columns_in(const struct draft *draft, const struct chain *chain)
{
    const struct index_var *best = NULL;
    int most = 0;
    for (size_t i = 1; i < chain->loops.n; i++) {
        const struct index_var *var = chain->loops.at[i];
        const struct tree_node *node = node_of(draft, var);
        double size = plan_real_size(var);
        int n = contiguous(draft->cx, chain->body, var);
        if (node && n > most && (size < 0 || size >= COLUMNS_LEAST) && is_range(draft->cx, node)
            && !races(draft, node)) {
            best = var;
            most = n;
        }
    }
    return best;
}

/* ---- teams ---- */

/* The power of two that is not more; 32 at most. */
static int lanes_below(double n)
{
    int lanes = 1;
    while (2 * lanes <= n && lanes < GPU_WARP)
        lanes *= 2;
    return lanes;
}

/* The loop of so many iterations, outside of what is left of it. */
static const struct index_var *draft_lanes(struct draft *draft, const struct index_var *loop,
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

/* How many lanes go along the loop at each row: half as many as it has iterations, so that each has
 * more than one; 1: it is a thread's. */
static int team_along(const struct draft *draft, const struct tree_node *rows,
                      const struct tree_node *node)
{
    struct context *cx = draft->cx;
    const struct lattice_iterator *along;
    const struct index_var *var = node->lattice->var;
    if (!tree_is_counted(cx, node, &along) || node->lattice->positions
        || (along && along->access->tensor->viewed))
        return 1;
    if (along && !along->access->tensor->positions)
        return TEAM;
    struct sizes sizes = {
        .cx = cx, .symbols = plan_symbols(cx, draft->program), .program = draft->program};
    if (along)
        return lanes_below(cost_value(sizes_of_positions(&sizes, along->access, along->first)) / 2);
    int own = contiguous(cx, node->statement, var),
        around = contiguous(cx, rows->statement, rows->lattice->var);
    double size = plan_real_size(var);
    int lanes = lanes_below(size < 0 ? 2 * GPU_WARP : size / 2);
    if (!own || own < around || (size >= 0 && size < COLUMNS_LEAST))
        return 1;
    return rows->lattice->positions && lanes > TEAM ? TEAM : lanes;
}

/* Lanes go along the loop, if that is possible. */
static bool add_team(struct draft *draft, const struct index_var *rows, const struct index_var *var,
                     int *team)
{
    const struct tree_node *node = node_of(draft, var), *outer = node_of(draft, rows);
    struct draft with = draft_copy(draft);
    const struct lattice_iterator *along;
    int lanes = node && outer ? team_along(draft, outer, node) : 1;
    if (lanes == 1)
        return false;
    tree_is_counted(draft->cx, node, &along);
    const struct index_var *loop = along ? draft_positions(&with, var, along->access) : var,
                           *lane = loop ? draft_lanes(&with, loop, lanes) : NULL;
    if (!lane)
        return false;
    draft_parallelize(&with, lane, UNIT_GPU_THREAD, races(draft, node) ? RACES_WARP : RACES_NONE);
    if (!plan_is_whole(draft->cx, with.program))
        return false;
    *draft = with;
    *team = lanes > *team ? lanes : *team;
    return true;
}

/* The loops that contain no other. */
static void add_innermost(struct context *cx, const struct cin *s, struct cin_list *loops)
{
    bool is = s->kind == CIN_FORALL && !cin_any(s->arg[0], has_loop, NULL);
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
    struct chain chain = chain_of(draft, rows);
    const struct index_var *column = columns_in(draft, &chain);
    if (!column || (chain.loops.n == 2 && !cin_any(chain.body, has_loop, NULL)))
        return NULL;
    struct var_list order = {0};
    vec_push(cx->arena, &order, rows);
    vec_push(cx->arena, &order, column);
    for (size_t i = 1; i < chain.loops.n; i++)
        if (chain.loops.at[i] != column)
            vec_push(cx->arena, &order, chain.loops.at[i]);
    if (!var_list_equal(&order, &chain.loops))
        draft_add(draft, plan_reorder(cx, &order));
    double size = plan_real_size(column);
    int lanes = size < 0 ? GPU_WARP : lanes_below(2 * size - 1);
    draft_parallelize(draft, rows, UNIT_GPU_WARP, how);
    const struct index_var *lane = draft_lanes(draft, column, lanes);
    if (!lane)
        return NULL;
    draft_parallelize(draft, lane, UNIT_GPU_THREAD, RACES_NONE);
    return arena_printf(cx->arena, "a team of %d lanes has a row, and each lane columns of %s",
                        lanes, column->name);
}

static const char *elements(struct draft *draft, const struct index_var *rows, enum cin_races how)
{
    struct chain chain = chain_of(draft, rows);
    const struct index_var *column = columns_in(draft, &chain);
    if (!column || chain.loops.n > 2 || cin_any(chain.body, has_loop, NULL))
        return NULL;
    double size = plan_real_size(column);
    bool few = size >= 0 && size <= GPU_WARP;
    int lanes = few                          ? lanes_below(2 * size - 1)
                : gpu_is_block(column->size) ? (int)column->size
                                             : BLOCK;
    draft_parallelize(draft, rows, few ? UNIT_GPU_WARP : UNIT_GPU_BLOCK, how);
    const struct index_var *lane = draft_lanes(draft, column, lanes);
    if (!lane)
        return NULL;
    draft_parallelize(draft, lane, UNIT_GPU_THREAD, RACES_NONE);
    return arena_printf(draft->cx->arena, "a %s of %d has a row, and each thread elements of it",
                        few ? "team" : "block", lanes);
}

static const char *teams(struct draft *draft, const struct index_var *rows, enum cin_races how)
{
    struct context *cx = draft->cx;
    const struct tree_node *node = node_of(draft, rows);
    struct cin_list innermost = {0};
    int lanes = 1;
    if (!node)
        return NULL;
    add_innermost(cx, node->statement, &innermost);
    draft_parallelize(draft, rows, UNIT_GPU_WARP, how);
    for (size_t i = 0; i < innermost.n && draft->program; i++)
        if (innermost.at[i]->index[0] != rows)
            add_team(draft, rows, innermost.at[i]->index[0], &lanes);
    return lanes == 1 ? NULL
                      : arena_printf(cx->arena,
                                     "a team of %d lanes has a row, and they go along it "
                                     "together",
                                     lanes);
}

static const char *alone(struct draft *draft, const struct index_var *rows, enum cin_races how)
{
    const struct tree_node *node = node_of(draft, rows);
    const struct lattice_iterator *along;
    bool counted = node && tree_is_counted(draft->cx, node, &along);
    draft_parallelize(draft, rows, UNIT_GPU_THREAD, how);
    return counted ? "a thread has a row"
                   : "a thread has rows that follow each other, as much work as others";
}

/* ---- rows: which they are; NULL: it is not possible ---- */

static const struct index_var *as_they_are(struct draft *draft, const struct index_var *loop,
                                           enum cin_races how)
{
    (void)draft, (void)how;
    return loop;
}

/* The positions of what the first so many loops go along. */
static const struct index_var *positions_of(struct draft *draft, const struct chain *chain,
                                            size_t n)
{
    const struct tree_node *last = node_of(draft, chain->loops.at[n - 1]);
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

/* Of as many loops as may be. */
static const struct index_var *stored(struct draft *draft, const struct index_var *loop,
                                      enum cin_races how)
{
    struct chain chain = chain_of(draft, loop);
    for (size_t n = chain.loops.n; n > 1; n--) {
        struct draft with = draft_copy(draft);
        const struct index_var *positions = positions_of(&with, &chain, n);
        const struct tree_node *node = positions ? node_of(&with, positions) : NULL;
        if (!node || (how == RACES_NONE && races(&with, node)))
            continue;
        *draft = with;
        return positions;
    }
    return NULL;
}

/* Of loops that all go over ranges, the first that is the result's. */
static const struct index_var *free_first(struct draft *draft, const struct index_var *loop,
                                          enum cin_races how)
{
    struct context *cx = draft->cx;
    struct chain chain = chain_of(draft, loop);
    const struct index_var *first = NULL;
    struct var_list order = {0};
    (void)how;
    for (size_t i = 0; i < chain.loops.n; i++) {
        const struct tree_node *node = node_of(draft, chain.loops.at[i]);
        if (!node || !is_range(cx, node))
            return NULL;
        first = !first && !races(draft, node) ? chain.loops.at[i] : first;
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

/* Is what it combines in memory, and the same in any order? */
static bool has_no_order(const struct draft *draft, const struct tree_node *node)
{
    struct tree_races races = tree_races(draft->cx, plan_tree(draft->cx, draft->program), node);
    bool none = true;
    for (size_t i = 0; i < races.n; i++) {
        const struct cin *assign = races.at[i].assign;
        const struct tensor_var *tensor = assign->arg[0]->tensor;
        enum type type = assign->arg[0]->type;
        none &= !(tensor->temporary && tensor->order == 0) && races.at[i].kind == RACE_COMBINES
                && (op_idempotent(assign->op) || !(type_is_float(type) || type_is_complex(type)));
    }
    return none;
}

/* The first shape that is possible. */
static const char *share_rows(struct draft *draft, const struct index_var *loop, enum cin_races how)
{
    static const struct index_var *(*const rows[])(struct draft *, const struct index_var *,
                                                   enum cin_races) = {stored, as_they_are,
                                                                      free_first};
    static const char *(*const shape[])(struct draft *, const struct index_var *,
                                        enum cin_races) = {columns, elements, teams, alone};
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        struct draft from = draft_copy(draft);
        const struct index_var *var = rows[r](&from, loop, how);
        const struct tree_node *node = var ? node_of(&from, var) : NULL;
        if (!node || (how == RACES_ATOMICS && !has_no_order(&from, node)))
            continue;
        for (size_t s = 0; s < sizeof shape / sizeof *shape; s++) {
            struct draft with = draft_copy(&from);
            const char *text = shape[s](&with, var, how);
            if (!text || !plan_is_whole(draft->cx, with.program))
                continue;
            *draft = with;
            return how == RACES_NONE
                       ? text
                       : arena_printf(draft->cx->arena, "%s, and updates are atomic", text);
        }
    }
    return NULL;
}

/* Does it make a tensor whose components have no places yet, so that threads would append to it
 * together? */
static bool appends(const struct cin *cin, void *made)
{
    const struct tensor_var *t = cin->kind == CIN_ASSIGN ? cin->arg[0]->tensor : NULL;
    if (!t || !t->temporary || format_is_dense(t->format))
        return false;
    *(const struct tensor_var **)made = t;
    return true;
}

/* Share the loop out; gives whether that is possible, and *text how, or why not. */
static bool share(struct draft *draft, const struct index_var *loop, const char **text)
{
    const struct tree_node *node = node_of(draft, loop);
    *text = "it has no effect";
    if (!node)
        return false;
    *text = share_rows(draft, loop, RACES_NONE);
    if (!*text)
        *text = share_ranges(draft, loop);
    if (!*text)
        *text = share_rows(draft, loop, RACES_ATOMICS);
    if (*text)
        return true;
    *text = has_no_order(draft, node)
                ? "it is of none of the shapes that threads share"
                : "its iterations combine in an order, which atomics would not keep";
    return false;
}

/* Of a result that is updated in its pattern: may the loops, or a number that stands for a
 * coordinate, come to what that lacks? */
static bool may_miss(const struct tree *tree)
{
    if (tree->assembly.kind != ASSEMBLY_UPDATE)
        return false;
    bool may = tree_may_miss(tree) || !tree_walks_given(tree->root);
    for (int i = 0; i < tree->result->indices; i++)
        may |= tree->result->index[i]->literal;
    return may;
}

/* Have all tensors that loops write places for their components before?  Else the report may say
 * which has none. */
static bool has_places(struct context *cx, const struct cin_program *program, struct text *report)
{
    const struct tree *tree = plan_tree(cx, plan_updates(cx, program));
    const struct tensor_var *made;
    if (!tree || tree->infeasible)
        return false;
    for (int r = 0; r < tree->results; r++) {
        const struct tree *of = tree->of[r];
        if (tree_is_assembled(of))
            return false;
        if (may_miss(of)) {
            text_printf(report,
                        "the pattern of %s may lack what is assigned, and a launch cannot fail",
                        of->result->tensor->name);
            return false;
        }
    }
    if (!cin_any(tree->program->statement, appends, &made))
        return true;
    text_printf(report,
                "%s, which the plan computes first, is a list or a table, and on a GPU it "
                "would be dense",
                made->name);
    return false;
}

static bool assigns_array(const struct cin *cin, void *data)
{
    (void)data;
    return cin->kind == CIN_ASSIGN && cin->arg[0]->tensor->temporary
           && cin->arg[0]->tensor->order > 0;
}

static bool makes_array(const struct cin *cin, void *data)
{
    return cin->kind == CIN_WHERE && cin_any(cin->arg[1], assigns_array, data);
}

/* The loop that makes arrays in each step, in no launch, and ends where operands say so; NULL:
 * none. */
static const struct tree_node *find_endless(struct context *cx, const struct cin_program *program,
                                            const struct tree_node *node)
{
    const struct cin *s = node->statement;
    const struct lattice_iterator *along;
    const struct tree_node *found = NULL;
    if (cin_parallel(program, s))
        return NULL;
    if (s->kind == CIN_FORALL && !tree_is_counted(cx, node, &along)
        && cin_any(s, makes_array, NULL))
        return node;
    for (int i = 0; i < node->children && !found; i++)
        found = find_endless(cx, program, node->child[i]);
    return found;
}

/* Can host code do what is not shared out? */
static bool is_host_code(struct context *cx, const struct draft *draft, struct text *report)
{
    const struct tree *tree = plan_tree(cx, draft->program);
    const struct tree_node *loop = tree ? find_endless(cx, tree->program, tree->root) : NULL;
    if (loop)
        text_printf(report,
                    "; the loop over %s makes an array in each step, and ends where "
                    "operands say so, which host code does not see",
                    loop->lattice->var->name);
    return !loop;
}

struct plan_result plan_gpu(struct context *cx, const struct cin_program *program,
                            struct text *report)
{
    struct draft draft = draft_new(cx, program);
    struct cin_list loops = {0};
    if (!cin_has_parallel(program, program->statement) && has_places(cx, program, report))
        loops = plan_outermost(cx, program);
    for (size_t i = 0; i < loops.n; i++) {
        const struct index_var *loop = loops.at[i]->index[0];
        const char *text;
        bool shared = share(&draft, loop, &text);
        text_printf(report, "%sthe loop over %s%s: %s", report->n ? "; " : "", loop->name,
                    shared ? "" : " is one thread's", text);
    }
    if (!is_host_code(cx, &draft, report))
        draft = draft_new(cx, program);
    return (struct plan_result){draft_print(&draft), draft.program, 0};
}
