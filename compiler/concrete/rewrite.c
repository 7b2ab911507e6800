/* rewrite.c - replaces and simplifies concrete index notation.
 *
 * Simplification asks the table of operators (op.def) for identities and annihilators, and tensors
 * for their fill values.  It names only two operators: select, which a constant condition decides,
 * and stored, which is true of a present operand.  It applies no rule that would change the type
 * of an expression.  A user's operator is simplified by its declared laws, and with a constant
 * operand also by the laws of its body.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/base/vec.h"
#include "compiler/concrete/concrete.h"

const struct cin *cin_replace(struct context *cx, const struct cin *in, const struct cin *from,
                              const struct cin *to)
{
    if (in == from)
        return to;
    if (!in->args)
        return in;
    const struct cin *arg[CIN_ARGS_MAX];
    for (int i = 0; i < in->args; i++)
        arg[i] = cin_replace(cx, in->arg[i], from, to);
    return cin_with_args(cx, in, arg);
}

const struct cin *cin_with_fills(struct context *cx, const struct cin *in,
                                 const struct cin_list *absent)
{
    if (in->kind == CIN_ACCESS)
        return cin_list_has(absent, in) ? cin_literal(cx, in->tensor->fill) : in;
    const struct cin *arg[CIN_ARGS_MAX];
    for (int i = 0; i < in->args; i++)
        arg[i] =
            in->kind == CIN_ASSIGN && i == 0 ? in->arg[i] : cin_with_fills(cx, in->arg[i], absent);
    return in->args ? cin_with_args(cx, in, arg) : in;
}

const struct cin *cin_rename(struct context *cx, const struct cin *in, const struct index_var *from,
                             const struct index_var *to)
{
    const struct cin *arg[CIN_ARGS_MAX];
    const struct index_var **index = arena_array(cx->arena, const struct index_var *, in->indices);
    for (int i = 0; i < in->args; i++)
        arg[i] = cin_rename(cx, in->arg[i], from, to);
    for (int i = 0; i < in->indices; i++)
        index[i] = in->index[i] == from ? to : in->index[i];
    if (in->kind == CIN_ACCESS)
        return cin_access(cx, in->tensor, index, in->indices);
    return in->kind == CIN_FORALL ? cin_forall(cx, index[0], arg[0]) : cin_with_args(cx, in, arg);
}

/* The statement that stays in a loop, and the producers that leave it. */
struct moving {
    struct context *cx;
    const struct index_var *var;
    struct cin_list kept, outside; /* producers */
};

/* Does the producer read a tensor that one of the others makes? */
static bool reads_any(struct context *cx, const struct cin *producer, const struct cin_list *others)
{
    bool reads = false;
    for (size_t i = 0; i < others->n && !reads; i++) {
        struct cin_list made = cin_assignments(cx, others->at[i]);
        for (size_t k = 0; k < made.n && !reads; k++)
            reads = cin_uses_tensor(producer, made.at[k]->arg[0]->tensor);
    }
    return reads;
}

/* Returns s without the wheres that move.  A single assignment costs nothing where it is. */
static const struct cin *take_out(struct moving *m, const struct cin *s)
{
    if (s->kind != CIN_WHERE)
        return s;
    bool kept = s->arg[1]->kind == CIN_ASSIGN || cin_uses_var(s->arg[1], m->var)
                || reads_any(m->cx, s->arg[1], &m->kept);
    cin_list_add(m->cx, kept ? &m->kept : &m->outside, s->arg[1]);
    const struct cin *consumer = take_out(m, s->arg[0]);
    return kept ? cin_where(m->cx, consumer, s->arg[1]) : consumer;
}

const struct cin *cin_forall_inside(struct context *cx, const struct index_var *var,
                                    const struct cin *s)
{
    struct moving m = {.cx = cx, .var = var};
    s = cin_forall(cx, var, take_out(&m, s));
    while (m.outside.n > 0)
        s = cin_where(cx, s, m.outside.at[--m.outside.n]);
    return s;
}

static bool all_literal(const struct cin *cin)
{
    for (int i = 0; i < cin->args; i++)
        if (cin->arg[i]->kind != CIN_LITERAL)
            return false;
    return true;
}

