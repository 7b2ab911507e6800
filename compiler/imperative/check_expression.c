/* check_expression.c - the invariants of the imperative IR: expressions.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/imperative/checker.h"

enum { VECTOR_BYTES = 64 }; /* largest vector */

bool checker_vector(struct checker *c, enum type type, int lanes)
{
    if (lanes == 1)
        return true;
    if (lanes < 1 || (lanes & (lanes - 1)) || (size_t)lanes * type_size(type) > VECTOR_BYTES)
        return checker_report(c, "there is no vector of %d lanes of %s", lanes, type_name(type));
    return type_is_complex(type) || type == TYPE_BOOL
               ? checker_report(c, "a vector of %s outside a condition", type_name(type))
               : true;
}

bool checker_array(struct checker *c, const struct imp_var *var, bool write)
{
    if (!var->array)
        return checker_report(c, "%s is used as an array", var->name);
    if (!checker_find(c, var))
        return checker_report(c, "%s is not declared here", var->name);
    if (var->arrays)
        return checker_report(c, "%s has arrays for elements", var->name);
    return write && var->constant
               ? checker_report(c, "%s is a constant array that is written", var->name)
               : true;
}

/* ---- expressions ---- */

bool checker_integer(struct checker *c, const struct imp *imp, const char *what)
{
    if (!checker_expression(c, imp))
        return false;
    return (type_is_integer(imp->type) && imp->lanes == 1)
           || checker_report(c, "%s is no integer", what);
}

bool checker_condition(struct checker *c, const struct imp *imp)
{
    if (!checker_expression(c, imp))
        return false;
    return (imp->type == TYPE_BOOL && imp->lanes == 1)
           || checker_report(c, "a condition is no bool");
}

/* Returns the bytes of a lane of the mask of a vector condition, 0 if it is none. */
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

/* Is there a vector form of the operator? */
bool checker_has_vector_form(const struct imp *imp)
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
    case OP_ANY_SHIFT:
    case OP_ANY_BIT_COUNT:
    case OP_HEAVISIDE:
    case OP_ANY_CONVERSION:
    case OP_KEEP:
    case OP_STORED:
    case OP_COUNT: break;
    }
    return false;
}

static bool check_op(struct checker *c, const struct imp *imp)
{
    if (imp->op >= OP_COUNT || imp->args != op_arity(imp->op))
        return checker_report(c, "an operator has %d operands", imp->args);
    const char *name = op_name(imp->op);
    enum type type[3];
    for (int i = 0; i < imp->args; i++) {
        type[i] = imp->arg[i]->type;
        if (type[i] != (imp->op == OP_SELECT && i == 0 ? TYPE_BOOL : imp->computed))
            return checker_report(c, "operand %d of %s is of %s", i + 1, name, type_name(type[i]));
        if (imp->arg[i]->lanes != imp->lanes)
            return checker_report(c, "operand %d of %s has %d lanes, not %d", i + 1, name,
                                  imp->arg[i]->lanes, imp->lanes);
    }
    if (!op_accepts(imp->op, type) || imp->computed != op_compute_type(imp->op, type)
        || imp->type != op_result_type(imp->op, type))
        return checker_report(c, "%s is computed in %s and gives %s", name,
                              type_name(imp->computed), type_name(imp->type));
    return imp->lanes > 1 && !checker_has_vector_form(imp)
               ? checker_report(c, "there is no %s of these vectors", name)
               : true;
}

/* Does the call pass one array twice, one of them to be written?  A helper takes its arrays to be
 * different. */
static bool check_aliases(struct checker *c, const struct imp *call)
{
    const struct imp_param *param = call->function->param;
    for (int i = 0; i < call->args; i++)
        for (int j = 0; j < call->args; j++)
            if (i != j && param[i].var->array && param[j].var->array && !param[i].var->constant
                && call->arg[i]->var == call->arg[j]->var)
                return checker_report(c, "%s is passed to %s twice, and written",
                                      call->arg[i]->var->name, call->function->name);
    return true;
}

bool checker_call(struct checker *c, const struct imp *imp, bool is_value)
{
    const struct imp_function *function = imp->function;
    bool known = false;
    for (int i = 0; i < c->kernel->helpers && c->kernel->helper_at[i] != c->function; i++)
        known = known || c->kernel->helper_at[i] == function;
    if (!known)
        return checker_report(c, "%s is not among the helpers before this function",
                              function->name);
    if (function->effects == is_value)
        return checker_report(
            c, function->effects ? "%s gives no value" : "%s is called for its effect and has none",
            function->name);
    if (function->meets && !checker_meeting(c, imp))
        return false;
    if (imp->args != function->params || imp->type != function->result)
        return checker_report(c, "%s is called with %d arguments for %s", function->name, imp->args,
                              type_name(imp->type));
    for (int i = 0; i < imp->args; i++) {
        const struct imp_var *param = function->param[i].var;
        const struct imp *arg = imp->arg[i];
        bool array = arg->kind == IMP_VAR && arg->var->array;
        if (array ? !checker_array(c, arg->var, param->array && !param->constant)
                  : !checker_expression(c, arg))
            return false;
        if (array != param->array || arg->type != param->type || arg->lanes != param->lanes)
            return checker_report(c, "argument %d of %s is not what it takes", i + 1,
                                  function->name);
    }
    return check_aliases(c, imp);
}

