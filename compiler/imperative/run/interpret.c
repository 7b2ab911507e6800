/* interpret.c - runs imperative IR with every array access checked.
 *
 * The program is first translated into a tree of codes that point directly at their variables'
 * storage.  A helper never calls itself, so each variable has one place.  Then the tree is walked.
 * A fault of the program (an access out of bounds, a read of something never written, lost memory)
 * leaves by a jump, with the reason in a buffer.  All allocations are released before the reason
 * becomes text in the arena.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/imperative/run/machine.h"

_Noreturn void machine_fault(struct machine *m, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(m->fault, sizeof m->fault, format, args);
    va_end(args);
    longjmp(*m->out, 1);
}

_Noreturn void machine_stop(struct machine *m, enum imp_status status)
{
    m->status = status;
    longjmp(*m->out, 1);
}

/* ---- translation ---- */

/* One cell for each thread. */
static struct cell *cells(struct machine *m, const struct imp_var *var)
{
    struct cell *cell = arena_array(m->cx->arena, struct cell, m->threads);
    struct value *at = arena_array(m->cx->arena, struct value, m->threads);
    for (int i = 0; i < m->threads; i++)
        cell[i] = (struct cell){.var = var, .at = &at[i]};
    return cell;
}

struct cell *machine_cell(struct machine *m, struct routine *routine, const struct imp_var *var)
{
    void **found = var_map_at(m->cx, &routine->place, var);
    if (!*found) {
        struct cell *cell = *found = arena_make(m->cx->arena, struct cell);
        cell->var = var;
        cell->at = arena_array(m->cx->arena, struct value, var->lanes);
        if (routine->launched)
            cell->each = cells(m, var);
    }
    return *found;
}

struct store *machine_store(struct machine *m, struct routine *routine, const struct imp_var *var)
{
    void **found = var_map_at(m->cx, &routine->place, var);
    if (!*found) {
        struct store *store = *found = arena_make(m->cx->arena, struct store);
        store->var = var;
        if (var->place != PLACE_MEMORY)
            machine_place(m, store);
        vec_push(m->cx->arena, &routine->store, store);
    }
    return *found;
}

static struct routine *routine_of(struct machine *m, const struct imp_function *function)
{
    for (int i = 0; i < m->routines; i++)
        if (m->routine[i].function == function)
            return &m->routine[i];
    context_bug(m->cx, "%s is called and is no helper", function->name);
}

static struct code *translate(struct machine *m, struct routine *routine, const struct imp *imp)
{
    struct code *code = arena_make(m->cx->arena, struct code);
    code->imp = imp;
    code->arg = arena_array(m->cx->arena, struct code *, imp->args);
    int lanes = imp->lanes;
    bool around = routine->launched;
    if (imp->kind == IMP_FOR) /* not the launch's own variables */
        machine_cell(m, routine, imp->var);
    routine->launched = around || imp->kind == IMP_LAUNCH;
    int args = imp->kind == IMP_LAUNCH && m->options.device ? 1 : imp->args;
    for (int i = 0; i < args; i++) { /* the number of blocks of a launch on a device */
        code->arg[i] = translate(m, routine, imp->arg[i]);
        lanes = imp->arg[i]->lanes > lanes ? imp->arg[i]->lanes : lanes;
    }
    if (imp->kind == IMP_LAUNCH)
        machine_cell(m, routine, imp->var);
    routine->launched = around;
    if (imp->var && imp->var->array)
        code->store = machine_store(m, routine, imp->var);
    else if (imp->var)
        code->cell = machine_cell(m, routine, imp->var);
    if (imp->kind == IMP_CALL)
        code->routine = routine_of(m, imp->function);
    else if (imp->kind == IMP_LAUNCH)
        code->routine = routine;
    if (lanes > 1 || imp->kind == IMP_CALL)
        code->temporary = arena_array(m->cx->arena, struct value, lanes * imp->args + lanes);
    if (imp->kind == IMP_FOR)
        code->condition =
            translate(m, routine, imp_op2(m->cx, OP_LT, imp_read(m->cx, imp->var), imp->arg[1]));
    return code;
}

static void translate_function(struct machine *m, struct routine *routine,
                               const struct imp_function *function)
{
    routine->function = function;
    routine->launched = function->meets;
    for (int i = 0; i < function->params; i++) {
        if (function->param[i].var->array)
            machine_store(m, routine, function->param[i].var);
        else
            machine_cell(m, routine, function->param[i].var);
    }
    if (function->meets && m->options.device)
        return; /* belongs to a launch */
    routine->body = translate(m, routine, function->body);
}

/* ---- expressions ---- */

