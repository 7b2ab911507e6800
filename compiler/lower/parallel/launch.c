/* launch.c - foralls whose iterations go to a GPU's blocks, warps and threads (thesis 6.6, 7.4).
 *
 *     launch(min((n + 255) / 256, 8448), 256) block, thread
 *         for (i64 i = block * 256 + thread; i < n; i += 8448 * 256)
 *             the body
 *
 * A nest of such loops becomes one launch.  The iterations of the outermost go to teams of the
 * grid, those of the next to the smaller teams in each of these: a block, some lanes of a warp, a
 * thread.  What is between two loops all lanes of the team do alike (launch_team.c).  Who does
 * what follows from the data, never from the device: the grid has a fixed most, and where it is
 * smaller a step is longer than the loop.
 *
 * Where the outermost loop merges operands, or goes along runs of coordinates, a step is known only
 * after the one before.  Each team has a part of it then, of as much work as others, and searches
 * for where that begins, as a thread of a CPU does (parallel_share.c):
 *
 *     if (part < parts)
 *         the loop, over its share
 *
 * What a loop inside reduces into each lane has of its own, and the team combines it behind the
 * loop.  Components that iterations go along one after the other lanes keep while they do
 * (launch_begun.c), and then their iterations follow each other.  What the outermost loop makes of
 * either blocks hand over (launch_handed.c).
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/lower/parallel/launch.h"
#include "compiler/imperative/query.h"
#include "compiler/target.h"

bool launch_check(struct context *cx, const struct tree *tree)
{
    const struct cin_tag *tag = cin_gpu(tree->program, tree->program->statement);
    bool good = true;
    for (int r = 0; r < tree->results && good; r++) {
        good = !tree_is_assembled(tree->of[r]) || tree_runs_twice(cx, tree->of[r]);
        if (!good)
            tree_refuse_assembled(cx, tag->span,
                                  arena_printf(cx->arena, "%s: ", cin_unit_name(tag->unit)),
                                  tree->of[r]);
    }
    return good;
}

/* ---- the shape of the grid ---- */

/* The length of the unit's loop in the nest, if there is one and its length is known; 0: there is
 * one, -1: there is none. */
struct unit_search {
    struct kernel *k;
    enum cin_unit unit;
    int64_t length;
};

static bool find_unit(const struct cin *cin, void *data)
{
    struct unit_search *s = data;
    const struct cin_tag *tag = cin_parallel(s->k->program, cin);
    if (!tag || tag->unit != s->unit)
        return false;
    const struct imp *size = kernel_find_size(s->k, cin->index[0]);
    s->length = cin_threads(tag) > 0                ? cin_threads(tag)
                : size && size->kind == IMP_LITERAL ? value_convert(size->value, TYPE_I64).i
                                                    : 0;
    return true;
}

static int64_t unit_length(struct kernel *k, const struct cin *nest, enum cin_unit unit)
{
    struct unit_search search = {k, unit, -1};
    cin_any(nest, find_unit, &search);
    return search.length;
}

/* Returns how many threads a team of the unit has: as many as the loop for threads in it has
 * iterations, if that is known and they fit, so that none is idle. */
static int unit_lanes(struct kernel *k, const struct cin *nest, enum cin_unit unit)
{
    int64_t length = unit_length(k, nest, UNIT_GPU_THREAD);
    switch (unit) {
    case UNIT_GPU_THREAD: return 1;
    case UNIT_GPU_WARP: return gpu_is_team(length) ? (int)length : GPU_WARP;
    case UNIT_GPU_BLOCK:
    case UNIT_CPU_THREAD:
    case UNIT_KINDS: break;
    }
    int64_t warps = unit_length(k, nest, UNIT_GPU_WARP);
    if (warps >= 0)
        length = warps * unit_lanes(k, nest, UNIT_GPU_WARP);
    else if (length < 0)
        length = GPU_WARP; /* nothing is shared out in a block */
    return gpu_is_block(length) ? (int)length : LAUNCH_THREADS;
}