static void operand_types(const struct cin *op, enum type *type)
{
    for (int i = 0; i < op->args; i++)
        type[i] = op->arg[i]->type;
}

/* Returns a literal operand's value in the operator's type. */
static struct value operand_value(const struct cin *op, int i)
{
    enum type type[3];
    operand_types(op, type);
    bool condition = op->op == OP_SELECT && i == 0;
    return value_convert(op->arg[i]->value,
                         condition ? TYPE_BOOL : operator_compute_type(op->op, type));
}

static const struct cin *fold(struct context *cx, const struct cin *op)
{
    struct value operand[3];
    for (int i = 0; i < op->args; i++)
        operand[i] = operand_value(op, i);
    return cin_literal(cx, value_convert(operator_fold(cx, op->op, operand), op->type));
}

static const struct cin *simplify_op(struct context *cx, const struct cin *op,
                                     const struct cin_list *unsure);

struct cin_list cin_constants(struct context *cx, const struct cin *cin,
                              const struct cin_list *unsure)
{
    const struct cin_list sure = {0};
    struct cin_list found = {0}, form[3] = {{0}};
    if (cin->kind == CIN_LITERAL)
        cin_list_add(cx, &found, cin);
    if (cin->kind == CIN_ACCESS && cin_list_has(unsure, cin))
        cin_list_add(cx, &found, cin_literal(cx, cin->tensor->fill));
    if (cin->kind != CIN_OP)
        return found;
    size_t forms = 1;
    for (int i = 0; i < cin->args; i++) {
        form[i] = cin_constants(cx, cin->arg[i], unsure);
        cin_list_add(cx, &form[i], cin->arg[i]);
        forms *= form[i].n;
    }
    for (size_t n = 0; n < forms; n++) {
        const struct cin *arg[CIN_ARGS_MAX];
        size_t rest = n;
        for (int i = 0; i < cin->args; i++) {
            arg[i] = form[i].at[rest % form[i].n];
            rest /= form[i].n;
        }
        const struct cin *simple = simplify_op(cx, cin_with_args(cx, cin, arg), &sure);
        if (simple->kind == CIN_LITERAL)
            cin_list_add(cx, &found, simple);
    }
    return found;
}

/* A temporary that may be absent counts as any number, zero too, since sums do. */
static bool is_any_number(const struct cin *cin, void *data)
{
    return cin->kind == CIN_ACCESS && cin->tensor->temporary && cin_list_has(data, cin);
}

/* Does every constant that the other operand may be give this constant? */
static bool absorbs_all(struct context *cx, const struct cin *op, enum op_side side,
                        const struct cin *constant, const struct cin_list *unsure)
{
    if (!unsure->n)
        return true;
    struct cin_list others = cin_constants(cx, op->arg[!side], unsure);
    if (cin_any(op->arg[!side], is_any_number, (void *)unsure))
        cin_list_add(cx, &others, cin_literal(cx, value_zero(op->arg[!side]->type)));
    for (size_t i = 0; i < others.n; i++) {
        const struct cin *arg[2];
        arg[side] = op->arg[side];
        arg[!side] = others.at[i];
        if (!cin_alike(fold(cx, cin_with_args(cx, op, arg)), constant))
            return false;
    }
    return true;
}

/* Returns the other operand if the one on this side is an identity literal, and the constant if it
 * is an annihilator. */
static const struct cin *fold_side(struct context *cx, const struct cin *op, enum op_side side,
                                   const struct cin_list *unsure)
{
    const struct cin *literal = op->arg[side], *other = op->arg[!side];
    if (literal->kind != CIN_LITERAL)
        return op;
    struct value value = operand_value(op, side), constant;
    if (operator_absorbs(cx, op->op, side, value, &constant)) {
        const struct cin *absorbed = cin_literal(cx, value_convert(constant, op->type));
        return absorbs_all(cx, op, side, absorbed, unsure) ? absorbed : op;
    }
    return other->type == op->type && operator_is_identity(cx, op->op, side, value) ? other : op;
}

