/* apply.c - reads a schedule, and applies its directives from left to right.
 *
 *     schedule  = [ directive { (";" | ",") directive } [ ";" ] ]
 *     directive = NAME "(" argument { "," argument } ")"
 *
 * Commas inside parentheses or braces belong to the argument around them.  taco's directives are
 * translated (taco.c).
 *
 * SPDX-License-Identifier: MIT
 */
#include <ctype.h>
#include <string.h>

#include "compiler/base/suggest.h"
#include "compiler/base/vec.h"
#include "compiler/concrete/gemm.h"
#include "compiler/notation/lex.h"
#include "compiler/schedule.h"
#include "schedules/taco.h"

struct reader {
    struct context *cx;
    const struct source *source;
    const struct token *token; /* the next token; the last one is END */
};

static struct span span_at(const struct reader *r, int begin, int end)
{
    return (struct span){r->source, begin, end};
}

static bool fail_syntax(struct reader *r, const char *expected)
{
    int at = r->token->begin;
    diag_error(r->cx, DIAG_SCHEDULE, span_at(r, at, at + 1), "expected %s", expected);
    return false;
}

static bool next_is(const struct reader *r, char sign)
{
    return r->token->kind != TOKEN_END && r->source->text[r->token->begin] == sign;
}

static bool accept(struct reader *r, char sign)
{
    bool yes = next_is(r, sign);
    r->token += yes;
    return yes;
}

/* Returns the text from this token up to the next one. */
static const char *text_from(const struct reader *r, const struct token *first)
{
    return internn(r->cx, r->source->text + first->begin,
                   (size_t)(r->token[-1].end - first->begin));
}

/* Reads the text up to a comma or closing parenthesis of the same depth. */
static bool read_argument(struct reader *r, struct schedule_argument *argument)
{
    const struct token *first = r->token;
    for (int depth = 0; r->token->kind != TOKEN_END; r->token++) {
        bool closes = r->token->kind == TOKEN_CLOSE;
        if (depth == 0
            && (closes || r->token->kind == TOKEN_COMMA || r->token->kind == TOKEN_SEMICOLON))
            break;
        depth += (r->token->kind == TOKEN_OPEN) - closes;
    }
    if (r->token == first)
        return fail_syntax(r, "an argument");
    argument->text = text_from(r, first);
    argument->span = span_at(r, first->begin, r->token[-1].end);
    return true;
}

static bool read_call(struct reader *r, struct schedule_call *call)
{
    VEC(struct schedule_argument) argument = {0};
    const struct token *name = r->token;
    if (name->kind != TOKEN_NAME && name->kind != TOKEN_NUMBER)
        return fail_syntax(r, "the name of a directive");
    r->token++;
    call->name = text_from(r, name);
    if (!next_is(r, '('))
        return fail_syntax(r, "'('");
    do {
        struct schedule_argument a = {.kind = ARGUMENT_WORDS};
        r->token++;
        if (!read_argument(r, &a))
            return false;
        vec_push(r->cx->arena, &argument, a);
    } while (next_is(r, ','));
    if (!accept(r, ')'))
        return fail_syntax(r, "')'");
    call->span = span_at(r, name->begin, r->token[-1].end);
    call->argument = argument.at;
    call->arguments = (int)argument.n;
    return true;
}

static const struct schedule_type *find_directive(struct context *cx,
                                                  const struct schedule_type *const *known,
                                                  const struct schedule_call *call)
{
    const char *names = "";
    struct suggestion near = suggest_for(call->name);
    for (size_t i = 0; known[i]; i++)
        if (!strcmp(known[i]->name, call->name))
            return known[i];
    for (; *known; known++) {
        names = arena_printf(cx->arena, "%s%s%s", names, *names ? ", " : "", (*known)->name);
        suggest_consider(&near, (*known)->name, strlen((*known)->name));
    }
    struct diag *d =
        diag_error(cx, DIAG_SCHEDULE, call->span, "there is no directive %s", call->name);
    if (near.nearest)
        diag_help(cx, d, "did you mean %.*s?", near.length, near.nearest);
    else
        diag_help(cx, d, "the directives are %s", names);
    return NULL;
}

/* Are all tagged loops still there?  false after a diagnostic. */
static bool keeps_tagged(struct context *cx, const struct cin_program *program,
                         const struct schedule_call *call)
{
    for (int i = 0; i < program->tags; i++) {
        const struct cin_tag *tag = &program->tag[i];
        if (cin_has_loop(program->statement, tag->var))
            continue;
        diag_help(cx,
                  diag_error(cx, DIAG_PRECONDITION, call->span,
                             "%s: the loop over %s would be gone, which is %s", call->name,
                             tag->var->name, cin_tag_says(tag)),
                  tag->kind == TAG_GEMM ? "put blas last"
                                        : "put unroll, vectorize and parallelize last");
        return false;
    }
    return true;
}

/* Are the tagged loops of matrix products still such loops?  false after a diagnostic. */
static bool keeps_products(struct context *cx, const struct cin_program *program,
                           const struct schedule_call *call)
{
    const struct index_var *loop;
    const char *why = cin_gemm_check(cx, program, &loop);
    if (why)
        diag_help(cx,
                  diag_error(cx, DIAG_PRECONDITION, call->span,
                             "%s: the loop over %s would be of no matrix product any more: %s",
                             call->name, loop->name, why),
                  "put blas last");
    return !why;
}

