/* parse.c - reading concrete index notation back.
 *
 *     statement = "forall" "(" IVAR ")" statement
 *               | "(" statement ("where" | ";" | "|") statement ")"
 *               | "nothing" | assignment
 *
 * An assignment reaches to the next "where", ";", "|" or unmatched ")" and is read by the parser of tensor index
 * notation.  Names are looked up among the tensors and variables given.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/concrete/concrete.h"

#include <ctype.h>
#include <string.h>

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

static bool take(struct reader *r, const char *word)
{
    size_t n = strlen(word);
    while (isspace((unsigned char)*r->at))
        r->at++;
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

static const struct cin *from_tin(struct reader *r, const struct tin *tin)
{
    struct context *cx = r->cx;
    const struct cin *arg[3] = {0};
    const struct index_var *index[ORDER_MAX];
    for (int i = 0; i < tin->args && i < 3; i++)
        arg[i] = from_tin(r, tin->arg[i]);
    if (r->failed)
        return cin_nothing(cx);
    switch (tin->kind) {
    case TIN_LITERAL:
        return cin_literal(cx, tin->value);
    case TIN_OP:
        return cin_op(cx, tin->op, arg, tin->args);
    case TIN_ASSIGN: /* a literal alone takes the type of what it is stored in */
        return cin_assign(cx, tin->op, arg[0], arg[1]);
    case TIN_ACCESS:
        for (int i = 0; i < tin->indices; i++)
            index[i] = find_var(r, tin->index[i]->name);
        for (int i = 0; i < r->names->tensors && !r->failed; i++)
            if (r->names->tensor[i]->name == tin->tensor->name && r->names->tensor[i]->order == tin->indices)
                return cin_access(cx, r->names->tensor[i], index, tin->indices);
        return fail(r, "a tensor that is known");
    case TIN_REDUCE:
        break;
    }
    return fail(r, "an expression without reductions");
}

/* The length of the assignment at s. */
static size_t assignment_length(const char *s)
{
    int depth = 0;
    size_t n = 0;
    for (; s[n]; n++) {
        depth += s[n] == '(';
        depth -= s[n] == ')';
        bool ends = s[n] == ';' || s[n] == ':' || (s[n] == '|' && s[n + 1] != '=') || !strncmp(s + n, " where ", 7);
        if (depth < 0 || (depth == 0 && ends))
            break;
    }
    return n;
}

static const struct cin *assignment(struct reader *r)
{
    size_t n = assignment_length(r->at);
    const struct tin *tin = tin_parse(r->cx, arena_strndup(r->cx->arena, r->at, n));
    r->at += n;
    if (!tin) {
        r->failed = true;
        return cin_nothing(r->cx);
    }
    return from_tin(r, tin);
}

static const struct cin *forall(struct reader *r)
{
    if (!take(r, "("))
        return fail(r, "'('");
    size_t n = strcspn(r->at, ") ");
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
    case 'w':
        return cin_where(r->cx, a, b);
    case ';':
        return cin_sequence(r->cx, a, b);
    case '|':
        return cin_multi(r->cx, a, b);
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
