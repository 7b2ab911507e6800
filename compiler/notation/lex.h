/* lex.h - the tokens of statements, operators' definitions and schedules.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_NOTATION_LEX_H
#define SPCC_NOTATION_LEX_H

struct arena;

enum token_kind {
    TOKEN_END,
    TOKEN_NAME,      /* A   alpha   sum */
    TOKEN_NUMBER,    /* 1  2.5e-3  3i, and what begins like one: 2x */
    TOKEN_OPEN,      /* (, and [ and { in its place */
    TOKEN_CLOSE,     /* ), and ] and } in its place */
    TOKEN_COMMA,     /* , */
    TOKEN_OPERATOR,  /* of the operators' table, infix or prefix */
    TOKEN_SEMICOLON, /* ; */
    TOKEN_ASSIGN,    /* =  +=  *=  |=  &=  ^= (min= is a name and a sign) */
    TOKEN_UNKNOWN,   /* anything else: one character, or a sign of another language */
};

/* Bytes [begin, end) of the text. */
struct token {
    enum token_kind kind;
    int begin, end;
    /* what to write in its place; NULL: it is right, or nobody knows */
    const char *instead;
};

/* Returns the text's tokens; the last is END. */
const struct token *lex(struct arena *arena, const char *text, int *tokens);

#endif
