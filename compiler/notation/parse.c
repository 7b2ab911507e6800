/* parse.c - tensor index notation from text.
 *
 *     statements = statement { ";" statement } [ ";" ]
 *     statement  = access assignop expr
 *     assignop   = "=" | "+=" | "-=" | "*=" | "/=" | "min=" | "max=" | "|=" | "&=" | "^=" |
 *                REDUCTION "="
 *     access     = NAME [ "(" index { "," index } ")" ]
 *     index      = NAME | DIGITS
 *     expr       = unary { infix expr }                   by precedence climbing, from the
 *                                                         operators' table
 *     unary      = "-" unary | primary [ "**" unary ]
 *     primary    = NUMBER | complex | constant | "(" expr ")" | access | call | reduction
 *     complex    = "(" number "," number ")"
 *     call       = FUNCTION "(" expr { "," expr } ")"
 *     reduction  = REDUCTION "(" NAME { "," NAME } "," expr ")"
 *
 * Users' operators are functions, too, and reductions if their laws allow it.
 *
 * min(j, x) is a reduction if j is an index variable, and a call if j is a tensor.  So the index
 * variables are collected first: they are the names inside an access's parentheses.
 *
 * After a mistake the parser skips to the next operator, comma or parenthesis that is not nested
 * deeper, puts a zero in the place of the unread text, and goes on.  It reports at most one
 * mistake for each token.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/notation/parser.h"

#include "compiler/base/text.h"
#include "compiler/notation/foreign.h"
#include "compiler/notation/words.h"
#include "compiler/value/operator.h"

/* ---- expressions ---- */

static const struct tin *parse_expression(struct parser *p, int precedence);

static const struct tin *make_op(struct parser *p, struct span span, enum op op,
                                 const struct tin *const *arg)
{
    const struct tin *node = tin_op(p->cx, span, op, arg, op_arity(op));
    return node->height < TIN_HEIGHT_MAX ? node : parser_give_up(p, span);
}

static void complain_about_arity(struct parser *p, struct span span, const struct token *name,
                                 enum op op, int args)
{
    struct diag *diag = parser_complain(
        p, DIAG_SYNTAX, span, "%s takes %s%d argument%s, not %d", parser_token_name(p, name),
        op_associative(op) ? "at least " : "", op_arity(op), op_arity(op) == 1 ? "" : "s", args);
    enum op reduction;
    if (parser_find_reduction(p, name, &reduction))
        diag_help(p->cx, diag, "index variables come first: %s(j, ...) reduces over j",
                  parser_token_name(p, name));
}

static void complain_about_component(struct parser *p, struct span span, const struct token *name)
{
    struct diag *diag =
        parser_complain(p, DIAG_SYNTAX, span, "%s is of a tensor, or of a component of one",
                        parser_token_name(p, name));
    diag_help(p->cx, diag,
              "stored(A(i,j)) is true where A stores a component, even a zero; stored(A) counts "
              "them");
}

/* Is it max(A(i,j), j), where a reduction is meant? */
static void refuse_index(struct parser *p, const struct token *name, bool is_behind)
{
    enum op reduction;
    const struct token *token = peek(p);
    bool is_alone = token->kind == TOKEN_NAME
                    && (token[1].kind == TOKEN_COMMA || token[1].kind == TOKEN_CLOSE)
                    && parser_find_index(p, parser_token_name(p, token));
    if (!is_behind || !is_alone || !parser_find_reduction(p, name, &reduction))
        return;
    parser_complain(p, DIAG_SYNTAX, parser_token_span(p, token),
                    "%s takes index variables first: %s(%s, ...)", parser_token_name(p, name),
                    parser_token_name(p, name), parser_token_name(p, token));
}

