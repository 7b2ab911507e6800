/* oracle.c - evaluating a statement component by component.
 *
 * Two evaluations.  value() gives the number.  shape() says what is known of it without looking at
 * the stored values: a constant, opaque, or unsure; it knows the operators' annihilators and which
 * operand components are stored.  It runs twice: on single components, which says what has to be
 * stored, and with reductions' variables left open, which says what a loop nest over the operands'
 * hierarchies may come across.
 *
 * SPDX-License-Identifier: MIT
 */
#include "tests/oracle/oracle.h"

#include <math.h>

#include "compiler/base/context.h"
#include "tests/oracle/defined.h"
#include "tests/oracle/meaning.h"

struct walk {
    const struct meaning *meaning;
    int64_t at[VARIABLES_MAX]; /* each variable's value; -1: open */
    bool open;                 /* leave reductions' variables open */
};

int64_t oracle_components(const struct oracle_tensor *tensor)
{
    int64_t n = 1;
    for (int m = 0; m < tensor->order; m++)
        n *= tensor->dimension[m];
    return n;
}

int64_t oracle_place(const struct oracle_tensor *tensor, const int64_t *coordinate)
{
    int64_t place = 0;
    for (int m = 0; m < tensor->order; m++)
        place = place * tensor->dimension[m] + coordinate[m];
    return place;
}

/* The next of all combinations of the variables' values; false after the last. */
static bool advance(struct walk *walk, const int *var, int vars)
{
    for (int i = vars - 1; i >= 0; i--) {
        if (++walk->at[var[i]] < walk->meaning->extent[var[i]])
            return true;
        walk->at[var[i]] = 0;
    }
    return false;
}

/* The first one; false if there is none. */
static bool start(struct walk *walk, const int *var, int vars)
{
    bool some = true;
    for (int i = 0; i < vars; i++) {
        walk->at[var[i]] = 0;
        some &= walk->meaning->extent[var[i]] > 0;
    }
    return some;
}

static void coordinates(const struct walk *walk, const struct term *access, int64_t *coordinate)
{
    for (int m = 0; m < access->vars; m++)
        coordinate[m] = walk->at[access->var[m]];
}

/* What is known of a number without looking at the stored values. */
enum shape_kind { SHAPE_CONSTANT, SHAPE_OPAQUE, SHAPE_UNSURE };

struct shape {
    enum shape_kind kind;
    struct number constant;
};

static struct shape shape(struct walk *walk, const struct term *t);

/* ---- numbers ---- */

static struct number value(struct walk *walk, const struct term *t);

static bool is_stored(const struct oracle_tensor *tensor, const int64_t *coordinate);

/* Does multiplying out move factors in or out of a sum here?  That gives the same for finite
 * numbers only. */
static bool distributes(const struct term *t)
{
    if (t->kind == TERM_OP && t->op == OP_MUL)
        return distributes(t->arg[0]) || distributes(t->arg[1]);
    return t->kind == TERM_REDUCE && t->op == OP_ADD;
}

static bool is_infinite(const struct number *n)
{
    bool has_parts = type_is_float(n->type) || type_is_complex(n->type);
    return has_parts && !(isfinite(n->re) && isfinite(n->im));
}

static uint64_t bound_by(const struct term *reduction)
{
    uint64_t bound = 0;
    for (int i = 0; i < reduction->vars; i++)
        bound |= UINT64_C(1) << reduction->var[i];
    return bound;
}

static bool has_infinite_factor(struct walk *walk, const struct term *t, uint64_t bound);

/* In a sum inside of the body: of what its variables go through, or beside them where they go
 * through nothing. */
static bool sums_infinite_factor(struct walk *walk, const struct term *t, uint64_t bound)
{
    bool more = start(walk, t->var, t->vars);
    bool has = !more && has_infinite_factor(walk, t->arg[0], bound | bound_by(t));
    for (; more && !has; more = advance(walk, t->var, t->vars))
        has = has_infinite_factor(walk, t->arg[0], bound);
    return has;
}

/* Is a number that is infinite, a NaN or unknown part of the sum's body, and uses none of the
 * variables bound there?  Applied to the sum of nothing, it makes a NaN; applied to each term,
 * nothing. */
