/* grow.c - random statements.
 *
 * Expressions grow from their leaves: each operand and some literals stand in a row, and random
 * neighbours are joined by random operators until one is left.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdio.h>
#include <string.h>

#include "tests/oracle/defined.h"
#include "tests/oracle/number.h"
#include "tests/support/random_parts.h"

/* The user's operator's place in the case's list, or -1. */
static int place_of(const struct test_case *test, enum op op)
{
    for (int i = 0; i < test->operators; i++)
        if (test->operator[i] == op)
            return i;
    return -1;
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

void grow_left_side(struct rng *rng, int *var, int order)
{
    for (int m = 0; m < order; m++) {
        if (rng_percent(rng, 4))
            var[m] = case_literal(rng_below(rng, 3));
        else if (m > 0 && rng_percent(rng, 5))
            var[m] = var[rng_below(rng, m)];
    }
}

bool grow_is_partial(const struct test_case *test)
{
    bool partial = false;
    for (int m = 0; m < test->tensor[0].order; m++) {
        partial |= case_is_literal(test->result_var[m]);
        for (int k = 0; k < m; k++)
            partial |= test->result_var[k] == test->result_var[m];
    }
    return partial;
}

void grow_tensor(struct rng *rng, struct test_case *test, const char *name, int order,
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

void grow_operands(struct grower *g, enum type theme)
{
    static const int how_many[] = {25, 42, 23, 10}, orders[] = {10, 32, 38, 14, 6};
    struct test_case *test = g->test;
    int operands = 1 + rng_weighted(&g->rng, how_many, 4);
    bool mixed = rng_percent(&g->rng, 35);
    for (int i = 0; i < operands; i++) {
        char name[2] = {(char)('A' + i), 0};
        int order = rng_weighted(&g->rng, orders, 5);
        grow_tensor(&g->rng, test, name, order, mixed ? random_type(&g->rng) : theme);
        for (int uses = rng_percent(&g->rng, 12) ? 2 : 1; uses > 0; uses--) {
            struct case_node access = {.tensor = test->tensors - 1};
            random_access(&g->rng, &access, order, test->vars);
            g->row[g->n++] = node_of(g, access, test->tensor[access.tensor].type);
        }
    }
}

/* The component that is being written, as an operand. */
void grow_result(struct grower *g)
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

void grow_literals(struct grower *g)
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

void grow_operators(struct grower *g, enum type theme)
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

bool grow_uses(const struct test_case *test, int node, int var)
{
    const struct case_node *n = &test->node[node];
    for (int m = 0; m < n->vars; m++)
        if (n->var[m] == var)
            return n->kind == TIN_ACCESS;
    for (int i = 0; i < n->args; i++)
        if (grow_uses(test, n->arg[i], var))
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
            other |= i != place && grow_uses(g->test, g->row[i], v);
        for (int m = 0; m < g->test->tensor[0].order; m++)
            other |= g->test->result_var[m] == v;
        if (!other && grow_uses(g->test, g->row[place], v)
            && (found < 0 || rng_percent(&g->rng, 50)))
            found = v;
    }
    return found;
}

static int reduced(struct grower *g, enum op op, int body, int var)
{
    struct case_node node = {
        .kind = TIN_REDUCE, .op = op, .vars = 1, .var = {var}, .args = 1, .arg = {body}};
    return node_of(g, node, g->type[body]);
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
    static const enum op ops[] = {OP_NEG,    OP_ABS,    OP_SQRT,  OP_SIGN, OP_FLOOR,
                                  OP_NOT,    OP_CONJ,   OP_REAL,  OP_EXP,  OP_TANH,
                                  OP_ASINH,  OP_EXPM1,  OP_LOG1P, OP_ERF,  OP_TO_I8,
                                  OP_TO_U16, OP_TO_F32, OP_RSQRT, OP_CTZ,  OP_POPCOUNT};
    static const int weights[] = {36, 22, 12, 5, 6, 4, 3, 3, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
    enum op op = ops[rng_weighted(&g->rng, weights, 20)], own = draw_operator(g, 1, false);
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

/* An access of distinct variables, one of which an access before has, but for one in eight. */
static void random_factor(struct rng *rng, struct case_node *node, int order, int vars,
                          unsigned *used)
{
    int from[CASE_VARS], first = 0;
    random_order(rng, from, vars);
    while (first < vars && !(*used >> from[first] & 1))
        first++;
    if (first < vars && !rng_percent(rng, 12)) {
        int var = from[first];
        from[first] = from[0];
        from[0] = var;
    }
    node->kind = TIN_ACCESS;
    node->vars = order;
    int turn = rng_below(rng, order);
    for (int m = 0; m < order; m++) {
        node->var[(m + turn) % order] = from[m];
        *used |= 1u << from[m];
    }
}

/* The product, and terms for the expression around it to add. */
enum { TERMS = 3 };

/* What a product is grown from: its factors' tensors, and the variables that they have so far. */
struct factors {
    enum op op; /* that multiplies */
    int operands, drawn;
    unsigned used;
};

static int grow_access(struct grower *g, struct factors *factors)
{
    struct test_case *test = g->test;
    int any = 1 + rng_below(&g->rng, factors->operands);
    struct case_node access = {.tensor =
                                   factors->drawn < factors->operands ? factors->drawn + 1 : any};
    factors->drawn++;
    random_factor(&g->rng, &access, test->tensor[access.tensor].order, test->vars, &factors->used);
    return node_of(g, access, test->tensor[access.tensor].type);
}

/* A factor: an access, one in seven a sum or a call of two, one in ten a function of it. */
static int grow_factor(struct grower *g, struct factors *factors)
{
    static const enum op ring[] = {OP_ADD, OP_ADD, OP_SUB, OP_MAX},
                         order[] = {OP_MIN, OP_MIN, OP_MAX, OP_SUB},
                         functions[] = {OP_NEG, OP_ABS, OP_SIGN, OP_NOT};
    int factor = grow_access(g, factors);
    if (rng_percent(&g->rng, 14)) {
        int pair[2] = {factor, grow_access(g, factors)}, which = rng_below(&g->rng, 4);
        int made = join(g, factors->op == OP_MUL ? ring[which] : order[which], pair, 2);
        if (rng_percent(&g->rng, 50))
            factor = pair[1];
        factor = made < 0 ? factor : made;
    }
    if (rng_percent(&g->rng, 10)) {
        int made = join(g, functions[rng_below(&g->rng, 4)], &factor, 1);
        factor = made < 0 ? factor : made;
    }
    return factor;
}

/* Join so many of the row to one node. */
static void multiply(struct grower *g, int from, int factors, enum op op)
{
    for (; factors > 1; factors--) {
        int place = from + rng_below(&g->rng, factors - 1);
        g->row[place] = join(g, op, &g->row[place], 2);
        memmove(&g->row[place + 1], &g->row[place + 2],
                sizeof *g->row * (size_t)(g->n - place - 2));
        g->n--;
        int var = rng_percent(&g->rng, 12) ? reducible(g, place) : -1;
        if (var >= 0)
            g->row[place] = reduced(g, op == OP_MUL ? OP_ADD : OP_MIN, g->row[place], var);
    }
}

void grow_product(struct grower *g, enum type theme)
{
    static const int orders[] = {25, 55, 20};
    struct test_case *test = g->test;
    struct factors factors = {.op = rng_percent(&g->rng, 85) ? OP_MUL : OP_ADD,
                              .operands = 1 + rng_below(&g->rng, CASE_TENSORS - 1)};
    for (int i = 0; i < factors.operands; i++) {
        char name[2] = {(char)('A' + i), 0};
        grow_tensor(&g->rng, test, name, 1 + rng_weighted(&g->rng, orders, 3), theme);
        struct case_tensor *t = &test->tensor[test->tensors - 1];
        if (rng_percent(&g->rng, 80))
            t->fill = value_zero(theme);
    }
    int of[TERMS] = {6 + rng_below(&g->rng, 5)};
    int terms = rng_percent(&g->rng, 30) ? 2 + rng_below(&g->rng, TERMS - 1) : 1;
    for (int t = 0; t < terms; t++) {
        of[t] = t ? 1 + rng_below(&g->rng, 3) : of[t];
        for (int i = 0; i < of[t]; i++)
            g->row[g->n++] = grow_factor(g, &factors);
    }
    for (int t = 0; t < terms; t++)
        multiply(g, t, of[t], factors.op);
    for (int var; factors.op == OP_ADD && (var = reducible(g, 0)) >= 0;)
        g->row[0] = reduced(g, OP_MIN, g->row[0], var);
}

/* Ask whether a component is stored, instead of what it is worth. */
static void ask(struct grower *g, int place)
{
    const struct case_node *node = &g->test->node[g->row[place]];
    if (node->kind == TIN_ACCESS && node->vars > 0)
        g->row[place] = join(g, OP_STORED, &g->row[place], 1);
}

void grow_expression(struct grower *g)
{
    bool own = g->test->operators > 0;
    for (int place = 0; place < g->n; place++)
        if (rng_percent(&g->rng, 6))
            ask(g, place);
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

/* ---- sums written out ---- */

/* Places of sums that are not written. */
struct homes {
    int n, node[CASE_NODES * CASE_VARS], var[CASE_NODES * CASE_VARS];
};

/* Does a reduction in the node bind the variable? */
static bool binds(const struct test_case *test, int node, int var)
{
    const struct case_node *n = &test->node[node];
    bool bound = false;
    for (int m = 0; m < n->vars && n->kind == TIN_REDUCE; m++)
        bound |= n->var[m] == var;
    for (int i = 0; i < n->args && !bound; i++)
        bound = binds(test, n->arg[i], var);
    return bound;
}

/* No variable is bound twice. */
static void find_homes(const struct test_case *test, int node, int var, struct homes *homes)
{
    if (!grow_uses(test, node, var))
        return;
    bool keeps = test->node[node].kind == TIN_OP && test->node[node].op == OP_KEEP;
    if (!keeps && !binds(test, node, var)) {
        homes->node[homes->n] = node;
        homes->var[homes->n++] = var;
    }
    if (test->node[node].kind == TIN_OP && test->node[node].op == OP_STORED)
        return; /* which is of a component, not of a sum */
    for (int i = 0; i < test->node[node].args; i++)
        find_homes(test, test->node[node].arg[i], var, homes);
}

bool grow_sum(struct rng *rng, struct test_case *test)
{
    struct homes homes = {0};
    for (int v = 0; v < test->vars; v++) {
        bool left = false;
        for (int m = 0; m < test->tensor[0].order; m++)
            left |= test->result_var[m] == v;
        if (!left)
            find_homes(test, test->root, v, &homes);
    }
    if (homes.n == 0 || test->nodes == CASE_NODES)
        return false;
    int chosen = rng_below(rng, homes.n), body = test->nodes++;
    struct case_node *home = &test->node[homes.node[chosen]];
    test->node[body] = *home;
    *home = (struct case_node){.kind = TIN_REDUCE,
                               .op = OP_ADD,
                               .vars = 1,
                               .var = {homes.var[chosen]},
                               .args = 1,
                               .arg = {body}};
    return true;
}

void grow_suited_result(struct grower *g)
{
    struct case_tensor *y = &g->test->tensor[0];
    if (!type_is_complex(g->type[g->test->root]) || type_is_complex(y->type)
        || rng_percent(&g->rng, 1))
        return;
    y->type = rng_percent(&g->rng, 50) ? TYPE_C64 : TYPE_C128;
    y->fill = random_fill(&g->rng, y->type);
}

enum op grow_assignment(struct grower *g, enum type type, enum type value)
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

/* ---- what is kept ---- */

/* The expression once more, in nodes of its own; -1: there is no room. */
static int copy(struct grower *g, int node)
{
    struct case_node again = g->test->node[node];
    for (int i = 0; i < again.args; i++) {
        again.arg[i] = copy(g, again.arg[i]);
        if (again.arg[i] < 0)
            return -1;
    }
    return g->test->nodes < CASE_NODES - 4 ? node_of(g, again, g->type[node]) : -1;
}

/* Is every variable of it the result's or bound? */
static bool is_settled(const struct test_case *test, int node)
{
    bool settled = true;
    for (int v = 0; v < test->vars && settled; v++) {
        settled = !grow_uses(test, node, v) || binds(test, node, v);
        for (int m = 0; m < test->tensor[0].order; m++)
            settled |= test->result_var[m] == v;
    }
    return settled;
}

/* A component at the result's coordinates. */
static int draw_component(struct grower *g)
{
    const struct test_case *test = g->test;
    struct case_node access = {.kind = TIN_ACCESS,
                               .tensor = 1 + rng_below(&g->rng, test->tensors - 1)};
    access.vars = test->tensor[access.tensor].order;
    if (access.vars > 0 && test->tensor[0].order == 0)
        return -1;
    for (int m = 0; m < access.vars; m++)
        access.var[m] = test->result_var[rng_below(&g->rng, test->tensor[0].order)];
    return node_of(g, access, test->tensor[access.tensor].type);
}

void grow_keep(struct grower *g)
{
    static const enum op comparisons[] = {OP_GT, OP_NE, OP_LE, OP_LT, OP_GE, OP_EQ};
    static const char *const literals[] = {"0", "1", "2"};
    struct case_node literal = {.kind = TIN_LITERAL};
    int root = g->test->root, nodes = g->test->nodes;
    if (nodes > CASE_NODES - 8 || g->test->tensors < 2)
        return;
    bool itself = is_settled(g->test, root) && rng_percent(&g->rng, 50);
    int pair[2] = {itself ? copy(g, root) : draw_component(g), -1};
    snprintf(literal.literal, sizeof literal.literal, "%s", literals[rng_below(&g->rng, 3)]);
    if (pair[0] >= 0)
        pair[1] = rng_percent(&g->rng, 70) ? node_of(g, literal, TYPE_I64) : draw_component(g);
    int condition = pair[1] < 0 ? -1 : join(g, comparisons[rng_below(&g->rng, 6)], pair, 2);
    int kept = condition < 0 ? -1 : join(g, OP_KEEP, (const int[]){root, condition}, 2);
    if (kept < 0)
        g->test->nodes = nodes;
    else
        g->test->root = kept;
}
