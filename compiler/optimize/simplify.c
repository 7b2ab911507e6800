/* simplify.c - the same program with less in it.
 *
 * Rounds of one bottom-up rewriting each, until a round changes nothing.  Before a round every
 * variable is counted: how often it is read and how often it is assigned.  The round then folds
 * expressions (fold.c), replaces variables that only stand for a literal or for another variable,
 * and drops what has no effect.
 *
 * Requires a program that imp_check passes; maintains that.  What the program computes stays the
 * same to the bit.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/optimize/simplify.h"
#include "compiler/optimize/optimize.h"

#include <string.h>

#include "compiler/base/vec.h"
#include "compiler/imperative/var_map.h"

/* ---- facts about variables ---- */

struct fact {
    int reads, assignments, declarations, takes; /* a take is a read, too */
    /* what to put in its place, in the scope that is being rewritten */
    const struct imp *instead;
};

struct simplifier {
    struct context *cx;
    struct var_map facts;
    int helpers; /* the helpers so far, and what has become of them */
    const struct imp_function *const *helper;
    const struct imp_function **simpler;
};

static struct fact *fact_of(struct simplifier *s, const struct imp_var *var)
{
    void **fact = var_map_at(s->cx, &s->facts, var);
    if (!*fact)
        *fact = arena_make(s->cx->arena, struct fact);
    return *fact;
}

/* Does it change the array, or its size, and nothing else? */
static bool only_writes(const struct imp *imp)
{
    bool writes = imp->kind == IMP_STORE || imp->kind == IMP_ATOMIC || imp->kind == IMP_FILL
                  || imp->kind == IMP_COPY || imp->kind == IMP_ALLOC || imp->kind == IMP_RESIZE
                  || imp->kind == IMP_FREE;
    for (int i = 0; i < imp->args && writes; i++)
        writes = imp_is_pure(imp->arg[i]);
    return writes;
}

static bool count_use(const struct imp *imp, void *data)
{
    if (!imp->var)
        return false;
    struct fact *fact = fact_of(data, imp->var);
    if (imp->kind == IMP_DECLARE)
        fact->declarations++;
    else if (imp->kind == IMP_ASSIGN || only_writes(imp))
        fact->assignments++;
    else if (!imp_declares(imp))
        fact->reads++;
    fact->takes += imp->kind == IMP_TAKE;
    return false;
}

/* ---- expressions ---- */

enum { ARGS_USUAL = 4 };

/* Returns a call of a helper that has been simplified. */
static const struct imp *redirected(struct simplifier *s, const struct imp *imp)
{
    for (int i = 0; imp->kind == IMP_CALL && i < s->helpers; i++)
        if (s->helper[i] == imp->function && s->simpler[i] != imp->function)
            return imp_call(s->cx, s->simpler[i], imp->arg, imp->args);
    return imp;
}

/* Is the argument what is stored in one step, and may it read the element? */
static bool is_combined(const struct imp *imp, int i)
{
    bool atomic = imp->kind == IMP_ATOMIC || (imp->kind == IMP_UPDATE && imp->args == 2);
    return atomic && imp->op == OP_NONE && i == 1;
}

static const struct imp *atomic_value(struct simplifier *s, const struct imp *imp);

static const struct imp *expression(struct simplifier *s, const struct imp *imp)
{
    if (imp->kind == IMP_VAR) {
        const struct imp *instead = imp->var->array ? NULL : fact_of(s, imp->var)->instead;
        return instead ? instead : imp;
    }
    const struct imp *few[ARGS_USUAL],
        **arg =
            imp->args > ARGS_USUAL ? arena_array(s->cx->arena, const struct imp *, imp->args) : few;
    for (int i = 0; i < imp->args; i++)
        arg[i] = is_combined(imp, i) ? atomic_value(s, imp->arg[i]) : expression(s, imp->arg[i]);
    return imp_fold(s->cx, redirected(s, imp_with_args(s->cx, imp, arg)));
}

/* Simplifies the operands of an atomic update alone: its operator stays, so that all parts use the
 * same one. */