int64_t machine_number(struct value v)
{
    if (type_kind(v.type) == KIND_UINT)
        return v.u > INT64_MAX ? INT64_MAX : (int64_t)v.u;
    return v.i;
}

int64_t machine_integer(struct machine *m, const struct code *code)
{
    struct value v;
    machine_eval(m, code, &v);
    return machine_number(v);
}

static void eval_op(struct machine *m, const struct code *code, struct value *out)
{
    const struct imp *imp = code->imp;
    int lanes = imp->lanes;
    struct value small[3], *operand = lanes > 1 ? code->temporary : small;
    if (imp_is_lazy(imp)) {
        machine_eval(m, code->arg[0], out);
        bool truth = value_truth(*out);
        if (imp->op == OP_SELECT)
            machine_eval(m, code->arg[truth ? 1 : 2], out);
        else if (truth == (imp->op == OP_AND))
            machine_eval(m, code->arg[1], out);
        return;
    }
    for (int a = 0; a < imp->args; a++)
        machine_eval(m, code->arg[a], operand + a * lanes);
    if (lanes == 1) {
        *out = op_fold(imp->op, operand);
        return;
    }
    for (int i = 0; i < lanes; i++) {
        for (int a = 0; a < imp->args; a++)
            small[a] = operand[a * lanes + i];
        out[i] = op_fold(imp->op, small);
    }
}

static void eval_shuffle(struct machine *m, const struct code *code, struct value *out)
{
    const struct imp *imp = code->imp;
    struct value *lane = code->temporary;
    for (int i = 0; i < 2; i++)
        machine_eval(m, code->arg[i], lane + i * imp->arg[0]->lanes);
    for (int i = 0; i < imp->lanes; i++)
        out[i] = lane[imp->arg[2 + i]->value.i];
}

/* Sets the parameters only when all arguments have been computed, since these may call the same
 * helper. */
void machine_pass(struct machine *m, const struct code *code)
{
    const struct imp_function *function = code->imp->function;
    for (int i = 0; i < code->imp->args; i++)
        if (!function->param[i].var->array)
            machine_eval(m, code->arg[i], &code->temporary[i]);
    for (int i = 0; i < code->imp->args; i++) {
        const struct imp_var *var = function->param[i].var;
        if (var->array) {
            machine_store(m, code->routine, var)->of = code->arg[i]->store;
        } else {
            struct cell *to = cell_here(m, machine_cell(m, code->routine, var));
            *to->at = code->temporary[i];
            to->set = true;
        }
    }
}

/* A helper with effects does not set *out. */
static void eval_call(struct machine *m, const struct code *code, struct value *out)
{
    const struct imp_function *function = code->imp->function;
    machine_pass(m, code);
    enum flow flow = machine_run(m, code->routine->body);
    if (function->effects)
        return;
    if (flow != FLOW_RETURN)
        machine_fault(m, "%s ends without return", function->name);
    *out = m->result;
}

static void eval_var(struct machine *m, const struct code *code, struct value *out)
{
    const struct cell *cell = cell_here(m, code->cell);
    if (!cell->set)
        machine_fault(m, "%s is read and was never set", cell->var->name);
    memcpy(out, cell->at, sizeof *out * (size_t)cell->var->lanes);
}

/* Arrays begin at the beginning of a line. */
static int64_t in_line(struct machine *m, const struct code *code)
{
    const int64_t size = (int64_t)type_size(code->imp->var->type),
                  elements = code->imp->n > size ? code->imp->n / size : 1;
    return machine_integer(m, code->arg[0]) % elements;
}

void machine_eval(struct machine *m, const struct code *code, struct value *out)
{
    const struct imp *imp = code->imp;
    m->steps++;
    switch (imp->kind) {
    case IMP_LITERAL: *out = imp->value; return;
    case IMP_VAR: eval_var(m, code, out); return;
    case IMP_OP: eval_op(m, code, out); return;
    case IMP_CAST:
        machine_eval(m, code->arg[0], out);
        for (int i = 0; i < imp->lanes; i++)
            out[i] = value_convert(out[i], imp->type);
        return;
    case IMP_LOAD:
        machine_load(m, code->store, machine_integer(m, code->arg[0]), imp->lanes, out);
        return;
    case IMP_CALL: eval_call(m, code, out); return;
    case IMP_LANES:
        for (int i = 0; i < imp->lanes; i++)
            machine_eval(m, code->arg[i], &out[i]);
        return;
    case IMP_BROADCAST:
        machine_eval(m, code->arg[0], out);
        for (int i = 1; i < imp->lanes; i++)
            out[i] = out[0];
        return;
    case IMP_LANE:
        machine_eval(m, code->arg[0], code->temporary);
        *out = code->temporary[imp->n];
        return;
    case IMP_SHUFFLE: eval_shuffle(m, code, out); return;
    case IMP_IN_LINE: *out = value_int(imp->type, in_line(m, code)); return;
    case IMP_THREADS: *out = value_int(imp->type, m->options.threads); return;
    case IMP_STOPPED: *out = value_int(imp->type, 0); return; /* otherwise no step would be taken */
    case IMP_UPDATE: machine_atomic(m, code, out); return;
    case IMP_FETCH:
        (m->options.device ? machine_device_fetch : machine_eval)(m, code->arg[0], out);
        return;
    case IMP_EXCHANGE: machine_fault(m, "an exchange by one thread alone");
    case IMP_ANY_STATEMENT: break;
    }
    machine_fault(m, "a statement stands for a value");
}

