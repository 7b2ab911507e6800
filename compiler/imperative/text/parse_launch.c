/* parse_launch.c - launches of imperative IR from text, and the statements that only they have.
 *
 *     launch(blocks, 128) block, thread {
 *         shared f64 w[128]
 *         ...
 *         barrier
 *     }
 *
 * SPDX-License-Identifier: MIT
 */
#include <limits.h>
#include <string.h>

#include "compiler/base/gpu.h"
#include "compiler/imperative/text/parser.h"

static const struct imp *nothing(struct parser *p) { return imp_block(p->cx, NULL, 0); }

static const struct imp *no_value(struct parser *p, enum type type)
{
    return imp_literal(p->cx, value_zero(type));
}

/* ---- statements ---- */

bool is_launch(const struct parser *p) { return token_is(p, 0, "launch") && token_is(p, 1, "("); }

static const struct imp_var *parse_index(struct parser *p)
{
    int at = p->at;
    return declare(p, imp_var(p->cx, expect_name(p, "a variable"), TYPE_I32), at);
}

const struct imp *parse_launch(struct parser *p)
{
    size_t mark = p->scope.n;
    advance(p, 1);
    expect(p, "(");
    int at = p->at;
    const struct imp *blocks = parse_value(p, TYPE_I32);
    if (blocks->lanes > 1)
        mistake(p, at, DIAG_TYPE, "a number of blocks of %d lanes", blocks->lanes);
    expect(p, ",");
    int threads = (int)parse_count(p, GPU_THREADS_MOST);
    expect(p, ")");
    const struct imp_var *block = parse_index(p);
    expect(p, ",");
    const struct imp_var *thread = parse_index(p);
    bool meets = p->meets; /* outside of launches */
    const struct imp *body = parse_block(p);
    p->meets = meets;
    p->launches = true;
    p->scope.n = mark;
    return p->failed ? nothing(p) : imp_launch(p->cx, block, thread, blocks, threads, body);
}

bool is_barrier(const struct parser *p)
{
    bool alone = kind_at(p, 1) == IMP_TOKEN_NEWLINE || kind_at(p, 1) == IMP_TOKEN_END;
    return token_is(p, 0, "barrier")
           && (alone || token_is(p, 1, "}") || (token_is(p, 1, "lanes") && token_is(p, 2, "(")));
}

const struct imp *parse_barrier(struct parser *p)
{
    int lanes = 0;
    advance(p, 1);
    if (accept(p, "lanes")) {
        expect(p, "(");
        lanes = (int)parse_count(p, GPU_WARP);
        expect(p, ")");
    }
    p->meets = true;
    return imp_barrier(p->cx, lanes);
}

bool is_placed(const struct parser *p)
{
    enum type type;
    int lanes;
    return (token_is(p, 0, "shared") || token_is(p, 0, "local")) && token_type(p, 1, &type, &lanes)
           && kind_at(p, 2) == IMP_TOKEN_WORD && token_is(p, 3, "[");
}

const struct imp *parse_placed(struct parser *p)
{
    enum type type;
    int lanes;
    enum imp_place place = token_is(p, 0, "shared") ? PLACE_SHARED : PLACE_LOCAL;
    token_type(p, 1, &type, &lanes);
    if (lanes > 1)
        mistake(p, p->at + 1, DIAG_TYPE, "an array of vectors");
    advance(p, 2);
    int at = p->at;
    const char *name = expect_name(p, "an array");
    expect(p, "[");
    int length = (int)parse_count(p, INT_MAX);
    expect(p, "]");
    const struct imp_var *var = declare(p, imp_placed(p->cx, name, type, place, length), at);
    return p->failed ? nothing(p) : imp_declare(p->cx, var, NULL);
}

/* Turns a declaration or an assignment of an array's element into a fetch. */
const struct imp *fetched(struct parser *p, const struct imp *imp, int at)
{
    bool good = (imp->kind == IMP_DECLARE || imp->kind == IMP_ASSIGN) && imp->args == 1
                && imp->op == OP_NONE && imp->arg[0]->kind == IMP_LOAD && imp->arg[0]->lanes == 1;
    if (!good)
        mistake(p, at, DIAG_SYNTAX, "a variable that gets an element of an array is expected here");
    if (p->failed)
        return nothing(p);
    const struct imp *value = imp_fetch(p->cx, imp->arg[0]);
    return imp->kind == IMP_DECLARE ? imp_declare(p->cx, imp->var, value)
                                    : imp_assign(p->cx, imp->var, OP_NONE, value);
}

/* ---- values ---- */

static int exchange_named(const struct parser *p)
{
    static const char *const name[] = {"lane_up", "lane_xor", "lane_at", "ballot"};
    for (int i = 0; i < (int)(sizeof name / sizeof *name); i++)
        if (token_is(p, 0, name[i]))
            return i;
    return -1;
}

bool is_exchange(const struct parser *p) { return token_is(p, 1, "(") && exchange_named(p) >= 0; }

const struct imp *parse_exchange(struct parser *p)
{
    enum imp_exchange exchange = (enum imp_exchange)exchange_named(p);
    bool ballot = exchange == EXCHANGE_BALLOT;
    advance(p, 1);
    expect(p, "(");
    int at = p->at;
    const struct imp *value = ballot ? parse_value(p, TYPE_BOOL) : parse_typed_value(p),
                     *lane = NULL;
    expect(p, ",");
    if (!ballot) {
        lane = parse_integer(p);
        expect(p, ",");
    }
    int lanes = (int)parse_count(p, GPU_WARP);
    expect(p, ")");
    if (value->lanes > 1)
        mistake(p, at, DIAG_TYPE, "a vector is exchanged");
    p->meets = true;
    return p->failed ? no_value(p, TYPE_U32) : imp_exchange(p->cx, exchange, value, lane, lanes);
}

bool is_update(const struct parser *p)
{
    return token_is(p, 0, "atomic") && kind_at(p, 1) == IMP_TOKEN_WORD && token_is(p, 2, "[");
}

/* Reads "if expected = v" after the element. */
static const struct imp *parse_swap(struct parser *p, const struct imp_var *array,
                                    const struct imp *position)
{
    const struct imp *expected = parse_value(p, array->type);
    if (kind_at(p, 0) != IMP_TOKEN_ASSIGN || token_at(p, 0)->op != OP_NONE)
        mistake(p, p->at, DIAG_SYNTAX, "= is expected here");
    advance(p, 1);
    const struct imp *value = parse_value(p, array->type);
    return p->failed ? no_value(p, array->type) : imp_swap(p->cx, array, position, expected, value);
}

const struct imp *parse_update(struct parser *p, enum type type)
{
    int at = p->at;
    enum op op;
    advance(p, 1);
    const struct imp_var *array = expect_array(p);
    if (!array || !expect(p, "["))
        return no_value(p, type);
    const struct imp *position = parse_integer(p), *update;
    expect(p, "]");
    if (accept(p, "if")) {
        update = parse_swap(p, array, position);
    } else {
        const struct imp *value = parse_assigned(p, array->type, &op);
        update = p->failed ? value : imp_update(p->cx, array, position, op, value);
    }
    if (!p->failed && (update->type != type || update->arg[1]->lanes > 1))
        mistake(p, at, DIAG_TYPE, "%s is expected here, not %s", type_name(type),
                type_name(array->type));
    return p->failed ? no_value(p, type) : update;
}
