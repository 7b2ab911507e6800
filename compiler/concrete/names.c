/* names.c - names that nothing in a program has yet.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/concrete/concrete.h"

struct search { const char *name; bool used; };

static bool find(const struct cin *cin, void *data)
{
    struct search *s = data;
    s->used |= cin->tensor && cin->tensor->name == s->name;
    for (int i = 0; i < cin->indices; i++)
        s->used |= cin->index[i]->name == s->name;
    return s->used;
}

static bool is_used(const struct cin_program *program, const char *name)
{
    struct search s = {name, program->result->name == name};
    for (int i = 0; i < program->relations; i++)
        for (int k = 0; k < 2; k++) {
            const struct cin_relation *r = &program->relation[i];
            s.used |= (r->parent[k] && r->parent[k]->name == name) || (r->child[k] && r->child[k]->name == name);
        }
    return s.used || cin_any(program->statement, find, &s);
}

const char *cin_fresh_name(struct context *cx, const struct cin_program *program, const char *stem)
{
    const char *name = intern(cx, stem);
    for (int n = 2; is_used(program, name); n++)
        name = intern(cx, arena_printf(cx->arena, "%s%d", stem, n));
    return name;
}
