/* random.c - random cases.
 *
 * Expressions grow from their leaves: each operand and some literals stand in a row, and random
 * neighbours are joined by random operators until one is left.  What could not be compared with
 * certainty is kept rare rather than excluded: values are small whole numbers and halves, so that
 * sums are exact; the oracle says where a right answer is not determined (0 * inf, 0 / 0), and such
 * components are not compared.
 *
 * SPDX-License-Identifier: MIT
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "compiler/base/context.h"
#include "compiler/notation/operator.h"
#include "tests/oracle/defined.h"
#include "tests/oracle/meaning.h"
#include "tests/oracle/number.h"
#include "tests/support/case.h"
#include "tests/support/narrow.h"
#include "tests/support/rng.h"

/* points of the iteration space: the oracle visits them all */
enum { SPACE_MAX = 3000 };

struct grower {
    struct rng rng;
    struct test_case *test;
    int row[CASE_NODES], n;     /* what is still to be joined */
    enum type type[CASE_NODES]; /* of each node */
};

/* The user's operator's place in the case's list, or -1. */
static int place_of(const struct test_case *test, enum op op)
{
    for (int i = 0; i < test->operators; i++)
        if (test->operator[i] == op)
            return i;
    return -1;
}

/* ---- types and values ---- */

static enum type random_type(struct rng *rng)
{
    return rng_percent(rng, 30) ? TYPE_F64 : (enum type)rng_below(rng, TYPE_COUNT);
}

static struct value random_value(struct rng *rng, enum type type, int zero_percent)
{
    int n = 1 + rng_below(rng, 4);
    if (rng_percent(rng, zero_percent))
        n = 0;
    bool negative = rng_percent(rng, 40), half = rng_percent(rng, 15);
    switch (type_kind(type)) {
    case KIND_BOOL:
    case KIND_UINT: return value_int(type, n);
    case KIND_INT: return value_int(type, negative ? -n : n);
    case KIND_FLOAT:
    case KIND_COMPLEX: break;
    }
    double re = (negative ? -n : n) + (half && n ? 0.5 : 0);
    return type_is_complex(type) ? value_complex(type, re, n ? rng_below(rng, 5) - 2 : 0)
                                 : value_real(type, re);
}

static struct value random_fill(struct rng *rng, enum type type)
{
    if (rng_percent(rng, 70))
        return value_zero(type);
    switch (rng_below(rng, 5)) {
    case 0: return value_int(type, 1);
    case 1: return value_highest(type);
    case 2: return value_lowest(type);
    case 3:
        return type_is_float(type) && rng_percent(rng, 30) ? value_real(type, NAN)
                                                           : value_int(type, 1);
    default: return random_value(rng, type, 0);
    }
}

/* ---- formats ---- */

static void random_order(struct rng *rng, int *order, int n)
{
    for (int i = 0; i < n; i++)
        order[i] = i;
    for (int i = n - 1; i > 0 && n > 1; i--) {
        int k = rng_below(rng, i + 1), swap = order[i];
        order[i] = order[k];
        order[k] = swap;
    }
}

static enum type random_width(struct rng *rng)
{
    static const enum type widths[] = {TYPE_COUNT, TYPE_U8, TYPE_U16, TYPE_I32, TYPE_I64, TYPE_U32};
    return rng_percent(rng, 80) ? TYPE_COUNT : widths[rng_below(rng, 6)];
}

/* A format by its name, or one that stores functions of the coordinates. */
static void random_named(struct rng *rng, struct case_tensor *t)
{
    int n = 0;
    while (case_named_format(t->order, n))
        n++;
    if (t->order > 0)
        snprintf(t->named, sizeof t->named, "%s", case_named_format(t->order, rng_below(rng, n)));
}

