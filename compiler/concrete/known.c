/* known.c - the index variables whose coordinates are known.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/concrete/known.h"

#include <string.h>

bool known_has(const struct known *known, const struct index_var *var)
{
    for (int i = 0; i < known->n; i++)
        if (known->var[i] == var)
            return true;
    return false;
}

/* With var, unless it is NULL, and what follows. */
static struct known extend(struct context *cx, const struct known *known, const struct index_var *var)
{
    const struct cin_relation *by = NULL;
    struct known more = *known;
    int most = known->n + 1 + 3 * known->relations; /* a relation has four variables, and one is known */
    const struct index_var **vars = arena_array(cx->arena, const struct index_var *, most);
    const struct cin_relation **bys = arena_array(cx->arena, const struct cin_relation *, most);
    if (known->n) {
        memcpy(vars, known->var, sizeof *vars * (size_t)known->n);
        memcpy(bys, known->by, sizeof *bys * (size_t)known->n);
    }
    more.var = vars;
    more.by = bys;
    if (!var)
        var = cin_follows(more.relation, more.relations, more.var, more.n, &by);
    while (var) {
        vars[more.n] = var;
        bys[more.n++] = by;
        var = cin_follows(more.relation, more.relations, more.var, more.n, &by);
    }
    return more;
}

struct known known_none(struct context *cx, const struct cin_program *program)
{
    const struct known nothing = {.relation = program->relation, .relations = program->relations};
    return program->relations ? extend(cx, &nothing, NULL) : nothing;
}

struct known known_with(struct context *cx, const struct known *known, const struct index_var *var)
{
    return extend(cx, known, var);
}

struct known known_with_access(struct context *cx, const struct known *known, const struct cin *access)
{
    struct known more = *known;
    for (int i = 0; i < access->indices; i++)
        if (!known_has(&more, access->index[i]))
            more = known_with(cx, &more, access->index[i]);
    return more;
}