static const struct imp *atomic_value(struct simplifier *s, const struct imp *imp)
{
    const struct imp **arg = arena_array(s->cx->arena, const struct imp *, imp->args);
    if (imp->kind != IMP_OP && imp->kind != IMP_CALL)
        return expression(s, imp);
    for (int i = 0; i < imp->args; i++)
        arg[i] = atomic_value(s, imp->arg[i]);
    return imp_with_args(s->cx, imp, arg);
}

/* ---- simple statements ---- */

static const struct imp *nothing(struct simplifier *s) { return imp_block(s->cx, NULL, 0); }

static bool is_nothing(const struct imp *imp) { return imp->kind == IMP_BLOCK && imp->args == 0; }

/* Is the value `target op x`? Then *op and *x are set. */
static bool updates(const struct imp *value, const struct imp *target, enum op *op,
                    const struct imp **x)
{
    if (value->kind != IMP_OP || op_arity(value->op) != 2 || value->type != value->computed)
        return false;
    int side = imp_equal(value->arg[0], target)                                ? 0
               : op_commutative(value->op) && imp_equal(value->arg[1], target) ? 1
                                                                               : 2;
    *op = value->op;
    *x = side < 2 ? value->arg[1 - side] : NULL;
    return side < 2;
}

/* Simplifies `target op= value` as rules for expressions see it, in *op and *value.  false: nothing
 * is left to do. */
static bool simpler_update(struct simplifier *s, const struct imp *target, enum op *op,
                           const struct imp **value)
{
    const struct imp *whole = *op == OP_NONE ? *value : imp_op2(s->cx, *op, target, *value), *x;
    enum op by;
    if (whole->lanes > 1)
        return true;
    whole = imp_fold(s->cx, whole);
    if (imp_equal(whole, target))
        return false;
    if (updates(whole, target, &by, &x)) {
        *op = by;
        *value = x;
    } else if (whole->kind == IMP_LITERAL) {
        *op = OP_NONE;
        *value = whole;
    }
    return true;
}

static const struct imp *assignment(struct simplifier *s, const struct imp *imp)
{
    const struct imp *value = imp->arg[0];
    enum op op = imp->op;
    if (fact_of(s, imp->var)->reads == 0 && imp_is_pure(value))
        return nothing(s);
    if (!imp_is_pure(value))
        return imp;
    if (!simpler_update(s, imp_read(s->cx, imp->var), &op, &value))
        return nothing(s);
    return op == imp->op && value == imp->arg[0] ? imp : imp_assign(s->cx, imp->var, op, value);
}

static const struct imp *store_statement(struct simplifier *s, const struct imp *imp)
{
    const struct imp *position = imp->arg[0], *value = imp->arg[1];
    enum op op = imp->op;
    if (!imp_is_pure(position) || !imp_is_pure(value))
        return imp;
    const struct imp *target = imp_load_lanes(s->cx, imp->var, position, value->lanes);
    if (!simpler_update(s, target, &op, &value))
        return nothing(s);
    if (imp->kind == IMP_ATOMIC && op == OP_NONE && value->kind == IMP_LITERAL) {
        /* what others combine with at once is not overwritten, but combined with as they do */
        op = imp->op;
        if (op != OP_NONE || !updates(imp->arg[1], target, &op, &value))
            return imp;
    }
    if (op == imp->op && value == imp->arg[1])
        return imp;
    return imp->kind == IMP_ATOMIC ? imp_atomic(s->cx, imp->var, position, op, value)
                                   : imp_store(s->cx, imp->var, position, op, value);
}

/* Does it write to an array of the function's own that nothing reads? */
static bool is_unread(struct simplifier *s, const struct imp *imp)
{
    return only_writes(imp) && fact_of(s, imp->var)->reads == 0
           && fact_of(s, imp->var)->declarations > 0;
}

/* Drops the taking of an array that is of no further use. */
static const struct imp *take_statement(struct simplifier *s, const struct imp *imp)
{
    const struct fact *fact = fact_of(s, imp->var);
    return fact->reads == fact->takes && fact->assignments == 0 ? nothing(s) : imp;
}