/* A level type that is not met every day. */
static void random_letter(struct rng *rng, struct case_level *level, bool first)
{
    level->letter = "hbcm"[rng_below(rng, first ? 4 : 3)];
    level->unique = true;
    level->ordered = level->letter != 'm' || rng_percent(rng, 60);
    level->pos = TYPE_COUNT;
    if (level->letter == 'b')
        level->crd = TYPE_COUNT;
}

/* Dense, or compressed with the levels below it hanging from it as singletons or not. */
static void random_levels(struct rng *rng, struct case_tensor *t, bool dense)
{
    int order[CASE_ORDER];
    bool chain = false;
    random_order(rng, order, t->order);
    bool sorted = rng_percent(rng, 65);
    for (int l = 0; l < t->order; l++) {
        struct case_level *level = &t->level[l];
        *level =
            (struct case_level){sorted ? l : order[l], 'd', true, true, TYPE_COUNT, TYPE_COUNT};
        if (dense)
            continue;
        if (chain) {
            level->letter = 'q';
            level->unique = l == t->order - 1 && rng_percent(rng, 90);
        } else if (rng_percent(rng, 60)) {
            level->letter = 's';
            level->unique = rng_percent(rng, l == t->order - 1 ? 92 : 70);
        }
        if (level->letter != 'd') {
            level->ordered = rng_percent(rng, 92);
            level->pos = random_width(rng);
            level->crd = random_width(rng);
        }
        if (!chain && rng_percent(rng, 12))
            random_letter(rng, level, l == 0);
        chain = level->letter != 'd' && !level->unique;
    }
    t->in_full = rng_percent(rng, 20);
    t->named[0] = '\0';
    if (!dense && rng_percent(rng, 45))
        random_named(rng, t);
}

/* ---- tensors ---- */

static void random_access(struct rng *rng, struct case_node *node, int order, int vars)
{
    int from[CASE_VARS];
    random_order(rng, from, vars);
    node->kind = TIN_ACCESS;
    node->vars = order;
    for (int m = 0; m < order; m++)
        node->var[m] = m < vars && !rng_percent(rng, 4) ? from[m] : rng_below(rng, vars);
    for (int m = 0; m < order; m++)
        if (rng_percent(rng, 4))
            node->var[m] = case_literal(rng_below(rng, 3));
}

/* Literals in the result, and a variable that indexes two of its modes. */
static void random_result(struct rng *rng, int *var, int order)
{
    for (int m = 0; m < order; m++) {
        if (rng_percent(rng, 4))
            var[m] = case_literal(rng_below(rng, 3));
        else if (m > 0 && rng_percent(rng, 5))
            var[m] = var[rng_below(rng, m)];
    }
}

/* What else an assembled result holds would be lost where it is read. */
static bool is_partial(const struct test_case *test)
{
    bool partial = false;
    for (int m = 0; m < test->tensor[0].order; m++) {
        partial |= case_is_literal(test->result_var[m]);
        for (int k = 0; k < m; k++)
            partial |= test->result_var[k] == test->result_var[m];
    }
    return partial;
}

static void new_tensor(struct rng *rng, struct test_case *test, const char *name, int order,
                       enum type type)
{
    struct case_tensor *t = &test->tensor[test->tensors++];
    snprintf(t->name, sizeof t->name, "%s", name);
    t->order = order;
    t->type = type;
    t->fill = random_fill(rng, type);
    random_levels(rng, t, rng_percent(rng, 35));
}

static int node_of(struct grower *g, struct case_node node, enum type type)
{
    g->test->node[g->test->nodes] = node;
    g->type[g->test->nodes] = type;
    return g->test->nodes++;
}

