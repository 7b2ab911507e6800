/* parse_leaf.c - reads the leaves of expressions: names, accesses, numbers.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/notation/parser.h"

#include "compiler/base/suggest.h"
#include "compiler/notation/words.h"
#include "compiler/value/operator.h"

/* ---- names ---- */

const struct index_var *parser_find_index(const struct parser *p, const char *name)
{
    for (size_t i = 0; i < p->indices.n; i++)
        if (p->indices.at[i]->name == name)
            return p->indices.at[i];
    return NULL;
}

const struct index_var *parser_make_index(struct parser *p, const struct token *token)
{
    const char *name = parser_token_name(p, token);
    const struct index_var *known = parser_find_index(p, name);
    if (known)
        return known;
    if (p->indices.n >= TIN_INDICES_MAX)
        parser_complain(p, DIAG_LIMIT, parser_token_span(p, token),
                        "a statement has at most %d index variables", TIN_INDICES_MAX);
    struct index_var *var = arena_make(p->cx->arena, struct index_var);
    var->name = name;
    var->size = -1;
    if (p->indices.n < TIN_INDICES_MAX)
        vec_push(p->cx->arena, &p->indices, var);
    return var;
}

static const struct tensor_var *make_tensor(struct parser *p, const struct token *token, int order)
{
    const char *name = parser_token_name(p, token);
    for (size_t i = 0; i < p->tensors.n; i++)
        if (p->tensors.at[i]->name == name)
            return p->tensors.at[i];
    if (p->tensors.n >= TIN_TENSORS_MAX)
        parser_complain(p, DIAG_LIMIT, parser_token_span(p, token),
                        "a statement has at most %d tensors", TIN_TENSORS_MAX);
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
        if (p->token[at].kind == TOKEN_NAME
            && parser_token_name((struct parser *)p, &p->token[at]) == name)
            return true;
    return false;
}

const char *tin_index_literal_name(struct context *cx, const char *tensor, int mode, int64_t value)
{
    return intern(cx, arena_printf(cx->arena, "%s%d_at_%lld", tensor, mode + 1, (long long)value));
}

/* Makes a variable for a literal index, one for each tensor, mode and value. */
static const struct index_var *make_literal(struct parser *p, const struct token *tensor,
                                            size_t mode, const struct token *token)
{
    struct value value;
    if (!value_parse(token_text(p, token), token_length(token), TYPE_I64, &value)) {
        parser_complain(p, DIAG_LITERAL, parser_token_span(p, token),
                        "this index is beyond 64 bits");
        value = value_zero(TYPE_I64);
    }
    const char *name =
        tin_index_literal_name(p->cx, parser_token_name(p, tensor), (int)mode, value.i);
    while (is_token(p, name))
        name = intern(p->cx, arena_printf(p->cx->arena, "%s_", name));
    const struct index_var *known = parser_find_index(p, name);
    if (known)
        return known;
    struct index_var *var = arena_make(p->cx->arena, struct index_var);
    *var = (struct index_var){.name = name, .literal = true, .value = value.i, .size = -1};
    if (p->literals++ >= TIN_LITERALS_MAX)
        parser_complain(p, DIAG_LIMIT, parser_token_span(p, token),
                        "a statement has at most %d literals as indices", TIN_LITERALS_MAX);
    else if (p->indices.n >= TIN_INDICES_MAX)
        parser_complain(p, DIAG_LIMIT, parser_token_span(p, token),
                        "a statement has at most %d index variables", TIN_INDICES_MAX);
    else
        vec_push(p->cx->arena, &p->indices, var);
    return var;
}

/* Counts the names of a list after an opening parenthesis, each before a comma or the closing
 * parenthesis.  In a list of indices up to its end, literals count, too. */
int parser_leading_names(const struct parser *p, int at, bool to_the_end)
{
    int n = 0;
    while ((p->token[at].kind == TOKEN_NAME || (to_the_end && is_index_literal(p, &p->token[at])))
           && (p->token[at + 1].kind == TOKEN_COMMA
               || (to_the_end && p->token[at + 1].kind == TOKEN_CLOSE))) {
        n++;
        at += 2;
        if (p->token[at - 1].kind == TOKEN_CLOSE)
            break;
    }
    return n;
}