/* ---- statements ---- */

/* op= for `lanes` values, in place. */
static void combine_lanes(enum op op, struct value *current, const struct value *value, int lanes)
{
    for (int i = 0; i < lanes; i++)
        current[i] = op == OP_NONE ? value[i] : op_fold(op, (struct value[]){current[i], value[i]});
}

void machine_assign(struct machine *m, const struct code *code, const struct value *value)
{
    struct cell *cell = cell_here(m, code->cell);
    const struct imp_var *var = cell->var;
    if (code->imp->op != OP_NONE && !cell->set)
        machine_fault(m, "%s is read and was never set", var->name);
    combine_lanes(code->imp->op, cell->at, value, var->lanes);
    cell->set = true;
    if (code->imp->kind == IMP_DECLARE && var->positive && value_double(*cell->at) < 1)
        machine_fault(m, "%s is less than 1", var->name);
}

static void run_assign(struct machine *m, const struct code *code)
{
    struct value one, *value = code->imp->var->lanes > 1 ? code->temporary : &one;
    machine_eval(m, code->arg[0], value);
    machine_assign(m, code, value);
}

static void declare_array(struct machine *m, struct store *store)
{
    if (store->var->place != PLACE_MEMORY) {
        if (store->each)
            machine_forget(&store->each[m->thread]);
        return;
    }
    if (store->owned)
        machine_fault(m, "%s is declared again and its memory lost", store->var->name);
    store->of = NULL;
    store->private = m->parallel;
}

static void run_declare(struct machine *m, const struct code *code)
{
    if (code->store) {
        declare_array(m, code->store);
        return;
    }
    cell_here(m, code->cell)->set = false;
    if (code->imp->args)
        run_assign(m, code);
}

static void run_store(struct machine *m, const struct code *code)
{
    int lanes = code->imp->arg[1]->lanes;
    struct value one, other, *value = lanes > 1 ? code->temporary : &one;
    struct value *current = lanes > 1 ? code->temporary + lanes : &other;
    int64_t at = machine_integer(m, code->arg[0]);
    machine_eval(m, code->arg[1], value);
    if (code->imp->n && at % lanes != 0)
        machine_fault(m, "%d lanes are streamed to %s[%lld]", lanes, code->imp->var->name,
                      (long long)at);
    machine_check_bounds(m, code->store, at, lanes);
    if (code->imp->op != OP_NONE)
        machine_load(m, code->store, at, lanes, current);
    combine_lanes(code->imp->op, current, value, lanes);
    for (int i = 0; i < lanes; i++)
        machine_put(m, code->store, at + i, current[i]);
}

static enum flow run_for(struct machine *m, const struct code *code)
{
    struct cell *cell = code->cell;
    struct value go;
    machine_eval(m, code->arg[0], cell->at);
    cell->set = true;
    for (machine_eval(m, code->condition, &go); go.b; machine_eval(m, code->condition, &go)) {
        m->counts.iterations++;
        enum flow flow = machine_run(m, code->arg[2]);
        if (flow == FLOW_RETURN)
            return flow;
        if (flow == FLOW_BREAK)
            break;
        int64_t next = machine_number(*cell->at) + code->imp->n;
        *cell->at = value_int(cell->var->type, next);
        if (machine_number(*cell->at) != next)
            machine_fault(m, "%s overflows", cell->var->name);
    }
    cell->set = false;
    return FLOW_NEXT;
}

static enum flow run_while(struct machine *m, const struct code *code)
{
    struct value go;
    for (machine_eval(m, code->arg[0], &go); go.b; machine_eval(m, code->arg[0], &go)) {
        m->counts.iterations++;
        enum flow flow = machine_run(m, code->arg[1]);
        if (flow == FLOW_RETURN)
            return flow;
        if (flow == FLOW_BREAK)
            break;
    }
    return FLOW_NEXT;
}

