/* machine_launch.c - launches: the threads of a block run in lockstep.
 *
 * A statement runs for all threads of a mask, in an order that a seed gives, before the next
 * statement does.  An if splits the mask.  A loop runs while a thread is left in its mask.  So a
 * barrier or an exchange finds all threads that come together, and a thread is only a number: its
 * variables are those of this number.  Blocks run one after the other, also in an order of the
 * seed's.  Threads that should wait for each other elsewhere, and do not, are found by
 * machine_race.c.
 *
 * SPDX-License-Identifier: MIT
 */
#include <string.h>

#include "compiler/base/gpu.h"
#include "compiler/base/hash.h"
#include "compiler/imperative/run/machine.h"

enum { WORD = 64, ORDERS = 8 };

/* ---- masks ---- */

struct threads {
    uint64_t in[GPU_THREADS_MOST / WORD];
};

static bool has(const struct threads *threads, int thread)
{
    return threads->in[thread / WORD] >> thread % WORD & 1;
}

static void add_thread(struct threads *threads, int thread)
{
    threads->in[thread / WORD] |= (uint64_t)1 << thread % WORD;
}

static void add_all(struct threads *threads, const struct threads *others)
{
    for (int i = 0; i < GPU_THREADS_MOST / WORD; i++)
        threads->in[i] |= others->in[i];
}

static bool is_empty(const struct threads *threads)
{
    static const struct threads none;
    return memcmp(threads, &none, sizeof none) == 0;
}

static struct threads all(int n)
{
    struct threads threads = {{0}};
    for (int i = 0; i < n; i++)
        add_thread(&threads, i);
    return threads;
}

/* ---- the order of threads ---- */

/* Begins a round over all threads, in another order than the last. */
static int begin_turn(struct lockstep *l)
{
    uint64_t random = hash_word(hash_word(l->m->options.order, l->turns++), (uint64_t)l->block);
    l->order = l->orders + (size_t)(random % ORDERS) * (size_t)l->threads;
    return 0;
}

/* Is the next thread in the mask?  It becomes the current one then. */
static bool takes_turn(struct lockstep *l, int i, const struct threads *active)
{
    l->m->thread = l->order[i];
    return has(active, l->order[i]);
}

static void make_orders(struct lockstep *l)
{
    l->orders = arena_array(l->m->cx->arena, int, ORDERS * l->threads);
    for (int k = 0; k < ORDERS; k++) {
        int *order = l->orders + k * l->threads;
        for (int i = 0; i < l->threads; i++)
            order[i] = i;
        for (int i = l->threads - 1; l->m->options.order && i > 0; i--) {
            uint64_t random = hash_word(hash_word(l->m->options.order, (uint64_t)k), (uint64_t)i);
            int j = (int)(random % (uint64_t)(i + 1)), at = order[i];
            order[i] = order[j];
            order[j] = at;
        }
    }
}

/* ---- barriers and exchanges ---- */

/* Checks that if one thread of a team comes, all of its threads do. */
static void check_teams(struct lockstep *l, const struct imp *imp, const struct threads *active,
                        int lanes)
{
    for (int t = 0; t < l->threads; t++)
        for (int lane = 0; has(active, t) && lane < lanes; lane++)
            if (!has(active, t - t % lanes + lane))
                machine_fault(l->m, "thread %d of block %lld comes to `%s` without thread %d", t,
                              (long long)l->block, imp_statement_text(l->m->cx, imp),
                              t - t % lanes + lane);
}

static void run_barrier(struct lockstep *l, const struct imp *imp, const struct threads *active)
{
    check_teams(l, imp, active, imp->n ? (int)imp->n : l->threads);
    l->time++;
    if (imp->n == 0) {
        l->block_barrier = l->time;
        return;
    }
    int team = 0;
    while (2 << team < imp->n)
        team++;
    for (int t = 0; t < l->threads; t++)
        if (has(active, t))
            l->team_barrier[t][team] = l->time;
}