/* Simplifies a declaration.  A variable that is assigned but never read goes in the round after its
 * assignments. */
static const struct imp *declaration(struct simplifier *s, const struct imp *imp)
{
    const struct fact *fact = fact_of(s, imp->var);
    bool unused = fact->reads == 0 && fact->assignments == 0;
    const struct imp *update = imp->args ? imp->arg[0] : imp;
    if (unused && update->kind == IMP_UPDATE && update->args == 2) /* nobody asks what was there */
        return imp_atomic(s->cx, update->var, update->arg[0], update->op, update->arg[1]);
    return unused && (!imp->args || imp_is_pure(imp->arg[0])) ? nothing(s) : imp;
}

/* ---- compound statements ---- */

static bool is_truth(const struct imp *imp, bool truth)
{
    return imp->kind == IMP_LITERAL && value_truth(imp->value) == truth;
}

static const struct imp *if_statement(struct simplifier *s, const struct imp *imp)
{
    const struct imp *condition = imp->arg[0], *then = imp->arg[1],
                     *otherwise = imp->args == 3 ? imp->arg[2] : NULL;
    if (is_truth(condition, true))
        return then;
    if (is_truth(condition, false))
        return otherwise ? otherwise : nothing(s);
    if (otherwise && is_nothing(otherwise))
        return imp_if(s->cx, condition, then, NULL);
    if (otherwise && is_nothing(then))
        return imp_if(s->cx, imp_fold(s->cx, imp_op1(s->cx, OP_NOT, condition)), otherwise, NULL);
    if (is_nothing(then) && imp_is_pure(condition))
        return nothing(s);
    if (otherwise && imp_is_pure(condition) && imp_does_same(s->cx, then, otherwise))
        return then;
    if (otherwise && imp_is_op(condition, OP_NOT))
        return imp_if(s->cx, condition->arg[0], otherwise, then);
    return imp;
}

/* Is begin known not to be below end? */
static bool is_no_range(const struct imp *begin, const struct imp *end)
{
    if (begin->kind != IMP_LITERAL || end->kind != IMP_LITERAL)
        return false;
    enum type type = type_promote(begin->type, end->type);
    struct value pair[] = {value_convert(begin->value, type), value_convert(end->value, type)};
    return !value_truth(op_fold(OP_LT, pair));
}

/* Returns the statement, unless it has no iterations or elements, or does nothing for them. */
static const struct imp *unless_idle(struct simplifier *s, const struct imp *imp)
{
    const struct imp *const *arg = imp->arg, *n = imp->kind == IMP_COPY ? arg[3] : NULL;
    bool idle = n ? n->kind == IMP_LITERAL && value_is_zero(n->value)
                  : imp_is(imp, IMP_BIT(FOR) | IMP_BIT(FILL)) && is_no_range(arg[0], arg[1]);
    if (imp->kind == IMP_PARALLEL)
        idle = is_no_range(imp_int(s->cx, imp->var->type, 0), arg[0]);
    if (!imp_is(imp, IMP_BIT(COPY) | IMP_BIT(FILL)))
        idle |= is_nothing(arg[imp->args - 1]);
    for (int i = 0; i < imp->args && idle; i++)
        idle = !imp_is_expression(arg[i]) || imp_is_pure(arg[i]);
    return idle ? nothing(s) : imp;
}

/* ---- blocks ---- */

static const struct imp *simple_statement(struct simplifier *s, const struct imp *imp);

/* Can the variables of this block be declared in the block around it? */
static bool dissolves(struct simplifier *s, const struct imp *block)
{
    for (int i = 0; i < block->args; i++)
        if (block->arg[i]->kind == IMP_DECLARE && fact_of(s, block->arg[i]->var)->declarations > 1)
            return false;
    return true;
}

/* Does the declaration give its scalar the only value that it ever has?  A capacity does not count:
 * arrays have it as their size. */
