/* parse_expression.c - expressions of imperative IR from text.
 *
 * Precedence climbing (Richards 1979).  A number of unknown type is a literal without a type,
 * until an operand, an assignment or a parameter gives it one.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/imperative/stream.h"
#include "compiler/imperative/text/parser.h"

#include <stdlib.h>
#include <string.h>

#include "compiler/base/text.h"

enum { UNTYPED = TYPE_COUNT, LANES_MOST = 64, ARGUMENTS = 3 };

static const struct imp *parse_expression(struct parser *p);
static const struct imp *parse_unary(struct parser *p);

static const struct imp *nothing(struct parser *p) { return imp_i64(p->cx, 0); }

/* ---- numbers ---- */

static bool is_untyped(const struct imp *e) { return (int)e->type == UNTYPED; }

/* Makes a number, with its text and its first token. */
static const struct imp *untyped_number(struct parser *p, const char *text, int at)
{
    struct imp number = {
        .kind = IMP_LITERAL, .type = (enum type)UNTYPED, .lanes = 1, .text = text, .n = at};
    return arena_copy(p->cx->arena, &number, sizeof number);
}

/* Makes an expression of such numbers, which shares their type: a broadcast, a choice. */
static const struct imp *untyped(struct parser *p, enum imp_kind kind, const struct imp *const *arg,
                                 int args, int lanes)
{
    struct imp e = *arg[args - 1];
    e.kind = kind;
    e.lanes = lanes;
    e.args = args;
    e.arg = arena_copy(p->cx->arena, arg, sizeof *arg * (size_t)args);
    return arena_copy(p->cx->arena, &e, sizeof e);
}

static const struct imp *make_op(struct parser *p, enum op op, const struct imp *const *given,
                                 int args, int at);

static const struct imp *settle_number(struct parser *p, const struct imp *e, enum type type)
{
    struct value value;
    if ((int)type == UNTYPED)
        mistake(p, (int)e->n, DIAG_TYPE, "nothing says the type of %s here: write it as i64(%s)",
                e->text, e->text);
    else if (value_parse(e->text, strlen(e->text), type, &value))
        return imp_literal(p->cx, value);
    else
        mistake(p, (int)e->n, DIAG_LITERAL, "%s is no %s", e->text, type_name(type));
    return nothing(p);
}

/* Gives an untyped expression the type. */
static const struct imp *settle(struct parser *p, const struct imp *e, enum type type)
{
    if (!is_untyped(e))
        return e;
    if (e->kind == IMP_BROADCAST)
        return imp_broadcast(p->cx, settle(p, e->arg[0], type), e->lanes);
    if (e->kind == IMP_LITERAL)
        return settle_number(p, e, type);
    const struct imp *choice[] = {e->arg[0], settle(p, e->arg[1], type),
                                  settle(p, e->arg[2], type)};
    return p->failed ? nothing(p) : make_op(p, OP_SELECT, choice, 3, (int)e->n);
}

static bool is_number(const struct parser *p, int ahead)
{
    ahead += token_is(p, ahead, "-");
    return kind_at(p, ahead) == IMP_TOKEN_NUMBER || token_is(p, ahead, "inf")
           || token_is(p, ahead, "nan");
}

/* Reads 7, -1.5, inf or (1,-2): a number's tokens as one text. */
static const struct imp *parse_number(struct parser *p)
{
    int begin = p->at, tokens = is_number(p, 0) ? 1 + token_is(p, 0, "-") : 0;
    if (!tokens && token_is(p, 0, "(") && is_number(p, 1)) {
        int comma = 2 + token_is(p, 1, "-"), im = comma + 1;
        tokens = im + 1 + token_is(p, im, "-");
        if (!token_is(p, comma, ",") || !is_number(p, im) || !token_is(p, tokens++, ")"))
            tokens = 0;
    }
    if (!tokens) {
        mistake(p, begin, DIAG_SYNTAX, "a number is expected here");
        return nothing(p);
    }
    struct text text = text_new(p->cx->arena);
    for (int i = 0; i < tokens; i++)
        text_add(&text, token_text(p, i));
    advance(p, tokens);
    return untyped_number(p, text.at, begin);
}

