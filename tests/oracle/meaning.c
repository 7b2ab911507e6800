/* meaning.c - from a parsed statement to one whose sums are explicit.
 *
 * The Einstein rule (docs/language.md), by where a variable v that is neither on the left nor bound
 * is used:
 *
 *   e + f, e - f, -e     each operand is summed by itself
 *   e * f                used by one factor: that factor is summed by itself; shared by both:
 *                        summed over the product, which has to be what expanding the product gives:
 *                        some factor uses v in all of its terms; else the statement is ambiguous
 *   e / f                used by f: summed over the quotient; by e alone: e is summed by itself
 *   a reduction          its body is summed; it binds no name that is bound around it
 *   anything else        summed over it from outside, but for a variable that is used in one
 *                        reduction only; some term of an operand that does not use it makes the
 *                        statement ambiguous, as it does in the quotient by v
 *
 * Then the types: a literal takes that of what it is combined with, and a sum or product is carried
 * out in the type in which its body and the statement's result meet.
 *
 * SPDX-License-Identifier: MIT
 */
#include "tests/oracle/meaning.h"

#include <string.h>

#include "compiler/base/context.h"
#include "tests/oracle/defined.h"
#include "tests/oracle/number_parts.h"

struct scope {
    const char *name;
    int variable;
    struct scope *outer;
};

struct reader {
    struct context *cx;
    const struct oracle_input *input;
    struct meaning *meaning;
    struct scope *scope;             /* innermost binding first */
    struct scope *free;              /* names that nothing binds */
    const char *name[VARIABLES_MAX]; /* of each variable */
    const char *why;
};

static struct term *refuse(struct reader *r, const char *why)
{
    if (!r->why)
        r->why = why;
    return NULL;
}

static uint64_t bit(int variable) { return UINT64_C(1) << variable; }

/* ---- names ---- */

static struct scope *bind(struct reader *r, struct scope *outer, const char *name)
{
    struct scope *scope = arena_make(r->cx->arena, struct scope);
    scope->name = name;
    scope->outer = outer;
    if (r->meaning->variables == VARIABLES_MAX)
        refuse(r, "too many index variables");
    else
        scope->variable = r->meaning->variables++;
    r->meaning->extent[scope->variable] = r->meaning->literal[scope->variable] = -1;
    r->name[scope->variable] = name;
    return scope;
}

static const struct scope *find(const struct scope *scope, const char *name)
{
    while (scope && strcmp(scope->name, name) != 0)
        scope = scope->outer;
    return scope;
}

static int variable_of(struct reader *r, const char *name)
{
    const struct scope *found = find(r->scope, name);
    if (!found)
        found = find(r->free, name);
    if (!found)
        found = r->free = bind(r, r->free, name);
    return found->variable;
}

/* A literal is a variable by a name of its own. */
static int index_of(struct reader *r, const struct index_var *var, int64_t size)
{
    int v = variable_of(r, var->name);
    if (var->literal) {
        r->meaning->literal[v] = var->value;
        if (var->value >= size)
            refuse(r, "an index beyond the size");
    }
    return v;
}

static void set_extent(struct reader *r, int variable, int64_t size)
{
    int64_t *extent = &r->meaning->extent[variable];
    if (*extent >= 0 && *extent != size)
        refuse(r, "sizes disagree");
    *extent = size;
}

/* Variables of one name have one size, whatever binds them. */
static void share_extents(struct reader *r)
{
    struct meaning *m = r->meaning;
    for (int i = 0; i < r->input->sizes; i++)
        for (int v = 0; v < m->variables; v++)
            if (strcmp(r->name[v], r->input->size[i].var) == 0)
                set_extent(r, v, r->input->size[i].size);
    for (int v = 0; v < m->variables; v++)
        for (int w = 0; w < m->variables; w++)
            if (strcmp(r->name[v], r->name[w]) == 0 && m->extent[w] >= 0)
                set_extent(r, v, m->extent[w]);
    for (int v = 0; v < m->variables; v++)
        if (m->extent[v] < 0)
            refuse(r, "a variable of no known size");
}

static const struct oracle_tensor *tensor_named(struct reader *r, const char *name, int order)
{
    for (int i = 0; i < r->input->tensors; i++)
        if (strcmp(r->input->tensor[i].name, name) == 0 && r->input->tensor[i].order == order)
            return &r->input->tensor[i];
    refuse(r, "a tensor that is not declared, or has another order");
    return NULL;
}

