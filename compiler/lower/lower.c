/* lower.c - statements other than forall, and the kernel around them (thesis figure 5-2).
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/lower/lower.h"

#include "compiler/lower/loop/gemm.h"
#include "compiler/lower/parallel/launch.h"

static void lower_statement(struct kernel *k, const struct scope *scope, int child);

/* ---- statements ---- */

/* Is it there at this place, as far as the code can tell?  NULL: it is. */
static const struct imp *is_there(struct kernel *k, const struct scope *scope,
                                  const struct cin *operand)
{
    const struct temporary_place *temporary = scope_temporary(scope, operand->tensor);
    const struct access_place *place = scope_access(scope, operand);
    if (temporary)
        return temporary->written ? imp_read(k->cx, temporary->written) : NULL;
    return place ? place->found : NULL;
}

/* Does the condition hold?  NULL: always. */
static const struct imp *holds(struct kernel *k, const struct scope *scope,
                               const struct tree_needs *needs, const struct tree_condition *when)
{
    struct context *cx = k->cx;
    const struct imp *there, *all = NULL, *any = NULL;
    switch (when->kind) {
    case TREE_PRESENT: return is_there(k, scope, needs->operand.at[when->operand]);
    case TREE_ABSENT:
        there = is_there(k, scope, needs->operand.at[when->operand]);
        return there ? imp_op1(cx, OP_NOT, there) : imp_int(cx, TYPE_BOOL, 0);
    case TREE_ALL:
        for (size_t i = 0; i < when->part.n; i++)
            all = imp_both(cx, all, holds(k, scope, needs, when->part.at[i]));
        return all;
    case TREE_ANY: break;
    }
    for (size_t i = 0; i < when->part.n; i++) {
        const struct imp *is = holds(k, scope, needs, when->part.at[i]);
        if (!is)
            return NULL;
        any = any ? imp_op2(cx, OP_OR, any, is) : is;
    }
    return any;
}

/* Stores at a place where the assignment has an effect. */
static void store(struct kernel *k, const struct scope *scope, const struct cin *assign)
{
    struct context *cx = k->cx;
    const struct tensor_var *target = assign->arg[0]->tensor;
    const struct temporary_place *temporary = scope_temporary(scope, target);
    if (target->temporary && !temporary) {
        workspace_store(k, scope, kernel_workspace(k, target), assign);
        return;
    }
    if (!temporary) {
        result_store(k, kernel_find_result(k, target), scope, assign->op,
                     k->computes ? lower_value(k, scope, assign) : NULL);
        return;
    }
    if (k->computes)
        imp_add(&k->b, imp_assign(cx, temporary->var, assign->op,
                                  imp_cast(cx, target->type, lower_value(k, scope, assign))));
    if (temporary->written)
        imp_add(&k->b, imp_assign(cx, temporary->written, OP_NONE, imp_true(cx)));
}

/* Stores what is kept, of a component that keep() may leave out.  A pattern without values is made
 * of no such statement. */
static void store_kept(struct kernel *k, const struct scope *scope, const struct cin *assign)
{
    const struct cin *kept = cin_kept(assign);
    if (!kept) {
        store(k, scope, assign);
        return;
    }
    context_assert(k->cx, k->computes);
    const struct imp *condition =
        imp_cast(k->cx, TYPE_BOOL, lower_expression(k, scope, kept->arg[1]));
    const struct cin *arg[] = {assign->arg[0], kept->arg[0],
                               assign->args > 2 ? assign->arg[2] : NULL};
    imp_begin(&k->b);
    store(k, scope, cin_with_args(k->cx, assign, arg));
    imp_add(&k->b, imp_if(k->cx, condition, imp_end(&k->b), NULL));
}

