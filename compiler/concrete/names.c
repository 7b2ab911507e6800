/* names.c - the names in a program, and names that are unused in it.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/concrete/concrete.h"

#include <ctype.h>

bool cin_is_name(const char *s, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!(isalpha((unsigned char)s[i]) || s[i] == '_'
              || (i > 0 && isdigit((unsigned char)s[i]))))
            return false;
    return n > 0;
}

struct name_search {
    const char *name;
    bool used;
};

static bool uses_name(const struct cin *cin, void *data)
{
    struct name_search *s = data;
    s->used |= cin->tensor && cin->tensor->name == s->name;
    for (int i = 0; i < cin->indices; i++)
        s->used |= cin->index[i]->name == s->name;
    return s->used;
}

bool cin_is_used(const struct cin_program *program, const char *name)
{
    struct name_search s = {name, program->result->name == name};
    for (int i = 0; i < program->relations; i++)
        for (int k = 0; k < 2; k++) {
            const struct cin_relation *r = &program->relation[i];
            s.used |= (r->parent[k] && r->parent[k]->name == name)
                      || (r->child[k] && r->child[k]->name == name);
        }
    for (int i = 0; i < program->others; i++)
        s.used |= program->other[i]->name == name;
    return s.used || cin_any(program->statement, uses_name, &s)
           || (program->within && cin_any(program->within, uses_name, &s));
}

const char *cin_fresh_name(struct context *cx, const struct cin_program *program, const char *stem)
{
    const char *name = intern(cx, stem);
    for (int n = 2; cin_is_used(program, name); n++)
        name = intern(cx, arena_printf(cx->arena, "%s%d", stem, n));
    return name;
}
