/* names.c - names that are still unused in a kernel under construction.
 *
 * SPDX-License-Identifier: MIT
 */
#include <string.h>

#include "compiler/base/hash.h"
#include "compiler/imperative/builder.h"

/* Returns the place of a name in the table, or the empty place where it would go. */
static struct imp_name *find_name(const struct imp_names *names, const char *name)
{
    size_t at = hash_bytes(name, strlen(name)) & (names->capacity - 1);
    while (names->at[at].name && strcmp(names->at[at].name, name) != 0)
        at = (at + 1) & (names->capacity - 1);
    return &names->at[at];
}

static void grow_names(struct context *cx, struct imp_names *names)
{
    struct imp_names old = *names;
    if (2 * (old.n + 2) <= old.capacity)
        return;
    names->capacity = old.capacity ? 2 * old.capacity : 64;
    names->at = arena_array(cx->arena, struct imp_name, names->capacity);
    for (size_t i = 0; i < old.capacity; i++)
        if (old.at[i].name)
            *find_name(names, old.at[i].name) = old.at[i];
}

/* Returns the base name, or the first of it with _2, _3 ... that is unused.  Each base name
 * remembers its last number. */
const char *imp_unused_name(struct imp_builder *b, const char *base_name)
{
    struct imp_names *names = &b->unit->names;
    grow_names(b->cx, names);
    struct imp_name *stem = find_name(names, base_name), *entry = stem;
    const char *name = base_name;
    while (entry->name) {
        stem->last = stem->last ? stem->last + 1 : 2;
        name = arena_printf(b->cx->arena, "%s_%d", base_name, stem->last);
        entry = find_name(names, name);
    }
    *entry = (struct imp_name){name, 0};
    names->n++;
    return name;
}

struct imp_var *imp_new_var(struct imp_builder *b, enum type type, const char *base_name)
{
    struct imp_var *var = imp_var(b->cx, imp_unused_name(b, base_name), type);
    var->base_name = base_name;
    return var;
}
