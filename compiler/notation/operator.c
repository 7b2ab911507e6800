/* operator.c - users' operators, from text.
 *
 *     definition = NAME "(" NAME { "," NAME } ")" "=" choice { (";" | ",") law }
 *     law        = "commutative" | "associative" | "idempotent" | ("identity" | "annihilator") "="
 *                constant | "distributes" "over" OPERATOR
 *     choice     = expr [ "?" choice ":" choice ]
 *     expr       = unary { infix expr }               by precedence climbing, with C's precedences
 *     unary      = ("-" | "+" | "!") unary | primary
 *     primary    = NUMBER | constant | parameter | "(" choice ")" | NAME "(" choice { "," choice }
 *                ")"
 *
 * A call of another user's operator is replaced by its body with the arguments.  A condition that
 * is no comparison is compared with 0, as in C.  Bodies are typed as statements, for each type.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/notation/operator.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "compiler/base/text.h"
#include "compiler/base/vec.h"
#include "compiler/notation/check.h"
#include "compiler/notation/parser.h"
#include "compiler/notation/words.h"

/* The deepest nesting of a body, and its most nodes once calls are replaced. */
enum { DEPTH_MAX = 200, NODES_MAX = 1000 };

struct reader {
    struct context *cx;
    struct parser p; /* the tokens */
    bool failed;     /* the one mistake has been reported */
    struct definition *definition;
    int parameters;
};

/* ---- tokens ---- */

static struct span span_of(const struct reader *r, const struct token *token)
{
    return parser_token_span(&r->p, token);
}

static bool is_text(const struct reader *r, const struct token *token, const char *text)
{
    return token->kind != TOKEN_END && token_length(token) == strlen(text)
           && memcmp(token_text(&r->p, token), text, strlen(text)) == 0;
}

static bool accept_sign(struct reader *r, const char *sign)
{
    bool yes = !r->failed && is_text(r, peek(&r->p), sign);
    if (yes)
        advance(&r->p);
    return yes;
}

static struct diag *wrong(struct reader *r, enum diag_code code, struct span span,
                          const char *format, ...) __attribute__((format(printf, 4, 5)));

/* Reports the first mistake, from which later ones follow.  NULL for a later one. */
static struct diag *wrong(struct reader *r, enum diag_code code, struct span span,
                          const char *format, ...)
{
    if (r->failed)
        return NULL;
    r->failed = true;
    va_list args;
    va_start(args, format);
    const char *message = arena_vprintf(r->cx->arena, format, args);
    va_end(args);
    return diag_error(r->cx, code, span, "%s", message);
}

static void help(struct reader *r, struct diag *diag, const char *text)
{
    if (diag && text)
        diag_help(r->cx, diag, "%s", text);
}

static void expected(struct reader *r, const char *what)
{
    const struct token *token = peek(&r->p);
    struct diag *diag = wrong(r, DIAG_SYNTAX, span_of(r, token), "expected %s, not %s", what,
                              parser_describe(&r->p));
    if (token->instead)
        help(r, diag, arena_printf(r->cx->arena, "write %s", token->instead));
}

static void expect(struct reader *r, const char *sign)
{
    if (!accept_sign(r, sign))
        expected(r, arena_printf(r->cx->arena, "'%s'", sign));
}

static const char *expect_name(struct reader *r, const char *what)
{
    const struct token *token = peek(&r->p);
    enum op op = OP_NONE;
    if (token->kind != TOKEN_NAME) {
        expected(r, what);
        return "";
    }
    const char *name = parser_token_name(&r->p, token);
    if (word_is_reserved(name, strlen(name)) || operator_find(r->cx, name, strlen(name), &op))
        wrong(r, DIAG_NAME, span_of(r, token), "%s is %s already", name,
              op_is_user(op) ? "an operator that is defined" : "a word of the language");
    advance(&r->p);
    return name;
}

/* ---- nodes ---- */

static const struct tin *nothing(struct reader *r)
{
    return tin_literal(r->cx, span_of(r, peek(&r->p)), value_zero(TYPE_I64));
}

