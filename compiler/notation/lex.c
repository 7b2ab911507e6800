/* lex.c - splits a statement into tokens.
 *
 * It never fails.  Text that begins no token becomes an UNKNOWN token, a whole UTF-8 character at
 * a time, and the parser complains where the token stands.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/notation/lex.h"

#include <stdbool.h>
#include <string.h>

#include "compiler/base/text.h"
#include "compiler/base/vec.h"
#include "compiler/notation/words.h"

/* Signs of other languages and of mathematics, longest first. */
static const struct {
    const char *sign, *instead;
} foreign[] = {
    {"\xe2\x88\x92", "-"},
    {"\xe2\x88\x97", "*"},
    {"\xe2\x89\xa4", "<="},
    {"\xe2\x89\xa5", ">="},
    {"\xe2\x89\xa0", "!="},
    {"\xe2\x88\x9e", "inf"},
    {"\xe2\x88\x91", "sum(j, A(i,j))"},
    {"\xce\xa3", "sum(j, A(i,j))"},
    {"\xc3\x97", "*"},
    {"\xc2\xb7", "*"},
    {"&&", "and(a, b)"},
    {"||", "or(a, b)"},
    {".*", "*"},
    {"./", "/"},
    {":=", "="},
    {"?", "select(c, a, b)"},
    {"^", "a ** b or xor(a, b)"},
    {"%", "mod(a, b)"},
    {"&", "and(a, b)"},
    {"|", "or(a, b)"},
    {"!", "not(a)"},
};

static bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

static int skip_digits(const char *text, int at)
{
    while (text_is_digit(text[at]))
        at++;
    return at;
}

/* Skips 12, 1.5, .5 or 1e-3, and letters, digits and points that follow directly. */
static int skip_number(const char *text, int at)
{
    at = skip_digits(text, at);
    if (text[at] == '.')
        at = skip_digits(text, at + 1);
    if ((text[at] == 'e' || text[at] == 'E') && (text[at + 1] == '-' || text[at + 1] == '+')
        && text_is_digit(text[at + 2]))
        at += 2;
    while (text_is_digit(text[at]) || text_is_letter(text[at]) || text[at] == '.')
        at++;
    return at;
}

static int skip_character(const char *text, int at)
{
    bool multibyte = (text[at++] & 0x80) != 0;
    while (multibyte && (text[at] & 0xC0) == 0x80)
        at++;
    return at;
}

static struct token foreign_token(const char *text, int at)
{
    for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++) {
        size_t n = strlen(foreign[i].sign);
        if (strncmp(text + at, foreign[i].sign, n) == 0)
            return (struct token){TOKEN_UNKNOWN, at, at + (int)n, foreign[i].instead};
    }
    return (struct token){.kind = TOKEN_UNKNOWN, .begin = at, .end = skip_character(text, at)};
}

static bool is_operator(const char *sign, size_t n)
{
    enum op op;
    return op_find(sign, n, SYNTAX_INFIX, &op) || op_find(sign, n, SYNTAX_PREFIX, &op)
           || power_find(sign, n);
}

/* Reads a mark that no operator contains.  END if it may be an operator. */
static struct token mark_token(const char *text, int at)
{
    struct token mark = {.begin = at, .end = at + 1};
    switch (text[at]) {
    case '[':
    case '{':
        mark.instead = "(";
        mark.kind = TOKEN_OPEN;
        break;
    case ']':
    case '}':
        mark.instead = ")";
        mark.kind = TOKEN_CLOSE;
        break;
    case '(': mark.kind = TOKEN_OPEN; break;
    case ')': mark.kind = TOKEN_CLOSE; break;
    case ',': mark.kind = TOKEN_COMMA; break;
    case ';': mark.kind = TOKEN_SEMICOLON; break;
    default: mark.kind = TOKEN_END; break;
    }
    return mark;
}

/* Reads the longest sign. */
static struct token sign_token(const char *text, int at)
{
    const char *sign = text + at;
    struct token two = {.begin = at, .end = at + 2}, one = mark_token(text, at);
    enum op op;
    if (one.kind != TOKEN_END)
        return one;
    if (sign[1] && is_operator(sign, 2)) {
        two.kind = TOKEN_OPERATOR;
        return two;
    }
    if (sign[1] && assignment_find(sign, 2, &op)) {
        two.kind = TOKEN_ASSIGN;
        return two;
    }
    struct token other = foreign_token(text, at);
    if (other.instead)
        return other;
    one.kind = *sign == '=' ? TOKEN_ASSIGN : TOKEN_OPERATOR;
    return *sign == '=' || is_operator(sign, 1) ? one : other;
}

static struct token next_token(const char *text, int at)
{
    struct token token = {.kind = TOKEN_END, .begin = at, .end = at};
    if (!text[at])
        return token;
    if (text_is_letter(text[at])) {
        token.kind = TOKEN_NAME;
        while (text_is_letter(text[token.end]) || text_is_digit(text[token.end]))
            token.end++;
    } else if (text_is_digit(text[at]) || (text[at] == '.' && text_is_digit(text[at + 1]))) {
        token.kind = TOKEN_NUMBER;
        token.end = skip_number(text, at);
    } else {
        token = sign_token(text, at);
    }
    return token;
}

const struct token *lex(struct arena *arena, const char *text, int *tokens)
{
    VEC(struct token) all = {0};
    int at = 0;
    do {
        while (is_space(text[at]))
            at++;
        vec_push(arena, &all, next_token(text, at));
        at = all.at[all.n - 1].end;
    } while (all.at[all.n - 1].kind != TOKEN_END);
    *tokens = (int)all.n;
    return all.at;
}