static bool check_cast(struct checker *c, const struct imp *imp)
{
    enum type from = imp->arg[0]->type;
    if (from == imp->type || imp->lanes != imp->arg[0]->lanes)
        return checker_report(c, "a conversion of %s to %s", type_name(from), type_name(imp->type));
    if (imp->lanes == 1)
        return true;
    bool undefined = type_is_float(from) && !type_is_float(imp->type);
    return from == TYPE_BOOL || undefined
               ? checker_report(c, "a conversion of a vector of %s", type_name(from))
               : true;
}

static bool check_lanes(struct checker *c, const struct imp *imp)
{
    if (imp->args != imp->lanes)
        return checker_report(c, "a vector of %d lanes is made of %d", imp->lanes, imp->args);
    for (int i = 0; i < imp->args; i++)
        if (imp->arg[i]->type != imp->type || imp->arg[i]->lanes != 1)
            return checker_report(c, "lane %d is not of %s", i, type_name(imp->type));
    return true;
}

static bool check_shuffle(struct checker *c, const struct imp *imp)
{
    const struct imp *a = imp->arg[0], *b = imp->arg[1];
    if (a->lanes < 2 || a->lanes != b->lanes || a->type != imp->type || b->type != imp->type)
        return checker_report(c, "a shuffle of vectors that are not alike");
    if (imp->args != imp->lanes + 2)
        return checker_report(c, "a vector of %d lanes is made of %d", imp->lanes, imp->args - 2);
    for (int i = 2; i < imp->args; i++) {
        const struct imp *lane = imp->arg[i];
        if (lane->kind != IMP_LITERAL || lane->type != TYPE_I32 || lane->value.i < 0
            || lane->value.i >= 2 * a->lanes)
            return checker_report(c, "lane %d of a shuffle is none of %d", i - 2, 2 * a->lanes);
    }
    return true;
}

static bool check_expression_itself(struct checker *c, const struct imp *imp)
{
    const struct imp *first = imp->args ? imp->arg[0] : NULL;
    switch (imp->kind) {
    case IMP_LITERAL:
        return (imp->value.type == imp->type && imp->lanes == 1)
               || checker_report(c, "a literal is not of its type");
    case IMP_VAR:
        if (imp->var->array)
            return checker_report(c, "%s is an array, used as a scalar", imp->var->name);
        if (imp->type != imp->var->type || imp->lanes != imp->var->lanes)
            return checker_report(c, "%s is read as another type", imp->var->name);
        return checker_find(c, imp->var)
               || checker_report(c, "%s is not declared here", imp->var->name);
    case IMP_OP: return check_op(c, imp);
    case IMP_CAST: return check_cast(c, imp);
    case IMP_LOAD:
        if (!checker_array(c, imp->var, false))
            return false;
        if (!type_is_integer(first->type) || first->lanes != 1)
            return checker_report(c, "a position in %s is no integer", imp->var->name);
        return imp->type == imp->var->type
               || checker_report(c, "%s is read as another type", imp->var->name);
    case IMP_CALL: return checker_call(c, imp, true);
    case IMP_LANES: return check_lanes(c, imp);
    case IMP_BROADCAST:
        return (first->lanes == 1 && first->type == imp->type)
               || checker_report(c, "a broadcast of a vector");
    case IMP_LANE:
        return (first->lanes > 1 && imp->n >= 0 && imp->n < first->lanes && imp->lanes == 1
                && first->type == imp->type)
               || checker_report(c, "lane %d of %d", (int)imp->n, first->lanes);
    case IMP_SHUFFLE: return check_shuffle(c, imp);
    case IMP_IN_LINE:
        return checker_array(c, imp->var, false)
               && ((type_is_integer(first->type) && first->lanes == 1)
                   || checker_report(c, "a position in %s is no integer", imp->var->name));
    case IMP_THREADS:
        return c->parallel || c->function->helper
                   ? checker_report(c, "threads() in a %s", c->parallel ? "part" : "helper")
                   : true;
    case IMP_STOPPED:
        return c->function->helper ? checker_report(c, "stopped() in a helper") : true;
    case IMP_EXCHANGE:
    case IMP_UPDATE:
    case IMP_FETCH: return checker_event(c, imp);
    case IMP_ANY_STATEMENT: break;
    }
    return checker_report(c, "a statement stands for a value");
}

bool checker_expression(struct checker *c, const struct imp *imp)
{
    arena_spend(c->cx->arena, 4); /* a value that is used twice is visited twice */
    if (!imp_is_expression(imp))
        return checker_report(c, "a statement stands for a value");
    c->fetched = imp->kind == IMP_FETCH ? imp->arg[0] : c->fetched;
    if (!checker_allows(c, imp))
        return false;
    for (int i = 0; i < imp->args && imp->kind != IMP_CALL; i++)
        if (!checker_expression(c, imp->arg[i]))
            return false;
    if (!check_expression_itself(c, imp))
        return false;
    return imp->type == TYPE_BOOL && mask_size(imp) > 0 ? true
                                                        : checker_vector(c, imp->type, imp->lanes);
}