static const struct imp *number(struct launch *l, const struct imp *e, enum op op, int64_t by)
{
    return imp_op2(l->k->cx, op, e, imp_int(l->k->cx, e->type, by));
}

/* Returns how many teams can have the tensors that the where makes in memory of their own. */
static int64_t teams_with_room(struct context *cx, const struct cin *where)
{
    struct cin_list made = cin_assignments(cx, where->arg[1]);
    int64_t teams = INT32_MAX;
    for (size_t i = 0; i < made.n; i++) {
        const struct tensor_var *w = made.at[i]->arg[0]->tensor;
        bool in_memory = w->temporary && w->order > 0 && !tensor_var_is_placed(w)
                         && workspace_has_places(w->format);
        int64_t bytes = in_memory ? tensor_var_bytes(w) : 0, fit = LAUNCH_TEAMS;
        if (bytes > 0 && LAUNCH_BYTES / bytes > fit)
            fit = LAUNCH_BYTES / bytes;
        if (in_memory && fit < teams)
            teams = fit;
    }
    return teams;
}

/* Returns how many blocks can have the tensors of the statement, which each of their teams of this
 * many lanes makes, or the teams of loops inside. */
static int64_t blocks_with_room(struct launch *l, const struct cin *nest, const struct cin *s,
                                int lanes)
{
    const struct cin_tag *tag = cin_parallel(l->k->program, s);
    int64_t blocks = INT32_MAX;
    if (tag)
        lanes = unit_lanes(l->k, nest, tag->unit);
    if (s->kind == CIN_WHERE)
        blocks = teams_with_room(l->k->cx, s) / (l->threads / lanes);
    for (int i = 0; i < s->args; i++) {
        int64_t inside =
            cin_is_expression(s->arg[i]) ? blocks : blocks_with_room(l, nest, s->arg[i], lanes);
        blocks = inside < blocks ? inside : blocks;
    }
    return blocks > 1 ? blocks : 1;
}

void launch_open_grid(struct launch *l, const struct cin *nest, int most)
{
    struct kernel *k = l->k;
    struct context *cx = k->cx;
    bool narrow = rows_are_narrow(l->rows), block = l->tag->unit == UNIT_GPU_BLOCK && !narrow;
    int lanes = unit_lanes(k, nest, l->tag->unit);
    if (narrow)
        lanes = l->rows->seen.counts ? 1 : GPU_WARP;
    l->threads = block ? lanes : rows_threads(k, l->rows, lanes, LAUNCH_THREADS);
    int each = l->threads / lanes;
    l->blocks = (int)target_of(cx)->grid_blocks;
    if (l->blocks > blocks_with_room(l, nest, nest, l->threads))
        l->blocks = (int)blocks_with_room(l, nest, nest, l->threads);
    if (l->blocks > most)
        l->blocks = most;
    l->block = kernel_var(k, TYPE_I32, "block");
    l->thread = kernel_var(k, TYPE_I32, "thread");
    const struct imp *at = imp_read(cx, l->block), *thread = imp_read(cx, l->thread),
                     *first = number(l, imp_cast(cx, TYPE_I64, at), OP_MUL, each);
    l->team = (struct team){.lanes = lanes,
                            .block = block,
                            .lane = block ? thread : number(l, thread, OP_MOD, lanes),
                            .teams = (int64_t)l->blocks * each};
    const struct imp *of_block = imp_cast(cx, TYPE_I64, number(l, thread, OP_DIV, lanes));
    l->team.number = block ? imp_cast(cx, TYPE_I64, at) : imp_op2(cx, OP_ADD, first, of_block);
}

/* Returns the smaller teams of this unit in the team at hand, for a loop inside. */
static struct team smaller(struct launch *l, const struct cin *nest, enum cin_unit unit)
{
    struct context *cx = l->k->cx;
    const struct team *outer = &l->team;
    int lanes = unit_lanes(l->k, nest, unit), each = outer->lanes / lanes;
    const struct imp *of_outer = imp_cast(cx, TYPE_I64, number(l, outer->lane, OP_DIV, lanes));
    return (struct team){.lanes = lanes,
                         .lane = number(l, outer->lane, OP_MOD, lanes),
                         .number =
                             imp_op2(cx, OP_ADD, number(l, outer->number, OP_MUL, each), of_outer),
                         .teams = outer->teams * each};
}

