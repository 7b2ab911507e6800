/* loops.c - shared by directives: refusals, new names and variables, and replacing a loop by
 * others.
 *
 * SPDX-License-Identifier: MIT
 */
#include "schedules/loops.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/base/text.h"

void *loops_refuse(struct context *cx, const struct cin_program *program,
                   const struct schedule_call *call, int argument, const char *why, ...)
{
    struct span span =
        argument >= 0 && argument < call->arguments ? call->argument[argument].span : call->span;
    struct text text = text_new(cx->arena);
    va_list args;
    va_start(args, why);
    const char *message = arena_vprintf(cx->arena, why, args);
    va_end(args);
    cin_print_program(cx, &text, program);
    diag_note(cx, diag_error(cx, DIAG_PRECONDITION, span, "%s: %s", call->name, message),
              "the statement is %s", text.at);
    return NULL;
}

bool loops_help(struct context *cx, const char *help)
{
    diag_help(cx, &cx->diags.at[cx->diags.n - 1], "%s", help);
    return false;
}

bool loops_same_text(const char *a, const char *b)
{
    for (;; a++, b++) {
        a += strspn(a, " \t\r\n");
        b += strspn(b, " \t\r\n");
        if (*a != *b || !*a)
            return *a == *b;
    }
}

bool loops_is_called(const struct index_var *var, const char *name, size_t length, bool now)
{
    bool is = false;
    for (; var && !is; var = now ? NULL : var->like)
        is = strlen(var->name) == length && strncmp(var->name, name, length) == 0;
    return is;
}

bool loops_number(const struct schedule_call *call, int argument, int64_t most, int64_t *number)
{
    const struct schedule_argument *a = &call->argument[argument];
    char *end;
    *number = a->kind == ARGUMENT_NUMBER ? a->number : strtoll(a->text, &end, 10);
    return (a->kind == ARGUMENT_NUMBER || !*end) && *number >= 1 && *number <= most;
}

/* Returns the length of the name or number behind blanks. */
static size_t next_word(const char **text)
{
    *text += strspn(*text, " \t\r\n");
    size_t n = 0;
    while (isalnum((unsigned char)(*text)[n]) || (*text)[n] == '_')
        n++;
    return n;
}

static bool takes(const char **text, char c)
{
    *text += strspn(*text, " \t\r\n");
    bool is = **text == c;
    *text += is;
    return is;
}

/* Does the text say the access, as in "A(i,0)", or as it is printed with the literal's name? */
static bool says_access(const struct cin *access, const char *text, bool now)
{
    size_t n = next_word(&text);
    bool says = n == strlen(access->tensor->name) && strncmp(access->tensor->name, text, n) == 0;
    text += n;
    for (int k = 0; k < access->indices && says; k++) {
        const struct index_var *var = access->index[k];
        says = takes(&text, k ? ',' : '(');
        n = next_word(&text);
        says &= var->literal && isdigit((unsigned char)*text)
                    ? strtoll(text, NULL, 10) == var->value
                    : loops_is_called(var, text, n, now);
        text += n;
    }
    says = says && (!access->indices || takes(&text, ')'));
    return says && !text[strspn(text, " \t\r\n")];
}

bool loops_says(const struct tin *text, const struct cin *e, bool now)
{
    bool converted = e->kind == CIN_OP && op_converts(e->op);
    if (converted && !(text->kind == TIN_OP && text->op == e->op))
        return loops_says(text, e->arg[0], now);
    if (text->kind == TIN_LITERAL)
        return e->kind == CIN_LITERAL && value_equal(value_convert(text->value, e->type), e->value);
    if (text->args != e->args || text->indices != e->indices)
        return false;
    if (text->kind == TIN_ACCESS ? e->kind != CIN_ACCESS || text->tensor->name != e->tensor->name
                                 : text->kind != TIN_OP || e->kind != CIN_OP || text->op != e->op)
        return false;
    for (int i = 0; i < e->indices; i++)
        if (!loops_is_called(e->index[i], text->index[i]->name, strlen(text->index[i]->name), now))
            return false;
    for (int i = 0; i < e->args; i++)
        if (!loops_says(text->arg[i], e->arg[i], now))
            return false;
    return true;
}