/* Makes the index variables: the names in the parentheses of tensors, and those that sum, prod, any
 * and all name first (with min and max they may be tensors). */
void parser_collect_indices(struct parser *p)
{
    for (int at = 0; p->token[at].kind != TOKEN_END; at++) {
        const struct token *name = &p->token[at];
        if (name->kind != TOKEN_NAME || p->token[at + 1].kind != TOKEN_OPEN)
            continue;
        enum op op;
        bool reserved = parser_is_reserved(p, name);
        if (parser_find_function(p, name, &op)
            || (reserved && !parser_find_reduction(p, name, &op)))
            continue;
        int n = parser_leading_names(p, at + 2, !reserved);
        for (int i = 0; i < n; i++)
            if (p->token[at + 2 + 2 * i].kind == TOKEN_NAME
                && !parser_is_taken(p, &p->token[at + 2 + 2 * i]))
                parser_make_index(p, &p->token[at + 2 + 2 * i]);
    }
}

/* ---- accesses ---- */

static void complain_about_index(struct parser *p, const struct token *tensor)
{
    const struct token *token = peek(p);
    if (token->kind == TOKEN_NUMBER || token->kind == TOKEN_OPERATOR) {
        struct diag *diag = parser_complain(p, DIAG_SYNTAX, parser_token_span(p, token),
                                            "an index variable or a number is expected here");
        diag_help(p->cx, diag,
                  "an index is a variable or a number from 0 on; there are no offsets and strides");
    } else if (token->kind == TOKEN_CLOSE && token[-1].kind == TOKEN_OPEN) {
        struct diag *diag = parser_complain(p, DIAG_SYNTAX, parser_token_span(p, token),
                                            "an index variable is expected here");
        diag_help(p->cx, diag, "a scalar is written without parentheses: %s",
                  parser_token_name(p, tensor));
    } else if (token->kind == TOKEN_OPEN
               || (token->kind == TOKEN_NAME && token[1].kind == TOKEN_OPEN)) {
        struct diag *diag = parser_complain(
            p, DIAG_SYNTAX, parser_token_span(p, tensor),
            "%s is not a function, and a tensor's parentheses hold index variables only",
            parser_token_name(p, tensor));
        parser_help_function(p, diag, parser_token_name(p, tensor));
    } else {
        parser_expected(p, "an index variable");
    }
}

/* Reads one index of an access.  false after a mistake. */
static bool parse_index(struct parser *p, const struct token *tensor)
{
    const struct token *token = peek(p), *after = token + (token->kind != TOKEN_END);
    if (token->kind == TOKEN_NAME && parser_is_taken(p, token) && after->kind != TOKEN_OPEN) {
        parser_complain(p, DIAG_NAME, parser_token_span(p, token),
                        "%s is a word of the language, not an index variable",
                        parser_token_name(p, token));
        advance(p);
        return false;
    }
    bool ends =
        after->kind == TOKEN_COMMA || after->kind == TOKEN_CLOSE || after->kind == TOKEN_END;
    if ((token->kind == TOKEN_NAME || is_index_literal(p, token)) && ends) {
        advance(p);
        return true;
    }
    /* in A(i+1) the caret goes under the + */
    if (token->kind == TOKEN_NAME && after->kind != TOKEN_OPEN) {
        advance(p);
        if (next_is(p, TOKEN_OPERATOR) || next_is(p, TOKEN_NUMBER))
            complain_about_index(p, tensor);
        else
            parser_expected(p, "',' or ')'");
    } else {
        complain_about_index(p, tensor);
    }
    parser_recover_in_list(p);
    p->error_at = p->at;
    return false;
}