static bool has_infinite_factor(struct walk *walk, const struct term *t, uint64_t bound)
{
    if (!(t->uses & bound)) {
        struct number n = value(walk, t);
        return n.unknown || is_infinite(&n);
    }
    if (t->kind == TERM_REDUCE)
        return sums_infinite_factor(walk, t, bound);
    bool has = false;
    for (int i = 0; i < t->args && !has; i++)
        has = has_infinite_factor(walk, t->arg[i], bound);
    return has;
}

static struct number reduced(struct walk *walk, const struct term *t)
{
    struct reduction reduction = reduction_begin(t->op, t->type);
    bool torn = t->op == OP_ADD && distributes(t->arg[0]);
    bool more = start(walk, t->var, t->vars);
    if (!more && has_infinite_factor(walk, t->arg[0], bound_by(t)))
        return number_unknown(t->type);
    for (; more; more = advance(walk, t->var, t->vars)) {
        struct number term = value(walk, t->arg[0]);
        term.unknown |= torn && is_infinite(&term);
        reduction_add(&reduction, term);
    }
    return reduction_end(&reduction);
}

/* Is nothing stored of what is summed, so that the sum is 0 by every reading?  A component of an
 * operand that is not stored stays 0 whatever it is divided by; 0 / 0 of two such sums is a NaN, in
 * a dense result. */
static bool is_sum_of_nothing(struct walk *walk, const struct term *t)
{
    if (t->kind != TERM_REDUCE)
        return false;
    struct shape s = shape(walk, t);
    return s.kind == SHAPE_CONSTANT && s.constant.re == 0 && s.constant.im == 0;
}

static bool is_dense(const struct oracle_tensor *tensor)
{
    bool any = !tensor->parts && oracle_leading_levels(tensor) == 0;
    for (int k = 0; k < tensor->parts && !any; k++)
        any = is_dense(&tensor->part[k]);
    return any;
}

static struct number value(struct walk *walk, const struct term *t)
{
    struct number arg[3];
    int64_t coordinate[ORDER_MAX];
    switch (t->kind) {
    case TERM_LITERAL: return t->value;
    case TERM_ACCESS:
        coordinates(walk, t, coordinate);
        return number_from(t->tensor->component[oracle_place(t->tensor, coordinate)]);
    case TERM_REDUCE: return reduced(walk, t);
    case TERM_OP: break;
    }
    if (t->op == OP_STORED) {
        coordinates(walk, t->arg[0], coordinate);
        return number_from(value_int(TYPE_BOOL, is_stored(t->arg[0]->tensor, coordinate)));
    }
    bool nothing = (t->op == OP_DIV || t->op == OP_MOD) && is_dense(walk->meaning->result);
    for (int i = 0; i < t->args; i++) {
        arg[i] = value(walk, t->arg[i]);
        nothing = nothing && is_sum_of_nothing(walk, t->arg[i]);
    }
    struct number n = number_apply(t->op, arg);
    if (nothing && n.unknown && type_is_float(n.type))
        n = (struct number){.type = n.type, .re = NAN};
    return n;
}

/* ---- what is stored ---- */

static bool map_value_at(const struct map_expr *map, const int64_t *coordinate, int64_t *value)
{
    int64_t a = 0, b = 0;
    if (map->kind != MAP_MODE && map->kind != MAP_CONSTANT
        && !(map_value_at(map->a, coordinate, &a) && map_value_at(map->b, coordinate, &b)))
        return false;
    switch (map->kind) {
    case MAP_MODE: *value = coordinate[map->mode]; return *value >= 0;
    case MAP_CONSTANT: *value = map->constant; return true;
    case MAP_ADD: *value = a + b; return true;
    case MAP_SUB: *value = a - b; return true;
    case MAP_DIV: *value = a / b - (a % b < 0); return true;
    case MAP_MOD: *value = a % b + (a % b < 0 ? b : 0); return true;
    }
    return false;
}

bool oracle_level_value(const struct oracle_level *level, const int64_t *coordinate, int64_t *value)
{
    return map_value_at(level->map, coordinate, value);
}

int oracle_leading_levels(const struct oracle_tensor *tensor)
{
    int levels = 0;
    for (int l = 0; l < tensor->levels; l++)
        if (!tensor->level[l].full)
            levels = l + 1;
    return levels;
}

bool oracle_agrees(const struct oracle_tensor *tensor, int levels, const int64_t *a,
                   const int64_t *b)
{
    int64_t at_a, at_b;
    for (int l = 0; l < levels; l++)
        if (!oracle_level_value(&tensor->level[l], a, &at_a)
            || !oracle_level_value(&tensor->level[l], b, &at_b) || at_a != at_b)
            return false;
    return true;
}

