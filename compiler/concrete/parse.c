/* parse.c - reads concrete index notation back.
 *
 *     statement = "forall" "(" IVAR ")" statement
 *               | "(" statement ("where" | ";" | "|") statement ")"
 *               | "nothing" | assignment [ "at" access ]
 *     program   = statement [ ":" item { ";" item } ]
 *     item      = relation | "bound" ... | "unroll" ... | "vectorize" ... | "format" ...
 *
 * An assignment reaches to the next "where", "at", ";", "|" or unmatched ")".  The parser of
 * tensor index notation reads it.  Names are looked up among the given tensors and variables.
 * Literals take their types from their operands, as in a checked statement.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/concrete/concrete.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/notation/check.h"

struct reader {
    struct context *cx;
    const struct cin_names *names;
    const char *at;
    bool failed;
};

static const struct cin *statement(struct reader *r);

static const struct cin *expect_failed(struct reader *r, const char *expected)
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

static bool take_word(struct reader *r, const char *word)
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
    expect_failed(r, "an index variable that is known");
    return NULL;
}

/* Returns the access's variable for a mode; for a literal, the variable with that name. */
static const struct index_var *find_index(struct reader *r, const struct tin *access, int mode)
{
    const struct index_var *var = access->index[mode];
    return find_var(r, var->literal
                           ? tin_index_literal_name(r->cx, access->tensor->name, mode, var->value)
                           : var->name);
}

/* Returns the tensor of an access, or NULL. A result that is read stands for its pattern. */
static const struct tensor_var *find_tensor(const struct reader *r, const struct tin *access,
                                            bool written)
{
    const struct tensor_var *found = NULL;
    for (int i = 0; i < r->names->tensors; i++) {
        const struct tensor_var *tensor = r->names->tensor[i];
        bool called = tensor->name == access->tensor->name && tensor->order == access->indices;
        if (called && (!found || !tensor->pattern_of == written))
            found = tensor;
    }
    return found;
}

/* Replaces names by the tensors and variables that they stand for.  NULL after a mistake. */
static const struct tin *resolve(struct reader *r, const struct tin *tin, bool written)
{
    const struct tin *arg[3] = {0};
    const struct index_var **index =
        arena_array(r->cx->arena, const struct index_var *, tin->indices);
    for (int i = 0; i < tin->args && !r->failed; i++)
        arg[i] = resolve(r, tin->arg[i], false);
    for (int i = 0; i < tin->indices && !r->failed; i++)
        index[i] = find_index(r, tin, i);
    if (tin->kind == TIN_LITERAL)
        return tin;
    if (tin->kind == TIN_OP)
        return r->failed ? NULL : tin_op(r->cx, tin->span, tin->op, arg, tin->args);
    const struct tensor_var *tensor =
        tin->kind == TIN_ACCESS && !r->failed ? find_tensor(r, tin, written) : NULL;
    if (tensor)
        return tin_access(r->cx, tin->span, tensor, index, tin->indices);
    expect_failed(r, tin->kind == TIN_ACCESS ? "a tensor that is known"
                                             : "an expression without reductions");
    return NULL;
}

/* Gives the value its types; conversions say where a type is wider than the operands'. Literals
 * without another source take the target's type. */