static bool is_definition(struct simplifier *s, const struct imp *imp)
{
    return imp_defines(imp) && !imp->var->capacity && fact_of(s, imp->var)->assignments == 0;
}

/* Finds `y = e; ...; x = y;` in one block, where x could be y.  Returns the place of x's
 * declaration, or -1. */
static int find_alias(struct simplifier *s, const struct imp *block, int at)
{
    const struct imp *y = block->arg[at];
    if (!is_definition(s, y))
        return -1;
    for (int i = at + 1; i < block->args; i++) {
        const struct imp *x = block->arg[i];
        if (is_definition(s, x) && imp_is_read(x->arg[0], y->var)
            && fact_of(s, x->var)->declarations == 1)
            return i;
    }
    return -1;
}

/* Returns the expression that may stand wherever the variable is read: a literal, or a variable
 * that does not change in this scope. */
static const struct imp *stands_for(struct simplifier *s, const struct imp *imp)
{
    if (!is_definition(s, imp))
        return NULL;
    const struct imp *value = imp->arg[0];
    bool fixed = value->kind == IMP_VAR && fact_of(s, value->var)->assignments == 0;
    return value->kind == IMP_LITERAL || fixed ? value : NULL;
}

/* Does the statement set the variable to true, once, on every path? */
static bool sets(const struct imp *imp, const struct imp_var *var)
{
    if (imp->kind == IMP_ASSIGN)
        return imp->var == var && imp->op == OP_NONE && is_truth(imp->arg[0], true);
    bool set = false, good = imp->kind == IMP_BLOCK;
    for (int i = 0; i < imp->args && good; i++) {
        bool does = sets(imp->arg[i], var);
        good = does ? !set : !imp_assigns(imp->arg[i], var);
        set |= does;
    }
    return good && set;
}

/* Returns the place of the variable's declaration in the block so far, if nothing behind it
 * mentions the variable; else -1. */
static int find_declaration(const struct statements *out, size_t end, const struct imp_var *var)
{
    while (end-- > 0)
        if (imp_mentions(out->at[end], var))
            return out->at[end]->kind == IMP_DECLARE && out->at[end]->var == var ? (int)end : -1;
    return -1;
}

static bool is_false_before(const struct statements *out, size_t end, const struct imp_var *var)
{
    int at = find_declaration(out, end, var);
    return at >= 0 && out->at[at]->args && is_truth(out->at[at]->arg[0], false);
}

/* Is the variable true behind the last statement, an if, exactly where that has run? */
static bool tells(const struct statements *out, const struct imp_var *var)
{
    const struct imp *last = out->at[out->n - 1];
    if (imp_is_read(last->arg[0], var))
        return !imp_assigns(last->arg[1], var);
    return !imp_mentions(last->arg[0], var) && sets(last->arg[1], var)
           && is_false_before(out, out->n - 1, var);
}

/* Returns `if (v) { a; b; }` for `if (v) a; if (v) b;` where a leaves v alone, and for `bool v =
 * false; ...; if (c) { v = true; a; } if (v) b;`. NULL: it is neither. */
static const struct imp *joined(struct simplifier *s, const struct statements *out,
                                const struct imp *b)
{
    const struct imp *a = out->n ? out->at[out->n - 1] : b;
    if (a->kind != IMP_IF || b->kind != IMP_IF || a->args != 2 || b->args != 2
        || b->arg[0]->kind != IMP_VAR || a == b || !tells(out, b->arg[0]->var))
        return NULL;
    return imp_if(s->cx, a->arg[0],
                  imp_block(s->cx, (const struct imp *const[]){a->arg[1], b->arg[1]}, 2), NULL);
}

/* Finds a declaration that can move to where the variable is given its first value:
 *
 *     T v = d; ...; v = e;                        ...; T v = e;
 *     bool v = false; ...; if (c) v = true;       ...; bool v = c;
 *
 * Returns the place of the declaration, or -1, and in *late what takes its place behind it. */
