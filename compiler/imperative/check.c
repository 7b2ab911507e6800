/* check.c - the invariants of the imperative IR.
 *
 * One walk in the order of execution, with a list of the variables in scope.  The first broken
 * invariant is reported; those after it may only be consequences.  What a passing program may still
 * get wrong depends on values (positions out of bounds, memory that is not initialised): the
 * interpreter finds that.
 *
 * SPDX-License-Identifier: MIT
 */
#include <string.h>

#include "compiler/base/vec.h"
#include "compiler/imperative/var_map.h"

enum { VECTOR_BYTES = 64 }; /* largest vector */

/* What the walk knows about a variable: each that it has met, also those that have left their
 * scope. */
struct known {
    const struct imp_var *var;
    bool in_scope;
    /* not to be assigned: constant, or the variable of an enclosing for */
    bool fixed;
    bool param, out;
};

struct checker {
    struct context *cx;
    const struct imp_function *kernel;
    /* the one that is walked: the kernel or a helper of it */
    const struct imp_function *function;
    /* struct known, by variable and by name: no two variables share one */
    struct var_map known, named;
    VEC(struct known *) scope; /* those that are in scope */
    int loops;                 /* around here */
    const char *error;
};

__attribute__((format(printf, 2, 3))) static bool report(struct checker *c, const char *format, ...)
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

static struct known *find(struct checker *c, const struct imp_var *var)
{
    struct known *known = *var_map_at(c->cx, &c->known, var);
    return known && known->in_scope ? known : NULL;
}

static bool declare(struct checker *c, struct known known)
{
    const struct imp_var *var = known.var;
    void **met = var_map_at(c->cx, &c->known, var);
    if (find(c, var))
        return report(c, "%s is declared twice", var->name);
    void **named = var_map_at(c->cx, &c->named, intern(c->cx, var->name));
    if (*named && *named != *met) /* also of two that are never in scope together */
        return report(c, "two variables are named %s", var->name);
    known.in_scope = true;
    known.fixed = known.fixed || (var->constant && !var->array);
    *met = *named = arena_copy(c->cx->arena, &known, sizeof known);
    vec_push(c->cx->arena, &c->scope, (struct known *)*met);
    return true;
}

static void leave_scope(struct checker *c, size_t mark)
{
    for (; c->scope.n > mark; c->scope.n--)
        c->scope.at[c->scope.n - 1]->in_scope = false;
}

static bool check_vector(struct checker *c, enum type type, int lanes)
{
    if (lanes == 1)
        return true;
    if (lanes < 1 || (lanes & (lanes - 1)) || (size_t)lanes * type_size(type) > VECTOR_BYTES)
        return report(c, "there is no vector of %d lanes of %s", lanes, type_name(type));
    return type_is_complex(type) || type == TYPE_BOOL
               ? report(c, "a vector of %s outside a condition", type_name(type))
               : true;
}

/* An array that is in scope, and may be written if write. */
static bool check_array(struct checker *c, const struct imp_var *var, bool write)
{
    if (!var->array)
        return report(c, "%s is used as an array", var->name);
    if (!find(c, var))
        return report(c, "%s is not declared here", var->name);
    return write && var->constant ? report(c, "%s is a constant array that is written", var->name)
                                  : true;
}

/* An array whose memory this kernel manages. */
static bool check_managed(struct checker *c, const struct imp_var *var, const char *what)
{
    if (c->function->helper)
        return report(c, "%s of %s in a helper", what, var->name);
    if (!check_array(c, var, true))
        return false;
    const struct known *known = find(c, var);
    return known->param && !known->out
               ? report(c, "%s of %s, which is the caller's", what, var->name)
               : true;
}

/* ---- expressions ---- */

static bool check_expression(struct checker *c, const struct imp *imp);

static bool check_integer(struct checker *c, const struct imp *imp, const char *what)
{
    if (!check_expression(c, imp))
        return false;
    return type_is_integer(imp->type) && imp->lanes == 1 ? true
                                                         : report(c, "%s is no integer", what);
}

