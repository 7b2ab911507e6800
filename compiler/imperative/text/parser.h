/* parser.h - the parser's state; private to parse*.c.
 *
 * After the first mistake the parser stands at the end of the text, where nothing is accepted, so
 * that it returns soon; what it makes until then is thrown away.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_IMPERATIVE_TEXT_PARSER_H
#define SPCC_IMPERATIVE_TEXT_PARSER_H

#include "compiler/base/vec.h"
#include "compiler/imperative/text/lex.h"
#include "compiler/imperative/text/parse.h"

/* A type that a name stands for, in a definition with types as parameters. */
struct bound_type {
    const char *name;
    enum type type;
};

enum { TYPE_PARAMETERS = 4 };

struct parser {
    struct context *cx;
    const struct source *source;
    const struct imp_token *token; /* all; the last is END */
    int at;                        /* the current one */
    int depth;                     /* of nesting */
    bool failed;
    VEC(const struct imp_var *) scope; /* the variables that are in scope, the innermost last */
    VEC(const struct imp_var *) met;   /* all of the function */
    struct bound_type bound[TYPE_PARAMETERS];
    int types;
    bool helper, effects; /* of the function that is read */
    bool meets;           /* threads meet in it, as far as it has been read */
    bool launches;        /* ... and it launches */
    enum type result;
    const struct imp_library *library; /* or NULL */
    struct imp_helpers *helpers;       /* that may be called */
};

/* ---- tokens ---- */

static inline const struct imp_token *token_at(const struct parser *p, int ahead)
{
    const struct imp_token *token = &p->token[p->at];
    while (ahead-- > 0 && token->kind != IMP_TOKEN_END)
        token++;
    return token;
}

static inline enum imp_token_kind kind_at(const struct parser *p, int ahead)
{
    return token_at(p, ahead)->kind;
}

/* Is it this sign, or this word? */
bool token_is(const struct parser *p, int ahead, const char *text);
const char *token_text(const struct parser *p, int ahead);
static inline void advance(struct parser *p, int tokens)
{
    p->at = (int)(token_at(p, tokens) - p->token);
}
bool accept(struct parser *p, const char *text);
/* Reports unless it is there. */
bool expect(struct parser *p, const char *text);
/* Returns the current token's text, a word that a variable or function may be named. */
const char *expect_name(struct parser *p, const char *what);

/* ---- mistakes ---- */

/* Reports a mistake at a token, unless there was one before; returns false. */
bool mistake(struct parser *p, int at, enum diag_code code, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* Nested too deeply?  Else one deeper. */
bool enter(struct parser *p);

/* ---- types, variables, functions ---- */

/* Returns the type, with lanes, that a token names. */
bool token_type(const struct parser *p, int ahead, enum type *type, int *lanes);
const struct imp_var *find_variable(const struct parser *p, const char *name);
/* Returns the array named by the current token, or the array of arrays; NULL after a mistake. */
const struct imp_var *expect_array(struct parser *p);
const struct imp_var *expect_arrays(struct parser *p);
/* Returns the helper that is called here; after it the current token is its "(". NULL after a
 * mistake. */
const struct imp_function *expect_function(struct parser *p);

/* ---- parse_statement.c ---- */

/* The variable is in scope from here on, unless one of its name is.  One that was declared like it,
 * in another place of the function, is the same: code may have been copied. */
const struct imp_var *declare(struct parser *p, const struct imp_var *var, int at);
/* { statements, each on a line of its own } */
const struct imp *parse_block(struct parser *p);

/* Returns the operator of an assignment, and its value, which may be an update. */
const struct imp *parse_assigned(struct parser *p, enum type type, enum op *op);

/* ---- parse_launch.c ---- */

/* Does one begin here?  If so, it can be parsed. */
bool is_launch(const struct parser *p);
const struct imp *parse_launch(struct parser *p);
bool is_barrier(const struct parser *p);
const struct imp *parse_barrier(struct parser *p);
bool is_placed(const struct parser *p);
const struct imp *parse_placed(struct parser *p);
bool is_exchange(const struct parser *p);
const struct imp *parse_exchange(struct parser *p);
bool is_update(const struct parser *p);
const struct imp *parse_update(struct parser *p, enum type type);
/* Parses a declaration or an assignment, with a fetch for its value. */
const struct imp *fetched(struct parser *p, const struct imp *imp, int at);

/* ---- parse_mark.c ---- */

/* [facts], which stand in front of a loop, a fill or an if. */
const struct imp_mark *parse_mark(struct parser *p);

/* ---- parse_expression.c ---- */

/* Parses an expression of this type and any number of lanes; of any integer type, for which a bare
 * number is an i64. */
const struct imp *parse_value(struct parser *p, enum type type);
const struct imp *parse_integer(struct parser *p);
/* ... of any type, which it says. */
const struct imp *parse_typed_value(struct parser *p);
/* Parses what binds more tightly than a comparison. */
const struct imp *parse_bound(struct parser *p, enum type type);
/* Parses a call of a helper, which stands here, for its value or for its effect. */
const struct imp *parse_call(struct parser *p, bool for_effect);
/* ` .. +4`, or 1 */
int parse_lanes(struct parser *p);
/* Parses a number without a sign, up to `most`. */
int64_t parse_count(struct parser *p, int64_t most);

#endif