static void lower_assign(struct kernel *k, const struct scope *scope, const struct tree_node *node)
{
    const struct tree_needs needs = tree_needs(k->cx, scope->made->tree, node);
    const struct imp *there = needs.effect ? holds(k, scope, &needs, needs.effect) : NULL;
    imp_begin(&k->b);
    store_kept(k, scope, node->statement);
    const struct imp *code = imp_end(&k->b);
    imp_add(&k->b, there ? imp_if(k->cx, there, code, NULL) : code);
}

static void declare_temporary(struct kernel *k, struct scope *scope,
                              const struct tensor_var *tensor)
{
    struct temporary_place *place = arena_make(k->cx->arena, struct temporary_place);
    struct imp_var *var = kernel_var(k, tensor->type, "%s", tensor->name);
    imp_let(&k->b, var, imp_literal(k->cx, tensor->fill));
    *place = (struct temporary_place){tensor, var, NULL, scope->temporaries};
    if (tree_assembles_some(scope->made->tree)) {
        struct imp_var *written = kernel_var(k, TYPE_BOOL, "%s_written", tensor->name);
        imp_let(&k->b, written, imp_int(k->cx, TYPE_BOOL, 0));
        place->written = written;
    }
    scope->temporaries = place;
}

/* Notes that the consumer runs only where this temporary is written. */
static void note_written(struct kernel *k, struct scope *scope, const struct imp_var *written)
{
    for (const struct temporary_place *t = scope->temporaries; t; t = t->outer) {
        if (t->written != written)
            continue;
        struct temporary_place *there = arena_make(k->cx->arena, struct temporary_place);
        *there = (struct temporary_place){t->tensor, t->var, NULL, scope->temporaries};
        scope->temporaries = there;
        return;
    }
}

/* Returns the temporaries that the producer of a where makes for its consumer, each by one of its
 * assignments. */
static struct cin_list made_here(struct kernel *k, const struct scope *scope,
                                 const struct cin *where)
{
    struct cin_list made = cin_assignments(k->cx, where->arg[1]), here = {0};
    for (size_t i = 0; i < made.n; i++) {
        const struct tensor_var *tensor = made.at[i]->arg[0]->tensor;
        bool seen = !tensor->temporary || scope_temporary(scope, tensor)
                    || !cin_uses_tensor(where->arg[0], tensor);
        for (size_t j = 0; j < here.n; j++)
            seen |= here.at[j]->arg[0]->tensor == tensor;
        if (!seen)
            vec_push(k->cx->arena, &here, made.at[i]);
    }
    return here;
}

static void finish_workspaces(struct kernel *k, const struct cin_list *made)
{
    for (size_t i = 0; i < made->n; i++) {
        struct workspace *ws = kernel_workspace(k, made->at[i]->arg[0]->tensor);
        if (!ws)
            continue;
        workspace_finish(k, ws);
        result_take(k, ws);
    }
}

static void close_workspaces(struct kernel *k, const struct cin_list *made)
{
    for (size_t i = made->n; i-- > 0;) {
        struct workspace *ws = kernel_workspace(k, made->at[i]->arg[0]->tensor);
        if (ws)
            workspace_close(k, ws);
    }
}

static void lower_producer(struct kernel *k, const struct scope *scope, const struct cin_list *made)
{
    struct workspace *only = made->n == 1 ? kernel_workspace(k, made->at[0]->arg[0]->tensor) : NULL;
    if (only && only->way->run)
        only->way->run(k, only, scope);
    else
        lower_statement(k, scope, 1);
}