/* Is something stored at these coordinates, some of which may be open?  Below its last level that
 * leaves coordinates out a tensor has them all; an open coordinate asks for the levels above it
 * only. */
static bool is_stored(const struct oracle_tensor *tensor, const int64_t *coordinate)
{
    int levels = 0;
    int64_t value;
    for (int k = 0; k < tensor->parts; k++)
        if (is_stored(&tensor->part[k], coordinate))
            return true;
    if (tensor->parts)
        return false;
    for (int l = 0; l < tensor->levels && oracle_level_value(&tensor->level[l], coordinate, &value);
         l++)
        if (!tensor->level[l].full)
            levels = l + 1;
    for (int64_t e = 0; e < tensor->entries; e++)
        if (oracle_agrees(tensor, levels, &tensor->coordinate[e * tensor->order], coordinate))
            return true;
    return levels == 0;
}

static bool is_literal(const struct walk *walk, const struct term *access,
                       const struct map_expr *map)
{
    if (map->kind == MAP_MODE)
        return walk->meaning->literal[access->var[map->mode]] >= 0;
    return map->kind == MAP_CONSTANT
           || (is_literal(walk, access, map->a) && is_literal(walk, access, map->b));
}

/* Is the component looked up before all loops, by literals?  Then it is a number like a
 * scalar's, stored or not. */
static bool is_looked_up(const struct walk *walk, const struct term *access,
                         const struct oracle_tensor *tensor)
{
    int level = 0;
    for (int k = 0; k < tensor->parts; k++)
        if (is_looked_up(walk, access, &tensor->part[k]))
            return true;
    while (level < tensor->levels && is_literal(walk, access, tensor->level[level].map))
        level++;
    bool looked_up = level > 0;
    for (; level < tensor->levels; level++)
        looked_up &= tensor->level[level].full;
    return looked_up;
}

static struct shape constant(struct number number)
{
    struct shape s = {number.unknown || number.error > 0 ? SHAPE_UNSURE : SHAPE_CONSTANT, number};
    return s;
}

/* With its variables open or one after the other: constant if nothing adds anything to the
 * identity. */
static struct shape shape_of_reduction(struct walk *walk, const struct term *t)
{
    struct shape result = constant(number_identity(t->op, t->type)), body;
    struct number identity = result.constant;
    bool more = start(walk, t->var, t->vars) || walk->open;
    for (int i = 0; i < t->vars && walk->open; i++)
        walk->at[t->var[i]] = -1;
    for (; more && result.kind != SHAPE_OPAQUE;
         more = !walk->open && advance(walk, t->var, t->vars)) {
        body = shape(walk, t->arg[0]);
        body.constant = number_convert(body.constant, t->type);
        if (body.kind == SHAPE_CONSTANT && !number_same(&body.constant, &identity))
            body.kind = SHAPE_UNSURE;
        if (body.kind != SHAPE_CONSTANT)
            result = body;
    }
    return result;
}

static struct shape shape_of_select(const struct shape *arg, enum type type)
{
    struct shape unsure = {.kind = SHAPE_UNSURE}, opaque = {.kind = SHAPE_OPAQUE}, chosen;
    if (arg[0].kind == SHAPE_CONSTANT) {
        struct number condition = number_convert(arg[0].constant, TYPE_BOOL);
        chosen = arg[condition.bits ? 1 : 2];
        return chosen.kind == SHAPE_CONSTANT ? constant(number_convert(chosen.constant, type))
                                             : chosen;
    }
    bool may_fold = arg[1].kind == SHAPE_CONSTANT && arg[2].kind == SHAPE_CONSTANT;
    struct number yes = number_convert(arg[1].constant, type),
                  no = number_convert(arg[2].constant, type);
    may_fold = may_fold && number_same(&yes, &no);
    for (int i = 0; i < 3; i++)
        may_fold |= arg[i].kind == SHAPE_UNSURE;
    return may_fold ? unsure : opaque;
}

/* Of a user's operator on operands that are constants or opaque, some of them opaque. */
static struct shape shape_of_defined(enum op op, const struct shape *arg, const enum type *types)
{
    struct shape opaque = {.kind = SHAPE_OPAQUE}, unsure = {.kind = SHAPE_UNSURE};
    struct number operand[3], value;
    bool known[3], some = false;
    for (int i = 0; i < op_arity(op); i++) {
        operand[i] = arg[i].constant;
        known[i] = arg[i].kind == SHAPE_CONSTANT;
        some |= known[i];
    }
    enum defined_fold fold =
        some ? defined_folds(op, operand, known, types, &value) : DEFINED_NEVER;
    return fold == DEFINED_NEVER ? opaque : fold == DEFINED_MAYBE ? unsure : constant(value);
}