/* Returns the lane of the team whose value the thread gets. */
static int source_of(struct lockstep *l, const struct imp *imp, int thread)
{
    int lanes = (int)imp->n, lane = thread % lanes;
    int64_t asked = l->lane[thread];
    if (asked < 0 || asked >= lanes)
        machine_fault(l->m, "thread %d of block %lld asks for lane %lld of %d in `%s`", thread,
                      (long long)l->block, (long long)asked, lanes,
                      imp_statement_text(l->m->cx, l->statement));
    return imp->exchange == EXCHANGE_AT    ? (int)asked
           : imp->exchange == EXCHANGE_XOR ? lane ^ (int)asked
                                           : (lane >= asked ? lane - (int)asked : lane);
}

static struct value exchanged(struct lockstep *l, const struct imp *imp, int thread)
{
    int lanes = (int)imp->n, first = thread - thread % lanes;
    int64_t ballot = 0;
    if (imp->exchange != EXCHANGE_BALLOT)
        return l->given[first + source_of(l, imp, thread)];
    for (int lane = 0; lane < lanes; lane++)
        ballot |= (int64_t)l->given[first + lane].b << lane;
    return value_int(TYPE_U32, ballot);
}

/* Runs a declaration or an assignment whose value is an exchange. */
static void run_exchange(struct lockstep *l, const struct code *code, const struct threads *active)
{
    const struct code *exchange = code->arg[0];
    l->statement = code->imp;
    for (int i = begin_turn(l); i < l->threads; i++) {
        if (!takes_turn(l, i, active))
            continue;
        machine_eval(l->m, exchange->arg[0], &l->given[l->m->thread]);
        l->lane[l->m->thread] =
            exchange->imp->args > 1 ? machine_integer(l->m, exchange->arg[1]) : 0;
    }
    check_teams(l, code->imp, active, (int)exchange->imp->n);
    for (int i = begin_turn(l); i < l->threads; i++)
        if (takes_turn(l, i, active)) {
            cell_here(l->m, code->cell)->set |= code->imp->kind == IMP_DECLARE;
            struct value value = exchanged(l, exchange->imp, l->m->thread);
            machine_assign(l->m, code, &value);
        }
}

/* ---- statements ---- */

static void run_statement(struct lockstep *l, const struct code *code, struct threads *active);

/* Returns the threads for which the condition holds. */
static struct threads test(struct lockstep *l, const struct code *condition,
                           const struct threads *active, const struct imp *statement)
{
    struct threads holds = {{0}};
    struct value value;
    l->statement = statement;
    for (int i = begin_turn(l); i < l->threads; i++) {
        if (!takes_turn(l, i, active))
            continue;
        machine_eval(l->m, condition, &value);
        if (value.b)
            add_thread(&holds, l->m->thread);
    }
    return holds;
}

static void run_if(struct lockstep *l, const struct code *code, struct threads *active)
{
    struct threads then = test(l, code->arg[0], active, code->imp), otherwise;
    for (int i = 0; i < GPU_THREADS_MOST / WORD; i++)
        otherwise.in[i] = active->in[i] & ~then.in[i];
    run_statement(l, code->arg[1], &then);
    if (code->imp->args == 3)
        run_statement(l, code->arg[2], &otherwise);
    *active = then;
    add_all(active, &otherwise);
}

/* Gives a for's variable its first value, or the next one. */
static void step(struct lockstep *l, const struct code *code, const struct threads *active,
                 bool first)
{
    for (int i = begin_turn(l); i < l->threads; i++) {
        if (!takes_turn(l, i, active))
            continue;
        struct cell *cell = cell_here(l->m, code->cell);
        int64_t next =
            first ? machine_integer(l->m, code->arg[0]) : machine_number(*cell->at) + code->imp->n;
        *cell->at = value_int(cell->var->type, next);
        cell->set = true;
        if (machine_number(*cell->at) != next)
            machine_fault(l->m, "%s overflows", cell->var->name);
    }
}

/* Threads leave a loop when its condition ends or by a break.  Threads that return from the helper
 * do not come back. */