static bool check_condition(struct checker *c, const struct imp *imp)
{
    if (!check_expression(c, imp))
        return false;
    return imp->type == TYPE_BOOL && imp->lanes == 1 ? true : report(c, "a condition is no bool");
}

/* Bytes of a lane of the mask that a vector condition is; 0: this is none. */
static size_t mask_size(const struct imp *imp)
{
    if (imp->kind != IMP_OP || imp->type != TYPE_BOOL || imp->op == OP_SELECT)
        return 0;
    if (imp->computed != TYPE_BOOL)
        return type_size(imp->computed);
    size_t size = mask_size(imp->arg[0]);
    for (int i = 1; i < imp->args; i++)
        if (mask_size(imp->arg[i]) != size)
            return 0;
    return size;
}

/* The operators that there are on vectors. */
static bool has_vector_form(const struct imp *imp)
{
    switch (imp->op) {
    case OP_ADD:
    case OP_SUB:
    case OP_MUL:
    case OP_NEG:
    case OP_MIN:
    case OP_MAX: return imp->computed != TYPE_BOOL;
    case OP_DIV: return type_is_float(imp->computed);
    case OP_ANY_COMPARISON: return imp->computed != TYPE_BOOL;
    case OP_ANY_BITWISE:
    case OP_NOT: return imp->computed != TYPE_BOOL || mask_size(imp) > 0;
    case OP_SELECT: return mask_size(imp->arg[0]) == type_size(imp->type) && imp->type != TYPE_BOOL;
    case OP_ABS:
    case OP_SIGN:
    case OP_ANY_PART:
    case OP_ANY_ANALYTIC:
    case OP_POW:
    case OP_MOD:
    case OP_ANY_ROUNDING:
    case OP_COUNT: break;
    }
    return false;
}

static bool check_op(struct checker *c, const struct imp *imp)
{
    if (imp->op >= OP_COUNT || imp->args != op_arity(imp->op))
        return report(c, "an operator has %d operands", imp->args);
    const char *name = op_name(imp->op);
    enum type type[3];
    for (int i = 0; i < imp->args; i++) {
        type[i] = imp->arg[i]->type;
        if (type[i] != (imp->op == OP_SELECT && i == 0 ? TYPE_BOOL : imp->computed))
            return report(c, "operand %d of %s is of %s", i + 1, name, type_name(type[i]));
        if (imp->arg[i]->lanes != imp->lanes)
            return report(c, "operand %d of %s has %d lanes, not %d", i + 1, name,
                          imp->arg[i]->lanes, imp->lanes);
    }
    if (!op_accepts(imp->op, type) || imp->computed != op_compute_type(imp->op, type)
        || imp->type != op_result_type(imp->op, type))
        return report(c, "%s is computed in %s and gives %s", name, type_name(imp->computed),
                      type_name(imp->type));
    return imp->lanes > 1 && !has_vector_form(imp)
               ? report(c, "there is no %s of these vectors", name)
               : true;
}

/* Does the call pass an array twice that it writes?  A helper takes its arrays for different
 * ones. */
static bool check_aliases(struct checker *c, const struct imp *call)
{
    const struct imp_param *param = call->function->param;
    for (int i = 0; i < call->args; i++)
        for (int j = 0; j < call->args; j++)
            if (i != j && param[i].var->array && param[j].var->array && !param[i].var->constant
                && call->arg[i]->var == call->arg[j]->var)
                return report(c, "%s is passed to %s twice, and written", call->arg[i]->var->name,
                              call->function->name);
    return true;
}

