/* parse.c - tensor index notation from text.
 *
 *     statement  = access assignop expr
 *     assignop   = "=" | "+=" | "-=" | "*=" | "/=" | "min=" | "max=" | "|=" | "&=" | "^=" | REDUCTION "="
 *     access     = NAME [ "(" index { "," index } ")" ]
 *     index      = NAME | DIGITS
 *     expr       = unary { infix expr }                   by precedence climbing, from the operators' table
 *     unary      = "-" unary | primary [ "**" unary ]
 *     primary    = NUMBER | complex | constant | "(" expr ")" | access | call | reduction
 *     complex    = "(" number "," number ")"
 *     call       = FUNCTION "(" expr { "," expr } ")"
 *     reduction  = REDUCTION "(" NAME { "," NAME } "," expr ")"
 *
 * Operators that the user has defined are functions too, and reductions if they are declared to be fit for it.
 *
 * min(j, x) is a reduction if j is an index variable and a call if it is a tensor, so the index variables are
 * collected first: they are the names inside an access's parentheses.
 *
 * After a mistake the parser skips to the next operator, comma or parenthesis that is not nested deeper, lets a zero
 * stand in for what it could not read, and goes on; it reports at most one mistake a token.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdarg.h>
#include <string.h>

#include "compiler/base/suggest.h"
#include "compiler/base/text.h"
#include "compiler/base/vec.h"
#include "compiler/notation/lex.h"
#include "compiler/notation/notation.h"
#include "compiler/notation/words.h"
#include "compiler/value/operator.h"

enum { ERRORS_MAX = 20 };

struct parser {
    struct context *cx;
    const struct source *source;
    const char *text;
    const struct token *token;       /* all; the last is END */
    int at;                          /* the current one */
    int depth;                       /* of nesting */
    int errors, error_at;            /* how many, and the token of the last */
    struct diag ignored;             /* where mistakes go that are not reported */
    VEC(const struct tensor_var *) tensors;
    VEC(const struct index_var *) indices;
    int literals;                    /* of them */
};

/* ---- tokens ---- */

static const struct token *peek(const struct parser *p) { return &p->token[p->at]; }

static bool next_is(const struct parser *p, enum token_kind kind) { return peek(p)->kind == kind; }

static void advance(struct parser *p) { p->at += !next_is(p, TOKEN_END); }

static bool accept(struct parser *p, enum token_kind kind)
{
    bool yes = next_is(p, kind);
    if (yes)
        advance(p);
    return yes;
}

static const char *token_text(const struct parser *p, const struct token *token) { return p->text + token->begin; }

static size_t token_length(const struct token *token) { return (size_t)(token->end - token->begin); }

static const char *token_name(struct parser *p, const struct token *token)
{
    return internn(p->cx, token_text(p, token), token_length(token));
}

static struct span token_span(const struct parser *p, const struct token *token)
{
    return (struct span){p->source, token->begin, token->end};
}

/* The function of this name, the user's included. */
static bool find_function(const struct parser *p, const struct token *token, enum op *op)
{
    return operator_find(p->cx, token_text(p, token), token_length(token), op);
}

static bool find_reduction(const struct parser *p, const struct token *token, enum op *op)
{
    if (reduction_find(token_text(p, token), token_length(token), op))
        return true;
    return find_function(p, token, op) && op_is_user(*op) && operator_reduces(p->cx, *op);
}

static bool is_reserved(const struct parser *p, const struct token *token)
{
    enum op op;
    return word_is_reserved(token_text(p, token), token_length(token)) || find_function(p, token, &op);
}

static bool token_is_op(const struct parser *p, enum op_syntax syntax, enum op *op)
{
    const struct token *token = peek(p);
    return token->kind == TOKEN_OPERATOR && op_find(token_text(p, token), token_length(token), syntax, op);
}

/* ---- mistakes ---- */

