/* check.c - the invariants of the imperative IR.
 *
 * One walk in the order of execution keeps a list of the variables in scope.  Only the first
 * broken invariant is reported, since later ones may be consequences.  A program that passes may
 * still go wrong for certain values (positions out of bounds, memory that is not initialized); the
 * interpreter finds that.
 *
 * SPDX-License-Identifier: MIT
 */
#include <string.h>

#include "compiler/imperative/checker.h"
#include "compiler/imperative/stream.h"

__attribute__((format(printf, 2, 3))) bool checker_report(struct checker *c, const char *format,
                                                          ...)
{
    if (c->error)
        return false;
    va_list args;
    va_start(args, format);
    c->error = arena_printf(c->cx->arena, "%s: %s", c->function->name,
                            arena_vprintf(c->cx->arena, format, args));
    va_end(args);
    return false;
}

/* ---- variables ---- */

struct known *checker_find(struct checker *c, const struct imp_var *var)
{
    struct known *known = *var_map_at(c->cx, &c->known, var);
    return known && known->in_scope ? known : NULL;
}

bool checker_declare(struct checker *c, struct known known)
{
    const struct imp_var *var = known.var;
    void **met = var_map_at(c->cx, &c->known, var);
    if (checker_find(c, var))
        return checker_report(c, "%s is declared twice", var->name);
    void **named = var_map_at(c->cx, &c->named, intern(c->cx, var->name));
    if (*named && *named != *met) /* even if the two are never in scope together */
        return checker_report(c, "two variables are named %s", var->name);
    if (*met && ((struct known *)*met)->launched != c->launch)
        return checker_report(c, "%s is declared in a launch and outside", var->name);
    known.in_scope = true;
    known.inside = c->parallel || c->launch;
    known.launched = c->launch;
    known.fixed = known.fixed || (var->constant && !var->array);
    *met = *named = arena_copy(c->cx->arena, &known, sizeof known);
    vec_push(c->cx->arena, &c->scope, (struct known *)*met);
    return true;
}

void checker_leave_scope(struct checker *c, size_t mark)
{
    for (; c->scope.n > mark; c->scope.n--)
        c->scope.at[c->scope.n - 1]->in_scope = false;
}

/* If this is a part or a launch, is the variable declared inside it? */
static bool check_own(struct checker *c, const struct imp_var *var, const char *what)
{
    return (checker_find(c, var)->inside || (!c->parallel && !c->launch))
           || checker_report(c, "%s of %s in a %s, outside which it is declared", what, var->name,
                             c->launch ? "launch" : "part");
}

/* Checks that an array of arrays is in scope. */
static bool check_arrays(struct checker *c, const struct imp_var *var)
{
    if (!checker_find(c, var))
        return checker_report(c, "%s is not declared here", var->name);
    return (var->array && var->arrays)
           || checker_report(c, "%s has no arrays for elements", var->name);
}

/* Checks that this kernel manages the array's memory. */
static bool check_managed(struct checker *c, const struct imp_var *var, const char *what)
{
    if (c->function->helper)
        return checker_report(c, "%s of %s in a helper", what, var->name);
    if (!(var->arrays ? check_arrays(c, var) : checker_array(c, var, true)))
        return false;
    struct known *known = checker_find(c, var);
    known->managed = true;
    if (known->taken)
        return checker_report(c, "%s of %s, which is taken", what, var->name);
    return known->param && !known->out
               ? checker_report(c, "%s of %s, which is the caller's", what, var->name)
               : check_own(c, var, what);
}

/* ---- statements ---- */

static bool check_statement(struct checker *c, const struct imp *imp);

bool checker_body(struct checker *c, const struct imp *imp)
{
    size_t mark = c->scope.n;
    bool ok = check_statement(c, imp);
    checker_leave_scope(c, mark);
    return ok;
}

static bool check_loop_body(struct checker *c, const struct imp *imp)
{
    c->loops++;
    c->branches++;
    bool ok = checker_body(c, imp);
    c->branches--;
    c->loops--;
    return ok;
}

/* Checks a declared or assigned value, which may also be an event, such as an exchange. */
static bool check_right_side(struct checker *c, const struct imp *imp)
{
    c->alone = imp->arg[0];
    bool ok = checker_expression(c, imp->arg[0]);
    c->alone = NULL;
    return ok;
}