static struct shape combine(enum op op, const struct shape *arg, const enum type *types, int args)
{
    struct shape result = {.kind = SHAPE_CONSTANT};
    struct number operand[3], absorbed;
    for (int i = 0; i < args; i++) {
        operand[i] = arg[i].constant;
        if (arg[i].kind > result.kind)
            result.kind = arg[i].kind;
    }
    if (result.kind == SHAPE_CONSTANT)
        return constant(number_apply(op, operand));
    for (int i = 0; i < args && op_arity(op) == 2; i++) {
        struct number converted = number_convert(operand[i], number_computed(op, types));
        if (arg[i].kind == SHAPE_CONSTANT && number_absorbs(op, i, &converted, &absorbed))
            return result.kind == SHAPE_UNSURE ? result : constant(absorbed);
    }
    return op_is_user(op) && result.kind == SHAPE_OPAQUE ? shape_of_defined(op, arg, types)
                                                         : result;
}

/* A constant where all coordinates are known; a number among them is looked up ahead. */
static struct shape shape_of_stored(struct walk *walk, const struct term *access)
{
    struct shape unsure = {.kind = SHAPE_UNSURE};
    int64_t coordinate[ORDER_MAX];
    coordinates(walk, access, coordinate);
    bool stored = is_stored(access->tensor, coordinate);
    for (int m = 0; m < access->vars; m++)
        if (walk->meaning->literal[access->var[m]] >= 0 || (stored && coordinate[m] < 0))
            return unsure;
    return constant(number_from(value_int(TYPE_BOOL, stored)));
}

static struct shape shape_of_op(struct walk *walk, const struct term *t)
{
    struct shape arg[3];
    enum type types[3] = {0};
    if (t->op == OP_STORED)
        return shape_of_stored(walk, t->arg[0]);
    for (int i = 0; i < t->args; i++) {
        arg[i] = shape(walk, t->arg[i]);
        types[i] = t->arg[i]->type;
    }
    return t->op == OP_SELECT ? shape_of_select(arg, t->type) : combine(t->op, arg, types, t->args);
}

/* Of a variable that is open, shape() asks only the levels above. */
static struct shape shape(struct walk *walk, const struct term *t)
{
    struct shape opaque = {.kind = SHAPE_OPAQUE};
    int64_t coordinate[ORDER_MAX];
    switch (t->kind) {
    case TERM_LITERAL: return constant(t->value);
    case TERM_ACCESS:
        coordinates(walk, t, coordinate);
        return is_stored(t->tensor, coordinate)   ? opaque
               : is_looked_up(walk, t, t->tensor) ? (struct shape){.kind = SHAPE_UNSURE}
                                                  : constant(number_from(t->tensor->fill));
    case TERM_REDUCE: return shape_of_reduction(walk, t);
    case TERM_OP: break;
    }
    return shape_of_op(walk, t);
}

/* Of a compound assignment, with what the component was before. */
static struct shape shape_of_statement(struct walk *walk, bool stored)
{
    const struct meaning *m = walk->meaning;
    struct shape opaque = {.kind = SHAPE_OPAQUE}, value = shape(walk, m->value);
    struct shape pair[2] = {stored ? opaque : constant(number_from(m->result->fill)), value};
    enum type types[2] = {m->result->type, m->value->type};
    return m->op == OP_NONE ? value : combine(m->op, pair, types, 2);
}

static enum oracle_pattern pattern_of(struct walk *walk, const struct oracle_tensor *result,
                                      bool stored, bool open)
{
    walk->open = open;
    struct shape s = shape_of_statement(walk, stored);
    if (s.kind != SHAPE_CONSTANT)
        return s.kind == SHAPE_OPAQUE ? ORACLE_STORED : ORACLE_MAYBE;
    struct number fill = number_from(result->fill), kept = number_convert(s.constant, result->type);
    struct number back = number_convert(kept, s.constant.type);
    if (kept.unknown)
        return ORACLE_MAYBE;
    if (!number_same(&kept, &fill))
        return ORACLE_STORED;
    return number_same(&back, &s.constant) ? ORACLE_ABSENT : ORACLE_MAYBE;
}

