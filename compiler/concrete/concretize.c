/* concretize.c - from tensor index notation to concrete index notation.
 *
 * The algorithm of thesis 4.4.  Each reduction becomes a where statement.  Its producer is a nest
 * of loops with a compound assignment to a scalar temporary.  If the assignment's right side is
 * only the reduction, the result itself takes the temporary's place.  The foralls of the result's
 * variables go around, in their order.  A where stays outside those foralls on which its producer
 * does not depend, so no loop repeats it.
 *
 * The result takes the temporary's place only if it starts from the operator's identity; if it is
 * not narrower than the reduced value (a sum of f64 into an f32 result is added up in f64); and if
 * it is not read itself (y(i) = A(i,j) * y(i) is added up before y(i) is written).
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/concrete/concrete.h"

#include "compiler/base/vec.h"

/* A reduction that is taken out of an expression: temporary op= body, in loops over index. */
struct taken {
    const struct tensor_var *temporary;
    const struct tin *reduce;
};

/* In a loop over `to`, the notation's name for that variable is `from`. */
struct renaming {
    const struct index_var *from, *to;
};

struct concretizer {
    struct context *cx;
    const struct tin *statement;
    const struct cin *target;            /* the component that the statement assigns */
    VEC(struct taken) taken;             /* from the present expression */
    VEC(struct renaming) renaming;       /* for the loops around, innermost last */
    VEC(const struct index_var *) bound; /* in this statement */
    VEC(const struct index_var *) used;  /* in this statement and those before */
    VEC(const char *) made;              /* new names */
    VEC(struct cin_relation) relation;
};

static const struct cin *nest(struct concretizer *c, const struct tin *reduce,
                              const struct cin *target);

/* ---- names ---- */

/* Returns a name like this one that neither the statement nor anything made so far has: "t", else
 * "t2", "t3" ... */
static const char *unused_var_name(struct concretizer *c, const char *like)
{
    const char *name = intern(c->cx, like);
    for (int n = 2;; n++) {
        bool used = tin_uses_name(c->statement, name);
        for (size_t i = 0; i < c->made.n; i++)
            used |= c->made.at[i] == name;
        if (!used)
            break;
        name = intern(c->cx, arena_printf(c->cx->arena, "%s%d", like, n));
    }
    vec_push(c->cx->arena, &c->made, name);
    return name;
}

static bool is_bound(const struct concretizer *c, const struct index_var *var)
{
    for (size_t i = 0; i < c->bound.n; i++)
        if (c->bound.at[i] == var)
            return true;
    return false;
}

/* Makes another variable with the same range. */
static const struct index_var *fresh_var(struct concretizer *c, const struct index_var *like)
{
    struct index_var *fresh = arena_make(c->cx->arena, struct index_var);
    *fresh = (struct index_var){.name = unused_var_name(c, like->name),
                                .size = like->size,
                                .about = like->about,
                                .like = like};
    return fresh;
}

/* Returns the variable for a new loop over var: var itself, or a fresh one if var has a loop
 * already. */
static const struct index_var *bind_fresh(struct concretizer *c, const struct index_var *var)
{
    if (is_bound(c, var))
        var = fresh_var(c, var);
    vec_push(c->cx->arena, &c->bound, var);
    return var;
}

static const struct index_var *renamed(const struct concretizer *c, const struct index_var *var)
{
    for (size_t i = c->renaming.n; i-- > 0;)
        if (c->renaming.at[i].from == var)
            return c->renaming.at[i].to;
    return var;
}

static const struct cin *access(struct concretizer *c, const struct tin *tin)
{
    const struct index_var *index[ORDER_MAX];
    for (int i = 0; i < tin->indices; i++)
        index[i] = renamed(c, tin->index[i]);
    return cin_access(c->cx, tin->tensor, index, tin->indices);
}