static void grow_operands(struct grower *g, enum type theme)
{
    static const int how_many[] = {25, 42, 23, 10}, orders[] = {10, 32, 38, 14, 6};
    struct test_case *test = g->test;
    int operands = 1 + rng_weighted(&g->rng, how_many, 4);
    bool mixed = rng_percent(&g->rng, 35);
    for (int i = 0; i < operands; i++) {
        char name[2] = {(char)('A' + i), 0};
        int order = rng_weighted(&g->rng, orders, 5);
        new_tensor(&g->rng, test, name, order, mixed ? random_type(&g->rng) : theme);
        for (int uses = rng_percent(&g->rng, 12) ? 2 : 1; uses > 0; uses--) {
            struct case_node access = {.tensor = test->tensors - 1};
            random_access(&g->rng, &access, order, test->vars);
            g->row[g->n++] = node_of(g, access, test->tensor[access.tensor].type);
        }
    }
}

/* The component that is being written, as an operand. */
static void grow_result(struct grower *g)
{
    struct test_case *test = g->test;
    for (int uses = rng_percent(&g->rng, 20) ? 2 : 1; uses > 0; uses--) {
        struct case_node access = {.kind = TIN_ACCESS, .vars = test->tensor[0].order};
        memcpy(access.var, test->result_var, sizeof access.var);
        int place = rng_below(&g->rng, g->n + 1);
        memmove(&g->row[place + 1], &g->row[place], sizeof *g->row * (size_t)(g->n - place));
        g->row[place] = node_of(g, access, test->tensor[0].type);
        g->n++;
    }
    if (rng_percent(&g->rng, 70))
        random_levels(&g->rng, &test->tensor[0], true);
}

static void grow_literals(struct grower *g)
{
    static const char *const literals[] = {"2", "1", "0", "3", "0.5", "1.5", "2.0"};
    static const enum type types[] = {TYPE_I64, TYPE_I64, TYPE_I64, TYPE_I64,
                                      TYPE_F64, TYPE_F64, TYPE_F64};
    for (int n = 0; n < 4 && rng_percent(&g->rng, 18); n++) {
        struct case_node node = {.kind = TIN_LITERAL};
        int i = rng_below(&g->rng, 7);
        snprintf(node.literal, sizeof node.literal, "%s", literals[i]);
        g->row[g->n++] = node_of(g, node, types[i]);
    }
}

/* ---- operators of the user's ---- */

static void add_operator(struct test_case *test, enum op op)
{
    enum op needed;
    if (defined_of(op)->needs && defined_named(defined_of(op)->needs, &needed))
        add_operator(test, needed);
    if (place_of(test, op) < 0 && test->operators < CASE_OPERATORS)
        test->operator[test->operators++] = op;
}

/* A few, most of which the statement may use. */
static void choose_operators(struct grower *g, enum type theme)
{
    enum op op;
    int n = 0, wanted = 1 + rng_below(&g->rng, 3);
    while (defined_operator(n, &op))
        n++;
    bool reduces = rng_percent(&g->rng, 60);
    for (int tries = 0; tries < 40 && g->test->operators < wanted; tries++) {
        enum type result;
        defined_operator(rng_below(&g->rng, n), &op);
        if (!defined_result(op, theme, &result) || (reduces && !defined_reduces(op)))
            continue;
        add_operator(g->test, op);
        reduces = false;
    }
}

/* One of them with so many parameters that the types allow, or reduces; OP_NONE if that is not
 * what there is. */
static enum op draw_operator(struct grower *g, int arity, bool reduces)
{
    const struct test_case *test = g->test;
    if (test->operators == 0 || rng_percent(&g->rng, 35))
        return OP_NONE;
    enum op op = test->operator[rng_below(&g->rng, test->operators)];
    return op_arity(op) == arity && (!reduces || defined_reduces(op)) ? op : OP_NONE;
}

/* ---- expressions ---- */

/* An operator with these operands in a new node, or -1 if their types do not allow it. */
static int join(struct grower *g, enum op op, const int *arg, int args)
{
    struct case_node node = {.kind = TIN_OP, .op = op, .args = args};
    enum type types[3] = {0}, result;
    for (int i = 0; i < args; i++) {
        node.arg[i] = arg[i];
        types[i] = g->type[arg[i]];
    }
    return number_result(op, types, &result) ? node_of(g, node, result) : -1;
}