static void lower_where(struct kernel *k, const struct scope *outer)
{
    const struct cin *where = outer->place->node->statement;
    struct scope scope = *outer;
    struct cin_list made = made_here(k, &scope, where);
    const struct imp_var *written = NULL;
    for (size_t i = 0; i < made.n; i++) {
        const struct tensor_var *tensor = made.at[i]->arg[0]->tensor;
        if (tensor->order > 0) {
            workspace_open(k, &scope, made.at[i]);
            continue;
        }
        declare_temporary(k, &scope, tensor);
        if (tree_waits_for(k->cx, scope.made->tree, where, tensor))
            written = scope.temporaries->written;
    }
    struct scope producer = scope;
    producer.held = (struct held_component){0};
    producer.row = (struct row_place){0};
    lower_producer(k, &producer, &made);
    finish_workspaces(k, &made);
    if (written)
        note_written(k, &scope, written);
    imp_begin(&k->b);
    if (!rows_leave_out(k, where->arg[0]))
        lower_statement(k, &scope, 0);
    const struct imp *consumer = imp_end(&k->b);
    if (written)
        imp_add(&k->b, imp_if(k->cx, imp_read(k->cx, written), consumer, NULL));
    else
        imp_add_all(&k->b, consumer);
    close_workspaces(k, &made);
}

/* Lowers a forall whose iterations the units share. */
static void lower_units(struct kernel *k, const struct scope *scope, enum cin_unit unit)
{
    if (!cin_unit_is_gpu(unit))
        lower_parallel(k, scope);
    else if (k->launch && k->launch->rows && k->launch->rows->counts)
        lower_forall(k, scope); /* a thread has a row */
    else if (k->launch)
        lower_lanes(k, scope);
    else
        lower_launch(k, scope);
}

static void lower_loops(struct kernel *k, const struct scope *outer)
{
    const struct cin *forall = outer->place->node->statement;
    const struct cin_tag *tag = cin_parallel(k->program, forall);
    struct scope scope = *outer;
    if (lower_gemm(k, outer))
        return;
    if (!tag) {
        lower_forall(k, outer);
        return;
    }
    /* each part has registers of its own, which in a launch are combined */
    if (!k->launch && tree_is_atomic(outer->made->tree, forall)) {
        lower_units(k, outer, tag->unit);
        return;
    }
    struct reductions reductions = reductions_begin(k, &scope);
    lower_units(k, &scope, tag->unit);
    reductions_end(k, outer, &scope, &reductions);
}

/* Finds the accesses by which the statement assigns to its results: those of a sequence have their
 * own variables. */
static void find_results(struct kernel *k, const struct cin *statement)
{
    for (struct result *r = NULL; (r = kernel_next_result(k, statement, r));)
        r->access = tree_result_in(k->cx, r->tree, statement);
}

/* Lowers the statement of the scope's place, in the way of its kind. */
static void lower_kind(struct kernel *k, const struct scope *scope)
{
    const struct tree_node *node = scope->place->node;
    if (k->placed && workspace_does(k, scope))
        return;
    switch (node->statement->kind) {
    case CIN_ASSIGN: lower_assign(k, scope, node); break;
    case CIN_FORALL: lower_loops(k, scope); break;
    case CIN_WHERE: lower_where(k, scope); break;
    case CIN_SEQUENCE:
    case CIN_MULTI:
        for (int i = 0; i < 2; i++)
            if (!rows_leave_out(k, node->statement->arg[i]))
                lower_statement(k, scope, i);
        break;
    case CIN_NOTHING: break;
    case CIN_LITERAL:
    case CIN_ACCESS:
    case CIN_OP: context_bug(k->cx, "an expression stands where a statement should");
    }
}

/* Lowers the statement of the scope's place. */
static void lower_place(struct kernel *k, struct scope *scope)
{
    const struct cin *statement = scope->place->node->statement;
    struct result *first = kernel_next_result(k, statement, NULL);
    const struct cin *access[TIN_RESULTS_MAX];
    const int results = k->request->tree->results;
    for (int i = 0; i < results; i++)
        access[i] = k->result[i].access;
    find_results(k, statement);
    if (first)
        scope->made = first;
    if (scope->made->way->lower)
        scope->made->way->lower(k, scope->made, scope);
    else
        lower_kind(k, scope);
    for (int i = 0; i < results; i++)
        k->result[i].access = access[i];
}

