/* parse.c - functions of imperative IR from text.
 *
 * A recursive descent over the tokens.  A definition with types as parameters is read again for
 * each set of types with which it is called.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/imperative/text/parser.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { DEPTH_MAX = 1000, LANES_MOST = 64 };

/* ---- tokens ---- */

static bool is_text(const struct parser *p, const struct imp_token *token, const char *text)
{
    size_t n = (size_t)(token->end - token->begin);
    return strncmp(p->source->text + token->begin, text, n) == 0 && text[n] == '\0';
}

bool token_is(const struct parser *p, int ahead, const char *text)
{
    const struct imp_token *token = token_at(p, ahead);
    return (token->kind == IMP_TOKEN_WORD || token->kind == IMP_TOKEN_SIGN)
           && is_text(p, token, text);
}

const char *token_text(const struct parser *p, int ahead)
{
    const struct imp_token *token = token_at(p, ahead);
    return internn(p->cx, p->source->text + token->begin, (size_t)(token->end - token->begin));
}

bool accept(struct parser *p, const char *text)
{
    bool yes = token_is(p, 0, text);
    advance(p, yes);
    return yes;
}

bool expect(struct parser *p, const char *text)
{
    return accept(p, text) || mistake(p, p->at, DIAG_SYNTAX, "%s is expected here", text);
}

bool mistake(struct parser *p, int at, enum diag_code code, const char *format, ...)
{
    if (p->failed)
        return false;
    va_list args;
    va_start(args, format);
    const struct imp_token *token = &p->token[at];
    diag_error(p->cx, code, (struct span){p->source, token->begin, token->end}, "%s",
               arena_vprintf(p->cx->arena, format, args));
    va_end(args);
    p->failed = true;
    while (kind_at(p, 0) != IMP_TOKEN_END)
        p->at++;
    return false;
}

bool enter(struct parser *p)
{
    return ++p->depth <= DEPTH_MAX
           || mistake(p, p->at, DIAG_LIMIT, "nested more than %d deep", DEPTH_MAX);
}

/* ---- names ---- */

/* Returns the lanes at the end of a type's name: of x4, or 1 without; 0 if it is no such end. */
static int lanes_of(const char *s, size_t n)
{
    char *end;
    if (n == 0)
        return 1;
    long lanes = n > 1 && s[0] == 'x' && s[1] >= '1' && s[1] <= '9' ? strtol(s + 1, &end, 10) : 0;
    return lanes > 1 && lanes <= LANES_MOST && end == s + n ? (int)lanes : 0;
}

bool token_type(const struct parser *p, int ahead, enum type *type, int *lanes)
{
    const struct imp_token *token = token_at(p, ahead);
    const char *s = p->source->text + token->begin;
    size_t length = (size_t)(token->end - token->begin);
    if (token->kind != IMP_TOKEN_WORD)
        return false;
    for (int i = 0; i < p->types; i++) {
        *type = p->bound[i].type;
        *lanes = 1;
        if (is_text(p, token, p->bound[i].name))
            return true;
    }
    for (int t = 0; t < TYPE_COUNT; t++) {
        size_t n = strlen(type_name((enum type)t));
        *type = (enum type)t;
        if (length >= n && strncmp(s, type_name(*type), n) == 0
            && (*lanes = lanes_of(s + n, length - n)) > 0)
            return true;
    }
    return false;
}

const struct imp_var *find_variable(const struct parser *p, const char *name)
{
    for (size_t i = p->scope.n; i-- > 0;)
        if (p->scope.at[i]->name == name)
            return p->scope.at[i];
    return NULL;
}

const char *expect_name(struct parser *p, const char *what)
{
    struct value value;
    const char *name = token_text(p, 0);
    bool taken = value_parse(name, strlen(name), TYPE_F64, &value)
                 || value_parse(name, strlen(name), TYPE_BOOL, &value);
    if (kind_at(p, 0) != IMP_TOKEN_WORD || taken) {
        mistake(p, p->at, DIAG_SYNTAX, "a name for %s is expected here", what);
        return intern(p->cx, "");
    }
    advance(p, 1);
    return name;
}

