/* parser.c - shared by parsers of tensor index notation: tokens, and reports of mistakes.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/notation/parser.h"

#include <stdarg.h>

#include "compiler/base/suggest.h"
#include "compiler/base/text.h"
#include "compiler/notation/words.h"
#include "compiler/value/operator.h"

enum { ERRORS_MAX = 20 };

/* ---- tokens ---- */

const char *parser_token_name(struct parser *p, const struct token *token)
{
    return internn(p->cx, token_text(p, token), token_length(token));
}

struct span parser_token_span(const struct parser *p, const struct token *token)
{
    return (struct span){p->source, token->begin, token->end};
}

/* Finds the function of this name, users' operators included. */
bool parser_find_function(const struct parser *p, const struct token *token, enum op *op)
{
    return operator_find(p->cx, token_text(p, token), token_length(token), op);
}

bool parser_find_reduction(const struct parser *p, const struct token *token, enum op *op)
{
    if (reduction_find(token_text(p, token), token_length(token), op))
        return true;
    return parser_find_function(p, token, op) && op_is_user(*op) && operator_reduces(p->cx, *op);
}

/* Names of types are functions before a parenthesis and ordinary names elsewhere: i0, i1, ...
 * include i8. */
bool parser_is_taken(const struct parser *p, const struct token *token)
{
    enum op op = OP_NONE;
    return parser_is_reserved(p, token)
           && !(parser_find_function(p, token, &op) && op_converts(op));
}

bool parser_is_reserved(const struct parser *p, const struct token *token)
{
    enum op op;
    return word_is_reserved(token_text(p, token), token_length(token))
           || parser_find_function(p, token, &op);
}

bool parser_is_op(const struct parser *p, enum op_syntax syntax, enum op *op)
{
    const struct token *token = peek(p);
    return token->kind == TOKEN_OPERATOR
           && op_find(token_text(p, token), token_length(token), syntax, op);
}

/* ---- mistakes ---- */

struct diag *parser_complain(struct parser *p, enum diag_code code, struct span span,
                             const char *format, ...)
{
    bool again = p->errors > 0 && p->error_at == p->at;
    p->error_at = p->at;
    if (again || p->errors >= ERRORS_MAX)
        return &p->ignored;
    p->errors++;
    va_list args;
    va_start(args, format);
    const char *message = arena_vprintf(p->cx->arena, format, args);
    va_end(args);
    return diag_error(p->cx, code, span, "%s", message);
}

/* Can a terminal show the token's text?  (The lexer keeps the bytes of a UTF-8 character together.)
 */
static bool is_printable(const struct parser *p, const struct token *token)
{
    unsigned char first = (unsigned char)*token_text(p, token);
    size_t bytes = first < 0x80   ? 1
                   : first < 0xc2 ? 0
                   : first < 0xe0 ? 2
                   : first < 0xf0 ? 3
                   : first < 0xf5 ? 4
                                  : 0;
    return first >= ' ' && first != 0x7f && (bytes == 1 || bytes == token_length(token));
}

/* Quotes the next token for a message. */
const char *parser_describe(struct parser *p)
{
    const struct token *token = peek(p);
    if (token->kind == TOKEN_END)
        return "the end";
    if (!is_printable(p, token))
        return arena_printf(p->cx->arena, "the byte 0x%02x", (unsigned char)*token_text(p, token));
    return arena_printf(p->cx->arena, "'%.*s'", (int)token_length(token), token_text(p, token));
}

void parser_expected(struct parser *p, const char *what)
{
    struct diag *diag = parser_complain(p, DIAG_SYNTAX, parser_token_span(p, peek(p)),
                                        "expected %s, not %s", what, parser_describe(p));
    if (peek(p)->instead)
        diag_help(p->cx, diag, "write %s", peek(p)->instead);
}

/* Names the function that was probably meant, or all functions. */
void parser_help_function(struct parser *p, struct diag *diag, const char *written)
{
    struct suggestion near = suggest_for(written);
    words_suggest(&near);
    for (int k = 0; p->cx->operators && k < p->cx->operators->n; k++)
        suggest_consider(&near, p->cx->operators->at[k]->name,
                         strlen(p->cx->operators->at[k]->name));
    if (near.nearest) {
        diag_help(p->cx, diag, "did you mean %.*s?", near.length, near.nearest);
        return;
    }
    struct text out = text_new(p->cx->arena);
    words_list(&out);
    for (int k = 0; p->cx->operators && k < p->cx->operators->n; k++)
        text_printf(&out, ", %s", p->cx->operators->at[k]->name);
    diag_help(p->cx, diag, "the functions are %s", out.at);
}

/* Skips to an operator, comma, assignment or closing parenthesis that is not nested deeper. */
void parser_recover(struct parser *p)
{
    for (int nested = 0; !next_is(p, TOKEN_END); advance(p)) {
        bool stop =
            next_is(p, TOKEN_COMMA) || next_is(p, TOKEN_OPERATOR) || next_is(p, TOKEN_ASSIGN);
        if (nested == 0 && (stop || next_is(p, TOKEN_CLOSE)))
            return;
        nested += next_is(p, TOKEN_OPEN);
        nested -= next_is(p, TOKEN_CLOSE);
    }
}

/* Skips to the comma or parenthesis that ends this item of a list. */
void parser_recover_in_list(struct parser *p)
{
    parser_recover(p);
    while (!next_is(p, TOKEN_COMMA) && !next_is(p, TOKEN_CLOSE) && !next_is(p, TOKEN_END)) {
        advance(p);
        parser_recover(p);
    }
}

/* Makes an expression in the place of text that could not be read. */
const struct tin *parser_stand_in(struct parser *p, struct span span)
{
    return tin_literal(p->cx, span, value_zero(TYPE_I64));
}

/* Gives up on text that is nested too deeply; the rest is not read. */
const struct tin *parser_give_up(struct parser *p, struct span span)
{
    parser_complain(p, DIAG_LIMIT, span, "the expression is nested more than %d deep",
                    TIN_HEIGHT_MAX);
    while (!next_is(p, TOKEN_END))
        advance(p);
    p->error_at = p->at;
    return parser_stand_in(p, span);
}

void parser_close(struct parser *p, const struct token *open)
{
    if (accept(p, TOKEN_CLOSE))
        return;
    if (next_is(p, TOKEN_END)) {
        parser_complain(p, DIAG_SYNTAX, parser_token_span(p, open),
                        "this parenthesis is not closed");
        return;
    }
    parser_expected(p, "')'");
    parser_recover_in_list(p);
    while (accept(p, TOKEN_COMMA))
        parser_recover_in_list(p);
    accept(p, TOKEN_CLOSE);
}