static int count_nodes(const struct tin *tin, int most)
{
    int n = 1;
    for (int i = 0; i < tin->args && n <= most; i++)
        n += count_nodes(tin->arg[i], most - n);
    return n;
}

/* Returns the node if it is not too large. */
static const struct tin *limited(struct reader *r, const struct tin *node)
{
    if (count_nodes(node, NODES_MAX) <= NODES_MAX)
        return node;
    wrong(r, DIAG_LIMIT, node->span, "the operator is made of more than %d others", NODES_MAX);
    return nothing(r);
}

static const struct tin *make_node(struct reader *r, struct span span, enum op op,
                                   const struct tin *const *arg)
{
    return limited(r, tin_op(r->cx, span, op, arg, op_arity(op)));
}

/* Is it surely true or false: a comparison, or made of comparisons? */
static bool is_truth(const struct tin *tin)
{
    if (tin->kind == TIN_OP && (tin->op == OP_AND || tin->op == OP_OR || tin->op == OP_NOT))
        return is_truth(tin->arg[0]) && is_truth(tin->arg[tin->args - 1]);
    bool compares = tin->kind == TIN_OP && op_syntax(tin->op) == SYNTAX_INFIX
                    && op_precedence(tin->op) == op_precedence(OP_EQ);
    return compares || (tin->kind == TIN_LITERAL && tin->value.type == TYPE_BOOL);
}

/* Makes a condition as C does: is it not 0? */
static const struct tin *truth(struct reader *r, const struct tin *tin)
{
    const struct tin *pair[2] = {tin, tin_literal(r->cx, tin->span, value_zero(TYPE_I64))};
    return is_truth(tin) ? tin : make_node(r, tin->span, OP_NE, pair);
}

/* Replaces a body's parameters by these. */
static const struct tin *put_in(struct context *cx, const struct tin *body,
                                const struct tin *const *arg)
{
    const struct tin *part[3];
    if (body->kind == TIN_ACCESS)
        return arg[body->tensor->rank];
    for (int i = 0; i < body->args; i++)
        part[i] = put_in(cx, body->arg[i], arg);
    return body->args ? tin_op(cx, body->span, body->op, part, body->args) : body;
}

/* ---- expressions ---- */

static const struct tin *read_choice(struct reader *r);

/* Reads the bytes as a constant; an integer has only digits. */
static bool parse_constant(const char *s, size_t n, struct value *value)
{
    bool is_integer = strspn(s, "-0123456789") >= n;
    return (is_integer
            && (value_parse(s, n, TYPE_I64, value) || value_parse(s, n, TYPE_U64, value)))
           || value_parse(s, n, TYPE_F64, value) || value_parse(s, n, TYPE_C128, value)
           || value_parse(s, n, TYPE_BOOL, value);
}

static const struct tin *read_number(struct reader *r)
{
    const struct token *token = peek(&r->p);
    size_t n = token_length(token);
    const char *s = token_text(&r->p, token);
    bool is_real =
        memchr(s, '.', n) || ((memchr(s, 'e', n) || memchr(s, 'E', n)) && !memchr(s, 'x', n));
    struct value value;
    if (is_real && n > 1 && strchr("fFlL", s[n - 1])) /* 1.5f */
        n--;
    advance(&r->p);
    if (parse_constant(s, n, &value))
        return tin_literal(r->cx, span_of(r, token), value);
    wrong(r, DIAG_LITERAL, span_of(r, token), "this is not a number, or it is out of range");
    return nothing(r);
}

/* Finds the function by its name in the language or in C. */
static bool find_function(const struct reader *r, const char *name, size_t n, enum op *op)
{
    static const struct {
        const char *name;
        enum op op;
    } other[] = {
        {"fmax", OP_MAX}, {"fmin", OP_MIN},   {"fabs", OP_ABS},
        {"labs", OP_ABS}, {"llabs", OP_ABS},  {"fmod", OP_MOD},
        {"cabs", OP_ABS}, {"creal", OP_REAL}, {"cimag", OP_IMAG},
    };
    if (operator_find(r->cx, name, n, op))
        return op_is_of_values(*op); /* the others are about components, which no operator sees */
    for (size_t i = 0; i < sizeof other / sizeof *other; i++) {
        if (strlen(other[i].name) == n && memcmp(other[i].name, name, n) == 0) {
            *op = other[i].op;
            return true;
        }
    }
    /* sqrtf */
    return n > 1 && (name[n - 1] == 'f' || name[n - 1] == 'l') && find_function(r, name, n - 1, op);
}