static const struct cin *choose(struct context *cx, const struct cin *op)
{
    const struct cin *condition = op->arg[0], *then = op->arg[1], *otherwise = op->arg[2];
    const struct cin *chosen = then == otherwise                ? then
                               : condition->kind != CIN_LITERAL ? NULL
                               : value_truth(condition->value)  ? then
                                                                : otherwise;
    if (!chosen)
        return op;
    if (chosen->kind == CIN_LITERAL)
        return cin_literal(cx, value_convert(chosen->value, op->type));
    return chosen->type == op->type ? chosen : op;
}

/* Writes the operator's body over the operands. */
static const struct cin *write_out(struct context *cx, const struct op_tree *tree,
                                   const struct cin *const *operand)
{
    const struct cin *arg[CIN_ARGS_MAX];
    if (tree->op == OP_NONE)
        return tree->parameter < 0 ? cin_literal(cx, tree->value) : operand[tree->parameter];
    for (int i = 0; i < tree->args; i++)
        arg[i] = write_out(cx, tree->arg[i], operand);
    return cin_op(cx, tree->op, arg, tree->args);
}

/* Returns the constant, or the operand, that a user's operator with a constant operand equals. */
static const struct cin *written_out(struct context *cx, const struct cin *op,
                                     const struct cin_list *unsure)
{
    enum type type[3];
    const struct cin *operand[3];
    bool some = false, all = true;
    operand_types(op, type);
    enum type computed = operator_compute_type(op->op, type);
    for (int i = 0; i < op->args; i++) {
        bool literal = op->arg[i]->kind == CIN_LITERAL;
        some |= literal;
        all &= literal || type[i] == computed;
        operand[i] = literal ? cin_literal(cx, operand_value(op, i)) : op->arg[i];
    }
    if (!some || !all)
        return op;
    const struct cin *simple = cin_simplify_unsure(
        cx, write_out(cx, operator_user(cx, op->op)->body[computed], operand), unsure);
    bool is_simple = simple->kind == CIN_LITERAL;
    for (int i = 0; i < op->args; i++)
        is_simple |= simple == operand[i];
    return is_simple && simple->type == op->type ? simple : op;
}

/* Simplifies a user's operator, once for each expression. */
static const struct cin *simplify_user(struct context *cx, const struct cin *op,
                                       const struct cin_list *unsure)
{
    VEC(uintptr_t) word = {0};
    vec_push(cx->arena, &word, (uintptr_t)op);
    for (size_t i = 0; i < unsure->n; i++)
        if (cin_contains(op, unsure->at[i]))
            vec_push(cx->arena, &word, (uintptr_t)unsure->at[i]);
    const void **simple = table_made(cx->arena, &cx->simple, word.at, word.n);
    if (!*simple)
        *simple = written_out(cx, op, unsure);
    return *simple;
}

/* stored(A(i,j)) is true where A(i,j) is present.  If literals index A, the kernel locates the
 * component before all loops, and only it knows the answer. */
static const struct cin *simplify_stored(struct context *cx, const struct cin *op,
                                         const struct cin_list *unsure)
{
    const struct cin *access = op->arg[0];
    bool known = !cin_list_has(unsure, access);
    for (int i = 0; i < access->indices; i++)
        known &= !index_var_is_fixed(access->index[i]);
    return known ? cin_literal(cx, value_int(TYPE_BOOL, 1)) : op;
}

static const struct cin *simplify_op(struct context *cx, const struct cin *op,
                                     const struct cin_list *unsure)
{
    if (op->op == OP_KEEP) /* the condition belongs to the assignment */
        return op;
    if (all_literal(op))
        return fold(cx, op);
    if (op->op == OP_STORED)
        return simplify_stored(cx, op, unsure);
    if (op->op == OP_SELECT)
        return choose(cx, op);
    if (op->args != 2)
        return op_is_user(op->op) ? simplify_user(cx, op, unsure) : op;
    const struct cin *simple = fold_side(cx, op, SIDE_LEFT, unsure);
    if (simple == op)
        simple = fold_side(cx, op, SIDE_RIGHT, unsure);
    if (simple == op && op_idempotent(op->op) && op->arg[0] == op->arg[1]
        && op->arg[0]->type == op->type)
        return op->arg[0];
    return simple == op && op_is_user(op->op) ? simplify_user(cx, op, unsure) : simple;
}