/* A call that stands for a value, or is done for its effect. */
static bool check_call(struct checker *c, const struct imp *imp, bool is_value)
{
    const struct imp_function *function = imp->function;
    bool known = false;
    for (int i = 0; i < c->kernel->helpers && c->kernel->helper_at[i] != c->function; i++)
        known = known || c->kernel->helper_at[i] == function;
    if (!known)
        return report(c, "%s is not among the helpers before this function", function->name);
    if (function->effects == is_value)
        return report(
            c, function->effects ? "%s gives no value" : "%s is called for its effect and has none",
            function->name);
    if (imp->args != function->params || imp->type != function->result)
        return report(c, "%s is called with %d arguments for %s", function->name, imp->args,
                      type_name(imp->type));
    for (int i = 0; i < imp->args; i++) {
        const struct imp_var *param = function->param[i].var;
        const struct imp *arg = imp->arg[i];
        bool array = arg->kind == IMP_VAR && arg->var->array;
        if (array ? !check_array(c, arg->var, param->array && !param->constant)
                  : !check_expression(c, arg))
            return false;
        if (array != param->array || arg->type != param->type || arg->lanes != param->lanes)
            return report(c, "argument %d of %s is not what it takes", i + 1, function->name);
    }
    return check_aliases(c, imp);
}

static bool check_cast(struct checker *c, const struct imp *imp)
{
    enum type from = imp->arg[0]->type;
    if (from == imp->type || imp->lanes != imp->arg[0]->lanes)
        return report(c, "a conversion of %s to %s", type_name(from), type_name(imp->type));
    if (imp->lanes == 1)
        return true;
    bool undefined = type_is_float(from) && !type_is_float(imp->type);
    return from == TYPE_BOOL || undefined
               ? report(c, "a conversion of a vector of %s", type_name(from))
               : true;
}

static bool check_lanes(struct checker *c, const struct imp *imp)
{
    if (imp->args != imp->lanes)
        return report(c, "a vector of %d lanes is made of %d", imp->lanes, imp->args);
    for (int i = 0; i < imp->args; i++)
        if (imp->arg[i]->type != imp->type || imp->arg[i]->lanes != 1)
            return report(c, "lane %d is not of %s", i, type_name(imp->type));
    return true;
}

static bool check_expression_itself(struct checker *c, const struct imp *imp)
{
    const struct imp *first = imp->args ? imp->arg[0] : NULL;
    switch (imp->kind) {
    case IMP_LITERAL:
        return imp->value.type == imp->type && imp->lanes == 1
                   ? true
                   : report(c, "a literal is not of its type");
    case IMP_VAR:
        if (imp->var->array)
            return report(c, "%s is an array, used as a scalar", imp->var->name);
        if (imp->type != imp->var->type || imp->lanes != imp->var->lanes)
            return report(c, "%s is read as another type", imp->var->name);
        return find(c, imp->var) ? true : report(c, "%s is not declared here", imp->var->name);
    case IMP_OP: return check_op(c, imp);
    case IMP_CAST: return check_cast(c, imp);
    case IMP_LOAD:
        if (!check_array(c, imp->var, false))
            return false;
        if (!type_is_integer(first->type) || first->lanes != 1)
            return report(c, "a position in %s is no integer", imp->var->name);
        return imp->type == imp->var->type
                   ? true
                   : report(c, "%s is read as another type", imp->var->name);
    case IMP_CALL: return check_call(c, imp, true);
    case IMP_LANES: return check_lanes(c, imp);
    case IMP_BROADCAST:
        return first->lanes == 1 && first->type == imp->type ? true
                                                             : report(c, "a broadcast of a vector");
    case IMP_LANE:
        return imp->n >= 0 && imp->n < first->lanes && imp->lanes == 1 && first->type == imp->type
                   ? true
                   : report(c, "lane %d of %d", (int)imp->n, first->lanes);
    case IMP_ANY_STATEMENT: break;
    }
    return report(c, "a statement stands for a value");
}

static bool check_expression(struct checker *c, const struct imp *imp)
{
    arena_spend(c->cx->arena, 4); /* a value that is used twice is looked at twice */
    if (!imp_is_expression(imp))
        return report(c, "a statement stands for a value");
    for (int i = 0; i < imp->args && imp->kind != IMP_CALL; i++)
        if (!check_expression(c, imp->arg[i]))
            return false;
    if (!check_expression_itself(c, imp))
        return false;
    return imp->type == TYPE_BOOL && mask_size(imp) > 0 ? true
                                                        : check_vector(c, imp->type, imp->lanes);
}

/* ---- statements ---- */

static bool check_statement(struct checker *c, const struct imp *imp);