static const struct tin *call_node(struct reader *r, struct span span, enum op op,
                                   const struct tin *const *arg)
{
    if (!op_is_user(op))
        return make_node(r, span, op, arg);
    const struct tin *body = put_in(r->cx, operator_user(r->cx, op)->definition->body, arg);
    struct tin *node = arena_copy(r->cx->arena, body, sizeof *node);
    node->span = span;
    return limited(r, node);
}

static void complain_about_function(struct reader *r, const struct token *name)
{
    struct diag *diag =
        wrong(r, DIAG_NAME, span_of(r, name), "%.*s is no function that is known here",
              (int)token_length(name), token_text(&r->p, name));
    struct text list = text_new(r->cx->arena);
    for (int op = 0; op < OP_COUNT; op++)
        if (op_syntax((enum op)op) == SYNTAX_CALL && op_is_of_values((enum op)op))
            text_printf(&list, "%s%s", list.n ? ", " : "", op_name((enum op)op));
    for (int k = 0; r->cx->operators && k < r->cx->operators->n; k++)
        text_printf(&list, ", %s", r->cx->operators->at[k]->name);
    help(r, diag, arena_printf(r->cx->arena, "the functions are %s", list.at));
}

static const struct tin *read_call(struct reader *r, const struct token *name)
{
    VEC(const struct tin *) arg = {0};
    enum op op = OP_NONE;
    if (!find_function(r, token_text(&r->p, name), token_length(name), &op)) {
        complain_about_function(r, name);
        return nothing(r);
    }
    do {
        const struct tin *one = read_choice(r);
        vec_push(r->cx->arena, &arg, one);
    } while (accept_sign(r, ","));
    struct span span = span_of(r, name);
    span.end = peek(&r->p)->end;
    expect(r, ")");
    int args = (int)arg.n, arity = op_arity(op);
    if (args < arity || (args > arity && !op_associative(op)))
        wrong(r, DIAG_SYNTAX, span, "%s takes %s%d argument%s, not %d", operator_name(r->cx, op),
              op_associative(op) ? "at least " : "", arity, arity == 1 ? "" : "s", args);
    if (r->failed)
        return nothing(r);
    const struct tin *node = call_node(r, span, op, arg.at);
    for (int i = arity; i < args && !r->failed; i++)
        node = call_node(r, span, op, (const struct tin *[]){node, arg.at[i]});
    return node;
}

static bool find_constant(const struct reader *r, const struct token *name, struct value *value)
{
    bool is_inf = is_text(r, name, "INFINITY"), is_nan = is_text(r, name, "NAN");
    if (is_inf || is_nan)
        *value = value_real(TYPE_F64, is_inf ? INFINITY : NAN);
    return is_inf || is_nan || constant_find(token_text(&r->p, name), token_length(name), value);
}

static const struct tin *read_name(struct reader *r)
{
    const struct token *name = peek(&r->p);
    struct value value;
    advance(&r->p);
    if (accept_sign(r, "("))
        return read_call(r, name);
    for (int i = 0; i < r->parameters; i++) {
        const struct tensor_var *parameter = r->definition->parameter[i];
        if (is_text(r, name, parameter->name))
            return tin_access(r->cx, span_of(r, name), parameter, NULL, 0);
    }
    if (find_constant(r, name, &value))
        return tin_literal(r->cx, span_of(r, name), value);
    wrong(r, DIAG_NAME, span_of(r, name), "%.*s is no parameter of the operator",
          (int)token_length(name), token_text(&r->p, name));
    return nothing(r);
}