static void lower_statement(struct kernel *k, const struct scope *scope, int child)
{
    struct scope inside = *scope;
    inside.place = tree_inside(k->cx, scope->made->tree, scope->place, child);
    lower_place(k, &inside);
}

static void lower_program(struct kernel *k, struct result *r, const struct scope *scope)
{
    struct scope outermost = *scope;
    outermost.made = r;
    outermost.place = tree_outermost(k->cx, r->tree);
    lower_place(k, &outermost);
}

static const struct kernel_calls calls = {
    .statement = lower_statement, .kind = lower_kind, .program = lower_program};

/* ---- results ---- */

/* Is this result made by the statement of that one?  (One that nothing assigns is made by none.) */
static bool is_made_with(const struct result *r, const struct result *other)
{
    return r == other
           || (r->tree->root == other->tree->root
               && tree_assigns(r->tree, r->tree->root->statement));
}

/* Runs all that makes the result, to count how much that is. */
static void count_capacity(struct kernel *k, struct result *r, const struct scope *scope)
{
    struct capacity_counting counts;
    capacity_count_begin(k, r, &counts);
    lower_program(k, r, scope);
    capacity_count_end(k, r, &counts);
}

/* Lowers the statement of the result, and what is around it for all that it makes. */
static void lower_whole(struct kernel *k, const struct scope *scope, struct result *first)
{
    struct result *end = k->result + k->request->tree->results;
    for (struct result *r = first; r < end; r++) {
        if (!is_made_with(r, first))
            continue;
        if (r->way->counts && capacity_is_counted(k, r))
            count_capacity(k, r, scope);
        if (r->way->begin)
            r->way->begin(k, r);
    }
    if (first->way->run)
        first->way->run(k, first, scope);
    else
        lower_program(k, first, scope);
    for (struct result *r = first; r < end; r++)
        if (is_made_with(r, first)) {
            if (r->way->close)
                r->way->close(k, r);
            result_split(k, r);
        }
}

static void run_results(struct kernel *k, const struct scope *scope)
{
    for (int i = 0; i < k->request->tree->results; i++) {
        bool made = false;
        for (int before = 0; before < i; before++)
            made |= is_made_with(&k->result[i], &k->result[before]);
        if (!made)
            lower_whole(k, scope, &k->result[i]);
    }
}

/* ---- the kernel ---- */

/* Returns where the levels [0, end) of an access are; once for the accesses to one place, as to
 * what a result held and to its pattern. */
static struct place locate_literals(struct kernel *k, const struct scope *scope,
                                    const struct cin *access, int end)
{
    for (const struct access_place *at = scope->accesses; at; at = at->outer)
        if (at->levels == end && cin_is_same_place(at->access, access))
            return (struct place){.position = at->position, .next = at->next, .found = at->found};
    return operand_locate(k, scope, access, 0, end, operand_place(k, scope, access));
}

/* Looks up, before any loop, what literals alone locate; scalars are read once.  What the kernel
 * makes itself is not there yet. */
static void resolve_literals(struct kernel *k, struct scope *scope)
{
    struct cin_list read = cin_operands(k->cx, k->program->statement);
    for (size_t i = 0; i < read.n; i++) {
        const struct cin *access = read.at[i];
        const struct tensor_var *t = access->tensor;
        bool made = t->temporary || (!t->pattern_of && kernel_is_result(k, t));
        int end = made ? 0 : access_resolved(access, &scope->known);
        if (end > 0 || (access->indices == 0 && !made))
            operand_resolve(k, scope, access, end, locate_literals(k, scope, access, end),
                            cin_nothing(k->cx));
    }
}

/* Do positions give the variable, or the last of those that it runs through, so that it need not be
 * counted through? */
static bool is_positioned(const struct kernel *k, const struct index_var *var)
{
    const struct cin_relation *r = cin_origin(k->program, var);
    if (r && r->type == &relation_collapse)
        return is_positioned(k, r->parent[1]);
    bool is = false;
    for (int i = 0; i < k->program->relations; i++)
        is |= k->program->relation[i].type->positions && k->program->relation[i].parent[0] == var;
    return is;
}