/* Translates an expression.  Its reductions become temporaries, which are added to c->taken. */
static const struct cin *expression(struct concretizer *c, const struct tin *tin)
{
    struct context *cx = c->cx;
    switch (tin->kind) {
    case TIN_LITERAL: return cin_literal(cx, tin->value);
    case TIN_ACCESS: /* a result's old value is read only where the result is written */
        return tin->tensor->before ? cin_access(cx, tin->tensor, c->target->index, tin->indices)
                                   : access(c, tin);
    case TIN_OP: {
        const struct cin *arg[3];
        for (int i = 0; i < tin->args; i++)
            arg[i] = expression(c, tin->arg[i]);
        return cin_op(cx, tin->op, arg, tin->args);
    }
    case TIN_REDUCE: {
        struct value start;
        context_assert(cx, operator_identity(cx, tin->op, SIDE_LEFT, tin->type, &start));
        const struct tensor_var *t = cin_temporary(cx, unused_var_name(c, "t"), tin->type, start);
        vec_push(cx->arena, &c->taken, ((struct taken){t, tin}));
        return cin_access(cx, t, NULL, 0);
    }
    case TIN_ASSIGN:
    case TIN_MULTI: break;
    }
    context_bug(cx, "an assignment inside an expression");
}

/* Puts where statements for the reductions taken since `mark` around the consumer, the first
 * outermost. */
static const struct cin *around(struct concretizer *c, const struct cin *consumer, size_t mark)
{
    size_t n = c->taken.n - mark;
    const struct cin **producer = arena_array(c->cx->arena, const struct cin *, n);
    for (size_t i = 0; i < n; i++) {
        struct taken taken = c->taken.at[mark + i];
        const struct cin *t = cin_access(c->cx, taken.temporary, NULL, 0);
        producer[i] = nest(c, taken.reduce, t);
    }
    for (size_t i = n; i-- > 0;)
        consumer = cin_where(c->cx, consumer, producer[i]);
    c->taken.n = mark;
    return consumer;
}

/* any and all ask of a value whether it is not 0. */
static const struct cin *truth_of(struct context *cx, const struct cin *value)
{
    const struct cin *arg[] = {value, cin_literal(cx, value_zero(value->type))};
    return value->type == TYPE_BOOL ? value : cin_op(cx, OP_NE, arg, 2);
}

/* Builds the loops that reduce into target. */
static const struct cin *nest(struct concretizer *c, const struct tin *reduce,
                              const struct cin *target)
{
    size_t mark = c->taken.n, names = c->renaming.n;
    for (int i = 0; i < reduce->indices; i++) {
        struct renaming own = {reduce->index[i], bind_fresh(c, renamed(c, reduce->index[i]))};
        vec_push(c->cx->arena, &c->renaming, own);
    }
    const struct tin *body = reduce->arg[0];
    const struct cin *s;
    if (body->kind == TIN_REDUCE && body->op == reduce->op) {
        s = nest(c, body, target);
    } else {
        const struct cin *value = expression(c, body);
        if (reduce->op == OP_OR || reduce->op == OP_AND)
            value = truth_of(c->cx, value);
        s = around(c, cin_assign(c->cx, reduce->op, target, value), mark);
    }
    while (c->renaming.n > names)
        s = cin_forall_inside(c->cx, c->renaming.at[--c->renaming.n].to, s);
    return s;
}

static void relate(struct concretizer *c, struct cin_relation r)
{
    vec_push(c->cx->arena, &c->relation, r);
}

/* A literal index is known without a loop. */
static void add_literals(struct concretizer *c, const struct tin *tin)
{
    for (int i = 0; i < tin->indices; i++) {
        const struct index_var *var = tin->index[i];
        bool known = !var->literal;
        for (size_t k = 0; k < c->relation.n && !known; k++)
            known = c->relation.at[k].child[0] == var;
        if (!known)
            relate(c, (struct cin_relation){
                          .type = &relation_literal, .child = {var}, .size = var->value});
    }
    for (int i = 0; i < tin->args; i++)
        add_literals(c, tin->arg[i]);
}

/* Builds the access to the assigned component, in loops over all of its modes.  A literal, or the
 * variable of an earlier mode, gets a variable that must be equal to it.  An update has no loops
 * there, since it assigns only these components. */