static int find_late(struct simplifier *s, const struct statements *out, const struct imp *imp,
                     const struct imp **late)
{
    bool tests = imp->kind == IMP_IF && imp->args == 2 && imp->arg[1]->kind == IMP_ASSIGN
                 && imp->arg[1]->var->type == TYPE_BOOL && sets(imp->arg[1], imp->arg[1]->var);
    const struct imp *assign = tests ? imp->arg[1] : imp;
    const struct imp *value = imp->args ? imp->arg[0] : NULL;
    if (assign->kind != IMP_ASSIGN || assign->op != OP_NONE || assign->var->array
        || imp_mentions(value, assign->var) || value->type != assign->var->type)
        return -1;
    int at = find_declaration(out, out->n, assign->var);
    bool good = at >= 0
                && (tests ? is_false_before(out, out->n, assign->var)
                          : !out->at[at]->args || imp_is_pure(out->at[at]->arg[0]));
    *late = good ? imp_declare(s->cx, assign->var, value) : NULL;
    return good ? at : -1;
}

static void append_one(struct simplifier *s, struct statements *out, const struct imp *imp)
{
    const struct imp *both = joined(s, out, imp), *late;
    int at = both ? (int)out->n - 1 : find_late(s, out, imp, &late);
    if (both) {
        out->at[at] = both;
    } else if (at >= 0) {
        memmove(&out->at[at], &out->at[at + 1], sizeof *out->at * (out->n - (size_t)at - 1));
        out->at[out->n - 1] = late;
    } else {
        vec_push(s->cx->arena, out, imp);
    }
}

static void append(struct simplifier *s, struct statements *out, const struct imp *imp)
{
    bool splice = imp->kind == IMP_BLOCK && dissolves(s, imp);
    for (int i = 0; i < (splice ? imp->args : 1); i++)
        append_one(s, out, splice ? imp->arg[i] : imp);
}

static const struct imp *block(struct simplifier *s, const struct imp *imp)
{
    struct statements out = {0};
    bool *gone = arena_array(s->cx->arena, bool, imp->args);
    for (int i = 0; i < imp->args && !(out.n && imp_is(out.at[out.n - 1], IMP_EXITS)); i++) {
        const struct imp *at = imp->arg[i];
        int alias = gone[i] ? -1 : find_alias(s, imp, i);
        const struct imp *instead = gone[i] ? NULL : stands_for(s, at);
        if (gone[i])
            continue;
        if (instead) {
            fact_of(s, at->var)->instead = expression(s, instead);
        } else if (alias >= 0) {
            gone[alias] = true;
            fact_of(s, at->var)->instead = imp_read(s->cx, imp->arg[alias]->var);
            append(s, &out, imp_declare(s->cx, imp->arg[alias]->var, expression(s, at->arg[0])));
        } else {
            append(s, &out, simple_statement(s, at));
        }
    }
    for (int i = 0; i < imp->args; i++)
        if (imp->arg[i]->kind == IMP_DECLARE)
            fact_of(s, imp->arg[i]->var)->instead = NULL;
    if ((int)out.n == imp->args)
        return imp_with_args(s->cx, imp, out.at);
    return out.n == 1 && out.at[0]->kind == IMP_BLOCK ? out.at[0]
                                                      : imp_block(s->cx, out.at, (int)out.n);
}

/* ---- all ---- */

/* Returns the statement with simplified expressions in its mark. */
static const struct imp *remarked(struct simplifier *s, const struct imp *imp)
{
    if (!imp->mark || (!imp->mark->last && !imp->mark->coordinates))
        return imp;
    struct imp_mark *mark = arena_copy(s->cx->arena, imp->mark, sizeof *mark);
    mark->last = mark->last ? expression(s, mark->last) : NULL;
    mark->coordinates = mark->coordinates ? expression(s, mark->coordinates) : NULL;
    bool same = mark->last == imp->mark->last && mark->coordinates == imp->mark->coordinates;
    return same ? imp : imp_marked(s->cx, imp, mark);
}