/* ---- the result ---- */

/* What becomes of the component where the statement keeps some: nothing where the condition does
 * not hold, whatever loops come across. */
static void keep(struct walk *walk, struct oracle_component *c)
{
    const struct meaning *m = walk->meaning;
    struct number holds = number_convert(value(walk, m->kept), TYPE_BOOL);
    walk->open = false;
    struct shape known = shape(walk, m->kept);
    struct number folded = number_convert(known.constant, TYPE_BOOL);
    bool sure = !holds.unknown && known.kind != SHAPE_UNSURE
                && !(known.kind == SHAPE_CONSTANT && !number_same(&folded, &holds));
    if (sure && holds.bits)
        return;
    c->number = sure ? number_from(m->result->fill) : number_unknown(m->result->type);
    c->pattern = sure ? ORACLE_ABSENT : ORACLE_MAYBE;
}

static struct oracle_component component(struct walk *walk, bool stored)
{
    const struct meaning *m = walk->meaning;
    const struct oracle_tensor *result = m->result;
    int64_t coordinate[ORDER_MAX];
    for (int i = 0; i < result->order; i++)
        coordinate[i] = walk->at[m->var[i]];
    struct oracle_component c = {.number = value(walk, m->value)};
    stored &= m->op != OP_NONE;
    c.pattern = pattern_of(walk, result, stored, false);
    if (c.pattern == ORACLE_ABSENT
        && (stored || pattern_of(walk, result, stored, true) != ORACLE_ABSENT))
        /* what was stored may stay, whatever its value is now */
        c.pattern = ORACLE_MAYBE;
    if (m->op != OP_NONE) {
        struct number pair[2] = {number_from(result->component[oracle_place(result, coordinate)]),
                                 c.number};
        c.number = number_apply(m->op, pair);
    }
    c.number = number_convert(c.number, result->type);
    if (m->kept)
        keep(walk, &c);
    return c;
}

/* Does the statement assign the component with these coordinates?  Then its variables have these
 * values. */
static bool assigns(struct walk *walk, const int64_t *coordinate)
{
    const struct meaning *m = walk->meaning;
    bool assigned = true;
    for (int i = 0; i < m->result->order; i++)
        walk->at[m->var[i]] = coordinate[i];
    for (int i = 0; i < m->result->order; i++)
        assigned &= walk->at[m->var[i]] == coordinate[i];
    for (int v = 0; v < m->variables; v++) {
        bool differs = m->literal[v] >= 0 && walk->at[v] != m->literal[v];
        for (int i = 0; i < m->result->order; i++)
            assigned &= !(differs && m->var[i] == v);
        walk->at[v] = m->literal[v] >= 0 ? m->literal[v] : walk->at[v];
    }
    return assigned;
}

/* A component that is not assigned: what it was, if that counts, else the fill. */
static struct oracle_component other(const struct oracle_tensor *result, const int64_t *coordinate,
                                     bool held, bool stored)
{
    struct oracle_component c = {.pattern = held && stored ? ORACLE_STORED : ORACLE_ABSENT};
    c.number =
        number_from(held ? result->component[oracle_place(result, coordinate)] : result->fill);
    return c;
}

static bool next(const struct oracle_tensor *tensor, int64_t *coordinate)
{
    for (int m = tensor->order - 1; m >= 0; m--) {
        if (++coordinate[m] < tensor->dimension[m])
            return true;
        coordinate[m] = 0;
    }
    return false;
}

struct oracle_result oracle_evaluate(struct context *cx, const struct tin *statement,
                                     const struct oracle_input *input)
{
    struct oracle_result out = {0};
    struct walk *walk = arena_make(cx->arena, struct walk);
    const struct oracle_tensor *result = &input->tensor[0];
    walk->meaning = meaning_of(cx, statement, input, &out.refusal);
    if (!walk->meaning)
        return out;
    int64_t coordinate[ORDER_MAX] = {0}, n = 0;
    out.components = oracle_components(result);
    out.at = arena_array(cx->arena, struct oracle_component, out.components);
    bool held = tin_reads_result(statement);
    for (bool more = out.components > 0; more; more = next(result, coordinate)) {
        bool stored = is_stored(result, coordinate);
        out.at[n++] = assigns(walk, coordinate) ? component(walk, stored)
                                                : other(result, coordinate, held, stored);
    }
    return out;
}