/* ---- loops ---- */

static void let_team(struct launch *l, struct team team)
{
    l->team = team;
    struct context *cx = l->k->cx;
    const struct imp *thread = imp_cast(cx, TYPE_I64, imp_read(cx, l->thread));
    l->seen.team = team.number;
    l->seen.teams = imp_i64(cx, team.teams);
    l->seen.in_block = team.block ? imp_i64(cx, 0) : number(l, thread, OP_DIV, team.lanes);
    l->seen.block_teams = l->threads / team.lanes;
    l->seen.thread = l->thread;
    l->seen.lanes = team.lanes;
    l->seen.is_block = team.block;
}

/* Shares out the loop's iterations to these teams, to this one from `first` on; or it shares out
 * parts of the loop. */
static void share_out(struct parallel *p, struct launch *l, const struct imp *first, int64_t lanes)
{
    if (p->parts || !forall_counts(&p->f)) {
        vec_push(p->k->cx->arena, &l->loops, ((struct launch_loop){.team = l->team}));
        return;
    }
    p->f.lane = first;
    p->f.lanes = lanes;
    int64_t length = p->tag->var->size;
    p->f.adjoin = p->arrays.n > 0 && (length < 0 || length > lanes);
    const struct cursor *only = forall_only(&p->f);
    p->f.step = only ? only->position : kernel_var(p->k, TYPE_I64, "%s", p->f.lattice->var->name);
    p->f.step->type = TYPE_I64;
    vec_push(p->k->cx->arena, &l->loops,
             ((struct launch_loop){.step = p->f.step, .first = first, .team = l->team}));
}

/* Is anything in the way of a loop of this unit? */
static bool may_share(struct parallel *p)
{
    if (p->tag->factor) {
        kernel_refuse(p->k, p->tag, "the loop over %s goes to threads one by one, not in parts",
                      p->f.lattice->var->name);
        return false;
    }
    return true;
}

/* Finds the tensors that are updated atomically.  They are for all threads, wherever in the nest a
 * loop says so. */
static void find_atomic(struct parallel *p, const struct scope *scope, const struct tree_node *node)
{
    const struct cin_tag *tag = cin_parallel(p->k->program, node->statement);
    struct tree_races races = {0};
    if (tag && tag->races == RACES_ATOMICS)
        races = tree_races(p->k->cx, scope->made->tree, node);
    for (size_t i = 0; i < races.n; i++)
        vec_push(p->k->cx->arena, &p->atomic, races.at[i].assign->arg[0]->tensor);
    for (int i = 0; i < node->children; i++)
        find_atomic(p, scope, node->child[i]);
}

static const struct imp *no_positions(struct parallel *p, const struct cin *access, int level)
{
    (void)p, (void)access, (void)level;
    return NULL;
}

static void see_part(struct parallel *p, const struct scope *scope)
{
    find_atomic(p, scope, p->node);
    p->seen = (struct kernel_part){.node = p->node,
                                   .atomic = p->atomic.at,
                                   .atomics = p->atomic.n,
                                   .positions = no_positions,
                                   .parallel = p};
    p->k->part = &p->seen;
}

/* ---- what threads begin ---- */

/* Components of an array, which are not copied, are begun: for the threads of this loop, too, if
 * they are for those of one around it. */
static void find_begun(struct parallel *p, const struct scope *scope)
{
    const struct kernel_part *outer = p->k->part;
    for (size_t i = 0; i < p->races.n; i++) {
        const struct cin *assign = p->races.at[i].assign;
        bool begins = tree_begins(p->k->cx, scope->made->tree, p->node, assign);
        for (size_t b = 0; outer && b < outer->begins; b++)
            begins |= outer->begun[b].tensor == assign->arg[0]->tensor;
        if (begins && p->k->computes)
            own_find_array(p, scope, assign);
    }
}