static bool check_declare(struct checker *c, const struct imp *imp)
{
    const struct imp_var *var = imp->var;
    if (var->array && (imp->args || var->constant))
        return checker_report(c, "%s is a local array that is constant or has a first value",
                              var->name);
    if (!var->array && var->constant && !imp->args)
        return checker_report(c, "%s is constant and has no value", var->name);
    if (var->capacity && (var->array || var->lanes > 1 || !type_is_integer(var->type)))
        return checker_report(c, "%s is no integer, but a capacity", var->name);
    if (!checker_vector(c, var->type, var->lanes) || !checker_place(c, var))
        return false;
    if (imp->args && !check_right_side(c, imp))
        return false;
    if (imp->args && (imp->arg[0]->type != var->type || imp->arg[0]->lanes != var->lanes))
        return checker_report(c, "the first value of %s is of another type", var->name);
    return checker_declare(c, (struct known){.var = var});
}

/* Checks `v op= value` for a v of this type. */
static bool check_combination(struct checker *c, const struct imp *imp, const struct imp *value)
{
    enum type type = imp->var->type;
    const enum type operand[] = {type, type, type};
    if (value->type != type)
        return checker_report(c, "%s is assigned a value of %s", imp->var->name,
                              type_name(value->type));
    if (value->lanes > 1 && !checker_vector(c, type, value->lanes))
        return false;
    if (imp->op == OP_NONE)
        return true;
    if (imp->op > OP_COUNT || op_arity(imp->op) != 2 || !op_accepts(imp->op, operand)
        || op_result_type(imp->op, operand) != type)
        return checker_report(c, "%s is assigned by an operator that does not fit", imp->var->name);
    const struct imp op = {.kind = IMP_OP, .op = imp->op, .computed = type, .type = type};
    return value->lanes == 1 || checker_has_vector_form(&op)
           || checker_report(c, "there is no %s of vectors", op_name(imp->op));
}

static bool check_assign(struct checker *c, const struct imp *imp)
{
    bool once = imp->arg[0]->kind == IMP_UPDATE || imp->arg[0]->kind == IMP_FETCH;
    if (once && imp->op != OP_NONE)
        return checker_report(c, "%s is combined with an update or a fetch", imp->var->name);
    const struct known *known = checker_find(c, imp->var);
    if (!known)
        return checker_report(c, "%s is not declared here", imp->var->name);
    if (imp->var->array || known->fixed)
        return checker_report(c, "%s cannot be assigned", imp->var->name);
    if (!check_right_side(c, imp) || !check_own(c, imp->var, "assignment"))
        return false;
    if (imp->arg[0]->lanes != imp->var->lanes)
        return checker_report(c, "%s is assigned %d lanes", imp->var->name, imp->arg[0]->lanes);
    return check_combination(c, imp, imp->arg[0]);
}

static bool check_if(struct checker *c, const struct imp *imp)
{
    if (imp->args < 2 || imp->args > 3 || !checker_condition(c, imp->arg[0]))
        return checker_report(c, "an if has %d parts", imp->args);
    c->branches++;
    bool ok = checker_body(c, imp->arg[1]) && (imp->args < 3 || checker_body(c, imp->arg[2]));
    c->branches--;
    return ok;
}

static bool check_for(struct checker *c, const struct imp *imp)
{
    const struct imp_var *var = imp->var;
    if (var->array || var->lanes != 1 || imp->n < 1 || imp->arg[0]->type != var->type)
        return checker_report(c, "%s cannot be the variable of a for", var->name);
    if (!checker_integer(c, imp->arg[0], "the begin of a for")
        || !checker_integer(c, imp->arg[1], "the end of a for"))
        return false;
    size_t mark = c->scope.n;
    bool ok = checker_declare(c, (struct known){.var = var, .fixed = true})
              && check_loop_body(c, imp->arg[2]);
    checker_leave_scope(c, mark);
    return ok;
}

/* Checks a parallel loop, whose parts see nothing of the loops around it. */
static bool check_parallel(struct checker *c, const struct imp *imp)
{
    const struct imp_var *var = imp->var;
    if (c->function->helper || c->parallel)
        return checker_report(c, "a parallel loop in a %s", c->parallel ? "part" : "helper");
    if (var->array || var->lanes != 1 || (var->type != TYPE_I32 && var->type != TYPE_I64)
        || imp->arg[0]->type != var->type || imp->n < 0)
        return checker_report(c, "%s cannot be the variable of a parallel loop", var->name);
    if (!checker_integer(c, imp->arg[0], "the number of parts"))
        return false;
    size_t mark = c->scope.n;
    int loops = c->loops;
    c->loops = 0;
    c->parallel = true;
    bool ok = checker_declare(c, (struct known){.var = var, .fixed = true})
              && checker_body(c, imp->arg[1]);
    checker_leave_scope(c, mark);
    c->parallel = false;
    c->loops = loops;
    return ok;
}