static void run_loop(struct lockstep *l, const struct code *code, struct threads *active)
{
    bool counts = code->imp->kind == IMP_FOR;
    const struct code *condition = counts ? code->condition : code->arg[0],
                      *body = code->arg[code->imp->args - 1];
    struct threads broken = {{0}}, left = {{0}}, *around = l->broken;
    l->broken = &broken;
    l->statement = code->imp;
    if (counts)
        step(l, code, active, true);
    for (;;) {
        struct threads go = test(l, condition, active, code->imp);
        for (int i = 0; i < GPU_THREADS_MOST / WORD; i++)
            left.in[i] |= active->in[i] & ~go.in[i];
        *active = go;
        if (is_empty(active))
            break;
        l->m->counts.iterations++;
        run_statement(l, body, active);
        if (counts)
            step(l, code, active, false);
    }
    l->broken = around;
    *active = left;
    add_all(active, &broken);
}

static void run_return(struct lockstep *l, const struct code *code, struct threads *active)
{
    l->statement = code->imp;
    for (int i = begin_turn(l); i < l->threads && code->imp->args; i++)
        if (takes_turn(l, i, active))
            machine_eval(l->m, code->arg[0], &l->result[l->m->thread]);
    add_all(l->returned, active);
    *active = (struct threads){{0}};
}

/* Calls a helper in which threads meet.  The statement takes its value, if it has one. */
static void run_call(struct lockstep *l, const struct code *call, const struct code *statement,
                     const struct threads *active)
{
    struct threads inside = *active, returned = {{0}}, *around = l->returned, *loop = l->broken;
    l->statement = statement->imp;
    for (int i = begin_turn(l); i < l->threads; i++)
        if (takes_turn(l, i, active))
            machine_pass(l->m, call);
    l->returned = &returned;
    run_statement(l, call->routine->body, &inside);
    l->returned = around;
    l->broken = loop;
    for (int i = begin_turn(l); i < l->threads && statement->cell; i++) {
        if (!takes_turn(l, i, active))
            continue;
        if (!has(&returned, l->m->thread))
            machine_fault(l->m, "%s ends without return", call->imp->function->name);
        machine_assign(l->m, statement, &l->result[l->m->thread]);
    }
}

/* Runs a statement for each thread by itself. */
static void run_each(struct lockstep *l, const struct code *code, const struct threads *active)
{
    l->statement = code->imp;
    for (int i = begin_turn(l); i < l->threads; i++)
        if (takes_turn(l, i, active))
            machine_run(l->m, code);
}

static void run_simple(struct lockstep *l, const struct code *code, const struct threads *active)
{
    const struct code *value = code->imp->args ? code->arg[0] : NULL;
    bool meets = value && value->imp->kind == IMP_CALL && value->imp->function->meets;
    if (value && value->imp->kind == IMP_EXCHANGE)
        run_exchange(l, code, active);
    else if (meets)
        run_call(l, value, code, active);
    else
        run_each(l, code, active);
}

static void run_statement(struct lockstep *l, const struct code *code, struct threads *active)
{
    if (is_empty(active))
        return;
    machine_step(l->m, code);
    switch (code->imp->kind) {
    case IMP_BLOCK:
        for (int i = 0; i < code->imp->args; i++)
            run_statement(l, code->arg[i], active);
        return;
    case IMP_IF: run_if(l, code, active); return;
    case IMP_WHILE:
    case IMP_FOR: run_loop(l, code, active); return;
    case IMP_BARRIER: run_barrier(l, code->imp, active); return;
    case IMP_BREAK:
        add_all(l->broken, active);
        *active = (struct threads){{0}};
        return;
    case IMP_RETURN: run_return(l, code, active); return;
    case IMP_DECLARE:
    case IMP_ASSIGN:
    case IMP_DO: run_simple(l, code, active); return;
    case IMP_STORE:
    case IMP_ATOMIC:
    case IMP_FILL:
    case IMP_COPY:
    case IMP_COMMENT: run_each(l, code, active); return;
    case IMP_PARALLEL:
    case IMP_LAUNCH:
    case IMP_FAIL:
    case IMP_ALLOC:
    case IMP_RESIZE:
    case IMP_FREE:
    case IMP_KEEP:
    case IMP_TAKE:
    case IMP_MOVE:
    case IMP_JOIN:
    case IMP_PREFETCH:
    case IMP_ANY_EXPRESSION: break;
    }
    machine_fault(l->m, "a statement of host code in a launch");
}

