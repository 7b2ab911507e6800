/* lower.c - statements other than forall, and the kernel around them (thesis figure 5-2).
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/lower/lower.h"

#include "compiler/lower/kernel.h"

/* ---- statements ---- */

static void lower_assign(struct kernel *k, const struct scope *scope, const struct cin *assign)
{
    struct context *cx = k->cx;
    const struct tensor_var *target = assign->arg[0]->tensor;
    const struct temporary_place *temporary = scope_temporary(scope, target);
    if (!temporary) {
        result_store(k, scope, assign->op, k->request->computes ? lower_expression(k, scope, assign->arg[1]) : NULL);
        return;
    }
    if (k->request->computes)
        imp_add(&k->b, imp_assign(cx, temporary->var, assign->op,
                                  imp_cast(cx, target->type, lower_expression(k, scope, assign->arg[1]))));
    if (temporary->written)
        imp_add(&k->b, imp_assign(cx, temporary->written, OP_NONE, imp_true(cx)));
}

static void declare_temporary(struct kernel *k, struct scope *scope, const struct cin *where,
                              const struct tensor_var *tensor)
{
    struct temporary_place *place = arena_make(k->cx->arena, struct temporary_place);
    struct imp_var *var = kernel_var(k, tensor->type, "%s", tensor->name);
    imp_let(&k->b, var, imp_literal(k->cx, tensor->fill));
    *place = (struct temporary_place){tensor, var, NULL, scope->temporaries};
    if (result_waits_for(k, where, tensor)) {
        struct imp_var *written = kernel_var(k, TYPE_BOOL, "%s_written", tensor->name);
        imp_let(&k->b, written, imp_int(k->cx, TYPE_BOOL, 0));
        place->written = written;
    }
    scope->temporaries = place;
}

static void lower_where(struct kernel *k, const struct scope *outer, const struct cin *where)
{
    struct scope scope = *outer;
    struct cin_list made = cin_assignments(k->cx, where->arg[1]);
    const struct imp_var *written = NULL;
    for (size_t i = 0; i < made.n; i++) {
        const struct tensor_var *tensor = made.at[i]->arg[0]->tensor;
        if (scope_temporary(&scope, tensor) || !tensor->temporary || !cin_uses_tensor(where->arg[0], tensor))
            continue;
        context_assert(k->cx, tensor->order == 0);
        declare_temporary(k, &scope, where, tensor);
        written = scope.temporaries->written;
    }
    lower_statement(k, &scope, where->arg[1]);
    scope.full &= !written; /* the consumer may not run */
    imp_begin(&k->b);
    lower_statement(k, &scope, where->arg[0]);
    const struct imp *consumer = imp_end(&k->b);
    imp_add(&k->b, written ? imp_if(k->cx, imp_read(k->cx, written), consumer, NULL) : consumer);
}

static void lower_loops(struct kernel *k, const struct scope *outer, const struct cin *forall)
{
    struct scope scope = *outer, after = *outer;
    struct result_reduction reduction = result_begin_reduction(k, &scope, forall);
    lower_forall(k, &scope, forall);
    after.initialised = scope.initialised;
    if (reduction.reg) {
        struct cin_list made = cin_assignments(k->cx, forall);
        enum op op = OP_NONE;
        for (size_t i = 0; i < made.n; i++)
            if (made.at[i]->arg[0] == k->result)
                op = made.at[i]->op;
        result_end_reduction(k, &after, &reduction, op);
    }
}

void lower_statement(struct kernel *k, const struct scope *scope, const struct cin *cin)
{
    if (k->failed)
        return;
    switch (cin->kind) {
    case CIN_ASSIGN:
        lower_assign(k, scope, cin);
        return;
    case CIN_FORALL:
        lower_loops(k, scope, cin);
        return;
    case CIN_WHERE:
        lower_where(k, scope, cin);
        return;
    case CIN_SEQUENCE:
    case CIN_MULTI:
        lower_statement(k, scope, cin->arg[0]);
        lower_statement(k, scope, cin->arg[1]);
        return;
    case CIN_NOTHING:
        return;
    case CIN_LITERAL:
    case CIN_ACCESS:
    case CIN_OP:
        break;
    }
    context_bug(k->cx, "an expression stands where a statement should");
}

/* ---- the kernel ---- */

/* Scalars are read once, before any loop. */
static void read_scalars(struct kernel *k, struct scope *scope)
{
    struct cin_list operands = cin_operands(k->cx, k->request->program->statement);
    for (size_t i = 0; i < operands.n; i++) {
        const struct cin *access = operands.at[i];
        if (access->indices == 0 && !access->tensor->temporary)
            operand_resolve(k, scope, access, 0, operand_place(k, scope, access), cin_nothing(k->cx));
    }
}