/* Checks that nothing stands against the relations: modes are as large as the literals say that
 * index them, and products of sizes are no larger than coordinates get, before they are formed. */
static void check_relations(struct kernel *k)
{
    const struct scope none = {0};
    struct relation_code code = kernel_relation(k, &none);
    for (int i = 0; i < k->program->relations; i++) {
        const struct cin_relation *r = &k->program->relation[i];
        if (!r->type->check || (r->type == &relation_collapse && is_positioned(k, r->parent[1])))
            continue;
        imp_begin(&k->b);
        r->type->check(&code, r);
        vec_push(k->cx->arena, &k->sizes, imp_end(&k->b));
    }
}

/* Is the size, of i64, another than the bound says? */
static const struct imp *exceeds(struct context *cx, const struct cin_bound *bound,
                                 const struct imp *size)
{
    const struct imp *n = imp_int(cx, size->type, bound->size);
    switch (bound->kind) {
    case BOUND_EXACT: return imp_op2(cx, OP_NE, size, n);
    case BOUND_MOST: return imp_op2(cx, OP_GT, size, n);
    case BOUND_MULTIPLE: break;
    }
    return imp_op2(cx, OP_NE, imp_op2(cx, OP_MOD, size, n), imp_int(cx, size->type, 0));
}

/* Sizes keep to what the schedule says of them: the code counts on it. */
static void check_bounds(struct kernel *k)
{
    for (int i = 0; i < k->program->bounds; i++) {
        const struct cin_bound *bound = &k->program->bound[i];
        const struct imp *size = kernel_counted_size(k, bound->var);
        if (size) /* else its loop is gone */
            imp_add(&k->b, imp_if(k->cx, exceeds(k->cx, bound, imp_cast(k->cx, TYPE_I64, size)),
                                  imp_fail(k->cx, STATUS_OUT_OF_BOUND), NULL));
    }
}

/* Reads the numbers that levels go by, once, and before all else: sizes and checks take them. */
static void read_scalars_of_levels(struct kernel *k)
{
    for (int rank = 0; rank < k->request->tensors; rank++) {
        const struct tensor_code *code = &k->code[rank];
        const struct tensor_var *t = code->tensor;
        bool again = t->rank != rank; /* the values before are in the result's arrays */
        if (again || (kernel_is_result(k, t) && tree_assembles(k->result[t->rank].tree)))
            continue;
        for (int level = 0; level < code->tensor->format->levels; level++) {
            const struct imp_var **array = code_array(code, level, LEVEL_SCALAR);
            const struct imp_var *scalar = code->scalar[level];
            if (array)
                vec_push(k->cx->arena, &k->sizes,
                         imp_declare(k->cx, scalar,
                                     imp_cast(k->cx, scalar->type,
                                              imp_load(k->cx, *array, imp_i64(k->cx, 0)))));
        }
    }
}

static void lower_parts(struct kernel *k)
{
    struct scope scope = scope_outside(k);
    read_scalars_of_levels(k);
    check_relations(k);
    check_bounds(k);
    result_open(k);
    imp_begin(&k->b);
    resolve_literals(k, &scope);
    position_open(k, &scope, k->program->statement);
    run_results(k, &scope);
    const struct imp *loops = imp_end(&k->b);
    for (size_t i = 0; i < k->prologue.n; i++)
        imp_add(&k->b, k->prologue.at[i]);
    imp_add(&k->b, loops);
    for (size_t i = 0; i < k->epilogue.n; i++)
        imp_add(&k->b, k->epilogue.at[i]);
}