static const struct imp *rebuilt(struct simplifier *s, const struct imp *imp)
{
    const struct imp *arg[5] = {NULL}; /* as many as a join has */
    for (int i = 0; i < imp->args; i++)
        arg[i] = is_combined(imp, i)              ? atomic_value(s, imp->arg[i])
                 : imp_is_expression(imp->arg[i]) ? expression(s, imp->arg[i])
                                                  : simple_statement(s, imp->arg[i]);
    return imp_with_args(s->cx, imp, arg);
}

static const struct imp *simple_statement(struct simplifier *s, const struct imp *imp)
{
    if (imp->kind == IMP_BLOCK)
        return block(s, imp);
    imp = remarked(s, rebuilt(s, imp));
    if (is_unread(s, imp))
        return nothing(s);
    switch (imp->kind) {
    case IMP_DECLARE: return declaration(s, imp);
    case IMP_ASSIGN: return assignment(s, imp);
    case IMP_STORE:
    case IMP_ATOMIC: return store_statement(s, imp);
    case IMP_IF: return if_statement(s, imp);
    case IMP_WHILE: return is_truth(imp->arg[0], false) ? nothing(s) : imp;
    case IMP_FOR:
    case IMP_PARALLEL:
    case IMP_LAUNCH:
    case IMP_FILL:
    case IMP_COPY: return unless_idle(s, imp);
    case IMP_TAKE: return take_statement(s, imp);
    case IMP_BLOCK:
    case IMP_DO:
    case IMP_BARRIER:
    case IMP_BREAK:
    case IMP_RETURN:
    case IMP_FAIL:
    case IMP_ALLOC:
    case IMP_RESIZE:
    case IMP_FREE:
    case IMP_KEEP:
    case IMP_MOVE:
    case IMP_JOIN:
    case IMP_PREFETCH:
    case IMP_COMMENT:
    case IMP_ANY_EXPRESSION: break;
    }
    return imp;
}

static const struct imp_function *simplify_function(struct simplifier *like,
                                                    const struct imp_function *function)
{
    const struct imp *body = function->body, *last = NULL;
    while (body != last) {
        struct simplifier s = *like;
        last = body;
        imp_any(body, count_use, &s);
        body = simple_statement(&s, body);
    }
    return imp_with_body(like->cx, function, body);
}

struct callee {
    const struct imp_function *function;
};

static bool calls(const struct imp *imp, void *data)
{
    const struct callee *callee = data;
    return imp->kind == IMP_CALL && imp->function == callee->function;
}

/* Keeps, in place, those of n helpers that the kernel or a kept helper calls.  Returns how many
 * they are. */
static int keep_called(struct context *cx, const struct imp_function *kernel,
                       const struct imp_function **helper, int n)
{
    bool *keep = arena_array(cx->arena, bool, n);
    int kept = 0;
    for (int i = n - 1; i >= 0; i--) {
        struct callee callee = {helper[i]};
        keep[i] = imp_any(kernel->body, calls, &callee);
        for (int j = i + 1; j < n; j++)
            keep[i] = keep[i] || (keep[j] && imp_any(helper[j]->body, calls, &callee));
    }
    for (int i = 0; i < n; i++)
        if (keep[i])
            helper[kept++] = helper[i];
    return kept;
}

const struct imp_function *imp_simplify(struct context *cx, const struct imp_function *function)
{
    const struct imp_function **helper =
        arena_array(cx->arena, const struct imp_function *, function->helpers);
    struct simplifier s = {.cx = cx, .helper = function->helper_at, .simpler = helper};
    bool changed = false;
    for (; s.helpers < function->helpers; s.helpers++) {
        helper[s.helpers] = simplify_function(&s, function->helper_at[s.helpers]);
        changed = changed || helper[s.helpers] != function->helper_at[s.helpers];
    }
    const struct imp_function *kernel = simplify_function(&s, function);
    int kept = keep_called(cx, kernel, helper, function->helpers);
    if (!changed && kept == function->helpers)
        return kernel;
    struct imp_function *simpler = arena_copy(cx->arena, kernel, sizeof *kernel);
    simpler->helper_at = helper;
    simpler->helpers = kept;
    return simpler;
}