/* ---- terms ---- */

static struct term *new_term(struct reader *r, enum term_kind kind, enum type type)
{
    struct term *t = arena_make(r->cx->arena, struct term);
    t->kind = kind;
    t->type = type;
    return t;
}

static struct term *new_op(struct reader *r, enum op op, struct term *const *arg, int args)
{
    struct term *t = new_term(r, TERM_OP, TYPE_F64);
    t->op = op;
    t->args = args;
    for (int i = 0; i < args; i++) {
        t->arg[i] = arg[i];
        t->uses |= arg[i]->uses;
    }
    return t;
}

/* No reduction in the term may bind a name that one of these variables has. */
static void check_bindings(struct reader *r, const struct term *t, uint64_t taken)
{
    for (int i = 0; i < t->vars && t->kind == TERM_REDUCE; i++)
        for (int v = 0; v < VARIABLES_MAX; v++)
            if (taken & bit(v) && strcmp(r->name[v], r->name[t->var[i]]) == 0)
                refuse(r, "a reduction over a variable that is bound around it");
    for (int i = 0; i < t->args; i++)
        check_bindings(r, t->arg[i], taken);
}

/* A reduction of body over a set of variables; body itself if there is none. */
static struct term *new_reduce(struct reader *r, enum op op, uint64_t over, struct term *body)
{
    if (!over)
        return body;
    check_bindings(r, body, over);
    struct term *t = new_term(r, TERM_REDUCE, TYPE_F64);
    t->op = op;
    for (int v = 0; v < VARIABLES_MAX; v++)
        if (over & bit(v))
            t->var[t->vars++] = v;
    t->uses = body->uses & ~over;
    t->args = 1;
    t->arg[0] = body;
    return t;
}

static struct term *read_term(struct reader *r, const struct tin *tin);

static struct term *read_access(struct reader *r, const struct tin *tin)
{
    const struct oracle_tensor *tensor = tensor_named(r, tin->tensor->name, tin->indices);
    if (!tensor)
        return NULL;
    struct term *t = new_term(r, TERM_ACCESS, tensor->type);
    t->tensor = tensor;
    t->vars = tin->indices;
    for (int m = 0; m < tin->indices; m++) {
        t->var[m] = index_of(r, tin->index[m], tensor->dimension[m]);
        t->uses |= tin->index[m]->literal ? 0 : bit(t->var[m]);
        set_extent(r, t->var[m], tensor->dimension[m]);
        if (tensor == r->input->tensor && t->var[m] != r->meaning->var[m])
            return refuse(r, "the result is read at another component");
    }
    return t;
}

/* A user's operator has another number in the statement. */
static enum op op_of(struct reader *r, const struct tin *tin)
{
    enum op op = tin->op;
    if (tin->name && !defined_named(tin->name, &op))
        refuse(r, "an operator that is not in the table");
    return op;
}

static struct term *read_reduce(struct reader *r, const struct tin *tin)
{
    struct scope *outer = r->scope;
    uint64_t bound = 0;
    for (int i = 0; i < tin->indices; i++) {
        r->scope = bind(r, r->scope, tin->index[i]->name);
        bound |= bit(r->scope->variable);
    }
    struct term *body = read_term(r, tin->arg[0]);
    r->scope = outer;
    if (!body)
        return NULL;
    return r->why ? NULL : new_reduce(r, op_of(r, tin), bound, body);
}

static struct term *read_term(struct reader *r, const struct tin *tin)
{
    struct term *arg[3] = {0}, *t;
    switch (tin->kind) {
    case TIN_LITERAL:
        t = new_term(r, TERM_LITERAL, tin->value.type);
        t->value = number_from(tin->value);
        return t;
    case TIN_ACCESS: return read_access(r, tin);
    case TIN_REDUCE: return read_reduce(r, tin);
    case TIN_OP:
        for (int i = 0; i < tin->args; i++)
            if (!(arg[i] = read_term(r, tin->arg[i])))
                return NULL;
        return new_op(r, op_of(r, tin), arg, tin->args);
    case TIN_ASSIGN:
    case TIN_MULTI: break;
    }
    return refuse(r, "an assignment inside an expression");
}

/* ---- the Einstein rule ---- */

static bool is_op(const struct term *t, enum op op) { return t->kind == TERM_OP && t->op == op; }