static bool check_keep(struct checker *c, const struct imp *imp)
{
    const struct imp_var *array = imp->arg[1]->var;
    if (!check_arrays(c, imp->var) || !checker_integer(c, imp->arg[0], "a place")
        || !check_managed(c, array, "the keeping"))
        return false;
    if (array->arrays)
        return checker_report(c, "%s keeps %s, of arrays", imp->var->name, array->name);
    return array->small || checker_find(c, array)->out
               ? checker_report(c, "%s is kept but %s", array->name,
                                array->small ? "small" : "belongs to the caller")
               : true;
}

static bool check_take(struct checker *c, const struct imp *imp)
{
    const struct imp_var *arrays = imp->arg[0]->var;
    if (!check_arrays(c, arrays) || !checker_integer(c, imp->arg[1], "a place")
        || !checker_array(c, imp->var, true))
        return false;
    struct known *known = checker_find(c, imp->var);
    known->taken = true;
    if (known->managed || known->param || imp->var->small)
        return checker_report(c, "%s is taken but has memory of its own", imp->var->name);
    return check_own(c, imp->var, "the taking");
}

static bool check_move(struct checker *c, const struct imp *imp)
{
    const struct imp_var *arrays = imp->arg[0]->var;
    if (!check_arrays(c, arrays) || !checker_integer(c, imp->arg[1], "a place")
        || !check_managed(c, imp->var, "the moving"))
        return false;
    return imp->var->small || imp->var->arrays
               ? checker_report(c, "%s cannot have an array that is moved", imp->var->name)
               : true;
}

static bool check_join(struct checker *c, const struct imp *imp)
{
    const struct imp_var *arrays = imp->arg[0]->var, *begin = imp->arg[2]->var;
    if (!check_arrays(c, arrays) || !checker_integer(c, imp->arg[1], "a number")
        || !checker_array(c, begin, false) || !checker_integer(c, imp->arg[3], "a number of parts")
        || !checker_integer(c, imp->arg[4], "a size") || !check_managed(c, imp->var, "the joining"))
        return false;
    if (begin->type != TYPE_I64)
        return checker_report(c, "where parts begin, %s, is of another type", begin->name);
    return imp->var->small || imp->var->arrays
               ? checker_report(c, "%s cannot have an array that is joined", imp->var->name)
               : true;
}

static bool check_store(struct checker *c, const struct imp *imp)
{
    if (!checker_array(c, imp->var, true) || !checker_integer(c, imp->arg[0], "a position")
        || !checker_expression(c, imp->arg[1]) || !check_combination(c, imp, imp->arg[1]))
        return false;
    if (imp->kind == IMP_STORE && imp->n && imp->op != OP_NONE)
        return checker_report(c, "what is streamed to %s is combined", imp->var->name);
    if (imp->kind == IMP_STORE && imp->n && imp->arg[1]->lanes > 1
        && imp->arg[1]->lanes * type_size(imp->var->type) < IMP_STREAM_LEAST)
        return checker_report(c, "a short vector is streamed to %s", imp->var->name);
    return imp->kind == IMP_STORE || imp->arg[1]->lanes == 1
           || checker_report(c, "a vector is stored atomically in %s", imp->var->name);
}

static bool check_fill(struct checker *c, const struct imp *imp)
{
    if (!checker_array(c, imp->var, true) || !checker_integer(c, imp->arg[0], "a position")
        || !checker_integer(c, imp->arg[1], "a position") || !checker_expression(c, imp->arg[2]))
        return false;
    return (imp->arg[2]->type == imp->var->type && imp->arg[2]->lanes == 1)
           || checker_report(c, "%s is filled with another type", imp->var->name);
}

static bool check_copy(struct checker *c, const struct imp *imp)
{
    const struct imp_var *from = imp->arg[1]->var;
    if (!checker_array(c, imp->var, true) || !checker_integer(c, imp->arg[0], "a position")
        || !checker_array(c, from, false) || !checker_integer(c, imp->arg[2], "a position")
        || !checker_integer(c, imp->arg[3], "a number of elements"))
        return false;
    return from->type == imp->var->type
           || checker_report(c, "%s is copied from %s, of another type", imp->var->name,
                             from->name);
}

static bool check_return(struct checker *c, const struct imp *imp)
{
    if (!c->function->helper)
        return checker_report(c, "a return in a kernel");
    if (c->function->effects || imp->args == 0)
        return (c->function->effects && imp->args == 0)
               || checker_report(c, "a return with a value too many or too few");
    if (!checker_expression(c, imp->arg[0]))
        return false;
    return (imp->arg[0]->type == c->function->result && imp->arg[0]->lanes == 1)
           || checker_report(c, "%s is returned", type_name(imp->arg[0]->type));
}