static const struct tin *read_unary(struct reader *r)
{
    const struct token *sign = peek(&r->p);
    const struct tin *arg;
    if (r->p.depth >= DEPTH_MAX)
        wrong(r, DIAG_LIMIT, span_of(r, sign), "the operator is nested more than %d deep",
              DEPTH_MAX);
    if (r->failed)
        return nothing(r);
    r->p.depth++;
    if (sign->kind == TOKEN_NUMBER) {
        arg = read_number(r);
    } else if (sign->kind == TOKEN_NAME) {
        arg = read_name(r);
    } else if (accept_sign(r, "(")) {
        arg = read_choice(r);
        expect(r, ")");
    } else if (accept_sign(r, "-")) {
        arg = read_unary(r);
        struct span span = span_join(span_of(r, sign), arg->span);
        bool folds =
            arg->kind == TIN_LITERAL && type_kind(arg->value.type) != KIND_BOOL && !r->failed;
        arg = folds ? tin_literal(r->cx, span, op_fold(OP_NEG, &arg->value))
                    : make_node(r, span, OP_NEG, &arg);
    } else if (accept_sign(r, "+")) {
        arg = read_unary(r);
    } else if (accept_sign(r, "!")) {
        arg = read_unary(r);
        struct span span = span_join(span_of(r, sign), arg->span);
        arg = truth(r, arg);
        arg = make_node(r, span, OP_NOT, &arg);
    } else {
        expected(r, "a parameter, a number or a function");
        arg = nothing(r);
    }
    r->p.depth--;
    return arg;
}

/* C's infix operators, and their precedences. */
static const struct infix {
    const char *sign;
    enum op op;
    int precedence;
} infixes[] = {
    {"||", OP_OR, 1}, {"&&", OP_AND, 2}, {"==", OP_EQ, 3}, {"!=", OP_NE, 3}, {"<=", OP_LE, 4},
    {">=", OP_GE, 4}, {"<", OP_LT, 4},   {">", OP_GT, 4},  {"+", OP_ADD, 5}, {"-", OP_SUB, 5},
    {"*", OP_MUL, 6}, {"/", OP_DIV, 6},  {"%", OP_MOD, 6},
};

static const struct infix *next_infix(const struct reader *r)
{
    for (size_t i = 0; i < sizeof infixes / sizeof *infixes && !r->failed; i++)
        if (is_text(r, peek(&r->p), infixes[i].sign))
            return &infixes[i];
    return NULL;
}

static const struct tin *read_infix(struct reader *r, int precedence)
{
    const struct tin *left = read_unary(r);
    for (const struct infix *infix; (infix = next_infix(r)) && infix->precedence >= precedence;) {
        advance(&r->p);
        const struct tin *pair[2] = {left, read_infix(r, infix->precedence + 1)};
        struct span span = span_join(left->span, pair[1]->span);
        for (int i = 0; i < 2 && (infix->op == OP_OR || infix->op == OP_AND); i++)
            pair[i] = truth(r, pair[i]);
        left = make_node(r, span, infix->op, pair);
    }
    return left;
}

static const struct tin *read_choice(struct reader *r)
{
    const struct tin *condition = read_infix(r, 0);
    if (!accept_sign(r, "?"))
        return condition;
    if (r->p.depth++ >= DEPTH_MAX)
        wrong(r, DIAG_LIMIT, condition->span, "the operator is nested more than %d deep",
              DEPTH_MAX);
    const struct tin *part[3] = {truth(r, condition), read_choice(r), NULL};
    expect(r, ":");
    part[2] = read_choice(r);
    r->p.depth--;
    return make_node(r, span_join(condition->span, part[2]->span), OP_SELECT, part);
}

/* ---- laws ---- */

static const char *const law_name[LAW_COUNT] = {"commutative", "associative", "idempotent",
                                                "identity",    "annihilator", "distributes"};

/* Reads what follows "identity=". */
static struct value read_constant(struct reader *r)
{
    const struct token *first = peek(&r->p);
    struct value value = value_zero(TYPE_I64);
    int begin = first->begin, end = begin;
    for (int depth = 0; peek(&r->p)->kind != TOKEN_END && !is_text(r, peek(&r->p), ";")
                        && (depth > 0 || !is_text(r, peek(&r->p), ","));
         advance(&r->p)) {
        depth += peek(&r->p)->kind == TOKEN_OPEN;
        depth -= peek(&r->p)->kind == TOKEN_CLOSE;
        end = peek(&r->p)->end;
    }
    const char *s = r->p.text + begin;
    size_t n = (size_t)(end - begin);
    if (!parse_constant(s, n, &value))
        wrong(r, DIAG_LITERAL, (struct span){r->p.source, begin, n ? end : begin + 1},
              "a constant is expected here");
    return value;
}

