/* parse.c - reading concrete index notation back.
 *
 *     statement = "forall" "(" IVAR ")" statement
 *               | "(" statement ("where" | ";" | "|") statement ")"
 *               | "nothing" | assignment [ "at" access ]
 *
 * An assignment reaches to the next "where", "at", ";", "|" or unmatched ")" and is read by the
 * parser of tensor index notation.  Names are looked up among the tensors and variables given;
 * literals take their types from what they are combined with, as in a statement that is checked.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/concrete/concrete.h"

#include <ctype.h>
#include <string.h>

#include "compiler/notation/check.h"

struct reader {
    struct context *cx;
    const struct cin_names *names;
    const char *at;
    bool failed;
};

static const struct cin *statement(struct reader *r);

static const struct cin *fail(struct reader *r, const char *expected)
{
    if (!r->failed)
        diag_error(r->cx, DIAG_SYNTAX, (struct span){0}, "expected %s at '%.20s'", expected, r->at);
    r->failed = true;
    return cin_nothing(r->cx);
}

static void skip_blanks(struct reader *r)
{
    while (isspace((unsigned char)*r->at))
        r->at++;
}

static bool take(struct reader *r, const char *word)
{
    size_t n = strlen(word);
    skip_blanks(r);
    if (strncmp(r->at, word, n) != 0)
        return false;
    if (isalpha((unsigned char)*word) && (isalnum((unsigned char)r->at[n]) || r->at[n] == '_'))
        return false;
    r->at += n;
    return true;
}

static const struct index_var *find_var(struct reader *r, const char *name)
{
    for (int i = 0; i < r->names->vars; i++)
        if (r->names->var[i]->name == name)
            return r->names->var[i];
    fail(r, "an index variable that is known");
    return NULL;
}

/* With the tensors and variables that the names stand for; NULL after a mistake. */
static const struct tin *resolve(struct reader *r, const struct tin *tin)
{
    const struct tin *arg[3] = {0};
    const struct index_var **index =
        arena_array(r->cx->arena, const struct index_var *, tin->indices);
    for (int i = 0; i < tin->args && !r->failed; i++)
        arg[i] = resolve(r, tin->arg[i]);
    for (int i = 0; i < tin->indices && !r->failed; i++)
        index[i] = find_var(r, tin->index[i]->name);
    if (tin->kind == TIN_LITERAL)
        return tin;
    if (tin->kind == TIN_OP)
        return r->failed ? NULL : tin_op(r->cx, tin->span, tin->op, arg, tin->args);
    for (int i = 0; tin->kind == TIN_ACCESS && i < r->names->tensors && !r->failed; i++) {
        const struct tensor_var *tensor = r->names->tensor[i];
        if (tensor->name == tin->tensor->name && tensor->order == tin->indices)
            return tin_access(r->cx, tin->span, tensor, index, tin->indices);
    }
    fail(r,
         tin->kind == TIN_ACCESS ? "a tensor that is known" : "an expression without reductions");
    return NULL;
}

/* The value with the types that it has in an assignment to the target, at which literals look that
 * have nothing else to take a type from.  A complex value is typed by itself: that it does not
 * go into a real target was for the notation. */
static const struct tin *with_types(struct reader *r, const struct tin *target,
                                    const struct tin *value)
{
    static const struct tensor_var anything = {.name = "", .type = TYPE_C128};
    size_t mistakes = r->cx->diags.n;
    const struct tin *typed = tin_type(r->cx, value->span, OP_NONE, target, value);
    if (!typed) {
        r->cx->diags.n = mistakes;
        typed = tin_type(r->cx, value->span, OP_NONE,
                         tin_access(r->cx, target->span, &anything, NULL, 0), value);
    }
    r->failed |= !typed;
    return typed ? typed->arg[1] : NULL;
}

static const struct cin *from_tin(struct context *cx, const struct tin *tin)
{
    const struct cin *arg[3] = {0};
    for (int i = 0; i < tin->args; i++)
        arg[i] = from_tin(cx, tin->arg[i]);
    switch (tin->kind) {
    case TIN_LITERAL: return cin_literal(cx, tin->value);
    case TIN_OP: return cin_op(cx, tin->op, arg, tin->args);
    case TIN_ACCESS: return cin_access(cx, tin->tensor, tin->index, tin->indices);
    case TIN_ASSIGN:
    case TIN_REDUCE: break;
    }
    context_bug(cx, "an assignment or reduction inside an expression");
}