static bool in_every_term(const struct term *t, int v);

static bool has_tensor(const struct term *t)
{
    for (int i = 0; i < t->args; i++)
        if (has_tensor(t->arg[i]))
            return true;
    return t->kind == TERM_ACCESS;
}

/* Operands that are literals aside. */
static bool in_every_operand(const struct term *t, int v)
{
    for (int i = 0; i < t->args; i++)
        if (has_tensor(t->arg[i]) && !in_every_term(t->arg[i], v))
            return false;
    return true;
}

/* Does every term of t, multiplied out, use v? */
static bool in_every_term(const struct term *t, int v)
{
    if (!(t->uses & bit(v)))
        return false;
    if (is_op(t, OP_ADD) || is_op(t, OP_SUB))
        return in_every_term(t->arg[0], v) && in_every_term(t->arg[1], v);
    if (is_op(t, OP_MUL))
        return in_every_term(t->arg[0], v) || in_every_term(t->arg[1], v);
    if (is_op(t, OP_NEG))
        return in_every_term(t->arg[0], v);
    if (is_op(t, OP_DIV) && !(t->arg[1]->uses & bit(v)))
        return in_every_term(t->arg[0], v);
    return in_every_operand(t, v);
}

/* Is v used in one reduction only, below operators of any kind? */
static bool in_one_reduction(const struct term *t, int v)
{
    int users = 0, last = 0;
    for (int i = 0; i < t->args; i++)
        if (t->arg[i]->uses & bit(v))
            users++, last = i;
    return t->kind == TERM_REDUCE
           || (t->kind == TERM_OP && users == 1 && in_one_reduction(t->arg[last], v));
}

static struct term *sum(struct reader *r, struct term *t, uint64_t over);

/* The operator over its operands, each summed over those of the variables that it uses. */
static struct term *sum_operands(struct reader *r, const struct term *t, uint64_t over)
{
    struct term *arg[3];
    for (int i = 0; i < t->args; i++)
        if (!(arg[i] = sum(r, t->arg[i], over)))
            return NULL;
    return new_op(r, t->op, arg, t->args);
}

/* The smallest product of all factors of t that use v, or the one factor that does; minus signs
 * are no factors. */
static const struct term *home_of(const struct term *t, int v)
{
    while (is_op(t, OP_MUL) || is_op(t, OP_NEG)) {
        bool left = t->arg[0]->uses & bit(v), right = t->args > 1 && t->arg[1]->uses & bit(v);
        if (left && right)
            break;
        t = t->arg[left ? 0 : 1];
    }
    return t;
}

/* Variables that both sides share are summed over the product, and with them those whose own sum,
 * of a product or of a tensor, would use a shared one: B(i,k,l)*C(k,r)*D(l,r) is one sum over k
 * and l. */
static uint64_t shared_vars(const struct term *t, uint64_t over)
{
    uint64_t shared = over & t->arg[0]->uses & t->arg[1]->uses, before = 0;
    while (shared && shared != before) {
        before = shared;
        for (int v = 0; v < VARIABLES_MAX; v++) {
            const struct term *home = over & bit(v) ? home_of(t, v) : NULL;
            bool moves =
                home && (home->kind == TERM_ACCESS || is_op(home, OP_MUL) || is_op(home, OP_NEG));
            if (moves && home->uses & before)
                shared |= bit(v);
        }
    }
    return shared;
}

static struct term *sum_product(struct reader *r, struct term *t, uint64_t over)
{
    uint64_t shared = shared_vars(t, over);
    for (int v = 0; v < VARIABLES_MAX; v++)
        if (shared & bit(v) && !in_every_term(t, v))
            return refuse(r, "ambiguous: expanding the product gives another value");
    struct term *product = sum_operands(r, t, over & ~shared);
    return product ? new_reduce(r, OP_ADD, shared, product) : NULL;
}

/* Summed from outside over those of the variables that are not used in one reduction only. */
static struct term *sum_outside(struct reader *r, struct term *t, uint64_t over)
{
    uint64_t outside = 0;
    for (int v = 0; v < VARIABLES_MAX; v++)
        if (over & bit(v) && !in_one_reduction(t, v))
            outside |= bit(v);
    for (int v = 0; v < VARIABLES_MAX; v++)
        if (outside & bit(v) && !in_every_operand(t, v))
            return refuse(r, "ambiguous: a part of an operand would not be summed inside");
    struct term *inner = t->kind == TERM_OP ? sum_operands(r, t, over & ~outside) : t;
    return inner ? new_reduce(r, OP_ADD, outside, inner) : NULL;
}