static const struct tin *parse_call(struct parser *p, enum op op)
{
    VEC(const struct tin *) arg = {0};
    const struct token *name = peek(p), *open = name + 1;
    struct span span = parser_token_span(p, name);
    int errors = p->errors;
    advance(p);
    advance(p);
    do {
        refuse_index(p, name, arg.n > 0);
        const struct tin *one = parse_expression(p, 0);
        vec_push(p->cx->arena, &arg, one);
    } while (accept(p, TOKEN_COMMA));
    parser_close(p, open);
    span.end = p->token[p->at - 1].end;
    int args = (int)arg.n, arity = op_arity(op);
    if (args < arity || (args > arity && !op_associative(op))) {
        if (p->errors == errors)
            complain_about_arity(p, span, name, op, args);
        return parser_stand_in(p, span);
    }
    if (op == OP_STORED && arg.at[0]->kind != TIN_ACCESS) {
        if (p->errors == errors)
            complain_about_component(p, arg.at[0]->span, name);
        return parser_stand_in(p, span);
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
    struct span span = parser_token_span(p, peek(p));
    advance(p);
    advance(p);
    for (int i = 0; i < indices; i++) {
        if (parser_is_taken(p, peek(p)))
            parser_complain(p, DIAG_NAME, parser_token_span(p, peek(p)),
                            "%s is a word of the language, not an index variable",
                            parser_token_name(p, peek(p)));
        vec_push(p->cx->arena, &index, parser_make_index(p, peek(p)));
        vec_push(p->cx->arena, &spans, parser_token_span(p, peek(p)));
        advance(p);
        advance(p);
    }
    const struct tin *body = parse_expression(p, 0);
    if (next_is(p, TOKEN_COMMA))
        parser_complain(p, DIAG_SYNTAX, parser_token_span(p, peek(p)),
                        "a reduction has one body, after its index variables");
    parser_close(p, open);
    span.end = p->token[p->at - 1].end;
    struct tin *node = (struct tin *)tin_reduce(p->cx, span, op, index.at, (int)index.n, body);
    node->index_span = spans.at;
    return node->height < TIN_HEIGHT_MAX ? node : parser_give_up(p, span);
}

/* Returns how many of the names after min( or max( are index variables, which are reduced over. */
static int count_index_names(const struct parser *p, int names)
{
    int n = 0;
    while (n < names) {
        const struct token *token = &p->token[p->at + 2 + 2 * n];
        if (!parser_find_index(p, internn(p->cx, token_text(p, token), token_length(token))))
            break;
        n++;
    }
    return n;
}

static void complain_about_reduction(struct parser *p, const struct token *name)
{
    struct diag *diag = parser_complain(p, DIAG_ALGEBRA, parser_token_span(p, name),
                                        "%s does not reduce", parser_token_name(p, name));
    diag_help(p->cx, diag,
              "an operator that reduces has two parameters, an identity, and is commutative and "
              "associative, as in f(x,y) = x + y; commutative, associative, identity=0");
}

static const struct tin *parse_function(struct parser *p)
{
    const struct token *name = peek(p);
    enum op op = OP_NONE, reduction = OP_NONE;
    bool calls = parser_find_function(p, name, &op),
         reduces = parser_find_reduction(p, name, &reduction);
    int names = parser_leading_names(p, p->at + 2, false);
    if (calls)
        names = count_index_names(p, names);
    if (reduces && names > 0)
        return parse_reduction(p, reduction, names);
    if (calls && op_is_user(op) && names > 0)
        complain_about_reduction(p, name);
    if (calls)
        return parse_call(p, op);
    struct span span = parser_token_span(p, name);
    if (reduces)
        parser_complain(p, DIAG_SYNTAX, span, "%s takes index variables first: %s(j, ...)",
                        parser_token_name(p, name), parser_token_name(p, name));
    else
        parser_complain(p, DIAG_SYNTAX, span, "%s is a constant, not a function",
                        parser_token_name(p, name));
    advance(p);
    parser_recover(p);
    return parser_stand_in(p, span);
}

static const struct tin *parse_reserved(struct parser *p)
{
    const struct token *name = peek(p);
    struct value value;
    if (name[1].kind == TOKEN_OPEN)
        return parse_function(p);
    if (constant_find(token_text(p, name), token_length(name), &value)) {
        advance(p);
        return tin_literal(p->cx, parser_token_span(p, name), value);
    }
    struct diag *diag = parser_complain(p, DIAG_NAME, parser_token_span(p, name),
                                        "%s is the name of a function, not of a tensor",
                                        parser_token_name(p, name));
    diag_help(p->cx, diag, "give the tensor another name");
    advance(p);
    return parser_stand_in(p, parser_token_span(p, name));
}

static const struct tin *parse_parentheses(struct parser *p)
{
    if (parser_is_complex(p))
        return parse_complex(p);
    const struct token *open = peek(p);
    advance(p);
    const struct tin *inside = parse_expression(p, 0);
    parser_close(p, open);
    struct tin *enclosed = arena_copy(p->cx->arena, inside, sizeof *inside);
    enclosed->span = parser_token_span(p, open);
    enclosed->span.end = p->token[p->at - 1].end;
    return enclosed;
}

static const struct tin *parse_primary(struct parser *p)
{
    struct span span = parser_token_span(p, peek(p));
    switch (peek(p)->kind) {
    case TOKEN_NUMBER: return parse_number(p, span, false);
    case TOKEN_OPEN: return parse_parentheses(p);
    case TOKEN_NAME: return parser_is_reserved(p, peek(p)) ? parse_reserved(p) : parse_access(p);
    case TOKEN_END:
    case TOKEN_CLOSE:
    case TOKEN_COMMA:
    case TOKEN_SEMICOLON:
    case TOKEN_OPERATOR:
    case TOKEN_ASSIGN:
    case TOKEN_UNKNOWN: break;
    }
    parser_expected(p, "a tensor, a number or a function");
    parser_recover(p);
    return parser_stand_in(p, span);
}

static bool is_constant_word(const struct parser *p)
{
    struct value v;
    return next_is(p, TOKEN_NAME)
           && constant_find(token_text(p, peek(p)), token_length(peek(p)), &v)
           && type_is_float(v.type);
}

static bool is_power(const struct parser *p, const struct token *token)
{
    return token->kind == TOKEN_OPERATOR && power_find(token_text(p, token), token_length(token));
}

static const struct tin *parse_unary(struct parser *p);

/* a ** b is pow(a, b). In b a further ** comes first, and a minus sign of its own. */
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
    struct span span = parser_token_span(p, peek(p));
    advance(p);
    bool alone = !next_is(p, TOKEN_END) && !is_power(p, peek(p) + 1); /* -2**2 is -(2**2) */
    /* -5 is a number; -(5) is its negation */
    if (op == OP_NEG && next_is(p, TOKEN_NUMBER) && alone)
        return parse_number(p, span, true);
    if (op == OP_NEG && is_constant_word(p) && alone) {
        const struct tin *constant = parse_reserved(p);
        return tin_literal(p->cx, span_join(span, constant->span),
                           op_fold(OP_NEG, &constant->value));
    }
    const struct tin *arg = parse_expression(p, op_precedence(op));
    return make_op(p, span_join(span, arg->span), op, &arg);
}