static const struct tin *with_types(struct reader *r, const struct tin *target,
                                    const struct tin *value)
{
    const struct tin *typed = tin_type_value(r->cx, value, target->type);
    r->failed |= !typed;
    return typed;
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
    case TIN_MULTI:
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

/* Does "at" stand here, followed by a name, and is it not a tensor of that name? */
static bool is_at(const char *s)
{
    if (!is_word(s, "at"))
        return false;
    s += strlen(" at ");
    s += strspn(s, " \t\r\n");
    size_t n = 0;
    while (isalnum((unsigned char)s[n]) || s[n] == '_')
        n++;
    return n > 0 && !(n == strlen("where") && strncmp(s, "where", n) == 0);
}

/* Returns the length of the assignment at s. */
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

/* Reads the access at whose components an assignment has an effect. */
static const struct cin *at_access(struct reader *r)
{
    size_t n = assignment_length(r->at);
    const struct tin *tin =
        tin_parse_expression(r->cx, arena_strndup(r->cx->arena, r->at, n), (struct span){0});
    r->at += n;
    r->failed |= !tin;
    const struct tin *access = r->failed ? NULL : resolve(r, tin, false);
    if (!access || access->kind != TIN_ACCESS)
        return r->failed ? NULL : (expect_failed(r, "an access"), NULL);
    return cin_access(r->cx, access->tensor, access->index, access->indices);
}

static const struct cin *assignment(struct reader *r)
{
    size_t n = assignment_length(r->at);
    const struct tin *tin = tin_parse(r->cx, arena_strndup(r->cx->arena, r->at, n));
    r->at += n;
    r->failed |= !tin;
    const struct tin *target = r->failed ? NULL : resolve(r, tin->arg[0], true);
    const struct tin *value = r->failed ? NULL : resolve(r, tin->arg[1], false);
    if (!r->failed)
        value = with_types(r, target, value);
    const struct cin *at = !r->failed && take_word(r, "at") ? at_access(r) : NULL;
    if (r->failed)
        return cin_nothing(r->cx);
    const struct cin *from = from_tin(r->cx, target), *to = from_tin(r->cx, value);
    return at ? cin_assign_at(r->cx, tin->op, from, to, at) : cin_assign(r->cx, tin->op, from, to);
}

static const struct cin *forall(struct reader *r)
{
    if (!take_word(r, "("))
        return expect_failed(r, "'('");
    skip_blanks(r);
    size_t n = strcspn(r->at, ") \t\r\n");
    const struct index_var *var = find_var(r, internn(r->cx, r->at, n));
    r->at += n;
    if (!take_word(r, ")"))
        return expect_failed(r, "')'");
    const struct cin *body = statement(r);
    return r->failed ? body : cin_forall(r->cx, var, body);
}

static const struct cin *group(struct reader *r)
{
    const struct cin *a = statement(r);
    char kind = take_word(r, "where") ? 'w'
                : take_word(r, ";")   ? ';'
                : take_word(r, "|")   ? '|'
                                      : '\0';
    const struct cin *b = statement(r);
    if (!take_word(r, ")"))
        return expect_failed(r, "')'");
    switch (r->failed ? '\0' : kind) {
    case 'w': return cin_where(r->cx, a, b);
    case ';': return cin_sequence(r->cx, a, b);
    case '|': return cin_multi(r->cx, a, b);
    }
    return expect_failed(r, "'where', ';' or '|'");
}

static const struct cin *statement(struct reader *r)
{
    if (r->failed)
        return cin_nothing(r->cx);
    if (take_word(r, "forall"))
        return forall(r);
    if (take_word(r, "("))
        return group(r);
    if (take_word(r, "nothing"))
        return cin_nothing(r->cx);
    return assignment(r);
}

/* ---- the environment ---- */

static const struct relation_type *const relations[] = {&relation_split,      &relation_collapse,
                                                        &relation_difference, &relation_equal,
                                                        &relation_literal,    &relation_position};

static const struct index_var *variable(struct reader *r)
{
    skip_blanks(r);
    size_t n = strcspn(r->at, ",() \t\r\n");
    const struct index_var *var = find_var(r, internn(r->cx, r->at, n));
    r->at += n;
    return var;
}

static int64_t number(struct reader *r)
{
    char *end;
    skip_blanks(r);
    int64_t n = strtoll(r->at, &end, 10);
    if (end == r->at)
        expect_failed(r, "a number");
    r->at = end;
    return n;
}

static bool direction(struct reader *r)
{
    bool up = take_word(r, "up");
    if (!up && !take_word(r, "down"))
        expect_failed(r, "up or down");
    return up;
}

static const struct cin *access(struct reader *r)
{
    const char *end = strchr(r->at, ')');
    if (!end)
        return expect_failed(r, "an access");
    const char *text = arena_strndup(r->cx->arena, r->at, (size_t)(end - r->at) + 1);
    const struct tin *tin = tin_parse_expression(r->cx, text, (struct span){0});
    r->at = end + 1;
    r->failed |= !tin;
    tin = r->failed ? NULL : resolve(r, tin, false);
    return tin ? from_tin(r->cx, tin) : NULL;
}

/* Reads A(i,j).2 below 1. The parent's position is that of the level above, or a coordinate if the
 * positions of that level are its coordinates. */
static void level(struct reader *r, const struct cin_program *program, struct cin_relation *to)
{
    to->access = access(r);
    if (!take_word(r, "."))
        expect_failed(r, "'.'");
    to->size = number(r) - 1;
    to->base = take_word(r, "below") ? (int)number(r) : 0;
    if (r->failed)
        return;
    if (to->base < 0 || to->size < to->base || to->size >= to->access->tensor->format->levels) {
        expect_failed(r, "a level");
        return;
    }
    if (to->size == to->base)
        return;
    int above = to->access->tensor->format->level[to->size - 1].mode;
    to->parent[1] = above < 0 ? NULL : to->access->index[above];
    for (int i = 0; i < program->relations; i++)
        if (program->relation[i].access == to->access && program->relation[i].size == to->size - 1)
            to->parent[1] = program->relation[i].child[0];
}

static void relation(struct reader *r, const struct relation_type *type,
                     struct cin_program *program)
{
    struct cin_relation to = {.type = type}; /* the directive's; "by work" is another */
    for (const char *a = type->arguments; *a && !r->failed; a++) {
        if (a > type->arguments && !take_word(r, ","))
            expect_failed(r, "','");
        switch (*a) {
        case 'p': to.parent[0] = variable(r); break;
        case 'q': to.parent[1] = variable(r); break;
        case 'c': to.child[0] = variable(r); break;
        case 'd': to.child[1] = variable(r); break;
        case 'u':
            if (take_word(r, "work"))
                to.type = &relation_work;
            else
                to.up = direction(r);
            break;
        case 'n': to.size = number(r); break;
        case 'a': level(r, program, &to); break;
        }
    }
    cin_relate(r->cx, program, to);
}

static void bound(struct reader *r, struct cin_program *program)
{
    struct cin_bound *all = arena_array(r->cx->arena, struct cin_bound, program->bounds + 1);
    struct cin_bound *to = &all[program->bounds];
    if (program->bounds)
        memcpy(all, program->bound, sizeof *all * (size_t)program->bounds);
    r->at += strcspn(r->at, ",)");
    if (!take_word(r, ","))
        expect_failed(r, "','");
    to->var = variable(r);
    if (!take_word(r, ","))
        expect_failed(r, "','");
    to->size = number(r);
    to->kind = BOUND_EXACT;
    bool known = take_word(r, ",");
    while (known && to->kind <= BOUND_MULTIPLE && !take_word(r, cin_bound_name(to->kind)))
        to->kind++;
    if (!known || to->kind > BOUND_MULTIPLE)
        expect_failed(r, "exact, most or multiple");
    program->bound = all;
    program->bounds++;
}

/* Reads what follows the variable: , UNIT, RACES [, static|dynamic [, n]], for a GPU [, n]. */
static void parallel(struct reader *r, struct cin_tag *tag)
{
    if (!take_word(r, ","))
        expect_failed(r, "','");
    while (!r->failed && tag->unit < UNIT_KINDS && !take_word(r, cin_unit_name(tag->unit)))
        tag->unit++;
    if (tag->unit == UNIT_KINDS || !take_word(r, ","))
        expect_failed(r, "cpu_thread, gpu_block, gpu_warp or gpu_thread, and ','");
    while (!r->failed && tag->races < RACES_KINDS && !take_word(r, cin_races_name(tag->races)))
        tag->races++;
    if (tag->races == RACES_KINDS)
        expect_failed(r, "no_races, ignore_races, atomics, temporary or warp_reduction");
    if (r->failed || !take_word(r, ","))
        return;
    if (cin_unit_is_gpu(tag->unit)) {
        tag->second = number(r);
        return;
    }
    tag->dynamic = take_word(r, "dynamic");
    if (!tag->dynamic && !take_word(r, "static"))
        expect_failed(r, "static or dynamic");
    if (take_word(r, ","))
        tag->factor = number(r);
}

static void tag(struct reader *r, enum cin_tag_kind kind, struct cin_program *program)
{
    struct cin_tag *all = arena_array(r->cx->arena, struct cin_tag, program->tags + 1);
    if (program->tags)
        memcpy(all, program->tag, sizeof *all * (size_t)program->tags);
    all[program->tags] = (struct cin_tag){.kind = kind, .var = variable(r)};
    if (kind == TAG_UNROLL && take_word(r, ","))
        all[program->tags].factor = number(r);
    if (kind == TAG_VECTORIZE && take_word(r, ","))
        all[program->tags].tries = take_word(r, "try");
    if (kind == TAG_BIN && take_word(r, ","))
        all[program->tags].factor = number(r);
    if (kind == TAG_BIN && take_word(r, ","))
        all[program->tags].second = number(r);
    if (kind == TAG_PARALLEL)
        parallel(r, &all[program->tags]);
    program->tag = all;
    program->tags++;
}

/* Returns the length up to the first parenthesis that closes an outer one. */
static size_t inside_length(const char *s)
{
    int depth = 0;
    size_t n = 0;
    for (; s[n] && depth >= 0; n++)
        depth += (s[n] == '(') - (s[n] == ')');
    return depth < 0 ? n - 1 : n;
}

static void item(struct reader *r, struct cin_program *program)
{
    const struct relation_type *type = NULL;
    for (size_t i = 0; i < sizeof relations / sizeof *relations && !type; i++)
        if (take_word(r, relations[i]->name))
            type = relations[i];
    const char *other = type                          ? ""
                        : take_word(r, "bound")       ? "b"
                        : take_word(r, "unroll")      ? "u"
                        : take_word(r, "vectorize")   ? "v"
                        : take_word(r, "parallelize") ? "p"
                        : take_word(r, "blas")        ? "g"
                        : take_word(r, "bin")         ? "r"
                        : take_word(r, "format")      ? "f"
                                                      : "?";
    if (!take_word(r, "(") || *other == '?')
        expect_failed(r, "a relation, a bound, a tag or a format");
    if (type && !r->failed)
        relation(r, type, program);
    switch (r->failed ? '\0' : *other) {
    case 'b': bound(r, program); break;
    case 'u': tag(r, TAG_UNROLL, program); break;
    case 'v': tag(r, TAG_VECTORIZE, program); break;
    case 'p': tag(r, TAG_PARALLEL, program); break;
    case 'r': tag(r, TAG_BIN, program); break;
    case 'g': tag(r, TAG_GEMM, program); break;
    case 'f': r->at += inside_length(r->at); break;
    }
    if (!take_word(r, ")"))
        expect_failed(r, "')'");
}

bool cin_parse_program(struct context *cx, const char *text, const struct cin_names *names,
                       struct cin_program *program)
{
    struct reader r = {cx, names, text, false};
    *program = (struct cin_program){.statement = statement(&r)};
    for (bool more = !r.failed && take_word(&r, ":"); more; more = !r.failed && take_word(&r, ";"))
        item(&r, program);
    if (!r.failed && r.at[strspn(r.at, " \n")])
        expect_failed(&r, "the end");
    return !r.failed;
}

const struct cin *cin_parse(struct context *cx, const char *text, const struct cin_names *names)
{
    struct cin_program program;
    return cin_parse_program(cx, text, names, &program) ? program.statement : NULL;
}