/* Opens what the thread has begun of these arrays, in variables of its own. */
static const struct kernel_begun *open_begun(struct parallel *p, const struct scope *scope)
{
    struct launch *l = p->k->launch->launch;
    int n = (int)p->arrays.n;
    struct kernel_begun *begun = arena_array(p->k->cx->arena, struct kernel_begun, n);
    for (int i = 0; i < n; i++) {
        const struct own_array *a = &p->arrays.at[i];
        begun[i] = (struct kernel_begun){
            .tensor = a->code->tensor, .array = a->shared, .op = a->op, .start = a->start};
        launch_find_columns(p, scope, &begun[i]);
        begun[i].team = l->team.number;
        begun[i].teams = l->team.teams;
        if (begun[i].columns == 0)
            begun_declare(p->k, &begun[i], a->code->tensor->name);
    }
    return begun;
}

/* Goes on with what smaller teams have begun or, if nothing around this team does, stores it. */
static void gather_handed(struct launch *l, const struct kernel_part *outer,
                          const struct kernel_begun *of, const struct team *smaller)
{
    struct kernel_begun whole = *of;
    for (size_t i = 0; i < outer->begins; i++)
        if (outer->begun[i].tensor == of->tensor) {
            begun_gather(l, of, smaller, &l->team, &outer->begun[i]);
            return;
        }
    begun_declare(l->k, &whole, arena_printf(l->k->cx->arena, "%s_last", of->tensor->name));
    begun_gather(l, of, smaller, &l->team, &whole);
    begun_store(l->k, &whole);
}

/* ---- the loops of a nest ---- */

void launch_find_parts(struct parallel *p, int64_t most, int lanes)
{
    share_find_many(p, most, target_of(p->k->cx)->lane_work * lanes);
}

/* Runs the part of the loop that the team of this number has, if there is one for it. */
static const struct imp *run_part(struct parallel *p, const struct imp *number)
{
    struct kernel *k = p->k;
    p->part = kernel_var(k, TYPE_I32, "part");
    const struct imp *part = imp_let(&k->b, p->part, imp_cast(k->cx, TYPE_I32, number)),
                     *has = imp_op2(k->cx, OP_LT, part, imp_read(k->cx, p->parts));
    imp_begin(&k->b);
    share_take(p);
    twice_enter(p);
    forall_run(&p->f);
    twice_leave(p);
    const struct imp *whole = imp_if(k->cx, has, imp_end(&k->b), NULL);
    imp_add(&k->b, whole);
    return whole;
}

/* Runs the loop over what this team has, which has this number of `many`. */
static void run_loop(struct parallel *p, const struct scope *scope, const struct imp *number,
                     int64_t many)
{
    struct launch *l = p->k->launch->launch;
    struct scope inside = *scope;
    own_begin(p, &inside);
    p->f.scope = &inside;
    if (p->f.lane) {
        forall_run(&p->f); /* whose iterations are the parts, if it runs twice */
        return;
    }
    const size_t loop = l->loops.n - 1;
    if (!p->parts)
        launch_find_parts(p, many, l->team.lanes);
    const struct imp *part = run_part(p, number);
    if (loop > 0)
        l->loops.at[loop].part = part;
}

/* Runs the loop of the grid.  A register for what it adds up is the team's own where the update is
 * atomic. */
static void run_grid(struct parallel *p, const struct scope *scope)
{
    struct kernel *k = p->k;
    struct scope inside = *scope;
    struct reductions reductions;
    bool atomics = tree_is_atomic(scope->made->tree, p->node->statement);
    if (atomics)
        reductions = reductions_begin(k, &inside);
    run_loop(p, &inside, p->k->launch->launch->team.number, p->k->launch->launch->team.teams);
    if (atomics)
        reductions_end(k, scope, &inside, &reductions);
}

/* Opens a loop with a unit, and finds what its iterations combine. */
static struct parallel open_loop(struct kernel *k, const struct scope *scope)
{
    const struct tree_node *node = scope->place->node;
    struct parallel p = {.k = k,
                         .tag = cin_parallel(k->program, node->statement),
                         .node = node,
                         .f = forall_open(k, scope)};
    if (node->lattice->points && k->computes) {
        p.races = tree_races(k->cx, scope->made->tree, node);
        own_find(&p, scope);
        find_begun(&p, scope);
    }
    return p;
}