static struct term *sum_quotient(struct reader *r, struct term *t, uint64_t over)
{
    uint64_t below = over & t->arg[1]->uses, above = over & ~below;
    struct term *dividend = sum(r, t->arg[0], above);
    if (!dividend)
        return NULL;
    struct term *arg[2] = {dividend, t->arg[1]};
    return sum_outside(r, new_op(r, OP_DIV, arg, 2), below);
}

static struct term *sum_body(struct reader *r, struct term *t, uint64_t over)
{
    uint64_t bound = 0;
    for (int i = 0; i < t->vars; i++)
        bound |= bit(t->var[i]);
    struct term *body = sum(r, t->arg[0], over);
    return body ? new_reduce(r, t->op, bound, body) : NULL;
}

/* t summed over those of the variables that it uses. */
static struct term *sum(struct reader *r, struct term *t, uint64_t over)
{
    over &= t->uses;
    if (!over)
        return t;
    if (t->kind == TERM_REDUCE)
        return sum_body(r, t, over);
    if (is_op(t, OP_ADD) || is_op(t, OP_SUB) || is_op(t, OP_NEG))
        return sum_operands(r, t, over);
    if (is_op(t, OP_MUL))
        return sum_product(r, t, over);
    if (is_op(t, OP_DIV))
        return sum_quotient(r, t, over);
    return sum_outside(r, t, over);
}

/* ---- types ---- */

/* A literal that meets `beside` becomes a number of this type. */
static enum type settled(enum type literal, enum type beside)
{
    enum type_kind kind = type_kind(beside);
    switch (type_kind(literal)) {
    case KIND_BOOL: break;
    case KIND_INT:
    case KIND_UINT: return kind == KIND_BOOL ? literal : beside;
    case KIND_FLOAT: return kind == KIND_FLOAT || kind == KIND_COMPLEX ? beside : TYPE_F64;
    case KIND_COMPLEX: return beside == TYPE_F32 || beside == TYPE_C64 ? TYPE_C64 : TYPE_C128;
    }
    return literal;
}

static void retype(struct reader *r, struct term *t)
{
    enum type types[3] = {0};
    for (int i = 0; i < t->args; i++)
        types[i] = t->arg[i]->type;
    if (!number_result(t->op, types, &t->type))
        refuse(r, "an operator on types that it is not defined for");
}

static void settle_literal(struct reader *r, struct term *t, enum type type)
{
    struct number settled_value = number_convert(t->value, type),
                  back = number_convert(settled_value, t->value.type);
    bool negative = type_kind(t->type) == KIND_INT && (int64_t)t->value.bits < 0;
    bool lost = type_kind(type) == KIND_UINT && negative;
    if (type_is_integer(type) && (lost || !number_same(&back, &t->value)))
        refuse(r, "a literal that its type does not hold");
    t->value = settled_value;
    t->type = type;
}

static bool is_defined(enum op op, enum type type)
{
    enum type same[3] = {type, type, type}, result;
    return number_result(op, same, &result) && result == type;
}

static enum type computed_type(const struct term *t)
{
    enum type types[3] = {0};
    for (int i = 0; i < t->args; i++)
        types[i] = t->arg[i]->type;
    return number_computed(t->op, types);
}

/* Make an expression of literals one of this type; one that is not defined on it is computed in its
 * own, and converted. */
static void settle(struct reader *r, struct term **at, enum type beside)
{
    struct term *t = *at;
    enum type type = settled(t->type, beside);
    if (!t->weak)
        return;
    t->weak = false;
    if (t->kind == TERM_LITERAL) {
        settle_literal(r, t, type);
        return;
    }
    enum type computed = is_defined(t->op, type) ? type : computed_type(t);
    for (int i = t->op == OP_SELECT; i < t->args; i++)
        settle(r, &t->arg[i], computed);
    retype(r, t);
    if (t->type == type)
        return;
    *at = new_op(r, op_conversion(type), at, 1);
    (*at)->type = type;
}

/* Where a value goes: what operations, and what sums, are to have room for. */
struct room {
    enum type operation, sum;
};

static const struct room numbers = {TYPE_I64, TYPE_I64};

static void find_type(struct reader *r, struct term *t, struct room room);