static const struct tin *parse_unary(struct parser *p)
{
    enum op op;
    if (p->depth >= TIN_HEIGHT_MAX)
        return parser_give_up(p, parser_token_span(p, peek(p)));
    p->depth++;
    const struct tin *node =
        parser_is_op(p, SYNTAX_PREFIX, &op) ? parse_prefix(p, op) : parse_power(p);
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
    if (!is_comparison(op) || !parser_is_op(p, SYNTAX_INFIX, &next) || !is_comparison(next))
        return;
    struct diag *diag =
        parser_complain(p, DIAG_SYNTAX, parser_token_span(p, peek(p)), "comparisons do not chain");
    diag_help(p->cx, diag, "write and(a %s b, b %s c)", op_name(op), op_name(next));
}

/* Complains about a missing operator, if an expression goes on without one, and assumes a product.
 */
static bool accept_missing_operator(struct parser *p)
{
    if (next_is(p, TOKEN_UNKNOWN) || next_is(p, TOKEN_ASSIGN)) {
        bool equals = next_is(p, TOKEN_ASSIGN) && token_length(peek(p)) == 1;
        struct diag *diag = parser_complain(p, DIAG_SYNTAX, parser_token_span(p, peek(p)),
                                            "expected an operator, not %s", parser_describe(p));
        if (equals)
            diag_help(p->cx, diag, "a statement has one assignment; == compares");
        else if (peek(p)->instead)
            diag_help(p->cx, diag, "write %s", peek(p)->instead);
        advance(p);
        p->error_at = p->at; /* later tokens may be missing for the same reason */
        return true;
    }
    if (!next_is(p, TOKEN_NAME) && !next_is(p, TOKEN_NUMBER) && !next_is(p, TOKEN_OPEN))
        return false;
    parser_complain(p, DIAG_SYNTAX, parser_token_span(p, peek(p)),
                    "an operator is missing before this");
    return true;
}