/* Lowers the body, behind the sizes that it has found names for. */
static void lower_body(struct kernel *k)
{
    imp_begin(&k->b);
    lower_parts(k);
    const struct imp *body = imp_end(&k->b);
    for (size_t i = 0; i < k->sizes.n; i++)
        imp_add(&k->b, k->sizes.at[i]);
    imp_add(&k->b, body);
}

static const struct imp_function *finish(struct kernel *k, const struct imp *body)
{
    struct imp_function *f = arena_make(k->cx->arena, struct imp_function);
    *f = (struct imp_function){.name = k->request->name,
                               .result = TYPE_I32,
                               .params = (int)k->params.n,
                               .param = k->params.at,
                               .body = body,
                               .helpers = (int)k->unit.helpers.n,
                               .helper_at = k->unit.helpers.at};
    return f;
}

/* ---- checks on entry ---- */

static bool is_forall(const struct cin *cin, void *first)
{
    bool is = cin->kind == CIN_FORALL && !*(const struct cin **)first;
    if (is)
        *(const struct cin **)first = cin;
    return is;
}

/* Refuses a kernel for a GPU of which one thread would run all loops. */
static void refuse_unlaunched(struct context *cx, const struct lower_request *request)
{
    struct diag *diag = diag_error(cx, DIAG_LOWER, request->notation->span,
                                   "no loop of the statement runs on a GPU");
    const struct cin *loop = NULL;
    if (request->unshared && *request->unshared)
        diag_note(cx, diag, "%s", request->unshared);
    cin_any(request->tree->program->statement, is_forall, &loop);
    if (request->consented)
        diag_help(cx, diag, "this schedule adds up as threads come, and bits differ: %s",
                  request->consented);
    else
        diag_help(cx, diag, "give one a unit: parallelize(%s, gpu_thread, atomics), say",
                  loop->index[0]->name);
}

/* Refuses to assemble first what a compound assignment combines with: the values would be lost. */
static bool check_before(struct context *cx, const struct lower_request *request)
{
    bool both = request->computes && !request->tree->at;
    for (int rank = request->tree->results; rank < request->tensors && !both; rank++) {
        const struct tensor_var *t = request->tensor[rank];
        if (!t->before || t->before->held)
            continue;
        struct diag *d = diag_error(cx, DIAG_SCATTER, request->notation->arg[0]->span,
                                    "the old values of %s would be lost before they are used: it "
                                    "cannot be assembled and computed separately",
                                    t->before->name);
        diag_help(cx, d, "use one kernel for both, or make %s dense", t->before->name);
        return false;
    }
    return true;
}

const struct imp_function *lower(struct context *cx, const struct lower_request *request)
{
    const struct tree *tree = request->tree;
    struct kernel k = {.cx = cx,
                       .b = {.cx = cx},
                       .request = request,
                       .lower = &calls,
                       .program = tree->program,
                       .computes = request->computes};
    k.b.unit = &k.unit;
    context_assert(cx, tree->result && !tree->infeasible);
    const struct cin *statement = tree->program->statement;
    const size_t reported = cx->diags.n;
    const bool launches = cin_gpu(tree->program, statement);
    if (!check_before(cx, request) || (launches && !launch_check(cx, tree)))
        return NULL;
    k.result = arena_array(cx->arena, struct result, tree->results);
    for (int i = 0; i < tree->results; i++)
        result_declare(&k, tree->of[i], join_way(cx, tree->of[i]));
    kernel_declare_tensors(&k);
    imp_begin(&k.b);
    lower_body(&k);
    const struct imp *body = imp_end(&k.b);
    /* is more left of the kernel than arrays that are filled and copied, which host code does? */
    bool is_apart = k.refused || imp_has(body, IMP_LOOPS);
    if (cx->cuda && !launches && cin_depth(statement) > 0 && is_apart) {
        cx->diags.n = reported;
        refuse_unlaunched(cx, request);
        return NULL;
    }
    if (!k.refused && cx->cuda)
        body = launch_host(&k, body);
    return k.refused ? NULL : finish(&k, body);
}