/* Is it a complex number in parentheses, such as (1,-2)? */
static bool is_complex(const struct parser *p)
{
    return token_is(p, 0, "(") && is_number(p, 1) && token_is(p, 2 + token_is(p, 1, "-"), ",");
}

int64_t parse_count(struct parser *p, int64_t most)
{
    const char *text = token_text(p, 0);
    char *end = NULL;
    long long n = kind_at(p, 0) == IMP_TOKEN_NUMBER ? strtoll(text, &end, 10) : 0;
    if (!end || *end || n < 0 || n > most) {
        mistake(p, p->at, DIAG_SYNTAX, "a whole number up to %lld is expected here",
                (long long)most);
        return 1;
    }
    advance(p, 1);
    return n;
}

int parse_lanes(struct parser *p)
{
    if (!accept(p, ".."))
        return 1;
    int at = p->at;
    expect(p, "+");
    int lanes = (int)parse_count(p, LANES_MOST);
    return lanes > 1 || !mistake(p, at, DIAG_SYNTAX, "a vector has two lanes or more") ? lanes : 2;
}

/* ---- operators ---- */

/* Returns the known type of the operands.  The condition of a choice does not count. */
static enum type known_type(enum op op, const struct imp *const *arg, int args)
{
    for (int i = op == OP_SELECT; i < args; i++)
        if (!is_untyped(arg[i]))
            return arg[i]->type;
    return (enum type)UNTYPED;
}

/* Have the operands the type in which the operator computes, and the same lanes? */
static bool fit(struct parser *p, enum op op, const struct imp *const *arg, int args, int at)
{
    enum type type[ARGUMENTS] = {TYPE_BOOL};
    for (int i = 0; i < args; i++)
        type[i] = arg[i]->type;
    if (!op_accepts(op, type))
        return mistake(p, at, DIAG_TYPE, "there is no %s of %s", op_name(op),
                       type_name(type[args - 1]));
    enum type computed = op_compute_type(op, type);
    for (int i = 0; i < args; i++) {
        enum type wanted = op == OP_SELECT && i == 0 ? TYPE_BOOL : computed;
        if (type[i] != wanted)
            return mistake(p, at, DIAG_TYPE, "%s takes %s here, not %s: convert with (%s)",
                           op_name(op), type_name(wanted), type_name(type[i]), type_name(wanted));
        if (arg[i]->lanes != arg[0]->lanes)
            return mistake(p, at, DIAG_TYPE, "%s takes vectors of %d lanes here, not %d",
                           op_name(op), arg[0]->lanes, arg[i]->lanes);
    }
    return true;
}

static const struct imp *make_op(struct parser *p, enum op op, const struct imp *const *given,
                                 int args, int at)
{
    const struct imp *arg[ARGUMENTS];
    enum type known = known_type(op, given, args);
    if (op == OP_SELECT && (int)known == UNTYPED)
        return untyped(p, IMP_OP, given, args, given[1]->lanes);
    for (int i = 0; i < args && !p->failed; i++)
        arg[i] = settle(p, given[i], op == OP_SELECT && i == 0 ? TYPE_BOOL : known);
    return !p->failed && fit(p, op, arg, args, at) ? imp_op(p->cx, op, arg, args) : nothing(p);
}

/* Reads operators of at least this precedence. */
static const struct imp *parse_infix(struct parser *p, int least)
{
    const struct imp *left = parse_unary(p);
    while (!p->failed && kind_at(p, 0) == IMP_TOKEN_SIGN) {
        const struct imp_token *sign = token_at(p, 0);
        int at = p->at;
        if (sign->op == OP_NONE || op_precedence(sign->op) < least)
            break;
        advance(p, 1);
        const struct imp *arg[] = {left, parse_infix(p, op_precedence(sign->op) + 1)};
        left = make_op(p, sign->op, arg, 2, at);
    }
    return left;
}