const struct cin *loops_access(const struct cin_list *read, const struct schedule_argument *said,
                               bool by_name, int *found)
{
    const struct cin *access = NULL;
    const char *text = said->text;
    *found = said->kind == ARGUMENT_EXPRESSION && cin_list_has(read, said->e);
    if (said->kind == ARGUMENT_EXPRESSION)
        return *found ? said->e : NULL;
    for (int now = 1; now >= 0 && !access; now--)
        for (size_t i = 0; i < read->n; i++) {
            const struct tensor_var *tensor = read->at[i]->tensor;
            if (!says_access(read->at[i], text, now) && !(by_name && tensor->name == text))
                continue;
            access = read->at[i];
            ++*found;
        }
    return access;
}

struct loop_search {
    const char *name;
    const struct cin *found;
};

static bool find_loop(const struct cin *cin, void *data)
{
    struct loop_search *s = data;
    if (cin->kind == CIN_FORALL && cin->index[0]->name == s->name)
        s->found = cin;
    return s->found != NULL;
}

const struct cin *loops_named(const struct cin_program *program, const char *name)
{
    struct loop_search s = {name, NULL};
    cin_any(program->statement, find_loop, &s);
    return s.found;
}

const struct cin *loops_find(struct context *cx, const struct cin_program *program,
                             const struct schedule_call *call, int argument)
{
    const char *name = call->argument[argument].text;
    const struct cin *loop = loops_named(program, name);
    if (!loop)
        loops_refuse(cx, program, call, argument, "there is no loop over %s", name);
    return loop;
}

static bool check_name(struct context *cx, const struct cin_program *program,
                       const struct schedule_call *call, int argument, const char *what)
{
    const char *name = call->argument[argument].text;
    if (!cin_is_name(name, strlen(name)))
        return loops_refuse(cx, program, call, argument, "%s is no name for %s", name, what);
    if (cin_is_used(program, name))
        return loops_refuse(cx, program, call, argument, "%s is in use", name);
    return true;
}

bool loops_check_new(struct context *cx, const struct cin_program *program,
                     const struct schedule_call *call, int argument)
{
    for (int i = 0; i < argument; i++)
        if (call->argument[i].text == call->argument[argument].text)
            return loops_refuse(cx, program, call, argument, "%s is named twice",
                                call->argument[argument].text);
    return check_name(cx, program, call, argument, "a new loop");
}

bool loops_check_workspace(struct context *cx, const struct cin_program *program,
                           const struct schedule_call *call, int argument)
{
    return check_name(cx, program, call, argument, "a workspace");
}

const struct index_var *loops_new_var(struct context *cx, const char *name, int64_t size)
{
    return cin_var(cx, (struct index_var){.name = intern(cx, name), .size = size});
}

const struct index_var *loops_like_var(struct context *cx, const char *name,
                                       const struct index_var *like)
{
    return cin_var(cx, (struct index_var){.name = intern(cx, name),
                                          .size = like->size,
                                          .most = like->most,
                                          .multiple = like->multiple,
                                          .like = like});
}

struct cin_program *loops_renamed(struct context *cx, const struct cin_program *program,
                                  const struct index_var *from, const struct index_var *to)
{
    struct cin_program *result = arena_copy(cx->arena, program, sizeof *program);
    const struct index_var **ordered =
        arena_array(cx->arena, const struct index_var *, program->ordereds);
    struct cin_relation *relation = arena_array(cx->arena, struct cin_relation, program->relations);
    for (int i = 0; i < program->relations; i++) {
        relation[i] = program->relation[i];
        for (int k = 0; k < 2; k++)
            relation[i].child[k] = relation[i].child[k] == from ? to : relation[i].child[k];
        if (relation[i].access)
            relation[i].access = cin_rename(cx, relation[i].access, from, to);
    }
    result->relation = relation;
    result->statement = cin_rename(cx, program->statement, from, to);
    for (int i = 0; i < program->ordereds; i++)
        ordered[i] = program->ordered[i] == from ? to : program->ordered[i];
    result->ordered = ordered;
    result->tag = loops_tags_of(cx, program, from, to);
    return result;
}

const struct cin_tag *loops_tags_of(struct context *cx, const struct cin_program *program,
                                    const struct index_var *from, const struct index_var *to)
{
    struct cin_tag *tag = arena_array(cx->arena, struct cin_tag, program->tags);
    for (int i = 0; i < program->tags; i++) {
        tag[i] = program->tag[i];
        tag[i].var = tag[i].var == from ? to : tag[i].var;
    }
    return tag;
}