static void run_alloc(struct machine *m, const struct code *code)
{
    if (code->store->owned)
        machine_fault(m, "%s is allocated again and its memory lost", code->store->var->name);
    int64_t n = machine_integer(m, code->arg[0]);
    (m->options.device ? machine_device_allocate : machine_resize)(m, code->store, n);
}

static void run_fill(struct machine *m, const struct code *code)
{
    int64_t begin = machine_integer(m, code->arg[0]), end = machine_integer(m, code->arg[1]);
    struct value value;
    machine_eval(m, code->arg[2], &value);
    if (begin < end)
        machine_check_bounds(m, code->store, begin, end - begin);
    for (int64_t at = begin; at < end; at++)
        machine_put(m, code->store, at, value);
}

static void run_copy(struct machine *m, const struct code *code)
{
    struct store *from = code->arg[1]->store;
    int64_t at = machine_integer(m, code->arg[0]), first = machine_integer(m, code->arg[2]),
            n = machine_integer(m, code->arg[3]);
    struct value value;
    if (n > 0)
        machine_check_bounds(m, code->store, at, n);
    for (int64_t i = 0; i < n; i++) {
        int64_t next = at > first ? n - 1 - i : i; /* the two may overlap */
        machine_load(m, from, first + next, 1, &value);
        machine_put(m, code->store, at + next, value);
    }
}

static enum flow run_block(struct machine *m, const struct code *code)
{
    for (int i = 0; i < code->imp->args; i++) {
        enum flow flow = machine_run(m, code->arg[i]);
        if (flow != FLOW_NEXT)
            return flow;
    }
    return FLOW_NEXT;
}

static enum flow run_if(struct machine *m, const struct code *code)
{
    struct value condition;
    machine_eval(m, code->arg[0], &condition);
    if (condition.b)
        return machine_run(m, code->arg[1]);
    return code->imp->args == 3 ? machine_run(m, code->arg[2]) : FLOW_NEXT;
}

void machine_step(struct machine *m, const struct code *code)
{
    if (++m->steps > m->options.max_steps && m->options.max_steps > 0)
        machine_fault(m, "more than %lld steps", (long long)m->options.max_steps);
    if (m->options.stop && atomic_load_explicit(m->options.stop, memory_order_relaxed))
        machine_stop(m, STATUS_STOPPED);
    m->counts.statements += code->imp->kind != IMP_BLOCK && code->imp->kind != IMP_COMMENT;
}

enum flow machine_run(struct machine *m, const struct code *code)
{
    machine_step(m, code);
    switch (code->imp->kind) {
    case IMP_BLOCK: return run_block(m, code);
    case IMP_DECLARE: run_declare(m, code); return FLOW_NEXT;
    case IMP_ASSIGN: run_assign(m, code); return FLOW_NEXT;
    case IMP_STORE: run_store(m, code); return FLOW_NEXT;
    case IMP_ATOMIC: machine_atomic(m, code, NULL); return FLOW_NEXT;
    case IMP_DO: eval_call(m, code->arg[0], &m->result); return FLOW_NEXT;
    case IMP_IF: return run_if(m, code);
    case IMP_WHILE: return run_while(m, code);
    case IMP_FOR: return run_for(m, code);
    case IMP_PARALLEL: machine_run_parallel(m, code); return FLOW_NEXT;
    case IMP_LAUNCH:
        (m->options.device ? machine_device_launch : machine_run_launch)(m, code);
        return FLOW_NEXT;
    case IMP_BARRIER: machine_fault(m, "a barrier of one thread alone");
    case IMP_BREAK: return FLOW_BREAK;
    case IMP_RETURN:
        if (code->imp->args)
            machine_eval(m, code->arg[0], &m->result);
        return FLOW_RETURN;
    case IMP_FAIL: machine_stop(m, (enum imp_status)code->imp->n);
    case IMP_ALLOC: run_alloc(m, code); return FLOW_NEXT;
    case IMP_RESIZE:
        machine_resize(m, code->store, machine_integer(m, code->arg[0]));
        return FLOW_NEXT;
    case IMP_FREE: machine_release(m, code->store); return FLOW_NEXT;
    case IMP_KEEP: machine_keep(m, code); return FLOW_NEXT;
    case IMP_TAKE: machine_take(m, code); return FLOW_NEXT;
    case IMP_MOVE: machine_move(m, code); return FLOW_NEXT;
    case IMP_JOIN: machine_join(m, code); return FLOW_NEXT;
    case IMP_FILL: (m->options.device ? machine_device_fill : run_fill)(m, code); return FLOW_NEXT;
    case IMP_COPY: (m->options.device ? machine_device_copy : run_copy)(m, code); return FLOW_NEXT;
    case IMP_PREFETCH: machine_integer(m, code->arg[0]); return FLOW_NEXT;
    case IMP_COMMENT: return FLOW_NEXT;
    case IMP_ANY_EXPRESSION: break;
    }
    machine_fault(m, "an expression stands as a statement");
}