struct flags {
    const struct imp *loops;
    const struct parallel *p;
    VEC(const struct imp_var *) set;
};

/* Does it set a flag from outside the loops, that something was written? */
static bool find_flag(const struct imp *imp, void *data)
{
    struct flags *f = data;
    bool is = imp->kind == IMP_ASSIGN && imp->var->type == TYPE_BOOL && imp->op == OP_NONE
              && imp->arg[0]->kind == IMP_LITERAL && !imp_declares_inside(f->loops, imp->var);
    for (size_t i = 0; i < f->p->scalars.n && is; i++)
        is = f->p->scalars.at[i].own != imp->var;
    for (size_t i = 0; i < f->set.n && is; i++)
        is = f->set.at[i] != imp->var;
    if (is)
        vec_push(f->p->k->cx->arena, &f->set, imp->var);
    return false;
}

/* Combines flags over the team: one that a lane has set is set for all. */
static void combine_flags(struct launch *l, const struct parallel *p, const struct imp *loops,
                          const struct team *of)
{
    struct flags flags = {.loops = loops, .p = p};
    imp_any(loops, find_flag, &flags);
    for (size_t i = 0; i < flags.set.n; i++)
        team_combine(l, flags.set.at[i], OP_OR, value_zero(TYPE_BOOL), of);
}

void lower_lanes(struct kernel *k, const struct scope *scope)
{
    struct launch *l = k->launch->launch;
    const struct team outer = l->team;
    struct parallel p = open_loop(k, scope);
    if (!p.node->lattice->points || !may_share(&p))
        return;
    for (size_t i = 0; i < p.scalars.n; i++) { /* each lane has nothing in it yet */
        struct own_scalar *s = &p.scalars.at[i];
        s->own = imp_is_still(&k->b, s->shared, s->start) ? s->shared : s->own;
    }
    struct team team = smaller(l, p.node->statement, p.tag->unit);
    const struct imp *first = imp_cast(k->cx, TYPE_I64, number(l, outer.lane, OP_DIV, team.lanes));
    const struct kernel_part *part = k->part;
    struct kernel_part inside = *part;
    if (p.arrays.n) {
        inside.begun = open_begun(&p, scope);
        inside.begins = p.arrays.n;
    }
    k->part = &inside;
    let_team(l, team);
    share_out(&p, l, first, outer.lanes / team.lanes);
    imp_begin(&k->b);
    run_loop(&p, scope, first, outer.lanes / team.lanes);
    const struct imp *loops = imp_end(&k->b);
    imp_add_all(&k->b, loops);
    let_team(l, outer);
    k->part = part;
    combine_flags(l, &p, loops, &team);
    for (size_t i = 0; i < p.arrays.n; i++)
        gather_handed(l, part, &inside.begun[i], &team);
    for (size_t i = 0; i < p.scalars.n; i++) {
        const struct own_scalar *s = &p.scalars.at[i];
        team_combine(l, s->own, s->op, s->start, &team);
        if (s->own != s->shared)
            imp_add(&k->b, imp_assign(k->cx, s->shared, s->op, imp_read(k->cx, s->own)));
    }
}

/* ---- the launch ---- */

static bool needs_host(const struct imp *imp, void *data)
{
    (void)data;
    return imp_manages_memory(imp) || imp->kind == IMP_FAIL || imp->kind == IMP_PARALLEL
           || imp->kind == IMP_THREADS || imp->kind == IMP_LAUNCH;
}

/* Does it change a scalar from outside? */
static bool hands_over(const struct imp *imp, void *loops)
{
    return imp->kind == IMP_ASSIGN && !imp_declares_inside(loops, imp->var);
}

/* Returns the workspace that the nest puts components into, and that notes which there are; or
 * NULL. */
