/* call.c - calls of directives as values: makes arguments, compares calls, prints them.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/base/text.h"
#include "compiler/base/vec.h"
#include "compiler/schedule.h"

/* ---- arguments ---- */

struct schedule_argument schedule_words(struct context *cx, const char *words)
{
    return (struct schedule_argument){.kind = ARGUMENT_WORDS, .text = intern(cx, words)};
}

struct schedule_argument schedule_loop(const struct index_var *var)
{
    return (struct schedule_argument){.kind = ARGUMENT_LOOP, .text = var->name, .loop = var};
}

struct schedule_argument schedule_tensor(const struct tensor_var *tensor)
{
    return (struct schedule_argument){
        .kind = ARGUMENT_TENSOR, .text = tensor->name, .tensor = tensor};
}

struct schedule_argument schedule_expression(const struct cin *e)
{
    return (struct schedule_argument){.kind = ARGUMENT_EXPRESSION, .e = e};
}

struct schedule_argument schedule_triple(struct context *cx, const struct index_var *var,
                                         const char *producer)
{
    return (struct schedule_argument){
        .kind = ARGUMENT_TRIPLE, .text = intern(cx, producer), .loop = var};
}

struct schedule_argument schedule_number(int64_t number)
{
    return (struct schedule_argument){.kind = ARGUMENT_NUMBER, .number = number};
}

struct schedule_argument schedule_format(struct context *cx, const struct format *format)
{
    return (struct schedule_argument){
        .kind = ARGUMENT_FORMAT, .text = intern(cx, format->spelling), .format = format};
}

/* ---- calls ---- */

const struct schedule_call *schedule_make(struct context *cx, const struct schedule_type *type,
                                          const struct schedule_argument *argument, int arguments)
{
    struct schedule_call *call = arena_make(cx->arena, struct schedule_call);
    *call = (struct schedule_call){
        .name = type->name,
        .type = type,
        .arguments = arguments,
        .argument = arena_copy(cx->arena, argument, sizeof *argument * (size_t)arguments)};
    return call;
}

/* Returns the rest of an argument's identity, besides its text. */
static uintptr_t word_of(const struct schedule_argument *a)
{
    switch (a->kind) {
    case ARGUMENT_LOOP:
    case ARGUMENT_TRIPLE: return (uintptr_t)a->loop;
    case ARGUMENT_TENSOR: return (uintptr_t)a->tensor;
    case ARGUMENT_EXPRESSION: return (uintptr_t)a->e;
    case ARGUMENT_NUMBER: return (uintptr_t)a->number;
    case ARGUMENT_WORDS:
    case ARGUMENT_FORMAT: break;
    }
    return 0;
}

const void **schedule_made(struct context *cx, struct table *table,
                           const struct cin_program *program, const struct schedule_call *call)
{
    VEC(uintptr_t) word = {0};
    vec_push(cx->arena, &word, (uintptr_t)program);
    vec_push(cx->arena, &word, (uintptr_t)call->type);
    for (int i = 0; i < call->arguments; i++) {
        vec_push(cx->arena, &word, (uintptr_t)call->argument[i].kind);
        vec_push(cx->arena, &word, (uintptr_t)call->argument[i].text);
        vec_push(cx->arena, &word, word_of(&call->argument[i]));
    }
    return table_made(cx->arena, table, word.at, word.n);
}

/* ---- text ---- */

static void print_argument(struct context *cx, struct text *out, const struct schedule_argument *a)
{
    switch (a->kind) {
    case ARGUMENT_WORDS:
    case ARGUMENT_LOOP:
    case ARGUMENT_TENSOR:
    case ARGUMENT_FORMAT: text_add(out, a->text); return;
    case ARGUMENT_EXPRESSION: cin_print(cx, out, a->e); return;
    case ARGUMENT_TRIPLE:
        text_printf(out, "{%s,%s,%s}", a->loop->name, a->loop->name, a->text);
        return;
    case ARGUMENT_NUMBER: text_printf(out, "%lld", (long long)a->number); return;
    }
}

void schedule_print(struct context *cx, struct text *out, const struct schedule_call *call)
{
    text_add(out, call->name);
    for (int i = 0; i < call->arguments; i++) {
        text_add(out, i ? ", " : "(");
        print_argument(cx, out, &call->argument[i]);
    }
    text_add(out, ")");
}