static struct diag *complain(struct parser *p, enum diag_code code, struct span span, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

static struct diag *complain(struct parser *p, enum diag_code code, struct span span, const char *format, ...)
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

/* Is the token text that a terminal can show?  (The lexer keeps the bytes of a UTF-8 character together.) */
static bool is_printable(const struct parser *p, const struct token *token)
{
    unsigned char first = (unsigned char)*token_text(p, token);
    size_t bytes = first < 0x80 ? 1 : first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0;
    return first >= ' ' && first != 0x7f && (bytes == 1 || bytes == token_length(token));
}

/* The next token, quoted for a message. */
static const char *describe(struct parser *p)
{
    const struct token *token = peek(p);
    if (token->kind == TOKEN_END)
        return "the end";
    if (!is_printable(p, token))
        return arena_printf(p->cx->arena, "the byte 0x%02x", (unsigned char)*token_text(p, token));
    return arena_printf(p->cx->arena, "'%.*s'", (int)token_length(token), token_text(p, token));
}

static void expected(struct parser *p, const char *what)
{
    struct diag *diag = complain(p, DIAG_SYNTAX, token_span(p, peek(p)), "expected %s, not %s", what, describe(p));
    if (peek(p)->instead)
        diag_help(p->cx, diag, "write %s", peek(p)->instead);
}

/* The function that was probably meant, or all there are. */
static void help_function(struct parser *p, struct diag *diag, const char *written)
{
    struct suggestion near = suggest_for(written);
    words_suggest(&near);
    for (int k = 0; p->cx->operators && k < p->cx->operators->n; k++)
        suggest_consider(&near, p->cx->operators->at[k]->name, strlen(p->cx->operators->at[k]->name));
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

/* Skip to an operator, comma, assignment or closing parenthesis that is not nested deeper. */
static void recover(struct parser *p)
{
    for (int nested = 0; !next_is(p, TOKEN_END); advance(p)) {
        bool stop = next_is(p, TOKEN_COMMA) || next_is(p, TOKEN_OPERATOR) || next_is(p, TOKEN_ASSIGN);
        if (nested == 0 && (stop || next_is(p, TOKEN_CLOSE)))
            return;
        nested += next_is(p, TOKEN_OPEN);
        nested -= next_is(p, TOKEN_CLOSE);
    }
}

/* Skip to the comma or parenthesis that ends this item of a list. */
static void recover_in_list(struct parser *p)
{
    recover(p);
    while (!next_is(p, TOKEN_COMMA) && !next_is(p, TOKEN_CLOSE) && !next_is(p, TOKEN_END)) {
        advance(p);
        recover(p);
    }
}

/* What stands in for something that could not be read. */
static const struct tin *stand_in(struct parser *p, struct span span)
{
    return tin_literal(p->cx, span, value_zero(TYPE_I64));
}

/* Too deep to go on: nothing more is read. */
static const struct tin *give_up(struct parser *p, struct span span)
{
    complain(p, DIAG_LIMIT, span, "the expression is nested more than %d deep", TIN_HEIGHT_MAX);
    while (!next_is(p, TOKEN_END))
        advance(p);
    p->error_at = p->at;
    return stand_in(p, span);
}

static void close_parenthesis(struct parser *p, const struct token *open)
{
    if (accept(p, TOKEN_CLOSE))
        return;
    if (next_is(p, TOKEN_END)) {
        complain(p, DIAG_SYNTAX, token_span(p, open), "this parenthesis is not closed");
        return;
    }
    expected(p, "')'");
    recover_in_list(p);
    while (accept(p, TOKEN_COMMA))
        recover_in_list(p);
    accept(p, TOKEN_CLOSE);
}

/* ---- names ---- */

static const struct index_var *find_index(const struct parser *p, const char *name)
{
    for (size_t i = 0; i < p->indices.n; i++)
        if (p->indices.at[i]->name == name)
            return p->indices.at[i];
    return NULL;
}

static const struct index_var *make_index(struct parser *p, const struct token *token)
{
    const char *name = token_name(p, token);
    const struct index_var *known = find_index(p, name);
    if (known)
        return known;
    if (p->indices.n >= TIN_INDICES_MAX)
        complain(p, DIAG_LIMIT, token_span(p, token), "a statement has at most %d index variables", TIN_INDICES_MAX);
    struct index_var *var = arena_make(p->cx->arena, struct index_var);
    var->name = name;
    var->size = -1;
    if (p->indices.n < TIN_INDICES_MAX)
        vec_push(p->cx->arena, &p->indices, var);
    return var;
}

static const struct tensor_var *make_tensor(struct parser *p, const struct token *token, int order)
{
    const char *name = token_name(p, token);
    for (size_t i = 0; i < p->tensors.n; i++)
        if (p->tensors.at[i]->name == name)
            return p->tensors.at[i];
    if (p->tensors.n >= TIN_TENSORS_MAX)
        complain(p, DIAG_LIMIT, token_span(p, token), "a statement has at most %d tensors", TIN_TENSORS_MAX);
    struct tensor_var *tensor = arena_make(p->cx->arena, struct tensor_var);
    tensor->name = name;
    tensor->order = order;
    tensor->type = TYPE_F64;
    tensor->fill = value_zero(TYPE_F64);
    tensor->rank = (int)p->tensors.n;
    if (p->tensors.n < TIN_TENSORS_MAX)
        vec_push(p->cx->arena, &p->tensors, tensor);
    return tensor;
}

static bool is_digits(const char *s, size_t n) { return strspn(s, "0123456789") >= n; }

static bool is_index_literal(const struct parser *p, const struct token *token)
{
    return token->kind == TOKEN_NUMBER && is_digits(token_text(p, token), token_length(token));
}

static bool is_token(const struct parser *p, const char *name)
{
    for (int at = 0; p->token[at].kind != TOKEN_END; at++)
        if (p->token[at].kind == TOKEN_NAME && token_name((struct parser *)p, &p->token[at]) == name)
            return true;
    return false;
}

/* A literal as the index of a mode: a variable of its own for the tensor, the mode and the value. */
static const struct index_var *make_literal(struct parser *p, const struct token *tensor, size_t mode,
                                            const struct token *token)
{
    struct value value;
    if (!value_parse(token_text(p, token), token_length(token), TYPE_I64, &value)) {
        complain(p, DIAG_LITERAL, token_span(p, token), "this index is beyond 64 bits");
        value = value_zero(TYPE_I64);
    }
    const char *name = intern(p->cx, arena_printf(p->cx->arena, "%s%zu_at_%lld", token_name(p, tensor), mode + 1,
                                                  (long long)value.i));
    while (is_token(p, name))
        name = intern(p->cx, arena_printf(p->cx->arena, "%s_", name));
    const struct index_var *known = find_index(p, name);
    if (known)
        return known;
    struct index_var *var = arena_make(p->cx->arena, struct index_var);
    *var = (struct index_var){.name = name, .literal = true, .value = value.i, .size = -1};
    if (p->literals++ >= TIN_LITERALS_MAX)
        complain(p, DIAG_LIMIT, token_span(p, token), "a statement has at most %d literals as indices", TIN_LITERALS_MAX);
    else if (p->indices.n >= TIN_INDICES_MAX)
        complain(p, DIAG_LIMIT, token_span(p, token), "a statement has at most %d index variables", TIN_INDICES_MAX);
    else
        vec_push(p->cx->arena, &p->indices, var);
    return var;
}

/* The names in a list after an opening parenthesis that a comma (or the closing parenthesis) follows; to the end of a
 * list of indices, literals too. */
static int leading_names(const struct parser *p, int at, bool to_the_end)
{
    int n = 0;
    while ((p->token[at].kind == TOKEN_NAME || (to_the_end && is_index_literal(p, &p->token[at])))
           && (p->token[at + 1].kind == TOKEN_COMMA || (to_the_end && p->token[at + 1].kind == TOKEN_CLOSE))) {
        n++;
        at += 2;
        if (p->token[at - 1].kind == TOKEN_CLOSE)
            break;
    }
    return n;
}

/* Make the index variables: names inside the parentheses of what is not a function, and those that sum, prod, any and
 * all name first (of min and max they may be tensors). */
static void collect_indices(struct parser *p)
{
    for (int at = 0; p->token[at].kind != TOKEN_END; at++) {
        const struct token *name = &p->token[at];
        if (name->kind != TOKEN_NAME || p->token[at + 1].kind != TOKEN_OPEN)
            continue;
        enum op op;
        bool reserved = is_reserved(p, name);
        if (find_function(p, name, &op) || (reserved && !find_reduction(p, name, &op)))
            continue;
        int n = leading_names(p, at + 2, !reserved);
        for (int i = 0; i < n; i++)
            if (p->token[at + 2 + 2 * i].kind == TOKEN_NAME && !is_reserved(p, &p->token[at + 2 + 2 * i]))
                make_index(p, &p->token[at + 2 + 2 * i]);
    }
}

/* ---- accesses ---- */

static void complain_about_index(struct parser *p, const struct token *tensor)
{
    const struct token *token = peek(p);
    if (token->kind == TOKEN_NUMBER || token->kind == TOKEN_OPERATOR) {
        struct diag *diag = complain(p, DIAG_SYNTAX, token_span(p, token),
                                     "an index variable or a number is expected here");
        diag_help(p->cx, diag, "an index counts from 0; offsets and strides are not available in this version");
    } else if (token->kind == TOKEN_CLOSE && token[-1].kind == TOKEN_OPEN) {
        struct diag *diag = complain(p, DIAG_SYNTAX, token_span(p, token), "an index variable is expected here");
        diag_help(p->cx, diag, "a scalar is written without parentheses: %s", token_name(p, tensor));
    } else if (token->kind == TOKEN_OPEN || (token->kind == TOKEN_NAME && token[1].kind == TOKEN_OPEN)) {
        struct diag *diag = complain(p, DIAG_SYNTAX, token_span(p, tensor),
                                     "%s is not a function, and a tensor's parentheses hold index variables only",
                                     token_name(p, tensor));
        help_function(p, diag, token_name(p, tensor));
    } else {
        expected(p, "an index variable");
    }
}

/* One index of an access; false after a mistake. */
static bool parse_index(struct parser *p, const struct token *tensor)
{
    const struct token *token = peek(p), *after = token + (token->kind != TOKEN_END);
    if (token->kind == TOKEN_NAME && is_reserved(p, token) && after->kind != TOKEN_OPEN) {
        complain(p, DIAG_NAME, token_span(p, token), "%s is a word of the language, not an index variable",
                 token_name(p, token));
        advance(p);
        return false;
    }
    bool ends = after->kind == TOKEN_COMMA || after->kind == TOKEN_CLOSE || after->kind == TOKEN_END;
    if ((token->kind == TOKEN_NAME || is_index_literal(p, token)) && ends) {
        advance(p);
        return true;
    }
    if (token->kind == TOKEN_NAME && after->kind != TOKEN_OPEN) { /* A(i+1): the caret goes under the + */
        advance(p);
        if (next_is(p, TOKEN_OPERATOR) || next_is(p, TOKEN_NUMBER))
            complain_about_index(p, tensor);
        else
            expected(p, "',' or ')'");
    } else {
        complain_about_index(p, tensor);
    }
    recover_in_list(p);
    p->error_at = p->at;
    return false;
}

static const struct tin *parse_access(struct parser *p)
{
    VEC(const struct index_var *) index = {0};
    VEC(struct span) spans = {0};
    const struct token *name = peek(p);
    struct span span = token_span(p, name);
    advance(p);
    const struct token *open = peek(p);
    if (accept(p, TOKEN_OPEN)) {
        do {
            const struct token *token = peek(p);
            if (parse_index(p, name)) {
                const struct index_var *var = token->kind == TOKEN_NAME ? make_index(p, token)
                                                                        : make_literal(p, name, index.n, token);
                vec_push(p->cx->arena, &index, var);
                vec_push(p->cx->arena, &spans, token_span(p, token));
            }
        } while (accept(p, TOKEN_COMMA));
        close_parenthesis(p, open);
        span.end = p->token[p->at - 1].end;
    }
    const struct tensor_var *tensor = make_tensor(p, name, (int)index.n);
    struct tin *access = (struct tin *)tin_access(p->cx, span, tensor, index.at, (int)index.n);
    access->index_span = spans.at;
    return access;
}

/* ---- numbers ---- */

static void complain_about_number(struct parser *p, const struct token *token)
{
    const char *s = token_text(p, token);
    size_t n = token_length(token), digits = strspn(s, "0123456789.");
    struct diag *diag = complain(p, DIAG_LITERAL, token_span(p, token), "this is not a number, or it is out of range");
    bool is_hexadecimal = n > 1 && s[0] == '0' && (s[1] == 'x' || s[1] == 'X');
    if (digits < n && !is_hexadecimal && strchr("eE", s[digits]) == NULL)
        diag_help(p->cx, diag, "a product needs its operator: %.*s * %.*s", (int)digits, s, (int)(n - digits),
                  s + digits);
}

/* The number, or false after saying what is wrong with it. */
static bool read_number(struct parser *p, const struct token *token, bool negative, struct value *value)
{
    const char *s = token_text(p, token);
    size_t n = token_length(token);
    const char *text = arena_printf(p->cx->arena, "%s%.*s", negative ? "-" : "", (int)n, s);
    size_t length = strlen(text);
    if (!is_digits(s, n)) {
        if (value_parse(text, length, TYPE_F64, value) || value_parse(text, length, TYPE_C128, value))
            return true;
        complain_about_number(p, token);
        return false;
    }
    if (value_parse(text, length, TYPE_I64, value) || value_parse(text, length, TYPE_U64, value))
        return true;
    struct diag *diag = complain(p, DIAG_LITERAL, token_span(p, token), "this integer is beyond 64 bits");
    diag_help(p->cx, diag, "write it as a floating-point number: %.*s.0", (int)n, s);
    return false;
}

static const struct tin *parse_number(struct parser *p, struct span span, bool negative)
{
    const struct token *token = peek(p);
    struct value value;
    bool ok = read_number(p, token, negative, &value);
    advance(p);
    span = span_join(span, token_span(p, token));
    if (ok)
        return tin_literal(p->cx, span, value);
    p->error_at = p->at; /* 3x(i): one mistake, not two */
    return stand_in(p, span);
}

/* Does a [-]number or [-]inf [-]nan begin here?  Gives the token after it. */
static bool is_part(const struct parser *p, int at, int *after)
{
    const struct token *token = &p->token[at];
    enum op op;
    if (token->kind == TOKEN_OPERATOR && op_find(token_text(p, token), token_length(token), SYNTAX_PREFIX, &op))
        token++;
    struct value v;
    *after = (int)(token - p->token) + 1;
    return token->kind == TOKEN_NUMBER
        || (token->kind == TOKEN_NAME && constant_find(token_text(p, token), token_length(token), &v)
            && type_is_float(v.type));
}

/* (1.5,-2)? */
static bool is_complex(const struct parser *p)
{
    int at;
    return is_part(p, p->at + 1, &at) && p->token[at].kind == TOKEN_COMMA && is_part(p, at + 1, &at)
        && p->token[at].kind == TOKEN_CLOSE;
}

/* One part, read as a float even if it is written as an integer: -0 keeps its sign. */
static bool read_part(struct parser *p, double *part)
{
    bool negative = accept(p, TOKEN_OPERATOR);
    const struct token *token = peek(p);
    const char *text = arena_printf(p->cx->arena, "%s%.*s", negative ? "-" : "", (int)token_length(token),
                                    token_text(p, token));
    struct value value;
    bool ok = value_parse(text, strlen(text), TYPE_F64, &value);
    if (ok)
        *part = value.f;
    else if (value_parse(text, strlen(text), TYPE_C128, &value))
        complain(p, DIAG_LITERAL, token_span(p, token), "the parts of a complex number are real");
    else
        complain_about_number(p, token);
    advance(p);
    return ok;
}

static const struct tin *parse_complex(struct parser *p)
{
    struct span span = token_span(p, peek(p));
    double re = 0, im = 0;
    advance(p);
    bool ok = read_part(p, &re);
    advance(p);
    ok &= read_part(p, &im);
    span = span_join(span, token_span(p, peek(p)));
    advance(p);
    return ok ? tin_literal(p->cx, span, value_complex(TYPE_C128, re, im)) : stand_in(p, span);
}

/* ---- expressions ---- */

static const struct tin *parse_expression(struct parser *p, int precedence);

static const struct tin *make_op(struct parser *p, struct span span, enum op op, const struct tin *const *arg)
{
    const struct tin *node = tin_op(p->cx, span, op, arg, op_arity(op));
    return node->height < TIN_HEIGHT_MAX ? node : give_up(p, span);
}

static void complain_about_arity(struct parser *p, struct span span, const struct token *name, enum op op, int args)
{
    complain(p, DIAG_SYNTAX, span, "%s takes %s%d argument%s, not %d", token_name(p, name),
             op_associative(op) ? "at least " : "", op_arity(op), op_arity(op) == 1 ? "" : "s", args);
}

static const struct tin *parse_call(struct parser *p, enum op op)
{
    VEC(const struct tin *) arg = {0};
    const struct token *name = peek(p), *open = name + 1;
    struct span span = token_span(p, name);
    int errors = p->errors;
    advance(p);
    advance(p);
    do {
        const struct tin *one = parse_expression(p, 0);
        vec_push(p->cx->arena, &arg, one);
    } while (accept(p, TOKEN_COMMA));
    close_parenthesis(p, open);
    span.end = p->token[p->at - 1].end;
    int args = (int)arg.n, arity = op_arity(op);
    if (args < arity || (args > arity && !op_associative(op))) {
        if (p->errors == errors)
            complain_about_arity(p, span, name, op, args);
        return stand_in(p, span);
    }
    const struct tin *node = make_op(p, span, op, arg.at);
    for (int i = arity; i < args; i++) { /* min(a, b, c) = min(min(a, b), c) */
        const struct tin *pair[2] = {node, arg.at[i]};
        node = make_op(p, span, op, pair);
    }
    return node;
}

static const struct tin *parse_reduction(struct parser *p, enum op op, int indices)
{
    VEC(const struct index_var *) index = {0};
    VEC(struct span) spans = {0};
    const struct token *open = peek(p) + 1;
    struct span span = token_span(p, peek(p));
    advance(p);
    advance(p);
    for (int i = 0; i < indices; i++) {
        if (is_reserved(p, peek(p)))
            complain(p, DIAG_NAME, token_span(p, peek(p)), "%s is a word of the language, not an index variable",
                     token_name(p, peek(p)));
        vec_push(p->cx->arena, &index, make_index(p, peek(p)));
        vec_push(p->cx->arena, &spans, token_span(p, peek(p)));
        advance(p);
        advance(p);
    }
    const struct tin *body = parse_expression(p, 0);
    if (next_is(p, TOKEN_COMMA))
        complain(p, DIAG_SYNTAX, token_span(p, peek(p)), "a reduction has one body, after its index variables");
    close_parenthesis(p, open);
    span.end = p->token[p->at - 1].end;
    struct tin *node = (struct tin *)tin_reduce(p->cx, span, op, index.at, (int)index.n, body);
    node->index_span = spans.at;
    return node->height < TIN_HEIGHT_MAX ? node : give_up(p, span);
}

/* How many of the names after min( or max( reduce: those that are index variables. */
static int count_index_names(const struct parser *p, int names)
{
    int n = 0;
    while (n < names) {
        const struct token *token = &p->token[p->at + 2 + 2 * n];
        if (!find_index(p, internn(p->cx, token_text(p, token), token_length(token))))
            break;
        n++;
    }
    return n;
}

static void complain_about_reduction(struct parser *p, const struct token *name)
{
    struct diag *diag = complain(p, DIAG_ALGEBRA, token_span(p, name), "%s does not reduce", token_name(p, name));
    diag_help(p->cx, diag, "what reduces has two parameters and is declared commutative, associative and to have an "
              "identity, as in f(x,y) = x + y; commutative, associative, identity=0");
}

static const struct tin *parse_function(struct parser *p)
{
    const struct token *name = peek(p);
    enum op op = OP_NONE, reduction = OP_NONE;
    bool calls = find_function(p, name, &op), reduces = find_reduction(p, name, &reduction);
    int names = leading_names(p, p->at + 2, false);
    if (calls)
        names = count_index_names(p, names);
    if (reduces && names > 0)
        return parse_reduction(p, reduction, names);
    if (calls && op_is_user(op) && names > 0)
        complain_about_reduction(p, name);
    if (calls)
        return parse_call(p, op);
    struct span span = token_span(p, name);
    if (reduces)
        complain(p, DIAG_SYNTAX, span, "%s takes index variables first: %s(j, ...)", token_name(p, name),
                 token_name(p, name));
    else
        complain(p, DIAG_SYNTAX, span, "%s is a constant, not a function", token_name(p, name));
    advance(p);
    recover(p);
    return stand_in(p, span);
}

static const struct tin *parse_reserved(struct parser *p)
{
    const struct token *name = peek(p);
    struct value value;
    if (name[1].kind == TOKEN_OPEN)
        return parse_function(p);
    if (constant_find(token_text(p, name), token_length(name), &value)) {
        advance(p);
        return tin_literal(p->cx, token_span(p, name), value);
    }
    struct diag *diag = complain(p, DIAG_NAME, token_span(p, name), "%s is the name of a function, not of a tensor",
                                 token_name(p, name));
    diag_help(p->cx, diag, "give the tensor another name");
    advance(p);
    return stand_in(p, token_span(p, name));
}

static const struct tin *parse_parentheses(struct parser *p)
{
    if (is_complex(p))
        return parse_complex(p);
    const struct token *open = peek(p);
    advance(p);
    const struct tin *inside = parse_expression(p, 0);
    close_parenthesis(p, open);
    struct tin *enclosed = arena_copy(p->cx->arena, inside, sizeof *inside);
    enclosed->span = token_span(p, open);
    enclosed->span.end = p->token[p->at - 1].end;
    return enclosed;
}

static const struct tin *parse_primary(struct parser *p)
{
    struct span span = token_span(p, peek(p));
    switch (peek(p)->kind) {
    case TOKEN_NUMBER: return parse_number(p, span, false);
    case TOKEN_OPEN: return parse_parentheses(p);
    case TOKEN_NAME: return is_reserved(p, peek(p)) ? parse_reserved(p) : parse_access(p);
    case TOKEN_END:
    case TOKEN_CLOSE:
    case TOKEN_COMMA:
    case TOKEN_OPERATOR:
    case TOKEN_ASSIGN:
    case TOKEN_UNKNOWN: break;
    }
    expected(p, "a tensor, a number or a function");
    recover(p);
    return stand_in(p, span);
}

static bool is_constant_word(const struct parser *p)
{
    struct value v;
    return next_is(p, TOKEN_NAME) && constant_find(token_text(p, peek(p)), token_length(peek(p)), &v)
        && type_is_float(v.type);
}

static bool is_power(const struct parser *p, const struct token *token)
{
    return token->kind == TOKEN_OPERATOR && power_find(token_text(p, token), token_length(token));
}

static const struct tin *parse_unary(struct parser *p);

/* a ** b is pow(a, b); in b the next one comes first, and a minus sign of its own. */
static const struct tin *parse_power(struct parser *p)
{
    const struct tin *base = parse_primary(p);
    if (!is_power(p, peek(p)))
        return base;
    advance(p);
    const struct tin *pair[2] = {base, parse_unary(p)};
    return make_op(p, span_join(base->span, pair[1]->span), OP_POW, pair);
}

static const struct tin *parse_prefix(struct parser *p, enum op op)
{
    struct span span = token_span(p, peek(p));
    advance(p);
    bool alone = !next_is(p, TOKEN_END) && !is_power(p, peek(p) + 1); /* -2**2 is -(2**2) */
    if (op == OP_NEG && next_is(p, TOKEN_NUMBER) && alone) /* -5 is a number; -(5) is its negation */
        return parse_number(p, span, true);
    if (op == OP_NEG && is_constant_word(p) && alone) {
        const struct tin *constant = parse_reserved(p);
        return tin_literal(p->cx, span_join(span, constant->span), op_fold(OP_NEG, &constant->value));
    }
    const struct tin *arg = parse_expression(p, op_precedence(op));
    return make_op(p, span_join(span, arg->span), op, &arg);
}

static const struct tin *parse_unary(struct parser *p)
{
    enum op op;
    if (p->depth >= TIN_HEIGHT_MAX)
        return give_up(p, token_span(p, peek(p)));
    p->depth++;
    const struct tin *node = token_is_op(p, SYNTAX_PREFIX, &op) ? parse_prefix(p, op) : parse_power(p);
    p->depth--;
    return node;
}

static bool is_comparison(enum op op)
{
    enum type real[2] = {TYPE_F64, TYPE_F64};
    return op_syntax(op) == SYNTAX_INFIX && op_result_type(op, real) == TYPE_BOOL;
}

static void check_chain(struct parser *p, enum op op)
{
    enum op next;
    if (!is_comparison(op) || !token_is_op(p, SYNTAX_INFIX, &next) || !is_comparison(next))
        return;
    struct diag *diag = complain(p, DIAG_SYNTAX, token_span(p, peek(p)), "comparisons do not chain");
    diag_help(p->cx, diag, "write and(a %s b, b %s c)", op_name(op), op_name(next));
}

/* The next token is no operator, but the expression does not end here: say so and take it for a product. */
static bool accept_missing_operator(struct parser *p)
{
    if (next_is(p, TOKEN_UNKNOWN) || next_is(p, TOKEN_ASSIGN)) {
        bool equals = next_is(p, TOKEN_ASSIGN) && token_length(peek(p)) == 1;
        struct diag *diag = complain(p, DIAG_SYNTAX, token_span(p, peek(p)), "expected an operator, not %s", describe(p));
        if (equals)
            diag_help(p->cx, diag, "a statement has one assignment; == compares");
        else if (peek(p)->instead)
            diag_help(p->cx, diag, "write %s", peek(p)->instead);
        advance(p);
        p->error_at = p->at; /* what follows may be missing for the same reason */
        return true;
    }
    if (!next_is(p, TOKEN_NAME) && !next_is(p, TOKEN_NUMBER) && !next_is(p, TOKEN_OPEN))
        return false;
    complain(p, DIAG_SYNTAX, token_span(p, peek(p)), "an operator is missing before this");
    return true;
}

static const struct tin *parse_expression(struct parser *p, int precedence)
{
    const struct tin *left = parse_unary(p);
    for (;;) {
        enum op op = OP_MUL;
        if (token_is_op(p, SYNTAX_INFIX, &op)) {
            if (op_precedence(op) < precedence)
                return left;
            advance(p);
        } else if (op_precedence(op) < precedence || !accept_missing_operator(p)) {
            return left;
        }
        const struct tin *pair[2] = {left, parse_expression(p, op_precedence(op) + 1)};
        left = make_op(p, span_join(left->span, pair[1]->span), op, pair);
        check_chain(p, op);
    }
}

/* ---- the statement ---- */

/* NULL after a mistake. */
static const struct tin *parse_result(struct parser *p)
{
    if (next_is(p, TOKEN_NAME) && !is_reserved(p, peek(p)))
        return parse_access(p);
    struct span span = token_span(p, peek(p));
    if (next_is(p, TOKEN_NAME))
        complain(p, DIAG_NAME, span, "%s is a word of the language, not a tensor", token_name(p, peek(p)));
    else
        expected(p, "the result, as in y(i) = ...");
    while (!next_is(p, TOKEN_ASSIGN) && !next_is(p, TOKEN_END))
        advance(p);
    return NULL;
}

static void expected_assignment(struct parser *p)
{
    struct text out = text_new(p->cx->arena);
    text_add(&out, "an assignment: ");
    assignments_list(&out);
    expected(p, out.at);
}

/* min= and max= are a name and a sign. */
static bool parse_assignment(struct parser *p, enum op *op)
{
    const struct token *token = peek(p);
    if (token->kind == TOKEN_NAME && token[1].kind == TOKEN_ASSIGN && token[1].end == token[1].begin + 1) {
        const char *sign = arena_printf(p->cx->arena, "%.*s=", (int)token_length(token), token_text(p, token));
        bool is_user = find_reduction(p, token, op) && op_is_user(*op);
        if (is_user || assignment_find(sign, strlen(sign), op)) {
            advance(p);
            advance(p);
            return true;
        }
    }
    if (token->kind == TOKEN_ASSIGN && assignment_find(token_text(p, token), token_length(token), op)) {
        advance(p);
        return true;
    }
    if (token->kind == TOKEN_NAME && token[1].kind == TOKEN_ASSIGN && find_function(p, token, op) && op_is_user(*op))
        complain_about_reduction(p, token);
    else
        expected_assignment(p);
    if (token->kind == TOKEN_UNKNOWN || token->kind == TOKEN_OPERATOR)
        advance(p);
    else
        while (!next_is(p, TOKEN_ASSIGN) && !next_is(p, TOKEN_END))
            advance(p);
    accept(p, TOKEN_ASSIGN);
    p->error_at = p->at;
    return false;
}

static void parse_end(struct parser *p)
{
    while (!next_is(p, TOKEN_END)) {
        if (next_is(p, TOKEN_CLOSE))
            complain(p, DIAG_SYNTAX, token_span(p, peek(p)), "no parenthesis is open here");
        else
            expected(p, "the end of the statement");
        advance(p);
        enum op op;
        if (token_is_op(p, SYNTAX_INFIX, &op)) {
            advance(p);
            parse_expression(p, 0);
        }
    }
}

static const struct tin *parse_statement(struct parser *p)
{
    enum op op = OP_NONE;
    const struct tin *result = parse_result(p);
    if (next_is(p, TOKEN_END)) {
        expected_assignment(p);
        return NULL;
    }
    parse_assignment(p, &op);
    const struct tin *value = parse_expression(p, 0);
    parse_end(p);
    return p->errors ? NULL : tin_assign(p->cx, span_join(result->span, value->span), op, result, value);
}

/* Brackets and braces are read as parentheses, and complained of once. */
static void check_brackets(struct parser *p)
{
    const struct token *wrong = NULL;
    char *better = arena_strdup(p->cx->arena, p->text);
    for (const struct token *token = p->token; token->kind != TOKEN_END; token++) {
        bool is_bracket = (token->kind == TOKEN_OPEN || token->kind == TOKEN_CLOSE) && token->instead;
        if (is_bracket)
            better[token->begin] = token->instead[0];
        if (is_bracket && !wrong)
            wrong = token;
    }
    if (!wrong)
        return;
    p->errors++;
    p->error_at = -1;
    struct diag *diag = diag_error(p->cx, DIAG_SYNTAX, token_span(p, wrong),
                                   "index variables and expressions stand in parentheses, not in '%c'",
                                   p->text[wrong->begin]);
    diag_help(p->cx, diag, "write %s", better);
}

const struct tin *tin_parse(struct context *cx, const char *text)
{
    struct source *source = arena_make(cx->arena, struct source);
    *source = (struct source){"expression", text};
    struct parser p = {.cx = cx, .source = source, .text = text};
    if (strlen(text) > TIN_TEXT_MAX) {
        complain(&p, DIAG_LIMIT, (struct span){NULL, 0, 0}, "the expression is longer than %d bytes", TIN_TEXT_MAX);
        return NULL;
    }
    int tokens;
    p.token = lex(cx->arena, text, &tokens);
    check_brackets(&p);
    collect_indices(&p);
    return parse_statement(&p);
}