static const struct tin *parse_expression(struct parser *p, int precedence)
{
    const struct tin *left = parse_unary(p);
    for (;;) {
        enum op op = OP_MUL;
        if (parser_is_op(p, SYNTAX_INFIX, &op)) {
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

/* Returns NULL after a mistake. */
static const struct tin *parse_result(struct parser *p)
{
    if (next_is(p, TOKEN_NAME) && !parser_is_reserved(p, peek(p)))
        return parse_access(p);
    struct span span = parser_token_span(p, peek(p));
    if (next_is(p, TOKEN_NAME))
        parser_complain(p, DIAG_NAME, span, "%s is a word of the language, not a tensor",
                        parser_token_name(p, peek(p)));
    else
        parser_expected(p, "the result, as in y(i) = ...");
    while (!next_is(p, TOKEN_ASSIGN) && !next_is(p, TOKEN_END))
        advance(p);
    return NULL;
}

static void expected_assignment(struct parser *p)
{
    struct text out = text_new(p->cx->arena);
    text_add(&out, "an assignment: ");
    assignments_list(&out);
    parser_expected(p, out.at);
}

/* min= and max= are a name and a sign. */
static bool parse_assignment(struct parser *p, enum op *op)
{
    const struct token *token = peek(p);
    if (token->kind == TOKEN_NAME && token[1].kind == TOKEN_ASSIGN
        && token[1].end == token[1].begin + 1) {
        const char *sign =
            arena_printf(p->cx->arena, "%.*s=", (int)token_length(token), token_text(p, token));
        bool is_user = parser_find_reduction(p, token, op) && op_is_user(*op);
        if (is_user || assignment_find(sign, strlen(sign), op)) {
            advance(p);
            advance(p);
            return true;
        }
    }
    if (token->kind == TOKEN_ASSIGN
        && assignment_find(token_text(p, token), token_length(token), op)) {
        advance(p);
        return true;
    }
    if (token->kind == TOKEN_NAME && token[1].kind == TOKEN_ASSIGN
        && parser_find_function(p, token, op) && op_is_user(*op))
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
            parser_complain(p, DIAG_SYNTAX, parser_token_span(p, peek(p)),
                            "no parenthesis is open here");
        else
            parser_expected(p, "the end of the statement");
        advance(p);
        enum op op;
        if (parser_is_op(p, SYNTAX_INFIX, &op)) {
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
    return p->errors ? NULL
                     : tin_assign(p->cx, span_join(result->span, value->span), op, result, value);
}

/* Returns the tokens up to the next semicolon. */
static const struct token *one_statement(struct parser *p, const struct token *begin, int *tokens)
{
    int n = 0;
    while (begin[n].kind != TOKEN_SEMICOLON && begin[n].kind != TOKEN_END)
        n++;
    *tokens = n + 1;
    struct token *own = arena_copy(p->cx->arena, begin, sizeof *own * (size_t)(n + 1));
    own[n] = (struct token){.kind = TOKEN_END, .begin = begin[n].begin, .end = begin[n].begin};
    return own;
}

static const struct tin *parse_statements(struct parser *p, int tokens)
{
    VEC(const struct tin *) statement = {0};
    const struct token *all = p->token;
    for (int at = 0, n; at == 0 || (at < tokens && all[at].kind != TOKEN_END); at += n) {
        p->token = one_statement(p, all + at, &n);
        p->at = 0;
        p->error_at = p->errors ? -1 : p->error_at;
        const struct tin *one = parse_statement(p);
        vec_push(p->cx->arena, &statement, one);
    }
    if (statement.n > TIN_RESULTS_MAX)
        parser_complain(p, DIAG_LIMIT, parser_token_span(p, p->token),
                        "at most %d statements are compiled together", TIN_RESULTS_MAX);
    return p->errors ? NULL : tin_multi(p->cx, statement.at, (int)statement.n);
}

/* Reads brackets and braces as parentheses, and complains once. */
static void check_brackets(struct parser *p)
{
    for (const struct token *token = p->token; token->kind != TOKEN_END; token++) {
        bool is_bracket = token->kind == TOKEN_OPEN || token->kind == TOKEN_CLOSE;
        if (!is_bracket || !token->instead)
            continue;
        p->errors++;
        p->error_at = -1;
        diag_error(p->cx, DIAG_SYNTAX, parser_token_span(p, token),
                   "index variables and expressions stand in parentheses, not in '%c'",
                   p->text[token->begin]);
        return;
    }
}

static struct span whole(struct context *cx, const char *text)
{
    struct source *source = arena_make(cx->arena, struct source);
    *source = (struct source){"expression", text};
    return (struct span){source, 0, (int)strlen(text)};
}

static const struct tin *parse_text(struct context *cx, const char *text)
{
    struct parser p = {.cx = cx, .source = whole(cx, text).source, .text = text};
    if (strlen(text) > TIN_TEXT_MAX) {
        parser_complain(&p, DIAG_LIMIT, (struct span){NULL, 0, 0},
                        "the expression is longer than %d bytes", TIN_TEXT_MAX);
        return NULL;
    }
    int tokens;
    p.token = lex(cx->arena, text, &tokens);
    check_brackets(&p);
    parser_collect_indices(&p);
    return parse_statements(&p, tokens);
}

/* Reads the tokens of a part of the source, with their places there. */
static const struct token *lex_within(struct context *cx, struct span at)
{
    int tokens;
    const char *text =
        arena_strndup(cx->arena, at.source->text + at.begin, (size_t)(at.end - at.begin));
    const struct token *own = lex(cx->arena, text, &tokens);
    struct token *token = arena_copy(cx->arena, own, sizeof *own * (size_t)tokens);
    for (int k = 0; k < tokens; k++) {
        token[k].begin += at.begin;
        token[k].end += at.begin;
    }
    return token;
}

const struct tin *tin_parse_expression(struct context *cx, const char *text, struct span at)
{
    at = at.source ? at : whole(cx, text);
    struct parser p = {.cx = cx, .source = at.source, .text = at.source->text};
    if (at.end - at.begin > TIN_TEXT_MAX) {
        parser_complain(&p, DIAG_LIMIT, at, "the expression is longer than %d bytes", TIN_TEXT_MAX);
        return NULL;
    }
    p.token = lex_within(cx, at);
    check_brackets(&p);
    parser_collect_indices(&p);
    const struct tin *e = parse_expression(&p, 0);
    parse_end(&p);
    return p.errors ? NULL : e;
}

/* ---- other notations ---- */

/* Is the text a statement?  Reports nothing. */
static bool parses(struct context *cx, const char *text)
{
    size_t diags = cx->diags.n;
    bool yes = parse_text(cx, text) != NULL;
    cx->diags.n = diags;
    return yes;
}

/* If the text is a statement in another notation, the first mistake gives its translation, and
 * replaces all mistakes. */
static void suggest_statement(struct context *cx, const char *text, size_t first)
{
    static const char *(*const meant[])(struct context *, const char *) = {
        foreign_einsum, foreign_matrices, foreign_signs};
    for (size_t i = 0; i < sizeof meant / sizeof *meant; i++) {
        const char *statement = meant[i](cx, text);
        if (!statement || !parses(cx, statement))
            continue;
        cx->diags.n = first + 1;
        diag_help(cx, &cx->diags.at[first], "write %s", statement);
        return;
    }
}

const struct tin *tin_parse(struct context *cx, const char *text)
{
    size_t first = cx->diags.n;
    const struct tin *statement = parse_text(cx, text);
    if (!statement && strlen(text) <= TIN_TEXT_MAX)
        suggest_statement(cx, text, first);
    return statement;
}