static bool is_float_kind(enum type type) { return type_kind(type) >= KIND_FLOAT; }

static bool grows(enum op op, enum type type)
{
    bool of_truths = op == OP_ADD || op == OP_SUB || op == OP_NEG || op == OP_SHL;
    bool of_numbers = op_is_user(op) || op == OP_MUL || op == OP_DIV || op == OP_ABS
                      || (op >= OP_SQRT && op <= OP_POW);
    return of_truths || (of_numbers && type != TYPE_BOOL);
}

/* The type with at least the room's digits, of the kind that it has. */
static enum type with_room(enum op op, enum type type, enum type room)
{
    enum type wide = type, same[3], result;
    if (!grows(op, type) || room == TYPE_BOOL)
        return type;
    if (number_is_exact(type))
        wide = number_promote(type, number_is_exact(room) ? room : TYPE_I64);
    else if (!number_is_exact(room))
        wide = number_promote(type, type_kind(type) == KIND_FLOAT ? number_real_type(room) : room);
    if (number_is_exact(type) && is_float_kind(wide)) /* a signed type and u64 */
        wide = type == TYPE_U64 ? type : TYPE_I64;
    same[0] = same[1] = same[2] = wide;
    return number_result(op, same, &result) ? wide : type;
}

static struct room room_of_operand(const struct term *t, int i, struct room room)
{
    enum type bools[3] = {0};
    if (op_is_user(t->op))
        return room;
    if ((t->op >= OP_EQ && t->op <= OP_GE) || (t->op == OP_SELECT && i == 0))
        return numbers;
    if ((t->op == OP_SHL || t->op == OP_SHR) && i == 1)
        room.operation = room.sum = TYPE_BOOL;
    if (t->op == OP_AND || t->op == OP_OR || t->op == OP_XOR || t->op == OP_NOT || t->op == OP_CTZ
        || t->op == OP_POPCOUNT)
        room.operation = TYPE_BOOL;
    if (op_converts(t->op) && number_result(t->op, bools, &room.sum))
        room.operation = TYPE_BOOL;
    return room;
}

/* Operands that are not literals become of the type that the value may need. */
static enum type make_room(struct reader *r, struct term *t, enum type beside, enum type room)
{
    enum type types[3] = {TYPE_BOOL, TYPE_BOOL, TYPE_BOOL};
    for (int i = t->op == OP_SELECT; i < t->args; i++)
        types[i] = t->arg[i]->weak ? settled(t->arg[i]->type, beside) : t->arg[i]->type;
    enum type type = number_computed(t->op, types), wide = with_room(t->op, type, room);
    for (int i = 0; i < t->args && wide != type; i++) {
        if (t->arg[i]->weak || t->arg[i]->type == wide)
            continue;
        t->arg[i] = new_op(r, op_conversion(wide), &t->arg[i], 1);
        t->arg[i]->type = wide;
    }
    return wide != type ? wide : beside;
}

static void find_type_of_op(struct reader *r, struct term *t, struct room room)
{
    int first = t->op == OP_SELECT;
    enum type beside = TYPE_BOOL;
    bool all_weak = true;
    for (int i = first; i < t->args; i++) {
        if (t->arg[i]->weak)
            continue;
        all_weak = false;
        beside = number_promote(beside, t->arg[i]->type);
    }
    if (first) /* the condition is by itself */
        settle(r, &t->arg[0], t->arg[0]->type);
    if (!all_weak) {
        beside = make_room(r, t, beside, room.operation);
        enum type same[3] = {beside, beside, beside};
        beside = number_computed(t->op, same);
        for (int i = first; i < t->args; i++)
            settle(r, &t->arg[i], beside);
    }
    retype(r, t);
    t->weak =
        all_weak && t->type != TYPE_BOOL && t->type == computed_type(t) && !op_converts(t->op);
    /* a comparison or conversion of literals, which have nothing else to take a type from */
    if (all_weak && !t->weak) {
        beside = computed_type(t);
        for (int i = first; i < t->args; i++)
            settle(r, &t->arg[i], beside);
        retype(r, t);
    }
}

static enum type added_up_in(enum type type, enum type room)
{
    enum type both = number_promote(type, room);
    return number_is_exact(type) && number_is_exact(room) && is_float_kind(both) ? type : both;
}

