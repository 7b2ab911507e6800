/* loops.c - what directives share: refusing, and putting other loops in a loop's place.
 *
 * SPDX-License-Identifier: MIT
 */
#include "schedules/loops.h"

#include <string.h>

#include "compiler/base/text.h"

bool loops_refuse(struct context *cx, const struct cin_program *program, const struct schedule_call *call, int argument,
                  const char *why)
{
    struct span span = argument >= 0 && argument < call->arguments ? call->argument_span[argument] : call->span;
    struct text text = text_new(cx->arena);
    cin_print_program(cx, &text, program);
    diag_note(cx, diag_error(cx, DIAG_PRECONDITION, span, "%s: %s", call->name, why), "the statement is %s", text.at);
    return false;
}

struct search { const char *name; const struct cin *found; };

static bool find_loop(const struct cin *cin, void *data)
{
    struct search *s = data;
    if (cin->kind == CIN_FORALL && cin->index[0]->name == s->name)
        s->found = cin;
    return s->found != NULL;
}

const struct cin *loops_find(struct context *cx, const struct cin_program *program, const struct schedule_call *call,
                             int argument)
{
    struct search s = {intern(cx, call->argument[argument]), NULL};
    if (!cin_any(program->statement, find_loop, &s))
        loops_refuse(cx, program, call, argument, arena_printf(cx->arena, "there is no loop over %s", s.name));
    return s.found;
}

const struct cin_relation *loops_origin(const struct cin_program *program, const struct cin *loop)
{
    for (int i = 0; i < program->relations; i++)
        for (int k = 0; k < 2; k++)
            if (program->relation[i].child[k] == loop->index[0])
                return &program->relation[i];
    return NULL;
}

bool loops_check_new(struct context *cx, const struct cin_program *program, const struct schedule_call *call, int argument)
{
    const char *name = intern(cx, call->argument[argument]);
    bool spelled = cin_is_name(name, strlen(name));
    for (int i = 0; i < argument; i++)
        if (intern(cx, call->argument[i]) == name)
            return loops_refuse(cx, program, call, argument, arena_printf(cx->arena, "%s is named twice", name));
    if (!spelled || cin_is_used(program, name))
        return loops_refuse(cx, program, call, argument,
                            arena_printf(cx->arena, spelled ? "%s is in use" : "%s is no name for a new loop", name));
    return true;
}

const struct index_var *loops_new_var(struct context *cx, const char *name, int64_t size)
{
    struct index_var *var = arena_make(cx->arena, struct index_var);
    *var = (struct index_var){.name = intern(cx, name), .size = size};
    return var;
}

const struct cin_program *loops_replace(struct context *cx, const struct cin_program *program,
                                        const struct schedule_call *call, const struct cin *loop, const struct cin *by,
                                        const struct cin_relation *relation)
{
    struct cin_program *result = arena_copy(cx->arena, program, sizeof *program);
    struct cin_relation *all = arena_array(cx->arena, struct cin_relation, program->relations + 1);
    for (int i = 0; i < program->relations; i++)
        all[i] = program->relation[i];
    all[program->relations] = *relation;
    result->statement = cin_replace(cx, program->statement, loop, by);
    result->relation = all;
    result->relations = program->relations + 1;
    const char *broken = cin_check(cx, result);
    if (!broken)
        return result;
    loops_refuse(cx, program, call, 0, broken);
    return NULL;
}