static void fill_result(struct kernel *k)
{
    const struct imp_var *values = kernel_code(k, k->result->tensor)->values;
    const struct imp *size = imp_int(k->cx, TYPE_I64, 1);
    for (int i = 0; i < k->result->indices; i++)
        size = imp_op2(k->cx, OP_MUL, size, imp_cast(k->cx, TYPE_I64, kernel_size(k, k->result->index[i])));
    imp_add(&k->b, imp_fill(k->cx, values, imp_int(k->cx, TYPE_I64, 0), size,
                            imp_literal(k->cx, k->result->tensor->fill)));
}

/* A statement that has no effect still leaves a result of fills. */
static void lower_body(struct kernel *k)
{
    const struct cin *statement = cin_simplify(k->cx, k->request->program->statement);
    struct scope scope = {.once = true, .full = true};
    result_prologue(k);
    const struct imp *loops;
    imp_begin(&k->b);
    read_scalars(k, &scope);
    lower_statement(k, &scope, statement);
    result_epilogue(k);
    loops = imp_end(&k->b);
    bool written = statement != cin_nothing(k->cx);
    if (!k->groups && k->request->computes && !k->request->program->accumulates && (k->needs_fill || !written))
        fill_result(k);
    for (int g = 0; g < k->groups; g++)
        imp_let(&k->b, (struct imp_var *)k->group[g].filled, imp_int(k->cx, TYPE_I64, 0));
    imp_add(&k->b, loops);
}

static const struct imp_function *finish(struct kernel *k, const struct imp *body)
{
    struct imp_function *f = arena_make(k->cx->arena, struct imp_function);
    *f = (struct imp_function){.name = k->request->name, .result = TYPE_I32, .params = (int)k->params.n,
                               .param = k->params.at, .body = body, .helpers = (int)k->helpers.n,
                               .helper_at = k->helpers.at};
    return f;
}

/* ---- checks on entry ---- */

static bool check_formats(struct kernel *k)
{
    for (int rank = 0; rank < k->request->tensors; rank++) {
        const struct tensor_var *t = k->request->tensor[rank];
        if (!format_is_plain(t->format)) {
            kernel_refuse(k, DIAG_MAP, t,
                          "the format of %s stores functions of its coordinates, which this version does not lower yet",
                          t->name);
            return false;
        }
    }
    return true;
}

static bool has_duplicates_apart(const struct format *format)
{
    for (int level = 0; level < format->levels; level++)
        if (!(level_effective(format, level) & (LEVEL_ORDERED | LEVEL_UNIQUE)))
            return true;
    return false;
}

static int depth(const struct cin *cin)
{
    int most = 0;
    for (int i = 0; i < cin->args; i++) {
        int d = depth(cin->arg[i]);
        most = d > most ? d : most;
    }
    return most + (cin->kind == CIN_FORALL);
}

/* Where an operand's components may come in shares, what assigns a component once must add the shares up instead. */
static struct cin_program add_shares(struct context *cx, const struct lower_request *request)
{
    struct cin_program program = *request->program;
    struct value zero = value_zero(program.result->type);
    struct cin_list made = cin_assignments(cx, program.statement);
    bool apart = false;
    for (int rank = 1; rank < request->tensors; rank++)
        apart |= has_duplicates_apart(request->tensor[rank]->format);
    if (!apart || !format_is_dense(program.result->format) || !value_equal(program.result->fill, zero))
        return program;
    for (size_t i = 0; i < made.n; i++) {
        const struct cin *a = made.at[i];
        if (a->arg[0]->tensor == program.result && a->op == OP_NONE)
            program.statement = cin_replace(cx, program.statement, a, cin_assign(cx, OP_ADD, a->arg[0], a->arg[1]));
    }
    return program;
}

const struct imp_function *lower(struct context *cx, const struct lower_request *given)
{
    struct lower_request request = *given;
    struct cin_program program = add_shares(cx, given);
    request.program = &program;
    struct kernel k = {.cx = cx, .b = {.cx = cx}, .request = &request};
    struct cin_list made = cin_assignments(cx, program.statement);
    for (size_t i = 0; i < made.n; i++)
        if (made.at[i]->arg[0]->tensor == program.result)
            k.result = made.at[i]->arg[0];
    context_assert(cx, k.result);
    if (!check_formats(&k))
        return NULL;
    if (depth(program.statement) > 64) {
        kernel_refuse(&k, DIAG_LIMIT, program.result, "more than 64 loops");
        return NULL;
    }
    result_plan(&k);
    if (k.failed)
        return NULL;
    kernel_declare_tensors(&k);
    imp_begin(&k.b);
    lower_body(&k);
    const struct imp *body = imp_end(&k.b);
    return k.failed ? NULL : finish(&k, body);
}