static bool check_body(struct checker *c, const struct imp *imp)
{
    size_t mark = c->scope.n;
    bool ok = check_statement(c, imp);
    leave_scope(c, mark);
    return ok;
}

static bool check_loop_body(struct checker *c, const struct imp *imp)
{
    c->loops++;
    bool ok = check_body(c, imp);
    c->loops--;
    return ok;
}

static bool check_declare(struct checker *c, const struct imp *imp)
{
    const struct imp_var *var = imp->var;
    if (var->array && (imp->args || var->constant))
        return report(c, "%s is a local array that is constant or has a first value", var->name);
    if (!var->array && var->constant && !imp->args)
        return report(c, "%s is constant and has no value", var->name);
    if (!check_vector(c, var->type, var->lanes))
        return false;
    if (imp->args && !check_expression(c, imp->arg[0]))
        return false;
    if (imp->args && (imp->arg[0]->type != var->type || imp->arg[0]->lanes != var->lanes))
        return report(c, "the first value of %s is of another type", var->name);
    return declare(c, (struct known){.var = var});
}

/* `v op= value` where v is of this type. */
static bool check_combination(struct checker *c, const struct imp *imp, const struct imp *value)
{
    enum type type = imp->var->type;
    const enum type operand[] = {type, type, type};
    if (value->type != type)
        return report(c, "%s is assigned a value of %s", imp->var->name, type_name(value->type));
    if (value->lanes > 1 && !check_vector(c, type, value->lanes))
        return false;
    if (imp->op == OP_NONE)
        return true;
    if (imp->op > OP_COUNT || op_arity(imp->op) != 2 || !op_accepts(imp->op, operand)
        || op_result_type(imp->op, operand) != type)
        return report(c, "%s is assigned by an operator that does not fit", imp->var->name);
    const struct imp op = {.kind = IMP_OP, .op = imp->op, .computed = type, .type = type};
    return value->lanes == 1 || has_vector_form(&op)
               ? true
               : report(c, "there is no %s of vectors", op_name(imp->op));
}

static bool check_assign(struct checker *c, const struct imp *imp)
{
    const struct known *known = find(c, imp->var);
    if (!known)
        return report(c, "%s is not declared here", imp->var->name);
    if (imp->var->array || known->fixed)
        return report(c, "%s cannot be assigned", imp->var->name);
    if (!check_expression(c, imp->arg[0]))
        return false;
    if (imp->arg[0]->lanes != imp->var->lanes)
        return report(c, "%s is assigned %d lanes", imp->var->name, imp->arg[0]->lanes);
    return check_combination(c, imp, imp->arg[0]);
}

static bool check_if(struct checker *c, const struct imp *imp)
{
    if (imp->args < 2 || imp->args > 3 || !check_condition(c, imp->arg[0]))
        return report(c, "an if has %d parts", imp->args);
    return check_body(c, imp->arg[1]) && (imp->args < 3 || check_body(c, imp->arg[2]));
}

static bool check_for(struct checker *c, const struct imp *imp)
{
    const struct imp_var *var = imp->var;
    if (var->array || var->lanes != 1 || imp->n < 1 || imp->arg[0]->type != var->type)
        return report(c, "%s cannot be the variable of a for", var->name);
    if (!check_integer(c, imp->arg[0], "the begin of a for")
        || !check_integer(c, imp->arg[1], "the end of a for"))
        return false;
    size_t mark = c->scope.n;
    bool ok =
        declare(c, (struct known){.var = var, .fixed = true}) && check_loop_body(c, imp->arg[2]);
    leave_scope(c, mark);
    return ok;
}

static bool check_fill(struct checker *c, const struct imp *imp)
{
    if (!check_array(c, imp->var, true) || !check_integer(c, imp->arg[0], "a position")
        || !check_integer(c, imp->arg[1], "a position") || !check_expression(c, imp->arg[2]))
        return false;
    return imp->arg[2]->type == imp->var->type && imp->arg[2]->lanes == 1
               ? true
               : report(c, "%s is filled with another type", imp->var->name);
}