static const struct imp_var *expect_declared(struct parser *p, bool arrays)
{
    const struct imp_var *var =
        kind_at(p, 0) == IMP_TOKEN_WORD ? find_variable(p, token_text(p, 0)) : NULL;
    if (!var || !var->array || (var->arrays > 0) != arrays) {
        mistake(p, p->at, DIAG_NAME, "an array %sthat is declared is expected here",
                arrays ? "of arrays " : "");
        return NULL;
    }
    advance(p, 1);
    return var;
}

const struct imp_var *expect_array(struct parser *p) { return expect_declared(p, false); }

const struct imp_var *expect_arrays(struct parser *p) { return expect_declared(p, true); }

/* Reads <T, i64> after a function's name: the types to use. */
static int parse_types(struct parser *p, enum type *type)
{
    int n = 0, lanes;
    if (!accept(p, "<"))
        return 0;
    do {
        if (n == TYPE_PARAMETERS || !token_type(p, 0, &type[n], &lanes) || lanes > 1) {
            mistake(p, p->at, DIAG_SYNTAX, "a scalar type is expected here");
            return 0;
        }
        advance(p, 1);
        n++;
    } while (accept(p, ","));
    expect(p, ">");
    return n;
}

static const struct imp_function *find_helper(const struct imp_helpers *helpers, const char *name)
{
    for (size_t i = 0; i < helpers->n; i++)
        if (!strcmp(helpers->at[i]->name, name))
            return helpers->at[i];
    return NULL;
}

const struct imp_function *expect_function(struct parser *p)
{
    int at = p->at;
    enum type type[TYPE_PARAMETERS];
    const char *name = token_text(p, 0);
    advance(p, 1);
    int types = parse_types(p, type);
    if (p->failed)
        return NULL;
    const struct imp_function *function =
        p->library ? imp_instantiate(p->cx, p->library, name, type, types, p->helpers)
                   : find_helper(p->helpers, name);
    if (!function || (types > 0 && !p->library))
        mistake(p, at, DIAG_NAME, "there is no function %s before this one", name);
    return p->failed ? NULL : function;
}

/* ---- functions ---- */

static struct imp_param parse_param(struct parser *p)
{
    enum type type = TYPE_I64;
    int lanes = 1;
    bool out = accept(p, "out"), constant = accept(p, "const");
    if (!token_type(p, 0, &type, &lanes) || lanes > 1)
        mistake(p, p->at, DIAG_SYNTAX, "the type of a parameter is expected here");
    advance(p, 1);
    bool array = accept(p, "*");
    int at = p->at;
    const char *name = expect_name(p, "a parameter");
    struct imp_var *var =
        array ? imp_array(p->cx, name, type, constant) : imp_var(p->cx, name, type);
    var->constant = constant;
    declare(p, var, at);
    return (struct imp_param){.var = var, .role = ROLE_LOCAL, .out = out};
}

static void parse_params(struct parser *p, struct imp_function *function)
{
    VEC(struct imp_param) param = {0};
    expect(p, "(");
    bool more = !token_is(p, 0, ")");
    while (more && !p->failed) {
        vec_push(p->cx->arena, &param, parse_param(p));
        more = accept(p, ",");
    }
    expect(p, ")");
    function->params = (int)param.n;
    function->param = param.at;
}

/* Reads <T, C> after the name.  From here on they stand for these types. */
static void bind_types(struct parser *p, const enum type *type, int types)
{
    if (types == 0 || !expect(p, "<"))
        return;
    for (int i = 0; i < types && (i == 0 || expect(p, ",")); i++)
        p->bound[p->types++] = (struct bound_type){expect_name(p, "a type"), type[i]};
    expect(p, ">");
}

/* Reads kernel f, void f, sorts f, multiplies f or i64 f. */
static void parse_head(struct parser *p, struct imp_function *function)
{
    int lanes = 1;
    function->helper = !accept(p, "kernel");
    function->sorts = function->helper && accept(p, "sorts");
    function->multiplies = function->helper && accept(p, "multiplies");
    function->effects =
        function->sorts || function->multiplies || (function->helper && accept(p, "void"));
    if (function->helper && !function->effects) {
        if (!token_type(p, 0, &function->result, &lanes) || lanes > 1)
            mistake(p, p->at, DIAG_SYNTAX,
                    "kernel, void, sorts, multiplies or the type of a result is expected here");
        advance(p, 1);
    }
    function->name = expect_name(p, "a function");
}