/* Outside of reductions that bind it? */
static bool uses(const struct test_case *test, int node, int var)
{
    const struct case_node *n = &test->node[node];
    for (int m = 0; m < n->vars; m++)
        if (n->var[m] == var)
            return n->kind == TIN_ACCESS;
    for (int i = 0; i < n->args; i++)
        if (uses(test, n->arg[i], var))
            return true;
    return false;
}

/* A variable that a reduction around this place of the row may bind: one that is nowhere else. */
static int reducible(struct grower *g, int place)
{
    int found = -1;
    for (int v = 0; v < g->test->vars; v++) {
        bool other = false;
        for (int i = 0; i < g->n; i++)
            other |= i != place && uses(g->test, g->row[i], v);
        for (int m = 0; m < g->test->tensor[0].order; m++)
            other |= g->test->result_var[m] == v;
        if (!other && uses(g->test, g->row[place], v) && (found < 0 || rng_percent(&g->rng, 50)))
            found = v;
    }
    return found;
}

static void wrap_reduction(struct grower *g, int place)
{
    static const enum op ops[] = {OP_ADD, OP_MUL, OP_MIN, OP_MAX, OP_OR, OP_AND, OP_XOR};
    static const int weights[] = {40, 8, 20, 20, 6, 6, 6};
    int var = reducible(g, place);
    enum op op = ops[rng_weighted(&g->rng, weights, 7)], own = draw_operator(g, 2, true);
    enum type type = g->type[g->row[place]], result;
    if (own != OP_NONE) {
        op = own;
        type = number_promote(type, g->test->tensor[0].type);
    }
    enum type pair[2] = {type, type};
    if (var < 0 || !number_result(op, pair, &result))
        return;
    struct case_node node = {
        .kind = TIN_REDUCE, .op = op, .vars = 1, .var = {var}, .args = 1, .arg = {g->row[place]}};
    for (int v = 0; v < g->test->vars && node.vars < CASE_ORDER; v++)
        if (v != var && rng_percent(&g->rng, 20) && reducible(g, place) == v)
            node.var[node.vars++] = v;
    g->row[place] = node_of(g, node, type);
}

