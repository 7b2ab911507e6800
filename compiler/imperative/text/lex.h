/* lex.h - the tokens of imperative IR's text; private to its parser.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_IMPERATIVE_TEXT_LEX_H
#define SPCC_IMPERATIVE_TEXT_LEX_H

#include "compiler/base/context.h"
#include "compiler/value/op.h"

enum imp_token_kind {
    IMP_TOKEN_END,
    IMP_TOKEN_NEWLINE, /* one or more, outside parentheses */
    IMP_TOKEN_COMMENT, /* what follows "// " */
    IMP_TOKEN_WORD,
    IMP_TOKEN_NUMBER,  /* without a sign */
    IMP_TOKEN_ASSIGN,  /* =  +=  min=, with op */
    IMP_TOKEN_SIGN,    /* one or two characters, with op if it is an infix operator's */
    IMP_TOKEN_UNKNOWN, /* anything else, a character */
};

/* Bytes [begin, end) of the text. */
struct imp_token {
    enum imp_token_kind kind;
    int begin, end;
    enum op op;
};

/* Returns the text's tokens; the last is END. */
const struct imp_token *imp_lex(struct context *cx, const char *text);

#endif
