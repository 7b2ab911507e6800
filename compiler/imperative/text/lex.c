/* lex.c - the tokens of imperative IR's text.
 *
 * It never fails.  Text that begins no token becomes an UNKNOWN token, and the parser says what it
 * expected there.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/imperative/text/lex.h"

#include <string.h>

#include "compiler/base/text.h"
#include "compiler/base/vec.h"

struct lexer {
    struct context *cx;
    const char *text;
    int at;
    int open; /* the open parentheses and brackets, inside which a line goes on */
    VEC(struct imp_token) token;
};

static int skip_digits(const char *text, int at)
{
    while (text_is_digit(text[at]))
        at++;
    return at;
}

/* Finds the end of 12, 1.5 or 1e-3, but leaves out the points of `12 .. +4`. */
static int number_end(const char *text, int at)
{
    at = skip_digits(text, at);
    if (text[at] == '.' && text[at + 1] != '.')
        at = skip_digits(text, at + 1);
    int exponent = at + 1 + (text[at] && (text[at + 1] == '-' || text[at + 1] == '+'));
    return (text[at] == 'e' || text[at] == 'E') && text_is_digit(text[exponent])
               ? skip_digits(text, exponent)
               : at;
}

static int word_end(const char *text, int at)
{
    while (text_is_letter(text[at]) || text_is_digit(text[at]))
        at++;
    return at;
}

static bool is_assignment(const char *s) { return s[0] == '=' && s[1] != '='; }

/* Reads a word, or an operator of assignment that begins with one, such as min=. */
static struct imp_token word(const char *text, int at)
{
    struct imp_token token = {IMP_TOKEN_WORD, at, word_end(text, at), OP_NONE};
    if (is_assignment(text + token.end)
        && op_find(text + at, (size_t)(token.end - at), SYNTAX_CALL, &token.op)
        && op_arity(token.op) == 2) {
        token.kind = IMP_TOKEN_ASSIGN;
        token.end++;
    }
    return token;
}

/* Reads the longest sign. */
static struct imp_token sign(const char *text, int at)
{
    static const char *const two[] = {"==", "!=", "<=", ">=", "++", ".."};
    struct imp_token token = {IMP_TOKEN_SIGN, at, at + 1, OP_NONE};
    for (size_t i = 0; i < sizeof two / sizeof *two; i++)
        if (text[at] == two[i][0] && text[at + 1] == two[i][1])
            token.end = at + 2;
    if (token.end == at + 1 && is_assignment(text + at))
        token.kind = IMP_TOKEN_ASSIGN;
    else if (token.end == at + 1 && !strchr("()[]{},;:?*+-/<>", text[at]))
        token.kind = IMP_TOKEN_UNKNOWN;
    else if (strchr("=!<>+-*/", text[at]))
        op_find(text + at, (size_t)(token.end - at), SYNTAX_INFIX, &token.op);
    if (token.kind == IMP_TOKEN_SIGN && strchr("+-*/", text[at]) && is_assignment(text + at + 1)) {
        token.kind = IMP_TOKEN_ASSIGN;
        token.end = at + 2;
    }
    return token;
}

static void add_token(struct lexer *l, struct imp_token token)
{
    vec_push(l->cx->arena, &l->token, token);
    l->at = token.end;
}

/* Skips blanks.  The ends of lines among them are one token. */
static void skip_blanks(struct lexer *l)
{
    int begin = l->at;
    bool ends = false;
    for (char c; (c = l->text[l->at]) == ' ' || c == '\t' || c == '\r' || c == '\n'; l->at++)
        ends |= c == '\n';
    if (ends && l->open == 0)
        add_token(l, (struct imp_token){IMP_TOKEN_NEWLINE, begin, l->at, OP_NONE});
}

static void next(struct lexer *l)
{
    const char *s = l->text + l->at;
    if (s[0] == '/' && s[1] == '/') {
        int begin = l->at + (s[2] == ' ' ? 3 : 2);
        add_token(l, (struct imp_token){IMP_TOKEN_COMMENT, begin,
                                        begin + (int)strcspn(l->text + begin, "\n"), OP_NONE});
    } else if (text_is_letter(*s)) {
        add_token(l, word(l->text, l->at));
    } else if (text_is_digit(*s)) {
        add_token(l,
                  (struct imp_token){IMP_TOKEN_NUMBER, l->at, number_end(l->text, l->at), OP_NONE});
    } else {
        l->open += (*s == '(' || *s == '[') - (*s == ')' || *s == ']');
        add_token(l, sign(l->text, l->at));
    }
}

const struct imp_token *imp_lex(struct context *cx, const char *text)
{
    struct lexer l = {.cx = cx, .text = text};
    skip_blanks(&l);
    while (text[l.at]) {
        next(&l);
        skip_blanks(&l);
    }
    add_token(&l, (struct imp_token){IMP_TOKEN_END, l.at, l.at, OP_NONE});
    return l.token.at;
}