/* Does the assignment store the value that is there, y(i) = y_before(i)? */
static bool is_what_was(const struct cin *assign)
{
    const struct cin *target = assign->arg[0], *value = assign->arg[1];
    const struct tensor_var *result =
        target->tensor->viewed ? target->tensor->viewed : target->tensor;
    bool same = assign->op == OP_NONE && result->held && value->kind == CIN_ACCESS
                && value->tensor->before == result;
    for (int i = 0; i < target->indices && same; i++)
        same = target->index[i] == value->index[i];
    return same;
}

/* Does the target hold arbitrary values before it is assigned? */
static bool holds_anything(const struct cin *assign)
{
    return assign->arg[0]->tensor->held || (assign->args > 2 && !assign->arg[2]->tensor->filled);
}

/* A tensor holds its fill before it is assigned to, and combining with an operator's identity
 * changes nothing; nor does storing the value that is there.  An assignment at the components of a
 * tensor has no effect where that has none, but an update has one unless it assigns the fill. */
static const struct cin *simplify_assign(struct context *cx, const struct cin *assign)
{
    const struct tensor_var *tensor = assign->arg[0]->tensor;
    const struct cin *value = assign->arg[1];
    bool nowhere = assign->args > 2 && assign->arg[2]->kind == CIN_LITERAL;
    if ((nowhere && !tensor_var_is_updated(tensor)) || is_what_was(assign))
        return cin_nothing(cx);
    if (cin_kept(assign))
        return cin_simplify_kept(cx, assign);
    if (value->kind != CIN_LITERAL)
        return assign;
    struct value stored = value_convert(value->value, tensor->type), neutral = tensor->fill;
    bool exact = value_equal(value_convert(stored, value->type), value->value);
    if (assign->op == OP_NONE && !nowhere && holds_anything(assign))
        return assign;
    if (assign->op != OP_NONE
        && !(exact && operator_identity(cx, assign->op, SIDE_RIGHT, tensor->type, &neutral)))
        return assign;
    return value_equal(stored, neutral) ? cin_nothing(cx) : assign;
}

bool cin_any_absent(struct context *cx, const struct cin_list *operands,
                    bool (*holds)(const struct cin_list *absent, void *data), void *data)
{
    enum { OPERANDS_MAX = 8 };
    if (operands->n > OPERANDS_MAX)
        return true;
    for (unsigned set = 0; set < 1U << operands->n; set++) {
        struct cin_list absent = {0};
        for (size_t i = 0; i < operands->n; i++)
            if (set >> i & 1)
                vec_push(cx->arena, &absent, operands->at[i]);
        if (holds(&absent, data))
            return true;
    }
    return false;
}

bool cin_is_decided(const struct cin *assign)
{
    return assign->kind == CIN_NOTHING || assign->arg[1]->kind == CIN_LITERAL;
}

bool cin_may_be_nothing(struct context *cx, const struct cin *assign, const struct cin_list *unsure)
{
    struct cin_list values = cin_constants(cx, assign->arg[1], unsure);
    bool may = cin_kept(assign) != NULL;
    for (size_t i = 0; i < values.n && !may; i++) {
        const struct cin *arg[3] = {assign->arg[0], values.at[i],
                                    assign->args > 2 ? assign->arg[2] : NULL};
        may = simplify_assign(cx, cin_with_args(cx, assign, arg))->kind == CIN_NOTHING;
    }
    return may;
}

/* Is the result that the statement assigns dense, if it assigns one? */
static bool makes_dense(const struct cin_list *made)
{
    bool makes = false;
    for (size_t i = 0; i < made->n; i++) {
        const struct tensor_var *target = made->at[i]->arg[0]->tensor;
        if (!target->temporary && !format_is_dense(target->format))
            return false;
        makes |= !target->temporary;
    }
    return makes;
}