static const struct imp *parse_expression(struct parser *p)
{
    int at = p->at;
    if (!enter(p))
        return nothing(p);
    const struct imp *e = parse_infix(p, 0);
    if (accept(p, "?")) {
        const struct imp *then = parse_expression(p);
        expect(p, ":");
        const struct imp *arg[] = {e, then, parse_expression(p)};
        e = make_op(p, OP_SELECT, arg, 3, at);
    }
    p->depth--;
    return e;
}

static const struct imp *parse_cast(struct parser *p, enum type type, int lanes)
{
    int at = p->at;
    advance(p, 3);
    const struct imp *e = settle(p, parse_unary(p), (enum type)UNTYPED);
    if (e->lanes != lanes)
        mistake(p, at, DIAG_TYPE, "a conversion to %d lanes of %d", lanes, e->lanes);
    return imp_cast(p->cx, type, e);
}

/* ---- expressions that begin with a word ---- */

/* Reads expressions between parentheses, and keeps the first `most`. Returns their number. */
static int parse_arguments(struct parser *p, const struct imp **arg, int most)
{
    int n = 0;
    expect(p, "(");
    do {
        const struct imp *e = parse_expression(p);
        if (n < most)
            arg[n] = e;
        n++;
    } while (accept(p, ","));
    expect(p, ")");
    return n;
}

static const struct imp *parse_function(struct parser *p, enum op op)
{
    const struct imp *arg[ARGUMENTS];
    int at = p->at;
    advance(p, 1);
    int n = parse_arguments(p, arg, ARGUMENTS);
    if (n != op_arity(op)) {
        mistake(p, at, DIAG_SYNTAX, "%s takes %d operands, not %d", op_name(op), op_arity(op), n);
        return nothing(p);
    }
    return make_op(p, op, arg, n, at);
}

const struct imp *parse_call(struct parser *p, bool for_effect)
{
    int at = p->at;
    const struct imp_function *function = expect_function(p);
    if (!function || !expect(p, "("))
        return nothing(p);
    p->meets |= function->meets;
    p->launches |= function->launches;
    const struct imp **arg = arena_array(p->cx->arena, const struct imp *, function->params);
    for (int i = 0; i < function->params && !p->failed; i++) {
        const struct imp_var *param = function->param[i].var;
        if (i > 0 && !expect(p, ","))
            break;
        int begin = p->at;
        const struct imp_var *array = param->array ? expect_array(p) : NULL;
        arg[i] = !param->array ? parse_value(p, param->type)
                 : array       ? imp_read(p->cx, array)
                               : nothing(p);
        if (arg[i]->type != param->type || arg[i]->lanes != 1)
            mistake(p, begin, DIAG_TYPE, "%s takes %s here, not %s", function->name,
                    type_name(param->type), type_name(arg[i]->type));
    }
    if (p->failed || !expect(p, ")"))
        return nothing(p);
    if (function->effects != for_effect) {
        mistake(p, at, DIAG_TYPE,
                for_effect ? "%s gives a value, which nothing takes" : "%s gives no value",
                function->name);
        return nothing(p);
    }
    return imp_call(p->cx, function, arg, function->params);
}

/* Returns 4 for broadcast4(x), else 0. */
static int broadcast_lanes(const struct parser *p)
{
    const char *text = token_text(p, 0);
    size_t n = strlen("broadcast");
    char *end;
    if (strncmp(text, "broadcast", n) != 0 || text[n] < '1' || text[n] > '9')
        return 0;
    long lanes = strtol(text + n, &end, 10);
    return *end || lanes > LANES_MOST || lanes < 2 ? 0 : (int)lanes;
}

static const struct imp *parse_broadcast(struct parser *p, int lanes)
{
    const struct imp *arg[1];
    int at = p->at;
    advance(p, 1);
    if (parse_arguments(p, arg, 1) != 1 || p->failed || arg[0]->lanes != 1) {
        mistake(p, at, DIAG_TYPE, "broadcast%d takes a scalar", lanes);
        return nothing(p);
    }
    return is_untyped(arg[0]) ? untyped(p, IMP_BROADCAST, arg, 1, lanes)
                              : imp_broadcast(p->cx, arg[0], lanes);
}