static const struct cin *make_target(struct concretizer *c, const struct tin *access)
{
    const struct index_var *index[ORDER_MAX];
    for (int i = 0; i < access->indices; i++) {
        const struct index_var *var = index[i] = renamed(c, access->index[i]);
        bool known = var->literal || is_bound(c, var);
        if (known && tensor_var_is_updated(access->tensor))
            continue;
        if (known) {
            struct index_var *other = arena_make(c->cx->arena, struct index_var);
            const char *name = arena_printf(c->cx->arena, "%s%d", access->tensor->name, i + 1);
            name = unused_var_name(c, var->literal ? name : var->name);
            *other = (struct index_var){.name = name, .size = var->size, .like = var};
            relate(c, (struct cin_relation){
                          .type = &relation_equal, .parent = {var}, .child = {other}});
            index[i] = other;
        }
        vec_push(c->cx->arena, &c->bound, index[i]);
    }
    return cin_access(c->cx, access->tensor, index, access->indices);
}

/* Does the target have a loop over its index variable of this number? */
static bool has_loop(const struct cin *target, int i)
{
    bool first = !target->index[i]->literal;
    for (int k = 0; k < i && first; k++)
        first = target->index[k] != target->index[i];
    return first;
}

static bool takes_reduction(const struct context *cx, const struct tin *assign,
                            const struct tensor_var *result)
{
    const struct tin *value = assign->arg[1];
    if (value->kind != TIN_REDUCE || value->type != result->type
        || (result->held && tin_reads_before(value)))
        return false;
    if (assign->op != OP_NONE)
        return assign->op == value->op;
    return operator_is_identity(cx, value->op, SIDE_LEFT, result->fill);
}

static bool is_used(const struct concretizer *c, const struct index_var *var)
{
    bool is = false;
    for (size_t i = 0; i < c->used.n && !is; i++)
        is = c->used.at[i] == var;
    return is;
}

/* Renames variables over which an earlier statement has loops. */
static void rename_used(struct concretizer *c, const struct tin *tin)
{
    for (int i = 0; i < tin->indices; i++)
        if (is_used(c, tin->index[i]) && renamed(c, tin->index[i]) == tin->index[i])
            vec_push(c->cx->arena, &c->renaming,
                     ((struct renaming){tin->index[i], fresh_var(c, tin->index[i])}));
    for (int i = 0; i < tin->args; i++)
        rename_used(c, tin->arg[i]);
}

static const struct cin *assignment(struct concretizer *c, const struct tin *statement)
{
    struct context *cx = c->cx;
    const struct tin *lhs = statement->arg[0], *rhs = statement->arg[1];
    rename_used(c, statement);
    const struct cin *target = c->target = make_target(c, lhs), *s;
    if (takes_reduction(cx, statement, lhs->tensor)) {
        s = nest(c, rhs, target);
    } else {
        const struct cin *value = expression(c, rhs);
        bool kept = rhs->kind == TIN_OP && rhs->op == OP_KEEP;
        s = kept ? cin_assign_kept(cx, unused_var_name(c, "t"), target, value)
                 : cin_assign(cx, statement->op, target, value);
        s = around(c, s, 0);
    }
    for (int i = lhs->indices; i-- > 0;)
        s = has_loop(target, i) ? cin_forall_inside(cx, target->index[i], s) : s;
    for (size_t i = 0; i < c->bound.n; i++)
        vec_push(cx->arena, &c->used, c->bound.at[i]);
    c->bound.n = c->renaming.n = 0;
    return s;
}

const struct cin_program *cin_concretize(struct context *cx, const struct tin *all)
{
    struct concretizer c = {.cx = cx, .statement = all};
    int n = tin_statements(all);
    const struct cin *s = NULL;
    const struct tensor_var **result = arena_array(cx->arena, const struct tensor_var *, n);
    add_literals(&c, all);
    for (int i = 0; i < n; i++) {
        const struct tin *one = tin_statement(all, i);
        const struct cin *loops = assignment(&c, one);
        s = s ? cin_multi(cx, s, loops) : loops;
        result[i] = one->arg[0]->tensor;
    }
    struct cin_program *program = arena_make(cx->arena, struct cin_program);
    program->statement = s;
    program->result = result[0];
    program->other = result + 1;
    program->others = n - 1;
    program->relation = c.relation.at;
    program->relations = (int)c.relation.n;
    program->accumulates = result[0]->held;
    return program;
}