/* ---- arrays of a launch ---- */

void machine_forget(struct store *placed) { memset(placed->written, 0, (size_t)placed->length); }

void machine_place(struct machine *m, struct store *store)
{
    const struct imp_var *var = store->var;
    bool local = var->place == PLACE_LOCAL;
    int n = local ? m->threads : 1;
    struct store *each = local ? arena_array(m->cx->arena, struct store, n) : store;
    for (int i = 0; i < n; i++)
        each[i] = (struct store){
            .var = var,
            .data = arena_alloc(m->cx->arena, (size_t)var->length * type_size(var->type)),
            .written = arena_array(m->cx->arena, bool, var->length),
            .length = var->length,
            .private = local};
    store->each = local ? each : NULL;
}

/* At the beginning of a block, no thread has touched its shared arrays. */
static void clear_shared(struct routine *around)
{
    for (size_t i = 0; i < around->store.n; i++) {
        struct store *store = around->store.at[i];
        if (store->var->place != PLACE_SHARED)
            continue;
        machine_forget(store);
        if (store->visits)
            memset(store->visits, 0, (size_t)store->length * sizeof *store->visits);
    }
}

/* ---- the launch ---- */

static void run_block(struct lockstep *l, const struct code *code)
{
    struct threads active = all(l->threads);
    struct machine *m = l->m;
    const struct code *thread = code->arg[1];
    l->time = l->block_barrier = 0;
    memset(l->team_barrier, 0, sizeof *l->team_barrier * (size_t)l->threads);
    clear_shared(code->routine);
    for (m->thread = 0; m->thread < l->threads; m->thread++) {
        struct cell *number[] = {cell_here(m, code->cell), cell_here(m, thread->cell)};
        *number[0]->at = value_int(TYPE_I32, l->block);
        *number[1]->at = value_int(TYPE_I32, m->thread);
        number[0]->set = number[1]->set = true;
    }
    run_statement(l, code->arg[2], &active);
}

/* Steps of this length visit each of n numbers in a circle. */
static int64_t stride_of(uint64_t random, int64_t n)
{
    for (int64_t stride = n > 1 ? (int64_t)(random / 2 % (uint64_t)n) : 1;; stride++) {
        int64_t a = n, b = stride;
        while (b > 0) {
            int64_t rest = a % b;
            a = b;
            b = rest;
        }
        if (a == 1 || n < 2)
            return stride;
    }
}

void machine_run_launch(struct machine *m, const struct code *code)
{
    int64_t blocks = machine_integer(m, code->arg[0]);
    int n = (int)code->imp->n;
    struct lockstep l = {.m = m, .threads = n};
    l.team_barrier = (int64_t(*)[TEAMS])arena_array(m->cx->arena, int64_t, n * TEAMS);
    l.given = arena_array(m->cx->arena, struct value, n);
    l.result = arena_array(m->cx->arena, struct value, n);
    l.lane = arena_array(m->cx->arena, int64_t, n);
    make_orders(&l);
    m->launches++;
    m->launch = &l;
    m->parallel = true;
    uint64_t order = m->options.order ? hash_word(m->options.order, (uint64_t)m->launches) : 0;
    int64_t stride = order ? stride_of(order, blocks) : 1;
    for (int64_t i = 0; i < blocks; i++) {
        machine_step(m, code);
        l.block = (int64_t)((order % (uint64_t)blocks + (uint64_t)i * (uint64_t)stride)
                            % (uint64_t)blocks);
        run_block(&l, code);
    }
    m->launch = NULL;
    m->parallel = false;
    m->thread = 0;
}