/* ---- a whole run ---- */

static void *default_reallocate(void *data, void *old, size_t size) { return realloc(old, size); }
static void default_release(void *data, void *old) { free(old); }

static const struct imp_allocator default_allocator = {default_reallocate, default_release, NULL};

static void bind_argument(struct machine *m, struct routine *kernel, struct imp_argument *argument)
{
    for (int i = 0; i < kernel->function->params; i++) {
        const struct imp_param *param = &kernel->function->param[i];
        if (!param->var->array) {
            struct cell *cell = machine_cell(m, kernel, param->var);
            *cell->at = value_convert(argument[i].value, param->var->type);
            cell->set = true;
        } else if (!param->out) {
            struct store *store = machine_store(m, kernel, param->var);
            store->data = argument[i].data;
            store->length = argument[i].length;
        }
    }
}

static bool is_out(const struct routine *kernel, const struct store *store)
{
    for (int i = 0; i < kernel->function->params; i++)
        if (kernel->function->param[i].var == store->var)
            return kernel->function->param[i].out;
    return false;
}

/* Memory that is still allocated after a run without a fault, and that nobody owns, is lost: a
 * fault. */
static void find_leaks(struct machine *m, struct routine *kernel)
{
    for (size_t i = 0; i < kernel->store.n; i++) {
        const struct store *store = kernel->store.at[i];
        if (store->owned && !is_out(kernel, store))
            snprintf(m->fault, sizeof m->fault, "the memory of %s is never released",
                     store->var->name);
    }
}

/* Hands over the out arrays, or releases everything that was allocated. */
static void settle(struct machine *m, struct routine *kernel, struct imp_argument *argument)
{
    bool ok = m->status == STATUS_OK && !m->fault[0];
    for (int i = 0; i < kernel->function->params; i++) {
        if (!kernel->function->param[i].out)
            continue;
        struct store *store = machine_store(m, kernel, kernel->function->param[i].var);
        argument[i].data = ok ? store->data : NULL;
        argument[i].length = ok ? store->length : 0;
        store->owned = store->owned && !ok;
        if (ok)
            free(store->written);
    }
    for (int r = 0; r < m->routines; r++) /* helpers with launches have arrays of their own */
        for (size_t i = 0; i < m->routine[r].store.n; i++)
            machine_release(m, m->routine[r].store.at[i]);
}

static void execute(struct machine *m, struct routine *kernel)
{
    jmp_buf here;
    m->out = &here;
    if (setjmp(here) == 0)
        machine_run(m, kernel->body);
}

static bool count_threads(const struct imp *imp, void *data)
{
    int *threads = data;
    if (imp->kind == IMP_LAUNCH && imp->n > *threads)
        *threads = (int)imp->n;
    return false;
}

struct imp_run imp_interpret(struct context *cx, const struct imp_function *function,
                             struct imp_argument *argument,
                             const struct imp_options *options_or_null)
{
    struct machine *m = arena_make(cx->arena, struct machine);
    m->cx = cx;
    if (options_or_null)
        m->options = *options_or_null;
    if (!m->options.allocator)
        m->options.allocator = &default_allocator;
    if (!m->options.threads)
        m->options.threads = 1;
    for (int i = 0; i < function->helpers; i++)
        imp_any(function->helper_at[i]->body, count_threads, &m->threads);
    imp_any(function->body, count_threads, &m->threads);
    m->routine = arena_array(cx->arena, struct routine, function->helpers + 1);
    for (int i = 0; i <= function->helpers; i++, m->routines++)
        translate_function(m, &m->routine[i],
                           i < function->helpers ? function->helper_at[i] : function);
    struct routine *kernel = &m->routine[m->routines - 1];
    bind_argument(m, kernel, argument);
    execute(m, kernel);
    if (m->status == STATUS_OK && !m->fault[0])
        find_leaks(m, kernel);
    settle(m, kernel, argument);
    return (struct imp_run){.status = m->status,
                            .steps = m->steps,
                            .counts = m->counts,
                            .fault = m->fault[0] ? arena_strdup(cx->arena, m->fault) : NULL};
}