/* Reads what follows "distributes". */
static void read_over(struct reader *r, struct user_op *user)
{
    enum op op = OP_NONE;
    expect(r, "over");
    const struct token *name = peek(&r->p);
    const char *s = token_text(&r->p, name);
    size_t n = token_length(name);
    bool found =
        name->kind == TOKEN_NAME ? find_function(r, s, n, &op) : op_find(s, n, SYNTAX_INFIX, &op);
    if (!found || op_arity(op) != 2 || !op_associative(op) || !op_commutative(op))
        help(r,
             wrong(r, DIAG_ALGEBRA, span_of(r, name),
                   "an associative and commutative operator is expected here"),
             "as +, *, min, max, and, or, xor, or one that is defined above");
    if (user->overs == USER_OVER_MAX)
        wrong(r, DIAG_LIMIT, span_of(r, name), "an operator distributes over %d at most",
              USER_OVER_MAX);
    if (r->failed)
        return;
    r->definition->over[user->overs] = span_of(r, name);
    user->over[user->overs++] = op;
    advance(&r->p);
}

static void read_law(struct reader *r, struct user_op *user)
{
    const struct token *name = peek(&r->p);
    int law = 0;
    while (law < LAW_COUNT && !is_text(r, peek(&r->p), law_name[law]))
        law++;
    if (law == LAW_COUNT) {
        help(r, wrong(r, DIAG_SYNTAX, span_of(r, name), "a law of the operator is expected here"),
             "commutative, associative, idempotent, identity=VALUE, annihilator=VALUE or "
             "distributes over OPERATOR");
        return;
    }
    if (r->parameters != 2)
        wrong(r, DIAG_ALGEBRA, span_of(r, name),
              "only an operator with two parameters may be declared %s%s",
              law == LAW_DISTRIBUTES ? "as one that "
              : law >= LAW_IDENTITY  ? "to have an "
                                     : "",
              law_name[law]);
    r->definition->law[law] = span_of(r, name);
    advance(&r->p);
    if (law == LAW_DISTRIBUTES)
        read_over(r, user);
    if (law < LAW_IDENTITY || law == LAW_DISTRIBUTES)
        return;
    expect(r, "=");
    struct value value = r->failed ? value_zero(TYPE_I64) : read_constant(r);
    *(law == LAW_IDENTITY ? &user->has_identity : &user->has_annihilator) = true;
    *(law == LAW_IDENTITY ? &user->identity : &user->annihilator) = value;
}

/* ---- types ---- */

static const struct op_tree *make_tree(struct context *cx, const struct tin *tin)
{
    struct op_tree *tree = arena_make(cx->arena, struct op_tree);
    *tree = (struct op_tree){.op = tin->op, .parameter = -1, .type = tin->type, .args = tin->args};
    if (tin->kind == TIN_ACCESS)
        tree->parameter = tin->tensor->rank;
    if (tin->kind == TIN_LITERAL)
        tree->value = tin->value;
    for (int i = 0; i < tin->args; i++)
        tree->arg[i] = make_tree(cx, tin->arg[i]);
    return tree;
}

/* Types the body.  NULL after a diagnostic. */
static const struct op_tree *type_body(struct context *cx, const struct definition *d,
                                       int parameters, enum type type)
{
    const struct tin *typed[3];
    for (int i = 0; i < parameters; i++) {
        struct tensor_var *parameter = arena_copy(cx->arena, d->parameter[i], sizeof *parameter);
        parameter->type = type;
        parameter->fill = value_zero(type);
        typed[i] = tin_access(cx, d->name, parameter, NULL, 0);
    }
    const struct tin *body = tin_type_value(cx, put_in(cx, d->body, typed), type);
    return body ? make_tree(cx, body) : NULL;
}