/* Reads in_line(a, p, 64). */
static const struct imp *parse_in_line(struct parser *p)
{
    advance(p, 1);
    expect(p, "(");
    const struct imp_var *array = expect_array(p);
    expect(p, ",");
    const struct imp *position = parse_integer(p);
    expect(p, ",");
    const int64_t bytes = parse_count(p, 1 << 20);
    expect(p, ")");
    return p->failed ? nothing(p) : imp_in_line(p->cx, array, position, bytes);
}

/* Reads shuffle(a, b, 0, 4, 1, 5). */
static const struct imp *parse_shuffle(struct parser *p)
{
    const struct imp *from[2];
    int lane[LANES_MOST], n = 0, at = p->at;
    advance(p, 1);
    expect(p, "(");
    for (int i = 0; i < 2; i++) {
        from[i] = settle(p, parse_expression(p), (enum type)UNTYPED);
        expect(p, ",");
    }
    const int all = 2 * from[0]->lanes;
    do
        lane[n++] = (int)parse_count(p, all - 1);
    while (n < LANES_MOST && accept(p, ","));
    expect(p, ")");
    if (from[0]->lanes < 2 || from[1]->lanes != from[0]->lanes || from[1]->type != from[0]->type)
        mistake(p, at, DIAG_TYPE, "shuffle takes two vectors that are alike");
    if (n < 2)
        mistake(p, at, DIAG_SYNTAX, "a vector has two lanes or more");
    return p->failed ? nothing(p) : imp_shuffle(p->cx, from[0], from[1], lane, n);
}

/* Reads i64(1). */
static const struct imp *parse_typed(struct parser *p, enum type type)
{
    advance(p, 1);
    expect(p, "(");
    bool truth = token_is(p, 0, "true") || token_is(p, 0, "false");
    const struct imp *number = truth ? untyped_number(p, token_text(p, 0), p->at) : parse_number(p);
    advance(p, truth);
    expect(p, ")");
    return settle(p, number, type);
}

/* Reads threads() or stopped(). */
static const struct imp *parse_state(struct parser *p, const struct imp *state)
{
    advance(p, 1);
    expect(p, "(");
    expect(p, ")");
    return state;
}

/* Reads a word followed by "(". */
static const struct imp *parse_applied(struct parser *p)
{
    enum type type;
    enum op op;
    int lanes = broadcast_lanes(p);
    if (lanes)
        return parse_broadcast(p, lanes);
    if (token_type(p, 0, &type, &lanes) && lanes == 1)
        return parse_typed(p, type);
    if (token_is(p, 0, "threads"))
        return parse_state(p, imp_threads(p->cx));
    if (token_is(p, 0, "stopped"))
        return parse_state(p, imp_stopped(p->cx));
    if (token_is(p, 0, "in_line"))
        return parse_in_line(p);
    if (token_is(p, 0, "shuffle"))
        return parse_shuffle(p);
    if (is_exchange(p))
        return parse_exchange(p);
    const char *name = token_text(p, 0);
    return op_find(name, strlen(name), SYNTAX_CALL, &op) ? parse_function(p, op)
                                                         : parse_call(p, false);
}

static const struct imp *parse_load(struct parser *p, const struct imp_var *array)
{
    if (!expect(p, "["))
        return nothing(p);
    const struct imp *position = parse_integer(p);
    int lanes = parse_lanes(p);
    return expect(p, "]") ? imp_load_lanes(p->cx, array, position, lanes) : nothing(p);
}

static const struct imp *parse_word(struct parser *p)
{
    const struct imp_var *var = find_variable(p, token_text(p, 0));
    bool truth = token_is(p, 0, "true");
    if (truth || token_is(p, 0, "false")) {
        advance(p, 1);
        return imp_int(p->cx, TYPE_BOOL, truth);
    }
    if (token_is(p, 1, "(") || (!var && token_is(p, 1, "<")))
        return parse_applied(p);
    if (var) {
        advance(p, 1);
        return var->array ? parse_load(p, var) : imp_read(p->cx, var);
    }
    mistake(p, p->at, DIAG_NAME, "%s is not declared here", token_text(p, 0));
    return nothing(p);
}

/* ---- primary expressions ---- */