const struct cin_program *loops_with_tag(struct context *cx, const struct cin_program *program,
                                         const struct schedule_call *call, struct cin_tag tag)
{
    if (cin_find_tag(program, tag.var, tag.kind))
        return loops_refuse(cx, program, call, 0, "the loop over %s has this tag already",
                            tag.var->name);
    struct cin_program *result = arena_copy(cx->arena, program, sizeof *program);
    struct cin_tag *all = arena_array(cx->arena, struct cin_tag, program->tags + 1);
    for (int i = 0; i < program->tags; i++)
        all[i] = program->tag[i];
    tag.span = call->argument[0].span;
    all[result->tags++] = tag;
    result->tag = all;
    return result;
}

enum op loops_fixed(struct context *cx, const struct cin *s)
{
    struct cin_list made = cin_assignments(cx, s);
    for (size_t i = 0; i < made.n; i++) {
        enum op op = made.at[i]->op;
        if (op != OP_NONE && !(op_associative(op) && op_commutative(op)))
            return op;
    }
    return OP_NONE;
}

struct format_defaults loops_widen(struct format_defaults defaults, const struct format *format)
{
    for (int k = 0; k < format->levels; k++) {
        if (type_size(format->level[k].pos) > 4)
            defaults.pos = TYPE_I64;
        if (type_size(format->level[k].crd) > 4)
            defaults.crd = TYPE_I64;
    }
    return defaults;
}

const struct cin_program *loops_checked(struct context *cx, const struct cin_program *program,
                                        const struct schedule_call *call,
                                        const struct cin_program *result)
{
    const char *broken = cin_check(cx, result);
    if (!broken)
        return result;
    return loops_refuse(cx, program, call, 0, "%s", broken);
}

const struct cin_program *loops_replace(struct context *cx, const struct cin_program *program,
                                        const struct schedule_call *call, const struct cin *loop,
                                        const struct cin *by, const struct cin_relation *relation)
{
    struct cin_program *result = arena_copy(cx->arena, program, sizeof *program);
    for (int i = 0; i < program->tags; i++)
        if (program->tag[i].var == loop->index[0])
            return loops_refuse(cx, program, call, 0, "the loop is %s, and would be replaced",
                                cin_tag_says(&program->tag[i]));
    result->statement = cin_replace(cx, program->statement, loop, by);
    cin_relate(cx, result, *relation);
    return loops_checked(cx, program, call, result);
}

/* ---- parts of assigned expressions ---- */

struct part_search {
    const struct tin *text; /* NULL: the call has the expression itself */
    const struct cin *itself;
    bool now, reduced;
    const struct cin *assign, *part;
};

static bool find_part(const struct cin *cin, void *data)
{
    struct part_search *s = data;
    bool is = s->text ? loops_says(s->text, cin, s->now) : cin == s->itself;
    s->part = is ? cin : s->part;
    return is;
}

static bool find_assignment(const struct cin *cin, void *data)
{
    struct part_search *s = data;
    if (cin->kind != CIN_ASSIGN || (s->reduced && cin->op == OP_NONE)
        || !cin_any(cin->arg[1], find_part, data))
        return false;
    s->assign = cin;
    return true;
}

bool loops_part(struct context *cx, const struct cin_program *program,
                const struct schedule_call *call, bool reduced, const struct cin **assign,
                const struct cin **part)
{
    const struct schedule_argument *said = &call->argument[0];
    struct part_search s = {.reduced = reduced};
    if (call->arguments != 1)
        return loops_refuse(cx, program, call, -1, "it takes an expression");
    if (said->kind == ARGUMENT_EXPRESSION) {
        s.itself = said->e;
    } else {
        s.text = tin_parse_expression(cx, said->text, said->span);
        if (!s.text)
            return false;
    }
    for (int now = 1; now >= 0 && !s.assign; now--) {
        s.now = now;
        cin_any(program->statement, find_assignment, &s);
    }
    *assign = s.assign;
    *part = s.part;
    return s.assign
           || loops_refuse_expression(cx, program, call, s.text,
                                      reduced ? "nothing that is reduced has this as a part"
                                              : "nothing that is assigned has this as a part");
}

bool loops_has_dense_results(const struct cin_program *program)
{
    bool dense = true;
    for (int r = 0; r <= program->others; r++)
        dense &= format_is_dense(cin_result(program, r)->format);
    return dense;
}