static struct imp_function *parse_function(struct parser *p, const enum type *type, int types)
{
    struct imp_function *function = arena_make(p->cx->arena, struct imp_function);
    int begin = p->at;
    advance(p, 2);
    bind_types(p, type, types);
    int after = p->at;
    p->at = begin;
    parse_head(p, function);
    p->at = types > 0 ? after : p->at;
    for (int i = 0; i < types; i++)
        function->name = arena_printf(p->cx->arena, "%s_%s", function->name, type_name(type[i]));
    p->scope.n = p->met.n = 0;
    p->meets = p->launches = false;
    p->helper = function->helper;
    p->effects = function->effects;
    p->result = function->result;
    parse_params(p, function);
    function->body = parse_block(p);
    function->meets = function->helper && p->meets;
    function->launches = function->helper && p->launches;
    return function;
}

/* Does a line end here, not followed by an empty line? */
static bool is_line_end(const struct parser *p)
{
    const struct imp_token *token = token_at(p, 0);
    const char *s = p->source->text + token->begin;
    const char *end = token->kind == IMP_TOKEN_NEWLINE ? strchr(s, '\n') : NULL;
    return end && !memchr(end + 1, '\n', (size_t)(p->source->text + token->end - end - 1));
}

/* Returns the comment whose last line is just above, NULL if there is none. */
static const char *parse_brief(struct parser *p)
{
    const char *brief = NULL;
    for (; kind_at(p, 0) == IMP_TOKEN_NEWLINE || kind_at(p, 0) == IMP_TOKEN_COMMENT;
         advance(p, 1)) {
        if (kind_at(p, 0) == IMP_TOKEN_NEWLINE)
            brief = is_line_end(p) ? brief : NULL;
        else
            brief = brief ? arena_printf(p->cx->arena, "%s %s", brief, token_text(p, 0))
                          : token_text(p, 0);
    }
    return brief;
}

static struct parser new_parser(struct context *cx, const char *name, const char *text,
                                struct imp_helpers *helpers)
{
    struct source *source = arena_make(cx->arena, struct source);
    *source = (struct source){name, text};
    return (struct parser){
        .cx = cx, .source = source, .token = imp_lex(cx, text), .helpers = helpers};
}

/* Reads the helpers and the kernel behind them. */
static const struct imp_function *parse_unit(struct parser *p)
{
    for (;;) {
        const char *brief = parse_brief(p);
        struct imp_function *function = parse_function(p, NULL, 0);
        if (kind_at(p, 0) == IMP_TOKEN_NEWLINE)
            advance(p, 1);
        if (p->failed)
            return NULL;
        if (!function->helper) {
            function->helpers = (int)p->helpers->n;
            function->helper_at = p->helpers->at;
            return function;
        }
        function->brief = brief;
        vec_push(p->cx->arena, p->helpers, (const struct imp_function *)function);
    }
}

const struct imp_function *imp_parse(struct context *cx, const char *text)
{
    struct imp_helpers helpers = {0};
    struct parser p = new_parser(cx, "imperative IR", text, &helpers);
    const struct imp_function *kernel = parse_unit(&p);
    if (kernel && kind_at(&p, 0) != IMP_TOKEN_END)
        mistake(&p, p.at, DIAG_SYNTAX, "the kernel is the last function");
    const char *broken = p.failed ? NULL : imp_check(cx, kernel);
    if (broken)
        mistake(&p, 0, DIAG_INVARIANT, "%s", broken);
    return p.failed ? NULL : kernel;
}

static const char *find_definition(const struct imp_library *library, const char *name)
{
    for (int i = 0; i < library->n; i++)
        if (strcmp(library->at[i].name, name) == 0)
            return library->at[i].text;
    return NULL;
}

const struct imp_function *imp_instantiate(struct context *cx, const struct imp_library *library,
                                           const char *name, const enum type *type, int types,
                                           struct imp_helpers *helpers)
{
    const char *full = name, *text = find_definition(library, name);
    for (int i = 0; i < types; i++)
        full = arena_printf(cx->arena, "%s_%s", full, type_name(type[i]));
    const struct imp_function *known = find_helper(helpers, full);
    if (known || !text)
        return known;
    struct parser p = new_parser(cx, name, text, helpers);
    p.library = library;
    const char *brief = parse_brief(&p);
    struct imp_function *function = parse_function(&p, type, types);
    function->brief = brief;
    if (p.failed)
        return NULL;
    vec_push(cx->arena, helpers, (const struct imp_function *)function);
    return function;
}