static bool check_return(struct checker *c, const struct imp *imp)
{
    if (!c->function->helper)
        return report(c, "a return in a kernel");
    if (c->function->effects || imp->args == 0)
        return c->function->effects && imp->args == 0
                   ? true
                   : report(c, "a return with a value too many or too few");
    if (!check_expression(c, imp->arg[0]))
        return false;
    return imp->arg[0]->type == c->function->result && imp->arg[0]->lanes == 1
               ? true
               : report(c, "%s is returned", type_name(imp->arg[0]->type));
}

static bool check_statement(struct checker *c, const struct imp *imp)
{
    switch (imp->kind) {
    case IMP_BLOCK: {
        size_t mark = c->scope.n;
        for (int i = 0; i < imp->args; i++)
            if (!check_statement(c, imp->arg[i]))
                return false;
        leave_scope(c, mark);
        return true;
    }
    case IMP_DECLARE: return check_declare(c, imp);
    case IMP_ASSIGN: return check_assign(c, imp);
    case IMP_STORE:
        return check_array(c, imp->var, true) && check_integer(c, imp->arg[0], "a position")
               && check_expression(c, imp->arg[1]) && check_combination(c, imp, imp->arg[1]);
    case IMP_DO:
        return imp->arg[0]->kind == IMP_CALL ? check_call(c, imp->arg[0], false)
                                             : report(c, "what is done is no call");
    case IMP_IF: return check_if(c, imp);
    case IMP_WHILE: return check_condition(c, imp->arg[0]) && check_loop_body(c, imp->arg[1]);
    case IMP_FOR: return check_for(c, imp);
    case IMP_BREAK: return c->loops > 0 ? true : report(c, "a break outside loops");
    case IMP_RETURN: return check_return(c, imp);
    case IMP_FAIL:
        if (c->function->helper)
            return report(c, "a failure in a helper");
        return imp->n >= STATUS_NO_MEMORY && imp->n <= STATUS_OUT_OF_BOUND
                   ? true
                   : report(c, "there is no status %d", (int)imp->n);
    case IMP_ALLOC:
    case IMP_RESIZE:
        return check_managed(c, imp->var, "allocation") && check_integer(c, imp->arg[0], "a size");
    case IMP_FREE:
        if (!check_managed(c, imp->var, "release"))
            return false;
        return find(c, imp->var)->out
                   ? report(c, "%s is freed but belongs to the caller", imp->var->name)
                   : true;
    case IMP_FILL: return check_fill(c, imp);
    case IMP_PREFETCH:
        return check_array(c, imp->var, false) && check_integer(c, imp->arg[0], "a position");
    case IMP_COMMENT: return true;
    case IMP_ANY_EXPRESSION: break;
    }
    return report(c, "an expression stands as a statement");
}

/* Does every way through the statement end in a return? */
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
    for (int i = 0; i < function->params; i++) {
        const struct imp_param *param = &function->param[i];
        if (param->out && (function->helper || !param->var->array || param->var->constant))
            return report(c, "%s cannot be an out parameter", param->var->name);
        if (param->var->lanes != 1)
            return report(c, "%s is a parameter that is a vector", param->var->name);
        if (!declare(c, (struct known){.var = param->var, .param = true, .out = param->out}))
            return false;
    }
    if (!check_statement(c, function->body))
        return false;
    bool valued = function->helper && !function->effects;
    return valued && !returns(function->body) ? report(c, "a way through it ends without return")
                                              : true;
}

const char *imp_check(struct context *cx, const struct imp_function *function)
{
    struct checker c = {.cx = cx, .kernel = function, .function = function};
    if (function->helper || function->effects)
        report(&c, "a helper alone");
    for (int i = 0; i < function->helpers && !c.error; i++) {
        c.function = function->helper_at[i];
        if (!c.function->helper)
            report(&c, "is called but is no helper");
        for (int j = 0; j < i; j++)
            if (strcmp(function->helper_at[j]->name, c.function->name) == 0)
                report(&c, "two helpers have this name");
        check_function(&c, function->helper_at[i]);
    }
    if (!c.error)
        check_function(&c, function);
    return c.error;
}