static struct room room_of_body(enum op op, struct room room)
{
    if (op == OP_AND || op == OP_OR)
        return numbers;
    if (op == OP_ADD || op == OP_MUL || op_is_user(op))
        room.operation = room.sum;
    if (op == OP_XOR)
        room.operation = TYPE_BOOL;
    return room;
}

static void find_type_of_reduction(struct reader *r, struct term *t, struct room room)
{
    settle(r, &t->arg[0], t->op == OP_OR || t->op == OP_AND ? TYPE_BOOL : room.sum);
    const struct term *body = t->arg[0];
    enum type pair[2] = {body->type, body->type}, result;
    bool logical = t->op == OP_OR || t->op == OP_AND;
    t->type = logical ? TYPE_BOOL : body->type;
    if (t->op == OP_ADD || t->op == OP_MUL || op_is_user(t->op))
        t->type = added_up_in(body->type, room.sum);
    if (op_is_user(t->op))
        pair[0] = pair[1] = t->type;
    if (!logical && !number_result(t->op, pair, &result))
        refuse(r, "a reduction of a type that it is not defined for");
}

static void find_type(struct reader *r, struct term *t, struct room room)
{
    for (int i = 0; i < t->args; i++)
        find_type(r, t->arg[i],
                  t->kind == TERM_OP ? room_of_operand(t, i, room) : room_of_body(t->op, room));
    switch (t->kind) {
    case TERM_LITERAL: t->weak = t->type != TYPE_BOOL; break;
    case TERM_ACCESS: break;
    case TERM_OP: find_type_of_op(r, t, room); break;
    case TERM_REDUCE: find_type_of_reduction(r, t, room); break;
    }
}

static void find_types(struct reader *r)
{
    struct meaning *m = r->meaning;
    enum type pair[2] = {m->result->type, TYPE_BOOL}, result;
    find_type(r, m->value, (struct room){m->result->type, m->result->type});
    settle(r, &m->value, m->result->type);
    pair[1] = m->value->type;
    if (m->op != OP_NONE && !number_result(m->op, pair, &result))
        refuse(r, "a compound assignment of types that it is not defined for");
    else if (type_kind(m->value->type) == KIND_COMPLEX
             && type_kind(m->result->type) != KIND_COMPLEX)
        refuse(r, "a complex value into a result that is not");
}

/* ---- the statement ---- */

/* What decides what is kept: no sum is implied in it, and it goes into nothing. */
static void read_condition(struct reader *r, uint64_t left)
{
    struct meaning *m = r->meaning;
    if (m->op != OP_NONE)
        refuse(r, "keep in a compound assignment");
    if (m->kept->uses & ~left)
        refuse(r, "a sum that is not written in a condition of keep");
    check_bindings(r, m->kept, left);
    find_type(r, m->kept, numbers);
    settle(r, &m->kept, TYPE_BOOL);
}

static void read_result(struct reader *r, const struct tin *access)
{
    struct meaning *m = r->meaning;
    m->result = tensor_named(r, access->tensor->name, access->indices);
    if (!m->result || m->result != r->input->tensor)
        return;
    for (int i = 0; i < access->indices; i++) {
        m->var[i] = index_of(r, access->index[i], m->result->dimension[i]);
        set_extent(r, m->var[i], m->result->dimension[i]);
    }
}

const struct meaning *meaning_of(struct context *cx, const struct tin *statement,
                                 const struct oracle_input *input, const char **why)
{
    struct reader r = {.cx = cx, .input = input};
    struct meaning *m = r.meaning = arena_make(cx->arena, struct meaning);
    m->op = op_of(&r, statement);
    read_result(&r, statement->arg[0]);
    uint64_t left = m->variables ? bit(m->variables) - 1 : 0;
    bool keeps = statement->arg[1]->kind == TIN_OP && statement->arg[1]->op == OP_KEEP;
    const struct tin *value = keeps ? statement->arg[1]->arg[0] : statement->arg[1];
    m->value = r.why ? NULL : read_term(&r, value);
    if (m->value && keeps)
        m->kept = read_term(&r, statement->arg[1]->arg[1]);
    if (m->value && !r.why) {
        share_extents(&r);
        m->value = sum(&r, m->value, m->value->uses & ~left);
    }
    if (m->value && !r.why)
        check_bindings(&r, m->value, left);
    if (m->kept && !r.why)
        read_condition(&r, left);
    if (m->value && !r.why)
        find_types(&r);
    *why = r.why;
    return r.why ? NULL : m;
}