static bool check_statement(struct checker *c, const struct imp *imp)
{
    if (!checker_allows(c, imp))
        return false;
    switch (imp->kind) {
    case IMP_BLOCK: {
        size_t mark = c->scope.n;
        for (int i = 0; i < imp->args; i++)
            if (!check_statement(c, imp->arg[i]))
                return false;
        checker_leave_scope(c, mark);
        return true;
    }
    case IMP_DECLARE: return check_declare(c, imp);
    case IMP_ASSIGN: return check_assign(c, imp);
    case IMP_STORE:
    case IMP_ATOMIC: return check_store(c, imp);
    case IMP_DO:
        if (imp->arg[0]->kind != IMP_CALL)
            return checker_report(c, "what is done is no call");
        return checker_allows(c, imp->arg[0]) && checker_call(c, imp->arg[0], false);
    case IMP_IF: return check_if(c, imp);
    case IMP_WHILE: return checker_condition(c, imp->arg[0]) && check_loop_body(c, imp->arg[1]);
    case IMP_FOR: return check_for(c, imp);
    case IMP_PARALLEL: return check_parallel(c, imp);
    case IMP_LAUNCH: return checker_launch(c, imp);
    case IMP_BARRIER: return checker_barrier(c, imp);
    case IMP_BREAK: return c->loops > 0 || checker_report(c, "a break outside loops");
    case IMP_RETURN: return check_return(c, imp);
    case IMP_FAIL:
        if (c->function->helper)
            return checker_report(c, "a failure in a helper");
        return (imp->n >= STATUS_NO_MEMORY && imp->n <= STATUS_STOPPED)
               || checker_report(c, "there is no status %d", (int)imp->n);
    case IMP_ALLOC:
    case IMP_RESIZE:
        if (imp->kind == IMP_RESIZE && imp->var->arrays)
            return checker_report(c, "%s has arrays for elements", imp->var->name);
        return check_managed(c, imp->var, "allocation")
               && checker_integer(c, imp->arg[0], "a size");
    case IMP_FREE:
        if (!check_managed(c, imp->var, "release"))
            return false;
        /* on a GPU arrays do not grow: a result's is freed, and allocated anew */
        return checker_find(c, imp->var)->out && !c->cx->cuda
                   ? checker_report(c, "%s is freed but belongs to the caller", imp->var->name)
                   : true;
    case IMP_KEEP: return check_keep(c, imp);
    case IMP_TAKE: return check_take(c, imp);
    case IMP_MOVE: return check_move(c, imp);
    case IMP_JOIN: return check_join(c, imp);
    case IMP_FILL: return check_fill(c, imp);
    case IMP_COPY: return check_copy(c, imp);
    case IMP_PREFETCH:
        return checker_array(c, imp->var, false) && checker_integer(c, imp->arg[0], "a position");
    case IMP_COMMENT: return true;
    case IMP_ANY_EXPRESSION: break;
    }
    return checker_report(c, "an expression stands as a statement");
}

/* Does every path through the statement end in a return? */
static bool returns(const struct imp *imp)
{
    if (imp->kind == IMP_BLOCK)
        return imp->args > 0 && returns(imp->arg[imp->args - 1]);
    if (imp->kind == IMP_IF)
        return imp->args == 3 && returns(imp->arg[1]) && returns(imp->arg[2]);
    return imp->kind == IMP_RETURN;
}

static bool check_function(struct checker *c, const struct imp_function *function)
{
    c->function = function;
    c->known = c->named = (struct var_map){0};
    c->scope.n = 0;
    c->device = function->helper ? function->launches : checker_is_for_device(function);
    for (int i = 0; i < function->params; i++) {
        const struct imp_param *param = &function->param[i];
        if (param->out && (function->helper || !param->var->array || param->var->constant))
            return checker_report(c, "%s cannot be an out parameter", param->var->name);
        if (param->var->lanes != 1)
            return checker_report(c, "%s is a parameter that is a vector", param->var->name);
        if (!checker_declare(c,
                             (struct known){.var = param->var, .param = true, .out = param->out}))
            return false;
    }
    if (!check_statement(c, function->body) || !checker_capacity(c, function->body))
        return false;
    bool valued = function->helper && !function->effects;
    return valued && !returns(function->body)
               ? checker_report(c, "a way through it ends without return")
               : true;
}

const char *imp_check(struct context *cx, const struct imp_function *function)
{
    struct checker c = {.cx = cx, .kernel = function, .function = function};
    if (function->helper || function->effects)
        checker_report(&c, "a helper alone");
    for (int i = 0; i < function->helpers && !c.error; i++) {
        c.function = function->helper_at[i];
        if (!c.function->helper)
            checker_report(&c, "is called but is no helper");
        for (int j = 0; j < i; j++)
            if (strcmp(function->helper_at[j]->name, c.function->name) == 0)
                checker_report(&c, "two helpers have this name");
        check_function(&c, function->helper_at[i]);
    }
    if (!c.error)
        check_function(&c, function);
    return c.error;
}