const struct tin *parse_access(struct parser *p)
{
    VEC(const struct index_var *) index = {0};
    VEC(struct span) spans = {0};
    const struct token *name = peek(p);
    struct span span = parser_token_span(p, name);
    advance(p);
    const struct token *open = peek(p);
    if (accept(p, TOKEN_OPEN)) {
        do {
            const struct token *token = peek(p);
            if (parse_index(p, name)) {
                const struct index_var *var = token->kind == TOKEN_NAME
                                                  ? parser_make_index(p, token)
                                                  : make_literal(p, name, index.n, token);
                vec_push(p->cx->arena, &index, var);
                vec_push(p->cx->arena, &spans, parser_token_span(p, token));
            }
        } while (accept(p, TOKEN_COMMA));
        parser_close(p, open);
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
    struct diag *diag = parser_complain(p, DIAG_LITERAL, parser_token_span(p, token),
                                        "this is not a number, or it is out of range");
    bool is_hexadecimal = n > 1 && s[0] == '0' && (s[1] == 'x' || s[1] == 'X');
    if (digits < n && !is_hexadecimal && strchr("eE", s[digits]) == NULL)
        diag_help(p->cx, diag, "a product needs its operator: %.*s * %.*s", (int)digits, s,
                  (int)(n - digits), s + digits);
}

/* Reads the number, or returns false after saying what is wrong with it. */
static bool read_number(struct parser *p, const struct token *token, bool negative,
                        struct value *value)
{
    const char *s = token_text(p, token);
    size_t n = token_length(token);
    const char *text = arena_printf(p->cx->arena, "%s%.*s", negative ? "-" : "", (int)n, s);
    size_t length = strlen(text);
    if (!is_digits(s, n)) {
        if (value_parse(text, length, TYPE_F64, value)
            || value_parse(text, length, TYPE_C128, value))
            return true;
        complain_about_number(p, token);
        return false;
    }
    if (value_parse(text, length, TYPE_I64, value) || value_parse(text, length, TYPE_U64, value))
        return true;
    struct diag *diag = parser_complain(p, DIAG_LITERAL, parser_token_span(p, token),
                                        "this integer is beyond 64 bits");
    diag_help(p->cx, diag, "write it as a floating-point number: %.*s.0", (int)n, s);
    return false;
}

const struct tin *parse_number(struct parser *p, struct span span, bool negative)
{
    const struct token *token = peek(p);
    struct value value;
    bool ok = read_number(p, token, negative, &value);
    advance(p);
    span = span_join(span, parser_token_span(p, token));
    if (ok)
        return tin_literal(p->cx, span, value);
    p->error_at = p->at; /* 3x(i) is one mistake, not two */
    return parser_stand_in(p, span);
}

/* Does a number, inf or nan begin here, perhaps after a minus?  *after is the token behind it. */
static bool is_part(const struct parser *p, int at, int *after)
{
    const struct token *token = &p->token[at];
    enum op op;
    if (token->kind == TOKEN_OPERATOR
        && op_find(token_text(p, token), token_length(token), SYNTAX_PREFIX, &op))
        token++;
    struct value v;
    *after = (int)(token - p->token) + 1;
    return token->kind == TOKEN_NUMBER
           || (token->kind == TOKEN_NAME
               && constant_find(token_text(p, token), token_length(token), &v)
               && type_is_float(v.type));
}

/* Is it a complex number, such as (1.5,-2)? */
bool parser_is_complex(const struct parser *p)
{
    int at;
    return is_part(p, p->at + 1, &at) && p->token[at].kind == TOKEN_COMMA && is_part(p, at + 1, &at)
           && p->token[at].kind == TOKEN_CLOSE;
}

/* Reads one part as a float, even if it is written as an integer, so -0 keeps its sign. */
static bool read_part(struct parser *p, double *part)
{
    bool negative = accept(p, TOKEN_OPERATOR);
    const struct token *token = peek(p);
    const char *text = arena_printf(p->cx->arena, "%s%.*s", negative ? "-" : "",
                                    (int)token_length(token), token_text(p, token));
    struct value value;
    bool ok = value_parse(text, strlen(text), TYPE_F64, &value);
    if (ok)
        *part = value.f;
    else if (value_parse(text, strlen(text), TYPE_C128, &value))
        parser_complain(p, DIAG_LITERAL, parser_token_span(p, token),
                        "the parts of a complex number are real");
    else
        complain_about_number(p, token);
    advance(p);
    return ok;
}

const struct tin *parse_complex(struct parser *p)
{
    struct span span = parser_token_span(p, peek(p));
    double re = 0, im = 0;
    advance(p);
    bool ok = read_part(p, &re);
    advance(p);
    ok &= read_part(p, &im);
    span = span_join(span, parser_token_span(p, peek(p)));
    advance(p);
    return ok ? tin_literal(p->cx, span, value_complex(TYPE_C128, re, im))
              : parser_stand_in(p, span);
}