const struct cin *cin_unwritten(struct context *cx, const struct cin *consumer,
                                const struct cin *within, const struct cin_list *absent,
                                const struct cin_list *unsure)
{
    struct cin_list read = cin_operands(cx, consumer), made = cin_assignments(cx, within),
                    also = {0};
    bool all = makes_dense(&made);
    for (size_t i = 0; i < unsure->n; i++)
        vec_push(cx->arena, &also, unsure->at[i]);
    for (size_t i = 0; i < read.n; i++) {
        const struct tensor_var *t = read.at[i]->tensor;
        bool waits = t->temporary && all;
        for (size_t k = 0; k < made.n && t->temporary; k++)
            waits |= made.at[k]->arg[0]->tensor == t;
        if (waits)
            cin_list_add(cx, &also, read.at[i]);
    }
    return cin_simplify_unsure(cx, cin_with_fills(cx, consumer, absent), &also);
}

/* If a producer has no effect, its temporaries keep their fills, and the consumer reads these.  The
 * same holds for the consumer of a result into which nothing was computed. */
static const struct cin *read_fills(struct context *cx, const struct cin *consumer,
                                    const struct cin *producer, const struct cin_list *unsure)
{
    struct cin_list made = cin_assignments(cx, producer), read = cin_operands(cx, consumer),
                    absent = {0};
    for (size_t i = 0; i < made.n; i++)
        for (size_t j = 0; j < read.n; j++)
            if (read.at[j]->tensor == made.at[i]->arg[0]->tensor)
                vec_push(cx->arena, &absent, read.at[j]);
    return cin_unwritten(cx, consumer, consumer, &absent, unsure);
}

static const struct cin *simplify_where(struct context *cx, const struct cin *where,
                                        const struct cin *const *arg, const struct cin_list *unsure)
{
    if (arg[0]->kind == CIN_NOTHING)
        return arg[0];
    if (arg[1]->kind == CIN_NOTHING)
        return read_fills(cx, arg[0], where->arg[1], unsure);
    struct cin_list made = cin_assignments(cx, arg[1]);
    bool needed = false;
    for (size_t i = 0; i < made.n; i++)
        needed |= cin_uses_tensor(arg[0], made.at[i]->arg[0]->tensor);
    return needed ? cin_with_args(cx, where, arg) : arg[0];
}

const struct cin *cin_simplify_with(struct context *cx, const struct cin *cin,
                                    const struct cin *const *arg, const struct cin_list *unsure)
{
    switch (cin->kind) {
    case CIN_LITERAL:
    case CIN_ACCESS:
    case CIN_NOTHING: return cin;
    case CIN_OP: return simplify_op(cx, cin_with_args(cx, cin, arg), unsure);
    case CIN_ASSIGN: return simplify_assign(cx, cin_with_args(cx, cin, arg));
    case CIN_FORALL: return arg[0]->kind == CIN_NOTHING ? arg[0] : cin_with_args(cx, cin, arg);
    case CIN_WHERE: return simplify_where(cx, cin, arg, unsure);
    case CIN_SEQUENCE:
        if (arg[0]->kind == CIN_NOTHING)
            return read_fills(cx, arg[1], cin->arg[0], unsure);
        return arg[1]->kind == CIN_NOTHING ? arg[0] : cin_with_args(cx, cin, arg);
    case CIN_MULTI:
        return arg[0]->kind == CIN_NOTHING   ? arg[1]
               : arg[1]->kind == CIN_NOTHING ? arg[0]
                                             : cin_with_args(cx, cin, arg);
    }
    return cin;
}

const struct cin *cin_simplify_unsure(struct context *cx, const struct cin *cin,
                                      const struct cin_list *unsure)
{
    const struct cin *arg[CIN_ARGS_MAX];
    for (int i = 0; i < cin->args; i++)
        arg[i] = cin_simplify_unsure(cx, cin->arg[i], unsure);
    return cin_simplify_with(cx, cin, arg, unsure);
}

const struct cin *cin_simplify(struct context *cx, const struct cin *cin)
{
    return cin_simplify_unsure(cx, cin, &(struct cin_list){0});
}