/* Does the word stand here, between blanks? */
static bool is_word(const char *s, const char *word)
{
    size_t n = strlen(word);
    return isspace((unsigned char)s[0]) && !strncmp(s + 1, word, n)
           && isspace((unsigned char)s[n + 1]);
}

/* Does "at" stand here, and an access after it, not a tensor of this name? */
static bool is_at(const char *s)
{
    if (!is_word(s, "at"))
        return false;
    s += strlen(" at ");
    s += strspn(s, " \t\r\n");
    size_t n = 0;
    while (isalnum((unsigned char)s[n]) || s[n] == '_')
        n++;
    return n > 0 && s[n] == '(';
}

/* The length of the assignment at s. */
static size_t assignment_length(const char *s)
{
    int depth = 0;
    size_t n = 0;
    for (; s[n]; n++) {
        depth += s[n] == '(';
        depth -= s[n] == ')';
        bool ends = s[n] == ';' || s[n] == ':' || (s[n] == '|' && s[n + 1] != '=')
                    || is_word(s + n, "where") || is_at(s + n);
        if (depth < 0 || (depth == 0 && ends))
            break;
    }
    return n;
}

/* The access at whose components an assignment has an effect: of the result the pattern's. */
static const struct cin *at_access(struct reader *r)
{
    size_t n = assignment_length(r->at);
    const struct tin *tin =
        tin_parse(r->cx, arena_printf(r->cx->arena, "at = %.*s", (int)n, r->at));
    r->at += n;
    r->failed |= !tin;
    const struct tin *access = r->failed ? NULL : resolve(r, tin->arg[1]);
    if (!access || access->kind != TIN_ACCESS)
        return r->failed ? NULL : (fail(r, "an access"), NULL);
    const struct tensor_var *of = access->tensor;
    for (int i = 0; i < r->names->tensors; i++)
        if (r->names->tensor[i]->pattern_of == access->tensor)
            of = r->names->tensor[i];
    return cin_access(r->cx, of, access->index, access->indices);
}

static const struct cin *assignment(struct reader *r)
{
    size_t n = assignment_length(r->at);
    const struct tin *tin = tin_parse(r->cx, arena_strndup(r->cx->arena, r->at, n));
    r->at += n;
    r->failed |= !tin;
    const struct tin *target = r->failed ? NULL : resolve(r, tin->arg[0]);
    const struct tin *value = r->failed ? NULL : resolve(r, tin->arg[1]);
    if (!r->failed)
        value = with_types(r, target, value);
    const struct cin *at = !r->failed && take(r, "at") ? at_access(r) : NULL;
    if (r->failed)
        return cin_nothing(r->cx);
    const struct cin *from = from_tin(r->cx, target), *to = from_tin(r->cx, value);
    return at ? cin_assign_at(r->cx, tin->op, from, to, at) : cin_assign(r->cx, tin->op, from, to);
}

static const struct cin *forall(struct reader *r)
{
    if (!take(r, "("))
        return fail(r, "'('");
    skip_blanks(r);
    size_t n = strcspn(r->at, ") \t\r\n");
    const struct index_var *var = find_var(r, internn(r->cx, r->at, n));
    r->at += n;
    if (!take(r, ")"))
        return fail(r, "')'");
    const struct cin *body = statement(r);
    return r->failed ? body : cin_forall(r->cx, var, body);
}

static const struct cin *group(struct reader *r)
{
    const struct cin *a = statement(r);
    char kind = take(r, "where") ? 'w' : take(r, ";") ? ';' : take(r, "|") ? '|' : '\0';
    const struct cin *b = statement(r);
    if (!take(r, ")"))
        return fail(r, "')'");
    switch (r->failed ? '\0' : kind) {
    case 'w': return cin_where(r->cx, a, b);
    case ';': return cin_sequence(r->cx, a, b);
    case '|': return cin_multi(r->cx, a, b);
    }
    return fail(r, "'where', ';' or '|'");
}

static const struct cin *statement(struct reader *r)
{
    if (r->failed)
        return cin_nothing(r->cx);
    if (take(r, "forall"))
        return forall(r);
    if (take(r, "("))
        return group(r);
    if (take(r, "nothing"))
        return cin_nothing(r->cx);
    return assignment(r);
}

const struct cin *cin_parse(struct context *cx, const char *text, const struct cin_names *names)
{
    struct reader r = {cx, names, text, false};
    const struct cin *s = statement(&r);
    if (!r.failed && !take(&r, ":") && r.at[strspn(r.at, " \n")])
        fail(&r, "the end");
    return r.failed ? NULL : s;
}