static const struct tensor_var *find_counted(struct context *cx, const struct cin *nest)
{
    struct cin_list made = cin_assignments(cx, nest);
    for (size_t i = 0; i < made.n; i++) {
        const struct tensor_var *w = made.at[i]->arg[0]->tensor;
        if (w->temporary && w->order > 0 && !format_is_dense(w->format))
            return w;
    }
    return NULL;
}

/* Refuses workspaces that fit into what a block shares, but not beside what its threads combine
 * through. */
static void check_shared(const struct launch *l, const struct imp *body)
{
    int64_t bytes = imp_shared_bytes(body);
    if (bytes > GPU_SHARED_MOST)
        kernel_refuse(
            l->k, l->tag,
            "shared workspaces in the loop over %s, and what its threads combine through, "
            "have %lld bytes, and a block has %d",
            l->tag->var->name, (long long)bytes, GPU_SHARED_MOST);
}

/* Returns the body, or NULL where it needs what no launch has. */
static const struct imp *launch_body(struct launch *l, const struct cin *nest,
                                     const struct imp *loops, struct handed *handed)
{
    struct kernel *k = l->k;
    if (imp_any(loops, hands_over, (void *)(size_t)loops)) {
        const struct tensor_var *w = find_counted(k->cx, nest);
        if (w)
            kernel_refuse(k, l->tag,
                          "the loop over %s puts components into %s, which is a table, and counts "
                          "them: on a GPU such a workspace is dense or a list",
                          l->tag->var->name, w->name);
        else
            kernel_refuse(k, l->tag,
                          "iterations of the loop over %s count together what they store",
                          l->tag->var->name);
        return NULL;
    }
    if (imp_any(loops, needs_host, NULL)) {
        kernel_refuse(k, l->tag, "what the loop over %s makes needs memory that grows, or may fail",
                      l->tag->var->name);
        return NULL;
    }
    imp_begin(&k->b);
    const struct imp *body = team_body(l, loops), *left;
    imp_begin(&k->b);
    handed_leave(l, handed);
    left = imp_end(&k->b);
    for (size_t i = 0; i < l->shared.n; i++)
        imp_add(&k->b, l->shared.at[i]);
    for (size_t i = 0; i < l->seen.placed.n; i++)
        imp_add(&k->b, l->seen.placed.at[i]);
    imp_add_all(&k->b, body);
    imp_add_all(&k->b, left);
    const struct imp *all = imp_end(&k->b);
    check_shared(l, all);
    return all;
}

void launch_nest(struct kernel *k, const struct scope *scope, const struct parallel *twice)
{
    const struct cin *nest = scope->place->node->statement;
    struct launch l = {
        .k = k, .tag = cin_parallel(k->program, nest), .rows = twice ? twice->rows : NULL};
    const struct imp *blocks = NULL;
    struct handed *handed = NULL;
    l.seen.launch = &l;
    l.seen.tag = l.tag;
    l.seen.rows = l.rows ? &l.rows->seen : NULL;
    k->launch = &l.seen;
    imp_begin(&k->b);
    struct parallel p = open_loop(k, scope);
    launch_open_grid(&l, nest, launch_blocks_that_hand(&p, scope));
    let_team(&l, l.team);
    if (p.node->lattice->points && may_share(&p)) {
        if (twice)
            twice_adopt(&p, twice);
        blocks = launch_blocks_for(&p, &l);
        share_out(&p, &l, l.team.number, l.team.teams);
        see_part(&p, scope);
        p.seen.begins = p.arrays.n;
        p.seen.begun = open_begun(&p, scope);
        handed = handed_open(&l, &p);
        run_grid(&p, scope);
        k->part = NULL;
    }
    const struct imp *loops = imp_end(&k->b),
                     *body = blocks ? launch_body(&l, nest, loops, handed) : NULL;
    k->launch = NULL;
    if (!body)
        return;
    blocks = share_named(&p, blocks, "blocks");
    imp_add(&k->b, imp_launch(k->cx, l.block, l.thread, blocks, l.threads, body));
    handed_combine(&l, handed, blocks);
}

void lower_launch(struct kernel *k, const struct scope *scope)
{
    if (!launch_twice(k, scope))
        launch_nest(k, scope, NULL);
}