static void wrap_unary(struct grower *g, int place)
{
    static const enum op ops[] = {OP_NEG,   OP_ABS,  OP_SQRT,  OP_SIGN,   OP_FLOOR,  OP_NOT,
                                  OP_CONJ,  OP_REAL, OP_EXP,   OP_TANH,   OP_ASINH,  OP_EXPM1,
                                  OP_LOG1P, OP_ERF,  OP_TO_I8, OP_TO_U16, OP_TO_F32, OP_RSQRT};
    static const int weights[] = {36, 22, 12, 5, 6, 4, 3, 3, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
    enum op op = ops[rng_weighted(&g->rng, weights, 18)], own = draw_operator(g, 1, false);
    int made = join(g, own != OP_NONE ? own : op, &g->row[place], 1);
    if (made >= 0)
        g->row[place] = made;
}

/* Join three of the row into one by select, the first compared with something. */
static bool join_select(struct grower *g, int place)
{
    static const enum op comparisons[] = {OP_EQ, OP_NE, OP_LT, OP_LE, OP_GT, OP_GE};
    if (place + 3 >= g->n)
        return false;
    int condition = join(g, comparisons[rng_below(&g->rng, 6)], &g->row[place], 2);
    if (condition < 0)
        return false;
    int arg[3] = {condition, g->row[place + 2], g->row[place + 3]};
    g->row[place] = join(g, OP_SELECT, arg, 3);
    memmove(&g->row[place + 1], &g->row[place + 4], sizeof *g->row * (size_t)(g->n - place - 4));
    g->n -= 3;
    return true;
}

/* By an operator of the user's; two neighbours, three where it takes so many, or f(f(a, b), c). */
static bool join_own(struct grower *g, int place)
{
    int most = g->n - place < 3 ? g->n - place : 3;
    enum op op = most == 3 ? draw_operator(g, 3, false) : OP_NONE;
    if (op == OP_NONE)
        op = draw_operator(g, 2, false);
    int made = op == OP_NONE ? -1 : join(g, op, &g->row[place], op_arity(op)),
        args = made < 0 ? 0 : op_arity(op);
    if (made >= 0 && args < most && rng_percent(&g->rng, 25)) {
        int more = join(g, op, (const int[]){made, g->row[place + 2]}, 2);
        args += more >= 0;
        made = more >= 0 ? more : made;
    }
    if (made < 0)
        return false;
    g->row[place] = made;
    memmove(&g->row[place + 1], &g->row[place + args],
            sizeof *g->row * (size_t)(g->n - place - args));
    g->n -= args - 1;
    return true;
}

static void join_two(struct grower *g, int place)
{
    static const enum op ops[] = {OP_MUL, OP_ADD, OP_SUB, OP_DIV,       OP_MIN,     OP_MAX, OP_LT,
                                  OP_EQ,  OP_NE,  OP_GE,  OP_AND,       OP_OR,      OP_XOR, OP_MOD,
                                  OP_POW, OP_SHL, OP_SHR, OP_HEAVISIDE, OP_COPYSIGN};
    static const int weights[] = {38, 24, 12, 5, 5, 5, 2, 1, 2, 1, 4, 4, 2, 1, 3, 2, 1, 1, 1};
    int made = -1;
    while (made < 0)
        made = join(g, ops[rng_weighted(&g->rng, weights, 19)], &g->row[place], 2);
    g->row[place] = made;
    memmove(&g->row[place + 1], &g->row[place + 2], sizeof *g->row * (size_t)(g->n - place - 2));
    g->n--;
}

static void grow_expression(struct grower *g)
{
    bool own = g->test->operators > 0;
    while (g->n > 1) {
        int place = rng_below(&g->rng, g->n - 1);
        if (!join_own(g, place) && !(rng_percent(&g->rng, 25) && join_select(g, place)))
            join_two(g, place);
        if (rng_percent(&g->rng, own ? 25 : 15))
            wrap_unary(g, place);
        if (rng_percent(&g->rng, own ? 40 : 25))
            wrap_reduction(g, place);
    }
    if (rng_percent(&g->rng, own ? 25 : 10))
        wrap_unary(g, 0);
    if (rng_percent(&g->rng, own ? 40 : 10))
        wrap_reduction(g, 0);
    g->test->root = g->row[0];
}

/* A complex value goes into a complex result only; one case in a hundred has to find that out. */
static void suit_result(struct grower *g)
{
    struct case_tensor *y = &g->test->tensor[0];
    if (!type_is_complex(g->type[g->test->root]) || type_is_complex(y->type)
        || rng_percent(&g->rng, 1))
        return;
    y->type = rng_percent(&g->rng, 50) ? TYPE_C64 : TYPE_C128;
    y->fill = random_fill(&g->rng, y->type);
}

static enum op random_assign(struct grower *g, enum type type, enum type value)
{
    static const enum op ops[] = {OP_NONE, OP_ADD, OP_SUB, OP_MUL, OP_DIV,
                                  OP_MIN,  OP_MAX, OP_OR,  OP_AND, OP_XOR};
    static const int weights[] = {82, 5, 4, 2, 2, 2, 2, 2, 1, 1};
    enum type pair[2] = {type, type}, with[2] = {type, value}, result;
    enum op op = ops[rng_weighted(&g->rng, weights, 10)], own = draw_operator(g, 2, true);
    if (own != OP_NONE && rng_percent(&g->rng, 35))
        op = own;
    return op == OP_NONE || (number_result(op, pair, &result) && number_result(op, with, &result))
               ? op
               : OP_NONE;
}

/* ---- sizes and entries ---- */

static bool is_used(const struct test_case *test, int var)
{
    bool used = uses(test, test->root, var);
    for (int m = 0; m < test->tensor[0].order; m++)
        used |= test->result_var[m] == var;
    return used;
}

static void random_sizes(struct rng *rng, struct test_case *test)
{
    static const int weights[] = {3, 8, 14, 20, 22, 18, 15};
    int same[CASE_VARS];
    int64_t space;
    case_size_classes(test, same);
    for (int v = 0; v < test->vars; v++) {
        test->extent[v] = rng_weighted(rng, weights, 7);
        test->declared[v] = rng_percent(rng, 35) && is_used(test, v);
    }
    do {
        int largest = 0;
        space = 1;
        for (int v = 0; v < test->vars; v++) {
            test->extent[v] = test->extent[same[v]];
            space *= test->extent[v];
            largest = test->extent[v] > test->extent[largest] ? v : largest;
        }
        if (space > SPACE_MAX)
            test->extent[same[largest]]--;
    } while (space > SPACE_MAX);
    case_set_dimensions(test);
}

static bool leaves_out(const struct case_tensor *t)
{
    for (int l = 0; l < t->order; l++)
        if (t->level[l].letter != 'd')
            return true;
    return *t->named && strncmp(t->named, "dense", 5) != 0;
}

/* What u8 does not hold would be an error of the tensor, not of the statement.  Some components may
 * be stored in two parts (pack.c). */
static void widen(struct case_tensor *t, int64_t components)
{
    for (int l = 0; l < t->order; l++) {
        struct case_level *level = &t->level[l];
        if (level->pos == TYPE_U8 && 2 * components > UINT8_MAX)
            level->pos = TYPE_U16;
        if (level->crd == TYPE_U8 && t->dimension[level->mode] >= UINT8_MAX)
            level->crd = TYPE_U16;
    }
}

static void random_entries(struct rng *rng, struct case_tensor *t, int density)
{
    int64_t components = 1;
    for (int m = 0; m < t->order; m++)
        components *= t->dimension[m];
    widen(t, components);
    t->entries = 0;
    for (int64_t c = 0; c < components && t->entries < CASE_ENTRIES; c++) {
        if (!rng_percent(rng, density))
            continue;
        struct case_entry *e = &t->entry[t->entries++];
        int64_t rest = c;
        for (int m = t->order - 1; m >= 0; m--) {
            e->coordinate[m] = (uint16_t)(rest % t->dimension[m]);
            rest /= t->dimension[m];
        }
        e->value = random_value(rng, t->type, 8);
    }
}

/* So many percent of the components. */
static int random_density(struct rng *rng, const struct case_tensor *t)
{
    static const int densities[] = {0, 15, 35, 60, 100};
    return leaves_out(t) ? densities[rng_below(rng, 5)] : 100;
}

/* Where values are as many as the result's positions count, and some are left out now and then. */
static void fill_narrow(struct rng *rng, struct test_case *test, bool reads)
{
    enum type type = rng_percent(rng, 60) ? TYPE_I8 : TYPE_U8;
    narrow_sizes(rng, test, type);
    for (int i = 0; i < test->tensors; i++)
        random_entries(rng, &test->tensor[i],
                       i == 0 && leaves_out(&test->tensor[i]) ? 15
                       : rng_percent(rng, 65)                 ? 100
                                              : random_density(rng, &test->tensor[i]));
    case_spell(test);
    narrow_format(rng, &test->tensor[0], type, reads);
}

static void fill(struct rng *rng, struct test_case *test)
{
    random_sizes(rng, test);
    for (int i = 0; i < test->tensors; i++)
        random_entries(rng, &test->tensor[i], random_density(rng, &test->tensor[i]));
}

/* ---- a case ---- */

static bool declare_operators(struct context *cx, const struct test_case *test)
{
    const char *const *text = case_operators(cx->arena, test);
    for (int i = 0; i < test->operators; i++)
        if (!operator_declare(cx, text[i]))
            return false;
    return true;
}

/* Does the oracle know what the statement means? */
static bool means_something(const struct test_case *test)
{
    struct context *cx = context_new();
    bool means = true;
    if (cx && context_protect(cx)) {
        struct tin_declarations declared = case_declarations(cx->arena, test);
        struct oracle_tensor *known = arena_array(cx->arena, struct oracle_tensor, test->tensors);
        for (int i = 0; i < test->tensors; i++) {
            const struct case_tensor *t = &test->tensor[i];
            known[i] = (struct oracle_tensor){.name = t->name,
                                              .type = t->type,
                                              .order = t->order,
                                              .dimension = t->dimension,
                                              .fill = t->fill};
        }
        struct oracle_input input = {known, test->tensors, declared.size, declared.sizes};
        const struct tin *statement =
            declare_operators(cx, test) ? tin_parse(cx, test->statement) : NULL;
        const char *why;
        means = statement && meaning_of(cx, statement, &input, &why);
    }
    if (cx)
        context_free(cx);
    return means;
}

static void grow_case(struct test_case *test, uint64_t seed, bool narrow)
{
    static const int orders[] = {14, 36, 34, 12, 4}, letters[] = {20, 32, 30, 13, 5};
    struct grower g = {.rng = {seed}, .test = test};
    memset(test, 0, sizeof *test);
    test->seed = seed;
    int order = rng_weighted(&g.rng, orders, 5);
    order += narrow && order == 0;
    test->vars = 1 + rng_weighted(&g.rng, letters, 5);
    if (test->vars < order)
        test->vars = order;
    enum type theme = random_type(&g.rng);
    struct case_node left = {0};
    random_order(&g.rng, left.var, order);
    random_result(&g.rng, left.var, order);
    memcpy(test->result_var, left.var, sizeof left.var);
    new_tensor(&g.rng, test, "y", order, rng_percent(&g.rng, 80) ? theme : random_type(&g.rng));
    grow_operands(&g, theme);
    if (rng_percent(&g.rng, 9))
        grow_result(&g);
    grow_literals(&g);
    if (rng_percent(&g.rng, 30))
        choose_operators(&g, theme);
    grow_expression(&g);
    suit_result(&g);
    test->assign = random_assign(&g, test->tensor[0].type, g.type[test->root]);
    if (test->assign != OP_NONE && rng_percent(&g.rng, 80))
        random_levels(&g.rng, &test->tensor[0], true);
    bool reads = test->assign != OP_NONE;
    for (int n = 0; n < test->nodes; n++)
        reads |= test->node[n].kind == TIN_ACCESS && test->node[n].tensor == 0;
    if (reads && is_partial(test))
        random_levels(&g.rng, &test->tensor[0], true);
    for (int tries = 0; narrow && order > 0 && !(reads && is_partial(test)) && tries < 8
                        && !leaves_out(&test->tensor[0]);
         tries++)
        random_levels(&g.rng, &test->tensor[0], false);
    if (narrow)
        fill_narrow(&g.rng, test, reads);
    else
        fill(&g.rng, test);
    test->index_bits = rng_percent(&g.rng, 80) ? 32 : 64;
    test->shuffle = rng_next(&g.rng);
    case_spell(test);
}

/* Statements that mean nothing, of which hardly one in a hundred gets this far, are kept rarely:
 * the compiler has to refuse them, and there are other tests of that. */
static void random_case(struct test_case *test, uint64_t seed, bool narrow)
{
    struct rng again = {seed};
    uint64_t from = seed;
    grow_case(test, from, narrow);
    while (!means_something(test) && !rng_percent(&again, 5)) {
        from = rng_next(&again);
        grow_case(test, from, narrow);
    }
    test->seed = seed;
}

void case_random(struct test_case *test, uint64_t seed) { random_case(test, seed, seed % 16 == 0); }

void case_random_narrow(struct test_case *test, uint64_t seed) { random_case(test, seed, true); }