void operator_explain(struct context *cx, enum op op, enum type type)
{
    type_body(cx, operator_user(cx, op)->definition, op_arity(op), type);
}

/* Finds the types on which it is defined.  false after a diagnostic if there is none. */
static bool type_bodies(struct reader *r, struct user_op *user)
{
    bool is_defined = false;
    for (int type = 0; type < TYPE_COUNT; type++) {
        size_t mistakes = r->cx->diags.n;
        user->body[type] = type_body(r->cx, r->definition, r->parameters, (enum type)type);
        is_defined |= user->body[type] != NULL;
        r->cx->diags.n = mistakes;
    }
    if (!is_defined)
        type_body(r->cx, r->definition, r->parameters, TYPE_I64);
    return is_defined;
}

static void count_uses(const struct tin *body, int *uses)
{
    if (body->kind == TIN_ACCESS)
        uses[body->tensor->rank]++;
    for (int i = 0; i < body->args; i++)
        count_uses(body->arg[i], uses);
}

/* ---- definitions ---- */

static void read_parameters(struct reader *r)
{
    expect(r, "(");
    do {
        const struct token *token = peek(&r->p);
        const char *name = expect_name(r, "the name of a parameter");
        for (int i = 0; i < r->parameters; i++)
            if (r->definition->parameter[i]->name == name)
                wrong(r, DIAG_NAME, span_of(r, token), "%s is the name of two parameters", name);
        if (r->parameters == 3)
            wrong(r, DIAG_SYNTAX, span_of(r, token), "an operator has at most 3 parameters");
        if (r->failed)
            return;
        struct tensor_var *parameter = arena_make(r->cx->arena, struct tensor_var);
        *parameter = (struct tensor_var){.name = name, .type = TYPE_F64, .rank = r->parameters};
        r->definition->parameter[r->parameters++] = parameter;
    } while (accept_sign(r, ","));
    expect(r, ")");
}

static void add_operator(struct context *cx, const struct user_op *user)
{
    int n = cx->operators ? cx->operators->n : 0;
    const struct user_op **at = arena_array(cx->arena, const struct user_op *, n + 1);
    for (int k = 0; k < n; k++)
        at[k] = cx->operators->at[k];
    at[n] = user;
    struct op_table *table = arena_make(cx->arena, struct op_table);
    *table = (struct op_table){n + 1, at};
    cx->operators = table;
}

bool operator_declare(struct context *cx, const char *text)
{
    struct source *source = arena_make(cx->arena, struct source);
    struct definition *d = arena_make(cx->arena, struct definition);
    struct user_op *user = arena_make(cx->arena, struct user_op);
    int tokens;
    *source = (struct source){"operator", text};
    struct reader r = {.cx = cx, .p = {.cx = cx, .source = source, .text = text}, .definition = d};
    if (strlen(text) > TIN_TEXT_MAX)
        wrong(&r, DIAG_LIMIT, (struct span){NULL, 0, 0}, "the operator is longer than %d bytes",
              TIN_TEXT_MAX);
    r.p.token = lex(cx->arena, r.failed ? "" : text, &tokens);
    d->name = span_of(&r, r.p.token);
    user->definition = d;
    user->name = expect_name(&r, "an operator, as in f(x,y) = x > y ? x : y");
    read_parameters(&r);
    expect(&r, "=");
    d->body = read_choice(&r);
    while (!r.failed && peek(&r.p)->kind != TOKEN_END) {
        if (!accept_sign(&r, ";") && !accept_sign(&r, ","))
            expected(&r, "an operator of C's, ';' or the end");
        else if (peek(&r.p)->kind != TOKEN_END)
            read_law(&r, user);
    }
    if (r.failed || !type_bodies(&r, user))
        return false;
    count_uses(d->body, user->uses);
    user->op = op_of_user(cx->operators ? cx->operators->n : 0, r.parameters,
                          definition_has(d, LAW_ASSOCIATIVE), definition_has(d, LAW_COMMUTATIVE),
                          definition_has(d, LAW_IDEMPOTENT));
    add_operator(cx, user);
    return true;
}