/* Reads {a, b, c, d}. */
static const struct imp *parse_vector(struct parser *p)
{
    const struct imp *arg[LANES_MOST];
    int n = 0, at = p->at;
    expect(p, "{");
    do {
        const struct imp *e = parse_expression(p);
        arg[n++] = e;
    } while (n < LANES_MOST && accept(p, ","));
    expect(p, "}");
    enum type type = known_type(OP_NONE, arg, n);
    for (int i = 0; i < n && !p->failed; i++) {
        arg[i] = settle(p, arg[i], type);
        if (arg[i]->type != type || arg[i]->lanes != 1)
            mistake(p, at, DIAG_TYPE, "the lanes of a vector are scalars of one type");
    }
    if (n < 2)
        mistake(p, at, DIAG_SYNTAX, "a vector has two lanes or more");
    return p->failed ? nothing(p) : imp_lanes(p->cx, arg, n);
}

static const struct imp *parse_primary(struct parser *p)
{
    if (is_number(p, 0) || is_complex(p))
        return parse_number(p);
    if (kind_at(p, 0) == IMP_TOKEN_WORD)
        return parse_word(p);
    if (token_is(p, 0, "{"))
        return parse_vector(p);
    if (accept(p, "(")) {
        const struct imp *e = parse_expression(p);
        return expect(p, ")") ? e : nothing(p);
    }
    mistake(p, p->at, DIAG_SYNTAX, "an expression is expected here");
    return nothing(p);
}

/* Reads a lane: v[3]. */
static const struct imp *parse_postfix(struct parser *p)
{
    const struct imp *e = parse_primary(p);
    while (!p->failed && token_is(p, 0, "[") && !is_untyped(e)) {
        int at = p->at;
        advance(p, 1);
        int lane = (int)parse_count(p, LANES_MOST);
        if (e->lanes == 1 || lane >= e->lanes)
            mistake(p, at, DIAG_TYPE, "there is no lane %d of %d", lane, e->lanes);
        if (!expect(p, "]"))
            break;
        e = imp_lane(p->cx, e, lane);
    }
    return p->failed ? nothing(p) : e;
}

static const struct imp *parse_unary(struct parser *p)
{
    enum type type;
    int lanes, at = p->at;
    if (!enter(p))
        return nothing(p);
    const struct imp *e;
    if (token_is(p, 0, "(") && token_is(p, 2, ")") && token_type(p, 1, &type, &lanes)) {
        e = parse_cast(p, type, lanes);
    } else if (token_is(p, 0, "-") && !is_number(p, 0)) {
        advance(p, 1);
        const struct imp *arg[] = {parse_unary(p)};
        e = make_op(p, OP_NEG, arg, 1, at);
    } else {
        e = parse_postfix(p);
    }
    p->depth--;
    return p->failed ? nothing(p) : e;
}

/* ---- typed expressions ---- */

static const struct imp *check_type(struct parser *p, const struct imp *e, enum type type, int at)
{
    e = settle(p, e, type);
    if (e->type == type)
        return e;
    mistake(p, at, DIAG_TYPE, "%s is expected here, not %s: convert with (%s)", type_name(type),
            type_name(e->type), type_name(type));
    return imp_literal(p->cx, value_zero(type));
}

const struct imp *parse_value(struct parser *p, enum type type)
{
    int at = p->at;
    return check_type(p, parse_expression(p), type, at);
}

const struct imp *parse_typed_value(struct parser *p)
{
    return settle(p, parse_expression(p), (enum type)UNTYPED);
}

static const struct imp *check_integer(struct parser *p, const struct imp *e, enum type bare,
                                       int at)
{
    e = settle(p, e, bare);
    if (type_is_integer(e->type) && e->lanes == 1)
        return e;
    mistake(p, at, DIAG_TYPE, "an integer is expected here, not %s", type_name(e->type));
    return nothing(p);
}

const struct imp *parse_integer(struct parser *p)
{
    int at = p->at;
    return check_integer(p, parse_expression(p), TYPE_I64, at);
}

const struct imp *parse_bound(struct parser *p, enum type type)
{
    int at = p->at;
    return check_integer(p, parse_infix(p, op_precedence(OP_LT) + 1), type, at);
}