/* ---- a part of a program of several results ---- */

/* Does this name stand here as a whole word of the text? */
static bool begins_with(const char *text, const char *at, const char *name)
{
    size_t n = strlen(name);
    bool inside = at > text && (isalnum((unsigned char)at[-1]) || at[-1] == '_');
    return !inside && strncmp(at, name, n) == 0 && !isalnum((unsigned char)at[n]) && at[n] != '_';
}

static bool has_word(const char *text, const char *name)
{
    for (const char *at = text; *at; at++)
        if (begins_with(text, at, name))
            return true;
    return false;
}

/* Does the argument name the variable? */
static bool names_var(const struct schedule_argument *argument, const struct index_var *var)
{
    switch (argument->kind) {
    case ARGUMENT_WORDS: return has_word(argument->text, var->name);
    case ARGUMENT_LOOP:
    case ARGUMENT_TRIPLE: return argument->loop == var;
    case ARGUMENT_EXPRESSION: return cin_uses_var(argument->e, var);
    case ARGUMENT_TENSOR:
    case ARGUMENT_NUMBER:
    case ARGUMENT_FORMAT: break;
    }
    return false;
}

static bool is_named(const struct schedule_call *call, const struct index_var *var)
{
    bool is = false;
    for (int i = 0; i < call->arguments && !is; i++)
        is = names_var(&call->argument[i], var);
    return is;
}

static bool is_argument(const struct schedule_call *call, const struct tensor_var *tensor)
{
    bool is = false;
    for (int i = 0; i < call->arguments && !is; i++)
        is = call->argument[i].kind == ARGUMENT_TENSOR ? call->argument[i].tensor == tensor
                                                       : call->argument[i].text == tensor->name;
    return is;
}

/* Is the node one of the things that the directive names?  These are loops, indices (for a split
 * variable the loops of its parts), and tensors. */
static bool is_about(const struct cin *cin, void *data)
{
    const struct schedule_call *call = data;
    bool is = cin->kind == CIN_ASSIGN && is_argument(call, cin->arg[0]->tensor);
    bool has_names = cin->kind == CIN_FORALL || cin->kind == CIN_ACCESS;
    for (int k = 0; has_names && k < cin->indices && !is; k++)
        is = !cin->index[k]->literal && is_named(call, cin->index[k]);
    return is;
}

/* Returns the one part whose loops and tensors the directive names; the program if no part or
 * several parts are named. */
static const struct cin_program *named_part(struct context *cx, const struct cin_program *program,
                                            const struct schedule_call *call)
{
    const struct cin_program *found = NULL;
    for (int r = 0; r <= program->others; r++) {
        const struct cin_program *part = cin_part(cx, program, r);
        if ((found && found->statement == part->statement)
            || !cin_any(part->statement, is_about, (void *)call))
            continue;
        if (found)
            return program;
        found = part;
    }
    return found ? found : program;
}

const struct cin_program *schedule_apply_call(struct context *cx, const struct cin_program *program,
                                              const struct schedule_call *call)
{
    const struct cin_program *part = program->others ? named_part(cx, program, call) : program;
    const struct cin_program *applied = call->type->apply(cx, part, call);
    program = applied && part != program ? cin_put_part(cx, program, part, applied) : applied;
    if (program && !cin_check_depth(cx, program->statement, call->span))
        return NULL;
    if (program && (!keeps_tagged(cx, program, call) || !keeps_products(cx, program, call)))
        return NULL;
    const char *broken = program ? cin_check(cx, program) : NULL;
    if (broken && !program->others)
        context_bug(cx, "after %s: %s", call->name, broken);
    if (broken) /* the directive took several statements for one */
        diag_error(cx, DIAG_PRECONDITION, call->span, "%s: %s", call->name, broken);
    return broken ? NULL : program;
}

/* Applies a directive that was read.  NULL after a diagnostic. */
static const struct cin_program *apply_read(struct context *cx,
                                            const struct schedule_type *const *known,
                                            const struct cin_program *program,
                                            const struct schedule_call *call)
{
    struct schedule_call made = *call;
    switch (taco_translate(cx, program, call, &made)) {
    case TACO_NOTHING: return program;
    case TACO_REFUSED: return NULL;
    case TACO_TRANSLATED:
    case TACO_OWN: break;
    }
    made.type = find_directive(cx, known, &made);
    return made.type ? schedule_apply_call(cx, program, &made) : NULL;
}

const struct cin_program *schedule_apply(struct context *cx,
                                         const struct schedule_type *const *known,
                                         const struct cin_program *program, const char *text)
{
    struct source source = {"schedule", text};
    int tokens;
    struct reader r = {cx, arena_copy(cx->arena, &source, sizeof source),
                       lex(cx->arena, text, &tokens)};
    while (program && r.token->kind != TOKEN_END) {
        struct schedule_call call = {0};
        if (!read_call(&r, &call))
            return NULL;
        program = apply_read(cx, known, program, &call);
        if (program && !accept(&r, ';') && !accept(&r, ',') && r.token->kind != TOKEN_END) {
            fail_syntax(&r, "';'");
            return NULL;
        }
    }
    return program;
}
